"""Worked nodes: all candidates of a node from their definitions, and the one that the compiled growth chose among them."""

import numpy as np
import pandas as pd
import pytest
from random_tables import random_classes, random_table
from scipy import sparse

from aprendiz import DecisionTreeClassifier, DecisionTreeRegressor, load, save
from aprendiz.locale import language
from aprendiz.tree import count_splits

CLASSES = ("gini", "entropy", "log_loss", "error")
NUMBERS = ("squared_error", "absolute_error", "poisson")


def classifier(seed, *, classes=3, holes=0.0, weighted=False, words=4, n=40, **parameters):
    rng = np.random.default_rng(seed)
    X, y = random_table(rng, n, holes, words), random_classes(rng, n, classes)
    return DecisionTreeClassifier(**parameters).fit(X, y, rng.uniform(0.2, 3, n) if weighted else None)


def regressor(seed, *, outputs=1, holes=0.0, weighted=False, n=40, **parameters):
    rng = np.random.default_rng(seed)
    y = rng.gamma(2.0, size=(n, outputs)).round(2)
    X, weight = random_table(rng, n, holes), rng.uniform(0.2, 3, n) if weighted else None
    return DecisionTreeRegressor(**parameters).fit(X, y if outputs > 1 else y[:, 0], weight)


def assert_all_worked(model, *, exhaustive=True):
    """In every node: what it holds, that its question is among the candidates, and that none is better."""
    tree = model.tree_
    for t in range(tree.node_count):
        worked = model.worked(t)
        assert worked.impurity == pytest.approx(tree.impurity[t], abs=1e-12)
        assert len(worked.contents) == tree.n_node_samples[t]
        if tree.is_leaf[t]:
            assert worked.chosen is None
            continue
        assert worked.chosen.allowed
        assert worked.chosen.decrease <= worked.best.decrease + 1e-12
        if exhaustive:
            assert worked.chosen.decrease == pytest.approx(worked.best.decrease, abs=1e-12)


# ---- the compiled growth takes the best candidate ------------------------------------------------------------------------


@pytest.mark.parametrize("missing", ["own", "surrogate", "fractional"])
@pytest.mark.parametrize("criterion", CLASSES)
def test_best_question_of_classes(criterion, missing):
    """Numbers, words, orders, missing cells and weights: the question of every node is the best of all."""
    assert_all_worked(classifier(1, criterion=criterion, missing=missing, holes=0.15, weighted=True, max_depth=4))
    assert_all_worked(classifier(2, criterion=criterion, missing=missing, classes=2, words=7, min_samples_leaf=3))


@pytest.mark.parametrize("missing", ["own", "fractional"])
def test_best_question_with_many_branches(missing):
    """A branch for each level, and one for missing cells of their own."""
    for criterion in CLASSES:
        parameters = {"criterion": criterion, "categories": "multiway", "missing": missing}
        assert_all_worked(classifier(3, holes=0.1, max_depth=3, **parameters))


@pytest.mark.parametrize("categories", ["subsets", "multiway"])
def test_best_gain_ratio(categories):
    """Among the best questions of columns with at least the average gain, the one of the largest ratio."""
    for seed in range(4):
        parameters = {"criterion": "gain_ratio", "categories": categories, "missing": "fractional"}
        model = classifier(seed, classes=2 + seed % 2, holes=0.1, max_depth=3, **parameters)
        for t in np.flatnonzero(~model.tree_.is_leaf):
            worked = model.worked(t)
            assert worked.chosen.ratio == pytest.approx(worked.best.ratio, abs=1e-12)
            assert worked.chosen.column == worked.best.column


@pytest.mark.parametrize("criterion", NUMBERS)
def test_best_question_of_numbers(criterion):
    """Regressions. Absolute errors cut levels in the order of their medians, which need not find the best."""
    exhaustive = criterion != "absolute_error"
    for missing in ("own", "fractional"):
        model = regressor(5, criterion=criterion, missing=missing, holes=0.1, weighted=True, max_depth=3, min_samples_leaf=2)
        assert_all_worked(model, exhaustive=exhaustive)


def test_best_question_of_several_targets():
    """The impurity is the mean over the targets."""
    rng = np.random.default_rng(6)
    model = DecisionTreeRegressor(max_depth=3).fit(rng.normal(size=(40, 3)), rng.normal(size=(40, 2)))
    assert_all_worked(model)
    assert model.worked().candidates[0].summary.shape == (2, 2)


