"""Whether a stored graph, its distances and its rows go together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from aprendiz.core.stored import Check


def paths_agree(held: Mapping[str, Any]) -> bool:
    """Distances between all the rows of the search, and a graph whose edges join rows that there are."""
    if (D := held.get("dist_matrix_")) is None:
        return True
    graph, n = held["graph_"], held["nbrs_"].n_samples_fit_
    if D.dtype != np.float64 or D.shape != (n, n) or graph.shape != (n, n):
        return False
    starts, neighbours = graph.indptr, graph.indices
    edges = len(starts) == n + 1 and starts[0] == 0 and bool((np.diff(starts) >= 0).all())
    inside = len(neighbours) == 0 or (neighbours.min() >= 0 and neighbours.max() < n)
    return bool(edges and inside and starts[-1] == len(neighbours) == len(graph.data))


PATHS = Check(paths_agree, "its distances, its graph and its rows do not go together; fit it again")
