"""The tests of learners over several tables, by name.

    iman_davenport, friedman                                three learners or more, their ranks corrected for ties   friedman.py
    iman_davenport_uncorrected, friedman_uncorrected        the same without the correction
    wilcoxon, sign                                          pairs of learners                       signed_rank.py, sign_test.py
    bayesian_signed_rank                                    pairs of learners                        bayesian_signed_rank.py

After a test of all learners, a method of rank_differences.py says which of them differ.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from scipy.special import ndtri

from aprendiz.core.rows import Array
from aprendiz.evaluation import Comparison, Score
from aprendiz.evaluation.significance.bayesian_signed_rank import bayesian_signed_rank
from aprendiz.evaluation.significance.close_values import paired_differences
from aprendiz.evaluation.significance.finding import NAN, Assumption, Finding
from aprendiz.evaluation.significance.friedman import friedman, ranks_of
from aprendiz.evaluation.significance.options import Options
from aprendiz.evaluation.significance.pairwise import chosen_pairs, compare_pairs, record, standings_of
from aprendiz.evaluation.significance.rank_differences import FOR_A_CONTROL, POSTHOC, rank_differences, standard_error
from aprendiz.evaluation.significance.sign_test import sign_test
from aprendiz.evaluation.significance.signed_rank import signed_rank
from aprendiz.evaluation.significance.table_scores import TableScores

OMNIBUS = ("iman_davenport", "friedman", "iman_davenport_uncorrected", "friedman_uncorrected")
PAIRS = ("wilcoxon", "sign", "bayesian_signed_rank")
UNKNOWN_ORIGIN = (Assumption("independent_tables", None),)


def of_pairs(given: TableScores, test: str, options: Options, control: str | None) -> Comparison:
    """Pairs of learners, by the differences of their scores on each table."""

    def finding_of(i: int, j: int) -> Finding:
        d = paired_differences(given.scores[:, i], given.scores[:, j])
        if test == "bayesian_signed_rank":
            assert options.rope is not None
            how: dict[str, Any] = {"more_is_better": options.more_is_better, "seed": options.seed}
            return bayesian_signed_rank(d, options.rope, assumptions=UNKNOWN_ORIGIN, **how)
        how = {"zeros": options.zeros, "level": options.level, "alternative": options.alternative}
        return (signed_rank if test == "wilcoxon" else sign_test)(d, assumptions=UNKNOWN_ORIGIN, **how)

    pairs, names = chosen_pairs(given.names, control), given.names
    more: dict[str, Any] = {"metric": given.metric, "control": control, "tables": given.tables, "folds": given.folds}
    if len(names) == 2:
        return compare_pairs(finding_of, pairs, test, names, options, mean_scores(given), **more)
    found = compare_pairs(finding_of, pairs, test, names, options, {}, **more)
    ranks, ranked = rank_scores(given, options), replace(options, more_is_better=False)
    mean_ranks = np.array([one.value for one in ranks.values()])
    return replace(found, ranks=mean_ranks, standings=standings_of(ranks, found.pairs, ranked))


def mean_scores(given: TableScores) -> dict[str, Score]:
    """The mean over the tables of each learner."""
    metric = given.metric or "score"
    return {name: Score(metric, float(of.mean()), NAN, NAN, of) for name, of in zip(given.names, given.scores.T, strict=True)}


def rank_scores(given: TableScores, options: Options) -> dict[str, Score]:
    """The mean ranks as scores."""
    ranks = ranks_of(given.scores, options.more_is_better)
    return {name: Score("mean rank", float(ranks[:, j].mean()), NAN, NAN, ranks[:, j]) for j, name in enumerate(given.names)}


def of_ranks(given: TableScores, test: str, posthoc: str | None, options: Options, control: str | None) -> Comparison:
    """A test of all learners, and of their mean ranks."""
    if len(given.names) < 3:
        raise ValueError(f'test={test!r} is for three learners or more, and there are two: use test="wilcoxon".')
    method = checked_posthoc(posthoc, control)
    ranks = ranks_of(given.scores, options.more_is_better)
    corrected = not test.endswith("_uncorrected")
    finding = friedman(ranks, iman_davenport="iman" in test, tie_corrected=corrected, assumptions=UNKNOWN_ORIGIN)
    if control is not None:
        chosen_pairs(given.names, control)  # refuses a name that is not there
    ranked = replace(options, more_is_better=False)
    pairs, critical = pairs_of_ranks(given.names, ranks, method, ranked, control)
    return record(
        finding,
        test,
        given.names,
        options,
        metric=given.metric,
        posthoc=method,
        control=control,
        pairs=pairs,
        ranks=ranks.mean(axis=0),
        critical_difference=critical,
        tables=given.tables,
        folds=given.folds,
        standings=standings_of(rank_scores(given, options), pairs, ranked),
    )


def pairs_of_ranks(
    names: tuple[str, ...], ranks: Array, method: str, options: Options, control: str | None
) -> tuple[tuple[Comparison, ...], float]:
    """The differences of mean ranks, and the critical one."""
    (N, k), means = ranks.shape, ranks.mean(axis=0)
    found = rank_differences(means, N, method, options.level, None if control is None else names.index(control))
    error = standard_error(k, N)
    half = float(ndtri(1 - options.level / 2)) * error if np.isnan(found.critical) else found.critical
    pairs = []
    for i, j, z, p, adjusted in zip(found.first, found.second, found.z, found.p_values, found.adjusted, strict=True):
        difference = float(means[i] - means[j])
        finding = Finding(
            estimate=difference,
            interval=(difference - half, difference + half),
            standard_error=error,
            statistic=float(z),
            statistic_name="z",
            p_value=float(p),
        )
        pairs.append(record(finding, "ranks", (names[i], names[j]), options, adjusted=float(adjusted)))
    return tuple(pairs), found.critical


def checked_posthoc(posthoc: str | None, control: str | None) -> str:
    """The method: the given one, which must suit the pairs; by default Nemenyi's for all, Holm's against a control."""
    if posthoc is None:
        return "nemenyi" if control is None else "holm"
    if posthoc not in POSTHOC:
        raise ValueError(f"posthoc = {posthoc!r}: choose one of {', '.join(POSTHOC)}.")
    if control is None and posthoc == "bonferroni_dunn":
        raise ValueError("Bonferroni and Dunn's method compares with a control: say which, as in control='name'.")
    if control is not None and posthoc not in FOR_A_CONTROL:
        raise ValueError(f"posthoc={posthoc!r} is for all pairs; against a control choose one of {', '.join(FOR_A_CONTROL)}.")
    return posthoc
