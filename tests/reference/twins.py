"""Plain twins of the compiled kernels and of whole methods: no Numba, no blocks, no shortcuts, only the definition."""

import struct
from fractions import Fraction
from itertools import product

import numpy as np

# ---- k-means ---------------------------------------------------------------------------------------------------------


def own_squares(X, centers, labels):
    """‖x_i − c_labels[i]‖²."""
    return ((X.astype(np.float64) - centers[labels]) ** 2).sum(axis=1)


def all_squares(X, centers):
    """‖x_i − c_j‖²."""
    return ((X.astype(np.float64)[:, None, :] - centers) ** 2).sum(axis=2)


def unsure(squares, labels, lower, move, others, half_gap):
    """Rows that another centre may have won, and the lower bounds after the moves of the other centres."""
    lower, upper = lower - others[labels], np.sqrt(squares) + move[labels]
    return np.flatnonzero(~(upper < np.maximum(lower, half_gap[labels]))), lower


def search(X, centers):
    """The nearest centre of each row (the first of several), its square, the distance of the second nearest."""
    squares = all_squares(X, centers)
    nearest = squares.argmin(axis=1)
    others = squares.copy()
    others[np.arange(len(X)), nearest] = np.inf
    return nearest, squares.min(axis=1), np.sqrt(others.min(axis=1))


def gather(X, w, centers, labels):
    """Σ w and Σ w (x − c) of each centre."""
    k = len(centers)
    weight = np.array([w[labels == j].sum() for j in range(k)])
    shift = np.array([(w[labels == j, None] * (X[labels == j] - centers[j])).sum(axis=0) for j in range(k)])
    return weight, shift


def half_gaps(centers):
    """Half the distance from each centre to its nearest other."""
    squares = all_squares(centers, centers)
    np.fill_diagonal(squares, np.inf)
    return np.sqrt(squares.min(axis=1)) / 2


def weigh_trials(X, w, drawn, squares):
    """Σ w min(D², ‖x − drawn_l‖²) for each candidate l."""
    return w @ np.minimum(squares[:, None], all_squares(X, drawn))


def win_rows(X, center, number, squares, near):
    """D² and the nearest centre of each row after one more centre."""
    new = own_squares(X, center[None, :], np.zeros(len(X), int))
    return np.minimum(new, squares), np.where(new < squares, number, near)


def lloyd(X, centers, w=None):
    """Textbook k-means: the centres after each pass, until no row changes its centre."""
    w = np.ones(len(X)) if w is None else w
    history, before = [centers], None
    while True:
        labels = all_squares(X, centers).argmin(axis=1)
        if before is not None and np.array_equal(labels, before):
            return history
        centers = np.array([np.average(X[labels == j], axis=0, weights=w[labels == j]) for j in range(len(centers))])
        history.append(centers)
        before = labels


def best_clustering(X, k, w=None):
    """The smallest cost of any partition into at most k groups, by trying them all."""
    w = np.ones(len(X)) if w is None else w
    best = np.inf
    for labels in product(range(k), repeat=len(X) - 1):
        groups, cost = np.array((0, *labels)), 0.0
        for j in np.unique(groups):
            part, weight = X[groups == j], w[groups == j]
            cost += weight @ ((part - np.average(part, axis=0, weights=weight)) ** 2).sum(axis=1)
        best = min(best, cost)
    return best


# ---- logistic regression ---------------------------------------------------------------------------------------------


def link(X, y, weight, pivot, theta):
    """Σ ω ℓ, the smallest margin, the gradient, and the rows √(ω p(1 − p))·z, for y in {0, 1}."""
    Z = np.column_stack([np.ones(len(X)), X.astype(np.float64) - pivot])
    t = Z @ theta
    p = np.where(t >= 0, 1 / (1 + np.exp(-np.abs(t))), np.exp(-np.abs(t)) / (1 + np.exp(-np.abs(t))))
    loss = weight @ (np.logaddexp(0, t) - y * t)
    margin = np.min(np.where(y == 1, t, -t)[weight > 0], initial=np.inf)
    spread = np.exp(-np.abs(t)) / (1 + np.exp(-np.abs(t))) ** 2  # p(1 − p) without cancellation
    return loss, margin, Z.T @ (weight * (p - y)), np.sqrt(weight * spread)[:, None] * Z


def logistic_objective(theta, X, Y, weight, alpha):
    """Σ ω ℓ + α‖w‖²/2 and its gradient; θ has a row (b, w) for each class, Y a column of zeros and ones for each class."""
    theta = theta.reshape(Y.shape[1], -1)
    Z = np.column_stack([np.ones(len(X)), X])
    T = Z @ theta.T
    top = T.max(axis=1, keepdims=True)
    log_sum = top + np.log(np.exp(T - top).sum(axis=1, keepdims=True))
    loss = weight @ (log_sum[:, 0] - (T * Y).sum(axis=1)) + alpha / 2 * (theta[:, 1:] ** 2).sum()
    gradient = ((np.exp(T - log_sum) - Y) * weight[:, None]).T @ Z
    gradient[:, 1:] += alpha * theta[:, 1:]
    return loss, gradient.ravel()


