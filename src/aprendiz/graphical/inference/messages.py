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
SMALLEST = 1e-200  # of products inside a clique
FACTOR = 1e-100  # of what the logarithm of p is taken of


class Workspace(NamedTuple):
    """What one thread writes to, row after row."""

    known: Array  # level of each node, MISSING or BARREN
    free: Array  # of each clique, how many axes are to be summed
    axis: Array  # which they are, from `axis_start` on
    size: Array  # their levels
    step: Array  # their strides in another table
    where: Array  # places of the cells of a clique in another table
    base: Array  # of each family, the place of the first cell that agrees with the row
    product_start: Array  # of each clique, in `product`
    product: Array  # φ, and on the way down b
    message_start: Array  # of each clique, in `message` and `passing`
    sent: Array  # the number of cells of its message
    message: Array  # μ
    passing: Array  # sums on their way
    scale: Array  # s, without what is known completely


# ---- places of cells ---------------------------------------------------------------------------------------------------


@compiled(inner=True)
def free_axes(first: int, end: int, axes: Array, sizes: Array, known: Array, axis: Array, size: Array) -> int:
    """How many axes of a clique are to be summed. Which they are, and their sizes, are written from `first` on."""
    at = first
    for a in range(first, end):
        v = axes[a]
        if known[v] == MISSING:
            axis[at], size[at] = a - first, sizes[v]
            at += 1
    return at - first


@compiled(inner=True)
def number_of_cells(m: int, first: int, size: Array) -> int:
    """The number of cells of m free axes."""
    cells = int64(1)
    for i in range(first, first + m):
        cells *= size[i]
    return cells


@compiled(inner=True)
def runs(m: int, first: int, size: Array, step: Array, base: int, where: Array) -> tuple[int, int, int]:
    """Where the cells of m free axes lie in a table with these steps. The last axes, as far as their cells lie evenly apart,
    make a run: how many runs there are, the cells in each, and how far apart they lie. Where each run begins is in `where`."""
    last = first + m - 1
    length, apart = int64(1), int64(0)
    if m > 0:
        length, apart = size[last], step[last]
    while last > first and step[last - 1] == apart * length:
        last -= 1
        length *= size[last]
    where[0] = base
    count = int64(1)
    for i in range(last - 1, first - 1, -1):
        for level in range(1, size[i]):
            shift, ahead = level * step[i], level * count
            for j in range(count):
                where[ahead + j] = where[j] + shift
        count *= size[i]
    return count, length, apart


@compiled(inner=True)
def first_place(first: int, end: int, axes: Array, known: Array, stride: Array, strides: int, base: int) -> int:
    """The first cell of a family's table that agrees with what is known."""
    for a in range(first, end):
        level = known[axes[a]]
        if level > 0:
            base += level * stride[strides + a - first]
    return base


@compiled(inner=True)
def family_steps(m: int, first: int, axis: Array, stride: Array, strides: int, step: Array) -> bool:
    """The strides of a family's table along the free axes; whether there are any."""
    any_free = False
    for i in range(first, first + m):
        step[i] = stride[strides + axis[i]]
        any_free |= step[i] > 0
    return any_free


@compiled(inner=True)
def message_steps(m: int, first: int, axis: Array, size: Array, flags: Array, flag: int, step: Array) -> int:
    """The strides of a message, whose axes are the free ones with a flag. Returns its number of cells."""
    run = int64(1)
    for i in range(first + m - 1, first - 1, -1):
        if flags[flag + axis[i]]:
            step[i] = run
            run *= size[i]
        else:
            step[i] = 0
    return run


# ---- upwards -----------------------------------------------------------------------------------------------------------


@compiled(inner=True)
def multiply(product: Array, at: int, factor: Array, cells: tuple[int, int, int], where: Array, logs: Array | None) -> bool:
    """φ times a factor; whether a product of two numbers other than zero became too small."""
    small = False
    count, length, apart = cells
    for r in range(count):
        start = where[r]
        for i in range(length):
            one, other = product[at + i], factor[start + i * apart]
            if logs is not None:
                product[at + i] = one + other
            if logs is None:
                both = one * other
                small |= (both < SMALLEST) & (one > 0.0) & (other > 0.0)
                product[at + i] = both
        at += length
    return small


