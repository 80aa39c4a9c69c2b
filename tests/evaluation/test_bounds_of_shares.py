"""Bounds of a share from held-out rows: they cover what they say they cover, and their inverses are inverse."""

import time

import numpy as np
import pytest
from scipy.special import ndtri
from scipy.stats import beta, binom

from aprendiz.evaluation.bounds import clopper_pearson, empirical_bernstein, hoeffding, wilson
from aprendiz.evaluation.bounds.clopper_pearson import chernoff
from aprendiz.evaluation.bounds.shares.share_bound import fewest_rows

BOUNDS = [hoeffding, clopper_pearson, wilson, empirical_bernstein]
GUARANTEED = [hoeffding, clopper_pearson, empirical_bernstein]
each = pytest.mark.parametrize("bound", BOUNDS, ids=lambda bound: bound.__name__)
guaranteed = pytest.mark.parametrize("bound", GUARANTEED, ids=lambda bound: bound.__name__)
SHARES = np.linspace(0.0, 1.0, 201)


def intervals(bound, n, delta):
    return np.array([bound(n, errors=k, delta=delta) for k in range(n + 1)])


def coverage(bound, n, delta):
    """The probability that the interval holds p, for each p of SHARES: a sum over the counts."""
    ends = intervals(bound, n, delta)
    counts = np.arange(n + 1)
    return np.array([binom.pmf(counts, n, p)[(ends[:, 0] <= p) & (p <= ends[:, 1])].sum() for p in SHARES])


# ---- coverage ----------------------------------------------------------------------------------------------------------


@guaranteed
@pytest.mark.parametrize("n", [2, 7, 30])
@pytest.mark.parametrize("delta", [0.05, 0.3])
def test_covers_at_least(bound, n, delta):
    """Enumerated over all counts, for every p."""
    assert coverage(bound, n, delta).min() >= 1 - delta - 1e-12


def test_clopper_pearson_is_no_wider_than_it_must_be():
    """Each end alone is exact at some p: moved inwards by a hair, it misses more than δ/2 there."""
    n, delta = 12, 0.1
    for k in range(n):
        high = clopper_pearson(n, errors=k, delta=delta)[1]
        assert binom.cdf(k, n, high) == pytest.approx(delta / 2, rel=1e-10)
        low = clopper_pearson(n, errors=n - k, delta=delta)[0]
        assert binom.sf(n - k - 1, n, low) == pytest.approx(delta / 2, rel=1e-10)


def test_wilson_covers_nearly():
    """Its mean coverage over p is near 1 − δ, and below it for some p, which it does not promise."""
    found = coverage(wilson, 30, 0.05)
    assert found.mean() == pytest.approx(0.95, abs=0.015)
    assert 0.8 < found[1:-1].min() < 0.95


def test_wilson_solves_its_equation():
    """(p̂ − p)² = z²·p(1 − p)/n at both ends."""
    z = -ndtri(0.025)
    for k in (0, 3, 20):
        for p in wilson(20, errors=k, delta=0.05):
            assert (k / 20 - p) ** 2 == pytest.approx(z**2 * p * (1 - p) / 20, abs=1e-14)


@each
def test_ends(bound):
    """They lie within 0 and 1 and around the share; none and all errors are mirror images."""
    ends = intervals(bound, 15, 0.05)
    share = np.arange(16) / 15
    assert (ends >= 0).all()
    assert (ends <= 1).all()
    assert (ends[:, 0] <= share + 1e-15).all()
    assert (ends[:, 1] >= share - 1e-15).all()
    assert ends[0, 0] == 0.0
    assert ends[-1, 1] == 1.0
    assert 1 - ends[::-1, ::-1] == pytest.approx(ends, abs=1e-12)


def test_bernstein_by_hand():
    """p̂ = 0.2 on 51 rows: V = 51/50·0.16, ln(3/δ) = L."""
    L = np.log(3 / 0.05)
    V = np.var(np.r_[np.ones(10), np.zeros(40)], ddof=1)
    low, high = empirical_bernstein(50, errors=10, delta=0.05)
    assert high - 0.2 == pytest.approx(np.sqrt(2 * V * L / 50) + 7 * L / (3 * 49), rel=1e-12)
    assert low == 0.0


# ---- inverses ----------------------------------------------------------------------------------------------------------


@each
@pytest.mark.parametrize(("n", "delta"), [(50, 0.05), (400, 0.001), (3000, 0.2)])
def test_eps_and_delta_are_inverse(bound, n, delta):
    """Whatever will be observed, and after a count: the ε of δ has the δ."""
    assert bound(n, eps=bound(n, delta=delta), errors=None) == pytest.approx(delta, rel=1e-7)
    k = n // 5
    low, high = bound(n, errors=k, delta=delta)
    eps = max(k / n - low, high - k / n)
    assert bound(n, eps=eps, errors=k) == pytest.approx(delta, rel=1e-7)


@each
@pytest.mark.parametrize("rate", [None, 0.0, 0.1, 0.5])
@pytest.mark.parametrize(("eps", "delta"), [(0.1, 0.05), (0.03, 0.2), (0.7, 0.01)])
def test_rows_are_the_fewest(bound, rate, eps, delta):
    """So many rows are enough, one less is not."""
    given = {} if rate is None or bound is hoeffding else {"rate": rate}
    n = bound(eps=eps, delta=delta, **given)
    assert bound(n, eps=eps, **given) <= delta
    assert n == 1 or bound(n - 1, eps=eps, **given) > delta


