"""Balls and ellipses: the border is R(w) = c, the ellipse has one loss, and they touch where the learners end."""

import numpy as np
import pytest
from matplotlib.colors import to_rgba

from aprendiz import LinearRegression
from aprendiz.plots import PenaltyDisplay, penalty
from aprendiz.plots.penalty_display import RHO, example
from aprendiz.plots.shared.style import VERMILION

RNG = np.random.default_rng(6)
X = RNG.normal(size=(50, 2)) @ [[1.0, 0.6], [0.0, 0.8]] + 3
Y = X @ [-1.5, 0.7] + RNG.normal(size=50)
SIZES = {
    "lasso": lambda w: np.abs(w).sum(axis=-1),
    "ridge": lambda w: (w**2).sum(axis=-1),
    "elastic net": lambda w: RHO * np.abs(w).sum(axis=-1) + 0.5 * (1 - RHO) * (w**2).sum(axis=-1),
}


def error(X, y, W):
    """Mean squared error of each w, with its best intercept."""
    Z, c = X - X.mean(axis=0), y - y.mean()
    return ((c - W @ Z.T) ** 2).mean(axis=1)


@pytest.mark.parametrize("kind", SIZES)
@pytest.mark.parametrize("data", [example(), (X, Y)], ids=["example", "data"])
def test_the_ellipse_touches_the_ball(kind, data):
    """R is c on the border, the loss is that of the answer on the ellipse, and nothing inside the ball has less."""
    table, y = data
    display = PenaltyDisplay(table, y)
    ball, c, w = display.ball(kind), display.budgets[kind], display.found[kind]
    np.testing.assert_allclose(SIZES[kind](ball), c, rtol=1e-12)
    assert SIZES[kind](w) == pytest.approx(c, rel=1e-9)
    least = error(table, y, w[None])[0]
    assert error(table, y, ball).min() >= least * (1 - 1e-9)
    level = (w - display.free) @ display.curvature @ (w - display.free)
    np.testing.assert_allclose(error(table, y, display.ellipse(level)), least, rtol=1e-9)
    assert SIZES[kind](display.ellipse(level)).min() == pytest.approx(c, rel=1e-3)
    np.testing.assert_allclose(np.abs(ball).max(axis=0), display.reach, rtol=1e-12)


def test_the_example_shows_a_zero():
    """In the example the lasso ends in a corner, the two others do not."""
    found = PenaltyDisplay().found
    assert found["lasso"][0] == 0
    assert (np.abs(np.r_[found["ridge"], found["elastic net"]]) > 0.1).all()


def test_what_is_drawn():
    """Three axes with equal scales; in each the answer is marked, and the ellipse that touches has its colour."""
    display = penalty(X, Y, reach=0.4)
    assert display.reach == 0.4
    np.testing.assert_allclose(display.free, LinearRegression().fit(X, Y).coef_)
    for ax, w in zip(display.ax_, display.found.values(), strict=True):
        marks = [line.get_xydata()[0] for line in ax.lines if line.get_marker() == "o"]
        np.testing.assert_array_equal(marks, [w])
        assert sum(to_rgba(line.get_color()) == to_rgba(VERMILION) for line in ax.lines) == 2
        assert ax.get_aspect() == 1


def test_a_ball_that_holds_least_squares():
    """Then that is the answer of all three."""
    for w in PenaltyDisplay(X, Y, reach=9.0).found.values():
        np.testing.assert_allclose(w, LinearRegression().fit(X, Y).coef_, rtol=1e-9)
    penalty(X, Y, reach=9.0).figure_.canvas.draw()


def test_bad_input():
    """The refusal names what is wrong and the remedy."""
    with pytest.raises(ValueError, match="X and y belong together"):
        PenaltyDisplay(X)
    with pytest.raises(ValueError, match=r"X has shape \(50, 3\): a picture of penalties needs exactly 2 columns"):
        PenaltyDisplay(np.c_[X, Y], Y)
    with pytest.raises(ValueError, match="two columns that are not proportional"):
        PenaltyDisplay(np.c_[Y, 2 * Y], Y)
    with pytest.raises(ValueError, match="reach = -1 must be above 0"):
        PenaltyDisplay(X, Y, reach=-1)
