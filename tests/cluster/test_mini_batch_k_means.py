"""MiniBatchKMeans: running means of the rows met, batches that cover an epoch, starts from a sample, certificates."""

from itertools import pairwise

import dask.array as da
import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.cluster import MiniBatchKMeans as Theirs
from sklearn.datasets import make_blobs
from sklearn.exceptions import ConvergenceWarning

import aprendiz
from aprendiz import KMeans, MiniBatchKMeans
from aprendiz.cluster.centroids.random_batches import batches, far_rows, some_rows
from aprendiz.core.sources.arrays import ArrayRows

X = make_blobs(3000, 3, centers=6, random_state=5)[0]
RNG = np.random.default_rng(0)


def cost(X, centers, weight=None):
    squares = ((X[:, None, :] - centers) ** 2).sum(axis=2).min(axis=1)
    return float(np.average(squares, weights=weight) * (len(X) if weight is None else np.sum(weight)))


# ---- one batch ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("weighted", [False, True], ids=["", "weighted"])
def test_partial_fit_is_scikit_learns(weighted):
    """From the same centres, batch after batch of partial_fit gives scikit-learn's centres, counts aside."""
    start, weight = X[:6].copy(), RNG.uniform(0.5, 2.0, len(X)) if weighted else None
    ours, theirs = (cls(6, init=start, n_init=1, reassignment_ratio=0.0, random_state=0) for cls in (MiniBatchKMeans, Theirs))
    for first in range(0, 3000, 400):
        here = slice(first, first + 400)
        some = None if weight is None else weight[here]
        ours.partial_fit(X[here], sample_weight=some)
        theirs.partial_fit(X[here], sample_weight=some)
        np.testing.assert_allclose(ours.cluster_centers_, theirs.cluster_centers_, rtol=1e-10)
        np.testing.assert_array_equal(ours.labels_, theirs.labels_)
        assert ours.inertia_ == pytest.approx(theirs.inertia_, rel=1e-10)
        assert ours.n_steps_ == theirs.n_steps_
    np.testing.assert_allclose(ours.counts_, theirs._counts, rtol=1e-12)


def test_centres_are_means_of_what_they_met():
    """With one cluster the centre is the weighted mean of all rows met, whatever the start: (2) and (3)."""
    weight = RNG.uniform(0, 2, len(X))
    model = MiniBatchKMeans(1, init=[[50.0, 50.0, 50.0]], random_state=0, max_iter=2, max_no_improvement=None, batch_size=100)
    model.fit(X, sample_weight=weight)
    np.testing.assert_allclose(model.cluster_centers_[0], np.average(X, axis=0, weights=weight), rtol=1e-10)
    assert model.counts_[0] == pytest.approx(2 * weight.sum())
    assert (model.n_iter_, model.n_steps_, model.n_samples_seen_) == (2, 60, 6000)


def test_fit_then_partial_fit():
    """partial_fit after fit goes on from the centres, counts and steps of the fit."""
    model = MiniBatchKMeans(6, random_state=0, reassignment_ratio=0.0).fit(X)
    centers, counts, steps = model.cluster_centers_.copy(), model.counts_.copy(), model.n_steps_
    model.partial_fit(X[:1])
    j = int(((centers - X[0]) ** 2).sum(axis=1).argmin())
    expected = centers.copy()
    expected[j] += (X[0] - centers[j]) / (counts[j] + 1)
    np.testing.assert_allclose(model.cluster_centers_, expected, rtol=1e-12)
    assert model.n_steps_ == steps + 1


# ---- batches -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1, 7, 100, 999, 1000, 1024])
def test_an_epoch_visits_every_row_once(size):
    """In batches of nearly equal size, none larger than asked, in another order in each epoch."""
    rows = ArrayRows(np.arange(1000.0)[:, None])
    orders = []
    for epoch in range(2):
        found = [(last, batch().X[:, 0]) for _, last, batch in batches(rows, size, 3, epoch)]
        sizes = [len(batch) for _, batch in found]
        assert max(sizes) <= size
        assert max(sizes) - min(sizes) <= 1
        assert [last for last, _ in found] == [False] * (len(found) - 1) + [True]
        orders.append(np.concatenate([batch for _, batch in found]))
        np.testing.assert_array_equal(np.sort(orders[-1]), np.arange(1000))
    assert (orders[0] != orders[1]).mean() > 0.9


def test_batches_of_files(tmp_path):
    """Rows of a file are in batches of their block; a batch may be larger than a block is."""
    table = pd.DataFrame({"a": np.arange(20_000.0), "b": 1.0})
    table.to_csv(tmp_path / "t.csv", index=False)
    rows = aprendiz.rows(tmp_path / "t.csv")
    for size in (1024, 10_000):
        found = [batch().X[:, 0] for _, _, batch in batches(rows, size, 0, 0)]
        np.testing.assert_array_equal(np.sort(np.concatenate(found)), np.arange(20_000))
        assert max(map(len, found)) <= size
        assert np.ptp(found[0]) < max(8192, size)


