"""d-separation: against its definition on random graphs, against independence in random tables, and on graphs of many paths."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_graphs import as_mapping, below, directed_graphs, quick, separated_by_definition, three_sets

from aprendiz.graphical import BayesianNetwork
from aprendiz.graphical.graph.directed_graph import DirectedGraph


@settings(quick, max_examples=200)
@given(graph=directed_graphs(), data=st.data())
def test_the_definition(graph, data):
    """Sets are separated if every path between any two of their nodes is blocked."""
    a, b, observed = three_sets(data.draw, graph.nodes)
    expected = all(separated_by_definition(graph.edges, u, v, observed) for u, v in product(a, b))
    network = BayesianNetwork(as_mapping(graph))
    assert network.d_separated(a, b, observed) is expected
    assert network.d_separated(set(b), tuple(a), set(observed)) is expected


def joint_table(graph, rng):
    """The joint distribution of random tables of binary nodes, an axis for each."""
    count = len(graph)
    joint = np.ones((2,) * count)
    for v, parents in enumerate(graph.parents):
        table = rng.uniform(0.05, 0.95, (2,) * len(parents))
        table = np.stack([table, 1 - table], axis=-1)
        axes = (*parents, v)
        shape = [2 if u in axes else 1 for u in range(count)]
        joint = joint * table.transpose(np.argsort(axes)).reshape(shape)
    return joint


def dependence(joint, u, v, observed):
    """The largest |p(u, v, c) p(c) − p(u, c) p(v, c)|."""
    rest = tuple(w for w in range(joint.ndim) if w not in (u, v, *observed))
    kept = joint.sum(axis=rest, keepdims=True)
    sums = [kept.sum(axis=axes, keepdims=True) for axes in ((), (u, v), (v,), (u,))]
    return np.abs(sums[0] * sums[1] - sums[2] * sums[3]).max()


@quick
@given(graph=directed_graphs(5), data=st.data(), seed=st.integers(0, 2**32 - 1))
def test_independence_in_random_tables(graph, data, seed):
    """Separated nodes are independent whatever the tables are; of nodes that are not, random tables show it."""
    (u, *_), (v, *_), observed = three_sets(data.draw, range(len(graph)))
    names = [graph.nodes[w] for w in (u, v)]
    rng = np.random.default_rng(seed)
    apart = [dependence(joint_table(graph, rng), u, v, observed) for _ in range(3)]
    if separated_by_definition(graph.edges, *names, [graph.nodes[w] for w in observed]):
        assert max(apart) < 1e-15
    else:
        assert max(apart) > 1e-9


def test_more_paths_than_can_be_listed():
    """A ladder of 400 steps has 2^400 paths; each node is visited twice."""
    edges = [edge for k in range(400) for edge in ((k, (k, "x")), (k, (k, "y")), ((k, "x"), k + 1), ((k, "y"), k + 1))]
    ladder = BayesianNetwork(edges)
    assert not ladder.d_separated(0, 400)
    assert ladder.d_separated(0, 400, 200)
    assert not ladder.d_separated(0, 400, [(200, "x")])
    assert ladder.d_separated(0, 400, [(200, "x"), (200, "y")])
    assert ladder.d_separated([(200, "x")], [(200, "y")], 200)
    assert not ladder.d_separated([(200, "x")], [(200, "y")], [200, 399])


def test_names_and_sets():
    """A tuple that is the name of a node is a node; lists, tuples and sets of names are sets."""
    network = BayesianNetwork([(("x", 1), "y"), ("y", "z"), ("w", "z")])
    assert network.d_separated(("x", 1), "z", "y")
    assert network.d_separated([("x", 1)], ("w", "z"), {"y"})
    assert not network.d_separated(("x", 1), ["w"], ("z",))
    assert network.d_separated(("x", 1), [], ("z",))


@pytest.mark.parametrize(
    ("sets", "words"),
    [
        (("a", "a"), "'a' is in a and in b"),
        (("a", "b", ["b"]), "'b' is in b and in given"),
        ((["b", "a"], "c", {"a"}), "'a' is in a and in given"),
        (("a", "x"), "There is no node 'x'; the nodes are 'a', 'b', 'c'."),
        (("a", "b", ["c", 3]), "There is no node 3"),
        (("a", {"b": 1}), "There is no node"),
    ],
)
def test_bad_sets(sets, words):
    """The refusal names the node."""
    network = BayesianNetwork([("a", "b"), ("b", "c")])
    for ask in (network.d_separated, network.paths):
        with pytest.raises(ValueError, match=words):
            ask(*sets)


@quick
@given(graph=directed_graphs())
def test_relatives(graph):
    """Ancestors, descendants and blankets by their definitions."""
    network = BayesianNetwork(as_mapping(graph))
    for name in graph.nodes:
        assert set(network.descendants(name)) == below(graph.edges, name) - {name}
        assert set(network.ancestors(name)) == {a for a in graph.nodes if name in below(graph.edges, a)} - {name}
        blanket = network.markov_blanket(name)
        rest = [other for other in graph.nodes if other not in (name, *blanket)]
        assert name not in blanket
        assert not rest or network.d_separated(name, rest, blanket)
        for one in blanket:  # none of it can be spared
            assert not network.d_separated(name, one, [other for other in blanket if other != one])


def test_the_moral_graph():
    """Directions are dropped and parents of one child are joined."""
    graph = DirectedGraph.of([("a", "c"), ("b", "c"), ("c", "d")], "abcd")
    assert [{graph.nodes[u] for u in beside} for beside in graph.moral] == [{"b", "c"}, {"a", "c"}, {"a", "b", "d"}, {"c"}]
