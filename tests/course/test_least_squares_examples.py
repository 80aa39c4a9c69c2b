"""The worked examples of the course about least squares as a classifier: D-09, which it solves, and D-10, which it does not."""

import numpy as np
import pytest

from aprendiz import LeastSquaresClassifier, LinearDiscriminant, plane_criteria


def three_atoms(theta, eps):
    """Atoms (−θ, 1) and (1, 1) of weight ε/2, and (0, 0) of weight 1 − ε."""
    return np.array([[-theta], [1.0], [0.0]]), np.array([1, 1, 0]), np.array([eps / 2, eps / 2, 1 - eps])


def four_atoms(theta, eps):
    """Atoms (1, 1) and (−1, 0) of weight (1 − ε)/2, and (θ, 0) and (−θ, 1) of weight ε/2."""
    X, y = np.array([[1.0], [-1.0], [theta], [-theta]]), np.array([1, 0, 0, 1])
    return X, y, np.array([1 - eps, 1 - eps, eps, eps]) / 2


def error(wrong, weight):
    return float(weight[wrong].sum())


def best_error(X, y, weight):
    """The smallest error of any cut, either way round."""
    cuts = np.r_[-np.inf, (np.sort(X[:, 0])[1:] + np.sort(X[:, 0])[:-1]) / 2]
    rules = [(X[:, 0] > cut) == side for cut in cuts for side in (True, False)]
    return min(error(rule != (y == 1), weight) for rule in rules)


def test_d_09_the_coefficients():
    """a₁θ = −0.984828 and a₀/ε = 0.512510 for θ = 100, ε = 0.01."""
    X, y, weight = three_atoms(100.0, 0.01)
    model = LeastSquaresClassifier().fit(X, y, sample_weight=weight)
    assert model.coef_[0, 0] * 100 == pytest.approx(-0.984828, abs=5e-7)
    assert (model.intercept_[0] + 0.5) / 0.01 == pytest.approx(0.512510, abs=5e-7)


@pytest.mark.parametrize(("theta", "eps"), [(100.0, 0.01), (7.0, 0.3), (1e4, 1e-3)])
def test_d_09_the_equations(theta, eps):
    """2a₀ = 2ε − a₁ε(1 − θ) and (1 − θ) − a₁(1 + θ²) = a₀(1 − θ): the first as corrected."""
    X, y, weight = three_atoms(theta, eps)
    model = LeastSquaresClassifier().fit(X, y, sample_weight=weight)
    a1, a0 = model.coef_[0, 0], model.intercept_[0] + 0.5
    assert 2 * a0 == pytest.approx(2 * eps - a1 * eps * (1 - theta), rel=1e-11)
    assert (1 - theta) - a1 * (1 + theta**2) == pytest.approx(a0 * (1 - theta), rel=1e-9)


def test_d_09_the_errors():
    """Cut at 0, least squares errs with 0.995; cut at ½, with 0.005, which is the best of all cuts."""
    X, y, weight = three_atoms(100.0, 0.01)
    model = LeastSquaresClassifier().fit(X, y, sample_weight=weight)
    fitted = model.decision_function(X) + 0.5
    assert error((fitted > 0) != (y == 1), weight) == pytest.approx(0.995, abs=1e-12)
    assert error((fitted > 0.5) != (y == 1), weight) == pytest.approx(0.005, abs=1e-12)
    assert error(model.predict(X) != y, weight) == pytest.approx(0.005, abs=1e-12)
    assert best_error(X, y, weight) == pytest.approx(0.005, abs=1e-12)


@pytest.mark.parametrize("eps", [0.1, 0.01, 0.001])
def test_d_09_in_the_limit(eps):
    """As θ grows, a₁θ → −(1 − ε)/(1 − ε/2) and a₀ → (ε/2)/(1 − ε/2): about −1 and ε/2."""
    theta = 1e9
    X, y, weight = three_atoms(theta, eps)
    model = LeastSquaresClassifier().fit(X, y, sample_weight=weight)
    assert model.coef_[0, 0] * theta == pytest.approx(-(1 - eps) / (1 - eps / 2), rel=1e-6)
    assert model.intercept_[0] + 0.5 == pytest.approx((eps / 2) / (1 - eps / 2), rel=1e-4)


@pytest.mark.parametrize(("theta", "wrong"), [(100.0, 1 - 0.005), (300.0, 1 - 0.01)], ids=["θε < 2", "θε > 2"])
def test_d_09_cut_at_zero(theta, wrong):
    """Cut at 0, the error is 1 − ε/2 while a₀ + a₁ < 0, about θε < 2, and 1 − ε beyond."""
    X, y, weight = three_atoms(theta, 0.01)
    fitted = LeastSquaresClassifier().fit(X, y, sample_weight=weight).decision_function(X) + 0.5
    assert error((fitted > 0) != (y == 1), weight) == pytest.approx(wrong, abs=1e-12)


def test_d_10_the_coefficient_and_the_errors():
    """a₁ = −0.004587 for ε = 0.1, θ = 10: least squares errs with 0.9 where a cut errs with 0.1."""
    X, y, weight = four_atoms(10.0, 0.1)
    model = LeastSquaresClassifier().fit(X, y, sample_weight=weight)
    assert model.coef_[0, 0] == pytest.approx(-0.004587, abs=5e-7)
    assert error(model.predict(X) != y, weight) == pytest.approx(0.9, abs=1e-12)
    assert best_error(X, y, weight) == pytest.approx(0.1, abs=1e-12)


@pytest.mark.parametrize("eps", [0.3, 0.1, 0.01])
@pytest.mark.parametrize("side", [-1, 1], ids=["nearer", "farther"])
def test_d_10_where_the_sign_turns(eps, side):
    """a₁ is negative, and the error 1 − ε instead of ε, exactly where θ > (1 − ε)/ε."""
    theta = (1 - eps) / eps * (1 + 0.01 * side)
    X, y, weight = four_atoms(theta, eps)
    model = LeastSquaresClassifier().fit(X, y, sample_weight=weight)
    assert np.sign(model.coef_[0, 0]) == -side
    assert error(model.predict(X) != y, weight) == pytest.approx(1 - eps if side > 0 else eps, abs=1e-12)


def test_d_10_breaks_the_perceptron_criterion_too():
    """Least squares and perceptron take the cut that errs with 0.9; a steep sigmoid and the error itself the best one."""
    X, y, weight = four_atoms(10.0, 0.1)
    errors = {}
    for criterion in ("least_squares", "perceptron", "squared_sigmoid", "zero_one"):
        model = LinearDiscriminant(criterion, slope=100.0, random_state=0).fit(X, y, sample_weight=weight)
        errors[criterion] = model.criteria(X, y, weight)["zero_one"]
    assert errors == pytest.approx({"least_squares": 0.9, "perceptron": 0.9, "squared_sigmoid": 0.1, "zero_one": 0.1})
    good, bad = plane_criteria([1.0], 0.0, X, y, weight), plane_criteria([-1.0], 0.0, X, y, weight)
    assert bad["least_squares"] < good["least_squares"]
    assert bad["perceptron"] < good["perceptron"]
    assert good["squared_sigmoid"] < bad["squared_sigmoid"]
