"""One epoch of stochastic gradient descent on a linear function: every row visited once, a step at each.

    F(w, b) = 1/n·Σ ω ℓ(t, y) + λ₁‖w‖₁ + ½λ₂‖w‖²,     t = b + xᵀw                                              (1)

    loss                         ℓ(t, y), with y = ±1 for classes and r = t − y for numbers
    hinge                        max(0, 1 − yt)
    squared_hinge                max(0, 1 − yt)²
    perceptron                   max(0, −yt)
    log_loss                     ln(1 + e^−yt)
    modified_huber               max(0, 1 − yt)²  where yt ≥ −1,  else −4yt
    squared_error                ½r²
    huber                        ½r²  where |r| ≤ ε,  else ε|r| − ½ε²
    epsilon_insensitive          max(0, |r| − ε)
    squared_epsilon_insensitive  max(0, |r| − ε)²

    step      b ← b − ηωℓ',     w ← (1 − ηλ₂)·w − ηωℓ'·x,     ℓ' = ∂ℓ/∂t                                       (2)
    η         constant η₀ · optimal 1/(1/η₁ + αt), η₁ = α^−¼ · invscaling η₀/(1 + t)^p · decreasing η₀·1000/(1000 + t)

with t the rows visited before. The passive-aggressive steps go as far as the row itself asks for, with η₀ in (1 − ηλ₂):

    pa1       min(η₀, ℓ/‖x‖²) instead of η in ηωℓ' · pa2  ℓ/(‖x‖² + 1/(2η₀))                                   (3)

for losses whose slope is ±1 wherever they are not 0, hinge and epsilon_insensitive.

w is kept as s·v, so that (1 − ηλ₂) costs one multiplication and a sparse row its own cells.
λ₁ is applied cumulatively: a coefficient owes the sum of all ηλ₁ so far, and pays before its column is used, but never beyond
zero. Losses whose slope is not bounded could run away on large rows; there ηω is at most the step to the minimum of the row
itself, 1/(ℓ''·‖(1, x)‖²). For sparse rows the step of b is a hundredth of (2): b moves at every row, a coefficient only where
its column is not zero, and long steps of b would undo each other. The sum of all (b, w), for averages, is kept without touching
every coefficient at every step:

    Σ s_t v_t = S·v − Σ S_k δ_k,     S = Σ s_t,     δ_k the change of v at a time when S was S_k               (4)

Cost: O(d) a row, or its cells that are not zero.
References: Bottou, "Large-scale machine learning with stochastic gradient descent", COMPSTAT 2010; Tsuruoka, Tsujii &
Ananiadou, "Stochastic gradient descent training for L1-regularized log-linear models", ACL 2009; Crammer, Dekel, Keshet,
Shalev-Shwartz & Singer, "Online passive-aggressive algorithms", JMLR 7, 2006.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array

HINGE, SQUARED_HINGE, PERCEPTRON, LOG, MODIFIED_HUBER, SQUARED, HUBER, TUBE, SQUARED_TUBE = range(9)
LOSSES = {
    "hinge": HINGE,
    "squared_hinge": SQUARED_HINGE,
    "perceptron": PERCEPTRON,
    "log_loss": LOG,
    "modified_huber": MODIFIED_HUBER,
    "squared_error": SQUARED,
    "huber": HUBER,
    "epsilon_insensitive": TUBE,
    "squared_epsilon_insensitive": SQUARED_TUBE,
}
CONSTANT, OPTIMAL, INVERSE, DECREASING, PA1, PA2 = range(6)
SCHEDULES = {
    "constant": CONSTANT,
    "adaptive": CONSTANT,
    "optimal": OPTIMAL,
    "invscaling": INVERSE,
    "decreasing": DECREASING,
    "pa1": PA1,
    "pa2": PA2,
}
THIN = 0.01  # the step of b for sparse rows, as a part of that for dense ones (scikit-learn's)
SMALLEST = 1e-3  # s below which it is multiplied into v: (4) subtracts numbers that are larger by 1/s


class StepRule(NamedTuple):
    """What is minimised, and with which steps: loss and ε, schedule, p and α of (2), λ₁ and λ₂, and whether there is a b."""

    loss: int
    epsilon: float
    schedule: int
    power: float
    alpha: float
    l1: float
    l2: float
    intercept: bool


# ---- losses and steps ------------------------------------------------------------------------------------------------


@compiled
def loss_at(loss: int, epsilon: float, t: float, y: float) -> tuple[float, float]:
    """ℓ and ℓ'."""
    if loss == LOG:
        z = y * t
        e = np.exp(-abs(z))
        return np.log1p(e) + max(-z, 0.0), -y * (e if z > 0 else 1.0) / (1.0 + e)
    if loss in (HINGE, PERCEPTRON):
        m = (1.0 if loss == HINGE else 0.0) - y * t
        return (m, -y) if m >= 0 else (0.0, 0.0)
    if loss == SQUARED_HINGE or (loss == MODIFIED_HUBER and y * t >= -1.0):
        m = max(0.0, 1.0 - y * t)
        return m * m, -2.0 * y * m
    if loss == MODIFIED_HUBER:
        return -4.0 * y * t, -4.0 * y
    r = t - y
    if loss == SQUARED or (loss == HUBER and abs(r) <= epsilon):
        return 0.5 * r * r, r
    side = 1.0 if r > 0 else -1.0
    if loss == HUBER:
        return epsilon * (abs(r) - 0.5 * epsilon), epsilon * side
    m = max(0.0, abs(r) - epsilon)
    if loss == TUBE:
        return m, side if m > 0 else 0.0
    return m * m, 2.0 * side * m


