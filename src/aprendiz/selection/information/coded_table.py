"""A table of codes with its classes: the information between its columns and the class, and between pairs of columns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from aprendiz.core.rows import Array, Rows
from aprendiz.core.sources.arrays import in_memory
from aprendiz.core.threads import num_threads, ordered_map
from aprendiz.selection.information.column_codes import Bins, ColumnCodes
from aprendiz.selection.information.count_terms import SUMS, class_terms, large_tables, small_tables
from aprendiz.selection.information.level_masks import MOST_LEVELS, LevelMasks, masked_tables, masks_pay

EPS = float(np.finfo(float).eps)
MOST_LOOKED_UP = 2**20  # rows: a table of eight megabytes
STEPS_AT_ONCE = 2**19  # cells that are worth handing to another thread
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
        weight = weight.astype(np.int32) if len(terms) else weight
        return cls(columns, y.astype(np.int64), len(rows.labels), weight, terms)

    @property
    def rounding(self) -> float:
        """What rounding can move an information by: sums of at most n terms, which together are N log N."""
        total = float(self.weight.sum())
        return 8.0 * (len(self.weight) + 4) * EPS * max(1.0, abs(float(np.log(total))))

    @cached_property
    def alone(self) -> Array:
        """A_ay, A_a, A_y and N of each column, in rows."""
        codes, most = self.columns.codes, int(self.columns.levels.max(initial=1))
        found = np.empty((len(codes), 4))

        def count(part: slice) -> None:
            class_terms(codes[part], self.y, self.weight, most, self.classes, self.terms, found[part])

        self.side_by_side(count, len(codes))
        return np.ascontiguousarray(found.T)

    def with_class(self) -> Array:
        """I(x_j; y) of each column."""
        joint, alone, of_class, total = self.alone
        return information(joint - alone - of_class + self.of_total(total), total)

    def pairs(self, s: int, among: Array) -> Array:
        """The sums of some columns a with the column s: count_terms.py has their order. Without the class, A_asy is A_as."""
        _joint, of_s, _of_class, total = self.alone[:, s]
        of_total = float(self.of_total(np.array([total]))[0])
        return self.sums(s, among, np.zeros(len(self.y), np.int64), 1, [of_s, of_s, of_total, total])

    def triples(self, s: int, among: Array) -> Array:
        """The same with the class."""
        return self.sums(s, among, self.y, self.classes, list(self.alone[:, s]))

    def sums(self, s: int, among: Array, y: Array, classes: int, alone: list[float]) -> Array:
        """The sums with any classes; `alone` are A_sy, A_s, A_y and N of the rows that know s. Where no cell is missing, these
        and A_a are those of the single columns."""
        sizes, found = self.columns.levels[among], np.empty((SUMS, len(among)))
        runs_of_s = int(self.columns.levels[s]) * classes
        masked = self.are_masked(runs_of_s, sizes, int(self.columns.levels[s]))
        small = ~masked & self.are_small(runs_of_s, sizes)
        missing = ~self.columns.complete[among] | ~self.columns.complete[s]
        found[2], found[3:] = self.alone[1, among], np.array(alone)[:, None]
        for some in (small & ~missing, small & missing):
            if some.any():
                self.fill_small(s, among, np.flatnonzero(some), y, classes, found)
        if masked.any():
            self.fill_masked(s, among, np.flatnonzero(masked), y, classes, found)
        if not (small | masked).all():
            self.fill_large(s, among, np.flatnonzero(~(small | masked)), y, classes, found)
        return found

    def fill_small(self, s: int, among: Array, which: Array, y: Array, classes: int, found: Array) -> None:
        """The sums of tables that are filled as the rows come."""
        codes, levels = self.columns.codes, int(self.columns.levels[s])
        missing = not (self.columns.complete[among[which[0]]] and self.columns.complete[s])
        width = int(self.columns.levels[among[which]].max()) + missing
        run = np.where(codes[s] >= 0, y * levels + codes[s], classes * levels)
        start = (run * width + missing).astype(np.int32)
        weight = None if self.unweighted else self.weight
        kind = np.int32 if weight is None else weight.dtype

        def count(part: slice) -> None:
            table = np.zeros((levels * classes + 1) * width, kind)
            small_tables(codes, among, which[part], start, weight, levels, classes, width, missing, self.terms, table, found)

        self.side_by_side(count, len(which))

    def fill_masked(self, s: int, among: Array, which: Array, y: Array, classes: int, found: Array) -> None:
        """The sums of columns of few levels."""
        sizes, levels = self.columns.levels, int(self.columns.levels[s])
        of_runs = self.masks.of_runs(s, levels, y, classes, self.weight > 0)

        def count(part: slice) -> None:
            masked_tables(
                self.masks.masks, self.masks.place, sizes, among, which[part], of_runs, levels, classes, self.terms, found
            )

        self.side_by_side(count, len(which))

    def fill_large(self, s: int, among: Array, which: Array, y: Array, classes: int, found: Array) -> None:
        """The sums of tables with many more cells than there are rows."""
        codes, most = self.columns.codes, int(self.columns.levels[among[which]].max())
        sorted_rows = runs(codes[s], y, classes, self.weight)

        def count(part: slice) -> None:
            large_tables(codes, among, which[part], *sorted_rows, most, classes, self.terms, found)

        self.side_by_side(count, len(which))

    @cached_property
    def masks(self) -> LevelMasks:
        """The columns of few levels as masks."""
        return LevelMasks.of(self.columns.codes, self.columns.levels)

    @cached_property
    def once(self) -> bool:
        """Does every row count once or not at all?"""
        return bool(((self.weight == 1) | (self.weight == 0)).all())

    def are_masked(self, runs_of_s: int, sizes: Array, levels: int) -> Array:
        """For which columns the table is counted by masks."""
        few = self.once and levels <= MOST_LEVELS
        return few & (sizes <= MOST_LEVELS) & masks_pay(runs_of_s * sizes, len(self.weight))

    @cached_property
    def unweighted(self) -> bool:
        """Does every row count once?"""
        return bool((self.weight == 1).all())

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


def runs(level: Array, y: Array, classes: int, weight: Array) -> tuple[Array, Array, Array, Array, Array]:
    """Rows that know their level sorted by it and by class: their order, where levels and runs of a class end, the class of
    each run, and the weights."""
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
