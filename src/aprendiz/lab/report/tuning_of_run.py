"""What tuning chose in the folds, and whether it sits at an edge: then the best value may lie beyond those that were tried."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

PART = "learner__"  # of a pipeline: the grid names the parameters of the learner without it
FEWEST = 3  # values of a parameter that have an inside


def tuning_of(grid: Mapping[str, Sequence[Any]], chosen: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """For each parameter the values that were tried, in how many folds each was chosen, and the edge where most of them are."""
    plain = [{name.removeprefix(PART): value for name, value in fold.items()} for fold in chosen]
    return [of_parameter(name, list(values), [fold[name] for fold in plain if name in fold]) for name, values in grid.items()]


def of_parameter(name: str, values: list[Any], chosen: list[Any]) -> dict[str, Any]:
    """One parameter."""
    times = [sum(same(value, one) for one in chosen) for value in values]
    tried = [{"value": value, "folds": count} for value, count in zip(values, times, strict=True)]
    return {"parameter": name, "values": tried, "folds": len(chosen), "edge": edge(values, times)}


def same(a: Any, b: Any) -> bool:
    """Are two values of a parameter the same one?"""
    return type(a) is type(b) and bool(np.all(a == b))


def edge(values: list[Any], times: list[int]) -> str | None:
    """ "smallest" or "largest" where more than half of the folds chose the first or last of several numbers; else nothing."""
    numbers = all(isinstance(one, (int, float, np.number)) and not isinstance(one, bool) for one in values)
    if not numbers or len(values) < FEWEST or not sum(times):
        return None
    at = [(int(np.argmin(values)), "smallest"), (int(np.argmax(values)), "largest")]
    return next((which for place, which in at if 2 * times[place] > sum(times)), None)
