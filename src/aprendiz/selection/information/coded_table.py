"""A table of codes with its classes: the information between its columns and the class, and between pairs of columns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from aprendiz.core.rows import Array, Rows
from aprendiz.core.sources.arrays import in_memory
from aprendiz.core.threads import num_threads, ordered_map
from aprendiz.selection.information.column_codes import Bins, ColumnCodes
from aprendiz.selection.information.count_terms import SUMS, class_terms, large_tables, small_tables

EPS = float(np.finfo(float).eps)
MOST_LOOKED_UP = 2**20  # rows: a table of eight megabytes
STEPS_AT_ONCE = 2**18  # cells that are worth handing to another thread
SMALL_TABLE, CELLS_PER_ROW = 2**10, 4  # tables with more cells than both are not filled as a whole


@dataclass(frozen=True)
class CodedTable:
    """Columns as codes, classes 0, 1, … and weights; `terms` has N log N of whole counts, or nothing."""

    columns: ColumnCodes
    y: Array
    classes: int
    weight: Array
    terms: Array

    @classmethod
    def of(cls, rows: Rows, bins: Bins, n_bins: int | None) -> CodedTable:
        assert rows.labels is not None
        y = rows.y if in_memory(rows) else rows.each(lambda block: block.y)
        assert y is not None
        given = rows.weight if in_memory(rows) else rows.each(lambda block: block.weights)
        weight = np.ones(len(y)) if given is None else np.asarray(given, dtype=np.float64)
        columns, terms = ColumnCodes.of(rows, bins, n_bins), logs_of_counts(weight)
        weight = weight.astype(np.int64) if len(terms) else weight
        return cls(columns, y.astype(np.int64), len(rows.labels), weight, terms)

    @property
    def most_levels(self) -> int:
        return int(self.columns.levels.max(initial=1))

    @property
    def rounding(self) -> float:
        """What rounding can move an information by: sums of at most n terms, which together are N log N."""
        total = float(self.weight.sum())
        return 8.0 * (len(self.weight) + 4) * EPS * max(1.0, abs(float(np.log(total))))

    def with_class(self) -> Array:
        """I(x_j; y) of each column."""
        codes, found = self.columns.codes, np.empty((len(self.columns.codes), 4))

        def count(part: slice) -> None:
            class_terms(codes[part], self.y, self.weight, self.most_levels, self.classes, self.terms, found[part])

        self.side_by_side(count, len(codes))
        joint, alone, of_class, total = found.T
        return information(joint - alone - of_class + self.of_total(total), total)

    def pairs(self, s: int, among: Array) -> Array:
        """The sums of some columns a with the column s: count_terms.py has their order. Without the class, A_asy is A_as."""
        return self.sums(s, among, np.zeros(len(self.y), np.int64), 1)

    def triples(self, s: int, among: Array) -> Array:
        """The same with the class."""
        return self.sums(s, among, self.y, self.classes)

    def sums(self, s: int, among: Array, y: Array, classes: int) -> Array:
        """The sums with any classes."""
        level, sizes, found = self.columns.codes[s], self.columns.levels, np.empty((len(among), SUMS))
        levels, small = int(sizes[s]), self.are_small(int(sizes[s]) * classes, sizes[among])
        parts = [np.flatnonzero(small), np.flatnonzero(~small)]
        if len(parts[0]):
            width = int(sizes[among[small]].max()) + 1
            start = np.where(level >= 0, level * np.int64(classes) + y, levels * classes) * width
            given = (sizes, start, self.weight, levels, classes, width, self.terms)
            count = partial(fill, small_tables, self.columns.codes, among, parts[0], given, found)
            self.side_by_side(count, len(parts[0]))
        if len(parts[1]):
            sorted_rows = (sizes, *runs(level, y, classes, self.weight), classes, self.terms)
            count = partial(fill, large_tables, self.columns.codes, among, parts[1], sorted_rows, found)
            self.side_by_side(count, len(parts[1]))
        return found

    def are_small(self, cells: int, sizes: Array) -> Array:
        """For which columns the table has few enough cells."""
        return np.asarray(cells * (sizes + 1) <= max(SMALL_TABLE, CELLS_PER_ROW * len(self.weight)))

    def of_total(self, total: Array) -> Array:
        """N log N."""
        return self.terms[total.astype(np.int64)] if len(self.terms) else n_log_n(total)

    def side_by_side(self, count: Callable[[slice], None], columns: int) -> None:
        """Count some columns after the other, on several threads where that pays."""
        share = -(-columns // (4 * num_threads()))
        at_once = max(1, share, STEPS_AT_ONCE // max(1, len(self.weight)))
        for _ in ordered_map(count, (slice(first, first + at_once) for first in range(0, columns, at_once))):
            pass


def fill(count: Callable[..., None], codes: Array, among: Array, which: Array, given: Any, found: Array, part: slice) -> None:
    """Some of the sums of some of the columns, put where they belong."""
    sums = np.empty((len(which[part]), SUMS))
    count(codes, among[which[part]], *given, sums)
    found[which[part]] = sums


def runs(level: Array, y: Array, classes: int, weight: Array) -> tuple[Array, Array, Array, Array, Array]:
    """Rows that know their level sorted by it and by class: their order, where levels and runs of a class end, the class of
    each
    run, and the weights."""
    known = np.flatnonzero(level >= 0)
    key = level[known] * np.int64(classes) + y[known]
    order = known[key.argsort(kind="stable")]
    run_ends = ends_of_runs(np.sort(key))
    last = order[run_ends - 1]
    return order, ends_of_runs(level[last]), run_ends, y[last], weight[order]


def logs_of_counts(weight: Array) -> Array:
    """N log N of 0, 1, … up to the sum of whole weights; nothing for others."""
    total = float(weight.sum())
    if total > MOST_LOOKED_UP or not (weight == np.floor(weight)).all():
        return np.empty(0)
    return n_log_n(np.arange(int(total) + 1, dtype=np.float64))


def n_log_n(N: Array) -> Array:
    return np.asarray(N * np.log(np.where(N > 0, N, 1.0)))


def ends_of_runs(values: Array) -> Array:
    """Where the runs of equal values end."""
    return np.append(np.flatnonzero(values[1:] != values[:-1]) + 1, len(values)) if len(values) else np.empty(0, np.int64)


def information(sums: Array, total: Array) -> Array:
    """Sums over rows, by row; what rounding leaves below 0 is 0."""
    return np.maximum(np.divide(sums, total, out=np.zeros_like(sums), where=total > 0), 0.0)
