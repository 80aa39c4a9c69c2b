"""Picture of explained variance: what part of the variance each principal component has, and the first k of them together.

The bars are the variances λ_k/Σλ (the scree), the line their sums. The dashed line is the share τ that is wanted; the mark is
the smallest k whose sum reaches it, as `PCA(n_components=τ)` chooses it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.rows import Array
from aprendiz.locale import _, format_whole
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.scales import in_whole_numbers
from aprendiz.plots.shared.style import BLUE, DASHED, GREY, INK, VERMILION, in_percent, legend_below, tidy
from aprendiz.plots.shared.words import percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_MARKS = 30  # components with marks of their own
ROUNDING = 1e-12  # of a share


class ExplainedVarianceDisplay(Display):
    """The shares of the variance as a picture.

    Parameters
    ----------
    model : PCA, IncrementalPCA, TruncatedSVD or another fitted learner with `explained_variance_ratio_`
        Whose components are drawn; those that were not kept are not known.
    share : float, optional
        τ; by default the `n_components` of the model, if that is a share.

    Attributes
    ----------
    shares, sums : ndarray of shape (n_components,)
        Of the variance: of each component, and of all up to it.
    share : float or None
        τ.
    enough : int or None
        The smallest number of components that reach it, if there is one.
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    """

    def __init__(self, model: Any, share: float | None = None) -> None:
        check_is_fitted(model)
        self.shares: Array = np.asarray(model.explained_variance_ratio_, np.float64)
        if not len(self.shares):
            raise ValueError("The model has no components to draw: fit it with n_components of at least 1.")
        self.sums: Array = np.cumsum(self.shares)
        wanted = getattr(model, "n_components", None)
        self.share = wanted if share is None and isinstance(wanted, float) else share
        if self.share is not None and not 0 < self.share <= 1:
            raise ValueError(f"share must be a part of the variance, above 0 and at most 1, got {self.share!r}.")
        reached = np.flatnonzero(self.sums >= (1.0 if self.share is None else self.share) - ROUNDING)
        self.enough = int(reached[0]) + 1 if self.share is not None and len(reached) else None

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the bars, the line of their sums, and τ."""
        ax = self.open_axes(ax, 6.4, 4.2)
        k = np.arange(1, len(self.shares) + 1)
        few = len(k) <= MOST_MARKS
        ax.bar(k, self.shares, width=0.7 if few else 1.0, color=BLUE, alpha=0.55, linewidth=0, label=_("each component"))
        look: dict[str, Any] = {"marker": "o", "markersize": 3.5} if few else {}
        ax.plot(k, self.sums, color=INK, linewidth=1.2, label=_("the first k together"), **look)
        if self.share is not None:
            ax.axhline(self.share, color=GREY, linewidth=1.0, linestyle=DASHED, label=self.limit())
        if self.enough is not None:
            mark: dict[str, Any] = {"marker": "D", "markersize": 8, "markerfacecolor": "none", "markeredgewidth": 1.6}
            words = _("k = {k}: the fewest that reach it").format(k=format_whole(self.enough))
            ax.plot([self.enough], [self.sums[self.enough - 1]], linestyle="none", color=VERMILION, label=words, **mark)
        tidy(ax, x=_("components k"), y=_("share of the variance"))
        in_percent(ax.yaxis)
        in_whole_numbers(ax.xaxis)
        ax.set(ylim=(0.0, 1.04), xlim=(0.4, len(k) + 0.6))
        legend_below(ax, columns=2)
        return self

    def limit(self) -> str:
        """τ in words, and whether it is reached."""
        words = (
            _("τ = {share}") if self.enough is not None else _("τ = {share}, which the components that were kept do not reach")
        )
        return words.format(share=percent(float(self.share or 0.0)))
