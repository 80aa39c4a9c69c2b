"""Bias and variance: the parts add up to the error on every run, agree with a plain computation, and with theory."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LinearRegression as TheirRegression
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB as TheirNaiveBayes
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from aprendiz import (
    BaggingRegressor,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    GaussianNB,
    KMeans,
    KNeighborsRegressor,
    LinearRegression,
    Ridge,
)
from aprendiz.evaluation import Holdout, bias_variance
from aprendiz.evaluation.folds.bootstrap_draws import bootstrap_counts
from aprendiz.evaluation.measures.decompositions import domingos, kohavi_wolpert

RNG = np.random.default_rng(5)
CODES = np.repeat([0, 1, 2], [30, 25, 15])
X = RNG.normal(size=(70, 3)) + 0.7 * CODES[:, None]
Y = np.array(["low", "middle", "high"])[CODES]
NUMBER = X @ [1.0, -2.0, 0.5] + RNG.normal(size=70)


def wave(X):
    return np.sin(2 * np.pi * X[:, 0])


def draw(n, seed):
    random = np.random.default_rng(seed)
    X = random.uniform(size=(n, 1))
    return X, wave(X) + 0.3 * random.normal(size=n)


def chances(X):
    """P(class 0), P(class 1) of the draws of `draw_classes`."""
    p = 1 / (1 + np.exp(-4 * wave(X)))
    return np.column_stack([1 - p, p])


def draw_classes(n, seed):
    random = np.random.default_rng(seed)
    X = random.uniform(size=(n, 1))
    return X, (random.uniform(size=n) < chances(X)[:, 1]).astype(int)


# ---- the identity ----------------------------------------------------------------------------------------------------

RUNS = {
    "left out": (DecisionTreeRegressor(max_depth=3, random_state=0), {"X": X, "y": NUMBER}),
    "set apart": (Ridge(), {"X": X, "y": NUMBER, "test": 0.3}),
    "known noise": (LinearRegression(), {"X": X, "y": NUMBER, "noise": 1.0}),
    "neighbours": (LinearRegression(), {"X": X, "y": NUMBER, "noise": "neighbours"}),
    "truth": (TheirRegression(), {"draw": draw, "truth": wave, "rows": 20, "test": 50}),
    "truth and noise": (TheirRegression(), {"draw": draw, "truth": wave, "noise": 0.09, "rows": 20, "test": 50}),
    "no truth": (TheirRegression(), {"draw": draw, "rows": 20, "test": 50}),
    "classes": (GaussianNB(), {"X": X, "y": Y}),
    "classes apart": (DecisionTreeClassifier(random_state=0), {"X": X, "y": Y, "test": 0.4}),
    "frame": (TheirNaiveBayes(), {"X": pd.DataFrame(X, columns=list("abc")), "y": pd.Series(Y)}),
    "groups": (GaussianNB(), {"X": X, "y": Y, "groups": np.arange(70) // 2}),
    "drawn classes": (TheirNaiveBayes(), {"draw": draw_classes, "truth": chances, "rows": 40, "test": 50}),
    "drawn labels": (TheirNaiveBayes(), {"draw": draw_classes, "rows": 40, "test": 50}),
    "pipeline": (make_pipeline(StandardScaler(), LogisticRegression()), {"X": X, "y": Y}),
}


@pytest.mark.parametrize("run", RUNS)
def test_the_parts_are_the_total(run):
    learner, how = RUNS[run]
    found = bias_variance(learner, replicates=12, seed=4, **how)
    assert found.noise + found.bias + found.variance == pytest.approx(found.total, rel=1e-12)
    np.testing.assert_allclose(found.rows.noise + found.rows.bias + found.rows.variance, found.rows.total, atol=1e-11)
    if "truth" not in how:
        assert found.total == pytest.approx(found.observed, rel=1e-12)
    if found.domingos is not None:
        parts = found.domingos
        assert parts.noise_effect + parts.bias + parts.net_variance == pytest.approx(found.total, rel=1e-12)
        assert parts.total == pytest.approx(found.total, rel=1e-12)
    assert found.variance >= 0
    again = bias_variance(learner, replicates=12, seed=4, **how)
    assert (again.total, again.variance) == (found.total, found.variance)
    assert bias_variance(learner, replicates=12, seed=5, **how).total != found.total


@given(st.integers(2, 5), st.integers(1, 6), st.integers(0, 2**20), st.booleans())
def test_both_decompositions_of_votes(classes, rows, seed, sure):
    """For any distributions of truth and votes: (2), (3) and (4) of decompositions.py; with labels, Domingos has no noise."""
    random = np.random.default_rng(seed)
    p = np.eye(classes)[random.integers(0, classes, rows)] if sure else random.dirichlet(np.ones(classes), rows)
    q = random.multinomial(7, np.full(classes, 1 / classes), rows) / 7
    wanted = float((1 - (p * q).sum(axis=1)).mean())
    parts, votes = kohavi_wolpert(p, q, np.arange(classes)), domingos(p, q)
    assert (parts.noise + parts.bias + parts.variance).mean() == pytest.approx(wanted, abs=1e-12)
    assert parts.total.mean() == pytest.approx(wanted, abs=1e-12)
    assert votes.noise_effect + votes.bias + votes.net_variance == pytest.approx(wanted, abs=1e-12)
    if sure:
        assert votes.noise == votes.noise_effect == parts.noise.mean() == 0


def test_two_classes_by_hand():
    """Domingos' own formula for two classes: c = 2·P(vote = y*) − 1, and variance with the sign of the bias."""
    p, q = np.array([[0.9, 0.1], [0.8, 0.2]]), np.array([[0.7, 0.3], [0.4, 0.6]])
    found = domingos(p, q)
    effect = [(2 * 0.7 - 1) * 0.1, (2 * 0.4 - 1) * 0.2]
    assert found.noise_effect == pytest.approx(np.mean(effect))
    assert (found.bias, found.unbiased_variance, found.biased_variance) == (0.5, pytest.approx(0.15), pytest.approx(0.2))
    assert found.total == pytest.approx(np.mean([0.7 * 0.1 + 0.3 * 0.9, 0.4 * 0.2 + 0.6 * 0.8]))


