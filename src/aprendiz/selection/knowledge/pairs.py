"""Pairs of columns that say something together and nothing alone: exclusive or, products.

Each column becomes s = ±1, above its median or not, centred and of variance 1. For every pair,

    T = Σ_k (Σ_i U_ik s_ia s_ib)²                                                                             (1)

over the columns U of a basis of the target: a matrix product for all pairs at once. If the pair says nothing, T has about a χ²
distribution. The largest are tested in earnest: whether s_a·s_b says anything given both columns and whatever is known already
(partial_tests.py). Of m pairs, one counts if its p-value is at most α/m (Bonferroni): the chance that any of them is there by
accident is α. Words of more than two levels take no part.

Cost: 2·n·d² operations for each column of U.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import chdtri

from aprendiz.core.rows import Array
from aprendiz.core.threads import ordered_map
from aprendiz.selection.knowledge.blocks import Blocks, of_norm_1
from aprendiz.selection.knowledge.partial_tests import basis_of, extended, p_of_block, without

MOST_OPERATIONS = 2.0e11  # of a search that is made unasked: 100 rows and 20 000 columns are 8e10
CANDIDATES = 200  # pairs that chance alone is expected to put before the test
MOST_TESTED = 500
ROWS_AT_ONCE = 2**22  # cells of a part of (1)


class Pair(NamedTuple):
    """Two columns, and how probable it is that they say as much together if they say nothing."""

    a: int
    b: int
    p: float


def operations(blocks: Blocks, targets: int) -> float:
    """How much work the search is."""
    varying = float((blocks.lines != 0).any(axis=0).sum())
    return 2.0 * blocks.rows * varying**2 * targets


def signs_of(lines: Array) -> Array:
    """s of each column, of norm √n; zeros where it does not vary."""
    above = lines > np.median(lines, axis=0)
    flat = ~above.any(axis=0)
    above[:, flat] = (lines >= np.median(lines, axis=0))[:, flat]
    return of_norm_1(above.astype(np.float64)) * np.sqrt(len(lines))


def candidates(blocks: Blocks, U: Array) -> tuple[Array, int]:
    """The pairs with the largest T, the largest first, and the number of all pairs."""
    varying = np.flatnonzero((blocks.lines != 0).any(axis=0))
    d = len(varying)
    pairs = d * (d - 1) // 2
    if pairs == 0 or not U.shape[1]:
        return np.empty((0, 2), np.int64), pairs
    signs = signs_of(blocks.lines[:, varying]).astype(np.float32)
    limit = chdtri(U.shape[1], min(1.0, CANDIDATES / pairs))
    at_once = max(1, ROWS_AT_ONCE // d)

    def part(first: int) -> tuple[Array, Array]:
        some = signs[:, first : first + at_once]
        total = np.zeros((some.shape[1], d - first), np.float32)
        for u in U.T.astype(np.float32):
            total += ((u[:, None] * some).T @ signs[:, first:]) ** 2
        a, b = np.nonzero(total > limit)
        later = b > a  # each pair once
        a, b = a[later], b[later]
        return np.column_stack([a, b]) + first, total[a, b]

    found = list(ordered_map(part, range(0, d, at_once)))
    places, size = np.concatenate([one for one, _ in found]), np.concatenate([one for _, one in found])
    order = np.argsort(-size, kind="stable")[:MOST_TESTED]
    return varying[places[order]], pairs


def product(blocks: Blocks, a: int, b: int) -> Array:
    """s_a·s_b as a column of norm 1."""
    signs = signs_of(blocks.lines[:, [a, b]])
    return of_norm_1((signs[:, 0] * signs[:, 1])[:, None])


def p_of_pair(blocks: Blocks, a: int, b: int, basis: Array, Y: Array) -> float:
    """How probable so much of s_a·s_b is, given both columns and what is known."""
    both = extended(basis, np.column_stack([blocks.block(a), blocks.block(b)]))
    return p_of_block(product(blocks, a, b), both, basis_of(without(both, Y)))[1]


def found_pairs(blocks: Blocks, basis: Array, Y: Array, U: Array, level: float) -> tuple[list[Pair], list[Pair], int]:
    """Pairs that count, each given those before it; those that count only without them; and the number of all pairs."""
    some, pairs = candidates(blocks, U)
    tested = [Pair(int(a), int(b), p_of_pair(blocks, int(a), int(b), basis, Y)) for a, b in some]
    left = sorted((one for one in tested if one.p <= level / pairs), key=lambda one: one.p)
    chosen: list[Pair] = []
    spared: list[Pair] = []
    while left:
        best, *others = left
        chosen.append(best)
        new = np.column_stack([blocks.block(best.a), blocks.block(best.b), product(blocks, best.a, best.b)])
        basis = extended(basis, new)
        left = []
        for one in others:
            p = p_of_pair(blocks, one.a, one.b, basis, Y)
            (left if p <= level / pairs else spared).append(Pair(one.a, one.b, p if p <= level / pairs else one.p))
        left.sort(key=lambda one: one.p)
    return chosen, spared, pairs
