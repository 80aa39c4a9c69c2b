"""Worked examples of the course: mixtures of Gaussians and EM (D-14, D-22; E 177–243)."""

import numpy as np
import pytest
from scipy.stats import norm

from aprendiz import GaussianMixture
from aprendiz.cluster import em

X = np.random.default_rng(0).normal(size=(60, 3))


@pytest.mark.parametrize(("kind", "count"), [("spherical", 9), ("diag", 13), ("full", 19)])
def test_d14_parameters(kind, count):
    """Two Gaussians in dimension 3: 1 weight, 6 means, and 2, 6 or 12 numbers of covariances."""
    assert GaussianMixture(2, covariance_type=kind, random_state=0, max_iter=300).fit(X).n_parameters_ == count


def two_means(x, deviation=1.0):
    """E-step and M-step of two Gaussians with known deviation and equal weights: only the means move."""

    def e_step(mu):
        return np.log(0.5) + norm.logpdf(x[:, None], mu, deviation)

    def m_step(r):
        return x @ r / r.sum(axis=0)

    return e_step, m_step


def test_d22_likelihood_is_q_minus_h():
    """L = Q − H at every pass, before and after the M-step, and L gains at least what Q gains."""
    x = np.concatenate([X[:30, 0] - 1, X[30:, 0] + 2])
    found = em(*two_means(x), np.array([-0.1, 0.1]), trace=True)
    trace, log = found.trace, found.log_likelihoods
    np.testing.assert_allclose(log[:-1], trace.Q - trace.H, rtol=1e-13)
    np.testing.assert_allclose(log[1:], trace.Q_after - trace.H_after, rtol=1e-13)
    assert (np.diff(log) - (trace.Q_after - trace.Q) >= -1e-11).all()
    assert (trace.H - trace.H_after >= -1e-11).all()


def test_two_means_with_known_variance():
    """The iteration of E on paper, `em` and GaussianMixture(weights="equal", variance=1) are the same, pass by pass."""
    x = np.concatenate([X[:30, 0] - 1, X[30:, 0] + 2])
    found = em(*two_means(x), np.array([-0.1, 0.1]), tol=1e-12)
    model = GaussianMixture(2, weights="equal", variance=1.0, means_init=[[-0.1], [0.1]], tol=1e-13, max_iter=1000)
    model.fit(x[:, None])
    np.testing.assert_allclose(model.means_.ravel(), found.parameters, rtol=1e-6)
    common = min(model.n_iter_, len(found.log_likelihoods))
    np.testing.assert_allclose(model.lower_bounds_[:common], found.log_likelihoods[:common] / len(x), rtol=1e-12)


def test_one_responsibility_by_hand():
    """E(z) = e^(−(x−μ₁)²/2) / Σ_k e^(−(x−μ_k)²/2): for x = 1, μ = (0, 4) it is 1/(1 + e^(1/2 − 9/2)) = 1/(1 + e⁻⁴)."""
    given = {"weights_init": [0.5, 0.5], "means_init": [[0.0], [4.0]], "variance": 1.0, "weights": "equal"}
    model = GaussianMixture(2, max_iter=0, **given).fit([[0.0], [1.0], [4.0]])
    assert model.predict_proba([[1.0]])[0, 0] == pytest.approx(1 / (1 + np.exp(-4.0)), rel=1e-13)
