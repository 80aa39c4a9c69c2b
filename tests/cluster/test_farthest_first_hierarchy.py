"""FarthestFirstHierarchy: nested clusters for every k, and the factor 8 of its levels, against brute force."""

from itertools import combinations, pairwise

import matplotlib.pyplot as plt
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.cluster.hierarchy import fcluster, is_monotonic, is_valid_linkage
from scipy.spatial.distance import cdist
from sklearn.metrics import adjusted_rand_score

from aprendiz import FarthestFirstHierarchy, KCenters
from aprendiz.cluster.medoids.dissimilarities import Dissimilarities
from aprendiz.cluster.medoids.farthest_first import farthest_first
from aprendiz.persistence.storable import disagreement

X = np.random.default_rng(6).normal(size=(150, 3))
D = cdist(X, X)
BOTH = pytest.mark.parametrize("parent", ["nearest", "levels"])


def components(order, parents, k):
    """Labels after removing the edges of the rows at places 1 … k − 1, by following the others upwards."""
    first = {int(row): place for place, row in enumerate(order[:k])}
    labels = []
    for row in range(len(order)):
        here = row
        while here not in first:
            here = int(parents[here])
        labels.append(first[here])
    return labels


@BOTH
def test_the_clusters_of_every_k(parent):
    """`cut` gives the components of the tree without its first edges; the clusters of k + 1 lie within those of k."""
    model = FarthestFirstHierarchy(parent=parent, first=4).fit(X)
    for k in (1, 2, 3, 10, 149, 150):
        labels = model.cut(k)
        assert labels.tolist() == components(model.order_, model.parents_, k)
        assert len(set(labels)) == k
    for coarse, fine in pairwise(map(model.cut, range(1, 40))):
        assert len(np.unique(np.column_stack([coarse, fine]), axis=0)) == len(set(fine))
    assert np.array_equal(model.labels_, model.cut(2))


@BOTH
def test_the_linkage_is_scipys(parent):
    """A valid, monotonic matrix whose cuts are the same partitions."""
    model = FarthestFirstHierarchy(parent=parent, first=4).fit(X)
    assert is_valid_linkage(model.linkage_)
    assert is_monotonic(model.linkage_)
    assert np.array_equal(model.linkage_[:, 2], model.radii_[::-1])
    for k in (2, 5, 30):
        assert adjusted_rand_score(fcluster(model.linkage_, k, "maxclust"), model.cut(k)) == pytest.approx(1.0)


def test_parents_by_levels():
    """ρ(i) is the nearest of the points of earlier levels, where level l holds R₂/2^l < R_i ≤ R₂/2^(l−1)."""
    found = farthest_first(Dissimilarities.of(X), 4, len(X), levels=True)
    R = np.concatenate([[np.inf], found.radii[:-1]])
    level = np.concatenate([[0], 1 + np.floor(np.log2(R[1] / R[1:]) + 1e-12)])
    for place in range(1, len(X)):
        earlier = np.flatnonzero(level < level[place])
        lengths = D[found.order[place], found.order[earlier]]
        assert found.parents[place] == earlier[lengths.argmin()]
        assert found.lengths[place] == pytest.approx(lengths.min())
        assert found.lengths[place] <= R[1] / 2 ** (level[place] - 1) + 1e-12


def small_problem(seed):
    """A few rows, some of them equal."""
    rng = np.random.default_rng(seed)
    rows = rng.integers(0, 4, (int(rng.integers(3, 9)), 2)) / 2.0 if seed % 2 else rng.lognormal(0, 2, size=(8, 2))
    return rows, cdist(rows, rows)


@given(st.integers(0, 10**6))
@settings(max_examples=50, deadline=None)
def test_the_factor_of_eight(seed):
    """With levels, the radius of every k is at most 8 times the best of all sets of k centres; the certificate's factor is
    not below what is found, for both kinds of parents."""
    rows, distances = small_problem(seed)
    for parent in ("nearest", "levels"):
        model = FarthestFirstHierarchy(1, parent=parent, first=seed % len(rows)).fit(rows)
        assert model.certificate_.holds
        for k in range(1, len(rows)):
            labels = model.cut(k)
            radius = max(distances[labels == j, model.order_[j]].max() for j in range(k))
            best = min(distances[:, list(chosen)].min(axis=1).max() for chosen in combinations(range(len(rows)), k))
            assert parent == "nearest" or radius <= 8 * best + 1e-12
            assert radius <= model.certificate_.factor * model.radii_[k - 1] / 2 + 1e-9


def test_not_the_clusters_of_k_centers():
    """The same centres, another assignment: a row may be nearer to another centre than to its own, and the radius larger."""
    tree, flat = FarthestFirstHierarchy(8, first=4).fit(X), KCenters(8, first=4).fit(X)
    assert np.array_equal(tree.order_[:8], flat.center_indices_)
    own = D[np.arange(len(X)), tree.order_[tree.labels_]]
    assert (tree.labels_ != flat.labels_).any()
    assert own.max() >= flat.radius_


def test_precomputed_repeated_rows_and_refusals():
    """A matrix gives the same tree; rows that repeat join at height 0; k is between 1 and n."""
    given_, computed = (
        FarthestFirstHierarchy(3, first=4, metric="precomputed").fit(D),
        FarthestFirstHierarchy(3, first=4).fit(X),
    )
    assert np.array_equal(given_.order_, computed.order_)
    assert np.array_equal(given_.parents_, computed.parents_)
    twice = FarthestFirstHierarchy(2, parent="levels", first=0).fit(np.repeat([[0.0], [1.0], [5.0]], 2, axis=0))
    assert twice.radii_.tolist() == [5.0, 1.0, 0.0, 0.0, 0.0]
    assert twice.cut(3).tolist() == [0, 0, 2, 2, 1, 1]
    assert FarthestFirstHierarchy(1, first=0).fit([[1.0, 2.0]]).linkage_.shape == (0, 4)
    with pytest.raises(ValueError, match="n_samples=150 should be >= n_clusters=151"):
        computed.cut(151)
    with pytest.raises(ValueError, match="n_clusters must be a whole number of at least 1, got 0"):
        computed.cut(0)


def test_the_dendrogram():
    """The picture is cut where `labels_` are, or at another k, into the same clusters."""
    model = FarthestFirstHierarchy(3, first=4).fit(X)
    for k, wanted in ((None, model.labels_), (5, model.cut(5))):
        display = model.plot_dendrogram(k=k)
        assert adjusted_rand_score(display.labels, wanted) == pytest.approx(1.0)
        plt.close(display.figure_)


def test_files_that_do_not_go_together():
    """A tree whose order is no order, or with a parent that comes later, is not loaded."""
    held = vars(FarthestFirstHierarchy(first=4).fit(X))
    assert disagreement("aprendiz.FarthestFirstHierarchy", held) == ""
    for name, at, value in (("order_", 3, 4), ("parents_", held["order_"][1], held["order_"][2]), ("parents_", 7, 150)):
        wrong = held[name].copy()
        wrong[at] = value
        assert "do not go together" in disagreement("aprendiz.FarthestFirstHierarchy", {**held, name: wrong})


def test_a_broken_triangle_is_named():
    """Where the guarantee needs it."""
    line = np.array([[0.0], [1.0], [2.0]])
    with pytest.warns(UserWarning, match=r"d\(row 0, row 2\) = 4 exceeds"):
        assert not FarthestFirstHierarchy(parent="levels", first=0, metric="sqeuclidean").fit(line).certificate_.holds
    assert FarthestFirstHierarchy(first=0, metric="sqeuclidean").fit(line).certificate_.holds
