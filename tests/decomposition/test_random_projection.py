"""Random projections: the distribution of the matrices, the lemma of Johnson and Lindenstrauss, retries, and their images."""

import numpy as np
import pytest
from scipy import sparse, stats
from sklearn.exceptions import ConvergenceWarning, DataDimensionalityWarning
from sklearn.random_projection import SparseRandomProjection as TheirSparse
from sklearn.random_projection import johnson_lindenstrauss_min_dim as theirs

from aprendiz.decomposition import (
    GaussianRandomProjection,
    SparseRandomProjection,
    johnson_lindenstrauss_dim,
    johnson_lindenstrauss_failure,
    johnson_lindenstrauss_min_dim,
)
from aprendiz.decomposition.near_isometry.distortion import range_of_ratios, ratios
from aprendiz.decomposition.near_isometry.draws import normal_matrix, sparse_matrix

BOTH = pytest.mark.parametrize("cls", [GaussianRandomProjection, SparseRandomProjection])
X = np.random.default_rng(0).normal(size=(30, 300))


# ---- matrices --------------------------------------------------------------------------------------------------------


def test_normal_entries():
    """The entries are N(0, 1/k), independent of each other, of their neighbours and of other draws."""
    P = normal_matrix(40, 501, 3, 0) * np.sqrt(40)
    assert stats.kstest(P.ravel(), "norm").pvalue > 0.001
    for other in (P[:, 1:], P[1:], normal_matrix(40, 501, 3, 1) * np.sqrt(40), normal_matrix(40, 501, 4, 0) * np.sqrt(40)):
        n, d = other.shape
        assert abs((P[:n, :d] * other).mean()) < 4.0 / np.sqrt(n * d) or other is P


@pytest.mark.parametrize("density", [0.03, 1 / 3, 0.9])
def test_sparse_entries(density):
    """Each place is filled with the same probability, by either sign, in every row and column; counts are binomial."""
    P = sparse_matrix(300, 200, density, 5, 0)
    P.check_format()
    A = P.toarray() * np.sqrt(density * 300)
    assert np.abs(np.abs(A[A != 0]) - 1.0).max() < 1e-12
    for counts, of in (((A != 0).sum(axis=0), 300), ((A != 0).sum(axis=1), 200)):
        z = (counts - of * density) / np.sqrt(of * density * (1 - density))
        assert abs(z.mean()) < 4 / np.sqrt(len(z))
        assert 0.7 < z.std() < 1.3
    signs = (A > 0).sum() - (A < 0).sum()
    assert abs(signs) < 4 * np.sqrt(P.nnz)
    full = sparse_matrix(20, 50, 1.0, 0, 0).toarray() * np.sqrt(20)
    assert np.abs(np.abs(full) - 1.0).max() < 1e-12


def test_same_distribution_as_scikit_learn():
    """How many entries a row has, ours beside scikit-learn's."""
    ours = SparseRandomProjection(250, random_state=0).fit(X)
    other = TheirSparse(250, random_state=0).fit(X)
    assert ours.density_ == other.density_
    counts = [np.diff(model.components_.indptr) for model in (ours, other)]
    assert stats.ks_2samp(*counts).pvalue > 0.001
    assert np.abs(ours.components_.data).max() == pytest.approx(np.abs(other.components_.data).max())
    assert type(ours.components_) is type(other.components_)


# ---- dimensions ------------------------------------------------------------------------------------------------------


def test_dimensions():
    """scikit-learn's numbers, and arrays of them."""
    for n, eps in ((1000, 0.25), (1e6, [0.5, 0.1, 0.01]), ([1e4, 1e5], 0.1)):
        np.testing.assert_array_equal(johnson_lindenstrauss_min_dim(n, eps=eps), theirs(n, eps=eps))
    np.testing.assert_array_equal(johnson_lindenstrauss_dim([10, 1000], 0.25, "larger"), [453, 1327])
    assert johnson_lindenstrauss_dim(1, 0.5) == 0


@pytest.mark.parametrize("eps", [0.1, 0.25, 0.49])
def test_probability_of_the_proof(eps):
    """With the size of the proof a draw fails with probability ½ at most, and with one coordinate less it may not."""
    n = np.array([2, 10, 16, 1000])
    k = johnson_lindenstrauss_dim(n, eps, "proof")
    assert (johnson_lindenstrauss_failure(n, eps, k) <= 0.5).all()
    assert (johnson_lindenstrauss_failure(n, eps, k - 1) > 0.5).all()
    lemma = johnson_lindenstrauss_failure(n, eps, johnson_lindenstrauss_dim(n, eps, "lemma"))
    np.testing.assert_array_equal(lemma <= 0.5, [False, False, True, True])


@pytest.mark.parametrize(("n", "eps"), [(10, 0.0), (10, 1.0), (0, 0.5), (-3, 0.5), (np.nan, 0.5), ("ten", 0.5)])
def test_dimensions_of_nothing(n, eps):
    with pytest.raises(ValueError, match=r"JL bound is defined|must be numbers"):
        johnson_lindenstrauss_dim(n, eps)
    with pytest.raises(ValueError, match="bound must be 'lemma'"):
        johnson_lindenstrauss_dim(10, 0.5, "best")


# ---- the lemma -------------------------------------------------------------------------------------------------------


def test_ratios():
    """Squared distances after and before, pair by pair; rows in one place have no ratio; huge rows have."""
    U, P = np.array([[0.0, 0.0], [3.0, 4.0], [3.0, 4.0], [1.0, 0.0]]) * 2.0**600, np.array([[1.0, 1.0]])
    found, lost = ratios(U, U @ P.T, U @ P.T)
    np.testing.assert_allclose(found, [49 / 25, 49 / 25, 1.0, 36 / 20, 36 / 20])
    assert 0 < lost < 1e-13
    assert ratios(U + 2.0**630, (U + 2.0**630) @ P.T, (U + 2.0**630) @ P.T)[1] > 1e-6


