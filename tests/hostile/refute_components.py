"""Certificates of principal components by every route, and of the likelihood of known cells, with 60 digits."""

from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import islice
from unittest import mock

import numpy as np

import aprendiz as ap
from aprendiz.decomposition.probabilistic.probabilistic_pca import ascent

from .checks import decimal, insist
from .hostile_tables import exact_centred, exactly, hostile_weights, with_extremes
from .refute_statistics import eigenvalues

MOST_STATES = 300
ROUTES = ("scaled", "all digits", "products of rows", "batches")
SPECTRUM = "aprendiz.decomposition.spectrum"


def principal_routes(seed):
    """The error is that of the best projection of the (scaled) columns, up to 10⁻¹⁰ of their scatter."""
    X, words = with_extremes(seed)
    route, w = ROUTES[seed % 4], None
    if route == "products of rows":
        X = X[: max(2, X.shape[1] - 1)].T if len(X) > X.shape[1] else X
        X = X.T if len(X) > X.shape[1] else X
    elif route != "batches":
        w = hostile_weights(seed, len(X))
    k = 1 + seed // 4 % min(X.shape)
    with mock.patch(f"{SPECTRUM}.gram_axes.SMALL", 0):
        model = fit(route, k, X, w)
    if model.certificate_.holds:
        check_projection(model, X, w, f"{route} {words}")
    return model.certificate_.holds


