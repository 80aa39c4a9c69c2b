"""The tables of a network laid end to end, as states keep them."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.graphical.graph.directed_graph import DirectedGraph


def shapes_of(graph: DirectedGraph, sizes: Sequence[int] | Array) -> list[tuple[int, ...]]:
    """The axes of each table: the levels of each parent, then those of the node."""
    return [tuple(int(sizes[u]) for u in (*parents, v)) for v, parents in enumerate(graph.parents)]


def laid_out(tables: Sequence[Array]) -> Array:
    """The cells of all tables, one table after the other."""
    return np.concatenate([np.ravel(table) for table in tables])


def in_tables(flat: Array, shapes: Sequence[tuple[int, ...]]) -> list[Array]:
    """The way back."""
    ends = np.cumsum([prod(shape) for shape in shapes])
    return [part.reshape(shape) for part, shape in zip(np.split(flat, ends[:-1]), shapes, strict=True)]
