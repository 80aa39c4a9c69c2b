"""PCA: exact components, and the probabilistic model on them."""

import numpy as np
import pytest
from scipy import sparse
from scipy.stats import multivariate_normal
from sklearn.datasets import load_iris, load_wine
from sklearn.decomposition import PCA as THEIR_PCA

from aprendiz import PCA
from aprendiz.decomposition.spectrum.axes import eigenpairs, upright

RNG = np.random.default_rng(1)
IRIS, WINE = load_iris().data, load_wine().data
TALL = RNG.normal(size=(300, 12)) @ RNG.normal(size=(12, 12)) + 3 * RNG.normal(size=12)
WIDE = RNG.normal(size=(25, 60)) * np.linspace(1, 3, 60)
TABLES = {"iris": IRIS, "wine": WINE, "tall": TALL, "wide": WIDE}


def assert_same(ours, theirs, X, tol=1e-9):
    """All attributes and the coordinates; 10⁻⁹ of the largest where variances differ by 10⁶ (wine)."""
    largest = theirs.explained_variance_[0]
    assert ours.n_components_ == theirs.n_components_
    assert ours.n_samples_ == theirs.n_samples_
    np.testing.assert_allclose(ours.mean_, theirs.mean_, rtol=1e-13, atol=1e-15 * np.abs(X).max())
    np.testing.assert_allclose(ours.explained_variance_, theirs.explained_variance_, rtol=tol, atol=1e-14 * largest)
    np.testing.assert_allclose(ours.explained_variance_ratio_, theirs.explained_variance_ratio_, rtol=tol, atol=1e-14)
    np.testing.assert_allclose(ours.singular_values_, theirs.singular_values_, rtol=tol, atol=1e-6 * np.sqrt(largest))
    np.testing.assert_allclose(ours.noise_variance_, theirs.noise_variance_, rtol=1e-7, atol=1e-13 * largest)
    some = theirs.explained_variance_ > 1e-12 * largest  # a direction without variance is arbitrary
    np.testing.assert_allclose(ours.components_[some], theirs.components_[some], atol=tol)
    np.testing.assert_allclose(ours.transform(X)[:, some], theirs.transform(X)[:, some], atol=tol * np.abs(X).max())


# ---- drop-in ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n_components", [None, 1, 3, 0.5, 0.9, 0.999])
@pytest.mark.parametrize("name", TABLES)
def test_number_of_components(name, n_components):
    """All, a number, or as many as explain a share: scikit-learn's choice and components."""
    X = TABLES[name]
    assert_same(PCA(n_components).fit(X), THEIR_PCA(n_components, svd_solver="full").fit(X), X)


def test_share_that_is_met_exactly():
    """The fewest components that explain at least the share: m of d directions with the same variance explain m/d exactly,
    whatever rounding makes of the sums, in any units; scikit-learn takes one more."""
    rng = np.random.default_rng(0)
    for d in (2, 3, 7, 10):
        turn = np.linalg.qr(rng.normal(size=(d, d)))[0]
        for X in (np.vstack([np.eye(d), -np.eye(d)]), 1e-3 * np.vstack([turn, -turn])):
            for m in range(1, d):
                assert PCA(m / d).fit(X).n_components_ == m
                assert PCA(m / d + 1e-12).fit(X).n_components_ == m + 1


@pytest.mark.parametrize("name", ["iris", "wine", "tall"])
def test_most_likely_number(name):
    """n_components="mle": Minka's estimate, as scikit-learn has it."""
    X = TABLES[name]
    assert_same(PCA("mle").fit(X), THEIR_PCA("mle", svd_solver="full").fit(X), X)


def test_most_likely_number_finds_the_truth():
    """Three strong directions in small noise: "mle" says three."""
    X = RNG.normal(size=(500, 3)) @ (5 * RNG.normal(size=(3, 10))) + 0.1 * RNG.normal(size=(500, 10))
    assert PCA("mle").fit(X).n_components_ == 3


