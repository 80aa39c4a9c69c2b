"""Calibration: the scores of a classifier as probabilities that can be believed.

Many classifiers order rows well and exaggerate: naive Bayes counts what its columns share several times, a forest avoids 0 and
1, a hyperplane has distances and no probabilities at all. A calibrator is a function of the score, fitted to rows that the
classifier has not seen, since on its own rows it looks better than it is:

    sigmoid        p = 1/(1 + exp(a·s + b)): two numbers, for few rows                (calibration/sigmoid_calibrator.py)
    isotonic       any function that rises: for a thousand rows or more               (calibration/isotonic_calibrator.py)
    temperature    one number for all classes, which never changes their order        (calibration/temperature_calibrator.py)

Folds provide such rows (calibration/fold_fits.py). With `ensemble`, the answer is the mean over the classifiers of the folds:

    p(k | x) = 1/F · Σ_f p_f(k | x)                                                                            (1)

Cost: a fit for each fold, or from the sums of the other folds; calibrators take O(n log n).
References: Zadrozny & Elkan, KDD 2002; Niculescu-Mizil & Caruana, "Predicting good probabilities with supervised learning",
ICML 2005.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from inspect import signature
from typing import Any, ClassVar, Literal, Self

import numpy as np
from sklearn import get_config
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin
from sklearn.frozen import FrozenEstimator
from sklearn.svm import LinearSVC
from sklearn.utils import get_tags, indexable
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.validation import check_is_fitted

from aprendiz.bayes.calibration.calibrated_classifier import CalibratedClassifier, class_scores, response_method
from aprendiz.bayes.calibration.fold_fits import CalibrationData, calibrate_each, calibrate_together, folds_of
from aprendiz.core.certificate import Certificate
from aprendiz.core.inputs import is_read_in_blocks, with_own_target
from aprendiz.core.learner import Learner
from aprendiz.core.parameters import check_parameters
from aprendiz.core.rows import Array
from aprendiz.core.targets import as_target, classes, weights
from aprendiz.locale import _


class CalibratedClassifierCV(MetaEstimatorMixin, ClassifierMixin, BaseEstimator):
    """Probabilities from the scores of any classifier, by folds (drop-in for scikit-learn's; with certificates).

    Parameters
    ----------
    estimator : classifier, optional
        With decision_function or predict_proba, of this library or of scikit-learn, whose LinearSVC is the default.
        `FrozenEstimator(fitted)` is not fitted again: give rows to `fit` that it has not seen.
    method : {"sigmoid", "isotonic", "temperature"}, default="sigmoid"
        Two numbers for each class, any rising function for each class, or one number for all classes.
    cv : int, splitter or iterable of pairs, optional
        Folds: their number, 5 by default, or how to split.
    n_jobs : ignored
    ensemble : bool or "auto", default="auto"
        Whether to calibrate a classifier for each fold and take the mean of their probabilities, or one classifier, fitted to
        all rows, by the scores of all folds together. "auto": yes, unless the estimator is frozen.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    calibrated_classifiers_ : list of CalibratedClassifier
        Fitted classifiers with their calibrators, one for each fold, or a single one.
    n_features_in_, feature_names_in_
        Those of the estimator, where it has them.
    certificate_ : Certificate
        How many calibrators keep their promise.

    Examples
    --------
    >>> import numpy as np
    >>> from aprendiz import GaussianNB
    >>> X, y = np.arange(20.0)[:, None], [0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1, 1, 0, 1, 1, 1, 1, 1, 1]
    >>> model = CalibratedClassifierCV(GaussianNB(), cv=3).fit(X, y)
    >>> model.predict_proba([[0.0], [10.0]])[:, 1].round(2)
    array([0.16, 0.54])
    """

    differences: ClassVar[Mapping[str, str]] = {
        "n_jobs": "no effect: folds are fitted one after another; learners of this library use all threads by themselves",
        "calibrated_classifiers_": "another form: records with the attributes estimator, calibrators, classes and method; "
        "calibrators have a certificate too",
    }

    classes_: Array
    calibrated_classifiers_: list[CalibratedClassifier]

    def __init__(
        self,
        estimator: Any = None,
        *,
        method: Literal["sigmoid", "isotonic", "temperature"] = "sigmoid",
        cv: Any = None,
        n_jobs: int | None = None,
        ensemble: bool | Literal["auto"] = "auto",
    ):
        self.estimator = estimator
        self.method = method
        self.cv = cv
        self.n_jobs = n_jobs
        self.ensemble = ensemble

    @property
    def kind_(self) -> str:
        """ "discriminative": it gives posteriors, whatever the base is."""
        return "discriminative"

    # ---- fit -------------------------------------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, **fit_params: Any) -> Self:
        """Fit copies of the classifier and their calibrators; `fit_params` go to the classifier, weights to both."""
        check_parameters(self)
        estimator = self.base()
        response_method(estimator)
        frozen = isinstance(estimator, FrozenEstimator)
        ensemble = not frozen if self.ensemble == "auto" else self.ensemble
        X, y, sample_weight = self.in_memory(X, y, sample_weight, by_folds=ensemble or not frozen)
        data, of_split = self.opened(estimator, X, y, sample_weight, fit_params)
        if frozen and not ensemble:
            model = data.fit(estimator)
            pairs = [data.calibrate(model, class_scores(model, data.X), np.arange(len(data.y)), self.method)]
        else:
            splits = folds_of(self.cv, data, of_split)
            pairs = (
                calibrate_each(estimator, data, splits, self.method)
                if ensemble
                else [calibrate_together(estimator, data, splits, self.method)]
            )
        return self.keep(data.labels, pairs)

    def base(self) -> Any:
        """The classifier that is calibrated."""
        if self.estimator is not None:
            if isinstance(self.estimator, type) or not hasattr(self.estimator, "fit"):
                raise ValueError(f"estimator must be a classifier, such as GaussianNB(), got {self.estimator!r}.")
            return self.estimator
        usual = LinearSVC(random_state=0)
        return usual.set_fit_request(sample_weight=True) if get_config()["enable_metadata_routing"] else usual

    def in_memory(self, X: Any, y: Any, sample_weight: Any, *, by_folds: bool) -> tuple[Any, Any, Any]:
        """The table, and its target and weights; opened rows bring theirs, and cannot be divided into folds."""
        if is_read_in_blocks(X):
            if by_folds:
                raise TypeError(
                    "Folds need the rows in memory: give an array, or fit the classifier to these rows first and calibrate "
                    "FrozenEstimator(classifier) by others."
                )
            inner = self.estimator.estimator
            return with_own_target(inner, X, y, sample_weight) if isinstance(inner, Learner) else (X, y, sample_weight)
        if y is None:
            raise ValueError("CalibratedClassifierCV requires y to be passed, but the target y is None.")
        X, y = indexable(X, y)
        return X, y, sample_weight

    def opened(
        self, estimator: Any, X: Any, y: Any, sample_weight: Any, fit_params: Mapping[str, Any]
    ) -> tuple[CalibrationData, dict[str, Any]]:
        """The checked rows, and what the folds are given beside them."""
        target = as_target(y)
        labels, codes = classes(target, len(target))
        weight = weights(sample_weight, len(codes))
        of_fit, of_split = self.route(estimator, weight, fit_params)
        return CalibrationData(X, target.ravel(), codes, weight, labels, of_fit), of_split

    def route(
        self, estimator: Any, sample_weight: Array | None, fit_params: Mapping[str, Any]
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """What the classifier and the folds are given beside X and y: as routing asks, where it is enabled; else the classifier
        is given everything, weights if it takes them."""
        if get_config()["enable_metadata_routing"]:
            routed = process_routing(self, "fit", sample_weight=sample_weight, **fit_params)
            return dict(routed.estimator["fit"]), dict(routed.splitter["split"])
        params = dict(fit_params)
        if sample_weight is not None:
            if "sample_weight" in signature(estimator.fit).parameters:
                params["sample_weight"] = sample_weight
            elif not isinstance(estimator, FrozenEstimator):
                name = type(estimator).__name__
                warnings.warn(
                    _("{name} takes no sample_weight: the weights count for the calibration alone.").format(name=name),
                    stacklevel=3,
                )
        return params, {}

    def keep(self, labels: Array, pairs: list[CalibratedClassifier]) -> Self:
        """Set the fitted attributes in one step."""
        of_base = ("n_features_in_", "feature_names_in_")
        settled = {name: value for name, value in vars(self).items() if name not in of_base}
        settled |= {name: getattr(pairs[0].estimator, name) for name in of_base if hasattr(pairs[0].estimator, name)}
        held = [calibrator.certificate.holds for pair in pairs for calibrator in pair.calibrators]
        claim = "every calibrator minimises its loss on the rows that its classifier has not seen"
        certificate = Certificate(claim, all(held), {"calibrators": len(held), "kept": sum(held)})
        self.__dict__ = {**settled, "classes_": labels, "calibrated_classifiers_": pairs, "certificate_": certificate}
        return self

    # ---- predictions -----------------------------------------------------------------------------------------------------

    def predict_proba(self, X: Any) -> Array:
        """(1), rows × classes."""
        check_is_fitted(self)
        return np.mean([pair.predict_proba(X) for pair in self.calibrated_classifiers_], axis=0)

    def predict(self, X: Any) -> Array:
        """The most probable class of each row, which need not be that of the classifier."""
        check_is_fitted(self)
        return np.asarray(self.classes_[self.predict_proba(X).argmax(axis=1)])

    # ---- scikit-learn ----------------------------------------------------------------------------------------------------

    def get_metadata_routing(self) -> MetadataRouter:
        """Fit parameters go to the classifier, those of `split` to the folds."""
        router = MetadataRouter(owner=self).add_self_request(self)
        router.add(estimator=self.base(), method_mapping=MethodMapping().add(caller="fit", callee="fit"))
        return router.add(splitter=self.cv, method_mapping=MethodMapping().add(caller="fit", callee="split"))

    def __sklearn_tags__(self) -> Any:
        tags, base = super().__sklearn_tags__(), get_tags(self.base())
        for name in ("sparse", "allow_nan", "categorical", "string"):
            setattr(tags.input_tags, name, getattr(base.input_tags, name))
        return tags
