"""Certificates of scales, projections and classes, against rational arithmetic and 60 digits."""

from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import combinations, product

import numpy as np

import aprendiz as ap

from .checks import EPS, decimal, insist, part
from .hostile_tables import (
    exact_centred,
    exact_rank,
    exact_solution,
    exactly,
    hostile_weights,
    two_classes,
    with_extremes,
)


def moments_of(values, w):
    total = sum(w)
    mean = sum(p * v for p, v in zip(w, values, strict=True)) / total
    return mean, sum(p * (v - mean) ** 2 for p, v in zip(w, values, strict=True)) / total


def check_moments(digits, mean, variance, column, w, words, more=Fraction(0), slack=Fraction(0)):
    """A mean and a variance against those of a column; `more` is what was added to the variance, rounding and all, and known
    up to `slack`."""
    m, v = moments_of(exactly(column), exactly(np.ones(len(column)) if w is None else w))
    if 0 < v < Fraction(1, 10**300):
        return  # squares that vanish
    share = part(0.001 - digits)
    off, wrong = abs(Fraction(float(mean)) - m), abs(Fraction(float(variance)) - more - v)
    insist(digits <= 0 or off <= share * abs(m) or off * off <= share**2 * v, words, digits, "mean", float(off))
    insist(
        digits <= 0 or wrong <= share * v + 4 * EPS * more + slack,
        *(words, digits, "variance", float(wrong / v) if v else float(wrong)),
    )


def standard_scaler(seed):
    """Digits of means and variances."""
    X, words = with_extremes(seed)
    w = hostile_weights(seed, len(X))
    model = ap.StandardScaler().fit(X, sample_weight=w)
    for j in range(X.shape[1]):
        check_moments(model.certificate_.digits, model.mean_[j], model.var_[j], X[:, j], w, words)
    return model.certificate_.holds


def gaussian_nb(seed):
    """The same, class by class, without what smoothing adds, and that it adds at most a hundredth."""
    X, words = with_extremes(seed)
    y, w = two_classes(seed, X), hostile_weights(seed, len(X))
    model = ap.GaussianNB().fit(X, y, w)
    known, ones = model.certificate_, np.ones(len(X)) if w is None else w
    for k, j in product((0, 1), range(X.shape[1])):
        own = (y == k) & (ones > 0)
        variance = (
            0.0 if model.epsilon_ == 0 and len(set(X[own, j])) == 1 else model.var_[k, j]
        )  # 1 where nothing varies at all
        check_moments(known.digits, model.theta_[k, j], variance, X[own, j], ones[own], words, Fraction(model.epsilon_))
        variance = moments_of(exactly(X[:, j]), exactly(ones))[1]
        insist(not known.holds or variance < part(-280) or Fraction(model.epsilon_) <= variance / 99, words, "smoothing")
    return known.holds


def nearest_centroid(seed):
    """Digits of the means of the classes."""
    X, words = with_extremes(seed)
    y = two_classes(seed, X)
    model = ap.NearestCentroid().fit(X, y)
    for k, j in product((0, 1), range(X.shape[1])):
        variance = moments_of(exactly(X[y == k, j]), [Fraction(1)] * int((y == k).sum()))[1]
        check_moments(model.certificate_.digits, model.centroids_[k, j], float(variance), X[y == k, j], None, words)
    return model.certificate_.holds


def min_max(seed):
    """Every scaled cell is within 4ε of exact arithmetic."""
    X, words = with_extremes(seed)
    model = ap.MinMaxScaler().fit(X)
    if model.certificate_.holds:
        for found, column in zip(model.transform(X).T, exactly(X.T), strict=True):
            low, high = min(column), max(column)
            wanted = [(v - low) / (high - low) if high > low else Fraction(0) for v in column]
            insist(all(abs(a - b) <= 4 * EPS for a, b in zip(exactly(found), wanted, strict=True)), words, model.certificate_)
    return model.certificate_.holds


def robust_scaler(seed):
    """Scale 0 or not a number would be a column whose quartiles do not differ."""
    X, words = with_extremes(seed)
    model = ap.RobustScaler().fit(X)
    if model.certificate_.holds:
        for column in exactly(X.T):
            order, place = sorted(column), Fraction(len(column) - 1, 4)
            low, high = (between(order, q * place) for q in (1, 3))
            insist(low < high, words, model.certificate_)
    return model.certificate_.holds


def between(order, place):
    """The quantile at a place of the ordered values."""
    i = int(place)
    return order[i] + (place - i) * (order[min(i + 1, len(order) - 1)] - order[i])


def basis_expansion(seed):
    """Powers of a column are rounded by at most 10^−digits of that power of its range."""
    X, words = with_extremes(seed, columns=1)
    column, power = X[:, :1], 1 + seed % 4
    model = ap.BasisExpansion("polynomial", degree=power, include_bias=False).fit(column)
    values, found = exactly(column[:, 0]), exactly(model.transform(column)[:, -1])
    span = max(values) - min(values)
    if span > 0 and model.certificate_.digits > 0:
        wrong = max(abs(a - b**power) for a, b in zip(found, values, strict=True))
        insist(wrong <= part(-model.certificate_.digits) * span**power, words, model.certificate_)
    return model.certificate_.holds


