"""Rows with missing cells: those that know the same cells are seen together, through the marginals of the Gaussians.

A row x of a component N(μ, Σ) with known cells o. With L Lᵀ = Σ_oo the known part has the coordinates

    y = L⁻¹(x_o − μ_o) ~ N(0, I),      ln p(x_o) = −‖y‖²/2 − Σ_j ln L_jj − (|o|/2) ln 2π                       (1)

and what is missing follows from it, without being filled in: given x_o,

    E[x − μ] = G y,     Cov[x] = C,      G = Σ_{·o} L⁻ᵀ,     C = Σ − G Gᵀ                                      (2)

(G gives back x_o − μ_o for the known cells, where C is 0). So sums of responsibilities r over the rows of one pattern need only
be taken in the coordinates y, and are lifted at the end:

    Σ r E[x − μ] = G Σ r y,      Σ r E[(x − μ)(x − μ)ᵀ] = G (Σ r y yᵀ) Gᵀ + C Σ r                               (3)

A row without any known cell has ln p = 0: its responsibilities are the weights of the components.

Cost: O(k·d³) for each pattern in a block of rows, and O(k·|o|²) for each row.
Reference: Ghahramani & Jordan, "Supervised learning from incomplete data via an EM approach", NIPS 1994.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np

from aprendiz.core.rows import Array

LOG_2_PI = math.log(2 * math.pi)


@dataclass(frozen=True)
class KnownPart:
    """What k components say of rows that know the same cells.

    `maps` (k, 1 + p, 1 + p): from (1, x_o − pivot_o) to (1, y).  `front`: the constants of (1), with the weights.
    `lift` (k, d, p) and `rest` (k, d, d): G and C of (2); `rest` is None where nothing is missing.
    """

    pivot: Array
    maps: Array
    front: Array
    lift: Array
    rest: Array | None

    @classmethod
    def all_cells(cls, log_weights: Array, offsets: Array, pivot: Array, L: Array) -> Self:
        """Rows that know all their cells. `offsets` are the means around the pivot."""
        front = log_weights - np.log(L.diagonal(axis1=1, axis2=2)).sum(axis=1) - 0.5 * L.shape[1] * LOG_2_PI
        return cls(pivot, affine_maps(inverse_triangles(L), offsets), front, L, None)

    @classmethod
    def marginal(cls, log_weights: Array, offsets: Array, pivot: Array, covariances: Array, known: Array) -> Self:
        """Rows that know some of their cells, or none."""
        L = np.linalg.cholesky(covariances[:, known][:, :, known])
        part = cls.all_cells(log_weights, offsets[:, known], pivot[known], L)
        inverse = part.maps[:, 1:, 1:]
        lift = covariances[:, :, known] @ inverse.transpose(0, 2, 1)
        rest = covariances - lift @ lift.transpose(0, 2, 1)
        rest[:, known, :] = 0.0
        rest[:, :, known] = 0.0
        return cls(part.pivot, part.maps, part.front, lift, rest)

    def complete_sums(self, gram: Array) -> tuple[Array, Array, Array]:
        """(3), from Σ r (1, y)(1, y)ᵀ of each component: weight, shift and scatter around the means."""
        weight = gram[:, 0, 0]
        shift = (self.lift @ gram[:, 1:, :1])[:, :, 0]
        scatter = self.lift @ gram[:, 1:, 1:] @ self.lift.transpose(0, 2, 1)
        return weight, shift, scatter if self.rest is None else scatter + weight[:, None, None] * self.rest


def inverse_triangles(L: Array) -> Array:
    """L⁻¹ of lower triangles, with zeros above the diagonal."""
    return np.tril(np.linalg.inv(L))


def affine_maps(inverse: Array, offsets: Array) -> Array:
    """(1, z) ↦ (1, L⁻¹(z − offset)) as one matrix for each component."""
    k, p = offsets.shape
    maps = np.zeros((k, 1 + p, 1 + p))
    maps[:, 0, 0] = 1.0
    maps[:, 1:, 0] = -(inverse @ offsets[:, :, None])[:, :, 0]
    maps[:, 1:, 1:] = inverse
    return maps


def patterns(X: Array) -> Iterator[tuple[Array, Array]]:
    """The numbers of the rows that know the same cells, and which cells those are, in the order of the patterns."""
    there = ~np.isnan(X)
    packed = np.packbits(there, axis=1)
    keys = np.ascontiguousarray(packed).view(np.dtype((np.void, packed.shape[1]))).ravel()
    _, which = np.unique(keys, return_inverse=True)
    order = np.argsort(which, kind="stable")
    for rows in np.split(order, np.cumsum(np.bincount(which))[:-1]):
        yield rows, there[rows[0]]
