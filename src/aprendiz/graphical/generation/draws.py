"""Rows drawn from a network, a few nodes at a time: ancestral sampling, and exact sampling given evidence.

Each step draws some nodes at once, given nodes that earlier steps have drawn. Without evidence the steps are the nodes,
parents first, and a step draws from a row of the node's table. Given evidence e, the steps are the cliques of a junction tree
from the root on. With the messages from the leaves,

    φ_c(x) = Π_{families at home in c} θ · Π_{d below c} μ_d,     μ_c(shared) = Σ_{the rest of c} φ_c                 (1)
    p(rest of c | shared, e) = φ_c / μ_c                                                                       (2)

where `shared` is what a clique shares with the one above it, known nodes are fixed, and θ includes the likelihoods of soft
evidence. So every row is drawn from p(x | e)
exactly, and none is thrown away. (1) is in logarithms: however small p(e) is, nothing underflows. The tree is that of the known
nodes and their ancestors: all others are drawn after them, parents first, as without evidence.

Cost: (1) once, the cells of the cliques; then O(log cells) for each row and clique.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.random import uniforms
from aprendiz.core.rows import Array
from aprendiz.graphical.inference.evidence import Evidence
from aprendiz.graphical.inference.junction_tree import JunctionTree, readable_count
from aprendiz.graphical.tables.discrete_network import DiscreteNetwork
from aprendiz.summaries.codes import UNKNOWN

MOST_CELLS = 2**28  # of all cliques


@dataclass(frozen=True)
class Step:
    """Draws the nodes `own` given the nodes `given`: a row of `ends`, cumulative sums, for each combination of their levels."""

    given: tuple[int, ...]
    own: tuple[int, ...]
    ends: Array

    def draw(self, drawn: Array, sizes: Sequence[int], u: Array) -> None:
        """Fill in the levels of `own`, a number in [0, 1) for each row."""
        place, cell = np.zeros(len(drawn), dtype=np.int64), np.empty(len(drawn), dtype=np.int64)
        for v in self.given:
            place = place * sizes[v] + drawn[:, v]
        first_above(self.ends, place, u, cell)
        for v in reversed(self.own):
            cell, drawn[:, v] = np.divmod(cell, sizes[v])


def draw_rows(
    network: DiscreteNetwork, steps: Sequence[Step], known: Mapping[int, int], n: int, seed: int, first: int = 0
) -> Array:
    """Rows of codes from the row of number `first` on; known nodes have their level."""
    drawn = np.full((n, len(network.graph)), UNKNOWN, dtype=np.int64)
    for v, level in known.items():
        drawn[:, v] = level
    for number, step in enumerate(steps):
        step.draw(drawn, network.sizes, uniforms(seed, number, np.arange(first, first + n)))
    return drawn


def ancestral_steps(network: DiscreteNetwork, known: Mapping[int, int]) -> list[Step]:
    """The nodes, parents first; known ones are not drawn."""
    parents, tables = network.graph.parents, network.tables
    return [Step(parents[v], (v,), cumulative(rows_of(tables[v]))) for v in network.graph.order if v not in known]


def rows_of(table: Array) -> Array:
    """A table with one row for each configuration of the parents."""
    return table.reshape(-1, table.shape[-1])


def cumulative(shares: Array) -> Array:
    """Cumulative sums of each row, divided by the last."""
    ends = np.cumsum(shares, axis=1)
    return np.divide(ends, ends[:, -1:], out=np.ones_like(ends), where=ends[:, -1:] > 0)


def conditional_steps(network: DiscreteNetwork, evidence: Evidence) -> tuple[list[Step], float]:
    """The cliques from the root on, by (1) and (2), then the other nodes, and ln p(e), but for `log_scale`; −∞ where it cannot
    be."""
    known, above = dict(evidence.levels), network.graph.ancestors(evidence.told)
    tree = JunctionTree.of(network.graph, network.sizes, known=known, members=above)
    sizes, steps, messages, shared = network.sizes, list[Step](), dict[int, Array](), tree.separators
    free = [[v for v in clique if v not in known] for clique in tree.cliques]
    refuse_many_cells(tree.cost.cells)
    with np.errstate(divide="ignore"):
        logs = {v: np.log(network.tables[v]) for v in above}
        for v, likelihood in evidence.vectors().items():
            logs[v] = logs[v] + np.log(likelihood)
    homes: list[list[int]] = [[] for _ in tree.cliques]
    for v in sorted(above):
        homes[tree.homes[v]].append(v)
    for c in reversed(range(len(tree.cliques))):
        own = tuple(v for v in free[c] if v not in shared[c])
        axes = (*shared[c], *own)
        cells = np.zeros(prod(sizes[v] for v in axes))
        for v in homes[c]:
            cells += cells_along(logs[v], (*network.graph.parents[v], v), axes, sizes, known)
        for below in tree.below[c]:
            cells += cells_along(messages[below], shared[below], axes, sizes, known)
        ends, messages[c] = summed(cells.reshape(prod(sizes[v] for v in shared[c]), -1))
        steps.append(Step(shared[c], own, ends))
    drawn = [step for step in reversed(steps) if step.own]
    return [*drawn, *ancestral_steps(network, dict.fromkeys(above, 0))], float(messages[0][0])


def summed(logs: Array) -> tuple[Array, Array]:
    """Of ln φ, a row for each combination of what is shared: the cumulative sums of (2), and ln μ."""
    top = logs.max(axis=1, keepdims=True)
    possible = np.where(np.isneginf(top), 0.0, top)
    scaled = np.exp(logs - possible)
    with np.errstate(divide="ignore"):
        return cumulative(scaled), possible[:, 0] + np.log(scaled.sum(axis=1))


def refuse_many_cells(cells: int) -> None:
    """Stop before tables that take too long or do not fit."""
    if cells > MOST_CELLS:
        raise ValueError(
            f"Exact rows given this evidence take tables of {readable_count(cells)} cells, more than {MOST_CELLS}: use "
            "method='likelihood weighting'."
        )


def cells_along(
    table: Array, nodes: Sequence[int], axes: Sequence[int], sizes: Sequence[int], known: Mapping[int, int]
) -> Array:
    """The cells of a table over `nodes`, known ones at their level, for all combinations of the levels of `axes`."""
    stride, run = dict[int, int](), 1
    for v in reversed(nodes):
        stride[v] = run
        run *= sizes[v]
    places = np.array([sum(known[v] * stride[v] for v in nodes if v in known)])
    for v in axes:
        places = (places[:, None] + stride.get(v, 0) * np.arange(sizes[v])).ravel()
    return np.asarray(table.ravel()[places])


@compiled
def first_above(ends: Array, rows: Array, u: Array, found: Array) -> None:
    """For each u, the first of the cumulative sums in its row that lies above: a cell of probability 0 never does."""
    for i in range(len(u)):
        low, high = 0, ends.shape[1] - 1
        while low < high:
            middle = (low + high) // 2
            if ends[rows[i], middle] > u[i]:
                high = middle
            else:
                low = middle + 1
        found[i] = low
