"""Weights of classes: a row counts as many times as its class does.

w_i ← w_i·v_k,     "balanced": v_k = n / (K·n_k), so that all K classes weigh the same                     (1)
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from aprendiz.core.parameters import ParameterError
from aprendiz.core.rows import Array, Block, Rows, read_only
from aprendiz.core.sources.arrays import in_memory
from aprendiz.core.sums import Sums


def reweight(rows: Rows, class_weight: dict[Any, Any] | list[Any] | str) -> Rows:
    """Rows whose weights are multiplied by those of their classes."""
    factor = class_factors(rows, class_weight)
    if in_memory(rows):
        return rows.like(weight=factor[rows.y] if rows.weight is None else rows.weight * factor[rows.y])
    return rows.changed(lambda block: replace(block, weight=read_only(block.weights * factor[block.y])))


def class_factors(rows: Rows, class_weight: dict[Any, Any] | list[Any] | str) -> Array:
    """v of (1), one number for each class."""
    labels = rows.labels
    assert labels is not None
    if isinstance(class_weight, list):
        raise ParameterError("class_weight is a list, a dict for each of several targets, but y has one: give a dict.")
    if class_weight == "balanced":
        stored = rows.like(thin=True) if in_memory(rows) and rows.sparse else rows  # its cells do not matter
        totals = stored.sum(Totals.of, len(labels)).weight
        return np.asarray(totals.sum() / (len(labels) * np.maximum(totals, 1e-300)))
    assert isinstance(class_weight, dict)
    unknown = [key for key in class_weight if key not in labels.tolist()]
    if unknown and not all(label in class_weight for label in labels.tolist()):  # a class may be absent from a fold
        raise ValueError(f"class_weight names {unknown[0]!r}, which is not a class of y: {labels.tolist()[:20]}.")
    for label, weight in class_weight.items():
        if not (isinstance(weight, (int, float, np.number)) and 0 <= weight < np.inf):
            raise ValueError(f"class_weight of {label!r} must be a number of at least 0, got {weight!r}.")
    return np.array([float(class_weight.get(label, 1.0)) for label in labels.tolist()])


@dataclass(frozen=True)
class Totals(Sums):
    """Weight of each class, and the number of rows."""

    weight: Array
    rows: int

    @classmethod
    def of(cls, classes: int, block: Block) -> Totals:
        return cls(np.bincount(block.y, block.weight, classes).astype(np.float64), len(block))
