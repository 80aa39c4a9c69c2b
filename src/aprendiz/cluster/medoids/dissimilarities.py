"""How far rows are from each other, for methods that ask for nothing else.

    D_ij = d(x_i, x_j) ≥ 0,     D_ii = 0,     D_ij = D_ji                                                      (1)

One object, whatever d is: a metric by name (neighbors/search/metrics.py), a function of two rows, Gower's distance of a table
with words and missing cells, or a matrix that was computed elsewhere. What breaks (1) is refused (distance_axioms.py); a
function is tried on a sample. Some guarantees need the triangle inequality too,

    d(x, z) ≤ d(x, y) + d(y, z),                                                                              (2)

which `broken_triangle` tries on a sample of the rows.

Differences are summed over the columns in their order (no product of matrices, so nothing cancels), and |x − q| = |q − x| to
the last bit: rows, blocks of rows and the whole matrix have the same bits, and the matrix is symmetric.

Cost: O(n·d) for the distances of one row, in blocks over threads; O(n²) memory only in `matrix`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from contextlib import closing
from typing import Any

import numpy as np

from aprendiz.cluster.medoids.distance_axioms import (
    ROUNDING,
    Triple,
    asymmetric,
    negative,
    not_itself,
    refuse_bad_cells,
    refuse_bad_sample,
    worst_triangle,
)
from aprendiz.compilation.compiled import compiled
from aprendiz.core.columns import Mixed
from aprendiz.core.rows import Array, read_only
from aprendiz.core.threads import ordered_map
from aprendiz.neighbors.search.gower import gower, parts, ranges
from aprendiz.neighbors.search.metric_axioms import as_number
from aprendiz.neighbors.search.metrics import ABSOLUTES, DIFFERENT, LARGEST, POWERS, SQUARES, Function, metric_of

TILE = 512  # rows that a thread compares with all of its queries before it goes on
SAMPLE = 12  # rows on which a function is tried
TRIANGLES = 64  # rows whose triples are tried for (2)
NO_TRIANGLE = ("sqeuclidean", "cosine", "gower", "precomputed")  # names that need not obey (2)


class Dissimilarities(ABC):
    """Distances between n rows, and from other rows to them.

    Attributes
    ----------
    count : int
        n.
    obeys_triangle : bool
        Whether (2) is known to hold.
    """

    count: int
    obeys_triangle: bool = False
    block: int = 32  # rows of distances that a thread computes at a time

    @staticmethod
    def of(
        X: Any, metric: str | Function = "euclidean", p: float = 2, metric_params: Mapping[str, Any] | None = None
    ) -> Dissimilarities:
        """The distances between the rows of X: an array, a mixed table ("gower"), or a square matrix ("precomputed")."""
        if callable(metric):
            return ByFunction(X, metric, metric_params)
        if metric == "precomputed":
            if metric_params:
                raise ValueError("metric_params: precomputed distances have no parameters; leave it out.")
            return Given(X)
        if metric == "gower":
            return ByGower(X, **(metric_params or {}))
        if isinstance(X, Mixed):
            raise ValueError(
                f"A table with words has no metric {metric!r}: use metric='gower', or encode the words as numbers."
            )
        return ByMetric(X, metric, p, metric_params)

    @abstractmethod
    def fill(self, Q: Any, out: Array) -> None:
        """Write the distances from some other rows to all of these, one row of `out` for each."""

    @abstractmethod
    def fill_own(self, numbers: Array, out: Array) -> None:
        """Write the distances of the rows with these numbers."""

    @abstractmethod
    def among(self, numbers: Array) -> Dissimilarities:
        """The same distances to some of the rows only."""

    def fill_part(self, number: int, here: slice, out: Array) -> None:
        """Write the distances of one row to the rows of a slice (whole ones, where a slice costs as much)."""
        whole = np.empty((1, self.count))
        self.fill_own(np.array([number]), whole)
        out[:] = whole[0, here]

    def distances_from(self, Q: Any) -> Array:
        """Distances from other rows to these, of shape (len(Q), n)."""
        out = np.empty((len(Q), self.count))
        self.in_blocks(len(Q), lambda here: self.fill(Q[here], out[here]))
        return out

    def rows(self, numbers: Any) -> Array:
        """Distances of the rows with these numbers, of shape (len(numbers), n)."""
        chosen = np.asarray(numbers, np.int64)
        out = np.empty((len(chosen), self.count))
        self.in_blocks(len(chosen), lambda here: self.fill_own(chosen[here], out[here]))
        return out

    def to(self, number: int) -> Array:
        """Distances of one row, of shape (n,)."""
        out = np.empty(self.count)
        self.fill_part(number, slice(0, self.count), out)
        return out

    def matrix(self) -> Array:
        """All distances, of shape (n, n): symmetric, with the bits of `rows`."""
        return self.rows(np.arange(self.count))

    def in_blocks(self, length: int, work: Callable[[slice], None]) -> None:
        """Work on blocks of rows, side by side."""
        pieces = (slice(start, start + self.block) for start in range(0, length, self.block))
        with closing(ordered_map(work, pieces)) as done:
            for _ in done:
                pass

    def broken_triangle(self, others: Any = ()) -> Triple | None:
        """The three rows that break (2) most, among `others` and rows spread evenly over the table; None if none do."""
        if self.obeys_triangle:
            return None
        even = np.linspace(0, self.count - 1, min(TRIANGLES, self.count)).astype(np.int64)
        some = np.unique(np.concatenate([np.asarray(others, np.int64)[: TRIANGLES // 2], even]))
        return worst_triangle(self.among(some).matrix(), some)


class ByMetric(Dissimilarities):
    """Distances by a metric with a name."""

    def __init__(self, X: Array, metric: str, p: float, metric_params: Mapping[str, Any] | None):
        self.X = np.asarray(X, np.float64)
        self.metric = metric_of(self.X, metric, p, metric_params)
        self.obeys_triangle = self.metric.name not in NO_TRIANGLE
        self.keep(self.metric.coordinates(self.X))

    def keep(self, points: Array) -> None:
        self.count, self.points = len(points), points
        self.table = np.ascontiguousarray(points.T, dtype=np.float64)

    def fill(self, Q: Any, out: Array) -> None:
        self.compare(self.metric.coordinates(np.asarray(Q, np.float64)), out)

    def fill_own(self, numbers: Array, out: Array) -> None:
        self.compare(self.points[numbers], out)

    def fill_part(self, number: int, here: slice, out: Array) -> None:
        self.compare(self.points[number : number + 1], out[None], here.start, here.stop)

    def compare(self, points: Array, out: Array, start: int = 0, stop: int | None = None) -> None:
        stop = self.count if stop is None else stop
        all_sums(self.table, read_only(points), self.metric.code, self.metric.p, start, stop, out)
        finish(out, self.metric.name, self.metric.p, self.X.shape[1])

    def among(self, numbers: Array) -> Dissimilarities:
        some = object.__new__(ByMetric)
        some.X, some.metric, some.obeys_triangle = self.X[numbers], self.metric, self.obeys_triangle
        some.keep(self.points[numbers])
        return some


class ByGower(Dissimilarities):
    """Gower's distance (neighbors/search/gower.py); `ranges` of the measured columns are those of the rows, unless given."""

    def __init__(self, X: Mixed | Array, **given: Any):
        if unknown := [name for name in given if name != "ranges"]:
            raise ValueError(f"metric_params: the metric 'gower' has no parameter {unknown[0]!r}; it has: ranges.")
        self.count = len(X)
        self.numbers, self.codes = parts(X)
        self.ranges = np.asarray(given["ranges"] if "ranges" in given else ranges(X, self.numbers), np.float64)

    def fill(self, Q: Any, out: Array) -> None:
        gower(self.numbers, self.codes, self.ranges, *parts(Q), out)

    def fill_own(self, numbers: Array, out: Array) -> None:
        gower(self.numbers, self.codes, self.ranges, self.numbers[numbers], self.codes[numbers], out)

    def among(self, numbers: Array) -> Dissimilarities:
        some = object.__new__(ByGower)
        some.count, some.ranges = len(numbers), self.ranges
        some.numbers, some.codes = self.numbers[numbers], np.ascontiguousarray(self.codes[numbers])
        return some


