"""Theory: a line for each bound, from end to end, with the observed error on it."""

import numpy as np
import pytest
from pictures import CLASSES, FITTED, X, legend_of

from aprendiz import KNeighborsClassifier
from aprendiz.evaluation import theory
from aprendiz.plots import TheoryDisplay


def test_lines():
    """Held-out rows first; lines that go beyond 1 end there and say where they go."""
    found = FITTED.said
    display = TheoryDisplay(found).plot()
    bounds = [(one, bound) for one in found.observed for bound in one.bounds]
    drawn = [line for line in display.ax_.lines if line.get_linewidth() == 3.0 and len(line.get_xdata()) == 2][: len(bounds)]
    for place, ((one, bound), line) in enumerate(zip(bounds, drawn, strict=True)):
        np.testing.assert_array_equal(line.get_xydata(), [[bound.low, place], [min(bound.high, 1.0), place]])
        assert (line.get_alpha() < 1) == bool(bound.verdict(one.baseline))
    beyond = [bound for _one, bound in bounds if bound.high > 1]
    assert beyond
    assert [text.get_text() for text in display.ax_.texts] == [f"{bound.high:.2f} →" for bound in beyond]
    marks = [line for line in display.ax_.lines if line.get_marker() == "o" and len(line.get_xdata()) == 1]
    assert [line.get_xdata()[0] for line in marks] == [one.error for one, _bound in bounds]
    assert len(legend_of(display.ax_)) == 3


def test_nothing_to_draw():
    silent = theory(KNeighborsClassifier().fit(X, CLASSES), X, CLASSES, rows="training")
    with pytest.raises(ValueError, match="no bound to draw"):
        TheoryDisplay(silent)
