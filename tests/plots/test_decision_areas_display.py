"""Decision areas: the drawn areas are the errors, the band is where a row would be rejected."""

import numpy as np
import pytest
from pictures import legend_of
from scipy.stats import norm, uniform

from aprendiz import DecisionRule, bayes_error, rule_error
from aprendiz.plots import DecisionAreasDisplay, decision_areas
from aprendiz.plots.shared.words import percent

TWO, PRIOR = [norm(0, 1), norm(2, 1.2)], [0.45, 0.55]


def area(polygons):
    """Area of what `fill_between` drew, by the shoelace formula."""
    total = 0.0
    for path in polygons.get_paths():
        for x, y in (loop.T for loop in path.to_polygons(closed_only=True)):
            total += abs(np.dot(x[:-1], y[1:]) - np.dot(x[1:], y[:-1])) / 2
    return total


@pytest.mark.parametrize("cuts", [1.9, -0.5, 4.0], ids=str)
def test_areas_are_the_errors(cuts):
    """The grey area is the Bayes error and the orange one the excess, up to the tails that are not drawn."""
    display = decision_areas(TWO, cuts, priors=PRIOR)
    wanted = rule_error(TWO, cuts, priors=PRIOR)
    assert display.error_ == wanted
    grey, orange = display.ax_.collections
    assert area(grey) == pytest.approx(wanted.bayes, abs=1e-3)
    assert area(orange) == pytest.approx(wanted.excess, abs=1e-3)
    assert f"excess {percent(wanted.excess)}" in legend_of(display.ax_)


def test_the_frontier_moves():
    """One display, several rules: by default the best one, which has no excess."""
    display = DecisionAreasDisplay(TWO, PRIOR, names=["well", "ill"]).plot()
    best = bayes_error(TWO, PRIOR)
    lines = [line.get_xdata()[0] for line in display.ax_.lines if len(line.get_xdata()) == 2]
    assert lines == pytest.approx(best.frontiers)
    assert display.error_.excess == 0
    assert not any("excess" in words for words in legend_of(display.ax_))
    assert {"well", "ill"} <= set(legend_of(display.ax_))
    worse = display.plot(cuts=[-1.0, 3.0], decisions=[1, 0, 1])
    assert worse.error_.excess > 0
    assert "boundary of least error" in legend_of(worse.ax_)


def test_band():
    """The band lies where the rule rejects."""
    display = decision_areas(TWO, priors=PRIOR, reject_below=0.7)
    x = np.concatenate([path.vertices[:, 0] for path in display.ax_.collections[0].get_paths()])
    joint = display.joint(np.linspace(x.min() + 1e-3, x.max() - 1e-3, 50))
    assert (DecisionRule(reject_below=0.7).decide((joint / joint.sum(axis=0)).T) == -1).all()
    beyond = display.joint(np.array([x.min() - 0.05, x.max() + 0.05]))
    assert (DecisionRule(reject_below=0.7).decide((beyond / beyond.sum(axis=0)).T) >= 0).all()


def test_more_classes_and_ends():
    """Three classes stack their areas; a density that ends is drawn to its end."""
    classes = [uniform(0, 2), uniform(1, 2), uniform(2, 2)]
    display = decision_areas(classes, [0.5, 2.5])
    wanted = rule_error(classes, [0.5, 2.5])
    grey, orange = display.ax_.collections
    assert area(grey) == pytest.approx(wanted.bayes, abs=2e-3)
    assert area(orange) == pytest.approx(wanted.excess, abs=2e-3)
    assert display.ax_.get_xlim() == pytest.approx((0.0, 4.0))


def test_refused():
    with pytest.raises(ValueError, match="2 densities and 3 names"):
        DecisionAreasDisplay(TWO, names=["a", "b", "c"])
    with pytest.raises(ValueError, match="2 cuts make 3 intervals"):
        DecisionAreasDisplay(TWO).plot(cuts=[0.0, 1.0])
    with pytest.raises(ValueError, match="reject_below must be a number between 0 and 1, got 7"):
        DecisionAreasDisplay(TWO).plot(reject_below=7)
