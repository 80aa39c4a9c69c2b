"""Comparisons on the same rows: errors against a bootstrap of the rows, p-values by simulation, the corrected t-test."""

import numpy as np
import pytest
from scipy.stats import norm, ttest_rel
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from aprendiz.bayes import DecisionRule
from aprendiz.evaluation import METRICS, Holdout, KFolds, LeaveOneOut, compare, evaluate
from aprendiz.evaluation.evaluation import Evaluation, Fold
from aprendiz.evaluation.measures.answers import Answers
from aprendiz.evaluation.significance.adjusted_p_values import holm
from aprendiz.evaluation.significance.paired_rows import paired_test
from aprendiz.evaluation.significance.resampled_t import corrected_t_test


def two_learners(seed, n=400, k=3, equal=False):
    """What two learners say of the same rows: one better than the other, or both equally good."""
    rng = np.random.default_rng(seed)
    truth = np.array(list("abc"))[rng.choice(k, n, p=np.array([0.5, 0.3, 0.2])[:k] / sum([0.5, 0.3, 0.2][:k]))]
    classes = np.array(list("abc"))[:k]
    both = []
    for strength in (1.0, 1.0 if equal else 0.6):
        score = strength * (truth[:, None] == classes) + 0.8 * rng.normal(size=(n, k))
        chance = np.exp(score) / np.exp(score).sum(axis=1, keepdims=True)
        rule = DecisionRule(loss=np.arange(1.0, k * k + 1).reshape(k, k) * (1 - np.eye(k)))
        both.append(Answers(truth, classes[chance.argmax(axis=1)], classes, chance, rule=rule))
    return both


def two_regressors(seed, n=400, equal=False):
    rng = np.random.default_rng(seed)
    truth = rng.normal(size=n)
    return [Answers(truth, truth + noise * rng.normal(size=n)) for noise in (0.5, 0.5 if equal else 0.7)]


def some_rows(answers, chosen):
    probability = None if answers.probability is None else answers.probability[chosen]
    return Answers(answers.truth[chosen], answers.prediction[chosen], answers.classes, probability, rule=answers.rule)


def judged(answers):
    """An evaluation of a single split that said this."""
    rows = np.arange(len(answers.truth))
    fold = Fold(0, rows, 100, answers.prediction, answers.probability, answers.classes, 0.0, 0.0, "fit")
    task = "regression" if answers.classes is None else "classification"
    return Evaluation(task, "holdout", tuple(METRICS), (fold,), answers.truth, answers.classes, rule=answers.rule)


@pytest.mark.parametrize("name", METRICS)
def test_pulls_give_the_error_of_the_bootstrap(name):
    """The standard deviation of the difference over 400 samples of the rows, within what 400 samples allow."""
    a, b = two_learners(1) if METRICS[name].task == "classification" else two_regressors(1)
    n, rng = len(a.truth), np.random.default_rng(0)
    drawn = []
    for _ in range(400):
        rows = rng.integers(0, n, n)
        drawn.append(METRICS[name].of(some_rows(a, rows)) - METRICS[name].of(some_rows(b, rows)))
    error = (METRICS[name].pull(a) - METRICS[name].pull(b)).std(ddof=1) / np.sqrt(n)
    assert error == pytest.approx(np.std(drawn), rel=0.15)


@pytest.mark.parametrize("name", METRICS)
def test_equal_learners_are_rarely_told_apart(name):
    """At 5 %, of 300 pairs of equal learners about 15: never fewer than 3 or more than 33 but once in ten thousand."""
    pairs = (
        two_learners(s, 150, 2, True) if METRICS[name].task == "classification" else two_regressors(s, 150, True)
        for s in range(300)
    )
    told = sum(paired_test(judged(a), judged(b), METRICS[name]) < 0.05 for a, b in pairs)
    assert 3 <= told <= 33


def test_accuracy_is_a_paired_test():
    """The z of the differences of hits, which McNemar's test has too."""
    a, b = two_learners(3)
    hits = [(one.truth == one.prediction).astype(float) for one in (a, b)]
    t = ttest_rel(*hits).statistic
    p = paired_test(judged(a), judged(b), METRICS["accuracy"])
    assert p == pytest.approx(2 * norm.sf(abs(t)))


@pytest.mark.parametrize("protocol", [Holdout(0.4), LeaveOneOut()])
def test_a_single_split_can_tell_learners_apart(protocol):
    """The baseline is surely worse, and a learner is tied with itself."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 3))
    y = np.where(X[:, 0] + 0.3 * rng.normal(size=120) > 0, "yes", "no")
    learners = {"bayes": GaussianNB(), "again": GaussianNB(), "dummy": DummyClassifier()}
    found = {name: evaluate(one, X, y, protocol=protocol, metrics="accuracy") for name, one in learners.items()}
    standings = {one.name: one for one in compare(found)}
    assert standings["dummy"].p_value < 0.001
    assert not standings["dummy"].tied
    assert standings["bayes"].tied
    assert standings["again"].tied


def test_what_cannot_be_compared():
    """Other folds, a single row, a measure that one of them has not."""
    a, b = map(judged, two_learners(0))
    other = Evaluation(a.task, a.protocol, a.metrics, (Fold(**{**vars(b.folds[0]), "number": 1}),), b.y, b.classes)
    assert np.isnan(paired_test(a, other, METRICS["accuracy"]))
    mute = judged(Answers(b.y, b.folds[0].prediction, b.classes))
    assert np.isnan(paired_test(a, mute, METRICS["auc"]))
    one = [judged(some_rows(answers, [0])) for answers in two_learners(0)]
    assert np.isnan(paired_test(*one, METRICS["accuracy"]))


def test_the_corrected_test_is_more_careful():
    """With n_test/n_train = 0 it is the usual t-test; with more its p-value is larger."""
    d = np.random.default_rng(0).normal(0.3, 1, 10)
    assert corrected_t_test(d, 0.0) == pytest.approx(ttest_rel(d, np.zeros(10)).pvalue)
    assert corrected_t_test(d, 1 / 9) > corrected_t_test(d, 0.0)
    assert corrected_t_test(np.zeros(5), 0.1) == 1.0
    assert corrected_t_test(np.full(5, 0.5), 0.1) == 0.0
    assert np.isnan(corrected_t_test(np.array([1.0]), 0.1))


def test_holm():
    """Holm's own rule, worked by hand: 0.01·4, 0.02·3, 0.03·2 (not below the one before), 0.2·1; NaN is not counted."""
    assert holm([0.03, 0.01, 0.2, 0.02]) == pytest.approx([0.06, 0.04, 0.2, 0.06])
    assert holm([0.03, float("nan"), 0.01])[::2] == pytest.approx([0.03, 0.02])
    assert holm([]).tolist() == []


def test_folds_are_compared_fold_by_fold():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(200, 3))
    y = (X[:, 0] + 0.5 * rng.normal(size=200) > 0).astype(int)
    both = {"a": LogisticRegression(), "b": DummyClassifier()}
    found = {name: evaluate(one, X, y, protocol=KFolds(5), metrics="accuracy") for name, one in both.items()}
    worst = compare(found)[-1]
    differences = found["b"].score().folds - found["a"].score().folds
    assert worst.p_value == pytest.approx(corrected_t_test(differences, 40 / 160))
