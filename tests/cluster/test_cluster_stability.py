"""cluster_stability: Hennig's similarities and the Rand index by their definitions; clouds are stable, cuts are not."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn.cluster import AgglomerativeClustering
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score

import aprendiz
from aprendiz import KMeans, cluster_stability
from aprendiz.cluster.cluster_stability import agreement, relabel, similarities

X = make_blobs(90, centers=3, random_state=3)[0]
CLOUD = np.random.default_rng(0).normal(size=(200, 2))


def jaccard(a, b):
    return len(a & b) / len(a | b)


def test_similarities_by_definition():
    """(1) as sets: the most similar cluster on the rows that the resample knows; NaN where it knows none."""
    rng = np.random.default_rng(2)
    labels, other = rng.integers(0, 4, 40), rng.integers(-1, 3, 40)
    other[labels == 3] = -1
    known = set(np.flatnonzero(other >= 0))
    found = similarities(labels, np.arange(4), other)
    for cluster in range(3):
        mine = set(np.flatnonzero(labels == cluster)) & known
        assert found[cluster] == pytest.approx(max(jaccard(mine, set(np.flatnonzero(other == k))) for k in range(3)))
    assert np.isnan(found[3])


def test_agreement():
    """The mean over pairs on the rows that both know; equal partitions agree whatever their labels."""
    one, other, third = np.array([0, 0, 1, 1, -1, 2]), np.array([5, 5, 3, 3, 3, 1]), np.array([0, 1, 0, 1, 0, 1])
    assert agreement([one, other]) == 1.0
    pairs = [1.0, *(adjusted_rand_score(a[one >= 0], third[one >= 0]) for a in (one,)), adjusted_rand_score(other, third)]
    assert agreement([one, other, third]) == pytest.approx(np.mean(pairs))
    assert np.isnan(agreement([one]))


def test_clouds_come_back():
    """Separate clouds are stable; a single cloud cut into six is not."""
    stable = cluster_stability(KMeans(3, n_init=5), X, random_state=0)
    assert stable.stable.all()
    assert (stable.stability > 0.95).all()
    assert stable.agreement > 0.95
    assert (stable.dissolved == 0).all()
    cut = cluster_stability(KMeans(6), CLOUD, random_state=0)
    assert cut.stability.max() < stable.stability.min()
    assert cut.agreement < 0.75
    assert cut.dissolved.sum() > 0


def test_record():
    """Sizes and labels are those of the clustering of all rows; one similarity for each resample and cluster."""
    found = cluster_stability(KMeans(3), X, n_resamples=7, random_state=1)
    assert found.similarity.shape == (7, 3)
    np.testing.assert_array_equal(found.sizes, np.bincount(found.labels))
    np.testing.assert_array_equal(found.clusters, [0, 1, 2])
    np.testing.assert_allclose(found.stability, found.similarity.mean(axis=0))
    assert ((found.similarity > 0) & (found.similarity <= 1)).all()
    lines = str(found).splitlines()
    assert lines[0].split() == ["cluster", "rows", "stability", "dissolved"]
    assert lines[1].split()[:2] == ["0", str(found.sizes[0])]
    assert lines[-1].startswith("agreement of two resamples")


@pytest.mark.parametrize("model", [AgglomerativeClustering(3), aprendiz.KMedoids(3), aprendiz.GaussianMixture(3)], ids=str)
def test_models(model):
    """Learners without predict speak of the rows drawn, the others of all; none is fitted by the call."""
    assert cluster_stability(model, X, n_resamples=5, random_state=0).stable.all()
    assert not hasattr(model, "labels_")
    known = relabel(model, X, False, 0, 1)
    assert (known >= 0).all() == hasattr(model, "predict")
    assert (known >= 0).mean() > 0.5  # 1 − 1/e of the rows are drawn


def test_distances():
    """Given distances give the resamples of the rows they belong to."""
    given = cluster_stability(aprendiz.KMedoids(3, metric="precomputed"), cdist(X, X), n_resamples=4, random_state=0)
    rows = cluster_stability(aprendiz.KMedoids(3), X, n_resamples=4, random_state=0)
    np.testing.assert_allclose(given.similarity, rows.similarity)
    assert given.agreement == pytest.approx(rows.agreement)


def test_seed():
    """The same seed, the same resamples; files are read into memory."""
    one, other = (cluster_stability(KMeans(6), CLOUD, n_resamples=3, random_state=s) for s in (5, 5))
    np.testing.assert_array_equal(one.similarity, other.similarity)
    assert (one.similarity != cluster_stability(KMeans(6), CLOUD, n_resamples=3, random_state=6).similarity).any()


def test_refusals():
    """What is no clusterer, and a number of resamples that is none."""
    with pytest.raises(ValueError, match="model must be a clusterer"):
        cluster_stability("KMeans", X)
    with pytest.raises(ValueError, match="n_resamples"):
        cluster_stability(KMeans(3), X, n_resamples=0)
