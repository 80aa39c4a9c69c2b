"""Kernels of trees and tests of independence agree with their plain twins."""

from itertools import product

import numpy as np
import pytest
from entries import entry

from aprendiz.graphical.counts.pair_counts import count_pairs, starts_of
from aprendiz.graphical.learning.tree_tables import TreeTables, from_below
from aprendiz.graphical.structure.dependence import dependence, excess
from aprendiz.graphical.structure.mutual_information import add_information
from aprendiz.graphical.structure.pair_tests import compare_pairs

SIZES = np.array([2, 1, 3, 4])
RTOL = 1e-12


@pytest.fixture(params=["whole", "holes"])
def coded(request):
    """Codes of four columns, −1 where a cell is missing, two classes, and weights some of which are 0."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, SIZES, (50, 4)).astype(np.int32)
    X[rng.random(X.shape) < 0.3 * (request.param == "holes")] = -1
    return X, rng.integers(0, 2, 50), rng.integers(0, 3, 50) / 2.0


def test_count_pairs(coded):
    """Each pair of levels in each class; the lower triangle of pairs stays empty."""
    X, y, w = coded
    start, table = starts_of(SIZES), np.zeros((2, 10, 10))
    count_pairs(X, y, w, start, table)
    expected = np.zeros_like(table)
    for row, label, weight in zip(X, y, w, strict=True):
        for j, k in product(range(4), repeat=2):
            if j <= k and row[j] >= 0 and row[k] >= 0:
                expected[label, start[j] + row[j], start[k] + row[k]] += weight
    assert np.array_equal(table, expected)


def of_strata(table):
    """G², X² and adjusted degrees of freedom by the definition."""
    g2 = x2 = df = 0.0
    for N in table[table.sum(axis=(1, 2)) > 0]:
        E = np.outer(N.sum(axis=1), N.sum(axis=0)) / N.sum()
        some = N > 0
        g2 += 2 * (N[some] * np.log(N[some] / E[some])).sum()
        x2 += ((N - E)[E > 0] ** 2 / E[E > 0]).sum()
        df += ((N.sum(axis=1) > 0).sum() - 1) * ((N.sum(axis=0) > 0).sum() - 1)
    return g2, x2, df


@pytest.mark.parametrize("shape", [(1, 2, 2), (3, 2, 4), (5, 1, 3), (2, 3, 3)])
def test_dependence(shape):
    """Strata without rows, levels that do not occur in a stratum, a column of one level."""
    rng = np.random.default_rng(shape)
    table = rng.integers(0, 6, shape) * rng.integers(0, 2, (shape[0], shape[1], 1)) * 1.0
    table[-1] *= shape[0] == 1
    found = np.empty(3)
    dependence(table, found)
    np.testing.assert_allclose(found, of_strata(table), rtol=RTOL, atol=1e-13)


@pytest.mark.parametrize(("N", "E"), [(3.0, 2.0), (0.0, 2.0), (2.0, 2.0), (1e-3, 5.0), (1e6, 1.0)])
def test_excess(N, E):
    """N log(N/E) − N + E."""
    expected = (N * np.log(N / E) if N else 0.0) - N + E
    np.testing.assert_allclose(entry(excess)(N, E), expected, rtol=RTOL, atol=1e-15)


def test_add_information(coded):
    """Σ N log(N/E), Σ N|log(N/E)| and Σ N of each pair, summed over the classes."""
    X, y, w = coded
    start, table = starts_of(SIZES), np.zeros((2, 10, 10))
    count_pairs(X, y, w, start, table)
    sums, sizes, weight = np.zeros((3, 4, 4))
    add_information(table, start, SIZES, sums, sizes, weight)
    for j, k in product(range(4), repeat=2):
        if j > k:
            assert sums[j, k] == sizes[j, k] == weight[j, k] == 0
            continue
        pairs = table[:, start[j] : start[j] + SIZES[j], start[k] : start[k] + SIZES[k]]
        E = pairs.sum(axis=2, keepdims=True) * pairs.sum(axis=1, keepdims=True) / pairs.sum(axis=(1, 2), keepdims=True)
        logs = np.log(pairs / E, out=np.zeros_like(pairs), where=pairs > 0)
        np.testing.assert_allclose(sums[j, k], (pairs * logs).sum(), rtol=RTOL, atol=1e-13)
        np.testing.assert_allclose(sizes[j, k], (pairs * np.abs(logs)).sum(), rtol=RTOL, atol=1e-13)
        assert weight[j, k] == pairs.sum()


def test_compare_pairs(coded):
    """Tests of several sizes of sets on the same codes."""
    X, _, w = coded
    for tests in ([[0, 2], [2, 3], [1, 3]], [[3, 0, 2], [0, 3, 2]], [[0, 1, 2, 3]]):
        found = np.empty((len(tests), 3))
        compare_pairs(np.ascontiguousarray(X.T), w, SIZES, np.array(tests), np.empty(50, np.int32), np.empty(24), found)
        for numbers, test in zip(found, tests, strict=True):
            table = np.zeros(SIZES[test])
            known = (X[:, test] >= 0).all(axis=1)
            np.add.at(table, tuple(X[known][:, test].T), w[known])
            expected = of_strata(table.reshape(-1, *SIZES[test[-2:]]))
            np.testing.assert_allclose(numbers, expected, rtol=RTOL, atol=1e-13)


def test_add_tree():
    """log Σ over all levels of the missing cells; a level without a table counts as missing, an impossible row is −∞."""
    rng = np.random.default_rng(0)
    parent, sizes = np.array([2, 2, -1, 0]), np.array([2, 3, 2, 3])
    shapes = [(2, 2, 2), (2, 2, 3), (2, 1, 2), (2, 2, 3)]
    tables = [np.log(rng.dirichlet(np.ones(shape[2]), shape[:2])) for shape in shapes]
    tables[3][0, 1] = -np.inf
    X = rng.integers(-1, sizes + 1, (60, 4))
    joint = np.zeros((60, 2))
    TreeTables.of(parent, tables).add_to(joint, X)
    for i, row in enumerate(X):
        known = np.where(row < sizes, row, -1)
        total = np.zeros(2)
        for levels in product(*(range(size) if x < 0 else [x] for x, size in zip(known, sizes, strict=True))):
            parts = [tables[v][:, levels[parent[v]] if parent[v] >= 0 else 0, levels[v]] for v in range(4)]
            total += np.exp(np.sum(parts, axis=0))
        with np.errstate(divide="ignore"):
            np.testing.assert_allclose(joint[i], np.log(total), rtol=RTOL, atol=1e-13)


def test_from_below():
    """The sum over the levels of a missing cell, one row of a table."""
    logs, below = np.log([0.9, 0.1, 0.2, 0.3, 0.5]), np.array([[9.0, 9.0, 9.0], [-1.0, 0.0, 2.0]])
    expected = np.log(np.exp(logs[2:] + below[1]).sum())
    np.testing.assert_allclose(entry(from_below)(logs, 2, 3, below, 1), expected, rtol=RTOL)
    assert entry(from_below)(np.full(3, -np.inf), 0, 3, below, 1) == -np.inf
