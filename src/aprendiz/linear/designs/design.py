"""A table of columns as the lasso needs it: products with the target, with a residual, and of some columns with each other.

    c = Zᵀy,     q = Zᵀ(y − Zw),     Z_AᵀZ_B          Z and y centred if there is an intercept, rows times √ω

    SummedDesign   from Σ zzᵀ alone (summaries/moments.py), so also from files and Dask; right for many rows
    TableDesign    from the table in memory, centred as it is read; right for many columns
    ThinDesign     from a sparse table, whose cells are not centred, but products with them are

`designs` makes those of some rows, one for each target: from sums where the columns are few, else from the table.

Cost of q: d·|A| from sums, n·d from a table (cells that are not zero, if it is sparse).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from aprendiz.core.inputs import refuse_empty_sums
from aprendiz.core.rows import Array, Rows
from aprendiz.core.sources.arrays import in_memory
from aprendiz.core.sums import find_pivot
from aprendiz.core.threads import ordered_map
from aprendiz.linear.penalties.sparse_penalty import ElasticPenalty
from aprendiz.linear.solvers.column_descent import SWEEPS, column_model
from aprendiz.summaries.moments import Moments

RUN = 2**18  # cells that a thread multiplies at a time
NARROW = 512  # columns for which Σ zzᵀ is formed, if there are more rows than that
PATH = 8192  # columns for which it is formed too, for many penalties


class Design(ABC):
    """The columns, one target, and their products."""

    c: Array  # Zᵀy
    energy: float  # yᵀy
    columns: int
    most: float = np.inf  # columns whose products are formed

    @abstractmethod
    def slopes(self, members: Array, w: Array) -> tuple[Array, float]:
        """q and ‖y − Zw‖² for a w that is zero but for some members."""

    @abstractmethod
    def products(self, members: Array, others: Array, kind: Any = np.float64) -> Array:
        """Z_AᵀZ_B, with all digits or with half of them."""

    @abstractmethod
    def squares(self, members: Array) -> Array:
        """‖z_j‖²."""


class SummedDesign(Design):
    """From the matrix of sums."""

    def __init__(self, G: Array, target: Array, energy: float):
        self.G, self.c, self.energy, self.columns = G, target, energy, len(target)

    @classmethod
    def of(cls, moments: Moments, intercept: bool, target: int) -> SummedDesign:
        """Of one target of a record of moments."""
        d = moments.columns
        S = moments.scatter if intercept else moments.gram[1:, 1:]
        return cls(np.ascontiguousarray(S[:d, :d]), np.ascontiguousarray(S[:d, d + target]), float(S[d + target, d + target]))

    def slopes(self, members: Array, w: Array) -> tuple[Array, float]:
        if not len(members):
            return self.c.copy(), max(0.0, self.energy)
        if 4 * len(members) > self.columns:
            spread = np.zeros(self.columns)
            spread[members] = w
            q = self.c - self.G @ spread
        else:
            q = self.c - w @ self.G[members]  # rows of G, which is symmetric, lie together
        return q, max(0.0, self.energy - float((self.c[members] + q[members]) @ w))

    def products(self, members: Array, others: Array, kind: Any = np.float64) -> Array:
        return self.G[members[:, None], others].astype(kind, copy=False)

    def squares(self, members: Array) -> Array:
        return self.G.diagonal()[members]


class TableDesign(Design):
    """From the table itself."""

    def __init__(self, table: CentredTable, y: Array):
        self.table, self.y = table, table.target(y)
        self.columns, self.energy = table.X.shape[1], float(self.y @ self.y)
        self.c = table.slopes(self.y)
        self.room = np.empty((0, len(y)))  # columns that were asked for, one in each row, and room for more
        self.light = np.empty((0, len(y)), np.float32)
        self.count = 0
        self.place = np.full(self.columns, -1, np.intp)  # where they are kept

    def slopes(self, members: Array, w: Array) -> tuple[Array, float]:
        if not len(members):
            return self.c.copy(), self.energy
        self.keep(members)
        spread = np.zeros(self.count)
        spread[self.place[members]] = w
        residual = self.y - spread @ self.room[: self.count]
        return self.table.slopes(residual), float(residual @ residual)

    def products(self, members: Array, others: Array, kind: Any = np.float64) -> Array:
        self.keep(members)
        self.keep(others)
        room = self.room if kind is np.float64 else self.round_columns()
        return by_runs(self.take(room, members), self.take(room, others))

    def squares(self, members: Array) -> Array:
        self.keep(members)
        return np.array([z @ z for z in (self.room[place] for place in self.place[members])])

    def take(self, room: Array, members: Array) -> Array:
        """Columns that are kept, without a copy where they stand side by side."""
        where = self.place[members]
        if len(where) and (np.diff(where) == 1).all():
            return room[where[0] : where[0] + len(where)]
        return room[where]

    def round_columns(self) -> Array:
        """The columns that are kept, with half the digits."""
        if len(self.light) < self.count:
            self.light = np.concatenate([self.light, self.room[len(self.light) : self.count].astype(np.float32)])
        return self.light

    def keep(self, members: Array) -> None:
        """Columns are gathered once, however often they are used."""
        new = members[self.place[members] < 0]
        if not len(new):
            return
        if self.count + len(new) > len(self.room):
            room = np.empty((min(self.columns, 4 * (self.count + len(new))), self.room.shape[1]))
            room[: self.count] = self.room[: self.count]
            self.room = room
        self.place[new] = self.count + np.arange(len(new))
        self.table.write(new, self.room[self.count : self.count + len(new)])
        self.count += len(new)

    @staticmethod
    def of(table: CentredTable, y: Array) -> TableDesign:
        """Of a table as it is stored."""
        return ThinDesign(table, y) if sparse.issparse(table.X) else TableDesign(table, y)


class ThinDesign(TableDesign):
    """From a sparse table. Products of a few columns are formed; many columns are worked on cell by cell."""

    most = 128

    def slopes(self, members: Array, w: Array) -> tuple[Array, float]:
        table, spread = self.table, np.zeros(self.columns)
        spread[members] = w
        fitted = table.X @ spread - table.mean @ spread
        residual = self.y - (fitted if table.root is None else fitted * table.root)
        return table.slopes(residual), float(residual @ residual)

    def minimise(self, members: Array, w: Array, slopes: Array, penalty: ElasticPenalty, enough: float) -> tuple[Array, int]:
        """The minimiser on some columns, from w with its slopes on, and the sweeps (column_descent.py)."""
        table = self.table
        D = np.ones(len(self.y)) if table.weight is None else table.weight
        g = -(slopes[members] + penalty.l2 * w)  # of the loss alone
        free = 0.0 if table.intercept else None
        new, _beta, _moved = column_model(table.X[:, members], D, g, w, free, penalty, enough)
        return new, SWEEPS


def by_runs(A: Array, B: Array) -> Array:
    """A Bᵀ, runs of B at a time by several threads; the runs are the same for any number of them."""
    width = 256
    if len(B) <= width:
        return np.asarray(A @ B.T)
    runs = (B[start : start + width] for start in range(0, len(B), width))
    return np.concatenate(list(ordered_map(lambda part: A @ part.T, runs)), axis=1)


class CentredTable:
    """Z: the columns less their means (if there is an intercept), rows times √ω. Only the columns asked for are made."""

    def __init__(self, X: Any, weight: Array | None, intercept: bool):
        self.X = X.tocsc() if sparse.issparse(X) else X
        self.weight, self.root = weight, None if weight is None else np.sqrt(weight)
        self.total = float(X.shape[0] if weight is None else weight.sum())
        self.intercept, self.mean = intercept, np.zeros(X.shape[1])
        if intercept:
            self.mean = self.sums(np.ones(X.shape[0]) if weight is None else weight) / self.total

    def middle(self, y: Array) -> float:
        """The mean of a target."""
        return (float(y.sum() if self.weight is None else y @ self.weight) / self.total) if self.intercept else 0.0

    def target(self, y: Array) -> Array:
        """A target, centred and weighted."""
        centred = y - self.middle(y)
        return centred if self.root is None else centred * self.root

    def slopes(self, residual: Array) -> Array:
        """Zᵀr, also of several residuals, one in each row; the means are taken away afterwards."""
        r = residual if self.root is None else residual * self.root
        return self.sums(r) - np.multiply.outer(r.sum(axis=-1), self.mean)

    def sums(self, r: Array) -> Array:
        """Xᵀr, runs of columns at a time by several threads."""
        if sparse.issparse(self.X):
            return np.asarray(self.X.T @ r.T).T
        n, d = self.X.shape
        width = max(1, RUN // n)
        if d <= width:
            return np.asarray(r @ self.X)
        runs = (self.X[:, start : start + width] for start in range(0, d, width))
        return np.concatenate(list(ordered_map(lambda part: r @ part, runs)), axis=-1)

    def write(self, members: Array, lines: Array) -> None:
        """Some columns of Z, each as a line; where they lie together in memory, one by one."""
        if sparse.issparse(self.X) or not self.X.flags.f_contiguous:
            lines[:] = self.some(members).T
            return
        for line, j in zip(lines, members.tolist(), strict=True):
            np.subtract(self.X[:, j], self.mean[j], out=line)
        if self.root is not None:
            lines *= self.root

    def some(self, members: Array) -> Array:
        """Some columns of Z."""
        part = self.X[:, members]
        part = (part.toarray() if sparse.issparse(part) else part) - self.mean[members]
        return part if self.root is None else part * self.root[:, None]


# ---- the designs of some rows ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Designs:
    """The designs of some rows, one for each target, made when they are asked for; with the weight of all rows, and the means
    of the columns and of the targets."""

    total: float
    mean: Array
    middles: Array
    of_target: Callable[[int], Design]

    def __iter__(self) -> Iterator[Design]:
        return map(self.of_target, range(len(self.middles)))


def from_sums(rows: Rows, many: bool = False) -> bool:
    """Are the sums of all products formed? Always, where the rows are not in memory; for many penalties, if there are more
    rows than columns."""
    if not in_memory(rows):
        return True
    most = NARROW if not many or not rows.dense else PATH
    return rows.columns <= most and rows.count > rows.columns  # type: ignore[operator]


def designs(rows: Rows, intercept: bool, *, many: bool = False) -> Designs:
    """The designs of some rows, for one penalty or for many."""
    if from_sums(rows, many):
        return summed_designs(rows, intercept)
    assert in_memory(rows)
    table = CentredTable(rows.X.astype(np.float64, copy=False), rows.weight, intercept)
    assert rows.y is not None
    Y = rows.y.astype(np.float64, copy=False)
    targets = [Y] if Y.ndim == 1 else list(Y.T)
    middles = np.array([table.middle(y) for y in targets])
    return Designs(table.total, table.mean, middles, lambda target: TableDesign.of(table, targets[target]))


def summed_designs(rows: Rows, intercept: bool) -> Designs:
    """The same, from one sum over the rows."""
    moments = rows.sum(Moments.joint, find_pivot(rows, target=True) * float(intercept))
    refuse_empty_sums(moments.weight, moments.finite, rows)
    d = moments.columns
    mean = moments.mean if intercept else np.zeros(len(moments.pivot))
    return Designs(float(moments.weight), mean[:d], mean[d:], lambda target: SummedDesign.of(moments, intercept, target))
