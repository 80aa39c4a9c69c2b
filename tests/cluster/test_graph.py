"""Graphs of similarities: which rows are joined, Laplacians, cuts, walks, and the propositions about them on random graphs."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.sparse.csgraph import laplacian as their_laplacian
from scipy.spatial.distance import cdist
from sklearn.neighbors import kneighbors_graph, radius_neighbors_graph

from aprendiz.cluster import graph

X = np.random.default_rng(0).normal(size=(60, 3))
DISTANCES = cdist(X, X)
PATH = np.array([[0.0, 1, 0], [1, 0, 1], [0, 1, 0]])


@st.composite
def graphs(draw, most=7, least=2):
    """Small graphs with weights 0, 1, 2 or 3, in which every vertex has an edge."""
    n = draw(st.integers(least, most))
    upper = draw(st.lists(st.sampled_from([0.0, 0.0, 1.0, 2.0, 3.0]), min_size=n * (n - 1) // 2, max_size=n * (n - 1) // 2))
    W = np.zeros((n, n))
    W[np.triu_indices(n, 1)] = upper
    for i in np.flatnonzero((W + W.T).sum(axis=0) == 0):
        W[min(i, (i + 1) % n), max(i, (i + 1) % n)] = 1.0
    return W + W.T


def partitions(n, k):
    """All ways to give n vertices k labels, every label used, the first vertex labelled 0."""
    return [np.array((0, *rest)) for rest in product(range(k), repeat=n - 1) if len({0, *rest}) == k]


# ---- from rows to graphs -----------------------------------------------------------------------------------------------


def test_epsilon_graph_is_that_of_all_distances():
    """Edges where the distance is at most ε, none to itself; scikit-learn's graph."""
    W = graph.epsilon_graph(X, 1.1)
    expected = (DISTANCES <= 1.1) & ~np.eye(60, dtype=bool)
    np.testing.assert_array_equal(W.toarray(), expected)
    np.testing.assert_array_equal(W.toarray(), radius_neighbors_graph(X, 1.1).toarray())
    np.testing.assert_allclose(graph.epsilon_graph(X, 1.1, sigma=0.7).toarray(), expected * np.exp(-(DISTANCES**2) / 0.98))


@pytest.mark.parametrize("sigma", [None, 0.7])
def test_nearest_graphs_are_or_and_and(sigma):
    """k nearest joins where one of two rows, mutual where both, are among the nearest of the other, as by scikit-learn."""
    one_way = kneighbors_graph(X, 4).toarray() > 0
    weight = 1.0 if sigma is None else np.exp(-0.5 * (DISTANCES / sigma) ** 2)
    np.testing.assert_allclose(graph.k_nearest_graph(X, 4, sigma=sigma).toarray(), (one_way | one_way.T) * weight, rtol=1e-12)
    mutual = graph.mutual_k_nearest_graph(X, 4, sigma=sigma)
    np.testing.assert_allclose(mutual.toarray(), (one_way & one_way.T) * weight, rtol=1e-12)


def test_gaussian_graph_joins_all():
    """exp(−d²/2σ²) between all rows, 0 on the diagonal, symmetric to the last bit."""
    W = graph.gaussian_graph(X, 0.8).toarray()
    np.testing.assert_allclose(W, np.exp(-(DISTANCES**2) / 1.28) - np.eye(60), rtol=1e-12)
    assert np.array_equal(W, W.T)


def test_identical_rows_are_joined():
    """Rows at distance 0 have the weight 1, not 0."""
    same = np.zeros((3, 2))
    for W in (graph.epsilon_graph(same, 0.1, sigma=1.0), graph.k_nearest_graph(same, 2, sigma=1.0), graph.gaussian_graph(same)):
        np.testing.assert_array_equal(W.toarray(), 1 - np.eye(3))


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: graph.epsilon_graph(X, 0.0), "epsilon must be a finite number above 0, got 0.0"),
        (lambda: graph.gaussian_graph(X, -1.0), "sigma must be a finite number above 0, got -1.0"),
        (lambda: graph.k_nearest_graph(X, 60), "X has 60 rows.*59 others.*k = 60"),
        (lambda: graph.k_nearest_graph(X, 1.5), "k must be a whole number"),
        (lambda: graph.k_nearest_graph([[1.0], [np.nan]], 1), "NaN: row 1, column 0"),
        (lambda: graph.gaussian_graph(np.empty((0, 2))), r"shape \(0, 2\)"),
    ],
)
def test_rows_that_make_no_graph(make, said):
    """What is wrong is named."""
    with pytest.raises(ValueError, match=said):
        make()