@each
def test_monotone(bound):
    """More rows or a larger δ: a smaller ε; a larger ε: a smaller δ."""
    by_rows = [bound(n, delta=0.05) for n in (10, 11, 12, 50, 500, 5000)]
    assert (np.diff(by_rows) < 0).all()
    by_delta = [bound(80, delta=delta) for delta in (1e-9, 0.01, 0.05, 0.5)]
    assert (np.diff(by_delta) < 0).all()
    by_eps = [bound(80, eps=eps) for eps in (0.05, 0.1, 0.2, 0.4)]
    assert (np.diff(by_eps) < 0).all()


@pytest.mark.parametrize("bound", [clopper_pearson, wilson])
@pytest.mark.parametrize("n", [3, 25, 120])
def test_the_worst_count(bound, n):
    """No count reaches further than the ε of n and δ, and some count comes close: by enumeration."""
    eps = bound(n, delta=0.05)
    share = np.arange(n + 1) / n
    reach = np.abs(intervals(bound, n, 0.05) - share[:, None]).max()
    assert reach <= eps * (1 + 1e-9)
    assert reach >= 0.9 * eps


# ---- large and small numbers -------------------------------------------------------------------------------------------


def test_clopper_pearson_of_ten_million_rows():
    """Instant, and what SciPy's distribution says; the tail of 10⁻¹² keeps its digits."""
    start = time.process_time()
    n, k = 10**7, 123_456
    low, high = clopper_pearson(n, errors=k, delta=0.05)
    clopper_pearson(n, delta=0.05)
    assert clopper_pearson(eps=1e-3, delta=0.05) > 10**5
    assert time.process_time() - start < 2.0
    assert low == pytest.approx(beta.ppf(0.025, k, n - k + 1), rel=1e-12)
    assert high == pytest.approx(beta.ppf(0.975, k + 1, n - k), rel=1e-12)
    assert clopper_pearson(n, errors=0, delta=1e-12)[1] == pytest.approx(-np.expm1(np.log(0.5e-12) / n), rel=1e-12)
    assert clopper_pearson(n, errors=n, delta=1e-12)[0] == pytest.approx(np.exp(np.log(0.5e-12) / n), rel=1e-14)


def test_known_values():
    """No error among n rows: 1 − (δ/2)^{1/n}, near 3.7/n; Hoeffding's own formula."""
    assert clopper_pearson(100, errors=0, delta=0.05) == (0.0, pytest.approx(1 - 0.025 ** (1 / 100), rel=1e-12))
    assert hoeffding(100, delta=0.05) == pytest.approx(np.sqrt(np.log(40) / 200), rel=1e-14)
    assert hoeffding(100, eps=0.1) == pytest.approx(2 * np.exp(-2), rel=1e-14)
    assert wilson(1000, delta=0.05) == pytest.approx(-ndtri(0.025) / (2 * np.sqrt(1000)), rel=1e-9)


# ---- refusals ----------------------------------------------------------------------------------------------------------


@each
def test_refusals(bound):
    with pytest.raises(ValueError, match=r"give two of them"):
        bound(100)
    with pytest.raises(ValueError, match=r"give two of them"):
        bound(100, eps=0.1, delta=0.05)
    for delta in (0.0, -0.1, 1.5, np.nan):
        with pytest.raises(ValueError, match="delta must be a probability"):
            bound(100, delta=delta)
    for eps in (0.0, -0.1, 1.5, np.nan):
        with pytest.raises(ValueError, match="eps must be"):
            bound(100, eps=eps)
    for n in (0, -5, 10.5, "ten", True):
        with pytest.raises(ValueError, match="n must be a whole number"):
            bound(n, delta=0.05)
    for errors in (-1, 101, 2.5):
        with pytest.raises(ValueError, match="errors must be a whole number from 0 to n = 100"):
            bound(100, errors=errors, delta=0.05)
    with pytest.raises(TypeError, match="delta must be a number"):
        bound(100, delta="0.05")
    with pytest.raises(ValueError, match="without n"):
        bound(errors=3, eps=0.1, delta=0.05)


def test_refusals_of_a_rate():
    with pytest.raises(ValueError, match="rate must be a share of errors"):
        wilson(eps=0.1, delta=0.05, rate=2)
    with pytest.raises(ValueError, match="the one or the other"):
        wilson(100, errors=3, delta=0.05, rate=0.2)
    with pytest.raises(ValueError, match=r"5e\+18 rows are not enough"):
        fewest_rows(lambda n: False)
    with pytest.raises(ValueError, match=r"n must be at most 1e\+12 for clopper_pearson"):
        clopper_pearson(10**13, delta=0.05)
    with pytest.raises(ValueError, match="nothing is promised"):
        wilson(10, delta=1.0)


def test_tiny_tails():
    """δ = 10⁻³⁰⁰, where SciPy has no quantile: the tail at the ends is δ/2 still."""
    for k in range(11):
        low, high = clopper_pearson(10, errors=k, delta=1e-300)
        assert 0 <= low <= k / 10 <= high <= 1
        if 0 < high < 1:
            assert binom.logcdf(k, 10, high) <= np.log(0.5e-300) + 1e-6


def test_tails_below_the_smallest_number():
    """Chernoff's exponent stands for them: no larger than the tail where both are numbers, and near it."""
    for n, rate, eps in ((1000, 0.1, 0.1), (4000, 0.0, 0.05), (500, 0.5, 0.3)):
        tail = clopper_pearson(n, rate=rate, eps=eps)
        bound = np.log(2) + chernoff(n, rate, eps)
        assert bound - 5 < np.log(tail) <= bound + 1e-9
    assert clopper_pearson(10**6, eps=0.3) == 0.0