@pytest.mark.parametrize("unit", [2.0**-60, 2.0**60])
def test_units_do_not_matter(unit):
    """In other units the same number of components is the most likely one, and whitened coordinates are the same."""
    assert PCA("mle").fit(IRIS * unit).n_components_ == PCA("mle").fit(IRIS).n_components_
    twice = np.column_stack([IRIS, IRIS[:, 0]])  # one component without variance
    usual, other = (PCA(whiten=True).fit(X).transform(X)[:, :4] for X in (twice, twice * unit))
    np.testing.assert_allclose(other, usual, atol=1e-9)
    assert PCA("mle").fit(np.ones((5, 2))).n_components_ == 1


def test_most_likely_number_needs_rows():
    """n_components="mle" with fewer rows than columns is refused, as scikit-learn does."""
    with pytest.raises(ValueError, match="at least as many rows as columns"):
        PCA("mle").fit(WIDE)


@pytest.mark.parametrize("name", TABLES)
def test_whiten(name):
    """Whitened coordinates have unit variance, are scikit-learn's, and go back."""
    X = TABLES[name]
    ours, theirs = PCA(4, whiten=True).fit(X), THEIR_PCA(4, whiten=True, svd_solver="full").fit(X)
    T = ours.transform(X)
    np.testing.assert_allclose(np.cov(T.T), np.eye(4), atol=1e-9)
    np.testing.assert_allclose(T, theirs.transform(X), atol=1e-8)
    np.testing.assert_allclose(ours.inverse_transform(T), theirs.inverse_transform(T), rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("k", [1, 2, 3])
@pytest.mark.parametrize("name", ["iris", "wine", "tall"])
def test_model(name, k):
    """Covariance, precision and log-densities are those of scikit-learn, and belong together."""
    X = TABLES[name]
    ours, theirs = PCA(k).fit(X), THEIR_PCA(k, svd_solver="full").fit(X)
    np.testing.assert_allclose(ours.get_covariance(), theirs.get_covariance(), rtol=1e-9, atol=1e-11)
    np.testing.assert_allclose(ours.get_precision(), theirs.get_precision(), rtol=1e-7, atol=1e-10)
    np.testing.assert_allclose(ours.get_precision() @ ours.get_covariance(), np.eye(X.shape[1]), atol=1e-8)
    np.testing.assert_allclose(ours.score_samples(X), theirs.score_samples(X), rtol=1e-9)
    assert ours.score(X) == pytest.approx(theirs.score(X), rel=1e-10)
    density = multivariate_normal(ours.mean_, ours.get_covariance())
    np.testing.assert_allclose(ours.score_samples(X), density.logpdf(X), rtol=1e-9)


def test_all_components_give_the_sample_covariance():
    """With every component kept, the model's covariance is that of the rows."""
    np.testing.assert_allclose(PCA().fit(TALL).get_covariance(), np.cov(TALL.T), rtol=1e-11)


# ---- the best projection ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [1, 2, 4])
@pytest.mark.parametrize("name", TABLES)
def test_eckart_young(name, k):
    """The squared error of the reconstruction is the one of the certificate, and that of the best rank-k matrix."""
    X = TABLES[name]
    model = PCA(k).fit(X)
    Z = X - X.mean(axis=0)
    error = np.sum((X - model.inverse_transform(model.transform(X))) ** 2)
    best = np.sum(np.linalg.svd(Z, compute_uv=False)[k:] ** 2)
    rounding = 1e-13 * np.sum(Z**2)  # the error is what is left of ‖Z‖²
    assert model.certificate_.error == pytest.approx(error, rel=1e-9, abs=rounding)
    assert model.certificate_.error == pytest.approx(best, rel=1e-9, abs=rounding)
    assert model.certificate_.share == pytest.approx(error / np.sum(Z**2), rel=1e-9, abs=1e-13)
    assert model.certificate_.holds


def test_components_are_orthonormal_and_upright():
    """VVᵀ = I, also with fewer rows than columns, and the entry of largest size of each component is positive."""
    for X in TABLES.values():
        V = PCA().fit(X).components_
        np.testing.assert_allclose(V @ V.T, np.eye(len(V)), atol=1e-12)
        assert (V[np.arange(len(V)), np.abs(V).argmax(axis=1)] > 0).all()


def test_inverse_transform_gives_the_rows_back():
    """With all components nothing is lost."""
    for X in TABLES.values():
        model = PCA().fit(X)
        np.testing.assert_allclose(model.inverse_transform(model.transform(X)), X, atol=1e-11 * np.abs(X).max())


def test_table_without_variance():
    """Rows that are all the same: no variance, no error, coordinates 0."""
    X = np.tile([1.0, 2.0, 3.0], (5, 1))
    model = PCA(2).fit(X)
    np.testing.assert_array_equal(model.explained_variance_, 0)
    np.testing.assert_array_equal(model.explained_variance_ratio_, 0)
    np.testing.assert_allclose(model.transform(X), 0, atol=1e-15)
    assert np.isfinite(PCA(2, whiten=True).fit_transform(X)).all()


def test_large_offset():
    """Far from zero the components and variances are the same."""
    X = np.round(64 * TALL) / 64  # exact beside 2²⁶
    near, far = PCA().fit(X), PCA().fit(X + 2.0**26)
    np.testing.assert_allclose(far.explained_variance_, near.explained_variance_, rtol=1e-9)
    np.testing.assert_allclose(far.components_, near.components_, atol=1e-9)


# ---- rows of other kinds ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(200, 10), (20, 50)])
def test_sparse(shape):
    """A sparse table gives what the same table gives when it is dense."""
    X = sparse.random(*shape, density=0.3, random_state=0, format="csr")
    thin, dense = PCA(5).fit(X), PCA(5).fit(X.toarray())
    np.testing.assert_allclose(thin.components_, dense.components_, atol=1e-12)
    np.testing.assert_allclose(thin.transform(X), dense.transform(X.toarray()), atol=1e-12)


def test_weights_count_rows():
    """A weight of 3 is the row three times; a weight of 0 leaves it out."""
    times = RNG.integers(0, 4, size=150)
    weighted, repeated = PCA().fit(IRIS, sample_weight=times), PCA().fit(np.repeat(IRIS, times, axis=0))
    np.testing.assert_allclose(weighted.explained_variance_, repeated.explained_variance_, rtol=1e-11)
    np.testing.assert_allclose(weighted.components_, repeated.components_, atol=1e-11)
    np.testing.assert_allclose(weighted.mean_, repeated.mean_, rtol=1e-13)
    assert weighted.n_samples_ == repeated.n_samples_


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("size", [7, 20, 100])
def test_partial_fit(name, size):
    """Rows that come in pieces, also pieces with fewer rows than columns, give what they give at once."""
    X = TABLES[name]
    pieces = PCA(3)
    for start in range(0, len(X), size):
        pieces.partial_fit(X[start : start + size])
    assert_same(pieces, PCA(3).fit(X), X)


def test_partial_fit_far_from_zero():
    """The same at an offset of 10⁸: variances are of the rows, not of the rounding of their means."""
    X, pieces = TALL + 1e8, PCA()
    for start in range(0, len(X), 50):
        pieces.partial_fit(X[start : start + 50])
    np.testing.assert_allclose(pieces.explained_variance_, PCA().fit(X).explained_variance_, rtol=1e-11)


def test_single_precision():
    """float32 rows are summed in float64 and transformed to float32."""
    X = TALL.astype(np.float32)
    model = PCA(3).fit(X)
    assert model.transform(X).dtype == np.float32
    np.testing.assert_allclose(model.components_, PCA(3).fit(X.astype(float)).components_, rtol=2.0**-24)


def test_names():
    """Coordinates are named pca0, pca1, …"""
    assert list(PCA(2).fit(IRIS).get_feature_names_out()) == ["pca0", "pca1"]
    frame = PCA(2).set_output(transform="pandas").fit_transform(IRIS)
    assert list(frame.columns) == ["pca0", "pca1"]


@pytest.mark.parametrize(
    ("n_components", "match"), [(5, "between 0 and"), (-1, "n_components of PCA"), (1.5, "n_components of PCA")]
)
def test_refused_numbers(n_components, match):
    """More components than columns, fewer than none, or a share above 1 are refused."""
    with pytest.raises(ValueError, match=match):
        PCA(n_components).fit(IRIS)


def test_components_are_counted_by_rows():
    """The number of components follows the rows, not what they weigh; weights that sum to one are refused."""
    table = np.random.default_rng(0).normal(size=(100, 4))
    assert PCA().fit(table, sample_weight=np.full(100, 0.05)).components_.shape == (4, 4)
    with pytest.raises(ValueError, match="their sum must exceed 1"):
        PCA().fit(table, sample_weight=np.full(100, 0.01))


@pytest.mark.parametrize("d", range(2, 14))
def test_most_likely_number_of_as_many_rows(d):
    """As many rows as columns are enough."""
    assert 1 <= PCA("mle").fit(np.random.default_rng(d).normal(size=(d, d))).n_components_ < d


def test_no_density_of_a_singular_covariance():
    """A constant column, or more columns than rows: refused in words. Fewer components leave noise in all directions."""
    X = np.random.default_rng(0).normal(size=(30, 4))
    X[:, 2] = 5.0
    with pytest.raises(ValueError, match=r"no density.*Leave out columns that are constant"):
        PCA().fit(X).score(X)
    assert np.isfinite(PCA(2).fit(X).score(X))


@pytest.mark.parametrize("whiten", [False, True])
def test_no_components(whiten):
    """A spherical model: as scikit-learn's."""
    ours, theirs = PCA(0, whiten=whiten).fit(IRIS), THEIR_PCA(0, whiten=whiten, svd_solver="full").fit(IRIS)
    assert ours.transform(IRIS).shape == theirs.transform(IRIS).shape == (150, 0)
    np.testing.assert_allclose(ours.noise_variance_, theirs.noise_variance_, rtol=1e-12)
    np.testing.assert_allclose(ours.score(IRIS), theirs.score(IRIS), rtol=1e-12)
    assert ours.certificate_.holds


# ---- routes ------------------------------------------------------------------------------------------------------------

LARGE = RNG.normal(size=(500, 30)) @ RNG.normal(size=(30, 500)) + 0.5 * RNG.normal(size=(500, 500))
HOLLOW = RNG.normal(size=(80, 5)) @ RNG.normal(size=(5, 2000))  # 80 rows of rank 5


def by_singular_values(X, k):
    """The first variances and axes, from LAPACK."""
    _, S, V = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)
    return S[:k] ** 2 / (len(X) - 1), upright(V[:k])


