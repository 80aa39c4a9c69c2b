"""Which columns could be predicted: the one whose name says so, or the last one, then those that go most with the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from aprendiz.lab.reading import Table
from aprendiz.lab.roles import propose_target, task_of_target
from aprendiz.locale import _, format_fixed

MOST = 4
STRONG = 0.09  # r², η² or V² from which a column goes with another
SYMBOLS = {"r": "r", "eta2": "η²", "v": "V"}


def target_proposals(table: Table, pairs: Sequence[Mapping[str, Any]], without: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Columns that could be the target, each with the task and the reason."""
    found: dict[str, str] = {}
    try:
        name, reason = propose_target(table, without)
    except ValueError:  # identifiers, constants, dates and text only
        return []
    found[name] = reason
    for pair in pairs:  # from the strongest on
        size = abs(pair["value"]) ** (1 if pair["kind"] == "eta2" else 2)
        if size < STRONG:
            break
        for name, other in ((pair["second"], pair["first"]), (pair["first"], pair["second"])):
            if name not in found and name not in without and len(found) < MOST:
                found[name] = _("goes with {other}: {kind} = {value}").format(
                    other=repr(other), kind=SYMBOLS[pair["kind"]], value=format_fixed(pair["value"], 2)
                )
    proposals = []
    for name, reason in found.items():
        series = table.frame[name]
        if series.nunique() < 2:
            continue
        task, why = task_of_target(series)
        proposals.append({"column": name, "task": task, "reason": reason, "task_reason": why})
    return proposals
