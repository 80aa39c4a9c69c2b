"""Starts for k-means: k rows at random, k points of the box around the rows, k-means++, or k-means||.

k-means++: the first centre is a row at random; each next one is a row x drawn with probability proportional to w·D(x)²,

    D(x) = distance of x to the nearest centre so far.                                                        (1)

The expected cost is then within 8(ln k + 2) of the best possible. As in scikit-learn, 2 + ln k rows are drawn each time and
the one that lowers Σ w D² most is kept. An exact shortcut: a candidate farther than 2D from the centre of x cannot come nearer
to x than D (triangle inequality).

k-means||: five times, 2k rows are drawn at once, each proportional to w·D(x)², which needs one pass over the rows: those with
the smallest

    −ln(1 − u) / w·D(x)²,     u uniform, a function of the row's number                                       (2)

are such a sample without repetition. Every one of the 10k + 1 candidates weighs as much as the rows nearest to it, and
k-means++ chooses among them. For rows of files, and for many clusters.

Cost: O(n·k·d·ln k) for k-means++ without the shortcut, O(n·k·d) for the matrix products of k-means||; memory 12 bytes a row.
References: Arthur & Vassilvitskii, "k-means++: the advantages of careful seeding", SODA 2007; Bahmani et al., "Scalable
k-means++", VLDB 2012; Efraimidis & Spirakis, "Weighted random sampling with a reservoir", 2006, for (2).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from aprendiz.cluster.centroids.centre_search import CentreSearch
from aprendiz.cluster.centroids.exact_sums import in_large_blocks, weights_of
from aprendiz.compilation.compiled import compiled
from aprendiz.core.random import uniforms
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sources.arrays import ArrayRows, in_memory
from aprendiz.core.sums import Extremes, Sums

ROUNDS = 5  # of k-means||


def random_rows(rows: ArrayRows, k: int, seed: int, start: int) -> Array:
    """k different rows, each as likely as its weight (the first of those that count once more, if there are too few)."""
    assert rows.count is not None
    race = -np.log1p(-uniforms(seed, 2 * start + 1, rows.count))
    if rows.weight is not None:
        race = np.divide(race, rows.weight, out=np.full(rows.count, np.inf), where=rows.weight > 0)
    chosen = np.argsort(race, kind="stable")[:k]
    return pick(rows, np.where(np.isfinite(race[chosen]), chosen, chosen[0]))


def points_of_the_box(rows: Rows, k: int, seed: int, start: int) -> Array:
    """k points, uniform between the least and the largest value of each column."""
    box = rows.sum(Extremes.of)
    u = uniforms(seed, 2 * start + 1, k * rows.columns).reshape(k, rows.columns)
    return np.asarray(box.low + u * (box.high - box.low))


def plus_plus(table: ArrayRows, k: int, seed: int, start: int) -> Array:
    """D² and the nearest centre are kept for each row, Σ w D² for each block."""
    rows = in_large_blocks(table, k)
    assert in_memory(rows)
    assert rows.count is not None
    trials, n, size = 2 + int(np.log(k)), rows.count, rows.size
    u = uniforms(seed, 2 * start + 2, 1 + k * trials)
    near = Nearness(size, np.full(n, np.inf), np.zeros(n, np.int32), np.zeros(-(-n // size)), rows.weight)
    centers = np.empty((k, rows.columns))
    centers[0] = pick(rows, draw(np.ones(n) if rows.weight is None else rows.weight, u[:1]))[0]
    rows.sum(come_nearer, centers[0], np.zeros(1), 0, near)
    for j in range(1, k):
        drawn = pick(rows, near.draw(u[1 + j * trials :][:trials]))
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


def pick(rows: ArrayRows, numbers: Array) -> Array:
    chosen = rows.X[numbers] if rows.dense else rows.X[numbers].toarray()
    return np.array(chosen, dtype=np.float64)


# ---- k-means|| -------------------------------------------------------------------------------------------------------


def scalable(rows: Rows, k: int, seed: int, start: int) -> Array:
    """k-means||, in ROUNDS + 2 passes."""
    candidates = np.empty((0, rows.columns))
    squares = np.full(rows.count, np.inf) if in_memory(rows) and rows.count else None
    new = candidates
    for turn in range(ROUNDS + 1):
        wanted = 2 * k if turn else 1
        known = candidates if squares is None else new
        search = CentreSearch.of(known) if len(known) else None
        new = rows.sum(race, search, squares, wanted, seed, (start + 1) * 2**16 + turn).points
        candidates = np.concatenate([candidates, new])
        if not len(new):  # every row is a candidate already
            break
    weight = rows.sum(followers, CentreSearch.of(candidates)).weight
    return plus_plus(ArrayRows(candidates, weight=weight), k, seed, start)


@dataclass(frozen=True)
class Race(Sums):
    """The rows with the smallest numbers (2), in their order."""

    wanted: int
    times: Array
    points: Array

    def __add__(self, other: Self) -> Self:
        times, points = np.concatenate([self.times, other.times]), np.concatenate([self.points, other.points])
        first = np.argsort(times, kind="stable")[: self.wanted]
        return type(self)(self.wanted, times[first], points[first])


def race(search: CentreSearch | None, squares: Array | None, wanted: int, seed: int, stream: int, block: Block) -> Race:
    """(2) of the rows of a block; without centres D is 1 for all. D² of rows in memory is kept, only new centres are given."""
    distance = np.ones(len(block)) if search is None else search.nearest(block.X)[1]
    if squares is not None and search is not None:
        here = squares[block.start : block.start + len(block)]
        distance = np.minimum(here, distance, out=here)
    chances = distance * block.weights
    times = np.full(len(block), np.inf)
    np.divide(-np.log1p(-uniforms(seed, stream, block.numbers)), chances, out=times, where=chances > 0)
    first = np.argsort(times, kind="stable")[:wanted]
    first = first[np.isfinite(times[first])]
    return Race(wanted, times[first], block.X[first].astype(np.float64))


@dataclass(frozen=True)
class Followers(Sums):
    """Σ w of the rows nearest to each candidate."""

    weight: Array


def followers(search: CentreSearch, block: Block) -> Followers:
    labels = search.nearest(block.X)[0]
    return Followers(np.bincount(labels, block.weights, len(search.centers)))


# ---- k-means++, block by block ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TrialCosts(Sums):
    """J with each candidate as one more centre."""

    cost: Array


def trial_costs(drawn: Array, least_gap: Array, near: Nearness, block: Block) -> TrialCosts:
    here = slice(block.start, block.start + len(block))
    costs = np.zeros(len(drawn))
    weigh_trials(block.X, weights_of(block), drawn, least_gap, near.squares[here], near.number[here], costs)
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
def weigh_trials(X: Array, w: Array, drawn: Array, least_gap: Array, squares: Array, near: Array, costs: Array) -> None:
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
def win_rows(X: Array, center: Array, gaps: Array, number: int, squares: Array, near: Array) -> None:
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
