"""Rows that are seen through the dissimilarities of all pairs of them.

    δ_ij ≥ 0,     δ_ii = 0,     δ_ij = δ_ji                                                                   (1)

They are computed from the rows by a metric (cluster/medoids/dissimilarities.py), or given; what breaks (1) is refused with
the cell. Given ones that differ from (1) by rounding, to 10⁻⁹ of the largest, are replaced by the means of the two.

Cost: n²·d for a metric; memory n².
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from scipy import sparse

from aprendiz.cluster.graph.similarity_graphs import as_rows
from aprendiz.cluster.medoids.dissimilarities import Dissimilarities
from aprendiz.cluster.medoids.pairwise import Pairwise
from aprendiz.core.parameters import ParameterError
from aprendiz.core.rows import Array, read_only
from aprendiz.core.sources.arrays import ArrayRows, in_memory
from aprendiz.locale import _
from aprendiz.neighbors.search.pair_search import OF_PAIRS, PairSearch
from aprendiz.neighbors.shared.kept_rows import SUMMED, as_kept, refuse_extremes

KEPT_IN_MEMORY = "the dissimilarities of all pairs are kept in memory: they are not a sum over rows"


class PairRows(ArrayRows):
    """Rows in memory, with their dissimilarities; the points that a fit starts from, if they are given, as a target."""

    def __init__(self, rows: ArrayRows, dissimilarities: Array, start: Any = None):
        super().__init__(rows.X, start, None, rows.names)
        self.noted, self.dissimilarities = rows.noted, dissimilarities
        self.width = len(dissimilarities)  # of the products, for which BLAS is held

    def compact(self) -> ArrayRows:
        return self


class SeesPairs(Pairwise):
    """Sees rows through their dissimilarities."""

    p = 2.0  # of Minkowski's distance, unless `metric_params` have it

    def open(self, X: Any, y: Any = None, sample_weight: Any = None, *, reset: bool = True) -> PairRows:
        """Training data as checked rows in memory, with their dissimilarities; `y` are the points to start from."""
        if isinstance(self.metric, bool):
            raise ParameterError(
                f"metric of {type(self).__name__} must be the name of a distance or a function, got {self.metric}: for ordinal "
                "scaling use metric_mds=False."
            )
        rows = super().open(X, None, None, reset=reset)
        assert in_memory(rows)
        n, columns = rows.X.shape
        if n == columns > 1 and not self.is_precomputed():
            said = _(
                "X is square, and is taken as {n} rows with {n} columns. If it holds dissimilarities, say so with "
                'metric="precomputed".'
            )
            warnings.warn(said.format(n=n), UserWarning, stacklevel=5)
        return PairRows(rows, self.all_pairs(rows), y)

    def all_pairs(self, rows: ArrayRows) -> Array:
        """(1) for all pairs of rows."""
        if isinstance(self.metric, str) and self.metric in OF_PAIRS:
            return checked(of_pairs(as_kept(rows.X), self.metric, self.metric_params))
        return checked(self.dissimilarities(rows).matrix())


def distance_table(X: Any, metric: Any) -> Array:
    """(1) of a table that no learner has opened."""
    table = as_rows(X.toarray() if sparse.issparse(X) else X)
    if isinstance(metric, str) and metric in OF_PAIRS:
        return checked(of_pairs(table, metric, None))
    if isinstance(metric, str) and metric in SUMMED:
        refuse_extremes(table, None)
    return checked(Dissimilarities.of(table, metric).matrix())


def of_pairs(X: Array, metric: str, parameters: Any) -> Array:
    """Distances that are no plain sum over columns."""
    return PairSearch(X, metric, parameters).distances(X)


def checked(D: Array) -> Array:
    """(1) to the last bit, and numbers that can be squared."""
    D = exactly_symmetric(D)
    refuse_extremes(D, None)
    return read_only(D)


def exactly_symmetric(D: Array) -> Array:
    """D with zeros on its diagonal and the mean of both ways, where rounding keeps it from (1)."""
    if not np.diagonal(D).any() and np.array_equal(D, D.T):
        return D
    D = (D + D.T) / 2.0
    np.fill_diagonal(D, 0.0)
    return D