def irls(X, y, weight, alpha, passes=60):
    """Iteratively reweighted least squares for two classes: (b, w)."""
    Z = np.column_stack([np.ones(len(X)), X])
    penalty = alpha * np.diag([0.0, *np.ones(X.shape[1])])
    theta = np.zeros(Z.shape[1])
    for _ in range(passes):
        p = 1 / (1 + np.exp(-Z @ theta))
        H = (Z * (weight * p * (1 - p))[:, None]).T @ Z + penalty
        theta = theta - np.linalg.solve(H, Z.T @ (weight * (p - y)) + penalty @ theta)
    return theta


# ---- least squares, exactly ------------------------------------------------------------------------------------------


def fractions(a):
    """The same numbers, exactly."""
    return np.vectorize(lambda v: Fraction(float(v)), otypes=[object])(np.asarray(a, dtype=np.float64))


def exact_gradient(X, y, weight, mean, w, b, b_low):
    """Σ ω r and Σ ω r (x − mean), r = y − (b + b_low) − xᵀw, without any rounding; and the same sums of absolute values."""
    X, y, weight, mean, w = (fractions(a) for a in (X, y, weight, mean, w))
    b = Fraction(b) + Fraction(b_low)
    r = y - b - X @ w
    Z = np.column_stack([np.full(len(X), Fraction(1)), X - mean])
    size = abs(y) + abs(b) + abs(X) @ abs(w)
    return (r * weight) @ Z, (size * weight) @ abs(Z)


def exact_least_squares(X, y, weight=None, intercept=True):
    """The minimiser of Σ ω (y − b − xᵀw)² in rational arithmetic: (w, b) as fractions."""
    n = len(X)
    A = fractions(np.column_stack([np.ones(n), X]) if intercept else X)
    w = fractions(np.ones(n) if weight is None else weight)
    G, c = (A * w[:, None]).T @ A, (A * w[:, None]).T @ fractions(y)
    solution = solve(G, c)
    return (solution[1:], solution[0]) if intercept else (solution, Fraction(0))


def solve(A, b):
    """A⁻¹b by elimination, in fractions."""
    A, b, n = A.copy(), b.copy(), len(b)
    for i in range(n):
        pivot = next(r for r in range(i, n) if A[r, i] != 0)
        A[[i, pivot]], b[[i, pivot]] = A[[pivot, i]], b[[pivot, i]]
        for r in range(i + 1, n):
            factor = A[r, i] / A[i, i]
            A[r, i:] -= factor * A[i, i:]
            b[r] -= factor * b[i]
    x = np.zeros(n, dtype=object)
    for i in reversed(range(n)):
        x[i] = (b[i] - A[i, i + 1 :] @ x[i + 1 :]) / A[i, i]
    return x


def exact_ridge(X, y, alpha, weight=None, intercept=True):
    """The minimiser of Σ ω (y − b − xᵀw)² + α‖w‖² in rational arithmetic: (w, b) as fractions."""
    n, d = X.shape
    A = fractions(np.column_stack([np.ones(n), X]) if intercept else X)
    w = fractions(np.ones(n) if weight is None else weight)
    G, c = (A * w[:, None]).T @ A, (A * w[:, None]).T @ fractions(y)
    for j in range(len(G) - d, len(G)):  # not the intercept
        G[j, j] += Fraction(float(alpha))
    solution = solve(G, c)
    return (solution[1:], solution[0]) if intercept else (solution, Fraction(0))


# ---- L-BFGS ----------------------------------------------------------------------------------------------------------


def bfgs_inverse(pairs, diagonal):
    """The inverse curvature, update by update, from 1/diagonal scaled by the newest pair."""
    H = np.diag(1.0 / diagonal)
    if len(pairs):
        s, y = pairs[-1]
        H *= (s @ y) / (y @ H @ y)
    for s, y in pairs:
        rho = 1.0 / (y @ s)
        V = np.eye(len(s)) - rho * np.outer(y, s)
        H = V.T @ H @ V + rho * np.outer(s, s)
    return H


# ---- columns: spread, gaps, modes ------------------------------------------------------------------------------------


def spread_of_known(X, w, pivot):
    """Σ w, Σ w z, Σ w z² and how many, of the known z = x − pivot of each column."""
    Z = X.astype(np.float64) - pivot
    W = np.where(np.isnan(Z), 0.0, w[:, None])
    return W.sum(axis=0), np.nansum(W * Z, axis=0), np.nansum(W * Z**2, axis=0), (~np.isnan(Z)).sum(axis=0)


def count_missing(X, w):
    """Rows that count, and how many cells of each column are missing in them."""
    return int((w > 0).sum()), np.isnan(X[w > 0]).sum(axis=0)


def longest_run(values):
    """The most frequent value, the smallest of several."""
    distinct, times = np.unique(values, return_counts=True)
    return distinct[times.argmax()]


# ---- naive Bayes -----------------------------------------------------------------------------------------------------


