"""Columns of text as learners want them.

    TextColumns      the weight (TF-IDF) of each word and each pair of words in a column: a sparse table
    TextDirections   the first directions of the singular value decomposition of these weights, for learners of few columns
    MixedWithText    words and numbers as they are (levels.py); beside them the directions, and the items of lists (lists.py)

A column whose cells have few words (names, codes, languages without spaces between words) is cut into two to four characters
in a row inside words instead. Terms that occur in one cell only are left out, unless there are no others. A missing cell is an
empty text. Columns are named after the column and the term: "comment: excellent".

Cost: a pass over the text for each fit, and another for new rows; the decomposition reads the weights some times.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.columns import Columns
from aprendiz.core.rows import Array
from aprendiz.decomposition import TruncatedSVD
from aprendiz.lab.columns.kinds import of_kinds, without_kinds
from aprendiz.lab.columns.lists import ListColumns
from aprendiz.lab.levels import LevelWords
from aprendiz.preprocessing import TfidfVectorizer

WORDS = 3.0  # in a cell on average, from which on words are the terms
MOST_TERMS, MOST_DIRECTIONS = 20_000, 30  # of a column


def cells_of_text(X: Any, name: Any) -> list[str]:
    """The cells of a column as strings; missing ones are empty."""
    cells = X[name]
    return [as_text(cell) for cell in (cells.astype(object).tolist() if hasattr(cells, "astype") else cells)]


def as_text(cell: Any) -> str:
    """A cell as a string, an empty one if it is missing."""
    if isinstance(cell, str):
        return cell
    return "" if cell is None or cell is pd.NA or cell != cell else str(cell)


def fitted_weights(texts: list[str], most: int) -> tuple[TfidfVectorizer | None, Any]:
    """The weights of the terms of some texts, and the table of them; None if there are no terms."""
    filled = [text for text in texts if text.strip()]
    by_words = sum(len(text.split()) for text in filled) >= WORDS * len(filled)
    terms: dict[str, Any] = {"ngram_range": (1, 2)} if by_words else {"analyzer": "char_wb", "ngram_range": (2, 4)}
    for least in (2, 1):
        found = TfidfVectorizer(min_df=least, max_features=most, sublinear_tf=True, **terms)
        try:
            return found, sparse.csr_array(found.fit_transform(texts))
        except ValueError:  # no terms, or none in two cells
            continue
    return None, sparse.csr_array((len(texts), 0))


class TextColumns(TransformerMixin, BaseEstimator):
    """Columns of text as weights of their terms: a sparse table.

    Parameters
    ----------
    columns : Columns
        The schema of the columns.
    most : int, default=20000
        Terms of a column, the most frequent ones.

    Attributes
    ----------
    weights_ : list of TfidfVectorizer or None
        For each column; None where the rows of the fit have no terms.
    """

    weights_: list[TfidfVectorizer | None]

    def __init__(self, columns: Columns, *, most: int = MOST_TERMS):
        self.columns = columns
        self.most = most

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the terms and their weights."""
        self.fit_transform(X)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Learn the terms and their weights, and give the table."""
        found = [fitted_weights(cells_of_text(X, column.name), self.most) for column in self.columns]
        self.__dict__.update(weights_=[weights for weights, _table in found], n_features_in_=len(self.columns))
        return beside([table for _weights, table in found])

    def transform(self, X: Any) -> Any:
        """The table of other rows."""
        check_is_fitted(self)
        return beside([table_of(weights, cells_of_text(X, one.name)) for one, weights in self.pairs()])

    def pairs(self) -> Any:
        return zip(self.columns, self.weights_, strict=True)

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        check_is_fitted(self)
        found = [f"{one.name}: {term}" for one, weights in self.pairs() if weights is not None for term in weights.terms_.words]
        return np.array(found, dtype=object)


def table_of(weights: TfidfVectorizer | None, texts: list[str]) -> Any:
    """The weights of the terms of other texts."""
    return sparse.csr_array((len(texts), 0)) if weights is None else sparse.csr_array(weights.transform(texts))


def beside(tables: list[Any]) -> Any:
    """Sparse tables side by side."""
    return tables[0] if len(tables) == 1 else sparse.hstack(tables, format="csr")


class TextDirections(TransformerMixin, BaseEstimator):
    """Columns of text as the directions in which their weights vary most.

    Parameters
    ----------
    columns : Columns
        The schema of the columns.
    most : int, default=30
        Directions of a column.

    Attributes
    ----------
    parts_ : list of (TextColumns, TruncatedSVD or None)
        For each column; None where there are so few terms that their weights are taken as they are.
    """

    parts_: list[tuple[TextColumns, Any]]

    def __init__(self, columns: Columns, *, most: int = MOST_DIRECTIONS):
        self.columns = columns
        self.most = most

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn terms, weights and directions."""
        self.fit_transform(X)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Array:
        """Learn terms, weights and directions, and give the coordinates."""
        parts, tables = [], []
        for column in self.columns:
            terms = TextColumns(Columns((column,)))
            table = terms.fit_transform(X)
            k = min(self.most, table.shape[0] - 1, table.shape[1] - 1)
            svd = TruncatedSVD(k, random_state=0).fit(table) if k >= 1 and k == self.most else None
            parts.append((terms, svd))
            tables.append(dense(table, svd))
        self.__dict__.update(parts_=parts, n_features_in_=len(self.columns))
        return np.hstack(tables)

    def transform(self, X: Any) -> Array:
        """The coordinates of other rows."""
        check_is_fitted(self)
        return np.hstack([dense(terms.transform(X), svd) for terms, svd in self.parts_])

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        check_is_fitted(self)
        names = list[str]()
        for terms, svd in self.parts_:
            name = next(iter(terms.columns)).name
            names += terms.get_feature_names_out().tolist() if svd is None else [f"{name}: {k + 1}" for k in range(self.most)]
        return np.array(names, dtype=object)


def dense(table: Any, svd: Any) -> Array:
    coordinates: Array = table.toarray() if svd is None else np.asarray(svd.transform(table))
    return coordinates


class MixedWithText(TransformerMixin, BaseEstimator):
    """A mixed table as it is (`LevelWords`); beside it the directions of its columns of text and the items of its lists.

    Parameters
    ----------
    columns : Columns
        The schema of all columns.
    """

    parts_: list[LevelWords | TextDirections | ListColumns]

    def __init__(self, columns: Columns):
        self.columns = columns

    def fit(self, X: Any, y: Any = None) -> Self:
        """Which levels and items occur; terms, weights and directions."""
        parts: list[Any] = []
        if others := without_kinds(self.columns, "text", "list"):
            parts.append(LevelWords(others).fit(X))
        if text := of_kinds(self.columns, "text"):
            parts.append(TextDirections(text).fit(X))
        if lists := of_kinds(self.columns, "list"):
            parts.append(ListColumns(lists).fit(X))
        self.__dict__.update(parts_=parts, n_features_in_=len(self.columns))
        return self

    def transform(self, X: Any) -> Any:
        """A pandas frame."""
        check_is_fitted(self)
        tables = [(part, part.transform(X)) for part in self.parts_]
        return pd.concat([pd.DataFrame(table, columns=part.get_feature_names_out()) for part, table in tables], axis=1)

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        check_is_fitted(self)
        return np.concatenate([part.get_feature_names_out() for part in self.parts_])