def test_from_files_as_good(tmp_path):
    """From a file the fit takes another way and arrives as near to the best cost as from memory."""
    path = tmp_path / "t.parquet"
    pd.DataFrame(X, columns=["a", "b", "c"]).to_parquet(path)
    best = KMeans(6, n_init=10, random_state=0).fit(X).inertia_
    model = MiniBatchKMeans(6, batch_size=256, random_state=1).fit(aprendiz.rows(path))
    assert model.inertia_ == pytest.approx(cost(X, model.cluster_centers_), rel=1e-10)
    assert model.inertia_ < 1.05 * best


def test_from_dask_as_from_files(tmp_path):
    """A Dask array takes the same batches as a file of the same rows, whatever its chunks: the same bits."""
    path = tmp_path / "t.parquet"
    pd.DataFrame(X, columns=["a", "b", "c"]).to_parquet(path)
    file = MiniBatchKMeans(6, batch_size=256, random_state=1).fit(aprendiz.rows(path))
    for chunk in (700, 3000):
        dask = MiniBatchKMeans(6, batch_size=256, random_state=1).fit(da.from_array(X, chunks=(chunk, 3)))
        np.testing.assert_array_equal(dask.cluster_centers_, file.cluster_centers_)
        np.testing.assert_array_equal(dask.labels_, file.labels_)


def test_batches_without_weight():
    """Batches whose rows all have weight zero count neither in the centres nor in the running mean."""
    weight = np.zeros(len(X))
    weight[::300] = 1.0
    settings = {"init": X[:2], "batch_size": 5, "random_state": 0, "max_iter": 1, "reassignment_ratio": 0.0}
    states = list(MiniBatchKMeans(2, **settings, max_no_improvement=None).steps(X, None, weight))
    assert states[-1].settled
    assert states[-1].counts.sum() == 10
    met = [(before, after) for before, after in pairwise(states) if after.counts.sum() == before.counts.sum()]
    assert len(met) > 500
    assert all(before.objective == after.objective and before.idle == after.idle for before, after in met)


# ---- the fit -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_as_good_as_scikit_learns(seed):
    """On separate clouds both come near the cost of k-means with ten starts."""
    best = KMeans(6, n_init=10, random_state=0).fit(X).inertia_
    ours = MiniBatchKMeans(6, n_init=5, batch_size=256, random_state=seed).fit(X)
    assert best * (1 - 1e-9) <= ours.inertia_ <= 1.05 * best
    assert ours.certificate_.holds
    assert ours.certificate_.objective == ours.inertia_ == pytest.approx(cost(X, ours.cluster_centers_), rel=1e-10)


def test_running_mean():
    """(4): the objective of each state from the costs of the batches, and the end after ten batches without a new minimum."""
    model = MiniBatchKMeans(6, batch_size=200, random_state=0)
    states = list(model.steps(X))
    rows, running, costs = ArrayRows(X), None, []
    for state, (_, _, batch) in zip(states, [b for e in range(20) for b in batches(rows, 200, 0, e)], strict=False):
        table = batch().X
        costs.append(cost(table, state.centers) / len(table))
    assert states[1].objective == states[1].first == pytest.approx(costs[0])
    running, lowest, idle = costs[1], costs[1], 0
    assert states[2].objective == pytest.approx(running)
    for state, met in zip(states[3:], costs[2:], strict=False):
        alpha = 400 / 3001
        running = (1 - alpha) * running + alpha * met
        idle = 0 if running < lowest * (1 - alpha * 1e-3) else idle + 1
        lowest = min(lowest, running)
        assert state.objective == pytest.approx(running)
        assert state.idle == idle
    assert idle == 10


def test_without_labels():
    """Without labels no pass over all rows is made at the end: the cost is that of the batches."""
    model = MiniBatchKMeans(6, compute_labels=False, batch_size=256, random_state=0).fit(X)
    assert not hasattr(model, "labels_")
    assert model.inertia_ == pytest.approx(cost(X, model.cluster_centers_), rel=0.1)
    assert model.certificate_.holds
    assert model.certificate_.objective <= model.certificate_.before
    np.testing.assert_array_equal(model.fit_predict(X), model.predict(X))


def test_certificate_that_does_not_hold():
    """A start that is better than any batch can be: the certificate says that the cost has risen."""
    cloud = np.random.default_rng(0).normal(size=(1000, 2))
    best = KMeans(6, n_init=10, random_state=0, tol=0).fit(cloud).cluster_centers_
    with pytest.warns(ConvergenceWarning, match="max_iter reached"):
        model = MiniBatchKMeans(6, init=best, batch_size=30, max_iter=1, max_no_improvement=1000, random_state=0).fit(cloud)
    assert model.certificate_.objective > model.certificate_.before
    assert not model.certificate_.holds


def test_tol():
    """With `tol` the fit ends when a batch has hardly moved the centres; a smaller one lets it go on."""
    steps = [
        MiniBatchKMeans(6, tol=tol, max_no_improvement=None, batch_size=100, random_state=0).fit(X).n_steps_
        for tol in (1e-2, 1e-4, 1e-6)
    ]
    assert steps == sorted(steps)
    assert steps[0] < steps[2]


