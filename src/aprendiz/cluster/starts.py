"""Starts for k-means: k rows at random, or k-means++.

k-means++: the first centre is a row at random; each next one is a row x drawn with probability proportional to w·D(x)²,

    D(x) = distance of x to the nearest centre so far.                                                        (1)

The expected cost is then within 8(ln k + 2) of the best possible. As in scikit-learn, 2 + ln k rows are drawn each time and
the one that lowers Σ w D² most is kept.

An exact shortcut: a candidate farther than 2D from the centre of x cannot come nearer to x than D (triangle inequality).

Cost: O(n·k·d·ln k) without the shortcut; memory 12 bytes a row.
Reference: Arthur & Vassilvitskii, "k-means++: the advantages of careful seeding", SODA 2007.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from aprendiz.core.compiled import compiled
from aprendiz.core.random import uniforms
from aprendiz.core.rows import Array, ArrayRows, Block
from aprendiz.core.sums import Sums


def random_rows(rows: ArrayRows, k: int, seed: int, start: int) -> Array:
    """k different rows, each as likely as its weight (the first of those that count once more, if there are too few)."""
    assert rows.count is not None
    race = -np.log1p(-uniforms(seed, 2 * start + 1, rows.count))
    if rows.weight is not None:
        race = np.divide(race, rows.weight, out=np.full(rows.count, np.inf), where=rows.weight > 0)
    chosen = np.argsort(race, kind="stable")[:k]
    return picked(rows, np.where(np.isfinite(race[chosen]), chosen, chosen[0]))


def plus_plus(rows: ArrayRows, k: int, seed: int, start: int) -> Array:
    """D² and the nearest centre are kept for each row, Σ w D² for each block."""
    assert rows.count is not None
    trials, n, size = 2 + int(np.log(k)), rows.count, rows.size
    u = uniforms(seed, 2 * start + 2, 1 + k * trials)
    near = Nearness(size, np.full(n, np.inf), np.zeros(n, np.int32), np.zeros(-(-n // size)), rows.weight)
    centers = np.empty((k, rows.columns))
    centers[0] = picked(rows, draw(np.ones(n) if rows.weight is None else rows.weight, u[:1]))[0]
    rows.sum(come_nearer, centers[0], np.zeros(1), 0, near)
    for j in range(1, k):
        drawn = picked(rows, near.draw(u[1 + j * trials :][:trials]))
        gaps = ((drawn[:, None, :] - centers[:j]) ** 2).sum(axis=2)
        best = int(np.argmin(rows.sum(trial_costs, drawn, gaps.min(axis=0), near).cost))
        rows.sum(come_nearer, drawn[best], gaps[best], j, near)
        centers[j] = drawn[best]
    return centers


@dataclass(frozen=True)
class Nearness:
    """Of each row, D² and the number of its nearest centre; of each block of `size` rows, Σ w D²."""

    size: int
    squares: Array
    number: Array
    mass: Array
    weight: Array | None

    def draw(self, u: Array) -> Array:
        """Row numbers drawn with chances w·D²: first the block, then the row within it."""
        running = np.cumsum(self.mass)
        if running[-1] == 0:  # every row that counts is a centre already
            return np.full(len(u), 0 if self.weight is None else int(np.argmax(self.weight > 0)))
        goals = u * running[-1]
        blocks = np.minimum(np.searchsorted(running, goals, side="right"), len(running) - 1)
        rows = []
        for goal, b in zip(goals, blocks, strict=True):
            here = slice(b * self.size, (b + 1) * self.size)
            chances = self.squares[here] if self.weight is None else self.squares[here] * self.weight[here]
            within = np.cumsum(chances)
            before = running[b - 1] if b else 0.0
            rows.append(b * self.size + min(int(np.searchsorted(within, goal - before, side="right")), len(within) - 1))
        return np.array(rows)


def draw(chances: Array, u: Array) -> Array:
    """Row numbers drawn with the given chances."""
    running = np.cumsum(chances)
    return np.minimum(np.searchsorted(running, u * running[-1], side="right"), len(chances) - 1)


def picked(rows: ArrayRows, numbers: Array) -> Array:
    chosen = rows.X[numbers] if rows.dense else rows.X[numbers].toarray()
    return np.array(chosen, dtype=np.float64)


@dataclass(frozen=True)
class TrialCosts(Sums):
    """J with each candidate as one more centre."""

    cost: Array


def trial_costs(drawn: Array, least_gap: Array, near: Nearness, block: Block) -> TrialCosts:
    here = slice(block.start, block.start + len(block))
    costs = np.zeros(len(drawn))
    weigh_trials(block.X, block.weights, drawn, least_gap, near.squares[here], near.number[here], costs)
    return TrialCosts(costs)


def come_nearer(center: Array, gaps: Array, number: int, near: Nearness, block: Block) -> TrialCosts:
    """One more centre: D² and the nearest centre of the rows that it wins."""
    here = slice(block.start, block.start + len(block))
    squares = near.squares[here]
    win_rows(block.X, center, gaps, number, squares, near.number[here])
    near.mass[block.start // near.size] = squares.sum() if block.weight is None else squares @ block.weight
    return TrialCosts(np.zeros(1))


# ---- kernels ---------------------------------------------------------------------------------------------------------


@compiled
def weigh_trials(X, w, drawn, least_gap, squares, near, costs):  # type: ignore[no-untyped-def]
    """costs[l] += Σ w min(D², ‖x − drawn_l‖²); no distance is computed where no candidate can come nearer."""
    unchanged = 0.0
    for i in range(len(X)):
        if least_gap[near[i]] >= 4.0 * squares[i]:
            unchanged += w[i] * squares[i]
            continue
        for l in range(len(drawn)):
            total = 0.0
            for t in range(X.shape[1]):
                u = X[i, t] - drawn[l, t]
                total += u * u
            costs[l] += w[i] * min(squares[i], total)
    for l in range(len(drawn)):
        costs[l] += unchanged


@compiled
def win_rows(X, center, gaps, number, squares, near):  # type: ignore[no-untyped-def]
    """D² and the nearest centre of each row after one more centre."""
    for i in range(len(X)):
        if gaps[near[i]] < 4.0 * squares[i]:
            total = 0.0
            for t in range(X.shape[1]):
                u = X[i, t] - center[t]
                total += u * u
            if total < squares[i]:
                squares[i] = total
                near[i] = number
