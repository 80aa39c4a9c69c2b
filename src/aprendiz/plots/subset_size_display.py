"""Picture of a search for the number of columns: the score on inner folds against how many columns are used, and the chosen
number.

Bars are one standard error of the mean over the folds on either side. The curve is the largest of many subsets at each size,
and flatters: only folds around the whole search say how well the chosen columns do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.targets import refuse_bad_number
from aprendiz.locale import _, format_whole
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.scales import in_whole_numbers
from aprendiz.plots.shared.standard_errors import draw_errors
from aprendiz.plots.shared.style import DASHED, INK, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class SubsetSizeDisplay(Display):
    """The score against the number of columns.

    Parameters
    ----------
    sizes : array-like of shape (n_sizes,)
        Numbers of columns.
    scores : array-like of shape (n_sizes,) or (n_sizes, n_folds)
        The score of each, or its score in each fold.
    chosen : int, optional
        The number that is marked.
    measure : str, optional
        What the score is.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    """

    def __init__(self, sizes: Any, scores: Any, *, chosen: int | None = None, measure: str = "") -> None:
        self.sizes, table = np.asarray(sizes, dtype=float), np.asarray(scores, dtype=float)
        if self.sizes.ndim != 1 or not len(self.sizes) or table.ndim not in (1, 2) or len(table) != len(self.sizes):
            raise ValueError(
                f"scores has shape {table.shape}: give a score, or a row of folds, for each of {len(self.sizes)} sizes."
            )
        refuse_bad_number("sizes", self.sizes)
        refuse_bad_number("scores", table)
        order = np.argsort(self.sizes, kind="stable")
        self.sizes, table = self.sizes[order], table[order]
        several = table.ndim == 2 and table.shape[1] > 1
        self.spread = table.std(axis=1, ddof=1) / np.sqrt(table.shape[1]) if several else None
        self.scores = table if table.ndim == 1 else table.mean(axis=1)
        self.chosen, self.measure = chosen, measure

    @classmethod
    def from_estimator(cls, estimator: Any, *, ax: Axes | None = None) -> Self:
        """Draw what a fitted search for columns has found: `RFECV`, `RecursiveElimination`, `SequentialSelection`."""
        check_is_fitted(estimator)
        chosen = int(np.sum(estimator.get_support()))
        if hasattr(estimator, "cv_results_"):
            found = estimator.cv_results_
            splits = [name for name in found if name.startswith("split") and name.endswith("test_score")]
            return cls(found["n_features"], np.column_stack([found[name] for name in splits]), chosen=chosen).plot(ax)
        if hasattr(estimator, "sizes_") and hasattr(estimator, "fold_scores_"):
            return cls(estimator.sizes_, estimator.fold_scores_, chosen=chosen).plot(ax)
        scores = np.asarray(getattr(estimator, "scores_", ()), dtype=float)
        if scores.shape != (estimator.n_features_in_ + 1,):
            raise TypeError(
                f"{type(estimator).__name__} has no score for each number of columns: give a search, such as RFECV."
            )
        sizes = np.flatnonzero(np.isfinite(scores))
        return cls(sizes, scores[sizes], chosen=chosen).plot(ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the curve."""
        ax = self.open_axes(ax, 6.0, 4.0)
        draw_errors(ax, self.sizes, self.scores, self.spread)
        title = ""
        if self.chosen is not None:
            ax.axvline(self.chosen, color=INK, linewidth=1.0, linestyle=DASHED)
            title = _("columns chosen: {count}").format(count=format_whole(self.chosen))
        words = self.measure or _("score on inner folds")
        if self.spread is not None:
            words = _("{measure}, ± one standard error").format(measure=words)
        tidy(ax, x=_("number of columns"), y=words, title=title)
        in_whole_numbers(ax.xaxis)
        return self
