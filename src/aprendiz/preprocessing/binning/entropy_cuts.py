"""Cuts of a column between its classes, accepted where they shorten the description of the labels.

A cut of a part S of the column, of weight W and k classes, into S₁ and S₂ saves

    G = W·H(S) − W₁·H(S₁) − W₂·H(S₂)                                                                          (1)

bits of the labels, H being the entropy of the classes. To say where it is, and what is in the two parts, costs

    C = log₂ max(W − 1, 1) + log₂(3ᵏ − 2) − k·H(S) + k₁·H(S₁) + k₂·H(S₂)                                       (2)

bits. The cut of largest G is made if G > C, and its two parts are then cut in turn. It lies between two different values that
do not both belong to the same one class: nowhere else is G largest (Fayyad & Irani, 1992).

W is a sum of weights, so a row of weight 2 counts as two rows. Gains that differ by rounding only, by less than 10⁻¹² of
W·log₂(W + 1), are ties; the first is taken. Where the weights are whole numbers, w·log₂ w is looked up.

Cost: O(m·K) for each level of cuts, of m different pairs of value and class.
Reference: Fayyad & Irani, "Multi-interval discretization of continuous-valued attributes for classification learning",
IJCAI 1993.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.rows import Array, Rows
from aprendiz.core.threads import ordered_map
from aprendiz.preprocessing.binning.class_values import ClassValues

TIE = 1e-12
MOST_LOOKED_UP = 2**20  # rows; a table of eight megabytes
LOG_3 = math.log2(3.0)


class EntropyCuts(NamedTuple):
    """The cuts of a column, Σ G of (1) over them, and the two decisions that were closest: the least G − C of a cut that was
    made, the largest of one that was not."""

    cuts: Array
    gain: float
    least: float
    refused: float


def entropy_cuts(values: Array, classes: Array, weights: Array, count: int) -> EntropyCuts:
    """The cuts of a column whose pairs of value and class are sorted; the classes are 0 … count − 1."""
    places, decisions = np.empty(len(values), np.int64), np.array([0.0, math.inf, -math.inf])
    room, total = np.empty(len(values)), float(weights.sum())
    known = total <= MOST_LOOKED_UP and bool((weights == np.floor(weights)).all())
    table = logs_of_whole(int(total) if known else -1)
    made = find_cuts(values, classes, weights, table, np.zeros((4, count)), room, places, decisions)
    at = np.sort(places[:made])
    return EntropyCuts(between(values[at], values[at + 1]), *decisions.tolist())


@lru_cache(maxsize=1)
def logs_of_whole(most: int) -> Array:
    """w·log₂ w of 0, 1, …, most."""
    w = np.arange(most + 1, dtype=np.float64)
    return w * np.log2(np.maximum(w, 1.0))


def cuts_of_columns(rows: Rows, count: int) -> tuple[list[EntropyCuts], Array]:
    """The cuts of each column of some rows with their classes, and the weight of its known cells."""
    known = rows.sum(ClassValues.of)
    refuse_light_weights(known)

    def cut(j: int) -> EntropyCuts:
        return entropy_cuts(known.values[j], known.classes[j], known.weights[j], count)

    return list(ordered_map(cut, range(known.columns))), np.array([weights.sum() for weights in known.weights])


def refuse_light_weights(known: ClassValues) -> None:
    """Stop where many cells weigh no more than one row: no column would be cut, whatever it holds."""
    if known.weight <= 1.0 and any(len(values) > 1 for values in known.values):
        raise ValueError(
            f"sample_weight sums to {known.weight:.3g}: for cuts weights count rows, so their sum must exceed 1. Multiply "
            "them, for example so that they sum to the number of rows."
        )


def between(low: Array, high: Array) -> Array:
    """Halfway between two values, and below the higher one: cells up to the cut are on its left."""
    middle = 0.5 * low + 0.5 * high
    return np.where((middle >= low) & (middle < high), middle, low)


@compiled
def find_cuts(x: Array, c: Array, w: Array, logs: Array, tables: Array, room: Array, places: Array, decisions: Array) -> int:
    """The pairs after which the column is cut, and how many they are. `tables` is room for the weights of the classes, and
    `room` for the bits after each cut; `logs` has w·log₂ w of whole weights, or nothing."""
    starts, stops = np.empty(len(x) + 1, np.int64), np.empty(len(x) + 1, np.int64)
    starts[0], stops[0], waiting, made = 0, len(x), 1, 0
    while waiting:
        waiting -= 1
        start, stop = starts[waiting], stops[waiting]
        at, gain, cost = best_cut(x, c, w, logs, start, stop, tables, room)
        if at < 0:
            continue
        if gain > cost:
            places[made] = at
            made += 1
            decisions[0] += gain
            decisions[1] = min(decisions[1], gain - cost)
            starts[waiting], stops[waiting] = at + 1, stop
            starts[waiting + 1], stops[waiting + 1] = start, at + 1
            waiting += 2
        else:
            decisions[2] = max(decisions[2], gain - cost)
    return made


@compiled(inner=True)
def best_cut(
    x: Array, c: Array, w: Array, logs: Array, start: int, stop: int, tables: Array, room: Array
) -> tuple[int, float, float]:
    """The pair after which a part is best cut, −1 if nowhere, with (1) and (2)."""
    total, left, right, best = tables[0], tables[1], tables[2], tables[3]
    total[:], left[:], best[:] = 0.0, 0.0, 0.0
    for i in range(start, stop):
        total[c[i]] += w[i]
    bits = total_bits(total)
    W = np.sum(total)
    least, pure_from, tie = bits, start, TIE * W * np.log2(W + 1.0)
    for i in range(start, stop - 1):
        left[c[i]] += w[i]
        room[i] = np.inf
        if x[i + 1] == x[i]:
            continue
        single = i == pure_from and c[i + 1] == c[i] and (i + 2 == stop or x[i + 2] != x[i + 1])
        pure_from = i + 1
        if single:  # both values have one class, and the same
            continue
        if len(logs) > 0:
            room[i] = looked_up_bits(total, left, logs)
        else:
            for k in range(len(total)):
                right[k] = max(total[k] - left[k], 0.0)
            room[i] = total_bits(left) + total_bits(right)
        least = min(least, room[i])
    if least >= bits - tie:
        return -1, 0.0, 0.0
    at = start
    best[c[at]] += w[at]
    while room[at] > least + tie:
        at += 1
        best[c[at]] += w[at]
    right[:] = 0.0
    for i in range(at + 1, stop):  # exactly what lies there, not a difference
        right[c[i]] += w[i]
    k = np.sum(total > 0)
    cost = np.log2(max(W - 1.0, 1.0)) + LOG_3 * k + np.log2(1.0 - 2.0 * 3.0 ** (-float(k)))
    cost += classes_times_entropy(best) + classes_times_entropy(right) - classes_times_entropy(total)
    return at, bits - total_bits(best) - total_bits(right), cost


@compiled(inner=True)
def total_bits(weights: Array) -> float:
    """W·H: the bits of the labels of a part."""
    W, bits = 0.0, 0.0
    for k in range(len(weights)):
        W += weights[k]
    for k in range(len(weights)):
        if weights[k] > 0.0:
            bits -= weights[k] * np.log2(weights[k] / W)
    return bits


@compiled(inner=True)
def looked_up_bits(total: Array, left: Array, logs: Array) -> float:
    """The same of the two parts of a cut, from whole weights: W₁·log₂ W₁ − Σ w·log₂ w on the left, and so on the right."""
    below, above, bits = int64(0), int64(0), 0.0
    for k in range(len(total)):
        a = int64(left[k])
        b = int64(total[k]) - a
        below += a
        above += b
        bits -= logs[a] + logs[b]
    return bits + (logs[below] + logs[above])


@compiled(inner=True)
def classes_times_entropy(weights: Array) -> float:
    """k·H: the number of classes of a part times their entropy."""
    return np.sum(weights > 0) * total_bits(weights) / np.sum(weights)
