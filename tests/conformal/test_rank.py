"""The rank of the conformal quantile in exact arithmetic, and what it guarantees."""

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from aprendiz.conformal.shared.rank import exact, fewest_rows, guarantee, rank, smallest

HUNDREDTHS = range(1, 100)


def test_rank_is_exact():
    """⌈(n + 1)·c⌉ in whole numbers, for every coverage of two digits; a product of doubles gives 8 for 0.07 · 100."""
    for n in (0, 1, 9, 19, 24, 99, 199):
        for hundredths in HUNDREDTHS:
            assert rank(hundredths / 100, n) == -(-(n + 1) * hundredths // 100)
    assert np.ceil(0.07 * 100) == 8
    assert rank(np.float64(0.07), 99) == 7


@pytest.mark.parametrize("coverage", [0.5, 0.8, 0.9, 0.95, 0.99])
def test_fewest_rows(coverage):
    """One row less, and no calibration row will do."""
    n = fewest_rows(coverage)
    assert rank(coverage, n) <= n
    assert rank(coverage, n - 1) > n - 1


@pytest.mark.parametrize("ties", [False, True])
def test_every_order_of_the_rows(ties):
    """Of all orders of n + 1 scores, in exactly k/(n + 1) the last is at most the k-th smallest of the others; with ties, in at
    least as many."""
    scores = np.array([0.0, 0, 1, 1, 2, 3]) if ties else np.array([0.1, 0.4, 0.2, 0.9, 0.3, 0.7])
    n = len(scores) - 1
    for coverage in (0.2, 0.5, 0.6, 0.75, 0.9):
        k = rank(coverage, n)
        inside = [order[-1] <= smallest(np.array(order[:-1]), k) for order in permutations(scores)]
        share = Fraction(sum(map(int, inside)), len(inside))
        assert share >= Fraction(k, n + 1) if ties else share == Fraction(k, n + 1)
        assert Fraction(k, n + 1) >= exact(coverage) > Fraction(k - 1, n + 1)
        assert guarantee("split", coverage, [n]) == float(Fraction(k, n + 1))


def test_guarantees_of_folds():
    """(4) is the better one for single rows, (3) for few large folds; none for one model around the scores of others."""
    assert guarantee("plus", 0.9, [1] * 50) == pytest.approx(0.8)
    assert guarantee("plus", 0.9, [100] * 5) == pytest.approx(0.8 - 1.8 * 4 / 505)
    assert guarantee("plus", 0.9, [100, 100, 99]) == pytest.approx(0.8 - 1.8 * 2 / 302)
    assert guarantee("plus", 0.5, [3, 3]) == 0.0
    assert guarantee("base", 0.9, [100]) == 0.0


@pytest.mark.parametrize("coverage", [0, 1, 1.5, -0.1, "0.9", True, None, np.nan])
def test_refused(coverage):
    with pytest.raises(ValueError, match="must be a number between 0 and 1"):
        rank(coverage, 10)
