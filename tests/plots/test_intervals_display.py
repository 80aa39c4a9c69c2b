"""Intervals as a picture: who is inside, what the legend says, refusals."""

import numpy as np
import pytest
from pictures import legend_of

from aprendiz import ConformalRegressor, LinearRegression
from aprendiz.plots import IntervalsDisplay

RNG = np.random.default_rng(0)
X = RNG.normal(size=(300, 1))
Y = X[:, 0] + RNG.normal(size=300)


def test_shares_and_marks():
    """Ends belong to the interval; the marks and the legend are those of the rows."""
    display = IntervalsDisplay([1.0, 2, 3, 4], [1, 2, 3, 3], [[1, 2], [0, 2], [2, 2.5], [0, 9]]).plot()
    assert display.inside.tolist() == [True, True, False, True]
    assert legend_of(display.ax_)[1:] == ["inside its interval: 75 %", "outside: 25 %"]
    inside, outside = display.ax_.lines[1:]
    assert inside.get_xydata().tolist() == [[1, 1], [2, 2], [3, 4]]
    assert outside.get_xydata().tolist() == [[3, 3]]


def test_of_a_model():
    """The intervals of the model, of many rows as thin lines."""
    model = ConformalRegressor(LinearRegression(), random_state=0).fit(X[:100], Y[:100])
    display = IntervalsDisplay.from_estimator(model, X[100:], Y[100:], coverage=0.8)
    np.testing.assert_array_equal(display.intervals, model.predict_interval(X[100:], 0.8))
    assert display.inside.mean() == model.check_coverage(X[100:], Y[100:], 0.8).share
    assert len(display.ax_.collections[0].get_segments()) == 200


@pytest.mark.parametrize("wrong", [np.zeros((3, 2)), np.zeros((4, 3)), np.full((4, 2), np.nan)])
def test_refused(wrong):
    with pytest.raises(ValueError, match="give the low and the high end of each of the 4 rows"):
        IntervalsDisplay(np.zeros(4), np.zeros(4), wrong)
