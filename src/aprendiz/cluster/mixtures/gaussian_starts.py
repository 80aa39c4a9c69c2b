"""The Gaussians that a mixture starts with: of the rows that each component begins with (starts.py), or those that are given.

    "means_init"   "weights_init"   "precisions_init"      take the place of what the rows say, each by itself

Cost: one pass, O(n·d²), O(n·d) for diagonal and spherical covariances.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aprendiz.cluster.mixtures.gaussian_components import GaussianComponents, MixtureSums
from aprendiz.cluster.mixtures.starts import MixtureStart
from aprendiz.core.parameters import ParameterError
from aprendiz.core.rows import Array, Block


def blank(begun: MixtureStart, kind: Any) -> GaussianComponents:
    """Components at the centres of the start, as wide as all the rows."""
    k, d = begun.k, len(begun.means)
    means = np.tile(begun.means, (k, 1)) if begun.centers is None else begun.centers
    wide = np.diag(begun.variances)
    shaped = {"full": np.tile(wide, (k, 1, 1)), "tied": wide, "diag": np.tile(begun.variances, (k, 1))}
    covariances = np.full(k, begun.variances.sum() / d) if kind == "spherical" else shaped[kind]
    return GaussianComponents(np.full(k, 1 / k), means, covariances, kind)


def start_sums(begun: MixtureStart, wide: GaussianComponents, block: Block) -> MixtureSums:
    """The sums around the centres, with the shares of the start. A missing cell has the variance of its column."""
    k, d = wide.means.shape
    shares, X, missing = begun.shares(block) * block.weights[:, None], begun.fill(block.X), np.isnan(block.X)
    shift, scatter = np.zeros((k, d)), np.zeros((k, d, d) if wide.correlated else (k, d))
    for j in range(k):
        rows = np.flatnonzero(shares[:, j])
        D, r = X[rows] - wide.means[j], shares[rows, j]
        unknown = (r @ missing[rows]) * begun.variances
        shift[j] = r @ D
        scatter[j] = (D.T * r) @ D + np.diag(unknown) if wide.correlated else r @ D**2 + unknown
    return MixtureSums(shares.sum(axis=0), shift, scatter, 0.0)


def shape_of(kind: str, k: int, d: int) -> tuple[int, ...]:
    """The shape of covariances."""
    return {"full": (k, d, d), "tied": (d, d), "diag": (k, d), "spherical": (k,)}[kind]


def given_means(given: Any, k: int, d: int) -> Array | None:
    if given is None:
        return None
    means = np.array(given, dtype=np.float64)
    if means.shape != (k, d) or not np.isfinite(means).all():
        raise ParameterError(f"means_init must be {k} points of {d} finite numbers, its shape is {means.shape}.")
    return means


def given_weights(given: Any, k: int) -> Array | None:
    if given is None:
        return None
    if isinstance(given, str):
        return np.full(k, 1 / k)
    weights = np.array(given, dtype=np.float64)
    if weights.shape != (k,) or not (weights >= 0).all() or not np.isclose(weights.sum(), 1.0):
        raise ParameterError(f"weights_init must be {k} numbers of at least 0 with the sum 1, got {weights.tolist()}.")
    return weights


def invert(precisions: Array, shape: tuple[int, ...], kind: str) -> Array:
    """Covariances of given precisions."""
    if precisions.shape != shape:
        raise ParameterError(f"precisions_init must have the shape {shape} of {kind} covariances, not {precisions.shape}.")
    if kind in ("diag", "spherical"):
        if not (precisions > 0).all() or not np.isfinite(precisions).all():
            raise ParameterError("precisions_init must hold finite numbers above 0.")
        return np.asarray(1.0 / precisions)
    even = np.allclose(precisions, np.swapaxes(precisions, -1, -2))
    if not even or not np.isfinite(precisions).all() or (np.linalg.eigvalsh(precisions) <= 0).any():
        raise ParameterError("precisions_init must hold symmetric, positive definite matrices.")
    covariances = np.linalg.inv(precisions)
    return np.asarray((covariances + np.swapaxes(covariances, -1, -2)) / 2)
