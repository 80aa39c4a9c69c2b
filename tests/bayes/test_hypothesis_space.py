"""HypothesisSpace: every number against fractions, sums to one, order does not matter, thousands of examples."""

from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest

from aprendiz.bayes import HypothesisSpace

SETS = {"small": {1, 2}, "middle": {1, 2, 3, 4}, "other": {3, 4, 5}, "all": {1, 2, 3, 4, 5}}
WEIGHTS = {"small": 1, "middle": 4, "other": 2, "all": 1}
SPACE = HypothesisSpace(SETS, WEIGHTS)
COINS = {"fair": {"heads": 0.5, "tails": 0.5}, "bent": {"heads": 0.75, "tails": 0.25}, "two heads": {"heads": 1.0}}
EVERY = [data for size in range(4) for data in product(SPACE.universe, repeat=size)]


def exact(data):
    """Likelihood and evidence in rational numbers."""
    likelihood = {name: Fraction(all(x in members for x in data), len(members) ** len(data)) for name, members in SETS.items()}
    evidence = sum(likelihood[name] * Fraction(weight, 8) for name, weight in WEIGHTS.items())
    return likelihood, evidence


def test_every_data_set_against_fractions():
    """Likelihood, evidence, posterior, predictive, ML and MAP of all data sets of up to three examples."""
    for data in EVERY:
        likelihood, evidence = exact(data)
        assert SPACE.likelihood(data) == pytest.approx({name: float(p) for name, p in likelihood.items()}, rel=1e-13)
        assert SPACE.evidence(data) == pytest.approx(float(evidence), rel=1e-13)
        if not evidence:
            continue
        after = {name: likelihood[name] * Fraction(WEIGHTS[name], 8) / evidence for name in SETS}
        assert SPACE.posterior(data) == pytest.approx({name: float(p) for name, p in after.items()}, rel=1e-13)
        assert after[SPACE.map(data)] == max(after.values())
        assert likelihood[SPACE.ml(data)] == max(likelihood.values())
        expected = {x: sum(p / len(SETS[h]) for h, p in after.items() if x in SETS[h]) for x in SPACE.universe}
        assert SPACE.predictive(data) == pytest.approx({x: float(p) for x, p in expected.items()}, rel=1e-13)


@pytest.mark.parametrize("space", [SPACE, HypothesisSpace(COINS)], ids=["sets", "tables"])
@pytest.mark.parametrize("size", [0, 1, 2, 4])
def test_evidence_is_a_distribution_over_data_sets(space, size):
    """It sums to one over all data sets of a size: who allows many gives little to each."""
    total = sum(space.evidence(data) for data in product(space.universe, repeat=size))
    assert total == pytest.approx(1, rel=1e-12)


def test_evidence_is_a_chain_of_predictions():
    """P(x₁ x₂ x₃) = p(x₁)·p(x₂ | x₁)·p(x₃ | x₁ x₂)."""
    for data in EVERY:
        if SPACE.evidence(data):
            chain = np.prod([SPACE.predictive(data[:t])[x] for t, x in enumerate(data)])
            assert SPACE.evidence(data) == pytest.approx(chain, rel=1e-12)


def test_observing_in_pieces():
    """The posterior of one piece is the prior of the next, in any order; the space itself is not changed."""
    before = SPACE.prior
    for data in permutations([1, 2, 4]):
        after = SPACE.observe(data[:1]).observe(data[1:])
        assert after.prior == pytest.approx(SPACE.posterior([1, 2, 4]), rel=1e-12)
        assert after.predictive() == pytest.approx(SPACE.predictive([1, 2, 4]), rel=1e-12)
    assert SPACE.prior == before == pytest.approx({name: weight / 8 for name, weight in WEIGHTS.items()}, rel=1e-15)


def test_the_size_principle():
    """Among sets that hold the examples the odds of the smaller one grow by the ratio of the sizes with each example."""
    odds = [SPACE.posterior([1] * n)["small"] / SPACE.posterior([1] * n)["middle"] for n in range(6)]
    np.testing.assert_allclose(odds, [0.25 * 2.0**n for n in range(6)], rtol=1e-12)


