"""A tree that came from outside: every index is checked before anything follows it.

Each refusal names the node and what is wrong with it. Cost: O(nodes + levels).
"""

from __future__ import annotations

from typing import Any, get_args

import numpy as np

from aprendiz.core.cells import Kind
from aprendiz.core.rows import Array
from aprendiz.tree.reading.labelled_tree import Labelled
from aprendiz.tree.shared.nodes import LEAF, Tree

PER_NODE = ("threshold", "missing_branch", "impurity", "n_node_samples", "weighted_n_node_samples", "value")
PER_SURROGATE = ("surrogate_threshold", "surrogate_first", "surrogate_agreement")
REMEDY = "the tree is damaged, write it again"


def check_labelled(labelled: Labelled) -> None:
    """Refuse a tree whose arrays, names and predictions do not agree."""
    tree = labelled.tree
    check_words(labelled)
    check_lengths(tree)
    check_order(tree)
    check_splits(labelled)
    check_surrogates(labelled)
    check_answers(labelled)


def require(holds: Any, sentence: str) -> None:
    if not holds:
        raise ValueError(f"{sentence}: {REMEDY}.")


def check_words(labelled: Labelled) -> None:
    """Names, kinds and levels of the columns."""
    schema = labelled.schema
    if schema is None:
        return
    columns = len(schema.columns)
    require(columns == len(labelled.names), f"The schema has {columns} columns, but there are {len(labelled.names)} names")
    for column in schema.columns:
        require(column.kind in get_args(Kind), f"Column {column.name!r} is of the unknown kind {column.kind!r}")
        words = all(isinstance(level, (str, bool, int, float)) for level in column.levels)
        require(words, f"Column {column.name!r} has a level that is neither a word nor a number")
        require(len(set(column.levels)) == len(column.levels), f"Column {column.name!r} has a level twice")
        require(bool(column.levels) == (column.kind != "numeric"), f"Column {column.name!r} has no levels, or too many")


def check_lengths(tree: Tree) -> None:
    """As many entries as there are nodes, children, levels and surrogates; all numbers finite but thresholds of levels."""
    nodes, surrogates = tree.feature.size, tree.surrogate_feature.size
    require(nodes > 0 and tree.feature.ndim == 1, "The tree has no nodes")
    for name in PER_NODE:
        array = getattr(tree, name)
        wanted = array.shape == (nodes,) if name != "value" else array.ndim == 3 and len(array) == nodes and array.size > 0
        require(wanted, f"{name!r} has shape {array.shape}, but there are {nodes} nodes")
    for name in PER_SURROGATE:
        array = getattr(tree, name)
        require(array.shape == (surrogates,), f"{name!r} has shape {array.shape}, but there are {surrogates} surrogates")
    for name in ("impurity", "weighted_n_node_samples", "value"):
        require(np.isfinite(getattr(tree, name)).all(), f"{name!r} holds a number that is not finite")
    require((tree.weighted_n_node_samples > 0).all() and (tree.n_node_samples >= 0).all(), "A node has no weight")
    check_runs("child_start", tree.child_start, nodes, tree.children)
    check_runs("level_start", tree.level_start, nodes, tree.level_branch)
    check_runs("surrogate_start", tree.surrogate_start, nodes, tree.surrogate_feature)
    check_runs("surrogate_level_start", tree.surrogate_level_start, surrogates, tree.surrogate_level_branch)


def check_runs(name: str, start: Array, count: int, items: Array) -> None:
    """Runs that follow each other and end with the items."""
    right = start.shape == (count + 1,) and items.ndim == 1 and start[0] == 0 and start[-1] == len(items)
    require(right and (np.diff(start) >= 0).all(), f"{name!r} does not divide its {items.size} items among {count}")


def check_order(tree: Tree) -> None:
    """Depth-first order: each node stands once below another, and before the nodes below it."""
    open_branches = list[int]()  # of the nodes above the next one: children that are still to come
    for node in range(tree.node_count):
        branches = len(tree.children_of(node))
        require((branches == 0) == (tree.feature[node] == LEAF), f"Node {node} is a leaf with a split, or the opposite")
        require(branches != 1, f"Node {node} has only one branch")
        require(node == 0 or open_branches, f"Node {node} stands below no other node")
        if open_branches:
            open_branches[-1] -= 1
        open_branches += [branches] * (branches > 0)
        while open_branches and open_branches[-1] == 0:
            open_branches.pop()
    require(not open_branches and len(tree.children) == tree.node_count - 1, "The tree ends before its last branch")
    check_children(tree)