def fit(route, k, X, w):
    if route == "scaled":
        return ap.PCA(k, scale=True).fit(X, sample_weight=w)
    if route == "all digits":
        return ap.PCA(k, svd_solver="full").fit(X, sample_weight=w)
    if route == "products of rows":
        return ap.PCA(k).fit(X)
    half = max(k, len(X) // 2)
    model = ap.IncrementalPCA(k).partial_fit(X[:half])
    return model.partial_fit(X[half:]) if half < len(X) else model


def check_projection(model, X, w, words):
    """What the components leave of the scatter, what the best ones would, and what is claimed."""
    Z, _, weight, *_ = exact_centred(X, np.zeros(len(X)), w, True)
    d, s = X.shape[1], getattr(model, "scale_", None)
    unit = [Fraction(1)] * d if s is None else exactly(s)
    Z = [[v / u for v, u in zip(row, unit, strict=True)] for row in Z]
    S = [[sum(p * r[i] * r[j] for p, r in zip(weight, Z, strict=True)) for j in range(d)] for i in range(d)]
    total = sum(S[i][i] for i in range(d))
    if not total:
        return
    with localcontext(prec=60):
        parts = [[decimal(v / total) for v in row] for row in S]
        V = [[decimal(v) for v in row] for row in exactly(model.components_)]
        kept = sum(v[i] * parts[i][j] * v[j] for v in V for i in range(d) for j in range(d))
        left = sum(parts[i][i] for i in range(d)) - kept
        best = sum(sorted(eigenvalues(parts))[: d - len(V)])
        claimed = decimal(Fraction(float(model.certificate_.error)) / total)
    insist(left - best <= Decimal("1e-10"), words, model.certificate_, "left", float(left), float(best))
    insist(abs(claimed - left) <= Decimal("1e-10"), words, model.certificate_, "error", float(left))
    if s is not None:
        for j in range(d):
            off = S[j][j] / (sum(weight) - 1) - 1
            insist(abs(off) < 1e-8 or s[j] == 1.0, words, "scale", j, float(off))


# ---- passes over the rows ------------------------------------------------------------------------------------------------


def few_components(seed):
    """Each component of block Lanczos is an eigenvector, up to the residual that is allowed, in rational arithmetic."""
    rng = np.random.default_rng(seed)
    n, d, k = 20, 60, 1 + seed % 2
    X = np.round(rng.normal(size=(n, d)) * 2.0**20) / 2.0**20
    if seed % 3 == 1:
        X = X * 10.0 ** rng.integers(-8, 9, size=d)
    if seed % 3 == 2:
        X[:, : d // 2] = X[:, d // 2 :]
    X = X + (rng.random() < 0.6) * 2.0 ** rng.integers(0, 45) * rng.normal(size=d)
    X[rng.integers(n)] *= 10.0 ** rng.choice([0, 0, 5, 10])
    with mock.patch("aprendiz.decomposition.pca.affordable_steps", return_value=40):
        model = ap.PCA(k, svd_solver="randomized", random_state=seed).fit(X)
    if model.method_ != "lanczos" or not model.certificate_.holds:
        return False
    Z, *_ = exact_centred(X, np.zeros(n), None, True)
    values = exactly(model.explained_variance_)
    for value, v in zip(values, exactly(model.components_), strict=True):
        T = [sum(a * b for a, b in zip(row, v, strict=True)) for row in Z]
        image = [sum(t * row[j] for t, row in zip(T, Z, strict=True)) / (n - 1) for j in range(d)]
        off = sum((a - value * b) ** 2 for a, b in zip(image, v, strict=True))
        insist(
            off <= (Fraction(1002, 10**12) * max(values)) ** 2, seed, model.certificate_, float(off) ** 0.5 / float(max(values))
        )
    return True


# ---- missing cells -------------------------------------------------------------------------------------------------------


def likelihood_of_known_cells(seed):
    """The log-likelihood that a pass reports is that of its parameters, and does not fall from pass to pass."""
    X, words = with_extremes(seed, largest=8)
    rng = np.random.default_rng([seed, 6])
    X = np.where(rng.random(X.shape) < 0.2, np.nan, X)
    if X.shape[1] < 2:
        return None
    k = int(rng.integers(1, X.shape[1]))
    states = list(islice(ap.PCA(k, missing="em").steps(X), MOST_STATES))
    log, known, unit = states[-1].log, ascent(states[-1]), scale_of(X)
    for at in {0, len(log) // 2, max(len(log) - 2, 0)}:  # the level of a state is reported by the next one
        with localcontext(prec=60):
            levels = [known_log_likelihood(state, X, unit) for state in states[at : at + 2] if state is not states[-1]]
        off = max(abs(level - Decimal(float(found))) for level, found in zip(levels, log[at:], strict=False))
        room = 1 + abs(float(levels[-1]))
        insist(not known.holds or float(off) <= 1e-9 * room, words, "log-likelihood", float(levels[0]), log[at], float(off))
        insist(not known.holds or float(levels[0] - levels[-1]) <= 1e-9 * room, words, "falls", *map(float, levels))
    return known.holds


def scale_of(X):
    """The power of two that columns are divided by."""
    from aprendiz.core.inputs import open_rows
    from aprendiz.decomposition.probabilistic.missing_cells import KnownCells

    model = ap.PCA(missing="em")
    return Fraction(float(KnownCells.of(open_rows(model, X)).units[0]))


def known_log_likelihood(state, X, unit):
    """Mean of ln N(x_o; m_o, C_oo) over the rows, by Cholesky with the digits of the context."""
    mean, W, noise = exactly(state.mean), exactly(state.W), Fraction(float(state.noise))
    total = Decimal(0)
    for row in X:
        known = np.flatnonzero(~np.isnan(row))
        r = [decimal(Fraction(float(row[j])) / unit - mean[j]) for j in known]
        C = [
            [decimal(sum(a * b for a, b in zip(W[i], W[j], strict=True)) + (noise if i == j else 0)) for j in known]
            for i in known
        ]
        logdet, squares = factorise(C, r)
        total -= (len(known) * Decimal(2 * np.pi).ln() + logdet + squares) / 2
    return total / len(X)


def factorise(C, r):
    """ln|C| and rᵀC⁻¹r."""
    n, L, y = len(C), [[Decimal(0)] * len(C) for _ in C], []
    for i in range(n):
        for j in range(i + 1):
            rest = C[i][j] - sum((L[i][m] * L[j][m] for m in range(j)), Decimal(0))
            L[i][j] = rest.sqrt() if i == j else rest / L[j][j]
        y.append((r[i] - sum((L[i][m] * y[m] for m in range(i)), Decimal(0))) / L[i][i])
    return 2 * sum((L[i][i].ln() for i in range(n)), Decimal(0)), sum((v * v for v in y), Decimal(0))
