"""What the tests of pruning share: trees made by hand, at random or by scikit-learn, and all their prunings."""

from itertools import product

import numpy as np

from aprendiz.tree.shared.nodes import LEAF, Tree


def made(nested, classes=0):
    """A tree from nested lists: a list is a node with its branches, an array the targets of the rows of a leaf.

    With `classes` the targets are numbers of classes and the impurity is Gini's, else it is the variance.
    """
    families, targets = [], []

    def visit(part):
        number = len(families)
        families.append([])
        targets.append(None)
        if isinstance(part, list):
            families[number] = [visit(branch) for branch in part]
            targets[number] = np.concatenate([targets[branch] for branch in families[number]])
        else:
            targets[number] = np.asarray(part)
        return number

    visit(nested)
    rows = np.array([len(y) for y in targets])
    shares = [np.bincount(y, minlength=classes) / len(y) if classes else [y.mean()] for y in targets]
    impurity = [1 - (share**2).sum() for share in shares] if classes else [y.var() for y in targets]
    asks = np.array([len(family) > 0 for family in families])
    return Tree.of(
        feature=np.where(asks, 0, LEAF),
        threshold=np.where(asks, 0.5, LEAF),
        child_start=np.cumsum([0, *map(len, families)]),
        children=np.concatenate([np.array(family, np.int64) for family in families]),
        impurity=np.array(impurity),
        n_node_samples=rows,
        weighted_n_node_samples=rows.astype(float),
        value=np.array(shares)[:, None, :],
    )


def random_nested(rng, depth, branches, classes):
    """Branches that end at random; leaves hold one to four rows."""
    if depth == 0 or rng.uniform() < 0.25:
        size = rng.integers(1, 5)
        return rng.integers(0, classes, size) if classes else rng.integers(0, 6, size).astype(float)
    return [random_nested(rng, depth - 1, branches, classes) for _ in range(rng.integers(2, branches + 1))]


def random_tree(rng, depth=3, branches=2, classes=0):
    """A random tree with at least one question."""
    parts = [random_nested(rng, depth - 1, branches, classes) for _ in range(rng.integers(2, branches + 1))]
    return made(parts, classes)


def validation(rng, tree, classes, rows=12):
    """Validation rows that end in random leaves, of which some stay empty."""
    leaf = rng.choice(np.flatnonzero(tree.is_leaf), rows)
    return leaf, rng.integers(0, classes, rows) if classes else rng.integers(0, 6, rows).astype(float)


def of_sklearn(theirs):
    """scikit-learn's `tree_` as a Tree."""
    left, right = theirs.children_left, theirs.children_right
    families = [[] if a < 0 else [a, b] for a, b in zip(left, right, strict=True)]
    return Tree.of(
        feature=theirs.feature.astype(np.int64),
        threshold=theirs.threshold.copy(),
        child_start=np.cumsum([0, *map(len, families)]),
        children=np.concatenate([np.array(family, np.int64) for family in families]),
        impurity=theirs.impurity.copy(),
        n_node_samples=theirs.n_node_samples.copy(),
        weighted_n_node_samples=theirs.weighted_n_node_samples.copy(),
        value=theirs.value.copy(),
    )


def prunings(tree, node=0):
    """The leaves of every pruning of the subtree of a node, as lists of nodes."""
    family = tree.children_of(node)
    below = product(*(prunings(tree, child) for child in family)) if len(family) else ()
    return [[node], *([leaf for part in parts for leaf in part] for parts in below)]


def leaves_after(tree, stumps):
    """The nodes that are leaves once the marked ones are."""
    found, waiting = [], [0]
    while waiting:
        node = waiting.pop()
        if stumps[node] or tree.is_leaf[node]:
            found.append(node)
        else:
            waiting.extend(tree.children_of(node))
    return sorted(found)
