"""What is compared: truth, predictions, scores and weights as a user passes them, checked.

    class_labels(name, y)     a vector of labels: text, whole numbers or booleans
    measurements(name, y)     float64 of shape (rows,) or (rows, targets)
    score_vector(score)       float64 of shape (rows,)
    row_weights(w, count)     float64 of at least 0, not all 0; None stays None

Every refusal names the argument, the row, the value and the remedy.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aprendiz.core.frames import is_missing
from aprendiz.core.rows import Array
from aprendiz.core.targets import as_target, plain, refuse_bad_number, weights

SHOWN = 10  # labels listed in a message


def same_rows(first: str, a: Array, second: str, b: Array) -> None:
    if len(a) != len(b):
        raise ValueError(f"{first} has {len(a)} rows, {second} has {len(b)}: both need one value for each row.")


def nonempty_array(name: str, values: Any) -> Array:
    """An array with at least one row; one column of a table is a vector."""
    array = np.asarray(values, dtype=object) if isinstance(values, (list, tuple)) else as_target(values)
    if array.ndim == 0:
        raise ValueError(f"{name} is the single value {plain(array[()])!r}: give one value for each row.")
    if len(array) == 0:
        raise ValueError(f"{name} has no rows: at least 1 is needed.")
    return array.ravel() if array.ndim == 2 and array.shape[1] == 1 else array


# ---- labels ----------------------------------------------------------------------------------------------------------


def class_labels(name: str, y: Any) -> Array:
    """A vector of labels."""
    labels = nonempty_array(name, y)
    if labels.ndim != 1:
        raise ValueError(
            f"{name} has shape {labels.shape}: give one label for each row; of scores, the class with the largest one."
        )
    if labels.dtype == object:
        labels = of_one_type(name, labels)
    if labels.dtype.kind == "f":
        refuse_bad_number(name, labels)
        refuse_fractions(name, labels)
    if labels.dtype.kind not in "biufUS":
        raise TypeError(f"{name} holds labels of type {labels.dtype}: make them text, whole numbers or booleans.")
    return labels


def of_one_type(name: str, labels: Array) -> Array:
    """Python objects as text or as numbers; missing ones and mixtures are refused."""
    for row, value in enumerate(labels):
        if is_missing(value):
            raise ValueError(f"{name} has no label in row {row}: leave the row out.")
    if 0 < sum(isinstance(value, str) for value in labels) < len(labels):
        kinds = ", ".join(sorted({type(value).__name__ for value in labels}))
        raise TypeError(f"{name} mixes labels of types {kinds}, which have no order: make them one type.")
    return np.asarray(labels.tolist())


def refuse_fractions(name: str, labels: Array) -> None:
    uneven = labels != np.floor(labels)
    if uneven.any():
        row = int(np.flatnonzero(uneven)[0])
        raise ValueError(
            f"{name} holds {plain(labels[row])!r} in row {row}, a measurement where a class is needed: "
            "turn scores into labels first, and compare numbers with regression_errors."
        )


def same_kind(first: str, a: Array, second: str, b: Array) -> None:
    """Text is compared with text, numbers with numbers."""
    if (a.dtype.kind in "US") != (b.dtype.kind in "US"):
        raise TypeError(
            f"{first} holds labels such as {plain(a[0])!r}, {second} such as {plain(b[0])!r}: make them one type, "
            "text or numbers."
        )


def list_labels(labels: Array) -> str:
    """Labels for a message, the first few of many."""
    some = ", ".join(repr(plain(label)) for label in labels[:SHOWN])
    return some if len(labels) <= SHOWN else f"{some}, … ({len(labels)} in all)"


def refuse_unlisted(name: str, y: Array, labels: Array) -> None:
    unknown = ~np.isin(y, labels)
    if unknown.any():
        row = int(np.flatnonzero(unknown)[0])
        raise ValueError(
            f"{name} holds {plain(y[row])!r} in row {row}, which is not among labels ({list_labels(labels)}): "
            "add it to labels or leave the row out."
        )


# ---- numbers ---------------------------------------------------------------------------------------------------------


def measurements(name: str, y: Any) -> Array:
    """Numbers, finite, of one target or several."""
    values = as_numbers(name, nonempty_array(name, y), "numbers are compared here, classes with confusion")
    if values.ndim > 2:
        raise ValueError(f"{name} has shape {values.shape}: give one column for each target.")
    refuse_bad_number(name, values)
    return values


def score_vector(score: Any) -> Array:
    """The scores of the positive class, finite."""
    wanted = "give numbers, such as predict_proba(X)[:, 1] or decision_function(X)"
    values = as_numbers("score", nonempty_array("score", score), wanted)
    if values.ndim != 1:
        raise ValueError(f"score has shape {values.shape}: pass the column of the positive class, such as score[:, 1].")
    refuse_bad_number("score", values)
    return values


def as_numbers(name: str, values: Array, wanted: str) -> Array:
    if values.dtype.kind in "OUS":
        for place, value in np.ndenumerate(values):
            if not isinstance(value, (bool, int, float, np.number, np.bool_, type(None))):
                raise TypeError(f"{name} holds {plain(value)!r} in row {place[0]}: {wanted}.")
    elif values.dtype.kind not in "biuf":
        raise TypeError(f"{name} holds values of type {values.dtype}: {wanted}.")
    return np.asarray(values, dtype=np.float64)


def row_weights(sample_weight: Any, count: int) -> Array | None:
    """One weight for each row; they count rows: 2 is the row twice, 0 is the row left out."""
    if sample_weight is not None and len(np.shape(sample_weight)) == 1 and len(sample_weight) != count:
        raise ValueError(f"y_true has {count} rows, sample_weight has {len(sample_weight)}: give one weight for each row.")
    return weights(sample_weight, count)
