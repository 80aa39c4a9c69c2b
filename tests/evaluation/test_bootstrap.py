"""The bootstrap: draws, the three estimates against a plain computation, their intervals, groups, and tuning inside."""

from itertools import product

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import LinearRegression as TheirRegression
from sklearn.naive_bayes import GaussianNB as TheirNaiveBayes
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from aprendiz import GaussianNB, LinearRegression
from aprendiz.bayes import DecisionRule
from aprendiz.core.parameters import ParameterError
from aprendiz.evaluation import METRICS, Bootstrap, compare, evaluate
from aprendiz.evaluation.folds.bootstrap_draws import bootstrap_counts
from aprendiz.evaluation.intervals.replicates import combine, leave_one_out
from aprendiz.evaluation.measures.answers import Answers
from aprendiz.evaluation.measures.no_information import NO_INFORMATION

RNG = np.random.default_rng(11)
CODES = np.repeat([0, 1, 2], [30, 20, 10])
X = RNG.normal(size=(60, 3)) + 0.8 * CODES[:, None]
Y = np.array(["low", "middle", "high"])[CODES]
NUMBER = X @ [1.0, -2.0, 0.5] + RNG.normal(size=60)


# ---- draws -----------------------------------------------------------------------------------------------------------


def test_draws():
    """As many rows as there are, of each class too; a row is left out of about 0.368 of the replicates; seeds count."""
    counts = bootstrap_counts(400, Y, None, True, seed=0)
    for label in np.unique(Y):
        assert (counts[:, label == Y].sum(axis=1) == (label == Y).sum()).all()
    free = bootstrap_counts(400, Y, None, False, seed=0)
    assert (free.sum(axis=1) == 60).all()
    expected = (1 - 1 / 60) ** 60
    assert abs((free == 0).mean() - expected) < 4 * np.sqrt(expected * (1 - expected) / free.size)
    np.testing.assert_array_equal(counts, bootstrap_counts(400, Y, None, True, seed=0))
    np.testing.assert_array_equal(counts[:50], bootstrap_counts(50, Y, None, True, seed=0))
    assert (counts != bootstrap_counts(400, Y, None, True, seed=1)).any()


def test_groups():
    """Groups are drawn whole, every replicate has all classes, and no group is on both sides of a split."""
    groups = np.arange(60) % 12
    for train, test in Bootstrap(40).splits(Y, groups, True):
        assert not set(groups[train]) & set(groups[test])
        assert set(Y[train]) == set(Y)
        times = np.bincount(train, minlength=60)
        assert all(len(set(times[groups == one])) == 1 for one in range(12))
    found = evaluate(GaussianNB(), X, Y, protocol=Bootstrap(20), groups=groups)
    assert found.how == "weighted sums"
    score = found.score("accuracy")
    assert score.low < score.value < score.high
    with pytest.raises(ValueError, match="one group"):
        list(Bootstrap(5).splits(Y, np.zeros(60), True))
    with pytest.raises(ValueError, match="lack classes"):
        list(Bootstrap(50).splits(np.arange(60) % 12, groups, True))


# ---- the estimates ---------------------------------------------------------------------------------------------------


def plain_estimates(learner, X, y, protocol, loss):
    """(1), (2) and (3) of bootstrap.py, row by row."""
    losses = [[] for _ in y]
    for train, test in protocol.splits(y, None, y.dtype.kind != "f"):
        model = learner.fit(X[train], y[train])
        for row, guess in zip(test, model.predict(X[test]), strict=True):
            losses[row].append(loss(y[row], guess))
    out = np.mean([np.mean(one) for one in losses if one])
    f = learner.fit(X, y).predict(X)
    err = np.mean([loss(a, b) for a, b in zip(y, f, strict=True)])
    gamma = np.mean([loss(a, b) for a in y for b in f])
    least = min(out, gamma)
    R = (least - err) / (gamma - err) if out > err and gamma > err else 0.0
    w = 0.632 / (1 - 0.368 * R)
    return {"loo": out, ".632": 0.368 * err + 0.632 * out, ".632+": (1 - w) * err + w * least}


def wrong(a, b):
    return float(a != b)


@pytest.mark.parametrize(
    ("learner", "y", "loss", "metric"),
    [
        (TheirNaiveBayes(), Y, wrong, "accuracy"),
        (KNeighborsClassifier(1), Y, wrong, "accuracy"),
        (DummyClassifier(), Y, wrong, "accuracy"),
        (TheirRegression(), NUMBER, lambda a, b: (a - b) ** 2, "mse"),
        (TheirRegression(), NUMBER, lambda a, b: abs(a - b), "mae"),
    ],
    ids=["bayes", "by heart", "constant", "squares", "sizes"],
)
def test_against_a_plain_computation(learner, y, loss, metric):
    wanted = plain_estimates(learner, X, y, Bootstrap(25, seed=3), loss)
    for estimate, value in wanted.items():
        found = evaluate(learner, X, y, protocol=Bootstrap(25, estimate, seed=3), metrics=metric).score().value
        assert found == pytest.approx(1 - value if metric == "accuracy" else value, rel=1e-12)


