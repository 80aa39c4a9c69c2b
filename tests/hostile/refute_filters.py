"""Certificates of greedy filters and of ReliefF: each choice against rational counts with logarithms of 60 digits, and against
distances of every pair of rows."""

from collections import Counter
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import pairwise

import numpy as np

import aprendiz as ap

from .checks import decimal, insist
from .hostile_tables import hostile_weights, with_extremes


def greedy(seed):
    """No column was better than the one that was chosen, or worse than the one that left, and as many were tied as is said."""
    rng = np.random.default_rng([seed, 28])
    n, d = int(rng.integers(4, 30)), int(rng.integers(2, 6))
    X = rng.integers(0, rng.integers(2, 5, d), (n, d)).astype(float)
    X[:, -1] = X[:, 0] if rng.random() < 0.3 else X[:, -1]  # a copy
    X[rng.random(X.shape) < rng.choice([0.0, 0.2])] = np.nan
    y, w = np.append([0, 1], rng.integers(0, 3, n - 2)), hostile_weights(seed, n)
    cls = [ap.MRMR, ap.JMI, ap.DISR, ap.CMIM][seed % 4]
    back = cls is not ap.CMIM and rng.random() < 0.4
    model = cls(d, **({"direction": "backward"} if back else {}))
    states = list(model.steps(X, y, w))
    known = model.fit(X, y, w).certificate_
    ones = [Fraction(1)] * n if w is None else [Fraction(v) for v in w]
    with localcontext() as context:
        context.prec = 60
        for before, after in pairwise(states):
            check_step(cls, back, before, after, Table(X, y, ones), known, f"{cls.__name__} seed {seed}")
    return known.holds


def check_step(cls, back, before, after, table, known, words):
    """The column of a step is the best, or the worst, of those that were left."""
    left, j = np.flatnonzero(before.left).tolist(), int(after.order[-1])
    if back and len(left) > 2:
        J = {i: -table.criterion(cls, i, [s for s in left if s != i]) for i in left}
    elif back:
        J = {i: -table.information([i], [table.y]) for i in left}
    else:
        J = {i: table.criterion(cls, i, before.order.tolist()) for i in left}
    best, slack = max(J.values()), Decimal(known.rounding)
    insist(J[j] >= best - 2 * slack, words, known, "another column was better", J, j)
    gap = Decimal(min(known.ahead, 1e9)) - 2 * slack
    near = sum(best - value < gap for value in J.values())
    insist(near <= 1 + after.tied[-1], words, known, "more columns were as near", J, after.tied)


class Table:
    """Information in 60 digits, on the rows that know all columns that are asked for."""

    def __init__(self, X, y, w):
        self.columns, self.y, self.w = [*X.T, y], len(X.T), w

    def entropy_sum(self, columns, rows):
        """Σ N log N, and Σ N."""
        total = Counter()
        for i in rows:
            total[tuple(self.columns[j][i] for j in columns)] += self.w[i]
        parts = [decimal(N) for N in total.values() if N > 0]
        return sum((N * N.ln() for N in parts), Decimal(0)), sum(parts, Decimal(0))

    def known(self, columns):
        return [i for i in range(len(self.w)) if not any(np.isnan(self.columns[j][i]) for j in columns)]

    def information(self, a, b, given=()):
        """I(a; b | given)."""
        rows = self.known([*a, *b, *given])
        sums = [self.entropy_sum([*part, *given], rows) for part in ([*a, *b], a, b, [])]
        total = sums[0][1]
        return max((sums[0][0] - sums[1][0] - sums[2][0] + sums[3][0]) / total, Decimal(0)) if total else Decimal(0)

    def criterion(self, cls, j, chosen):
        """J(j; S)."""
        relevance = self.information([j], [self.y])
        if not chosen:
            return relevance
        if cls is ap.MRMR:
            return relevance - sum(self.information([j], [s]) for s in chosen) / len(chosen)
        if cls is ap.CMIM:
            return min(relevance, *(self.information([j], [self.y], [s]) for s in chosen))
        return sum(self.of_pair(cls, j, s) for s in chosen)

    def of_pair(self, cls, j, s):
        joint = self.information([j, s], [self.y])
        if cls is ap.JMI:
            return joint
        rows = self.known([j, s])
        (of_all, total), (of_rows, _) = self.entropy_sum([j, s, self.y], rows), self.entropy_sum([], rows)
        entropy = (of_rows - of_all) / total if total else Decimal(0)
        return joint / entropy if entropy > 0 else Decimal(0)


def near_rows(seed):
    """No column that was left out differs more between near rows of different classes."""
    X, words = with_extremes(seed, largest=24)
    if len(X) < 4 or X.shape[1] < 2:
        return None
    y = np.append([0, 1], np.random.default_rng(seed).integers(0, 2, len(X) - 2))
    model = ap.ReliefF(1, n_neighbors=3).fit(X, y)
    span = np.max(X, axis=0) / 4 - np.min(X, axis=0) / 4
    Z = np.divide(X / 4, span, out=np.zeros_like(X), where=span > 0)
    delta = np.abs(Z[:, None] - Z)
    apart = delta.mean(axis=2)
    np.fill_diagonal(apart, np.inf)
    W, edges = np.zeros(X.shape[1]), []
    for i in range(len(X)):
        for c in (0, 1):
            rows = np.flatnonzero((y == c) & (np.arange(len(X)) != i))
            order = rows[np.argsort(apart[i, rows], kind="stable")]
            edges += [apart[i, order[3]] - apart[i, order[2]]] if len(order) > 3 else []
            W += (1 if c != y[i] else -1) * (delta[i, order[:3]].mean(axis=0) if len(order) else 0) / len(X)
    if min(edges, default=1.0) > 1e-9 and (np.bincount(y) > 1).all():  # else the neighbours are others, by rounding
        insist(W[model.support_].min() >= W[(span > 0) & ~model.support_].max(initial=-2.0) - 1e-9, words, W, model.scores_)
    return model.certificate_.holds
