"""Statistics that add: any split, any order, any weights that mean the same rows, give the same answer to rounding."""

import pickle
from dataclasses import fields
from functools import reduce
from operator import add

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from subjects import (
    BY_DOOR,
    LEARNERS,
    ONE_PASS,
    TAKES_MISSING,
    answer,
    assert_close,
    assert_near,
    assert_same_bits,
    assert_same_record,
    digits,
    every,
    fit,
    fitted,
    holed,
    honour,
    in_blocks,
    learner,
    opened,
    outputs,
    record_of,
    table,
    takes,
    takes_codes,
    written,
)

from aprendiz.core.checkpoint import Digests
from aprendiz.core.class_weights import Totals
from aprendiz.core.inputs import Largest
from aprendiz.core.rows import Block, block_rows, fold
from aprendiz.core.sources.arrays import ArrayRows
from aprendiz.core.sums import Counts, Extremes, Spread, Sums, find_pivot
from aprendiz.core.targets import LargestNumbers, Levels
from aprendiz.linear.losses.gradients import Gradients
from aprendiz.summaries.key_histograms import Collected, Histogram
from aprendiz.summaries.moments import Moments, Triangle
from aprendiz.summaries.quantiles import divide
from aprendiz.summaries.sample import Sample

weighing = pytest.mark.parametrize("weighted", [False, True], ids=["", "weighted"])

# ---- learners --------------------------------------------------------------------------------------------------------


def parts_of(data, cuts):
    return [data.take(part) for part in np.split(np.arange(len(data)), cuts)]


def assert_fit_from(cls, record, expected):
    """A fit from a record is the expected fit, to rounding."""
    found = answer(learner(cls, expected.data).fit_sums(record))
    assert_close(found, {name: expected.answer[name] for name in found}, digits(cls))


class Expected:
    """The fit to all of some rows."""

    def __init__(self, cls, data, weighted=False):
        self.data, self.answer = data, answer(fitted(cls, data, weighted=weighted))


@every(ONE_PASS)
@weighing
def test_any_split(cls, weighted):
    """The records of parts of any size, fewer rows than columns too, sum to the record of the whole."""
    honour(cls, "split")
    data = table(cls)
    expected = Expected(cls, data, weighted)
    for cuts in ([150], [1, 2, 3, 200], [4, 296], [60, 120, 180, 240]):
        records = [record_of(cls, part, weighted) for part in parts_of(data, cuts)]
        assert_fit_from(cls, reduce(add, records), expected)


@every(ONE_PASS)
def test_fit_from_sums_is_whole(cls):
    """A learner that has seen nothing but a record has all its attributes and says the same of new rows."""
    honour(cls, "split")
    data = table(cls)
    model, before = learner(cls, data).fit_sums(record_of(cls, data)), fitted(cls, data)
    assert_close(answer(model), answer(before), digits(cls))
    assert_close(outputs(model, data.X), outputs(before, data.X), digits(cls))


@every(ONE_PASS)
def test_any_order(cls):
    """Records may be added in any order and association."""
    honour(cls, "split")
    data = table(cls)
    expected = Expected(cls, data)
    a, b, c, d = (record_of(cls, part) for part in parts_of(data, [3, 100, 180]))
    for record in (((a + b) + c) + d, (a + b) + (c + d), a + (b + (c + d)), (d + b) + (c + a), d + (c + (b + a))):
        assert_fit_from(cls, record, expected)


@every(ONE_PASS)
def test_any_split_of_many_blocks(cls, short_blocks):
    """Parts that are not whole blocks sum to the record of the whole, however far their pivots are apart."""
    honour(cls, "split")
    data = table(cls, 400, 6)
    assert len(data) > 2 * short_blocks == 2 * block_rows(6)
    data = data.take(np.argsort(data.X[:, 0], kind="stable"))  # the parts, and their pivots, lie apart
    records = [record_of(cls, part) for part in parts_of(data, [180, 181, 300])]
    assert_fit_from(cls, reduce(add, records), Expected(cls, data))


