"""Coefficients: the largest as bars, with names and signs; the rest counted."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from pictures import CLASSES, X, assert_inside
from scipy import sparse
from sklearn.linear_model import LogisticRegression as TheirLogistic
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures

from aprendiz import BernoulliNB, DiagonalDiscriminantAnalysis, LinearRegression, LogisticRegression, StandardScaler
from aprendiz.plots import CoefficientsDisplay
from aprendiz.plots.shared.style import BLUE, VERMILION

RNG = np.random.default_rng(9)
NAMES = ["age", "height", "weight", "income", "rooms"]
FRAME = pd.DataFrame(X, columns=NAMES)


def bars(ax):
    """Lengths of the bars from top to bottom, and the names beside them."""
    patches = sorted(ax.patches, key=lambda bar: bar.get_y())
    return [bar.get_width() for bar in patches], [text.get_text() for text in ax.get_yticklabels()]


@pytest.mark.parametrize("count", [1, 3, 19, 20, 21, 22, 1000])
def test_the_largest_are_shown(count):
    """By falling size, the largest on top, at most twenty; the others are counted in words."""
    values = RNG.normal(size=count)
    display = CoefficientsDisplay(values).plot()
    lengths, names = bars(display.ax_)
    order = np.argsort(-np.abs(values))[:20]
    np.testing.assert_array_equal(lengths, values[order])
    assert names == [f"x{j}" for j in order]
    bottom, top = display.ax_.get_ylim()
    assert bottom > top  # the first bar is the highest
    words = {21: "coefficient (1 smaller one is not shown)", 22: "coefficient (2 smaller ones are not shown)"}
    words[1000] = "coefficient (980 smaller ones are not shown)"
    assert display.ax_.get_xlabel().replace("\n", " ") == words.get(count, "coefficient")
    assert_inside(display)


def test_signs_have_colours():
    """Blue to the right, vermilion to the left; equal sizes in the order of the columns."""
    ax = CoefficientsDisplay([1.0, -1.0, 0.5, 0.0], ["a", "b", "c", "d"]).plot().ax_
    assert bars(ax) == ([1.0, -1.0, 0.5, 0.0], ["a", "b", "c", "d"])
    assert [bar.get_facecolor() for bar in ax.patches] == [to_rgba(c) for c in (BLUE, VERMILION, BLUE, BLUE)]


def test_one_for_each_class():
    """A picture for each class with its own largest coefficients, on a new figure without spare axes or on those given."""
    table = RNG.normal(size=(4, 30))
    display = CoefficientsDisplay(table, towards=list("abcd")).plot()
    assert [ax.get_title(loc="left") for ax in display.ax_] == [f"towards {label!r}" for label in "abcd"]
    assert len(display.figure_.axes) == 4
    for ax, values in zip(display.ax_, table, strict=True):
        assert bars(ax)[0] == sorted(values, key=abs, reverse=True)[:8]
        assert "22 smaller ones" in ax.get_xlabel().replace("\n", " ")
    given = Figure().subplots(2, 2)
    again = CoefficientsDisplay(table).plot(given, most=3)
    assert list(again.ax_) == list(given.flat)
    assert len(bars(again.ax_[0])[0]) == 3
    assert again.ax_[1].get_title(loc="left") == "target 1"


def test_long_names_are_shortened_and_do_not_touch():
    """Names of eighty letters differ by their ends, stay inside and leave room for the bars."""
    names = [f"the relative abundance of a genus with a long name, number {j:04d}" for j in range(1000)]
    display = CoefficientsDisplay(RNG.normal(size=1000), names).plot()
    assert_inside(display)
    shown = display.ax_.get_yticklabels()
    assert len({text.get_text() for text in shown}) == 20
    boxes = [text.get_window_extent() for text in shown]
    assert not any(a.overlaps(b) for k, a in enumerate(boxes) for b in boxes[k + 1 :])
    assert display.ax_.get_window_extent().width > 0.4 * display.figure_.get_window_extent().width


# ---- models ----------------------------------------------------------------------------------------------------------


def test_regression():
    """Coefficients with the names of the frame; no class to lead to."""
    model = LinearRegression().fit(FRAME, X @ [3.0, 0.0, -5.0, 1.0, 0.5])
    display = CoefficientsDisplay.from_estimator(model)
    lengths, names = bars(display.ax_)
    assert names[:4] == ["weight", "age", "income", "rooms"]
    np.testing.assert_allclose(lengths, [-5, 3, 1, 0.5, 0], atol=1e-12)
    assert display.ax_.get_title(loc="left") == ""
    assert bars(CoefficientsDisplay.from_estimator(LinearRegression().fit(X, X[:, 0]), most=1).ax_)[1] == ["x0"]
    assert np.size(CoefficientsDisplay.from_estimator(LinearRegression().fit(X, X[:, :2])).ax_) == 2


def test_two_and_three_classes():
    """Of two classes the coefficients lead to the second; of three, each has its own."""
    two = CoefficientsDisplay.from_estimator(LogisticRegression().fit(FRAME, CLASSES == "one"))
    assert two.ax_.get_title(loc="left") == "towards True"
    model = LogisticRegression().fit(FRAME, CLASSES)
    three = CoefficientsDisplay.from_estimator(model)
    assert [ax.get_title(loc="left") for ax in three.ax_] == ["towards 'one'", "towards 'three'", "towards 'two'"]
    np.testing.assert_array_equal(np.sort(bars(three.ax_[1])[0]), np.sort(model.coef_[1]))


def test_pipelines():
    """The names are those of the columns that reach the linear model, unless others are given."""
    model = make_pipeline(StandardScaler(), PolynomialFeatures(2, include_bias=False), LogisticRegression())
    display = CoefficientsDisplay.from_estimator(model.fit(FRAME, CLASSES == "one"), most=50)
    assert "age height" in bars(display.ax_)[1]
    assert len(bars(display.ax_)[1]) == 20
    alone = make_pipeline(LogisticRegression()).fit(FRAME, CLASSES == "one")
    assert set(bars(CoefficientsDisplay.from_estimator(alone).ax_)[1]) == set(NAMES)
    assert set(bars(CoefficientsDisplay.from_estimator(alone, names=list("abcde")).ax_)[1]) == set("abcde")


def test_a_row_for_each_of_two_classes():
    """Models with a discriminant for each class have two rows of coefficients."""
    for model in (BernoulliNB(), DiagonalDiscriminantAnalysis()):
        display = CoefficientsDisplay.from_estimator(model.fit(X, CLASSES == "one"))
        assert display.towards == [False, True]
        assert len(display.coefficients) == 2


def test_sparse_coefficients():
    """As dense ones."""
    model = TheirLogistic().fit(X, CLASSES)
    dense = CoefficientsDisplay.from_estimator(model).coefficients
    np.testing.assert_array_equal(CoefficientsDisplay.from_estimator(model.sparsify()).coefficients, dense)
    assert CoefficientsDisplay(sparse.csr_matrix([[0.0, 2.0]])).coefficients.tolist() == [[0.0, 2.0]]


def test_bad_input():
    """The refusal names what is wrong and the remedy."""
    with pytest.raises(TypeError, match=r"KNeighborsClassifier has no coefficients \(coef_\): give a linear model"):
        CoefficientsDisplay.from_estimator(KNeighborsClassifier().fit(X, CLASSES))
    with pytest.raises(ValueError, match="names has 1 entries, there are 2 coefficients"):
        CoefficientsDisplay([1, 2], ["a"])
    with pytest.raises(ValueError, match="towards has 1 entries, there are 2 rows of coefficients"):
        CoefficientsDisplay([[1], [2]], ["a"], ["b"])
    with pytest.raises(ValueError, match="coefficients contains NaN"):
        CoefficientsDisplay([1, np.nan])
    with pytest.raises(ValueError, match=r"coefficients has shape \(2, 1, 1\)"):
        CoefficientsDisplay([[[1]], [[2]]])
    with pytest.raises(ValueError, match="most = 0 must be a whole number of at least 1"):
        CoefficientsDisplay([1, 2]).plot(most=0)
    with pytest.raises(ValueError, match="2 axes are needed, ax holds 1"):
        CoefficientsDisplay([[1], [2]]).plot(Figure().subplots())