@pytest.mark.parametrize(
    ("X", "k", "solver", "method"),
    [
        (TALL, 4, "auto", "covariance"),
        (TALL, 4, "full", "triangle"),
        (WIDE, 4, "auto", "svd"),
        (WIDE, 4, "full", "svd"),
        (HOLLOW, 80, "auto", "gram"),
        (HOLLOW, 3, "auto", "gram"),
        (np.vstack([LARGE, LARGE[::-1] ** 2]), 3, "auto", "covariance"),
        (LARGE, 1, "auto", "gram"),
    ],
    ids=lambda v: "" if isinstance(v, np.ndarray) else str(v),
)
def test_routes(X, k, solver, method):
    """Each route finds the axes of the rows, and says which one it was; components without variance are orthonormal too."""
    model = PCA(k, svd_solver=solver).fit(X)
    variances, V = by_singular_values(X, k)
    assert model.method_ == method
    np.testing.assert_allclose(model.explained_variance_, variances, rtol=1e-9, atol=1e-13 * variances[0])
    some = variances > 1e-12 * variances[0]
    np.testing.assert_allclose(model.components_[some], V[some], atol=1e-9)
    np.testing.assert_allclose(model.components_ @ model.components_.T, np.eye(k), atol=1e-11)
    assert model.certificate_.holds


