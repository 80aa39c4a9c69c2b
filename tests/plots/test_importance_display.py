"""Importance of columns: bars in their order, standard errors at their ends, names beside them."""

import numpy as np
import pytest
from pictures import FITTED, X

from aprendiz import KNeighborsClassifier
from aprendiz.plots import ImportanceDisplay


def bars(display):
    return [bar.get_width() for bar in display.ax_.patches]


def test_permutation_importance():
    """Means from the largest on, one standard error on either side."""
    found = FITTED.forest.oob_permutation_importance(random_state=0)
    display = found.plot(most=3)
    order = np.argsort(-found.mean)[:3]
    np.testing.assert_array_equal(bars(display), found.mean[order])
    ends = [segment[:, 0] for segment in display.ax_.containers[1][2][0].get_segments()]
    np.testing.assert_allclose(ends, np.c_[found.mean - found.standard_error, found.mean + found.standard_error][order])
    assert [text.get_text() for text in display.ax_.get_yticklabels()] == [found.names[j] for j in order]
    assert "2 less important columns are not shown" in display.ax_.get_xlabel().replace("\n", " ")


def test_parts_in_the_impurity():
    """feature_importances_, all columns."""
    display = ImportanceDisplay.from_estimator(FITTED.forest)
    np.testing.assert_array_equal(bars(display), np.sort(FITTED.forest.feature_importances_)[::-1])
    assert display.ax_.get_xlabel().replace("\n", " ") == "share of the decrease in impurity"


def test_bad_input():
    """What is no importance, and lists that do not fit."""
    with pytest.raises(ValueError, match=r"importances has shape \(1, 2\)"):
        ImportanceDisplay([[1, 2]])
    with pytest.raises(ValueError, match="names has 1 entries, there are 2 importances"):
        ImportanceDisplay([1, 2], names=["a"])
    with pytest.raises(ValueError, match="most must be a whole number"):
        ImportanceDisplay([1, 2]).plot(most=0)
    with pytest.raises(TypeError, match="has no feature_importances_: give a tree or a forest"):
        ImportanceDisplay.from_estimator(KNeighborsClassifier().fit(X, np.arange(60) % 2))
