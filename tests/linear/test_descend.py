"""Gradient descent on any function: paths that are known in closed form, steps of every kind, and what runs away."""

import numpy as np
import pytest
from scipy.special import expit
from sklearn.exceptions import ConvergenceWarning

from aprendiz.linear import descend
from aprendiz.linear.descend import curvature

RNG = np.random.default_rng(4)
ROOT = RNG.normal(size=(4, 4))
A = ROOT @ ROOT.T + 0.5 * np.eye(4)
C = RNG.normal(size=4)
BEST = np.linalg.solve(A, C)
LAMBDA = np.linalg.eigvalsh(A)[-1]
START = np.array([1.0, -2.0, 0.5, 3.0])


def bowl(w):
    return w @ A @ w / 2 - C @ w


def slope(w):
    return A @ w - C


def valley(w):
    """Rosenbrock's function, whose minimum 0 is at (1, 1)."""
    return (1 - w[0]) ** 2 + 100 * (w[1] - w[0] ** 2) ** 2


def down_the_valley(w):
    return np.array([-2 * (1 - w[0]) - 400 * w[0] * (w[1] - w[0] ** 2), 200 * (w[1] - w[0] ** 2)])


# ---- steps -----------------------------------------------------------------------------------------------------------


def test_constant_steps():
    """On a quadratic, w_t − w* = (I − ηA)ᵗ(w_0 − w*), and every record has its length."""
    found = descend(bowl, slope, START, rate=0.05, max_iter=30, tol=0.0)
    expected = [BEST + np.linalg.matrix_power(np.eye(4) - 0.05 * A, t) @ (START - BEST) for t in range(31)]
    np.testing.assert_allclose(found.path, expected, rtol=1e-12)
    np.testing.assert_allclose(found.values, [bowl(w) for w in expected], rtol=1e-12)
    assert found.steps.tolist() == [0.05] * 30
    assert found.why == "max_iter reached (30 steps)"
    assert not found.converged
    assert np.array_equal(found.end, found.path[-1])


@pytest.mark.parametrize(
    ("step", "size"), [("decreasing", lambda t: 1 / (1 + t)), ("1000/(1000+t)", lambda t: 1000 / (1000 + t))]
)
def test_decreasing_steps(step, size):
    """η_t as the table has it, and each point one such step from the one before."""
    found = descend(bowl, slope, START, step=step, rate=0.1, max_iter=20, tol=0.0)
    np.testing.assert_allclose(found.steps, [0.1 * size(t) for t in range(20)], rtol=1e-15)
    for t in range(20):
        np.testing.assert_allclose(found.path[t + 1], found.path[t] - found.steps[t] * slope(found.path[t]), rtol=1e-14)


def test_exact_steps():
    """Each step ends at the minimum along its line: F is lowest there, and the next gradient is at right angles."""
    found = descend(bowl, slope, START, step="exact")
    assert found.converged
    np.testing.assert_allclose(found.end, BEST, atol=1e-5)
    for t, size in enumerate(found.steps[:20]):
        w, g = found.path[t], slope(found.path[t])
        assert slope(found.path[t + 1]) @ g == pytest.approx(0, abs=1e-9 * (g @ g))
        assert bowl(w - size * g) < min(bowl(w - 0.99 * size * g), bowl(w - 1.01 * size * g))
    shrink = (np.diff(found.values) / (bowl(BEST) - found.values[:-1]))[:20]
    condition = np.linalg.cond(A)
    assert (1 - shrink <= ((condition - 1) / (condition + 1)) ** 2 + 1e-9).all()  # Kantorovich's inequality


def test_exact_steps_are_for_quadratics():
    with pytest.raises(ValueError, match=r"quadratic.*use step='backtracking'"):
        descend(valley, down_the_valley, [-1.0, 1.5], step="exact")
    with pytest.raises(ValueError, match="does not curve"):
        descend(lambda w: w.sum(), np.ones_like, START, step="exact")