def test_small_variances_by_the_products_of_rows():
    """Variances down to 10⁻²⁰ of the largest have orthonormal axes in the plane of the rows, as with singular values."""
    rng = np.random.default_rng(2)
    U, V = (np.linalg.qr(rng.normal(size=(size, 60)))[0] for size in (60, 1500))
    X = (U * np.geomspace(1, 1e-10, 60)) @ V.T
    model = PCA(59).fit(X)
    assert model.method_ == "gram"
    np.testing.assert_allclose(model.components_ @ model.components_.T, np.eye(59), atol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(V.T @ model.components_.T, axis=0), 1, atol=1e-5)
    np.testing.assert_allclose(model.explained_variance_[:30], by_singular_values(X, 30)[0], rtol=1e-5)


@pytest.mark.parametrize("scale", [False, True])
def test_passes_over_the_rows(monkeypatch, scale):
    """A few components of a table that is large both ways: the same without the matrix; partial_fit has nothing to add to."""
    monkeypatch.setattr("aprendiz.decomposition.spectrum.lanczos_axes.PRICE", 2)
    times = RNG.integers(0, 3, size=500)
    model = PCA(4, scale=scale, svd_solver="randomized", random_state=3).fit(LARGE, sample_weight=times)
    usual = PCA(4, scale=scale, svd_solver="covariance_eigh").fit(LARGE, sample_weight=times)
    assert (model.method_, usual.method_) == ("lanczos", "gram")
    assert_same(model, usual, LARGE)
    assert model.certificate_.holds
    assert model.certificate_.residual < 1e-11
    with pytest.raises(ValueError, match="no sums to add to"):
        model.partial_fit(LARGE)


