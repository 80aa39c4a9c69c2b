"""What a fitted classifier says of rows, for the pictures of one class against the rest."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import is_regressor
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.rows import Array
from aprendiz.core.targets import plain
from aprendiz.evaluation.inputs.labels_and_numbers import list_labels


def place_of(model: Any, positive: Any) -> int:
    """The place of the positive class among those of a model: the last of two, if none is named."""
    check_is_fitted(model)
    classes = getattr(model, "classes_", None)
    if classes is None:
        raise TypeError(f"{type(model).__name__} is not a classifier: give one.")
    if positive is None:
        if len(classes) != 2:
            example = f"positive={plain(classes[0])!r}"
            known = f"{type(model).__name__} knows {len(classes)} classes ({list_labels(classes)})"
            raise ValueError(f"{known}: say which is positive, as in {example}.")
        return 1
    place = np.flatnonzero(classes == positive)
    if not len(place):
        known = f"{type(model).__name__} knows no class {plain(positive)!r}"
        raise ValueError(f"{known}: choose one of {list_labels(classes)}.")
    return int(place[0])


def probability_of(model: Any, X: Any, positive: Any) -> tuple[Array, Any]:
    """The probabilities of the positive class, and its label."""
    place = place_of(model, positive)
    if not hasattr(model, "predict_proba"):
        name = type(model).__name__
        raise TypeError(f"{name} gives no probabilities: wrap it in CalibratedClassifierCV.")
    return np.asarray(model.predict_proba(X))[:, place], model.classes_[place]


def score_of(model: Any, X: Any, positive: Any) -> tuple[Array, Any]:
    """Scores that are higher for the positive class, and its label: probabilities, or distances from the boundary."""
    place = place_of(model, positive)
    if hasattr(model, "predict_proba"):
        return probability_of(model, X, positive)
    distance = np.asarray(model.decision_function(X))
    if distance.ndim == 1:
        return (distance if place == 1 else -distance), model.classes_[place]
    return distance[:, place], model.classes_[place]


def classes_predicted(model: Any, X: Any) -> Array:
    """The classes that a fitted classifier predicts."""
    check_is_fitted(model)
    if getattr(model, "classes_", None) is None:
        raise TypeError(f"{type(model).__name__} is not a classifier: give one.")
    return np.asarray(model.predict(X))


def numbers_predicted(model: Any, X: Any) -> Array:
    """The numbers that a fitted regressor predicts."""
    check_is_fitted(model)
    if not is_regressor(model):
        raise TypeError(f"{type(model).__name__} is not a regressor: give one.")
    return np.asarray(model.predict(X))
