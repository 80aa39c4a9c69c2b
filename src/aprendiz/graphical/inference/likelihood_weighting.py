"""Likelihood weighting: what a query is about when its cliques are too large, estimated from samples.

Nodes are drawn parents first, each from its table; a node of which something is said is not drawn, or drawn freely and judged:

    w = Π_{v known} p(v = its level | parents) · Π_{v with soft evidence} likelihood(level of v)              (1)
    p̂(x) = Σ w [row has x] / Σ w,      SE(x)² = Σ w² ([row has x] − p̂(x))² / (Σ w)²                           (2)

Reference: Fung & Chang, "Weighing and integrating evidence for stochastic simulation in Bayesian networks", UAI 1989.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.graphical.generation.draws import ancestral_steps, draw_rows
from aprendiz.graphical.inference.evidence import Evidence
from aprendiz.graphical.tables.discrete_network import DiscreteNetwork

BLOCK_CELLS = 2**23  # of rows that are held at a time: 64 MiB


@dataclass(frozen=True)
class Estimate:
    """(2) for each cell of the targets, and how many unweighted samples would be as good."""

    values: Array
    standard_error: Array
    effective_samples: float


def estimate(network: DiscreteNetwork, targets: tuple[int, ...], evidence: Evidence, samples: int, seed: int) -> Estimate:
    """p(targets | evidence) from weighted samples."""
    known, sizes = dict(evidence.levels), network.sizes
    needed = network.graph.ancestors({*targets, *evidence.told})
    steps = [step for step in ancestral_steps(network, known) if needed.issuperset(step.own)]
    shape, likelihoods = tuple(sizes[v] for v in targets), evidence.vectors()
    logs, cell, block = np.zeros(samples), np.empty(samples, dtype=np.int64), max(1, BLOCK_CELLS // len(sizes))
    for first in range(0, samples, block):
        part = slice(first, min(first + block, samples))
        rows = draw_rows(network, steps, known, part.stop - first, seed, first)
        cell[part] = np.ravel_multi_index(tuple(rows[:, v] for v in targets), shape)
        with np.errstate(divide="ignore"):
            for v in known:
                logs[part] += np.log(chosen(network, v, rows))
            for v, likelihood in likelihoods.items():
                logs[part] += np.log(likelihood[rows[:, v]])
    if not (logs > -np.inf).any():
        raise ValueError(
            f"None of {samples} samples agrees with the evidence: it is too improbable to be met by chance. Draw more "
            "(n_samples=), or give a larger budget for an exact answer."
        )
    weight = np.exp(logs - logs.max())
    cells = int(np.prod(shape))
    mass, square = np.bincount(cell, weight, cells), np.bincount(cell, weight**2, cells)
    total, squares = mass.sum(), square.sum()
    p = mass / total
    error = np.sqrt(square * (1 - p) ** 2 + (squares - square) * p**2) / total  # sums of what is not negative
    return Estimate(p.reshape(shape), error.reshape(shape), float(total**2 / squares))


def chosen(network: DiscreteNetwork, v: int, rows: Array) -> Array:
    """The cell of the table of a node that each row is in."""
    return np.asarray(network.tables[v][tuple(rows[:, u] for u in (*network.graph.parents[v], v))])
