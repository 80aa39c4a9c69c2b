"""Rows counted in strata: for each combination of levels that some columns have, a table of two others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from aprendiz.core.frames import as_frame
from aprendiz.core.rows import Array, Rows
from aprendiz.graphical.structure.learned_edges import LearnedEdges
from aprendiz.graphical.structure.rows_with_holes import RowsWithHoles

MOST_CELLS = 2**26  # of a table of two columns


@dataclass(frozen=True, eq=False)
class Strata:
    """`table` is strata with rows × levels of the last two columns; `strata` has the codes of the other columns in each."""

    table: Array
    strata: Array
    sizes: tuple[int, ...]
    levels: tuple[tuple[Any, ...], ...]

    @classmethod
    def of(cls, reader: LearnedEdges, X: Any, sample_weight: Any, columns: Sequence[Any]) -> Self:
        """The rows that know all cells of some columns, by name, or by number where there are no names."""
        if twice := [name for name in columns if columns.count(name) > 1]:
            raise ValueError(f"Column {twice[0]!r} is named twice: a test needs different columns.")
        X, places = chosen(X, columns)
        rows = reader.open(X, None, sample_weight)
        found = rows.sum(RowsWithHoles.of, rows.names, type(reader).__name__)
        places = places_of(columns, found.names, found.columns) if places is None else places
        refuse_many_levels(found, places[-2:])
        table, strata = next(stratified(found.by_column[places], found.weights, found.levels[places]))
        sizes = tuple(int(size) for size in found.levels[places])
        words = [None if found.schema is None else found.schema.columns[j].levels for j in places]
        levels = tuple(tuple(range(n)) if own is None else own for n, own in zip(sizes, words, strict=True))
        return cls(table, strata, sizes, levels)


def refuse_many_levels(rows: RowsWithHoles, places: Sequence[int]) -> None:
    """Stop before a table of two columns that no memory holds."""
    if np.prod(rows.levels[places].astype(float)) > MOST_CELLS:
        j = int(places[int(rows.levels[places].argmax())])
        name = j if rows.names is None else repr(rows.names[j])
        raise ValueError(
            f"Column {name} has {rows.levels[j]} levels, too many for a test: join levels, or leave the column out."
        )


def chosen(X: Any, columns: Sequence[Any]) -> tuple[Any, list[int] | None]:
    """The named columns of a table alone, and their places in it; others may hold anything. Opened rows stay as they are."""
    if isinstance(X, Rows) or hasattr(X, "dask"):
        return X, None
    frame = as_frame(X)
    places = list(range(len(columns)))
    if frame is not None:
        there = places_of(columns, list(frame.columns), len(frame.columns))
        return frame.select([frame.columns[j] for j in there]).to_native(), places
    table = X if hasattr(X, "ndim") else np.array(X, dtype=object)
    if table.ndim != 2:
        return X, None
    return table[:, places_of(columns, None, table.shape[1])], places


def places_of(columns: Sequence[Any], names: Sequence[Any] | None, number: int) -> list[int]:
    """The places of columns by name, or by number."""
    known = list(range(number)) if names is None else list(names)
    if unknown := [name for name in columns if name not in known]:
        raise ValueError(f"There is no column {unknown[0]!r}; the columns are {', '.join(map(repr, known[:20]))}.")
    return [known.index(name) for name in columns]


def stratified(codes: Array, weights: Array, sizes: Array, together: int | None = None) -> Iterator[tuple[Array, Array]]:
    """Weights of the rows that know all cells: strata with rows × levels × levels, and the codes of each stratum; so many
    strata at a time, by default all. `codes` has a row for each column, the two that are crossed last."""
    known = (codes >= 0).all(axis=0) & (weights > 0)
    codes, weights = codes[:, known], weights[known]
    strata, member = numbered(codes[:-2])
    order = np.argsort(member, kind="stable")
    for first in range(0, max(len(strata), 1), together or max(len(strata), 1)):
        some = strata[first : first + (together or len(strata))]
        shape = (len(some), int(sizes[-2]), int(sizes[-1]))
        rows = order[slice(*np.searchsorted(member[order], [first, first + len(some)]))]
        cell = (member[rows] - first) * shape[1] * shape[2] + codes[-2, rows].astype(np.int64) * shape[2] + codes[-1, rows]
        yield np.bincount(cell, weights[rows], minlength=int(np.prod(shape))).reshape(shape).astype(np.float64), some


def numbered(codes: Array) -> tuple[Array, Array]:
    """The different columns of an array, in order, and the number of each column's one. Without rows there is one."""
    member = np.zeros(codes.shape[1], np.int64)
    for row in codes[::-1]:  # by one code after the other, so that no product of sizes overflows
        order = np.lexsort((member, row))
        new = np.ones(len(order), bool)
        new[1:] = (np.diff(member[order]) != 0) | (np.diff(row[order]) != 0)
        member[order] = np.cumsum(new) - 1
    first = np.zeros(int(member.max(initial=-1)) + 1, np.int64)
    first[member[::-1]] = np.arange(codes.shape[1])[::-1]
    return codes[:, first].T, member
