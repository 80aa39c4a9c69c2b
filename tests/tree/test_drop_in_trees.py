"""The same trees as scikit-learn's, node by node, for every parameter that both have."""

import numpy as np
import pytest
from scipy import sparse
from sklearn import tree as theirs
from sklearn.datasets import load_diabetes, load_iris

from aprendiz import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreesRegressor, RandomForestRegressor

RNG = np.random.default_rng(12)
X = RNG.normal(size=(400, 4)).astype(np.float32).astype(float)  # scikit-learn's trees see float32
CLASSES = (X[:, 0] + X[:, 1] ** 2 + RNG.normal(scale=0.7, size=400) > 1).astype(int) + (X[:, 2] > 0.8)
NUMBERS = X[:, 0] * 2 + np.abs(X[:, 1]) + RNG.normal(scale=0.3, size=400)
COUNTS = np.round(np.exp(X[:, 0])) + 1
WEIGHT = RNG.uniform(0.2, 3.0, 400)
HOLES = np.where(RNG.uniform(size=X.shape) < 0.1, np.nan, X)

# In nodes of a few rows several columns divide them alike, and any may be taken. So the trees stop early.
LIMITS = {"min_samples_split": 50, "random_state": 0}


def left_over(tree, t):
    """The impurity that the question of a node leaves, times the weight."""
    parts = [tree.children_left[t], tree.children_right[t]]
    return (tree.weighted_n_node_samples * tree.impurity)[parts].sum()


def same_nodes(ours, other):
    """The nodes of both trees, from the root down, as far as no two questions are equally good."""
    ours, other = ours.tree_, other.tree_
    waiting, equal, ties = [(0, 0)], 0, 0
    while waiting:
        a, b = waiting.pop()
        assert ours.n_node_samples[a] == other.n_node_samples[b]
        for name in ("impurity", "value", "weighted_n_node_samples"):
            np.testing.assert_allclose(getattr(ours, name)[a], getattr(other, name)[b], rtol=1e-9, atol=1e-9)
        if ours.impurity[a] == 0:  # pure; scikit-learn may go on, if its impurity is not 0 by rounding
            equal, ties = equal + 1, ties + (other.feature[b] >= 0)
            continue
        assert (ours.feature[a] < 0) == (other.feature[b] < 0)
        if ours.feature[a] != other.feature[b] or ours.threshold[a] != pytest.approx(other.threshold[b], rel=1e-12):
            assert left_over(ours, a) == pytest.approx(left_over(other, b), rel=1e-9)
            ties += 1
            continue
        equal += 1
        if ours.feature[a] >= 0:
            waiting += [(getattr(ours, side)[a], getattr(other, side)[b]) for side in ("children_left", "children_right")]
    assert equal > 5
    assert ties < 3
    assert ties or (equal == ours.node_count == other.node_count)


def both(kind, table, y, weight=None, **parameters):
    """Our tree and theirs."""
    parameters = {**LIMITS, **parameters}
    ours = {"classes": DecisionTreeClassifier, "numbers": DecisionTreeRegressor}[kind]
    other = {"classes": theirs.DecisionTreeClassifier, "numbers": theirs.DecisionTreeRegressor}[kind]
    return ours(**parameters).fit(table, y, sample_weight=weight), other(**parameters).fit(table, y, sample_weight=weight)


SETTINGS = (
    {},
    {"max_depth": 3},
    {"min_samples_split": 80},
    {"min_samples_split": 0.3},
    {"min_samples_leaf": 7},
    {"min_samples_leaf": 0.06},
    {"min_weight_fraction_leaf": 0.08},
    {"max_leaf_nodes": 6},
    {"min_impurity_decrease": 0.01},
    {"ccp_alpha": 0.01},
    {"max_features": 1.0},
    {"max_leaf_nodes": 9, "min_samples_leaf": 4, "max_depth": 4},
)


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
def test_parameters(setting, weight):
    """Every stopping rule, with and without weights."""
    same_nodes(*both("classes", X, CLASSES, weight, **setting))
    same_nodes(*both("numbers", X, NUMBERS, weight, **setting))


@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
@pytest.mark.parametrize("criterion", ["gini", "entropy", "log_loss"])
def test_criteria_of_classes(criterion, weight):
    same_nodes(*both("classes", X, CLASSES, weight, criterion=criterion))


@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error", "poisson"])
def test_criteria_of_numbers(criterion, weight):
    y = COUNTS + np.abs(NUMBERS) if criterion == "poisson" else NUMBERS
    same_nodes(*both("numbers", X, y, weight, criterion=criterion))


@pytest.mark.parametrize("class_weight", ["balanced", {0: 1.0, 1: 5.0, 2: 0.5}], ids=str)
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
def test_class_weight(class_weight, weight):
    """Weights of classes, and of rows; balanced classes are balanced by rows in scikit-learn, by weight here."""
    if class_weight == "balanced" and weight is not None:
        class_weight = dict(enumerate(weight.sum() / (3 * np.bincount(CLASSES, weight))))
    same_nodes(*both("classes", X, CLASSES, weight, class_weight=class_weight))


