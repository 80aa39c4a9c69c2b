"""Picture of a threshold chosen by cross-validation: the error of shrunken centroids against Δ, and the columns that are left.

To the left nothing is shrunken and every column counts; to the right they drop out, and at the end the priors alone decide. The
numbers along the top say how many are left. Bars are a standard error on either side; the dotted line is that of the best
threshold, below which `rule="one_se"` takes the largest Δ.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.rows import Array
from aprendiz.core.targets import refuse_bad_number
from aprendiz.locale import _, format_whole, number
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.standard_errors import draw_errors, draw_limit
from aprendiz.plots.shared.style import (
    GREY,
    INK,
    PLACE,
    SMALL,
    TEXT,
    THIN,
    in_percent,
    legend_below,
    tidy,
    width_of,
)
from aprendiz.plots.shared.words import SMALL_LETTERS, verbatim, wrap_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class ThresholdCurveDisplay(Display):
    """The error of each threshold as a picture.

    Parameters
    ----------
    thresholds : array-like of shape (n_thresholds,)
    errors : array-like of shape (n_thresholds, n_folds) or (n_thresholds,)
        Share of the rows whose class is not predicted, in each fold or in all.
    columns : array-like of shape (n_thresholds,)
        How many columns each threshold leaves.
    chosen : float, optional
        The threshold that is marked.

    Attributes
    ----------
    ax_, top_ : matplotlib Axes
        Where it was drawn, and the axis of the columns above it.
    figure_ : matplotlib Figure
    """

    top_: Any

    def __init__(self, thresholds: Any, errors: Any, columns: Any, *, chosen: float | None = None) -> None:
        self.thresholds, self.columns = np.asarray(thresholds, dtype=float), np.asarray(columns, dtype=int)
        table = np.asarray(errors, dtype=float)
        self.errors = table[:, None] if table.ndim == 1 else table
        self.chosen = chosen
        count = len(self.thresholds)
        if self.thresholds.ndim != 1 or self.columns.shape != (count,) or self.errors.ndim != 2 or len(self.errors) != count:
            raise ValueError(
                f"thresholds has shape {self.thresholds.shape}, errors {table.shape}, columns {self.columns.shape}: "
                "give a row of errors and a number of columns for each threshold."
            )
        refuse_bad_number("thresholds", self.thresholds)
        refuse_bad_number("errors", self.errors)
        order = np.argsort(self.thresholds, kind="stable")
        self.thresholds, self.errors, self.columns = self.thresholds[order], self.errors[order], self.columns[order]

    @classmethod
    def from_estimator(cls, estimator: Any, *, ax: Axes | None = None) -> Self:
        """Draw what a NearestShrunkenCentroids has tried, fitted with shrink_threshold="cv"."""
        check_is_fitted(estimator)
        if getattr(estimator, "cv_errors_", None) is None:
            raise TypeError(
                f"{type(estimator).__name__} has tried no thresholds: "
                'fit NearestShrunkenCentroids("cv"), or draw what its path returns with from_path.'
            )
        tested = ~np.isnan(estimator.cv_errors_[0])  # folds whose rows have weight
        tried = (estimator.thresholds_, estimator.cv_errors_[:, tested], estimator.columns_left_)
        return cls(*tried, chosen=estimator.shrink_threshold_).plot(ax)

    @classmethod
    def from_path(cls, path: Any, *, chosen: float | None = None, ax: Axes | None = None) -> Self:
        """Draw what `NearestShrunkenCentroids.path` returns."""
        return cls(path.thresholds, path.errors, path.columns, chosen=chosen).plot(ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the errors."""
        ax = self.open_axes(ax, 6.4, 4.2)
        mean, spread = self.errors.mean(axis=1), self.standard_errors()
        draw_errors(ax, self.thresholds, mean, spread)
        if spread is not None:
            best = int(np.flatnonzero(mean <= mean.min() + 1e-12)[-1])
            draw_limit(ax, mean[best] + spread[best])
        if self.chosen is not None:
            ax.axvline(self.chosen, color=INK, linewidth=1.0, linestyle=(0, (4, 3)), label=self.choice(self.chosen))
        words = _("error") if spread is None else _("error of the folds, ± one standard error")
        tidy(ax, x=_("threshold Δ"), y=words)
        in_percent(ax.yaxis)
        ax.set_ylim(0.0, None)
        self.top_ = self.count(ax)
        if ax.get_legend_handles_labels()[1]:
            legend_below(ax, columns=2)
        return self

    def standard_errors(self) -> Array | None:
        """Of the mean over the folds; None if there is but one."""
        folds = self.errors.shape[1]
        return np.asarray(self.errors.std(axis=1, ddof=1) / np.sqrt(folds)) if folds > 1 else None

    def choice(self, chosen: float) -> str:
        nearest = int(np.abs(self.thresholds - chosen).argmin())
        return _("Δ = {threshold}: {columns} columns left").format(
            threshold=number(chosen, 3), columns=format_whole(int(self.columns[nearest]))
        )

    def count(self, ax: Axes) -> Any:
        """Numbers of columns along the top, as many as there is room for."""
        top = ax.secondary_xaxis("top")
        labels = [format_whole(int(columns)) for columns in self.columns]
        most = max(2, int(PLACE * width_of(ax) * SMALL_LETTERS / (max(map(len, labels)) + 2)))
        places = np.linspace(self.thresholds[0], self.thresholds[-1], most)
        shown = np.unique(np.abs(self.thresholds[:, None] - places).argmin(axis=0))
        top.set_xticks(self.thresholds[shown], [labels[k] for k in shown])
        top.tick_params(width=THIN, length=3, labelsize=SMALL, color=GREY, labelcolor=INK)
        top.set_xlabel(verbatim(wrap_text(_("columns left"), width_of(ax))), fontsize=TEXT, color=INK)
        top.spines["top"].set(linewidth=THIN, edgecolor=GREY)
        return top
