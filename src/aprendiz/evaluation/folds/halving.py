"""Successive halving: all candidates on few rows, the best third of them on three times as many, until one is left.

    round j of J      rows n/3^(J − j + 1), at least FEWEST;     candidates m/3^(j − 1)                            (1)

Where a fit costs n² or more, most of the time goes to the few candidates of the last round. What it gives up: the best
candidate for a third of the rows need not be the best for all of them. Rows of a round are among those of the next one.

Reference: Jamieson & Talwalkar, "Non-stochastic best arm identification and hyperparameter optimization", AISTATS 2016.
"""

from __future__ import annotations

import numpy as np

from aprendiz.core.random import uniforms
from aprendiz.core.rows import Array

FACTOR = 3
FEWEST = 2000  # rows of a round
OF_EACH_CLASS = 10  # rows that come first


def rounds(rows: int, candidates: int) -> list[tuple[int, int]]:
    """(1): the rows of each round, and how many candidates it leaves. A round on hardly more rows stands for the one before."""
    kept = [candidates]
    while kept[-1] > 1:
        kept.append(-(-kept[-1] // FACTOR))
    count = len(kept) - 1
    if not count:
        return [(rows, 1)]
    sizes = [max(rows // FACTOR ** (count - j), min(rows, FEWEST)) for j in range(count)]
    following = [*sizes[1:], np.inf]
    return [(size, left) for size, left, later in zip(sizes, kept[1:], following, strict=True) if later >= 2 * size]


def order_of_rows(y: Array, by_class: bool, seed: int) -> Array:
    """Row numbers in an order whose beginnings are samples; of classes, each has the same share of them, and a few rows."""
    chance = uniforms(seed, 0, len(y))
    if not by_class:
        return np.argsort(chance, kind="stable")
    place = np.empty(len(y))
    for label in np.unique(y):
        rows = np.flatnonzero(y == label)
        rank = np.argsort(np.argsort(chance[rows], kind="stable"), kind="stable")
        place[rows] = np.maximum(rank - OF_EACH_CLASS + chance[rows], 0.0) / len(rows)
    return np.lexsort((chance, place))
