"""The compiled kernels of support vector machines agree with their plain twins."""

import numpy as np
import pytest
from entries import entry

from aprendiz.kernel.dual import evidence, kernel_rows, pair_steps, problem, working_set

from . import dual_twins as twins

KINDS = [np.float64, np.float32]


def random_problem(seed, n=30, eps=0.0, split=None):
    """K, feasible β with some at a bound and some at zero, their gradient and their bounds."""
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(n, 3)), 2)
    K, target = twins.gaussian(X, X, 0.5), rng.normal(size=n)
    low, high = -rng.integers(0, 3, n).astype(float), rng.integers(0, 3, n).astype(float)
    beta = np.where(rng.random(n) < 0.3, 0.0, rng.choice([low, high, 0.25 * low + 0.5 * high])[:n])
    beta = np.clip(beta, low, high)
    return K, target, beta, K @ beta - target, low, high, eps, n if split is None else split


@pytest.mark.parametrize("eps", [0.0, 0.2])
@pytest.mark.parametrize("seed", range(4))
def test_fill_slopes(seed, eps):
    """What it costs to grow and to fall: at zero ε either way, at a bound without end."""
    _, _, beta, g, low, high, *_ = random_problem(seed, eps=eps)
    up, down = np.empty(len(beta)), np.empty(len(beta))
    problem.fill_slopes(beta, g, low, high, eps, up, down)
    expected = twins.slopes(beta, g, low, high, eps)
    assert np.isinf(expected[0]).any()
    assert np.isinf(expected[1]).any()
    assert np.array_equal(up, expected[0])
    assert np.array_equal(down, expected[1])


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("eps", "split"), [(0.0, None), (0.2, None), (0.0, 11), (0.2, 11)])
@pytest.mark.parametrize("most", [1, 3])  # later on, exact minima leave equal slopes, and rounding decides
def test_first_pair_steps(seed, eps, split, most):
    """Step by step the same variables move to the same places, in double precision."""
    K, _, beta, g, low, high, eps, split = random_problem(seed, eps=eps, split=split)
    moving, n = beta.copy(), len(beta)
    order = np.random.default_rng(seed).permutation(n)
    rows = np.ascontiguousarray(K[order])  # row a stands at its place
    places = np.argsort(order)
    steps = pair_steps.pair_steps(
        rows, places, np.arange(n), np.diag(K).copy(), moving, g.copy(), low, high, eps, split, 1e-9, most
    )
    expected, count = twins.pair_steps(K, beta, g, low, high, eps, split, 1e-9, most)
    assert steps == count == most
    np.testing.assert_allclose(moving, expected, atol=1e-12)
    assert (moving != beta).sum() >= 2


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("eps", "split"), [(0.0, None), (0.2, None), (0.0, 11), (0.2, 11)])
@pytest.mark.parametrize("kind", KINDS)
def test_pair_steps_to_the_end(seed, eps, split, kind):
    """No two variables of a part gain more than tol, sums and bounds are kept, variables outside of it do not count."""
    K, _, beta, g, low, high, eps, split = random_problem(seed, n=40, eps=eps, split=split)
    members = np.delete(np.arange(40), [0, 17])
    part = np.ix_(members, members)
    own, cut = (v[members].copy() for v in (beta, g, low, high)), split - (1 if split == 11 else 2)
    start, slope, bottom, top = own
    K = K.astype(kind)
    places, tol = np.arange(len(members))[::-1].copy(), 1e-9 if kind is np.float64 else 1e-4
    rows = np.ascontiguousarray(K[members][::-1])
    moving = start.copy()
    pair_steps.pair_steps(
        rows, places, members, np.diag(K)[members].astype(float), moving, slope, bottom, top, eps, cut, tol, 10_000
    )
    now = slope + K[part].astype(float) @ (moving - start)
    assert twins.violation(moving, now, bottom, top, eps, cut) <= 2 * tol
    assert (moving >= bottom).all()
    assert (moving <= top).all()
    for some in (slice(0, cut), slice(cut, None)):
        assert moving[some].sum() == pytest.approx(start[some].sum(), abs=1e-12)
    change = moving - start
    gain = slope @ change + 0.5 * change @ K[part] @ change + eps * (np.abs(moving).sum() - np.abs(start).sum())
    assert gain < -0.01


def test_pair_steps_of_a_solved_part():
    """Nothing to do: no step."""
    K = np.eye(2)
    beta = np.array([1.0, -1.0])
    arguments = (K, np.arange(2), np.arange(2), np.ones(2), beta, np.zeros(2), -np.ones(2), np.ones(2), 0.0, 2, 1e-3)
    assert pair_steps.pair_steps(*arguments, 100) == 0
    assert beta.tolist() == [1.0, -1.0]


