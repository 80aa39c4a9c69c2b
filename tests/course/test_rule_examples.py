"""The worked examples of the course about finite tables, Bayes' rule and hypothesis spaces; numbers as the course has them."""

from fractions import Fraction

import pytest

from aprendiz.bayes import HypothesisSpace, JointTable, posterior, rule
from aprendiz.datasets import load

SEEN = [16, 8, 2, 64]
SICK, RARE = (0.9, 0.05), (0.01, 0.99)  # P(+ | sick), P(+ | healthy); P(sick), P(healthy)


def printed(value, digits):
    """Equal to a number printed with so many decimals: half a unit of the last one."""
    return pytest.approx(value, abs=0.5000001 * 10.0**-digits, rel=0)


@pytest.fixture
def game():
    given = load("number_game")
    return HypothesisSpace(given.sets, given.weights, universe=range(1, 101))


def test_a_01_eyes_and_hair():
    """p(brown) = 15/45, p(brown, blond) = 10/45, p(brown | blond) = 10/30: eyes and hair are independent."""
    given = load("eyes_hair")
    table = JointTable(given.values.astype(int), {"eyes": given.rows, "hair": given.columns})
    assert table.joint({"eyes": "brown"}) == pytest.approx(15 / 45, rel=1e-15)
    assert table.joint({"eyes": "brown", "hair": "blond"}) == pytest.approx(10 / 45, rel=1e-15)
    assert table.conditional({"eyes": "brown"}, given={"hair": "blond"}) == pytest.approx(10 / 30, rel=1e-15)
    assert table.independent("eyes", "hair")


@pytest.mark.parametrize(("prior", "wanted"), [(0.5, 0.947368), (0.01, 0.153846)])
def test_a_02_a_positive_test(prior, wanted):
    """P(sick | +) with half of the people sick, and with one in a hundred; the text rounds to 0.95 and 0.15."""
    assert posterior([prior, 1 - prior], SICK)[0] == printed(wanted, 6)


def test_a_03_a_better_test_or_more_tests():
    """At least 90 % of the positives are sick: a rate of 0.0010101, or 2.34999 → 3 tests; the text rounds to 10⁻³ and 2.3."""
    rate = rule.false_positive_rate_for(0.01, 0.9, 0.9)
    assert rate == printed(0.0010101, 7)
    assert rate == pytest.approx(float(Fraction(9, 10) * Fraction(1, 99) * Fraction(1, 9)), rel=1e-13)
    needed = rule.tests_needed(0.01, *SICK, 0.9)
    assert needed.real == printed(2.34999, 5)
    assert needed.whole == 3


def test_a_24_one_positive_test_after_another():
    """P(sick | T positive tests) for T = 1, 2, 3, 4: the third is the first above 0.9."""
    found = rule.update(RARE, [SICK] * 4)[:, 0]
    assert list(found) == [printed(value, 6) for value in (0.153846, 0.765957, 0.983308, 0.999058)]
    assert (found >= 0.9).tolist() == [False, False, True, True]


def test_a_06_powers_of_two_or_even(game):
    """(1/6)⁴ and (1/50)⁴; 1 is not counted among the powers of two."""
    likelihood = game.likelihood(SEEN)
    assert likelihood["two"] == pytest.approx(7.7160e-4, rel=1e-5)
    assert likelihood["two"] == pytest.approx(6.0**-4, rel=1e-14)
    assert likelihood["even"] == pytest.approx(1.6e-7, rel=1e-14)


def test_a_09_two_models():
    """ML takes m1 and MAP m2: posteriors 5/14 and 9/14, evidence 0.014."""
    likelihood, prior = (0.05, 0.01), (0.1, 0.9)
    assert posterior(prior, likelihood).tolist() == pytest.approx([5 / 14, 9 / 14], rel=1e-14)
    assert rule.evidence(prior, likelihood) == pytest.approx(0.014, rel=1e-14)
    models = HypothesisSpace({"m1": {"D": 0.05, "other": 0.95}, "m2": {"D": 0.01, "other": 0.99}}, prior)
    assert (models.ml(["D"]), models.map(["D"])) == ("m1", "m2")
    assert models.posterior(["D"]) == pytest.approx({"m1": 5 / 14, "m2": 9 / 14}, rel=1e-14)
    assert models.evidence(["D"]) == pytest.approx(0.014, rel=1e-14)


def test_a_23_the_number_game(game):
    """Likelihoods, ML set, posterior, MAP set, predictive and evidence after 16, 8, 2, 64."""
    likelihood = {"two without 32": 1.6e-3, "two": 7.716049e-4, "two with 37": 4.164931e-4, "even": 1.6e-7}
    found = game.likelihood(SEEN)
    assert {name: found[name] for name in likelihood} == pytest.approx(likelihood, rel=1e-7)
    assert {name for name, value in found.items() if value > 0} == set(likelihood)
    assert game.ml(SEEN) == "two without 32"
    after = game.posterior(SEEN)
    for name, value in {"two": 0.973548, "two without 32": 0.020187, "two with 37": 0.005255, "even": 0.001009}.items():
        assert after[name] == printed(value, 6)
    assert game.map(SEEN) == "two"
    predictive = game.predictive(SEEN)
    assert predictive[2] == printed(0.167066, 6)
    assert predictive[32] == printed(0.163029, 6)
    assert predictive[37] == printed(7.5071e-4, 8)
    assert predictive[10] == printed(2.0187e-5, 9)
    assert game.evidence(SEEN) == printed(6.087326e-5, 11)


def test_a_23_before_the_examples(game):
    """The weights 0.1, 0.5, 0.5, 0.1, 0.1, 0.001, 0.001 are divided by their sum, 1.302."""
    assert game.prior["even"] == pytest.approx(0.5 / 1.302, rel=1e-14)
    assert game.prior["two with 37"] == pytest.approx(0.001 / 1.302, rel=1e-14)
    assert sum(game.prior.values()) == pytest.approx(1, rel=1e-14)