@every(ONE_PASS)
def test_pickled_records(cls):
    """A record that was pickled adds as before, to the bit."""
    data = table(cls)
    a, b = (record_of(cls, part) for part in parts_of(data, [100]))
    there = pickle.loads(pickle.dumps(a)) + pickle.loads(pickle.dumps(b))
    assert_same_record(there, a + b)


class Sent(ArrayRows):
    """Rows whose records are pickled before they are added, as they are between processes."""

    def sum(self, statistic, *parameters):
        return super().sum(lambda *given: pickle.loads(pickle.dumps(statistic(*given))), *parameters)


@every(ONE_PASS)
def test_pickled_records_of_blocks(cls, short_blocks):
    """Blocks that agreed on a pivot add to the same bits when each record has its own copy of it."""
    data = table(cls)
    model, found = learner(cls, data), []
    for kind in (ArrayRows, Sent):
        rows = model.open(data.X, data.y)
        assert rows.count > 2 * rows.size
        rows.__class__ = kind
        found.append(model.summarise(rows))
    assert_same_record(*found)


@every(ONE_PASS)
@weighing
def test_other_folds(cls, weighted):
    """The sum of the other folds' records gives the fit on the rest."""
    honour(cls, "folds")
    data = table(cls)
    fold_of = np.arange(len(data)) % 5
    records = [record_of(cls, data.take(fold_of == k), weighted) for k in range(5)]
    for k in range(5):
        rest = Expected(cls, data.take(fold_of != k), weighted)
        assert_fit_from(cls, reduce(add, records[:k] + records[k + 1 :]), rest)


INCREMENTAL = [cls for cls in LEARNERS if hasattr(cls, "partial_fit")]
LATE_CLASSES = [cls for cls in INCREMENTAL if takes(cls.partial_fit, "classes")]


def counts_complete_rows(cls):
    """Does `partial_fit` add counts that need all cells of a row, where `fit` is EM?"""
    return takes(cls, "hidden")


def learned_in_parts(cls, data, cuts, weighted=False, **announced):
    model = learner(cls, data)
    for part in parts_of(data, cuts):
        model.partial_fit(part.X, part.y, sample_weight=part.weight if weighted else None, **announced)
    return model


@every(INCREMENTAL)
@weighing
def test_partial_fit(cls, weighted):
    """Rows learned piece by piece give what one fit on all of them gives."""
    honour(cls, "partial_fit")
    data = table(cls, holes=not counts_complete_rows(cls))
    announced = {"classes": np.unique(data.y)} if cls in LATE_CLASSES else {}
    expected = Expected(cls, data, weighted).answer
    for cuts in ([150], [1, 3, 200], [290]):
        model = learned_in_parts(cls, data, cuts, weighted, **announced)
        assert_close(answer(model), expected, digits(cls))


@every(LATE_CLASSES)
@weighing
def test_late_classes(cls, weighted):
    """Pieces that lack classes, and classes that come late, announced or not, the first one first or the last one, give what
    one fit on all the rows gives: counts to the bit."""
    honour(cls, "partial_fit")
    for order in (1, -1):
        data = table(cls)
        data = data.take(np.argsort(data.y, kind="stable")[::order])
        expected = fitted(cls, data, weighted=weighted)
        for announced in ({}, {"classes": np.unique(data.y)}):
            model = learned_in_parts(cls, data, [1, 40, 130, 250], weighted, **announced)
            assert list(model.classes_) == list(expected.classes_)
            if takes_codes(cls):  # sums of halves round nothing
                assert_same_bits(answer(model), answer(expected))
            assert_close(answer(model), answer(expected), digits(cls))
            assert_close(outputs(model, data.X), outputs(expected, data.X), digits(cls))


@every(INCREMENTAL)
def test_fit_forgets(cls):
    """`fit` after `partial_fit` starts afresh."""
    data, other = table(cls), table(cls, seed=1, holes=not counts_complete_rows(cls))
    announced = {"classes": np.unique(data.y)} if getattr(cls, "announced", False) else {}
    model = learner(cls, data).partial_fit(other.X + 100.0, other.y, **announced)
    assert_close(answer(model.fit(data.X, data.y)), Expected(cls, data).answer, digits(cls))


