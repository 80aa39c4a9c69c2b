"""Shrunken centroids: bars are the differences that are left, the largest on top, dropped columns are not shown."""

import numpy as np
import pytest
from pictures import CLASSES, X

from aprendiz import GaussianNB, NearestCentroid, NearestShrunkenCentroids
from aprendiz.plots import ShrunkenCentroidsDisplay

LEFT = np.array([[0.0, -3.0, 0.0, 0.5], [0.0, 1.0, 0.0, -1.5], [0.0, 0.0, 0.0, 2.5]])


def test_bars():
    """One axes for each class with the same columns and limits; what is zero everywhere is left out."""
    display = ShrunkenCentroidsDisplay(LEFT, ["a", "b", "c", "d"], ["low", "middle", "high"]).plot()
    assert display.shown_.tolist() == [1, 3]
    for k, ax in enumerate(display.ax_):
        np.testing.assert_allclose([bar.get_width() for bar in ax.patches], LEFT[k, [1, 3]])
        assert ax.get_xlim() == display.ax_[0].get_xlim()
    assert [text.get_text() for text in display.ax_[0].get_yticklabels()] == ["b", "d"]
    assert [ax.get_title(loc="left") for ax in display.ax_] == ["class 'low'", "class 'middle'", "class 'high'"]


def test_columns_that_are_not_shown():
    """Their number is in the name of the axis."""
    display = ShrunkenCentroidsDisplay(LEFT).plot(most=1)
    assert "(1 more column is left)" in display.ax_[0].get_xlabel().replace("\n", " ")


@pytest.mark.parametrize("model", [NearestShrunkenCentroids(0.5), NearestCentroid(shrink_threshold=0.5)])
def test_of_models(model):
    """Both learners give the same picture, in their own classes."""
    display = ShrunkenCentroidsDisplay.from_estimator(model.fit(X, CLASSES))
    expected = NearestShrunkenCentroids(0.5).fit(X, CLASSES).shrunken_
    np.testing.assert_allclose(display.differences, expected, atol=1e-12)
    assert display.classes == ["one", "three", "two"]


def test_what_is_refused():
    """Nothing that is left, other models, and names or classes that do not go with the differences."""
    with pytest.raises(ValueError, match=r"No column is left.*smaller threshold"):
        ShrunkenCentroidsDisplay(np.zeros((2, 3))).plot()
    with pytest.raises(TypeError, match="GaussianNB has no shrunken centroids"):
        ShrunkenCentroidsDisplay.from_estimator(GaussianNB().fit(X, CLASSES))
    with pytest.raises(ValueError, match="names has 1 entries, there are 4 columns"):
        ShrunkenCentroidsDisplay(LEFT, ["a"])
    with pytest.raises(ValueError, match="classes has 2 entries, there are 3 rows"):
        ShrunkenCentroidsDisplay(LEFT, classes=["a", "b"])
