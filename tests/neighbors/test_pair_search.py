"""Metrics that are no plain sum over columns, haversine, and scikit-learn's DistanceMetric objects."""

import numpy as np
import pytest
from scipy import sparse
from scipy.spatial.distance import cdist
from sklearn.metrics import DistanceMetric
from sklearn.metrics.pairwise import haversine_distances, nan_euclidean_distances, pairwise_distances
from sklearn.neighbors import KDTree as TheirKDTree
from sklearn.neighbors import NearestNeighbors as TheirNeighbors

from aprendiz.neighbors.ball_tree import BallTree
from aprendiz.neighbors.k_neighbors_classifier import KNeighborsClassifier
from aprendiz.neighbors.kd_tree import KDTree
from aprendiz.neighbors.nearest_neighbors import NearestNeighbors
from aprendiz.neighbors.search.pair_search import OF_TRUTH

RNG = np.random.default_rng(3)
X, Q = RNG.normal(size=(120, 4)), RNG.normal(size=(15, 4))
TRUTHS, MORE = RNG.random((90, 7)) < 0.4, RNG.random((12, 7)) < 0.4
PLACES = np.column_stack([RNG.uniform(-1.5, 1.5, 700), RNG.uniform(-np.pi, np.pi, 700)])


@pytest.mark.parametrize("metric", ["canberra", "braycurtis", "correlation"])
@pytest.mark.parametrize("algorithm", ["brute", "auto"])
def test_as_scipy(metric, algorithm):
    wanted = np.sort(cdist(Q, X, metric), axis=1)[:, :6]
    found = NearestNeighbors(n_neighbors=6, metric=metric, algorithm=algorithm).fit(X).kneighbors(Q)[0]
    np.testing.assert_allclose(found, wanted, rtol=1e-12)


@pytest.mark.parametrize("metric", OF_TRUTH)
def test_between_rows_of_truth(metric):
    """Numbers other than 0 are True. Two rows without a True are at distance 0."""
    points = TRUTHS.copy()
    points[3] = MORE[4] = False
    if metric == "sokalmichener":
        wanted = DistanceMetric.get_metric(metric).pairwise(MORE, points)
    else:
        wanted = np.nan_to_num(pairwise_distances(MORE, points, metric=metric), nan=0.0)  # of two rows without a True
    found = NearestNeighbors(n_neighbors=90, metric=metric).fit(points * 2.5).kneighbors(MORE * -1.0)
    np.testing.assert_allclose(found[0], np.sort(wanted, axis=1), atol=1e-15)
    if metric in BallTree.valid_metrics:
        np.testing.assert_allclose(
            BallTree(points, metric=metric).query(MORE, 5)[0], np.sort(wanted, axis=1)[:, :5], atol=1e-15
        )


def test_nan_euclidean():
    """Missing cells are left out of both rows; rows without a column in common are infinitely far apart."""
    table = np.where(RNG.random(X.shape) < 0.3, np.nan, X)
    table[5] = [1.0, np.nan, np.nan, np.nan]
    model = NearestNeighbors(n_neighbors=8, metric="nan_euclidean").fit(table)
    query = table[30:40]
    wanted = np.sort(np.nan_to_num(nan_euclidean_distances(query, table), nan=np.inf), axis=1)[:, :8]
    np.testing.assert_allclose(model.kneighbors(query)[0], wanted, rtol=1e-7, atol=1e-7)  # theirs by ‖x‖² − 2xᵀq + ‖q‖²
    assert model.kneighbors([[np.nan, 1.0, 2.0, 3.0]], 120)[0][0, -1] == np.inf
    assert KNeighborsClassifier(3, metric="nan_euclidean").fit(table, np.arange(120) % 2).predict(query).shape == (10,)


