"""KMedoids: the greedy start, swaps until none helps, and the alternating method, against brute force."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist
from sklearn.exceptions import ConvergenceWarning

import aprendiz
from aprendiz import KMedoids
from aprendiz.cluster.medoids import swaps as medoid_swaps
from aprendiz.cluster.medoids.dissimilarities import Dissimilarities
from aprendiz.cluster.medoids.starts import build
from aprendiz.cluster.medoids.swaps import Candidates, Medoids
from aprendiz.persistence.storable import disagreement

RNG = np.random.default_rng(3)
X = np.concatenate([RNG.normal(size=(60, 3)) + centre for centre in ((0, 0, 0), (4, 0, 1), (0, 5, 2))])
D = cdist(X, X)
WEIGHT = RNG.integers(0, 4, len(X)).astype(float)


def cost_of(D, medoids, weight=None):
    near = D[:, list(medoids)].min(axis=1)
    return float(near.sum() if weight is None else near @ weight)


def plain_build(D, weight, k):
    """BUILD as it is written down: all candidates at every step."""
    allowed = np.flatnonzero(weight > 0)
    taken = []
    for _ in range(k):
        costs = [cost_of(D, [*taken, c], weight) if c not in taken else np.inf for c in allowed]
        taken.append(int(allowed[int(np.argmin(costs))]))
    return taken


# ---- the start -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [1, 2, 7, 40])
@pytest.mark.parametrize("weight", [np.ones(len(X)), WEIGHT], ids=["plain", "weighted"])
def test_lazy_build_is_build(k, weight):
    """Old gains as bounds spare evaluations, not exactness."""
    candidates = Candidates(Dissimilarities.of(X))
    assert build(candidates, weight, k).tolist() == plain_build(D, weight, k)


def test_lazy_build_spares_evaluations(monkeypatch):
    """After the first two medoids, far fewer gains are computed than n for each."""
    seen = []
    each = Candidates.each
    monkeypatch.setattr(Candidates, "each", lambda self, *rest: (seen.append(len(rest[1])), each(self, *rest))[1])
    build(Candidates(Dissimilarities.of(X)), np.ones(len(X)), 30)
    assert sum(seen[2:]) < 0.7 * 28 * len(X)


@pytest.mark.parametrize("init", ["random", "k-medoids++"])
def test_random_starts(init):
    """They are different rows that count, the same for the same seed, and others for others."""
    starts = {}
    for seed in range(20):
        state = next(KMedoids(5, init=init, random_state=seed).steps(X, sample_weight=WEIGHT))
        again = next(KMedoids(5, init=init, random_state=seed).steps(X, sample_weight=WEIGHT))
        assert len(set(state.medoids)) == 5
        assert (WEIGHT[state.medoids] > 0).all()
        assert np.array_equal(state.medoids, again.medoids)
        starts[tuple(state.medoids)] = state.objective
    assert len(starts) == 20


# ---- swaps -----------------------------------------------------------------------------------------------------------


@given(st.integers(0, 10**6), st.integers(1, 4))
@settings(max_examples=40, deadline=None)
def test_changes_are_those_of_the_swaps(seed, k):
    """The change of every candidate is the best over all places of the cost after that swap minus the cost before."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(k + 1, 12))
    rows = np.round(rng.normal(size=(n, 2)), 1)
    distances, weight = cdist(rows, rows), rng.integers(0, 3, n).astype(float)
    numbers = rng.choice(n, k, replace=False)
    medoids = Medoids(Candidates(Dissimilarities.of(distances, "precomputed")), weight, numbers)
    assert medoids.cost == pytest.approx(cost_of(distances, numbers, weight))
    places, changes = medoids.changes(np.arange(n))
    for c in range(n):
        after = [cost_of(distances, [*np.delete(numbers, j), c], weight) for j in range(k)]
        assert changes[c] + medoids.cost == pytest.approx(min(after), abs=1e-9)
        assert after[places[c]] == pytest.approx(min(after), abs=1e-9)


@pytest.mark.parametrize("init", ["build", "random", "k-medoids++"])
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
def test_no_swap_helps(init, weight):
    """At the end all k·n swaps are worse or equal, by brute force; the certificate knows the best of them."""
    model = KMedoids(4, init=init, random_state=1).fit(X, sample_weight=weight)
    w = np.ones(len(X)) if weight is None else weight
    best = min(
        cost_of(D, [*np.delete(model.medoid_indices_, j), c], w)
        for j in range(4)
        for c in np.flatnonzero(w)
        if c not in model.medoid_indices_
    )
    assert model.inertia_ == pytest.approx(cost_of(D, model.medoid_indices_, w))
    assert best >= model.inertia_ * (1 - 1e-12)
    assert model.certificate_.holds
    assert model.certificate_.change >= 0
    assert (np.diff(model.certificate_.log) <= 0).all()


