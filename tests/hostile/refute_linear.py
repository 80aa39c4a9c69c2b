"""Certificates of linear models, against rational arithmetic and 60 digits."""

from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product

import numpy as np

import aprendiz as ap

from .checks import EPS, insist, part
from .hostile_tables import (
    exact_centred,
    exact_line,
    exact_solution,
    exactly,
    hostile_target,
    hostile_weights,
    magnitude,
    two_classes,
    with_extremes,
)


def least_squares(seed):
    """Digits of every coefficient, and 10⁻⁸ of the largest in units of the columns; residuals at right angles to columns."""
    X, words = with_extremes(seed)
    rng = np.random.default_rng([seed, 4])
    y, w = hostile_target(seed, X), hostile_weights(seed, len(X))
    intercept, alpha = bool(rng.random() < 0.8), 0.0
    kind = ["auto", "auto", "auto", "normal", "qr", "svd", "ridge", "ridge", "batches", "classes"][rng.integers(10)]
    if kind == "ridge":
        alpha = float(10.0 ** rng.integers(-8, 4))
        model = ap.Ridge(alpha, fit_intercept=intercept).fit(X, y, w)
    elif kind == "batches":
        model = ap.LinearRegression(fit_intercept=intercept)
        for some in np.array_split(np.arange(len(X)), 2):
            model.partial_fit(X[some], y[some], None if w is None else w[some])
    elif kind == "classes":
        y = two_classes(seed, X).astype(float)
        model = ap.LeastSquaresClassifier(fit_intercept=intercept).fit(X, y, w)
    else:
        model = ap.LinearRegression(solver=kind, fit_intercept=intercept).fit(X, y, w)
    check_line(model.certificate_, np.ravel(model.coef_), (X, y, w, intercept, alpha), f"{kind} {words}")
    return model.certificate_.holds


def check_line(certificate, coef, data, words):
    if certificate.claim.startswith("the residuals"):
        if certificate.holds:
            check_right_angles(coef, data, words)
        return
    exact, size, own = exact_line(*data)
    if exact is None or not np.isfinite(coef).all():
        insist(certificate.digits == 0 and not certificate.holds, words, certificate, "of dependent columns", coef)
        return
    wrong = [abs(a - b) for a, b in zip(exactly(coef), exact, strict=True)]
    share = part(0.001 - certificate.digits)
    for j, (off, b) in enumerate(zip(wrong, exact, strict=True)):
        insist(
            certificate.digits == 0 or off <= share * abs(b),
            words,
            certificate,
            "digits of",
            j,
            magnitude(off / b) if b else off,
        )
    if certificate.holds:
        scale = max(own, *(b * b * s for b, s in zip(exact, size, strict=True)))
        insist(all(o * o * s <= Fraction(1, 10**16) * scale for o, s in zip(wrong, size, strict=True)), words, certificate)


def check_right_angles(coef, data, words):
    X, y, w, intercept, alpha = data
    Z, c, w, mean, _ = exact_centred(X, y, w, intercept)
    coef, own = exactly(coef), sum(p * v * v for p, v in zip(w, c, strict=True))
    r = [v - sum(a * z for a, z in zip(coef, row, strict=True)) for v, row in zip(c, Z, strict=True)]
    for j in range(len(coef)):
        size = sum(p * row[j] ** 2 for p, row in zip(w, Z, strict=True))
        if size > max(sum(w) * (8 * EPS * mean[j]) ** 2, Fraction(1, 10**280)):
            slope = sum(p * row[j] * v for p, row, v in zip(w, Z, r, strict=True)) - Fraction(alpha) * coef[j]
            insist(slope * slope <= Fraction(1, 10**16) * size * own, words, "not at right angles to", j)


def near_duplicates(seed):
    """The family of tables with which all this began: seven rows, two columns that agree but for 10⁻ᵏ."""
    rng = np.random.default_rng(seed)
    x = np.arange(1.0, 8.0)
    X = np.column_stack([x, x + 10.0 ** -rng.uniform(3, 15.5) * rng.integers(-3, 4, size=7)])
    y = rng.integers(1, 9, size=7).astype(float)
    model = ap.LinearRegression().fit(X, y)
    check_line(model.certificate_, model.coef_, (X, y, None, True, 0.0), "near duplicates")
    return model.certificate_.holds


