"""Certificates of non-negative factors, against rational arithmetic."""

from contextlib import nullcontext
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import pairwise
from unittest import mock

import numpy as np

import aprendiz as ap

from .checks import decimal, insist, part
from .hostile_tables import exactly, magnitude, with_extremes

PART = "aprendiz.decomposition.nonnegative.singular_part"


def non_negative_table(seed):
    """A hostile table without its signs, at times with a row and a column of zeros, or with a third of its cells 0."""
    X, words = with_extremes(seed, largest=7, columns=4)
    rng, X = np.random.default_rng([seed, 8]), np.abs(X)
    kind = rng.integers(4)
    if kind == 0:
        X[rng.integers(len(X))] = 0.0
        X[:, rng.integers(X.shape[1])] = 0.0
    elif kind == 1:
        X = np.where(rng.random(X.shape) < 1 / 3, 0.0, X)
    return X, f"{words}, {('a row and a column of zeros', 'zeros', '', '')[kind]}"


def non_negative_factors(seed):
    """No component alone lowers the objective by what is claimed; no pass raised it; the end is not above the last pass."""
    X, words = non_negative_table(seed)
    rng = np.random.default_rng([seed, 9])
    settings = {
        "init": str(rng.choice(["random", "nndsvda"])) if min(X.shape) > 1 else "random",
        "solver": str(rng.choice(["cd", "cd", "mu"])),
        "alpha_W": float(rng.choice([0.0, 0.0, 1e-3, 1.0])),
        "l1_ratio": float(rng.choice([0.0, 0.5, 1.0])),
        "tol": float(10.0 ** -rng.integers(2, 9)),
    }
    k = int(rng.integers(1, min(X.shape) + 1))
    if settings["solver"] == "cd" and rng.random() < 1 / 4:
        X, settings = np.where(rng.random(X.shape) < 0.2, np.nan, X), {**settings, "missing": "unobserved"}
    model = ap.NMF(k, max_iter=300, random_state=int(seed), **settings)
    small = {"LARGE": 1, "CHEAPER": 0, "FEW": 0, "MORE": int(rng.integers(3))}  # passes between two readings of the table
    with mock.patch.multiple(PART, **small) if rng.random() < 0.5 else nullcontext():
        states = list(model.steps(X))[1:]
        W = model.fit_transform(X)
    known, words = model.certificate_, f"{settings} k={k} {X.shape} {words}"
    A, w, h = with_none(X), exactly(W), exactly(model.components_)
    scale = sum(x * x for row in A for x in row if x is not None) / 2
    end = exact_objective(A, w, h, settings)
    if known.holds:
        log = [exact_objective(A, exactly(s.U), exactly(s.V.T), settings) for s in states[:: max(1, len(states) // 8)]]
        log = [*log, exact_objective(A, exactly(states[-1].U), exactly(states[-1].V.T), settings), end]
        rise = max((after - before for before, after in pairwise(log)), default=Fraction(0))
        insist(rise <= scale / 10**11, words, known, "rise", magnitude(rise / scale) if rise > 0 else rise)
        fall = max(exact_falls(A, w, h, settings))
        insist(fall <= Fraction(1001, 10**9) * scale, words, known, "fall", magnitude(fall / scale) if scale else fall)
        insist(fall <= part(0.05) * exactly(known.fall) * scale + scale / 10**20, words, known, "fall is larger than said")
    off = abs(end - exactly(known.objective))
    insist(off <= (scale + end) / 10**12, words, known, "objective", magnitude(off / scale) if scale else off)
    return known.holds


def divergences(seed):
    """No pass raised the Kullback–Leibler divergence, judged with 60 digits."""
    X, words = non_negative_table(seed)
    rng = np.random.default_rng([seed, 11])
    settings = {"solver": str(rng.choice(["cd", "mu"])), "alpha_W": float(rng.choice([0.0, 1e-2])), "l1_ratio": 0.5}
    k = int(rng.integers(1, min(X.shape) + 1))
    model = ap.NMF(k, beta_loss=1, init="random", max_iter=40, random_state=int(seed), **settings)
    states = list(model.steps(X))[1:]
    known, A = model.fit(X).certificate_, exactly(X)
    if known.holds:
        with localcontext() as context:
            context.prec = 60
            log = [exact_divergence(A, exactly(s.U), exactly(s.V.T), settings) for s in states[:: max(1, len(states) // 6)]]
            scale = decimal(sum(x for row in A for x in row)) + max(log, default=Decimal(0))
            rise = max((after - before for before, after in pairwise(log)), default=Decimal(0))
            insist(rise <= scale * Decimal("1e-10"), settings, words, known, "rise", rise, scale)
    return known.holds


def exact_divergence(A, w, h, settings):
    """Σ x ln(x/y) − x + y and the penalties. In logarithms, y is at least 10⁻⁵⁰·x and 10⁻²⁰⁰, as the certificate says."""
    total = Decimal(0)
    for row, r in zip(A, w, strict=True):
        for x, y in zip(row, product(r, h), strict=True):
            total += decimal(y - x)
            if x > 0:
                total += decimal(x) * (decimal(x) / max(decimal(y), decimal(x) * Decimal("1e-50"), Decimal("1e-200"))).ln()
    for (l1, l2), factor in zip(penalties(A, settings), (w, h), strict=True):
        total += decimal(l1 * sum(u for row in factor for u in row) + l2 * sum(u * u for row in factor for u in row) / 2)
    return total


def batches_of_rows(seed):
    """The mean cost of the rows, with their best weights, is not above that with the parts of the start."""
    X, words = non_negative_table(seed)
    rng = np.random.default_rng([seed, 10])
    k, size = int(rng.integers(1, min(X.shape) + 1)), int(rng.integers(2, len(X) + 1))
    settings = {"alpha_W": float(rng.choice([0.0, 1e-3])), "l1_ratio": float(rng.choice([0.0, 1.0])), "init": "random"}
    model = ap.MiniBatchNMF(k, batch_size=size, max_iter=30, random_state=int(seed), **settings)
    start = next(iter(model.steps(X))).V.T
    W = model.fit_transform(X)
    known, words = model.certificate_, f"{settings} k={k} {X.shape} {words}"
    A, n = exactly(X), len(X)
    after = exact_objective(A, exactly(W), exactly(model.components_), settings) / n
    scale = sum(x * x for row in A for x in row) / n
    insist(abs(after - exactly(known.objective)) <= scale / 10**12, words, known, "objective", float(after))
    if known.holds:
        model.components_ = start
        before = exact_objective(A, exactly(model.transform(X)), exactly(start), settings) / n
        insist(after <= before + scale / 10**11, words, known, "before", float(before), "after", float(after))
    return known.holds


def with_none(X):
    """The cells as fractions, missing ones as None."""
    return [[None if np.isnan(x) else exactly(x) for x in row] for row in X]


def penalties(A, settings):
    """λ₁ and λ₂ on W and on H, as fractions."""
    share, alpha = exactly(settings["l1_ratio"]), exactly(settings["alpha_W"])
    return [(length * alpha * share, length * alpha * (1 - share)) for length in (len(A[0]), len(A))]


def exact_objective(A, w, h, settings):
    """½‖A − wh‖² and the penalties."""
    pairs = ((x, y) for row, r in zip(A, w, strict=True) for x, y in zip(row, product(r, h), strict=True))
    error = sum((x - y) ** 2 for x, y in pairs if x is not None)
    extra = Fraction(0)
    for (l1, l2), factor in zip(penalties(A, settings), (w, h), strict=True):
        extra += l1 * sum(u for row in factor for u in row) + l2 * sum(u * u for row in factor for u in row) / 2
    return error / 2 + extra


def product(row, h):
    return [sum(a * part[j] for a, part in zip(row, h, strict=True)) for j in range(len(h[0]))]


def exact_falls(A, w, h, settings):
    """What the best change of each component, of w and of h, is worth."""
    on_w, on_h = penalties(A, settings)
    turned = [list(column) for column in zip(*A, strict=True)]
    found = falls_of(A, w, h, on_w)
    return found + falls_of(turned, [list(c) for c in zip(*h, strict=True)], [list(c) for c in zip(*w, strict=True)], on_h)


def falls_of(A, w, h, penalty):
    """The same for the columns of w."""
    l1, l2 = penalty
    falls = []
    for t, part_of in enumerate(h):
        fall = Fraction(0)
        for row, r in zip(A, w, strict=True):
            curve = sum(v * v for x, v in zip(row, part_of, strict=True) if x is not None) + l2
            left = [0 if x is None else y - x for x, y in zip(row, product(r, h), strict=True)]
            slope = sum(a * b for a, b in zip(left, part_of, strict=True)) + l1 + l2 * r[t]
            move = max(-r[t], -slope / curve) if curve else (-r[t] if slope > 0 else Fraction(0))
            fall -= slope * move + curve * move * move / 2
        falls.append(fall)
    return falls
