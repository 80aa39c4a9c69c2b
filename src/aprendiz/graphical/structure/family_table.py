"""Scores of families, counted from the rows: many candidates for a parent of one node at a time.

The rows have a number for the configuration of the parents that the node has already. A candidate splits each configuration by
its own levels, so that its table is counted in one pass,

    N[x_u, configuration, x_v] += w,                                                                          (1)

and the configurations of the parents come from one pass for each parent. Only configurations that occur are numbered: a table
has at most as many rows as there are different ones, however many parents.

Cost: O(n) for each candidate. Tables larger than a few times n are sorted instead of filled, O(n log n).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

import numpy as np

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.rows import Array
from aprendiz.graphical.structure.distinct_rows import DistinctRows
from aprendiz.graphical.structure.family_score import REFUSED, FamilyScore, sum_of_counts, sum_of_terms

CELLS_PER_ROW = 4  # of a table that is filled
SMALL_TABLE = 2**14  # cells of a table that is filled in any case


class Configurations(NamedTuple):
    """The number of each row's configuration of some parents, how many occur, and how many there could be."""

    numbers: Array
    occurring: int
    possible: int


class FamilyTables:
    """The rows of a fit and a score: the score of any family, in whole units."""

    def __init__(self, rows: DistinctRows, score: FamilyScore):
        self.rows, self.score = rows, score
        self.codes, self.counts = rows.by_column, rows.counts
        self.sizes = [int(size) for size in rows.sizes]
        self.most_cells = CELLS_PER_ROW * len(rows.codes) + SMALL_TABLE

    def possible(self, parents: Sequence[int]) -> int:
        """The number of configurations that these parents could have."""
        return prod(self.sizes[u] for u in parents)

    def family(self, v: int, parents: Sequence[int]) -> int:
        """The score of a node with these parents."""
        if parents:
            *others, last = sorted(parents)
            terms = int(self.terms(v, self.configurations(others), np.array([last]))[0])
        else:
            beta, beta_row = self.score.pseudo_counts(self.sizes[v], np.ones(1))[0]
            counts = np.bincount(self.codes[v], self.rows.weights)
            terms = self.sum_of(counts, np.bincount(np.zeros(len(counts), np.int64), counts), beta, beta_row)
        return terms - self.score.penalty(self.sizes[v], self.possible(parents))

    def additions(self, v: int, parents: Sequence[int], candidates: Array) -> Array:
        """The score of a node with these parents and one more, for each of the candidates; `REFUSED` if it is too large."""
        found, base = np.full(len(candidates), REFUSED, np.int64), self.configurations(parents)
        possible = float(base.possible) * self.rows.sizes[candidates]
        fine = ~self.score.is_too_large(self.sizes[v], possible)
        if fine.any():
            terms = self.terms(v, base, candidates[fine])
            found[fine] = terms - self.score.penalty(self.sizes[v], possible[fine].astype(np.int64))
        return found

    def terms(self, v: int, base: Configurations, candidates: Array) -> Array:
        """The sum of the terms of a node with each of the candidates beside the parents it has."""
        found, levels, sizes = np.empty(len(candidates), np.int64), self.sizes[v], self.rows.sizes[candidates]
        cells = base.occurring * levels
        betas = self.score.pseudo_counts(levels, float(base.possible) * sizes)
        small = cells * sizes <= self.most_cells
        if small.any():
            few, score = candidates[small], self.score
            room, out = np.empty((2, cells * sizes[small].max()), self.counts.dtype), np.empty(len(few), np.int64)
            place, shape = base.numbers * levels + self.codes[v], (cells, levels)
            fill_and_sum(
                self.codes, self.counts, few, self.rows.sizes, place, shape, betas[small], score.power, score.terms, room, out
            )
            found[small] = out
        for c in np.flatnonzero(~small):
            found[c] = self.sorted_terms(v, self.refined(base, int(candidates[c])), *betas[c])
        return found

    def sorted_terms(self, v: int, base: Configurations, beta: float, beta_row: float) -> int:
        """The same for configurations of all parents, from the cells that occur: sorted, none is filled in vain."""
        cells, place = np.unique(base.numbers.astype(np.int64) * self.sizes[v] + self.codes[v], return_inverse=True)
        counts = np.bincount(place, self.rows.weights)
        return self.sum_of(counts, np.bincount(cells // self.sizes[v], counts), beta, beta_row)

    def sum_of(self, cells: Array, rows: Array, beta: float, beta_row: float) -> int:
        """The terms of the counts of cells, less those of configurations."""
        inside, outside = (one.astype(self.counts.dtype) for one in (cells, rows))
        power, terms = self.score.power, self.score.terms
        return int(sum_of_counts(inside, beta, power, terms) - sum_of_counts(outside, beta_row, power, terms))

    def configurations(self, parents: Sequence[int]) -> Configurations:
        """Each row's configuration of some parents."""
        found = Configurations(np.zeros(len(self.rows.codes), np.int32), 1, 1)
        for u in sorted(parents):
            found = self.refined(found, u)
        return found

    def refined(self, base: Configurations, u: int) -> Configurations:
        """The configurations with one more parent."""
        levels, numbers = self.sizes[u], np.empty_like(base.numbers)
        if base.occurring * levels <= self.most_cells:
            marks = np.full(base.occurring * levels, -1, np.int32)
            occurring = number_configurations(base.numbers, self.codes[u], levels, marks, numbers)
        else:
            cells, found = np.unique(base.numbers.astype(np.int64) * levels + self.codes[u], return_inverse=True)
            occurring, numbers[:] = len(cells), found
        return Configurations(numbers, int(occurring), base.possible * levels)


@compiled
def number_configurations(numbers: Array, codes: Array, levels: int, marks: Array, out: Array) -> int:
    """Number the pairs of a configuration and a level in the order in which they first occur; `marks` is −1 everywhere."""
    count = int64(0)
    for i in range(len(numbers)):
        pair = int64(numbers[i]) * levels + int64(codes[i])
        if marks[pair] < 0:
            marks[pair] = count
            count += 1
        out[i] = marks[pair]
    return count


@compiled(exact=True)
def fill_and_sum(
    codes: Array,
    w: Array,
    candidates: Array,
    sizes: Array,
    place: Array,
    shape: tuple[int, int],
    betas: Array,
    power: int,
    terms: Array,
    room: Array,
    out: Array,
) -> None:
    """(1) and its terms for each candidate; `place` is the cell of a row without it, `shape` how many of those there are, and
    how many levels. Two candidates are counted at a time: where rows are alike, each waits for the one before in its table."""
    stride, levels = shape
    for c in range(0, len(candidates), 2):
        a, b = candidates[c], candidates[min(c + 1, len(candidates) - 1)]
        one, other = room[0, : sizes[a] * stride], room[1, : sizes[b] * stride]
        fill_two(codes[a], codes[b], w, place, stride, one, other)
        out[c] = sum_of_terms(one, levels, betas[c, 0], betas[c, 1], power, terms)
        if c + 1 < len(candidates):
            out[c + 1] = sum_of_terms(other, levels, betas[c + 1, 0], betas[c + 1, 1], power, terms)


@compiled(inner=True)
def fill_two(x: Array, y: Array, w: Array, place: Array, stride: int, one: Array, other: Array) -> None:
    """(1) for two candidates."""
    one[:], other[:] = 0, 0
    for i in range(len(w)):
        one[int64(x[i]) * stride + place[i]] += w[i]
        other[int64(y[i]) * stride + place[i]] += w[i]
