"""The logistic loss as statistics that add: value, gradient and curvature over a block of rows.

    two classes     ℓ = ln(1 + e^t) − y·t,       t = θᵀz,    p = σ(t)
    K classes       ℓ = ln Σ_j e^{t_j} − t_y,    t_k = θ_kᵀz,  p = softmax(t)
    gradient        Σ ω (p_k − [y = k]) z                                                                     (1)
    curvature       Σ ω p_k([k = l] − p_l) z zᵀ    between θ_k and θ_l                                        (2)

    lower bound     for any 0 ≤ s ≤ 1, Σ ω·entropy((1 − s)·e_y + s·p) − R*(s·q),  q = Σ ω (e_y − p) x             (3)

with z = (1, x − pivot), so that nothing is accumulated around zero. For two classes one compiled loop computes t, ℓ, (1) and
the rows √(ω p(1 − p))·z, whose product with themselves (BLAS) is (2). Where (2) is not wanted, there is (1) alone, on rows
that are pivoted before, or sparse. Scores and probabilities of a block have a line for each class: lines are long, and sums
over classes run along them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.special import entr, expit, log_expit

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array, Block, read_only
from aprendiz.core.sources.arrays import compress
from aprendiz.core.sums import Sums
from aprendiz.core.threads import scratch
from aprendiz.linear.losses.gradients import Gradients
from aprendiz.summaries.moments import augment


@dataclass(frozen=True)
class Squares(Sums):
    """Σ ω x² of each column, of sparse rows."""

    second: Array

    @classmethod
    def of(cls, block: Block) -> Squares:
        X: Any = block.X
        return cls(np.asarray(X.power(2).T @ block.weights))


@dataclass(frozen=True)
class MarginGradients(Gradients):
    """Gradients, and the smallest margin of a row: positive if every row is on its own side."""

    margin: float

    def __add__(self, other: MarginGradients) -> MarginGradients:
        return MarginGradients(
            self.loss + other.loss,
            self.gradient + other.gradient,
            self.curvature + other.curvature,
            min(self.margin, other.margin),
        )


NOTHING = np.zeros((0, 0))


def two_classes(pivot: Array, theta: Array, block: Block) -> MarginGradients:
    """(1) and (2) for y in {0, 1}."""
    n, d = block.X.shape
    gradient, S = np.zeros(1 + d), scratch(n, 1 + d)
    loss, margin = link(block.X, block.y, block.weights, pivot, theta[0], gradient, S)
    return MarginGradients(loss, gradient[None], S.T @ S, margin)


def many_classes(pivot: Array, theta: Array, block: Block) -> MarginGradients:
    """(1) and (2) for K classes."""
    (K, p), w = theta.shape, block.weights
    Z = augment(pivot, block.X)
    loss, margin, P = softmax_loss(read_only(theta) @ Z.T, block)
    H = np.empty((K, p, K, p))
    for k in range(K):
        for l in range(k + 1):
            H[k, :, l, :] = (Z * (w * P[k] * ((k == l) - P[l]))[:, None]).T @ Z
            H[l, :, k, :] = H[k, :, l, :].T
    return MarginGradients(loss, residuals(P, block) @ Z, H.reshape(K * p, K * p), margin)


def slopes(theta: Array, block: Block) -> MarginGradients:
    """(1) alone, for any number of classes."""
    if len(theta) == 1 and not isinstance(block.X, np.ndarray):
        gradient = np.zeros(theta.shape[1])
        loss, margin = thin_link(*compress(block.X.tocsr()), block.y, block.weights, theta[0], gradient)
        return MarginGradients(loss, gradient[None], NOTHING, margin)
    loss, margin, P = outcome(scores(theta, block), block)
    return MarginGradients(loss, pulled_back(residuals(P, block), block), NOTHING, margin)


def class_slopes(theta: Array, block: Block) -> MarginGradients:
    """(1) of K classes and, of (2), what is between classes: Σ ω p_k([k = l] − p_l)."""
    loss, margin, P = outcome(scores(theta, block), block)
    weighted = P * block.weights
    between = np.diag(weighted.sum(axis=1)) - weighted @ P.T
    return MarginGradients(loss, pulled_back(residuals(P, block), block), between, margin)


def outcome(T: Array, block: Block) -> tuple[float, float, Array]:
    """Σ ω ℓ, the smallest margin, and the probabilities (of two classes, that of the second); T is used up."""
    if len(T) > 1:
        return softmax_loss(T, block)
    t, y = T[0], block.y
    loss = -float(block.weights @ np.where(y == 1, log_expit(t), log_expit(-t)))
    margin = float(np.min(own_margins(T, y)[block.weights > 0], initial=np.inf))
    return loss, margin, expit(T)


def squared_slopes(theta: Array, block: Block) -> MarginGradients:
    """Σ ω (y − σ(t))² of two classes, and its gradient: the squared error through the sigmoid, which is not convex."""
    T = scores(theta, block)
    p, y, w = expit(T[0]), block.y, block.weights
    margin = float(np.min(own_margins(T, y)[w > 0], initial=np.inf))
    R = (2.0 * w * (p - y) * p * (1.0 - p))[None]
    return MarginGradients(float(w @ (p - y) ** 2), pulled_back(R, block), NOTHING, margin)


@dataclass(frozen=True)
class Margins(Sums):
    """How far rows are on their own side: the smallest margin, and the largest distance from any other class."""

    smallest: float
    furthest: float

    @classmethod
    def of(cls, pivot: Array, theta: Array, block: Block) -> Margins:
        T = scores(theta, shift(pivot, block))[:, block.weights > 0]
        y = block.y[block.weights > 0]
        apart = T if len(T) == 1 else T[y, np.arange(len(y))] - T
        furthest = float(np.abs(apart).max(initial=0.0))
        return cls(float(own_margins(T, y).min(initial=np.inf)), furthest)

    def __add__(self, other: Margins) -> Margins:
        return Margins(min(self.smallest, other.smallest), max(self.furthest, other.furthest))


def own_margins(T: Array, y: Array) -> Array:
    """t of the own class less the largest other one; T is used up."""
    if len(T) == 1:
        return np.where(y == 1, T[0], -T[0])
    rows = np.arange(len(y))
    own = T[y, rows]
    T[y, rows] = -np.inf
    return own - T.max(axis=0)


def shift(pivot: Array, block: Block) -> Block:
    """Rows less the pivot; sparse rows have none."""
    return replace(block, X=block.X - pivot) if pivot.any() else block


@dataclass(frozen=True)
class DualParts(Gradients):
    """Gradients, and Σ ω times the entropy of (1 − s)·e_y + s·p: what a lower bound of the minimum is made of (3)."""

    entropy: float

    @classmethod
    def of(cls, pivot: Array, theta: Array, s: float, block: Block) -> DualParts:
        block = shift(pivot, block)
        loss, _margin, P = outcome(scores(theta, block), block)
        Q = s * P
        if len(P) == 1:
            Q[0] += (1.0 - s) * block.y
            each = entr(Q[0]) + entr(1.0 - Q[0])
        else:
            Q[block.y, np.arange(len(block))] += 1.0 - s
            each = entr(Q).sum(axis=0)
        return cls(loss, pulled_back(residuals(P, block), block), NOTHING, float(block.weights @ each))


def scores(theta: Array, block: Block) -> Array:
    """t of each class and row."""
    if len(theta) == 1:
        return (block.X @ theta[0, 1:] + theta[0, 0])[None]
    T = (
        read_only(theta[:, 1:]) @ block.X.T
        if isinstance(block.X, np.ndarray)
        else np.ascontiguousarray((block.X @ theta[:, 1:].T).T)
    )
    T += theta[:, :1]
    return T


def pulled_back(R: Array, block: Block) -> Array:
    """Σ r z of each class."""
    if len(R) == 1:
        return np.append(R.sum(), block.X.T @ R[0])[None]
    return np.column_stack([R.sum(axis=1), R @ block.X if isinstance(block.X, np.ndarray) else (block.X.T @ R.T).T])


def softmax_loss(T: Array, block: Block) -> tuple[float, float, Array]:
    """Σ ω ℓ, the smallest margin, and the probabilities; T is used up."""
    w, rows = block.weights, np.arange(len(block))
    T -= T.max(axis=0)
    P = np.exp(T)
    total = P.sum(axis=0)
    loss = float(w @ (np.log(total) - T[block.y, rows]))
    margin = float(np.min(own_margins(T, block.y)[w > 0], initial=np.inf))
    P /= total
    return loss, margin, P


def residuals(P: Array, block: Block) -> Array:
    """ω (p_k − [y = k]); of two classes, of the second."""
    R = P * block.weights
    if len(P) == 1:
        R[0] -= block.weights * block.y
    else:
        R[block.y, np.arange(len(block))] -= block.weights
    return R


@compiled
def link(X: Array, y: Array, weight: Array, pivot: Array, theta: Array, gradient: Array, S: Array) -> tuple[float, float]:
    """Σ ω ℓ and the smallest margin; adds (p − y)·z to the gradient and writes the rows √(ω p(1 − p))·z to S."""
    n, d = X.shape
    loss, margin = 0.0, np.inf
    for i in range(n):
        t = theta[0]
        for j in range(d):
            t += theta[1 + j] * (X[i, j] - pivot[j])
        e = np.exp(-abs(t))  # never overflows
        p = 1.0 / (1.0 + e) if t >= 0.0 else e / (1.0 + e)
        loss += weight[i] * (np.log1p(e) + max(t, 0.0) - y[i] * t)
        if weight[i] > 0.0:
            margin = min(margin, t if y[i] == 1 else -t)
        r = weight[i] * (p - y[i])
        gradient[0] += r
        for j in range(d):
            gradient[1 + j] += r * (X[i, j] - pivot[j])
        s = np.sqrt(weight[i] * e) / (1.0 + e)
        S[i, 0] = s
        for j in range(d):
            S[i, 1 + j] = s * (X[i, j] - pivot[j])
    return loss, margin


@compiled(exact=True)  # licences would gather the coefficients into vectors, which is slower
def thin_link(
    cells: Array, columns: Array, starts: Array, y: Array, weight: Array, theta: Array, gradient: Array
) -> tuple[float, float]:
    """The same for rows in compressed form, without S: each row is read once, for t and for its part of the gradient."""
    loss, margin = 0.0, np.inf
    for i in range(len(starts) - 1):
        t = theta[0]
        for k in range(starts[i], starts[i + 1]):
            t += theta[1 + columns[k]] * cells[k]
        e = np.exp(-abs(t))
        p = 1.0 / (1.0 + e) if t >= 0.0 else e / (1.0 + e)
        loss += weight[i] * (np.log1p(e) + max(t, 0.0) - y[i] * t)
        if weight[i] > 0.0:
            margin = min(margin, t if y[i] == 1 else -t)
        r = weight[i] * (p - y[i])
        gradient[0] += r
        for k in range(starts[i], starts[i + 1]):
            gradient[1 + columns[k]] += r * cells[k]
    return loss, margin
