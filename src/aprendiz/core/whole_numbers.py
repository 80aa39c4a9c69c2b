"""Whole numbers that doubles hold exactly.

A double has 53 binary digits. A whole number fits if what is left of it without its trailing zeros does:

    |v| / 2ᵏ ≤ 2⁵³,   2ᵏ the largest power of two that divides v                                             (1)

All up to 2⁵³ do. Others would be rounded, and two of them might become one: they are refused as measurements, in X and in a
target of numbers. As classes they stay whole numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

LARGEST = 2**53
LONGEST = 1024  # binary digits of the largest doubles
CELLS_AT_ONCE = 2**16  # min and max of as many stay in the cache
REMEDY = (
    "Subtract a constant from all of them, leave them out if they are names of rows, or pass floats if the last digits do not "
    "matter."
)


def fits_double(value: Any) -> bool:
    """Is a number no whole number, or one that a double holds exactly?"""
    if isinstance(value, Decimal):
        return not value.is_finite() or abs(value) <= LARGEST or value != value.to_integral_value() or fits_double(int(value))
    if not isinstance(value, Integral) or abs(int(value)) <= LARGEST:
        return True
    size = abs(int(value))
    return size // (size & -size) <= LARGEST and size.bit_length() <= LONGEST  # (1)


def first_inexact(values: NDArray[Any]) -> int | None:
    """The place, in C order, of the first whole number that no double holds. Arrays of other types have none."""
    if values.dtype.kind not in "iu" or values.itemsize < 8 or not values.size:
        return None
    rows = max(1, CELLS_AT_ONCE * len(values) // values.size)
    for start in range(0, len(values), rows):
        part = values[start : start + rows]
        if part.max() <= LARGEST and (part.dtype.kind == "u" or part.min() >= -LARGEST):
            continue
        size = part.astype(np.uint64)  # modulo 2⁶⁴
        size = np.where(part < 0, -size, size)
        lowest = np.maximum(size & -size, np.uint64(1))
        if (lossy := size // lowest > LARGEST).any():
            return int(np.flatnonzero(lossy)[0]) + start * (values.size // len(values))
    return None


def refuse_inexact_cells(table: NDArray[Any], start: int = 0, names: Sequence[str] | None = None) -> None:
    """Stop at the first whole number of a table that no double holds."""
    if (place := first_inexact(table)) is not None:
        row, column = (int(i) for i in np.unravel_index(place, table.shape))
        refuse_inexact_cell(table[row, column], start + row, column if names is None else repr(names[column]))


def refuse_inexact_cell(value: Any, row: int, column: Any) -> None:
    """Say of a cell of X that no double holds it."""
    refuse_inexact(f"Input X holds the whole number {in_words(int(value))} in row {row}, column {column}", value)


def refuse_inexact_targets(values: NDArray[Any], start: int = 0) -> None:
    """Stop at the first whole number of a target of numbers that no double holds."""
    if (place := first_inexact(values)) is not None:
        row = place // (values.size // len(values))
        refuse_inexact_target(values.ravel()[place], start + row)


def refuse_inexact_target(value: Any, row: int) -> None:
    """Say of a number of y that no double holds it."""
    refuse_inexact(f"y holds the whole number {in_words(int(value))} in row {row}", value)


def in_words(value: int) -> str:
    """A whole number, of a very long one its length."""
    return str(value) if value.bit_length() <= LONGEST else f"of {value.bit_length()} binary digits"


def refuse_inexact(what: str, value: Any) -> None:
    if abs(int(value)).bit_length() > LONGEST:
        raise ValueError(f"{what}, which is too large for a double. {REMEDY}")
    raise ValueError(f"{what}, which a double would round to {int(float(value))}. {REMEDY}")
