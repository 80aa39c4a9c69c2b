"""Certificates of embeddings: eigenpairs, paths and stress, against rational arithmetic and 60 digits."""

from decimal import localcontext
from fractions import Fraction
from itertools import product

import numpy as np
from scipy import sparse

import aprendiz as ap
from aprendiz.decomposition.local_weights.constraints import equations
from aprendiz.decomposition.majorization.targets import targets_of

from .checks import decimal, insist
from .hostile_tables import exactly, magnitude, with_extremes


def classical_scaling(seed):
    """‖Bv − λv‖ ≤ 10⁻⁸·|λ|, right angles to 10⁻⁹, and no eigenvalue above those that were taken."""
    table, words = given_table(seed)
    model = ap.ClassicalMDS(int(np.random.default_rng([seed, 6]).integers(1, 4)), metric="precomputed").fit(table)
    if model.certificate_.holds:
        check_scaling(model.certificate_, model.dissimilarity_matrix_, model.embedding_, model.eigenvalues_, words)
    return model.certificate_.holds


def given_table(seed):
    """Distances of a hostile table by some metric, or numbers that are no distances."""
    X, words = with_extremes(seed, largest=9)
    rng = np.random.default_rng([seed, 5])
    kind = rng.choice(["euclidean", "manhattan", "chebyshev", "none", "few"])
    if kind in ("none", "few"):
        D = np.round(10.0 ** rng.uniform(-3, 3, (len(X), len(X)))) if kind == "few" else rng.uniform(size=(len(X), len(X)))
        D = np.triu(D, 1) * 10.0 ** rng.choice([-120, -8, 0, 0, 8, 120])
        return D + D.T, f"{kind} {words}"
    gaps = np.abs(X[:, None] - X[None])
    measure = {"euclidean": lambda g: np.sqrt((g**2).sum(axis=2)), "manhattan": lambda g: g.sum(axis=2)}
    return measure.get(kind, lambda g: g.max(axis=2))(gaps), f"{kind} {words}"


def check_scaling(known, D, embedding, values, words):
    """The eigenpairs of −½JD²J, in fractions, and how many eigenvalues are larger."""
    B, n = exact_inner_products(D), len(D)
    L, T = exactly(values), exactly(embedding.T)
    largest = max((abs(v) for v in L), default=Fraction(0))
    kept = [k for k in range(len(L)) if L[k] > 0]
    for k in kept:
        off = [sum(p * q for p, q in zip(row, T[k], strict=True)) - L[k] * T[k][i] for i, row in enumerate(B)]
        size = sum(v**2 for v in off)
        insist(size <= Fraction(1002, 1000) * Fraction(1, 10**16) * largest**2 * L[k], words, known, magnitude(size) / 2)
        for m in kept:
            angle = sum(p * q for p, q in zip(T[k], T[m], strict=True)) - (L[k] if k == m else 0)
            insist(angle**2 <= Fraction(1002, 1000) * Fraction(1, 10**18) * L[k] * L[m], words, known, float(angle))
    above = L[-1] + Fraction(3, 10**8) * max(largest, abs(L[-1]))
    shifted = [[B[i][j] - (above if i == j else 0) for j in range(n)] for i in range(n)]
    insist(positive_eigenvalues(shifted) < len(L), words, known, "a larger eigenvalue was left out")


def exact_inner_products(D):
    squares = [[v**2 for v in row] for row in exactly(D)]
    n = len(squares)
    means = [sum(row) / n for row in squares]
    mean = sum(means) / n
    return [[-(squares[i][j] - means[i] - means[j] + mean) / 2 for j in range(n)] for i in range(n)]


def positive_eigenvalues(A):
    """By Sylvester's law of inertia: symmetric elimination, with pairs of rows where no diagonal entry is left."""
    A, count = [row[:] for row in A], 0
    while A:
        n = len(A)
        pivot = max(range(n), key=lambda i: abs(A[i][i]))
        if A[pivot][pivot] == 0:
            pair = next(((i, j) for i, j in product(range(n), range(n)) if A[i][j] != 0), None)
            if pair is None:
                return count
            i, j = pair  # add row j to row i: a diagonal entry of 2·A_ij
            for k in range(n):
                A[i][k] += A[j][k]
            for k in range(n):
                A[k][i] += A[k][j]
            continue
        count += A[pivot][pivot] > 0
        row = A[pivot]
        rest = [i for i in range(n) if i != pivot]
        A = [[A[i][j] - A[i][pivot] * row[j] / row[pivot] for j in rest] for i in rest]
    return count


def smacof(seed):
    """The stress of the points of every state, with 60 digits, is never more than before, and the last one is as told."""
    table, words = given_table(seed)
    rng = np.random.default_rng([seed, 6])
    metric, n = bool(rng.integers(2)), len(table)
    learner = ap.MDS(int(rng.integers(1, 3)), metric="precomputed", metric_mds=metric, max_iter=6, random_state=seed)
    start = None
    if rng.random() < 0.3:
        start = rng.normal(size=(n, 2)) * 10.0 ** rng.integers(-9, 10) + 2.0 ** rng.integers(0, 40)
    model = learner.fit(table, init=start)
    known = model.certificate_
    if not known.holds:
        return False
    targets = targets_of(model.dissimilarity_matrix_, metric=metric)
    before, wanted, slack = None, None, Fraction(0)
    for state in learner.steps(table, init=start):
        if wanted is not None:
            stress, squares = exact_stress(state.points, wanted)
            told = Fraction(float(state.log[-1]))
            slack = Fraction(1, 10**9) * (squares + stress)
            insist(abs(told - stress) <= slack, words, known, "stress", float(told), float(stress))
            insist(before is None or stress <= before + slack, words, known, "rose", float(stress), float(before or 0))
            before = stress
        wanted = targets.of(state.points, begun=len(state.log) > 0)
    insist(before is None or abs(Fraction(float(known.cost)) - before) <= slack, words, known, "last", float(before or 0))
    return True


