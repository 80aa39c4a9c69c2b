"""Categorical naive Bayes: each column holds one of a few categories, with a probability of its own in each class.

    log P(k, x) = log π_k + Σ_j log θ_jk[x_j],     θ_jk[l] = (N_jkl + α) / (N_jk + α·L_j)                     (1)

N_jkl rows of class k (or their weight) have category l of the L_j categories of column j. α = 0 is maximum likelihood, where
a single zero count decides; α = 1 is Laplace's rule, the posterior mean under a uniform prior. (1) needs nothing but counts,
which add.

Columns are codes 0, 1, 2, … as in scikit-learn, or words: a data frame is read through its schema (core/columns.py) and its
levels are kept in `columns_`. A missing cell, or a category that the fit did not see, is left out of the product.

Cost: one pass, O(n·d); prediction O(n·d·K); memory O(K·Σ L_j).
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from aprendiz.bayes.counted_columns import CountedColumns, log_shares, warn_of_zeros
from aprendiz.bayes.generated_rows import GeneratedRows, drawn_codes
from aprendiz.bayes.naive_bayes import spaced, united
from aprendiz.core.certificate import Certificate
from aprendiz.core.columns import Columns, Mixed
from aprendiz.core.compiled import compiled
from aprendiz.core.parameters import ArrayLike, Count, NonNegative
from aprendiz.core.rows import Array, ArrayRows, Block, Rows
from aprendiz.core.sums import Extremes, Sums

MOST = 2**20  # categories of a column; a larger code is no code but an identifier


class CategoricalNB(CountedColumns, GeneratedRows):
    """Categorical naive Bayes (drop-in for scikit-learn's; words, missing cells, exact `partial_fit`, files).

    Parameters
    ----------
    alpha : float, default=1.0
        α of (1).
    force_alpha : bool, default=True
        Whether an α below 1e-10 is used as it is.
    fit_prior : bool, default=True
        Whether π is learned; otherwise all classes have the same.
    class_prior : array of shape (n_classes,), optional
        π.
    min_categories : int or array of shape (n_features,), optional
        The least number of categories of a column, where some do not occur.

    Attributes
    ----------
    classes_, class_count_, class_log_prior_ : ndarray of shape (n_classes,)
    n_categories_ : ndarray of shape (n_features,)
        L_j.
    category_count_, feature_log_prob_ : list of ndarray of shape (n_classes, L_j)
        N_jkl and log θ_jk[l].
    columns_ : Columns or None
        The schema, where the columns hold words.
    sums_ : ClassCounts
        The statistics, to which `partial_fit` adds.
    certificate_ : Certificate
        How many of the probabilities in (1) are zero.
    """

    allows = frozenset({"missing", "categories"})
    tuning = {"alpha": (0.1, 0.5, 1.0, 3.0)}
    exceptions = {
        "shift": "codes are names, not measurements",
        "scaling": "codes are names, not measurements",
        "check_sample_weight_equivalence_on_dense_data": "fractions are no categories: refused, not cut",
        "check_classifiers_one_label_sample_weights": "fractions are no categories: refused, not cut",
    }

    def __init__(
        self,
        *,
        alpha: NonNegative = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: ArrayLike | None = None,
        min_categories: Count | ArrayLike | None = None,
    ):
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior
        self.min_categories = min_categories

    def schema(self, X: Any) -> Columns:
        """Every column is categorical, whole numbers too."""
        found = Columns.of(X)
        numbers = [column.name for column in found if column.kind == "numeric"]
        columns = Columns.of(X, kinds=dict.fromkeys(numbers, "categorical"))
        for name in numbers:
            if measured := [level for level in columns[name].levels if not isinstance(level, int)]:
                raise ValueError(f"Column {name!r} holds measurements such as {measured[0]}: bin them (KBinsDiscretizer).")
        return columns

    def summarise(self, rows: Rows) -> ClassCounts:
        assert rows.labels is not None
        least = self.least_sizes(rows)
        return rows.sum(ClassCounts.of, rows.labels, least, rows.names)

    def least_sizes(self, rows: Rows) -> Array:
        """The least number of categories of each column: as told, and all levels of a schema."""
        least = np.ones(rows.columns, np.int64)
        if isinstance(rows, ArrayRows) and isinstance(rows.X, Mixed):
            least = np.array([max(1, len(column.levels)) for column in rows.X.columns])
        if self.min_categories is None:
            return least
        wanted = np.asarray(self.min_categories)
        if not np.issubdtype(wanted.dtype, np.integer):
            raise ValueError(f"'min_categories' should have integral type. Got {wanted.dtype} instead.")
        if wanted.ndim and wanted.shape != least.shape:
            raise ValueError(f"'min_categories' should have shape ({rows.columns},). Got {wanted.shape} instead.")
        return np.maximum(least, wanted)

    def conclude(self, record: ClassCounts) -> dict[str, Any]:
        alpha = self.smoothing(record.columns)
        tables = [log_shares(N, alpha, record.total) for N in record.counts]
        zeros = int(sum(np.isneginf(table).sum() for table in tables))
        known = {"zeros": zeros, "cells": int(sum(table.size for table in tables))}
        self.explain_zeros(record, tables, zeros)
        return {
            "columns_": record.schema,
            "classes_": record.labels,
            "class_count_": record.total,
            "class_log_prior_": self.log_priors(record.labels, record.total),
            "n_categories_": np.array([N.shape[1] for N in record.counts]),
            "category_count_": list(record.counts),
            "feature_log_prob_": tables,
            "certificate_": Certificate("no category has probability zero in a class", zeros == 0, known),
        }

    def checked(self, rows: Rows) -> Rows:
        """Say which columns hold categories that the fit did not see. (Of words, the door has said so.)"""
        if isinstance(rows, ArrayRows) and isinstance(rows.X, Mixed):
            return rows
        highest = rows.sum(Extremes.of).high
        for column in np.flatnonzero(highest >= self.n_categories_):
            name = repr(rows.names[int(column)]) if rows.names is not None else column
            warnings.warn(
                f"Column {name} holds category {highest[column]:g}; the fit saw 0 to {self.n_categories_[column] - 1}. "
                "Such cells are left out.",
                UserWarning,
                stacklevel=4,
            )
        return rows

    def explain_zeros(self, record: ClassCounts, tables: list[Array], zeros: int) -> None:
        """A category that never occurs in a class that has rows, and what follows."""
        for j, table in enumerate(tables):
            for k, level in np.argwhere(np.isneginf(table) & (record.total[:, None] > 0))[:1]:
                column = None if record.schema is None else record.schema.columns[j]
                name, word = (j, int(level)) if column is None else (column.name, column.levels[level])
                warn_of_zeros(f"Column {name!r}: {word!r}", record.labels[k], zeros, self.advice)
                return

    def drawn(self, owner: Array, random: np.random.Generator) -> Array:
        return drawn_codes([np.exp(table) for table in self.feature_log_prob_], owner, random)

    def judge(self) -> Callable[[Block], Array]:
        names, ends, table = getattr(self, "feature_names_in_", None), np.cumsum(self.n_categories_), self.feature_log_prob_
        starts, logs = ends - self.n_categories_, np.hstack(table).T.copy()

        def log_joint(block: Block) -> Array:
            joint = np.tile(self.class_log_prior_, (len(block), 1))
            add_logarithms(codes_of(block, names), logs, starts, ends, joint)
            return joint

        return log_joint

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.positive_only = True
        tags.input_tags.string = True
        return tags


def codes_of(block: Block, names: Sequence[str] | None) -> Array:
    """The categories of a block, as numbers: −1 or NaN where a cell is missing."""
    if isinstance(block.X, Mixed):
        return block.X.codes
    refuse_no_codes(block.X, block.start, names)
    return block.X


def refuse_no_codes(codes: Array, start: int, names: Sequence[str] | None) -> None:
    """Numbers that count no categories."""
    row, column = first_no_code(codes, MOST)
    if row < 0:
        return
    value = codes[row, column]
    where = f"row {start + row}, column {column if names is None else repr(names[column])}"
    if value < 0:
        raise ValueError(f"Negative values in data passed to CategoricalNB (input X): {value:g} in {where}. Count from 0.")
    if value != np.floor(value):
        raise ValueError(f"Input X holds {value:g} in {where}: categories are whole numbers from 0. Bin the column.")
    raise ValueError(f"Input X holds {value:g} in {where}: no column has so many categories. Encode it (OrdinalEncoder).")


@dataclass(frozen=True)
class ClassCounts(Sums):
    """Labels, weight of each class, and for each column a table of classes × categories."""

    labels: Array
    total: Array
    counts: tuple[Array, ...]
    declared: bool = False  # whether the labels were announced, so that no others may come
    schema: Columns | None = None  # whose levels the categories are, where the columns hold words

    @classmethod
    def of(cls, labels: Array, least: Array, names: Sequence[str] | None, block: Block) -> Self:
        codes = codes_of(block, names)
        sizes = np.maximum(least, highest_codes(codes, block.weights) + 1)
        ends = np.cumsum(sizes)
        table = np.zeros((len(labels), ends[-1]))
        count_codes(codes, block.y, block.weights, ends - sizes, table)
        total = np.bincount(block.y, block.weight, len(labels)).astype(np.float64)
        schema = block.X.columns if isinstance(block.X, Mixed) else None
        return cls(labels, total, tuple(np.split(table, ends[:-1], axis=1)), schema=schema)

    def __add__(self, other: Self) -> Self:
        if self.schema is not None and other.schema is not None and self.schema is not other.schema:
            schema = self.schema.joined(other.schema)
            self, other = replace(self, schema=schema), other.under(schema)
        labels, here, there = united(self.labels, other.labels)
        classes = len(labels)
        total = spaced(self.total, here, classes) + spaced(other.total, there, classes)
        pairs = zip(self.counts, other.counts, strict=True)
        counts = tuple(padded(spaced(a, here, classes), spaced(b, there, classes)) for a, b in pairs)
        return type(self)(labels, total, counts, self.declared or other.declared, self.schema)

    def under(self, schema: Columns) -> Self:
        """The same counts with the categories in the order of another schema."""
        assert self.schema is not None
        counts = []
        for table, mine, theirs in zip(self.counts, self.schema, schema, strict=True):
            wide = np.zeros((len(table), max(table.shape[1], len(theirs.levels))))
            wide[:, [theirs.levels.index(level) for level in mine.levels]] = table[:, : len(mine.levels)]
            counts.append(wide)
        return replace(self, counts=tuple(counts), schema=schema)

    def announced(self, declared: bool) -> Self:
        return replace(self, declared=declared)

    @property
    def weight(self) -> float:
        """Total weight n."""
        return float(self.total.sum())

    @property
    def columns(self) -> int:
        return len(self.counts)

    @property
    def finite(self) -> bool:
        """Counts do not overflow."""
        return True


def padded(a: Array, b: Array) -> Array:
    """The sum of two tables, one of which may have more categories."""
    long, short = (a, b) if a.shape[1] >= b.shape[1] else (b, a)
    total = long.copy()
    total[:, : short.shape[1]] += short
    return total


# ---- kernels -----------------------------------------------------------------------------------------------------------


@compiled
def first_no_code(X, most):  # type: ignore[no-untyped-def]
    """Row and column of the first negative cell, else of the first that is no whole number or too large, else (−1, −1)."""
    row, column = -1, -1
    for i in range(X.shape[0]):
        strange = False
        for j in range(X.shape[1]):
            x = X[i, j]
            strange |= x < 0 or x >= most or (x == x and x != np.floor(x))
        if strange:
            for j in range(X.shape[1]):
                x = X[i, j]
                if x < 0:
                    return i, j
                if row < 0 and (x >= most or (x == x and x != np.floor(x))):
                    row, column = i, j
    return row, column


@compiled
def highest_codes(X, w):  # type: ignore[no-untyped-def]
    """The largest code of each column in the rows that count, −1 where every cell is missing."""
    highest = np.full(X.shape[1], -1, np.int64)
    for i in range(X.shape[0]):
        if w[i] > 0.0:
            for j in range(X.shape[1]):
                if X[i, j] > highest[j]:
                    highest[j] = np.int64(X[i, j])
    return highest


@compiled
def count_codes(X, y, w, start, table):  # type: ignore[no-untyped-def]
    """Add the weight of each row to the cells of its class and its categories."""
    for i in range(X.shape[0]):
        for j in range(X.shape[1]):
            if w[i] > 0.0 and X[i, j] >= 0:
                table[y[i], start[j] + np.int64(X[i, j])] += w[i]


@compiled
def add_logarithms(X, table, start, end, joint):  # type: ignore[no-untyped-def]
    """Add log θ of each known cell, for all classes; `table` has a row for each category."""
    for i in range(X.shape[0]):
        for j in range(X.shape[1]):
            if X[i, j] >= 0:
                at = start[j] + np.int64(X[i, j])
                if at < end[j]:
                    for k in range(table.shape[1]):
                        joint[i, k] += table[at, k]
