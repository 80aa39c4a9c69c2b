"""Bins lose nothing in small nodes: there a binned tree is the exact tree of the rows."""

import numpy as np
import pytest

from aprendiz import DecisionTreeClassifier, DecisionTreeRegressor, RandomForestClassifier, RandomForestRegressor
from aprendiz.tree.growth import opened_bins
from aprendiz.tree.growth.coding import BINS, coded_numbers
from aprendiz.tree.growth.rare_rows import rare_rows

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


TAIL = np.column_stack([RNG.standard_cauchy(ROWS), X[:, 1:]])
TAIL_HOLES = np.where(np.isnan(HOLES), np.nan, TAIL)
CHANGES = np.floor(3.0 * np.log(np.abs(TAIL[:, 0])))
FORESTS = [
    (RandomForestClassifier, {}, TAIL, CHANGES % 2),
    (RandomForestClassifier, {"criterion": "entropy", "max_features": None}, TAIL_HOLES, CHANGES % 3),
    (
        RandomForestClassifier,
        {"min_samples_leaf": 2, "max_leaf_nodes": 300, "max_features": None},
        np.asfortranarray(TAIL),
        CHANGES % 2,
    ),
    (RandomForestRegressor, {}, TAIL.astype(np.float32), CHANGES),
    (RandomForestRegressor, {"min_samples_leaf": 3, "criterion": "poisson"}, TAIL_HOLES, CHANGES % 2 + 1),
]


@pytest.mark.parametrize(("kind", "options", "table", "y"), FORESTS, ids=["gini", "missing", "leaves", "numbers", "poisson"])
def test_forests_open_columns(kind, options, table, y):
    """Thresholds lie inside bins of a forest; rows come to the same leaves in the fit, out of the bag and later."""
    model = kind(3, random_state=0, exact=False, oob_score=True, **options)
    with pytest.warns(UserWarning, match="in the bag of every member"):
        model.fit(table, y)
    assert model.search_ == "binned"
    coded = coded_numbers(table[:, 0], None, exact=False, rare=rare_rows(y.astype(int), None, getattr(model, "n_classes_", 0)))
    inside, total, votes = 0, 0.0, np.zeros(ROWS)
    for number, one in enumerate(model.estimators_):
        tree, out = one.tree_, model.bags_.counts(number) == 0
        cuts = tree.threshold[tree.feature == 0][:, None]
        inside += np.count_nonzero(((coded.low <= cuts) & (cuts < coded.high)).any(axis=1))
        arrived = np.bincount(one.apply(table)[~out], minlength=tree.node_count)
        np.testing.assert_array_equal(arrived[tree.is_leaf], tree.n_node_samples[tree.is_leaf])
        said = one.predict_proba(table) if hasattr(one, "classes_") else one.predict(table)[:, None]
        total, votes = total + said * out[:, None], votes + out
    assert inside > 5
    mean = model.oob_decision_function_ if hasattr(model, "classes_") else model.oob_prediction_[:, None]
    np.testing.assert_allclose(mean[votes > 0], (total / np.maximum(votes, 1)[:, None])[votes > 0], atol=1e-12)
