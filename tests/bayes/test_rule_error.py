"""The error of a rule on a line: its parts add up, the excess is never negative, and it is 0 where the densities cross."""

import numpy as np
import pytest
from scipy.stats import norm

from aprendiz import bayes_error, rule_error

TWO = [norm(0, 1), norm(2, 1)]
THREE, PRIOR = [norm(0, 1), norm(2, 0.5), norm(1, 3)], [0.5, 0.3, 0.2]


@pytest.mark.parametrize("p", [0.5, 0.2, 0.9])
@pytest.mark.parametrize("cut", [-2.0, 0.3, 1.0, 1.7, 5.0])
def test_one_cut(cut, p):
    """The error is (1 − p)·P(x > cut | first) + p·P(x < cut | second), the areas of the two tails."""
    found = rule_error(TWO, cut, priors=[1 - p, p])
    assert found.error == pytest.approx((1 - p) * norm.sf(cut) + p * norm.cdf(cut, 2), rel=1e-10)
    assert found.bayes == pytest.approx(bayes_error(TWO, [1 - p, p]).error, rel=1e-12)
    assert found.error == pytest.approx(found.bayes + found.excess)
    assert float(found) == found.error


def test_least_where_the_densities_cross():
    """Of many cuts none beats the frontier, where the excess is 0; it grows to both sides."""
    frontier = bayes_error(TWO, [0.3, 0.7]).frontiers[0]
    excess = [rule_error(TWO, frontier + step, priors=[0.3, 0.7]).excess for step in np.linspace(-2, 2, 21)]
    assert excess[10] == 0
    assert (np.diff(excess[:11]) < 0).all()
    assert (np.diff(excess[10:]) > 0).all()


@pytest.mark.parametrize(
    ("cuts", "decisions"),
    [([], [0]), ([], [2]), ([1.0], [1, 0]), ([0.0, 2.0], [0, 2, 1]), ([-1.0, 1.2, 3.0, 9.0], [2, 0, 1, 0, 2])],
)
def test_regions(cuts, decisions):
    """Regions fill the line, each inside one interval of both rules; their parts are those of distribution functions."""
    found = rule_error(THREE, cuts, decisions, priors=PRIOR)
    edges = [found.regions[0].low, *(region.high for region in found.regions)]
    assert (edges[0], edges[-1]) == (-np.inf, np.inf)
    assert edges[:-1] == [region.low for region in found.regions]
    assert set(cuts) <= set(edges)
    for region in found.regions:
        mass = [p * (f.cdf(region.high) - f.cdf(region.low)) for p, f in zip(PRIOR, THREE, strict=True)]
        assert region.decision == decisions[np.searchsorted(cuts, region.low, side="right")]
        assert region.error == pytest.approx(sum(mass) - mass[region.decision], abs=1e-12)
        assert region.excess == pytest.approx(mass[region.best] - mass[region.decision], abs=1e-12)
        assert region.bayes >= 0
        assert region.excess >= 0
        assert (region.decision == region.best) == (region.excess == 0)
    assert found.frame()["error"].sum() == pytest.approx(found.error)
    assert str(found).count("\n") == len(found.regions)


def test_the_best_rule_has_no_excess():
    """Its own frontiers and decisions give the Bayes error; the constant rule errs 1 − π."""
    best = bayes_error(THREE, PRIOR)
    found = rule_error(THREE, best.frontiers, best.decisions, priors=PRIOR)
    assert (found.excess, found.error) == (0, pytest.approx(best.error))
    assert rule_error(THREE, [], [1], priors=PRIOR).error == pytest.approx(0.7)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([2.0, 1.0], [0, 1, 0]), "cuts must be numbers that rise"),
        (([1.0, 2.0],), "2 cuts make 3 intervals for 2 classes: give the class of each"),
        ((1.0, [0, 2]), r"decisions must hold 2 numbers of classes, 0 to 1, got \[0, 2\]"),
        ((1.0, [0]), "decisions must hold 2 numbers"),
        ((float("nan"),), "cuts must be numbers that rise"),
    ],
)
def test_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        rule_error(TWO, *arguments)
