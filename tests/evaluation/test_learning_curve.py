"""Learning curves: nested stratified parts, judged on the test rows of their split; with all rows, an evaluation."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression as TheirRegression
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB as TheirNaiveBayes
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC

from aprendiz import GaussianNB, KMeans, LinearRegression
from aprendiz.evaluation import Holdout, KFolds, LeaveOneOut, Repeated, evaluate, learning_curve
from aprendiz.evaluation.learning_curve import nested_parts

RNG = np.random.default_rng(7)
CODES = np.repeat([0, 1, 2], [60, 40, 20])
X = RNG.normal(size=(120, 3)) + CODES[:, None]
Y = np.array(["low", "middle", "high"])[CODES]
NUMBER = X @ [1.0, -2.0, 0.5] + RNG.normal(size=120)


# ---- with all training rows ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("protocol", [KFolds(4), Holdout(0.3), Repeated(3, 2), LeaveOneOut()], ids=str)
@pytest.mark.parametrize(
    ("learner", "target", "metric"),
    [
        (TheirNaiveBayes(), Y, "accuracy"),
        (TheirNaiveBayes(), Y, "log_loss"),
        (KNeighborsClassifier(3), Y, "balanced_accuracy"),
        (TheirRegression(), NUMBER, "mae"),
    ],
    ids=["accuracy", "log loss", "balanced", "numbers"],
)
def test_all_rows_are_an_evaluation(protocol, learner, target, metric):
    """At share 1 value, interval and folds are those of `evaluate`."""
    table, target = X[::3], target[::3]
    curve = learning_curve(learner, table, target, shares=(0.5, 1.0), protocol=protocol, metric=metric)
    whole = evaluate(learner, table, target, protocol=protocol, metrics=metric).score()
    last = curve.unseen[-1]
    np.testing.assert_allclose([last.value, last.low, last.high], [whole.value, whole.low, whole.high], rtol=1e-12)
    np.testing.assert_allclose(last.folds, whole.folds, rtol=1e-12)


@pytest.mark.parametrize(("learner", "target"), [(GaussianNB(), Y), (LinearRegression(), NUMBER)], ids=["classes", "numbers"])
def test_learners_that_sum(learner, target):
    """`evaluate` fits them from the sums of the other folds, the curve row by row: the same to rounding."""
    curve = learning_curve(learner, X, target, shares=(1.0,), protocol=KFolds(5))
    whole = evaluate(learner, X, target, protocol=KFolds(5))
    assert whole.how == "sums of the other folds"
    assert curve.unseen[0].value == pytest.approx(whole.score().value, rel=1e-9)
    assert curve.metric == whole.metrics[0]


def test_training_rows_by_hand():
    """On training rows the score is that of the fit on the very rows it was fitted to; the band is the range."""
    curve = learning_curve(TheirRegression(), X, NUMBER, shares=(1.0,), protocol=KFolds(3, seed=1), metric="mae")
    wanted = []
    for train, _ in KFolds(3, seed=1).splits(NUMBER, None, False):
        model = TheirRegression().fit(X[train], NUMBER[train])
        wanted.append(np.abs(model.predict(X[train]) - NUMBER[train]).mean())
    seen = curve.seen[0]
    np.testing.assert_allclose(seen.folds, wanted, rtol=1e-12)
    np.testing.assert_allclose([seen.value, seen.low, seen.high], [np.mean(wanted), min(wanted), max(wanted)], rtol=1e-12)


def test_a_learner_that_remembers():
    """One neighbour knows its training rows by heart at every size, and unseen rows less well."""
    curve = learning_curve(KNeighborsClassifier(1), X, Y, protocol=KFolds(4))
    assert [score.value for score in curve.seen] == [1.0] * 5
    assert all(score.value < 1 for score in curve.unseen)


# ---- parts -----------------------------------------------------------------------------------------------------------


@given(
    st.lists(st.integers(1, 40), min_size=1, max_size=4),
    st.lists(st.floats(0.01, 1.0), min_size=1, max_size=4, unique=True),
    st.integers(0, 10**6),
)
def test_parts_are_nested_and_stratified(sizes, shares, seed):
    """Each part holds the smaller ones and all classes, none with more than a row above its share (so that the others
    together are short of theirs by less than a row for each)."""
    y, shares = np.repeat(np.arange(len(sizes)), sizes), sorted(shares)
    train = np.random.default_rng(seed).permutation(len(y))
    classes, counts = np.unique(y, return_counts=True)
    parts = [part for ((part, test),) in nested_parts([(train, np.array([], int))], y, shares, seed)]
    for smaller, larger in pairwise(parts):
        assert set(smaller) <= set(larger)
    for share, part in zip(shares, parts, strict=True):
        assert len(part) == len(set(part)) == max(round(share * len(y)), len(classes))
        held = np.array([np.sum(y[part] == label) for label in classes])
        assert (held >= 1).all()
        above = held - len(part) * counts / len(y)
        assert above.max() <= 1 + 1e-9
        assert above.min() >= 1e-9 - len(classes)
        kept = np.flatnonzero(np.isin(train, part))
        np.testing.assert_array_equal(part, train[kept])  # in the order of the protocol


def test_parts_of_numbers():
    """Any rows, at least two of them; another seed takes others, and another split of the same rows too."""
    train, test = np.arange(50), np.arange(50, 60)
    split = [(train, test)]
    ((one, kept),), ((two, _),) = nested_parts(split, None, [0.001, 0.2], 0)
    assert (len(one), len(two)) == (2, 10)
    np.testing.assert_array_equal(kept, test)
    assert set(nested_parts(split, None, [0.2], 1)[0][0][0]) != set(two)
    first, second = nested_parts(split * 2, None, [0.2], 0)[0]
    assert set(first[0]) != set(second[0])


def test_rows_are_counted():
    """The sizes are those of the parts, in the mean over splits of 80 and 40 rows, in rising order."""
    curve = learning_curve(DummyClassifier(), X, Y, shares=(1.0, 0.5, 0.5), protocol=KFolds(3))
    np.testing.assert_array_equal(curve.rows, [40, 80])
    assert len(curve.unseen) == len(curve.seen) == len(curve.evaluations) == 2
    assert [len(fold.test) for fold in curve.evaluations[0].folds] == [40, 40, 40]


def test_the_seed_decides_the_parts():
    """The same seed gives the same scores, another one others; all rows are the same under every seed."""
    a, b, c = (learning_curve(TheirNaiveBayes(), X, Y, shares=(0.2, 1.0), protocol=KFolds(3), seed=s) for s in (0, 0, 1))
    np.testing.assert_array_equal(a.unseen[0].folds, b.unseen[0].folds)
    assert a.unseen[0].value != c.unseen[0].value
    np.testing.assert_array_equal(a.unseen[1].folds, c.unseen[1].folds)


def test_groups_stay_on_one_side():
    """Each test row belongs to a group of which no row is learned from: neighbours that share a group are of no help."""
    groups = np.repeat(np.arange(30), 4)
    twins = np.repeat(RNG.normal(size=(30, 3)), 4, axis=0)
    labels = np.repeat(RNG.permutation(np.arange(30) % 2), 4)
    alone = learning_curve(KNeighborsClassifier(1), twins, labels, shares=(1.0,), protocol=KFolds(5))
    apart = learning_curve(KNeighborsClassifier(1), twins, labels, shares=(1.0,), protocol=KFolds(5), groups=groups)
    assert alone.unseen[0].value == 1
    assert apart.unseen[0].value < 0.9


def test_warnings_are_kept():
    """What a fit warns of is counted and can be read, for each number of rows."""
    curve = learning_curve(LogisticRegression(max_iter=1), X, Y, shares=(0.5, 1.0), protocol=KFolds(2))
    for found in curve.evaluations:
        assert sum(count for message, count in found.warnings.items() if "ConvergenceWarning" in message) == 2


# ---- to look at, refusals --------------------------------------------------------------------------------------------


def test_as_frame_and_as_text():
    """A row for each size, for frames as well."""
    table = pd.DataFrame(X, columns=["a", "b", "c"])
    curve = learning_curve(TheirNaiveBayes(), table, pd.Series(Y), shares=(0.5, 1.0), protocol=KFolds(3))
    assert list(curve.frame()["rows"]) == [40, 80]
    assert list(curve.frame()["unseen_value"]) == [score.value for score in curve.unseen]
    lines = str(curve).split("\n")
    assert lines[0] == "3-fold cross-validation"
    assert [line.split()[0] for line in lines[2:]] == ["40", "80"]


@pytest.mark.parametrize(
    ("learner", "more", "error", "message"),
    [
        (TheirNaiveBayes(), {"shares": (0.5, 0)}, ValueError, "shares holds 0: give parts of the training rows, above 0"),
        (TheirNaiveBayes(), {"shares": (1.5,)}, ValueError, "shares holds 1.5"),
        (TheirNaiveBayes(), {"shares": ()}, ValueError, "shares is empty: give at least one part"),
        (TheirNaiveBayes(), {"metric": "r2"}, ValueError, "'r2' is not a measure for classification"),
        (LinearSVC(), {"metric": "log_loss"}, ValueError, "LinearSVC gives no probabilities, which log_loss needs"),
        (TheirNaiveBayes(), {"groups": [1, 2]}, ValueError, "groups has 2"),
        (KMeans(2), {}, TypeError, "KMeans predicts neither classes nor numbers"),
    ],
)
def test_bad_input(learner, more, error, message):
    """The refusal names the value and the remedy, before any fit."""
    with pytest.raises(error, match=message):
        learning_curve(learner, X, Y, **more)
