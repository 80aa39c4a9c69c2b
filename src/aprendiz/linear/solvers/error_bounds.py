"""How far the coefficients of least squares may be from those of the data as they are: bounds on |ŵ − w|.

With Z the centred columns (rows times √ω), c the centred target, A = ZᵀZ (+ αI) = RᵀR and r = c − Zw, sums of rounded numbers
are the exact sums of columns that are off by at most η·Nⱼ, Nⱼ the length of column j around the pivot. To first order in η,

    triangle            |ŵ − w|ⱼ ≤ η·(ρⱼ·S + Σₖ |A⁻¹|ⱼₖ Nₖ·‖r‖),     ρⱼ = √(A⁻¹)ⱼⱼ,  S² = N_y² + Σₖ (Nₖ wₖ)²   (1)
    normal equations    |ŵ − w|ⱼ ≤ η·Σₖ |A⁻¹|ⱼₖ Nₖ·S                                                          (2)
    polished            |ŵ − w|ⱼ ≤ |s|ⱼ + ρⱼ·2θ‖R·s‖ + Σₖ |A⁻¹|ⱼₖ δₖ + ε|ŵⱼ|,     θ = η·Σₖ ρₖNₖ                 (3)

where s is the last correction (its first term is gone once it has been made) and δ is the rounding of a gradient that was
summed with twice the digits (exact_residuals.py),

    δₖ = ε²·‖zₖ‖·((d + 8)·S₀ + m·‖r‖) + |x̄ₖ rounded − x̄ₖ|·|Σ ω r|,     S₀ = ‖y‖ + √Ω|b| + Σₗ ‖xₗ‖|wₗ|              (4)

η = ε·(8 + m/2), m the rows of a block: the worst case of a sum of m terms, whatever their signs, their order and the BLAS that
adds them, and of the few operations before and after it. One large row beside many that are lost in its rounding comes near it.
Of a triangle one thing more is taken for granted: that its d reflections do not all err in the same direction, which could
make η d times as large. tests/hostile searches for tables that break the bounds.

Where the numbers are rounded before they are summed (logarithms of cells: curve_fit.py), columns and target off by at most eₖ
and e_y, each of the three grows by

    ρⱼ·f + Σₖ |A⁻¹|ⱼₖ eₖ·(‖r‖ + f),     f = e_y + Σₖ eₖ|wₖ|                                                      (6)

Where columns depend on others, or coefficients may not be negative, no digits are claimed, but that w is stationary:

    |zⱼᵀr| ≤ 10⁻⁸·‖zⱼ‖‖c‖  for every column that varies;  zⱼᵀr ≤ 10⁻⁸·‖zⱼ‖‖c‖ is enough where a bound holds wⱼ = 0   (5)

Columns and targets shorter than 10⁻¹⁴⁰ or longer than 10¹⁴⁰ are promised nothing: their products leave the range of doubles.

Reference: Higham, "Accuracy and stability of numerical algorithms", 2nd ed., chapters 3, 10, 12 and 20.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from scipy import linalg

from aprendiz.core.certificate import Certificate
from aprendiz.core.rows import MOST_ROWS, Array

EPS = float(np.finfo(float).eps)

ENOUGH = 1e-8  # relative error up to which a certificate holds

NARROW = 256  # columns up to which A⁻¹ is computed entry by entry

SMALLEST, LARGEST = 1e-140, 1e140

DIGITS = "the coefficients, in units of their columns, are right to at least eight digits"
STATIONARY = "the residuals are at right angles to every column, to at least eight digits"


def error_of_sums(rows: int) -> float:
    """η, as a part of the sizes that were added."""
    return EPS * (8.0 + min(rows, MOST_ROWS) / 2.0)


class Accuracy(NamedTuple):
    """What is proved of the coefficients."""

    digits: float  # of the coefficient that has the fewest
    error: float  # the largest |ŵ − w|ⱼ‖zⱼ‖, as a part of the larger of ‖c‖ and the largest |wⱼ|‖zⱼ‖


NOTHING = Accuracy(0.0, np.inf)


class Polish(NamedTuple):
    """What is left of each target after the last correction (3)."""

    step: Array  # the correction that was found and not made
    rest: Array  # 2θ‖R·step‖ of the last one that was found
    sum: Array  # |Σ ω r|
    penalty: float


class Rough(NamedTuple):
    """e of (6): how far columns and targets are from what they stand for."""

    columns: Array
    targets: Array

    def fitted(self, W: Array) -> Array:
        """f of (6)."""
        return np.asarray(self.targets + self.columns @ np.abs(W))


@dataclass(frozen=True)
class Evidence:
    """What the bounds need to know beside the answer: lengths around the pivot and around the mean of columns and targets,
    rows that were added up, and ‖r‖ of each target. `squared`: (2) instead of (1). `off`: (5) instead of digits."""

    N: Array
    N_y: Array
    z: Array
    c: Array
    rows: int
    residual: Array
    squared: bool = False
    off: float | None = None
    polish: Polish | None = None
    given: Array | None = None  # |ŵ − w|, where it follows from other sums (ridge_solution.py)
    rough: Rough | None = None

    @property
    def eta(self) -> float:
        return error_of_sums(self.rows)

    @property
    def ordinary(self) -> bool:
        """Are the products of all lengths ordinary numbers?"""
        sizes = np.concatenate([self.N, self.N_y, self.z, self.c])
        return bool(((sizes == 0) | ((sizes >= SMALLEST) & (sizes <= LARGEST))).all())

    def size(self, W: Array) -> Array:
        """S."""
        return np.sqrt(self.N_y**2 + ((self.N[:, None] * W) ** 2).sum(axis=0))

    def stationary(self, gradient: Array, W: Array, bounded: bool = False) -> float:
        """The left side of (5) as a part of its right side, rounding included; `gradient` is Zᵀr as it was computed."""
        there = (self.z > 0)[:, None] & (self.c > 0)
        wrong = np.where((W == 0) & bounded, np.maximum(gradient, 0.0), np.abs(gradient))
        wrong = wrong + self.eta * self.N[:, None] * (self.size(W) + self.residual)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            parts = wrong / self.z[:, None] / self.c
        found = float(np.max(parts, initial=0.0, where=there))
        return found if np.isfinite(W).all() and np.isfinite(found) and self.ordinary else np.inf

    def accuracy(self, W: Array, b: Array, inverse: Inverse, mean: Array, weight: float) -> Accuracy:
        """(1), (2) or (3)."""
        theta = self.eta * float(inverse.rho @ self.N)
        if not (np.isfinite(W).all() and self.ordinary and theta < 0.05):
            return NOTHING
        if self.polish is not None:
            wrong = self.after_polish(self.polish, W, b, inverse, mean, weight)
        elif self.squared:
            if theta * float(inverse.rho @ self.N) > 0.05:
                return NOTHING
            wrong = self.eta * inverse.times(self.N)[:, None] * self.size(W)
        else:
            size = self.size(W)
            wrong = self.eta * (
                inverse.rho[:, None] * size + inverse.times(self.N)[:, None] * (self.residual + self.eta * size)
            )
        if self.rough is not None:
            if float(inverse.rho @ self.rough.columns) > 0.05:
                return NOTHING
            f = self.rough.fitted(W)
            wrong = wrong + inverse.rho[:, None] * f + inverse.times(self.rough.columns)[:, None] * (self.residual + f)
        return self.judged(1.25 * wrong, W)

    def roughened(self, rough: Rough, W: Array) -> Evidence:
        """The same of numbers that were rounded before: (6), or what they add to (5)."""
        if self.off is None:
            return replace(self, rough=rough)
        there, f = (self.z > 0)[:, None] & (self.c > 0), rough.fitted(W)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            more = (rough.columns[:, None] / self.z[:, None] * (self.residual + f) + f) / self.c
        return replace(self, off=self.off + float(np.max(more, initial=0.0, where=there)))

    def after_polish(self, polish: Polish, W: Array, b: Array, inverse: Inverse, mean: Array, weight: float) -> Array:
        """(3)."""
        root, d = float(np.sqrt(weight)), len(W)
        whole = self.c + 2.0 * root * np.abs(b) + (self.z + 2.0 * root * np.abs(mean)) @ np.abs(W)  # S₀
        delta = EPS**2 * self.z[:, None] * ((d + 8) * whole + min(self.rows, MOST_ROWS) * self.residual)
        delta += self.eta * (np.abs(mean) + self.N / root)[:, None] * polish.sum + EPS * polish.penalty * np.abs(W)
        return polish.step + inverse.rho[:, None] * polish.rest + inverse.times(delta) + EPS * np.abs(W)

    def judged(self, wrong: Array, W: Array) -> Accuracy:
        """How many digits errors of at most `wrong` leave."""
        size = np.abs(W)
        with np.errstate(divide="ignore", invalid="ignore"):
            each = np.where(wrong > 0, wrong / size, 0.0)
            scale = np.maximum((size * self.z[:, None]).max(axis=0, initial=0.0), self.c)
            error = np.where(wrong > 0, wrong * self.z[:, None] / scale, 0.0)
        worst = float(np.max(each, initial=EPS))
        return Accuracy(max(0.0, -float(np.log10(worst))), float(np.max(error, initial=EPS)))


class Inverse:
    """|A⁻¹| and ρ, for A = scale·RᵀR·scale, the columns of R in this order; of many columns a bound that follows from an
    estimate of the condition number."""

    def __init__(self, R: Array, order: Array, scale: Array, condition: float):
        d, self.whole = len(scale), None
        if d > NARROW:
            self.rho = 3.0 * np.sqrt(d) * condition / scale
            return
        root = np.empty((d, d))
        root[order] = linalg.lapack.dtrtri(R)[0] if not np.tril(R, -1).any() else np.linalg.inv(R)
        root /= scale[:, None]
        self.whole = np.abs(root @ root.T)
        self.rho = np.sqrt(np.diagonal(self.whole))

    def times(self, f: Array) -> Array:
        """|A⁻¹|·f."""
        return np.multiply.outer(self.rho, self.rho @ f) if self.whole is None else self.whole @ f


def lengths(Z: Array) -> Array:
    """‖z‖ of each column, without squares that overflow or vanish."""
    largest = np.abs(Z).max(axis=0, initial=0.0)
    largest[largest == 0] = 1.0
    Z = Z / largest
    return np.asarray(largest * np.sqrt(np.einsum("ij,ij->j", Z, Z)))


def certificate_of(evidence: Evidence, accuracy: Accuracy, condition: float, rank: int) -> Certificate:
    """Digits, or (5)."""
    if evidence.off is not None:
        known = {"digits": 0.0, "off": evidence.off, "condition": condition, "rank": rank}
        return Certificate(STATIONARY, evidence.off <= ENOUGH, known)
    known = {"digits": accuracy.digits, "error": accuracy.error, "condition": condition, "rank": rank}
    return Certificate(DIGITS, accuracy.error <= ENOUGH, known)
