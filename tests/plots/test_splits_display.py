"""Splits: which rows train and which test."""

import numpy as np
import pytest
from pictures import CLASSES, legend_of

from aprendiz.evaluation import KFolds
from aprendiz.plots import SplitsDisplay


def test_folds():
    """Every row is tested once and trains all other folds."""
    display = SplitsDisplay.from_protocol(KFolds(4), CLASSES)
    np.testing.assert_array_equal((display.use == 3).sum(axis=0), 1)
    np.testing.assert_array_equal((display.use == 1).sum(axis=0), 3)
    assert legend_of(display.ax_) == ["training row", "test row"]
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == ("row", "split")


def test_bags():
    """About 36.8 % of the rows are out of a bag, and the legend says how many."""
    display = SplitsDisplay.bootstrap(2000, 20, random_state=0)
    share = (display.use == 3).mean()
    assert share == pytest.approx(np.exp(-1), abs=0.01)
    assert legend_of(display.ax_)[-1] == "out of the bag (37 % of the rows)"
    assert display.ax_.get_ylabel() == "sample"


def test_bad_input():
    """The refusal names the split and the row."""
    with pytest.raises(ValueError, match=r"splits\[0\] trains on row 2 and tests it"):
        SplitsDisplay([([0, 2], [1, 2])], 3)
    with pytest.raises(ValueError, match=r"splits\[0\] has test rows that are not numbers from 0 to 2"):
        SplitsDisplay([([0, 2], [3])], 3)
    with pytest.raises(ValueError, match="There is no split to draw"):
        SplitsDisplay([], 3)