def test_close_to_the_optimum_on_tiny_problems():
    """Never below the best of all sets of medoids, and equal to it in most of 60 small problems."""
    hits = 0
    for seed in range(60):
        rows = np.random.default_rng(seed).normal(size=(10, 2))
        distances = cdist(rows, rows)
        best = min(cost_of(distances, chosen) for chosen in combinations(range(10), 3))
        found = KMedoids(3).fit(rows).inertia_
        assert found >= best * (1 - 1e-12)
        hits += found <= best * (1 + 1e-12)
    assert hits >= 48


def test_rows_of_distances_as_they_are_needed(monkeypatch):
    """Without a matrix in memory the same bits come out, for all methods and starts."""
    settings = [{"method": m, "init": i} for m in ("pam", "alternate") for i in ("build", "k-medoids++")]
    usual = [KMedoids(6, random_state=0, **one).fit(X) for one in settings]
    monkeypatch.setattr(medoid_swaps, "SMALL", 0)
    for one, before in zip(settings, usual, strict=True):
        now = KMedoids(6, random_state=0, **one).fit(X)
        assert np.array_equal(now.medoid_indices_, before.medoid_indices_)
        assert now.inertia_ == before.inertia_


def test_precomputed_is_the_same():
    """Distances given and distances computed lead to the same medoids, labels and predictions."""
    given_, computed = KMedoids(4, metric="precomputed").fit(D), KMedoids(4).fit(X)
    assert np.array_equal(given_.medoid_indices_, computed.medoid_indices_)
    assert np.array_equal(given_.labels_, computed.labels_)
    assert given_.cluster_centers_ is None
    new = X[:20] + 0.3
    assert np.array_equal(given_.predict(cdist(new, X)), computed.predict(new))
    np.testing.assert_allclose(given_.transform(cdist(new, X)), computed.transform(new), rtol=1e-12)
    with pytest.raises(ValueError, match="A distance is negative: d\\(row 0, row 0\\) = -1"):
        given_.predict(np.full((1, len(X)), -1.0))


# ---- the alternating method ------------------------------------------------------------------------------------------


def plain_alternate(D, medoids):
    """Assign, then the best row of each cluster, until nothing changes."""
    while True:
        labels = D[:, medoids].argmin(axis=1)
        found = []
        for j, old in enumerate(medoids):
            members = np.flatnonzero(labels == j)
            costs = D[np.ix_(members, members)].sum(axis=0)
            best = int(members[np.argmin(costs)])
            found.append(old if costs[members == old][0] <= costs.min() else best)
        if found == medoids:
            return found
        medoids = found


@pytest.mark.parametrize("seed", range(5))
def test_alternate_is_the_voronoi_iteration(seed):
    """The same medoids as a plain version from the same start, and a cost that swaps may still lower."""
    start = np.random.default_rng(seed).choice(len(X), 5, replace=False)
    model = KMedoids(5, method="alternate", init=start).fit(X)
    assert model.medoid_indices_.tolist() == plain_alternate(D, start.tolist())
    assert model.certificate_.holds
    assert (np.diff(model.certificate_.log) <= 1e-12).all()
    assert KMedoids(5, init=model.medoid_indices_).fit(X).inertia_ <= model.inertia_


# ---- what it says ----------------------------------------------------------------------------------------------------


def test_labels_predictions_transform_and_score_agree():
    """All of them follow from the distances to the medoids."""
    model = KMedoids(4).fit(X)
    T = model.transform(X)
    np.testing.assert_allclose(T, D[:, model.medoid_indices_], rtol=1e-13)
    assert np.array_equal(model.labels_, T.argmin(axis=1))
    assert np.array_equal(model.predict(X), model.labels_)
    assert model.score(X) == pytest.approx(-model.inertia_)
    assert np.array_equal(model.cluster_centers_, X[model.medoid_indices_])
    assert np.array_equal(model.labels_[model.medoid_indices_], np.arange(4))


@pytest.mark.parametrize(
    "metric", ["manhattan", "cosine", "seuclidean", "mahalanobis", lambda a, b: float(np.abs(a - b).max())]
)
def test_other_metrics(metric):
    """New rows are measured with what the metric took from the rows of the fit."""
    model = KMedoids(3, metric=metric).fit(X)
    assert np.array_equal(model.predict(X), model.labels_)
    few = X[:7]
    np.testing.assert_allclose(model.transform(few), model.transform(X)[:7], rtol=1e-13)
    assert model.certificate_.holds


