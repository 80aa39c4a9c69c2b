"""The worked examples of the course that bend a line: maps φ of the columns, and curves that are lines on another scale.

The same numbers stand, for the plain linear models, in test_linear_examples.py."""

import numpy as np
import pytest
from sklearn.compose import TransformedTargetRegressor
from sklearn.pipeline import make_pipeline

from aprendiz import BasisExpansion, CurveFit, LinearRegression, Ridge
from aprendiz.datasets import load

DENSITY, SPEED = load("traffic").columns.values()
X = DENSITY[:, None]
PHI = {"x": lambda T: T[:, 0], "x²": lambda T: T[:, 0] ** 2, "√x": lambda T: np.sqrt(T[:, 0])}  # of A-17


def printed(value, digits):
    """Equal to a number printed with so many decimals: half a unit of the last one."""
    return pytest.approx(value, abs=0.5000001 * 10.0**-digits, rel=0)


def roots(degree):
    """√speed as a polynomial of the density: a linear model of φ(x) with a transformed target."""
    model = make_pipeline(BasisExpansion(degree=degree, include_bias=False), LinearRegression())
    return TransformedTargetRegressor(model, func=np.sqrt, inverse_func=np.square).fit(X, SPEED)


def test_a_17_a_map_of_ones_own():
    """φ(x) = (x, x², √x), w = (1, 1, 2): 4 at x = 1, 24 at x = 4; the new columns keep their names."""
    x = np.array([[1.0], [4.0]])
    phi = BasisExpansion(PHI).fit(x)
    assert list(phi.get_feature_names_out()) == ["x", "x²", "√x"]
    assert (phi.transform(x) @ [1.0, 1.0, 2.0]).tolist() == [4.0, 24.0]


def test_a_33_ridge_on_the_map():
    """φ of A-17 at x = 1, 4, targets 4, 24, γ = 1: w = (0.980769, 1.134615, 0.955128)."""
    model = make_pipeline(BasisExpansion(PHI), Ridge(1.0, fit_intercept=False)).fit([[1.0], [4.0]], [4.0, 24.0])
    assert model[-1].coef_.tolist() == [printed(0.980769, 6), printed(1.134615, 6), printed(0.955128, 6)]


def test_l_01_a_circle_is_a_plane():
    """Φ(x) = (x₁², x₂², √2·x₁x₂): Φ(1, 2)·Φ(3, 1) = 25 = (x·x')², and x₁² + x₂² = r² is (1, 1, 0)·Φ = r²."""
    phi = BasisExpansion(degree=(2, 2), include_bias=False)
    squares = phi.fit_transform(np.array([[1.0, 2.0], [3.0, 1.0]])) * [1.0, np.sqrt(2.0), 1.0]  # x₁², x₁x₂, x₂²
    assert list(phi.get_feature_names_out()) == ["x0^2", "x0 x1", "x1^2"]
    assert squares[0] @ squares[1] == pytest.approx(25.0, rel=1e-14)
    angle = np.linspace(0.0, 6.0, 9)
    circle = phi.transform(3.0 * np.column_stack([np.cos(angle), np.sin(angle)]))
    np.testing.assert_allclose(circle @ [1.0, 0.0, 1.0], 9.0, rtol=1e-14)


@pytest.mark.parametrize(
    ("degree", "coefficients", "digits", "r2"),
    [(1, [6.3797, -0.0278], [4, 4], 0.9687), (2, [7.0026, -0.0507, 0.000149], [4, 4, 6], 0.9931)],
)
def test_e_02_roots_of_the_speed(degree, coefficients, digits, r2):
    """√speed on density: 6.3797 − 0.0278·x, R² .9687; with density²: 7.0026 − 0.0507·x + 0.000149·x², R² .9931."""
    line = roots(degree).regressor_[-1]
    found = [line.intercept_, *line.coef_]
    assert found == [printed(value, places) for value, places in zip(coefficients, digits, strict=True)]
    assert roots(degree).regressor_.score(X, np.sqrt(SPEED)) == printed(r2, 4)


def test_e_05_the_scales_compared():
    """Raw speed: 38.1295 − 0.242465·density, R² .943815; residual sd of √speed .211508 and .102006; c = 1.48606e-4."""
    raw = CurveFit().fit(X, SPEED)
    assert raw.intercept_ == printed(38.1295, 4)
    assert raw.coef_[0] == printed(-0.242465, 6)
    assert raw.r2_ == printed(0.943815, 6)
    for degree, sd in ((1, 0.211508), (2, 0.102006)):
        left = np.sqrt(SPEED) - roots(degree).regressor_.predict(X)
        assert np.sqrt(left @ left / (len(left) - degree - 1)) == printed(sd, 6)
    assert roots(2).regressor_[-1].coef_[1] == printed(1.48606e-4, 9)


@pytest.mark.parametrize(
    ("family", "curve"),
    [
        ("exponential", lambda x: 2.0 * np.exp(-0.5 * x)),
        ("power", lambda x: 2.0 * x**-0.5),
        ("inverse", lambda x: 2.0 - 0.5 / x),
        ("logarithmic", lambda x: 2.0 - 0.5 * np.log(x)),
        ("logistic", lambda x: 1 / (1 + np.exp(-(2.0 - 0.5 * x)))),
    ],
)
def test_e_families_that_are_lines(family, curve):
    """The table of families: the parameters 2 and −0.5 come back from rows on the curve, a itself where y is logarithmic."""
    x = np.linspace(0.5, 6.0, 12)
    model = CurveFit(family).fit(x[:, None], curve(x))
    a = np.exp(model.intercept_) if family in ("exponential", "power") else model.intercept_
    assert [a, model.coef_[0]] == pytest.approx([2.0, -0.5], rel=1e-12)


def test_e_the_exponential_of_the_traffic():
    """y = a·e^bx explains the speed better than the line does, the least squares of the speed itself better still."""
    line, curve, refined = (
        CurveFit(f, refine=r).fit(X, SPEED) for f, r in (("linear", False), ("exponential", False), ("exponential", True))
    )
    assert line.r2_ < curve.r2_ < refined.r2_
    assert curve.linear_r2_ > refined.linear_r2_