@pytest.mark.parametrize("n", [1, 2, 7, 8, 9, 255, 256, 257, 511, 512, 700])
def test_smallest(n):
    """The first of the smallest values, wherever it stands; infinite ones are values."""
    find = entry(pair_steps.smallest)
    rng = np.random.default_rng(n)
    for values in (rng.normal(size=n), rng.integers(0, 3, n).astype(float), np.full(n, np.inf), -np.arange(n, dtype=float)):
        assert find(values) == values.argmin()
    one = np.where(np.arange(n) == n - 1, 1.0, np.inf)
    assert find(one) == n - 1


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("count", [0, 1, 3, 4, 5, 9])
def test_add_rows(kind, count):
    """Σ δ_j·K_j of some columns; other columns stay."""
    rng = np.random.default_rng(count)
    rows, places = rng.normal(size=(12, 50)).astype(kind), rng.permutation(12)[:count]
    delta, g = rng.normal(size=count).astype(kind), rng.normal(size=50)
    expected = g.copy()
    expected[7:31] += delta.astype(float) @ rows[places, 7:31].astype(float)
    kernel_rows.add_rows(rows, places, delta, g, 7, 31)
    np.testing.assert_allclose(g, expected, atol=1e-14 if kind is np.float64 else 1e-5)
    assert np.array_equal(np.delete(g, np.s_[7:31]), np.delete(expected, np.s_[7:31]))


@pytest.mark.parametrize("kind", KINDS)
def test_write_rows(kind):
    """A tile to the places of its rows, from a column on; nothing else is touched."""
    rng = np.random.default_rng(0)
    rows, tile, places = np.full((6, 20), -1.0, kind), rng.normal(size=(3, 5)).astype(kind), np.array([4, 0, 2])
    expected = rows.copy()
    expected[places, 7:12] = tile
    kernel_rows.write_rows(rows, places, 7, tile)
    assert np.array_equal(rows, expected)


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("half", [2, 5, 40])
def test_choose_working_set(seed, half):
    """The pair that breaks optimality most is there; nobody that does not break it; those that break it more than one bin come
    before those that break it less; and no more than `half` of each side."""
    rng = np.random.default_rng(seed)
    n = 60
    up, down = rng.normal(size=n), rng.normal(size=n)
    up[rng.random(n) < 0.2], down[rng.random(n) < 0.2] = np.inf, -np.inf
    chosen = np.empty(n, np.int64)
    taken = chosen[: working_set.choose_working_set(up, down, half, chosen)]
    assert (np.diff(taken) > 0).all()
    least, most = up.min(), down.max()
    width = (most - least) / working_set.BINS
    rising, falling = np.flatnonzero(up < most), np.flatnonzero(down > least)
    assert np.isin(taken, np.union1d(rising, falling)).all()
    assert len(taken) <= 2 * half
    assert len(taken) >= min(half, len(rising), len(falling))
    for values, able in ((up, rising), (-down, falling)):
        for i in able[np.argsort(values[able])][:half]:
            worse = np.count_nonzero(values[able] < values[i] + width)  # as bad, but for a bin
            assert i in taken or worse > half


def test_choose_working_set_of_an_optimum():
    """Nobody breaks optimality."""
    chosen = np.empty(3, np.int64)
    assert working_set.choose_working_set(np.array([1.0, 2.0, np.inf]), np.array([1.0, -np.inf, 0.5]), 2, chosen) == 0


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("eps", "split"), [(0.0, 30), (0.2, 30), (0.2, 11)])
def test_certain_violation(seed, eps, split):
    """The violation that is left when each slope is as much smaller, or larger, as its terms may be wrong by."""
    K, target, beta, g, low, high, eps, split = random_problem(seed, eps=eps, split=split)
    diagonal = np.diag(K) * 2.0**44  # so that rounding counts
    lengths = np.sqrt(diagonal)
    lost = problem.ULPS * (np.abs(target) + eps + lengths * (lengths @ np.abs(beta)))
    up, down = twins.slopes(beta, g, low, high, eps)
    sides = [
        (down - lost)[some].max() - (up + lost)[some].min() for some in (slice(0, split), slice(split, None)) if some.start < 30
    ]
    found = evidence.find_certain_violation(beta, g, target, diagonal, low, high, eps, split)
    assert found == pytest.approx(max(0.0, *sides), rel=1e-12)
    assert 0.0 < found < twins.violation(beta, g, low, high, eps, split)
    assert evidence.find_certain_violation(beta, g * np.nan, target, diagonal, low, high, eps, split) == np.inf


@pytest.mark.parametrize("eps", [0.0, 0.3])
@pytest.mark.parametrize("curved", [False, True])
def test_sum_of_smallest(eps, curved):
    """No coefficient between the bounds has a smaller term."""
    _, target, _, g, low, high, *_ = random_problem(3)
    ridge = np.random.default_rng(0).choice([0.0, 0.4], len(g)) if curved else None
    found = evidence.sum_of_smallest(g, target, ridge, low, high, 0.1, eps)
    tried = np.linspace(low, high, 20_001)
    terms = (g - target - 0.1) * tried + 0.5 * (0.0 if ridge is None else ridge) * tried**2 + eps * np.abs(tried)
    assert found == pytest.approx(terms.min(axis=0).sum(), abs=1e-6)
    assert found <= terms.min(axis=0).sum() + 1e-12
