"""The worked examples of the course about changes of space and clusters."""

import numpy as np
import pytest
from scipy.stats import ortho_group

from aprendiz import PCA, KMeans, MinMaxScaler, RobustScaler, SimpleImputer, StandardScaler

RNG = np.random.default_rng(7)
X = RNG.normal(size=(80, 5)) @ RNG.normal(size=(5, 5)) + RNG.normal(size=5)


@pytest.mark.parametrize("k", [1, 2, 3, 4, 5])
def test_d_22_the_largest_variance_of_k_directions(k):
    """max tr(GΣGᵀ) over orthonormal G is λ₁ + … + λ_k: reached by the components, passed by no other G."""
    model = PCA(n_components=k).fit(X)
    covariance = np.cov(X.T)
    best = np.sort(np.linalg.eigvalsh(covariance))[::-1][:k].sum()
    G = model.components_
    assert np.trace(G @ covariance @ G.T) == pytest.approx(best, rel=1e-12)
    assert model.explained_variance_.sum() == pytest.approx(best, rel=1e-12)
    for Q in ortho_group.rvs(5, size=200, random_state=1):
        assert np.trace(Q[:k] @ covariance @ Q[:k].T) <= best * (1 + 1e-12)


def test_a_i_2_2_coordinates_are_uncorrelated_with_falling_variances():
    """The covariance of the coordinates is diag(λ), λ₁ ≥ λ₂ ≥ …, and ΣV = V·diag(λ)."""
    model = PCA().fit(X)
    np.testing.assert_allclose(np.cov(model.transform(X).T), np.diag(model.explained_variance_), atol=1e-12)
    assert (np.diff(model.explained_variance_) <= 0).all()
    V = model.components_.T
    np.testing.assert_allclose(np.cov(X.T) @ V, V * model.explained_variance_, atol=1e-12)


def test_a_i_2_2_projecting_loses_nothing_only_if_the_rows_lie_on_the_line():
    """On a line one component gives every row back; beside it, it does not."""
    t = np.linspace(-1, 1, 20)[:, None]
    on_line = 3 + t * np.array([1.0, 2.0, -1.0])
    line = PCA(1).fit(on_line)
    np.testing.assert_allclose(line.inverse_transform(line.transform(on_line)), on_line, atol=1e-14)
    beside = on_line + 0.1 * np.sin(7 * t) * np.array([1.0, 0.0, 1.0])
    off = PCA(1).fit(beside)
    assert np.abs(off.inverse_transform(off.transform(beside)) - beside).max() > 0.05


def test_a_iii_1_9_standardised_columns():
    """Mean 0 and standard deviation 1, up to rounding."""
    Z = StandardScaler().fit_transform(1e6 + X)
    np.testing.assert_allclose(Z.mean(axis=0), 0, atol=1e-9)  # rounding of 10⁶ + x, beside a spread of 1
    np.testing.assert_allclose(Z.std(axis=0), 1, rtol=1e-12)


def test_a_iii_1_9_other_normalisations():
    """Min–max: from 0 to 1. Robust: median 0, and one unit between the quartiles. None of them changes the order of rows."""
    for scaler in (StandardScaler(), MinMaxScaler(), RobustScaler()):
        Z = scaler.fit_transform(X)
        np.testing.assert_array_equal(np.argsort(Z, axis=0), np.argsort(X, axis=0))
        if isinstance(scaler, MinMaxScaler):
            np.testing.assert_allclose([Z.min(axis=0), Z.max(axis=0)], [np.zeros(5), np.ones(5)], atol=1e-15)
        if isinstance(scaler, RobustScaler):
            np.testing.assert_allclose(np.percentile(Z, 50, axis=0), 0, atol=1e-15)
            np.testing.assert_allclose(np.subtract(*np.percentile(Z, [75, 25], axis=0)), 1, rtol=1e-13)


def test_a_iii_1_9_missing_values():
    """The mean where a column holds numbers, the mode where it holds words."""
    table = np.array([[1.0, "red"], [None, "red"], [4.0, None], [1.0, "blue"]], dtype=object)
    filled = SimpleImputer(strategy="auto").fit_transform(table)
    assert filled.tolist() == [[1, "red"], [2, "red"], [4, "red"], [1, "blue"]]


def test_a_ii_2_each_pass_of_k_means_lowers_the_cost():
    """J = Σ ‖x − c‖² never rises, and at the end each centre is the mean of its rows."""
    model = KMeans(4, init=X[:4], tol=0).fit(X)
    assert (np.diff(model.certificate_.log) <= 0).all()
    for j, center in enumerate(model.cluster_centers_):
        np.testing.assert_allclose(center, X[model.labels_ == j].mean(axis=0), atol=1e-13)
    assert model.inertia_ == pytest.approx(((X - model.cluster_centers_[model.labels_]) ** 2).sum(), rel=1e-13)
