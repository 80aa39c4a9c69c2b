"""A table from a file: `read("patients.csv")`.

    first bytes ──opening──▶ kind ──formats──▶ dialect, columns ──facts──▶ roles, notes, card

Everything that was found out is kept with the table, shown in its card, and can be overruled by options of the same name.
`read(new, like=table.dialect)` reads another file the same way, each column with the type it had.

Cost: 1 000 000 rows × 20 columns in a few seconds; memory at most about three times that of the frame.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import pandas as pd

from aprendiz.core.columns import Columns
from aprendiz.core.html import Html, ShownAsHtml
from aprendiz.core.rows import Array
from aprendiz.core.short_repr import ShortRepr
from aprendiz.lab.card import card
from aprendiz.lab.card_in_notebook import card_parts
from aprendiz.lab.columns.found_columns import found_columns
from aprendiz.lab.columns.list_cells import ListsFound
from aprendiz.lab.columns.place_cells import OffTheEarth, PlacesFound
from aprendiz.lab.columns.quantities import Measured
from aprendiz.lab.dialect import Dialect, check_names
from aprendiz.lab.facts import Facts, facts, schema
from aprendiz.lab.formats.contents import Contents
from aprendiz.lab.formats.delimited import Remark
from aprendiz.lab.formats.questions import Questions
from aprendiz.lab.large_tables.chosen_rows import SampledRows
from aprendiz.lab.notes import mixed_notes, notes, sample_notes
from aprendiz.lab.opening import ReadingError
from aprendiz.lab.roles import Role, role_of
from aprendiz.lab.scan import Spoiled
from aprendiz.lab.sources.contents_of_files import Wanted, contents_of
from aprendiz.lab.sources.places import Paths, Place, fingerprint, places
from aprendiz.locale import _, format_whole

MANY_COLUMNS, FEW_ROWS = 1000, 5000  # wide tables, whose columns are put together in memory


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
    paths : tuple of str
        The files, in the order of their rows.
    rows, size : int
        The number of rows of the frame, and of bytes in the files.
    facts : tuple of Facts
        What is known of each column, from all rows of the file.
    reasons : mapping of str to str
        Why each value of the dialect was chosen.
    renamed, spoiled : tuples
        Columns that got another name, and columns of which a few cells are not of the type of the others: the notes tell.
    mixed : pair of int, optional
        A line of UTF-8, and one that is not, of a file that mixes encodings.
    sample : SampledRows, optional
        Which rows of the file the frame holds, if it does not hold all.
    """

    frame: Any
    dialect: Dialect
    columns: Columns
    paths: tuple[str, ...]
    rows: int
    size: int
    facts: tuple[Facts, ...] = field(repr=False)
    reasons: Mapping[str, str] = field(repr=False)
    renamed: tuple[tuple[str, str], ...] = ()
    spoiled: tuple[Spoiled | Remark | ListsFound | PlacesFound | OffTheEarth, ...] = ()
    mixed: tuple[int, int] | None = None
    sample: SampledRows | None = None

    @property
    def path(self) -> str:
        """The file, or the first one."""
        return self.paths[0]

    @property
    def name(self) -> str:
        """The name of the file, with a sign in place of what is no text; and how many follow."""
        name, more = os.path.basename(self.path).encode("utf-8", "replace").decode(), len(self.paths) - 1
        return name if not more else _("{name} and {count} more").format(name=name, count=format_whole(more))

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the bytes of the files, and of which sheet or file inside was read."""
        return fingerprint(self.paths, self.dialect.sheet)

    def __repr__(self) -> str:
        return f"Table({self.name!r}, {self.rows} rows × {len(self.facts)} columns)"

    @property
    def roles(self) -> tuple[Role, ...]:
        """What each column is for, with the reason."""
        return tuple(role_of(one) for one in self.facts)

    @property
    def notes(self) -> tuple[str, ...]:
        """What may be a mistake in the table."""
        about_rows = (*sample_notes(self.sample), *mixed_notes(self.dialect, self.mixed))
        return (*about_rows, *notes(self.facts, self.renamed, self.spoiled))

    def numbers_of_rows(self, places: Array) -> Array:
        """The numbers in the file, counted from 1, of rows at some places of the frame."""
        return (places if self.sample is None else self.sample.numbers[places]) + 1

    def card(self) -> str:
        """What was read, how, and what the columns hold: a text in the current language."""
        return card(self)

    def html_parts(self) -> Iterable[Html]:
        """The card, for notebooks."""
        return card_parts(self)


def read(
    path: Paths,
    *,
    like: Dialect | None = None,
    also_missing: Sequence[str] = (),
    max_bytes: float | None = None,
    max_memory: float | str | None = None,
    sample: int | None = None,
    seed: int = 0,
    groups: str | None = None,
    on_rows: Callable[[int, float], None] = lambda done, expected: None,
    **overrides: Any,
) -> Table:
    """Read a table from a file, packed or plain, or from several files of the same columns.

    Of a CSV or Parquet file that is too large for the memory that is allowed, a random sample of the rows is kept. The types
    and the facts of the columns are those of all rows.

    Parameters
    ----------
    path : path of a file, or list of paths
        A folder or a pattern such as "visits/*.csv" means the files there, below each other in the order of their names;
        "visits.zip/2024.csv" a file of an archive.
    like : Dialect, optional
        Read the file as an earlier one was read (`table.dialect`), each column with the type it had there.
    also_missing : list of str, optional
        Tokens of missing cells besides those that are found (`missing` gives all of them).
    max_bytes : float, optional
        How large a packed file (gzip, ZIP, Parquet, …) may become; by default, a third of the free memory, and of CSV half of
        the free disk.
    max_memory : number of bytes or str, optional
        How much memory a run on the table may take, such as "2GB"; by default, three quarters of what is free.
    sample : int, optional
        How many rows to keep at most, instead of as many as the memory allows.
    seed : int, default=0
        Of the choice of the rows.
    groups : str, optional
        A column whose groups stay whole in a sample.
    on_rows : function, optional
        Called while a sample is drawn, with the rows that were read and about how many there are.
    **overrides
        Values of the dialect that are known: encoding, separator, quote, escape, decimal, thousands, day_first, header, skip,
        comment, missing, types, words, units, sheet. The others are found from the file.

    Examples
    --------
    >>> table = read("prices.csv", missing=["", "-9"], types={"postcode": "text"})  # doctest: +SKIP
    >>> print(table.card())  # doctest: +SKIP
    """
    check_names(overrides)
    found = places(path)
    wanted = Wanted(like, overrides, also_missing, max_bytes, max_memory, sample, seed, groups, on_rows)
    asked, contents = contents_of(found, wanted)
    return table_of(found, asked, contents, overrides)


def table_of(found: Sequence[Place], asked: Questions, contents: Contents, given: Mapping[str, Any]) -> Table:
    """The table of the contents of files; `given` is what was given of their dialect."""
    refuse_absent(found[0], contents.columns, dict(replace(Dialect(), **given).types))
    few_rows = any(len(cells) <= FEW_ROWS for cells in contents.columns.values())
    together = few_rows and len(contents.columns) >= MANY_COLUMNS  # a look at all columns takes a tenth then
    frame = pd.DataFrame(contents.columns, copy=together)
    known = contents.facts or tuple(facts(name, frame[name]) for name in contents.columns)
    lists_and_places = found_columns(frame, replace(asked.dialect, types=asked.types), os.path.basename(found[0].path))
    known = tuple(replace(lists_and_places.facts(one), label=contents.labels.get(one.name, "")) for one in known)
    return Table(
        frame,
        dialect_of(asked.dialect, contents, known),
        schema(known),
        paths=tuple(place.path for place in found),
        rows=len(frame),
        size=sum(place.file.stat().st_size for place in found),
        facts=known,
        reasons=asked.reasons,
        renamed=contents.renamed,
        spoiled=(*contents.remarks, *lists_and_places.remarks),
        mixed=contents.mixed,
        sample=contents.sample,
    )


def refuse_absent(place: Place, columns: Mapping[str, Any], types: Mapping[str, str]) -> None:
    """Types that were given for columns there are not."""
    absent = [name for name in types if name not in columns]
    if absent:
        known = ", ".join(map(repr, list(columns)[:20]))
        raise ReadingError(
            _("types: {file} has no column {name}; it has {known}.").format(
                file=os.path.basename(place.path), name=repr(absent[0]), known=known
            )
        )


def dialect_of(found: Dialect, contents: Contents, known: Sequence[Facts]) -> Dialect:
    """The dialect, with what was found in the columns."""
    types = tuple((one.name, one.type) for one in known if one.distinct)
    lists = tuple((one.name, one.separator) for one in known if one.kind == "list")
    words = {**dict(found.words), **{one.name: one.words for one in contents.remarks if getattr(one, "words", ())}}
    units = {name: signs for name, signs in found.units if name in contents.columns}
    units |= {one.name: (one.unit, one.decimal, one.thousands) for one in contents.remarks if isinstance(one, Measured)}
    return replace(found, types=types, words=tuple(words.items()), units=tuple(units.items()), lists=lists)
