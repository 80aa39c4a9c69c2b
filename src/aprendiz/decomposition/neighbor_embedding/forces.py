"""The divergence of a map from its neighbourhoods, and the forces that lower it.

With ν degrees of freedom, one less than the map has columns but at least 1,

    w_ij = 1 / (1 + ‖y_i − y_j‖²/ν),     q_ij = w_ij^{(ν+1)/2} / Z,     Z = Σ_{i≠j} w_ij^{(ν+1)/2}                 (1)
    C = KL(P‖Q) = Σ p_ij log p_ij + (ν+1)/2·Σ p_ij log(1/w_ij) + log Z                                        (2)
    ∂C/∂y_i = 2(ν+1)/ν·(A_i − R_i/Z)                                                                          (3)
    A_i = Σ_j p_ij w_ij (y_i − y_j),     R_i = Σ_j w_ij^{(ν+3)/2} (y_i − y_j)                                  (4)

A pulls neighbours together, R pushes all rows apart. A is a sum over the neighbours. R and Z are sums over all pairs: computed
as such up to `PAIRS` rows and for more than two columns, else by a grid (spline_grid.py).

Cost of a step: O(n·k) for A, and O(n²) or that of the grid for R.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array
from aprendiz.decomposition.neighbor_embedding.affinities import Affinities
from aprendiz.decomposition.neighbor_embedding.spline_grid import SplineGrid
from aprendiz.neighbors.search.point_index import side_by_side

CALM = 0.05  # part of the attraction that may be left over in a map at rest
PAIRS = 3_000  # rows up to which all pairs cost less than a grid
ROWS = 512  # rows whose forces a thread sums at a time; with a grid, a third of them while another thread has the grid
BY_GRID = -1
TILE = 512  # rows that push them at a time, in maps of more columns


class Balance(NamedTuple):
    """A and R/Z of (3), and C of (2) where it was asked for."""

    attraction: Array
    repulsion: Array
    divergence: float

    def left_over(self) -> float:
        """‖A − R/Z‖ / ‖A‖: the part of the attraction that no repulsion meets."""
        attraction = float(np.linalg.norm(self.attraction))
        left = float(np.linalg.norm(self.attraction - self.repulsion))
        return left / attraction if attraction > 0 else float(left > 0)


class Forces:
    """The forces between the rows of a map. `exact`: whether R is always summed over all pairs."""

    def __init__(self, P: Affinities, columns: int, *, exact: bool):
        n = len(P.starts) - 1
        self.P, self.columns, self.n = P, columns, n
        self.freedom = max(columns - 1, 1)
        self.constant = P.neg_entropy()
        self.grid = None if exact or n <= PAIRS or columns > 2 else SplineGrid()

    @property
    def factor(self) -> float:
        """2(ν+1)/ν of (3)."""
        return 2.0 * (self.freedom + 1.0) / self.freedom

    def of_all_pairs(self) -> Forces:
        """The same forces, without a grid."""
        return self if self.grid is None else Forces(self.P, self.columns, exact=True)

    def at(self, Y: Array, divergence: bool) -> Balance:
        """The forces on every row of a map."""
        A, R = np.empty_like(Y), np.empty_like(Y)
        table = np.ascontiguousarray(Y.T)
        grid = self.grid if self.grid is not None and self.grid.is_worth_it(Y) else None

        def part(first: int) -> tuple[float, float]:
            """Of some rows, their parts of Σ p log(1/w) and of Z."""
            if first == BY_GRID:
                assert grid is not None
                return 0.0, grid.push(Y, R)
            last = min(first + size, self.n)
            attract(*self.P[:3], Y, self.freedom, first, last, A)
            cross = stretch(*self.P[:3], Y, self.freedom, first, last) if divergence else 0.0
            return cross, self.push(table, first, last, R) if grid is None else 0.0

        size = ROWS if grid is None else -(-self.n // 3)
        first_rows = list(range(0, self.n, size))
        sums = side_by_side(part, first_rows if grid is None else [BY_GRID, *first_rows])
        cross, Z = (float(np.sum(terms)) for terms in zip(*sums, strict=True))
        if not Z > 0:
            raise ValueError("The rows of the map have flown apart, beyond the range of numbers: use a smaller learning_rate.")
        C = self.constant + 0.5 * (self.freedom + 1) * cross + float(np.log(Z)) if divergence else np.nan  # (2)
        R /= Z
        return Balance(A, R, C)

    def push(self, table: Array, first: int, last: int, R: Array) -> float:
        """R of some rows from all pairs, and their part of Z."""
        if self.columns == 2:
            return push_plane(table[0], table[1], first, last, R)
        return push(table, self.freedom, first, last, R)


@compiled
def attract(starts: Array, columns: Array, values: Array, Y: Array, freedom: int, first: int, last: int, A: Array) -> None:
    """A of (4) for some rows."""
    m = Y.shape[1]
    for i in range(first, last):
        if m == 2:  # the usual map
            a, b, fa, fb = Y[i, 0], Y[i, 1], 0.0, 0.0
            for e in range(starts[i], starts[i + 1]):
                da, db = a - Y[columns[e], 0], b - Y[columns[e], 1]
                pull = values[e] / (1.0 + da * da + db * db)
                fa += pull * da
                fb += pull * db
            A[i, 0], A[i, 1] = fa, fb
            continue
        A[i] = 0.0
        for e in range(starts[i], starts[i + 1]):
            square, j = 0.0, columns[e]
            for c in range(m):
                square += (Y[i, c] - Y[j, c]) ** 2
            far = 1.0 + square / freedom
            for c in range(m):
                A[i, c] += values[e] / far * (Y[i, c] - Y[j, c])


@compiled
def stretch(starts: Array, columns: Array, values: Array, Y: Array, freedom: int, first: int, last: int) -> float:
    """Σ p log(1/w) of some rows."""
    total = 0.0
    for i in range(first, last):
        for e in range(starts[i], starts[i + 1]):
            square = 0.0
            for c in range(Y.shape[1]):
                square += (Y[i, c] - Y[columns[e], c]) ** 2
            total += values[e] * np.log(1.0 + square / freedom)
    return total


@compiled
def push_plane(x: Array, y: Array, first: int, last: int, R: Array) -> float:
    """R of (4) for some rows of a map with two columns, and their part of Z."""
    n, Z = len(x), 0.0
    for i in range(first, last):
        a, b, fa, fb = x[i], y[i], 0.0, 0.0
        for j in range(n):
            da, db = a - x[j], b - y[j]
            w = 1.0 / (1.0 + da * da + db * db)
            Z += w
            fa += w * w * da
            fb += w * w * db
        R[i, 0], R[i, 1] = fa, fb
    return Z - (last - first)


@compiled
def push(table: Array, freedom: int, first: int, last: int, R: Array) -> float:
    """The same for any number of columns, of which each is a row of `table`."""
    m, n, Z = len(table), table.shape[1], 0.0
    near, power = np.empty(TILE), np.empty(TILE)
    for start in range(0, n, TILE):
        size = min(TILE, n - start)
        for i in range(first, last):
            if start == 0:
                R[i] = 0.0
            for j in range(size):
                near[j] = freedom
            for c in range(m):
                here, y = table[c, start : start + size], table[c, i]
                for j in range(size):
                    near[j] += (here[j] - y) * (here[j] - y)
            for j in range(size):
                near[j] = freedom / near[j]
                power[j] = 1.0 if freedom % 2 == 1 else np.sqrt(near[j])
            for _ in range((freedom + 1) // 2):
                for j in range(size):
                    power[j] *= near[j]
            for j in range(size):
                Z += power[j]
                power[j] *= near[j]
            for c in range(m):
                here, y, force = table[c, start : start + size], table[c, i], 0.0
                for j in range(size):
                    force += power[j] * (y - here[j])
                R[i, c] += force
    return Z - (last - first)
