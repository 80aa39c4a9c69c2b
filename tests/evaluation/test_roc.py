"""ROC curves: the area as pairs, DeLong's error, the choice of the threshold, refusals."""

import itertools

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import ConvexHull
from sklearn import metrics

from aprendiz.evaluation import roc

RNG = np.random.default_rng(5)
Y = RNG.integers(0, 2, size=300)
SCORE = np.round(Y + RNG.normal(size=300), 1)  # with ties
WEIGHT = RNG.uniform(0.1, 3, size=300)


@st.composite
def scored(draw, weighted=False):
    """Up to 24 rows of both classes with few distinct scores."""
    y = draw(st.lists(st.booleans(), min_size=2, max_size=24).filter(lambda v: 0 < sum(v) < len(v)))
    n = len(y)
    score = draw(st.lists(st.integers(-4, 4), min_size=n, max_size=n))
    weight = draw(st.lists(st.integers(1, 5), min_size=n, max_size=n)) if weighted else [1] * n
    return np.array(y), np.array(score, float), np.array(weight, float)


def pairs(y, score):
    """1, ½ or 0 for each pair of a positive and a negative row."""
    return (np.sign(score[y][:, None] - score[~y]) + 1) / 2


# ---- the curve -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
def test_same_as_scikit_learn(weight):
    """Points, thresholds and area."""
    curve = roc(Y, SCORE, sample_weight=weight)
    fpr, tpr, thresholds = metrics.roc_curve(Y, SCORE, sample_weight=weight, drop_intermediate=False)
    np.testing.assert_allclose(curve.fpr, fpr, rtol=1e-13)
    np.testing.assert_allclose(curve.tpr, tpr, rtol=1e-13)
    np.testing.assert_array_equal(curve.thresholds, thresholds)
    np.testing.assert_allclose(curve.fnr, 1 - tpr, atol=1e-14)
    np.testing.assert_allclose(curve.tnr, 1 - fpr, atol=1e-14)
    assert curve.auc == pytest.approx(metrics.roc_auc_score(Y, SCORE, sample_weight=weight), rel=1e-13)
    assert curve.gini == pytest.approx(2 * curve.auc - 1, rel=1e-15)


@given(scored(weighted=True))
def test_the_area_counts_pairs(rows):
    """AUC is the weighted share of pairs in which the positive row is ahead, ties counting half (Mann–Whitney)."""
    y, score, weight = rows
    total = weight[y] @ pairs(y, score) @ weight[~y]
    assert roc(y, score, sample_weight=weight).auc == pytest.approx(total / (weight[y].sum() * weight[~y].sum()), abs=1e-14)


@given(scored())
def test_the_area_does_not_depend_on_the_scale(rows):
    """Increasing maps change no count, decreasing maps give 1 − AUC, and so does the other class."""
    y, score, _ = rows
    area = roc(y, score).auc
    for increasing in (np.exp, np.cbrt, lambda s: 3 * s - 7, np.arctan):
        assert roc(y, increasing(score)).auc == area
    assert roc(y, -score).auc == pytest.approx(1 - area, abs=1e-15)
    assert roc(y, score, positive=False).auc == pytest.approx(1 - area, abs=1e-15)


def test_which_class_is_positive():
    """By default the label that is sorted last, of text too."""
    curve = roc(["well", "ill", "well"], [0.9, 0.2, 0.8])
    assert (curve.negative, curve.positive, curve.auc) == ("ill", "well", 1.0)
    other = roc(["well", "ill", "well"], [0.9, 0.2, 0.8], positive="ill")
    assert (other.negative, other.positive, other.auc) == ("well", "ill", 0.0)