@compiled(inner=True)
def add_cells(target: Array, source: Array, at: int, cells: tuple[int, int, int], where: Array, weight: float) -> None:
    """Add the cells of a clique, times a weight, to what they belong to in another table."""
    count, length, apart = cells
    for r in range(count):
        start = where[r]
        if apart == 0:
            total = 0.0
            for i in range(length):
                total += source[at + i]
            target[start] += weight * total
        else:
            for i in range(length):
                target[start + i * apart] += weight * source[at + i]
        at += length


@compiled(inner=True)
def normalise(message: Array, first: int, end: int) -> float:
    """Divide a message by its sum, which is returned."""
    total = 0.0
    for i in range(first, end):
        total += message[i]
    if total > 0.0:
        for i in range(first, end):
            message[i] /= total
    return total


@compiled(inner=True)
def send_logs(
    product: Array,
    at: int,
    cells: tuple[int, int, int],
    where: Array,
    message: Array,
    passing: Array,
    first: int,
    end: int,
    best: bool,
) -> float:
    """The logarithm of μ, or of the maximum; around the largest of what is summed. Returns ln s."""
    count, length, apart = cells
    for i in range(first, end):
        message[i], passing[i] = -np.inf, 0.0
    for r in range(count):
        for i in range(length):
            to = where[r] + i * apart
            message[to] = max(message[to], product[at + r * length + i])
    if not best:
        for r in range(count):
            for i in range(length):
                one, to = product[at + r * length + i], where[r] + i * apart
                if one > -np.inf:
                    passing[to] += np.exp(one - message[to])
    top = -np.inf
    for i in range(first, end):
        if passing[i] > 0.0:
            message[i] += np.log(passing[i])
        top = max(top, message[i])
    if top > -np.inf:
        for i in range(first, end):
            message[i] -= top
    return top


@compiled(inner=True)
def collect(tree: TreeArrays, tables: Array, work: Workspace, logs: Array | None) -> float:
    """Messages up to the root: ln p of what is known; NaN if a product becomes too small. With `logs`, tables and messages are
    logarithms, and a clique with a flag there takes the maximum. Factors of which all is known are no part of φ and s."""
    log_p, run = 0.0, 1.0
    one = 1.0 if logs is None else 0.0
    for c in range(len(tree.above) - 1, -1, -1):
        first, end, at, to = tree.axis_start[c], tree.axis_start[c + 1], work.product_start[c], work.message_start[c]
        m = free_axes(first, end, tree.axes, tree.sizes, work.known, work.axis, work.size)
        work.free[c] = m
        for i in range(at, at + number_of_cells(m, first, work.size)):
            work.product[i] = one
        small = False
        for k in range(tree.member_start[c], tree.member_start[c + 1]):
            v, strides = tree.member[k], tree.stride_start[k]
            if work.known[v] == BARREN:
                continue
            base = first_place(first, end, tree.axes, work.known, tree.stride, strides, tree.table_start[v])
            work.base[k] = base
            if family_steps(m, first, work.axis, tree.stride, strides, work.step):
                cells = runs(m, first, work.size, work.step, base, work.where)
                small |= multiply(work.product, at, tables, cells, work.where, logs)
            elif (logs is not None) | (tables[base] < FACTOR):
                log_p += tables[base] if logs is not None else np.log(tables[base])
            else:
                run *= tables[base]
                if run < FACTOR:  # a logarithm now and then
                    log_p += np.log(run)
                    run = 1.0
        for j in range(tree.below_start[c], tree.below_start[c + 1]):
            d = tree.below[j]
            if work.sent[d] > 1:
                message_steps(m, first, work.axis, work.size, tree.upper, tree.upper_start[d], work.step)
                cells = runs(m, first, work.size, work.step, work.message_start[d], work.where)
                small |= multiply(work.product, at, work.message, cells, work.where, logs)
        sent = message_steps(m, first, work.axis, work.size, tree.shared, first, work.step)
        cells = runs(m, first, work.size, work.step, to, work.where)
        work.sent[c] = sent
        if logs is not None:
            args = work.product, at, cells, work.where, work.message, work.passing, to, to + sent, logs[c]
            work.scale[c] = send_logs(*args)
            log_p += work.scale[c]
        if logs is None:
            for i in range(to, to + sent):
                work.message[i] = 0.0
            add_cells(work.message, work.product, at, cells, work.where, 1.0)
            work.scale[c] = normalise(work.message, to, to + sent)
            if small:
                return np.nan
            run *= work.scale[c]
            if (run < FACTOR) | (run > 1.0 / FACTOR):
                log_p += np.log(run)
                run = 1.0
            if log_p == -np.inf:
                return log_p
    return log_p + np.log(run)


