"""The screen of brute force: its error stays below the bound, so it never dismisses a neighbour."""

import numpy as np
import pytest

from aprendiz.neighbors.search.brute_search import DirectSearch, ScreenedSearch
from aprendiz.neighbors.search.metrics import metric_of

RNG = np.random.default_rng(11)


@pytest.mark.parametrize("offset", [0.0, 1e8])
@pytest.mark.parametrize("scale", [1e-20, 1.0, 1e20])
def test_products_are_within_their_bound(offset, scale):
    """(1) minus the sums of squares, against (2), for all pairs."""
    X = (RNG.standard_cauchy(size=(700, 6)) + offset) * scale
    index = ScreenedSearch(X, metric_of(X, "euclidean"))
    Q = X[:50] + scale * RNG.normal(size=(50, 6))
    queries, probes, reach = index.probes(Q)
    for start, slack, bits in index.tiles(probes, reach):
        part = X[start : start + bits.shape[1]].astype(np.longdouble)
        truth = (((part[None] - queries[:, None]) * index.unit) ** 2).sum(axis=2)
        assert (np.abs(bits.view(np.float32) - truth) <= slack[:, None]).all()


def test_the_screen_dismisses_most_pairs():
    """On ordinary rows few points need their distance computed twice: the bound is not so wide as to be useless."""
    X = RNG.normal(size=(3000, 10))
    index = ScreenedSearch(X, metric_of(X, "euclidean"))
    _, probes, reach = index.probes(X[:100])
    slack = next(iter(index.tiles(probes, reach)))[1]
    kth = index.nearest(X[:100], 5)[0][:, -1] * index.unit
    assert (slack < 1e-3 * kth**2).all()


@pytest.mark.parametrize("k", [1, 7, 600])
def test_screened_as_direct(k):
    """A cluster so tight that the screen cannot tell its points apart, among others: the same bits."""
    X = np.vstack([RNG.normal(size=(700, 5)), 1 + 1e-9 * RNG.normal(size=(300, 5))])
    Q = np.vstack([X[::50], X[-5:] + 1e-10])
    metric = metric_of(X, "euclidean")
    for found, wanted in zip(ScreenedSearch(X, metric).nearest(Q, k), DirectSearch(X, metric).nearest(Q, k), strict=True):
        np.testing.assert_array_equal(found, wanted)
