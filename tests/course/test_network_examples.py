"""Worked examples of the course about networks: D-03, D-04, D-15, D-16, D-18, D-19, and the exercise on the sigmoid."""

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from aprendiz.linear import Perceptron
from aprendiz.neural import Graph, MLPClassifier, monomial_network, step_approximation

FIGURE = Graph({"a": "x", "b": "y", "g": "a**2 + b", "h": "a - b", "F": "g / h"})


def test_paths_and_backpropagation_give_the_same_derivatives():
    """D-03: F(3, 1) = 5, ∂F/∂x = 1/2 and ∂F/∂y = 3, over two paths each."""
    assert FIGURE.value(x=3, y=1) == 5
    for name, derivative in (("x", 0.5), ("y", 3.0)):
        products = FIGURE.path_products(name, x=3, y=1)
        assert len(products) == 2
        assert sum(products.values()) == derivative
        assert FIGURE.gradient(x=3, y=1)[name] == derivative


def test_softmax_and_cross_entropy():
    """D-04: with o = softmax(v) and L = −Σ y ln o, ∂L/∂v = o − y."""
    nodes = {f"e{i}": f"exp(v{i})" for i in range(3)} | {"s": "e0 + e1 + e2"}
    nodes |= {f"o{i}": f"e{i} / s" for i in range(3)} | {"L": "-(0*log(o0) + 1*log(o1) + 0*log(o2))"}
    v, y = np.array([0.5, -1.0, 2.0]), np.array([0, 1, 0])
    o = np.exp(v) / np.exp(v).sum()
    gradient = Graph(nodes).gradient({f"v{i}": value for i, value in enumerate(v)})
    assert [gradient[f"v{i}"] for i in range(3)] == pytest.approx(o - y, rel=1e-14)


def test_five_layers_of_two_products():
    """D-18: 2⁵ paths; O = w³², ∂O/∂w = 32w³¹."""
    nodes = {"a1": "w", "b1": "w"}
    for layer in range(2, 6):
        nodes |= {name + str(layer): f"a{layer - 1} * b{layer - 1}" for name in "ab"}
    graph, w = Graph({**nodes, "O": "a5 * b5"}), 1.1
    assert graph.count_paths("w") == 2**5
    assert graph.value(w=w) == pytest.approx(w**32, rel=1e-13)
    assert sum(graph.path_products("w", w=w).values()) == pytest.approx(32 * w**31, rel=1e-13)
    assert graph.gradient(w=w)["w"] == pytest.approx(32 * w**31, rel=1e-13)


@pytest.mark.parametrize("temperature", [0.5, 1.0, 4.0])
def test_sigmoid_in_its_own_output(temperature):
    """The exercise: with o = σ(u/t), the backward step is o(1 − o)/t; for tanh, 1 − o²."""
    graph = Graph({"o": f"sigmoid(u / {temperature})"})
    o = graph.value(u=0.7)
    assert graph.gradient(u=0.7)["u"] == pytest.approx(o * (1 - o) / temperature, rel=1e-14)
    assert Graph.of("tanh(u)").gradient(u=0.7)["u"] == pytest.approx(1 - np.tanh(0.7) ** 2, rel=1e-14)


def test_steps():
    """D-16: x² takes 20 steps, sin 2πx takes 63, with the largest distances 0.0975 and 0.09995."""
    square = step_approximation(lambda x: x**2, 2.0, 0.1)
    assert square.n_neurons == 20
    assert square.error == pytest.approx(0.0975, abs=1e-9)
    sine = step_approximation(lambda x: np.sin(2 * np.pi * x), 2 * np.pi, 0.1)
    assert sine.n_neurons == 63
    assert sine.error == pytest.approx(0.09995, abs=1e-5)


@pytest.mark.parametrize(("k", "error"), [(1, 0.00123), (2, 0.0166), (3, 0.0165)])
def test_powers_from_sigmoids(k, error):
    """D-19: x^k from k + 1 sigmoids at t = 0.5 with h = 0.01."""
    assert monomial_network(k, t=0.5, h=0.01).error == pytest.approx(error, rel=5e-3)


def test_exclusive_or():
    """D-15: the perceptron never stops, no line has fewer than one error, a network of two hidden neurons has none."""
    X, y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 1, 1, 0])
    with pytest.warns(ConvergenceWarning):
        perceptron = Perceptron(max_iter=200, tol=None, random_state=0).fit(X, y)
    assert perceptron.score(X, y) <= 0.75
    assert min(np.mean((h > 0) != y) for h in half_planes(X)) == 0.25
    network = MLPClassifier((2,), activation="tanh", solver="lbfgs", alpha=0.0, random_state=3, max_iter=500).fit(X, y)
    assert network.score(X, y) == 1.0
    assert network.n_parameters_ == 2 * 2 + 2 * 1 + 2 + 1


def half_planes(X):
    """Which side of a line each point lies on, for many lines."""
    angles = np.linspace(0, 2 * np.pi, 360, endpoint=False)
    for a in angles:
        for c in np.linspace(-1.6, 1.6, 65):
            yield X @ [np.cos(a), np.sin(a)] - c
