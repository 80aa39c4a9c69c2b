"""The worked examples of the course about the graph of a network: A-12, A-28, A-29, A-30; and what its text gets wrong."""

from itertools import combinations

import pytest

from aprendiz.datasets import load
from aprendiz.graphical import BayesianNetwork

STUDENT, FIVE, SEVEN = (BayesianNetwork(load(name)) for name in ("student", "dsep_five", "dsep_seven"))


def test_a_12_free_parameters_of_the_student():
    """The network 15, independent 6, the full table 47."""
    counts = STUDENT.n_parameters()
    assert (counts.network, counts.independent, counts.full) == (15, 6, 47)
    assert counts.by_node == {"Diff": 1, "Int": 1, "Grade": 8, "Letter": 3, "SAT": 2}


def test_the_factors_of_the_student():
    """p(Diff) p(Int) p(Grade | Diff, Int) p(Letter | Grade) p(SAT | Int)."""
    assert STUDENT.factorization() == "P(Diff) P(Int) P(Grade | Int, Diff) P(SAT | Int) P(Letter | Grade)"


def test_erratum_iii_3_2_one_less_than_the_cells():
    """The full table has 2·2·3·2·2 = 48 cells, which sum to one: 47 are free."""
    assert STUDENT.n_parameters().full == 2 * 2 * 3 * 2 * 2 - 1 != 48


def test_a_28_complete_and_empty():
    """Three binary nodes: 7 with all arrows, whichever way they point, and 3 with none; `dsep_seven` 21, its full table 127."""
    names = ("a", "b", "c")
    for order in (names, names[::-1]):
        assert BayesianNetwork(list(combinations(order, 2))).n_parameters(2).network == 7
    assert BayesianNetwork({name: [] for name in names}).n_parameters(2).network == 3
    counts = SEVEN.n_parameters()
    assert (counts.network, counts.full) == (21, 127)


@pytest.mark.parametrize(("given", "expected"), [((), True), ("c", False), ("e", False), ("f", True)])
def test_a_29_five_nodes(given, expected):
    """a and b are separated by nothing and by f, not by c nor by e."""
    assert FIVE.d_separated("a", "b", given) is expected
    (path,) = FIVE.paths("a", "b", given)
    assert str(path) == "a → e ← f → b"
    assert path.blocked is expected


def test_a_29_what_blocks():
    """Given f: f itself at a fork, and the collider e, which nobody has observed. Given c: its parent e lets pass."""
    (path,) = FIVE.paths("a", "b", "f")
    assert {node.name: node.kind for node in path.inside if node.blocks} == {"e": "collider", "f": "fork"}
    (path,) = FIVE.paths("a", "b", "c")
    assert [(node.name, node.opened_by) for node in path.inside] == [("e", "c"), ("f", None)]


PATHS = {("x1", "x5", "x3"), ("x1", "x5", "x7", "x4", "x3"), ("x1", "x4", "x7", "x5", "x3"), ("x1", "x4", "x3")}


@pytest.mark.parametrize(("given", "expected"), [((), True), ("x6", False), ("x4", False), ("x7", False), ("x2", True)])
def test_a_30_seven_nodes(given, expected):
    """The four paths between x1 and x3, and what separates them."""
    found = SEVEN.paths("x1", "x3", given)
    assert {path.nodes for path in found} == PATHS
    assert found.complete
    assert found.separated is SEVEN.d_separated("x1", "x3", given) is expected
    assert bool(found.open) is not expected


def test_a_30_the_child_opens_its_parent():
    """Given x6, the path by x4 is open, and it alone: x6 is a child of that collider."""
    (path,) = SEVEN.paths("x1", "x3", "x6").open
    assert path.nodes == ("x1", "x4", "x3")
    assert [(node.kind, node.opened_by) for node in path.inside] == [("collider", "x6")]


def test_erratum_iii_3_2_naive_bayes_is_not_empty():
    """It has an arrow from the class to every attribute: attributes are independent given the class, not without it. The empty
    network is that of independent columns."""
    attributes = ["x1", "x2", "x3"]
    naive, empty = BayesianNetwork([("class", x) for x in attributes]), BayesianNetwork({x: [] for x in ["class", *attributes]})
    for a, b in combinations(attributes, 2):
        assert naive.d_separated(a, b, "class")
        assert not naive.d_separated(a, b)
        assert empty.d_separated(a, b)
    assert naive.n_parameters(2).network == 7
    assert empty.n_parameters(2).network == 4


def test_erratum_iii_3_2_3_factors_of_a_category():
    """∏_i μ_{4k,i}^{I(x₄ = i)} needs the index i of the value: a table of a row for each class. Without it there would be one
    number for each class, and the product would be that number whatever the value."""
    naive = BayesianNetwork([("class", "x4"), ("class", "x5")])
    assert naive.n_parameters({"class": 2, "x4": 3, "x5": 4}).by_node == {"class": 1, "x4": 2 * 2, "x5": 2 * 3}
    known = BayesianNetwork.from_tables(
        {"class": [0.5, 0.5], "x4": [[0.2, 0.3, 0.5], [0.6, 0.3, 0.1]]},
        parents={"class": [], "x4": ["class"]},
        levels={"class": ["k1", "k2"], "x4": [1, 2, 3]},
    )
    table = known.network_.tables[1]
    assert table.shape == (2, 3)
    assert len(set(table[0])) == 3