def test_backtracking():
    """F falls at every step by what Armijo asks, also in a bent valley, and the end is its minimum."""
    found = descend(valley, down_the_valley, [-1.0, 1.5], step="backtracking", max_iter=30_000, tol=1e-4)
    assert found.converged
    np.testing.assert_allclose(found.end, [1.0, 1.0], atol=1e-3)
    gains = [down_the_valley(w) @ down_the_valley(w) for w in found.path[:-1]]
    assert (np.diff(found.values) <= -1e-4 * found.steps * gains).all()
    assert np.array_equal(np.log2(found.steps), np.round(np.log2(found.steps)))  # η, η/2, η/4, …


def test_rate_by_default():
    """Half of the largest safe step, which lowers any convex quadratic."""
    found = descend(bowl, slope, START, max_iter=5000)
    assert found.largest_step == pytest.approx(2 / LAMBDA, rel=1e-5)
    assert found.steps[0] == pytest.approx(1 / LAMBDA, rel=1e-5)
    assert (np.diff(found.values) <= 0).all()
    assert found.why == "the gradient vanishes"
    np.testing.assert_allclose(found.end, BEST, atol=1e-5)


@pytest.mark.parametrize("step", ["constant", "decreasing", "1000/(1000+t)", "exact", "backtracking"])
def test_ascent_is_descent_turned_round(step):
    """The maximum of −F is the minimum of F, point by point."""
    down = descend(bowl, slope, START, step=step, max_iter=50)
    up = descend(lambda w: -bowl(w), lambda w: -slope(w), START, step=step, sense="ascent", max_iter=50)
    np.testing.assert_allclose(up.path, down.path, rtol=1e-12)
    np.testing.assert_allclose(up.values, -down.values, rtol=1e-12)


def test_start_at_the_end():
    """Where the gradient vanishes already, nothing is done."""
    found = descend(bowl, slope, BEST, rate=0.1)
    assert found.converged
    assert len(found.steps) == 0
    assert len(found.path) == 1


# ---- running away ------------------------------------------------------------------------------------------------------


def test_too_long_steps_are_named():
    """Above 2/λ_max the descent runs away, and the largest safe step is named; below it does not."""
    with pytest.warns(ConvergenceWarning, match=rf"runs away.*2/λ_max = {2 / LAMBDA:.3g}"):
        found = descend(bowl, slope, START, rate=2.1 / LAMBDA, max_iter=10_000)
    assert found.largest_step == pytest.approx(2 / LAMBDA, rel=1e-5)
    assert "the largest safe step" in found.why
    assert not found.converged
    assert descend(bowl, slope, START, rate=1.9 / LAMBDA, max_iter=10_000).converged


def test_ascent_runs_away_too():
    with pytest.warns(ConvergenceWarning, match="runs away"):
        descend(lambda w: -bowl(w), lambda w: -slope(w), START, rate=3 / LAMBDA, sense="ascent", max_iter=10_000)


@pytest.mark.parametrize("seed", range(5))
def test_curvature(seed):
    """λ_max by differences of the gradient: exact for quadratics, and close to the Hessian of a logistic loss elsewhere."""
    rng = np.random.default_rng(seed)
    X, w = rng.normal(size=(50, 5)), rng.normal(size=5)
    p = expit(X @ w)
    H = (X * (p * (1 - p))[:, None]).T @ X
    assert curvature(lambda v: X.T @ expit(X @ v), w) == pytest.approx(np.linalg.eigvalsh(H)[-1], rel=1e-4)
    assert curvature(lambda v: X.T @ (X @ v), w) == pytest.approx(np.linalg.eigvalsh(X.T @ X)[-1], rel=1e-5)


def test_curvature_of_a_saddle():
    """The largest curvature upwards, though it curves downwards more."""
    bend = np.array([-10.0, 1.0, 3.0])
    assert curvature(lambda w: bend * w, np.ones(3), 2000) == pytest.approx(3.0, rel=1e-4)
    with pytest.raises(ValueError, match="give a rate"):
        curvature(lambda w: -np.ones(3) * w, np.ones(3))


