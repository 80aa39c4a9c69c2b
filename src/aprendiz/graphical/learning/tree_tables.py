"""The tables of a tree of columns in each class, and the probability of rows that may have missing cells.

    log P(x | c) = log Σ_m Π_v θ_v[c, x_parent(v), x_v]      over the levels m of the missing cells           (1)

A tree is summed from its leaves: what v and all below it contribute, as a function of the level of its parent, is

    f_v(l) = log θ_v[c, l, x_v]                               where the cell is known
    f_v(l) = log Σ_a θ_v[c, l, a] · exp Σ_children f(a)       where it is missing                             (2)

and goes to the parent, if that is missing too, or else is a number to add.

Cost: O(d·K) for a complete row; a missing cell costs the product of its levels and those of its parent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.rows import Array
from aprendiz.core.stored import Check, has_shape
from aprendiz.graphical.structure.spanning_tree import outward_order


@dataclass(frozen=True)
class TreeTables:
    """log θ of all columns in a row, and where the table of each begins: [c, level of the parent, level]."""

    order: Array  # children before parents
    parent: Array
    size: Array
    start: Array
    logs: Array

    @classmethod
    def of(cls, parent: Array, tables: Sequence[Array]) -> Self:
        """The tables of each column, with a single level for the parent of the root."""
        size = np.array([table.shape[2] for table in tables])
        cells = np.array([table.size for table in tables])
        order = np.array(outward_order(parent)[::-1])
        return cls(order, parent, size, np.cumsum(cells) - cells, np.concatenate([table.ravel() for table in tables]))

    def add_to(self, joint: Array, codes: Array) -> None:
        """Add (1) of each row and class."""
        add_tree(codes, self.order, self.parent, self.size, self.start, self.logs, joint)


@compiled
def add_tree(X: Array, order: Array, parent: Array, size: Array, start: Array, logs: Array, joint: Array) -> None:
    """(1) by (2), for all rows and classes. A level that has no table counts as missing."""
    d, classes = len(size), joint.shape[1]
    below = np.zeros((d, size.max()))  # Σ f of the children, by the level of a missing cell
    cell = np.empty(d + 1, np.int64)
    cell[d] = 0  # the only level of the parent that the root has not
    for i in range(X.shape[0]):
        for v in range(d):
            cell[v] = int64(X[i, v]) if X[i, v] >= 0 and X[i, v] < size[v] else int64(-1)
        for c in range(classes):
            for v in order:
                p = parent[v]
                levels = size[p] if p >= 0 else int64(1)
                at = start[v] + c * levels * size[v]
                if cell[p] >= 0 and cell[v] >= 0:
                    joint[i, c] += logs[at + cell[p] * size[v] + cell[v]]
                elif cell[p] >= 0:
                    joint[i, c] += from_below(logs, at + cell[p] * size[v], size[v], below, v)
                else:
                    for level in range(levels):
                        own = at + level * size[v]
                        below[p, level] += logs[own + cell[v]] if cell[v] >= 0 else from_below(logs, own, size[v], below, v)
                if cell[v] < 0:
                    below[v] = 0.0


@compiled(inner=True)
def from_below(logs: Array, at: int, levels: int, below: Array, v: int) -> float:
    """f of (2) where the cell is missing, from the row of a table that begins at `at`."""
    highest = -np.inf
    for a in range(levels):
        highest = max(highest, logs[at + a] + below[v, a])
    if highest == -np.inf:
        return highest
    total = 0.0
    for a in range(levels):
        total += np.exp(logs[at + a] + below[v, a] - highest)
    return highest + np.log(total)


# ---- stored tables ---------------------------------------------------------------------------------------------------


def tables_agree(held: Mapping[str, Any]) -> bool:
    """A table for each column, as wide as its parent has levels; the parents form one tree."""
    parent, sizes, tables = (held.get(name) for name in ("parents_", "n_categories_", "feature_log_prob_"))
    if parent is None or sizes is None or tables is None:
        return parent is sizes is tables
    d, classes = len(tables), len(held.get("classes_", ()))
    whole = all(isinstance(a, np.ndarray) and a.dtype.kind == "i" and a.shape == (d,) for a in (parent, sizes))
    if not whole or d != held.get("n_features_in_") or (parent < -1).any() or (parent >= d).any():
        return False
    if (parent < 0).sum() != 1 or len(outward_order(parent)) != d:
        return False
    shapes = [(classes, int(sizes[p]) if p >= 0 else 1, int(size)) for p, size in zip(parent, sizes, strict=True)]
    fit = all(has_shape({"table": table}, "table", *shape) for table, shape in zip(tables, shapes, strict=True))
    return fit and has_shape(held, "class_log_prior_", classes)


TREE_TABLES = Check(tables_agree, "its tree and its tables do not go together; fit it again")