@pytest.mark.parametrize("algorithm", ["brute", "kd_tree", "ball_tree"])
def test_haversine(algorithm):
    """Across the date line and near the poles; every search, and densities on the sphere."""
    model = NearestNeighbors(n_neighbors=9, radius=0.3, metric="haversine", algorithm=algorithm).fit(PLACES)
    queries = np.array([[0.1, np.pi - 0.01], [1.56, 0.0], [-1.5, 2.0], [0.0, 0.0]])
    all_of_them = haversine_distances(queries, PLACES)
    np.testing.assert_allclose(model.kneighbors(queries)[0], np.sort(all_of_them, axis=1)[:, :9], rtol=1e-10)
    inside = model.radius_neighbors(queries)[1]
    assert [sorted(one) for one in inside] == [list(np.flatnonzero(row <= 0.3)) for row in all_of_them]
    found = BallTree(PLACES, leaf_size=9, metric="haversine").kernel_density(queries, 0.2, "linear", return_log=False)
    np.testing.assert_allclose(found, (np.maximum(1 - all_of_them / 0.2, 0)).sum(axis=1) * 3 / (np.pi * 0.04), rtol=1e-7)
    with pytest.raises(ValueError, match=r"only valid in 2 dimensions.*which has 4"):
        NearestNeighbors(metric="haversine").fit(X)


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("euclidean", {}),
        ("manhattan", {}),
        ("minkowski", {"p": 3}),
        ("minkowski", {"p": 3, "w": np.arange(1.0, 5.0)}),
        ("seuclidean", {"V": np.arange(1.0, 5.0)}),
        ("mahalanobis", {"VI": np.eye(4) + 0.2}),
        ("canberra", {}),
        ("pyfunc", {"func": lambda a, b: np.abs(a - b).sum()}),
    ],
)
def test_distance_metric_objects(name, parameters):
    metric = DistanceMetric.get_metric(name, **parameters)
    wanted = np.sort(metric.pairwise(Q, X), axis=1)[:, :4]
    model = NearestNeighbors(n_neighbors=4, metric=metric).fit(X)
    np.testing.assert_allclose(model.kneighbors(Q)[0], wanted, rtol=1e-11)
    assert model.effective_metric_ is metric
    np.testing.assert_allclose(BallTree(X, metric=metric).query(Q, 4)[0], wanted, rtol=1e-11)
    with pytest.raises(ValueError, match="metric of NearestNeighbors must be str or a function or DistanceMetric, got 5"):
        NearestNeighbors(metric=5).fit(X)
    with pytest.raises(ValueError, match=r"one of braycurtis, canberra, .*, nan_euclidean, .*; got 'cubic'"):
        NearestNeighbors(metric="cubic").fit(X)


def test_singular_mahalanobis():
    """A matrix VI of lower rank: rows that differ where it does not look are at distance 0. A negative one is refused."""
    VI = np.diag([1.0, 2.0, 0.0, 0.0])
    found = NearestNeighbors(n_neighbors=5, metric="mahalanobis", metric_params={"VI": VI}).fit(X).kneighbors(Q)[0]
    np.testing.assert_allclose(found, np.sort(cdist(Q, X, "mahalanobis", VI=VI), axis=1)[:, :5], rtol=1e-12)
    with pytest.raises(ValueError, match="not positive semi-definite"):
        NearestNeighbors(metric="mahalanobis", metric_params={"VI": np.diag([1.0, 1.0, 1.0, -1.0])}).fit(X)


def test_fitted_indexes_as_tables():
    """A tree or a fitted learner gives its rows and its metric, also after a copy."""
    wanted = np.sort(cdist(Q, X, "cityblock"), axis=1)[:, :3]
    sources = [
        KDTree(X, metric="manhattan"),
        BallTree(X, metric="manhattan"),
        TheirKDTree(X, metric="manhattan"),
        NearestNeighbors(metric="manhattan").fit(X),
        TheirNeighbors(metric="manhattan").fit(X),
    ]
    for source in sources:
        model = KNeighborsClassifier(3).fit(source, np.arange(120) % 3)
        np.testing.assert_allclose(model.kneighbors(Q)[0], wanted, rtol=1e-12)
        assert model.effective_metric_ == "manhattan"
        assert model.n_features_in_ == 4


def test_a_radius_for_each_query():
    radii = np.linspace(0.0, 2.0, len(Q))
    apart = cdist(Q, X)
    for algorithm in ("brute", "kd_tree"):
        distances, indices = NearestNeighbors(algorithm=algorithm).fit(X).radius_neighbors(Q, radii, sort_results=True)
        assert [sorted(one) for one in indices] == [list(np.flatnonzero(row <= r)) for row, r in zip(apart, radii, strict=True)]
        assert all((np.diff(one) >= 0).all() for one in distances)
    with pytest.raises(ValueError, match="one for each of the 15 rows"):
        NearestNeighbors().fit(X).radius_neighbors(Q, radii[:3])


def test_formats_that_lose_zeros():
    distances = pairwise_distances(X)
    model = KNeighborsClassifier(3, metric="precomputed").fit(distances, np.arange(120) % 2)
    with pytest.raises(TypeError, match="'bsr' format is not supported due to its handling of explicit zeros"):
        model.predict(sparse.bsr_array(distances))


def test_p_given_twice():
    with pytest.warns(SyntaxWarning, match="p is found in metric_params"):
        model = KNeighborsClassifier(metric_params={"p": 3}).fit(X, np.arange(120) % 2)
    assert model.effective_metric_params_["p"] == 3
