"""The worked examples of the course about estimation and the multivariate normal; numbers as the course prints them."""

import numpy as np
import pytest
from scipy import stats

from aprendiz.bayes.distributions import (
    Bernoulli,
    Beta,
    FiniteUniform,
    Gaussian,
    InverseGamma,
    MultivariateGaussian,
    NormalMean,
)

DATA = [6, 8, 7, 7]


def test_a_06_likelihood_of_two_sets():
    """{16, 8, 2, 64} is far more likely among the powers of two up to 64 than among the even numbers up to 100."""
    rows = [16, 8, 2, 64]
    assert np.exp(FiniteUniform([2, 4, 8, 16, 32, 64]).log_likelihood(rows)) == pytest.approx(7.7160e-4, abs=5e-9)
    assert np.exp(FiniteUniform(range(2, 101, 2)).log_likelihood(rows)) == pytest.approx(1.6e-7, rel=1e-12)


def test_a_07_map_of_a_mean():
    """Prior N(5, 1), σ² = 4: ML 7, MAP 6 = ML·N/(N + σ²) + 5σ²/(N + σ²)."""
    assert Gaussian.fit(DATA).mean == 7
    fitted = Gaussian.fit(DATA, prior=NormalMean(5, 1, noise=4))
    assert fitted.mean == pytest.approx(6, rel=1e-14)
    assert fitted.mean == pytest.approx(7 * 4 / (4 + 4) + 5 * 4 / (4 + 4), rel=1e-14)


@pytest.mark.parametrize("rows", [1, 10, 1000])
def test_a_07_many_rows_outweigh_the_prior(rows):
    """The MAP mean lies between 5 and the ML mean, at N/(N + σ²) of the way."""
    x = np.tile(DATA, rows)
    fitted = Gaussian.fit(x, prior=NormalMean(5, 1, noise=4))
    assert fitted.mean == pytest.approx(5 + 2 * len(x) / (len(x) + 4), rel=1e-13)


def test_a_08_map_of_a_variance():
    """p(σ²) ∝ e^(−1/σ²)/σ² is inverse gamma with a = 0, b = 1: ML 1/2, MAP 2/3 = (N·ML + 2)/(N + 2)."""
    ml = Gaussian.fit(DATA)
    assert ml.variance == pytest.approx(1 / 2, rel=1e-14)
    prior = InverseGamma(0, 1, centre=ml.mean)
    found = Gaussian.fit(DATA, prior=prior).variance
    assert found == pytest.approx(2 / 3, rel=1e-14)
    assert found == pytest.approx((4 * ml.variance + 2) / (4 + 2), rel=1e-14)


def test_a_08_an_improper_prior_has_no_evidence():
    """∫ e^(−1/v)/v dv diverges, so the evidence is refused; the posterior is proper."""
    prior = InverseGamma(0, 1, centre=7)
    assert not prior.proper
    with pytest.raises(ValueError, match="improper"):
        prior.evidence(DATA)
    assert prior.posterior(DATA).proper


def test_a_32_maximum_likelihood_of_a_bernoulli():
    """N₁/N; with the prior Beta (1, 1) the MAP estimate is the same, and the predictive is Laplace's (N₁ + 1)/(N + 2)."""
    x = [1, 0, 1, 1, 0]
    assert Bernoulli.fit(x).p == 3 / 5
    assert Bernoulli.fit(x, prior=Beta(1, 1)).p == pytest.approx(3 / 5, rel=1e-15)
    assert Beta(1, 1).posterior(x).predictive().p == pytest.approx(4 / 7, rel=1e-15)


@pytest.mark.parametrize("rho", [-0.9, 0.0, 0.5])
def test_e_04_the_bivariate_form_is_the_general_one(rho):
    """exp(−(z₁² − 2ρz₁z₂ + z₂²)/(2(1 − ρ²)))/(2πσ₁σ₂√(1 − ρ²)), written out, at some points; 5 parameters."""
    m1, m2, s1, s2 = 1.0, -2.0, 0.5, 3.0
    model = MultivariateGaussian.bivariate(m1, m2, s1, s2, rho)
    X = np.random.default_rng(0).normal(size=(20, 2)) * [1, 4]
    z1, z2 = (X[:, 0] - m1) / s1, (X[:, 1] - m2) / s2
    form = np.exp(-(z1**2 - 2 * rho * z1 * z2 + z2**2) / (2 * (1 - rho**2))) / (2 * np.pi * s1 * s2 * np.sqrt(1 - rho**2))
    np.testing.assert_allclose(model.density(X), form, rtol=1e-10)
    np.testing.assert_allclose(model.density(X), stats.multivariate_normal(model.mean, model.covariance).pdf(X), rtol=1e-10)
    assert model.n_parameters == 5


def test_e_04_the_conditional_of_two_columns():
    """X₂ | X₁ = x ~ N(μ₂ + ρ(σ₂/σ₁)(x − μ₁), (1 − ρ²)σ₂²)."""
    left = MultivariateGaussian.bivariate(1, -2, 0.5, 3, 0.6).conditional({0: 2.0})
    assert left.mean[0] == pytest.approx(-2 + 0.6 * (3 / 0.5) * (2 - 1), rel=1e-13)
    assert left.covariance[0, 0] == pytest.approx((1 - 0.36) * 9, rel=1e-13)


def test_the_ellipse_of_95_per_cent():
    """r² = χ²₂(0.95) = −2 ln 0.05 = 5.991465."""
    model = MultivariateGaussian.bivariate(0, 0, 1, 2, 0.7)
    assert model.squared_radius(0.95) == pytest.approx(5.991465, abs=5e-7)
    assert model.squared_radius(0.95) == pytest.approx(-2 * np.log(0.05), rel=1e-13)
    np.testing.assert_allclose(model.squared_distance(model.ellipse()), 5.991465, atol=5e-7)
