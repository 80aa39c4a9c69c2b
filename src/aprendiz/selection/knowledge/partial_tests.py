"""Does a column say anything of the target beside what others say? Partial correlation, and Wilks's Λ of several columns.

Of everything, what the given columns explain is taken away by a straight line; with Q an orthonormal basis of them,

    r = x − Q Qᵀ x,     R_Y = Y − Q Qᵀ Y = U…                                                                 (1)
    share = ‖Uᵀ r‖² / ‖r‖²                                                                                    (2)
    F = share/(1 − share) · f/p,     f = n − 1 − rank Q − p                                                   (3)

U an orthonormal basis of R_Y, of p columns: one for a quantity, one less than the classes for classes. For one column Y, share
is the square of the partial correlation; of classes it is the F by which stepwise discriminant analysis goes. If x is
independent of y given the others, linear in them and normal, F has its distribution exactly. Several columns at once:

    Λ = Π (1 − c²) over the canonical correlations c of the residuals                                         (4)

and Rao's F, which is (3) for one column. A column that the given ones explain but for rounding has p = 1.

Cost: O(n·d) for all columns given one more.
Reference: Rencher & Christensen, "Methods of Multivariate Analysis", Wiley, 2012, chapters 6 and 8.
"""

from __future__ import annotations

import numpy as np
from scipy.special import betainc, fdtrc

from aprendiz.core.rows import Array
from aprendiz.selection.knowledge.blocks import of_norm_1

NOTHING_LEFT = 1e-10  # of the square of a column: what is left is rounding


def target_columns(y: Array, classes: int | None) -> Array:
    """Y: a centred quantity, or the signs of all classes but one; of norm 1."""
    if classes is None:
        return of_norm_1(np.asarray(y, dtype=np.float64).reshape(len(y), 1))
    return of_norm_1((np.asarray(y)[:, None] == np.arange(1, classes)).astype(np.float64))


def without(basis: Array, columns: Array) -> Array:
    """(1): what is left of some columns; twice, so that rounding leaves nothing either."""
    left = columns - basis @ (basis.T @ columns)
    return np.asarray(left - basis @ (basis.T @ left))


def basis_of(columns: Array, least: float = NOTHING_LEFT) -> Array:
    """An orthonormal basis of columns of norm at most 1; directions of next to no length are rounding."""
    if not columns.shape[1]:
        return columns
    U, s, _V = np.linalg.svd(columns, full_matrices=False)
    return np.asarray(U[:, s**2 > least])


def extended(basis: Array, columns: Array) -> Array:
    """A basis with some columns more."""
    return np.column_stack([basis, basis_of(without(basis, columns))])


def p_of_lines(left: Array, U: Array, given: int, size: Array) -> tuple[Array, Array]:
    """(2) and the p-value of (3) for each column, of which `left` remains; `size` has the squares before."""
    squares = np.einsum("ij,ij->j", left, left)
    there = squares > NOTHING_LEFT * np.maximum(size, np.finfo(float).tiny)
    p, free = U.shape[1], len(left) - 1 - given - U.shape[1]
    if p == 0 or free < 1:
        return np.zeros(len(squares)), np.ones(len(squares))
    explained = ((U.T @ left) ** 2).sum(axis=0)
    share = np.clip(np.divide(explained, squares, out=np.zeros_like(squares), where=there), 0.0, 1.0)
    return share, np.where(there, betainc(free / 2.0, p / 2.0, 1.0 - share), 1.0)


def p_of_block(block: Array, basis: Array, U: Array) -> tuple[float, float]:
    """1 − Λ of (4) and its p-value."""
    own = basis_of(without(basis, block))
    q, p, left = own.shape[1], U.shape[1], len(block) - 1 - basis.shape[1]
    if q == 0 or p == 0:
        return 0.0, 1.0
    correlations = np.clip(np.linalg.svd(own.T @ U, compute_uv=False), 0.0, 1.0)
    wilks = float(np.prod(1.0 - correlations**2))
    t = np.sqrt((p * p * q * q - 4) / (p * p + q * q - 5)) if p * p + q * q > 5 else 1.0
    df1, df2 = p * q, (left - (p + q + 1) / 2.0) * t - p * q / 2.0 + 1.0
    if df2 <= 0:
        return 1.0 - wilks, 1.0
    root = wilks ** (1.0 / t)
    return 1.0 - wilks, float(fdtrc(df1, df2, (1.0 - root) / root * df2 / df1)) if root > 0 else 0.0
