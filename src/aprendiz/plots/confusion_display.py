"""Picture of a confusion matrix: true classes in rows, predictions in columns.

Every cell shows the number of its rows, and with few classes its share. Its shade is the share: blue for correct predictions,
on the diagonal, and vermilion for errors. A cell whose share has no cases (a class without rows) is grey.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.evaluation import Evaluation
from aprendiz.evaluation.confusion import ConfusionTable, Whole, confusion
from aprendiz.evaluation.words.tables import short
from aprendiz.locale import _
from aprendiz.plots.models.responses import classes_predicted
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.positions import name_below
from aprendiz.plots.shared.style import (
    DEEP_BLUE,
    DEEP_VERMILION,
    GREY,
    PALE,
    TEXT,
    readable,
    room_beside,
    tidy,
    width_of,
)
from aprendiz.plots.shared.words import amount, percent, short_names, wrap_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WITH_SHARES = 5  # classes: more leave no room for two numbers in a cell
CELL, WIDE_CELL, MARGIN = 0.55, 0.8, 1.6  # inches: of cells with one number and with two, and of the labels
SMALLEST, LARGEST = 2.4, 14.0  # inches, of the table
SHADE = {
    "true": "shade: share of the class",
    "pred": "shade: share of the prediction",
    "all": "shade: share of all rows",
}


class ConfusionDisplay(Display):
    """A confusion matrix as a picture.

    Parameters
    ----------
    table : ConfusionTable
        What `confusion` returns.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    text_ : ndarray of matplotlib Text
        The numbers in the cells.
    """

    text_: Array

    def __init__(self, table: ConfusionTable) -> None:
        self.table = table

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_pred: Any,
        *,
        labels: Any = None,
        sample_weight: Any = None,
        whole: Whole = "true",
        ax: Axes | None = None,
    ) -> Self:
        """Count and draw; the arguments are those of `confusion` and of `plot`."""
        return cls(confusion(y_true, y_pred, labels=labels, sample_weight=sample_weight)).plot(ax, whole=whole)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        labels: Any = None,
        sample_weight: Any = None,
        whole: Whole = "true",
        ax: Axes | None = None,
    ) -> Self:
        """Ask a fitted classifier for its predictions, count and draw. The rows should be others than it was fitted to."""
        predicted = classes_predicted(estimator, X)
        return cls.from_predictions(y, predicted, labels=labels, sample_weight=sample_weight, whole=whole, ax=ax)

    @classmethod
    def from_evaluation(cls, found: Evaluation, *, whole: Whole = "true", ax: Axes | None = None) -> Self:
        """Count the predictions for the test rows of all folds of `evaluate`, and draw."""
        return cls(found.confusion()).plot(ax, whole=whole)

    def plot(self, ax: Axes | None = None, *, whole: Whole = "true") -> Self:
        """Draw the table; `whole` says of what the shades are shares: "true" (rows), "pred" (columns) or "all"."""
        shares = self.table.normalised(whole)
        count = len(shares)
        side = float(np.clip(count * (WIDE_CELL if count <= WITH_SHARES else CELL), SMALLEST, LARGEST))
        ax = self.open_axes(ax, side + MARGIN, side + MARGIN * 0.8)
        colours = shades(shares)
        ax.imshow(colours, interpolation="nearest")
        accuracy = _("accuracy {share}").format(share=percent(self.table.accuracy))
        room = room_beside(ax, [short(label) for label in self.table.labels])
        tidy(ax, x=_("prediction"), y=_("truth"), title=wrap_text(f"{accuracy}\n{_(SHADE[whole])}", room))
        self.name_classes()
        self.text_ = self.write(shares, colours)
        return self

    def name_classes(self) -> None:
        """Labels beside the cells, slanted below where they would touch, and white lines between the cells."""
        ax, count = self.ax_, len(self.table.labels)
        names = short_names(self.table.labels)
        name_below(ax, range(count), names)
        ax.set_yticks(range(count), names)
        ax.set_xticks(np.arange(count + 1) - 0.5, minor=True)
        ax.set_yticks(np.arange(count + 1) - 0.5, minor=True)
        ax.grid(which="minor", color="white", linewidth=1.5)
        ax.tick_params(which="both", length=0)
        ax.spines[:].set_visible(False)

    def write(self, shares: Array, colours: Array) -> Array:
        """The numbers, as large as the cells allow."""
        table, count = self.table.table, len(shares)
        longest = max(6 if count <= WITH_SHARES else 3, *(len(amount(value)) for value in table.flat))
        size = float(np.clip(1.3 * 72 * width_of(self.ax_) / count / longest, 5.0, 1.2 * TEXT))
        text = np.empty(table.shape, dtype=object)
        for (k, l), value in np.ndenumerate(table):
            share = "–" if np.isnan(shares[k, l]) else percent(float(shares[k, l]))
            words = f"{amount(value)}\n{share}" if count <= WITH_SHARES else amount(value)
            colour = GREY if value == 0 else readable(colours[k, l])
            text[k, l] = self.ax_.text(l, k, words, ha="center", va="center", fontsize=size, color=colour)
        return text


def shades(shares: Array) -> Array:
    """Colours from white to blue on the diagonal, from white to vermilion beside it, grey where there is no share."""
    from matplotlib.colors import to_rgb

    full = np.where(np.eye(len(shares), dtype=bool)[..., None], to_rgb(DEEP_BLUE), to_rgb(DEEP_VERMILION))
    mixed = 1.0 + np.nan_to_num(shares)[..., None] * (full - 1.0)
    return np.where(np.isnan(shares)[..., None], to_rgb(PALE), mixed)
