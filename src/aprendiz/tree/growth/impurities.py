"""The impurity of some rows, from its definition.

With the shares p_k of the classes, or numbers z with weights ω around their mean m (their median, for absolute errors),

    gini           1 − Σ p_k²                       squared error     Σ ω (z − m)² / Σ ω
    entropy        −Σ p_k log₂ p_k                  absolute error    Σ ω |z − m| / Σ ω
    error          1 − max p_k                      poisson           Σ ω z log(z / m) / Σ ω

and any function φ(p) that is symmetric, 0 where all rows are of one class, and largest where all classes are equally frequent.
Several targets count with the mean of their impurities.

Cost: O(rows).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from aprendiz.core.parameters import ParameterError
from aprendiz.core.random import uniforms
from aprendiz.core.rows import Array

Criterion = str | Callable[[Array], float]
POINTS, PERMUTATIONS = 64, 4  # at which a function is tried
SLACK = 1e-9  # of the largest value


@dataclass(frozen=True)
class Contents:
    """Targets and weights of some rows.

    Attributes
    ----------
    y : ndarray of shape (rows,) or (rows, outputs)
        Numbers of the classes, or numbers.
    weight : ndarray of shape (rows,)
    classes : int
        How many; 0 where y holds numbers.
    criterion : str or function
    """

    y: Array
    weight: Array
    classes: int
    criterion: Criterion

    def __len__(self) -> int:
        return len(self.y)

    def of(self, rows: Array) -> Contents:
        """Some of the rows."""
        return replace(self, y=self.y[rows], weight=self.weight[rows])

    @property
    def total(self) -> float:
        return float(self.weight.sum())

    @property
    def summary(self) -> Array:
        """The weight of each class, or the mean (median, for absolute errors) of each target."""
        if self.classes:
            return np.bincount(self.y, self.weight, self.classes)
        if self.criterion == "absolute_error":
            return np.array([weighted_median(z, self.weight) for z in self.y.T])
        return np.asarray(self.weight @ self.y / self.total)

    @property
    def impurity(self) -> float:
        if self.classes:
            counts = self.summary
            return 0.0 if np.count_nonzero(counts) < 2 else impurity_of_shares(self.criterion, counts / counts.sum())
        if not len(self) or (self.y == self.y[0]).all():
            return 0.0
        return impurity_of_numbers(self.criterion, self.y, self.weight, self.summary)

    @property
    def answers(self) -> bool:
        """Can the rows be a branch? A Poisson mean must not be 0."""
        return len(self) > 0 and (self.criterion != "poisson" or bool((self.summary > 0).all()))


def impurity_of_shares(criterion: Criterion, p: Array) -> float:
    """The impurity of class shares."""
    if callable(criterion):
        return float(criterion(p))
    if criterion == "gini":
        return float(1.0 - p @ p)
    if criterion == "error":
        return float(1.0 - p.max())
    there = p[p > 0]
    return float(-there @ np.log2(there))


def impurity_of_numbers(criterion: Criterion, z: Array, weight: Array, centre: Array) -> float:
    """The impurity of numbers around their centre."""
    if criterion == "absolute_error":
        losses = np.abs(z - centre)
    elif criterion == "poisson":
        losses = np.where(z > 0, z * np.log(np.where(z > 0, z, 1.0) / centre), 0.0)
    else:
        losses = (z - centre) ** 2
    return float(weight @ losses.mean(axis=1) / weight.sum())


def weighted_median(z: Array, weight: Array) -> float:
    """The middle of all numbers that have at most half of the weight on either side."""
    order = np.argsort(z, kind="stable")
    line, below = z[order], np.cumsum(weight[order])
    half = 0.5 * below[-1]
    first = int(np.searchsorted(below, half * (1.0 - 1e-15)))
    last = first + 1 if below[first] <= half * (1.0 + 1e-15) and first + 1 < len(line) else first
    return float(0.5 * line[first] + 0.5 * line[last])


# ---- functions as criteria -----------------------------------------------------------------------------------------------


def refuse_impurity(phi: Callable[[Array], Any], classes: int) -> None:
    """A function of class shares that is no impurity: it is tried at the vertices, in the middle and at some points between."""
    middle = np.full(classes, 1.0 / classes)
    most = tried(phi, middle)
    slack = SLACK * max(abs(most), 1e-300)
    for vertex in np.eye(classes):
        if abs(value := tried(phi, vertex)) > slack:
            raise ParameterError(
                f"criterion gives {value:.6g} at p = {shown(vertex)}: it must be 0 where all rows are of one class."
            )
    for number, p in enumerate(points(classes)):
        value = tried(phi, p)
        if value > most + slack:
            raise ParameterError(
                f"criterion gives {value:.6g} at p = {shown(p)}, more than {most:.6g} at {shown(middle)}: "
                "it must be largest where all classes are equally frequent."
            )
        for turn in range(PERMUTATIONS):
            other = p[np.argsort(uniforms(turn, number, classes))] if turn else p[::-1]
            if abs(tried(phi, other) - value) > slack:
                raise ParameterError(
                    f"criterion gives {value:.6g} at p = {shown(p)} and {tried(phi, other):.6g} at p = {shown(other)}: "
                    "it must not depend on the order of the classes."
                )


def points(classes: int) -> Array:
    """Points of the simplex, the same at every call; half of them with a class that is absent, where there are three."""
    p = -np.log1p(-uniforms(0, 0, POINTS * classes).reshape(POINTS, classes))
    if classes > 2:
        p[: POINTS // 2, 0] = 0.0
    return p / p.sum(axis=1, keepdims=True)


def tried(phi: Callable[[Array], Any], p: Array) -> float:
    """φ(p), if it is a number."""
    value = phi(p.copy())
    if np.ndim(value) != 0 or not np.isreal(value) or not np.isfinite(value):
        raise ParameterError(f"criterion gives {value!r} at p = {shown(p)}: it must give one number for the class shares.")
    return float(value)


def shown(p: Array) -> str:
    return f"({', '.join(f'{share:.4g}' for share in p)})"
