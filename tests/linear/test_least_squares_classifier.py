"""Least squares on labels: regressions on indicators, cut at ½."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import LinearRegression as TheirRegression

from aprendiz import LeastSquaresClassifier, LinearRegression

RNG = np.random.default_rng(11)
X = RNG.normal(size=(150, 4)) @ RNG.normal(size=(4, 4)) + [5, 0, -3, 100]
GROUP = np.argmax((X - X.mean(axis=0)) @ RNG.normal(size=(4, 3)) + RNG.gumbel(size=(150, 3)), axis=1)
NAMES = np.array(["ash", "birch", "cedar"])
WEIGHT = RNG.uniform(0.2, 3.0, size=150)

weighing = pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
intercepts = pytest.mark.parametrize("intercept", [True, False], ids=["b", "no b"])


@weighing
@intercepts
def test_two_classes_are_one_regression(weight, intercept):
    """The plane is that of scikit-learn's regression on 0 and 1; the second class is where it is above ½."""
    y = (GROUP == 2).astype(int)
    theirs = TheirRegression(fit_intercept=intercept).fit(X, y, sample_weight=weight)
    model = LeastSquaresClassifier(fit_intercept=intercept).fit(X, np.where(y, "yes", "no"), sample_weight=weight)
    assert model.coef_.shape == (1, 4)
    np.testing.assert_allclose(model.coef_[0], theirs.coef_, rtol=1e-9)
    np.testing.assert_allclose(model.decision_function(X), theirs.predict(X) - 0.5, atol=1e-10)
    assert np.array_equal(model.predict(X), np.where(theirs.predict(X) > 0.5, "yes", "no"))


@weighing
@intercepts
def test_more_classes_are_regressions_on_indicators(weight, intercept):
    """One regression for each class; the largest fitted value decides."""
    theirs = TheirRegression(fit_intercept=intercept).fit(X, np.eye(3)[GROUP], sample_weight=weight)
    model = LeastSquaresClassifier(fit_intercept=intercept).fit(X, NAMES[GROUP], sample_weight=weight)
    np.testing.assert_allclose(model.coef_, theirs.coef_, rtol=1e-8, atol=1e-12)
    np.testing.assert_allclose(model.decision_function(X), theirs.predict(X) - 0.5, atol=1e-10)
    assert np.array_equal(model.predict(X), NAMES[theirs.predict(X).argmax(axis=1)])


def test_fitted_values_sum_to_one():
    """With an intercept the indicators sum to 1, and so do their regressions."""
    model = LeastSquaresClassifier().fit(X, NAMES[GROUP])
    np.testing.assert_allclose((model.decision_function(RNG.normal(size=(50, 4))) + 0.5).sum(axis=1), 1.0, atol=1e-9)


@pytest.mark.parametrize("rows", [150, 200_000])
def test_both_ways_agree(rows):
    """Small tables are rotated, large ones solved by the normal equations: the planes are those of LinearRegression."""
    some = np.resize(X, (rows, 4)) + np.random.default_rng(0).normal(size=(rows, 4))
    y = np.resize(GROUP == 0, rows)
    model, regression = LeastSquaresClassifier().fit(some, y), LinearRegression().fit(some, y.astype(float))
    assert model.method_ == regression.method_ == ("orthogonal" if rows == 150 else "normal equations")
    np.testing.assert_allclose(model.coef_[0], regression.coef_, rtol=1e-9)
    assert model.certificate_.holds


def test_ill_conditioned_columns():
    """Powers of a far variable: the digits of LinearRegression, and an honest certificate."""
    t = np.linspace(100, 101, 60)
    P = np.vander(t, 5)[:, :4]
    y = (np.sin(8 * t) > 0).astype(int)
    model, regression = LeastSquaresClassifier().fit(P, y), LinearRegression().fit(P, y.astype(float))
    assert model.method_ == "orthogonal, polished"
    np.testing.assert_allclose(model.coef_[0], regression.coef_, rtol=1e-8)
    assert model.certificate_.condition == pytest.approx(regression.certificate_.condition)


@pytest.mark.parametrize("order", [1, -1])
def test_classes_that_come_late(order):
    """Pieces that lack classes give the bits of no other order to more than rounding, and the planes of one fit."""
    turn = np.argsort(GROUP, kind="stable")[::order]
    model = LeastSquaresClassifier()
    seen = set()
    for part in np.array_split(turn, 7):
        model.partial_fit(X[part], NAMES[GROUP[part]], sample_weight=WEIGHT[part])
        seen |= set(NAMES[GROUP[part]])
        assert list(model.classes_) == sorted(seen)
        assert set(model.predict(X)) <= seen
    whole = LeastSquaresClassifier().fit(X, NAMES[GROUP], sample_weight=WEIGHT)
    np.testing.assert_allclose(model.coef_, whole.coef_, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(model.intercept_, whole.intercept_, rtol=1e-9, atol=1e-10)


def test_announced_classes():
    """A class that was announced and never came is never predicted; one that was not announced is refused."""
    model = LeastSquaresClassifier().partial_fit(X, NAMES[GROUP], classes=[*NAMES, "yew"])
    assert list(model.classes_) == ["ash", "birch", "cedar", "yew"]
    np.testing.assert_allclose(model.coef_[3], 0, atol=1e-12)
    assert "yew" not in model.predict(X)
    with pytest.raises(ValueError, match=r"'oak' in row 1.*'ash', 'birch'"):
        model.partial_fit(X[:2], ["ash", "oak"])
    with pytest.raises(ValueError, match="not the same as on last call"):
        model.partial_fit(X[:2], ["ash", "ash"], classes=NAMES)


def test_sparse():
    """A sparse table gives the planes of the dense one."""
    thin = np.where(RNG.random(X.shape) < 0.5, X, 0.0)
    dense, some = (LeastSquaresClassifier().fit(form(thin), GROUP) for form in (np.array, sparse.csr_array))
    np.testing.assert_allclose(some.coef_, dense.coef_, rtol=1e-9)
    assert np.array_equal(some.predict(sparse.csc_matrix(thin)), dense.predict(thin))
