"""Schwarz's criterion: −2·ln L + k·ln n, near −2 times the logarithm of the evidence; the smallest is best.

Reference: Schwarz, "Estimating the dimension of a model", Annals of Statistics 6, 1978.
"""

from __future__ import annotations

from typing import Any

from aprendiz.evaluation.criteria.likelihoods.fitted import fit_of
from aprendiz.evaluation.criteria.likelihoods.penalties import bic_of


def bic(model: Any, X: Any, y: Any = None) -> float:
    """−2·ln L + k·ln n of a fitted model and the rows of its fit."""
    return bic_of(fit_of(model, X, y))
