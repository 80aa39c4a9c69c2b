"""Conjugate priors: distributions of the parameters of a family whose posteriors have the same form.

    posterior      p(θ | x) = p(x | θ) p(θ) / p(x), a member of the same kind as p(θ)                          (1)
    predictive     p(x' | x) = ∫ p(x' | θ) p(θ | x) dθ                                                         (2)
    evidence       p(x) = ∫ p(x | θ) p(θ) dθ                                                                   (3)
    mode           MAP: the θ of the largest density                                                           (4)

A weight w counts a row w times. An improper prior (its integral is not finite) can have a proper posterior, and then (1), (2)
and (4) are fine; (3) would depend on an arbitrary constant and is refused.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, Self

import numpy as np

from aprendiz.bayes.distributions.distribution import Distribution


class Prior(Distribution):
    """A distribution of the parameters of `family`."""

    family: ClassVar[type[Any]]

    @property
    @abstractmethod
    def proper(self) -> bool:
        """Is the integral of the density 1?"""

    @abstractmethod
    def updated(self, statistics: Any) -> Self:
        """The posterior, from the statistics of the rows."""

    @abstractmethod
    def mode(self) -> Any:
        """The member of the family with the largest density (4)."""

    @abstractmethod
    def predictive(self) -> Any:
        """The distribution of the next row (2)."""

    @abstractmethod
    def log_evidence_of(self, statistics: Any) -> float:
        """ln (3) from the statistics of the rows."""

    def statistics(self, x: Any, weights: Any = None) -> Any:
        """The sums over the rows that the posterior needs."""
        return self.family.statistics(x, weights)

    def posterior(self, x: Any, weights: Any = None) -> Self:
        """The posterior (1), a distribution of the same kind."""
        return self.updated(self.statistics(x, weights))

    def log_evidence(self, x: Any, weights: Any = None) -> float:
        """ln p(x) of all rows together, the parameters integrated out (3)."""
        self.insist_on_proper("evidence")
        return self.log_evidence_of(self.statistics(x, weights))

    def evidence(self, x: Any, weights: Any = None) -> float:
        """p(x); it underflows to 0 for many rows, `log_evidence` does not."""
        return float(np.exp(self.log_evidence(x, weights)))

    def insist_on_proper(self, what: str) -> None:
        """Raise an error if the prior is improper."""
        if not self.proper:
            raise ValueError(
                f"{self!r} is improper, its density has no finite integral, so there is no {what}: "
                "choose larger parameters, or observe some rows first with posterior(x)."
            )
