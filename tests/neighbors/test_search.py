"""All searches against brute force in extended precision, on rows that are hard: ties, duplicates, offsets, tiny scales."""

import math

import numpy as np
import pytest
from scipy import sparse

from aprendiz.core.columns import Columns
from aprendiz.neighbors.ball_tree import BallTree
from aprendiz.neighbors.kd_tree import KDTree
from aprendiz.neighbors.search.brute_search import DirectSearch, ScreenedSearch
from aprendiz.neighbors.search.metrics import metric_of
from aprendiz.neighbors.search.search import search_of

RNG = np.random.default_rng(7)
NORMAL = RNG.normal(size=(300, 4))
TABLES = {
    "ties": RNG.integers(0, 3, size=(300, 4)).astype(float),
    "duplicates": np.repeat(NORMAL[:30], 10, axis=0),
    "one row, many times": np.ones((120, 3)),
    "offset": np.round(NORMAL, 3) * 2**10 + 2.0**40,
    "tiny": NORMAL * 1e-12,
    "tiny around one place, and one row far away": np.vstack([NORMAL * 1e-7, 1e7 * np.ones((1, 4))]),
    "one column": np.round(RNG.normal(size=(300, 1)), 1),
    "constant columns": np.hstack([NORMAL[:, :2], np.full((300, 2), 3.0)]),
    "single precision": NORMAL.astype(np.float32),
    "by columns": np.asfortranarray(NORMAL),
}
METRICS = ("euclidean", "manhattan", "chebyshev", "minkowski", "hamming", "sqeuclidean")
INDEXES = {"direct": DirectSearch, "screened": ScreenedSearch, "kd_tree": KDTree, "ball_tree": BallTree}


def reference(X, Q, metric):
    """Distances in extended precision: on these rows, ties are exact there too."""
    d = np.abs(X[None].astype(np.longdouble) - Q[:, None].astype(np.longdouble))
    if metric in ("euclidean", "sqeuclidean"):
        return (d**2).sum(axis=2) if metric == "sqeuclidean" else np.sqrt((d**2).sum(axis=2))
    if metric == "minkowski":
        return (d**3).sum(axis=2) ** (np.longdouble(1) / 3)
    return {"manhattan": d.sum(axis=2), "chebyshev": d.max(axis=2), "hamming": (d != 0).mean(axis=2)}[metric]


def index_of(name, X, metric):
    chosen = metric_of(X, metric, 3)
    return INDEXES[name](X, chosen) if name in ("direct", "screened") else INDEXES[name](X, 7, chosen)


def cases():
    for metric in METRICS:
        for name in INDEXES:
            if (name == "screened" and metric not in ("euclidean", "sqeuclidean")) or (name, metric) == ("kd_tree", "hamming"):
                continue
            yield name, metric


@pytest.mark.parametrize(("name", "metric"), list(cases()))
def test_nearest_in_extended_precision(name, metric):
    """Distances to a few units of rounding, ascending; nobody left out is nearer; equal sums go to the lower index."""
    for X in TABLES.values():
        Q = np.vstack([X[::29], X[:7] + (X[7:14] - X[:7]) / 4]).astype(X.dtype)
        truth = reference(X, Q, metric)
        for k in (1, 5, len(X)):
            distances, indices = index_of(name, X, metric).nearest(Q, k)
            assert distances.shape == indices.shape == (len(Q), k)
            assert indices.dtype == np.int64
            exact = np.take_along_axis(truth, indices, axis=1)
            np.testing.assert_allclose(distances, exact.astype(float), rtol=1e-14, atol=0)
            np.testing.assert_allclose(distances, np.sort(truth, axis=1)[:, :k].astype(float), rtol=1e-14, atol=0)
            assert (np.diff(distances, axis=1) >= 0).all()
            assert all(len(set(row)) == k for row in indices)


