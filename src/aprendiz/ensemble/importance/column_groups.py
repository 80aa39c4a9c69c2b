"""Groups of columns, by name or number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import Any

import numpy as np

from aprendiz.core.rows import Array


def column_groups(groups: Any, names: Sequence[Any]) -> tuple[tuple[Any, ...], Array]:
    """The names of the groups, and which columns are in each: bool of shape (groups, columns)."""
    if groups is None:
        return tuple(names), np.eye(len(names), dtype=bool)
    if isinstance(groups, str) or not isinstance(groups, (Mapping, Sequence)) or not len(groups):
        raise TypeError(
            f"groups={groups!r} is neither a dict of columns nor a list of columns and lists of them: give one of these."
        )
    named = groups.items() if isinstance(groups, Mapping) else ((None, columns) for columns in groups)
    found, chosen = list[Any](), np.zeros((len(groups), len(names)), bool)
    for row, (name, columns) in zip(chosen, named, strict=True):
        listed = columns if isinstance(columns, (list, tuple, set, frozenset, np.ndarray)) else [columns]
        if not len(listed):
            raise ValueError(f"The group {name!r} of groups has no columns: give at least one.")
        places = [place_of(column, names) for column in listed]
        row[places] = True
        found.append(" + ".join(str(names[j]) for j in places) if name is None else name)
    return tuple(found), chosen


def place_of(column: Any, names: Sequence[Any], argument: str = "groups") -> int:
    """The number of a column."""
    if column in names:
        return list(names).index(column)
    if isinstance(column, Integral) and 0 <= int(column) < len(names):
        return int(column)
    raise ValueError(
        f"{argument} names the column {column!r}, which is not there: the columns are {', '.join(map(repr, names[:20]))} "
        f"(or their numbers, 0 to {len(names) - 1})."
    )