def many_rows(seed):
    """Blocks and normal equations: sums of many equal numbers, whose rounding errors do conspire."""
    rng = np.random.default_rng(seed)
    n, d = 30_000, 6
    X = np.where(rng.random((n, d)) < rng.uniform(0.05, 0.95, size=d), 0.1, rng.uniform(-3, 3, size=d)) * 10.0 ** rng.integers(
        -3, 4
    )
    y = np.where(X @ rng.normal(size=d) > 0, 0.7, -0.1)
    X[:, -1] = X[:, 0] + 10.0 ** -rng.integers(1, 5) * np.where(rng.random(n) < 0.3, 0.1, 0.7)
    model = ap.LinearRegression().fit(X, y)
    codes, count = np.unique(np.column_stack([X, y]), axis=0, return_counts=True)  # the same sums from a few weighted rows
    data = (codes[:, :-1], codes[:, -1], count.astype(float), True, 0.0)
    check_line(model.certificate_, model.coef_, data, f"{n} rows, {model.method_}")
    return model.certificate_.holds


def rounding_adds_up(seed):
    """Rounding errors of one sign: at the head of every run of rows a large one, whose sums lose all that follow it."""
    rng = np.random.default_rng(seed)
    n, run = int(rng.choice([300, 1024, 5000, 8192])), int(rng.choice([2**20, 2**20, 1024, 384, 256, 128]))
    d, lost, number = int(rng.integers(1, 4)), rng.choice([0.3, 0.49, 0.7, 0.99]), np.arange(n)
    small = np.sqrt(lost * 2.0**-53) * np.where(number % 2 == 0, 1.0, -1.0)
    x = np.where(number % run == 0, 1.0, np.where(number % run == 1, -1.0, small))
    X = np.column_stack([x, *(np.where(number // 2**k % 2 == 1, -x, x) for k in range(1, d))])
    y = 3.0 * x + rng.choice([0.0, 1.0]) * np.where(number % 4 < 2, small, -small)
    intercept = bool(rng.random() < 0.3)
    solver = str(rng.choice(["auto", "normal", "qr", "svd"]))
    model = ap.LinearRegression(solver=solver, fit_intercept=intercept).fit(X, y)
    codes, count = np.unique(np.column_stack([X, y]), axis=0, return_counts=True)
    data = (codes[:, :-1], codes[:, -1], count.astype(float), intercept, 0.0)
    check_line(model.certificate_, model.coef_, data, f"{n} rows, runs of {run}, {model.method_}")
    return model.certificate_.holds


def ridge_cv(seed):
    """The best penalty is inside the grid: leave-one-out at both ends and in between, in rational arithmetic."""
    X, words = with_extremes(seed, largest=8, columns=2)
    y, alphas = hostile_target(seed, X), [1e-3, 0.1, 10.0]
    model = ap.RidgeCV(alphas).fit(X, y)
    exact = exact_line(X, y, None, True, model.alpha_)[0]
    share, coef = part(0.001 - model.certificate_.digits), exactly(model.coef_)
    insist(model.certificate_.digits == 0 or all(abs(a - b) <= share * abs(b) for a, b in zip(coef, exact, strict=True)), words)
    if model.certificate_.holds:
        errors = []
        for alpha in alphas:
            total = Fraction(0)
            for i in range(len(X)):
                others = np.arange(len(X)) != i
                w = exact_line(X[others], y[others], None, True, alpha)[0]
                _, _, _, mean, middle = exact_centred(X[others], y[others], None, True)
                said = middle + sum(p * (q - m) for p, q, m in zip(w, exactly(X[i]), mean, strict=True))
                total += (Fraction(float(y[i])) - said) ** 2
            errors.append(total)
        insist(errors[1] <= min(errors[0], errors[2]) * (1 + Fraction(1, 10**6)), words, [float(e) for e in errors])
    return model.certificate_.holds


def lasso(seed):
    """F − min F is at most the gap, and 10⁻¹³, of Σ ω(y − ȳ)²/2Σω; the minimum by all supports and signs."""
    X, words = with_extremes(seed, columns=2)
    if X.shape[1] > 3:
        return None
    rng = np.random.default_rng([seed, 4])
    y, share = hostile_target(seed, X), [1.0, 0.5][rng.integers(2)]
    alpha = float(rng.choice([1e-3, 0.1, 1.0]))
    model = ap.ElasticNet(alpha, l1_ratio=share).fit(X, y)
    value, least, own = elastic_net(X, y, alpha * share, alpha * (1 - share))
    best = value(least)
    gap = Fraction(float(model.certificate_.gap)) + Fraction(1, 10**13)
    insist(value(exactly(model.coef_)) - best <= gap * own, words, model.certificate_)
    return model.certificate_.holds


def elastic_net(X, y, l1, l2):
    """F as a function of w, its minimum by all supports and signs, and Σ(y − ȳ)²/n."""
    Z, c, _, _, _ = exact_centred(X, y, None, True)
    n, d, l1, l2 = len(X), X.shape[1], Fraction(l1), Fraction(l2)
    G = [[sum(r[i] * r[j] for r in Z) / n for j in range(d)] for i in range(d)]
    g = [sum(r[i] * v for r, v in zip(Z, c, strict=True)) / n for i in range(d)]
    own = sum(v * v for v in c) / n

    def value(b):
        loss = own - 2 * sum(p * q for p, q in zip(b, g, strict=True))
        loss += sum(b[i] * b[j] * G[i][j] for i in range(d) for j in range(d))
        return loss / 2 + l1 * sum(map(abs, b)) + l2 / 2 * sum(v * v for v in b)

    best = [Fraction(0)] * d
    for signs in product((-1, 0, 1), repeat=d):
        S = [i for i in range(d) if signs[i]]
        A = [[G[i][j] + (l2 if i == j else 0) for j in S] for i in S]
        found = exact_solution(A, [g[i] - l1 * signs[i] for i in S]) if S else None
        if found and all(v * signs[i] > 0 for v, i in zip(found, S, strict=True)):
            new = [dict(zip(S, found, strict=True)).get(i, Fraction(0)) for i in range(d)]
            best = min(best, new, key=value)
    return value, best, own


def stochastic(seed):
    """F of squared errors − min F ≤ gap, and F is not above that of the best constant, both up to 10⁻⁹ of F."""
    X, words = with_extremes(seed)
    y = hostile_target(seed, X)
    model = ap.SGDRegressor(alpha=0.01, max_iter=50, random_state=seed).fit(X, y)
    n, (Z, c, _, mean, middle) = len(X), exact_centred(X, y, None, True)
    exact, _, own = exact_line(X, y, None, True, 0.01 * n)

    def value(b, t):
        r = [v - t - sum(p * q for p, q in zip(b, row, strict=True)) for v, row in zip(c, Z, strict=True)]
        return sum(v * v for v in r) / n / 2 + Fraction(0.01) / 2 * sum(v * v for v in b)

    coef, b = exactly(model.coef_), exactly(model.intercept_)[0]
    F = value(coef, b - middle + sum(p * q for p, q in zip(coef, mean, strict=True)))
    known = model.certificate_
    insist(F - value(exact, 0) <= Fraction(float(known.gap)) + Fraction(1, 10**9) * F, words, known, float(F))
    if known.holds:
        insist(own / n / 2 * (1 + Fraction(2, 10**9)) >= F, words, known, float(F), float(own / n / 2))
    return known.holds


def delta_rule(seed):
    """E of the linear unit is below that of the best constant."""
    X, words = with_extremes(seed)
    y = two_classes(seed, X)
    model = ap.DeltaRule("linear", max_iter=200).fit(X, y)
    if model.certificate_.holds:
        t = [
            exactly(model.intercept_)[0] + sum(p * q for p, q in zip(exactly(model.coef_)[0], row, strict=True))
            for row in exactly(X)
        ]
        E = sum((2 * int(k) - 1 - v) ** 2 for k, v in zip(y, t, strict=True)) / len(y)
        share = Fraction(int(y.sum()), len(y))
        insist(4 * share * (1 - share) * (1 + Fraction(1, 10**9)) >= E, words, model.certificate_, float(E))
    return model.certificate_.holds


def perceptron(seed):
    """Every row is on its side of the plane, exactly; or fewer rows are wrong than one class said of all."""
    X, words = with_extremes(seed)
    y = two_classes(seed, X)
    model = ap.Perceptron(max_iter=200, random_state=0).fit(X, y)
    if model.certificate_.holds:
        t = [
            exactly(model.intercept_)[0] + sum(p * q for p, q in zip(exactly(model.coef_)[0], row, strict=True))
            for row in exactly(X)
        ]
        wrong = sum((v >= 0) != (k == 1) for k, v in zip(y, t, strict=True))
        most = 0 if model.certificate_.separated else min(y.sum(), len(y) - y.sum()) - 1
        insist(wrong <= most, words, model.certificate_, wrong, "are wrong")
    return model.certificate_.holds


def stochastic_classes(seed):
    """F of the hinge is not above that of the constants ±1, or fewer rows are wrong than one class said of all."""
    X, words = with_extremes(seed)
    y = two_classes(seed, X)
    model = ap.SGDClassifier(max_iter=50, random_state=0).fit(X, y)
    known, least = model.certificate_, min(int(y.sum()), len(y) - int(y.sum()))
    if known.holds:
        w, side = exactly(model.coef_)[0], [2 * int(k) - 1 for k in y]
        t = [exactly(model.intercept_)[0] + sum(p * q for p, q in zip(w, row, strict=True)) for row in exactly(X)]
        F = sum(max(0, 1 - s * v) for s, v in zip(side, t, strict=True)) / len(y) + Fraction(model.alpha) / 2 * sum(
            v * v for v in w
        )
        wrong = sum((v >= 0) != (s > 0) for s, v in zip(side, t, strict=True))
        most = Fraction(2 * (len(y) - least), len(y))  # of the worse of the two constants
        insist(most * (1 + Fraction(1, 10**6)) >= F if "not above" in known.claim else wrong < least, words, known, wrong)
    return known.holds


def logistic(seed):
    """F − min F ≤ twice the Newton decrement + 10⁻⁹ of F + 10⁻¹² of F(0), the minimum by Newton's method with 60 digits."""
    X, words = with_extremes(seed, columns=2, largest=9)
    if X.shape[1] > 2:
        X = X[:, :2]
    y = two_classes(seed, X)
    model = ap.LogisticRegression(C=10.0).fit(X, y)
    if not model.certificate_.holds:
        return False
    with localcontext(prec=60):
        rows = [[Decimal(1), *map(Decimal, row.tolist())] for row in X]
        side = [Decimal(2 * int(k) - 1) for k in y]
        mean = [sum(row[j] for row in rows) / len(rows) for j in range(1, len(rows[0]))]
        rows = [[row[0], *(v - m for v, m in zip(row[1:], mean, strict=True))] for row in rows]
        theta = [Decimal(float(model.intercept_[0])), *map(Decimal, model.coef_[0].tolist())]
        theta[0] += sum(p * q for p, q in zip(theta[1:], mean, strict=True))
        first, best, _ = logistic_descent(rows, side, theta)
        allowed = 2 * Decimal(float(model.certificate_.decrement)) + Decimal("1e-9") * first + Decimal("7e-13") * len(rows)
        insist(first - best <= allowed, words, model.certificate_, float(first), float(best))
    return True


def logistic_descent(rows, side, theta, C=10):
    """F at the start and at the minimum, and the minimum."""

    def value(theta):
        t = [s * sum(p * q for p, q in zip(theta, row, strict=True)) for s, row in zip(side, rows, strict=True)]
        return sum((1 + (-v).exp()).ln() if v > -200 else -v for v in t) + sum(v * v for v in theta[1:]) / (2 * C)

    first = now = value(theta)
    for _ in range(200):
        t = [s * sum(p * q for p, q in zip(theta, row, strict=True)) for s, row in zip(side, rows, strict=True)]
        p = [1 / (1 + v.exp()) if v < 200 else (-v).exp() for v in t]
        d = len(theta)
        slope = [
            -sum(s * q * row[j] for s, q, row in zip(side, p, rows, strict=True)) + (theta[j] / C if j else 0) for j in range(d)
        ]
        H = [
            [
                sum(q * (1 - q) * row[i] * row[j] for q, row in zip(p, rows, strict=True))
                + (Decimal(1) / C if i == j and i else 0)
                for j in range(d)
            ]
            for i in range(d)
        ]
        for i in range(d):
            H[i][i] += Decimal("1e-40") + H[i][i] * Decimal("1e-45")
        step = exact_solution(H, slope)
        if step is None:
            break
        rate, new = Decimal(1), None
        while rate > Decimal("1e-9"):
            trial = [v - rate * s for v, s in zip(theta, step, strict=True)]
            if (new := value(trial)) < now:
                break
            rate /= 2
        if new is None or not new < now * (1 - Decimal("1e-40")):
            break
        theta, now = trial, new
    return first, now, theta
