"""Quantiles of columns: the bits of NumPy's, in any blocks, from memory and files, in few passes."""

from contextlib import contextmanager
from fractions import Fraction
from unittest.mock import patch

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import aprendiz
from aprendiz.core.rows import Block, Rows, block_rows
from aprendiz.core.sources.arrays import ArrayRows
from aprendiz.summaries import quantiles as module
from aprendiz.summaries.key_histograms import Bins, Collected, Histogram, Places, keys, values
from aprendiz.summaries.quantiles import divide, quantiles

LEVELS = [0.0, 0.25, 0.5, 0.75, 0.9, 1.0, 1 / 3]
LARGEST = np.finfo(float).max
MANY = 20_000  # rows: three blocks
RNG = np.random.default_rng(8)
quick = settings(max_examples=50, deadline=None, database=None, derandomize=True)


class Pieces(Rows):
    """Rows in blocks of any lengths."""

    def __init__(self, X, cuts, weight=None):
        self.count, self.columns = X.shape
        ends = [*sorted({*cuts, len(X)} - {0})]
        starts = [0, *ends[:-1]]
        parts = [slice(a, b) for a, b in zip(starts, ends, strict=True)]
        self.parts = [Block(X[p], None, None if weight is None else weight[p], p.start) for p in parts]
        self.passes = 0

    def groups(self):
        return ((block,) for block in self.parts)

    def sum(self, statistic, *parameters):
        self.passes += 1
        return super().sum(statistic, *parameters)


class Counting(ArrayRows):
    """Rows in memory that count how often they are read."""

    passes = 0

    def sum(self, statistic, *parameters):
        self.passes += 1
        return super().sum(statistic, *parameters)


@contextmanager
def few(cells):
    """Another number of cells that are collected rather than divided again."""
    with patch.object(module, "FEW_CELLS", cells):
        yield


def numpys(X, levels=LEVELS):
    """NumPy's quantiles of the known cells in double precision, NaN where there are none; +0 rather than −0."""
    columns = [column[~np.isnan(column)] for column in np.asarray(X, float).T]
    return np.column_stack([np.quantile(c, levels) if len(c) else np.full(len(levels), np.nan) for c in columns]) + 0.0


def assert_same_bits(found, expected):
    assert found.shape == expected.shape
    assert np.array_equal(np.isnan(found), np.isnan(expected))
    known = ~np.isnan(expected)
    assert np.array_equal(found[known].view(np.uint64), expected[known].view(np.uint64))


# ---- small tables, in all ways of cutting them -------------------------------------------------------------------------

odd = st.sampled_from([0.0, -0.0, 5e-324, -5e-324, 1e-310, 2.3e-308, 1.0, 1.0 + 2**-52, -1.0, 1e16, 1e300, -1e300, np.nan])
measured = st.floats(-1e300, 1e300, allow_subnormal=True)
whole = st.integers(-3, 3).map(float)


@st.composite
def columns_in_blocks(draw):
    """A table of one or two columns with its weights and where it is cut."""
    n, d = draw(st.integers(1, 20)), draw(st.integers(1, 2))
    kinds = [draw(st.sampled_from([odd, measured, whole, st.just(draw(odd))])) for _ in range(d)]
    X = np.column_stack([draw(st.lists(kind, min_size=n, max_size=n)) for kind in kinds])
    weight = np.array(draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)), float)
    return X, weight, draw(st.lists(st.integers(0, n), max_size=4))


@quick
@given(columns_in_blocks(), st.integers(1, 8))
def test_same_bits_as_numpy(drawn, cells):
    """One block or several, collected at once or divided down to single cells: the bits of np.quantile."""
    X, _, cuts = drawn
    expected = numpys(X)
    assert_same_bits(quantiles(ArrayRows(X), LEVELS), expected)
    with few(cells):
        assert_same_bits(quantiles(Pieces(X, cuts), LEVELS), expected)


@quick
@given(columns_in_blocks(), st.integers(1, 8))
def test_weight_two_is_the_row_twice(drawn, cells):
    """Whole weights count copies of a row; a row of weight 0 is not there."""
    X, weight, cuts = drawn
    expected = numpys(np.repeat(X, weight.astype(int), axis=0))
    assert_same_bits(quantiles(ArrayRows(X, weight=weight), LEVELS), expected)
    with few(cells):
        assert_same_bits(quantiles(Pieces(X, cuts, weight), LEVELS), expected)


