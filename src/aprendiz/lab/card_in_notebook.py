"""The card of a table as notebooks show it: its columns, its first rows, what may be a mistake, and how it was read."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from aprendiz.core.html import Html, opening, sentence, sentences, table, title
from aprendiz.lab.card import dialect_lines, kind_in_words, role_line, size, size_in_words
from aprendiz.lab.card import holds as what_it_holds
from aprendiz.lab.facts import Facts
from aprendiz.lab.roles import role_of
from aprendiz.locale import _, format_whole, number, percent

if TYPE_CHECKING:
    from aprendiz.lab.reading import Table

FIRST_ROWS, MOST_COLUMNS = 5, 12  # of the table that are shown


def card_parts(found: Table) -> Iterator[Html]:
    """What stands in the box."""
    yield title(found.name, f"{size_in_words(found)}, {size(found.size)}")
    head = [_("column"), _("type"), _("values"), _("missing"), _("role")]
    labelled = any(one.label for one in found.facts)
    head += [_("meaning")] if labelled else []
    yield table(
        head, (cells_of(one) + ((one.label,) if labelled else ()) for one in found.facts), count=len(found.facts), numbers=(3,)
    )
    yield sentences(found.notes, "bad")
    yield opening(_("First rows"), first_rows(found.frame))
    yield opening(_("How the file was read"), table(["", "", ""], list(dialect_lines(found))))


def cells_of(one: Facts) -> tuple[str, ...]:
    """A column: its type, its range or levels, the share of missing cells, its role."""
    gaps = percent(one.missing / one.rows) if one.missing else ""
    return one.name, kind_in_words(one), what_it_holds(one), gaps, role_line(role_of(one))


def first_rows(frame: Any) -> Html:
    """The first cells of the first rows."""
    columns = list(islice(frame.columns, MOST_COLUMNS))
    some = frame[columns].head(FIRST_ROWS)
    numeric = [j for j, kind in enumerate(some.dtypes) if kind.kind == "f"]
    rows = [[cell(value) for value in row] for row in some.itertuples(index=False, name=None)]
    shown = table(columns, rows, numbers=numeric)
    if len(frame.columns) <= MOST_COLUMNS:
        return shown
    words = _("The first {shown} of {columns} columns.")
    rest = words.format(shown=format_whole(MOST_COLUMNS), columns=format_whole(len(frame.columns)))
    return Html(shown + sentence(rest, "faint"))


def cell(value: Any) -> str:
    """A cell, as it is written in the language of the reader; nothing where it is missing."""
    if isinstance(value, float):
        return "" if value != value else number(value, 6)
    text = str(value)
    return "" if text in ("<NA>", "NaT", "nan", "None") else text
