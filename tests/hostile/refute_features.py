"""Certificates of kernel k-means and of features of kernels, against rational arithmetic and 60 digits."""

from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from itertools import pairwise

import numpy as np

import aprendiz as ap

from .checks import decimal, insist
from .hostile_tables import exactly, hostile_weights, with_extremes


def gaussian(rows, others, gamma):
    """e^(−γ‖x − z‖²) to 60 digits."""
    return [
        [(-decimal(Fraction(gamma) * sum((p - q) ** 2 for p, q in zip(a, b, strict=True)))).exp() for b in others] for a in rows
    ]


def width(X):
    """A γ in the units of the rows, or 1."""
    variance = float(np.var(X - X[0]))
    return 1.0 / (X.shape[1] * variance) if 1e-200 < variance < 1e200 else 1.0


# ---- kernel k-means --------------------------------------------------------------------------------------------------


def kernel_k_means(seed):
    """J of the partition of every pass, exact, never rises by more than 10⁻⁸ of that of one cluster."""
    X, words = with_extremes(seed)
    k, weights, kind = min(2, len(X)), hostile_weights(seed, len(X)), ("rbf", "linear", "poly")[seed % 3]
    settings = {"kernel": kind, "degree": 2, "n_init": 1, "random_state": 0, "gamma": width(X) if kind != "linear" else 1.0}
    model = ap.KernelKMeans(k, **settings)
    partitions = [state.labels for state in model.steps(X, sample_weight=weights)]
    model.fit(X, sample_weight=weights)
    if model.certificate_.holds:
        with localcontext(prec=60):
            K, w = (
                exact_gram(kind, X, settings["gamma"]),
                [Fraction(v) for v in (np.ones(len(X)) if weights is None else weights)],
            )
            costs = [within(K, w, labels, k) for labels in partitions]
            rise = max((b - a for a, b in pairwise(costs)), default=Decimal(0))
            unit = within(K, w, [0] * len(X), 1)
            insist(rise <= Decimal("1e-8") * unit, words, kind, model.certificate_, rise)
            cost = Decimal(float(model.inertia_))
            insist(abs(cost - costs[-1]) <= Decimal("1e-8") * unit, words, kind, model.certificate_, costs[-1])
    return model.certificate_.holds


def exact_gram(kind, X, gamma):
    """K of the kernels above, as decimals."""
    rows = exactly(X)
    if kind == "rbf":
        return gaussian(rows, rows, gamma)
    dots = [[sum(p * q for p, q in zip(a, b, strict=True)) for b in rows] for a in rows]
    power, factor = (1, 1) if kind == "linear" else (2, Fraction(gamma))
    return [[decimal((factor * v) ** power) for v in row] for row in dots]


def within(K, weights, labels, k):
    """Σ w K(x, x) − Σ over clusters of Σ w w' K(x, x') / Σ w."""
    w, total = [decimal(v) for v in weights], Decimal(0)
    for cluster in range(k):
        own = [i for i, label in enumerate(labels) if label == cluster and w[i] > 0]
        if own:
            inside = sum(w[i] * w[j] * K[i][j] for i in own for j in own)
            total += sum(w[i] * K[i][i] for i in own) - inside / sum(w[i] for i in own)
    return total


# ---- features --------------------------------------------------------------------------------------------------------


def nystroem(seed):
    """The features, exact from what is stored, give K on the components, and at most K(x, x) beside them; the largest error
    is the one that is told."""
    X, words = with_extremes(seed)
    gamma = width(X) * (1.0, 0.1, 10.0)[seed % 3]
    model = ap.Nystroem(gamma=gamma, n_components=1 + seed % 5, random_state=seed).fit(X)
    if model.certificate_.holds:
        with localcontext(prec=60):
            rows, N = exactly(X), [[Decimal(float(v)) for v in row] for row in model.normalization_]
            K, components = gaussian(rows, rows, gamma), [int(i) for i in model.component_indices_]
            Z = [[sum(n * row[c] for n, c in zip(line, components, strict=True)) for line in N] for row in K]
            wrong = [[abs(dot(a, b) - K[i][j]) for j, b in enumerate(Z)] for i, a in enumerate(Z)]
            allowed, others = Decimal("1.1e-7"), [i for i in range(len(X)) if i not in components]
            insist(max(wrong[i][j] for i in components for j in components) <= allowed, words, model.certificate_)
            insist(all(dot(Z[i], Z[i]) <= 1 + allowed for i in others), words, model.certificate_)
            largest = max((max(wrong[i]) for i in others), default=Decimal(0))
            insist(abs(largest - Decimal(model.certificate_.error)) <= allowed, words, model.certificate_, largest)
            insist(len(others) == model.certificate_.rows, words, model.certificate_)
    return model.certificate_.holds


def rbf_sampler(seed):
    """The features, exact from what is stored, are within the bound of K, and the largest error is the one that is told."""
    X, words = with_extremes(seed)
    gamma = width(X) * (1.0, 0.1, 10.0)[seed % 3]
    model = ap.RBFSampler(gamma=gamma, n_components=20, random_state=seed).fit(X)
    if model.certificate_.holds:
        with localcontext(prec=60):
            rows, W, b = exactly(X), exactly(model.random_weights_.T), [Fraction(v) for v in model.random_offset_]
            phases = [[sum(p * q for p, q in zip(x, w, strict=True)) + o for w, o in zip(W, b, strict=True)] for x in rows]
            Z, K = [[cosine(decimal(v)) for v in row] for row in phases], gaussian(rows, rows, gamma)
            largest = max(abs(dot(a, b) / 10 - K[i][j]) for i, a in enumerate(Z) for j, b in enumerate(Z))
            told = Decimal(model.certificate_.error)
            insist(abs(largest - told) <= Decimal("1e-4"), words, model.certificate_, largest)
            insist(largest <= Decimal(model.certificate_.bound) + Decimal("1e-4"), words, model.certificate_, largest)
    return model.certificate_.holds


def dot(a, b):
    return sum(p * q for p, q in zip(a, b, strict=True))


@cache
def pi():
    """π to 90 digits, by Machin: 16·arctan(1/5) − 4·arctan(1/239)."""
    with localcontext(prec=100):

        def arctan_of_inverse(n):
            return sum((-1) ** j / (Decimal(2 * j + 1) * Decimal(n) ** (2 * j + 1)) for j in range(75))

        return 16 * arctan_of_inverse(5) - 4 * arctan_of_inverse(239)


def cosine(x):
    """cos x by its series, after whole turns are taken away."""
    x -= (x / (2 * pi())).to_integral_value() * 2 * pi()
    term = total = Decimal(1)
    for j in range(1, 40):
        term *= -x * x / ((2 * j - 1) * (2 * j))
        total += term
    return total
