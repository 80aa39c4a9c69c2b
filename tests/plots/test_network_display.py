"""The picture of a network: boxes apart and in layers, arrows from box to box and through none, words in their boxes."""

from itertools import combinations, pairwise, product

import matplotlib.pyplot as plt
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.colors import to_hex
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch, PathPatch, Rectangle
from pictures import KNOWN, assert_inside

from aprendiz.datasets import load
from aprendiz.graphical import BayesianNetwork, cpdag
from aprendiz.plots import NetworkDisplay
from aprendiz.plots.layout.layered_layout import LayeredLayout
from aprendiz.plots.layout.layers import Layers, crossings, short_edges
from aprendiz.plots.network.cards import BAR, PALE_ORANGE

quick = settings(max_examples=40, database=None, derandomize=True)
STUDENT = BayesianNetwork.from_tables(load("student"))
STRANGE = ["$a$ and $b_1$", "<b>x & y</b>", "x^2\\frac{1}{2}", "_under", "ñandú", "a name that needs two lines"]


@st.composite
def edges_between(draw, cycles):
    """A number of nodes, sizes of their boxes, and edges, with cycles or without."""
    nodes = draw(st.integers(1, 12))
    pairs = [pair for pair in combinations(range(nodes), 2) if draw(st.integers(0, 3)) == 0]
    edges = [pair[::-1] if cycles and draw(st.booleans()) else pair for pair in pairs]
    sizes = [(draw(st.sampled_from([10.0, 40.0, 90.0])), draw(st.sampled_from([15.0, 60.0]))) for _ in range(nodes)]
    return nodes, edges, sizes


def apart(a, b):
    """Do two boxes not touch?"""
    return abs(a.x - b.x) >= (a.width + b.width) / 2 - 1e-9 or a.bottom >= b.top or b.bottom >= a.top


@quick
@given(edges_between(cycles=True))
def test_boxes_and_ways(graph):
    """Boxes lie in the drawing and are apart; each way leads from its first box to its second, bends included, and meets no
    other box: it is vertical within a layer."""
    _nodes, edges, sizes = graph
    layout = LayeredLayout.of(sizes, edges, 12.0, 30.0)
    assert all(apart(a, b) for a, b in combinations(layout.boxes, 2))
    assert min(box.x - box.width / 2 for box in layout.boxes) >= -1e-9
    assert max(box.x + box.width / 2 for box in layout.boxes) <= layout.width + 1e-9
    assert max(box.top for box in layout.boxes) == pytest.approx(layout.height)
    assert min(box.floor for box in layout.boxes) == pytest.approx(0.0, abs=1e-9)
    for (u, v), way in zip(edges, layout.ways, strict=True):
        ends = (way[0], way[-1]) if layout.boxes[u].top > layout.boxes[v].top else (way[-1], way[0])
        upper, lower = sorted((layout.boxes[u], layout.boxes[v]), key=lambda box: -box.top)
        for (x, y), box, edge in zip(ends, (upper, lower), (upper.bottom, lower.top), strict=True):
            assert y == edge
            assert abs(x - box.x) <= box.width / 2
        for (x0, y0), (x1, y1) in pairwise(way):
            for k, box in enumerate(layout.boxes):
                if k not in (u, v) and min(y0, y1) < box.top - 1e-9 and max(y0, y1) > box.floor + 1e-9:
                    assert x0 == x1
                    assert abs(x0 - box.x) > box.width / 2


@quick
@given(edges_between(cycles=False))
def test_layers(graph):
    """Arrows point down, and no other layers make them shorter together; bends fill the layers between; crossings are counted
    right, and ordering does not add any."""
    nodes, edges, _sizes = graph
    layer = short_edges(nodes, edges)
    assert all(layer[v] > layer[u] for u, v in edges)
    length = sum(layer[v] - layer[u] for u, v in edges)
    for v, step in product(range(nodes), (-1, 1)):  # a linear programme: no better neighbour, so none better at all
        moved = pushed(layer, edges, v, step)
        assert sum(moved[v] - moved[u] for u, v in edges) >= length
    layers = Layers.of(nodes, edges)
    assert sorted(item for row in layers.order for item in row) == list(range(sum(map(len, layers.order))))
    level = {item: k for k, row in enumerate(layers.order) for item in row}
    place = {item: j for row in layers.order for j, item in enumerate(row)}
    assert all(level[b] == level[a] + 1 for chain in layers.chains for a, b in pairwise(chain))
    steps = [pair for chain in layers.chains for pair in pairwise(chain)]
    crossed = sum(
        level[a] == level[c] and (place[a] - place[c]) * (place[b] - place[d]) < 0 for (a, b), (c, d) in combinations(steps, 2)
    )
    down = [[b for a, b in steps if a == item] for item in range(len(level))]
    assert crossings(layers.order, down) == crossed


def pushed(layer, edges, v, step):
    """The layers after a node is moved by one, with those that must give way."""
    moved = list(layer)
    moved[v] += step
    for _ in range(len(layer)):
        for a, b in edges:
            if moved[b] <= moved[a]:
                if step > 0:
                    moved[b] = moved[a] + 1
                else:
                    moved[a] = moved[b] - 1
    return moved


