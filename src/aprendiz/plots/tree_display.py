"""Picture of a decision tree: splits in boxes, predictions in the leaves, the names of the branches on the lines.

A box has the colour of its class, the stronger the larger the share of the class among its rows; for numbers, the stronger the
larger the mean. Lines are as wide as the rows that follow them. The figure grows with the tree; from 24 boxes on, they are
smaller and show less.
"""

from __future__ import annotations

from dataclasses import replace
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.targets import plain
from aprendiz.locale import number
from aprendiz.plots.layout.text_width import text_width
from aprendiz.plots.layout.tree_layout import Box, place
from aprendiz.plots.shared.display import Display, pyplot
from aprendiz.plots.shared.style import BLUE, GREY, INK, THIN, colour_of, height_of, width_of
from aprendiz.plots.shared.words import verbatim
from aprendiz.tree.reading.labelled_tree import Labelled
from aprendiz.tree.reading.readable_tree import ReadableTree
from aprendiz.tree.reading.rules import count_text
from aprendiz.tree.reading.split_words import (
    Condition,
    branch_words,
    conditions_of,
    digits_needed,
    format_prediction,
    one_line,
    question,
)
from aprendiz.tree.reading.text import leaves_below, predicted_share, refuse_negative

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MANY_BOXES = 24  # boxes from which they are small
POINTS, SMALL_POINTS = 9.0, 8.0
LETTERS, FEW_LETTERS = 20, 14  # in a line of a box
LINES = 4  # of a split
LONGEST = 28  # letters of a name
LEADING = 1.3  # height of a line, in sizes of its letters
SPACING = 1.25  # what matplotlib calls this height
PAD = 5.0  # points between text and box
GAP, DROP = 12.0, 34.0  # points between neighbours, and at least between levels
MARGIN = 8.0  # points around the tree
STRONGEST = 0.55  # of a class that has all rows
NAMED_LEVELS = 3  # on a line
NEAR = 0.65  # where the name of a branch stands, from the parent to the child
WIDEST_LINE = 4.0  # points, of a branch with all rows


