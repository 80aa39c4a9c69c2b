"""The singular value decomposition as it is taught, beside the one that keeps its digits.

    AᵀA = V Γ Vᵀ,     Λ² = the r eigenvalues that are not 0,     V = (V₁ V₂)                                   (1)
    U₁ = A V₁ Λ⁻¹,     U = (U₁ U₂), completed to an orthogonal matrix                                          (2)
    A = U D Vᵀ = U₁ Λ V₁ᵀ = G Hᵀ,     G = U₁,     H = V₁ Λ;     A = Σ_{i≤r} λ_i u_i v_iᵀ                        (3)

(1) squares: an eigenvalue is right to ε·λ₁², so λ_i keeps −log₁₀(ε·(λ₁/λ_i)²/2) digits. A method that works on A itself keeps
−log₁₀(ε·λ₁/λ_i). The difference is log₁₀(λ₁/λ_i): half of all digits at λ_i = 10⁻⁸·λ₁, where (1) sees nothing but rounding.

Cost: n·d² and of the order of d³; with U, which is n × n, also n²·r. For small matrices.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy import linalg

from aprendiz.core.rows import Array
from aprendiz.core.short_repr import ShortRepr
from aprendiz.decomposition.svd.singular_space import EPS, upright
from aprendiz.locale import _, number


@dataclass(frozen=True, repr=False)
class SVD(ShortRepr):
    """U, the singular values, and V as columns; the first r columns belong to values that are not 0."""

    U: Array
    singular_values: Array
    V: Array

    @property
    def rank(self) -> int:
        """r."""
        return len(self.singular_values)

    @property
    def G(self) -> Array:
        """G of (3)."""
        return self.U[:, : self.rank]

    @property
    def H(self) -> Array:
        """H of (3)."""
        return self.V[:, : self.rank] * self.singular_values

    def terms(self) -> Iterator[Array]:
        """The matrices λ_i u_i v_iᵀ of (3), the largest first."""
        for g, h in zip(self.G.T, self.H.T, strict=True):
            yield np.outer(g, h)

    def error(self, A: Array) -> float:
        """‖A − G Hᵀ‖ as a part of ‖A‖."""
        return float(linalg.norm(A - self.G @ self.H.T) / max(linalg.norm(A), 1e-300))

    def orthogonality(self) -> float:
        """Largest entry of |UᵀU − I|, of the columns that belong to values that are not 0."""
        return float(np.abs(self.G.T @ self.G - np.eye(self.rank)).max(initial=0.0))


@dataclass(frozen=True, repr=False)
class Explanation(ShortRepr):
    """Both decompositions of one matrix, and what squaring has cost."""

    A: Array
    taught: SVD
    stable: SVD

    @property
    def condition(self) -> float:
        """λ₁/λ_r."""
        S = self.stable.singular_values
        return float(S[0] / S[-1]) if len(S) else 1.0

    @property
    def digits_lost(self) -> float:
        """log₁₀ of the condition number: digits of the smallest value that squaring takes."""
        return float(np.log10(self.condition))

    @property
    def digits(self) -> Array:
        """Digits that the taught values share with the stable ones; 0 for those that were not found."""
        S, found = self.stable.singular_values, np.zeros(self.stable.rank)
        common = self.taught.singular_values[: len(S)]
        found[: len(common)] = common
        return np.clip(-np.log10(np.maximum(np.abs(found - S) / S, EPS)), 0.0, None)

    def __str__(self) -> str:
        title = _("condition number {condition}, {lost} digits lost by squaring").format(
            condition=number(self.condition, 3), lost=number(self.digits_lost, 2)
        )
        head = (_("stable"), _("as taught"), _("common digits"))
        taught = [*self.taught.singular_values, *[0.0] * self.stable.rank]
        rows = [
            (number(s, 6), number(t, 6), number(digits, 2))
            for s, t, digits in zip(self.stable.singular_values, taught, self.digits, strict=False)
        ]
        tail = [
            (_("error of U₁ΛV₁ᵀ"), number(self.stable.error(self.A), 2), number(self.taught.error(self.A), 2)),
            (_("U₁ᵀU₁ − I"), number(self.stable.orthogonality(), 2), number(self.taught.orthogonality(), 2)),
        ]
        lines = [f"{a:>16} {b:>16} {c:>16}" for a, b, c in (head, *rows)]
        return "\n".join([title, *lines, *(f"{name}: {a} ({head[0]}), {b} ({head[1]})" for name, a, b in tail)])


def explain(A: Array) -> Explanation:
    """(1) and (2), beside LAPACK's decomposition of A itself."""
    return Explanation(A, as_taught(A), stable(A))


def as_taught(A: Array) -> SVD:
    """By the eigenvectors of AᵀA."""
    gamma, V = linalg.eigh(A.T @ A)
    gamma, V = gamma[::-1], upright(V[:, ::-1].T).T
    r = min(int((gamma > len(gamma) * EPS * gamma[0]).sum()), *A.shape)
    values = np.sqrt(gamma[:r])
    U = A @ V[:, :r] / values
    return SVD(completed(U), values, V)


def stable(A: Array) -> SVD:
    """By Householder's reflections, which square nothing."""
    U, values, V = linalg.svd(A, full_matrices=True)
    r = int((values > max(A.shape) * EPS * values[0]).sum())
    signed = upright(V)
    U[:, : len(values)] *= np.where((signed * V).sum(axis=1) < 0, -1.0, 1.0)[: len(values)]
    return SVD(U, values[:r], signed.T)


def completed(U: Array) -> Array:
    """The columns, and more at right angles to them (Gram and Schmidt's, by reflections)."""
    Q = linalg.qr(U)[0]
    return np.column_stack([U, Q[:, U.shape[1] :]])
