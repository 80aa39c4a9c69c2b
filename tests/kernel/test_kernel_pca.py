"""KernelPCA: scikit-learn's answers, PCA as its linear case, the ways back, and tables with little in them."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.decomposition import KernelPCA as Theirs
from sklearn.exceptions import ConvergenceWarning, NotFittedError

from aprendiz import PCA, KernelPCA, KernelRidge, LinearDiscriminantAnalysis
from aprendiz.kernel.kernels import RBF, AdditiveChiSquared, Linear, Polynomial
from aprendiz.kernel.pre_images.fixed_point import fixed_points
from aprendiz.kernel.solvers import centred_spectrum
from aprendiz.kernel.solvers.centred_spectrum import centre, eigenpairs


def table(n, seed=0):
    """Rows with columns of different sizes, away from the origin."""
    return np.random.default_rng(seed).normal(size=(n, 4)) * [1.0, 2.0, 3.0, 0.5] + 3.0


def far(found, expected):
    """The largest difference, relative to the largest entry."""
    return np.abs(found - expected).max() / np.abs(expected).max()


@pytest.mark.parametrize("n", [30, 450])
@pytest.mark.parametrize("k", [None, 3, 6])
@pytest.mark.parametrize(
    "settings",
    [{}, {"kernel": "rbf"}, {"kernel": "rbf", "gamma": 0.3}, {"kernel": "poly", "degree": 2}, {"kernel": "cosine"}],
    ids=["linear", "rbf", "narrow rbf", "poly", "cosine"],
)
def test_same_answer_as_scikit_learn(settings, k, n):
    """Eigenvalues, coordinates with their signs, new rows and the way back."""
    X, new = table(n), table(9, 1)
    ours = KernelPCA(k, fit_inverse_transform=True, random_state=0, **settings).fit(X)
    theirs = Theirs(k, fit_inverse_transform=True, eigen_solver="dense", **settings).fit(X)
    assert ours.eigenvalues_.shape == theirs.eigenvalues_.shape
    assert far(ours.eigenvalues_, theirs.eigenvalues_) < 1e-12
    clear = np.flatnonzero(theirs.eigenvalues_ > 1e-3 * theirs.eigenvalues_[0])[:5]
    assert far(ours.transform(new)[:, clear], theirs.transform(new)[:, clear]) < 1e-9
    assert far(ours.eigenvectors_[:, clear], theirs.eigenvectors_[:, clear]) < 1e-9
    assert far(ours.fit_transform(X)[:, clear], theirs.fit_transform(X)[:, clear]) < 1e-9
    assert far(ours.inverse_transform(ours.transform(new)), theirs.inverse_transform(theirs.transform(new))) < 1e-8
    assert ours.dual_coef_.shape == theirs.dual_coef_.shape
    assert ours.certificate_.holds


def test_linear_kernel_is_pca():
    """The coordinates of PCA up to their signs, from the features, from Lanczos and from LAPACK."""
    X, new = table(500), table(20, 1)
    pca = PCA(3).fit(X)
    K, across = Linear()(X), Linear()(new, X)
    models = {
        "features": (KernelPCA(3), X, new),
        "lanczos": (KernelPCA(3, kernel="precomputed", random_state=0), K, across),
        "dense": (KernelPCA(3, eigen_solver="dense"), X, new),
    }
    for method, (model, rows, asked) in models.items():
        assert model.fit(rows).method_ == method
        np.testing.assert_allclose(np.abs(model.transform(asked)), np.abs(pca.transform(new)), rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(model.eigenvalues_ / 499, pca.explained_variance_, rtol=1e-12)
        assert model.certificate_.share == pytest.approx(pca.explained_variance_ratio_.sum(), rel=1e-12)


def test_a_far_origin_takes_no_digits():
    """Rows moved by 2³⁰ have the same coordinates, with a linear and with a Gaussian kernel."""
    X = np.round(table(60) * 2**10) / 2**10
    for settings in ({}, {"kernel": "rbf"}):
        near, moved = KernelPCA(3, **settings).fit(X), KernelPCA(3, **settings).fit(X + 2.0**30)
        assert far(moved.transform(X[:5] + 2.0**30), near.transform(X[:5])) < 1e-12


def test_training_rows_have_their_own_coordinates():
    """√λ·v is what new rows of the same values get, and coordinates have mean 0 and squared length λ."""
    X = table(60)
    for kernel in ("linear", "rbf", "poly", RBF(0.1) + Linear(), Polynomial(2)):
        model = KernelPCA(3, kernel=kernel)
        T = model.fit_transform(X)
        assert far(model.transform(X), T) < 1e-10
        np.testing.assert_allclose((T**2).sum(axis=0), model.eigenvalues_, rtol=1e-10)
        assert np.abs(T.mean(axis=0)).max() < 1e-9 * np.abs(T).max()


def test_precomputed_sparse_and_names():
    X, new = table(40), table(5, 1)
    X[np.abs(X) < 2] = 0.0
    expected = KernelPCA(3, kernel="rbf", gamma=0.1).fit(X)
    K = RBF(0.1)(X)
    given = KernelPCA(3, kernel="precomputed").fit(K)
    assert far(given.transform(RBF(0.1)(new, X)), expected.transform(new)) < 1e-10
    assert np.array_equal(K, RBF(0.1)(X))  # not centred in place
    thin = KernelPCA(3, kernel="rbf", gamma=0.1, fit_inverse_transform=True).fit(sparse.csr_array(X))
    assert far(thin.transform(sparse.csr_array(new)), expected.transform(new)) < 1e-10
    assert thin.inverse_transform(expected.transform(new)).shape == (5, 4)
    assert list(expected.get_feature_names_out()) == ["kernelpca0", "kernelpca1", "kernelpca2"]
    assert expected.set_output(transform="pandas").transform(new).shape == (5, 3)


def test_kernel_discriminant_is_a_pipeline():
    """Linear discriminant analysis of the coordinates has the direction of the largest ratio of variances between and within
    classes, as the Gram matrix has it: βᵀMβ / βᵀNβ over all rows."""
    rng = np.random.default_rng(0)
    A = rng.normal(size=(40, 3))
    y = (A[:, 0] ** 2 + 0.3 * rng.normal(size=40) > 0.6).astype(int)
    components = KernelPCA(6, kernel="rbf", gamma=0.3).fit(A)
    T = components.transform(A)
    found = T @ LinearDiscriminantAnalysis(solver="svd").fit(T, y).scalings_[:, 0]
    basis = components.eigenvectors_ / np.sqrt(components.eigenvalues_)  # β of each component
    K = np.exp(-0.3 * ((A[:, None] - A) ** 2).sum(-1))
    H = np.eye(40) - 1 / 40
    shares = [(y == k) / (y == k).sum() for k in (0, 1)]
    apart = basis.T @ H @ K @ (shares[0] - shares[1])
    within = sum(
        (basis.T @ H @ K[:, y == k]) @ (np.eye((y == k).sum()) - 1 / (y == k).sum()) @ (basis.T @ H @ K[:, y == k]).T
        for k in (0, 1)
    )
    wanted = T @ np.linalg.solve(within, apart)
    assert abs(np.corrcoef(found, wanted)[0, 1]) == pytest.approx(1.0, abs=1e-9)


# ---- eigenvectors ------------------------------------------------------------------------------------------------------


def test_lanczos_finds_equal_eigenvalues():
    """Three clusters far apart, alike but for their place: two equal eigenvalues, both of them there."""
    block = np.exp(-np.abs(np.subtract.outer(np.arange(200.0), np.arange(200.0))) / 50)
    K = np.kron(np.eye(3), block)
    exact = np.linalg.eigvalsh(K - K.mean(axis=0) - K.mean(axis=1)[:, None] + K.mean())[::-1][:6]
    centre(K)
    pairs = eigenpairs(K, 6, dense=False, tolerance=0.0, steps=None, seed=0)
    assert pairs.method == "lanczos"
    assert exact[0] == pytest.approx(exact[1], rel=1e-10)
    np.testing.assert_allclose(pairs.values, exact, rtol=1e-11)
    assert np.linalg.norm(K @ pairs.vectors - pairs.vectors * pairs.values, axis=0).max() < 1e-11 * exact[0]


def test_lanczos_that_does_not_settle_says_so():
    X = np.random.default_rng(0).normal(size=(600, 8))
    with pytest.warns(ConvergenceWarning, match="raise max_iter"):
        model = KernelPCA(8, kernel="rbf", gamma=0.5, max_iter=1, random_state=0).fit(X)
    assert not model.certificate_.holds
    assert KernelPCA(8, kernel="rbf", gamma=0.5, tol=1e-4, random_state=0).fit(X).certificate_.residual < 1e-3


def test_same_bits_for_any_number_of_threads(monkeypatch):
    X, found = table(900), []
    for threads in ("1", "2", "3"):
        monkeypatch.setenv("APRENDIZ_NUM_THREADS", threads)
        model = KernelPCA(4, kernel="rbf", random_state=0).fit(X)
        found.append(np.concatenate([model.eigenvectors_, model.transform(X)]))
    assert np.array_equal(found[0], found[1])
    assert np.array_equal(found[0], found[2])


def test_certificate_notices_wrong_vectors(monkeypatch):
    """Vectors that are turned a little are not certified, nor are values that are."""
    X, by_lapack = table(40), centred_spectrum.by_lapack

    def turned(K, count):
        pairs = by_lapack(K, count)
        vectors = pairs.vectors.copy()
        vectors[:, 0] += 1e-6 * vectors[:, 1]
        return centred_spectrum.Eigenpairs(pairs.values, vectors, pairs.method)

    monkeypatch.setattr(centred_spectrum, "by_lapack", turned)
    assert not KernelPCA(3, kernel="rbf").fit(X).certificate_.holds


# ---- little in the table, or a kernel that is none ---------------------------------------------------------------------------


@pytest.mark.parametrize("kernel", ["linear", "rbf", "poly"])
def test_rows_that_are_alike(kernel):
    """One row, equal rows and rows that stand twice: no components, or fewer."""
    X = table(12)
    for rows in (X[:1], np.repeat(X[:1], 8, axis=0)):
        model = KernelPCA(kernel=kernel).fit(rows)
        assert model.eigenvectors_.shape == (len(rows), 0)
        assert model.transform(rows).shape == (len(rows), 0)
        zero = KernelPCA(1, kernel=kernel).fit(rows)
        assert zero.eigenvalues_ == [0.0]
        assert not zero.transform(X).any()
        with pytest.raises(ValueError, match="no component"):
            KernelPCA(kernel=kernel, fit_inverse_transform=True).fit(rows)
    twice = KernelPCA(3, kernel=kernel).fit(np.repeat(X, 2, axis=0))
    once = KernelPCA(3, kernel=kernel).fit(X)
    np.testing.assert_allclose(twice.eigenvalues_, 2 * once.eigenvalues_, rtol=1e-9)
    np.testing.assert_allclose(
        np.abs(twice.transform(X)), np.abs(once.transform(X)), rtol=1e-6, atol=1e-6 * np.abs(once.transform(X)).max()
    )


def test_more_components_than_there_are():
    """Zeros at the end, with orthonormal vectors, unless they are to be removed."""
    X = table(20)
    model = KernelPCA(7).fit(X)
    assert (model.eigenvalues_ > 0).tolist() == [True] * 4 + [False] * 3
    assert np.abs(model.eigenvectors_.T @ model.eigenvectors_ - np.eye(7)).max() < 1e-12
    assert not model.transform(X)[:, 4:].any()
    assert len(KernelPCA(7, remove_zero_eig=True).fit(X).eigenvalues_) == 4
    assert len(KernelPCA(50).fit(X).eigenvalues_) == 20  # not more than rows
    flat = KernelPCA(3, kernel="precomputed").fit(np.ones((6, 6)))
    assert not flat.eigenvalues_.any()


def test_a_kernel_that_is_none():
    """A negative eigenvalue is named, its component counts as 0, and nothing is certified."""
    X = np.random.default_rng(0).normal(size=(12, 2))
    K = -np.abs(X @ X.T)
    with pytest.warns(UserWarning, match="negative eigenvalue -"):
        model = KernelPCA(12, kernel="precomputed").fit((K + K.T) / 2)
    assert (model.eigenvalues_ >= 0).all()
    assert not model.certificate_.holds


# ---- the way back ------------------------------------------------------------------------------------------------------


def test_way_back_is_kernel_ridge():
    X = table(40)
    model = KernelPCA(3, kernel="rbf", gamma=0.1, alpha=0.5, fit_inverse_transform=True).fit(X)
    T = model.fit_transform(X)
    ridge = KernelRidge(0.5, kernel="rbf", gamma=0.1).fit(T, X)
    assert far(model.dual_coef_, ridge.dual_coef_) < 1e-12
    assert far(model.inverse_transform(T[:5] + 0.1), ridge.predict(T[:5] + 0.1)) < 1e-12


def ring(noise, n=150):
    rng = np.random.default_rng(0)
    angle = rng.uniform(0, 2 * np.pi, n)
    return np.column_stack([np.cos(angle), np.sin(angle)]) + noise * rng.normal(size=(n, 2))


def test_fixed_points_denoise_a_ring():
    """Rows come back with nearly the same radius, and near to where they were."""
    X = ring(0.1)
    model = KernelPCA(4, kernel="rbf", gamma=1.0, fit_inverse_transform=True, pre_image="fixed_point").fit(X)
    back = model.inverse_transform(model.transform(X))
    spread, was_spread = (np.linalg.norm(rows, axis=1).std() for rows in (back, X))
    assert spread < 0.4 * was_spread
    assert np.linalg.norm(back - X, axis=1).mean() < 0.2


def test_fixed_point_of_an_image_is_its_row():
    """With all components nothing is lost, and the row itself is the nearest; the sum that is made larger never falls."""
    X, kernel = ring(0.3, 25), RBF(2.0)
    model = KernelPCA(kernel=kernel, fit_inverse_transform=True, pre_image="fixed_point").fit(X)
    np.testing.assert_allclose(model.inverse_transform(model.transform(X)), X, atol=1e-5)
    C = np.random.default_rng(1).uniform(0, 1, size=(25, 6))
    found = fixed_points(kernel, X, C, X[:6])
    near = [np.diag(kernel(rows, X) @ C) for rows in (X[:6], found)]
    assert (near[1] >= near[0]).all()
    slope = np.stack([(kernel(found[j : j + 1], X)[0] * C[:, j]) @ (X - found[j]) for j in range(6)])
    assert np.abs(slope).max() < 1e-8


def test_way_back_refused():
    X = table(20)
    with pytest.raises(NotFittedError, match="fit_inverse_transform"):
        KernelPCA(2).fit(X).inverse_transform([[0.0, 0.0]])
    with pytest.raises(ValueError, match="precomputed"):
        KernelPCA(2, kernel="precomputed", fit_inverse_transform=True).fit(X @ X.T)
    with pytest.raises(ValueError, match="Gaussian"):
        KernelPCA(2, kernel="poly", fit_inverse_transform=True, pre_image="fixed_point").fit(X)
    with pytest.raises(ValueError, match="2 components"):
        KernelPCA(2, fit_inverse_transform=True).fit(X).inverse_transform(X)


# ---- certificates ------------------------------------------------------------------------------------------------------


def test_kernels_without_a_diagonal():
    """K(x, x) = 0 says nothing of the size of K: distances, and sums over histograms, have their certificate too."""
    X = np.abs(table(60))
    squares = ((X[:, None] - X) ** 2).sum(axis=2)
    for model, rows in (
        (KernelPCA(3, kernel="additive_chi2"), X),
        (KernelPCA(3, kernel=AdditiveChiSquared() + 0.5), X),
        (KernelPCA(3, kernel="precomputed"), -0.5 * squares),
    ):
        known = model.fit(rows).certificate_
        assert known.holds
        assert 0.0 < known.rounding < 1e-11
    assert not KernelPCA(3, kernel="additive_chi2").fit(X * 1e-300).certificate_.holds
    near = 1e6 * np.abs(table(1)) + 1e-7 * X
    assert not KernelPCA(3, kernel="additive_chi2").fit(near).certificate_.holds
