"""The growth of a boosted tree: the node whose split lowers the objective most is divided next.

    while there are fewer leaves than max_leaf_nodes:  divide the rows of the node, add up the histogram of the smaller branch,
    take it away from that of the node, which leaves that of the larger one; search both                              (1)

Where the number of leaves has no limit the order does not matter, and the last node is divided first, so that few histograms
wait. A tree is one compiled call, but for nodes of many rows: these are divided by several threads, each in a part of the rows.
Sums are whole numbers, so that nothing shows in the tree.

What only some fits ask for (levels, monotonic constraints, interactions) is None elsewhere, and is then not compiled.

Cost: O(rows · columns · levels of the tree); memory: the codes twice, and a histogram for each node that waits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from aprendiz.compilation.compiled import compiled, int64, interruptible
from aprendiz.core.hashing import mix
from aprendiz.core.heap import pop, push
from aprendiz.core.rows import Array
from aprendiz.core.threads import num_threads, ordered_map
from aprendiz.ensemble.boosting.histograms import add_part, divide_part, smaller_branch, take_away
from aprendiz.ensemble.boosting.records import (
    CODES,
    COLUMN,
    DEPTH,
    DIVIDING,
    DONE,
    FIRST,
    FREE,
    GAIN,
    HIGHEST,
    LEAVES,
    LOWEST,
    MANY_ROWS,
    MORE_NODES,
    MORE_SLOTS,
    NO_SPLIT,
    NODE_NUMBERS,
    NODE_REALS,
    NODES,
    PARENT,
    ROWS,
    SLOT,
    SLOTS,
    STATE_NUMBERS,
    STEP,
    WAITING,
    Buffers,
    G,
    H,
    Interactions,
    Monotone,
    N,
    Rules,
    Space,
    Table,
)
from aprendiz.ensemble.boosting.split_search import may_be_divided, search

SHARED = 2**19  # cells of a node that several threads divide sooner than one
FIRST_NODES, FIRST_SLOTS = 64, 32


@dataclass(frozen=True)
class Grown:
    """A tree as it grew: the numbers of its nodes and the branches of all codes, and the rows of each node, part by part."""

    whole: Array
    real: Array
    sums: Array
    sides: Array
    begin: Array
    end: Array
    order: Array

    def rows_of(self, node: int) -> Array:
        """The numbers of the rows of a node."""
        return np.concatenate([self.order[a:b] for a, b in zip(self.begin[node], self.end[node], strict=True)])


class TreeGrower:
    """Grows one tree after another on the same codes, in the same room."""

    def __init__(self, table: Table, signs: Array | None, members: Array | None, max_leaves: int, min_rows: int):
        self.table = table
        self.count, self.columns = table.columns.shape[1], table.columns.shape[0]
        self.monotone = None if signs is None else Monotone(signs)
        self.interactions = None if members is None else Interactions(members)
        self.levels = True if table.unordered.any() else None
        self.parts = num_threads() if self.count * self.columns >= 2 * SHARED else 1
        self.nodes = FIRST_NODES if max_leaves < 0 else min(2 * max_leaves, 2 * (self.count // min_rows) + 2, 2**12)
        self.buffers = Buffers(
            np.empty((2, CODES, 3), np.int64), np.empty(CODES), np.empty(CODES, np.int64), np.empty(self.columns, np.int64)
        )
        self.space: Any = None
        self.side = np.empty((self.parts, CODES), np.uint8)

    def grow(self, words: Array, rules: Rules, seed: int, there: Array | None = None) -> Grown:
        """The tree of the words of all rows, or of those that are `there`."""
        self.begin(words.shape[1], seed, there)
        space = self.space
        histogram = self.sum_parts(self.add, 0, words)
        space.histograms[0] = histogram.reshape(space.histograms.shape[1:])
        start(space, rules)
        pause, side, buffers = -1, self.side[0], self.buffers
        cells = np.empty(self.columns * CODES * words.shape[1], np.int64)
        shared = SHARED // self.columns if self.parts > 1 else 2**62
        while pause != DONE:
            pause = interruptible(
                grow,
                *(self.space, self.table, rules, buffers, words, cells, side, shared),
                *(self.levels, self.monotone, self.interactions),
            )
            if pause == MANY_ROWS:
                cells = self.sum_parts(self.divide, int(self.space.state[DIVIDING]), words)
            elif pause == MORE_NODES:
                self.space = with_nodes(self.space, 2 * len(self.space.whole))
            elif pause == MORE_SLOTS:
                self.space = with_slots(self.space)
        space, count = self.space, int(self.space.state[NODES])
        whole, real, sums = space.whole[:count], space.real[:count], space.sums[:count]
        return Grown(whole, real, sums, space.sides[:count], space.begin[:count], space.end[:count], space.order)

    def add(self, part: int, node: int, words: Array, cells: Array) -> None:
        """The histogram of the rows of a node in one part."""
        add_part(self.table, part, node, self.space, words, cells)

    def divide(self, part: int, node: int, words: Array, cells: Array) -> None:
        """Divide the rows of a node in one part; the histogram of those of the smaller branch."""
        divide_part(self.table, part, node, self.space, self.side[part], words, cells)

    def sum_parts(self, work: Callable[[int, int, Array, Array], None], node: int, words: Array) -> Array:
        """Work on the rows of a node, part by part, and the sum of the histograms of its parts."""
        cells = np.empty((self.parts, self.columns * CODES * words.shape[1]), np.int64)
        for _ in ordered_map(lambda part: work(part, node, words, cells[part]), range(self.parts)):
            pass
        return cells[0] if self.parts == 1 else cells.sum(axis=0)

    def begin(self, width: int, seed: int, there: Array | None) -> None:
        """Room for a tree, with all rows in the root."""
        if self.space is None or self.space.histograms.shape[2] != CODES * width:
            self.space = new_space(self.count, self.columns, self.parts, self.nodes, width, self.interactions)
        space = self.space
        rows = np.arange(self.count, dtype=np.int32) if there is None else there
        space.order[: len(rows)] = rows
        bounds = np.linspace(0, len(rows), self.parts + 1).astype(np.int64)
        space.begin[0], space.end[0] = bounds[:-1], bounds[1:]
        space.keys[0] = np.uint64(seed)
        space.whole[0, ROWS] = len(rows)


def new_space(count: int, columns: int, parts: int, nodes: int, width: int, interactions: Interactions | None) -> Space:
    """Room for a tree."""
    sets = 0 if interactions is None else len(interactions.members)
    return Space(
        whole=np.zeros((nodes, NODE_NUMBERS), np.int64),
        real=np.zeros((nodes, NODE_REALS)),
        sums=np.zeros((nodes, 3), np.int64),
        left=np.zeros((nodes, 3), np.int64),
        sides=np.zeros((nodes, 4), np.uint64),
        keys=np.zeros(nodes, np.uint64),
        groups=np.ones((nodes, sets), np.uint8),
        begin=np.zeros((nodes, parts), np.int64),
        end=np.zeros((nodes, parts), np.int64),
        order=np.empty(count, np.int32),
        spare=np.empty(count, np.int32),
        histograms=np.empty((FIRST_SLOTS, columns, CODES * width), np.int64),
        slots=np.zeros(FIRST_SLOTS, np.int64),
        queue=np.empty(nodes),
        waiting=np.empty(nodes, np.int64),
        state=np.zeros(STATE_NUMBERS, np.int64),
    )


def longer(array: Array, length: int) -> Array:
    """The same array with zeros behind."""
    found = np.zeros((length, *array.shape[1:]), array.dtype)
    found[: len(array)] = array
    return found


def with_nodes(space: Space, nodes: int) -> Space:
    """The same room for more nodes."""
    names = ("whole", "real", "sums", "left", "sides", "keys", "groups", "begin", "end", "queue", "waiting")
    return space._replace(**{name: longer(getattr(space, name), nodes) for name in names})


def with_slots(space: Space) -> Space:
    """The same room for twice as many histograms."""
    before = len(space.slots)
    space.state[SLOTS] = 2 * before
    slots = np.zeros(2 * before, np.int64)
    free = int(space.state[FREE])
    slots[:free] = space.slots[:free]
    slots[free : free + before] = np.arange(before, 2 * before)
    space.state[FREE] += before
    return space._replace(histograms=longer(space.histograms, 2 * before), slots=slots)


# ---- kernels -----------------------------------------------------------------------------------------------------------


@compiled
def start(space: Space, rules: Rules) -> None:
    """Make the root ready: it alone, its sums, and free slots."""
    whole, real, state, slots = space.whole, space.real, space.state, space.slots
    rows = whole[0, ROWS]
    for k in range(NODE_NUMBERS):
        whole[0, k] = 0
    whole[0, PARENT], whole[0, FIRST], whole[0, COLUMN], whole[0, ROWS] = -1, NO_SPLIT, NO_SPLIT, rows
    real[0, LOWEST], real[0, HIGHEST] = -np.inf, np.inf
    cells, mask = space.histograms[0, 0], (np.int64(1) << rules.shift) - 1
    total = space.sums[0]
    total[G] = total[H] = total[N] = 0
    for b in range(CODES):
        if rules.words == 1:
            total[G] += cells[b] >> rules.shift
            total[N] += cells[b] & mask
        elif rules.words == 2:
            total[G] += cells[2 * b]
            total[H] += cells[2 * b + 1] >> rules.shift
            total[N] += cells[2 * b + 1] & mask
        else:
            total[G] += cells[3 * b]
            total[H] += cells[3 * b + 1]
            total[N] += cells[3 * b + 2]
    if rules.constant:
        total[H] = total[N]
    for s in range(len(slots) - 1):
        slots[s] = len(slots) - 1 - s
    for k in range(space.groups.shape[1]):
        space.groups[0, k] = 1
    state[NODES], state[LEAVES], state[WAITING], state[FREE], state[DIVIDING] = 0, 1, 0, len(slots) - 1, -1
    state[SLOTS] = len(slots)


@compiled(inner=True)
def step_of(space: Space, t: int, rules: Rules) -> None:
    """The step of a node, within its bounds."""
    total, real = space.sums[t], space.real[t]
    h = np.float64(total[H]) + rules.l2
    step = -np.float64(total[G]) / h if h > 0.0 else 0.0
    real[STEP] = min(max(step, real[LOWEST]), real[HIGHEST])


@compiled(inner=True)
def make_children(space: Space, t: int, rules: Rules, monotone: Monotone | None, interactions: Interactions | None) -> None:
    """The two children of a node, as far as they are known before its rows are divided."""
    whole, real, state, first = space.whole, space.real, space.state, space.state[NODES]
    whole[t, FIRST] = first
    for b in range(2):
        c = first + b
        for k in range(3):
            part = space.left[t, k]
            space.sums[c, k] = part if b == 0 else space.sums[t, k] - part
        whole[c, PARENT], whole[c, FIRST], whole[c, COLUMN] = t, NO_SPLIT, NO_SPLIT
        whole[c, DEPTH], whole[c, ROWS], whole[c, SLOT] = whole[t, DEPTH] + 1, space.sums[c, N], -1
        real[c, LOWEST], real[c, HIGHEST], real[c, GAIN] = real[t, LOWEST], real[t, HIGHEST], 0.0
        space.keys[c] = mix(space.keys[t] + np.uint64(b + 1))
        step_of(space, c, rules)
        if interactions is not None:
            for k in range(space.groups.shape[1]):
                space.groups[c, k] = space.groups[t, k] & interactions.members[k, whole[t, COLUMN]]
    if monotone is not None and monotone.signs[whole[t, COLUMN]] != 0:
        middle = 0.5 * real[first, STEP] + 0.5 * real[first + 1, STEP]
        lower, upper = first, first + 1
        if monotone.signs[whole[t, COLUMN]] < 0:
            lower, upper = upper, lower
        real[lower, HIGHEST], real[upper, LOWEST] = middle, middle
    state[NODES] += 2
    state[LEAVES] += 1


@compiled(inner=True)
def wait(t: int, space: Space, rules: Rules) -> None:
    """Put a node that has a split into the queue: by its gain, or, without a limit of leaves, the last one first."""
    key = space.real[t, GAIN] if rules.max_leaves >= 0 else np.float64(t)
    push(space.queue, space.waiting, space.state[WAITING], key, t)
    space.state[WAITING] += 1


@compiled(inner=True)
def free_slot(t: int, space: Space) -> None:
    """A node that will not be divided needs no histogram."""
    if space.whole[t, SLOT] >= 0:
        space.slots[space.state[FREE]] = space.whole[t, SLOT]
        space.state[FREE] += 1
        space.whole[t, SLOT] = -1


@compiled
def grow(
    space: Space, table: Table, rules: Rules, buffers: Buffers, words: Array, cells: Array, side: Array, shared: int,
    levels: object, monotone: Monotone | None, interactions: Interactions | None,
) -> int:  # fmt: skip
    """(1), until it is done or needs something. `cells` is the histogram of the smaller branch."""
    whole, state, t = space.whole, space.state, int64(-1)
    if state[NODES] == 0:
        state[NODES] = 1
        step_of(space, 0, rules)
        if may_be_divided(0, 0, space, rules) and search(0, space, table, rules, buffers, levels, monotone, interactions):
            wait(0, space, rules)
    while True:
        ready = state[DIVIDING] >= 0  # its rows have been divided by several threads
        if ready:
            t = int64(state[DIVIDING])
            state[DIVIDING] = -1
        else:
            if state[WAITING] == 0 or state[LEAVES] == rules.max_leaves:
                return DONE
            if state[NODES] + 2 > len(whole):
                return MORE_NODES
            if state[FREE] == 0:
                return MORE_SLOTS
            t = int64(pop(space.queue, space.waiting, state[WAITING]))
            state[WAITING] -= 1
            make_children(space, t, rules, monotone, interactions)
        first, last = whole[t, FIRST], state[LEAVES] == rules.max_leaves
        deeper = whole[t, DEPTH] + 1
        one = not last and may_be_divided(first, deeper, space, rules)
        two = not last and may_be_divided(first + 1, deeper, space, rules)
        if not ready:
            if whole[t, ROWS] >= shared:
                state[DIVIDING] = t
                return MANY_ROWS
            for part in range(space.begin.shape[1]):
                if (one or two) and part == 0:
                    divide_part(table, part, t, space, side, words, cells)
                elif one or two:
                    add_another_part(table, part, t, space, side, words, cells)
                else:
                    divide_part(table, part, t, space, side, None, None)
        if not (one or two):
            free_slot(t, space)
            continue
        smaller = smaller_branch(space, first)
        larger = 2 * first + 1 - smaller
        state[FREE] -= 1
        whole[smaller, SLOT], whole[larger, SLOT] = space.slots[state[FREE]], whole[t, SLOT]
        whole[t, SLOT] = -1
        near = space.histograms[whole[smaller, SLOT]].reshape(len(cells))
        for i in range(len(cells)):
            near[i] = cells[i]
        take_away(space.histograms[whole[larger, SLOT]].reshape(len(cells)), cells)
        for b in range(2):
            c = first + b
            if (one if b == 0 else two) and search(c, space, table, rules, buffers, levels, monotone, interactions):
                wait(c, space, rules)
            else:
                free_slot(c, space)


@compiled(inner=True)
def add_another_part(table: Table, part: int, t: int, space: Space, side: Array, words: Array, cells: Array) -> None:
    """Divide the rows of one more part, and add those of the smaller branch to the histogram of the parts before."""
    more = np.empty(len(cells), np.int64)
    divide_part(table, part, t, space, side, words, more)
    for i in range(len(cells)):
        cells[i] += more[i]
