"""Whether the network, the cuts and the classes of a stored classifier go together: kernels follow them without looking."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from aprendiz.core.stored import Check
from aprendiz.graphical.tables.stored_network import network_agrees


def classifier_agrees(held: Mapping[str, Any]) -> bool:
    """A network of the columns and the class, and for each column of numbers one cut less than it has levels."""
    network = held.get("network_")
    if network is None:
        return True
    columns, cuts = len(network.graph.nodes) - 1, held.get("cuts_", [])
    if not network_agrees(held) or held.get("n_features_in_") != columns or len(cuts) != columns:
        return False
    if len(held.get("classes_", ())) != network.sizes[-1] or len(held.get("class_prior_", ())) != network.sizes[-1]:
        return False
    known = () if (schema := held.get("columns_")) is None else tuple(schema)
    if known and len(known) != columns:
        return False
    levels = all(len(column.levels) <= size for column, size in zip(known, network.sizes, strict=False))
    return levels and all(cut_levels(own, network.sizes[j]) for j, own in enumerate(cuts) if own is not None)


def cut_levels(cuts: Any, levels: int) -> bool:
    """Cuts in order, one less than the bins."""
    return isinstance(cuts, np.ndarray) and cuts.dtype == np.float64 and cuts.shape == (levels - 1,)


CLASSIFIER = Check(classifier_agrees, "its network, cuts and classes do not go together; fit it again")
