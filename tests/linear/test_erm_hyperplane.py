"""Hyperplanes of least error: against trying every set of rows by the definition; counts, samples, rows that lie badly."""

from itertools import combinations
from math import comb, log10

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aprendiz import ERMHyperplane, OneVsRestClassifier, StollerCut
from aprendiz.linear.solvers.hyperplanes_through_rows import all_sets, drawn_sets, planes_through

quick = settings(max_examples=60, deadline=None, database=None, derandomize=True)


def least_error(X, y, weight):
    """By the definition: for each set of d rows the hyperplane by a singular value decomposition, both ways round."""
    d, found = X.shape[1], []
    for some in map(list, combinations(range(len(X)), d)):
        homogeneous = np.column_stack([X[some], np.ones(d)])
        _, size, V = np.linalg.svd(homogeneous)
        if size[-1] < 1e-10 * size[0]:
            continue
        t = X @ V[-1, :d] + V[-1, d]
        t[np.abs(t) < 1e-9] = 0.0
        found += [weight @ ((side * t > 0) != y) for side in (1, -1)]
    return min(found) / weight.sum()


@st.composite
def tables(draw):
    """A few rows in general position, or on a small grid where many rows share a hyperplane; eighths as weights."""
    d = draw(st.integers(1, 3))
    n = draw(st.integers(d + 2, 9))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    X = rng.normal(size=(n, d))
    if draw(st.booleans()):
        X = rng.integers(0, 3, (n, d)).astype(float)
        X[: d + 1] = np.eye(d + 1, d)  # that do not share one all together
    y = rng.integers(0, 2, n).astype(bool)
    y[:2] = [False, True]
    return X, y, rng.integers(1, 9, n) / 8.0


@quick
@given(tables())
def test_least_error_of_all(drawn):
    """All sets of rows, tried here and there: the same least error, and the predictions make it."""
    X, y, weight = drawn
    for given_weight in (None, weight):
        w = np.ones(len(y)) if given_weight is None else weight
        model = ERMHyperplane("all").fit(X, y, sample_weight=given_weight)
        assert model.error_ == pytest.approx(least_error(X, y, w), abs=1e-12)
        assert w @ (model.predict(X) != y) / w.sum() == pytest.approx(model.error_, abs=1e-12)
        assert model.candidates_ == 2 * comb(len(np.unique(X, axis=0)), X.shape[1]) == model.tried_


@quick
@given(tables(), st.integers(0, 2**32))
def test_rows_in_any_order_and_number(drawn, seed):
    """Another order of the rows, and rows that stand twice for a weight of two, give the same hyperplane."""
    X, y, _ = drawn
    copies = np.random.default_rng(seed).integers(0, 3, len(y))
    copies[:2] = 1
    once = ERMHyperplane("all").fit(X, y, sample_weight=copies.astype(float))
    order = np.random.default_rng(seed).permutation(np.repeat(np.arange(len(y)), copies))
    twice = ERMHyperplane("all").fit(X[order], y[order])
    assert np.array_equal(once.coef_, twice.coef_)
    assert np.array_equal(once.intercept_, twice.intercept_)
    assert once.error_ == twice.error_


