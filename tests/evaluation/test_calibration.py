"""Calibration: bins of equal count, shares and intervals, the two measures, refusals."""

import doctest
from fractions import Fraction
from importlib import import_module

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, binomtest
from sklearn import metrics
from sklearn.metrics import brier_score_loss

from aprendiz.evaluation import calibration

RNG = np.random.default_rng(6)
P = RNG.uniform(size=1000)
Y = RNG.uniform(size=1000) < P


@st.composite
def judged(draw):
    """Up to 40 rows of both classes, with few distinct probabilities, and a number of bins."""
    y = np.array(draw(st.lists(st.booleans(), min_size=2, max_size=40).filter(lambda v: 0 < sum(v) < len(v))))
    p = np.array(draw(st.lists(st.integers(0, 12), min_size=len(y), max_size=len(y)))) / 12
    return y, p, draw(st.integers(1, 50))


# ---- bins ------------------------------------------------------------------------------------------------------------


@given(judged())
def test_bins_hold_every_row_once(rows):
    """Rows, positives and probabilities of the bins sum to those of all rows; no bin is empty."""
    y, p, bins = rows
    found = calibration(y, p, bins=bins)
    assert found.rows.sum() == len(y)
    assert (found.rows > 0).all()
    assert len(found.rows) <= bins
    assert found.rows @ found.observed == pytest.approx(y.sum(), abs=1e-12)
    assert found.rows @ found.predicted == pytest.approx(p.sum(), abs=1e-12)


@given(judged())
def test_bins_by_their_equation(rows):
    """(1) in fractions: a row is in the bin of its rank, ties in that of their middle."""
    y, p, bins = rows
    middle = [Fraction(2 * int(np.sum(p < one)) + int(np.sum(p == one)), 2 * len(p)) for one in p]
    numbers = [int(bins * rank) for rank in middle]
    np.testing.assert_array_equal(calibration(y, p, bins=bins).rows, np.unique(numbers, return_counts=True)[1])


@given(judged(), st.randoms(use_true_random=False))
def test_bins_do_not_depend_on_the_order_of_the_rows(rows, random):
    """Equal probabilities are in the same bin, in whatever order they come; bins do not overlap."""
    y, p, bins = rows
    order = np.array(random.sample(range(len(y)), len(y)))
    a, b = calibration(y, p, bins=bins), calibration(y[order], p[order], bins=bins)
    np.testing.assert_array_equal(a.rows, b.rows)
    np.testing.assert_allclose(a.observed, b.observed, rtol=1e-13)
    assert (np.diff(a.predicted) > 0).all()
    sizes, shares = np.unique(p, return_counts=True)[1], a.rows
    assert set(np.cumsum(shares)) <= set(np.cumsum(sizes))  # the border of bins is a border of probabilities


@given(st.integers(2, 200), st.integers(1, 60))
def test_bins_of_equal_count(n, bins):
    """Without ties the bins differ by one row at most, and there are as many as were asked for, or as rows."""
    found = calibration(np.arange(n) % 2, (np.arange(n) + 0.5) / n, bins=bins)
    assert found.rows.max() - found.rows.min() <= 1
    assert len(found.rows) == min(bins, n)


# ---- measures --------------------------------------------------------------------------------------------------------


@given(judged())
def test_brier_score_is_that_of_scikit_learn(rows):
    """Whatever the bins."""
    y, p, bins = rows
    assert calibration(y, p, bins=bins).brier == pytest.approx(brier_score_loss(y, p), abs=1e-15)


@given(judged())
def test_expected_error_by_hand(rows):
    """The mean over the rows of the distance between share and probability of their bin; in one bin that of the means."""
    y, p, bins = rows
    found = calibration(y, p, bins=bins)
    distance = np.repeat(np.abs(found.observed - found.predicted), found.rows)
    assert found.expected_error == pytest.approx(distance.mean(), abs=1e-14)
    assert calibration(y, p, bins=1).expected_error == pytest.approx(abs(y.mean() - p.mean()), abs=1e-14)