@pytest.mark.parametrize(
    "extra", [{"priors": [0.2, 0.5, 0.3]}, {"costs": [[0, 1, 5], [2, 0, 1], [1, 1, 0]]}, {"class_weight": "balanced"}]
)
def test_priors_and_costs(extra):
    """The candidates are measured as the search sees the classes, so that its question is still the best."""
    model = classifier(7, max_depth=3, weighted=True, **extra)
    assert_all_worked(model)
    worked = model.worked()
    if "priors" in extra:
        np.testing.assert_allclose(worked.contents.summary / worked.contents.total, extra["priors"])


def test_shares_of_rows():
    """Rows that are shared out count in a node with their part: the weights of the nodes are those of the tree."""
    model = classifier(8, missing="fractional", holes=0.3, max_depth=4)
    for t in range(model.tree_.node_count):
        contents = model.worked(t).contents
        assert contents.total == pytest.approx(model.tree_.weighted_n_node_samples[t])
        np.testing.assert_allclose(contents.summary / contents.total, model.tree_.value[t, 0], atol=1e-12)


# ---- the numbers of a candidate ------------------------------------------------------------------------------------------


def test_branches_add_up():
    """Branches are parts of the node; `after` and `decrease` add to its impurity; the ratio is their quotient by definition."""
    worked = classifier(9, criterion="entropy", holes=0.2).worked()
    for one in worked.candidates:
        assert one.rows.sum() == len(worked.contents)
        np.testing.assert_allclose(one.summary.sum(axis=0), worked.contents.summary)
        assert one.after + one.decrease == pytest.approx(worked.impurity)
        p = one.weight / one.weight.sum()
        assert one.information == pytest.approx(-(p * np.log2(p)).sum())
        assert one.ratio == pytest.approx(one.decrease / one.information)


def test_missing_cells_left_out():
    """With shares, a question is measured on the known rows, its gain counts for their part of the node, and the missing ones
    are one branch more of the split information (C4.5)."""
    X = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0, np.nan, np.nan]})
    X["same"] = 1.0
    model = DecisionTreeClassifier(criterion="entropy", missing="fractional").fit(X, list("aabbab"))
    one = model.worked().candidates[1]
    assert one.threshold == 2.5
    assert one.after == 0
    assert one.decrease == pytest.approx(4 / 6 * 1.0)
    assert one.information == pytest.approx(np.log2(3))


def test_number_of_candidates():
    """As many as `count_splits` says, where no cell is missing."""
    rng = np.random.default_rng(10)
    X, y = random_table(rng, words=6), random_classes(rng, 40, 3)
    worked = DecisionTreeClassifier().fit(X, y).worked()
    counts = count_splits(X)
    assert len(worked) == int(counts)
    for name, count in counts.columns.items():
        assert worked.as_dict()["column"].count(name) == count


def test_thirteen_levels():
    """Beyond 12 levels, the cuts in one order; with two classes the best division is among them all the same."""
    model = classifier(11, classes=2, words=13, n=60, max_depth=1)
    worked = model.worked()
    assert worked.as_dict()["column"].count("town") == 12
    assert worked.chosen.decrease == pytest.approx(worked.best.decrease, abs=1e-12)


# ---- boundary points -----------------------------------------------------------------------------------------------------


