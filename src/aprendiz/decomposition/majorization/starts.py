"""Where scaling by majorization starts."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from aprendiz.core.parameters import ParameterError
from aprendiz.core.random import uniforms
from aprendiz.core.rows import Array


def drawn_points(n: int, components: int, seed: int, start: int) -> Array:
    """Points in the unit cube."""
    return np.column_stack([uniforms(seed, start * components + c, n) for c in range(components)])


def given_points(points: Any, n: int) -> Array:
    """The points of a user, one for each row."""
    found = np.array(points, np.float64)
    if found.ndim != 2 or found.shape[0] != n or found.shape[1] == 0:
        raise ParameterError(f"init must hold a point for each of the {n} rows, got the shape {found.shape}.")
    if (bad := np.argwhere(~(np.abs(found) <= 1e150))).size:
        i, c = bad[0]
        raise ParameterError(f"init must hold finite numbers that can be squared, got {found[i, c]} in row {i}, column {c}.")
    return found


def refuse_one_place(points: Array) -> None:
    """Points that no transform moves."""
    if len(points) > 1 and (points == points[0]).all():
        raise ParameterError("init: all points lie in one place, and would stay there: give points that differ.")


def warn_of_one_start(starts: int) -> None:
    """Several starts were asked for, and one was given."""
    if starts > 1:
        said = f"Explicit initial positions passed: performing only one init of the MDS instead of {starts}. Use n_init=1."
        warnings.warn(said, UserWarning, stacklevel=7)
