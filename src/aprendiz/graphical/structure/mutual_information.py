"""Mutual information of pairs of columns, given the class or without one, from their counts.

    I(j; k | c) = 1/n_jk · Σ_c Σ_ab N_ab log(N_ab / E_ab),     E_ab = N_a· N_·b / N_··                        (1)

with the margins of each class's own table, and n_jk the weight of the rows that know both cells. It is what the likelihood of a
row gains on average when k depends on j, and G²/2n of their test of independence: the same sum of terms that are never negative
(dependence.py). (1) with j = k is the entropy of the column.

Rounding: a term is known to a few ε·N|log(N/E)|. Sums of m weights that are rounded are off by m·ε of themselves at most; (1)
moves by no more than four times that part of Σ N|log(N/E)| + Σ N.

Cost: O(T²) for each class, T the number of levels of all columns.
Reference: Cover & Thomas, "Elements of Information Theory", Wiley, 2006, chapter 2.
"""

from __future__ import annotations

import warnings
from typing import NamedTuple

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import MOST_ROWS, Array
from aprendiz.graphical.counts.pair_counts import PairCounts, starts_of
from aprendiz.graphical.structure.dependence import excess
from aprendiz.locale import _

EPS = float(np.finfo(float).eps)
DEPTH = 64  # of the tree along which the records of blocks are added


class PairInformation(NamedTuple):
    """For each pair of columns I of (1), a bound on its rounding, and n_jk; symmetric."""

    value: Array
    rounding: Array
    weight: Array


def pair_information(counts: PairCounts) -> PairInformation:
    """(1) of all pairs, in nats."""
    d = counts.columns
    sums, sizes, weight = np.zeros((3, d, d))
    power = int(np.frexp(counts.total.max())[1])
    table = np.ldexp(counts.table, -power)  # products of counts stay in range; nothing is rounded
    add_information(table, starts_of(counts.sizes), counts.sizes, sums, sizes, weight)
    off = few_roundings(counts) * sizes + counted_error(counts) * (sizes + weight)
    per_row = np.divide(1.0, weight, out=np.zeros_like(weight), where=weight > 0)
    upper = [sums * per_row, off * per_row, np.ldexp(weight, power)]
    return PairInformation(*(np.triu(part) + np.triu(part, 1).T for part in upper))


def few_roundings(counts: PairCounts) -> float:
    """The part of N|log(N/E)| that a term and the sum over all cells of a pair may be off by."""
    largest = np.sort(counts.sizes)[-2:]
    return float((16 + np.prod(largest) * len(counts.total)) * EPS)


def counted_error(counts: PairCounts) -> float:
    """Four times the part of a count that its sum may be off by."""
    return 4 * (MOST_ROWS + DEPTH) * EPS if counts.rounded else 0.0


def warn_of_strangers(found: PairInformation, record: PairCounts) -> None:
    """Say which columns are never known together, so that nothing is known of their dependence."""
    known = np.diagonal(found.weight) > 0
    for j, k in np.argwhere(np.triu((found.weight == 0) & np.outer(known, known)))[:1]:
        a, b = (repr(int(v) if record.names is None else record.names[v]) for v in (j, k))
        warnings.warn(
            _(
                "No row knows both column {a} and column {b}, so nothing says how they depend on each other: their mutual "
                "information is taken as 0."
            ).format(a=a, b=b),
            UserWarning,
            stacklevel=5,
        )


@compiled
def add_information(table: Array, start: Array, size: Array, sums: Array, sizes: Array, weight: Array) -> None:
    """For each pair j ≤ k the sum of the terms of (1), of N|log(N/E)|, and of N."""
    d = len(size)
    for j in range(d):
        for k in range(j, d):
            rows, columns = np.zeros(size[j]), np.zeros(size[k])
            for c in range(table.shape[0]):
                rows[:], columns[:] = 0.0, 0.0
                for a in range(size[j]):
                    for b in range(size[k]):
                        N = table[c, start[j] + a, start[k] + b]
                        rows[a] += N
                        columns[b] += N
                total = rows.sum()
                if total > 0.0:
                    weight[j, k] += total
                    for a in range(size[j]):
                        for b in range(size[k]):
                            N, E = table[c, start[j] + a, start[k] + b], rows[a] * (columns[b] / total)
                            if E > 0.0:
                                sums[j, k] += excess(N, E)
                            if N > 0.0:
                                sizes[j, k] += N * abs(np.log1p((N - E) / E))
