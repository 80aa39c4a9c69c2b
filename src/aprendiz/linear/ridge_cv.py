"""The penalty of ridge regression chosen by cross-validation, from sums instead of refits.

With Z = U S Vᵀ the centred columns (rows times √ω) and g = VᵀZᵀc, every penalty costs no more than a scaling:

    w(α) = V · g/(s² + α)                                                                                     (1)

Leave-one-out (the default). The row left out changes the fit by a rank-one update, so its error follows from its leverage:

    h(α) = ω/W + ω·Σ_j (v_jᵀz)²/(s_j² + α),     e = (y − ŷ)/(1 − h)                                           (2)

One more pass over the rows gives e for all rows and all penalties; nothing is refitted.

Folds (`cv=k`). Fits and errors of all folds follow from the sums of the folds (fold_sums.py): one pass, k eigenvalue problems
and k·m products of size d² for m penalties.

Cost: n·d² for the sums, n·d·(d + m) for (2); k·d³ + k·m·d² for folds.
Reference: Golub, Heath & Wahba, "Generalized cross-validation …", Technometrics 21, 1979; Allen's PRESS, 1974.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Self

import numpy as np
from scipy import linalg
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.metrics import check_scoring, get_scorer

from aprendiz.core.certificate import Certificate
from aprendiz.core.inputs import refuse_empty_sums
from aprendiz.core.learner import Passes
from aprendiz.core.parameters import ArrayLike, NonNegative, ParameterError, refuse_words
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sums import Sums
from aprendiz.linear.designs.fold_sums import split_sums, squared_errors
from aprendiz.linear.shared.linear_regressor import LinearRegressor
from aprendiz.linear.shared.routed_folds import RoutedFolds
from aprendiz.linear.solvers.least_squares import EPS, SAFE, below
from aprendiz.linear.solvers.ridge_solution import least_known, of_each_target, refine, solve_ridge
from aprendiz.summaries.moments import Moments, Triangle
from aprendiz.summaries.products import products_of_rows

MOST_ROUNDING = 0.01  # of leave-one-out from squared sums; beyond it the rows are rotated instead
FROM_SUMS = (None, "r2", "neg_mean_squared_error", "neg_root_mean_squared_error")


class RidgeCV(RoutedFolds, LinearRegressor, Passes):
    """Ridge regression with its penalty chosen by cross-validation (drop-in for scikit-learn's; also from files).

    Parameters
    ----------
    alphas : array of floats, default=(0.1, 1.0, 10.0)
        Penalties to try; positive for leave-one-out.
    fit_intercept : bool, default=True
        Whether to fit an intercept.
    scoring : str, function or None, default=None
        The score to maximise; None is minus the squared error for leave-one-out, and R² for folds.
    cv : int, splitter, list of splits or None, default=None
        None for leave-one-out, else as in scikit-learn. Rows of files can be split by a number only.
    gcv_mode
        No effect.
    store_cv_results : bool, default=False
        Whether to keep the squared errors (the predictions, with `scoring`) of every row and penalty, for leave-one-out.
    alpha_per_target : bool, default=False
        Whether each target gets its own penalty, for leave-one-out.

    Attributes
    ----------
    alpha_ : float or ndarray of shape (n_targets,)
        The penalty with the best score.
    best_score_ : float or ndarray of shape (n_targets,)
    scores_ : ndarray of shape (n_alphas,), or (n_targets, n_alphas) with `alpha_per_target`
        The score of each penalty.
    coef_, intercept_ : as of `Ridge`, fitted to all rows with that penalty.
    cv_results_ : ndarray of shape (n_samples, n_alphas) or (n_samples, n_targets, n_alphas)
        If `store_cv_results`.
    certificate_ : Certificate
        Whether the best penalty lies inside the grid, its effective degrees of freedom Σ s²/(s² + α), and the digits that
        can be trusted.
    """

    allows = frozenset({"sparse"})
    in_data_dtype = frozenset({"coef_", "intercept_", "cv_results_"})
    differences = {
        "gcv_mode": "no effect: the smaller of the two matrices is decomposed",
        "scoring": "another form: R² of a fold of one row is 0 or 1; in scikit-learn it is NaN, and the first penalty is taken",
    }
    exceptions = {
        "scaling": "the penalty is not invariant to the scale of the columns",
        "weights": "leaving a row out takes all its weight with it: two rows of weight 1 are left out one by one",
    }

    def __init__(
        self,
        alphas: NonNegative | ArrayLike | tuple[float, ...] = (0.1, 1.0, 10.0),
        *,
        fit_intercept: bool = True,
        scoring: str | Callable[..., Any] | None = None,
        cv: Any = None,
        gcv_mode: Literal["auto", "svd", "eigen"] | None = None,
        store_cv_results: bool = False,
        alpha_per_target: bool = False,
    ):
        self.alphas = alphas
        self.fit_intercept = fit_intercept
        self.scoring = scoring
        self.cv = cv
        self.gcv_mode = gcv_mode
        self.store_cv_results = store_cv_results
        self.alpha_per_target = alpha_per_target

    def routed_scorer(self) -> Any:
        if self.scoring is None:  # as in scikit-learn, the usual score counts weights
            return get_scorer("r2").set_score_request(sample_weight=True)
        return check_scoring(self, scoring=self.scoring)

    def learned(self, rows: Rows) -> dict[str, Any]:
        alphas = self.penalties()
        pivot = self.pivot(rows)
        if self.cv is None:
            wide = rows.count is not None and rows.count <= rows.columns
            record: Moments | Triangle = rows.sum(Triangle.joint, pivot) if wide else rows.sum(Moments.joint, pivot)
            refuse_empty_sums(record.weight, record.finite, rows)
            if record.rows < 2:
                raise ValueError("Leave-one-out needs at least two rows that count, got n_samples=1: give more rows.")
            scores, results, lost = self.left_one_out(rows, record, alphas)
        else:
            record, scores, lost = self.in_folds(rows, pivot, alphas)
            results = None
        best = scores.argmax(axis=-1)
        several = self.alpha_per_target and scores.shape[0] > 1
        return {
            **self.final(rows, record, alphas, best, self.certain(scores, alphas, lost)),
            "alpha_": alphas[best] if several else float(alphas[np.ravel(best)[0]]),
            "best_score_": scores.max(axis=-1) if self.alpha_per_target and record.target != () else float(scores.max()),
            "scores_": scores,
            **({"cv_results_": results} if self.store_cv_results else {}),
        }

    def penalties(self) -> Array:
        refuse_words("alphas", self.alphas)
        alphas = np.atleast_1d(np.asarray(self.alphas, dtype=float)).ravel()
        least = "above 0 for leave-one-out" if self.cv is None else "of at least 0"
        for index, alpha in enumerate(alphas):
            if not (np.isfinite(alpha) and (alpha > 0 or (alpha == 0 and self.cv is not None))):
                raise ParameterError(f"alphas[{index}] of RidgeCV must be a number {least}, got {alpha}.")
        if not len(alphas):
            raise ParameterError("alphas of RidgeCV is empty: give at least one penalty.")
        for name in ("store_cv_results", "alpha_per_target"):
            if self.cv is not None and getattr(self, name):
                raise ValueError(f"cv!=None and {name}=True are incompatible: they belong to leave-one-out.")
        return alphas

    def certain(self, scores: Array, alphas: Array, lost: float) -> bool:
        """Is the best score better than those at both ends of the grid by more than rounding may have taken from them? Of
        scores like R² rounding takes a part of 1 − R²."""
        ends = scores[..., [int(alphas.argmin()), int(alphas.argmax())]].max(axis=-1)
        size = np.abs(scores).max(axis=-1) + (0.0 if self.is_of_errors() else 1.0)
        return bool((scores.max(axis=-1) - ends > 2.0 * lost * size).all())

    def is_of_errors(self) -> bool:
        """Is the score a sum of squared errors, or its root?"""
        return self.scoring in FROM_SUMS[2:] or (self.cv is None and self.scoring is None)

    def final(self, rows: Rows, record: Moments | Triangle, alphas: Array, best: Array, certain: bool) -> dict[str, Any]:
        """The fit to all rows, with the penalty of each target. The certificate: the penalty with the best score is neither
        the smallest nor the largest of the grid, also in exact arithmetic. `digits` are those of the coefficients
        (error_bounds.py)."""
        chosen = alphas[np.atleast_1d(best)]
        solutions = {a: solve_ridge(record, self.fit_intercept, a) for a in set(chosen.tolist())}
        if isinstance(record, Moments) and max(one.error for one in solutions.values()) > SAFE:
            triangle = rows.sum(Triangle.joint, record.pivot)
            solutions = {a: refine(triangle, self.fit_intercept, a, rows) for a in solutions}
        each = [solutions[a] for a in chosen.tolist()]
        W, b = of_each_target(each)
        squares = Directions.of(record, self.fit_intercept, float(chosen.min())).squares
        inside = len(alphas) == 1 or (certain and not np.isin(chosen, (alphas.min(), alphas.max())).any())
        degrees = float((squares / (squares + chosen[0] + 1e-300)).sum())

        def proof() -> Certificate:
            known = {"digits": least_known(each).digits, "degrees": degrees, "alpha": float(chosen[0])}
            return Certificate("the best penalty lies inside the grid, not at one of its ends", bool(inside), known)

        return {**self.flat_line(W, b, record.target), "certificate_": Certificate.later(proof)}

    # ---- leave-one-out -------------------------------------------------------------------------------------------------

    def left_one_out(self, rows: Rows, record: Moments | Triangle, alphas: Array) -> tuple[Array, Array | None, float]:
        """The score of each penalty (of each target, if asked), what `store_cv_results` keeps, and what rounding may have taken
        from (2), as a part of it: by the directions, and by 1 − h where it is small."""
        least = float(alphas.min())
        directions = Directions.of(record, self.fit_intercept, least)
        if directions.rounding(least) > MOST_ROUNDING and isinstance(record, Moments):
            directions = Directions.of(rows.sum(Triangle.joint, record.pivot), self.fit_intercept)
        if self.scoring is None:
            total = rows.sum(LeftOut.of, directions, alphas)
            lost = directions.rounding(least) / max(total.room, EPS)
            scores = -total.squares / total.rows
            scores = scores if self.alpha_per_target else scores.mean(axis=0)
            if not self.store_cv_results:
                return scores, None, lost
            squares = rows.each(lambda block: block.weights[:, None, None] * directions.left_out(alphas, block)[0] ** 2)
            return scores, squares[:, 0] if record.target == () else squares, lost
        room = [1.0]

        def left_out(block: Block) -> Array:
            e, least_room = directions.left_out(alphas, block)
            room.append(least_room)
            return e

        errors, lost = rows.each(left_out), directions.rounding(least) / max(min(room), EPS)
        y = rows.each(lambda block: block.y)
        weight = rows.each(lambda block: block.weights)
        said = y.reshape(len(y), -1)[:, :, None] - errors
        flat = record.target == ()
        scores = self.score_predictions(said, y, weight if rows.first(lambda block: block.weight is not None) else None)
        return scores, said[:, 0] if flat else said, lost

    def score_predictions(self, said: Array, y: Array, weight: Array | None) -> Array:
        """The scores that the user's own measure gives to predictions (rows, targets, penalties)."""
        scorer = check_scoring(self, scoring=self.scoring)
        known = {} if weight is None or not self.told.weighted_scores else {"sample_weight": weight}
        truth = y.reshape(len(y), -1)
        if self.alpha_per_target:
            pairs = [[(said[:, t, a], truth[:, t]) for a in range(said.shape[2])] for t in range(said.shape[1])]
            return np.array([[scorer(GivenPredictions(), p, q, **known) for p, q in row] for row in pairs])
        columns = [said[:, 0, a] if y.ndim == 1 else said[:, :, a] for a in range(said.shape[2])]
        return np.array([scorer(GivenPredictions(), column, y, **known) for column in columns])

    # ---- folds ---------------------------------------------------------------------------------------------------------

    def in_folds(self, rows: Rows, pivot: Array, alphas: Array) -> tuple[Moments, Array, float]:
        """The sums of all rows, the mean score of each penalty over the folds, and what rounding may have taken from it."""
        total, scores, lost = None, [], 0.0
        for train, test, held_out, whole in split_sums(rows, pivot, self.told_folds):
            directions = Directions.of(train, self.fit_intercept)
            W, b = directions.coefficients(alphas)
            lost = max(lost, directions.rounding(float(alphas.min())))
            if self.scoring in FROM_SUMS:
                scores.append(self.from_sums(squared_errors(test, W, b), test))
            else:
                if held_out is None:
                    raise TypeError(f"scoring={self.scoring!r} needs the rows of a fold in memory: use one of {FROM_SUMS}.")
                said = held_out.each(lambda block, W=W, b=b: np.einsum("nd,dta->nta", block.X, W) + b)
                scores.append(self.score_predictions(said, np.asarray(held_out.y), held_out.weight))
            total = train + test if whole else None
        total = total if total is not None else rows.sum(Moments.joint, pivot)
        refuse_empty_sums(total.weight, total.finite, rows)
        found = np.array(scores)
        return total, np.nanmean(found[~np.isnan(found).all(axis=1)], axis=0), lost  # a fold without weight has no score

    def from_sums(self, errors: Array, test: Moments) -> Array:
        """A score that needs nothing but the squared errors (targets, penalties) of a fold."""
        d, weight = test.columns, float(test.weight)
        if weight == 0:
            return np.full(errors.shape[1], np.nan)
        if self.scoring == "neg_mean_squared_error":
            return -errors.mean(axis=0) / weight
        if self.scoring == "neg_root_mean_squared_error":
            return -np.sqrt(errors / weight).mean(axis=0)
        about_mean = np.diagonal(test.scatter)[d:, None]
        offset, mean = test.offset[d:, None], test.mean[d:, None]
        rounding = weight * (64 * EPS * offset**2 + (16 * EPS * mean) ** 2)
        constant = about_mean <= rounding  # R² is 0 then, or 1 if the constant is met
        ratio = np.divide(errors, about_mean, out=(errors > rounding).astype(float), where=~constant)
        return 1.0 - ratio.mean(axis=0)


class GivenPredictions(RegressorMixin, BaseEstimator):
    """Returns given predictions, so that a scorer can evaluate them."""

    def predict(self, X: Any) -> Any:
        return X


@dataclass(frozen=True)
class Directions:
    """V, s² and g of (1), with mean of features and targets, weight, and whether there is an intercept."""

    V: Array
    squares: Array
    g: Array
    mean: Array
    target_mean: Array
    weight: float
    intercept: bool
    squared: bool  # whether V and s² are of a matrix of squares

    def rounding(self, least: float) -> float:
        """How far 1/(s² + α) may be off, α at least `least`: ε·d of the largest s², or of its root where nothing was
        squared."""
        largest = max(float(self.squares.max(initial=0.0)), 1e-300)
        smallest = max(float(self.squares.min(initial=largest)), 0.0) + least
        ratio = largest / smallest if smallest > 0 else np.inf
        return float(4.0 * EPS * len(self.mean) * (ratio if self.squared else np.sqrt(ratio)))

    @classmethod
    def of(cls, record: Moments | Triangle, intercept: bool, least: float = 0.0) -> Self:
        """`least` is the smallest penalty that will be asked for."""
        d = record.columns
        if isinstance(record, Moments):
            G = record.scatter if intercept else record.gram[1:, 1:]
            squared = True
            squares, V = linalg.eigh(G[:d, :d], driver="evd", check_finite=False)
            squares, g = np.maximum(squares, 0.0), V.T @ G[:d, d:]
        else:
            whole = below(record if intercept else record.around(np.zeros_like(record.pivot)), intercept)
            V, s, U, squared = thin_svd(whole[:, :d], least)
            squared = squared or record.squared
            squares, g = s**2, s[:, None] * (U.T @ whole[:, d:])
        mean = record.mean if intercept else np.zeros(len(record.pivot))
        return cls(V, squares, g, mean[:d], mean[d:], float(record.weight), intercept, squared)

    def shrunk(self, alphas: Array) -> Array:
        """1/(s² + α), directions × penalties; 0 for a direction in which nothing varies and nothing is penalised."""
        total = self.squares[:, None] + alphas
        return np.where(total > len(self.squares) * EPS * self.squares.max(initial=0.0), 1.0 / np.maximum(total, 1e-300), 0.0)

    def coefficients(self, alphas: Array) -> tuple[Array, Array]:
        """w (features, targets, penalties) and b (targets, penalties) of (1)."""
        W = np.einsum("dj,jt,ja->dta", self.V, self.g, self.shrunk(alphas), optimize=True)
        return W, self.target_mean[:, None] - np.tensordot(self.mean, W, 1)

    def left_out(self, alphas: Array, block: Block) -> tuple[Array, float]:
        """e of (2) for each row, target and penalty, and the smallest 1 − h."""
        n, shrunk = len(block), self.shrunk(alphas)
        U = (block.X - self.mean) @ self.V
        targets, penalties = self.g.shape[1], len(alphas)
        fit = U @ (self.g[:, :, None] * shrunk[:, None, :]).reshape(len(U.T), -1)
        residual = (block.y.reshape(n, -1) - self.target_mean)[:, :, None] - fit.reshape(n, targets, penalties)
        leverage = (U * U) @ shrunk
        if self.intercept:
            leverage += 1.0 / self.weight
        if block.weight is not None:
            leverage *= block.weight[:, None]
        room = 1.0 - leverage
        return residual / room[:, None, :], float(np.min(np.abs(room), initial=1.0))


def thin_svd(Z: Array, least: float) -> tuple[Array, Array, Array, bool]:
    """V, s and U of Z = U S Vᵀ with few rows. By the eigenvectors of ZZᵀ where the penalties are well above its rounding:
    directions that are lost in it would be shrunk to nothing anyway. And whether it was done so."""
    K = products_of_rows(Z)
    if len(K) and least > 1e-9 * np.trace(K):
        squares, U = linalg.eigh(K, driver="evd", check_finite=False)
        there = squares > 1e-13 * squares[-1]
        s, U = np.sqrt(squares[there]), U[:, there]
        return Z.T @ (U / s), s, U, True
    U, s, Vt = linalg.svd(Z, full_matrices=False, check_finite=False)
    return Vt.T, s, U, False


@dataclass(frozen=True)
class LeftOut(Sums):
    """Σ ω e² of each target and penalty, the number of rows, and the smallest 1 − h."""

    squares: Array
    rows: int
    room: float

    @classmethod
    def of(cls, directions: Directions, alphas: Array, block: Block) -> Self:
        e, room = directions.left_out(alphas, block)
        return cls(np.einsum("n,nta,nta->ta", block.weights, e, e), len(block), room)

    def __add__(self, other: Self) -> Self:
        return type(self)(self.squares + other.squares, self.rows + other.rows, min(self.room, other.room))
