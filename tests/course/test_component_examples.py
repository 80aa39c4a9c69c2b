"""Principal components in the course: what its formulas need to be true, as properties."""

import numpy as np
import pytest
from scipy.stats import ortho_group

from aprendiz import PCA

RNG = np.random.default_rng(17)
X = RNG.normal(size=(120, 4)) @ np.diag([3.0, 2.0, 1.0, 0.5]) @ ortho_group.rvs(4, random_state=2) + [5.0, -20.0, 10.0, 3.0]


def first_eigenvector(S):
    return np.linalg.eigh(S)[1][:, -1]


def test_a_i_2_2_the_covariance_needs_centred_columns():
    """XᵀX/M of a table far from zero has the mean as its first direction; Σ is that of the centred columns."""
    mean = X.mean(axis=0)
    raw = first_eigenvector(X.T @ X / len(X))
    assert abs(raw @ mean) / np.linalg.norm(mean) > 0.99
    first = PCA(1).fit(X).components_[0]
    Z = X - mean
    assert abs(first @ first_eigenvector(Z.T @ Z / len(X))) == pytest.approx(1, abs=1e-12)
    assert abs(first @ raw) < 0.7


def test_a_i_2_2_each_column_has_its_own_eigenvalue():
    """ΣU = U·diag(λ): λ scales the columns of U, not its rows."""
    model = PCA().fit(X)
    S, U, values = np.cov(X.T), model.components_.T, model.explained_variance_
    np.testing.assert_allclose(S @ U, U @ np.diag(values), atol=1e-12)
    assert np.abs(S @ U - np.diag(values) @ U).max() > 1


def test_a_i_2_2_eigenvectors_are_orthonormal():
    """The printed U = (−1 2; 3 0) has columns that are neither of length 1 nor at right angles, so it belongs to no Σ."""
    printed = np.array([[-1.0, 2.0], [3.0, 0.0]])
    assert printed[:, 0] @ printed[:, 1] != 0
    assert (np.linalg.norm(printed, axis=0) != 1).all()
    V = PCA().fit(X).components_
    np.testing.assert_allclose(V @ V.T, np.eye(4), atol=1e-13)


def test_a_i_2_2_coordinates_are_those_of_centred_rows():
    """z = Uᵀ(x − m): without m the coordinates would have another mean than 0."""
    model = PCA(2).fit(X)
    np.testing.assert_allclose(model.transform(X), (X - X.mean(axis=0)) @ model.components_.T, atol=1e-12)
    np.testing.assert_allclose(model.transform(X).mean(axis=0), 0, atol=1e-12)


@pytest.mark.parametrize("share", [0.3, 0.6, 0.9, 0.95, 0.99, 0.999])
def test_a_i_2_2_2_the_smallest_number_of_components(share):
    """The smallest k with (λ₁ + … + λ_k)/Σλ ≥ τ."""
    explained = np.cumsum(PCA().fit(X).explained_variance_ratio_)
    assert PCA(share).fit(X).n_components_ == 1 + np.count_nonzero(explained < share)


def test_a_i_2_2_1_comparable_scales():
    """Divided by their deviations, columns in any units have the same components: those of the correlations."""
    units = np.array([1.0, 1e3, 1e-3, 50.0])
    usual, other = PCA(scale=True).fit(X), PCA(scale=True).fit(X * units)
    np.testing.assert_allclose(other.components_, usual.components_, atol=1e-10)
    np.testing.assert_allclose(usual.explained_variance_, np.linalg.eigvalsh(np.corrcoef(X.T))[::-1], rtol=1e-12)
    assert abs(PCA(1).fit(X * units).components_[0] @ PCA(1).fit(X).components_[0]) < 0.99


@pytest.mark.parametrize("k", [1, 2, 3])
def test_d_2_4_2_the_projector(k):
    """P = TᵀGᵀGT: its diagonal lies in [0, 1] and sums to k, and tr(GΣGᵀ) = Σ p_jj δ_j; other entries may be negative."""
    model = PCA().fit(X)
    S, T, delta = np.cov(X.T), model.components_.T, model.explained_variance_
    negative = False
    for Q in ortho_group.rvs(4, size=100, random_state=k):
        G = Q[:k]
        P = T.T @ G.T @ G @ T
        p = np.diag(P)
        assert p.min() >= -1e-12
        assert p.max() <= 1 + 1e-12
        assert p.sum() == pytest.approx(k)
        assert np.trace(G @ S @ G.T) == pytest.approx(p @ delta)
        negative |= bool((P < -0.1).any())
    assert negative


def test_d_2_4_3_uncorrelated_with_falling_variances():
    """Var(y₁) ≥ … ≥ Var(y_k), and no two of them are correlated: also whitened, where all variances are 1."""
    Y = PCA(3).fit_transform(X)
    S = np.cov(Y.T)
    assert (np.diff(np.diag(S)) < 0).all()
    np.testing.assert_allclose(S - np.diag(np.diag(S)), 0, atol=1e-12)
    np.testing.assert_allclose(np.cov(PCA(3, whiten=True).fit_transform(X).T), np.eye(3), atol=1e-12)
