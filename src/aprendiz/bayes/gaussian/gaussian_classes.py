"""The discriminant family: classes that are normal, each with a mean, a covariance and a prior.

    log P(k, x) = log π_k − ½·[d·log 2π + log|Σ_k| + (x − μ_k)ᵀΣ_k⁻¹(x − μ_k)]                                   (1)

Bayes' rule and (1) decide; where all Σ_k are the same Σ, the quadratic parts cancel, and the frontiers are planes:

    δ_k(x) = log π_k + (x − m)ᵀw_k − ½(μ_k − m)ᵀw_k,     w_k = Σ⁻¹(μ_k − m),     m = Σ_k π_k μ_k                 (2)

The members of the family differ in one thing alone, what they take for Σ_k, given n_k, the means and the scatter S_k of the
rows of each class (class_moments.py); the number of parameters, without priors, falls from line to line:

    quadratic         S_k/n_k                                                          K·(d + d(d+1)/2)
    regularized       (1 − γ)·[(1 − λ)·S_k/n_k + λ·S/n] + γ·(trace/d)·I                the same
    linear            S/n,  S = Σ_k S_k                                                K·d + d(d+1)/2
    diagonal          the diagonal of S/n (or of each S_k/n_k)                         K·d + d (or 2·K·d)
    nearest mean      σ²·I                                                             K·d + 1, or K·d without priors

A direction in which a class does not vary, as there are with fewer rows than columns, or with a column that is constant in the
class, is taken to have a very small variance; the certificate then does not hold, and names the class.

(2) is a difference of numbers of the size of the largest squared distance between means. Where a class lies so far away that
this would cost the digits by which the others differ, the distances of (1) are taken from each mean by itself.

Being generative, all of them draw new rows; rows of small p(x) = Σ_k P(k, x) are outliers.

Cost: one pass, n·d²/2 multiplications; K·d³ for the axes; prediction n·K·d², or n·K·d with planes.
Reference: Hastie, Tibshirani & Friedman, "The elements of statistical learning", 2nd ed., section 4.3.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import logsumexp
from sklearn.utils.validation import check_is_fitted

from aprendiz.bayes.gaussian.class_moments import ClassMoments, ClassRows, class_statistic
from aprendiz.bayes.gaussian.class_spread import ClassSpread
from aprendiz.bayes.gaussian.ellipsoid import FAR, Ellipsoid
from aprendiz.bayes.naive.independent_columns import checked_priors, log_posterior
from aprendiz.core.arriving_classes import ArrivingClasses
from aprendiz.core.certificate import Certificate
from aprendiz.core.parameters import refuse_count
from aprendiz.core.precision import double, in_dtype_of
from aprendiz.core.random import draw_seed
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.targets import plain

EPS = float(np.finfo(float).eps)
NOTHING = 1e-9  # of the largest variance: what stands for none
Statistic = ClassMoments | ClassRows


@dataclass(frozen=True)
class Quadratics:
    """x ↦ xᵀWx + wᵀx + w₀ of each class, equal to log P(k, x) up to a number that all classes share."""

    W: Array
    w: Array
    w0: Array

    def shift(self, origin: Array) -> Quadratics:
        """From coefficients of x − origin to those of x."""
        step = self.W @ origin
        return Quadratics(self.W, self.w - 2.0 * step, self.w0 - self.w @ origin + step @ origin)


class GaussianClasses(ArrivingClasses):
    """(1): what the members of the family share."""

    generative = True
    classes_: Array
    means_: Array
    origin_: Array  # a point inside the data, and
    offsets_: Array  # the means less that point: an offset that all rows share costs no digits
    priors_: Array
    ellipsoids_: list[Ellipsoid]
    priors: Any

    @property
    def pooled(self) -> bool:
        """Does S say enough, or are all S_k needed?"""
        return False

    @property
    def pulled(self) -> bool:
        """Are the Σ_k others than the covariances of the rows: balls, diagonals, mixtures of both?"""
        return False

    @abstractmethod
    def shapes(self, record: Any) -> list[Ellipsoid]:
        """Σ_k of each class, or the one that they share."""

    @abstractmethod
    def count(self, classes: int, columns: int) -> int:
        """Parameters, without priors."""

    def given_priors(self, labels: Array) -> Any:
        """π as given; None for the share of each class."""
        return self.priors

    # ---- learning ----------------------------------------------------------------------------------------------------

    def summarise(self, rows: Rows) -> Statistic:
        return class_statistic(rows, pooled=self.pooled)

    def conclude(self, record: Any) -> dict[str, Any]:
        """The certificate: every Σ_k (or Σ) has full rank, with a margin above rounding. Where these are the covariances of the
        rows and not `pulled` to something else, the rows of exactly these data therefore vary in every direction: those of
        each class, or all of them around the means of their classes. Nothing is claimed about the digits of Σ⁻¹."""
        priors = priors_of_seen(self.given_priors(record.labels), record.labels, record.total)
        origin, offsets = centres(record)
        means = np.where(record.total[:, None] > 0, record.means, origin)
        shapes = self.shapes(record)
        ranks = [shape.rank(limit) for shape, limit in zip(shapes, limits(shapes, means), strict=True)]
        rank = min(ranks)
        known: dict[str, Any] = {"rank": rank, "columns": record.columns}
        claim = "every class varies in every direction"
        if self.pulled:
            claim = "every covariance of the model has full rank"
        elif len(shapes) == 1:
            claim = "the classes together vary in every direction"
        if len(shapes) > 1 and rank < record.columns:
            known["class"] = plain(record.labels[int(np.argmin(ranks))])
        return {
            "classes_": record.labels,
            "priors_": priors,
            "means_": means,
            "origin_": origin,
            "offsets_": offsets,
            "ellipsoids_": all_filled(shapes, means),
            "n_parameters_": self.count(*offsets.shape),
            "certificate_": Certificate(claim, rank == record.columns, known),
            **self.more(record, shapes, origin, offsets, priors),
        }

    def more(self, record: Any, shapes: list[Ellipsoid], origin: Array, offsets: Array, priors: Array) -> dict[str, Any]:
        """Attributes of one member."""
        return {}

    # ---- deciding ----------------------------------------------------------------------------------------------------

    @property
    def one_shape(self) -> bool:
        """Do all classes have the same Σ, so that planes divide them?"""
        return len(self.ellipsoids_) == 1

    def planes(self) -> tuple[Array, Array, Array]:
        """m less the origin, w_k and the constants of (2)."""
        middle = double(self.priors_) @ self.offsets_
        offset = self.offsets_ - middle
        W = self.ellipsoids_[0].solve(offset)
        return middle, W, log(self.priors_) - 0.5 * np.einsum("kj,kj->k", offset, W)

    def plane_coefficients(self) -> tuple[Array, Array]:
        """w_k and b_k of (2), around zero."""
        if not self.one_shape:
            raise AttributeError("Classes with covariances of their own are not divided by planes: see quadratic_.")
        middle, W, b = self.planes()
        return W, b - W @ (self.origin_ + middle)

    def scores(self) -> Callable[[Block], Array]:
        """The function that gives log P(k, x) of a block, up to a number that the classes of a row share."""
        if self.one_shape:
            middle, W, b = self.planes()
            if are_far(self.offsets_ - middle, W):
                return self.around_means(self.deciding_distance)
            start = b - W @ middle
            return lambda block: (block.X - self.origin_) @ W.T + start
        if self.far_apart:
            return self.around_means(self.distance)
        shapes, start = self.ellipsoids_, log(self.priors_) - 0.5 * np.array([s.log_determinant for s in self.ellipsoids_])

        def quadratic(block: Block) -> Array:
            Z = block.X - self.origin_
            distances = [shape.squared_distance(Z, offset) for shape, offset in zip(shapes, self.offsets_, strict=True)]
            return start - 0.5 * np.column_stack(distances)

        return quadratic

    @property
    def far_apart(self) -> bool:
        """Is a class so far away that a common origin would cost the digits of the others?"""
        if self.one_shape:
            middle, W, _ = self.planes()
            return are_far(self.offsets_ - middle, W)
        reach = float(np.abs(self.offsets_).max())
        if self.offsets_.shape[1] * reach**2 <= FAR * min(shape.least for shape in self.ellipsoids_):
            return False
        return any(self.distance(one[None], k)[0] > FAR for k, one in enumerate(self.offsets_))

    def ellipsoid(self, k: int) -> Ellipsoid:
        """Σ_k."""
        return self.ellipsoids_[0 if self.one_shape else k]

    def distance(self, Z: Array, k: int) -> Array:
        """zᵀΣ_k⁻¹z of each row."""
        return self.ellipsoid(k).squared_distance(Z, np.zeros(Z.shape[1]))

    def deciding_distance(self, Z: Array, k: int) -> Array:
        """The same, up to a number that all classes share."""
        return self.distance(Z, k)

    def around_means(self, distance: Callable[[Array, int], Array]) -> Callable[[Block], Array]:
        """The function that gives (1) of a block without 2π, from the distance to each mean by itself."""
        start = log(self.priors_) - 0.5 * np.array([self.ellipsoid(k).log_determinant for k in range(len(self.priors_))])
        means = self.means_ if self.means_.dtype == np.float64 else self.origin_ + self.offsets_
        rest = np.where(np.abs(self.offsets_) < np.abs(means), (self.origin_ - means) + self.offsets_, 0.0)  # rounded off

        def log_joint(block: Block) -> Array:
            distances = [distance(block.X - mean - rest[k], k) for k, mean in enumerate(means)]
            return start - 0.5 * np.column_stack(distances)

        return log_joint

    def joint(self) -> Callable[[Block], Array]:
        """The function that gives (1) of a block, rows × classes."""
        constant = -0.5 * self.means_.shape[1] * float(np.log(2.0 * np.pi))
        far = self.far_apart
        scores = self.around_means(self.distance) if far else self.scores()
        if far or not self.one_shape:
            return lambda block: scores(block) + constant
        shape, middle = self.ellipsoids_[0], double(self.priors_) @ self.offsets_
        constant -= 0.5 * shape.log_determinant

        def with_planes(block: Block) -> Array:
            distance = shape.squared_distance(block.X - self.origin_, middle)
            return scores(block) + (constant - 0.5 * distance)[:, None]

        return with_planes

    def decision_function(self, X: Any) -> Array:
        """log P(k, x) of each row and class, up to a number that a row's classes share; of two, the second less the first."""
        return self.answer(lambda t: t[:, 1] - t[:, 0] if t.shape[1] == 2 else t, self.scores, X)

    def predict(self, X: Any) -> Array:
        """The most probable class of each row."""
        rows, scores = self.new_rows(X), self.scores()
        return self.classes_[rows.each(lambda block: scores(block).argmax(axis=1))]

    def predict_log_proba(self, X: Any) -> Array:
        """log P(k | x) of each row and class."""
        return self.answer(log_posterior, self.scores, X)

    def predict_proba(self, X: Any) -> Array:
        """P(k | x) of each row and class."""
        return self.answer(lambda t: np.exp(log_posterior(t)), self.scores, X)

    def answer(self, function: Callable[[Array], Array], kind: Callable[[], Callable[[Block], Array]], X: Any) -> Array:
        """A function of the `scores` or of the `joint` of each row, in the precision of X and of the priors."""
        rows, scores = self.new_rows(X), kind()
        return rows.each(lambda block: in_dtype_of(function(scores(block)), block.X, self.priors_))

    # ---- generating --------------------------------------------------------------------------------------------------

    def predict_joint_log_proba(self, X: Any) -> Array:
        """log P(k, x) of each row and class: (1)."""
        return self.answer(lambda joint: joint, self.joint, X)

    def log_density(self, X: Any) -> Array:
        """log p(x) of each row: small for outliers."""
        return self.answer(lambda joint: logsumexp(joint, axis=1), self.joint, X)

    def sample(self, n_samples: int = 1, random_state: Any = None) -> tuple[Array, Array]:
        """New rows and their classes, drawn from (1)."""
        check_is_fitted(self)
        refuse_count("n_samples", n_samples)
        random = np.random.default_rng(draw_seed(random_state))
        priors = double(self.priors_)
        owner = random.choice(len(self.classes_), n_samples, p=priors / priors.sum())
        N = random.normal(size=(n_samples, self.means_.shape[1]))
        X = np.empty_like(N)
        for k, mean in enumerate(self.means_):
            X[owner == k] = mean + self.ellipsoids_[0 if self.one_shape else k].spread(N[owner == k])
        return X, self.classes_[owner]

    # ---- reading -----------------------------------------------------------------------------------------------------

    @property
    def quadratic_(self) -> Quadratics:
        """The discriminants as coefficients."""
        return self.around_origin().shift(self.origin_)

    def around_origin(self) -> Quadratics:
        """The discriminants as coefficients of x less the origin."""
        d, K = self.means_.shape[1], len(self.means_)
        shapes = self.ellipsoids_ * K if self.one_shape else self.ellipsoids_
        inverse = np.stack([shape.solve(np.eye(d)) for shape in shapes])
        volume = np.array([shape.log_determinant for shape in shapes])
        if self.one_shape:
            middle, W, b = self.planes()
            common = inverse[0] @ middle
            return Quadratics(-0.5 * inverse, W + common, b - 0.5 * volume - W @ middle - 0.5 * middle @ common)
        w = np.einsum("kij,kj->ki", inverse, self.offsets_)
        return Quadratics(-0.5 * inverse, w, log(self.priors_) - 0.5 * (volume + np.einsum("kj,kj->k", w, self.offsets_)))

    @property
    def thresholds_(self) -> dict[tuple[Any, Any], Array]:
        """With one column: where the joint densities of each pair of classes with priors are equal, none to two points."""
        if self.means_.shape[1] != 1:
            raise AttributeError(f"thresholds_ are for one column, there are {self.means_.shape[1]}: see quadratic_.")
        q, names = self.around_origin(), [plain(label) for label in self.classes_]
        pairs = [(a, b) for a in range(len(names)) for b in range(a + 1, len(names))]
        return {
            (names[a], names[b]): self.origin_[0]
            + real_roots(q.W[a, 0, 0] - q.W[b, 0, 0], q.w[a, 0] - q.w[b, 0], q.w0[a] - q.w0[b])
            for a, b in pairs
            if self.priors_[a] > 0 and self.priors_[b] > 0
        }


