"""The Dirichlet prior of the probabilities of a categorical distribution.

    p(p₁, …, p_K) = Γ(A)/∏ Γ(α_k) · ∏ p_k^(α_k−1),   A = Σ α_k                                                 (1)
    posterior    α_k + n_k                                                                                     (2)
    mode         (α_k − 1)/(A − K)                                                                             (3)
    predictive   P(k) = α_k/A                                                                                  (4)
    evidence     Γ(A)/Γ(A + n) · ∏ Γ(α_k + n_k)/Γ(α_k), of the rows in their order                             (5)

α_k = 1 is the uniform prior; the smoothing α of naive Bayes is (4) with α_k = α.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from scipy import special

from aprendiz.bayes.distributions.categorical import Categorical, distinct
from aprendiz.bayes.distributions.distribution import shares
from aprendiz.bayes.distributions.label_counts import LabelCounts
from aprendiz.bayes.distributions.prior import Prior
from aprendiz.bayes.distributions.values import as_given, frozen, numbers
from aprendiz.core.random import draw_seed
from aprendiz.core.rows import Array
from aprendiz.core.targets import plain


@dataclass(frozen=True, eq=False)
class Dirichlet(Prior):
    """(p₁, …, p_K) ~ Dirichlet (α₁, …, α_K).

    Parameters
    ----------
    alpha : float or array-like of shape (K,)
        At least 0: the prior counts as so many rows of each label. One number holds for all labels.
    labels : array-like of shape (K,), optional
        By default 0, 1, …, K − 1.
    """

    alpha: Any
    labels: Any = None

    family = Categorical

    def __post_init__(self) -> None:
        if np.ndim(self.alpha) == 0 and self.labels is not None:
            object.__setattr__(self, "alpha", np.full(np.size(as_given(self.labels)), self.alpha))
        alpha = frozen(self, "alpha", 1)
        object.__setattr__(self, "labels", distinct(self.labels, len(alpha)))
        if (alpha < 0).any():
            k = int(np.flatnonzero(alpha < 0)[0])
            raise ValueError(f"alpha of the label {plain(self.labels[k])!r} is {alpha[k]:g}: it must be at least 0.")

    @property
    def proper(self) -> bool:
        """All α_k > 0."""
        return bool((self.alpha > 0).all())

    @property
    def mean(self) -> Array:
        """α_k/A."""
        self.insist_on_proper("mean")
        return np.asarray(self.alpha / self.alpha.sum())

    @property
    def variance(self) -> Array:
        """Of each p_k: mean·(1 − mean)/(A + 1)."""
        return self.mean * (1 - self.mean) / (self.alpha.sum() + 1)

    def updated(self, statistics: LabelCounts) -> Self:
        """(2). The prior must know every label."""
        strange = ~np.isin(statistics.labels, self.labels)
        if strange.any():
            raise ValueError(
                f"x holds the label {plain(statistics.labels[strange][0])!r}, which the prior does not know: add it to labels."
            )
        counts = {plain(label): count for label, count in zip(statistics.labels, statistics.counts, strict=True)}
        return type(self)(self.alpha + [counts.get(plain(label), 0.0) for label in self.labels], self.labels)

    def mode(self) -> Categorical:
        """(3)."""
        low = self.alpha < 1
        if low.any() or (self.alpha == 1).all():
            label = plain(self.labels[int(np.argmax(low))])
            why = (
                f"its density grows without bound where {label!r} is impossible"
                if low.any()
                else "all probabilities are as probable"
            )
            raise ValueError(f"{self!r} has no mode, {why}: use its mean, or alpha of at least 1.")
        return Categorical((self.alpha - 1) / (self.alpha - 1).sum(), self.labels)

    def predictive(self) -> Categorical:
        """(4)."""
        return Categorical(self.mean, self.labels)

    def log_evidence_of(self, statistics: LabelCounts) -> float:
        """ln (5)."""
        return self.updated(statistics).log_integral() - self.log_integral()

    def log_integral(self) -> float:
        """ln ∏ Γ(α_k)/Γ(A), what divides the density."""
        return float(special.gammaln(self.alpha).sum() - special.gammaln(self.alpha.sum()))

    def log_density(self, x: Any) -> Array:
        """ln (1) of vectors of probabilities in the last axis; −∞ where they do not sum to 1."""
        self.insist_on_proper("density")
        p = numbers(x)
        if p.ndim == 0 or p.shape[-1] != len(self.alpha):
            raise ValueError(f"x has shape {p.shape}: give {len(self.alpha)} probabilities in the last axis.")
        inside = (p >= 0).all(axis=-1) & (np.abs(p.sum(axis=-1) - 1) < 1e-9)
        safe = np.where(inside[..., None], p, 1.0)
        return np.where(inside, special.xlogy(self.alpha - 1, safe).sum(axis=-1) - self.log_integral(), -np.inf)

    def sample(self, n: int, seed: Any = None) -> Array:
        """n vectors of probabilities, one in each row: shares that beta variables break off what is left."""
        self.insist_on_proper("sample")
        seed, left = draw_seed(seed), np.ones(n)
        after = self.alpha.sum() - np.cumsum(self.alpha)
        p = np.empty((n, len(self.alpha)))
        for k in range(len(self.alpha) - 1):
            p[:, k] = left * special.betaincinv(self.alpha[k], after[k], shares(n, seed, k))
            left = left - p[:, k]
        p[:, -1] = left
        return p
