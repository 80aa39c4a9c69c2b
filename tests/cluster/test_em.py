"""EM: the log-likelihood never falls, ℓ = Q − H, and steps that are wrong are named."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.optimize import minimize_scalar
from sklearn.exceptions import ConvergenceWarning

from aprendiz.cluster import em

HEADS = np.array([5, 9, 8, 4, 7])


def coins(heads=HEADS, tosses=10):
    """Steps for two coins that are tossed so many times, each row with one of them."""

    def e_step(p):
        return np.log(0.5) + stats.binom.logpmf(heads[:, None], tosses, p)

    def m_step(r):
        return heads @ r / (tosses * r.sum(axis=0))

    return e_step, m_step


def gaussians(x):
    """Steps for two Gaussians on the line with weights."""

    def e_step(theta):
        weight, mean, deviation = theta
        return np.log(weight) + stats.norm.logpdf(x[:, None], mean, deviation)

    def m_step(r):
        n = r.sum(axis=0)
        mean = x @ r / n
        return n / len(x), mean, np.sqrt((r * (x[:, None] - mean) ** 2).sum(axis=0) / n + 1e-3)

    return e_step, m_step


@given(st.integers(0, 2**32 - 1), st.integers(2, 30))
def test_likelihood_never_falls(seed, rows):
    """From any start, for any rows: ℓ never falls, ℓ = Q − H, and ℓ gains at least what Q gains."""
    rng = np.random.default_rng(seed)
    heads = rng.integers(0, 11, rows)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        found = em(*coins(np.clip(heads, 1, 9)), rng.uniform(0.1, 0.9, 2), trace=True, max_iter=50)
    log, trace = found.log_likelihoods, found.trace
    assert found.certificate.holds
    assert (np.diff(log) >= -1e-10 * np.abs(log).max()).all()
    np.testing.assert_allclose(trace.Q - trace.H, log[:-1], rtol=1e-11)
    np.testing.assert_allclose(trace.Q_after - trace.H_after, log[1:], rtol=1e-11)
    assert (trace.Q_after >= trace.Q - 1e-9).all()
    assert (trace.H_after <= trace.H + 1e-9).all()
    assert (np.diff(log) >= trace.Q_after - trace.Q - 1e-9).all()


def test_minus_h_is_the_entropy_of_the_hidden():
    """−H(θ', θ') is the entropy of the responsibilities."""
    e_step, m_step = coins()
    found = em(e_step, m_step, np.array([0.6, 0.5]), trace=True)
    r = np.exp(e_step(np.array([0.6, 0.5])))
    r /= r.sum(axis=1, keepdims=True)
    assert found.trace.H[0] == pytest.approx(-stats.entropy(r, axis=1).sum(), rel=1e-12)


def test_ends_at_a_stationary_point():
    """No move of either coin raises the likelihood where EM ends."""
    e_step, m_step = coins()
    found = em(e_step, m_step, np.array([0.6, 0.5]), tol=1e-13)

    def cost(p, j):
        theta = found.parameters.copy()
        theta[j] = p
        return -np.logaddexp.reduce(e_step(theta), axis=1).sum()

    for j in (0, 1):
        near = minimize_scalar(cost, bounds=(0.01, 0.99), args=(j,), method="bounded", options={"xatol": 1e-9}).x
        assert near == pytest.approx(found.parameters[j], abs=1e-5)


def test_hidden_cells_of_a_table():
    """Two binary columns, some cells empty: z is the filling, values that a row excludes are −∞; as solved by hand."""
    rows = np.array([[0, 0], [0, 1], [1, 1], [1, 1], [0, -1], [-1, 1]])
    cells = np.array([[a, b] for a in (0, 1) for b in (0, 1)])
    allowed = ((rows[:, None] == cells) | (rows[:, None] < 0)).all(axis=2)

    def e_step(table):
        with np.errstate(divide="ignore"):
            return np.where(allowed, np.log(table), -np.inf)

    found = em(e_step, lambda r: r.mean(axis=0), np.full(4, 0.25), tol=1e-14, max_iter=10_000)
    # stationary: P(0,0) = (1 + P(b=0 | a=0))/6 and so on, with P(1,0) = 0 since no row holds it
    p00, p01, p10, p11 = found.parameters
    assert p10 == 0
    assert p00 == pytest.approx((1 + p00 / (p00 + p01)) / 6, abs=1e-6)
    assert p11 == pytest.approx((2 + p11 / (p01 + p11)) / 6, abs=1e-6)


def test_gaussians_come_apart():
    """Two clouds on the line give their own means, and responsibilities that say so."""
    rng = np.random.default_rng(0)
    x = np.concatenate([rng.normal(-5, 1, 60), rng.normal(5, 2, 40)])
    found = em(*gaussians(x), (np.array([0.5, 0.5]), np.array([-1.0, 1.0]), np.array([1.0, 1.0])))
    assert found.converged
    np.testing.assert_allclose(found.parameters[1], [x[:60].mean(), x[60:].mean()], atol=0.05)
    np.testing.assert_array_equal(found.responsibilities.argmax(axis=1), np.repeat([0, 1], [60, 40]))


def test_wrong_steps_are_named():
    """A step that lowers the likelihood, a density of the wrong shape, a NaN and an impossible row are errors that say so."""
    e_step, m_step = coins()
    with pytest.raises(ValueError, match=r"fell from .* in pass 2: m_step does not raise Q"):
        em(e_step, lambda r, seen=[]: (seen.append(0), m_step(r) if len(seen) == 1 else np.array([0.01, 0.02]))[1], [0.6, 0.5])
    with pytest.raises(ValueError, match="rows × values of z"):
        em(lambda p: np.zeros(5), m_step, [0.6, 0.5])
    with pytest.raises(ValueError, match="nan for row 0, value 1"):
        em(lambda p: np.array([[0.0, np.nan]]), m_step, None)
    with pytest.raises(ValueError, match="Row 1 has probability 0"):
        em(lambda p: np.array([[0.0, 0.0], [-np.inf, -np.inf]]), m_step, None)
    with pytest.raises(ValueError, match="max_iter must be a whole number"):
        em(e_step, m_step, [0.6, 0.5], max_iter=0)


def test_too_few_passes():
    """EM that has not come to rest warns."""
    with pytest.warns(ConvergenceWarning, match="max_iter=1"):
        found = em(*coins(), np.array([0.6, 0.5]), max_iter=1)
    assert not found.converged
    assert len(found.log_likelihoods) == 2
