"""Merges along the links of a graph: only clusters that are linked may join.

    the nearest linked pair A, B joins;     A ∪ B is linked to whatever A or B was linked to                   (1)

A link has a length. Where both A and B were linked to C, that of the union follows from both lengths:

    complete   the longer       average   the mean by sizes       weighted   the plain mean
    single     the shorter, so that the merges are a minimum spanning tree of the graph (spanning_tree.py)     (2)
    ward       √(2Δ), the rise of the cost, from the centres (ward_merges.py)

Clusters that are near but not linked cannot join early, so a merge may lie lower than the one before it. A graph in several
parts is completed first: the nearest rows of every two parts are linked.

Cost: O(m log² m) for m links, as the cluster with fewer links hands them to the other; more for Ward's, where every link of a
union changes; O(n²·d) more to complete the graph.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from heapq import heapify, heappop, heappush
from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from aprendiz.cluster.linkage.merges import Record
from aprendiz.cluster.linkage.spanning_tree import tree_of_links
from aprendiz.cluster.linkage.ward_merges import without_offset
from aprendiz.cluster.medoids.dissimilarities import ByMetric, Dissimilarities, Given
from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array
from aprendiz.neighbors.search.metrics import SQUARES

BLOCK = 128  # rows whose distances to all others are computed in one go

Near = dict[int, float]  # cluster → length of the link


class Lengths(ABC):
    """(2): how long the links are, of rows and of unions."""

    @abstractmethod
    def of_row(self, i: int, near: Array) -> Array:
        """Of the links of a row."""

    @abstractmethod
    def of_union(self, i: int, j: int, near_i: Near, near_j: Near) -> Near:
        """The links of i ∪ j that i does not have, or not of that length. From now on, i stands for the union."""


class WardCentres(Lengths):
    """Ward's."""

    def __init__(self, X: Array):
        self.centers, self.sizes = without_offset(X).copy(), np.ones(len(X))

    def of_row(self, i: int, near: Array) -> Array:
        return np.asarray(ward_lengths(self.centers, self.sizes, i, near))

    def of_union(self, i: int, j: int, near_i: Near, near_j: Near) -> Near:
        others = [*near_i, *(c for c in near_j if c not in near_i)]
        self.sizes[i] += self.sizes[j]
        self.centers[i] += (self.centers[j] - self.centers[i]) * (self.sizes[j] / self.sizes[i])
        return dict(zip(others, self.of_row(i, np.array(others, np.int64)).tolist(), strict=True))


class Links(Lengths):
    """Those of complete, average and weighted linkage."""

    def __init__(self, distances: Dissimilarities, linkage: str):
        self.distances, self.linkage, self.sizes = distances, linkage, [1.0] * distances.count

    def of_row(self, i: int, near: Array) -> Array:
        return lengths_of(self.distances, i, near)

    def of_union(self, i: int, j: int, near_i: Near, near_j: Near) -> Near:
        a, b = self.sizes[i], self.sizes[j]
        share = a / (a + b) if self.linkage == "average" else 0.5
        self.sizes[i] = a + b
        return {c: length if c not in near_i else self.join(near_i[c], length, share) for c, length in near_j.items()}

    def join(self, one: float, other: float, share: float) -> float:
        return max(one, other) if self.linkage == "complete" else share * one + (1 - share) * other


def lengths_of(distances: Dissimilarities, i: int, near: Array) -> Array:
    """The distances of row i to some others."""
    if isinstance(distances, Given):
        return np.asarray(distances.D[i, near])
    if isinstance(distances, ByMetric) and distances.metric.code == SQUARES:
        return distances.metric.distances(squares(distances.points, i, near), distances.points.shape[1])
    return distances.among(np.concatenate([[i], near])).to(0)[1:]


def connected_merges(graph: Any, lengths: Lengths) -> Record:
    """(1), in the order in which the merges are made. The graph is symmetric, and in one part."""
    near: list[Near] = [dict(zip(to.tolist(), lengths.of_row(i, to).tolist(), strict=True)) for i, to in neighbours(graph)]
    heap = [(length, i, j) for i, links in enumerate(near) for j, length in links.items() if j < i]
    heapify(heap)
    record = Record.of(len(near))
    while record.count < len(near) - 1:
        height, i, j = heappop(heap)
        if near[i].get(j) == height:  # the link is still there, and still of that length
            i, j = (i, j) if len(near[i]) >= len(near[j]) else (j, i)
            record.add(np.array([i]), np.array([j]), np.array([height]))
            join(near, heap, i, j, lengths)
    return record


