"""Certificates of neighbours and clusters, against rational arithmetic and 60 digits."""

import math
from decimal import MIN_EMIN, Decimal, localcontext
from fractions import Fraction
from itertools import combinations, pairwise

import numpy as np

import aprendiz as ap
from aprendiz.bayes.distributions import Bernoulli, Gaussian, Poisson
from aprendiz.cluster.mixtures.members import from_text

from .checks import EPS, decimal, insist
from .hostile_tables import exactly, hostile_weights, with_extremes


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


# ---- samples, batches and orders ----------------------------------------------------------------------------------------


def mini_batch(seed):
    """J of all rows at the centres is at most that of the start, up to 10⁻¹² of it; the costs are those of exact arithmetic
    but for rounding of rows and centres."""
    X, words = with_extremes(seed)
    w, k = hostile_weights(seed, len(X)), min(2, len(np.unique(X, axis=0)))
    start = X[np.random.default_rng([seed, 4]).permutation(len(X))[:k]]
    model = ap.MiniBatchKMeans(k, init=start, batch_size=4, max_iter=5, random_state=seed).fit(X, sample_weight=w)
    before, after = (exact_cost(X, c, w) for c in (start, model.cluster_centers_))
    known, weights = model.certificate_, ones_of(w, len(X))
    rounding = sum(p * (4 * EPS * v) ** 2 for p, row in zip(weights, exactly(X), strict=True) for v in row)
    rounding += Fraction(1, 10**300)
    insist(not known.holds or after <= before * (1 + Fraction(2, 10**12)) + rounding, words, known, float(before), float(after))
    for said, wanted in ((known.objective, after), (known.before, before)):
        off = abs(Fraction(float(said)) - wanted)
        insist(not known.holds or off <= Fraction(1, 10**9) * wanted + rounding, words, known, said, float(wanted))
    return known.holds


def exact_cost(X, centres, w):
    rows, centres = exactly(X), exactly(centres)
    return sum(
        p * min(sum((a - b) ** 2 for a, b in zip(row, c, strict=True)) for c in centres)
        for p, row in zip(ones_of(w, len(rows)), rows, strict=True)
    )


def ones_of(w, n):
    return [Fraction(1)] * n if w is None else exactly(w)


def sampled_medoids(seed):
    """The medoids are rows, and those of no draw have a lower Σ ω·distance over all rows, up to 10⁻⁹ of it."""
    X, words = with_extremes(seed, largest=12)
    w = hostile_weights(seed, len(X))
    model, tried = ap.SampledKMedoids(2, sample_size=3, n_draws=4, random_state=seed), []
    for state in model.steps(X, sample_weight=w):
        tried.append(np.array(state.centers))
    model.fit(X, sample_weight=w)
    if model.certificate_.holds:
        best = min(medoid_cost(X, centres, w) for centres in tried)
        own = medoid_cost(X, X[model.medoid_indices_], w)
        insist((X[model.medoid_indices_] == model.cluster_centers_).all(), words, "medoids are no rows")
        insist(own <= best * (1 + Decimal("1e-9")) + Decimal("1e-150"), words, model.certificate_, float(own), float(best))
        off = abs(Decimal(float(model.inertia_)) - own)
        insist(off <= Decimal("1e-9") * own + Decimal("1e-150"), words, model.certificate_, "cost is", float(own))
    return model.certificate_.holds


def medoid_cost(X, centres, w):
    rows, centres = exactly(X), exactly(centres)
    with localcontext(prec=60):
        nearest = [min(sum((a - b) ** 2 for a, b in zip(row, c, strict=True)) for c in centres) for row in rows]
        return sum(decimal(p) * decimal(v).sqrt() for p, v in zip(ones_of(w, len(rows)), nearest, strict=True))


