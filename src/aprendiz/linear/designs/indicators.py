"""Least squares on indicators of the classes: sums that add, also where a part of the rows lacks a class.

    y_k = 1 in the rows of class k, else 0;     min over w_k, b_k of Σ ω (y_k − b_k − xᵀw_k)²                  (1)

Two classes need one target, since y₀ = 1 − y₁. The sums are those of least squares with several targets (linear_regression.py);
a class that a part of the rows does not have is a target that is 0 throughout, so that parts with other classes add too.

Cost: as least squares, with K targets.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from aprendiz.core.blas import single_blas
from aprendiz.core.inputs import refuse_empty_sums
from aprendiz.core.rows import Array, Block, Rows, read_only
from aprendiz.core.sums import Sums, find_pivot
from aprendiz.core.targets import refuse_two_kinds
from aprendiz.linear.solvers.least_squares import SAFE, SMALL, Solution, normal_equations, orthogonal, polished
from aprendiz.summaries.moments import Moments, Triangle


@dataclass(frozen=True)
class Indicated(Sums):
    """Labels, and the sums of the features followed by an indicator of each class; `declared`: no other labels may come."""

    labels: Array
    sums: Any  # Triangle or Moments
    declared: bool = False

    def __add__(self, other: Self) -> Self:
        refuse_two_kinds(self.labels, other.labels)
        labels = np.union1d(self.labels, other.labels)
        return type(self)(labels, self.wider(labels) + other.wider(labels), self.declared or other.declared)

    def mark_declared(self, declared: bool) -> Self:
        return replace(self, declared=declared)

    def wider(self, labels: Array) -> Any:
        """The sums with an indicator, 0 throughout, for each class that these rows lack."""
        if len(labels) == len(self.labels):
            return self.sums
        d, sums = self.columns, self.sums
        places = np.r_[: 1 + d, 1 + d + np.searchsorted(labels, self.labels)]
        pivot = np.append(sums.pivot[:d], np.zeros(len(labels)))
        if isinstance(sums, Moments):
            gram = np.zeros((1 + len(pivot),) * 2)
            gram[np.ix_(places, places)] = sums.gram
            return replace(sums, gram=gram, pivot=pivot, target=(len(labels),))
        R = np.zeros((len(sums.R), 1 + len(pivot)))
        R[:, places] = sums.R
        return replace(sums, R=R, pivot=pivot, target=(len(labels),))

    @property
    def weight(self) -> Any:
        """Total weight n."""
        return self.sums.weight

    @property
    def columns(self) -> int:
        """Number of features."""
        return int(self.sums.columns)

    @property
    def finite(self) -> bool:
        """Has nothing overflowed?"""
        return bool(self.sums.finite)

    def targets(self) -> Any:
        """The sums with the targets of (1): of two classes the second alone."""
        if len(self.labels) != 2:
            return self.sums
        first, sums = self.columns, self.sums
        pivot = np.delete(sums.pivot, first)
        if isinstance(sums, Moments):
            gram = np.delete(np.delete(sums.gram, 1 + first, axis=0), 1 + first, axis=1)
            return replace(sums, gram=gram, pivot=pivot, target=(1,))
        return replace(sums, R=np.delete(sums.R, 1 + first, axis=1), pivot=pivot, target=(1,))

    def solve(self, intercept: bool) -> Solution:
        """(1) by rotations."""
        sums = self.targets()
        triangle = sums.triangle() if isinstance(sums, Moments) else sums
        if not intercept:
            triangle = triangle.around(np.zeros_like(triangle.pivot))
        with single_blas():  # several targets at once would wake its threads for a handful of numbers
            return orthogonal(triangle, intercept, positive=False)


def with_indicators(rows: Rows, first: int = 0) -> Rows:
    """Rows whose targets are the indicators of their classes, from the first on."""
    assert rows.labels is not None
    classes = np.arange(first, len(rows.labels))

    def change(block: Block) -> Block:
        return replace(block, y=read_only((block.y[:, None] == classes).astype(np.float64)))

    changed = rows.changed(change)
    changed.width = rows.columns + len(classes)
    return changed


def pivot_of(rows: Rows, intercept: bool) -> Array:
    """A point inside the data for the features, 0 for the indicators."""
    assert rows.labels is not None
    features = find_pivot(rows) if intercept else np.zeros(rows.columns)
    return np.append(features, np.zeros(len(rows.labels)))


def sum_indicators(rows: Rows, statistic: Callable[..., Any], intercept: bool) -> Indicated:
    """The sums of the features and the indicators."""
    assert rows.labels is not None
    return Indicated(rows.labels, with_indicators(rows).sum(statistic, pivot_of(rows, intercept)))


def indicator_fit(rows: Rows, intercept: bool) -> tuple[Solution, Indicated]:
    """(1) by the normal equations where that is safe, else by rotations, polished; and the sums it was found from."""
    if rows.work > SMALL and (rows.count is None or rows.count > rows.columns):
        record = sum_indicators(rows, Moments.joint, intercept)
        refuse_empty_sums(record.weight, record.finite, rows)
        solution = normal_equations(record.targets(), intercept)
        if solution is not None:
            return solution, record
    record = sum_indicators(rows, Triangle.joint, intercept)
    refuse_empty_sums(record.weight, record.finite, rows)
    solution = record.solve(intercept)
    if solution.error > SAFE / 10 and solution.rank == rows.columns:
        targets = with_indicators(rows, len(record.labels) - solution.coef.shape[1])
        solution = polished(solution, record.weight, intercept, targets)
    return solution, record