@compiled
def dual_at(loss: int, epsilon: float, a: float, y: float) -> float:
    """The number c of the line t ↦ c − a·t that touches ℓ from below, for a slope −a that ℓ has somewhere."""
    s = a * y
    if loss == HINGE:
        return s
    if loss == PERCEPTRON:
        return 0.0
    if loss == LOG:
        return -(s * np.log(max(s, 1e-300)) + (1.0 - s) * np.log(max(1.0 - s, 1e-300)))
    if loss in (SQUARED_HINGE, MODIFIED_HUBER):
        return s - 0.25 * s * s
    if loss in (SQUARED, HUBER):
        return s - 0.5 * a * a
    return s - epsilon * abs(a) - (0.25 * a * a if loss == SQUARED_TUBE else 0.0)


@compiled
def losses_and_slopes(loss: int, epsilon: float, T: Array, Y: Array, weight: Array, slopes: Array) -> Array:
    """Σ ωℓ of each column of scores; the slopes of its rows are written beside."""
    lost = np.zeros(T.shape[1])
    for i in range(T.shape[0]):
        for k in range(T.shape[1]):
            value, slopes[i, k] = loss_at(loss, epsilon, T[i, k], Y[i, k])
            lost[k] += weight[i] * value
    return lost


@compiled
def duals(loss: int, epsilon: float, A: Array, Y: Array, weight: Array) -> Array:
    """Σ ωc of each column, c of `dual_at`."""
    found = np.zeros(A.shape[1])
    for i in range(A.shape[0]):
        for k in range(A.shape[1]):
            found[k] += weight[i] * dual_at(loss, epsilon, A[i, k], Y[i, k])
    return found


@compiled(inner=True)
def step_size(rule: StepRule, eta0: float, visits: int) -> float:
    """η of (2), after so many visits."""
    if rule.schedule == OPTIMAL:
        return 1.0 / (rule.alpha**0.25 + rule.alpha * visits)
    if rule.schedule == INVERSE:
        return eta0 / (1.0 + visits) ** rule.power
    if rule.schedule == DECREASING:
        return eta0 * 1000.0 / (1000.0 + visits)
    return eta0


@compiled
def longest(loss: int, square: float) -> float:
    """The longest ηω that does not overshoot the minimum of the row itself, for losses that could run away."""
    if loss == SQUARED:
        return 1.0 / square
    if loss in (SQUARED_HINGE, SQUARED_TUBE):
        return 0.5 / square
    return np.inf


@compiled(inner=True)
def passive_step(rule: StepRule, eta: float, weight: float, value: float, x: Array) -> float:
    """What −ℓ' is multiplied by in (3), for the cells x of a row."""
    square = 0.0
    for cell in x:
        square += cell * cell
    if rule.schedule == PA2:
        return weight * value / (square + 0.5 / eta)
    return weight * min(eta, value / square) if square > 0.0 else 0.0


@compiled(inner=True)
def shrink(w: float, owed: float, spent: float) -> float:
    """A coefficient after it has paid what it owes, but not beyond zero."""
    if w > 0:
        return max(0.0, w - (owed + spent))
    return min(0.0, w + (owed - spent)) if w < 0 else w


@compiled(inner=True)
def settle(v: Array, lag: Array, total: Array, scale: float, S: float) -> None:
    """(4) added to the total, and s multiplied into v."""
    for j in range(len(v)):
        total[1 + j] += S * v[j] - lag[j]
        lag[j] = 0.0
        v[j] *= scale


# ---- epochs ----------------------------------------------------------------------------------------------------------


