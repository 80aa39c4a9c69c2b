"""Ellipses of Gaussians over the rows: what they are fitted to, what is drawn, refusals."""

import numpy as np
import pandas as pd
import pytest
from pictures import CLASSES, X, assert_inside, legend_of

from aprendiz.bayes.distributions import MultivariateGaussian
from aprendiz.plots import EllipseDisplay, ellipse

NAMES = ["one", "three", "two"]


def test_one_gaussian_for_each_class():
    """Fitted to the rows of the class; its ellipse has the radius of χ²₂, its mark the mean."""
    display = ellipse(X, CLASSES)
    assert list(display.gaussians) == NAMES == legend_of(display.ax_)
    drawn = iter(display.ax_.lines)
    for name in NAMES:
        rows = X[name == CLASSES, :2]
        fitted = MultivariateGaussian.fit(rows)
        points, line, mean = (next(drawn).get_xydata() for _ in range(3))
        np.testing.assert_array_equal(points, rows)
        np.testing.assert_allclose(fitted.squared_distance(line), 5.991465, atol=5e-7)
        np.testing.assert_allclose(mean[0], rows.mean(axis=0), rtol=1e-12)


def test_without_classes():
    """One ellipse, no legend; the share inside is in the title."""
    display = ellipse(X, probability=0.5)
    assert display.ax_.get_legend() is None
    assert "50 %" in display.ax_.get_title(loc="left")
    inside = display.gaussians[""].squared_distance(X[:, :2]) <= display.gaussians[""].squared_radius(0.5)
    assert 0.3 < inside.mean() < 0.7


def test_columns_and_missing_cells():
    """Columns by name; rows that miss one of the two cells are left out, others are not."""
    frame = pd.DataFrame(X, columns=list("abcde"))
    frame.loc[3, "e"] = frame.loc[4, "a"] = np.nan
    display = ellipse(frame, CLASSES, columns=("e", "b"), name="size")
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == ("e", "b")
    assert display.ax_.get_legend().get_title().get_text() == "size"
    whole = np.arange(60) != 3
    assert display.gaussians["one"] == MultivariateGaussian.fit(X[whole & (CLASSES == "one")][:, [4, 1]])


def test_many_rows():
    """At most two thousand rows are drawn, all of them are fitted."""
    rows = np.random.default_rng(0).normal(size=(5000, 2))
    display = ellipse(rows)
    assert len(display.ax_.lines[0].get_xdata()) == 2000
    assert display.gaussians[""] == MultivariateGaussian.fit(rows)


def test_a_gaussian_draws_itself():
    """`plot` of a Gaussian of two columns, without rows."""
    model = MultivariateGaussian.bivariate(0, 1, 1, 2, 0.5)
    display = model.plot()
    np.testing.assert_array_equal(display.ax_.lines[1].get_xydata(), model.ellipse())
    assert_inside(display)
    assert EllipseDisplay({"a": model, "b": model}).plot().ax_.get_legend() is not None


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ellipse(X[:4], CLASSES[:4]), "The class 'one' has no Gaussian of two columns: covariance"),
        (lambda: ellipse(X, CLASSES[:5]), "X has 60 rows, y has 5"),
        (lambda: ellipse(X, columns=(0, 9)), "columns names 9, which is not a column of X"),
        (lambda: ellipse(X, probability=95), "probability = 95 must lie between 0 and 1"),
        (lambda: EllipseDisplay({}), "There is no Gaussian to draw"),
        (lambda: EllipseDisplay(MultivariateGaussian.fit(X)), "An ellipse has 2 columns, the distribution has 5"),
        (lambda: EllipseDisplay(MultivariateGaussian.fit(X[:, :2]), X), r"points has shape \(60, 5\): give two columns"),
    ],
)
def test_bad_input(call, message):
    """The refusal names the class, the column or the value, and the remedy."""
    with pytest.raises(ValueError, match=message):
        call()
