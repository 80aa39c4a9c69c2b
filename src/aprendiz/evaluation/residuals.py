"""Residual diagnostics: is a pattern left in what a regression could not explain?

    e = y − ŷ, against each predictor and against ŷ                                                           (1)

Good residuals have no pattern: no bend (a term is missing), no funnel (the noise is uneven), no run (rows depend on their
neighbours), and are about normal if intervals shall hold. R² says nothing of this: a straight line through a curve can have
0.97.
The tests stand in residual_tests/patterns.py; their p-values for the predictors are raised by Holm's method.

For linear regressions, on the rows of the fit, the tests are the classical ones. For other models, and on other rows, they ask
the same of what is left there. `linear.influence` says which rows decide.

Cost: O(n·d²) for each column, in memory.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.inputs import is_read_in_blocks
from aprendiz.core.parameters import ParameterError
from aprendiz.core.pictures import Picture, display
from aprendiz.core.rows import Array
from aprendiz.core.short_repr import ShortRepr
from aprendiz.evaluation.description.opened_table import open_table
from aprendiz.evaluation.inputs.labels_and_numbers import measurements, same_rows
from aprendiz.evaluation.residual_tests.patterns import Pattern, breusch_pagan, durbin_watson, missing_square, reset
from aprendiz.evaluation.shapes.normal_tests import NormalTests, normal_tests
from aprendiz.evaluation.significance.adjusted_p_values import holm
from aprendiz.evaluation.words.tables import align, short
from aprendiz.locale import _, format_whole, number

FEWEST = 8  # rows for a judgement


def residuals(model: Any, X: Any, y: Any, *, level: float = 0.05) -> Residuals:
    """Look for patterns in the residuals of a fitted regression.

    Parameters
    ----------
    model : fitted regressor
        Or a pipeline that ends in one.
    X : table in memory
        Usually the rows of the fit. Columns of words, and columns with missing cells, go to the model but are not tested.
    y : array-like of shape (n_samples,)
    level : float, default=0.05
        p-values below it are findings.

    Returns
    -------
    Residuals

    Examples
    --------
    >>> from aprendiz import LinearRegression
    >>> x = np.linspace(-1, 1, 50)[:, None]
    >>> y = np.exp(x[:, 0]) + 0.01 * np.cos(40 * x[:, 0])
    >>> found = residuals(LinearRegression().fit(x, y), x, y)
    >>> found.patterns[0].shape, found.patterns[0].p < 1e-10
    ('U', True)
    """
    if not 0 < level < 1:
        raise ParameterError(f"level must lie between 0 and 1, such as 0.05, got {level!r}.")
    if is_read_in_blocks(X):
        raise TypeError("residuals compares all rows with each other: give a table in memory, such as some of the rows.")
    check_is_fitted(model)
    observed, fitted = measurements("y", y), measurements("the prediction", model.predict(X))
    if observed.ndim != 1 or fitted.ndim != 1:
        raise ValueError(f"y has shape {observed.shape}, the prediction {fitted.shape}: look at one target at a time.")
    same_rows("y", observed, "X", fitted)
    if len(observed) < FEWEST:
        raise ValueError(f"There are {len(observed)} rows: patterns need at least {FEWEST}.")
    opened = open_table(X)
    table = opened.rows.each(lambda block: np.array(block.X, dtype=np.float64))
    whole = np.asarray(~np.isnan(table).any(axis=0))
    names, table = tuple(name for name, ok in zip(opened.numbers, whole, strict=True) if ok), table[:, whole]
    return diagnose(observed, fitted, names, table, level)


def diagnose(observed: Array, fitted: Array, names: tuple[str, ...], table: Array, level: float) -> Residuals:
    """All tests of the residuals observed − fitted."""
    e = observed - fitted
    patterns = [missing_square(name, e, table, column) for name, column in zip(names, table.T, strict=True)]
    raised = holm([one.p for one in patterns])
    return Residuals(
        observed=observed,
        fitted=fitted,
        residual=e,
        columns=names,
        predictors=table,
        patterns=tuple(replace(one, p_holm=p) for one, p in zip(patterns, raised, strict=True)),
        against_fitted=missing_square("", e, table, fitted),
        reset=reset(e, table, fitted),
        breusch_pagan=breusch_pagan(e, table, fitted),
        durbin_watson=durbin_watson(e),
        normality=normal_tests("", None, e),
        level=level,
    )


@dataclass(frozen=True, eq=False, repr=False)
class Residuals(ShortRepr):
    """The residuals of a regression and what was found in them; printed, the tests and what follows.

    Attributes
    ----------
    observed, fitted, residual : ndarray of shape (n_rows,)
        y, ŷ and y − ŷ.
    columns : tuple of str
    predictors : ndarray of shape (n_rows, n_columns)
        The columns of numbers without missing cells.
    patterns : tuple of Pattern
        The test of a missing square for each of them.
    against_fitted : Pattern
        The same for the predictions.
    reset, breusch_pagan, durbin_watson : (float, float)
        Statistic and p-value: missing powers of the predictions, uneven noise, dependence of rows in order.
    normality : NormalTests
        The residuals beside the normal distribution.
    level : float
        p-values below it are findings.
    """

    observed: Array
    fitted: Array
    residual: Array
    columns: tuple[str, ...]
    predictors: Array
    patterns: tuple[Pattern, ...]
    against_fitted: Pattern
    reset: tuple[float, float]
    breusch_pagan: tuple[float, float]
    durbin_watson: tuple[float, float]
    normality: NormalTests
    level: float

    @property
    def bent(self) -> tuple[Pattern, ...]:
        """The predictors whose square is missing, the clearest first."""
        return tuple(sorted((one for one in self.patterns if one.p_holm < self.level), key=lambda one: one.p_holm))

    def findings(self) -> list[str]:
        """What follows, with remedies, in sentences."""
        words = {"U": _("a U"), "arch": _("an arch")}
        found = [
            _(
                "Residuals against {name} form {shape} (p = {p}): a term is missing. Add the square of {name}, or a curve."
            ).format(name=repr(one.name), shape=words[one.shape], p=number(one.p_holm, 2))
            for one in self.bent
        ]
        if not found and self.reset[1] < self.level:
            found.append(
                _("Powers of the predictions explain the residuals (RESET, p = {p}): products or curves are missing.").format(
                    p=number(self.reset[1], 2)
                )
            )
        if self.breusch_pagan[1] < self.level:
            found.append(
                _("The noise is uneven (Breusch–Pagan, p = {p}): transform the target, or weight the rows.").format(
                    p=number(self.breusch_pagan[1], 2)
                )
            )
        if self.normality.p < self.level:
            found.append(
                _(
                    "The residuals do not look normal (p = {p}): prediction intervals may be wrong, coefficients less so."
                ).format(p=number(self.normality.p, 2))
            )
        return found

    def plot(self, against: Any = None, ax: Any = None) -> Picture:
        """Draw predictions and residuals, as a `ResidualsDisplay`: against a column (by default the one with the clearest
        bend), or with against="" against the predictions. Needs matplotlib."""
        named = [one for one in self.patterns if not np.isnan(one.p)]
        if against is None and named:
            against = min(named, key=lambda one: one.p_holm).name
        if against is None or against == "":
            return display("ResidualsDisplay")(self.observed, self.fitted, curve=True).plot(ax)
        if str(against) not in self.columns:
            raise KeyError(f"There is no column {against!r} among {', '.join(map(repr, self.columns))}.")
        values = self.predictors[:, self.columns.index(str(against))]
        return display("ResidualsDisplay")(self.observed, self.fitted, against=values, name=str(against), curve=True).plot(ax)

    def __str__(self) -> str:
        fitted = self.against_fitted
        lines = [[_("test"), _("statistic"), "p"]]
        for one in self.patterns:
            lines.append([_("square of {name} (Holm)").format(name=short(one.name)), number(one.f), number(one.p_holm, 2)])
        lines.append([_("square of the prediction"), number(fitted.f), number(fitted.p, 2)])
        lines.append(["RESET", number(self.reset[0]), number(self.reset[1], 2)])
        lines.append([_("even noise (Breusch–Pagan)"), number(self.breusch_pagan[0]), number(self.breusch_pagan[1], 2)])
        lines.append([_("rows in order (Durbin–Watson)"), number(self.durbin_watson[0]), number(self.durbin_watson[1], 2)])
        lines.append([_("normal (Shapiro–Wilk)"), number(self.normality.shapiro[0]), number(self.normality.p, 2)])
        head = _("{rows} residuals, standard deviation {sd}").format(
            rows=format_whole(len(self.residual)), sd=format_sd(self.residual)
        )
        return "\n".join([head, align(lines), *(self.findings() or [_("No pattern was found.")])])


def format_sd(e: Array) -> str:
    """Root of the mean square of the residuals."""
    return number(float(np.sqrt(np.mean(e**2))))
