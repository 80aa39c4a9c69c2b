"""Shapley values of the columns in a tree, where unknown columns have the cells of a row of a background table.

For a row x and a row z of the background, v(S) is the value of the tree for a row with the cells of x in S and of z elsewhere.
A leaf is reached if all columns on its way at which only x goes there are in S (a of them), and all at which only z does are
not (b of them). So a leaf of value v adds to the contribution of

    a column of the first kind     + v (a − 1)! b! / (a + b)!
    a column of the second kind    − v a! (b − 1)! / (a + b)!                                                 (1)

and the contributions against the table are the means over z. Only nodes to which x or z go are visited: where both take the
same branch the way goes on, where they part it divides, and the column belongs to its side from then on. The parts between are
numbered as they are found, and summed up from the last to the first.

Cost: O(nodes that x or z reach) for each pair of rows, no more than O(leaves · depth).
Reference: Lundberg et al., "From local explanations to global understanding with explainable AI for trees", Nature Machine
Intelligence 2, 2020, algorithm 3.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.rows import Array
from aprendiz.tree.contributions.branches import RowsSideBySide, find_branches
from aprendiz.tree.shared.descent import Splits, SurrogateSplits

BOTH, ROW, BACKGROUND = 0, 1, 2  # whose side a column is on


class Parts(NamedTuple):
    """The parts of a tree to which a pair of rows comes, in the order in which they are looked at.

    node            where a part begins, for those that wait
    before          the part that it divided from
    column, side    by which column, and on whose side it is
    own, others     a and b of (1) in this part
    plus, minus     sums over its leaves of (1) for a column of the first kind and, without the sign, of the second
    waiting         the parts that wait, the next one last
    """

    node: Array
    before: Array
    column: Array
    side: Array
    own: Array
    others: Array
    plus: Array
    minus: Array
    waiting: Array


def parts_of(leaves: int, outputs: int) -> Parts:
    """Room for as many parts as a tree can have."""
    count = 2 * leaves
    node, before, column, side, own, others, waiting = (np.zeros(count, np.int32) for _ in range(7))
    plus, minus = np.zeros((count, outputs)), np.zeros((count, outputs))
    return Parts(node, before, column, side, own, others, plus, minus, waiting)


def coalition_weights(columns: int) -> Array:
    """(a − 1)! b! / (a + b)! at (a, b), for up to so many columns together; 0 where a is 0."""
    weights = np.zeros((columns + 1, columns + 1))
    for b in range(columns):
        weights[1, b] = 1.0 / (b + 1)
        for a in range(2, columns - b + 1):
            weights[a, b] = weights[a - 1, b] * (a - 1) / (a + b)
    return weights


@compiled
def next_nodes(rows: RowsSideBySide, splits: Splits, surrogates: SurrogateSplits, taken: Array, following: Array) -> None:
    """The child that each row takes at each inner node, of shape (rows, nodes)."""
    for t in range(following.shape[1]):
        if splits.feature[t] >= 0:
            find_branches(t, 0, rows, splits, surrogates, taken)
            for i in range(len(taken)):
                following[i, t] = splits.children[splits.child_start[t] + taken[i]]


@compiled
def add_contributions(
    own: Array, others: Array, feature: Array, value: Array, weights: Array, parts: Parts, sides: Array, found: Array
) -> None:
    """Add (1), summed over the background, to `found`, of shape (columns, outputs, rows). `own` and `others` are the next nodes
    of the rows and of the background; `sides` has a 0 for each column."""
    for i in range(len(own)):
        for z in range(len(others)):
            count = find_parts(own[i], others[z], feature, value, weights, parts, sides)
            for s in range(count - 1, 0, -1):
                before, j, is_own = parts.before[s], parts.column[s], parts.side[s] == ROW
                for k in range(value.shape[1]):
                    plus, minus = parts.plus[s, k], parts.minus[s, k]
                    parts.plus[before, k] += plus
                    parts.minus[before, k] += minus
                    found[j, k, i] += plus if is_own else -minus


@compiled(inner=True)
def find_parts(own: Array, others: Array, feature: Array, value: Array, weights: Array, parts: Parts, sides: Array) -> int:
    """The parts to which a pair of rows comes, with the sums of those that end in a leaf. Gives their number."""
    parts.node[0], parts.own[0], parts.others[0], parts.waiting[0] = 0, 0, 0, 0
    count, waiting, last = int64(1), int64(1), int64(0)
    while waiting > 0:
        waiting -= 1
        s = int64(parts.waiting[waiting])
        if s > 0:
            while last != parts.before[s]:  # back to where the way divided
                sides[parts.column[last]] = BOTH
                last = int64(parts.before[last])
            sides[parts.column[s]] = parts.side[s]
        last, t = s, int64(parts.node[s])
        while feature[t] >= 0:
            side = sides[feature[t]]
            if side == BOTH and own[t] != others[t]:
                break
            t = int64(own[t] if side != BACKGROUND else others[t])
        if feature[t] < 0:
            a, b = parts.own[s], parts.others[s]
            for k in range(value.shape[1]):
                parts.plus[s, k], parts.minus[s, k] = value[t, k] * weights[a, b], value[t, k] * weights[b, a]
            continue
        for k in range(value.shape[1]):
            parts.plus[s, k], parts.minus[s, k] = 0.0, 0.0
        for side in (ROW, BACKGROUND):
            parts.node[count] = own[t] if side == ROW else others[t]
            parts.before[count], parts.column[count], parts.side[count] = s, feature[t], side
            parts.own[count] = parts.own[s] + int64(side == ROW)
            parts.others[count] = parts.others[s] + int64(side == BACKGROUND)
            parts.waiting[waiting] = count
            waiting, count = waiting + 1, count + 1
    while last > 0:
        sides[parts.column[last]] = BOTH
        last = int64(parts.before[last])
    return count
