"""Criteria: bars as long as the differences, with the weights beside them."""

import numpy as np
from pictures import FITTED

from aprendiz import LinearRegression, Ridge
from aprendiz.evaluation import criteria
from aprendiz.plots import CriteriaDisplay


def test_bars():
    found = FITTED.criteria
    display = CriteriaDisplay(found).plot()
    np.testing.assert_allclose([bar.get_width() for bar in display.ax_.patches], found.differences)
    assert [text.get_text() for text in display.ax_.texts] == [f"weight {weight:.3f}" for weight in found.weights]
    assert [label.get_text() for label in display.ax_.get_yticklabels()] == list(found.names)
    assert display.ax_.get_xlabel() == "AIC above that of the best model"


def test_infinite_criteria():
    """AICc of as many parameters as rows is said, not drawn."""
    X, y = np.arange(12.0).reshape(6, 2) ** 3, np.array([1.0, 0.0, 2.0, 1.0, 5.0, 3.0])
    X = np.column_stack([X, [0, 1, 0, 0, 1, 1]])
    found = criteria.table({"rich": LinearRegression().fit(X, y), "poor": Ridge(alpha=1e12).fit(X, y)}, X, y, by="aicc")
    assert found.best == "poor"
    assert found.aicc[1] == np.inf
    display = found.plot()
    assert [text.get_text() for text in display.ax_.texts] == ["weight 1.000", "beyond the numbers"]
