"""PC: with perfect tests the class of the graph, exactly; on rows what their tests say, in any order of the columns."""

from dataclasses import replace
from itertools import combinations, pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aprendiz import PCStable, independence_test
from aprendiz.graphical.graph.directed_graph import DirectedGraph
from aprendiz.graphical.graph.partly_directed_graph import PartlyDirectedGraph
from aprendiz.graphical.graph.separation import separated
from aprendiz.graphical.structure import pair_tests
from aprendiz.graphical.structure.colliders import by_majority
from aprendiz.graphical.structure.dependence import G2, X2
from aprendiz.graphical.structure.known_edges import KnownEdges
from aprendiz.graphical.structure.orientation import as_graph, directions, without_cycles
from aprendiz.graphical.structure.pair_tests import PairTests
from aprendiz.graphical.structure.rows_with_holes import RowsWithHoles
from aprendiz.graphical.structure.skeleton import Skeleton, by_one_set

quick = settings(max_examples=30, deadline=None, database=None, derandomize=True)


class Separations:
    """Perfect tests: p = 1 if the graph separates a and b, else 0."""

    def __init__(self, graph):
        self.graph = graph

    def p_values(self, tests):
        return np.array([float(separated(self.graph, [a], [b], given)) for *given, a, b in tests.tolist()])


def random_graph(rng, d, share):
    """Nodes 0 to d − 1 in a random order, each pair joined with a probability."""
    order = rng.permutation(d).tolist()
    edges = [(order[i], order[j]) for i, j in combinations(range(d), 2) if rng.random() < share]
    return DirectedGraph.of(edges, range(d))


def found_by(tests, known, alpha=0.5, *, majority=True):
    """The class that tests tell, and the last state."""
    state = Skeleton.complete(known)
    while not state.settled:
        state = state.after(known, tests, alpha, None)
    voted, _ = by_majority(state, known, tests, alpha, None)
    if majority:
        state = replace(state, colliders=voted)
    return directions(state.adjacent, state.colliders, known), state


@quick
@given(st.integers(0, 2**32), st.integers(1, 8), st.floats(0.1, 0.7), st.booleans())
def test_perfect_tests_give_the_class(seed, d, share, majority):
    """Adjacent pairs, v-structures and all directions that follow, of random graphs."""
    graph = random_graph(np.random.default_rng(seed), d, share)
    (matrix, conflicts), state = found_by(Separations(graph), KnownEdges.of(range(d)), majority=majority)
    assert conflicts == []
    assert as_graph(matrix, graph.nodes) == PartlyDirectedGraph.of_class(graph)
    assert all(separated(graph, [a], [b], between) for (a, b), between in state.separators().items())


@quick
@given(st.integers(0, 2**32), st.floats(0.2, 0.7))
def test_what_is_known_is_kept(seed, share):
    """Tiers, required and forbidden arrows of the true graph: no arrow is wrong, and all that is known stands."""
    rng = np.random.default_rng(seed)
    graph = random_graph(rng, 6, share)
    tiers = [list(graph.order[:3]), list(graph.order[3:])]
    required = [edge for edge in graph.edges if rng.random() < 0.3]
    others = [pair for pair in combinations(range(6), 2) if not {pair, pair[::-1]} & set(graph.edges)]
    forbidden = [pair for pair in others if rng.random() < 0.3]
    known = KnownEdges.of(range(6), tiers=tiers, required=required, forbidden=forbidden)
    (matrix, conflicts), _ = found_by(Separations(graph), known)
    (plain, _), _ = found_by(Separations(graph), KnownEdges.of(range(6)))
    assert conflicts == []
    assert np.array_equal(matrix | matrix.T, plain | plain.T)
    assert all(matrix[edge] for edge in graph.edges)
    for a, b in required:
        assert not matrix[b, a]
    assert not (matrix & ~known.allowed)[matrix & ~matrix.T].any()


def test_forbidden_pairs_have_separating_sets():
    """0 → 1 → 2 ← 3: that 1 and 3 may not be adjacent says nothing of the v-structure, which the set between them tells."""
    graph = DirectedGraph.of([(0, 1), (1, 2), (3, 2)], range(4))
    known = KnownEdges.of(range(4), required=[(0, 1)], forbidden=[(1, 3), (3, 1)])
    (matrix, _), state = found_by(Separations(graph), known)
    assert state.separators()[1, 3] == ()
    assert set(as_graph(matrix, graph.nodes).directed) == set(graph.edges)


