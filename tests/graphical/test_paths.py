"""The paths between nodes: all of them, the shortest first, each blocked by the nodes that the definition names."""

import pickle
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_graphs import as_mapping, below, blockers, directed_graphs, every_path, quick, three_sets

from aprendiz.graphical import BayesianNetwork
from aprendiz.locale import language


@settings(quick, max_examples=120)
@given(graph=directed_graphs(), data=st.data())
def test_every_path_with_its_verdict(graph, data):
    """Those of the definition, with the same nodes that block them."""
    (a, *_), (b, *_), observed = three_sets(data.draw, graph.nodes)
    found = BayesianNetwork(as_mapping(graph)).paths(a, b, observed, max_paths=1000)
    assert sorted(path.nodes for path in found) == sorted(every_path(graph.edges, a, b))
    assert found.complete
    assert found.separated == (len(found.open) == 0)
    lengths = [len(path.nodes) for path in found]
    assert lengths == sorted(lengths)
    for path in found:
        assert list(path.blocking) == blockers(graph.edges, path.nodes, observed)
        assert path.blocked == bool(path.blocking)
        arrows = zip(path.nodes, path.nodes[1:], strict=False)
        assert [(u, v) in graph.edges for u, v in arrows] == list(path.forward)
        for node in path.inside:
            if node.opened_by is not None:
                assert node.kind == "collider"
                assert node.opened_by in below(graph.edges, node.name) & set(observed)


@quick
@given(graph=directed_graphs(), data=st.data())
def test_paths_between_sets(graph, data):
    """Paths that meet the sets at their ends only; one of them is open unless the sets are separated."""
    a, b, observed = three_sets(data.draw, graph.nodes)
    network = BayesianNetwork(as_mapping(graph))
    found = network.paths(a, b, observed, max_paths=1000)
    every = [path for u, v in product(a, b) for path in every_path(graph.edges, u, v)]
    assert sorted(path.nodes for path in found) == sorted(path for path in every if not {*path[1:-1]} & {*a, *b})
    assert found.separated == network.d_separated(a, b, observed) == (len(found.open) == 0)


def test_more_paths_than_are_listed():
    """The shortest are listed, at once, and it is said that there are more; the verdict is that of all."""
    steps = range(200)
    edges = [edge for k in steps for edge in ((k, (k, "x")), (k, (k, "y")), ((k, "x"), k + 1), ((k, "y"), k + 1))]
    ladder = BayesianNetwork([*edges, (0, "short"), ("short", "cut"), (200, "cut")])
    found = ladder.paths(0, 200, "cut", max_paths=3)
    assert (len(found), found.complete, found.separated) == (3, False, False)
    assert found[0].nodes == (0, "short", "cut", 200)
    assert not found[0].blocked
    assert {len(path.nodes) for path in found.paths[1:]} == {401}
    assert str(found).splitlines()[-1] == "There are more paths than these 3."
    assert not ladder.paths(0, 200, [100, "short"], max_paths=2).complete


@settings(quick, max_examples=150)
@given(graph=directed_graphs(7), data=st.data())
def test_an_open_path_is_among_them(graph, data):
    """Whatever is left out, one that is open is listed if there is one, the shortest of them."""
    a, b, observed = three_sets(data.draw, graph.nodes)
    network = BayesianNetwork(as_mapping(graph))
    found, every = (network.paths(a, b, observed, max_paths=most) for most in (1, 1000))
    assert [len(path.nodes) for path in found.open] == [len(path.nodes) for path in every.open[:1]]
    assert found.complete == (len(every) <= 1)


def test_an_open_path_behind_many_that_are_not():
    """It goes around 2^200 shorter ones, which one observed node blocks."""
    steps = range(200)
    edges = [edge for k in steps for edge in ((k, (k, "x")), (k, (k, "y")), ((k, "x"), k + 1), ((k, "y"), k + 1))]
    around = [(0, "o0"), *((f"o{k}", f"o{k + 1}") for k in range(500)), ("o500", 200)]
    network = BayesianNetwork([*edges, *around])
    found = network.paths(0, 200, 150, max_paths=5)
    assert [len(path.nodes) for path in found] == [401, 401, 401, 401, 503]
    assert [path.blocked for path in found] == [True, True, True, True, False]
    assert str(found).splitlines()[0] == "0 ⊥ 200 | 150 does not hold (open paths: 1 of 5)"


def test_no_dead_ends():
    """A part of the graph that leads nowhere is not searched, however many paths it has."""
    dense = [(f"d{i}", f"d{j}") for i in range(30) for j in range(i + 1, 30)]
    found = BayesianNetwork([*dense, ("a", "d0"), ("a", "b"), ("b", "c")]).paths("a", "c")
    assert [path.nodes for path in found] == [("a", "b", "c")]
    assert found.complete


def test_what_is_printed():
    """The statement with its verdict, and a line for each path with what blocks or opens it."""
    network = BayesianNetwork([("a", "e"), ("f", "e"), ("f", "b"), ("e", "c"), ("a", "m"), ("m", "b")])
    assert str(network.paths("a", "b", ["c", "m"])).splitlines() == [
        "a ⊥ b | c, m does not hold (open paths: 1 of 2)",
        "a → m → b      blocked: m is observed, in a chain",
        "a → e ← f → b  open: c, a descendant of the collider e, is observed",
    ]
    assert str(network.paths("a", "b", ["f", "m"])).splitlines() == [
        "a ⊥ b | f, m holds: every path is blocked",
        "a → m → b      blocked: m is observed, in a chain",
        "a → e ← f → b  blocked: e is a collider, and neither it nor a descendant is observed; f is observed, at a fork",
    ]
    assert repr(network.paths("a", "b", "e")[1]) == "<a → e ← f → b  open: the collider e is observed>"
    assert repr(network.paths("a", "b")[0]) == "<a → m → b  open>"
    assert str(BayesianNetwork({"a": [], "b": []}).paths("a", "b")) == "a ⊥ b holds: no path joins them"
    with language("es"):
        assert (
            str(network.paths("a", "b", ["c", "m"])).splitlines()[1]
            == "a → m → b      bloqueado: m está observado, en una cadena"
        )


def test_paths_are_records():
    """They can be pickled, counted and looked into."""
    found = BayesianNetwork([("a", "b"), ("b", "c")]).paths("a", "c", "b")
    again = pickle.loads(pickle.dumps(found))
    assert again == found
    assert [node.kind for node in found[0].inside] == ["chain"]
    assert BayesianNetwork([("b", "a"), ("b", "c")]).paths("a", "c")[0].inside[0].kind == "fork"


@pytest.mark.parametrize("most", [0, -1, 1.5, True, None])
def test_bad_numbers_of_paths(most):
    """The refusal says what is possible."""
    with pytest.raises(ValueError, match="max_paths must be a whole number of at least 1"):
        BayesianNetwork([("a", "b")]).paths("a", "b", max_paths=most)