def test_best_of_all_hyperplanes_but_for_d_rows():
    """No hyperplane at all errs on more than d rows fewer: 20 000 random ones do not."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 2))
    y = (X[:, 0] * X[:, 1] > 0) != (rng.random(40) < 0.1)
    model = ERMHyperplane("all").fit(X, y)
    W, b = rng.normal(size=(20_000, 2)), rng.normal(size=20_000)
    wrong = ((X @ W.T + b > 0) != y[:, None]).sum(axis=0).min()
    assert 40 * model.error_ <= wrong + 2


def test_rows_on_the_hyperplane():
    """The d rows have t = 0 exactly and are of the first class, whichever way w points."""
    X = np.array([[0.0, 0.1], [1.0, 0.3], [0.2, 1.0], [0.7, -1.0]])
    for y in ([0, 0, 1, 0], [1, 1, 0, 1], [0, 0, 0, 1]):
        model = ERMHyperplane("all").fit(X, y)
        t = model.decision_function(X)
        assert np.count_nonzero(t == 0) == 2
        assert (model.predict(X)[t == 0] == 0).all()
        assert model.origin_.tolist() in X[t == 0].tolist()


@pytest.mark.parametrize("offset", [0.0, 1e6, -(2.0**30)])
@pytest.mark.parametrize("scale", [1e-8, 1.0, 1e8])
def test_on_the_hyperplane_at_any_offset(offset, scale):
    """Training error and predictions agree far from zero and in any unit, where t = 0 has to be told from rounding."""
    rng = np.random.default_rng(1)
    X = np.round(rng.normal(size=(30, 3)) * 1024) / 1024 * scale + offset * scale
    y = rng.integers(0, 2, 30)
    model = ERMHyperplane("all").fit(X, y)
    assert model.score(X, y) == pytest.approx(1 - model.error_, abs=1e-12)
    assert np.count_nonzero(model.decision_function(X) == 0) == 3


def test_one_column_is_a_cut():
    """With one column the hyperplanes are thresholds at rows: no better than the Stoller cut, and at most a row worse."""
    rng = np.random.default_rng(2)
    for _ in range(20):
        x = rng.normal(size=(25, 1))
        y = (x[:, 0] > 0.2) != (rng.random(25) < 0.2)
        y[:2] = [False, True]
        best, cut = ERMHyperplane("all").fit(x, y).error_, StollerCut().fit(x, y).error_
        assert cut - 1e-12 <= best <= cut + 1 / 25 + 1e-12


# ---- columns and rows that lie badly -----------------------------------------------------------------------------------


def test_dependent_columns():
    """A repeated, a constant or a mixed column is left out; the answer is that of the others."""
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(20, 2)), rng.integers(0, 2, 20)
    plain = ERMHyperplane("all").fit(X, y)
    wider = np.column_stack([X[:, 0], np.full(20, 7.3), X[:, 1], X[:, 1], 3.0 - X[:, 0] + X[:, 1]])
    model = ERMHyperplane("all").fit(wider, y)
    assert model.candidates_ == plain.candidates_
    np.testing.assert_allclose(model.coef_[0], [plain.coef_[0, 0], 0, plain.coef_[0, 1], 0, 0], rtol=1e-12)
    assert np.array_equal(model.predict(wider), plain.predict(X))


def test_more_columns_than_rows():
    """n rows span n − 1 dimensions: hyperplanes through n − 1 of them, n sets."""
    rng = np.random.default_rng(4)
    X, y = rng.normal(size=(6, 30)), np.array([0, 1, 0, 1, 1, 0])
    model = ERMHyperplane("all").fit(X, y)
    assert model.candidates_ == 2 * 6
    assert model.score(X, y) == pytest.approx(1 - model.error_)


def test_nothing_varies():
    """Rows that are all the same have no hyperplane: the more frequent class."""
    for labels, said in (([0, 0, 1], 0), ([0, 1, 1], 1)):
        model = ERMHyperplane().fit(np.full((3, 2), 7.3), labels)
        assert (model.predict([[0.0, 0.0], [9.0, 9.0]]) == said).all()
        assert model.error_ == pytest.approx(1 / 3)


def test_sets_on_many_hyperplanes():
    """Rows on a line define no plane in space; sets of rows that do are used."""
    X = np.array([[0, 0, 0], [1, 0, 0], [2, 0, 0], [3, 0, 0], [0, 1, 0], [0, 0, 1.0]])
    planes = np.empty((2, 4))
    planes_through(X, np.array([[0, 1, 2], [3, 4, 5]]), planes)
    assert np.isnan(planes[0]).any()
    np.testing.assert_allclose(planes[1] / planes[1, 1], [-3, 1, 3, 3], rtol=1e-14)
    model = ERMHyperplane("all").fit(X, [0, 0, 0, 1, 1, 1])
    assert model.error_ == pytest.approx(least_error(X, np.array([0, 0, 0, 1, 1, 1], bool), np.ones(6)))


# ---- sets --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "d"), [(5, 1), (7, 3), (6, 6), (200, 2), (30, 4)])
def test_all_sets(n, d):
    """Every set once, in order, across batches."""
    assert np.array_equal(np.concatenate(list(all_sets(n, d))), list(combinations(range(n), d)))


def test_drawn_sets():
    """Sets of different numbers, each set as likely as any other (χ² of 10 sets, 99.9 % at 27.9 with 9 degrees of freedom)."""
    sets = np.sort(np.concatenate(list(drawn_sets(5, 3, 20_000, seed=7))), axis=1)
    found, counts = np.unique(sets, axis=0, return_counts=True)
    assert found.tolist() == [list(one) for one in combinations(range(5), 3)]
    assert ((counts - 2000) ** 2 / 2000).sum() < 27.9


@pytest.mark.parametrize("d", [2, 3, 5, 12])
def test_planes_go_through_their_rows(d):
    """c + wᵀz = 0 to rounding for all d rows, Σ|w| = 1."""
    Z = np.random.default_rng(d).random((40, d))
    sets = np.concatenate(list(drawn_sets(40, d, 200, seed=0)))
    planes = np.empty((200, 1 + d))
    planes_through(Z, sets, planes)
    t = planes[:, :1] + np.einsum("sij,sj->si", Z[sets], planes[:, 1:])
    assert np.abs(t).max() < 64 * d * np.finfo(float).eps
    np.testing.assert_allclose(np.abs(planes[:, 1:]).sum(axis=1), 1.0, rtol=1e-14)


# ---- how many ----------------------------------------------------------------------------------------------------------


def test_too_many():
    """More candidates than allowed: refused before the search, with their number and the remedies."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(569, 30)), np.arange(569) % 2
    power = round(log10(2 * comb(569, 30)))
    with pytest.raises(ValueError, match=rf"2·C\(569, 30\) = about 10\^{power} .*n_candidates=10_000.*max_candidates"):
        ERMHyperplane("all").fit(X, y)
    with pytest.raises(ValueError, match=r"= 323,192 candidates, more than max_candidates=1000"):
        ERMHyperplane("all", max_candidates=1000).fit(X[:, :2], y)
    assert ERMHyperplane(100).fit(X, y).tried_ == 100


