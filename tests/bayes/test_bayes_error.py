"""Bayes error: closed forms, quadrature written otherwise, draws whose intervals cover."""

import doctest
from importlib import import_module

import numpy as np
import pytest
from scipy import integrate
from scipy.stats import beta, binom, cauchy, expon, laplace, lognorm, multivariate_normal, norm, poisson, uniform
from scipy.stats import t as student_t

from aprendiz import LinearDiscriminantAnalysis, bayes_error, knn_error, rule_error
from aprendiz.bayes.distributions import Gaussian, MultivariateGaussian, Poisson
from aprendiz.linear.theoretical_cut import crossings

RNG = np.random.default_rng(8)


@pytest.mark.parametrize("name", ["bayes_error", "knn_error", "rule_error"])
def test_docstrings(name):
    assert doctest.testmod(import_module(f"aprendiz.bayes.{name}")).failed == 0


# ---- on a line -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("gap", [0.1, 1.0, 2.0, 6.0, 20.0])
def test_two_normal_classes(gap):
    """Equal spreads and priors: Φ(−gap/2), and the frontier half-way, at any distance from zero and in any unit."""
    for offset, unit in ((0.0, 1.0), (1e4, 1.0), (-3.0, 1e-3), (0.0, 1e6)):
        found = bayes_error([norm(offset, unit), norm(offset + gap * unit, unit)])
        assert found.error == pytest.approx(norm.sf(gap / 2), rel=1e-9, abs=1e-15)
        assert found.frontiers == pytest.approx([offset + gap * unit / 2])
        assert list(found.decisions) == [0, 1]
        assert found.low == found.error == found.high == float(found)


@pytest.mark.parametrize("gap", [12.0, 26.0, 40.0, 70.0])
def test_tiny_errors(gap):
    """Errors down to 10⁻²⁶⁸ with all their digits, of scipy's classes and of ours, of rules and of neighbours."""
    classes = [norm(0, 1), norm(gap, 1)]
    assert bayes_error(classes).error == pytest.approx(norm.sf(gap / 2), rel=1e-11)
    assert bayes_error([Gaussian(0, 1), Gaussian(gap, 1)]).error == pytest.approx(norm.sf(gap / 2), rel=1e-11)
    moved = rule_error(classes, gap / 2 + 0.5)
    assert moved.error == pytest.approx((norm.sf(gap / 2 + 0.5) + norm.sf(gap / 2 - 0.5)) / 2, rel=1e-11)
    one, three = knn_error(classes), knn_error(classes, 3)
    assert norm.sf(gap / 2) < three < one < 2 * norm.sf(gap / 2)
    wanted = integrate.quad(lambda u: np.exp(-u * u / 2) / np.cosh(u * gap / 2), -40 / gap, 40 / gap, epsrel=1e-12)[0]
    assert one == pytest.approx(norm.pdf(gap / 2) * wanted / 2, rel=1e-9)  # E[2η(1 − η)], around the frontier


def test_tiny_errors_of_other_shapes():
    """Far apart: other spreads and priors, exponential and power tails, a support that ends, three classes, counts."""
    for m, s, p in ((30.0, 2.0, 0.5), (40.0, 0.3, 0.9), (100.0, 5.0, 1e-3)):
        cut = next(x for x in crossings(0.0, 1.0, m, s, p) if 0 < x < m)
        wanted = (1 - p) * norm.sf(cut) + p * norm.cdf(cut, m, s)
        assert bayes_error([norm(0, 1), norm(m, s)], [1 - p, p]).error == pytest.approx(wanted, rel=1e-11)
    assert bayes_error([laplace(0), laplace(200)]).error == pytest.approx(laplace.sf(100), rel=1e-11)
    power = bayes_error([student_t(5), student_t(5, loc=1e6)])
    assert power.error == pytest.approx(student_t(5).sf(5e5), rel=1e-11)
    assert len(power.frontiers) == 1  # far out the densities differ by rounding
    assert bayes_error([expon(), expon(loc=60)]).error == pytest.approx(expon.sf(60) / 2, rel=1e-11)
    low, high = lognorm(1), lognorm(1, scale=np.exp(40))
    assert bayes_error([low, high]).error == pytest.approx(norm.sf(20), rel=1e-4)
    three = bayes_error([norm(0, 1), norm(30, 1), norm(70, 1)])
    assert three.error == pytest.approx(2 / 3 * norm.sf(15), rel=1e-11)
    counts, x = [poisson(1.0), poisson(1000.0)], np.arange(200)
    wanted = np.minimum(*(0.5 * one.pmf(x) for one in counts)).sum()
    assert bayes_error(counts).error == pytest.approx(wanted, rel=1e-11)
    assert wanted < 1e-200


