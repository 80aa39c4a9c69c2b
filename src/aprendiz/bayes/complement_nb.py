"""Complement naive Bayes: a class is judged by how badly its row would fit the other classes.

    w_kj = −log [(N_j − N_kj + α) / Σ_j (N_j − N_kj + α)],     score_k = Σ_j x_j w_kj                          (1)

N_kj is how often event j occurs in class k, N_j in all of them. The complement of a small class is large, so its weights are
estimated as well as those of the others: better than multinomial naive Bayes where classes differ much in size. With `norm` the
weights of a class are divided by the sum of their sizes, so that no class wins by larger weights alone.

The scores are no logarithms of probabilities; `predict_proba` makes them sum to 1 as if they were.

Cost: one pass over the cells that are not zero; prediction K times that.
Reference: Rennie, Shih, Teevan & Karger, "Tackling the poor assumptions of naive Bayes text classifiers", ICML 2003.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from aprendiz.bayes.naive.column_totals import ColumnTotals, LinearScores, TotalsByClass, cells_of, counts_of, first_cell
from aprendiz.bayes.naive.counted_columns import in_range
from aprendiz.core.certificate import Certificate
from aprendiz.core.parameters import ArrayLike, NonNegative
from aprendiz.core.rows import Array, Block
from aprendiz.core.targets import plain


class ComplementNB(ColumnTotals):
    """Complement naive Bayes (drop-in for scikit-learn's; exact `partial_fit`, files, sparse tables stay sparse).

    Parameters
    ----------
    alpha : float or array of shape (n_features,), default=1.0
        α of (1).
    force_alpha : bool, default=True
        Whether to use an α below 1e-10 unchanged; otherwise it is set to 1e-10.
    fit_prior : bool, default=True
        Whether to learn class priors; used for `class_log_prior_` only.
    class_prior : array of shape (n_classes,), optional
        Class priors π; used for `class_log_prior_` only.
    norm : bool, default=False
        Whether to divide the weights of each class by the sum of their absolute values.

    Attributes
    ----------
    classes_, class_count_, class_log_prior_ : ndarray of shape (n_classes,)
        Labels, rows (or weight) and log π of each class.
    feature_count_, feature_log_prob_ : ndarray of shape (n_classes, n_features)
        N_kj and w_kj.
    feature_all_ : ndarray of shape (n_features,)
        N_j.
    sums_ : TotalsByClass
        The statistics, to which `partial_fit` adds.
    certificate_ : Certificate
        The largest weight in (1).
    """

    tuning = {"alpha": (0.01, 0.1, 0.5, 1.0), "norm": (False, True)}
    exceptions = {
        "shift": "counts start at 0",
        "scaling": "twice the counts are twice the evidence",
    }

    generative = False  # a class is judged by what the others lack

    def __init__(
        self,
        *,
        alpha: NonNegative | ArrayLike = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: ArrayLike | None = None,
        norm: bool = False,
    ):
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior
        self.norm = norm

    def reading(self) -> Callable[[Block], Any]:
        return partial(counts_of, "ComplementNB")

    def conclude(self, record: TotalsByClass) -> dict[str, Any]:
        """The certificate: every stored weight is a finite number."""
        everywhere = record.counts.sum(axis=0)
        counts, alpha = in_range(np.maximum(everywhere - record.counts, 0.0), self.smoothing(record.columns))
        others = counts + alpha
        refuse_zeros(others, record.labels)
        logs = np.log(others / others.sum(axis=1, keepdims=True))
        weights = logs / logs.sum(axis=1, keepdims=True) if self.norm and record.columns > 1 else -logs
        largest = float(weights.max())
        return {
            **self.common_attributes(record),
            "feature_all_": everywhere,
            "feature_log_prob_": weights,
            "certificate_": Certificate("every weight is finite", bool(np.isfinite(weights).all()), {"largest": largest}),
        }

    def log_joint_function(self) -> Callable[[Block], Array]:
        start = self.class_log_prior_ if len(self.classes_) == 1 else np.zeros(len(self.classes_))
        scores = LinearScores.of(self.feature_log_prob_, start, self.reading())

        def finite_scores(block: Block) -> Array:
            found = scores(block)
            if not np.isfinite(found.max(initial=0.0)):
                refuse_large_counts(block)
            return found

        return finite_scores

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        return tags


def refuse_large_counts(block: Block) -> None:
    """Stop at the largest count of a block whose score overflows."""
    largest = cells_of(block.X).max()
    row, column, value = first_cell(block.X, lambda cells: cells == largest)
    raise ValueError(
        f"Input X holds {value:.3g} in row {block.start + row}, column {column}: the score (1) of so large a count is out of "
        "range. Scale the rows."
    )


def refuse_zeros(others: Array, labels: Array) -> None:
    """A column that occurs in one class only would have an infinite weight there."""
    if (others > 0).all():
        return
    k, j = (int(i) for i in np.argwhere(others <= 0)[0])
    raise ValueError(
        f"Column {j} occurs in no class but {plain(labels[k])!r}, so its weight there would be infinite: give alpha > 0."
    )
