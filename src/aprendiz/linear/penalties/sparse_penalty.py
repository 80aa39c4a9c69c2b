"""Penalties that make coefficients zero: the absolute one of the lasso, and the elastic net.

    R(w) = λ₁‖w‖₁ + ½λ₂‖w‖²                                                                                   (1)

A coefficient that is alone with its curvature h and its slope z (the loss is ½hw² − zw) has its minimum at

    w = S(z)/(h + λ₂),     S(z) = sign(z)·max(|z| − λ₁, 0)                       soft threshold               (2)

so it is zero as long as |z| ≤ λ₁. With `positive`, w ≥ 0 is required and S(z) = max(z − λ₁, 0).

Reference: Tibshirani, "Regression shrinkage and selection via the lasso", JRSS B 58, 1996; Zou & Hastie, JRSS B 67, 2005.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from aprendiz.core.rows import Array


def strength_of(C: Any) -> Any:
    """1/C of a number or of several. The inverse of a denormal number may be infinite: there C counts as the smallest that is
    normal, and the coefficients are 0 to three hundred digits."""
    return 1.0 / np.maximum(C, np.finfo(float).tiny)


@dataclass(frozen=True)
class ElasticPenalty:
    """R of (1)."""

    l1: float
    l2: float = 0.0
    positive: bool = False

    def value(self, w: Array) -> float:
        """R(w)."""
        return float(self.l1 * np.abs(w).sum() + 0.5 * self.l2 * (w @ w))

    def pull(self, slope: Array) -> Array:
        """How strongly a zero coefficient is pulled from zero by its slope: it stays there up to λ₁."""
        return slope if self.positive else np.abs(slope)