def test_words_and_missing_cells():
    """Gower's distance takes a frame with words; two kinds of flowers are told apart, and the model comes back from a file."""
    frame = pd.DataFrame({"colour": ["red", "red", None, "blue", "blue", "blue"], "size": [1.0, 1.2, 1.1, 5.0, np.nan, 5.2]})
    model = KMedoids(2, metric="gower").fit(frame)
    assert len(set(model.labels_[:3])) == len(set(model.labels_[3:])) == 1
    assert model.labels_[0] != model.labels_[5]
    assert np.array_equal(model.predict(frame), model.labels_)
    assert model.cluster_centers_ is None


def test_models_come_back_from_files(tmp_path):
    """With the parameters that the metric took from the rows."""
    for metric in ("euclidean", "seuclidean", "mahalanobis"):
        model = KMedoids(3, metric=metric).fit(X)
        aprendiz.save(model, tmp_path / "m.apz")
        loaded = aprendiz.load(tmp_path / "m.apz")
        assert np.array_equal(loaded.transform(X[:9]), model.transform(X[:9]))


def test_models_of_words_come_back_from_files(tmp_path):
    """Levels and ranges are those of the fit."""
    frame = pd.DataFrame({"colour": ["red", "red", None, "blue", "blue"], "size": [1.0, 1.2, 1.1, 5.0, np.nan]})
    model = KMedoids(2, metric="gower").fit(frame)
    aprendiz.save(model, tmp_path / "m.apz")
    new = pd.DataFrame({"colour": ["blue", "red"], "size": [1.3, 9.0]})
    assert np.array_equal(aprendiz.load(tmp_path / "m.apz").predict(new), model.predict(new))


@pytest.mark.parametrize("metric", ["euclidean", "gower"])
def test_files_that_do_not_go_together(metric):
    """Centres with another number of columns are not loaded: compiled code would read beyond them."""
    model = KMedoids(3, metric=metric).fit(X)
    assert disagreement("aprendiz.KMedoids", vars(model)) == ""
    wider = {**vars(model), "cluster_centers_": np.hstack([model.cluster_centers_] * 2)}
    assert "do not go together" in disagreement("aprendiz.KMedoids", wider)
    if metric == "gower":
        assert "do not go together" in disagreement("aprendiz.KMedoids", {**vars(model), "_rod": {"ranges": np.ones(1)}})


# ---- odd input -------------------------------------------------------------------------------------------------------


def test_as_many_clusters_as_rows():
    """Every row is its own medoid, at no cost; one more is refused."""
    model = KMedoids(6).fit(X[:6])
    assert model.inertia_ == 0
    assert sorted(model.medoid_indices_) == list(range(6))
    with pytest.raises(ValueError, match="n_samples=6 should be >= n_clusters=7"):
        KMedoids(7).fit(X[:6])
    with pytest.raises(ValueError, match="n_samples=5 should be >= n_clusters=6"):
        KMedoids(6).fit(X[:6], sample_weight=[1, 1, 0, 1, 1, 1])


@pytest.mark.parametrize("init", ["build", "random", "k-medoids++"])
@pytest.mark.parametrize("method", ["pam", "alternate"])
def test_fewer_distinct_rows_than_clusters(init, method):
    """The cost is 0, and it is said that clusters are empty."""
    rows = np.repeat([[0.0, 1.0], [2.0, 3.0]], 5, axis=0)
    with pytest.warns(ConvergenceWarning, match="Only 2 of 3 clusters have rows"):
        model = KMedoids(3, init=init, method=method, random_state=0).fit(rows)
    assert model.inertia_ == 0


def test_bad_starts():
    """Rows that are not there, named twice or without weight are refused by their number."""
    with pytest.raises(ValueError, match="names row 180, but the rows are numbered from 0 to 179"):
        KMedoids(2, init=[0, 180]).fit(X)
    with pytest.raises(ValueError, match="names row 5 more than once"):
        KMedoids(2, init=[5, 5]).fit(X)
    with pytest.raises(ValueError, match="names row 1, whose weight is 0"):
        KMedoids(2, init=[0, 1]).fit(X[:3], sample_weight=[1.0, 0.0, 1.0])
    with pytest.raises(ValueError, match="must be 2 row numbers"):
        KMedoids(2, init=[0.5, 1.0]).fit(X)


def test_stopped_early():
    """One pass may be too few: the certificate then says what the best swap would bring."""
    with pytest.warns(ConvergenceWarning, match="Raise max_iter"):
        model = KMedoids(8, init="random", random_state=2, max_iter=1).fit(X)
    assert model.certificate_.holds == (model.certificate_.change >= 0)
