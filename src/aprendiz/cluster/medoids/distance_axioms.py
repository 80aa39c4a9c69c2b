"""What distances must obey, and the pair or triple of rows that breaks it, in words.

    d(x, x) = 0 ≤ d(x, y) = d(y, x),     d(x, z) ≤ d(x, y) + d(y, z)                                           (1), (2)

Cost: (1) one look at each distance; (2) m³ for m rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from aprendiz.core.rows import Array

ROUNDING = 1e-9  # of the largest distance


class Triple(NamedTuple):
    """Three rows that break (2): d(x, z) = `direct` > d(x, y) + d(y, z) = `first` + `second`."""

    x: int
    y: int
    z: int
    direct: float
    first: float
    second: float

    def __str__(self) -> str:
        return (
            f"d(row {self.x}, row {self.z}) = {self.direct:.6g} exceeds d(row {self.x}, row {self.y}) + "
            f"d(row {self.y}, row {self.z}) = {self.first:.6g} + {self.second:.6g}"
        )


def worst_triangle(d: Array, rows: Array) -> Triple | None:
    """Of some rows with the distances d, the three that break (2) most; None if none do."""
    worst, (x, y, z) = 0.0, (0, 0, 0)
    for middle in range(len(rows)):
        excess = d - (d[:, middle, None] + d[middle])
        if excess.max() > worst:
            start, end = divmod(int(np.argmax(excess)), len(rows))
            worst, (x, y, z) = float(excess.max()), (start, middle, end)
    if worst <= ROUNDING * float(d.max(initial=0.0)):
        return None
    return Triple(int(rows[x]), int(rows[y]), int(rows[z]), float(d[x, z]), float(d[x, y]), float(d[y, z]))


def refuse_bad_sample(d: Array, chosen: Sequence[int]) -> None:
    """(1), for the distances of some rows."""
    tolerance = ROUNDING * float(np.abs(d[np.isfinite(d)]).max(initial=0.0))
    if (bad := np.argwhere(d < -tolerance)).size:
        a, b = bad[0]
        raise ValueError(negative(chosen[a], chosen[b], float(d[a, b])))
    if (loose := np.flatnonzero(np.abs(np.diag(d)) > tolerance)).size:
        raise ValueError(not_itself(chosen[loose[0]], float(d[loose[0], loose[0]])))
    if (bad := np.argwhere(np.abs(d - d.T) > tolerance)).size:
        a, b = bad[0]
        raise ValueError(asymmetric(chosen[a], chosen[b], float(d[a, b]), float(d[b, a])))


def refuse_bad_cells(D: Array) -> None:
    """A distance is a number of at least 0."""
    if (bad := np.argwhere(~(np.asarray(D) >= 0))).size:
        i, j = (int(at) for at in bad[0])
        if np.isnan(D[i, j]):
            raise ValueError(f"The distance in row {i}, column {j} is NaN: give a number for every two rows.")
        raise ValueError(negative(i, j, float(D[i, j])))


def negative(i: int, j: int, value: float) -> str:
    return f"A distance is negative: d(row {i}, row {j}) = {value:.6g}; distances are at least 0."


def not_itself(i: int, value: float) -> str:
    return f"The distance of a row to itself must be 0: d(row {i}, row {i}) = {value:.6g}."


def asymmetric(i: int, j: int, value: float, back: float) -> str:
    return (
        f"The distances are not symmetric: d(row {i}, row {j}) = {value:.6g}, but d(row {j}, row {i}) = {back:.6g}; "
        "give the same number both ways, such as their mean."
    )
