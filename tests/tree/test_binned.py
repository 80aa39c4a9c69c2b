"""Binned search (`exact=False`): the same as the exact one where nothing is binned, and close to it where columns are."""

import numpy as np
import pytest
from growth_cases import KINDS, made
from sklearn.datasets import load_breast_cancer, load_diabetes

from aprendiz import DecisionTreeClassifier, DecisionTreeRegressor

RNG = np.random.default_rng(8)
LONG = RNG.normal(size=(2000, 3))
CURVE = np.sin(3 * LONG[:, 0]) + LONG[:, 1] ** 2 + RNG.normal(scale=0.1, size=2000)
SIDE = (CURVE > 1).astype(int)


def assert_same_tree(one, other):
    for name in ("feature", "children", "n_node_samples", "level_branch", "missing_branch"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    np.testing.assert_array_equal(one.threshold, other.threshold)
    np.testing.assert_allclose(one.value, other.value, atol=1e-12)


@pytest.mark.parametrize("criterion", ["gini", "gain_ratio", "squared_error", "absolute_error"])
def test_few_values_are_exact(criterion):
    """At most 255 values in each column: both searches are the same, and say so."""
    classes = 3 * (criterion in ("gini", "gain_ratio"))
    for seed in range(3):
        trees = [made(seed, criterion, KINDS, n=255, classes=classes, holes=0.1, exact=exact)[1] for exact in (True, False)]
        assert_same_tree(trees[0].tree_, trees[1].tree_)
        assert [tree.search_ for tree in trees] == ["exact", "exact"]


@pytest.mark.parametrize("count", [255, 256])
def test_search_is_reported(count):
    """255 values are all candidates; with 256 the columns are binned, unless exact search is asked for."""
    X, y = np.arange(count, dtype=float)[:, None] ** 2 @ np.ones((1, 2)), np.arange(count) % 2
    binned = DecisionTreeClassifier(exact=False).fit(X, y)
    assert binned.search_ == ("exact" if count == 255 else "binned")
    assert binned.certificate_.search == binned.search_
    assert DecisionTreeClassifier(exact=True).fit(X, y).search_ == "exact"
    assert DecisionTreeClassifier().fit(X, y).search_ == "exact"


def test_binned_by_default():
    """More than 32 768 rows are binned by default, and still take the threshold in the middle of two values."""
    X = RNG.permutation(32_769)[:, None] + np.zeros((1, 2))
    learner = DecisionTreeClassifier(max_depth=1).fit(X, X[:, 0] > 10_000)
    assert learner.search_ == "binned"
    assert learner.tree_.threshold[0] % 1 == 0.5
    assert abs(learner.tree_.threshold[0] - 10_000) < 32_769 / 255 + 1
    assert DecisionTreeClassifier(max_depth=1).fit(X[:-1], X[:-1, 0] > 10_000).search_ == "exact"


@pytest.mark.parametrize("splitter", ["best", "random"])
@pytest.mark.parametrize("holes", [False, True], ids=["full", "missing"])
def test_thresholds(splitter, holes):
    """Thresholds lie between two values, so that the rows of the fit come to the nodes that counted them."""
    X = np.where(RNG.uniform(size=LONG.shape) < 0.2, np.nan, LONG) if holes else LONG
    for seed in range(4):
        learner = DecisionTreeClassifier(exact=False, splitter=splitter, random_state=seed).fit(X, SIDE)
        tree = learner.tree_
        np.testing.assert_array_equal(learner.decision_path(X).sum(axis=0).A1, tree.n_node_samples)
        for t in np.flatnonzero(~tree.is_leaf):
            values = np.sort(X[:, tree.feature[t]])
            middle = np.searchsorted(values, tree.threshold[t], side="right")
            assert middle > 0
            assert tree.threshold[t] >= np.finfo(float).max or tree.threshold[t] < values[middle]


@pytest.mark.parametrize("missing", ["surrogate", "fractional"])
def test_counts_with_missing_cells(missing):
    """The same where missing cells follow surrogates, or are shared out: the answers weigh what the root does."""
    X = np.where(RNG.uniform(size=LONG.shape) < 0.1, np.nan, LONG)
    learner = DecisionTreeClassifier(exact=False, missing=missing, max_depth=5).fit(X, SIDE)
    np.testing.assert_allclose(learner.predict_proba(X).mean(axis=0), learner.tree_.value[0, 0], atol=1e-12)


def test_close_to_exact():
    """On new rows of real tables the binned tree is as good as the exact one, within chance."""
    X, y = load_breast_cancer(return_X_y=True)
    part = np.arange(len(y)) % 2 == 0
    trees = [DecisionTreeClassifier(exact=exact, max_depth=5).fit(X[part], y[part]) for exact in (True, False)]
    scores = [tree.score(X[~part], y[~part]) for tree in trees]
    assert abs(scores[0] - scores[1]) < 3 * np.sqrt(2 * 0.06 * 0.94 / (~part).sum())
    X, y = load_diabetes(return_X_y=True)
    scores = [DecisionTreeRegressor(exact=exact, max_depth=3).fit(X, y).score(X, y) for exact in (True, False)]
    assert scores[1] == pytest.approx(scores[0], abs=0.02)


def test_smooth_curve():
    """2 000 rows in 255 bins, some 8 in each: nearly the impurity that exact search reaches with as many leaves."""
    trees = [DecisionTreeRegressor(exact=exact, max_leaf_nodes=30).fit(LONG, CURVE) for exact in (True, False)]
    exact, binned = (tree.score(LONG, CURVE) for tree in trees)
    assert binned > exact - 0.02


def test_weight_two_is_twice():
    """A row of weight 2 is the same as two rows, bins included (below, which nodes are small depends on their rows)."""
    twice = RNG.integers(1, 3, 2000)
    weighted = DecisionTreeClassifier(exact=False, max_depth=1).fit(LONG, SIDE, sample_weight=twice)
    repeated = DecisionTreeClassifier(exact=False, max_depth=1).fit(np.repeat(LONG, twice, axis=0), np.repeat(SIDE, twice))
    for name in ("feature", "threshold", "children"):
        np.testing.assert_array_equal(getattr(weighted.tree_, name), getattr(repeated.tree_, name))
    np.testing.assert_allclose(weighted.tree_.weighted_n_node_samples, repeated.tree_.n_node_samples)


@pytest.mark.parametrize("last", [1e-20, 1.0, 1e20])
def test_weights_of_any_size(last):
    """A value whose weight is nothing, or everything, beside the others does not need one bin more than there are."""
    X = np.r_[np.arange(3000.0), np.nan][:, None]
    weight = np.ones(3001)
    weight[2999] = last
    learner = DecisionTreeClassifier(exact=False).fit(X, np.arange(3001) % 2, sample_weight=weight)
    np.testing.assert_array_equal(learner.decision_path(X).sum(axis=0).A1, learner.tree_.n_node_samples)
