"""Columns of places as learners want them: kilometres around the centre of the training rows, or points of the globe.

    local    c = distance from the centre, a = its direction;   east = R·c·sin a,  north = R·c·cos a              (1)
    globe    x, y, z = R·(cos φ cos λ, cos φ sin λ, sin φ)                                                         (2)

with latitude φ, longitude λ, and the Earth's mean radius R = 6371 km. (1) is the azimuthal equidistant map: distances from the
centre are right, those between other rows within 2000 km of it are at most 1.7 % too long, and nothing breaks at the
180th meridian. It is used where all rows of the table are within 2000 km of their centre; (2), whose distances are those
through the Earth, for all others. The centre is that of the rows of the fit.

Cost: one look at each cell.
Reference: Snyder, Map Projections: A Working Manual, 1987, equations 5-3, 25-1 and 25-4.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Self

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.cells import Column
from aprendiz.core.columns import Columns
from aprendiz.core.rows import Array
from aprendiz.lab.columns.place_cells import first_stranger, places_of
from aprendiz.locale import _, format_whole

RADIUS = 6371.0088  # km
LOCAL = 2000.0  # km from the centre, up to which a map is flat enough
PARTS = {"local": ("east (km)", "north (km)"), "globe": ("x (km)", "y (km)", "z (km)")}


# ---- on the globe -----------------------------------------------------------------------------------------------------------


def unit_vectors(latitudes: Array, longitudes: Array) -> Array:
    """(2) with R = 1, a row for each place."""
    phi, lam = np.radians(latitudes), np.radians(longitudes)
    return np.column_stack([np.cos(phi) * np.cos(lam), np.cos(phi) * np.sin(lam), np.sin(phi)])


def centre_of(latitudes: Array, longitudes: Array) -> tuple[float, float]:
    """The place in the direction of the mean of the vectors; where there is no such direction, or no place, 0° 0°."""
    points = unit_vectors(latitudes, longitudes)
    x, y, z = points[~np.isnan(points).any(axis=1)].sum(axis=0)
    return float(np.degrees(np.arctan2(z, np.hypot(x, y)))), float(np.degrees(np.arctan2(y, x)))


def east_and_north(latitudes: Array, longitudes: Array, centre: tuple[float, float]) -> tuple[Array, Array]:
    """(1)."""
    phi, lam = np.radians(latitudes), np.radians(longitudes - centre[1])
    phi_0 = np.radians(centre[0])
    east = np.cos(phi) * np.sin(lam)
    north = np.cos(phi_0) * np.sin(phi) - np.sin(phi_0) * np.cos(phi) * np.cos(lam)
    ahead = np.sin(phi_0) * np.sin(phi) + np.cos(phi_0) * np.cos(phi) * np.cos(lam)
    sine = np.hypot(east, north)
    with np.errstate(invalid="ignore", divide="ignore"):
        stretch = np.where(sine > 0, np.arctan2(sine, ahead) / sine, 1.0)
    return RADIUS * stretch * east, RADIUS * stretch * north


def extent(latitudes: Array, longitudes: Array) -> str:
    """Is a flat map enough: "local", or is it "globe"?"""
    east, north = east_and_north(latitudes, longitudes, centre_of(latitudes, longitudes))
    far = np.hypot(east, north)
    return "local" if not np.nanmax(far, initial=0.0) > LOCAL else "globe"


# ---- columns ----------------------------------------------------------------------------------------------------------------


def places_in_schema(columns: Columns) -> Iterator[tuple[Column, Column | None]]:
    """The places: a column with its own, or a latitude with its longitude if both are there."""
    for column in columns:
        if column.kind == "place":
            yield column, None
        elif column.kind == "latitude" and column.levels[0] in columns.by_name:
            yield column, columns[column.levels[0]]


def coordinates(X: Any, column: Column, other: Column | None) -> tuple[Array, Array]:
    """Latitudes and longitudes of the rows of a table."""
    if other is None:
        if strange := first_stranger(X[column.name]):
            raise ValueError(
                _("Row {row}: column {name} holds {cell}, which is no place; write it as 40.4168, -3.7038.").format(
                    row=format_whole(strange[0]), name=repr(column.name), cell=repr(strange[1][:60])
                )
            )
        return places_of(X[column.name])
    return tuple(np.asarray(X[name], dtype=np.float64) for name in (column.name, other.name))  # type: ignore[return-value]


def names_of(column: Column, other: Column | None) -> list[str]:
    """The names of the numbers of a place."""
    place = str(column.name) if other is None else f"{column.name}, {other.name}"
    return [f"{place}: {part}" for part in PARTS[column.levels[-1]]]


class PlaceColumns(TransformerMixin, BaseEstimator):
    """A table with its places as kilometres; other columns stay as they are.

    Parameters
    ----------
    columns : Columns
        The schema of all columns.

    Attributes
    ----------
    centres_ : dict of name to (float, float)
        The latitude and longitude around which the places of each column lie.
    """

    centres_: dict[Any, tuple[float, float]]

    def __init__(self, columns: Columns):
        self.columns = columns

    def fit(self, X: Any, y: Any = None) -> Self:
        """The centre of each column of places."""
        pairs = places_in_schema(self.columns)
        centres = {column.name: centre_of(*coordinates(X, column, other)) for column, other in pairs}
        self.__dict__.update(centres_=centres, n_features_in_=len(self.columns))
        return self

    def transform(self, X: Any) -> Any:
        """A pandas frame."""
        check_is_fitted(self)
        pairs = {column.name: (column, other) for column, other in places_in_schema(self.columns)}
        seconds = {other.name for _column, other in pairs.values() if other is not None}
        cells: dict[Any, Any] = {}
        for column in self.columns:
            if column.name in pairs:
                place = coordinates(X, *pairs[column.name])
                cells |= dict(zip(names_of(*pairs[column.name]), self.numbers(column, *place), strict=True))
            elif column.name not in seconds:
                cells[column.name] = X[column.name]
        return pd.DataFrame(cells, index=getattr(X, "index", None))

    def numbers(self, column: Column, latitudes: Array, longitudes: Array) -> tuple[Array, ...]:
        """(1) or (2) of some places."""
        if column.levels[-1] == "local":
            return east_and_north(latitudes, longitudes, self.centres_[column.name])
        return tuple((RADIUS * unit_vectors(latitudes, longitudes)).T)

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        return np.array(without_places(self.columns).names, dtype=object)


def without_places(columns: Columns) -> Columns:
    """The schema of the table in which places are kilometres; a coordinate without the other one is a number."""
    pairs = {column.name: (column, other) for column, other in places_in_schema(columns)}
    seconds = {other.name for _column, other in pairs.values() if other is not None}
    found = list[Column]()
    for column in columns:
        if column.name in pairs:
            found += [Column(name, "numeric") for name in names_of(*pairs[column.name])]
        elif column.kind in ("latitude", "longitude") and column.name not in seconds:
            found.append(Column(column.name, "numeric", (), column.missing))
        elif column.name not in seconds:
            found.append(column)
    return Columns(tuple(found))
