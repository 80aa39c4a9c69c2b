"""One class against the rest: the question of two sides that is put to rows of two classes or more."""

from __future__ import annotations

from typing import Any

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.core.targets import plain
from aprendiz.evaluation.inputs.labels_and_numbers import list_labels


def one_against_rest(labels: Array, positive: Any) -> tuple[Array, Any]:
    """Which rows are of the positive class, and its label: the one that is sorted last of two, if none is named."""
    known = np.unique(labels)
    if len(known) == 1:
        raise ValueError(f"y_true holds only one class, {plain(known[0])!r}: rows of another are needed beside it.")
    if positive is None:
        if len(known) > 2:
            example = f"positive={plain(known[0])!r}"
            raise ValueError(
                f"y_true holds {len(known)} classes ({list_labels(known)}): say which is positive, as in {example}."
            )
        positive = known[1]
    if positive not in known:
        raise ValueError(f"positive = {plain(positive)!r} is not in y_true: choose one of {list_labels(known)}.")
    return labels == positive, plain(positive)
