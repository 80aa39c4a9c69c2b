"""Intervals of predictions that contain the truth as often as they say, around any regressor.

A model is fitted to some rows. For others, which it has not seen, a score says how far the target lies from the band of the
model (scores/bands.py), such as t = |y − f(x)|. The interval of a new row is the band, made wider by the k-th smallest of n
scores:

    C(x) = low(x) − t₍ₖ₎·unit(x)  to  high(x) + t₍ₖ₎·unit(x),    k = ⌈(n + 1)·coverage⌉                        (1)

It contains the target with probability k/(n + 1) if the new row is exchangeable with those of the calibration, whatever the
model is and however it errs (shared/rank.py). That is a promise on average over rows, not for each of them.

With the models of K folds (CV+) all rows serve both ends. Row i, calibrated by the model of its fold, gives an interval of its
own at x, and the ends are quantiles of their ends:

    C(x) = (n + 1 − k)-th smallest of low₋ᵢ(x) − tᵢ·unit₋ᵢ(x)  to  k-th smallest of high₋ᵢ(x) + tᵢ·unit₋ᵢ(x)        (2)

Cost: one fit (split) or K + 1 (plus, base); (2) takes O(n) for each row that is predicted.
References: Papadopoulos et al., ECML 2002; Lei et al., JASA 113, 2018 (1); Barber et al., Annals of Statistics 49, 2021 (2).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Self

import numpy as np
from sklearn.base import BaseEstimator, MetaEstimatorMixin, RegressorMixin, clone
from sklearn.utils import _safe_indexing, indexable
from sklearn.utils.validation import check_is_fitted

from aprendiz.conformal.scores.bands import Band, BandModel, normalized_model, quantile_model
from aprendiz.conformal.shared.calibration import certified, settle, tags_of_base
from aprendiz.conformal.shared.coverage import Coverage
from aprendiz.conformal.shared.fold_models import (
    CalibrationPlan,
    Division,
    is_frozen,
    models_of,
    one_column,
    refuse_no_estimator,
)
from aprendiz.conformal.shared.rank import guarantee, rank, smallest, warn_of_few
from aprendiz.core.certificate import Certificate
from aprendiz.core.parameters import PositiveFraction, Seed, check_parameters
from aprendiz.core.rows import Array
from aprendiz.core.targets import as_target, numbers
from aprendiz.locale import _

CELLS = 2**22  # of the table of ends (2) that is held at a time


class ConformalRegressor(MetaEstimatorMixin, RegressorMixin, BaseEstimator):
    """Prediction intervals of a stated coverage around any regressor, by split conformal prediction or CV+.

    Parameters
    ----------
    estimator : regressor
        Of this library or of scikit-learn. `FrozenEstimator(fitted)` is not fitted again: it is calibrated by all rows that
        `fit` gets, which must be others than those it was fitted to.
    conformity_score : {"absolute", "normalized", "quantile"}, default="absolute"
        How the distance of a target is measured: |y − f(x)|, for intervals of one width; divided by its expected size, from a
        second model; or from two quantiles (CQR), for learners with a parameter `quantile`.
    method : {"split", "plus", "base"}, default="split"
        One model, calibrated by a part of the rows; the models of folds, which all serve (CV+); or the scores of the
        folds around one model that is fitted to all rows: no guarantee is proved, and it is often as good.
    cv : int or splitter, optional
        Folds of "plus" and "base", 5 by default; a single split for "split".
    calibration_size : float, default=0.25
        Share of the rows that calibrate, for "split".
    residual_estimator : regressor, optional
        The second model of "normalized"; by default another copy of the estimator.
    quantiles : tuple of two floats, default=(0.05, 0.95)
        Levels of the two quantiles of "quantile". Any coverage can be asked for; those near their distance fit best.
    random_state : int, RandomState or None, default=None
        For the split or the folds.

    Attributes
    ----------
    estimator_ : the fitted regressor that predicts
    models_ : list of BandModel
        The models with the rows by which each is calibrated, one or one for each fold.
    scores_ : list of ndarray
        Scores of the calibration rows of each model, sorted.
    n_features_in_, feature_names_in_
        Those of the estimator, where it has them.
    certificate_ : Certificate
        Whether every calibration row was judged by a model that had not seen it; the number of rows, and of equal scores.

    Examples
    --------
    >>> import numpy as np
    >>> from aprendiz import LinearRegression
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(2000, 2))
    >>> y = X[:, 0] + rng.normal(size=2000)
    >>> model = ConformalRegressor(LinearRegression(), random_state=0).fit(X[:1000], y[:1000])
    >>> model.predict_interval(X[1000:1002], coverage=0.8).round(2)
    array([[-0.8 ,  1.72],
           [-2.1 ,  0.43]])
    >>> print(model.check_coverage(X[1000:], y[1000:], coverage=0.8))
    coverage 79.8 % (77.2 % to 82.2 %) of 1,000 rows, 80.0 % asked for; mean width 2.525.
    """

    estimator_: Any
    models_: list[BandModel]
    scores_: list[Array]
    certificate_: Certificate

    def __init__(
        self,
        estimator: Any,
        *,
        conformity_score: Literal["absolute", "normalized", "quantile"] = "absolute",
        method: Literal["split", "plus", "base"] = "split",
        cv: Any = None,
        calibration_size: PositiveFraction = 0.25,
        residual_estimator: Any = None,
        quantiles: Any = (0.05, 0.95),
        random_state: Seed = None,
    ):
        self.estimator = estimator
        self.conformity_score = conformity_score
        self.method = method
        self.cv = cv
        self.calibration_size = calibration_size
        self.residual_estimator = residual_estimator
        self.quantiles = quantiles
        self.random_state = random_state

    @classmethod
    def from_predictions(cls, estimator: Any, y_true: Any, y_pred: Any) -> Self:
        """Around a fitted regressor, calibrated by predictions that exist already, such as those of cross-validation for the
        rows that it was then fitted to (method "base"), with absolute residuals."""
        truth, said = numbers(one_column(y_true), len(y_true)), numbers(one_column(y_pred), len(y_true))
        model = cls(estimator, method="base")
        return model.keep(estimator, [BandModel(estimator)], [np.abs(truth - said)], None)

    # ---- fit -------------------------------------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any = None, groups: Any = None) -> Self:
        """Fit the estimator, and calibrate it by rows that it has not seen. Rows of one group stay together."""
        check_parameters(self)
        refuse_no_estimator(self.estimator, "predict", "LinearRegression()")
        X, y, groups = indexable(X, y, groups)
        if y is None:
            raise ValueError("ConformalRegressor requires y to be passed, but the target y is None.")
        target = numbers(one_column(y), len(y))
        if is_frozen(self.estimator):
            band = self.frozen_band()
            return self.keep(self.estimator, [band], [band.band(X).score(target)], None)
        division = self.plan().divide(X, target, None if groups is None else as_target(groups), by_class=False)
        models = self.fold_bands(X, target, division)
        tests = [test for _train, test in division.splits]
        scores = [model.band(_safe_indexing(X, test)).score(target[test]) for model, test in zip(models, tests, strict=True)]
        if self.method == "split":
            return self.keep(models[0].centre, models, scores, division)
        if self.method == "plus":
            final = (
                self.band_model(X, target)
                if self.conformity_score == "quantile"
                else BandModel(clone(self.estimator).fit(X, target))
            )
            return self.keep(final.centre, models, scores, division)
        final = self.band_model(X, target)
        return self.keep(final.centre, [final], [np.concatenate(scores)], division)

    def plan(self) -> CalibrationPlan:
        """How the rows are divided."""
        return CalibrationPlan(self.method, self.cv, self.calibration_size, self.random_state)

    def frozen_band(self) -> BandModel:
        """The band of a model that was fitted elsewhere."""
        if self.conformity_score == "absolute":
            return BandModel(self.estimator)
        if self.conformity_score == "normalized" and is_frozen(self.residual_estimator):
            return BandModel(self.estimator, residual=self.residual_estimator, least_unit=float(np.finfo(np.float64).tiny))
        raise ValueError(
            _(
                "A frozen estimator has no model of its residuals or quantiles: use conformity_score='absolute', or freeze "
                "residual_estimator too."
            )
        )

    def fold_bands(self, X: Any, y: Array, division: Division) -> list[BandModel]:
        """The band of each split, fitted to its training rows."""
        if self.conformity_score == "absolute":
            return [BandModel(model) for model in models_of(self.estimator, X, y, division)]
        return [self.band_model(_safe_indexing(X, train), y[train]) for train, _test in division.splits]

    def band_model(self, X: Any, y: Array) -> BandModel:
        """The band that is fitted to some rows."""
        if self.conformity_score == "quantile":
            return quantile_model(self.estimator, self.quantiles, X, y)
        centre = clone(self.estimator).fit(X, y)
        if self.conformity_score == "absolute":
            return BandModel(centre)
        return normalized_model(centre, self.estimator, self.residual_estimator, X, y, self.random_state)

    def keep(self, model: Any, models: list[BandModel], scores: list[Array], division: Division | None) -> Self:
        """Set the fitted attributes in one step."""
        held = [np.sort(one) for one in scores]
        settle(
            self, model, {"estimator_": model, "models_": models, "scores_": held, "certificate_": certified(held, division)}
        )
        return self

    # ---- predictions -----------------------------------------------------------------------------------------------------

    def predict(self, X: Any) -> Array:
        """The prediction of the estimator for each row."""
        check_is_fitted(self)
        return np.asarray(self.estimator_.predict(X))

    def predict_interval(self, X: Any, coverage: float = 0.9) -> Array:
        """The ends of the interval of each row, rows × (low, high): (1) or (2)."""
        check_is_fitted(self)
        n = sum(map(len, self.scores_))
        k = rank(coverage, n)
        warn_of_few(coverage, n, _("the intervals are infinite"))
        if len(self.models_) == 1:
            return np.column_stack(self.models_[0].band(X).ends(smallest(self.scores_[0], k)))
        return ends_of_folds([model.band(X) for model in self.models_], self.scores_, k)

    def guarantee(self, coverage: float = 0.9) -> float:
        """The probability that is proved for the interval of a row that is exchangeable with those of the calibration; 0 if
        none is ("base")."""
        check_is_fitted(self)
        method = "base" if self.method == "base" else "split" if len(self.models_) == 1 else "plus"
        return guarantee(method, coverage, [len(scores) for scores in self.scores_])

    def check_coverage(self, X: Any, y: Any, coverage: float = 0.9) -> Coverage:
        """The share of some rows, of no fit and no calibration, whose target lies in its interval."""
        ends = self.predict_interval(X, coverage)
        return Coverage.of_intervals(coverage, numbers(as_target(y), len(ends)), ends)

    # ---- scikit-learn ----------------------------------------------------------------------------------------------------

    def __sklearn_tags__(self) -> Any:
        return tags_of_base(super().__sklearn_tags__(), self.estimator)


def ends_of_folds(bands: Sequence[Band], scores: Sequence[Array], k: int) -> Array:
    """(2), some rows at a time."""
    n, rows = sum(map(len, scores)), len(bands[0].low)
    found = np.empty((rows, 2))
    if k > n:
        found[:] = -np.inf, np.inf
        return found
    step = max(1, CELLS // n)
    for start in range(0, rows, step):
        some = [Band(*(part[start : start + step, None] for part in (b.low, b.high, b.unit))) for b in bands]
        ends = [band.ends(one[None, :]) for band, one in zip(some, scores, strict=True)]
        low, high = (np.concatenate(parts, axis=1) for parts in zip(*ends, strict=True))
        found[start : start + step, 0] = np.partition(low, n - k, axis=1)[:, n - k]
        found[start : start + step, 1] = np.partition(high, k - 1, axis=1)[:, k - 1]
    return found
