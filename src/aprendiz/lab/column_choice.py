"""The selection of columns of a run: a step of every method, between its preparation and its learner, inside the folds.

    auto     nothing, unless there are at least five columns for each training row: then a ranking by the analysis of
             variance, which keeps 10, 50 or 250 columns, whichever is best on inner folds
    none     nothing
    NAME     any selector of aprendiz.selection that needs no learner of its own, tuned as it says itself

The columns that are chosen are those that the learner gets: numbers, and zeros and ones for words where it needs these.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from inspect import Parameter, signature
from typing import Any

import aprendiz
from aprendiz.evaluation.measures.answers import Task
from aprendiz.locale import _, format_whole
from aprendiz.selection.shared.selector import Selector
from aprendiz.selection.variable_ranking import VariableRanking

FAR_MORE = 5  # columns for each training row from which a selection is made unasked
KEPT, USUAL = (10, 50, 250), 50  # columns that the ranking keeps


@dataclass(frozen=True)
class ColumnChoice:
    """A selector, the parameters of it that are tuned, and why it is there."""

    name: str
    selector: Any
    grid: Mapping[str, Sequence[Any]]
    reason: str


def chosen_selection(wanted: str | None, task: Task, columns: int, rows: int) -> ColumnChoice | None:
    """What `--select` asks for, for tables of so many columns and training rows; None for no selection."""
    wanted = (wanted or "auto").strip()
    if wanted.lower() == "none":
        return None
    if wanted.lower() == "auto":
        if columns < FAR_MORE * rows:
            return None
        words = _("{columns} columns for {rows} training rows")
        return ranking(task, columns, words.format(columns=format_whole(columns), rows=format_whole(rows)))
    known = selectors()
    small = {name.lower(): name for name in known}
    if wanted.lower() not in small:
        near = get_close_matches(wanted.lower(), small, n=1)
        hint = _("Did you mean {name}?").format(name=small[near[0]]) + " " if near else ""
        raise ValueError(
            _("There is no selection {name}. {hint}Available: auto, none, {known}.").format(
                name=wanted, hint=hint, known=", ".join(known)
            )
        )
    name = small[wanted.lower()]
    if name == "VariableRanking":
        return ranking(task, columns, _("as requested"))
    cls = known[name]
    made = cls(random_state=0) if "random_state" in signature(cls).parameters else cls()
    return ColumnChoice(name, made, dict(getattr(cls, "tuning", {})), _("as requested"))


def ranking(task: Task, columns: int, reason: str) -> ColumnChoice:
    """The ranking by the analysis of variance; the number of columns is tuned."""
    kept = tuple(k for k in KEPT if k < columns) or (columns,)
    usual = USUAL if USUAL in kept else kept[-1]
    return ColumnChoice("VariableRanking", VariableRanking(keep=usual, task=task), {"keep": kept}, reason)


def selectors() -> dict[str, Any]:
    """The public selectors that can be made without a learner, by name."""
    return {name: cls for name, cls in aprendiz.all_learners() if issubclass(cls, Selector) and not needs_learner(cls)}


def needs_learner(cls: Any) -> bool:
    """Must something be given to make it?"""
    return any(one.default is Parameter.empty for one in signature(cls).parameters.values())
