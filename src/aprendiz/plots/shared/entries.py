"""Names of what is drawn: one entry for each, given or by default."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any


def entries_for(argument: str, given: Sequence[Any] | None, usual: Iterable[Any], what: str) -> list[Any]:
    """The entries of an argument, which must be as many as the usual ones, or these."""
    usual = list(usual)
    if given is None:
        return usual
    if len(given) != len(usual):
        raise ValueError(f"{argument} has {len(given)} entries, there are {len(usual)} {what}: give one for each.")
    return list(given)


def column_names(count: int) -> list[str]:
    """Of columns without a name: x0, x1, …"""
    return [f"x{j}" for j in range(count)]
