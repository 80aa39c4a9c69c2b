"""Dividing a node: which branch each of its rows takes, and where the rows of each branch stand afterwards.

Missing cells, by `rules.missing`: OWN, they take the side that the split gives them; SURROGATE, the branch of the best
surrogate split; FRACTIONAL, every branch, with a share of their weight. Rows that are shared out stand behind all others.
"""

from __future__ import annotations

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.rows import Array
from aprendiz.tree.growth.partition import assign, copy_rows, deal, deal_in_two, divide_by_numbers, divide_in_two, heaviest
from aprendiz.tree.growth.records import (
    BEGIN,
    BELOW,
    COLUMN,
    END,
    FRACTIONAL,
    FREE,
    LEVELS,
    MISSING,
    NUMBERS,
    PARTS,
    PLACE,
    SIZE,
    SURROGATE,
    THRESHOLD,
    UNORDERED,
    USED_LEVELS,
    USED_SURROGATES,
    Data,
    GrowthRules,
    LevelBranches,
    LongColumns,
    Opened,
    Space,
    Surrogates,
)
from aprendiz.tree.growth.surrogates import find_surrogates, send_missing


@compiled(inner=True)
def halve(
    node: Array, short: Array, layout: Array, rows: Array, spare: Array, branch: Array, starts: Array, lines: LongColumns | None
) -> None:
    """Divide a node in two by a cut of a column with an order, in place."""
    first, last, j = node[BEGIN], node[END], node[COLUMN]
    here, at, size, below, side, middle = rows[first:last], layout[PLACE, j], layout[SIZE, j], node[BELOW], node[MISSING], 0
    if lines is None:
        middle = divide_in_two(short, at, size, below, side, here, spare, None)
    else:
        if at >= 0:
            middle = divide_in_two(short, at, size, below, side, here, spare, branch)
        else:
            middle = divide_in_two(lines.codes, -1 - at, size, below, side, here, spare, branch)
        for c in range(len(lines.rows)):
            deal_in_two(lines.rows[c, first:last], spare, branch)
    starts[0], starts[1], starts[2] = first, first + middle, last


@compiled(inner=True)
def halve_by_numbers(
    node: Array, numbers: Array, layout: Array, rows: Array, spare: Array, branch: Array, starts: Array,
    lines: LongColumns | None, opened: Opened,
) -> None:  # fmt: skip
    """Divide a node in two by a cut of a column that is opened, in place."""
    first, last, start, cut, side = node[BEGIN], node[END], layout[NUMBERS, node[COLUMN]], numbers[THRESHOLD], node[MISSING]
    here, middle = rows[first:last], int64(0)
    if lines is None:
        middle = divide_by_numbers(opened.flat, start, opened.step, cut, side, here, spare, None)
    else:
        middle = divide_by_numbers(opened.flat, start, opened.step, cut, side, here, spare, branch)
        for c in range(len(lines.rows)):
            deal_in_two(lines.rows[c, first:last], spare, branch)
    starts[0], starts[1], starts[2] = first, first + middle, last


@compiled(inner=True)
def divide(
    t: int, data: Data, rules: GrowthRules, space: Space, short: Array, lines: LongColumns | None, levels: LevelBranches | None,
    branch_weight: Array, shares: Array | None, surrogates: Surrogates | None,
) -> None:  # fmt: skip
    """Divide node t in any way."""
    node = space.whole[t]
    here = space.rows[node[BEGIN] : node[END]]
    if shares is not None and len(shares) > 0:
        take_shares(node[BEGIN], here, data.weight, shares)
    choose_branches(node, here, data.layout, space.branch, short, lines, levels)
    largest = heaviest(node[PARTS], here, data.weight, space.branch, branch_weight)
    if node[MISSING] < 0:
        node[MISSING] = -1 if rules.missing == FRACTIONAL else largest
    if surrogates is not None and rules.missing == SURROGATE:
        kept = keep_surrogates(t, here, data, space, rules.surrogates, short, lines, levels, surrogates)
        send_missing(here, space.branch, largest, kept, data.layout, short, lines, surrogates)
    deal_rows(node, here, data.weight, space, lines, branch_weight, shares)


