"""Numbers in order, digit by digit: a radix sort of the bits of doubles.

Read as a whole number, the bits of a positive double grow with it, and those of a negative one fall:

    key = ¬bits if the sign is set, else bits + 2⁶³;  of NaN, the largest key                                   (1)

The keys are dealt out by their lowest 11 bits, then, in that order, by the next 11, six times in all; a digit that all keys
share is left out. No two keys are ever compared.

Cost: O(6n), a third of the time that NumPy's sort takes for 20 000 numbers, half for a million; 16 bytes a number beside them.
"""

from __future__ import annotations

import numpy as np

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.rows import Array

BITS, PASSES = 11, 6  # of a digit, and digits of a key
DIGITS = 1 << BITS
FEW = 2048  # numbers up to which NumPy's sort takes as long, and needs no kernel


def sort_numbers(x: Array) -> Array:
    """A sorted copy of some doubles, NaN last, as `np.sort` gives it."""
    if len(x) <= FEW:
        return np.sort(x)
    keys, spare = np.empty((2, len(x)), np.uint64)
    into = deal_by_digits(x.view(np.uint64), keys, spare, np.zeros((PASSES, DIGITS), np.int64))
    return spare.view(np.float64) if into else keys.view(np.float64)


@compiled
def deal_by_digits(bits: Array, keys: Array, spare: Array, counts: Array) -> bool:
    """Sort into `keys` or, if the answer is yes, into `spare`; both hold bits of doubles in the end."""
    n, sign, last = len(bits), np.uint64(1 << 63), np.uint64(DIGITS - 1)
    infinite = np.uint64(0x7FF << 52)
    for i in range(n):
        b = bits[i]
        key = ~b if b & sign else b | sign  # (1)
        if b & ~sign > infinite:
            key = ~np.uint64(0)
        keys[i] = key
        for p in range(PASSES):
            counts[p, (key >> np.uint64(BITS * p)) & last] += 1
    swapped = False
    for p in range(PASSES):
        shift = np.uint64(BITS * p)
        source, target = (spare, keys) if swapped else (keys, spare)
        if counts[p, (source[0] >> shift) & last] == n:
            continue
        at = int64(0)
        for digit in range(DIGITS):  # where the keys of each digit begin
            counts[p, digit], at = at, at + counts[p, digit]
        for i in range(n):
            digit = int64((source[i] >> shift) & last)
            target[counts[p, digit]] = source[i]
            counts[p, digit] += 1
        swapped = not swapped
    result = spare if swapped else keys
    for i in range(n):
        key = result[i]
        result[i] = key & ~sign if key & sign else ~key
    return swapped