def pca(seed):
    """The error is that of the best projection, up to 10⁻¹⁰ of the scatter; eigenvalues with 60 digits."""
    X, words = with_extremes(seed)
    k = 1 + seed % X.shape[1]
    if k > min(X.shape):
        return None
    model = ap.PCA(k).fit(X)
    if model.certificate_.holds:
        Z, *_ = exact_centred(X, np.zeros(len(X)), None, True)
        d = X.shape[1]
        S = [[sum(r[i] * r[j] for r in Z) for j in range(d)] for i in range(d)]
        total = sum(S[i][i] for i in range(d))
        if total:
            with localcontext(prec=60):
                best = sum(sorted(eigenvalues([[decimal(v / total) for v in row] for row in S]))[: d - k])
                V = [[decimal(v) for v in row] for row in exactly(model.components_)]
                scaled = [[decimal(v / total) for v in row] for row in S]
                kept = sum(v[i] * scaled[i][j] * v[j] for v in V for i in range(d) for j in range(d))
                left = sum(scaled[i][i] for i in range(d)) - kept
                insist(left - best <= Decimal("1e-10"), words, model.certificate_, "left", float(left), float(best))
                claimed = decimal(Fraction(float(model.certificate_.error)) / total)
                insist(abs(claimed - left) <= Decimal("1e-10"), words, model.certificate_, "error", float(left))
    return model.certificate_.holds


def eigenvalues(A):
    """Of a symmetric matrix, by Jacobi's rotations."""
    d = len(A)
    for _ in range(60):
        if sum(abs(A[i][j]) for i in range(d) for j in range(i)) < Decimal("1e-50"):
            break
        for i, j in combinations(range(d), 2):
            if A[i][j] != 0:
                rotate(A, i, j)
    return [A[i][i] for i in range(d)]


def rotate(A, i, j):
    ratio = (A[j][j] - A[i][i]) / (2 * A[i][j])
    t = (1 if ratio >= 0 else -1) / (abs(ratio) + (ratio * ratio + 1).sqrt())
    c = 1 / (t * t + 1).sqrt()
    s = t * c
    for row in A:
        row[i], row[j] = c * row[i] - s * row[j], s * row[i] + c * row[j]
    A[i], A[j] = (
        [c * p - s * q for p, q in zip(A[i], A[j], strict=True)],
        [s * p + c * q for p, q in zip(A[i], A[j], strict=True)],
    )


# ---- classes ----------------------------------------------------------------------------------------------------------


def discriminants(seed):
    """The rank of the scatter of every class, or of all of them together, in rational arithmetic; of diagonals that every
    column varies, of balls that one does."""
    X, words = with_extremes(seed)
    y = two_classes(seed, X)
    kinds = (ap.LinearDiscriminantAnalysis, ap.QuadraticDiscriminantAnalysis, ap.RegularizedDiscriminantAnalysis)
    kinds += (ap.DiagonalDiscriminantAnalysis, ap.NearestMean)
    model = kinds[seed % 5]().fit(X, y)
    if model.certificate_.holds:
        rows = exactly(X)
        parts = []
        for k in (0, 1):
            own = [row for row, c in zip(rows, y, strict=True) if c == k]
            mean = [sum(row[j] for row in own) / len(own) for j in range(X.shape[1])]
            parts.append([[v - m for v, m in zip(row, mean, strict=True)] for row in own])
        each, together = [exact_rank(part) for part in parts], parts[0] + parts[1]
        varies = [any(row[j] for row in together) for j in range(X.shape[1])]
        claim = model.certificate_.claim
        true = min(each) == X.shape[1] if "every class" in claim else exact_rank(together) == X.shape[1]
        if "of the model" in claim:
            true = all(varies) if isinstance(model, ap.DiagonalDiscriminantAnalysis) else any(varies) or seed % 5 == 2
        insist(true, words, model.certificate_, each, varies)
    return model.certificate_.holds


def linear_machine(seed):
    """|ŵ − w|ⱼσⱼ ≤ 10^−digits of the largest |wⱼ|σⱼ, w = Σ⁻¹(m_k − m) in rational arithmetic."""
    X, words = with_extremes(seed)
    y = two_classes(seed, X)
    model = ap.LinearMachine("lda").fit(X, y)
    d, n = X.shape[1], len(X)
    S, means, middle = within(exactly(X), y, d)
    S = [[v / n for v in row] for row in S]
    varies = [j for j in range(d) if S[j][j] > (4 * EPS * middle[j]) ** 2]
    digits = model.certificate_.digits
    if digits == 0 or not varies:
        return model.certificate_.holds
    for k in (0, 1):
        exact = exact_solution([[S[i][j] for j in varies] for i in varies], [means[k][j] - middle[j] for j in varies])
        insist(exact is not None, words, model.certificate_, "singular")
        scale = max(v * v * S[j][j] for v, j in zip(exact, varies, strict=True))
        for v, j in zip(exact, varies, strict=True):
            off = (Fraction(float(model.coef_[k, j])) - v) ** 2 * S[j][j]
            insist(off <= part(0.002 - 2 * digits) * scale, words, model.certificate_, k, j)
    return model.certificate_.holds


