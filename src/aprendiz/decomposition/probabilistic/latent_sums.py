"""What a pass of EM sums over rows with missing cells, and what follows from the sums.

    x = m + W z + e,     z ~ N(0, I) of k numbers,     e ~ N(0, σ²I)                                          (1)

Of a row of which the cells o are known, with r = x_o − m_o, the z behind it has mean and covariance

    z̄ = M⁻¹W_oᵀr,     T = σ²M⁻¹,     M = W_oᵀW_o + σ²I                                                       (2)
    ln p(x_o) = −½[|o|·ln 2π + (|o| − k)·ln σ² + ln|M| + ‖r − W_o z̄‖²/σ² + ‖z̄‖²]                              (3)

With z̃ = (z̄, 1) and the remainder e_j = r_j − w_jᵀz̄ of a known cell, each column sums over the rows that know it

    A_j = Σ ω[z̃z̃ᵀ + diag(T, 0)],     g_j = Σ ω[e_j z̃ − (T w_j, 0)],     q_j = Σ ω[e_j² + w_jᵀT w_j]            (4)
    (w_j, m_j) ← (w_j, m_j) + A_j⁻¹g_j,     σ² ← Σ_j(q_j − g_jᵀA_j⁻¹g_j) / Σ_j Σ ω                             (5)

Everything is a sum around the present parameters. Then (1) is written anew for the z as they are, with mean a and covariance
R over the rows, which shortens the way (parameter expansion):

    m ← m + W a,     W ← W L,   LLᵀ = R                                                                       (6)

Neither (5) nor (6) lowers the likelihood. Cost: n·d·k² multiplications a pass; memory d·k².
Reference: Tipping & Bishop, JRSS B 61, 1999; Liu, Rubin & Wu, "Parameter expansion to accelerate EM", Biometrika 85, 1998.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from aprendiz.core.rows import Array, Block
from aprendiz.core.sums import Sums

CELLS_AT_ONCE = 2**18  # of the k × k matrices, or of the columns, of some rows
LOG_2_PI = float(np.log(2.0 * np.pi))


@dataclass(frozen=True)
class LatentDensity:
    """(1): m, W as d × k, σ²."""

    mean: Array
    W: Array
    noise: float

    def latent(self, X: Array) -> tuple[Array, Array, Array, Array]:
        """Of some rows: which cells are known, r with 0 elsewhere, z̄ and the Cholesky factors of M: (2)."""
        k = self.W.shape[1]
        known = ~np.isnan(X)
        r = np.where(known, X - self.mean, 0.0)
        pairs = (self.W[:, :, None] * self.W[:, None, :]).reshape(len(self.W), k * k)
        M = (known @ pairs).reshape(len(X), k, k)
        M[:, range(k), range(k)] += self.noise
        L = np.linalg.cholesky(M)
        half = np.linalg.solve(L, (r @ self.W)[:, :, None])
        return known, r, np.linalg.solve(np.swapaxes(L, 1, 2), half)[:, :, 0], L

    def log_density(self, known: Array, r: Array, z: Array, L: Array) -> Array:
        """(3)."""
        count = known.sum(axis=1)
        e = np.where(known, r - z @ self.W.T, 0.0)
        logdet = 2.0 * np.log(np.diagonal(L, axis1=1, axis2=2)).sum(axis=1) + (count - L.shape[1]) * np.log(self.noise)
        squares = (e**2).sum(axis=1) / self.noise + (z**2).sum(axis=1)
        return np.asarray(-0.5 * (count * LOG_2_PI + logdet + squares))

    def scores(self, X: Array) -> Array:
        """(3) of each row, some rows at a time."""
        step = chunk(*self.W.shape)
        return np.concatenate([self.log_density(*self.latent(X[at : at + step])) for at in range(0, len(X), step)])

    def completed(self, X: Array) -> Array:
        """The rows with each missing cell at its mean, given the known cells of the row: m + W z̄."""
        X = X.astype(np.float64)
        holes = np.flatnonzero(np.isnan(X).any(axis=1))
        for at in range(0, len(holes), step := chunk(*self.W.shape)):
            some = holes[at : at + step]
            known, _, z, _ = self.latent(X[some])
            X[some] = np.where(known, X[some], self.mean + z @ self.W.T)
        return X

    def improved(self, sums: LatentSums, least: float) -> LatentDensity:
        """(5) and (6), with σ² at least `least`."""
        step = np.linalg.solve(sums.A, sums.g[:, :, None])[:, :, 0]
        W, mean = self.W + step[:, :-1], self.mean + step[:, -1]
        noise = (float(sums.q.sum()) - float((sums.g * step).sum())) / float(sums.A[:, -1, -1].sum())
        a = sums.z / sums.weight
        L = np.linalg.cholesky(sums.zz / sums.weight - np.outer(a, a))
        return LatentDensity(mean + W @ a, W @ L, max(noise, least))


@dataclass(frozen=True)
class LatentSums(Sums):
    """(4), Σ ω z̄ and Σ ω (z̄z̄ᵀ + T) for (6), the log-likelihood, and the weight."""

    A: Array
    g: Array
    q: Array
    z: Array
    zz: Array
    log_likelihood: float
    weight: float

    @classmethod
    def of(cls, density: LatentDensity, block: Block) -> Self:
        weights, step = block.weights, chunk(*density.W.shape)
        parts = (cls.of_rows(density, block.X[at : at + step], weights[at : at + step]) for at in range(0, len(block), step))
        total = next(parts)
        for part in parts:
            total = total + part
        return total

    @classmethod
    def of_rows(cls, density: LatentDensity, X: Array, weight: Array) -> Self:
        """Of some rows at once."""
        d, k = density.W.shape
        known, r, z, L = density.latent(X)
        T = np.linalg.inv(L)
        T = density.noise * np.swapaxes(T, 1, 2) @ T
        e = np.where(known, r - z @ density.W.T, 0.0)
        counted = known * weight[:, None]
        spread = (counted.T @ T.reshape(len(X), k * k)).reshape(d, k, k)
        extended = np.column_stack([z, np.ones(len(X))])
        squares = (extended[:, :, None] * extended[:, None, :]).reshape(len(X), -1)
        A = (counted.T @ squares).reshape(d, k + 1, k + 1)
        A[:, :k, :k] += spread
        pull = np.einsum("jab,jb->ja", spread, density.W)
        g = e.T @ (weight[:, None] * extended)
        g[:, :k] -= pull
        q = weight @ e**2 + (pull * density.W).sum(axis=1)
        zz = (z * weight[:, None]).T @ z + np.tensordot(weight, T, 1)
        return cls(A, g, q, weight @ z, zz, float(weight @ density.log_density(known, r, z, L)), float(weight.sum()))


def chunk(d: int, k: int) -> int:
    """Rows that are worked on at once."""
    return max(1, CELLS_AT_ONCE // max(d, (k + 1) ** 2))


def rotated(density: LatentDensity) -> tuple[Array, Array]:
    """The variances of (1) in the directions of W, σ² among them, descending, and the directions as rows."""
    U, S, _ = np.linalg.svd(density.W, full_matrices=False)
    return S**2 + density.noise, U.T
