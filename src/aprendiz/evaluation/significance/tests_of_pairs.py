"""The tests of two learners on one table, by name.

corrected_t          t of paired folds, corrected for shared training rows (Nadeau & Bengio)     resampled_t.py
paired_t             t of paired folds, as the course has it                                       resampled_t.py
5x2cv_t, 5x2cv_f     five times two halves (Dietterich, Alpaydın)                                  five_by_two.py
wilcoxon, sign       ranks and signs of the differences of the folds                               signed_rank.py, sign_test.py
bayesian_t           posterior of the difference (Corani & Benavoli)                               bayesian_t.py
paired_z             what the rows add to a measure, on one test set                               paired_rows.py
mcnemar, mcnemar_mid_p, mcnemar_corrected     rows that only one gets right                        mcnemar.py
z                    two independent samples                                                       two_proportions.py
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from aprendiz.evaluation import METRICS, Evaluation
from aprendiz.evaluation.significance.bayesian_t import bayesian_t
from aprendiz.evaluation.significance.finding import Finding
from aprendiz.evaluation.significance.five_by_two import five_by_two_f, five_by_two_t
from aprendiz.evaluation.significance.fold_scores import FoldScores, normality
from aprendiz.evaluation.significance.mcnemar import Variant, mcnemar
from aprendiz.evaluation.significance.options import Options
from aprendiz.evaluation.significance.paired_rows import paired_rows
from aprendiz.evaluation.significance.resampled_t import resampled_t
from aprendiz.evaluation.significance.row_counts import (
    counted_disagreements,
    counted_errors,
    judged_on_same_rows,
    model_checks,
)
from aprendiz.evaluation.significance.sign_test import sign_test
from aprendiz.evaluation.significance.signed_rank import signed_rank
from aprendiz.evaluation.significance.two_proportions import two_proportions

VARIANTS: dict[str, Variant] = {"mcnemar": "exact", "mcnemar_mid_p": "mid-p", "mcnemar_corrected": "corrected"}


# ---- of the folds ------------------------------------------------------------------------------------------------------


def of_paired_t(folds: FoldScores, i: int, j: int, options: Options) -> Finding:
    d = folds.differences(i, j)
    checks = (*folds.checks(corrected=False), normality(d))
    return resampled_t(d, level=options.level, alternative=options.alternative, assumptions=checks)


def of_corrected_t(folds: FoldScores, i: int, j: int, options: Options) -> Finding:
    refuse_unknown_sizes(folds, "corrected_t")
    d = folds.differences(i, j)
    checks = (*folds.checks(corrected=True), normality(d))
    return resampled_t(d, folds.ratio, level=options.level, alternative=options.alternative, assumptions=checks)


def of_bayesian_t(folds: FoldScores, i: int, j: int, options: Options) -> Finding:
    refuse_unknown_sizes(folds, "bayesian_t")
    assert options.rope is not None
    d = folds.differences(i, j)
    checks = (*folds.checks(corrected=True), normality(d))
    how: dict[str, Any] = {"more_is_better": options.more_is_better, "level": options.level, "assumptions": checks}
    return bayesian_t(d, folds.ratio, options.rope, **how)


def of_wilcoxon(folds: FoldScores, i: int, j: int, options: Options) -> Finding:
    return signed_rank(folds.differences(i, j), assumptions=folds.checks(corrected=False)[:1], **ranked(options))


def of_sign(folds: FoldScores, i: int, j: int, options: Options) -> Finding:
    return sign_test(folds.differences(i, j), assumptions=folds.checks(corrected=False)[:1], **ranked(options))


def of_five_by_two(folds: FoldScores, i: int, j: int, options: Options, *, by_f: bool) -> Finding:
    d = folds.differences(i, j)
    if len(d) != 10:
        raise ValueError(f"5×2cv needs ten folds, five times two halves, and there are {len(d)}: use protocol=Repeated(2, 5).")
    checks = (folds.halves(), *folds.checks(corrected=False)[1:])
    if by_f:
        return five_by_two_f(d.reshape(5, 2), level=options.level, assumptions=checks)
    return five_by_two_t(d.reshape(5, 2), level=options.level, alternative=options.alternative, assumptions=checks)


def ranked(options: Options) -> dict[str, Any]:
    return {"zeros": options.zeros, "level": options.level, "alternative": options.alternative}


def refuse_unknown_sizes(folds: FoldScores, test: str) -> None:
    if folds.n_test is None or folds.n_train is None:
        raise ValueError(f"test={test!r} needs to know how many rows teach and test in a fold: give n_train and n_test.")


FOLD_TESTS: dict[str, Callable[[FoldScores, int, int, Options], Finding]] = {
    "corrected_t": of_corrected_t,
    "paired_t": of_paired_t,
    "5x2cv_t": lambda folds, i, j, options: of_five_by_two(folds, i, j, options, by_f=False),
    "5x2cv_f": lambda folds, i, j, options: of_five_by_two(folds, i, j, options, by_f=True),
    "wilcoxon": of_wilcoxon,
    "sign": of_sign,
    "bayesian_t": of_bayesian_t,
}


# ---- of the rows -------------------------------------------------------------------------------------------------------


def of_rows(evaluations: Mapping[str, Evaluation], i: int, j: int, options: Options, test: str, metric: str) -> Finding:
    """A test of ROW_TESTS for two of some evaluations."""
    names, both = list(evaluations), list(evaluations.values())
    a, b = both[i], both[j]
    how: dict[str, Any] = {"level": options.level, "alternative": options.alternative}
    if test == "paired_z":
        return paired_rows(a, b, METRICS[metric], **how)
    if test == "z":
        (e1, n1), (e2, n2) = counted_errors({names[i]: a, names[j]: b})
        return two_proportions((e1, e2), (n1, n2), pooled=options.pooled, same_rows=judged_on_same_rows(a, b), **how)
    counts = counted_disagreements(a, b, (names[i], names[j]))
    return mcnemar(*counts, variant=VARIANTS[test], assumptions=model_checks(a), **how)


COUNT_TESTS = ("z", *VARIANTS)
ROW_TESTS = ("paired_z", *COUNT_TESTS)
PAIR_TESTS = (*FOLD_TESTS, *ROW_TESTS)
