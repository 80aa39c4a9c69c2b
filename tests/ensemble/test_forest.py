"""Many trees in a few arrays: the same trees as by themselves, rows that reach the same leaves, and pieces that add up."""

from dataclasses import fields

import numpy as np
import pandas as pd
import pytest

from aprendiz import DecisionTreeClassifier, DecisionTreeRegressor, RandomForestClassifier, RandomForestRegressor
from aprendiz.core.rows import Block
from aprendiz.ensemble.forest.descent import ForestDescent
from aprendiz.ensemble.forest.forest import FOREST_LEAF, GrowingArray


def numbers(rows=400, classes=3, seed=0):
    random = np.random.default_rng(seed)
    X = random.normal(size=(rows, 6))
    X[:, 4] = np.round(X[:, 4])  # ties
    return X, random.integers(0, classes, rows) + (X[:, 0] > 0)


def words(rows=400, seed=0):
    """Numbers, words and an ordinal column, all with missing cells."""
    random = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "size": random.normal(size=rows),
            "tree": random.choice(list("abcdefg"), rows),
            "grade": pd.Categorical(random.choice(["low", "mid", "high"], rows), ["low", "mid", "high"], ordered=True),
        }
    )
    y = np.where(frame["tree"].isin(["a", "c"]) ^ (frame["size"] > 0.3), "yes", "no")
    for name in frame:
        frame.loc[random.random(rows) < 0.15, name] = None
    return frame, y


def alone(forest, number, X, y, **settings):
    """The tree of a bag, grown by itself: the rows of the bag with their counts as weights."""
    kind = DecisionTreeRegressor if y.dtype.kind == "f" else DecisionTreeClassifier
    counts = forest.bags_.counts(number)
    return kind(exact=True, **settings).fit(X, y, sample_weight=counts)


def assert_same_tree(a, b):
    for f in fields(a):
        left, right = getattr(a, f.name), getattr(b, f.name)
        if f.name == "impurity":  # kept in single precision
            np.testing.assert_allclose(left, right, rtol=2e-7, atol=1e-12)
        elif f.name in ("value", "weighted_n_node_samples"):
            np.testing.assert_allclose(left, right, rtol=1e-12, atol=1e-12)
        elif f.name == "missing_branch":  # means nothing in a leaf
            np.testing.assert_array_equal(left[~a.is_leaf], right[~a.is_leaf])
        else:
            np.testing.assert_array_equal(left, right, f.name)


# ---- trees ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_trees_are_those_of_their_bags(criterion):
    X, y = numbers()
    forest = RandomForestClassifier(5, criterion=criterion, max_features=None, random_state=3).fit(X, y)
    for number in range(5):
        tree = alone(forest, number, X, y, criterion=criterion)
        assert_same_tree(forest.estimators_[number].tree_, tree.tree_)
        np.testing.assert_allclose(forest.importances_[number], tree.feature_importances_, rtol=1e-9, atol=1e-12)


def test_regression_trees_are_those_of_their_bags():
    X, _ = numbers()
    y = X[:, 0] * X[:, 1] + 0.1 * np.random.default_rng(1).normal(size=len(X))
    forest = RandomForestRegressor(5, random_state=3).fit(X, y)
    for number in range(5):
        assert_same_tree(forest.estimators_[number].tree_, alone(forest, number, X, y).tree_)


def test_trees_of_words_are_those_of_their_bags():
    """Levels that a bag does not have are unknown to a tree by itself, so answers are compared, for rows that it knows."""
    X, y = words()
    forest = RandomForestClassifier(4, max_features=None, random_state=1).fit(X, y)
    for number in range(4):
        inside = forest.bags_.counts(number) > 0
        tree = alone(forest, number, X, y)
        ours = forest.estimators_[number].predict_proba(X)
        np.testing.assert_allclose(ours[inside], tree.predict_proba(X)[inside], atol=1e-12)


def test_pruned_trees_are_those_of_their_bags():
    X, y = numbers()
    forest = RandomForestClassifier(4, max_features=None, ccp_alpha=0.01, random_state=3).fit(X, y)
    for number in range(4):
        tree = alone(forest, number, X, y, ccp_alpha=0.01)
        assert tree.tree_.node_count > 1
        assert_same_tree(forest.estimators_[number].tree_, tree.tree_)


