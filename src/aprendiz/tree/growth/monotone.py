"""Monotonic constraints: a prediction that must not fall (sign +1) or must not rise (−1) where a column rises.

The value v of a node is the mean of its numbers, their median (absolute errors), or the share of the second of two classes.
Every node has bounds l ≤ u on its prediction, the root −∞ and ∞. A column of sign s ≠ 0 may be cut only where

    s·(v_right − v_left) ≥ 0     and     l ≤ v_left, v_right ≤ u                                              (1)

and with the middle c = (v_left + v_right)/2 the bounds of the branches are

    s = +1     left [l, c], right [c, u]               s = −1     left [c, u], right [l, c]                   (2)

The branches of other columns have the bounds of their node, and every node predicts the number nearest to v within its bounds.

Two rows that differ in a column of sign s alone part in a node that cuts this column, if they part at all. By (2), c lies
between the predictions of all leaves on one side and of all leaves on the other, so that the predictions of the two rows have
the order that s asks for. A mean of such trees has it too.

Reference: the bounds are those of scikit-learn's trees.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.parameters import ParameterError
from aprendiz.core.rows import Array
from aprendiz.tree.growth.records import HIGHEST, LOWEST, SUMS, UNORDERED, Monotone

REMEDY = "fit a model for each, or leave monotonic_cst out"


def checked_signs(given: Any, layout: Array, factors: Array | None, outputs: int) -> Array | None:
    """The sign of each column, from `monotonic_cst`; None where nothing is asked for, or there is only one class. `factors` are
    those of the classes in the search (classification_tree.py), None for numbers."""
    if given is None:
        return None
    refuse_several_outputs(outputs)
    signs, columns, classes = np.asarray(given), layout.shape[1], 0 if factors is None else len(factors)
    if signs.ndim != 1 or len(signs) != columns:
        shape = signs.shape[0] if signs.ndim == 1 else signs.shape
        raise ParameterError(f"monotonic_cst has shape {shape} but the input data X has {columns} features.")
    if not np.isin(signs, (-1, 0, 1)).all():
        raise ParameterError(f"monotonic_cst must be None or an array-like of -1, 0 or 1, but got {np.unique(signs)}.")
    if classes > 2:
        raise ParameterError(
            f"Monotonicity constraints are not supported with multiclass classification: y has {classes} classes; {REMEDY}."
        )
    if factors is not None and (factors != 1).any():  # the shares of a node at a bound would not tell its weight in the search
        raise ParameterError("monotonic_cst needs equal costs: give class_weight or priors instead of costs.")
    words = np.flatnonzero((signs != 0) & (layout[UNORDERED] != 0))
    if len(words):
        raise ParameterError(
            f"monotonic_cst is {signs[words[0]]} for column {words[0]}, whose levels have no order: "
            'give 0, or make it an ordered category (and leave categories="subsets").'
        )
    return None if classes == 1 else signs.astype(np.int64)


def refuse_several_outputs(outputs: int) -> None:
    """A constraint is one on a single number."""
    if outputs > 1:
        raise ParameterError(f"Monotonicity constraints are not supported with multiple outputs: {REMEDY}.")


def bounded_values(real: Array) -> Array:
    """The predictions of nodes within their bounds: a number for each, or the shares of two classes."""
    low, high, sums = real[:, LOWEST], real[:, HIGHEST], real[:, SUMS:]
    if sums.shape[1] == 1:
        return np.clip(sums, low[:, None], high[:, None])
    shares = sums / sums.sum(axis=1, keepdims=True)
    inside = np.clip(shares[:, 1], low, high)
    return np.where((inside == shares[:, 1])[:, None], shares, np.column_stack([1.0 - inside, inside]))


# ---- kernels -----------------------------------------------------------------------------------------------------------


@compiled(inner=True)
def set_limits(j: int, real: Array, monotone: Monotone) -> None:
    """Write down what (1) asks of column j in a node."""
    limits = monotone.limits
    limits[0], limits[1], limits[2] = monotone.signs[j], real[LOWEST], real[HIGHEST]


@compiled(inner=True)
def is_forbidden(left: float, right: float, limits: Array) -> bool:
    """Does (1) forbid branches of these values?"""
    sign, low, high = limits[0], limits[1], limits[2]
    inside = low <= left <= high and low <= right <= high
    return sign != 0.0 and not (inside and sign * (right - left) >= 0.0)


@compiled(inner=True)
def value_of_sums(sums: Array, origin: Array) -> float:
    """The mean of one number, or the share of the second of two classes: the last sum stands for both."""
    m = len(sums) - 2
    return sums[m - 1] / sums[m] + origin[m - 1]


@compiled(inner=True)
def value_of_node(real: Array) -> float:
    """The same, or the median, from what is written down of a node."""
    if len(real) - SUMS == 1:
        return real[SUMS]
    return real[SUMS + 1] / (real[SUMS] + real[SUMS + 1])


@compiled(inner=True)
def bound_two_branches(sign: int, above: Array, left: Array, right: Array) -> None:
    """(2). The values are taken within the bounds of the node: rounding may put them outside."""
    low, high = above[LOWEST], above[HIGHEST]
    middle = 0.5 * min(max(value_of_node(left), low), high) + 0.5 * min(max(value_of_node(right), low), high)
    lower, upper = left, right
    if sign < 0:
        lower, upper = right, left
    lower[LOWEST], lower[HIGHEST], upper[LOWEST], upper[HIGHEST] = low, middle, middle, high
