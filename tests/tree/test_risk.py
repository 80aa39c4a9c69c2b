"""The risk of a node: least expected cost or impurity, times its share of the weight."""

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from small_trees import made, of_sklearn, random_tree

from aprendiz.tree.pruning.risk import decisions, equal_costs, impurity_risks, risks

RNG = np.random.default_rng(3)
X = RNG.normal(size=(150, 4))
Y = (X[:, 0] + RNG.normal(size=150) > 0).astype(int) + (X[:, 1] > 1)


def test_counted_by_hand():
    """Ten rows: the root answers 0 and is wrong in 4 of them; the costs turn the answer of the second leaf round."""
    tree = made([np.array([0, 0, 0, 1]), np.array([0, 0, 0, 1, 1, 1])], classes=2)
    np.testing.assert_allclose(risks(tree, equal_costs(2)), [0.4, 0.1, 0.3])
    costs = np.array([[0.0, 1.0], [5.0, 0.0]])
    assert decisions(tree, costs).tolist() == [1, 1, 1]
    np.testing.assert_allclose(risks(tree, costs), [0.6, 0.3, 0.3])
    assert decisions(tree, equal_costs(2)).tolist() == [0, 0, 0]


@pytest.mark.parametrize("costs", [equal_costs(3), np.array([[0.0, 2.0, 1.0], [1.0, 0.0, 7.0], [3.0, 0.5, 0.0]])])
def test_sum_of_costs_of_the_rows(costs):
    """R(T) is the mean over the rows of the cost of their leaf's answer, and no other answer costs less."""
    theirs = DecisionTreeClassifier(max_depth=4, random_state=0).fit(X, Y)
    tree = of_sklearn(theirs.tree_)
    said = decisions(tree, costs)[theirs.apply(X)]
    assert risks(tree, costs)[tree.is_leaf].sum() == pytest.approx(costs[Y, said].mean(), rel=1e-12)
    for other in range(3):
        every = np.array([costs[Y[theirs.apply(X) == t], other].sum() / len(Y) for t in np.flatnonzero(tree.is_leaf)])
        assert (risks(tree, costs)[tree.is_leaf] <= every + 1e-12).all()


def test_mean_squared_error():
    """For a regression R(T) is the mean squared error on the rows of the fit, weights included."""
    weight, target = RNG.uniform(0, 3, size=150), X[:, 0] ** 2 + RNG.normal(size=150)
    theirs = DecisionTreeRegressor(max_depth=4, random_state=0).fit(X, target, weight)
    tree = of_sklearn(theirs.tree_)
    expected = np.average((target - theirs.predict(X)) ** 2, weights=weight)
    assert risks(tree, None)[tree.is_leaf].sum() == pytest.approx(expected, rel=1e-10)
    np.testing.assert_array_equal(risks(tree, None), impurity_risks(tree))


@pytest.mark.parametrize("seed", range(10))
def test_growing_never_raises_the_risk(seed):
    """The risk of a node is at least that of its children together, for any costs."""
    rng = np.random.default_rng(seed)
    tree = random_tree(rng, depth=4, branches=3, classes=3)
    for risk in (risks(tree, rng.uniform(size=(3, 3))), impurity_risks(tree)):
        for node in np.flatnonzero(~tree.is_leaf):
            assert risk[tree.children_of(node)].sum() <= risk[node] + 1e-12


def test_costs_of_another_shape():
    tree = made([np.array([0]), np.array([1])], classes=2)
    for function in (risks, decisions):
        with pytest.raises(ValueError, match=r"costs has shape \(3, 3\), the tree has 2 classes"):
            function(tree, equal_costs(3))
