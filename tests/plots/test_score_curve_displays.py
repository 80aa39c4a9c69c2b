"""Lift, cost and DET curves as pictures: what is drawn is what was computed, and several models share the axes."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

from aprendiz.evaluation import cost_curve, det_curve, lift
from aprendiz.plots import CostCurveDisplay, DetCurveDisplay, LiftDisplay

RNG = np.random.default_rng(4)
Y = RNG.random(200) < 0.3
SCORE = 1.5 * Y + RNG.normal(size=200)
DISPLAYS = (LiftDisplay, CostCurveDisplay, DetCurveDisplay)


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def test_lift():
    """Gain on the left, lift on the right, without the point at depth 0."""
    curve = lift(Y, SCORE)
    gain, times = curve.plot().lines_
    np.testing.assert_array_equal(gain.get_xydata(), np.column_stack([curve.depth, curve.gain]))
    np.testing.assert_array_equal(times.get_xydata(), np.column_stack([curve.depth, curve.lift])[1:])


def test_costs():
    """The envelope and its lines; the triangle is named once, however many models there are."""
    curve = cost_curve(Y, SCORE)
    first = curve.plot(name="one")
    np.testing.assert_array_equal(first.line_.get_xydata(), np.column_stack([curve.breaks, curve.costs]))
    CostCurveDisplay.from_predictions(Y, -SCORE, name="two", ax=first.ax_)
    labels = first.ax_.get_legend_handles_labels()[1]
    assert sum("never" in label for label in labels) == 1
    assert len(labels) == 3


def test_det():
    """Finite points alone; the mark lies on the diagonal, also where there are no errors."""
    drawn = det_curve(Y, SCORE).plot()
    assert np.isfinite(drawn.line_.get_xydata()).all()
    assert drawn.mark_.get_xdata() == drawn.mark_.get_ydata()
    perfect = det_curve(Y, Y.astype(float)).plot()
    assert len(perfect.line_.get_xdata()) == 0
    assert np.isfinite(perfect.mark_.get_xdata()).all()


@pytest.mark.parametrize("cls", DISPLAYS)
def test_from_estimator(cls):
    """The probabilities of the last of two classes, or of the one that is named."""
    X = SCORE[:, None]
    model = GaussianNB().fit(X, Y)
    one, other = cls.from_estimator(model, X, Y), cls.from_predictions(Y, model.predict_proba(X)[:, 1])
    assert str(one.curve) == str(other.curve)
    assert cls.from_estimator(model, X, Y, positive=False).curve.roc.positive is False
