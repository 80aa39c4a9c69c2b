"""`tree_` as scikit-learn has it: its methods, and scikit-learn's own functions that read trees."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn.tree
from scipy import sparse
from sklearn.inspection import partial_dependence

from aprendiz import DecisionTreeClassifier, DecisionTreeRegressor, RandomForestClassifier

RANDOM = np.random.RandomState(0)
X = RANDOM.randn(80, 3)
Z = X[:, 0] * X[:, 1] + 0.1 * RANDOM.randn(80)
Y = np.digitize(Z, [-0.5, 0.5])
PAIRS = [
    (DecisionTreeClassifier(max_depth=3), sklearn.tree.DecisionTreeClassifier(max_depth=3, random_state=0), Y),
    (DecisionTreeRegressor(max_depth=3), sklearn.tree.DecisionTreeRegressor(max_depth=3, random_state=0), Z),
    (DecisionTreeRegressor(max_depth=3), sklearn.tree.DecisionTreeRegressor(max_depth=3, random_state=0), np.c_[Z, X[:, 0]]),
]


@pytest.mark.parametrize(("ours", "theirs", "y"), PAIRS, ids=["classes", "numbers", "two targets"])
def test_attributes_and_methods(ours, theirs, y):
    """The two trees are the same, and so is everything that can be asked of them."""
    a, b = ours.fit(X, y).tree_, theirs.fit(X, y).tree_
    for name in ("node_count", "n_leaves", "max_depth", "n_features", "n_outputs", "max_n_classes"):
        assert getattr(a, name) == getattr(b, name), name
    assert a.n_classes.tolist() == b.n_classes.tolist()
    assert a.capacity >= a.node_count
    table = X.astype(np.float32)
    for form in (table, sparse.csr_matrix(table)):
        np.testing.assert_array_equal(a.apply(form), b.apply(form))
        np.testing.assert_allclose(a.predict(form), b.predict(form))
        np.testing.assert_array_equal(a.decision_path(form).toarray(), b.decision_path(form).toarray())
    np.testing.assert_array_equal(a.compute_node_depths(), b.compute_node_depths())
    for normalize in (False, True):
        np.testing.assert_allclose(a.compute_feature_importances(normalize), b.compute_feature_importances(normalize))


@pytest.mark.parametrize(("ours", "theirs", "y"), PAIRS, ids=["classes", "numbers", "two targets"])
def test_export(ours, theirs, y):
    """scikit-learn writes our tree as it writes its own."""
    ours.fit(X, y), theirs.fit(X, y)
    assert sklearn.tree.export_text(ours) == sklearn.tree.export_text(theirs)
    drawn = sklearn.tree.export_graphviz(theirs).replace("= -0.0\\n", "= 0.0\\n")  # a rounding of theirs
    assert sklearn.tree.export_graphviz(ours) == drawn


def test_partial_dependence():
    """By recursion, as in scikit-learn; a tree of words says how else."""
    ours, theirs, y = PAIRS[1]
    for columns in ([0], [2], [(0, 1)]):
        found, wanted = (
            partial_dependence(model.fit(X, y), X, columns, method="recursion", grid_resolution=7).average
            for model in (ours, theirs)
        )
        np.testing.assert_allclose(found, wanted)
    words = DecisionTreeRegressor().fit(np.array([["a"], ["b"]], dtype=object), [0.0, 1.0])
    with pytest.raises(ValueError, match='method="brute"'):
        words.tree_.compute_partial_dependence(np.zeros((1, 1)), np.array([0]), np.zeros(1))


def test_tree_of_a_forest():
    """The trees of a forest can be asked the same."""
    forest = RandomForestClassifier(2, random_state=0).fit(X, Y)
    for tree in forest:
        assert tree.tree_.n_features == 3
        np.testing.assert_allclose(tree.tree_.compute_feature_importances(), tree.feature_importances_)
        assert "class" in sklearn.tree.export_text(tree)
