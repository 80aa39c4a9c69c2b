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
    rows = draw_rows(network, steps, known, samples, seed)
    with np.errstate(divide="ignore"):
        logs = sum((np.log(chosen(network, v, rows)) for v in known), np.zeros(samples))
        logs = sum((np.log(likelihood[rows[:, v]]) for v, likelihood in evidence.vectors().items()), logs)
    if not (logs > -np.inf).any():
        raise ValueError(
            f"None of {samples} samples agrees with the evidence: it is too improbable to be met by chance. Draw more "
            "(n_samples=), or give a larger budget for an exact answer."
        )
    weight = np.exp(logs - logs.max())
    shape = tuple(sizes[v] for v in targets)
    cell = np.ravel_multi_index(tuple(rows[:, v] for v in targets), shape)
    total, cells = weight.sum(), int(np.prod(shape))
    p = np.bincount(cell, weight, cells) / total
    square = np.bincount(cell, weight**2, cells)
    error = np.sqrt(square * (1 - 2 * p) + p**2 * square.sum()) / total
    return Estimate(p.reshape(shape), error.reshape(shape), float(total**2 / square.sum()))


def chosen(network: DiscreteNetwork, v: int, rows: Array) -> Array:
    """The cell of the table of a node that each row is in."""
    return np.asarray(network.tables[v][tuple(rows[:, u] for u in (*network.graph.parents[v], v))])
