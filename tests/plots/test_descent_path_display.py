"""Descents as pictures: the drawn points are those of the path, over lines on which F is what they say."""

import math
import warnings

import numpy as np
import pytest
from matplotlib.contour import QuadContourSet
from pictures import FITTED, assert_inside, legend_of
from sklearn.exceptions import ConvergenceWarning

from aprendiz.linear import descend
from aprendiz.plots import DescentPathDisplay
from aprendiz.plots.descent_path_display import RINGS, evaluate, until

BEND = np.array([1.0, 6.0])
START = [5.0, 2.0]


def bowl(w):
    return float(w @ (BEND * w)) / 2


def slope(w):
    return BEND * w


def marks(ax):
    """The start and the end of the path."""
    return [line.get_xydata().tolist() for line in ax.lines if line.get_linestyle() == "None"]


def filled_and_lines(ax):
    """Shades and lines of F."""
    return [one for one in ax.collections if isinstance(one, QuadContourSet)]


def running_away(**options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return descend(bowl, slope, START, max_iter=500, **options)


# ---- two parameters --------------------------------------------------------------------------------------------------


def test_a_path_on_the_plane():
    """The line has the points of the path, its ends are marked, and both parameters have one scale."""
    display = FITTED.ways[1].plot()
    np.testing.assert_array_equal(display.lines_[0].get_xydata(), FITTED.ways[1].path)
    assert marks(display.ax_) == [[START], [FITTED.ways[1].end.tolist()]]
    assert display.ax_.get_aspect() == 1
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == ("w₁", "w₂")
    assert display.ax_.get_title(loc="left") == f"{len(FITTED.ways[1].steps)} steps"
    assert legend_of(display.ax_) == ["start", "end"]


def test_levels():
    """A share (k/n)² of the frame lies inside the k-th line, and on each line F is its level."""
    ax = FITTED.ways[1].plot().ax_
    filled, lines = filled_and_lines(ax)
    across, up = (np.linspace(*limits, 401) for limits in (ax.get_xlim(), ax.get_ylim()))
    values = (across[:, None] ** 2 + 6 * up**2) / 2
    shares = [(values <= level).mean() for level in filled.levels]
    np.testing.assert_allclose(shares, (np.arange(RINGS + 1) / RINGS) ** 2, atol=0.015)
    for level, line in zip(lines.levels, lines.get_paths(), strict=True):
        np.testing.assert_allclose([bowl(w) for w in line.vertices], level, rtol=0.02, atol=0.02)


@pytest.mark.parametrize("sense", ["descent", "ascent"])
def test_the_deepest_shade_is_where_it_leads(sense):
    """At the lowest values of a descent, at the highest of an ascent."""
    sign = 1 if sense == "descent" else -1
    found = descend(lambda w: sign * bowl(w), lambda w: sign * slope(w), START, rate=0.1, sense=sense)
    red = filled_and_lines(found.plot().ax_)[0].get_facecolor()[:, 0]
    assert (np.diff(sign * red) > 0).all()


def test_several_paths_have_one_frame():
    """Side by side, each under its name, on the same scales."""
    names = "constant", "decreasing", "1000/(1000+t)", "exact", "backtracking"
    paths = {name: descend(bowl, slope, START, step=name, max_iter=50) for name in names}
    display = DescentPathDisplay(paths, names=["slope", "level"]).plot()
    assert len({(ax.get_xlim(), ax.get_ylim()) for ax in display.ax_}) == 1
    for ax, line, (name, path) in zip(display.ax_, display.lines_, paths.items(), strict=True):
        assert ax.get_title(loc="left").replace("\n", " ") == f"{name}: {len(path.steps)} steps"
        assert (ax.get_xlabel(), ax.get_ylabel()) == ("slope", "level")
        np.testing.assert_array_equal(line.get_xydata(), path.path)
        assert ((path.path >= [ax.get_xlim()[0], ax.get_ylim()[0]]) & (path.path <= [ax.get_xlim()[1], ax.get_ylim()[1]])).all()
    assert_inside(display)


def test_ranges_that_differ_have_scales_of_their_own():
    """A path of a thousand by one would be a line on one scale."""
    found = descend(bowl, slope, [1000.0, 1.0], rate=0.1, max_iter=20)
    ax = found.plot().ax_
    assert ax.get_aspect() == "auto"
    assert np.ptp(ax.get_ylim()) < 2


def test_without_a_function():
    """The path alone."""
    ax = descend(None, slope, START, rate=0.1).plot().ax_
    assert filled_and_lines(ax) == []
    assert marks(ax)[0] == [START]


def test_a_path_that_runs_away():
    """It is shown until its steps are three times the first, and does not push the others out of the picture."""
    away, home = running_away(rate=0.36), descend(bowl, slope, START, rate=0.3)
    assert away.ran_away
    assert not home.ran_away
    count = until(away)
    lengths = np.abs(np.diff(away.path, axis=0)).max(axis=1)
    assert (lengths[: count - 1] <= 3 * lengths[0]).all()
    assert lengths[count - 1] > 3 * lengths[0]
    assert until(home) == len(home.path)
    display = DescentPathDisplay({"away": away, "home": home}).plot()
    np.testing.assert_array_equal(display.lines_[0].get_xydata(), away.path[: count + 1])
    assert marks(display.ax_[0]) == [[START], []]
    assert np.ptp(display.ax_[1].get_ylim()) < 4 * np.abs(away.path[:count, 1]).max()
    assert running_away(rate=1e9).plot().lines_[0].get_xydata().shape == (2, 2)


# ---- one parameter ---------------------------------------------------------------------------------------------------


def test_a_path_along_a_curve():
    """Every point is on the curve, and the curve is F."""
    display = DescentPathDisplay(FITTED.ways[0], names=["height"]).plot()
    np.testing.assert_allclose(display.lines_[0].get_xydata(), np.c_[FITTED.ways[0].path, FITTED.ways[0].path ** 2 / 2])
    curve = display.ax_.lines[0].get_xydata()
    np.testing.assert_allclose(curve[:, 1], curve[:, 0] ** 2 / 2)
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == ("height", "F")


def test_where_a_function_has_no_value():
    """Nothing is drawn there: F may raise, or give NaN or infinity, beyond the path."""
    for F in (lambda w: w[0] - math.log(w[0]), lambda w: w[0] - np.log(w[0])):
        found = descend(F, lambda w: 1 - 1 / w, [0.05], rate=0.002, max_iter=3000)
        display = found.plot()
        assert display.ax_.get_xlim()[0] < 0
        known = np.isfinite(display.ax_.lines[0].get_ydata())
        assert known.any()
        assert not known.all()
    assert np.isnan(evaluate(lambda w: 1.0 / w[0], np.zeros((2, 1)))).all()
    wall = descend(
        lambda w: w[0] - math.log(w[0]) + w[1] ** 2, lambda w: np.array([1 - 1 / w[0], 2 * w[1]]), [0.1, 1], rate=0.01
    )
    assert len(filled_and_lines(wall.plot().ax_)) == 2


# ---- more parameters -------------------------------------------------------------------------------------------------


def test_many_parameters():
    """Each against the steps; the six that move farthest have a name; F of all paths on axes of its own."""
    curves = np.arange(1.0, 10.0)
    start = np.array([1.0, 9, 2, 8, 3, 7, 4, 6, 5])
    paths = {
        str(rate): descend(lambda w: float(w @ (curves * w)), lambda w: 2 * curves * w, start, rate=rate, max_iter=60)
        for rate in (0.02, 0.05)
    }
    display = DescentPathDisplay(paths).plot()
    assert len(display.ax_) == 3
    for k, path in enumerate(paths.values()):
        drawn = np.array([line.get_ydata() for line in display.lines_[9 * k : 9 * k + 9]])
        np.testing.assert_array_equal(drawn, path.path.T)
        np.testing.assert_array_equal(display.ax_[2].lines[k].get_ydata(), path.values)
    assert sorted(legend_of(display.ax_[1])) == ["w₂", "w₄", "w₆", "w₇", "w₈", "w₉"]
    assert legend_of(display.ax_[2]) == ["0.02", "0.05"]
    assert display.ax_[2].get_yscale() == "log"


@pytest.mark.parametrize("count", [1, 3])
def test_no_function_and_no_plane(count):
    """The parameters against the steps, and no axes for F."""
    found = descend(None, lambda w: w, np.ones(count), rate=0.5)
    display = found.plot()
    assert np.size(display.ax_) == 1
    np.testing.assert_array_equal([line.get_ydata() for line in display.lines_], found.path.T)


# ---- all of them -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_start_at_the_end(count):
    """A path of a single point is a picture too."""
    display = descend(lambda w: float(w @ w), lambda w: 2 * w, np.zeros(count), rate=0.1).plot()
    assert np.atleast_1d(display.ax_)[0].get_title(loc="left") == "0 steps"
    assert_inside(display)


def test_a_record_draws_itself():
    """On given axes, and it knows what it followed."""
    assert (FITTED.ways[1].sense, FITTED.ways[1].F(np.array(START))) == ("descent", bowl(np.array(START)))
    ax = FITTED.ways[1].plot().ax_
    assert FITTED.ways[0].plot(ax).ax_ is ax


def test_a_function_that_has_changed():
    """Lines of another function would be false; with more parameters F is not asked again."""
    factor = [1.0]
    found = {
        d: descend(lambda w: factor[0] * float(w @ w), lambda w: 2 * w, np.ones(d), rate=0.1, max_iter=5) for d in (1, 2, 3)
    }
    factor[0] = 3.0
    with pytest.raises(ValueError, match="F of the path 'a' is 6 at the start, and was 2 in the descent: keep what it reads"):
        DescentPathDisplay({"a": found[2]}).plot()
    with pytest.raises(ValueError, match="F is 3 at the start, and was 1 in the descent"):
        found[1].plot()
    found[3].plot()


def test_bad_input():
    """The refusal names what is wrong and the remedy."""
    with pytest.raises(ValueError, match="no path to draw"):
        DescentPathDisplay({})
    with pytest.raises(TypeError, match=r"The path 'a' is of type ndarray: give what linear\.descend returns"):
        DescentPathDisplay({"a": FITTED.ways[1].path})
    with pytest.raises(TypeError, match="of type ndarray"):
        DescentPathDisplay(FITTED.ways[1].path)
    with pytest.raises(ValueError, match=r"differ in their numbers of parameters, \{'a': 1, 'b': 2\}: draw them one at a time"):
        DescentPathDisplay({"a": FITTED.ways[0], "b": FITTED.ways[1]})
    with pytest.raises(ValueError, match="names has 1 entries, there are 2 parameters: give one for each"):
        DescentPathDisplay(FITTED.ways[1], names=["a"])
