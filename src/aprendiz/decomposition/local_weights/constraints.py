"""What coordinates should satisfy among neighbours: sparse equations R Y = 0, a few for each row of the table.

    standard   y_i = Σ_j W_ij y_j                W_i: how x_i is made of its neighbours (barycenters.py)              (1)
    modified   the same with several W_i, one for each direction in which the neighbours are nearly flat              (2)
    ltsa       y of the neighbours are a linear function of their places in the tangent plane                         (3)
    hessian    they have no second derivatives there                                                                  (4)

With N_i the neighbours of x_i, each kind has a small matrix C_i with C_i 1 = 0, and R stacks C_i on the columns N_i (and i).
Tangent planes are spanned by the k largest principal directions U_i of the neighbours, as coordinates of length 1:

    (3)  C_i = I − GGᵀ,     G = (1/√m, U_i), orthonormal                                                              (5)
    (4)  C_i = Hᵀ,     (G, H) the columns 1, U_i, and the products of two columns of U_i, made orthonormal            (6)

Cost: a small singular value decomposition for each row, m neighbours: m²·d.
References: Roweis & Saul, Science 290, 2000; Zhang & Wang, "MLLE", NIPS 2006; Zhang & Zha, "Principal manifolds and nonlinear
dimensionality reduction via tangent space alignment", SIAM J. Sci. Comput. 26, 2004; Donoho & Grimes, "Hessian eigenmaps", PNAS
100, 2003.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from scipy import sparse

from aprendiz.core.rows import Array
from aprendiz.decomposition.local_weights.barycenters import barycenters
from aprendiz.neighbors.search.point_index import side_by_side

Equations = tuple[Array, Array]  # columns (rows, m) and coefficients (rows, equations, m)
ROWS = 128  # that a thread takes at a time
LIKE = 1e-3  # regularisation of the weights of (2), as in scikit-learn


def equations(X: Array, near: Array, method: str, components: int, reg: float, modified_tol: float) -> Any:
    """R, from the rows and the numbers of their neighbours."""
    if method == "modified":
        return stacked(list(modified(X, near, components, modified_tol)), len(X))
    of: dict[str, Callable[[slice], Equations]] = {
        "standard": lambda run: standard(X, near, run, reg),
        "ltsa": lambda run: tangent(X, near[run], components),
        "hessian": lambda run: hessian(X, near[run], components),
    }
    return stacked(side_by_side(of[method], pieces(len(X))), len(X))


def pieces(n: int) -> list[slice]:
    return [slice(start, min(start + ROWS, n)) for start in range(0, n, ROWS)]


def stacked(parts: list[Equations], n: int) -> Any:
    """Equations of many rows under each other, as a CSR array."""
    rows = [np.repeat(columns, coefficients.shape[1], axis=0) for columns, coefficients in parts]
    lengths = np.concatenate([np.full(len(one), one.shape[1]) for one in rows])
    starts = np.concatenate([[0], np.cumsum(lengths)])
    entries = np.concatenate([coefficients.ravel() for _, coefficients in parts])
    return sparse.csr_array((entries, np.concatenate([one.ravel() for one in rows]), starts), shape=(len(lengths), n))


def standard(X: Array, near: Array, run: slice, reg: float) -> Equations:
    """(1)."""
    own = np.arange(run.start, run.stop)
    W = barycenters(X[run], X, near[run], reg)
    return np.column_stack([near[run], own]), np.column_stack([-W, np.ones(len(own))])[:, None]


def tangents(X: Array, near: Array, components: int) -> Array:
    """U_i, of shape (rows, m, components)."""
    places = X[near] - X[near[:, :1]]
    places -= places.mean(axis=1, keepdims=True)
    return np.linalg.svd(places, full_matrices=False)[0][:, :, :components]


def tangent(X: Array, near: Array, components: int) -> Equations:
    """(5)."""
    rows, m = near.shape
    G = np.concatenate([np.full((rows, m, 1), m**-0.5), tangents(X, near, components)], axis=2)
    return near, np.eye(m) - G @ G.transpose(0, 2, 1)


def hessian(X: Array, near: Array, components: int) -> Equations:
    """(6)."""
    U = tangents(X, near, components)
    squares = [U[:, :, a] * U[:, :, b] for a in range(components) for b in range(a, components)]
    columns = np.concatenate([np.ones((*near.shape, 1)), U, np.stack(squares, axis=2)], axis=2)
    Q = np.linalg.qr(columns)[0]
    return near, np.ascontiguousarray(Q[:, :, 1 + components :].transpose(0, 2, 1))


def modified(X: Array, near: Array, components: int, tolerance: float) -> Iterator[Equations]:
    """(2): with V the singular vectors of the neighbours of x_i less x_i, the s smallest of them, turned so that each sums to
    the same α, plus (1 − α) times the weights of (1), are s weight vectors. s is where the values become those of noise."""
    n, m = near.shape
    V, values = (np.concatenate(one) for one in zip(*side_by_side(lambda run: spectra(X, near, run), pieces(n)), strict=True))
    inverse = 1.0 / (values + LIKE * values.sum(axis=1, keepdims=True))
    W = np.einsum("ijk,ik->ij", V, V.sum(axis=1) * inverse)
    W /= W.sum(axis=1, keepdims=True)
    for count, rows in flat_directions(values, min(X.shape[1], m), components):
        small = V[rows][:, :, m - count :]
        sums = small.sum(axis=1)
        alpha = np.linalg.norm(sums, axis=1) / np.sqrt(count)
        h = alpha[:, None] - sums
        length = np.linalg.norm(h, axis=1, keepdims=True)
        h = np.where(length < tolerance, 0.0, h / np.where(length > 0, length, 1.0))
        weights = small - 2.0 * (small @ h[:, :, None]) * h[:, None] + ((1.0 - alpha)[:, None] * W[rows])[:, :, None]
        own = np.full((len(rows), count, 1), -1.0)
        yield np.column_stack([near[rows], rows]), np.concatenate([weights.transpose(0, 2, 1), own], axis=2)


def spectra(X: Array, near: Array, run: slice) -> Equations:
    """Eigenvectors and eigenvalues, descending, of the inner products of the neighbours less the row itself."""
    places = X[near[run]] - X[run, None]
    values, V = np.linalg.eigh(places @ places.transpose(0, 2, 1))
    return V[:, :, ::-1], np.maximum(values[:, ::-1], 0.0)


def flat_directions(values: Array, rank: int, components: int) -> Iterator[tuple[int, Array]]:
    """How many directions count as flat, and the rows where it is so many: the most for which what they have, beside what the
    others have, is less than the median of (what lies off the tangent plane, beside what lies in it)."""
    kept = values[:, :rank]
    off = np.median(kept[:, components:].sum(axis=1) / kept[:, :components].sum(axis=1))
    sums = np.cumsum(kept, axis=1)
    ratios = sums[:, -1:] / sums[:, :-1] - 1.0
    counts = (ratios[:, ::-1] < off).sum(axis=1) + values.shape[1] - rank
    for count in np.unique(counts[counts > 0]):
        yield int(count), np.flatnonzero(counts == count)
