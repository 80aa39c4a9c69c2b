"""The picture of a tree: every node has its box, no boxes touch, words stay in their boxes, colours tell classes and shares."""

from itertools import combinations

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.patches import FancyBboxPatch
from pictures import assert_inside
from random_trees import SCHEMA, from_scikit_learn, random_labelled
from sklearn.tree import DecisionTreeClassifier

from aprendiz.core.cells import Column
from aprendiz.core.columns import Columns
from aprendiz.plots import TreeDisplay
from aprendiz.plots.layout.tree_layout import place
from aprendiz.plots.shared.style import PALETTE

LONG = "a column whose name is long enough to need two lines, or even three"


def grown(leaves, names=None):
    """A tree of scikit-learn on rows at random."""
    rng = np.random.default_rng(leaves)
    X, y = rng.normal(size=(400, 4)), np.array(["no", "perhaps", "yes"])[rng.integers(0, 3, 400)]
    return from_scikit_learn(DecisionTreeClassifier(max_leaf_nodes=leaves, random_state=0).fit(X, y), names)


MANY_LEVELS = Columns((Column(LONG, "categorical", tuple(f"{LONG} {k}" for k in range(12))), *SCHEMA.columns[:1]))
TREES = {
    "a leaf": lambda: random_labelled(0, depth=0),
    "15 nodes": lambda: grown(8),
    "61 nodes": lambda: grown(31),
    "many branches": lambda: random_labelled(3, depth=3, missing="own"),
    "numbers": lambda: random_labelled(5, classes=None),
    "long names": lambda: grown(8, [LONG + str(j) for j in range(4)]),
    "many levels": lambda: random_labelled(1, depth=2, schema=MANY_LEVELS),
}


@pytest.fixture(scope="module", params=TREES)
def labelled(request):
    """Each of the trees."""
    return TREES[request.param]()


def apart(a, b):
    """Do two boxes not touch?"""
    return abs(a.x - b.x) >= (a.width + b.width) / 2 or a.bottom >= b.top or b.bottom >= a.top


def test_boxes(labelled):
    """One for each node, apart from all others, below that of its parent."""
    display = TreeDisplay(labelled).plot()
    boxes = display.boxes
    assert sorted(boxes) == list(range(labelled.tree.node_count))
    assert len([p for p in display.ax_.patches if isinstance(p, FancyBboxPatch)]) == len(boxes)
    assert all(apart(a, b) for a, b in combinations(boxes.values(), 2))
    for node, parent in enumerate(labelled.tree.parent):
        assert parent < 0 or boxes[node].top < boxes[parent].floor <= boxes[parent].bottom
    assert_inside(display)
    assert min(text.get_fontsize() for text in display.ax_.texts) >= 8


@pytest.mark.parametrize("given", [False, True], ids=["own figure", "small figure"])
def test_words_are_in_their_boxes(labelled, given):
    """Also on axes that are too small for the tree; names of branches overlap no box, and not each other."""
    display = TreeDisplay(labelled)
    width, height = display.natural_size()
    ax = plt.figure(figsize=(width / 2, height / 2), layout="constrained").subplots() if given else None
    display.plot(ax)
    display.figure_.draw_without_rendering()
    window = display.ax_.transData.inverted()
    inside, branches = [], []
    for text in display.ax_.texts:
        drawn = text.get_window_extent() if text.get_bbox_patch() is None else text.get_bbox_patch().get_window_extent()
        (left, low), (right, high) = window.transform(drawn.get_points())
        (inside if text.get_bbox_patch() is None else branches).append((left, right, low, high))
    slack = 2.0
    for left, right, low, high in inside:
        if right > left:
            assert any(
                box.x - box.width / 2 - slack <= left
                and right <= box.x + box.width / 2 + slack
                and box.bottom - slack <= low
                and high <= box.top + slack
                for box in display.boxes.values()
            )
    assert len(branches) == labelled.tree.node_count - 1
    for (a, b, low, high), (c, d, down, up) in combinations(branches, 2):
        assert b <= c + slack or d <= a + slack or high <= down + slack or up <= low + slack
    for (a, b, low, high), box in ((one, box) for one in branches for box in display.boxes.values()):
        sideways = b <= box.x - box.width / 2 + slack or box.x + box.width / 2 <= a + slack
        assert sideways or high <= box.bottom + slack or box.top <= low + slack


