"""A path of coefficients against the budget: the size that each penalty leaves of them.

    c(α) = ρ‖w(α)‖₁ + ½(1 − ρ)‖w(α)‖²                                                                         (1)

The penalty that belongs to a budget is found in penalties/budgets.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.linear.penalties.budgets import sizes

# ---- paths -----------------------------------------------------------------------------------------------------------


def budget_path(alphas: Any, coefs: Any, *, l1_ratio: float = 1.0) -> tuple[Array, Array, Array]:
    """A path of coefficients against the budget: what each penalty leaves of their size.

    Parameters
    ----------
    alphas : array of shape (n_alphas,)
    coefs : array of shape (n_features, n_alphas)
        As `lasso_path` and `enet_path` return them.
    l1_ratio : float, default=1.0
        ρ of R(w) = ρ‖w‖₁ + ½(1 − ρ)‖w‖²; 0 for a ridge regression, whose budget ‖w‖² is twice that.

    Returns
    -------
    budgets, alphas, coefs : the same points, from the smallest budget to the largest.

    Examples
    --------
    >>> budgets, alphas, coefs = budget_path([0.5, 1.0], [[1.0, 0.0], [-2.0, -1.0]])
    >>> budgets
    array([1., 3.])
    """
    alphas, coefs = np.asarray(alphas, dtype=float), np.asarray(coefs, dtype=float)
    if coefs.ndim != 2 or alphas.shape != coefs.shape[1:]:
        raise ValueError(
            f"coefs has shape {coefs.shape}, alphas {alphas.shape}: give a column of coefficients for each penalty, "
            "as lasso_path returns them."
        )
    budgets = sizes(coefs, l1_ratio)
    order = np.lexsort((-alphas, budgets))
    return budgets[order], alphas[order], coefs[:, order]
