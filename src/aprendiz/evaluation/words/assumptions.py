"""What tests take for granted, in sentences: one where it holds, one where it does not, which names the remedy."""

from __future__ import annotations

from typing import Any

from aprendiz.evaluation.significance.finding import Assumption
from aprendiz.locale import _, number

Both = tuple[str, str]


def assumption_in_words(one: Assumption) -> str:
    """The sentence of an assumption: that it holds, that it is broken, or that the numbers cannot tell."""
    holds, broken = {**of_samples(), **of_folds(), **of_differences(), **of_ranks()}[one.code]
    values: dict[str, Any] = {key: number(value, 3) for key, value in one.values.items()}
    if one.broken is None:
        return _("Not checked: {assumption}").format(assumption=holds.format(**values))
    return (broken if one.broken else holds).format(**values)


def of_samples() -> dict[str, Both]:
    """Of counts of rows."""
    return {
        "independent_samples": (
            _("Each learner was judged on a sample of its own."),
            _('Both were judged on the same rows, so the samples are not independent: use test="mcnemar".'),
        ),
        "large_counts": (
            _("Each sample has at least {needed} errors and {needed} hits."),
            _("A sample has only {fewest} errors or hits, and the normal approximation needs {needed}."),
        ),
        "enough_disagreements": (
            _("The learners disagree on at least {needed} rows."),
            _('The learners disagree on {count} rows, and χ² needs {needed}: use test="mcnemar", which is exact.'),
        ),
        "one_model_each": (
            _("Each learner was fitted once: two models are compared."),
            _("{folds} models of each learner were tested, and how much they vary with their training rows is not known here."),
        ),
        "rows_once": (
            _("Each row was tested once."),
            _("Rows were tested several times, but the test takes them for different rows."),
        ),
    }


def of_folds() -> dict[str, Both]:
    """Of folds."""
    return {
        "test_rows": (
            _("Every test fold has at least {needed} rows."),
            _("The smallest test fold has {fewest} rows, fewer than {needed}: its score may be far from normal."),
        ),
        "separate_training": (
            _("The folds share no training rows."),
            _('The folds share training rows, so the interval is too narrow: use test="corrected_t".'),
        ),
        "corrected_training": (_("That folds share training rows is corrected for."), ""),
        "half_splits": (
            _("Every split is into halves."),
            _("A split has {test} test rows and {train} training rows, not halves: use Repeated(2, 5)."),
        ),
        "independent_tables": (_("The tables are independent of each other."), ""),
    }


def of_differences() -> dict[str, Both]:
    """Of differences."""
    return {
        "normal_differences": (
            _("The differences look normal (Shapiro–Wilk, p = {p})."),
            _('The differences do not look normal (Shapiro–Wilk, p = {p}): test="wilcoxon" or "sign" does not need that.'),
        ),
        "differences_vary": (
            _("The differences vary."),
            _("All differences are equal: nothing tells how much they vary by chance."),
        ),
        "enough_differences": (
            _("At least {needed} differences are not zero."),
            _("Differences that are not zero: {count}. Fewer than {needed} cannot reach p < 0.05."),
        ),
        "zeros_split": (
            _("No difference is zero."),
            _("Differences of zero: {count}, split between both sides."),
        ),
        "zeros_drop": (
            _("No difference is zero."),
            _("Differences of zero: {count}, left out."),
        ),
        "zeros_pratt": (
            _("No difference is zero."),
            _("Differences of zero: {count}, ranked and then left out."),
        ),
    }


def of_ranks() -> dict[str, Both]:
    """Of ranks."""
    return {
        "ties_exact": (
            _("No two differences have the same size."),
            _("Differences with the size of another: {count}. They share mean ranks, for which the p-value is exact."),
        ),
        "ties_normal": (
            _("No two differences have the same size."),
            _("Differences with the size of another: {count}. They share mean ranks, and the variance is corrected for it."),
        ),
        "ties_in_ranks": (
            _("No two learners tie on a table."),
            _("Learners tie on some tables: they share mean ranks, and the statistic is corrected for it."),
        ),
        "ties_in_ranks_uncorrected": (
            _("No two learners tie on a table."),
            _("Learners tie on some tables: the statistic, which is not corrected for it, is too small."),
        ),
        "enough_tables": (
            _("There are more than {needed} tables and at least {wanted} learners."),
            _("For {learners} learners on {tables} tables χ² is a rough approximation: iman_davenport is closer."),
        ),
    }
