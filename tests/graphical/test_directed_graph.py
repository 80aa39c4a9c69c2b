"""Directed graphs: what is accepted as edges, and what is refused, by name."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_graphs import as_mapping, directed_graphs, quick

from aprendiz.datasets import load
from aprendiz.graphical import BayesianNetwork
from aprendiz.graphical.graph.directed_graph import DirectedGraph


@quick
@given(graph=directed_graphs(8))
def test_order(graph):
    """Parents before children, each node once; pairs and a mapping say the same."""
    rank = {v: k for k, v in enumerate(graph.order)}
    assert sorted(rank) == list(range(len(graph)))
    assert all(rank[u] < rank[v] for v, parents in enumerate(graph.parents) for u in parents)
    assert DirectedGraph.of(as_mapping(graph)) == graph
    assert BayesianNetwork(as_mapping(graph)).topological_order() == [graph.nodes[v] for v in graph.order]


@quick
@given(graph=directed_graphs(8), data=st.data())
def test_cycles_are_named(graph, data):
    """One more arrow that closes a cycle is refused, with a cycle that is there."""
    pairs = [(u, v) for u in range(len(graph)) for v in graph.descendants([u]) if u != v]
    if not pairs:
        return
    end, start = (graph.nodes[w] for w in data.draw(st.sampled_from(sorted(pairs))))
    with pytest.raises(ValueError, match="The edges form a cycle, ") as refusal:
        DirectedGraph.of([*graph.edges, (start, end)], graph.nodes)
    names = [name.strip("'") for name in str(refusal.value).split("cycle, ")[1].split(":")[0].split(" → ")]
    edges = {*graph.edges, (start, end)}
    assert names[0] == names[-1]
    assert len(set(names)) == len(names) - 1
    assert all(edge in edges for edge in pairwise(names))


@pytest.mark.parametrize(
    ("edges", "nodes", "words"),
    [
        ([("a", "a")], None, "'a' is given as its own parent: remove that edge"),
        ([("a", "b"), ("a", "b")], None, "The edge 'a' → 'b' is given twice: remove one"),
        ([("a", "b", "c")], None, r"An edge is a pair \(parent, child\), got \('a', 'b', 'c'\)"),
        (["ab"], None, r"An edge is a pair \(parent, child\), got 'ab'"),
        ([{"a", "b"}], None, "An edge is a pair"),
        ([1], None, r"An edge is a pair \(parent, child\), got 1"),
        (zip("a", "b", strict=True), None, "Edges are a list of pairs .* got <zip"),
        (None, None, "Edges are a list of pairs .* got None"),
        ({"b": "a"}, None, "The parents of 'b' must be a list of names, got 'a'"),
        ({"b": None}, None, "The parents of 'b' must be a list of names, got None"),
        ([("a", "b")], ["a"], "The edges name 'b', which is not a node; the nodes are 'a'"),
        ([("a", "b"), ("b", "a")], None, "The edges form a cycle, 'a' → 'b' → 'a': reverse or remove one of them"),
    ],
)
def test_bad_edges(edges, nodes, words):
    """The refusal names them."""
    with pytest.raises(ValueError, match=words):
        DirectedGraph.of(edges, nodes)


def test_a_network_of_the_data_sets():
    """Its nodes keep their order."""
    assert DirectedGraph.of(load("dsep_seven")).nodes == load("dsep_seven").nodes
    assert BayesianNetwork(load("student")).graph_.nodes == load("student").nodes
