"""Problems of few variables: the same numbers as NumPy, and the same answer as by blocks."""

from itertools import combinations

import numpy as np
import pytest
from sklearn.datasets import load_iris

from aprendiz import SVC
from aprendiz.kernel.dual.kernel_rows import KernelRows
from aprendiz.kernel.dual.problem import DualProblem, multipliers, rounding, slopes, violation
from aprendiz.kernel.dual.small_problem import fill_active, fill_gradient
from aprendiz.kernel.dual.solver import dual_states, first_state, last_state
from aprendiz.kernel.kernels import RBF


def some_problem(seed, *, epsilon=0.0, split=None, ridge=False):
    """Coefficients at both bounds, at zero and between."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(30, 3))
    kernel = RBF(gamma=0.4).on(X)
    low, high = np.where(rng.random(30) < 0.3, -np.inf, -1.0), np.where(rng.random(30) < 0.3, np.inf, 1.0)
    beta = rng.choice([-1.0, 0.0, 0.3, 1.0], 30)
    more = rng.random(30) if ridge else None
    return (
        DualProblem(kernel, kernel.points(X), rng.normal(size=30), low, high, epsilon, more, split),
        beta,
        rng.normal(size=30),
    )


@pytest.mark.parametrize("settings", [{}, {"epsilon": 0.2}, {"split": 11}, {"epsilon": 0.1, "split": 29, "ridge": True}])
def test_as_numpy_says(settings):
    """Violation, what rounding may add to it, and ρ, from up and down of all variables."""
    for seed in range(20):
        problem, beta, g = some_problem(seed, **settings)
        up, down = slopes(problem, beta, g)
        lengths, found, allowed = np.sqrt(problem.diagonal), [0.0], []
        sizes = np.abs(problem.target) + problem.epsilon + lengths * (lengths @ np.abs(beta))
        for (a, b), rho in zip(problem.spans, multipliers(problem, beta, g), strict=True):
            found.append(down[a:b].max() - up[a:b].min())
            allowed.append(2.0**-51 * (sizes[a + up[a:b].argmin()] + sizes[a + down[a:b].argmax()]))
            free = up[a:b] == down[a:b]
            middle = [side for side in (up[a:b].min(), down[a:b].max()) if np.isfinite(side)]
            assert rho == pytest.approx(up[a:b][free].mean() if free.any() else np.mean(middle), rel=1e-13)
        assert violation(problem, beta, g) == pytest.approx(max(found), rel=1e-14)
        assert rounding(problem, beta, g) == pytest.approx(max(allowed), rel=1e-12)


def test_nothing_can_move():
    """No variable that can rise, or none that can fall: ρ is the side that is left; a gradient that is no number."""
    problem, _, g = some_problem(0)
    ends = DualProblem(problem.kernel, problem.points, problem.target, np.full(30, -1.0), np.ones(30))
    assert violation(ends, np.ones(30), g) == 0.0
    assert multipliers(ends, np.ones(30), g) == [g.max()]
    assert multipliers(ends, -np.ones(30), g) == [g.min()]
    assert violation(ends, np.zeros(30), np.where(np.arange(30) == 7, np.nan, g)) == np.inf
    fixed = DualProblem(problem.kernel, problem.points, problem.target, np.zeros(30), np.zeros(30))
    assert multipliers(fixed, np.zeros(30), g) == [0.0]


def test_gradient():
    """Kβ − t of some of the rows of a matrix."""
    rng = np.random.default_rng(0)
    K, members, beta, target = rng.normal(size=(20, 20)), np.array([3, 19, 0, 7]), np.array([0.5, 0.0, -2.0, 1.0]), np.ones(4)
    g = np.empty(4)
    K = K + K.T
    fill_gradient(K, members, beta, target, g)
    np.testing.assert_allclose(g, K[np.ix_(members, members)] @ beta - target, rtol=1e-13)


@pytest.mark.parametrize("settings", [{}, {"epsilon": 0.2}, {"ridge": True}])
def test_as_by_blocks(settings):
    """The same minimum as with rows of K that are kept; a state after every few steps, and on from any of them."""
    problem, _, _ = some_problem(1, **settings)
    start = first_state(problem, np.zeros(30), 1e-10)
    rows = KernelRows(problem.kernel, problem.points, problem.diagonal, 30)
    states = list(dual_states(problem, start, tol=1e-10))
    blocks = last_state(dual_states(problem, start, tol=1e-10, kept=rows), start)
    np.testing.assert_allclose(states[-1].beta, blocks.beta, atol=1e-8)
    assert states[-1].exact
    assert states[-1].settled
    on = last_state(dual_states(problem, states[0], tol=1e-10), states[0])
    np.testing.assert_array_equal(on.beta, states[-1].beta)


def test_most_steps():
    """`max_iter` is kept to the step."""
    problem, _, _ = some_problem(1)
    start = first_state(problem, np.zeros(30), 1e-10)
    assert last_state(dual_states(problem, start, tol=1e-10, most=5), start).steps == 5


def test_pairs_share_a_matrix():
    """Each pair of classes has the answer of a fit of its own; with too little memory there is no shared matrix."""
    X, y = load_iris(return_X_y=True)
    model = SVC(gamma=0.5, tol=1e-9, decision_function_shape="ovo").fit(X, y)
    values = model.decision_function(X)
    for column, (i, j) in enumerate(combinations(range(3), 2)):
        some = (y == i) | (y == j)
        alone = SVC(gamma=0.5, tol=1e-9).fit(X[some], y[some])
        np.testing.assert_allclose(values[:, column], -alone.decision_function(X), atol=1e-7)
    little = SVC(gamma=0.5, tol=1e-9, cache_size=0.1, decision_function_shape="ovo").fit(X, y)
    np.testing.assert_allclose(little.decision_function(X), values, atol=1e-7)


@pytest.mark.parametrize("split", [5, 40])
@pytest.mark.parametrize("eps", [0.0, 0.3])
def test_the_variables_that_break_optimality(split, eps):
    """Those that can rise below one that can fall, or fall above one that can rise, in the same sum."""
    rng, spans = np.random.default_rng(0), [slice(0, split), slice(split, 40)][: 1 + (split < 40)]
    for _ in range(20):
        low, high = -rng.random(40), rng.random(40)
        beta, g = rng.choice([-1.0, 0.0, 0.5, 1.0], 40), rng.normal(size=40)
        beta = np.where(beta < 0, low, np.where(beta == 1.0, high, beta * high))
        up = np.where(beta < high, g + np.where(beta >= 0, eps, -eps), np.inf)
        down = np.where(beta > low, g + np.where(beta > 0, eps, -eps), -np.inf)
        breaks = np.concatenate([(up[s] < down[s].max()) | (down[s] > up[s].min()) for s in spans])
        active = np.empty(40, np.int64)
        count, first = fill_active.py_func(beta, g, low, high, eps, split, active)
        assert np.array_equal(active[:count], np.flatnonzero(breaks))
        assert first == breaks[:split].sum()
