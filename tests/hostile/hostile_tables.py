"""Small tables that are hard on arithmetic: offsets, scales, columns that nearly coincide, outliers, extreme weights, few
rows."""

from fractions import Fraction

import numpy as np


def hostile_table(seed, *, largest=12, columns=3):
    """Rows, and the words that say what is hostile about them."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(3, largest + 1)), int(rng.integers(1, columns + 1))
    X = rng.integers(-9, 10, size=(n, d)).astype(float) if rng.random() < 0.4 else rng.normal(size=(n, d))
    words = []
    for name, spoil in SPOILS.items():
        if rng.random() < 0.3:
            X = spoil(rng, X)
            words.append(name)
    return np.ascontiguousarray(X), ", ".join(words) or "plain"


def offset(rng, X):
    return X + 2.0 ** rng.integers(4, 40) * rng.choice([-1.0, 1.0], size=X.shape[1])


def scales(rng, X):
    return X * 10.0 ** rng.integers(-12, 13, size=X.shape[1])


def near_collinear(rng, X):
    return np.column_stack([X, X[:, 0] + 10.0 ** -rng.integers(1, 15) * rng.integers(-3, 4, size=len(X))])


def duplicates(rng, X):
    return X[rng.integers(0, len(X), size=len(X))] if rng.random() < 0.5 else np.column_stack([X, X[:, 0]])


def outlier(rng, X):
    X = X.copy()
    X[rng.integers(len(X)), rng.integers(X.shape[1])] *= 10.0 ** rng.integers(3, 12)
    return X


def constant_column(rng, X):
    return np.column_stack([X, np.full(len(X), rng.choice([0.1, 1e8 + 0.1, -3.0]))])


def two_values(rng, X):
    X = X.copy()
    X[:, -1] = np.where(rng.random(len(X)) < 0.5, 0.1, 0.3)
    return X


def denormals(rng, X):
    X = X.copy()
    X[:, 0] *= 10.0 ** rng.choice([-310, -300, -200, -160, -100])
    return X


def huge(rng, X):
    X = X.copy()
    X[:, 0] *= 10.0 ** rng.choice([60, 100, 140])
    return X


SPOILS = {
    "near-collinear": near_collinear,
    "two values": two_values,
    "duplicates": duplicates,
    "constant column": constant_column,
    "outlier": outlier,
    "scales": scales,
    "offset": offset,
}
RARE = {"denormals": denormals, "huge": huge}


def with_extremes(seed, **sizes):
    """A hostile table, one in six with numbers near the ends of the range of doubles."""
    X, words = hostile_table(seed, **sizes)
    rng = np.random.default_rng([seed, 1])
    if rng.random() < 1 / 6:
        name = str(rng.choice(list(RARE)))
        X, words = RARE[name](rng, X), f"{words}, {name}"
    return X, words


def hostile_weights(seed, n):
    """None, or weights that differ by many orders; at least two of them count."""
    rng = np.random.default_rng([seed, 2])
    kind = rng.integers(5)
    if kind < 2:
        return None
    w = [rng.uniform(0.1, 2, n), 10.0 ** rng.integers(-8, 9, n), rng.integers(0, 3, n).astype(float)][kind - 2]
    w[:2] = np.maximum(w[:2], 0.5)
    return w


def hostile_target(seed, X):
    """Numbers that depend on the rows, more or less."""
    rng = np.random.default_rng([seed, 3])
    spread = X.std(axis=0)
    Z = (X - X.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    y = Z @ rng.normal(size=X.shape[1]) + 10.0 ** rng.integers(-8, 2) * rng.normal(size=len(X))
    return y + 2.0 ** rng.integers(0, 27) * rng.integers(0, 2)


def two_classes(seed, X):
    """0 and 1, both of them there."""
    y = (hostile_target(seed, X) > np.median(hostile_target(seed, X))).astype(int)
    y[:2] = [0, 1]
    return y


# ---- exact arithmetic --------------------------------------------------------------------------------------------------


def exactly(values):
    """Numbers as they are, in rational arithmetic."""
    if isinstance(values, Fraction):
        return values
    return [exactly(v) for v in values] if np.ndim(values) else Fraction(float(values))


def exact_solution(A, b):
    """x with A x = b, or None if A is singular."""
    n, M = len(A), [[*row, value] for row, value in zip(A, b, strict=True)]
    for i in range(n):
        pivot = next((k for k in range(i, n) if M[k][i] != 0), None)
        if pivot is None:
            return None
        M[i], M[pivot] = M[pivot], M[i]
        for k in range(n):
            if k != i and M[k][i]:
                factor = M[k][i] / M[i][i]
                M[k] = [p - factor * q for p, q in zip(M[k], M[i], strict=True)]
    return [M[i][n] / M[i][i] for i in range(n)]


def exact_rank(rows):
    """The rank of a matrix of fractions."""
    M, rank = [list(row) for row in rows], 0
    for column in range(len(M[0]) if M else 0):
        pivot = next((k for k in range(rank, len(M)) if M[k][column] != 0), None)
        if pivot is None:
            continue
        M[rank], M[pivot] = M[pivot], M[rank]
        for k in range(rank + 1, len(M)):
            if M[k][column]:
                factor = M[k][column] / M[rank][column]
                M[k] = [p - factor * q for p, q in zip(M[k], M[rank], strict=True)]
        rank += 1
    return rank


def exact_centred(X, y, w, intercept):
    """Rows, targets and weights in fractions, less their weighted means if there is an intercept; and the means."""
    rows, t = exactly(X), exactly(y)
    w = [Fraction(1)] * len(rows) if w is None else exactly(w)
    total, d = sum(w), len(rows[0])
    mean, middle = [Fraction(0)] * d, Fraction(0)
    if intercept:
        mean = [sum(p * row[j] for p, row in zip(w, rows, strict=True)) / total for j in range(d)]
        middle = sum(p * v for p, v in zip(w, t, strict=True)) / total
    Z = [[v - m for v, m in zip(row, mean, strict=True)] for row in rows]
    return Z, [v - middle for v in t], w, mean, middle


def exact_line(X, y, w=None, intercept=True, alpha=0):
    """w of least squares with α‖w‖², or None; lengths of the centred columns and of the target, squared."""
    Z, c, w, _, _ = exact_centred(X, y, w, intercept)
    d = len(Z[0])
    A = [[sum(p * r[i] * r[j] for p, r in zip(w, Z, strict=True)) for j in range(d)] for i in range(d)]
    b = [sum(p * r[i] * v for p, r, v in zip(w, Z, c, strict=True)) for i in range(d)]
    size, own = [A[i][i] for i in range(d)], sum(p * v * v for p, v in zip(w, c, strict=True))
    for i in range(d):
        A[i][i] += Fraction(float(alpha))
    return exact_solution(A, b), size, own


def root(x):
    """√ of a fraction, as a double, without leaving its range."""
    if x == 0:
        return 0.0
    shift = (x.numerator.bit_length() - x.denominator.bit_length()) // 2
    return float(np.sqrt(float(x / Fraction(4) ** shift))) * 2.0**shift if -1000 < shift < 1000 else np.inf


def magnitude(x):
    """log₁₀|x| of a fraction; −∞ of 0."""
    if x == 0:
        return -np.inf
    shift = abs(x).numerator.bit_length() - x.denominator.bit_length()
    return float(np.log10(float(abs(x) / Fraction(2) ** shift)) + shift * np.log10(2.0))
