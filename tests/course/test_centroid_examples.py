"""Worked examples of nearest centroids: standard errors, the ends of the threshold, numbers of parameters."""

import numpy as np
import pytest

from aprendiz import NearestCentroid, NearestShrunkenCentroids

RNG = np.random.default_rng(7)
Y = np.repeat([0, 1, 2], [10, 20, 30])
X = RNG.normal(size=(60, 4)) + RNG.normal(size=(3, 4))[Y]


def test_the_standard_error_of_a_difference():
    """√(1/n_k − 1/n) is the standard deviation of x̄_k − x̄ for unit noise; √(1/n_k + 1/n) is too large (errata, NSC)."""
    noise = np.random.default_rng(0).normal(size=(20_000, 60))
    gap = noise[:, Y == 0].mean(axis=1) - noise.mean(axis=1)
    # the standard deviation of 20 000 normal numbers has a relative standard error of 1/√(2·20 000) = 0.5 %
    assert gap.std() == pytest.approx(np.sqrt(1 / 10 - 1 / 60), rel=0.025)
    assert gap.std() < 0.9 * np.sqrt(1 / 10 + 1 / 60)


def test_no_shrinkage_is_diagonal_not_full_discriminant_analysis():
    """A III.4.6 (1524): with Δ = 0 the coefficients are those of a diagonal covariance, Δμ_j/u_j² column by column."""
    model = NearestShrunkenCentroids().fit(X, Y)
    unit = model.within_class_std_dev_ + model.offset_
    origin = model.decision_function(np.zeros((1, 4)))
    slopes = (model.decision_function(np.eye(4)) - origin).T  # of each class, up to what all share
    means = np.array([X[k == Y].mean(axis=0) for k in range(3)])
    np.testing.assert_allclose(slopes - slopes[0], (means - means[0]) / unit**2, atol=1e-10)


def test_full_shrinkage_is_the_prior():
    """A III.4.6: when every difference is 0, what is left of Bayes' rule is the prior."""
    with pytest.warns(UserWarning, match="priors alone decide"):
        model = NearestShrunkenCentroids(1e9).fit(X, Y)
    np.testing.assert_allclose(model.predict_proba(X[:1]), [[1 / 6, 2 / 6, 3 / 6]])
    assert (model.predict(X) == 2).all()


def test_numbers_of_parameters():
    """E-03, K = 3, p = 4: 16 of diagonal discriminant analysis and 12 of the nearest mean, without priors."""
    assert NearestShrunkenCentroids().fit(X, Y).n_parameters_ == 16
    assert NearestCentroid().fit(X, Y).centroids_.size == 12
