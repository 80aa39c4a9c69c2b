"""The compiled kernels of embeddings agree with their plain twins, and so does a whole scaling."""

import numpy as np
import pytest
from entries import entry
from scipy.spatial.distance import cdist

from aprendiz import MDS
from aprendiz.decomposition.geodesics import evidence, new_rows, shortest_paths
from aprendiz.decomposition.geodesics.neighbor_graph import both_ways
from aprendiz.decomposition.majorization import disparities, guttman

SIZES = [(1, 1), (2, 3), (30, 1), (33, 2), (300, 3)]  # points and dimensions; 300 are more than a tile


def points_and_target(n, k):
    rng = np.random.default_rng(n)
    D = np.triu(rng.uniform(size=(n, n)), 1)
    points = rng.normal(size=(n, k))
    points[-1] = points[0]  # at one place
    return points, D + D.T


@pytest.mark.parametrize(("n", "k"), SIZES)
def test_sweep(n, k):
    """The Guttman transform of some rows, and the sums over their pairs."""
    points, D = points_and_target(n, k)
    first, last = n // 3, n
    image, totals = np.full((n, k), np.nan), np.empty(2)
    guttman.sweep(np.ascontiguousarray(points.T), D, first, last, image, totals)
    d = cdist(points, points)
    ratio = np.divide(D, d, out=np.zeros_like(D), where=d > 0)
    expected = (ratio[:, :, None] * (points[:, None] - points)).sum(axis=1) / n
    np.testing.assert_allclose(image[first:], expected[first:], atol=1e-12)
    assert np.isnan(image[:first]).all()
    np.testing.assert_allclose(totals, [((d - D)[first:] ** 2).sum(), (d[first:] ** 2).sum()], rtol=1e-12)


def test_measure():
    points, _ = points_and_target(30, 2)
    i, j = np.triu_indices(30, 1)
    out = np.empty(len(i))
    disparities.measure(points, i, j, out)
    np.testing.assert_allclose(out, cdist(points, points)[i, j], rtol=1e-14)


def plain_scaling(D, X, passes):
    """SMACOF as it is written in the books."""
    log = []
    for _ in range(passes):
        d = cdist(X, X)
        B = -np.divide(D, d, out=np.zeros_like(D), where=d > 0)
        B -= np.diag(B.sum(axis=1))
        X = B @ X / len(D)
        log.append(((cdist(X, X) - D) ** 2).sum() / 2)
    return X, log


def test_scaling():
    """Pass by pass."""
    points, D = points_and_target(25, 2)
    *_, last = MDS(metric="precomputed", max_iter=12, eps=0.0).steps(D, init=points)
    X, log = plain_scaling(D, points, 12)
    np.testing.assert_allclose(last.points, X, atol=1e-11)
    np.testing.assert_allclose(last.log, log, rtol=1e-11)


# ---- paths -----------------------------------------------------------------------------------------------------------


def random_graph(seed, n=25):
    rng = np.random.default_rng(seed)
    rows, columns = rng.integers(0, n, (2, 3 * n))
    apart = rows != columns
    return both_ways(n, rows[apart], columns[apart], rng.integers(0, 5, apart.sum()).astype(float))


def parts_of(graph):
    return graph.indptr.astype(np.int64), graph.indices.astype(np.int64), graph.data


def all_paths(graph):
    """Floyd and Warshall."""
    n = graph.shape[0]
    d = np.full((n, n), np.inf)
    d[graph.tocoo().coords] = graph.data
    d[range(n), range(n)] = 0.0
    for over in range(n):
        d = np.minimum(d, d[:, over, None] + d[over])
    return d


@pytest.mark.parametrize("width", [0.3, 1.0, 7.0])
@pytest.mark.parametrize("seed", range(4))
def test_from_sources(seed, width):
    """However wide the buckets are."""
    graph = random_graph(seed)
    (starts, neighbours, lengths), out = parts_of(graph), np.empty((10, 25))
    shortest_paths.from_sources(starts, neighbours.astype(np.int32), lengths, width, 16, 8, 18, out)
    assert np.array_equal(out, all_paths(graph)[8:18])


@pytest.mark.parametrize("lengths", [[], [0.0], [3e-320, 1e-310], [1e300, 1.7e308], [1e-9, 1.0, 1.0], [1.0, 1e6]])
def test_bucket_width(lengths):
    """No edge is longer than all buckets together, and there are not too many of them."""
    width, buckets = shortest_paths.bucket_width(np.array(lengths))
    assert 0 < width < np.inf
    assert buckets == 2 ** (buckets.bit_length() - 1) <= 2048
    assert max(lengths, default=0.0) / width + 2 < buckets


@pytest.mark.parametrize("seed", range(4))
def test_worst(seed):
    """What the two conditions are missed by, source by source and edge by edge."""
    graph = random_graph(seed)
    d = all_paths(graph)
    d = np.where(np.isfinite(d), d, 50.0)
    d[5, 7] += 0.25
    edges = graph.tocoo()
    together = np.arange(25)
    expected = 0.0
    for s in (4, 5, 6):
        gap = np.where(together == s, 0.0, np.inf)
        for u, v, w in zip(*edges.coords, edges.data, strict=True):
            expected = max(expected, d[s, v] - d[s, u] - w)
            if d[s, u] < d[s, v]:
                gap[v] = min(gap[v], abs(d[s, u] + w - d[s, v]))
        expected = max(expected, gap.max())
    assert entry(evidence.worst)(*parts_of(graph), together, d[4:7], 4) == expected


def test_shortest():
    """New rows over their neighbours."""
    D = all_paths(random_graph(0))
    starts, indices, lengths = np.array([0, 2, 5]), np.array([3, 8, 1, 3, 20]), np.array([0.5, 2.0, 1.0, 0.25, 0.0])
    out = np.empty((2, 25))
    new_rows.shortest(starts, indices, lengths, D, out)
    assert np.array_equal(out[0], np.minimum(D[3] + 0.5, D[8] + 2.0))
    assert np.array_equal(out[1], np.minimum(np.minimum(D[1] + 1.0, D[3] + 0.25), D[20]))
