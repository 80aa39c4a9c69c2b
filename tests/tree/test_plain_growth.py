"""Criteria that are functions: the same tree as by name where the function has one, and what a function must be."""

import numpy as np
import pytest
from random_tables import random_classes, random_table
from sklearn.base import clone

from aprendiz import DecisionTreeClassifier
from aprendiz.tree.shared.nodes import ARRAYS


def gini(p):
    return 1.0 - (p**2).sum()


def entropy(p):
    p = p[p > 0]
    return -(p * np.log2(p)).sum()


def root(p):
    """√Gini for two classes: between entropy and the error rate in shape, steeper at the ends."""
    return np.sqrt(max(gini(p), 0.0))


def assert_same_tree(one, other):
    """All arrays agree; what missing cells would do in a leaf does not matter."""
    for name in ARRAYS:
        asks = ~one.is_leaf if name == "missing_branch" else slice(None)
        ours, theirs = getattr(one, name)[asks], getattr(other, name)[asks]
        np.testing.assert_allclose(ours, theirs, atol=1e-12, err_msg=name)


def fitted(seed, function, name, *, classes=3, holes=0.0, weighted=True, n=40, words=4, **parameters):
    """Two trees on the same random table, by the function and by its name."""
    rng = np.random.default_rng(seed)
    X, y = random_table(rng, n, holes, words), random_classes(rng, n, classes)
    weight = rng.uniform(0.3, 3, n) if weighted else None
    return [DecisionTreeClassifier(criterion=c, random_state=3, **parameters).fit(X, y, weight) for c in (function, name)]


# ---- the same trees ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("missing", ["own", "surrogate", "fractional"])
@pytest.mark.parametrize("classes", [2, 3])
def test_gini_as_a_function(classes, missing):
    """Numbers, words, orders, weights, with and without missing cells: the tree of criterion="gini"."""
    for seed, holes in ((1, 0.0), (2, 0.2)):
        ours, theirs = fitted(seed, gini, "gini", classes=classes, missing=missing, holes=holes, weighted=seed % 2)
        assert_same_tree(ours.tree_, theirs.tree_)
        assert ours.search_ == "exact"
        assert ours.certificate_.holds


@pytest.mark.parametrize("categories", ["subsets", "multiway"])
def test_entropy_as_a_function(categories):
    """The tree of criterion="entropy", its impurities in bits."""
    ours, theirs = fitted(3, entropy, "entropy", holes=0.1, categories=categories)
    assert_same_tree(ours.tree_, theirs.tree_)


@pytest.mark.parametrize(
    "rules",
    [
        {"max_depth": 2},
        {"min_samples_split": 9, "min_samples_leaf": 3},
        {"min_samples_leaf": 0.1},
        {"min_weight_fraction_leaf": 0.08},
        {"min_impurity_decrease": 0.02},
        {"max_leaf_nodes": 6},
        {"max_features": 1},
        {"max_features": "sqrt", "max_leaf_nodes": 9},
        {"priors": [0.2, 0.3, 0.5]},
        {"costs": [[0, 2, 7], [1, 0, 1], [1, 3, 0]]},
        {"class_weight": "balanced"},
        {"words": 14},
        {"ccp_alpha": 0.01},
    ],
    ids=str,
)
def test_the_same_rules(rules):
    """Everything that limits or weighs the growth does it in the same way."""
    ours, theirs = fitted(4, gini, "gini", holes=0.1, **rules)
    assert_same_tree(ours.tree_, theirs.tree_)
    assert ours.max_features_ == theirs.max_features_


def test_another_function():
    """A function without a name: the questions are the best by it, and the shares of the leaves are predicted."""
    rng = np.random.default_rng(5)
    X, y = random_table(rng), random_classes(rng, 40, 2)
    model = clone(DecisionTreeClassifier(criterion=root, max_depth=3)).fit(X, y)
    for t in np.flatnonzero(~model.tree_.is_leaf):
        worked = model.worked(t)
        assert worked.impurity == pytest.approx(root(worked.contents.summary / worked.contents.total))
        assert worked.chosen.decrease == pytest.approx(worked.best.decrease, abs=1e-12)
    np.testing.assert_allclose(model.predict_proba(X), model.tree_.value[model.apply(X), 0])


# ---- what is no impurity -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("phi", "why"),
    [
        (lambda p: p[0] * (1 - p[0]), "must not depend on the order of the classes"),
        (lambda p: 1.0, r"gives 1 at p = \(1, 0, 0\): it must be 0 where all rows are of one class"),
        (lambda p: gini(p) * (1 + 9 * (p.max() - 1 / 3)), "must be largest where all classes are equally frequent"),
        (lambda p: np.nan, "must give one number"),
        (lambda p: p, "must give one number"),
    ],
    ids=["order", "vertex", "middle", "nan", "vector"],
)
def test_functions_that_are_no_impurity(phi, why):
    """The error says which property fails, and at which shares."""
    with pytest.raises(ValueError, match=why):
        DecisionTreeClassifier(criterion=phi).fit(np.arange(12.0).reshape(6, 2), [0, 1, 2, 0, 1, 2])


def test_no_random_questions():
    with pytest.raises(ValueError, match="needs a criterion with a name"):
        DecisionTreeClassifier(criterion=gini, splitter="random").fit([[0.0, 1], [1.0, 1]], [0, 1])
