"""Rows of evidence agree with enumeration, row by row, also in logarithms; and junction trees are what they should be."""

import math
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_graphs import directed_graphs
from random_networks import agreeing, joint_table, quick, random_network, summed_onto

from aprendiz.graphical.graph.directed_graph import DirectedGraph
from aprendiz.graphical.inference import elimination_orders
from aprendiz.graphical.inference.elimination_orders import RULES, ShrinkingGraph, best_order, greedy_order, neighbours_in
from aprendiz.graphical.inference.flat_tables import FlatTables
from aprendiz.graphical.inference.junction_tree import Cost, JunctionTree, readable_bytes
from aprendiz.graphical.inference.row_kernels import count_rows, target_rows
from aprendiz.graphical.inference.rows_of_evidence import (
    FEW,
    expected_counts,
    levels_of,
    log_likelihoods,
    most_probable_rows,
    posteriors_of_rows,
)
from aprendiz.graphical.inference.workspace import refuse_wide, workspace


def random_rows(rng, sizes, n):
    """Rows of codes with half of the cells missing."""
    codes = np.stack([rng.integers(0, size, n) for size in sizes], axis=1)
    return np.where(rng.random(codes.shape) < 0.5, -1, codes).astype(np.int32)


def case(seed, n=12):
    model = random_network(seed)
    rng = np.random.default_rng(seed)
    network = model.network_
    tree = JunctionTree.of(network.graph, network.sizes)
    return joint_table(model), tree, network.tables, random_rows(rng, network.sizes, n), rng.integers(0, 4, n)


def known_cells(row):
    return {v: int(code) for v, code in enumerate(row) if code >= 0}


@quick
@given(st.integers(0, 10**6))
def test_rows_agree_with_enumeration(seed):
    """Expected counts, ln p, posteriors of every node and most probable levels."""
    p, tree, tables, codes, weights = case(seed)
    counts, log_p = expected_counts(tree, tables, codes, weights)
    filled, best = most_probable_rows(tree, tables, codes)
    posteriors = [posteriors_of_rows(tree, tables, codes, v) for v in range(p.ndim)]
    expected = [np.zeros(np.shape(table)) for table in tables]
    for i, row in enumerate(codes):
        known = known_cells(row)
        q = agreeing(p, known)
        total = q.sum()
        assert math.isclose(math.exp(log_p[i]), total, rel_tol=1e-12)
        for v, family in enumerate(tree.families):
            if total > 0:
                expected[v] += (weights[i] * summed_onto(q, family) / total).astype(float)
            without = summed_onto(agreeing(p, {u: code for u, code in known.items() if u != v}), [v])
            if without.sum() > 0:
                np.testing.assert_allclose(posteriors[v][i], (without / without.sum()).astype(float), rtol=1e-12, atol=1e-15)
            else:
                assert np.isnan(posteriors[v][i]).all()
        assert math.isclose(math.exp(best[i]), q.max(), rel_tol=1e-12)
        assert total == 0 or q[tuple(filled[i])] == q.max()
        assert known.items() <= known_cells(filled[i]).items()
    np.testing.assert_allclose(log_likelihoods(tree, tables, codes), log_p, rtol=1e-12, atol=1e-12)
    for found, want in zip(counts, expected, strict=True):
        np.testing.assert_allclose(found, want, rtol=1e-10, atol=1e-12)


@quick
@given(st.integers(0, 10**6))
def test_logarithms_say_the_same(seed):
    """The pass in logarithms, which rows take whose products are too small, agrees with the plain one."""
    _, tree, tables, codes, weights = case(seed)
    flat, known, weights = FlatTables.of(tables), levels_of(tree, codes), weights.astype(float)
    sums, rows, target = np.zeros(len(tree.cliques), dtype=bool), len(codes), tree.cliques[0][0]
    asked, stride = levels_of(tree, codes, target), np.array([int(v == target) for v in tree.cliques[0]])
    found = []
    for values, logs in ((flat.values, None), (flat.logs, sums)):
        counts, log_p = np.zeros(len(flat.values)), np.empty(rows)
        count_rows(tree.arrays, values, known, weights, workspace(tree, known), logs, counts, log_p)
        posterior, again = np.empty((rows, tree.sizes[target])), np.empty(rows)
        target_rows(tree.arrays, values, asked, stride, workspace(tree, asked), logs, posterior, again)
        found.append((log_p, counts, again, posterior))
    for plain, in_logs in zip(*found, strict=True):
        np.testing.assert_allclose(in_logs, plain, rtol=1e-10, atol=1e-12)


