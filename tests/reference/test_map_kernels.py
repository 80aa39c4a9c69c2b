"""The compiled kernels of t-SNE agree with their definitions, written plainly."""

import numpy as np
import pytest
from scipy import sparse
from scipy.interpolate import BSpline

from aprendiz.decomposition.neighbor_embedding import affinities, descent, forces, spline_grid

RNG = np.random.default_rng(4)


def random_graph(n):
    """Some neighbours of each row, with weights."""
    graph = sparse.random_array((n, n), density=0.3, rng=RNG, format="csr")
    return graph.indptr.astype(np.int64), graph.indices.astype(np.int32), graph.data, graph.toarray()


def nearness(Y, freedom):
    """Differences y_i − y_j, and w_ij with zeros for pairs of a row with itself."""
    apart = Y[:, None] - Y[None]
    w = 1.0 / (1.0 + (apart**2).sum(axis=2) / freedom)
    return apart, w


@pytest.mark.parametrize("columns", [1, 2, 3, 5])
def test_forces(columns):
    """Attraction, its part of the divergence, and repulsion: all rows, and some of them."""
    n, freedom = 700, max(columns - 1, 1)  # more rows than a tile has
    Y = 2.0 * RNG.normal(size=(n, columns))
    starts, neighbours, values, P = random_graph(n)
    apart, w = nearness(Y, freedom)
    power = w ** ((freedom + 1) / 2)
    power[np.diag_indices(n)] = 0.0
    A, R = np.einsum("ij,ijc->ic", P * w, apart), np.einsum("ij,ijc->ic", power * w, apart)
    some = slice(100, 650)
    found = np.full((n, columns), np.nan)
    forces.attract(starts, neighbours, values, Y, freedom, 100, 650, found)
    np.testing.assert_allclose(found[some], A[some], rtol=1e-11, atol=1e-12)
    assert np.isnan(found[:100]).all()
    stretch = forces.stretch(starts, neighbours, values, Y, freedom, 100, 650)
    assert stretch == pytest.approx(-(P[some] * np.log(w[some])).sum(), rel=1e-12)
    found = np.full((n, columns), np.nan)
    table = np.ascontiguousarray(Y.T)
    assert forces.push(table, freedom, 100, 650, found) == pytest.approx(power[some].sum(), rel=1e-11)
    np.testing.assert_allclose(found[some], R[some], rtol=1e-10, atol=1e-11)
    if columns == 2:
        assert forces.push_plane(*table, 100, 650, found) == pytest.approx(power[some].sum(), rel=1e-11)
        np.testing.assert_allclose(found[some], R[some], rtol=1e-10, atol=1e-11)


@pytest.mark.parametrize("wanted", [1.2, 4.0, 9.0, 20.0])
def test_calibrate(wanted):
    """Gaussian weights of sorted distances with the entropy that is wanted; ties at the smallest, and no distance at all."""
    distances = np.sort(RNG.uniform(0.5, 2.0, size=(6, 25)), axis=1)
    distances[1, :3], distances[2], distances[3, :] = distances[1, 0], 0.0, 7.0
    p, reached, sharpness = np.empty((6, 25)), np.empty(6), np.empty(6)
    affinities.calibrate(distances, np.log(wanted), p, reached, sharpness)
    for i in range(6):
        excess = (distances[i] ** 2 - distances[i, 0] ** 2) / (distances[i, -1] ** 2 or 1.0)
        weights = np.where(excess == 0, 1.0, np.exp(-sharpness[i] * np.maximum(excess, 1e-300)))
        np.testing.assert_allclose(p[i], weights / weights.sum(), rtol=1e-9, atol=1e-12)
        entropy = -(p[i] * np.log(np.maximum(p[i], 1e-300))).sum()
        assert np.log(reached[i]) == pytest.approx(entropy, abs=1e-9)
        least = 25.0 if i in (2, 3) else 3.0 if i == 1 else 1.0
        assert reached[i] == pytest.approx(max(wanted, least), rel=1e-9)


def test_descend():
    """Gains, velocities and places, one step; the norm is that of the gradient times the gains."""
    A, R, Y, velocity = RNG.normal(size=(4, 9, 2))
    gains = RNG.uniform(0.005, 2.0, size=(9, 2))
    slope = 4.0 * (12.0 * A - R)
    wanted = np.maximum(np.where(velocity * slope < 0, gains + 0.2, 0.8 * gains), 0.01)
    moved = 0.5 * velocity - 50.0 * wanted * slope
    places, speed, found = Y.copy(), velocity.copy(), gains.copy()
    square = descent.descend(A, R, 12.0, 4.0, 50.0, 0.5, places, speed, found)
    np.testing.assert_allclose(found, wanted)
    np.testing.assert_allclose(speed, moved, rtol=1e-12)
    np.testing.assert_allclose(places, Y + moved, rtol=1e-12)
    assert square == pytest.approx(((wanted * slope) ** 2).sum(), rel=1e-12)


def shares_of(u):
    """B((u − g)/1) at the nodes g = 0 … 5 around a place u = 2 + t of a cell, and the slopes."""
    basis = BSpline.basis_element(np.arange(-3.0, 4.0), extrapolate=False)
    at = 2.0 + u - np.arange(6.0)
    return np.nan_to_num(basis(at)), np.nan_to_num(basis.derivative()(at))


def test_splines_share_and_read():
    """Shares are B-splines of degree 5 around each row; what is read off a grid is the spline that its numbers belong to."""
    Y = RNG.uniform(0.0, 5.0, size=(12, 2))
    corner, h = Y.min(axis=0), 0.5
    grid = RNG.normal(size=(20, 20))
    shares, wanted, R, slopes, total = np.zeros((20, 20)), np.zeros((20, 20)), np.empty((12, 2)), np.empty((12, 2)), 0.0
    for i, (u, v) in enumerate((Y - corner) / h):
        (a, da), (b, db) = shares_of(u % 1), shares_of(v % 1)
        here = slice(int(u), int(u) + 6), slice(int(v), int(v) + 6)
        wanted[here] += np.outer(a, b)
        total += a @ grid[here] @ b
        slopes[i] = -0.5 / h * (da @ grid[here] @ b), -0.5 / h * (a @ grid[here] @ db)
    spline_grid.share_in_plane(Y, corner, h, shares)
    np.testing.assert_allclose(shares, wanted, atol=1e-14)
    assert shares.sum() == pytest.approx(12.0)
    assert spline_grid.read_plane(Y, corner, h, grid, R) == pytest.approx(total, rel=1e-12)
    np.testing.assert_allclose(R, slopes, atol=1e-12)


def test_splines_on_a_line():
    """The same for one column."""
    y = RNG.uniform(0.0, 5.0, size=12)
    line, shares, wanted, R, total = RNG.normal(size=30), np.zeros(30), np.zeros(30), np.empty((12, 1)), 0.0
    slopes = np.empty(12)
    for i, u in enumerate((y - y.min()) / 0.5):
        a, da = shares_of(u % 1)
        wanted[int(u) : int(u) + 6] += a
        total += a @ line[int(u) : int(u) + 6]
        slopes[i] = -da @ line[int(u) : int(u) + 6]
    spline_grid.share_on_line(y, y.min(), 0.5, shares)
    np.testing.assert_allclose(shares, wanted, atol=1e-14)
    assert spline_grid.read_line(y, y.min(), 0.5, line, R) == pytest.approx(total, rel=1e-12)
    np.testing.assert_allclose(R[:, 0], slopes, atol=1e-12)
