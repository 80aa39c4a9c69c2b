"""Multinomial naive Bayes: a row counts events (the words of a text), which each class draws with probabilities of its own.

    log P(k, x) = log π_k + Σ_j x_j log θ_kj,     θ_kj = (N_kj + α) / (N_k + α·d)                             (1)

N_kj is how often event j occurs in the rows of class k, N_k their sum. The probability of the order of the events is the same
in every class and left out. Fractions, such as tf-idf, are taken as counts too. Whole counts have a probability, given how many
events n the row has, and new rows are drawn with as many events as are asked for:

    log p(x | n) = log n!/Π_j x_j! + log Σ_k π_k Π_j θ_kj^x_j                                                  (2)

Cost: one pass over the cells that are not zero; prediction K times that.
Reference: McCallum & Nigam, "A comparison of event models for naive Bayes text classification", AAAI workshop, 1998.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from scipy import sparse
from scipy.special import gammaln

from aprendiz.bayes.naive.column_totals import ColumnTotals, LinearScores, TotalsByClass, cells_of, counts_of, first_cell
from aprendiz.bayes.naive.counted_columns import log_shares, warn_of_zeros
from aprendiz.bayes.naive.generated_rows import GeneratedRows
from aprendiz.core.certificate import Certificate
from aprendiz.core.parameters import ArrayLike, NonNegative, refuse_count
from aprendiz.core.rows import Array, Block
from aprendiz.locale import _


class MultinomialNB(ColumnTotals, GeneratedRows):
    """Multinomial naive Bayes (drop-in for scikit-learn's; exact `partial_fit`, files, sparse tables stay sparse).

    Parameters
    ----------
    alpha : float or array of shape (n_features,), default=1.0
        α of (1).
    force_alpha : bool, default=True
        Whether to use an α below 1e-10 unchanged; otherwise it is set to 1e-10.
    fit_prior : bool, default=True
        Whether to learn class priors; otherwise they are uniform.
    class_prior : array of shape (n_classes,), optional
        Class priors π; not adjusted to the data.

    Attributes
    ----------
    classes_, class_count_, class_log_prior_ : ndarray of shape (n_classes,)
        Labels, rows (or weight) and log π of each class.
    feature_count_, feature_log_prob_ : ndarray of shape (n_classes, n_features)
        N_kj and log θ_kj.
    sums_ : TotalsByClass
        The statistics, to which `partial_fit` adds.
    certificate_ : Certificate
        How many of the probabilities in (1) are zero.
    """

    tuning = {"alpha": (0.01, 0.1, 0.5, 1.0)}
    exceptions = {
        "shift": "counts start at 0",
        "scaling": "twice the counts are twice the evidence",
    }

    def __init__(
        self,
        *,
        alpha: NonNegative | ArrayLike = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: ArrayLike | None = None,
    ):
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior

    def reading(self) -> Callable[[Block], Any]:
        return partial(counts_of, "MultinomialNB")

    def conclude(self, record: TotalsByClass) -> dict[str, Any]:
        """The certificate: no stored ln P(column | class) is −∞."""
        table = log_shares(record.counts, self.smoothing(record.columns), record.total)
        zeros = int(np.isneginf(table).sum())
        known = {"zeros": zeros, "cells": table.size}
        for k, j in np.argwhere(np.isneginf(table) & (record.total[:, None] > 0))[:1]:
            warn_of_zeros(_("Column {column}").format(column=j), record.labels[k], zeros, self.advice())
        return {
            **self.common_attributes(record),
            "feature_log_prob_": table,
            "certificate_": Certificate("no column has probability zero in a class", zeros == 0, known),
        }

    def log_joint_function(self) -> Callable[[Block], Array]:
        return LinearScores.of(self.feature_log_prob_, self.class_log_prior_, self.reading())

    # ---- generating --------------------------------------------------------------------------------------------------

    def joint_density_function(self) -> Callable[[Block], Array]:
        """(2), class by class."""
        log_joint = self.log_joint_function()
        return lambda block: log_joint(block) + log_orders(block)[:, None]

    def sample(self, n_samples: int = 1, random_state: Any = None, *, total: int | None = None) -> tuple[Array, Array]:
        """New rows of `total` events, and their classes; by default as many events as the rows of the class have on average,
        rounded."""
        if total is not None:
            refuse_count("total", total)
        owner, random = self.drawn_classes(n_samples, random_state)
        return self.draw_rows(owner, random, total), self.classes_[owner]

    def draw_rows(self, owner: Array, random: np.random.Generator, total: int | None = None) -> Array:
        usual = np.rint(self.feature_count_.sum(axis=1) / np.maximum(self.class_count_, np.finfo(float).tiny))
        events = (usual if total is None else np.full(len(usual), total)).astype(np.int64)
        share = np.exp(self.feature_log_prob_)
        share /= np.maximum(share.sum(axis=1, keepdims=True), np.finfo(float).tiny)
        return random.multinomial(events[owner], share[owner]).astype(np.float64)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        return tags


def log_orders(block: Block) -> Array:
    """log n!/Π x! of (2) for each row, whose counts must be whole."""
    X: Any = block.X
    stored = cells_of(X)
    if (stored != np.floor(stored)).any():
        row, column, value = first_cell(X, lambda cells: cells != np.floor(cells))
        raise ValueError(
            f"Input X holds {value:g} in row {block.start + row}, column {column}: only whole counts have a density. "
            "Give counts, not shares or tf-idf."
        )
    if not sparse.issparse(X):
        return np.asarray(gammaln(X.sum(axis=1) + 1.0) - gammaln(X + 1.0).sum(axis=1))
    each = np.bincount(np.repeat(np.arange(X.shape[0]), np.diff(X.indptr)), gammaln(stored + 1.0), X.shape[0])
    return np.asarray(gammaln(np.asarray(X.sum(axis=1)).ravel() + 1.0) - each)
