"""Classical scaling: it gives points back from their distances, and says where there are no such points."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist
from sklearn.datasets import load_iris

from aprendiz import PCA, ClassicalMDS

X = load_iris().data[::3]


def distances(points):
    return cdist(points, points)


@settings(max_examples=30)
@given(st.integers(0, 10_000), st.integers(2, 30), st.integers(1, 5), st.integers(-30, 30))
def test_points_come_back(seed, n, columns, power):
    """Euclidean distances are those of the embedding with as many components, which is the table but for a rotation."""
    points = np.random.default_rng(seed).normal(size=(n, columns)) * 2.0**power
    model = ClassicalMDS(min(n, columns), metric="precomputed").fit(distances(points))
    Z = model.embedding_
    np.testing.assert_allclose(distances(Z), distances(points), atol=1e-7 * np.abs(points).max())
    U, _, Vt = np.linalg.svd(Z.T @ (points - points.mean(axis=0)), full_matrices=False)
    np.testing.assert_allclose(Z @ (U @ Vt), points - points.mean(axis=0), atol=1e-6 * np.abs(points).max())
    assert model.certificate_.holds
    assert model.certificate_.distance_error < 1e-7


def test_it_is_pca_of_the_rows():
    pca = PCA(2).fit(X)
    model = ClassicalMDS(2).fit(X)
    Z, T = model.embedding_, pca.transform(X)
    np.testing.assert_allclose(Z * np.sign(Z[0]), T * np.sign(T[0]), atol=1e-12)
    assert model.certificate_.share == pytest.approx(pca.explained_variance_ratio_.sum(), rel=1e-10)


def test_lanczos_finds_what_lapack_finds():
    """Beyond 400 rows, and of rows far from the origin."""
    rows = np.random.default_rng(0).normal(size=(450, 6)) * [9.0, 5.0, 3.0, 1.0, 1.0, 1.0]
    model = ClassicalMDS(2).fit(rows + 2.0**30)
    assert model.method_ == "lanczos"
    values = np.linalg.svd(rows - rows.mean(axis=0))[1] ** 2
    np.testing.assert_allclose(model.eigenvalues_, values[:2], rtol=1e-7)
    assert model.certificate_.holds


def test_no_points_have_these_dissimilarities():
    """Four towns in a ring of roads: no points in any space have these distances."""
    ring = [[0.0, 1.0, 2.0, 1.0], [1.0, 0.0, 1.0, 2.0], [2.0, 1.0, 0.0, 1.0], [1.0, 2.0, 1.0, 0.0]]
    with pytest.warns(UserWarning, match="1 of the 4 largest eigenvalues are negative"):
        model = ClassicalMDS(4, metric="precomputed").fit(ring)
    np.testing.assert_allclose(model.eigenvalues_, [2.0, 2.0, 0.0, -1.0], atol=1e-14)
    assert not model.embedding_[:, 3].any()
    assert model.certificate_.negative == pytest.approx(0.2)  # 1 of 2 + 2 + 1
    assert model.certificate_.holds


def test_alike_and_alone():
    """Rows that are all alike, and a single one, lie in one point."""
    for rows in (np.ones((5, 3)), np.ones((1, 3))):
        model = ClassicalMDS(1).fit(rows)
        assert not model.embedding_.any()


def test_other_metrics():
    """Any metric of pairs: those that sum over columns, and those that do not."""
    for metric, parameters in (("manhattan", None), ("canberra", None), ("minkowski", {"p": 3.0}), ("correlation", None)):
        model = ClassicalMDS(2, metric=metric, metric_params=parameters).fit(X)
        name = "cityblock" if metric == "manhattan" else metric
        np.testing.assert_allclose(model.dissimilarity_matrix_, cdist(X, X, name, **(parameters or {})), atol=1e-12)


@pytest.mark.parametrize(
    ("D", "words"),
    [
        ([[0.0, 1.0], [2.0, 0.0]], r"d\(row 0, row 1\) = 1, but d\(row 1, row 0\) = 2"),
        ([[0.0, 1.0], [1.0, 0.5]], r"d\(row 1, row 1\) = 0.5"),
        ([[0.0, -1.0], [-1.0, 0.0]], "negative"),
        ([[0.0, np.nan], [np.nan, 0.0]], "NaN"),
        ([[0.0, 1.0, 2.0], [1.0, 0.0, 1.0]], "square"),
        ([[0.0, 1e200], [1e200, 0.0]], "too large to be squared"),
    ],
)
def test_bad_dissimilarities(D, words):
    with pytest.raises(ValueError, match=words):
        ClassicalMDS(1, metric="precomputed").fit(D)


def test_bad_numbers():
    with pytest.raises(ValueError, match="n_components=4"):
        ClassicalMDS(4).fit([[1.0, 2.0], [2.0, 3.0], [3.0, 1.0]])
    with pytest.warns(UserWarning, match="precomputed"):
        ClassicalMDS(1).fit([[0.0, 1.0], [1.0, 0.0]])
