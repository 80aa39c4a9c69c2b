"""Places on the Earth in cells: 40.4168, -3.7038   40°26′N 3°41′W   POINT(-3.7038 40.4168), and pairs of columns of degrees.

    two numbers          latitude first, with a comma, a semicolon or a space between them, decimals with a point
    degrees              with minutes and seconds or without; N S E W before or behind (O and W are west), in either order
    WKT                  POINT(longitude latitude)
    pair of columns      one called latitude, one longitude, alike in the rest of their names (pickup_lat, pickup_lon), both of
                         numbers in the ranges of the Earth: −90° to 90°, and −180° to 180° or 0° to 360°

A column of text holds places if all of its cells do, and two numbers have decimals; columns of numbers need the name and the
range. A latitude beyond 90° or a longitude beyond 180° is told with its row, and the columns stay as they are.

Cost: each distinct cell is read once, and only the first ones where these are no places.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.lab.columns.list_cells import distinct_cells
from aprendiz.locale import _, format_whole, number

FIRST = 100  # distinct cells that are looked at first
DECIMALS = 0.5  # share of the cells whose numbers have two decimals or more
FIGURE = r"[+-]?\d{1,3}(?:[.]\d+)?"
PAIR = re.compile(rf"\s*[(\[]?\s*({FIGURE})\s*(?:[,;]\s*|\s+)({FIGURE})\s*[)\]]?\s*")
POINT = re.compile(rf"\s*(?:SRID=4326;)?\s*POINT\s*\(\s*({FIGURE})\s+({FIGURE})\s*\)\s*", re.IGNORECASE)
ANGLE = (
    r"(?P<{n}before>[NSEWO])?\s*(?P<{n}degrees>\d{{1,3}}(?:[.]\d+)?)\s*[°º]\s*(?:(?P<{n}minutes>\d{{1,2}}(?:[.]\d+)?)\s*['′’]\s*)?"
    r"(?:(?P<{n}seconds>\d{{1,2}}(?:[.]\d+)?)\s*(?:\"|″|”|''|′′)\s*)?(?P<{n}behind>[NSEWO])?"
)
ANGLES = re.compile(rf"\s*{ANGLE.format(n='a')}\s*[,;]?\s*{ANGLE.format(n='b')}\s*", re.IGNORECASE)
SIGNS = {"N": 1.0, "S": -1.0, "E": 1.0, "W": -1.0, "O": -1.0}  # O: oeste, ouest, ovest
LATITUDES = "latitude latitud latitudine breitengrad breite breedtegraad lat"
LONGITUDES = "longitude longitud longitudine längengrad laengengrad länge laenge lengtegraad lon lng long"
LIMITS = {"latitude": 90.0, "longitude": 180.0}


@dataclass(frozen=True)
class PlacesFound:
    """A column of text whose cells are places, or two columns of numbers that are: an example, and the place it is."""

    names: tuple[str, ...]
    example: str
    place: tuple[float, float]
    words: tuple[str, ...] = ()

    def sentence(self) -> str:
        """What was done."""
        latitude, longitude = (number(value, 6) for value in self.place)
        if len(self.names) == 2:
            words = _(
                "columns {name} and {other} are coordinates on the Earth, used as a place; types[{name}]='number' keeps numbers"
            )
            return words.format(name=repr(self.names[0]), other=repr(self.names[1]))
        words = _(
            "column {name} holds places: {example} is read as latitude {latitude}, longitude {longitude}; "
            "types[{name}]='text' keeps the text"
        )
        return words.format(name=repr(self.names[0]), example=repr(self.example), latitude=latitude, longitude=longitude)


@dataclass(frozen=True)
class OffTheEarth:
    """A column that is called a coordinate, and the first of its cells that cannot be one."""

    name: str
    kind: str
    row: int
    value: float
    words: tuple[str, ...] = ()

    def sentence(self) -> str:
        """What to do about it."""
        words = _(
            "column {name} holds {value} in row {row}, beyond ±{limit} degrees, so it is not used as a coordinate: "
            "correct the cell, or set missing=…"
        )
        value, row = number(self.value), format_whole(self.row)
        return words.format(name=repr(self.name), value=value, row=row, limit=number(LIMITS[self.kind]))


# ---- one column of text -----------------------------------------------------------------------------------------------------


def place_of(cell: Any) -> tuple[float, float] | None:
    """Latitude and longitude of a cell; None if it holds no place."""
    if not isinstance(cell, str):
        return on_earth(*map(float, cell)) if np.ndim(cell) == 1 and len(cell) == 2 else None
    if found := PAIR.fullmatch(cell):
        return on_earth(float(found[1]), float(found[2]))
    if found := POINT.fullmatch(cell):
        return on_earth(float(found[2]), float(found[1]))
    found = ANGLES.fullmatch(cell)
    return None if found is None else place_of_angles(found)


def on_earth(latitude: float, longitude: float) -> tuple[float, float] | None:
    return (latitude, longitude) if abs(latitude) <= 90 and abs(longitude) <= 180 else None


def place_of_angles(found: re.Match[str]) -> tuple[float, float] | None:
    """The place of two angles in degrees, minutes and seconds; each names its side."""
    sides = {}
    for part in "ab":
        before, behind = found[f"{part}before"], found[f"{part}behind"]
        if bool(before) == bool(behind):
            return None
        degrees, minutes, seconds = (float(found[f"{part}{unit}"] or 0) for unit in ("degrees", "minutes", "seconds"))
        side = (before or behind).upper()
        if minutes >= 60 or seconds >= 60:
            return None
        sides[side in "NS"] = SIGNS[side] * (degrees + minutes / 60 + seconds / 3600)
    return on_earth(sides[True], sides[False]) if len(sides) == 2 else None


def places_of(column: Any) -> tuple[Array, Array]:
    """Latitudes and longitudes of a column of cells, NaN where they are missing or no places."""
    cells, codes = distinct_cells(column)
    found = [place_of(cell) or (np.nan, np.nan) for cell in cells]
    table = np.array([*found, (np.nan, np.nan)])[codes]
    return table[:, 0], table[:, 1]


def places_in(name: str, column: Any) -> PlacesFound | None:
    """The places of a column of text; None if it holds others."""
    cells, _codes = distinct_cells(column)
    if len(cells) < 2 or any(place_of(cell) is None for cell in islice(cells, FIRST)):
        return None
    found = [place_of(cell) for cell in cells]
    if any(place is None for place in found):
        return None
    plain = [match for match in map(PAIR.fullmatch, cells) if match]
    fine = sum(all(len(figure.partition(".")[2]) >= 2 for figure in match.groups()) for match in plain)
    return PlacesFound((name,), cells[0], found[0] or (0.0, 0.0)) if fine >= DECIMALS * len(plain) else None


def first_stranger(column: Any) -> tuple[int, str] | None:
    """The row, counted from 1, and the cell of the first one that is no place."""
    cells, codes = distinct_cells(column)
    strange = np.array([place_of(cell) is None for cell in cells] + [False])[codes]
    return (int(strange.argmax()) + 1, str(cells[codes[strange.argmax()]])) if strange.any() else None


# ---- two columns of numbers -------------------------------------------------------------------------------------------------


def pairs_by_name(names: Sequence[str], given: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Columns that are called latitude and longitude and are alike in the rest of their names; or that are given as such."""
    latitudes = {name: rest_of(name, LATITUDES) for name in names if given.get(name, "latitude") == "latitude"}
    longitudes = {name: rest_of(name, LONGITUDES) for name in names if given.get(name, "longitude") == "longitude"}
    free = dict(longitudes)
    for name, rest in latitudes.items():
        same = [other for other, its in free.items() if its is not None and its == rest]
        if rest is not None and len(same) == 1:
            del free[same[0]]
            yield name, same[0]
        elif name in given:
            left = [other for other in free if given.get(other) == "longitude"]
            if left:
                del free[left[0]]
                yield name, left[0]


