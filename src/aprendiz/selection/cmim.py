"""Conditional mutual information maximisation: columns that say something of the class beside each of those chosen before.

    J(j; S) = min( I(x_j; y), min_{s ∈ S} I(x_j; y | x_s) )                                                   (1)

One chosen column that already says what x_j says is enough to make J small. The first term is that of Fleuret's algorithm, and
of R's praznik: a column that says nothing alone is not chosen for what it says beside one other. (1) is no sum over S from
which a column could be taken away, so columns only join.

Reference: Fleuret, "Fast binary feature selection with conditional mutual information", Journal of Machine Learning Research 5,
2004.
"""

from __future__ import annotations

import numpy as np

from aprendiz.core.parameters import Count, PositiveFraction
from aprendiz.core.rows import Array
from aprendiz.selection.information.coded_table import CodedTable, information
from aprendiz.selection.information.column_codes import Bins
from aprendiz.selection.information.greedy_filter import Bin, GreedyFilter


class CMIM(GreedyFilter):
    """Choose columns by the least that they say beside one of the chosen ones.

    Parameters
    ----------
    keep, first_cut, bins, n_bins : see MRMR

    Attributes
    ----------
    order_, order_scores_, scores_, relevance_, ranking_, ties_, support_, classes_, n_iter_, certificate_ : see MRMR

    Examples
    --------
    >>> from aprendiz.datasets import load
    >>> X, y = load("iris", return_X_y=True)
    >>> CMIM(3).fit(X, y).order_
    array([3, 2, 1])
    """

    tuning = {"keep": (5, 10, 20)}
    nothing = np.inf

    def __init__(
        self,
        keep: Count | PositiveFraction | None = None,
        *,
        first_cut: PositiveFraction | None = None,
        bins: Bins = "quantile",
        n_bins: Bin | None = None,
    ):
        self.keep = keep
        self.first_cut = first_cut
        self.bins = bins
        self.n_bins = n_bins

    def of_pairs(self, table: CodedTable, s: int, among: Array) -> Array:
        """I(x_j; y | x_s)."""
        triple, joint, _alone, second_class, second, _classes, total = table.triples(s, among)
        return information(triple - joint - second_class + second, total)

    def combine(self, sums: Array, of_pairs: Array) -> Array:
        return np.minimum(sums, of_pairs)

    def criterion(self, relevance: Array, sums: Array, chosen: int) -> Array:
        """(1)."""
        return np.minimum(relevance, sums)
