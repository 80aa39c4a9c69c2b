"""Student's t on the line: what a Gaussian becomes when its variance is integrated out.

    p(x) = Γ((ν + 1)/2) / (Γ(ν/2) √(νπ) s) · (1 + z²/ν)^(−(ν+1)/2),   z = (x − m)/s                            (1)

Its tails are heavier than those of the Gaussian, the more the smaller ν.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import special

from aprendiz.bayes.distributions.distribution import Univariate
from aprendiz.bayes.distributions.values import finite, positive
from aprendiz.core.rows import Array


@dataclass(frozen=True, eq=False)
class StudentT(Univariate):
    """Student's t.

    Parameters
    ----------
    df : float
        ν, degrees of freedom.
    centre, scale : float
        m and s.
    """

    df: float
    centre: float = 0.0
    scale: float = 1.0

    def __post_init__(self) -> None:
        finite(self, "centre")
        positive(self, "df", "scale")

    @property
    def mean(self) -> float:
        """m; NaN for ν ≤ 1, which has none."""
        return self.centre if self.df > 1 else math.nan

    @property
    def variance(self) -> float:
        """s² ν/(ν − 2); infinite for ν ≤ 2, NaN for ν ≤ 1."""
        if self.df <= 1:
            return math.nan
        return self.scale**2 * self.df / (self.df - 2) if self.df > 2 else math.inf

    def log_of(self, x: Array) -> Array:
        """ln (1). Γ((ν+1)/2)/(Γ(ν/2)√(νπ)) = 1/(√ν B(1/2, ν/2)) keeps digits at large ν."""
        z = (x - self.centre) / self.scale
        front = -float(special.betaln(0.5, self.df / 2)) - 0.5 * math.log(self.df) - math.log(self.scale)
        return np.asarray(front - (self.df + 1) / 2 * np.log1p(z**2 / self.df))

    def quantile(self, q: Any) -> Array:
        """By SciPy's inverse of the distribution function."""
        return np.asarray(self.centre + self.scale * special.stdtrit(self.df, q))
