"""Counts of the families of a network: of each node with its parents, how often each combination of levels occurs.

    N_v[x_parents(v), x_v] = Σ w  over the rows with these levels                                             (1)

A row counts for a family where all its cells of it are known. Nothing else is needed to learn the tables from complete rows,
and (1) adds: files, Dask and `partial_fit` follow.

Cost: O(n·(nodes + edges)); memory of the tables, Σ_v Π of the sizes of the family.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any, Self

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.columns import Columns, Mixed
from aprendiz.core.rows import Array, Block
from aprendiz.core.sums import Sums
from aprendiz.graphical.graph.directed_graph import DirectedGraph
from aprendiz.graphical.tables.discrete_network import MOST_AXES
from aprendiz.summaries.codes import add_padded, coded_block

MOST_CELLS = 2**27  # of one table: a gigabyte of doubles
ROWS = 240  # that are turned at a time; not a power of two, whose columns would share lines of the cache


@dataclass(frozen=True)
class FamilyCounts(Sums):
    """(1), one table for each node: an axis for each parent, in the order of the graph, the last for the node.

    The first nodes are the columns; those after them are hidden, and nothing is counted with them. `known` says which columns
    have a known cell; `weight` is that of all rows, and `incomplete` that of the rows with a missing cell.
    """

    graph: DirectedGraph
    tables: tuple[Array, ...]
    known: Array
    weight: float
    incomplete: float
    schema: Columns | None = None  # whose levels the codes are, where the columns hold words

    @classmethod
    def of(
        cls, graph: DirectedGraph, least: Array, most: Array, names: Sequence[str] | None, learner: str, block: Block
    ) -> Self:
        """The counts of a block. Each node has at least and at most so many levels; its codes say how many."""
        codes, highest, incomplete = coded_block(block, names, learner)
        weights, columns, sizes = block.weights, codes.shape[1], np.array(least, dtype=np.int64)
        for j in np.flatnonzero(highest >= most[:columns]):
            refuse_code(codes[:, j], int(most[j]), block.start, graph.nodes[j])
        sizes[:columns] = np.maximum(sizes[:columns], highest + 1)
        families = [(*parents, v) for v, parents in enumerate(graph.parents)]
        for family in families:
            refuse_huge_table(graph, family, sizes)
        return cls(
            graph,
            count_families(codes, weights, families, sizes),
            highest >= 0,
            float(weights.sum()),
            float(weights[incomplete].sum()),
            block.X.columns if isinstance(block.X, Mixed) else None,
        )

    def __add__(self, other: Self) -> Self:
        if self.graph != other.graph:
            raise ValueError("Counts of different graphs do not add: count the families of one graph.")
        if self.schema is not None and other.schema is not None and self.schema is not other.schema:
            schema = self.schema.join(other.schema)
            self, other = self.under(schema), other.under(schema)
        tables = tuple(add_padded(a, b) for a, b in zip(self.tables, other.tables, strict=True))
        weight, incomplete = self.weight + other.weight, self.incomplete + other.incomplete
        return type(self)(self.graph, tables, self.known | other.known, weight, incomplete, self.schema or other.schema)

    def under(self, schema: Columns) -> Self:
        """The same counts with the levels in the order of another schema."""
        assert self.schema is not None
        sizes, places = list(self.sizes), [np.arange(size) for size in self.sizes]
        for j, (mine, theirs) in enumerate(zip(self.schema, schema, strict=True)):
            sizes[j], places[j] = len(theirs.levels), np.array([theirs.levels.index(level) for level in mine.levels], int)
        tables = []
        for v, table in enumerate(self.tables):
            family = (*self.graph.parents[v], v)
            wide = np.zeros([sizes[u] for u in family])
            wide[np.ix_(*(places[u] for u in family))] = table[tuple(slice(len(places[u])) for u in family)]
            tables.append(wide)
        return replace(self, tables=tuple(tables), schema=schema)

    @property
    def columns(self) -> int:
        """Number of columns; hidden nodes have none."""
        return len(self.known)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of levels of each node."""
        return tuple(int(table.shape[-1]) for table in self.tables)

    @property
    def complete(self) -> bool:
        """Does every row count for every family?"""
        return self.incomplete == 0 and self.columns == len(self.tables)

    @property
    def finite(self) -> bool:
        """Counts do not overflow."""
        return True


