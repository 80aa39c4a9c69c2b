"""Certificates of selections by importances, halves and copies, counted again from the scores in rational numbers."""

from fractions import Fraction

import numpy as np

import aprendiz as ap

from .checks import insist
from .hostile_tables import hostile_target, two_classes, with_extremes


def exact(numbers):
    """Doubles as fractions; −1 for NaN."""
    return [Fraction(float(x)) if np.isfinite(x) else Fraction(-1) for x in numbers]


def importances(seed):
    """Where the choice is said to be clear, every kept importance is larger than every other one."""
    X, words = with_extremes(seed, columns=5)
    y = hostile_target(seed, X) if seed % 2 else two_classes(seed, X)
    learner = [ap.DecisionTreeRegressor(max_depth=3), ap.Ridge()][seed // 2 % 2] if seed % 2 else ap.GaussianNB()
    if seed % 2:
        model = [ap.SelectFromModel(learner), ap.EmbeddedSelection(learner, keep=2)][seed // 4 % 2]
    else:
        model = ap.EmbeddedSelection(["lasso", "tree", "shrunken_centroids"][seed // 2 % 3], keep=2)
    model.fit(X, y)
    kept, support = exact(model.scores_), model.get_support()
    if model.certificate_.holds and 0 < support.sum() < len(support):
        last = min(s for s, there in zip(kept, support, strict=True) if there)
        best = max(s for s, there in zip(kept, support, strict=True) if not there)
        insist(last > best, words, model.certificate_, model.scores_)
    return model.certificate_.holds


def stable_columns(seed):
    """The bound is that of the formula, and within what was allowed; what is kept has the share that is asked for."""
    X, words = with_extremes(seed, columns=5)
    y = hostile_target(seed, X) if seed % 2 else two_classes(seed, X)
    threshold, pairs = [0.6, 0.75, 0.9][seed // 2 % 3], 3
    model = ap.StabilitySelection(threshold=threshold, n_pairs=pairs, assumption="none").fit(X, y)
    q, d, tau = model.n_features_per_sample_, X.shape[1], Fraction(threshold)
    bound = min(Fraction(q), Fraction(q * q) / (d * (2 * tau - 1)))
    insist(abs(bound - Fraction(model.expected_false_)) <= bound * Fraction(1, 10**9), words, model.certificate_)
    if model.certificate_.holds:
        insist(bound <= Fraction(model.expected_false) * (1 + Fraction(1, 10**9)), words, model.certificate_)
    insist(all((s >= threshold - 1e-9) == there for s, there in zip(model.scores_, model.support_, strict=True)), words)
    return model.certificate_.holds


def copies_that_win(seed):
    """The share of copies that win, counted from W."""
    X, words = with_extremes(seed, columns=6)
    y = hostile_target(seed, X) if seed % 2 else two_classes(seed, X)
    offset = seed // 2 % 2
    model = ap.KnockoffSelection(fdr=0.5, offset=offset, method="gaussian", random_state=seed).fit(X, y)
    W, T = exact(model.scores_), model.threshold_
    insist(np.isfinite(model.scores_).all(), words, model.scores_)
    if np.isfinite(T):
        above, below = sum(Fraction(T) <= w for w in W), sum(-Fraction(T) >= w for w in W)
        if model.certificate_.holds:
            insist(Fraction(offset + below, max(1, above)) <= Fraction(1, 2), words, model.certificate_)
        insist(above == model.support_.sum(), words, model.certificate_)
    return model.certificate_.holds
