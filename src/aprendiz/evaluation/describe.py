"""Description of a table: means, covariances, correlations, quantiles, shapes, gaps, and how columns go together.

    x̄ = Σ w x/n,     S_n = Σ w (x − x̄)(x − x̄)ᵀ/n,     S = Σ w (x − x̄)(x − x̄)ᵀ/(n − 1),     n = Σ w            (1)

S_n is the estimate of maximum likelihood, S the one without bias. Weights count rows: a row of weight 2 is there twice. Missing
cells are left out, pair of columns by pair of columns. Independent columns are uncorrelated; uncorrelated ones need not be
independent: x symmetric around 0 and y = x² have r = 0.

The formulas stand in description/pair_sums.py and associations.py; quantiles are exact (summaries/quantiles.py).

Cost: four passes, n·d² multiplications; tables in memory, files and Dask collections alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from aprendiz.core.parameters import ParameterError
from aprendiz.core.pictures import Picture, display
from aprendiz.core.rows import Array
from aprendiz.core.short_repr import ShortRepr
from aprendiz.evaluation.description.associations import category_sums, correlation_ratios, cramers, joined
from aprendiz.evaluation.description.opened_table import open_table
from aprendiz.evaluation.description.pair_sums import column_moments
from aprendiz.evaluation.words.tables import align, frame, short
from aprendiz.locale import _, format_fixed, format_whole, number
from aprendiz.summaries.quantiles import quantiles as exact_quantiles

FIVE = (0.0, 0.25, 0.5, 0.75, 1.0)  # minimum, quartiles, maximum
LISTED = 8  # associations and levels that are printed


def describe(
    X: Any,
    y: Any = None,
    *,
    sample_weight: Any = None,
    quantiles: Sequence[float] = FIVE,
    classes: bool = False,
) -> Description:
    """Describe the columns of a table, one by one and in pairs.

    Parameters
    ----------
    X : array, data frame, sparse matrix, Dask collection, or opened rows (`aprendiz.rows`)
        Columns of words, and of True and False, are categories.
    y : array-like of shape (n_samples,), optional
        A target, described as one more column. Opened rows bring theirs.
    sample_weight : array-like of shape (n_samples,), optional
        How many times each row counts.
    quantiles : sequence of float, default=(0, 0.25, 0.5, 0.75, 1)
        Levels between 0 and 1.
    classes : bool, default=False
        Whether numbers in y are names of classes.

    Examples
    --------
    >>> x = np.array([-2.0, -1.0, 0.0, 1.0, 2.0])
    >>> found = describe(np.column_stack([x, x**2]))
    >>> found.mean.tolist(), float(found.correlation[0, 1])
    ([0.0, 2.0], 0.0)
    """
    levels = np.asarray(quantiles, dtype=np.float64)
    if levels.ndim != 1 or not ((levels >= 0) & (levels <= 1)).all():
        raise ParameterError(f"quantiles must be levels between 0 and 1, such as (0.25, 0.5, 0.75), got {quantiles!r}.")
    table = open_table(X, y, sample_weight, classes=classes)
    moments = column_moments(table.rows)
    sums = category_sums(table.rows, table.levels, moments)
    skewness, kurtosis = moments.shape
    counts = [dict(zip(names, count.tolist(), strict=True)) for names, count in zip(table.levels, sums.counts, strict=True)]
    rows = moments.sums.rows
    return Description(
        rows=rows,
        weight=moments.sums.weight,
        columns=table.numbers,
        mean=moments.mean,
        covariance=moments.covariance(1.0),
        covariance_ml=moments.covariance(0.0),
        correlation=moments.correlation,
        levels=levels,
        quantiles=exact_quantiles(table.rows, levels.tolist()) if len(table.numbers) else np.empty((len(levels), 0)),
        missing=rows - moments.sums.cells,
        skewness=skewness,
        kurtosis=kurtosis,
        categories=dict(zip(table.categories, counts, strict=True)),
        categories_missing=dict(zip(table.categories, (rows - sums.cells).tolist(), strict=True)),
        association=joined(moments.correlation, correlation_ratios(sums), cramers(sums)),
        target=table.target,
    )


@dataclass(frozen=True, eq=False, repr=False)
class Description(ShortRepr):
    """What a table looks like; printed, a table of its columns and the strongest associations.

    Attributes
    ----------
    rows : int
        Rows that count (of weight above 0).
    weight : float
        Their weight, n of (1).
    columns : tuple of str
        The columns of numbers, with the target last if it is one of them.
    mean : ndarray of shape (n_columns,)
    covariance, covariance_ml : ndarray of shape (n_columns, n_columns)
        S and S_n of (1): denominators n − 1 and n.
    correlation : ndarray of shape (n_columns, n_columns)
        Pearson's r; NaN where a column does not vary.
    levels : ndarray of shape (n_levels,)
    quantiles : ndarray of shape (n_levels, n_columns)
    missing : ndarray of int of shape (n_columns,)
        Missing cells.
    skewness, kurtosis : ndarray of shape (n_columns,)
        m₃/m₂^{3/2} and m₄/m₂² − 3: both 0 for the normal distribution.
    categories : dict of name to dict of level to weight
        The categories, and how often each level occurs.
    categories_missing : dict of name to int
        Their missing cells.
    association : ndarray of shape (n_names, n_names)
        Of all pairs of `names`: r, η² or V, as `kind` says.
    target : str or None
        The name of the target.
    """

    rows: int
    weight: float
    columns: tuple[str, ...]
    mean: Array
    covariance: Array
    covariance_ml: Array
    correlation: Array
    levels: Array
    quantiles: Array
    missing: Array
    skewness: Array
    kurtosis: Array
    categories: dict[str, dict[Any, float]]
    categories_missing: dict[str, int]
    association: Array
    target: str | None

    @property
    def names(self) -> tuple[str, ...]:
        """All columns: numbers first, then categories."""
        return (*self.columns, *self.categories)

    @property
    def standard_deviation(self) -> Array:
        """Roots of the diagonal of S."""
        return np.sqrt(np.maximum(np.diagonal(self.covariance), 0.0))

    def kind(self, first: str, second: str) -> str:
        """What `association` of two columns is: "r", "η²" or "V"."""
        return ("r", "η²", "V")[(first in self.categories) + (second in self.categories)]

    def strongest(self, count: int = LISTED) -> list[tuple[str, str, str, float]]:
        """The pairs of columns that go together most, (first, second, kind, value); r² and V² are compared with η²."""
        pairs = [(a, b, self.kind(a, b), float(self.association[i, j])) for (i, a), (j, b) in self.pairs()]
        shared = {"r": 2.0, "η²": 1.0, "V": 2.0}
        found = [pair for pair in pairs if not np.isnan(pair[3])]
        return sorted(found, key=lambda pair: -(abs(pair[3]) ** shared[pair[2]]))[:count]

    def pairs(self) -> Any:
        """All pairs of columns with their numbers; those with the target alone, if there is one."""
        every = combinations(enumerate(self.names), 2)
        return (p for p in every if self.target is None or self.target in (p[0][1], p[1][1]))

    def frame(self) -> Any:
        """A pandas frame: a row for each column of numbers."""
        quantile = {f"q{level:g}": values for level, values in zip(self.levels, self.quantiles, strict=True)}
        columns = {"missing": self.missing, "mean": self.mean, "sd": self.standard_deviation, **quantile}
        return frame({**columns, "skewness": self.skewness, "kurtosis": self.kurtosis}, self.columns, "column")

    def plot(self, ax: Any = None) -> Picture:
        """Draw the associations of all columns, as an `AssociationDisplay`. Needs matplotlib."""
        return display("AssociationDisplay")(self).plot(ax)

    # ---- words ---------------------------------------------------------------------------------------------------------

    def __str__(self) -> str:
        head = _("{rows} rows; columns of numbers: {numbers}; categories: {categories}").format(
            rows=format_whole(self.rows), numbers=format_whole(len(self.columns)), categories=format_whole(len(self.categories))
        )
        parts = [head, self.number_lines() if self.columns else "", *self.category_lines(), *self.association_lines()]
        return "\n".join(part for part in parts if part)

    def number_lines(self) -> str:
        """A line for each column of numbers."""
        quantile = [f"Q({level:g})" for level in self.levels]
        lines = [[_("column"), _("missing"), _("mean"), _("sd"), *quantile, _("skewness"), _("kurtosis")]]
        for j, name in enumerate(self.columns):
            cells = [number(float(value)) for value in (self.mean[j], self.standard_deviation[j], *self.quantiles[:, j])]
            shape = [format_fixed(float(value), 2) for value in (self.skewness[j], self.kurtosis[j])]
            lines.append([short(name), format_whole(int(self.missing[j])), *cells, *shape])
        return align(lines)

    def category_lines(self) -> list[str]:
        """A line for each category: its most frequent levels."""
        lines = []
        for name, counts in self.categories.items():
            order = sorted(counts, key=lambda level: -counts[level])
            shown = ", ".join(f"{short(level)} {number(counts[level])}" for level in order[:LISTED])
            rest = _(", … ({count} levels)").format(count=format_whole(len(order))) if len(order) > LISTED else ""
            gaps = self.categories_missing[name]
            lines.append(
                f"{short(name)}: {shown}{rest}" + (_("; missing {cells}").format(cells=format_whole(gaps)) if gaps else "")
            )
        return lines

    def association_lines(self) -> list[str]:
        """The strongest associations."""
        found = [f"{kind}({short(a)}, {short(b)}) = {format_fixed(value, 3)}" for a, b, kind, value in self.strongest()]
        title = _("strongest associations:") if self.target is None else _("associations with the target:")
        return [title, *(f"  {line}" for line in found)] if found else []
