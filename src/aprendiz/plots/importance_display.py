"""Picture of the importance of columns: a bar for each, the most important on top.

With importances by permutation the line at the end of a bar is a standard error on either side: of the mean over the trees
(`oob_permutation_importance`), or over the repeats (`evaluation.permutation_importance`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.parameters import refuse_count
from aprendiz.core.targets import refuse_bad_number
from aprendiz.ensemble.out_of_bag_importances import OutOfBagImportances
from aprendiz.evaluation.permutation_importance import PermutationImportance
from aprendiz.evaluation.shap_values import ShapValues
from aprendiz.evaluation.words.measures import measure_in_words
from aprendiz.locale import _, format_whole, ngettext
from aprendiz.plots.shared.bars import draw_bars, name_bars
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.entries import column_names, entries_for
from aprendiz.plots.shared.style import INK, room_beside, tidy
from aprendiz.plots.shared.words import short_names, wrap_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_BARS = 20  # bars
BAR, MARGIN, WIDTH = 0.22, 1.0, 5.2  # inches


class ImportanceDisplay(Display):
    """The importance of columns as bars.

    Parameters
    ----------
    importances : array-like of shape (n_columns,)
    standard_errors : array-like of shape (n_columns,), optional
    names : sequence of str, optional
        Of the columns; by default x0, x1, …
    measure : str, optional
        What is measured, along the axis.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    """

    def __init__(
        self, importances: Any, standard_errors: Any = None, names: Sequence[Any] | None = None, measure: str = ""
    ) -> None:
        self.importances = np.asarray(importances, dtype=np.float64)
        if self.importances.ndim != 1 or not len(self.importances):
            raise ValueError(f"importances has shape {self.importances.shape}: give one number for each column.")
        refuse_bad_number("importances", self.importances)
        self.names = entries_for("names", names, column_names(len(self.importances)), "importances")
        self.standard_errors = None
        if standard_errors is not None:
            given = entries_for("standard_errors", standard_errors, self.importances, "importances")
            self.standard_errors = np.array(given, dtype=np.float64)
        self.measure = measure

    @classmethod
    def from_importances(cls, found: OutOfBagImportances, *, most: int = MOST_BARS, ax: Axes | None = None) -> Self:
        """Draw what `oob_permutation_importance` returns."""
        if found.task == "classification":
            measure = _("increase in the error of a tree, ± one standard error")
        else:
            measure = _("increase in the squared error of a tree, ± one standard error")
        return cls(found.mean, found.standard_error, found.names, measure).plot(ax, most=most)

    @classmethod
    def from_permutations(cls, found: PermutationImportance, *, most: int = MOST_BARS, ax: Axes | None = None) -> Self:
        """Draw what `evaluation.permutation_importance` returns."""
        measure = _("loss of {measure} when shuffled").format(measure=measure_in_words(found.measure))
        errors = None if np.isnan(found.standard_error).any() else found.standard_error
        return cls(found.importances_mean, errors, found.names, measure).plot(ax, most=most)

    @classmethod
    def from_shap_values(cls, found: ShapValues, *, most: int = MOST_BARS, ax: Axes | None = None) -> Self:
        """Draw the mean sizes of what `evaluation.shap_values` returns."""
        return cls(found.importance, None, found.names, _("mean size of what the column adds")).plot(ax, most=most)

    @classmethod
    def from_estimator(cls, estimator: Any, *, most: int = MOST_BARS, ax: Axes | None = None) -> Self:
        """Draw the mean decrease of the impurity (`feature_importances_`) of a fitted tree or forest."""
        check_is_fitted(estimator)
        if not hasattr(estimator, "feature_importances_"):
            raise TypeError(f"{type(estimator).__name__} has no feature_importances_: give a tree or a forest.")
        names = getattr(estimator, "feature_names_in_", None)
        measure = _("share of the decrease in impurity")
        return cls(estimator.feature_importances_, None, names, measure).plot(ax, most=most)

    def plot(self, ax: Axes | None = None, *, most: int = MOST_BARS) -> Self:
        """Draw the `most` important columns."""
        refuse_count("most", most)
        order = np.argsort(-self.importances, kind="stable")[:most]
        ax = self.open_axes(ax, WIDTH, len(order) * BAR + MARGIN)
        draw_bars(ax, self.importances[order])
        if self.standard_errors is not None:
            look: dict[str, Any] = {"linestyle": "none", "ecolor": INK, "elinewidth": 1.0, "capsize": 0}
            ax.errorbar(self.importances[order], range(len(order)), xerr=self.standard_errors[order], **look)
        names = short_names(self.names[j] for j in order)
        tidy(ax, x=wrap_text(self.describe(len(self.names) - len(order)), room_beside(ax, names)), y="")
        name_bars(ax, names)
        return self

    def describe(self, rest: int) -> str:
        """The name of the axis, with the number of columns that are not shown."""
        measure = self.measure or _("importance")
        if not rest:
            return measure
        words = ngettext("{count} less important column is not shown", "{count} less important columns are not shown", rest)
        return f"{measure} ({words.format(count=format_whole(rest))})"
