"""The course on scaling and on manifolds (A I.2.3): few dimensions that keep distances, and a spiral that is not crossed."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from scipy.stats import spearmanr

from aprendiz import MDS, PCA, ClassicalMDS, Isomap, stress

RNG = np.random.default_rng(0)
FLAT = RNG.normal(size=(40, 2)) @ np.linalg.qr(RNG.normal(size=(6, 2)))[0].T  # a plane in six dimensions
PLACE = np.linspace(1.0, 4.0 * np.pi, 120)
SPIRAL = np.column_stack([PLACE * np.cos(PLACE), PLACE * np.sin(PLACE)])


def test_a_space_of_few_dimensions_that_keeps_distances():
    """Two dimensions keep all distances of rows that lie in a plane; one dimension does not."""
    D = cdist(FLAT, FLAT)
    assert stress(D, ClassicalMDS(2).fit_transform(FLAT)) < 1e-12
    assert stress(D, ClassicalMDS(1).fit_transform(FLAT)) > 0.2
    assert stress(D, MDS(2, init="classical_mds").fit_transform(FLAT)) < 1e-12


def test_between_cases_of_the_space_of_high_dimension():
    """Distances are all that is needed: from their table come the same points as from the rows."""
    from_rows, from_distances = ClassicalMDS(2).fit(FLAT), ClassicalMDS(2, metric="precomputed").fit(cdist(FLAT, FLAT))
    np.testing.assert_allclose(from_rows.embedding_, from_distances.embedding_, atol=1e-12)


def test_majorization_keeps_distances_better_than_projection():
    """What scaling minimises it makes smaller than principal components do."""
    rows = RNG.normal(size=(50, 6))
    D = cdist(rows, rows)
    projected, scaled = PCA(2).fit_transform(rows), MDS(2, init="classical_mds", eps=1e-9, max_iter=1000).fit_transform(rows)
    assert stress(D, scaled, normalized=False) < 0.75 * stress(D, projected, normalized=False)


def test_a_spiral_is_not_crossed():
    """From one turn to the next there is no way but along the spiral: straight distances are short, geodesics are long, and one
    dimension has the rows in their order, which no projection has."""
    model = Isomap(n_neighbors=2, n_components=1).fit(SPIRAL)
    one, other = 20, int(np.argmin(np.abs(PLACE - PLACE[20] - 2.0 * np.pi)))  # the same direction, a turn later
    straight, along = np.linalg.norm(SPIRAL[one] - SPIRAL[other]), model.dist_matrix_[one, other]
    assert straight == pytest.approx(2.0 * np.pi, abs=0.1)
    assert along == pytest.approx(np.linalg.norm(np.diff(SPIRAL[one : other + 1], axis=0), axis=1).sum(), rel=1e-9)
    assert along > 5.0 * straight
    assert abs(spearmanr(model.embedding_[:, 0], PLACE).statistic) == pytest.approx(1.0)
    assert abs(spearmanr(PCA(1).fit_transform(SPIRAL)[:, 0], PLACE).statistic) < 0.5


def test_locally_euclidean():
    """Among near neighbours the distances along the surface are the straight ones."""
    model = Isomap(n_neighbors=3).fit(SPIRAL)
    edges = model.graph_.tocoo()
    np.testing.assert_allclose(model.dist_matrix_[edges.coords], edges.data, rtol=1e-12)
    np.testing.assert_allclose(
        edges.data, np.linalg.norm(SPIRAL[edges.coords[0]] - SPIRAL[edges.coords[1]], axis=1), rtol=1e-12
    )
