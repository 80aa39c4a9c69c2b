"""Reduced-error pruning: the least validation loss of all prunings, with the fewest leaves."""

import numpy as np
import pytest
from small_trees import leaves_after, made, prunings, random_tree, validation

from aprendiz.tree.pruning.held_out import node_losses
from aprendiz.tree.pruning.reduced_error import cut_where_not_worse, reduced_error_stumps
from aprendiz.tree.pruning.risk import equal_costs

COSTS = np.array([[0.0, 2.0, 1.0], [1.0, 0.0, 7.0], [3.0, 0.5, 0.0]])


@pytest.mark.parametrize("kind", ["errors", "costs", "numbers"])
@pytest.mark.parametrize("branches", [2, 3])
def test_least_of_all_prunings(kind, branches):
    """No pruning loses less on the validation rows, and each other pruning that loses as little has more leaves."""
    for seed in range(15):
        rng = np.random.default_rng(seed)
        classes = 0 if kind == "numbers" else 3
        tree = random_tree(rng, 3, branches, classes)
        leaf, y = validation(rng, tree, classes)
        costs = {"errors": equal_costs(3), "costs": COSTS, "numbers": None}[kind]
        weight = rng.integers(1, 4, len(y)) if seed % 2 else None
        losses = node_losses(tree, leaf, y, costs, weight)
        found = leaves_after(tree, reduced_error_stumps(tree, leaf, y, costs, weight))
        values = [losses[leaves].sum() for leaves in prunings(tree)]
        assert losses[found].sum() == pytest.approx(min(values), abs=1e-10)
        as_good = [sorted(p) for p, value in zip(prunings(tree), values, strict=True) if value <= min(values) + 1e-9]
        assert [p for p in as_good if len(p) <= len(found)] == [found]


def test_ties_and_empty_nodes_are_cut():
    """A question that changes nothing on the validation rows goes, and so does one that no row meets."""
    tree = made([[np.array([0, 0]), np.array([1])], [np.array([1, 1]), np.array([0])]], classes=2)
    stumps = reduced_error_stumps(tree, np.array([2, 2, 3]), np.array([0, 1, 1]), equal_costs(2))
    assert stumps[4]  # no row
    assert not stumps[1]  # one error with its question, two without
    same = reduced_error_stumps(tree, np.array([2, 3]), np.array([0, 0]), equal_costs(2))
    assert same[0]


def test_the_best_cut_at_each_time_is_not_enough():
    """Cutting the whole gains 5 and each of two parts 3.5: who takes the best cut first stays at 5, the least is 3."""
    tree = made([[np.array([0.0]), np.array([1.0])], [np.array([0.0]), np.array([1.0])]])
    losses = np.array([5.0, 1.5, 2.5, 2.5, 1.5, 2.5, 2.5])
    stumps = cut_where_not_worse(tree, losses, 0.0)
    assert leaves_after(tree, stumps) == [1, 4]
    gains = {0: 10.0 - 5.0, 1: 5.0 - 1.5, 4: 5.0 - 1.5}
    assert max(gains, key=gains.get) == 0


def test_rows_of_the_fit_cut_only_what_is_useless():
    """On the rows that grew it, a tree whose questions all help stays as it is."""
    tree = made([[np.array([0, 0]), np.array([1])], np.array([2])], classes=3)
    stumps = reduced_error_stumps(tree, np.array([2, 2, 3, 4]), np.array([0, 0, 1, 2]), equal_costs(3))
    assert not stumps.any()
