"""Nystroem: the kernel itself on the components, projections beside them, wherever the rows are."""

import numpy as np
import pytest
from scipy import sparse
from sklearn import kernel_approximation
from sklearn.datasets import load_iris

import aprendiz
from aprendiz import RBF, Linear, Nystroem, Ridge
from aprendiz.core import rows as core_rows
from aprendiz.core.parameters import ParameterError
from aprendiz.kernel.features.inverse_root import inverse_root
from aprendiz.kernel.features.row_sample import draw_rows
from aprendiz.kernel.kernels import Polynomial, Spectrum

RNG = np.random.default_rng(5)
X = RNG.normal(size=(200, 4))
KERNELS = [
    ("rbf", {"gamma": 0.3}),
    ("rbf", {}),
    ("poly", {"gamma": 0.2, "coef0": 2.0, "degree": 2}),
    ("poly", {}),
    ("sigmoid", {"gamma": 0.05}),
    ("laplacian", {}),
    ("cosine", {}),
    (lambda x, z: np.exp(-np.abs(x - z).max()), {}),
]


# ---- scikit-learn's features -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kernel", "given"), KERNELS)
def test_same_features_as_scikit_learn(kernel, given):
    """With the same components, rows have the same features, column by column."""
    ours = Nystroem(kernel, n_components=20, random_state=0, **given).fit(X)
    theirs = kernel_approximation.Nystroem(kernel, n_components=20, random_state=0, **given).fit(X[ours.component_indices_])
    order = np.argsort(theirs.component_indices_)
    tolerance = 1e-9 * np.abs(theirs.normalization_).max()
    np.testing.assert_allclose(ours.transform(X), theirs.transform(X)[:, order], atol=max(tolerance, 1e-10))
    assert np.array_equal(ours.components_, X[ours.component_indices_])


def test_chi2_of_counts():
    counts = RNG.integers(0, 5, size=(60, 4)).astype(float)
    ours = Nystroem("chi2", n_components=15, random_state=0).fit(counts)
    theirs = kernel_approximation.Nystroem("chi2", n_components=15).fit(counts[ours.component_indices_])
    Z, other = ours.transform(counts), theirs.transform(counts)
    np.testing.assert_allclose(Z @ Z.T, other @ other.T, atol=1e-6)


def test_sparse_rows():
    """Sparse components and rows, as scikit-learn's; a dense fit takes sparse rows, and the other way round."""
    thin = sparse.random_array((80, 10), density=0.3, rng=0, format="csr")
    model, full = (Nystroem(gamma=0.5, n_components=20, random_state=0).fit(T) for T in (thin, thin.toarray()))
    assert sparse.issparse(model.components_)
    for T in (thin, thin.toarray()):
        np.testing.assert_allclose(model.transform(T), full.transform(T), atol=1e-10)


def test_precomputed():
    """The columns of a Gram matrix that belong to the components give the features of the rows."""
    K = RBF(gamma=0.3)(X)
    given, direct = (
        Nystroem("precomputed", n_components=30, random_state=0),
        Nystroem(gamma=0.3, n_components=30, random_state=0),
    )
    np.testing.assert_allclose(given.fit(K).transform(K[:50]), direct.fit(X).transform(X[:50]), atol=1e-9)
    assert given.certificate_.holds
    assert given.certificate_.error == pytest.approx(direct.certificate_.error, rel=1e-6)
    with pytest.raises(ValueError, match=r"symmetric.*K\["):
        Nystroem("precomputed", random_state=0).fit(K + np.triu(np.ones_like(K)))


# ---- the theory ------------------------------------------------------------------------------------------------------


def test_exact_on_the_components():
    """z(c)ᵀz(c') = K(c, c'), for a kernel object too; beside them the rest is a Gram matrix."""
    kernel = 2.0 * RBF(gamma=0.3) + Polynomial(2)
    model = Nystroem(kernel, n_components=40, random_state=0).fit(X)
    Z, K = model.transform(X), kernel(X)
    some = model.component_indices_
    np.testing.assert_allclose((Z @ Z.T)[some], K[some], atol=1e-9 * K.max())
    assert np.linalg.eigvalsh(K - Z @ Z.T).min() > -1e-9 * K.max()


def test_all_rows_are_components():
    """With as many components as rows, or more, the kernel is exact everywhere, and nothing is left for the certificate."""
    for m in (200, 500):
        model = Nystroem(gamma=0.3, n_components=m, random_state=0).fit(X)
        Z = model.transform(X)
        np.testing.assert_allclose(Z @ Z.T, RBF(gamma=0.3)(X), atol=1e-9)
        assert Z.shape == (200, 200)
        assert (model.certificate_.rows, model.certificate_.error) == (0, 0.0)


def test_linear_kernel_of_few_columns():
    """Four components of a kernel of rank four give all of it."""
    Z = Nystroem(Linear(), n_components=6, random_state=0).fit_transform(X)
    np.testing.assert_allclose(Z @ Z.T, X @ X.T, atol=1e-6)


def test_inverse_root():
    """K^(−1/2)·K·K^(−1/2) = 1, in any units; equal rows are no harm, and a negative eigenvalue keeps its sign."""
    K = RBF(gamma=2.0)(X[:20])
    for scale in (1.0, 1e-20, 1e20):
        N = inverse_root(scale * K)
        np.testing.assert_allclose(N @ (scale * K) @ N, np.eye(20), atol=1e-8)
        assert np.array_equal(N, N.T)
    twice = RBF(gamma=2.0)(np.repeat(X[:3], 2, axis=0))
    N = inverse_root(twice)
    np.testing.assert_allclose(twice @ N @ N @ twice, twice, atol=1e-10)
    np.testing.assert_allclose(inverse_root(np.diag([4.0, -4.0])), np.diag([0.5, -0.5]))
    assert np.isfinite(inverse_root(np.zeros((3, 3)))).all()


