"""The compiled kernels of messages agree with their plain twins: sums over the joint table, a row at a time."""

from itertools import product

import numpy as np
import pytest

from aprendiz.graphical.graph.directed_graph import DirectedGraph
from aprendiz.graphical.inference import row_kernels
from aprendiz.graphical.inference.flat_tables import FlatTables
from aprendiz.graphical.inference.junction_tree import JunctionTree
from aprendiz.graphical.inference.messages import BARREN, MISSING
from aprendiz.graphical.inference.rows_of_evidence import levels_of
from aprendiz.graphical.inference.workspace import cells_of_rows, workspace

GRAPH = DirectedGraph.of({"a": [], "b": ["a"], "c": ["a"], "d": ["b", "c"], "e": ["c"], "f": ["d"], "g": []})
SIZES = (2, 3, 2, 2, 3, 1, 2)
RNG = np.random.default_rng(3)
TABLES = [
    RNG.dirichlet(np.ones(SIZES[v]), tuple(SIZES[u] for u in parents)).reshape([SIZES[u] for u in (*parents, v)])
    for v, parents in enumerate(GRAPH.parents)
]
TREE = JunctionTree.of(GRAPH, SIZES)
CODES = np.array([[RNG.integers(-1, size) for size in SIZES] for _ in range(30)], dtype=np.int32)
CODES[0], CODES[1] = -1, 0


def joint_of(row):
    """p of each cell that agrees with a row, zeros elsewhere."""
    p = np.zeros(SIZES)
    for cell in product(*map(range, SIZES)):
        if all(code in (-1, level) for code, level in zip(row, cell, strict=True)):
            p[cell] = np.prod([TABLES[v][tuple(cell[u] for u in family)] for v, family in enumerate(TREE.families)])
    return p


def test_known_levels():
    """The target is missing, a node of one level is known, nodes without known descendants are barren if wanted."""
    for target, skip in ((-1, False), (-1, True), (4, True)):
        found = levels_of(TREE, CODES, target, skip_barren=skip)
        for row, levels in zip(CODES, found, strict=True):
            for v, code in enumerate(row):
                below = GRAPH.descendants([v])
                if skip and target not in below and all(row[u] < 0 for u in below):
                    assert levels[v] == BARREN
                elif v == target or (code < 0 and SIZES[v] > 1):
                    assert levels[v] == MISSING
                else:
                    assert levels[v] == max(code, 0)


def test_largest_cells():
    """The levels of what is missing, multiplied; the largest of all rows."""
    known = levels_of(TREE, CODES[2:12])
    cells, sent = cells_of_rows(TREE, known)
    for c, clique in enumerate(TREE.cliques):
        for found, nodes in ((cells, clique), (sent, TREE.separators[c])):
            assert found[c] == max(np.prod([SIZES[v] for v in nodes if row[v] == MISSING]) for row in known)


@pytest.mark.parametrize("in_logs", [False, True])
def test_count_rows(in_logs):
    """Expected counts and ln p."""
    flat, known, weights = FlatTables.of(TABLES), levels_of(TREE, CODES), RNG.random(len(CODES))
    counts, log_p = np.zeros(len(flat.values)), np.empty(len(CODES))
    logs = np.zeros(len(TREE.cliques), dtype=bool) if in_logs else None
    values = flat.logs if in_logs else flat.values
    row_kernels.count_rows(TREE.arrays, values, known, weights, workspace(TREE, known), logs, counts, log_p)
    joints = [joint_of(row) for row in CODES]
    np.testing.assert_allclose(log_p, [np.log(p.sum()) for p in joints], rtol=1e-12, atol=1e-14)
    for v, found in enumerate(flat.shaped(counts)):
        family = TREE.families[v]
        expected = sum(
            w * np.einsum(p, list(range(len(SIZES))), list(family)) / p.sum() for w, p in zip(weights, joints, strict=True)
        )
        np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("in_logs", [False, True])
def test_target_rows(in_logs):
    """The joint posterior of a clique's nodes, in another order than the clique's."""
    clique = TREE.cliques[0]
    targets = tuple(reversed(clique))
    shape = tuple(SIZES[v] for v in targets)
    flat, codes = FlatTables.of(TABLES), CODES.copy()
    codes[:, list(targets)] = -1
    known, log_p, posterior = levels_of(TREE, codes), np.empty(len(codes)), np.empty((len(codes), int(np.prod(shape))))
    stride = np.array([int(np.prod(shape[targets.index(v) + 1 :])) for v in clique], dtype=np.int64)
    logs = np.zeros(len(TREE.cliques), dtype=bool) if in_logs else None
    values = flat.logs if in_logs else flat.values
    row_kernels.target_rows(TREE.arrays, values, known, stride, workspace(TREE, known), logs, posterior, log_p)
    for row, found in zip(codes, posterior, strict=True):
        p = joint_of(row)
        expected = np.einsum(p, list(range(len(SIZES))), list(targets)) / p.sum()
        np.testing.assert_allclose(found.reshape(shape), expected, rtol=1e-11, atol=1e-14)


def test_best_rows():
    """The largest cell of the joint table that agrees with a row."""
    flat, known = FlatTables.of(TABLES), levels_of(TREE, CODES)
    found, log_p = np.empty_like(known), np.empty(len(known))
    every = np.ones(len(TREE.cliques), dtype=bool)
    row_kernels.best_rows(TREE.arrays, flat.logs, known, workspace(TREE, known), every, found, log_p)
    for row, best, value in zip(CODES, found, log_p, strict=True):
        p = joint_of(row)
        assert tuple(best) == np.unravel_index(p.argmax(), SIZES)
        assert value == pytest.approx(np.log(p.max()), rel=1e-12)


@pytest.mark.parametrize("in_logs", [False, True])
def test_posterior_rows(in_logs):
    """The posteriors of all nodes, one after the other; one for the level of a known node."""
    flat, known = FlatTables.of(TABLES), levels_of(TREE, CODES)
    log_p, found = np.empty(len(known)), np.empty((len(known), sum(SIZES)))
    logs = np.zeros(len(TREE.cliques), dtype=bool) if in_logs else None
    values = flat.logs if in_logs else flat.values
    row_kernels.posterior_rows(TREE.arrays, values, known, workspace(TREE, known), logs, found, log_p)
    for row, posteriors, value in zip(CODES, found, log_p, strict=True):
        p = joint_of(row)
        expected = [np.einsum(p, list(range(len(SIZES))), [v]) / p.sum() for v in range(len(SIZES))]
        np.testing.assert_allclose(posteriors, np.concatenate(expected), rtol=1e-11, atol=1e-14)
        assert value == pytest.approx(np.log(p.sum()), rel=1e-12, abs=1e-14)
