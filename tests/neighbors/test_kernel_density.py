"""Kernel densities and pair counts of trees: their tolerances, their logarithms far away, their integrals."""

import pickle

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.spatial.distance import cdist
from scipy.special import gamma
from sklearn.neighbors import BallTree as TheirBallTree
from sklearn.neighbors import KDTree as TheirKDTree

from aprendiz.neighbors.ball_tree import BallTree
from aprendiz.neighbors.kd_tree import KDTree
from aprendiz.neighbors.search.kernel_sums import KERNELS
from aprendiz.neighbors.search.kernel_volumes import log_scale

RNG = np.random.default_rng(11)
X, Q = RNG.normal(size=(400, 3)), RNG.normal(size=(25, 3))
Q[0] = 30.0  # far from all points
BOTH = pytest.mark.parametrize(("ours", "theirs"), [(KDTree, TheirKDTree), (BallTree, TheirBallTree)])
TREES = pytest.mark.parametrize("tree", [KDTree, BallTree])
SHAPES = {
    "gaussian": lambda u: np.exp(-0.5 * u * u),
    "exponential": lambda u: np.exp(-u),
    "tophat": lambda u: 1.0 * (u < 1),
    "epanechnikov": lambda u: (1 - u * u) * (u < 1),
    "linear": lambda u: (1 - u) * (u < 1),
    "cosine": lambda u: np.cos(0.5 * np.pi * u) * (u < 1),
}


@BOTH
@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "chebyshev", "minkowski"])
def test_density_is_the_sum(ours, theirs, kernel, metric):
    """All kernels and metrics: the plain sum, and scikit-learn's, which has lost digits where the density is low."""
    power = {"p": 3} if metric == "minkowski" else {}
    found = ours(X, leaf_size=10, metric=metric, **power).kernel_density(Q, 0.7, kernel, rtol=0)
    apart = cdist(Q, X, "cityblock" if metric == "manhattan" else metric, **power)
    plain = np.exp(log_scale(KERNELS[kernel], 0.7, 3)) * SHAPES[kernel](apart / 0.7).sum(axis=1)
    np.testing.assert_allclose(found, plain, rtol=1e-12)
    wanted = theirs(X, metric=metric, **power).kernel_density(Q, 0.7, kernel)
    np.testing.assert_allclose(found, wanted, rtol=1e-7, atol=1e-9)


@BOTH
@pytest.mark.parametrize("kernel", ["gaussian", "exponential"])
def test_logarithms_far_away(ours, theirs, kernel):
    """Where the density itself is 0 in doubles."""
    far = np.array([[1e3, 0, 0], [-40.0, 0, 9]])
    found, wanted = (tree(X).kernel_density(far, 0.1, kernel, return_log=True) for tree in (ours, theirs))
    np.testing.assert_allclose(found, wanted, atol=3e-8)  # rtol, the default of both, as a difference of logarithms
    assert (found < -800).any()


@TREES
@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize(("atol", "rtol"), [(0.0, 1e-2), (1e-3, 0.0), (1e3, 0.0), (1e-3, 1e-3)])
def test_tolerances_are_kept(tree, kernel, atol, rtol):
    points = np.concatenate([X, RNG.normal(size=(3000, 3)) / 4 + 2])
    index = tree(points, leaf_size=5)
    exact = index.kernel_density(Q, 0.4, kernel, rtol=0)
    found = index.kernel_density(Q, 0.4, kernel, atol=atol, rtol=rtol)
    assert np.isfinite(found).all()
    assert (np.abs(found - exact) <= atol + rtol * exact * (1 + 1e-9) + 1e-300).all()