@every([cls for cls in ONE_PASS if cls in TAKES_MISSING])
@weighing
def test_missing_cells_add(cls, weighted):
    """Where cells may be missing, the records of parts with holes sum to the record of the whole too, in any order."""
    honour(cls, "missing")
    data = holed(table(cls))
    expected = Expected(cls, data, weighted)
    for cuts in ([10, 150], [1, 2, 200]):
        records = [record_of(cls, part, weighted) for part in parts_of(data, cuts)]
        for some in (records, records[::-1]):
            assert_fit_from(cls, reduce(add, some), expected)


@every([cls for cls in INCREMENTAL if cls in TAKES_MISSING and not counts_complete_rows(cls)])
@weighing
def test_missing_cells_in_pieces(cls, weighted):
    """A column of which the first pieces know nothing is learned from the others."""
    honour(cls, "missing")
    data = holed(table(cls))
    model = learned_in_parts(cls, data, [4, 10, 150], weighted)
    expected = fitted(cls, data, weighted=weighted)
    assert_close(answer(model), answer(expected), digits(cls))
    assert_close(outputs(model, data.X), outputs(expected, data.X), digits(cls))


@every(LEARNERS)
def test_weight_two_is_the_row_twice(cls):
    """A whole weight counts copies of its row; they may stand anywhere."""
    honour(cls, "weights")
    data = table(cls)
    copies = np.random.default_rng(0).integers(1, 4, len(data))
    weighted = fitted(cls, reweighted(data, copies.astype(float)), weighted=True)
    repeated = data.take(np.repeat(np.arange(len(data)), copies))
    assert_close(answer(weighted), answer(fitted(cls, repeated)), digits(cls))
    moved = repeated.take(np.random.default_rng(1).permutation(len(repeated)))
    assert_close(answer(weighted), answer(fitted(cls, moved)), digits(cls))


@every(LEARNERS)
def test_weight_zero_is_the_row_absent(cls):
    """A row of weight 0 leaves no trace, wherever it is and however far away."""
    honour(cls, "weights")
    data = table(cls)
    weight = data.weight.copy()
    weight[::7] = 0.0
    weight[:3] = 0.0
    wild = np.where((weight == 0.0)[:, None], 50.0 + 10.0 * data.X, data.X)
    there = fitted(cls, reweighted(data, weight, wild), weighted=True)
    absent = data.take(weight > 0)
    assert_close(answer(there), answer(fitted(cls, absent, weighted=True)), digits(cls))


@every(LEARNERS)
def test_equal_weights(cls):
    """Weights of 1 are no weights."""
    honour(cls, "weights")
    data = table(cls)
    ones = fitted(cls, reweighted(data, np.ones(len(data))), weighted=True)
    assert_close(answer(ones), answer(fitted(cls, data)), digits(cls))


def reweighted(data, weight, X=None):
    """The table with other weights."""
    return type(data)(data.X if X is None else X, data.y, weight, data.start)


@in_blocks
@weighing
def test_memory_is_file(cls, weighted, blocks, tmp_path):
    """A table in memory and the same table as text give the same answer, for learners too whose bits are others (Parquet:
    test_same_bits.py). That the text may be compressed is known to the reader alone: one learner of each way through the
    door."""
    honour(cls, "files")
    data = table(cls)
    expected, path = Expected(cls, data, weighted).answer, written(data, tmp_path / "t.csv")
    for file in (path, compressed(path)) if cls in BY_DOOR else (path,):
        model = learner(cls, data).fit(opened(data, file, weighted=weighted))
        assert_close(answer(model), expected, digits(cls))


@every([cls for cls in LEARNERS if "sparse" in cls.allows])
@weighing
def test_sparse_is_dense(cls, weighted, blocks):
    """A sparse matrix gives the answer of the same numbers in an array."""
    from scipy import sparse

    honour(cls, "layout")
    honour(cls, "sparse")
    data = table(cls)
    thin = np.where(np.random.default_rng(0).random(data.X.shape) < 0.5, data.X, 0.0)
    plain = {name: False for name in ("with_mean", "with_centering") if takes(cls, name)}  # centring would fill the zeros
    dense, other = (type(data)(X, data.y, data.weight, data.start) for X in (thin, sparse.csr_array(thin)))
    a, b = (fit(learner(cls, data, **plain), some, weighted=weighted) for some in (dense, other))
    assert_close(answer(a), answer(b), digits(cls))


