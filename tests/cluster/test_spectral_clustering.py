"""SpectralClustering: scikit-learn's groups, cuts that exhaustion finds, bounds that hold, graphs in pieces."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.spatial.distance import cdist
from sklearn.cluster import SpectralClustering as TheirSpectralClustering
from sklearn.datasets import load_wine, make_blobs, make_circles, make_moons
from sklearn.manifold import spectral_embedding
from sklearn.metrics import adjusted_rand_score
from sklearn.metrics.pairwise import rbf_kernel

from aprendiz import SpectralClustering
from aprendiz.cluster import graph
from aprendiz.cluster.spectral.rounding import by_pivots, by_rotation
from aprendiz.core.blas import single_blas

BLOBS, GROUPS = make_blobs(
    440, centers=np.array([[0.0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 4]]), cluster_std=0.45, random_state=2
)
MOONS, HALVES = make_moons(400, noise=0.06, random_state=0)
ROUNDINGS = ["kmeans", "discretize", "cluster_qr"]


@pytest.fixture(autouse=True)
def one_thread():
    """NumPy's own eigenvalues are faster so."""
    with single_blas():
        yield


def same_groups(a, b):
    return adjusted_rand_score(a, b) == 1.0


# ---- agreement ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rounding", ROUNDINGS)
@pytest.mark.parametrize(
    "options",
    [{"gamma": 1.0}, {"affinity": "nearest_neighbors", "n_neighbors": 115}, {"affinity": "laplacian", "gamma": 0.5}],
    ids=["rbf", "neighbours", "laplacian"],
)
def test_groups_of_scikit_learn(options, rounding):
    """On separated groups the labels are scikit-learn's, up to their numbers, and so are the similarities."""
    settings = {"n_clusters": 4, "assign_labels": rounding, "random_state": 0, **options}
    ours = SpectralClustering(**settings).fit(BLOBS)
    theirs = TheirSpectralClustering(**settings).fit(BLOBS)
    assert same_groups(ours.labels_, theirs.labels_)
    assert same_groups(ours.labels_, GROUPS)
    here, there = (m.toarray() if sparse.issparse(m) else m for m in (ours.affinity_matrix_, theirs.affinity_matrix_))
    np.testing.assert_allclose(here, there, rtol=1e-10, atol=1e-14)
    assert ours.certificate_.holds


def test_embedding_of_scikit_learn():
    """The points are those of spectral_embedding, column by column up to the sign."""
    W = rbf_kernel(BLOBS, gamma=0.5)
    ours = SpectralClustering(4, affinity="precomputed", random_state=0).fit(W)
    theirs = spectral_embedding(W, n_components=4, drop_first=False, random_state=0)
    for column, other in zip(ours.embedding_.T, theirs.T, strict=True):
        np.testing.assert_allclose(column * np.sign(column @ other), other, rtol=1e-5, atol=1e-8)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix, sparse.csc_array], ids=["dense", "csr", "csc"])
def test_given_similarities(form):
    """Given similarities, dense or sparse, are those of the rows."""
    model = SpectralClustering(4, gamma=0.5, random_state=0).fit(BLOBS)
    given_ = SpectralClustering(4, affinity="precomputed", random_state=0).fit(form(model.affinity_matrix_))
    np.testing.assert_allclose(given_.eigenvalues_, model.eigenvalues_, atol=1e-12)
    assert same_groups(given_.labels_, model.labels_)


def test_given_distances_and_functions():
    """Distances give the neighbours that the rows give, and a function of two rows the kernel that it is."""
    few, options = BLOBS[::8], {"n_neighbors": 30, "random_state": 0}
    by_rows = SpectralClustering(2, affinity="nearest_neighbors", **options).fit(few)
    by_distances = SpectralClustering(2, affinity="precomputed_nearest_neighbors", **options).fit(cdist(few, few))
    assert (by_rows.affinity_matrix_ != by_distances.affinity_matrix_).nnz == 0
    kernel = SpectralClustering(4, gamma=0.5, random_state=0).fit(few)
    function = SpectralClustering(
        4, affinity=lambda a, b, width: np.exp(-width * np.sum((a - b) ** 2)), kernel_params={"width": 0.5}, random_state=0
    ).fit(few)
    np.testing.assert_allclose(function.affinity_matrix_, kernel.affinity_matrix_, rtol=1e-12)
    assert same_groups(function.labels_, kernel.labels_)


def test_moons_and_circles():
    """Groups that are no clouds, which the distance to a centre cannot tell apart."""
    assert same_groups(SpectralClustering(2, gamma=30.0, random_state=0).fit(MOONS).labels_, HALVES)
    X, ring = make_circles(400, factor=0.4, noise=0.05, random_state=0)
    assert same_groups(SpectralClustering(2, gamma=20.0, random_state=0).fit(X).labels_, ring)
    assert same_groups(SpectralClustering(2, gamma=20.0, assign_labels="sign", random_state=0).fit(X).labels_, ring)


