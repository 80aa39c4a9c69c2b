"""What a least squares fit says beyond its coefficients: standard errors, tests, intervals, and how well it fits.

With Z = QR the centred columns (rows times √ω), n rows that count, p coefficients with the intercept, and ν = n − p,

    σ̂² = Σ ω r²/ν                                  residual variance: a row has the variance σ²/ω               (1)
    Var ŵ = σ̂²·(RᵀR)⁻¹,     Var b̂ = σ̂²·(1/Ω + ‖R⁻ᵀx̄‖²)                                                       (2)
    t = ŵ/√Var ŵ,           ŵ ± t_ν(level)·√Var ŵ    Student's t with ν degrees of freedom                      (3)
    R² = 1 − Σ ω r²/Σ ω (y − ȳ)²,     adjusted 1 − (1 − R²)·(n − 1)/ν                                         (4)
    F = (Σ ω (y − ȳ)² − Σ ω r²)/(p − 1)/σ̂²           are all slopes zero?                                      (5)
    ln L = ½·(Σ ln ω − n·(ln(2π·Σ ω r²/n) + 1))      Gaussian noise, at its maximum                            (6)
    AIC = −2·ln L + 2(p + 1),     BIC = −2·ln L + (p + 1)·ln n      σ is counted as a parameter, as R does      (7)

Without an intercept y is not centred in (4) and (5), and n − 1 and p − 1 become n and p. Weights are precisions, as in R's lm:
a row of weight 2 is one row with half the variance, not two rows.

All of it follows from the sums of the fit; (2) from R itself, so that κ is not squared. A coefficient that the data do not
determine, because its column depends on others, has no standard error (NaN), and the dependent columns are named.

Cost: d³, no pass over the rows.
Reference: Seber & Lee, "Linear regression analysis", 2nd ed., 2003, chapters 3–5 and 11.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import linalg
from scipy.special import fdtrc, stdtr, stdtrit

from aprendiz.core.blas import single_blas
from aprendiz.core.html import Html, ShownAsHtml, box, sentence, table, title
from aprendiz.core.precision import double
from aprendiz.core.rows import Array
from aprendiz.linear import LinearRegression
from aprendiz.linear.solvers.least_squares import Solution, below, orthogonal, squares_left
from aprendiz.locale import _, format_whole, number, percent
from aprendiz.summaries.moments import Triangle

NULL = 1e-10  # length of what is left of a column (of length 1) that depends on others
PERFECT = 1e-13  # residuals below this part of y are rounding
MOST_NAMED = 5  # columns that are named


def summaries(model: LinearRegression, level: float) -> list[RegressionSummary]:
    """A summary for each target of a fitted model."""
    if not (isinstance(level, (int, float)) and 0 < level < 1):
        raise ValueError(f"level must be a number between 0 and 1, such as 0.95, got {level!r}.")
    if model.positive:
        raise ValueError("positive=True has no standard errors of this kind: fit with positive=False for a summary.")
    with single_blas():
        frame = Frame.of(model)
        found = [frame.summary(model, target, level) for target in range(len(frame.total))]
    if frame.dependent:
        warnings.warn(found[0].notes[0], linalg.LinAlgWarning, stacklevel=3)
    return found


@dataclass(frozen=True)
class Frame:
    """What the summaries of all targets share: names, roots of the variances of (2) for σ = 1, and sums."""

    names: tuple[str, ...]
    unit_error: Array
    dependent: dict[str, tuple[str, ...]]
    condition: float
    p: int
    n: int
    total: Array  # Σ ω (y − ȳ)² of each target
    log_weight: float

    @classmethod
    def of(cls, model: LinearRegression) -> Frame:
        record, intercept = model.sums_, model.fit_intercept
        triangle = model.triangle(record)
        names = tuple(map(str, getattr(model, "feature_names_in_", [f"x{j}" for j in range(record.columns)])))
        solution = orthogonal(triangle, intercept, False)
        W = np.reshape(double(model.coef_), (-1, record.columns)).T
        return cls(
            names=("(intercept)", *names) if intercept else names,
            unit_error=unit_errors(solution, float(record.weight), intercept),
            dependent=dependent_columns(triangle, solution, intercept, names),
            condition=condition_of(solution),
            p=solution.rank + intercept,
            n=int(record.rows),
            total=squares_left(record, W, intercept)[1],
            log_weight=float(getattr(record, "log_weight", 0.0)),
        )

    def summary(self, model: LinearRegression, target: int, level: float) -> RegressionSummary:
        """(1) to (7) of one target."""
        coef, b = np.atleast_2d(double(model.coef_))[target], np.atleast_1d(double(model.intercept_))
        estimate = np.append(b[target], coef) if model.fit_intercept else coef
        rss, tss = float(np.atleast_1d(model.residual_sum_)[target]), float(self.total[target])
        n, p, df, slopes = self.n, self.p, self.n - self.p, self.p - model.fit_intercept
        with np.errstate(divide="ignore", invalid="ignore"):
            variance = rss / df if df > 0 else np.nan
            error = np.sqrt(variance) * self.unit_error
            t = estimate / error
            half = stdtrit(df, 0.5 + level / 2.0) * error if df > 0 else error
            r2 = 1.0 - rss / tss if tss > 0 else np.nan
            F = np.divide(max(0.0, tss - rss) / slopes, variance) if slopes > 0 and tss > 0 else np.nan
            spread = np.log(2.0 * np.pi * np.divide(rss, n)) + 1.0 if df > 0 else np.nan
        likelihood = 0.5 * (self.log_weight - n * spread)
        return RegressionSummary(
            names=self.names,
            estimate=estimate,
            standard_error=error,
            t=t,
            p=2.0 * stdtr(df, -np.abs(t)) if df > 0 else t,
            low=estimate - half,
            high=estimate + half,
            level=float(level),
            residual_sd=float(np.sqrt(variance)),
            residual_df=df,
            residual_sum=rss,
            r2=r2,
            adjusted_r2=1.0 - (1.0 - r2) * (n - model.fit_intercept) / df if df > 0 else np.nan,
            f=float(F),
            f_df=(slopes, df),
            f_p=float(fdtrc(slopes, df, F)) if df > 0 and slopes > 0 else np.nan,
            log_likelihood=float(likelihood),
            aic=float(-2.0 * likelihood + 2 * (p + 1)),
            bic=float(-2.0 * likelihood + (p + 1) * np.log(n)),
            rows=n,
            condition=self.condition,
            dependent=self.dependent,
            perfect=df > 0 and rss <= PERFECT**2 * tss,
            certified=bool(model.certificate_.holds),
        )


# ---- the triangle ----------------------------------------------------------------------------------------------------


def unit_errors(solution: Solution, weight: float, intercept: bool) -> Array:
    """√ of the variances (2) for σ = 1, that of b first; NaN where the data do not determine a coefficient."""
    T, d = solution.R, len(solution.scale)
    wanted = np.diag(1.0 / solution.scale)
    if intercept:
        wanted = np.column_stack([solution.mean / solution.scale, wanted])
    wanted = wanted[solution.order]
    if solution.rank == d:
        lengths = (linalg.solve_triangular(T, wanted, trans="T", check_finite=False) ** 2).sum(axis=0)
    else:
        V, L = np.linalg.qr(T.T)
        inside = V.T @ wanted
        missing = np.linalg.norm(wanted - V @ inside, axis=0) > 1e-7 * np.linalg.norm(wanted, axis=0)
        lengths = (
            (linalg.solve_triangular(L, inside, check_finite=False) ** 2).sum(axis=0) if len(T) else np.zeros(len(missing))
        )
        lengths[missing] = np.nan
    if intercept:
        lengths[0] += 1.0 / weight
    return np.sqrt(lengths)


def condition_of(solution: Solution) -> float:
    """Largest over smallest singular value of the independent columns, scaled to length 1."""
    if not solution.rank:
        return 1.0
    values = linalg.svdvals(solution.R, check_finite=False)
    return float(values[0] / values[-1])


def dependent_columns(
    triangle: Triangle, solution: Solution, intercept: bool, names: Sequence[str]
) -> dict[str, tuple[str, ...]]:
    """Columns that are combinations of columns before them, with the names of those; of none if they are constant."""
    d = len(names)
    if solution.rank == d:
        return {}
    Z = below(triangle, intercept)[:, :d] / solution.scale
    Q, kept, found = np.zeros((len(Z), 0)), list[int](), dict[str, tuple[str, ...]]()
    for j in range(d):
        v = Z[:, j] - Q @ (Q.T @ Z[:, j])
        v -= Q @ (Q.T @ v)
        size = float(np.linalg.norm(v))
        if size > NULL and len(kept) < solution.rank:
            Q, kept = np.column_stack([Q, v / size]), [*kept, j]
        else:
            share = np.linalg.lstsq(Z[:, kept], Z[:, j], rcond=None)[0]
            matter = np.abs(share) > 1e-6 * np.abs(share).max(initial=1e-6)
            found[names[j]] = tuple(names[k] for k, there in zip(kept, matter, strict=True) if there)
    return found


# ---- the record ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class RegressionSummary(ShownAsHtml):
    """The summary of a least squares fit to one target; `print` shows it as a table.

    Attributes
    ----------
    names : tuple of str
        Of the coefficients, "(intercept)" first if there is one.
    estimate, standard_error, t, p : ndarray of shape (n_coefficients,)
        Coefficients, their standard errors (2), and the test of each against 0 (3).
    low, high : ndarray of shape (n_coefficients,)
        Ends of the intervals of the given `level`.
    residual_sd, residual_df, residual_sum : float, int, float
        σ̂ of (1), ν and Σ ω r².
    r2, adjusted_r2 : float
        (4).
    f, f_df, f_p : float, (int, int), float
        (5), its degrees of freedom and its p-value.
    log_likelihood, aic, bic : float
        (6) and (7).
    rows : int
        That count: of positive weight.
    condition : float
        Condition number of the independent columns, centred and scaled to length 1.
    dependent : dict of str to tuple of str
        Columns that depend on others, and on which; on none if they are constant.
    perfect : bool
        Whether what is left of y is rounding.
    certified : bool
        Whether the certificate of the fit holds.
    """

    names: tuple[str, ...]
    estimate: Array
    standard_error: Array
    t: Array
    p: Array
    low: Array
    high: Array
    level: float
    residual_sd: float
    residual_df: int
    residual_sum: float
    r2: float
    adjusted_r2: float
    f: float
    f_df: tuple[int, int]
    f_p: float
    log_likelihood: float
    aic: float
    bic: float
    rows: int
    condition: float
    dependent: dict[str, tuple[str, ...]]
    perfect: bool
    certified: bool

    @property
    def notes(self) -> tuple[str, ...]:
        """What should be known before the numbers are used, in the current language."""
        said = []
        if self.dependent:
            columns = [describe(name, others) for name, others in list(self.dependent.items())[:MOST_NAMED]]
            columns += ["…"] if len(self.dependent) > MOST_NAMED else []
            words = _("Some columns depend on others, so their coefficients have no standard error: {columns}.")
            said.append(words.format(columns="; ".join(columns)))
        if self.residual_df <= 0:
            said.append(_("There are no more rows than coefficients: no degrees of freedom are left to assess the fit."))
        if self.perfect:
            said.append(_("The fit is perfect up to rounding: standard errors, t and F are rounding errors too."))
        if np.isnan(self.r2):
            said.append(_("The target is constant: there is no R²."))
        if not self.certified:
            said.append(_("The certificate of the fit does not hold: fewer digits are reliable than are shown."))
        return tuple(said)

    def frame(self) -> Any:
        """A pandas frame with a row for each coefficient."""
        import pandas as pd

        columns = {name: getattr(self, name) for name in ("estimate", "standard_error", "t", "p", "low", "high")}
        return pd.DataFrame(columns, index=pd.Index(self.names, name="coefficient"))

    def cells(self) -> list[list[str]]:
        """The table of the coefficients as text, its header first."""
        interval = _("{level} interval").format(level=percent(self.level, 0 if round(100 * self.level, 9) % 1 == 0 else 1))
        rows = [["", _("estimate"), _("standard error"), "t", "p", interval]]
        for k, name in enumerate(self.names):
            ends = f"{number(self.low[k])} … {number(self.high[k])}" if np.isfinite(self.low[k]) else "–"
            shown = _("(intercept)") if name == "(intercept)" else name
            values = map(number, (self.estimate[k], self.standard_error[k], self.t[k]))
            rows.append([shown, *values, probability(self.p[k]), ends])
        return rows

    def quality(self) -> list[list[str]]:
        """What is said of the fit as a whole: names and values."""
        on = _("{value} on {first} and {second} degrees of freedom, p {p}")
        first, second = map(format_whole, self.f_df)
        p = probability(self.f_p)
        F = on.format(value=number(self.f), first=first, second=second, p=p if p[0] in "<–" else f"= {p}")
        return [
            [_("rows"), format_whole(self.rows)],
            [_("residual sd"), _("{value} on {count} degrees of freedom").format(value=number(self.residual_sd), count=second)],
            ["R²", _("{value}, adjusted {adjusted}").format(value=number(self.r2), adjusted=number(self.adjusted_r2))],
            ["F", F],
            [_("log-likelihood"), number(self.log_likelihood, 6)],
            ["AIC, BIC", f"{number(self.aic, 6)}, {number(self.bic, 6)}"],
            [_("condition number"), number(self.condition)],
        ]

    def __str__(self) -> str:
        return "\n\n".join([align(self.cells()), align(self.quality(), left=2), *self.notes])

    def html_parts(self) -> Iterator[Html]:
        """The table of the coefficients, the quality of the fit, and what should be known, for notebooks."""
        head, *rows = self.cells()
        yield title(_("Least squares"))
        yield table(head, rows, numbers=range(1, len(head)))
        yield table(["", ""], self.quality())
        yield from (sentence(note, "bad") for note in self.notes)

    def html(self) -> str:
        """The same as HTML."""
        return box(*self.html_parts())


def describe(name: str, others: tuple[str, ...]) -> str:
    """A dependent column, and on which it depends."""
    if not others:
        return _("{column} (constant)").format(column=name)
    some = [*others[:MOST_NAMED], *(["…"] if len(others) > MOST_NAMED else [])]
    return _("{column} (on {others})").format(column=name, others=", ".join(some))


def probability(p: float) -> str:
    """A p-value to two digits; what is below rounding of 1 is only said to be so."""
    return f"< {number(1e-15, 1)}" if p < 1e-15 else number(p, 2)


def align(rows: list[list[str]], left: int = 1) -> str:
    """Lines of equal columns, two spaces apart, the first ones to the left and the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if j < left else cell.rjust(width)
            for j, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )
