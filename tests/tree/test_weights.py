"""What trees and their ensembles make of weights: their unit does not matter, and C4.5 counts cases."""

import inspect

import numpy as np
import pytest

import aprendiz
from aprendiz.tree.c45 import C45

RNG = np.random.default_rng(0)
X = np.round(RNG.normal(size=(200, 3)), 1)
NUMBERS = X[:, 0] + X[:, 1] ** 2 + 0.3 * RNG.normal(size=len(X))
CLASSES = (NUMBERS > 1).astype(int)
WEIGHT = RNG.integers(1, 5, len(X)) / 2
GROWN = [cls for _, cls in aprendiz.all_learners() if cls.__module__.split(".")[1] in ("tree", "ensemble")]


def fitted(cls, weight):
    several = {"n_estimators": 3} if "n_estimators" in inspect.signature(cls).parameters else {}
    return cls(random_state=0, **several).fit(X, NUMBERS if cls.target == "numbers" else CLASSES, weight)


@pytest.mark.parametrize("cls", [cls for cls in GROWN if cls is not C45], ids=lambda cls: cls.__name__)
def test_the_unit_of_weights_does_not_matter(cls):
    """Weights that are tiny, huge, or near the ends of what the door lets in: the same predictions."""
    expected = fitted(cls, WEIGHT).predict(X)
    for factor in (2.0**-40, 2.0**-290, 2.0**290):
        assert np.array_equal(fitted(cls, WEIGHT * factor).predict(X), expected), factor


def test_nodes_have_weights_in_their_own_unit():
    tree = fitted(aprendiz.DecisionTreeClassifier, WEIGHT * 2.0**290).tree_
    usual = fitted(aprendiz.DecisionTreeClassifier, WEIGHT).tree_
    assert np.array_equal(tree.weighted_n_node_samples, usual.weighted_n_node_samples * 2.0**290)
    assert np.array_equal(tree.impurity, usual.impurity)


def test_c45_counts_cases():
    """A weight of 2 is the row twice; weights that sum to 1 are shares, and the tree is that of equal weights."""
    plain = C45().fit(X, CLASSES)
    assert plain.tree_.n_leaves > 3
    for shares in (np.full(len(X), 1 / len(X)), np.full(len(X), 1e-80)):
        model = C45().fit(X, CLASSES, shares)
        assert np.array_equal(model.tree_.feature, plain.tree_.feature)
        assert np.array_equal(model.tree_.threshold, plain.tree_.threshold)
    twice = C45().fit(X, CLASSES, np.full(len(X), 2.0))
    repeated = C45().fit(np.repeat(X, 2, axis=0), np.repeat(CLASSES, 2))
    assert np.array_equal(twice.tree_.threshold, repeated.tree_.threshold)
    assert twice.tree_.n_leaves > plain.tree_.n_leaves  # more cases prune less