class ByFunction(Dissimilarities):
    """Distances by a function of two rows; between two of the rows it is called with the first of them first."""

    block = 4

    def __init__(self, X: Array, function: Function, parameters: Mapping[str, Any] | None = None):
        self.X, self.function, self.parameters = np.asarray(X, np.float64), function, dict(parameters or {})
        self.count = len(self.X)
        self.refuse_bad_function()

    def of_pair(self, a: Array, b: Array, i: int, j: int) -> float:
        return as_number(self.function(a, b, **self.parameters), i, j)

    def fill(self, Q: Any, out: Array) -> None:
        for i, q in enumerate(np.asarray(Q, np.float64)):
            for j, x in enumerate(self.X):
                out[i, j] = self.of_pair(q, x, i, j)

    def fill_own(self, numbers: Array, out: Array) -> None:
        for row, i in zip(out, numbers.tolist(), strict=True):
            for j in range(self.count):
                first, second = min(i, j), max(i, j)
                row[j] = self.of_pair(self.X[first], self.X[second], first, second) if i != j else 0.0
        if (bad := np.argwhere(out < 0)).size:
            i, j = int(numbers[bad[0, 0]]), int(bad[0, 1])
            raise ValueError(negative(i, j, float(out[tuple(bad[0])])))

    def among(self, numbers: Array) -> Dissimilarities:
        some = object.__new__(ByFunction)
        some.X, some.function, some.parameters, some.count = self.X[numbers], self.function, self.parameters, len(numbers)
        return some

    def refuse_bad_function(self) -> None:
        """(1), tried on a sample."""
        chosen = np.unique(np.linspace(0, self.count - 1, min(SAMPLE, self.count)).astype(np.int64)).tolist()
        d = np.array([[self.of_pair(self.X[i], self.X[j], i, j) for j in chosen] for i in chosen])
        refuse_bad_sample(d, chosen)


