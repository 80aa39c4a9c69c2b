"""Pictures of SHAP values: points at their values, bars that follow each other, colours by the cells."""

import numpy as np
import pytest
from matplotlib.colors import to_rgba
from pictures import FITTED

from aprendiz.plots.shared.style import BLUE, GREY, VERMILION


def points(ax):
    """The places of the points of each collection."""
    return [np.asarray(one.get_offsets()) for one in ax.collections]


def test_summary():
    """The most important columns from the top on, each row at its value; missing cells are grey."""
    found = FITTED.added
    display = found.plot(target="one", most=3)
    values = found.of_output("one")
    order = np.argsort(-np.abs(values).mean(axis=0))[:3]
    assert [text.get_text() for text in display.ax_.get_yticklabels()] == [found.names[j] for j in order]
    drawn = points(display.ax_)
    for line, j in enumerate(order):
        grey, coloured = drawn[2 * line], drawn[2 * line + 1]
        np.testing.assert_allclose(np.sort(np.r_[grey[:, 0], coloured[:, 0]]), np.sort(values[:, j]))
        assert (np.abs(np.r_[grey[:, 1], coloured[:, 1]] - line) < 0.5).all()
        assert len(grey) == np.isnan(found.column_values(j)).sum()
    assert "1 less important column is not shown" in display.ax_.get_xlabel().replace("\n", " ")


def test_waterfall():
    """Each bar begins where the one before ended, from the base to the prediction, blue upwards and vermilion downwards."""
    found = FITTED.added.explain(3)
    display = found.plot(most=2)
    k, bars = found.output, display.ax_.patches
    ends = np.cumsum([found.base[k], *(bar.get_width() for bar in bars)])
    np.testing.assert_allclose([bar.get_x() for bar in bars], ends[:-1])
    assert ends[-1] == pytest.approx(found.response[k])
    assert all(bar.get_facecolor() == to_rgba(BLUE if bar.get_width() >= 0 else VERMILION) for bar in bars)
    assert display.ax_.get_yticklabels()[-1].get_text() == "2 other columns"


def test_dependence():
    """A point for each known cell, at the value; words side by side, another column as colour."""
    found = FITTED.added
    values = found.of_output("two")
    (drawn,) = points(found.plot_dependence("x2", target="two").ax_)
    np.testing.assert_allclose(drawn, np.column_stack([found.column_values(2), values[:, 2]]))
    grey, coloured = points(found.plot_dependence("x1", colour="x0", target="two").ax_)
    assert len(grey) == np.isnan(found.column_values(0)).sum()
    assert len(grey) + len(coloured) == 60
    assert (np.abs(grey[:, 0] - np.round(grey[:, 0])) <= 0.25).all()
    display = found.plot_dependence("x0", colour=1, target="two")
    assert len(points(display.ax_)[0]) == 0
    assert [text.get_text() for text in display.ax_.get_legend().get_texts()] == ["three", "two"]
    assert all(to_rgba(GREY) != tuple(one.get_facecolor()[0]) for one in display.ax_.collections[1:])
    with pytest.raises(ValueError, match="column names the column 'z', which is not there: the columns are 'x0'"):
        found.plot_dependence("z", target="two")
