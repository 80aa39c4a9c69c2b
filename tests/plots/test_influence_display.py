"""Influence: leverage, residual and Cook's distance of each row, the worst of them named."""

import numpy as np
import pytest
from pictures import FITTED, HEAVY, X, texts
from scipy import stats

from aprendiz import LinearRegression, influence
from aprendiz.plots import InfluenceDisplay


def test_marks():
    """A mark for each row, its area growing with Cook's distance."""
    display = InfluenceDisplay(FITTED.pull).plot()
    marks = display.ax_.collections[0]
    np.testing.assert_array_equal(marks.get_offsets(), np.c_[FITTED.pull.leverage, FITTED.pull.studentised])
    area = marks.get_sizes()
    np.testing.assert_allclose((area - area.min()) / np.ptp(area), rescaled(FITTED.pull.cooks_distance), atol=1e-12)


def rescaled(values):
    return (values - values.min()) / np.ptp(values)


def test_lines():
    """Twice the mean leverage, and the 95 % of Student's t with ν − 1 degrees of freedom."""
    lines = [np.array(line.get_xydata()) for line in InfluenceDisplay(FITTED.pull).plot().ax_.lines]
    across = sorted(line[0, 1] for line in lines if line[0, 1] == line[1, 1])
    usual = stats.t.ppf(0.975, 60 - 6 - 1)
    assert across == pytest.approx([-usual, 0.0, usual])
    assert [line[0, 0] for line in lines if line[0, 0] == line[1, 0]] == pytest.approx([2 * FITTED.pull.leverage.mean()])


@pytest.mark.parametrize("worst", [0, 1, 4])
def test_the_worst_are_named(worst):
    """By their numbers, or by the names that are given; dollars stay dollars."""
    expected = [str(i) for i in FITTED.pull.worst(worst)]
    assert len(InfluenceDisplay(FITTED.pull).plot(worst=worst).ax_.texts) == worst
    assert [text.get_text() for text in InfluenceDisplay(FITTED.pull).plot(worst=worst).ax_.texts] == expected
    named = InfluenceDisplay(FITTED.pull, [f"row ${i}$" for i in range(60)]).plot(worst=worst)
    assert [text.get_text() for text in named.ax_.texts] == [rf"row \${i}\$" for i in expected]
    assert len(texts(named)) > worst


def test_rows_without_a_residual():
    """A row of leverage 1 is no mark and has no name, and the others are drawn as ever."""
    table = np.column_stack([X, np.arange(60) == 7])
    display = InfluenceDisplay.from_estimator(LinearRegression().fit(table, HEAVY), table, HEAVY, worst=60)
    assert len(display.ax_.texts) == 59
    display.figure_.canvas.draw()


def test_bad_input():
    both = np.column_stack([HEAVY, HEAVY**2])
    with pytest.raises(ValueError, match="The fit has 2 targets: draw the influence on a fit to one of them"):
        InfluenceDisplay(influence(LinearRegression().fit(X, both), X, both))
    with pytest.raises(ValueError, match="names has 2 entries, there are 60 rows: give one for each"):
        InfluenceDisplay(FITTED.pull, ["a", "b"])