def test_passes_over_rows_in_small_units(monkeypatch):
    """Where squares of variances are no numbers, the components and the residual are those in other units."""
    monkeypatch.setattr("aprendiz.decomposition.spectrum.lanczos_axes.PRICE", 2)
    usual, model = (PCA(4, random_state=3).fit(LARGE * unit) for unit in (1.0, 2.0**-330))
    assert (model.method_, usual.method_) == ("lanczos", "lanczos")
    np.testing.assert_allclose(model.explained_variance_ * 2.0**660, usual.explained_variance_, rtol=1e-11)
    assert 0.5 < model.certificate_.residual / usual.certificate_.residual < 2.0
    assert model.certificate_.holds


def test_passes_that_do_not_find_the_components_in_time(monkeypatch):
    """Variances that are all alike: the matrix is the better way after all."""
    monkeypatch.setattr("aprendiz.decomposition.spectrum.lanczos_axes.PRICE", 2)
    X = np.random.default_rng(0).normal(size=(450, 400))
    model = PCA(10, random_state=0).fit(X)
    assert model.method_ == "covariance"
    np.testing.assert_allclose(model.explained_variance_, by_singular_values(X, 10)[0], rtol=1e-10)


@pytest.mark.parametrize("steps", [1, 40])
def test_few_axes_of_a_large_matrix(monkeypatch, steps):
    """By block Lanczos; by LAPACK where that has not come to rest."""
    monkeypatch.setattr("aprendiz.decomposition.spectrum.axes.FEW_COLUMNS", 100)
    monkeypatch.setattr("aprendiz.decomposition.spectrum.axes.MOST_STEPS", steps)
    S = np.cov(LARGE.T)
    values, V = eigenpairs(S, 3)
    np.testing.assert_allclose(values, np.linalg.eigvalsh(S)[::-1][:3], rtol=1e-11)
    np.testing.assert_allclose(S @ V, V * values, atol=1e-10 * values[0])


