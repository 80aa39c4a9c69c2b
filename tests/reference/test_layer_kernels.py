"""The compiled kernels of layered networks agree with plain NumPy: errors of the losses, steps of the optimizers, dropout."""

import numpy as np
import pytest
from scipy import special

from aprendiz.core.hashing import uniform
from aprendiz.core.random import stream_key
from aprendiz.neural.losses.classes import logistic_errors, softmax_errors
from aprendiz.neural.losses.numbers import NUMBER_LOSSES, number_errors
from aprendiz.neural.network.activations import relu_of_sums, relu_slope
from aprendiz.neural.network.dropout import drop_neurons
from aprendiz.neural.training.optimizers import adam_step, momentum_step

KINDS = [np.float64, np.float32]
RNG = np.random.default_rng(0)
V = np.concatenate([3 * RNG.normal(size=(12, 4)), [[800.0, -800.0, 0.0, 1.0], [-40.0, -40.0, -40.0, 2.0]]])
W = RNG.uniform(0, 2, len(V))
W[3] = 0.0
WEIGHTS = np.arange(20) < 15  # the other numbers are biases, which are not penalised
TIGHT = {np.float64: 1e-13, np.float32: 1e-5}


def near(found, expected, kind):
    scale = np.abs(expected).max()
    assert np.abs(found - expected).max() <= TIGHT[kind] * scale


@pytest.mark.parametrize("kind", KINDS)
def test_softmax_errors(kind):
    codes, outputs = np.arange(len(V)) % 4, V.astype(kind)
    there = np.eye(4)[codes]
    loss = softmax_errors(outputs, codes, W, 0.25)
    plain = V.astype(kind).astype(float)
    assert loss == pytest.approx(W @ (special.logsumexp(plain, axis=1) - plain[np.arange(len(V)), codes]), rel=TIGHT[kind])
    near(outputs, 0.25 * W[:, None] * (special.softmax(plain, axis=1) - there), kind)


def test_small_softmax_errors_keep_their_digits():
    """1 − o of a class that is nearly certain is what the others have, not a difference."""
    outputs = np.array([[50.0, 0.0, 1.0]])
    softmax_errors(outputs, np.array([0]), np.ones(1), 1.0)
    assert outputs[0, 0] == pytest.approx(-(np.exp(-50) + np.exp(-49)), rel=1e-14)


@pytest.mark.parametrize("kind", KINDS)
def test_logistic_errors(kind):
    outputs, there = V.astype(kind), RNG.integers(0, 2, V.shape).astype(float)
    plain = outputs.astype(float)
    loss = logistic_errors(outputs, there, W, 0.5)
    assert loss == pytest.approx(W @ (np.logaddexp(0, plain) - there * plain).sum(axis=1), rel=TIGHT[kind])
    near(outputs, 0.5 * W[:, None] * (special.expit(plain) - there), kind)


PLAIN = {  # loss and slope of each cell, with r = o − y
    "squared_error": (lambda v, y: (v - y) ** 2 / 2, lambda v, y: v - y),
    "absolute_error": (lambda v, y: abs(v - y), lambda v, y: np.sign(v - y)),
    "huber": (lambda v, y: special.huber(0.8, v - y), lambda v, y: np.clip(v - y, -0.8, 0.8)),
    "poisson": (lambda v, y: special.kl_div(y, np.exp(v)), lambda v, y: np.exp(v) - y),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", PLAIN)
def test_number_errors(name, kind):
    outputs = (V[:12] / 2).astype(kind)
    y, plain, w = RNG.integers(0, 3, outputs.shape).astype(float), outputs.astype(float), W[:12]
    loss = number_errors(outputs, y, w, 0.5, NUMBER_LOSSES[name], 0.8)
    cost, slope = PLAIN[name]
    assert loss == pytest.approx(w @ cost(plain, y).sum(axis=1), rel=TIGHT[kind])
    near(outputs, 0.5 * w[:, None] * slope(plain, y), kind)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("nesterov", [False, True])
def test_momentum_step(nesterov, kind):
    theta, g, v = (RNG.normal(size=20).astype(kind) for _ in range(3))
    step = 0.1 * (g + 0.3 * theta * WEIGHTS)
    moved = 0.9 * v - step
    expected = theta + (0.9 * moved - step if nesterov else moved)
    momentum_step(theta, g, v, WEIGHTS.sum(), kind(0.3), kind(0.1), kind(0.9), nesterov)
    near(theta, expected, kind)
    near(v, moved, kind)


@pytest.mark.parametrize("kind", KINDS)
def test_adam_step(kind):
    theta, g, m = (RNG.normal(size=20).astype(kind) for _ in range(3))
    s = RNG.uniform(0, 1, 20).astype(kind)
    slope = g + 0.3 * theta * WEIGHTS
    mean, square = 0.9 * m + 0.1 * slope, 0.99 * s + 0.01 * slope**2
    expected = theta - 0.05 * mean / (np.sqrt(square) + 1e-3)
    adam_step(theta, g, m, s, WEIGHTS.sum(), *map(kind, (0.3, 0.05, 0.9, 0.1, 0.99, 0.01, 1e-3)))
    for found, plain in ((theta, expected), (m, mean), (s, square)):
        near(found, plain, kind)


@pytest.mark.parametrize("kind", KINDS)
def test_relu(kind):
    """Of a sum, in one pass; its slope. What is no number stays so, and lets nothing through."""
    Z, b, D = V.astype(kind), np.array([0.5, -1.0, np.nan, 0.0], kind), RNG.normal(size=V.shape).astype(kind)
    expected = np.maximum(Z + b, 0)
    relu_of_sums(Z, b)
    assert np.array_equal(Z, expected, equal_nan=True)
    errors = D.copy()
    relu_slope(errors, Z)
    assert np.array_equal(errors, np.where(Z > 0, D, 0))


@pytest.mark.parametrize("kind", KINDS)
def test_drop_neurons(kind):
    """A cell is silent where the number of its row and column, among those of the stream, is below p."""
    H, numbers, key = np.ones((7, 5), kind), np.array([3, 1, 4, 1, 5, 9, 2], np.uint64), stream_key(11, -3)
    drop_neurons(H, numbers, key, 0.4, kind(1 / 0.6))
    with np.errstate(over="ignore"):
        places = [[key + row * np.uint64(5) + np.uint64(j) for j in range(5)] for row in numbers]
        expected = [[0.0 if uniform.py_func(one) < 0.4 else 1 / 0.6 for one in row] for row in places]
    near(H, np.array(expected), kind)
    assert np.array_equal(H[1], H[3])  # the same row
