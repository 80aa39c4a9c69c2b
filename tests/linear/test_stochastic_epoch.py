"""One epoch of stochastic gradient descent agrees with the same steps in plain Python, for every loss, penalty and schedule."""

import itertools

import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import minimize_scalar

from aprendiz.core.sources.arrays import compress
from aprendiz.linear.solvers.stochastic_epoch import (
    LOSSES,
    SCHEDULES,
    StepRule,
    dense_epoch,
    dual_at,
    longest,
    loss_at,
    losses_and_slopes,
    sparse_epoch,
)

RNG = np.random.default_rng(0)
N, D = 60, 7
X = np.where(RNG.random((N, D)) < 0.6, RNG.normal(size=(N, D)), 0.0)
Y = np.where(RNG.random(N) < 0.5, 1.0, -1.0)
WEIGHT = RNG.integers(0, 4, N) / 2.0
ORDER = RNG.permutation(N)
NAMES = {number: name for name, number in LOSSES.items()}


def rule(loss="hinge", schedule="constant", l1=0.0, l2=0.0, epsilon=0.1, intercept=True, alpha=0.01):
    return StepRule(LOSSES[loss], epsilon, SCHEDULES[schedule], 0.3, alpha, l1, l2, intercept)


def plain_loss(loss, t, y, epsilon=0.1):
    """The table of losses."""
    m, r = 1 - y * t, t - y
    return {
        "hinge": max(0, m),
        "squared_hinge": max(0, m) ** 2,
        "perceptron": max(0, -y * t),
        "log_loss": np.log(1 + np.exp(-y * t)),
        "modified_huber": max(0, m) ** 2 if y * t >= -1 else -4 * y * t,
        "squared_error": r**2 / 2,
        "huber": r**2 / 2 if abs(r) <= epsilon else epsilon * abs(r) - epsilon**2 / 2,
        "epsilon_insensitive": max(0, abs(r) - epsilon),
        "squared_epsilon_insensitive": max(0, abs(r) - epsilon) ** 2,
    }[loss]


# ---- losses ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("y", [-1.0, 1.0])
def test_losses(loss, y):
    """The value is that of the table, the slope its derivative."""
    h = 1e-6
    for t in np.linspace(-3.013, 3.021, 57):  # no t is a kink
        value, slope = loss_at(LOSSES[loss], 0.1, t, y)
        assert value == pytest.approx(plain_loss(loss, t, y), rel=1e-12, abs=1e-15)
        rise = (plain_loss(loss, t + h, y) - plain_loss(loss, t - h, y)) / (2 * h)
        assert slope == pytest.approx(rise, rel=1e-7, abs=1e-8)


def test_far_away():
    """The logarithmic loss neither overflows nor loses its slope."""
    assert loss_at(LOSSES["log_loss"], 0.0, -1e4, 1.0) == (1e4, -1.0)
    value, slope = loss_at(LOSSES["log_loss"], 0.0, 40.0, 1.0)
    assert value == pytest.approx(np.exp(-40), rel=1e-12)
    assert slope == pytest.approx(-np.exp(-40), rel=1e-12)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("y", [-1.0, 1.0])
def test_lines_from_below(loss, y):
    """c − a·t is below ℓ everywhere, and touches it where the slope is −a; smaller a are allowed too."""
    grid = np.linspace(-4, 4, 401)
    for t in np.linspace(-3.013, 3.021, 25):
        value, slope = loss_at(LOSSES[loss], 0.1, t, y)
        c = dual_at(LOSSES[loss], 0.1, -slope, y)
        assert c + slope * t == pytest.approx(value, abs=1e-12)
        for share in (1.0, 0.5, 0.0):
            a = -share * slope
            line = dual_at(LOSSES[loss], 0.1, a, y) - a * grid
            assert all(below <= plain_loss(loss, u, y) + 1e-12 for u, below in zip(grid, line, strict=True))