def real_roots(a: float, b: float, c: float) -> Array:
    """The real roots of ax² + bx + c, the smaller one first; a is taken for 0 where rounding would make it so."""
    if abs(a) * max(1.0, abs(c)) <= 1e-14 * max(b * b, 1e-300):
        return np.array([-c / b]) if b != 0 else np.empty(0)
    inside = b * b - 4.0 * a * c
    if inside < 0:
        return np.empty(0)
    q = -0.5 * (b + np.copysign(np.sqrt(inside), b))
    return np.unique([q / a, c / q] if q != 0 else [0.0])


def are_far(offsets: Array, W: Array) -> bool:
    """Is some squared distance, given by the offsets and Σ⁻¹ of them, so large that (2) would lose digits?"""
    return bool(np.einsum("kj,kj->k", offsets, W).max() > FAR)


def centres(record: Any) -> tuple[Array, Array]:
    """A point inside the data, and the means less that point; a class without weight has none."""
    sums = record.spread if isinstance(record, ClassSpread) else record
    pivot, offset = sums.pivot, sums.offset
    most = int(record.total.argmax())
    origin = (pivot if pivot.ndim == 1 else pivot[most]) + offset[most]  # a mean, but for rounding
    return origin, np.where(record.total[:, None] > 0, (pivot - origin) + offset, 0.0)


