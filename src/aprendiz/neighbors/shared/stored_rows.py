"""Whether stored rows and their targets go together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from aprendiz.core.stored import Check


def neighbours_agree(held: Mapping[str, Any]) -> bool:
    """A row has a number for each column and a target, and targets that are classes are numbered from 0."""
    if (X := held.get("_fit_X")) is None:
        return True
    table, labels, y = X.shape == (held["n_samples_fit_"], held["n_features_in_"]), held.get("classes_"), held.get("_y")
    if isinstance(X, np.ndarray):
        table = table and X.dtype == np.float64 and X.flags.c_contiguous
    elif hasattr(X, "codes"):  # a mixed table
        rows = X.shape[0]
        table = table and X.numbers.shape == (rows, len(X.columns.numeric)) and X.codes.shape == (rows, len(X.columns.coded))
    if y is None:
        return bool(table)
    if isinstance(labels, list):  # of several targets
        numbered = y.dtype.kind == "i" and y.shape == (X.shape[0], len(labels)) and y.flags.c_contiguous
        return bool(table and numbered and (y >= 0).all() and (y < [len(one) for one in labels]).all())
    kinds = y.dtype.kind == "f" if labels is None else y.dtype.kind == "i" and 0 <= y.min() <= y.max() < len(labels)
    return bool(table and kinds and y.ndim <= (2 if labels is None else 1) and len(y) == X.shape[0] and y.flags.c_contiguous)


NEIGHBOURS = Check(neighbours_agree, "its rows and targets do not go together; fit it again")