def by_definition(column, weight, level):
    """(1) in rational numbers: the cell that covers a rank, when each cell stands there with its weight."""
    cells = sorted((float(x), Fraction(float(w))) for x, w in zip(column, weight, strict=True) if w > 0 and not np.isnan(x))
    h = max(Fraction(level) * (sum(w for _, w in cells) - 1), Fraction(0))

    def covering(rank):
        running = Fraction(0)
        for x, w in cells:
            running += w
            if running > rank:
                return Fraction(x)
        return Fraction(cells[-1][0])

    low = h.numerator // h.denominator
    return covering(low) + (h - low) * (covering(low + 1) - covering(low))


@quick
@given(
    st.lists(st.tuples(st.integers(-20, 20), st.integers(0, 8)), min_size=1, max_size=30),
    st.lists(st.integers(0, 30), max_size=3),
    st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]),
)
def test_fractions_as_weights(pairs, cuts, level):
    """Weights in quarters: the definition, in rational numbers."""
    column, weight = np.array([x for x, _ in pairs], float), np.array([w for _, w in pairs]) / 4
    if not weight.any():
        weight[0] = 1.0
    expected = float(by_definition(column, weight, level))
    inside = [c for c in cuts if c < len(pairs)]
    with few(2):
        for rows in (ArrayRows(column[:, None], weight=weight), Pieces(column[:, None], inside, weight)):
            assert quantiles(rows, [level])[0, 0] == expected  # quarters of small numbers: nothing is rounded


@quick
@given(columns_in_blocks(), st.randoms(use_true_random=False))
def test_any_order(drawn, random):
    """The order of the rows changes no bit, with weights or without."""
    X, weight, cuts = drawn
    order = list(range(len(X)))
    random.shuffle(order)
    with few(3):
        for w in (None, weight):
            moved = Pieces(X[order], cuts, None if w is None else w[order])
            assert_same_bits(quantiles(moved, LEVELS), quantiles(Pieces(X, cuts, w), LEVELS))


# ---- many rows ---------------------------------------------------------------------------------------------------------

normal = RNG.standard_normal(MANY)
COPIES = RNG.integers(0, 3, MANY)
COPIES[0] = 0  # what stands first may mislead, and not count
COLUMNS = {
    "continuous": normal,
    "skewed": np.exp(3 * normal),
    "heavy tails": RNG.standard_cauchy(MANY),
    "far from zero": 1e9 + normal,
    "integers": RNG.integers(0, 10, MANY).astype(float),
    "many integers": RNG.integers(-(2**40), 2**40, MANY).astype(float),
    "rounded": np.round(normal, 1),
    "zero or one": (normal > 1.5).astype(float),
    "mostly zero": np.where(normal > 1, normal, 0.0),
    "zeros of both signs": np.where(normal > 0, 0.0, -0.0),
    "minus zero or tiny": np.append(1.0, np.where(normal[1:] > 0.25, 1e-12, -0.0)),
    "constant": np.full(MANY, 0.1),
    "constant but for one": np.append(np.full(MANY - 1, 7.0), 1e300),
    "the largest double": np.full(MANY, LARGEST),
    "constant at first": np.where(np.arange(MANY) < 9000, 3.0, normal),
    "missing at first": np.where(np.arange(MANY) < 9000, np.nan, normal),
    "sorted": np.sort(normal),
    "one far below": np.append(-1e300, normal[1:]),
    "two outliers": np.concatenate([[-1e300, 1e300], normal[2:]]),
    "neighbours": 1.0 + RNG.integers(0, 4, MANY) * 2.0**-52,
    "subnormal": RNG.integers(-1000, 1000, MANY) * 5e-324,
    "huge": normal * 1e299,
    "half missing": np.where(normal > 0, np.nan, normal),
    "one known cell": np.where(np.arange(MANY) == 12_345, 5.0, np.nan),
    "all missing": np.full(MANY, np.nan),
}


def test_there_are_several_blocks():
    """What is searched for stands in several blocks, and some bins hold more cells than are collected."""
    assert block_rows(1) * 2 < MANY
    assert module.FEW_CELLS < MANY


