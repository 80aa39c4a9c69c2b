"""The metrics by name: SciPy's distances, their parameters, and what is refused."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from aprendiz.neighbors.search.metrics import metric_of
from aprendiz.neighbors.search.search import search_of

RNG = np.random.default_rng(3)
X, Q = RNG.normal(size=(80, 4)) @ RNG.normal(size=(4, 4)), RNG.normal(size=(12, 4))
V = np.cov(X, rowvar=False)
WEIGHTS = np.array([1.0, 0.5, 2.0, 3.0])
CASES = [
    ("euclidean", {}, "euclidean", {}),
    ("l2", {}, "euclidean", {}),
    ("sqeuclidean", {}, "sqeuclidean", {}),
    ("l1", {}, "cityblock", {}),
    ("cityblock", {}, "cityblock", {}),
    ("manhattan", {}, "cityblock", {}),
    ("chebyshev", {}, "chebyshev", {}),
    ("infinity", {}, "chebyshev", {}),
    ("minkowski", {"p": 1.5}, "minkowski", {"p": 1.5}),
    ("minkowski", {"p": 3, "w": WEIGHTS}, "minkowski", {"p": 3, "w": WEIGHTS}),
    ("minkowski", {"p": 2, "w": WEIGHTS}, "minkowski", {"p": 2, "w": WEIGHTS}),
    ("minkowski", {"p": np.inf}, "chebyshev", {}),
    ("seuclidean", {}, "seuclidean", {"V": np.diag(V)}),
    ("seuclidean", {"V": WEIGHTS}, "seuclidean", {"V": WEIGHTS}),
    ("mahalanobis", {}, "mahalanobis", {"VI": np.linalg.inv(V)}),
    ("mahalanobis", {"V": V}, "mahalanobis", {"VI": np.linalg.inv(V)}),
    ("mahalanobis", {"VI": V}, "mahalanobis", {"VI": V}),
    ("cosine", {}, "cosine", {}),
]


@pytest.mark.parametrize(("metric", "parameters", "theirs", "their_parameters"), CASES)
@pytest.mark.parametrize("algorithm", ["brute", "kd_tree", "ball_tree"])
def test_same_as_scipy(metric, parameters, theirs, their_parameters, algorithm):
    """All distances, found by each search."""
    distances, indices = search_of(X, metric=metric, metric_params=parameters, algorithm=algorithm).nearest(Q, len(X))
    wanted = cdist(Q, X, theirs, **their_parameters)
    np.testing.assert_allclose(distances, np.take_along_axis(wanted, indices, axis=1), rtol=1e-11, atol=1e-15)


def test_hamming_is_a_share():
    rows = RNG.integers(0, 3, size=(50, 7)).astype(float)
    distances, indices = search_of(rows, metric="hamming").nearest(rows[:5], 50)
    np.testing.assert_allclose(distances, np.take_along_axis(cdist(rows[:5], rows, "hamming"), indices, axis=1), rtol=1e-15)


def test_cosine_keeps_its_digits():
    """Two directions at an angle of 10⁻⁹: 1 − cos is 5·10⁻¹⁹, below the rounding of 1."""
    rows = np.array([[1.0, 0.0], [1.0, 1e-9]])
    distances, _ = search_of(rows, metric="cosine").nearest(rows[:1], 2)
    np.testing.assert_allclose(distances[0], [0, 5e-19], rtol=1e-9)


def test_rows_of_zeros_have_no_direction():
    """They are at distance 1 from all others, as in scikit-learn, and 0 from their like."""
    rows = np.array([[0.0, 0.0], [3.0, 4.0], [0.0, 0.0]])
    distances, indices = search_of(rows, metric="cosine").nearest(rows[:1], 3)
    np.testing.assert_array_equal(indices[0], [0, 2, 1])
    np.testing.assert_allclose(distances[0], [0, 0, 1], rtol=1e-15)


@pytest.mark.parametrize(
    ("metric", "p"), [("euclidean", 2), ("minkowski", 7.5), ("manhattan", 2), ("cosine", 2), ("hamming", 2)]
)
def test_limits_of_radii(metric, p):
    """The limit is the largest sum whose distance is not above the radius: the next number is."""
    chosen = metric_of(X, metric, p)
    for radius in (0.0, 0.1, 0.3, 1 / 3, 0.75, 2.0):
        limit = chosen.limit(radius, 10)
        above = limit + 1 if metric == "hamming" else np.nextafter(limit, np.inf)
        assert chosen.distances(np.float64(limit), 10) <= radius
        assert chosen.distances(np.float64(above), 10) > radius or (metric == "hamming" and limit == 10)


@pytest.mark.parametrize(
    ("metric", "parameters", "message"),
    [
        ("manhattan", {"w": WEIGHTS}, "'manhattan' has no parameter 'w'; it has: none"),
        ("minkowski", {"w": [1, 2]}, "w must have one number for each of the 4 columns"),
        ("minkowski", {"w": [1, 2, -3, 4]}, r"w\[2\] is -3.0; weights must be at least 0"),
        ("minkowski", {"p": np.inf, "w": WEIGHTS}, "no meaning for p = inf"),
        ("minkowski", {"p": 0.001}, "with 4 columns the root of the sum is no number; use 0.01 or more"),
        ("seuclidean", {"V": [1, 0, 1, 1]}, "variance of column 1 is 0.0"),
        ("mahalanobis", {"V": V, "VI": V}, "not both"),
        ("mahalanobis", {"V": V[:2]}, "V must be 4 × 4"),
        ("mahalanobis", {"V": np.ones((4, 4))}, "not positive definite"),
        ("mahalanobis", {"VI": np.triu(V)}, "VI must be symmetric"),
    ],
)
def test_wrong_parameters(metric, parameters, message):
    with pytest.raises(ValueError, match=message):
        metric_of(X, metric, 2, parameters)
