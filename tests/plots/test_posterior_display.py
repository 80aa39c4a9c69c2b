"""Posteriors over a plane: the surface is what the model gives, the band is where a rule rejects."""

import numpy as np
import pytest
from matplotlib.colors import to_rgba
from pictures import CLASSES, X, assert_inside, legend_of
from sklearn.linear_model import LinearRegression, Perceptron
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from aprendiz import DecisionRule, LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from aprendiz.plots import PosteriorDisplay
from aprendiz.plots.plane.regions import STRONG, colours

FLAT = X[:, :2]


@pytest.fixture(scope="module")
def model():
    """Three classes on a plane."""
    return QuadraticDiscriminantAnalysis().fit(FLAT, CLASSES)


def places(display):
    """All places of the grid as rows of two columns."""
    return np.stack(np.meshgrid(display.grid.x, display.grid.y), axis=-1).reshape(-1, 2)


def test_the_surface_is_the_posterior(model):
    """Of the most probable class, or of the one that is asked for; its colour is the stronger the more probable it is."""
    best, one = PosteriorDisplay.from_estimator(model, FLAT, CLASSES), PosteriorDisplay(model, FLAT, label="two").plot()
    P = model.predict_proba(places(best))
    np.testing.assert_array_equal(best.owner.ravel(), P.argmax(axis=1))
    np.testing.assert_array_equal(best.probability.ravel(), P.max(axis=1))
    np.testing.assert_array_equal(one.probability.ravel(), P[:, list(model.classes_).index("two")])
    for display in (best, one):
        image = display.ax_.images[0].get_array()
        np.testing.assert_allclose(image[..., :3], colours(3)[display.owner])
        np.testing.assert_allclose(image[..., 3], STRONG * display.probability)
    assert best.ax_.get_title(loc="left") == "posterior of the most probable class"
    assert one.ax_.get_title(loc="left") == "posterior of two"


def test_lines_are_where_the_posterior_has_their_height(model):
    """The vertices of each line have the probability that is written on it, but for the steps of the grid."""
    display = PosteriorDisplay(model, FLAT, label="one").plot()
    lines = display.ax_.collections[0]
    assert len(lines.levels) >= 3
    for level, path in zip(lines.levels, lines.get_paths(), strict=True):
        found = model.predict_proba(path.vertices)[:, list(model.classes_).index("one")]
        np.testing.assert_allclose(found, level, atol=0.02)
    assert {text.get_text() for text in lines.labelTexts} <= {"10 %", "25 %", "50 %", "75 %", "90 %", "99 %"}


def test_the_band_is_where_a_rule_rejects(model):
    """Places are rejected as the rule says; the band ends where the most probable class reaches the limit."""
    display = PosteriorDisplay.from_estimator(model, FLAT, CLASSES, reject_below=0.7)
    decided = DecisionRule(reject_below=0.7).decide(model.predict_proba(places(display)))
    np.testing.assert_array_equal(display.rejected.ravel(), decided == -1)
    assert 0 < display.rejected.sum() < display.rejected.size
    assert legend_of(display.ax_) == ["one", "three", "two", "rejected: no class reaches 70 %"]
    band = next(one for one in display.ax_.collections if getattr(one, "hatches", None) == ["////"])
    assert tuple(band.get_facecolor()[0]) == to_rgba("none")
    vertices = np.concatenate([path.vertices for path in band.get_paths()])
    low, high = (np.array([display.grid.x[end], display.grid.y[end]]) for end in (0, -1))
    inner = ((vertices > low) & (vertices < high)).all(axis=1)
    np.testing.assert_allclose(model.predict_proba(vertices[inner]).max(axis=1), 0.7, atol=0.02)


@pytest.mark.parametrize("limit", [None, 0.2, 1 / 3], ids=str)
def test_no_band_where_nothing_is_rejected(limit, model):
    """Without a limit, or with one that the most probable of three classes always reaches."""
    display = PosteriorDisplay(model, FLAT, CLASSES, reject_below=limit).plot()
    assert not display.rejected.any()
    assert legend_of(display.ax_) == ["one", "three", "two"]


def test_everything_may_be_rejected():
    """A limit of 1 leaves no place that is decided, and is drawn."""
    display = PosteriorDisplay.from_estimator(LinearDiscriminantAnalysis().fit(FLAT, CLASSES), FLAT, reject_below=1.0)
    assert display.rejected.mean() > 0.9
    assert_inside(display)


def test_slices_pipelines_and_rows():
    """Other columns at their medians, models of scikit-learn in a pipeline, the rows in their places."""
    model = make_pipeline(StandardScaler(), LinearDiscriminantAnalysis()).fit(X, CLASSES)
    display = PosteriorDisplay.from_estimator(model, X, CLASSES, columns=(3, 1), label="three")
    rows = np.tile(np.median(X, axis=0), (201 * 201, 1))
    rows[:, [3, 1]] = places(display)
    np.testing.assert_allclose(display.probability.ravel(), model.predict_proba(rows)[:, 1], rtol=1e-12)
    title = display.ax_.get_title(loc="left").replace("\n", " ")
    assert title == "posterior of three; other columns at their medians"
    for line, label in zip(display.ax_.lines, ["one", "three", "two"], strict=True):
        np.testing.assert_array_equal(line.get_xydata(), X[label == CLASSES][:, [3, 1]])


def test_what_is_refused(model):
    """Models without probabilities, classes that the model does not know, limits that are none."""
    for other in (Perceptron(), LinearRegression()):
        with pytest.raises(TypeError, match=f"{type(other).__name__} gives no probabilities of classes"):
            PosteriorDisplay(other.fit(FLAT, np.arange(60) % 3), FLAT)
    with pytest.raises(ValueError, match="label = 'four' is not a class of the model: give one of 'one', 'three', 'two'"):
        PosteriorDisplay(model, FLAT, label="four")
    with pytest.raises(ValueError, match="reject_below must be a number between 0 and 1, got 7"):
        PosteriorDisplay(model, FLAT, reject_below=7)
    with pytest.raises(ValueError, match="y has 59"):
        PosteriorDisplay(model, FLAT, CLASSES[1:])