def all_filled(shapes: list[Ellipsoid], means: Array) -> list[Ellipsoid]:
    """Covariances with a very small variance where nothing varies, the same for all; the usual one for a class of one row."""
    usual, largest = (max(found) or 1.0 for found in zip(*((s.mean_variance, s.largest) for s in shapes), strict=True))
    return [
        shape.fill(NOTHING * largest if shape.largest > limit else usual, limit)
        for shape, limit in zip(shapes, limits(shapes, means), strict=True)
    ]


def limits(shapes: list[Ellipsoid], means: Array) -> list[float]:
    """Of each class a variance that may be nothing but rounding: beside its own largest one, or beside the size of its mean.
    How wide other classes are does not matter."""
    if shapes[0].axes is None:
        return [0.0] * len(shapes)
    if len(shapes) == 1:
        return [shapes[0].rounding]
    places = [np.abs(mean if shape.unit is None else mean / shape.unit) for shape, mean in zip(shapes, means, strict=True)]
    return [max(shape.rounding, (8 * EPS * float(place.max())) ** 2) for shape, place in zip(shapes, places, strict=True)]


def priors_of_seen(priors: Any, labels: Array, total: Array) -> Array:
    """π as given, or the shares; a class without weight has no density: the others share its part."""
    found = np.where(total > 0, checked_priors(priors, labels, total), 0.0)
    if not found.any():
        known = ", ".join(repr(plain(label)) for label in labels[total > 0])
        raise ValueError(f"Only classes without rows have a positive prior: give one to some of {known}.")
    return found / found.sum()


