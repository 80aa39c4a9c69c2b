"""The parts of a pass of k-means: exact sums, the search in single precision that is proved, and the bounds."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist
from sklearn.datasets import load_digits, make_blobs

from aprendiz import KMeans
from aprendiz.cluster.centroids import row_bounds
from aprendiz.cluster.centroids.centre_search import CentreSearch
from aprendiz.cluster.centroids.exact_sums import RoundingGrid, join, move
from aprendiz.cluster.centroids.lloyd import Lloyd
from aprendiz.core.sources.arrays import ArrayRows
from aprendiz.core.sums import Spread, find_pivot

DIGITS = load_digits().data
BLOBS = make_blobs(3000, 6, centers=12, cluster_std=4.0, random_state=1)[0]
NOISE = np.random.default_rng(7).standard_normal((2500, 80))


def grid_of(X, weight=None):
    rows = ArrayRows(X, weight=weight)
    return RoundingGrid.of(rows.sum(Spread.of, find_pivot(rows)))


def joined(grid, X, weight, labels, clusters):
    record = grid.nothing(clusters)
    join(X, weight, labels, grid.mean, grid.coarse, grid.fine, record.high, record.low)
    return record


# ---- exact sums ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("weighted", [False, True])
def test_sums_do_not_depend_on_the_way(weighted):
    """Any order of the rows, and rows that went elsewhere and came back: the same bits; and the sums are those of fractions."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((4000, 5)) * np.logspace(-6, 6, 5) + 1e7
    weight = rng.uniform(0, 3, 4000) if weighted else np.ones(4000)
    labels, other = rng.integers(0, 4, (2, 4000)).astype(np.int32)
    grid = grid_of(X, weight)
    expected = joined(grid, X, weight, labels, 4)
    order = rng.permutation(4000)
    shuffled = joined(grid, X[order], weight[order], labels[order], 4)
    everybody = np.arange(4000, dtype=np.int32)
    for before, after in ((labels, other), (other, labels)):
        move(X, weight, everybody, before, after, grid.mean, grid.coarse, grid.fine, shuffled.high, shuffled.low)
    np.testing.assert_array_equal(shuffled.high, expected.high)
    np.testing.assert_array_equal(shuffled.low, expected.low)
    for t in range(5):
        terms = (weight * (X[:, t] - grid.mean[t]))[labels == 2]
        exact = float(sum(map(Fraction, terms.tolist())))
        assert expected.shift[2, t] == pytest.approx(exact, rel=1e-14, abs=1e-15 * np.abs(terms).sum())


def test_cost_from_sums():
    """(4) is Σ w ‖x − c‖², and is not used where the clusters are so tight that it would have few digits."""
    rng = np.random.default_rng(3)
    labels = rng.integers(0, 3, 600).astype(np.int32)
    for apart, usable in ((1.0, True), (1e4, False)):
        X = rng.standard_normal((600, 2)) + apart * np.array([[0.0, 0], [3, 0], [0, 3]])[labels]
        grid = grid_of(X)
        sums = joined(grid, X, np.ones(600), labels, 3)
        centers = grid.centers(sums, np.zeros((3, 2))) + 0.1
        cost = grid.cost(sums, centers)
        assert (cost is not None) == usable
        if usable:
            assert cost == pytest.approx(((X - centers[labels]) ** 2).sum(), rel=1e-12)


# ---- the search ------------------------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    d=st.integers(1, 40),
    k=st.integers(1, 60),
    scale=st.sampled_from([1e-140, 1e-30, 1e-3, 1.0, 1e8, 1e40, 1e140]),
    offset=st.sampled_from([0.0, 1.0, 1e6]),
)
def test_search_is_exact(seed, d, k, scale, offset):
    """The label is the nearest centre in double precision, the bound is below the second distance; at any scale and offset."""
    rng = np.random.default_rng(seed)
    X = scale * (rng.standard_normal((90, d)) + offset)
    centers = X[rng.integers(0, 90, k)] + scale * rng.standard_normal((k, d)) * rng.choice([0.0, 1e-7, 1.0])
    X[0] *= 1e3  # a row far away
    labels, squares, lower = np.zeros(90, np.int32), np.empty(90), np.empty(90)
    CentreSearch.of(centers).find(X, np.arange(90, dtype=np.int32), labels, squares, lower)
    exact = np.array([[((x - c) / scale) @ ((x - c) / scale) for c in centers] for x in X])
    found = exact[np.arange(90), labels]
    assert (found <= exact.min(axis=1) * (1 + 1e-12)).all()
    np.testing.assert_allclose(squares / scale**2 if scale**2 > 0 else found, found, rtol=1e-9)
    exact[np.arange(90), labels] = np.inf
    assert (lower / scale <= np.sqrt(exact.min(axis=1)) * (1 + 1e-12)).all()


def test_ties_go_to_the_first():
    """Of centres at the same distance the first is chosen, as scikit-learn does."""
    X = np.array([[0.0, 0.0], [1.0, 1.0]])
    centers = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [-1.0, 0.0]])
    np.testing.assert_array_equal(CentreSearch.of(centers).nearest(X)[0], [0, 0])


