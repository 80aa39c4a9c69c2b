"""A directed graph in layers: arrows point down, are short, and few of them cross.

1. Each node v stands on a layer y_v below its parents, so that the edges are short together; a full layer becomes several.

       minimise Σ_edges (y_v − y_u)   subject to   y_v − y_u ≥ 1                                              (1)

2. An edge that passes layers gets a bend on each of them.
3. Within a layer, nodes and bends stand in the order of the means of their neighbours in the layer above, then below, and so
   on; neighbours are swapped while this removes crossings. The order with the fewest crossings is kept.

Cost: O(sweeps · edges · log edges), where edges are counted between neighbouring layers.
Reference: Sugiyama, Tagawa & Toda, "Methods for visual understanding of hierarchical system structures", IEEE Transactions on
Systems, Man, and Cybernetics 11, 1981; Gansner, Koutsofios, North & Vo, "A technique for drawing directed graphs", IEEE
Transactions on Software Engineering 19, 1993.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, sqrt

import numpy as np
from scipy import sparse
from scipy.optimize import linprog

UPWARDS = 1e-6  # what a layer costs, so that parts of the graph that nothing holds stand at the top
SWEEPS = 24  # up and down
SWAPPED_ITEMS = 600  # up to which neighbours are swapped, too
FEWEST_IN_A_LAYER = 8  # up to which no layer is full

Edge = tuple[int, int]


@dataclass(frozen=True)
class Layers:
    """Nodes and bends, layer by layer from the top.

    Attributes
    ----------
    order : list of lists of int
        The items of each layer from left to right: nodes, then bends, which are numbered after them.
    chains : list of lists of int
        The items along each edge, from the upper node to the lower one.
    """

    order: list[list[int]]
    chains: list[list[int]]

    @classmethod
    def of(cls, nodes: int, edges: Sequence[Edge]) -> Layers:
        """Of a graph without cycles."""
        layer = spread(nodes, edges, short_edges(nodes, edges))
        chains, count = list[list[int]](), nodes
        for u, v in edges:
            bends = range(count, count + layer[v] - layer[u] - 1)
            layer += range(layer[u] + 1, layer[v])
            chains.append([u, *bends, v])
            count += len(bends)
        return cls(few_crossings(layer, chains), chains)


def most_in_a_layer(nodes: int) -> int:
    """How many nodes a layer takes."""
    return max(FEWEST_IN_A_LAYER, ceil(2.0 * sqrt(nodes)))


def short_edges(nodes: int, edges: Sequence[Edge]) -> list[int]:
    """The layers (1): this linear programme has whole solutions, since each condition is a difference of two places."""
    if not edges:
        return [0] * nodes
    cost, rows = np.full(nodes, UPWARDS), np.arange(len(edges))
    tails, heads = np.array(edges).T
    np.add.at(cost, heads, 1.0)
    np.add.at(cost, tails, -1.0)
    signs, columns = np.repeat([1.0, -1.0], len(edges)), np.concatenate([tails, heads])
    apart = sparse.csr_array((signs, (np.concatenate([rows, rows]), columns)), shape=(len(edges), nodes))
    found = linprog(cost, apart, np.full(len(edges), -1.0), bounds=(0, nodes), method="highs-ds").x
    return [round(float(y)) for y in found]


def spread(nodes: int, edges: Sequence[Edge], layer: list[int]) -> list[int]:
    """The layers where one with too many nodes becomes several, which take turns; nodes without edges stand below all."""
    joined = {v for edge in edges for v in edge}
    rows: list[list[int]] = [[] for _ in range(nodes + 1)]
    for v in range(nodes):
        rows[layer[v] if v in joined else nodes].append(v)
    found, first = [0] * nodes, 0
    for row in rows:
        several = ceil(len(row) / most_in_a_layer(nodes))
        for j, v in enumerate(row):
            found[v] = first + j % several
        first += several
    return found


# ---- the order within layers -------------------------------------------------------------------------------------------


def few_crossings(layer: Sequence[int], chains: Sequence[Sequence[int]]) -> list[list[int]]:
    """The items of each layer in an order with few crossings."""
    up: list[list[int]] = [[] for _ in layer]
    down: list[list[int]] = [[] for _ in layer]
    for chain in chains:
        for u, v in pairwise(chain):
            down[u].append(v)
            up[v].append(u)
    order: list[list[int]] = [[] for _ in range(max(layer, default=-1) + 1)]
    for item in depth_first(up, down):
        order[layer[item]].append(item)
    best, fewest = [list(row) for row in order], crossings(order, down)
    for sweep in range(SWEEPS):
        if fewest == 0:
            break
        downwards = sweep % 2 == 0
        beside = up if downwards else down
        for k in range(1, len(order)) if downwards else range(len(order) - 2, -1, -1):
            order[k] = by_means(order[k], beside, order[k - 1 if downwards else k + 1])
        if len(layer) <= SWAPPED_ITEMS:
            swap_neighbours(order, up, down)
        if (count := crossings(order, down)) < fewest:
            best, fewest = [list(row) for row in order], count
    return best


def depth_first(up: Sequence[Sequence[int]], down: Sequence[Sequence[int]]) -> list[int]:
    """All items, each followed by what hangs together with it."""
    seen, found = set[int](), list[int]()
    for first in sorted(range(len(up)), key=lambda item: len(up[item])):
        waiting = [first]
        while waiting:
            item = waiting.pop()
            if item not in seen:
                seen.add(item)
                found.append(item)
                waiting += [*reversed(up[item]), *reversed(down[item])]
    return found


def by_means(row: list[int], beside: Sequence[Sequence[int]], other: Sequence[int]) -> list[int]:
    """A layer in the order of the mean places of its neighbours in another; items without any stay where they are."""
    at = {item: place for place, item in enumerate(other)}
    means = {item: sum(at[u] for u in beside[item]) / len(beside[item]) for item in row if beside[item]}
    moving = iter(sorted(means, key=means.__getitem__))
    return [next(moving) if item in means else item for item in row]


def swap_neighbours(order: list[list[int]], up: Sequence[Sequence[int]], down: Sequence[Sequence[int]]) -> None:
    """Exchange items that stand side by side while fewer edges cross that way."""
    at = {item: place for row in order for place, item in enumerate(row)}
    better = True
    while better:
        better = False
        for row in order:
            for k in range(len(row) - 1):
                a, b = row[k], row[k + 1]
                gain = sum(crossed(way[a], way[b], at) - crossed(way[b], way[a], at) for way in (up, down))
                if gain > 0:
                    row[k], row[k + 1], at[a], at[b], better = b, a, k + 1, k, True


def crossed(left: Sequence[int], right: Sequence[int], at: dict[int, int]) -> int:
    """Crossings of the edges of two items, the first on the left of the second."""
    return sum(at[u] > at[v] for u in left for v in right)


def crossings(order: Sequence[Sequence[int]], down: Sequence[Sequence[int]]) -> int:
    """Pairs of edges that cross between neighbouring layers."""
    count = 0
    for row, other in pairwise(order):
        at, ends = {item: place for place, item in enumerate(other)}, list[int]()
        for item in row:
            own = sorted(at[v] for v in down[item])
            count += sum(len(ends) - bisect_left(ends, place + 1) for place in own)
            for place in own:
                insort(ends, place)
    return count