def sampled(seed, rows=3000):
    """0 → 2 ← 1, 2 → 3 → 4: each child agrees with the sum of its parents in four rows of five."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, (rows, 5))
    for child, parents in ((2, [0, 1]), (3, [2]), (4, [3])):
        told = X[:, parents].sum(axis=1) >= len(parents)
        X[:, child] = np.where(rng.random(rows) < 0.85, told, 1 - told)
    return X


def test_network_from_rows():
    """The v-structure and what follows from it: all arrows of this graph."""
    model = PCStable(alpha=0.01).fit(sampled(0))
    assert set(model.directed_edges_) == {(0, 2), (1, 2), (2, 3), (3, 4)}
    assert model.undirected_edges_ == ()
    assert model.separating_sets_[0, 1] == ()
    assert model.separating_sets_[2, 4] == (3,)
    assert set(model.edges_) == set(model.directed_edges_)
    assert model.certificate_.holds
    assert model.certificate_.largest_p_of_edges <= 0.01 < model.certificate_.smallest_p_of_others


@pytest.mark.parametrize("statistic", ["g2", "x2"])
@pytest.mark.parametrize("adjust_df", [False, True])
def test_tests_are_those_of_independence_test(statistic, adjust_df, monkeypatch):
    """p values of tests with and without holes, weights and a table of more cells than rows: one by one the same."""
    rng = np.random.default_rng(3)
    X = rng.integers(0, [2, 3, 4, 2, 3], (200, 5)).astype(float)
    X[rng.random(X.shape) < 0.1] = np.nan
    w = rng.integers(0, 3, 200).astype(float)
    rows = PCStable().open(X, None, w).sum(RowsWithHoles.of, None, "PCStable")
    tests = [((), 0, 1), ((2,), 0, 1), ((1, 3), 4, 2), ((0, 1, 3), 2, 4)]
    expected = [
        independence_test(X, a, b, given, statistic=statistic, adjust_df=adjust_df, sample_weight=w).p_value
        for given, a, b in tests
    ]
    judge = PairTests(rows, {"g2": G2, "x2": X2}[statistic], adjust_df)
    for most, together in (
        (2**16, 2**20),
        (0, 2**20),
        (0, 20),
    ):  # cell by cell; by strata, where they have more cells than rows
        monkeypatch.setattr(pair_tests, "MOST_CELLS", most)
        monkeypatch.setattr(pair_tests, "CELLS_TOGETHER", together)
        found = [judge.p_values(np.array([[*given, a, b]]))[0] for given, a, b in tests]
        np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_columns_that_identify_rows():
    """A table of two columns that no memory holds is refused, and the column named."""
    with pytest.raises(ValueError, match="Column 1 has 20000 levels, too many for a test"):
        PCStable().fit([[0, 0, 1], [19_000, 19_999, 0]])
    with pytest.raises(ValueError, match="Column 1 has 20000 levels, too many for a test"):
        independence_test([[0, 0, 1], [19_000, 19_999, 0]], 0, 1)


def test_any_order_of_the_columns():
    """The class, the separating sets and the p values follow the columns."""
    X = sampled(1, 300)
    model, order = PCStable(alpha=0.1).fit(X), np.array([3, 0, 4, 2, 1])
    moved = PCStable(alpha=0.1).fit(X[:, order])
    assert np.array_equal(moved.adjacency_, model.adjacency_[np.ix_(order, order)])
    np.testing.assert_allclose(moved.p_values_, model.p_values_[np.ix_(order, order)], rtol=1e-9)
    there = {frozenset(order[list(pair)].tolist()): set(order[list(s)].tolist()) for pair, s in moved.separating_sets_.items()}
    assert there == {frozenset(pair): set(given) for pair, given in model.separating_sets_.items()}


def test_sizes_of_sets():
    """`max_conditioning` ends the search; each state is one size, and edges only leave."""
    X = sampled(2, 500)
    states = list(PCStable().steps(X))
    assert [state.iteration for state in states] == list(range(len(states)))
    assert all(a.objective >= b.objective for a, b in pairwise(states))
    assert states[0].objective == 10
    marginal = PCStable(max_conditioning=0, colliders="separating set").fit(X)
    assert marginal.n_tests_ == 10
    assert all(given == () for given in marginal.separating_sets_.values())
    assert np.array_equal(marginal.adjacency_ | marginal.adjacency_.T, states[1].adjacent)


def test_known_edges_by_name():
    """A required arrow stands though the rows say nothing of it; tiers direct what the rows leave open."""
    frame = pd.DataFrame(sampled(0), columns=list("abcde"))
    model = PCStable(required=[("a", "e")], tiers=[["d"], ["e"]], forbidden=[("c", "d"), ("d", "c")]).fit(frame)
    assert ("a", "e") in model.directed_edges_
    assert ("d", "e") in model.directed_edges_
    assert not {("c", "d"), ("d", "c")} & {*model.edges_, *model.undirected_edges_}
    with pytest.raises(ValueError, match="'z'"):
        PCStable(required=[("a", "z")]).fit(frame)


def contradictory():
    """A chain 0 — 1 — 2 — 3 whose ends are separated as if both middle nodes were colliders."""
    adjacent = np.zeros((4, 4), bool)
    adjacent[[0, 1, 2], [1, 2, 3]] = True
    adjacent |= adjacent.T
    return adjacent, by_one_set(adjacent, {(0, 2): (), (1, 3): (), (0, 3): ()})


class Ballot:
    """p values of 0 ⊥ 1 by the set; nothing separates others."""

    def __init__(self, chances):
        self.chances = chances

    def p_values(self, tests):
        return np.array([self.chances[frozenset(given)] if (a, b) == (0, 1) else 0.0 for *given, a, b in tests.tolist()])


@pytest.mark.parametrize(
    ("separating", "colliders"),
    [([(), (2,), (2, 3)], {3}), ([(), (2,)], {3}), ([()], {2, 3}), ([(2,), (3,), (2, 3)], set()), ([], {2, 3})],
    ids=["two of three", "half", "one", "all", "none any more"],
)
def test_majority_of_the_sets(separating, colliders):
    """0 and 1 have the neighbours 2 and 3: a node in fewer than half of the sets that separate them is a collider. The set
    with the largest p value alone, the empty one, would make both colliders."""
    adjacent = np.zeros((4, 4), bool)
    adjacent[:2, 2:] = adjacent[2:, :2] = True
    known = KnownEdges.of(range(4), forbidden=[(2, 3), (3, 2)])
    first = replace(Skeleton.complete(known), adjacent=adjacent, separated=np.array([[0, 1]]), ends=np.array([0]))
    ballot = Ballot({frozenset(s): 0.6 * (s in separating) for s in [(), (2,), (3,), (2, 3)]})
    found, count = by_majority(first, known, ballot, 0.05, None)
    assert count >= 4
    assert set(np.flatnonzero(found[0])) == set(np.flatnonzero(found[1])) == colliders


def test_contradictory_v_structures():
    """An edge that two v-structures direct both ways gets no direction from them, and is listed."""
    found, conflicts = directions(*contradictory(), KnownEdges.of(range(4)))
    assert conflicts == [(1, 2)]
    assert found[0, 1]
    assert not found[1, 0]
    assert not found[2, 3]
    found, conflicts = directions(*contradictory(), KnownEdges.of(range(4), required=[(1, 2)]))
    assert conflicts == [(1, 2)]
    assert found[1, 2]
    assert not found[2, 1]


def test_arrows_in_a_cycle():
    """Of arrows in a cycle one is turned round; the pairs stay."""
    graph = PartlyDirectedGraph("abcd", (("a", "b"), ("b", "c"), ("c", "a")), (("a", "d"),))
    made = without_cycles(graph)
    assert made.edges == (("a", "b"), ("a", "c"), ("b", "c"), ("a", "d"))


def test_directions_without_a_graph():
    """Four pairs in a ring, both diagonals separated by nothing: every node would be a collider, which no graph can be."""
    rng = np.random.default_rng(0)
    ring, noise = rng.integers(0, 2, (4, 4000)), 0.02
    hidden = ring[[0, 1, 2, 3]] + 2 * ring[[1, 2, 3, 0]]  # each column holds two neighbouring coins
    X = np.where(rng.random(hidden.shape) < noise, rng.integers(0, 4, hidden.shape), hidden).T
    with pytest.warns(UserWarning, match="no directed graph has all of them"):
        model = PCStable().fit(X)
    assert len(model.conflicts_) == 4
    assert not model.certificate_.holds
    assert {frozenset(edge) for edge in model.edges_} == {frozenset(pair) for pair in ((0, 1), (1, 2), (2, 3), (0, 3))}
