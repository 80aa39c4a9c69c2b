"""Calibration: marks, intervals and histogram are those of the record."""

import numpy as np
import pytest
from matplotlib.figure import Figure
from pictures import PROBABILITY, X, Y, assert_inside, legend_of
from sklearn.linear_model import RidgeClassifier
from sklearn.naive_bayes import GaussianNB

from aprendiz.evaluation import calibration
from aprendiz.plots import CalibrationDisplay
from aprendiz.plots.shared.style import PALETTE

FOUND = calibration(Y, PROBABILITY)
CODES = np.arange(60) % 3


def test_marks_and_intervals():
    """Above: the diagonal, a mark for each bin, and its interval as a line."""
    upper, _ = CalibrationDisplay(FOUND).plot().ax_
    diagonal, marks = upper.lines
    np.testing.assert_array_equal(diagonal.get_xydata(), [[0, 0], [1, 1]])
    np.testing.assert_array_equal(marks.get_xydata(), np.c_[FOUND.predicted, FOUND.observed])
    segments = upper.collections[0].get_segments()
    wanted = np.stack([np.c_[FOUND.predicted, FOUND.low], np.c_[FOUND.predicted, FOUND.high]], axis=1)
    np.testing.assert_array_equal(segments, wanted)
    assert upper.get_ylabel() == "observed share of 1"


@pytest.mark.parametrize("p", [PROBABILITY, Y / 1.0, np.full(200, 0.5), Y / 20 * 19], ids=["many", "ends", "one", "edges"])
def test_the_histogram_holds_all_rows(p):
    """Below: the shares sum to 1, whatever lies on the edges; the axis starts at 0."""
    lower = CalibrationDisplay(calibration(Y, p)).plot().ax_[1]
    fill, outline = (patch.get_data() for patch in lower.patches)
    assert outline.values.sum() == fill.values.sum() == pytest.approx(1, abs=1e-14)
    assert (outline.edges[0], outline.edges[-1]) == (0, 1)
    assert lower.get_ylim()[0] == 0
    assert lower.get_ylim()[1] >= outline.values.max()


def test_measures_are_in_the_legend():
    """Brier score and expected calibration error, with the name of the model."""
    words = legend_of(CalibrationDisplay(FOUND).plot(name="model").ax_[1])
    assert words == [f"model: Brier score {FOUND.brier:.3g}, calibration error {FOUND.expected_error:.3g}"]


def test_two_models_on_the_same_axes():
    """Both are seen whole, in their colours."""
    first = CalibrationDisplay(FOUND).plot(name="one")
    second = CalibrationDisplay.from_predictions(Y, Y / 1.0, name="two", colour=PALETTE[1], ax=first.ax_)
    assert len(legend_of(first.ax_[1])) == 2
    assert first.line_.get_color() != second.line_.get_color()
    assert first.ax_[1].get_ylim()[1] >= 0.5
    assert_inside(first)


def test_from_estimator_and_from_the_record():
    """Probabilities of the named class, for two and for three."""
    three = GaussianNB().fit(X, CODES)
    drawn = CalibrationDisplay.from_estimator(three, X, CODES, positive=1, bins=4)
    np.testing.assert_array_equal(drawn.calibration.probability, three.predict_proba(X)[:, 1])
    assert len(drawn.calibration.rows) == 4
    two = GaussianNB().fit(X, CODES > 0)
    assert CalibrationDisplay.from_estimator(two, X, CODES > 0).calibration.positive is True
    assert FOUND.plot(name="model").calibration is FOUND


def test_bad_input():
    """A model without probabilities, and one axes for two pictures."""
    with pytest.raises(TypeError, match="RidgeClassifier gives no probabilities: wrap it in CalibratedClassifierCV"):
        CalibrationDisplay.from_estimator(RidgeClassifier().fit(X, CODES > 0), X, CODES > 0)
    with pytest.raises(ValueError, match=r"2 axes are needed, ax holds 1: make them with plt.subplots\(2, 1\)"):
        CalibrationDisplay(FOUND).plot(Figure().subplots())
