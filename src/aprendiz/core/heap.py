"""A heap of pairs (key, number) in two arrays: the largest pair is always at the root.

Pairs are compared by key, then by number. The heap of `length` pairs fills the first places of the arrays, and a pair is never
smaller than its two children:

    pair[i] ≥ pair[2i + 1],   pair[i] ≥ pair[2i + 2]                                                            (1)

The k smallest of many pairs: a heap of k pairs, whose root gives way to every smaller one (`replace_root`), sorted at the end.
A queue of what is most urgent: `push` and `pop`. Keys must not be NaN. Whoever calls makes the arrays and counts the pairs.

Cost: O(log length) for each operation, O(length·log length) to sort; no memory.
Reference: Williams, "Algorithm 232: Heapsort", Communications of the ACM 7, 1964.
"""

from __future__ import annotations

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.rows import Array


@compiled(exact=True, inner=True)
def larger(key: float, number: int, other_key: float, other: int) -> bool:
    """Is the first pair the larger one?"""
    return key > other_key or (key == other_key and number > other)


@compiled(exact=True, inner=True)
def push(keys: Array, numbers: Array, length: int, key: float, number: int) -> None:
    """Add a pair to a heap of `length` pairs. There must be room for it."""
    at = length
    while at > 0:
        above = (at - 1) // 2
        if not larger(key, number, keys[above], numbers[above]):
            break
        keys[at], numbers[at] = keys[above], numbers[above]
        at = above
    keys[at], numbers[at] = key, number


@compiled(exact=True, inner=True)
def pop(keys: Array, numbers: Array, length: int) -> int:
    """Take the root from a heap of `length` ≥ 1 pairs; returns its number. The others are the heap of length − 1."""
    root, last = numbers[0], length - 1
    if last > 0:
        sink(keys, numbers, last, keys[last], numbers[last])
    return root


@compiled(exact=True, inner=True)
def replace_root(keys: Array, numbers: Array, length: int, key: float, number: int) -> None:
    """A pair takes the place of the root, if it is smaller."""
    if larger(keys[0], numbers[0], key, number):
        sink(keys, numbers, length, key, number)


@compiled(exact=True, inner=True)
def sink(keys: Array, numbers: Array, length: int, key: float, number: int) -> None:
    """Put a pair in the place of the root: larger children move up until (1) holds."""
    at = int64(0)
    while True:
        child = 2 * at + 1
        if child >= length:
            break
        if child + 1 < length and larger(keys[child + 1], numbers[child + 1], keys[child], numbers[child]):
            child += 1
        if not larger(keys[child], numbers[child], key, number):
            break
        keys[at], numbers[at] = keys[child], numbers[child]
        at = child
    keys[at], numbers[at] = key, number


@compiled(exact=True, inner=True)
def sort(keys: Array, numbers: Array) -> None:
    """The pairs of a heap that fills its arrays, from the smallest to the largest: roots go to the end, one after the other."""
    for end in range(len(keys) - 1, 0, -1):
        key, number = keys[end], numbers[end]
        keys[end], numbers[end] = keys[0], numbers[0]
        sink(keys, numbers, end, key, number)
