"""Certificates of curves and of linear discrimination, against rational arithmetic and 60 digits."""

from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import combinations

import numpy as np

import aprendiz as ap

from .checks import EPS, decimal, insist
from .hostile_tables import exact_solution, exactly, hostile_target, hostile_weights, two_classes, with_extremes
from .refute_linear import check_line

# ---- curves ------------------------------------------------------------------------------------------------------------


def curve_fit(seed):
    """Digits of the line through g(x) and h(y), which are found with 60 digits; or, refined, that the gradient of the squared
    residuals of y vanishes."""
    X, words = with_extremes(seed, columns=2)
    X, rng, w = X[:, :2], np.random.default_rng([seed, 4]), hostile_weights(seed, len(X))
    family = ["linear", "exponential", "power", "inverse", "logarithmic", "logistic"][seed % 6]
    if family in ("power", "logarithmic"):
        X = np.abs(X)
    y = hostile_target(seed, X)
    y = (y - y.mean()) / max(float(np.std(y)), 1e-300)
    if family in ("exponential", "power"):
        y = rng.choice([1.0, 1e8, 1e-8]) * np.exp(rng.choice([1.0, 1e-3, 1e-7]) * y)
    elif family == "logistic":
        y = 1 / (1 + np.exp(-rng.choice([1.0, 1e-5]) * y - rng.choice([0.0, 6.0])))
    model = ap.CurveFit(family, refine=bool(rng.random() < 0.4)).fit(X, y, w)
    if "gradient" in model.certificate_.claim:
        if model.certificate_.holds:
            check_gradient(model, X, y, w, f"{family} {words}")
        return model.certificate_.holds
    with localcontext(prec=60):
        G = [[straight(family in ("power", "logarithmic"), family == "inverse", v) for v in row] for row in exactly(X)]
        h = [bend(family, v) for v in exactly(y)]
    check_line(model.certificate_, np.ravel(model.coef_), (G, h, w, True, 0.0), f"{family} {words}")
    return model.certificate_.holds


def straight(logarithm, reciprocal, v):
    return Fraction(decimal(v).ln()) if logarithm else 1 / v if reciprocal else v


def bend(family, v):
    if family in ("exponential", "power"):
        return Fraction(decimal(v).ln())
    return Fraction((decimal(v) / (1 - decimal(v))).ln()) if family == "logistic" else v


def check_gradient(model, X, y, w, words):
    """|J_jᵀωr| ≤ 10⁻⁶·‖J_j‖‖r‖, columns around their mean, or ‖r‖ ≤ 8ε‖y‖, with 60 digits at the coefficients as they are
    stored; ε of t, which no intercept can avoid, moves r by εt·∂y/∂t."""
    with localcontext(prec=60):
        logarithm = model.family in ("power", "logarithmic")
        G = [[decimal(straight(logarithm, model.family == "inverse", v)) for v in row] for row in exactly(X)]
        omega = [Decimal(1)] * len(y) if w is None else [Decimal(float(v)) for v in w]
        mean = [sum(p * row[j] for p, row in zip(omega, G, strict=True)) / sum(omega) for j in range(len(G[0]))]
        coef, b = [Decimal(float(v)) for v in model.coef_], Decimal(float(model.intercept_))
        t = [b + sum(p * q for p, q in zip(coef, row, strict=True)) for row in G]
        size = [abs(b) + sum(abs(p * q) for p, q in zip(coef, row, strict=True)) for row in G]
        if model.family == "logistic":
            said = [1 / (1 + (-v).exp()) for v in t]
            steep = [p * (1 - p) for p in said]
        else:
            said = steep = [v.exp() for v in t]
        r, truth = [Decimal(float(a)) - p for a, p in zip(y, said, strict=True)], [Decimal(float(a)) for a in y]
        lost = sum(p * (s * v) ** 2 for p, s, v in zip(omega, steep, size, strict=True)).sqrt() * 8 * decimal(EPS)
        own = sum(p * v * v for p, v in zip(omega, r, strict=True)).sqrt()
        whole = sum(p * v * v for p, v in zip(omega, truth, strict=True)).sqrt()
        for j in range(-1, len(mean)):
            square = sum(p * (row[j] - mean[j]) ** 2 for p, row in zip(omega, G, strict=True)) if j >= 0 else 1
            if j >= 0 and square <= sum(omega) * (8 * decimal(EPS) * mean[j]) ** 2:
                continue  # constant but for rounding
            J = [s * (row[j] - mean[j] if j >= 0 else 1) for s, row in zip(steep, G, strict=True)]
            length = sum(p * v * v for p, v in zip(omega, J, strict=True)).sqrt()
            slope = abs(sum(p * a * v for p, a, v in zip(omega, J, r, strict=True)))
            allowed = length * (Decimal("1.1e-6") * own + lost + 16 * decimal(EPS) * whole)
            insist(slope <= allowed, words, model.certificate_, j, f"{slope / (length * own):.3g}" if own and length else "")


# ---- planes between two classes ----------------------------------------------------------------------------------------


