"""Plain twins of selection/updating: swept rows and scatters by their definitions."""

import numpy as np


def swept_row(G, t, chosen):
    """What the chosen columns do not explain of t, and of these columns their coefficients."""
    S, found = np.flatnonzero(chosen), np.array(t, dtype=float)
    w = np.linalg.solve(G[np.ix_(S, S)], t[S])
    for k in range(len(t)):
        found[k] = t[k] - w @ G[S, k]
    found[S] = w
    return found


def pivots(G, chosen):
    """The variance that the chosen columns leave of each other one, and the diagonal of their inverse."""
    S, found = np.flatnonzero(chosen), np.diagonal(G).astype(float)
    for k in np.flatnonzero(~chosen):
        found[k] -= G[k, S] @ np.linalg.solve(G[np.ix_(S, S)], G[S, k])
    found[S] = np.diagonal(np.linalg.inv(G[np.ix_(S, S)]))
    return found


def inverse_rows(G, chosen, order):
    """The swept rows of the unit matrix that belong to the chosen columns, in the order in which they entered."""
    return np.array([swept_row(G, np.eye(len(G))[j], chosen) for j in order]).reshape(len(order), len(G))


def scatter(X, groups, weight, rows):
    """Σ ω (x − μ_g)(x − μ_g)ᵀ over some rows, μ_g the mean of these in their group."""
    total = np.zeros((X.shape[1], X.shape[1]))
    for g in set(groups[rows]):
        some = rows[groups[rows] == g]
        mean = sum(weight[i] * X[i] for i in some) / sum(weight[i] for i in some)
        for i in some:
            total += weight[i] * np.outer(X[i] - mean, X[i] - mean)
    return total