def test_losses_of_a_table():
    """Sums by column, and slopes beside them."""
    T = RNG.normal(size=(9, 2))
    S, y, w = np.empty_like(T), np.where(RNG.random((9, 2)) < 0.5, 1.0, -1.0), RNG.random(9)
    lost = losses_and_slopes(LOSSES["log_loss"], 0.0, T, y, w, S)
    for k in range(2):
        pairs = [loss_at(LOSSES["log_loss"], 0.0, t, v) for t, v in zip(T[:, k], y[:, k], strict=True)]
        assert lost[k] == pytest.approx(sum(a * value for a, (value, _) in zip(w, pairs, strict=True)), rel=1e-12)
        assert S[:, k].tolist() == [slope for _, slope in pairs]


# ---- epochs ----------------------------------------------------------------------------------------------------------


def plain_epoch(the, eta0, visits, average, form="dense"):
    """(2) with every coefficient touched at every step, and every θ added to the total."""
    schedules = {v: k for k, v in SCHEDULES.items() if k != "adaptive"}
    w, b, total, spent, owed, lost = np.zeros(D), 0.0, np.zeros(1 + D), np.zeros(D), 0.0, 0.0
    for i in ORDER:
        eta = {
            "constant": eta0,
            "optimal": 1 / (the.alpha**0.25 + the.alpha * visits),
            "invscaling": eta0 / (1 + visits) ** the.power,
            "decreasing": eta0 * 1000 / (1000 + visits),
        }[schedules[the.schedule]]
        visits += 1
        if WEIGHT[i] == 0:
            continue
        t = b + X[i] @ w
        lost += WEIGHT[i] * plain_loss(NAMES[the.loss], t, Y[i])
        slope = loss_at(the.loss, the.epsilon, t, Y[i])[1]
        size = min(eta * WEIGHT[i], longest(the.loss, X[i] @ X[i] + the.intercept))
        w = max(0.0, 1 - eta * the.l2) * w - size * slope * X[i]
        b -= size * slope * the.intercept * (1.0 if form == "dense" else 0.01)
        owed += eta * the.l1
        paid = np.where(w > 0, np.maximum(0, w - (owed + spent)), np.where(w < 0, np.minimum(0, w + (owed - spent)), w))
        if the.l1:
            spent += paid - w
            w = paid
        if visits >= average:
            total += np.r_[b, w]
    return np.r_[b, w], total, lost


def ours(the, eta0, visits, average, form="dense"):
    theta, total, spent = np.zeros(1 + D), np.zeros(1 + D), np.zeros(D)
    cells = X if form == "dense" else compress(sparse.csr_matrix(X))
    epoch = dense_epoch if form == "dense" else sparse_epoch
    told = (Y, WEIGHT, ORDER, theta, total, spent, 0.0, eta0, visits, average)
    passive = (True,) if the.schedule >= SCHEDULES["pa1"] else ()
    lost, _, averaged, moved = epoch(cells, *told, the, *passive)
    return theta, total, lost, averaged, moved


