"""The worked examples of the course about bounds: Stoller's cut, hyperplanes through the rows, shattering (D-07, D-08,
M-02)."""

import numpy as np
import pytest

import aprendiz
from aprendiz.linear import theoretical_cut
from aprendiz.linear.diagnostics.deviation_bounds import hyperplane_candidates

bounds = aprendiz.evaluation.bounds


def test_d_07_the_best_cut_of_two_normal_classes():
    """N(0, 1) and N(2, 1), p = ½: L = 0.158655 and the bound of the moments 0.5; L never exceeds min(p, 1 − p)."""
    assert theoretical_cut(0, 1, 2, 1, p=0.5).error == pytest.approx(0.158655, abs=5e-7)
    assert bounds.stoller_bound(0, 1, 2, 1) == 0.5
    for p in (0.1, 0.3, 0.5):
        assert theoretical_cut(0, 1, 2, 1, p=p).error <= min(p, 1 - p)
        assert theoretical_cut(0, 1, 2, 1, p=p).error <= bounds.stoller_bound(0, 1, 2, 1)


def test_d_08_what_1000_rows_promise():
    """Cuts: 0.026952 at ε = 0.1, 0.069084 in the mean, 877 rows for δ = 0.05; hyperplanes of the plane: 999000 candidates,
    0.004583 at ε = 0.2, 0.231185 in the mean."""
    assert bounds.stoller_erm(1000, eps=0.1) == pytest.approx(0.026952, abs=5e-7)
    assert bounds.stoller_erm(1000) == pytest.approx(0.069084, abs=5e-7)
    assert bounds.stoller_erm(eps=0.1, delta=0.05) == 877
    assert hyperplane_candidates(1000, 2) == 999_000
    assert bounds.hyperplane_erm(1000, d=2, eps=0.2) == pytest.approx(0.004583, abs=5e-7)
    assert bounds.hyperplane_erm(1000, d=2) == pytest.approx(0.231185, abs=5e-7)


def test_m_02_labellings_that_a_line_makes():
    """Three points in general position 8 of 8, collinear ones 6 of 8, four corners 14 of 16: VC = 3."""
    three, line = bounds.shatters([[0, 0], [1, 0], [0, 1]]), bounds.shatters([[0, 0], [1, 1], [2, 2]])
    corners = bounds.shatters([[0, 0], [1, 0], [0, 1], [1, 1]])
    assert [(one.separable, one.labellings) for one in (three, line, corners)] == [(8, 8), (6, 8), (14, 16)]
    assert [bool(one) for one in (three, line, corners)] == [True, False, False]
    assert [one.general_position for one in (three, line, corners)] == [True, False, True]
    assert corners.separable == corners.cover
    assert bounds.vc_dimension("linear", 2) == 3
    assert not any(bounds.shatters(points) for points in np.random.default_rng(0).normal(size=(20, 4, 2)))
