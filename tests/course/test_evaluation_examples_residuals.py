"""Worked examples of the course: what the residuals of the traffic table say (E-02, E-05), and uncorrelated columns."""

import numpy as np
import pytest

from aprendiz import LinearRegression
from aprendiz.datasets import load
from aprendiz.evaluation import describe, residuals

DENSITY, SPEED = load("traffic").columns.values()
LINE = np.asarray(DENSITY, dtype=float)[:, None]
ROOT = np.sqrt(np.asarray(SPEED, dtype=float))


def test_e_02_a_line_leaves_a_u():
    """√speed on density: R² .9687, and yet the residuals are a U. F of the square follows from the residual sds of E-05."""
    model = LinearRegression().fit(LINE, ROOT)
    found = residuals(model, LINE, ROOT)
    assert model.score(LINE, ROOT) == pytest.approx(0.9687, abs=5e-5)
    assert found.patterns[0].shape == "U"
    assert found.patterns[0].p_holm < 1e-6
    line, curve = 22 * 0.211508**2, 21 * 0.102006**2
    assert found.patterns[0].f == pytest.approx((line - curve) / (curve / 21), rel=1e-4)
    assert found.against_fitted.f == pytest.approx(found.patterns[0].f, rel=1e-8)  # one predictor: ŷ is a shift of it
    assert any("a term is missing" in one for one in found.findings())


def test_e_02_its_square_removes_it():
    """With density² R² is .9931 and no pattern is left."""
    X = np.column_stack([LINE, LINE**2])
    model = LinearRegression().fit(X, ROOT)
    found = residuals(model, X, ROOT)
    assert model.score(X, ROOT) == pytest.approx(0.9931, abs=5e-5)
    assert not found.bent
    assert found.against_fitted.p > 0.05
    assert found.reset[1] > 0.05
    assert found.findings() == []


def test_e_uncorrelated_is_not_independent():
    """x symmetric and y = x²: correlation 0, and one follows from the other."""
    x = np.array([-2.0, -1.0, 0.0, 1.0, 2.0])
    assert describe(np.column_stack([x, x**2])).correlation[0, 1] == 0.0
