"""KDTree and BallTree alone: scikit-learn's questions, its forms of the answers."""

import numpy as np
import pytest
from sklearn.neighbors import BallTree as TheirBallTree
from sklearn.neighbors import KDTree as TheirKDTree

from aprendiz.neighbors.ball_tree import BallTree
from aprendiz.neighbors.kd_tree import KDTree

RNG = np.random.default_rng(5)
X, Q = RNG.normal(size=(400, 3)), RNG.normal(size=(30, 3))
BOTH = pytest.mark.parametrize(("ours", "theirs"), [(KDTree, TheirKDTree), (BallTree, TheirBallTree)])


@BOTH
@pytest.mark.parametrize(
    ("metric", "power"), [("euclidean", {}), ("manhattan", {}), ("chebyshev", {}), ("minkowski", {"p": 3})]
)
def test_query_as_scikit_learn(ours, theirs, metric, power):
    a, b = ours(X, metric=metric, **power), theirs(X, metric=metric, **power)
    for found, wanted in zip(a.query(Q, k=5), b.query(Q, k=5), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-13)
    np.testing.assert_array_equal(a.query(Q, k=2, return_distance=False), b.query(Q, k=2, return_distance=False))
    np.testing.assert_array_equal(a.data, b.data)


@BOTH
def test_query_radius_as_scikit_learn(ours, theirs):
    a, b = ours(X), theirs(X)
    np.testing.assert_array_equal(a.query_radius(Q, 0.7, count_only=True), b.query_radius(Q, 0.7, count_only=True))
    indices, distances = a.query_radius(Q, 0.7, return_distance=True)
    their_indices, their_distances = b.query_radius(Q, 0.7, return_distance=True, sort_results=True)
    assert indices.dtype == their_indices.dtype
    assert indices.shape == their_indices.shape
    for found, wanted in zip((*indices, *distances), (*their_indices, *their_distances), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-13)
    radii = np.linspace(0, 1, len(Q))
    assert list(map(len, a.query_radius(Q, radii))) == list(map(len, b.query_radius(Q, radii)))


@pytest.mark.parametrize("tree", [KDTree, BallTree])
@pytest.mark.parametrize("leaf_size", [1, 2, 3, 40, 1000])
def test_leaves_do_not_change_answers(tree, leaf_size):
    """Leaves from one point to all of them."""
    rows = RNG.integers(0, 5, size=(257, 2)).astype(float)
    squares = ((rows[:20, None] - rows[None]) ** 2).sum(axis=2)
    _, indices = tree(rows, leaf_size).query(rows[:20], k=9)
    np.testing.assert_array_equal(indices, np.argsort(squares, axis=1, kind="stable")[:, :9])


@pytest.mark.parametrize("tree", [KDTree, BallTree])
def test_bad_tables(tree):
    with pytest.raises(ValueError, match="NaN: row 1, column 0"):
        tree([[1.0], [np.nan]])
    with pytest.raises(ValueError, match="leaf_size must be at least 1, got 0"):
        tree(X, leaf_size=0)
    with pytest.raises(ValueError, match="have 2 columns, but the points have 3"):
        tree(X).query(Q[:, :2])
    with pytest.raises(ValueError, match="r must be one radius or one for each of the 30 rows"):
        tree(X).query_radius(Q, [1.0, 2.0])
    with pytest.raises(ValueError, match="set return_distance=False"):
        tree(X).query_radius(Q, 1.0, count_only=True, return_distance=True)
