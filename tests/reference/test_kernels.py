"""Every compiled kernel agrees with its plain twin."""

from fractions import Fraction

import numpy as np
import pytest
from entries import entry
from hypothesis import given, settings
from hypothesis import strategies as st

from aprendiz.bayes import gaussian_nb
from aprendiz.bayes.calibration import isotonic_calibrator
from aprendiz.bayes.gaussian import class_spread
from aprendiz.bayes.naive import class_counts
from aprendiz.cluster.centroids import nearest, row_bounds, starts
from aprendiz.cluster.centroids.centre_search import CentreSearch
from aprendiz.core import sums
from aprendiz.core.sources.arrays import ArrayRows
from aprendiz.linear.losses.logistic_loss import link
from aprendiz.linear.solvers import exact_residuals as exact
from aprendiz.preprocessing import simple_imputer
from aprendiz.preprocessing.shared import most_frequent_values
from aprendiz.summaries import codes, key_histograms

from . import twins

two_product, key_of = entry(exact.two_product), entry(key_histograms.key_of)

RTOL = 1e-13  # sums of at most a hundred products, in another order
SIZES = [(1, 1, 1), (1, 5, 3), (40, 1, 1), (40, 1, 7), (33, 5, 4), (50, 4, 1), (64, 8, 16), (17, 13, 2)]  # n, d, k
KINDS = [np.float64, np.float32]


@pytest.fixture(params=[(size, kind, ties) for size in SIZES for kind in KINDS for ties in (False, True)], ids=str)
def data(request):
    """Rows, centres, labels, weights; with ties, on a coarse grid where distances are equal and centres coincide."""
    (n, d, k), kind, ties = request.param
    rng = np.random.default_rng(n + 100 * d + k)
    X, centers = rng.normal(size=(n, d)), rng.normal(size=(k, d))
    if ties:
        X, centers = np.round(X), np.round(centers)
    w = rng.integers(0, 4, size=n).astype(np.float64)
    return X.astype(kind), centers, rng.integers(0, k, size=n).astype(np.int32), w


def test_own_squares(data):
    """The square of each row to its own centre."""
    X, centers, labels, _ = data
    squares = np.empty(len(X))
    nearest.own_squares(X, centers, labels, squares)
    np.testing.assert_allclose(squares, twins.own_squares(X, centers, labels), rtol=RTOL)


def test_squares_to_all(data):
    """The squares of one row, and of all rows, to all centres."""
    X, centers, _, _ = data
    columns, expected = np.ascontiguousarray(centers.T), twins.all_squares(X, centers)
    one, everything = np.full(len(centers), np.nan), np.full((len(X), len(centers)), np.nan)
    entry(nearest.squares_to_all)(X[0], columns, one)
    nearest.all_squares(X, columns, everything)
    np.testing.assert_allclose(one, expected[0], rtol=RTOL)
    np.testing.assert_allclose(everything, expected, rtol=RTOL)


def test_search(data):
    """The nearest centre, the first of several, its square and a lower bound of the second; other rows are left as they are."""
    X, centers, labels, _ = data
    some = np.arange(0, len(X), 2, dtype=np.int32)
    lower, squares, found = np.full(len(X), -1.0), np.full(len(X), -1.0), labels.copy()
    CentreSearch.of(centers).find(X, some, found, squares, lower)
    closest, least, second = twins.search(X, centers)
    assert np.array_equal(found[some], closest[some])
    np.testing.assert_allclose(squares[some], least[some], rtol=RTOL)
    assert (lower[some] <= second[some] * (1 + RTOL)).all()
    near = second[some] > 1e-2  # of squares in single precision, a few digits
    np.testing.assert_allclose(lower[some][near], second[some][near], rtol=2e-2)
    others = np.setdiff1d(np.arange(len(X)), some)
    assert np.array_equal(found[others], labels[others])
    assert (lower[others] == -1).all()


def test_search_alone():
    """One centre: it is nearest, and there is no second."""
    labels, squares, lower = np.ones(1, np.int32), np.empty(1), np.empty(1)
    CentreSearch.of(np.ones((1, 2))).find(np.zeros((1, 2)), np.zeros(1, np.int32), labels, squares, lower)
    assert (labels[0], squares[0], lower[0]) == (0, 2.0, np.inf)


