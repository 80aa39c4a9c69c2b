"""Ensembles as they grow: the lines are the errors of the record, one for each that is known."""

from dataclasses import replace

import numpy as np
import pytest
from pictures import FITTED, legend_of

from aprendiz.plots import EnsembleCurveDisplay


def test_lines():
    """Train, out of the bags and test, against the number of members; `plot` of the record draws it."""
    display = FITTED.grown.plot()
    for line, values in zip(display.lines_, (FITTED.grown.train, FITTED.grown.oob, FITTED.grown.test), strict=True):
        np.testing.assert_array_equal(line.get_xydata(), np.c_[FITTED.grown.members, values])
    assert legend_of(display.ax_) == ["training rows", "out-of-bag rows", "test rows"]
    assert display.ax_.get_xscale() == "log"


def test_several_ensembles():
    """A colour for each ensemble, a kind of line for each kind of rows, and only what is known."""
    bare = replace(FITTED.grown, train=None, oob=None)
    display = EnsembleCurveDisplay.from_curves({"one": FITTED.grown, "two": bare})
    assert legend_of(display.ax_) == ["one: training rows", "one: out-of-bag rows", "one: test rows", "two: test rows"]
    colours = [line.get_color() for line in display.lines_]
    assert len(set(colours[:3])) == 1
    assert colours[3] != colours[0]
    assert display.lines_[2].get_linestyle() == display.lines_[3].get_linestyle() != display.lines_[0].get_linestyle()


def test_few_members_and_numbers():
    """Few members stand at equal distances; squared errors are no shares."""
    few = replace(FITTED.grown, members=np.arange(1, 6), train=np.ones(5), oob=None, test=None, task="regression")
    display = few.plot()
    assert display.ax_.get_xscale() == "linear"
    assert display.ax_.get_ylabel() == "mean squared error"
    display.figure_.canvas.draw()
    assert not display.ax_.get_yticklabels()[0].get_text().endswith("%")


def test_bad_input():
    """Nothing to draw, and scales that do not go together."""
    with pytest.raises(ValueError, match="There is no error to draw"):
        EnsembleCurveDisplay(replace(FITTED.grown, train=None, oob=None, test=None))
    with pytest.raises(ValueError, match="have no common scale: draw them apart"):
        EnsembleCurveDisplay({"one": FITTED.grown, "two": replace(FITTED.grown, task="regression")})
