"""What the cross-validated lasso and elastic net share: a path for each fold and share of ℓ₁; equations in lasso_cv.py."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from typing import Any, Literal

import numpy as np
from sklearn.exceptions import DataConversionWarning
from sklearn.model_selection import check_cv

from aprendiz.core.certificate import Certificate
from aprendiz.core.learner import Passes
from aprendiz.core.moments import Moments
from aprendiz.core.rows import Array, Rows
from aprendiz.core.sources.arrays import ArrayRows, in_memory
from aprendiz.core.sums import find_pivot
from aprendiz.core.threads import ordered_map
from aprendiz.linear.designs.design import CentredTable, Design, SummedDesign, TableDesign
from aprendiz.linear.designs.designs_of_rows import designs, from_sums
from aprendiz.linear.designs.fold_sums import chosen, refuse_folds, split_sums, squared_errors
from aprendiz.linear.paths.elastic_net_path import FINEST, along, largest_penalty, penalties
from aprendiz.linear.penalties.sparse_penalty import ElasticPenalty
from aprendiz.linear.shared.linear_regressor import LinearRegressor
from aprendiz.linear.shared.sparse_regressor import NO_EFFECT, Sparse
from aprendiz.linear.solvers.working_set import Optimum, WorkingSet, solve

SHARP, SHARPEST = 1e-2, 1e-6  # of tol, from the table and from sums: neighbouring penalties differ by less than tol would blur
Rule = Literal["best", "one_se"]
DIFFERENCES = {
    **NO_EFFECT,
    "n_jobs": "no effect: threads follow APRENDIZ_NUM_THREADS",
    "verbose": "no effect: use aprendiz.training(progress=True)",
    "dual_gap_": "another form: a fraction of ‖y‖²",
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
        assert in_memory(rows)
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
