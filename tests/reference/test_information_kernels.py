"""The kernels of selection/information against their twins."""

import numpy as np
import pytest
from scipy.special import digamma

from aprendiz.selection.information.coded_table import CodedTable, n_log_n, runs
from aprendiz.selection.information.column_codes import ColumnCodes, code_columns
from aprendiz.selection.information.count_terms import SUMS, class_terms, large_tables, small_tables
from aprendiz.selection.information.neighbor_counts import class_sums, plane_sums
from aprendiz.selection.information.neighbor_differences import class_differences
from aprendiz.selection.information.neighbor_information import measured_with_classes

from . import information_twins as twins

TABLES = {
    "measured": lambda rng, n: rng.standard_normal(n),
    "half zeros": lambda rng, n: np.maximum(rng.standard_normal(n), 0.0) + 1e-10 * rng.standard_normal(n),
    "whole": lambda rng, n: rng.integers(0, 4, n) + 1e-10 * rng.standard_normal(n),
    "equal": lambda rng, n: 1e-10 * rng.standard_normal(n),
    "heavy tails": lambda rng, n: rng.standard_cauchy(n),
    "exactly equal": lambda rng, n: rng.integers(0, 3, n).astype(float),
}


@pytest.mark.parametrize("other", ["measured", "whole", "half zeros"])
@pytest.mark.parametrize("kind", TABLES)
@pytest.mark.parametrize("k", [1, 3, 7])
def test_plane_sums(kind, other, k):
    rng = np.random.default_rng([k, len(kind), len(other)])
    n = 90
    X, y = np.array([TABLES[kind](rng, n), TABLES["measured"](rng, n)]), TABLES[other](rng, n)
    psi, order, sums = digamma(np.arange(n + 1.0)), y.argsort(), np.empty(2)
    for width in (4, 30):
        plane_sums(X, X.argsort(axis=1), y[order], order, k, width, psi, sums)
        expected = [psi[np.array(twins.neighbors_in_plane(x, y, k))].sum() for x in X]
        np.testing.assert_allclose(sums, expected, rtol=1e-12)


@pytest.mark.parametrize("kind", TABLES)
@pytest.mark.parametrize("k", [1, 3, 20])
def test_class_sums(kind, k):
    rng = np.random.default_rng([k, len(kind)])
    n = 80
    X, y = np.array([TABLES[kind](rng, n), TABLES["measured"](rng, n)]), np.minimum(rng.integers(0, 9, n), 3)
    psi, sums = digamma(np.arange(n + 1.0)), np.empty(2)
    class_sums(X, X.argsort(axis=1), y, np.bincount(y), k, psi, sums)
    np.testing.assert_allclose(sums, [psi[twins.neighbors_of_classes(x, y, k)].sum() for x in X], rtol=1e-12)


def table_of_codes(rng, n, levels, missing, weight):
    """Columns of codes with classes."""
    codes = np.array([rng.integers(0, r, n) for r in levels], dtype=np.int32)
    codes[rng.random(codes.shape) < missing] = -1
    columns = ColumnCodes(codes, np.array(levels), np.ones(len(levels), bool))
    whole = weight.dtype.kind == "i"
    terms = n_log_n(np.arange(weight.sum() + 1.0)) if whole else np.empty(0)
    return CodedTable(columns, rng.integers(0, 3, n), 3, weight, terms)


