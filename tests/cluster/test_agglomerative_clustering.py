"""Agglomerative clustering: the trees of SciPy and scikit-learn, the laws of linkages, and what is refused."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.cluster import hierarchy
from scipy.sparse.csgraph import connected_components, minimum_spanning_tree
from scipy.spatial.distance import pdist, squareform
from sklearn.cluster import AgglomerativeClustering as Theirs
from sklearn.neighbors import kneighbors_graph

import aprendiz
from aprendiz import AgglomerativeClustering
from aprendiz.cluster.agglomerative_clustering import smaller_first
from aprendiz.cluster.linkage import ward_merges as ward
from aprendiz.cluster.linkage.merges import Leaves
from aprendiz.persistence.storable import disagreement

LINKAGES = ("ward", "complete", "average", "single", "weighted")
OF_BOTH = LINKAGES[:-1]
every_linkage = pytest.mark.parametrize("linkage", LINKAGES)


def rows(n=120, d=4, seed=0):
    """Three clouds; no two distances are equal."""
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, d)) + 4.0 * rng.integers(0, 3, n)[:, None]


def grid(n=60, seed=0):
    """Rows of small whole numbers: duplicates and ties."""
    return np.random.default_rng(seed).integers(0, 4, (n, 2)).astype(float)


def height_of_pair(D, a, b, linkage, X):
    """The distance of two clusters by the definition of the linkage."""
    between = D[np.ix_(a, b)]
    if linkage == "ward":
        gap = X[a].mean(axis=0) - X[b].mean(axis=0)
        return np.sqrt(2 * len(a) * len(b) / (len(a) + len(b)) * gap @ gap)
    return {"single": between.min, "complete": between.max, "average": between.mean}[linkage]()


def assert_greedy(X, Z, linkage):
    """Every merge joins a nearest pair of the clusters there are, at its distance: the definition, step by step."""
    D, n = squareform(pdist(X)), len(X)
    clusters = {i: [i] for i in range(n)}
    for i, (a, b, height, size) in enumerate(Z):
        pairs = [(c, e) for c in clusters for e in clusters if c < e]
        least = min(height_of_pair(D, clusters[c], clusters[e], linkage, X) for c, e in pairs)
        own = height_of_pair(D, clusters[int(a)], clusters[int(b)], linkage, X)
        assert own == pytest.approx(least, rel=1e-9, abs=1e-12)
        assert height == pytest.approx(own, rel=1e-9, abs=1e-12)
        clusters[n + i] = clusters.pop(int(a)) + clusters.pop(int(b))
        assert size == len(clusters[n + i])


# ---- agreement -------------------------------------------------------------------------------------------------------


@every_linkage
@pytest.mark.parametrize(("n", "d"), [(2, 1), (3, 2), (17, 1), (120, 4), (700, 9)])
def test_scipy(linkage, n, d):
    """The linkage matrix is SciPy's."""
    X = rows(n, d)
    np.testing.assert_allclose(
        AgglomerativeClustering(linkage=linkage).fit(X).linkage_, hierarchy.linkage(X, linkage), rtol=1e-9
    )


@pytest.mark.parametrize("linkage", OF_BOTH)
@pytest.mark.parametrize("k", [1, 2, 5, 40, 120])
def test_scikit_learn(linkage, k):
    """Children, heights and labels are scikit-learn's, number by number."""
    X = rows()
    ours = AgglomerativeClustering(k, linkage=linkage).fit(X)
    theirs = Theirs(k, linkage=linkage, compute_distances=True).fit(X)
    assert np.array_equal(ours.children_, theirs.children_)
    assert np.array_equal(ours.labels_, theirs.labels_)
    np.testing.assert_allclose(ours.distances_, theirs.distances_, rtol=1e-12)
    assert (ours.n_clusters_, ours.n_leaves_, ours.n_connected_components_) == (k, 120, 1)


@pytest.mark.parametrize("linkage", OF_BOTH)
def test_threshold(linkage):
    """A cut at a height."""
    X = rows()
    for height in (0.0, 1.0, 3.0, 1e3):
        settings = {"n_clusters": None, "distance_threshold": height, "linkage": linkage}
        ours, theirs = AgglomerativeClustering(**settings).fit(X), Theirs(**settings).fit(X)
        assert ours.n_clusters_ == theirs.n_clusters_
        assert np.array_equal(ours.labels_, theirs.labels_)


@pytest.mark.parametrize("metric", ["manhattan", "cosine", "chebyshev"])
@pytest.mark.parametrize("linkage", ["complete", "average", "single", "weighted"])
def test_metrics(metric, linkage):
    """Other metrics, and the same distances given as a matrix, which stays as it is."""
    X = rows()
    D = squareform(pdist(X, {"manhattan": "cityblock"}.get(metric, metric)))
    before = D.copy()
    expected = hierarchy.linkage(squareform(D, checks=False), linkage)
    np.testing.assert_allclose(AgglomerativeClustering(metric=metric, linkage=linkage).fit(X).linkage_, expected, rtol=1e-9)
    given_ = AgglomerativeClustering(metric="precomputed", linkage=linkage).fit(D)
    np.testing.assert_allclose(given_.linkage_, expected, rtol=1e-9)
    assert np.array_equal(D, before)