@pytest.mark.parametrize(("m", "s", "p"), [(1.0, 3.0, 0.5), (0.0, 0.5, 0.3), (2.0, 1.5, 0.9), (0.5, 4.0, 0.05)])
def test_unequal_spreads(m, s, p):
    """Frontiers are the roots of the quadratic, the error is that of distribution functions between them."""
    found = bayes_error([norm(0, 1), norm(m, s)], [1 - p, p])
    roots = sorted(crossings(0.0, 1.0, m, s, p))
    assert found.frontiers == pytest.approx(roots, rel=1e-7)
    edges = np.array([-np.inf, *roots, np.inf])
    masses = np.array([(1 - p) * np.diff(norm.cdf(edges)), p * np.diff(norm.cdf(edges, m, s))])
    assert found.error == pytest.approx(masses.min(axis=0).sum(), rel=1e-10)


def test_other_shapes():
    """Closed forms: Cauchy classes, exponentials, uniforms that overlap, uniforms that do not, a pole."""
    assert bayes_error([cauchy(0), cauchy(2)]).error == pytest.approx(cauchy.sf(1), rel=1e-10)
    rates = bayes_error([expon(), expon(scale=3)])  # e^−x = e^(−x/3)/3 at x = 1.5·ln 3
    cut = 1.5 * np.log(3)
    assert rates.frontiers == pytest.approx([cut])
    assert rates.error == pytest.approx(0.5 * (expon.sf(cut) + expon.cdf(cut, scale=3)), rel=1e-10)
    assert bayes_error([uniform(0, 2), uniform(1, 2)], [0.4, 0.6]).error == pytest.approx(0.2, rel=1e-10)
    assert bayes_error([uniform(0, 1), uniform(5, 1)]).error == pytest.approx(0.0, abs=1e-15)
    assert bayes_error([beta(0.5, 0.5), uniform(0, 1)]).error == pytest.approx(pole(), abs=1e-7)


def pole():
    """½·∫ min(1, 1/(π√(x(1 − x)))): the arcsine density is below 1 where x(1 − x) > 1/π²."""
    half = np.sqrt(0.25 - 1 / np.pi**2)
    low, high = 0.5 - half, 0.5 + half
    return 0.5 * (2 * low + beta.cdf(high, 0.5, 0.5) - beta.cdf(low, 0.5, 0.5))


def test_three_classes_of_functions():
    """Plain functions with a support, one class that wins nowhere, against an integral over a fine grid."""
    densities = [norm(0, 1).pdf, norm(3, 0.7).pdf, norm(1.5, 4).pdf]
    prior = [0.5, 0.45, 0.05]
    found = bayes_error(densities, prior, support=(-30, 33))
    x = np.linspace(-30, 33, 2_000_001)
    joint = np.array([p * f(x) for p, f in zip(prior, densities, strict=True)])
    assert found.error == pytest.approx(1 - integrate.trapezoid(joint.max(axis=0), x), abs=1e-9)
    places = joint[:, np.searchsorted(x, found.frontiers)]
    assert np.sort(places, axis=0)[-1] == pytest.approx(np.sort(places, axis=0)[-2], rel=1e-3)
    assert found.error == pytest.approx(bayes_error([norm(0, 1), norm(3, 0.7), norm(1.5, 4)], prior).error, abs=1e-12)
    hidden = bayes_error([norm(0, 1), norm(0, 1)], [0.7, 0.3])
    assert (hidden.error, len(hidden.frontiers), list(hidden.decisions)) == (pytest.approx(0.3), 0, [0])


def test_bounds_by_the_constant_rule():
    """L* ≤ 1 − max π, and L* = 0 only for classes that never meet."""
    for p in RNG.dirichlet([1, 1, 1], size=20):
        error = bayes_error([norm(0, 1), norm(1, 2), norm(-1, 0.5)], p).error
        assert 0 < error <= 1 - p.max() + 1e-12