def rest_of(name: str, words: str) -> str | None:
    """What a name has beside one of some words; None if it has none of them."""
    parts = [part for part in re.split(r"[^a-zäöüß0-9]+", re.sub(r"([a-z])([A-Z])", r"\1_\2", name).lower()) if part]
    found = next((part for part in parts if part in words.split()), None)
    if found is None:
        return None
    parts.remove(found)
    return " ".join(parts)


def off_the_earth(name: str, kind: str, values: Array) -> OffTheEarth | None:
    """The first cell of a column that is no coordinate of its kind."""
    to_the_east = kind == "longitude" and np.nanmin(values, initial=np.inf) >= 0
    beyond = np.flatnonzero(np.abs(values) > (360.0 if to_the_east else LIMITS[kind]))
    return OffTheEarth(name, kind, int(beyond[0]) + 1, float(values[beyond[0]])) if len(beyond) else None


def pair_of(names: tuple[str, str], latitudes: Array, longitudes: Array) -> PlacesFound | OffTheEarth | None:
    """What to say of two columns that are called coordinates; None if they hold only whole numbers, or one value."""
    for name, kind, values in zip(names, LIMITS, (latitudes, longitudes), strict=True):
        if strange := off_the_earth(name, kind, values):
            return strange
    known = ~(np.isnan(latitudes) | np.isnan(longitudes))
    varies = known.any() and np.ptp(latitudes[known]) > 0 and np.ptp(longitudes[known]) > 0
    whole = bool(np.all(latitudes[known] == np.round(latitudes[known])))
    if not varies or whole:
        return None
    first = int(known.argmax())
    return PlacesFound(names, "", (float(latitudes[first]), float(longitudes[first])))
