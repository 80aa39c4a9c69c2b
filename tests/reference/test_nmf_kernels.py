"""The compiled kernels of non-negative factors agree with their plain twins."""

import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import nnls

from aprendiz.core.sources.arrays import compress
from aprendiz.decomposition.nonnegative import active_set, coordinate_descent, newton_sweeps, products


def problem(seed, n=70, k=6):
    """G = VᵀV with a component of zeros at times, P = XV, and weights to begin with; more rows than a tile."""
    rng = np.random.default_rng(seed)
    V = rng.random((9, k)) * (rng.random((9, k)) < 0.7)
    V[:, seed % k] *= seed % 3 > 0
    X = rng.random((n, 9)) * (rng.random((n, 9)) < 0.6)
    return X, V, V.T @ V, X @ V, rng.random((n, k)) * (rng.random((n, k)) < 0.6)


def swept(U, G, P, l1, sweeps):
    """(2) entry by entry, and Σ G_tt·(the move)² of the first sweep."""
    U, moved = U.copy(), 0.0
    for sweep in range(sweeps):
        for t, curve in enumerate(np.diagonal(G)):
            if curve == 0:  # a component of zeros: the penalty alone speaks of its weights
                U[:, t] *= l1 == 0
                continue
            new = np.maximum(U[:, t] - (U @ G[:, t] - P[:, t] + l1) / curve, 0.0)
            moved += curve * ((new - U[:, t]) ** 2).sum() if sweep == 0 else 0.0
            U[:, t] = new
    return U, moved


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("l1", "sweeps"), [(0.0, 1), (0.0, 3), (0.2, 2)])
def test_sweep_rows(seed, l1, sweeps):
    """Several sweeps, and the worth of the first."""
    _X, _V, G, P, U = problem(seed, k=5 + seed)
    expected, worth = swept(U, G, P, l1, sweeps)
    found = U.copy()
    assert coordinate_descent.sweep_rows(found, G, P, l1, sweeps, 0.0) == pytest.approx(worth, rel=1e-12)
    np.testing.assert_allclose(found, expected, atol=1e-13)


def test_enough_sweeps():
    """A tile that has come to rest sweeps no more, whatever the others do."""
    _X, _V, G, P, U = problem(1)
    U[:64] = swept(U[:64], G, P[:64], 0.0, 2_000)[0]
    one = U.copy()
    coordinate_descent.sweep_rows(one, G, P, 0.0, 50, 0.5)
    many = U.copy()
    coordinate_descent.sweep_rows(many, G, P, 0.0, 50, 0.0)
    np.testing.assert_allclose(one[:64], many[:64], atol=1e-12)
    assert np.abs(one[64:] - many[64:]).max() > 1e-6


