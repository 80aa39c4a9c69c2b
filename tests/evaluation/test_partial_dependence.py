"""Partial dependence: scikit-learn's numbers, the curve of an additive model, words as columns, tables of any library."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn.ensemble
from random_trees import from_scikit_learn
from sklearn import inspection
from sklearn.datasets import load_iris

from aprendiz import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ExtraTreesRegressor,
    GaussianNB,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    LinearRegression,
    Perceptron,
    RandomForestClassifier,
    RandomForestRegressor,
)
from aprendiz.evaluation import partial_dependence
from aprendiz.tree.contributions.additive_trees import AdditiveTrees, WeightedTree

RNG = np.random.default_rng(1)
X = RNG.normal(size=(50, 3))
Y = X[:, 0] ** 2 + X[:, 1] * X[:, 2]
TREE = DecisionTreeRegressor(max_depth=4).fit(X, Y)


@pytest.mark.parametrize("features", [0, [1], [0, 2]])
@pytest.mark.parametrize("resolution", [5, 200])
def test_scikit_learn_has_the_same(features, resolution):
    """Averages, single rows and values."""
    found = partial_dependence(TREE, X, features, grid_resolution=resolution if features != [0, 2] else 6, kind="both")
    listed = features if isinstance(features, list) else [features]
    given = [tuple(listed)] if len(listed) == 2 else listed
    wanted = inspection.partial_dependence(
        TREE, X, given[0] if len(listed) == 2 else listed, grid_resolution=resolution if features != [0, 2] else 6,
        method="brute", kind="both",
    )  # fmt: skip
    for mine, theirs in zip(found.grid_values, wanted["grid_values"], strict=True):
        np.testing.assert_allclose(mine, theirs)
    np.testing.assert_allclose(found.average, wanted["average"])
    np.testing.assert_allclose(found.individual, wanted["individual"])


def test_classes():
    """An output for each class, or that of the second of two; weights as in scikit-learn."""
    X, y = load_iris(return_X_y=True)
    model, weight = GaussianNB().fit(X, y), RNG.random(150)
    found = partial_dependence(model, X, 2, grid_resolution=7, sample_weight=weight)
    wanted = inspection.partial_dependence(model, X, [2], grid_resolution=7, sample_weight=weight)
    np.testing.assert_allclose(found.average, wanted["average"])
    assert found.classes == (0, 1, 2)
    np.testing.assert_allclose(found.average.sum(axis=0), 1.0)
    two = GaussianNB().fit(X, np.where(y == 0, "a", "b"))
    assert partial_dependence(two, X, 2, grid_resolution=4).classes == ("b",)
    signs = Perceptron().fit(X, y == 0)
    assert partial_dependence(signs, X, 2, grid_resolution=4).average.shape == (1, 4)


def test_additive_models():
    """The curve of a linear model is a line of its coefficient, whatever the other columns are; nothing else is as strong."""
    model = LinearRegression().fit(X, 3 * X[:, 0] - X[:, 1])
    found = partial_dependence(model, X, 0, grid_resolution=9, kind="both")
    slope = np.diff(found.average[0]) / np.diff(found.grid_values[0])
    np.testing.assert_allclose(slope, 3.0)
    centred = found.individual[0] - found.individual[0][:, :1]
    np.testing.assert_allclose(centred, np.broadcast_to(centred[0], centred.shape), atol=1e-12)
    np.testing.assert_allclose(found.strength, 3 * np.ptp(found.grid_values[0]))


FRAME = pd.DataFrame({"a": X[:, 0], "word": RNG.choice(["x", "y", "z"], 50), "yes": X[:, 2] > 0}, index=range(50, 100))
MODEL = DecisionTreeClassifier(max_depth=3).fit(FRAME, np.where((FRAME["word"] == "x") ^ FRAME["yes"], "p", "q"))
TABLES = {
    "pandas": FRAME,
    "categories": FRAME.astype({"word": "category"}),
    "polars": pl.DataFrame(FRAME.to_dict("list")),
}


@pytest.mark.parametrize("kind", TABLES)
def test_words(kind):
    """Levels are asked one by one, as cells of their column; each average is that of the rows with the level by hand."""
    found = partial_dependence(MODEL, TABLES[kind], "word", kind="both")
    assert found.grid_values[0].tolist() == ["x", "y", "z"]
    assert found.numbers == (False,)
    for k, level in enumerate("xyz"):
        by_hand = MODEL.predict_proba(FRAME.assign(word=level))[:, 1]
        np.testing.assert_allclose(found.individual[0, :, k], by_hand)
        assert found.average[0, k] == pytest.approx(by_hand.mean())
    pair = partial_dependence(MODEL, TABLES[kind], ["word", "yes"])
    assert pair.average.shape == (1, 3, 2)
    assert np.ptp(pair.average) > 0.5  # an exclusive or: the word decides with `yes`, and hardly alone
    assert FRAME["word"].nunique() == 3


def test_few_levels_of_many():
    """Only the most frequent levels."""
    words = np.array(["rare1", "often", "often", "some", "some", "rare2", "often"], dtype=object)
    table = pd.DataFrame({"word": words, "n": np.arange(7.0)})
    model = DecisionTreeRegressor().fit(table, np.arange(7.0))
    assert partial_dependence(model, table, "word", grid_resolution=2).grid_values[0].tolist() == ["often", "some"]


def test_some_rows():
    """A subsample is part of the rows; levels that it lacks are asked all the same."""
    found = partial_dependence(MODEL, FRAME, "word", kind="both", subsample=2, random_state=0)
    assert found.individual.shape == (1, 2, 3)
    every = partial_dependence(MODEL, FRAME, "word", kind="individual")
    rows = {tuple(row) for row in every.individual[0].round(9).tolist()}
    assert {tuple(row) for row in found.individual[0].round(9).tolist()} <= rows


def test_custom_values():
    """Values that are asked for, in their order; words must occur."""
    found = partial_dependence(TREE, X, 1, custom_values={1: [3.0, -3.0]})
    assert found.grid_values[0].tolist() == [3.0, -3.0]
    whole = partial_dependence(DecisionTreeRegressor().fit([[1], [2], [3]], [1.0, 2.0, 3.0]), np.array([[1], [2], [3]]), 0,
                               custom_values={0: [1.5, 2.6]})  # fmt: skip
    assert whole.average[0].tolist() == [1.0, 3.0]  # a table of whole numbers does not round what is put into it
    with pytest.raises(ValueError, match="'w' does not occur in column 'word'"):
        partial_dependence(MODEL, FRAME, "word", custom_values={"word": ["w"]})


def test_bad_input():
    """Each with what to do."""
    for features in ([], [0, 1, 2], [1, 1]):
        with pytest.raises(ValueError, match="must be one column, or two different ones"):
            partial_dependence(TREE, X, features)
    with pytest.raises(ValueError, match="features names the column 7"):
        partial_dependence(TREE, X, 7)
    table = np.r_[np.zeros(390), np.arange(10.0)][:, None]
    model = LinearRegression().fit(table, np.arange(400.0))
    with pytest.raises(ValueError, match="are both 0"):
        partial_dependence(model, table, 0, grid_resolution=5)
    with pytest.raises(ValueError, match="missing in every row"):
        partial_dependence(TREE, np.column_stack([X[:, 0] * np.nan, X[:, 1:]]), 0)
    with pytest.raises(TypeError, match="neither probabilities nor decision values"):
        partial_dependence(MODEL, FRAME, "word", response_method="predict")
    with pytest.raises(ValueError, match="kind"):
        partial_dependence(TREE, X, 0, kind="mean")


# ---- by recursion ----------------------------------------------------------------------------------------------------

FOREST = RandomForestRegressor(5, random_state=0, max_depth=5).fit(X, Y)


@pytest.mark.parametrize("features", [[1], [0, 2]])
def test_recursion_is_that_of_scikit_learn(features):
    """A forest of scikit-learn, and the same trees here; the choice between both ways is also the same."""
    theirs = sklearn.ensemble.RandomForestRegressor(5, random_state=0, max_depth=4).fit(X, Y)
    wanted = inspection.partial_dependence(theirs, X, features, grid_resolution=7, kind="average")["average"]
    trees = [from_scikit_learn(one).tree for one in theirs.estimators_]
    mine = RandomForestRegressor(5, random_state=0).fit(X, Y)
    mine.additive_trees = lambda: AdditiveTrees(
        5, lambda number: WeightedTree(trees[number], trees[number].value[:, :, 0] / 5), np.zeros(1), "number"
    )
    np.testing.assert_allclose(partial_dependence(mine, X, features, grid_resolution=7).average, wanted, rtol=1e-12)


def test_which_way():
    """By recursion where scikit-learn does so by itself: averages of regression trees and forests, without weights."""
    usual = partial_dependence(FOREST, X, 0, grid_resolution=5).average
    asked = partial_dependence(FOREST, X, 0, grid_resolution=5, method="recursion")
    np.testing.assert_array_equal(usual, asked.average)
    assert asked.individual is None
    brute = partial_dependence(FOREST, X, 0, grid_resolution=5, method="brute").average
    assert np.abs(brute - usual).max() > 1e-6
    for how in ({"kind": "both"}, {"sample_weight": np.ones(50)}):
        np.testing.assert_allclose(partial_dependence(FOREST, X, 0, grid_resolution=5, **how).average, brute, rtol=1e-12)
    for kind in (ExtraTreesRegressor, RandomForestClassifier):
        model = kind(3, random_state=0).fit(X, Y if kind is ExtraTreesRegressor else Y > 0)
        ways = [
            partial_dependence(model, X, 0, grid_resolution=5, method=way).average for way in ("auto", "brute", "recursion")
        ]
        np.testing.assert_array_equal(ways[0], ways[1])
        assert ways[0].shape == ways[2].shape


@pytest.mark.parametrize("kind", TABLES)
def test_recursion_with_words(kind):
    """Of a tree of a single column, recursion and brute force are the same, levels and numbers alike; two columns, by hand."""
    for column in ("word", "a"):
        alone = DecisionTreeClassifier(max_depth=3).fit(FRAME[[column]], MODEL.predict(FRAME))
        table = FRAME[[column]] if kind == "pandas" else TABLES[kind][[column]]
        ways = [partial_dependence(alone, table, column, method=way, grid_resolution=9) for way in ("brute", "recursion")]
        np.testing.assert_allclose(ways[0].average, ways[1].average, atol=1e-15)
    found = partial_dependence(MODEL, TABLES[kind], ["word", "yes"], method="recursion")
    assert found.average.shape == (1, 3, 2)
    wanted = [[[((word == "x") ^ yes) for yes in (False, True)] for word in "xyz"]]
    np.testing.assert_allclose(1 - found.average, wanted, atol=1e-15)  # the columns that are known decide


def test_recursion_of_boosted_trees():
    """What the trees add up to: numbers; scores, if they are asked for; behind a logarithm, nothing that is predicted."""
    model = HistGradientBoostingRegressor(max_iter=5, min_samples_leaf=3).fit(X, Y)
    usual, asked, brute = (partial_dependence(model, X, 0, method=way).average for way in ("auto", "recursion", "brute"))
    np.testing.assert_array_equal(usual, asked)
    assert np.abs(brute - usual).max() > 1e-6
    curve = partial_dependence(HistGradientBoostingRegressor(max_iter=5, min_samples_leaf=3).fit(X[:, :1], Y), X[:, :1], 0)
    alone = (
        HistGradientBoostingRegressor(max_iter=5, min_samples_leaf=3).fit(X[:, :1], Y).predict(curve.grid_values[0][:, None])
    )
    np.testing.assert_allclose(curve.average[0], alone, rtol=1e-12)
    classes = HistGradientBoostingClassifier(max_iter=5, min_samples_leaf=3).fit(X, Y > 0)
    every = ("auto", "recursion", "brute")
    scores = [partial_dependence(classes, X, 0, method=way, response_method="decision_function").average for way in every]
    np.testing.assert_array_equal(scores[0], scores[1])
    shares = [partial_dependence(classes, X, 0, method=way).average for way in ("auto", "brute")]
    np.testing.assert_array_equal(*shares)
    counts = HistGradientBoostingRegressor(max_iter=5, min_samples_leaf=3, loss="poisson").fit(X, np.exp(Y))
    means = [partial_dependence(counts, X, 0, method=way).average for way in ("auto", "brute")]
    np.testing.assert_array_equal(*means)
    with pytest.raises(ValueError, match="do not add up to what it predicts"):
        partial_dependence(counts, X, 0, method="recursion")


def test_what_recursion_refuses():
    """What is not averaged along branches."""
    for how, message in (
        ({"kind": "both"}, "knows averages only, and kind is 'both'"),
        ({"sample_weight": np.ones(50)}, "takes the weights of the fit"),
        ({"response_method": "decision_function"}, "averages .predict., which the trees add up to, not .decision_function."),
    ):
        with pytest.raises(ValueError, match=message):
            partial_dependence(FOREST, X, 0, method="recursion", **how)
    with pytest.raises(ValueError, match="needs a sum of trees, and LinearRegression is none"):
        partial_dependence(LinearRegression().fit(X, Y), X, 0, method="recursion")
    with pytest.raises(ValueError, match="method = 'quick' must be"):
        partial_dependence(FOREST, X, 0, method="quick")
