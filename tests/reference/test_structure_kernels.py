"""Kernels of searches among graphs agree with their plain twins."""

import math
from collections import Counter

import numpy as np
import pytest

from aprendiz.graphical.structure.distinct_rows import merged
from aprendiz.graphical.structure.edge_moves import ADD, LEAST, REMOVE, REVERSE, UNKNOWN, find_paths, scan_moves
from aprendiz.graphical.structure.family_score import REFUSED, sum_of_counts, sum_of_terms
from aprendiz.graphical.structure.family_table import fill_and_sum, number_configurations

NO_TABLE = np.empty(0, np.int64)


@pytest.mark.parametrize("weighted", [False, True])
def test_equal_rows(weighted):
    """Each different row once, where it is first seen, with the sum of its weights; rows of weight 0 are none."""
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 3, (400, 5)).astype(np.uint8)
    weights = rng.integers(0, 3, 400) / 2.0 if weighted else np.ones(400)
    expected = Counter()
    for row, weight in zip(codes.tolist(), weights, strict=True):
        if weight > 0:
            expected[tuple(row)] += weight
    rows, totals = merged(codes, weights)
    assert [tuple(row) for row in rows.tolist()] == list(expected)
    assert totals.tolist() == list(expected.values())


def rounded(t, power):
    return math.floor(math.ldexp(t, power) + 0.5)


def terms_by_definition(table, beta, beta_row, power):
    """Σ t(N_jk, β) − Σ t(N_j, r·β), each rounded to 2^−power."""

    def t(m, b):
        return m * math.log(m) if b == 0 else math.lgamma(m + b) - math.lgamma(b)

    cells = sum(rounded(t(float(m), beta), power) for m in table.ravel() if m > 0)
    return cells - sum(rounded(t(float(m), beta_row), power) for m in table.sum(axis=1) if m > 0)


@pytest.mark.parametrize("kind", [np.int64, np.float64])
@pytest.mark.parametrize("beta", [0.0, 1.0, 1e-5])
def test_terms(kind, beta):
    """Terms of whole and of other counts, computed and looked up."""
    rng = np.random.default_rng(1)
    table = rng.integers(0, 50, (7, 3)).astype(kind) / (1 if kind == np.int64 else 4.0)
    table[2] = 0
    table = table.astype(kind)
    expected = terms_by_definition(table, beta, 3 * beta, 30)
    found = sum_of_terms(table.ravel(), 3, beta, 3 * beta, 30, NO_TABLE)
    assert abs(found - expected) <= 2
    rows = table.sum(axis=1)
    assert found == sum_of_counts(table.ravel(), beta, 30, NO_TABLE) - sum_of_counts(rows, 3 * beta, 30, NO_TABLE)
    if kind == np.int64 and beta == 0:
        looked_up = np.array([0, *(rounded(m * math.log(m), 30) for m in range(1, 200))])
        assert sum_of_terms(table.ravel(), 3, 0.0, 0.0, 30, looked_up) == expected


@pytest.mark.parametrize("count", [1, 2, 5])
def test_candidates(count):
    """The table of each candidate, an odd number of them too, with codes and weights of other types."""
    rng = np.random.default_rng(count)
    codes = rng.integers(0, 4, (6, 300)).astype(np.uint8 if count > 1 else np.int32)
    weights = rng.integers(1, 4, 300) if count < 5 else rng.uniform(0.5, 2.0, 300)
    numbers, candidates = codes[4].astype(np.int32), rng.permutation(4)[:count] if count < 5 else np.array([0, 1, 2, 3, 1])
    betas, sizes = rng.uniform(0.1, 1.0, (count, 2)), np.full(6, 4)
    place, room, out = numbers * 4 + codes[5], np.full((2, 64), 7).astype(weights.dtype), np.empty(count, np.int64)
    fill_and_sum(codes, weights, candidates, sizes, place, (16, 4), betas, 30, NO_TABLE, room, out)
    for u, (beta, row), found in zip(candidates, betas, out, strict=True):
        table = np.zeros((4, 4, 4))
        np.add.at(table, (codes[u], codes[4], codes[5]), weights)
        assert abs(found - terms_by_definition(table.reshape(-1, 4), beta, row, 30)) <= 2


def test_configurations():
    """Pairs of a number and a level, numbered as they first occur."""
    rng = np.random.default_rng(2)
    numbers, codes = rng.integers(0, 5, 100).astype(np.int32), rng.integers(0, 3, 100).astype(np.uint8)
    marks, out = np.full(15, -1, np.int32), np.empty(100, np.int32)
    first = list(dict.fromkeys(zip(numbers.tolist(), codes.tolist(), strict=True)))
    assert number_configurations(numbers, codes, 3, marks, out) == len(first)
    assert out.tolist() == [first.index(pair) for pair in zip(numbers.tolist(), codes.tolist(), strict=True)]


def best_by_definition(arrows, reach, allowed, required, most, scores, tabu, record):
    """All moves from left to right: (number of them, best one), and which families they need that are unknown."""
    d, moves, wanted = len(arrows), [], np.zeros_like(arrows)
    for u in range(d):
        for v in range(d):
            if not arrows[u, v]:
                kinds = [ADD] if allowed[u, v] and not reach[v, u] and arrows[:, v].sum() < most else []
            else:
                around = any(arrows[u, c] and reach[c, v] for c in range(d) if c != v)
                turns = allowed[v, u] and arrows[:, u].sum() < most and not around
                kinds = [] if required[u, v] else [REMOVE, REVERSE] if turns else [REMOVE]
            for kind in kinds:
                needed = [(v, u)] if kind != REVERSE else [(v, u), (u, v)]
                if any(scores[pair] == UNKNOWN for pair in needed):
                    for pair in needed:
                        wanted[pair] |= scores[pair] == UNKNOWN
                elif all(scores[pair] != REFUSED for pair in needed):
                    moves.append((kind, u, v, sum(int(scores[a, b] - scores[a, a]) for a, b in needed)))
    fine = [move for move in moves if move[3] > record or not tabu[move[1], move[2]]]
    return len(moves), max(fine, key=lambda move: move[3], default=(-1, 0, 0, LEAST)), wanted, moves


@pytest.mark.parametrize("seed", range(20))
def test_moves(seed):
    """Random graphs, knowledge, limits, scores (some equal, unknown or refused) and tabu pairs."""
    rng = np.random.default_rng(seed)
    d = int(rng.integers(1, 8))
    order = rng.permutation(d)
    arrows = np.zeros((d, d), bool)
    arrows[np.ix_(order, order)] = np.triu(rng.random((d, d)) < 0.3, 1)
    reach = np.empty_like(arrows)
    find_paths(arrows, reach)
    allowed = (rng.random((d, d)) < 0.8) & ~np.eye(d, dtype=bool)
    required, tabu = arrows & (rng.random((d, d)) < 0.2), rng.random((d, d)) < 0.3
    scores = rng.integers(-4, 5, (d, d))
    hidden = ~np.eye(d, dtype=bool) & (rng.random((d, d)) < 0.1)
    scores[hidden] = UNKNOWN if seed % 2 else REFUSED
    settings = (arrows, reach, allowed, required, int(rng.integers(1, 4)), scores, tabu)
    wanted = np.zeros_like(arrows)
    count, best, needed, moves = best_by_definition(*settings, 3)
    assert scan_moves(*settings, 3, -1, wanted) == (count, *best)
    np.testing.assert_array_equal(wanted, needed)
    for number in range(count):
        assert scan_moves(*settings, 3, number, wanted)[1:] == moves[number]