def compressed(path):
    import gzip

    packed = path.with_suffix(".csv.gz")
    packed.write_bytes(gzip.compress(path.read_bytes()))
    return packed


# ---- records ---------------------------------------------------------------------------------------------------------
#
# Hypothesis draws the numbers of rows, columns and classes, a seed, an offset and where the rows are cut; the rows follow
# from them. 1e-9: with pivots inside the data, offsets up to 2²⁰ and spreads of about 1, the mean itself is known to
# 2²⁰·eps = 2e-10, and nothing else loses more.

ROUNDING = 1e-9
quick = settings(max_examples=40, deadline=None, database=None, derandomize=True)


@st.composite
def tables(draw, least=2):
    """A block of random rows around an offset, with classes 0, 1, 2 as its target, and where to cut it."""
    n, d = draw(st.integers(least, 40)), draw(st.integers(1, 4))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    offset = draw(st.sampled_from([0.0, 1.0, -1000.0, 2.0**20]))
    weight = rng.integers(0, 4, n) / 2.0 if draw(st.booleans()) else None
    if weight is not None:
        weight[rng.integers(n)] = 1.0
    block = Block(offset + rng.standard_normal((n, d)), rng.integers(0, 3, n), weight, 0)
    return block, draw(st.integers(0, n))


def cut(block, at):
    """Two blocks; either may be empty."""
    return block.head(at), Block(*block.take(slice(at, None)), block.start + at)


def plain(block, rows=slice(None)):
    """Weight, mean and scatter by the definition."""
    X, w = block.X[rows], block.weights[rows]
    if w.sum() == 0:
        return 0.0, None, np.zeros((X.shape[1], X.shape[1]))
    mean = np.average(X - block.X[0], axis=0, weights=w)
    Z = X - block.X[0] - mean
    return w.sum(), block.X[0] + mean, (Z * w[:, None]).T @ Z


def assert_moments(record, weight, mean, scatter, rows):
    """A record has the weight, mean and scatter of its definition."""
    assert_near(record.weight, weight, ROUNDING, "weight")
    if mean is not None:
        assert_near(record.mean, mean, ROUNDING, "mean")
    np.testing.assert_allclose(record.scatter, scatter, rtol=ROUNDING, atol=ROUNDING * rows, err_msg="scatter")


def middle(block):
    """A pivot inside the rows; somewhere, where there are none."""
    return np.median(block.X, axis=0) if len(block) else np.full(block.X.shape[1], 7.0)


@quick
@given(tables())
def test_moments(drawn):
    """Moments of two parts add to those of the whole, with one pivot or with two, and an empty part adds nothing."""
    block, at = drawn
    first, second = cut(block, at)
    common = middle(block)
    assert_moments(Moments.of(common, block), *plain(block), len(block))
    assert_moments(Moments.of(common, first) + Moments.of(common, second), *plain(block), len(block))
    assert_moments(Moments.of(middle(first), first) + Moments.of(middle(second), second), *plain(block), len(block))


@quick
@given(tables())
def test_moments_add_in_place(drawn):
    """`+=` gives the bits of `+`."""
    block, at = drawn
    pivot = middle(block)
    expected = Moments.of(pivot, cut(block, at)[0]) + Moments.of(pivot, cut(block, at)[1])
    total = Moments.of(pivot, cut(block, at)[0])
    total += Moments.of(pivot, cut(block, at)[1])
    assert np.array_equal(total.gram, expected.gram)


@quick
@given(tables())
def test_moments_by_class(drawn):
    """Each class has its own moments, also where a part lacks a class; the scatter within classes is their sum."""
    block, at = drawn
    first, second = cut(block, at)
    far = middle(block) + 3.0
    for record in (
        Moments.by_class(far, 3, block),
        Moments.by_class(far, 3, first) + Moments.by_class(far, 3, second),
        Moments.by_class(middle(first), 3, first) + Moments.by_class(middle(second), 3, second),
    ):
        within = np.zeros((block.X.shape[1],) * 2)
        for k in range(3):
            weight, mean, scatter = plain(block, block.y == k)
            one = Moments(record.gram[k], record.pivot)
            assert_moments(one, weight, mean, scatter, len(block))
            within += scatter
        np.testing.assert_allclose(record.within_scatter(), within, rtol=ROUNDING, atol=ROUNDING * len(block))


