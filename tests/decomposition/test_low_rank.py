"""The best approximation of rank k: no other is nearer, both errors, storage, and the decomposition as it is taught."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from aprendiz.decomposition import TruncatedSVD, low_rank
from aprendiz.decomposition.svd.compression import Compression

RNG = np.random.default_rng(0)
A = RNG.normal(size=(12, 7)) @ np.diag(2.0 ** -np.arange(7.0))


def norms(B):
    return np.linalg.norm(B, 2), np.linalg.norm(B)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6), k=st.integers(1, 5), near=st.sampled_from([0.0, 1e-3, 0.1, 1.0]))
def test_eckart_young(seed, k, near):
    """No matrix of rank k is nearer, be it any one or one close to the best, and the errors are the tail of the values."""
    rng = np.random.default_rng(seed)
    M = rng.normal(size=(rng.integers(6, 10), rng.integers(6, 10))) * 10.0 ** rng.integers(-3, 4)
    found, S = low_rank(M, k), np.linalg.svd(M, compute_uv=False)
    assert found.spectral == pytest.approx(S[k], rel=1e-10)
    assert found.frobenius == pytest.approx(np.sqrt((S[k:] ** 2).sum()), rel=1e-10)
    np.testing.assert_allclose(norms(M - found.array()), (found.spectral, found.frobenius), rtol=1e-10)
    G = found.U * found.singular_values + near * rng.normal(size=found.U.shape) * S[0]
    other = G @ (np.linalg.pinv(G) @ M if near else found.V)  # the best with these columns
    assert np.linalg.matrix_rank(other, 1e-9 * S[0]) <= k
    spectral, frobenius = norms(M - other)
    assert spectral >= found.spectral * (1 - 1e-12)
    assert frobenius >= found.frobenius * (1 - 1e-12)


def test_factors():
    """Orthonormal, the largest entry of each v positive; the terms add up."""
    found = low_rank(A, 3)
    np.testing.assert_allclose(found.U.T @ found.U, np.eye(3), atol=1e-14)
    np.testing.assert_allclose(found.V @ found.V.T, np.eye(3), atol=1e-14)
    assert (found.V[range(3), np.abs(found.V).argmax(axis=1)] > 0).all()
    np.testing.assert_allclose(sum(found.terms()), found.array(), atol=1e-14)
    assert found.exact
    assert len(found.spectrum) == 7


def test_large_matrices():
    """Sparse ones are not decomposed as a whole: the errors are upper bounds, the Frobenius one is equal."""
    X = sparse.random_array((200, 170), density=0.1, rng=np.random.default_rng(1)).tocsr()
    found, S = low_rank(X, 4, random_state=0), np.linalg.svd(X.toarray(), compute_uv=False)
    assert not found.exact
    np.testing.assert_allclose(found.singular_values, S[:4], rtol=1e-10)
    assert S[4] <= found.spectral <= 1.7 * S[4]
    assert found.frobenius == pytest.approx(np.linalg.norm(S[4:]), rel=1e-8)
    np.testing.assert_allclose(norms(X.toarray() - found.array()), (S[4], np.linalg.norm(S[4:])), rtol=1e-8)
    assert low_rank(X[:, :3], 3).frobenius <= 1e-6


@pytest.mark.parametrize(
    ("k", "said"),
    [(8, r"k=8 must be at most min\(n, d\)=7"), (0, "k must be a whole number"), (2.5, "k must be a whole")],
)
def test_refused(k, said):
    with pytest.raises(ValueError, match=said):
        low_rank(A, k)


def test_bad_matrices():
    with pytest.raises(ValueError, match="NaN"):
        low_rank([[1.0, np.nan], [0.0, 1.0]], 1)
    zeros = low_rank(np.zeros((3, 4)), 2)
    assert zeros.spectral == zeros.frobenius == 0
    assert not zeros.array().any()


def test_break_even():
    """At the break-even rank the factors take at most as much as the cells, at the next one more."""
    for n, d in ((1000, 500), (1, 1), (3, 7), (10**6, 20)):
        k = Compression(n, d, 1).break_even
        assert Compression(n, d, k).storage <= n * d < Compression(n, d, k + 1).storage


# ---- as it is taught -------------------------------------------------------------------------------------------------


def test_as_taught():
    """U and V are orthogonal, U D Vᵀ = A = G Hᵀ = Σ λ u vᵀ, and the values are LAPACK's: nothing is lost while squares hold."""
    found = TruncatedSVD().explain(A)
    for svd in (found.taught, found.stable):
        assert svd.rank == 7
        D = np.zeros((12, 7))
        np.fill_diagonal(D, svd.singular_values)
        np.testing.assert_allclose(svd.U @ D @ svd.V.T, A, atol=1e-12)
        np.testing.assert_allclose(svd.G @ svd.H.T, A, atol=1e-12)
        np.testing.assert_allclose(sum(svd.terms()), A, atol=1e-12)
        np.testing.assert_allclose(svd.U.T @ svd.U, np.eye(12), atol=1e-11)
        np.testing.assert_allclose(svd.V.T @ svd.V, np.eye(7), atol=1e-12)
    np.testing.assert_allclose(found.taught.singular_values, np.linalg.svd(A, compute_uv=False), rtol=1e-10)
    np.testing.assert_allclose(found.taught.V, found.stable.V, atol=1e-9)


def test_digits_lost_by_squaring():
    """A value of 10⁻⁶ beside 1 keeps some 4 digits of 16 where AᵀA is formed, and one of 10⁻⁹ is not found at all."""
    U, V = (np.linalg.qr(RNG.normal(size=(n, 3)))[0] for n in (20, 3))
    mild, hard = ((U * values) @ V.T for values in ([1.0, 1e-3, 1e-6], [1.0, 1e-3, 1e-9]))
    found = TruncatedSVD().explain(mild)
    assert found.condition == pytest.approx(1e6, rel=1e-6)
    assert found.digits_lost == pytest.approx(6.0, abs=1e-6)
    assert 2.5 < found.digits[2] < 8
    assert found.taught.orthogonality() > 1e-8 > 1e3 * found.stable.orthogonality()
    lost = TruncatedSVD().explain(hard)
    assert (lost.taught.rank, lost.stable.rank) == (2, 3)
    assert lost.digits[2] == 0
    assert lost.taught.error(hard) > 1e-10 > 1e3 * lost.stable.error(hard)
    assert "9 digits lost by squaring" in str(lost)


def test_explained_shapes():
    """Wide, of rank 1, of rank 0, sparse; too large for it."""
    for M in (A.T, np.outer([1.0, 2.0, 3.0], [1.0, 1.0]), sparse.csr_array(A)):
        found = TruncatedSVD().explain(M)
        dense = M.toarray() if sparse.issparse(M) else M
        np.testing.assert_allclose(found.taught.G @ found.taught.H.T, dense, atol=1e-12)
        assert found.taught.rank == np.linalg.matrix_rank(dense)
    nothing = TruncatedSVD().explain(np.zeros((3, 2)))
    assert nothing.taught.rank == nothing.stable.rank == 0
    assert nothing.condition == 1
    with pytest.raises(ValueError, match="explain is for small tables"):
        TruncatedSVD().explain(np.ones((1001, 1000)))