def test_posteriors_and_densities_are_one_problem():
    """η = π₂f₂/Σπf with the mixture as the distribution of x gives what the densities give."""
    mixture = [norm(0, 1), norm(1.5, 2)]
    prior = np.array([0.4, 0.6])

    def eta(x):
        joint = np.array([p * f.pdf(x) for p, f in zip(prior, mixture, strict=True)])
        return joint[1] / joint.sum(axis=0)

    class Mixture:
        def logpdf(self, x):
            return np.log(sum(p * f.pdf(x) for p, f in zip(prior, mixture, strict=True)))

        def ppf(self, q):
            return np.sort(np.concatenate([f.ppf(q) for f in mixture]))

    expected = bayes_error(mixture, prior)
    assert bayes_error(eta, x=Mixture()).error == pytest.approx(expected.error, rel=1e-10)
    assert bayes_error(eta, x=Mixture()).frontiers == pytest.approx(expected.frontiers, rel=1e-6)


def test_values_of_x():
    """A few values of equal probability: the mean of 1 − max p, for two classes and for more."""
    assert bayes_error(lambda x: x, x=[0.1, 0.5, 0.8]).error == pytest.approx((0.1 + 0.5 + 0.2) / 3)
    table = RNG.dirichlet([1, 1, 1], size=7)
    assert bayes_error(lambda rows: rows, x=table).error == pytest.approx(np.mean(1 - table.max(axis=1)))


def test_counts():
    """Discrete classes: one minus the sum of the largest joint probabilities, written out for two coins thrown three times."""
    mass = [[(1 - p) ** 3, 3 * p * (1 - p) ** 2, 3 * p**2 * (1 - p), p**3] for p in (0.5, 0.1)]
    expected = 1 - sum(max(0.3 * a, 0.7 * b) for a, b in zip(*mass, strict=True))
    assert bayes_error([binom(3, 0.5), binom(3, 0.1)], [0.3, 0.7]).error == pytest.approx(expected, rel=1e-12)
    ours = bayes_error([Poisson(2.0), Poisson(5.0)])
    assert ours.error == pytest.approx(bayes_error([poisson(2.0), poisson(5.0)]).error, rel=1e-12)


def test_distributions_of_this_library():
    """They stand where those of scipy.stats stand, on a line and in the plane."""
    ours, theirs = bayes_error([Gaussian(0, 1), Gaussian(2, 4)]), bayes_error([norm(0, 1), norm(2, 2)])
    assert ours.error == pytest.approx(theirs.error, rel=1e-12)
    assert ours.frontiers == pytest.approx(theirs.frontiers)
    plane = bayes_error([MultivariateGaussian([0, 0], np.eye(2)), MultivariateGaussian([2, 0], np.eye(2))], draws=20_000)
    assert plane.low < norm.sf(1) < plane.high


# ---- more dimensions -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("d", [2, 5])
def test_draws(d):
    """Normal classes with one covariance: Φ(−distance/2) is in the interval; more draws make it narrower."""
    classes = [multivariate_normal(np.zeros(d)), multivariate_normal(np.full(d, 2 / np.sqrt(d)))]
    few, many = (bayes_error(classes, draws=n) for n in (2_000, 50_000))
    for found in (few, many):
        assert found.low < norm.sf(1) < found.high
    assert 3 < (few.high - few.low) / (many.high - many.low) < 8  # √25
    assert many.draws == 50_000
    assert "draws" in str(many)


def test_intervals_cover():
    """Of 200 intervals of 90 %, the truth is outside 20 times on the average, and more than 34 times in one of 1000 cases."""
    classes = [multivariate_normal([0, 0]), multivariate_normal([1, 1])]
    truth = optimum([0.3, 0.7], np.sqrt(2))
    found = [bayes_error(classes, [0.3, 0.7], draws=400, confidence=0.9, seed=7 * seed) for seed in range(200)]
    outside = sum(not one.low <= truth <= one.high for one in found)
    assert binom.sf(34, 200, 0.1) < 1e-3
    assert 5 < outside <= 34