@pytest.mark.parametrize(("name", "metric"), list(cases()))
def test_all_searches_give_the_same_bits(name, metric):
    """Distances, order and ties of `nearest` (with and without the row itself) and `within` are those of a plain twin."""
    for X in TABLES.values():
        truth = twin(X, X[:20], metric)
        index, rows = index_of(name, X, metric), np.arange(20)
        for k in (1, 4):
            distances, indices = index.nearest(X[:20], k)
            order = np.argsort(truth, axis=1, kind="stable")[:, :k]
            np.testing.assert_array_equal(indices, order)
            measured = index.metric.distances(np.take_along_axis(truth, order, axis=1), X.shape[1])
            np.testing.assert_array_equal(distances, measured)
        others = truth.copy()
        others[rows, rows] = np.inf
        np.testing.assert_array_equal(index.nearest(X[:20], 3, rows)[1], np.argsort(others, axis=1, kind="stable")[:, :3])
        all_distances = index.metric.distances(truth, X.shape[1])
        radius = float(np.quantile(all_distances, 0.1))
        starts, distances, indices = index.within(X[:20], radius)
        for i in rows:
            order = np.argsort(truth[i], kind="stable")
            inside = order[all_distances[i][order] <= radius]
            np.testing.assert_array_equal(indices[starts[i] : starts[i + 1]], inside)
            np.testing.assert_array_equal(distances[starts[i] : starts[i + 1]], all_distances[i][inside])


def twin(X, Q, metric):
    """The sums over the columns in their order, in plain NumPy."""
    total = np.zeros((len(Q), len(X)))
    for t in range(X.shape[1]):
        d = np.abs(X[None, :, t].astype(float) - Q[:, t, None].astype(float))
        if metric == "chebyshev":
            total = np.maximum(total, d)
        else:
            total += (
                np.vectorize(math.pow)(d, 3.0)
                if metric == "minkowski"
                else {"manhattan": d, "hamming": d != 0}.get(metric, d * d)
            )
    return total


@pytest.mark.parametrize("n", [1, 2, 511, 512, 513, 1500])
def test_sizes_around_a_tile(n):
    """Any number of points and k, whole tiles or not."""
    X = RNG.integers(0, 4, size=(n, 5)).astype(float)
    truth = twin(X, X[:9], "euclidean")
    for name in INDEXES:
        for k in {1, min(n, 6), n}:
            np.testing.assert_array_equal(
                index_of(name, X, "euclidean").nearest(X[:9], k)[1], np.argsort(truth, axis=1, kind="stable")[:, :k]
            )


def test_queries_far_beyond_the_points():
    """A query at 10³⁰ is answered as directly computed."""
    X, Q = NORMAL, np.array([[1e30, 0, 0, 0], [0.1, 0.2, 0.3, -1e18]])
    wanted = DirectSearch(X, metric_of(X, "euclidean")).nearest(Q, 3)
    for found in (ScreenedSearch(X, metric_of(X, "euclidean")).nearest(Q, 3), KDTree(X).nearest(Q, 3)):
        np.testing.assert_array_equal(found[0], wanted[0])
        np.testing.assert_array_equal(found[1], wanted[1])


# ---- which search ----------------------------------------------------------------------------------------------------


def test_the_choice_is_told():
    """Few columns: a kd-tree; many, or few rows: brute force; each with its reason."""
    assert search_of(RNG.normal(size=(2000, 3))).reason == "kd_tree: 3 columns, 2 000 rows"
    assert search_of(RNG.normal(size=(2000, 30))).reason == "brute: 30 columns, 2 000 rows"
    assert search_of(NORMAL[:50], algorithm="ball_tree").reason == "ball_tree: as asked for"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"algorithm": "octree"}, "algorithm must be one of auto, brute, kd_tree, ball_tree; got 'octree'"),
        ({"metric": "taxi"}, "got 'taxi'"),
        ({"p": 0.0}, "p must be above 0, got 0"),
        ({"p": 0.5, "algorithm": "kd_tree"}, "p must be greater or equal to one for a kd_tree, got 0.5"),
        ({"p": 0.5, "algorithm": "ball_tree"}, "p must be greater or equal to one for a ball_tree, got 0.5"),
        ({"metric": "hamming", "algorithm": "kd_tree"}, "use a BallTree"),
    ],
)
def test_wrong_questions(arguments, message):
    with pytest.raises(ValueError, match=message):
        search_of(NORMAL, **arguments)


