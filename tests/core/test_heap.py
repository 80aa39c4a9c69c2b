"""The heap against sorted lists: the largest pair comes first, ties go by number, nothing is lost."""

import heapq

import numpy as np
import pytest
from entries import entry
from hypothesis import given, settings
from hypothesis import strategies as st

from aprendiz.core import heap

push, pop, replace_root, sort = map(entry, (heap.push, heap.pop, heap.replace_root, heap.sort))
PAIRS = st.lists(st.tuples(st.sampled_from([-np.inf, -2.5, -0.0, 0.0, 1.0, 1e300, np.inf]), st.integers(0, 9)), max_size=40)


def heap_of(pairs, room=None):
    """A heap of some pairs, pushed one after the other."""
    keys, numbers = np.full(room or len(pairs), np.nan), np.full(room or len(pairs), -1)
    for length, (key, number) in enumerate(pairs):
        push(keys, numbers, length, key, number)
    return keys, numbers


@settings(deadline=None)  # the first example compiles
@given(PAIRS)
def test_push_keeps_the_order_of_a_heap(pairs):
    """Equation (1) of the file, after every push, and the places behind the heap are not touched."""
    keys, numbers = np.full(len(pairs) + 3, np.nan), np.full(len(pairs) + 3, -1)
    for length, (key, number) in enumerate(pairs):
        push(keys, numbers, length, key, number)
        now = list(zip(keys[: length + 1], numbers[: length + 1], strict=True))
        assert sorted(now) == sorted(pairs[: length + 1])
        assert all(now[(i - 1) // 2] >= now[i] for i in range(1, len(now)))
        assert np.isnan(keys[length + 1 :]).all()
        assert (numbers[length + 1 :] == -1).all()


@settings(deadline=None)
@given(PAIRS)
def test_pop_gives_the_largest(pairs):
    """Pops give the numbers from the largest pair to the smallest, down to an empty heap."""
    keys, numbers = heap_of(pairs)
    popped = [pop(keys, numbers, length) for length in range(len(pairs), 0, -1)]
    assert popped == [number for _, number in sorted(pairs, reverse=True)]


@settings(deadline=None)
@given(st.lists(st.one_of(st.none(), st.tuples(st.integers(0, 3), st.integers(0, 9))), max_size=60))
def test_queue(requests):
    """Pushes and pops in any order, against heapq (which has the smallest pair on top)."""
    keys, numbers, length, twin = np.empty(60), np.empty(60, np.int64), 0, []
    for pair in requests:
        if pair is not None:
            push(keys, numbers, length, float(pair[0]), pair[1])
            heapq.heappush(twin, (-pair[0], -pair[1]))
            length += 1
        elif length > 0:
            assert pop(keys, numbers, length) == -heapq.heappop(twin)[1]
            length -= 1
    assert length == len(twin)


@settings(deadline=None)
@given(PAIRS, st.integers(1, 8))
def test_k_smallest(pairs, k):
    """A heap of k pairs that begins with the largest there can be keeps the k smallest of all that are offered."""
    keys, numbers = np.full(k, np.inf), np.full(k, 2**62)
    for key, number in pairs:
        replace_root(keys, numbers, k, key, number)
    sort(keys, numbers)
    expected = sorted(pairs + [(np.inf, 2**62)] * k)[:k]
    assert list(zip(keys, numbers, strict=True)) == expected


@pytest.mark.parametrize("pairs", [[], [(1.0, 3)], [(1.0, 3), (1.0, 2)], [(0.0, 1)] * 5])
def test_sort_of_few_and_of_ties(pairs):
    """Nothing, one pair, two that differ by their number only, and equal ones."""
    keys, numbers = heap_of(pairs)
    sort(keys, numbers)
    assert list(zip(keys, numbers, strict=True)) == sorted(pairs)


def test_equal_pair_does_not_replace_the_root():
    """A pair as large as the root, or larger, changes nothing; one with the same key and a smaller number takes its place."""
    keys, numbers = heap_of([(2.0, 5), (1.0, 7)])
    for pair in ((2.0, 5), (2.0, 6), (3.0, 0)):
        replace_root(keys, numbers, 2, *pair)
        assert (keys.tolist(), numbers.tolist()) == ([2.0, 1.0], [5, 7])
    replace_root(keys, numbers, 2, 2.0, 4)
    assert (keys.tolist(), numbers.tolist()) == ([2.0, 1.0], [4, 7])


def test_numbers_of_another_type():
    """Numbers may be 32 bits wide."""
    keys, numbers = np.empty(3), np.empty(3, np.int32)
    for length, number in enumerate(np.array([4, 9, 1], np.int32)):
        push(keys, numbers, length, 1.0, number)
    assert [pop(keys, numbers, length) for length in (3, 2, 1)] == [9, 4, 1]
