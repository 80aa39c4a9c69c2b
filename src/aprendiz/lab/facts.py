"""What is known of a column once it is read: gaps, distinct values, range, levels. Roles, notes and the card rest on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from aprendiz.core.cells import Column, Kind
from aprendiz.core.columns import Columns
from aprendiz.core.rows import Array
from aprendiz.lab.columns.dates import date_parts
from aprendiz.lab.series import kind_of_series

PROSE = 4.0  # words in a cell, from which on text is prose
MOST_PHRASES = 50  # of several words, which are levels still if they come again
BYTES_OF_A_SIGN = 2.5  # on average, from which on a script has no letters between which spaces stand


@dataclass(frozen=True)
class Facts:
    """A column.

    Attributes
    ----------
    name, kind : str
        Its name, and its type as in cells.py.
    rows, missing, distinct : int
        All cells, the missing ones, and the different values of the others.
    low, high : number, bool or timestamp
        The smallest and the largest value; None for text.
    whole, counts : bool
        Whether all numbers are whole, and whether they number the rows (0, 1, 2, … or 1, 2, 3, …).
    levels, ordered : tuple of str or None, bool
        The levels of a categorical column, and whether their order means something. None for plain text.
    words : float
        The mean number of words in a cell of text.
    letters : float
        The mean number of characters in a cell of a script that writes no spaces; 0 for other text.
    parts : tuple of str
        Of dates: which parts vary (columns/dates.py).
    infinite, first_infinite : int
        Cells that hold infinity, and the row of the first of them, counted from 0.
    label : str
        What the file says that the column means.
    separator, items : str, tuple of str
        Of lists: what stands between the items, and the items, the most frequent ones first.
    place : tuple of str
        Of a column of places: "local" or "globe" (columns/places.py); of a coordinate: which one it is, the name of the other
        one, and the same.
    """

    name: str
    kind: str
    rows: int
    missing: int
    distinct: int
    low: Any = None
    high: Any = None
    whole: bool = False
    counts: bool = False
    levels: tuple[str, ...] | None = None
    ordered: bool = False
    words: float = 0.0
    letters: float = 0.0
    infinite: int = 0
    first_infinite: int = -1
    parts: tuple[str, ...] = ()
    label: str = ""
    separator: str = ""
    items: tuple[str, ...] = ()
    place: tuple[str, ...] = ()

    @property
    def type(self) -> str:
        """What a later file is told of the column (`Dialect.types`)."""
        return self.place[0] if self.kind == "number" and self.place else self.kind

    @property
    def known(self) -> int:
        return self.rows - self.missing


def facts(name: str, column: Any) -> Facts:
    """The facts of a column of a frame."""
    kind = kind_of_series(column)
    if kind == "number":
        return of_numbers(name, column.to_numpy())
    if kind == "text":
        return of_text(name, column)
    known = column.dropna()
    low, high = (known.min(), known.max()) if len(known) else (None, None)
    if kind == "boolean" and len(known):
        low, high = bool(low), bool(high)
    parts = date_parts(known) if kind == "date" else ()
    return Facts(name, kind, len(column), len(column) - len(known), known.nunique(), low, high, parts=parts)


def of_numbers(name: str, values: Array) -> Facts:
    known = values[~np.isnan(values)]
    if not len(known):
        return Facts(name, "number", len(values), len(values), 0)
    low, high, distinct = float(known.min()), float(known.max()), len(pd.unique(known))
    whole = bool(np.all(known == np.floor(known)))
    counts = whole and low in (0, 1) and len(known) > 2 and bool(np.all(np.diff(values) == 1))
    infinite = np.flatnonzero(np.isinf(values)) if np.isinf(low) or np.isinf(high) else np.zeros(0, np.int64)
    first = int(infinite[0]) if len(infinite) else -1
    about = (name, "number", len(values), len(values) - len(known), distinct, low, high, whole, counts)
    return Facts(*about, infinite=len(infinite), first_infinite=first)


def of_text(name: str, column: Any) -> Facts:
    missing = int(column.isna().sum())
    if isinstance(column.dtype, pd.CategoricalDtype):
        levels, counts = tuple(column.cat.categories), np.bincount(column.cat.codes + 1, minlength=1)[1:]
        distinct, known = int(np.count_nonzero(counts)), max(1, int(counts.sum()))
        words = sum(int(n) * (1 + level.count(" ")) for level, n in zip(levels, counts, strict=False)) / known
        if words >= PROSE and len(levels) > MOST_PHRASES and not column.cat.ordered:
            return Facts(name, "text", len(column), missing, distinct, words=words)
        return Facts(name, "text", len(column), missing, distinct, levels=levels, ordered=column.cat.ordered, words=words)
    cells = pa.array(column, from_pandas=True)
    words = 1 + (pc.mean(pc.count_substring(cells, " ")).as_py() or 0.0)
    return Facts(name, "text", len(column), missing, pc.count_distinct(cells).as_py(), words=words, letters=letters_of(cells))


def letters_of(cells: Any) -> float:
    """The mean number of characters, if most take three bytes: Chinese, Japanese, Thai, which write no spaces."""
    letters, size = pc.mean(pc.utf8_length(cells)).as_py(), pc.mean(pc.binary_length(cells)).as_py()
    return letters if letters and size >= BYTES_OF_A_SIGN * letters else 0.0


def schema(known: Sequence[Facts]) -> Columns:
    """The schema of a table (core/columns.py)."""
    return Columns(tuple(map(column_of, known)))


def column_of(one: Facts) -> Column:
    """What `Columns.of` says of a column, from facts that are known already."""
    if one.kind == "place":
        return Column(one.name, "place", one.place, one.missing)
    if one.place:
        return Column(one.name, "latitude" if one.place[0] == "latitude" else "longitude", one.place[1:], one.missing)
    if one.kind == "number" and not (one.distinct == 2 and (one.low, one.high) == (0, 1)):
        return Column(one.name, "numeric", (), one.missing)
    if one.kind == "date":
        return Column(one.name, "date", one.parts, one.missing)
    if one.kind == "list":
        return Column(one.name, "list", (one.separator, *one.items), one.missing)
    if one.kind == "text" and one.levels is None:
        return Column(one.name, "text", (), one.missing)
    levels: tuple[Any, ...] = one.levels or ()
    if one.kind == "number":
        levels = (0, 1)
    elif one.kind == "boolean":
        levels = tuple(sorted({one.low, one.high} - {None}))
    kind: Kind = "ordinal" if one.ordered and len(levels) > 2 else "binary" if len(levels) == 2 else "categorical"
    return Column(one.name, kind, levels, one.missing)
