"""A hierarchy of clusters as a list of merges, in the form of SciPy's linkage matrix.

Row i of the matrix says which two clusters make cluster n + i, at what height, and how many rows it has:

    Z_i = (first, second, height, size),     clusters 0 … n − 1 are the rows themselves                       (1)

    cut at k           undo the last k − 1 merges
    cut at a height    keep the merges below it (scikit-learn), or not above it (SciPy)
    order of leaves    from left to right in the tree, so that each cluster is a run of rows: start, size
    cophenetic         c(x, y), the height at which x and y first belong to one cluster                       (2)

Cost: O(n log n) to sort, O(n) for a cut or the order, O(n) for a row of (2).
Reference: Sokal & Rohlf, "The comparison of dendrograms by objective methods", Taxon 11, 1962.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from heapq import heappush, heappushpop
from typing import Self

import numpy as np

from aprendiz.cluster.medoids.dissimilarities import Dissimilarities
from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array
from aprendiz.core.threads import ordered_map

BLOCK = 64  # rows of distances that are compared in one go


@dataclass
class Record:
    """Merges as they are found: a row of each of the two clusters, and the height."""

    first: Array
    second: Array
    height: Array
    count: int

    @classmethod
    def of(cls, rows: int) -> Self:
        """Room for the merges of so many rows."""
        return cls(np.empty(rows - 1, np.int64), np.empty(rows - 1, np.int64), np.empty(rows - 1), 0)

    def add(self, first: Array, second: Array, height: Array) -> None:
        new = slice(self.count, self.count + len(first))
        self.first[new], self.second[new], self.height[new] = first, second, height
        self.count += len(first)

    def level(self) -> Self:
        """Merges of a linkage whose heights never fall, found from the leaves up: what falls by rounding is put right."""
        lift(self.first, self.second, self.height)
        return self

    def linkage(self) -> Array:
        """(1), lowest merges first; of equal heights in the order in which they were found."""
        order = np.argsort(self.height, kind="stable")
        return self.in_order(order)

    def in_order(self, order: Array) -> Array:
        """(1), the merges in some order."""
        Z = np.empty((len(order), 4))
        name(self.first[order], self.second[order], Z)
        Z[:, 2] = self.height[order]
        return Z


# ---- cuts ------------------------------------------------------------------------------------------------------------


def cut(children: Array, k: int) -> Array:
    """The cluster of each row when the last k − 1 merges are undone, numbered as in scikit-learn."""
    n = len(children) + 1
    if not 1 <= k <= n:
        raise ValueError(f"k must be at least 1 and at most the number of rows, {n}; got {k}.")
    heap = [2 - 2 * n]  # the clusters, minus their numbers: the latest merge is on top
    for _ in range(k - 1):
        first, second = children[-heap[0] - n].tolist()
        heappush(heap, -first)
        heappushpop(heap, -second)
    labels = np.full(2 * n - 1, -1, np.int64)
    labels[-np.array(heap)] = np.arange(k)
    hand_down(children, labels)
    return labels[:n]


def clusters_at(heights: Array, height: float, closed: bool = False) -> int:
    """The number of clusters that the merges below a height leave; closed, those at that very height are kept too."""
    undone = heights > height if closed else heights >= height
    return int(np.count_nonzero(undone)) + 1


# ---- leaves ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Leaves:
    """The rows from left to right; the rows of cluster c are order[start[c] : start[c] + size[c]]."""

    order: Array
    start: Array
    size: Array

    @classmethod
    def of(cls, Z: Array) -> Self:
        n = len(Z) + 1
        size = np.concatenate([np.ones(n, np.int64), Z[:, 3].astype(np.int64)])
        start = np.zeros(2 * n - 1, np.int64)
        lay_out(Z, size, start)
        return cls(np.argsort(start[:n], kind="stable"), start, size)

    def of_cluster(self, cluster: int) -> Array:
        """The rows of a cluster."""
        return self.order[self.start[cluster] : self.start[cluster] + self.size[cluster]]


# ---- cophenetic distances --------------------------------------------------------------------------------------------


def cophenetic_distances(Z: Array) -> Array:
    """(2) for all pairs of rows, in the order of SciPy's condensed form: (0, 1), (0, 2), …, (n − 2, n − 1)."""
    n = len(Z) + 1
    out, at = np.empty(n * (n - 1) // 2), 0
    for start, block in cophenetic_blocks(Z):
        for i, row in enumerate(block, start):
            out[at : at + n - 1 - i] = row[i + 1 :]
            at += n - 1 - i
    return out


def cophenetic_blocks(Z: Array) -> Iterator[tuple[int, Array]]:
    """(2) of a few rows at a time to all rows."""
    n, leaves = len(Z) + 1, Leaves.of(Z)
    for start in range(0, n, BLOCK):
        yield start, cophenetic_rows(Z, leaves, start, min(start + BLOCK, n))


def cophenetic_rows(Z: Array, leaves: Leaves, start: int, stop: int) -> Array:
    """(2) of some rows to all."""
    parent, out = parents(Z), np.zeros((stop - start, len(Z) + 1))
    climb(Z, parent, leaves.order, leaves.start, leaves.size, start, out)
    return out


def cophenetic_correlation(Z: Array, distances: Dissimilarities) -> float:
    """The correlation of (2) with the distances, over all pairs of rows; NaN where one of them is constant."""
    n, leaves = len(Z) + 1, Leaves.of(Z)
    pivot = np.array([distances.to(0).mean(), cophenetic_rows(Z, leaves, 0, 1).mean()])

    def block(start: int) -> Array:
        stop = min(start + BLOCK, n)
        D = np.empty((stop - start, n))
        distances.fill_own(np.arange(start, stop), D)
        return pair_sums(D, cophenetic_rows(Z, leaves, start, stop), start, pivot)

    total = np.zeros(6)
    with closing(ordered_map(block, range(0, n, BLOCK))) as sums:
        for one in sums:
            total += one
    count, d, c, dd, cc, dc = total
    spread = (dd - d * d / count) * (cc - c * c / count)
    return float((dc - d * c / count) / np.sqrt(spread)) if spread > 0 else float("nan")


# ---- kernels ---------------------------------------------------------------------------------------------------------


@compiled(inner=True)
def root(parent: Array, i: int) -> int:
    """The cluster that i belongs to now; the way there is shortened."""
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = parent[i]
    return i


@compiled
def lift(first: Array, second: Array, height: Array) -> None:
    """No merge below those it is made of; merges come after those."""
    n = len(first) + 1
    parent, reached = np.arange(n), np.zeros(n)
    for i in range(n - 1):
        a, b = root(parent, first[i]), root(parent, second[i])
        height[i] = max(height[i], reached[a], reached[b])
        parent[b], reached[a] = a, height[i]


@compiled
def name(first: Array, second: Array, Z: Array) -> None:
    """Numbers and sizes of (1) from rows of the clusters."""
    n = len(first) + 1
    parent, size = np.arange(2 * n - 1), np.ones(2 * n - 1, np.int64)
    for i in range(n - 1):
        a, b = root(parent, first[i]), root(parent, second[i])
        parent[a] = parent[b] = n + i
        size[n + i] = size[a] + size[b]
        Z[i, 0], Z[i, 1], Z[i, 3] = a, b, size[n + i]


@compiled
def hand_down(children: Array, labels: Array) -> None:
    """A cluster has the label of the one it is a part of, if that has one."""
    n = len(children) + 1
    for i in range(n - 2, -1, -1):
        if labels[n + i] >= 0:
            labels[children[i, 0]] = labels[children[i, 1]] = labels[n + i]


@compiled
def lay_out(Z: Array, size: Array, start: Array) -> None:
    """Where the rows of each cluster begin, the first part to the left."""
    n = len(Z) + 1
    for i in range(n - 2, -1, -1):
        a, b = int(Z[i, 0]), int(Z[i, 1])
        start[a] = start[n + i]
        start[b] = start[n + i] + size[a]


@compiled
def parents(Z: Array) -> Array:
    """The cluster that each is a part of; of the last, itself."""
    n = len(Z) + 1
    parent = np.full(2 * n - 1, 2 * n - 2)
    for i in range(n - 1):
        parent[int(Z[i, 0])] = parent[int(Z[i, 1])] = n + i
    return parent


@compiled
def climb(Z: Array, parent: Array, order: Array, start: Array, size: Array, begin: int, out: Array) -> None:
    """(2): on the way up from a row, the rows that each merge brings are at its height."""
    n = len(Z) + 1
    for p in range(len(out)):
        here = begin + p
        while here < 2 * n - 2:
            up = parent[here]
            a, b = int(Z[up - n, 0]), int(Z[up - n, 1])
            other = b if a == here else a
            for t in range(start[other], start[other] + size[other]):
                out[p, order[t]] = Z[up - n, 2]
            here = up


@compiled
def pair_sums(D: Array, C: Array, start: int, pivot: Array) -> Array:
    """Of the pairs of rows start, start + 1, … with later ones: their number, and Σ of d, c, d², c², dc around a pivot."""
    out = np.zeros(6)
    for p in range(len(D)):
        d1, c1, d2, c2, dc = 0.0, 0.0, 0.0, 0.0, 0.0
        for j in range(start + p + 1, D.shape[1]):
            d, c = D[p, j] - pivot[0], C[p, j] - pivot[1]
            d1 += d
            c1 += c
            d2 += d * d
            c2 += c * c
            dc += d * c
        out[0] += D.shape[1] - start - p - 1
        out[1] += d1
        out[2] += c1
        out[3] += d2
        out[4] += c2
        out[5] += dc
    return out
