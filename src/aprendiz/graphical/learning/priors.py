"""From counts to tables: shares of the counts, after pseudo-counts that stand for what was believed before.

    θ[c, x] = (N[c, x] + a) / Σ_x (N[c, x] + a)                                                               (1)

for each configuration c of the parents. (1) maximises Σ (N + a) log θ, the log-likelihood and the logarithm of a Dirichlet
density of the parameters 1 + a. With q configurations and r levels,

    a = 0            maximum likelihood
    a = α            "dirichlet"
    a = α / (q·r)    "bdeu": α rows, spread evenly over the cells of each table
    a = 1            "k2"

A configuration of which nothing is counted (all N + a are 0) says nothing about the levels: they get equal shares.

Reference: Heckerman, Geiger & Chickering, "Learning Bayesian networks: the combination of knowledge and statistical data",
Machine Learning 20, 1995.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from aprendiz.core.rows import Array

Prior = Literal["dirichlet", "bdeu", "k2"]


def pseudo_count(prior: Prior | None, alpha: float, table: Array) -> float:
    """a of (1), the same for each cell of a table."""
    if prior is None:
        return 0.0
    if prior == "k2":
        return 1.0
    return alpha if prior == "dirichlet" else alpha / table.size


def shares(raised: Array) -> Array:
    """(1) of the counts with their pseudo-counts, N + a."""
    total = raised.sum(axis=-1, keepdims=True)
    return np.divide(raised, total, out=np.full_like(raised, 1.0 / raised.shape[-1]), where=total > 0)


def weighted_logs(counts: Array, table: Array) -> float:
    """Σ N log θ, where a count of 0 adds nothing."""
    counted = counts > 0
    return float(np.broadcast_to(counts, table.shape)[counted] @ np.log(table[counted]))
