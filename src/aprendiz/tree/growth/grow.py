"""The growth of a tree: a node is divided, its branches become nodes, and each of them is searched, until none waits.

Nodes wait on a stack (depth first) or in a heap by their decrease (best first, where the number of leaves has a limit).
"""

from __future__ import annotations

import numpy as np

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.hashing import mix
from aprendiz.core.heap import pop, push
from aprendiz.core.rows import Array
from aprendiz.tree.growth.division import (
    choose_branches,
    divide,
    halve,
    halve_by_numbers,
    keep_run,
    keep_surrogates,
    take_shares,
)
from aprendiz.tree.growth.monotone import bound_two_branches
from aprendiz.tree.growth.records import (
    ABOVE,
    BEGIN,
    BELOW,
    BRANCH,
    COLUMN,
    DECREASE,
    DEPTH,
    DIVIDED,
    END,
    FRACTIONAL,
    FREE,
    HIGHEST,
    IMPURITY,
    KEY,
    LEAF,
    LEAVES,
    LEVELS,
    LOWEST,
    MISSING,
    MORE_LEVELS,
    MORE_NODES,
    MORE_SHARES,
    MORE_SURROGATES,
    NEW,
    NEXT,
    NODES,
    OPENED,
    OWN,
    PARENT,
    PARTS,
    ROWS,
    SIZE,
    SURROGATE,
    THRESHOLD,
    TIE,
    TOP,
    TOTAL,
    UNORDERED,
    USED_LEVELS,
    USED_SURROGATES,
    WAITING,
    WEIGHT,
    ColumnTable,
    Data,
    GrowthRules,
    LevelBranches,
    LongColumns,
    Monotone,
    Node,
    NodeBuffers,
    Opened,
    Queue,
    Ranks,
    Ratios,
    Space,
    Surrogates,
)
from aprendiz.tree.growth.rows_of_node import gather_classes, gather_numbers
from aprendiz.tree.growth.search import search


@compiled
def grow(
    data: Data, rules: GrowthRules, work: NodeBuffers, space: Space, least: float,
    short: Array, straight: bool | None, near_y: Array | None, near_z: Array | None, lines: LongColumns | None,
    table: ColumnTable | None, levels: LevelBranches | None, ranks: Ranks | None, codes: Array | None, ratios: Ratios | None,
    queue: Queue | None, branch_weight: Array | None, shares: Array | None, surrogates: Surrogates | None,
    opened: Opened | None, monotone: Monotone | None,
) -> int:  # fmt: skip
    """Go on with the growth from `space.state` on, as far as there is room. Returns what needs more of it, 0 if the tree is
    grown.

    `least` is the least decrease of a split. What comes after it are parts (records.py). Rows, lines and weights are used up.
    """
    whole, real, starts, state, all_rows = space.whole, space.real, space.starts, space.state, space.rows
    layout, bounds, y, weight, total = data.layout, data.bounds, data.y, data.weight, work.sums[TOTAL]
    while True:
        above, new = state[ABOVE], state[NEW]
        if above >= 0 and state[DIVIDED] == 0:
            more = MORE_NODES if state[NODES] + new > len(whole) else 0
            if queue is not None and rules.max_leaves > 0 and state[WAITING] + new > len(queue.keys):
                more = MORE_NODES
            if branch_weight is not None or surrogates is not None:
                more += lacks_room(whole[above], rules, state, levels, shares, surrogates)
            if more > 0:
                return more
            if rules.max_leaves < 0:
                state[FREE] = whole[above, TOP]
            ordered = layout[UNORDERED, whole[above, COLUMN]] == 0
            if branch_weight is not None and len(branch_weight) > 0 and not (rules.missing == OWN and ordered):
                divide(above, data, rules, space, short, lines, levels, branch_weight, shares, surrogates)
            else:
                if surrogates is not None and rules.missing == SURROGATE:  # nothing is missing, but it may be later
                    here = space.rows[whole[above, BEGIN] : whole[above, END]]
                    choose_branches(whole[above], here, layout, space.branch, short, lines, None)
                    keep_surrogates(above, here, data, space, rules.surrogates, short, lines, levels, surrogates)
                if opened is not None and whole[above, BELOW] == OPENED:
                    halve_by_numbers(
                        whole[above], real[above], layout, all_rows, space.spare, space.branch, starts, lines, opened
                    )
                else:
                    halve(whole[above], short, layout, all_rows, space.spare, space.branch, starts, lines)
            state[DIVIDED] = 1
            if monotone is not None:
                bound_branches(above, new, data, rules, work, space, near_y, near_z, ranks, monotone)
        if levels is not None and lacks_levels(new, starts, state, levels):
            return MORE_LEVELS
        for b in range(new):  # the branches; at first, the root
            t = state[NODES]
            state[NODES] += 1
            node, numbers = whole[t], real[t]
            begin_node(node, b, whole, starts, state)
            numbers[THRESHOLD] = LEAF
            here = all_rows[starts[b] : starts[b + 1]]
            if shares is not None and len(shares) > 0:
                take_shares(starts[b], here, weight, shares)
            if near_y is not None:
                gather_classes(here, y, weight, rules.criterion, near_y, work.near_w, total, numbers)
            if near_z is not None:
                gather_numbers(here, data.z, weight, rules.criterion, near_z, work.near_w, work.sums, ranks, numbers)
            if (
                numbers[IMPURITY] == 0.0
                or node[DEPTH] >= rules.max_depth
                or len(here) < rules.min_split
                or len(here) < 2 * rules.min_leaf
                or numbers[WEIGHT] < 2.0 * rules.min_weight
            ):
                continue
            tie = TIE * numbers[WEIGHT] * numbers[IMPURITY]
            task = Node(here, starts[b], tie, np.uint64(node[KEY]), node, numbers, work.sums)
            search(
                data, layout, bounds, rules, task, work, None,
                short, straight, near_y, near_z, lines, table, levels, ranks, codes, ratios, opened, monotone,
            )  # fmt: skip
            if node[COLUMN] < 0:
                continue
            if not numbers[DECREASE] > -tie or (numbers[DECREASE] + tie) * rules.unit < least:
                become_leaf(node, numbers)
                continue
            if levels is not None and layout[UNORDERED, node[COLUMN]]:
                node[LEVELS] = state[USED_LEVELS]
                keep_run(layout[SIZE, node[COLUMN]], levels.side, levels.branches, state)
            if queue is not None and rules.max_leaves > 0:
                push(queue.keys, queue.numbers, state[WAITING], numbers[DECREASE], -t)
                state[WAITING] += 1
            else:  # a stack: each node knows the one below it, and `WAITING` is the one on top
                node[NEXT], state[WAITING] = state[WAITING], t
        if above >= 0 and new == 2 and whole[above, MISSING] < 0 and rules.missing != FRACTIONAL:
            second = real[state[NODES] - 1, WEIGHT] > real[state[NODES] - 2, WEIGHT] * (1.0 + TIE)
            whole[above, MISSING] = int64(second)  # nothing was missing: the heavier branch
        if queue is not None and rules.max_leaves > 0:
            above = next_in_queue(queue, rules, space)
        else:
            above = state[WAITING]
            if above >= 0:
                state[WAITING] = whole[above, NEXT]
        state[ABOVE], state[DIVIDED] = above, 0
        if above < 0:
            return 0
        state[NEW] = whole[above, PARTS]
        state[LEAVES] += state[NEW] - 1


