"""Certificates of rankings: that rounding has not chosen the columns, against scores in rational arithmetic."""

from fractions import Fraction

import numpy as np
from scipy.special import fdtrc

import aprendiz as ap

from .checks import insist
from .hostile_tables import exactly, hostile_target, hostile_weights, two_classes, with_extremes

NOTHING, ENDLESS = Fraction(-1), Fraction(10) ** 1000
ENDLESS_SHOWN = Fraction(10) ** 300


def variation(x, y, w):
    """F of two classes or more."""
    rows = [(exactly(a), exactly(b)) for a, b in zip(x, w, strict=True)]
    groups = [[row for row, label in zip(rows, y, strict=True) if label == k and row[1] > 0] for k in np.unique(y)]
    groups = [group for group in groups if group]
    total = sum(b for group in groups for _, b in group)
    means = [sum(a * b for a, b in group) / sum(b for _, b in group) for group in groups]
    middle = sum(a * b for group in groups for a, b in group) / total
    between = sum(sum(b for _, b in group) * (m - middle) ** 2 for group, m in zip(groups, means, strict=True))
    within = sum(b * (a - m) ** 2 for group, m in zip(groups, means, strict=True) for a, b in group)
    free, rest = len(groups) - 1, total - len(groups)
    if rest <= 0 or free == 0 or (within == 0 and between == 0):
        return NOTHING
    return ENDLESS if within == 0 else (between / free) / (within / rest)


def squared_correlation(x, y, w):
    """r² of a column and a target."""
    x, y, w = exactly(x), exactly(y), exactly(w)
    total = sum(w)
    mean_x, mean_y = (sum(c * v for c, v in zip(w, z, strict=True)) / total for z in (x, y))
    xx = sum(c * (a - mean_x) ** 2 for c, a in zip(w, x, strict=True))
    yy = sum(c * (b - mean_y) ** 2 for c, b in zip(w, y, strict=True))
    xy = sum(c * (a - mean_x) * (b - mean_y) for c, a, b in zip(w, x, y, strict=True))
    return NOTHING if xx == 0 or yy == 0 else xy**2 / (xx * yy)


def rank_variation(x, y, w):
    """H, as a share of the largest that it can be: the analysis of variance of ranks."""
    order = np.argsort(x, kind="stable")
    rank, before, place = {}, Fraction(0), 0
    while place < len(order):
        same = [i for i in order if x[i] == x[order[place]]]
        here = sum(exactly(w[i]) for i in same)
        rank |= dict.fromkeys(same, before + (here + 1) / 2)
        before, place = before + here, place + len(same)
    middle = (before + 1) / 2
    spread = sum(exactly(w[i]) * (rank[i] - middle) ** 2 for i in rank)
    if spread == 0:
        return NOTHING
    between = Fraction(0)
    for k in np.unique(y):
        mine = [i for i in rank if y[i] == k and w[i] > 0]
        if mine:
            between += sum(exactly(w[i]) * (rank[i] - middle) for i in mine) ** 2 / sum(exactly(w[i]) for i in mine)
    return (before - 1) * between / spread


def chi_squared(x, y, w):
    """χ² of totals."""
    x, w, classes = exactly(np.abs(x)), exactly(w), np.unique(y)
    all_rows, total = sum(w), sum(c * a for c, a in zip(w, x, strict=True))
    if total == 0:
        return NOTHING
    found = Fraction(0)
    for k in classes:
        share = sum(c for c, label in zip(w, y, strict=True) if label == k) / all_rows
        observed = sum(c * a for c, a, label in zip(w, x, y, strict=True) if label == k)
        if share > 0:
            found += (observed - share * total) ** 2 / (share * total)
    return found


SCORES = {"anova": variation, "correlation": squared_correlation, "kruskal": rank_variation, "chi2": chi_squared}


def columns_in_order(seed):
    """Where the kept columns are said to be the best by more than rounding, they are."""
    X, words = with_extremes(seed, columns=5)
    score = list(SCORES)[seed % 4]
    y = hostile_target(seed, X) if score == "correlation" and seed % 8 else two_classes(seed, X)
    weights = hostile_weights(seed, len(X))
    if len(np.unique(y)) < 2 or X.shape[1] < 2:
        return None
    X = np.abs(X) if score == "chi2" else X
    task = "regression" if score == "correlation" and seed % 8 else "classification"
    keep = 1 + seed % (X.shape[1] - 1)
    model = ap.VariableRanking(score, keep, task=task).fit(X, y, weights)
    if model.certificate_.holds:
        w = np.ones(len(X)) if weights is None else weights
        exact = [SCORES[score](x, y, w) for x in X.T]
        kept = min(exact[j] for j in model.order_)
        left = max(exact[j] for j in np.flatnonzero(~model.support_))
        insist(kept > left, score, words, model.certificate_, model.scores_, [float(min(f, ENDLESS_SHOWN)) for f in exact])
    return model.certificate_.holds


def few_false_findings(seed):
    """Where a rule for p-values is said to have been clear, the p-values of exact scores lead to the same columns."""
    X, words = with_extremes(seed, columns=5)
    y = two_classes(seed, X)
    cls = [ap.SelectFdr, ap.SelectFpr, ap.SelectFwe][seed % 3]
    model = cls(alpha=[0.05, 0.2, 0.6][seed // 3 % 3]).fit(X, y)
    if model.certificate_.holds:
        exact = [variation(x, y, np.ones(len(X))) for x in X.T]
        p = np.array(
            [np.nan if f == NOTHING else 0.0 if f == ENDLESS else float(fdtrc(1, len(X) - 2, float(f))) for f in exact]
        )
        d, alpha = len(p), model.alpha
        if cls is ap.SelectFdr:
            ordered = np.sort(p[~np.isnan(p)])
            below = ordered[ordered <= alpha * np.arange(1, len(ordered) + 1) / d]
            expected = p <= below.max()
        else:
            expected = p < (alpha if cls is ap.SelectFpr else alpha / d)
        insist(np.array_equal(expected, model.support_), words, model.certificate_, p, model.pvalues_)
    return model.certificate_.holds


def varying_columns(seed):
    """Where no variance is said to be near the threshold, exact variances lead to the same columns."""
    X, words = with_extremes(seed, columns=5)
    spread = np.median(X.var(axis=0))
    model = ap.VarianceThreshold(float(spread * [0.0, 0.5, 1.0][seed % 3])).fit(X)
    if model.certificate_.holds:
        for x, kept in zip(X.T, model.support_, strict=True):
            cells = exactly(x)
            mean = sum(cells) / len(cells)
            variance = sum((a - mean) ** 2 for a in cells) / len(cells)
            insist((variance > exactly(model.threshold)) == kept, words, model.certificate_, float(variance), kept)
    return model.certificate_.holds