@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error", "poisson"])
def test_several_outputs(criterion, weight):
    """Two and three targets at once, and what is said of new rows."""
    for outputs in (2, 3):
        y = np.column_stack([NUMBERS, NUMBERS**2 + X[:, 2], COUNTS + X[:, 3] ** 2])[:, :outputs]
        ours, other = both("numbers", X, np.abs(y) + 0.1, weight, criterion=criterion)
        same_nodes(ours, other)
        np.testing.assert_allclose(ours.predict(X + 0.1), other.predict(X + 0.1))


@pytest.mark.parametrize("kind", ["classes", "numbers"])
def test_missing(kind):
    """Missing cells take the better side; new rows with missing cells get the same answers."""
    ours, other = both(kind, HOLES, CLASSES if kind == "classes" else NUMBERS)
    same_nodes(ours, other)
    asked, passed = ours.tree_.feature, ours.decision_path(HOLES).toarray().T > 0
    with_gaps = [t for t in np.flatnonzero(asked >= 0) if np.isnan(HOLES[passed[t], asked[t]]).any()]
    np.testing.assert_array_equal(ours.tree_.missing_go_to_left[with_gaps], other.tree_.missing_go_to_left[with_gaps])
    np.testing.assert_allclose(ours.predict(HOLES[::-1]), other.predict(HOLES[::-1]))


@pytest.mark.parametrize("form", [sparse.csr_matrix, sparse.csc_array])
def test_sparse(form):
    """Sparse tables, also when asked."""
    thin = np.where(np.abs(X) < 0.5, 0.0, X)
    ours, other = both("numbers", form(thin), NUMBERS)
    same_nodes(ours, other)
    np.testing.assert_allclose(ours.predict(form(thin)), other.predict(form(thin)))


def test_answers():
    """Shares, logarithms, leaves, paths, depth, leaves, importances."""
    ours, other = both("classes", X, CLASSES, WEIGHT)
    new = X + 0.05
    for name in ("predict", "predict_proba", "predict_log_proba", "apply"):
        with np.errstate(divide="ignore"):
            np.testing.assert_allclose(getattr(ours, name)(new), getattr(other, name)(new), atol=1e-12)
    np.testing.assert_array_equal(ours.decision_path(new).toarray(), other.decision_path(new).toarray())
    np.testing.assert_allclose(ours.feature_importances_, other.feature_importances_, atol=1e-12)
    assert (ours.get_depth(), ours.get_n_leaves()) == (other.get_depth(), other.get_n_leaves())
    assert (ours.n_classes_, ours.n_outputs_, ours.max_features_) == (other.n_classes_, other.n_outputs_, other.max_features_)


def test_pruning_path():
    """The path of cost-complexity pruning."""
    ours, other = both("classes", X, CLASSES, WEIGHT)
    a, b = ours.cost_complexity_pruning_path(X, CLASSES, WEIGHT), other.cost_complexity_pruning_path(X, CLASSES, WEIGHT)
    np.testing.assert_allclose(a["ccp_alphas"], b["ccp_alphas"], atol=1e-12)
    np.testing.assert_allclose(a["impurities"], b["impurities"], atol=1e-12)


def test_ties_cost_nothing():
    """Real tables with equally good questions: the first divisions lower the impurity as much, and all rows are learned."""
    for load, ours, other in (
        (load_iris, DecisionTreeClassifier, theirs.DecisionTreeClassifier),
        (load_diabetes, DecisionTreeRegressor, theirs.DecisionTreeRegressor),
    ):
        table, y = load(return_X_y=True)
        for depth in (1, 2):
            a, b = (cls(max_depth=depth, random_state=0).fit(table, y).tree_ for cls in (ours, other))
            left = [(one.weighted_n_node_samples * one.impurity)[one.children_left < 0].sum() for one in (a, b)]
            assert left[0] == pytest.approx(left[1], rel=1e-6)  # scikit-learn rounds the cells to float32
        a, b = (cls(random_state=0).fit(table, y) for cls in (ours, other))
        assert a.score(table, y) == b.score(table, y) == 1.0


def test_values_that_float32_cannot_tell_apart():
    """Where scikit-learn sees equal values, this tree sees two: it keeps all digits of the table."""
    table, y = np.array([1e8, 1e8 + 1, 1e8 + 2, 1e8 + 3])[:, None], [0, 1, 0, 1]
    assert DecisionTreeClassifier().fit(table, y).score(table, y) == 1.0
    assert theirs.DecisionTreeClassifier().fit(table, y).score(table, y) < 1.0


@pytest.mark.parametrize("cls", [DecisionTreeRegressor, RandomForestRegressor, ExtraTreesRegressor])
def test_friedman_mse_is_deprecated(cls):
    """As in scikit-learn: the name warns, and stands for squared errors."""
    with pytest.warns(FutureWarning, match="friedman_mse"):
        model = cls(criterion="friedman_mse")
    assert model.criterion == "squared_error"