def spread_by_class(X, y, w, pivot):
    """`spread_of_known` of the rows of each class that have weight, around the pivot of the class."""
    found = [spread_of_known(X[(y == k) & (w > 0)], w[(y == k) & (w > 0)], pivot[k]) for k in range(len(pivot))]
    return tuple(np.array(part) for part in zip(*found, strict=True))


def gaussian_joint(X, mean, variance, log_prior):
    """log π − ½ Σ over the known cells of log 2πσ² + (x − μ)²/σ²."""
    X = X.astype(np.float64)[:, None, :]
    return log_prior - 0.5 * np.nansum(
        np.where(np.isnan(X), np.nan, np.log(2 * np.pi * variance)) + (X - mean) ** 2 / variance, 2
    )


def first_no_code(X, most):
    """Row and column of the first negative cell, else of the first that is no whole number or too large, else (−1, −1)."""
    negative, strange = np.argwhere(X < 0), np.argwhere((most <= X) | (np.mod(X, 1) > 0))
    for found in (*negative, *strange):
        return tuple(found)
    return -1, -1


def highest_codes(X, w):
    """The largest code of each column in rows that count, −1 where there is none."""
    return np.array([max((int(x) for x in column if x >= 0), default=-1) for column in X[w > 0].T])


def count_codes(X, y, w, classes, sizes):
    """For each column, the weight of each class and category."""
    tables = [np.zeros((classes, size)) for size in sizes]
    for row, k, weight in zip(X, y, w, strict=True):
        for table, x in zip(tables, row, strict=True):
            if x >= 0:
                table[k, int(x)] += weight
    return tables


def add_logarithms(X, tables, joint):
    """`joint` with log θ of every cell that is a known category; a table of classes × categories for each column."""
    total = joint.copy()
    for i, row in enumerate(X):
        for table, x in zip(tables, row, strict=True):
            if 0 <= x < table.shape[1]:
                total[i] += table[:, int(x)]
    return total


# ---- quantiles -------------------------------------------------------------------------------------------------------


def key(x):
    """The place of a double among all doubles: its bits, turned over if it is negative, else with the sign set."""
    (bits,) = struct.unpack("<Q", struct.pack("<d", float(x) + 0.0))
    return bits ^ (2**64 - 1) if bits >> 63 else bits | 2**63


def part(x, low, shift, number):
    """In which of so many parts of 2^shift keys, counted from the key `low`, a cell lies; None if in none."""
    at = (key(x) - int(low)) >> int(shift) if x == x else -1
    return at if 0 <= at < number else None


def count_parts(parts, w, number):
    """Cells and weight in each of so many parts; part None is nowhere."""
    cells, weight = np.zeros(number, np.int64), np.zeros(number)
    for at, one in zip(parts, w, strict=True):
        if at is not None and one > 0:
            cells[at] += 1
            weight[at] += one
    return cells, weight


def quantile(column, weight, level):
    """Type 7 of Hyndman & Fan: the cell at position ⌊q(W − 1)⌋, and its share of the way to the next, in fractions."""
    known = sorted((Fraction(float(x)), Fraction(float(w))) for x, w in zip(column, weight, strict=True) if x == x and w > 0)
    if not known:
        return None
    h = max(Fraction(float(level) * (float(sum(w for _, w in known)) - 1.0)), Fraction(0))
    ends = np.cumsum([w for _, w in known])
    low, high = (
        next((x for (x, _), end in zip(known, ends, strict=True) if end > rank), known[-1][0]) for rank in (h // 1, h // 1 + 1)
    )
    return low + (h - h // 1) * (high - low)


def pool_violators(y, w):
    """Isotonic regression by its definition: of all means that end at a row or behind it, the least; of these, over all that
    begin at it or before, the largest."""
    n = len(y)
    return [
        max(min(w[i : j + 1] @ y[i : j + 1] / w[i : j + 1].sum() for j in range(k, n)) for i in range(k + 1)) for k in range(n)
    ]


# ---- comparisons -----------------------------------------------------------------------------------------------------


def dirichlet_weights(differences, seed, draws, strength):
    """Weights of a difference of 0 (the prior) and of each given one, drawn in order of size."""
    values = np.concatenate([[0.0], differences])
    order = np.argsort(values, kind="stable")
    gamma = np.random.default_rng(seed).standard_gamma(np.where(order == 0, strength, 1.0), (draws, len(values)))
    weights = np.empty_like(gamma)
    weights[:, order] = gamma / gamma.sum(axis=1, keepdims=True)
    return weights


def pairwise_shares(differences, weights, rope):
    """For each draw, Σ w_i w_j over the pairs whose mean lies below, in and above the region."""
    values = [0.0, *differences]
    shares = np.zeros((len(weights), 3))
    for draw, w in enumerate(weights):
        for i, j in product(range(len(values)), repeat=2):
            total = values[i] + values[j]
            side = 0 if total < 2 * rope[0] else 2 if total > 2 * rope[1] else 1
            shares[draw, side] += w[i] * w[j]
    return shares
