"""Picture of the shape of residuals: their quantiles against those of the normal distribution.

The i-th smallest of n standardised residuals stands above the normal quantile of (i − a)/(n + 1 − 2a), a = ½ (⅜ up to ten
rows), as in R. Normal residuals lie along the line y = x: heavy tails bend away from it at both ends, a skewed distribution at
one of them.

The band is pointwise: of n independent standard normal numbers, the i-th smallest falls into it with the given probability,

    Φ(u_(i)),  u_(i) ~ Beta(i, n + 1 − i)                                                                     (1)

so that of many points a few lie outside although nothing is wrong. That residuals depend on each other a little is neglected.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from scipy.special import betaincinv, ndtri

from aprendiz.core.rows import Array
from aprendiz.core.targets import refuse_bad_number
from aprendiz.linear.influence import influence
from aprendiz.locale import _, format_whole
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.style import BLUE, DASHED, INK, SMALL, tidy
from aprendiz.plots.shared.words import percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MANY_ROWS = 2000  # rows from which marks become smaller
NAMED = 3  # rows whose numbers are written


class QuantileDisplay(Display):
    """Quantiles of standardised residuals against those of the normal distribution.

    Parameters
    ----------
    residuals : array-like of shape (n_rows,)
        Standardised: of variance 1. NaN (a row without one) are left out.
    level : float, default=0.95
        Probability of the pointwise band.

    Attributes
    ----------
    expected, observed : ndarray
        Normal quantiles and residuals, both ascending.
    low, high : ndarray
        The band (1) at each of them.
    rows : ndarray
        The numbers of their rows.
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    """

    def __init__(self, residuals: Any, *, level: float = 0.95) -> None:
        values = np.asarray(residuals, dtype=np.float64)
        if values.ndim != 1:
            raise ValueError(f"residuals has shape {values.shape}: draw one target at a time, such as residuals[:, 0].")
        if not 0 < level < 1:
            raise ValueError(f"level must be a number between 0 and 1, such as 0.95, got {level!r}.")
        refuse_bad_number("residuals", np.nan_to_num(values, posinf=np.inf, neginf=-np.inf))
        known = np.flatnonzero(~np.isnan(values))
        if len(known) < 3:
            raise ValueError(f"residuals has {len(known)} known values: quantiles need at least 3.")
        self.rows = known[np.argsort(values[known], kind="stable")]
        self.observed = values[self.rows]
        self.level = level
        self.expected, self.low, self.high = normal_quantiles(len(known), level)

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any = None, *, sample_weight: Any = None, level: float = 0.95, ax: Axes | None = None
    ) -> Self:
        """Draw the standardised residuals of a LinearRegression on the rows of its fit."""
        return cls(influence(estimator, X, y, sample_weight).standardised, level=level).plot(ax)

    def plot(self, ax: Axes | None = None, *, y: str | None = None, named: int = NAMED) -> Self:
        """Draw the quantiles, the line y = x and the band, and number the rows that are farthest outside it, at most
        `named`; `y` names the values, where they are no residuals."""
        ax = self.open_axes(ax, 5.0, 4.4)
        ax.fill_between(self.expected, self.low, self.high, color=BLUE, alpha=0.13, linewidth=0)
        ends = self.expected[[0, -1]]
        ax.plot(ends, ends, color=INK, linewidth=1, linestyle=DASHED)
        size, alpha = (2.0, 0.4) if len(self.rows) > MANY_ROWS else (4.5, 0.7)
        look: dict[str, Any] = {"linestyle": "none", "marker": "o", "markersize": size, "markeredgewidth": 0, "alpha": alpha}
        ax.plot(self.expected, self.observed, color=BLUE, rasterized=len(self.rows) > MANY_ROWS, **look)
        self.name_the_farthest(ax, named)
        tidy(ax, x=_("normal quantile"), y=_("standardised residual") if y is None else y, title=self.count_text())
        return self

    @property
    def outside(self) -> Array:
        """Whether each of the residuals, by size, lies outside the band."""
        return (self.observed < self.low) | (self.observed > self.high)

    def count_text(self) -> str:
        """How many rows lie outside the band."""
        words = _("{count} of {rows} rows outside the pointwise {level} band")
        return words.format(
            count=format_whole(int(self.outside.sum())), rows=format_whole(len(self.rows)), level=percent(self.level)
        )

    def name_the_farthest(self, ax: Axes, named: int) -> None:
        """The row numbers beside the marks that are farthest outside."""
        beyond = np.maximum(self.low - self.observed, self.observed - self.high)
        for k in np.argsort(-beyond, kind="stable")[:named]:
            if beyond[k] > 0:
                right = self.expected[k] < 0
                look: dict[str, Any] = {"ha": "left" if right else "right", "va": "center", "fontsize": SMALL, "color": INK}
                place = (6 if right else -6, 0)
                ax.annotate(str(self.rows[k]), (self.expected[k], self.observed[k]), place, textcoords="offset points", **look)
        ax.margins(0.06)


def normal_quantiles(n: int, level: float) -> tuple[Array, Array, Array]:
    """Where n sorted standard normal numbers are expected, and the ends of (1)."""
    i, a = np.arange(1, n + 1), 0.375 if n <= 10 else 0.5
    tail = (1.0 - level) / 2.0
    low, high = (ndtri(betaincinv(i, n + 1 - i, share)) for share in (tail, 1.0 - tail))
    return ndtri((i - a) / (n + 1 - 2 * a)), low, high
