"""Locally linear embedding: the weights and the equations of the four methods, and scikit-learn's coordinates."""

import numpy as np
import pytest
from sklearn import manifold
from sklearn.datasets import make_s_curve

from aprendiz import LocallyLinearEmbedding, NearestNeighbors
from aprendiz.decomposition import locally_linear_embedding
from aprendiz.decomposition.local_weights.barycenters import barycenters
from aprendiz.decomposition.local_weights.constraints import equations

X, ALONG = make_s_curve(200, random_state=0)
PLANE = np.random.default_rng(0).uniform(size=(90, 2))
FLAT = PLANE @ np.array([[1.0, 2.0, 0.5], [-1.0, 0.3, 1.0]])  # a sheet in space
METHODS = ("standard", "modified", "ltsa", "hessian")


def upright(T):
    return T * np.sign(T[np.abs(T).argmax(axis=0), np.arange(T.shape[1])])


# ---- beside scikit-learn ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS[:3])
def test_as_scikit_learn(method):
    settings = {"n_neighbors": 10, "method": method, "random_state": 0}
    ours = LocallyLinearEmbedding(**settings).fit(X)
    theirs = manifold.LocallyLinearEmbedding(**settings, eigen_solver="dense").fit(X)
    np.testing.assert_allclose(ours.embedding_, upright(theirs.embedding_), atol=1e-7)
    assert ours.reconstruction_error_ == pytest.approx(theirs.reconstruction_error_, rel=1e-6)
    signs = np.sign(ours.embedding_[0] * theirs.embedding_[0])
    np.testing.assert_allclose(ours.transform(X[:9] + 0.05), theirs.transform(X[:9] + 0.05) * signs, atol=1e-6)
    assert ours.certificate_.holds


def test_block_lanczos_finds_what_lapack_finds():
    rows = make_s_curve(500, random_state=1)[0]
    one, other = (
        LocallyLinearEmbedding(n_neighbors=9, eigen_solver=how, random_state=0).fit(rows) for how in ("auto", "dense")
    )
    assert (one.method_, other.method_) == ("inverse block Lanczos", "LAPACK")
    np.testing.assert_allclose(one.embedding_, other.embedding_, atol=1e-6)


def test_function():
    Y, error = locally_linear_embedding(X, n_neighbors=8, n_components=2)
    model = LocallyLinearEmbedding(n_neighbors=8).fit(X)
    assert np.array_equal(Y, model.embedding_)
    assert error == model.reconstruction_error_
    assert np.array_equal(locally_linear_embedding(NearestNeighbors().fit(X), n_neighbors=8, n_components=2)[0], Y)


# ---- the equations ---------------------------------------------------------------------------------------------------


def test_weights_are_their_definition():
    """They sum to 1, and minimise the penalised distance: the gradient is the same for all neighbours."""
    near = NearestNeighbors(n_neighbors=7).fit(X).kneighbors(return_distance=False)
    W = barycenters(X, X, near, 1e-3)
    np.testing.assert_allclose(W.sum(axis=1), 1.0)
    for i in (0, 77):
        apart = X[near[i]] - X[i]
        G = apart @ apart.T
        gradient = (G + 1e-3 * np.trace(G) * np.eye(7)) @ W[i]
        np.testing.assert_allclose(gradient, gradient[0], rtol=1e-8)


@pytest.mark.parametrize("method", METHODS)
def test_a_plane_satisfies_the_equations(method):
    """Places in a flat sheet are coordinates that meet all equations but for the penalty of the weights, and so do constants.
    Coordinates that bend do not."""
    near = NearestNeighbors(n_neighbors=9).fit(FLAT).kneighbors(return_distance=False)
    R = equations(FLAT, near, method, 2, 1e-9, 1e-12)
    assert np.abs(R @ np.ones(len(FLAT))).max() < 1e-10
    assert np.abs(R @ PLANE).max() < (5e-3 if method == "modified" else 1e-6)  # its penalty is fixed, as in scikit-learn
    assert np.abs(R @ PLANE[:, 0] ** 2).max() > 1e-2


def test_hessian_has_the_equations_of_second_derivatives_alone():
    """Three for each row in two dimensions; squares violate them as much as those of the tangent plane, noise less."""
    near = NearestNeighbors(n_neighbors=9).fit(FLAT).kneighbors(return_distance=False)
    of = {method: equations(FLAT, near, method, 2, 1e-3, 1e-12) for method in ("hessian", "ltsa")}
    assert of["hessian"].shape == (3 * len(FLAT), len(FLAT))
    noise = np.random.default_rng(1).normal(size=len(FLAT))
    assert np.linalg.norm(of["hessian"] @ noise) < np.linalg.norm(of["ltsa"] @ noise)
    square = PLANE[:, 0] ** 2
    assert np.linalg.norm(of["hessian"] @ square) == pytest.approx(np.linalg.norm(of["ltsa"] @ square), rel=1e-8)


@pytest.mark.parametrize("method", METHODS)
def test_a_sheet_is_laid_flat(method):
    """The embedding is a linear function of the places in the sheet, so nearly that no row is off by half a hundredth."""
    model = LocallyLinearEmbedding(n_neighbors=9, method=method, reg=1e-9).fit(FLAT)
    design = np.column_stack([np.ones(len(PLANE)), PLANE])
    left = model.embedding_ - design @ np.linalg.lstsq(design, model.embedding_, rcond=None)[0]
    assert np.abs(left).max() < 5e-3 * np.abs(model.embedding_).max()


# ---- data ------------------------------------------------------------------------------------------------------------


def test_units_and_places_change_nothing():
    rows = np.round(X * 64) / 64
    here, scaled, moved = (LocallyLinearEmbedding(n_neighbors=8).fit(t) for t in (rows, rows * 2.0**20, rows + 2.0**30))
    assert np.array_equal(here.embedding_, moved.embedding_)
    np.testing.assert_allclose(here.embedding_, scaled.embedding_, atol=1e-9)


def test_rows_that_are_alike():
    rows = np.repeat(X[::4], 2, axis=0)
    model = LocallyLinearEmbedding(n_neighbors=8).fit(rows)
    assert np.isfinite(model.embedding_).all()
    assert model.certificate_.holds


def test_parts():
    with pytest.warns(UserWarning, match="falls into 2 parts"):
        LocallyLinearEmbedding(n_neighbors=5).fit(np.vstack([X[:50], X[:40] + 50.0]))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"n_components": 4}, "output dimension"),
        ({"n_neighbors": 200}, "n_neighbors < n_samples"),
        ({"method": "hessian"}, "n_neighbors must be at least 6"),
        ({"method": "modified", "n_neighbors": 1}, "n_neighbors must be at least 2"),
        ({"reg": 0.0, "n_neighbors": 8}, "reg above 0"),
    ],
)
def test_bad_parameters(changes, words):
    rows = np.round(X * 2) if "reg" in changes else X
    with pytest.raises(ValueError, match=words):
        LocallyLinearEmbedding(**changes).fit(rows)
