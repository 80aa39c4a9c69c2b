"""Errors against complexity: what is measured, drawn and marked."""

import numpy as np
import pytest
from pictures import CLASSES, X, legend_of

from aprendiz import KNeighborsClassifier, Ridge
from aprendiz.evaluation import KFolds
from aprendiz.plots import ErrorCurveDisplay


def test_training_and_test_errors():
    """Those of refits; the nearest neighbour knows its training rows by heart."""
    display = ErrorCurveDisplay.from_estimator(
        KNeighborsClassifier(), X, CLASSES, "n_neighbors", [1, 5, 15], protocol=KFolds(3)
    )
    training, test = display.curves.values()
    assert training.shape == test.shape == (3, 3)
    assert (training[0] == 0).all()
    for f, (train, held) in enumerate(KFolds(3).splits(CLASSES, None, True)):
        model = KNeighborsClassifier(5).fit(X[train], CLASSES[train])
        assert test[1, f] == np.mean(model.predict(X[held]) != CLASSES[held])
    assert display.best == [1, 5, 15][test.mean(axis=1).argmin()]
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == ("n_neighbors", "error rate")
    assert legend_of(display.ax_)[:2] == ["training rows", "test rows"]


def test_numbers_and_wide_ranges():
    """Squared errors of a regression, on a logarithmic axis."""
    display = ErrorCurveDisplay.from_estimator(Ridge(), X, X @ np.arange(5.0), "alpha", [0.01, 1.0, 100.0])
    assert display.ax_.get_xscale() == "log"
    assert display.ax_.get_ylabel() == "mean squared error"
    assert display.best == 0.01


def test_bad_input():
    """The refusal names what is wrong."""
    with pytest.raises(ValueError, match=r"The curve 'one' has shape \(2,\): give an error for each of 3 values"):
        ErrorCurveDisplay([1, 2, 3], {"one": [1, 2]})
    with pytest.raises(ValueError, match="There is no curve to draw"):
        ErrorCurveDisplay([1, 2, 3], {})
    with pytest.raises(ValueError, match=r"values has shape \(0,\)"):
        ErrorCurveDisplay([], {"one": []})
    with pytest.raises(ValueError, match="curve 'one' contains NaN"):
        ErrorCurveDisplay([1], {"one": [np.nan]})
