"""From a likelihood to the criteria, with k parameters and n rows:

AIC = −2·ln L + 2k,     AICc = AIC + 2k(k + 1)/(n − k − 1),     BIC = −2·ln L + k·ln n                        (1)
"""

from __future__ import annotations

from math import inf, log

from aprendiz.evaluation.criteria.likelihoods.likelihood import Likelihood


def aic_of(fit: Likelihood) -> float:
    return -2.0 * fit.log_likelihood + 2.0 * fit.parameters


def aicc_of(fit: Likelihood) -> float:
    """Infinite where n ≤ k + 1."""
    k, left = fit.parameters, fit.rows - fit.parameters - 1.0
    return aic_of(fit) + 2.0 * k * (k + 1.0) / left if left > 0 else inf


def bic_of(fit: Likelihood) -> float:
    return -2.0 * fit.log_likelihood + fit.parameters * log(fit.rows)
