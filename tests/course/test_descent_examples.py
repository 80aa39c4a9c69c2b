"""The worked examples of the course about gradient descent, the perceptron and the delta rule."""

import itertools

import numpy as np
import pytest
from scipy.special import expit
from sklearn.exceptions import ConvergenceWarning

from aprendiz import DeltaRule, LinearRegression, LogisticRegression, Perceptron, SGDRegressor
from aprendiz.datasets import load
from aprendiz.linear import descend

CORNERS = np.array(list(itertools.product([0.0, 1.0], repeat=2)))
FIVE_X, FIVE_Y = load("five_points", return_X_y=True)


# ---- gradient descent ------------------------------------------------------------------------------------------------


def test_a_14_the_line_of_five_points_by_descent():
    """Batch, mini-batch and stochastic descent on the squared error of A-14 all come to w = 0.8, b = 4."""
    Z = np.column_stack([np.ones(5), FIVE_X[:, 0]])

    def loss(theta):
        return np.mean((Z @ theta - FIVE_Y) ** 2) / 2

    def slope(theta, rows=slice(None)):
        return Z[rows].T @ (Z[rows] @ theta - FIVE_Y[rows]) / len(FIVE_Y[rows])

    for step in ("constant", "exact", "backtracking"):
        found = descend(loss, slope, [0.0, 0.0], step=step, max_iter=5000)
        assert found.converged
        np.testing.assert_allclose(found.end, [4.0, 0.8], atol=1e-4)
    for batch in (1, 2):
        found = descend(loss, slope, [0.0, 0.0], step="1000/(1000+t)", rate=0.05, rows=5, batch=batch, max_iter=20_000)
        np.testing.assert_allclose(found.end, [4.0, 0.8], atol=0.1)
    model = SGDRegressor(penalty=None, tol=None, max_iter=3000, random_state=0).fit(FIVE_X, FIVE_Y)
    np.testing.assert_allclose([model.intercept_[0], model.coef_[0]], [4.0, 0.8], atol=0.1)


def test_l_a_step_that_is_too_long():
    """The convergence of batch descent needs a small enough α: the largest is 2/λ_max of the curvature."""
    Z = np.column_stack([np.ones(5), FIVE_X[:, 0]])
    largest = 2 / np.linalg.eigvalsh(Z.T @ Z)[-1]

    def slope(theta):
        return Z.T @ (Z @ theta - FIVE_Y)

    assert descend(None, slope, [0.0, 0.0], rate=0.95 * largest, max_iter=5000).converged
    with pytest.warns(ConvergenceWarning, match=f"2/λ_max = {largest:.3g}"):
        descend(None, slope, [0.0, 0.0], rate=1.05 * largest, max_iter=5000)


def test_l_02_gradient_of_the_log_likelihood():
    """∇ log-likelihood = Σ (y − σ)x, and ascent along it leads to the logistic regression without a penalty."""
    rng = np.random.default_rng(0)
    Z = np.column_stack([np.ones(60), rng.normal(size=(60, 2))])
    y = (rng.random(60) < expit(Z @ [0.5, 1.0, -1.0])).astype(float)

    def likelihood(theta):
        p = expit(Z @ theta)
        return float(np.sum(y * np.log(p) + (1 - y) * np.log(1 - p)))

    def slope(theta):
        return Z.T @ (y - expit(Z @ theta))

    theta, h = np.array([0.2, -0.3, 0.4]), 1e-6
    rise = [(likelihood(theta + e) - likelihood(theta - e)) / (2 * h) for e in h * np.eye(3)]
    np.testing.assert_allclose(slope(theta), rise, rtol=1e-6)
    found = descend(likelihood, slope, np.zeros(3), sense="ascent", max_iter=10_000)
    assert (np.diff(found.values) >= -1e-12).all()
    best = LogisticRegression(C=np.inf).fit(Z[:, 1:], y)
    np.testing.assert_allclose(found.end, [*best.intercept_, *best.coef_[0]], atol=1e-5)


# ---- the perceptron ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["and", "or"])
def test_d_412_the_bound_on_mistakes(name):
    """AND and OR are separated by w* = (2, 2), v* = −3 and −1, with L = 1: at most (8 + v*²)(8 + v*² + 2·2 + 2) mistakes."""
    y, v = {"and": (CORNERS.all(axis=1), -3.0), "or": (CORNERS.any(axis=1), -1.0)}[name]
    t = CORNERS @ [2.0, 2.0] + v
    assert np.array_equal(t > 0, y)
    assert np.abs(t).min() == 1.0
    printed = (8 + v**2) * (8 + v**2 + 2 * 2 + 2)
    for seed in range(20):
        model = Perceptron(tol=None, random_state=seed).fit(CORNERS, y)
        assert model.score(CORNERS, y) == 1.0
        assert model.mistakes_[0] <= min(printed, model.mistake_bound_[0])


