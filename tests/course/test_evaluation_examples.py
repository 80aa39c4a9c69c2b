"""The worked examples of the course about errors, and its errata on them."""

import numpy as np
import pytest
from scipy.special import ndtri

from aprendiz.evaluation import compare, confusion, regression_errors, roc

FIVE_X, FIVE_Y = np.arange(5.0), np.array([4.0, 6.0, 4.0, 6.0, 8.0])


def test_a_13_errors_of_a_line():
    """b = 1, w = 2 says 5 and −1 where 4 and 1 are right: MAE 1.5, MSE 2.5."""
    errors = regression_errors([4, 1], 1 + 2 * np.array([2, -1]))
    assert (errors.mae, errors.mse) == (1.5, 2.5)


def test_a_19_errors_of_a_plane():
    """b = 1, w = (1, 2) says 4 and 0 where 4 and 2 are right: MAE 1, MSE 2."""
    errors = regression_errors([4, 2], 1 + np.array([[1, 1], [-1, 0]]) @ [1, 2])
    assert (errors.mae, errors.mse) == (1.0, 2.0)


def test_a_21_quality_of_a_least_squares_line():
    """w = 0.8, b = 4 on five points: R² = 4/7, NMSE = 3/7, MSE = 0.96."""
    errors = regression_errors(FIVE_Y, 4 + 0.8 * FIVE_X)
    assert errors.r2 == pytest.approx(4 / 7, rel=1e-13)
    assert errors.nmse == pytest.approx(3 / 7, rel=1e-13)
    assert errors.mse == pytest.approx(0.96, rel=1e-13)


def test_a_15_accuracy_of_a_logistic_model():
    """b = 1, w = (1, 2) at (1, 1), (1, −2), (0, 0), labels 1, 0, 0: two of three are right, and the ranking is perfect."""
    p = 1 / (1 + np.exp(-(1 + np.array([[1, 1], [1, -2], [0, 0]]) @ [1, 2])))
    table = confusion([1, 0, 0], (p >= 0.5).astype(int))
    assert table.accuracy == 2 / 3
    assert (table.binary().false_positives, table.binary().false_negatives) == (1, 0)
    curve = roc([1, 0, 0], p)
    assert curve.auc == 1.0
    assert curve.at(0.5).expected_cost == pytest.approx(table.error, rel=1e-15)
    assert curve.cheapest(cost_fp=1, cost_fn=1).expected_cost == 0.0


def test_erratum_a_iii_1_10_5_mae_and_nmse():
    """The text swaps the names: MAE has the unit of y, NMSE has none, and only NMSE is 1 for the mean."""
    prediction = 4 + 0.8 * FIVE_X
    errors, in_cents = regression_errors(FIVE_Y, prediction), regression_errors(100 * FIVE_Y, 100 * prediction)
    assert in_cents.mae == pytest.approx(100 * errors.mae, rel=1e-13)
    assert in_cents.nmse == pytest.approx(errors.nmse, rel=1e-13)
    constant = regression_errors(FIVE_Y, np.full(5, FIVE_Y.mean()))
    assert constant.nmse == 1.0
    assert constant.mae != 1.0


def test_erratum_e_345_r2_below_zero():
    """0 ≤ R² ≤ 1 holds for least squares on its own rows; the same line on other rows may have any R² up to 1."""
    w, b = np.polyfit(FIVE_X, FIVE_Y, 1)
    assert 0 <= regression_errors(FIVE_Y, b + w * FIVE_X).r2 <= 1
    assert regression_errors([0.0, 1.0, 2.0], b + w * np.array([20.0, 10.0, 0.0])).r2 < 0


def test_e_345_r2_of_a_line_through_the_origin():
    """With a = 0 the text compares with 0 instead of ȳ: 1 − Σr²/Σy² = (x·y)²/(x·x)(y·y) for least squares."""
    w = FIVE_X @ FIVE_Y / (FIVE_X @ FIVE_X)
    errors = regression_errors(FIVE_Y, w * FIVE_X)
    cosine = (FIVE_X @ FIVE_Y) ** 2 / ((FIVE_X @ FIVE_X) * (FIVE_Y @ FIVE_Y))
    assert errors.r2_without_intercept == pytest.approx(cosine, rel=1e-13)
    assert errors.r2 < 0 < errors.r2_without_intercept


def test_a_04_the_loss_decides_the_threshold():
    """A miss that costs ten false alarms: with calibrated probabilities the cheapest threshold lies at 1/11.

    Rows: for each p = 1/22, 3/22, …, 21/22 twenty-two rows, of which 22·p are ill."""
    p = np.arange(1, 22, 2) / 22
    score, y = np.repeat(p, 22), np.concatenate([np.arange(22) < k for k in range(1, 22, 2)])
    point = roc(y, score).cheapest(cost_fp=1, cost_fn=10)
    assert 1 / 22 < point.threshold <= 3 / 22
    assert point.threshold == pytest.approx(1 / 11, rel=1e-14)
    table = confusion(y, score >= point.threshold)
    assert table.cost([[0, 1], [10, 0]]) == pytest.approx(point.expected_cost, rel=1e-13)
    assert all(table.cost([[0, 1], [10, 0]]) <= confusion(y, score >= t).cost([[0, 1], [10, 0]]) for t in p)


def test_e_01_two_hypotheses_on_samples_of_their_own():
    """Errors .3 and .2 on two samples of 100: Z = 1.64399 < 1.645, not rejected at 5 %, one-sided."""
    found = compare({"h1": (30, 100), "h2": (20, 100)}, test="z", alternative="greater")
    assert found.estimate == pytest.approx(0.1, rel=1e-14)
    assert found.statistic == pytest.approx(1.64399, abs=5e-6)
    assert found.statistic < ndtri(0.95)
    assert not found.significant
    assert found.broken == ()


def test_e_06_variance_and_interval():
    """The erratum: .21/100 + .16/100 = .0037, not .037. Standard deviation .060828, one-sided p .050089, 95 % interval."""
    found = compare({"h1": (30, 100), "h2": (20, 100)}, test="z", alternative="greater")
    assert found.variance == pytest.approx(0.0037, rel=1e-14)
    assert found.standard_error == pytest.approx(0.060828, abs=5e-7)
    assert found.p_value == pytest.approx(0.050089, abs=5e-7)
    assert found.interval == pytest.approx((-0.01922, 0.21922), abs=5e-6)


def test_e_64_paired_folds():
    """δ̄ ± t_{α/2,k−1}·√(Σ(δ − δ̄)²/k(k − 1)), of test folds of at least 30 rows; and the erratum: the folds share training
    rows, so the interval is too narrow, and the corrected one beside it is wider."""
    errors = {"A": [0.2, 0.25, 0.15, 0.3, 0.2], "B": [0.1, 0.2, 0.15, 0.15, 0.2]}
    course, corrected = (
        compare(errors, test=test, n_test=40, n_train=160, more_is_better=False) for test in ("paired_t", "corrected_t")
    )
    delta = np.subtract(errors["A"], errors["B"])
    half = 2.776445 * np.sqrt(((delta - delta.mean()) ** 2).sum() / 20)  # t of 4 degrees of freedom at 2.5 %
    assert course.interval == pytest.approx((delta.mean() - half, delta.mean() + half), rel=1e-6)
    assert course.broken == ("separate_training",)
    assert corrected.broken == ()
    assert corrected.interval[0] < course.interval[0] < course.interval[1] < corrected.interval[1]
    assert "test_rows" in compare(errors, test="paired_t", n_test=29, n_train=116).broken
