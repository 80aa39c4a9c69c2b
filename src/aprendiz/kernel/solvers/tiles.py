"""Work on a large square matrix, cut into runs of rows that threads share.

The cut follows from the size of the matrix alone, and BLAS is held to one thread, so the bits are the same for any number of
threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.core.threads import ordered_map

RUN = 512  # rows that a thread takes at a time
SMALL = 2**18  # entries, below which handing them to threads takes longer than the work


def runs(start: int, stop: int, size: int = RUN) -> list[slice]:
    """The numbers from start to stop in slices of at most `size`."""
    return [slice(at, min(at + size, stop)) for at in range(start, stop, size)]


def for_each(work: Callable[[Any], None], items: Iterable[Any]) -> None:
    """Do the work for all items, on all threads."""
    for _ in ordered_map(work, items):
        pass


def multiply(K: Array, V: Array) -> Array:
    """K V."""
    if K.size < SMALL:
        return K @ V
    out = np.empty((len(K), V.shape[1]), K.dtype)

    def rows(run: slice) -> None:
        out[run] = K[run] @ V

    for_each(rows, runs(0, len(K)))
    return out


def shifted_copy(K: Array, shift: float, dtype: Any) -> Array:
    """K + shift·I in a precision of its own."""
    out = np.empty(K.shape, dtype)

    def rows(run: slice) -> None:
        out[run] = K[run]

    for_each(rows, runs(0, len(K)))
    out[np.diag_indices_from(out)] = K.diagonal() + shift
    return out


def norm(K: Array) -> float:
    """√(Σ K_ij²), which is at least the largest eigenvalue."""
    cut = runs(0, len(K))
    sums = np.zeros(len(cut))
    largest = float(np.abs(K.diagonal()).max())  # no other entry of a Gram matrix is larger
    unit = largest if not 1e-100 < largest < 1e100 and largest > 0 else 1.0

    def rows(number: int) -> None:
        some = (K[cut[number]] if unit == 1.0 else K[cut[number]] / unit).ravel()
        sums[number] = some @ some

    for_each(rows, range(len(cut)))
    return float(np.sqrt(sums.sum())) * unit
