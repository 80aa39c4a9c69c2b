"""The kernels of selection/information against their twins."""

import numpy as np
import pytest
from scipy.special import digamma

from aprendiz.selection.information.coded_table import CodedTable, logs_of_counts
from aprendiz.selection.information.column_codes import ColumnCodes, codes_of_cells, codes_of_numbers
from aprendiz.selection.information.count_terms import SUMS
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
    """Columns of codes with classes; the first column knows all cells."""
    codes = np.array([rng.integers(0, r, n) for r in levels], dtype=np.int32)
    codes[1:][rng.random((len(codes) - 1, n)) < missing] = -1
    terms = logs_of_counts(weight)
    return CodedTable(ColumnCodes.counted(codes, weight), rng.integers(0, 3, n), 3, weight, terms)


WEIGHTS = {
    "ones": lambda rng, n: np.ones(n, np.int32),
    "some": lambda rng, n: rng.integers(0, 2, n).astype(np.int32),
    "whole": lambda rng, n: rng.integers(0, 4, n).astype(np.int32),
    "parts": lambda rng, n: rng.random(n),
}
KNOWN_OF_PAIRS = [0, 1, 2, 4, 6]  # the sums that have a meaning without the class


@pytest.mark.parametrize("n", [70, 200])
@pytest.mark.parametrize("missing", [0.0, 0.2])
@pytest.mark.parametrize("weights", WEIGHTS)
def test_tables(missing, weights, n):
    """The sums of pairs of columns of few levels, some and many, with and without the class."""
    rng = np.random.default_rng([int(10 * missing), len(weights), n])
    weight, levels = WEIGHTS[weights](rng, n), [3, 2, 5, 3, 300, 1, 9, 12]
    table = table_of_codes(rng, n, levels, missing, weight)
    codes, among, one = table.columns.codes, np.array([5, 0, 3, 1, 4, 7]), np.zeros(n, int)
    for s in range(len(levels)):
        expected = np.array([twins.sums_of_pair(codes[j], codes[s], table.y, weight) for j in among]).T
        np.testing.assert_allclose(table.triples(s, among), expected, rtol=1e-12, atol=1e-12)
        alone = np.array([twins.sums_of_pair(codes[j], codes[s], one, weight) for j in among]).T
        np.testing.assert_allclose(table.pairs(s, among)[KNOWN_OF_PAIRS], alone[KNOWN_OF_PAIRS], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("missing", [0.0, 0.2])
@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("way", ["fill_small", "fill_large", "fill_masked"])
def test_ways_to_count(missing, weights, way):
    """Each way of counting gives the sums of any pair, whether it would have been chosen or not."""
    if way == "fill_masked" and weights in ("whole", "parts"):
        pytest.skip("masks count a row once or not at all")
    rng = np.random.default_rng([int(10 * missing), len(weights), len(way)])
    n, levels = 150, [2, 5, 3, 8, 1]
    table = table_of_codes(rng, n, levels, missing, WEIGHTS[weights](rng, n))
    codes, among, which = table.columns.codes, np.array([3, 0, 4, 2, 1]), np.array([4, 0, 3])
    for s in range(len(levels)):
        found = np.full((SUMS, len(among)), np.nan)
        complete = table.columns.complete[among] & table.columns.complete[s]
        for some in (which[complete[which]], which[~complete[which]]):
            if len(some):
                getattr(table, way)(s, among, some, table.y, 3, found)
        for t in which:
            expected = twins.sums_of_pair(codes[among[t]], codes[s], table.y, table.weight)
            given = ~np.isnan(found[:, t])  # of complete columns, the first two can be all that is counted
            assert given[:2].all()
            assert given.all() or complete[t]
            np.testing.assert_allclose(found[given, t], np.array(expected)[given], rtol=1e-12, atol=1e-12)
        assert np.isnan(found[:, 1:3]).all()  # columns that were not asked for


def test_masks_count_more_rows_than_a_word_has():
    """63, 64 and 65 rows, and rows that do not count."""
    for n in (1, 63, 64, 65, 129):
        rng = np.random.default_rng(n)
        weight = rng.integers(0, 2, n).astype(np.int32)
        weight[-1] = 1
        table = table_of_codes(rng, n, [2, 2, 3], 0.1, weight)
        found = np.empty((SUMS, 2))
        table.fill_masked(0, np.array([1, 2]), np.arange(2), table.y, 3, found)
        codes = table.columns.codes
        expected = np.array([twins.sums_of_pair(codes[j], codes[0], table.y, weight) for j in (1, 2)]).T
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


def test_ways_are_chosen_by_their_cost():
    """Masks for few levels of rows that count once, a table for some, sorted rows for many."""
    rng = np.random.default_rng(0)
    table = table_of_codes(rng, 300, [3, 3, 10, 300], 0.0, np.ones(300, np.int32))
    sizes, once = table.columns.levels, np.ones(4, bool)
    assert table.are_masked(3, sizes, 3).tolist() == [True, True, False, False]
    assert table.are_masked(9, sizes, 9).tolist() == [False] * 4
    assert table.are_small(10, sizes).tolist() == [True, True, True, False]
    twice = table_of_codes(rng, 300, [3, 3, 10, 300], 0.0, 2 * np.ones(300, np.int32))
    assert not (twice.are_masked(3, sizes, 3) & once).any()


def test_class_terms():
    rng = np.random.default_rng(0)
    weight = rng.integers(0, 3, 50).astype(np.int32)
    table = table_of_codes(rng, 50, [3, 40, 2], 0.1, weight)
    one = np.zeros(50, int)
    expected = [np.array(twins.sums_of_pair(a, one, table.y, weight))[[0, 1, 5, 6]] for a in table.columns.codes]
    np.testing.assert_allclose(table.alone.T, expected, rtol=1e-12)


@pytest.mark.parametrize("way", ["quantile", "uniform"])
@pytest.mark.parametrize("bins", [2, 7])
@pytest.mark.parametrize("weights", ["ones", "parts"])
def test_codes_of_columns(way, bins, weights):
    rng = np.random.default_rng(bins)
    n, few = 60, 4
    X = np.array([make(rng, n) for make in TABLES.values()] + [np.full(n, 2.5), rng.integers(0, 12, n).astype(float)])
    X[rng.random(X.shape) < 0.1] = np.nan
    weight = rng.integers(0, 3, n) / 2.0
    if weights == "ones":
        weight = np.ones(n)
    codes, counts = codes_of_cells(X, weight, few, 1 if way == "quantile" else -1, bins), weight > 0
    for x, found in zip(X, codes, strict=True):
        kept = np.where(counts, x, np.nan)
        expected = twins.codes_of_cells(kept, weight, few, bins, way)
        assert np.array_equal(found[counts], expected[counts])
        assert np.array_equal(found < 0, np.isnan(x))


WHOLE = {
    "few": lambda rng, n: rng.integers(0, 4, n),
    "negative": lambda rng, n: rng.integers(-2, 2, n),
    "two far apart": lambda rng, n: 1000 * rng.integers(0, 2, n),
    "at the ends of the room": lambda rng, n: 63 * rng.integers(0, 2, n) + 7,
    "beyond the room": lambda rng, n: 64 * rng.integers(0, 2, n) - 5,
    "many": lambda rng, n: rng.integers(0, 30, n),
    "halves": lambda rng, n: rng.integers(0, 3, n) / 2.0,
    "one": lambda rng, n: np.full(n, -3),
    "huge": lambda rng, n: 2.0**60 * rng.integers(0, 2, n),
    "missing": lambda rng, n: np.full(n, np.nan),
}


@pytest.mark.parametrize("missing", [0.0, 0.2])
@pytest.mark.parametrize("weights", ["ones", "some", "parts"])
def test_codes_of_whole_numbers(weights, missing):
    """Whole numbers near each other are coded without sorting, the others with it: by their definition, both."""
    rng = np.random.default_rng([len(weights), int(10 * missing)])
    n, bins = 120, 5
    X, weight = np.array([make(rng, n) for make in WHOLE.values()], dtype=float), WEIGHTS[weights](rng, n).astype(float)
    X[rng.random(X.shape) < missing] = np.nan
    codes, counts = codes_of_numbers(X.T, weight, 1, bins), weight > 0
    assert codes.dtype == np.int8
    for x, found in zip(X, codes, strict=True):
        if np.isnan(x).all():
            assert (found == -1).all()
            continue
        expected = twins.codes_of_cells(np.where(counts, x, np.nan), weight, 10, bins, "quantile")
        assert np.array_equal(found[counts], expected[counts])
        assert np.array_equal(found < 0, np.isnan(x))
        assert found.max() <= expected.max()  # cells that do not count have no level of their own


def test_codes_of_many_levels():
    """More levels than a byte has room for."""
    names = np.arange(300)
    codes = np.array([names % 3, names], np.int32)
    both, few = ColumnCodes.counted(codes, np.ones(300)), ColumnCodes.counted(codes[:1], np.ones(300))
    assert (both.codes.dtype, few.codes.dtype) == (np.int32, np.int8)
    assert both.levels.tolist() == [3, 300]
    assert np.array_equal(both.codes, codes)
    hidden = ColumnCodes.counted(np.where(names == 7, -1, codes).astype(np.int32), np.ones(300))
    assert both.complete.all()
    assert not hidden.complete.any()
    alike = ColumnCodes.counted(np.array([np.where(names == 7, -1, 0), np.full(300, -1)], np.int32), np.ones(300))
    assert not alike.varies.any()


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