class Given(Dissimilarities):
    """Distances that were computed elsewhere."""

    block = 1024  # nothing is computed: few rows are not worth handing over

    def __init__(self, X: Any):
        self.D = read_only(np.asarray(X, np.float64))
        self.count = len(self.D)
        if self.D.ndim != 2 or self.D.shape[1] != self.count:
            raise ValueError(
                f"Precomputed matrix must be square. Input is a {self.D.shape[0]}x{self.D.shape[1]} matrix: with "
                'metric="precomputed" give the distances between the rows.'
            )
        self.refuse_bad_matrix()

    def fill(self, Q: Any, out: Array) -> None:
        """New rows bring their distances along."""
        refuse_bad_cells(Q)
        out[:] = Q

    def fill_own(self, numbers: Array, out: Array) -> None:
        out[:] = self.D[numbers]

    def among(self, numbers: Array) -> Dissimilarities:
        some = object.__new__(Given)
        some.D, some.count = read_only(self.D[np.ix_(numbers, numbers)]), len(numbers)
        return some

    def matrix(self) -> Array:
        return self.D

    def refuse_bad_matrix(self) -> None:
        """(1), for every pair."""
        size = 2 * TILE
        starts = range(0, self.count, size)
        with closing(ordered_map(lambda start: look(self.D, start, min(start + size, self.count)), starts)) as looks:
            found = list(looks)
        if not all(fine for fine, *_ in found):
            refuse_bad_cells(self.D)
        largest = max(one for _, one, *_ in found)
        skew, i, j = max(((skew, i, j) for _, _, skew, i, j in found), key=lambda pair: pair[0])
        diagonal = np.abs(np.diagonal(self.D))
        if diagonal.max(initial=0.0) > ROUNDING * largest:
            raise ValueError(not_itself(int(diagonal.argmax()), float(diagonal.max())))
        if skew > ROUNDING * largest:
            raise ValueError(asymmetric(i, j, float(self.D[i, j]), float(self.D[j, i])))


