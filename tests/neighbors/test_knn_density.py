"""KNNDensity: κ/(N·V) by its definition, volumes of balls, posteriors by Bayes' rule."""

import math

import numpy as np
import pytest
from scipy import integrate
from scipy.stats import norm

from aprendiz import KNeighborsClassifier, KNNDensity
from aprendiz.neighbors.knn_density import log_unit_ball

RNG = np.random.default_rng(9)
X = RNG.normal(size=(120, 3))
Q = RNG.normal(size=(20, 3))
Y = np.array(["a", "b", "c"])[RNG.integers(0, 3, 120)]


@pytest.mark.parametrize(
    ("p", "volumes"),
    [(2.0, [2, math.pi, 4 / 3 * math.pi, math.pi**2 / 2]), (1.0, [2, 2, 8 / 6, 16 / 24]), (np.inf, [2, 4, 8, 16])],
    ids=["euclidean", "manhattan", "chebyshev"],
)
def test_volume_of_the_unit_ball(p, volumes):
    """Segment, disc, ball and beyond; cross-polytopes 2ᵈ/d!; cubes 2ᵈ."""
    np.testing.assert_allclose([log_unit_ball(d, p) for d in (1, 2, 3, 4)], np.log(volumes), rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize("p", [1.0, 2.0])
def test_volume_by_layers(p):
    """v_d is the integral of the slices, v_{d−1}·∫ (1 − |t|ᵖ)^((d−1)/p) dt."""
    for d in (2, 3, 7):
        slices = integrate.quad(lambda t, d=d: (1 - t**p) ** ((d - 1) / p), 0, 1)[0] * 2
        assert log_unit_ball(d, p) == pytest.approx(log_unit_ball(d - 1, p) + math.log(slices), rel=1e-7)


@pytest.mark.parametrize(("metric", "order"), [("euclidean", 2), ("manhattan", 1), ("chebyshev", np.inf)])
@pytest.mark.parametrize("k", [1, 5, 120])
def test_definition(metric, order, k):
    """κ over N times the volume of the ball up to the κ-th row; a row of the fit leaves itself out with None."""
    unit = {"euclidean": 4 / 3 * math.pi, "manhattan": 8 / 6, "chebyshev": 8.0}[metric]
    model = KNNDensity(k, metric=metric).fit(X)
    radius = np.sort(np.linalg.norm(Q[:, None] - X, ord=order, axis=2), axis=1)[:, k - 1]
    np.testing.assert_allclose(model.density(Q), k / (120 * unit * radius**3), rtol=1e-11)
    assert model.score(Q) == pytest.approx(model.score_samples(Q).sum())
    if k < 120:
        others = np.sort(np.linalg.norm(X[:, None] - X, ord=order, axis=2), axis=1)[:, k]
        np.testing.assert_allclose(model.density(None), k / (119 * unit * others**3), rtol=1e-11)


def test_many_columns():
    """In 600 columns, where volumes are far below the smallest double, log p is finite."""
    table = RNG.normal(size=(50, 600))
    found = KNNDensity(3).fit(table).score_samples(None)
    assert np.isfinite(found).all()
    assert log_unit_ball(600, 2.0) < math.log(np.finfo(float).tiny)


def test_integral_and_tails():
    """On an interval around many rows the integral is near 1; beyond them p falls as κ/(2N|x − a|), so it never ends."""
    rows = norm.ppf((np.arange(400) + 0.5) / 400)[:, None]
    model = KNNDensity(40).fit(rows)
    grid = np.linspace(-3, 3, 4001)
    assert integrate.trapezoid(model.density(grid[:, None]), grid) == pytest.approx(1.0, abs=0.08)
    np.testing.assert_allclose(model.density(grid[:, None])[1000:3000:100], norm.pdf(grid[1000:3000:100]), atol=0.03)
    far = np.array([1e3, 1e4])
    np.testing.assert_allclose(model.density(far[:, None]), 40 / (2 * 400 * (far - rows[-40, 0])), rtol=1e-12)


@pytest.mark.parametrize("rows", [Q, None], ids=["new", "of the fit"])
def test_bayes(rows):
    """Bayes' rule with the class densities and priors N_c/N gives the shares of the κ rows: the vote of the classifier."""
    model, k = KNNDensity(7).fit(X), 7
    found = model.posterior(rows, Y)
    np.testing.assert_allclose(found, KNeighborsClassifier(k).fit(X, Y).predict_proba(rows), rtol=1e-13)
    if rows is not None:
        prior = np.unique(Y, return_counts=True)[1] / 120
        joint = prior * np.exp(model.log_class_density(rows, Y))
        np.testing.assert_allclose(joint.sum(axis=1), model.density(rows), rtol=1e-12)
        np.testing.assert_allclose(joint / joint.sum(axis=1, keepdims=True), found, rtol=1e-12, atol=1e-15)


def test_class_density_of_rows_left_out():
    """For the rows of the fit, the class of the row itself has one row less."""
    model = KNNDensity(4).fit(X)
    found = model.log_class_density(None, Y)
    for i in (0, 50, 119):
        others = np.arange(120) != i
        alone = KNNDensity(4).fit(X[others]).log_class_density(X[[i]], Y[others])
        np.testing.assert_allclose(found[i], alone[0], rtol=1e-12)


def test_ball_without_volume():
    """Where κ rows coincide with x the density is infinite, and a warning says where."""
    model = KNNDensity(2).fit([[0.0], [0.0], [1.0]])
    with pytest.warns(UserWarning, match=r"infinite in row 1 \(1 in all\): n_neighbors = 2 rows of the fit coincide"):
        found = model.density([[0.5], [0.0]])
    assert np.isposinf(found).tolist() == [False, True]


def test_bad_input():
    """More neighbours than rows, and labels that are not those of the rows."""
    with pytest.raises(ValueError, match=r"n_neighbors = 5, n_samples_fit = 3"):
        KNNDensity().fit(X[:3])
    model = KNNDensity().fit(X)
    with pytest.raises(ValueError, match=r"X has 120 rows, y has 119"):
        model.posterior(Q, Y[:-1])
    with pytest.raises(ValueError, match="only one class, 'a'"):
        model.posterior(Q, ["a"] * 120)
