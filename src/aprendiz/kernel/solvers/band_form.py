"""A symmetric matrix as a band between orthogonal factors: one reduction, after which every shift is cheap.

    K = QBQᵀ,     Q = Q₀Q₁…,     Q_i = I − V_i Y_iᵀ,     V_i = Y_i T_i                                            (1)

B has b entries on each side of its diagonal. The columns of a panel below the band are made triangular by reflections, which
then change the rest of the matrix from both sides, all in products of matrices:

    M ← Q_iᵀ M Q_i = M − WYᵀ − YWᵀ,     W = MV − ½·Y(VᵀMV)                                                        (2)

In blocks of b rows, B has D_k on its diagonal and E_k below. With a shift α, and its factor L with blocks L_k and S_k below,

    S_k = E_k L_{k−1}⁻ᵀ,     L_k L_kᵀ = D_k + αI − S_k S_kᵀ                                                       (3)
    (K + αI)⁻¹ = Q L⁻ᵀ L⁻¹ Qᵀ,     diagonal_i = Σ_k (L⁻¹Qᵀ)_ki²                                                   (4)

No eigenvectors are needed, whose cost is several times that of (2).

Cost: 4n³/3 multiplications and additions for (2); n·b² for a shift, n² for a right side; for all of the diagonal 2n³/3 once for
Q and 2n²·b for a shift.
Reference: Bischof, Lang & Sun, "A framework for symmetric band reduction", ACM Trans. Math. Softw. 26, 2000.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Self

import numpy as np
from scipy import linalg

from aprendiz.core.rows import Array
from aprendiz.core.threads import ordered_map
from aprendiz.kernel.solvers.tiles import RUN, for_each, runs, shifted_copy

BAND = 96  # b
AT_A_TIME = 5  # shifts whose factors a thread makes together
PARTS = ("inverses", "below")


@dataclass(frozen=True)
class BandForm:
    """(1): the pairs V_i, Y_i, and the blocks of B, the last one filled up with rows of the identity."""

    reflections: list[tuple[Array, Array]]
    D: Array
    E: Array
    rows: int

    @classmethod
    def of(cls, K: Array, dtype: Any) -> Self:
        A = shifted_copy(K, 0.0, dtype)
        n, b = len(A), BAND
        reflections = reflections_of(A)
        count = -(-n // b)
        D, E = np.zeros((count, b, b), dtype), np.zeros((count, b, b), dtype)
        for k, at in enumerate(range(0, n, b)):
            stop = min(at + b, n)
            lower = np.tril(A[at:stop, at:stop])
            D[k, : stop - at, : stop - at] = lower + np.tril(lower, -1).T
            D[k, range(stop - at, b), range(stop - at, b)] = 1.0
            if k:
                E[k, : stop - at] = A[at:stop, at - b : at]
        return cls(reflections, D, E, n)

    def rotate(self, R: Array) -> Array:
        """QᵀR."""
        R = R.astype(self.D.dtype)
        for i, (V, Y) in enumerate(self.reflections):
            R[(i + 1) * BAND :] -= Y @ (V.T @ R[(i + 1) * BAND :])
        return R

    def rotate_back(self, R: Array) -> Array:
        """QR, in place."""
        for i in reversed(range(len(self.reflections))):
            V, Y = self.reflections[i]
            R[(i + 1) * BAND :] -= V @ (Y.T @ R[(i + 1) * BAND :])
        return R

    def transposed_factor(self) -> Array:
        """Qᵀ, filled up with rows of zeros to whole blocks; a column of Q before the rows of a Q_i is not changed by it."""
        out = np.zeros((len(self.D) * BAND, self.rows), self.D.dtype)

        def some(run: slice) -> None:
            columns = np.zeros((self.rows, run.stop - run.start), self.D.dtype)
            columns[np.arange(run.start, run.stop), np.arange(run.stop - run.start)] = 1.0
            for i in reversed(range(len(self.reflections))):
                at = (i + 1) * BAND
                if at < run.stop:
                    V, Y = self.reflections[i]
                    columns[at:] -= V @ (Y.T @ columns[at:])
            out[run] = columns.T

        for_each(some, runs(0, self.rows, RUN // 2))
        return out


def reflections_of(A: Array) -> list[tuple[Array, Array]]:
    """(2) for one panel of columns after the other: the pairs V_i, Y_i. The band stands in A afterwards."""
    starts = range(0, len(A) - BAND, BAND)
    found = [panel_reflections(A, 0)] if starts else []
    for at in starts[1:]:
        found.append(reflect_rest(A, at, *found[-1], then=panel_reflections))
    if starts:
        reflect_rest(A, starts[-1] + BAND, *found[-1], then=None)
    return found


def panel_reflections(A: Array, at: int) -> tuple[Array, Array]:
    """V and Y that make the columns from `at` on triangular below the band."""
    stop = at + BAND
    decompose, invert = linalg.get_lapack_funcs(("geqrf", "trtri"), (A,))
    packed, tau, _, _ = decompose(np.array(A[stop:, at:stop], order="F"), lwork=BAND * BAND, overwrite_a=True)
    width = len(tau)
    Y = np.ascontiguousarray(np.tril(packed[:, :width], -1))
    Y[range(width), range(width)] = 1.0
    A[stop:, at:stop] = 0.0
    A[stop : stop + width, at:stop] = np.triu(packed[:width])
    inner = np.triu(Y.T @ Y, 1)  # T⁻¹ = the part above the diagonal of YᵀY, with 1/τ on it
    inner[range(width), range(width)] = np.where(tau == 0, 1.0, 1.0 / np.where(tau == 0, 1.0, tau))
    T = np.triu(invert(inner, lower=0)[0])
    T[:, tau == 0] = 0.0
    return Y @ T, Y


def reflect_rest(A: Array, at: int, V: Array, Y: Array, then: Callable[[Array, int], Any] | None) -> Any:
    """(2) for the rows and columns M of A from `at` on, and what is done `then` with the panel that begins there: its columns
    come first, so that one thread can go on with them while others change the rest."""
    M, width = A[at:, at:], 0 if then is None else BAND
    cut = cut_of(at, len(M))
    left, right = rotation_factors(M, V, Y, cut)

    def change(tile: tuple[slice, slice]) -> None:
        a, b = tile
        M[a, b] -= left[a] @ right[:, b]

    def change_or_go_on(tile: tuple[slice, slice] | None) -> Any:
        return change(tile) if tile is not None else None if then is None else then(A, at)

    for_each(change, [(a, slice(0, width)) for a in cut if width])
    rest = [(a, slice(max(b.start, width), b.stop)) for a in cut for b in cut if b.start <= a.start and b.stop > width]
    followed, *_ = ordered_map(change_or_go_on, [None, *rest])
    return followed


def cut_of(at: int, size: int) -> list[slice]:
    """The rows or columns from `at` on in slices. Tiles above the diagonal are neither read nor written, so the cut has to be
    the same whatever `at` is, at multiples of RUN."""
    ends = [0, *range(RUN - at % RUN, size, RUN), size]
    return [slice(start, stop) for start, stop in pairwise(ends)]


def rotation_factors(M: Array, V: Array, Y: Array, cut: list[slice]) -> tuple[Array, Array]:
    """(W, Y) and (Y, W)ᵀ of (2), whose product is what M loses."""
    product, width = np.empty_like(V), Y.shape[1]
    left, right = np.empty((len(M), 2 * width), M.dtype), np.empty((2 * width, len(M)), M.dtype)

    def multiply_rows(run: slice) -> None:
        product[run] = M[run, : run.stop] @ V[: run.stop]
        product[run] += M[run.stop :, run].T @ V[run.stop :]

    for_each(multiply_rows, cut)
    half = 0.5 * (V.T @ product)

    def fill_rows(run: slice) -> None:
        W = product[run] - Y[run] @ half
        left[run] = np.concatenate([W, Y[run]], axis=1)
        right[:, run] = np.concatenate([Y[run], W], axis=1).T

    for_each(fill_rows, cut)
    return left, right


# ---- with shifts -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class BandFactors:
    """(3) of several shifts: L_k⁻¹ and S_k, an array for each block; which shifts make the matrix positive definite."""

    form: BandForm
    inverses: list[Array]
    below: list[Array]
    definite: Array

    @classmethod
    def of(cls, form: BandForm, shifts: Array) -> Self:
        parts: list[Any] = [None] * -(-len(shifts) // AT_A_TIME)

        def some(number: int) -> None:
            parts[number] = cls.of_few(form, shifts[number * AT_A_TIME : (number + 1) * AT_A_TIME])

        for_each(some, range(len(parts)))
        inverses, below = ([np.concatenate(b) for b in zip(*(getattr(p, n) for p in parts), strict=True)] for n in PARTS)
        return cls(form, inverses, below, np.concatenate([part.definite for part in parts]))

    @classmethod
    def of_few(cls, form: BandForm, shifts: Array) -> Self:
        definite = np.ones(len(shifts), bool)
        shift = shifts.astype(form.D.dtype)[:, None, None] * np.eye(BAND, dtype=form.D.dtype)
        inverses: list[Array] = []
        below: list[Array] = []
        for D, E in zip(form.D, form.E, strict=True):
            S = E @ inverses[-1].transpose(0, 2, 1) if inverses else np.zeros_like(shift)
            inverses.append(inverse_factors(D + shift - S @ S.transpose(0, 2, 1), definite))
            below.append(S)
        return cls(form, inverses, below, definite)

    def solve(self, R: Array, numbers: Array) -> Array:
        """(4): (K + αI)⁻¹R, each column with the shift of its number."""
        form = self.form
        blocks = np.zeros((len(form.D) * BAND, R.shape[1]), form.D.dtype)
        blocks[: form.rows] = form.rotate(R)
        Z = np.ascontiguousarray(blocks.reshape(len(form.D), BAND, -1).transpose(0, 2, 1)[..., None])
        for k in range(len(Z)):
            if k:
                Z[k] -= self.below[k][numbers] @ Z[k - 1]
            Z[k] = self.inverses[k][numbers] @ Z[k]
        for k in reversed(range(len(Z))):
            if k + 1 < len(Z):
                Z[k] -= self.below[k + 1][numbers].transpose(0, 2, 1) @ Z[k + 1]
            Z[k] = self.inverses[k][numbers].transpose(0, 2, 1) @ Z[k]
        solved = Z[..., 0].transpose(0, 2, 1).reshape(-1, R.shape[1])[: form.rows]
        return form.rotate_back(np.ascontiguousarray(solved))

    def inverse_diagonal(self, number: int, across: Array) -> Array:
        """(4): the diagonal of (K + αI)⁻¹ for one of the shifts; `across` is Qᵀ of `transposed_factor`."""
        out = np.zeros(self.form.rows)

        def columns(run: slice) -> None:
            before = across[:BAND, run]
            for k in range(len(self.inverses)):
                rest = across[k * BAND : (k + 1) * BAND, run]
                before = self.inverses[k][number] @ (rest - self.below[k][number] @ before if k else rest)
                out[run] += np.einsum("ij,ij->j", before, before)

        for_each(columns, runs(0, self.form.rows))
        return out


def inverse_factors(A: Array, definite: Array) -> Array:
    """L⁻¹ of each matrix, the identity where it is not positive definite, which is noted."""
    try:
        return np.linalg.inv(np.linalg.cholesky(A))
    except np.linalg.LinAlgError:
        for j in range(len(A)):
            try:
                np.linalg.cholesky(A[j])
            except np.linalg.LinAlgError:
                definite[j] = False
                A[j] = np.eye(A.shape[1], dtype=A.dtype)
        return np.linalg.inv(np.linalg.cholesky(A))
