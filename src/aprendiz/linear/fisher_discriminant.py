"""Fisher's discriminant: the directions along which the class means lie far apart in units of the spread within classes.

    S_D = Σ_k p_k S_k     scatter within the classes (p_k = 1 unless given; S_k in class_scatter.py)
    S_E = Σ_k n_k (m_k − m)(m_k − m)ᵀ     scatter between them; with all p_k = 1, S_D + S_E is the scatter of all rows
    S_E v = λ S_D v,      λ₁ ≥ λ₂ ≥ …     at most K − 1 of them are not 0                                        (1)

Two classes have one direction, the one that maximises

    J(a) = (aᵀ(m₀ − m₁))² / aᵀS_D a,      a ∝ S_D⁻¹(m₀ − m₁),      λ = J·n₀n₁/(n₀ + n₁)                          (2)

and are told apart by the Stoller cut of the projected rows (stoller_cut.py). More classes are told apart in the space of the
first r directions, by the nearest projected class mean; directions have unit variance within classes, so that the distance
there is the one in which the classes are round.

A direction v in which no class varies while the means differ, S_D v = 0 ≠ S_E v, tells classes apart without an error: λ = ∞,
the limit of (1) for S_D + εI, ε → 0. These directions come first; the others solve (1) for what S_E holds beyond them,

    v ↦ v − N(BN)⁺Bv,     S_E = BᵀB,  N the directions with λ = ∞                                                (3)

With fewer rows than columns every labelling has such directions, and they say nothing: only whole columns that are constant in
each class count then, and the pseudo-inverse of S_D stands in for the rest.

Cost: two passes, n·d² multiplications and of the order of d³, memory d²; with n ≤ d, n²·d and n·d. Two classes: one more pass,
and one number for each row.
Reference: Fisher, "The use of multiple measurements in taxonomic problems", Annals of Eugenics 7, 1936; Rao, JRSS B 10, 1948.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import linalg
from sklearn.base import ClassNamePrefixFeaturesOutMixin

from aprendiz.core.certificate import Certificate
from aprendiz.core.learner import Passes, Transformer
from aprendiz.core.parameters import ArrayLike, Count
from aprendiz.core.rows import Array, Rows
from aprendiz.linear.designs.class_scatter import ClassMeans, reference
from aprendiz.linear.shared.binary_classifier import signed_weights
from aprendiz.linear.shared.linear_classifier import LinearClassifier
from aprendiz.linear.solvers.best_cut import Cut, best_cut

EPS = float(np.finfo(float).eps)
RANK = 1e-13  # eigenvalues of S_D below this part of the largest are rounding
NEGLIGIBLE = 1e-9  # an eigenvalue λ below this, or below this part of λ₁ < 1, tells nothing apart; its inverse stands for λ = ∞
VANISHING = 1e-150  # numbers whose squares are none
SEPARATING = 1e6 * RANK  # S_E beyond this, in units of the largest eigenvalue of S_D, where S_D is rounding: λ = ∞
SMALLEST = 1e-140  # deviation whose square has all its digits


class FisherDiscriminant(ClassNamePrefixFeaturesOutMixin, LinearClassifier, Transformer, Passes):
    """Fisher's linear discriminant (a classifier, and a projection on the directions that tell classes apart).

    Parameters
    ----------
    n_components : int or None, default=None
        r, the number of directions; None for all whose λ is not negligible, at most one less than there are classes.
    weights : array of shape (n_classes,) or None, default=None
        p_k in the order of `classes_`: how much the scatter of each class counts in S_D.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    scalings_ : ndarray of shape (n_features, r)
        v of (1), each with variance 1 within the classes; where λ = ∞, a very small variance takes the place of none.
    eigenvalues_, explained_ratio_ : ndarray of shape (r,)
        λ of (1), infinite first, and its share of the sum of all.
    J_ : float
        J of (2) for two classes, else λ₁.
    means_ : ndarray of shape (n_classes, n_features)
        m_k.
    class_count_ : ndarray of shape (n_classes,)
        n_k: rows (or weight) of each class.
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
    intercept_ : ndarray of shape (1,) or (n_classes,)
        The rule as t = xᵀw + b: positive for the second of two classes, else largest for the class that is predicted.
    within_, between_ : ndarray of shape (n_features, n_features) or None
        S_D and S_E; None where there are no more rows than columns, since neither is formed.
    certificate_ : Certificate
        How well (1) is solved, the rank of S_D, the number of directions with λ = ∞, and the share of S_E in directions
        without variance that are not used.
    """

    scalings_: Array
    means_: Array
    class_count_: Array

    def __init__(self, n_components: Count | None = None, *, weights: ArrayLike | None = None):
        self.n_components = n_components
        self.weights = weights

    def learned(self, rows: Rows) -> dict[str, Any]:
        assert rows.labels is not None
        centres = ClassMeans.of(rows)
        n, B = centres.weight, centres.between_rows()
        share = self.shares(len(n))
        within = WithinScatter.of(rows, centres, share, B)
        spread = DiscriminantDirections.of(within.or_all_alike(B), B)
        r = self.choose_number(spread)
        scalings = spread.directions[:, :r] * np.sqrt(share @ n)
        scalings *= upright(scalings, centres.offset)
        found = {
            "classes_": rows.labels,
            "scalings_": scalings,
            "eigenvalues_": spread.values[:r],
            "explained_ratio_": shares_of(spread.values)[:r],
            "means_": centres.means,
            "class_count_": n,
            "within_": within.scatter,
            "between_": None if within.scatter is None else B.T @ B,
            "certificate_": spread.certificate,
        }
        if len(n) > 2:
            return {**found, **nearest_mean(scalings, centres), "J_": float(spread.values[0])}
        return {**found, **cut_along(rows, scalings[:, 0], centres), "J_": float(spread.values[0] * n.sum() / (n[0] * n[1]))}

    def shares(self, classes: int) -> Array:
        """p_k."""
        if self.weights is None:
            return np.ones(classes)
        share = np.asarray(self.weights, dtype=np.float64)
        if share.shape != (classes,):
            raise ValueError(
                f"weights must hold a number for each of the {classes} classes, got an array of shape {share.shape}."
            )
        if not (np.isfinite(share).all() and (share >= 0).all() and share.any()):
            raise ValueError(f"weights must be finite numbers of at least 0, and not all 0, got {share.tolist()}.")
        return share

    def choose_number(self, spread: DiscriminantDirections) -> int:
        """r."""
        if self.n_components is None:
            rounding = (1000 * EPS) ** 2 * spread.scale
            return max(1, int(np.count_nonzero(spread.values > max(NEGLIGIBLE * min(spread.scale, 1.0), rounding))))
        if self.n_components > (most := len(spread.values)):
            raise ValueError(
                f"n_components={self.n_components} must be at most {most}, the number of directions: ask for fewer."
            )
        return int(self.n_components)

    def change(self, X: Array) -> Array:
        return ((X - self.middle()) @ self.scalings_).astype(X.dtype, copy=False)

    def middle(self) -> Array:
        """m."""
        share = self.class_count_ / self.class_count_.sum()
        return self.means_[0] + share @ (self.means_ - self.means_[0])

    @property
    def _n_features_out(self) -> int:
        return int(self.scalings_.shape[1])


# ---- (1) -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class WithinScatter:
    """S_D in units of the columns: S = FᵀF or S itself, its eigenvectors V with eigenvalues s² that are not 0."""

    unit: Array
    V: Array
    s: Array
    form: Array
    scatter: Array | None  # in the units of the table, where it was formed
    flat: Array  # columns that are constant in each class, but not in all
    dependent: bool  # do the columns that vary depend on each other, though there are rows enough?
    alike: bool = False  # whether no class varies where the class means differ

    @classmethod
    def of(cls, rows: Rows, centres: ClassMeans, share: Array, B: Array) -> WithinScatter:
        rounding = 8.0 * EPS * np.abs(centres.means).max(axis=0) * np.sqrt(share @ centres.weight)
        if centres.rows > rows.columns:
            scatter = centres.within_scatter(rows, share)
            unit, varies = units(np.sqrt(np.diag(scatter)), rounding, B)
            S = np.where(varies[:, None] & varies, scatter / unit / unit[:, None], 0.0)
            values, vectors = linalg.eigh(S, check_finite=False)
            kept = values > RANK * max(values[-1], 1e-300)
            dependent = bool(kept.sum() < varies.sum() <= centres.rows - len(B))
            return cls(unit, vectors[:, kept], np.sqrt(values[kept]), S, scatter, ~varies & np.isfinite(unit), dependent)
        Z = centres.within_rows(rows, share)
        largest = np.maximum(np.abs(Z).max(axis=0), 1e-300)
        unit, varies = units(largest * np.sqrt(np.square(Z / largest).sum(axis=0)), rounding, B)
        Z = np.where(varies, Z / unit, 0.0)
        _, s, V = linalg.svd(Z, full_matrices=False, check_finite=False)
        kept = s > max(Z.shape) * EPS * max(s[0], 1e-300)
        return cls(unit, V[kept].T, s[kept], Z, None, ~varies & np.isfinite(unit), False)

    def times(self, v: Array) -> Array:
        """S v."""
        return self.form.T @ (self.form @ v) if self.scatter is None else self.form @ v

    def without_variance(self, rows: Array) -> Array:
        """The part of some rows, in units of the columns, along the directions in which no class is known to vary."""
        return rows - rows @ self.V @ self.V.T if self.dependent else np.where(self.flat, rows, 0.0)

    def or_all_alike(self, B: Array) -> WithinScatter:
        """Itself; where the class means differ in no direction that counts, every direction as if it varied alike."""
        scaled = B / self.unit
        if np.any(scaled @ self.V) or np.any(self.without_variance(scaled)):
            return self
        d = B.shape[1]
        return WithinScatter(span(B), np.eye(d), np.ones(d), np.eye(d), self.scatter, np.zeros(d, bool), False, alike=True)


@dataclass(frozen=True)
class DiscriminantDirections:
    """Solutions of (1) with vᵀS_D v = 1, as columns, largest λ first; with λ = ∞ as if it were scale/NEGLIGIBLE."""

    values: Array
    directions: Array
    scale: float  # the largest λ that is not infinite, if S_E is taken whole; 1 at least where some are infinite
    certificate: Certificate

    @classmethod
    def of(cls, within: WithinScatter, B: Array) -> DiscriminantDirections:
        """(1) in the span of V, where with u = s·Vᵀv it is an ordinary problem: the singular values of the means. The
        certificate: in units of S_D no entry of S_E v − λ S_D v is above 10⁻⁸ of the largest λ, and no column varies so little
        that squares lose digits. Directions outside V are not searched: `unused` is what they hold of the differences of the
        class means."""
        scaled, most = B / within.unit, len(B) - 1
        T = within.V / within.s
        _, sigma, Q = singular(scaled @ T, most)
        scale = float(sigma[0] ** 2) if len(sigma) else 0.0
        U, between, N = perfect_directions(within, scaled, most)
        if len(N):
            _, sigma, Q = singular((scaled - U @ (U.T @ scaled)) @ T, most - len(N))
            scale = max(scale, 1.0)
        v, values = T @ Q.T, sigma**2
        v -= N.T @ ((U.T @ (scaled @ v)) / between[:, None])  # (3)
        off = T.T @ (scaled.T @ (scaled @ v) - values * within.times(v))
        everywhere = B / np.where(np.isfinite(within.unit), within.unit, span(B))
        outside = everywhere - everywhere @ within.V @ within.V.T - everywhere @ N.T @ N
        known = {
            "largest": np.inf if len(N) else float(values[0]),
            "residual": float(np.abs(off).max(initial=0.0) / max(scale, 1e-300)),
            "rank": 0 if within.alike else len(within.s),
            "infinite": len(N),
            "unused": float(np.square(outside).sum() / max(np.square(everywhere).sum(), 1e-300)),
        }
        claim = "the directions solve S_E v = λ S_D v wherever a class varies"
        if within.alike:
            claim = "no class varies where the class means differ: the directions are those of the means"
        ordinary = bool((within.unit >= SMALLEST).all())
        certificate = Certificate(claim, known["residual"] <= 1e-8 and ordinary, known)
        first = N.T / (between * np.sqrt(NEGLIGIBLE / max(scale, 1e-300)))
        directions = np.column_stack([first, v]) / within.unit[:, None]
        return cls(np.append(np.full(len(N), np.inf), values), directions, scale, certificate)


def perfect_directions(within: WithinScatter, scaled: Array, most: int) -> tuple[Array, Array, Array]:
    """The singular values of the means along directions with λ = ∞, which are the rows of the third, and their vectors."""
    if not (within.dependent or within.flat.any()):
        return np.empty((len(scaled), 0)), np.empty(0), np.empty((0, scaled.shape[1]))
    U, between, N = singular(within.without_variance(scaled), most)
    rounding = (1000 * EPS * float(np.linalg.norm(scaled))) ** 2
    perfect = between**2 > max(SEPARATING * float(within.s.max(initial=0.0)) ** 2, rounding)
    return U[:, perfect], between[perfect], N[perfect]


def singular(A: Array, count: int) -> tuple[Array, Array, Array]:
    """The singular value decomposition of A, the largest values alone."""
    if not A.size or not count:
        return np.empty((len(A), 0)), np.empty(0), np.empty((0, A.shape[1]))
    U, s, V = linalg.svd(A, full_matrices=False, check_finite=False)
    return U[:, :count], s[:count], V[:count]


def shares_of(values: Array) -> Array:
    """The share of each λ in their sum; infinite ones share alike."""
    if np.isinf(values[0]):
        return np.isinf(values) / np.isinf(values).sum()
    return np.asarray(values / max(values.sum(), 1e-300))


def units(spread: Array, rounding: Array, B: Array) -> tuple[Array, Array]:
    """The unit of each column, and whether it varies within classes: its spread there; where that is rounding the difference of
    the class means; infinite, so that the column has no say, where that is rounding too, or so small that squares vanish."""
    between = np.abs(B).max(axis=0)
    varies = spread > rounding
    return np.where(varies, spread, np.where(between > np.maximum(rounding, VANISHING), between, np.inf)), varies


def span(B: Array) -> Array:
    """The largest difference of a class mean from m, column by column; 1 where there is none."""
    largest = np.abs(B).max(axis=0)
    return np.where(largest > 0, largest, 1.0)


def upright(directions: Array, offset: Array) -> Array:
    """Signs: along each direction, the class mean farthest from the first one is above it."""
    along = (offset - offset[0]) @ directions
    farthest = along[np.abs(along).argmax(axis=0), np.arange(along.shape[1])]
    return np.where(farthest < 0, -1.0, 1.0)


# ---- the rules -------------------------------------------------------------------------------------------------------


def nearest_mean(scalings: Array, centres: ClassMeans) -> dict[str, Any]:
    """t_k = cᵀVᵀ(x − m) − ½‖c‖², c = Vᵀ(m_k − m): largest for the class whose projected mean is nearest; a class mean takes the
    place of m where that is far from most classes."""
    C = (centres.offset - centres.middle) @ scalings
    middle = reference(centres.offset, centres.middle, C @ C.T)
    C = (centres.offset - middle) @ scalings
    W = C @ scalings.T
    return {"coef_": W, "intercept_": -0.5 * (C**2).sum(axis=1) - W @ middle - W @ centres.pivot}


def cut_along(rows: Rows, v: Array, centres: ClassMeans) -> dict[str, Any]:
    """t = ±(vᵀ(x − m) − c), c the Stoller cut of the projected rows."""
    middle = centres.middle @ v
    z = rows.each(lambda block: (block.X - centres.pivot) @ v - middle)
    signed = signed_weights(rows)
    side, c = finite_cut(best_cut(z[:, None], signed), z[signed != 0])
    return {"coef_": side * v[None, :], "intercept_": np.array([-side * (c + middle + centres.pivot @ v)])}


def finite_cut(cut: Cut, z: Array) -> tuple[int, float]:
    """Orientation and threshold; where one class is said of all rows, a threshold one deviation beyond them, on the side that
    keeps the order of the scores."""
    if np.isfinite(cut.threshold):
        return cut.orientation, cut.threshold
    return 1, float(z.max()) + 1.0 if cut.orientation > 0 else float(z.min()) - 1.0
