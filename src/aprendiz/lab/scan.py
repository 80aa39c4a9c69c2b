"""The columns of a CSV file, typed by all of its rows.

The first rows suggest a type for every column; one pass over the file gives the values and, for each column, the cells that do
not fit. A column with such a cell is read again, as text. A few words among many numbers ("unknown", "n.d.") are missing cells,
which are listed; a word with a digit (12A, <5) says something, and the column stays text. A type that is given
(`Dialect.types`) is not given up: the first cell that does not fit is named, unless it is a word that was read as missing
before (`Dialect.words`).

DuckDB parses and judges the cells (SQL of cells.py) in parallel, with bounded memory. In two cases Python parses them: files
that are not plain (records.py makes a plain copy first), and tables of more than 1000 columns, where planning the query would
cost more than reading the cells. DuckDB judges those too, the columns of a type below each other.

Cost: usually one pass, one more if some column is not what its first rows promised; memory as the table.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count, islice
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from aprendiz.lab.cells import CellFormat, quoted, word_for
from aprendiz.lab.dialect import Dialect
from aprendiz.lab.first_types import guess
from aprendiz.lab.opening import LONG_LINE, ReadingError, last_line, text
from aprendiz.lab.records import FileLayout, copied, records
from aprendiz.lab.series import ARROW
from aprendiz.locale import _

WIDE, MOST_COLUMNS = 1000, 1 << 16
BLOCK = 1 << 20  # cells that Python holds as text at a time
MEMORY = "1GB"  # of DuckDB, beside the result
FEW_WORDS, MOST_WORDS = 0.05, 20  # share of the numbers, and different ones, that are read as missing
NO_TOKEN = "\x1f no cell says this \x1f"  # DuckDB wants at least one token
NO_NETWORK = {"autoinstall_known_extensions": False, "autoload_known_extensions": False}


@dataclass(frozen=True)
class Typed:
    """A column of a type: its values (an arrow array), how many cells do not fit, and the row of the first of them."""

    kind: str
    values: Any
    unfit: int = 0
    first: int = -1

    @property
    def known(self) -> int:
        """How many cells fit."""
        return len(self.values) - int(self.values.null_count)


@dataclass(frozen=True)
class Spoiled:
    """A column with some cells that are not of the type of the others: which type that is, how many are not, one of those, and,
    where they are read as missing, all the different ones (else the column is text)."""

    name: str
    kind: str
    cells: int
    example: str
    words: tuple[str, ...] = ()


def scan(
    file: Path, dialect: Dialect, top: FileLayout, folder: Path, lines: Sequence[int] = ()
) -> tuple[list[Typed], list[Spoiled]]:
    """All columns of a file. `folder` is for files that are needed on the way, `lines` tells where the rows of a copy were."""
    refuse_too_many_columns(file, len(top.names))
    given, before = dict(dialect.types), dict(dialect.words)
    wanted = {j: given.get(name) or guess(j, top, dialect.cells) for j, name in enumerate(top.names)}
    passes = FilePasses(file, dialect, len(top.names), folder)
    done, spoiled = dict[int, Typed](), dict[int, Typed]()
    while wanted:
        found = passes.columns(wanted)
        wanted = {}
        for j, column in found.items():
            if not column.unfit:
                done[j] = column
            elif top.names[j] in given and top.names[j] not in before:
                raise ReadingError(misfit(file, dialect, top.names, j, column, lines))
            else:
                wanted[j] = next_kind(column.kind, column.known)
                spoiled[j] = column
    remarks = []
    for j, column in spoiled.items():
        name, cells = top.names[j], done[j].values
        words = few_words(column.kind, column.known, column.unfit, found_words(column, cells), before.get(name))
        if words:
            done[j] = column
        elif name in given:
            raise ReadingError(misfit(file, dialect, top.names, j, column, lines))
        if words or partly(column.known, column.unfit):
            remarks.append(Spoiled(name, column.kind, column.unfit, cells[column.first].as_py(), words))
    return [done[j] for j in range(len(done))], remarks


def refuse_too_many_columns(file: Path, count: int) -> None:
    if count > MOST_COLUMNS:
        raise ReadingError(
            _("{file} has {count} columns, more than {most}: keep only those you need, or transpose the table.").format(
                file=file.name, count=count, most=MOST_COLUMNS
            )
        )


def found_words(column: Typed, cells: Any) -> set[str]:
    """The different cells that do not fit the type of a column."""
    return set(pc.unique(cells.filter(pc.and_(pc.is_null(column.values), pc.is_valid(cells)))).to_pylist())


def few_words(kind: str, known: int, unfit: int, found: set[str], before: tuple[str, ...] | None) -> tuple[str, ...]:
    """The words among the numbers of a column that can be read as missing cells: few, of few kinds, none with a digit; or only
    words that were read so before. Empty if there are others, for then the column is text."""
    if kind != "number" or not known:
        return ()
    if before is not None:
        return tuple(sorted(found)) if found <= set(before) else ()
    few = unfit < FEW_WORDS * known and len(found) <= MOST_WORDS
    return tuple(sorted(found)) if few and not any(says_something(word) for word in found) else ()


def says_something(word: str) -> bool:
    """Is it more than "unknown": a code or a bound (12A, <5), infinity, a truth value?"""
    return any(map(str.isdigit, word)) or re.fullmatch(r"[+-]?\s*(inf(inity)?|∞)|true|false", word.strip().lower()) is not None


def partly(known: int, unfit: int) -> bool:
    """Do most cells of a column fit its type?"""
    return unfit < 0.1 * known


def next_kind(kind: str, known: int) -> str:
    """What to try after a type that did not fit: another one only if no cell fitted, as where the first rows were empty."""
    return "text" if known else {"number": "boolean", "boolean": "date"}.get(kind, "text")


def misfit(file: Path, dialect: Dialect, names: tuple[str, ...], j: int, column: Typed, lines: Sequence[int] = ()) -> str:
    """The sentence about a cell that is not of the type of its column."""
    line, cells = next(islice(records(file, dialect, len(names)), column.first, None))
    line = lines[column.first] if lines else line
    return _(
        "{file}, line {line}: column {name} holds {cell}, expected: {kind}. Correct the cell, "
        "or add it to the tokens of missing cells (missing=…)."
    ).format(file=file.name, line=line, name=repr(names[j]), cell=repr(cells[j][:60]), kind=word_for(column.kind))


class FilePasses:
    """Passes over a file: each gives the columns that are asked for."""

    def __init__(self, file: Path, dialect: Dialect, width: int, folder: Path):
        self.original, self.first_dialect = file, dialect
        self.file, self.dialect, self.width, self.folder = file, dialect, width, folder
        self.longest, self.rows = 0, -1  # of a copy
        if width <= WIDE and not is_plain(file, dialect):
            self.copy()

    def columns(self, wanted: Mapping[int, str]) -> dict[int, Typed]:
        if self.width > WIDE:
            return by_records(self.file, self.dialect, self.width, wanted, self.folder)
        try:
            return self.by_duckdb(wanted)
        except duckdb.Error as error:
            if self.file != self.original:
                raise ReadingError(
                    _("{file} cannot be read: {error}.").format(file=self.original.name, error=str(error).splitlines()[0])
                ) from error
        self.copy()  # names the line that is wrong, if there is one
        return self.columns(wanted)

    def copy(self) -> None:
        """From here on read a plain copy."""
        copy = self.folder / "copy.csv"
        self.dialect, self.longest, self.rows = copied(self.original, self.first_dialect, self.width, copy)
        self.file = copy

    def by_duckdb(self, wanted: Mapping[int, str]) -> dict[int, Typed]:
        with connected(self.folder) as connection:
            table = connection.sql(query(self.file, self.dialect, self.width, wanted, self.longest)).to_arrow_table()
        self.refuse_lost_rows(table.num_rows)
        return {j: typed(kind, table[f"v{j}"], table[f"u{j}"] if kind != "text" else None) for j, kind in wanted.items()}

    def refuse_lost_rows(self, found: int) -> None:
        """A plain copy has as many rows as were written."""
        if self.rows not in (-1, found):
            raise duckdb.Error(_("rows expected: {rows}, found: {found}").format(rows=self.rows, found=found))


def connected(folder: Path, memory: str = MEMORY) -> Any:
    """DuckDB with bounded memory, and a folder for what does not fit into it."""
    connection = duckdb.connect(config={"memory_limit": memory, "temp_directory": str(folder), **NO_NETWORK})
    connection.execute("SET enable_progress_bar = false")
    return connection


def is_plain(file: Path, dialect: Dialect) -> bool:
    """Can DuckDB read the file as it is? It takes a quote before the header for the beginning of a cell, and leaves out a last
    line that is longer than its buffer without a word."""
    if dialect.encoding != "utf-8" or dialect.comment or last_line(file) > LONG_LINE:
        return False
    with text(file, dialect.encoding) as source:
        first = list(islice(source, dialect.skip + 1))
    quotes = [line.count(dialect.quote) if dialect.quote else 0 for line in first]
    return not any(quotes[:-1]) and quotes[-1] % 2 == 0


def query(
    file: Path, dialect: Dialect, width: int, wanted: Mapping[int, str], longest: int, judged: Callable[..., str] | None = None
) -> str:
    """The values of the wanted columns, and which cells do not fit their type: by `judged_cells`, or as `judged` says it."""
    judge = judged or judged_cells
    select = ", ".join(judge(dialect.cells, kind, f"c{j}", j) for j, kind in wanted.items())
    tokens = [token for token in dialect.missing if token] or [NO_TOKEN]
    options = {
        "auto_detect": "false",
        "header": "false",
        "skip": str(dialect.skip + dialect.header),
        "delim": quoted(dialect.delimiter),
        "quote": quoted(dialect.quote),
        "escape": quoted(dialect.escape),
        "nullstr": "[" + ", ".join(map(quoted, tokens)) + "]",
        "compression": "'none'",
        "columns": "{" + ", ".join(f"'c{j}': 'VARCHAR'" for j in range(width)) + "}",
    } | ({"max_line_size": str(2 * longest)} if longest > 1_000_000 else {})
    path = re.sub(r"([*?\[])", r"[\1]", str(file))
    words = ", ".join(f"{name}={value}" for name, value in options.items())
    return f"SELECT {select} FROM read_csv({quoted(path)}, {words})"


def judged_cells(cells: CellFormat, kind: str, column: str, j: int) -> str:
    """The values v of a column of text in a type and, unless that is text too, which cells u do not fit it."""
    values = f"{cells.sql(kind, column)} AS v{j}"
    return values if kind == "text" else f"{values}, (v{j} IS NULL AND {cells.sql_present(column)}) AS u{j}"


def typed(kind: str, values: Any, unfit: Any) -> Typed:
    misfits = 0 if unfit is None else pc.sum(unfit).as_py() or 0
    return Typed(kind, values, misfits, pc.index(unfit, True).as_py() if misfits else -1)


# ---- tables of very many columns -----------------------------------------------------------------------------------------


def by_records(file: Path, dialect: Dialect, width: int, wanted: Mapping[int, str], folder: Path) -> dict[int, Typed]:
    """The wanted columns, block by block of rows."""
    with connected(folder) as connection:
        blocks = [block_of(rows, dialect.cells, wanted, connection) for rows in blocks_of(file, dialect, width)]
    found = dict[int, Typed]()
    for j, kind in wanted.items():
        values, unfit = zip(*(block[j] for block in blocks), strict=True)
        found[j] = typed(kind, pa.chunked_array(values, ARROW[kind]), None if kind == "text" else pa.chunked_array(unfit))
    return found


def blocks_of(file: Path, dialect: Dialect, width: int) -> Iterator[list[list[str]]]:
    rows = (cells for _line, cells in records(file, dialect, width))
    while block := list(islice(rows, max(1, BLOCK // width))):
        yield block


def block_of(
    rows: list[list[str]], cells: CellFormat, wanted: Mapping[int, str], connection: Any
) -> dict[int, tuple[Any, Any]]:
    """Values of the wanted columns, and which cells do not fit. All columns of a type are judged as one, below each other: so
    the query has one column to plan."""
    columns, tokens = list(zip(*rows, strict=True)), pa.array([*cells.tokens - {""}], pa.string())
    found = dict[int, tuple[Any, Any]]()
    for kind in sorted({*wanted.values()}):
        alike = [j for j, one in wanted.items() if one == kind]
        cell = pa.array(list(chain.from_iterable(columns[j] for j in alike)), pa.string())
        written = pa.table({"c": pc.if_else(pc.is_in(cell, tokens), pa.scalar(None, pa.string()), cell)})
        table = connection.register("written", written).sql(f"SELECT {judged_cells(cells, kind, 'c', 0)} FROM written")
        values, *unfit = (part.combine_chunks() for part in table.to_arrow_table().columns)
        for j, start in zip(alike, count(0, len(rows))):
            found[j] = values.slice(start, len(rows)), unfit[0].slice(start, len(rows)) if unfit else None
    return found
