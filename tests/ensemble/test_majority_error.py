"""Majority vote: the sum by exact fractions, ties, limits, and bad input."""

from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest

from aprendiz.ensemble import majority_error

TIES = {"coin": Fraction(1, 2), "wrong": Fraction(1), "right": Fraction(0)}


def exact(M, e, ties):
    """(1), with ties by what they count, in fractions."""
    e = Fraction(e)
    mass = [comb(M, j) * e**j * (1 - e) ** (M - j) for j in range(M + 1)]
    return float(sum(mass[j] for j in range(M + 1) if 2 * j > M) + (TIES[ties] * mass[M // 2] if M % 2 == 0 else 0))


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("M", [1, 2, 3, 4, 7, 20, 21])
def test_the_sum(M, ties):
    """The sum in rational numbers, to the last digits."""
    for e in (0.0, 1e-3, 0.3, 0.5, 0.6, 1.0):
        assert majority_error(M, e, ties=ties) == pytest.approx(exact(M, e, ties), rel=1e-12, abs=1e-300)


def test_every_vote_of_five():
    """All 2⁵ ways in which five members can be right or wrong."""
    found = sum(np.prod([0.2 if wrong else 0.8 for wrong in ways]) for ways in product([0, 1], repeat=5) if sum(ways) > 2)
    assert majority_error(5, 0.2) == pytest.approx(found, rel=1e-12)


def test_many_votes():
    """Ten thousand votes keep their digits: the sum term by term in decimals of fifty places, with e = p/100."""
    with localcontext(prec=50):
        for M, p in ((10_001, 49), (10_001, 40), (10_000, 45)):
            j = M // 2
            term = Decimal(comb(M, j)) * Decimal(p) ** j * Decimal(100 - p) ** (M - j) / Decimal(100) ** M
            found = term / 2 if M % 2 == 0 else Decimal(0)
            for more in range(j, M):
                term = term * (M - more) * p / ((more + 1) * (100 - p))
                found += term
            assert majority_error(M, p / 100) == pytest.approx(float(found), rel=1e-9)


def test_falls_below_a_half_and_rises_above():
    """With M, and a coin for ties: never up below ½, never down above, unchanged at ½; M and e are broadcast."""
    M = np.arange(1, 60)
    errors = majority_error(M, np.array([[0.1], [0.4], [0.5], [0.6], [0.9]]))
    assert errors.shape == (5, 59)
    assert (np.diff(errors[:2]) <= 1e-15).all()
    np.testing.assert_allclose(errors[2], 0.5, rtol=1e-12)
    assert (np.diff(errors[3:]) >= -1e-15).all()
    np.testing.assert_allclose(errors[0], 1 - errors[4], atol=1e-13)


def test_votes_that_are_drawn():
    """200 000 votes of seven members that err with probability 0.35."""
    wrong = (np.random.default_rng(0).random((200_000, 7)) < 0.35).sum(axis=1) > 3
    assert majority_error(7, 0.35) == pytest.approx(wrong.mean(), abs=4 * wrong.std() / np.sqrt(len(wrong)))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((0, 0.3), "M = 0 must be a whole number of at least 1"),
        (([3, -2], 0.3), "M = -2 must be a whole number"),
        ((2.5, 0.3), r"M = 2.5 must be a whole number"),
        ((3, 1.2), "e = 1.2 must lie between 0 and 1"),
        ((3, [0.1, np.nan]), "e = nan must lie between 0 and 1"),
    ],
)
def test_bad_input(arguments, words):
    """What is wrong is named."""
    with pytest.raises(ValueError, match=words):
        majority_error(*arguments)
    with pytest.raises(ValueError, match="ties='half' is not known: give one of 'coin', 'wrong', 'right'"):
        majority_error(3, 0.3, ties="half")