def test_samples():
    """A larger sample of the same seed errs no more; a number beyond all of them means all, with the certificate of all."""
    rng = np.random.default_rng(5)
    X = rng.normal(size=(50, 3))
    y = (X @ [1.0, -1.0, 0.5] > 0) != (rng.random(50) < 0.1)
    errors = [ERMHyperplane(number, random_state=1).fit(X, y).error_ for number in (2, 20, 200, 2000)]
    assert errors == sorted(errors, reverse=True)
    few, every = ERMHyperplane(20, random_state=1).fit(X, y), ERMHyperplane(10**6).fit(X, y)
    assert few.tried_ == 20 < every.tried_ == every.candidates_ == 2 * comb(50, 3)
    assert "sample" in few.certificate_.claim
    assert "through d rows" in every.certificate_.claim
    assert every.error_ == ERMHyperplane("all").fit(X, y).error_ <= errors[-1]
    assert every.expected_bound() > 0
    with pytest.raises(ValueError, match="Only 20 of 39200 candidates"):
        few.bound(0.5)


def test_pool_of_many_rows(monkeypatch):
    """Of very many rows a sample holds the corners; errors are counted on all rows, and "all" is refused."""
    import aprendiz.linear.erm_hyperplane as module

    rng = np.random.default_rng(6)
    X = rng.normal(size=(2000, 2))
    y = (X[:, 0] > 0.3) != (rng.random(2000) < 0.1)
    monkeypatch.setattr(module, "POOL", 200)
    model = ERMHyperplane(2000, random_state=0).fit(X, y)
    assert model.candidates_ == 2 * comb(2000, 2)
    assert model.score(X, y) == pytest.approx(1 - model.error_)
    assert model.error_ < 0.13
    with pytest.raises(ValueError, match="cannot all be held"):
        ERMHyperplane("all", max_candidates=10**9).fit(X, y)


def test_more_classes():
    """Three classes are refused with the remedy, and the remedy works."""
    rng = np.random.default_rng(7)
    y = np.arange(60) % 3
    X = rng.normal(size=(60, 2)) + np.array([[0, 0], [8, 0], [0, 8]])[y]
    with pytest.raises(ValueError, match=r"OneVsRestClassifier\(ERMHyperplane\(\)\)"):
        ERMHyperplane().fit(X, y)
    assert OneVsRestClassifier(ERMHyperplane(random_state=0)).fit(X, y).score(X, y) > 0.95


def test_outliers_do_not_move_it():
    """0–1 loss: a row of the wrong class counts one, however far away it is (where least squares follows it)."""
    rng = np.random.default_rng(8)
    X, y = rng.normal(size=(40, 2)), np.arange(40) % 2
    X[:, 0] += 8.0 * y
    X[0] = [1e6, 0.0]
    assert ERMHyperplane("all").fit(X, y).error_ <= 2 / 40
