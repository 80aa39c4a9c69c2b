"""From the nodes in the order in which they grew to a `Tree` in depth-first order.

A node is created with its siblings, after its parent. With the sizes of the subtrees, the place of a node is that of its
parent, one more, and the sizes of its elder siblings.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aprendiz.core.compiled import compiled
from aprendiz.core.rows import Array
from aprendiz.tree import growth
from aprendiz.tree.nodes import Tree, starts


def assembled(grown: tuple[Array, Array, Array, Array, Array], layout: Array, factors: Array | None) -> Tree:
    """The tree of what `growth.grow` returned. Class weights are divided by `factors` (None for numbers)."""
    whole, real, levels, others, other_real = grown
    place = depth_first(whole[:, growth.PARENT])
    order = np.argsort(place)
    node, of = whole[order], real[order]
    sums = of[:, growth.SUMS :]
    if factors is not None:
        sums = sums / factors
    weight = of[:, growth.WEIGHT] if factors is None else sums.sum(axis=1)
    level_start, level_branch = runs(levels, node[:, growth.LEVELS], layout[growth.SIZE][np.maximum(node[:, growth.COLUMN], 0)])
    family = np.argsort(place[node[1:, growth.PARENT]], kind="stable") + 1
    parts = np.bincount(place[node[1:, growth.PARENT]], minlength=len(node))
    return Tree(
        feature=node[:, growth.COLUMN].copy(),
        threshold=of[:, growth.THRESHOLD].copy(),
        child_start=starts(parts),
        children=family,
        level_start=level_start,
        level_branch=level_branch,
        missing_branch=node[:, growth.MISSING].astype(np.int32),
        impurity=of[:, growth.IMPURITY].copy(),
        n_node_samples=node[:, growth.ROWS].copy(),
        weighted_n_node_samples=weight.copy(),
        value=sums[:, :, None].copy() if factors is None else (sums / weight[:, None])[:, None, :],
        **surrogates(others, other_real, levels, layout, place),
    )


def surrogates(others: Array, real: Array, levels: Array, layout: Array, place: Array) -> dict[str, Any]:
    """The surrogate questions, by the new numbers of their nodes."""
    order = np.argsort(place[others[:, 0]], kind="stable")
    others, real = others[order], real[order]
    level_start, level_branch = runs(levels, others[:, 3], layout[growth.SIZE][others[:, 1]])
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


@compiled
def depth_first(parent):  # type: ignore[no-untyped-def]
    """The place of each node in depth-first order."""
    n = len(parent)
    size, place, next_place = np.ones(n, np.int64), np.zeros(n, np.int64), np.ones(n, np.int64)
    for t in range(n - 1, 0, -1):
        size[parent[t]] += size[t]
    for t in range(1, n):
        place[t] = next_place[parent[t]]
        next_place[parent[t]] += size[t]
        next_place[t] = place[t] + 1
    return place