def test_equal_rows_are_inferred_once_and_each_gets_its_answer():
    """Copies in any order, more than the few that are not compared; and the same bits for one row alone."""
    p, tree, tables, codes, _ = case(5, n=40)
    order = np.random.default_rng(0).permutation(np.repeat(np.arange(40), 3))
    many = codes[order]
    assert len(many) > FEW
    np.testing.assert_array_equal(log_likelihoods(tree, tables, many), log_likelihoods(tree, tables, codes)[order])
    for v in range(p.ndim):
        alone = np.concatenate([posteriors_of_rows(tree, tables, row[None], v) for row in codes])
        np.testing.assert_array_equal(posteriors_of_rows(tree, tables, many, v), alone[order])
    np.testing.assert_array_equal(most_probable_rows(tree, tables, many)[0], most_probable_rows(tree, tables, codes)[0][order])


def test_no_rows():
    """Nothing in, nothing out."""
    _, tree, tables, codes, _ = case(5)
    counts, log_p = expected_counts(tree, tables, codes[:0], np.empty(0))
    assert (
        len(log_p) == len(log_likelihoods(tree, tables, codes[:0])) == len(posteriors_of_rows(tree, tables, codes[:0], 0)) == 0
    )
    assert not any(table.any() for table in counts)
    filled, best = most_probable_rows(tree, tables, codes[:0])
    assert filled.shape == codes[:0].shape
    assert len(best) == 0


def test_many_threads_the_same_bits(monkeypatch):
    """Blocks of rows are added in their order."""
    _, tree, tables, codes, weights = case(11, n=2000)
    found = []
    for threads in ("1", "2", "5"):
        monkeypatch.setenv("APRENDIZ_NUM_THREADS", threads)
        found.append(np.concatenate([table.ravel() for table in expected_counts(tree, tables, codes, weights)[0]]))
    assert found[0].tobytes() == found[1].tobytes() == found[2].tobytes()


def test_rows_of_a_network_that_is_too_wide():
    """Ninety children that tie ninety nodes together: rows that know these are answered, rows that do not are refused."""
    rng = np.random.default_rng(0)
    parents = {v: [] for v in range(90)} | {90 + v: rng.choice(90, 3, replace=False).tolist() for v in range(90)}
    graph = DirectedGraph.of(parents)
    tables = [np.full([4] * (len(own) + 1), 0.25) for own in graph.parents]
    tree = JunctionTree.of(graph, [4] * 180)
    row = np.zeros((1, 180), dtype=np.int32)
    assert log_likelihoods(tree, tables, row)[0] == pytest.approx(180 * math.log(0.25))
    row[:, 90:] = -1
    assert log_likelihoods(tree, tables, row)[0] == pytest.approx(90 * math.log(0.25))
    with pytest.raises(ValueError, match="even with what the rows know"):
        log_likelihoods(tree, tables, -1 - row)


# ---- junction trees ----------------------------------------------------------------------------------------------------


@quick
@given(directed_graphs(8), st.integers(0, 2**20))
def test_cliques_and_running_intersection(graph, number):
    """Families have homes, no clique lies inside its neighbour, and each node lives in one connected part; from any root."""
    sizes = np.random.default_rng(number).integers(1, 4, len(graph)).tolist()
    first = JunctionTree.of(graph, sizes)
    for tree in (first, first.rooted(number % len(first.cliques))):
        cliques = [set(clique) for clique in tree.cliques]
        assert all(cliques[home] >= {*family} for home, family in zip(tree.homes, tree.families, strict=True))
        assert tree.above[0] == -1
        assert all(upper < c for c, upper in enumerate(tree.above))
        for c, upper in enumerate(tree.above[1:], 1):
            assert set(tree.separators[c]) == cliques[c] & cliques[upper]
            assert not cliques[c] <= cliques[upper] or len(cliques) == 1
            assert not cliques[upper] <= cliques[c]
        for v in range(len(graph)):  # in a tree: one part if and only if one clique has no neighbour above with v
            assert sum(v in clique and v not in tree.separators[c] for c, clique in enumerate(tree.cliques)) == 1
        cells = [math.prod(sizes[v] for v in clique) for clique in tree.cliques]
        assert tree.cost == Cost(max(cells), sum(cells))