@compiled
def dense_epoch(
    X: Array, y: Array, weight: Array, order: Array, theta: Array, total: Array, spent: Array, owed: float, eta0: float,
    visits: int, average: float, rule: StepRule, passive: bool | None = None,
) -> tuple[float, float, int, int]:  # fmt: skip
    """Visit the rows of an array in order. θ, the total of all θ from visit `average` on and what was paid of λ₁ are changed in
    place; the sum of the losses, what is owed, the number of θ in the total and of rows that moved θ are returned.
    `passive` is given for (3) alone: without it, nothing of (3) is compiled."""
    loss, epsilon, l1, l2 = rule.loss, rule.epsilon, rule.l1, rule.l2
    d, v, b, one = X.shape[1], theta[1:], theta[0], 1.0 if rule.intercept else 0.0
    scale, S, lost, averaged, moved, lag = 1.0, 0.0, 0.0, 0, 0, np.zeros(X.shape[1])
    steep = longest(loss, 1.0) < np.inf
    for i in order:
        eta = step_size(rule, eta0, visits)
        visits += 1
        if weight[i] == 0.0:
            continue
        dot, square = 0.0, one
        for j in range(d):
            dot += v[j] * X[i, j]
        if steep:
            for j in range(d):
                square += X[i, j] * X[i, j]
        value, slope = loss_at(loss, epsilon, scale * dot + b, y[i])
        lost += weight[i] * value
        change = -min(eta * weight[i], longest(loss, max(square, 1e-300))) * slope
        if passive is not None:
            change = -passive_step(rule, eta, weight[i], value, X[i]) * slope
        shrunk = scale * max(0.0, 1.0 - eta * l2)
        if shrunk < SMALLEST:
            settle(v, lag, total, shrunk, S)
            shrunk, S = 1.0, 0.0
        scale, inverse = shrunk, 1.0 / shrunk
        if change != 0.0:
            moved += 1
            step = change * inverse
            for j in range(d):
                v[j] += step * X[i, j]
            if S > 0:
                for j in range(d):
                    lag[j] += S * step * X[i, j]
            b += one * change
        if l1 > 0:
            owed += eta * l1
            for j in range(d):
                w = scale * v[j]
                new = shrink(w, owed, spent[j])
                spent[j] += new - w
                lag[j] += S * (new * inverse - v[j])
                v[j] = new * inverse
        if visits >= average:
            averaged += 1
            S += scale
            total[0] += b
    settle(v, lag, total, scale, S)
    theta[0] = b
    return lost, owed, averaged, moved


@compiled(exact=True)  # licences would gather the coefficients into vectors, which is slower
def sparse_epoch(
    X: tuple[Array, Array, Array], y: Array, weight: Array, order: Array, theta: Array, total: Array, spent: Array,
    owed: float, eta0: float, visits: int, average: float, rule: StepRule, passive: bool | None = None,
) -> tuple[float, float, int, int]:  # fmt: skip
    """The same for rows in compressed form (cells, columns, starts): a column pays before it is used, and at the end."""
    cells, columns, starts = X
    loss, epsilon, l1, l2 = rule.loss, rule.epsilon, rule.l1, rule.l2
    v, b, one, steep = theta[1:], theta[0], 1.0 if rule.intercept else 0.0, longest(loss, 1.0) < np.inf
    scale, inverse, S, lost, averaged, moved, lag = 1.0, 1.0, 0.0, 0.0, 0, 0, np.zeros(len(theta) - 1)
    for i in order:
        eta = step_size(rule, eta0, visits)
        visits += 1
        if weight[i] == 0.0:
            continue
        dot, square = 0.0, one
        if l1 > 0:
            for k in range(starts[i], starts[i + 1]):
                j, w = columns[k], scale * v[columns[k]]
                new = shrink(w, owed, spent[j])
                spent[j] += new - w
                lag[j] += S * (new * inverse - v[j])
                v[j] = new * inverse
        for k in range(starts[i], starts[i + 1]):
            dot += v[columns[k]] * cells[k]
        if steep:
            for k in range(starts[i], starts[i + 1]):
                square += cells[k] * cells[k]
        value, slope = loss_at(loss, epsilon, scale * dot + b, y[i])
        lost += weight[i] * value
        change = -min(eta * weight[i], longest(loss, max(square, 1e-300))) * slope
        if passive is not None:
            change = -passive_step(rule, eta, weight[i], value, cells[starts[i] : starts[i + 1]]) * slope
        shrunk = scale * max(0.0, 1.0 - eta * l2)
        if shrunk < SMALLEST:
            settle(v, lag, total, shrunk, S)
            shrunk, S = 1.0, 0.0
        scale, inverse = shrunk, 1.0 / shrunk
        step, owed, moved = change * inverse, owed + eta * l1, moved + (change != 0.0)
        if change != 0.0:
            for k in range(starts[i], starts[i + 1]):
                v[columns[k]] += step * cells[k]
            if S > 0:
                for k in range(starts[i], starts[i + 1]):
                    lag[columns[k]] += S * step * cells[k]
        b += THIN * one * change
        if visits >= average:
            averaged += 1
            S += scale
            total[0] += b
    if l1 > 0:
        for j in range(len(v)):
            w = scale * v[j]
            new = shrink(w, owed, spent[j])
            spent[j] += new - w
            lag[j] += S * (new * inverse - v[j])
            v[j] = new * inverse
    settle(v, lag, total, scale, S)
    theta[0] = b
    return lost, owed, averaged, moved
