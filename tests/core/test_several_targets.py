"""Targets of several columns of classes, against scikit-learn: trees, forests and neighbours."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn.ensemble
import sklearn.neighbors
import sklearn.tree

import aprendiz
from aprendiz import (
    DecisionTreeClassifier,
    ExtraTreesClassifier,
    GaussianNB,
    KNeighborsClassifier,
    RadiusNeighborsClassifier,
    RandomForestClassifier,
)
from aprendiz.core.several_targets import blocks, class_factors, codes_of, has_several_targets, labelled, several_classes

RANDOM = np.random.RandomState(0)
X = RANDOM.randn(150, 4)
NEW = RANDOM.randn(40, 4)
Y = np.column_stack([(X[:, 0] > 0).astype(int), np.digitize(X[:, 1] + 0.3 * RANDOM.randn(150), [-0.7, 0.2, 0.8])])
ZERO_ONE = (Y > 0).astype(int)


def test_indicators():
    """Indicators lead back to the labels, whatever these are."""
    table = [["ash", "1"], ["oak", "3"], ["ash", "2"]]
    assert has_several_targets(table)
    assert not has_several_targets(["ash", "oak"])
    assert not has_several_targets(np.zeros((3, 1)))
    labels, indicators = several_classes(table, 3)
    assert [one.tolist() for one in labels] == [["ash", "oak"], ["1", "2", "3"]]
    assert indicators.tolist() == [[1, 0, 1, 0, 0], [0, 1, 0, 0, 1], [1, 0, 0, 1, 0]]
    assert labelled(codes_of(indicators, labels), labels).tolist() == table
    assert [part.shape for part in blocks(indicators, labels)] == [(3, 2), (3, 3)]


def test_bad_targets():
    """Measurements and missing labels are refused, and learners of one target go on to refuse several."""
    with pytest.raises(ValueError, match=r"y holds 0\.5 in row 1"):
        several_classes([[0.0, 1.0], [1.0, 0.5]], 2)
    with pytest.raises(ValueError, match="row 1"):
        several_classes(np.array([["a", "b"], ["c", None]], dtype=object), 2)
    with pytest.raises(ValueError, match="y should be a 1d array"):
        GaussianNB().fit(X, Y)


@pytest.mark.parametrize("criterion", ["gini", "entropy", "log_loss"])
@pytest.mark.parametrize("limits", [{"max_depth": 3}, {"min_impurity_decrease": 0.02}, {"max_leaf_nodes": 6}], ids=str)
def test_tree(criterion, limits):
    """The same tree as scikit-learn's, whose nodes may stand in another order: splits by the mean impurity of the targets."""
    weight = RANDOM.rand(150)
    ours = DecisionTreeClassifier(criterion=criterion, **limits).fit(X, Y, sample_weight=weight)
    theirs = sklearn.tree.DecisionTreeClassifier(criterion=criterion, random_state=0, **limits).fit(X, Y, sample_weight=weight)
    assert ours.tree_.node_count == theirs.tree_.node_count
    np.testing.assert_allclose(np.sort(ours.tree_.impurity), np.sort(theirs.tree_.impurity), atol=1e-12)
    assert ours.tree_.value.shape == theirs.tree_.value.shape
    np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_)
    np.testing.assert_array_equal(ours.predict(NEW), theirs.predict(NEW))
    for a, b in zip(ours.predict_proba(NEW), theirs.predict_proba(NEW), strict=True):
        np.testing.assert_allclose(a, b, atol=1e-12)
    assert ours.n_classes_.tolist() == ours.tree_.n_classes.tolist() == [2, 4]
    assert ours.certificate_.holds


def test_class_weights():
    """As in scikit-learn: a dict for each target, or "balanced"."""
    weights = [{0: 2.0, 1: 0.5}, {0: 1.0, 1: 3.0, 3: 0.0}]
    labels, indicators = several_classes(Y, 150)
    for given in ("balanced", weights):
        wanted = sklearn.utils.class_weight.compute_sample_weight(given, Y)
        np.testing.assert_allclose(class_factors(given, indicators, labels), wanted)
    for bad in ({0: 1.0}, weights[:1], [{0: -1.0}, {}]):
        with pytest.raises(ValueError, match="class_weight"):
            DecisionTreeClassifier(class_weight=bad).fit(X, Y)
    with pytest.raises(ValueError, match="y has one"):
        DecisionTreeClassifier(class_weight=weights).fit(X, Y[:, 0])
    assert DecisionTreeClassifier(class_weight=weights).fit(X, Y).certificate_.holds