@pytest.mark.parametrize("linkage", ["complete", "average", "single", "weighted"])
def test_distances_symmetric_up_to_rounding(linkage):
    """Distances that differ in their last digits both ways are joined as their means."""
    D = squareform(pdist(grid()))
    uneven = D * (1 + 1e-12 * np.random.default_rng(0).random(D.shape))
    model = AgglomerativeClustering(metric="precomputed", linkage=linkage).fit(uneven)
    assert (np.diff(model.distances_) >= 0).all()
    assert model.certificate_.holds


def test_function_of_two_rows():
    """A metric may be a function."""
    X = rows(30)
    ours = AgglomerativeClustering(metric=lambda a, b: float(np.abs(a - b).sum()), linkage="average").fit(X)
    np.testing.assert_allclose(ours.linkage_, hierarchy.linkage(X, "average", "cityblock"), rtol=1e-9)


@pytest.mark.parametrize("linkage", OF_BOTH)
@pytest.mark.parametrize("neighbours", [2, 10])
def test_connectivity(linkage, neighbours):
    """Merges along a graph are scikit-learn's; a graph in parts is completed, with a warning that counts them."""
    X = rows() + 30.0 * (np.arange(120) % 3)[:, None]
    graph = kneighbors_graph(X, neighbours)
    parts = connected_components(graph, directed=False)[0]
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        theirs = Theirs(4, linkage=linkage, connectivity=graph, compute_distances=True).fit(X)
        ours = AgglomerativeClustering(4, linkage=linkage, connectivity=graph).fit(X)
    assert parts >= 3
    assert f"The graph of connectivity is in {parts} parts" in str(heard[-1].message)
    assert ours.n_connected_components_ == theirs.n_connected_components_ == parts
    np.testing.assert_allclose(ours.distances_, theirs.distances_, rtol=1e-9)
    assert np.array_equal(np.sort(ours.children_), np.sort(theirs.children_))
    assert ours.certificate_.holds


def test_connectivity_as_a_function():
    """The graph may be made from X; a complete one asks for nothing."""
    X = rows(40)
    model = AgglomerativeClustering(3, connectivity=lambda X: np.ones((len(X), len(X)))).fit(X)
    np.testing.assert_allclose(model.linkage_, AgglomerativeClustering(3).fit(X).linkage_, rtol=1e-9)


def test_mixed_tables():
    """Gower's distance joins rows with words and missing cells."""
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"kind": ["a", "a", "b", "b", None], "size": [1.0, 1.1, 3.0, np.nan, 2.9]})
    model = AgglomerativeClustering(2, metric="gower", linkage="average").fit(table)
    assert model.labels_[0] == model.labels_[1] != model.labels_[2] == model.labels_[3]
    assert model.certificate_.holds


# ---- laws ------------------------------------------------------------------------------------------------------------


tables = st.integers(0, 10_000).flatmap(lambda seed: st.tuples(st.just(seed), st.integers(2, 11), st.integers(1, 3)))


@pytest.mark.parametrize("linkage", OF_BOTH)
@given(tables)
@settings(max_examples=15, deadline=None)
def test_each_merge_is_a_nearest_pair(linkage, drawn):
    """By exhaustion, on tables with and without ties."""
    seed, n, d = drawn
    rng = np.random.default_rng(seed)
    for X in (rng.standard_normal((n, d)), rng.integers(0, 3, (n, d)).astype(float)):
        assert_greedy(X, AgglomerativeClustering(1, linkage=linkage).fit(X).linkage_, linkage)


@every_linkage
@pytest.mark.parametrize("make", [rows, grid])
def test_heights_never_fall(linkage, make):
    """Neither in the list nor from a cluster to the one it is a part of; and the certificate holds."""
    model = AgglomerativeClustering(linkage=linkage).fit(make())
    assert (np.diff(model.distances_) >= 0).all()
    heights = np.concatenate([np.zeros(model.n_leaves_), model.distances_])
    assert (heights[model.children_] <= model.distances_[:, None]).all()
    assert model.certificate_.holds


@pytest.mark.parametrize("make", [rows, grid])
def test_ward_rises_sum_to_the_scatter(make):
    """Every cut: the cost of the clusters is the sum of the rises so far."""
    X = make()
    model = AgglomerativeClustering().fit(X)
    for k in (1, 2, 7, 30, len(X)):
        labels = model.cut(k)
        cost = sum(((X[labels == j] - X[labels == j].mean(axis=0)) ** 2).sum() for j in range(k))
        assert cost == pytest.approx((model.distances_[: len(X) - k] ** 2).sum() / 2, rel=1e-9, abs=1e-9)