@given(judged())
def test_intervals_are_wilsons(rows):
    """Those of scipy's binomial test, around the share."""
    y, p, bins = rows
    found = calibration(y, p, bins=bins)
    for count, share, low, high in zip(found.rows, found.observed, found.low, found.high, strict=True):
        theirs = binomtest(round(share * count), count).proportion_ci(0.95, method="wilson")
        assert (low, high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


def test_true_probabilities_are_calibrated():
    """Nine of ten intervals or more hold the probability from which the labels were drawn; doubled odds do not pass."""
    true = calibration(Y, P)
    assert np.mean((true.low <= true.predicted) & (true.predicted <= true.high)) >= 0.9
    sharp = P**3 / (P**3 + (1 - P) ** 3)
    assert calibration(Y, sharp).expected_error > 3 * true.expected_error
    assert calibration(Y, sharp).brier > true.brier


def test_the_positive_class():
    """By default the last of two; the other class has the mirrored bins; one of many against the rest."""
    a, b = calibration(Y, P), calibration(Y, 1 - P, positive=False)
    np.testing.assert_allclose(a.observed, 1 - b.observed[::-1], rtol=1e-12)
    assert a.brier == pytest.approx(b.brier, rel=1e-12)
    labels = np.where(Y, "yes", np.where(P < 0.3, "no", "perhaps"))
    many = calibration(labels, P, positive="yes")
    np.testing.assert_array_equal(many.observed, a.observed)
    assert many.positive == "yes"


def test_as_frame_and_as_text():
    """A row for each bin; the measures in a sentence."""
    found = calibration(Y, P, bins=7)
    assert len(found.frame()) == 7
    assert "1000 rows in 7 bins.\n" in str(found)
    result = doctest.testmod(import_module("aprendiz.evaluation.calibration"))
    assert (result.failed, result.attempted > 0) == (0, True)


@pytest.mark.parametrize(
    ("y", "p", "more", "message"),
    [
        ([0, 1], [0.5, 1.5], {}, "probability holds 1.5 in row 1: give probabilities of the positive class"),
        ([0, 1], [0.5, np.nan], {}, "probability holds nan in row 1"),
        ([0, 1], [[0.5, 0.5], [0.1, 0.9]], {}, r"such as probability\[:, 1\]"),
        ([0, 1], [0.5], {}, "y_true has 2 rows, probability has 1"),
        ([0, 0], [0.5, 0.1], {}, "only one class, 0"),
        ([0, 1, 2], [0.5, 0.1, 0.2], {}, "say which is positive, as in positive=0"),
        ([0, 1], [0.5, 0.1], {"bins": 0}, "bins = 0 must be a whole number of at least 1"),
        ([0, 1], [0.5, 0.1], {"bins": 2.5}, "bins = 2.5 must be a whole number"),
    ],
)
def test_bad_input(y, p, more, message):
    """The refusal names the value and the remedy."""
    with pytest.raises(ValueError, match=message):
        calibration(y, p, **more)


# ---- measures without bins, and the Brier score in parts -------------------------------------------------------------


def forecasts(seed, exaggerated=1.0):
    """Rows that are positive with their probability, which is then told as if its log odds were larger."""
    rng = np.random.default_rng(seed)
    odds = rng.normal(size=400)
    y = rng.random(400) < 1 / (1 + np.exp(-odds))
    return y, 1 / (1 + np.exp(-exaggerated * odds))


@pytest.mark.parametrize("bins", [1, 5, 400])
def test_parts_of_the_brier_score(bins):
    """Reliability − resolution + uncertainty is the Brier score of the means of the bins, to rounding; each part is at least 0.
    With a bin for every probability it is the Brier score itself."""
    y, p = forecasts(1, 2.0)
    found = calibration(y, p, bins=bins)
    assert found.reliability - found.resolution + found.uncertainty == pytest.approx(found.brier_of_bins, abs=1e-15)
    assert min(found.reliability, found.resolution, found.uncertainty) >= 0
    assert (found.brier_of_bins == pytest.approx(found.brier, abs=1e-15)) == (bins == 400)


def test_parts_by_hand():
    """Two bins of two rows: 0.1 = 0.1 − 0.25 + 0.25; told the share, nothing is known and nothing wrong."""
    found = calibration([0, 0, 1, 1], [0.2, 0.2, 0.6, 0.6], bins=2)
    assert [found.reliability, found.resolution, found.uncertainty] == pytest.approx([0.1, 0.25, 0.25])
    plain = calibration([0, 0, 1, 1], [0.5] * 4)
    assert [plain.reliability, plain.resolution, plain.uncertainty] == [0.0, 0.0, 0.25]
    assert np.isnan(plain.spiegelhalter_z)
    assert "not possible" in str(plain)


def test_log_loss():
    """As scikit-learn's; a certain error is finite."""
    y, p = forecasts(2)
    assert calibration(y, p).log_loss == pytest.approx(metrics.log_loss(y, p), rel=1e-12)
    assert calibration([0, 1], [1.0, 1.0]).log_loss == pytest.approx(26 * np.log(2))


def test_spiegelhalter():
    """z has mean 0 and variance 1 where the probabilities are right, and is large where they exaggerate."""
    z = np.array([calibration(*forecasts(seed)).spiegelhalter_z for seed in range(200)])
    assert abs(z.mean()) < 4 / np.sqrt(200)
    assert 0.8 < z.std() < 1.2
    assert calibration(*forecasts(0, 3.0)).p_value < 1e-6


def test_spiegelhalter_by_hand():
    """One row of p = ¼: (y − ¼)·½ divided by √(¼·³⁄₁₆)."""
    found = calibration([0, 1], [0.25, 0.5], bins=2)
    assert found.spiegelhalter_z == pytest.approx(-0.125 / np.sqrt(0.25 * 0.1875))


# ---- what chance does ------------------------------------------------------------------------------------------------


@given(judged())
def test_error_by_chance_by_enumeration(rows):
    """(9) is the mean of |N − n·p| over all counts of a bin, each with its binomial probability."""
    y, p, bins = rows
    found = calibration(y, p, bins=bins)
    means = [
        sum(abs(k - n * share) * binom.pmf(k, n, share) for k in range(n + 1))
        for n, share in zip(found.rows, np.minimum(found.predicted, 1), strict=True)
    ]
    assert found.error_by_chance == pytest.approx(sum(means) / len(y), abs=1e-12)


@given(judged())
def test_consistency_bars_hold_enough(rows):
    """Each end leaves out at most 2.5 % of the counts of calibrated probabilities, and one row less would leave out more."""
    y, p, bins = rows
    found = calibration(y, p, bins=bins)
    for n, share, (low, high) in zip(found.rows, np.minimum(found.predicted, 1), found.consistency, strict=True):
        least, most = round(low * n), round(high * n)
        assert binom.cdf(least - 1, n, share) <= 0.025 + 1e-9
        assert binom.sf(most, n, share) <= 0.025 + 1e-9
        assert binom.cdf(least, n, share) >= 0.025 - 1e-9
        assert most == 0 or binom.sf(most - 1, n, share) >= 0.025 - 1e-9


def test_p_value_of_error_by_simulation():
    """Among labels drawn from the probabilities the p-value is small as seldom as it says; of doubled odds it is small."""
    rng = np.random.default_rng(8)
    values = []
    for _ in range(100):
        p = rng.uniform(size=150)
        values.append(calibration(rng.uniform(size=150) < p, p).p_value_of_error)
    assert np.mean(np.array(values) < 0.1) <= 0.18  # 0.1 and two standard deviations and a half
    assert np.mean(values) > 0.25
    sharp = P**3 / (P**3 + (1 - P) ** 3)
    assert calibration(Y, sharp).p_value_of_error == 1 / 2000
    assert calibration(Y, P).p_value_of_error == calibration(Y, P).p_value_of_error > 0.05
