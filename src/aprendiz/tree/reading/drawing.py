"""The drawing of a fitted tree for notebooks, below scikit-learn's diagram of the learner.

A large tree is drawn down to the last level that leaves few boxes, and it is said how deep it goes. Without matplotlib the tree
stands there as text.
"""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from aprendiz.core.html import Html, box, element, sentence, title, verbatim
from aprendiz.core.pictures import Picture
from aprendiz.core.svg import svg_of
from aprendiz.locale import _, format_whole, ngettext
from aprendiz.tree.reading.text import to_text

if TYPE_CHECKING:
    from aprendiz.tree.reading.readable_tree import ReadableTree
    from aprendiz.tree.shared.nodes import Tree

MOST_BOXES = 31


def drawing(model: ReadableTree) -> str:
    """The box with the tree."""
    return str(box(*parts(model)))


def parts(model: ReadableTree) -> Iterator[Html]:
    """The size of the tree, the tree, and how much of it is shown."""
    deepest, shown = model.get_depth(), drawn_depth(model.tree_)
    leaves = model.get_n_leaves()
    words = ngettext("{leaves} leaf", "{leaves} leaves", leaves).format(leaves=format_whole(leaves))
    yield title(_("Fitted tree"), _("{leaves}, depth {depth}").format(leaves=words, depth=format_whole(deepest)))
    text = to_text(model.label_tree(), max_depth=shown)
    try:
        yield element("div", Html(svg(model, shown, text)), kind="drawing")
    except ModuleNotFoundError:
        yield verbatim(text)
    if shown < deepest:
        said = _("Drawn down to depth {shown}; to_text(), rules() and plot(max_depth=…) show more.")
        yield sentence(said.format(shown=format_whole(shown)), "faint")


def drawn_depth(tree: Tree) -> int:
    """The last level of the tree down to which there are few nodes."""
    nodes = np.cumsum(np.bincount(tree.depth))
    return max(0, int(np.searchsorted(nodes, MOST_BOXES, side="right")) - 1)


def svg(model: ReadableTree, depth: int, text: str) -> str:
    """The picture as an element; no figure stays open, or the notebook would show it again."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # letters that the font lacks
        picture: Picture = model.plot(max_depth=depth)
        try:
            key = f"tree-{hashlib.blake2b(text.encode(), digest_size=6).hexdigest()}"
            return svg_of(picture.figure_, key, _("Fitted tree"))
        finally:
            close(picture)


def close(picture: Picture) -> None:
    """Forget a figure."""
    from matplotlib import pyplot

    pyplot.close(picture.figure_)
