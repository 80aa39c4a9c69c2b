"""Bernoulli naive Bayes: each column says yes or no, with a probability of yes of its own in each class.

    log P(k, x) = log π_k + Σ_j [x_j log θ_kj + (1 − x_j) log(1 − θ_kj)]                                      (1)
                = log π_k + Σ_j log(1 − θ_kj) + Σ_{x_j = 1} log θ_kj/(1 − θ_kj) = b_k + xᵀw_k                (2)
    θ_kj = (N_kj + α) / (N_k + 2α)                                                                            (3)

N_kj of the N_k rows of class k (or their weight) have a yes in column j. Unlike the multinomial model, (1) counts what is
absent as evidence too. By (2) only the yeses of a row are visited. Where θ = 1 (possible if α = 0), a no excludes the class.

Cost: one pass over the cells that are not zero; prediction K times that.
Reference: McCallum & Nigam, "A comparison of event models for naive Bayes text classification", AAAI workshop, 1998.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from scipy import sparse

from aprendiz.bayes.naive.column_totals import ColumnTotals, LinearScores, TotalsByClass, cells_of, first_cell
from aprendiz.bayes.naive.counted_columns import in_range, warn_of_zeros
from aprendiz.bayes.naive.generated_rows import GeneratedRows
from aprendiz.core.certificate import Certificate
from aprendiz.core.parameters import ArrayLike, NonNegative
from aprendiz.core.rows import Array, Block
from aprendiz.core.targets import plain
from aprendiz.locale import _


class BernoulliNB(ColumnTotals, GeneratedRows):
    """Bernoulli naive Bayes (drop-in for scikit-learn's; exact `partial_fit`, files, sparse tables stay sparse).

    Parameters
    ----------
    alpha : float or array of shape (n_features,), default=1.0
        α of (3).
    force_alpha : bool, default=True
        Whether to use an α below 1e-10 unchanged; otherwise it is set to 1e-10.
    binarize : float or None, default=0.0
        Threshold for binarising the cells: 1 above it, 0 otherwise. None: the cells are already 0 and 1.
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
    coef_, intercept_ : ndarray of shape (n_classes, n_features) and (n_classes,)
        w and b of (2), for cells that are 0 and 1: b_k + xᵀw_k is log P(k, x).
    sums_ : TotalsByClass
        The statistics, to which `partial_fit` adds.
    certificate_ : Certificate
        How many of the probabilities in (3) are 0 or 1.
    """

    tuning = {"alpha": (0.01, 0.1, 0.5, 1.0)}
    exceptions = {
        "shift": "the threshold between no and yes is a number",
        "scaling": "yes and no are no measurements, and their probabilities no densities",
    }

    def __init__(
        self,
        *,
        alpha: NonNegative | ArrayLike = 1.0,
        force_alpha: bool = True,
        binarize: NonNegative | None = 0.0,
        fit_prior: bool = True,
        class_prior: ArrayLike | None = None,
    ):
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.binarize = binarize
        self.fit_prior = fit_prior
        self.class_prior = class_prior

    def reading(self) -> Callable[[Block], Any]:
        return zeros_and_ones if self.binarize is None else partial(yeses, float(self.binarize))

    def draw_rows(self, owner: Array, random: np.random.Generator) -> Array:
        yes = np.exp(self.feature_log_prob_)[owner]
        return (random.uniform(size=yes.shape) < yes).astype(np.float64)

    def conclude(self, record: TotalsByClass) -> dict[str, Any]:
        """The certificate: no stored P(1 | class) is 0 or 1."""
        counts, rows, alpha = in_range(record.counts, record.total[:, None], self.smoothing(record.columns))
        with np.errstate(divide="ignore", invalid="ignore"):
            table = np.log(counts + alpha) - np.log(rows + 2.0 * alpha)
        table = np.minimum(np.where(np.isnan(table), -np.inf, table), 0.0)
        certain = (np.isneginf(table) | (table == 0.0)) & (rows > 0)
        sure = int((np.isneginf(table) | (table == 0.0)).sum())
        for k, j in np.argwhere(certain)[:1]:
            value = "1" if np.isneginf(table[k, j]) else "0"
            what = _("Column {column}: {value}").format(column=j, value=value)
            warn_of_zeros(what, record.labels[k], sure, self.advice())
        return {
            **self.common_attributes(record),
            "feature_log_prob_": table,
            "certificate_": Certificate(
                "no value has probability zero in a class", sure == 0, {"zeros": sure, "cells": table.size}
            ),
        }

    @property
    def coef_(self) -> Array:
        """w of (2)."""
        return self.finite_line()[0]

    @property
    def intercept_(self) -> Array:
        """b of (2)."""
        return self.finite_line()[1]

    def finite_line(self) -> tuple[Array, Array]:
        """w and b of (2), which are numbers only where no θ is 0 or 1."""
        yes = self.feature_log_prob_
        for k, j in np.argwhere(np.isneginf(yes) | (yes == 0.0))[:1]:
            raise AttributeError(
                f"coef_ and intercept_ are infinite: the probability of a 1 in column {j} is {np.exp(yes[k, j]):g} in class "
                f"{plain(self.classes_[k])!r}. Give alpha > 0."
            )
        return self.line()

    def line(self) -> tuple[Array, Array]:
        """w and b of (2), with log(1 − θ) taken for 0 where θ = 1."""
        yes = self.feature_log_prob_
        with np.errstate(divide="ignore"):
            no = np.where(yes == 0.0, 0.0, np.log1p(-np.exp(yes)))
        return yes - no, self.class_log_prior_ + no.sum(axis=1)

    def log_joint_function(self) -> Callable[[Block], Array]:
        always, reading = self.feature_log_prob_ == 0.0, self.reading()
        log_joint = LinearScores.of(*self.line(), reading)
        if not always.any():
            return log_joint
        lacking = LinearScores.of(-always.astype(float), always.sum(axis=1).astype(float), reading)
        return lambda block: np.where(lacking(block) > 0.5, -np.inf, log_joint(block))


def yeses(threshold: float, block: Block) -> Any:
    """1 where a cell is above the threshold."""
    X: Any = block.X
    if not sparse.issparse(X):
        return np.greater(X, threshold).astype(np.float64)
    if not X.has_canonical_format:  # a cell may be stored in parts
        X = X.copy()
        X.sum_duplicates()
    return type(X)((np.greater(X.data, threshold).astype(np.float64), X.indices, X.indptr), shape=X.shape)


def zeros_and_ones(block: Block) -> Any:
    """The cells as they are, which must be 0 or 1."""
    if not np.isin(cells_of(block.X), (0.0, 1.0)).all():
        row, column, value = first_cell(block.X, lambda cells: ~np.isin(cells, (0.0, 1.0)))
        raise ValueError(
            f"Input X holds {value:g} in row {block.start + row}, column {column}: with binarize=None every cell must be 0 "
            "or 1. Give binarize a threshold."
        )
    return block.X
