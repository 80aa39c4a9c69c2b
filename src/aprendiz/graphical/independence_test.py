"""Are two columns independent, given others? G² and X² on a table of counts.

The statistics, their degrees of freedom and what they mean stand in structure/dependence.py. They are compared with a χ²
distribution, which is right where many rows are expected in each cell; what is known about that is said with the result: strata
without rows, levels that do not occur in a stratum, cells in which fewer than five rows are expected.

Cost: O(n·(columns given + 2)); memory O(n) and the cells of the strata that have rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any, Literal

import numpy as np

from aprendiz.core.parameters import ParameterError
from aprendiz.core.rows import Array
from aprendiz.core.short_repr import ShortRepr
from aprendiz.graphical.structure.dependence import DF, G2, X2, dependence, p_values
from aprendiz.graphical.structure.learned_edges import LearnedEdges
from aprendiz.graphical.structure.strata import Strata
from aprendiz.locale import _, format_whole, ngettext, number

FEW = 5.0  # rows that should be expected in a cell
STATISTICS = {"g2": (G2, "G²"), "x2": (X2, "X²")}


def independence_test(
    X: Any,
    a: Any,
    b: Any,
    given: Any = (),
    *,
    statistic: Literal["g2", "x2"] = "g2",
    adjust_df: bool = False,
    sample_weight: Any = None,
) -> IndependenceTest:
    """Test whether columns a and b are independent given other columns.

    Parameters
    ----------
    X : data frame, array of codes or opened rows
        Words or codes 0, 1, 2, …; a row counts where the cells of all columns of the test are known.
    a, b : name or number of a column
    given : name, number, or a list of them
        The columns within whose levels a and b are compared.
    statistic : {"g2", "x2"}, default="g2"
        The likelihood ratio or Pearson's statistic.
    adjust_df : bool, default=False
        Whether levels that do not occur in a stratum count for no degrees of freedom.
    sample_weight : array of shape (n_samples,), optional
        How many times each row counts.

    Returns
    -------
    IndependenceTest

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> sun = rng.integers(0, 2, 500)
    >>> ice, hats = (np.where(rng.random(500) < 0.8, sun, 1 - sun) for _ in range(2))
    >>> X = np.column_stack([sun, ice, hats])
    >>> independence_test(X, 1, 2).p_value < 0.001, independence_test(X, 1, 2, given=0).p_value > 0.05
    (True, True)
    """
    if statistic not in STATISTICS:
        raise ParameterError(f"statistic must be 'g2' or 'x2', got {statistic!r}.")
    given = list(given) if isinstance(given, (list, tuple, set, frozenset)) else [given]
    found = Strata.of(Categories(), X, sample_weight, [*given, a, b])
    numbers = np.empty(3)
    dependence(found.table, numbers)
    place, _name = STATISTICS[statistic]
    df = numbers[DF] if adjust_df else float((found.sizes[-2] - 1) * (found.sizes[-1] - 1) * prod(found.sizes[:-2]))
    p = float(p_values(numbers[place : place + 1], np.array([df]))[0])
    return IndependenceTest(
        a, b, tuple(given), statistic, float(numbers[place]), df, p, found.table, found.levels, found.strata
    )


class Categories(LearnedEdges):
    """Reads columns of categories, and learns nothing."""


@dataclass(frozen=True, repr=False, eq=False)
class IndependenceTest(ShortRepr):
    """A test of a ⊥ b | given.

    Attributes
    ----------
    a, b, given : names of the columns
    statistic : {"g2", "x2"}
    value, df, p_value : float
        The statistic, its degrees of freedom, and the probability of so large a value if a and b are independent.
    counts : ndarray of shape (strata with rows, levels of a, levels of b)
    levels : list of lists
        The levels of the given columns, of a and of b.
    strata : ndarray of shape (strata with rows, columns given)
        The codes of the given columns in each stratum.
    """

    a: Any
    b: Any
    given: tuple[Any, ...]
    statistic: str
    value: float
    df: float
    p_value: float
    counts: Array
    levels: tuple[tuple[Any, ...], ...]
    strata: Array

    @property
    def weight(self) -> float:
        """Weight of the rows that counted."""
        return float(self.counts.sum())

    @property
    def empty_strata(self) -> int:
        """Combinations of levels of the given columns without rows."""
        return prod(map(len, self.levels[:-2])) - len(self.counts)

    @property
    def absent_levels(self) -> int:
        """Levels of a or b that do not occur in one of the strata with rows."""
        return int((self.counts.sum(axis=2) == 0).sum() + (self.counts.sum(axis=1) == 0).sum())

    @property
    def expected(self) -> Array:
        """E of each cell, were a and b independent in its stratum."""
        rows, columns = self.counts.sum(axis=2, keepdims=True), self.counts.sum(axis=1, keepdims=True)
        return np.asarray(rows * (columns / self.counts.sum(axis=(1, 2), keepdims=True)))

    @property
    def sparse_cells(self) -> int:
        """Cells in which fewer than five rows are expected."""
        return int((self.expected < FEW).sum())

    def __str__(self) -> str:
        name = STATISTICS[self.statistic][1]
        what = f"{self.a} ⊥ {self.b}" + (f" | {', '.join(map(str, self.given))}" if self.given else "")
        first = f"{what}: {name} = {number(self.value)}, df = {number(self.df)}, p = {number(self.p_value)}"
        return "\n".join([first, *self.remarks()])

    def remarks(self) -> list[str]:
        """What makes the p value doubtful."""
        said, cells = [], self.counts.size
        if self.empty_strata:
            words = ngettext("{count} stratum has no rows.", "{count} strata have no rows.", self.empty_strata)
            said.append(words.format(count=format_whole(self.empty_strata)))
        if self.absent_levels:
            words = ngettext(
                "In strata with rows, {count} level does not occur: its cells could not be filled (adjust_df=True).",
                "In strata with rows, {count} levels do not occur: their cells could not be filled (adjust_df=True).",
                self.absent_levels,
            )
            said.append(words.format(count=format_whole(self.absent_levels)))
        if self.sparse_cells:
            words = _("In {count} of {cells} cells fewer than {few} rows are expected: the p value is approximate.")
            said.append(words.format(count=format_whole(self.sparse_cells), cells=format_whole(cells), few=int(FEW)))
        return said
