"""Every compiled kernel agrees with its plain twin."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aprendiz.cluster import nearest, starts
from aprendiz.linear import exact
from aprendiz.linear.logistic_loss import link

from . import twins

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
    nearest.squares_to_all(X[0], columns, one)
    nearest.all_squares(X, columns, everything)
    np.testing.assert_allclose(one, expected[0], rtol=RTOL)
    np.testing.assert_allclose(everything, expected, rtol=RTOL)


def test_search(data):
    """The nearest centre, the first of several, and the distance of the second nearest; other rows are left as they are."""
    X, centers, labels, _ = data
    some = np.arange(0, len(X), 2, dtype=np.int32)
    lower, found = np.full(len(X), -1.0), labels.copy()
    nearest.search(X, np.ascontiguousarray(centers.T), some, found, lower, np.empty(len(centers)))
    closest, _, second = twins.search(X, centers)
    assert np.array_equal(found[some], closest[some])
    np.testing.assert_allclose(lower[some], second[some], rtol=RTOL)
    others = np.setdiff1d(np.arange(len(X)), some)
    assert np.array_equal(found[others], labels[others])
    assert (lower[others] == -1).all()


def test_search_alone():
    """One centre: it is nearest, and there is no second."""
    labels, lower = np.ones(1, np.int32), np.empty(1)
    nearest.search(np.zeros((1, 2)), np.ones((2, 1)), np.zeros(1, np.int32), labels, lower, np.empty(1))
    assert (labels[0], lower[0]) == (0, np.inf)


def test_search_coinciding_centres():
    """Centres in one place: the first one is nearest, the second nearest is as near."""
    centers = np.array([[3.0, 3.0], [1.0, 1.0], [1.0, 1.0], [1.0, 1.0]])
    labels, lower = np.zeros(2, np.int32), np.empty(2)
    X, both = np.array([[1.0, 1.0], [0.0, 1.0]]), np.arange(2, dtype=np.int32)
    nearest.search(X, np.ascontiguousarray(centers.T), both, labels, lower, np.empty(4))
    assert labels.tolist() == [1, 1]
    assert lower.tolist() == [0.0, 1.0]


def test_unsure(data):
    """Rows that the bounds do not settle. A bound that is reached but for rounding leaves its row unsure."""
    X, centers, labels, _ = data
    rng = np.random.default_rng(0)
    squares, half = twins.own_squares(X, centers, labels), twins.half_gaps(centers)
    lower = twins.search(X, centers)[2] * rng.uniform(0.5, 1.5, size=len(X))
    move, others = rng.uniform(0, 0.3, size=(2, len(centers)))
    expected, after = twins.unsure(squares, labels, lower, move, others, half)
    found = nearest.unsure(squares, labels, lower, move, others, half, np.empty(len(X), np.int32))
    assert np.array_equal(lower, after)  # the same subtraction
    assert set(expected) <= set(found)
    more = np.setdiff1d(found, expected)  # 1e-10 is kept for rounding
    upper, reached = np.sqrt(squares) + move[labels], np.maximum(after, half[labels])
    np.testing.assert_allclose(upper[more], reached[more], rtol=2e-10)


def test_shortcuts_never_forget():
    """Along a whole run of Lloyd's method, every row that another centre has really won is searched for."""
    rng = np.random.default_rng(5)
    X = rng.normal(size=(500, 2))
    history = twins.lloyd(X, X[:6].copy())
    labels, squares, lower = np.zeros(500, np.int32), np.full(500, np.inf), np.full(500, -np.inf)
    searched = []
    for centers, before in zip(history, [history[0], *history], strict=False):
        g = nearest.Geometry.of(centers, before)
        found = nearest.unsure(squares, labels, lower, g.move, g.others, g.half_gap, np.empty(500, np.int32))
        changed = np.flatnonzero(labels != twins.search(X, centers)[0])
        assert set(changed) <= set(found)
        nearest.search(X, np.ascontiguousarray(centers.T), found, labels, lower, np.empty(6))
        nearest.own_squares(X, centers, labels, squares)
        assert (lower <= twins.search(X, centers)[2] * (1 + 1e-12)).all()  # it is a lower bound
        searched.append(len(found))
    assert searched[0] == 500
    assert searched[-1] < 250  # the shortcut is one


def test_gather(data):
    """Weight and shift of each centre, added to what is there; none for a centre without rows."""
    X, centers, labels, w = data
    weight, shift = np.ones(len(centers)), np.ones_like(centers)
    nearest.gather(X, w, centers, labels, weight, shift)
    expected = twins.gather(X.astype(np.float64), w, centers, labels)
    np.testing.assert_allclose(weight - 1, expected[0], rtol=RTOL)
    np.testing.assert_allclose(shift - 1, expected[1], rtol=RTOL, atol=1e-12)  # shifts cancel: absolute, of sums of about 100


def test_half_gaps(data):
    """Half the distance to the nearest other centre; infinite if there is none."""
    _, centers, _, _ = data
    if len(centers) == 1:
        assert nearest.half_gaps(centers).tolist() == [np.inf]
    else:
        np.testing.assert_allclose(nearest.half_gaps(centers), twins.half_gaps(centers), rtol=RTOL)


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
    p, e = exact.two_product(a, b)
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