def test_d_412_the_bound_from_any_start():
    """The same from w₀ = (5, −3), v₀ = 4: ‖w* − w₀‖² + (v* − v₀)² takes the place of ‖w*‖² + v*²."""
    y = CORNERS.all(axis=1)
    printed = (8 + 9) * (3**2 + 5**2 + 7**2 + 2 * 2 + 2)
    for seed in range(20):
        model = Perceptron(tol=None, random_state=seed).fit(CORNERS, y, coef_init=[[5.0, -3.0]], intercept_init=[4.0])
        assert model.score(CORNERS, y) == 1.0
        assert model.mistakes_[0] <= printed


def test_d_15_xor():
    """No line separates XOR: the perceptron never stops (it warns), and 1 error is the best, which the pocket keeps."""
    y = CORNERS[:, 0] != CORNERS[:, 1]
    with pytest.warns(ConvergenceWarning, match="the classes are not separated"):
        model = Perceptron(tol=None, max_iter=200).fit(CORNERS, y)
    assert (model.history_ > 0).all()
    with pytest.warns(ConvergenceWarning):
        kept = Perceptron(tol=None, max_iter=200, pocket=True).fit(CORNERS, y)
    assert kept.certificate_.errors == 1
    planes = np.random.default_rng(0).normal(size=(20_000, 3))
    errors = np.sum((planes[:, :1] + planes[:, 1:] @ CORNERS.T >= 0) != y, axis=1)
    assert errors.min() == 1  # t(0,0) + t(1,1) = t(0,1) + t(1,0): they cannot all have the right sign


def test_l_330_any_rate_separates():
    """On separable data η need not be small: from zero it only sets the length of w."""
    y = CORNERS.any(axis=1)
    for eta in (1e-6, 1.0, 1e6):
        model = Perceptron(eta0=eta, tol=None).fit(CORNERS, y)
        assert model.certificate_.separated
        assert model.mistakes_ == Perceptron(tol=None).fit(CORNERS, y).mistakes_


def test_l_334_decreasing_rates_do_not_find_the_fewest_errors():
    """A row of the other class among ten: 1 error is the best. With η = 1000/(1000 + t) the plane still errs on 10 of 11 rows
    now and then after 3000 epochs; the pocket has the best one."""
    X, y = np.r_[np.linspace(-1, 1, 10), 0.05][:, None], np.r_[np.ones(10), 0].astype(int)
    planes = [state.planes[0] for state in Perceptron(tol=None, rate="decreasing", max_iter=3000).steps(X, y)]
    errors = [np.sum((plane[0] + X[:, 0] * plane[1] >= 0) != y) for plane in planes[-300:]]
    assert max(errors) == 10
    with pytest.warns(ConvergenceWarning):
        model = Perceptron(tol=None, rate="decreasing", max_iter=300, pocket=True).fit(X, y)
    assert model.certificate_.errors == 1


# ---- the delta rule ----------------------------------------------------------------------------------------------------


def test_l_420_adaline_has_a_linear_unit():
    """Widrow and Hoff's rule ends at least squares; the sigmoid version does not, and its outputs are probabilities."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(80, 2))
    y = X @ [2.0, -1.0] + rng.normal(size=80) > 0
    adaline = DeltaRule("linear", tol=1e-15).fit(X, y)
    np.testing.assert_allclose(adaline.coef_[0], LinearRegression().fit(X, 2.0 * y - 1).coef_, rtol=1e-5)
    sigmoid = DeltaRule(tol=1e-9, max_iter=5000).fit(X, y)
    assert np.abs(sigmoid.coef_).max() > 2 * np.abs(adaline.coef_).max()
    assert ((sigmoid.predict_proba(X) > 0) & (sigmoid.predict_proba(X) < 1)).all()


@pytest.mark.parametrize("decreasing", [False, True])
def test_l_training_curves_of_the_delta_rule(decreasing):
    """Separable, not separable, and not separable with η(t) = 1000/(1000 + t): in batches the error falls at every epoch."""
    rng = np.random.default_rng(2)
    X = rng.normal(size=(60, 2))
    for noise in (0.0, 2.0):
        y = X @ [2.0, -1.0] + noise * rng.normal(size=60) > 0
        curve = DeltaRule(decreasing=decreasing, tol=1e-6, max_iter=20_000).fit(X, y).history_[:, 0]
        assert (np.diff(curve) < 0).all()
        assert (curve[-1] < 0.02) == (noise == 0.0)
