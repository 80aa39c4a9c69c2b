"""The cells of one column, from any library, and what they hold.

A column is one of

    numeric       measurements
    binary        two levels: yes and no, True and False, 0 and 1
    categorical   words without an order
    ordinal       levels in an order

Its cells are all numbers, all words, or all True and False; any may be missing. Numbers other than zeros and ones are numeric,
two levels are binary, and more are categorical, unless the library declares an order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from itertools import compress, repeat
from typing import Any, Literal, get_args

import numpy as np

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.containers import without_mask
from aprendiz.core.frames import MANY_CELLS, as_floats, as_frame, is_missing, words_by_code
from aprendiz.core.rows import Array
from aprendiz.core.threads import ordered_map
from aprendiz.core.whole_numbers import first_inexact, fits_double, refuse_inexact_cell

Kind = Literal["numeric", "binary", "categorical", "ordinal"]
Raw = Literal[
    "text", "date", "list", "place", "latitude", "longitude"
]  # in schemas of the laboratory, which makes columns of the other kinds of them
MISSING = -1  # the code of a missing cell


@dataclass(frozen=True)
class Column:
    """A column: its name, what it holds, its levels in the order of their codes, and how many of its cells were missing."""

    name: Any
    kind: Kind | Raw
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
        return f"column {self.name!r}: {times} {self.level!r} (first in row {self.row}), a level not seen in the fit"


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
        missing = self.count_missing()
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
            raise ValueError(f"Column {self.name!r}: a level appears twice in {list(levels)}.")
        if kind == "binary" and len(levels) > 2:
            raise ValueError(f"Column {self.name!r} is to be binary but has {len(levels)} levels: {list(levels)[:8]}.")
        given = levels is not self.declared and levels is not present
        inferred: Kind = "ordinal" if (given or self.ordered) and len(levels) > 2 else kind_by_number(levels)
        return Column(self.name, kind or inferred, tuple(levels), missing)

    def with_levels(self, declared: tuple[Any, ...], *, ordered: bool) -> Cells:
        """The same cells with the levels that their library declares."""
        return replace(self, declared=declared, ordered=ordered)

    def count_missing(self) -> int:
        """How many cells are missing."""
        return int(np.isnan(self.values).sum()) if self.are_numbers else self.values.tolist().count(None)

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

    def encode(self, levels: tuple[Any, ...]) -> Array:
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


class ManyWords(Cells):
    """The cells of a long column of words: the place of each in `words`, −1 where it is missing. Few words are looked at then;
    the cells themselves are made when they are asked for."""

    places: Array
    words: tuple[str, ...]
    gaps: int  # cells that are missing
    occurs: tuple[bool, ...]  # of each word: a category may be declared and not occur

    def __init__(self, name: Any, places: Array, words: Sequence[str]):
        places, occurs = places.astype(np.int32, copy=False), np.zeros(len(words) + 1, bool)
        gaps = mark(places, occurs)
        self.__dict__.update(name=name, places=places, words=tuple(words), declared=None, ordered=False)
        self.__dict__.update(gaps=gaps, occurs=tuple(occurs[1:].tolist()))

    @cached_property
    def values(self) -> Array:
        return objects([*self.words, None])[self.places]

    def __len__(self) -> int:
        return len(self.places)

    @property
    def are_numbers(self) -> bool:
        return False

    def count_missing(self) -> int:
        return self.gaps

    def with_levels(self, declared: tuple[Any, ...], *, ordered: bool) -> Cells:
        made = copy(self)
        made.__dict__.update(declared=declared, ordered=ordered)
        return made

    def distinct(self) -> tuple[Any, ...]:
        return tuple(sorted(compress(self.words, self.occurs)))

    def encode(self, levels: tuple[Any, ...]) -> Array:
        code = {level: number for number, level in enumerate(levels)}
        return np.array([*(code.get(word, MISSING) for word in self.words), MISSING], dtype=np.int32)[self.places]

    def strangers(self, codes: Array) -> Iterator[Unseen]:
        return super().strangers(codes) if np.count_nonzero(codes == MISSING) > self.gaps else iter(())


@compiled
def mark(places: Array, occurs: Array) -> int:
    """Mark each place that occurs, the first for −1, and count that one."""
    missing = int64(0)
    for place in places:
        occurs[place + 1] = True
        missing += place == -1
    return missing


def tidy(value: Any) -> Any:
    """A number of a column as one writes it: whole where it is whole."""
    value = float(value)
    return int(value) if value.is_integer() else value


def two_numbers(values: tuple[Any, ...]) -> bool:
    """Zeros and ones, and both of them."""
    return values == (0, 1)


def kind_by_number(levels: Sequence[Any]) -> Kind:
    return "binary" if len(levels) == 2 else "categorical"


@dataclass(frozen=True)
class ReadTable:
    """The columns of a table that are read already, for several who look at them."""

    cells: tuple[Cells, ...]

    @classmethod
    def of(cls, table: Any) -> ReadTable:
        """A table, read."""
        return cls(tuple(cells_of(table)))


def cells_of(table: Any) -> Iterator[Cells]:
    """The columns of a data frame, a dict or an array."""
    if isinstance(table, ReadTable):
        yield from table.cells
    elif isinstance(table, Mapping):
        lengths = {name: len(values) for name, values in table.items()}
        if len(set(lengths.values())) > 1:
            raise ValueError(f"The columns have different lengths: {lengths}.")
        yield from (cells_of_values(name, values) for name, values in table.items())
    elif (frame := as_frame(table)) is not None:
        several = ordered_map if len(frame) >= MANY_CELLS else map
        yield from several(cells_of_series, frame.iter_columns())
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
        coded = words_by_code(series)
        found = cells_of_values(series.name, series.to_list()) if coded is None else ManyWords(series.name, *coded)
        if found.are_numbers:
            declared = tuple(tidy(level) for level in declared)
        arrow = getattr(series.to_native(), "type", None)  # narwhals does not tell the order of a dictionary
        ordered = series.dtype == nw.Enum or getattr(arrow, "ordered", False)
        return found.with_levels(declared if ordered else tuple(sorted(declared)), ordered=ordered)
    if series.dtype == nw.String and (coded := words_by_code(series)) is not None:
        return ManyWords(series.name, *coded)
    return cells_of_values(series.name, series.to_list())


def cells_of_values(name: Any, values: Any) -> Cells:
    """Python or NumPy values: all numbers, all True and False, or all words."""
    if isinstance(values, list) and set(map(type, values)) <= {str, type(None)}:  # the usual case, looked at once
        words = np.empty(len(values), dtype=object)
        words[:] = values
        return Cells(name, words)
    values = without_mask(values)
    array = values if isinstance(values, np.ndarray) else objects(values)
    if (place := first_inexact(array)) is not None:
        refuse_inexact_cell(array[place], place, repr(name))
    if array.dtype.kind in "iuf":
        return Cells(name, array.astype(np.float64))
    if array.dtype.kind in "mM":
        raise ValueError(f"Column {name!r} holds dates or durations: give numbers, such as days since a reference date.")
    known = objects([plain_cell(value) for value in array])
    kinds = {type(value) for value in known} - {type(None)}
    if kinds <= {int, float} and kinds:
        if (row := next((i for i, value in enumerate(known) if not fits_double(value)), None)) is not None:
            refuse_inexact_cell(known[row], row, repr(name))
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
