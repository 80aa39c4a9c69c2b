"""Centres of the clusters of a partition in feature space, known through their members alone.

With the shares a_i = w_i / Σ_{j in the cluster of i} w_j,

    μ_k = Σ_{i∈k} a_i·φ(x_i),     s_k(x) = Σ_{i∈k} a_i·K(x, x_i) = φ(x)ᵀμ_k,     q_k = Σ_{i∈k} a_i·s_k(x_i) = ‖μ_k‖²   (1)
    ‖φ(x) − μ_k‖² = K(x, x) − 2·s_k(x) + q_k                                                                   (2)
    Σ w ‖φ(x) − μ‖² = Σ w K(x, x) − Σ_kl n_k·n_l·μ_kᵀμ_l / Σ n,     μ_kᵀμ_l = Σ_{i∈k} a_i·s_l(x_i)                  (3)

s of all rows is one pass over the Gram matrix (cluster_sums.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.core.stored import Check, has_shape
from aprendiz.kernel.partition.kernel_rows import KernelRows

ROUNDING = 64 * float(np.finfo(float).eps)  # of K(x, x) + q: distances that differ by less are equal


def shares_of(labels: Array, weights: Array, k: int) -> tuple[Array, Array]:
    """a_i of (1), and the weights of the clusters."""
    total = np.bincount(labels, weights, minlength=k)
    return np.divide(weights, total[labels], out=np.zeros(len(weights)), where=weights > 0), total


@dataclass(frozen=True)
class Assignment:
    """The distances (2) of all rows to the centres of a partition, squared, and what they say."""

    squares: Array  # of shape (n, k); infinite for clusters without weight
    centre_squares: Array  # q
    labels: Array  # of the partition
    weights: Array
    slack: Array  # of each row: what rounding may do to its distances
    sums: Array  # s, of shape (n, k)

    @classmethod
    def of(cls, rows: KernelRows, labels: Array, k: int) -> Self:
        shares, total = shares_of(labels, rows.weights, k)
        s = rows.sums(labels, shares, k)
        own = s[np.arange(len(labels)), labels]
        q = np.bincount(labels, shares * own, minlength=k)
        squares = np.maximum(rows.diagonal[:, None] - 2.0 * s + q, 0.0)
        squares[:, total == 0] = np.inf
        slack = ROUNDING * (np.abs(rows.diagonal) + float(np.abs(q).max()))
        return cls(squares, q, labels, rows.weights, slack, s)

    def nearest(self) -> Array:
        """The nearest centre of each row."""
        return self.squares.argmin(axis=1).astype(np.int32)

    def moved(self) -> Array:
        """The nearest centre, but a row stays where no other one is nearer beyond rounding. A cluster without weight takes the
        row that is farthest from its own centre."""
        n, each = len(self.labels), np.arange(len(self.labels))
        best = self.nearest()
        stay = ~(self.squares[each, best] < self.squares[each, self.labels] - self.slack)
        found = np.where(stay, self.labels, best).astype(np.int32)
        empty = np.flatnonzero(np.bincount(found, self.weights, minlength=self.squares.shape[1]) == 0)
        if len(empty):
            away = np.where(self.weights > 0, self.squares[each, found] - self.slack, -np.inf)
            far = np.argsort(-away, kind="stable")[: min(len(empty), n)]
            far = far[away[far] > 0]
            found[far] = empty[: len(far)]
        return found

    def cost(self, labels: Array) -> float:
        """Σ w ‖φ(x) − μ‖² of rows that have these labels."""
        own = self.squares[np.arange(len(labels)), labels]
        return float(self.weights @ np.where(np.isfinite(own), own, 0.0))

    def scatter(self, rows: KernelRows) -> float:
        """Σ w ‖φ(x) − μ‖² around the mean of all rows: (3), where n_k·a_i = w_i."""
        total = np.bincount(self.labels, self.weights, minlength=self.sums.shape[1])
        return float(self.weights @ rows.diagonal - self.weights @ (self.sums @ total) / total.sum())


def members_agree(held: Mapping[str, Any]) -> bool:
    """A label, a share and a row for each training row."""
    labels, X = held.get("partition_"), held.get("X_fit_")
    if not isinstance(labels, np.ndarray) or labels.dtype.kind != "i" or labels.ndim != 1:
        return labels is None
    n = len(labels) if X is None else getattr(X, "shape", (-1,))[0]
    return n == len(labels) and has_shape(held, "shares_", n) and has_shape(held, "center_squares_", None)


MEMBERS = Check(members_agree, "partition_, shares_ and X_fit_ do not go together; fit it again")
