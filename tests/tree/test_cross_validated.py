"""The price of a leaf by cross-validation: errors as by growing, pruning and judging one tree at a time, and the two rules."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.model_selection import KFold, ShuffleSplit, StratifiedKFold
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from small_trees import of_sklearn

from aprendiz import CART
from aprendiz.core.sources.arrays import ArrayRows
from aprendiz.tree.pruning.cost_complexity import CostComplexityPath
from aprendiz.tree.pruning.cross_validated import choice, chosen_alpha, folds
from aprendiz.tree.pruning.risk import decisions, equal_costs, risks

RNG = np.random.default_rng(8)
X = RNG.normal(size=(160, 3))
SCORE = X[:, 0] + X[:, 1] ** 2 + RNG.normal(size=160)
Y = np.array(["high", "low", "middle"])[np.digitize(SCORE, [0, 1.5])]
WEIGHT = RNG.uniform(0.2, 3, size=160)
COSTS = np.array([[0.0, 2.0, 1.0], [1.0, 0.0, 4.0], [3.0, 0.5, 0.0]])
FOLDS = StratifiedKFold(4)


class GrownClassifier(ClassifierMixin, BaseEstimator):
    """A stand-in: scikit-learn's growth with what the choice asks for."""

    def __init__(self, costs=None):
        self.costs = costs

    def fit(self, X, y, sample_weight=None):
        self.model_ = DecisionTreeClassifier(random_state=0).fit(X, y, sample_weight)
        self.tree_, self.classes_, self.costs_ = of_sklearn(self.model_.tree_), self.model_.classes_, self.costs
        return self

    def node_of(self, X):
        return self.model_.apply(X)


class GrownRegressor(RegressorMixin, BaseEstimator):
    """The same for numbers."""

    costs_ = None

    def fit(self, X, y, sample_weight=None):
        self.model_ = DecisionTreeRegressor(random_state=0).fit(X, y, sample_weight)
        self.tree_ = of_sklearn(self.model_.tree_)
        return self

    def node_of(self, X):
        return self.model_.apply(X)


def mean_and_error(loss, weight):
    mean = np.average(loss, weights=weight)
    return mean, np.sqrt((weight**2 * (loss - mean) ** 2).sum()) / weight.sum()


def leaf_of(tree, x):
    node = 0
    while not tree.is_leaf[node]:
        node = tree.children_of(node)[int(np.float32(x[tree.feature[node]]) > tree.threshold[node])]
    return node


