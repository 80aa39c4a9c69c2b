"""Rows in the plane of two components: where they lie, which are drawn, what their colours say."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from pictures import CLASSES, X, assert_inside, legend_of
from scipy import sparse
from sklearn.decomposition import PCA
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from aprendiz.plots import RowsDisplay

RNG = np.random.default_rng(8)
LARGE = RNG.normal(size=(5000, 3)) * [1, 100, 0.01]


def up_to_sign(T):
    """Coordinates with the largest of each column positive: components point either way."""
    return T * np.sign(T[np.abs(T).argmax(axis=0), [0, 1]])


# ---- the plane -------------------------------------------------------------------------------------------------------


def test_the_plane_is_that_of_scikit_learn():
    """Mean for missing cells, standardised columns, two components; shares of the variance on the axes."""
    holes = np.where(RNG.uniform(size=X.shape) < 0.1, np.nan, X)
    display = RowsDisplay(holes).plot()
    theirs = make_pipeline(SimpleImputer(), StandardScaler(), PCA(2)).fit(holes)
    np.testing.assert_allclose(up_to_sign(display.points), up_to_sign(theirs.transform(holes)), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(display.shares, theirs[-1].explained_variance_ratio_, rtol=1e-10)
    np.testing.assert_array_equal(display.ax_.lines[0].get_xydata(), display.points)
    for axis, share, number in zip("xy", display.shares, (1, 2), strict=True):
        words = getattr(display.ax_, f"get_{axis}label")()
        assert words == f"component {number} ({f'{100 * share:.1f}'.removesuffix('.0')} % of the variance)"


def test_distances_are_kept():
    """One unit is as long across as upwards."""
    display = RowsDisplay(X, CLASSES).plot()
    display.figure_.canvas.draw()
    box = display.ax_.get_window_extent()
    across, upwards = np.diff(display.ax_.get_xlim())[0], np.diff(display.ax_.get_ylim())[0]
    assert box.width / across == pytest.approx(box.height / upwards, rel=1e-6)
    assert (display.points.min(axis=0) >= [display.ax_.get_xlim()[0], display.ax_.get_ylim()[0]]).all()
    assert (display.points.max(axis=0) <= [display.ax_.get_xlim()[1], display.ax_.get_ylim()[1]]).all()


def test_at_most_two_thousand_rows_are_drawn():
    """Chosen by the seed, in the plane of all rows, and counted in words."""
    display = RowsDisplay(LARGE).plot()
    assert len(display.chosen) == len(set(display.chosen)) == len(display.points) == 2000
    assert display.ax_.get_title(loc="left") == "2,000 of 5,000 rows"
    np.testing.assert_array_equal(display.chosen, RowsDisplay(LARGE).chosen)
    assert set(display.chosen) != set(RowsDisplay(LARGE, seed=1).chosen)
    whole = make_pipeline(StandardScaler(), PCA(2)).fit(LARGE)
    wanted = whole.transform(LARGE[display.chosen])
    np.testing.assert_allclose(up_to_sign(display.points), up_to_sign(wanted), rtol=1e-7, atol=1e-9)
    assert RowsDisplay(X).plot().ax_.get_title(loc="left") == "60 rows"


@pytest.mark.parametrize("form", [pd.DataFrame, lambda x: pl.DataFrame(x, orient="row"), np.ndarray.tolist])
def test_tables_of_all_kinds(form):
    """Frames and lists are drawn as arrays are."""
    np.testing.assert_allclose(RowsDisplay(form(X)).points, RowsDisplay(X).points, rtol=1e-12)


ODD = {"constant": np.ones((5, 3)), "two rows": [[1, 2], [3, 5]], "an empty column": np.c_[X, np.full(60, np.nan)]}


@pytest.mark.parametrize("table", ODD.values(), ids=list(ODD))
def test_odd_tables(table):
    """No variance, two rows, a column without any cell."""
    display = RowsDisplay(table).plot()
    assert np.isfinite(display.points).all()
    assert_inside(display)


# ---- colours ---------------------------------------------------------------------------------------------------------


def test_classes():
    """The rows of each class have its colour and mark, and its name is in the legend."""
    display = RowsDisplay(X, pd.Series(CLASSES, name="size")).plot()
    names = ["one", "three", "two"]
    assert legend_of(display.ax_) == names
    assert display.ax_.get_legend().get_title().get_text() == "size"
    for line, name in zip(display.ax_.lines, names, strict=True):
        np.testing.assert_array_equal(line.get_xydata(), display.points[name == CLASSES])
    assert display.colour_bar_ is None


def test_classes_of_the_rows_drawn():
    """With a sample of the rows, each row still has its own class."""
    codes = np.argsort(np.argsort(LARGE[:, 0])) // 2500
    display = RowsDisplay(LARGE, codes).plot()
    for code, line in enumerate(display.ax_.lines):
        np.testing.assert_array_equal(line.get_xydata(), display.points[codes[display.chosen] == code])


def test_small_classes_are_on_top():
    """A class of five rows is not hidden by one of fifty-five."""
    lines = RowsDisplay(X, np.arange(60) < 5).plot().ax_.lines
    assert lines[1].get_zorder() > lines[0].get_zorder()


@pytest.mark.parametrize(("count", "entries"), [(2, 2), (10, 10), (12, 12), (13, 12), (26, 12)])
def test_many_classes(count, entries):
    """Up to twelve have a colour and mark that no other has; of more, the smallest are grey together, and counted."""
    codes = np.minimum(np.arange(600) % (count + 3), count - 1)  # the last class is the largest
    y = np.array([f"k{k:02d}" for k in range(count)])[codes]
    display = RowsDisplay(RNG.normal(size=(600, 3)), y).plot()
    looks = {(line.get_color(), line.get_marker()) for line in display.ax_.lines}
    assert len(looks) == len(display.ax_.lines) == len(legend_of(display.ax_)) == entries
    assert sum(len(line.get_xdata()) for line in display.ax_.lines) == 600
    assert legend_of(display.ax_)[-1] == f"k{count - 1:02d}"
    if count > 12:
        assert legend_of(display.ax_)[0] == f"{count - 11} others"
    assert_inside(display)


def test_numbers():
    """A colour bar with the name of the number; the colours are its values."""
    display = RowsDisplay(X, pd.Series(X[:, 0], name="height")).plot()
    np.testing.assert_array_equal(display.ax_.collections[0].get_array(), X[:, 0])
    assert display.colour_bar_.ax.get_ylabel() == "height"
    assert display.ax_.get_legend() is None
    assert RowsDisplay.from_table(X, X[:, 0], name="width").colour_bar_.ax.get_ylabel() == "width"


@pytest.mark.parametrize(
    ("y", "more", "numbers"),
    [
        (np.arange(60) % 10, {}, False),
        (np.arange(60) % 11, {}, True),
        (np.arange(60) % 3 + 0.5, {}, True),
        (np.arange(60) % 3 * 1.0, {}, False),
        (np.arange(60) % 2 == 0, {}, False),
        ([str(k) for k in range(60)], {}, False),
        (np.arange(60) % 3, {"as_numbers": True}, True),
        (np.arange(60) % 20, {"as_numbers": False}, False),
    ],
)
def test_classes_or_numbers(y, more, numbers):
    """Text, booleans and up to ten whole numbers are classes, unless it is said otherwise."""
    assert (RowsDisplay(X, y, **more).plot().colour_bar_ is not None) == numbers


# ---- refusals --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "y", "message"),
    [
        (X[:, :1], None, r"X has shape \(60, 1\): a plane needs at least 2 rows and 2 columns"),
        (X[0], None, r"X has shape \(5,\): a plane"),
        (pd.DataFrame({"a": [1, 2], "b": ["x", "y"]}), None, "Column 'b' of X holds no numbers: leave it out or encode it"),
        (X, CLASSES[:5], "X has 60 rows, y has 5"),
        (X, np.r_[np.nan, X[1:, 0]], "contains NaN: row 0"),
        (X, np.c_[X[:, 0], X[:, 1]], "y has 2 targets: draw one at a time"),
        (sparse.csr_matrix(X), None, "dense data"),
    ],
)
def test_bad_input(table, y, message):
    """The refusal names what is wrong and the remedy."""
    with pytest.raises(ValueError, match=message):
        RowsDisplay(table, y)
