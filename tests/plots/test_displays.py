"""What the pictures show is what was measured, readable and within the frame."""

import sys
from inspect import signature
from itertools import pairwise

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from pictures import (
    CURVE,
    GUESS,
    POINTS,
    RNG,
    SCORE,
    TABLE,
    TARGET,
    Y,
    assert_inside,
    assert_within_the_frame,
    drawings,
    legend_of,
    texts,
)

from aprendiz import plots
from aprendiz.evaluation import confusion, regression_errors, roc
from aprendiz.plots import ConfusionDisplay, ResidualsDisplay, RocDisplay, ScoreDistributionDisplay
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.style import DEEP_BLUE, DEEP_VERMILION, INK, PALETTE, readable

every_drawing = pytest.mark.parametrize("draw", drawings.values(), ids=list(drawings))


# ---- all of them -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in plots.__all__ if name.endswith("Display")])
def test_the_base(name):
    """Every Display has the common base, and can be asked to draw on axes, or on none."""
    kind = getattr(plots, name)
    assert issubclass(kind, Display)
    first = list(signature(kind.plot).parameters.values())[1]
    assert (first.name, first.default) == ("ax", None)
    assert "ax_" in kind.__doc__


@every_drawing
def test_one_figure_and_its_axes(draw):
    """A new figure if no axes are given. Nothing is cut off at the border, and no text is smaller than 8 points."""
    display = draw()
    assert plt.get_fignums() == [display.figure_.number]
    assert all(ax.get_figure() is display.figure_ for ax in np.atleast_1d(display.ax_))
    display.figure_.canvas.draw()
    assert_within_the_frame(display)
    assert min(text.get_fontsize() for text in texts(display)) >= 8


@every_drawing
def test_without_matplotlib(draw, monkeypatch):
    """The message says what to install."""
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ModuleNotFoundError, match=r'pip install "aprendiz\[lab\]"'):
        draw()


def test_records_draw_themselves():
    """`plot` of a record is the picture of its display."""
    assert TABLE.plot().table is TABLE
    assert CURVE.plot(points=POINTS, name="model").curve is CURVE
    assert CURVE.plot_distributions(point=POINTS[0]).curve is CURVE


def test_from_predictions():
    """Measuring and drawing in one step, with weights and a choice of the positive class."""
    weight = RNG.uniform(0.5, 2, size=200)
    assert ConfusionDisplay.from_predictions(Y, Y, sample_weight=weight, labels=[1, 0]).table.labels.tolist() == [1, 0]
    for display in (RocDisplay, ScoreDistributionDisplay):
        drawn = display.from_predictions(Y, -SCORE, positive=0, sample_weight=weight)
        assert drawn.curve.auc == pytest.approx(roc(Y, SCORE, sample_weight=weight).auc, rel=1e-12)
    assert ResidualsDisplay.from_predictions(TARGET, GUESS).errors.mse == regression_errors(TARGET, GUESS).mse


def contrast(a, b):
    """Ratio of relative luminances, from 1 to 21."""
    linear = [[c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)] for colour in (a, b)]
    low, high = sorted(np.dot(rgb, [0.2126, 0.7152, 0.0722]) + 0.05 for rgb in linear)
    return high / low


def test_text_stands_out_from_every_shade():
    """At least 3.9 to 1 on all shades between white and the full colours, and the better of white and ink."""
    for end in (DEEP_BLUE, DEEP_VERMILION):
        for share in np.linspace(0, 1, 101):
            shade = 1 + share * (np.array(to_rgb(end)) - 1)
            assert contrast(readable(shade), shade) >= 3.9
            assert contrast(readable(shade), shade) >= 0.98 * max(contrast("white", shade), contrast(INK, shade))


def test_colours_differ():
    """All colours of the palette are distinct, and those of the two classes also without colour."""
    assert len(set(PALETTE)) == len(PALETTE)
    assert contrast(DEEP_BLUE, DEEP_VERMILION) > 1.3


# ---- confusion -------------------------------------------------------------------------------------------------------