def farthest_first(seed):
    """For every k: the radii never rise, R_{k+1} is the distance of a row from the first k, and with parents by levels the
    largest radius of the clusters is at most 8 times the best possible, by trying all sets of k rows."""
    X, words = with_extremes(seed, largest=7)
    levels, n = bool(seed % 2), len(X)
    model = ap.FarthestFirstHierarchy(1, parent="levels" if levels else "nearest", random_state=seed).fit(X)
    if not model.certificate_.holds:
        return False
    D, order = roots(squares(X)), [int(i) for i in model.order_]
    largest, slack = max(map(max, D)), Decimal("1e-150")  # squares that vanish
    for k in range(1, n):
        here = [min(row[j] for j in order[:k]) for row in D]
        radius = Decimal(float(model.radii_[k - 1]))
        insist(
            abs(radius - max(here)) <= Decimal("1e-12") * largest + slack, words, "radius", k, float(radius), float(max(here))
        )
        if levels:
            labels = model.cut(k)
            heads = {int(labels[j]): j for j in order[:k]}
            cost = max(D[i][heads[int(labels[i])]] for i in range(n))
            best = min(max(min(row[j] for j in some) for row in D) for some in combinations(range(n), k))
            insist(cost <= 8 * best * (1 + Decimal("1e-9")) + slack, words, model.certificate_, k, float(cost), float(best))
            factor = Decimal(float(model.certificate_.factor))
            insist(cost <= factor * best * (1 + Decimal("1e-9")) + slack, words, model.certificate_, k, "factor")
    return True


def mixture_model(seed):
    """ℓ/Σw of mixed Poisson, Bernoulli or Gaussian columns, with 60 digits at the members of every pass, never falls by more
    than 10⁻⁹ of its largest size; 10⁻¹² is what the log of the fit says."""
    X, words = with_extremes(seed, columns=1)
    w, kind, rng = hostile_weights(seed, len(X)), seed % 3, np.random.default_rng([seed, 4])
    X = X[:, :1] / max(float(np.std(X[:, 0])), 1e-300)
    if kind == 0:
        X = np.minimum(np.round(np.abs(X)), 300.0)
        model = ap.MixtureModel([Poisson(1.0), Poisson(float(rng.choice([1e-3, 5.0, 300.0])))], max_iter=8)
    elif kind == 1:
        X = np.column_stack([X[:, 0] > np.median(X), rng.random(len(X)) < 0.5]).astype(float)
        model = ap.MixtureModel([[Bernoulli(0.3), Bernoulli(0.5)], [Bernoulli(0.9), Bernoulli(1e-9)]], max_iter=8)
    else:
        first = [Gaussian(float(X.min()), 1.0), Gaussian(float(X.max()), 1.0)]
        model = ap.MixtureModel(first, max_iter=8)
    logs = [mixture_log(X, w, state.weights, from_text(state.members)) for state in model.steps(X, sample_weight=w)]
    model.fit(X, sample_weight=w)
    if model.certificate_.holds:
        fall = max((a - b for a, b in pairwise(logs)), default=Decimal(0))
        insist(fall <= Decimal("1e-9") * max(1, *map(abs, logs)), words, model.certificate_, kind, fall)
        said = -Decimal(float(model.certificate_.cost))
        near = min(abs(said - one) for one in logs)
        insist(near <= Decimal("1e-8") * max(1, abs(said)), words, model.certificate_, "no pass has this likelihood", said)
    return model.certificate_.holds


def mixture_log(X, w, weights, members):
    """ℓ/Σw."""
    with localcontext(prec=60, Emin=MIN_EMIN):
        total, omega = Decimal(0), [decimal(p) for p in ones_of(w, len(X))]
        for row, counts in zip(X.tolist(), omega, strict=True):
            density = Decimal(0)
            for p, member in zip(weights.tolist(), members, strict=True):
                one = Decimal(p)
                for x, column in zip(map(Decimal, row), member, strict=True):
                    one *= density_of(column, x)
                density += one
            if counts > 0:
                total += counts * (density.ln() if density > 0 else Decimal(-(10**9)))
        return total / sum(omega)


def density_of(column, x):
    if isinstance(column, Poisson):
        rate, factorial = Decimal(column.rate), Decimal(math.factorial(int(x)))
        return (-rate).exp() * (rate**x if rate > 0 or x > 0 else 1) / factorial
    if isinstance(column, Bernoulli):
        return Decimal(column.p) if x == 1 else 1 - Decimal(column.p)
    v = Decimal(column.variance)
    return (-((x - Decimal(column.mean)) ** 2) / (2 * v)).exp() / (Decimal("6.283185307179586476925286766559") * v).sqrt()