@pytest.mark.parametrize("form", ["dense", "sparse"])
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("schedule", ["constant", "optimal", "invscaling", "decreasing"])
def test_epochs(loss, schedule, form):
    """Without penalty and with a squared one: θ, the sum of all θ, and the losses met."""
    for l2, intercept in itertools.product([0.0, 0.05], [True, False]):
        the = rule(loss, schedule, l2=l2, intercept=intercept)
        theta, total, lost = plain_epoch(the, 0.1, 17, 40, form)
        found = ours(the, 0.1, 17, 40, form)
        np.testing.assert_allclose(found[0], theta, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(found[1], total, rtol=1e-9, atol=1e-10)
        assert found[2] == pytest.approx(lost, rel=1e-10)
        assert found[3] == np.count_nonzero(WEIGHT[ORDER][40 - 18 :])


@pytest.mark.parametrize("loss", ["hinge", "log_loss", "squared_error"])
def test_absolute_penalty(loss):
    """Dense rows: every coefficient pays at every step, with averages and the squared penalty beside it."""
    for l2 in (0.0, 0.03):
        the = rule(loss, "invscaling", l1=0.02, l2=l2)
        theta, total, _ = plain_epoch(the, 0.1, 0, 1)
        found = ours(the, 0.1, 0, 1)
        np.testing.assert_allclose(found[0], theta, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(found[1], total, rtol=1e-9, atol=1e-10)
        assert (theta[1:] == 0).any() == (found[0][1:] == 0).any()


@pytest.mark.parametrize("loss", ["hinge", "log_loss", "squared_error"])
def test_late_payments(loss):
    """Sparse rows: a column that is absent for some rows pays for all of them when it is met, or at the end."""
    the = rule(loss, "invscaling", l1=0.02)
    np.testing.assert_allclose(
        ours(the, 0.1, 0, np.inf, "sparse")[0], plain_epoch(the, 0.1, 0, np.inf, "sparse")[0], rtol=1e-9, atol=1e-12
    )


@pytest.mark.parametrize("form", ["dense", "sparse"])
def test_strong_penalty(form):
    """A step that would turn the coefficients round sets them to zero first; s that shrinks without end is multiplied in."""
    for l2 in (30.0, 9.9):
        the = rule("hinge", "constant", l2=l2)
        theta, total, _ = plain_epoch(the, 0.1, 0, 1, form)
        found = ours(the, 0.1, 0, 1, form)
        np.testing.assert_allclose(found[0], theta, rtol=1e-9, atol=1e-15)
        np.testing.assert_allclose(found[1], total, rtol=1e-9, atol=1e-12)


def passive_aggressive_epoch(the, eta0, form):
    """θ after the rows in order, by the definition of the passive-aggressive steps, and how many rows moved it."""
    b, w, moved = 0.0, np.zeros(D), 0
    for i in ORDER:
        value = plain_loss(NAMES[the.loss], b + X[i] @ w, Y[i], the.epsilon)
        towards = Y[i] if NAMES[the.loss] == "hinge" else np.sign(Y[i] - b - X[i] @ w)
        square = X[i] @ X[i]
        size = min(eta0, value / square) if the.schedule == SCHEDULES["pa1"] else value / (square + 1 / (2 * eta0))
        moved += value > 0 and WEIGHT[i] > 0
        if WEIGHT[i] > 0:
            w = (1 - eta0 * the.l2) * w + WEIGHT[i] * size * towards * X[i]
            b += WEIGHT[i] * size * towards * the.intercept * (1.0 if form == "dense" else 0.01)
    return np.r_[b, w], moved


@pytest.mark.parametrize("form", ["dense", "sparse"])
@pytest.mark.parametrize("schedule", ["pa1", "pa2"])
@pytest.mark.parametrize("loss", ["hinge", "epsilon_insensitive"])
def test_passive_aggressive_steps(loss, schedule, form):
    """A step as long as the row asks for, but not beyond η₀, or shortened by it."""
    for l2, intercept, eta0 in itertools.product([0.0, 0.05], [True, False], [0.02, 5.0]):
        the = rule(loss, schedule, l2=l2, intercept=intercept)
        theta, moved = passive_aggressive_epoch(the, eta0, form)
        found = ours(the, eta0, 0, np.inf, form)
        np.testing.assert_allclose(found[0], theta, rtol=1e-9, atol=1e-12)
        assert found[4] == moved


@pytest.mark.parametrize("loss", ["squared_error", "squared_hinge", "squared_epsilon_insensitive"])
def test_steps_do_not_overshoot(loss):
    """However long the step is to be, t lands at the minimum of the row's own loss, not beyond it."""
    row, y = np.array([[30.0, -20.0, 5.0]]), np.array([-1.0])
    start = np.array([0.3, 0.2, -0.1, 0.4])
    theta = start.copy()
    told = (y, np.ones(1), np.arange(1), theta, np.zeros(4), np.zeros(3), 0.0, 1e6, 0, np.inf)
    dense_epoch(row, *told, rule(loss))
    t = theta[0] + row[0] @ theta[1:]
    assert plain_loss(loss, t, -1.0) == pytest.approx(0.0, abs=1e-20)
    best = minimize_scalar(
        lambda s: plain_loss(loss, start[0] + row[0] @ start[1:] + s, -1.0), bounds=(-50, 50), method="bounded"
    )
    assert best.fun <= 1e-9