@pytest.mark.parametrize("missing", [0.0, 0.2])
@pytest.mark.parametrize("weights", ["ones", "whole", "parts"])
def test_tables(missing, weights):
    """Both ways of filling tables, and the choice between them, give the sums of the pairs."""
    rng = np.random.default_rng([int(10 * missing), len(weights)])
    n, levels = 70, [2, 5, 3, 60, 1, 9]
    weight = {"ones": np.ones(n, np.int64), "whole": rng.integers(0, 4, n), "parts": rng.random(n)}[weights]
    table = table_of_codes(rng, n, levels, missing, weight)
    codes, sizes, among, y = table.columns.codes, table.columns.levels, np.array([5, 0, 3, 1, 4]), table.y
    for s in range(len(levels)):
        expected = np.array([twins.sums_of_pair(codes[j], codes[s], y, weight) for j in among])
        np.testing.assert_allclose(table.triples(s, among), expected, rtol=1e-12, atol=1e-12)
        pairs = [0, 1, 2, 4, 6]
        alone = np.array([twins.sums_of_pair(codes[j], codes[s], np.zeros(n, int), weight) for j in among])
        np.testing.assert_allclose(table.pairs(s, among)[:, pairs], alone[:, pairs], rtol=1e-12, atol=1e-12)
        small, large = np.empty((2, len(among), SUMS))
        width = int(sizes[among].max()) + 1
        start = np.where(codes[s] >= 0, codes[s] * 3 + y, sizes[s] * 3) * width
        small_tables(codes, among, sizes, start, weight, int(sizes[s]), 3, width, table.terms, small)
        large_tables(codes, among, sizes, *runs(codes[s], y, 3, weight), 3, table.terms, large)
        np.testing.assert_allclose(small, expected, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(large, expected, rtol=1e-12, atol=1e-12)


def test_class_terms():
    rng = np.random.default_rng(0)
    weight = rng.integers(0, 3, 50)
    table = table_of_codes(rng, 50, [3, 40, 2], 0.1, weight)
    found = np.empty((3, 4))
    class_terms(table.columns.codes, table.y, weight, 40, 3, table.terms, found)
    one = np.zeros(50, int)
    expected = [np.array(twins.sums_of_pair(a, one, table.y, weight))[[0, 1, 5, 6]] for a in table.columns.codes]
    np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize("way", ["quantile", "uniform"])
@pytest.mark.parametrize("bins", [2, 7])
def test_codes_of_columns(way, bins):
    rng = np.random.default_rng(bins)
    n, few = 60, 4
    X = np.array([make(rng, n) for make in TABLES.values()] + [np.full(n, 2.5), rng.integers(0, 12, n).astype(float)])
    X[rng.random(X.shape) < 0.1] = np.nan
    weight = rng.integers(0, 3, n) / 2.0
    codes = np.empty(X.shape, np.int32)
    code_columns(X, X.argsort(axis=1), weight, few, 1 if way == "quantile" else -1, bins, codes)
    counts = weight > 0
    for x, found in zip(X, codes, strict=True):
        kept = np.where(counts, x, np.nan)
        expected = twins.codes_of_cells(kept, weight, few, bins, way)
        assert np.array_equal(found[counts], expected[counts])
        assert np.array_equal(found < 0, np.isnan(x))


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_class_differences(missing):
    rng = np.random.default_rng(1)
    cells, codes, y = rng.random((40, 3)), rng.integers(0, 3, (40, 2)).astype(np.int32), np.minimum(rng.integers(0, 8, 40), 2)
    y[y == 0] = 2
    y[:3] = 0  # fewer than k
    cells[rng.random(cells.shape) < missing] = np.nan
    codes[rng.random(codes.shape) < missing] = -1
    np.testing.assert_allclose(class_differences(cells, codes, y, 5), twins.relief(cells, codes, y, 5), rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("apart", [0.0, 3.0])
def test_small_classes(apart):
    """(2) of neighbor_information.py, with classes that have fewer rows than neighbours are asked for, and one of a single
    row."""
    y = np.repeat([0, 1, 2, 3], [2, 4, 15, 1])
    x = np.random.default_rng(0).standard_normal(22) + apart * y
    kept, sizes = y < 3, np.array([2, 4, 15])[y[:-1]]
    m = np.array(twins.neighbors_of_classes(x[kept], y[kept], 5))
    expected = digamma(21) + np.mean(digamma(np.minimum(5, sizes - 1)) - digamma(sizes) - digamma(m))
    assert measured_with_classes(x[None], y, 5)[0] == pytest.approx(max(expected, 0.0), rel=1e-12)
