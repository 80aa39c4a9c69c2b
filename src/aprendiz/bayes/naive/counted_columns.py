"""Naive Bayes of counts: what its members share, the probabilities of the classes and the α that is added to each count.

    π_k = N_k / N,     θ_kl = (N_kl + α_l) / Σ_l (N_kl + α_l)                                                 (1)

N_k rows (or their weight) are of class k, and N_kl counts event l in them: a category, a word, a yes. α = 0 is maximum
likelihood, where a single zero count excludes a class; α = 1 is Laplace's rule.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from aprendiz.bayes.naive.independent_columns import CLASSES_AS_THEY_COME, IndependentColumns
from aprendiz.core.parameters import ParameterError
from aprendiz.core.rows import Array
from aprendiz.core.targets import plain
from aprendiz.locale import _

SMALLEST = 1e-10
LARGE = 2.0**900  # sums of more than 2¹⁰⁰ such counts would overflow


class CountedColumns(IndependentColumns):
    """(1) with scikit-learn's parameters `alpha`, `force_alpha`, `fit_prior` and `class_prior`."""

    differences = CLASSES_AS_THEY_COME
    alpha: Any
    force_alpha: bool
    fit_prior: bool
    class_prior: Any
    class_log_prior_: Array

    def smoothing(self, columns: int) -> Any:
        """α: one number, or one for each column."""
        alpha = np.asarray(self.alpha, dtype=float)
        if alpha.ndim and alpha.shape != (columns,):
            raise ParameterError(
                f"alpha of {type(self).__name__} must be a number or have shape ({columns},), got {alpha.shape}."
            )
        if not (np.isfinite(alpha).all() and (alpha >= 0).all()):
            raise ParameterError(f"alpha of {type(self).__name__} must be finite and at least 0, got {self.alpha!r}.")
        if self.force_alpha or alpha.min() >= SMALLEST:
            return alpha
        warnings.warn("alpha too small will result in numeric errors, setting alpha = 1.0e-10.", UserWarning, stacklevel=3)
        return np.maximum(alpha, SMALLEST)

    def log_priors(self, labels: Array, total: Array) -> Array:
        """log π: as given, the same for all, or by (1)."""
        classes = len(labels)
        if self.class_prior is None and not self.fit_prior:
            return np.full(classes, -np.log(classes))
        with np.errstate(divide="ignore"):
            if self.class_prior is None:
                return np.log(total) - np.log(total.sum())
            priors = np.asarray(self.class_prior, dtype=float)
            if len(priors) != classes:
                raise ValueError(f"class_prior: number of priors must match number of classes: {len(priors)} for {classes}.")
            if (priors < 0).any() or not np.isclose(priors.sum(), 1.0):
                raise ValueError(f"class_prior must hold numbers of at least 0 that sum to 1, got {priors.tolist()}.")
            return np.log(priors)

    def log_prior(self) -> Array:
        return self.class_log_prior_

    def advice(self) -> str:
        return _("Give alpha > 0.")


def warn_of_zeros(what: str, label: Any, zeros: int, remedy: str) -> None:
    """Say what a probability of zero does: `what` never occurs in a class, and so many such cases there are."""
    warnings.warn(
        _(
            "{what} never occurs in class {label}, so its probability there is 0, and a row that has it is never given that "
            "class, whatever its other cells say ({zeros} such zeros in all). {remedy}"
        ).format(what=what, label=repr(plain(label)), zeros=zeros, remedy=remedy),
        UserWarning,
        stacklevel=5,
    )


def in_range(*parts: Any) -> tuple[Any, ...]:
    """Counts and α, all divided by 2¹⁰⁰ where their sums might overflow: θ of (1) depends on their ratios alone."""
    if all(np.max(part, initial=0.0) < LARGE for part in parts):
        return parts
    return tuple(part * 2.0**-100 for part in parts)


def log_shares(counts: Array, alpha: Any, total: Array) -> Array:
    """log θ of (1), a row for each class. A class that has rows but no event has no say; one without rows is impossible."""
    counts, alpha = in_range(counts, alpha)
    smooth = counts + alpha
    with np.errstate(divide="ignore", invalid="ignore"):
        table = np.log(smooth) - np.log(smooth.sum(axis=1, keepdims=True))
    return np.where(np.isnan(table), np.where(total[:, None] > 0, -np.log(counts.shape[1]), -np.inf), table)
