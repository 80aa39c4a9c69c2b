"""Posterior probabilities of a finite set of hypotheses, by Bayes' rule.

    P(k | x) = P(x | k)·π_k / P(x),     P(x) = Σ_l P(x | l)·π_l                                               (1)

The evidence P(x), the posterior after each of several observations, and tests for a disease are in rule/.
"""

from __future__ import annotations

from typing import Any

from aprendiz.bayes.rule.finite_hypotheses import answer, log_joint, normalise
from aprendiz.core.rows import Array


def posterior(prior: Any, likelihood: Any, *, log: bool = False) -> Array:
    """P(k | x) of (1).

    Parameters
    ----------
    prior : array-like of shape (n_hypotheses,) or (…, n_hypotheses)
        π_k, or weights in proportion to it.
    likelihood : array-like of shape (n_hypotheses,) or (…, n_hypotheses)
        P(x | k), one row for each observation; a density, or any multiple of it, will do.
    log : bool, default=False
        Whether prior, likelihood and answer are logarithms.

    Returns
    -------
    ndarray of shape (…, n_hypotheses)
        Sums to one along the last axis. Each row is an observation of its own; `update` joins them.

    Examples
    --------
    >>> posterior([0.01, 0.99], [0.9, 0.05]).round(6)  # sick or healthy, after a positive test
    array([0.153846, 0.846154])
    """
    joint = log_joint(prior, likelihood, log)
    return answer(normalise(joint, "in"), log)
