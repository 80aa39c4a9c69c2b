"""A tree with the words of its table: names of columns, levels and classes, and what each node would predict.

Everything that shows a tree to a reader (rules, text, drawings, explanations, exports) is a function of this one record.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from aprendiz.core.columns import Columns
from aprendiz.core.rows import Array
from aprendiz.tree.shared.nodes import Tree


@dataclass(frozen=True)
class Labelled:
    """A tree, the names of its columns, their schema (None where all are numbers), the labels of the classes and the cost of
    taking class k for class l, `costs[k, l]` (None for a regression), and the prediction of each node, a label or number."""

    tree: Tree
    names: tuple[Any, ...]
    schema: Columns | None
    classes: tuple[Any, ...] | None
    costs: Array | None
    answers: tuple[Any, ...]

    def levels(self, column: int) -> tuple[Any, ...]:
        """The levels of a column; () for numbers."""
        return () if self.schema is None else self.schema.columns[column].levels

    def is_ordinal(self, column: int) -> bool:
        """Does the column hold levels in an order (a threshold then stands between two of them)?"""
        return self.schema is not None and self.schema.columns[column].kind == "ordinal"


def expected_costs(tree: Tree, costs: Array) -> Array:
    """Cost of each prediction in each node: Σ_k p_k C(k, l), of shape (nodes, classes)."""
    return np.asarray(tree.value[:, 0, :] @ costs)
