"""From a table to a grown tree: which parts of the growth a fit asks for, and room for it.

The kernel `grow` comes back whenever it has too little room for something; then there is twice as much.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from aprendiz.compilation.compiled import interruptible
from aprendiz.core.rows import Array
from aprendiz.tree.growth.coding import CodedTable
from aprendiz.tree.growth.grow import grow
from aprendiz.tree.growth.own_codes import NO_NUMBERS, ColumnNumbers, rank_buffers
from aprendiz.tree.growth.records import (
    ABOVE,
    ABSOLUTE,
    DECREASE,
    DEPTH,
    FRACTIONAL,
    FREE,
    HIGHEST,
    KEY,
    LEAVES,
    LOWEST,
    MORE_LEVELS,
    MORE_NODES,
    MORE_SHARES,
    MORE_SURROGATES,
    NEW,
    NODE_NUMBERS,
    NODES,
    OWN,
    SIZE,
    STATE_NUMBERS,
    SUMS,
    SURROGATE,
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
    NodeBuffers,
    Opened,
    Parts,
    Queue,
    Ranks,
    Ratios,
    Space,
    Surrogates,
)

Grown = tuple[Array, Array, Array, Array, Array]
SHORT = 259  # rows of the table of a short column: 255 codes, the missing, and some to spare
LARGEST_WEIGHT = 2.0**200  # of a row that is not written in another unit
FIRST_NODES = 64  # for which there is room at first


class Roots(NamedTuple):
    """Where the rows of each root begin (and the last end), their depths and keys, the least decrease of a split, and the
    bounds of their predictions (monotone.py), a row for each."""

    starts: Array
    depth: Array
    keys: Array
    least: float
    bounds: Array

    @classmethod
    def one(cls, rows: int, seed: int, least: float) -> Roots:
        """The root of a tree of some rows."""
        nothing = np.array([[-np.inf, np.inf]])
        return cls(np.array([0, rows]), np.zeros(1, np.int64), np.array([seed], np.int64), least, nothing)


def grow_tree(
    table: CodedTable,
    layout: Array,
    y: Array,
    z: Array,
    weight: Array,
    rows: Array,
    lines: Array,
    rules: GrowthRules,
    seed: int,
    roots: Roots | None = None,
    numbers: ColumnNumbers = NO_NUMBERS,
    signs: Array | None = None,
) -> Grown:
    """Grow a tree on some rows of a table, or trees on runs of them; `layout` has the columns that take part, `lines` the rows
    in the order of each long one. Rows, lines and weights are used up. With the `numbers` of the columns that have bins, nodes
    open them where they tell too little apart (search.py). `signs` are those of the columns that have monotonic constraints.

    Returns the nodes in the order in which they came to be (whole and real numbers, named in records.py), the branches of
    levels, one run after another, and the surrogate splits: node, column, branch below and start of the levels; threshold and
    share that agrees.
    """
    roots = Roots.one(len(rows), seed, rules.min_decrease * float(weight[rows].sum())) if roots is None else roots
    factor = weight_unit(weight)
    if factor != 1.0:
        weight, rules = weight * factor, rules._replace(min_weight=rules.min_weight * factor)
    if len(numbers.flat):
        layout = np.vstack([layout, numbers.start])
    data, m = Data(layout, table.bounds, y, z, weight), rules.classes or z.shape[1]
    values = table_rows(layout)
    work, space = buffers(len(rows), m, layout), new_space(data, rows, m, rules, values, roots)
    parts = wanted_parts(data, rules, rows, table.short, LongColumns(table.long, lines), table.missing, values)
    if len(numbers.flat):
        parts = parts._replace(opened=Opened(numbers.flat, numbers.step, *rank_buffers(len(rows))))
    if signs is not None:
        parts = parts._replace(monotone=Monotone(signs, np.empty(3)))
    while more := interruptible(grow, data, rules, work, space, roots.least * factor, *parts):
        space, parts = with_more_room(space, parts, more)
    nodes, levels, surrogates = (space.state[used] for used in (NODES, USED_LEVELS, USED_SURROGATES))
    if factor != 1.0:
        in_own_unit(space.real[:nodes], rules.classes, factor)
    return (
        *(space.whole[:nodes], space.real[:nodes]),
        parts.levels.branches[:levels] if parts.levels is not None else np.empty(0, np.int32),
        parts.surrogates.whole[:surrogates] if parts.surrogates is not None else np.empty((0, 4), np.int64),
        parts.surrogates.real[:surrogates] if parts.surrogates is not None else np.empty((0, 2)),
    )


def weight_unit(weight: Array, most: float = LARGEST_WEIGHT) -> float:
    """What weights are multiplied by, so that squares of their sums are numbers: 1 if the largest is at most `most` and at
    least 1/`most`, else a power of two, which rounds nothing."""
    largest = float(weight.max(initial=0.0))
    if largest == 0.0 or 1.0 / most <= largest <= most:
        return 1.0
    return math.ldexp(1.0, min(-math.frexp(largest)[1], 1000))


def in_own_unit(real: Array, classes: int, factor: float) -> None:
    """What a growth in another unit says of weights, in their own."""
    weights = [WEIGHT, DECREASE, *range(SUMS, real.shape[1] if classes else SUMS)]
    with np.errstate(all="ignore"):  # the decrease of a leaf was never written: it may be anything
        real[:, weights] /= factor


def wanted_parts(
    data: Data, rules: GrowthRules, rows: Array, short: Array, lines: LongColumns, missing: bool, values: int
) -> Parts:
    """What this fit asks for. On the everyday path (numbers without holes; class counts or one number, and squares; the best
    threshold) that is nothing but the lines of long columns. What is rare comes with all parts but a few, so that not every
    combination is compiled: arrays that are given for that reason alone have no room."""
    n, m, absolute = len(rows), rules.classes or data.z.shape[1], rules.criterion == ABSOLUTE
    unordered, long = bool(data.layout[UNORDERED].any()), len(lines.rows) > 0
    several_ways = unordered or (missing and rules.missing != OWN)
    rare = unordered or missing or absolute or (long and not rules.straight)
    both = rare and rules.missing != OWN
    general = rare or not (rules.straight or rules.random)
    return Parts(
        short=short,
        straight=True if rules.straight or rare else None,
        near_y=np.empty(n, np.int32) if rules.classes else None,
        near_z=None if rules.classes else np.empty((n, m)),
        lines=lines if long or rare else None,
        table=new_table(values, m + 2) if general else None,
        levels=new_levels(values if unordered else 1) if rare else None,
        ranks=Ranks(np.empty((m, len(data.weight)), np.int64), np.empty((m, n))) if absolute else None,
        codes=np.empty(n, np.int32) if rules.random else None,
        ratios=new_ratios(data.layout.shape[1], values, values if unordered else 0) if rules.ratio else None,
        queue=Queue(np.empty(FIRST_NODES), np.empty(FIRST_NODES, np.int64)) if rules.max_leaves > 0 or long or rare else None,
        branch_weight=np.empty(values if several_ways else 0) if rare else None,
        shares=data.weight[rows if missing and rules.missing == FRACTIONAL else rows[:0]] if both else None,
        surrogates=new_surrogates(data.layout, values, rules.surrogates) if both or rules.missing == SURROGATE else None,
        opened=None,
        monotone=None,
    )


def table_rows(layout: Array) -> int:
    """Rows of the table of a column."""
    return max(SHORT, int(layout[SIZE].max(initial=0)) + 3)


def new_table(values: int, width: int) -> ColumnTable:
    """Room for the table of a column."""
    return ColumnTable(np.empty((values, width)), *(np.empty(values, np.int64) for _ in range(3)))


def new_levels(values: int) -> LevelBranches:
    """Room for the branches of levels in a split, and in the first splits."""
    return LevelBranches(np.empty(values, np.int64), np.empty(16 * values, np.int32))


def new_ratios(columns: int, values: int, levels: int = 0) -> Ratios:
    """Room for the gain ratios of columns with so many values, and for the branches of so many levels."""
    return Ratios(
        gain=np.empty(columns),
        ratio=np.empty(columns),
        threshold=np.empty(columns),
        whole=np.empty((columns, 3), np.int64),
        sides=np.empty((columns, levels), np.int64),
        branch_weight=np.empty(values),
    )


def new_surrogates(layout: Array, values: int, most: int) -> Surrogates:
    """Room for the splits of other columns, and for the first surrogate splits, at most so many for a node."""
    d, widest = layout.shape[1], int((layout[SIZE] * layout[UNORDERED]).max(initial=1))
    return Surrogates(
        *(new_table(values, 2), np.zeros((256, 2)), np.empty(d), np.empty((d, 2), np.int64), np.empty((d, 2))),
        *(np.empty((d, widest), np.int32), np.empty(max(most, 1), np.int64)),
        *(np.empty((4 * most, 4), np.int64), np.empty((4 * most, 2))),
    )


def buffers(n: int, m: int, layout: Array) -> NodeBuffers:
    """Room for a node at a time."""
    histogram = np.zeros((256, m + 2)), np.zeros(4, np.uint64)
    return NodeBuffers(np.empty(n), *histogram, np.zeros((7, m + 2)), np.empty(layout.shape[1], np.int64))


def new_space(data: Data, rows: Array, m: int, rules: GrowthRules, values: int, roots: Roots) -> Space:
    """Room for a tree, before its root, or for several."""
    count = len(roots.keys)
    starts, state = np.zeros(max(values, count + 1), np.int64), np.zeros(STATE_NUMBERS, np.int64)
    starts[: count + 1] = roots.starts
    state[[LEAVES, WAITING, ABOVE, NEW, FREE]] = count, -1 if rules.max_leaves < 0 else 0, -1, count, len(rows)
    whole = np.empty((max(FIRST_NODES, 2 * count), NODE_NUMBERS), np.int64)
    whole[:count, DEPTH], whole[:count, KEY] = roots.depth, roots.keys
    real = np.empty((len(whole), SUMS + m))
    real[:count, [LOWEST, HIGHEST]] = roots.bounds
    return Space(
        rows=rows,
        branch=np.empty(len(data.weight), np.int32),
        spare=np.empty(len(rows), rows.dtype),
        starts=starts,
        cursor=np.empty(values, np.int64),
        whole=whole,
        real=real,
        state=state,
    )


def with_more_room(space: Space, parts: Parts, more: int) -> tuple[Space, Parts]:
    """Twice as much room for what has too little, with what is in it."""
    if more & MORE_NODES:
        space = space._replace(whole=doubled(space.whole), real=doubled(space.real))
        if parts.queue is not None:
            parts = parts._replace(queue=Queue(*map(doubled, parts.queue)))
    if more & MORE_LEVELS:
        parts = parts._replace(levels=parts.levels._replace(branches=doubled(parts.levels.branches)))
    if more & MORE_SURROGATES:
        twice = {"whole": doubled(parts.surrogates.whole), "real": doubled(parts.surrogates.real)}
        parts = parts._replace(surrogates=parts.surrogates._replace(**twice))
    if more & MORE_SHARES:
        space, parts = space._replace(rows=doubled(space.rows)), parts._replace(shares=doubled(parts.shares))
        if parts.lines is not None:
            wider = np.ascontiguousarray(doubled(parts.lines.rows.T).T)
            parts = parts._replace(lines=parts.lines._replace(rows=wider))
    return space, parts


def doubled(a: Any) -> Array:
    """The same entries with as much room again."""
    return np.concatenate([a, np.empty_like(a)])
