"""Tables in files, read in pieces: `aprendiz.rows("big.parquet", target="y")`.

A Parquet or CSV file (or a folder, a pattern or a list of them, in the order of their names) is read again from the start
at every pass; nothing of it stays in memory but the blocks in flight. Reading is done by the thread that asks, computing
by the workers of `threads`.

Memory: arrow holds a whole file, or a whole row group, unless it is told not to read ahead (`pre_buffer=False`) and to
read columns through a small buffer (`buffer_size`).

Pages of a Parquet file are compared with their checksums, where it has them. Cells are checked as they are read: a missing,
infinite or non-numeric cell is reported with file, column, row and value (arrow_columns.py).
"""

from __future__ import annotations

import glob
import os
import re
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from aprendiz.core.html import MOST_ROWS as MOST_SHOWN
from aprendiz.core.html import Html, table
from aprendiz.core.rows import Array, Block, Rows, block_rows, reblock, runs
from aprendiz.core.sources.arrow_columns import (
    arrow,
    is_number,
    largest_size,
    numbers,
    refuse_rounded,
    values,
    whole_if_possible,
)
from aprendiz.core.whole_numbers import LARGEST
from aprendiz.locale import _, ngettext

BUFFER = 1 << 16  # bytes that arrow reads ahead, for each column
PIECE = 1 << 20  # bytes of a CSV file read at a time
SOME_ROWS = 1000  # that are looked at for years
YEAR = re.compile("(19|20)[0-9]{2}")
TOGETHER = 2  # blocks handed to a worker at a time


def rows(
    path: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    *,
    target: str | None = None,
    weight: str | None = None,
    columns: Sequence[str] | None = None,
    header: bool | None = None,
) -> FileRows:
    """Open a table in Parquet or CSV files as rows that any summing learner can be fitted to.

    Parameters
    ----------
    path : path, pattern, folder or list of paths
        Files of one kind (`.parquet` or `.csv`, `.csv.gz` too) with the same columns.
    target : str, optional
        The column to learn. Without it the rows are features only.
    weight : str, optional
        The column of weights.
    columns : list of str, optional
        The features; by default all other columns.
    header : bool, optional
        Whether the first line of a CSV file holds the names of the columns; without names they are called x1, x2, …  By default
        it is taken for names unless it holds numbers where numbers follow, with a warning.

    Examples
    --------
    >>> model = LogisticRegression().fit(aprendiz.rows("visits/*.parquet", target="bought"))  # doctest: +SKIP
    """
    files = find_files(path)
    kinds = {kind_of_file(file) for file in files}
    if len(kinds) > 1:
        raise ValueError(f"{path}: files of different kinds ({', '.join(sorted(kinds))}); give them one by one.")
    if header not in (None, True, False):
        raise ValueError(f"header={header!r} must be True, False or None.")
    if kinds == {"parquet"} and header is False:
        raise ValueError(f"{files[0]}: Parquet files always have names for their columns; leave out header=False.")
    reader = ParquetFiles(files) if kinds == {"parquet"} else CsvFiles(files, header)
    names = reader.names
    known = Counter(names)
    if repeated := sorted(name for name, count in known.items() if count > 1):
        raise ValueError(f"{files[0]}: the column name {repeated[0]!r} appears more than once; rename one of them.")
    for role, name in [("target", target), ("weight", weight), *(("columns", name) for name in columns or ())]:
        if name is not None and name not in known:
            raise ValueError(f"{role}={name!r}: {files[0]} has no such column; it has {', '.join(map(repr, names[:20]))}.")
    for role, name in (("target", target), ("weight", weight)):
        if name is not None and columns is not None and name in columns:
            raise ValueError(f"{role}={name!r} is among the columns too: the model would see its own target or weight.")
    if columns is not None and len(set(columns)) < len(columns):
        raise ValueError(f"columns={list(columns)} names a column twice.")
    features = list(columns) if columns is not None else [n for n in names if n not in (target, weight)]
    if not features:
        raise ValueError(f"{files[0]}: no column is left for the features.")
    return FileRows(reader, features, target, weight)


