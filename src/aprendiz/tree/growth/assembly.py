"""From the nodes in the order in which they grew to a `Tree` in depth-first order.

A node is created with its siblings, after its parent. With the sizes of the subtrees, the place of a node is that of its
parent, one more, and the sizes of its elder siblings.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array
from aprendiz.tree.growth import records
from aprendiz.tree.growth.monotone import bounded_values
from aprendiz.tree.shared.nodes import Tree, starts


def assembled(
    grown: tuple[Array, Array, Array, Array, Array], layout: Array, factors: Array | None, bounded: bool = False
) -> Tree:
    """The tree of what `grow_tree` returned. Class weights are divided by `factors` (None for numbers). With `bounded`, its
    nodes have bounds (monotone.py)."""
    whole, real, levels, others, other_real = grown
    place = depth_first(whole[:, records.PARENT])
    order = np.argsort(place)
    node, of = whole[order], real[order]
    sums = of[:, records.SUMS :]
    if factors is not None:
        sums = sums / factors
    weight = of[:, records.WEIGHT] if factors is None else sums.sum(axis=1)
    value = sums if factors is None else sums / weight[:, None]
    if bounded:
        value = bounded_values(of)
    level_start, level_branch = runs(
        levels, node[:, records.LEVELS], layout[records.SIZE][np.maximum(node[:, records.COLUMN], 0)]
    )
    family = np.argsort(place[node[1:, records.PARENT]], kind="stable") + 1
    parts = np.bincount(place[node[1:, records.PARENT]], minlength=len(node))
    return Tree(
        feature=node[:, records.COLUMN].copy(),
        threshold=of[:, records.THRESHOLD].copy(),
        child_start=starts(parts),
        children=family,
        level_start=level_start,
        level_branch=level_branch,
        missing_branch=node[:, records.MISSING].astype(np.int32),
        impurity=of[:, records.IMPURITY].copy(),
        n_node_samples=node[:, records.ROWS].copy(),
        weighted_n_node_samples=weight.copy(),
        value=value[:, :, None].copy() if factors is None else value[:, None, :],
        **surrogates(others, other_real, levels, layout, place),
        n_features=layout.shape[1],
    )


def surrogates(others: Array, real: Array, levels: Array, layout: Array, place: Array) -> dict[str, Any]:
    """The surrogate splits, by the new numbers of their nodes."""
    order = np.argsort(place[others[:, 0]], kind="stable")
    others, real = others[order], real[order]
    level_start, level_branch = runs(levels, others[:, 3], layout[records.SIZE][others[:, 1]])
    return {
        "surrogate_start": starts(np.bincount(place[others[:, 0]], minlength=len(place))),
        "surrogate_feature": others[:, 1].copy(),
        "surrogate_threshold": real[:, 0].copy(),
        "surrogate_first": others[:, 2].astype(np.int32),
        "surrogate_level_start": level_start,
        "surrogate_level_branch": level_branch,
        "surrogate_agreement": real[:, 1].copy(),
    }


def runs(levels: Array, begin: Array, size: Array) -> tuple[Array, Array]:
    """Runs of `levels` that begin at the given places (−1: no run), one after the other: their starts, and what is in them."""
    sizes = np.where(begin >= 0, size, 0)
    start = starts(sizes)
    inside = np.arange(start[-1]) - np.repeat(start[:-1], sizes)
    return start, levels[np.repeat(begin, sizes) + inside]


def depth_first(parent: Array) -> Array:
    """The place of each node in depth-first order."""
    place, size, next_place = np.zeros(len(parent), np.int64), np.ones(len(parent), np.int64), np.ones(len(parent), np.int64)
    put_in_order(np.ascontiguousarray(parent), size, next_place, place)
    return place


@compiled
def put_in_order(parent: Array, size: Array, next_place: Array, place: Array) -> None:
    """Count the subtrees from the last node to the first, then place the nodes from the first to the last."""
    for t in range(len(parent) - 1, 0, -1):
        size[parent[t]] += size[t]
    for t in range(1, len(parent)):
        place[t] = next_place[parent[t]]
        next_place[parent[t]] += size[t]
        next_place[t] = place[t] + 1
