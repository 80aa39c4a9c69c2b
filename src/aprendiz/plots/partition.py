"""The picture of the boxes of a tree in one call."""

from __future__ import annotations

from typing import Any

from aprendiz.plots import PartitionDisplay
from aprendiz.tree.reading.readable_tree import ReadableTree


def partition(tree: ReadableTree, X: Any, y: Any = None, *, name: str = "", ax: Any = None) -> PartitionDisplay:
    """Draw the boxes of a fitted tree of two columns beside it; the parameters are those of `PartitionDisplay` and `plot`."""
    return PartitionDisplay.from_estimator(tree, X, y, name=name, ax=ax)
