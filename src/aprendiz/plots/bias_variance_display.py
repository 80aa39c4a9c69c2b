"""Picture of the parts of an error: a bar for each learner, of noise, bias² and variance one above the other.

The parts of a bar add up to its height, the error. Where noise was not told apart from bias², it is part of that piece.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from aprendiz.evaluation.bias_variance import NOT_SEPARATED, BiasVariance
from aprendiz.locale import _
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.style import BLUE, GREY, INK, THIN, VERMILION, in_percent, legend_below, tidy
from aprendiz.plots.shared.words import short_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PALE_GREY = "#BBBBBB"


class BiasVarianceDisplay(Display):
    """Noise, bias² and variance of one or several learners.

    Parameters
    ----------
    records : BiasVariance, or dict of str to BiasVariance
        What `bias_variance` returns; several by the names of the learners, of one loss.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    bars_ : dict of str to matplotlib BarContainer
        Of "noise", "bias" and "variance".
    """

    bars_: dict[str, Any]

    def __init__(self, records: BiasVariance | Mapping[str, BiasVariance]) -> None:
        self.records = {"": records} if isinstance(records, BiasVariance) else dict(records)
        if not self.records:
            raise ValueError("There is nothing to draw: give at least one record of bias_variance.")
        if len({record.loss for record in self.records.values()}) > 1:
            raise ValueError("The records are of squared error and of 0–1 loss, which have no common scale: draw them apart.")

    @classmethod
    def from_records(cls, records: Mapping[str, BiasVariance], *, ax: Axes | None = None) -> Self:
        """Draw several learners on one axes."""
        return cls(records).plot(ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the bars."""
        ax = self.open_axes(ax, 6.4, 4.2)
        records, base = list(self.records.values()), np.zeros(len(self.records))
        self.bars_ = {}
        pieces = self.pieces()
        for name, (words, colour) in pieces.items():
            heights = np.array([getattr(record, name) for record in records])
            if name == "bias" and "noise" not in pieces:
                heights = heights + [record.noise for record in records]
            self.bars_[name] = ax.bar(range(len(records)), heights, 0.6, base, color=colour, label=words)
            base = base + heights
        ax.axhline(0.0, color=GREY, linewidth=THIN)
        squared = records[0].loss == "squared"
        tidy(ax, x="", y=_("squared error") if squared else _("share of wrong predictions"))
        if not squared:
            in_percent(ax.yaxis)
        ax.set_xticks(range(len(records)), short_names(self.records), color=INK)
        ax.tick_params(axis="x", length=0)
        ax.set_xlim(-0.6, len(records) - 0.4)
        legend_below(ax, columns=3)
        return self

    def pieces(self) -> dict[str, tuple[str, str]]:
        """The parts from below, their words and colours."""
        apart = not any(record.noise_is == NOT_SEPARATED for record in self.records.values())
        bias = _("bias²") if apart else _("bias² and noise")
        return ({"noise": (_("noise"), PALE_GREY)} if apart else {}) | {
            "bias": (bias, BLUE),
            "variance": (_("variance"), VERMILION),
        }