def test_colours():
    """The class gives the hue, its share the strength: white where all classes are alike, strongest where it is alone."""
    labelled = grown(31)
    display = TreeDisplay(labelled)
    for node, answer in enumerate(labelled.answers):
        k = labelled.classes.index(answer)
        away = 1 - np.array(display.colour(node))
        hue = 1 - np.array(to_rgb(PALETTE[k]))
        share = labelled.tree.value[node, 0, k]
        np.testing.assert_allclose(away, 0.55 * (share - 1 / 3) / (2 / 3) * hue, atol=1e-12)


def test_words():
    """Questions, rows, answers and shares, and the names of the branches."""
    X = np.array([[0.0], [1.0], [2.0], [3.0]])
    labelled = from_scikit_learn(DecisionTreeClassifier().fit(X, ["a", "a", "b", "b"]), ["height"])
    words = [text.get_text() for text in TreeDisplay(labelled).plot().ax_.texts if text.get_text()]
    assert sorted(words) == sorted(["height ≤ 1.5\n4 rows", "yes", "no", "a", "2 rows, 100 %", "b", "2 rows, 100 %"])


def test_wide_lines_carry_many_rows():
    """Widths of lines grow with the share of the rows."""
    labelled = grown(8)
    display = TreeDisplay(labelled).plot()
    widths = np.array([line.get_linewidth() for line in display.ax_.lines])
    order = [int(c) for node in display.nodes for c in labelled.tree.children_of(node)]
    weight = labelled.tree.weighted_n_node_samples[order]
    assert (np.diff(widths[np.argsort(weight, kind="stable")]) >= 0).all()
    assert widths.max() > widths.min()


def test_down_to_a_depth():
    """What is cut off is counted."""
    labelled = grown(31)
    display = TreeDisplay(labelled).plot(max_depth=2)
    assert display.nodes == np.flatnonzero(labelled.tree.depth <= 2).tolist()
    hidden = [node for node in display.nodes if labelled.tree.depth[node] == 2 and not labelled.tree.is_leaf[node]]
    below = [text.get_text() for text in display.ax_.texts if "leaves below" in text.get_text().replace("\n", " ")]
    assert len(below) == len(hidden) > 0
    with pytest.raises(ValueError, match="max_depth must be a whole number of at least 0, or None, got -1"):
        TreeDisplay(labelled).plot(max_depth=-1)


def test_the_figure_grows():
    """Small trees have small figures."""
    sizes = [TreeDisplay(grown(leaves)).natural_size() for leaves in (3, 8, 31)]
    assert sizes == sorted(sizes)


@pytest.mark.parametrize("seed", range(5))
def test_layout_of_any_tree(seed):
    """Boxes of any size stay apart by the gap, parents stand above the middle of their children, nothing is left of 0."""
    rng = np.random.default_rng(seed)
    parent = [rng.integers(max(0, i - 4), i) for i in range(1, 40)]
    children = [[c + 1 for c, p in enumerate(parent) if p == node] for node in range(40)]
    order, waiting = [], [0]
    while waiting:
        order.append(waiting.pop())
        waiting += children[order[-1]][::-1]
    children = [[order.index(c) for c in children[node]] for node in order]
    sizes = [tuple(rng.uniform(5, 60, 2)) for _ in range(40)]
    boxes = place(children, sizes, 7.0, 20.0)
    assert min(box.x - box.width / 2 for box in boxes) == pytest.approx(0, abs=1e-9)
    assert min(box.floor for box in boxes) == pytest.approx(0, abs=1e-9)
    for a, b in combinations(boxes, 2):
        assert a.top != b.top or abs(a.x - b.x) >= (a.width + b.width) / 2 + 7.0 - 1e-9
    for node, below in enumerate(children):
        if below:
            assert boxes[node].x == pytest.approx((boxes[below[0]].x + boxes[below[-1]].x) / 2)
            assert all(boxes[child].top == pytest.approx(boxes[node].floor - 20.0) for child in below)
