"""Whether the arrays of stored boosted trees go together, so that a descent stays inside them and comes to an end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from aprendiz.core.stored import Check
from aprendiz.ensemble.forest.stored_forest import FIELDS, levels_agree, nodes_agree, trees_stand


def boosted_agree(held: Mapping[str, Any]) -> bool:
    """Is the forest of a model sound, if it has one?"""
    if "forest_" not in held:
        return True
    forest, columns, start = held["forest_"], int(held["n_features_in_"]), held["baseline_"]
    schema, labels = held.get("columns_"), held.get("classes_", ())
    levels = np.array([0] * columns if schema is None else [len(column.levels) for column in schema.columns])
    kinds = forest.nodes.dtype.names == tuple(FIELDS) and all(forest.nodes.dtype[n].kind == k for n, k in FIELDS.items())
    outputs = 1 if len(labels) < 3 else len(labels)
    return bool(
        kinds
        and len(levels) == columns
        and forest.classes == 0
        and start.dtype == forest.value.dtype == np.float64
        and start.shape == (outputs,)
        and forest.value.ndim == 2
        and forest.value.shape[1] == 1
        and len(forest.impurity) == len(forest.nodes)
        and trees_stand(forest.start, len(forest.nodes))
        and (len(forest.start) - 1) % outputs == 0
        and nodes_agree(forest, columns, levels)
        and levels_agree(forest, levels)
        and len(forest.leaf_rows) == len(forest.leaf_weight) == int((forest.nodes["feature"] < 0).sum())
    )


BOOSTED = Check(boosted_agree, "the nodes of its trees do not go together; fit it again")