# ---- what a graph must be ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array, sparse.coo_matrix])
@pytest.mark.parametrize(
    ("W", "said"),
    [
        ([[0.0, 1.0]], r"square.*\(1, 2\)"),
        ([[0.0, 1, 2], [1, 0, 5], [2, 4, 0]], "not symmetric: 5 in row 1, column 2, but 4 the other way"),
        ([[0.0, 1], [-2, 0]], "negative weight: -2 in row 1, column 0"),
        ([[0.0, np.nan], [1, 0]], "no finite number: nan in row 0, column 1"),
        ([[0.0, np.inf], [np.inf, 0]], "no finite number: inf in row 0, column 1"),
    ],
)
def test_tables_that_are_no_graphs(W, said, form):
    """The first cell, or the pair, is named."""
    for function in (graph.degrees, graph.laplacian, graph.components, graph.walk):
        with pytest.raises(ValueError, match=said):
            function(form(np.array(W)))


def test_rounding_is_no_asymmetry():
    """A pair that differs by rounding gets its mean."""
    W = np.array([[0.0, 1.0 + 1e-14], [1.0, 0.0]])
    L = graph.laplacian(W).toarray()
    assert np.array_equal(L, L.T)


def test_vertices_without_edges_are_numbered():
    """L_sym, L_rw and the walk need degrees above 0; the vertices are named."""
    W = np.zeros((15, 15))
    W[0, 1] = W[1, 0] = 1.0
    assert graph.isolated(W).tolist() == list(range(2, 15))
    assert graph.laplacian(W)[2, 2] == 0
    for function in (lambda W: graph.laplacian(W, "symmetric"), lambda W: graph.laplacian(W, "random_walk"), graph.walk):
        with pytest.raises(ValueError, match=r"Vertices 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 3 more have no edges"):
            function(W)
    with pytest.raises(ValueError, match="Vertex 2 has no edges"):
        graph.walk(W[:3, :3])


def test_labels_of_every_vertex():
    """One label for each vertex; a group without edges has no NCut."""
    with pytest.raises(ValueError, match=r"3 vertices, but labels have the shape \(2,\)"):
        graph.cut(PATH, [0, 1])
    with pytest.raises(ValueError, match="group b has an edge"):
        graph.ncut([[0, 1, 0], [1, 0, 0], [0, 0, 0]], ["a", "a", "b"])
    with pytest.raises(ValueError, match="kind must be one of unnormalised, symmetric, random_walk"):
        graph.laplacian(PATH, "normalized")


# ---- propositions on random graphs -------------------------------------------------------------------------------------


@given(graphs(), st.integers(0, 2**32 - 1))
@settings(deadline=None, max_examples=60)
def test_quadratic_form(W, seed):
    """uᵀLu = ½ Σ w_ij (u_i − u_j)², with and without loops."""
    rng = np.random.default_rng(seed)
    u = rng.normal(size=len(W))
    W = W + np.diag(rng.integers(0, 3, len(W)))
    expected = 0.5 * (W * (u[:, None] - u) ** 2).sum()
    assert u @ (graph.laplacian(W) @ u) == pytest.approx(expected, rel=1e-12, abs=1e-12)


@given(graphs())
@settings(deadline=None, max_examples=60)
def test_zeros_are_components(W):
    """L has as many zero eigenvalues as components, and L times the indicator of a component is 0; so for L_sym with √d."""
    part = graph.components(W)
    for kind, root in (("unnormalised", np.ones(len(W))), ("symmetric", np.sqrt(graph.degrees(W)))):
        L = graph.laplacian(W, kind).toarray()
        assert (np.linalg.eigvalsh(L) < 1e-9).sum() == part.max() + 1
        for number in range(part.max() + 1):
            np.testing.assert_allclose(L @ (root * (part == number)), 0.0, atol=1e-12)


