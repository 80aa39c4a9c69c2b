"""How many columns to keep: a number, a part of them, or by default 10, or half of them if that is less."""

from __future__ import annotations

from math import ceil
from numbers import Integral
from typing import Any

from aprendiz.core.parameters import ParameterError

USUAL = 10


def how_many(learner: str, keep: Any, columns: int, candidates: int) -> int:
    """The number of columns to keep, of so many columns of which only some can be kept."""
    if keep is None:
        return min(USUAL, ceil(columns / 2), candidates)
    if not isinstance(keep, Integral):
        return max(1, min(round(keep * columns), candidates))
    if (wanted := int(keep)) > columns:
        raise ParameterError(f"keep={wanted} of {learner} is more than the {columns} columns of X: keep fewer.")
    return min(wanted, candidates)
