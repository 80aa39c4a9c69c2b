"""Rows in the order of time: the column that gives it, the protocol that keeps it, and the drift that asks for it.

A column of dates orders the rows if nearly all rows stand in its order. The target drifts with it if its values early and late
differ: Spearman's correlation of the target with the date, or for classes the largest one of a class (1 in the class, else 0).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import rankdata

from aprendiz.core.rows import Array
from aprendiz.evaluation import ExpandingWindows
from aprendiz.locale import _, ngettext

FOLDS = 5
IN_ORDER = 0.95  # share of the rows that are not earlier than the row above
DRIFT = 0.2  # correlation from which on a drift is told,
STANDARD_ERRORS = 4.0  # if it is so many from 0


@dataclass(frozen=True)
class TimeOrder:
    """The column of dates that orders the rows, and how much the target goes with it."""

    name: Any
    correlation: float


def order_by(frame: Any, name: str, rows: Array) -> Array:
    """Rows in the order of a column of dates or numbers; rows of one moment as they stand."""
    return rows[np.argsort(moments(frame[name])[rows], kind="stable")]


def moments(column: Any) -> Array:
    """Dates or numbers as numbers."""
    values = column.to_numpy()
    if values.dtype.kind == "M":
        return np.where(np.isnat(values), np.nan, values.astype("datetime64[us]").astype(np.int64))
    return values.astype(float)


def refuse_no_time(table: Any, name: str, target: str) -> None:
    """A column that cannot order the rows."""
    kinds = {facts.name: facts.kind for facts in table.facts}
    if name not in kinds:
        raise ValueError(
            _("{role}: the table has no column {name}; it has {known}.").format(
                role="time", name=repr(name), known=", ".join(map(repr, list(kinds)[:30]))
            )
        )
    if name == target or kinds[name] not in ("date", "number"):
        raise ValueError(_("Column {name} cannot order the rows: give one of dates or numbers.").format(name=repr(name)))
    missing = int((table.frame[name].isna() & table.frame[target].notna()).sum())
    if missing:
        raise ValueError(
            _(
                "Column {name} is missing in {missing} rows, whose place in time is not known: "
                "fill the cells, or remove the rows."
            ).format(name=repr(name), missing=missing)
        )


def windows(table: Any, name: str, target: str, folds: int | None, by_class: bool) -> tuple[ExpandingWindows, str]:
    """The protocol, and why; which of its windows are left out."""
    protocol = ExpandingWindows(folds or FOLDS)
    y = table.frame[target].iloc[order_by(table.frame, name, np.flatnonzero(table.frame[target].notna()))]
    reason = _("no row is predicted from later ones: rows in order of {name}").format(name=name)
    done = len(list(protocol.splits(y.astype(str).to_numpy(str), None, by_class)))
    if done < protocol.k:
        reason += "; " + ngettext(
            "{count} window has a single class before it and is left out",
            "{count} windows have a single class before them and are left out",
            protocol.k - done,
        ).format(count=protocol.k - done)
    return protocol, reason


def time_order(frame: Any, names: list[Any], y: Array) -> TimeOrder | None:
    """The column of dates that orders the rows and with which the target drifts most; None if there is none."""
    found = [TimeOrder(name, drift(moments(frame[name]), y)) for name in names if in_order(moments(frame[name]))]
    found = [one for one in found if abs(one.correlation) >= max(DRIFT, STANDARD_ERRORS / np.sqrt(len(y)))]
    return max(found, key=lambda one: abs(one.correlation), default=None)


def in_order(values: Array) -> bool:
    """Are nearly all rows in the order of a column?"""
    known = values[~np.isnan(values)]
    return len(known) > 2 and known[0] < known[-1] and float((np.diff(known) >= 0).mean()) >= IN_ORDER


def drift(values: Array, y: Array) -> float:
    """The correlation of the ranks of the target, or of belonging to a class, with those of the dates; the largest one."""
    known = ~np.isnan(values)
    ranks, targets = (
        rankdata(values[known]),
        [rankdata(y[known])]
        if y.dtype.kind == "f"
        else [(y[known] == label).astype(float) for label in np.unique(y[known])[:50]],
    )
    several = [float(np.corrcoef(ranks, one)[0, 1]) for one in targets if one.std() > 0 and ranks.std() > 0]
    return max(several, key=abs, default=0.0)