def test_tables_of_probabilities():
    """Two heads: 0.25, 0.5625 and 1, each with prior 1/3; a tail refutes the coin with two heads."""
    space = HypothesisSpace(COINS)
    assert space.likelihood(["heads", "heads"]) == pytest.approx({"fair": 0.25, "bent": 0.5625, "two heads": 1.0})
    assert space.evidence(["heads", "heads"]) == pytest.approx((0.25 + 0.5625 + 1) / 3, rel=1e-14)
    assert (space.map(["heads"]), space.map(["heads", "tails"])) == ("two heads", "fair")
    assert space.posterior(["tails"])["two heads"] == 0


def test_a_set_is_a_uniform_table():
    tables = {name: {x: 1 / len(members) for x in members} for name, members in SETS.items()}
    again = HypothesisSpace(tables, list(WEIGHTS.values()))
    assert again.posterior([1, 3]) == pytest.approx(SPACE.posterior([1, 3]), rel=1e-13)


def test_ten_thousand_examples():
    """Every likelihood is below the smallest double; posterior and predictive are not."""
    space = HypothesisSpace({"two": {1, 2}, "again two": {1, 3}, "many": set(range(1, 10_001))}, [1, 3, 1e6])
    data = [1] * 10_000
    assert space.evidence(data) == 0
    assert space.posterior(data) == pytest.approx({"two": 0.25, "again two": 0.75, "many": 0.0}, rel=1e-9)
    assert space.predictive(data)[3] == pytest.approx(0.375, rel=1e-9)
    assert space.log_evidence(data) == pytest.approx(-10_000 * np.log(2) + np.log(4) - np.log(1e6 + 4), rel=1e-12)


def test_universe():
    """Sorted where that is possible, as given otherwise; things that no hypothesis allows may be in it."""
    assert HypothesisSpace({"a": {3, 1}, "b": {2}}).universe == (1, 2, 3)
    assert set(HypothesisSpace({"a": {3, "x"}}).universe) == {3, "x"}
    space = HypothesisSpace({"a": {1, 2}}, universe=range(5))
    assert space.predictive() == pytest.approx({0: 0, 1: 0.5, 2: 0.5, 3: 0, 4: 0})
    assert space.evidence([4]) == 0
    assert space.posterior(np.array([1, 2])) == {"a": 1}
    assert repr(space) == "<HypothesisSpace: 1 hypotheses about 5 things>"


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: HypothesisSpace({}), "There are no hypotheses"),
        (lambda: HypothesisSpace({"a": set()}), "Hypothesis 'a' is empty"),
        (lambda: HypothesisSpace({"a": {1: 0.5}}), "The probabilities of hypothesis 'a' sum to 0.5"),
        (lambda: HypothesisSpace({"a": {1: 1.5, 2: -0.5}}), "Hypothesis 'a' gives 1 the probability 1.5"),
        (lambda: HypothesisSpace({"a": {1}}, {"b": 1}), "'a' has no weight in the prior"),
        (lambda: HypothesisSpace({"a": {1}}, {"a": 1, "b": 1}), "'b' has a weight, but is no hypothesis"),
        (lambda: HypothesisSpace({"a": {1}}, [1, 2]), r"prior has shape \(2,\), there are 1 hypotheses"),
        (lambda: HypothesisSpace({"a": {1}}, [-1]), "prior holds -1 for hypothesis 0"),
        (lambda: HypothesisSpace({"a": {1}}, [0]), "prior gives every hypothesis the weight 0"),
        (lambda: HypothesisSpace({"a": {1}}, universe=[2]), "Hypothesis 'a' holds 1, which is not in the universe"),
        (lambda: SPACE.posterior([1, 9]), "Example 1 is 9, which is not in the universe"),
        (lambda: HypothesisSpace({"a": {1}, "b": {2}}).map([1, 1, 2]), "allows the examples up to number 2 together"),
        (lambda: HypothesisSpace({"a": {1}, "b": {2}}).ml([2, 1]), "allows the examples up to number 1 together"),
        (lambda: HypothesisSpace({"a": {1}, "b": {2}}, [1, 0]).posterior([2]), "No hypothesis with a prior above 0"),
    ],
)
def test_bad_input(call, words):
    """The refusal names hypothesis or example, and the remedy."""
    with pytest.raises(ValueError, match=words):
        call()


def test_lists_are_no_sets():
    with pytest.raises(TypeError, match="Hypothesis 'a' is a list: give a set of things"):
        HypothesisSpace({"a": [1, 2]})
