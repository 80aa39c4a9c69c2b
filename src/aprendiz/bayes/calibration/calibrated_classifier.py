"""A fitted classifier with its calibrators: scores of the rows, and the probabilities that follow from them.

Scores are the decision function, or the probabilities of a classifier that has none. Of two classes only the second has one:

    sigmoid, isotonic:  two classes    p(2 | x) = c(s(x)),     p(1 | x) = 1 − p(2 | x)                         (1)
                        more           p(k | x) = c_k(s_k(x)) / Σ_j c_j(s_j(x)), each class against the rest    (2)
    temperature:        one number for all classes (temperature_calibrator.py)                                 (3)

Where all c_k are 0, the classes are equally probable. A class that the classifier has not seen has the probability 0. For (3),
z = (−s, s) for the decision function of two classes, and z = log(p + 10⁻¹²) for probabilities.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.frozen import FrozenEstimator

from aprendiz.bayes.calibration.isotonic_calibrator import IsotonicCalibrator
from aprendiz.bayes.calibration.sigmoid_calibrator import SigmoidCalibrator
from aprendiz.bayes.calibration.temperature_calibrator import TemperatureCalibrator
from aprendiz.core.rows import Array

SMALLEST_PROBABILITY = 1e-12
LARGEST_SCORE = 1e300
METHODS: dict[str, Any] = {
    "sigmoid": SigmoidCalibrator,
    "isotonic": IsotonicCalibrator,
    "temperature": TemperatureCalibrator,
}


@dataclass(frozen=True)
class CalibratedClassifier:
    """A fitted classifier and its calibrators.

    Attributes
    ----------
    estimator : classifier
        Fitted.
    calibrators : list
        One for each class of the classifier; for two classes, or with method="temperature", a single one.
    classes : ndarray of shape (n_classes,)
        All classes, also those that the classifier has not seen.
    method : {"sigmoid", "isotonic", "temperature"}
    """

    estimator: Any
    calibrators: list[Any]
    classes: Array
    method: str

    def predict_proba(self, X: Any) -> Array:
        """The probability of each of `classes`, rows × classes."""
        scores, place = class_scores(self.estimator, X), places(self.estimator, self.classes)
        if self.method == "temperature":
            return np.asarray(self.calibrators[0].predict(wide_logits(self.estimator, scores, place, len(self.classes))))
        P = np.zeros((len(scores), len(self.classes)))
        if len(place) <= 2:
            P[:, place[-1]] = self.calibrators[0].predict(scores[:, 0]) if len(place) == 2 else 1.0
            P[:, place[:-1]] = 1.0 - P[:, place[1:]]
            return P
        for k, score, calibrator in zip(place, scores.T, self.calibrators, strict=True):
            P[:, k] = calibrator.predict(score)
        total = P.sum(axis=1, keepdims=True)
        return np.divide(P, total, out=np.full_like(P, 1.0 / len(self.classes)), where=total > 0)


def calibrate(
    estimator: Any, scores: Array, codes: Array, weight: Array | None, classes: Array, method: str
) -> CalibratedClassifier:
    """The calibrators of a fitted classifier, from scores of rows that it has not seen, and the numbers of their classes."""
    weight = np.ones(len(codes)) if weight is None else weight
    if not weight.all():
        scores, codes, weight = scores[weight > 0], codes[weight > 0], weight[weight > 0]
    fit, place = METHODS[method].fitted, places(estimator, classes)
    if method == "temperature":
        found = [fit(wide_logits(estimator, scores, place, len(classes)), codes, weight)]
    else:  # of two classes, the second alone has a score
        found = [fit(score, codes == k, weight) for k, score in zip(place[-scores.shape[1] :], scores.T, strict=True)]
    return CalibratedClassifier(estimator, found, classes, method)


# ---- scores --------------------------------------------------------------------------------------------------------------


def places(estimator: Any, classes: Array) -> Array:
    """The places of the classes of a fitted classifier among all."""
    return np.searchsorted(classes, estimator.classes_)


def name_of(estimator: Any) -> str:
    """The class of a classifier, frozen or not."""
    return type(estimator.estimator if isinstance(estimator, FrozenEstimator) else estimator).__name__


def response_method(estimator: Any) -> str:
    """The method that gives the scores."""
    for name in ("decision_function", "predict_proba"):
        if hasattr(estimator, name):
            return name
    raise ValueError(
        f"{name_of(estimator)} has neither decision_function nor predict_proba, so there is nothing to calibrate: "
        "give a classifier with one of them."
    )


def class_scores(estimator: Any, X: Any) -> Array:
    """The scores of the classes of a fitted classifier; of two, of the second alone, in one column."""
    name = response_method(estimator)
    scores = np.asarray(getattr(estimator, name)(X), dtype=np.float64)
    if scores.ndim == 1:
        scores = scores[:, None]
    elif name == "predict_proba" and scores.shape[1] == 2:
        scores = scores[:, 1:]
    if not (np.abs(scores) <= LARGEST_SCORE).all():
        row = int(np.flatnonzero(~(np.abs(scores) <= LARGEST_SCORE).all(axis=1))[0])
        raise ValueError(
            f"{name} of {name_of(estimator)} gives {scores[row]} in row {row}, no finite numbers: look at that row, and "
            "at the fit of the classifier."
        )
    return scores


def wide_logits(estimator: Any, scores: Array, place: Array, count: int) -> Array:
    """z of (3) with a column for each class, −∞ for those that the classifier has not seen."""
    of_probabilities = response_method(estimator) == "predict_proba"
    if scores.shape[1] == 1 and len(place) == 2:
        scores = np.column_stack([1.0 - scores if of_probabilities else -scores, scores])
    z = np.log(scores + SMALLEST_PROBABILITY) if of_probabilities else scores
    if len(place) == count:
        return z
    wide = np.full((len(z), count), -np.inf)
    wide[:, place] = z
    return wide