@given(graphs())
@settings(deadline=None, max_examples=60)
def test_three_eigenproblems_are_one(W):
    """L_rw u = λu ⇔ L_sym D^½u = λD^½u ⇔ Lu = λDu."""
    d = graph.degrees(W)
    L, L_sym, L_rw = (graph.laplacian(W, kind).toarray() for kind in ("unnormalised", "symmetric", "random_walk"))
    np.testing.assert_allclose(L_sym, their_laplacian(W, normed=True), atol=1e-12)
    values, vectors = np.linalg.eigh(L_sym)
    for value, u in zip(values, (vectors / np.sqrt(d)[:, None]).T, strict=True):
        np.testing.assert_allclose(L_rw @ u, value * u, atol=1e-10)
        np.testing.assert_allclose(L @ u, value * d * u, atol=1e-10)


@given(graphs(least=3), st.data())
@settings(deadline=None, max_examples=60)
def test_cuts_are_traces(W, data):
    """RatioCut and NCut are Tr HᵀLH for the scaled indicators; with the ½ they are half of it; Cut counts each edge once."""
    n = len(W)
    labels = np.array(data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n)))
    L, d = graph.laplacian(W).toarray(), graph.degrees(W)
    indicators = (labels[:, None] == np.unique(labels)).astype(float)
    for cost, size in ((graph.ratio_cut, np.ones(n)), (graph.ncut, d)):
        H = indicators / np.sqrt(size @ indicators)
        np.testing.assert_allclose(H.T @ (size[:, None] * H), np.eye(H.shape[1]), atol=1e-12)
        assert cost(W, labels) == pytest.approx(np.trace(H.T @ L @ H), rel=1e-12, abs=1e-12)
        assert cost(W, labels, half=True) == cost(W, labels) / 2
    edges = [(i, j) for i in range(n) for j in range(i) if labels[i] != labels[j]]
    assert graph.cut(W, labels) == sum(W[i, j] for i, j in edges)


@given(graphs(most=6, least=3), st.integers(2, 3))
@settings(deadline=None, max_examples=25)
def test_no_partition_undercuts_the_relaxation(W, k):
    """The sum of the k smallest eigenvalues is at most the cost of every partition, all of them tried."""
    for kind, cost in (("unnormalised", graph.ratio_cut), ("symmetric", graph.ncut)):
        bound = np.linalg.eigvalsh(graph.laplacian(W, kind).toarray())[:k].sum()
        assert bound <= min(cost(W, labels) for labels in partitions(len(W), k)) + 1e-9


@given(graphs(least=3), st.data())
@settings(deadline=None, max_examples=60)
@pytest.mark.filterwarnings("ignore:The graph has|A component")
def test_ncut_is_the_chance_to_change_sides(W, data):
    """πP = π, and NCut = P(Ā|A) + P(A|Ā) of the stationary walk."""
    n = len(W)
    side = np.array([0, *data.draw(st.lists(st.integers(0, 1), min_size=n - 2, max_size=n - 2)), 1])
    found = graph.walk(W)
    P, pi = found.transition.toarray(), found.stationary
    np.testing.assert_allclose(P.sum(axis=1), 1.0)
    np.testing.assert_allclose(pi @ P, pi, atol=1e-12)
    flow = pi[:, None] * P
    A = side == 0
    changes = flow[A][:, ~A].sum() / pi[A].sum() + flow[~A][:, A].sum() / pi[~A].sum()
    assert graph.ncut(W, side) == pytest.approx(changes, rel=1e-12, abs=1e-12)


# ---- walks -------------------------------------------------------------------------------------------------------------


def test_the_walk_comes_to_rest():
    """On a connected graph with a triangle, P^t has rows π; no warning."""
    W = np.array([[0.0, 3, 1], [3, 0, 2], [1, 2, 0]])
    found = graph.walk(W)
    np.testing.assert_allclose(np.linalg.matrix_power(found.transition.toarray(), 200), np.tile(found.stationary, (3, 1)))
    assert graph.random_walk is graph.walk


def test_walks_that_do_not():
    """A bipartite graph and a disconnected one are reported; a loop lets the walk rest."""
    with pytest.warns(UserWarning, match="bipartite"):
        graph.walk(PATH)
    graph.walk(PATH + np.diag([1.0, 0, 0]))
    triangles = np.kron(np.eye(2), np.ones((3, 3)) - np.eye(3))
    with pytest.warns(UserWarning, match="2 connected components"):
        graph.walk(triangles)


def test_components_in_order():
    """Components are numbered by their first vertices."""
    W = np.zeros((5, 5))
    for i, j in ((0, 4), (1, 3)):
        W[i, j] = W[j, i] = 1.0
    assert graph.components(W).tolist() == [0, 1, 2, 1, 0]
