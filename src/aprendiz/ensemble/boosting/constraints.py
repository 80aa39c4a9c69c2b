"""What a user asks of the columns: which hold levels, which are monotonic, and which may interact.

Interactions are sets of columns. A branch may go on with the columns of the sets that hold all columns it has been split on;
columns in no set are a set of their own.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from numbers import Integral
from typing import Any

import numpy as np

from aprendiz.core.parameters import ParameterError, shown
from aprendiz.core.rows import Array
from aprendiz.tree.growth.monotone import checked_signs


def chosen_columns(given: Any, names: list[Any], named: bool) -> list[Any]:
    """The names of the columns that `categorical_features` speaks of: a mask, numbers, or names."""
    wanted = np.asarray(given)
    if wanted.shape == (0,):
        return []
    if wanted.dtype.kind not in "biuUO" or wanted.ndim != 1:
        raise ValueError(
            "categorical_features must be an array-like of bool, int or str, got an array of shape "
            f"{wanted.shape} and type {wanted.dtype.name}."
        )
    if wanted.dtype.kind == "O":
        kinds = {type(one) for one in wanted.tolist()}
        if len(kinds) > 1 or kinds - {str, int, bool}:
            found = ", ".join(sorted(kind.__name__ for kind in kinds))
            raise ValueError(f"categorical_features must be an array-like of bool, int or str, got: {found}.")
    if wanted.dtype.kind == "b":
        if len(wanted) != len(names):
            raise ValueError(
                f"categorical_features set as a boolean mask must have shape (n_features,), got ({len(wanted)},) for "
                f"{len(names)} features."
            )
        return [name for name, chosen in zip(names, wanted.tolist(), strict=True) if chosen]
    if wanted.dtype.kind in "iu":
        if len(wanted) and (wanted.min() < 0 or wanted.max() >= len(names)):
            raise ValueError(
                f"categorical_features set as integer indices must be in [0, n_features - 1] = [0, {len(names) - 1}], got "
                f"{wanted.tolist()[:20]}."
            )
        return [names[j] for j in wanted.tolist()]
    if not named:
        raise ValueError(
            "categorical_features should be passed as an array of integers or as a boolean mask when the model "
            "is fitted on data without feature names."
        )
    if strange := [name for name in wanted.tolist() if name not in names]:
        raise ValueError(
            f"categorical_features has a item value '{strange[0]}' which is not a valid feature name of the data: {names[:20]}."
        )
    return wanted.tolist()


def signs_of(given: Any, names: Any, layout: Array, classes: int) -> Array | None:
    """The sign of each column, from an array or a dict of names; None where nothing is asked for."""
    if given is None:
        return None
    if isinstance(given, Mapping):
        if names is None:
            raise ValueError("monotonic_cst is a dict of names, but the data have no feature names: give an array.")
        known = list(names)
        if strange := [name for name in given if name not in known]:
            raise ValueError(f"monotonic_cst contains unexpected feature names: {strange[:5]}; the data have {known[:20]}.")
        for name, sign in given.items():
            if isinstance(sign, bool) or sign not in (-1, 0, 1):
                raise ValueError(f"monotonic_cst[{name!r}] must be -1, 0 or 1, got {shown(sign)}.")
        given = [given.get(name, 0) for name in known]
    if classes > 2:
        raise ParameterError("monotonic constraints are not supported for multiclass classification: leave monotonic_cst out.")
    signs = checked_signs(given, layout, None, 1)
    return None if signs is None or not signs.any() else signs


def sets_of(given: Any, columns: int) -> Array | None:
    """Which columns (of all) are in each set that may interact; None where all may."""
    if given is None:
        return None
    if isinstance(given, str):
        if given not in ("pairwise", "no_interactions"):
            raise ParameterError(f'interaction_cst must be "pairwise", "no_interactions" or a sequence of sets, got {given!r}.')
        given = [[j] for j in range(columns)] if given == "no_interactions" else itertools.combinations(range(columns), 2)
    try:
        sets = [set(group) for group in given]
    except TypeError as error:
        raise ParameterError(
            f"interaction_cst: Interaction constraints must be a sequence of tuples or lists, got: {given!r}."
        ) from error
    for group in sets:
        for j in group:
            if not (isinstance(j, Integral) and 0 <= int(j) < columns):
                raise ParameterError(
                    "interaction_cst: Interaction constraints must consist of integer indices in [0, n_features - 1] = "
                    f"[0, {columns - 1}], specifying the position of features, got invalid indices: {sorted(group, key=str)!r}"
                )
    if rest := set(range(columns)) - set().union(*sets):
        sets.append(rest)
    members = np.zeros((len(sets), columns), np.uint8)
    for k, group in enumerate(sets):
        members[k, list(group)] = 1
    return members
