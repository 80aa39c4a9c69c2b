"""The rows of a table as points: columns of like size, along their principal axes.

Numbers and ordered levels are standardised, the levels of a category become zeros and ones, missing cells the mean or the most
frequent level. Of these columns the principal axes that carry 90 % of the variance are kept, at most ten (structure.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline

from aprendiz.bayes.nearest_centroid import NearestCentroid
from aprendiz.core.cells import Column
from aprendiz.core.columns import Columns
from aprendiz.core.rows import Array
from aprendiz.decomposition import PCA
from aprendiz.lab.clustering.spread_columns import spread_columns
from aprendiz.lab.clustering.structure import FEWEST_ROWS, Cloud
from aprendiz.lab.preparation import prepared
from aprendiz.lab.question import refuse_infinite
from aprendiz.lab.reading import Table
from aprendiz.locale import _, format_whole, ngettext

MOST_LEVELS = 50


@dataclass(frozen=True)
class RowsAsPoints:
    """The points, and how they were made.

    Attributes
    ----------
    frame : data frame
        The columns that are used.
    columns : Columns
        Their schema.
    left_out : tuple of pairs
        Columns that are not used, each with the reason.
    X : ndarray of shape (n, d)
        The prepared columns.
    spread : ndarray
        The columns as the search for structure sees them (spread_columns.py).
    S : ndarray of shape (n, q)
        The points.
    steps : Pipeline
        From the frame to S, fitted.
    """

    frame: Any
    columns: Columns
    left_out: tuple[tuple[str, str], ...]
    X: Array
    spread: Array
    S: Array
    steps: Pipeline


def rows_as_points(table: Table, leave_out: Sequence[str]) -> RowsAsPoints:
    """The points of a table, or a sentence about what is missing."""
    kept, left_out = chosen_columns(table, leave_out)
    if table.rows < FEWEST_ROWS:
        rows = ngettext("{rows} row", "{rows} rows", table.rows).format(rows=format_whole(table.rows))
        raise ValueError(
            _("{rows}: too few to look for groups, which takes {least} rows at least.").format(rows=rows, least=FEWEST_ROWS)
        )
    if not kept:
        raise ValueError(_("No column is left to look for groups in: all are identifiers, constants, dates or text."))
    refuse_infinite(table, kept)
    columns = Columns(tuple(coordinate_as_number(table.columns[name]) for name in kept))
    frame = table.frame[kept].copy()
    preparation = prepared(NearestCentroid(), frame, columns=columns)[:-1]
    X = preparation.fit_transform(frame)
    X = np.ascontiguousarray(X.toarray() if hasattr(X, "toarray") else X, dtype=np.float64)
    cloud = Cloud.of(X)
    if cloud is None:
        raise ValueError(_("All rows are equal in the columns that are used: there is nothing to tell groups apart."))
    plane = PCA(cloud.axes.shape[0]).fit(X)
    S = np.ascontiguousarray(plane.transform(X))
    steps = Pipeline([("preparation", preparation[-1]), ("axes", plane)])
    return RowsAsPoints(frame, columns, left_out, X, spread_columns(frame, columns), S, steps)


def coordinate_as_number(column: Column) -> Column:
    """Groups are looked for in degrees as in other numbers."""
    return Column(column.name, "numeric", (), column.missing) if column.kind in ("latitude", "longitude") else column


def chosen_columns(table: Table, leave_out: Sequence[str]) -> tuple[list[str], tuple[tuple[str, str], ...]]:
    """The columns that say something of groups, and why the others do not."""
    left_out = {name: _("excluded on request") for name in leave_out}
    for role in table.roles:
        if role.role != "feature":
            left_out.setdefault(role.name, role.reason)
    for one in table.facts:
        if one.name not in table.columns.names or table.columns[one.name].kind == "text":
            left_out.setdefault(one.name, _("text"))
        elif one.kind == "text" and one.distinct > MOST_LEVELS:
            left_out.setdefault(one.name, _("{count} levels").format(count=format_whole(one.distinct)))
    kept = [one.name for one in table.facts if one.name not in left_out]
    order = {one.name: place for place, one in enumerate(table.facts)}
    return kept, tuple(sorted(left_out.items(), key=lambda pair: order[pair[0]]))
