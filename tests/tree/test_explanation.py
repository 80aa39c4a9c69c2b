"""Explanations: the way of a row, its answer, and the costs of the nodes on it."""

import numpy as np
import pytest
from random_trees import STRANGE, answer_of, from_scikit_learn, leaves_of, random_labelled, random_rows, with_answers
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from test_split_words import stump

from aprendiz.tree.pruning.resubstitution import resubstitution
from aprendiz.tree.reading.explanation import explain

X, y = load_iris(return_X_y=True)
COSTS = [[0, 1, 5], [1, 0, 1], [2, 1, 0]]


@pytest.mark.parametrize("classes", [("a", "b", "c"), None], ids=["classes", "numbers"])
@pytest.mark.parametrize("missing", ["branch", "own", "fractional"])
@pytest.mark.parametrize("seed", range(5))
def test_way_and_answer(seed, missing, classes):
    """Leaves, parts and answers are those of the definition, with surrogates, missing cells, unseen levels and costs."""
    labelled = random_labelled(seed, missing=missing, surrogates=True, classes=classes, costs=COSTS)
    for row in random_rows(seed, 25, holes=0.4):
        found, parts = explain(labelled, row), leaves_of(labelled, row)
        assert found.leaves == pytest.approx(parts)
        assert sum(found.leaves.values()) == pytest.approx(1)
        assert found.prediction == (answer_of(labelled, row) if classes else pytest.approx(answer_of(labelled, row)))
        if classes:
            mixed = sum(part * labelled.tree.value[leaf, 0] for leaf, part in parts.items())
            assert list(found.probabilities.values()) == pytest.approx(mixed)
        assert len(str(found).split("\n")) == len(found.steps) + 1


def test_same_as_scikit_learn():
    """Prediction and path of its trees, in which no cell is missing."""
    model = DecisionTreeClassifier(random_state=0).fit(X, y)
    labelled = from_scikit_learn(model)
    for row in X[::10].astype(np.float32):
        found = explain(labelled, row.tolist())
        assert [step.node for step in found.steps] == model.decision_path(row[None]).indices.tolist()
        assert found.prediction == model.predict(row[None])[0]


def test_words():
    """The question, the cell, the branch, and what is known of the node."""
    labelled = from_scikit_learn(DecisionTreeClassifier(max_depth=2, random_state=0).fit(X, y), ["a", "b", "c", "petal width"])
    assert str(explain(labelled, [5.0, 3.0, 4.0, 1.5])).split("\n") == [
        "node 0: petal width ≤ 0.8? 1.5 → no  (100 % of the weight; impurity 0.667)",
        "node 2: petal width ≤ 1.75? 1.5 → yes  (66.7 % of the weight; impurity 0.5)",
        "leaf 3: 1  (36 % of the weight; impurity 0.168)",
        "prediction: 1  (0 0, 1 0.907, 2 0.0926)",
    ]


@pytest.mark.parametrize(
    ("missing", "cell", "words"),
    [
        (0, None, "missing → large, medium or another level (the heaviest branch)"),
        (1, None, "missing → tiny or another level or missing (the branch of missing cells)"),
        (-1, None, "missing → all branches (in proportion to their weight)"),
        (0, STRANGE, "never seen, not seen in training → large, medium or another level (the heaviest branch)"),
        (0, "tiny", "tiny → tiny"),
        (0, "small", "small → large, medium or another level (the heaviest branch)"),
    ],
)
def test_missing_cells_in_words(missing, cell, words):
    """A missing cell, a level that the table or the node never had."""
    labelled = stump(1, levels=[0, 0, -1, 1], missing=missing)
    first = explain(labelled, [1.0, cell, "A", True, 2.0]).steps[0]
    assert f"size? {words}" in str(first)


def test_surrogate_in_words():
    """The column that stood in is named."""
    labelled = random_labelled(0, surrogates=True)
    tree = labelled.tree
    node = next(t for t in range(tree.node_count) if tree.surrogate_start[t + 1] > tree.surrogate_start[t])
    found = [str(explain(labelled, row)) for row in random_rows(1, 200, holes=0.5)]
    assert any(f"node {node}: " in text and "(by the surrogate split, " in text for text in found)


# ---- costs of nodes ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [DecisionTreeClassifier, DecisionTreeRegressor])
def test_resubstitution(kind):
    """R(t), R(T_t) and g(t) counted on the rows: share of mistakes, or of squared errors."""
    model = kind(max_depth=4, random_state=0).fit(X, y)
    labelled = from_scikit_learn(model)
    tree, found = labelled.tree, resubstitution(labelled)
    path = model.decision_path(X).toarray().astype(bool)
    wrong = model.predict(X) != y if labelled.classes else (model.predict(X) - y) ** 2
    for node in range(tree.node_count):
        answer = labelled.answers[node]
        alone = y[path[:, node]] != answer if labelled.classes else (y[path[:, node]] - answer) ** 2
        assert found.alone[node] == pytest.approx(alone.sum() / 150)
        assert found.below[node] == pytest.approx(wrong[path[:, node]].sum() / 150)
        leaves = tree.leaves_below[node]
        if leaves > 1:
            assert found.saved[node] == pytest.approx((found.alone[node] - found.below[node]) / (leaves - 1))
        else:
            assert found.saved[node] == np.inf


def test_least_saving_is_the_first_alpha():
    """The smallest g(t) of a regression tree is where scikit-learn's path leaves the full tree."""
    model = DecisionTreeRegressor(max_depth=4, random_state=0).fit(X, y)
    alphas = model.cost_complexity_pruning_path(X, y).ccp_alphas
    assert resubstitution(from_scikit_learn(model)).saved.min() == pytest.approx(alphas[alphas > 0][0])


def test_costs_are_shown_when_asked():
    """R(t) = 2/3 and R(T_t) = 6/150 at the root of the tree with three leaves: g = (100 − 6)/150/2."""
    labelled = from_scikit_learn(DecisionTreeClassifier(max_depth=2, random_state=0).fit(X, y))
    root, *_, leaf = explain(labelled, X[0].tolist(), pruning=True).steps
    assert root.costs == pytest.approx((100 / 150, 6 / 150, 94 / 300))
    assert "R(t) = 0.667, R(T_t) = 0.04, g(t) = 0.313" in str(root)
    assert "g(t)" not in str(leaf)
    assert explain(labelled, X[0].tolist()).steps[0].costs is None


def test_costs_of_mistakes_count():
    """R(t) is the least expected cost."""
    tree = random_labelled(0).tree
    labelled = with_answers(tree, "abcde", None, ("a", "b", "c"), COSTS)
    share = tree.weighted_n_node_samples / tree.weighted_n_node_samples[0]
    wanted = share * (tree.value[:, 0] @ np.array(COSTS)).min(axis=1)
    assert resubstitution(labelled).alone == pytest.approx(wanted)