def test_leaves_of_one_class_share_an_answer():
    X, y = numbers()
    forest = RandomForestClassifier(10, random_state=0).fit(X, y).forest_
    np.testing.assert_array_equal(forest.value[: forest.classes], np.eye(forest.classes))
    leaf = forest.nodes["feature"] == FOREST_LEAF
    assert (forest.nodes["second"][leaf] < forest.classes).mean() > 0.9
    assert (forest.value[forest.classes :] < 1).all()


def test_memory_of_a_node():
    """20 bytes an inner node, 24 a leaf of a single class."""
    X, y = numbers(2000)
    forest = RandomForestClassifier(10, random_state=0).fit(X, y).forest_
    leaf = forest.nodes["feature"] == FOREST_LEAF
    pure = leaf & (forest.nodes["second"] < forest.classes)
    kept = forest.nodes.nbytes + forest.impurity.nbytes + forest.leaf_rows.nbytes + forest.leaf_weight.nbytes
    assert kept == 20 * (~leaf).sum() + 24 * pure.sum() + 28 * (leaf & ~pure).sum()


# ---- rows down the trees -------------------------------------------------------------------------------------------------


def leaf_by_hand(tree, row):
    """The leaf that a row of numbers reaches, question by question."""
    t = 0
    while tree.feature[t] >= 0:
        x = row[tree.feature[t]]
        second = tree.missing_branch[t] == 1 if np.isnan(x) else x > tree.threshold[t]
        t = tree.children_of(t)[int(second)]
    return t


@pytest.mark.parametrize("rows", [1, 7, 8, 9, 100])
def test_descent_by_hand(rows):
    """Eight rows at a time, and the rest one by one; missing cells too."""
    X, y = numbers()
    X[np.random.default_rng(0).random(X.shape) < 0.1] = np.nan
    model = RandomForestClassifier(6, random_state=2).fit(X, y)
    trees = [model.forest_.tree(m) for m in range(6)]
    expected = [[leaf_by_hand(tree, row) for tree in trees] for row in X[:rows]]
    np.testing.assert_array_equal(model.apply(X[:rows]), expected)
    said = np.array([[tree.value[leaf, 0] for tree, leaf in zip(trees, leaves, strict=True)] for leaves in expected])
    np.testing.assert_allclose(model.predict_proba(X[:rows]), said.mean(axis=1), atol=1e-15)


def test_descent_of_words():
    """As each tree by itself."""
    X, y = words()
    new, _ = words(seed=5)
    model = RandomForestClassifier(8, random_state=2).fit(X, y)
    assert len(model.forest_.level_branch)
    leaves = np.column_stack([tree.apply(new) for tree in model.estimators_])
    np.testing.assert_array_equal(model.apply(new), leaves)


def test_sums_with_weights():
    X, y = numbers()
    model = RandomForestClassifier(5, random_state=2).fit(X, y)
    descent, block, member_weights = ForestDescent(model.forest_), Block(X, None, None, 0), np.arange(5.0)
    expected = sum(v * model.forest_.value[descent.answers(m, block)] for m, v in enumerate(member_weights))
    np.testing.assert_allclose(descent.sums(model.forest_.value, member_weights, block), expected, atol=1e-12)


# ---- pieces --------------------------------------------------------------------------------------------------------------


def test_first_trees():
    X, y = words()
    many, few = (RandomForestClassifier(m, random_state=4).fit(X, y) for m in (7, 3))
    cut = many.forest_.first(3)
    for name in ("start", "level_start", "level_branch", "impurity", "leaf_rows", "leaf_weight"):
        np.testing.assert_array_equal(getattr(cut, name), getattr(few.forest_, name))
    for name in cut.nodes.dtype.names:
        np.testing.assert_array_equal(cut.nodes[name], few.forest_.nodes[name])
    assert len(cut) == 3


def test_a_pile_keeps_its_views():
    random = np.random.default_rng(0)
    pile, parts, views = GrowingArray(np.zeros((0, 2)), 5), [], []
    for size in (3, 1, 8, 0, 20, 2, 50):
        parts.append(random.normal(size=(size, 2)))
        pile.add(parts[-1])
        views.append((pile.view, np.concatenate(parts)))
    for view, expected in views:
        np.testing.assert_array_equal(view, expected)
