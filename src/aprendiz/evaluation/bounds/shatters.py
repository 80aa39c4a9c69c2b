"""Shattering: can linear classifiers label a set of points in every way?

A labelling s of points x_i is made by a hyperplane if t > 0 in the linear programme

    maximise t   subject to   s_i·(wᵀx_i + b) ≥ t,   −1 ≤ w_j ≤ 1                                                (1)

The labellings are counted point by point: of each labelling of the first points that a hyperplane makes, both extensions are
tried, up to a change of all signs. So there are about as many programmes as labellings, O(n^d), not 2^n. In general position
Cover's count says how many there must be.

The points are moved to the middle and each column is scaled to the same range, which changes no labelling. A t below 10⁻⁹ of
that range is none: points so close to special position are taken to be in it.

Cost: a linear programme of d + 2 unknowns for each labelling.
Reference: Cover, IEEE Transactions on Electronic Computers 14, 1965.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
from scipy.optimize import linprog

from aprendiz.core.rows import Array
from aprendiz.core.targets import refuse_bad_number
from aprendiz.evaluation import bounds

NOTHING = 1e-9  # of the range: margins and volumes below it are none
PRECISE = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}  # finer than NOTHING
MOST_LABELLINGS = 20_000  # programmes of about a millisecond
MOST_SUBSETS = 200_000


@dataclass(frozen=True)
class Shattering:
    """In how many ways linear classifiers label a set of points. True where they shatter it.

    Attributes
    ----------
    separable : int
        Labellings that a hyperplane makes.
    labellings : int
        All of them, 2^n.
    general_position : bool or None
        Whether no d + 1 points lie in a hyperplane; None where there are too many subsets to look at.
    cover : int
        Cover's count, which `separable` is in general position, and stays below otherwise.
    """

    separable: int
    labellings: int
    general_position: bool | None
    cover: int

    def __bool__(self) -> bool:
        return self.separable == self.labellings


def shatters(points: Any) -> Shattering:
    """Whether linear classifiers label the points in every way, and how many ways there are.

    Parameters
    ----------
    points : array-like of shape (n_points, n_columns)

    Examples
    --------
    >>> shatters([[0, 0], [1, 0], [0, 1]])
    Shattering(separable=8, labellings=8, general_position=True, cover=8)
    >>> bool(shatters([[0, 0], [1, 0], [0, 1], [1, 1]]))
    False
    """
    X = checked_points(points)
    n, d = X.shape
    cover = bounds.cover_count(n, d)
    if cover > MOST_LABELLINGS:
        raise ValueError(
            f"{n} points in {d} dimensions may have {cover} labellings, each a linear programme: give fewer points. More than "
            f"{d + 1} are never shattered."
        )
    return Shattering(2 * len(labellings_of(X)), 2**n, is_general(X), cover)


def checked_points(points: Any) -> Array:
    """The points around their middle, each column with the range 2."""
    X = np.asarray(points)
    if X.ndim != 2 or 0 in X.shape:
        raise ValueError(f"points has shape {X.shape}: give a row for each point and a column for each coordinate.")
    if X.dtype.kind not in "biuf":
        raise TypeError(f"points must hold numbers, got {X.dtype}.")
    X = X.astype(np.float64)
    refuse_bad_number("points", X)
    low, high = X.min(axis=0), X.max(axis=0)
    half = high / 2.0 - low / 2.0
    return (X - (low / 2.0 + high / 2.0)) / np.where(half > 0, half, 1.0)


def labellings_of(X: Array) -> list[Array]:
    """The labellings that a hyperplane makes and in which the first point is positive; the others are their negatives."""
    found = [np.ones(1)]
    for count in range(2, len(X) + 1):
        longer = (np.append(signs, last) for signs in found for last in (1.0, -1.0))
        found = [signs for signs in longer if is_separable(X[:count], signs)]
    return found


def is_separable(X: Array, signs: Array) -> bool:
    """(1)."""
    if (signs == signs[0]).all():
        return True
    d = X.shape[1]
    rows = np.column_stack([-signs[:, None] * X, -signs, np.ones(len(X))])  # t − s(wᵀx + b) ≤ 0
    limits = [(-1.0, 1.0)] * d + [(None, None), (None, 1.0)]
    goal = np.append(np.zeros(d + 1), -1.0)
    found = linprog(goal, A_ub=rows, b_ub=np.zeros(len(X)), bounds=limits, method="highs", options=PRECISE)
    return bool(found.x[-1] > NOTHING)


def is_general(X: Array) -> bool | None:
    """Whether every d + 1 points (or all, if they are fewer) span as many dimensions as they can."""
    n, d = X.shape
    size = min(n, d + 1)
    if comb(n, size) > MOST_SUBSETS:
        return None
    lifted = np.column_stack([X, np.ones(n)])
    subsets = np.array(list(combinations(range(n), size)))
    smallest = np.linalg.svd(lifted[subsets], compute_uv=False)[:, -1]
    return bool((smallest > NOTHING).all())
