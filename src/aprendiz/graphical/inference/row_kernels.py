"""Messages for many rows of evidence, one row after the other, in one workspace. Each question to the rows is a kernel."""

from __future__ import annotations

import numpy as np

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.rows import Array
from aprendiz.graphical.inference.messages import (
    BARREN,
    MISSING,
    Workspace,
    add_cells,
    add_counts,
    collect,
    distribute,
    runs,
)
from aprendiz.graphical.inference.tree_arrays import TreeArrays


@compiled
def known_levels(
    order: Array, parent_start: Array, parents: Array, sizes: Array, codes: Array, target: int, needed: Array, known: Array
) -> None:
    """The levels of each row; that of the target is to be found. Nodes without known descendants are BARREN, unless all nodes
    are wanted, which the last entry of `needed` says. A node with one level is known."""
    nodes = len(order)
    wanted = needed[nodes]
    for row in range(len(codes)):
        for v in range(nodes):
            needed[v] = wanted
        for i in range(nodes - 1, -1, -1):
            v = order[i]
            level = codes[row, v]
            if v == target:
                level = MISSING
            if (level >= 0) | (v == target):
                needed[v] = True
            if (level == MISSING) & (sizes[v] == 1):
                level = 0
            if needed[v]:
                for j in range(parent_start[v], parent_start[v + 1]):
                    needed[parents[j]] = True
            else:
                level = BARREN
            known[row, v] = level


@compiled
def largest_cells(
    above: Array, axis_start: Array, axes: Array, shared: Array, sizes: Array, known: Array, cells: Array, sent: Array
) -> None:
    """The largest number of cells that each clique and its message take in any row. It may be beyond all whole numbers: they
    are counted as doubles."""
    for c in range(len(above)):
        for row in range(len(known)):
            own, message = 1.0, 1.0
            for a in range(axis_start[c], axis_start[c + 1]):
                v = axes[a]
                if known[row, v] == MISSING:
                    own *= sizes[v]
                    if shared[a]:
                        message *= sizes[v]
            cells[c] = max(cells[c], own)
            sent[c] = max(sent[c], message)


@compiled
def count_rows(
    tree: TreeArrays,
    tables: Array,
    known: Array,
    weights: Array,
    work: Workspace,
    logs: Array | None,
    counts: Array | None,
    log_p: Array,
) -> None:
    """Expected counts and ln p of some rows. A row that asks for logarithms has NaN for ln p, and is not counted."""
    for row in range(len(known)):
        for v in range(len(work.known)):
            work.known[v] = known[row, v]
        log_p[row] = collect(tree, tables, work, logs)
        if counts is not None:
            possible = log_p[row] > -np.inf
            if possible:
                distribute(tree, work, logs)
                add_counts(tree, weights[row], work, counts)


@compiled
def posterior_rows(
    tree: TreeArrays, tables: Array, known: Array, work: Workspace, logs: Array | None, posteriors: Array, log_p: Array
) -> None:
    """p(v | row) of each node v, one after the other, and ln p of some rows; NaN as above, and for impossible rows. A node is
    summed in the smallest clique that has it."""
    for row in range(len(known)):
        for v in range(len(work.known)):
            work.known[v] = known[row, v]
        log_p[row] = collect(tree, tables, work, logs)
        possible = log_p[row] > -np.inf
        for i in range(posteriors.shape[1]):
            posteriors[row, i] = 0.0 if possible else np.nan
        if not possible:
            continue
        distribute(tree, work, logs)
        for v in range(len(work.known)):
            if work.known[v] >= 0:
                posteriors[row, tree.level_start[v] + work.known[v]] = 1.0
        for c in range(len(tree.above)):
            first, m = tree.axis_start[c], work.free[c]
            for j in range(tree.seat_start[c], tree.seat_start[c + 1]):
                v = tree.seat[j]
                if work.known[v] == MISSING:
                    node_steps(m, first, tree.axes, work.axis, v, work.step)
                    cells = runs(m, first, work.size, work.step, tree.level_start[v], work.where)
                    add_cells(posteriors[row], work.product, work.product_start[c], cells, work.where, 1.0)


