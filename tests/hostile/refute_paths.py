"""Certificates of penalties that folds choose, against rational arithmetic and 60 digits."""

from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np

import aprendiz as ap

from .checks import decimal, insist
from .hostile_tables import exact_centred, exactly, hostile_target, two_classes, with_extremes
from .refute_linear import elastic_net, logistic_descent


def folds_of(n):
    """Two folds, every other row."""
    number = np.arange(n)
    return [(number[number % 2 != k], number[number % 2 == k]) for k in (0, 1)]


def sparse_cv(seed):
    """Where the best penalty is said to lie inside the grid, neither end has a mean error over the folds that is smaller by
    10⁻⁶ of it, at the exact minima of the training rows; and the errors of the path are those, to 1 % where tol is 10⁻¹⁰."""
    X, words = with_extremes(seed, columns=2)
    X, y = X[:, :2], hostile_target(seed, X)
    y = y - np.median(y)
    spread = X.std(axis=0)
    if len(X) < 5 or not (spread > 1e-6 * np.abs(X).max(axis=0)).all():
        return None
    X = X / spread  # so that the three penalties differ
    share, folds = [1.0, 0.5][seed % 2], folds_of(len(X))
    alphas = np.array([1.0, 0.1, 0.01]) * float(np.std(y))
    model = ap.LassoCV(alphas=alphas, cv=folds, tol=1e-10, max_iter=10**5)
    if share < 1:
        model = ap.ElasticNetCV(l1_ratio=share, alphas=alphas, cv=folds, tol=1e-10, max_iter=10**5)
    model.fit(X, y)
    errors = [[fold_error(X, y, train, test, alpha, share) for train, test in folds] for alpha in model.alphas_]
    means = [sum(row) / len(row) for row in errors]
    if model.certificate_.holds:
        insist(
            means[1] <= min(means[0], means[2]) * (1 + Fraction(1, 10**6)), words, model.certificate_, list(map(float, means))
        )
        whole = float(np.var(y))
        near = [
            abs(float(a) - b) <= 1e-2 * float(a) + 1e-8 * whole
            for p, q in zip(errors, model.mse_path_, strict=True)
            for a, b in zip(p, q, strict=True)
        ]
        insist(all(near), words, model.certificate_, "errors", [list(map(float, row)) for row in errors], model.mse_path_)
    return model.certificate_.holds


def fold_error(X, y, train, test, alpha, share):
    """The mean squared error on the test rows of the exact minimum over the training rows."""
    _, w, _ = elastic_net(X[train], y[train], alpha * share, alpha * (1 - share))
    _, _, _, mean, middle = exact_centred(X[train], y[train], None, True)
    total = Fraction(0)
    for row, truth in zip(exactly(X[test]), exactly(y[test]), strict=True):
        total += (truth - middle - sum(a * (v - m) for a, v, m in zip(w, row, mean, strict=True))) ** 2
    return total / len(test)


def logistic_cv(seed):
    """Where the best C is said to lie inside the grid, neither end has more rows of the folds right, by minima of 60 digits;
    rows closer to the plane than 10⁻⁴ may be on either side of it."""
    X, words = with_extremes(seed, columns=2, largest=9)
    X, y, Cs = X[:, :2], two_classes(seed, X), [0.01, 1.0, 100.0]
    folds = folds_of(len(X))
    if any(len(set(y[part])) < 2 for part, _ in folds):
        return None
    model = ap.LogisticRegressionCV(Cs=Cs, cv=folds, l1_ratios=(0,), scoring="accuracy", use_legacy_attributes=False)
    model.fit(X, y)
    if model.certificate_.holds:
        right = [[hits(X, y, train, test, C) for train, test in folds] for C in Cs]
        least, most = ([sum(Fraction(one[k], one[2]) for one in row) for row in right] for k in (0, 1))
        insist(most[1] >= max(least[0], least[2]), words, model.certificate_, list(map(float, least)), list(map(float, most)))
    return model.certificate_.holds


def hits(X, y, train, test, C):
    """Test rows that are surely right, those that may be, and all of them."""
    with localcontext(prec=60):
        rows = exactly(X)
        mean = [sum(rows[i][j] for i in train) / len(train) for j in range(X.shape[1])]
        Z = [[Decimal(1), *(decimal(v - m) for v, m in zip(row, mean, strict=True))] for row in rows]
        side = [Decimal(2 * int(k) - 1) for k in y]
        start = [Decimal(0)] * (1 + X.shape[1])
        _, _, theta = logistic_descent([Z[i] for i in train], [side[i] for i in train], start, Decimal(str(C)))
        t = [side[i] * sum(p * q for p, q in zip(theta, Z[i], strict=True)) for i in test]
        return sum(v > Decimal("1e-4") for v in t), sum(v > Decimal("-1e-4") for v in t), len(test)
