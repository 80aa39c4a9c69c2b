"""A tree as indented lines.

    petal width ≤ 0.8  (150 rows)
    ├─ yes: setosa  (50 rows, 100 %)
    └─ no: petal width ≤ 1.75  (100 rows)
       ├─ yes: versicolor  (54 rows, 90.7 %)
       └─ no: virginica  (46 rows, 97.8 %)

A leaf tells the share of its class. Cost: O(nodes).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from aprendiz.core.targets import plain
from aprendiz.locale import format_whole, ngettext, number
from aprendiz.tree.reading.labelled_tree import Labelled
from aprendiz.tree.reading.rules import count_text
from aprendiz.tree.reading.split_words import Condition, branch_words, conditions_of, digits_needed, format_prediction, question

MIDDLE, LAST, ALONG, BELOW_LAST = "├─ ", "└─ ", "│  ", "   "


def to_text(labelled: Labelled, *, max_depth: int | None = None, decimals: int | None = None) -> str:
    """The tree as indented lines, down to some depth; numbers with some decimals, by default as many digits as needed."""
    for name, given in (("max_depth", max_depth), ("decimals", decimals)):
        refuse_negative(name, given)
    tree, digits, lines = labelled.tree, digits_needed(labelled), list[str]()
    waiting: list[tuple[int, str, str]] = [(0, "", "")]  # a node, the start of its line, and of those below it
    while waiting:
        node, start, below = waiting.pop()
        lines.append(start + line_of(labelled, node, digits, max_depth, decimals))
        if tree.is_leaf[node] or tree.depth[node] == max_depth:
            continue
        words = branch_words(conditions(labelled, node, digits, decimals))
        last = len(words) - 1
        for branch in range(last, -1, -1):
            sign, rest = (LAST, BELOW_LAST) if branch == last else (MIDDLE, ALONG)
            child = int(tree.children_of(node)[branch])
            waiting.append((child, f"{below}{sign}{words[branch]}: ", below + rest))
    return "\n".join(lines)


def line_of(labelled: Labelled, node: int, digits: list[int], max_depth: int | None, decimals: int | None) -> str:
    """A split or a prediction, with the rows that reach it."""
    tree = labelled.tree
    rows = count_text(int(tree.n_node_samples[node]), float(tree.weighted_n_node_samples[node]))
    if not tree.is_leaf[node] and tree.depth[node] != max_depth:
        return f"{question(conditions(labelled, node, digits, decimals))}  ({rows})"
    share = predicted_share(labelled, node)
    inside = rows if share is None else f"{rows}, {number(100 * share, 3)} %"
    line = f"{format_prediction(labelled.answers[node], decimals)}  ({inside})"
    return line if tree.is_leaf[node] else f"{line} … {leaves_below(labelled, node)}"


def conditions(labelled: Labelled, node: int, digits: list[int], decimals: int | None) -> list[Condition]:
    """The conditions of the branches, with the decimals that were asked for."""
    return [replace(condition, decimals=decimals) for condition in conditions_of(labelled, node, digits)]


def leaves_below(labelled: Labelled, node: int) -> str:
    """How many leaves are not shown."""
    count = int(labelled.tree.leaves_below[node])
    return ngettext("{count} leaf below", "{count} leaves below", count).format(count=format_whole(count))


def predicted_share(labelled: Labelled, node: int) -> float | None:
    """The share of the class that a node predicts; None for numbers."""
    if labelled.classes is None:
        return None
    return float(labelled.tree.value[node, 0, labelled.classes.index(plain(labelled.answers[node]))])


def refuse_negative(name: str, given: Any) -> None:
    """A depth or a number of decimals below 0, or no whole number."""
    if given is not None and (isinstance(given, bool) or not isinstance(given, int) or given < 0):
        raise ValueError(f"{name} must be a whole number of at least 0, or None, got {given!r}.")
