"""The order of the farthest-first traversal."""

import numpy as np
import pytest
from pictures import FITTED, X

from aprendiz import FarthestFirstHierarchy
from aprendiz.plots import FarthestFirstDisplay


def test_order_parents_and_radii():
    """Numbers stand at the rows in their order, lines lead to the parents, radii never rise."""
    model = FarthestFirstHierarchy(first=0).fit(X)
    display = FarthestFirstDisplay(model, X, most=5).plot()
    left, right = display.ax_
    assert [(text.get_text(), text.get_position()) for text in left.texts] == [
        (str(k + 1), tuple(X[row, :2])) for k, row in enumerate(model.order_[:5])
    ]
    ends = [line.get_xydata() for line in left.lines if len(line.get_xdata()) == 2]
    for row, end in zip(model.order_[1:5], ends, strict=True):
        np.testing.assert_array_equal(end, X[[model.parents_[row], row], :2])
    (curve,) = right.lines
    np.testing.assert_array_equal(curve.get_ydata(), model.radii_[:5])
    assert (np.diff(curve.get_ydata()) <= 0).all()


def test_bad_input():
    """The refusal names what is wrong."""
    model = FarthestFirstHierarchy(first=0).fit(X)
    with pytest.raises(ValueError, match=r"X has shape \(3, 5\): give the 60 rows of the fit"):
        FarthestFirstDisplay(model, X[:3])
    with pytest.raises(TypeError, match="KMeans has no traversal"):
        FarthestFirstDisplay(FITTED.centres, X)
