"""Whether stored medoids, and the order of a farthest-first traversal, go together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from aprendiz.cluster.centroids.stored_centres import centres_agree
from aprendiz.core.stored import Check


def medoids_agree(held: Mapping[str, Any]) -> bool:
    """A medoid has a coordinate for each column; of a table with words, numbers, codes and a range for each measured one."""
    mixed, rod = held.get("_mixed_centers"), held.get("_rod", {})
    if held.get("metric") == "gower" and (centers := held.get("cluster_centers_")) is not None:
        return centres_agree(held) and len(rod["ranges"]) == centers.shape[1]
    if mixed is None:
        return centres_agree(held)
    rows, columns = mixed.shape
    measured = len(mixed.columns.numeric) + sum(mixed.columns.columns[j].kind == "ordinal" for j in mixed.columns.coded)
    sizes = mixed.numbers.shape == (rows, len(mixed.columns.numeric)) and mixed.codes.shape == (rows, len(mixed.columns.coded))
    return bool(sizes and columns == held.get("n_features_in_") and len(rod["ranges"]) == measured)


def order_agrees(held: Mapping[str, Any]) -> bool:
    """Every row stands once in the order, and its parent is a row before it; the first has none."""
    if (order := held.get("order_")) is None:
        return True
    place = np.argsort(order)
    parents = held["parents_"][order]
    rows = np.array_equal(order[place], np.arange(len(order))) and len(parents) == len(order) and parents[0] == -1
    return bool(rows and (parents[1:] >= 0).all() and (place[parents[1:]] < np.arange(1, len(order))).all())


MEDOIDS = Check(medoids_agree, "its centres and columns do not go together; fit it again")


ORDER = Check(order_agrees, "its rows and their parents do not go together; fit it again")
