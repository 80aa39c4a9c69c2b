"""The compiled kernels of cuts and of the class's posterior agree with plain loops."""

from collections import Counter

import numpy as np
import pytest
from entries import entry

from aprendiz.graphical.classification import class_posterior
from aprendiz.graphical.graph.directed_graph import DirectedGraph
from aprendiz.graphical.tables.discrete_network import DiscreteNetwork
from aprendiz.preprocessing.binning import bin_codes, class_values, entropy_cuts


def triples(rng, n):
    """Sorted triples of value, class and weight, each pair once."""
    pairs = sorted({(float(x), int(c)) for x, c in zip(rng.integers(0, 6, n), rng.integers(0, 3, n), strict=True)})
    x, c = (np.array([pair[i] for pair in pairs]) for i in range(2))
    return x.astype(float), c.astype(np.int64), rng.integers(1, 5, len(pairs)).astype(float)


@pytest.mark.parametrize(("n", "m"), [(0, 4), (4, 0), (7, 12), (1, 1)])
def test_merged(n, m):
    """All pairs of both lists, in order, with the sums of their weights."""
    rng = np.random.default_rng(n + m)
    a, b = triples(rng, n), triples(rng, m)
    total = Counter()
    for one in (a, b):
        for x, c, w in zip(*one, strict=True):
            total[x, c] += w
    found = class_values.merged(a, b)
    assert list(zip(*(part.tolist() for part in found), strict=True)) == [(x, c, total[x, c]) for x, c in sorted(total)]


def test_summed_runs():
    """The triples of sorted cells, whatever the order of the classes of equal ones."""
    rng = np.random.default_rng(2)
    x = np.sort(rng.integers(0, 9, 40)).astype(float)
    y, w = rng.integers(0, 3, 40), rng.integers(1, 4, 40).astype(float)
    total = Counter()
    for cell, label, weight in zip(x, y, w, strict=True):
        total[cell, label] += weight
    found = class_values.summed_runs(x, y, w)
    assert list(zip(*(part.tolist() for part in found), strict=True)) == [(x, c, total[x, c]) for x, c in sorted(total)]


@pytest.mark.parametrize("kind", [np.float64, np.float32, np.int64])
def test_bin_codes(kind):
    """How many cuts lie below each cell; −1 for a missing one."""
    X = np.random.default_rng(3).integers(-3, 9, (50, 3)).astype(kind)
    cuts = [np.array([0.0, 2.0, 5.5]), np.empty(0), np.array([-3.0])]
    expected = np.stack([(own < X[:, [j]]).sum(axis=1) for j, own in enumerate(cuts)], axis=1)
    if kind != np.int64:
        X[7, 0], expected[7, 0] = np.nan, -1
    np.testing.assert_array_equal(bin_codes.bin_codes(X, cuts), expected)


def test_looked_up_bits():
    """The bits of both parts of a cut, from whole weights."""
    logs, total, left = entropy_cuts.logs_of_whole(20), np.array([5.0, 0.0, 9.0]), np.array([4.0, 0.0, 1.0])
    both = sum(entry(entropy_cuts.total_bits)(part) for part in (left, total - left))
    assert entry(entropy_cuts.looked_up_bits)(total, left, logs) == pytest.approx(both, rel=1e-13)


def test_bits():
    """W·H, and k·H."""
    for weights in ([1.0, 1.0], [3.0, 0.0, 1.0], [5.0], [0.1, 0.2, 0.7]):
        share = np.array([w for w in weights if w]) / sum(weights)
        entropy = -float(share @ np.log2(share))
        assert entry(entropy_cuts.total_bits)(np.array(weights)) == pytest.approx(sum(weights) * entropy, abs=1e-15)
        assert entry(entropy_cuts.classes_times_entropy)(np.array(weights)) == pytest.approx(len(share) * entropy, abs=1e-15)


def small_network(rng):
    """Four columns and a class: 0 → class → 1, 2 → 3, class → 3, 3 → 2 has no arrow."""
    graph = DirectedGraph.of([(0, 4), (4, 1), (2, 3), (4, 3), (1, 2)], range(5))
    sizes = [2, 3, 2, 3, 2]
    levels = {v: range(size) for v, size in enumerate(sizes)}
    tables = {v: rng.dirichlet(np.ones(sizes[v]), [sizes[u] for u in graph.parents[v]]) for v in range(5)}
    return DiscreteNetwork.of(graph, levels, tables), sizes


def test_add_blanket():
    """The product over the class and its children, where all their families are known or nothing below them is."""
    rng = np.random.default_rng(0)
    network, sizes = small_network(rng)
    codes = np.stack([rng.integers(-1, size, 60) for size in sizes[:4]], axis=1).astype(np.int32)
    blanket, joint, left_out = class_posterior.Blanket.of(network), np.zeros((60, 2)), np.zeros(60, bool)
    class_posterior.add_blanket(codes, *vars(blanket).values(), joint, left_out)
    tables = network.tables
    for row, found, asked in zip(codes, joint, left_out, strict=True):
        a, b, c, d = row
        below_b = c >= 0 or d >= 0  # 1 → 2 → 3
        if a < 0 or (b < 0 and below_b) or (d >= 0 and c < 0):
            assert asked
            continue
        assert not asked
        expected = tables[4][a].copy()
        expected *= tables[1][:, b] if b >= 0 else 1.0
        expected *= tables[3][c, :, d] if d >= 0 else 1.0
        np.testing.assert_allclose(found, np.log(expected), rtol=1e-13)


def test_mark_barren():
    """A missing node with nothing known below it."""
    blanket, barren = class_posterior.Blanket.of(small_network(np.random.default_rng(1))[0]), np.zeros(4, bool)
    for codes, expected in [([-1, -1, -1, -1], [0, 1, 1, 1]), ([0, -1, 0, -1], [0, 0, 0, 1]), ([-1, -1, -1, 0], [0, 0, 0, 0])]:
        entry(class_posterior.mark_barren)(np.array(codes, np.int32), blanket.order, blanket.first, blanket.below, barren)
        assert barren.tolist() == [bool(one) for one in expected]