# ---- errors ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
@pytest.mark.parametrize("kind", ["classes", "numbers"])
def test_same_as_scikit_learn_refitted(kind, weight):
    """By impurity: each error is that of trees fitted with ccp_alpha = β on the other folds, one at a time."""
    learner, theirs, target = {
        "classes": (GrownClassifier(), DecisionTreeClassifier, Y),
        "numbers": (GrownRegressor(), DecisionTreeRegressor, SCORE),
    }[kind]
    splitter = FOLDS if kind == "classes" else KFold(4)
    found = chosen_alpha(learner, X, target, weight, cv=splitter, risk="impurity")
    w = np.ones(160) if weight is None else weight
    for k in range(0, len(found.prices), 1 + len(found.prices) // 8):
        loss = np.empty(160)
        for train, test in splitter.split(X, target):
            model = theirs(random_state=0, ccp_alpha=min(found.prices[k], 1e300)).fit(X[train], target[train], w[train])
            said = model.predict(X[test])
            loss[test] = said != target[test] if kind == "classes" else (said - target[test]) ** 2
        assert (found.errors[k], found.standard_errors[k]) == pytest.approx(mean_and_error(loss, w), rel=1e-9)


def test_costs_one_tree_at_a_time():
    """By costs: the trees of each fold are cut at β and descended row by row; each leaf takes the cheapest class."""
    found = chosen_alpha(GrownClassifier(COSTS), X, Y, cv=FOLDS)
    number = np.searchsorted(["high", "low", "middle"], Y)
    for k in range(0, len(found.prices), 1 + len(found.prices) // 6):
        loss = np.empty(160)
        for train, test in FOLDS.split(X, Y):
            full = GrownClassifier(COSTS).fit(X[train], Y[train]).tree_
            tree = CostComplexityPath.of(full, risks(full, COSTS)).tree(found.prices[k])
            said = decisions(tree, COSTS)[[leaf_of(tree, x) for x in X[test]]]
            loss[test] = COSTS[number[test], said]
        assert (found.errors[k], found.standard_errors[k]) == pytest.approx(mean_and_error(loss, np.ones(160)), rel=1e-12)


def test_path_and_prices():
    """The path is that of the tree of all rows; prices lie between its own; the last subtree is the root in every fold."""
    found = chosen_alpha(GrownClassifier(), X, Y, cv=FOLDS)
    tree = GrownClassifier().fit(X, Y).tree_
    path = CostComplexityPath.of(tree, risks(tree, equal_costs(3)))
    np.testing.assert_array_equal(found.alphas, path.alphas)
    np.testing.assert_array_equal(found.leaves, path.leaves)
    np.testing.assert_allclose(found.prices[:-1] ** 2, path.alphas[:-1] * path.alphas[1:])
    assert path.tree(found.alpha).n_leaves == found.leaves[found.chosen]
    most = np.unique(Y, return_counts=True)[1].max()
    assert found.errors[-1] == pytest.approx(1 - most / 160)


def test_a_class_that_a_fold_lacks():
    """Its rows are errors of every answer, and cost what the costs of all classes say."""
    labels = np.where(np.arange(160) < 5, "a rare one", Y)
    found = chosen_alpha(GrownClassifier(), X, labels, cv=[(np.arange(5, 160), np.arange(5))])
    np.testing.assert_array_equal(found.errors, 1.0)
    np.testing.assert_array_equal(found.standard_errors, 0.0)
    assert found.leaves[found.chosen] == 1


def test_frames_and_lists():
    """A frame or lists give what the array gives."""
    expected = chosen_alpha(GrownRegressor(), X, SCORE, cv=5, random_state=3)
    for table, target in ((pd.DataFrame(X), pd.Series(SCORE, index=range(7, 167))), (X.tolist(), SCORE.tolist())):
        found = chosen_alpha(GrownRegressor(), table, target, cv=5, random_state=3)
        np.testing.assert_array_equal(found.errors, expected.errors)


# ---- the choice ------------------------------------------------------------------------------------------------------


def test_rules():
    """The least error, the larger price of equal ones; and the largest price within a standard error of it."""
    errors, spread = np.array([0.30, 0.20, 0.20, 0.24, 0.26, 0.5]), np.array([0.02, 0.09, 0.05, 0.01, 0.01, 0.01])
    assert choice(errors, spread, "min") == (2, 2)
    assert choice(errors, spread, "1se") == (2, 3)
    assert choice(errors, np.full(6, 0.3), "1se") == (2, 5)


def test_the_rule_is_kept():
    """The chosen subtree is within the limit, all smaller ones are not, and "min" never takes a smaller tree."""
    one = chosen_alpha(GrownClassifier(), X, Y, random_state=0)
    least = chosen_alpha(GrownClassifier(), X, Y, rule="min", random_state=0)
    assert one.errors[one.chosen] <= one.limit + 1e-12
    assert (one.errors[one.chosen + 1 :] > one.limit).all()
    assert least.errors[least.chosen] == least.errors.min()
    assert least.chosen == one.best <= one.chosen


def test_noise_is_cut_to_the_root():
    """Where X says nothing of y, one standard error reaches the tree without questions; its price is finite."""
    target = np.random.default_rng(1).normal(size=160)
    found = chosen_alpha(GrownRegressor(), X, target, random_state=0)
    assert found.leaves[found.chosen] == 1
    assert found.alpha == found.alphas[-1]


def test_seed():
    """The same seed gives the same folds; another one others."""
    runs = [chosen_alpha(GrownClassifier(), X, Y, cv=5, random_state=seed).errors for seed in (1, 1, 2)]
    np.testing.assert_array_equal(runs[0], runs[1])
    assert not np.array_equal(runs[0], runs[2])


def test_folds_are_stratified_for_classes():
    """Each fold has its share of each class."""
    number = np.unique(Y, return_inverse=True)[1]
    for _, test in folds(4, number, True, 0):
        share = np.bincount(number[test]) * 4 - np.bincount(number)
        assert np.abs(share).max() <= 4


def test_table():
    """A line for each subtree, one of them chosen."""
    found = chosen_alpha(GrownClassifier(), X, Y, cv=FOLDS)
    lines = str(found).split("\n")
    assert lines[0].split() == ["alpha", "leaves", "cv", "error", "std", "error"]
    assert len(lines) == 1 + len(found.alphas)
    assert [k for k, line in enumerate(lines[1:]) if "chosen (1se)" in line] == [found.chosen]


def test_what_is_refused():
    """Unknown rules, impossible folds, rows held out twice or trained on, tables that are not in memory."""
    overlap = [(np.arange(10, 160), np.arange(11))]
    for problem, words in (
        ({"rule": "2se"}, "rule='2se' is not known: give '1se' or 'min'"),
        ({"risk": "gini"}, "risk='gini' is not known: give 'cost' or 'impurity'"),
        ({"cv": 1}, "cv=1 folds are not possible"),
        ({"cv": 200}, r"cv=200 folds are not possible .n_samples=160, \d+ in the largest class"),
        ({"cv": ShuffleSplit(5, test_size=0.5, random_state=0)}, r"cv holds row \d+ out \d times"),
        ({"cv": overlap}, "cv trains on row 10 and holds it out in the same fold"),
        ({"sample_weight": np.zeros(160), "cv": 2}, "weight"),
    ):
        with pytest.raises(ValueError, match=words):
            chosen_alpha(GrownClassifier(), X, Y, **problem)
    with pytest.raises(ValueError, match="X has 160 rows, y has 100"):
        chosen_alpha(GrownClassifier(), X, Y[:100])
    with pytest.raises(ValueError, match="y contains NaN: row 0"):
        chosen_alpha(GrownRegressor(), X, np.append(np.nan, SCORE[1:]))
    with pytest.raises(TypeError, match="needs the table in memory, got ArrayRows"):
        chosen_alpha(GrownClassifier(), ArrayRows(X), Y)


def test_splits_and_rows_of_weight_0():
    """Splits by number speak of the rows that were given; those of weight 0 are as good as absent."""
    rng = np.random.default_rng(5)
    table, target, weight = rng.normal(size=(40, 2)), rng.integers(0, 2, 40), np.tile([0.0, 1.0, 1.0, 2.0], 10)
    there = np.flatnonzero(weight)
    splits = [(np.flatnonzero(np.arange(40) % 3 != k), np.flatnonzero(np.arange(40) % 3 == k)) for k in range(3)]
    some = [(np.flatnonzero(there % 3 != k), np.flatnonzero(there % 3 == k)) for k in range(3)]
    given = CART(cv=splits).fit(table, target, weight).pruning_
    kept = CART(cv=some).fit(table[there], target[there], weight[there]).pruning_
    assert np.array_equal(given.errors, kept.errors)
    model = CART(pruning=None).fit(table, target, weight).prune(cv=splits)
    assert np.array_equal(model.pruning_.errors, kept.errors)