@quick
@given(tables())
def test_joint_moments(drawn):
    """The target is one more column."""
    block, _ = drawn
    pivot = np.append(middle(block), 1.0)
    wider = Block(np.column_stack([block.X, block.y]), None, block.weight, 0)
    assert np.array_equal(Moments.joint(pivot, block).gram, Moments.of(pivot, wider).gram)


@quick
@given(tables())
def test_summary_and_back(drawn):
    """Weight, mean and scatter determine the record, around any pivot."""
    block, _ = drawn
    record = Moments.of(middle(block), block)
    again = Moments.from_summary(record.weight, record.offset - 0.5, record.scatter, record.pivot + 0.5)
    assert_moments(again, *plain(block), len(block))


@quick
@given(tables())
def test_moments_around_another_pivot(drawn):
    """The same rows: weight, mean and scatter stay what they were, and the matrix is that of the rows around the new pivot."""
    block, _ = drawn
    record, pivot = Moments.of(middle(block), block), middle(block) + 0.5
    assert_moments(record.around(pivot), *plain(block), len(block))
    expected = Moments.of(pivot, block).gram
    np.testing.assert_allclose(record.around(pivot).gram, expected, atol=1e-9 * (1.0 + np.abs(expected).max()))


def assert_triangle(triangle, block):
    """RᵀR is the matrix of the moments."""
    expected = Moments.of(triangle.pivot, block).gram
    np.testing.assert_allclose(triangle.R.T @ triangle.R, expected, rtol=1e-9, atol=1e-11 * np.abs(expected).max())


@quick
@given(tables())
def test_triangle(drawn):
    """Triangles add by rotation, RᵀR = Moments.gram, with one pivot or with two; an empty part adds nothing."""
    block, at = drawn
    first, second = cut(block, at)
    pivot = middle(block)
    assert_triangle(Triangle.of(pivot, block), block)
    assert_triangle(Triangle.of(pivot, first) + Triangle.of(pivot, second), block)
    near = Triangle.of(pivot, first) + Triangle.of(pivot + 3.0, second)
    assert np.array_equal(near.pivot, pivot)
    assert_triangle(near, block)


@quick
@given(tables(least=4))
def test_triangle_and_moments(drawn):
    """A triangle and moments add to a triangle, from either side."""
    block, at = drawn
    first, second = cut(block, at)
    pivot = middle(block)
    for mixed in (
        Triangle.of(pivot, first) + Moments.of(pivot, second),
        Moments.of(pivot, first) + Triangle.of(pivot, second),
        Moments.of(pivot, block).triangle(),
    ):
        assert isinstance(mixed, Triangle)
        assert_triangle(mixed, block)


@quick
@given(tables(least=6))
def test_triangle_knows_weight_and_mean(drawn):
    """The first row of a triangle holds weight and mean, below it are the singular values of the centred rows."""
    block, _ = drawn
    triangle = Triangle.of(middle(block), block)
    weight, mean, scatter = plain(block)
    assert_near(triangle.weight, weight, ROUNDING, "weight")
    assert_near(triangle.mean, mean, ROUNDING, "mean")
    d = block.X.shape[1]
    values, vectors, total = triangle.spectrum(d)
    assert_near(total, np.trace(scatter), ROUNDING, "total")
    np.testing.assert_allclose((vectors.T * values) @ vectors, scatter, rtol=ROUNDING, atol=ROUNDING * max(weight, 1.0))


