"""Means and scatter of classes: agreement with exact arithmetic, and one answer however the rows come."""

from fractions import Fraction
from functools import reduce
from itertools import product
from operator import add

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aprendiz import QuadraticDiscriminantAnalysis
from aprendiz.bayes.gaussian.class_moments import ClassMoments, ClassRows, class_statistic
from aprendiz.core.rows import Block

quick = settings(max_examples=60, deadline=None)
both = pytest.mark.parametrize("pooled", [False, True], ids=["of each class", "of all"])


def record(X, y, weight=None, *, pooled=False):
    """The statistic of some rows."""
    return class_statistic(QuadraticDiscriminantAnalysis().open(X, y, weight), pooled=pooled)


def problem(seed, rows=40, columns=3, kinds=3):
    rng = np.random.default_rng(seed)
    y = np.r_[np.arange(kinds), rng.integers(0, kinds, rows - kinds)]
    return rng.normal(size=(rows, columns)) @ rng.normal(size=(columns, columns)) + 3.0 * y[:, None], y, rng.uniform(0, 3, rows)


def plain(X, y, weight):
    """n_k, m_k and S_k, written out."""
    labels = np.unique(y)
    total = np.array([weight[y == k].sum() for k in labels])
    means = np.array([np.average(X[y == k], axis=0, weights=weight[y == k]) for k in labels])
    scatter = np.array(
        [(weight[y == k, None] * (X[y == k] - m)).T @ (X[y == k] - m) for k, m in zip(labels, means, strict=True)]
    )
    return total, means, scatter


def assert_same(one, two, rtol=1e-11):
    scale = np.abs(two.within).max()
    np.testing.assert_array_equal(one.labels, two.labels)
    np.testing.assert_array_equal(one.members, two.members)
    np.testing.assert_allclose(one.total, two.total, rtol=1e-13)
    seen = one.total > 0
    np.testing.assert_allclose(one.means[seen], two.means[seen], rtol=rtol, atol=rtol)
    np.testing.assert_allclose(one.scatter, two.scatter, rtol=rtol, atol=rtol * scale)


# ---- the numbers -----------------------------------------------------------------------------------------------------


@quick
@given(st.integers(0, 2**32 - 1), st.integers(5, 60), st.integers(1, 8), st.booleans())
def test_agrees_with_the_definitions(seed, rows, columns, weighted):
    """(1) and (2), with weights and with more columns than rows."""
    X, y, weight = problem(seed, rows, columns)
    weight = weight if weighted else np.ones(rows)
    total, means, scatter = plain(X, y, weight)
    for pooled in (False, True):
        found = record(X, y, weight if weighted else None, pooled=pooled)
        assert isinstance(found, ClassRows if rows < columns else ClassMoments)
        found = found.moments() if isinstance(found, ClassRows) else found
        np.testing.assert_allclose(found.total, total, rtol=1e-13)
        np.testing.assert_allclose(found.means, means, rtol=1e-10, atol=1e-11)
        wanted = scatter.sum(axis=0) if pooled else scatter
        np.testing.assert_allclose(found.scatter, wanted, rtol=1e-9, atol=1e-11 * np.abs(scatter).max())
        np.testing.assert_allclose(found.within, scatter.sum(axis=0), rtol=1e-9, atol=1e-11 * np.abs(scatter).max())
        assert (found.rows, found.columns) == (rows, columns)


def test_all_tiny_tables():
    """Four rows of one column with cells 0, 1, 2 in all ways: means and scatter as rational numbers give them."""
    y = np.array([0, 0, 1, 1])
    for cells in product((0, 1, 2), repeat=4):
        found = record(np.array(cells, dtype=float)[:, None], y)
        for k in (0, 1):
            a, b = (Fraction(cell) for cell in cells[2 * k : 2 * k + 2])
            assert found.means[k, 0] == float((a + b) / 2)
            assert found.scatter[k, 0, 0] == float((a - b) ** 2 / 2)


@both
@pytest.mark.parametrize("wide", [False, True], ids=["many rows", "few rows"])
def test_far_from_zero(pooled, wide):
    """Multiples of 2⁻¹⁰ around 2⁴⁰ are exact numbers, so an offset that all rows share changes no scatter."""
    X, y, _ = problem(1, 12 if wide else 60, 20 if wide else 4)
    X = np.round(X * 1024) / 1024
    near, far = record(X, y, pooled=pooled), record(X + 2.0**40, y, pooled=pooled)
    near, far = (one.moments() if wide else one for one in (near, far))
    np.testing.assert_allclose(far.scatter, near.scatter, rtol=1e-10, atol=1e-10)


def test_classes_far_from_each_other():
    """Classes at ±2⁴⁰ keep the digits of their scatter: each is summed around a point of its own."""
    X, y, _ = problem(2, 60, 3, kinds=2)
    X = np.round(X * 1024) / 1024
    np.testing.assert_allclose(record(X + (2.0 * y[:, None] - 1) * 2.0**40, y).scatter, record(X, y).scatter, rtol=1e-10)


