"""How often tests find a difference where there is none (type I error), and where there is one (power).

On one table, two learners of the same kind see columns of their own. Given the class, the columns of both have the same
distribution, so neither is better; where the second one's columns are further apart it is. The tests of held-out rows are about
two models; they are tried with rules that are fixed beforehand, where what they suppose holds, and with models that were
learned, which differ a little though the learners do not. Unstable learners are stumps, which choose one column of several of
which one alone tells: on a table that misleads one of them, it is misled in most folds. Of four learners, any difference is
wrong. Over many tables, accuracies are shares of 100 rows around the difficulty of each table.

A Bayesian test "finds" a difference as its result says: P(better) or P(worse) is at least 0.95, beyond the rope. Without a
rope, 0.975 is the level of a two-sided test of 5 %.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from benchmarks import QUICK
from benchmarks.peers import Data
from benchmarks.populations import NormalClasses

ROWS, COLUMNS = 200, 3
SHIFT, FURTHER = 0.7, 1.1
STUMP_ROWS, STUMP_COLUMNS = 60, 8
STUMP_SHIFT, STUMP_FURTHER = 1.2, 2.0
TABLES, LEARNERS, TESTED = 12, 4, 100
BETTER = 0.03  # accuracy of the first learner over many tables, where there is a difference


@dataclass(frozen=True)
class RateResult:
    """How often a test found a difference: of none, and of one."""

    group: str
    test: str
    on: str
    repeats: int
    wrong: int
    repeats_of_power: int
    right: int
    covered: int | None = None  # intervals that hold 0, where there is no difference

    @property
    def name(self) -> str:
        return f"{self.group}, {self.test}, {self.on}"

    @property
    def kept(self) -> bool:
        """A rate is no promise: what tests promise is in tests/evaluation."""
        return True

    def __str__(self) -> str:
        return f"{self.name}: {self.wrong} of {self.repeats}, power {self.right} of {self.repeats_of_power}"


Found = dict[tuple[str, str], Any]  # comparisons by test, and what it was tried on
SURE = "bayesian_t without rope, P > 0.975"


class SumRule(ClassifierMixin, BaseEstimator):
    """A rule that learns nothing: class 1 where the sum of the columns is above the middle of both classes."""

    def __init__(self, cut: float = 0.0) -> None:
        self.cut = cut

    def fit(self, X: Any, y: Any) -> SumRule:
        self.classes_ = np.array([0, 1])
        return self

    def predict(self, X: Any) -> Any:
        return (np.sum(X, axis=1) > self.cut).astype(int)


# ---- one table ---------------------------------------------------------------------------------------------------------


def shifts(learners: int, differ: bool) -> list[float]:
    """How far the classes are apart in each column of each learner."""
    return [FURTHER if differ and learner else SHIFT for learner in range(learners)]


def tables(learners: int, differ: bool, random: Any) -> list[Data]:
    """A table for each learner: the same rows and classes, columns of its own."""
    each = shifts(learners, differ)
    X, y = NormalClasses(tuple(np.repeat(each, COLUMNS))).draw(ROWS, random)
    return [(X[:, i * COLUMNS : (i + 1) * COLUMNS], y) for i in range(learners)]


def evaluations(data: list[Data], protocol: Any, learners: list[Any] | None = None) -> dict[str, Any]:
    from aprendiz import LinearDiscriminantAnalysis
    from aprendiz.evaluation import evaluate

    learners = learners or [LinearDiscriminantAnalysis() for _ in data]
    judged = [evaluate(one, *of, protocol=protocol, metrics="accuracy") for one, of in zip(learners, data, strict=True)]
    return {f"learner {i + 1}": one for i, one in enumerate(judged)}


def of_folds(differ: bool, random: Any) -> Found:
    """Two learners that sum."""
    return in_folds(tables(2, differ, random))


def of_stumps(differ: bool, random: Any) -> Found:
    """Two learners that choose a column."""
    from aprendiz import DecisionTreeClassifier

    others = (0.0,) * (STUMP_COLUMNS - 1)
    moved = (STUMP_SHIFT, *others, STUMP_FURTHER if differ else STUMP_SHIFT, *others)
    X, y = NormalClasses(moved).draw(STUMP_ROWS, random)
    return in_folds([(half, y) for half in np.hsplit(X, 2)], [DecisionTreeClassifier(max_depth=1) for _ in range(2)])


def in_folds(data: list[Data], learners: list[Any] | None = None) -> Found:
    """Two learners in the same folds."""
    from aprendiz.evaluation import Repeated, compare

    thrice, halves = evaluations(data, Repeated(10, 3), learners), evaluations(data, Repeated(2, 5), learners)
    folds = {
        "10 folds": {name: replace(one, folds=one.folds[:10]) for name, one in thrice.items()},
        "3 times 10 folds": thrice,
        "5 times 2 folds": halves,
    }
    found = {(test, on): compare(of, test=test) for on, of in folds.items() for test in ("paired_t", "corrected_t")}
    for test in ("wilcoxon", "sign", "bayesian_t"):
        found[test, "10 folds"] = compare(folds["10 folds"], test=test)
    found[SURE, "10 folds"] = compare(folds["10 folds"], test="bayesian_t", rope=0.0)
    for test in ("5x2cv_t", "5x2cv_f"):
        found[test, "5 times 2 folds"] = compare(halves, test=test)
    return found


def of_rows(differ: bool, random: Any) -> Found:
    """Two rules, and two models, on the same held-out rows, and each on rows of its own."""
    from aprendiz.evaluation import Holdout, compare

    half, found = Holdout(0.5), {}
    data, others = tables(2, differ, random), tables(2, differ, random)
    middles: list[Any] = [SumRule(shift * COLUMNS / 2) for shift in shifts(2, differ)]
    for on, rules in (("two rules", middles), ("two models", None)):
        same, apart = evaluations(data, half, rules), evaluations([data[0], others[1]], half, rules)
        for test in ("mcnemar", "mcnemar_mid_p", "mcnemar_corrected", "paired_z"):
            found[test, on] = compare(same, test=test)
        found["z", f"{on}, rows of their own"] = compare(apart, test="z")
        found["z, pooled", f"{on}, rows of their own"] = compare(apart, test="z", pooled=True)
    return found


def of_four(differ: bool, random: Any) -> Found:
    """Four learners: each against the best, all pairs, a control."""
    from aprendiz.evaluation import KFolds, compare

    four, on = evaluations(tables(LEARNERS, differ, random), KFolds(10)), "4 learners, 10 folds"
    return {
        ("corrected_t of each and the best, Holm", on): compare(four),
        ("corrected_t of all pairs, Holm", on): compare(four, test="corrected_t"),
        ("corrected_t of a control and the others, Holm", on): compare(four, test="corrected_t", control="learner 1"),
    }


# ---- many tables -------------------------------------------------------------------------------------------------------


def over_tables(differ: bool, random: Any) -> Found:
    """Accuracies of four learners, or of two."""
    from aprendiz.evaluation import compare_over_tables

    chance = np.tile(random.uniform(0.6, 0.9, (TABLES, 1)), LEARNERS)
    chance[:, 0] += BETTER * differ
    scores, names = random.binomial(TESTED, chance) / TESTED, [f"learner {i + 1}" for i in range(LEARNERS)]
    four, two = f"{LEARNERS} learners, {TABLES} tables", f"2 learners, {TABLES} tables"
    found: Found = {}
    for test in ("friedman", "friedman_uncorrected", "iman_davenport", "iman_davenport_uncorrected"):
        found[test, four] = compare_over_tables(scores, test=test, names=names)
    for method in ("nemenyi", "holm", "hochberg", "shaffer", "bergmann_hommel"):
        found[f"{method}, any pair", four] = AnyPair(compare_over_tables(scores, posthoc=method, names=names).pairs)
    for method in ("holm", "hochberg", "bonferroni_dunn"):
        against = compare_over_tables(scores, posthoc=method, control=names[0], names=names)
        found[f"{method}, any against a control", four] = AnyPair(against.pairs)
    for test in ("wilcoxon", "sign"):
        found[test, two] = compare_over_tables(scores[:, :2], test=test, names=names[:2])
    bayesian = {"test": "bayesian_signed_rank", "names": names[:2], "rope": 0.01}
    found["bayesian_signed_rank", two] = compare_over_tables(scores[:, :2], **bayesian)
    return found


@dataclass(frozen=True)
class AnyPair:
    """Several pairs: a difference is found if one of them differs."""

    pairs: tuple[Any, ...]

    @property
    def significant(self) -> bool:
        return any(pair.significant for pair in self.pairs)


# ---- results -----------------------------------------------------------------------------------------------------------

GROUPS: Mapping[str, tuple[Callable[[bool, Any], Found], int]] = {  # with the number of repeats
    "folds": (of_folds, 600),
    "held-out rows": (of_rows, 2000),
    "several learners": (of_four, 400),
    "many tables": (over_tables, 800),
    "folds of unstable learners": (of_stumps, 400),
}


def finds(test: str, found: Any) -> bool:
    """Does the test say that there is a difference?"""
    if test == SURE:
        return max(found.posterior.better, found.posterior.worse) > 0.975
    return bool(found.significant)


def holds_zero(found: Any) -> bool | None:
    """Whether the interval of the difference holds 0; None where there is no interval."""
    low, high = getattr(found, "interval", (np.nan, np.nan))
    return None if np.isnan(low) else bool(low <= 0 <= high)


def measured() -> Iterator[RateResult]:
    for number, (group, (look, repeats)) in enumerate(GROUPS.items()):
        repeats = 20 if QUICK else repeats
        none = [look(False, np.random.default_rng([number, 0, seed])) for seed in range(repeats)]
        some = [look(True, np.random.default_rng([number, 1, seed])) for seed in range(repeats // 2)]
        for test, on in none[0]:
            wrong, right = (sum(finds(test, found[test, on]) for found in runs) for runs in (none, some))
            covered = [holds_zero(found[test, on]) for found in none]
            inside = None if None in covered else sum(map(bool, covered))
            yield RateResult(group, test, on, len(none), wrong, len(some), right, inside)
