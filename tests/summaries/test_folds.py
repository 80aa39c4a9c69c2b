"""Sums of the other folds, and the splits for which they are the training rows."""

import numpy as np
import pytest

from aprendiz.summaries.folds import checked_splits, is_partition, splits_among, sums_of_others


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


def test_splits_by_number_and_by_mask():
    """Rows may be given by number, in any order, or as a mask of all rows."""
    mask = np.array([True, False, True, False])
    (train, test), (again, _) = checked_splits([([2, 0], (3,)), (mask, ~mask)], 4)
    assert (train.tolist(), test.tolist(), again.tolist()) == ([2, 0], [3], [0, 2])


@pytest.mark.parametrize(
    ("splits", "message"),
    [
        ([], "cv holds no folds"),
        ([([0, 1], [1]), ([0, 1], [])], "Fold 1 of cv has 2 training rows and 0 test rows"),
        ([([], [0])], "Fold 0 of cv has 0 training rows"),
        ([([0, 1], [4])], "holds the row 4: give rows that exist, from 0 to 3"),
        ([([0, -1], [1])], "holds the row -1"),
        ([([0.0, 1.0], [2.0])], "float64 of shape"),
        ([("ab", "c")], "numbers of rows"),
        ([([True, False], [2])], "a mask of all"),
        ([[0, 1, 2]], "give a pair"),
        ([([0, 1], [2, 3])], "all its test rows have weight 0"),
        ([([3], [0])], "all its training rows have weight 0"),
    ],
)
def test_splits_that_are_none(splits, message):
    """What cannot be folds of four rows, of which the last two have weight 0, is refused with the number of the fold."""
    with pytest.raises(ValueError, match=message):
        checked_splits(splits, 4, np.array([1.0, 1.0, 0.0, 0.0]))


def test_splits_among_kept_rows():
    """Rows that are left out leave the splits, and the others are counted anew."""
    ((train, test),) = splits_among([(np.array([0, 3, 4]), np.array([1, 2]))], np.array([0, 2, 4]), 5)
    assert (train.tolist(), test.tolist()) == ([0, 2], [1])
