"""Picture of a path: every coefficient against the penalty, or against the budget that the penalty leaves.

To the left the penalty is large and the coefficients are small; to the right they come to least squares. Against −ln α the
step from one penalty to the next is always the same; against the budget c = R(w) the lines of the lasso are straight between
the points where a coefficient enters or leaves. Those that are largest at the right end have a colour and a name there.

Below, where folds were fitted, is the mean squared error of each penalty with a standard error on either side, and the penalty
that was chosen. With `rule="one_se"` that is the largest one whose error is within the bar of the best.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.core.targets import refuse_bad_number
from aprendiz.linear.penalties.budgets import sizes
from aprendiz.locale import _, number
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.entries import column_names, entries_for
from aprendiz.plots.shared.standard_errors import draw_errors
from aprendiz.plots.shared.style import (
    DASHED,
    DOTTED,
    GREY,
    INK,
    LINE,
    PALETTE,
    SMALL,
    THIN,
    colour_of,
    height_of,
    tidy,
    width_of,
)
from aprendiz.plots.shared.words import verbatim

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

Against = Literal["alpha", "budget"]
MOST_NAMED = 10  # coefficients with a colour and a name
PATH = 100  # penalties of a path that is found here
DASHES = ("-", (0, (5, 1.5)), (0, (1, 1)))
NAMES = 0.35  # of the width, at most, for the names


class CoefficientPathDisplay(Display):
    """Coefficients for many penalties as lines.

    Parameters
    ----------
    alphas : array-like of shape (n_alphas,)
        Penalties above 0.
    coefs : array-like of shape (n_columns, n_alphas)
        As `lasso_path` and `enet_path` return them.
    names : sequence of str, optional
        Of the columns; by default x0, x1, …
    l1_ratio : float or None, default=1.0
        ρ of the budget R(w) = ρ‖w‖₁ + ½(1 − ρ)‖w‖²; None for R(w) = ‖w‖², that of Ridge.
    chosen : float, optional
        The penalty that is marked.
    errors : array-like of shape (n_alphas, n_folds), optional
        Mean squared errors in each fold.

    Attributes
    ----------
    budgets : ndarray of shape (n_alphas,)
        R(w) of each penalty.
    ax_ : matplotlib Axes, or ndarray of two if there are errors
    figure_ : matplotlib Figure
    lines_ : list of matplotlib Line2D
        One for each column.
    """

    lines_: list[Line2D]

    def __init__(
        self,
        alphas: Any,
        coefs: Any,
        names: Sequence[Any] | None = None,
        *,
        l1_ratio: float | None = 1.0,
        chosen: float | None = None,
        errors: Any = None,
    ) -> None:
        self.alphas, self.coefs = checked_path(alphas, coefs)
        order = np.argsort(-self.alphas, kind="stable")
        self.alphas, self.coefs = self.alphas[order], self.coefs[:, order]
        self.budgets = 2.0 * sizes(self.coefs, 0.0) if l1_ratio is None else sizes(self.coefs, l1_ratio)
        self.chosen = chosen
        self.names = [str(name) for name in entries_for("names", names, column_names(len(self.coefs)), "columns")]
        if chosen is not None and not chosen > 0:
            raise ValueError(f"chosen = {chosen!r} must be a penalty above 0.")
        self.errors = None if errors is None else np.asarray(errors, dtype=float)
        if self.errors is not None:
            if self.errors.ndim != 2 or len(self.errors) != len(order):
                raise ValueError(
                    f"errors has shape {self.errors.shape}: give a row of folds for each of {len(order)} penalties."
                )
            self.errors = self.errors[order]

    @classmethod
    def from_path(
        cls,
        alphas: Any,
        coefs: Any,
        names: Sequence[Any] | None = None,
        *,
        ax: Any = None,
        against: Against = "alpha",
        **more: Any,
    ) -> Self:
        """Draw a path that was found already, such as by `lasso_path`; `more` are the other parameters of the display."""
        return cls(alphas, coefs, names, **more).plot(ax, against=against)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any = None,
        sample_weight: Any = None,
        *,
        names: Sequence[Any] | None = None,
        against: Against = "alpha",
        ax: Any = None,
    ) -> Self:
        """Follow the path of Lasso, ElasticNet, Ridge, or of one of their forms with CV that is fitted, and draw it.

        Of a fitted LassoCV or ElasticNetCV the penalties, the errors and the choice are shown; X and y are the rows it saw.
        """
        from aprendiz.plots.models.followed_path import follow_path

        path = follow_path(estimator, X, y, sample_weight, PATH)
        names = path.names if names is None else names
        more: dict[str, Any] = {"l1_ratio": path.l1_ratio, "chosen": path.chosen, "errors": path.errors}
        return cls(path.alphas, path.coefs, names, **more).plot(ax, against=against)

    def plot(self, ax: Any = None, *, against: Against = "alpha", most: int = MOST_NAMED) -> Self:
        """Draw the path against −ln α or against the budget, with the names of the `most` largest coefficients."""
        if against not in ("alpha", "budget"):
            raise ValueError(f"against = {against!r} must be 'alpha' or 'budget'.")
        panels = 1 if self.errors is None else 2
        size = {"width": 6.4, "height": 4.4 if panels == 1 else 6.4}
        axes = self.open_panels(ax, panels, 1, count=panels, **size)
        x = -np.log(self.alphas) if against == "alpha" else self.budgets
        words = _("−ln α (smaller penalties to the right)") if against == "alpha" else _("budget c = R(w)")
        self.lines_ = self.draw(axes[0], x, most)
        for one in axes:
            self.mark(one, x, against)
        tidy(axes[0], x=words if panels == 1 else "", y=_("coefficient"), title=self.title())
        self.name(axes[0], most)
        if self.errors is not None:
            self.draw_errors(axes[1], x, self.errors)
            tidy(axes[1], x=words, y=_("mean squared error, ± one standard error"))
            axes[1].set_xlim(axes[0].get_xlim())
        self.ax_ = axes if panels > 1 else axes[0]
        return self

    def largest(self, most: int) -> Array:
        """The columns with the largest coefficients at the right end, from the largest on."""
        end = np.abs(self.coefs[:, -1])
        return np.argsort(-end, kind="stable")[: min(most, int((end > 0).sum()))]

    def draw(self, ax: Axes, x: Array, most: int) -> list[Line2D]:
        """A line for each column: those with a name in colour, the others grey."""
        place = {int(j): k for k, j in enumerate(self.largest(most))}
        lines = []
        for j, w in enumerate(self.coefs):
            k = place.get(j)
            look: dict[str, Any] = {"color": GREY, "linewidth": THIN, "alpha": 0.6, "zorder": 1.5}
            if k is not None:
                style = DASHES[k // len(PALETTE) % len(DASHES)]
                look = {"color": colour_of(k), "linewidth": 1.5, "linestyle": style}
            lines.extend(ax.plot(x, w, **look))
        ax.axhline(0.0, color=GREY, linewidth=THIN, zorder=1)
        ax.set_xlim(x.min(), x.max() if x.max() > x.min() else x.min() + 1.0)
        return lines

    def name(self, ax: Axes, most: int) -> None:
        """The names at the right ends of their lines, moved apart where they would touch."""
        shown = self.largest(most)
        low, high = ax.get_ylim()
        step = LINE * (high - low) / height_of(ax)
        letters = max(6, int(NAMES * width_of(ax) * 13))
        places = apart(self.coefs[shown, -1], step, low, high)
        for j, y in zip(shown, places, strict=True):
            words = verbatim(cut(self.names[j], letters))
            look: dict[str, Any] = {"fontsize": SMALL, "color": self.lines_[j].get_color(), "va": "center", "clip_on": False}
            ax.text(1.015, float(y), words, transform=ax.get_yaxis_transform(), **look)

    def mark(self, ax: Axes, x: Array, against: Against) -> None:
        """The chosen penalty."""
        if self.chosen is not None:
            where = -np.log(self.chosen)
            place = where if against == "alpha" else np.interp(where, -np.log(self.alphas), x)
            ax.axvline(float(place), color=INK, linewidth=1.0, linestyle=DASHED)

    def title(self) -> str:
        """The chosen penalty, and how many coefficients it leaves."""
        if self.chosen is None:
            return ""
        nearest = np.abs(np.log(self.alphas) - np.log(self.chosen)).argmin()
        left = int(np.count_nonzero(self.coefs[:, nearest]))
        words = _("α = {alpha}, coefficients that are not zero: {left} of {count}")
        return words.format(alpha=number(self.chosen), left=left, count=len(self.coefs))

    def draw_errors(self, ax: Axes, x: Array, errors: Array) -> None:
        """Mean errors with bars of one standard error."""
        mean, folds = errors.mean(axis=1), errors.shape[1]
        spread = errors.std(axis=1, ddof=1) / np.sqrt(folds) if folds > 1 else np.zeros(len(mean))
        draw_errors(ax, x, mean, spread, size=3.0, width=1.0)
        best = int(mean.argmin())
        ax.axhline(mean[best] + spread[best], color=GREY, linewidth=THIN, linestyle=DOTTED)


def checked_path(alphas: Any, coefs: Any) -> tuple[Array, Array]:
    """Penalties above 0, and a column of coefficients for each."""
    alphas, coefs = np.asarray(alphas, dtype=float), np.asarray(coefs, dtype=float)
    if coefs.ndim != 2 or alphas.shape != coefs.shape[1:]:
        raise ValueError(
            f"coefs has shape {coefs.shape}, alphas {alphas.shape}: give a column of coefficients for each penalty, "
            "as lasso_path returns them."
        )
    refuse_bad_number("alphas", alphas)
    refuse_bad_number("coefs", coefs)
    if not (alphas > 0).all():
        raise ValueError(
            f"alphas[{int((alphas <= 0).argmax())}] = {alphas[alphas <= 0][0]:g}: leave it out, −ln α needs α > 0."
        )
    return alphas, coefs


def cut(name: str, letters: int) -> str:
    """A name that is not longer than so many letters, its end kept."""
    return name if len(name) <= letters else f"{name[: letters - 4]}…{name[-3:]}"


def apart(places: Array, step: float, low: float, high: float) -> Array:
    """Heights that differ by at least a step, near those given and within the limits where there is room.

    Runs that touch are spread around their mean, and joined with their neighbours as long as they touch those.
    """
    order = np.argsort(places, kind="stable")
    runs: list[list[float]] = []
    for y in places[order]:
        runs.append([float(y)])
        while len(runs) > 1 and runs_touch(runs[-2], runs[-1], step, low, high):
            runs[-2:] = [[*runs[-2], *runs[-1]]]
    found = np.empty(len(places))
    found[order] = [y for run in runs for y in spread(run, step, low, high)]
    return found


def spread(run: list[float], step: float, low: float, high: float) -> Array:
    """A run of heights, a step between each, around the mean of those given, inside the limits."""
    half = 0.5 * step * (len(run) - 1)
    middle = min(max(float(np.mean(run)), low + half), max(high - half, low + half))
    return np.asarray(middle + step * (np.arange(len(run)) - 0.5 * (len(run) - 1)))


def runs_touch(under: list[float], over: list[float], step: float, low: float, high: float) -> bool:
    return bool(spread(over, step, low, high)[0] - spread(under, step, low, high)[-1] < step * (1 - 1e-9))