@compiled(inner=True)
def node_steps(m: int, first: int, axes: Array, axis: Array, v: int, step: Array) -> None:
    """The strides of the levels of a node along the free axes of a clique."""
    for i in range(first, first + m):
        step[i] = int64(axes[first + axis[i]] == v)


@compiled
def target_rows(
    tree: TreeArrays,
    tables: Array,
    known: Array,
    stride: Array,
    work: Workspace,
    logs: Array | None,
    posterior: Array,
    log_p: Array,
) -> None:
    """p(targets | row) and ln p of some rows; NaN as above, and for impossible rows. The targets are in the root; `stride` says
    how far apart the levels of its nodes lie in a row of `posterior`."""
    for row in range(len(known)):
        for v in range(len(work.known)):
            work.known[v] = known[row, v]
        log_p[row] = collect(tree, tables, work, logs)
        possible = log_p[row] > -np.inf
        for cell in range(posterior.shape[1]):
            posterior[row, cell] = 0.0 if possible else np.nan
        if not possible:
            continue
        base = int64(0)
        for a in range(tree.axis_start[1]):
            base += max(work.known[tree.axes[a]], 0) * stride[a]
        for i in range(work.free[0]):
            work.step[i] = stride[work.axis[i]]
        count, length, apart = runs(work.free[0], int64(0), work.size, work.step, base, work.where)
        for r in range(count):
            for i in range(length):
                one, to = work.product[r * length + i], work.where[r] + i * apart
                if logs is not None:
                    posterior[row, to] += np.exp(one - work.scale[0])
                if logs is None:
                    posterior[row, to] += one / work.scale[0]


@compiled
def best_rows(tree: TreeArrays, tables: Array, known: Array, work: Workspace, logs: Array, found: Array, log_p: Array) -> None:
    """The most probable levels of the missing cells of some rows, and ln p of the whole row. Cliques without a flag in `logs`
    are summed, and their own nodes stay missing. Among equals the first cell of a clique is taken."""
    for row in range(len(known)):
        for v in range(len(work.known)):
            work.known[v] = known[row, v]
        log_p[row] = collect(tree, tables, work, logs)
        for v in range(len(work.known)):
            found[row, v] = work.known[v]
        for c in range(len(tree.above)):
            if logs[c]:
                first, m = tree.axis_start[c], work.free[c]
                args = work.axis, work.size, work.step, work.where, work.product, work.product_start[c], found, row
                best_cell(tree.axes, tree.shared, first, m, *args)


@compiled(inner=True)
def best_cell(
    axes: Array,
    shared: Array,
    first: int,
    m: int,
    axis: Array,
    size: Array,
    step: Array,
    where: Array,
    product: Array,
    at: int,
    found: Array,
    row: int,
) -> None:
    """The best levels of what a clique has and the one above has not, whose levels are found."""
    run, base, own = int64(1), at, int64(0)
    for i in range(first + m - 1, first - 1, -1):
        if shared[first + axis[i]]:
            base += run * found[row, axes[first + axis[i]]]
        step[i] = run
        run *= size[i]
    for i in range(first, first + m):
        if not shared[first + axis[i]]:
            axis[first + own], size[first + own], step[first + own] = axis[i], size[i], step[i]
            own += 1
    best, most = int64(0), -np.inf
    count, length, apart = runs(own, first, size, step, base, where)
    for r in range(count):
        for i in range(length):
            if product[where[r] + i * apart] > most:
                best, most = r * length + i, product[where[r] + i * apart]
    for i in range(first + own - 1, first - 1, -1):
        found[row, axes[first + axis[i]]] = best % size[i]
        best //= size[i]