# ---- records that add ------------------------------------------------------------------------------------------------


@both
def test_equal_pivots_of_other_classes(pooled):
    """Records around equal points add plainly if their classes are the same, and class by class if they are not."""
    X, y, _ = problem(4, 40, 2, kinds=2)
    pivot, rows = np.zeros((2, 2)), Block(X, y, None, 0)
    one = ClassMoments.of(np.array(["a", "b"]), pivot, pooled, rows)
    same = ClassMoments.of(np.array(["a", "b"]), pivot.copy(), pooled, rows)
    other = ClassMoments.of(np.array(["b", "c"]), pivot.copy(), pooled, rows)
    twice = one + same.mark_declared(True)
    assert np.array_equal(twice.first, 2 * one.first)
    assert np.array_equal(twice.pivot, pivot)
    assert twice.declared
    both = one + other
    assert both.labels.tolist() == ["a", "b", "c"]
    assert both.members.tolist() == [one.members[0], one.members[1] + one.members[0], one.members[1]]
    np.testing.assert_allclose(both.means[[0, 2]], one.means, rtol=1e-13)


@both
@quick
@given(seed=st.integers(0, 2**32 - 1), cuts=st.lists(st.integers(1, 39), min_size=1, max_size=5), columns=st.integers(1, 6))
def test_any_split_gives_the_same(pooled, seed, cuts, columns):
    """Parts of any size, some with fewer rows than columns and without some of the classes, add up to the whole."""
    X, y, weight = problem(seed, 40, columns)
    order = np.random.default_rng(seed).permutation(40)
    pieces = [part for part in np.split(order, sorted(set(cuts))) if len(np.unique(y[part])) > 1]
    kept = np.concatenate(pieces) if pieces else order
    pieces = pieces or [order]
    parts = [record(X[part], y[part], weight[part], pooled=pooled) for part in pieces]
    found = reduce(add, parts)
    assert_same(
        found.moments() if isinstance(found, ClassRows) else found, record(X[kept], y[kept], weight[kept], pooled=pooled), 1e-9
    )


@both
def test_rows_become_sums(pooled):
    """Rows are kept while they are fewer than the columns, and summed up from then on; sums and rows add in both orders."""
    X, y, weight = problem(4, 12, 8)
    parts = [record(X[part], y[part], weight[part], pooled=pooled) for part in (slice(0, 3), slice(3, 7), slice(7, 12))]
    assert all(isinstance(part, ClassRows) for part in parts)
    assert isinstance(parts[0] + parts[1], ClassRows)
    whole = record(X, y, weight, pooled=pooled)
    for found in (parts[0] + parts[1] + parts[2], parts[0] + (parts[1] + parts[2]), parts[0].moments() + parts[1] + parts[2]):
        assert isinstance(found, ClassMoments)
        assert_same(found, whole)


@both
def test_classes_that_come_late(pooled):
    """Labels of both records, words included; what a class has does not change when another one comes."""
    X, y, _ = problem(5, 60, 3)
    names = np.array(["ash", "birch", "cedar"])[y]
    first, second = names != "birch", names != "cedar"
    found = record(X[first], names[first], pooled=pooled) + record(X[second], names[second], pooled=pooled)
    again = np.r_[np.flatnonzero(first), np.flatnonzero(second)]
    assert_same(found, record(X[again], names[again], pooled=pooled))
    with pytest.raises((TypeError, ValueError)):
        record(X[first], names[first], pooled=pooled) + record(X, y, pooled=pooled)


@both
@pytest.mark.parametrize("columns", [3, 30])
def test_rows_without_weight(pooled, columns):
    """They count nowhere; a class that has no other rows has the weight 0 and no scatter."""
    X, y, _ = problem(6, 20, columns)
    found = record(X, y, (y != 1).astype(float), pooled=pooled)
    without = record(X[y != 1], y[y != 1], pooled=pooled)
    assert found.rows == without.rows == (y != 1).sum()
    assert found.total[1] == found.members[1] == 0
    found, without = ((one.moments() if isinstance(one, ClassRows) else one) for one in (found, without))
    np.testing.assert_allclose(found.within, without.within, rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(found.means[[0, 2]], without.means, rtol=1e-12)
    assert pooled or not found.scatter[1].any()


@both
@pytest.mark.parametrize("columns", [3, 30])
def test_sums_that_overflow_are_known(columns, pooled):
    """A record says whether its numbers are finite."""
    X, y, _ = problem(7, 20, columns)
    rows = QuadraticDiscriminantAnalysis().open(X, y)
    good = class_statistic(rows, pooled=pooled)
    assert good.finite
    with np.errstate(over="ignore", invalid="ignore"):
        bad = class_statistic(QuadraticDiscriminantAnalysis().open(X * 1e300, y), pooled=pooled)
        bad = bad.moments() if isinstance(bad, ClassRows) else bad
    assert not bad.finite
