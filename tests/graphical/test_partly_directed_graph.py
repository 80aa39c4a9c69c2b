"""Equivalence classes: against all graphs of few nodes, against d-separation, and their members; distances between graphs."""

from functools import cache
from itertools import combinations

import pytest
from hypothesis import given
from random_graphs import all_graphs, as_mapping, directed_graphs, quick

from aprendiz.datasets import load
from aprendiz.graphical import BayesianNetwork, cpdag, structural_hamming_distance
from aprendiz.graphical.graph.directed_graph import DirectedGraph
from aprendiz.graphical.graph.independencies import is_i_map
from aprendiz.graphical.graph.partly_directed_graph import PartlyDirectedGraph


@cache
def classes_of(count):
    """The graphs of some nodes, grouped by what they state: every pair, given every set."""
    found = {}
    for graph in all_graphs(count):
        statements = BayesianNetwork(as_mapping(graph)).independencies().pairwise
        found.setdefault(statements, []).append(graph)
    return list(found.values())


@pytest.mark.parametrize(("count", "graphs", "classes"), [(2, 3, 2), (3, 25, 11), (4, 543, 185)])
def test_all_graphs_of_few_nodes(count, graphs, classes):
    """An arrow where all graphs that state the same have it, a line where they differ (numbers: OEIS A003024, A007984)."""
    groups = classes_of(count)
    assert (sum(map(len, groups)), len(groups)) == (graphs, classes)
    for members in groups:
        common = set.intersection(*(set(graph.edges) for graph in members))
        pairs = {frozenset(edge) for edge in members[0].edges} - {frozenset(edge) for edge in common}
        for graph in members if count < 4 else members[:2]:
            found = cpdag(graph)
            assert set(found.directed) == common
            assert {frozenset(edge) for edge in found.undirected} == pairs
        assert any(set(found.extension().edges) == set(graph.edges) for graph in members)


@quick
@given(graph=directed_graphs(8))
def test_a_member_of_the_class(graph):
    """It has the same class, and states the same: each is an I-map of the other."""
    found = cpdag(graph)
    member = found.extension()
    assert cpdag(member) == found
    assert is_i_map(graph, member)
    assert is_i_map(member, graph)
    network = BayesianNetwork(as_mapping(graph))
    assert BayesianNetwork(as_mapping(member)).v_structures() == network.v_structures()


@pytest.mark.parametrize(
    ("directed", "undirected", "found"),
    [
        ("ab", "bc", "ab bc"),
        ("ab bc", "ac", "ab bc ac"),
        ("cb db", "ab ac ad", "cb db ab"),
        ("dc cb", "ab ac ad", "dc cb ab"),
        ("cb db", "ab ac ad cd", "cb db"),
        ("dc cb", "ab ac ad bd", "dc cb db"),
    ],
    ids=["another v-structure", "a cycle", "two v-structures", "known from outside", "nothing follows", "a cycle, and no more"],
)
def test_rules(directed, undirected, found):
    """Each rule directs its line, and no other; the direction is that of all members with these arrows."""
    pairs = [[tuple(edge) for edge in text.split()] for text in (directed, undirected, found)]
    given_graph = PartlyDirectedGraph(tuple("abcd"), tuple(pairs[0]), tuple(pairs[1]))
    assert set(given_graph.oriented().directed) == set(pairs[2])


def test_arrows_both_ways_are_a_line():
    """What contradicts itself is not known."""
    graph = PartlyDirectedGraph.by_place("abc", [(0, 1), (1, 0), (1, 2)], [])
    assert (graph.directed, graph.undirected) == ((("b", "c"),), (("a", "b"),))
    assert str(graph) == "b → c\na — b"


def test_no_member():
    """A ring of four lines has none without another v-structure; a cycle of arrows has none at all."""
    ring = PartlyDirectedGraph(tuple("abcd"), (), (("a", "b"), ("b", "c"), ("c", "d"), ("a", "d")))
    cycle = PartlyDirectedGraph(tuple("abc"), (("a", "b"), ("b", "c"), ("c", "a")), ())
    for graph in (ring, cycle):
        with pytest.raises(ValueError, match="No directed graph without cycles has these arrows and no further v-structures"):
            graph.extension()


def test_the_student():
    """One v-structure directs three arrows; the fourth may point either way."""
    found = cpdag(load("student"))
    assert set(found.directed) == {("Int", "Grade"), ("Diff", "Grade"), ("Grade", "Letter")}
    assert found.undirected == (("Int", "SAT"),)
    assert BayesianNetwork(load("student")).v_structures() == [("Diff", "Grade", "Int")]


@quick
@given(one=directed_graphs(5), other=directed_graphs(5))
def test_distances(one, other):
    """Pairs whose edge differs; a distance of zero between classes if and only if they state the same."""
    names = sorted({*one.nodes, *other.nodes})
    kinds = [{pair: ((pair in g.edges), (pair[::-1] in g.edges)) for pair in combinations(names, 2)} for g in (one, other)]
    expected = sum(kinds[0][pair] != kinds[1][pair] for pair in kinds[0])
    assert structural_hamming_distance(one, other) == structural_hamming_distance(other, one) == expected
    one, other = (DirectedGraph.of(graph.edges, names) for graph in (one, other))
    same = is_i_map(one, other) and is_i_map(other, one)
    assert (structural_hamming_distance(one, other, classes=True) == 0) is same
    assert structural_hamming_distance(cpdag(one), other, classes=True) == structural_hamming_distance(one, other, classes=True)


def test_a_line_is_not_an_arrow():
    """Between a graph and a class each line counts one."""
    chain = [("a", "b"), ("b", "c")]
    assert structural_hamming_distance(cpdag(chain), chain) == 2
    assert structural_hamming_distance(cpdag(chain), cpdag([("b", "a"), ("b", "c")])) == 0


def test_maps_of_others():
    """More arrows state less."""
    full = BayesianNetwork({"a": [], "b": ["a"], "c": ["a", "b"]})
    collider = BayesianNetwork({"a": [], "b": [], "c": ["a", "b"]})
    assert full.is_i_map(collider)
    assert not collider.is_i_map(full)
    assert not collider.is_i_map([("a", "b"), ("b", "c")])
    with pytest.raises(ValueError, match="The node 'b' is in one graph only"):
        collider.is_i_map([("a", "c")])