def test_cells_show_counts_and_shares():
    """Truth in rows, counts and shares of what was asked for."""
    table = confusion([0, 0, 0, 1], [0, 0, 1, 1])
    words = [[text.get_text() for text in row] for row in ConfusionDisplay(table).plot().text_]
    assert words == [["2\n66.7 %", "1\n33.3 %"], ["0\n0 %", "1\n100 %"]]
    assert ConfusionDisplay(table).plot(whole="all").text_[0, 0].get_text() == "2\n50 %"
    assert "share of the prediction" in ConfusionDisplay(table).plot(whole="pred").ax_.get_title(loc="left")


def test_a_class_without_rows_is_grey():
    """Its cells have no share and no shade of their own."""
    display = ConfusionDisplay(confusion([0, 1], [0, 1], labels=[0, 1, 2])).plot()
    assert [text.get_text() for text in display.text_[2]] == ["0\n–"] * 3
    red, green, blue = display.ax_.images[0].get_array()[2].T
    assert (red == green).all()
    assert (green == blue).all()
    assert (red < 1).all()


@pytest.mark.parametrize("count", [2, 12])
def test_long_labels_do_not_touch(count):
    """Labels of many letters are cut and slanted: they overlap neither each other nor the cells."""
    names = np.array([f"a class with a long name, number {k:02d}" for k in range(count)])
    y = np.arange(600) % count
    display = ConfusionDisplay(confusion(names[y], names[(y * y) % count])).plot()
    assert display.text_.shape == (count, count)
    assert_inside(display)
    rows = [label.get_window_extent() for label in display.ax_.get_yticklabels()]
    assert not any(a.overlaps(b) for a, b in pairwise(rows))
    assert all(box.x1 <= display.ax_.get_window_extent().x0 for box in rows)
    if count == 12:
        assert {label.get_rotation() for label in display.ax_.get_xticklabels()} == {45}


def test_large_numbers_fit_their_cells():
    """Counts of eight digits stay inside their cells."""
    display = ConfusionDisplay(confusion([0, 1, 2], [0, 1, 1], sample_weight=[12345678, 87654321, 55555555])).plot()
    display.figure_.canvas.draw()
    cell = display.ax_.get_window_extent().width / 3
    assert max(text.get_window_extent().width for text in display.text_.flat) < cell


# ---- ROC and scores --------------------------------------------------------------------------------------------------


def test_the_drawn_curve_is_the_curve():
    """Points left out lie on straight runs: the area under the line is the AUC, and its ends are the corners."""
    for score in (SCORE, np.round(SCORE), -SCORE, np.zeros(200)):
        curve = roc(Y, score)
        x, y = RocDisplay(curve).plot().line_.get_data()
        assert np.trapezoid(y, x) == pytest.approx(curve.auc, rel=1e-13)
        assert (x[0], y[0], x[-1], y[-1]) == (0, 0, 1, 1)
        assert len(x) <= len(curve.fpr)


def test_points_are_marked_and_described():
    """Each operating point stands on the curve with its rule, threshold and rates in the legend."""
    display = RocDisplay(CURVE).plot(points=POINTS, name="model")
    labels = legend_of(display.ax_)
    assert labels[0].startswith(f"model: AUC {CURVE.auc:.3f}")
    for point, mark, label in zip(POINTS, display.points_, labels[1:], strict=True):
        assert (*mark.get_xdata(), *mark.get_ydata()) == (point.fpr, point.tpr)
        assert point.rule in label
        assert f"{point.threshold:.4g}" in label
    assert len({mark.get_marker() for mark in display.points_}) == len(POINTS)


def test_two_curves_on_the_same_axes():
    """Both are in the legend, in their own colours."""
    first = RocDisplay(CURVE).plot(name="one")
    second = RocDisplay(roc(Y, -SCORE)).plot(first.ax_, name="two", colour=PALETTE[1])
    assert [text.get_text()[:3] for text in second.ax_.get_legend().get_texts()] == ["one", "two"]
    assert first.line_.get_color() != second.line_.get_color()
    for name in ("three", "four", "five"):
        RocDisplay(CURVE).plot(first.ax_, name=name)
    assert_inside(first)


def steps(display):
    """Outlines and fills of the picture, as pairs of heights and edges."""
    return [patch.get_data() for patch in display.ax_.patches]


