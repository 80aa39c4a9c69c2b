"""Worked examples and errata of the course about singular values and random projections (lines of the notes in brackets)."""

import numpy as np
import pytest

from aprendiz import (
    PCA,
    GaussianRandomProjection,
    TruncatedSVD,
    johnson_lindenstrauss_dim,
    johnson_lindenstrauss_failure,
    low_rank,
)
from aprendiz.decomposition.near_isometry.draws import normal_matrix


def test_d12_storage():
    """D-12: a 1000 × 500 matrix of rank 20 takes 30020 numbers of 500000; up to rank 333 it takes fewer than all."""
    size = low_rank(np.ones((1000, 500)), 20).compression
    assert (size.storage, size.cells, size.break_even) == (30020, 500000, 333)
    assert TruncatedSVD(20, random_state=0).fit(np.random.default_rng(0).normal(size=(1000, 500))).compression_ == size


def test_d20_dimensions():
    """D-20: n = 1000, ε = ¼."""
    found = [johnson_lindenstrauss_dim(1000, 0.25, bound) for bound in ("lemma", "proof", "sklearn")]
    assert found == [1327, 1239, 1061]


def test_construction_of_the_notes():
    """(918–982): AᵀA = VΓVᵀ, U₁ = AV₁Λ⁻¹ completed, A = UDVᵀ = GHᵀ = Σ λ_i u_i v_iᵀ; columns of U and V are eigenvectors."""
    A = np.array([[3.0, 0.0, 1.0], [4.0, 5.0, 9.0], [0.0, 2.0, 2.0], [1.0, 1.0, 2.0]])  # rank 3
    found = TruncatedSVD().explain(A).taught
    squares = found.singular_values**2
    np.testing.assert_allclose(A.T @ A @ found.V, found.V * squares, atol=1e-12)
    np.testing.assert_allclose(A @ A.T @ found.G, found.G * squares, atol=1e-12)
    np.testing.assert_allclose(A @ A.T @ found.U[:, found.rank :], 0.0, atol=1e-12)
    assert (found.G.shape, found.H.shape) == ((4, 3), (3, 3))


def test_erratum_990_terms():
    """(990): the sum of the decomposition runs to min(n, d), not to d: a 2 × 5 matrix has two terms."""
    A = np.arange(10.0).reshape(2, 5)
    terms = list(TruncatedSVD().explain(A).stable.terms())
    assert len(terms) == 2 == len(low_rank(A, 1).spectrum)
    np.testing.assert_allclose(sum(terms), A, atol=1e-13)
    with pytest.raises(ValueError, match="k=3 must be at most"):
        low_rank(A, 3)


def test_erratum_1223_projectors():
    """(1223): only the diagonal of an orthogonal projector lies in [0, 1]; other entries may be negative. The trace is k."""
    V = PCA(2).fit(np.random.default_rng(3).normal(size=(30, 5))).components_
    P = V.T @ V
    assert P.min() < 0
    assert 0 <= np.diag(P).min() <= np.diag(P).max() <= 1
    assert np.trace(P) == pytest.approx(2)


def test_erratum_1292_squared_length():
    """(1292): the bound is of y = ‖x‖², whose mean is k, not of ‖x‖."""
    u, k = np.arange(1.0, 9.0), 16
    y = [k * ((normal_matrix(k, 8, 0, draw) @ u) ** 2).sum() / (u @ u) for draw in range(200)]
    assert np.mean(y) == pytest.approx(k, rel=0.08)
    assert abs(np.mean(np.sqrt(y)) - k) > 10


def test_erratum_1320_bad_event():
    """(1320): the bad events are ‖v‖² ≥ (1 + ε)‖u‖² and ‖v‖² ≤ (1 − ε)‖u‖², each with probability e^(−k(ε²−ε³)/4) at most. As
    printed, with ≤ (1 + ε), the event is nearly certain."""
    eps, k = 0.4, 40
    lengths = np.array([(normal_matrix(k, 6, 1, draw)[:, 0] ** 2).sum() for draw in range(1000)])
    bound = np.exp(-k * (eps**2 - eps**3) / 4)
    above, below = np.mean(lengths >= 1 + eps), np.mean(lengths <= 1 - eps)
    assert 0 < above < bound
    assert 0 < below < bound
    assert np.mean((lengths <= 1 - eps) | (lengths <= 1 + eps)) > 0.9


def test_erratum_1332_draws():
    """(1332): the number of draws is geometric, with mean 2 at most for the k of the proof; and a draw keeps all distances with
    probability ½ at least, in fact nearly always."""
    n, eps = 12, 0.45
    k = int(johnson_lindenstrauss_dim(n, eps, "proof"))
    assert 1 / (1 - johnson_lindenstrauss_failure(n, eps, k)) <= 2
    X = np.random.default_rng(0).normal(size=(n, 300))
    draws = [GaussianRandomProjection(k, eps=eps, retry=20, random_state=seed).fit(X).draws_ for seed in range(20)]
    assert np.mean(draws) <= 2
    few = [GaussianRandomProjection(k // 3, eps=eps, retry=200, random_state=seed).fit(X).draws_ for seed in range(20)]
    assert np.mean(few) > np.mean(draws)


def test_errata_of_the_two_sizes():
    """(2.5–2.6): the size of the lemma is the smaller one for n < 16, and the proof does not cover it: take the larger."""
    n, eps = np.arange(2, 40), 0.25
    lemma, proof = (johnson_lindenstrauss_dim(n, eps, bound) for bound in ("lemma", "proof"))
    np.testing.assert_array_equal(lemma < proof, n < 16)
    larger = johnson_lindenstrauss_dim(n, eps, "larger")
    assert (johnson_lindenstrauss_failure(n, eps, larger) <= 0.5).all()
    assert johnson_lindenstrauss_failure(5, eps, johnson_lindenstrauss_dim(5, eps, "lemma")) > 0.5
