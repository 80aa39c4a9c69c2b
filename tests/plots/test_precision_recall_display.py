"""Precision against recall: the staircase, the prior, fitted classifiers."""

import numpy as np
import pytest
from pictures import SCORE, X, Y, assert_inside, legend_of
from sklearn.linear_model import LinearRegression, RidgeClassifier
from sklearn.naive_bayes import GaussianNB

from aprendiz.evaluation import precision_recall
from aprendiz.plots import PrecisionRecallDisplay
from aprendiz.plots.shared.style import PALETTE

CURVE = precision_recall(Y, SCORE)
CODES = np.arange(60) % 3


def area(display):
    """Under the staircase as it is drawn."""
    x, y = display.line_.get_data()
    return np.diff(x) @ y[1:]


@pytest.mark.parametrize("score", [SCORE, np.round(SCORE), -SCORE, np.zeros(200), Y], ids=range(5))
def test_the_area_drawn_is_the_average_precision(score):
    """Points that find no positive row are left out and change nothing; the line goes from recall 0 to 1."""
    curve = precision_recall(Y, score)
    display = PrecisionRecallDisplay(curve).plot()
    assert display.line_.get_drawstyle() == "steps-pre"
    assert area(display) == pytest.approx(curve.average_precision, rel=1e-12)
    x = display.line_.get_xdata()
    assert (x[0], x[-1]) == (0, 1)
    assert (np.diff(x) > 0).all()


def test_legend_axes_and_prior():
    """Average precision and prior are in the legend; the prior is a line across."""
    display = PrecisionRecallDisplay(CURVE).plot()
    assert legend_of(display.ax_) == [
        f"average precision {CURVE.average_precision:.3f}",
        f"share of positive rows {100 * Y.mean():.1f} %",
    ]
    assert set(display.ax_.lines[1].get_ydata()) == {CURVE.prior}
    assert display.ax_.get_xlabel() == "recall (positive: 1)"
    assert display.ax_.get_ylabel() == "precision"
    assert display.ax_.get_xlim() == display.ax_.get_ylim() == (0, 1)


def test_two_curves_on_the_same_axes():
    """Each has its name and colour; a prior they share is named once."""
    first = PrecisionRecallDisplay(CURVE).plot(name="one")
    second = PrecisionRecallDisplay.from_predictions(Y, -SCORE, name="two", colour=PALETTE[1], ax=first.ax_)
    assert [words.split(":")[0] for words in legend_of(first.ax_)] == ["one", legend_of(first.ax_)[1], "two"]
    assert first.line_.get_color() != second.line_.get_color()
    assert_inside(first)


def test_records_draw_themselves():
    """`plot` of the record is this picture."""
    assert CURVE.plot(name="model").curve is CURVE


def test_from_estimator():
    """Probabilities where there are any, distances otherwise, for either of two classes and for one of three."""
    two = np.where(CODES == 0, "a", "b")
    model, boundary = GaussianNB().fit(X, two), RidgeClassifier().fit(X, two)
    weight = np.arange(60) + 1.0
    for positive, column in (("a", 0), ("b", 1)):
        drawn = PrecisionRecallDisplay.from_estimator(model, X, two, positive=positive, sample_weight=weight)
        wanted = precision_recall(two == positive, model.predict_proba(X)[:, column], sample_weight=weight)
        assert drawn.curve.average_precision == pytest.approx(wanted.average_precision, rel=1e-13)
        assert drawn.curve.positive == positive
        drawn = PrecisionRecallDisplay.from_estimator(boundary, X, two, positive=positive)
        wanted = precision_recall(two == positive, boundary.decision_function(X) * (1 if column else -1))
        assert drawn.curve.average_precision == pytest.approx(wanted.average_precision, rel=1e-13)
    assert PrecisionRecallDisplay.from_estimator(model, X, two).curve.positive == "b"
    three = RidgeClassifier().fit(X, CODES)
    drawn = PrecisionRecallDisplay.from_estimator(three, X, CODES, positive=2)
    assert drawn.curve.average_precision == precision_recall(CODES == 2, three.decision_function(X)[:, 2]).average_precision


def test_bad_models():
    """The refusal names the model and the remedy."""
    three = GaussianNB().fit(X, CODES)
    with pytest.raises(ValueError, match=r"GaussianNB knows 3 classes \(0, 1, 2\): say which is positive, as in positive=0"):
        PrecisionRecallDisplay.from_estimator(three, X, CODES)
    with pytest.raises(ValueError, match="GaussianNB knows no class 7: choose one of 0, 1, 2"):
        PrecisionRecallDisplay.from_estimator(three, X, CODES, positive=7)
    with pytest.raises(TypeError, match="LinearRegression is not a classifier: give one"):
        PrecisionRecallDisplay.from_estimator(LinearRegression().fit(X, CODES), X, CODES)
    with pytest.raises(ValueError, match="not fitted"):
        PrecisionRecallDisplay.from_estimator(GaussianNB(), X, CODES)
