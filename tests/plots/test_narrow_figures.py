"""Narrow figures, long words and names: nothing leaves the frame, and every word is in the language of the reader."""

import re

import numpy as np
import pytest
from pictures import POINTS, SCORE, Y, assert_inside, drawings, on_a_phone, phone, texts

import aprendiz.locale
from aprendiz.evaluation import calibration, confusion, precision_recall, roc
from aprendiz.locale import language
from aprendiz.plots import (
    CalibrationDisplay,
    CoefficientsDisplay,
    ConfusionDisplay,
    PrecisionRecallDisplay,
    RocDisplay,
    RowsDisplay,
    ScoreDistributionDisplay,
)

AXES = {
    "residuals": (2, 6.0),
    "residuals against a column": (2, 6.0),
    "bent residuals": (2, 6.0),
    "normality": (2, 6.0),
    "calibration": (2, 5.5),
    "several": (4, 9.0),
    "path and errors": (2, 6.4),
    "penalty": (3, 9.0),
    "roc": (1, 6.4),
    "scores": (1, 4.6),
    "ambiguous": (3, 9.6),
    "hypotheses": (4, 9.6),
    "evidence": (1, 5.4),
    "descents on a plane": (2, 6.0),
    "descents of many": (3, 9.0),
    "shrunken centroids": (3, 9.0),
    "choice of k": (1, 5.4),
    "steps of k-means": (4, 12.0),
    "choice of clusters": (3, 9.0),
    "spectral clustering": (2, 6.0),
    "farthest first": (2, 6.0),
    "partition": (2, 7.0),
    "partition of numbers": (2, 7.0),
    "two ensembles": (1, 5.4),
    "lift": (2, 7.0),
    "margin": (1, 5.4),
    "margins of three classes": (1, 5.8),
    "surfaces of kernels": (2, 7.6),
    "tube": (1, 5.0),
    "lifted circle": (2, 7.0),
    "neurons": (6, 13.0),
    "epochs": (3, 11.0),
    "ranking": (2, 8.0),
    "stability paths": (1, 5.4),
    "selection bias": (1, 5.4),
}
LONG = "a class whose name is long enough to need two lines, or even three"


GIVEN = [
    *(point.rule for point in POINTS),
    "one",
    "two",
    "three",
    "height",
    "max_depth",
    *(f"x{j}" for j in range(40)),
    "relu",
    "logistic",
    "cos",
]  # by the user


class Longer:
    """A catalogue of a language that takes a third more letters, with every message between marks."""

    def gettext(self, message):
        return f"«{message}{' —' * (len(message) // 6 - 1)}»"

    def ngettext(self, one, many, number):
        return self.gettext(many)


@pytest.mark.parametrize("kind", list(drawings))
def test_on_a_phone_in_another_language(kind, monkeypatch):
    """On axes of a figure of 3.2 inches everything stays inside, even where a language takes a third more letters than English.

    What is neither a number, a name of a measure, nor given by the user, comes from the catalogue, and no decimal point is
    left, nor comes back when the picture is drawn under another language."""
    monkeypatch.setattr(aprendiz.locale, "catalogue", lambda name: Longer())
    with language("es"):
        figure, axes = phone(*AXES.get(kind, (1, 4.4)))
        display = drawings[kind](axes)
    assert display.figure_ is figure
    assert list(np.atleast_1d(display.ax_)) == list(np.atleast_1d(axes))
    with language("en"):
        assert_inside(display)
    for text in texts(display):
        words = text.get_text().replace("\n", " ")
        for known in GIVEN:
            words = words.replace(known, "")
        assert not re.search(r"\d\.\d", words), text.get_text()
        assert not re.search(r"[a-z]{2}", re.sub("«.*»", "", words)), text.get_text()


@pytest.mark.parametrize(
    "draw",
    [
        lambda y, ax: RocDisplay(roc(y, SCORE, positive=LONG)).plot(ax, points=POINTS, name=LONG),
        lambda y, ax: ScoreDistributionDisplay(roc(y, SCORE, positive=LONG)).plot(ax, point=POINTS[3]),
        lambda y, ax: PrecisionRecallDisplay(precision_recall(y, SCORE, positive=LONG)).plot(ax, name=LONG),
        lambda y, ax: RowsDisplay(np.c_[SCORE, Y], y).plot(ax, name=LONG),
        lambda y, ax: RowsDisplay(np.c_[SCORE, Y], SCORE).plot(ax, name=LONG),
        lambda y, ax: CoefficientsDisplay([1, -2], [LONG, LONG + "!"], [LONG]).plot(ax),
        lambda y, ax: ConfusionDisplay(confusion(y, y)).plot(ax),
    ],
    ids=["roc", "scores", "precision", "rows", "rows by number", "coefficients", "confusion"],
)
def test_long_names(draw, request):
    """Long names are cut or wrapped: on a usual figure and on a phone they stay inside."""
    y = np.where(Y == 1, LONG, "b")
    assert_inside(draw(y, None))
    assert_inside(on_a_phone(lambda ax: draw(y, ax), 1, 8.0 if "roc" in request.node.name else 5.0))


def test_long_names_of_two_axes():
    """The same for the calibration, of which the lower axes are low."""
    y = np.where(Y == 1, LONG, "b")
    display = CalibrationDisplay(calibration(y, Y * 0.5, positive=LONG)).plot(name=LONG)
    assert_inside(display)
    assert_inside(on_a_phone(lambda ax: CalibrationDisplay(display.calibration).plot(ax, name=LONG), 2, 6.4))
