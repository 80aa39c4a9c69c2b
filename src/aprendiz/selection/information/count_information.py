"""Mutual information of columns of codes with the class, by counting.

    I = 1/n · (A_ay − A_a − A_y + A),     A_ab = Σ N_ab·f(N_ab)                                               (1)

With f = log this is the information of the observed frequencies: never below 0, and too large by about
(r_a − 1)(r_y − 1)/2n on average, r the numbers of levels. With f = ψ it is corrected: of n independent rows,

    E[N/n · (ψ(n) − ψ(N))] = −p log p − p·Σ_{v ≥ n} (1 − p)^v / v                                             (2)

for a level of probability p, so what is left of the bias is smaller than Σ (1 − p)ⁿ/n over the cells: nothing as soon as a few
rows are expected in each. It is the estimate of neighbor_information.py with rows of equal cells for neighbours.

If column and class are independent, 2n·I with f = log has a χ² distribution of (r_a − 1)(r_y − 1) degrees of freedom. That
needs several rows in each cell; permutations of the classes need nothing (`permutation_p`):

    p = (1 + number of permutations whose I is no smaller) / (1 + permutations)                               (3)

References: Zhang, "Entropy estimation in Turing's perspective", Neural Computation 24, 2012; Phipson & Smyth, "Permutation
p-values should never be zero", Statistical Applications in Genetics and Molecular Biology 9, 2010."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.special import chdtrc, digamma

from aprendiz.core.random import hashes
from aprendiz.core.rows import Array
from aprendiz.core.threads import num_threads, ordered_map
from aprendiz.selection.information.count_terms import class_terms


def by_counts(codes: Array, y: Array, *, corrected: bool = False) -> Array:
    """(1) of columns of codes (the rows of `codes`, −1 where a cell is missing) with classes 0, 1, …"""
    N, classes = np.arange(len(y) + 1.0), int(y.max(initial=0)) + 1
    terms = N * (digamma(np.maximum(N, 1.0)) if corrected else np.log(np.maximum(N, 1.0)))
    joint, alone, of_class, rows = of_terms(codes, y, classes, terms).T
    sums = joint - alone - of_class + terms[rows.astype(np.int64)]
    value = np.divide(sums, rows, out=np.zeros(len(rows)), where=rows > 0)
    return np.asarray(value if corrected else np.maximum(value, 0.0))


def of_terms(codes: Array, y: Array, classes: int, terms: Array) -> Array:
    """The sums of count_terms.py over columns, with any function of the counts."""
    found, y, weight = np.empty((len(codes), 4)), y.astype(np.int64), np.ones(len(y), np.int64)
    at_once = max(1, -(-len(codes) // (4 * num_threads())), 2**18 // max(1, len(y)))

    def count(first: int) -> None:
        part = slice(first, first + at_once)
        levels = int(codes[part].max(initial=0)) + 1
        class_terms(codes[part], y, weight, levels, classes, terms, found[part])

    for _ in ordered_map(count, range(0, len(codes), at_once)):
        pass
    return found


def chi_square_p(codes: Array, y: Array) -> Array:
    """How probable so much information by counts, or more, is of independent columns."""
    classes, N = int(y.max(initial=0)) + 1, np.arange(len(y) + 1.0)
    _joint, levels, kinds, rows = of_terms(codes, y, classes, (N > 0).astype(float)).T
    freedom = np.maximum(levels - 1, 0) * np.maximum(kinds - 1, 0)
    free = freedom > 0
    return np.where(free, chdtrc(np.where(free, freedom, 1.0), 2.0 * rows * by_counts(codes, y)), 1.0)


def permutation_p(estimate: Callable[[Array], Array], y: Array, value: Array, permutations: int, seed: int) -> Array:
    """(3) of each column; `estimate` finds the information of all columns with any order of the target."""
    no_smaller, slack = np.zeros(len(value)), 1e-9 * (1.0 + np.abs(value))  # equal tables are equal whatever the rounding
    for number in range(permutations):
        no_smaller += estimate(y[np.argsort(hashes(seed, number, np.arange(len(y))), kind="stable")]) >= value - slack
    return (1.0 + no_smaller) / (1.0 + permutations)
