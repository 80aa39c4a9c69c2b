"""Whether stored merges go together: a merge joins two of the clusters before it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from aprendiz.core.stored import Check, has_shape


def merges_agree(held: Mapping[str, Any]) -> bool:
    """A merge joins two of the clusters before it, and heights and labels are as many as merges and rows."""
    children, Z, labels = (held.get(name) for name in ("children_", "linkage_", "labels_"))
    if children is None or Z is None or labels is None:
        return children is Z is labels is None
    merges = len(children)
    before = np.arange(merges)[:, None] + merges + 1
    named = children.dtype.kind == "i" and np.array_equal(np.sort(children, axis=1), Z[:, :2])
    once = np.array_equal(np.sort(children, axis=None), np.arange(2 * merges)) and (children < before).all()
    sizes = np.concatenate([np.ones(merges + 1), Z[:, 3]])
    counted = np.array_equal(sizes[children].sum(axis=1), Z[:, 3])
    shapes = has_shape(held, "linkage_", merges, 4) and has_shape(held, "distances_", merges) and labels.shape == (merges + 1,)
    return bool(named and once and counted and shapes and len(held["_fit_X"]) == merges + 1)


MERGES = Check(merges_agree, "its merges do not go together; fit it again")
