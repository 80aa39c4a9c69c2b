"""Rules: they exclude each other, and the rule that a row meets is that of its leaf."""

import numpy as np
import pytest
from random_trees import from_scikit_learn, leaves_of, random_labelled, random_rows
from sklearn.datasets import load_diabetes, load_iris
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from aprendiz.tree.reading.cells import encode
from aprendiz.tree.reading.rules import rules

COSTS = [[0, 1, 5], [1, 0, 1], [2, 1, 0]]
IRIS = load_iris()


def iris(depth=2):
    labels = IRIS.target_names[IRIS.target]
    return from_scikit_learn(DecisionTreeClassifier(max_depth=depth, random_state=0).fit(IRIS.data, labels), list("abcd"))


@pytest.mark.parametrize("simplify", [True, False])
@pytest.mark.parametrize("missing", ["branch", "own"])
@pytest.mark.parametrize("seed", range(6))
def test_each_row_meets_one_rule(seed, missing, simplify):
    """That of its leaf, also where cells are missing or levels were never seen."""
    labelled = random_labelled(seed, missing=missing)
    found = rules(labelled, simplify=simplify)
    assert sorted(rule.leaf for rule in found) == np.flatnonzero(labelled.tree.is_leaf).tolist()
    for row in random_rows(seed, holes=0.3):
        met = [rule.leaf for rule in found if rule.covers(encode(labelled, row))]
        assert met == list(leaves_of(labelled, row))
        assert found.of_row(row).leaf == met[0]


@pytest.mark.parametrize("seed", range(6))
def test_rows_without_missing_cells_of_any_tree(seed):
    """With surrogates and fractions too; a row that these decide about meets no rule or that of its leaf."""
    labelled = random_labelled(seed, missing="fractional", surrogates=True)
    found = rules(labelled)
    for row in random_rows(seed):
        unseen = any(labelled.tree.levels_of(node).min(initial=0) < 0 for node in range(labelled.tree.node_count))
        met = [rule.leaf for rule in found if rule.covers(encode(labelled, row))]
        assert met == list(leaves_of(labelled, row)) or (unseen and met == [])
    for row in random_rows(seed, holes=0.4):
        rule, leaves = found.of_row(row), leaves_of(labelled, row)
        assert rule is None or list(leaves) == [rule.leaf]


def test_measures_are_those_of_the_rows():
    """Coverage, confidence and spread, counted on the rows of the fit."""
    labelled = iris(3)
    labels = IRIS.target_names[IRIS.target]
    for rule in rules(labelled):
        inside = np.array([rule.covers(row) for row in IRIS.data.astype(np.float32).tolist()])
        assert rule.rows == inside.sum() == rule.weight
        assert rule.share == pytest.approx(inside.mean())
        assert rule.confidence == pytest.approx(np.mean(labels[inside] == rule.answer))
        assert rule.cost is None
        assert rule.spread is None
    X, y = load_diabetes(return_X_y=True)
    for rule in rules(from_scikit_learn(DecisionTreeRegressor(max_depth=3).fit(X, y))):
        inside = np.array([rule.covers(row) for row in X.astype(np.float32).tolist()])
        assert rule.answer == pytest.approx(y[inside].mean())
        assert rule.spread == pytest.approx(y[inside].std())
        assert rule.confidence is None


def test_printed():
    """One line for each, in the order of the classes, the heaviest first."""
    assert str(rules(iris())).split("\n") == [
        "IF d ≤ 0.8 THEN setosa (coverage 50 rows, 33.3 %; confidence 1)",
        "IF 0.8 < d ≤ 1.75 THEN versicolor (coverage 54 rows, 36 %; confidence 0.907)",
        "IF d > 1.75 THEN virginica (coverage 46 rows, 30.7 %; confidence 0.978)",
    ]
    assert str(rules(iris(), simplify=False)[1]).startswith("IF d > 0.8 AND d ≤ 1.75 THEN versicolor")
    alone = random_labelled(0, depth=0)
    assert str(rules(alone)).startswith(f"ALWAYS {alone.answers[0]} (coverage 200 rows, 100 %; confidence ")


def test_expected_cost():
    """Of the answer, where mistakes are not equally costly; the answer is the cheapest."""
    labelled = random_labelled(1, costs=COSTS)
    for rule in rules(labelled):
        costs = labelled.tree.value[rule.leaf, 0] @ np.array(COSTS)
        assert rule.cost == pytest.approx(costs.min())
        assert "expected cost" in str(rule)
        assert "of weight" in str(rule)


def test_table():
    """A row for each rule."""
    found = rules(iris())
    table = found.frame()
    assert table["answer"].tolist() == ["setosa", "versicolor", "virginica"]
    assert table["rows"].sum() == 150
    assert table["conditions"][1] == "0.8 < d ≤ 1.75"
    assert list(found.as_dict()) == list(table.columns)
    assert len(found) == 3
    numbers = [rule.answer for rule in rules(random_labelled(2, classes=None))]
    assert numbers == sorted(numbers)