def test_every_sample_of_a_tiny_table():
    """Of three rows there are 27 samples. One neighbour: each estimate is a fraction that can be counted."""
    x, y = np.array([0.0, 1.0, 3.0]), np.array([0, 0, 1])
    counts = np.array([np.bincount(draw, minlength=3) for draw in product(range(3), repeat=3)])
    counts = counts[(counts == 0).any(axis=1)]
    adds = np.full(counts.shape, np.nan)
    for place, count in enumerate(counts):
        there = np.flatnonzero(count)
        for row in np.flatnonzero(count == 0):
            adds[place, row] = y[there[np.abs(x[there] - x[row]).argmin()]] != y[row]
    # rows 0 and 1 are left out of 8 samples, and have the wrong neighbour if row 2 is alone, in 1 of 8; row 2 always has it
    value, own, _, _ = leave_one_out(adds, counts, np.arange(3))
    assert value == pytest.approx((1 / 8 + 1 / 8 + 1) / 3, rel=1e-14)
    np.testing.assert_allclose(own, (np.array([1 / 8, 1 / 8, 1]) - value) / 3, rtol=1e-12)
    gamma = 2 / 3 * 1 / 3 + 1 / 3 * 2 / 3  # no information: shares of the classes, predicted as they are
    least = min(value, gamma)
    share = 0.632 / (1 - 0.368 * least / gamma)
    assert combine(".632", 0.0, value, gamma)[0] == pytest.approx(0.632 * value)
    assert combine(".632+", 0.0, value, gamma) == (pytest.approx(share * least), pytest.approx(share))


def test_derivative_over_every_sample():
    """Of four rows all 256 samples are known, and what (1) and (4) of intervals/replicates.py say of the weight of a row is the
    derivative of Err₁, which a small change of the weight shows too."""
    n, step = 4, 1e-6
    draws = np.array([*product(range(n), repeat=n)])
    counts = np.array([np.bincount(draw, minlength=n) for draw in draws])
    place = np.unique(counts, axis=0, return_inverse=True)[1].ravel()  # a loss knows which rows were drawn, not their order
    loss = np.random.default_rng(1).normal(size=(place.max() + 1, n))[place]
    left_out = counts == 0

    def error_of(weights):
        chance = weights[draws].prod(axis=1)
        means = (chance @ np.where(left_out, loss, 0.0)) / (chance @ left_out)
        return weights @ means

    value, own, moved, _ = leave_one_out(np.where(left_out, loss, np.nan), counts, np.arange(n))
    equal, unit = np.full(n, 1 / n), np.eye(n)
    changed = [error_of(equal + step * (row - equal)) - error_of(equal - step * (row - equal)) for row in unit]
    assert value == pytest.approx(error_of(equal), rel=1e-12)
    np.testing.assert_allclose(own + moved, np.array(changed) / (2 * step * n), rtol=1e-6)
    whole = np.where(left_out, loss, 0.0).sum(axis=1) / n
    first = (2 + 1 / (n - 1)) * own
    np.testing.assert_allclose(own + moved, first + (1 - 1 / n) ** -n * whole @ (counts - 1) / len(draws), rtol=1e-10)


def test_ends_of_the_plus():
    """No overfitting: .632. A learner that knows its rows by heart and nothing else: that of rows left out. Never beyond γ."""
    assert combine(".632+", 0.2, 0.2, 0.5) == (0.2, 0.632)
    assert combine(".632+", 0.3, 0.25, 0.5)[0] == combine(".632", 0.3, 0.25, 0.5)[0]
    assert combine(".632+", 0.0, 0.5, 0.5)[0] == pytest.approx(0.5)
    assert combine(".632+", 0.0, 0.7, 0.5)[0] == pytest.approx(0.5)
    assert combine(".632", 0.0, 0.5, 0.5)[0] == pytest.approx(0.316)


