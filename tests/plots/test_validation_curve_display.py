"""Validation curves: lines are those of the record, numbers at their places, other values in their order."""

import numpy as np
from pictures import CLASSES, FITTED, X, legend_of
from sklearn.neighbors import KNeighborsClassifier

from aprendiz import Ridge
from aprendiz.evaluation import KFolds, validation_curve
from aprendiz.locale import language
from aprendiz.plots import ValidationCurveDisplay


def test_lines_and_marks():
    curve = FITTED.depths
    display = ValidationCurveDisplay(curve).plot()
    for line, scores in zip(display.lines_, (curve.unseen, curve.seen), strict=True):
        np.testing.assert_array_equal(line.get_xydata(), np.c_[curve.values, [score.value for score in scores]])
    assert legend_of(display.ax_)[-1] == f"best: {curve.best}"
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == ("max_depth", "accuracy")
    assert display.ax_.get_xscale() == "linear"
    assert curve.plot().curve is curve


def test_numbers_that_reach_far():
    """Powers on the axis, from left to right whatever the order was."""
    how = {"parameter": "alpha", "values": (100.0, 1.0, 1e-3), "protocol": KFolds(3)}
    display = ValidationCurveDisplay.from_estimator(Ridge(), X, X[:, 0] * 2, **how)
    assert display.ax_.get_xscale() == "log"
    np.testing.assert_array_equal(display.lines_[0].get_xdata(), [1e-3, 1.0, 100.0])
    np.testing.assert_array_equal(display.lines_[0].get_ydata(), [s.value for s in display.curve.unseen][::-1])
    with language("es"):
        assert legend_of(display.curve.plot().ax_)[-1] == "mejor: 0,001"


def test_words_as_values():
    how = {"parameter": "weights", "values": ("uniform", "distance"), "protocol": KFolds(3)}
    display = ValidationCurveDisplay(validation_curve(KNeighborsClassifier(), X, CLASSES, **how)).plot()
    assert [text.get_text() for text in display.ax_.get_xticklabels()] == ["uniform", "distance"]
