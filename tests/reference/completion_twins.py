"""Plain twins of matrix completion: dense, in the words of its definition, however slow."""

import numpy as np


def objective(A, M, penalty):
    """½‖P_Ω(A − M)‖² + λ‖M‖_*, with NaN in the unknown cells of A."""
    return 0.5 * np.nansum((A - M) ** 2) + penalty * np.linalg.svd(M, compute_uv=False).sum()


def soft_impute(A, penalty, passes):
    """Mazumder, Hastie and Tibshirani's loop: fill the unknown cells with M, then shrink the singular values by λ."""
    M = np.zeros(A.shape)
    for _ in range(passes):
        U, s, Vt = np.linalg.svd(np.where(np.isnan(A), M, A), full_matrices=False)
        M = (U * np.maximum(s - penalty, 0.0)) @ Vt
    return M


def ridge_rows(A, V, penalty):
    """Ridge regression of the known cells of each row, and its sum of squares."""
    U, squares = np.zeros((len(A), V.shape[1])), np.zeros(len(A))
    for i, row in enumerate(A):
        known = ~np.isnan(row)
        W = V[known]
        U[i] = np.linalg.solve(W.T @ W + penalty * np.eye(V.shape[1]), W.T @ row[known])
        squares[i] = ((row[known] - W @ U[i]) ** 2).sum()
    return U, squares


def residuals(A, U, V):
    """P_Ω(A − UVᵀ), zeros elsewhere."""
    return np.where(np.isnan(A), 0.0, A - U @ V.T)