# ---- kernels ---------------------------------------------------------------------------------------------------------


def finish(sums: Array, name: str, p: float, columns: int) -> None:
    """From sums to distances (`Metric.distances`), in place."""
    if name == "cosine":
        sums *= 0.5
    elif name in ("euclidean", "seuclidean", "mahalanobis"):
        np.sqrt(sums, out=sums)
    elif name == "haversine":
        sums[...] = 2.0 * np.arcsin(np.minimum(0.5 * np.sqrt(sums), 1.0))
    elif name == "minkowski":
        np.power(sums, 1 / p, out=sums)
    elif name == "hamming":
        sums /= columns


@compiled(exact=True)
def all_sums(table: Array, Q: Array, code: int, p: float, begin: int, end: int, out: Array) -> None:
    """out[i, j] = the sum between query i and point begin + j; the terms are added over the columns in their order."""
    for start in range(begin, end, TILE):
        stop = min(start + TILE, end)
        for i in range(len(Q)):
            if code == SQUARES:
                squares(table, start, stop, Q[i], out[i, start - begin : stop - begin])
            else:
                others(table, start, stop, Q[i], code, p, out[i, start - begin : stop - begin])


@compiled(exact=True, inner=True)
def squares(table: Array, start: int, stop: int, q: Array, out: Array) -> None:
    """Σ (x − q)², four columns at a time: the sums stay in registers for longer, their order is the same."""
    d, size, t = len(table), stop - start, 0
    for j in range(size):
        out[j] = 0.0
    while t + 4 <= d:
        a, b = table[t, start:stop], table[t + 1, start:stop]
        c, e = table[t + 2, start:stop], table[t + 3, start:stop]
        qa, qb, qc, qe = q[t], q[t + 1], q[t + 2], q[t + 3]
        for j in range(size):
            u, v, w, z = a[j] - qa, b[j] - qb, c[j] - qc, e[j] - qe
            out[j] = (((out[j] + u * u) + v * v) + w * w) + z * z
        t += 4
    while t < d:
        a, qa = table[t, start:stop], q[t]
        for j in range(size):
            out[j] += (a[j] - qa) * (a[j] - qa)
        t += 1


@compiled(exact=True)
def others(table: Array, start: int, stop: int, q: Array, code: int, p: float, out: Array) -> None:
    """The sums of the other kinds."""
    size = stop - start
    for j in range(size):
        out[j] = 0.0
    for t in range(len(table)):
        a, u = table[t, start:stop], q[t]
        if code == ABSOLUTES:
            for j in range(size):
                out[j] += abs(a[j] - u)
        elif code == LARGEST:
            for j in range(size):
                out[j] = max(out[j], abs(a[j] - u))
        elif code == POWERS:
            for j in range(size):
                out[j] += abs(a[j] - u) ** p
        elif code == DIFFERENT:
            for j in range(size):
                out[j] += 1.0 if a[j] != u else 0.0


@compiled(exact=True)
def look(D: Array, start: int, stop: int) -> tuple[bool, float, float, int, int]:
    """Of the rows from start to stop: whether all entries are ≥ 0, the largest, the worst |D_ij − D_ji| and its pair."""
    side, n = 32, len(D)
    fine, largest, skew, at_i, at_j = True, 0.0, 0.0, 0, 0
    for top in range(start, stop, side):
        for left in range(0, n, side):
            for i in range(top, min(top + side, stop)):
                for j in range(left, min(left + side, n)):
                    value = D[i, j]
                    largest = max(largest, value)
                    fine &= value >= 0.0
                    if left <= top:
                        gap = abs(value - D[j, i])
                        if gap > skew:
                            skew, at_i, at_j = gap, i, j
    return fine, largest, skew, at_i, at_j