@quick
@given(tables(), st.integers(0, 2**32))
def test_spread(drawn, seed):
    """Column by column: weight, mean and scatter of the known cells, for any split, with one pivot or with two."""
    block, at = drawn
    rng = np.random.default_rng(seed)
    X = block.X.copy()
    X[rng.random(X.shape) < 0.3] = np.nan
    for table_ in (block.X, X):
        holed = Block(table_, None, block.weight, 0)
        first, second = cut(holed, at)
        pivot = block.X[0]
        for record in (
            Spread.of(pivot, holed),
            Spread.of(pivot, first) + Spread.of(pivot, second),
            Spread.of(pivot, first) + Spread.of(pivot + 2.0, second),
        ):
            for j, column in enumerate(table_.T):
                known = ~np.isnan(column)
                assert record.known[j] == known.sum()
                w = block.weights[known]
                assert record.weight[j] == w.sum()  # halves: exact
                if w.sum() > 0:
                    mean = block.X[0, j] + np.average(column[known] - block.X[0, j], weights=w)
                    scatter = float(w @ (column[known] - mean) ** 2)
                    assert_near(record.mean[j], mean, ROUNDING, "mean")
                    # the mean, rounded at an offset of 2²⁰, puts (2²⁰·eps)² on each row of the definition
                    np.testing.assert_allclose(record.scatter[j], scatter, rtol=ROUNDING, atol=ROUNDING * len(block))


@quick
@given(tables(), st.integers(0, 2**32))
def test_extremes(drawn, seed):
    """The smallest and largest known cell of the rows that count, their number and weight, for any split."""
    block, at = drawn
    X = np.where(np.random.default_rng(seed).random(block.X.shape) < 0.5, np.nan, block.X)
    counts = block.weights > 0
    for cells in (block.X, X, X.astype(np.float32)):
        holed_ = Block(cells, None, block.weight, 0)
        first, second = cut(holed_, at)
        for record in (Extremes.of(holed_), Extremes.of(first) + Extremes.of(second), Extremes.of(second) + Extremes.of(first)):
            assert record.rows == counts.sum()
            assert record.weight == block.weights.sum()  # halves: exact
            assert record.low.dtype == record.high.dtype == np.float64
            for j, column in enumerate(cells.T):
                known = column[counts & ~np.isnan(column)]
                assert record.low[j] == (known.min() if len(known) else np.inf)
                assert record.high[j] == (known.max() if len(known) else -np.inf)


@quick
@given(tables(), st.sampled_from(["cell", "target", "weight", "shape", "kind"]))
def test_digests(drawn, change):
    """The hashes of blocks stand in their order; another cell, target, weight, shape or type is another hash."""
    block, at = drawn
    first, second = cut(block, at)
    both = Digests.of(first) + Digests.of(second)
    assert both.blocks == (*Digests.of(first).blocks, *Digests.of(second).blocks)
    assert Digests.of(Block(block.X.copy(order="F"), block.y.copy(), block.weight, 5)) == Digests.of(block)
    X = block.X.copy()
    X[-1, -1] = np.nextafter(X[-1, -1], np.inf)
    other = {
        "cell": Block(X, block.y, block.weight, 0),
        "target": Block(block.X, block.y + 1, block.weight, 0),
        "weight": Block(block.X, block.y, block.weights + 1.0, 0),
        "shape": Block(block.X.reshape(1, -1), block.y, block.weight, 0),
        "kind": Block(block.X, block.y.astype(np.int32), block.weight, 0),
    }[change]
    assert Digests.of(other) != Digests.of(block)


codes = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3)), max_size=30)


@quick
@given(codes, codes)
def test_counts(a, b):
    """Tables of whole numbers add as rows do, subtract exactly, and have the marginals of their columns."""

    def counted(pairs):
        return Counts.cross((3, 4), *np.array(pairs, dtype=float).reshape(-1, 2).T)

    both = counted(a) + counted(b)
    assert np.array_equal(both.table, counted(a + b).table)
    assert np.array_equal((both - counted(b)).table, counted(a).table)
    assert np.issubdtype((both - counted(b)).table.dtype, np.integer)
    assert both.table.sum() == len(a) + len(b)
    assert np.array_equal(both.marginal(1), np.bincount([j for _, j in a + b], minlength=4))


