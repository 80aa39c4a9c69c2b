"""The delta rule: its steps are those of the gradient, safe rates lower the error, and its limits are known."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit
from sklearn.exceptions import ConvergenceWarning

from aprendiz import DeltaRule, LinearRegression
from aprendiz.core.rows import Block
from aprendiz.linear.delta_rule import CURVE, Errors
from aprendiz.linear.designs.visits import visiting_order

RNG = np.random.default_rng(3)
X = RNG.normal([0.5, 0.0, -0.5], size=(120, 3))
SCORE = X @ [1.5, -1.0, 0.5] + 0.3 + RNG.logistic(size=120)
TWO = np.where(SCORE > 0, "yes", "no")
THREE = np.array(["a", "b", "c"])[np.digitize(SCORE, [-1, 1])]
WEIGHT = RNG.integers(0, 4, 120) / 2.0
units = pytest.mark.parametrize("unit", ["sigmoid", "linear"])


def error(theta, unit, own=TWO == "yes", weight=None):
    """E of (1)."""
    t = theta[0] + X @ theta[1:]
    miss = own - expit(t) if unit == "sigmoid" else 2.0 * own - 1 - t
    return np.average(miss**2, weights=weight)


def slope(theta, unit, weight=None, h=1e-6):
    """−½∇E by central differences."""
    steps = h * np.eye(len(theta))
    return np.array([(error(theta - e, unit, weight=weight) - error(theta + e, unit, weight=weight)) / (4 * h) for e in steps])


# ---- steps -----------------------------------------------------------------------------------------------------------


@units
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
def test_sums(unit, weight):
    """The record holds E and −½∇E, times the weight of the rows."""
    theta = np.array([0.3, -0.5, 0.8, 0.1])
    sums = Errors.of(theta[None], unit, Block(X, (TWO == "yes").astype(int), weight, 0))
    assert sums.squares[0] / sums.weight == pytest.approx(error(theta, unit, weight=weight), rel=1e-12)
    np.testing.assert_allclose(sums.slope[0] / sums.weight, slope(theta, unit, weight), atol=1e-9)


@units
def test_batch_steps(unit):
    """Each state is one step down the gradient from the one before; `history_` is E at each of them."""
    model = DeltaRule(unit, rate=0.05, max_iter=4)
    states = list(model.steps(X, TWO))
    for before, after in pairwise(states):
        expected = before.planes[0] + 0.05 * slope(before.planes[0], unit)
        np.testing.assert_allclose(after.planes[0], expected, atol=1e-9)
    with pytest.warns(ConvergenceWarning, match="Raise max_iter"):
        model.fit(X, TWO)
    np.testing.assert_allclose(model.history_[:, 0], [error(state.planes[0], unit) for state in states], rtol=1e-12)


@units
@pytest.mark.parametrize("decreasing", [False, True])
def test_stochastic_steps(unit, decreasing):
    """One row after the other, in the order of the visits."""
    model = DeltaRule(unit, mode="stochastic", rate=0.02, decreasing=decreasing, max_iter=3, random_state=4)
    with pytest.warns(ConvergenceWarning, match="max_iter"):
        model.fit(X, TWO, sample_weight=WEIGHT)
    theta, t = np.zeros(4), 0
    for epoch in range(3):
        for i in visiting_order(Block(X, None, None, 0), 4, epoch):
            z, own = np.r_[1.0, X[i]], TWO[i] == "yes"
            o = expit(theta @ z) if unit == "sigmoid" else theta @ z
            miss = (own - o) * o * (1 - o) if unit == "sigmoid" else 2.0 * own - 1 - o
            theta = theta + 0.02 * (1000 / (1000 + t) if decreasing else 1.0) * WEIGHT[i] * miss * z
            t += 1
    np.testing.assert_allclose(np.r_[model.intercept_, model.coef_[0]], theta, rtol=1e-10)
    assert model.history_[-1, 0] == pytest.approx(error(theta, unit, weight=WEIGHT), rel=1e-10)


def test_decreasing_batch_steps():
    """η·1000/(1000 + t), t the steps before."""
    states = list(DeltaRule(rate=0.5, decreasing=True, max_iter=3).steps(X, TWO))
    for t in range(3):
        moved = states[t + 1].planes - states[t].planes
        np.testing.assert_allclose(moved, 0.5 * 1000 / (1000 + t) * states[t].slope, rtol=1e-12)


@units
def test_classes_against_the_rest(unit):
    """A unit for each class against the others."""
    model = DeltaRule(unit, rate=0.05, max_iter=20, tol=0.0, n_iter_no_change=30)
    with pytest.warns(ConvergenceWarning):
        model.fit(X, THREE)
    for k, name in enumerate("abc"):
        with pytest.warns(ConvergenceWarning):
            alone = DeltaRule(**model.get_params()).fit(X, name == THREE)
        np.testing.assert_allclose(model.coef_[k], alone.coef_[0], rtol=1e-12)
        assert model.intercept_[k] == pytest.approx(alone.intercept_[0], rel=1e-12)


# ---- rates -----------------------------------------------------------------------------------------------------------


def test_curvature_of_the_sigmoid():
    """d²/dt² ½(y − σ)² = ±p²(1 − p)(2 − 3p) with p = σ or 1 − σ, never above the constant, and close to it somewhere."""
    t = np.linspace(-12, 12, 4801)
    h = t[1] - t[0]
    for y in (0.0, 1.0):
        half = (y - expit(t)) ** 2 / 2
        p = expit(t) if y == 0 else expit(-t)
        bend = p**2 * (1 - p) * (2 - 3 * p)
        np.testing.assert_allclose(np.diff(half, 2) / h**2, bend[1:-1], atol=1e-5)
        assert 0.999 * CURVE["sigmoid"] < np.abs(bend).max() < CURVE["sigmoid"]


@units
@pytest.mark.parametrize("seed", range(8))
def test_safe_rates(unit, seed):
    """Any rate up to the largest that is called safe lowers the error at every step, whatever the columns are like."""
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(50, 4)) @ rng.normal(size=(4, 4)) * 10.0 ** rng.integers(-3, 4) + rng.normal()
    y = rng.integers(0, 2, 50)
    largest = DeltaRule(unit).fit(rows, y).largest_rate_
    for share in (0.1, 0.5, 0.99):
        model = DeltaRule(unit, rate=share * largest, tol=1e-9, max_iter=40)
        sizes = [state.objective for state in model.steps(rows, y)]
        assert (np.diff(sizes) <= 1e-12 * sizes[0]).all()


def test_rates_of_a_linear_unit_are_sharp():
    """Beyond 2/λ_max the error grows; the warning names the largest rate."""
    gram = np.c_[np.ones(120), X].T @ np.c_[np.ones(120), X] / 120
    largest = 2 / np.linalg.eigvalsh(gram)[-1]
    with pytest.warns(ConvergenceWarning, match=rf"does not fall.*Give a rate below {largest:.3g}"):
        model = DeltaRule("linear", rate=1.05 * largest).fit(X, TWO)
    assert model.largest_rate_ == pytest.approx(largest, rel=1e-12)
    assert not model.certificate_.holds
    assert model.history_[-1, 0] > model.history_.min()


def test_many_columns():
    """Above 512 columns the trace stands for λ_max: smaller steps, but safe."""
    rows = RNG.normal(size=(30, 600))
    model = DeltaRule("linear", tol=1e-6).fit(rows, np.arange(30) % 2)
    assert model.largest_rate_ == pytest.approx(2 / (np.mean(np.sum(rows**2, axis=1)) + 1), rel=1e-12)
    assert model.certificate_.holds


# ---- limits ----------------------------------------------------------------------------------------------------------


def test_a_linear_unit_tends_to_least_squares():
    """Adaline in batches ends at the least squares plane of targets ±1, row by row near it."""
    best = LinearRegression().fit(X, np.where(TWO == "yes", 1.0, -1.0))
    batch = DeltaRule("linear", tol=1e-15).fit(X, TWO)
    np.testing.assert_allclose(batch.coef_[0], best.coef_, rtol=1e-5)
    assert batch.intercept_[0] == pytest.approx(best.intercept_, rel=1e-5)
    single = DeltaRule("linear", mode="stochastic", decreasing=True, random_state=0, tol=1e-6).fit(X, TWO)
    np.testing.assert_allclose(single.coef_[0], best.coef_, atol=0.05)


def test_a_sigmoid_unit_tends_to_a_minimum():
    """From zero it ends at the minimum that a general method finds from there."""
    best = minimize(error, np.zeros(4), args=("sigmoid",), tol=1e-10)
    model = DeltaRule(tol=1e-12, max_iter=20_000).fit(X, TWO)
    assert model.history_[-1, 0] == pytest.approx(best.fun, rel=1e-6)
    np.testing.assert_allclose(np.r_[model.intercept_, model.coef_[0]], best.x, rtol=1e-2)


def test_probabilities():
    """The output of a sigmoid, normalised over several classes; a linear unit has none."""
    model = DeltaRule().fit(X, TWO)
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], expit(model.decision_function(X)), rtol=1e-14)
    several = DeltaRule().fit(X, THREE)
    outputs = expit(several.decision_function(X))
    np.testing.assert_allclose(several.predict_proba(X), outputs / outputs.sum(axis=1, keepdims=True), rtol=1e-14)
    assert not hasattr(DeltaRule("linear").fit(X, TWO), "predict_proba")


def test_partial_fit_is_one_step():
    """In batches one step down the gradient of the new rows; row by row one epoch."""
    with pytest.warns(ConvergenceWarning):
        two = DeltaRule(rate=0.1, max_iter=2).fit(X, TWO)
    model = DeltaRule(rate=0.1).partial_fit(X, TWO).partial_fit(X, TWO)
    np.testing.assert_allclose(model.coef_, two.coef_, rtol=1e-12)
    with pytest.warns(ConvergenceWarning):
        two = DeltaRule(mode="stochastic", random_state=1, max_iter=2).fit(X, TWO)
    model = DeltaRule(mode="stochastic", random_state=1).partial_fit(X, TWO).partial_fit(X, TWO)
    np.testing.assert_allclose(model.coef_, two.coef_, rtol=1e-12)
