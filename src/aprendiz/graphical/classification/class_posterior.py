"""The posterior of the class, from the tables of its Markov blanket.

    log P(c | x) = log p(c | x_parents(c)) + Σ_v log p(x_v | x_parents(v)) + const,     v the children of c      (1)

where all cells of these families are known: the other families do not depend on c. A missing node without known descendants
sums to one in (1) and is left out with its family. Other rows with missing cells are questions to the junction tree.

Cost of (1): O(n·K·families); of other rows, that of inference (inference/rows_of_evidence.py).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.rows import Array
from aprendiz.graphical.inference.junction_tree import JunctionTree
from aprendiz.graphical.inference.rows_of_evidence import log_likelihoods, posteriors_of_rows
from aprendiz.graphical.tables.discrete_network import DiscreteNetwork


@dataclass(frozen=True)
class Blanket:
    """The logarithms of the tables of (1), one after the other, the class their last axis. Family f begins at starts[f] and has
    the nodes and strides from ends[f] to ends[f + 1]; its child is `child[f]`, −1 for the class. `order` has the columns,
    children before parents, and `below` their children, from first[v] to first[v + 1]; a parent of the class has −1 there."""

    logs: Array
    starts: Array
    ends: Array
    nodes: Array
    strides: Array
    child: Array
    order: Array
    first: Array
    below: Array

    @classmethod
    def of(cls, network: DiscreteNetwork) -> Blanket:
        """The tables around the last node."""
        graph, c = network.graph, len(network.graph) - 1
        parts, starts, ends, nodes, strides, child = list[Array](), [0], [0], list[int](), list[int](), list[int]()
        with np.errstate(divide="ignore"):
            for v in (c, *graph.children[c]):
                family = (*graph.parents[v], v)
                table = np.moveaxis(np.log(network.tables[v]), family.index(c), -1)
                parts.append(np.ascontiguousarray(table).ravel())
                own = [u for u in family if u != c]
                nodes += own
                strides += [stride // table.itemsize for stride in np.ascontiguousarray(table).strides[: len(own)]]
                starts.append(starts[-1] + table.size)
                ends.append(len(nodes))
                child.append(-1 if v == c else v)
        below = [[-1 if u == c else u for u in graph.children[v]] for v in range(c)]
        return cls(
            np.concatenate(parts),
            starts=whole(starts[:-1]),
            ends=whole(ends),
            nodes=whole(nodes),
            strides=whole(strides),
            child=whole(child),
            order=whole([v for v in reversed(graph.order) if v != c]),
            first=whole(np.cumsum([0, *map(len, below)])),
            below=whole([u for own in below for u in own]),
        )


def whole(numbers: Any) -> Array:
    """Whole numbers of one kind."""
    return np.array(numbers, dtype=np.int64)


def class_posterior(network: DiscreteNetwork) -> Callable[[Array], Array]:
    """The function that gives (1) of rows of codes, a column for each class; −∞ in all of them where a row is impossible."""
    blanket, classes = Blanket.of(network), network.sizes[-1]
    tree = cache(lambda: JunctionTree.of(network.graph, network.sizes))  # for the rows that need it

    def posterior(codes: Array) -> Array:
        joint, left_out = np.zeros((len(codes), classes)), np.zeros(len(codes), bool)
        b = blanket
        add_blanket(codes, b.logs, b.starts, b.ends, b.nodes, b.strides, b.child, b.order, b.first, b.below, joint, left_out)
        if left_out.any():
            asked = with_unknown_class(codes[left_out])
            with np.errstate(divide="ignore"):
                found = np.log(posteriors_of_rows(tree(), network.tables, asked, len(network.graph) - 1))
            joint[left_out] = np.where(np.isnan(found), -np.inf, found)
        return joint

    return posterior


def log_evidence(network: DiscreteNetwork) -> Callable[[Array], Array]:
    """The function that gives ln p of the known cells of rows of codes."""
    tree = JunctionTree.of(network.graph, network.sizes)
    return lambda codes: log_likelihoods(tree, network.tables, with_unknown_class(codes))


def with_unknown_class(codes: Array) -> Array:
    """Codes of the columns, and −1 for the class."""
    return np.column_stack([codes, np.full(len(codes), -1, dtype=np.int32)])


@compiled
def add_blanket(
    codes: Array,
    logs: Array,
    starts: Array,
    ends: Array,
    nodes: Array,
    strides: Array,
    child: Array,
    order: Array,
    first: Array,
    below: Array,
    joint: Array,
    left_out: Array,
) -> None:
    """Add (1) to the rows of `joint`, for all classes; rows for which it does not suffice are marked in `left_out`."""
    barren = np.zeros(codes.shape[1], np.bool_)
    for i in range(codes.shape[0]):
        holes = False
        for j in range(codes.shape[1]):
            holes |= codes[i, j] < 0
        if holes:
            mark_barren(codes[i], order, first, below, barren)
        for f in range(len(starts)):
            if holes and child[f] >= 0 and barren[child[f]]:
                continue
            cell, known = starts[f], True
            for m in range(ends[f], ends[f + 1]):
                code = int64(codes[i, nodes[m]])
                known &= code >= 0
                cell += code * strides[m]
            if not known:
                left_out[i] = True
                break
            for k in range(joint.shape[1]):
                joint[i, k] += logs[cell + k]


@compiled(inner=True)
def mark_barren(codes: Array, order: Array, first: Array, below: Array, barren: Array) -> None:
    """Which nodes are missing, as are all that depend on them?"""
    for at in range(len(order)):
        v = order[at]
        barren[v] = codes[v] < 0
        for m in range(first[v], first[v + 1]):
            barren[v] &= below[m] >= 0 and barren[below[m]]
