"""Columns of levels against classes: what a table of counts says of each.

    χ²   = Σ (N_ak − E_ak)² / E_ak,   E_ak = N_a N_k / n          Pearson's test of independence             (1)
    I    = Σ N_ak/n · log(n N_ak / (N_a N_k))                     the information that they share             (2)
    gain ratio = I / H(a),    symmetric uncertainty = 2 I / (H(a) + H(k))                                     (3)

(2) is the information of the observed frequencies. Its bias grows with the number of levels; (3) divides by the entropy of the
levels, so that a column of many levels gains nothing by them. Under independence 2n·I, like (1), has nearly a χ² distribution
with (levels − 1)(classes − 1) degrees of freedom; (3) has the p-value of its I.

A row whose level is missing is left out of its column; or, with `missing="spread"`, it counts in all levels, in proportion to
how often they occur:

    N_ak ← N_ak + M_k·N_a/n,     M_k the rows of class k without a level                                      (4)

Cost: O(n) for each column.
Reference: Hall & Holmes, "Benchmarking attribute selection techniques for discrete class data mining", IEEE TKDE 15, 2003.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from scipy.special import chdtrc, xlogy

from aprendiz.core.rows import Array
from aprendiz.graphical.structure.dependence import DF, G2, X2, dependence
from aprendiz.selection.scores.scored import EPS, Scored

Missing = Literal["leave_out", "spread"]
OfCounts = Literal["chi2", "mutual_info", "gain_ratio", "symmetric_uncertainty"]


def level_table(codes: Array, y: Array, weight: Array, levels: int, classes: int, missing: Missing) -> Array:
    """N of levels and classes; codes below 0 are missing."""
    cells = np.bincount((codes.astype(np.int64) + 1) * classes + y, weight, (levels + 1) * classes).reshape(-1, classes)
    table, without = cells[1:].astype(np.float64), cells[0]
    total = table.sum()
    if missing == "spread" and total > 0:
        table += np.outer(table.sum(axis=1) / total, without)  # (4)
    return np.ascontiguousarray(table)


def score_of_table(table: Array, kind: OfCounts) -> tuple[float, float, float]:
    """A score of one table, its p-value and how far rounding may have moved it; NaN where the column has one level, or the rows
    one class."""
    found = np.empty(3)
    dependence(table[None], found)
    if found[DF] == 0:
        return np.nan, np.nan, np.nan
    information, total = 0.5 * found[G2], table.sum()
    rounding = EPS * (16.0 * total + (table.size + 16.0) * found[X2 if kind == "chi2" else G2])
    if kind == "chi2":
        return float(found[X2]), float(chdtrc(found[DF], found[X2])), rounding
    of_levels, of_classes = entropy(table.sum(axis=1)), entropy(table.sum(axis=0))
    divisor = {"mutual_info": 1.0, "gain_ratio": of_levels, "symmetric_uncertainty": 0.5 * (of_levels + of_classes)}[kind]
    share = total * divisor
    return float(information / share), float(chdtrc(found[DF], found[G2])), rounding / share


def entropy(N: Array) -> float:
    """H of counts, in nats."""
    n = N.sum()
    return float(np.log(n) - xlogy(N, N).sum() / n)


def score_levels(codes: Array, y: Array, weight: Array | None, classes: int, kind: OfCounts, missing: Missing) -> Scored:
    """(1), (2) or (3) of columns of codes (the rows of `codes`)."""
    weight = np.ones(len(y)) if weight is None else weight
    found = np.empty((len(codes), 3))
    for j, column in enumerate(codes):
        table = level_table(column, y, weight, int(column.max(initial=-1)) + 1, classes, missing)
        found[j] = score_of_table(table, kind)
    return Scored(*found.T)