@pytest.mark.parametrize("metric", METRICS)
def test_no_information(metric):
    """The closed forms are the measure over all pairs of a true value and a prediction."""
    n = 12
    if METRICS[metric].task == "classification":
        truth, guess = RNG.integers(0, 3, n), RNG.integers(0, 3, n)
        truth[:3] = guess[:3] = [0, 1, 2]
        chances, classes = RNG.dirichlet(np.ones(3), n), np.arange(3)
        rule = DecisionRule(loss=[[0, 1, 4], [2, 0, 3], [9, 1, 0]], reject_cost=0.8)
        pairs = Answers(np.repeat(truth, n), np.tile(guess, n), classes, np.tile(chances, (n, 1)), rule=rule)
        answers = Answers(truth, guess, classes, chances, rule=rule)
    else:
        truth, guess = RNG.normal(size=n).round(1), RNG.normal(size=n).round(1) + 1
        answers, pairs = Answers(truth, guess), Answers(np.repeat(truth, n), np.tile(guess, n))
    assert NO_INFORMATION[metric](answers) == pytest.approx(METRICS[metric].of(pairs), rel=1e-12)


# ---- as an evaluation ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mine", "theirs", "y"), [(GaussianNB(), TheirNaiveBayes(), Y), (LinearRegression(), TheirRegression(), NUMBER)]
)
def test_weighted_sums(mine, theirs, y):
    """Learners that sum are fitted from weighted sums, with the scores of those that are fitted one by one."""
    sums, fits = (evaluate(one, X, y, protocol=Bootstrap(10)) for one in (mine, theirs))
    assert (sums.how, fits.how) == ("weighted sums", "fit")
    for name in sums.metrics:
        a, b = sums.score(name), fits.score(name)
        np.testing.assert_allclose([a.value, a.low, a.high], [b.value, b.low, b.high], rtol=1e-6, atol=1e-9)


def test_the_record():
    """Folds are the replicates, tests the rows left out; other estimates of the same folds; a class against the rest."""
    found = evaluate(GaussianNB(), X, Y, protocol=Bootstrap(15, seed=2))
    assert str(found).startswith("bootstrap with 15 replicates, .632+; weighted sums")
    assert len(found.folds) == 15
    for fold, (train, test) in zip(found.folds, Bootstrap(15, seed=2).splits(Y, None, True), strict=True):
        np.testing.assert_array_equal(fold.test, test)
        assert fold.trained_on == len(train) == 60
    assert len(found.pooled.truth) == sum(len(fold.test) for fold in found.folds)
    assert found.score("accuracy").folds.shape == (15,)
    assert 0.5 < found.area("high").value <= 1
    assert found.score("log_loss").low >= 0
    some = evaluate(GaussianNB(), X, Y, protocol=Bootstrap(15, seed=2), only=range(7), done=found.folds[:3])
    np.testing.assert_array_equal(some.score().folds, found.score().folds[:7])
    constant = evaluate(DummyClassifier(), X, Y, protocol=Bootstrap(15, seed=2))
    assert compare({"bayes": found, "constant": constant})[0].name == "bayes"


def test_a_pipeline_with_tuning_keeps_copies_together():
    """A row that was drawn twice is never on both sides of an inner fold: one neighbour would know it by heart."""
    seen = []

    class Watcher(ClassifierMixin, BaseEstimator):
        def __init__(self, size=1):
            self.size = size

        def fit(self, X, y):
            self.classes_, self.rows_ = np.unique(y), set(map(tuple, X))
            return self

        def predict(self, X):
            seen.append(len(self.rows_ & set(map(tuple, X))) / len(X))
            return np.full(len(X), self.classes_[0])

    noise = RNG.normal(size=(30, 2))
    evaluate(Watcher(), noise, np.arange(30) % 2, protocol=Bootstrap(3), grid={"size": [1, 2]}, inner=3, metrics="accuracy")
    assert seen.count(1.0) == 1  # the fit to all rows, on all rows
    assert sorted(seen)[-2] == 0.0
    found = evaluate(make_pipeline(StandardScaler(), TheirNaiveBayes()), X, Y, protocol=Bootstrap(5))
    assert found.how == "fit"


def test_error_of_a_constant():
    """A constant on rows of numbers: Err₁ has the interval of a mean, m ± 1.96·s/√n, but for the constant's own wandering."""
    y = RNG.normal(size=200)
    score = evaluate(DummyRegressor(), np.zeros((200, 1)), y, protocol=Bootstrap(100, "loo"), metrics="mse").score()
    squares = (y - y.mean()) ** 2
    assert (score.high - score.low) / 2 == pytest.approx(1.96 * squares.std() / np.sqrt(200), rel=0.1)


# ---- refused ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("replicates", [1, 0, -3, 2.5, "many"])
def test_replicates(replicates):
    with pytest.raises(ParameterError, match="replicates of Bootstrap"):
        Bootstrap(replicates)


def test_refusals():
    with pytest.raises(ParameterError, match=r"'\.632\+'"):
        Bootstrap(10, "632")
    with pytest.raises(ValueError, match="single row"):
        evaluate(GaussianNB(), X[:31], Y[:31], protocol=Bootstrap(5))
    with pytest.raises(ValueError, match="too few rows"):
        list(Bootstrap(5).splits(np.array([1.0]), None, False))