def test_cells_of_counts():
    """The cell of a pair holds its rows, or their weight."""
    codes = np.array([0.0, 1.0, 1.0]), np.array([1, 0, 0])
    assert np.array_equal(Counts.cross((2, 2), *codes).table, [[0, 1], [2, 0]])
    assert np.array_equal(Counts.cross((2, 2), *codes, weight=np.array([1.0, 0.5, 2.0])).table, [[0, 1], [2.5, 0]])


def test_weighted_counts_do_not_subtract():
    """Subtracting weights would lose digits: it is refused, from either side."""
    whole = Counts.cross((2,), np.array([0, 1, 1]))
    weighted = Counts.cross((2,), np.array([0, 1, 1]), weight=np.array([0.5, 1.0, 1.0]))
    for left, right in ((weighted, weighted), (whole, weighted), (weighted, whole)):
        with pytest.raises(TypeError, match="not subtracted"):
            left - right
    assert np.array_equal((whole + weighted).table, [1.5, 4.0])


@quick
@given(st.lists(st.integers(-5, 5)), st.lists(st.integers(-5, 5)))
def test_levels(a, b):
    """The distinct values of the whole, in order, are those of its parts together."""

    def levels(values):
        y = np.array(values, dtype=np.int64)
        return Levels.of(Block(np.zeros((len(y), 1)), y, None, 0))

    assert (levels(a) + levels(b)).values.tolist() == sorted({*a, *b})


def test_levels_of_words():
    """Words of different lengths are kept whole."""

    def levels(*words):
        return Levels.of(Block(np.zeros((len(words), 1)), np.array(words), None, 0))

    assert (levels("b", "a") + levels("cherry")).values.tolist() == ["a", "b", "cherry"]


def test_gradients():
    """Loss, gradient and curvature add field by field."""
    a = Gradients(1.0, np.array([1.0, 2.0]), np.eye(2))
    b = Gradients(0.5, np.array([0.0, 4.0]), np.ones((2, 2)))
    total = a + b
    assert type(total) is Gradients
    assert total.loss == 1.5
    assert np.array_equal(total.gradient, [1.0, 6.0])
    assert np.array_equal(total.curvature, [[2.0, 1.0], [1.0, 2.0]])


# ---- samples ---------------------------------------------------------------------------------------------------------


def numbered(n):
    """Rows that carry their own number as X, as y and as weight."""
    number = np.arange(n)
    return Block(number[:, None].astype(float), number, 1.0 + number, 0)


@quick
@given(st.integers(1, 300), st.integers(1, 40), st.integers(0, 2**31), st.integers(0, 300), st.booleans())
def test_sample_of_any_split(n, size, seed, at, reverse):
    """The same rows are drawn for any split and order, each with its own target and weight."""
    block = numbered(n)
    parts = [Sample.of(size, seed, 0, part) for part in cut(block, min(at, n))]
    parts = parts[::-1] if reverse else parts
    whole, summed = Sample.of(size, seed, 0, block), parts[0] + parts[1]
    assert sorted(summed.y) == whole.y.tolist()
    assert np.array_equal(summed.X[:, 0], summed.y)
    assert np.array_equal(summed.weight, 1.0 + summed.y)
    assert summed.level == whole.level


@quick
@given(st.integers(1, 400), st.integers(1, 40), st.integers(0, 2**31))
def test_sample_is_no_larger_than_it_may_be(n, size, seed):
    """At most twice the size; all rows where they are no more than that; a level lower would be too many."""
    sample = Sample.of(size, seed, 0, numbered(n))
    assert len(sample.X) <= 2 * size
    if n <= 2 * size:
        assert len(sample.X) == n
    else:
        lower = Sample.of(n, seed, sample.level - 1, numbered(n))
        assert lower.level == sample.level - 1
        assert len(lower.X) > 2 * size


@pytest.mark.parametrize("n", [2_000, 5_000, 12_345])
def test_sample_is_about_its_size(n):
    """At most twice the wanted size, and not much below it: 5 standard deviations of a fair thinning."""
    size, rows = 500, numbered(n)
    kept = np.array([len(Sample.of(size, seed, 0, rows).X) for seed in range(20)])
    assert (kept >= size - 5 * np.sqrt(size)).all()
    assert (kept <= 2 * size).all()


