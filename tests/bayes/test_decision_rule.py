"""DecisionRule: least risk, rejection and shifted priors, against exhaustive searches and Bayes' rule written out."""

import doctest

import numpy as np
import pytest
from scipy.stats import norm

from aprendiz import DecisionRule
from aprendiz.bayes import decision_rule

RNG = np.random.default_rng(4)
P3 = RNG.dirichlet([1.0, 1.0, 1.0], size=200)
LOSS = np.array([[0.0, 1.0, 4.0], [2.0, 0.0, 1.0], [9.0, 3.0, 0.5]])


def test_docstring():
    assert doctest.testmod(decision_rule).failed == 0


def test_without_a_loss_the_most_probable_class():
    """Also where two probabilities differ in their last digit, of which 1 − p knows nothing."""
    assert np.array_equal(DecisionRule().decide(P3), P3.argmax(axis=1))
    assert 1 - np.nextafter(0.375, 1) == 1 - 0.375
    assert DecisionRule().decide([[0.375, np.nextafter(0.375, 1), 0.25]]) == [1]
    assert np.array_equal(DecisionRule(1 - np.eye(3)).decide(P3), P3.argmax(axis=1))


def test_least_risk():
    """Risks are the sums of the definition, and no other decision has a lower one."""
    rule = DecisionRule(LOSS)
    risk = rule.risk(P3)
    for row in range(0, 200, 7):
        for l in range(3):
            assert risk[row, l] == pytest.approx(sum(P3[row, k] * LOSS[k, l] for k in range(3)))
    assert np.array_equal(risk[np.arange(200), rule.decide(P3)], risk.min(axis=1))
    assert rule.expected_risk(P3) == pytest.approx(risk.min(axis=1).mean())


def test_only_differences_of_a_row_of_the_loss_matter():
    """Adding a number to a row of the loss, the price of a truth, changes no decision; nor does another unit of money."""
    expected = DecisionRule(LOSS).decide(P3)
    assert np.array_equal(DecisionRule(LOSS + np.array([[5.0], [3.0], [0.5]])).decide(P3), expected)
    assert np.array_equal(DecisionRule(1000 * LOSS).decide(P3), expected)


@pytest.mark.parametrize("loss", [[[0, 1], [10, 0]], [[0, 3], [1, 0]], [[1, 2], [4, 1.5]], [[0, 0], [1, 0]]], ids=str)
def test_threshold_of_two_classes(loss):
    """The second class is decided above the threshold, the first below it."""
    rule = DecisionRule(loss)
    for p in np.linspace(0.001, 0.999, 500):
        if abs(p - rule.threshold) > 1e-9:
            assert rule.decide([[1 - p, p]])[0] == (p > rule.threshold)
    assert DecisionRule().threshold == 0.5


# ---- rejection -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("K", [2, 3, 7, 49])
def test_limits_of_rejection(K):
    """θ ≤ 1/K rejects nothing, not even where rounding leaves less than 1/K; θ = 1 every row that is not certain."""
    P = np.vstack([RNG.dirichlet(np.ones(K), size=50), np.full(K, 1 / K), np.eye(K)])
    P[-K - 1] *= 1 - 1e-15
    for theta in (0.0, 0.5 / K, 1 / K):
        assert (DecisionRule(reject_below=theta).decide(P) >= 0).all()
    assert np.array_equal(DecisionRule(reject_below=1.0).decide(P) >= 0, P.max(axis=1) == 1)


def test_more_is_rejected_as_the_threshold_rises():
    """A row that is rejected stays so, and the risk of the others falls."""
    before, least = np.zeros(200, dtype=bool), 1.0
    for theta in np.linspace(0.3, 0.95, 14):
        rule = DecisionRule(reject_below=theta)
        rejected = rule.decide(P3) < 0
        assert (before <= rejected).all()
        assert rule.expected_risk(P3) <= least + 1e-15
        before, least = rejected, rule.expected_risk(P3)
    assert np.isnan(DecisionRule(reject_below=1.0).expected_risk(P3))


def test_rejection_by_cost_is_one_more_decision():
    """With the price of a rejection as one more column of the loss, the least risk is the same (Chow's rule)."""
    wide = np.column_stack([LOSS, np.full(3, 0.8)])
    best = (P3 @ wide).argmin(axis=1)
    rule = DecisionRule(LOSS, reject_cost=0.8)
    assert np.array_equal(rule.decide(P3), np.where(best == 3, -1, best))
    assert 0 < np.mean(best == 3) < 1
    assert rule.expected_risk(P3) == pytest.approx((P3 @ wide).min(axis=1).mean())
    weight = RNG.integers(0, 3, size=200)
    assert rule.expected_risk(P3, weight) == pytest.approx(rule.expected_risk(np.repeat(P3, weight, axis=0)))


