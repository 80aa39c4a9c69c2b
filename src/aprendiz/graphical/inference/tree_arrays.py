"""A junction tree as flat arrays, which kernels read.

Whatever belongs to clique c stands between `start[c]` and `start[c + 1]` of an array. An axis of a table is a node of it; the
stride of an axis says how many cells further the next level lies. So a table of any number of axes is a flat array and a few
strides, and a clique of a hundred nodes is as good as one of three.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from math import prod
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from aprendiz.core.rows import Array

if TYPE_CHECKING:
    from aprendiz.graphical.inference.junction_tree import JunctionTree


class TreeArrays(NamedTuple):
    """Cliques in the order of the tree, the root first."""

    sizes: Array  # levels of each node
    order: Array  # the nodes, parents before children
    parent_start: Array  # of each node, in `parents`
    parents: Array
    axis_start: Array  # of each clique, in `axes`
    axes: Array  # the nodes of the cliques
    shared: Array  # beside `axes`: whether the clique above has the node too
    above: Array  # the clique above
    below_start: Array  # of each clique, in `below`
    below: Array  # the cliques that hang from it
    upper_start: Array  # of each clique, in `upper`
    upper: Array  # for each axis of the clique above: whether (1 or 0) this clique has the node too
    member_start: Array  # of each clique, in `member`
    member: Array  # the nodes whose families are at home there
    stride_start: Array  # beside `member`, in `stride`
    stride: Array  # strides of the family's table along the axes of its clique
    table_start: Array  # of each node, in the tables laid end to end
    seat_start: Array  # of each clique, in `seat`
    seat: Array  # the nodes of which it is the smallest clique
    level_start: Array  # of each node, in the levels of all nodes laid end to end

    @classmethod
    def of(cls, tree: JunctionTree) -> TreeArrays:
        """The arrays of a tree."""
        has = [set(clique) for clique in tree.cliques]
        shared = [
            v in has[up] if up >= 0 else False for clique, up in zip(tree.cliques, tree.above, strict=True) for v in clique
        ]
        upper = [[v in own for v in tree.cliques[up]] if up >= 0 else [] for own, up in zip(has, tree.above, strict=True)]
        members: list[list[int]] = [[] for _ in tree.cliques]
        for v, home in enumerate(tree.homes):
            if home >= 0:
                members[home].append(v)
        seats: list[list[int]] = [[] for _ in tree.cliques]
        for v, seat in enumerate(tree.seats):
            if seat >= 0:
                seats[seat].append(v)
        stride = [strides_along(tree.cliques[c], tree.families[v], tree.sizes) for c, own in enumerate(members) for v in own]
        tables = [prod([tree.sizes[u] for u in family]) for family in tree.families]
        return cls(
            whole(tree.sizes),
            whole(tree.graph.order),
            *end_to_end(tree.graph.parents),
            *end_to_end(tree.cliques),
            np.array(shared, dtype=bool),
            whole(tree.above),
            *end_to_end(tree.below),
            *end_to_end(upper),
            *end_to_end(members),
            *end_to_end(stride),
            whole([0, *accumulate(tables)]),
            *end_to_end(seats),
            whole([0, *accumulate(tree.sizes)]),
        )


def strides_along(axes: Sequence[int], family: Sequence[int], sizes: Sequence[int]) -> list[int]:
    """The strides of a table whose axes are those of a family, along other axes; 0 where it has none."""
    stride, run = dict[int, int](), 1
    for v in reversed(family):
        stride[v] = run
        run *= sizes[v]
    return [stride.get(v, 0) for v in axes]


def whole(numbers: Sequence[int]) -> Array:
    """Whole numbers as kernels read them."""
    return np.array(numbers, dtype=np.int64)


def end_to_end(pieces: Sequence[Sequence[int]]) -> tuple[Array, Array]:
    """Where each of several pieces begins when they are laid end to end (and where the last one ends), and the pieces."""
    return whole([0, *accumulate(map(len, pieces))]), whole([one for piece in pieces for one in piece])
