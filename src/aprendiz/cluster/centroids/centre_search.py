"""The nearest of many centres, found in single precision and proved in double.

    a(x) = argmin_j ‖x − c_j‖²,     ‖x − c_j‖² = ‖y‖² + ‖e_j‖² − 2 yᵀe_j,     y = s·(x − p),  e_j = s·(c_j − p)   (1)

with p the mean of the centres and s a power of two that makes the largest ‖e_j‖ about 1. The products yᵀe_j of a few hundred
rows are one product of matrices, in single precision: the fastest thing a processor does. Rounded to u = 2⁻²⁴, (1) is off by
at most

    ε = 1.1·u·(2(d + 4)·‖y‖·max‖e_j‖ + 4·(max‖e_j‖² + ‖y‖²))                                                     (2)

in any order of summation. So only centres within 2ε of the least can be the nearest. Mostly there is one; if there are
several, they are compared in double precision, by differences, and the first of equal ones wins. Rows so far away that
their square overflows are compared with all centres. (1) − ε is a lower bound of every distance, which the bounds of
row_bounds.py start from.

Cost: 2·n·k·d operations at the speed of a product of matrices, O(n·d) to prove.
Reference: Higham, "Accuracy and stability of numerical algorithms", 2002, section 3.1, for (2).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array, read_only

CELLS = 2**18  # of a product at a time: they stay in the cache
UNIT = 1.1 * 2.0**-24


@dataclass(frozen=True)
class CentreSearch:
    """The centres, and what (1) needs of them."""

    centers: Array
    pivot: Array
    scale: float
    lines: Array  # e_j, the lines of a matrix in single precision
    short: Array  # and its columns
    squares: Array  # ‖e_j‖²
    largest: float  # ‖e_j‖

    @classmethod
    def of(cls, centers: Array) -> Self:
        pivot = centers.mean(axis=0)
        shifted = centers - pivot
        size = float(np.abs(shifted).max())
        with np.errstate(over="ignore"):
            scale = float(np.exp2(-np.round(np.log2(size)))) if 0 < size < np.inf else 1.0
        shifted = shifted * (scale if 0 < scale < np.inf else 1.0)
        squares = (shifted**2).sum(axis=1)
        lines = shifted.astype(np.float32)
        return cls(
            read_only(centers),  # whoever made them: the kernels are compiled once
            pivot,
            scale,
            lines,
            np.ascontiguousarray(lines.T),
            squares.astype(np.float32),
            float(np.sqrt(squares.max())),
        )

    def find(
        self, X: Array, rows: Array, labels: Array, squares: Array, lower: Array, bounds: Array | None = None, drift: Any = None
    ) -> None:
        """Of the listed rows: the nearest centre, the distance to it, squared, and a lower bound of the distance to all others;
        where asked, lower bounds of the distances to each, plus the drift of the centre (row_bounds.py)."""
        k, d = self.centers.shape
        some = max(64, min(4096, CELLS // k))
        Y, size, products = np.empty((some, d), np.float32), np.empty(some), np.empty((some, k), np.float32)
        for start in range(0, len(rows), some):
            here = rows[start : start + some]
            shift_rows(X, here, self.pivot, self.scale, Y, size)
            G = np.matmul(Y[: len(here)], self.short, out=products[: len(here)])
            approximate(size, self.squares, G)
            decide(X, here, size, G, G.view(np.int32), self.centers, self.largest, self.scale, labels, squares, lower)
            if bounds is not None and bounds.shape[1]:
                keep_bounds(here, size, G, d, self.largest, self.scale, labels, drift, bounds)

    def nearest(self, X: Array) -> tuple[Array, Array]:
        """The nearest centre of each row, and the distance squared."""
        n = len(X)
        labels, squares = np.zeros(n, np.int32), np.empty(n)
        self.find(X, np.arange(n, dtype=np.int32), labels, squares, np.empty(n))
        return labels, squares


# ---- kernels ---------------------------------------------------------------------------------------------------------


@compiled
def shift_rows(X: Array, rows: Array, pivot: Array, scale: float, Y: Array, size: Array) -> None:
    """y of the listed rows, and ‖y‖²; of rows too far away, zeros and infinity."""
    for r in range(len(rows)):
        i, total = rows[r], np.float32(0.0)
        for t in range(X.shape[1]):
            y = np.float32(scale * (X[i, t] - pivot[t]))
            Y[r, t] = y
            total += y * y
        size[r] = total
        if not total < 1e30:
            size[r] = np.inf
            for t in range(X.shape[1]):
                Y[r, t] = np.float32(0.0)


@compiled
def approximate(size: Array, squares: Array, G: Array) -> None:
    """(1) in place of the products yᵀe_j."""
    for r in range(len(G)):
        own = np.float32(size[r])
        for j in range(G.shape[1]):
            v = own + (squares[j] - np.float32(2.0) * G[r, j])
            G[r, j] = v if v > np.float32(0.0) else np.float32(0.0)


@compiled(inner=True)
def slack(size: float, largest: float, d: int) -> float:
    """ε of (2), and a little for what vanishes in single precision."""
    return UNIT * (2.0 * (d + 4) * np.sqrt(size) * largest + 4.0 * (largest * largest + size)) + 1e-30


@compiled(inner=True)
def smallest(bits: Array, r: int) -> int:
    """The smallest of a row of numbers that are not negative, by the integers of their bits: those compare alike, faster."""
    low = bits[r, 0]
    for j in range(1, bits.shape[1]):
        low = min(low, bits[r, j])
    return low


@compiled(inner=True)
def square(X: Array, i: int, centers: Array, j: int) -> float:
    """‖x_i − c_j‖² by differences."""
    total = 0.0
    for t in range(X.shape[1]):
        u = X[i, t] - centers[j, t]
        total += u * u
    return total


@compiled
def decide(
    X: Array, rows: Array, size: Array, G: Array, bits: Array, centers: Array, largest: float, scale: float, labels: Array,
    squares: Array, lower: Array,
) -> None:  # fmt: skip
    """The nearest centre, its distance squared and a lower bound of the other distances, from the approximate squares G."""
    k, d = centers.shape
    huge = np.int32(0x7F000000)  # the bits of 1.7e38
    for r in range(len(rows)):
        i = rows[r]
        far = not size[r] < 1e30
        error = slack(size[r], largest, d)
        low = smallest(bits, r)
        a = 0
        while bits[r, a] != low:
            a += 1
        least = G[r, a]
        bits[r, a] = huge
        second = smallest(bits, r)
        bits[r, a] = second
        other = float(G[r, a])
        G[r, a] = least
        limit = least + 2.000001 * error
        if far or not other > limit:
            best = np.inf
            for j in range(k):
                if far or not G[r, j] > limit:
                    found = square(X, i, centers, j)
                    if found < best:
                        best, a = found, j
            squares[i] = best
        else:
            squares[i] = square(X, i, centers, a)
        labels[i] = a
        lower[i] = 0.0 if far else np.sqrt(max(0.0, other - error)) / scale
        if k == 1:
            lower[i] = np.inf


@compiled
def keep_bounds(
    rows: Array, size: Array, G: Array, d: int, largest: float, scale: float, labels: Array, drift: Array, bounds: Array
) -> None:
    """bounds[i, j] = the distance to centre j, or a little less, plus its drift; infinite for the nearest one."""
    for r in range(len(rows)):
        i, error = rows[r], np.float32(1.000001 * slack(size[r], largest, d))
        room = np.float32((1.0 - 1e-6) / scale)
        for j in range(G.shape[1]):
            v = G[r, j] - error
            v = v if v > np.float32(0.0) else np.float32(0.0)
            bounds[i, j] = (np.sqrt(v) * room + np.float32(drift[j])) * np.float32(1.0 - 2e-7)
        if not size[r] < 1e30:
            for j in range(G.shape[1]):
                bounds[i, j] = -np.inf
        bounds[i, labels[i]] = np.inf