class TreeDisplay(Display):
    """A decision tree as a drawing.

    Parameters
    ----------
    labelled : Labelled
        The tree with the names of its columns, levels and classes.

    Attributes
    ----------
    nodes : list of int
        The nodes that were drawn last.
    boxes : dict of int to Box
        Their boxes, in points of the drawing.
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    """

    nodes: list[int]
    boxes: dict[int, Box]

    def __init__(self, labelled: Labelled) -> None:
        self.labelled = labelled
        self.digits = digits_needed(labelled)

    @classmethod
    def from_estimator(cls, tree: ReadableTree, *, max_depth: int | None = None, ax: Axes | None = None) -> Self:
        """Draw a fitted tree."""
        check_is_fitted(tree)
        return cls(tree.label_tree()).plot(ax, max_depth=max_depth)

    def plot(self, ax: Axes | None = None, *, max_depth: int | None = None) -> Self:
        """Draw the tree down to some depth. Without axes, the figure is as large as the tree needs."""
        refuse_negative("max_depth", max_depth)
        width, height = (72 * inches for inches in self.natural_size(max_depth))
        scale = 1.0 if ax is None else min(72 * width_of(ax) / width, 72 * height_of(ax) / height, 1.0)
        ax = self.open_axes(ax, width / 72, height / 72)
        for node in self.nodes:
            self.lines(ax, node, scale)
        for node in self.nodes:
            self.box(ax, node, scale)
        ax.set(xlim=(-MARGIN, width - MARGIN), ylim=(-MARGIN, height - MARGIN), aspect="equal")
        ax.set_axis_off()
        return self

    def natural_size(self, max_depth: int | None = None) -> tuple[float, float]:
        """Inches that the tree takes where nothing is made smaller."""
        pyplot()
        width, height = self.arrange(max_depth)
        return width / 72, height / 72

    # ---- what is drawn -------------------------------------------------------------------------------------------------

    def arrange(self, max_depth: int | None) -> tuple[float, float]:
        """Choose the nodes, write their words and place their boxes; gives the size of the drawing in points."""
        tree = self.labelled.tree
        deepest = tree.max_depth if max_depth is None else max_depth
        self.nodes = np.flatnonzero(tree.depth <= deepest).tolist()
        self.ends = {node for node in self.nodes if tree.is_leaf[node] or tree.depth[node] == deepest}
        self.small = len(self.nodes) > MANY_BOXES
        self.points = SMALL_POINTS if self.small else POINTS
        self.texts = {node: self.text(node) for node in self.nodes}
        self.branches = self.names_of_branches()
        number_of = {node: i for i, node in enumerate(self.nodes)}
        children = [[] if t in self.ends else [number_of[c] for c in tree.children_of(t).tolist()] for t in self.nodes]
        sizes = [self.size(self.texts[node]) for node in self.nodes]
        slots = [(max(width, self.slot(node)), height) for node, (width, height) in zip(self.nodes, sizes, strict=True)]
        found = place(children, slots, 0.6 * GAP if self.small else GAP, self.drop())
        self.boxes = {node: replace(box, width=size[0]) for node, box, size in zip(self.nodes, found, sizes, strict=True)}
        right = max(box.x + slot[0] / 2 for box, slot in zip(found, slots, strict=True))
        return right + 2 * MARGIN, found[0].top + 2 * MARGIN

    def conditions(self, node: int) -> list[Condition]:
        """The conditions of the branches of a node, with names and levels that are not too long."""
        found = conditions_of(self.labelled, node, self.digits)
        return [replace(one, name=cut(one.name), words=tuple(map(cut, one.words))) for one in found]

    def names_of_branches(self) -> dict[int, list[str]]:
        """The name of the branch that leads to each node, in lines."""
        names = {0: list[str]()}
        for node in self.nodes:
            if node not in self.ends:
                words = branch_words(self.conditions(node), NAMED_LEVELS)
                names |= {
                    child: self.fold(word)
                    for child, word in zip(self.labelled.tree.children_of(node).tolist(), words, strict=True)
                }
        return names

    def drop(self) -> float:
        """Points between levels: the names of branches stand there without touching the boxes below."""
        tallest = max(len(lines) for lines in self.branches.values()) * LEADING * SMALL_POINTS
        return max(DROP, tallest / (2 * (1 - NEAR)) + PAD)

    def slot(self, node: int) -> float:
        """The width that a node needs for the name of its branch, which stands between it and its parent."""
        return max((text_width(line, SMALL_POINTS) for line in self.branches[node]), default=0.0) / NEAR + PAD

    def text(self, node: int) -> list[str]:
        """The lines of a box."""
        labelled, tree = self.labelled, self.labelled.tree
        rows = count_text(int(tree.n_node_samples[node]), float(tree.weighted_n_node_samples[node]))
        if node not in self.ends:
            asked = self.fold(question(self.conditions(node)))
            return asked if self.small else [*asked, *self.fold(rows)]
        share = predicted_share(labelled, node)
        lines = self.fold(cut(format_prediction(labelled.answers[node])))
        lines += self.fold(rows) if share is None else self.fold(f"{rows}, {number(100 * share, 3)} %")
        return lines if tree.is_leaf[node] else [*lines, *self.fold(f"… {leaves_below(labelled, node)}")]

    def fold(self, text: str) -> list[str]:
        """A text in a few short lines."""
        most = FEW_LETTERS if self.small else LETTERS
        held = text.replace(" %", "\u00a0%").replace("≤ ", "≤\u00a0").replace("> ", ">\u00a0")
        return [line.replace("\u00a0", " ") for line in wrap(held, most, max_lines=LINES, placeholder=" …")]

    def size(self, lines: list[str]) -> tuple[float, float]:
        """Width and height of a box in points."""
        width = max(text_width(line, self.points) for line in lines)
        return width + 2 * PAD, len(lines) * LEADING * self.points + 2 * PAD

    # ---- drawing -------------------------------------------------------------------------------------------------------

    def box(self, ax: Axes, node: int, scale: float) -> None:
        """A node with its words."""
        from matplotlib.patches import FancyBboxPatch

        box, end = self.boxes[node], node in self.ends
        corner = (box.x - box.width / 2, box.bottom)
        style = f"round,pad=0,rounding_size={4.0 if end else 1.0}"
        look: dict[str, Any] = {
            "facecolor": self.colour(node),
            "edgecolor": INK if end else GREY,
            "linewidth": 2 * THIN * scale,
        }
        ax.add_patch(FancyBboxPatch(corner, box.width, box.height, boxstyle=style, zorder=2.0, **look))
        lines = self.texts[node]
        bold = len(self.fold(cut(format_prediction(self.labelled.answers[node])))) if end else 0
        for first, last, weight in ((0, bold, "bold"), (bold, len(lines), "normal")):
            y = box.top - PAD - (first + last) / 2 * LEADING * self.points
            look = {"fontsize": self.points * scale, "fontweight": weight, "color": INK, "ha": "center", "va": "center"}
            ax.text(box.x, y, verbatim("\n".join(lines[first:last])), linespacing=SPACING, zorder=3.0, **look)

    def lines(self, ax: Axes, node: int, scale: float) -> None:
        """The lines to the children of a node, with the names of the branches."""
        if node in self.ends:
            return
        tree, box = self.labelled.tree, self.boxes[node]
        for child in tree.children_of(node).tolist():
            below = self.boxes[child]
            share = float(tree.weighted_n_node_samples[child] / tree.weighted_n_node_samples[0])
            look: dict[str, Any] = {"color": GREY, "linewidth": max(0.8, WIDEST_LINE * share) * scale, "zorder": 1.0}
            ax.plot([box.x, box.x, below.x], [box.bottom, box.floor, below.top], solid_joinstyle="round", **look)
            x, y = box.x + NEAR * (below.x - box.x), box.floor + NEAR * (below.top - box.floor)
            words: dict[str, Any] = {"fontsize": SMALL_POINTS * scale, "color": INK, "ha": "center", "va": "center"}
            words["bbox"] = {"facecolor": "white", "edgecolor": "none", "pad": 1.0 * scale}
            ax.text(x, y, verbatim("\n".join(self.branches[child])), linespacing=1.0, zorder=1.5, **words)

    def colour(self, node: int) -> tuple[float, float, float]:
        """The colour of a class by its share, or blue by the mean."""
        from matplotlib.colors import to_rgb

        colour, strength = BLUE, 0.0
        labelled, value = self.labelled, self.labelled.tree.value[:, 0, :]
        if labelled.classes is None:
            span = float(np.ptp(value))
            strength = float(value[node, 0] - value.min()) / span if span > 0 else 0.0
        else:
            k, least = labelled.classes.index(plain(labelled.answers[node])), 1.0 / len(labelled.classes)
            colour = colour_of(k)
            strength = 1.0 if least == 1.0 else max(float(value[node, k]) - least, 0.0) / (1.0 - least)
        red, green, blue = (1.0 - STRONGEST * strength * (1.0 - part) for part in to_rgb(colour))
        return red, green, blue


def cut(name: Any) -> Any:
    """A name, cut in the middle if it is long."""
    text = one_line(name)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 9]}…{text[-8:]}"