# ---- downwards ---------------------------------------------------------------------------------------------------------


@compiled(inner=True)
def to_belief(product: Array, at: int, passing: Array, cells: tuple[int, int, int], where: Array, logs: Array | None) -> None:
    """b of (2), in the place of φ: times what came down."""
    count, length, apart = cells
    for r in range(count):
        start = where[r]
        for i in range(length):
            if logs is not None:
                product[at + i] = np.exp(product[at + i] + passing[start + i * apart])
            if logs is None:
                product[at + i] *= passing[start + i * apart]
        at += length


@compiled(inner=True)
def divide_message(message: Array, passing: Array, first: int, end: int, scale: float, logs: Array | None) -> None:
    """What φ is multiplied by in (2): the sums of the belief above, which are in `passing`, over what the message says."""
    for i in range(first, end):
        if logs is not None:
            passing[i] = np.log(passing[i]) - message[i] - scale if passing[i] > 0.0 else -np.inf
        if logs is None:
            passing[i] = passing[i] / (message[i] * scale) if passing[i] > 0.0 else 0.0


@compiled(inner=True)
def distribute(tree: TreeArrays, work: Workspace, logs: Array | None) -> None:
    """(2), from the root on: what a clique above believes is in the place of its φ by then."""
    for c in range(len(tree.above)):
        first, at, m, to = tree.axis_start[c], work.product_start[c], work.free[c], work.message_start[c]
        if m == 0:
            continue
        end = to + work.sent[c]
        if end > to + 1:
            upper = tree.above[c]
            start, free = tree.axis_start[upper], work.free[upper]
            message_steps(free, start, work.axis, work.size, tree.upper, tree.upper_start[c], work.step)
            cells = runs(free, start, work.size, work.step, to, work.where)
            for i in range(to, end):
                work.passing[i] = 0.0
            add_cells(work.passing, work.product, work.product_start[upper], cells, work.where, 1.0)
            divide_message(work.message, work.passing, to, end, work.scale[c], logs)
        elif logs is None:
            work.passing[to] = 1.0 / work.scale[c]
        else:
            work.passing[to] = -work.scale[c]
        message_steps(m, first, work.axis, work.size, tree.shared, first, work.step)
        cells = runs(m, first, work.size, work.step, to, work.where)
        to_belief(work.product, at, work.passing, cells, work.where, logs)


@compiled(inner=True)
def add_counts(tree: TreeArrays, weight: float, work: Workspace, counts: Array) -> None:
    """Add the probability of each cell of each family, times a weight, to its table."""
    for c in range(len(tree.above)):
        first, m, at = tree.axis_start[c], work.free[c], work.product_start[c]
        for k in range(tree.member_start[c], tree.member_start[c + 1]):
            base = work.base[k]
            if family_steps(m, first, work.axis, tree.stride, tree.stride_start[k], work.step):
                cells = runs(m, first, work.size, work.step, base, work.where)
                add_cells(counts, work.product, at, cells, work.where, weight)
            else:
                counts[base] += weight
