"""The edges of a tree, as contributions of columns need them.

An edge is named by the node that it leads to. It belongs to a column: that of the split above it. On the way to a leaf a column
may be asked several times, so an edge knows the last one above it of the same column, and for a row of which the column is not
known, the product of the shares of weight that such edges of the column so far have:

    ratio_c = weight of c / weight of its parent's branches,      unknown_c = ratio_c · unknown_(edge before)          (1)

Cost: O(nodes · depth) at worst.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array
from aprendiz.tree.shared.nodes import Tree

NO_COLUMN = -1  # of edges below a node at which a row takes all branches: nothing is asked there


class Edges(NamedTuple):
    """The edges of a tree, each at the number of its lower node; at 0, above the root, is none.

    parent, branch   the node above, and which of its branches this is
    column           of the split above
    depth            edges from the root on
    before           depth of the last edge above of the same column, 0 if there is none
    ratio, unknown   (1)
    """

    parent: Array
    branch: Array
    column: Array
    depth: Array
    before: Array
    ratio: Array
    unknown: Array


def edges_of(tree: Tree, asked: Array | None = None) -> tuple[Edges, int]:
    """The edges, and how many columns the way to a leaf asks at most. `asked` is the column that decides at each node, if that
    is not the column of its split."""
    nodes, families, parent, ratio = tree.node_count, np.diff(tree.child_start), tree.parent, shares_of_branches(tree)
    branch, column = np.zeros(nodes, np.int64), np.full(nodes, NO_COLUMN, np.int64)
    branch[tree.children] = np.arange(len(tree.children)) - np.repeat(tree.child_start[:-1], families)
    column[1:] = (tree.feature if asked is None else asked)[parent[1:]]
    before, unknown, columns = np.zeros(nodes, np.int64), np.ones(nodes), np.zeros(nodes, np.int64)
    find_edges_before(parent, column, ratio, tree.depth, before, unknown, columns)
    return Edges(parent, branch, column, tree.depth, before, ratio, unknown), int(columns.max())


def shares_of_branches(tree: Tree) -> Array:
    """The share of each node in the weight of its parent's branches, 1 for the root; equal shares where none has weight."""
    weight, total, families = tree.weighted_n_node_samples, np.zeros(tree.node_count), np.diff(tree.child_start)
    total[~tree.is_leaf] = tree.sums_of_branches(weight)
    above = tree.parent[1:]
    shares = 1.0 / families[above]
    np.divide(weight[1:], total[above], out=shares, where=total[above] > 0)
    return np.concatenate([[1.0], shares])


@compiled
def find_edges_before(
    parent: Array, column: Array, ratio: Array, depth: Array, before: Array, unknown: Array, columns: Array
) -> None:
    """`before` and `unknown` of each edge, and how many columns there are from the root to it."""
    for c in range(1, len(parent)):
        above = parent[c]
        columns[c] = columns[above]
        while above > 0 and column[above] != column[c]:
            above = parent[above]
        before[c], unknown[c] = depth[above], unknown[above] * ratio[c]
        if above == 0 and column[c] >= 0:
            columns[c] += 1


def points(columns: int) -> tuple[Array, Array]:
    """Points and weights of a sum that is the integral from 0 to 1 of every polynomial of a degree below `columns`."""
    x, w = np.polynomial.legendre.leggauss(max(1, (columns + 1) // 2))
    return (x + 1.0) / 2.0, w / 2.0
