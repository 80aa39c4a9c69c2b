"""Stopping by validation rows: a question stays if it helps at once."""

import numpy as np
import pytest
from small_trees import leaves_after, made, random_tree, validation

from aprendiz.tree.pruning.held_out import node_losses
from aprendiz.tree.pruning.reduced_error import reduced_error_stumps
from aprendiz.tree.pruning.risk import equal_costs
from aprendiz.tree.pruning.validated_stop import validated_stumps


@pytest.mark.parametrize("classes", [0, 3])
def test_as_growth_from_the_root(classes):
    """The leaves are those of a growth that asks while the validation loss of the node falls."""
    for seed in range(30):
        rng = np.random.default_rng(seed)
        tree = random_tree(rng, 4, 3, classes)
        leaf, y = validation(rng, tree, classes, rows=40)
        costs = equal_costs(3) if classes else None
        losses, grown, waiting = node_losses(tree, leaf, y, costs), [], [0]
        while waiting:
            node = waiting.pop()
            family = list(tree.children_of(node))
            asks = family and losses[family].sum() < losses[node] - 1e-9
            waiting.extend(family if asks else [])
            grown.extend([] if asks else [node])
        assert leaves_after(tree, validated_stumps(tree, leaf, y, costs)) == sorted(grown)


def test_a_part_of_reduced_error_pruning():
    """Every question that stays here stays there, and there is never more validation loss there."""
    fewer = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        tree = random_tree(rng, 4, 2, 2)
        leaf, y = validation(rng, tree, 2, rows=40)
        stopped = set(leaves_after(tree, validated_stumps(tree, leaf, y, equal_costs(2))))
        pruned = leaves_after(tree, reduced_error_stumps(tree, leaf, y, equal_costs(2)))
        for node in pruned:
            while node not in stopped:
                node = tree.parent[node]
                assert node >= 0
        fewer += len(stopped) < len(pruned)
    assert fewer > 0


def test_questions_that_change_nothing():
    """Where the root makes no error, nothing is left to lower, and no question stays."""
    tree = made([[np.array([0, 0, 0]), np.array([1])], np.array([1])], classes=2)
    assert leaves_after(tree, validated_stumps(tree, np.array([2, 2]), np.array([0, 0]), equal_costs(2))) == [0]


def test_exclusive_or():
    """No first question helps alone: stopping keeps none of the three, reduced-error pruning all."""
    tree = made([[np.array([0, 0]), np.array([1, 1])], [np.array([1, 1]), np.array([0, 0])]], classes=2)
    leaf, y = np.array([2, 3, 5, 6]), np.array([0, 1, 1, 0])
    assert leaves_after(tree, validated_stumps(tree, leaf, y, equal_costs(2))) == [0]
    assert leaves_after(tree, reduced_error_stumps(tree, leaf, y, equal_costs(2))) == [2, 3, 5, 6]
