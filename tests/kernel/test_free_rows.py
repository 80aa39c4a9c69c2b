"""Conjugate gradients among the rows whose multipliers are free, and the loops over sparse rows that they are made of."""

import numpy as np
import pytest
from scipy import sparse

from aprendiz import LinearSVC, LinearSVR
from aprendiz.core.sources.arrays import compress
from aprendiz.kernel.linear_solvers.free_rows import FreeRows
from aprendiz.kernel.linear_solvers.sparse_rows import add_rows, fill_largest, fill_squares, row_products

SCALE = 0.5


def table(n, d, share=0.2):
    """Sparse rows, and the same with the cell of the intercept."""
    rng = np.random.default_rng(n)
    dense = rng.normal(size=(n, d)) * (rng.random((n, d)) < share)
    dense[4] = 0.0
    X = sparse.csr_matrix(dense)
    return X, np.column_stack([X.toarray(), np.full(n, SCALE)]), rng


def test_loops_over_rows():
    """Each says what NumPy says of the dense table; rows that are not chosen, or empty, change nothing."""
    X, Z, rng = table(30, 11)
    chosen, theta = np.array([4, 1, 29, 17]), rng.normal(size=12)
    t, summed, factors = np.empty(4), theta.copy(), np.array([1.0, 0.0, -2.0, 0.5])
    row_products(compress(X), chosen, theta, SCALE, t)
    add_rows(compress(X), chosen, factors, SCALE, summed)
    np.testing.assert_allclose(t, Z[chosen] @ theta, rtol=1e-14)
    np.testing.assert_allclose(summed, theta + factors @ Z[chosen], rtol=1e-14)
    squares, largest = np.empty(30), np.zeros(11)
    fill_squares(compress(X), SCALE, squares)
    fill_largest(*compress(X)[:2], largest)
    np.testing.assert_allclose(squares, (Z**2).sum(axis=1), rtol=1e-14)
    np.testing.assert_array_equal(largest, np.abs(Z[:, :-1]).max(axis=0))


@pytest.mark.parametrize("squared", [False, True])
@pytest.mark.parametrize("c", [0.3, 1e3])
def test_system_of_free_rows(squared, c):
    """Within the limits the free multipliers solve their system and prove it; beyond, they are clipped, and θ is theirs."""
    X, Z, rng = table(25, 60)
    chosen, alpha = np.arange(0, 25, 2), rng.choice([-0.1, 0.1], 25)
    theta, side, free = alpha @ Z, np.sign(alpha[::2]), Z[::2]
    ridge, ceiling = np.full(13, 0.5 / c if squared else 0.0), np.full(13, np.inf if squared else c)
    diagonal = (free**2).sum(axis=1) + ridge
    some = FreeRows(compress(X), SCALE, chosen, side, np.full(13, c), np.zeros(13), ceiling, ridge, diagonal, squared)
    new, moved, inside = some.solve(alpha[::2].copy(), theta.copy(), 1e-12)
    right_side = side - Z[::2] @ (theta - alpha[::2] @ free)
    exact = np.linalg.solve(free @ free.T + np.diag(ridge), right_side)
    within = bool(((side * exact >= 0) & (side * exact <= ceiling)).all())
    assert inside == within
    if within:
        np.testing.assert_allclose(new, exact, rtol=1e-5)
    assert ((side * new >= 0) & (side * new <= ceiling)).all()
    np.testing.assert_allclose(moved, theta + (new - alpha[::2]) @ free, atol=1e-12)


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
def test_few_epochs(loss):
    """Rows that are alike and a large C, where coordinate descent alone takes hundreds of epochs."""
    rng = np.random.default_rng(0)
    X = sparse.csr_matrix((rng.random((300, 2000)) < 0.03) * 1.0)
    y = rng.integers(0, 2, 300)
    X = sparse.hstack([X, np.ones((300, 1)) * 3.0]).tocsr()
    model = LinearSVC(loss=loss, C=100.0).fit(X, y)
    assert model.certificate_.gap <= 1e-8
    assert model.n_iter_ <= 10


def test_absolute_error():
    """With ε = 0 multipliers may change their sign among the free rows."""
    X, _, rng = table(200, 1500, 0.02)
    y = rng.normal(size=200)
    model = LinearSVR(C=0.5).fit(X, y)
    assert model.certificate_.gap <= 1e-8
    assert model.n_iter_ <= 10
