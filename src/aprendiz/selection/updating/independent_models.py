"""Naive Bayes, one column more or less at a time: the columns are independent within the classes, so their logarithms add.

    log P(k, x_S) = log π_k + Σ_{j in S} log p_j(x_j | k)                                                       (1)

The variance ε that Gaussian naive Bayes adds is a part of the largest variance of a chosen column: it follows the set.

Cost: rows·classes of each column that is flipped; where ε moves, of all the chosen ones.
"""

from __future__ import annotations

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.selection.updating.fold_model import FoldModel

CELLS = 2**20  # of the terms of some columns, at once: 8 MiB


class IndependentModel(FoldModel):
    """(1) where the term of a column is the same in any set: `terms` of the test rows, rows × columns × classes."""

    chosen: Array
    joint: Array
    left_out: Array | None

    def __init__(self, terms: Array, log_priors: Array):
        self.terms, self.log_priors = terms, log_priors

    def place(self, chosen: Array) -> None:
        self.chosen, self.left_out = chosen.copy(), None
        self.joint = self.log_priors + self.terms[:, chosen].sum(axis=1)

    def flip(self, column: int) -> None:
        self.joint = self.flipped(np.array([column]))[:, 0]
        self.chosen, self.left_out = self.chosen.copy(), None
        self.chosen[column] = not self.chosen[column]

    def answered(self, columns: Array) -> Array:
        return np.ones(len(columns), dtype=bool)

    def flipped(self, columns: Array) -> Array:
        found, inside = self.joint[:, None, :] + self.terms[:, columns], self.chosen[columns]
        if inside.any():
            if self.left_out is None:
                self.left_out = sums_without_each(self.terms[:, self.chosen])
            places = np.searchsorted(np.flatnonzero(self.chosen), columns[inside])
            found[:, inside] = self.log_priors + self.left_out[:, places]
        return np.asarray(found)

    def answer(self) -> Array | None:
        return self.joint


def sums_without_each(terms: Array) -> Array:
    """The sums along the second axis without each of its entries, added from both sides: rows that differ in that entry only
    get the same bits, which a subtraction would not give."""
    none = np.zeros((len(terms), 1, terms.shape[2]))
    before = np.concatenate([none, np.cumsum(terms, axis=1)[:, :-1]], axis=1)
    after = np.concatenate([np.cumsum(terms[:, ::-1], axis=1)[:, ::-1][:, 1:], none], axis=1)
    return np.asarray(before + after)


class GaussianModel(FoldModel):
    """(1) of normal columns: means and variances of the classes, variances of all rows, and the part that ε is of these."""

    chosen: Array
    joint: Array
    epsilon: float
    left_out: Array | None

    def __init__(self, X: Array, means: Array, variances: Array, of_all: Array, log_priors: Array, part: float):
        self.X, self.means, self.variances, self.of_all = X, means, variances, of_all
        self.log_priors, self.part = log_priors, part

    def place(self, chosen: Array) -> None:
        self.chosen, self.left_out = chosen.copy(), None
        self.epsilon = self.epsilon_of(chosen)
        self.joint = self.joint_of(chosen, self.epsilon)

    def flip(self, column: int) -> None:
        now = self.chosen.copy()
        now[column] = not now[column]
        if self.epsilon_of(now) != self.epsilon:
            self.place(now)
            return
        self.joint, self.chosen, self.left_out = self.flipped(np.array([column]))[:, 0], now, None

    def answered(self, columns: Array) -> Array:
        return np.ones(len(columns), dtype=bool)

    def flipped(self, columns: Array) -> Array:
        found = np.empty((len(self.X), len(columns), len(self.means)))
        same, inside = self.epsilon_of_flipped(columns) == self.epsilon, self.chosen[columns]
        step = max(1, CELLS // (len(self.X) * len(self.means)))
        outside = np.flatnonzero(same & ~inside)
        for some in np.split(outside, range(step, len(outside), step)):
            found[:, some] = self.joint[:, None, :] + self.terms(columns[some], self.epsilon)
        if (same & inside).any():
            if self.left_out is None:
                self.left_out = sums_without_each(self.terms(np.flatnonzero(self.chosen), self.epsilon))
            places = np.searchsorted(np.flatnonzero(self.chosen), columns[same & inside])
            found[:, same & inside] = self.log_priors + self.left_out[:, places]
        for place in np.flatnonzero(~same):
            now = self.chosen.copy()
            now[columns[place]] = not now[columns[place]]
            found[:, place] = self.joint_of(now, self.epsilon_of(now))
        return found

    def answer(self) -> Array | None:
        return self.joint

    def epsilon_of(self, chosen: Array) -> float:
        """ε of a set."""
        return self.part * float(self.of_all[chosen].max(initial=0.0))

    def epsilon_of_flipped(self, columns: Array) -> Array:
        """ε with each of the columns flipped."""
        members = self.of_all[self.chosen]
        two = np.sort(members)[::-1][:2] if len(members) > 1 else np.append(members, [0.0, 0.0])[:2]
        own, inside = self.of_all[columns], self.chosen[columns]
        return self.part * np.where(inside, np.where(own == two[0], two[1], two[0]), np.maximum(own, two[0]))

    def joint_of(self, chosen: Array, epsilon: float) -> Array:
        """(1)."""
        members = np.flatnonzero(chosen)
        found = np.tile(self.log_priors, (len(self.X), 1))
        step = max(1, CELLS // (len(self.X) * len(self.means)))
        for start in range(0, len(members), step):
            found += self.terms(members[start : start + step], epsilon).sum(axis=1)
        return found

    def terms(self, columns: Array, epsilon: float) -> Array:
        """log p_j(x_j | k) of some columns; 0 of a missing cell."""
        variance = self.variances[:, columns].T + epsilon
        variance = np.where(variance > 0, variance, 1.0)
        Z = self.X[:, columns, None] - self.means[:, columns].T
        found = -0.5 * (np.log(2.0 * np.pi * variance) + Z**2 / variance)
        return np.where(np.isnan(Z), 0.0, found)
