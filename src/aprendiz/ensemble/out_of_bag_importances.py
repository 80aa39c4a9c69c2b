"""Importance of columns by permutation: what a forest loses when a column tells it nothing.

For tree m, with O_m the rows that are not in its bag, ℓ its loss (0 or 1 for the class it votes for; the squared error), and π
a random permutation of O_m,

    V_m(j) = mean over O_m of  ℓ(y_i, x_i with column j of row π(i)) − ℓ(y_i, x_i)                             (1)

    importance of j = mean_m V_m(j),     standard error = deviation of V_m(j) over the trees / √M,     z = their quotient    (2)

A column that no tree splits on has 0; one that the trees split on in vain a little more or less. The standard error says how
well these M trees know the mean over all trees that could be grown from the same rows, not what other rows would say.

Permuted as a whole, a column loses what it shares with others too, and rows appear that cannot be. Two remedies:

    groups          columns that are permuted together, by one π: what they tell together
    conditional     π stays inside strata of rows whose other columns tell the same of j (strata.py): what j adds to them

Cost: permuted_descent.py; trees side by side.
References: Breiman, "Random forests", Machine Learning 45, 2001, section 10; Strobl et al., "Conditional variable importance
for random forests", BMC Bioinformatics 9, 2008.
"""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import fill
from typing import Any

import numpy as np

from aprendiz.core.pictures import Picture, display
from aprendiz.core.rows import Array
from aprendiz.locale import _, format_whole, number

SHOWN, WIDTH = 30, 110  # columns of a table in words, and letters of its sentences


@dataclass(frozen=True, eq=False)
class OutOfBagImportances:
    """Permutation importance of the columns, computed on out-of-bag rows.

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
        Reasons why some importances may be too large or too small (column_findings.py).
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
        """The mean in standard errors; 0 where it is 0 in every tree."""
        error = self.standard_error
        return np.divide(self.mean, error, out=np.zeros_like(error), where=error > 0)

    @property
    def order(self) -> Array:
        """The columns from the most important on."""
        return np.argsort(-self.mean, kind="stable")

    def plot(self, ax: Any = None, *, most: int = 20) -> Picture:
        """The importances as bars, an `ImportanceDisplay`. Needs matplotlib."""
        return display("ImportanceDisplay").from_importances(self, ax=ax, most=most)

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
            lines.append(_("… {count} more").format(count=format_whole(len(self.names) - SHOWN)))
        notes = (fill(sentence, WIDTH, initial_indent="• ", subsequent_indent="  ") for sentence in self.warnings_)
        return "\n".join([*lines, *notes])