def neighbours(graph: Any) -> Iterator[tuple[int, Array]]:
    """Each row, and those it is linked to."""
    return enumerate(np.split(graph.indices.astype(np.int64), graph.indptr[1:-1]))


def join(near: list[Near], heap: list[tuple[float, int, int]], i: int, j: int, lengths: Lengths) -> None:
    """i ∪ j takes the place of i, the one with more links: those that i alone had stay as they are."""
    del near[i][j], near[j][i]
    for c in near[j]:
        del near[c][j]
    for c, length in lengths.of_union(i, j, near[i], near[j]).items():
        near[i][c] = near[c][i] = length
        heappush(heap, (length, i, c))
    near[j] = {}


def single_merges(graph: Any, distances: Dissimilarities) -> Record:
    """Single linkage along the links: (1) and (2) are a minimum spanning tree of the graph."""
    first, second = (np.asarray(one, np.int64) for one in sparse.coo_array(graph).coords)
    lengths = np.concatenate([lengths_of(distances, i, near) for i, near in neighbours(graph)])
    once = first < second
    return tree_of_links(first[once], second[once], lengths[once], distances.count)


# ---- the graph -------------------------------------------------------------------------------------------------------


def as_graph(connectivity: Any, rows: int) -> Any:
    """Links both ways, none of a row with itself, as compressed rows."""
    graph = sparse.csr_array(connectivity)
    if graph.shape != (rows, rows):
        raise ValueError(
            f"connectivity must have a row and a column for each of the {rows} rows of X; its shape is {graph.shape}."
        )
    links = sparse.coo_array(graph != 0)
    first, second = (np.asarray(one, np.int64) for one in links.coords)
    apart = first != second
    both = np.concatenate([first[apart], second[apart]]), np.concatenate([second[apart], first[apart]])
    graph = sparse.csr_array((np.ones(len(both[0])), both), shape=(rows, rows))
    graph.sum_duplicates()
    return graph


def connect(graph: Any, distances: Dissimilarities) -> tuple[Any, int]:
    """The graph in one part, and the number of its parts before."""
    parts, part = connected_components(graph, directed=False)
    if parts == 1:
        return graph, 1
    first = nearest_rows(distances, part, parts)
    members = [np.flatnonzero(part == q) for q in range(parts)]
    pairs = list(zip(*np.triu_indices(parts, 1), strict=True))
    ends = np.array([(first[p, q], partner(distances, first[p, q], members[q])) for p, q in pairs]).T
    bridges = np.concatenate([ends[0], ends[1]]), np.concatenate([ends[1], ends[0]])
    return sparse.csr_array(graph + sparse.csr_array((np.ones(len(bridges[0])), bridges), shape=graph.shape)), parts


def nearest_rows(distances: Dissimilarities, part: Array, parts: int) -> Array:
    """Entry (p, q): the row of part p that is nearest to part q."""
    order = np.argsort(part, kind="stable")
    starts = np.searchsorted(part[order], np.arange(parts))
    shortest, found = np.full((parts, parts), np.inf), np.zeros((parts, parts), np.int64)
    for begin in range(0, len(part), BLOCK):
        numbers = order[begin : begin + BLOCK]
        least = np.minimum.reduceat(distances.rows(numbers)[:, order], starts, axis=1)
        for row, number in zip(least, numbers, strict=True):
            nearer = row < shortest[part[number]]
            shortest[part[number], nearer], found[part[number], nearer] = row[nearer], number
    return found


def partner(distances: Dissimilarities, i: int, members: Array) -> int:
    """The nearest of some rows to row i."""
    return int(members[lengths_of(distances, i, members).argmin()])


# ---- kernels ---------------------------------------------------------------------------------------------------------


@compiled
def squares(points: Array, i: int, near: Array) -> Array:
    """‖x_i − x_j‖² for some j."""
    out = np.zeros(len(near))
    for s in range(len(near)):
        for t in range(points.shape[1]):
            u = points[near[s], t] - points[i, t]
            out[s] += u * u
    return out


@compiled
def ward_lengths(centers: Array, sizes: Array, i: int, near: Array) -> Array:
    """√(2Δ) of cluster i and some others."""
    out = squares(centers, i, near)
    for s in range(len(near)):
        a, b = sizes[i], sizes[near[s]]
        out[s] = np.sqrt(2.0 * a * b / (a + b) * out[s])
    return out