def test_powers_below_one():
    """Σ |δ|^½ by brute force, however many rows there are, against the definition."""
    X = RNG.normal(size=(600, 3))
    index = search_of(X, p=0.5)
    assert index.method == "brute"
    sums = (np.abs(X[:7, None] - X) ** 0.5).sum(axis=2) ** 2
    distances, indices = index.nearest(X[:7], 4)
    np.testing.assert_array_equal(indices, np.argsort(sums, axis=1)[:, :4])
    np.testing.assert_allclose(distances, np.sort(sums, axis=1)[:, :4], rtol=1e-12)
    assert np.diff(index.within(X[:7], 2.0)[0]).tolist() == (sums <= 2.0).sum(axis=1).tolist()


def test_wrong_numbers():
    index = search_of(NORMAL)
    with pytest.raises(ValueError, match="k must be between 1 and 300, the number of points; got 301"):
        index.nearest(NORMAL[:2], 301)
    with pytest.raises(ValueError, match="between 1 and 299, the number of points besides the row itself"):
        index.nearest(NORMAL[:2], 300, np.arange(2))
    with pytest.raises(ValueError, match="have 3 columns, but the points have 4"):
        index.nearest(NORMAL[:2, :3], 1)
    with pytest.raises(ValueError, match="radius must be a number of at least 0"):
        index.within(NORMAL[:2], -1)


# ---- other rows ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_sparse_rows_as_dense_ones(metric):
    """The same neighbours and the same bits, with rows of zeros, duplicates and ties."""
    X = np.round(RNG.normal(size=(120, 15)) * (RNG.uniform(size=(120, 15)) < 0.2), 1)
    X[5], X[17] = 0, X[30]
    thin = sparse.csr_array(X)
    dense, slim = search_of(X, metric=metric, algorithm="brute"), search_of(thin, metric=metric)
    for ours, theirs in zip(slim.nearest(thin[:40], 6), dense.nearest(X[:40], 6), strict=True):
        np.testing.assert_array_equal(ours, theirs)
    for ours, theirs in zip(slim.within(thin[:40], 0.9), dense.within(X[:40], 0.9), strict=True):
        np.testing.assert_array_equal(ours, theirs)
    with pytest.raises(ValueError, match="Sparse rows have no metric 'manhattan'"):
        search_of(thin, metric="manhattan")


def test_gower_by_hand():
    """Numbers by their range, an order by its ranks, words by equality, without the cells that are missing."""
    table = {
        "age": [20.0, 30.0, 40.0, None],
        "size": ["small", "large", "medium", "small"],
        "colour": ["red", "blue", None, None],
    }
    columns = Columns.of(table, levels={"size": ["small", "medium", "large"]})
    index = search_of(columns.encode(table), metric="gower")
    distances, indices = index.nearest(columns.encode(table)[np.array([0])], 4)
    # to row 1: (10/20 + 2/2 + 1)/3; to row 2: (20/20 + 1/2)/2; to row 3: 0/1
    wanted = np.array([0.0, 2.5 / 3, 1.5 / 2, 0.0])
    np.testing.assert_array_equal(indices[0], [0, 3, 2, 1])
    np.testing.assert_allclose(distances[0], wanted[indices[0]], rtol=1e-15)


def test_gower_without_a_common_column():
    """Rows that share no column are at distance 1."""
    X = np.array([[1.0, np.nan], [np.nan, 2.0], [3.0, 2.0]])
    distances, indices = search_of(X, metric="gower").nearest(X[:1], 3)
    assert dict(zip(indices[0], distances[0], strict=True)) == {0: 0.0, 1: 1.0, 2: 1.0}


def test_a_function_as_the_metric():
    """The user's function gives what the metric of that name gives."""
    index = search_of(NORMAL[:60], metric=lambda a, b, power: (np.abs(a - b) ** power).sum(), metric_params={"power": 1})
    wanted = search_of(NORMAL[:60], metric="manhattan").nearest(NORMAL[60:70], 4)
    found = index.nearest(NORMAL[60:70], 4)
    np.testing.assert_array_equal(found[1], wanted[1])
    np.testing.assert_allclose(found[0], wanted[0], rtol=1e-14)
    with pytest.raises(ValueError, match="The metric gives NaN between the query"):
        index.nearest(np.full((1, 4), np.nan), 1)
