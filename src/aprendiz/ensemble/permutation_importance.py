"""Importance of columns by permutation: what a forest loses when a column tells it nothing.

For tree m, with O_m the rows that are not in its bag, ℓ its loss (0 or 1 for the class it votes for; the squared error), and π
a random permutation of O_m,

    V_m(j) = mean over O_m of  ℓ(y_i, x_i with column j of row π(i)) − ℓ(y_i, x_i)                             (1)

    importance of j = mean_m V_m(j),     standard error = deviation of V_m(j) over the trees / √M,     z = their quotient    (2)

A column that no tree asks about has 0; one that the trees ask about in vain a little more or less. The standard error says how
well these M trees know the mean over all trees that could be grown from the same rows, not what other rows would say.

Permuted as a whole, a column loses what it shares with others too, and rows appear that cannot be. Two remedies:

    groups          columns that are permuted together, by one π: what they tell together
    conditional     π stays inside strata of rows whose other columns tell the same of j (strata.py): what j adds to them

Cost: permuted_descent.py; trees side by side.
References: Breiman, "Random forests", Machine Learning 45, 2001, section 10; Strobl et al., "Conditional variable importance
for random forests", BMC Bioinformatics 9, 2008.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np

from aprendiz.core.engines.threads import ordered_map
from aprendiz.core.parameters import refuse_count
from aprendiz.core.random import draw_seed, hashes
from aprendiz.core.rows import Array, ArrayRows
from aprendiz.ensemble.column_findings import findings
from aprendiz.ensemble.column_groups import column_groups
from aprendiz.ensemble.ensemble import Ensemble
from aprendiz.ensemble.permuted_descent import PermutedDescent
from aprendiz.ensemble.question_codes import QuestionCodes
from aprendiz.ensemble.rows_of_fit import bags_of, column_names, dense, rows_of_fit, task_of, weight_of
from aprendiz.ensemble.strata import conditional_strata
from aprendiz.locale import _, number, whole

if TYPE_CHECKING:
    from aprendiz.plots.importance_display import ImportanceDisplay

SHOWN, WIDTH = 30, 110  # columns of a table in words, and letters of its sentences


@dataclass(frozen=True, eq=False)
class OutOfBagImportances:
    """Importance of columns by permutation among the rows that a tree has not seen.

    Attributes
    ----------
    importances : ndarray of shape (trees, columns)
        (1); NaN for a tree whose bag holds all rows.
    names : tuple
        Of the columns, or of their groups.
    task : {"classification", "regression"}
        Losses are shares of wrong votes, or squared errors.
    conditional : bool
        Whether columns were permuted inside strata.
    warnings_ : tuple of str
        What is known of the columns that makes some numbers too large or too small (column_findings.py).
    """

    importances: Array
    names: tuple[Any, ...]
    task: str
    conditional: bool
    warnings_: tuple[str, ...]

    @property
    def trees(self) -> int:
        """Trees that have rows out of their bags."""
        return int((~np.isnan(self.importances[:, 0])).sum())

    @property
    def mean(self) -> Array:
        """The importance: the mean over the trees."""
        return np.asarray(np.nanmean(self.importances, axis=0))

    @property
    def std(self) -> Array:
        """The deviation over the trees; 0 of a single one."""
        return np.asarray(np.nanstd(self.importances, axis=0, ddof=1 if self.trees > 1 else 0))

    @property
    def standard_error(self) -> Array:
        """Of the mean."""
        return self.std / np.sqrt(self.trees)

    @property
    def z(self) -> Array:
        """The mean in standard errors; 0 where every tree says 0."""
        error = self.standard_error
        return np.divide(self.mean, error, out=np.zeros_like(error), where=error > 0)

    @property
    def order(self) -> Array:
        """The columns from the most important on."""
        return np.argsort(-self.mean, kind="stable")

    def plot(self, ax: Any = None, *, most: int = 20) -> ImportanceDisplay:
        """Draw the importances as bars. Needs matplotlib."""
        from aprendiz.plots.importance_display import ImportanceDisplay

        return ImportanceDisplay.from_importances(self, ax=ax, most=most)

    def __str__(self) -> str:
        heads = [_("column"), _("importance"), _("standard error"), "z"]
        columns = [self.mean, self.standard_error, self.z]
        shown = self.order[:SHOWN]
        table = [heads, *([str(self.names[j]), *(number(float(c[j]), 3) for c in columns)] for j in shown)]
        widths = [max(map(len, cells)) for cells in zip(*table, strict=True)]
        lines = [
            "  ".join(
                [line[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True))]
            )
            for line in table
        ]
        if len(self.names) > SHOWN:
            lines.append(_("… {count} more").format(count=whole(len(self.names) - SHOWN)))
        told = (fill(sentence, WIDTH, initial_indent="• ", subsequent_indent="  ") for sentence in self.warnings_)
        return "\n".join([*lines, *told])


class OutOfBagImportance(Ensemble):
    """Ensembles of trees that tell the importance of columns."""

    def oob_permutation_importance(
        self,
        X: Any = None,
        y: Any = None,
        *,
        groups: Mapping[Any, Any] | list[Any] | None = None,
        conditional: bool = False,
        repeats: int = 1,
        random_state: Any = None,
    ) -> OutOfBagImportances:
        """How much more a tree errs, on rows that it has not seen, when the cells of a column are permuted among them.

        Parameters
        ----------
        X, y : the rows of the fit, in their order, optional
            Small tables are remembered, and need not be given.
        groups : dict of name to columns, or list of columns and of lists of them, optional
            Columns (by name or number) that are permuted together; the result is about these groups alone. By default, each
            column is a group.
        conditional : bool, default=False
            Whether to permute a column among rows only that are alike in the other columns.
        repeats : int, default=1
            Permutations for each tree and column.
        random_state : int, RandomState or None

        Returns
        -------
        OutOfBagImportances
        """
        what = "oob_permutation_importance"
        self.refuse_models(what)
        bags = bags_of(self, what)
        refuse_count("repeats", repeats)
        rows = rows_of_fit(self, X, y, what)
        known = column_names(self)
        names, chosen = column_groups(groups, known)
        cells, weight = dense(rows.X), weight_of(self, rows)
        weight = np.ones(len(cells)) if weight is None else weight
        strata = conditional_strata(cells, weight, chosen) if conditional else np.zeros((1, len(cells)), np.int32)
        codes = QuestionCodes.of(self.forest_, cells)
        descent = PermutedDescent(self.forest_, codes, *said_and_true(self, rows), weight, chosen, strata)
        seed = draw_seed(random_state)

        def losses(tree: int) -> Array:
            out = bags.left_out(tree)
            if not len(out):
                return np.full(len(chosen), np.nan)
            keys = hashes(seed, tree, np.arange(repeats * len(chosen))).reshape(repeats, -1)
            return descent.losses(tree, out, np.ascontiguousarray(keys.T))

        found = np.array(list(ordered_map(losses, range(len(self)))))
        refuse_no_tree(found)
        told = findings(cells, known, chosen, np.nanmean(found, axis=0), conditional)
        return OutOfBagImportances(found, names, task_of(self), conditional, told)


def said_and_true(model: Any, rows: ArrayRows) -> tuple[Array, Array]:
    """What each answer of the forest says, and what is true of each row: classes by their numbers, or numbers."""
    assert rows.y is not None
    value = model.forest_.value
    if model.costs_ is not None:
        value = (value @ model.costs_).argmin(axis=1)[:, None]
    return np.ascontiguousarray(value, np.float64), np.ascontiguousarray(rows.y.reshape(len(rows.y), -1), np.float64)


def refuse_no_tree(found: Array) -> None:
    if np.isnan(found).all():
        raise ValueError(
            "No tree has a row out of its bag, so there is nothing to permute: fit more trees, or smaller bags (max_samples)."
        )
