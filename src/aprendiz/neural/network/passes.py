"""Forward and backward through the layers, for a batch of rows, in memory that is used again.

    forward      H_l = σ_l((H_{l−1} W_l + b_l)/t_l),     O = H_{L−1} W_L + b_L                                   (1)
    backward     δ_L = ∂loss/∂O,      δ_{l−1} = (δ_l W_lᵀ) ∘ σ'/t                                              (2)
    gradient     ∂loss/∂W_l = H_{l−1}ᵀ δ_l,     ∂loss/∂b_l = 1ᵀδ_l                                            (3)

(2) is backpropagation on the layered graph (derivatives/along_edges.py): every edge is taken once.

Cost: 2·n·Σ k_{l−1}k_l multiplications forward, twice that backward. Memory: H and δ of one batch.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.neural.network.activations import ACTIVATIONS, COMPLEX
from aprendiz.neural.network.architecture import Architecture

Errors = Callable[[Array], float]  # turns the outputs of a batch into their errors, in place, and gives its loss


class Passes:
    """The memory of a network for batches of at most so many rows."""

    def __init__(self, architecture: Architecture, rows: int, dtype: np.dtype) -> None:
        self.architecture = architecture
        self.sigmas = [ACTIVATIONS[name] for name in architecture.activations]
        widths = architecture.sizes[1:]
        self.H = [np.empty((rows, width), dtype) for width in widths]
        self.D = [np.empty((rows, width), dtype) for width in widths[:-1]]
        self.S = [np.empty((rows if sigma.keeps_slope else 0, k), dtype) for sigma, k in zip(self.sigmas, widths, strict=False)]
        self.ones = np.ones(rows, dtype)
        self.views: dict[int, tuple[Array, list[Array], list[Array]]] = {}

    def parts(self, theta: Array) -> tuple[list[Array], list[Array]]:
        """W_1, …, W_L and b_1, …, b_L in θ: batch after batch asks for those of the same θ and the same gradient."""
        if id(theta) not in self.views:
            if len(self.views) > 1:
                self.views.clear()
            self.views[id(theta)] = theta, self.architecture.weights(theta), self.architecture.biases(theta)
        return self.views[id(theta)][1:]

    def forward(self, theta: Array, A: Any, drop: Callable[[Array, int], object] | None = None) -> Array:
        """(1): the outputs of the rows A. `drop` silences neurons of a hidden layer."""
        n = A.shape[0]
        for layer, (W, b) in enumerate(zip(*self.parts(theta), strict=True)):
            H = self.H[layer][:n]
            product(A, W, H)
            if layer < len(self.sigmas):
                self.activate(layer, H, b)
                if drop is not None:
                    drop(H, layer)
            else:
                H += b
            A = H
        return A

    def activate(self, layer: int, H: Array, b: Array) -> None:
        """σ((H + b)/t) in place."""
        t, sigma = self.architecture.temperatures[layer], self.sigmas[layer]
        if sigma.of_sums is not None and t == 1.0:
            sigma.of_sums(H, b)
            return
        H += b
        if t != 1.0:
            H /= H.dtype.type(t)
        if sigma.keeps_slope:
            np.negative(np.sin(H, out=self.S[layer][: len(H)]), out=self.S[layer][: len(H)])
        sigma.apply(H)

    def gradient(
        self,
        theta: Array,
        A: Any,
        errors: Errors,
        into: Array,
        drop: Callable[[Array, int], object] | None = None,
        p: float = 0.0,
    ) -> float:
        """(1) to (3): the loss of a batch, and its gradient written into a vector like θ. With `drop`, neurons that are not
        silent are 1/(1 − p) times as loud: what their slope is taken at is (1 − p) of that."""
        loss = errors(self.forward(theta, A, drop))
        (weights, _), (g_weights, g_biases), n = self.parts(theta), self.parts(into), A.shape[0]
        delta = self.H[-1][:n]
        for layer in range(len(weights) - 1, -1, -1):
            below = self.H[layer - 1][:n] if layer else A
            transposed_product(below, delta, g_weights[layer])
            np.matmul(self.ones[:n], delta, out=g_biases[layer])
            if layer:
                D, t = self.D[layer - 1][:n], self.architecture.temperatures[layer - 1]
                H = below if drop is None else below * below.dtype.type(1.0 - p)
                self.errors_below(layer, delta, weights[layer], H, D)
                if t != 1.0:
                    D /= D.dtype.type(t)
                if drop is not None:
                    drop(D, layer - 1)
                delta = D
        return loss

    def errors_below(self, layer: int, delta: Array, W: Array, H: Array, D: Array) -> None:
        """(δ Wᵀ) ∘ σ' into D."""
        sigma = self.sigmas[layer - 1]
        if delta.shape[1] > 1:
            np.matmul(delta, W.T, out=D)
        elif sigma.of_one_output is not None:
            sigma.of_one_output(D, H, delta.ravel(), W.ravel())  # columns that a kernel sees as one run
            return
        else:
            np.multiply(delta, W.T, out=D)  # the same numbers as a product of matrices, sooner
        sigma.slope(D, H, self.S[layer - 1][: len(D)])


def product(A: Any, W: Array, out: Array) -> None:
    """A W, of a dense or a sparse batch."""
    if isinstance(A, np.ndarray):
        np.matmul(A, W, out=out)
    else:
        out[:] = A @ W


def transposed_product(A: Any, D: Array, out: Array) -> None:
    """Aᵀ D, of a dense or a sparse batch."""
    if isinstance(A, np.ndarray):
        np.matmul(A.T, D, out=out)
    else:
        out[:] = A.T @ D


def layer_outputs(architecture: Architecture, theta: Array, A: Array) -> tuple[list[Array], list[Array]]:
    """What comes into every neuron, and what it gives, layer by layer."""
    sums, values = [], []
    for layer, (W, b) in enumerate(zip(architecture.weights(theta), architecture.biases(theta), strict=True)):
        sums.append(A @ W + b)
        A = sums[-1].copy()
        if layer < len(architecture.activations):
            A /= architecture.temperatures[layer]
            ACTIVATIONS[architecture.activations[layer]].apply(A)
        values.append(A)
    return sums, values


def through_layers(architecture: Architecture, theta: Array, A: Array, first: int, last: int) -> Array:
    """What comes out of layer `last`, of what goes into the layer after `first`; 0 is the input."""
    dtype = np.result_type(A.dtype, theta.dtype)
    A, theta = A.astype(dtype, copy=False), theta.astype(dtype, copy=False)
    layers = list(zip(architecture.weights(theta), architecture.biases(theta), strict=True))
    with np.errstate(over="ignore", invalid="ignore"):
        for layer in range(first, last):
            W, b = layers[layer]
            A = A @ W + b
            if layer < len(architecture.activations):
                A /= dtype.type(architecture.temperatures[layer])
                ACTIVATIONS[architecture.activations[layer]].apply(A)
    return A


def complex_outputs(architecture: Architecture, theta: Array, A: Array) -> Array:
    """(1) with complex parameters: what carries a derivative in its imaginary part."""
    layers = zip(architecture.weights(theta), architecture.biases(theta), strict=True)
    for layer, (W, b) in enumerate(layers):
        A = A @ W + b
        if layer < len(architecture.activations):
            A = COMPLEX[architecture.activations[layer]](A / architecture.temperatures[layer])
    return A
