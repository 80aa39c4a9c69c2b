"""The solver of the dual problem: optimal on hundreds of random problems, right on those that all cases decide, and the same
whatever memory it has."""

from itertools import islice

import numpy as np
import pytest
from reference import dual_twins as twins
from scipy.sparse import csr_array

from aprendiz import RBF
from aprendiz.kernel.dual import solver
from aprendiz.kernel.dual.evidence import find_evidence
from aprendiz.kernel.dual.fixed_sums import fill_to_sum
from aprendiz.kernel.dual.hard_margin import equal_rows, hard_margin_limit
from aprendiz.kernel.dual.kernel_rows import KernelRows
from aprendiz.kernel.dual.problem import DualProblem, multipliers
from aprendiz.kernel.dual.projected_gradient import project, projected_gradient_states
from aprendiz.kernel.dual.solver import dual_states, exact_gradient, first_state, last_state
from aprendiz.kernel.gram.gram_products import gram_products
from aprendiz.kernel.kernels import Precomputed

KINDS = ("classes", "weights", "squared", "numbers", "one class", "two sums")


def random_problem(seed, kind, n=8, dyadic=False):
    """A problem of each kind, its feasible start and its sums. With dyadic rows, there are ties and equal rows."""
    rng = np.random.default_rng([seed, len(kind)])
    X = np.round(rng.normal(size=(n, 2)) * 2) / 2 if dyadic else rng.normal(size=(n, 2))
    kernel = RBF(gamma=0.7).on(X)
    points, C = kernel.points(X), float(10.0 ** rng.uniform(-1, 2))
    signs = np.where(np.arange(n) < n // 2, 1.0, -1.0)
    prices = C * (rng.uniform(0.2, 2.0, n) if kind == "weights" else np.ones(n))
    low, high, none = np.where(signs > 0, 0.0, -prices), np.where(signs > 0, prices, 0.0), np.zeros(n)
    if kind in ("classes", "weights"):
        return DualProblem(kernel, points, signs, low, high), none
    if kind == "squared":
        low, high = np.where(signs > 0, 0.0, -np.inf), np.where(signs > 0, np.inf, 0.0)
        return DualProblem(kernel, points, signs, low, high, ridge=0.5 / prices), none
    if kind == "numbers":
        return DualProblem(kernel, points, 2.0 * X[:, 0] + rng.normal(size=n), -prices, prices, epsilon=0.3), none
    if kind == "one class":
        return DualProblem(kernel, points, none, none, np.ones(n)), fill_to_sum(np.ones(n), 0.4 * n)
    half = fill_to_sum(np.ones(n // 2), 0.2 * n)
    bounds = (np.where(signs > 0, 0.0, -1.0), np.where(signs > 0, 1.0, 0.0))
    return DualProblem(kernel, points, none, *bounds, split=n // 2), np.concatenate([half, -half])


def solved(problem, start, tol=1e-3, **given):
    first = first_state(problem, start, tol)
    return last_state(dual_states(problem, first, tol=tol, **given), first)


def dense(problem):
    """K + diag r, by the twin."""
    X = problem.points.coordinates
    K = twins.gaussian(X, X, 0.7)
    return K if problem.ridge is None else K + np.diag(problem.ridge)


def check(problem, start, state, tol):
    """Feasible, optimal but for tol, with a gap that is one."""
    beta, K = state.beta, dense(problem)
    split = len(problem) if problem.split is None else problem.split
    assert (beta >= problem.low).all()
    assert (beta <= problem.high).all()
    for some in (slice(0, split), slice(split, None)):
        assert beta[some].sum() == pytest.approx(start[some].sum(), abs=1e-10 * max(1.0, np.abs(beta).max()))
    slack = 1e-12 * max(1.0, np.abs(beta).sum())
    g = K @ beta - problem.target
    assert twins.violation(beta, g, problem.low, problem.high, problem.epsilon, split) <= tol + slack
    known = find_evidence(problem, beta, state.g)
    assert known.dual == pytest.approx(-twins.objective(K, beta, problem.target, problem.epsilon), abs=slack, rel=1e-10)
    assert known.gap >= -slack
    assert known.gap <= tol * np.abs(np.where(np.isfinite(problem.high - problem.low), problem.high - problem.low, 100)).sum()
    return known


# ---- what must be true of every answer -------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_optimal_on_many_problems(kind):
    """Sixty problems of each kind: bounds, sums, optimality conditions and a duality gap, from the coefficients alone."""
    for seed in range(60):
        tol = (1e-3, 1e-6)[seed % 2]
        problem, start = random_problem(seed, kind, n=(8, 20, 46)[seed % 3], dyadic=seed % 5 == 0)
        state = solved(problem, start, tol)
        assert state.settled
        check(problem, start, state, tol)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(5))
def test_all_cases(kind, seed):
    """The best of all ways in which the variables may stand."""
    n = 4 if kind == "numbers" else 6
    problem, start = random_problem(seed, kind, n, dyadic=seed == 4)
    state = solved(problem, start, 1e-9)
    sums = [(range(a, b), start[a:b].sum()) for a, b in problem.spans]
    best, least = twins.all_cases(dense(problem), problem.target, problem.low, problem.high, sums, problem.epsilon)
    known = find_evidence(problem, state.beta, state.g)
    assert -known.dual == pytest.approx(least, abs=1e-8)
    assert -known.primal <= least + 1e-9
    if seed != 4:  # where equal rows share their coefficients in many ways
        np.testing.assert_allclose(state.beta, best, atol=1e-5)


def test_the_gap_is_a_bound_at_any_state():
    """Long before the end, the smallest objective lies between dual and primal."""
    problem = random_problem(3, "classes", 6)[0]
    least = twins.soft_margin(dense(problem), problem.target, np.abs(problem.high - problem.low))[1]
    rng, seen = np.random.default_rng(0), []
    for _ in range(20):
        weight = rng.random(3)
        beta = np.concatenate([weight, -rng.permutation(weight)]) * min(1.0, np.abs(problem.high).max())
        known = find_evidence(problem, beta, exact_gradient(problem, beta))
        assert -known.primal <= least + 1e-12
        assert least <= -known.dual + 1e-12
        seen.append(known.gap)
    assert min(seen) > 1e-3


# ---- memory and precision --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_little_memory(kind):
    """A cache of 0.01 MB holds a working set of 72 of 200 variables: rounds within rounds reach the same optimum."""
    problem, start = random_problem(1, kind, 200)
    much, little = solved(problem, start, 1e-5), solved(problem, start, 1e-5, cache_size=0.01)
    assert little.settled
    check(problem, start, little, 1e-5)
    known, other = (find_evidence(problem, one.beta, one.g) for one in (much, little))
    assert abs(known.dual - other.dual) <= min(known.gap, other.gap) + 1e-9
    f, other_f = (one.g + problem.target - multipliers(problem, one.beta, one.g)[0] for one in (much, little))
    if kind != "two sums":
        np.testing.assert_allclose(f, other_f, atol=1e-3)


def test_hardly_any_memory():
    """Room for four variables at a time, the fewest there are."""
    problem, start = random_problem(0, "classes", 24)
    state = solved(problem, start, cache_size=1e-9)
    assert state.settled
    check(problem, start, state, 1e-3)


def test_rows_that_are_kept():
    """Whatever was asked for before, the rows are those of K; no more of them are kept than there are places."""
    rng = np.random.default_rng(2)
    X = rng.normal(size=(40, 3))
    kernel = RBF(gamma=0.3).on(X)
    points, expected = kernel.points(X), twins.gaussian(X, X, 0.3)
    kept = KernelRows(kernel, points, np.ones(40), 9)
    for _ in range(30):
        chosen = rng.permutation(40)[: rng.integers(1, 10)]
        np.testing.assert_allclose(kept.rows[kept.places_of(chosen)], expected[chosen], atol=1e-14)
        delta, g = rng.normal(size=len(chosen)), np.zeros(40)
        kept.add(chosen, delta, g)
        np.testing.assert_allclose(g, delta @ expected[chosen], atol=1e-13)
    assert kept.rows.shape == (9, 40)
    used = kept.place[kept.place >= 0]
    assert len(set(used.tolist())) == len(used) == 9


def test_products_of_many_tiles():
    """Spans and tiles that do not divide the rows; one vector and several."""
    rng = np.random.default_rng(3)
    X, Z = rng.normal(size=(1100, 2)), rng.normal(size=(1030, 2))
    kernel = RBF(gamma=0.3).on(Z)
    columns = kernel.points(Z)
    rows, delta = kernel.points(X, columns), rng.normal(size=(1030, 2))
    expected = twins.gaussian(X, Z, 0.3) @ delta
    np.testing.assert_allclose(gram_products(kernel, rows, columns, delta), expected, atol=1e-12)
    np.testing.assert_allclose(gram_products(kernel, rows, columns, delta[:, 0]), expected[:, 0], atol=1e-12)
    assert gram_products(kernel, rows.take(slice(0, 0)), columns, delta).shape == (0, 2)


@pytest.mark.parametrize("kind", KINDS)
def test_tight_tolerances(kind):
    """Kernel rows are in single precision, the answer is not: 10⁻¹⁰ is reached."""
    problem, start = random_problem(5, kind, 60)
    state = solved(problem, start, 1e-10)
    assert state.settled
    assert state.exact
    check(problem, start, state, 1e-10)


def test_few_dimensions_and_a_flat_optimum():
    """K of rank 2, whose best coefficients are a whole face and whose best objective is 0: in single precision K has
    curvature where there is none."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    problem = DualProblem(Precomputed(), Precomputed().points(X @ X.T), np.zeros(60), np.zeros(60), np.ones(60))
    state = solved(problem, fill_to_sum(np.ones(60), 30.0), 1e-8, most=100_000)
    assert state.settled
    assert np.abs(state.beta @ X).max() < 1e-6


@pytest.mark.parametrize("given", [{"most": 3}, {"tol": 1.99}, {"most": 3, "cache_size": 0.03}])
def test_no_more_than_the_sample(given, monkeypatch):
    """Where the sample takes all the steps, or solves the problem as well as was asked for, its state is the last one."""
    monkeypatch.setattr(solver, "SMALL", 50)
    monkeypatch.setattr(solver, "SAMPLE_GOAL", 1e-3)
    problem, start = random_problem(0, "classes", 200)
    states = list(islice(dual_states(problem, first_state(problem, start, 1e-3), **{"tol": 1e-3, **given}), 3))
    assert 0 < len(states) < 3
    assert 0 < states[-1].steps <= given.get("most", np.inf)
    assert states[-1].settled == ("most" not in given)


# ---- parts -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(10))
def test_fill_to_sum(seed):
    rng = np.random.default_rng(seed)
    limits = rng.integers(0, 3, 9).astype(float)
    for total in (0.0, 0.3 * limits.sum(), limits.sum()):
        found = fill_to_sum(limits, total)
        assert found.sum() == pytest.approx(total, abs=1e-12)
        assert (found >= 0).all()
        assert (found <= limits).all()


@pytest.mark.parametrize("kind", ["classes", "squared", "numbers"])
def test_projection(kind):
    """P(z) is feasible, and no feasible point is nearer: (z − P)ᵀ(β − P) ≤ 0."""
    problem, start = random_problem(2, kind, 10)
    rng = np.random.default_rng(1)
    points = [project(3.0 * rng.normal(size=10), problem, 0.0) for _ in range(20)]
    for _ in range(20):
        z = 3.0 * rng.normal(size=10)
        p = project(z, problem, 0.0)
        assert abs(p.sum()) < 1e-12
        assert (p >= problem.low).all()
        assert (p <= problem.high).all()
        assert max((z - p) @ (q - p) for q in [*points, start]) < 1e-9


def test_projected_gradient_far_from_zero():
    """Infinite bounds and prices of a million: the projection still finds its shift."""
    problem, start = random_problem(2, "squared", 12)
    first = first_state(problem, start, 1e-6)
    ascent = last_state(projected_gradient_states(problem, first, tol=1e-6), first)
    np.testing.assert_allclose(ascent.beta, solved(problem, start, 1e-8).beta, atol=1e-4)


@pytest.mark.parametrize("apart", [2.0, 0.5, 1e-1, 1e-2])
def test_limit_of_the_hard_margin(apart):
    """The limit is no less than the largest α of the hard margin, and within a factor of four."""
    X, signs = np.array([[0.0, 1.0], [-3.0, 1.0], [apart, 1.0]]), np.array([1.0, 1.0, -1.0])
    kernel = RBF(gamma=0.5).on(X)
    problem = DualProblem(kernel, kernel.points(X), signs, np.array([0.0, 0.0, -1.0]), np.array([1.0, 1.0, 0.0]))
    limit = hard_margin_limit(problem, signs, 200.0)
    largest = np.abs(twins.soft_margin(twins.gaussian(X, X, 0.5), signs, np.full(3, np.inf))[0]).max()
    assert largest <= limit * (1 + 1e-9)
    assert limit <= 4 * largest


def test_equal_rows():
    table = np.array([[1.0, 2.0], [3.0, 4.0], [1.0, 2.0], [5.0, 6.0]])
    assert equal_rows(table, np.array([0, 1]), np.array([2, 3])) == (0, 2)
    assert equal_rows(table, np.array([0, 2]), np.array([1, 3])) is None


@pytest.mark.parametrize("form", [np.asarray, csr_array])
def test_equal_rows_with_zeros(form):
    """0 and −0 are equal, stored or not, and in any order."""
    table = form(np.array([[0.0, 1.0, 2.0], [1.0, 0.0, 2.0], [-0.0, 1.0, 2.0], [1.0, 2.0, 0.0]]))
    assert equal_rows(table, np.array([0, 1]), np.array([2, 3])) == (0, 2)
    assert equal_rows(table, np.array([0, 2]), np.array([1, 3])) is None
    stored = csr_array((np.array([2.0, -0.0, 1.0, 1.0, 2.0]), np.array([2, 0, 1, 1, 2]), np.array([0, 3, 5])), shape=(2, 3))
    assert equal_rows(stored, np.array([0]), np.array([1])) == (0, 1)