@given(scored(weighted=True), st.data())
def test_weights_count_rows(rows, data):
    """Weight 2 is the row twice, weight 0 the row left out: the same curve, error and points."""
    y, score, weight = rows
    zeros = data.draw(st.integers(0, 3))
    y0, score0, weight0 = np.r_[y, y[:1].repeat(zeros)], np.r_[score, np.full(zeros, 9.5)], np.r_[weight, np.zeros(zeros)]
    times = weight.astype(int)
    a, b = roc(y0, score0, sample_weight=weight0), roc(y.repeat(times), score.repeat(times))
    for name in ("thresholds", "false_positives", "true_positives"):
        np.testing.assert_array_equal(getattr(a, name), getattr(b, name))
    np.testing.assert_allclose(a.auc_standard_error, b.auc_standard_error, rtol=1e-12, atol=1e-15)
    assert a.equal_error() == b.equal_error()


# ---- DeLong ----------------------------------------------------------------------------------------------------------


@given(scored())
def test_delong_against_pairs(rows):
    """The variance from one sort is the one from all pairs."""
    y, score, _ = rows
    wins = pairs(y, score)
    curve = roc(y, score)
    if min(wins.shape) < 2:
        assert np.isnan(curve.auc_standard_error)
        return
    variance = np.var(wins.mean(axis=1), ddof=1) / len(wins) + np.var(wins.mean(axis=0), ddof=1) / wins.shape[1]
    assert curve.auc_standard_error == pytest.approx(np.sqrt(variance), abs=1e-14)


def test_the_interval_covers_the_truth():
    """Scores N(1, 1) against N(0, 1) have the area Φ(1/√2) = 0.760250; about 95 of 100 intervals hold it.

    With 600 trials the share lies within 0.95 ± 0.03 unless the interval is wrong (3.4 standard errors)."""
    rng = np.random.default_rng(0)
    y = np.r_[np.zeros(50), np.ones(40)]
    intervals = np.array([roc(y, y + rng.normal(size=90)).auc_interval() for _ in range(600)])
    assert abs(np.mean((intervals[:, 0] <= 0.760250) & (intervals[:, 1] >= 0.760250)) - 0.95) < 0.03


def test_intervals():
    """They hold the area, stay inside 0 and 1, and grow with the confidence."""
    curve = roc(Y, SCORE)
    narrow, wide = curve.auc_interval(0.5), curve.auc_interval(0.999)
    assert 0 < wide[0] < narrow[0] < curve.auc < narrow[1] < wide[1] < 1
    with pytest.raises(ValueError, match="confidence = 95 must lie"):
        curve.auc_interval(95)


def test_no_interval_without_spread():
    """Full separation shows no spread, a single row has none: there is an area and no interval."""
    perfect = roc([0, 0, 1, 1], [1, 2, 3, 4])
    assert (perfect.auc, perfect.auc_standard_error) == (1.0, 0.0)
    single = roc([0, 0, 1], [1, 3, 2])
    assert single.auc == 0.5
    assert np.isnan(single.auc_standard_error)
    assert np.isnan([*perfect.auc_interval(), *single.auc_interval()]).all()


# ---- operating points ------------------------------------------------------------------------------------------------

rates = st.sampled_from([0, 0.05, 0.1, 0.2, 0.25, 1 / 3, 0.5, 0.9, 1])
costs = st.sampled_from([0.0, 0.5, 1.0, 2.0, 10.0])


def every_rate(y, score, weight):
    """FPR and FNR of all thresholds that differ, by applying each."""
    thresholds = np.r_[np.inf, np.unique(score)]
    called = score[None, :] >= thresholds[:, None]
    return called[:, ~y] @ weight[~y] / weight[~y].sum(), ~called[:, y] @ weight[y] / weight[y].sum()


def assert_true(point, y, score, weight):
    """Applying the threshold gives the rates that the point states, exactly."""
    called = score >= point.threshold
    assert point.fpr == weight[~y & called].sum() / weight[~y].sum()
    assert point.tnr == weight[~y & ~called].sum() / weight[~y].sum()
    assert point.fnr == weight[y & ~called].sum() / weight[y].sum()
    assert point.tpr == weight[y & called].sum() / weight[y].sum()


