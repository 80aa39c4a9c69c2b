"""Columns of words as learners want them, by the levels that the schema knows.

    LevelNumbers   the number of the level, NaN for a missing cell
    LevelColumns   a column of zeros and ones for each level, as scikit-learn's OneHotEncoder makes them
    LevelWords     the words themselves, as pandas categories, beside the columns of numbers

The levels stand in the schema (core/columns.py), so cells are looked up and nothing is sorted; pandas keeps categories as
codes, which are taken as they are.

LevelColumns learns how often each level occurs among the rows of the fit. A missing cell takes the most frequent one. Levels
that do not occur get no column; where there are more than `most`, the rarest share one. A level that the fit did not see goes
into that shared column, and is zero everywhere if there is none. For LevelWords such a cell is missing.

Cost: one look at each cell.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.cells import Column
from aprendiz.core.columns import Columns
from aprendiz.core.rows import Array

MISSING, UNKNOWN, NOWHERE = -1, -2, -1


def level_codes(X: Any, column: Column) -> Array:
    """The number of the level in each cell of a column; MISSING or UNKNOWN where there is none."""
    series = X[column.name] if isinstance(X, pd.DataFrame) else pd.Series(list(X[column.name]), dtype=object)
    levels = pd.Index(list(column.levels), dtype=object)
    if isinstance(series.dtype, pd.CategoricalDtype):
        known, codes = series.cat.categories, series.cat.codes.to_numpy()
        if known.equals(levels):
            return codes
        numbers = levels.get_indexer(known.astype(object))
        return np.append(np.where(numbers < 0, UNKNOWN, numbers), MISSING)[codes]
    numbers = levels.get_indexer(pd.Index(series.astype(object)))
    return np.where((numbers < 0) & series.notna().to_numpy(), UNKNOWN, numbers)


def rows_of_levels(X: Any, column: Column) -> Array:
    """How many rows have each level of a column."""
    codes = level_codes(X, column)
    return np.bincount(codes[codes >= 0], minlength=len(column.levels))


def codes_of_table(X: Any, columns: Columns) -> Array:
    """The numbers of the levels, column by column."""
    return np.column_stack([level_codes(X, column) for column in columns])


class LevelNumbers(TransformerMixin, BaseEstimator):
    """Columns of words as the numbers of their levels.

    Parameters
    ----------
    columns : Columns
        The schema of the columns, with their levels.
    seen : bool, default=False
        Whether levels that do not occur in the fit count as missing afterwards.
    """

    def __init__(self, columns: Columns, *, seen: bool = False):
        self.columns = columns
        self.seen = seen

    def fit(self, X: Any, y: Any = None) -> Self:
        """Which levels occur; their numbers are known."""
        return self.fit_counts([rows_of_levels(X, column) for column in self.columns])

    def fit_counts(self, counts: list[Array]) -> Self:
        """The same from the rows of each level."""
        self.occurs_, self.n_features_in_ = [one > 0 for one in counts], len(self.columns)
        return self

    def transform(self, X: Any) -> Array:
        """A column of numbers for each column of words."""
        check_is_fitted(self)
        return self.of_codes(codes_of_table(X, self.columns))

    def of_codes(self, codes: Array) -> Array:
        """The same from the numbers of the levels, below 0 where there is none."""
        known = codes >= 0
        if self.seen:
            for j, occurs in enumerate(self.occurs_):
                known[:, j] &= np.append(occurs, [False, False])[codes[:, j].astype(np.int64)]
        return np.where(known, codes, np.nan)

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        return np.array(self.columns.names, dtype=object)


class LevelColumns(TransformerMixin, BaseEstimator):
    """Columns of words as zeros and ones, one column for each level.

    Parameters
    ----------
    columns : Columns
        The schema of the columns, with their levels.
    most : int, default=50
        Columns that a column of words may become.

    Attributes
    ----------
    places_ : list of ndarray
        For each column, where its levels go: the number of a column of zeros and ones, or −1.
    others_ : list of int
        For each column, where levels go that have no column of their own: a shared one, or −1.
    usual_ : list of int
        The most frequent level of each column, which missing cells take; −1 if no cell was known.
    names_ : list of str
        Of the columns of zeros and ones.
    """

    places_: list[Array]
    others_: list[int]
    usual_: list[int]
    names_: list[str]

    def __init__(self, columns: Columns, *, most: int = 50):
        self.columns = columns
        self.most = most

    def fit(self, X: Any, y: Any = None) -> Self:
        """Count the levels and give them their places."""
        return self.fit_counts([rows_of_levels(X, column) for column in self.columns])

    def fit_counts(self, counts: list[Array]) -> Self:
        """The same from the rows of each level."""
        names = list[str]()
        places = [self.place(column, rows, names) for column, rows in zip(self.columns, counts, strict=True)]
        found = {name: [one[k] for one in places] for k, name in enumerate(("places_", "others_", "usual_"))}
        self.__dict__.update(found, names_=names, n_features_in_=len(self.columns))  # in one step
        return self

    def place(self, column: Column, counts: Array, names: list[str]) -> tuple[Array, int, int]:
        """Places, shared place and usual level of one column of words; its columns are added to the names."""
        start, seen = len(names), np.flatnonzero(counts)
        own = seen if len(seen) <= self.most else np.sort(seen[np.argsort(-counts[seen], kind="stable")[: self.most - 1]])
        shared = start + len(own) if len(own) < len(seen) else NOWHERE
        places = np.full(len(counts), shared)
        places[own] = np.arange(start, start + len(own))
        names += [f"{column.name}_{column.levels[level]}" for level in own]
        names += [f"{column.name}_…"] * (shared != NOWHERE)
        return places, shared, int(counts.argmax()) if len(seen) else MISSING

    def transform(self, X: Any) -> Array:
        """Zeros and ones."""
        check_is_fitted(self)
        return self.of_codes(codes_of_table(X, self.columns))

    def of_codes(self, codes_of_columns: Array) -> Array:
        """The same from the numbers of the levels, below 0 where there is none."""
        table = np.zeros((len(codes_of_columns), len(self.names_)))
        columns = codes_of_columns.T.astype(np.int64)
        for codes, places, others, usual in zip(columns, self.places_, self.others_, self.usual_, strict=True):
            codes = np.where(codes == MISSING, usual, codes)
            where = np.append(places, [others, NOWHERE])[codes]  # −2 is UNKNOWN, −1 a cell that nothing could fill
            rows = np.flatnonzero(where >= 0)
            table[rows, where[rows]] = 1.0
        return table

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        check_is_fitted(self)
        return np.array(self.names_, dtype=object)


class LevelWords(TransformerMixin, BaseEstimator):
    """A mixed table as it is: a frame of numbers, and of words as categories, ordered where the schema says so.

    Zeros and ones stay numbers. The categories are the levels that occur in the fit; other cells are missing.

    Parameters
    ----------
    columns : Columns
        The schema of the columns, with their levels.

    Attributes
    ----------
    occurs_ : list of ndarray
        For each column, the numbers of the levels that occur; empty for numbers.
    """

    occurs_: list[Array]

    def __init__(self, columns: Columns):
        self.columns = columns

    def fit(self, X: Any, y: Any = None) -> Self:
        """Which levels occur."""
        nothing = np.zeros(0, int)  # shared by all columns of numbers
        self.occurs_ = [nothing if column.kind == "numeric" else self.occurring(X, column) for column in self.columns]
        self.n_features_in_ = len(self.columns)
        return self

    def occurring(self, X: Any, column: Column) -> Array:
        codes = np.unique(level_codes(X, column))
        return codes[codes >= 0]

    def transform(self, X: Any) -> Any:
        """A pandas frame."""
        check_is_fitted(self)
        names = pd.Index(self.columns.names, dtype=object)
        numbers = [column.name for column in self.columns if column.kind == "numeric"]
        table = pd.DataFrame(numbers_of(X, numbers), columns=pd.Index(numbers, dtype=object))
        if len(numbers) == len(names):
            return table
        pairs = zip(self.columns, self.occurs_, strict=True)
        words = {column.name: self.cells(X, column, occurs) for column, occurs in pairs if column.kind != "numeric"}
        return pd.concat([table, pd.DataFrame(words)], axis=1)[names]

    def cells(self, X: Any, column: Column, occurs: Array) -> Any:
        """The cells of a column of levels: zeros and ones, or categories."""
        codes = level_codes(X, column)
        if is_zero_or_one(column):
            return np.where(codes < 0, np.nan, codes)
        kept = np.full(len(column.levels) + 2, MISSING)  # the last two are UNKNOWN and MISSING
        kept[occurs] = np.arange(len(occurs))
        levels = [column.levels[number] for number in occurs]
        return pd.Categorical.from_codes(kept[codes], levels, ordered=column.kind == "ordinal")

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        return np.array(self.columns.names, dtype=object)


def numbers_of(X: Any, names: list[Any]) -> Array:
    """Columns of numbers, side by side."""
    if isinstance(X, pd.DataFrame):
        return X[names].to_numpy(dtype=float)
    return np.array([np.asarray(X[name], dtype=float) for name in names]).reshape(len(names), -1).T


def is_zero_or_one(column: Column) -> bool:
    """Are the levels the numbers 0 and 1, and not False and True, which Python takes for equal?"""
    return column.levels == (0, 1) and not isinstance(column.levels[0], bool)
