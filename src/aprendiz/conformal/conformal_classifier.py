"""Sets of classes that contain the true one as often as they say, around any classifier that gives probabilities.

A score s(x, y) says how little the classifier believes in class y of row x (scores/class_scores.py). It is calibrated by
the scores s₁, …, s_n of the true classes of n rows that the classifier has not seen. A class is in the set of a new row unless
too few of them are as large as its own:

    C(x) = { y : #{ i : sᵢ ≥ s(x, y) } ≥ n + 1 − k },    k = ⌈(n + 1)·coverage⌉                               (1)

With one model that is s(x, y) ≤ s₍ₖ₎. The set contains the true class with probability k/(n + 1) if no two scores are equal and
the row is exchangeable with those of the calibration, with more if some are (shared/rank.py). An empty set says that no class
looks like its own rows do.

With the models of K folds (CV+), sᵢ is compared with the score that the model of its fold gives to (x, y). With
`class_conditional`, only rows of class y count in (1), with their own k: then the rows of each class are covered as often
(Mondrian), rare ones too.

Cost: one fit (split) or K + 1; (1) takes O(K·log n) for each row and class.
References: Vovk et al., 2005; Sadinle et al., JASA 114, 2019; Romano et al., NeurIPS 2020.
"""

from __future__ import annotations

from typing import Any, Literal, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.utils import _safe_indexing, indexable
from sklearn.utils.validation import check_is_fitted

from aprendiz.conformal.scores.class_scores import class_scores, probabilities
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
from aprendiz.conformal.shared.rank import guarantee, rank, warn_of_few
from aprendiz.core.certificate import Certificate
from aprendiz.core.parameters import PositiveFraction, Seed, check_parameters
from aprendiz.core.rows import Array
from aprendiz.core.targets import as_target, classes, plain
from aprendiz.locale import _


