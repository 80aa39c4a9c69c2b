"""The arrows of a classifier: which columns depend on the class, and on which others.

Nodes are known by their place: the columns, then the class.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from aprendiz.core.parameters import ParameterError
from aprendiz.core.rows import Array, Block, Rows, read_only
from aprendiz.core.sources.arrays import in_memory
from aprendiz.graphical import HillClimbing, TreeAugmentedNaiveBayes
from aprendiz.graphical.graph.as_graph import as_graph
from aprendiz.graphical.graph.directed_graph import DirectedGraph
from aprendiz.graphical.learning.nodes import column_called

STRUCTURES = ("naive", "tan", "learned")
Parents = list[tuple[int, ...]]


def given_parents(edges: Any, names: Sequence[Any], class_name: str) -> Parents:
    """The parents of each node from edges by name."""
    try:
        pairs = [(column_called(a, names), column_called(b, names)) for a, b in as_graph(edges).edges]
        found = DirectedGraph.of(pairs, [*names, class_name])
    except ValueError as error:
        raise ParameterError(f"structure: {error}") from None
    if not any(class_name in pair for pair in pairs):
        raise ParameterError(
            f"No edge of the structure leads to or from the class, which is called {class_name!r}: add one, or give its name "
            "as class_name."
        )
    return list(found.parents)


def naive_parents(columns: int) -> Parents:
    """Each column depends on the class alone."""
    return [*((columns,) for _ in range(columns)), ()]


def tree_parents(rows: Rows, sizes: Sequence[int]) -> Parents:
    """Each column depends on the class and on one other column: the tree of most mutual information given the class. Columns
    of one level have no part in it."""
    columns, parents = rows.columns, naive_parents(rows.columns)
    told = [j for j, size in enumerate(sizes) if size > 1]
    if len(told) < 2:
        return parents
    some = rows.like(X=np.ascontiguousarray(rows.X[:, told])) if in_memory(rows) else rows.map(lambda X: X[:, told])
    try:
        found = TreeAugmentedNaiveBayes().fit(some).parents_.tolist()
    except ValueError as error:  # too many pairs of levels
        raise ValueError(f"{error} Or give structure='naive'.") from None
    for j, parent in zip(told, found, strict=True):
        if parent >= 0:
            parents[j] = (columns, told[parent])
    return parents


def searched_parents(rows: Rows, sizes: Sequence[int]) -> Parents:
    """The graph of the best BIC that a search finds, no arrow of which leads to the class. In the search, and there alone, a
    missing cell is a level of its own."""
    columns = rows.columns
    filled = with_class(rows, np.array(sizes, dtype=np.float64))
    search = HillClimbing(tiers=[[columns], list(range(columns))], random_state=0).fit(filled)
    parents: list[list[int]] = [[] for _ in range(columns + 1)]
    for parent, child in search.edges_:
        parents[child].append(parent)
    return [tuple(sorted(own, reverse=True)) for own in parents]  # the class first


def with_class(rows: Rows, instead: Array | None = None) -> Rows:
    """Rows of codes with the class as a last column; `instead` of missing cells, where given."""

    def change(block: Block) -> Block:
        X = block.X if instead is None else np.where(np.isnan(block.X), instead, block.X)
        return replace(block, X=read_only(np.column_stack([X, block.y.astype(np.float64)])), y=None)

    if in_memory(rows):
        whole = change(Block(rows.X, rows.y, rows.weight, 0))
        return rows.like(X=whole.X, y=None)
    changed = rows.changed(change)
    changed.columns += 1
    return changed