def test_squared_lengths_are_chi_squared():
    """k‖Pu‖²/‖u‖² over many draws."""
    u, k = np.linspace(-1, 2, 30), 4
    lengths = [((normal_matrix(k, 30, 0, draw) @ u) ** 2).sum() * k / (u @ u) for draw in range(400)]
    assert stats.kstest(lengths, "chi2", args=(k,)).pvalue > 0.001
    least, most = range_of_ratios(k, 1)
    assert stats.chi2(k).cdf(least * k) == pytest.approx(5e-7)
    assert stats.chi2(k).sf(most * k) == pytest.approx(5e-7)


@BOTH
def test_retry(cls):
    """Draws go on until the distances are kept: one draw after another, and the last one is the one that is kept."""
    model = cls(100, eps=0.4, retry=50, random_state=0).fit(X)
    assert model.certificate_.holds
    assert model.draws_ > 1
    V = model.transform(X)
    r = ratios(X, V, V)[0]
    assert np.abs(r - 1).max() == pytest.approx(model.certificate_.distortion, rel=1e-9)
    assert model.certificate_.all_rows
    first = cls(100, eps=0.4, random_state=0).fit(X)
    assert first.draws_ == 1
    assert first.certificate_.distortion > 0.4
    assert first.certificate_.holds  # as good as 100 normal coordinates are; nobody asked for 0.4


@BOTH
def test_retry_in_vain(cls):
    with pytest.warns(ConvergenceWarning, match=r"No draw of 3 kept the distances"):
        model = cls(2, eps=0.1, retry=3, random_state=0).fit(X)
    assert not model.certificate_.holds
    assert model.draws_ == 3


def test_rows_that_a_sparse_matrix_misses():
    """One cell in each row: some columns of a sparse matrix are empty, distances vanish, and the certificate says so."""
    rows = sparse.csr_array(np.eye(400))
    sparse_one, normal = (cls(30, random_state=0).fit(rows) for cls in (SparseRandomProjection, GaussianRandomProjection))
    assert not sparse_one.certificate_.holds
    assert normal.certificate_.holds


# ---- images ----------------------------------------------------------------------------------------------------------


@BOTH
@pytest.mark.parametrize("form", ["dense", "sparse"])
def test_images(cls, form):
    """P u of each row; sparse rows have sparse images by sparse matrices, unless they are asked to be dense."""
    U = X * (np.random.default_rng(1).random(X.shape) < 0.1)
    table = sparse.csr_matrix(U) if form == "sparse" else U
    model = cls(50, random_state=0).fit(table)
    P = model.components_.toarray() if sparse.issparse(model.components_) else model.components_
    images = model.transform(table)
    assert sparse.issparse(images) == (form == "sparse" and cls is SparseRandomProjection)
    np.testing.assert_allclose(images.toarray() if sparse.issparse(images) else images, U @ P.T, atol=1e-12)
    if cls is SparseRandomProjection:
        dense = model.set_params(dense_output=True).transform(table)
        np.testing.assert_allclose(dense, U @ P.T, atol=1e-12)


@BOTH
def test_way_back(cls):
    """The rows of smallest norm with these images, whether the pseudo-inverse was kept or not."""
    for keep in (True, False):
        model = cls(40, compute_inverse_components=keep, random_state=0).fit(X)
        back = model.inverse_transform(model.transform(X))
        np.testing.assert_allclose(model.transform(back), model.transform(X), atol=1e-9)
        assert (np.linalg.norm(back, axis=1) < np.linalg.norm(X, axis=1)).all()
        assert hasattr(model, "inverse_components_") == keep
    with pytest.raises(ValueError, match="40 components need as many coordinates"):
        model.inverse_transform(np.ones((2, 3)))


def test_dense_signs():
    model = SparseRandomProjection(10, density=1.0, random_state=0).fit(X)
    assert isinstance(model.components_, np.ndarray)
    np.testing.assert_allclose(np.abs(model.components_), 1 / np.sqrt(10))


# ---- refusals --------------------------------------------------------------------------------------------------------


@BOTH
@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({}, "target dimension of 2915 which is larger than the original space with n_features=300: raise eps"),
        ({"n_components": 0}, "n_components of .* must be"),
        ({"eps": 0.0, "n_components": 3}, "eps of .* must be"),
        ({"eps": 1.0, "n_components": 3}, "eps of .* must be below 1"),
        ({"eps": -0.1}, "eps of .* must be"),
        ({"retry": 0}, "retry of .* must be"),
    ],
)
def test_refused(cls, settings, said):
    with pytest.raises(ValueError, match=said):
        cls(**settings).fit(X)


@pytest.mark.parametrize("density", [0.0, 1.5, -1.0])
def test_density_is_a_share(density):
    with pytest.raises(ValueError, match="density of SparseRandomProjection"):
        SparseRandomProjection(3, density=density).fit(X)


@BOTH
def test_more_coordinates_than_columns(cls):
    with pytest.warns(DataDimensionalityWarning, match=r"n_features < n_components \(300 < 301\)"):
        cls(301).fit(X)
    with pytest.raises(ValueError, match=r"n_samples=1 lead to a target dimension of 0 which is invalid"):
        cls().fit(X[:1])


@BOTH
def test_cells_too_large(cls):
    model = cls(5, density=1.0, random_state=0) if cls is SparseRandomProjection else cls(5, random_state=0)
    with pytest.raises(ValueError, match=r"too large to be projected: 1.7e.308 in column 7"):
        model.fit(X).transform(np.where(np.arange(300) == 7, 1.7e308, np.full((1, 300), 1e308)))
