"""Certificates of kernel ridge regression and kernel principal components, against rational arithmetic and 60 digits."""

from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np

import aprendiz as ap

from .checks import decimal, insist, part
from .hostile_tables import exact_solution, exactly, hostile_target, hostile_weights, magnitude, with_extremes

KERNELS = (  # name, γ, degree
    *(("linear", None, 1), ("linear", None, 1), ("poly", 1.0, 2), ("rbf", 1.0, 1), ("rbf", 0.01, 1)),
)


def kernel_ridge(seed):
    """The residual is at most 10⁻⁸ of its terms, and the coefficients have as many digits as claimed."""
    X, words = with_extremes(seed, largest=6)
    rng = np.random.default_rng([seed, 5])
    y, w = hostile_target(seed, X), hostile_weights(seed, len(X))
    kernel, gamma, degree = KERNELS[rng.integers(len(KERNELS))]
    alpha = float(10.0 ** rng.integers(-8, 4))
    model = ap.KernelRidge(alpha, kernel=kernel, gamma=gamma, degree=degree).fit(X, y, w)
    weight = np.ones(len(X)) if w is None else w
    counted = np.flatnonzero(weight)
    known, words = model.certificate_, f"{kernel} {alpha:g} {words}"
    insist(not np.delete(model.dual_coef_, counted).any(), words, "rows of weight 0")
    K = exact_gram(X[counted], kernel, gamma, degree)
    a, t, omega = exactly(model.dual_coef_[counted]), exactly(y[counted]), exactly(weight[counted])
    check_residual(known, K, a, t, omega, Fraction(alpha), words)
    check_digits(known, K, a, t, omega, Fraction(alpha), words)
    return known.holds


def check_residual(known, K, a, t, omega, alpha, words):
    """‖r‖ ≤ 10⁻⁸·(‖K‖·‖u‖ + ‖√ωy‖), with u = a/√ω and r = √ω(y − Ka) − αu."""
    rows = range(len(a))
    off = [t[i] - sum(K[i][j] * a[j] for j in rows) - alpha * a[i] / omega[i] for i in rows]
    r = sum(omega[i] * off[i] ** 2 for i in rows)
    size = sum(omega[i] * omega[j] * K[i][j] ** 2 for i in rows for j in rows)
    u, own = sum(a[i] ** 2 / omega[i] for i in rows), sum(omega[i] * t[i] ** 2 for i in rows)
    with localcontext() as context:
        context.prec = 60
        terms = decimal(size).sqrt() * decimal(u).sqrt() + decimal(alpha) * decimal(u).sqrt() + decimal(own).sqrt()
        insist(not known.holds or decimal(r).sqrt() <= Decimal("1.001e-8") * terms, words, known, magnitude(r) / 2, terms)


def check_digits(known, K, a, t, omega, alpha, words):
    """‖u − u*‖ ≤ 10^−digits·‖u‖."""
    rows = range(len(a))
    if known.digits == 0:
        return
    exact = exact_solution([[K[i][j] + (alpha / omega[i] if i == j else 0) for j in rows] for i in rows], t)
    insist(exact is not None, words, known, "singular")
    off = sum((p - q) ** 2 / v for p, q, v in zip(a, exact, omega, strict=True))
    size = sum(p**2 / v for p, v in zip(a, omega, strict=True))
    insist(off <= part(0.002 - 2 * known.digits) * size, words, known, "digits", -magnitude(off / size) / 2 if size else off)


def kernel_pca(seed):
    """‖K_c v − λv‖ ≤ 10⁻⁸·λ₁, and right angles to 10⁻⁹."""
    X, words = with_extremes(seed, largest=8)
    rng = np.random.default_rng([seed, 5])
    kernel, gamma, degree = KERNELS[rng.integers(len(KERNELS))]
    model = ap.KernelPCA(int(rng.integers(1, 4)), kernel=kernel, gamma=gamma, degree=degree, random_state=0).fit(X)
    if model.certificate_.holds:
        check_eigenvectors(model, exact_gram(X, kernel, gamma, degree), f"{kernel} {words}")
    return model.certificate_.holds


def no_diagonal(seed):
    """The same for kernels whose K(x, x) is 0: of histograms, and squared distances that were computed elsewhere."""
    X, words = with_extremes(seed, largest=8)
    rng = np.random.default_rng([seed, 6])
    count = int(rng.integers(1, 4))
    if rng.random() < 0.6:
        X, words = np.abs(X), f"additive_chi2 {words}"
        model = ap.KernelPCA(count, kernel="additive_chi2", random_state=0).fit(X)
        K = [[-sum((p - q) ** 2 / (p + q) for p, q in zip(x, z, strict=True) if p + q) for z in exactly(X)] for x in exactly(X)]
    else:
        given, words = -0.5 * ((X[:, None] - X) ** 2).sum(axis=2), f"distances {words}"
        model = ap.KernelPCA(count, kernel="precomputed", random_state=0).fit(given)
        K = exactly(given)
    if model.certificate_.holds:
        check_eigenvectors(model, K, words)
    return model.certificate_.holds


def check_eigenvectors(model, K, words):
    """Residuals and right angles of a certificate that holds, in fractions."""
    known, n = model.certificate_, len(K)
    means = [sum(row) / n for row in K]
    mean = sum(means) / n
    centred = [[K[i][j] - means[i] - means[j] + mean for j in range(n)] for i in range(n)]
    values, V = exactly(model.eigenvalues_), exactly(model.eigenvectors_.T)
    for k, v in enumerate(V):
        off = [sum(p * q for p, q in zip(row, v, strict=True)) - values[k] * v[i] for i, row in enumerate(centred)]
        size = sum(one**2 for one in off)
        insist(size <= Fraction(1001, 10**19) * max(values) ** 2, words, known, magnitude(size) / 2)
        for m, other in enumerate(V):
            angle = sum(p * q for p, q in zip(v, other, strict=True)) - (k == m)
            insist(abs(angle) <= Fraction(1001, 10**12), words, known, float(angle))


def exact_gram(X, kernel, gamma, degree):
    """K in fractions, those of the Gaussian kernel with 60 digits."""
    rows = exactly(X)
    if kernel != "rbf":
        c, power = (Fraction(0), 1) if kernel == "linear" else (Fraction(1), degree)
        return [[(sum(p * q for p, q in zip(x, z, strict=True)) + c) ** power for z in rows] for x in rows]
    return [[gaussian(sum((p - q) ** 2 for p, q in zip(x, z, strict=True)) * Fraction(gamma)) for z in rows] for x in rows]


def gaussian(exponent):
    """e^−exponent."""
    with localcontext() as context:
        context.prec = 60
        return Fraction(0) if exponent > 10**6 else Fraction((-decimal(exponent)).exp())