def test_elimination_orders():
    """A square needs one line more, whichever rule; small messages go first; ties go to the first; `last` waits."""
    square = neighbours_in([(0, 1), (1, 2), (2, 3), (3, 0)])
    for rule in RULES:
        order = greedy_order(square, [2, 2, 2, 2], rule)
        assert order.nodes == (0, 1, 2, 3)
        assert order.cells == 8 + 8
        assert greedy_order(square, [2, 2, 2, 2], rule, last=[0]).nodes[-1] == 0
        assert greedy_order(square, [2, 2, 2, 2], rule) == order
    assert greedy_order(square, [9, 2, 2, 2], "min-message").nodes[0] == 0
    star = neighbours_in([(0, v) for v in range(1, 6)])
    assert best_order(star, [3] * 6).nodes[:4] == (1, 2, 3, 4)


def test_pairs_and_cells_while_nodes_are_eliminated():
    """The numbers that are kept up to date, one pair at a time, are those of the graph that is left."""
    rng = np.random.default_rng(0)
    for nodes in (5, 12, 30):
        sizes = rng.integers(1, 5, nodes).tolist()
        graph = ShrinkingGraph.of(neighbours_in(rng.integers(0, nodes, (2 * nodes, 2)).tolist()), sizes)
        for v in rng.permutation(list(graph.joined)).tolist():
            before = dict(graph.fill), dict(graph.weight)
            changed = graph.eliminate(v)
            assert v not in changed
            del graph.joined[v]
            for u, own in graph.joined.items():
                assert v not in own
                assert graph.fill[u] == graph.missing_pairs(u) == sum(b not in graph.joined[a] for a, b in combinations(own, 2))
                assert graph.weight[u] == math.prod(sizes[w] for w in (u, *own))
                assert u in changed or (graph.fill[u], graph.weight[u]) == (before[0][u], before[1][u])


def test_the_cheapest_order_is_kept(monkeypatch):
    """Each rule is the cheapest on some graph; where that of min-fill is cheap, no other is tried."""
    rng, won = np.random.default_rng(0), set()
    for _ in range(60):
        joined = neighbours_in([*pairwise(rng.permutation(16).tolist()), *rng.integers(0, 16, (16, 2)).tolist()])
        sizes = rng.integers(2, 5, 16).tolist()
        cells = {rule: greedy_order(joined, sizes, rule).cells for rule in RULES}
        monkeypatch.setattr(elimination_orders, "CHEAP", 0)
        assert best_order(joined, sizes).cells == min(cells.values())
        monkeypatch.setattr(elimination_orders, "CHEAP", cells["min-fill"])
        assert best_order(joined, sizes) == greedy_order(joined, sizes, "min-fill")
        won |= {rule for rule in RULES if cells[rule] < min(cells[other] for other in RULES if other != rule)}
    assert won == set(RULES)


def test_bytes_in_words():
    assert readable_bytes(1000) == "1000 bytes"
    assert readable_bytes(3 * 2**30) == "3 GiB"
    assert str(Cost(4, 10)) == "10 cells in all, 4 in the largest clique, 160 bytes"
    assert readable_bytes(16 * 10**30) == "1.6e+31 bytes"
    assert str(Cost(2**3000, 10**15)) == "1.0e+15 cells in all, 1.2e+903 in the largest clique, 1.46e+04 TiB"


def test_cliques_beyond_all_doubles():
    """What rows would take is said, however much it is."""
    graph = DirectedGraph.of({(a, b): [a, b] for a, b in combinations(range(60), 2)}, [*range(60), *combinations(range(60), 2)])
    tree = JunctionTree.of(graph, [10**6 if v < 60 else 1 for v in range(len(graph))])
    assert tree.cost.largest == 10**360
    with pytest.raises(ValueError, match=r"have 1.8e\+308 cells \(2.9e\+309 bytes\)"):
        refuse_wide(tree, np.full((1, len(graph)), -1, dtype=np.int32))
