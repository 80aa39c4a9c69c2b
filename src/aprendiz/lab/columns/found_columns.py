"""Which columns of a table hold lists or places: those that are given as such, and those that their cells speak for.

A column of text is asked for lists (list_cells.py) and for places, columns of numbers for pairs of coordinates
(place_cells.py), unless their type is given. Their cells stay as they are in the frame; what was found goes into types and
facts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from aprendiz.lab.columns.list_cells import ListsFound, distinct_cells, lists_in, of_separator, usual_separator
from aprendiz.lab.columns.place_cells import (
    LIMITS,
    OffTheEarth,
    PlacesFound,
    first_stranger,
    off_the_earth,
    pair_of,
    pairs_by_name,
    places_in,
    places_of,
)
from aprendiz.lab.columns.places import extent
from aprendiz.lab.dialect import Dialect
from aprendiz.lab.facts import Facts
from aprendiz.lab.opening import ReadingError
from aprendiz.lab.series import kind_of_series
from aprendiz.locale import _, format_whole, number


@dataclass
class FoundColumns:
    """What was found.

    Attributes
    ----------
    lists : dict of name to ListsFound
    places : dict of name to str
        Columns of text that hold places, with their extent (places.py).
    pairs : dict of name to (str, str, str)
        Coordinates: their kind, the name of the other one, and their extent.
    remarks : list
        What the notes tell.
    """

    lists: dict[str, ListsFound] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)
    pairs: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    remarks: list[ListsFound | PlacesFound | OffTheEarth] = field(default_factory=list)

    def facts(self, one: Facts) -> Facts:
        """The facts of a column with what was found."""
        if one.name in self.lists:
            found = self.lists[one.name]
            return replace(one, kind="list", levels=None, separator=found.separator, items=found.items)
        if one.name in self.places:
            return replace(one, kind="place", levels=None, place=(self.places[one.name],))
        return replace(one, place=self.pairs[one.name]) if one.name in self.pairs else one


def found_columns(frame: Any, dialect: Dialect, file: str) -> FoundColumns:
    """The lists and places of a table."""
    found, given, columns = FoundColumns(), dict(dialect.types), {str(name): frame[name] for name in frame}
    kinds = {name: kind_of_series(column) for name, column in columns.items()}
    for name, column in columns.items():
        if kinds[name] == "text" and given.get(name) in (None, "list", "place"):
            of_text(found, name, column, given.get(name), dialect, file)
    of_numbers(found, columns, {name: given.get(name, "") for name, kind in kinds.items() if kind == "number"}, file)
    return found


def of_text(found: FoundColumns, name: str, column: Any, kind: str | None, dialect: Dialect, file: str) -> None:
    """What a column of text holds."""
    if kind == "list":
        cells, codes = distinct_cells(column)
        separator = dict(dialect.lists).get(name) or usual_separator(column)
        counts = np.bincount(codes[codes >= 0], minlength=len(cells))
        found.lists[name] = of_separator(name, cells, counts, separator)
        return
    if kind == "place":
        if strange := first_stranger(column):
            raise ReadingError(
                _("{file}, row {row}: column {name} holds {cell}, which is no place; write it as 40.4168, -3.7038.").format(
                    file=file, row=format_whole(strange[0]), name=repr(name), cell=repr(strange[1][:60])
                )
            )
        found.places[name] = extent(*places_of(column))
        return
    if places := places_in(name, column):
        found.places[name] = extent(*places_of(column))
        found.remarks.append(places)
    elif lists := lists_in(name, column):
        found.lists[name] = lists
        found.remarks.append(lists)


def of_numbers(found: FoundColumns, columns: Mapping[str, Any], given: Mapping[str, str], file: str) -> None:
    """The pairs of coordinates among columns of numbers."""
    known = {name: kind for name, kind in given.items() if kind}
    refuse_off_the_earth(columns, known, file)
    for names in list(pairs_by_name(list(given), known)):
        values = [np.asarray(columns[name], dtype=np.float64) for name in names]
        told = pair_of(names, *values)
        as_given = all(known.get(name) == kind for name, kind in zip(names, LIMITS, strict=True))
        if told is not None and not as_given:
            found.remarks.append(told)
        if as_given or isinstance(told, PlacesFound):
            size = extent(*values)
            for name, other, kind in zip(names, names[::-1], LIMITS, strict=True):
                found.pairs[name] = (kind, other, size)


def refuse_off_the_earth(columns: Mapping[str, Any], known: Mapping[str, str], file: str) -> None:
    """Cells of columns that are given as coordinates and cannot be."""
    for name, kind, values in coordinates_given(columns, known):
        if strange := off_the_earth(name, kind, values):
            raise ReadingError(
                _("{file}, row {row}: column {name} holds {value}, beyond ±{limit} degrees. Correct the cell.").format(
                    file=file,
                    row=format_whole(strange.row),
                    name=repr(name),
                    value=number(strange.value),
                    limit=number(LIMITS[kind]),
                )
            )


def coordinates_given(columns: Mapping[str, Any], known: Mapping[str, str]) -> Iterator[tuple[str, str, Any]]:
    for name, kind in known.items():
        if kind in LIMITS:
            yield name, kind, np.asarray(columns[name], dtype=np.float64)
