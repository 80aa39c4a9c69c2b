"""The mean of a tree over the columns that are not known, by recursion.

A row that comes to a split on a known column takes its branch; at any other split it takes all, in proportion to the weight of
the branches. With s the product of these parts along a way,

    f_S(x) = Σ_leaves s(x, leaf)·value(leaf)                                                                  (1)

This is v(S) of path_dependent.py, and the partial dependence on S where it is asked for "by recursion": no row of a table is
needed.

Cost: O(nodes) for each row.
"""

from __future__ import annotations

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array, Block
from aprendiz.core.threads import ordered_map
from aprendiz.tree.contributions.additive_trees import AdditiveTrees
from aprendiz.tree.contributions.branches import RowsSideBySide, columns_asked, find_branches, part_of, side_by_side, take
from aprendiz.tree.contributions.edges import Edges, edges_of
from aprendiz.tree.shared.descent import Splits, SurrogateSplits, TreeDescent, cells_of

ROWS = 256  # side by side


def averages(sum_of_trees: AdditiveTrees, block: Block, known: Array) -> Array:
    """(1), summed over the trees, for each row of a block: of shape (rows, outputs). `known` says which columns are."""
    cells = side_by_side(cells_of(block.X))

    def work(number: int) -> tuple[Array, int]:
        one = sum_of_trees.made(number)
        descent, depths = TreeDescent(one.tree), one.tree.max_depth + 1
        value, found = np.ascontiguousarray(one.value, np.float64), np.zeros((one.value.shape[1], len(block)))
        for start in range(0, len(block), ROWS):
            some = part_of(cells, start, start + ROWS)
            for asked, chosen in columns_asked(descent, some):
                edges, _ = edges_of(one.tree, asked)
                part = np.zeros((len(found), len(chosen)))
                room = np.ones((depths, len(chosen))), np.empty((depths, len(chosen)), np.int64)
                here = some if asked is None else take(some, chosen)
                add_averages(here, descent.splits, descent.surrogates, edges, known, value, *room, part)
                found[:, start + chosen] = part
        return found, one.output

    total = np.zeros((sum_of_trees.outputs, len(block)))
    for found, output in ordered_map(work, range(sum_of_trees.count)):
        total[output : output + len(found)] += found
    return total.T + sum_of_trees.constant


@compiled
def add_averages(
    rows: RowsSideBySide, splits: Splits, surrogates: SurrogateSplits, edges: Edges, known: Array, value: Array, share: Array,
    taken: Array, found: Array,
) -> None:  # fmt: skip
    """Add (1) to `found`, of shape (outputs, rows). `share` and `taken` have room for s and for the branches at each depth."""
    for c in range(len(edges.parent)):
        depth, column = edges.depth[c], edges.column[c]
        here = share[depth]
        if c > 0:
            above, branch, ratio = share[depth - 1], edges.branch[c], edges.ratio[c]
            is_known = column >= 0 and known[column]
            for i in range(len(here)):
                here[i] = above[i] * ((1.0 if taken[depth - 1, i] == branch else 0.0) if is_known else ratio)
        find_branches(c, 0, rows, splits, surrogates, taken[depth])
        if splits.feature[c] < 0:
            for k in range(value.shape[1]):
                for i in range(len(here)):
                    found[k, i] += here[i] * value[c, k]
