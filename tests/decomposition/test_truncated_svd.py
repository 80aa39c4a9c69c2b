"""TruncatedSVD: both routes give the singular triplets, agree with scikit-learn, and say what they leave."""

from functools import cache

import numpy as np
import pytest
from scipy import sparse
from sklearn.decomposition import TruncatedSVD as Theirs

import aprendiz
from aprendiz.core.rows import Block
from aprendiz.core.sources.arrays import ArrayRows
from aprendiz.decomposition import TruncatedSVD
from aprendiz.decomposition.svd.by_krylov import column_sums, thin_spread


@cache
def words(rows=400, columns=220, seed=0):
    """A sparse table that looks like counts of words: topics, and common words in all of them."""
    rng = np.random.default_rng(seed)
    topics = rng.dirichlet(np.full(columns, 0.05), 12)
    counts = np.stack([rng.multinomial(30, topics[t]) for t in rng.integers(0, 12, rows)])
    return sparse.csr_array(counts.astype(float))


@cache
def singular():
    return np.linalg.svd(words().toarray(), full_matrices=False)


@cache
def fitted(kind, algorithm, k=5):
    X = words() if kind == "sparse" else words().toarray()
    return TruncatedSVD(k, algorithm=algorithm, random_state=0).fit(X)


@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_triplets_of_a_large_table(kind):
    """algorithm="arpack" goes on to the singular vectors of LAPACK, up to sign, and scikit-learn's numbers follow."""
    ours, (_U, S, V) = fitted(kind, "arpack"), singular()
    assert ours.method_ == "krylov"
    np.testing.assert_allclose(ours.singular_values_, S[:5], rtol=1e-12)
    np.testing.assert_allclose(np.abs((ours.components_ * V[:5]).sum(axis=1)), 1.0, rtol=1e-9)
    theirs = Theirs(5, algorithm="arpack", random_state=0).fit(words())
    for name in ("components_", "singular_values_", "explained_variance_", "explained_variance_ratio_"):
        np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=1e-7, atol=1e-9, err_msg=name)
    np.testing.assert_allclose(ours.transform(words()), theirs.transform(words()), rtol=1e-7, atol=1e-8)


def test_randomized_is_no_worse():
    """With the same settings, no more is left than by scikit-learn's power iterations, but for what neither would notice: where
    a gap follows the block, as here after twelve topics, both are near the best."""
    X, best = words().toarray(), np.linalg.norm(singular()[1][8:])

    def excess(cls, seed):
        model = cls(8, random_state=seed).fit(X)
        return np.linalg.norm(X - model.inverse_transform(model.transform(X))) / best - 1.0

    ours, theirs = (np.mean([excess(cls, seed) for seed in range(4)]) for cls in (TruncatedSVD, Theirs))
    assert ours <= max(theirs, 1e-6)


@pytest.mark.parametrize("kind", ["dense", "sparse"])
@pytest.mark.parametrize("algorithm", ["randomized", "arpack"])
def test_certificate(kind, algorithm):
    """The bounds are above what is left, and the Frobenius one is equal to it."""
    model, X, S = fitted(kind, algorithm), words().toarray(), singular()[1]
    V = model.components_
    rest = X - (X @ V.T) @ V
    known = model.certificate_
    assert known.holds
    assert known.frobenius == pytest.approx(np.linalg.norm(rest), rel=1e-9)
    assert known.spectral_at_least <= np.linalg.norm(rest, 2) <= known.spectral
    assert np.abs(model.singular_values_ - S[:5]).max() <= known.residual
    exact = np.linalg.norm(X.T @ (X @ V.T / model.singular_values_) - V.T * model.singular_values_)
    assert known.residual == pytest.approx(exact, abs=1e-8)


def test_files_and_weights(tmp_path):
    """From a file, block by block, as from memory; a weight of two is a row twice."""
    import pyarrow as pa
    from pyarrow import parquet

    X = words().toarray()
    path = tmp_path / "words.parquet"
    parquet.write_table(pa.table({f"x{j}": X[:, j] for j in range(X.shape[1])}), path)
    there, here = TruncatedSVD(5, random_state=0).fit(aprendiz.rows(path)), fitted("dense", "randomized")
    np.testing.assert_array_equal(there.components_, here.components_)
    assert there.method_ == "krylov"
    weights = np.random.default_rng(0).integers(1, 3, len(X))
    for algorithm in ("arpack", "randomized"):
        weighted = TruncatedSVD(3, algorithm=algorithm, random_state=0).fit(X, sample_weight=weights)
        repeated = TruncatedSVD(3, algorithm=algorithm, random_state=0).fit(np.repeat(X, weights, axis=0))
        np.testing.assert_allclose(weighted.components_, repeated.components_, atol=1e-9)
        np.testing.assert_allclose(weighted.explained_variance_, repeated.explained_variance_, rtol=1e-9)
        assert weighted.certificate_.frobenius == pytest.approx(repeated.certificate_.frobenius, rel=1e-9)


def test_routes_agree():
    """A triangle of few columns, and a Krylov space of many, of which all but those are empty."""
    X = words().toarray()[:, :60]
    wide = sparse.csr_array(np.column_stack([X, np.zeros((len(X), 300))]))
    few, many = (TruncatedSVD(4, algorithm="arpack", random_state=0).fit(table) for table in (X, wide))
    assert (few.method_, many.method_) == ("triangle", "krylov")
    np.testing.assert_allclose(few.components_, many.components_[:, :60], atol=1e-10)
    np.testing.assert_allclose(few.explained_variance_ratio_, many.explained_variance_ratio_, rtol=1e-10)
    assert few.certificate_.frobenius == pytest.approx(many.certificate_.frobenius, rel=1e-9)


