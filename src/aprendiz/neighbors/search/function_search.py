"""Neighbours by a distance that the user wrote: a function of two rows.

Every pair costs a call of the function, one thread at a time (Python's lock), by brute force: a tree would save calls only
in few columns, and answers would then depend on the function being a true metric. It is checked on a sample all the same
(metric_axioms.py). Of sparse tables the function gets sparse rows, tables of one row each.

Cost: n calls for each query.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy import sparse

from aprendiz.core.rows import Array
from aprendiz.neighbors.search.all_distances import AllDistances
from aprendiz.neighbors.search.metric_axioms import check_axioms
from aprendiz.neighbors.search.metrics import Function


class FunctionSearch(AllDistances):
    """All distances by a function."""

    block = 16

    def __init__(self, X: Any, function: Function, parameters: Mapping[str, Any] | None = None):
        self.n, self.columns = X.shape
        self.points, self.function, self.parameters = each_row(X), function, dict(parameters or {})
        check_axioms(lambda a, b: self.function(a, b, **self.parameters), self.points)

    def distances(self, Q: Any) -> Array:
        Q = each_row(Q)
        found = np.empty((len(Q), self.n))
        for i, q in enumerate(Q):
            for j, x in enumerate(self.points):
                found[i, j] = self.function(q, x, **self.parameters)
        if (bad := np.argwhere(np.isnan(found))).size:
            query, point = bad[0]
            raise ValueError(
                f"The metric gives NaN between the query {Q[query]} and row {point}, {self.points[point]}: "
                "make it return a number for every two rows."
            )
        return found


def each_row(X: Any) -> Any:
    """The rows of a table, one after the other."""
    return [X[[i]] for i in range(X.shape[0])] if sparse.issparse(X) else X
