"""The largest eigenvalues of a symmetric operator, by blocks of vectors.

From a block Q₀ of orthonormal columns, with the operator A as nothing but a product,

    Q_{m+1} R = A Q_m − (its part in the span of Q₀ … Q_m)                                                        (1)
    H = QᵀAQ,   Hs = θs:      θ and y = Qs are the eigenpairs of A as far as the span knows                       (2)
    ‖Ay − θy‖ = ‖R s_m‖,      s_m the last block of s                                                             (3)

The span stops growing when it has as many columns as pairs are wanted and (3) is small for these. When it has become large, it
is replaced by the best y, the others are forgotten, and (1) goes on (thick restart). A block finds an eigenvalue as often as
it occurs, up to the number of its columns; single vectors may miss all but one.

`known` are eigenvectors that are not to be found again.

Cost: a product of A with a block at each step, and O(n·m·b) for the orthogonality, m columns so far and b in the block.
Reference: Golub & Underwood, "The block Lanczos method for computing eigenvalues", Mathematical Software III, 1977; Wu & Simon,
"Thick-restart Lanczos method for large symmetric eigenvalue problems", SIAM J. Matrix Anal. 22, 2000.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from aprendiz.core.random import uniforms
from aprendiz.core.rows import Array

Product = Callable[[Array], Array]  # of the operator and some columns

EARLY, SLOW = 3, 0.5  # step at which the digits of (3) are first looked at, and part of those expected that is too little
LOST = 1e-8  # part of a column that is left of it, below which what is left is rounding


@dataclass(frozen=True)
class Found:
    """Eigenvalues, the largest first, with their vectors as columns, as many as wanted or as a block has; is (3) small?"""

    values: Array
    vectors: Array
    settled: bool


def largest_eigenpairs(
    product: Product,
    known: Array,
    first: Array,
    wanted: int,
    *,
    room: int,
    steps: int,
    tolerance: float,
    resigns: bool = False,
) -> Found:
    """(1) to (3): the `wanted` largest eigenpairs orthogonal to `known`, from a `first` block of columns, in a span of at most
    `room` columns, after at most so many steps; (3) is at most the tolerance times the largest value. If it `resigns`, it stops
    as soon as digits come too slowly for that."""
    n, block = first.shape
    basis, H = np.empty((n, room + block), order="F"), np.zeros((room + block, room + block))
    basis[:, :block] = orthonormalise(first, known)
    m = 0
    for step in range(1, steps + 1):
        new = slice(m, m + block)
        image = product(basis[:, new])
        coefficients = remove(image, known, basis[:, : m + block])
        H[: m + block, new], H[new, : m + block] = coefficients, coefficients.T
        m += block
        following, R = np.linalg.qr(image)
        theta, S = ritz(H[:m, :m])
        size = float(np.abs(theta).max()) or 1.0
        errors = np.linalg.norm((R / size) @ S[-block:, :wanted], axis=0)  # the square of R itself may be no number
        enough = m >= min(wanted, n - known.shape[1])  # a block may be narrower than what is wanted
        settled = enough and bool((errors <= tolerance).all())
        if settled or step == steps or (resigns and step >= EARLY and too_slow(errors.max(), tolerance, step / steps)):
            break
        if m + block > room:
            kept = min(m - block, wanted + (room - wanted) // 4)
            basis[:, :kept] = basis[:, :m] @ S[:, :kept]
            H[:] = 0.0
            H[range(kept), range(kept)] = theta[:kept]
            m = kept
        if np.abs(np.diag(R)).min() <= LOST * size:  # nothing new in a column: rounding takes its place
            nowhere = np.abs(R).max(axis=1) <= LOST * size  # of no use to the columns after it either
            if nowhere.any():
                following[:, nowhere] = random_block(n, int(nowhere.sum()), step)
            remove(following, known, basis[:, :m])
            following = np.linalg.qr(following)[0]
        basis[:, m : m + block] = following
    count = max(block, wanted)
    return Found(theta[:count], basis[:, :m] @ S[:, :count], settled)


def too_slow(error: float, tolerance: float, share: float) -> bool:
    """Has (3), as a part of the largest value, lost far fewer digits than its share of the steps?"""
    return np.log(max(error, 1e-300)) > SLOW * share * np.log(tolerance)


def random_block(n: int, block: int, seed: int) -> Array:
    """Random columns to begin with."""
    return np.column_stack([uniforms(seed, j, n) - 0.5 for j in range(block)])


def orthonormalise(columns: Array, known: Array) -> Array:
    """The columns made orthonormal, and orthogonal to what is known."""
    columns = columns.copy()
    remove(columns, known, columns[:, :0])
    return np.linalg.qr(columns)[0]


def remove(columns: Array, known: Array, basis: Array) -> Array:
    """Take from the columns, in place, what the others span of them, twice against rounding; returns the part in the basis."""
    coefficients = np.zeros((basis.shape[1], columns.shape[1]))
    for _ in range(2):
        columns -= known @ (known.T @ columns)
        part = basis.T @ columns
        columns -= basis @ part
        coefficients += part
    return coefficients


def ritz(H: Array) -> tuple[Array, Array]:
    """(2), the largest first."""
    values, vectors = np.linalg.eigh((H + H.T) / 2)
    return values[::-1], vectors[:, ::-1]
