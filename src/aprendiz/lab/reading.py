"""A table from a file: `read("patients.csv")`.

    first bytes ──opening──▶ kind ──sniffing──▶ dialect ──scan, arff, parquet──▶ columns ──facts──▶ roles, notes, card

Everything that was found out is kept with the table, shown in its card, and can be overruled by options of the same name.
`read(new, like=table.dialect)` reads another file the same way, each column with the type it had.

Cost: 1 000 000 rows × 20 columns in a few seconds; memory at most about three times that of the frame.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pandas as pd

from aprendiz.core.columns import Columns
from aprendiz.core.html import Html, ShownAsHtml
from aprendiz.core.short_repr import ShortRepr
from aprendiz.lab.arff import read_arff
from aprendiz.lab.card import card
from aprendiz.lab.card_in_notebook import card_parts
from aprendiz.lab.columns.date_formats import MixedDates, dates_in_text
from aprendiz.lab.columns.quantities import Measured, MixedUnits, read_again, recognised
from aprendiz.lab.dialect import Dialect, check_names
from aprendiz.lab.facts import Facts, facts, schema
from aprendiz.lab.notes import mixed_notes, notes
from aprendiz.lab.opening import ReadingError, checked, limited
from aprendiz.lab.parquet import read_parquet
from aprendiz.lab.records import layout
from aprendiz.lab.roles import Role, role_of
from aprendiz.lab.scan import Spoiled, Typed, scan
from aprendiz.lab.series import series
from aprendiz.lab.sniffing import Sniffed, again, sniff
from aprendiz.locale import _

Remark = Measured | MixedUnits | MixedDates


@dataclass(frozen=True, eq=False, repr=False)
class Table(ShortRepr, ShownAsHtml):
    """A table and how it was read.

    Attributes
    ----------
    frame : pandas.DataFrame
        float64 for numbers, bool (boolean where cells are missing), datetime64, and category or str for text.
    dialect : Dialect
        How the file writes the table, with the types of the columns: what `like` needs.
    columns : Columns
        The schema of the columns; those of dates and of text are for `prepared`, which makes columns of numbers of them.
    path : str
        The file.
    rows, size : int
        The number of rows, and of bytes in the file.
    facts : tuple of Facts
        What is known of each column.
    reasons : mapping of str to str
        Why each value of the dialect was chosen.
    renamed, spoiled : tuples
        Columns that got another name, and columns of which a few cells are not of the type of the others: the notes tell.
    mixed : pair of int, optional
        A line of UTF-8, and one that is not, of a file that mixes encodings.
    """

    frame: Any
    dialect: Dialect
    columns: Columns
    path: str
    rows: int
    size: int
    facts: tuple[Facts, ...] = field(repr=False)
    reasons: Mapping[str, str] = field(repr=False)
    renamed: tuple[tuple[str, str], ...] = ()
    spoiled: tuple[Spoiled | Remark, ...] = ()
    mixed: tuple[int, int] | None = None

    @property
    def name(self) -> str:
        """The name of the file, with a sign in place of what is no text."""
        return os.path.basename(self.path).encode("utf-8", "replace").decode()

    def __repr__(self) -> str:
        return f"Table({self.name!r}, {self.rows} rows × {len(self.facts)} columns)"

    @property
    def roles(self) -> tuple[Role, ...]:
        """What each column is for, with the reason."""
        return tuple(role_of(one) for one in self.facts)

    @property
    def notes(self) -> tuple[str, ...]:
        """What may be a mistake in the table."""
        return (*mixed_notes(self.dialect, self.mixed), *notes(self.facts, self.renamed, self.spoiled))

    def card(self) -> str:
        """What was read, how, and what the columns hold: a text in the current language."""
        return card(self)

    def html_parts(self) -> Iterable[Html]:
        """The card, for notebooks."""
        return card_parts(self)


def read(
    path: str | os.PathLike[str],
    *,
    like: Dialect | None = None,
    also_missing: Sequence[str] = (),
    max_bytes: float | None = None,
    **overrides: Any,
) -> Table:
    """Read a table from a CSV, TSV, ARFF or Parquet file, plain or packed by gzip.

    Parameters
    ----------
    path : path of a file
    like : Dialect, optional
        Read the file as an earlier one was read (`table.dialect`), each column with the type it had there.
    also_missing : list of str, optional
        Tokens of missing cells besides those that are found (`missing` gives all of them).
    max_bytes : float, optional
        How large a packed file (gzip, Parquet) may become; by default, a third of the free memory.
    **overrides
        Values of the dialect that are known: encoding, separator, quote, escape, decimal, thousands, day_first, header, skip,
        comment, missing, types, words, units. The others are found from the file.

    Examples
    --------
    >>> table = read("prices.csv", missing=["", "-9"], types={"postcode": "text"})  # doctest: +SKIP
    >>> print(table.card())  # doctest: +SKIP
    """
    check_names(overrides)
    file = checked(path)
    with limited(max_bytes):
        found = again(file, like, overrides) if like is not None else sniff(file, overrides)
        if also_missing:
            found = replace(found, dialect=replace(found.dialect, missing=(*found.dialect.missing, *also_missing)))
        columns, renamed, spoiled = contents(file, found)
    absent = [name for name in dict(replace(Dialect(), **overrides).types) if name not in columns]
    if absent:
        known = ", ".join(map(repr, list(columns)[:20]))
        raise ReadingError(
            _("types: {file} has no column {name}; it has {known}.").format(file=file.name, name=repr(absent[0]), known=known)
        )
    frame = pd.DataFrame(columns, copy=False)
    known_facts = tuple(facts(name, frame[name]) for name in columns)
    types = tuple((one.name, one.kind) for one in known_facts if one.distinct)
    words = {**dict(found.dialect.words), **{one.name: one.words for one in spoiled if one.words}}
    units = {name: signs for name, signs in found.dialect.units if name in columns}
    units |= {one.name: (one.unit, one.decimal, one.thousands) for one in spoiled if isinstance(one, Measured)}
    dialect = replace(found.dialect, types=types, words=tuple(words.items()), units=tuple(units.items()))
    about = (str(path), len(frame), file.stat().st_size, known_facts, found.reasons, renamed, tuple(spoiled), found.mixed)
    return Table(frame, dialect, schema(known_facts), *about)


def contents(file: Path, found: Sniffed) -> tuple[dict[str, Any], tuple[tuple[str, str], ...], list[Any]]:
    """The columns of a file by name, those that were renamed, and those that a few cells made text."""
    if found.dialect.kind == "arff":
        return read_arff(file, found.dialect), (), []
    if found.dialect.kind == "parquet":
        columns, renamed = read_parquet(file, found.dialect)
        return columns, renamed, []
    top = layout(file, found.dialect)
    with TemporaryDirectory(prefix="aprendiz-") as folder:
        typed, spoiled = scan(file, as_text(found.dialect), top, Path(folder))
    values = dict(zip(top.names, typed, strict=True))
    measured = with_units(file, found.dialect, values)
    return {name: series(one.kind, one.values) for name, one in values.items()}, top.renamed, [*spoiled, *measured]


def as_text(dialect: Dialect) -> Dialect:
    """The dialect under which the columns of quantities are text still."""
    types = dict(dialect.types)
    types |= {name: "text" for name, _signs in dialect.units if types.get(name) == "number"}
    return replace(dialect, types=tuple(types.items()))


def with_units(file: Path, dialect: Dialect, values: dict[str, Typed]) -> list[Remark]:
    """Read the quantities among the columns of text as numbers: those of the earlier file, or those that are recognised and
    have no type that was given. What was found is returned."""
    remarks, given, units = list[Remark](), dict(dialect.types), dict(dialect.units)
    for name, one in values.items():
        if name in units and given.get(name) == "number":
            numbers, strange = read_again(name, one.values, *units[name])
            if strange is not None:
                raise ReadingError(
                    _("{file}: column {name} holds {cell}, expected: numbers with the unit {unit}. Correct the cell.").format(
                        file=file.name, name=repr(name), cell=repr(strange[:60]), unit=units[name][0]
                    )
                )
            values[name] = Typed("number", numbers)
        elif one.kind == "text" and name not in given:
            found: Any = recognised(name, one.values, dialect.decimal, dialect.thousands, dialect.separator.startswith(","))
            if found is None:
                found = dates_in_text(name, one.values.unique().drop_null().to_pylist())
            if isinstance(found, MixedUnits | MixedDates):
                remarks.append(found)
            elif found is not None:
                values[name] = Typed("number", found[0])
                remarks.append(found[1])
    return remarks
