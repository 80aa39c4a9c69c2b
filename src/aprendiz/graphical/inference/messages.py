"""Messages along a junction tree, for one row of evidence.

Every clique c starts as the product of the tables at home in it. Upwards, from the leaves to the root, it is multiplied by the
messages from below and sends on the sum over what the clique above has not:

    φ_c(x_c) = Π_{v at home in c} p(x_v | x_parents(v)) · Π_{d below c} μ_d(x),     μ_c = Σ_{c \\ above} φ_c / s_c      (1)

s_c makes each message sum to one, so that ln p(evidence) = Σ_c ln s_c, however small p is. Downwards, from the root,

    b_root = φ_root / s_root,     b_c = φ_c · (Σ_{above \\ c} b_above) / (s_c μ_c)                               (2)

is the joint probability of the nodes of each clique given the evidence. What is known is not summed: of a clique, only the
cells that agree with the evidence are visited and stored, one after the other.

Products of numbers that are not zero may still be too small for a double. A row in which one falls below `SMALLEST` is left to
a second pass in logarithms: sums instead of products, and ln Σ exp instead of sums. There a clique may also take the maximum
instead of the sum of (1), which gives the most probable levels.

Reference: Jensen, Lauritzen & Olesen, "Bayesian updating in causal probabilistic networks by local computations", 1990.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.rows import Array
from aprendiz.graphical.inference.tree_arrays import TreeArrays

MISSING = -1  # a level that is to be summed
BARREN = -2  # a node without known descendants, whose table would sum to one: it is left out
SMALLEST = 1e-200
UNSEEN = -9  # no row yet


class Workspace(NamedTuple):
    """What one thread writes to, row after row."""

    known: Array  # level of each node, MISSING or BARREN
    product_start: Array  # of each clique, in `product` and `belief`
    product: Array  # φ
    belief: Array  # b
    message_start: Array  # of each clique, in `message` and `passing`
    message: Array  # μ
    passing: Array  # sums on their way
    scale: Array  # s
    where: Array  # places of the cells of a clique in another table
    size: Array  # levels of each free axis
    axis: Array  # which axis of the clique it is
    step: Array  # its stride


# ---- places of cells ---------------------------------------------------------------------------------------------------


@compiled(inner=True)
def free_axes(tree: TreeArrays, c: int, work: Workspace) -> int:
    """How many axes of a clique are to be summed; which they are, and their sizes, stand in the workspace."""
    m = int64(0)
    first = tree.axis_start[c]
    for a in range(tree.axis_start[c + 1] - first):
        v = tree.axes[first + a]
        if work.known[v] == MISSING:
            work.axis[m], work.size[m] = a, tree.sizes[v]
            m += 1
    return m


@compiled(inner=True)
def cell_places(m: int, base: int, work: Workspace) -> int:
    """Where the cells of m free axes lie in a table of the strides `step`: block after block, from the last axis. Returns
    their number."""
    where, cells = work.where, int64(1)
    where[0] = base
    for i in range(m - 1, -1, -1):
        for level in range(1, work.size[i]):
            shift, ahead = level * work.step[i], level * cells
            for j in range(cells):
                where[ahead + j] = where[j] + shift
        cells *= work.size[i]
    return cells


@compiled(inner=True)
def family_places(tree: TreeArrays, c: int, k: int, m: int, work: Workspace) -> int:
    """The same for the table of the k-th family, which is at home in clique c."""
    strides = tree.stride_start[k]
    first, base = tree.axis_start[c], tree.table_start[tree.member[k]]
    for a in range(tree.axis_start[c + 1] - first):
        level = work.known[tree.axes[first + a]]
        if level > 0:
            base += level * tree.stride[strides + a]
    for i in range(m):
        work.step[i] = tree.stride[strides + work.axis[i]]
    return cell_places(m, base, work)


@compiled(inner=True)
def message_places(flags: Array, first: int, base: int, m: int, work: Workspace) -> int:
    """The same for a message, whose axes are the free ones with a flag."""
    run = int64(1)
    for i in range(m - 1, -1, -1):
        work.step[i] = 0
        if flags[first + work.axis[i]]:
            work.step[i] = run
            run *= work.size[i]
    return cell_places(m, base, work)


@compiled(inner=True)
def message_cells(tree: TreeArrays, c: int, m: int, work: Workspace) -> int:
    """The number of cells of the message of a clique."""
    cells = int64(1)
    for i in range(m):
        if tree.shared[tree.axis_start[c] + work.axis[i]]:
            cells *= work.size[i]
    return cells


# ---- upwards -----------------------------------------------------------------------------------------------------------


@compiled(inner=True)
def multiply(work: Workspace, at: int, cells: int, factor: Array, logs: object) -> bool:
    """φ times a factor; whether a product of two numbers other than zero became too small."""
    small, product, where = False, work.product, work.where
    if logs is not None:
        for i in range(cells):
            product[at + i] += factor[where[i]]
    else:
        for i in range(cells):
            one, other = product[at + i], factor[where[i]]
            both = one * other
            small |= (both < SMALLEST) & (one > 0.0) & (other > 0.0)
            product[at + i] = both
    return small


@compiled(inner=True)
def clique_product(tree: TreeArrays, c: int, tables: Array, work: Workspace, logs: object) -> bool:
    """φ of (1)."""
    m, at = free_axes(tree, c, work), work.product_start[c]
    cells = int64(1)
    for i in range(m):
        cells *= work.size[i]
    work.product[at : at + cells] = 1.0 if logs is None else 0.0
    small = False
    for k in range(tree.member_start[c], tree.member_start[c + 1]):
        if work.known[tree.member[k]] != BARREN:
            family_places(tree, c, k, m, work)
            small |= multiply(work, at, cells, tables, logs)
    for j in range(tree.below_start[c], tree.below_start[c + 1]):
        d = tree.below[j]
        message_places(tree.upper, tree.upper_start[d], work.message_start[d], m, work)
        small |= multiply(work, at, cells, work.message, logs)
    return small


@compiled(inner=True)
def send(tree: TreeArrays, c: int, work: Workspace, logs: object) -> float:
    """μ of (1). Returns s, or its logarithm."""
    m, at, first = free_axes(tree, c, work), work.product_start[c], work.message_start[c]
    last = first + message_cells(tree, c, m, work)
    cells = message_places(tree.shared, tree.axis_start[c], first, m, work)
    message, passing, product, where = work.message, work.passing, work.product, work.where
    if logs is None:
        message[first:last] = 0.0
        for i in range(cells):
            message[where[i]] += product[at + i]
        total = message[first:last].sum()
        if total > 0.0:
            message[first:last] /= total
        return total
    message[first:last] = -np.inf
    for i in range(cells):
        message[where[i]] = max(message[where[i]], product[at + i])
    if not logs[c]:  # ln Σ exp, around the maximum
        passing[first:last] = 0.0
        for i in range(cells):
            if product[at + i] > -np.inf:
                passing[where[i]] += np.exp(product[at + i] - message[where[i]])
        for i in range(first, last):
            if message[i] > -np.inf:
                message[i] += np.log(passing[i])
    top = message[first:last].max()
    if top > -np.inf:
        message[first:last] -= top
    return top


@compiled(inner=True)
def collect(tree: TreeArrays, tables: Array, work: Workspace, logs: object) -> tuple[float, bool]:
    """Messages up to the root: ln p of what is known, and whether a product became too small. With `logs`, tables and
    messages are logarithms, and a clique with a flag there takes the maximum."""
    log_p, run, small = 0.0, 1.0, False
    for c in range(len(tree.above) - 1, -1, -1):
        small |= clique_product(tree, c, tables, work, logs)
        if small:
            break
        scale = send(tree, c, work, logs)
        work.scale[c] = scale
        if logs is not None:
            log_p += scale
            continue
        run *= scale
        if not 1e-100 < run < 1e100:  # a logarithm now and then
            log_p += np.log(run)
            run = 1.0
            if log_p == -np.inf:
                break
    return log_p + np.log(run), small


# ---- downwards ---------------------------------------------------------------------------------------------------------


@compiled(inner=True)
def distribute(tree: TreeArrays, work: Workspace, logs: object) -> None:
    """(2)."""
    for c in range(len(tree.above)):
        if c > 0:
            pass_down(tree, c, work, logs)
        m, at = free_axes(tree, c, work), work.product_start[c]
        cells = message_places(tree.shared, tree.axis_start[c], work.message_start[c], m, work)
        product, belief, passing, where = work.product, work.belief, work.passing, work.where
        if c == 0:
            passing[where[0]] = 1.0 / work.scale[0] if logs is None else -work.scale[0]
        if logs is None:
            for i in range(cells):
                belief[at + i] = product[at + i] * passing[where[i]]
        else:
            for i in range(cells):
                belief[at + i] = np.exp(product[at + i] + passing[where[i]])


@compiled(inner=True)
def pass_down(tree: TreeArrays, c: int, work: Workspace, logs: object) -> None:
    """What φ_c is multiplied by in (2), in `passing`."""
    upper, first = tree.above[c], work.message_start[c]
    m, at = free_axes(tree, upper, work), work.product_start[upper]
    cells = message_places(tree.upper, tree.upper_start[c], first, m, work)
    count = int64(1)
    for i in range(m):
        if tree.upper[tree.upper_start[c] + work.axis[i]]:
            count *= work.size[i]
    belief, passing, message, where = work.belief, work.passing, work.message, work.where
    passing[first : first + count] = 0.0
    for i in range(cells):
        passing[where[i]] += belief[at + i]
    for i in range(first, first + count):
        if logs is None:
            passing[i] = passing[i] / (message[i] * work.scale[c]) if passing[i] > 0.0 else 0.0
        else:
            passing[i] = np.log(passing[i]) - message[i] - work.scale[c] if passing[i] > 0.0 else -np.inf


@compiled(inner=True)
def add_counts(tree: TreeArrays, weight: float, work: Workspace, counts: Array) -> None:
    """Add the probability of each cell of each family, times a weight, to its table."""
    for c in range(len(tree.above)):
        m, at = free_axes(tree, c, work), work.product_start[c]
        for k in range(tree.member_start[c], tree.member_start[c + 1]):
            for i in range(family_places(tree, c, k, m, work)):
                counts[work.where[i]] += weight * work.belief[at + i]
