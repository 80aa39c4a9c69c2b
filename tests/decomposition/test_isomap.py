"""Isomap: true shortest paths, the embedding of scikit-learn, parts that are joined, and new rows."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.sparse.csgraph import shortest_path
from scipy.spatial.distance import cdist
from scipy.stats import spearmanr
from sklearn import manifold
from sklearn.datasets import make_s_curve

import aprendiz
from aprendiz import Isomap, NearestNeighbors
from aprendiz.decomposition.geodesics.evidence import path_error, worst
from aprendiz.decomposition.geodesics.neighbor_graph import DisconnectedGraphError, both_ways
from aprendiz.decomposition.geodesics.shortest_paths import shortest_paths
from aprendiz.decomposition.geodesics.stored_paths import paths_agree

X, ALONG = make_s_curve(300, random_state=0)
TWO = np.vstack([np.arange(12.0)[:, None] * [1.0, 0.1], np.arange(8.0)[:, None] * [0.5, -0.1] + [30.0, 5.0]])


@pytest.fixture(scope="module")
def model():
    return Isomap(n_neighbors=8).fit(X)


@pytest.fixture(scope="module")
def theirs():
    return manifold.Isomap(n_neighbors=8).fit(X)


def upright(T):
    return T * np.sign(T[np.abs(T).argmax(axis=0), np.arange(T.shape[1])])


# ---- paths -----------------------------------------------------------------------------------------------------------


@settings(max_examples=40)
@given(st.integers(0, 10_000), st.integers(1, 40), st.floats(0.0, 3.0))
def test_paths_are_shortest(seed, n, edges):
    """As SciPy finds them: any graph, with edges of no length, parallel ones, and parts without a path between them."""
    rng = np.random.default_rng(seed)
    count = int(edges * n)
    rows, columns = rng.integers(0, n, (2, count))
    lengths = rng.integers(0, 4, count).astype(float)
    graph = both_ways(n, rows[rows != columns], columns[rows != columns], lengths[rows != columns])
    wanted = shortest_path(graph, method="D", directed=False)
    found = shortest_paths(graph)
    assert np.array_equal(found, wanted)
    if np.isfinite(wanted).all() and wanted.any():
        assert path_error(graph, found) < 1e-10
        for change in (0.5, -0.5):
            i, j = np.unravel_index(wanted.argmax(), wanted.shape)
            other = wanted.copy()
            other[i, j] += change
            other[j, i] += change
            assert path_error(graph, other) > 0.01


def test_edges_of_no_length_hide_no_wrong_paths():
    """Two twins that vouch for each other, at a distance that no path has."""
    graph = both_ways(3, np.array([0, 1]), np.array([1, 2]), np.array([5.0, 0.0]))
    assert path_error(graph, np.array([[0.0, 5.0, 5.0], [5.0, 0.0, 0.0], [5.0, 0.0, 0.0]])) < 1e-10
    wrong = np.array([[0.0, 4.0, 4.0], [4.0, 0.0, 0.0], [4.0, 0.0, 0.0]])
    assert path_error(graph, wrong) > 0.1
    edges = graph.indptr.astype(np.int64), graph.indices.astype(np.int64), graph.data
    assert worst(*edges, np.array([0, 1, 1]), wrong[:1], 0) == 1.0  # from the first vertex alone


def test_distances_of_the_fit(model, theirs):
    assert np.array_equal(model.dist_matrix_, model.dist_matrix_.T)
    np.testing.assert_allclose(model.dist_matrix_, theirs.dist_matrix_, rtol=1e-13)


def test_rows_that_are_alike():
    """Duplicates are joined by edges of no length, which are edges."""
    rows = np.repeat(X[:40], 3, axis=0)
    twice = Isomap(n_neighbors=30).fit(rows)
    assert twice.n_connected_components_ == 1
    assert not twice.dist_matrix_[0, :3].any()
    np.testing.assert_allclose(twice.embedding_[::3], twice.embedding_[1::3], atol=1e-9)
    assert twice.certificate_.holds


# ---- the embedding ---------------------------------------------------------------------------------------------------


def test_as_scikit_learn(model, theirs):
    np.testing.assert_allclose(upright(model.embedding_), upright(theirs.embedding_), atol=1e-10)
    assert model.reconstruction_error() == pytest.approx(theirs.reconstruction_error(), rel=1e-9)
    np.testing.assert_allclose(upright(model.transform(X[:40] + 0.1)), upright(theirs.transform(X[:40] + 0.1)), atol=1e-10)
    assert model.certificate_.holds


def test_a_bent_sheet_is_unrolled(model):
    """The first coordinate is in the order of the places along the sheet, which no projection of the rows is."""
    assert abs(spearmanr(model.embedding_[:, 0], ALONG).statistic) > 0.99


def test_training_rows_are_where_they_were(model):
    np.testing.assert_allclose(model.transform(X), model.embedding_, atol=1e-10)


def test_shift_changes_nothing(model):
    rows = np.round(X * 64) / 64
    here, there = (Isomap(n_neighbors=8).fit(rows + offset) for offset in (0.0, 2.0**30))
    assert np.array_equal(here.embedding_, there.embedding_)


def test_other_ways_to_say_what_is_near(model):
    """A table of distances, a sparse graph of them, a fitted search, a radius."""
    D = cdist(X, X)
    np.testing.assert_allclose(Isomap(n_neighbors=8, metric="precomputed").fit(D).embedding_, model.embedding_, atol=1e-9)
    graph = NearestNeighbors(n_neighbors=8).fit(X).kneighbors_graph(mode="distance")
    given = Isomap(n_neighbors=8, metric="precomputed").fit(graph)
    np.testing.assert_allclose(given.embedding_, model.embedding_, atol=1e-9)
    assert np.array_equal(Isomap(n_neighbors=8).fit(NearestNeighbors().fit(X)).embedding_, model.embedding_)
    ball = Isomap(n_neighbors=None, radius=0.8).fit(X)
    twin = manifold.Isomap(n_neighbors=None, radius=0.8).fit(X)
    np.testing.assert_allclose(upright(ball.embedding_), upright(twin.embedding_), atol=1e-10)
    assert Isomap(n_neighbors=8).fit(sparse.csr_array(X)).n_connected_components_ == 1


def test_distances_that_are_none():
    """A table of distances has the same number both ways and zeros on its diagonal; a graph has edges in one direction, too."""
    D = cdist(X[:30], X[:30])
    skew, loose = D.copy(), D + np.eye(30)
    skew[3, 5] *= 2.0
    for table, words in ((skew, r"not symmetric: d\(row 3, row 5\)"), (loose, "to itself must be 0")):
        with pytest.raises(ValueError, match=words):
            Isomap(n_neighbors=8, metric="precomputed").fit(table)


# ---- parts -----------------------------------------------------------------------------------------------------------


def test_parts_are_joined():
    """Two strings of rows, joined where they are nearest, as scikit-learn does, with a warning that counts them."""
    with pytest.warns(UserWarning, match=r"is 2 > 1: of 12, 8 rows"):
        model = Isomap(n_neighbors=2).fit(TWO)
    with warnings.catch_warnings(action="ignore"):
        theirs = manifold.Isomap(n_neighbors=2).fit(TWO)
    np.testing.assert_allclose(model.dist_matrix_, theirs.dist_matrix_, rtol=1e-13)
    assert model.n_connected_components_ == 2
    assert model.certificate_.holds


def test_parts_of_many_kinds():
    """Given distances say how far parts are from each other; a sparse graph of them does not."""
    three = np.vstack([TWO, TWO[:6] + 100.0])
    with warnings.catch_warnings(action="ignore"):
        one = Isomap(n_neighbors=2).fit(three)
        other = Isomap(n_neighbors=2, metric="precomputed").fit(cdist(three, three))
    np.testing.assert_allclose(one.dist_matrix_, other.dist_matrix_, rtol=1e-12)
    graph = NearestNeighbors(n_neighbors=2).fit(TWO).kneighbors_graph(mode="distance")
    with pytest.raises(DisconnectedGraphError, match="2 > 1"):
        Isomap(n_neighbors=2, metric="precomputed").fit(graph)


# ---- files -----------------------------------------------------------------------------------------------------------


def test_a_model_from_a_file(model, tmp_path):
    """It places new rows as before; distances of other rows than those of the search are refused."""
    aprendiz.save(model, tmp_path / "model.apz")
    loaded = aprendiz.load(tmp_path / "model.apz")
    assert np.array_equal(loaded.transform(X[:5]), model.transform(X[:5]))
    assert loaded.certificate_.holds
    held = vars(model)
    assert paths_agree(held)
    assert not paths_agree({**held, "dist_matrix_": model.dist_matrix_[:9, :9]})
    graph = model.graph_.copy()
    graph.indices[3] = 10**6
    assert not paths_agree({**held, "graph_": graph})


# ---- bad input -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"n_neighbors": 20}, "n_neighbors"),
        ({"n_neighbors": 3, "radius": 1.0}, "Both n_neighbors and radius are provided"),
        ({"n_neighbors": None}, "Neither"),
        ({"n_components": 21}, "n_components=21"),
    ],
)
def test_bad_parameters(changes, words):
    with pytest.raises(ValueError, match=words):
        Isomap(**changes).fit(TWO)


def test_one_row():
    with pytest.raises(ValueError, match="n_samples=1"):
        Isomap().fit([[1.0, 2.0]])


def test_a_new_row_without_neighbours():
    with warnings.catch_warnings(action="ignore"):
        model = Isomap(n_neighbors=None, radius=2.0).fit(TWO)
    with pytest.raises(ValueError, match="Row 1 of X has no neighbours"):
        model.transform([[1.0, 0.0], [1e3, 0.0]])
