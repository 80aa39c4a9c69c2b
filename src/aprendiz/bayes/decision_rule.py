"""Decision rule: from the probabilities of the classes to an action, which may be to decide nothing.

    R(l | x) = Σ_k p(k | x)·L_kl,     decide argmin_l R(l | x)                                                (1)

L_kl is the loss of deciding l where k is true: rows are the truth. With the loss 1 for every error (1) is the most probable
class. A row is rejected, left to somebody who knows more, when

    max_k p(k | x) < θ,     or     min_l R(l | x) > cost of a rejection                                       (2)

θ ≤ 1/K rejects nothing, θ = 1 every row that is not certain. With the loss 1 for every error both forms are one, θ = 1 − cost.
Where the classes are met in other shares π' than the shares π that the probabilities were learned from,

    p'(k | x) ∝ p(k | x)·π'_k / π_k                                                                           (3)

With two classes (1) is a threshold: the second class from p(2 | x) ≥ a/(a + b), with a = L₁₂ − L₁₁ and b = L₂₁ − L₂₂. (4)

Cost: O(n·K²), O(n·K) without a loss.
References: Chow, "On optimum recognition error and reject tradeoff", IEEE Trans. Information Theory 16, 1970; Saerens, Latinne
& Decaestecker, "Adjusting the outputs of a classifier to new a priori probabilities", Neural Computation 14, 2002.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aprendiz.bayes.decision.probabilities import loss_matrix, number_within, probabilities, shift_priors, two_priors
from aprendiz.core.rows import Array
from aprendiz.core.targets import weights

REJECTED = -1  # the number of no class


class DecisionRule:
    """What to decide when the probabilities of the classes are known.

    Parameters
    ----------
    loss : array-like of shape (n_classes, n_classes), optional
        L of (1): rows are true classes, columns decisions. By default every error costs 1.
    reject_below : float between 0 and 1, optional
        θ of (2).
    reject_cost : float, optional
        The cost of a rejection, the other form of (2); one of both can be given.
    priors : pair of array-likes of shape (n_classes,), optional
        Shares of the classes that the probabilities were learned from, and those to decide for: π and π' of (3).

    Examples
    --------
    >>> rule = DecisionRule(loss=[[0, 1], [10, 0]], reject_cost=0.5)
    >>> rule.decide([[0.96, 0.04], [0.92, 0.08], [0.7, 0.3], [0.2, 0.8]])
    array([ 0, -1, -1,  1])
    """

    def __init__(
        self, loss: Any = None, reject_below: float | None = None, reject_cost: float | None = None, priors: Any = None
    ):
        self.loss = None if loss is None else loss_matrix(loss)
        if reject_below is not None and reject_cost is not None:
            raise ValueError("reject_below and reject_cost are two forms of one rule: give one of them.")
        self.reject_below = None if reject_below is None else number_within("reject_below", reject_below, 0.0, 1.0)
        self.reject_cost = None if reject_cost is None else number_within("reject_cost", reject_cost, 0.0, np.inf)
        self.priors = None if priors is None else two_priors(priors)

    @property
    def threshold(self) -> float:
        """(4): the probability of the second class from which it is decided."""
        if self.loss is None:
            return 0.5
        if len(self.loss) != 2:
            raise ValueError(f"A threshold needs two classes, the loss has {len(self.loss)}: use decide.")
        a, b = self.loss[0, 1] - self.loss[0, 0], self.loss[1, 0] - self.loss[1, 1]
        if a < 0 or b < 0 or a + b == 0:
            raise ValueError(
                f"There is no threshold, as an error costs no more than a right decision: correct {self.loss.tolist()}."
            )
        return float(a / (a + b))

    def posterior(self, P: Any) -> Array:
        """The probabilities of the classes, (3) where there are priors."""
        P = probabilities(P)
        for name, size in (("loss", self.loss), ("priors", None if self.priors is None else self.priors[0])):
            if size is not None and len(size) != P.shape[1]:
                raise ValueError(f"P has {P.shape[1]} classes, {name} has {len(size)}: give an entry for each class.")
        if self.priors is None:
            return P
        with np.errstate(divide="ignore"):
            return np.exp(shift_priors(np.log(P), *self.priors))

    def risk(self, P: Any) -> Array:
        """R of (1): what each decision is expected to cost, rows × decisions."""
        return self.risk_of(self.posterior(P))

    def risk_of(self, P: Array) -> Array:
        return 1.0 - P if self.loss is None else P @ self.loss

    def choose(self, P: Array, risk: Array) -> Array:
        """The best decision, the first of several that are equal. 1 − p has fewer digits than a small p."""
        return P.argmax(axis=1) if self.loss is None else risk.argmin(axis=1)

    def decide(self, P: Any) -> Array:
        """The number of the class that is decided for each row, −1 for a rejected one."""
        P = self.posterior(P)
        risk = self.risk_of(P)
        return np.where(self.rejects(P, risk), REJECTED, self.choose(P, risk))

    def rejects(self, P: Array, risk: Array) -> Array:
        """(2)."""
        if self.reject_cost is not None:
            return np.asarray(risk.min(axis=1) > self.reject_cost)
        if self.reject_below is None or self.reject_below <= 1.0 / P.shape[1]:  # whatever rounding leaves of 1/K
            return np.zeros(len(P), dtype=bool)
        return np.asarray(P.max(axis=1) < self.reject_below)

    def expected_risk(self, P: Any, sample_weight: Any = None) -> float:
        """Mean risk of the decisions. A rejected row costs `reject_cost`; without one it is left out (NaN if all are)."""
        P = self.posterior(P)
        weight = np.asarray(weights(1.0 if sample_weight is None else sample_weight, len(P)))
        risk = self.risk_of(P)
        rejected, least = self.rejects(P, risk), risk.min(axis=1)
        if self.reject_cost is not None:
            return float(np.average(np.where(rejected, self.reject_cost, least), weights=weight))
        kept = np.where(rejected, 0.0, weight)
        return float(kept @ least / kept.sum()) if kept.any() else float("nan")
