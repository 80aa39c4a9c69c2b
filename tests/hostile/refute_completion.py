"""The duality gap of completion, against tables of low rank that are better, in rational arithmetic."""

import warnings
from fractions import Fraction

import numpy as np

import aprendiz as ap

from .checks import insist
from .hostile_tables import exactly, with_extremes


def soft_impute(seed):
    """No table is better by more than the gap allows; with a bound on the rank, the gradient is as small as claimed."""
    X, words = with_extremes(seed, largest=7)
    rng = np.random.default_rng([seed, 9])
    X = X[: int(rng.integers(3, 13))].copy()
    X[rng.random(X.shape) < rng.choice([0.0, 0.2, 0.5])] = np.nan
    if np.isnan(X).all():
        X[0, 0] = 1.0
    size = np.linalg.norm(np.nan_to_num(X / np.nanmax(np.abs(X))), 2) * np.nanmax(np.abs(X))
    penalty = float(size * 10.0 ** rng.uniform(-4, 0.1))
    most, passes = int(rng.integers(1, 4)) if rng.random() < 0.3 else None, int(rng.choice([1, 3, 30, 500]))
    model = ap.SoftImpute(penalty, max_rank=most, max_iter=passes, random_state=seed).fit(X)
    known, words = model.certificate_, f"{words} λ={penalty:g} most={most} passes={passes}"
    cells = [(i, j) for i, j in np.ndindex(*X.shape) if not np.isnan(X[i, j])]
    A, factors = {c: Fraction(float(X[c])) for c in cells}, (model.row_factors_, model.column_factors_)
    least = least_objective(A, factors, penalty)
    check_gap(known, least, A, X, penalty, words)
    if known.claim.startswith("among"):
        check_gradient(known, A, [exactly(one) for one in factors], Fraction(penalty), words)
    return known.holds


def check_gap(known, least, A, X, penalty, words):
    """F of the fit is at most `gap` above that of any other table, as a part of itself."""
    for better in others(X, penalty):
        upper = objective(A, [exactly(one) for one in better], Fraction(penalty))
        insist(least - upper <= Fraction(known.gap) * least, words, known, "off by", float((least - upper) / least))


def others(X, penalty):
    """Factors of tables that may be better: a long search without a bound on the rank, and the loop of the definition."""
    with warnings.catch_warnings(action="ignore"):
        free = ap.SoftImpute(penalty, tol=1e-13, max_iter=400, random_state=1).fit(X)
    yield free.row_factors_, free.column_factors_
    unit = np.nanmax(np.abs(X)) or 1.0
    Z, M = X / unit, np.zeros(X.shape)
    for _ in range(60):
        U, s, Vt = np.linalg.svd(np.where(np.isnan(Z), M, Z), full_matrices=False)
        roots = np.sqrt(np.maximum(s - penalty / unit, 0.0))
        M = (U * roots**2) @ Vt
    root = np.sqrt(unit)
    yield root * U * roots, root * Vt.T * roots
    yield np.zeros((len(X), 1)), np.zeros((X.shape[1], 1))


def squares(factor):
    return sum(x * x for row in factor for x in row)


def product(U, V, cell):
    return sum(p * q for p, q in zip(U[cell[0]], V[cell[1]], strict=True))


def objective(A, factors, penalty):
    """½‖P_Ω(A − UVᵀ)‖² + ½λ(‖U‖² + ‖V‖²), which is at least F(UVᵀ)."""
    U, V = factors
    return sum((a - product(U, V, c)) ** 2 for c, a in A.items()) / 2 + penalty * (squares(U) + squares(V)) / 2


def least_objective(A, factors, penalty):
    """At most F(UVᵀ): ⟨M, W⟩ ≤ ‖M‖_* for W = PQᵀ of its singular vectors, divided by more than ‖W‖."""
    U, V = (exactly(one) for one in factors)
    loss = sum((a - product(U, V, c)) ** 2 for c, a in A.items()) / 2
    if not U[0]:
        return loss
    Q, S = np.linalg.qr(factors[0])
    P, T = np.linalg.qr(factors[1])
    left, _, right = np.linalg.svd(S @ T.T)
    left, right = exactly(Q @ left), exactly(P @ right.T)
    longest = norm_bound(left) * norm_bound(right)  # ‖PQᵀ‖²
    rank = range(len(U[0]))
    inner = [[sum(x[p] * y[q] for x, y in zip(U, left, strict=True)) for q in rank] for p in rank]
    other = [[sum(x[p] * y[q] for x, y in zip(V, right, strict=True)) for q in rank] for p in rank]
    nuclear = sum(inner[p][q] * other[p][q] for p in rank for q in rank)
    return loss + Fraction(penalty) * nuclear / (1 + (longest - 1) / 2 if longest > 1 else 1)


def norm_bound(basis):
    """An upper bound of ‖P‖² from the largest row of |PᵀP|."""
    rank = range(len(basis[0]))
    gram = [[sum(row[p] * row[q] for row in basis) for q in rank] for p in rank]
    return max(sum(abs(x) for x in row) for row in gram)


def check_gradient(known, A, factors, penalty, words):
    """‖(RV − λU, RᵀU − λV)‖ ≤ γλ‖(U, V)‖."""
    U, V = factors
    ahead, back = [[-penalty * x for x in row] for row in U], [[-penalty * x for x in row] for row in V]
    for (i, j), a in A.items():
        r = a - product(U, V, (i, j))
        ahead[i] = [x + r * v for x, v in zip(ahead[i], V[j], strict=True)]
        back[j] = [x + r * u for x, u in zip(back[j], U[i], strict=True)]
    off, size = squares(ahead) + squares(back), penalty**2 * (squares(U) + squares(V))
    insist(off <= (Fraction(known.stationarity) * Fraction(1001, 1000)) ** 2 * size, words, known, "gradient")