@compiled(inner=True)
def choose_branches(
    node: Array,
    rows: Array,
    layout: Array,
    branch: Array,
    short: Array,
    lines: LongColumns | None,
    levels: LevelBranches | None,
) -> None:
    """The branch of each row; −1 where its cell is missing and has none yet."""
    j = node[COLUMN]
    at, size = layout[PLACE, j], layout[SIZE, j]
    if levels is not None and layout[UNORDERED, j]:
        side = levels.branches[node[LEVELS] : node[LEVELS] + size]
        if lines is not None and at < 0:
            assign(lines.codes[-1 - at], size, node[BELOW], node[MISSING], side, rows, branch)
        else:
            assign(short[at], size, node[BELOW], node[MISSING], side, rows, branch)
    elif lines is not None and at < 0:
        assign(lines.codes[-1 - at], size, node[BELOW], node[MISSING], None, rows, branch)
    else:
        assign(short[at], size, node[BELOW], node[MISSING], None, rows, branch)


@compiled(inner=True)
def take_shares(begin: int, rows: Array, weight: Array, shares: Array) -> None:
    """The weight of each row is its share in this node."""
    for i in range(len(rows)):
        weight[rows[i]] = shares[begin + i]


@compiled(inner=True)
def keep_surrogates(
    t: int, here: Array, data: Data, space: Space, most: int, short: Array, lines: LongColumns | None,
    levels: LevelBranches | None, surrogates: Surrogates,
) -> int:  # fmt: skip
    """Find the surrogate splits of node t, whose rows know their branches, and keep them. Returns how many."""
    node, used, layout = space.whole[t], space.state, data.layout
    column, begin, bounds, weight, branch = node[COLUMN], node[BEGIN], data.bounds, data.weight, space.branch
    kept = find_surrogates(column, layout, bounds, weight, here, begin, branch, most, short, lines, levels, surrogates)
    for s in range(kept):
        j, to = surrogates.order[s], used[USED_SURROGATES]
        used[USED_SURROGATES] += 1
        whole, real = surrogates.whole, surrogates.real
        whole[to, 0], whole[to, 1], whole[to, 2], whole[to, 3] = t, j, surrogates.kind[j, 1], -1
        real[to, 0], real[to, 1] = surrogates.shares[j, 0], surrogates.shares[j, 1]
        if levels is not None and layout[UNORDERED, j]:
            whole[to, 3] = used[USED_LEVELS]
            keep_run(layout[SIZE, j], surrogates.sides[j], levels.branches, used)
    return kept


@compiled(inner=True)
def keep_run(size: int, sides: Array, branches: Array, used: Array) -> None:
    """Write the branches of the levels of a column behind those of all others."""
    for code in range(size):
        branches[used[USED_LEVELS] + code] = sides[code]
    used[USED_LEVELS] += size


@compiled(inner=True)
def deal_rows(
    node: Array, here: Array, weight: Array, space: Space, lines: LongColumns | None, branch_weight: Array, shares: Array | None
) -> None:
    """Put the rows of a node in the order of their branches: in its own place, or, where some are shared out, behind all
    others."""
    begin, last, new, starts, branch, spare = node[BEGIN], node[END], node[PARTS], space.starts, space.branch, space.spare
    nowhere = 0
    for b in range(new + 1):
        starts[b] = 0
    for i in range(len(here)):
        b = branch[here[i]]
        if b >= 0:
            starts[b + 1] += 1
        else:
            nowhere += 1
    for b in range(new):
        starts[b + 1] += starts[b] + nowhere
    if shares is not None and len(shares) > 0 and nowhere > 0:
        share_out(node, weight, space, lines, branch_weight, shares)
        return
    deal(new, here, spare, starts, space.cursor, branch)
    copy_rows(spare, here)
    if shares is not None and len(shares) > 0:
        for i in range(len(here)):
            shares[begin + i] = weight[here[i]]
    if lines is not None:
        for c in range(len(lines.rows)):
            line = lines.rows[c, begin:last]
            deal(new, line, spare, starts, space.cursor, branch)
            copy_rows(spare, line)
    for b in range(new + 1):
        starts[b] += begin


@compiled(inner=True)
def share_out(node: Array, weight: Array, space: Space, lines: LongColumns | None, branch_weight: Array, shares: Array) -> None:
    """Write the rows of each branch behind all others; rows without a branch go to every one, with the share of its weight."""
    begin, last, new, starts, branch, rows = node[BEGIN], node[END], node[PARTS], space.starts, space.branch, space.rows
    for b in range(new + 1):
        starts[b] += space.state[FREE]
    deal(new, rows[begin:last], rows, starts, space.cursor, branch)
    for b in range(new):
        for i in range(starts[b], starts[b + 1]):
            part = branch_weight[b] / branch_weight[new] if branch[rows[i]] < 0 else 1.0
            shares[i] = weight[rows[i]] * part
    if lines is not None:
        for c in range(len(lines.rows)):
            deal(new, lines.rows[c, begin:last], lines.rows[c], starts, space.cursor, branch)
    space.state[FREE] = starts[new]
