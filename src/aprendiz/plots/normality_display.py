"""Pictures of a column beside the normal distribution: the histogram with the fitted curve, and the quantiles.

On the left bars and curve have the same area. The width of the bars is that of Freedman and Diaconis, 2·IQR/n^⅓. On the right
the quantiles stand against those of the normal distribution (`QuantileDisplay`): a curved line is a skewed column, an S one
with other tails.

Reference: Freedman & Diaconis, Zeitschrift für Wahrscheinlichkeitstheorie 57, 1981.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.evaluation.normality import normality
from aprendiz.evaluation.shapes.normal_tests import NormalTests
from aprendiz.evaluation.words.tables import short
from aprendiz.locale import _, format_fixed, number
from aprendiz.plots import QuantileDisplay
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.style import BLUE, VERMILION, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FEWEST_BARS, MOST_BARS = 5, 60


class NormalityDisplay(Display):
    """Histogram with the fitted normal curve, and quantiles, side by side.

    Parameters
    ----------
    tests : NormalTests
        One of `normality(X).tests`.

    Attributes
    ----------
    ax_ : ndarray of two matplotlib Axes
    figure_ : matplotlib Figure
        Where they were drawn.
    """

    def __init__(self, tests: NormalTests) -> None:
        if np.isnan(tests.p):
            raise ValueError(
                f"Column {tests.column!r} has {len(tests.values)} values: it needs at least 8 that are not all equal."
            )
        self.tests = tests

    @classmethod
    def from_column(cls, x: Any, *, ax: Sequence[Axes] | None = None) -> Self:
        """Test a column and draw it."""
        return cls(normality(x).tests[0]).plot(ax)

    def plot(self, ax: Sequence[Axes] | None = None) -> Self:
        """Draw both pictures, on a new figure or on a pair of axes."""
        left, right = self.open_panels(ax, 1, 2, count=2, width=9.0, height=4.2)
        one = self.tests
        left.hist(one.values, bins=edges(one.values), density=True, color=BLUE, alpha=0.45, edgecolor="white", linewidth=0.6)
        low, high = min(one.values[0], one.mean - 3 * one.sd), max(one.values[-1], one.mean + 3 * one.sd)
        x = np.linspace(low, high, 300)
        curve = np.exp(-0.5 * ((x - one.mean) / one.sd) ** 2) / (one.sd * np.sqrt(2 * np.pi))
        left.plot(x, curve, color=VERMILION, linewidth=1.6)
        name = short(one.column) if one.label is None else f"{short(one.column)} ({short(one.label)})"
        shape = _("skewness {skewness}, kurtosis {kurtosis}, p = {p}").format(
            skewness=format_fixed(one.skewness, 2), kurtosis=format_fixed(one.kurtosis, 2), p=number(one.p_holm, 2)
        )
        tidy(left, x=name, y=_("density"), title=shape)
        QuantileDisplay(one.standardised).plot(right, y=_("standardised value"), named=0)
        return self


def edges(values: Array) -> Array:
    """The edges of the bars."""
    low, high = np.quantile(values, [0.25, 0.75])
    width = 2.0 * (high - low) / len(values) ** (1 / 3)
    span = values[-1] - values[0]
    bars = int(np.clip(np.ceil(span / width) if width > 0 else FEWEST_BARS, FEWEST_BARS, MOST_BARS))
    return np.linspace(values[0], values[-1], bars + 1)