class FileRows(Rows):
    """Rows of files. `count` is None for CSV, whose number of rows only a pass would tell."""

    names: list[str]

    def __init__(self, reader: ParquetFiles | CsvFiles, features: Sequence[str], target: str | None, weight: str | None):
        self.reader, self.names, self.target, self.weight = reader, list(features), target, weight
        self.columns, self.count = len(features), reader.count
        self.missing_is_fine = False

    def with_missing(self) -> FileRows:
        """The same rows for a learner that knows what a missing cell means."""
        rows = FileRows(self.reader, self.names, self.target, self.weight)
        rows.missing_is_fine, rows.complete = True, False
        return rows

    def __repr__(self) -> str:
        size = "" if self.count is None else f"{self.count:,} × "
        return f"<rows of {self.reader.files[0]}: {size}{self.columns} columns, target {self.target!r}>"

    def html_parts(self) -> Iterator[Html]:
        """The size and the columns, then the files and the column to predict."""
        yield from super().html_parts()
        files = self.reader.files
        yield table(
            ["", ""],
            [
                (ngettext("file", "files", len(files)), ", ".join(map(os.path.basename, files[:MOST_SHOWN]))),
                *([(_("target"), self.target)] if self.target is not None else []),
            ],
        )

    def groups(self) -> Iterator[Iterable[Block]]:
        return runs(reblock(self.pieces(), block_rows(self.columns)), TOGETHER)

    def pieces(self) -> Iterator[tuple[Array, Array | None, Array | None]]:
        """What arrow reads, as arrays (X, y, weight)."""
        names = [*self.names, *(n for n in (self.target, self.weight) if n is not None)]
        for file in self.reader.files:
            start = 0
            for batch in self.reader.batches(file, names, self.target, block_rows(self.columns)):
                X = np.empty((batch.num_rows, self.columns))
                for j, name in enumerate(self.names):
                    X[:, j] = numbers(batch.column(j), name, file, start, self.missing_is_fine)
                    self.reader.refuse_rounded(file, name, X[:, j])
                y = None if self.target is None else self.reader.target(batch.column(self.columns), self.target, file, start)
                weight = None if self.weight is None else numbers(batch.column(len(names) - 1), self.weight, file, start)
                if weight is not None and (weight < 0).any():
                    row = int(np.flatnonzero(weight < 0)[0])
                    raise ValueError(f"{file}: negative weight {weight[row]} in column {self.weight!r}, row {start + row}.")
                yield X, y, weight
                start += batch.num_rows


class ParquetFiles:
    """Parquet files with the same columns."""

    def __init__(self, files: Sequence[str]):
        parquet = arrow("parquet")
        self.files, self.count = files, 0
        self.names: list[str] = []
        for file in files:
            try:
                with parquet.ParquetFile(file, pre_buffer=False, page_checksum_verification=True) as opened:
                    names = list(opened.schema_arrow.names)
                    self.count += opened.metadata.num_rows
            except (OSError, arrow("lib").ArrowException) as error:
                raise ValueError(f"{file} is not a complete Parquet file ({error}); write it again.") from error
            self.names = self.names or names
            if names != self.names:
                raise ValueError(f"{file}: its columns {names} are not those of {files[0]}: {self.names}.")

    def batches(self, file: str, names: list[str], target: str | None, size: int) -> Iterator[Any]:
        parquet = arrow("parquet")
        try:
            with parquet.ParquetFile(file, pre_buffer=False, page_checksum_verification=True, buffer_size=BUFFER) as opened:
                for batch in opened.iter_batches(batch_size=size, columns=names, use_threads=False):
                    yield batch if batch.schema.names == names else batch.select(names)
        except (OSError, arrow("lib").ArrowException) as error:
            raise ValueError(f"{file} cannot be read to its end ({error}); write it again.") from error

    def target(self, column: Any, name: str, file: str, start: int) -> Array:
        """A piece of the target."""
        return values(column, name, file, start)

    def refuse_rounded(self, file: str, name: str, read: Array) -> None:
        """Nothing to do: whole numbers have a type of their own, and are looked at there."""


