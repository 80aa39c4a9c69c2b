"""The Stoller cut: the least error of all cuts, against trying them all; ties, weights, constant rules, several columns."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aprendiz import OneVsRestClassifier, StollerCut
from aprendiz.linear.solvers.best_cut import best_cut, middle

quick = settings(max_examples=150, deadline=None, database=None, derandomize=True)


def least_error(X, y, weight):
    """By the definition: every threshold between, below and above the values of every column, both orientations."""
    found = []
    for column in X.T:
        for c in [-np.inf, *np.unique(column)]:
            wrong = weight @ ((column > c) != y)
            found += [wrong, weight.sum() - wrong]
    return min(found) / weight.sum()


@st.composite
def tables(draw):
    """Few values, so that many rows are equal; eighths as weights, so that sums round nothing; some of them 0."""
    n, d = draw(st.integers(2, 12)), draw(st.integers(1, 3))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    X = rng.integers(0, draw(st.integers(1, 6)), (n, d)) / 2.0
    y = rng.integers(0, 2, n).astype(bool)
    y[:2] = [False, True]
    weight = rng.integers(0, 5, n) / 8.0
    weight[0] = 1.0
    return X, y, weight


@quick
@given(tables())
def test_no_cut_errs_less(drawn):
    """The training error is the least over all cuts, it is what the predictions make, and the certificate says so."""
    X, y, weight = drawn
    for given_weight in (None, weight):
        model = StollerCut().fit(X, y, sample_weight=given_weight)
        w = np.ones(len(y)) if given_weight is None else weight
        assert model.error_ == least_error(X, y, w)
        assert w @ (model.predict(X) != y) / w.sum() == pytest.approx(model.error_, abs=1e-15)
        assert model.certificate_.holds


@quick
@given(tables(), st.integers(0, 2**32))
def test_any_order_of_rows(drawn, seed):
    """Another order of the rows gives the same cut, also among equally good ones."""
    X, y, weight = drawn
    order = np.random.default_rng(seed).permutation(len(y))
    here, there = (
        StollerCut().fit(X, y, sample_weight=weight),
        StollerCut().fit(X[order], y[order], sample_weight=weight[order]),
    )
    for name in ("feature_", "threshold_", "orientation_", "error_"):
        assert getattr(here, name) == getattr(there, name), name


def test_threshold_is_half_way():
    """Between the neighbouring values that count; a row of weight 0 between them has no say."""
    X, y = [[1.0], [2.0], [3.0], [5.0], [9.0]], ["a", "a", "b", "b", "b"]
    model = StollerCut().fit(X, y)
    assert (model.threshold_, model.orientation_, model.error_, model.width_) == (2.5, 1, 0.0, 8.0)
    assert StollerCut().fit(X, y, sample_weight=[1, 1, 0, 1, 1]).threshold_ == 3.5
    assert StollerCut().fit(X, y[::-1]).orientation_ == -1


def test_at_or_below():
    """A row at the threshold is on the lower side, whichever class that is, and its score has the sign of its class."""
    for labels in ([0, 0, 1, 1], [1, 1, 0, 0]):
        model = StollerCut().fit([[0.0], [1.0], [3.0], [4.0]], labels)
        assert model.threshold_ == 2.0
        assert model.predict([[2.0], [np.nextafter(2.0, 3.0)]]).tolist() == [labels[0], labels[-1]]
        assert ((model.decision_function([[2.0], [2.5]]) > 0) == [labels[0], labels[-1]]).all()


def test_widest_gap():
    """Of equally good cuts the one with the widest gap, in units of the range: no column is favoured by its unit."""
    X = np.array([[0.0, 0.0], [1.0, 100.0], [8.0, 500.0], [9.0, 900.0]])
    model = StollerCut().fit(X, [0, 0, 1, 1])
    assert (model.feature_, model.threshold_) == (0, 4.5)


def test_neighbouring_numbers():
    """A cut between a number and the next double puts them on different sides; very large and tiny values too."""
    for low, high in [(1.0, np.nextafter(1.0, 2.0)), (0.0, 5e-324), (-1.7e308, 1.7e308), (-5e-324, 0.0)]:
        assert low <= middle(low, high) < high
    X = np.array([[1.0], [np.nextafter(1.0, 2.0)]])
    assert StollerCut().fit(X, ["a", "b"]).predict(X).tolist() == ["a", "b"]


@pytest.mark.parametrize(("labels", "said"), [([0, 0, 0, 1], 0), ([1, 1, 0, 1], 1)])
def test_constant_rule(labels, said):
    """Where no cut beats the more frequent class, it is said of all rows; the threshold is infinite, scores are finite."""
    model = StollerCut().fit(np.zeros((4, 2)), labels)
    assert np.isinf(model.threshold_)
    assert model.error_ == 0.25
    assert (model.predict([[-1e9, 0.0], [1e9, 0.0]]) == said).all()
    assert (model.decision_function([[-1e9, 0.0], [1e9, 0.0]]) == 2.0 * said - 1.0).all()
    middle_differs = StollerCut().fit([[0.0], [1.0], [2.0]], [0, 1, 0])
    assert np.isinf(middle_differs.threshold_)  # a cut errs on one row too
    assert middle_differs.error_ == pytest.approx(1 / 3)


def test_best_column():
    """The column that separates is found among others, wherever it stands."""
    rng = np.random.default_rng(0)
    y = np.arange(400) % 2
    for place in (0, 7, 19):
        X = rng.normal(size=(400, 20))
        X[:, place] += 6.0 * y
        model = StollerCut().fit(X, y)
        assert model.feature_ == place
        assert model.certificate_.cuts == 2 * 20 * 399


def test_columns_in_pieces(monkeypatch):
    """Columns gathered a few at a time, as from files, give what all at once give."""
    rng = np.random.default_rng(1)
    X, y = np.round(rng.normal(size=(60, 7)), 1), rng.integers(0, 2, 60)
    whole = StollerCut().fit(X, y)
    monkeypatch.setattr("aprendiz.linear.solvers.best_cut.TOGETHER", 130)
    pieces = StollerCut().fit(X, y)
    assert (pieces.feature_, pieces.threshold_, pieces.error_) == (whole.feature_, whole.threshold_, whole.error_)
    assert pieces.certificate_.cuts == whole.certificate_.cuts


def test_single_precision():
    """float32 values are compared as the numbers they are."""
    X = np.array([[0.1], [0.2], [0.3], [0.4]], np.float32)
    model = StollerCut().fit(X, [0, 0, 1, 1])
    assert model.threshold_ == (float(X[1, 0]) + float(X[2, 0])) / 2


def test_more_classes():
    """Three classes are refused with the remedy, and the remedy works."""
    X, y = np.arange(9.0)[:, None], np.repeat(["a", "b", "c"], 3)
    with pytest.raises(ValueError, match=r"3 classes: use OneVsRestClassifier\(StollerCut\(\)\)"):
        StollerCut().fit(X, y)
    assert OneVsRestClassifier(StollerCut()).fit(X, y).score(X, y) >= 2 / 3


def test_bounds_of_a_fit():
    """With d columns, d times the bound of one; both fall with n."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(1000, 3)), rng.integers(0, 2, 1000)
    one, three = StollerCut().fit(X[:, :1], y), StollerCut().fit(X, y)
    assert three.bound(0.1) == pytest.approx(3 * one.bound(0.1))
    assert StollerCut().fit(X[:500], y[:500]).expected_bound() > three.expected_bound() > one.expected_bound()


def test_bound_holds():
    """P(error − least error ≥ ε) is within 4·exp(−nε²/2), with the true error known: y = [x > 0.3] with 20 % turned round."""
    rng = np.random.default_rng(0)
    n, eps, exceeded = 100, 0.3, 0
    for _ in range(200):
        x = rng.random((n, 1))
        y = (x[:, 0] > 0.3) != (rng.random(n) < 0.2)
        model = StollerCut().fit(x, y)
        c = np.clip(model.threshold_, 0, 1)
        differs = abs(c - 0.3) if model.orientation_ > 0 else 1 - abs(c - 0.3)
        exceeded += 0.6 * differs >= eps  # the true error is 0.2 + 0.6·P(rule differs)
    assert exceeded / 200 <= model.bound(eps)


def test_speed_of_the_search():
    """A sort and a running sum: a million values in seconds, not hours (n² would be 10¹² comparisons)."""
    rng = np.random.default_rng(0)
    x, signed = rng.normal(size=(10**6, 1)), np.where(rng.random(10**6) < 0.5, 1.0, -1.0)
    assert best_cut(x, signed).judged == 2 * (10**6 - 1)
