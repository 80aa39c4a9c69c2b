"""Regions of classifiers: what is painted is what the model predicts; what is hatched is what it leaves open."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from pictures import CLASSES, FITTED, X, assert_inside, legend_of
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from aprendiz import LeastSquaresClassifier, LinearMachine, LogisticRegression
from aprendiz.plots import AmbiguousRegionsDisplay, RegionsDisplay
from aprendiz.plots.plane.regions import colours

FLAT = X[:, :2]
FRAME = pd.DataFrame(X, columns=["a", "b", "c", "d", "e"])


def places(display):
    """All places of the grid as rows of two columns."""
    return np.stack(np.meshgrid(display.grid.x, display.grid.y), axis=-1).reshape(-1, 2)


# ---- regions ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", [LogisticRegression(), LinearMachine("least_squares"), KNeighborsClassifier(), GaussianNB()])
def test_regions_are_the_predictions(model):
    """Each place has the colour of its class, stronger where it is more probable."""
    model.fit(FLAT, CLASSES)
    display = RegionsDisplay.from_estimator(model, FLAT, CLASSES)
    assert np.array_equal(display.classes[display.regions].ravel(), model.predict(places(display)))
    image = display.ax_.images[0].get_array()
    np.testing.assert_allclose(image[..., :3], colours(3)[display.regions])
    if hasattr(model, "predict_proba"):
        np.testing.assert_allclose(display.probability.ravel(), model.predict_proba(places(display)).max(axis=1))
        sure, unsure = np.unravel_index(display.probability.argmax(), (201, 201)), display.probability.argmin()
        assert image[sure][3] > image[np.unravel_index(unsure, (201, 201))][3]
        assert display.ax_.get_title(loc="left") == "stronger colour: more probable"
    else:
        assert len(np.unique(image[..., 3])) == 1
        assert display.ax_.get_title(loc="left") == ""


def test_rows_are_where_they_are():
    """A mark for each row in its class; all rows lie inside the grid; without y there are regions alone."""
    model = LogisticRegression().fit(FLAT, CLASSES)
    display = RegionsDisplay(model, FLAT, CLASSES).plot(name="number")
    assert legend_of(display.ax_) == ["one", "three", "two"]
    assert display.ax_.get_legend().get_title().get_text() == "number"
    for line, label in zip(display.ax_.lines, ["one", "three", "two"], strict=True):
        np.testing.assert_array_equal(line.get_xydata(), FLAT[label == CLASSES])
    left, right, low, high = display.grid.extent
    assert (left < FLAT[:, 0]).all()
    assert (FLAT[:, 0] < right).all()
    assert (low < FLAT[:, 1]).all()
    assert (FLAT[:, 1] < high).all()
    bare = RegionsDisplay(model, FLAT).plot()
    assert legend_of(bare.ax_) == ["one", "three", "two"]
    assert all(len(line.get_xdata()) == 0 for line in bare.ax_.lines)


@pytest.mark.parametrize("form", [FRAME, pl.DataFrame(FRAME.to_dict("list")), X], ids=["pandas", "polars", "array"])
def test_slices_of_wider_tables(form):
    """Two columns by name or number, the others at their medians; the title says so."""
    model = LogisticRegression().fit(form, CLASSES)
    columns = (3, 1) if form is X else ("d", "b")
    display = RegionsDisplay(model, form, CLASSES, columns=columns).plot()
    rows = np.tile(np.median(X, axis=0), (201 * 201, 1))
    rows[:, [3, 1]] = places(display)
    expected = LogisticRegression().fit(X, CLASSES).predict(rows)
    assert np.array_equal(display.classes[display.regions].ravel(), expected)
    title = display.ax_.get_title(loc="left").replace("\n", " ")
    assert title == "other columns at their medians; stronger colour: more probable"
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == (("x3", "x1") if form is X else ("d", "b"))


@pytest.mark.parametrize("library", [pd, pl], ids=["pandas", "polars"])
def test_columns_of_words(library):
    """A column of words is held at its most frequent word."""
    words = np.where(np.arange(60) % 3 == 0, "red", "blue")
    table = library.DataFrame({"a": X[:, 0], "colour": words, "b": X[:, 1]})
    columns = make_column_transformer((OneHotEncoder(sparse_output=False), ["colour"]), remainder="passthrough")
    model = make_pipeline(columns, GaussianNB()).fit(table, CLASSES)
    display = RegionsDisplay(model, table, CLASSES, columns=("b", "a"))
    b, a = places(display).T
    blue = library.DataFrame({"a": a, "colour": ["blue"] * len(a), "b": b})
    assert np.array_equal(display.classes[display.regions].ravel(), model.predict(blue))


def test_holes_constants_and_many_rows():
    """Missing cells, a column that never changes, and more rows than are drawn."""
    rng = np.random.default_rng(0)
    table = np.column_stack([rng.normal(size=3000), np.full(3000, 7.0)])
    model = make_pipeline(StandardScaler(), GaussianNB()).fit(table, table[:, 0] > 0)
    holed = np.where(rng.random(table.shape) < 0.1, np.nan, table)
    display = RegionsDisplay.from_estimator(model, holed, table[:, 0] > 0)
    assert len(display.chosen) == 2000
    assert_inside(display)


def test_more_classes_than_colours():
    """Fifteen classes are drawn, twelve of them are named."""
    rng = np.random.default_rng(1)
    y = np.arange(300) % 15
    table = rng.normal(size=(15, 2))[y] * 5 + rng.normal(size=(300, 2))
    display = RegionsDisplay.from_estimator(LinearMachine().fit(table, y), table, y)
    assert legend_of(display.ax_) == [*map(str, range(12)), "3 others"]
    assert_inside(display)


def test_bad_input_of_regions():
    """What cannot be drawn is named."""
    model = LogisticRegression().fit(FLAT, CLASSES)
    with pytest.raises(TypeError, match="LinearRegression predicts no classes"):
        RegionsDisplay(LinearRegression().fit(FLAT, X[:, 0]), FLAT)
    with pytest.raises(ValueError, match=r"X has shape \(60, 1\): a plane needs at least 1 row and 2 columns"):
        RegionsDisplay(model, X[:, :1])
    with pytest.raises(ValueError, match=r"columns = \(1, 1\) must be two different columns"):
        RegionsDisplay(model, FLAT, columns=(1, 1))
    with pytest.raises(ValueError, match=r"columns names 'z', which is not a column of X \('a', 'b'\)"):
        RegionsDisplay(LogisticRegression().fit(FRAME[["a", "b"]], CLASSES), FRAME[["a", "b"]], columns=("a", "z"))
    with pytest.raises(ValueError, match="Column 'w' of X holds no numbers"):
        RegionsDisplay(model, pd.DataFrame({"w": ["a"] * 60, "b": X[:, 1]}))
    with pytest.raises(ValueError, match="y has 59"):
        RegionsDisplay(model, FLAT, CLASSES[1:])


# ---- ambiguous regions ---------------------------------------------------------------------------------------------------


def test_what_is_hatched_is_ambiguous():
    """Places are open where the reductions say so, elsewhere they have the predicted class; the machine leaves none open."""
    display = AmbiguousRegionsDisplay.from_estimator(LeastSquaresClassifier(), FLAT, CLASSES)
    rows = places(display)
    for region, share, kind in zip(display.regions[:2], display.shares, FITTED.reductions, strict=False):
        model = type(kind)(LeastSquaresClassifier()).fit(FLAT, CLASSES)
        assert np.array_equal(region.ravel() < 0, model.ambiguous(rows))
        known = region.ravel() >= 0
        assert np.array_equal(display.classes[region.ravel()[known]], model.predict(rows[known]))
        assert share == np.mean(model.ambiguous(rows))
    assert display.shares[0] > 0.1
    assert display.shares[2] == 0
    assert [ax.get_title(loc="left").split(":")[0] for ax in display.ax_] == [
        "one against the rest",
        "one against one",
        "linear machine",
    ]


def test_the_machine_can_be_chosen():
    """The third picture is that of the given machine."""
    machine = LinearMachine("softmax", C=0.01)
    display = AmbiguousRegionsDisplay.from_estimator(LogisticRegression(), FLAT, CLASSES, machine=machine)
    expected = LinearMachine("softmax", C=0.01).fit(FLAT, CLASSES).predict(places(display))
    assert np.array_equal(display.classes[display.regions[2]].ravel(), expected)


def test_two_classes_are_refused():
    """Two classes are never ambiguous."""
    two = CLASSES != "two"
    with pytest.raises(ValueError, match="'one' and 'three': give rows of three classes"):
        AmbiguousRegionsDisplay.from_estimator(LogisticRegression(), FLAT[two], CLASSES[two])
