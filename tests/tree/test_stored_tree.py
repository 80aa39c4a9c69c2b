"""Stored trees whose numbers do not fit together are refused: one branch too many is one."""

import numpy as np
import pytest

from aprendiz.tree.shared.stored_tree import levels_agree

START, FEATURE, LEVELS = np.array([0, 0, 3]), np.array([-1, 0]), np.array([3])  # a leaf, and a split on three levels
THRESHOLD, BRANCHES, ASKS = np.array([-2.0, np.nan]), np.array([0, 2]), np.array([False, True])


@pytest.mark.parametrize(
    ("branch", "fits"), [([0, 1, -1], True), ([1, 1, 0], True), ([0, 2, 1], False), ([0, 1, -2], False), ([0, 1], False)]
)
def test_branches_of_levels(branch, fits):
    """Each level takes branch 0 or 1 of two, or −1 where the node knows nothing of it."""
    start = np.array([0, 0, len(branch)])
    assert levels_agree(start, np.array(branch), THRESHOLD, FEATURE, BRANCHES, ASKS, LEVELS) is fits


def test_levels_of_a_threshold():
    """A split at a threshold has no levels."""
    numbers = np.array([-2.0, 0.5])
    assert levels_agree(np.zeros(3, int), np.zeros(0, int), numbers, FEATURE, BRANCHES, ASKS, LEVELS)
    assert not levels_agree(START, np.array([0, 1, 1]), numbers, FEATURE, BRANCHES, ASKS, LEVELS)
