"""Lift, cost and DET curves: what follows from the ROC curve, against definitions, scikit-learn and normal scores."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm
from sklearn import metrics

from aprendiz.evaluation import cost_curve, det_curve, lift, roc

RNG = np.random.default_rng(8)
Y = RNG.random(400) < 0.3
SCORE = np.round(1.5 * Y + RNG.normal(size=400), 1)  # with ties
WEIGHT = RNG.uniform(0.1, 3, size=400)
CURVES = {"lift": lift, "cost": cost_curve, "det": det_curve}
every_curve = pytest.mark.parametrize("made", CURVES.values(), ids=CURVES)


@st.composite
def scored(draw):
    """Up to 24 rows of both classes with few distinct scores, and whole weights."""
    y = draw(st.lists(st.booleans(), min_size=2, max_size=24).filter(lambda v: 0 < sum(v) < len(v)))
    n = len(y)
    score = draw(st.lists(st.integers(-4, 4), min_size=n, max_size=n))
    weight = draw(st.lists(st.integers(1, 4), min_size=n, max_size=n))
    return np.array(y), np.array(score, float), np.array(weight)


# ---- all of them -------------------------------------------------------------------------------------------------------


@every_curve
@given(rows=scored())
def test_a_weight_of_two_is_a_row_twice(made, rows):
    """As frames, number by number."""
    y, score, weight = rows
    weighted = made(y, score, sample_weight=weight).frame().to_numpy()
    repeated = made(np.repeat(y, weight), np.repeat(score, weight)).frame().to_numpy()
    np.testing.assert_allclose(weighted, repeated, rtol=1e-12)


@every_curve
def test_order_is_all_that_counts(made):
    """A rising function of the scores changes the thresholds alone."""
    one, other = made(Y, SCORE).frame(), made(Y, np.exp(SCORE)).frame()
    assert one.drop(columns="threshold").equals(other.drop(columns="threshold"))


@every_curve
def test_text_and_refusals(made):
    """A table with a last line; what roc refuses is refused."""
    lines = str(made(Y, SCORE)).split("\n")
    assert len({len(line) for line in lines[:-1]}) == 1
    assert lines[-1].endswith(".")
    with pytest.raises(ValueError, match="only one class"):
        made([1, 1], [0.1, 0.2])
    with pytest.raises(ValueError, match="y_true has 2 rows, score has 3"):
        made([0, 1], [0.1, 0.2, 0.3])


# ---- gain and lift -----------------------------------------------------------------------------------------------------


@given(scored())
def test_the_gain_by_its_definition(rows):
    """Rows above each score, counted; the area follows from that of the ROC curve; lift is precision over the share."""
    y, score, weight = rows
    curve = lift(y, score, sample_weight=weight)
    share = weight[y].sum() / weight.sum()
    for place, threshold in enumerate(curve.roc.thresholds[1:], 1):
        taken = score >= threshold
        assert curve.depth[place] == pytest.approx(weight[taken].sum() / weight.sum(), rel=1e-14)
        assert curve.gain[place] == pytest.approx(weight[taken & y].sum() / weight[y].sum(), rel=1e-14)
        assert curve.lift[place] == pytest.approx(weight[taken & y].sum() / weight[taken].sum() / share, rel=1e-13)
    assert curve.area == pytest.approx(share / 2 + (1 - share) * curve.roc.auc, abs=1e-14)
    assert (curve.gain <= curve.best_gain + 1e-15).all()


def test_area_and_scikit_learn():
    """(4) with the area of scikit-learn; best and useless scores."""
    share = np.average(Y, weights=WEIGHT)
    expected = share / 2 + (1 - share) * metrics.roc_auc_score(Y, SCORE, sample_weight=WEIGHT)
    assert lift(Y, SCORE, sample_weight=WEIGHT).area == pytest.approx(expected, rel=1e-13)
    assert lift(Y, Y.astype(float)).area == pytest.approx(1 - Y.mean() / 2)
    assert lift(Y, np.zeros(400)).area == 0.5


def test_gain_inside_of_ties():
    """Four rows of one score, two of them positive: half of the rows have half of the positives, expected."""
    curve = lift([0, 1, 0, 1], [1.0] * 4)
    assert [curve.gain_at(depth) for depth in (0, 0.25, 0.5, 1)] == [0.0, 0.25, 0.5, 1.0]
    assert [curve.lift_at(depth) for depth in (0, 0.25, 1)] == [1.0, 1.0, 1.0]
    with pytest.raises(ValueError, match="depth = 20 must lie between 0 and 1"):
        curve.gain_at(20)


# ---- costs -------------------------------------------------------------------------------------------------------------


@given(scored())
def test_the_envelope_by_its_definition(rows):
    """The least of all lines, at any probability cost; where it lies, a threshold of that cost; its area."""
    y, score, weight = rows
    curve = cost_curve(y, score, sample_weight=weight)
    shares = np.linspace(0, 1, 101)
    lines = np.outer(shares, curve.roc.fnr) + np.outer(1 - shares, curve.roc.fpr)
    np.testing.assert_allclose(curve.cost_at(shares), lines.min(axis=1), atol=1e-14)
    for share in (0.0, 0.2, 0.5, 0.9, 1.0):
        point = curve.point(share)
        assert share * point.fnr + (1 - share) * point.fpr == pytest.approx(curve.cost_at(share), abs=1e-14)
    assert curve.area == pytest.approx(np.trapezoid(lines.min(axis=1), shares), abs=2e-3)
    assert curve.area <= 0.25


def test_prior_and_costs():
    """The cheapest point of the ROC curve for two costs and a prior is that of their probability cost."""
    curve = cost_curve(Y, SCORE)
    for price, prior in ((1.0, 0.3), (10.0, 0.05), (0.2, 0.5)):
        share = curve.probability_cost(cost_fp=1.0, cost_fn=price, prior=prior)
        cheapest = roc(Y, SCORE).cheapest(cost_fp=1.0, cost_fn=price, prior=prior)
        assert cheapest.expected_cost == pytest.approx(curve.cost_at(share) * (prior * price + 1 - prior), rel=1e-12)
        assert curve.point(share).threshold == cheapest.threshold
    for wrong in ({"prior": 1.5}, {"prior": 0.5, "cost_fp": -1.0}, {"prior": 0.0, "cost_fp": 0.0}):
        with pytest.raises(ValueError, match=r"prior = 1.5|cost_fp = "):
            curve.probability_cost(**{"cost_fp": 1.0, "cost_fn": 1.0, **wrong})
    with pytest.raises(ValueError, match="probability_cost = 2 must lie between 0 and 1"):
        curve.cost_at(2)


def test_where_a_score_is_of_use():
    """Everywhere without errors, nowhere where it knows nothing, else between the first and the last slope of the hull."""
    assert cost_curve(Y, Y.astype(float)).useful == (0.0, 1.0)
    assert cost_curve(Y, Y.astype(float)).area == 0.0
    assert np.isnan(cost_curve(Y, np.zeros(400)).useful).all()
    assert "nowhere better" in str(cost_curve(Y, np.zeros(400)))
    curve = cost_curve([0, 0, 1, 0, 1, 1, 0, 1], [1, 2, 3, 4, 5, 6, 7, 8])  # the best row is positive, the worst negative
    low, high = cost_curve([0, 1, 0, 1, 0, 1], [1, 1, 2, 2, 2, 2]).useful
    assert np.isnan([low, high]).all()  # equal shares in both
    assert curve.useful == (0.0, 1.0)
    low, high = cost_curve([0, 1, 1, 0, 0, 1], [2, 2, 2, 1, 1, 1]).useful
    assert (low, high) == pytest.approx((1 / 3, 2 / 3))  # slopes 2 and ½


# ---- DET ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
def test_det_of_scikit_learn(weight):
    """Its points are ours, at its thresholds."""
    curve = det_curve(Y, SCORE, sample_weight=weight)
    fpr, fnr, thresholds = metrics.det_curve(Y, SCORE, sample_weight=weight)
    finite = np.isfinite(thresholds)
    place = [int(np.flatnonzero(curve.thresholds == t)[0]) for t in thresholds[finite]]
    assert len(place) > 20
    np.testing.assert_allclose(curve.fpr[place], fpr[finite], atol=1e-13)
    np.testing.assert_allclose(curve.fnr[place], fnr[finite], atol=1e-13)


def test_normal_scores_are_a_straight_line():
    """Quantiles of two normals, 2 apart: y = −x − 2, equal error rate Φ(−1), d′ = 2."""
    levels = (np.arange(20_000) + 0.5) / 20_000
    score, y = np.r_[norm.ppf(levels), 2 + norm.ppf(levels)], np.repeat([0, 1], 20_000)
    curve = det_curve(y, score)
    assert curve.equal_error_rate == pytest.approx(norm.cdf(-1), abs=1e-4)
    assert curve.d_prime == pytest.approx(2.0, abs=1e-3)
    x, deviate = curve.deviates
    middle = np.abs(x + 0.5) < 1.5
    np.testing.assert_allclose(deviate[middle], -x[middle] - 2, atol=0.03)
    assert curve.equal_error().threshold == pytest.approx(1.0, abs=1e-3)


def test_ends_of_the_deviates():
    """Rates of 0 and 1 are infinite; a score without errors has an infinite d′."""
    curve = det_curve([0, 0, 1, 1], [1, 2, 3, 4])
    assert curve.d_prime == np.inf
    assert np.isinf(curve.deviates[0][0])
    assert curve.equal_error().fpr == curve.equal_error().fnr == 0.0
