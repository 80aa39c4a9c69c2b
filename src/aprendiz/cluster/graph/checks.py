"""What a graph must be: a square, symmetric table of finite weights that are not negative.

Every refusal names the cell, or the pair of cells. Weights that differ from those of the pair the other way round by rounding
are replaced by their mean.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from scipy import sparse

from aprendiz.core.rows import Array

ROUNDING = 1e-10  # part of the largest weight by which a pair may differ


def as_graph(W: Any, averaged: bool = False) -> Any:
    """The weights as a checked CSR array of doubles, without stored zeros. Those of the two ways of a pair may differ if
    they are to be averaged."""
    graph = sparse.csr_array(W if sparse.issparse(W) else np.asarray(W, dtype=np.float64), dtype=np.float64, copy=True)
    if graph.ndim != 2 or graph.shape[0] != graph.shape[1] or graph.shape[0] == 0:
        raise ValueError(
            f"A graph is a square table of weights, but W has the shape {graph.shape}: give a row for each vertex."
        )
    graph.sum_duplicates()
    graph.eliminate_zeros()
    refuse_cells(graph)
    return symmetric(graph, averaged)


def refuse_cells(W: Any) -> None:
    """Weights that are no numbers, infinite or negative: the first of them is named."""
    weights = W.data if sparse.issparse(W) else W
    good = np.isfinite(weights) & (weights >= 0)
    if good.all():
        return
    row, column, weight = cell(W, ~good)
    what = "a negative weight" if weight < 0 and np.isfinite(weight) else "a weight that is no finite number"
    raise ValueError(f"W holds {what}: {weight:g} in row {row}, column {column}; weights must be similarities of at least 0.")


def cell(W: Any, marked: Array) -> tuple[int, int, float]:
    """Row, column and weight of the first marked cell."""
    if sparse.issparse(W):
        place = int(np.argmax(marked))
        row = int(np.searchsorted(W.indptr, place, side="right")) - 1
        return row, int(W.indices[place]), float(W.data[place])
    place = int(np.argmax(marked))
    return place // W.shape[1], place % W.shape[1], float(W.flat[place])


def symmetric(W: Any, averaged: bool = False) -> Any:
    """The graph, made exactly symmetric where only rounding keeps it from it; or by means, with a warning, if `averaged`."""
    apart = abs(W - W.T)
    largest = float(apart.max()) if apart.size else 0.0
    if largest == 0:
        return W
    if largest > ROUNDING * float(W.max()):
        row, column = largest_cell(apart)
        found = f"{W[row, column]:g} in row {row}, column {column}, but {W[column, row]:g} the other way"
        if not averaged:
            raise ValueError(f"W is not symmetric: {found}; give one weight to each pair, such as (W + W.T) / 2.")
        warnings.warn(
            f"Array is not symmetric, and will be converted to symmetric by average with its transpose: {found}.",
            UserWarning,
            stacklevel=6,
        )
    return (W + W.T) / 2


def largest_cell(table: Any) -> tuple[int, int]:
    """Row and column of the largest cell, of a sparse or a dense table."""
    if not sparse.issparse(table):
        return divmod(int(np.argmax(table)), table.shape[1])
    return cell(table := sparse.csr_array(table), table.data == table.data.max())[:2]


def as_labels(labels: Any, n: int) -> tuple[Array, int]:
    """The group of each vertex as a number 0, 1, …, and how many groups there are."""
    given = np.asarray(labels)
    if given.shape != (n,):
        raise ValueError(f"The graph has {n} vertices, but labels have the shape {given.shape}: give one label to each vertex.")
    names, groups = np.unique(given, return_inverse=True)
    return groups, len(names)
