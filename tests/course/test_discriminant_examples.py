"""The worked examples of the course about cuts and hyperplanes of least error; numbers as the course prints them."""

import numpy as np
import pytest
from scipy import integrate
from scipy.stats import norm

from aprendiz import ERMHyperplane, StollerCut, hyperplane_erm, stoller_bound, stoller_erm, theoretical_cut
from aprendiz.linear.diagnostics.deviation_bounds import (
    cut_bound,
    expected_cut_bound,
    expected_hyperplane_bound,
    hyperplane_bound,
    hyperplane_candidates,
    rows_for_cut,
)


def printed(value, digits):
    """Equal to a number printed with so many decimals: half a unit of the last one."""
    return pytest.approx(value, abs=0.5000001 * 10.0**-digits, rel=0)


def test_d_07_stoller_cut_of_two_normal_classes():
    """N(0, 1) and N(2, 1), p = ½: the cut at 1 errs with L = L* = 0.158655; by the moments alone L ≤ 0.5 = min(p, 1 − p)."""
    cut = theoretical_cut(0.0, 1.0, 2.0, 1.0, p=0.5)
    bayes, _ = integrate.quad(lambda x: 0.5 * min(norm.pdf(x, 0, 1), norm.pdf(x, 2, 1)), -12, 14, points=[1.0])
    assert cut.threshold == pytest.approx(1.0)
    assert cut.orientation == 1
    assert cut.error == printed(0.158655, 6)
    assert bayes == pytest.approx(cut.error, rel=1e-9)
    assert stoller_bound(0.0, 1.0, 2.0, 1.0) == 0.5


def test_d_07_never_worse_than_the_more_frequent_class():
    """L ≤ min(p, 1 − p), and the empirical cut comes near the theoretical one."""
    for p in (0.01, 0.2, 0.5, 0.9):
        assert theoretical_cut(0.0, 1.0, 2.0, 1.0, p).error <= min(p, 1 - p)
    rng = np.random.default_rng(0)
    y = np.arange(20_000) % 2
    model = StollerCut().fit(rng.normal(2.0 * y)[:, None], y)
    true = 0.5 * norm.cdf(model.threshold_, 2) + 0.5 * norm.sf(model.threshold_)
    assert 0 <= true - norm.sf(1.0) < expected_cut_bound(20_000)


def test_d_08_cuts_of_a_thousand_rows():
    """4·exp(−nε²/2) = 0.026952 at ε = 0.1, the mean at most 0.069084; 877 rows for 0.05."""
    assert cut_bound(1000, 0.1) == printed(0.026952, 6)
    assert expected_cut_bound(1000) == printed(0.069084, 6)
    assert rows_for_cut(0.1, 0.05) == 877
    rng = np.random.default_rng(0)
    model = StollerCut().fit(rng.normal(size=(1000, 1)), np.arange(1000) % 2)
    assert (model.bound(0.1), model.expected_bound()) == (printed(0.026952, 6), printed(0.069084, 6))


def test_d_08_hyperplanes_of_a_thousand_rows():
    """d = 2: 999 000 candidates; P ≤ 0.004583 at ε = 0.2, the mean at most 0.231185."""
    assert hyperplane_candidates(1000, 2) == 999_000
    assert hyperplane_bound(1000, 2, 0.2) == printed(0.004583, 6)
    assert expected_hyperplane_bound(1000, 2) == printed(0.231185, 6)
    rng = np.random.default_rng(0)
    model = ERMHyperplane("all").fit(rng.normal(size=(1000, 2)), np.arange(1000) % 2)
    assert model.candidates_ == 999_000
    assert (model.bound(0.2), model.expected_bound()) == (printed(0.004583, 6), printed(0.231185, 6))


def test_d_08_by_their_public_names():
    """The same bounds as functions of n, d, ε and δ, and each of them inverted."""
    assert stoller_erm(1000, eps=0.1) == printed(0.026952, 6)
    assert stoller_erm(1000) == printed(0.069084, 6)
    assert stoller_erm(eps=0.1, delta=0.05) == 877
    assert hyperplane_erm(1000, d=2, eps=0.2) == printed(0.004583, 6)
    assert hyperplane_erm(1000, d=2) == printed(0.231185, 6)
    for bound in (stoller_erm, lambda n=None, **asked: hyperplane_erm(n, d=2, **asked)):
        rows = bound(eps=0.2, delta=0.05)
        assert bound(rows, eps=0.2) <= 0.05 < bound(rows - 1, eps=0.2)
        eps = bound(1000, delta=0.05)
        assert bound(1000, eps=eps) == pytest.approx(0.05, rel=1e-9)
    assert hyperplane_erm(10, d=2, delta=0.05) == np.inf
    for asked in ({"n": 10, "eps": 0.1, "delta": 0.1}, {}, {"eps": 0.1}):
        with pytest.raises(ValueError, match="stoller_erm got n="):
            stoller_erm(**asked)


def test_the_bound_of_the_best_projection():
    """inf over a of 1/(1 + (aᵀδ)²/(√(aᵀΣ₀a) + √(aᵀΣ₁a))²): no direction of many is below it, and the best one comes near."""
    rng = np.random.default_rng(3)
    for d in (2, 3):
        roots = rng.normal(size=(2, d, d))
        C0, C1 = (R @ R.T for R in roots)
        m0, m1 = rng.normal(size=(2, d))
        found = stoller_bound(m0, C0, m1, C1)
        a = rng.normal(size=(200_000, d))
        spread = [np.sqrt(np.einsum("ij,jk,ik->i", a, C, a)) for C in (C0, C1)]
        tried = 1 / (1 + (a @ (m0 - m1)) ** 2 / (spread[0] + spread[1]) ** 2)
        assert found <= tried.min() <= found + 1e-3
    assert stoller_bound([0.0], [[1.0]], [2.0], [[1.0]]) == pytest.approx(0.5, rel=1e-9)
    assert stoller_bound([0, 0], 1.0, [3, 4], 1.5) == pytest.approx(1 / (1 + 25 / 2.5**2), rel=1e-9)  # balls: along δ
    assert stoller_bound([0, 0], np.diag([1.0, 0.0]), [0, 1], np.diag([2.0, 0.0])) == 0.0  # a direction without spread
    assert stoller_bound([1, 2], 1.0, [1, 2], 1.0) == 1.0
    with pytest.raises(ValueError, match="s0 is not a covariance matrix"):
        stoller_bound([0, 0], [[1, 2], [2, 1]], [1, 1], np.eye(2))
    with pytest.raises(ValueError, match=r"s1 has shape \(3, 3\), the means have 2 columns"):
        stoller_bound([0, 0], np.eye(2), [1, 1], np.eye(3))
    with pytest.raises(ValueError, match="m0 has shape"):
        stoller_bound([0, 0], 1, 0, 1)


def test_d_09_and_d_10_what_a_cut_can_do():
    """The three atoms are cut with error ε/2 = 0.005, the four with ε = 0.1, where least squares errs on almost all."""
    three = StollerCut().fit([[-100.0], [1.0], [0.0]], [1, 1, 0], sample_weight=[0.005, 0.005, 0.99])
    four = StollerCut().fit([[1.0], [-1.0], [10.0], [-10.0]], [1, 0, 0, 1], sample_weight=[0.45, 0.45, 0.05, 0.05])
    assert three.error_ == pytest.approx(0.005)
    assert four.error_ == pytest.approx(0.1)
