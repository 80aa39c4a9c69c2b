"""The card of a table: what was read, how, and what each column holds."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from aprendiz.lab.cells import word_for
from aprendiz.lab.dialect import MISSING
from aprendiz.lab.facts import Facts
from aprendiz.lab.formats.all_formats import FORMATS
from aprendiz.lab.roles import Role, role_of
from aprendiz.locale import _, day, format_whole, ngettext, number, percent

if TYPE_CHECKING:
    from aprendiz.lab.reading import Table

MOST_SHOWN = 40  # columns and notes that are shown
WIDTH = 28  # characters of a name
MOST_FILES = 12  # that are named


def card(table: Table) -> str:
    """The card as text."""
    title = f"{table.name}: {size_in_words(table)}, {size(table.size)}"
    parts = [title, *align(dialect_lines(table)), _("Columns"), *align(said_in_words(column_lines(table)))]
    if len(table.facts) > MOST_SHOWN:
        parts.append("  " + _("… and {count} more").format(count=format_whole(len(table.facts) - MOST_SHOWN)))
    notes = table.notes
    if notes:
        parts += [_("Notes"), *(f"  {note}" for note in notes[:MOST_SHOWN])]
    if len(notes) > MOST_SHOWN:
        parts.append("  " + _("… and {count} more").format(count=format_whole(len(notes) - MOST_SHOWN)))
    return "\n".join(parts)


def size_in_words(table: Table) -> str:
    """Rows and columns."""
    rows = rows_in_words(table.rows, None if table.sample is None else table.sample.rows)
    columns = ngettext("{columns} column", "{columns} columns", len(table.facts)).format(columns=format_whole(len(table.facts)))
    return f"{rows} × {columns}"


def rows_in_words(rows: int, of: int | None) -> str:
    """A number of rows, and of how many they are a sample."""
    if of is None:
        return ngettext("{rows} row", "{rows} rows", rows).format(rows=format_whole(rows))
    return _("{rows} of {all} rows").format(rows=format_whole(rows), all=format_whole(of))


def size(count: int) -> str:
    """A number of bytes."""
    for unit, power in (("GB", 3), ("MB", 2), ("kB", 1)):
        if count >= 1000**power:
            return f"{number(count / 1000**power, 3)} {unit}"
    return f"{count} B"


def align(lines: Iterator[tuple[str, ...]]) -> list[str]:
    """Lines of cells as columns of text."""
    cells = list(lines)
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return ["  " + "  ".join(c.ljust(w) for c, w in zip(line, widths, strict=True)).rstrip() for line in cells]


def dialect_lines(table: Table) -> Iterator[tuple[str, ...]]:
    """The values of the dialect that matter for the kind of file, with their reasons."""
    said = table.dialect
    shown: list[tuple[str, str, str]] = [("kind", _("format"), FORMATS[said.kind].name)]
    if len(table.paths) > 1:
        names = [os.path.basename(path) for path in table.paths]
        shown.append(("files", _("files"), ", ".join(names[:MOST_FILES]) + (", …" if len(names) > MOST_FILES else "")))
    if "encoding" in table.reasons:
        shown.append(("encoding", _("encoding"), said.encoding.upper()))
    if said.kind == "excel":
        shown += [("sheet", _("sheet"), said.sheet), ("header", _("header"), _("yes") if said.header else _("no"))]
        if said.skip:
            shown.append(("skip", _("lines skipped"), format_whole(said.skip)))
    if said.kind == "csv":
        shown += [
            ("separator", _("separator"), sign(said.separator)),
            ("decimal", _("decimal separator"), sign(said.decimal)),
            ("thousands", _("thousands separator"), sign(said.thousands)),
            ("header", _("header"), _("yes") if said.header else _("no")),
        ]
        if said.skip:
            shown.append(("skip", _("lines skipped"), format_whole(said.skip)))
        if said.comment:
            shown.append(("comment", _("comments"), said.comment))
    if said.missing:
        shown.append(("missing", _("missing cells"), tokens(said.missing)))
    for field, name, value in shown:
        yield name, value, f"({table.reasons[field]})" if field in table.reasons else ""


def tokens(missing: tuple[str, ...]) -> str:
    """The tokens of missing cells, the usual ones abridged."""
    usual = missing[: len(MISSING)] == MISSING
    shown = [*MISSING[:3], "…", *missing[len(MISSING) :]] if usual else missing
    return " ".join(token or _("empty") for token in shown)


def sign(character: str) -> str:
    """The name of a separator or sign."""
    names = {"": _("none"), ",": _("comma"), ";": _("semicolon"), "\t": _("tab"), " ": _("space"), ".": _("point")}
    return names.get(character) or names.get(character.rstrip(" ")) or repr(character)


def column_lines(table: Table) -> Iterator[tuple[str, ...]]:
    """A line for each of the first columns: name, what it holds, share of missing cells, role."""
    for one in table.facts[:MOST_SHOWN]:
        gaps = percent(one.missing / one.rows) if one.missing else ""
        yield shorten(one.name, WIDTH), kind_in_words(one), holds(one), gaps, role_line(role_of(one)), shorten(one.label, 60)


def kind_in_words(one: Facts) -> str:
    """The type of a column."""
    if one.kind == "number" and one.place:
        return word_for(one.place[0])
    return _("category") if one.kind == "text" and one.levels is not None else word_for(one.kind)


def said_in_words(lines: Iterator[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    """The same lines where no heading says what the share is."""
    for name, kind, held, gaps, role, label in lines:
        yield name, kind, held, _("{share} missing").format(share=gaps) if gaps else "", role, label


def holds(one: Facts) -> str:
    """The range of numbers and dates, the levels of categories, the number of different texts."""
    if one.distinct == 0:
        return ""
    words = one.items if one.kind == "list" else one.levels if one.kind == "text" else None
    if words is not None:
        shown = ", ".join(shorten(level, 16) for level in words[:5])
        return f"{shown}, … ({format_whole(len(words))})" if len(words) > 5 else shown
    if one.kind in ("text", "place"):
        return _("{distinct} distinct").format(distinct=format_whole(one.distinct))
    return span(one)


def span(one: Facts) -> str:
    """From the smallest to the largest value."""
    if one.kind == "boolean":
        return ", ".join(dict.fromkeys((str(one.low).lower(), str(one.high).lower())))
    write = day if one.kind == "date" else short_whole if one.whole else number
    return write(one.low) if one.low == one.high else f"{write(one.low)} – {write(one.high)}"


def short_whole(value: float) -> str:
    return format_whole(int(value)) if abs(value) < 1e12 else number(value)


def role_line(role: Role) -> str:
    """The role of a column that is no feature, and why."""
    return "" if role.role == "feature" else f"{role_words()[role.role]}: {role.reason}"


def role_words() -> dict[str, str]:
    """The roles of columns that are no features."""
    return {
        "identifier": _("identifier"),
        "constant": _("constant"),
        "date": _("date"),
        "text": _("free text"),
        "list": _("list"),
        "place": _("place"),
        "empty": _("empty"),
    }


def shorten(text: str, width: int) -> str:
    """A text in one line, of limited length."""
    line = "".join(c if c.isprintable() else " " for c in text)
    return line if len(line) <= width else line[: width - 1] + "…"