def test_search_coinciding_centres():
    """Centres in one place: the first one is nearest, and the second nearest is no farther."""
    centers = np.array([[3.0, 3.0], [1.0, 1.0], [1.0, 1.0], [1.0, 1.0]])
    labels, squares, lower = np.zeros(2, np.int32), np.empty(2), np.empty(2)
    CentreSearch.of(centers).find(np.array([[1.0, 1.0], [0.0, 1.0]]), np.arange(2, dtype=np.int32), labels, squares, lower)
    assert labels.tolist() == [1, 1]
    assert (lower <= [0.0, 1.0]).all()


def test_doubtful(data):
    """Rows that neither the old nor the new distance settles. A bound that is reached but for rounding leaves its row open."""
    X, centers, labels, _ = data
    rng = np.random.default_rng(0)
    squares, half = twins.own_squares(X, centers, labels), twins.half_gaps(centers)
    lower = twins.search(X, centers)[2] * rng.uniform(0.5, 1.5, size=len(X))
    drift, others = rng.uniform(0, 0.3, size=(2, len(centers)))
    upper, rows = np.sqrt(squares) * rng.uniform(0.9, 1.2, size=len(X)), np.empty(len(X), np.int32)
    old = np.maximum(upper + drift[labels], np.sqrt(squares))  # a bound is never below the distance
    upper = old - drift[labels]
    expected, after = twins.unsure(squares, labels, lower, np.zeros(len(centers)), others, half)
    count = row_bounds.doubtful(X, centers, labels, upper, lower, drift, others, half, rows)
    assert set(expected) <= set(rows[:count])
    more = np.setdiff1d(rows[:count], expected)  # 1e-10 is kept for rounding
    np.testing.assert_allclose(np.sqrt(squares[more]), np.maximum(after, half[labels])[more], rtol=2e-10)


def test_gather(data):
    """Weight and shift of each centre, added to what is there; none for a centre without rows."""
    X, centers, labels, w = data
    weight, shift = np.ones(len(centers)), np.ones_like(centers)
    nearest.gather(X, w, centers, labels, weight, shift)
    expected = twins.gather(X.astype(np.float64), w, centers, labels)
    np.testing.assert_allclose(weight - 1, expected[0], rtol=RTOL)
    np.testing.assert_allclose(shift - 1, expected[1], rtol=RTOL, atol=1e-12)  # shifts cancel: absolute, of sums of about 100


def test_gaps(data):
    """Half the distance to the nearest other centre, or a little less; infinite if there is none."""
    _, centers, _, _ = data
    memory = row_bounds.RowBounds.of(ArrayRows(centers), len(centers))
    half = row_bounds.CentreGaps.of(CentreSearch.of(centers), memory).half
    if len(centers) == 1:
        assert half.tolist() == [np.inf]
        return
    expected = twins.half_gaps(centers)
    assert (half <= expected * (1 + RTOL)).all()
    apart = expected > 1e-2
    np.testing.assert_allclose(half[apart], expected[apart], rtol=2e-2)