@compiled(inner=True)
def begin_node(node: Array, b: int, whole: Array, starts: Array, state: Array) -> None:
    """Write down a new node, branch b of the node that is divided: a leaf as yet."""
    above = state[ABOVE]
    node[PARENT], node[BRANCH], node[COLUMN], node[MISSING], node[LEVELS], node[PARTS] = above, b, LEAF, 0, -1, 0
    node[BEGIN], node[END], node[TOP], node[ROWS] = starts[b], starts[b + 1], state[FREE], starts[b + 1] - starts[b]
    if above >= 0:  # what roots have stands there
        node[DEPTH] = whole[above, DEPTH] + 1
        node[KEY] = int64(mix(np.uint64(whole[above, KEY]) + np.uint64(b + 1)))


@compiled(inner=True)
def bound_branches(
    above: int, new: int, data: Data, rules: GrowthRules, work: NodeBuffers, space: Space, near_y: Array | None,
    near_z: Array | None, ranks: Ranks | None, monotone: Monotone,
) -> None:  # fmt: skip
    """Write down the bounds of the branches of a node, before any of them is searched: both values are needed for it."""
    real, first = space.real, space.state[NODES]
    for b in range(new):
        here, numbers = space.rows[space.starts[b] : space.starts[b + 1]], real[first + b]
        numbers[LOWEST], numbers[HIGHEST] = real[above, LOWEST], real[above, HIGHEST]
        if near_y is not None:
            gather_classes(here, data.y, data.weight, rules.criterion, near_y, work.near_w, work.sums[TOTAL], numbers)
        if near_z is not None:
            gather_numbers(here, data.z, data.weight, rules.criterion, near_z, work.near_w, work.sums, ranks, numbers)
    sign = monotone.signs[space.whole[above, COLUMN]]
    if sign != 0:
        bound_two_branches(sign, real[above], real[first], real[first + 1])


@compiled(inner=True)
def become_leaf(node: Array, numbers: Array) -> None:
    """A node that was to be divided stays a leaf."""
    node[COLUMN], node[LEVELS], node[MISSING], numbers[THRESHOLD] = LEAF, -1, 0, LEAF


@compiled(inner=True)
def next_in_queue(queue: Queue, rules: GrowthRules, space: Space) -> int:
    """The node of largest decrease; −1 if none waits. A node that would make too many leaves stays one."""
    whole, state = space.whole, space.state
    while state[WAITING] > 0:
        t = -pop(queue.keys, queue.numbers, state[WAITING])
        state[WAITING] -= 1
        if state[LEAVES] + whole[t, PARTS] - 1 <= rules.max_leaves:
            return t
        become_leaf(whole[t], space.real[t])
    return -1


@compiled(inner=True)
def lacks_room(
    node: Array, rules: GrowthRules, state: Array, levels: LevelBranches | None, shares: Array | None,
    surrogates: Surrogates | None,
) -> int:  # fmt: skip
    """What there is too little room for, of all that the division of a node may add but its branches."""
    more = 0
    if levels is not None and state[USED_LEVELS] + rules.surrogates * len(levels.side) > len(levels.branches):
        more += MORE_LEVELS
    if surrogates is not None and state[USED_SURROGATES] + rules.surrogates > len(surrogates.whole):
        more += MORE_SURROGATES
    if shares is not None and 0 < len(shares) < max(state[FREE], node[TOP]) + node[PARTS] * (node[END] - node[BEGIN]):
        more += MORE_SHARES
    return more


@compiled(inner=True)
def lacks_levels(new: int, starts: Array, state: Array, levels: LevelBranches) -> bool:
    """Is there too little room for the levels of the new nodes, of which each that has two rows may be divided by levels?"""
    several = 0
    for b in range(new):
        several += starts[b + 1] - starts[b] > 1
    return state[USED_LEVELS] + several * len(levels.side) > len(levels.branches)