def whole_codes(block: Block, names: Sequence[str] | None, learner: str) -> Array:
    """The codes of a block as whole numbers, −1 where a cell is missing."""
    return coded_block(block, names, learner)[0]


def count_families(codes: Array, weights: Array, families: Sequence[Sequence[int]], sizes: Any) -> tuple[Array, ...]:
    """(1) for any families, each a list of nodes that are the axes of its table; `sizes` has the number of levels of each node.

    Families with a node that has no column count nothing.
    """
    shapes = [tuple(int(sizes[v]) for v in family) for family in families]
    cells = np.cumsum([0, *map(prod, shapes)])
    counted = [f for f, family in enumerate(families) if max(family) < codes.shape[1]]
    strides = [prod(shapes[f][k + 1 :]) for f in counted for k in range(len(shapes[f]))]
    ends = np.cumsum([0, *(len(families[f]) for f in counted)])
    nodes = np.array([v for f in counted for v in families[f]], dtype=np.int64)
    table = np.zeros(cells[-1])
    add_counts(codes, weights, nodes, np.array(strides, dtype=np.int64), ends, cells[counted], table)
    return tuple(part.reshape(shape) for part, shape in zip(np.split(table, cells[1:-1]), shapes, strict=True))


@compiled
def add_counts(codes: Array, w: Array, nodes: Array, strides: Array, ends: Array, cells: Array, table: Array) -> None:
    """Add the weight of each row to its cell of each family. Family f has the nodes and strides from ends[f] to ends[f + 1];
    its table begins at cells[f]. Some rows are turned at a time: their cells are found column by column, many at once."""
    families = len(ends) - 1
    turned, at = np.empty((codes.shape[1], ROWS), np.int32), np.empty((families, ROWS), np.int32)
    lowest = np.empty(ROWS, np.int32)
    for first in range(0, codes.shape[0], ROWS):
        rows = min(ROWS, codes.shape[0] - first)
        for i in range(rows):
            for j in range(codes.shape[1]):
                turned[j, i] = codes[first + i, j]
        for f in range(families):
            at[f] = 0
            lowest[:] = 0
            for k in range(ends[f], ends[f + 1]):
                v, stride = nodes[k], np.int32(strides[k])
                for i in range(rows):
                    at[f, i] += turned[v, i] * stride
                    lowest[i] |= turned[v, i]  # negative if one of them is
            for i in range(rows):
                if lowest[i] < 0:
                    at[f, i] = -1
        for i in range(rows):
            if w[first + i] > 0.0:
                for f in range(families):
                    if at[f, i] >= 0:
                        table[cells[f] + at[f, i]] += w[first + i]


def refuse_code(codes: Array, most: int, start: int, name: Any) -> None:
    """A code beyond the levels that were given."""
    row = int(np.flatnonzero(codes >= most)[0])
    raise ValueError(
        f"Column {name!r} holds the code {codes[row]} in row {start + row}, but {most} levels are given for it, with the codes "
        f"0 to {most - 1}: correct the cell, or give more levels."
    )


def refuse_huge_table(graph: DirectedGraph, family: Sequence[int], sizes: Array) -> None:
    """Stop before a table that no memory holds."""
    if (cells := prod(int(sizes[v]) for v in family)) > MOST_CELLS or len(family) > MOST_AXES:
        *parents, v = (graph.nodes[u] for u in family)
        raise ValueError(
            f"The table of {v!r} with the parents {', '.join(map(repr, parents))} would have {cells} cells along "
            f"{len(family)} axes; at most {MOST_CELLS} along {MOST_AXES} are held: give it fewer parents, or join levels."
        )
