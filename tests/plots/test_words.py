"""The words of the pictures: in the language of the reader, with its decimal sign, as they were given."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from pictures import CURVE, SCORE, Y, legend_of

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
from aprendiz.plots.shared.words import wrap_text


class Marked:
    """A catalogue that puts every message between marks."""

    def gettext(self, message):
        return f"«{message}»"

    def ngettext(self, one, many, number):
        return f"«{one if number == 1 else many}»"


@pytest.fixture
def spanish(monkeypatch):
    """Spanish, with a catalogue that knows every message."""
    monkeypatch.setattr(aprendiz.locale, "catalogue", lambda name: Marked())
    with language("es"):
        yield


def test_numbers_along_the_axes_keep_their_places(spanish):
    """The signs of the ticks differ by the comma alone, offsets included."""
    shown = {}
    for name in ("en", "es"):
        with language(name):
            display = RowsDisplay([[0, 0], [1, 2], [2, 1]], [1e9 + 0.1, 1e9 + 0.2, 1e9 + 0.3]).plot()
        display.figure_.canvas.draw()
        bar = display.colour_bar_.ax.yaxis
        shown[name] = [tick.get_text() for tick in bar.get_ticklabels()] + [bar.get_offset_text().get_text()]
    assert [text.replace(".", ",") for text in shown["en"]] == shown["es"]
    assert any("," in text for text in shown["es"])
    assert shown["en"][-1] != ""


def test_dollars_are_no_mathematics():
    """Names with dollars are shown as they are."""
    names = ["price ($), tax ($)", r"a$\oops$b"]
    display = CoefficientsDisplay([1, 2], names, [names[1]]).plot()
    display.figure_.canvas.draw()
    shown = [text.get_text() for text in display.ax_.get_yticklabels()]
    assert shown == [name.replace("$", r"\$") for name in reversed(names)]
    y = np.array(names)[Y]
    for drawn in (
        RowsDisplay(np.c_[SCORE, Y], y).plot(name=names[1]),
        ScoreDistributionDisplay(roc(y, SCORE)).plot(),
        ConfusionDisplay(confusion(y, y)).plot(),
        RocDisplay(CURVE).plot(name=names[1]),
    ):
        drawn.figure_.canvas.draw()


def test_names_with_an_underscore_are_in_the_legend():
    """matplotlib would leave them out."""
    y = np.array(["_a", "_b"])[Y]
    assert [words.strip() for words in legend_of(RowsDisplay(np.c_[SCORE, Y], y).plot().ax_)] == ["_a", "_b"]
    assert len(legend_of(ScoreDistributionDisplay(roc(y, SCORE)).plot().ax_)) == 2
    for display in (RocDisplay(CURVE), PrecisionRecallDisplay(precision_recall(Y, SCORE))):
        assert legend_of(display.plot(name="_model").ax_)[0].strip().startswith("_model: ")
    assert legend_of(CalibrationDisplay(calibration(Y, Y / 2)).plot(name="_m").ax_[1])[0].strip().startswith("_m: ")


def test_wrapping():
    """Lines are no longer than their inches hold, no word is lost, and a number is not parted from its sign."""
    text = "share of the rows 97.5 % and 2.5 %"
    for inches in (1.0, 1.5, 2.0, 9.0):
        lines = wrap_text(text, inches).split("\n")
        assert max(map(len, lines)) <= 12 * inches
        assert " ".join(lines) == text
        assert not any(line.startswith("%") for line in lines)
    assert wrap_text("first\nsecond", 9.0) == "first\nsecond"
    assert wrap_text("", 1.0) == ""


def test_the_language_of_the_picture_is_not_kept():
    """Drawing in Spanish leaves English behind it."""
    with language("es"):
        RocDisplay(CURVE).plot()
    plt.close("all")
    assert legend_of(RocDisplay(CURVE).plot().ax_)[0].startswith(f"AUC {CURVE.auc:.3f}")
