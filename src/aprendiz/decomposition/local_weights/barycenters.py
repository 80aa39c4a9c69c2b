"""How a row is made of its neighbours.

    minimise ‖x − Σ_j w_j x_j‖² + r·‖w‖²     such that  Σ_j w_j = 1                                            (1)
    (G + rI) w ∝ 1,     G_jl = (x_j − x)ᵀ(x_l − x),     r = reg·Tr G                                           (2)

r is needed where there are more neighbours than columns, and G is singular. The weights know nothing of a shift, a rotation or
the units of the table.

Cost: m²·d + m³ for each row, m neighbours.
Reference: Roweis & Saul, "Nonlinear dimensionality reduction by locally linear embedding", Science 290, 2000.
"""

from __future__ import annotations

import numpy as np

from aprendiz.core.rows import Array


def barycenters(Q: Array, X: Array, near: Array, reg: float) -> Array:
    """w of (1) for rows Q and their neighbours among the rows X, of shape (len(Q), m)."""
    apart = X[near] - Q[:, None]
    apart /= 2.0 ** np.frexp(np.abs(apart).max(axis=(1, 2), keepdims=True))[1]  # squares have all their digits
    G = apart @ apart.transpose(0, 2, 1)
    trace = np.trace(G, axis1=1, axis2=2)
    m = near.shape[1]
    G[:, range(m), range(m)] += np.where(trace > 0, reg * trace, reg)[:, None]
    try:
        w = np.linalg.solve(G, np.ones((len(Q), m, 1)))[:, :, 0]
    except np.linalg.LinAlgError as error:
        raise ValueError(f"A row has more neighbours ({m}) than its weights can be told from: use reg above 0.") from error
    return w / w.sum(axis=1, keepdims=True)