@pytest.mark.parametrize("name", COLUMNS)
@pytest.mark.parametrize("weighted", [False, True], ids=["", "weighted"])
def test_columns_of_many_rows(name, weighted):
    """Columns of every kind in several blocks, each alone and beside an ordinary one: the bits of np.quantile."""
    column = COLUMNS[name]
    weight = COPIES if weighted else None
    for X in (column[:, None], np.column_stack([normal, column])):
        expected = numpys(X if weight is None else np.repeat(X, weight, axis=0))
        rows = ArrayRows(X, weight=None if weight is None else weight.astype(float))
        assert_same_bits(quantiles(rows, LEVELS), expected)


@pytest.mark.parametrize("threads", [1, 3])
def test_all_columns_at_once(threads, monkeypatch):
    """All of them side by side, in any number of threads, by rows and by columns."""
    monkeypatch.setenv("APRENDIZ_NUM_THREADS", str(threads))
    X = np.column_stack(list(COLUMNS.values()))
    expected = numpys(X)
    for table in (X, np.asfortranarray(X)):
        assert_same_bits(quantiles(ArrayRows(table), LEVELS), expected)


def test_single_precision():
    """float32 cells are numbers like others: interpolated in double precision."""
    X = np.column_stack([normal, COLUMNS["rounded"], COLUMNS["half missing"]]).astype(np.float32)
    for n in (100, MANY):
        found = quantiles(ArrayRows(X[:n]), LEVELS)
        assert found.dtype == np.float64
        assert_same_bits(found, numpys(X[:n].astype(float)))


def test_files(tmp_path):
    """A Parquet file gives the bits of the table in memory, weights and missing cells included."""
    names = ["continuous", "integers", "half missing", "two outliers"]
    frame = pd.DataFrame({name: COLUMNS[name] for name in names}).assign(weight=COPIES.astype(float))
    frame.to_parquet(tmp_path / "t.parquet", row_group_size=3001)
    X, weight = frame[names].to_numpy(), frame.weight.to_numpy()
    for column in (None, "weight"):
        opened = aprendiz.rows(tmp_path / "t.parquet", columns=names, weight=column).with_missing()
        rows = ArrayRows(X, weight=None if column is None else weight)
        assert_same_bits(quantiles(opened, LEVELS), quantiles(rows, LEVELS))


def test_sparse():
    """Cells that are not stored are zeros."""
    X = np.column_stack([COLUMNS[name] for name in ("mostly zero", "zero or one", "integers")])
    assert_same_bits(quantiles(ArrayRows(sparse.csr_array(X)), LEVELS), numpys(X))


@pytest.mark.parametrize("cell", [5.0, np.nan, -0.0, LARGEST])
def test_one_row(cell):
    """Every quantile of a single row is its cell."""
    expected = np.full((len(LEVELS), 1), cell) + 0.0
    assert_same_bits(quantiles(ArrayRows(np.array([[cell]])), LEVELS), expected)
    assert_same_bits(quantiles(Pieces(np.array([[cell]]), []), LEVELS), expected)


# ---- passes ------------------------------------------------------------------------------------------------------------

TWO = {"continuous", "far from zero", "many integers", "half missing", "huge"}
THREE = {"integers", "rounded", "mostly zero", "zero or one", "constant", "zeros of both signs", "neighbours"}


@pytest.mark.parametrize("name", COLUMNS)
def test_passes(name):
    """Two passes over measurements, three where many cells are equal; six divisions more where the first rows mislead."""
    rows = Counting(COLUMNS[name][:, None])
    quantiles(rows, [0.25, 0.5, 0.75])
    assert rows.passes <= (2 if name in TWO else 3 if name in THREE else 2 + 6)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("weighted", [False, True])
