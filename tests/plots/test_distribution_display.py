"""Distributions as curves and bars: heights, names, refusals."""

from itertools import pairwise

import numpy as np
import pytest
from pictures import assert_inside, legend_of

from aprendiz.bayes.distributions import (
    Bernoulli,
    Beta,
    Categorical,
    Dirichlet,
    FiniteUniform,
    Gamma,
    Gaussian,
    InverseGamma,
    NegativeBinomial,
    NormalMean,
    Poisson,
    StudentT,
)
from aprendiz.plots import DistributionDisplay

CURVES = [Gaussian(3, 4), StudentT(3), NormalMean(0, 1, 1), InverseGamma(3, 2), Beta(2, 3), Gamma(2, 1)]
BARS = [Bernoulli(0.3), Poisson(4), NegativeBinomial(2, 0.4), Categorical([0.2, 0.8], ["a", "b"]), FiniteUniform([1, 5, 7])]


@pytest.mark.parametrize("one", CURVES, ids=lambda one: type(one).__name__)
def test_a_curve_is_the_density(one):
    """Over the middle of the distribution: next to all of the probability lies under it."""
    display = one.plot()
    x, y = display.ax_.lines[0].get_data()
    np.testing.assert_allclose(y, one.density(x))
    assert np.trapezoid(y, x) == pytest.approx(0.998, abs=0.002)
    assert display.ax_.get_ylabel() == "density"
    assert_inside(display)


@pytest.mark.parametrize("one", BARS, ids=lambda one: type(one).__name__)
def test_bars_are_the_probabilities(one):
    """A bar for each value that is not very improbable."""
    display = one.plot()
    heights = [bar.get_height() for bar in display.ax_.patches]
    np.testing.assert_allclose(heights, one.density(one.points()))
    assert sum(heights) == pytest.approx(1, abs=0.002)
    assert display.ax_.get_ylabel() == "probability"
    assert_inside(display)


def test_prior_and_posterior():
    """Both curves over the same places, with their names."""
    prior = Beta(2, 2)
    display = DistributionDisplay({"prior": prior, "posterior": prior.posterior([1, 1, 1, 0])}).plot(x="p")
    assert legend_of(display.ax_) == ["prior", "posterior"]
    assert display.ax_.get_xlabel() == "p"
    first, second = (line.get_xdata() for line in display.ax_.lines)
    np.testing.assert_array_equal(first, second)


def test_bars_side_by_side_do_not_overlap():
    """Two distributions over the union of their values."""
    display = DistributionDisplay({"a": Poisson(2), "b": NegativeBinomial(2, 0.5)}).plot()
    bars = sorted((bar.get_x(), bar.get_x() + bar.get_width()) for bar in display.ax_.patches)
    assert all(one[1] <= two[0] + 1e-9 for one, two in pairwise(bars))


def test_words_stand_under_their_bars():
    """In the order of the labels, cut if they are long."""
    display = Categorical([0.5, 0.5], ["x", "a label whose name is long enough to need two lines, or even three"]).plot()
    assert [text.get_text() for text in display.ax_.get_xticklabels()][1] == "x"
    assert_inside(display)


def test_refusals():
    """Nothing to draw, no common scale, not on the line, improper."""
    with pytest.raises(ValueError, match="There is no distribution to draw"):
        DistributionDisplay({})
    with pytest.raises(ValueError, match="no common scale"):
        DistributionDisplay({"a": Poisson(1), "b": Gaussian(0, 1)})
    with pytest.raises(TypeError, match="Dirichlet, which is not one on the line: draw its marginals"):
        DistributionDisplay(Dirichlet([1, 1]))
    with pytest.raises(ValueError, match="is improper"):
        Beta(0, 0).plot()