@pytest.mark.parametrize("forest", [RandomForestClassifier, ExtraTreesClassifier])
def test_forest(forest):
    """Shares are the means of those of the trees, and so are predictions."""
    model = forest(7, random_state=0, class_weight="balanced_subsample", bootstrap=True).fit(X, Y)
    found = model.predict_proba(NEW)
    trees = [tree.predict_proba(NEW) for tree in model]
    for k in range(2):
        np.testing.assert_allclose(found[k], np.mean([one[k] for one in trees], axis=0), atol=1e-12)
        np.testing.assert_array_equal(model.predict(NEW)[:, k], model.classes_[k][found[k].argmax(axis=1)])
        np.testing.assert_allclose(np.exp(model.predict_log_proba(NEW)[k]), found[k])
    assert (model.predict(X) == Y).mean() > 0.9
    assert model.certificate_.holds


def test_out_of_bag():
    """Out-of-bag shares by hand; targets that are not 0 and 1 are refused as in scikit-learn."""
    model = RandomForestClassifier(40, oob_score=True, random_state=0).fit(X, ZERO_ONE)
    total, votes = np.zeros((150, 2, 2)), np.zeros(150)
    for tree, bag in zip(model, model.estimators_samples_, strict=True):
        out = np.setdiff1d(np.arange(150), bag)
        total[out] += np.stack(tree.predict_proba(X[out]), axis=2)
        votes[out] += 1
    np.testing.assert_allclose(model.oob_decision_function_, total / votes[:, None, None], atol=1e-12)
    right = (total.argmax(axis=1) == ZERO_ONE).all(axis=1)
    assert model.oob_score_ == pytest.approx(right.mean())
    assert model.oob_errors_[-1] == pytest.approx(1 - right.mean())
    with pytest.raises(ValueError, match="cannot be used to compute OOB"):
        RandomForestClassifier(oob_score=True).fit(X, Y)


@pytest.mark.parametrize("weights", ["uniform", "distance"])
def test_neighbours(weights):
    """k neighbours and neighbours in a ball vote on each target."""
    for ours, theirs in (
        (KNeighborsClassifier(4, weights=weights), sklearn.neighbors.KNeighborsClassifier(4, weights=weights)),
        (
            RadiusNeighborsClassifier(0.9, weights=weights, outlier_label="most_frequent"),
            sklearn.neighbors.RadiusNeighborsClassifier(0.9, weights=weights, outlier_label="most_frequent"),
        ),
    ):
        ours.fit(X, Y), theirs.fit(X, Y)
        assert ours.outputs_2d_
        np.testing.assert_array_equal(ours.predict(NEW), theirs.predict(NEW))
        for a, b in zip(ours.predict_proba(NEW), theirs.predict_proba(NEW), strict=True):
            np.testing.assert_allclose(a, b, atol=1e-12)


def test_outliers():
    """Rows without neighbours have a label for each target."""
    far = np.full((1, 4), 99.0)
    assert RadiusNeighborsClassifier(outlier_label=[1, 3]).fit(X, Y).predict(far).tolist() == [[1, 3]]
    with pytest.raises(ValueError, match="one label for each target"):
        RadiusNeighborsClassifier(outlier_label=[1]).fit(X, Y)
    with pytest.raises(ValueError, match="No neighbors found"):
        RadiusNeighborsClassifier().fit(X, Y).predict(far)


@pytest.mark.parametrize(
    "model", [DecisionTreeClassifier(max_depth=3), RandomForestClassifier(3, random_state=0), KNeighborsClassifier()]
)
def test_file(model, tmp_path):
    """A model of several targets comes back from a file."""
    path = tmp_path / "model.aprendiz"
    aprendiz.save(model.fit(X, Y), path)
    np.testing.assert_array_equal(aprendiz.load(path).predict(NEW), model.predict(NEW))


def test_one_target_only():
    """What speaks of one target says so."""
    tree = DecisionTreeClassifier(max_depth=2).fit(X, Y)
    forest = RandomForestClassifier(3, random_state=0).fit(X, Y)
    for asked in (tree.rules, tree.to_text, forest.oob_permutation_importance, forest.outlier_scores):
        with pytest.raises(ValueError, match="supports one target only"):
            asked()
    for wrong in ({"criterion": "error"}, {"costs": [[0, 1], [1, 0]]}, {"pruning": "pessimistic"}):
        with pytest.raises(ValueError, match="supports one target only"):
            DecisionTreeClassifier(**wrong).fit(X, Y)
    with pytest.raises(ValueError, match="voting of RandomForestClassifier supports one target only"):
        RandomForestClassifier(voting="hard").fit(X, Y)