# ---- against a plain computation -------------------------------------------------------------------------------------


def test_against_a_plain_computation():
    """All predictions in a table, and means over its rows."""
    counts = bootstrap_counts(15, NUMBER, None, False, 2)
    said = np.full((15, 70), np.nan)
    for b, count in enumerate(counts):
        drawn = np.repeat(np.arange(70), count)
        said[b, count == 0] = TheirRegression().fit(X[drawn], NUMBER[drawn]).predict(X[count == 0])
    for learner, how in ((TheirRegression(), "fit"), (LinearRegression(), "weighted sums")):
        found = bias_variance(learner, X, NUMBER, replicates=15, seed=2)
        assert found.how == how
        np.testing.assert_allclose(found.rows.variance, np.nanvar(said, axis=0)[found.numbers], rtol=1e-9)
        np.testing.assert_allclose(found.rows.bias, ((NUMBER - np.nanmean(said, axis=0)) ** 2)[found.numbers], rtol=1e-9)
        np.testing.assert_allclose(found.rows.total, np.nanmean((NUMBER - said) ** 2, axis=0)[found.numbers], rtol=1e-9)


def test_rows_that_are_set_apart():
    """They are those of `Holdout`, and no model has seen them."""
    seen = []

    class Watcher(RegressorMixin, BaseEstimator):
        def fit(self, X, y):
            self.rows_ = set(map(tuple, X))
            return self

        def predict(self, X):
            seen.append(self.rows_ & set(map(tuple, X)))
            return np.zeros(len(X))

    found = bias_variance(Watcher(), X, NUMBER, replicates=4, test=0.3)
    test = next(Holdout(0.3).splits(NUMBER, None, False))[1]
    assert found.total == pytest.approx((NUMBER[test] ** 2).mean())
    bias_variance(Watcher(), X, NUMBER, replicates=4)
    assert seen == [set()] * 8


# ---- theory ----------------------------------------------------------------------------------------------------------


def test_the_mean_of_n_numbers():
    """A constant: bias² is the variance of the truth, variance is that of y over n, noise is known."""
    found = bias_variance(DummyRegressor(), draw=draw, truth=wave, noise=0.09, rows=25, replicates=400, test=400)
    assert found.noise == pytest.approx(0.09)
    assert found.bias == pytest.approx(0.5, rel=0.1)
    assert found.variance == pytest.approx(0.59 / 25, rel=0.25)


def test_what_the_course_says():
    """Deeper trees have less bias and more variance; bagging takes variance away; more neighbours too, and add bias."""
    how = {"draw": draw, "truth": wave, "replicates": 20, "rows": 60, "test": 200}
    stump, tree = (bias_variance(DecisionTreeRegressor(max_depth=d, random_state=0), **how) for d in (1, None))
    bag = bias_variance(BaggingRegressor(n_estimators=10, random_state=0), **how)
    one, many = (bias_variance(KNeighborsRegressor(k), **how) for k in (1, 25))
    assert stump.bias > 10 * tree.bias
    assert tree.variance > 2 * stump.variance
    assert bag.variance < 0.7 * tree.variance
    assert one.variance > 4 * many.variance
    assert one.bias < many.bias
    assert tree.noise == pytest.approx(0.09, rel=0.25)


