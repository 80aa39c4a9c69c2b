"""What the course says about non-negative factors: D 2.3.4, the rule of multiplication, as it is right and as it is printed.

A ≈ UVᵀ. The lecture notes print both quotients upside down, and take both factors of the update from step t. Right is

    u ← u·(AV)/(UVᵀV),     then, with the new U,     v ← v·(AᵀU)/(VUᵀU)
"""

import numpy as np
import pytest

from aprendiz import NMF

STARTS = 300


def problem(seed):
    """A small table and a start, all numbers above 0."""
    rng = np.random.default_rng(seed)
    n, d, k = rng.integers(3, 9), rng.integers(3, 9), rng.integers(1, 4)
    return rng.random((n, d)), rng.random((n, k)), rng.random((d, k))


def cost(A, U, V):
    """J(U, V) = ½‖A − UVᵀ‖²."""
    return 0.5 * ((A - U @ V.T) ** 2).sum()


def right(A, U, V):
    U = U * (A @ V) / (U @ V.T @ V)
    return U, V * (A.T @ U) / (V @ U.T @ U)


def both_from_step_t(A, U, V):
    """The right quotients, with the old U in the update of V."""
    return U * (A @ V) / (U @ V.T @ V), V * (A.T @ U) / (V @ U.T @ U)


def as_printed(A, U, V):
    """The quotients upside down."""
    return U * (U @ V.T @ V) / (A @ V), V * (V @ U.T @ U) / (A.T @ U)


def costs(rule, A, U, V, passes):
    found = [cost(A, U, V)]
    for _pass in range(passes):
        U, V = rule(A, U, V)
        found.append(cost(A, U, V))
    return np.array(found)


def test_d_2_3_4_the_right_rule_never_raises_the_cost():
    """Never, from any start."""
    for seed in range(STARTS):
        log = costs(right, *problem(seed), 30)
        assert (np.diff(log) <= 1e-13 * log[0]).all(), seed


def test_d_2_3_4_is_the_rule_of_the_solver():
    """solver="mu" takes the same steps, state by state."""
    for seed in range(20):
        A, U, V = problem(seed)
        log = costs(right, A, U, V, 30)
        states = list(NMF(U.shape[1], init=(U, V.T), solver="mu", max_iter=30, tol=0.0).steps(A))
        np.testing.assert_allclose([cost(A, state.U, state.V) for state in states], log, rtol=1e-9)
        assert [state.objective for state in states[1:]] == pytest.approx(log[1:], rel=1e-9)


def test_d_2_3_4_the_printed_rule_explodes():
    """Upside down, the cost rises in nearly all starts, and beyond all bounds."""
    with np.errstate(over="ignore", invalid="ignore"):
        logs = [costs(as_printed, *problem(seed), 12) for seed in range(STARTS)]
        rose = sum(not (np.diff(log) <= 0).all() for log in logs)
    large = sum(not log[-1] <= 100 * log[0] for log in logs)
    assert rose >= 0.99 * STARTS
    assert large >= 0.9 * STARTS


def test_d_2_3_4_v_needs_the_new_u():
    """With both factors from step t the cost rises in nearly all starts, and swings: it does not come to rest."""
    logs = [costs(both_from_step_t, *problem(seed), 60) for seed in range(STARTS)]
    assert sum((np.diff(log) > 1e-12 * log[:-1]).any() for log in logs) >= 0.95 * STARTS
    swings = sum((np.diff(np.sign(np.diff(log[-10:]))) != 0).sum() >= 6 for log in logs)
    assert swings >= 0.8 * STARTS


def test_d_2_3_4_the_relations_at_the_end():
    """(AV)u = (UVᵀV)u and (AᵀU)v = (VUᵀU)v where the fast solver ends; the rule of multiplication stays there."""
    A, U, V = problem(7)
    model = NMF(U.shape[1], init=(U, V.T), tol=1e-9, max_iter=20_000).fit(A)
    U, V = model.transform(A), model.components_.T
    np.testing.assert_allclose((A @ V) * U, (U @ V.T @ V) * U, atol=1e-8)
    np.testing.assert_allclose((A.T @ U) * V, (V @ U.T @ U) * V, atol=1e-8)
    with np.errstate(invalid="ignore"):
        again = right(A, U, V)
    for before, after in zip((U, V), again, strict=True):
        assert np.nan_to_num(after) == pytest.approx(before, abs=1e-7)
    assert model.certificate_.stationarity < 1e-8
