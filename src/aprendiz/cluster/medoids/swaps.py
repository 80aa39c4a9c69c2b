"""What a row is worth as a medoid: gains, and the change of the cost by every swap, from one row of distances each.

With the medoids fixed, let n(x) be the number of the medoid nearest to x, d₁(x) its distance and d₂(x) that of the second
nearest. Removing medoid j alone costs

    L_j = Σ_{n(x)=j} w (d₂ − d₁)                                                                               (1)

and with a candidate c, at distance d(x) from x, in the place of medoid j the cost changes by

    A + L_j + B_j,     A = Σ w min(d − d₁, 0),     B_j = Σ_{n(x)=j} w min(max(d, d₁) − d₂, 0)                  (2)

so one pass over the distances of c gives the changes for all k places. Only rows with d < d₂ count in (2), about two in k of
them: they are listed first, without a branch. As one more medoid, c lowers the cost by

    G(c) = Σ w max(d₁ − d, 0)                                                                                 (3)

A pass of swaps computes (2) for all candidates, side by side, with the medoids as they are. Those that lower the cost are tried
once more, the best first, and swapped at once if they still do; then the most promising sixteenth of all, until none of them
does. The result does not depend on the order of the rows (but for ties) nor on the number of threads, and the last pass, which
finds nothing, is the proof that no swap lowers the cost.

Cost: O(n + k) for (2) of one candidate, O(n) for (3), O(n) for a swap and O(k) more for the rows that had the old medoid.
Reference: Schubert & Rousseeuw, "Fast and eager k-medoids clustering", Information Systems 101, 2021 (there a swap is made as
soon as it is found, in the order of the rows).
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import Any

import numpy as np

from aprendiz.cluster.medoids.dissimilarities import Dissimilarities, Given
from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array
from aprendiz.core.threads import ordered_map

SMALL = 2**25  # entries of a matrix of distances that is computed at once (256 MiB); of larger ones, a few rows at a time
WORK = 2**20  # distances of a matrix that a thread looks at, worth handing over
TOGETHER, OF_A_THREAD = 128, 16  # candidates that are swapped in one go; those whose distances a thread computes
PROMISING = 16  # one in so many candidates is tried again and again within a pass
LEAST = 1e-12  # part of the cost by which a swap must lower it: less is rounding


class Candidates:
    """Rows of distances by number, from a matrix or computed when they are asked for."""

    def __init__(self, distances: Dissimilarities):
        self.distances, self.count = distances, distances.count
        at_once = isinstance(distances, Given) or self.count**2 <= SMALL
        self.matrix = distances.matrix() if at_once else None
        self.block = max(OF_A_THREAD, WORK // self.count) if at_once else OF_A_THREAD

    def table(self, numbers: Array) -> tuple[Array, Array]:
        """An array of distances, and which of its rows belong to the numbers."""
        if self.matrix is not None:
            return self.matrix, numbers
        return self.distances.rows(numbers), np.arange(len(numbers))

    def rows(self, numbers: Array) -> Array:
        """A copy of the distances of some rows."""
        return self.distances.rows(numbers)

    def each(self, kernel: Callable[..., Any], numbers: Array, fixed: tuple[Any, ...], results: tuple[Array, ...]) -> None:
        """kernel(D, rows of D, *fixed, *results) for blocks of candidates, side by side."""

        def work(start: int) -> None:
            here = slice(start, start + self.block)
            kernel(*self.table(numbers[here]), *fixed, *(result[here] for result in results))

        with closing(ordered_map(work, range(0, len(numbers), self.block))) as done:
            for _ in done:
                pass


class Medoids:
    """k of the rows as medoids: the two nearest of every row, and what swaps would change.

    Attributes
    ----------
    numbers : ndarray of shape (k,)
        The rows that are medoids.
    cost : float
        Σ w d₁.
    near, first, second : ndarray of shape (n,)
        n(x), d₁(x), d₂(x).
    """

    def __init__(self, candidates: Candidates, weight: Array, numbers: Array):
        n, k = candidates.count, len(numbers)
        self.candidates, self.weight, self.numbers = candidates, weight, np.array(numbers, np.int64)
        self.rows = candidates.rows(self.numbers)
        self.near, self.runner = np.empty(n, np.int32), np.empty(n, np.int32)
        self.first, self.second, self.loss = np.empty(n), np.empty(n), np.empty(k)
        self.look()

    def look(self) -> None:
        """The two nearest of every row, ties to the lower number."""
        two_nearest(self.rows, self.near, self.runner, self.first, self.second)
        self.cost = float(removal_losses(self.weight, self.near, self.first, self.second, self.loss))

    def changes(self, numbers: Array) -> tuple[Array, Array]:
        """The best place of each candidate and (2) there."""
        places, changes = np.zeros(len(numbers), np.int32), np.empty(len(numbers))
        if len(self.numbers) == 1:
            self.candidates.each(row_costs, numbers, (self.weight,), (changes,))
            return places, changes - self.cost
        fixed = (self.weight, self.near, self.first, self.second, self.loss)
        self.candidates.each(swap_changes, numbers, fixed, (places, changes))
        return places, changes

    def improve(self, numbers: Array) -> float:
        """A pass of swaps; returns the best change that it saw at its beginning, negative if a swap was made."""
        changes = self.changes(numbers)[1]
        ranked = numbers[np.argsort(changes, kind="stable")]
        better = int(np.count_nonzero(changes < -LEAST * self.cost))
        if better and len(self.numbers) == 1:
            self.numbers[0], self.rows[0] = ranked[0], self.candidates.rows(ranked[:1])[0]
        elif better:
            self.swap_all(ranked[:better])
            promising, before = ranked[: -(-len(ranked) // PROMISING)], np.inf
            while self.cost < before:
                before = self.cost
                self.swap_all(promising)
        self.look()
        return float(changes.min())

    def swap_all(self, ranked: Array) -> None:
        """Swap each of some candidates, if that lowers the cost."""
        here = (self.near, self.runner, self.first, self.second, self.loss)
        for start in range(0, len(ranked), TOGETHER):
            some = ranked[start : start + TOGETHER]
            rows = self.candidates.table(some)
            self.cost = float(eager_swaps(*rows, some, self.weight, self.numbers, self.rows, *here, self.cost))


# ---- kernels ---------------------------------------------------------------------------------------------------------


@compiled
def row_costs(D: Array, numbers: Array, w: Array, out: Array) -> None:
    """out[c] = Σ w d, over the distances in row numbers[c] of D."""
    for c in range(len(numbers)):
        row, total = D[numbers[c]], 0.0
        for i in range(len(row)):
            total += w[i] * row[i]
        out[c] = total


@compiled
def row_gains(D: Array, numbers: Array, w: Array, first: Array, out: Array) -> None:
    """out[c] = (3)."""
    for c in range(len(numbers)):
        row, total = D[numbers[c]], 0.0
        for i in range(len(row)):
            total += w[i] * max(first[i] - row[i], 0.0)
        out[c] = total


@compiled(inner=True)
def best_swap(
    row: Array, w: Array, near: Array, first: Array, second: Array, loss: Array, close: Array, delta: Array
) -> tuple[int, float]:
    """The place in which a candidate is worth most, and (2) there. `close` and `delta` are room to work in."""
    count, gained, k = 0, 0.0, len(loss)
    for i in range(len(row)):
        close[count] = i
        count += row[i] < second[i]
    for j in range(k):
        delta[j] = loss[j]
    for a in range(count):
        i = close[a]
        d, d1 = row[i], first[i]
        gained += w[i] * (min(d, d1) - d1)
        delta[near[i]] += w[i] * (max(d, d1) - second[i])
    best = 0
    for j in range(1, k):
        best = j if delta[j] < delta[best] else best
    return best, gained + delta[best]


@compiled
def swap_changes(
    D: Array, numbers: Array, w: Array, near: Array, first: Array, second: Array, loss: Array, places: Array, changes: Array
) -> None:
    """Place and change of the best swap of each candidate."""
    close, delta = np.empty(D.shape[1] + 1, np.int32), np.empty(len(loss))
    for c in range(len(numbers)):
        places[c], changes[c] = best_swap(D[numbers[c]], w, near, first, second, loss, close, delta)


@compiled
def eager_swaps(
    D: Array, places: Array, ranked: Array, w: Array, medoids: Array, rows: Array, near: Array, runner: Array, first: Array,
    second: Array, loss: Array, cost: float,
) -> float:  # fmt: skip
    """Swap each candidate as soon as that lowers the cost, which is returned."""
    close, delta = np.empty(D.shape[1] + 1, np.int32), np.empty(len(loss))
    for c in range(len(ranked)):
        row = D[places[c]]
        j, change = best_swap(row, w, near, first, second, loss, close, delta)
        if change < -LEAST * cost:
            medoids[j] = ranked[c]
            for i in range(len(row)):
                rows[j, i] = row[i]
            after_swap(rows, j, near, runner, first, second)
            cost = removal_losses(w, near, first, second, loss)
    return cost


@compiled
def two_nearest(rows: Array, near: Array, runner: Array, first: Array, second: Array) -> None:
    """The nearest and the second nearest of the medoids whose distances are given, ties to the lower number."""
    for i in range(rows.shape[1]):
        near[i], runner[i], first[i], second[i] = 0, -1, rows[0, i], np.inf
    for j in range(1, len(rows)):
        for i in range(rows.shape[1]):
            d = rows[j, i]
            if d < second[i]:
                if d < first[i]:
                    runner[i], second[i] = near[i], first[i]
                    near[i], first[i] = j, d
                else:
                    runner[i], second[i] = j, d


@compiled(inner=True)
def after_swap(rows: Array, j: int, near: Array, runner: Array, first: Array, second: Array) -> None:
    """The same after medoid j has changed: only rows that had it among their two nearest look at all medoids again."""
    for i in range(rows.shape[1]):
        d = rows[j, i]
        if near[i] == j or runner[i] == j:
            near[i], runner[i], first[i], second[i] = 0, -1, rows[0, i], np.inf
            for l in range(1, len(rows)):
                e = rows[l, i]
                if e < first[i]:
                    near[i], runner[i], first[i], second[i] = l, near[i], e, first[i]
                elif e < second[i]:
                    runner[i], second[i] = l, e
        elif d < first[i]:
            near[i], runner[i], first[i], second[i] = j, near[i], d, first[i]
        elif d < second[i]:
            runner[i], second[i] = j, d


@compiled
def removal_losses(w: Array, near: Array, first: Array, second: Array, loss: Array) -> float:
    """(1), and the cost Σ w d₁, which is returned."""
    cost = 0.0
    loss[:] = 0.0
    for i in range(len(near)):
        cost += w[i] * first[i]
        loss[near[i]] += w[i] * (second[i] - first[i])
    return cost
