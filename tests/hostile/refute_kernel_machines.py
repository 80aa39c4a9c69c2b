"""Certificates of support vector machines, against the optimality conditions and the duality gap in rational arithmetic.

The claim: within each sum no coefficient can grow more cheaply than another one falls, by more than tol. And with it: the dual
objective of the stored coefficients is what it says, and the gap is not negative."""

from fractions import Fraction

import numpy as np

import aprendiz as ap

from .checks import insist
from .hostile_tables import exactly, hostile_target, hostile_weights, magnitude, root, two_classes, with_extremes
from .refute_gram import KERNELS, exact_gram


def setting(seed):
    """A hostile table, a kernel, C and tol."""
    X, words = with_extremes(seed, largest=9)
    rng = np.random.default_rng([seed, 7])
    kernel, gamma, degree = KERNELS[rng.integers(len(KERNELS))]
    given = {"kernel": kernel, "degree": degree, "coef0": 1.0 if kernel == "poly" else 0.0, "max_iter": 20_000}
    given |= {"tol": float(10.0 ** -rng.integers(1, 9)), **({} if gamma is None else {"gamma": gamma})}
    return X, given, rng, f"{kernel} {given['tol']:g} {words}", (kernel, gamma, degree)


def support_vector_classifier(seed):
    X, given, rng, words, kernel = setting(seed)
    y, w, C = two_classes(seed, X), hostile_weights(seed, len(X)), float(10.0 ** rng.integers(-2, 5))
    loss = str(rng.choice(["hinge", "hinge", "squared_hinge"]))
    model = fitted(ap.SVC(loss=loss, **given), X, y, w, C, seed)
    signs, prices = np.where(y == 1, 1.0, -1.0), C * (np.ones(len(X)) if w is None else w)
    counted = np.flatnonzero(prices)
    beta, K = coefficients(model, len(X))[counted], exact_gram(X[counted], *kernel)
    limit, t, ridge = exactly(prices[counted]), exactly(signs[counted]), [Fraction(0)] * len(counted)
    if loss == "squared_hinge":
        ridge, limit = [Fraction(0.5 / price) for price in prices[counted]], None
    inside(beta, limit, words, signs[counted])
    if model.certificate_.holds:
        b = exactly(beta)
        g = [gradient + r * value - y for gradient, r, value, y in zip(outputs(K, b), ridge, b, t, strict=True)]
        can_grow = [v < 0 if s < 0 else limit is None or v < m for v, s, m in zip(b, t, limit or t, strict=True)]
        can_fall = [v > 0 if s > 0 else limit is None or v > -m for v, s, m in zip(b, t, limit or t, strict=True)]
        lost = roundings(K, b, t)
        no_better_pair(g, g, (can_grow, can_fall), given["tol"], lost, words, model.certificate_)
        size = sum(p * q for p, q in zip(b, outputs(K, b), strict=True))
        dual = (
            sum(v * y for v, y in zip(b, t, strict=True)) - (size + sum(r * v * v for r, v in zip(ridge, b, strict=True))) / 2
        )
        insist(dual <= sum(exactly(prices)) * (1 + Fraction(1, 10**6)), words, "above a constant", float(dual))
        agree(model.certificate_.dual, dual, sum(e * abs(v) for e, v in zip(lost, b, strict=True)), words, "dual")
    return model.certificate_.holds


def support_vector_regressor(seed):
    X, given, rng, words, kernel = setting(seed)
    y, w, C = hostile_target(seed, X), hostile_weights(seed, len(X)), float(10.0 ** rng.integers(-2, 4))
    eps = float(rng.choice([0.0, 0.1, 1.0]))
    model = fitted(ap.SVR(epsilon=eps, **given), X, y, w, C, seed)
    prices = C * (np.ones(len(X)) if w is None else w)
    beta, K = coefficients(model, len(X)), exact_gram(X, *kernel)
    inside(beta, exactly(prices), words)
    if model.certificate_.holds:
        b, tube = exactly(beta), Fraction(eps)
        g = [value - t for value, t in zip(outputs(K, b), exactly(y), strict=True)]
        up = [v + (tube if c >= 0 else -tube) for v, c in zip(g, b, strict=True)]
        down = [v + (tube if c > 0 else -tube) for v, c in zip(g, b, strict=True)]
        grow, fall = ([s * c < m for c, m in zip(b, exactly(prices), strict=True)] for s in (1, -1))
        words = f"{words} C={C:g}"
        lost = roundings(K, b, exactly(y))
        no_better_pair(up, down, (grow, fall), given["tol"], lost, words, model.certificate_)
    return model.certificate_.holds


