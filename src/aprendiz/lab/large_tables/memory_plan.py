"""Whether a table fits into the memory that is allowed, and if it does not, how many of its rows are kept.

    allowed       max_memory, or a share of the free memory
    the frame     may have (allowed − what Python and its libraries take) / COPIES bytes                            (1)
    rows          as many as (1) holds, at most MOST_ROWS, rounded down to 1, 2 or 5 times a power of ten           (2)

COPIES is how many times the size of the frame a run takes where it takes most: the frame, the features, the training rows of a
fold, prepared, and what a learner makes of them. MOST_ROWS is a matter of time: with so many rows, the scores of methods that
differ can be told apart, and more only take longer. A round number of rows is the same from day to day, though the free memory
is not.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from aprendiz.lab.memory import free_memory
from aprendiz.locale import _

SHARE = 0.75  # of the free memory
OF_LIBRARIES = 1e9  # bytes of a process that has loaded everything, with the buffers that learners have in any case
COPIES = 10
MOST_ROWS, FEWEST_ROWS = 50_000, 1000
UNITS = {"": 1.0, "b": 1.0, "kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12, "kib": 2.0**10, "mib": 2.0**20, "gib": 2.0**30}


@dataclass(frozen=True)
class TableSize:
    """About how many bytes the frame of a file takes, and how many rows it has."""

    bytes: float
    rows: float


def rows_that_fit(size: TableSize, max_memory: float | str | None) -> int | None:
    """How many rows of a table to keep; None if all of it fits."""
    allowed = SHARE * free_memory() if max_memory is None else bytes_of(max_memory)
    room = max(0.0, allowed - OF_LIBRARIES) / COPIES
    if size.bytes <= room:
        return None
    return max(FEWEST_ROWS, min(MOST_ROWS, rounded(room * size.rows / size.bytes)))


def rounded(count: float) -> int:
    """The largest of 1, 2, 5, 10, 20, 50, … up to a number."""
    power = 1
    while 10 * power <= count:
        power *= 10
    return next((digit * power for digit in (5, 2) if digit * power <= count), power)


def bytes_of(memory: float | str) -> float:
    """A number of bytes, or a size such as "2GB" or "500 MB"."""
    size = 0.0
    if isinstance(memory, str):
        found = re.fullmatch(r"\s*([0-9]+(?:[.][0-9]*)?|[.][0-9]+)\s*([kmgt]?i?b)?\s*", memory, re.IGNORECASE)
        size = 0.0 if found is None else float(found[1]) * UNITS.get((found[2] or "").lower(), 0.0)
    elif isinstance(memory, (int, float)) and not isinstance(memory, bool):
        size = float(memory)
    if not 0 < size < float("inf"):
        raise ValueError(
            _("{value} is not a size of memory: write a number and a unit, such as 2GB or 500MB.").format(value=repr(memory))
        )
    return size