class ConformalClassifier(MetaEstimatorMixin, ClassifierMixin, BaseEstimator):
    """Prediction sets of a stated coverage around any classifier with probabilities, by split conformal prediction or CV+.

    Parameters
    ----------
    estimator : classifier with predict_proba
        Of this library or of scikit-learn. `FrozenEstimator(fitted)` is not fitted again: it is calibrated by all rows that
        `fit` gets, which must be others than those it was fitted to.
    conformity_score : {"lac", "aps"}, default="lac"
        1 − p(y | x), for the smallest sets; or the sum of the probabilities down to a random part of that of y, for sets that
        grow where the classifier is unsure.
    method : {"split", "plus", "base"}, default="split"
        One model, calibrated by a part of the rows; the models of folds, which all serve (CV+); or the scores of the
        folds around one model that is fitted to all rows: no guarantee is proved, and it is often as good.
    class_conditional : bool, default=False
        Whether the rows of each class are covered as often, instead of all rows together.
    cv : int or splitter, optional
        Folds of "plus" and "base", 5 by default; a single split for "split".
    calibration_size : float, default=0.25
        Share of the rows that calibrate, for "split".
    random_state : int, RandomState or None, default=None
        For the split or the folds.

    Attributes
    ----------
    estimator_ : the fitted classifier that predicts
    models_ : list of the classifiers with the rows by which each is calibrated
    classes_ : ndarray of shape (n_classes,)
    scores_, codes_ : lists of ndarray
        For each model the scores of its calibration rows, and the numbers of their classes.
    n_features_in_, feature_names_in_
        Those of the estimator, where it has them.
    certificate_ : Certificate
        Whether every calibration row was judged by a model that had not seen it; the number of rows, and of equal scores.

    Examples
    --------
    >>> from aprendiz import GaussianNB
    >>> from aprendiz.datasets import load
    >>> X, y = load("iris", return_X_y=True)
    >>> model = ConformalClassifier(GaussianNB(), method="plus", random_state=0).fit(X, y)
    >>> model.predict_set(X[[0, 70, 133]], coverage=0.97)
    array([[ True, False, False],
           [False,  True,  True],
           [False,  True,  True]])
    """

    estimator_: Any
    models_: list[Any]
    classes_: Array
    scores_: list[Array]
    codes_: list[Array]
    certificate_: Certificate

    def __init__(
        self,
        estimator: Any,
        *,
        conformity_score: Literal["lac", "aps"] = "lac",
        method: Literal["split", "plus", "base"] = "split",
        class_conditional: bool = False,
        cv: Any = None,
        calibration_size: PositiveFraction = 0.25,
        random_state: Seed = None,
    ):
        self.estimator = estimator
        self.conformity_score = conformity_score
        self.method = method
        self.class_conditional = class_conditional
        self.cv = cv
        self.calibration_size = calibration_size
        self.random_state = random_state

    @classmethod
    def from_predictions(
        cls,
        estimator: Any,
        y_true: Any,
        probability: Any,
        *,
        conformity_score: Literal["lac", "aps"] = "lac",
        class_conditional: bool = False,
    ) -> Self:
        """Around a fitted classifier, calibrated by probabilities that exist already, such as those of cross-validation for the
        rows that it was then fitted to (method "base"). Rows × classes, in the order of `classes_`."""
        labels = np.asarray(estimator.classes_)
        P = np.asarray(probability, dtype=np.float64)
        codes = classes(as_target(y_true), len(P), labels)[1]
        if P.shape != (len(codes), len(labels)):
            raise ValueError(
                _("probability has shape {shape}: give {rows} rows × {count} classes.").format(
                    shape=P.shape, rows=len(codes), count=len(labels)
                )
            )
        model = cls(estimator, method="base", conformity_score=conformity_score, class_conditional=class_conditional)
        return model.keep(estimator, labels, [estimator], [model.true_scores(P, codes)], [codes], None)

    # ---- fit -------------------------------------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any = None, groups: Any = None) -> Self:
        """Fit the estimator, and calibrate it by rows that it has not seen. Rows of one group stay together."""
        check_parameters(self)
        refuse_no_estimator(self.estimator, "predict_proba", "GaussianNB()")
        X, y, groups = indexable(X, y, groups)
        if y is None:
            raise ValueError("ConformalClassifier requires y to be passed, but the target y is None.")
        target = one_column(y)
        labels, codes = classes(target, len(target))
        if is_frozen(self.estimator):
            model = self.estimator
            labels = np.asarray(model.classes_)
            codes = classes(target, len(target), labels)[1]
            return self.keep(model, labels, [model], [self.true_scores(probabilities(model, X, labels), codes)], [codes], None)
        plan = CalibrationPlan(self.method, self.cv, self.calibration_size, self.random_state)
        division = plan.divide(X, target, None if groups is None else as_target(groups), by_class=True)
        models = models_of(self.estimator, X, target, division)
        tests = [test for _train, test in division.splits]
        scores = [
            self.true_scores(probabilities(model, _safe_indexing(X, test), labels), codes[test])
            for model, test in zip(models, tests, strict=True)
        ]
        known = [codes[test] for test in tests]
        if self.method == "split":
            return self.keep(models[0], labels, models, scores, known, division)
        final = clone(self.estimator).fit(X, target)
        if self.method == "plus":
            return self.keep(final, labels, models, scores, known, division)
        return self.keep(final, labels, [final], [np.concatenate(scores)], [np.concatenate(known)], division)

    def true_scores(self, probability: Array, codes: Array) -> Array:
        """The scores of the true classes."""
        return np.asarray(class_scores(self.conformity_score, probability)[np.arange(len(codes)), codes])

    def keep(
        self,
        model: Any,
        labels: Array,
        models: list[Any],
        scores: list[Array],
        codes: list[Array],
        division: Division | None,
    ) -> Self:
        """Set the fitted attributes in one step."""
        certificate = certified(scores, division)
        fitted = {"estimator_": model, "models_": models, "classes_": labels, "scores_": scores, "codes_": codes}
        settle(self, model, {**fitted, "certificate_": certificate})
        return self

    # ---- predictions -----------------------------------------------------------------------------------------------------

    def predict(self, X: Any) -> Array:
        """The class that the estimator predicts for each row."""
        check_is_fitted(self)
        return np.asarray(self.estimator_.predict(X))

    def predict_proba(self, X: Any) -> Array:
        """The probabilities that the estimator gives."""
        check_is_fitted(self)
        return np.asarray(self.estimator_.predict_proba(X))

    def predict_set(self, X: Any, coverage: float = 0.9) -> Array:
        """The set of each row as true and false, rows × classes: (1)."""
        check_is_fitted(self)
        said = [probabilities(model, X, self.classes_) for model in self.models_]
        found = [class_scores(self.conformity_score, P, said[0]) for P in said]
        sets = np.empty(found[0].shape, dtype=bool)
        for code in range(len(self.classes_)):
            held = self.comparable_scores(code, coverage)
            n = sum(map(len, held))
            above = sum(count_above(one, own[:, code]) for one, own in zip(held, found, strict=True))
            sets[:, code] = above >= n + 1 - rank(coverage, n)
        return sets

    def comparable_scores(self, code: int, coverage: float) -> list[Array]:
        """The calibration scores that count for a class, of each model."""
        if not self.class_conditional:
            if code == 0:
                warn_of_few(coverage, sum(map(len, self.scores_)), _("every class is in every set"))
            return self.scores_
        held = [scores[codes == code] for scores, codes in zip(self.scores_, self.codes_, strict=True)]
        label = repr(plain(self.classes_[code]))
        warn_of_few(coverage, sum(map(len, held)), _("class {label} is in every set").format(label=label))
        return held

    def guarantee(self, coverage: float = 0.9) -> float:
        """The probability that is proved for the set of a row that is exchangeable with those of the calibration; 0 if none is
        ("base")."""
        check_is_fitted(self)
        method = "base" if self.method == "base" else "split" if len(self.models_) == 1 else "plus"
        if not self.class_conditional:
            return guarantee(method, coverage, [len(codes) for codes in self.codes_])
        sizes = np.array([np.bincount(codes, minlength=len(self.classes_)) for codes in self.codes_])
        return min(guarantee(method, coverage, of_class.tolist()) for of_class in sizes.T)

    def check_coverage(self, X: Any, y: Any, coverage: float = 0.9) -> Coverage:
        """The share of some rows, of no fit and no calibration, whose class lies in its set."""
        sets = self.predict_set(X, coverage)
        return Coverage.of_sets(coverage, classes(as_target(y), len(sets), self.classes_)[1], sets, self.classes_)

    # ---- scikit-learn ----------------------------------------------------------------------------------------------------

    def __sklearn_tags__(self) -> Any:
        return tags_of_base(super().__sklearn_tags__(), self.estimator)


def count_above(scores: Array, of_rows: Array) -> Array:
    """For each row, how many calibration scores are at least its own."""
    return len(scores) - np.searchsorted(np.sort(scores), of_rows, side="left")
