"""The picture of a partition: the boxes fill the plane, and a row lies in the box of its leaf."""

from functools import cache

import numpy as np
import pandas as pd
import pytest
from matplotlib.patches import Rectangle
from pictures import assert_inside, legend_of
from random_trees import from_scikit_learn, random_labelled, with_answers
from sklearn.exceptions import NotFittedError
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import aprendiz
from aprendiz.plots import PartitionDisplay, TreeDisplay, partition
from aprendiz.plots.partition_display import lighter

RNG = np.random.default_rng(3)
X = RNG.normal(size=(120, 2)).astype(np.float32).astype(float)
LABELS = np.where(X[:, 0] > 0, np.where(X[:, 1] > 0.5, "a", "b"), "c")
LABELS[::9] = "b"


@cache
def classes():
    return DecisionTreeClassifier(max_leaf_nodes=9, random_state=0).fit(X, LABELS)


@cache
def numbers():
    return DecisionTreeRegressor(max_leaf_nodes=9, random_state=0).fit(X, X[:, 0] * X[:, 1])


@pytest.mark.parametrize("fitted", [classes, numbers])
def test_boxes_are_the_leaves(fitted):
    """They fill the picture, and each row lies in the box of the leaf that scikit-learn gives it."""
    model = fitted()
    display = PartitionDisplay(from_scikit_learn(model), X).plot()
    (left, right), (low, high) = display.frame
    areas = [(b - a) * (d - c) for a, b, c, d in display.boxes.values()]
    assert min(areas) > 0
    assert sum(areas) == pytest.approx((right - left) * (high - low))
    for leaf, (x, y) in zip(model.apply(X), X, strict=True):
        a, b, c, d = display.boxes[leaf]
        assert a < x <= b
        assert c < y <= d
    drawn = [patch for patch in display.ax_[0].patches if isinstance(patch, Rectangle)]
    assert [patch.get_facecolor()[:3] for patch in drawn] == [
        pytest.approx(lighter(TreeDisplay(display.labelled).colour(leaf))) for leaf in display.boxes
    ]
    assert_inside(display)


def test_two_columns_of_many():
    """The plane is that of the columns that are asked about; a frame is known by its names."""
    wide = np.column_stack([np.zeros(120), X[:, 0], np.ones(120), X[:, 1]])
    model = DecisionTreeClassifier(max_leaf_nodes=5, random_state=0).fit(wide, LABELS)
    names = ["zero", "first", "one", "second"]
    display = PartitionDisplay(from_scikit_learn(model, names), pd.DataFrame(wide, columns=names), LABELS).plot(name="kind")
    assert display.columns == (1, 3)
    assert display.ax_[0].get_xlabel() == "first"
    assert display.ax_[0].get_ylabel() == "second"
    assert legend_of(display.ax_[0]) == ["a", "b", "c"]
    only = DecisionTreeClassifier(max_depth=1).fit(X, X[:, 1] > 0)
    assert PartitionDisplay(from_scikit_learn(only), X).columns == (0, 1)


def test_numbers_are_written_in_their_boxes():
    """Those that fit; each is the mean of its box."""
    display = PartitionDisplay(from_scikit_learn(numbers()), X, X[:, 0]).plot()
    written = display.ax_[0].texts
    assert written
    for text in written:
        x, y = text.get_position()
        mean = numbers().predict([[x, y]])[0]
        assert float(text.get_text()) == pytest.approx(mean, rel=1e-3)


def test_refused():
    """Three columns, levels, other tables, other lengths."""
    three = DecisionTreeClassifier(random_state=0).fit(np.column_stack([X, X.sum(axis=1) * X[:, 0]]), RNG.integers(0, 2, 120))
    with pytest.raises(ValueError, match="The tree splits on 3 columns"):
        PartitionDisplay(from_scikit_learn(three), np.zeros((4, 3)))
    with pytest.raises(ValueError, match="X has 3 columns, but the tree has 2: give the same"):
        PartitionDisplay(from_scikit_learn(classes()), np.zeros((4, 3)))
    with pytest.raises(ValueError, match="X has 120 rows, y has 2"):
        PartitionDisplay(from_scikit_learn(numbers()), X, [1.0, 2.0])
    levels = next(one for one in (random_labelled(s, depth=1) for s in range(99)) if one.tree.feature[0] == 1)
    with pytest.raises(ValueError, match="Column 'size' holds levels, which are no places in a plane"):
        PartitionDisplay(levels, np.zeros((4, 5)))
    single = from_scikit_learn(DecisionTreeClassifier().fit(X[:, :1], LABELS))
    with pytest.raises(ValueError, match="The tree splits on 1 columns"):
        PartitionDisplay(with_answers(single.tree, ("x0",), None, single.classes), X[:, :1])


def test_of_a_fitted_tree():
    """`partition` draws a fitted tree: as many boxes as it has leaves, each with the answer of its rows."""
    model = aprendiz.DecisionTreeClassifier(max_leaf_nodes=4).fit(X, LABELS)
    display = partition(model, X, LABELS)
    assert len(display.boxes) == model.get_n_leaves() == 4
    with pytest.raises(NotFittedError):
        partition(aprendiz.DecisionTreeClassifier(), X, LABELS)