def test_sample_is_fair():
    """Over many seeds, each row of 64 is drawn as often as any other."""
    drawn = np.zeros(64)
    for seed in range(2000):
        drawn[Sample.of(8, seed, 0, numbered(64)).y] += 1
    mean = drawn.mean()
    assert drawn.std() < 2.0 * np.sqrt(mean)  # a binomial count has a standard deviation below √mean; 64 of them average out


def test_sample_of_rows_in_blocks():
    """A sample drawn from rows in blocks is the sample of the rows at once."""
    n = 3 * block_rows(1) + 5
    block = numbered(n)
    whole = Sample.of(100, 5, 0, block)
    drawn = Sample.drawn(ArrayRows(block.X, block.y, block.weight), 100, 5)
    assert np.array_equal(drawn.y, whole.y)
    assert np.array_equal(drawn.rows().X[:, 0], whole.y)


# ---- the fold --------------------------------------------------------------------------------------------------------

floats = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=70)


@quick
@given(floats)
def test_fold_is_the_sum(numbers):
    """The fold over a binary tree is the sum, to rounding."""
    # a tree of seven levels: error at most 7·eps·Σ|x|, and as much for the 70 additions in a row
    assert abs(fold(numbers) - sum(numbers)) <= 77 * np.finfo(float).eps * np.abs(numbers).sum()


@quick
@given(floats, st.integers(0, 5))
def test_fold_of_groups(numbers, k):
    """Folding runs of 2ᵏ first changes no bit."""
    groups = [numbers[i : i + 2**k] for i in range(0, len(numbers), 2**k)]
    assert fold([fold(group) for group in groups]) == fold(numbers)


def test_fold_of_records():
    """Records that add in place are folded to the same bits in runs of any 2ᵏ."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((13, 20, 3))
    pivot = np.zeros(3)

    def records():
        return [Moments.of(pivot, Block(x, None, None, 0)) for x in X]

    expected = fold(records()).gram
    for size in (1, 2, 4, 8, 16):
        made = records()
        grouped = fold([fold(made[i : i + size]) for i in range(0, 13, size)])
        assert np.array_equal(grouped.gram, expected)


# ---- all records -----------------------------------------------------------------------------------------------------


def some_records():
    block, rows = numbered(20), ArrayRows(numbered(20).X)
    pivot = find_pivot(rows)
    return [
        Moments.of(pivot, block),
        Moments.by_class(pivot, 20, block),
        Triangle.of(pivot, block),
        Spread.of(pivot, block),
        Counts.cross((20,), block.y),
        Gradients(1.0, np.ones(3), np.eye(3)),
        Levels.of(block),
        Totals.of(20, block),
        Sample.of(5, 0, 0, block),
        Largest.of(block),
        Extremes.of(block),
        Digests.of(block),
        Histogram.of(divide([(0, 2**62, 2**63)]), block),
        Collected((np.arange(3.0),), (np.ones(3),)),
        LargestNumbers.of(block.X),
    ]


def test_records_pickle_and_are_frozen():
    """A record survives pickling, adds the same afterwards, and its fields cannot be set."""
    for record in some_records():
        again = pickle.loads(pickle.dumps(record))
        assert_same_record(again + again, record + record, type(record).__name__)
        for f in fields(record):
            with pytest.raises(AttributeError):
                setattr(record, f.name, None)


def test_every_record_of_the_core_is_tested():
    """A new record must be added to the laws above."""
    known = {kind for kind in Sums.__subclasses__() if kind.__module__.startswith("aprendiz.core.")}
    assert known <= {type(record) for record in some_records()}


def test_pivot_is_inside_the_rows():
    """The pivot lies between the smallest and the largest value of each column, holes or not."""
    rng = np.random.default_rng(0)
    X = 1e8 + rng.standard_normal((500, 3))
    X[rng.random(X.shape) < 0.2] = np.nan
    for some in (np.nan_to_num(X, nan=1e8), X):
        pivot = find_pivot(ArrayRows(some))
        assert (np.nanmin(some, axis=0) <= pivot).all()
        assert (pivot <= np.nanmax(some, axis=0)).all()
