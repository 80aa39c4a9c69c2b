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
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pandas as pd

from aprendiz.core.columns import Columns
from aprendiz.core.html import Html, ShownAsHtml
from aprendiz.core.rows import Array
from aprendiz.core.short_repr import ShortRepr
from aprendiz.lab.card import card
from aprendiz.lab.card_in_notebook import card_parts
from aprendiz.lab.columns.quantities import Measured
from aprendiz.lab.dialect import Dialect, check_names
from aprendiz.lab.facts import Facts, facts, schema
from aprendiz.lab.formats.all_formats import FORMATS, Format, refuse_options
from aprendiz.lab.formats.contents import Contents
from aprendiz.lab.formats.delimited import Remark
from aprendiz.lab.formats.questions import Questions
from aprendiz.lab.large_tables.chosen_rows import SampledRows
from aprendiz.lab.large_tables.memory_plan import rows_that_fit
from aprendiz.lab.large_tables.sampled_reading import SampledReading, SampleWanted
from aprendiz.lab.notes import mixed_notes, notes, sample_notes
from aprendiz.lab.opening import ReadingError, checked, head, kind, limited
from aprendiz.lab.roles import Role, role_of
from aprendiz.lab.scan import Spoiled
from aprendiz.locale import _


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
        The number of rows of the frame, and of bytes in the file.
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
    path: str
    rows: int
    size: int
    facts: tuple[Facts, ...] = field(repr=False)
    reasons: Mapping[str, str] = field(repr=False)
    renamed: tuple[tuple[str, str], ...] = ()
    spoiled: tuple[Spoiled | Remark, ...] = ()
    mixed: tuple[int, int] | None = None
    sample: SampledRows | None = None

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
    path: str | os.PathLike[str],
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
    """Read a table from a CSV, TSV, ARFF or Parquet file, plain or packed by gzip.

    Of a CSV or Parquet file that is too large for the memory that is allowed, a random sample of the rows is kept. The types
    and the facts of the columns are those of all rows.

    Parameters
    ----------
    path : path of a file
    like : Dialect, optional
        Read the file as an earlier one was read (`table.dialect`), each column with the type it had there.
    also_missing : list of str, optional
        Tokens of missing cells besides those that are found (`missing` gives all of them).
    max_bytes : float, optional
        How large a packed file (gzip, Parquet) may become; by default, a third of the free memory.
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
        comment, missing, types, words, units. The others are found from the file.

    Examples
    --------
    >>> table = read("prices.csv", missing=["", "-9"], types={"postcode": "text"})  # doctest: +SKIP
    >>> print(table.card())  # doctest: +SKIP
    """
    check_names(overrides)
    file = checked(path)
    with limited(max_bytes), TemporaryDirectory(prefix="aprendiz-") as folder:
        asked = questions(file, like, overrides, also_missing)
        form = FORMATS[asked.dialect.kind]
        kept = rows_to_keep(file, form, sample, max_memory)
        if kept is None or form.blocks is None:
            contents = form.read(file, asked, Path(folder))
        else:
            with limited(float("inf")):  # however much a packed file unpacks to, little of it is held
                source = form.blocks(file, asked, Path(folder))
                contents = SampledReading(source, SampleWanted(kept, seed, groups), on_rows).contents()
    return table_of(path, asked, contents, overrides)


def table_of(path: str | os.PathLike[str], asked: Questions, contents: Contents, given: Mapping[str, Any]) -> Table:
    """The table of the contents of a file; `given` is what was given of its dialect."""
    found, columns, renamed, spoiled = asked.dialect, contents.columns, contents.renamed, contents.remarks
    file = Path(path)
    absent = [name for name in dict(replace(Dialect(), **given).types) if name not in columns]
    if absent:
        known = ", ".join(map(repr, list(columns)[:20]))
        raise ReadingError(
            _("types: {file} has no column {name}; it has {known}.").format(file=file.name, name=repr(absent[0]), known=known)
        )
    frame = pd.DataFrame(columns, copy=False)
    known_facts = contents.facts or tuple(facts(name, frame[name]) for name in columns)
    types = tuple((one.name, one.kind) for one in known_facts if one.distinct)
    words = {**dict(found.words), **{one.name: one.words for one in spoiled if one.words}}
    units = {name: signs for name, signs in found.units if name in columns}
    units |= {one.name: (one.unit, one.decimal, one.thousands) for one in spoiled if isinstance(one, Measured)}
    dialect = replace(found, types=types, words=tuple(words.items()), units=tuple(units.items()))
    about = (str(path), len(frame), file.stat().st_size, known_facts, asked.reasons, renamed, tuple(spoiled), contents.mixed)
    return Table(frame, dialect, schema(known_facts), *about, contents.sample)


def rows_to_keep(file: Path, form: Format, sample: int | None, max_memory: float | str | None) -> int | None:
    """How many rows of a file are kept at most; None for all."""
    if sample is not None and (isinstance(sample, bool) or not isinstance(sample, int) or sample < 1):
        raise ValueError(_("sample={value} must be a number of rows, such as 50000.").format(value=repr(sample)))
    if form.size is None:
        if sample is not None:
            raise ValueError(_("sample=…: {format} files are read as a whole; save the table as CSV.").format(format=form.name))
        return None
    return sample if sample is not None else rows_that_fit(form.size(file), max_memory)


def questions(file: Path, like: Dialect | None, given: Mapping[str, Any], also_missing: Sequence[str]) -> Questions:
    """What is to be asked of a file, whose kind is known. What an earlier file of another kind has said goes for types alone,
    and for tokens of missing cells if that was CSV."""
    known = replace(Dialect(), **given)
    found = known.kind if "kind" in given else kind(file, head(file)[0])
    refuse_options(found, given)
    if like is not None and like.kind != found:
        given = {"types": like.types, **({"missing": like.missing} if like.kind == "csv" else {}), **given}
        like = None
    asked = Questions(given, like, also_missing)
    asked.ask("kind", lambda: (found, _("by its first bytes")))
    return asked
