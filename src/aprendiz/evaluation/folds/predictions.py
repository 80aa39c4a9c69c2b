"""What a fitted model says of rows, whatever library they come from."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import is_classifier, is_regressor

from aprendiz.core.frames import as_frame
from aprendiz.core.rows import Array
from aprendiz.core.targets import as_target, same_length
from aprendiz.evaluation.measures.answers import Answers, Needs, Task
from aprendiz.locale import _, format_whole


def task_of(learner: Any) -> Task:
    if is_classifier(learner):
        return "classification"
    if is_regressor(learner):
        return "regression"
    raise TypeError(f"{type(learner).__name__} predicts neither classes nor numbers: it cannot be evaluated.")


def target_and_groups(task: Task, y: Any, groups: Any) -> tuple[Array, Array | None]:
    """The target as an array, of floats for regression, and the groups of the rows if there are any."""
    target, together = as_target(y), None if groups is None else as_target(groups)
    if together is not None:
        same_length("groups", len(together), len(target))
    return (target.astype(np.float64) if task == "regression" else target), together


def answers_of(model: Any, X: Any, y: Array, classes: Array | None = None, *, needs: Needs = "scores") -> Answers:
    """What a fitted model says of some rows; with a column for each of the given classes, also those it has not seen. A measure
    that `needs` predictions alone costs nothing more."""
    own, probability, decision = getattr(model, "classes_", None), None, None
    if own is not None and needs != "predictions":
        probability = model.predict_proba(X) if hasattr(model, "predict_proba") else None
        whole = classes is None or len(classes) == len(own)  # of a class that the model lacks there are no values
        decision = decision_values(model, X, len(own)) if whole and probability is None else None
    if own is not None and classes is not None:
        probability = None if probability is None else widen(probability, own, classes)
        own = classes
    return Answers(y, refuse_no_number(np.asarray(model.predict(X))), own, probability, decision)


def decision_values(model: Any, X: Any, classes: int) -> Array | None:
    """Of two classes, positive for the second; of more, a column for each; None if the model has no such function."""
    if not hasattr(model, "decision_function") or (classes > 2 and compares_pairs(model)):
        return None
    values = np.asarray(model.decision_function(X), dtype=np.float64)
    if classes == 2:
        return values.reshape(-1) if values.size == len(values) else None
    return values if values.shape[1:] == (classes,) else None


def compares_pairs(model: Any) -> bool:
    """Are its decision values those of pairs of classes? Three classes have as many pairs, so the shape does not tell."""
    given = model.get_params() if hasattr(model, "get_params") else {}
    return any(name.endswith("decision_function_shape") and value == "ovo" for name, value in given.items())


def refuse_no_number(prediction: Array) -> Array:
    """The predictions, unless some are not finite: those cannot be judged, and without them others would look better."""
    if prediction.dtype.kind == "f" and not (known := np.isfinite(prediction)).all():
        raise ValueError(
            _("The model predicts no number for {some} of {rows} rows: choose other parameters, or another method.").format(
                some=format_whole(int((~known).sum())), rows=format_whole(prediction.size)
            )
        )
    return prediction


def widen(probability: Array, own: Array, classes: Array) -> Array:
    """A column for each class; zeros for those that are not among the model's own."""
    if np.array_equal(own, classes):
        return np.asarray(probability, dtype=np.float64)
    wide = np.zeros((len(probability), len(classes)))
    wide[:, np.searchsorted(classes, own)] = probability
    return wide


def take(X: Any, numbers: Array) -> Any:
    """Some rows of a table of any library."""
    if (frame := as_frame(X)) is not None:
        return frame[numbers].to_native()
    return X[numbers] if hasattr(X, "shape") else [X[number] for number in numbers]
