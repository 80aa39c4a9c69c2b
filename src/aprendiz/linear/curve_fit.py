"""Curves by straight lines: an exponential, a power or a logistic curve is a line on another scale.

With the scales g of x and h of y of a family (curve_families.py),

    h(y) ≈ t = a' + Σ b_j g(x_j)      least squares on the scale of the line: one linear fit                  (1)
    y ≈ h⁻¹(t)                        least squares of y itself, from (1) on (levenberg_marquardt.py)         (2)

(1) and (2) minimise different things. Residuals of ln y are relative errors of y, so (1) gives every row the same relative
precision and small y as much say as large ones; (2) gives every row the same absolute precision. Where h is y itself they
are the same.

(1) is right on the middle, not on the mean, of y: if the residuals e of ln y scatter around 0, the mean of y at x is above
exp(t), by about the smearing factor of Duan, the mean of e^e = y/ŷ over the rows.                              (3)

Cost: (1) one linear fit of g(x) and a pass for the residuals; (2) ten passes or so.
Reference: Duan, "Smearing estimate: a nonparametric retransformation method", J. Am. Stat. Assoc. 78, 1983.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, Self

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.certificate import Certificate
from aprendiz.core.iteration import stopped_early
from aprendiz.core.learner import Passes, Regressor
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sums import Sums, find_pivot
from aprendiz.linear import LinearRegression
from aprendiz.linear.bases.curve_families import FAMILIES, LOGIT, PLAIN, formula, straight_columns, straighten
from aprendiz.linear.losses.gradients import Gradients
from aprendiz.linear.solvers.error_bounds import Evidence, Rough, lengths
from aprendiz.linear.solvers.least_squares import EPS, Solution
from aprendiz.linear.solvers.levenberg_marquardt import Minimum, minimise
from aprendiz.locale import _
from aprendiz.summaries.moments import Moments, Triangle


class CurveFit(Regressor, Passes):
    """Curves that are straight lines on another scale: exponential, power, inverse, logarithmic, logistic.

    Parameters
    ----------
    family : {"linear", "exponential", "power", "inverse", "logarithmic", "logistic"}, default="linear"
        y = a + b·x, a·exp(b·x), a·x^b, a + b/x, a + b·ln x or 1/(1 + exp(−(a + b·x))). The straight line, which takes any
        rows, is there to compare with.
    refine : bool, default=False
        Whether to go on from the line (1) to the least squares of y itself (2).

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,) or (n_targets, n_features)
        b.
    intercept_ : float or ndarray of shape (n_targets,)
        a on the scale of the line: a = exp(intercept_) for "exponential" and "power".
    formula_ : str or list of str
        The curve in words.
    minimises_ : str
        Which squared residuals are smallest.
    r2_, rmse_ : float or ndarray of shape (n_targets,)
        R² and root mean squared residual of y. R² is NaN where y is constant.
    linear_r2_, linear_rmse_ : float or ndarray of shape (n_targets,)
        The same on the scale of the line.
    smearing_ : float or ndarray of shape (n_targets,)
        (3), the mean of y/ŷ: how much larger the mean of y is than the curve (1) says. 1 where y is fitted as it is.
    n_iter_ : int
        Passes of (2); 0 without them.
    certificate_ : Certificate
        Condition and digits of the line (1), or how far (2) is from a minimum.
    """

    target_powers = (-1000, 960)  # of logarithms; R² says where squares of y are none

    def __init__(
        self,
        family: Literal["linear", "exponential", "power", "inverse", "logarithmic", "logistic"] = "linear",
        *,
        refine: bool = False,
    ):
        self.family = family
        self.refine = refine

    def target_range(self) -> tuple[int, int]:
        """Those of `target_powers` for curves whose line is one of logarithms; else y is squared as in any other line. (Where
        its squares overflow in (2), a warning says so.)"""
        return LinearRegression.target_powers if FAMILIES[self.family][1] is PLAIN else self.target_powers

    def learned(self, rows: Rows) -> dict[str, Any]:
        straight = rows if self.family == "linear" else rows.changed(partial(straighten, self.family, rows.names))
        line, d = StraightLine(self.family).learned(straight), rows.columns
        middle = line["sums_"].mean
        pivot = np.stack([find_pivot(rows, target=True)[d:], middle[d:]])
        curve = Curve(self.family, rows.names, line["coef_"].reshape(-1, d), np.atleast_1d(line["intercept_"]))
        quality = rows.sum(CurveQuality.of, curve, pivot)
        found = {"n_iter_": 0, "certificate_": line["certificate_"]}
        if self.refine and FAMILIES[self.family][1] is not PLAIN:
            units = deviations(line["sums_"])
            ends = [refine(rows, curve, k, (middle[:d], units), size) for k, size in enumerate(quality.size(pivot))]
            curve, found = curve.shift(ends, middle[:d], units), self.refinement_attributes(ends)
            quality = rows.sum(CurveQuality.of, curve, pivot)
        numbers = {"intercept_": curve.intercept, **quality.numbers(pivot)}
        if np.ndim(line["intercept_"]) == 0:
            return {"coef_": curve.coef[0], **{name: float(value[0]) for name, value in numbers.items()}, **found}
        return {"coef_": curve.coef, **numbers, **found}

    def remedy(self) -> str:
        """What to do if the fit stopped early."""
        return _("Choose another family, scale y, or do not refine.")

    def refinement_attributes(self, ends: list[Minimum]) -> dict[str, Any]:
        """That the descent of (2) has settled: |J_jᵀωr| ≤ 10⁻⁶·‖J_j‖‖r‖ for the constant and every column around its mean that
        varies by more than rounding, or the curve goes through every row, but for rounding of t. A local minimum: nothing is
        claimed about others. By the target of which least is known."""
        worst = max(ends, key=lambda end: (not end.settled, end.slope))
        if not worst.settled:
            words = _("the squared residuals of y have no minimum near the line, after {passes} passes")
            said = stopped_early("CurveFit", words.format(passes=worst.passes), self.remedy)
            warnings.warn(said, ConvergenceWarning, stacklevel=5)
        known = {"slope": worst.slope, "objective": float(worst.log[-1]), "log": worst.log}
        claim = "the gradient of the squared residuals of y vanishes"
        return {"n_iter_": sum(end.passes for end in ends), "certificate_": Certificate(claim, worst.settled, known)}

    # ---- the answer --------------------------------------------------------------------------------------------------

    def predict(self, X: Any) -> Array:
        """The curve at each row; ∞ where that is too large for a number."""
        rows = self.new_rows(X)
        return rows.each(Curve(self.family, rows.names, self.coef_, self.intercept_).predict)

    def residuals(self, X: Any, y: Any = None) -> tuple[Array, Array]:
        """What the curve leaves of each row: y − ŷ, and h(y) − t on the scale of the line."""
        check_is_fitted(self)
        rows = self.open(X, y, reset=False)
        both = rows.each(Curve(self.family, rows.names, self.coef_, self.intercept_).residuals)
        return both[:, 0], both[:, 1]

    @property
    def minimises_(self) -> str:
        check_is_fitted(self)
        scale = PLAIN if self.refine else FAMILIES[self.family][1]
        return f"squared residuals of {scale.words.format('y')}"

    @property
    def formula_(self) -> str | list[str]:
        check_is_fitted(self)
        numbered = ["x"] if self.n_features_in_ == 1 else [f"x{j}" for j in range(self.n_features_in_)]
        names = list(getattr(self, "feature_names_in_", numbered))
        curves = zip(np.atleast_2d(self.coef_), np.atleast_1d(self.intercept_), strict=True)
        found = [formula(self.family, w, float(b), names) for w, b in curves]
        return found[0] if np.ndim(self.intercept_) == 0 else found

    def summary(self) -> str:
        """The curve, what it minimises, and how well it fits on both scales, as text."""
        check_is_fitted(self)
        scale = FAMILIES[self.family][1]
        columns = {"y": ""} if scale is PLAIN else {"y": "", scale.words.format("y"): "linear_"}
        found = []
        for k, text in enumerate(np.atleast_1d(np.asarray(self.formula_, dtype=object))):
            lines = [text, f"minimises the {self.minimises_}", " " * 12 + "".join(f"{name:>16}" for name in columns)]
            for label, name in (("R²", "r2_"), ("rms residual", "rmse_")):
                values = [np.atleast_1d(getattr(self, prefix + name))[k] for prefix in columns.values()]
                lines.append(f"{label:<12}" + "".join(f"{value:>16.6g}" for value in values))
            factor = f"smearing factor {np.atleast_1d(self.smearing_)[k]:.6g}: about the mean of y over the curve"
            found.append("\n".join(lines if scale is PLAIN or self.refine else [*lines, factor]))
        return "\n\n".join(found)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags


class StraightLine(LinearRegression):
    """The line (1). The certificate: its digits are those of the line through g(x) and h(y) without rounding, of which the
    numbers of other scales are off by two units in the last place (error_bounds.py, (6)), logits by two of 1 + |h|."""

    def __init__(self, family: str):
        super().__init__()
        self.family = family

    def answer(self, solution: Solution, record: Any, squares: Array) -> dict[str, Any]:
        known, root, d = solution.witness, np.sqrt(float(record.weight)), record.columns
        x, y = FAMILIES[self.family]

        def evidence(W: Array) -> Evidence:
            found = known(W)
            columns = found.N + root * np.abs(record.pivot[:d])
            targets = found.N_y + root * (np.abs(record.pivot[d:]) + (y is LOGIT))
            return found.roughened(Rough(2 * EPS * columns * (x is not PLAIN), 2 * EPS * targets * (y is not PLAIN)), W)

        return super().answer(replace(solution, witness=evidence), record, squares)


@dataclass(frozen=True)
class Curve:
    """A curve of a family, or one for each target; the names of the columns are for messages."""

    family: str
    names: Sequence[str] | None
    coef: Array
    intercept: Any

    def line(self, block: Block) -> Array:
        """t of (1)."""
        return np.asarray(straight_columns(self.family, self.names, block.X, block.start) @ self.coef.T + self.intercept)

    def bent(self, t: Array) -> Array:
        """h⁻¹(t)."""
        with np.errstate(over="ignore"):
            return FAMILIES[self.family][1].back(t)

    def predict(self, block: Block) -> Array:
        return self.bent(self.line(block))

    def residuals(self, block: Block) -> Array:
        """y − ŷ and h(y) − t, one beside the other."""
        scale, t = FAMILIES[self.family][1], self.line(block)
        scale.refuse_outside(self.family, "y", block.y, block.start, None)
        return np.stack([block.y - self.bent(t), scale.there(block.y) - t], axis=1)

    def shift(self, ends: list[Minimum], middle: Array, units: Array) -> Curve:
        """The curves of (2), whose parameters are around the middle of the rows, in units of the columns."""
        theta = np.stack([end.theta for end in ends])
        coef = theta[:, 1:] / units
        return Curve(self.family, self.names, coef, theta[:, 0] - coef @ middle)


@dataclass(frozen=True)
class CurveQuality(Sums):
    """Weight; of y (first row) and h(y) (second row), for each target, the sum of squared residuals and the first two moments
    around a pivot; and Σ ω y/ŷ."""

    weight: float
    squares: Array
    first: Array
    second: Array
    ratio: Array

    @classmethod
    def of(cls, curve: Curve, pivot: Array, block: Block) -> Self:
        scale, w, t = FAMILIES[curve.family][1], block.weights, curve.line(block)
        y = block.y.reshape(len(block), -1)
        both = np.stack([y, scale.there(y)])
        residuals = both - np.stack([fitted := curve.bent(t), t])
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.ones_like(y) if scale is PLAIN else y / fitted
        around = both - pivot[:, None, :]
        return cls(float(w.sum()), w @ residuals**2, w @ around, w @ around**2, w @ ratio)

    def size(self, pivot: Array) -> Array:
        """Σ ω y² of each target."""
        with np.errstate(over="ignore", invalid="ignore"):
            return (self.second + 2 * pivot * self.first + pivot**2 * self.weight)[0]

    def numbers(self, pivot: Array) -> dict[str, Array]:
        """R² and root mean squared residual on both scales, and (3)."""
        middle = self.first / self.weight
        with np.errstate(over="ignore", invalid="ignore"):  # squares of y may be beyond the numbers
            total = self.second - self.first * middle
            varies = total > self.weight * (4 * EPS * (pivot + middle)) ** 2
            r2 = np.where(varies, 1.0 - self.squares / np.where(varies, total, 1.0), np.nan)
        rmse = np.sqrt(self.squares / self.weight)
        found = {"r2_": r2[0], "linear_r2_": r2[1], "rmse_": rmse[0], "linear_rmse_": rmse[1]}
        return {**found, "smearing_": self.ratio / self.weight}


def deviations(sums: Triangle | Moments) -> Array:
    """The root mean square of each column around its mean, so that squares of small columns do not vanish; 1 for columns that
    are constant but for rounding."""
    d, root, mean = sums.columns, np.sqrt(float(sums.weight)), np.abs(sums.mean)
    if isinstance(sums, Triangle):
        found = lengths(sums.R[1:, 1 : 1 + d]) / root
    else:
        found = np.sqrt(np.maximum(np.diagonal(sums.scatter)[:d], 0.0)) / root
    return np.where(found > 4 * EPS * mean[:d], found, 1.0)


def refine(rows: Rows, curve: Curve, target: int, centre: tuple[Array, Array], size: float) -> Minimum:
    """(2) for one target, from (1) on; `centre` is the middle of the columns and their units."""
    w, (middle, units) = curve.coef[target], centre
    start = np.append(curve.intercept[target] + w @ middle, w * units)
    return minimise(lambda theta: rows.sum(curve_gradients, curve, target, centre, theta), start, size)


def curve_gradients(curve: Curve, target: int, centre: tuple[Array, Array], theta: Array, block: Block) -> Gradients:
    """The squared residuals of y at θ, Jᵀωr and JᵀωJ."""
    scale, (middle, units) = FAMILIES[curve.family][1], centre
    X = straight_columns(curve.family, curve.names, block.X, block.start)
    Z = np.column_stack([np.ones(len(X)), (X - middle) / units])
    t = Z @ theta
    r = block.y.reshape(len(block), -1)[:, target] - scale.back(t)
    J, w = scale.slope(t)[:, None] * Z, block.weights
    return Gradients(float(w @ r**2), J.T @ (w * r), J.T @ (w[:, None] * J))
