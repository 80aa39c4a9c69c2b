"""The best splits of some nodes from the tables of all their columns: for trees that grow level by level, and for stumps."""

from __future__ import annotations

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array
from aprendiz.tree.growth.grow_tree import SHORT, new_ratios, new_table
from aprendiz.tree.growth.records import (
    BELOW,
    COLUMN,
    DECREASE,
    LEAF,
    MISSING,
    NODE_NUMBERS,
    SUMS,
    THRESHOLD,
    TIE,
    TOTAL,
    ColumnTable,
    Data,
    GrowthRules,
    Node,
    NodeBuffers,
    Ratios,
)
from aprendiz.tree.growth.search import search


def search_tables(
    tables: Array, spread: Array, layout: Array, bounds: Array, rules: GrowthRules, keys: Array
) -> tuple[Array, Array]:
    """The best split of each of some nodes, from the tables of all columns (nodes × columns × codes × entries) and weight times
    impurity of the nodes: column (−2: none), last code below and side of the missing; decrease and threshold."""
    nodes, columns, _, width = tables.shape
    no_rows, no_numbers = np.empty(0, np.int32), np.empty((0, 1))
    data = Data(layout, bounds, no_rows, no_numbers, np.empty(0))
    no_histogram = np.zeros((1, width)), np.zeros(4, np.uint64)
    work = NodeBuffers(np.empty(0), *no_histogram, np.zeros((7, width)), np.empty(columns, np.int64))
    whole, real = np.zeros((nodes, NODE_NUMBERS), np.int64), np.zeros((nodes, SUMS))
    search_each(
        tables, TIE * spread, data, rules, work, keys, whole, real, no_rows,
        new_table(SHORT, width), no_rows if rules.random else None, new_ratios(columns, SHORT) if rules.ratio else None,
    )  # fmt: skip
    return whole[:, [COLUMN, BELOW, MISSING]], real[:, [DECREASE, THRESHOLD]]


@compiled
def search_each(
    tables: Array, ties: Array, data: Data, rules: GrowthRules, work: NodeBuffers, keys: Array, whole: Array, real: Array,
    no_rows: Array, table: ColumnTable, codes: Array | None, ratios: Ratios | None,
) -> None:  # fmt: skip
    """`search` for each node, without its rows."""
    total, layout, bounds = work.sums[TOTAL], data.layout, data.bounds
    for t in range(len(tables)):
        cells = tables[t]
        for k in range(cells.shape[2]):
            total[k] = 0.0
            for b in range(cells.shape[1]):
                total[k] += cells[0, b, k]
        whole[t, COLUMN] = LEAF
        node = Node(no_rows, 0, ties[t], keys[t], whole[t], real[t], work.sums)
        search(
            data, layout, bounds, rules, node, work, cells,
            None, True, None, None, None, table, None, None, codes, ratios, None, None,
        )  # fmt: skip