def test_boundary_points():
    """Of five cuts three lie between values of different classes; a value with rows of both counts as different."""
    X, y = np.column_stack([[1, 2, 3, 4, 5, 5, 6], np.zeros(7)]), list("aabbbab")
    worked = DecisionTreeClassifier(max_depth=1).fit(X, y).worked(thresholds="boundary")
    assert [one.threshold for one in worked.candidates] == [2.5, 4.5, 5.5]


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_boundary_points_suffice(criterion):
    """The best cut lies at a boundary."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        model = DecisionTreeClassifier(criterion=criterion, max_depth=1)
        model.fit(rng.integers(0, 9, (30, 2)), random_classes(rng, 30, 2 + seed % 2))
        few, every = model.worked(thresholds="boundary"), model.worked()
        assert len(few) <= len(every)
        assert few.best.decrease == pytest.approx(every.best.decrease, abs=1e-14)


# ---- rows, tables, text --------------------------------------------------------------------------------------------------


def test_rows_that_are_given():
    """The rows of the fit, given again, are worked in the same way; other rows in their own."""
    rng = np.random.default_rng(12)
    X, y, weight = random_table(rng, missing=0.1), random_classes(rng, 40, 3), rng.uniform(0.5, 2, 40)
    model = DecisionTreeClassifier(max_depth=2).fit(X, y, weight)
    for t in range(model.tree_.node_count):
        assert str(model.worked(t, X, y, weight)) == str(model.worked(t))
    assert len(model.worked(0, X[:20], y[:20]).contents) == 20


def test_sparse_rows():
    """A sparse table is worked as the dense one."""
    rng = np.random.default_rng(13)
    X, y = rng.integers(0, 3, (30, 3)) * 1.0, rng.integers(0, 2, 30)
    models = [DecisionTreeClassifier(max_depth=2).fit(form(X), y) for form in (np.array, sparse.csr_matrix)]
    assert str(models[0].worked(1)) == str(models[1].worked(1))


def test_text_and_table():
    """A line for each candidate, with a star at the one that is asked; also as columns, and the best of each column."""
    X = pd.DataFrame({"x": [1, 2, 3, 4], "colour": ["red", "blue", "red", "blue"]})
    worked = DecisionTreeClassifier().fit(X, ["no", "no", "yes", "yes"]).worked()
    assert str(worked).splitlines() == [
        "node 0: 4 rows, no 2, yes 2, impurity 0.5",
        "   split           branches                       after  decrease  information   ratio",
        "   x ≤ 1.5         yes 1|0 (0); no 1|2 (0.4444)  0.3333    0.1667       0.8113  0.2054",
        "*  x ≤ 2.5         yes 2|0 (0); no 0|2 (0)            0       0.5            1     0.5",
        "   x ≤ 3.5         yes 2|1 (0.4444); no 0|1 (0)  0.3333    0.1667       0.8113  0.2054",
        "   colour is blue  yes 1|1 (0.5); no 1|1 (0.5)      0.5         0            1       0",
    ]
    assert worked.frame()["chosen"].tolist() == [False, True, False, False]
    assert worked.best_per_column.as_dict()["question"] == ["x ≤ 2.5", "colour is blue"]
    with language("es"):
        assert "0,4444" in str(worked)


def test_branches_that_are_too_small():
    """Questions that the rules forbid are listed with a dash."""
    worked = DecisionTreeClassifier(min_samples_leaf=2).fit([[1, 0], [2, 0], [3, 0], [4, 0]], [0, 0, 1, 1]).worked()
    assert [one.allowed for one in worked.candidates] == [False, True, False]
    assert [line[0] for line in str(worked).splitlines()[2:]] == ["–", "*", "–"]


def test_many_candidates():
    """Of more lines than anybody reads, the best of each column are printed."""
    rng = np.random.default_rng(14)
    worked = DecisionTreeClassifier(max_depth=1).fit(rng.normal(size=(100, 3)), rng.integers(0, 2, 100)).worked()
    assert len(worked) == 3 * 99
    assert len(str(worked).splitlines()) == 1 + 1 + 1 + 3


def test_nothing_to_ask():
    """All rows alike."""
    worked = DecisionTreeClassifier().fit(np.ones((4, 2)), [0, 1, 0, 1]).worked()
    assert len(worked) == 0
    assert "no candidate split" in str(worked)


def test_missing_cells_alone():
    """Missing cells against all others is a candidate too, and the last of its column."""
    X = np.column_stack([[1, 2, np.nan, np.nan], np.zeros(4)])
    worked = DecisionTreeClassifier().fit(X, [0, 0, 1, 1]).worked()
    assert worked.words[-1] == ("x0 is missing", ["no", "yes"])
    assert worked.chosen is worked.candidates[-1]


# ---- bad input -----------------------------------------------------------------------------------------------------------


def test_refusals(tmp_path):
    """Each says what is wrong and what to do."""
    model = classifier(15, max_depth=1)
    with pytest.raises(ValueError, match="node must be a number from 0 to 2, got 3"):
        model.worked(3)
    with pytest.raises(ValueError, match='thresholds must be "all" or "boundary"'):
        model.worked(thresholds="some")
    with pytest.raises(ValueError, match='give "all" for numbers'):
        regressor(15).worked(thresholds="boundary")
    rng = np.random.default_rng(15)
    with pytest.raises(ValueError, match="give y"):
        model.worked(0, random_table(rng))
    save(model, tmp_path / "tree.apz")
    with pytest.raises(ValueError, match="give X and y"):
        load(tmp_path / "tree.apz").worked()
    numbers = DecisionTreeClassifier().fit([[0.0, 0], [1.0, 0]], [0, 1])
    with pytest.raises(ValueError, match="None of the 1 rows reaches node 2"):
        numbers.worked(2, [[0.0, 0]], [0])
    weighted = DecisionTreeClassifier(priors=[0.5, 0.5]).fit([[0.0, 0], [1.0, 0]], ["a", "b"])
    with pytest.raises(ValueError, match="No row is of class 'b'"):
        weighted.worked(0, [[0.0, 0]], ["a"])
    with pytest.raises(ValueError, match="give some of its rows"):
        DecisionTreeClassifier(max_depth=1).fit(rng.normal(size=(9000, 2)), rng.integers(0, 2, 9000)).worked()