# ---- the draw --------------------------------------------------------------------------------------------------------


def test_every_row_is_as_likely():
    """Components are drawn without repetition, each row as often as any other, in any place."""
    drawn = np.array([Nystroem(n_components=3, random_state=s).fit(X[:12]).component_indices_ for s in range(600)])
    assert all(len(set(one)) == 3 for one in drawn)
    for place in range(3):
        assert np.abs(np.bincount(drawn[:, place], minlength=12) - 50).max() < 5 * np.sqrt(50)


def test_the_draw_does_not_depend_on_blocks(monkeypatch):
    """From records that are added, the sample is the one of the whole array."""
    model = Nystroem()
    whole = draw_rows(model.open(X), 30, 7)
    monkeypatch.setattr(core_rows, "MOST_ROWS", 16)
    monkeypatch.setattr(core_rows, "FEWEST_ROWS", 16)
    parts = draw_rows(model.open(X).map(lambda block: block), 30, 7)
    assert np.array_equal(whole[0], parts[0])
    assert np.array_equal(whole[1], parts[1])


# ---- the certificate -------------------------------------------------------------------------------------------------


def test_certificate():
    """More components, a smaller error; the one that is told is the largest beside the components."""
    errors = []
    for m in (10, 60, 140):
        model = Nystroem(gamma=0.1, n_components=m, random_state=0).fit(X)
        assert model.certificate_.holds
        errors.append(model.certificate_.share)
        if m == 140:
            Z, others = model.transform(X), np.setdiff1d(np.arange(200), model.component_indices_)
            assert model.certificate_.rows == len(others) == 60
            assert model.certificate_.error == pytest.approx(np.abs(Z @ Z.T - RBF(gamma=0.1)(X))[others].max(), rel=1e-6)
    assert errors[0] > errors[1] > errors[2] > 0


def test_what_is_no_kernel_is_not_certified():
    model = Nystroem("sigmoid", gamma=1.0, coef0=-1.0, n_components=30, random_state=0).fit(X)
    assert not model.certificate_.holds
    assert model.certificate_.on_components > 1e-3


# ---- parameters ------------------------------------------------------------------------------------------------------


def test_bad_parameters():
    for bad in ({"kernel": "gauss"}, {"n_components": 0}, {"gamma": -1.0}, {"degree": 0.5, "kernel": "poly"}):
        with pytest.raises(ParameterError):
            Nystroem(**bad).fit(X)
    for kernel in (lambda x, z: x @ z, "precomputed", RBF()):
        with pytest.raises(ParameterError, match="Don't pass gamma"):
            Nystroem(kernel, gamma=1.0).fit(X)
    with pytest.raises(ValueError, match=r"1e\+200.*column"):
        Nystroem(random_state=0).fit(X).transform(np.where(np.arange(4) == 2, 1e200, X))


def test_parameters_of_a_function():
    def cut(x, z, reach):
        return max(0.0, reach - np.abs(x - z).sum())

    one, two = (Nystroem(cut, kernel_params={"reach": r}, n_components=10, random_state=0).fit(X) for r in (3.0, 6.0))
    assert not np.allclose(one.transform(X), two.transform(X))


def test_shift():
    """The Gaussian kernel sees differences alone: far from zero, features and fit are the same."""
    table = np.round(X * 2**10) / 2**10
    here, there = (Nystroem(gamma=0.3, n_components=20, random_state=0).fit_transform(table + o) for o in (0.0, 2.0**30))
    np.testing.assert_allclose(here, there, atol=1e-12)


# ---- files and pipelines ---------------------------------------------------------------------------------------------


def test_feeds_sums_from_a_file(tmp_path):
    """Block by block from a file: the components and the coefficients of a fit in memory."""
    import pandas as pd

    y = np.sin(2 * X[:, 0]) + X[:, 1] ** 2
    pd.DataFrame(X, columns=list("abcd")).assign(y=y).to_parquet(tmp_path / "t.parquet", row_group_size=64)
    rows = aprendiz.rows(tmp_path / "t.parquet", target="y")
    here, there = (Nystroem(gamma=0.3, n_components=40, random_state=0) for _ in range(2))
    model = Ridge(1e-3).fit(there.fit(rows).transform(rows))
    assert np.array_equal(there.component_indices_, here.fit(X).component_indices_)
    np.testing.assert_allclose(model.coef_, Ridge(1e-3).fit(here.transform(X), y).coef_, rtol=1e-7)
    assert model.score(here.transform(X), y) > 0.8 > Ridge(1e-3).fit(X, y).score(X, y)


def test_dask():
    da = pytest.importorskip("dask.array")
    lazy = da.from_array(X, chunks=(64, 4))
    here, there = (Nystroem(gamma=0.3, n_components=20, random_state=0).fit(T) for T in (X, lazy))
    assert np.array_equal(here.component_indices_, there.component_indices_)
    np.testing.assert_allclose(np.asarray(there.transform(lazy)), here.transform(X), atol=1e-12)


def test_iris():
    """A linear classifier on the features is a kernel classifier."""
    table, y = load_iris(return_X_y=True)
    Z = Nystroem(gamma=0.2, n_components=50, random_state=0).fit_transform(table)
    assert aprendiz.LogisticRegression(C=100, max_iter=500).fit(Z, y).score(Z, y) > 0.96


def test_kernels_of_strings():
    """Tables hold numbers; the Gram matrix of strings can be given."""
    with pytest.raises(ParameterError, match=r"compares strings.*precomputed"):
        Nystroem(Spectrum(2)).fit(["ACGT", "TTGA"])
