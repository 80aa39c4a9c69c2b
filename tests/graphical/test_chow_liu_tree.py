"""Chow–Liu tree: the best of all spanning trees, by its definition; and what its certificate says of the next one."""

from functools import cache
from itertools import pairwise, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aprendiz import ChowLiuTree
from aprendiz.core.rows import Block
from aprendiz.graphical.counts.pair_counts import ALL_ROWS, PairCounts
from aprendiz.graphical.structure.mutual_information import pair_information
from aprendiz.graphical.structure.spanning_tree import spanning_tree, swap_margin

quick = settings(max_examples=25, deadline=None, database=None, derandomize=True)


def information(x, y, w):
    """I(x; y) by its definition, of the rows that know both."""
    known = (x >= 0) & (y >= 0)
    N = np.zeros((x.max() + 1, y.max() + 1))
    np.add.at(N, (x[known], y[known]), w[known])
    p = N / N.sum()
    ratio = p / np.outer(p.sum(axis=1), p.sum(axis=0))
    return float((p[p > 0] * np.log(ratio[p > 0])).sum())


@cache
def all_trees(d):
    """The pairs of each spanning tree of d nodes, from the sequences of Prüfer: trees × (d − 1) × 2."""
    trees = []
    for sequence in product(range(d), repeat=d - 2):
        degree = np.bincount(sequence, minlength=d) + 1
        edges = []
        for v in sequence:
            leaf = int(np.flatnonzero(degree == 1)[0])
            edges.append((leaf, v))
            degree[[leaf, v]] -= 1
        trees.append([*edges, tuple(np.flatnonzero(degree == 1))])
    return np.array(trees)


def chain(seed, rows=200, columns=5):
    """Codes 0 to 2; each column copies the one before in half of its rows."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 3, (rows, columns))
    for j in range(1, columns):
        X[:, j] = np.where(rng.random(rows) < 0.5, X[:, j - 1], X[:, j])
    return X


@quick
@given(st.integers(0, 2**32), st.integers(2, 6), st.booleans())
def test_no_tree_is_better(seed, d, holes):
    """Of all spanning trees it is the one of most mutual information; the second best has less by the margin."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 3, (40, d)).astype(float)
    X[rng.random(X.shape) < 0.2 * holes] = np.nan
    w = rng.integers(0, 4, 40) / 2.0
    w[:3], X[:3] = 1.0, np.arange(3)[:, None]
    model = ChowLiuTree().fit(X, sample_weight=w)
    codes = np.where(np.isnan(X), -1, X).astype(int)
    pairs = np.array([[information(a, b, w) for a in codes.T] for b in codes.T])
    best, *others = np.sort(pairs[tuple(all_trees(d).T)].sum(axis=0))[::-1]
    certificate = model.certificate_
    assert certificate.holds
    np.testing.assert_allclose(certificate.information, best, rtol=1e-12)
    np.testing.assert_allclose(certificate.margin, best - others[0] if others else np.inf, atol=1e-13)
    assert certificate.rounding < 1e-12


def test_information_is_its_definition():
    """Every pair, conditional on a class too; the diagonal holds entropies."""
    X, y = chain(0), np.arange(200) % 2
    block = Block(X, y, None, 0)
    found = pair_information(PairCounts.of(np.arange(2), None, "", block)).value
    w = np.ones(200)
    for j, k in product(range(5), repeat=2):
        expected = np.mean([information(X[y == c, j], X[y == c, k], w[y == c]) for c in range(2)])
        np.testing.assert_allclose(found[j, k], expected, rtol=1e-12)
    alone = pair_information(PairCounts.of(ALL_ROWS, None, "", Block(X, None, None, 0))).value
    p = np.bincount(X[:, 0]) / 200
    np.testing.assert_allclose(alone[0, 0], -(p * np.log(p)).sum(), rtol=1e-13)


def test_small_information_keeps_its_digits():
    """Nearly independent columns: 10⁸ rows in each cell, one more on the diagonal. I ≈ Σ (N − E)²/2E of the rows."""
    X, w = np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), np.array([10**8 + 1, 10**8, 10**8, 10**8 + 1.0])
    found = ChowLiuTree().fit(X, sample_weight=w).mutual_information_[0, 1]
    np.testing.assert_allclose(found, 4 * 0.5**2 / (2 * 10**8) / w.sum(), rtol=1e-6)


