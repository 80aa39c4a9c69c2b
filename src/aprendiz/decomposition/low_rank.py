"""The best approximation of a matrix by one of rank k, with both errors and what it takes to store.

    A_k = Σ_{i≤k} σ_i u_i v_iᵀ                                                                                 (1)
    ‖A − A_k‖₂ = σ_{k+1},     ‖A − A_k‖_F = (σ²_{k+1} + … + σ²_m)^½,     m = min(n, d)                         (2)
    k·(1 + n + d) numbers instead of n·d                                                                       (3)

No matrix of rank k is nearer in either norm. A dense matrix whose smaller side is at most `DIRECT` is decomposed as a whole, so
that (2) is exact; of others the first k triplets are found (TruncatedSVD), and (2) is the upper bound of its certificate.

Cost: of the order of n·d·m as a whole; otherwise that of TruncatedSVD.
Reference: Eckart & Young, "The approximation of one matrix by another of lower rank", Psychometrika 1, 1936.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import linalg, sparse

from aprendiz.core.blas import single_blas
from aprendiz.core.parameters import ParameterError, refuse_count
from aprendiz.core.rows import Array
from aprendiz.core.short_repr import ShortRepr
from aprendiz.core.sources.arrays import in_memory
from aprendiz.decomposition import TruncatedSVD
from aprendiz.decomposition.svd.compression import Compression
from aprendiz.decomposition.svd.singular_space import upright

DIRECT = 1500  # rows or columns, up to which all of the matrix is decomposed


@dataclass(frozen=True, repr=False)
class LowRank(ShortRepr):
    """A_k of (1) by its factors.

    Attributes
    ----------
    U : ndarray of shape (n, k)
        u_i as columns.
    singular_values : ndarray of shape (k,)
        σ_i.
    V : ndarray of shape (k, d)
        v_i as rows, the entry of largest size positive.
    spectral, frobenius : float
        The errors (2), exact or as upper bounds.
    exact : bool
        Which of both.
    compression : Compression
        (3), and the rank at which it breaks even.
    spectrum : ndarray
        All singular values, if the errors are exact; else the first k.
    """

    U: Array
    singular_values: Array
    V: Array
    spectral: float
    frobenius: float
    exact: bool
    compression: Compression
    spectrum: Array

    def array(self) -> Array:
        """A_k."""
        with single_blas(float(self.U.size) * self.V.shape[1]):
            return np.asarray((self.U * self.singular_values) @ self.V)

    def terms(self) -> Iterator[Array]:
        """The matrices σ_i u_i v_iᵀ of (1), the largest first."""
        for u, s, v in zip(self.U.T, self.singular_values, self.V, strict=True):
            yield s * np.outer(u, v)


def low_rank(A: Any, k: int, *, random_state: Any = None) -> LowRank:
    """The best approximation of rank k of a matrix, dense or sparse.

    Parameters
    ----------
    A : table of shape (n, d)
        The matrix.
    k : int
        The rank, at most min(n, d).
    random_state : int, RandomState or None
        The seed of what is random for a large matrix.

    Examples
    --------
    >>> found = low_rank([[3.0, 0.0], [4.0, 5.0]], 1)
    >>> found.array().round(4).tolist(), round(found.spectral, 4), round(found.frobenius, 4)
    ([[1.5, 1.5], [4.5, 4.5]], 2.2361, 2.2361)
    """
    refuse_count("k", k)
    rows = TruncatedSVD(1).open(A)
    if not in_memory(rows):
        raise TypeError("low_rank needs a matrix in memory: of rows in files use TruncatedSVD.")
    n, d = rows.X.shape
    if k > min(n, d):
        raise ParameterError(f"k={k} must be at most min(n, d)={min(n, d)}: there are no more singular values.")
    size = Compression(n, d, int(k))
    if sparse.issparse(rows.X) or min(n, d) > DIRECT:
        return of_large(rows.X, size, random_state)
    with single_blas(float(n) * d * min(n, d)):
        U, S, V = linalg.svd(np.asarray(rows.X, np.float64), full_matrices=False, check_finite=False)
    beyond, signed = S[k:], upright(V[:k])
    U = U[:, :k] * np.where((signed * V[:k]).sum(axis=1) < 0, -1.0, 1.0)
    return LowRank(U, S[:k], signed, float(beyond.max(initial=0.0)), float(linalg.norm(beyond)), True, size, S)


def of_large(X: Any, size: Compression, random_state: Any) -> LowRank:
    """The first triplets: V by TruncatedSVD, U and the values from A V."""
    algorithm = "arpack" if size.rank < size.columns else "randomized"
    model = TruncatedSVD(size.rank, algorithm=algorithm, random_state=random_state).fit(X)
    with single_blas(float(size.rows) * size.rank**2):
        U, S, P = linalg.svd(model.transform(X), full_matrices=False, check_finite=False)
        V = P @ model.components_
    signed, known = upright(V), model.certificate_
    U = U * np.where((signed * V).sum(axis=1) < 0, -1.0, 1.0)
    return LowRank(U, S, signed, float(known.spectral), float(known.frobenius), False, size, S)