@given(scored(weighted=True), rates)
def test_wanted_rates(rows, wanted):
    """No other threshold keeps the wanted rate and errs less on the other class."""
    y, score, weight = rows
    curve = roc(y, score, sample_weight=weight)
    fpr, fnr = every_rate(y, score, weight)
    few_alarms, few_missed = curve.for_fpr(wanted), curve.for_fnr(wanted)
    assert_true(few_alarms, y, score, weight)
    assert_true(few_missed, y, score, weight)
    assert few_alarms.fpr <= wanted
    assert few_alarms.fnr == fnr[fpr <= wanted].min()
    assert few_alarms.fpr == fpr[fnr == few_alarms.fnr].min()
    assert few_missed.fnr <= wanted
    assert few_missed.fpr == fpr[fnr <= wanted].min()
    assert few_missed.fnr == fnr[fpr == few_missed.fpr].min()


@given(scored(weighted=True))
def test_equal_error(rows):
    """No other threshold has FPR and FNR closer; the interpolated rate lies on the curve, where both are equal."""
    y, score, weight = rows
    curve = roc(y, score, sample_weight=weight)
    fpr, fnr = every_rate(y, score, weight)
    point = curve.equal_error()
    assert_true(point, y, score, weight)
    assert abs(point.fpr - point.fnr) == np.abs(fpr - fnr).min()
    rate = curve.equal_error_rate
    gap = curve.fpr - curve.fnr
    before = np.flatnonzero(gap <= 0)[-1]
    after = min(before + 1, len(gap) - 1)
    step = np.array([curve.fpr[after] - curve.fpr[before], curve.fnr[after] - curve.fnr[before]])
    here = np.array([rate - curve.fpr[before], rate - curve.fnr[before]])
    assert step[0] * here[1] == pytest.approx(step[1] * here[0], abs=1e-12)
    assert curve.fpr[before] - 1e-12 <= rate <= curve.fpr[after] + 1e-12


@given(scored(weighted=True), costs, costs, st.sampled_from([None, 0.0, 0.01, 0.5, 1.0]))
def test_cheapest(rows, cost_fp, cost_fn, prior):
    """No other threshold costs less, for any costs and share of positives; and it lies on the convex hull of the curve."""
    y, score, weight = rows
    curve = roc(y, score, sample_weight=weight)
    point = curve.cheapest(cost_fp=cost_fp, cost_fn=cost_fn, prior=prior)
    assert_true(point, y, score, weight)
    share = weight[y].sum() / weight.sum() if prior is None else prior
    fpr, fnr = every_rate(y, score, weight)
    best = (share * cost_fn * fnr + (1 - share) * cost_fp * fpr).min()
    assert point.expected_cost == pytest.approx(best, abs=1e-14)
    hull = curve.convex_hull()
    cost_on_hull = share * cost_fn * curve.fnr[hull] + (1 - share) * cost_fp * curve.fpr[hull]
    assert cost_on_hull.min() == pytest.approx(best, abs=1e-14)


def test_costs_of_one_are_the_error():
    """With both costs 1 the cheapest threshold makes fewest errors, and its cost is their share."""
    point = roc(Y, SCORE).cheapest(cost_fp=1, cost_fn=1)
    errors = [np.mean(np.greater_equal(SCORE, t) != Y) for t in np.r_[np.inf, SCORE]]
    assert point.expected_cost == pytest.approx(min(errors), rel=1e-13)
    assert point.expected_cost == pytest.approx(np.mean(np.greater_equal(SCORE, point.threshold) != Y), rel=1e-13)


@given(scored(), st.floats(-6, 6) | st.sampled_from([np.inf, -np.inf]))
def test_a_threshold_of_ones_own(rows, threshold):
    """Any threshold has the rates of applying it."""
    y, score, weight = rows
    point = roc(y, score).at(threshold)
    assert point.threshold == threshold
    assert_true(point, y, score, weight)


