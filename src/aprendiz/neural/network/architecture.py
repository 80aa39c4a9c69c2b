"""The shape of a network, and its parameters in one vector.

    h₀ = x,     h_l = σ_l((h_{l−1} W_l + b_l)/t_l)  for the hidden layers,     o = h_{L−1} W_L + b_L                   (1)

    θ = (W₁, …, W_L, b₁, …, b_L),     Σ k_{l−1}·k_l + Σ k_l  numbers                                                     (2)

θ is one vector, so that a step, a copy and a norm are one line each; the matrices are views into it.

Reference: Glorot & Bengio, "Understanding the difficulty of training deep feedforward neural networks", AISTATS 2010.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise

import numpy as np

from aprendiz.core.random import uniforms
from aprendiz.core.rows import Array

START = -2  # the stream of the first parameters; those of the epochs are their numbers
GLOROT, GLOROT_LOGISTIC = 6.0, 2.0  # bound² of the first weights times the neurons on both sides


@dataclass(frozen=True)
class Architecture:
    """Neurons of each layer, columns first and outputs last; σ and t of each hidden layer."""

    sizes: tuple[int, ...]
    activations: tuple[str, ...]
    temperatures: tuple[float, ...]

    @cached_property
    def shapes(self) -> list[tuple[int, int]]:
        """The shape of each W_l."""
        return list(pairwise(self.sizes))

    @cached_property
    def n_weights(self) -> int:
        """Numbers in all W_l."""
        return sum(rows * columns for rows, columns in self.shapes)

    @cached_property
    def n_parameters(self) -> int:
        """(2)."""
        return self.n_weights + sum(self.sizes[1:])

    @cached_property
    def places(self) -> tuple[list[slice], list[slice]]:
        """Where each W_l and each b_l stands in θ."""
        ends = [0, *accumulate([*(rows * columns for rows, columns in self.shapes), *self.sizes[1:]])]
        parts = [slice(*pair) for pair in pairwise(ends)]
        return parts[: len(self.shapes)], parts[len(self.shapes) :]

    def weights(self, theta: Array) -> list[Array]:
        """W_1, …, W_L as views."""
        return [theta[part].reshape(shape) for part, shape in zip(self.places[0], self.shapes, strict=True)]

    def biases(self, theta: Array) -> list[Array]:
        """b_1, …, b_L as views."""
        return [theta[part] for part in self.places[1]]

    def packed(self, coefs: list[Array], intercepts: list[Array], dtype: np.dtype) -> Array:
        """θ from its parts."""
        return np.concatenate([np.ravel(part) for part in (*coefs, *intercepts)]).astype(dtype)

    def first_parameters(self, seed: int, dtype: np.dtype) -> Array:
        """Uniform numbers in ±√(6/(k_{l−1} + k_l)), so that sums keep their size from layer to layer."""
        theta = 2.0 * uniforms(seed, START, self.n_parameters) - 1.0
        sigmas = (*self.activations, self.activations[-1] if self.activations else "identity")
        for W, b, sigma in zip(self.weights(theta), self.biases(theta), sigmas, strict=True):
            bound = np.sqrt((GLOROT_LOGISTIC if sigma == "logistic" else GLOROT) / sum(W.shape))
            W *= bound
            b *= bound
        return theta.astype(dtype)
