"""The best cut of known distributions, and the bound on its error by means and deviations."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import integrate
from scipy.stats import norm

from aprendiz.linear import stoller_bound, theoretical_cut

quick = settings(max_examples=60, deadline=None, database=None, derandomize=True)
means, deviations = st.floats(-5, 5), st.floats(0.2, 4)


@quick
@given(means, deviations, means, deviations, st.floats(0.05, 0.95))
def test_no_cut_errs_less(m0, s0, m1, s1, p):
    """No threshold of a fine grid, in either orientation, errs less; nor does a constant rule."""
    cut = theoretical_cut(m0, s0, m1, s1, p)
    grid = np.linspace(-30, 30, 20_001)
    above = p * norm.cdf(grid, m1, s1) + (1 - p) * norm.cdf(-grid, -m0, s0)
    assert min(above.min(), (1 - above).min()) >= cut.error - 1e-12
    assert cut.error <= min(p, 1 - p) + 1e-12
    if np.isfinite(cut.threshold):
        here = p * norm.cdf(cut.threshold, m1, s1) + (1 - p) * norm.cdf(-cut.threshold, -m0, s0)
        assert cut.error == pytest.approx(here if cut.orientation > 0 else 1 - here, abs=1e-12)


@quick
@given(means, deviations, means, deviations, st.floats(0.05, 0.95))
def test_between_bayes_and_the_moments(m0, s0, m1, s1, p):
    """L* ≤ L ≤ 1/(1 + (m₀ − m₁)²/(s₀ + s₁)²), whatever p; L* is the integral of the lower density."""
    cut = theoretical_cut(m0, s0, m1, s1, p)
    x = np.linspace(-45, 45, 40_001)
    bayes = integrate.trapezoid(np.minimum(p * norm.pdf(x, m1, s1), (1 - p) * norm.pdf(x, m0, s0)), x)
    assert bayes - 1e-4 <= cut.error <= stoller_bound(m0, s0, m1, s1) + 1e-12


@quick
@given(means, means, deviations, st.floats(0.05, 0.95))
def test_equal_deviations(m0, m1, s, p):
    """Then the cut is Bayes' rule: (m₀ + m₁)/2 + s²·ln((1 − p)/p)/(m₁ − m₀)."""
    assume(abs(m1 - m0) > 0.1)
    cut = theoretical_cut(m0, s, m1, s, p)
    expected = (m0 + m1) / 2 + s**2 * np.log((1 - p) / p) / (m1 - m0)
    if np.isfinite(cut.threshold):
        assert cut.threshold == pytest.approx(expected, rel=1e-9, abs=1e-9)
        assert cut.orientation == np.sign(m1 - m0)


def test_ends_of_the_bound():
    """½ at a distance of s₀ + s₁; 1 where the means agree; 0 where nothing varies and they do not."""
    assert stoller_bound(0.0, 1.0, 2.0, 1.0) == 0.5
    assert stoller_bound(0.0, 1.0, 0.0, 3.0) == 1.0
    assert stoller_bound(0.0, 0.0, 1.0, 0.0) == 0.0


def test_same_classes():
    """Classes that agree are told apart by their probabilities alone."""
    cut = theoretical_cut(1.0, 2.0, 1.0, 2.0, 0.3)
    assert np.isinf(cut.threshold)
    assert (cut.orientation, cut.error) == (1, pytest.approx(0.3))
    assert theoretical_cut(1.0, 2.0, 1.0, 2.0, 0.8).orientation == -1


@pytest.mark.parametrize(
    ("arguments", "word"),
    [((0, -1.0, 1, 1), "s0"), ((0, 1.0, 1, np.nan), "s1"), ((0, 1.0, 1, 0.0), "s1"), ((0, 1, 1, 1, 0.0), "p must")],
)
def test_refused(arguments, word):
    """Deviations that are none, and probabilities that are certain."""
    with pytest.raises(ValueError, match=word):
        theoretical_cut(*arguments)