@pytest.mark.parametrize(
    "point", [*POINTS, CURVE.at(0.5), CURVE.at(9), CURVE.at(np.inf), CURVE.at(-np.inf)], ids=lambda p: p.rule
)
def test_shaded_parts_are_the_errors(point):
    """Each distribution sums to 1, and its shaded part to the rate of its error."""
    patches = steps(ScoreDistributionDisplay(CURVE).plot(point=point))
    sums = [patch.values.sum() for patch in patches]
    np.testing.assert_allclose(sums, [1, 1, point.fpr, 1, 1, point.fnr], atol=1e-13)


@pytest.mark.parametrize("score", [np.zeros(200), np.round(SCORE), 1e12 + SCORE, 1e-12 * SCORE, Y], ids=range(5))
def test_scores_of_all_kinds(score):
    """Ties, offsets, tiny spreads and perfect scores lose no row in the bins; at the threshold itself neither."""
    curve = roc(Y, score)
    for point in (None, curve.equal_error(), curve.at(float(np.max(score))), curve.at(float(np.min(score)))):
        heights = [patch.values.sum() for patch in steps(ScoreDistributionDisplay(curve).plot(point=point))]
        wanted = [1, 1, 1, 1] if point is None else [1, 1, point.fpr, 1, 1, point.fnr]
        np.testing.assert_allclose(heights, wanted, atol=1e-12)


# ---- residuals -------------------------------------------------------------------------------------------------------


def test_residuals_are_where_they_belong():
    """Left: predicted against observed, on equal scales; right: residuals against predictions."""
    display = ResidualsDisplay(TARGET, GUESS).plot()
    left, right = display.ax_
    np.testing.assert_array_equal(left.lines[0].get_xydata(), np.c_[TARGET, GUESS])
    np.testing.assert_array_equal(right.lines[0].get_xydata(), np.c_[GUESS, TARGET - GUESS])
    assert left.get_xlim() == left.get_ylim()
    assert f"NMSE {display.errors.nmse:.4g}" in left.get_title(loc="left")


def test_residuals_against_a_column():
    """The column is along the axis, under its own name if it has one; the left picture stays what it is."""
    column = pd.Series(TARGET**2, name="height")
    for against, name in ((column, "height"), (TARGET**2, "column"), (None, "predicted")):
        left, right = ResidualsDisplay.from_predictions(TARGET, GUESS, against=against).ax_
        x = GUESS if against is None else TARGET**2
        np.testing.assert_array_equal(right.lines[0].get_xydata(), np.c_[x, TARGET - GUESS])
        np.testing.assert_array_equal(left.lines[0].get_xydata(), np.c_[TARGET, GUESS])
        assert right.get_xlabel() == name
    with pytest.raises(ValueError, match="y_true has 40 rows, against has 39"):
        ResidualsDisplay(TARGET, GUESS, against=TARGET[1:])
    with pytest.raises(ValueError, match=r"against has 2 columns: draw against one at a time, such as X\[:, 0\]"):
        ResidualsDisplay(TARGET, GUESS, against=np.c_[TARGET, GUESS])


def test_a_constant_target_is_said():
    """There is no R² to show, not even for predictions that are right."""
    assert "target is constant" in ResidualsDisplay([2, 2], [2, 3]).plot().ax_[0].get_title(loc="left")
    assert ResidualsDisplay([2, 2], [2, 2]).plot().ax_[0].get_xlim() == (1.5, 2.5)


def test_bad_input_of_residuals():
    """One target at a time, on a pair of axes."""
    with pytest.raises(ValueError, match=r"y_true has 2 targets: draw one at a time, such as y_true\[:, 0\]"):
        ResidualsDisplay(np.zeros((3, 2)), np.zeros((3, 2)))
    with pytest.raises(ValueError, match=r"2 axes are needed, ax holds 1: make them with plt.subplots\(1, 2\)"):
        ResidualsDisplay(TARGET, GUESS).plot(Figure().subplots())
    with pytest.raises(ValueError, match="y_true has 2 rows, y_pred has 3"):
        ResidualsDisplay([1, 2], [1, 2, 3])