def test_columns_do_not_depend_on_their_neighbours(dtype, weighted, monkeypatch):
    """Columns of one block are partitioned together, those with gaps alone: as each by itself, bit by bit."""
    monkeypatch.setattr(module, "CELLS_AT_ONCE", 50)  # two columns
    X = RNG.integers(-4, 4, (23, 7)).astype(dtype) / 3
    X[RNG.random(X.shape) < 0.05] = np.nan
    X[:, 0], X[:, 3], X[:, 6] = np.nan, -0.0, np.arange(23)
    weight = RNG.integers(1, 4, 23).astype(float) if weighted else None
    found = quantiles(ArrayRows(X, None, weight), LEVELS)
    alone = [quantiles(ArrayRows(X[:, [j]], None, weight), LEVELS)[:, 0] for j in range(7)]
    np.testing.assert_array_equal(found.view(np.uint64), np.column_stack(alone).view(np.uint64))
    if not weighted:
        np.testing.assert_array_equal(found[:, 1:], np.nanquantile(X[:, 1:].astype(np.float64), LEVELS, axis=0))


def test_one_block_needs_no_pass():
    """A table of one block is sorted where it is."""
    rows = Counting(normal[:500, None])
    quantiles(rows, [0.5])
    assert rows.passes == 0


# ---- parts of the search -----------------------------------------------------------------------------------------------


@quick
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False) | st.sampled_from([0.0, -0.0, LARGEST, -LARGEST])))
def test_keys_are_ordered_as_their_doubles(cells):
    """Keys have the order of their doubles, zeros of both signs one key; and back."""
    cells = np.array(cells, float)
    found = keys(cells)
    assert found.dtype == np.uint64
    assert np.array_equal(np.sort(found), keys(np.sort(cells)))
    assert np.array_equal(found[:, None] < found, cells[:, None] < cells)
    assert np.array_equal(values(found).view(np.uint64), (cells + 0.0).view(np.uint64))


@quick
@given(columns_in_blocks())
def test_records_add(drawn):
    """Counts, weights, extremes and collected cells of the parts are those of the whole."""
    X, weight, cuts = drawn
    whole = Pieces(X, [])
    bins = Bins.over(whole)
    intervals = divide([(0, int(keys(np.array([-1e300]))[0]), int(keys(np.array([1e300]))[0]))])
    holds, start = np.ones((X.shape[1], bins.number), bool), np.minimum(np.arange(X.shape[1] + 1), 1)
    places = Places(bins, holds, start, np.array([-1.0]), np.array([1.0]))
    for w in (None, weight):
        for statistic, parameters in ((Histogram.of_bins, bins), (Histogram.of, intervals), (Collected.of, places)):
            at_once, summed = (Pieces(X, c, w).sum(statistic, parameters) for c in ([], cuts))
            assert_same_record(at_once, summed)


def assert_same_record(a, b):
    if isinstance(a, Histogram):
        for name in ("cells", "weight", "least", "most"):  # weights are whole: nothing is rounded
            assert np.array_equal(getattr(a, name), getattr(b, name)), name
        return
    assert np.array_equal(a.cells[0], b.cells[0])
    assert (a.weight is None) == (b.weight is None)
    assert a.weight is None or np.array_equal(a.weight[0], b.weight[0])


@quick
@given(columns_in_blocks())
def test_histogram_counts_every_known_cell(drawn):
    """Each known cell that counts is in one bin, and the smallest and largest are the extremes of the column."""
    X, weight, cuts = drawn
    rows = Pieces(X, cuts, weight)
    found = rows.sum(Histogram.of_bins, Bins.over(rows))
    known = ~np.isnan(X) & (weight > 0)[:, None]
    assert np.array_equal(found.cells.sum(axis=1), known.sum(axis=0))
    assert np.array_equal(found.weight.sum(axis=1), (known * weight[:, None]).sum(axis=0))
    for j in np.flatnonzero(known.any(axis=0)):
        cells = X[known[:, j], j]
        assert found.least[j] == keys(cells).min()
        assert found.most[j] == keys(cells).max()


def test_weights_that_sum_to_one():
    """Weights count rows: several that sum to one would make every quantile the smallest cell, and are refused."""
    X, weight = np.arange(40.0)[:, None], np.full(40, 1 / 64)
    with pytest.raises(ValueError, match=r"sums to 0.625: .* Multiply them"):
        quantiles(ArrayRows(X, weight=weight), [0.5])
    assert quantiles(ArrayRows(X[:1], weight=weight[:1]), [0.5])[0, 0] == 0.0  # a single cell is every quantile
    assert quantiles(ArrayRows(X, weight=64 * weight), [0.5])[0, 0] == 19.5
