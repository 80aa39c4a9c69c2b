"""Losses of all nodes on held-out rows, from one descent."""

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from small_trees import made, of_sklearn

from aprendiz.tree.pruning.held_out import node_losses
from aprendiz.tree.pruning.risk import equal_costs

RNG = np.random.default_rng(5)
X, NEW = RNG.normal(size=(150, 4)), RNG.normal(size=(90, 4))
CLASSES, NEW_CLASSES = (np.digitize(x[:, 0] + x[:, 1] ** 2, [0, 1]) for x in (X, NEW))
WEIGHT = RNG.uniform(0, 2, size=90)
COSTS = np.array([[0.0, 2.0, 1.0], [1.0, 0.0, 7.0], [3.0, 0.5, 0.0]])


@pytest.mark.parametrize("costs", [equal_costs(3), COSTS], ids=["equal", "costs"])
def test_costs_of_the_rows_that_pass(costs):
    """Each node, as a leaf, answers the class of least expected cost to the rows whose path holds it."""
    model = DecisionTreeClassifier(max_depth=5, random_state=0).fit(X, CLASSES)
    tree, passes = of_sklearn(model.tree_), model.decision_path(NEW).toarray().astype(bool)
    answer = (tree.value[:, 0] @ costs).argmin(axis=1)
    expected = [(WEIGHT * costs[NEW_CLASSES, answer[t]])[passes[:, t]].sum() for t in range(tree.node_count)]
    np.testing.assert_allclose(node_losses(tree, model.apply(NEW), NEW_CLASSES, costs, WEIGHT), expected, atol=1e-12)


def test_squared_errors_of_the_rows_that_pass():
    """The same for a regression, of one output or the mean of two."""
    for target, new in ((X[:, 0] ** 2, NEW[:, 0] ** 2), (X[:, :2], NEW[:, :2])):
        model = DecisionTreeRegressor(max_depth=5, random_state=0).fit(X, target)
        tree, passes = of_sklearn(model.tree_), model.decision_path(NEW).toarray().astype(bool)
        error = [((new.reshape(90, -1) - tree.value[t, :, 0]) ** 2).mean(axis=1) for t in range(tree.node_count)]
        expected = [error[t][passes[:, t]].sum() for t in range(tree.node_count)]
        np.testing.assert_allclose(node_losses(tree, model.apply(NEW), new, None), expected, atol=1e-12)


def test_a_row_in_several_leaves():
    """A row divided between two leaves counts with its shares, and once above them."""
    tree = made([np.array([0, 0]), np.array([1, 1, 1])], classes=2)
    losses = node_losses(tree, np.array([1, 2]), np.array([0, 0]), equal_costs(2), np.array([0.4, 0.6]))
    np.testing.assert_allclose(losses, [1.0, 0.0, 0.6])


def test_what_is_refused():
    """Nodes, classes, targets and weights that do not go with the tree or with each other."""
    tree = made([np.array([0, 0]), np.array([1, 1, 1])], classes=2)
    for leaf, y, weight, words in (
        ([1, 3], [0, 1], None, r"leaf\[1\] = 3 is not a node of the tree, which has 3"),
        ([1, 2], [0, 2], None, r"y\[1\] = 2 is not a class of the tree, which has 2"),
        ([1, 2], [0, 1, 1], None, "y"),
        ([1, 2], [0, 1], [1.0, -1.0], "sample_weight"),
    ):
        with pytest.raises(ValueError, match=words):
            node_losses(tree, np.array(leaf), np.array(y), equal_costs(2), weight)
    with pytest.raises(TypeError, match="must hold the numbers of the classes"):
        node_losses(tree, np.array([1, 2]), np.array(["a", "b"]), equal_costs(2))
    numbers = made([np.array([0.0]), np.array([1.0])])
    with pytest.raises(ValueError, match="y contains NaN: row 1"):
        node_losses(numbers, np.array([1, 2]), np.array([0.0, np.nan]), None)