def test_single_linkage_is_a_minimum_spanning_tree():
    """Its heights are the lengths of a shortest tree."""
    X = rows(90)
    lengths = np.sort(minimum_spanning_tree(squareform(pdist(X))).data)
    np.testing.assert_allclose(AgglomerativeClustering(linkage="single").fit(X).distances_, lengths, rtol=1e-12)


def test_rounds_and_chains_agree(monkeypatch):
    """Ward's merges all at once, or one at a time."""
    X = rows(500, 3)
    trees = []
    for small in (1, 10**9):
        monkeypatch.setattr("aprendiz.cluster.linkage.reciprocal_pairs.SMALL", small)
        trees.append(smaller_first(ward.ward_merges(X).linkage()))
    np.testing.assert_allclose(*trees, rtol=1e-12)


def test_ward_where_rounds_find_one_pair():
    """Rows ever farther apart have one reciprocal pair at a time."""
    X = (1.5 ** np.arange(200))[:, None]
    np.testing.assert_allclose(AgglomerativeClustering().fit(X).linkage_, hierarchy.linkage(X, "ward"), rtol=1e-9)


@every_linkage
def test_large_offset(linkage):
    """Far from zero the tree is the same."""
    X = np.round(rows() * 2**10) / 2**10
    near, far = (AgglomerativeClustering(linkage=linkage).fit(X + offset) for offset in (0.0, 2.0**20))
    assert np.array_equal(near.children_, far.children_)
    np.testing.assert_allclose(near.distances_, far.distances_, rtol=1e-8)


@every_linkage
def test_equal_rows(linkage):
    """All rows equal: all heights 0, and any cut is possible."""
    model = AgglomerativeClustering(3, linkage=linkage).fit(np.ones((6, 2)))
    assert not model.distances_.any()
    assert len(np.unique(model.labels_)) == 3


# ---- the tree --------------------------------------------------------------------------------------------------------


@every_linkage
def test_cuts(linkage):
    """Cuts are SciPy's, up to the numbers of the clusters; closed ones keep merges at the very height."""
    model = AgglomerativeClustering(linkage=linkage).fit(rows())
    for k in (1, 2, 3, 50, 120):
        labels = model.cut(k)
        assert np.array_equal(np.unique(labels), np.arange(k))
        assert same_partition(labels, hierarchy.cut_tree(model.linkage_, k)[:, 0])
    height = model.distances_[100]
    closed = model.cut(height=height, closed=True)
    assert same_partition(closed, hierarchy.fcluster(model.linkage_, height, "distance"))
    assert same_partition(model.cut(height=height), hierarchy.fcluster(model.linkage_, np.nextafter(height, 0), "distance"))


def same_partition(a, b):
    """The same clusters under other numbers."""
    pairs = np.unique(np.column_stack([a, b]), axis=0)
    return len(pairs) == len(np.unique(a)) == len(np.unique(b))


@every_linkage
def test_cophenetic(linkage):
    """Cophenetic distances, their correlation and the order of the leaves are SciPy's."""
    X = rows()
    model = AgglomerativeClustering(linkage=linkage).fit(X)
    correlation, heights = hierarchy.cophenet(model.linkage_, pdist(X))
    np.testing.assert_allclose(model.cophenetic_distances(), heights, rtol=1e-12)
    assert model.cophenetic_correlation_ == pytest.approx(correlation, rel=1e-9)
    assert np.array_equal(model.leaf_order(), hierarchy.leaves_list(model.linkage_))


def test_cophenetic_distances_obey_the_strong_triangle():
    """Of three heights the two largest are equal: c(x, z) ≤ max(c(x, y), c(y, z))."""
    C = squareform(AgglomerativeClustering().fit(rows(40)).cophenetic_distances())
    assert (C[:, None, :] <= np.maximum(C[:, :, None], C[None, :, :])).all()


def test_correlation_of_one_distance():
    """Two rows have one distance, and no correlation."""
    assert np.isnan(AgglomerativeClustering().fit([[0.0], [1.0]]).cophenetic_correlation_)


def test_leaves():
    """Every cluster is a run of the leaves."""
    model = AgglomerativeClustering().fit(rows(30))
    leaves = Leaves.of(model.linkage_)
    for i, (a, b) in enumerate(model.linkage_[:, :2].astype(int)):
        both = {*leaves.of_cluster(a), *leaves.of_cluster(b)}
        assert both == {*leaves.of_cluster(30 + i)}


