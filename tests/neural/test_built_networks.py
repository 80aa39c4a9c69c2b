"""Networks that are built: their distance to the function beside what the construction promises."""

import importlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aprendiz.neural import monomial_network, polynomial_network, ridge_network, step_approximation, trigonometric_network

FINE = np.linspace(0, 1, 20_011)


@given(st.floats(0.02, 0.5), st.lists(st.floats(-3, 3), min_size=2, max_size=6))
def test_steps_keep_their_promise(error, slopes):
    """sup |f − g| ≤ ε with ⌈ρ/ε⌉ neurons, for any function of bounded slope: here one of straight pieces."""
    corners = np.linspace(0, 1, len(slopes) + 1)
    heights = np.concatenate([[0.0], np.cumsum(np.array(slopes) / len(slopes))])
    rho = max(1e-3, *map(abs, slopes))
    f = step_approximation(lambda x: np.interp(x, corners, heights), rho, error)
    assert rho / error * (1 - 1e-9) <= f.n_neurons < rho / error * (1 + 1e-9) + 1  # ⌈ρ/ε⌉, where rounding does not decide it
    assert np.abs(f(FINE) - np.interp(FINE, corners, heights)).max() <= f.error + 1e-3 * rho
    assert f.error <= error * (1 + 1e-9)
    assert f.n_parameters == 3 * f.n_neurons


def test_a_function_that_is_steeper_than_said_is_noticed():
    with pytest.raises(ValueError, match="moves faster than lipschitz=1"):
        step_approximation(lambda x: 5 * x, 1.0, 0.1)


@pytest.mark.parametrize("activation", ["logistic", "tanh", "softplus", "cos"])
def test_polynomials(activation):
    """K + 1 neurons with one t; the error is of first order in h until rounding takes over."""
    c = [1.0, -2.0, 0.5, 1.5]
    large, small = (polynomial_network(c, activation=activation, t=0.7, h=h) for h in (0.04, 0.01))
    assert small.n_neurons == 4
    assert len(np.unique(small.biases)) == 1
    assert 2.5 < large.error / small.error < 6
    assert np.abs(small(FINE) - np.polynomial.Polynomial(c)(FINE)).max() == pytest.approx(small.error, rel=1e-3)
    best = polynomial_network(c, activation=activation, t=0.7)
    assert best.error < small.error
    assert polynomial_network(c, activation=activation, t=0.7, h=1e-6).error > 10 * best.error  # rounding


def test_no_derivative_may_be_zero():
    """The logistic function has none of order two at 0."""
    with pytest.raises(ValueError, match="derivative of order 2 of logistic"):
        polynomial_network([0.0, 0.0, 1.0], t=0.0)
    assert polynomial_network([0.0, 1.0], t=0.0).error < 1e-6


@given(st.lists(st.floats(-2, 2), min_size=2, max_size=2), st.lists(st.floats(-2, 2), min_size=2, max_size=2))
def test_errors_of_ridge_functions_add_up(first, second):
    directions = np.array([first, second])
    directions[np.abs(directions).sum(axis=1) < 0.1] = 1.0
    f = ridge_network([np.sin, np.cos], directions, [1.0, 1.0], 0.2)
    assert f.error <= f.bound == 0.2


def test_products_are_ridge_functions():
    f = ridge_network([lambda u: u**2 / 4, lambda u: -(u**2) / 4], [[1, 1], [1, -1]], [1.0, 0.5], 0.1)
    X = np.random.default_rng(1).random((500, 2))
    assert np.abs(f(X) - X[:, 0] * X[:, 1]).max() <= 0.1


def test_cosines():
    """On [0, 1] the error falls as 1/K. On [−1, 1] cosines without biases are even: x stays as far as 1, but with biases."""
    errors = [trigonometric_network(lambda x: x, K).error for K in (10, 40)]
    assert 3 < errors[0] / errors[1] < 5
    even = trigonometric_network(lambda x: x, 40)
    assert np.abs(even(-FINE) + FINE).max() > 1
    assert trigonometric_network(lambda x: x, 40, symmetric=True).error < 0.02


def test_a_function_that_gives_no_number():
    for build in (lambda g: step_approximation(g, 1.0, 0.1), lambda g: ridge_network([g], [[1.0, 1.0]], [1.0], 0.1)):
        with pytest.raises(TypeError, match="The function gives 'one' at 0: a number is needed"):
            build(lambda x: "one")


def test_cosines_are_summed_in_pieces(monkeypatch):
    """Those of many terms need no more memory, and are the same up to rounding."""
    whole = trigonometric_network(np.exp, 30)
    monkeypatch.setattr(importlib.import_module("aprendiz.neural.trigonometric_network"), "CELLS", 500)
    assert trigonometric_network(np.exp, 30).factors == pytest.approx(whole.factors, rel=1e-10, abs=1e-14)


def test_missing_stays_missing():
    f = step_approximation(lambda x: x, 1.0, 0.25)
    assert np.isnan(f([0.5, np.nan])).tolist() == [False, True]


REFUSED = {
    "lipschitz must be a finite number above 0": lambda: step_approximation(abs, 0.0, 0.1),
    "at most 1000000 are built": lambda: step_approximation(abs, 1.0, 1e-9),
    "not a finite number at": lambda: step_approximation(lambda x: np.nan, 1.0, 0.1),
    "not a finite number at 0": lambda: step_approximation(lambda x: 1 / float(x), 1.0, 0.1),
    "t must be a finite number": lambda: monomial_network(2, t=np.nan),
    "factors of the neurons are out of range": lambda: monomial_network(2, h=1e-300),
    "n_terms must be at most 10000": lambda: trigonometric_network(abs, 10**6),
    "k must be a whole number": lambda: monomial_network(-1),
    "at most 30 is built": lambda: monomial_network(31),
    "must be one of logistic": lambda: polynomial_network([1.0, 1.0], activation="relu"),
    "h must be a finite number above 0": lambda: polynomial_network([1.0, 1.0], h=0.0),
    "Direction 1 is zero": lambda: ridge_network([np.sin, np.cos], [[1, 1], [0, 0]], [1, 1], 0.1),
    "Give a direction and a Lipschitz constant": lambda: ridge_network([np.sin], [[1, 1], [0, 1]], [1, 1], 0.1),
    "takes 1 columns, got 2": lambda: step_approximation(abs, 1.0, 0.1)(np.ones((3, 2))),
}


@pytest.mark.parametrize("said", REFUSED)
def test_refused(said):
    with pytest.raises(ValueError, match=said):
        REFUSED[said]()
