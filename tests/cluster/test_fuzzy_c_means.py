"""FuzzyCMeans: the cost never rises, its centres are stationary, and k-means is its limit."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import check_grad

from aprendiz import FuzzyCMeans, KMeans
from aprendiz.core.parameters import ParameterError

RNG = np.random.default_rng(3)
X = np.vstack([RNG.normal(size=(60, 2)), RNG.normal(size=(50, 2)) + 4, RNG.normal((0, 6), 1, (40, 2))])
START = X[[0, 70, 120]]


def cost(centers, table, weight, m):
    """J with the memberships that are best for the centres."""
    squares = ((table[:, None] - centers) ** 2).sum(axis=2)
    u = squares ** (-1 / (m - 1))
    u /= u.sum(axis=1, keepdims=True)
    return (weight[:, None] * u**m * squares).sum()


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from([1.1, 1.5, 2.0, 3.0]), st.integers(1, 4))
def test_cost_never_rises(seed, m, k):
    """From any start and for any fuzzifier."""
    rng = np.random.default_rng(seed)
    table, weight = rng.normal(size=(40, 2)), rng.uniform(0.1, 2, 40)
    model = FuzzyCMeans(k, m=m, random_state=seed % 2**31, max_iter=3000).fit(table, sample_weight=weight)
    assert model.certificate_.holds
    np.testing.assert_allclose(model.memberships_.sum(axis=1), 1, rtol=1e-12)
    assert 1 / k - 1e-12 <= model.partition_coefficient_ <= 1 + 1e-12
    assert -1e-12 <= model.partition_entropy_ <= np.log(k) + 1e-12


@pytest.mark.parametrize("m", [1.4, 2.0, 2.7])
def test_memberships_are_the_best_for_the_centres(m):
    """No other memberships have a lower cost; the centres are stationary points of the cost."""
    weight = RNG.uniform(0.5, 2, len(X))
    model = FuzzyCMeans(3, m=m, init=START, tol=0.0).fit(X, sample_weight=weight)
    centers = model.cluster_centers_
    assert model.inertia_ == pytest.approx(cost(centers, X, weight, m), rel=1e-10)
    assert model.score(X, sample_weight=weight) == pytest.approx(-model.inertia_, rel=1e-12)
    squares = ((X[:, None] - centers) ** 2).sum(axis=2)
    for _ in range(20):
        other = np.abs(model.memberships_ + 0.01 * RNG.normal(size=(len(X), 3)))
        other /= other.sum(axis=1, keepdims=True)
        assert (weight[:, None] * other**m * squares).sum() >= model.inertia_
    gradient = check_grad(lambda c: cost(c.reshape(3, 2), X, weight, m), lambda c: np.zeros(6), centers.ravel(), epsilon=1e-6)
    assert gradient <= 1e-4 * weight.sum()


def test_limit_is_k_means():
    """For m → 1 the memberships are hard, and centres and cost are those of k-means."""
    fuzzy, hard = FuzzyCMeans(3, m=1.001, init=START, tol=0.0).fit(X), KMeans(3, init=START, tol=0).fit(X)
    np.testing.assert_allclose(fuzzy.cluster_centers_, hard.cluster_centers_, rtol=1e-6)
    assert fuzzy.inertia_ == pytest.approx(hard.inertia_, rel=1e-6)
    np.testing.assert_array_equal(fuzzy.labels_, hard.labels_)
    assert fuzzy.partition_coefficient_ == pytest.approx(1, abs=1e-3)


def test_fuzzier_is_flatter():
    """The larger m, the more even the memberships."""
    coefficients = [FuzzyCMeans(3, m=m, init=START).fit(X).partition_coefficient_ for m in (1.2, 1.6, 2.0, 3.0)]
    assert (np.diff(coefficients) < 0).all()


def test_a_row_far_away_does_not_end_the_passes():
    """A row at 10⁸ that is a cluster of its own makes the variance: the others still come to rest where they do without it."""
    far = np.full((1, 2), 1e8)
    with_it, without = FuzzyCMeans(4, init=np.vstack([START, far])).fit(np.vstack([X, far])), FuzzyCMeans(3, init=START).fit(X)
    np.testing.assert_allclose(with_it.cluster_centers_[:3], without.cluster_centers_, atol=1e-2)
    assert with_it.n_iter_ > 5


def test_rows_on_a_centre():
    """A row that is a centre belongs to it alone, or in equal parts to the centres that are there."""
    model = FuzzyCMeans(2, init=[[0.0], [4.0]]).fit([[0.0], [1.0], [3.0], [4.0]])
    np.testing.assert_array_equal(model.memberships(model.cluster_centers_), np.eye(2))
    same = FuzzyCMeans(2, init=[[1.0], [1.0]]).fit([[1.0], [1.0]])
    np.testing.assert_array_equal(same.memberships_, np.full((2, 2), 0.5))
    assert same.inertia_ == 0.0


def test_weight_two_is_the_row_twice():
    """Whole weights are repetitions."""
    repeats = RNG.integers(0, 3, len(X))
    weighted = FuzzyCMeans(3, init=START).fit(X, sample_weight=repeats)
    repeated = FuzzyCMeans(3, init=START).fit(np.repeat(X, repeats, axis=0))
    np.testing.assert_allclose(weighted.cluster_centers_, repeated.cluster_centers_, rtol=1e-9)


def test_refusals():
    """A fuzzifier of 1, more clusters than rows, rows that differ too little to be squared."""
    with pytest.raises(ParameterError, match="m of FuzzyCMeans must be a number above 1"):
        FuzzyCMeans(2, m=1.0).fit(X)
    with pytest.raises(ValueError, match="n_samples=2 should be >= n_clusters=3"):
        FuzzyCMeans(3).fit(X[:2])
    with pytest.raises(ValueError, match="differ so little"):
        FuzzyCMeans(2).fit(X[:9] * 1e-200)