class CsvFiles:
    """CSV files. Features are read as numbers; a target that is no number is read as text, and so is one of whole numbers: it
    keeps all its digits."""

    count = None

    def __init__(self, files: Sequence[str], header: bool | None = None):
        self.files, self.first_row = files, int(header is not False)  # the line of the first row
        if header is None and self.begins_with_numbers(files[0]):
            self.first_row = 0
            warnings.warn(
                f"{files[0]}: its first line holds numbers, so it is read as a row, and the columns are called x1, x2, …  "
                "Pass header=False if that is right, or header=True if they are names.",
                UserWarning,
                stacklevel=3,
            )
        self.names = self.names_of(files[0])
        self.kinds: dict[str, str] = {}
        self.exact: set[tuple[str, str]] = set()  # files and columns whose large numbers were looked at
        for file in files[1:]:
            if self.names_of(file) != self.names:
                raise ValueError(f"{file}: its columns are not those of {files[0]}.")

    def names_of(self, file: str) -> list[str]:
        names = list(self.first_batch(file).schema.names)
        return names if self.first_row else [f"x{number}" for number in range(1, len(names) + 1)]

    def begins_with_numbers(self, file: str) -> bool:
        """Does the first line hold more numbers than words, in the columns that hold numbers below it? A year is a name if no
        year stands below it, and 0, 1, 2, … are names that pandas gives."""
        types, top = arrow("types"), self.first_batch(file)
        names, votes = list(top.schema.names), 0
        if top.num_rows == 0:
            return all(map(is_number, names))
        if names == list(map(str, range(len(names)))) and len(names) > 2:
            return False
        for name, column in zip(names, top.columns, strict=True):
            if types.is_integer(column.type) or types.is_floating(column.type):
                year = YEAR.fullmatch(name) and not any(YEAR.fullmatch(str(cell)) for cell in column[:SOME_ROWS].to_pylist())
                votes += 1 if is_number(name) and not year else -1
        return votes > 0

    def first_batch(self, file: str) -> Any:
        """The first piece of a file, as if its first line held names."""
        csv = arrow("csv")
        try:
            with csv.open_csv(file, read_options=csv.ReadOptions(block_size=PIECE, use_threads=False)) as opened:
                return next(iter(opened), None) or opened.schema.empty_table()
        except (OSError, arrow("lib").ArrowException) as error:
            refuse_long_rows(file, error)
            raise ValueError(f"{file} cannot be read as CSV: {error}.") from error

    def read_options(self) -> Any:
        names = {} if self.first_row else {"column_names": self.names}
        return arrow("csv").ReadOptions(block_size=PIECE, use_threads=False, **names)

    def batches(self, file: str, names: list[str], target: str | None, size: int) -> Iterator[Any]:
        csv, types = arrow("csv"), arrow("lib")
        wanted = {name: types.float64() for name in names}
        if target is not None:
            wanted[target] = types.float64() if self.kind_of(target) == "numbers" else types.string()
        options = csv.ConvertOptions(include_columns=names, column_types=wanted, strings_can_be_null=True)
        try:
            with csv.open_csv(file, self.read_options(), convert_options=options) as opened:
                yield from opened
        except types.ArrowInvalid as error:
            refuse_long_rows(file, error)
            raise ValueError(
                f"{file}: {with_names(str(error), self.names, self.first_row)}; correct the cell or leave the column out."
            ) from error

    def kind_of(self, target: str) -> str:
        """Is the target "text", "whole" numbers or "numbers"? Decided once, by the first piece of the first file."""
        if target not in self.kinds:
            csv, types = arrow("csv"), arrow("types")
            convert = csv.ConvertOptions(include_columns=[target])
            with csv.open_csv(self.files[0], self.read_options(), convert_options=convert) as opened:
                kind = opened.schema.field(0).type
            self.kinds[target] = "whole" if types.is_integer(kind) else "numbers" if types.is_floating(kind) else "text"
        return self.kinds[target]

    def target(self, column: Any, name: str, file: str, start: int) -> Array:
        """A piece of the target: whole numbers as long as there is nothing else in a piece, as they look in the file."""
        if self.kind_of(name) == "whole":
            column = whole_if_possible(column, name, file, start)
        found = values(column, name, file, start)
        if found.dtype.kind == "f":
            self.refuse_rounded(file, name, found)
        return found

    def refuse_rounded(self, file: str, name: str, read: Array) -> None:
        """Stop if a number of a column is so large that it may have been a whole one with more digits: its text tells. A column
        is read as text at most once for each file."""
        if largest_size(read) < LARGEST or (file, name) in self.exact:
            return
        csv, start = arrow("csv"), 0
        options = csv.ConvertOptions(
            include_columns=[name], column_types={name: arrow("lib").string()}, strings_can_be_null=True
        )
        with csv.open_csv(file, self.read_options(), convert_options=options) as opened:
            for batch in opened:
                refuse_rounded(batch.column(0), name, file, start)
                start += batch.num_rows
        self.exact.add((file, name))


# ---- messages of arrow ------------------------------------------------------------------------------------------------


def with_names(message: str, names: list[str], first_row: int) -> str:
    """Arrow counts columns, and lines of the file; people name columns and count rows of the table."""
    for number, name in enumerate(names):
        message = message.replace(f"column #{number}:", f"column {name!r}:")
    return re.sub(r"Row #(\d+):", lambda found: f"row {int(found[1]) - 1 - first_row}:", message)


def refuse_long_rows(file: str, error: Exception) -> None:
    """What arrow calls a straddling object."""
    if "straddling object" in str(error):
        raise ValueError(
            f"{file}: a row is longer than {PIECE >> 20} MiB; shorten its cells, or convert the file to Parquet."
        ) from error


# ---- files -----------------------------------------------------------------------------------------------------------


def find_files(path: str | os.PathLike[str] | Sequence[str | os.PathLike[str]]) -> list[str]:
    """The files that a path, a pattern, a folder or a list stands for."""
    if not isinstance(path, (str, os.PathLike)):
        files = [file for one in path for file in find_files(one)]
    else:
        text = os.fspath(path)
        if os.path.isdir(text):
            files = sorted(str(f) for f in Path(text).iterdir() if ending(f.name))
        elif os.path.exists(text):
            files = [text]
        else:
            files = sorted(glob.glob(text))
    if not files:
        raise FileNotFoundError(f"{path}: no such file, and no Parquet or CSV file in such a folder or pattern.")
    return files


def kind_of_file(file: str) -> str:
    """`parquet` or `csv`, by the name of the file."""
    if found := ending(file):
        return found
    raise ValueError(f"{file}: the name must end in .parquet, .csv or .csv.gz.")


def ending(name: str) -> str:
    """`parquet`, `csv`, or nothing, in capitals too (but .gz, by which arrow knows what is packed)."""
    small = name.lower()
    if small.endswith(".parquet"):
        return "parquet"
    return "csv" if small.endswith(".csv") or (small.endswith(".csv.gz") and name.endswith(".gz")) else ""
