"""The farthest-first traversal: an order of the rows in which each next one is the farthest from those before.

    x₁ given,     x_i = argmax_x d(x, {x₁ … x_{i−1}}),     R_i = d(x_i, {x₁ … x_{i−1}})                        (1)

Since x_j was no farther from fewer points than x_i was, R₂ ≥ R₃ ≥ … ≥ R_n; and every row is within R_{k+1} of the first k. The
first k+1 points are pairwise at least R_{k+1} apart. The parent of x_i is the nearest of the points before it,

    π(i) = argmin_{j<i} d(x_i, x_j),                                                                          (2)

or, by levels, the nearest of the points of earlier levels; level l holds the points with R₂/2^l < R_i ≤ R₂/2^(l−1):

    ρ(i) = argmin {d(x_i, x_j) : level(j) < level(i)}                                                         (3)

Rows at distance 0 from all chosen ones come last, in their order; for (3) they are a level of their own.

Cost: O(n·d) for each point of the traversal, side by side over blocks of rows; memory O(n).
References: Gonzalez, "Clustering to minimize the maximum intercluster distance", Theoretical Computer Science 38, 1985;
Dasgupta & Long, "Performance guarantees for hierarchical clustering", J. Computer and System Sciences 70, 2005.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass

import numpy as np

from aprendiz.cluster.medoids.dissimilarities import Dissimilarities
from aprendiz.compilation.compiled import compiled
from aprendiz.core.random import uniforms
from aprendiz.core.rows import Array
from aprendiz.core.threads import ordered_map

BLOCK = 2**14  # rows that a thread compares with the newest point
TAKEN = -1.0  # in place of the distance of a row that was chosen: it is never the farthest


@dataclass(frozen=True)
class Traversal:
    """The first m points of (1), by their place 0 … m − 1.

    Attributes
    ----------
    order : ndarray of shape (m,)
        The numbers of the rows.
    radii : ndarray of shape (m,)
        R₂ … R_{m+1}; the last is the largest distance of a row to the m points.
    parents, lengths : ndarray of shape (m,)
        The place of the parent, (2) or (3), and the distance to it; −1 and 0 for the first point.
    near : ndarray of shape (n,)
        The place of the point nearest to each row, ties to the earlier one.
    """

    order: Array
    radii: Array
    parents: Array
    lengths: Array
    near: Array


def farthest_first(distances: Dissimilarities, first: int, points: int, *, levels: bool = False) -> Traversal:
    """The traversal from a first row; `levels` gives the parents (3) instead of (2)."""
    n = distances.count
    least, near, room = np.full(n, np.inf), np.zeros(n, np.int32), np.empty(n)
    order, parents = np.empty(points, np.int64), np.full(points, -1, np.int64)
    radii, lengths = np.empty(points), np.zeros(points)
    above, known = (near, least) if not levels else (near.copy(), least.copy())
    limit, chosen = np.inf, first
    for place in range(points):
        order[place], least[chosen] = chosen, TAKEN
        near[chosen] = place
        radius, farthest = one_more(distances, chosen, place, least, near, room)
        radii[place] = radius
        if place + 1 == points:
            break
        if levels and radius <= limit:  # the next point opens a level
            above, known = near.copy(), least.copy()
            limit = next_limit(limit, radius)
        parents[place + 1], lengths[place + 1] = above[farthest], known[farthest]
        chosen = farthest
    return Traversal(order, radii, parents, lengths, near)


def next_limit(limit: float, radius: float) -> float:
    """R₂/2^l, below which the next level begins; nothing is below the level of the rows at distance 0."""
    if radius == 0:
        return -1.0
    if limit == np.inf:
        return radius / 2
    while radius <= limit:
        limit /= 2
    return limit


def one_more(distances: Dissimilarities, chosen: int, place: int, least: Array, near: Array, room: Array) -> tuple[float, int]:
    """Take a point into account; the farthest row that is left, and its distance (0 if none is left)."""

    def work(start: int) -> tuple[float, int]:
        here = slice(start, min(start + BLOCK, len(least)))
        distances.fill_part(chosen, here, room[here])
        largest, at = come_nearer(room[here], place, least[here], near[here])
        return float(largest), start + int(at)

    with closing(ordered_map(work, range(0, len(least), BLOCK))) as found:
        radius, farthest = max(found, key=lambda pair: (pair[0], -pair[1]))
    return max(radius, 0.0), farthest


def first_row(first: int | str, weight: Array, seed: int) -> int:
    """The row that a traversal starts from: the given one, or one at random, each as likely as its weight."""
    if isinstance(first, str):
        running = np.cumsum(weight)
        return int(np.searchsorted(running, uniforms(seed, 0, 1)[0] * running[-1], side="right"))
    if first >= len(weight):
        raise ValueError(f"first is row {first}, but it must be one of the rows 0 to {len(weight) - 1}.")
    if weight[first] == 0:
        raise ValueError(f"first is row {first}, whose weight is 0: choose one with a positive weight.")
    return int(first)


@compiled
def come_nearer(d: Array, place: int, least: Array, near: Array) -> tuple[float, int]:
    """Distances to the nearest point and its place, after one more; the largest that is left, and where."""
    largest, at = -2.0, 0
    for i in range(len(d)):
        nearer = d[i] < least[i]
        least[i] = d[i] if nearer else least[i]
        near[i] = place if nearer else near[i]
        largest = max(largest, least[i])
    while least[at] != largest:
        at += 1
    return largest, at
