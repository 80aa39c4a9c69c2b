"""Certificates of neighbours and clusters, against rational arithmetic and 60 digits."""

from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import combinations, pairwise

import numpy as np

import aprendiz as ap

from .checks import EPS, decimal, insist
from .hostile_tables import exactly, with_extremes


def squares(X):
    rows = exactly(X)
    return [[sum((p - q) ** 2 for p, q in zip(a, b, strict=True)) for b in rows] for a in rows]


def roots(square):
    with localcontext(prec=60):
        return [[decimal(v).sqrt() for v in row] for row in square]


def neighbours(seed):
    """The distances of the nearest rows are the smallest ones, to 10⁻¹² of the largest of them."""
    X, words = with_extremes(seed)
    k = min(3, len(X))
    model = ap.NearestNeighbors(n_neighbors=k, algorithm=["brute", "kd_tree", "auto"][seed % 3]).fit(X)
    if model.certificate_.holds:
        found, D = model.kneighbors(X)[0], roots(squares(X))
        wanted = [sorted(row)[:k] for row in D]
        largest = max(max(row) for row in wanted)
        wrong = max(abs(Decimal(float(a)) - b) for p, q in zip(found, wanted, strict=True) for a, b in zip(p, q, strict=True))
        insist(wrong <= Decimal("1.1e-12") * largest + Decimal("1e-300"), words, model.certificate_, wrong, largest)
    return model.certificate_.holds


def linkage(seed):
    """Heights, to 10⁻⁹ of the largest."""
    X, words = with_extremes(seed, largest=9)
    kind = ["ward", "single", "complete", "average", "centroid"][seed % 5]
    model = ap.AgglomerativeClustering(1, linkage=kind).fit(X)
    if not model.certificate_.holds:
        return False
    rows, D = exactly(X), roots(squares(X))
    members, n = {i: [i] for i in range(len(X))}, len(X)
    heights = []
    with localcontext(prec=60):
        for number, (a, b) in enumerate(model.children_):
            A, B = members[int(a)], members[int(b)]
            members[n + number] = A + B
            between = [D[i][j] for i in A for j in B]
            if kind in ("ward", "centroid"):
                means = [[sum(rows[i][j] for i in part) / len(part) for j in range(X.shape[1])] for part in (A, B)]
                square = sum((p - q) ** 2 for p, q in zip(*means, strict=True))
                square *= Fraction(2 * len(A) * len(B), len(A) + len(B)) if kind == "ward" else 1
                heights.append(decimal(square).sqrt())
            else:
                of = {"single": min, "complete": max, "average": lambda all_: sum(all_) / len(all_)}[kind]
                heights.append(of(between))
        largest = max(heights)
        wrong = max(abs(Decimal(float(h)) - v) for h, v in zip(model.distances_, heights, strict=True))
        insist(wrong <= Decimal("1e-8") * largest + Decimal("1e-300"), words, kind, model.certificate_, wrong, largest)
    return True


def k_medoids(seed):
    """No swap of a medoid for another row lowers the cost, but for 10⁻⁹ of it."""
    X, words = with_extremes(seed, largest=8)
    model = ap.KMedoids(2, random_state=0).fit(X)
    if model.certificate_.holds:
        D = roots(squares(X))

        def cost(centres):
            return sum(min(row[c] for c in centres) for row in D)

        own = list(model.medoid_indices_)
        now = cost(own)
        best = min(cost([new if c == old else c for c in own]) for old in own for new in range(len(X)))
        insist(now - best <= Decimal("1e-9") * now, words, model.certificate_, now, best)
    return model.certificate_.holds


def k_centers(seed):
    """The radius is at most twice the best possible, by trying all pairs of rows."""
    X, words = with_extremes(seed, largest=8)
    model = ap.KCenters(2, random_state=0).fit(X)
    if model.certificate_.holds:
        D = roots(squares(X))
        best = min(max(min(row[a], row[b]) for row in D) for a, b in combinations(range(len(X)), 2))
        radius = Decimal(float(model.certificate_.radius))
        insist(radius <= 2 * best * (1 + Decimal("1e-9")) + Decimal("1e-300"), words, model.certificate_, best)
    return model.certificate_.holds


