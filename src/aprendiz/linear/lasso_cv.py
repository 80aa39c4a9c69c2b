"""The penalty of the lasso and of the elastic net chosen by cross-validation, along paths.

For each split the path of penalties is followed on the training rows, and the squared error of each point on the test rows is
kept. The penalty with the smallest mean error is taken; or, with `rule="one_se"`, the largest one whose mean error is within
a standard error of it,

    α_1SE = max{α: e(α) ≤ e(α*) + s(α*)/√k},     s the standard deviation over the k folds                    (1)

a simpler model that cannot be told from the best one. With many rows and few columns neither paths nor errors need the
rows: both follow from the sums of the folds (fold_sums.py), also from files and Dask.

Cost: one pass and k paths from sums; else k paths over the table.
Reference: Hastie, Tibshirani & Friedman, "The elements of statistical learning", section 7.10.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from typing import Any, Literal

import numpy as np
from sklearn.exceptions import DataConversionWarning
from sklearn.model_selection import check_cv

from aprendiz.core.certificate import Certificate
from aprendiz.core.engines.threads import ordered_map
from aprendiz.core.learner import Passes
from aprendiz.core.parameters import ArrayLike, Count, Fraction, NonNegative, Positive, Seed
from aprendiz.core.rows import Array, ArrayRows, Rows
from aprendiz.core.sums import Moments, find_pivot
from aprendiz.linear.designs import CentredTable, Design, SummedDesign, TableDesign
from aprendiz.linear.elastic_net import NO_EFFECT, Sparse, designs, from_sums
from aprendiz.linear.fold_sums import chosen, refuse_folds, split_sums, squared_errors
from aprendiz.linear.linear_regressor import LinearRegressor
from aprendiz.linear.paths import FINEST, along, largest_penalty, penalties
from aprendiz.linear.penalties import ElasticPenalty
from aprendiz.linear.working_set import Optimum, WorkingSet, solve

SHARP, SHARPEST = 1e-2, 1e-6  # of tol, from the table and from sums: neighbouring penalties differ by less than tol would blur
Rule = Literal["best", "one_se"]
DIFFERENCES = {
    **NO_EFFECT,
    "n_jobs": "no effect: threads follow APRENDIZ_NUM_THREADS",
    "verbose": "no effect: use aprendiz.training(progress=True)",
    "dual_gap_": "another form: a part of ‖y‖²",
}


class SparseCV(LinearRegressor, Passes):
    """What LassoCV and ElasticNetCV share."""

    eps: float
    alphas: Any
    cv: Any
    positive: bool
    tol: float
    max_iter: int
    rule: Rule

    allows = frozenset({"sparse"})
    exceptions = {
        "scaling": "the penalty is not invariant to the scale of the columns",
        "weights": "folds are runs of rows: a row that stands twice moves the others to other folds",
        "row order": "folds are runs of rows, as in scikit-learn",
    }
    path = staticmethod(Sparse.path)

    @property
    def shares(self) -> list[float]:
        """The values of ρ that are tried."""
        raise NotImplementedError

    @property
    def folds(self) -> Any:
        """`cv`, 5 folds by default."""
        return 5 if self.cv is None else self.cv

    def learned(self, rows: Rows) -> dict[str, Any]:
        """Errors of all penalties in all folds, the best of them, and a fit to all rows with it."""
        refuse_targets(rows)
        design, total, mean, middle = next(designs(rows, self.fit_intercept, many=True))
        grids = [
            penalties(largest_penalty(design, total, share, self.positive), self.eps, self.alphas) for share in self.shares
        ]
        errors = self.errors(rows, grids)
        place, number = self.best(errors)
        grid, share = grids[place], self.shares[place]
        optimum = self.sharpened(design, total, grid[: number + 1], share)
        inside = len(grid) == 1 or 0 < number < len(grid) - 1
        claim = "the best penalty lies inside the grid, not at one of its ends"
        one = len(self.shares) == 1
        return {
            **self.flat_line(optimum.w[:, None], np.array([middle - mean @ optimum.w]), ()),
            "alpha_": float(grid[number]),
            "alphas_": grids[0] if one else np.array(grids),
            "mse_path_": errors[0] if one else errors,
            "n_iter_": max(1, optimum.sweeps),
            "dual_gap_": optimum.gap,
            "certificate_": Certificate(claim, inside, {"gap": optimum.gap, "alpha": float(grid[number])}),
            **self.more(share),
        }

    def more(self, share: float) -> dict[str, Any]:
        """Attributes of one of the two."""
        return {}

    def sharpened(self, design: Design, total: float, grid: Array, share: float) -> Optimum:
        """The answer at the end of a path, with all its digits."""
        last = self.followed(design, total, grid, share)[-1]
        working = WorkingSet(design)
        working.admit(np.flatnonzero(last.w))
        working.w = last.w[working.members]
        strength = total * float(grid[-1])
        penalty = ElasticPenalty(strength * share, strength * (1.0 - share), self.positive)
        return solve(working, penalty, min(FINEST, self.tol), self.max_iter)

    def followed(self, design: Design, total: float, grid: Array, share: float) -> Any:
        sharp = SHARPEST if isinstance(design, SummedDesign) else SHARP
        return along(design, total, grid, share, positive=self.positive, tol=sharp * self.tol, rounds=self.max_iter)

    # ---- folds ---------------------------------------------------------------------------------------------------------

    def errors(self, rows: Rows, grids: Sequence[Array]) -> Array:
        """Mean squared errors of shape (shares, penalties, folds)."""
        folds = self.folds_from_sums(rows, grids) if from_sums(rows, True) else self.folds_from_rows(rows, grids)
        return np.stack(list(folds), axis=-1)

    def folds_from_sums(self, rows: Rows, grids: Sequence[Array]) -> Iterator[Array]:
        """The errors in each fold, from sums."""
        pivot = find_pivot(rows, target=True) * float(self.fit_intercept)
        splits = split_sums(rows, pivot, self.folds, with_rows=False)
        return ordered_map(lambda split: self.fold_from_sums(split[0], split[1], grids), splits)

    def fold_from_sums(self, train: Moments, test: Moments, grids: Sequence[Array]) -> Array:
        d, found = train.columns, []
        design, total = SummedDesign.of(train, self.fit_intercept, 0), float(train.weight)
        mean = train.mean if self.fit_intercept else np.zeros(len(train.pivot))
        for share, grid in zip(self.shares, grids, strict=True):
            W = np.column_stack([one.w for one in self.followed(design, total, grid, share)])[:, None, :]
            b = mean[d:, None] - np.tensordot(mean[:d], W, 1)
            found.append(squared_errors(test, W, b)[0] / float(test.weight))
        return np.array(found)

    def folds_from_rows(self, rows: Rows, grids: Sequence[Array]) -> Iterator[Array]:
        """The errors in each fold, from the table."""
        assert isinstance(rows, ArrayRows)
        assert rows.y is not None
        count = len(rows.y)
        if isinstance(self.folds, (int, np.integer)):
            refuse_folds(self.folds, count)
        splits = check_cv(self.folds, rows.y).split(np.empty((count, 1)), rows.y)
        return ordered_map(lambda split: self.fold_from_rows(rows, split[0], split[1], grids), splits)

    def fold_from_rows(self, rows: ArrayRows, train: Array, test: Array, grids: Sequence[Array]) -> Array:
        known, new, found = chosen(rows.X, rows, train), chosen(rows.X, rows, test), []
        table = CentredTable(known["X"].astype(np.float64, copy=False), known["weight"], self.fit_intercept)
        y = known["y"].astype(np.float64)
        design, middle = TableDesign.of(table, y), table.middle(y)
        weight = np.ones(len(test)) if new["weight"] is None else new["weight"]
        for share, grid in zip(self.shares, grids, strict=True):
            W = np.column_stack([one.w for one in self.followed(design, table.total, grid, share)])
            said = new["X"] @ W + (middle - table.mean @ W)
            found.append(np.average((new["y"][:, None] - said) ** 2, axis=0, weights=weight))
        return np.array(found)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = False
        return tags

    def best(self, errors: Array) -> tuple[int, int]:
        """Which ρ and which α: those of the smallest mean error, or (1)."""
        mean = errors.mean(axis=-1)
        place, number = (int(index) for index in np.unravel_index(mean.argmin(), mean.shape))
        if self.rule == "one_se":
            spread = errors[place, number].std(ddof=1) / np.sqrt(errors.shape[-1]) if errors.shape[-1] > 1 else 0.0
            number = int(np.flatnonzero(mean[place] <= mean[place, number] + spread)[0])
        return place, number


def refuse_targets(rows: Rows) -> None:
    width = rows.target_shape()
    if width == (1,):
        warnings.warn(
            "A column-vector y was passed when a 1d array was expected: give y.ravel().", DataConversionWarning, stacklevel=6
        )
    elif width:
        raise ValueError(f"y has {width[0]} targets, one is expected: choose the penalty of each target by itself.")


class LassoCV(SparseCV):
    """Lasso with its penalty chosen by cross-validation (drop-in for scikit-learn's; from sums where rows are many).

    Parameters
    ----------
    eps : float, default=1e-3
        The smallest penalty as a part of the largest.
    alphas : int or array of floats, default=100
        How many penalties are tried, or which.
    fit_intercept : bool, default=True
    max_iter, tol
        As of Lasso.
    cv : int, splitter or None, default=None
        Folds; None is 5.
    positive : bool, default=False
    rule : "best" or "one_se", default="best"
        The penalty with the smallest error, or the largest one within a standard error of it.
    precompute, copy_X, verbose, n_jobs, random_state, selection
        No effect.

    Attributes
    ----------
    alpha_ : float
        The penalty that was chosen.
    alphas_ : ndarray of shape (n_alphas,)
    mse_path_ : ndarray of shape (n_alphas, n_folds)
        The mean squared error in each fold.
    coef_, intercept_, n_iter_, dual_gap_, certificate_
        As of Lasso, for all rows.
    """

    differences = DIFFERENCES

    def __init__(
        self,
        *,
        eps: Positive = 1e-3,
        alphas: Count | ArrayLike = 100,
        fit_intercept: bool = True,
        precompute: bool | Literal["auto"] | ArrayLike = "auto",
        max_iter: Count = 1000,
        tol: NonNegative = 1e-4,
        copy_X: bool = True,
        cv: Any = None,
        verbose: bool | int = False,
        n_jobs: int | None = None,
        positive: bool = False,
        random_state: Seed = None,
        selection: Literal["cyclic", "random"] = "cyclic",
        rule: Rule = "best",
    ):
        self.eps = eps
        self.alphas = alphas
        self.fit_intercept = fit_intercept
        self.precompute = precompute
        self.max_iter = max_iter
        self.tol = tol
        self.copy_X = copy_X
        self.cv = cv
        self.verbose = verbose
        self.n_jobs = n_jobs
        self.positive = positive
        self.random_state = random_state
        self.selection = selection
        self.rule = rule

    @property
    def shares(self) -> list[float]:
        return [1.0]


class ElasticNetCV(SparseCV):
    """Elastic net with its penalty chosen by cross-validation (drop-in for scikit-learn's; from sums where rows are many).

    Parameters
    ----------
    l1_ratio : float or list of floats, default=0.5
        ρ, or several to choose from.
    eps, alphas, fit_intercept, max_iter, tol, cv, positive, rule
        As of LassoCV.
    precompute, copy_X, verbose, n_jobs, random_state, selection
        No effect.

    Attributes
    ----------
    alpha_, l1_ratio_ : float
        What was chosen.
    alphas_ : ndarray of shape (n_alphas,) or (n_l1_ratios, n_alphas)
    mse_path_ : ndarray of shape (n_alphas, n_folds) or (n_l1_ratios, n_alphas, n_folds)
        The mean squared error in each fold.
    coef_, intercept_, n_iter_, dual_gap_, certificate_
        As of ElasticNet, for all rows.
    """

    differences = DIFFERENCES

    def __init__(
        self,
        *,
        l1_ratio: Fraction | ArrayLike = 0.5,
        eps: Positive = 1e-3,
        alphas: Count | ArrayLike = 100,
        fit_intercept: bool = True,
        precompute: bool | Literal["auto"] | ArrayLike = "auto",
        max_iter: Count = 1000,
        tol: NonNegative = 1e-4,
        cv: Any = None,
        copy_X: bool = True,
        verbose: bool | int = 0,
        n_jobs: int | None = None,
        positive: bool = False,
        random_state: Seed = None,
        selection: Literal["cyclic", "random"] = "cyclic",
        rule: Rule = "best",
    ):
        self.l1_ratio = l1_ratio
        self.eps = eps
        self.alphas = alphas
        self.fit_intercept = fit_intercept
        self.precompute = precompute
        self.max_iter = max_iter
        self.tol = tol
        self.cv = cv
        self.copy_X = copy_X
        self.verbose = verbose
        self.n_jobs = n_jobs
        self.positive = positive
        self.random_state = random_state
        self.selection = selection
        self.rule = rule

    @property
    def shares(self) -> list[float]:
        return [float(share) for share in np.atleast_1d(np.asarray(self.l1_ratio, dtype=float)).ravel()]

    def more(self, share: float) -> dict[str, Any]:
        return {"l1_ratio_": share}
