"""Several targets of classes at once: their classes side by side, as columns of indicators.

A target with the classes c has the indicators z_c = 1 where a row is of class c, else 0. Their means in some rows are the
shares of the classes, so that whoever averages numbers (a tree, a forest, neighbours) averages several targets of classes: a
block of columns for each. The sum of their variances is the Gini impurity, Σ_c p_c (1 − p_c).

Cost: O(n·C), with C the classes of all targets together.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.utils.multiclass import check_classification_targets

from aprendiz.core.parameters import ParameterError
from aprendiz.core.rows import Array
from aprendiz.core.targets import labels_in_order, numbered, real_target, refuse_measurements, same_length, warn_of_many_classes

Labels = Sequence[Array]  # the classes of each target


def has_several_targets(y: Any) -> bool:
    """Is y a table of two columns or more?"""
    shape = getattr(y, "shape", None)
    if shape is not None:
        return len(shape) == 2 and shape[1] > 1
    first = y[0] if isinstance(y, (list, tuple)) and len(y) else None
    return isinstance(first, (list, tuple, np.ndarray)) and np.ndim(first) == 1 and len(first) > 1


def several_classes(y: Any, count: int) -> tuple[list[Array], Array]:
    """The classes of each target, and the indicators of all of them."""
    table = real_target(y)
    if table.ndim != 2:
        raise ValueError(f"y should be a table of rows and targets, got an array of shape {table.shape} instead.")
    same_length("y", len(table), count)
    found, parts = [], []
    for column in table.T:
        target = labels_in_order(column)
        refuse_measurements(target)
        if target.dtype.kind not in "biufUS":
            check_classification_targets(target)
        labels, codes = numbered(target)
        warn_of_many_classes(len(labels), count)
        found.append(labels)
        parts.append(np.eye(len(labels))[codes])
    return found, np.hstack(parts)


def blocks(table: Array, labels: Labels) -> list[Array]:
    """The columns of each target."""
    return np.split(table, np.cumsum([len(one) for one in labels])[:-1], axis=1)


def codes_of(indicators: Array, labels: Labels) -> Array:
    """The number of the class of each row and target; of shares, that of the largest, the first of equals."""
    return np.column_stack([part.argmax(axis=1) for part in blocks(indicators, labels)])


def labelled(codes: Array, labels: Labels) -> Array:
    """Classes by their numbers: a column for each target."""
    return np.column_stack([one[column] for one, column in zip(labels, codes.T, strict=True)])


def padded(table: Array, labels: Labels) -> Array:
    """Shares of shape (rows, targets, classes): targets with fewer classes than others have zeros behind theirs."""
    full = np.zeros((len(table), len(labels), max(len(one) for one in labels)))
    for k, part in enumerate(blocks(table, labels)):
        full[:, k, : part.shape[1]] = part
    return full


def class_factors(class_weight: Any, indicators: Array, labels: Labels, times: Array | None = None) -> Array:
    """What the weight of each row is multiplied by: the product over its targets of n / (K·n_k) for "balanced", or of the
    weights that a dict for each target names. `times`: how often each row is there."""
    balanced = isinstance(class_weight, str)
    if not balanced and not (isinstance(class_weight, list) and len(class_weight) == len(labels)):
        raise ParameterError(f'class_weight of {len(labels)} targets must be "balanced" or a list of {len(labels)} dicts.')
    factor = np.ones(len(indicators))
    for k, (part, one) in enumerate(zip(blocks(indicators, labels), labels, strict=True)):
        if balanced:
            total = part.sum(axis=0) if times is None else times @ part
            weights = total.sum() / (len(one) * np.maximum(total, 1e-300))
        else:
            weights = np.array([given_weight(class_weight[k], label) for label in one.tolist()])
        factor *= part @ weights
    return factor


def given_weight(weights: Any, label: Any) -> float:
    """The weight of a class, 1 where it is not named."""
    weight = weights.get(label, 1.0) if isinstance(weights, dict) else None
    if not (isinstance(weight, (int, float, np.number)) and 0 <= weight < np.inf):
        raise ParameterError(f"class_weight of {label!r} must be a number of at least 0 in a dict, got {weight!r}.")
    return float(weight)