def k_means(seed):
    """J, in rational arithmetic at the centres of every pass, never rises by more than 10⁻⁹ of its first value, and rounding
    of c."""
    X, words = with_extremes(seed)
    rng = np.random.default_rng([seed, 4])
    k = min(2, len(np.unique(X, axis=0)))
    start = X[rng.permutation(len(X))[:k]]
    model, rows, costs = ap.KMeans(k, init=start, n_init=1), exactly(X), []
    for state in model.steps(X):
        centres = exactly(state.centers)
        costs.append(sum(min(sum((p - q) ** 2 for p, q in zip(row, c, strict=True)) for c in centres) for row in rows))
    model.fit(X)
    rise = max((b - a for a, b in pairwise(costs)), default=Fraction(0))
    rounding = sum((4 * EPS * v) ** 2 for row in rows for v in row)
    insist(not model.certificate_.holds or rise <= Fraction(1, 10**9) * costs[0] + rounding, words, model.certificate_)
    return model.certificate_.holds


def fuzzy_c_means(seed):
    """J = Σ_i (Σ_j ‖x_i − c_j‖⁻²)⁻¹ for m = 2, in rational arithmetic at the centres of every pass, never rises."""
    X, words = with_extremes(seed)
    model, rows, costs = ap.FuzzyCMeans(2, m=2.0, init=X[:2], n_init=1, max_iter=30), exactly(X), []
    for state in model.steps(X):
        D = [[sum((p - q) ** 2 for p, q in zip(row, c, strict=True)) for c in exactly(state.centers)] for row in rows]
        costs.append(sum(0 if 0 in row else 1 / sum(1 / v for v in row) for row in D))
    model.fit(X)
    rise = max((b - a for a, b in pairwise(costs)), default=0)
    insist(not model.certificate_.holds or rise <= Fraction(1, 10**9) * costs[0], words, model.certificate_)
    return model.certificate_.holds


def gaussian_mixture(seed):
    """The log-likelihood of one column with 60 digits at every pass: it does not fall by more than reg_covar and rounding
    take."""
    X, words = with_extremes(seed, columns=1)
    X = X[:, :1] / max(float(np.std(X[:, 0])), 1e-300)
    model, logs = ap.GaussianMixture(2, means_init=[[X.min()], [X.max()]], reg_covar=0.0, max_iter=8), []
    for state in model.steps(X):
        logs.append(log_likelihood(X[:, 0], state.weights, np.ravel(state.means), np.ravel(state.covariances)))
    model.fit(X)
    if model.certificate_.holds:
        fall = max((a - b for a, b in pairwise(logs)), default=Decimal(0))
        insist(fall <= Decimal("1e-9") * max(1, *map(abs, logs)), words, model.certificate_, fall)
    return model.certificate_.holds


def log_likelihood(column, weights, means, variances):
    with localcontext(prec=60):
        total = Decimal(0)
        for x in map(Decimal, column.tolist()):
            density = Decimal(0)
            for p, m, v in zip(*(map(Decimal, a.tolist()) for a in (weights, means, variances)), strict=True):
                if v > 0:
                    density += p * (-((x - m) ** 2) / (2 * v)).exp() / (Decimal("6.283185307179586476925286766559") * v).sqrt()
            total += density.ln() if density > 0 else Decimal(-(10**6))
        return total


def spectral(seed):
    """No partition of the rows into two groups has a smaller normalised cut than the relaxation."""
    X, words = with_extremes(seed, largest=8)
    spread = X.std(axis=0)
    X = (X - X.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    model = ap.SpectralClustering(2, random_state=0).fit(X)
    if model.certificate_.holds and model.certificate_.clusters == 2:
        W = np.array(model.affinity_matrix_, dtype=float)
        np.fill_diagonal(W, 0.0)
        degree, n = W.sum(axis=1), len(X)
        for size in range(1, n // 2 + 1):
            for some in combinations(range(n), size):
                own = np.isin(np.arange(n), some)
                cut = W[np.ix_(own, ~own)].sum()
                cost = cut / degree[own].sum() + cut / degree[~own].sum()
                insist(cost >= model.certificate_.relaxation - 1e-9, words, model.certificate_, cost)
    return model.certificate_.holds
