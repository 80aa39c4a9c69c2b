"""Levenberg–Marquardt: known minima, starts from which Gauss–Newton alone would run away, and honest ends."""

import numpy as np
import pytest

from aprendiz.linear.losses.gradients import Gradients
from aprendiz.linear.solvers.levenberg_marquardt import MOST_PASSES, minimise


def squares(residuals, jacobian):
    """F, Jᵀr and JᵀJ at θ, of functions of θ; J is that of the model, so minus that of the residuals."""

    def at(theta):
        r, J = residuals(theta), jacobian(theta)
        return Gradients(float(r @ r), J.T @ r, J.T @ J)

    return at


def test_straight_lines():
    """Of a linear model the minimum is that of least squares."""
    rng = np.random.default_rng(0)
    J, y = rng.normal(size=(30, 3)), rng.normal(size=30)
    end = minimise(squares(lambda w: y - J @ w, lambda w: J), np.zeros(3), y @ y)
    np.testing.assert_allclose(end.theta, np.linalg.lstsq(J, y)[0], rtol=1e-10)
    assert end.settled
    assert end.slope < 1e-12


@pytest.mark.parametrize("start", [(-1.2, 1.0), (5.0, -3.0), (-10.0, 10.0)])
def test_rosenbrock(start):
    """The curved valley, r = (10(y − x²), 1 − x): the minimum is 0 at (1, 1), and the objective never rises on the way."""
    at = squares(lambda p: np.array([10 * (p[1] - p[0] ** 2), 1 - p[0]]), lambda p: np.array([[20 * p[0], -10.0], [1.0, 0.0]]))
    end = minimise(at, np.array(start), 1.0)
    np.testing.assert_allclose(end.theta, [1.0, 1.0], rtol=1e-9)
    assert end.settled
    assert (np.diff(end.log) <= 1e-12 * end.log[1:]).all()
    assert end.passes <= MOST_PASSES


def test_where_gauss_newton_runs_away():
    """arctan(θ) = 0 from θ = 3: an undamped step goes to −9, and then farther at each step."""
    at = squares(lambda p: -np.arctan(p), lambda p: np.array([[1 / (1 + p[0] ** 2)]]))
    end = minimise(at, np.array([3.0]), 1.0)
    assert abs(end.theta[0]) < 1e-10
    assert end.settled


def test_steps_beyond_the_numbers():
    """A step to where the objective is no number is not taken."""

    def residuals(p):
        with np.errstate(over="ignore"):
            return np.array([1.0 - np.exp(p[0] ** 3)])

    def jacobian(p):
        with np.errstate(over="ignore", invalid="ignore"):
            return np.array([[3 * p[0] ** 2 * np.exp(p[0] ** 3)]])

    end = minimise(squares(residuals, jacobian), np.array([-2.0]), 1.0)
    assert np.isfinite(end.theta).all()
    assert end.log[-1] <= end.log[0]


def test_no_minimum():
    """1 + e^−2θ falls for ever, towards 1: the passes end where no fall can be seen any more."""
    at = squares(lambda p: np.array([np.exp(-p[0]), 1.0]), lambda p: np.array([[np.exp(-p[0])], [0.0]]))
    end = minimise(at, np.array([0.0]), 1e-300)
    assert end.log[-1] == pytest.approx(1.0, abs=1e-12)
    assert end.passes < MOST_PASSES


def test_columns_that_say_nothing():
    """A parameter on which nothing depends stays where it is."""
    at = squares(lambda p: np.array([3.0 - p[0], 1.0]), lambda p: np.array([[1.0, 0.0], [0.0, 0.0]]))
    end = minimise(at, np.array([0.0, 7.0]), 1.0)
    np.testing.assert_allclose(end.theta, [3.0, 7.0], rtol=1e-10)
    assert end.settled
