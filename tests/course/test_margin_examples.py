"""The worked examples of the course about margins: A-18 and A-26 on three points, and what its pages print wrongly."""

import numpy as np
import pytest
from sklearn import svm

from aprendiz import SVC, SVR

X, Y = np.array([[-1.0, -1.0], [-2.0, 1.0], [1.0, 0.0]]), np.array([-1, -1, 1])


def soft_objective(w, b, C=1.0):
    """½‖w‖² + C Σξ."""
    return 0.5 * w @ w + C * np.maximum(0.0, 1.0 - Y * (X @ w + b)).sum()


def test_a_18_margin_and_losses():
    """w = (1, 0), b = 0: margin 1. Hinge of w = (.25, −.5): 1.25, 0, .75. ε-insensitive (.25) of w = (1, 1): 0, 0, .75."""
    w = np.array([1.0, 0.0])
    assert (Y * (X @ w)).min() / np.linalg.norm(w) == 1.0
    hinge = np.maximum(0.0, 1.0 - Y * (X @ [0.25, -0.5]))
    assert hinge.tolist() == [1.25, 0.0, 0.75]
    tube = np.maximum(0.0, np.abs(np.array([-1.9, -1.0, 2.0]) - X @ [1.0, 1.0]) - 0.25)
    np.testing.assert_allclose(tube, [0.0, 0.0, 0.75], atol=1e-15)


def test_a_26_hard_margin():
    """w = (.8, .4), b = .2, margin √5/2, α = (.4, 0, .4); the smallest C is .4."""
    model = SVC(C=np.inf, kernel="linear", tol=1e-9).fit(X, Y)
    np.testing.assert_allclose(model.coef_, [[0.8, 0.4]], atol=1e-8)
    assert model.intercept_[0] == pytest.approx(0.2, abs=1e-8)
    assert model.margin_[0] == pytest.approx(np.sqrt(5) / 2, rel=1e-8)
    assert model.margin_width_[0] == pytest.approx(np.sqrt(5), rel=1e-8)
    assert model.support_.tolist() == model.margin_support_.tolist() == [0, 2]
    np.testing.assert_allclose(model.dual_coef_, [[-0.4, 0.4]], atol=1e-8)
    assert model.hard_margin_C_ == pytest.approx(0.4, rel=1e-8)


@pytest.mark.parametrize(("C", "hard"), [(0.39, False), (0.4, True), (1.0, True), (100.0, True)])
def test_a_26_smallest_price(C, hard):
    """C ≥ .4 gives the hard margin, less does not."""
    model = SVC(C=C, kernel="linear", tol=1e-9).fit(X, Y)
    assert np.allclose(model.coef_, [[0.8, 0.4]], atol=1e-6) == hard
    assert (1.0 / np.linalg.norm(model.coef_) > np.sqrt(5) / 2 + 1e-6) != hard


def test_a_26_soft_margin_of_the_text():
    """w = (.25, −.5) with C = 1 costs 2.15625; the best plane costs .4, and the ascent finds it too."""
    assert soft_objective(np.array([0.25, -0.5]), 0.0) == 2.15625
    for solver in ("blocks", "projected-gradient"):
        model = SVC(kernel="linear", tol=1e-9, solver=solver).fit(X, Y)
        assert soft_objective(model.coef_[0], model.intercept_[0]) == pytest.approx(0.4, abs=1e-6)
        assert model.certificate_.dual == pytest.approx(0.4, abs=1e-6)


def test_the_intercept_is_that_of_margin_vectors():
    """β₀ is the mean of y − wᵀx over the rows with 0 < α < C of both classes. Rows at α = C would give other numbers."""
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(60, 2))
    y = np.where(Z[:, 0] + 0.7 * rng.normal(size=60) > 0.3, 1, -1)
    model = SVC(kernel="linear", tol=1e-9).fit(Z, y)
    each = y - Z @ model.coef_[0]
    np.testing.assert_allclose(each[model.margin_support_], model.intercept_[0], atol=1e-7)
    assert set(y[model.margin_support_]) == {-1, 1}
    assert np.ptp(each[model.error_support_]) > 1.0


def test_the_intercept_without_margin_vectors():
    """One row of each class with a small C: both at α = C. The middle of the interval that optimality allows is taken."""
    model = SVC(C=0.1, kernel="linear").fit([[0.0], [1.0]], [-1, 1])
    assert model.coef_.tolist() == [[0.1]]
    assert len(model.margin_support_) == 0
    assert model.intercept_[0] == pytest.approx(-0.05)  # −1 ≤ −b and b + .1 ≤ 1: −1 ≤ b ≤ .9
    theirs = svm.SVC(C=0.1, kernel="linear").fit([[0.0], [1.0]], [-1, 1])
    assert model.intercept_[0] == pytest.approx(theirs.intercept_[0])


def test_the_sign_of_regression():
    """w = Σ(α − α*)x, with α for rows above the tube: the printed sign gives −w."""
    x = np.array([[0.0], [1.0], [2.0], [3.0]])
    ours, theirs = (cls(kernel="linear", C=10.0, tol=1e-9).fit(x, [0.0, 2.0, 4.0, 6.0]) for cls in (SVR, svm.SVR))
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-6)
    assert ours.coef_[0, 0] == pytest.approx((6.0 - 0.2) / 3, abs=1e-6)  # the flattest line in a tube of .1 on either side
    np.testing.assert_allclose(ours.dual_coef_ @ x[ours.support_], ours.coef_)
