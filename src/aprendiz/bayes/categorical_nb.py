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

from collections.abc import Callable
from typing import Any

import numpy as np

from aprendiz.bayes.naive.class_counts import ClassCounts, add_logarithms
from aprendiz.bayes.naive.counted_columns import CountedColumns, log_shares, warn_of_zeros
from aprendiz.bayes.naive.generated_rows import GeneratedRows, drawn_codes
from aprendiz.bayes.naive.independent_columns import CLASSES_AS_THEY_COME
from aprendiz.bayes.naive.stored_tables import COUNTS
from aprendiz.core.certificate import Certificate
from aprendiz.core.columns import Mixed
from aprendiz.core.parameters import ArrayLike, Count, NonNegative
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sources.arrays import in_memory
from aprendiz.locale import _
from aprendiz.summaries.coded_columns import CODES_ARE_NAMES, CodedColumns
from aprendiz.summaries.codes import codes_of, warn_of_unseen


class CategoricalNB(CodedColumns, CountedColumns, GeneratedRows):
    """Categorical naive Bayes (drop-in for scikit-learn's; words, missing cells, exact `partial_fit`, files).

    Parameters
    ----------
    alpha : float, default=1.0
        α of (1).
    force_alpha : bool, default=True
        Whether to use an α below 1e-10 unchanged; otherwise it is set to 1e-10.
    fit_prior : bool, default=True
        Whether to learn class priors; otherwise they are uniform.
    class_prior : array of shape (n_classes,), optional
        Class priors π; not adjusted to the data.
    min_categories : int or array of shape (n_features,), optional
        Minimum number of categories per column, if some do not occur in the data.

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

    stored_check = COUNTS

    tuning = {"alpha": (0.1, 0.5, 1.0, 3.0)}
    differences = {
        **CLASSES_AS_THEY_COME,
        "category_count_": "another form: cells that are no whole numbers are refused, not cut to the number below",
    }
    exceptions = {
        **CODES_ARE_NAMES,
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

    def summarise(self, rows: Rows) -> ClassCounts:
        assert rows.labels is not None
        least = self.least_sizes(rows)
        return rows.sum(ClassCounts.of, rows.labels, least, rows.names)

    def least_sizes(self, rows: Rows) -> Array:
        """The least number of categories of each column: as told, and all levels of a schema."""
        least = np.ones(rows.columns, np.int64)
        if in_memory(rows) and isinstance(rows.X, Mixed):
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
        """The certificate: no stored ln P(level | class) is −∞."""
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

    def check_rows(self, rows: Rows) -> Rows:
        """Say which columns hold categories that the fit did not see. (Of words, the door has said so.)"""
        warn_of_unseen(rows, self.n_categories_, 4)
        return rows

    def explain_zeros(self, record: ClassCounts, tables: list[Array], zeros: int) -> None:
        """A category that never occurs in a class that has rows, and what follows."""
        for j, table in enumerate(tables):
            for k, level in np.argwhere(np.isneginf(table) & (record.total[:, None] > 0))[:1]:
                column = None if record.schema is None else record.schema.columns[j]
                name, word = (j, int(level)) if column is None else (column.name, column.levels[level])
                what = _("Column {column}: {value}").format(column=repr(name), value=repr(word))
                warn_of_zeros(what, record.labels[k], zeros, self.advice())
                return

    def draw_rows(self, owner: Array, random: np.random.Generator) -> Array:
        return drawn_codes([np.exp(table) for table in self.feature_log_prob_], owner, random)

    def log_joint_function(self) -> Callable[[Block], Array]:
        names, ends, table = getattr(self, "feature_names_in_", None), np.cumsum(self.n_categories_), self.feature_log_prob_
        starts, logs = ends - self.n_categories_, np.hstack(table).T.copy()

        def log_joint(block: Block) -> Array:
            joint = np.tile(self.class_log_prior_, (len(block), 1))
            add_logarithms(codes_of(block, names, "CategoricalNB"), logs, starts, ends, joint)
            return joint

        return log_joint
