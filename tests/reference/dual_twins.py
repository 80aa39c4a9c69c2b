"""Plain twins of the dual problem of support vector machines: its kernels by their definition, and its answer by trying all
cases."""

from itertools import product

import numpy as np

# ---- the compiled kernels --------------------------------------------------------------------------------------------


def slopes(beta, g, low, high, eps):
    """What it costs each variable to grow, and to fall; ∞ and −∞ at a bound."""
    up = [np.inf if b >= top else v + (eps if b >= 0 else -eps) for b, v, top in zip(beta, g, high, strict=True)]
    down = [-np.inf if b <= bottom else v + (eps if b > 0 else -eps) for b, v, bottom in zip(beta, g, low, strict=True)]
    return np.array(up), np.array(down)


def violation(beta, g, low, high, eps, split):
    """max down − min up, the larger one of the two sums; at least 0."""
    up, down = slopes(beta, g, low, high, eps)
    return max(0.0, *(down[s].max() - up[s].min() for s in (slice(0, split), slice(split, None)) if len(up[s])))


def pair_steps(K, beta, g, low, high, eps, split, tol, most):
    """Steps of two variables: the one that is cheapest to raise, in the sum that is furthest from its optimum, and the partner
    with which the objective falls most."""
    beta, g, n = beta.copy(), g.copy(), len(beta)
    sums = [np.arange(split), np.arange(split, n)] if 0 < split < n else [np.arange(n)]
    for steps in range(most):
        up, down = slopes(beta, g, low, high, eps)
        own = max(sums, key=lambda some: down[some].max() - up[some].min())
        i = own[up[own].argmin()]
        rise = np.maximum(down[own] - up[i], 0.0)
        if rise.max() <= tol:
            return beta, steps
        gain = rise**2 / np.maximum(K[i, i] + np.diag(K)[own] - 2.0 * K[i, own], 1e-7)
        j = own[gain.argmax()]
        ceiling = high[i] if beta[i] >= 0 else min(high[i], 0.0)
        floor = low[j] if beta[j] <= 0 else max(low[j], 0.0)
        step = (down[j] - up[i]) / max(K[i, i] + K[j, j] - 2.0 * K[i, j], 1e-12)
        step = min(step, ceiling - beta[i], beta[j] - floor)
        beta[i], beta[j] = min(beta[i] + step, ceiling), max(beta[j] - step, floor)
        g = g + step * (K[i] - K[j])
    return beta, most


def objective(K, beta, target, eps=0.0):
    """½βᵀKβ − tᵀβ + ε‖β‖₁."""
    return 0.5 * beta @ K @ beta - target @ beta + eps * np.abs(beta).sum()


# ---- the answer of small problems ------------------------------------------------------------------------------------


def all_cases(K, target, low, high, sums, eps=0.0):
    """The best β with low ≤ β ≤ high, where `sums` says for each sum which variables it has and what it is: of all the ways
    in which variables stand at a bound, at zero (if ε > 0) or free, the feasible point with the smallest objective. A vertex of
    the set of best points is the only solution of its case, so it is among them."""
    n = len(target)
    A = np.array([[float(i in some) for i in range(n)] for some, _ in sums])
    wanted = np.array([total for _, total in sums])
    best, least = None, np.inf
    for case in product(*(choices(low[i], high[i], eps) for i in range(n))):
        beta = np.array([0.0 if fixed is None else fixed for fixed, _ in case])
        free = np.array([fixed is None for fixed, _ in case])
        if free.any():
            signs = np.array([sign for _, sign in case])[free]
            F = np.flatnonzero(free)
            system = np.block([[K[np.ix_(F, F)], A[:, F].T], [A[:, F], np.zeros((len(A), len(A)))]])
            known = np.concatenate([target[F] - eps * signs - K[F] @ beta, wanted - A @ beta])
            beta[F] = np.linalg.lstsq(system, known, rcond=None)[0][: len(F)]
        feasible = (beta >= low - 1e-9).all() and (beta <= high + 1e-9).all() and np.abs(A @ beta - wanted).max() < 1e-8
        if feasible and (found := objective(K, beta, target, eps)) < least:
            best, least = beta, found
    return best, least


def choices(low, high, eps):
    """Where a variable may stand: (value or None if it is free, its sign)."""
    fixed = [(value, 0.0) for value in sorted({low, high} | ({0.0} if eps else set())) if np.isfinite(value)]
    return [*fixed, *([(None, 1.0), (None, -1.0)] if eps else [(None, 0.0)])]


# ---- kernels and machines --------------------------------------------------------------------------------------------


def gaussian(X, Z, gamma):
    """exp(−γ‖x − z‖²) of all pairs."""
    return np.exp(-gamma * ((X[:, None, :] - Z[None, :, :]) ** 2).sum(axis=2))


def soft_margin(K, signs, prices):
    """½βᵀKβ − yᵀβ of two classes with 0 ≤ y_iβ_i ≤ C_i and Σβ = 0, by all cases."""
    low, high = np.where(signs > 0, 0.0, -prices), np.where(signs > 0, prices, 0.0)
    return all_cases(K, signs, low, high, [(range(len(signs)), 0.0)])
