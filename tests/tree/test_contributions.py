"""Contributions of columns equal their definition over all subsets, in exact arithmetic, on trees of every kind."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import factorial

import numpy as np
import pandas as pd
import pytest
from random_trees import SCHEMA, chain, random_labelled, random_rows, taken

from aprendiz.core.rows import Block
from aprendiz.core.sources.arrays import ArrayRows
from aprendiz.tree.contributions import attribution
from aprendiz.tree.contributions.additive_trees import AdditiveTrees, WeightedTree
from aprendiz.tree.contributions.attribution import attribute
from aprendiz.tree.contributions.averages import averages
from aprendiz.tree.contributions.interventional import coalition_weights

COLUMNS = range(len(SCHEMA.columns))
KINDS = [("branch", False), ("own", False), ("fractional", False), ("branch", True), ("fractional", True)]


# ---- the definition ------------------------------------------------------------------------------------------------------


def decides(labelled, cells, node):
    """The column whose cell is read at a node, and the branch; no column where all branches are taken."""
    tree = labelled.tree
    branch = taken(labelled, cells, tree.feature[node], tree.threshold[node], tree.levels_of(node), 0)
    if branch is not None:
        return tree.feature[node], branch
    for s in range(tree.surrogate_start[node], tree.surrogate_start[node + 1]):
        levels = tree.surrogate_level_branch[tree.surrogate_level_start[s] : tree.surrogate_level_start[s + 1]]
        column = tree.surrogate_feature[s]
        branch = taken(labelled, cells, column, tree.surrogate_threshold[s], levels, tree.surrogate_first[s])
        if branch is not None:
            return column, branch
    branch = tree.missing_branch[node]
    return (None, None) if branch < 0 else (tree.feature[node], branch)


def usual_value(labelled, cells, known, k, node=0):
    """v(S) where unknown columns are averaged over, as a fraction."""
    tree = labelled.tree
    if tree.feature[node] == -2:
        return Fraction(float(tree.value[node, 0, k]))
    column, branch = decides(labelled, cells, node)
    children = tree.children_of(node)
    if column in known:
        return usual_value(labelled, cells, known, k, children[branch])
    weights = [Fraction(float(tree.weighted_n_node_samples[child])) for child in children]
    weights = weights if any(weights) else [Fraction(1)] * len(weights)
    parts = [w * usual_value(labelled, cells, known, k, child) for w, child in zip(weights, children, strict=True)]
    return sum(parts) / sum(weights)


def value_against(labelled, cells, others, known, k):
    """v(S) where unknown columns have the cells of each of some rows."""
    mixed = ([cells[j] if j in known else other[j] for j in COLUMNS] for other in others)
    return sum(usual_value(labelled, row, set(COLUMNS), k) for row in mixed) / len(others)


def subsets(columns):
    return (set(some) for size in range(len(columns) + 1) for some in combinations(columns, size))


def shapley(value):
    """The Shapley value of each column in a game, a function of sets of columns."""
    d, known = len(COLUMNS), {frozenset(some): value(some) for some in subsets(COLUMNS)}
    found = []
    for j in COLUMNS:
        total = Fraction(0)
        for some in subsets([k for k in COLUMNS if k != j]):
            share = Fraction(factorial(len(some)) * factorial(d - len(some) - 1), factorial(d))
            total += share * (known[frozenset(some | {j})] - known[frozenset(some)])
        found.append(total)
    return np.array(found, float)


def interaction(value, i, j):
    """Half of the Shapley interaction of two columns."""
    d, rest = len(COLUMNS), [k for k in COLUMNS if k not in (i, j)]
    total = Fraction(0)
    for some in subsets(rest):
        share = Fraction(factorial(len(some)) * factorial(d - len(some) - 2), 2 * factorial(d - 1))
        total += share * (value(some | {i, j}) - value(some | {i}) - value(some | {j}) + value(some))
    return float(total)


# ---- what is tested ------------------------------------------------------------------------------------------------------


def sum_of(*trees):
    """Some trees as a sum of numbers or probabilities, with the weights 1, 2, … as parts of the whole."""
    classes = trees[0].classes
    weights = np.arange(1.0, len(trees) + 1) / sum(range(1, len(trees) + 1))
    made = [WeightedTree(one.tree, w * one.tree.value[:, 0, :]) for one, w in zip(trees, weights, strict=True)]
    outputs = 1 if classes is None else len(classes)
    return AdditiveTrees(
        len(trees), made.__getitem__, np.zeros(outputs), "number" if classes is None else "probability", classes or ()
    ), weights


def encoded(rows):
    frame = pd.DataFrame(rows, columns=list(SCHEMA.names), dtype=object)
    return ArrayRows(SCHEMA.encode(frame), None, None)


@pytest.mark.parametrize(("missing", "surrogates"), KINDS)
@pytest.mark.parametrize("classes", [None, ("a", "b", "c")])
def test_the_definition(missing, surrogates, classes):
    """Words, ordered levels, several branches, columns used again, missing cells, surrogates and rows in several leaves."""
    trees = [random_labelled(seed, missing=missing, surrogates=surrogates, classes=classes) for seed in (3, 4)]
    rows = random_rows(5, 6, holes=0.3)
    sum_of_trees, weights = sum_of(*trees)
    found = attribute(sum_of_trees, encoded(rows))
    for i, cells in enumerate(rows):
        for k in range(sum_of_trees.outputs):
            parts = [shapley(lambda some, one=one, cells=cells, k=k: usual_value(one, cells, some, k)) for one in trees]
            np.testing.assert_allclose(found.values[i, :, k], weights @ parts, rtol=0, atol=1e-14)
    base = weights @ [[float(usual_value(one, rows[0], set(), k)) for k in range(sum_of_trees.outputs)] for one in trees]
    np.testing.assert_allclose(found.base, base, rtol=0, atol=1e-14)


@pytest.mark.parametrize(("missing", "surrogates"), KINDS)
def test_pairs_of_columns(missing, surrogates):
    """Interactions of the definition; each row of them adds to the value of its column."""
    one = random_labelled(7, missing=missing, surrogates=surrogates, classes=("a", "b", "c"))
    rows = random_rows(8, 4, holes=0.3)
    found = attribute(sum_of(one)[0], encoded(rows), interactions=True)
    for i, cells in enumerate(rows):
        for j, other in combinations(COLUMNS, 2):
            exact = interaction(lambda some, cells=cells: usual_value(one, cells, some, 2), j, other)
            np.testing.assert_allclose(found.pairs[i, j, other, 2], exact, rtol=0, atol=1e-14)
    np.testing.assert_allclose(found.pairs.sum(axis=2), found.values, rtol=0, atol=1e-15)
    np.testing.assert_array_equal(found.pairs, np.swapaxes(found.pairs, 1, 2))


@pytest.mark.parametrize("missing", ["branch", "own"])
@pytest.mark.parametrize("classes", [None, ("a", "b", "c")])
def test_against_a_background(missing, classes):
    """Rows made of two rows; the base is the mean prediction for the background."""
    trees = [random_labelled(seed, missing=missing, classes=classes) for seed in (11, 12)]
    rows, others = random_rows(13, 4, holes=0.2), random_rows(14, 3, holes=0.2)
    sum_of_trees, weights = sum_of(*trees)
    found = attribute(sum_of_trees, encoded(rows), encoded(others))
    for i, cells in enumerate(rows):
        for k in range(sum_of_trees.outputs):
            games = [lambda some, one=one, cells=cells, k=k: value_against(one, cells, others, some, k) for one in trees]
            np.testing.assert_allclose(found.values[i, :, k], weights @ [shapley(v) for v in games], rtol=0, atol=1e-14)
            assert found.base[k] == pytest.approx(weights @ [float(v(set())) for v in games], abs=1e-14)


def test_averages_over_unknown_columns():
    """The mean of the trees where some columns are known is v of the definition."""
    one = random_labelled(15, missing="fractional", surrogates=True, classes=("a", "b", "c"))
    rows = random_rows(16, 8, holes=0.3)
    block = Block(encoded(rows).X, None, None, 0)
    for known in ({0}, {1, 4}, set(COLUMNS), set()):
        found = averages(sum_of(one)[0], block, np.array([j in known for j in COLUMNS]))
        exact = [[float(usual_value(one, cells, known, k)) for k in range(3)] for cells in rows]
        np.testing.assert_allclose(found, exact, rtol=0, atol=1e-14)


def test_a_way_of_two_hundred_columns():
    """A chain in which each column is asked once: the contributions still add up, and are those of the sum over sizes."""
    depth = 200
    tree = chain(depth).tree
    feature = np.where(tree.is_leaf, -2, np.cumsum(~tree.is_leaf) - 1)
    value = np.random.default_rng(0).normal(size=(tree.node_count, 1))
    long = replace(tree, feature=feature, threshold=np.where(tree.is_leaf, -2.0, 0.0))
    one = AdditiveTrees(1, lambda _number: WeightedTree(long, value), np.zeros(1), "number")
    X = np.ones((3, depth))  # to the end of the chain
    X[1, 7] = X[2, 0] = -1.0
    found = attribute(one, ArrayRows(X, None, None))
    leaf = long.descent().leaves(Block(X, None, None, 0))
    np.testing.assert_allclose(found.base + found.values.sum(axis=1), value[leaf], rtol=0, atol=1e-12)
    assert not found.values[2, 1:].any() or np.abs(found.values[2]).max() < 10  # finite, no overflow


def test_weights_of_coalitions():
    """(a − 1)! b! / (a + b)!."""
    found = coalition_weights(9)
    for a, b in ((1, 0), (1, 8), (4, 3), (9, 0), (2, 7)):
        assert found[a, b] == pytest.approx(factorial(a - 1) * factorial(b) / factorial(a + b), rel=1e-14)
    assert not found[0].any()


def test_rows_in_parts(monkeypatch):
    """However many rows pass a tree together, and are looked at with how many of the background."""
    trees = [random_labelled(seed, missing="fractional", classes=("a", "b", "c")) for seed in (31, 32)]
    whole = [random_labelled(seed, missing="own", classes=("a", "b", "c")) for seed in (31, 32)]
    rows, others = encoded(random_rows(33, 30, holes=0.2)), encoded(random_rows(34, 11, holes=0.2))

    def found():
        usual = attribute(sum_of(*trees)[0], rows, interactions=True)
        return [usual.values, usual.pairs, attribute(sum_of(*whole)[0], rows, others).values]

    at_once = found()
    for name, size in {"BATCH": 7, "SIDE_BY_SIDE": 3, "NEXT_NODES": 60}.items():
        monkeypatch.setattr(attribution, name, size)
    for one, other in zip(at_once, found(), strict=True):
        np.testing.assert_allclose(one, other, rtol=0, atol=1e-15)


def test_branches_without_weight():
    """A branch that no weight of the fit took counts for nothing where its column is unknown, and is taken where it is known;
    where no branch has weight, all count alike."""
    one = random_labelled(21, missing="own", classes=None)
    weight = one.tree.weighted_n_node_samples.copy()
    emptied = int(one.tree.children_of(0)[0])
    below = [emptied, *range(emptied + 1, int(one.tree.last[emptied]))]
    weight[below] = 0.0
    one = replace(one, tree=replace(one.tree, weighted_n_node_samples=weight))
    rows = random_rows(22, 6, holes=0.3)
    sum_of_trees, _ = sum_of(one)
    found = attribute(sum_of_trees, encoded(rows))
    for i, cells in enumerate(rows):
        exact = shapley(lambda some, cells=cells: usual_value(one, cells, some, 0))
        np.testing.assert_allclose(found.values[i, :, 0], exact, rtol=0, atol=1e-13)
