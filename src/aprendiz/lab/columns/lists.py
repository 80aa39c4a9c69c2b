"""Columns of lists as learners want them: a column of zeros and ones for each item, and the number of items.

    colours: red               1 in the rows whose list has the item, 0 in others, an empty list among them
    colours: number of items   where it varies

Items of fewer than `least` training rows, or that come after the `most` frequent ones, have no column; they count in the
number, as those do that the fit did not see. A missing cell is missing in all columns: it is not an empty list.

The coding is that of scikit-learn's MultiLabelBinarizer, learned inside a pipeline.

Cost: each distinct cell is taken apart once, then one look at each item of each row.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.cells import Column
from aprendiz.core.columns import Columns
from aprendiz.core.rows import Array
from aprendiz.lab.columns.list_cells import distinct_cells, items_of

LEAST, MOST = 3, 100  # rows of an item, items of a column


class ListColumns(TransformerMixin, BaseEstimator):
    """Columns of lists as zeros and ones for their items, and numbers of items.

    Parameters
    ----------
    columns : Columns
        The schema of the columns.
    least : int, default=3
        Rows of the fit that an item must occur in.
    most : int, default=100
        Items of a column, the most frequent ones.
    parts : tuple of "items" and "size", default=("items", "size")
        What is asked for. The size is left out where it is the same in all rows of the fit and there are items.

    Attributes
    ----------
    items_ : list of tuple of str
        For each column, the items that have a column of their own.
    sized_ : list of bool
        For each column, whether the number of items has a column.
    """

    items_: list[tuple[str, ...]]
    sized_: list[bool]

    def __init__(self, columns: Columns, *, least: int = LEAST, most: int = MOST, parts: Sequence[str] = ("items", "size")):
        self.columns = columns
        self.least = least
        self.most = most
        self.parts = parts

    def fit(self, X: Any, y: Any = None) -> Self:
        """Which items are frequent enough, and whether the sizes vary."""
        found = [self.of_column(X, column) for column in self.columns]
        self.__dict__.update(
            items_=[items for items, _sized in found], sized_=[sized for _items, sized in found], n_features_in_=len(found)
        )
        return self

    def of_column(self, X: Any, column: Column) -> tuple[tuple[str, ...], bool]:
        """The items of a column that get one of their own, in their order of frequency, and whether its size gets one."""
        table, sizes, names = items_by_row(X[column.name], column)
        rows = np.asarray(table.sum(axis=0)).ravel()
        order = sorted(np.flatnonzero(rows >= self.least).tolist(), key=lambda k: (-rows[k], names[k]))[: self.most]
        items = tuple(names[k] for k in order) if "items" in self.parts else ()
        known = sizes[~np.isnan(sizes)]
        varies = len(known) > 0 and bool(known.min() < known.max())
        return items, "size" in self.parts and (varies or not items)

    def transform(self, X: Any) -> Array:
        """Zeros, ones and numbers of items."""
        check_is_fitted(self)
        found = [np.empty((len(X), 0))]
        for column, items, sized in zip(self.columns, self.items_, self.sized_, strict=True):
            table, sizes, names = items_by_row(X[column.name], column)
            places = {name: k for k, name in enumerate(names)}
            there = [places.get(item, len(names)) for item in items]
            wide = sparse.hstack([table, sparse.csc_array((len(X), 1))], format="csc")  # the last: items that do not occur
            ones = wide[:, there].toarray() if there else np.empty((len(X), 0))
            ones[np.isnan(sizes)] = np.nan
            found += [ones, *([sizes[:, None]] if sized else [])]
        return np.hstack(found)

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        check_is_fitted(self)
        names = list[str]()
        for column, items, sized in zip(self.columns, self.items_, self.sized_, strict=True):
            names += [f"{column.name}: {item}" for item in items]
            names += [f"{column.name}: number of items"] * sized
        return np.array(names, dtype=object)


def items_by_row(cells: Any, column: Column) -> tuple[Any, Array, list[str]]:
    """A column of lists as a sparse table of rows and items, with the number of items of each row, NaN where the cell is
    missing, and the items."""
    different, codes = distinct_cells(cells)
    numbers: dict[str, int] = {}
    lists = [[numbers.setdefault(item, len(numbers)) for item in items_of(cell, column.levels[0])] for cell in different]
    sizes = np.array([*map(len, lists), 0])
    flat = np.array([item for one in lists for item in one], dtype=np.int64)
    ends = np.concatenate([[0], np.cumsum(sizes)])
    table = sparse.csr_array((np.ones(len(flat)), flat, ends), shape=(len(sizes), len(numbers)))
    return sparse.csc_array(table[codes]), np.where(codes < 0, np.nan, sizes[codes]), list(numbers)


def strange_items(cells: Any, column: Column) -> tuple[int, str]:
    """How many rows have an item that the schema does not know, and the first such item."""
    table, _sizes, names = items_by_row(cells, column)
    known = set(column.levels[1:])
    new = [k for k, name in enumerate(names) if name not in known]
    return (int((table[:, new].sum(axis=1) > 0).sum()), names[new[0]]) if new else (0, "")
