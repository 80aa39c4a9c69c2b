"""Akaike's criterion for few rows: AIC + 2k(k + 1)/(n − k − 1).

The correction is exact for least squares with normal noise, and usual for other models as long as n is below about 40k. It is
infinite where n ≤ k + 1.

Reference: Hurvich & Tsai, "Regression and time series model selection in small samples", Biometrika 76, 1989.
"""

from __future__ import annotations

from typing import Any

from aprendiz.evaluation.criteria.likelihoods.fitted import fit_of
from aprendiz.evaluation.criteria.likelihoods.penalties import aicc_of


def aicc(model: Any, X: Any, y: Any = None) -> float:
    """AIC with its correction for few rows, of a fitted model and the rows of its fit."""
    return aicc_of(fit_of(model, X, y))