# ---- bounds ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("wide", [1, 10**6], ids=["a bound for each centre", "one bound"])
@pytest.mark.parametrize(("X", "k"), [(DIGITS, 40), (BLOBS, 25), (NOISE, 30)], ids=["digits", "blobs", "noise"])
def test_bounds_never_miss(monkeypatch, X, k, wide):
    """After every pass the labels are those of a search of all centres, and the centres the means of their rows."""
    monkeypatch.setattr(row_bounds, "WIDE", wide)
    monkeypatch.setattr(row_bounds, "TABLES", 1000)
    lloyd = Lloyd.start(ArrayRows(np.ascontiguousarray(X)), grid_of(X), X[:k])
    assert lloyd.memory.bounds.shape[1] == (k if wide == 1 else 0)
    centers = X[:k] + 1e-3
    for _ in range(25):
        step = lloyd.step(centers)
        distances = cdist(X, centers)
        own = distances[np.arange(len(X)), step.labels]
        assert (own <= distances.min(axis=1) * (1 + 1e-12)).all()
        assert step.cost == pytest.approx((own**2).sum(), rel=1e-11)
        means = np.array([X[step.labels == j].mean(axis=0) if (step.labels == j).any() else centers[j] for j in range(k)])
        np.testing.assert_allclose(step.centers, means, rtol=1e-11, atol=1e-12)
        centers = step.centers


def test_bounds_spare_searches():
    """In the second half of the passes most rows are settled without a search."""
    searched = []

    class Counting(CentreSearch):
        def find(self, X, rows, *others):
            searched.append(len(rows))
            super().find(X, rows, *others)

    rows = ArrayRows(BLOBS)
    lloyd, centers = Lloyd.start(rows, grid_of(BLOBS), BLOBS[:12]), BLOBS[:12]
    counts = []
    for _ in range(30):
        searched.clear()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("aprendiz.cluster.centroids.lloyd.CentreSearch", Counting)
            centers = lloyd.step(centers).centers
        counts.append(sum(searched))
    assert counts[0] == len(BLOBS)
    assert np.mean(counts[15:]) < 0.3 * len(BLOBS)


# ---- starts and empty clusters ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("init", ["k-means||", "k-means++"])
def test_careful_starts_find_separated_groups(init):
    """With groups far apart, the start has a row of each."""
    X = make_blobs(2000, 3, centers=15, cluster_std=0.05, center_box=(-20, 20), random_state=4)[0]
    for seed in range(5):
        first = next(KMeans(15, init=init, random_state=seed).steps(X))
        assert (cdist(X, first.centers).min(axis=1) < 1.0).all()


def test_scalable_start_with_few_distinct_rows():
    """Fewer distinct rows than candidates asked for, rows without weight: every centre is a row that counts."""
    X = np.repeat(np.arange(5.0), 20)[:, None]
    weight = np.where(X[:, 0] == 4, 0.0, 1.0)
    first = next(KMeans(4, init="k-means||", random_state=0).steps(X, sample_weight=weight))
    np.testing.assert_array_equal(np.sort(first.centers[:, 0]), [0, 1, 2, 3])


def test_box_start():
    """Points of the box: inside it, not rows, others for other seeds."""
    first, second = (next(KMeans(6, init="box", n_init=1, random_state=seed).steps(BLOBS)).centers for seed in (0, 1))
    assert ((first >= BLOBS.min(axis=0)) & (first <= BLOBS.max(axis=0))).all()
    assert cdist(first, BLOBS).min() > 0
    assert not np.array_equal(first, second)


def test_empty_clusters():
    """Two centres far from all rows: by default they move to the two farthest rows; or stay; or are an error."""
    X = np.array([[0.0], [0.1], [0.2], [5.0], [9.0]])
    start = np.array([[0.0], [100.0], [200.0]])
    _, second, *_ = KMeans(3, init=start, n_init=1).steps(X)
    np.testing.assert_allclose(second.centers, [[2.86], [9.0], [5.0]])
    kept = KMeans(3, init=start, n_init=1, empty="keep")
    with pytest.warns(UserWarning, match="Only 1 of 3 clusters have rows"):
        kept.fit(X)
    np.testing.assert_allclose(kept.cluster_centers_, [[2.86], [100.0], [200.0]])
    with pytest.raises(ValueError, match="Cluster 1 lost all its rows in pass 1"):
        KMeans(3, init=start, n_init=1, empty="raise").fit(X)


def test_empty_clusters_pass_over_rows_without_weight():
    """The farthest row that counts is the new place of an empty cluster."""
    X, weight = np.array([[0.0], [0.1], [0.2], [5.0], [9.0]]), np.array([1.0, 1.0, 1.0, 1.0, 0.0])
    _, second, *_ = KMeans(2, init=np.array([[0.0], [100.0]]), n_init=1).steps(X, sample_weight=weight)
    np.testing.assert_allclose(second.centers, [[1.325], [5.0]])


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000), n=st.integers(4, 9), k=st.integers(2, 3))
def test_against_all_partitions(seed, n, k):
    """Of a tiny table: no fit is better than the best of all partitions, and one that starts there stays there."""
    X = np.random.default_rng(seed).standard_normal((n, 2))
    best = min((np.array(labels) for labels in partitions(n, k)), key=lambda labels: partition_cost(X, labels))
    least = partition_cost(X, best)
    assert KMeans(k, n_init=10, random_state=seed).fit(X).inertia_ >= least * (1 - 1e-12)
    means = np.array([X[best == j].mean(axis=0) for j in range(k)])
    stays = KMeans(k, init=means, n_init=1, tol=0).fit(X)
    assert stays.inertia_ == pytest.approx(least, rel=1e-12)
    np.testing.assert_array_equal(stays.labels_, best)


def partitions(n, k):
    """All ways to put n rows into at most k groups, each once."""
    found = [[0]]
    for _ in range(n - 1):
        found = [[*one, j] for one in found for j in range(min(k, max(one) + 2))]
    return found


def partition_cost(X, labels):
    return sum(((X[labels == j] - X[labels == j].mean(axis=0)) ** 2).sum() for j in np.unique(labels))
