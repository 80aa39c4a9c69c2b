"""What the kernels of boosted trees share: the table as codes, the rules, the place where a tree grows, and its nodes."""

from __future__ import annotations

from typing import NamedTuple

from aprendiz.core.rows import Array

# whole numbers of a node: its parent and first child (the second one is next to it), column and last code below of its split,
# branch of the missing cells, depth, rows, where its histogram stands, and whether the split is one of levels
PARENT, FIRST, COLUMN, BELOW, MISSING, DEPTH, ROWS, SLOT, LEVELS = range(9)
NODE_NUMBERS = 9
# real ones: what its split lowers the objective by, the step of the node and the bounds of the steps below it, in units
GAIN, STEP, LOWEST, HIGHEST = range(4)
NODE_REALS = 4
# sums of a node, whole numbers: gradients, curvatures, rows
G, H, N = range(3)
# `Space.state`: nodes and leaves so far, nodes that wait, free slots, the node that is being divided, slots in all
NODES, LEAVES, WAITING, FREE, DIVIDING, SLOTS = range(6)
STATE_NUMBERS = 6
# why the growth pauses
DONE, MANY_ROWS, MORE_NODES, MORE_SLOTS = range(4)

CODES = 256  # of a column: at most 255, and the missing cells
NO_SPLIT = -1  # what COLUMN and FIRST are in a leaf
TIE = 1e-13  # a gain smaller than this part of what it is a difference of is rounding


class Table(NamedTuple):
    """The columns that vary, as codes: row by row, one row behind the other, for histograms; column by column, to divide rows;
    the number of codes of each column (the one after the last means missing), which have no order, and which have missing
    cells."""

    rows: Array
    columns: Array
    sizes: Array
    unordered: Array
    missing: Array


class Rules(NamedTuple):
    """How a node is divided and when it is not. Curvatures are in units (fixed_point.py).

    Attributes
    ----------
    words, shift : how sums are written
    constant : whether the curvature of every row is one unit
    l2, min_curvature : in units of the curvature
    min_rows : of a branch
    min_support : rows that a level needs to be told from others
    max_leaves : −1 where there is no limit
    max_depth
    share : of the columns that a node looks at
    """

    words: int
    shift: int
    constant: bool
    l2: float
    min_curvature: float
    min_rows: int
    min_support: int
    max_leaves: int
    max_depth: int
    share: float


class Space(NamedTuple):
    """Where a tree grows.

    Attributes
    ----------
    whole, real, sums, left : the numbers of the nodes; their sums, and those of the first branch of their split
    sides : the branch of each code, a bit each, in four words
    keys : of their random numbers
    groups : for each node, which sets of columns that may interact are still allowed
    begin, end : where the rows of a node stand in each part of `order`
    order, spare : the numbers of the rows, node by node in each part, and room for as many
    histograms : a slot for each node that waits, of shape (columns, codes, words)
    slots : those that are free
    queue, waiting : gains and numbers of the nodes that wait, a heap (core/heap.py)
    state : how far the growth has come (named above)
    """

    whole: Array
    real: Array
    sums: Array
    left: Array
    sides: Array
    keys: Array
    groups: Array
    begin: Array
    end: Array
    order: Array
    spare: Array
    histograms: Array
    slots: Array
    queue: Array
    waiting: Array
    state: Array


class Buffers(NamedTuple):
    """Room for one column at a time: sums below each code, its levels in their order; and the columns a node looks at."""

    sums: Array
    ratios: Array
    levels: Array
    drawn: Array


class Monotone(NamedTuple):
    """The sign of each column (−1, 0, 1)."""

    signs: Array


class Interactions(NamedTuple):
    """Which columns are in each set that may interact."""

    members: Array
