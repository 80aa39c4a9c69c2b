"""Regularized discriminant analysis: between quadratic and linear, and towards simpler covariances still.

    A_k = (1 − λ)·S_k/n_k + λ·S/n                                  towards the covariance that all classes share  (1)
    Σ_k = (1 − γ)·[(1 − δ)·A_k + δ·diag(A_k)] + γ·(trace A_k/d)·I  towards the diagonal, and towards a ball       (2)

λ = γ = δ = 0 is quadratic, λ = 1 linear discriminant analysis, λ = δ = 1 the diagonal one, λ = γ = 1 the nearest mean. (2) is
the posterior mode of the covariance under an inverse Wishart prior centred on the target. γ > 0 makes Σ_k regular with any
number of rows, so n < d is no trouble. The ball may have radius 1 in the units of the columns instead: γ·I.

λ, γ and δ may be chosen by cross-validation (`"cv"`), from the sums of the folds: one pass gives the record of each fold, those
of the other folds add up to its training rows, and one eigenvalue problem for each λ, δ, class and fold serves all γ > 0, which
change the eigenvalues of A_k alone.

Cost: that of quadratic discriminant analysis; of the cross-validation, folds·|λ|·|δ|·K·d³, and n·d·(d + |γ|)·|λ|·|δ|·K for the
errors.
Reference: Friedman, "Regularized discriminant analysis", J. American Statistical Association 84, 1989.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Annotated, Any, Literal, Self

import numpy as np
from sklearn.model_selection import BaseCrossValidator

from aprendiz.bayes.gaussian.class_folds import fold_numbers
from aprendiz.bayes.gaussian.class_moments import ClassMoments, ClassRows
from aprendiz.bayes.gaussian.class_spread import class_pivots
from aprendiz.bayes.gaussian.ellipsoid import Ellipsoid
from aprendiz.bayes.gaussian.gaussian_classes import GaussianClasses, all_filled, centres, log, priors_of_seen, standard
from aprendiz.core.inputs import refuse_empty_sums
from aprendiz.core.parameters import ArrayLike, Count, Fraction, Seed, Within
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sums import Sums
from aprendiz.core.threads import ordered_map
from aprendiz.summaries.folds import sums_of_others

SAME = 1e-12  # mean errors closer than this are the same


class RegularizedDiscriminantAnalysis(GaussianClasses):
    """Regularized discriminant analysis (covariances pulled towards a common one, a ball or their diagonal; any n and d).

    Parameters
    ----------
    toward_pooled, toward_identity, toward_diagonal : float or "cv", default=0.0
        λ, γ and δ; "cv" chooses from `n_values` numbers from 0 to 1.
    identity : "scaled" or "plain", default="scaled"
        Pull towards the identity times the mean variance of the class, as in (2), or towards the identity itself.
    priors : array of shape (n_classes,), optional
        Class priors π; by default, the class proportions.
    n_values : int, default=20
        Values of λ, of γ and of δ that are tried.
    cv : int or splitter, default=10
        Folds (stratified), each row tested once.
    rule : "best" or "one_se", default="best"
        Take the shares with the fewest errors (of equal ones, the most regular), or the most regular within a standard error.
    random_state : int or RandomState, optional
        Shuffles the folds.

    Attributes
    ----------
    classes_, priors_ : ndarray of shape (n_classes,)
    means_ : ndarray of shape (n_classes, n_features)
    ellipsoids_ : list of Ellipsoid
        Σ_k of each class, by its axes.
    toward_pooled_, toward_identity_, toward_diagonal_ : float
        λ, γ and δ, as given or chosen.
    cv_errors_ : ndarray of shape (|λ|, |γ|, folds), or (|λ|, |γ|, |δ|, folds) if δ is chosen too, with "cv"
    pooled_values_, identity_values_, diagonal_values_ : ndarray, with "cv"
        The λ, γ and δ that were tried.
    quadratic_ : Quadratics
        The discriminants as coefficients W, w, w₀.
    n_parameters_ : int
        Parameters without priors.
    sums_ : ClassMoments or ClassRows
        The statistics, to which `partial_fit` adds.
    certificate_ : Certificate
        Whether every class varies in every direction, or Σ_k has full rank where it is pulled.
    """

    exceptions = {"scaling": "decision_function is a log-density, which knows the units of the columns; posteriors do not"}
    tuning = {"toward_pooled": (0.0, 0.5, 1.0), "toward_identity": (0.0, 0.1, 0.5)}

    def __init__(
        self,
        toward_pooled: Literal["cv"] | Fraction = 0.0,
        toward_identity: Literal["cv"] | Fraction = 0.0,
        *,
        toward_diagonal: Literal["cv"] | Fraction = 0.0,
        identity: Literal["scaled", "plain"] = "scaled",
        priors: ArrayLike | None = None,
        n_values: Count = 20,
        cv: Annotated[int, Within(2)] | BaseCrossValidator | ArrayLike = 10,
        rule: Literal["best", "one_se"] = "best",
        random_state: Seed = None,
    ):
        self.toward_pooled = toward_pooled
        self.toward_identity = toward_identity
        self.toward_diagonal = toward_diagonal
        self.identity = identity
        self.priors = priors
        self.n_values = n_values
        self.cv = cv
        self.rule = rule
        self.random_state = random_state

    @property
    def shares(self) -> tuple[Any, Any, Any]:
        """λ, γ and δ, as given."""
        return self.toward_pooled, self.toward_identity, self.toward_diagonal

    @property
    def pulled(self) -> bool:
        return bool(self.toward_pooled or self.toward_identity or self.toward_diagonal)

    def shapes(self, record: Any) -> list[Ellipsoid]:
        if "cv" in self.shares:
            raise ValueError('"cv" needs the rows themselves, all at once: call fit, or give numbers.')
        return shapes_of(record, *map(float, self.shares), plain=self.identity == "plain")

    def count(self, classes: int, columns: int) -> int:
        return classes * (columns + columns * (columns + 1) // 2)

    def more(self, record: Any, shapes: list[Ellipsoid], origin: Array, offsets: Array, priors: Array) -> dict[str, Any]:
        names = ("toward_pooled_", "toward_identity_", "toward_diagonal_")
        return {name: float(share) for name, share in zip(names, self.shares, strict=True)}

    # ---- cross-validation --------------------------------------------------------------------------------------------

    def learned(self, rows: Rows) -> dict[str, Any]:
        if "cv" not in self.shares:
            return super().learned(rows)
        grid = [self.candidates(share) for share in self.shares]
        pooled, identity, diagonal = grid
        fold = fold_numbers(self.cv, rows.each(lambda block: block.y), self.random_state)
        own = fold_records(rows, fold)
        others = sums_of_others(own)
        record = others[0] + own[0]
        refuse_empty_sums(record.weight, record.finite, rows)
        pairs, plain = list(product(pooled, diagonal)), self.identity == "plain"
        models = [FoldModels.of(one, pairs, identity, plain, self.given_priors(one.labels)) for one in others]
        found = rows.sum(GridErrors.of, models, fold).share
        errors = np.moveaxis(found.reshape(len(pooled), len(diagonal), len(identity), len(own)), 1, 2)
        a, b, c = self.choose(errors, grid)
        kept = {"toward_diagonal": diagonal[c], "identity": self.identity, "priors": self.priors}
        chosen = type(self)(pooled[a], identity[b], **kept)
        return {
            **chosen.conclude(record),
            "cv_errors_": errors if self.toward_diagonal == "cv" else errors[:, :, 0],
            "pooled_values_": pooled,
            "identity_values_": identity,
            "diagonal_values_": diagonal,
            "sums_": record,
        }

    def candidates(self, value: Any) -> Array:
        return np.linspace(0.0, 1.0, self.n_values) if value == "cv" else np.array([float(value)])

    def choose(self, errors: Array, grid: list[Array]) -> tuple[int, int, int]:
        """Places of λ, γ and δ: among equals, or all within a standard error, those that pull most."""
        mean, folds = errors.mean(axis=3), errors.shape[3]
        limit = mean.min() + SAME
        if self.rule == "one_se" and folds > 1:
            limit += errors[np.unravel_index(mean.argmin(), mean.shape)].std(ddof=1) / np.sqrt(folds)
        pooled, identity, diagonal = grid
        pull = np.where(mean <= limit, pooled[:, None, None] + identity[:, None] + diagonal, -1.0)
        place = np.unravel_index(pull.argmax(), pull.shape)
        return int(place[0]), int(place[1]), int(place[2])


def shapes_of(record: Any, pooled: float, identity: float, diagonal: float, *, plain: bool) -> list[Ellipsoid]:
    """(2) of each class; without a ball, which knows units, in units of the deviations of the columns."""
    if identity == 0:
        return axes_of(record, pooled, diagonal, scaled=True)
    return [pulled(shape, identity, plain) for shape in axes_of(record, pooled, diagonal, scaled=False)]


def pulled(shape: Ellipsoid, share: float, plain: bool) -> Ellipsoid:
    """A covariance drawn towards a ball, of its own mean variance or of 1."""
    return shape.blend(share, 1.0 if plain else shape.mean_variance)


def axes_of(record: Any, pooled: float, diagonal: float, *, scaled: bool) -> list[Ellipsoid]:
    """A_k of each class, pulled towards its diagonal."""
    if isinstance(record, ClassRows):
        return in_the_span(record, pooled, scaled) if diagonal == 0 else whole_axes(record.moments(), pooled, diagonal, scaled)
    return whole_axes(record, pooled, diagonal, scaled)


def whole_axes(record: ClassMoments, pooled: float, diagonal: float, scaled: bool) -> list[Ellipsoid]:
    """A_k of each class from its sums."""
    common, scatter, found = record.within / record.weight, record.scatter, []
    unit = standard(np.diagonal(common)) if scaled else None
    for k, weight in enumerate(record.total):
        A = (1.0 - pooled) * scatter[k] / max(weight, np.finfo(float).tiny) + pooled * common
        found.append(Ellipsoid.of((1.0 - diagonal) * A + diagonal * np.diag(np.diagonal(A)), unit))
    return found


def in_the_span(record: ClassRows, pooled: float, scaled: bool) -> list[Ellipsoid]:
    """A_k of each class in the span of the rows."""
    Z, weight = record.centre(), record.weight
    unit = standard(np.einsum("ij,ij->j", Z, Z) / weight) if scaled else None
    span = Ellipsoid.of_rows(Z, unit)
    assert span.axes is not None
    C = (Z if unit is None else Z / unit) @ span.axes.T
    common, found = C.T @ C / weight, []
    for k, own in enumerate(record.total):
        part = C[record.owner == k]
        inner = Ellipsoid.of((1.0 - pooled) * (part.T @ part) / max(own, np.finfo(float).tiny) + pooled * common)
        assert inner.axes is not None
        found.append(replace(inner, axes=inner.axes @ span.axes, columns=record.columns, unit=unit))
    return found


# ---- folds -----------------------------------------------------------------------------------------------------------


def fold_records(rows: Rows, fold: Array) -> list[Any]:
    """The record of each fold, in one pass: each pair of fold and class is a class of its own."""
    assert rows.labels is not None
    labels, folds = rows.labels, int(fold.max()) + 1
    classes, pivot = len(labels), class_pivots(rows, len(labels))
    if rows.count is not None and rows.count < rows.columns:
        middle = pivot.mean(axis=0)
        whole = rows.sum(ClassRows.of, labels, middle, False)
        parts = (fold == number for number in range(folds))
        return [replace(whole, X=whole.X[p], row_weights=whole.row_weights[p], owner=whole.owner[p]) for p in parts]

    def of_pairs(block: Block) -> ClassMoments:
        pairs = replace(block, y=fold[block.numbers] * classes + block.y)
        return ClassMoments.of(np.arange(folds * classes), wide, False, pairs)

    wide = np.tile(pivot, (folds, 1))
    found = rows.sum(of_pairs)
    cuts = [slice(number * classes, (number + 1) * classes) for number in range(folds)]
    names = ("total", "first", "second", "members")
    return [replace(found, labels=labels, pivot=pivot, **{name: getattr(found, name)[cut] for name in names}) for cut in cuts]


@dataclass(frozen=True)
class Fan:
    """The models of a class for one λ and some γ, which have the same axes."""

    axes: Array
    unit: Array | None
    precisions: Array  # 1/variances, axes × γ
    rests: Array  # 1/ρ of each γ
    volumes: Array  # −½ log|Σ| of each γ

    @classmethod
    def of(cls, models: Sequence[Ellipsoid]) -> Fan:
        axes, unit = models[0].axes, models[0].unit
        assert axes is not None
        precisions = np.column_stack([1.0 / one.variances for one in models])
        rests = np.array([1.0 / one.rest for one in models])
        return cls(axes, unit, precisions, rests, np.array([-0.5 * one.log_determinant for one in models]))

    def log_densities(self, Z: Array) -> Array:
        """Of rows less the mean, rows × γ, but for a number that all classes share."""
        U = Z if self.unit is None else Z / self.unit
        along = (U @ self.axes.T) ** 2
        distance = along @ self.precisions
        if len(self.axes) < U.shape[1]:
            outside = np.maximum(0.0, np.einsum("ij,ij->i", U, U) - along.sum(axis=1))
            distance += outside[:, None] * self.rests
        return np.asarray(self.volumes - 0.5 * distance)


@dataclass(frozen=True)
class FoldModels:
    """The models of one fold, for all λ, δ and γ: of each class a fan for γ = 0, in units of the columns, and one for γ > 0."""

    origin: Array
    offsets: Array
    start: Array  # log π_k
    shape: tuple[int, int]  # pairs of λ and δ, and |γ|
    fans: list[list[tuple[Array, list[Fan]]]]  # of each pair; which γ, and the fans of the classes

    @classmethod
    def of(cls, record: Any, pairs: list[tuple[float, float]], identity: Array, plain: bool, priors: Any) -> FoldModels:
        start, means = log(priors_of_seen(priors, record.labels, record.total)), record.means

        def of_pair(pair: tuple[float, float]) -> list[tuple[Array, list[Fan]]]:
            found = []
            for scaled, part in ((True, identity == 0), (False, identity > 0)):
                if part.any():
                    shapes = axes_of(record, *pair, scaled=scaled)
                    drawn = ([pulled(shape, share, plain) for shape in shapes] for share in identity[part])
                    found.append(
                        (part, [Fan.of(models) for models in zip(*(all_filled(one, means) for one in drawn), strict=True)])
                    )
            return found

        return cls(*centres(record), start, (len(pairs), len(identity)), list(ordered_map(of_pair, pairs)))

    def scores(self, X: Array) -> Array:
        """The joint log-densities, rows × pairs × γ × classes."""
        found, around = np.empty((len(X), *self.shape, len(self.start))), X - self.origin
        for a, row in enumerate(self.fans):
            for part, classes in row:
                for k, fan in enumerate(classes):
                    found[:, a, part, k] = self.start[k] + fan.log_densities(around - self.offsets[k])
        return found


@dataclass(frozen=True)
class GridErrors(Sums):
    """Weight of the test rows of each fold, and of those that each model gets wrong, pairs × γ × folds."""

    weight: Array
    wrong: Array

    @classmethod
    def of(cls, grids: list[FoldModels], fold: Array, block: Block) -> Self:
        shape = grids[0].shape
        weight, wrong, number = np.zeros(len(grids)), np.zeros((*shape, len(grids))), fold[block.numbers]
        for k in np.unique(number):
            mine = number == k
            w = block.weights[mine]
            missed = grids[k].scores(block.X[mine]).argmax(axis=3) != block.y[mine][:, None, None]
            weight[k], wrong[..., k] = w.sum(), np.tensordot(w, missed, 1)
        return cls(weight, wrong)

    @property
    def share(self) -> Array:
        """Shares of errors; a fold without weight has none."""
        return self.wrong / np.where(self.weight > 0, self.weight, 1.0)
