"""Messages for many rows of evidence, one row after the other, in one workspace.

Rows that agree with the row before in a part of the tree find the messages of that part already there. What is done with a row
is one of four things; each loop is a kernel.
"""

from __future__ import annotations

import numpy as np

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.rows import Array
from aprendiz.graphical.inference.messages import (
    BARREN,
    MISSING,
    Workspace,
    add_counts,
    cell_places,
    collect,
    distribute,
    free_axes,
    message_places,
)
from aprendiz.graphical.inference.tree_arrays import TreeArrays


@compiled
def known_levels(tree: TreeArrays, codes: Array, target: int, skip_barren: bool, known: Array) -> None:
    """The levels of each row; that of the target is to be found. Nodes without known descendants are BARREN, if wanted."""
    nodes = len(tree.sizes)
    needed = np.zeros(nodes, dtype=np.bool_)
    for row in range(len(codes)):
        needed[:] = not skip_barren
        for i in range(nodes - 1, -1, -1):
            v = tree.order[i]
            level = codes[row, v]
            if v == target:
                level = MISSING
            if level >= 0 or v == target:
                needed[v] = True
            known[row, v] = level if needed[v] else BARREN
            if needed[v]:
                for j in range(tree.parent_start[v], tree.parent_start[v + 1]):
                    needed[tree.parents[j]] = True


@compiled
def largest_cells(tree: TreeArrays, known: Array, cells: Array, shared: Array) -> None:
    """The largest number of cells that each clique and its message take in any row. It may be beyond all whole numbers: they
    are counted as doubles."""
    cells[:] = 1.0
    shared[:] = 1.0
    for row in range(len(known)):
        for c in range(len(tree.above)):
            own, sent = 1.0, 1.0
            for a in range(tree.axis_start[c], tree.axis_start[c + 1]):
                v = tree.axes[a]
                if known[row, v] == MISSING:
                    own *= tree.sizes[v]
                    if tree.shared[a]:
                        sent *= tree.sizes[v]
            cells[c] = max(cells[c], own)
            shared[c] = max(shared[c], sent)


@compiled
def count_rows(
    tree: TreeArrays, tables: Array, known: Array, weights: Array, work: Workspace, logs: object, counts: Array, log_p: Array
) -> None:
    """Expected counts and ln p of some rows. A row that asks for logarithms has NaN for ln p, and is not counted."""
    for row in range(len(known)):
        work.known[:] = known[row]
        log_p[row], small = collect(tree, tables, work, logs)
        if small:
            log_p[row] = np.nan
        elif log_p[row] > -np.inf and counts is not None:
            distribute(tree, work, logs)
            add_counts(tree, weights[row], work, counts)


@compiled
def target_rows(
    tree: TreeArrays, tables: Array, known: Array, target: int, work: Workspace, logs: object, posterior: Array, log_p: Array
) -> None:
    """p(target | row) and ln p of some rows, of a tree with the target in its root; NaN as above, and for impossible rows."""
    for row in range(len(known)):
        work.known[:] = known[row]
        log_p[row], small = collect(tree, tables, work, logs)
        if small:
            log_p[row] = np.nan
        if not log_p[row] > -np.inf:
            posterior[row] = np.nan
            continue
        m = free_axes(tree, 0, work)
        for i in range(m):
            work.step[i] = int64(tree.axes[work.axis[i]] == target)
        cells = cell_places(m, 0, work)
        posterior[row] = 0.0
        for i in range(cells):
            one = work.product[i]
            posterior[row, work.where[i]] += one if logs is None else np.exp(one - work.scale[0])
        posterior[row] /= posterior[row].sum()


@compiled
def best_rows(tree: TreeArrays, tables: Array, known: Array, work: Workspace, logs: Array, found: Array, log_p: Array) -> None:
    """The most probable levels of the missing cells of some rows, and ln p of the whole row. Cliques without a flag in `logs`
    are summed, and their own nodes stay missing. Among equals the first cell of a clique is taken."""
    for row in range(len(known)):
        work.known[:] = known[row]
        log_p[row], _ = collect(tree, tables, work, logs)
        found[row] = work.known
        for c in range(len(tree.above)):
            if logs[c]:
                best_cell(tree, c, work, found[row])


@compiled(inner=True)
def best_cell(tree: TreeArrays, c: int, work: Workspace, found: Array) -> None:
    """The best levels of what a clique has and the one above has not, whose levels are found."""
    m, first = free_axes(tree, c, work), tree.axis_start[c]
    run, base, own = int64(1), work.product_start[c], int64(0)
    for i in range(m - 1, -1, -1):
        if tree.shared[first + work.axis[i]]:
            base += run * found[tree.axes[first + work.axis[i]]]
        work.step[i] = run
        run *= work.size[i]
    for i in range(m):
        if not tree.shared[first + work.axis[i]]:
            work.axis[own], work.size[own], work.step[own] = work.axis[i], work.size[i], work.step[i]
            own += 1
    best = int64(0)
    cells = cell_places(own, base, work)
    for i in range(cells):
        if work.product[work.where[i]] > work.product[work.where[best]]:
            best = i
    for i in range(own - 1, -1, -1):
        found[tree.axes[first + work.axis[i]]] = best % work.size[i]
        best //= work.size[i]
