"""Influence of each row on a least squares fit: what would change if it were left out, without fitting again.

With z = x − x̄ the centred row, Z = QR all of them (times √ω), p coefficients, ν = n − p and r the residual of the row,

    leverage            h = ω·(1/Ω + ‖R⁻ᵀz‖²)                     its share in its own prediction, Σ h = p            (1)
    standardised        √ω·r/(σ̂·√(1 − h))                          residual in units of its own standard deviation     (2)
    σ̂ without the row   σ̂₋² = (Σ ω r² − ω r²/(1 − h))/(ν − 1)                                                        (3)
    studentised         √ω·r/(σ̂₋·√(1 − h))                         Student's t with ν − 1 degrees of freedom           (4)
    Cook's distance     D = (2)²·h/((1 − h)·p)                     how far all predictions move, in units of p·σ̂²      (5)
    DFFITS              (4)·√(h/(1 − h))                           how far its own prediction moves, in units of σ̂₋√h  (6)

Without an intercept there is no 1/Ω and rows are not centred. (1) needs R alone: no n × n matrix is formed. A row of
leverage 1 determines a coefficient by itself, and a row of weight 0 was not in the fit: (2) to (6) are NaN there. The names and
conventions are those of R (`hatvalues`, `rstandard`, `rstudent`, `cooks.distance`, `dffits`).

Cost: one pass, n·d²/2.
Reference: Cook & Weisberg, "Residuals and influence in regression", 1982.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import linalg
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.blas import single_blas
from aprendiz.core.precision import double
from aprendiz.core.rows import Array, Block
from aprendiz.linear import LinearRegression
from aprendiz.linear.solvers.least_squares import Solution, orthogonal, squares_left

ALONE = 1e-10  # 1 − h below which a row determines a coefficient by itself
COLUMNS = ("leverage", "residual", "standardised", "studentised", "cooks_distance", "dffits")


def influence(model: LinearRegression, X: Any, y: Any = None, sample_weight: Any = None) -> Influence:
    """Measure the influence of each row on a fitted `LinearRegression`.

    Parameters
    ----------
    model : LinearRegression
        Fitted to these very rows.
    X, y, sample_weight
        The rows of the fit, as they were given to it.

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [2.0], [3.0], [4.0]], [4.0, 6.0, 4.0, 6.0, 8.0]
    >>> influence(LinearRegression().fit(X, y), X, y).leverage.round(1).tolist()
    [0.6, 0.3, 0.2, 0.3, 0.6]
    """
    if not isinstance(model, LinearRegression):
        raise TypeError(f"influence is that of rows on a LinearRegression, got {type(model).__name__}: fit one.")
    check_is_fitted(model)
    if model.positive:
        raise ValueError("positive=True has no influences of this kind: fit with positive=False.")
    rows = model.open(X, y, sample_weight, reset=False)
    record, intercept = model.sums_, model.fit_intercept
    with single_blas():
        solution = orthogonal(model.triangle(record), intercept, False)
    parts = rows.each(measure_rows, model, solution, float(record.weight))
    weight, leverage, residual = parts[:, 0], parts[:, 1], parts[:, 2:]
    p = solution.rank + intercept
    if np.count_nonzero(weight) != record.rows or abs(leverage.sum() - p) > 1e-6 * max(p, 1):
        raise ValueError(
            f"The rows are not those of the fit ({record.rows} rows that count, leverages that sum to {p}; here "
            f"{np.count_nonzero(weight)} and {leverage.sum():.6g}): give X, y and sample_weight as they were given to `fit`."
        )
    total = squares_left(record, np.reshape(double(model.coef_), (-1, rows.columns)).T, intercept)[1]
    rounding = 1e-12 if model.coef_.dtype == np.float64 else 1e-6  # of coefficients beside large means, squared
    if (np.abs(weight @ residual**2 - model.residual_sum_) > 1e-6 * np.asarray(model.residual_sum_) + rounding * total).any():
        raise ValueError("y is not the target of the fit: give X, y and sample_weight as they were given to `fit`.")
    residual = residual[:, 0] if record.target == () else residual
    return influence_measures(leverage, residual, weight, model.residual_sum_, p, int(record.rows))


def measure_rows(model: LinearRegression, solution: Solution, weight: float, block: Block) -> Array:
    """Weight, leverage (1) and residuals of the rows of a block."""
    W, b = np.reshape(double(model.coef_), (-1, block.X.shape[1])).T, np.atleast_1d(double(model.intercept_))
    rank = solution.rank
    some = solution.order[:rank]
    Z = (block.X[:, some] - solution.mean[some]) / solution.scale[some]
    lengths = (linalg.solve_triangular(solution.R[:, :rank], Z.T, trans="T", check_finite=False) ** 2).sum(axis=0)
    h = block.weights * (lengths + (1.0 / weight if model.fit_intercept else 0.0))
    return np.column_stack([block.weights, h, block.y.reshape(len(block), -1) - block.X @ W - b])


def influence_measures(leverage: Array, residual: Array, weight: Array, squares: Any, p: int, n: int) -> Influence:
    """(2) to (6)."""
    shape = (-1, *(1,) * (residual.ndim - 1))
    h, w, df = leverage.reshape(shape), weight.reshape(shape), n - p
    alone = (1.0 - h < ALONE) | (w == 0)
    rest = np.where(alone, np.nan, 1.0 - h)
    with np.errstate(divide="ignore", invalid="ignore"):
        own = w * residual**2 / rest
        standardised = np.sqrt(w / rest) * residual / np.sqrt(squares / df if df > 0 else np.nan)
        without = np.maximum(squares - own, 0.0) / (df - 1) if df > 1 else np.full_like(own, np.nan)
        studentised = np.sqrt(w / rest) * residual / np.sqrt(without)
        distance = standardised**2 * h / (rest * p)
        dffits = studentised * np.sqrt(h / rest)
    return Influence(leverage, residual, standardised, studentised, distance, dffits, p)


@dataclass(frozen=True, eq=False)
class Influence:
    """The influence of each row on a fit.

    Attributes
    ----------
    leverage : ndarray of shape (n_rows,)
        (1), between 0 and 1; above 2·p/n a row is usually looked at.
    residual : ndarray of shape (n_rows,) or (n_rows, n_targets)
        y − ŷ.
    standardised, studentised, cooks_distance, dffits : ndarray of the same shape
        (2), (4), (5) and (6). NaN where a row determines a coefficient by itself, or was not in the fit.
    coefficients : int
        p, the intercept included.
    """

    leverage: Array
    residual: Array
    standardised: Array
    studentised: Array
    cooks_distance: Array
    dffits: Array
    coefficients: int

    def worst(self, count: int = 5) -> Array:
        """The numbers of the rows of largest Cook's distance (of any target), the largest first; NaN come last."""
        distance = self.cooks_distance if self.cooks_distance.ndim == 1 else self.cooks_distance.max(axis=1)
        return np.argsort(-np.nan_to_num(distance, nan=-1.0), kind="stable")[:count]

    def frame(self) -> Any:
        """A pandas frame with a row for each row; several targets have numbered columns."""
        import pandas as pd

        columns: dict[str, Array] = {}
        for name in COLUMNS:
            values = getattr(self, name)
            several = values.ndim == 2
            columns |= {f"{name}_{k}": one for k, one in enumerate(values.T)} if several else {name: values}
        return pd.DataFrame(columns)
