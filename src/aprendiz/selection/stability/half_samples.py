"""Halves of the rows, in complementary pairs, and the columns that each of them selects.

    A_b, Ā_b disjoint, |A_b| = |Ā_b| = ⌊n/2⌋,     b = 1 … B                                                   (1)

Of classes every half gets its share. With own paths (importances/penalty_paths.py), a half selects the first q to enter;
of another learner, the q of largest importance. A half is a function of the seed and its number.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from aprendiz.core.random import uniforms
from aprendiz.core.rows import Array
from aprendiz.core.threads import ordered_map
from aprendiz.selection.importances.penalty_paths import Entries, entries


def pair_of_halves(count: int, seed: int, number: int, codes: Array | None = None) -> tuple[Array, Array]:
    """A pair of (1), the rows of each in their order."""
    order = np.argsort(uniforms(seed, number, count), kind="stable")
    if codes is not None:
        order = order[np.argsort(codes[order], kind="stable")]  # class by class: turn about
        return np.sort(order[0::2][: count // 2]), np.sort(order[1::2][: count // 2])
    half = count // 2
    return np.sort(order[:half]), np.sort(order[half : 2 * half])


@dataclass(frozen=True)
class Selections:
    """The step of the path at which each half selects each column, as many as there are penalties if it does not (halves ×
    columns)."""

    steps: Array
    penalties: Array

    @property
    def shares(self) -> Array:
        """How often each column was selected up to each penalty (columns × penalties)."""
        m = len(self.penalties)
        found = np.zeros((self.steps.shape[1], m + 1))
        for column, steps in zip(found, self.steps.T, strict=True):
            column += np.bincount(steps, minlength=m + 1)
        return np.cumsum(found[:, :m], axis=1) / len(self.steps)


def selections(
    Z: Array, y: Array, labels: Array | None, penalties: Array, q: int, pairs: int, seed: int, weight: Array | None = None
) -> Selections:
    """Those of the paths of all halves."""
    codes = None if labels is None else y

    def of_pair(number: int) -> list[Array]:
        halves = pair_of_halves(len(y), seed, number, codes)
        return [steps_of(entries_of(Z[half], y[half], labels, penalties, q, part_of(weight, half)), q) for half in halves]

    found = [steps for pair in ordered_map(of_pair, range(pairs)) for steps in pair]
    return Selections(np.array(found), penalties)


def part_of(weight: Array | None, half: Array) -> Array | None:
    """The weights of a half, if there are weights."""
    return None if weight is None else weight[half]


def entries_of(Z: Array, y: Array, labels: Array | None, penalties: Array, q: int, weight: Array | None = None) -> Entries:
    """The entries into the path of a half, of the classes that it has."""
    if labels is None:
        return entries(Z, y, None, penalties, q, weight)
    there, codes = np.unique(y, return_inverse=True)
    if len(there) < 2:
        return Entries(np.zeros(Z.shape[1]), np.full(Z.shape[1], len(penalties)), penalties)
    return entries(Z, codes, labels[there], penalties, q, weight)


def steps_of(found: Entries, q: int) -> Array:
    """The steps of the first q columns that entered; the others have none."""
    m = len(found.penalties)
    steps = np.full(len(found.step), m)
    first = found.order[:q]
    steps[first] = found.step[first]
    return steps


def selections_by(importances: Callable[[Array], Array], rows: int, codes: Any, q: int, pairs: int, seed: int) -> Selections:
    """The columns of largest importance in each half, those above 0; all at one step."""
    found = []
    for number in range(pairs):
        for half in pair_of_halves(rows, seed, number, codes):
            size = importances(half)
            first = np.argsort(-size, kind="stable")[:q]
            steps = np.ones(len(size), np.intp)
            steps[first[size[first] > 0]] = 0
            found.append(steps)
    return Selections(np.array(found), np.ones(1))