def exact_stress(points, wanted):
    """Σ (d − δ)² and Σ d² over pairs."""
    P, W = exactly(points), exactly(wanted)
    stress, squares = Fraction(0), Fraction(0)
    with localcontext() as context:
        context.prec = 60
        for i in range(len(P)):
            for j in range(i):
                square = sum((p - q) ** 2 for p, q in zip(P[i], P[j], strict=True))
                stress += (Fraction(decimal(square).sqrt()) - W[i][j]) ** 2
                squares += square
    return stress, squares


def isomap(seed):
    """The distances are those of shortest paths in fractions, and the eigenpairs are those of their inner products."""
    X, words = with_extremes(seed, largest=9)
    rng = np.random.default_rng([seed, 5])
    model = ap.Isomap(n_neighbors=int(rng.integers(1, min(4, len(X)))), n_components=int(rng.integers(1, 3))).fit(X)
    known = model.certificate_
    if known.holds:
        n, D = len(X), exactly(model.dist_matrix_)
        edges = sparse.coo_array(model.graph_)
        paths = [[Fraction(0) if i == j else None for j in range(n)] for i in range(n)]
        for i, j, w in zip(*edges.coords, edges.data, strict=True):
            if i != j:
                paths[i][j] = Fraction(float(w)) if paths[i][j] is None else min(paths[i][j], Fraction(float(w)))
        for m, i, j in product(range(n), repeat=3):
            if paths[i][m] is not None and paths[m][j] is not None:
                over = paths[i][m] + paths[m][j]
                paths[i][j] = over if paths[i][j] is None else min(paths[i][j], over)
        largest = max(max(row) for row in D)
        worst = max(abs(D[i][j] - paths[i][j]) for i, j in product(range(n), repeat=2))
        insist(worst <= Fraction(1001, 10**12) * largest, words, known, float(worst))
        check_scaling(known, model.dist_matrix_, model.points(), model.kernel_pca_.eigenvalues_, words)
    return known.holds


def spectral_embedding(seed):
    """‖D^(−½)(Lu − λDu)‖ ≤ 1.01·10⁻¹⁰·‖D^½u‖, and right angles: both are rational in u."""
    X, words = with_extremes(seed, largest=9)
    spread = X.std(axis=0)
    X = (X - X.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    rng = np.random.default_rng([seed, 5])
    gamma = 10.0 ** rng.integers(-8, 3)
    model = ap.SpectralEmbedding(int(rng.integers(1, min(4, len(X)))), affinity="rbf", gamma=gamma, random_state=0).fit(X)
    known = model.certificate_
    if known.holds:
        W, n = exactly(model.affinity_matrix_), len(X)
        degree = [sum(W[i][j] for j in range(n) if j != i) for i in range(n)]
        scale = [d if d > 0 else Fraction(1) for d in degree]
        U, values = exactly(model.embedding_.T), exactly(model.eigenvalues_)
        for k, u in enumerate(U):
            length = sum(d * v**2 for d, v in zip(scale, u, strict=True))
            off = [
                degree[i] * u[i] - sum(W[i][j] * u[j] for j in range(n) if j != i) - values[k] * scale[i] * u[i]
                for i in range(n)
            ]
            size = sum(v**2 / d for v, d in zip(off, scale, strict=True))
            insist(size <= Fraction(103, 100) * Fraction(101, 10**12) ** 2 * length, words, known, magnitude(size) / 2)
            for m, other in enumerate(U):
                angle = sum(d * p * q for d, p, q in zip(scale, u, other, strict=True)) - (k == m)
                insist(abs(angle) <= Fraction(1001, 10**12), words, known, float(angle))
    return known.holds


def locally_linear(seed):
    """‖My − λy‖ ≤ 10⁻⁹·‖M‖ for M = RᵀR in fractions, right angles, and an error that is the sum of yᵀMy."""
    X, words = with_extremes(seed, largest=9)
    rng = np.random.default_rng([seed, 5])
    n, method = len(X), str(rng.choice(["standard", "standard", "modified", "ltsa"]))
    k = int(rng.integers(1, min(3, X.shape[1] + 1)))
    model = ap.LocallyLinearEmbedding(n_neighbors=int(rng.integers(k + 1, n)), n_components=k, method=method).fit(X)
    known = model.certificate_
    if known.holds:
        near = model.nbrs_.kneighbors(return_distance=False)
        R = exactly(equations(X, near, method, k, 1e-3, 1e-12).toarray())
        M = [[sum(row[i] * row[j] for row in R) for j in range(n)] for i in range(n)]
        size = max(sum(abs(v) for v in row) for row in M)
        total = Fraction(0)
        for y in exactly(model.embedding_.T):
            length = sum(v**2 for v in y)
            image = [sum(p * q for p, q in zip(row, y, strict=True)) for row in M]
            value = sum(p * q for p, q in zip(y, image, strict=True)) / length
            total += value
            off = sum((p - value * q) ** 2 for p, q in zip(image, y, strict=True))
            insist(off <= Fraction(1002, 10**21) * size**2, method, words, known, magnitude(off) / 2)
            insist(abs(length - 1) <= Fraction(3, 10**9), words, known, float(length))
            insist(sum(y) ** 2 <= n * Fraction(1002, 10**21), words, known, "not at right angles to the constant")
        insist(abs(total - Fraction(float(known.error))) <= Fraction(1, 10**12) * size, words, known, "error", float(total))
    return known.holds