def log(priors: Array) -> Array:
    """log π; −∞ for a class that is never expected."""
    with np.errstate(divide="ignore"):
        return np.log(double(priors))


def class_axes(record: Any, *, scaled: bool) -> list[Ellipsoid]:
    """S_k/n_k of each class, in units of the deviations of the columns within classes if `scaled`."""
    weight = np.sqrt(np.maximum(record.total, np.finfo(float).tiny))
    if isinstance(record, ClassRows):
        Z = record.centre()
        unit = standard(np.einsum("ij,ij->j", Z, Z) / record.weight) if scaled else None
        return [Ellipsoid.of_rows(Z[record.owner == k] / weight[k], unit) for k in range(len(weight))]
    scatter = record.scatter
    unit = standard(np.einsum("kjj->j", scatter) / record.weight) if scaled else None
    return [Ellipsoid.of(scatter[k] / weight[k] ** 2, unit) for k in range(len(weight))]


def common_axes(record: Any, *, scaled: bool) -> Ellipsoid:
    """S/n."""
    if isinstance(record, ClassRows):
        Z = record.centre() / np.sqrt(record.weight)
        return Ellipsoid.of_rows(Z, standard(np.einsum("ij,ij->j", Z, Z)) if scaled else None)
    covariance = record.within / record.weight
    return Ellipsoid.of(covariance, standard(np.diagonal(covariance)) if scaled else None)


def standard(variances: Array) -> Array:
    """Deviations; 1 for columns that do not vary."""
    return np.where(variances > 0, np.sqrt(np.maximum(variances, 0.0)), 1.0)
