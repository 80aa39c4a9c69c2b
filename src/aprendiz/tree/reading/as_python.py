"""A tree as Python source that needs nothing but Python: a table of nodes, and `predict(row)`.

The table has one line for each node, with its split in words beside it. `predict` follows it from the root. It does what
the tree does with missing cells: surrogates, the branch of missing cells, or all branches, each with a part of the row.
"""

from __future__ import annotations

from math import isnan
from typing import Any

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.tree.pruning.resubstitution import costs_of
from aprendiz.tree.reading.as_json import plain_word
from aprendiz.tree.reading.explanation import child_shares
from aprendiz.tree.reading.labelled_tree import Labelled
from aprendiz.tree.reading.split_words import conditions_of, digits_needed, format_prediction, question

HEAD = '''"""A decision tree: predict(row) answers for one row, a dict of cells by column or a sequence of all cells.

A missing cell is None or NaN. A line of NODES is (column, test, children, branch of missing cells, surrogates): the test is
a threshold (x ≤ threshold: first child, else the second) or the branch of each level; a surrogate is (column, test, branch
of x ≤ threshold). Where the branch of missing cells is -1, the row is parted among the children by SHARES. A leaf is None.
"""
'''

PREDICT = '''

def predict(row):
    """The answer of the tree for one row."""
    cells = [row.get(name) for name in COLUMNS] if hasattr(row, "get") else list(row)
    if len(cells) != len(COLUMNS):
        raise ValueError(f"The row has {len(cells)} cells, but the tree has {len(COLUMNS)} columns: give one for each.")
    reached, waiting = {}, [(0, 1.0)]
    while waiting:
        node, part = waiting.pop()
        if NODES[node] is None:
            reached[node] = part
            continue
        children, branch = NODES[node][2], chosen(node, cells)
        if branch == -1:
            waiting += [(child, part * share) for child, share in zip(children, SHARES[node]) if share > 0]
        else:
            waiting.append((children[branch], part))
    if len(reached) == 1:
        return ANSWERS[node]
    return joined(sorted(reached.items()))


def chosen(node, cells):
    """The branch that a row takes at a node, -1 for all of them."""
    column, test, children, missing, surrogates = NODES[node]
    branch = tested(cells[column], test, 0)
    for column, test, first in surrogates:
        if branch is not None:
            break
        branch = tested(cells[column], test, first)
    return missing if branch is None else branch


def tested(cell, test, first):
    """The branch of a cell, None if it is missing or was never seen there."""
    if cell is None or cell != cell:
        return None
    if isinstance(test, dict):
        return test.get(cell)
    return first if cell <= test else 1 - first
'''

JOINED_CLASSES = '''

def joined(parts):
    """The class of least cost under the shares of several leaves."""
    shares = [sum(part * VALUES[leaf][k] for leaf, part in parts) for k in range(len(CLASSES))]
    costs = [sum(p * COSTS[k][l] for k, p in enumerate(shares)) for l in range(len(CLASSES))]
    return CLASSES[costs.index(min(costs))]
'''

JOINED_NUMBERS = '''

def joined(parts):
    """The mean of several leaves, by their parts."""
    return sum(part * VALUES[leaf] for leaf, part in parts)
'''


def to_python(labelled: Labelled) -> str:
    """The source of a module with a function `predict(row)`."""
    refuse_several_targets(labelled, "Python")
    tree, digits = labelled.tree, digits_needed(labelled)
    names = [plain_word("a column name", name) for name in labelled.names]
    lines = [HEAD, f"COLUMNS = {names!r}", "NODES = ["]
    for node in range(tree.node_count):
        leaf = bool(tree.is_leaf[node])
        words = format_prediction(labelled.answers[node]) if leaf else question(conditions_of(labelled, node, digits))
        lines.append(f"    {None if leaf else node_entry(labelled, node)!r},  # {node}: {words}")
    lines += ["]", *tables(labelled)]
    return "\n".join(lines) + PREDICT + (JOINED_NUMBERS if labelled.classes is None else JOINED_CLASSES)


def tables(labelled: Labelled) -> list[str]:
    """What leaves predict, and what parted rows need."""
    tree = labelled.tree
    leaves, parting = np.flatnonzero(tree.is_leaf), np.flatnonzero(~tree.is_leaf & (tree.missing_branch == -1))
    answers = {int(leaf): plain_word("an answer", labelled.answers[leaf]) for leaf in leaves}
    shares = {int(node): tuple(child_shares(labelled, int(node)).tolist()) for node in parting}
    lines = [f"ANSWERS = {answers!r}", f"SHARES = {shares!r}"]
    if labelled.classes is None:
        return [*lines, f"VALUES = { {int(leaf): float(tree.value[leaf, 0, 0]) for leaf in leaves}!r}"]
    lines.append(f"CLASSES = {[plain_word('a class', label) for label in labelled.classes]!r}")
    lines.append(f"VALUES = { {int(leaf): tuple(tree.value[leaf, 0].tolist()) for leaf in leaves}!r}")
    return [*lines, f"COSTS = {np.asarray(costs_of(labelled), float).tolist()!r}"]


def node_entry(labelled: Labelled, node: int) -> tuple[Any, ...]:
    """A line of the table."""
    tree, column = labelled.tree, int(labelled.tree.feature[node])
    surrogates = list[Any]()
    for s in range(int(tree.surrogate_start[node]), int(tree.surrogate_start[node + 1])):
        first, other = int(tree.surrogate_first[s]), int(tree.surrogate_feature[s])
        levels = tree.surrogate_level_branch[tree.surrogate_level_start[s] : tree.surrogate_level_start[s + 1]]
        surrogates.append((other, test_of(labelled, other, float(tree.surrogate_threshold[s]), first, levels), first))
    test = test_of(labelled, column, float(tree.threshold[node]), 0, tree.levels_of(node))
    children = tuple(map(int, tree.children_of(node)))
    return column, test, children, int(tree.missing_branch[node]), tuple(surrogates)


def test_of(labelled: Labelled, column: int, threshold: float, first: int, levels: Array) -> float | dict[Any, int]:
    """A threshold between numbers, or the branch of each level that has one."""
    words = [plain_word(f"a level of column {labelled.names[column]!r}", word) for word in labelled.levels(column)]
    if not words:
        return threshold
    if isnan(threshold):
        return {word: int(branch) for word, branch in zip(words, levels, strict=False) if branch >= 0}
    return {word: first if code <= threshold else 1 - first for code, word in enumerate(words)}


def refuse_several_targets(labelled: Labelled, language: str) -> None:
    if labelled.tree.value.shape[1] > 1:
        targets = labelled.tree.value.shape[1]
        raise ValueError(f"The tree predicts {targets} targets, but {language} code is written for one: fit a tree for each.")
