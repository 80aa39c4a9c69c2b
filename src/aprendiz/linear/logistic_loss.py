"""The logistic loss as statistics that add: value, gradient and curvature over a block of rows.

    two classes     ℓ = ln(1 + e^t) − y·t,       t = θᵀz,    p = σ(t)
    K classes       ℓ = ln Σ_j e^{t_j} − t_y,    t_k = θ_kᵀz,  p = softmax(t)
    gradient        Σ ω (p_k − [y = k]) z                                                                     (1)
    curvature       Σ ω p_k([k = l] − p_l) z zᵀ    between θ_k and θ_l                                        (2)

with z = (1, x − pivot), so that nothing is accumulated around zero. For two classes one compiled loop computes t, ℓ, (1) and
the rows √(ω p(1 − p))·z, whose product with themselves (BLAS) is (2).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import expit, log_softmax, softmax

from aprendiz.core.compiled import compiled
from aprendiz.core.engines.threads import scratch
from aprendiz.core.rows import Array, Block
from aprendiz.core.sums import Gradients, Sums, augmented


@dataclass(frozen=True)
class Totals(Sums):
    """Weight of each class."""

    weight: Array

    @classmethod
    def of(cls, classes: int, block: Block) -> Totals:
        return cls(np.bincount(block.y, block.weight, classes).astype(np.float64))


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


NONE = np.zeros((0, 0))


def two_classes(pivot: Array, theta: Array, curved: bool, block: Block) -> MarginGradients:
    """(1) and (2) for y in {0, 1}."""
    n, d = block.X.shape
    gradient = np.zeros(1 + d)
    S = scratch(n, 1 + d) if curved else NONE
    loss, margin = link(block.X, block.y, block.weights, pivot, theta, gradient, S)
    return MarginGradients(loss, gradient, S.T @ S if curved else NONE, margin)


def many_classes(pivot: Array, theta: Array, curved: bool, block: Block) -> MarginGradients:
    """(1) and (2) for K classes."""
    K, p = theta.shape
    Z, w, y = augmented(pivot, block.X), block.weights, block.y
    T = Z @ theta.T
    own = T[np.arange(len(y)), y]
    P = log_softmax(T, axis=1)
    loss = -float(w @ P[np.arange(len(y)), y])
    np.exp(P, out=P)
    T[np.arange(len(y)), y] = -np.inf
    margin = float(np.min((own - T.max(axis=1))[w > 0], initial=np.inf))
    R = P * w[:, None]
    R[np.arange(len(y)), y] -= w
    H = NONE
    if curved:
        H = np.empty((K, p, K, p))
        for k in range(K):
            for l in range(k + 1):
                H[k, :, l, :] = (Z * (w * P[:, k] * ((k == l) - P[:, l]))[:, None]).T @ Z
                H[l, :, k, :] = H[k, :, l, :].T
        H = H.reshape(K * p, K * p)
    return MarginGradients(loss, (R.T @ Z).ravel(), H, margin)


def curvature_product(pivot: Array, theta: Array, V: Array, block: Block) -> Gradients:
    """H·V without H, for any number of classes."""
    Z, w = augmented(pivot, block.X), block.weights
    T, U = Z @ theta.T, Z @ V.T
    if len(theta) == 1:
        p = expit(T)
        M = p * (1.0 - p) * U
    else:
        P = softmax(T, axis=1)
        M = P * (U - (P * U).sum(axis=1, keepdims=True))
    return Gradients(0.0, ((M * w[:, None]).T @ Z).ravel(), NONE)


@compiled
def link(X, y, weight, pivot, theta, gradient, S):  # type: ignore[no-untyped-def]
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
        if len(S):
            s = np.sqrt(weight[i] * e) / (1.0 + e)
            S[i, 0] = s
            for j in range(d):
                S[i, 1 + j] = s * (X[i, j] - pivot[j])
    return loss, margin