def test_likelihood_of_the_tree():
    """(2): what the tree gives the rows, with their own proportions for its factors."""
    X = chain(1)
    model = ChowLiuTree(root=2).fit(X)
    total = 0.0
    for v, u in enumerate(model.parents_):
        for row in X:
            same = X if u < 0 else X[X[:, u] == row[u]]
            total += np.log((same[:, v] == row[v]).mean())
    entropies = np.diagonal(model.mutual_information_).sum()
    np.testing.assert_allclose(total / len(X), model.certificate_.information - entropies, rtol=1e-12)


def test_chain_from_any_root():
    """The chain is found again, its edges away from the root; parents stand before children."""
    X = chain(2, 2000)
    undirected = {frozenset(pair) for pair in pairwise(range(5))}
    for root in (None, 0, 3):
        model = ChowLiuTree(root).fit(X)
        assert {frozenset(edge) for edge in model.edges_} == undirected
        assert model.parents_[root or 0] == -1
        seen = {root or 0}
        for parent, child in model.edges_:
            assert parent in seen
            assert child not in seen
            seen.add(child)
    assert model.graph_.edges == tuple(sorted(model.edges_, key=lambda edge: edge[1]))


def test_words():
    """Columns of words have names; batches with other levels add."""
    words = pd.DataFrame(np.array(["low", "mid", "top"])[chain(2, 2000)], columns=list("abcde"))
    model = ChowLiuTree("c").fit(words)
    assert model.edges_ == (("c", "b"), ("c", "d"), ("b", "a"), ("d", "e"))
    parts = ChowLiuTree("c")
    for part in np.array_split(np.argsort(words["a"], kind="stable"), 3):
        parts.partial_fit(words.iloc[part])
    np.testing.assert_allclose(parts.mutual_information_, model.mutual_information_, rtol=1e-13)
    assert parts.edges_ == model.edges_


def test_constant_and_single_columns():
    """A constant column says nothing of another, and is a leaf; a single column is a tree without edges."""
    X = np.column_stack([np.zeros(200, int), chain(0)])
    model = ChowLiuTree().fit(X)
    assert (model.mutual_information_[0] == 0).all()
    assert len(model.edges_) == 5
    alone = ChowLiuTree().fit(X[:, 1:2])
    assert alone.edges_ == ()
    assert alone.certificate_.margin == np.inf
    assert alone.graph_.nodes == (0,)


def test_never_known_together():
    """Two columns of which no row knows both: said, and taken as independent."""
    X = chain(0, 200, 3).astype(float)
    X[:100, 0], X[100:, 2] = np.nan, np.nan
    with pytest.warns(UserWarning, match="No row knows both column 0 and column 2"):
        model = ChowLiuTree().fit(X)
    assert model.mutual_information_[0, 2] == 0
    assert model.edges_ == ((0, 1), (1, 2))


def test_refusals():
    """What is wrong is named."""
    X = chain(0)
    with pytest.raises(ValueError, match="root of ChowLiuTree is 'z', which is no column"):
        ChowLiuTree("z").fit(X)
    with pytest.raises(ValueError, match=r"1.5 in row 1, column 0: categories are whole numbers"):
        ChowLiuTree().fit([[0.0, 1.0], [1.5, 0.0]])
    with pytest.raises(ValueError, match="Column 0 has the most levels, 20000"):
        ChowLiuTree().fit([[0, 1], [19_999, 0]])


def test_margin_finds_a_better_tree():
    """Of a tree that is not best, the margin is negative: by what the best swap would gain."""
    weights = np.array([[0, 3, 2], [3, 0, 1], [2, 1, 0.0]])
    best = spanning_tree(weights, 0)
    assert best.tolist() == [-1, 0, 0]
    assert swap_margin(weights, best) == 1.0
    assert swap_margin(weights, np.array([-1, 0, 1])) == -1.0
