"""A tree in the language of Graphviz.

A node is a box with its split (or, in a leaf, its prediction), its rows and the share of its class; the colour is that of the
class, the stronger the larger its share. An edge carries the name of its branch. Names are escaped: quotes, backslashes,
line breaks and ampersands are shown as they are.
"""

from __future__ import annotations

import numpy as np

from aprendiz.core.targets import plain
from aprendiz.locale import number
from aprendiz.tree.reading.labelled_tree import Labelled
from aprendiz.tree.reading.rules import count_text
from aprendiz.tree.reading.split_words import branch_words, conditions_of, digits_needed, format_prediction, question
from aprendiz.tree.reading.text import predicted_share

HEAD = """digraph Tree {
    node [shape=box, style="filled,rounded", fontname="Helvetica", fillcolor="white"];
    edge [fontname="Helvetica"];"""


def to_dot(labelled: Labelled) -> str:
    """The tree as Graphviz text: write it to a file and run `dot -Tsvg`."""
    tree, digits, lines = labelled.tree, digits_needed(labelled), [HEAD]
    for node in range(tree.node_count):
        label = "\\n".join(escape(line) for line in label_of(labelled, node, digits))
        lines.append(f'    {node} [label="{label}", fillcolor="{colour(labelled, node)}"];')
        if tree.is_leaf[node]:
            continue
        words = branch_words(conditions_of(labelled, node, digits))
        for child, word in zip(tree.children_of(node), words, strict=True):
            lines.append(f'    {node} -> {child} [label="{escape(word)}"];')
    return "\n".join([*lines, "}", ""])


def label_of(labelled: Labelled, node: int, digits: list[int]) -> list[str]:
    """The lines of a box."""
    tree = labelled.tree
    rows = count_text(int(tree.n_node_samples[node]), float(tree.weighted_n_node_samples[node]))
    share = predicted_share(labelled, node)
    answer = format_prediction(labelled.answers[node]) + ("" if share is None else f" {number(100 * share, 3)} %")
    return [answer, rows] if tree.is_leaf[node] else [question(conditions_of(labelled, node, digits)), rows, answer]


def colour(labelled: Labelled, node: int) -> str:
    """Hue, saturation and value: the hue of the class, stronger with its share; a blue that grows with a number."""
    value = labelled.tree.value[:, 0, :]
    if labelled.classes is None:
        low, high = float(value.min()), float(value.max())
        strength = (float(value[node, 0]) - low) / (high - low) if high > low else 0.0
        return f"0.58 {0.5 * strength:.3f} 1.0"
    count = len(labelled.classes)
    k = labelled.classes.index(plain(labelled.answers[node]))
    least = 1.0 / count
    strength = 1.0 if count == 1 else float(np.clip((value[node, k] - least) / (1.0 - least), 0.0, 1.0))
    return f"{(0.58 + k / count) % 1.0:.3f} {0.5 * strength:.3f} 1.0"


def escape(text: str) -> str:
    """Text between double quotes, in which Graphviz reads backslashes and entities."""
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;")
