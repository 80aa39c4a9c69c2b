"""Errors of thresholds: the points are the means over the folds, the numbers along the top the columns that are left."""

import numpy as np
import pytest
from pictures import CLASSES, FITTED, X, legend_of

from aprendiz import GaussianNB, NearestShrunkenCentroids
from aprendiz.plots import ThresholdCurveDisplay


def test_points_are_the_means():
    """With the choice as a line, and its number of columns in the legend."""
    display = ThresholdCurveDisplay.from_estimator(FITTED.shrunken)
    line = display.ax_.lines[0]
    np.testing.assert_array_equal(line.get_xdata(), FITTED.shrunken.thresholds_)
    np.testing.assert_allclose(line.get_ydata(), FITTED.shrunken.cv_errors_.mean(axis=1))
    assert any(set(line.get_xdata()) == {FITTED.shrunken.shrink_threshold_} for line in display.ax_.lines)
    assert any(f": {FITTED.shrunken.selected_features_.sum()} columns left" in words for words in legend_of(display.ax_))


def test_numbers_along_the_top():
    """Each stands above its threshold and says how many columns that leaves."""
    display = ThresholdCurveDisplay.from_estimator(FITTED.shrunken)
    left = dict(zip(FITTED.shrunken.thresholds_, FITTED.shrunken.columns_left_, strict=True))
    shown = [(tick.get_loc(), tick.label2.get_text()) for tick in display.top_.xaxis.get_major_ticks()]
    assert len(shown) >= 4
    assert all(str(left[place]) == words for place, words in shown)


def test_a_path():
    """Errors on the rows themselves have no folds, so no bars; thresholds may come in any order."""
    path = NearestShrunkenCentroids().path(X, CLASSES, [2.0, 0.0, 1.0])
    display = ThresholdCurveDisplay.from_path(path)
    np.testing.assert_array_equal(display.thresholds, [0.0, 1.0, 2.0])
    np.testing.assert_array_equal(display.ax_.lines[0].get_ydata(), path.errors[[1, 2, 0]])
    np.testing.assert_array_equal(display.columns, path.columns[[1, 2, 0]])
    assert display.ax_.get_legend() is None


def test_what_is_refused():
    """A model that has tried no thresholds, and lengths that differ."""
    for model in (NearestShrunkenCentroids().fit(X, CLASSES), GaussianNB().fit(X, CLASSES)):
        with pytest.raises(TypeError, match=r"has tried no thresholds: fit NearestShrunkenCentroids"):
            ThresholdCurveDisplay.from_estimator(model)
    with pytest.raises(ValueError, match=r"errors \(2,\).*for each threshold"):
        ThresholdCurveDisplay([0, 1, 2], [0.1, 0.2], [3, 2, 1])
