"""Places of the boxes of a directed graph on paper, in layers, and the ways of its arrows between them.

Order and layers come from layers.py. The places x of the items of a layer are those that bring edges nearest to the vertical

    minimise Σ_edges ω (x_u − x_v)²   subject to   x_right − x_left ≥ half their widths + gap                 (1)

where ω is larger for edges with bends, so that long ones run straight. One layer after the other is solved exactly while the
others stand: it is a regression with rising values once the least distances are taken off (isotonic regression). Some sweeps
down and up settle it. Arrows leave and enter a box side by side in the order in which they come, and pass layers vertically.

Cost: O(sweeps · items) after the layers are ordered.
Reference: as in layers.py; Best & Chakravarti, "Active set algorithms for isotonic regression", Mathematical Programming 47,
1990.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy import sparse
from scipy.optimize import isotonic_regression

from aprendiz.core.rows import Array
from aprendiz.plots.layout.layers import Edge, Layers
from aprendiz.plots.layout.tree_layout import Box

SWEEPS = 40
BEND = 4.0  # points, the width of a bend
STRAIGHTER = (1.0, 2.0, 8.0)  # ω of an edge between nodes, from a node to a bend, between bends
STANDING = 1e-3  # ω of an item and itself
SLOPE, STEEPEST = 0.06, 40.0  # of the points that an edge goes to the side, those that it goes down; at most
PORT = 10.0  # points between arrows at a box, at most
PORTS = 0.7  # of its width, that they take at most

Point = tuple[float, float]


@dataclass(frozen=True)
class LayeredLayout:
    """Where everything stands, in points from 0 on, y upwards.

    Attributes
    ----------
    boxes : list of Box
        Of each node.
    ways : list of lists of points
        Along each edge, from its first node to its second; between the floor of a layer and the top of the next the way
        may be curved, otherwise it is vertical.
    width, height : float
        Of the drawing.
    """

    boxes: list[Box]
    ways: list[list[Point]]
    width: float
    height: float

    @classmethod
    def of(cls, sizes: Sequence[Point], edges: Sequence[Edge], gap: float, drop: float) -> LayeredLayout:
        """The layout of boxes of some widths and heights, with a gap between neighbours and a drop between layers.

        Edges may form cycles: then some point up.
        """
        turned = backward(len(sizes), edges)
        layers = Layers.of(len(sizes), [edge[::-1] if turn else edge for edge, turn in zip(edges, turned, strict=True)])
        widths = np.full(sum(map(len, layers.order)), BEND)
        widths[: len(sizes)] = [width for width, _ in sizes]
        x = places_across(layers, widths, gap)
        x -= min((x - widths / 2), default=0.0)
        layer_of = {item: k for k, row in enumerate(layers.order) for item in row}
        heights = [max((sizes[i][1] for i in row if i < len(sizes)), default=0.0) for row in layers.order]
        drops = [drop + extra for extra in drops_for_slopes(layers, x, layer_of)]
        tops = [sum(heights[k:]) + sum(drops[k + 1 :]) for k in range(len(heights))]
        boxes = []
        for i, size in enumerate(sizes):
            k = layer_of[i]
            boxes.append(Box(float(x[i]), tops[k], *size, tops[k] - heights[k]))
        bends = {i: (float(x[i]), tops[k], tops[k] - heights[k]) for i, k in layer_of.items() if i >= len(sizes)}
        ways = [way[::-1] if turn else way for way, turn in zip(draw_ways(layers, boxes, bends), turned, strict=True)]
        return cls(boxes, ways, float(max(x + widths / 2, default=0.0)), tops[0] if tops else 0.0)


def backward(nodes: int, edges: Sequence[Edge]) -> list[bool]:
    """Which edges point back in an order in which each node follows those that lead to it, if there is one."""
    below: list[list[int]] = [[] for _ in range(nodes)]
    for u, v in edges:
        below[u].append(v)
    done, rank = set[int](), [0] * nodes
    for first in range(nodes):
        waiting = [(first, False)]
        while waiting:
            v, finished = waiting.pop()
            if finished:
                rank[v] = nodes - len(done)
                done.add(v)
            elif v not in done and rank[v] == 0:
                rank[v] = -1  # begun
                waiting.append((v, True))
                waiting += [(u, False) for u in below[v] if rank[u] == 0]
    return [rank[u] > rank[v] for u, v in edges]


# ---- across --------------------------------------------------------------------------------------------------------------


def places_across(layers: Layers, widths: Array, gap: float) -> Array:
    """The places (1) of all items."""
    items = len(widths)
    x, pull = np.zeros(items), pulls(layers, items)
    rows = []
    for row in layers.order:
        half = widths[row] / 2
        least = np.concatenate([[0.0], np.cumsum(half[1:] + half[:-1] + gap)])  # places without any room to spare
        x[row] = least - least[-1] / 2
        rows.append((row, least, pull[row], pull[row].sum(axis=1)))
    for sweep in range(SWEEPS):
        for row, least, own, weight in rows if sweep % 2 == 0 else reversed(rows):
            x[row] = isotonic_regression(own @ x / weight - least, weights=weight).x + least
    return x


def pulls(layers: Layers, items: int) -> sparse.csr_array:
    """ω between each two items that an edge joins; items without edges are pulled to where they are."""
    joined = [pair for chain in layers.chains for pair in pairwise(chain)]
    first_bend = items - sum(len(chain) - 2 for chain in layers.chains)
    found = sparse.lil_array((items, items))
    found.setdiag(STANDING)
    for u, v in joined:
        found[u, v] = found[v, u] = STRAIGHTER[(u >= first_bend) + (v >= first_bend)]
    return found.tocsr()


def drops_for_slopes(layers: Layers, x: Array, layer_of: dict[int, int]) -> list[float]:
    """How much lower each layer stands because of the farthest edge that comes to it."""
    farthest = [0.0] * len(layers.order)
    for chain in layers.chains:
        for u, v in pairwise(chain):
            farthest[layer_of[v]] = max(farthest[layer_of[v]], abs(float(x[u] - x[v])))
    return [min(SLOPE * far, STEEPEST) for far in farthest]


# ---- along -------------------------------------------------------------------------------------------------------------


def draw_ways(layers: Layers, boxes: Sequence[Box], bends: dict[int, tuple[float, float, float]]) -> list[list[Point]]:
    """The points along each edge, downwards."""
    place = {i: x for i, (x, _, _) in bends.items()} | {i: box.x for i, box in enumerate(boxes)}
    leave = ports(boxes, [(chain[0], place[chain[1]]) for chain in layers.chains])
    enter = ports(boxes, [(chain[-1], place[chain[-2]]) for chain in layers.chains])
    ways = []
    for chain, first, last in zip(layers.chains, leave, enter, strict=True):
        upper, lower = boxes[chain[0]], boxes[chain[-1]]
        way = [(first, upper.bottom), (first, upper.floor)]
        for bend in chain[1:-1]:
            x, top, floor = bends[bend]
            way += [(x, top), (x, floor)]
        ways.append([*way, (last, lower.top)])
    return ways


def ports(boxes: Sequence[Box], ends: Sequence[tuple[int, float]]) -> list[float]:
    """Where each edge touches its box: side by side in the order of the places x where the edges go."""
    at: dict[int, list[int]] = {}
    for edge, (node, _) in enumerate(ends):
        at.setdefault(node, []).append(edge)
    found = [0.0] * len(ends)
    for node, own in at.items():
        step = min(PORT, PORTS * boxes[node].width / len(own))
        for k, edge in enumerate(sorted(own, key=lambda edge: ends[edge][1])):
            found[edge] = boxes[node].x + (k - (len(own) - 1) / 2) * step
    return found
