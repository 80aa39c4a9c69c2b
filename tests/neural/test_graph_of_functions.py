"""Graph: values, edges, paths, backward and forward, and what is refused."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aprendiz.neural import Graph, gradcheck

SMOOTH = ("sin", "cos", "tanh", "atan", "sigmoid", "softplus", "exp")  # defined everywhere; exp of what is small
STEP = 1e-100


@st.composite
def random_graphs(draw):
    """An acyclic graph of smooth functions, each node of one or two that stand before it."""
    names, nodes = ["x", "y"], {}
    for i in range(draw(st.integers(1, 12))):
        one, other = (draw(st.sampled_from(names)) for _ in range(2))
        form = draw(st.sampled_from(["{a} * {b}", "{a} - {b}", "{a} + 2 * {b}", "{f}(tanh({a}))", "{a} / (1 + {b}**2)"]))
        nodes[f"n{i}"] = form.format(a=one, b=other, f=draw(st.sampled_from(SMOOTH)))
        names.append(f"n{i}")
    nodes["o"] = " + ".join(f"tanh({name})" for name in names)
    return Graph(nodes, output="o")


points = st.floats(-2, 2)


@given(random_graphs(), points, points)
def test_backward_is_the_complex_step(graph, x, y):
    """S(x, o), S(y, o) and Im o(x + ih)/h are one number, found in two ways."""
    gradient = graph.gradient(x=x, y=y)
    for name, moved in (("x", {"x": x + 1j * STEP, "y": y}), ("y", {"x": x, "y": y + 1j * STEP})):
        derivative = np.imag(graph.value(moved)) / STEP
        assert gradient[name] == pytest.approx(derivative, rel=1e-9, abs=1e-9 * (1 + abs(derivative)))


@given(random_graphs(), points, points)
def test_three_ways_to_a_derivative(graph, x, y):
    """The sum over paths, backward and forward agree, for every node that they share."""
    backward = graph.derivatives(x=x, y=y)
    for name in ("x", "y"):
        forward = graph.forward(name, x=x, y=y)["o"]
        assert forward == pytest.approx(backward[name], rel=1e-9, abs=1e-9)
        assert graph.count_paths(name) == len(graph.paths(name))
        by_paths = sum(graph.path_products(name, x=x, y=y).values())
        assert by_paths == pytest.approx(backward[name], rel=1e-7, abs=1e-7)


def test_arrays_are_taken_cell_by_cell():
    graph, x = Graph.of("log(x) * y - sqrt(x)"), np.array([0.5, 1.0, 4.0])
    whole = graph.gradient(x=x, y=2.0)
    for i, one in enumerate(x):
        alone = graph.gradient(x=one, y=2.0)
        assert whole["x"][i] == alone["x"]
        assert np.broadcast_to(whole["y"], 3)[i] == alone["y"]


def test_each_operation_is_a_node_and_equal_parts_are_one():
    graph = Graph.of("(x + y) * (x + y) + sin(x + y)")
    assert list(graph.texts.values()) == ["x + y", "v1 * v1", "sin(v1)", "v2 + v3"]
    assert graph.output == "v4"
    assert graph.count_paths("x") == 2


@pytest.mark.parametrize(
    "text",
    ["a - (b - c)", "a - b - c", "a / (b * c)", "(a**b)**c", "a**b**c", "-a**2", "(-a)**2", "a**-b", "-(a + b)", "max(a, -b)"],
)
def test_an_expression_is_written_as_it_is_read(text):
    """The text of a node gives the same expression again, and brackets only where they are needed."""
    graph = Graph({"F": text})
    assert graph.texts["F"] == text
    at = {"a": 0.7, "b": 1.3, "c": 2.0}
    inputs = {name: at[name] for name in graph.inputs}
    assert graph.value(inputs) == pytest.approx(eval(text, {**at, "max": max}), rel=1e-15)


def test_functions_of_a_user():
    """With derivatives, with complex steps, and with differences where a function takes no complex numbers."""

    def cube(u):
        return u**3

    def real_only(u):
        return float(u) ** 3

    given_one = Graph({"F": (cube, "x", [lambda u: 3 * u**2])})
    assert given_one.gradient(x=2.0) == {"x": 12.0}
    assert Graph({"F": (cube, "x")}).gradient(x=2.0)["x"] == pytest.approx(12, rel=1e-14)
    assert Graph({"F": (real_only, "x")}).gradient(x=2.0)["x"] == pytest.approx(12, rel=1e-9)


def test_functions_that_are_not_analytic():
    """|x|·x computes with complex numbers, whose imaginary part says half the slope; so do others that take a size or a real
    part. Their derivatives are those of the real function."""
    x = np.array([-2.0, 0.5, 3.0])
    for function, slope in (
        (lambda u: np.abs(u) * u, 2 * np.abs(x)),
        (lambda u: abs(u) * np.exp(u), np.exp(x) * (np.abs(x) + np.sign(x))),
        (lambda u: np.real(u) * u, 2 * x),
    ):
        assert Graph({"F": (function, "x")}).gradient(x=x)["x"] == pytest.approx(slope, rel=1e-8)
        one = gradcheck(lambda v, f=function: f(v).sum(), slope, x)
        assert one.holds
        assert one.method == "differences"


@pytest.mark.parametrize("x", [1e-9, 0.0, 1.0, -1e8, 1e100])
def test_analytic_functions_keep_their_digits(x):
    """Differences that show nothing, for rounding or for a domain that ends near, do not spoil a complex step."""
    for function, slope in (
        (lambda u: u**3, 3 * x**2),
        (lambda u: 1e20 + u, 1.0),
        (lambda u: np.sqrt(u), 0.5 / np.sqrt(x) if x > 0 else None),
        (lambda u: 1 / u, -1 / x / x if x else None),
        (lambda u: np.sin(30 * u), 30 * np.cos(30 * x)),
    ):
        if slope is not None and (x < 1e100 or slope > 1):
            assert Graph({"F": (function, "x")}).gradient(x=x)["x"] == pytest.approx(slope, rel=1e-12, abs=1e-150)


def test_corners():
    assert Graph.of("relu(x)").gradient(x=0.0) == {"x": 0.0}
    assert Graph.of("abs(x)").gradient(x=0.0) == {"x": 0.0}
    assert Graph.of("max(x, y)").gradient(x=1.0, y=1.0) == {"x": 1.0, "y": 0.0}
    assert Graph.of("x**2").gradient(x=0.0) == {"x": 0.0}
    assert Graph.of("x**2").gradient(x=-3.0) == {"x": -6.0}
    assert Graph.of("x**y").gradient(x=0.0, y=2.0) == {"x": 0.0, "y": 0.0}
    assert Graph.of("x**y").value(x=-2.0, y=3.0) == -8.0
    assert Graph.of("(x - 1)**3").gradient(x=-1.0) == {"x": 12.0}


def test_trace():
    text = str(Graph({"g": "x**2 + y", "h": "x - y", "F": "g / h"}).trace(x=3, y=1))
    assert "g = x**2 + y = 10" in text
    assert "∂F/∂x = 6·0.5 + 1·(-2.5) = 0.5" in text


REFUSED = {
    "there is nothing to differentiate": lambda: Graph.of("1 + 2"),
    "'x +' is no expression": lambda: Graph.of("x +"),
    "no function '__import__'": lambda: Graph.of("__import__('os')"),
    "'x.real' is not allowed": lambda: Graph.of("x.real"),
    "nested more than": lambda: Graph.of("+".join(["x"] * 300)),
    "at most 10000": lambda: Graph.of("x" * 10_001),
    "too large for a number": lambda: Graph.of("x + 1e999"),
    "log takes 1 argument": lambda: Graph.of("log(x, y)"),
    "form a cycle, 'F' → 'g' → 'F'|form a cycle, 'g' → 'F' → 'g'": lambda: Graph({"g": "F + x", "F": "g * x"}),
    "as its own parent": lambda: Graph({"F": "F + x"}),
    "say which is the output": lambda: Graph({"F": "x", "g": "x"}),
    "There is no node 'z'": lambda: Graph({"F": "x"}, output="z"),
    "The input 'y' has no value": lambda: Graph.of("x + y").value(x=1),
    "'z' is not an input": lambda: Graph.of("x + y").value(x=1, y=1, z=1),
    "The input 'x' is 'one'": lambda: Graph.of("x + y").value(x="one", y=1),
    "The input 'x' holds nan": lambda: Graph.of("x + y").value(x=np.nan, y=1),
    "Node 'v1' = log(x): log needs a positive argument, got -1.": lambda: Graph.of("log(x)").value(x=-1),
    "Node 'v1' = x / y: / needs a divisor other than 0": lambda: Graph.of("x / y").value(x=1, y=0),
    "got 0, -2 (entry 1).": lambda: Graph.of("x**y").value(x=np.array([1.0, 0.0]), y=-2.0),
    "where the base is 0, one of at least 0, and 1 for the derivative": lambda: Graph.of("x**0.5").gradient(x=0.0),
    "sqrt needs an argument of at least 0 (above 0 for the derivative), got 0": lambda: Graph.of("sqrt(x)").gradient(x=0),
    "sqrt needs an argument of at least 0 (above 0 for the derivative), got -1": lambda: Graph.of("sqrt(x)").value(x=-1),
    "is not a power in 'x^2 + 1'": lambda: Graph.of("x^2 + 1"),
    "nested too deeply": lambda: Graph.of("-" * 9000 + "x"),
    "Nodes are a mapping": lambda: Graph([("F", "x")]),
    "The name of a node is a text such as 'F', got 1": lambda: Graph({1: "x"}),
    "got 3 as a parent": lambda: Graph({"F": (np.sin, [3])}),
    "Node 'v1' = x**y: ** has no derivative for an exponent that varies at -2**3": (
        lambda: Graph.of("x**y").gradient(x=-2.0, y=3.0)
    ),
    "varies at 0**0": lambda: Graph.of("x**y").gradient(x=np.array([1.0, 0.0]), y=0.0),
    "'pi' is a constant": lambda: Graph({"F": "pi * x", "pi": "x + 1"}),
    "overflows": lambda: Graph.of("exp(x)").value(x=1e4),
    "is not a finite number at x = 2": lambda: Graph({"F": (lambda u: u * np.nan, "x")}).value(x=2),
    "Node 'F' = <lambda>(x): the value is 'one', not a number": lambda: Graph({"F": (lambda u: "one", "x")}).value(x=2),
    "do not go together: x (2,), y (3,)": lambda: Graph.of("x + y").value(x=[1, 2], y=[1, 2, 3]),
    "an array of shape (3,)": lambda: gradcheck(lambda x: x, b, b),
    "give one for each argument": lambda: Graph({"F": (lambda u, v: u, ("x", "y"), [abs])}),
    "There are no nodes": lambda: Graph({}),
}


@pytest.mark.parametrize("said", REFUSED)
def test_refused(said):
    """What is wrong is named, with the node."""
    with pytest.raises((TypeError, ValueError), match="|".join(map(re.escape, said.split("|")))):
        REFUSED[said]()


def test_values_on_the_edge_of_a_domain():
    """A value may be where a slope is not; and a slope is not lost to the square of a small divisor."""
    assert Graph.of("sqrt(x) + x**0.5").value(x=0) == 0
    assert Graph.of("sqrt(0) * x + 0**0").gradient(x=3) == {"x": 0.0}
    assert Graph.of("x / y").gradient(x=1e-300, y=1e-200) == pytest.approx({"x": 1e200, "y": -1e100})


def test_too_many_paths_are_refused_before_they_are_walked():
    """Backward needs none of the 2^200 paths."""
    nodes = {"a1": "w", "b1": "w"} | {name + str(i): f"(a{i - 1} + b{i - 1}) / 2" for i in range(2, 201) for name in "ab"}
    graph = Graph(nodes | {"O": "(a200 + b200) / 2"})
    assert graph.count_paths("w") == 2**200
    with pytest.raises(ValueError, match=f"{2**200} paths lead from 'w' to 'O'"):
        graph.paths("w")
    assert graph.gradient(w=3.0) == {"w": 1.0}


A = np.array([[2.0, -1.0, 0.5], [0.3, 1.5, 2.0], [1.0, 0.0, -1.2]])
a, b = np.array([1.0, -2.0, 0.5]), np.array([0.2, 1.0, 3.0])

# The rules of derivatives for vectors and matrices: function, gradient, where.
RULES = {
    "aᵀx": (lambda x: a @ x, lambda x: a, b),
    "xᵀAx": (lambda x: x @ A @ x, lambda x: (A + A.T) @ x, b),
    "‖Ax − b‖²": (lambda x: (A @ x - b) @ (A @ x - b), lambda x: 2 * A.T @ (A @ x - b), a),
    "aᵀXb": (lambda X: a @ X @ b, lambda X: np.outer(a, b), A),
    "tr(AX)": (lambda X: np.trace(A @ X), lambda X: A.T, A + 1),
    "tr(XᵀAX)": (lambda X: np.trace(X.T @ A @ X), lambda X: (A + A.T) @ X, A - 1),
    "ln det X": (lambda X: np.log(np.linalg.det(X)), lambda X: np.linalg.inv(X).T, A @ A.T + np.eye(3)),
    "aᵀX⁻¹b": (
        lambda X: a @ np.linalg.inv(X) @ b,
        lambda X: -np.linalg.inv(X).T @ np.outer(a, b) @ np.linalg.inv(X).T,
        A,
    ),
}


@pytest.mark.parametrize("rule", RULES)
def test_rules_of_matrix_derivatives(rule):
    function, gradient, at = RULES[rule]
    check = gradcheck(function, gradient, at)
    assert check.holds
    assert check.method == "complex steps"


def test_gradcheck_sees_a_wrong_gradient():
    """In which entry, with complex steps and with differences."""
    wrong = gradcheck(lambda x: (x**2).sum(), lambda x: 2 * x + np.array([0, 1e-6, 0]), b)
    assert not wrong.holds
    assert wrong.worst == (1,)
    real = gradcheck(lambda x: float(x[0]) ** 2, lambda x: [2 * x[0]], [1.5])
    assert real.holds
    assert real.method == "differences"
    assert not gradcheck(lambda x: (x**2).sum(), lambda x: x * np.nan, b).holds
    with pytest.raises(ValueError, match="shape"):
        gradcheck(lambda x: x.sum(), [1.0], b)