def test_weigh_trials(data):
    """The cost with each candidate as one more centre, shortcuts or not."""
    X, centers, _, w = data
    near, squares, _ = twins.search(X, centers)
    drawn = X[:: max(1, len(X) // 3)].astype(np.float64)
    least_gap = twins.all_squares(drawn, centers).min(axis=0)
    costs = np.ones(len(drawn))
    starts.weigh_trials(X, w, drawn, least_gap, squares, near.astype(np.int32), costs)
    np.testing.assert_allclose(costs - 1, twins.weigh_trials(X, w, drawn, squares), rtol=RTOL, atol=1e-13)


def test_win_rows(data):
    """Distances and nearest centres after one more centre; a tie leaves the row where it is."""
    X, centers, _, _ = data
    near, squares, _ = twins.search(X, centers)
    center = X[-1].astype(np.float64)
    gaps = twins.all_squares(center[None, :], centers)[0]
    expected = twins.win_rows(X, center, 99, squares, near)
    now_squares, now_near = squares.copy(), near.astype(np.int32)
    starts.win_rows(X, center, gaps, 99, now_squares, now_near)
    np.testing.assert_allclose(now_squares, expected[0], rtol=RTOL)
    clear = np.abs(twins.own_squares(X, center[None, :], np.zeros(len(X), int)) - squares) > 1e-12  # else rounding decides
    assert np.array_equal(now_near[clear], expected[1][clear])


# ---- logistic regression ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("n", "d"), [(1, 1), (3, 5), (50, 1), (64, 7)])
@pytest.mark.parametrize("scale", [0.0, 1.0, 30.0, 1000.0])
def test_link(kind, n, d, scale):
    """Loss, margin, gradient and weighted rows, for small and for enormous scores."""
    rng = np.random.default_rng(n + d)
    X, y, weight = rng.normal(size=(n, d)).astype(kind), rng.integers(0, 2, n), rng.integers(0, 3, n).astype(float)
    pivot, theta = rng.normal(size=d), scale * rng.normal(size=1 + d)
    gradient, S = np.ones(1 + d), np.full((n, 1 + d), np.nan)
    loss, margin = link(X, y, weight, pivot, theta, gradient, S)
    expected = twins.link(X, y, weight, pivot, theta)
    size = 1 + n * scale
    np.testing.assert_allclose(loss, expected[0], rtol=1e-12, atol=1e-13 * size)
    np.testing.assert_allclose(margin, expected[1], rtol=1e-12, atol=1e-13 * size)
    np.testing.assert_allclose(gradient - 1, expected[2], rtol=1e-10, atol=1e-12 * size)  # terms of either sign
    np.testing.assert_allclose(S, expected[3], rtol=1e-13 * size + 1e-12, atol=1e-200)


# ---- twice the digits ------------------------------------------------------------------------------------------------

numbers = st.floats(-1e100, 1e100, allow_subnormal=False).filter(lambda v: v == 0 or abs(v) > 1e-100)


@given(numbers, numbers)
def test_two_sum(a, b):
    """s is the rounded sum, and s + e the sum without any error."""
    s, e = exact.two_sum(a, b)
    assert s == a + b
    assert Fraction(s) + Fraction(e) == Fraction(a) + Fraction(b)


@given(numbers, numbers)
def test_two_product(a, b):
    """p is the rounded product, and p + e the product without any error."""
    p, e = two_product(a, b)
    assert p == a * b
    assert Fraction(p) + Fraction(e) == Fraction(a) * Fraction(b)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("n", "d"), [(1, 1), (20, 1), (15, 5), (40, 3)])
@pytest.mark.parametrize("offset", [0.0, 1e8])
def test_exact_gradient(kind, n, d, offset):
    """The gradient at a solution, where everything cancels, is right to twice the digits of its terms."""
    rng = np.random.default_rng(n * d)
    X = (rng.normal(size=(n, d)) + offset).astype(kind)
    w, b, b_low = rng.normal(size=d), 0.3 - offset, 1e-17 * offset
    y = X.astype(np.float64) @ w + b + 1e-10 * rng.normal(size=n)
    weight, mean = rng.integers(0, 3, n).astype(np.float64), X.astype(np.float64).mean(axis=0)
    high, low = np.zeros(1 + d), np.zeros(1 + d)
    exact.exact_gradient(X, y, weight, mean, w, b, b_low, high, low)
    expected, size = twins.exact_gradient(X, y, weight, mean, w, b, b_low)
    got = twins.fractions(high) + twins.fractions(low)
    allowed = Fraction(8 * (n + d)) * Fraction(2) ** -105 * size  # n + d roundings of the low parts, of 2⁻⁵³ of 2⁻⁵³ each
    assert (abs(got - expected) <= allowed).all()


def test_exact_gradient_adds():
    """Rows in two portions give what they give at once."""
    rng = np.random.default_rng(0)
    X, y, one = rng.normal(size=(30, 2)), rng.normal(size=30), np.ones(30)
    whole, parts = (np.zeros(3), np.zeros(3)), (np.zeros(3), np.zeros(3))
    arguments = (np.zeros(2), np.ones(2), 0.5, 0.0)
    exact.exact_gradient(X, y, one, *arguments, *whole)
    for part in (slice(0, 11), slice(11, 30)):
        exact.exact_gradient(X[part], y[part], one[part], *arguments, *parts)
    assert np.array_equal(whole, parts)


# ---- columns: spread, gaps, modes ------------------------------------------------------------------------------------


@pytest.fixture(params=[(n, d, kind) for n, d in [(1, 1), (40, 1), (33, 5), (17, 13)] for kind in KINDS], ids=str)
def gappy(request):
    """Rows with missing cells, weights (some 0), classes of three, and a pivot of each class."""
    n, d, kind = request.param
    rng = np.random.default_rng(n + 100 * d)
    X = rng.normal(size=(n, d)) + 10
    X[rng.uniform(size=X.shape) < 0.3] = np.nan
    X[:, d // 2] = np.nan if d > 5 else X[:, d // 2]
    w = rng.integers(0, 4, size=n).astype(np.float64)
    return X.astype(kind), rng.integers(0, 3, size=n), w, rng.normal(size=(3, d)) + 10


def test_spread_of_known(gappy):
    """Weight, sums around the pivot and number of the known cells, added to what is there."""
    X, _, w, pivot = gappy
    found = (np.ones(X.shape[1]), np.ones(X.shape[1]), np.ones(X.shape[1]), np.ones(X.shape[1], np.int64))
    sums.spread_of_known(X, w, pivot[0], *found)
    for got, expected in zip(found, twins.spread_of_known(X, w, pivot[0]), strict=True):
        np.testing.assert_allclose(got - 1, expected, rtol=1e-12, atol=1e-12)


def test_spread_by_class(gappy):
    """The same class by class; rows of weight 0 are not seen at all."""
    X, y, w, pivot = gappy
    found = (np.ones(pivot.shape), np.ones(pivot.shape), np.ones(pivot.shape), np.ones(pivot.shape, np.int64))
    class_spread.spread_by_class(X, y, w, pivot, *found)
    for got, expected in zip(found, twins.spread_by_class(X, y, w, pivot), strict=True):
        np.testing.assert_allclose(got - 1, expected, rtol=1e-12, atol=1e-12)


def test_gaussian_joint(gappy):
    """The log joint over the known cells."""
    X, _, _, mean = gappy
    rng = np.random.default_rng(0)
    variance, log_prior = rng.uniform(0.1, 3, size=mean.shape), np.log([0.2, 0.3, 0.5])
    joint = np.full((len(X), 3), np.nan)
    gaussian_nb.gaussian_joint(X, mean, 1 / variance, np.log(2 * np.pi * variance), log_prior, joint)
    np.testing.assert_allclose(joint, twins.gaussian_joint(X, mean, variance, log_prior), rtol=1e-12)


def test_count_missing(gappy):
    """Missing cells of the rows that count, and how many rows those are."""
    X, _, w, _ = gappy
    missing = np.ones(X.shape[1], np.int64)
    rows, expected = twins.count_missing(X, w)
    assert simple_imputer.count_missing(X, w, missing) == rows
    assert np.array_equal(missing - 1, expected)


@settings(deadline=None)
@given(st.lists(st.integers(-3, 3).map(float), min_size=1, max_size=12))
def test_longest_run(values):
    """The most frequent value of a sorted vector, the smallest of several."""
    assert most_frequent_values.longest_run(np.sort(values)) == twins.longest_run(values)


# ---- counts of categories --------------------------------------------------------------------------------------------


@pytest.fixture(params=[(n, d, kind) for n, d in [(1, 1), (60, 3), (25, 8)] for kind in (*KINDS, np.int32)], ids=str)
def coded(request):
    """Codes with missing cells (NaN, −1 in whole numbers), classes of three, weights, and the sizes of the columns."""
    n, d, kind = request.param
    rng = np.random.default_rng(n + d)
    X = rng.integers(0, np.arange(2, 2 + d), size=(n, d)).astype(float)
    X[rng.uniform(size=X.shape) < 0.2] = np.nan
    X = np.where(np.isnan(X), -1, X).astype(kind) if kind is np.int32 else X.astype(kind)
    return X, rng.integers(0, 3, size=n), rng.integers(0, 4, size=n).astype(np.float64), np.arange(2, 2 + d)


def test_highest_codes(coded):
    """The largest code of each column in the rows that count."""
    X, _, w, _ = coded
    assert np.array_equal(codes.highest_codes(X, w), twins.highest_codes(X, w))


def test_highest_codes_of_nothing():
    """−1 where every cell is missing, or belongs to a row of weight 0."""
    X = np.array([[np.nan, 2.0, 4.0], [np.nan, 0.0, np.nan]])
    assert codes.highest_codes(X, np.array([0.0, 1.0])).tolist() == [-1, 0, -1]
    assert codes.highest_codes(X, np.ones(2)).tolist() == [-1, 2, 4]


def test_count_codes(coded):
    """The weight of each class and category, added to what is there; missing cells are not counted."""
    X, y, w, sizes = coded
    ends = np.cumsum(sizes)
    table = np.ones((3, ends[-1]))
    class_counts.count_codes(X, y, w, ends - sizes, table)
    assert np.array_equal(table - 1, np.hstack(twins.count_codes(X, y, w, 3, sizes)))


def test_add_logarithms(coded):
    """log θ of every known cell; categories beyond the size of a column (here the last one of each) are left out."""
    X, _, _, sizes = coded
    fewer = sizes - 1
    rng = np.random.default_rng(0)
    tables = [np.log(rng.uniform(size=(3, size))) for size in fewer]
    ends, joint = np.cumsum(fewer), rng.normal(size=(len(X), 3))
    expected = twins.add_logarithms(X, tables, joint)
    class_counts.add_logarithms(X, np.hstack(tables).T.copy(), ends - fewer, ends, joint)
    np.testing.assert_allclose(joint, expected, rtol=1e-13)


cells_of_a_column = st.sampled_from([0.0, 1.0, 2.0, 5.0, 7.5, 8.0, 9.0, -1.0, -0.5, np.nan])


@settings(deadline=None)
@given(st.lists(st.lists(cells_of_a_column, min_size=3, max_size=3), min_size=1, max_size=6))
def test_first_no_code(rows):
    """A negative cell before all others, then a fraction or a code of 8 or more, whichever comes first; else nothing."""
    assert codes.first_no_code(np.array(rows), 8) == twins.first_no_code(np.array(rows), 8)


# ---- quantiles -------------------------------------------------------------------------------------------------------

ODD = [0.0, -0.0, 1.0, -1.0, 5e-324, -5e-324, 1e-300, 1e300, -1e300, 0.1, np.pi, 2.0**53, np.nextafter(1.0, 2.0)]


def test_keys():
    """Keys are in the order of the doubles, 0 and −0 have one, and the way back is exact."""
    column = np.array([*ODD, *np.random.default_rng(0).standard_cauchy(50)])
    assert key_histograms.keys(column).tolist() == [key_of(x) for x in column] == [twins.key(x) for x in column]
    assert np.array_equal(np.argsort(key_histograms.keys(column), kind="stable"), np.argsort(column, kind="stable"))
    assert np.array_equal(key_histograms.values(key_histograms.keys(column)), column)


@pytest.fixture(params=[(kind, weighted) for kind in KINDS for weighted in (False, True)], ids=str)
def scattered(request):
    """Two columns with ties, huge and missing cells, and weights; an empty vector of weights where there are none."""
    kind, weighted = request.param
    rng = np.random.default_rng(1)
    X = np.column_stack([np.round(2 * rng.normal(size=70)) / 2, rng.standard_cauchy(70) * 1e3])
    X[rng.uniform(size=X.shape) < 0.1] = np.nan
    return X.astype(kind), rng.integers(0, 3, size=70).astype(float) if weighted else np.zeros(0)


def test_count_keys(scattered):
    """Cells, weights and extreme keys in equal parts of intervals of keys; cells outside are passed over."""
    X, w = scattered
    column, shift = np.array([0, 0, 1]), np.array([50, 46, 51], np.uint64)
    low = np.array([twins.key(x) for x in (-1.0, 0.5, -2e3)], np.uint64)
    cells, weight = np.zeros((3, 64), np.int64), np.zeros((3, 64) if len(w) else (0, 0))
    least, most = np.full(3, 2**64 - 1, np.uint64), np.zeros(3, np.uint64)
    key_histograms.count_keys(X, w, column, low, shift, cells, weight, least, most)
    ones = w if len(w) else np.ones(len(X))
    for b in range(3):
        parts = [twins.part(x, low[b], shift[b], 64) for x in X[:, column[b]]]
        expected = twins.count_parts(parts, ones, 64)
        assert expected[0].any()
        assert np.array_equal(cells[b], expected[0])
        assert not len(w) or np.array_equal(weight[b], expected[1])
        inside = [twins.key(x) for x, at, one in zip(X[:, column[b]], parts, ones, strict=True) if at is not None and one > 0]
        assert (least[b], most[b]) == (min(inside), max(inside))


def test_count_bins(scattered):
    """Cells and weights in equal bins, all that lies outside in the first and last, and the extreme keys of a column."""
    X, w = scattered
    bins = key_histograms.Bins(np.array([-1.0, -500.0]), np.array([62 / 2.5, 62 / 900]), 64)
    cells, weight = np.zeros((2, 64), np.int64), np.zeros((2, 64) if len(w) else (0, 0))
    least, most = np.full(2, 2**64 - 1, np.uint64), np.zeros(2, np.uint64)
    key_histograms.count_bins(X, w, bins.low, bins.scale, cells, weight, least, most)
    ones = w if len(w) else np.ones(len(X))
    for c in range(2):
        known = ~np.isnan(X[:, c])
        column, edges = X[known, c].astype(np.float64), bins.low[c] + np.arange(63) / bins.scale[c]
        at = bins.of(column, np.full(len(column), c))
        expected = twins.count_parts(at, ones[known], 64)
        assert np.array_equal(cells[c], expected[0])
        assert not len(w) or np.array_equal(weight[c], expected[1])
        far = np.abs(column[:, None] - edges).min(axis=1) > 1e-9  # at an edge rounding decides
        assert np.array_equal(at[far], np.searchsorted(edges, column[far], side="right"))
        counted = column[ones[known] > 0]
        assert (least[c], most[c]) == (twins.key(counted.min()), twins.key(counted.max()))


def test_find_cells(scattered):
    """The rows whose cells lie in given intervals, in order; rows of weight 0 are passed over."""
    X, w = scattered
    ones = w if len(w) else np.ones(len(X))
    bins = key_histograms.Bins(np.array([-1.0, -500.0]), np.array([62 / 2.5, 62 / 900]), 64)
    lows, highs, start = np.array([-0.3, 0.5, -450.0]), np.array([0.2, 0.5, 1e9]), np.array([0, 2, 3])
    holds = np.ones((2, 64), bool)
    found, count = np.full((3, 70), -1.0), np.zeros(3, np.int64)
    key_histograms.find_cells(X, ones, bins.low, bins.scale, holds, start, lows, highs, count, found)
    for k, c in enumerate([0, 0, 1]):
        expected = np.flatnonzero((lows[k] <= X[:, c]) & (X[:, c] <= highs[k]) & (ones > 0))
        assert len(expected)
        assert found[k, : count[k]].tolist() == expected.tolist()
    holds[:] = False
    count[:] = 0
    key_histograms.find_cells(X, ones, bins.low, bins.scale, holds, start, lows, highs, count, found)
    assert not count.any()  # bins without a place are passed over


@pytest.mark.parametrize("seed", range(6))
def test_pool_violators(seed):
    """Blocks of equal values, in order: isotonic regression."""
    rng = np.random.default_rng(seed)
    y, w = rng.integers(0, 3, 25) / 2, rng.integers(1, 5, 25).astype(float)
    total, weight, first = w * y, w.copy(), np.zeros(26, np.int64)
    blocks = isotonic_calibrator.pool_violators(total, weight, first)
    value = total[:blocks] / weight[:blocks]
    assert (np.diff(value) > 0).all()
    assert first[blocks] == 25
    np.testing.assert_allclose(np.repeat(value, np.diff(first[: blocks + 1])), twins.pool_violators(y, w), rtol=RTOL)
