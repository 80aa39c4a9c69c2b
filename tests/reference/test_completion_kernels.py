"""The compiled kernels of matrix completion agree with their plain twins."""

import numpy as np
import pytest

from aprendiz.decomposition.completion import known_cells, residual_matrix
from aprendiz.decomposition.completion import ridge_rows as kernels

from . import completion_twins as twins


def holes(seed, n=17, d=11):
    """A table with a row and a column without known cells, and rows of zero to ten of them."""
    rng = np.random.default_rng(seed)
    A = np.where(rng.random((n, d)) < 0.5, rng.normal(size=(n, d)), np.nan)
    A[3], A[:, 5], A[0] = np.nan, np.nan, rng.normal(size=d)
    A[0, 5] = np.nan
    return A, rng


@pytest.mark.parametrize("rank", [1, 2, 5, 9])
def test_ridge_rows(rank, monkeypatch):
    """Rows by themselves, in runs of a few cells; a row without cells is 0."""
    monkeypatch.setattr(kernels, "RUN", 20)
    A, rng = holes(rank)
    V = rng.normal(size=(A.shape[1], rank))
    U, squares = kernels.ridge_rows(known_cells.cells_of(A), V, 0.3)
    expected, sums = twins.ridge_rows(A, V, 0.3)
    np.testing.assert_allclose(U, expected, atol=1e-12)
    np.testing.assert_allclose(squares, sums, rtol=1e-12, atol=1e-14)
    assert not U[3].any()


def test_ridge_rows_of_one_direction():
    """Factors that are multiples of each other, and a penalty that rounding eats, still fit the cells."""
    A = np.outer(np.arange(1.0, 6), np.arange(1.0, 8))
    V = np.outer(np.arange(1.0, 8), [1.0, 2.0, -1.0])
    U, squares = kernels.ridge_rows(known_cells.cells_of(A), V, 1e-18)
    assert np.isfinite(U).all()
    np.testing.assert_allclose(squares, 0, atol=1e-12)


def test_residual_matrix(monkeypatch):
    """Residuals both ways, their products, Gram matrix and singular pairs beside some factors."""
    monkeypatch.setattr(kernels, "RUN", 20)
    A, rng = holes(1)
    U, V = rng.normal(size=(len(A), 3)), rng.normal(size=(A.shape[1], 3))
    units = known_cells.Units.of(known_cells.cells_of(A), A.shape[1], None, False)
    cells = known_cells.KnownCells.of(known_cells.cells_of(A), units)
    expected = twins.residuals(np.ldexp(A, -units.power), U, V)
    R = residual_matrix.ResidualMatrix.of(cells, U, V)
    np.testing.assert_allclose(R.times(np.eye(A.shape[1])), expected, atol=1e-14)
    np.testing.assert_allclose(R.transposed_times(np.eye(len(A))), expected.T, atol=1e-14)
    np.testing.assert_allclose(R.times(V[:, :1]), expected @ V[:, :1], atol=1e-14)
    np.testing.assert_allclose(R.gram()[0], expected.T @ expected, atol=1e-13)
    P, Q = np.linalg.qr(U)[0], np.linalg.qr(V)[0]
    beside = (np.eye(len(A)) - P @ P.T) @ expected @ (np.eye(A.shape[1]) - Q @ Q.T)
    pairs = R.leading_pairs(4, 40, 0, (P, Q))
    np.testing.assert_allclose(pairs.values, np.linalg.svd(beside, compute_uv=False)[:4], rtol=1e-12)
    np.testing.assert_allclose(np.einsum("ik,ij,jk->k", pairs.left, beside, pairs.right), pairs.values, rtol=1e-12)
    turned_cells = known_cells.KnownCells(cells.by_columns, cells.by_rows, cells.row_means)
    turned = residual_matrix.ResidualMatrix.of(turned_cells, V, U).leading_pairs(4, 40, 0, (Q, P))
    np.testing.assert_allclose(turned.values, pairs.values, rtol=1e-12)


@pytest.mark.parametrize("exact", [True, False])
def test_norm_bound(exact, monkeypatch):
    """Never below the norm, and not far above it, whether the Gram matrix is formed or not."""
    if not exact:
        monkeypatch.setattr(residual_matrix, "EXACT", 0)
    for seed in range(5):
        A, _rng = holes(seed, 60, 40)
        cells = known_cells.KnownCells.of(
            known_cells.cells_of(A), known_cells.Units.of(known_cells.cells_of(A), 40, None, False)
        )
        R = residual_matrix.ResidualMatrix.of(cells, np.zeros((60, 0)), np.zeros((40, 0)))
        norm = np.linalg.norm(R.times(np.eye(40)), 2)
        bound, doubt = R.norm_bound(seed)
        assert norm * (1 - 1e-15) <= bound <= norm * (1 + (1e-12 if exact else 0.01))
        assert (doubt == 0.0) == exact


def test_the_dense_gram_matrix_is_the_sparse_one(monkeypatch):
    """Of a table with most cells known it is summed in dense blocks."""
    A = np.random.default_rng(0).normal(size=(90, 7))
    cells = known_cells.KnownCells.of(known_cells.cells_of(A), known_cells.Units.of(known_cells.cells_of(A), 7, None, False))
    R = residual_matrix.ResidualMatrix.of(cells, np.zeros((90, 0)), np.zeros((7, 0)))
    expected = np.ldexp(A.T @ A, -2 * known_cells.Units.of(known_cells.cells_of(A), 7, None, False).power)
    np.testing.assert_allclose(R.gram()[0], expected, rtol=1e-13, atol=1e-13)