@pytest.mark.parametrize("laplacian", ["random_walk", "symmetric", "unnormalised"])
def test_each_laplacian(laplacian):
    """Each of the three finds the groups; its cost is that of graph.ncut, or graph.ratio_cut."""
    model = SpectralClustering(4, gamma=0.5, laplacian=laplacian, random_state=0).fit(BLOBS)
    assert same_groups(model.labels_, GROUPS)
    W = model.affinity_matrix_ - np.eye(len(BLOBS))
    cost = graph.ratio_cut if laplacian == "unnormalised" else graph.ncut
    assert model.certificate_.cost == pytest.approx(cost(W, model.labels_), rel=1e-9)
    L = graph.laplacian(W, "unnormalised" if laplacian == "unnormalised" else "symmetric").toarray()
    np.testing.assert_allclose(model.eigenvalues_, np.linalg.eigvalsh(L)[:4], atol=1e-9 * np.abs(L).max())
    if laplacian == "symmetric":
        np.testing.assert_allclose(np.linalg.norm(model.embedding_, axis=1), 1.0)


def test_graphs_of_our_own():
    """Mutual neighbours and ε: the graphs of cluster.graph, a row itself counted among its neighbours."""
    with pytest.warns(UserWarning, match="connected components"):
        mutual = SpectralClustering(4, affinity="mutual_nearest_neighbors", n_neighbors=9, random_state=0).fit(BLOBS)
    expected = graph.mutual_k_nearest_graph(BLOBS, 8) + sparse.eye_array(440)
    assert (mutual.affinity_matrix_ != expected).nnz == 0
    ball = SpectralClustering(4, affinity="epsilon", epsilon=3.0, random_state=0).fit(BLOBS)
    assert (ball.affinity_matrix_ != graph.epsilon_graph(BLOBS, 3.0)).nnz == 0


# ---- bounds ------------------------------------------------------------------------------------------------------------


@given(st.integers(0, 2**32 - 1), st.integers(2, 3), st.sampled_from([*ROUNDINGS, "sign"]), st.booleans())
@settings(deadline=None, max_examples=40)
def test_between_the_relaxation_and_the_best(seed, k, rounding, normalised):
    """Relaxation ≤ the best of all partitions ≤ the one that was found, on graphs of six vertices."""
    k = 2 if rounding == "sign" else k
    rng = np.random.default_rng(seed)
    W = np.triu(rng.uniform(0.05, 1.0, (6, 6)) ** 3, 1)
    W += W.T
    laplacian, cost = ("random_walk", graph.ncut) if normalised else ("unnormalised", graph.ratio_cut)
    model = SpectralClustering(k, affinity="precomputed", assign_labels=rounding, laplacian=laplacian, random_state=0).fit(W)
    certificate = model.certificate_
    groups = len(set(model.labels_))
    all_labels = [(0, *rest) for rest in product(range(groups), repeat=5) if len({0, *rest}) == groups]
    best = min(cost(W, labels) for labels in all_labels)
    assert certificate.holds
    assert certificate.relaxation <= best + 1e-12
    assert best <= certificate.cost + 1e-12
    assert certificate.cost == pytest.approx(cost(W, model.labels_), rel=1e-9)


def test_certificates_can_fail():
    """A coarse tolerance that is not kept is seen: the claim is made of the numbers."""
    coarse = SpectralClustering(4, gamma=0.5, eigen_tol=0.1, random_state=0).fit(BLOBS)
    fine = SpectralClustering(4, gamma=0.5, random_state=0).fit(BLOBS)
    assert fine.certificate_.residual < 1e-7 < coarse.certificate_.residual < 1.0
    assert fine.certificate_.orthogonality < 1e-12


def test_exact_roundings():
    """Rows that are indicators, turned by a rotation: both roundings find the groups exactly."""
    rng = np.random.default_rng(0)
    labels = np.repeat(np.arange(4), [10, 20, 5, 7])
    turn = np.linalg.qr(rng.normal(size=(4, 4)))[0]
    points = (np.eye(4)[labels] / np.sqrt(np.bincount(labels))) @ turn
    assert same_groups(by_pivots(points), labels)
    assert same_groups(by_rotation(points, 0), labels)


# ---- graphs in pieces --------------------------------------------------------------------------------------------------


def islands(*sizes):
    """Clouds very far from each other."""
    rng = np.random.default_rng(0)
    return np.vstack([100.0 * i + rng.normal(size=(size, 2)) for i, size in enumerate(sizes)]), np.repeat(
        range(len(sizes)), sizes
    )


def test_pieces_are_the_groups():
    """As many components as clusters: they are the clusters, the eigenvalues are exactly 0, and a warning counts them."""
    X, island = islands(30, 40, 50)
    for options in ({"affinity": "nearest_neighbors"}, {"gamma": 1.0}):
        with pytest.warns(UserWarning, match="not fully connected: it has 3 connected components"):
            model = SpectralClustering(3, random_state=0, **options).fit(X)
        assert same_groups(model.labels_, island)
        assert (model.eigenvalues_ == 0).all()
        assert model.method_ == "components"
        assert model.certificate_.holds
        assert model.certificate_.cost == pytest.approx(0.0, abs=1e-12)


