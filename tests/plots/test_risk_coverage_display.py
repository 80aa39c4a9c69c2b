"""Risk and coverage: the line is the curve, the mark the point of a price, several models have several colours."""

import numpy as np
import pytest
from pictures import DOUBT, legend_of

from aprendiz import BayesDecisionClassifier, GaussianNB, LogisticRegression
from aprendiz.plots import RiskCoverageDisplay

RNG = np.random.default_rng(1)
Y = RNG.integers(0, 2, size=120)
X = RNG.normal(size=(120, 2)) + Y[:, None]


def test_the_line_is_the_curve():
    """Its points are those of the curve, and the area under the steps is the mean over all coverages."""
    display = RiskCoverageDisplay(DOUBT).plot(reject_cost=0.1)
    share, risk = display.line_.get_data()
    np.testing.assert_array_equal(share[1:], DOUBT.coverage)
    np.testing.assert_array_equal(risk[1:], DOUBT.risk)
    assert np.diff(share) @ risk[1:] == pytest.approx(DOUBT.area)
    assert any(line.get_marker() == "o" and (*line.get_data(),) == DOUBT.at(0.1) for line in display.ax_.lines)
    assert any("rejection costs 0.1" in words for words in legend_of(display.ax_))


def test_several_models():
    """On the same axes each has its colour and its name."""
    models = [BayesDecisionClassifier(base).fit(X, Y) for base in (GaussianNB(), LogisticRegression())]
    first = RiskCoverageDisplay.from_estimator(models[0], X, Y, name="_naive")
    second = RiskCoverageDisplay.from_estimator(models[1], X, Y, name="logistic", ax=first.ax_)
    assert first.ax_ is second.ax_
    assert first.line_.get_color() != second.line_.get_color()
    words = [text.strip() for text in legend_of(first.ax_)]
    assert words[0].startswith("_naive: ")
    assert any(text.startswith("logistic: ") for text in words)
