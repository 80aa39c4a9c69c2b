"""The bounds of the best rule on n rows: their formulas, their inverses and what they refuse."""

from math import comb, exp, inf, log, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aprendiz.linear.diagnostics.deviation_bounds import (
    cut_bound,
    expected_cut_bound,
    expected_hyperplane_bound,
    hyperplane_bound,
    hyperplane_candidates,
    rows_for_cut,
    rows_for_hyperplane,
)

quick = settings(max_examples=60, deadline=None, database=None, derandomize=True)
differences, probabilities = st.floats(0.02, 1.0), st.floats(1e-6, 1.0)


@quick
@given(differences, probabilities, st.integers(1, 50))
def test_rows_for_cut(eps, delta, columns):
    """So many rows suffice for δ, and one row less does not."""
    n = rows_for_cut(eps, delta, columns)
    assert cut_bound(n, eps, columns) <= delta * (1 + 1e-12)
    assert n == 1 or cut_bound(n - 1, eps, columns) > delta * (1 - 1e-12)


@quick
@given(st.floats(0.05, 1.0), probabilities, st.integers(1, 8))
def test_rows_for_hyperplane(eps, delta, d):
    """So many rows suffice for δ, one row less does not, and none of the numbers below that does."""
    n = rows_for_hyperplane(d, eps, delta)
    assert hyperplane_bound(n, d, eps) <= delta * (1 + 1e-9)
    below = {n - 1, n // 2, n // 3, 2 * d + 1}
    assert all(hyperplane_bound(fewer, d, eps) > delta * (1 - 1e-9) for fewer in below if d <= fewer < n)


@quick
@given(st.integers(1, 3000), st.integers(1, 6), differences)
def test_hyperplane_formula(n, d, eps):
    """The formula in plain arithmetic, where it holds and does not overflow; infinite where it does not hold."""
    found = hyperplane_bound(n, d, eps)
    if n * eps < 2 * d:
        assert found == inf
    else:
        assert found == pytest.approx(exp(2 * d * eps) * (2 * comb(n, d) + 1) * exp(-n * eps**2 / 2), rel=1e-9)


def test_many_rows():
    """Above 10 000 rows C(n, d) comes from the gamma function: the bound goes on without a jump."""
    ratio = hyperplane_bound(10_001, 5, 0.1) / hyperplane_bound(9_999, 5, 0.1)
    assert ratio == pytest.approx(comb(10_001, 5) / comb(9_999, 5) * exp(-0.01), rel=1e-9)


def test_means():
    """√(2 ln(4e·d)/n) and √((2/n)((d + 1) ln n + 2d + 2))."""
    assert expected_cut_bound(50, 3) == pytest.approx(sqrt(2 * log(12 * exp(1)) / 50))
    assert expected_hyperplane_bound(50, 3) == pytest.approx(sqrt(2 / 50 * (4 * log(50) + 8)))
    assert hyperplane_candidates(5, 2) == 20


@pytest.mark.parametrize("eps", [0.0, -0.1, 1.1, float("nan")])
def test_bad_differences(eps):
    """Differences of errors are above 0 and at most 1."""
    for call in (lambda: cut_bound(10, eps), lambda: hyperplane_bound(10, 1, eps), lambda: rows_for_cut(eps, 0.1)):
        with pytest.raises(ValueError, match=f"eps.*{eps}"):
            call()


def test_bad_numbers():
    """Rows, columns and probabilities are named."""
    with pytest.raises(ValueError, match=r"rows.*got 0"):
        cut_bound(0, 0.1)
    with pytest.raises(ValueError, match=r"columns.*got 0"):
        hyperplane_bound(10, 0, 0.1)
    for delta in (0.0, 1.5):
        with pytest.raises(ValueError, match=f"delta.*{delta}"):
            rows_for_hyperplane(2, 0.1, delta)
