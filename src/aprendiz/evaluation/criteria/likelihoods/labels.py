"""The classes of rows, as a fitted model numbers them."""

from __future__ import annotations

from typing import Any

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.core.targets import plain
from aprendiz.evaluation.inputs.labels_and_numbers import class_labels, same_rows


def label_codes(model: Any, y: Any, rows: int) -> Array:
    """The number of the class of each row; a class that the model does not know has no likelihood."""
    if y is None:
        raise ValueError(f"{type(model).__name__} gives the probability of classes: give y.")
    labels = class_labels("y", y)
    same_rows("y", labels, "X", np.empty(rows))
    codes = np.searchsorted(model.classes_, labels)
    strange = model.classes_[np.minimum(codes, len(model.classes_) - 1)] != labels
    if strange.any():
        row = int(np.argmax(strange))
        raise ValueError(f"y holds {plain(labels[row])!r} in row {row}, a class that the model was not fitted with.")
    return codes