@TREES
def test_weights_are_repetitions(tree):
    """A point of weight 3 counts as three points."""
    weight = RNG.integers(1, 4, len(X))
    weighted, repeated = tree(X, leaf_size=7, sample_weight=weight), tree(np.repeat(X, weight, axis=0), leaf_size=7)
    for kernel in KERNELS:
        np.testing.assert_allclose(weighted.kernel_density(Q, 0.6, kernel), repeated.kernel_density(Q, 0.6, kernel), rtol=1e-7)
    assert weighted.sum_weight == weight.sum()
    with pytest.raises(ValueError, match="sample_weight is 0 for point 2"):
        tree(X, sample_weight=np.arange(len(X))[::-1] % (len(X) - 3))


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("columns", [1, 2, 7, 30])
def test_integrals_are_one(kernel, columns):
    """c(h)·S·∫ K(r/h) rᵈ⁻¹ dr = 1, by quadrature; scikit-learn's "cosine" loses its digits in 20 columns."""
    h = 0.8
    surface = 2 * np.pi ** (columns / 2) / gamma(columns / 2)
    end = h * (1 if kernel not in ("gaussian", "exponential") else 40 + 4 * columns)
    inside = quad(lambda r: SHAPES[kernel](r / h) * r ** (columns - 1), 0, end, limit=500, epsabs=0, epsrel=1e-11)[0]
    np.testing.assert_allclose(np.exp(log_scale(KERNELS[kernel], h, columns)) * surface * inside, 1, rtol=1e-9)


@BOTH
def test_pair_counts_as_scikit_learn(ours, theirs):
    radii = np.linspace(0, 4, 9)
    for metric in ("euclidean", "manhattan", "chebyshev"):
        found, wanted = (tree(X, leaf_size=6, metric=metric).two_point_correlation(Q, radii) for tree in (ours, theirs))
        np.testing.assert_array_equal(found, wanted)


@TREES
def test_points_on_the_edge_are_counted(tree):
    """d = r counts, whether a node is taken whole or point by point."""
    grid = np.stack(np.meshgrid(np.arange(8.0), np.arange(8.0)), axis=-1).reshape(-1, 2)
    apart = np.sqrt(((grid[:, None] - grid) ** 2).sum(axis=2))
    for r in (1.0, 5.0, 7.0):
        np.testing.assert_array_equal(tree(grid, leaf_size=3).query_radius(grid, r, count_only=True), (apart <= r).sum(axis=1))


@BOTH
def test_the_tree_in_scikit_learns_forms(ours, theirs):
    """The arguments of `query`, the arrays of the tree, and a pickle."""
    tree = ours(X, leaf_size=20)
    options = {"dualtree": True, "breadth_first": True, "sort_results": True}
    for found, wanted in zip(tree.query(Q, 2, **options), theirs(X).query(Q, 2, **options), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-13)
    data, order, nodes, bounds = tree.get_arrays()
    np.testing.assert_array_equal(np.sort(order), np.arange(len(X)))
    assert nodes.dtype == theirs(X).get_arrays()[2].dtype
    assert bounds.shape[1] == len(nodes)
    for node in nodes:
        inside = data[order[node["idx_start"] : node["idx_end"]]]
        middle = (inside.min(axis=0) + inside.max(axis=0)) / 2 if ours is KDTree else inside.mean(axis=0)
        assert np.linalg.norm(inside - middle, axis=1).max() <= node["radius"] * (1 + 1e-12)
    assert (tree.get_n_calls(), tree.get_tree_stats()) == (0, (0, 0, 0))
    assert set(ours.valid_metrics) == set(theirs.valid_metrics)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(tree)).query(Q)[1], tree.query(Q)[1])


@TREES
def test_bad_questions(tree):
    index = tree(X)
    with pytest.raises(ValueError, match="h must be a number above 0, got 0"):
        index.kernel_density(Q, 0)
    with pytest.raises(ValueError, match="kernel must be one of gaussian"):
        index.kernel_density(Q, 1.0, "normal")
    with pytest.raises(ValueError, match="atol must be a number of at least 0, got -1"):
        index.kernel_density(Q, 1.0, atol=-1)
    with pytest.raises(ValueError, match="numbers of at least 0"):
        index.two_point_correlation(Q, [-1.0])