def test_all_epochs():
    """Without any rule to stop, max_iter epochs are what was asked for: no warning."""
    model = MiniBatchKMeans(6, max_no_improvement=None, max_iter=3, batch_size=500, random_state=0).fit(X)
    assert (model.n_iter_, model.n_steps_, model.stopped_) == (3, 18, "converged")


# ---- the start, and poor centres ---------------------------------------------------------------------------------------


def test_sample_leaves_out_rows_without_weight():
    """The sample takes rows of weight zero only when there are no others."""
    weight = np.zeros(len(X))
    weight[100:130] = 1.0
    rows = ArrayRows(X, None, weight)
    np.testing.assert_array_equal(some_rows(rows, 30, 0, 0).X, X[100:130])
    assert len(some_rows(rows, 40, 0, 0).X) == 40


def test_best_of_several_starts():
    """Of several starts the first state is the one with the lowest cost on the sample."""
    model = MiniBatchKMeans(6, init="random", n_init=8, init_size=3000, random_state=1)
    table = some_rows(ArrayRows(X), 3000, 1, 0)
    costs = [cost(X, model.draw_centres(table, 1, start)) for start in range(8)]
    assert cost(X, next(model.steps(X)).centers) == pytest.approx(min(costs))
    assert max(costs) > min(costs)


def test_far_rows():
    """Poor centres move to rows in proportion to w·D²: never to a row that is a centre, mostly to those far away."""
    table = np.array([[0.0], [1.0], [10.0]])
    drawn = [far_rows(ArrayRows(table), np.zeros((1, 1)), 1, seed, 5)[0, 0] for seed in range(2000)]
    assert 0.0 not in drawn
    # shares 1/101 and 100/101; three standard deviations of 2000 draws
    assert np.mean(np.array(drawn) == 1.0) == pytest.approx(1 / 101, abs=3 * np.sqrt(1 / 101 / 2000))
    assert len(far_rows(ArrayRows(table), table, 2, 0, 5)) == 0


def test_poor_centres_move():
    """A centre far from all rows is poor at once, moves to a row, and the fit ends with the cost of a good one."""
    start = np.concatenate([KMeans(6, n_init=10, random_state=0).fit(X).cluster_centers_[:5], [[1e3, 1e3, 1e3]]])
    moved = MiniBatchKMeans(6, init=start, random_state=0, batch_size=256).fit(X)
    with pytest.warns(ConvergenceWarning, match="Only 5 of 6 clusters"):
        stays = MiniBatchKMeans(6, init=start, random_state=0, batch_size=256, reassignment_ratio=0.0).fit(X)
    np.testing.assert_array_equal(stays.cluster_centers_[5], start[5])
    assert (moved.counts_ > 0).all()
    assert moved.inertia_ < 0.6 * stays.inertia_


def test_sparse_is_dense():
    """A sparse table gives the bits of the dense one, start and all."""
    table = sparse.random(1500, 20, 0.2, random_state=0).toarray()
    dense = MiniBatchKMeans(5, batch_size=256, random_state=0).fit(table)
    thin = MiniBatchKMeans(5, batch_size=256, random_state=0).fit(sparse.csr_array(table))
    np.testing.assert_allclose(thin.cluster_centers_, dense.cluster_centers_, rtol=1e-12)
    np.testing.assert_array_equal(thin.labels_, dense.labels_)


# ---- what is refused ---------------------------------------------------------------------------------------------------


def test_refusals():
    """More clusters than rows, a sample smaller than k, weights that are all zero, by name."""
    with pytest.raises(ValueError, match="n_samples=5 should be >= n_clusters=8"):
        MiniBatchKMeans().fit(X[:5])
    with pytest.raises(ValueError, match="n_samples=5 should be >= n_clusters=8"):
        MiniBatchKMeans().partial_fit(X[:5])
    with pytest.warns(RuntimeWarning, match="init_size=4 should be larger than n_clusters=8.*3\\*n_clusters=24"):
        MiniBatchKMeans(init_size=4, random_state=0).fit(X)
    with pytest.raises(ValueError, match="weights are zero"):
        MiniBatchKMeans().fit(X, sample_weight=np.zeros(len(X)))
    model = MiniBatchKMeans(random_state=0).partial_fit(X)
    with pytest.raises(ValueError, match="weights are zero"):
        model.partial_fit(X[:5], sample_weight=np.zeros(5))
    with pytest.raises(ValueError, match="features"):
        model.partial_fit(X[:5, :2])


def test_few_distinct_rows():
    """Fewer distinct rows than clusters: cost 0, and a warning that says so."""
    with pytest.warns(ConvergenceWarning, match="distinct"):
        model = MiniBatchKMeans(3, random_state=0).fit(np.repeat([[0.0, 0.0], [1.0, 1.0]], 50, axis=0))
    assert model.inertia_ == 0.0