def test_noise_of_neighbours():
    """Pairs of rows at one place, with values ±1 around the truth: half the square of their difference."""
    x = np.repeat(np.arange(20.0), 2)[:, None]
    found = bias_variance(LinearRegression(), x, x[:, 0] + np.tile([-1.0, 1.0], 20), replicates=5, noise="neighbours")
    assert found.noise == pytest.approx(2.0)
    assert found.noise_is == "estimated noise"


# ---- records ---------------------------------------------------------------------------------------------------------


def test_words():
    text = str(bias_variance(GaussianNB(), X, Y, replicates=5))
    assert "0–1 loss; 5 samples" in text
    assert "noise is part of bias²" in text
    assert "Domingos: bias" in text
    found = bias_variance(LinearRegression(), X, NUMBER, replicates=5)
    assert [line.split()[0] for line in str(found).splitlines()[2:]] == ["noise", "bias²", "variance", "total"]
    frame = found.frame()
    assert frame["total"].mean() == pytest.approx(found.total)
    assert found.standard_error("total") == pytest.approx(frame["total"].std() / np.sqrt(len(frame)))


def test_a_learner_with_a_memory():
    """Every sample is learned by a fresh copy: what was learned before, or by the learner itself, does not count."""

    class Hoarder(RegressorMixin, BaseEstimator):
        def fit(self, X, y):
            self.kept_ = [*getattr(self, "kept_", []), *y]
            return self

        def predict(self, X):
            return np.full(len(X), np.mean(self.kept_))

    full = Hoarder().fit(X, NUMBER + 100)
    found, mean = (bias_variance(one, X, NUMBER, replicates=6) for one in (full, DummyRegressor()))
    np.testing.assert_allclose([found.bias, found.variance], [mean.bias, mean.variance], rtol=1e-9)
    assert len(full.kept_) == 70


def test_warnings_are_counted():
    class Loud(DummyRegressor):
        def fit(self, X, y):
            import warnings

            warnings.warn("loud", UserWarning, stacklevel=2)
            return super().fit(X, y)

    assert bias_variance(Loud(), X, NUMBER, replicates=3).warnings == {"UserWarning: loud": 3}


# ---- refused ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"replicates": 1}, "replicates = 1 must be"),
        ({"replicates": 2.5}, "replicates = 2.5 must be"),
        ({"loss": "absolute"}, "'absolute' is not known"),
        ({"loss": "zero_one"}, "not a loss for regression"),
        ({"noise": -1.0}, "noise = -1.0 must be"),
        ({"noise": "much"}, "noise = 'much' must be"),
        ({"truth": lambda X: np.zeros((len(X), 2))}, "truth(X) has the shape"),
        ({"test": 1.5}, "test of Holdout"),
        ({"draw": draw}, "one of both"),
        ({"X": None}, "one of both"),
        ({"y": NUMBER[:9]}, "9"),
    ],
)
def test_refusals(change, words):
    with pytest.raises(ValueError, match=words.replace("(", r"\(").replace(")", r"\)")):
        bias_variance(LinearRegression(), **{"X": X, "y": NUMBER, "replicates": 4, **change})


def test_refusals_of_classes():
    with pytest.raises(ValueError, match="for classes give truth"):
        bias_variance(GaussianNB(), X, Y, noise=0.1)
    with pytest.raises(ValueError, match="probabilities of 3 classes"):
        bias_variance(GaussianNB(), X, Y, replicates=3, truth=chances)
    with pytest.raises(ValueError, match="single row"):
        bias_variance(GaussianNB(), X[:31], Y[:31])
    with pytest.raises(TypeError, match="neither classes nor numbers"):
        bias_variance(KMeans(2), X, Y)


def test_refusals_of_draws():
    with pytest.raises(ValueError, match=r"Sample \d+ has rows of a single class"):
        bias_variance(LogisticRegression(), draw=draw_classes, rows=2, replicates=20, test=20)
    with pytest.raises(TypeError, match="must return a pair"):
        bias_variance(LinearRegression(), draw=lambda n, seed: np.zeros(n))
    with pytest.raises(ValueError, match="y of draw has 7"):
        bias_variance(LinearRegression(), draw=lambda n, seed: draw(7, seed))
    with pytest.raises(ValueError, match="rows = 1 must be"):
        bias_variance(LinearRegression(), draw=draw, rows=1)