def test_fewer_pieces_than_clusters():
    """Two islands in three clusters: none of them has rows of both, and the cut is that of the larger island's eigenvector."""
    X, island = islands(40, 80)
    X[80:] += [8.0, 0.0]
    with pytest.warns(UserWarning, match="2 connected components"):
        model = SpectralClustering(3, gamma=0.05, random_state=0).fit(X)
    assert same_groups(model.labels_, np.where(np.arange(120) < 80, island, 2))
    assert (model.eigenvalues_ > 0).tolist() == [False, False, True]


def test_more_pieces_than_clusters():
    """Four islands in two clusters: still two groups that cut nothing."""
    X, _ = islands(30, 40, 50, 60)
    with pytest.warns(UserWarning, match="4 connected components, more than the 2 clusters"):
        model = SpectralClustering(2, affinity="nearest_neighbors", random_state=0).fit(X)
    assert set(model.labels_) == {0, 1}
    assert model.certificate_.cost == pytest.approx(0.0, abs=1e-12)


def test_similarities_of_all_sizes():
    """Weights from 1 down to the smallest double, beside a diagonal of ones: the eigenvectors are exact nevertheless."""
    X = load_wine().data
    with pytest.warns(UserWarning, match="connected components"):
        model = SpectralClustering(3, gamma=1.0, random_state=0).fit(X)
    assert model.certificate_.holds
    assert (np.diag(model.affinity_matrix_) == 1.0).all()


def test_rows_without_edges():
    """They are numbered in the warning, and are groups of their own if there are clusters enough."""
    X, _ = islands(30, 1)
    with pytest.warns(UserWarning, match="2 connected components. Vertex 30 has no edges"):
        model = SpectralClustering(2, random_state=0, gamma=1.0).fit(X)
    assert (model.labels_ == model.labels_[30]).tolist() == [False] * 30 + [True]


# ---- edges -------------------------------------------------------------------------------------------------------------


def test_odd_tables():
    """Identical rows, one cluster, as many clusters as rows, constant columns."""
    same = SpectralClustering(1, random_state=0).fit(np.ones((5, 2)))
    assert same.labels_.tolist() == [0] * 5
    every = SpectralClustering(5, random_state=0).fit(np.arange(5.0)[:, None])
    assert sorted(every.labels_) == [0, 1, 2, 3, 4]
    assert every.certificate_.cost == pytest.approx(every.certificate_.relaxation)
    flat = np.column_stack([BLOBS[:, :2], np.ones(440)])
    assert same_groups(
        SpectralClustering(4, random_state=0, gamma=0.5).fit(flat).labels_,
        SpectralClustering(4, random_state=0, gamma=0.5).fit(flat[:, :2]).labels_,
    )


@pytest.mark.parametrize(
    ("options", "X", "said"),
    [
        ({"n_clusters": 9}, BLOBS[:8], "n_samples=8 should be >= n_clusters=9"),
        ({"n_clusters": 2, "n_components": 9}, BLOBS[:8], "n_components=9"),
        ({"n_clusters": 3, "assign_labels": "sign"}, BLOBS, "n_clusters=2"),
        ({"affinity": "precomputed"}, BLOBS, "square"),
        ({"n_clusters": 2, "affinity": "precomputed"}, [[0.0, -1.0], [-1.0, 0.0]], "negative weight: -1 in row 0, column 1"),
        ({"n_clusters": 2, "affinity": "linear"}, BLOBS, "negative weight"),
        ({"n_clusters": 2, "affinity": "nearest_neighbors"}, BLOBS[:8], "n_neighbors = 10, n_samples_fit = 8"),
        ({"n_clusters": 2, "affinity": "precomputed_nearest_neighbors"}, -np.ones((12, 12)), "Negative values"),
        ({"affinity": "gauss"}, BLOBS, "affinity of SpectralClustering must be"),
        ({"laplacian": "normed"}, BLOBS, "laplacian of SpectralClustering must be"),
    ],
)
def test_refusals(options, X, said):
    """What cannot be grouped is refused with what is wrong and what to do."""
    with pytest.raises(ValueError, match=said):
        SpectralClustering(**options).fit(X)


@pytest.mark.parametrize("form", [np.array, sparse.csr_array])
def test_similarities_that_differ_by_direction(form):
    """They are averaged, with a warning that names the pair, as in scikit-learn."""
    given = np.array([[0.0, 1, 2], [1, 0, 1], [3, 1, 0]])
    with pytest.warns(UserWarning, match="converted to symmetric.*2 in row 0, column 2, but 3 the other way"):
        model = SpectralClustering(2, affinity="precomputed", random_state=0).fit(form(given))
    found = model.affinity_matrix_
    np.testing.assert_array_equal(found.toarray() if sparse.issparse(found) else found, (given + given.T) / 2)


@pytest.mark.parametrize("affinity", ["chi2", "cosine", "laplacian", "linear", "poly", "polynomial", "sigmoid"])
def test_kernels_of_scikit_learn(affinity):
    rows = np.random.default_rng(0).random((12, 5)) * 10
    assert SpectralClustering(2, affinity=affinity, random_state=0).fit(rows).labels_.shape == (12,)
