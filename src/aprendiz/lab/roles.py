"""What each column is for: a proposal with its reason, for the reader to overrule.

    feature      something to learn from
    identifier   names or numbers the rows: it tells them apart and nothing else
    constant     the same in every row
    date         a moment
    text         prose, or more different words than categories can be
    list         several items in a cell
    place        a place on the Earth
    empty        no cell is filled

The target is the column that is called so in English or Spanish, else the last one that can be learned.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from aprendiz.evaluation.leaks.target_columns import columns_that_tell
from aprendiz.lab.facts import PROSE, Facts
from aprendiz.lab.series import as_table_columns, kind_of_series
from aprendiz.locale import _, format_whole, ngettext

if TYPE_CHECKING:
    from aprendiz.lab.reading import Table

SIGNS = 6.0  # in a cell of a script without spaces, from which on text is prose
FEW_CLASSES = 10  # numbers that are classes even if some are rare; of more, each has as many rows
FEW_VALUES = 20  # values that come again in a small table too
TARGETS = (
    *("target", "class", "label", "y", "outcome", "response", "diagnosis", "species", "survived", "churn"),
    *("objetivo", "clase", "etiqueta", "resultado", "respuesta", "diagnóstico", "diagnostico", "especie", "salida"),
)
IDENTIFIER = re.compile(r"(.*[_ .-])?(ids?|uuid|guid|key|row|index|dni|nif|nhc|código|codigo)|id[_ .-].*|.*[a-z]I[Dd]")


@dataclass(frozen=True)
class Role:
    """A column, what it is for, and why."""

    name: str
    role: str
    reason: str


def role_of(one: Facts) -> Role:
    """The role of a column."""
    if one.distinct == 0:
        return Role(one.name, "empty", _("every cell is missing"))
    if one.distinct == 1 and one.rows > 1:
        return Role(one.name, "constant", _("all cells that are not missing are equal"))
    if one.kind == "date":
        return Role(one.name, "date", _("its cells are dates"))
    if one.kind == "place":
        return Role(one.name, "place", _("its cells are places on the Earth"))
    if one.kind == "list":
        reason = ngettext("{count} different item", "{count} different items", len(one.items))
        return Role(one.name, "list", reason.format(count=format_whole(len(one.items))))
    if one.kind == "text" and one.levels is None and one.words >= PROSE:
        reason = _("{words} words per cell").format(words=round(one.words))
        return Role(one.name, "text", reason)
    if one.kind == "text" and one.levels is None and one.letters >= SIGNS:
        return Role(one.name, "text", _("{letters} characters per cell, without spaces").format(letters=round(one.letters)))
    if reason := identifies(one):
        return Role(one.name, "identifier", reason)
    if one.kind == "text" and one.levels is None:
        reason = _("{distinct} distinct values in {rows} cells").format(
            distinct=format_whole(one.distinct), rows=format_whole(one.known)
        )
        return Role(one.name, "text", reason)
    return Role(one.name, "feature", "")


def identifies(one: Facts) -> str:
    """Why a column only tells the rows apart; empty if it does not."""
    unique = one.distinct == one.known > 2
    if one.counts:
        return _("it numbers the rows")
    if unique and one.kind == "text":
        return _("every row has a different value")
    if unique and one.whole and one.low >= 10_000 and len(str(int(one.low))) == len(str(int(one.high))):
        return _("every row has a different number of {digits} digits").format(digits=len(str(int(one.low))))
    if one.kind == "text" and one.distinct > max(FEW_VALUES, 0.95 * one.known):
        return _("nearly every row has a different value")
    named = IDENTIFIER.fullmatch(one.name) or IDENTIFIER.fullmatch(one.name.lower())
    if named and (unique or one.distinct > FEW_VALUES) and (one.kind == "text" or one.whole):
        return _("suggested by its name")
    return ""


# ---- the target ------------------------------------------------------------------------------------------------------------


def propose_target(table: Table, without: Sequence[str] = ()) -> tuple[str, str]:
    """The column that is probably to be predicted, and why; not one of those that have another use."""
    useful = [role.name for role in table.roles if role.role == "feature" and role.name not in without]
    plain = {name: re.sub(r"[^a-zñáéíóú]", "", name.lower()) for name in useful}
    for wanted in TARGETS:
        for name in useful:
            if plain[name] == wanted:
                return name, _("suggested by its name")
    if not useful:
        raise ValueError(
            _(
                "{file}: no column can be the target: all are identifiers, constants, dates or text. Name one (target=…)."
            ).format(file=table.name)
        )
    return useful[-1], _("the last column that can be predicted")


def task_of_target(series: Any) -> tuple[Literal["classification", "regression"], str]:
    """Whether a target is a class or a quantity, and why."""
    known, kind = series.dropna(), kind_of_series(series)
    distinct = int(known.nunique())
    if kind == "date":
        raise ValueError(
            _("The target {name} holds dates: give numbers, such as days since a date.").format(name=repr(series.name))
        )
    if kind != "number":
        return "classification", _("{distinct} distinct text values").format(distinct=format_whole(distinct))
    if distinct <= 2:
        return "classification", _("two distinct numbers")
    are_whole = bool((known == known.round()).all())
    if are_whole and are_classes(known, distinct):
        return "classification", _("{distinct} distinct whole numbers that repeat").format(distinct=format_whole(distinct))
    if are_whole:
        return "regression", _("{distinct} distinct whole numbers").format(distinct=format_whole(distinct))
    return "regression", _("numbers with decimals")


def are_classes(known: Any, distinct: int) -> bool:
    """Whether whole numbers repeat so often that each is a class; more than ten, only if none of them is rare."""
    if distinct > FEW_VALUES or distinct > len(known) / 5:
        return False
    return distinct <= FEW_CLASSES or int(known.value_counts().min()) >= FEW_CLASSES


def suspected_leaks(table: Table, target: str) -> list[Role]:
    """The columns that determine the target alone (target_columns.py), each with the reason."""
    series = table.frame[target]
    names = [role.name for role in table.roles if role.role == "feature" and role.name != target]
    frame = table.frame[series.notna()] if series.hasnans else table.frame
    found = columns_that_tell(as_table_columns(frame[names]), frame[target].to_numpy(), task_of_target(series)[0])
    return [Role(name, "leak", reason) for name, reason in found.items()]
