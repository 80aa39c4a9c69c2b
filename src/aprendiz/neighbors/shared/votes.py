"""What neighbours say together: a vote among classes, or a mean of numbers.

    votes of class c:   v_c(x) = Σ_{i ∈ N(x)} ω_i·[y_i = c]          P(c | x) = v_c / Σ_c v_c                 (1)
    mean:               ŷ(x) = Σ_{i ∈ N(x)} ω_i·y_i / Σ_{i ∈ N(x)} ω_i                                         (2)
    weights:            ω_i = 1, or 1/d(x, x_i), or a function of the distances                               (3)

Rows that coincide with x have the weight 1/0: then they alone speak, each with weight 1; so do those to which a function gives
an infinite weight. Classes with the same largest number
of votes are a tie: the class that comes first wins, or one of them drawn at random, a function of the seed and the row number.

Neighbours come as `Near`: those of row i stand at starts[i] … starts[i + 1], nearest first.

Cost: O(1) for each neighbour and target.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.random import uniforms
from aprendiz.core.rows import Array
from aprendiz.core.several_targets import codes_of

Weights = Literal["uniform", "distance"] | Callable[..., Any] | None
Ties = Literal["lowest", "random"]


@dataclass(frozen=True)
class Near:
    """Neighbours of some rows, one row after the other; `width` is their number where it is the same for all."""

    starts: Array
    distances: Array
    indices: Array
    width: int | None = None

    @classmethod
    def of(cls, distances: Array, indices: Array) -> Near:
        """k neighbours of each row."""
        m, k = indices.shape
        return cls(np.arange(0, m * k + 1, k), distances.ravel(), indices.ravel(), k)

    def __len__(self) -> int:
        return len(self.starts) - 1

    def rows(self) -> Iterator[slice]:
        """Where the neighbours of each row stand."""
        return (slice(a, b) for a, b in zip(self.starts[:-1], self.starts[1:], strict=True))

    def weights(self, kind: Weights) -> Array | None:
        """ω of (3), None where all are 1."""
        if kind is None or kind == "uniform":
            return None
        if callable(kind):
            return self.check_weights(self.call_weights(kind))
        found = np.empty(len(self.distances))
        inverse_distances(self.starts, self.distances, found)
        return found

    def call_weights(self, function: Callable[..., Any]) -> Array:
        """What a function says of the distances: of the table of them, or row by row where their numbers differ."""
        if self.width is None:
            parts = [refuse_shape(function(d), d) for d in (self.distances[row] for row in self.rows())]
            return np.concatenate(parts) if parts else np.empty(0)
        table = self.distances.reshape(len(self), self.width)
        return refuse_shape(function(table.copy()), table).ravel()

    def check_weights(self, weights: Array) -> Array:
        """Weights that are numbers of at least 0, not all 0 for a row that has neighbours."""
        if np.isinf(weights).any():
            weights = self.infinite_alone(weights)
        bad = ~(weights >= 0)
        if bad.any():
            at = int(np.argmax(bad))
            row = int(np.searchsorted(self.starts, at, side="right")) - 1
            raise ValueError(
                f"weights gave {weights[at]:g} for the distance {self.distances[at]:g} in row {row}: "
                "the function must give numbers of at least 0."
            )
        total = np.add.reduceat(np.append(weights, 0.0), np.minimum(self.starts[:-1], len(weights)))
        silent = (total == 0) & (np.diff(self.starts) > 0)
        if silent.any():
            raise ValueError(
                f"All neighbors of some sample is getting zero weights, first in row {int(np.argmax(silent))}: "
                "the function must give at least one neighbour of each row a weight above 0."
            )
        return weights

    def infinite_alone(self, weights: Array) -> Array:
        """In rows with an infinite weight, 1 for these and 0 for the others."""
        row = np.repeat(np.arange(len(self)), np.diff(self.starts))
        endless = np.isposinf(weights)
        among = np.bincount(row[endless], minlength=len(self)) > 0
        return np.where(among[row], endless.astype(np.float64), weights)


def refuse_shape(weights: Any, distances: Array) -> Array:
    """Weights that a function gave, one for each distance."""
    found = np.asarray(weights, dtype=np.float64)
    if found.shape != distances.shape:
        raise ValueError(
            f"weights gave an array of shape {found.shape} for distances of shape {distances.shape}: "
            "the function must give a weight for each distance."
        )
    return found


def class_votes(near: Near, weights: Weights, codes: Array, classes: int) -> Array:
    """v of (1), rows × classes."""
    votes, omega = np.zeros((len(near), classes)), near.weights(weights)
    if omega is None:
        count_votes(near.starts, near.indices, codes, votes)
    else:
        weigh_votes(near.starts, near.indices, omega, codes, votes)
    return votes


def codes_kept(target: Array | None, labels: Any) -> Array | None:
    """The number of the class of each row; of several targets, of each of them, from their indicators."""
    return np.ascontiguousarray(codes_of(target, labels)) if isinstance(labels, list) and target is not None else target


def votes_of_targets(near: Near, weights: Weights, codes: Array, labels: Any) -> Array:
    """v of (1), rows × classes; of several targets, those of each side by side."""
    if not isinstance(labels, list):
        return class_votes(near, weights, codes, len(labels))
    columns = zip(np.ascontiguousarray(codes.T), labels, strict=True)
    return np.hstack([class_votes(near, weights, column, len(one)) for column, one in columns])


def shares(votes: Array) -> Array:
    """P of (1); zeros where nobody votes."""
    total = votes.sum(axis=1, keepdims=True)
    return np.divide(votes, total, out=np.zeros_like(votes), where=total > 0)


def target_means(near: Near, weights: Weights, targets: Array) -> Array:
    """(2), rows × targets; NaN where there are no neighbours."""
    means, omega = np.empty((len(near), targets.shape[1])), near.weights(weights)
    if omega is None:
        mean_targets(near.starts, near.indices, targets, means)
    else:
        weigh_targets(near.starts, near.indices, omega, targets, means)
    return means


def winners(votes: Array, ties: Ties, seed: int, numbers: Array) -> Array:
    """The class with the most votes in each row."""
    if ties == "lowest":
        return votes.argmax(axis=1)
    tied = votes == votes.max(axis=1, keepdims=True)
    drawn = (uniforms(seed, 0, numbers) * tied.sum(axis=1)).astype(np.int64)
    return (tied.cumsum(axis=1) > drawn[:, None]).argmax(axis=1)


# ---- kernels -----------------------------------------------------------------------------------------------------------


@compiled
def inverse_distances(starts: Array, distances: Array, weights: Array) -> None:
    """1/d; where some 1/d is infinite, 1 for these and 0 for the others."""
    for i in range(len(starts) - 1):
        coincide = False
        for at in range(starts[i], starts[i + 1]):
            weights[at] = 1.0 / distances[at]
            coincide |= weights[at] == np.inf
        if coincide:
            for at in range(starts[i], starts[i + 1]):
                weights[at] = 1.0 if weights[at] == np.inf else 0.0


@compiled
def count_votes(starts: Array, indices: Array, codes: Array, votes: Array) -> None:
    """(1) with ω = 1."""
    for i in range(len(starts) - 1):
        for at in range(starts[i], starts[i + 1]):
            votes[i, codes[indices[at]]] += 1.0


@compiled(exact=True)
def weigh_votes(starts: Array, indices: Array, weights: Array, codes: Array, votes: Array) -> None:
    """(1)."""
    for i in range(len(starts) - 1):
        for at in range(starts[i], starts[i + 1]):
            votes[i, codes[indices[at]]] += weights[at]


@compiled(exact=True)
def mean_targets(starts: Array, indices: Array, targets: Array, means: Array) -> None:
    """(2) with ω = 1."""
    for i in range(len(starts) - 1):
        means[i] = 0.0
        for at in range(starts[i], starts[i + 1]):
            for t in range(targets.shape[1]):
                means[i, t] += targets[indices[at], t]
        for t in range(targets.shape[1]):
            means[i, t] /= starts[i + 1] - starts[i]


@compiled(exact=True)
def weigh_targets(starts: Array, indices: Array, weights: Array, targets: Array, means: Array) -> None:
    """(2)."""
    for i in range(len(starts) - 1):
        means[i], total = 0.0, 0.0
        for at in range(starts[i], starts[i + 1]):
            total += weights[at]
            for t in range(targets.shape[1]):
                means[i, t] += weights[at] * targets[indices[at], t]
        for t in range(targets.shape[1]):
            means[i, t] /= total
