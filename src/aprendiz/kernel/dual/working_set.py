"""The working set: the variables that break the optimality condition most, on both sides.

    half of them with the smallest up_i < max down, half with the largest down_i > min up                           (1)

The exact order of thousands of candidates does not matter: they are counted in bins of equal width between min up and
max down, and whole bins are taken until the set is full; of the last one some, spread evenly over the table, which may be
sorted. Cost: two passes over the variables.
"""

from __future__ import annotations

import numpy as np

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.rows import Array

BINS = 256


@compiled
def choose_working_set(up: Array, down: Array, half: int, chosen: Array) -> int:
    """(1): the numbers of the variables in `chosen`, in their order, and how many there are."""
    n = len(up)
    least, most = np.inf, -np.inf
    for i in range(n):
        least = min(least, up[i])
        most = max(most, down[i])
    if not most > least:
        return int64(0)
    scale = BINS / (most - least)
    rising, falling = np.zeros(BINS + 1, np.int64), np.zeros(BINS + 1, np.int64)
    for i in range(n):
        if up[i] < most:
            rising[int((up[i] - least) * scale)] += 1
        if down[i] > least:
            falling[int((most - down[i]) * scale)] += 1
    last_up, rest_up = full_bins(rising, half)
    last_down, rest_down = full_bins(falling, half)
    count, met_up, met_down = int64(0), int64(0), int64(0)
    for i in range(n):
        taken = False
        if up[i] < most:
            at = int((up[i] - least) * scale)
            taken = at < last_up
            if at == last_up:
                taken = falls_on(met_up, rest_up, rising[at])
                met_up += 1
        if down[i] > least:
            at = int((most - down[i]) * scale)
            taken = taken or at < last_down
            if at == last_down:
                taken = taken or falls_on(met_down, rest_down, falling[at])
                met_down += 1
        if taken:
            chosen[count] = i
            count += 1
    return count


@compiled(inner=True)
def falls_on(number: int, some: int, of: int) -> bool:
    """Whether a number is one of `some`, spread evenly over `of` numbers."""
    return (number + 1) * some // of > number * some // of


@compiled(inner=True)
def full_bins(counts: Array, half: int) -> tuple[int, int]:
    """The first bin that does not fit as a whole, and how many of it do."""
    total, at = int64(0), int64(0)
    while at < len(counts) - 1 and total + counts[at] <= half:
        total += counts[at]
        at += 1
    return at, half - total