@pytest.mark.parametrize("warm", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_solve_rows(seed, warm):
    """The error of SciPy's non-negative least squares, from 0 and from any weights; the conditions of a minimum."""
    X, V, G, P, U = problem(seed)
    V[:, 2] = V[:, 3] + V[:, 4] if seed % 2 else V[:, 2]  # follows from others
    G, P = V.T @ V, X @ V
    found = U.copy() if warm else np.zeros(U.shape)
    active_set.solve_rows(G, P, 0.0, found)
    for x, u in zip(X, found, strict=True):
        assert np.linalg.norm(x - V @ u) <= nnls(V, x)[1] + 1e-13
    slope = found @ G - P
    assert slope.min() > -1e-12
    assert np.abs(slope * found).max() < 1e-12


@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_products(kind):
    """X V and XᵀU of a sparse table, for rows with none to nine cells."""
    X, V, *_rest, U = problem(4)
    X[3], X[4] = 0.0, 1.0
    thin = sparse.csr_array(X.astype(kind))
    for name, factor, expected in (("add_times", V, thin.toarray() @ V), ("add_turned", U, thin.toarray().T @ U)):
        total = np.ones(expected.shape)
        getattr(products, name)(*compress(thin), factor, total)
        np.testing.assert_allclose(total, 1.0 + expected, rtol=1e-12)


# ---- Newton's steps for the Kullback–Leibler divergence ----------------------------------------------------------------------


def counts(seed, n=25, d=9, k=4):
    """Counts with a row and a column of zeros, parts with zeros, and weights above 0."""
    rng = np.random.default_rng(seed)
    X = rng.poisson(1.5, (n, d)).astype(float)
    X[3], X[:, 2] = 0.0, 0.0
    V = rng.random((d, k)) * (rng.random((d, k)) < 0.7) + 1e-3
    return X, V, rng.random((n, k)) + 0.1


def newton_sweep(X, V, U, l1, l2):
    """(2) and (3), entry by entry; Σ h·(the move)²."""
    U, moved = U.copy(), 0.0
    for x, u in zip(X, U, strict=True):
        for t in range(len(u)):
            part = np.where(x > 0, V[:, t] / np.maximum(V @ u, 1e-300), 0.0)
            g = V[:, t].sum() + l1 + l2 * u[t] - x @ part
            h = l2 + x @ part**2
            right, left = -g / max(h, 1e-300), min(u[t], g / max(h + g * part.max(), 1e-300))
            step = right if g < 0 else -left
            u[t] += step
            moved += h * step**2
    return U, moved


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("l1", "l2"), [(0.0, 0.0), (0.3, 0.0), (0.1, 0.5)])
def test_newton_rows(seed, l1, l2):
    """A sweep, its worth, and Σ x ln(x/y), of rows with and without zeros."""
    X, V, U = counts(seed)
    X[5:9] += seed % 2  # full rows, if there are any
    expected, worth = newton_sweep(X, V, U, l1, l2)
    found = U.copy()
    moved, entropy = newton_sweeps.newton_rows(*compress(sparse.csr_array(X)), V, found, l1, l2, 1, 0.0, True)
    np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-12)
    assert moved == pytest.approx(worth, rel=1e-10)
    Y = found @ V.T
    assert entropy == pytest.approx((X[X > 0] * np.log(X[X > 0] / Y[X > 0])).sum(), rel=1e-12)


def test_stored_zeros_are_zeros():
    """A row that stores all its cells, zeros among them, is no row with all cells above 0."""
    X, V, U = counts(1)
    thin = sparse.csr_array(np.ones(X.shape))
    thin.data[:] = X.ravel()
    found, expected = U.copy(), U.copy()
    newton_sweeps.newton_rows(*compress(thin), V, found, 0.0, 0.0, 2, 0.0, True)
    newton_sweeps.newton_rows(*compress(sparse.csr_array(X)), V, expected, 0.0, 0.0, 2, 0.0, True)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_newton_never_rises(seed):
    """No sweep raises the divergence of a row, and many of them come to its minimum."""
    X, V, U = counts(seed)
    U *= 10.0 ** np.random.default_rng(seed).integers(-3, 4, U.shape)

    def divergences(U):
        Y = U @ V.T
        return (Y - np.where(X > 0, X * np.log(np.maximum(Y, 1e-300)), 0.0)).sum(axis=1)

    values = [divergences(U)]
    for _sweep in range(60):
        newton_sweeps.newton_rows(*compress(sparse.csr_array(X)), V, U, 0.0, 0.0, 1, 0.0, False)
        values.append(divergences(U))
    assert (np.diff(values, axis=0) <= 1e-12 * np.abs(values[0])).all()
    for _many in range(20):
        newton_sweeps.newton_rows(*compress(sparse.csr_array(X)), V, U, 0.0, 0.0, 200, 0.0, False)
    slope = V.sum(axis=0) - np.where(X > 0, X / (U @ V.T + 1e-300), 0.0) @ V
    assert slope.min() > -1e-6
    assert np.abs(slope * U).max() < 1e-6
