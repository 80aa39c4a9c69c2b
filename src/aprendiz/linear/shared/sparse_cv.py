"""What the cross-validated lasso and elastic net share: a path for each fold and share of ℓ₁; equations in lasso_cv.py.

A state is what is known after some of the folds. A fit that is stopped chooses by those, and fits all rows once more.
"""

from __future__ import annotations

import warnings
from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Literal

import numpy as np
from sklearn.exceptions import DataConversionWarning
from sklearn.model_selection import check_cv

from aprendiz.core.certificate import Certificate
from aprendiz.core.iteration import Iterative, State
from aprendiz.core.learner import Learner
from aprendiz.core.rows import Array, Rows
from aprendiz.core.sources.arrays import ArrayRows, in_memory
from aprendiz.core.sums import SMALLEST_SQUARE, about_a_hundred_rows, find_pivot
from aprendiz.core.threads import ordered_map
from aprendiz.linear.designs.design import CentredTable, Design, Designs, SummedDesign, TableDesign, designs, from_sums
from aprendiz.linear.designs.fold_sums import refuse_folds, split_sums, squared_errors, take_rows
from aprendiz.linear.paths.elastic_net_path import FINEST, along, largest_penalty, penalties
from aprendiz.linear.penalties.sparse_penalty import ElasticPenalty
from aprendiz.linear.shared.linear_regressor import LinearRegressor
from aprendiz.linear.shared.routed_folds import RoutedFolds
from aprendiz.linear.shared.sparse_regressor import NO_EFFECT, Sparse
from aprendiz.linear.solvers.working_set import Optimum, WorkingSet, solve
from aprendiz.summaries.folds import checked_splits
from aprendiz.summaries.moments import Moments

SHARP, SHARPEST = 1e-2, 1e-6  # of tol, from the table and from sums: neighbouring penalties differ by less than tol would blur
Rule = Literal["best", "one_se"]
DIFFERENCES = {
    **NO_EFFECT,
    "n_jobs": "no effect: threads follow APRENDIZ_NUM_THREADS",
    "verbose": "no effect: use aprendiz.training(progress=True)",
    "mse_path_": "another form: float64 for float32 data too",
}


@dataclass(frozen=True)
class FoldsState(State):
    """Errors in the folds so far (folds × shares × penalties), and at the end a fit to all rows. `objective` is the least mean
    error."""

    grids: Array  # the penalties (shares × penalties)
    errors: Array
    coef: Array
    intercept: float
    sweeps: int
    gap: float
    unit: float  # ‖y‖²/Ω

    def after(self, errors: Array) -> FoldsState:
        """One more fold."""
        known = np.concatenate([self.errors, errors[None]])
        return replace(self, iteration=self.iteration + 1, errors=known, objective=float(known.mean(axis=0).min()))