# ---- rows ------------------------------------------------------------------------------------------------------------

TABLE = RNG.normal(size=(200, 4))
TARGET = TABLE @ BEST + 0.1 * RNG.normal(size=200)


def mean_square(w):
    return np.mean((TABLE @ w - TARGET) ** 2) / 2


def some(w, rows):
    return TABLE[rows].T @ (TABLE[rows] @ w - TARGET[rows]) / len(rows)


def test_a_batch_of_all_rows_is_the_gradient():
    """With all rows at a time it is descent on the whole."""
    whole = descend(mean_square, lambda w: some(w, np.arange(200)), START, rate=0.3)
    rows = descend(mean_square, some, START, rate=0.3, rows=200, batch=200)
    assert np.array_equal(whole.path, rows.path)


@pytest.mark.parametrize("batch", [1, 7, 50])
def test_batches(batch):
    """Each epoch takes every row once, in another order; the end is near the least squares solution."""
    taken = []

    def noted(w, rows):
        taken.append(rows)
        return some(w, rows)

    per_epoch = -(-200 // batch)
    found = descend(mean_square, noted, START, step="1000/(1000+t)", rate=0.05, rows=200, batch=batch, max_iter=40 * per_epoch)
    epochs = [np.concatenate(taken[at : at + per_epoch]) for at in range(0, 40 * per_epoch, per_epoch)]
    assert all(sorted(epoch.tolist()) == list(range(200)) for epoch in epochs)
    assert not np.array_equal(epochs[0], epochs[1])
    assert {len(rows) for rows in taken[:per_epoch]} <= {batch, 200 % batch}
    least = mean_square(np.linalg.lstsq(TABLE, TARGET)[0])
    assert found.values[-1] < 1.1 * least
    assert found.why.startswith("max_iter reached")


def test_batches_that_run_away():
    with pytest.warns(ConvergenceWarning, match="largest safe step at the start"):
        found = descend(mean_square, some, START, rate=50.0, rows=200, max_iter=2000)
    whole = np.linalg.eigvalsh(TABLE.T @ TABLE / 200)[-1]
    assert found.largest_step == pytest.approx(2 / whole, rel=1e-5)


def test_without_values():
    """Where F is not given, the values are not recorded."""
    found = descend(None, some, START, rate=0.05, rows=200, batch=10, max_iter=100)
    assert np.isnan(found.values).all()
    np.testing.assert_allclose(found.end, BEST, atol=0.2)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"step": "long"}, r"step must be one of 'constant'.*'long'"),
        ({"sense": "sideways"}, r"sense must be 'descent' or 'ascent'"),
        ({"rate": 0.0}, r"rate must be a positive number, got 0\.0"),
        ({"rate": np.inf}, r"rate must be a positive number"),
        ({"tol": -1.0}, r"tol must be a number of at least 0"),
        ({"max_iter": 2.5}, r"max_iter must be a whole number of at least 0, got 2\.5"),
        ({"rows": 0}, r"rows must be a whole number of at least 1"),
        ({"rows": 10, "step": "exact"}, r"step='exact' needs the gradient of all rows: set batch=10"),
        ({"start": [[1.0, 2.0]]}, r"start must be a vector of finite numbers"),
        ({"start": [np.nan]}, r"start must be a vector of finite numbers"),
        ({"F": None, "step": "backtracking"}, r"compares values of F: give F"),
        ({"grad": lambda w: np.ones(3), "rate": 0.1}, r"grad gives an array of shape \(3,\); the start has shape \(4,\)"),
    ],
)
def test_odd_wishes(wrong, message):
    """Each is refused in a sentence that names it."""
    with pytest.raises(ValueError, match=message):
        descend(**{"F": bowl, "grad": slope, "start": START, **wrong})
