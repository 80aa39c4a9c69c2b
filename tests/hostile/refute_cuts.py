"""Certificates of cuts between classes, and of the tables of a classifier, against 60 digits and rational arithmetic."""

from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np

import aprendiz as ap

from .checks import insist
from .hostile_tables import hostile_weights, with_extremes


def description_length(seed):
    """Each cut saves bits and no further one would, by as many as is said; the cells of a bin are those between two cuts."""
    X, words = with_extremes(seed, largest=30)
    rng = np.random.default_rng([seed, 8])
    y = np.argsort(np.argsort(X[:, 0] + rng.choice([0.0, 1.0]) * rng.normal(size=len(X)))) * 3 // len(X)
    w = hostile_weights(seed, len(X))
    model = ap.MDLDiscretizer().fit(X, y, w)
    known, bins = model.certificate_, model.transform(X)
    rows = np.arange(len(X)) if w is None else np.flatnonzero(w)
    weights = [Fraction(1) if w is None else Fraction(w[i]) for i in rows]
    if known.holds:
        with localcontext() as context:
            context.prec = 60
            for j, column in enumerate(X[rows].T):
                check_column(known, column, y[rows], weights, bins[rows, j], f"{words}, column {j}")
    return known.holds


def check_column(known, x, y, w, bins, words):
    """The cuts of a column follow from its values, and the bins from the cuts."""
    margins = {True: [], False: []}
    order = np.argsort(x, kind="stable")
    edges = cut_places(x[order], y[order], [w[i] for i in order], 0, len(x), margins)
    exact = np.zeros(len(x))
    for edge in edges:
        exact[order[edge:]] += 1
    insist(np.array_equal(bins, exact), words, known, "bins", bins, exact)
    slack = Decimal(known.rounding)
    insist(not margins[True] or min(margins[True]) >= Decimal(known.saved) - slack, words, known, "saved")
    insist(not margins[False] or -max(margins[False]) >= Decimal(known.lost) - slack, words, known, "lost")


def cut_places(x, y, w, start, stop, margins):
    """The places before which a part of a sorted column is cut; gains that agree to 10⁻¹² of W·log₂(W + 1) are ties."""
    S = bits(y, w, start, stop)
    found, tie = [], Decimal("1e-12") * S[0] * log2(S[0] + 1)
    for i in range(start + 1, stop):
        around = {y[k] for k in range(start, stop) if x[k] in (x[i - 1], x[i])}
        if x[i - 1] != x[i] and len(around) > 1:  # nowhere else is the gain largest
            left, right = bits(y, w, start, i), bits(y, w, i, stop)
            if S[1] - left[1] - right[1] > tie:
                found.append((S[1] - left[1] - right[1], i, left, right))
    if not found:
        return []
    most = max(gain for gain, *_ in found)
    gain, at, left, right = next(one for one in found if one[0] >= most - tie)
    cost = log2(max(S[0] - 1, Decimal(1))) + log2(Decimal(3) ** S[2] - 2)
    cost += sum(sign * part[2] * part[1] / part[0] for sign, part in ((-1, S), (1, left), (1, right)))
    margins[gain > cost].append(gain - cost)
    if gain <= cost:
        return []
    return [*cut_places(x, y, w, start, at, margins), at, *cut_places(x, y, w, at, stop, margins)]


def bits(y, w, start, stop):
    """Weight, weight times entropy, and classes of a part."""
    totals = {}
    for i in range(start, stop):
        totals[y[i]] = totals.get(y[i], Fraction(0)) + w[i]
    known = [Decimal(total.numerator) / Decimal(total.denominator) for total in totals.values()]
    W = sum(known)
    return W, -sum(total * log2(total / W) for total in known), len(known)


def log2(x):
    return x.ln() / Decimal(2).ln()


def tables_of_classes(seed):
    """The tables of naive Bayes with missing cells are shares of the counts, and the posterior is their product."""
    rng = np.random.default_rng([seed, 9])
    n, d = int(rng.integers(3, 15)), int(rng.integers(1, 4))
    X = rng.integers(0, 3, (n, d)).astype(float)
    X[rng.random(X.shape) < 0.2] = np.nan
    y, w = np.arange(n) % 2, hostile_weights(seed, n)
    if w is not None:
        w[:2] = 1.0
    alpha = float(10.0 ** rng.integers(-6, 3))
    model = ap.BayesianNetworkClassifier("naive", discretize=None, prior="dirichlet", alpha=alpha).fit(X, y, w)
    weights = [Fraction(1)] * n if w is None else list(map(Fraction, w))
    prior = [Fraction(alpha) + sum(a for a, own in zip(weights, y, strict=True) if own == c) for c in range(2)]
    tables = [[part / sum(prior) for part in prior]]
    for j, size in enumerate(model.network_.sizes[:-1]):
        counts = [[Fraction(alpha)] * size for _ in range(2)]
        for cell, c, a in zip(X[:, j], y, weights, strict=True):
            if cell == cell and a:
                counts[c][int(cell)] += a
        tables.append([[one / sum(own) for one in own] for own in counts])
    found = [model.network_.tables[-1], *model.network_.tables[:-1]]
    for own, exact in zip(found, tables, strict=True):
        exact = np.array(exact, dtype=float)
        insist(np.abs(own - exact).max() <= 1e-12, model.certificate_, own, exact)
    for cells, posterior in zip(X, model.predict_proba(X), strict=True):
        joint = list(tables[0])
        for j, cell in enumerate(cells):
            joint = [one * (tables[j + 1][c][int(cell)] if cell < len(tables[j + 1][c]) else 1) for c, one in enumerate(joint)]
        insist(abs(posterior[0] - float(joint[0] / sum(joint))) <= 1e-12, "posterior", cells)
    return model.certificate_.holds
