"""Minimum redundancy, maximum relevance: columns that say much of the class and little of each other.

    J(j; S) = I(x_j; y) − 1/|S| · Σ_{s ∈ S} I(x_j; x_s)                                                       (1)

A column that repeats what the chosen ones say has a low J, however relevant it is. What two columns say together and neither
says alone, (1) does not see: `JMI` does.

Reference: Peng, Long & Ding, "Feature selection based on mutual information: criteria of max-dependency, max-relevance, and
min-redundancy", IEEE Transactions on Pattern Analysis and Machine Intelligence 27, 2005.
"""

from __future__ import annotations

from typing import Literal

from aprendiz.core.parameters import Count, PositiveFraction
from aprendiz.core.rows import Array
from aprendiz.selection.information.coded_table import CodedTable, information
from aprendiz.selection.information.column_codes import Bins
from aprendiz.selection.information.greedy_filter import Bin, GreedyFilter


class MRMR(GreedyFilter):
    """Choose columns by relevance less redundancy.

    Takes words, codes, numbers and missing cells (which leave a row out of the counts of their column). A target that is a
    quantity is cut into bins, as columns are.

    Parameters
    ----------
    keep : int or fraction, optional
        How many columns to keep, or which part of them; by default 10, or half of them if that is less.
    direction : {"forward", "backward"}, default="forward"
        Whether columns join one by one, or leave. Backward, all pairs of columns are counted: a first cut helps.
    first_cut : fraction, optional
        Only this part of the columns, those of largest I(x_j; y), take part. By default all do; of more than 1000, a fifth.
    bins : {"quantile", "uniform", "mdl"}, default="quantile"
        How numbers are cut: bins of equal weight, of equal width, or where the classes differ. Words, and whole numbers of at
        most 10 or √n different values, are codes already.
    n_bins : int, optional
        The number of bins; by default n/3, at least 2 and at most 10. "mdl" decides by itself.

    Attributes
    ----------
    order_ : ndarray
        The chosen columns, best first; backward, the one that would leave last is the best.
    order_scores_ : ndarray
        J of each when it was chosen, I(x_j; y) of the first; backward, when it left.
    scores_ : ndarray of shape (n_features,)
        The same of all columns: of those not chosen, J at the last step; of those that took no part, I(x_j; y).
    relevance_ : ndarray of shape (n_features,)
        I(x_j; y) of each column, in nats.
    ranking_ : ndarray of shape (n_features,)
        1 for the best column.
    ties_ : ndarray
        How many columns were tied with the one of each step.
    support_ : ndarray of shape (n_features,)
        Which columns are kept.
    classes_ : ndarray
    n_iter_ : int
        Number of steps.
    certificate_ : Certificate
        That each step took the best column, by how much at least, and in how many steps there was a tie.

    Examples
    --------
    >>> from aprendiz.datasets import load
    >>> X, y = load("iris", return_X_y=True)
    >>> MRMR(3).fit(X, y).order_
    array([3, 2, 1])
    """

    tuning = {"keep": (5, 10, 20)}

    def __init__(
        self,
        keep: Count | PositiveFraction | None = None,
        *,
        direction: Literal["forward", "backward"] = "forward",
        first_cut: PositiveFraction | None = None,
        bins: Bins = "quantile",
        n_bins: Bin | None = None,
    ):
        self.keep = keep
        self.direction = direction
        self.first_cut = first_cut
        self.bins = bins
        self.n_bins = n_bins

    def of_pairs(self, table: CodedTable, s: int, among: Array) -> Array:
        """I(x_j; x_s)."""
        _triple, joint, alone, _second_class, second, _classes, total = table.pairs(s, among)
        return information(joint - alone - second + table.of_total(total), total)

    def criterion(self, relevance: Array, sums: Array, chosen: int) -> Array:
        """(1)."""
        return relevance - sums / max(1, chosen)

    def backwards(self) -> bool:
        return self.direction == "backward"
