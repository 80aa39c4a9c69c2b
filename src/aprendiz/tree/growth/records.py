"""What the kernels of the growth share: the rules of a tree, the table as codes, the buffers, and how a node is written down.

A part of the growth that a fit does not ask for is None instead of its record (`Parts`), and is then not compiled at all.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.tree.shared.nodes import LEAF as LEAF

SQUARES, ENTROPY, ERROR, POISSON, ABSOLUTE, SHARES = range(6)  # the criterion: f of (1) in __init__.py
OWN, SURROGATE, FRACTIONAL = range(3)  # what a missing cell does
MAX_LEVELS_OF_ALL_SUBSETS = 12  # levels of which all subsets are tried, where there are more than two classes
LARGEST = float(np.finfo(np.float64).max)  # a threshold that every known number is below
TIE = 1e-12  # gains closer than this part of the node's impurity are equal

# rows of `Data.layout`: where a column stands (short: its number, long: −1 − its number), how many codes it has (the one after
# the last means missing), whether it is without order, and where its values begin in `Data.bounds`; where columns are opened,
# also where its numbers begin (`own_codes.ColumnNumbers.start`)
PLACE, SIZE, UNORDERED, START, NUMBERS = range(5)
# rows of `Data.bounds`: lowest and highest value of each code
LOW, HIGH = range(2)
# what is known of a node: whole numbers, and real ones, after which its sums follow; LOWEST and HIGHEST are the bounds of its
# prediction, written under monotonic constraints only
PARENT, BRANCH, COLUMN, MISSING, ROWS, LEVELS, BELOW, PARTS, DEPTH, BEGIN, END, TOP, KEY, NEXT = range(14)
THRESHOLD, IMPURITY, WEIGHT, DECREASE, LOWEST, HIGHEST, SUMS = range(7)
NODE_NUMBERS = 14  # whole numbers of a node
OPENED = -2  # what `BELOW` is where a column has codes of its own in the node: rows go by their numbers
# rows of `Work.sums`, each m sums S, their weight w and the number of rows: of the whole node, of its known rows, of the left
# and the right branch, and of rows put aside; then the mean (of absolute errors, the median), and what numbers are reduced by
TOTAL, KNOWN, LEFT, RIGHT, ASIDE, CENTRE, ORIGIN = range(7)
# entries of `Space.state`: nodes so far, leaves, what waits, the node to be divided and its branches, the first free place
# behind the rows, what is used of the levels and of the surrogates, and whether the node to be divided is divided
NODES, LEAVES, WAITING, ABOVE, NEW, FREE, USED_LEVELS, USED_SURROGATES, DIVIDED = range(9)
STATE_NUMBERS = 9
# what the growth has too little room for, added up
MORE_NODES, MORE_LEVELS, MORE_SURROGATES, MORE_SHARES = 1, 2, 4, 8


class GrowthRules(NamedTuple):
    """How a node is divided, and when it is not: numbers only."""

    criterion: int
    classes: int  # 0: the target is numbers
    ratio: bool  # gain ratio
    multiway: bool  # a branch for each level
    missing: int
    random: bool
    max_depth: int
    min_split: int
    min_leaf: int
    min_weight: float
    min_decrease: float
    max_features: int
    max_leaves: int  # −1: no limit
    surrogates: int
    straight: bool  # cuts come straight from a histogram or a line where nothing is missing
    boundary: bool  # no cuts between values whose rows are all of one class
    unit: float  # what a decrease is multiplied by: entropies are in bits, and several targets count with their mean


class Data(NamedTuple):
    """The table, but for the codes of its columns: layout, bounds, target, weights."""

    layout: Array
    bounds: Array
    y: Array  # class of each row
    z: Array  # or its numbers
    weight: Array


class LongColumns(NamedTuple):
    """The long columns: their codes, and the rows of each node in their order, a row for each column."""

    codes: Array
    rows: Array


class NodeBuffers(NamedTuple):
    """Buffers for one node at a time: the weights of its rows, side by side; a histogram of a short column with a bit for each
    code that occurs; vectors of sums (named above); and the columns in the order in which they are looked at."""

    near_w: Array
    histogram: Array
    marks: Array
    sums: Array
    drawn: Array


class Node(NamedTuple):
    """A node to be divided: its rows and where they begin, gains that count as equal, the key of its random numbers, the whole
    and real numbers that its split is written to, and its vectors of sums (`Work.sums`)."""

    rows: Array
    begin: int
    tie: float
    key: np.uint64
    whole: Array
    real: Array
    sums: Array


class ColumnTable(NamedTuple):
    """The table of a column in a node: for each value that occurs its sums, weight and rows, its code, the order in which the
    values are cut, and the branch that each takes."""

    sums: Array
    code: Array
    order: Array
    side: Array


class Ranks(NamedTuple):
    """For absolute errors: of each target, the rank of each row among the sorted numbers of the node, and these numbers."""

    place: Array
    ladder: Array


class Ratios(NamedTuple):
    """For the gain ratio: decrease, ratio and threshold of the best split of each column; its last code below, side of the
    missing and branches; the branches of its levels; and a buffer for the weight of each branch."""

    gain: Array
    ratio: Array
    threshold: Array
    whole: Array
    sides: Array
    branch_weight: Array


class LevelBranches(NamedTuple):
    """The branch of each level in the best split so far, and the branches of all splits, one run after another."""

    side: Array
    branches: Array


class Opened(NamedTuple):
    """The numbers of the columns with bins and how far rows are apart (own_codes.py), and buffers for those of a node: the
    numbers, their order, and codes."""

    flat: Array
    step: int
    values: Array
    order: Array
    codes: Array


class Monotone(NamedTuple):
    """For monotonic constraints (monotone.py): the sign of each column, and for the column that is searched in a node its sign
    and the bounds of the node."""

    signs: Array
    limits: Array


class Queue(NamedTuple):
    """Decreases and numbers of the nodes that wait, a heap (core/heap.py)."""

    keys: Array
    numbers: Array


class Surrogates(NamedTuple):
    """Buffers for the splits of other columns: a table and a histogram of the branches of a node; for each column the weight
    that agrees, last code and branch below, threshold and share that agrees, and the branch of each level; and the best of
    them, in order. Then the surrogate splits so far: node, column, branch below and start of the levels; threshold and share
    that agrees."""

    directions: ColumnTable
    histogram: Array
    agreed: Array
    kind: Array
    shares: Array
    sides: Array
    order: Array
    whole: Array
    real: Array


class Space(NamedTuple):
    """Where a tree grows: its rows, in the order of the nodes; the branch of each row of the table; rows that are being moved;
    where each branch begins; the numbers of the nodes; and how far the growth has come (named above)."""

    rows: Array
    branch: Array
    spare: Array
    starts: Array
    cursor: Array
    whole: Array
    real: Array
    state: Array


class Parts(NamedTuple):
    """What only some fits ask for, None where it is not.

    Attributes
    ----------
    short : the codes of the short columns, a row for each column
    straight : True where cuts may come straight from a histogram or a line (`Rules.straight` says whether they do)
    near_y : the classes of the rows of a node, side by side
    near_z : or their weighted numbers (less `ORIGIN`), where the target is no class
    lines : Lines
    table : Table, for splits that do not come straight from a histogram or a line
    levels : Levels
    ranks : Ranks, for absolute errors
    codes : a buffer for the codes of the rows of a node, for random splits
    ratios : Ratios, for the gain ratio
    queue : Queue, for best-first growth
    branch_weight : the weight of each branch, where rows may have none or there are more than two branches
    shares : the weight of each row in its node, where rows with missing cells go to every branch
    surrogates : Surrogates
    opened : Opened, for codes of its own where the rows of a node lie in few bins of a column
    monotone : Monotone, for monotonic constraints
    """

    short: Any
    straight: Any
    near_y: Any
    near_z: Any
    lines: Any
    table: Any
    levels: Any
    ranks: Any
    codes: Any
    ratios: Any
    queue: Any
    branch_weight: Any
    shares: Any
    surrogates: Any
    opened: Any
    monotone: Any