@pytest.mark.parametrize("linkage", LINKAGES[1:])
def test_certificate_finds_wrong_heights(linkage):
    """A height that is not what the linkage says is noticed."""
    model = AgglomerativeClustering(linkage=linkage).fit(rows(12))
    model.linkage_ = model.linkage_ * [1, 1, 1.01, 1]
    assert not model.certificate_.holds


def test_same_bits_after_a_file(tmp_path):
    """A stored tree can be cut and judged."""
    model = AgglomerativeClustering(3, linkage="average").fit(rows())
    aprendiz.save(model, tmp_path / "tree.apz")
    again = aprendiz.load(tmp_path / "tree.apz")
    assert np.array_equal(again.cut(7), model.cut(7))
    assert str(again.certificate_) == str(model.certificate_)


@pytest.mark.parametrize(
    ("name", "cell", "value"), [("children_", (3, 0), 99), ("children_", (0, 1), -1), ("linkage_", (2, 3), 9.0)]
)
def test_a_file_with_other_merges_is_refused(name, cell, value):
    """Compiled code follows the merges without looking: they must go together."""
    model = AgglomerativeClustering().fit(rows(8))
    held = dict(vars(model))
    assert disagreement("aprendiz.AgglomerativeClustering", held) == ""
    held[name] = held[name].copy()
    held[name][cell] = value
    assert "merges do not go together" in disagreement("aprendiz.AgglomerativeClustering", held)


# ---- what is refused -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_clusters": 9}, "n_samples=8 should be >= n_clusters=9"),
        ({"n_clusters": None}, "Exactly one of n_clusters and distance_threshold"),
        ({"distance_threshold": 1.0}, "Exactly one of n_clusters and distance_threshold"),
        ({"metric": "cosine"}, "metric='cosine': Ward's linkage needs metric='euclidean'"),
        ({"connectivity": np.ones((3, 3))}, r"connectivity must have a row and a column for each of the 8 rows.*\(3, 3\)"),
    ],
)
def test_refused_parameters(parameters, message):
    with pytest.raises(ValueError, match=message):
        AgglomerativeClustering(**parameters).fit(rows(8))


@pytest.mark.parametrize(
    ("cell", "value", "message"),
    [
        ((1, 2), -1.0, r"d\(row 1, row 2\) = -1"),
        ((1, 2), 9.0, r"not symmetric.*row 1.*row 2|not symmetric.*row 2.*row 1"),
        ((3, 3), 1.0, r"itself must be 0: d\(row 3, row 3\)"),
    ],
)
def test_refused_distances(cell, value, message):
    """A pair that is not a distance is named."""
    D = squareform(pdist(rows(6)))
    D[cell] = value
    with pytest.raises(ValueError, match=message):
        AgglomerativeClustering(metric="precomputed", linkage="average").fit(D)


def test_refused_inputs():
    """One row, no square matrix, cuts that do not exist."""
    with pytest.raises(ValueError, match="n_samples=1: at least 2 rows"):
        AgglomerativeClustering(1).fit([[1.0]])
    with pytest.raises(ValueError, match="must be square"):
        AgglomerativeClustering(metric="precomputed", linkage="single").fit(np.ones((3, 2)))
    model = AgglomerativeClustering().fit(rows(5))
    with pytest.raises(ValueError, match="k must be at least 1 and at most the number of rows, 5; got 6"):
        model.cut(6)
    with pytest.raises(ValueError, match="k or a height, not both"):
        model.cut()
    with pytest.raises(ValueError, match="too large to be squared"):
        AgglomerativeClustering().fit([[0.0], [1e200]])


# ---- linkages of means -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("linkage", ["centroid", "median"])
def test_linkages_of_means(linkage):
    """The tree is SciPy's, the certificate computes its heights anew, and a height, which may fall, is no place to cut."""
    table = np.random.default_rng(0).normal(size=(80, 3)) + 1e3
    model = AgglomerativeClustering(5, linkage=linkage).fit(table)
    np.testing.assert_allclose(model.linkage_, hierarchy.linkage(table, linkage), rtol=1e-9)
    assert (np.diff(model.distances_) < 0).any()
    assert model.certificate_.holds
    assert len(np.unique(model.labels_)) == len(np.unique(model.cut(5))) == 5
    with pytest.raises(ValueError, match="may fall, so that a height cuts no clusters: give k"):
        model.cut(height=1.0)
    with pytest.raises(ValueError, match="set n_clusters instead"):
        AgglomerativeClustering(None, distance_threshold=1.0, linkage=linkage).fit(table)
    with pytest.raises(ValueError, match="needs metric='euclidean' and no connectivity"):
        AgglomerativeClustering(linkage=linkage, metric="manhattan").fit(table)


def test_a_threshold_needs_the_whole_tree():
    with pytest.raises(ValueError, match="compute_full_tree must be True"):
        AgglomerativeClustering(n_clusters=None, distance_threshold=1, compute_full_tree=False).fit([[0.0], [1.0]])
