"""Targets: labels and their numbers."""

import numpy as np
import pytest

from aprendiz.core.targets import numbered


@pytest.mark.parametrize(
    "target",
    [
        np.array([3, -2, 3, 0]),
        np.array([-100, 100, 27], np.int8),
        np.array([255, 0, 7], np.uint8),
        np.array([2**62, 2**62 + 3, 2**62]),
        np.array([-(2**63), -(2**63) + 1]),
        np.array([2**64 - 1, 2**64 - 9], np.uint64),
        np.array([0, 2**40]),
    ],
    ids=lambda t: f"{t.dtype} {t[0]}",
)
def test_numbers_of_labels(target):
    """Labels that are whole numbers are counted or sorted: the answer is the same."""
    labels, inverse = np.unique(target, return_inverse=True)
    found, numbers = numbered(target)
    assert found.dtype == target.dtype
    assert np.array_equal(found, labels)
    assert np.array_equal(numbers, inverse)
