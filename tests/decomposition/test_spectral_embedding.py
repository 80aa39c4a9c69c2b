"""Spectral embedding: eigenvectors of the Laplacian, as scikit-learn has them."""

import numpy as np
import pytest
from scipy import linalg, sparse
from sklearn import manifold
from sklearn.datasets import make_s_curve
from sklearn.metrics.pairwise import rbf_kernel

from aprendiz import NearestNeighbors, SpectralEmbedding
from aprendiz.decomposition import spectral_embedding

X, ALONG = make_s_curve(120, random_state=0)
W = rbf_kernel(X, gamma=1.0)


def check(found, wanted):
    np.testing.assert_allclose(found, wanted, atol=1e-8 * np.abs(wanted).max())


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"n_neighbors": 15},
        {"affinity": "rbf"},
        {"affinity": "rbf", "gamma": 2.0, "n_components": 4},
        {"affinity": lambda rows: rbf_kernel(rows, gamma=0.5)},
    ],
    ids=["neighbours", "15 neighbours", "rbf", "rbf of a gamma", "function"],
)
def test_as_scikit_learn(settings):
    ours, theirs = (kind(**settings, random_state=0).fit(X) for kind in (SpectralEmbedding, manifold.SpectralEmbedding))
    check(ours.embedding_, theirs.embedding_)
    there = theirs.affinity_matrix_
    np.testing.assert_allclose(as_dense(ours.affinity_matrix_), as_dense(there), atol=1e-14)
    assert ours.certificate_.holds


def as_dense(table):
    return table.toarray() if sparse.issparse(table) else table


def test_definition():
    """Lu = λDu, without the first."""
    bare = W - np.diag(np.diag(W))
    D = np.diag(bare.sum(axis=1))
    values, vectors = linalg.eigh(D - bare, D)
    model = SpectralEmbedding(3, affinity="precomputed").fit(W)
    np.testing.assert_allclose(model.eigenvalues_, values[1:4], rtol=1e-10)
    check(model.embedding_ * np.sign(model.embedding_[0]), vectors[:, 1:4] * np.sign(vectors[0, 1:4]))
    assert np.allclose(model.embedding_.T @ D @ model.embedding_, np.eye(3), atol=1e-9)


def test_a_graph_of_neighbours_that_is_given():
    graph = NearestNeighbors(n_neighbors=12).fit(X).kneighbors_graph(mode="distance")
    ours = SpectralEmbedding(affinity="precomputed_nearest_neighbors", n_neighbors=10).fit(graph)
    theirs = manifold.SpectralEmbedding(affinity="precomputed_nearest_neighbors", n_neighbors=10, random_state=0).fit(graph)
    check(ours.embedding_, theirs.embedding_)


@pytest.mark.parametrize("settings", [{}, {"norm_laplacian": False}, {"drop_first": False}, {"n_components": 2}], ids=str)
def test_function(settings):
    for graph in (W, sparse.csr_array(W)):
        check(spectral_embedding(graph, **settings), manifold.spectral_embedding(W, random_state=0, **settings))


def test_neighbours_stay_near():
    model = SpectralEmbedding(1, n_neighbors=12).fit(X)
    assert abs(np.corrcoef(np.argsort(np.argsort(model.embedding_[:, 0])), np.argsort(np.argsort(ALONG)))[0, 1]) > 0.99


def test_parts_are_told_apart():
    """Two parts: a warning, and a first coordinate with one value in each."""
    rows = np.vstack([X[:40], X[:30] + 100.0])
    with pytest.warns(UserWarning, match="2 connected components"):
        model = SpectralEmbedding(1, n_neighbors=8).fit(rows)
    assert np.ptp(model.embedding_[:40]) < 1e-12
    assert np.ptp(model.embedding_[40:]) < 1e-12
    assert abs(model.embedding_[0, 0] - model.embedding_[50, 0]) > 1e-3


def test_another_affinity_forgets():
    model = SpectralEmbedding(n_neighbors=12).fit(X)
    assert model.n_neighbors_ == 12
    model.set_params(affinity="rbf").fit(X)
    assert not hasattr(model, "n_neighbors_")
    assert model.gamma_ == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("changes", "rows", "words"),
    [
        ({"n_components": 5}, X[:5], "n_samples=5 should be > n_components=5"),
        ({"n_neighbors": 200}, X, "n_neighbors"),
        ({"affinity": "precomputed"}, [[0.0, -1.0], [-1.0, 0.0]], "negative weight"),
        ({"affinity": "precomputed", "n_components": 1}, W[:, :7], "square"),
        ({"affinity": "nonsense"}, X, "affinity"),
    ],
)
def test_bad_input(changes, rows, words):
    with pytest.raises(ValueError, match=words):
        SpectralEmbedding(**{"n_components": 1, **changes}).fit(rows)
