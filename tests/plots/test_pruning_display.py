"""Errors of pruned trees: points, the smallest of them, its limit and the choice, against leaves and prices."""

from dataclasses import replace

import numpy as np
import pytest
from pictures import PRUNED, legend_of

from aprendiz.plots import PruningDisplay


def lines_at(ax, value):
    """Upright lines at a value."""
    return [line for line in ax.lines if set(line.get_xdata()) == {value} and len(line.get_xdata()) == 2]


@pytest.mark.parametrize("against", ["leaves", "alpha"])
def test_points(against):
    """The errors stand over leaves or prices, the full tree to the left, with the choice as a line."""
    display = PruningDisplay(PRUNED).plot(against=against)
    x = PRUNED.leaves if against == "leaves" else np.append(PRUNED.prices[:-1], PRUNED.alphas[-1])
    line, best, limit = display.ax_.lines[:3]
    np.testing.assert_array_equal(line.get_xdata(), x)
    np.testing.assert_array_equal(line.get_ydata(), PRUNED.errors)
    assert (best.get_xdata()[0], best.get_ydata()[0]) == (x[1], 0.2)
    assert limit.get_ydata()[0] == pytest.approx(0.22)
    assert len(lines_at(display.ax_, x[2])) == 1
    places = display.ax_.transData.transform(np.column_stack([x, PRUNED.errors]))[:, 0]
    assert (np.diff(places) > 0).all()


def test_bars():
    """A standard error on either side."""
    bars = PruningDisplay(PRUNED).plot().ax_.collections[0].get_segments()
    np.testing.assert_allclose([bar[:, 1] for bar in bars], np.column_stack([PRUNED.errors - 0.02, PRUNED.errors + 0.02]))


def test_words():
    """Leaves of the smallest error and of the choice, one leaf in the singular."""
    words = legend_of(PruningDisplay(PRUNED).plot().ax_)
    assert "smallest error: 12 leaves" in words
    assert "chosen: 5 leaves, α = 0.0316" in words  # √(0.02·0.05)
    root = replace(PRUNED, chosen=4)
    assert "chosen: 1 leaf, α = 0.2" in legend_of(PruningDisplay(root).plot().ax_)


def test_numbers_along_the_axis():
    """Round numbers within the range, as many as there is room for; 0 has a place among the prices."""
    ticks = [text.get_text() for text in PruningDisplay(PRUNED).plot().ax_.get_xticklabels()]
    assert ticks == ["1", "2", "5", "10", "20"]
    prices = PruningDisplay(PRUNED).plot(against="alpha").ax_.get_xticklabels()
    assert prices[0].get_text() == "0"
    assert all(0 <= float(text.get_text()) <= 0.2 for text in prices)
    many = replace(PRUNED, leaves=np.array([90_000, 800, 5, 2, 1]))
    assert [text.get_text() for text in PruningDisplay(many).plot().ax_.get_xticklabels()] == [
        "1",
        "10",
        "100",
        "1,000",
        "10,000",
    ]


@pytest.mark.parametrize("against", ["leaves", "alpha"])
def test_root_alone(against):
    """A path of one subtree can be drawn too."""
    one = {name: getattr(PRUNED, name)[-1:] for name in ("prices", "leaves", "errors", "standard_errors")}
    display = PruningDisplay(replace(PRUNED, **one, alphas=np.zeros(1), best=0, chosen=0)).plot(against=against)
    display.figure_.canvas.draw()
    assert "chosen: 1 leaf, α = 0" in legend_of(display.ax_)


def test_what_is_refused():
    with pytest.raises(ValueError, match="against='depth' is not known: give 'leaves' or 'alpha'"):
        PruningDisplay(PRUNED).plot(against="depth")


def test_from_estimator(monkeypatch):
    """Everything but the axis goes to `chosen_alpha`."""
    asked = {}

    def choose(*data, **how):
        asked.update(data=data, **how)
        return PRUNED

    monkeypatch.setattr("aprendiz.plots.pruning_display.chosen_alpha", choose)
    display = PruningDisplay.from_estimator("learner", "X", "y", against="alpha", cv=5, rule="min")
    assert asked == {"data": ("learner", "X", "y"), "cv": 5, "rule": "min"}
    assert display.ax_.get_xlabel() == "cost-complexity parameter α"