def optimum(prior, distance):
    """Bayes error of two normal classes at a distance, by the projection on the line through their means."""
    cut = distance / 2 + np.log(prior[0] / prior[1]) / distance
    return prior[0] * norm.sf(cut) + prior[1] * norm.cdf(cut - distance)


def test_draws_for_posteriors():
    """η with a distribution of more dimensions is a mean over its draws; the seed makes it repeatable."""
    x = multivariate_normal([0, 0])
    found = bayes_error(lambda rows: norm.cdf(rows[:, 0]), x=x, draws=20_000)
    assert found.low < 0.25 < found.high  # η is uniform
    assert found.error == bayes_error(lambda rows: norm.cdf(rows[:, 0]), x=x, draws=20_000).error
    assert found.error != bayes_error(lambda rows: norm.cdf(rows[:, 0]), x=x, draws=20_000, seed=1).error


def test_far_classes_of_many_columns():
    """1000 columns, where every density underflows: all in logarithms."""

    class Normal:
        def __init__(self, mean):
            self.mean = mean

        def logpdf(self, x):
            return norm.logpdf(x - self.mean).sum(axis=1)

        def rvs(self, size, random_state):
            return random_state.normal(self.mean, size=(size, 1000))

    found = bayes_error([Normal(0.0), Normal(2 / np.sqrt(1000))], draws=2000)
    assert found.low < norm.sf(1) < found.high


# ---- bad input -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: bayes_error([norm(0, 1)]), "1 densities and 1 priors: give both for each of at least two classes"),
        (lambda: bayes_error([norm(0), norm(1)], [0.5, 0.6]), "priors must hold"),
        (lambda: bayes_error([norm(0), norm(1)], [0.5, 0.3, 0.2]), "2 densities and 3 priors"),
        (lambda: bayes_error([norm(0).pdf, norm(1).pdf]), r"Density 0 is a function.*give support=\(low, high\)"),
        (lambda: bayes_error([norm(0).pdf, norm(1).pdf], support=(0, np.inf)), "support must be two finite numbers"),
        (lambda: bayes_error([norm(0).pdf, norm(9).pdf], support=(-5, 5)), "have the mass 0.50.*: give densities of mass 1"),
        (lambda: bayes_error([norm(0).pdf, lambda x: x], support=(-1, 1)), "density is -1 at x = -1"),
        (lambda: bayes_error([binom(3, 0.5), norm(0, 1)]), "is discrete and has no density: give distributions of one kind"),
        (lambda: bayes_error([binom(3, 0.5)]), "1 densities and 1 priors"),
        (lambda: bayes_error(lambda x: x, x=uniform(0, 3)), r"eta gives 1\.\d+ at x = 1\.\d+: give a function"),
        (lambda: bayes_error(lambda x: x), "function of posteriors with x"),
        (lambda: bayes_error(lambda x: x, [0.5, 0.5], x=uniform(0, 1)), "priors are for densities"),
        (lambda: bayes_error([norm(0), norm(1)], x=uniform(0, 1)), "x is for a function of posteriors"),
        (lambda: bayes_error(lambda x: x[:2, None] * [1, 1], x=uniform(0, 1)), "eta gives 2 values for"),
        (lambda: bayes_error([multivariate_normal([0, 0])] * 2, draws=1), "draws = 1 gives no interval"),
        (lambda: bayes_error([3, 4]), "3 has neither quantiles nor draws|3 is not a density"),
    ],
)
def test_refused(call, message):
    """What is wrong, and what to give instead."""
    with pytest.raises((ValueError, TypeError), match=message):
        call()


def test_error_of_a_fitted_model():
    """Of a generative classifier taken to be the truth: two normal classes with means d apart have the error Φ(−d/2)."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(4000, 2)) + np.outer(np.arange(4000) % 2, [1.5, 0.0])
    model = LinearDiscriminantAnalysis(priors=[0.5, 0.5]).fit(X, np.arange(4000) % 2)
    apart = model.means_[1] - model.means_[0]
    d = np.sqrt(apart @ np.linalg.solve(model.ellipsoids_[0].matrix, apart))
    found = bayes_error(model, draws=40_000)
    assert found.low < norm.cdf(-d / 2) < found.high
    assert found.high - found.low < 0.01
    with pytest.raises(ValueError, match="neither priors nor x"):
        bayes_error(model, [0.5, 0.5])
