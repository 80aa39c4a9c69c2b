"""Learning curves: lines and bands are those of the record."""

import numpy as np
import pytest
from pictures import CLASSES, FITTED, X, legend_of
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB

from aprendiz.evaluation import METRICS, Holdout, KFolds, learning_curve
from aprendiz.evaluation.words.measures import measure_in_words
from aprendiz.plots import LearningCurveDisplay


def test_lines_and_bands():
    """For unseen rows and training rows: the values, and between low and high ends the band."""
    display = LearningCurveDisplay(FITTED.growth).plot()
    for line, band, scores in zip(
        display.lines_, display.ax_.collections, (FITTED.growth.unseen, FITTED.growth.seen), strict=True
    ):
        np.testing.assert_array_equal(line.get_xydata(), np.c_[FITTED.growth.rows, [score.value for score in scores]])
        border = {tuple(point) for point in band.get_paths()[0].vertices}
        wanted = {(n, end) for n, score in zip(FITTED.growth.rows, scores, strict=True) for end in (score.low, score.high)}
        assert wanted <= border
    assert legend_of(display.ax_) == ["on unseen rows (95 % interval)", "on training rows (range of the splits)"]
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == ("training rows", "accuracy")
    assert display.ax_.get_xlim()[0] == 0


def test_from_estimator():
    """Fit, judge and draw with the arguments of `learning_curve`; `plot` of the record is the same picture."""
    how = {"shares": (0.5, 1.0), "protocol": KFolds(3), "metric": "log_loss", "seed": 4}
    drawn = LearningCurveDisplay.from_estimator(GaussianNB(), X, CLASSES, **how)
    wanted = learning_curve(GaussianNB(), X, CLASSES, **how)
    assert [score.value for score in drawn.curve.unseen] == [score.value for score in wanted.unseen]
    assert drawn.ax_.get_ylabel() == "log loss"
    assert wanted.plot().curve is wanted


def test_one_split_and_one_size():
    """A single point is a mark: a holdout of numbers, of which the training rows have no range."""
    curve = learning_curve(LinearRegression(), X, X[:, 0] * 2, shares=(1.0,), protocol=Holdout())
    display = LearningCurveDisplay(curve).plot()
    assert display.ax_.get_ylabel() == "R²"
    assert [len(line.get_xdata()) for line in display.lines_] == [1, 1]
    display.figure_.canvas.draw()


@pytest.mark.parametrize("metric", METRICS)
def test_every_measure_has_a_name(metric):
    """Words or the usual letters, never the name of a parameter."""
    name = measure_in_words(metric)
    assert "_" not in name
    assert name == "accuracy" or name != metric
