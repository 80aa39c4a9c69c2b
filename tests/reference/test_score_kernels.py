"""Kernels of column scores agree with their plain twins."""

import numpy as np
import pytest

from aprendiz.core.rows import Block
from aprendiz.selection.scores.class_ranks import rank_columns, rank_variation
from aprendiz.selection.scores.class_variation import add_classes, rows_by_class
from aprendiz.selection.scores.covariation import add_products
from aprendiz.selection.scores.sums_of_rows import FEW, room_to_turn

RTOL = 1e-12


@pytest.fixture(params=[(7, 0.0), (45, 0.0), (45, 0.3), (3, 0.9)], ids=str)
def table(request):
    """Cells, some of them missing, classes, a target and weights of which some are 0."""
    n, gaps = request.param
    rng = np.random.default_rng(n)
    X = rng.normal(size=(n, 6)).round(1)
    X[rng.random(X.shape) < gaps] = np.nan
    X[:, 5] = 0.1
    return X, rng.integers(0, 3, n), rng.normal(size=n), rng.choice([0.0, 0.5, 1.0, 3.0], n)


def sums(x, w, t):
    """The pivot of some cells, and the sums around it."""
    pivot = x[0] + (x[:FEW] - x[0]).mean()
    z = x - pivot
    return pivot, w.sum(), w @ z, w @ z**2, w @ t, w @ t**2, (w * z) @ t


stored = pytest.mark.parametrize("order", ["C", "F"])  # by rows, and by columns, some of which are turned at a time


@stored
def test_classes(table, order):
    X, y, _, w = table
    X = np.asarray(X, order=order)
    turned = room_to_turn(Block(X, y, w, 0))
    assert (turned is None) == (order == "C")
    low, width = 2, 4
    pivot, weight, first, second = (np.zeros((3, width)) for _ in range(4))
    known = np.zeros((3, width), np.int64)
    add_classes(X, turned, w, *rows_by_class(y, w, 3), low, pivot, weight, first, second, known)
    for k in range(3):
        for j in range(width):
            rows = (y == k) & (w > 0) & ~np.isnan(X[:, low + j])
            assert known[k, j] == rows.sum()
            if rows.any():
                expected = sums(X[rows, low + j], w[rows], w[rows])[:4]
                found = (pivot[k, j], weight[k, j], first[k, j], second[k, j])
                np.testing.assert_allclose(found, expected, rtol=RTOL, atol=1e-13)
            else:
                assert (weight[k, j], first[k, j], second[k, j]) == (0, 0, 0)
    assert (second[:, 3] == 0).all()  # of equal cells, exactly


@stored
def test_products(table, order):
    X, _, t, w = table
    X = np.asarray(X, order=order)
    turned = room_to_turn(Block(X, t, w, 0))
    low, width = 1, 5
    pivot, weight, x, xx, y, yy, xy = (np.zeros(width) for _ in range(7))
    add_products(X, turned, t, w, np.flatnonzero(w > 0), low, pivot, weight, x, xx, y, yy, xy)
    for j in range(width):
        rows = (w > 0) & ~np.isnan(X[:, low + j])
        if rows.any():
            expected = sums(X[rows, low + j], w[rows], t[rows])
            found = (pivot[j], weight[j], x[j], xx[j], y[j], yy[j], xy[j])
            np.testing.assert_allclose(found, expected, rtol=RTOL, atol=1e-13)


def plain_h(x, y, w):
    """H of the cells that are known, and the number and weight of the classes."""
    known = ~np.isnan(x) & (w > 0)
    x, y, w = x[known], y[known], w[known]
    rank = np.array([w[x < value].sum() + (w[x == value].sum() + 1) / 2 for value in x])
    deviation = rank - (w.sum() + 1) / 2
    between = sum((w * deviation)[y == k].sum() ** 2 / w[y == k].sum() for k in np.unique(y))
    spread = w @ deviation**2
    return ((w.sum() - 1) * between / spread if spread > 0 else np.nan), len(np.unique(y)), w.sum()


def test_ranks(table):
    X, y, _, w = table
    counted = w > 0
    found = np.empty((6, 3))
    rank_columns(np.ascontiguousarray(X[counted].T), y[counted], w[counted], 3, found)
    np.testing.assert_allclose(found, [plain_h(x, y, w) for x in X.T], rtol=1e-11, atol=1e-12)
    order = np.argsort(X[counted, 5], kind="stable")
    one = rank_variation(X[counted, 5][order], y[counted][order], w[counted][order], np.zeros(3), np.zeros(3))
    assert np.isnan(one[0])
