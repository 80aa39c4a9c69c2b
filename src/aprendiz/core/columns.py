"""The schema of a mixed table: what each column holds, and one compact form for all of them.

A column is one of

    numeric       measurements
    binary        two levels: yes and no, True and False, 0 and 1
    categorical   words without an order
    ordinal       levels in an order

and any cell may be missing. `Columns.of(table)` reads the kinds from a data frame of any library (or an array of objects);
`kinds` and `levels` overrule it. `columns.encode(table)` gives the form that learners of mixed tables share, `Mixed`:

    numbers   float64 (rows, numeric columns), NaN where a cell is missing
    codes     int32 (rows, other columns), the number of the level, −1 where a cell is missing
    missing   bool (rows, columns), in the order of the table

all C-contiguous, so that blocks of rows are plain slices. A level that the schema does not know says nothing about the row:
the cell counts as missing, and `Mixed.unseen` reports it. Names and levels stay in the schema, for reports.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from itertools import repeat
from typing import Any, Literal, get_args

import numpy as np

from aprendiz.core.frames import as_floats, as_frame, is_missing
from aprendiz.core.rows import Array, read_only

Kind = Literal["numeric", "binary", "categorical", "ordinal"]
MISSING = -1


@dataclass(frozen=True)
class Column:
    """A column: its name, what it holds, its levels in the order of their codes, and how many of its cells were missing."""

    name: Any
    kind: Kind
    levels: tuple[Any, ...] = ()
    missing: int = 0

    def __str__(self) -> str:
        shown = ", ".join(map(str, self.levels[:8])) + (f", … ({len(self.levels)})" if len(self.levels) > 8 else "")
        gaps = f", {self.missing} missing" if self.missing else ""
        return f"{self.name}: {self.kind}{f' ({shown})' if self.levels else ''}{gaps}"


@dataclass(frozen=True)
class Unseen:
    """A level that the schema does not know: where it stood first, and how often."""

    name: Any
    level: Any
    row: int
    cells: int

    def __str__(self) -> str:
        times = "1 cell holds" if self.cells == 1 else f"{self.cells} cells hold"
        return f"column {self.name!r}: {times} {self.level!r} (first in row {self.row}), a level that the fit did not see"


@dataclass(frozen=True)
class Mixed:
    """Rows of a mixed table in the form described above. Slices of rows are again such rows."""

    columns: Columns
    numbers: Array
    codes: Array
    missing: Array
    unseen: tuple[Unseen, ...] = ()

    @property
    def shape(self) -> tuple[int, int]:
        rows, columns = self.missing.shape
        return int(rows), int(columns)

    def __len__(self) -> int:
        return len(self.missing)

    def __getitem__(self, chosen: Any) -> Mixed:
        numbers, codes, missing = (read_only(part[chosen]) for part in (self.numbers, self.codes, self.missing))
        return replace(self, numbers=numbers, codes=codes, missing=missing)


@dataclass(frozen=True)
class Columns:
    """The columns of a table, in its order, and remarks on what may be a mistake in it.

    Examples
    --------
    >>> sizes = ["small", "medium", "large"]
    >>> print(Columns.of({"size": ["small", "large", None], "age": [41, 32, 58]}, levels={"size": sizes}))
    size: ordinal (small, medium, large), 1 missing
    age: numeric
    """

    columns: tuple[Column, ...]
    notes: tuple[str, ...] = ()

    # ---- reading a schema ----------------------------------------------------------------------------------------------

    @classmethod
    def of(
        cls, table: Any, *, kinds: Mapping[Any, Kind] | None = None, levels: Mapping[Any, Sequence[Any]] | None = None
    ) -> Columns:
        """The schema of a table.

        Parameters
        ----------
        table : data frame, dict of columns, or array of objects
        kinds : mapping of column name to kind, optional
            Overrules what would be inferred. An ordinal column of words needs its levels too.
        levels : mapping of column name to levels, optional
            The levels in their order; without an entry in `kinds`, such a column is ordinal (binary if there are two).
        """
        kinds, levels = dict(kinds or {}), dict(levels or {})
        cells = list(cells_of(table))
        if not cells:
            raise ValueError("The table has no columns: give at least one.")
        known = [one.name for one in cells]
        for name in (*kinds, *levels):
            if name not in known:
                raise ValueError(f"The table has no column {name!r}; it has {', '.join(map(repr, known[:20]))}.")
        columns = tuple(one.column(kinds.get(one.name), levels.get(one.name)) for one in cells)
        return cls(columns, tuple(note for column in columns for note in remarks(column, len(cells[0]))))

    # ---- the compact form ----------------------------------------------------------------------------------------------

    def encode(self, table: Any, *, unseen: Literal["missing", "error"] = "missing") -> Mixed:
        """A table with these columns in the compact form. `unseen="error"` refuses levels that the schema does not know."""
        cells = list(cells_of(table))
        given, wanted = [one.name for one in cells], list(self.names)
        if given != wanted:
            raise ValueError(f"The columns {given} are not those of the schema, {wanted}, in their order.")
        rows = len(cells[0])
        numbers, codes = np.empty((rows, len(self.numeric))), np.empty((rows, len(self.coded)), np.int32)
        missing, strangers = np.empty((rows, len(cells)), bool), list[Unseen]()
        for j, (one, column) in enumerate(zip(cells, self.columns, strict=True)):
            if column.kind == "numeric":
                numbers[:, self.numeric.index(j)] = found = one.numbers()
                missing[:, j] = np.isnan(found)
            else:
                codes[:, self.coded.index(j)] = found = one.coded(column.levels)
                missing[:, j] = found == MISSING
                strangers += one.strangers(found)
        if strangers and unseen == "error":
            raise ValueError(f"{strangers[0]}: add it to the levels of the schema, or correct the cell.")
        return Mixed(self, read_only(numbers), read_only(codes), read_only(missing), tuple(strangers))

    def extended(self, table: Any) -> Columns:
        """The schema with the levels that a table brings, after those it had: codes keep their meaning."""
        new: dict[Any, list[Any]] = {}
        for stranger in self.encode(table).unseen:
            new.setdefault(stranger.name, []).append(stranger.level)
        columns = [replace(c, levels=(*c.levels, *new.get(c.name, ()))) for c in self.columns]
        return replace(self, columns=tuple(replace(c, kind="categorical") if grown(c) else c for c in columns))

    def joined(self, other: Columns) -> Columns:
        """The schema with the levels of another one, after its own."""
        pairs = zip(self.columns, other.columns, strict=True)
        columns = [replace(a, levels=(*a.levels, *(x for x in b.levels if x not in a.levels))) for a, b in pairs]
        return replace(self, columns=tuple(replace(c, kind="categorical") if grown(c) else c for c in columns))

    def decode(self, mixed: Mixed) -> dict[Any, Array]:
        """Back to columns of numbers and levels, None (NaN for numbers) where a cell is missing."""
        table: dict[Any, Array] = {}
        for j, column in enumerate(self.columns):
            if column.kind == "numeric":
                table[column.name] = mixed.numbers[:, self.numeric.index(j)].copy()
            else:
                words = np.array([*column.levels, None], dtype=object)  # code −1 is the last
                table[column.name] = words[mixed.codes[:, self.coded.index(j)]]
        return table

    # ---- looking at it -------------------------------------------------------------------------------------------------

    @property
    def names(self) -> tuple[Any, ...]:
        return tuple(column.name for column in self.columns)

    @property
    def numeric(self) -> tuple[int, ...]:
        """Positions of the columns of numbers."""
        return tuple(j for j, column in enumerate(self.columns) if column.kind == "numeric")

    @property
    def coded(self) -> tuple[int, ...]:
        """Positions of the columns with levels."""
        return tuple(j for j, column in enumerate(self.columns) if column.kind != "numeric")

    def __len__(self) -> int:
        return len(self.columns)

    def __iter__(self) -> Iterator[Column]:
        return iter(self.columns)

    def __getitem__(self, name: Any) -> Column:
        return self.by_name[name]

    @cached_property
    def by_name(self) -> dict[Any, Column]:
        """The columns by their names."""
        return {column.name: column for column in self.columns}

    def __str__(self) -> str:
        return "\n".join([*map(str, self.columns), *(f"note: {note}" for note in self.notes)])


def grown(column: Column) -> bool:
    """Has a binary column got a third level?"""
    return column.kind == "binary" and len(column.levels) > 2


def remarks(column: Column, rows: int) -> Iterator[str]:
    """What may be a mistake in a column."""
    if rows and column.missing == rows:
        yield f"column {column.name!r}: every cell is missing"
    alike: dict[str, list[Any]] = {}
    for level in column.levels:
        alike.setdefault(" ".join(str(level).split()).casefold(), []).append(level)
    for group in alike.values():
        if len(group) > 1:
            shown = ", ".join(map(repr, group))
            yield f"column {column.name!r}: the levels {shown} differ only by spaces or case; join them if they mean the same"


# ---- cells of a column, from any library -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Cells:
    """The cells of one column: numbers (NaN where missing) or objects (None where missing), and the order it declares."""

    name: Any
    values: Array
    declared: tuple[Any, ...] | None = None
    ordered: bool = False

    def __len__(self) -> int:
        return len(self.values)

    @property
    def are_numbers(self) -> bool:
        return self.values.dtype != object

    def column(self, kind: Kind | None, levels: Sequence[Any] | None) -> Column:
        """What the column holds, unless somebody knows better."""
        if kind is not None and kind not in get_args(Kind):
            raise ValueError(f"Column {self.name!r}: its kind must be one of {', '.join(get_args(Kind))}, got {kind!r}.")
        present = self.distinct()
        missing = int(np.isnan(self.values).sum()) if self.are_numbers else self.values.tolist().count(None)
        measured = self.are_numbers and self.declared is None and not two_numbers(present)
        if kind == "numeric" or (kind is None and levels is None and measured):
            self.numbers()
            return Column(self.name, "numeric", (), missing)
        if levels is None:
            if kind == "ordinal" and not self.are_numbers and not self.ordered:
                raise ValueError(f"Column {self.name!r}: an ordinal column of words needs its levels, in their order.")
            levels = self.declared or present
        elif unknown := [value for value in present if value not in levels]:
            raise ValueError(f"Column {self.name!r} holds {unknown[0]!r}, which is not among its levels {list(levels)}.")
        if len(set(levels)) < len(levels):
            raise ValueError(f"Column {self.name!r}: a level stands twice in {list(levels)}.")
        if kind == "binary" and len(levels) > 2:
            raise ValueError(f"Column {self.name!r} is to be binary but has {len(levels)} levels: {list(levels)[:8]}.")
        given = levels is not self.declared and levels is not present
        inferred: Kind = "ordinal" if (given or self.ordered) and len(levels) > 2 else kind_by_number(levels)
        return Column(self.name, kind or inferred, tuple(levels), missing)

    def distinct(self) -> tuple[Any, ...]:
        """The values that occur, sorted."""
        if self.are_numbers:
            return tuple(tidy(value) for value in np.unique(self.values[~np.isnan(self.values)]))
        return tuple(sorted(set(self.values.tolist()) - {None}))

    def numbers(self) -> Array:
        """The cells as numbers."""
        if not self.are_numbers:
            row, value = next(((i, v) for i, v in enumerate(self.values) if v is not None), (0, None))
            if value is None:
                return np.full(len(self), np.nan)
            if isinstance(value, bool):
                return np.array([np.nan if v is None else float(v) for v in self.values])
            raise ValueError(f"Column {self.name!r} holds {value!r} in row {row}: numbers are needed there.")
        if (infinite := np.isinf(self.values)).any():
            row = int(np.flatnonzero(infinite)[0])
            raise ValueError(f"Column {self.name!r} holds infinity in row {row}: replace it or leave the row out.")
        return self.values

    def coded(self, levels: tuple[Any, ...]) -> Array:
        """The numbers of the levels; −1 for missing cells and for levels that there are not."""
        if self.are_numbers and levels and all(isinstance(level, (int, float)) for level in levels):
            ranks = np.argsort(np.asarray(levels, float), kind="stable")
            inside = np.asarray(levels, float)[ranks]
            at = np.minimum(np.searchsorted(inside, self.values), len(inside) - 1)
            return np.where(inside[at] == self.values, ranks[at], MISSING).astype(np.int32)
        code = {level: number for number, level in enumerate(levels)}
        return np.fromiter(map(code.get, self.plain(), repeat(MISSING)), np.int32, len(self))

    def plain(self) -> Iterator[Any]:
        return (tidy(value) for value in self.values) if self.are_numbers else iter(self.values)

    def strangers(self, codes: Array) -> Iterator[Unseen]:
        """Levels that got no code although the cell holds something."""
        where: dict[Any, list[int]] = {}
        for row in np.flatnonzero(codes == MISSING):
            value = tidy(self.values[row]) if self.are_numbers else self.values[row]
            if not is_missing(value):
                where.setdefault(value, []).append(int(row))
        return (Unseen(self.name, level, rows[0], len(rows)) for level, rows in where.items())


def tidy(value: Any) -> Any:
    """A number of a column as one writes it: whole where it is whole."""
    value = float(value)
    return int(value) if value.is_integer() else value


def two_numbers(values: tuple[Any, ...]) -> bool:
    """Zeros and ones, and both of them."""
    return values == (0, 1)


def kind_by_number(levels: Sequence[Any]) -> Kind:
    return "binary" if len(levels) == 2 else "categorical"


def cells_of(table: Any) -> Iterator[Cells]:
    """The columns of a data frame, a dict or an array."""
    if isinstance(table, Mapping):
        lengths = {name: len(values) for name, values in table.items()}
        if len(set(lengths.values())) > 1:
            raise ValueError(f"The columns have different lengths: {lengths}.")
        yield from (cells_of_values(name, values) for name, values in table.items())
    elif (frame := as_frame(table)) is not None:
        yield from (cells_of_series(series) for series in frame.iter_columns())
    else:
        array = table if isinstance(table, np.ndarray) else np.asarray(table, dtype=object)
        if array.ndim != 2:
            raise ValueError(f"Expected 2D array, a table of rows and columns, got an array of shape {array.shape} instead.")
        yield from (cells_of_values(j, array[:, j]) for j in range(array.shape[1]))


def cells_of_series(series: Any) -> Cells:
    import narwhals.stable.v2 as nw

    if series.dtype.is_numeric():
        return Cells(series.name, as_floats(series))
    if series.dtype.is_temporal():
        raise ValueError(f"Column {series.name!r} holds dates or durations: give numbers, such as days since a reference date.")
    if series.dtype in (nw.Categorical, nw.Enum):
        declared = tuple(series.cat.get_categories().to_list())
        found = cells_of_values(series.name, series.to_list())
        if found.are_numbers:
            declared = tuple(tidy(level) for level in declared)
        arrow = getattr(series.to_native(), "type", None)  # narwhals does not tell the order of a dictionary
        ordered = series.dtype == nw.Enum or getattr(arrow, "ordered", False)
        return replace(found, declared=declared if ordered else tuple(sorted(declared)), ordered=ordered)
    return cells_of_values(series.name, series.to_list())


def cells_of_values(name: Any, values: Any) -> Cells:
    """Python or NumPy values: all numbers, all True and False, or all words."""
    if isinstance(values, list) and set(map(type, values)) <= {str, type(None)}:  # the usual case, looked at once
        words = np.empty(len(values), dtype=object)
        words[:] = values
        return Cells(name, words)
    array = values if isinstance(values, np.ndarray) else objects(values)
    if array.dtype.kind in "iuf":
        return Cells(name, array.astype(np.float64))
    if array.dtype.kind in "mM":
        raise ValueError(f"Column {name!r} holds dates or durations: give numbers, such as days since a reference date.")
    known = objects([plain_cell(value) for value in array])
    kinds = {type(value) for value in known} - {type(None)}
    if kinds <= {int, float} and kinds:
        return Cells(name, np.array([np.nan if value is None else float(value) for value in known]))
    if kinds <= {str} or kinds <= {bool}:
        return Cells(name, known)
    usual = family(next(value for value in known if value is not None))
    strange = [usual not in (str, bool, float) or (v is not None and family(v) is not usual) for v in known]
    row = next(i for i, value in enumerate(known) if value is not None and strange[i])
    raise ValueError(
        f"Column {name!r} holds {known[row]!r} in row {row}, of type {type(known[row]).__name__}: "
        "a column holds numbers, or words, or True and False. Make it one of these, or leave it out."
    )


def family(value: Any) -> type:
    """The type of a cell; whole numbers are numbers."""
    return float if type(value) is int else type(value)


def plain_cell(value: Any) -> Any:
    """A cell as Python shows it: no NumPy scalars, no decimals."""
    if isinstance(value, np.generic):
        return value.item()
    return float(value) if isinstance(value, Decimal) else value


def objects(values: Any) -> Array:
    """A vector of Python objects, whatever they are."""
    array = np.empty(len(values), dtype=object)
    array[:] = [None if is_missing(value) else value for value in values]
    return array
