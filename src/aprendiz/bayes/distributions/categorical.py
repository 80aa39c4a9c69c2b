"""The categorical distribution: one of K labels.

    P(label k) = p_k,   Σ p_k = 1;     ML:  p_k = n_k/n                                                        (1)

Labels are words or numbers. Missing ones are left out. Prior: Dirichlet.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from aprendiz.bayes.distributions.distribution import Drawable, shares
from aprendiz.bayes.distributions.family import Family, insist_on_rows
from aprendiz.bayes.distributions.label_counts import LabelCounts
from aprendiz.bayes.distributions.values import as_given, frozen, labels_of
from aprendiz.core.frames import is_missing
from aprendiz.core.random import draw_seed
from aprendiz.core.rows import Array
from aprendiz.core.targets import plain


@dataclass(frozen=True, eq=False)
class Categorical(Drawable, Family):
    """One of K labels.

    Parameters
    ----------
    probabilities : array-like of shape (K,)
        At least 0, with sum 1.
    labels : array-like of shape (K,), optional
        By default 0, 1, …, K − 1.
    """

    probabilities: Array
    labels: Any = None

    discrete = True

    def __post_init__(self) -> None:
        p = frozen(self, "probabilities", 1)
        if (p < 0).any():
            raise ValueError(f"probabilities holds {p[p < 0][0]:g}: probabilities are at least 0.")
        if not math.isclose(p.sum(), 1, rel_tol=0, abs_tol=1e-9):
            raise ValueError(f"The probabilities sum to {p.sum():.10g}, not to 1: divide them by their sum.")
        object.__setattr__(self, "labels", distinct(self.labels, len(p)))

    @property
    def n_parameters(self) -> int:
        """All probabilities but one."""
        return len(self.probabilities) - 1

    @property
    def mean(self) -> float:
        """Σ p_k · label k, of labels that are numbers."""
        return float(self.probabilities @ self.values())

    @property
    def variance(self) -> float:
        """Σ p_k (label k − mean)², of labels that are numbers."""
        return float(self.probabilities @ (self.values() - self.mean) ** 2)

    def values(self) -> Array:
        """The labels as numbers."""
        if self.labels.dtype.kind not in "biuf":
            raise TypeError(f"The labels are words, such as {plain(self.labels[0])!r}: they have no mean and no variance.")
        return np.asarray(self.labels, dtype=np.float64)

    @classmethod
    def statistics(cls, x: Any, weights: Any = None) -> LabelCounts:
        """How often each label occurs."""
        return LabelCounts.of(x, weights)

    @classmethod
    def from_statistics(cls, statistics: LabelCounts) -> Self:
        """(1)."""
        insist_on_rows(float(statistics.counts.sum()))
        return cls(statistics.counts / statistics.counts.sum(), statistics.labels)

    def log_density(self, x: Any) -> Array:
        """ln p of each label; −∞ for one that is not among the labels, 0 for a missing one."""
        values = as_given(x)
        table = {plain(label): p for label, p in zip(self.labels, self.probabilities, strict=True)}
        p = [1.0 if is_missing(value) else table.get(plain(value), 0.0) for value in values.ravel().tolist()]
        with np.errstate(divide="ignore"):
            return np.log(np.array(p)).reshape(values.shape)

    def sample(self, n: int, seed: Any = None) -> Array:
        """n independent labels."""
        edges = np.cumsum(self.probabilities)
        codes = np.searchsorted(edges / edges[-1], shares(n, draw_seed(seed)), side="right")
        return np.asarray(self.labels[codes])

    def points(self) -> Array:
        """The labels."""
        return np.asarray(self.labels)


def distinct(labels: Any, count: int) -> Array:
    """K labels, no two of them equal."""
    values = np.arange(count) if labels is None else labels_of(labels, None)[0].copy()
    if values.shape != (count,):
        raise ValueError(f"labels has shape {values.shape}, there are {count} probabilities: give a label for each.")
    seen, counts = np.unique(values, return_counts=True)
    if len(seen) < count:
        raise ValueError(f"The label {plain(seen[counts > 1][0])!r} is given twice: labels are distinct.")
    values.flags.writeable = False
    return values
