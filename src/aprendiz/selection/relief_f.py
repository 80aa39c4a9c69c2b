"""ReliefF: columns that differ between near rows of different classes, and not between near rows of one class.

    W_j = mean over rows of: δ_j to the nearest rows of other classes  −  δ_j to the nearest of the own class              (1)

with k nearest of each class, other classes by their frequency. Near is near in all columns, so a column counts in the
neighbourhood of what the others say: of two columns in an exclusive or, each alone says nothing of the class, and both have a
high W. Among many irrelevant columns all rows are about as near, and that is lost.

Cost: O(n²·d); memory O(n·d).
Reference: Robnik-Šikonja & Kononenko, "Theoretical and empirical analysis of ReliefF and RReliefF", Machine Learning 53, 2003.
"""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from sklearn.callback import with_callbacks

from aprendiz.core.blas import single_blas
from aprendiz.core.callbacks import reporting
from aprendiz.core.certificate import Certificate
from aprendiz.core.columns import Mixed
from aprendiz.core.inputs import Target
from aprendiz.core.parameters import Count, PositiveFraction
from aprendiz.core.rows import Array, Rows
from aprendiz.core.sources.arrays import in_memory
from aprendiz.neighbors.search.gower import ordinals, parts, ranges
from aprendiz.selection.information.column_codes import whole_table
from aprendiz.selection.information.neighbor_differences import class_differences
from aprendiz.selection.shared.how_many import how_many
from aprendiz.selection.shared.selector import Selector, refuse_nothing


class ReliefF(Selector):
    """Choose columns by how they differ between near rows (numbers, words, missing cells).

    Parameters
    ----------
    keep : int or fraction, optional
        How many columns to keep, or which part of them; by default 10, or half of them if that is less.
    n_neighbors : int, default=10
        k: the nearest rows of each class.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        W of each column, between −1 and 1; of an irrelevant one about 0.
    ranking_ : ndarray of shape (n_features,)
        1 for the best column; of equal ones the first in the table is better.
    order_ : ndarray
        The chosen columns, best first.
    support_ : ndarray of shape (n_features,)
        Which columns are kept.
    classes_ : ndarray
    certificate_ : Certificate
        That no other column has a larger W than those kept, and by how much the best of the others is behind.

    Examples
    --------
    >>> from aprendiz.datasets import load
    >>> X, y = load("iris", return_X_y=True)
    >>> ReliefF(2).fit(X, y).scores_.round(2)
    array([0.14, 0.12, 0.36, 0.38])
    """

    target: ClassVar[Target] = "classes"
    least_classes: ClassVar[int] = 2
    several_targets: ClassVar[bool] = False
    allows = frozenset({"missing", "categories"})
    exceptions = {
        "memory": "all pairs of rows are compared: the table is kept in memory",
        "row order": "of rows at the same distance, the first is nearer",
        "shift": "the chosen columns are handed out as they are",
        "column order": "the chosen columns stand in the order of the table",
    }
    tuning = {"keep": (5, 10, 20)}

    def __init__(self, keep: Count | PositiveFraction | None = None, *, n_neighbors: Count = 10):
        self.keep = keep
        self.n_neighbors = n_neighbors

    @with_callbacks
    def fit(self, X: Any, y: Any = None) -> Self:
        """Compare the rows of X with their neighbours. Returns the selector itself."""
        rows = self.open(X, y)
        with reporting(self, X, y, None), single_blas(rows.work):
            return self.settle({**rows.noted, **self.learned(rows)})

    def learned(self, rows: Rows) -> dict[str, Any]:
        """(1), and the columns of largest W."""
        table, y = whole_table(rows)[0], rows.y if in_memory(rows) else rows.each(lambda block: block.y)
        assert y is not None
        measured, codes = parts(table)
        measured = in_range(measured, measured.shape[1] if not isinstance(table, Mixed) else table.numbers.shape[1])
        span, places = ranges(table, measured), places_of(table)
        lowest = np.fmin.reduce(measured, axis=0)
        cells = np.divide(measured - lowest, span, out=np.where(np.isnan(measured), np.nan, 0.0), where=span > 0)
        scores = np.empty(rows.columns)
        scores[places] = class_differences(cells, codes, y.astype(np.int64), self.n_neighbors)
        varies = np.empty(rows.columns, bool)
        varies[places] = [*(span > 0), *(several_codes(codes[:, j]) for j in range(codes.shape[1]))]
        refuse_nothing(varies, "every column is constant or missing in all rows. Check how the table was read.")
        ranked = np.argsort(-np.where(varies, scores, -np.inf), kind="stable")
        kept = how_many(type(self).__name__, self.keep, rows.columns, int(varies.sum()))
        support, ranking = np.zeros(rows.columns, bool), np.empty(rows.columns, np.int64)
        support[ranked[:kept]], ranking[ranked] = True, 1 + np.arange(rows.columns)
        behind = float(scores[ranked[kept - 1]] - scores[ranked[kept]]) if kept < int(varies.sum()) else float("inf")
        return {
            "support_": support,
            "order_": ranked[:kept],
            "scores_": np.where(varies, scores, 0.0),
            "ranking_": ranking,
            "classes_": rows.labels,
            "certificate_": Certificate("no other column has a larger weight", behind >= 0, {"behind": behind}),
        }

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.string = tags.input_tags.categorical = True
        return tags


def in_range(measured: Array, numbers: int) -> Array:
    """The columns of numbers divided by a power of two each, so that their range is a number too. The others are ranks."""
    sizes = np.fmax.reduce(np.abs(measured), axis=0, initial=0.0)
    power = np.where(np.arange(len(sizes)) < numbers, np.frexp(sizes)[1], 0)
    return np.asarray(np.ldexp(measured, -power))


def places_of(table: Any) -> list[int]:
    """The columns in the order of `parts`: numbers, ordinal ones, others."""
    if not isinstance(table, Mixed):
        return list(range(table.shape[1]))
    ordered = ordinals(table)
    coded = np.array(table.columns.coded, dtype=np.int64)
    return [*table.columns.numeric, *coded[ordered].tolist(), *coded[~ordered].tolist()]


def several_codes(codes: Array) -> bool:
    """Are two levels known?"""
    known = codes[codes >= 0]
    return bool(len(known)) and bool((known != known[0]).any())