def linear_discriminant(seed):
    """Each of the four criteria keeps its own promise."""
    X, words = with_extremes(seed, columns=2, largest=9)
    X, kind = X[:, :2], ["least_squares", "perceptron", "squared_sigmoid", "zero_one"][seed % 4]
    y, w = two_classes(seed, X), hostile_weights(seed, len(X))
    y = y if w is None else np.where(np.arange(len(y)) < 2, [0, 1, *y[2:]], y)
    model = ap.LinearDiscriminant(kind, random_state=seed).fit(X, y, w)
    words = f"{kind} {words}"
    if kind == "least_squares":
        check_line(model.certificate_, model.coef_[0], (X, y.astype(float), w, True, 0.0), words)
    elif model.certificate_.holds:
        {"perceptron": check_missed, "squared_sigmoid": check_sigmoid, "zero_one": check_errors}[kind](model, X, y, w, words)
    return model.certificate_.holds


def plane_of(model, X):
    """b, w and t of each row, as they are stored."""
    b, w = exactly(model.intercept_)[0], exactly(model.coef_)[0]
    return b, w, [b + sum(p * q for p, q in zip(w, row, strict=True)) for row in exactly(X)]


def ones_of(w, n):
    return [Fraction(1)] * n if w is None else exactly(w)


def class_means(X, y, omega):
    rows = exactly(X)
    means = []
    for k in (0, 1):
        own = [(p, row) for p, row, c in zip(omega, rows, y, strict=True) if c == k]
        means.append([sum(p * row[j] for p, row in own) / sum(p for p, _ in own) for j in range(X.shape[1])])
    return means


def missed(t, y, omega, length):
    return sum(p * max(0, v if k == 0 else -v) for p, v, k in zip(omega, t, y, strict=True)) / sum(omega) / length


def check_missed(model, X, y, w, words):
    """J − min J ≤ gap and 10⁻⁹ of J: against every plane through as many rows as there are columns; ε of the terms of t is
    what a stored intercept may take."""
    omega, (b, coef, t) = ones_of(w, len(X)), plane_of(model, X)
    means, rows, d = class_means(X, y, omega), exactly(X), X.shape[1]
    apart = [p - q for p, q in zip(means[1], means[0], strict=True)]
    length = sum(p * q for p, q in zip(coef, apart, strict=True))
    insist(length > 0, words, model.certificate_, "turned round")
    if model.certificate_.rank < d:
        return
    own, best = missed(t, y, omega, length), None
    for some in combinations(range(len(rows)), d):
        A = [[Fraction(0), *apart], *([Fraction(1), *rows[i]] for i in some)]
        found = exact_solution(A, [Fraction(1), *([Fraction(0)] * d)])
        if found is not None:
            value = missed([found[0] + sum(p * q for p, q in zip(found[1:], row, strict=True)) for row in rows], y, omega, 1)
            best = value if best is None else min(best, value)
    size = max(abs(b) + sum(abs(p * q) for p, q in zip(coef, row, strict=True)) for row in rows) / length
    allowed = Fraction(float(model.certificate_.gap)) + Fraction(1, 10**9) * own + 8 * EPS * size
    insist(best is None or own - best <= allowed, words, model.certificate_, float(own), float(best or 0))


def check_sigmoid(model, X, y, w, words):
    """The slope along b, and along the direction across w, both in units in which t has variance 1, is at most tol."""
    omega, (b, coef, t) = ones_of(w, len(X)), plane_of(model, X)
    rows, d, total = exactly(X), X.shape[1], sum(omega)
    mean = [sum(p * row[j] for p, row in zip(omega, rows, strict=True)) / total for j in range(d)]
    Z = [[v - m for v, m in zip(row, mean, strict=True)] for row in rows]
    C = [[sum(p * z[i] * z[j] for p, z in zip(omega, Z, strict=True)) / total for j in range(d)] for i in range(d)]
    spread = sum(coef[i] * C[i][j] * coef[j] for i in range(d) for j in range(d))
    insist(spread > 0, words, model.certificate_, "t is constant")
    size = max(abs(b) + sum(abs(p * q) for p, q in zip(coef, row, strict=True)) for row in rows)
    with localcontext(prec=60):
        sd = decimal(spread).sqrt()
        T = [decimal(v) / sd for v in t]
        p = [1 / (1 + (-10 * v).exp()) if v > -1000 else Decimal(0) for v in T]
        pull = [decimal(o / total) * 20 * (q - int(k)) * q * (1 - q) for o, q, k in zip(omega, p, y, strict=True)]
        lost = Decimal(400) * decimal(8 * EPS * size) / sd
        insist(abs(sum(pull)) <= Decimal("1.01e-6") + lost, words, model.certificate_, "b", float(sum(pull)))
        if d == 2:
            c = [sum(C[i][j] * coef[j] for j in range(d)) for i in range(d)]
            side = [-c[1], c[0]]
            length = sum(side[i] * C[i][j] * side[j] for i in range(d) for j in range(d))
            if model.certificate_.rank == d:
                along = [decimal(sum(a * z for a, z in zip(side, row, strict=True))) / decimal(length).sqrt() for row in Z]
                slope = sum(a * q for a, q in zip(along, pull, strict=True))
                insist(abs(slope) <= Decimal("1.01e-6") + lost, words, model.certificate_, "w", float(slope))


def check_errors(model, X, y, w, words):
    """The criterion is the weight of the rows that `predict` gets wrong."""
    omega, said = ones_of(w, len(X)), model.predict(X)
    wrong = sum((p for p, a, b in zip(omega, said, y, strict=True) if a != b), Fraction(0)) / sum(omega)
    insist(abs(Fraction(model.criterion_value_) - wrong) <= Fraction(1, 10**9), words, model.certificate_, float(wrong))
