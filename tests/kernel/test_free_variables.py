"""Newton's method on the free variables: the solution of the quadratic program, whatever is held, let go or joins."""

from dataclasses import replace

import numpy as np
import pytest

from aprendiz import RBF, SVC, SVR, Linear
from aprendiz.kernel.dual import solver
from aprendiz.kernel.dual.evidence import dual_objective, find_evidence
from aprendiz.kernel.dual.free_variables import Factor, FreeVariables, newton_state
from aprendiz.kernel.dual.kernel_rows import KernelRows
from aprendiz.kernel.dual.problem import DualProblem
from aprendiz.kernel.dual.solver import block_states, first_state, last_state
from aprendiz.kernel.solvers.tiled_cholesky import factorise

N = 70


def posed(kind, seed, C=3.0, places=3 * N):
    """A problem, coefficients that are far from its solution, and its rows of K."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(N, 3))
    kernel, signs = RBF(0.5).on(X), np.where(X[:, 0] + rng.normal(size=N) > 0, 1.0, -1.0)
    points, size, split = kernel.points(X), np.full(N, C), 30
    low, high = np.where(signs > 0, 0.0, -size), np.where(signs > 0, size, 0.0)
    problem = {
        "classes": DualProblem(kernel, points, signs, low, high),
        "squares": DualProblem(kernel, points, signs, 100 * low, 100 * high, ridge=np.full(N, 0.5 / C)),
        "numbers": DualProblem(kernel, points, np.sin(3 * X[:, 1]) + 0.3 * signs, -size, size, epsilon=0.2),
        "one class": DualProblem(kernel, points, np.zeros(N), np.zeros(N), np.ones(N)),
        "two sums": DualProblem(kernel, points, np.zeros(N), np.zeros(N), np.ones(N), split=split),
    }[kind]
    beta = rng.uniform(problem.low, problem.high) * (rng.random(N) < 0.6)
    if kind in ("classes", "squares", "numbers"):
        beta = beta * np.where(beta > 0, 1.0, -beta[beta > 0].sum() / beta[beta < 0].sum())
        beta *= min(1.0, float(np.abs([problem.low, problem.high]).max() / np.abs(beta).max()))
    kept = KernelRows(problem.kernel, problem.points, problem.diagonal, places)
    return problem, first_state(problem, beta, 1e-9), kept


@pytest.mark.parametrize("kind", ["classes", "squares", "numbers", "one class", "two sums"])
def test_the_solution_or_something_better(kind):
    """Within the bounds, with the same sums, never with a higher objective. Mostly it is the end, with no gap but rounding."""
    ended = 0
    for seed in range(20):
        problem, start, kept = posed(kind, seed)
        if seed % 4:
            start = last_state(block_states(problem, start, 0.05 * start.violation, N, 10_000, kept), start)
        before = dual_objective(problem, start.beta, start.g)
        state = newton_state(problem, start, kept, 1e-9)
        exact = first_state(problem, np.array(state.beta), 1e-9)
        np.testing.assert_allclose(state.g, exact.g, atol=1e-11)
        assert ((state.beta >= problem.low) & (state.beta <= problem.high)).all()
        for a, b in problem.spans:
            assert state.beta[a:b].sum() == pytest.approx(start.beta[a:b].sum(), abs=1e-12 * N)
        assert dual_objective(problem, state.beta, state.g) <= before
        if state.violation <= 1e-9:
            ended += 1
            assert abs(find_evidence(problem, state.beta, exact.g).relative_gap) <= 1e-8
    assert ended >= 6


def test_held_variables_do_not_move():
    """The step with some held, and others new, is that of the small system of the rest."""
    rng = np.random.default_rng(0)
    A = rng.normal(size=(30, 40))
    K = A @ A.T + 0.1 * np.eye(30)
    factor = Factor(np.full(30 * 35, np.nan), 24)
    factor.L[...] = K[:24, :24]
    assert factorise(factor.L)
    assert factor.hold(np.array([3, 7, 20]))
    assert factor.hold(np.array([11]))
    assert factor.grow(K[24:, :].copy())
    assert factor.hold(np.array([25]))
    assert not factor.hold(np.array([1]))
    factor.release(np.array([7]))
    delta = rng.normal(size=30)
    np.testing.assert_allclose(factor.times(delta), K @ delta, rtol=1e-10)
    held = [3, 11, 20, 25]
    rest = np.setdiff1d(np.arange(30), held)
    R = rng.normal(size=(30, 2))
    found = factor.solve(R)
    np.testing.assert_allclose(found[rest], np.linalg.solve(K[np.ix_(rest, rest)], R[rest]), rtol=1e-8)
    assert np.abs(found[held]).max() < 1e-10


def test_singular_systems_are_left_alone():
    """More free variables than features, or rows that are alike: the same state."""
    problem, start, kept = posed("classes", 0)
    linear = Linear().on(kept.points.coordinates)
    points = linear.points(kept.points.coordinates)
    flat = replace(problem, kernel=linear, points=points)
    rows = KernelRows(linear, points, flat.diagonal, N)
    assert newton_state(flat, start, rows, 1e-9) is start


@pytest.mark.parametrize("kind", ["classes", "squares", "numbers"])
def test_memory_is_that_of_the_rows(kind):
    """The factor stands where rows of K stood; rows without room are computed, and those that are left are right."""
    moved = 0
    for seed in range(10):
        problem, start, kept = posed(kind, seed, places=N)
        start = last_state(block_states(problem, start, 0.05 * start.violation, N, 10_000), start)
        some = np.random.default_rng(seed).permutation(N)[:60]
        kept.places_of(some)
        search = FreeVariables.of(problem, start, kept, 1e-9)
        if search is None:
            continue
        assert np.shares_memory(search.factor.memory, kept.memory)
        assert not np.shares_memory(search.factor.memory, kept.rows)
        if search.settle():
            moved += 1
            np.testing.assert_allclose(search.g, first_state(problem, search.beta, 1e-9).g, atol=1e-10)
        kept.take_back()
        assert len(kept.rows) == N
        K = problem.kernel.block(problem.points, problem.points)
        np.fill_diagonal(K, problem.diagonal)
        g = np.zeros(N)
        kept.add_computed(some, np.ones(60), g)
        np.testing.assert_allclose(g, K[:, some].sum(axis=1), atol=1e-11)
        here = np.flatnonzero(kept.place >= 0)
        np.testing.assert_allclose(kept.rows[kept.place[here]], K[here], atol=1e-12)
        assert np.array_equal(kept.owner[kept.place[here]], here)
        np.testing.assert_allclose(kept.rows[kept.places_of(np.arange(N))], K, atol=1e-12)
    assert moved >= 3


def test_no_more_than_there_is_room_for():
    """The factor takes its memory from the rows."""
    problem, start, _ = posed("classes", 0)
    kept = KernelRows(problem.kernel, problem.points, problem.diagonal, 12)
    assert FreeVariables.of(problem, start, kept, 1e-9) is None
    assert newton_state(problem, start, kept, 1e-9) is start


@pytest.mark.parametrize(
    "machine", [SVC(C=100.0, tol=1e-4), SVR(C=50.0, epsilon=0.05, tol=1e-4), SVC(loss="squared_hinge", C=50.0)]
)
def test_fewer_steps(machine, monkeypatch):
    """A fit takes the place of most steps by it, has the answer of steps alone, and goes on from any state with its bits."""
    monkeypatch.setattr(solver, "SMALL", 100)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 4))
    y = np.sin(2 * X[:, 0]) + X[:, 1] + 0.3 * rng.normal(size=400)
    target = y if isinstance(machine, SVR) else (y > 0).astype(int)
    states = list(machine.steps(X, target))
    machine.fit(X, target)
    with_newton = int(np.sum(machine.n_iter_))
    found = machine.certificate_
    assert found.holds
    for at in (len(states) // 2, -2):
        *_, last = machine.steps(X, target, since=states[at])
        assert np.array_equal(last.beta, states[-1].beta)
    monkeypatch.setattr(solver, "NEAR", 0.0)
    machine.fit(X, target)
    assert with_newton < 0.6 * int(np.sum(machine.n_iter_))
    assert found.dual == pytest.approx(machine.certificate_.dual, rel=1e-4)