def test_full_keeps_small_variances():
    """Singular values know a variance of 10⁻²⁰ of the largest; squares do not."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3)) * [1.0, 1e-3, 1e-10] @ np.linalg.qr(rng.normal(size=(3, 3)))[0]
    smallest = by_singular_values(X, 3)[0][2]
    full, usual = (PCA(svd_solver=solver).fit(X).explained_variance_[2] for solver in ("full", "auto"))
    np.testing.assert_allclose(full, smallest, rtol=1e-4)
    assert abs(usual / smallest - 1) > 0.1


# ---- scaled columns ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("X", [WINE, WIDE, np.column_stack([WINE, np.full(len(WINE), 0.1)])], ids=["wine", "wide", "constant"])
def test_scale(X):
    """The components of the correlations: PCA of the standardised columns, in the units of the table again."""
    s = X.std(axis=0, ddof=1)
    s = np.where(s < 1e-12, 1.0, s)
    ours, behind = PCA(3, scale=True).fit(X), PCA(3).fit((X - X.mean(axis=0)) / s)
    np.testing.assert_allclose(ours.explained_variance_, behind.explained_variance_, rtol=1e-11)
    np.testing.assert_allclose(ours.components_, behind.components_, atol=1e-11)
    np.testing.assert_allclose(ours.scale_, s, rtol=1e-12)
    T = ours.transform(X)
    np.testing.assert_allclose(T, behind.transform((X - X.mean(axis=0)) / s), atol=1e-11)
    np.testing.assert_allclose(ours.inverse_transform(T), behind.inverse_transform(T) * s + X.mean(axis=0), atol=1e-8)
    assert ours.certificate_.holds


def test_density_of_scaled_columns():
    """In the units of the table: with all components the density is the one that unscaled components have."""
    ours, plain = PCA(scale=True).fit(IRIS), PCA().fit(IRIS)
    np.testing.assert_allclose(ours.get_covariance(), plain.get_covariance(), rtol=1e-10)
    np.testing.assert_allclose(ours.get_precision(), plain.get_precision(), rtol=1e-9)
    np.testing.assert_allclose(ours.score_samples(IRIS), plain.score_samples(IRIS), rtol=1e-10)


@pytest.mark.parametrize("scale", [False, True])
def test_reconstruction_error(scale):
    """The mean squared distance to what comes back; of the training rows, the error of the certificate."""
    model = PCA(2, scale=scale).fit(WINE)
    s = model.scale_ if scale else 1.0
    back = model.inverse_transform(model.transform(WINE))
    assert model.reconstruction_error(WINE) == pytest.approx((((WINE - back) / s) ** 2).sum(axis=1).mean())
    assert model.reconstruction_error(WINE) * len(WINE) == pytest.approx(model.certificate_.error, rel=1e-6)
    w = RNG.integers(0, 3, len(WINE))
    assert model.reconstruction_error(WINE, w) == pytest.approx(model.reconstruction_error(np.repeat(WINE, w, axis=0)))


# ---- bad input ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("share", [0.0001, 1.0 - 1e-12])
def test_any_share(share):
    """Any part of the variance has its components."""
    assert 1 <= PCA(share).fit(IRIS).n_components_ <= 4


def test_a_single_row():
    """No variance: one direction, to which nothing can be said."""
    for X in ([[1.0, 2.0, 3.0]], [[5.0]]):
        model = PCA().fit(X)
        assert model.explained_variance_.tolist() == [0.0]
        np.testing.assert_allclose(model.transform(X), 0.0)


@pytest.mark.parametrize("scale", [False, True])
def test_two_to_the_thirtieth(scale):
    """A shift by 2³⁰ of numbers that it leaves exact changes nothing but the mean."""
    X = np.round(1024 * TALL) / 1024
    near, far = (PCA(5, scale=scale).fit(table) for table in (X, X + 2.0**30))
    np.testing.assert_allclose(far.explained_variance_, near.explained_variance_, rtol=1e-12)
    np.testing.assert_allclose(far.components_, near.components_, atol=1e-12)
    np.testing.assert_allclose(far.transform(X + 2.0**30), near.transform(X), atol=1e-6)
