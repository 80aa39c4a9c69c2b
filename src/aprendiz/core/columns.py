"""The schema of a mixed table: what each column holds, and one compact form for all of them.

A column is numeric, binary, categorical or ordinal (cells.py), and any cell may be missing. `Columns.of(table)` reads the kinds
from a data frame of any library (or an array of objects);
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
from functools import cached_property
from typing import Any, Literal

import numpy as np

from aprendiz.core.cells import MISSING, Cells, Column, Kind, Unseen, cells_of
from aprendiz.core.frames import MANY_CELLS
from aprendiz.core.rows import Array, read_only
from aprendiz.core.threads import ordered_map


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

    def __deepcopy__(self, _memo: Any) -> Columns:
        return self  # nothing in it changes: a learner that keeps a schema of many columns is cloned often

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
        several = ordered_map if rows >= MANY_CELLS else map
        for j, (found, gaps, new) in enumerate(several(encoded, zip(cells, self.columns, strict=True))):
            (numbers if self.columns[j].kind == "numeric" else codes)[:, self.places[j]] = found
            missing[:, j] = gaps
            strangers += new
        if strangers and unseen == "error":
            raise ValueError(f"{strangers[0]}: add it to the levels of the schema, or correct the cell.")
        return Mixed(self, read_only(numbers), read_only(codes), read_only(missing), tuple(strangers))

    def extended(self, table: Any) -> Columns:
        """The schema with the levels that a table brings, after those it had: codes keep their meaning."""
        new: dict[Any, list[Any]] = {}
        for stranger in self.encode(table).unseen:
            new.setdefault(stranger.name, []).append(stranger.level)
        columns = [replace(c, levels=(*c.levels, *new.get(c.name, ()))) for c in self.columns]
        return replace(self, columns=tuple(replace(c, kind="categorical") if has_third_level(c) else c for c in columns))

    def join(self, other: Columns) -> Columns:
        """The schema with the levels of another one, after its own."""
        pairs = zip(self.columns, other.columns, strict=True)
        columns = [replace(a, levels=(*a.levels, *(x for x in b.levels if x not in a.levels))) for a, b in pairs]
        return replace(self, columns=tuple(replace(c, kind="categorical") if has_third_level(c) else c for c in columns))

    def decode(self, mixed: Mixed) -> dict[Any, Array]:
        """Back to columns of numbers and levels, None (NaN for numbers) where a cell is missing."""
        table: dict[Any, Array] = {}
        numbers, codes = iter(mixed.numbers.T), iter(mixed.codes.T)
        for column in self.columns:
            if column.kind == "numeric":
                table[column.name] = next(numbers).copy()
            else:
                words = np.array([*column.levels, None], dtype=object)  # code −1 is the last
                table[column.name] = words[next(codes)]
        return table

    # ---- looking at it -------------------------------------------------------------------------------------------------

    @property
    def names(self) -> tuple[Any, ...]:
        return tuple(column.name for column in self.columns)

    @cached_property
    def numeric(self) -> tuple[int, ...]:
        """Positions of the columns of numbers."""
        return tuple(j for j, column in enumerate(self.columns) if column.kind == "numeric")

    @cached_property
    def coded(self) -> tuple[int, ...]:
        """Positions of the columns with levels."""
        return tuple(j for j, column in enumerate(self.columns) if column.kind != "numeric")

    @cached_property
    def places(self) -> Mapping[int, int]:
        """Where each column stands in the compact form: among the numbers, or among the codes."""
        return {j: place for kind in (self.numeric, self.coded) for place, j in enumerate(kind)}

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


def encoded(one: tuple[Cells, Column]) -> tuple[Array, Array, list[Unseen]]:
    """The cells of a column as numbers or codes, which of them are missing, and the levels that it should not hold."""
    cells, column = one
    if column.kind == "numeric":
        numbers = cells.numbers()
        return numbers, np.isnan(numbers), []
    codes = cells.encode(column.levels)
    return codes, codes == MISSING, list(cells.strangers(codes))


def has_third_level(column: Column) -> bool:
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
            yield f"column {column.name!r}: the levels {shown} differ only in spaces or case; merge them if they mean the same"