# ---- priors ----------------------------------------------------------------------------------------------------------------


def test_shifted_priors_are_bayes_rule():
    """Posteriors of known densities under old priors, shifted, are those under the new ones; shifting back undoes it."""
    x, old, new = np.linspace(-6, 8, 60), np.array([0.5, 0.3, 0.2]), np.array([0.05, 0.15, 0.8])
    f = np.column_stack([norm.pdf(x, m) for m in (0, 1, 3)])
    under = {name: f * prior / (f * prior).sum(axis=1, keepdims=True) for name, prior in (("old", old), ("new", new))}
    np.testing.assert_allclose(DecisionRule(priors=(old, new)).posterior(under["old"]), under["new"], rtol=1e-12)
    np.testing.assert_allclose(DecisionRule(priors=(new, old)).posterior(under["new"]), under["old"], rtol=1e-12)
    np.testing.assert_allclose(DecisionRule(priors=(old, old)).posterior(under["old"]), under["old"], rtol=1e-12)
    assert np.array_equal(DecisionRule(LOSS, priors=(old, new)).decide(under["old"]), DecisionRule(LOSS).decide(under["new"]))


def test_a_class_that_no_longer_comes():
    """A new prior of 0 rules a class out; a row that only this class explains is named."""
    rule = DecisionRule(priors=([0.5, 0.5], [0.0, 1.0]))
    np.testing.assert_array_equal(rule.posterior([[0.9, 0.1]]), [[0.0, 1.0]])
    with pytest.raises(ValueError, match="Row 1 has probability 0 in every class whose new prior is above 0"):
        rule.decide([[0.5, 0.5], [1.0, 0.0]])


# ---- bad input -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parameters", "P", "message"),
    [
        ({}, [[0.5, 0.6]], "row 0 of P add up to 1.1"),
        ({}, [[0.5, 0.5], [1.5, -0.5]], "P holds 1.5 in row 1, class 0"),
        ({}, [[0.5, np.nan]], "P holds nan in row 0, class 1"),
        ({}, [0.5, 0.5], "give what predict_proba returns"),
        ({}, [["a", "b"]], "give what predict_proba returns"),
        ({"loss": [[0, 1], [1, 0]]}, P3, "P has 3 classes, loss has 2"),
        ({"priors": ([0.5, 0.5], [0.4, 0.6])}, P3, "P has 3 classes, priors has 2"),
        ({"loss": [[0, np.inf], [1, 0]]}, P3, "loss holds inf in row 0, column 1"),
        ({"loss": [[0, 1, 2], [1, 0, 2]]}, P3, "loss must be a square table"),
        ({"loss": 3}, P3, "loss must be a square table"),
        ({"reject_below": -0.1}, P3, "reject_below must be a number between 0 and 1, got -0.1"),
        ({"reject_below": "high"}, P3, "reject_below must be a number between 0 and 1, got 'high'"),
        ({"reject_cost": float("nan")}, P3, "reject_cost must be a number between 0 and inf, got nan"),
        ({"loss": [[0, -1], [1, 0]]}, P3, "-1.0 in row 0, column 1: a cost is at least 0"),
        ({"reject_cost": -0.1}, P3, "reject_cost must be a number between 0 and inf, got -0.1"),
        ({"reject_cost": 0.1, "reject_below": 0.9}, P3, "two forms of one rule: give one"),
        ({"priors": [0.5, 0.3, 0.2]}, P3, "priors must be a pair"),
        (
            {"priors": ([0.5, 0.6], [0.5, 0.5])},
            P3,
            r"priors\[0\] must hold a number of at least 0 for each class, with the sum 1",
        ),
        ({"priors": ([1.0, 0.0, 0.0], [0.5, 0.3, 0.2])}, P3, "old prior of class 1 is 0"),
    ],
    ids=lambda value: str(value)[:40] if isinstance(value, dict) else "",
)
def test_refused(parameters, P, message):
    """The row, the class or the parameter is named, with the remedy."""
    with pytest.raises(ValueError, match=message):
        DecisionRule(**parameters).decide(P)


def test_no_threshold():
    """More than two classes, and losses for which errors are no worse than right decisions."""
    with pytest.raises(ValueError, match="two classes, the loss has 3"):
        _ = DecisionRule(LOSS).threshold
    for loss in ([[1, 0], [1, 0]], [[0, 0], [0, 0]]):
        with pytest.raises(ValueError, match="There is no threshold"):
            _ = DecisionRule(loss).threshold
