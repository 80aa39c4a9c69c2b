"""The linear machine: where its functions come from, and what its regions are like."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.exceptions import ConvergenceWarning

from aprendiz import LeastSquaresClassifier, LinearMachine, LogisticRegression

RNG = np.random.default_rng(5)
GROUP = RNG.integers(0, 4, size=300)
X = RNG.normal(size=(4, 3))[GROUP] * 1.5 + RNG.normal(size=(300, 3)) @ RNG.normal(size=(3, 3)) + [0, 50, -7]
NAMES = np.array(["ash", "birch", "cedar", "oak"])
WEIGHT = RNG.integers(1, 4, size=300).astype(float)
SOURCES = ("lda", "softmax", "least_squares")

sources = pytest.mark.parametrize("source", SOURCES)
kinds = pytest.mark.parametrize("kinds", [2, 4], ids=["two classes", "four classes"])


def some(kinds):
    """Rows of the first classes."""
    chosen = np.isin(GROUP, range(kinds))
    return X[chosen], NAMES[GROUP[chosen]], WEIGHT[chosen]


@kinds
def test_lda(kinds):
    """Probabilities are those of scikit-learn's discriminant analysis with the covariance of all rows, weights as copies."""
    rows, y, weight = some(kinds)
    theirs = LinearDiscriminantAnalysis(solver="lsqr").fit(rows, y)
    ours = LinearMachine().fit(rows, y)
    np.testing.assert_allclose(ours.predict_proba(rows), theirs.predict_proba(rows), rtol=1e-8, atol=1e-12)
    np.testing.assert_allclose(np.exp(ours.predict_log_proba(rows)), ours.predict_proba(rows), rtol=1e-12)
    copies = np.repeat(np.arange(len(rows)), weight.astype(int))
    theirs = LinearDiscriminantAnalysis(solver="lsqr").fit(rows[copies], y[copies])
    ours = LinearMachine().fit(rows, y, sample_weight=weight)
    np.testing.assert_allclose(ours.predict_proba(rows), theirs.predict_proba(rows), rtol=1e-8, atol=1e-12)


@kinds
def test_softmax(kinds):
    """The functions of logistic regression; of two classes they are ±½ of its plane."""
    rows, y, _ = some(kinds)
    logistic, ours = LogisticRegression(C=0.5).fit(rows, y), LinearMachine("softmax", C=0.5).fit(rows, y)
    np.testing.assert_allclose(ours.predict_proba(rows), logistic.predict_proba(rows), rtol=1e-9, atol=1e-14)
    np.testing.assert_allclose(ours.decision_function(rows), logistic.decision_function(rows), rtol=1e-9, atol=1e-10)
    assert ours.certificate_.claim == logistic.certificate_.claim


@kinds
def test_least_squares(kinds):
    """The regressions on indicators, whose values sum to 1; no probabilities, and the remedy."""
    rows, y, _ = some(kinds)
    ours = LinearMachine("least_squares").fit(rows, y)
    assert np.array_equal(ours.predict(rows), LeastSquaresClassifier().fit(rows, y).predict(rows))
    np.testing.assert_allclose(ours.scores(rows).sum(axis=1), 1.0, atol=1e-10)
    with pytest.raises(AttributeError, match="predict_proba") as error:
        ours.predict_proba(rows)
    assert "source='lda'" in str(error.value.__cause__)


@sources
@kinds
def test_a_row_of_coefficients_for_each_class(source, kinds):
    """K functions, of two classes too; the decision of two is their difference, and the largest function decides."""
    rows, y, _ = some(kinds)
    model = LinearMachine(source).fit(rows, y)
    assert model.coef_.shape == (kinds, 3)
    assert model.intercept_.shape == (kinds,)
    t = rows @ model.coef_.T + model.intercept_
    np.testing.assert_allclose(model.scores(rows), t, atol=1e-10)
    assert np.array_equal(model.predict(rows), model.classes_[t.argmax(axis=1)])
    if kinds == 2:
        np.testing.assert_allclose(model.decision_function(rows), t[:, 1] - t[:, 0], atol=1e-10)


@cache
def machine(source):
    """A machine of each source, fitted once."""
    return LinearMachine(source).fit(X, GROUP)


@settings(max_examples=60, deadline=None, database=None, derandomize=True)
@given(st.sampled_from(SOURCES), st.integers(0, 2**32))
def test_regions_are_convex(source, seed):
    """Points between two points of a region are in it."""
    model, rng = machine(source), np.random.default_rng(seed)
    points = X.mean(axis=0) + 20 * rng.normal(size=(40, 3))
    region = model.predict(points)
    for k in range(4):
        ends = points[region == k]
        if len(ends) > 1:
            share = rng.random((len(ends), 1))
            between = share * ends + (1 - share) * ends[::-1]
            assert (model.predict(between) == k).all()


def test_softmax_without_a_penalty_on_separable_rows():
    """It has no minimum: the fit says so, with the remedy, and leaves a valid model."""
    with pytest.warns(ConvergenceWarning, match=r"LinearMachine stopped early \(a hyperplane separates.*give a finite C"):
        model = LinearMachine("softmax", C=np.inf).fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1])
    assert list(model.predict([[0.0], [3.0]])) == [0, 1]
    assert not model.certificate_.holds


def test_singular_covariance():
    """A repeated column, a constant one, and more columns than rows: the answers of the columns that say something."""
    plain = LinearMachine().fit(X, GROUP)
    wide = np.column_stack([X, X[:, 1], np.full(300, 3.0)])
    model = LinearMachine().fit(wide, GROUP)
    np.testing.assert_allclose(model.predict_proba(wide), plain.predict_proba(X), rtol=1e-7, atol=1e-10)
    assert model.certificate_.rank == 3
    assert model.coef_[0, 4] == 0
    few = RNG.normal(size=(12, 40))
    model = LinearMachine().fit(few, np.arange(12) % 3)
    assert np.isfinite(model.coef_).all()
    assert model.certificate_.rank <= 9


def test_a_class_without_weight():
    """A class whose rows count nothing has probability 0."""
    model = LinearMachine().fit(X, GROUP, sample_weight=(GROUP != 2).astype(float))
    without = LinearMachine().fit(X[GROUP != 2], GROUP[GROUP != 2])
    P = model.predict_proba(X)
    assert (P[:, 2] == 0).all()
    np.testing.assert_allclose(P[:, [0, 1, 3]], without.predict_proba(X), rtol=1e-9, atol=1e-14)
