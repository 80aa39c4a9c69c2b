"""Rows counted in strata: for each combination of levels that some columns have, a table of two others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from aprendiz.core.frames import as_frame
from aprendiz.core.rows import Array, Rows
from aprendiz.graphical.structure.learned_edges import LearnedEdges
from aprendiz.graphical.structure.rows_with_holes import RowsWithHoles


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
        table, strata = stratified(found.by_column[places], found.weights, found.levels[places])
        sizes = tuple(int(size) for size in found.levels[places])
        words = [None if found.schema is None else found.schema.columns[j].levels for j in places]
        levels = tuple(tuple(range(n)) if own is None else own for n, own in zip(sizes, words, strict=True))
        return cls(table, strata, sizes, levels)


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


def stratified(codes: Array, weights: Array, sizes: Array) -> tuple[Array, Array]:
    """Weights of the rows that know all cells: strata with rows × levels × levels, and the codes of each stratum. `codes` has
    a row for each column, the two that are crossed last."""
    known = (codes >= 0).all(axis=0) & (weights > 0)
    codes, weights = codes[:, known], weights[known]
    strata, member = numbered(codes[:-2])
    shape = (len(strata), int(sizes[-2]), int(sizes[-1]))
    cell = np.ravel_multi_index((member, codes[-2], codes[-1]), shape) if codes.size else np.zeros(0, np.int64)
    return np.bincount(cell, weights, minlength=int(np.prod(shape))).reshape(shape).astype(np.float64), strata


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