def shares(seed):
    """ν of a class alone, of two classes and of numbers: what their coefficients sum to, and that no pair gains."""
    X, given, rng, words, kernel = setting(seed)
    nu, kind, K = float(rng.uniform(0.05, 0.6)), int(rng.integers(3)), exact_gram(X, *kernel)
    if kind == 0:
        model = ap.OneClassSVM(nu=nu, **given).fit(X)
        beta = coefficients(model, len(X))
        inside(beta, [Fraction(1)] * len(X), words, np.ones(len(X)))
        insist(abs(beta.sum() - nu * len(X)) <= 1e-9 * len(X), words, "sum", beta.sum(), nu * len(X))
        b = exactly(beta)
        if model.certificate_.holds:
            g = outputs(K, b)
            able = [v < 1 for v in b], [v > 0 for v in b]
            no_better_pair(g, g, able, given["tol"], roundings(K, b, [0] * len(b)), words, model.certificate_)
    elif kind == 1:
        y = two_classes(seed, X)
        model = ap.NuSVC(nu=nu, **given).fit(X, y)
        beta = coefficients(model, len(X))
        inside(beta, None, words, np.where(y == 1, 1.0, -1.0))
        insist(abs(beta.sum()) <= 1e-9 * np.abs(beta).sum(), words, "sums", beta.sum())
    else:
        model = ap.NuSVR(nu=nu, **given).fit(X, hostile_target(seed, X))
        beta = coefficients(model, len(X))
        inside(beta, [Fraction(1)] * len(X), words)
        insist(abs(beta.sum()) <= 1e-9 * max(1.0, np.abs(beta).sum()), words, "sum", beta.sum())
        insist(not model.certificate_.holds or model.epsilon_ >= -given["tol"], words, "epsilon", model.epsilon_)
    known = model.certificate_
    insist(known.gap >= -1e-9 * max(abs(known.primal), abs(known.dual)) - 1e-300, words, known, "a gap below 0")
    return known.holds


def fitted(machine, X, y, w, C, seed):
    """By itself, or after another machine, of a smaller C."""
    if seed % 2:
        return machine.set_params(C=C).fit(X, y, w)
    return list(machine.fit_each(X, y, [{"C": C / 7.0}, {"C": C}], w))[-1][1]


# ---- what they share -------------------------------------------------------------------------------------------------


def coefficients(model, n):
    """β of every row."""
    beta = np.zeros(n)
    beta[model.support_] = model.dual_coef_[0]
    insist(np.isfinite(beta).all(), model, model.certificate_, "coefficients that are no numbers", beta)
    return beta


def outputs(K, b):
    """Kβ."""
    used = [j for j, value in enumerate(b) if value]
    return [sum((row[j] * b[j] for j in used), Fraction(0)) for row in K]


def roundings(K, b, target):
    """What double precision may lose of each row of Kβ − t: 10⁻¹² of √K_ii·Σ√K_jj|β_j| and t_i. A row far away that has no
    coefficient is no excuse for the others."""
    roots = [Fraction(root(row[i])) for i, row in enumerate(K)]
    total = sum(r * abs(value) for r, value in zip(roots, b, strict=True))
    return [Fraction(1, 10**12) * (r * total + abs(t)) for r, t in zip(roots, target, strict=True)]


def inside(beta, limits, words, signs=None):
    """Coefficients keep their bounds, and those of classes their sides."""
    if limits is not None:
        insist(all(abs(v) <= m for v, m in zip(exactly(beta), limits, strict=True)), words, "out of the box", beta)
    insist(signs is None or (beta * signs >= 0).all(), words, "on the wrong side", beta)


def no_better_pair(up, down, able, tol, lost, words, known):
    """max down − min up ≤ tol, but for what is lost in each; `able` says who can grow, and who can fall."""
    least = min((v + e for v, e, yes in zip(up, lost, able[0], strict=True) if yes), default=None)
    most = max((v - e for v, e, yes in zip(down, lost, able[1], strict=True) if yes), default=None)
    if least is not None and most is not None:
        insist(most - least <= Fraction(tol), words, known, "broken by", magnitude(most - least), "of", tol)


def agree(found, exact, lost, words, name):
    insist(abs(Fraction(found) - exact) <= Fraction(1, 10**9) * abs(exact) + lost, words, name, found, float(exact))