def test_thresholds_lie_in_the_middle():
    """Midway between the scores that they separate; nobody is ∞, everybody −∞."""
    curve = roc([0, 1, 0, 1], [1.0, 2.0, 3.0, 7.0])
    assert curve.for_fpr(0).threshold == 5.0
    assert curve.for_fnr(0).threshold == 1.5
    assert roc([0, 1], [2, 1]).for_fpr(0).threshold == np.inf
    assert roc([0, 1], [2, 1]).for_fnr(0).threshold == -np.inf


@pytest.mark.parametrize("low", [0.0, 1.0, -1.0, 5e-324, 1.7e308])
def test_thresholds_between_neighbouring_numbers(low):
    """Where no double lies between two scores, the upper one separates them."""
    score = np.array([low, np.nextafter(low, np.inf)])
    for y in ([False, True], [True, False]):
        curve = roc(y, score, positive=True)
        for number in range(3):
            assert np.count_nonzero(score >= curve.point(number, "").threshold) == number


def test_wanted_rates_are_met_to_the_last_digit():
    """5 of 100 is 5 %: 1 − 0.95 in doubles is a little more, and would be refused."""
    y, score = np.repeat([0, 1], 100), np.r_[np.arange(100), np.arange(100) + 0.5]
    for k in range(100):
        assert roc(y, score).for_fnr(k / 100).fnr == k / 100
        assert roc(y, score).for_fpr(k / 100).fpr == k / 100


@given(scored(weighted=True))
@settings(max_examples=50)
def test_convex_hull(rows):
    """The same vertices as an independent hull, from (0, 0) to (1, 1)."""
    y, score, weight = rows
    curve = roc(y, score, sample_weight=weight)
    hull = curve.convex_hull()
    assert hull[0] == 0
    assert hull[-1] == len(curve.fpr) - 1
    points = np.r_[np.c_[curve.false_positives, curve.true_positives], [[curve.negatives, -1.0]]]  # below: all others are upper
    vertices = ConvexHull(points).vertices
    assert set(hull) - {0} == set(vertices) - {0, len(points) - 1}


# ---- words and refusals ----------------------------------------------------------------------------------------------


def test_sentences():
    """A point says threshold, errors and rule; a curve says area and rows."""
    curve = roc(["ill", "ill", "well", "well"], [0.9, 0.3, 0.4, 0.1], positive="ill")
    assert str(curve.for_fpr(0.0)) == (
        "Predict 'ill' when score ≥ 0.65: 0 % false positives, 50 % false negatives, error 0.25 (FPR ≤ 0 %)."
    )
    assert str(curve.at(np.inf)).startswith("Predict 'ill' never: 0 % false positives, 100 % false negatives")
    assert str(curve.at(-np.inf)).startswith("Predict 'ill' always: 100 % false positives")
    costly = str(curve.cheapest(cost_fp=1, cost_fn=9))
    assert "expected cost 0.25 (lowest cost, 1 a false positive and 9 a false negative)" in costly
    assert str(curve).startswith("AUC 0.750 (95 % interval")
    assert str(curve).endswith("equal error rate 0.500; 2 rows of 'ill', 2 of 'well'.")
    assert "no interval" in str(roc([0, 1], [0, 1]))


def test_frame():
    """Thresholds and rates, one row for each point."""
    curve = roc(Y, SCORE)
    frame = curve.frame()
    assert len(frame) == len(np.unique(SCORE)) + 1
    np.testing.assert_array_equal(frame["tpr"], curve.tpr)


def test_all_ways_to_pass_scores():
    """Lists, Series of pandas and polars, columns of frames, whole numbers, single precision."""
    for form in (list, pd.Series, pl.Series, lambda v: pd.DataFrame({"s": v}), lambda v: v.astype(object)):
        assert roc(list(Y), form(SCORE)).auc == roc(Y, SCORE).auc
    whole = np.round(SCORE)
    assert roc(Y, whole.astype(int)).auc == roc(Y, whole.astype(np.float32)).auc == roc(Y, whole).auc


