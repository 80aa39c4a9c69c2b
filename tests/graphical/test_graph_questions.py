"""What the graph of a network says: its product, its free parameters, its statements, its text for Graphviz."""

from itertools import pairwise
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_graphs import as_mapping, directed_graphs, quick, separated_by_definition
from sklearn.exceptions import NotFittedError

from aprendiz import ChowLiuTree
from aprendiz.datasets import load
from aprendiz.graphical import BayesianNetwork, cpdag, write_dot


@quick
@given(graph=directed_graphs(), data=st.data())
def test_free_parameters(graph, data):
    """A row for each combination of parents, and one probability less than levels in each row."""
    sizes = {name: data.draw(st.integers(1, 4)) for name in graph.nodes}
    levels = {name: list(range(size)) for name, size in sizes.items()}
    network = BayesianNetwork(as_mapping(graph))
    counts = network.n_parameters(sizes)
    assert counts == network.n_parameters(levels)
    for name, parents in as_mapping(graph).items():
        assert counts.by_node[name] == (sizes[name] - 1) * prod(sizes[parent] for parent in parents)
    assert counts.network == sum(counts.by_node.values())
    assert counts.independent == sum(size - 1 for size in sizes.values())
    assert counts.full == prod(sizes.values()) - 1
    assert counts.independent <= counts.network <= max(counts.full, 0)


def test_levels_are_known_from_several_places():
    """Of the fit, of the data set, as given; what is missing is named."""
    student = load("student")
    for network in (BayesianNetwork.from_tables(student), BayesianNetwork(student)):
        assert network.n_parameters().network == 15
    assert repr(BayesianNetwork(student).n_parameters()) == "ParameterCounts(network=15, independent=6, full=47)"
    assert BayesianNetwork([("h", "a")], levels={"a": "xyz"}, hidden={"h": 2}).n_parameters().network == 1 + 2 * 2
    network = BayesianNetwork([("a", "b")])
    with pytest.raises(ValueError, match="The number of levels of 'a' is not known: give levels="):
        network.n_parameters()
    with pytest.raises(ValueError, match="levels of 'b' must be a whole number from 1 up, got 0"):
        network.n_parameters({"a": 2, "b": 0})
    with pytest.raises(ValueError, match="levels of each node must be a whole number from 1 up, got 'two'"):
        network.n_parameters("two")


def test_a_table_beyond_all_machines():
    """The full table of 1000 nodes is a whole number of 302 digits."""
    chain = BayesianNetwork([(k, k + 1) for k in range(999)])
    assert chain.n_parameters(2).full == 2**1000 - 1
    assert chain.n_parameters(2).network == 1 + 2 * 999


@quick
@given(graph=directed_graphs(5))
def test_statements(graph):
    """The local ones and those of the pairs hold, and no pair is missing."""
    found = BayesianNetwork(as_mapping(graph)).independencies()
    for one in found.local:
        for other in one.others:
            assert separated_by_definition(graph.edges, one.some[0], other, one.given)
    assert len(set(found.pairwise)) == len(found.pairwise)
    holding = {(*one.some, *one.others, one.given) for one in found.pairwise}
    for a, b, observed in all_statements(graph.nodes):
        assert ((a, b, observed) in holding) is separated_by_definition(graph.edges, a, b, observed)


def all_statements(names):
    """Each pair with each set of others."""
    for i, a in enumerate(names):
        for b in names[i + 1 :]:
            rest = [name for name in names if name not in (a, b)]
            for bits in range(2 ** len(rest)):
                yield a, b, tuple(name for k, name in enumerate(rest) if bits >> k & 1)


def test_printed_statements():
    """The local statements, and a line for each pair."""
    assert str(BayesianNetwork([("a", "b"), ("b", "c"), ("d", "c")]).independencies()).splitlines() == [
        "Each node given its parents:",
        "  a ⊥ d",
        "  d ⊥ a, b",
        "  b ⊥ d | a",
        "  c ⊥ a | b, d",
        "Each pair, and what separates it:",
        "  a ⊥ c | b · b, d",
        "  a ⊥ d | ∅ · b · b, c",
        "  b ⊥ d | ∅ · a",
    ]
    assert str(BayesianNetwork([("a", "b")]).independencies()) == "Every pair of nodes may depend on each other."
    many = BayesianNetwork([(k, k + 1) for k in range(9)]).independencies()
    assert many.pairwise is None
    assert "Each pair" not in str(many)
    some = BayesianNetwork([("a", "b"), ("b", "c"), ("c", "d"), ("d", "e"), ("e", "f")]).independencies()
    assert "  a ⊥ f | b · c · d · e · b, c · b, d · … (15)" in str(some).splitlines()


def test_the_product():
    """Parents stand before children, and behind the bar in the order in which they were given."""
    product = "P(Diff) P(Int) P(Grade | Int, Diff) P(SAT | Int) P(Letter | Grade)"
    assert BayesianNetwork(load("student")).factorization() == product
    assert BayesianNetwork({"b": ["c", "a"], "c": [], "a": []}).factorization() == "P(c) P(a) P(b | c, a)"


# ---- Graphviz --------------------------------------------------------------------------------------------------------

STRANGE = ['say "no"', "<b>bold</b>", "back\\slash\\n", "two\nlines", "ñ → ∅", "_under $x$", ""]


def test_dot(tmp_path):
    """Every name stands between quotation marks; lines of a class have no head."""
    edges = list(pairwise(STRANGE))
    text = BayesianNetwork(edges).to_dot()
    assert '    0 [label="say \\"no\\""];' in text
    assert '    1 [label="<b>bold</b>"];' in text
    assert '    2 [label="back\\\\slash\\\\n"];' in text
    assert '    3 [label="two\\nlines"];' in text
    assert "    5 -> 6;" in text
    assert text.count("->") == len(edges)
    write_dot(edges, tmp_path / "graph.dot")
    assert (tmp_path / "graph.dot").read_text(encoding="utf-8") == text
    write_dot(cpdag([("a", "b"), ("c", "b"), ("b", "d"), ("e", "f")]), tmp_path / "class.dot")
    assert (tmp_path / "class.dot").read_text(encoding="utf-8").count("[dir=none]") == 1
    with pytest.raises(NotFittedError):
        write_dot(ChowLiuTree(), tmp_path / "none.dot")
    assert not (tmp_path / "none.dot").exists()
