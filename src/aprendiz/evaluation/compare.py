"""Which of several learners is better on a table, and how sure is that?

    compare(evaluations)                                       each against the best: corrected t-test, Holm's method
    compare(evaluations, test="corrected_t")                   all pairs by a given test, or a control against the others
    compare(learners, X, y, test=…)                            the same, evaluated on the same splits first
    compare({"a": scores, "b": scores}, test=…, n_test=, n_train=)     scores in the same folds
    compare({"a": (30, 100), "b": (20, 100)}, test="z")        errors and rows on two independent samples
    compare({"a": 15, "b": 4}, test="mcnemar", n_test=200)     rows that only the one, and only the other, gets right

The tests stand in significance/tests_of_pairs.py; several tables are compared by `compare_over_tables`. Every result says
what the test takes for granted, and what of it is broken.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.special import ndtri

from aprendiz.evaluation import Comparison, Evaluation, Score
from aprendiz.evaluation.folds.splits import Protocol
from aprendiz.evaluation.intervals.row_intervals import wilson
from aprendiz.evaluation.significance.bayesian_t import Rope
from aprendiz.evaluation.significance.finding import Alternative
from aprendiz.evaluation.significance.fold_scores import (
    FoldScores,
    common_metric,
    folds_of_arrays,
    folds_of_evaluations,
    refuse_missing_scores,
    refuse_other_rows,
)
from aprendiz.evaluation.significance.given import evaluated, kind_of, refuse_unused
from aprendiz.evaluation.significance.leaderboard import leaderboard
from aprendiz.evaluation.significance.mcnemar import mcnemar
from aprendiz.evaluation.significance.options import Options, checked_options
from aprendiz.evaluation.significance.pairwise import chosen_pairs, compare_pairs, record
from aprendiz.evaluation.significance.row_counts import (
    counted_errors,
    given_disagreements,
    given_errors,
    refuse_numbers,
    refuse_repeated_rows,
)
from aprendiz.evaluation.significance.signed_rank import Zeros
from aprendiz.evaluation.significance.tests_of_pairs import COUNT_TESTS, FOLD_TESTS, ROW_TESTS, VARIANTS, of_rows
from aprendiz.evaluation.significance.two_proportions import two_proportions


def compare(
    results: Mapping[str, Any],
    X: Any = None,
    y: Any = None,
    *,
    test: str | None = None,
    metric: str | None = None,
    level: float = 0.05,
    alternative: Alternative = "two-sided",
    rope: float | Rope | None = None,
    control: str | None = None,
    protocol: Protocol | None = None,
    groups: Any = None,
    n_test: Any = None,
    n_train: Any = None,
    pooled: bool = False,
    zeros: Zeros = "split",
    more_is_better: bool | None = None,
) -> Comparison:
    """Compare learners on one table.

    Parameters
    ----------
    results : mapping of names to Evaluations, learners, arrays of scores of folds, or counts
        Learners are evaluated on X, y first, all on the same splits. Counts are (errors, rows) for "z", and for McNemar's tests
        the number of rows that only this learner gets right.
    test : str, optional
        corrected_t, paired_t, 5x2cv_t, 5x2cv_f, wilcoxon, sign, bayesian_t, paired_z, mcnemar, mcnemar_mid_p,
        mcnemar_corrected or z. By default each learner is compared with the best, by corrected_t, or paired_z on a single
        split.
    metric : str, optional
        By default the first of the evaluations.
    level : float, default=0.05
        Of significance; intervals have 1 − level.
    alternative : "two-sided", "greater" or "less"
        Of the difference, first − second, in the unit of the measure.
    rope : float or two numbers, optional
        The region of practical equivalence of "bayesian_t"; 0.01 for measures with both ends.
    control : str, optional
        Compare this one with each other, instead of all pairs.
    protocol, groups : for learners, as in `evaluate`
        By default KFolds(10); Repeated(2, 5) for 5×2cv, Holdout() for McNemar's tests.
    n_test, n_train : rows of the folds of arrays; for McNemar's counts n_test is the number of all rows
    pooled : bool, default=False
        The variance of "z" for equal errors.
    zeros : "split", "drop" or "pratt"
        What "wilcoxon" and "sign" do with differences of zero.
    more_is_better : bool, optional
        Of arrays without a metric; True by default.

    Returns
    -------
    Comparison
        Also a sequence of `Standing`s, from best to worst.

    Examples
    --------
    >>> found = compare({"h1": (30, 100), "h2": (20, 100)}, test="z", alternative="greater")
    >>> round(found.statistic, 5), round(found.p_value, 6)
    (1.64399, 0.050089)
    """
    kind = kind_of(results, X, test)
    refuse_unused(kind, test, metric, pooled, protocol=protocol, groups=groups, n_test=n_test, n_train=n_train)
    if kind == "learners":
        results, kind = evaluated(results, X, y, test, metric, protocol, groups), "evaluations"
    if kind == "evaluations":
        metric = checked_metric(results, test, metric)
    options = checked_options(test, metric, level, alternative, rope, zeros, more_is_better, pooled=pooled)
    if kind == "counts":
        return of_counts(results, str(test), options, control, n_test)
    if test is None and control is not None:
        raise ValueError('Without test each learner is compared with the best: for a control, give test="corrected_t".')
    if kind == "evaluations" and test is None:
        return leaderboard(results, str(metric), options)
    if test in ROW_TESTS:
        return of_evaluated_rows(results, test, options, control, metric)
    folds = (
        folds_of_evaluations(results, str(metric))
        if kind == "evaluations"
        else folds_of_arrays(results, metric, n_test, n_train)
    )
    return of_folds(folds, test or "corrected_t", options, control)


def checked_metric(evaluations: Mapping[str, Evaluation], test: str | None, metric: str | None) -> str | None:
    """The measure of evaluations that may be set side by side; tests of counts have their own."""
    if test in COUNT_TESTS:
        refuse_numbers(evaluations, str(test))
    else:
        metric = common_metric(evaluations, metric)
    if test != "z":
        refuse_other_rows(evaluations)
    return metric


def of_folds(folds: FoldScores, test: str, options: Options, control: str | None) -> Comparison:
    """A test of paired folds."""
    refuse_missing_scores(folds)
    if np.ptp(folds.scores, axis=0).max() == 0:
        raise ValueError(
            f"{', '.join(map(repr, folds.names))} have the same score in every fold: there is no difference to test."
        )
    scores = {name: folds.score(i, options.level) for i, name in enumerate(folds.names)}
    pairs, names = chosen_pairs(folds.names, control), folds.names
    more = {"metric": folds.metric, "control": control, "folds": {"": folds}}
    return compare_pairs(lambda i, j: FOLD_TESTS[test](folds, i, j, options), pairs, test, names, options, scores, **more)


def of_evaluated_rows(
    evaluations: Mapping[str, Evaluation], test: str, options: Options, control: str | None, metric: str | None
) -> Comparison:
    """A test of rows that were predicted."""
    refuse_repeated_rows(evaluations, test)
    if test in COUNT_TESTS:
        metric = "error" if test == "z" else "accuracy"
        options = replace(options, more_is_better=test != "z")
        errors = dict(zip(evaluations, counted_errors(evaluations), strict=True))
        scores = {name: share_score(metric, e if test == "z" else n - e, n, options.level) for name, (e, n) in errors.items()}
    else:
        scores = {name: one.score(metric) for name, one in evaluations.items()}
    names = tuple(evaluations)
    pairs, more = chosen_pairs(names, control), {"metric": metric, "control": control}
    return compare_pairs(
        lambda i, j: of_rows(evaluations, i, j, options, test, str(metric)), pairs, test, names, options, scores, **more
    )


def of_counts(counts: Mapping[str, Any], test: str, options: Options, control: str | None, n_rows: Any) -> Comparison:
    """A test of counts that are given."""
    how: dict[str, Any] = {"level": options.level, "alternative": options.alternative}
    if test in VARIANTS:
        b, c, n = given_disagreements(counts, n_rows)
        return record(mcnemar(b, c, n, variant=VARIANTS[test], **how), test, tuple(counts), options, metric="accuracy")
    options = replace(options, more_is_better=False)
    found, names = given_errors(counts), tuple(counts)
    scores = {name: share_score("error", e, n, options.level) for name, (e, n) in zip(names, found, strict=True)}
    pairs = chosen_pairs(names, control)
    return compare_pairs(
        lambda i, j: two_proportions(*zip(found[i], found[j], strict=True), pooled=options.pooled, **how),
        pairs, test, names, options, scores, metric="error", control=control,
    )  # fmt: skip


def share_score(metric: str, count: int, rows: int, level: float) -> Score:
    """A share of rows with Wilson's interval."""
    share = count / rows
    return Score(metric, share, *wilson(share, rows, float(ndtri(1 - level / 2))), np.array([share]))