def stoller(seed):
    """No threshold on any column is wrong about fewer rows."""
    X, words = with_extremes(seed)
    y = two_classes(seed, X)
    model = ap.StollerCut().fit(X, y)
    if model.certificate_.holds:
        best = min(int((y == 1).sum()), int((y == 0).sum()))
        for column in X.T:
            for t in column:
                wrong = int(((column > t) != (y == 1)).sum())
                best = min(best, wrong, len(y) - wrong)
        insist(abs(model.error_ * len(y) - best) < 0.5, words, model.certificate_, best)
        insist(int((model.predict(X) != y).sum()) == best, words, model.certificate_, "predict")
    return model.certificate_.holds


def fisher(seed):
    """r = S_E v − λ S_D v has √(rᵀS_D⁻¹r) ≤ 10⁻⁸·√d·λ, in rational arithmetic, where S_D has full rank."""
    X, words = with_extremes(seed)
    y = two_classes(seed, X)
    model = ap.FisherDiscriminant().fit(X, y)
    if not model.certificate_.holds or model.certificate_.rank < X.shape[1]:
        return model.certificate_.holds
    rows, d = exactly(X), X.shape[1]
    S, means, middle = within(rows, y, d)
    B = [[m - n for m, n in zip(mean, middle, strict=True)] for mean in means]
    count = [int((y == k).sum()) for k in (0, 1)]
    v, value = exactly(model.scalings_[:, 0]), Fraction(float(model.eigenvalues_[0]))
    along = [sum(p * q for p, q in zip(b, v, strict=True)) for b in B]
    r = [
        sum(n * b[i] * t for n, b, t in zip(count, B, along, strict=True)) - value * sum(S[i][j] * v[j] for j in range(d))
        for i in range(d)
    ]
    turned = exact_solution(S, r)
    insist(turned is not None, words, model.certificate_, "S_D is singular")
    size = sum(p * q for p, q in zip(r, turned, strict=True)) / sum(v[i] * S[i][j] * v[j] for i in range(d) for j in range(d))
    insist(size <= d * (Fraction(2, 10**8) * value) ** 2, words, model.certificate_, float(size) ** 0.5)
    return True


def within(rows, y, d):
    """The scatter within two classes, their means and the mean of all."""
    middle = [sum(row[j] for row in rows) / len(rows) for j in range(d)]
    means = [
        [sum(r[j] for r, c in zip(rows, y, strict=True) if c == k) / int((y == k).sum()) for j in range(d)] for k in (0, 1)
    ]
    Z = [[v - m for v, m in zip(row, means[k], strict=True)] for row, k in zip(rows, y, strict=True)]
    return [[sum(r[i] * r[j] for r in Z) for j in range(d)] for i in range(d)], means, middle


def counts(seed):
    """No probability of a level, a word or a cell is zero, nor any weight infinite."""
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 4, size=(10, 3)), np.arange(10) % 2
    alpha, w = float(rng.choice([0.0, 1e-300, 1.0])), hostile_weights(seed, 10)
    model = [ap.CategoricalNB, ap.MultinomialNB, ap.BernoulliNB, ap.ComplementNB][seed % 4](alpha=alpha, force_alpha=True)
    tables = np.concatenate([np.ravel(t) for t in model.fit(X, y, w).feature_log_prob_])
    insist(not model.certificate_.holds or np.isfinite(tables).all(), model.certificate_)
    return model.certificate_.holds


def hyperplane(seed):
    """No line through two rows is wrong about fewer rows; lines that another row misses by rounding are left out."""
    X, words = with_extremes(seed, columns=2, largest=8)
    if X.shape[1] < 2:
        return None
    X, rows = X[:, :2], exactly(X[:, :2])
    y = two_classes(seed, X)
    model = ap.ERMHyperplane().fit(X, y)
    best = len(y)
    for (a, b), (c, e) in combinations(rows, 2):
        t = [(p - a) * (e - b) - (q - b) * (c - a) for p, q in rows]
        size = max(abs((p - a) * (e - b)) + abs((q - b) * (c - a)) for p, q in rows)
        if (a, b) != (c, e) and all(v == 0 or abs(v) > Fraction(1, 10**8) * size for v in t):
            for side in (1, -1):
                best = min(best, sum((side * v > 0) != (k == 1) for v, k in zip(t, y, strict=True)))
    if model.certificate_.holds and model.certificate_.claim.startswith("no hyperplane through d rows"):
        insist(round(model.error_ * len(y)) <= best, words, model.certificate_, best)
    wrong = int((model.predict(X) != y).sum())
    insist(abs(model.error_ * len(y) - wrong) < 1e-6, words, model.certificate_, "predict", wrong)
    return model.certificate_.holds
