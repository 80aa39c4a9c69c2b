"""Sums of the other folds, and the splits for which they are the training rows."""

import numpy as np
import pytest

from aprendiz.core.folds import is_partition, sums_of_others


@pytest.mark.parametrize("count", [2, 3, 8])
def test_sums_of_others(count):
    """All but one, each once and in order: words add by standing one behind the other."""
    words = [chr(ord("a") + number) for number in range(count)]
    assert sums_of_others(words) == ["".join(words[:k] + words[k + 1 :]) for k in range(count)]


def test_partitions():
    """Every row tested once and trained on otherwise; repeated, absent and shared rows are noticed."""
    rows = np.arange(6)
    halves = [(rows[3:], rows[:3]), (rows[:3], rows[3:])]
    assert is_partition(halves, 6)
    assert is_partition([(train[::-1], test) for train, test in halves], 6)
    assert not is_partition(halves[:1], 6)
    assert not is_partition([halves[0], halves[0]], 6)
    assert not is_partition([(np.array([3, 3, 4]), rows[:3]), halves[1]], 6)
    assert not is_partition([(rows, rows[:3]), halves[1]], 6)
