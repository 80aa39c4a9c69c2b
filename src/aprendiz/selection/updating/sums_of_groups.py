"""Sums of the training rows of every fold, a few columns at a time: what a learner of second moments needs to know of them.

Rows belong to groups: the classes, for a scatter within them, or all to one. With c_g a point inside group g, z = √ω (x − c_g),

    G = Σ z zᵀ − Σ_g s_g s_gᵀ/n_g,     s_g = Σ_{i in g} ω (x − c_g),     n_g = Σ_{i in g} ω                     (1)

is the scatter of the training rows around their own means. Where the folds divide the rows, Σ z zᵀ is that of the other folds,
added from the left and from the right; of each fold it is one product. Only the rows of G that are asked for are computed, so
that a wide table needs n·d numbers and not d²; all of them are kept where there are few columns.

Cost: n·m·d multiplications for m columns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.summaries.folds import is_partition, sums_of_others

MOST_CELLS = 2**23  # of the matrices of all folds, where they are kept: 64 MiB
LEAST = 1e-280  # sums of squares below have lost digits
EPS = float(np.finfo(float).eps)


class SumsOfGroups:
    """(1) of each fold; without `centre`, Σ ω x xᵀ."""

    def __init__(
        self,
        X: Array,
        groups: Array,
        count: int,
        weight: Array | None,
        splits: Sequence[tuple[Array, Array]],
        *,
        centre: bool = True,
    ):
        n, d = X.shape
        self.splits, self.centre, self.columns = splits, centre, d
        self.divided = len(splits) > 1 and is_partition(splits, n)
        self.member = np.zeros((count, n))
        self.member[groups, np.arange(n)] = 1.0 if weight is None else weight
        total = self.member.sum(axis=1, keepdims=True)
        self.inside = (self.member @ X) / np.where(total > 0, total, 1.0) if centre else np.zeros((count, d))  # c
        self.Z = X - self.inside[groups]
        self.total = np.stack([self.member[:, train].sum(axis=1) for train, _ in splits])  # n_g of each fold
        self.first = self.of_training(lambda rows: self.member[:, rows] @ self.Z[rows])  # s_g of each fold
        self.offset = self.correction(self.first / np.where(self.total > 0, self.total, 1.0)[:, :, None])  # of the means
        if weight is not None:
            self.Z *= np.sqrt(weight)[:, None]
        self.kept = self.products(np.arange(d)) if len(splits) * d * d <= MOST_CELLS else None
        self.asked, self.found = np.empty(0, np.intp), np.empty(0)
        squares = self.of_training(lambda rows: np.einsum("ij,ij->j", self.Z[rows], self.Z[rows]))
        self.diagonal = squares - np.einsum("fgj,fgj->fj", self.first, self.offset)
        everywhere = np.einsum("ij,ij->j", self.Z, self.Z)
        lost = 64.0 * self.member.sum() * (EPS * np.abs(self.inside).max(axis=0)) ** 2
        self.least = np.maximum(np.maximum(1e-10 * everywhere, lost), LEAST)  # a variance below it has lost its digits
        self.varies = self.diagonal > self.least  # folds × columns

    def of_training(self, of: Callable[[Array], Array]) -> Array:
        """A sum over the training rows of each fold."""
        if self.divided:
            return np.stack(sums_of_others([of(test) for _, test in self.splits]))
        return np.stack([of(train) for train, _ in self.splits])

    def correction(self, found: Array) -> Array:
        """What means take away, if they do."""
        return found if self.centre else np.zeros_like(found)

    def products(self, columns: Array) -> Array:
        """Some rows of G of each fold, folds × columns × all columns."""
        found = self.of_training(lambda rows: self.Z[rows][:, columns].T @ self.Z[rows])
        return np.asarray(found - np.einsum("fgi,fgj->fij", self.first[:, :, columns], self.offset))

    def rows(self, fold: int, columns: Array) -> Array:
        """Some rows of G of one fold. Folds that ask for the same columns one after the other share the work."""
        if self.kept is not None:
            return np.asarray(self.kept[fold, columns])
        if len(self.splits) * len(columns) * self.columns > MOST_CELLS:
            Z = self.Z[self.splits[fold][0]]
            return np.asarray(Z[:, columns].T @ Z - self.first[fold][:, columns].T @ self.offset[fold])
        if not np.array_equal(self.asked, columns):
            self.asked, self.found = columns, self.products(columns)
        return np.asarray(self.found[fold])
