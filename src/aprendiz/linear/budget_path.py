"""Budgets: least loss with coefficients of a size that is given, instead of a price for their size.

    min over w, b of E(w, b)   subject to   R(w) ≤ c                                                          (1)
    min over w, b of E(w, b) + γ·R(w)                                                                         (2)

A minimiser ŵ(γ) of (2) is one of (1) with c = R(ŵ(γ)): a w with a smaller E and R(w) ≤ c would have a smaller (2) too. R(ŵ(γ))
is continuous and falls as γ grows, so there is a γ for each c below R(ŵ(0)); above it, the constraint does not bind and γ = 0.
For any w and γ,

    E(w) − min of (1) ≤ [E(w) + γR(w) − min of (2)] + γ(c − R(w))                                             (3)

bounds what is lost when c is not met exactly. γ is found by secants, kept between a γ that is too small and one that is too
large. They are drawn through R^p, which is straight in γ for the right p:

    lasso    R = ‖w‖₁     p = 1      ŵ(γ) is linear in γ as long as the same coefficients are not zero: the last step is exact
    ridge    R = ‖w‖²     p = −½     exactly straight for one column: ‖w‖ = |zᵀc|/(zᵀz + γ)

For ridge regression, with s² and v the eigenvalues and eigenvectors of ZᵀZ and g = VᵀZᵀc, all γ follow from one decomposition,

    R(ŵ(γ)) = Σ_j g_j²/(s_j² + γ)²                                                                            (4)

Cost: 4 to 20 evaluations of R(ŵ(γ)); (4) d³ once, then d for each.
References: Tibshirani, JRSS B 58, 1996 (1); Osborne, Presnell & Turlach, IMA J. Numerical Analysis 20, 2000 (straight pieces);
Moré, "The Levenberg-Marquardt algorithm", 1978 (p = −½).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.linear.penalties.budgets import sizes

# ---- ridge regression ------------------------------------------------------------------------------------------------


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
