"""Least squares, ridge regression and linear discriminants, one column more or less at a time (equations in sweep.py).

Regression: with u the swept row of Zᵀ(y − ȳ), which is the coefficients w inside S, and t the swept rows of the test rows,

    ŷ(S) = ȳ + t_S w,      ŷ(S ± j) = ŷ(S) ± t_j u_j/r_j       a penalty α stands on the diagonal of G         (1)

Discriminants: G is the scatter within classes, Σ = G/ν with ν the weight of the rows, u_k the swept rows of
δ_k = μ_k − m, t those of x − m:

    f_k(S) = log π_k + ν(t_S u_kS − ½ δ_kS u_kS),      f_k(S ± j) = f_k(S) ± ν(t_j u_kj − ½ u_kj²)/r_j            (2)
"""

from __future__ import annotations

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.selection.updating.fold_model import FoldModel
from aprendiz.selection.updating.sums_of_groups import SumsOfGroups
from aprendiz.selection.updating.sweep import Sweep

MOST_COLUMNS = 512  # of ridge regression, where there are more of them than rows: fits take the rows instead of the columns


class SweptModel(FoldModel):
    """A model whose answers follow from swept rows: first those of the test rows, then those of u."""

    def __init__(self, sweep: Sweep, tested: int):
        self.sweep, self.tested = sweep, tested

    def place(self, chosen: Array) -> None:
        self.sweep.place(chosen)

    def flip(self, column: int) -> None:
        self.sweep.flip(column)

    def answered(self, columns: Array) -> Array:
        return self.sweep.answered(columns)

    def parts(self, columns: Array) -> tuple[Array, Array, Array]:
        """t and u of some columns, and their signed pivots."""
        rows, sign = self.sweep.rows[:, columns], np.where(self.sweep.chosen[columns], -1.0, 1.0)
        return rows[: self.tested], rows[self.tested :], sign * self.sweep.pivots[columns]

    def inside(self) -> tuple[Array, Array]:
        """The test rows in the chosen columns, and the coefficients of these, one row for each u."""
        members = np.flatnonzero(self.sweep.chosen)
        return self.sweep.given[: self.tested, members], self.sweep.rows[self.tested :, members]


class RegressionModel(SweptModel):
    """(1)."""

    def __init__(self, sums: SumsOfGroups, fold: int, X: Array, alpha: float, scaled: bool):
        d = sums.columns - 1  # the last column is y
        variance = sums.diagonal[fold, :d] / sums.total[fold].sum()
        unit = np.where(sums.varies[fold, :d], np.sqrt(np.maximum(variance, 1e-300)), 1.0) if scaled else np.ones(d)
        cross = sums.rows(fold, np.array([d]))[0, :d]

        def gram(columns: Array) -> Array:
            G = sums.rows(fold, columns)[:, :d] / unit / unit[columns, None]
            G[np.arange(len(columns)), columns] += alpha
            return G

        from_means = (X - sums.inside[0, :d]) - sums.offset[fold, 0, :d]  # in two steps: far from zero no digits are lost
        rows = np.vstack([from_means, cross]) / unit
        trained = len(sums.splits[fold][0])
        most = max(trained, MOST_COLUMNS) if alpha > 0 else trained - sums.centre
        sweep = Sweep(gram, sums.diagonal[fold, :d] / unit**2 + alpha, sums.least[:d] / unit**2, rows, most)
        super().__init__(sweep, len(X))
        self.mean = float(sums.inside[0, d] + sums.offset[fold, 0, d])

    def flipped(self, columns: Array) -> Array:
        t, u, pivots = self.parts(columns)
        return np.asarray(self.here()[:, None] + t * (u[0] / pivots))

    def here(self) -> Array:
        """ŷ(S)."""
        t, w = self.inside()
        return self.mean + t @ w[0]

    def answer(self) -> Array | None:
        return self.here() if self.sweep.safe else None

    def importances(self) -> Array | None:
        return self.inside()[1][0] ** 2 if self.sweep.safe else None


class DiscriminantModel(SweptModel):
    """(2)."""

    def __init__(self, sums: SumsOfGroups, fold: int, X: Array, priors: Array, weight: float, solver: str):
        total = sums.total[fold]
        middle = total @ (sums.inside + sums.offset[fold]) / total.sum()  # of the training rows; any point near is as good
        self.delta = (sums.inside - middle) + sums.offset[fold]
        most = len(sums.splits[fold][0]) - len(self.delta)
        rows = np.vstack([X - middle, self.delta])
        sweep = Sweep(lambda columns: sums.rows(fold, columns), sums.diagonal[fold], sums.least, rows, most)
        super().__init__(sweep, len(X))
        with np.errstate(divide="ignore"):
            self.log_priors = np.log(priors)
        self.weight, self.solver = weight, solver

    def flipped(self, columns: Array) -> Array:
        t, u, pivots = self.parts(columns)
        slope, lift = self.weight * (u / pivots), 0.5 * self.weight * (u**2 / pivots)
        return np.asarray(self.here()[:, None, :] + (t[:, :, None] * slope.T - lift.T))

    def here(self) -> Array:
        """f(S)."""
        t, u = self.inside()
        delta = self.delta[:, self.sweep.chosen]
        return np.asarray(self.log_priors + self.weight * (t @ u.T - 0.5 * np.einsum("kj,kj->k", delta, u)))

    def answer(self) -> Array | None:
        return self.here() if self.sweep.safe else None

    def importances(self) -> Array | None:
        if not self.sweep.safe or (self.solver != "svd" and len(self.delta) > 2):  # these coefficients are around zero
            return None
        u = self.weight * self.inside()[1]
        around = u[1:] - u[:1] if len(u) == 2 else u - np.exp(self.log_priors) @ u
        return np.asarray((around**2).sum(axis=0))
