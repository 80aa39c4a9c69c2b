"""Bins lose nothing in small nodes: there a binned tree is the exact tree of the rows."""

import numpy as np
import pytest

from aprendiz import DecisionTreeClassifier, DecisionTreeRegressor
from aprendiz.tree.growth import opened_bins
from aprendiz.tree.growth.coding import BINS

RNG = np.random.default_rng(3)
ROWS = 3000
X = RNG.normal(size=(ROWS, 3))
X[:, 1] = np.round(8 * X[:, 1]) / 8  # few values: no bins
SIGNAL = np.sin(9 * X[:, 0]) + X[:, 1] + 0.3 * RNG.normal(size=ROWS)
HOLES = np.where(RNG.random(X.shape) < 0.1, np.nan, X)
CASES = [
    (DecisionTreeClassifier(), X, SIGNAL > 0),
    (DecisionTreeClassifier(criterion="entropy", min_samples_leaf=3), HOLES, np.digitize(SIGNAL, [-0.5, 0.5])),
    (DecisionTreeRegressor(min_samples_split=9), X, SIGNAL),
]


@pytest.mark.parametrize(("model", "table", "y"), CASES, ids=["gini", "missing", "numbers"])
def test_small_nodes_are_exact(model, table, y):
    """The tree below a node of at most 255 rows is the one that all values of its rows give."""
    tree = model.set_params(exact=False).fit(table, y).tree_
    assert model.search_ == "binned"
    assert 0 < model.certificate_.largest_bin < 3 * ROWS / BINS
    parent, checked = tree.parent, 0
    path = model.decision_path(table).tocsc()
    small = (tree.n_node_samples <= BINS) & (tree.n_node_samples[np.maximum(parent, 0)] > BINS) & ~tree.is_leaf
    for t in np.flatnonzero(small):
        rows = path.indices[path.indptr[t] : path.indptr[t + 1]]
        own = type(model)(**{**model.get_params(), "exact": True}).fit(table[np.sort(rows)], y[np.sort(rows)]).tree_
        part = slice(t, t + own.node_count)
        np.testing.assert_array_equal(tree.feature[part], own.feature)
        np.testing.assert_array_equal(tree.threshold[part], own.threshold)
        np.testing.assert_array_equal(tree.n_node_samples[part], own.n_node_samples)
        checked += 1
    assert checked > 5


def test_surrogates():
    """Rows whose cell is missing come to the same nodes in the fit and later, by surrogates in opened bins too."""
    model = DecisionTreeClassifier(missing="surrogate", min_samples_leaf=5, exact=False).fit(HOLES, SIGNAL > 0)
    assert model.tree_.n_leaves > 2 * ROWS / BINS
    assert len(model.tree_.surrogate_feature) > 0
    np.testing.assert_array_equal(model.decision_path(HOLES).sum(axis=0).A1, model.tree_.n_node_samples)


def test_a_bin_that_holds_all(monkeypatch):
    """One column with a fine pattern: large nodes get bins of their own until nothing is left to find, in any runs of nodes."""
    column = RNG.normal(size=(9000, 1))
    y = np.argsort(np.argsort(column[:, 0])) // 3 % 2
    model = DecisionTreeClassifier(exact=False).fit(column, y)
    assert model.score(column, y) == 1.0
    assert model.certificate_.holds
    monkeypatch.setattr(opened_bins, "ROWS_TOGETHER", 100)
    again = DecisionTreeClassifier(exact=False).fit(column, y).tree_
    np.testing.assert_array_equal(again.threshold, model.tree_.threshold)


def test_limits_are_those_of_the_whole_tree():
    """Depth and decrease are counted from the root of the tree, not of the part that is opened."""
    for limits in ({"max_depth": 6}, {"min_impurity_decrease": 1e-3}, {"min_weight_fraction_leaf": 0.01}):
        tree = DecisionTreeClassifier(exact=False, **limits).fit(X, SIGNAL > 0).tree_
        inner = np.flatnonzero(~tree.is_leaf)
        share = tree.weighted_n_node_samples / ROWS
        first, second = tree.children_left[inner], tree.children_right[inner]
        gain = share[inner] * tree.impurity[inner] - share[first] * tree.impurity[first] - share[second] * tree.impurity[second]
        assert tree.max_depth <= limits.get("max_depth", 99)
        assert gain.min() >= limits.get("min_impurity_decrease", 0.0) - 1e-12
        assert share.min() >= limits.get("min_weight_fraction_leaf", 0.0)
        assert len(inner) > 5
