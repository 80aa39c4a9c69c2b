"""The statistics of columns that are sums over the rows: what each asks of the target, and its answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from aprendiz.core.inputs import Target, refuse_empty_sums
from aprendiz.core.rows import Rows
from aprendiz.selection.scores.class_ranks import kruskal_wallis
from aprendiz.selection.scores.class_totals import chi_squared, class_totals
from aprendiz.selection.scores.class_variation import analysis_of_variance, class_variation
from aprendiz.selection.scores.covariation import Covariation, analysis_of_regression, covariation
from aprendiz.selection.scores.scored import Scored, refuse_vanished


class Statistic(NamedTuple):
    """What the target must be, and the scores of the columns of some rows."""

    target: Target
    of: Callable[[Rows], Scored]


def anova(rows: Rows) -> Scored:
    """F of the classes."""
    sums = class_variation(rows)
    refuse_empty_sums(sums.weight, sums.finite, rows)
    refuse_vanished(sums.vanished_columns, rows.names)
    return analysis_of_variance(sums)


def sums_with_target(rows: Rows) -> Covariation:
    """The sums of columns with a target of numbers."""
    sums = covariation(rows)
    refuse_empty_sums(sums.weight, sums.finite, rows)
    refuse_vanished(sums.vanished_columns, rows.names)
    return sums


def regression(rows: Rows) -> Scored:
    """F of the regression on each column."""
    sums = sums_with_target(rows)
    return analysis_of_regression(sums.correlation, sums.weight - 2.0, sums.rounding)


def finite_regression(rows: Rows) -> Scored:
    """The same with 0 for a constant column, and the largest double for a line."""
    F, p, rounding = regression(rows)
    assert p is not None
    nothing = np.isnan(F)
    return Scored(np.where(nothing, 0.0, np.minimum(F, np.finfo(np.float64).max)), np.where(nothing, 1.0, p), rounding)


def signed_correlation(rows: Rows) -> Scored:
    """r, 0 for a constant column."""
    sums = sums_with_target(rows)
    return Scored(np.nan_to_num(sums.correlation, nan=0.0), None, sums.rounding)


def size_of_correlation(rows: Rows) -> Scored:
    """|r| and the p-value of its F."""
    sums = sums_with_target(rows)
    p = analysis_of_regression(sums.correlation, sums.weight - 2.0, sums.rounding).pvalues
    return Scored(np.abs(sums.correlation), p, sums.rounding)


def shared_variance(rows: Rows) -> Scored:
    """r², the share of the variance of the target that a line explains, and its p-value."""
    r, p, rounding = size_of_correlation(rows)
    assert rounding is not None
    return Scored(r**2, p, rounding * (2.0 * r + rounding))


def chi_squared_of_counts(rows: Rows) -> Scored:
    """χ² of totals."""
    return chi_squared(class_totals(rows))


ANOVA, REGRESSION, FINITE_REGRESSION = (
    Statistic("classes", anova),
    Statistic("numbers", regression),
    Statistic("numbers", finite_regression),
)
SIGNED_CORRELATION, CORRELATION = Statistic("numbers", signed_correlation), Statistic("numbers", size_of_correlation)
SHARED_VARIANCE = Statistic("numbers", shared_variance)
CHI_SQUARED, KRUSKAL = Statistic("classes", chi_squared_of_counts), Statistic("classes", kruskal_wallis)