@pytest.mark.parametrize("count", [7, 40])
def test_trees_have_no_crossings(count):
    """Nor have wide fans, whose children stand in several layers."""
    for edges in ([((k - 1) // 2, k) for k in range(1, count)], [(0, k) for k in range(1, count)]):
        layers = Layers.of(count, edges)
        down = [[] for _ in range(sum(map(len, layers.order)))]
        for a, b in (pair for chain in layers.chains for pair in pairwise(chain)):
            down[a].append(b)
        assert crossings(layers.order, down) == 0
        assert max(sum(item < count for item in row) for row in layers.order) <= 13


def test_two_layers_are_untangled():
    """Six arrows that cross ten times as they are given need not cross at all."""
    edges = [(0, 9), (1, 8), (2, 7), (3, 6), (4, 5)]
    layers = Layers.of(10, edges)
    left, right = ([item for item in row if item < 10] for row in layers.order)
    assert [dict(edges)[item] for item in left] == right


# ---- what is drawn -----------------------------------------------------------------------------------------------------


def words_in_boxes(display):
    """Every text, with the box of the card that holds all of it."""
    display.figure_.draw_without_rendering()
    window = display.ax_.transData.inverted()
    for text in display.ax_.texts:
        (left, low), (right, high) = window.transform(text.get_window_extent().get_points())
        holding = [
            box
            for box in display.layout.boxes
            if abs(left + right - 2 * box.x) / 2 + (right - left) / 2 <= box.width / 2 + 2
            and low >= box.bottom - 2
            and high <= box.top + 2
        ]
        yield text.get_text(), holding


@pytest.mark.parametrize("small", [False, True], ids=["own figure", "small figure"])
@pytest.mark.parametrize(
    ("network", "seen"),
    [(STUDENT, "d1"), (KNOWN, "x2"), (BayesianNetwork(list(pairwise(STRANGE))), "a level")],
    ids=["student", "many levels", "strange names"],
)
def test_words_are_in_their_boxes(network, seen, small):
    """Names, levels and numbers, also on axes that are too small for them; names are drawn letter by letter."""
    display = NetworkDisplay(network, evidence={network.graph_.nodes[0]: seen})
    tables = hasattr(network, "network_")
    width, height = display.natural_size(tables=tables)
    ax = plt.figure(figsize=(width / 2, height / 2), layout="constrained").subplots() if small else None
    display.plot(ax, tables=tables)
    found = list(words_in_boxes(display))
    assert all(len(holding) == 1 for _text, holding in found)
    shown = " ".join(text.replace("\\$", "$").replace("\n", " ") for text, _holding in found)
    assert all(name in shown for name in network.graph_.nodes)
    assert_inside(display)


def test_an_arrow_for_each_edge():
    """Arrows have heads and touch both boxes; lines of a class have none."""
    display = STUDENT.plot()
    arrows = [patch for patch in display.ax_.patches if isinstance(patch, FancyArrowPatch)]
    assert len(arrows) == 4
    assert len([patch for patch in display.ax_.patches if isinstance(patch, FancyBboxPatch)]) == 5
    boxes = dict(zip(display.nodes, display.layout.boxes, strict=True))
    for a, b in STUDENT.graph_.edges:
        assert boxes[a].bottom > boxes[b].top
    drawn = cpdag(STUDENT).plot().ax_.patches
    assert len([patch for patch in drawn if isinstance(patch, FancyArrowPatch)]) == 3
    assert len([patch for patch in drawn if type(patch) is PathPatch]) == 1


def test_what_was_observed():
    """Its box is coloured and names the level; where only likelihoods are known it is coloured."""
    display = STUDENT.plot(evidence={"Letter": "l0", "SAT": {"s0": 0.2, "s1": 0.9}})
    boxes = [patch for patch in display.ax_.patches if isinstance(patch, FancyBboxPatch)]
    colours = {name: to_hex(box.get_facecolor()) for name, box in zip(display.nodes, boxes, strict=True)}
    assert [name for name, colour in colours.items() if colour == PALE_ORANGE.lower()] == ["Letter", "SAT"]
    assert {text.get_text() for text in display.ax_.texts} >= {"Letter\n= l0", "SAT"}


def test_hidden_nodes():
    """Dashed: they are in no row."""
    display = BayesianNetwork([("h", "a"), ("h", "b")], hidden={"h": 2}).plot()
    boxes = [patch for patch in display.ax_.patches if isinstance(patch, FancyBboxPatch)]
    styles = dict(zip(display.nodes, (box.get_linestyle() for box in boxes), strict=True))
    assert styles["a"] == styles["b"] == "solid" != styles["h"]


def test_bars():
    """As long as the probabilities, which stand beside them."""
    display = NetworkDisplay(STUDENT, posteriors={"Grade": {"g1": 0.25, "g2": 0.7, "g3": 0.05}}).plot()
    bars = [patch.get_width() for patch in display.ax_.patches if type(patch) is Rectangle]
    assert bars == pytest.approx([BAR, 0.25 * BAR, BAR, 0.7 * BAR, BAR, 0.05 * BAR])
    assert [text.get_text() for text in display.ax_.texts if "%" in text.get_text()] == ["25 %", "70 %", "5 %"]


def test_bars_that_are_computed():
    """The network is asked, for all nodes or some."""
    seen = {"Letter": "l0"}
    for posteriors, count in ((True, 5), (["Grade"], 1)):
        display = NetworkDisplay.from_estimator(STUDENT, evidence=seen, posteriors=posteriors)
        assert len(display.posteriors) == count
        assert display.posteriors["Grade"] == pytest.approx(STUDENT.query("Grade", seen), rel=1e-12)


def test_tables():
    """A line for each combination of parents; long ones are cut, and it is said by how much."""
    display = STUDENT.plot(tables=["Grade"])
    lines = [text.get_text() for text in display.ax_.texts]
    grade = lines[lines.index("Grade") + 1 :][: 5 * 5]
    assert grade[:5] == ["Int", "Diff", "g1", "g2", "g3"]
    table = STUDENT.network_.tables[STUDENT.graph_.at("Grade")]
    rows = [[f"i{i}", f"d{d}", *(f"{p:g}" for p in table[i, d])] for i, d in product((0, 1), (0, 1))]
    assert [grade[k : k + 5] for k in range(5, 25, 5)] == rows
    wide = BayesianNetwork.from_tables(
        {"a": np.full(20, 0.05), "b": np.full((20, 8), 0.125)},
        parents={"a": [], "b": ["a"]},
        levels={"a": list(range(20)), "b": list(range(8))},
    )
    lines = [text.get_text() for text in wide.plot(tables=True).ax_.texts]
    assert "… 8 more" in lines
    assert lines.count("0.125") == 12 * 5


def test_shares():
    """Arrows are as wide as they are certain; among few the share is written."""
    edges = [("a", "b"), ("b", "c"), ("a", "c")]
    display = NetworkDisplay(edges, confidence={("a", "b"): 1.0, ("b", "c"): 0.5}).plot()
    widths = dict(
        zip(display.arrows, [p.get_linewidth() for p in display.ax_.patches if isinstance(p, FancyArrowPatch)], strict=True)
    )
    assert widths["a", "b"] == 2 * widths["b", "c"] > widths["a", "c"] > 0
    assert {"100 %", "50 %", "0 %"} <= {text.get_text() for text in display.ax_.texts}


@pytest.mark.parametrize(
    ("draw", "words"),
    [
        (lambda: STUDENT.plot(evidence={"x": 1}), "evidence names 'x', which is not a node"),
        (lambda: STUDENT.plot(evidence={"SAT": "l0"}), "'SAT' has no level 'l0'; its levels are 's0', 's1'"),
        (lambda: STUDENT.plot(posteriors=["x"]), "posteriors names 'x', which is not a node"),
        (lambda: NetworkDisplay(STUDENT, posteriors={"x": {}}), "posteriors names 'x', which is not a node"),
        (lambda: STUDENT.plot(tables=["x"]), "tables names 'x', which is not a node"),
        (lambda: STUDENT.plot(tables="xyz"), "tables names 'xyz', which is not a node"),
        (lambda: STUDENT.plot(posteriors="xyz"), "posteriors names 'xyz', which is not a node"),
        (lambda: STUDENT.plot(posteriors={"SAT": {"l0": 1.0}}), "'SAT' has no level 'l0'"),
        (
            lambda: STUDENT.plot(posteriors={"SAT": {"s0": 7}}),
            "posteriors of 'SAT' = 's0' must be a share between 0 and 1, got 7",
        ),
        (lambda: STUDENT.plot(confidence={("x", "SAT"): 0.5}), "confidence names 'x', which is not a node"),
        (
            lambda: STUDENT.plot(confidence={("Letter", "SAT"): "1"}),
            "confidence of 'Letter' → 'SAT' must be a share .* got '1'",
        ),
        (lambda: BayesianNetwork([("a", "b")]).plot(tables=True), "There are no tables before the network is fitted"),
        (lambda: NetworkDisplay([("a", "b")], confidence={("a", "b"): 2}), "'a' → 'b' must be a share between 0 and 1, got 2"),
        (lambda: NetworkDisplay([(k, k + 1) for k in range(2000)]), "2001 nodes, more than 2000: draw a part of it"),
    ],
)
def test_bad_input(draw, words):
    """The refusal names what is wrong."""
    with pytest.raises(ValueError, match=words):
        draw()


@pytest.mark.parametrize("what", ["evidence", "posteriors", "confidence"])
def test_mappings(what):
    """What belongs to nodes or arrows comes as a mapping."""
    with pytest.raises(TypeError, match=rf"{what} must be a mapping, got \[0.5\]"):
        NetworkDisplay(STUDENT, **{what: [0.5]})
    with pytest.raises(TypeError, match=r"posteriors of 'SAT' must be a mapping of level to probability, got 0\.5"):
        NetworkDisplay(STUDENT, posteriors={"SAT": 0.5})