def check_children(tree: Tree) -> None:
    """The children are those of the depth-first order."""
    waiting = list[tuple[int, int]]()  # node and branch whose child comes next
    for node in range(tree.node_count):
        if node:
            above, branch = waiting.pop()
            right = int(tree.children_of(above)[branch]) == node
            require(
                right, f"Branch {branch} of node {above} does not lead to node {node}, which comes next in depth-first order"
            )
        waiting += [(node, branch) for branch in range(len(tree.children_of(node)) - 1, -1, -1)]


def check_splits(labelled: Labelled) -> None:
    """Columns, thresholds, branches of levels and of missing cells."""
    tree = labelled.tree
    for node in np.flatnonzero(~tree.is_leaf):
        branches, column = len(tree.children_of(node)), int(tree.feature[node])
        check_split(labelled, f"Node {node}", column, float(tree.threshold[node]), tree.levels_of(node), branches)
        missing = int(tree.missing_branch[node])
        require(-1 <= missing < branches, f"Node {node} sends missing cells to branch {missing}, but it has {branches}")
    idle = tree.is_leaf & ((np.diff(tree.level_start) > 0) | (np.diff(tree.surrogate_start) > 0))
    require(not idle.any(), f"Node {int(np.argmax(idle))} is a leaf with levels or surrogates")


def check_split(labelled: Labelled, where: str, column: int, threshold: float, levels: Array, branches: int) -> None:
    """A threshold between numbers, or a branch for each level."""
    columns = len(labelled.names)
    require(0 <= column < columns, f"{where} splits on column {column}, but there are {columns}")
    if np.isnan(threshold):
        count = len(labelled.levels(column))
        right = count > 0 and len(levels) == count
        require(right, f"{where} has branches for {len(levels)} levels, but column {labelled.names[column]!r} has {count}")
        require(((levels >= -1) & (levels < branches)).all(), f"{where} sends a level to a branch that it does not have")
    else:
        require(np.isfinite(threshold), f"{where} has the threshold {threshold}")
        require(len(levels) == 0, f"{where} has a threshold and branches for levels")


def check_surrogates(labelled: Labelled) -> None:
    """The same for surrogate splits."""
    tree = labelled.tree
    for node in np.flatnonzero(np.diff(tree.surrogate_start)):
        for s in range(int(tree.surrogate_start[node]), int(tree.surrogate_start[node + 1])):
            levels = tree.surrogate_level_branch[tree.surrogate_level_start[s] : tree.surrogate_level_start[s + 1]]
            column, threshold = int(tree.surrogate_feature[s]), float(tree.surrogate_threshold[s])
            check_split(labelled, f"Surrogate {s}", column, threshold, levels, len(tree.children_of(node)))
            require(int(tree.surrogate_first[s]) in (0, 1), f"Surrogate {s} sends x ≤ threshold to neither branch 0 nor 1")


def check_answers(labelled: Labelled) -> None:
    """Classes, costs and predictions."""
    tree, classes = labelled.tree, labelled.classes
    require(len(labelled.answers) == tree.node_count, f"There are {len(labelled.answers)} answers for {tree.node_count} nodes")
    if classes is None:
        outputs = tree.value.shape[1]
        for node, answer in enumerate(labelled.answers):
            numbers = answer if isinstance(answer, tuple) else (answer,)
            right = len(numbers) == outputs and all(type(one) in (int, float) and np.isfinite(one) for one in numbers)
            require(right, f"The answer of node {node} is {answer!r}, not a number for each target")
        return
    require(all(isinstance(label, (str, bool, int, float)) for label in classes), "A class is neither a word nor a number")
    require(len(set(classes)) == len(classes), "A class stands twice among the classes")
    wanted = (tree.node_count, 1, len(classes))
    require(tree.value.shape == wanted, f"'value' has shape {tree.value.shape}, but the classes ask for {wanted}")
    for node, answer in enumerate(labelled.answers):
        require(answer in classes, f"The answer of node {node} is {answer!r}, which is no class")
    if labelled.costs is not None:
        square = labelled.costs.shape == (len(classes), len(classes)) and np.isfinite(labelled.costs).all()
        require(square, f"The costs of {len(classes)} classes have shape {labelled.costs.shape} or are not finite")