def test_many_equal_singular_values():
    """One direction for each of 300 categories, all as frequent: any 30 of them will do."""
    X = sparse.csr_array(np.eye(300))
    model = TruncatedSVD(30, n_oversamples=1, random_state=0).fit(X)
    np.testing.assert_allclose(model.singular_values_, 1.0, rtol=1e-12)
    np.testing.assert_allclose(model.components_ @ model.components_.T, np.eye(30), atol=1e-12)
    assert model.certificate_.frobenius == pytest.approx(np.sqrt(270), rel=1e-9)


def test_repeated_values():
    """More copies of the largest value than a narrow block has columns: all the components are of it, and of the copies that
    are left the certificate knows."""
    values = np.repeat([4.0, 2.0, 1.0], [12, 94, 94])
    X = sparse.csr_array(np.diag(values)[np.random.default_rng(0).permutation(200)])
    for k, left in ((10, 4.0), (12, 2.0)):
        model = TruncatedSVD(k, n_oversamples=2, algorithm="arpack", random_state=0).fit(X)
        np.testing.assert_allclose(model.singular_values_, 4.0, rtol=1e-10)
        assert 0.9 * left <= model.certificate_.spectral_at_least <= left * (1 + 1e-9) <= model.certificate_.spectral


def test_small_singular_values():
    """Values over twelve powers of ten, in a table large enough for the Krylov route."""
    values = 10.0 ** -np.linspace(0, 12, 150)
    rng = np.random.default_rng(0)
    U, V = (np.linalg.qr(rng.normal(size=(n, 150)))[0] for n in (200, 150))
    model = TruncatedSVD(30, algorithm="arpack", n_oversamples=5, random_state=0).fit((U * values) @ V.T)
    assert model.method_ == "krylov"
    np.testing.assert_allclose(model.singular_values_, values[:30], rtol=1e-9)


def test_far_from_zero():
    """2³⁰ is added to all cells: the first component follows it, and variances keep their digits."""
    X = np.round(np.random.default_rng(0).normal(size=(300, 6)) * 1024) / 1024
    far = TruncatedSVD(2).fit(X + 2.0**30)
    assert far.singular_values_[0] == pytest.approx(2.0**30 * np.sqrt(1800), rel=1e-6)
    coordinates = X @ far.components_.T
    np.testing.assert_allclose(far.explained_variance_, coordinates.var(axis=0), rtol=1e-12)


def test_all_zeros_and_one_row():
    """Nothing to explain: components are orthonormal all the same, no NaN."""
    for X in (np.zeros((4, 3)), sparse.csr_array((400, 300))):
        model = TruncatedSVD(2, random_state=0).fit(X)
        np.testing.assert_allclose(model.components_ @ model.components_.T, np.eye(2), atol=1e-12)
        assert not model.singular_values_.any()
        assert not model.explained_variance_ratio_.any()
        assert model.certificate_.frobenius == 0
    one = TruncatedSVD(1).fit([[3.0, 4.0]])
    np.testing.assert_allclose(one.singular_values_, 5.0)
    assert one.explained_variance_ratio_[0] == 0


def test_storage():
    """k(1 + n + d) numbers beside n·d."""
    size = fitted("dense", "randomized").compression_
    assert (size.cells, size.storage, size.break_even) == (400 * 220, 5 * 621, 88000 // 621)
    assert "3105 numbers of 88000" in str(size)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"n_components": 7}, r"n_components\(7\) must be <= n_features\(6\)"),
        ({"n_components": 5}, r"n_components\(5\) must be <= n_samples\(4\)"),
        ({"n_components": 6, "algorithm": "arpack"}, r"n_samples\(4\)"),
        ({"n_components": 0}, "n_components of TruncatedSVD must be a whole number of at least 1, got 0"),
        ({"tol": -1.0}, "tol of TruncatedSVD"),
    ],
)
def test_refused(settings, said):
    with pytest.raises(ValueError, match=said):
        TruncatedSVD(**settings).fit(np.ones((4, 6)))


def test_bad_cells():
    X = np.ones((5, 3))
    X[3, 1] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        TruncatedSVD(1).fit(X)


def test_inverse_of_other_coordinates():
    with pytest.raises(ValueError, match="5 components need as many coordinates"):
        fitted("dense", "randomized").inverse_transform(np.ones((2, 4)))


def test_columns_of_sparse_rows():
    """Means and scatter of sparse columns, weighted, far from zero where every cell is stored."""
    rng = np.random.default_rng(0)
    X = sparse.random_array((50, 7), density=0.4, rng=rng).tocsr() + sparse.csr_array(
        np.outer(np.ones(50), np.eye(7)[2] * 2.0**30)
    )
    w = rng.integers(1, 4, 50).astype(float)
    record = thin_spread(np.asarray(X.mean(axis=0)).ravel(), Block(sparse.csr_array(X), None, w, 0))
    Z, mean = X.toarray(), np.average(X.toarray(), axis=0, weights=w)
    np.testing.assert_allclose(record.mean, mean, rtol=1e-12)
    np.testing.assert_allclose(record.scatter, w @ (Z - mean) ** 2, rtol=1e-9)
    dense = column_sums(ArrayRows(Z, None, w))
    np.testing.assert_allclose(record.scatter, dense.scatter, rtol=1e-9)


def test_a_loose_tolerance():
    """tol > 0 ends earlier: near the values, with residuals that say how near, and no warning."""
    S = singular()[1]
    loose = TruncatedSVD(5, algorithm="arpack", tol=1e-4, random_state=0).fit(words())
    np.testing.assert_allclose(loose.singular_values_, S[:5], rtol=1e-3)
    assert fitted("sparse", "arpack").certificate_.residual < 1e-6 < loose.certificate_.residual < 0.1 * S[0]
    assert loose.certificate_.holds