bad_inputs = {
    "lengths": (([0, 1, 1], [0.1, 0.2]), {}, ValueError, "y_true has 3 rows, score has 2"),
    "nan": (([0, 1, 1], [0.1, np.nan, 1]), {}, ValueError, "score contains NaN: row 1"),
    "none": (([0, 1, 1], [0.1, 0.3, None]), {}, ValueError, "score contains NaN: row 2"),
    "infinite": (([0, 1], [0.1, np.inf]), {}, ValueError, "score contains infinity.*row 1"),
    "two columns": (([0, 1], [[0.5, 0.5], [0.1, 0.9]]), {}, ValueError, r"shape \(2, 2\): pass the column of the positive"),
    "text": (([0, 1], ["low", "high"]), {}, TypeError, "score holds 'low' in row 0: give numbers, such as predict_proba"),
    "complex": (([0, 1], np.array([1j, 2j])), {}, TypeError, "score holds values of type complex128"),
    "one class": ((["ill", "ill"], [0.1, 0.2]), {}, ValueError, "only one class, 'ill'"),
    "one class counts": (([0, 1], [0.1, 0.2]), {"sample_weight": [1, 0]}, ValueError, "only one class, 0"),
    "three classes": ((["a", "b", "c"], [1, 2, 3]), {}, ValueError, r"3 classes \('a', 'b', 'c'\).*y_true == 'a'"),
    "which positive": (
        ([0, 1], [1, 2]),
        {"positive": "yes"},
        ValueError,
        "positive = 'yes' is not in y_true: choose one of 0, 1",
    ),
    "measurement": (([0.5, 1], [1, 2]), {}, ValueError, "y_true holds 0.5 in row 0"),
    "negative": (([0, 1], [1, 2]), {"sample_weight": [1, -1]}, ValueError, "Negative weight -1.0 in row 1"),
}


@pytest.mark.parametrize("case", bad_inputs.values(), ids=list(bad_inputs))
def test_bad_input(case):
    """Refusals name the argument, the row and the value."""
    arguments, options, kind, words = case
    with pytest.raises(kind, match=words):
        roc(*arguments, **options)


def test_bad_questions():
    """So do questions that the curve cannot answer."""
    curve = roc(Y, SCORE)
    for question, words in (
        (lambda: curve.for_fpr(5), "wanted = 5 must lie between 0 and 1: 0.05 is 5 %"),
        (lambda: curve.for_fnr(-0.1), "wanted = -0.1"),
        (lambda: curve.for_fnr(np.nan), "wanted = nan"),
        (lambda: curve.cheapest(cost_fp=-1, cost_fn=1), "cost_fp = -1 must be"),
        (lambda: curve.cheapest(cost_fp=1, cost_fn=np.inf), "cost_fn = inf must be"),
        (lambda: curve.cheapest(cost_fp=1, cost_fn=1, prior=20), "prior = 20 must lie"),
        (lambda: curve.at(np.nan), "threshold is NaN"),
    ):
        with pytest.raises(ValueError, match=words):
            question()


@pytest.mark.parametrize("y", [y for y in itertools.product([False, True], repeat=4) if 0 < sum(y) < 4])
@pytest.mark.parametrize("score", [(1, 2, 3, 4), (1, 1, 2, 2), (1, 1, 1, 1)], ids=str)
def test_every_tiny_curve(y, score):
    """All labels of four rows: points rise from (0, 0) to (1, 1), and the area lies under them."""
    curve = roc(y, score)
    assert (curve.fpr[0], curve.tpr[0], curve.fpr[-1], curve.tpr[-1]) == (0, 0, 1, 1)
    assert (np.diff(curve.fpr) >= 0).all()
    assert (np.diff(curve.tpr) >= 0).all()
    assert curve.auc == pytest.approx(np.trapezoid(curve.tpr, curve.fpr), abs=1e-15)