class SparseCV(RoutedFolds, LinearRegressor, Iterative):
    """What LassoCV and ElasticNetCV share."""

    eps: float
    alphas: Any
    cv: Any
    positive: bool
    tol: float
    max_iter: int
    rule: Rule

    State = FoldsState
    frames = 5
    allows = frozenset({"sparse"})
    in_data_dtype = frozenset({"coef_", "intercept_"})
    exceptions = {
        "monotone": "the mean error over more folds may be larger",
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
        return 5 if self.cv is None else self.told_folds

    def open(self, X: Any, y: Any = None, sample_weight: Any = None, *, reset: bool = True) -> Rows:
        """Training data as checked rows, as they lie in memory: a design reads them by columns."""
        return Learner.open(self, X, y, sample_weight, reset=reset)

    # ---- the loop ----------------------------------------------------------------------------------------------------

    def states(self, rows: Rows, since: FoldsState | None = None) -> Iterator[FoldsState]:
        """Errors of all penalties, fold by fold; then a fit to all rows with the best of them."""
        refuse_targets(rows)
        refuse_tiny_table(rows)
        state = since
        if state is not None and state.settled:
            return
        found = designs(rows, self.fit_intercept, many=True)
        design = found.of_target(0)
        if state is None:
            largest = [largest_penalty(design, found.total, share, self.positive) for share in self.shares]
            grids = np.array([penalties(one, self.eps, self.alphas) for one in largest])
            state = FoldsState(0, np.inf, False, grids, np.empty((0, *grids.shape)), np.empty(0), 0.0, 0, np.inf, 0.0)
            yield state
        folds = self.folds_from_sums if from_sums(rows, True) else self.folds_from_rows
        with closing(folds(rows, state.grids, len(state.errors))) as errors:
            for one in errors:
                state = state.after(one)
                yield state
        yield self.refit_all(state, found, design)

    def refit_all(self, state: FoldsState, found: Designs, design: Design) -> FoldsState:
        """All rows fitted with the penalty that is best in the folds so far."""
        place, number = self.best(state)
        optimum = self.sharpen(design, found.total, state.grids[place, : number + 1], self.shares[place])
        return replace(
            state,
            iteration=state.iteration + 1,
            settled=True,
            coef=optimum.w,
            intercept=float(found.middles[0] - found.mean @ optimum.w),
            sweeps=optimum.sweeps,
            gap=optimum.gap,
            unit=design.energy / found.total,
        )

    def attributes(self, state: FoldsState, rows: Rows) -> dict[str, Any]:
        """Of a fit that was stopped: the penalty that is best in the folds so far, and all rows fitted with it. The
        certificate: the penalty with the smallest mean error over the folds is neither the first nor the last of its grid."""
        place, number = self.best(state)
        if not state.settled:
            found = designs(rows, self.fit_intercept, many=True)
            state = self.refit_all(state, found, found.of_target(0))
        grids, errors = state.grids, np.moveaxis(state.errors, 0, -1).copy()
        alpha, inside = float(grids[place, number]), grids.shape[1] == 1 or 0 < number < grids.shape[1] - 1
        claim = "the best penalty lies inside the grid, not at one of its ends"
        one = len(self.shares) == 1
        return {
            **self.flat_line(state.coef[:, None].copy(), np.array([state.intercept]), ()),
            "alpha_": alpha,
            "alphas_": grids[0].copy() if one or not isinstance(self.alphas, (int, np.integer)) else grids.copy(),
            "mse_path_": errors[0] if one else errors,
            "n_iter_": max(1, state.sweeps),
            "dual_gap_": state.gap * state.unit,
            "certificate_": Certificate(claim, inside, {"gap": state.gap, "alpha": alpha, "objective": state.objective}),
            **self.more(self.shares[place]),
        }

    def more(self, share: float) -> dict[str, Any]:
        """Attributes of one of the two."""
        return {}

    def decisive(self) -> frozenset[str]:
        return frozenset({"max_iter"})

    def most_states(self) -> int | None:
        return int(self.folds) + 2 if isinstance(self.folds, (int, np.integer)) else None

    def sharpen(self, design: Design, total: float, grid: Array, share: float) -> Optimum:
        """The answer at the end of a path, with all its digits."""
        last = self.follow(design, total, grid, share)[-1]
        working = WorkingSet(design)
        working.admit(np.flatnonzero(last.w))
        working.w = last.w[working.members]
        strength = total * float(grid[-1])
        penalty = ElasticPenalty(strength * share, strength * (1.0 - share), self.positive)
        return solve(working, penalty, min(FINEST, self.tol), self.max_iter)

    def follow(self, design: Design, total: float, grid: Array, share: float) -> Any:
        sharp = SHARPEST if isinstance(design, SummedDesign) else SHARP
        return along(design, total, grid, share, positive=self.positive, tol=sharp * self.tol, rounds=self.max_iter)

    # ---- folds ---------------------------------------------------------------------------------------------------------

    def folds_from_sums(self, rows: Rows, grids: Array, done: int) -> Generator[Array, None, None]:
        """The errors in each fold that is not done, from sums."""
        pivot = find_pivot(rows, target=True) * float(self.fit_intercept)
        splits = split_sums(rows, pivot, self.folds, with_rows=False)
        return ordered_map(lambda split: self.fold_from_sums(split[0], split[1], grids), islice(splits, done, None))

    def fold_from_sums(self, train: Moments, test: Moments, grids: Array) -> Array:
        d, found = train.columns, []
        design, total = SummedDesign.of(train, self.fit_intercept, 0), float(train.weight)
        mean = train.mean if self.fit_intercept else np.zeros(len(train.pivot))
        for share, grid in zip(self.shares, grids, strict=True):
            W = np.column_stack([one.w for one in self.follow(design, total, grid, share)])[:, None, :]
            b = mean[d:, None] - np.tensordot(mean[:d], W, 1)
            found.append(squared_errors(test, W, b)[0] / float(test.weight))
        return np.array(found)

    def folds_from_rows(self, rows: Rows, grids: Array, done: int) -> Generator[Array, None, None]:
        """The errors in each fold that is not done, from the table."""
        assert in_memory(rows)
        assert rows.y is not None
        count = len(rows.y)
        if isinstance(self.folds, (int, np.integer)):
            refuse_folds(self.folds, count)
        splits = checked_splits(check_cv(self.folds, rows.y).split(np.empty((count, 1)), rows.y), count, rows.weight)
        return ordered_map(lambda split: self.fold_from_rows(rows, split[0], split[1], grids), islice(splits, done, None))

    def fold_from_rows(self, rows: ArrayRows, train: Array, test: Array, grids: Array) -> Array:
        known, new, found = take_rows(rows.X, rows, train), take_rows(rows.X, rows, test), []
        table = CentredTable(known["X"].astype(np.float64, copy=False), known["weight"], self.fit_intercept)
        y = known["y"].astype(np.float64)
        design, middle = TableDesign.of(table, y), table.middle(y)
        weight = np.ones(len(test)) if new["weight"] is None else new["weight"]
        for share, grid in zip(self.shares, grids, strict=True):
            W = np.column_stack([one.w for one in self.follow(design, table.total, grid, share)])
            said = new["X"] @ W + (middle - table.mean @ W)
            found.append(np.average((new["y"][:, None] - said) ** 2, axis=0, weights=weight))
        return np.array(found)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = False
        return tags

    def best(self, state: FoldsState) -> tuple[int, int]:
        """Which ρ and which α: those of the smallest mean error, or (1); before the first fold the largest penalty."""
        if not len(state.errors):
            return 0, 0
        errors = np.moveaxis(state.errors, 0, -1).copy()
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
            "A column-vector y was passed when a 1d array was expected: give y.ravel().", DataConversionWarning, stacklevel=8
        )
    elif width:
        raise ValueError(f"y has {width[0]} targets, one is expected: choose the penalty of each target by itself.")


def refuse_tiny_table(rows: Rows) -> None:
    """Stop where the cells are so small that no square of a column is a number: penalties follow from these squares."""
    thin = in_memory(rows) and rows.sparse
    some = rows.X.data if thin else rows.first(about_a_hundred_rows, False)  # type: ignore[attr-defined]  # in memory
    largest = float(np.abs(some).max(initial=0.0))
    if 0 < largest < np.sqrt(SMALLEST_SQUARE):
        raise ValueError(
            f"Input X holds values too small to be squared: at most {largest:.3g} in the first rows, in column 0 and others. "
            "Scale the columns (StandardScaler)."
        )
