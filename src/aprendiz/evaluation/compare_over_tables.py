"""Which of several learners is better over many tables, and how sure is that?

    compare_over_tables(frame)                                      a row for each table, a column for each learner: ranks
    compare_over_tables({"iris": evaluations, "wine": …})           evaluations, scores of folds or numbers, table by table
    compare_over_tables(…, posthoc="bergmann_hommel")               which pairs differ
    compare_over_tables(…, test="wilcoxon", control="a")            pairs by their differences on each table

Tables differ in difficulty, so scores are compared within a table only: by ranks, signs, or differences. The tests stand in
significance/tests_of_tables.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from aprendiz.evaluation import Comparison
from aprendiz.evaluation.significance.bayesian_t import Rope
from aprendiz.evaluation.significance.finding import Alternative
from aprendiz.evaluation.significance.options import checked_options
from aprendiz.evaluation.significance.signed_rank import Zeros
from aprendiz.evaluation.significance.table_scores import table_scores
from aprendiz.evaluation.significance.tests_of_tables import OMNIBUS, PAIRS, of_pairs, of_ranks


def compare_over_tables(
    scores: Any,
    *,
    test: str = "iman_davenport",
    posthoc: str | None = None,
    metric: str | None = None,
    level: float = 0.05,
    alternative: Alternative = "two-sided",
    rope: float | Rope | None = None,
    control: str | None = None,
    names: Sequence[str] | None = None,
    zeros: Zeros = "split",
    more_is_better: bool | None = None,
    n_test: Any = None,
    n_train: Any = None,
    seed: int = 0,
) -> Comparison:
    """Compare learners over several tables.

    Parameters
    ----------
    scores : mapping of tables to mappings of learners to Evaluations, scores of folds or numbers; or a frame or array
        A frame has a row for each table and a column for each learner; an array too, with `names`.
    test : str, default="iman_davenport"
        Of all learners: iman_davenport, friedman, and both with _uncorrected (for ties). Of pairs: wilcoxon, sign,
        bayesian_signed_rank.
    posthoc : str, optional
        Which learners differ, by their mean ranks: nemenyi (the default), holm, hochberg, shaffer, bergmann_hommel; against a
        control holm (the default), hochberg, bonferroni_dunn. Pairs of wilcoxon and sign have their p-values raised by Holm's
        method.
    metric : str, optional
        By default the first of the evaluations.
    level : float, default=0.05
    alternative, zeros : of wilcoxon and sign, as in `compare`
    rope : float or two numbers, optional
        The region of practical equivalence of bayesian_signed_rank; 0.01 for measures with both ends.
    control : str, optional
        Compare this one with each other, instead of all pairs.
    more_is_better : bool, optional
        Of scores without a metric; True by default.
    n_test, n_train : rows of the folds of arrays, or mappings of tables to them; for `Comparison.to_weka`
    seed : int, default=0
        Of the draws of bayesian_signed_rank.

    Returns
    -------
    Comparison
        With mean ranks, and pairs.

    Examples
    --------
    >>> found = compare_over_tables([[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.9, 0.6, 0.7], [0.7, 0.6, 0.5]], names=["a", "b", "c"])
    >>> found.ranks.tolist(), round(found.p_value, 4)
    ([1.0, 2.25, 2.75], 0.0066)
    """
    if test not in (*OMNIBUS, *PAIRS):
        raise ValueError(f"test = {test!r}: choose one of {', '.join((*OMNIBUS, *PAIRS))}.")
    if posthoc is not None and test in PAIRS:
        raise ValueError(f"posthoc = {posthoc!r} is for tests of all learners, and test={test!r} compares pairs: leave it out.")
    given = table_scores(scores, metric, names, n_test, n_train)
    options = checked_options(test, given.metric, level, alternative, rope, zeros, more_is_better, seed=seed)
    if test in PAIRS:
        return of_pairs(given, test, options, control)
    return of_ranks(given, test, posthoc, options, control)
