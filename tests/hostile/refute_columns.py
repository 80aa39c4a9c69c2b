"""Certificates of mixed columns and missing cells, against rational arithmetic."""

from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np

import aprendiz as ap

from .checks import insist
from .hostile_tables import exactly, hostile_weights, two_classes, with_extremes
from .refute_statistics import check_moments, moments_of


def naive_bayes(seed):
    """No value that was met has probability 0 in a class; means and variances before smoothing have their digits, cells that
    are missing left out."""
    X, words = with_extremes(seed)
    rng = np.random.default_rng([seed, 4])
    y, w, d = two_classes(seed, X), hostile_weights(seed, len(X)), X.shape[1]
    if rng.random() < 0.5:
        X[rng.random(X.shape) < 0.2] = np.nan
    levels, flags = rng.integers(0, 3, len(X)).astype(float), (rng.random(len(X)) < 0.3).astype(float)
    estimate, alpha = [("map", 1.0), ("ml", 0.0), ("map", 1e-300), ("map", 0.0)][seed % 4]
    families = dict.fromkeys(range(d), "gaussian") | {d: "poisson", d + 1: "bernoulli"}
    model = ap.NaiveBayes(families=families, estimate=estimate, alpha=alpha)
    model.fit(np.column_stack([X, levels, flags]), y, sample_weight=w)
    known, ones = model.certificate_, np.ones(len(X)) if w is None else w
    for k, j in product((0, 1), range(d)):
        own, all_ = (y == k) & (ones > 0) & ~np.isnan(X[:, j]), (ones > 0) & ~np.isnan(X[:, j])
        if own.any() and all_.any():
            pool = moments_of(exactly(X[all_, j]), exactly(ones[all_]))[1]
            more = Fraction(model.var_smoothing) * pool
            flat = model.var_[k, j] == 1.0 and pool < Fraction(1, 10**300)  # nothing varies, or squares vanish
            variance = 0.0 if flat else model.var_[k, j]
            slack = Fraction(1, 10**7) * more + Fraction(1, 10**300)  # nothing is claimed of the digits of ε
            check_moments(known.digits, model.theta_[k, j], variance, X[own, j], ones[own], words, more, slack)
    if known.holds:
        for k in (0, 1):
            own = (y == k) & (ones > 0)
            insist(0 < model.theta_[k, d + 1] < 1, words, known, "bernoulli")
            never = not (levels[ones > 0] > 0).any()
            insist(not own.any() or never or model.theta_[k, d] > 0, words, known, "poisson")
        seen = np.column_stack([X, levels, flags])[ones > 0]
        insist(not np.isneginf(counted_logs(model, seen, d)).any(), words, known, "a row has probability 0")
    return known.holds


def counted_logs(model, rows, d):
    """ln P(k, x) from the columns that are counted: cells of the others are left out."""
    rows = rows.copy()
    rows[:, :d] = np.nan
    return model.predict_joint_log_proba(rows)


def imputer(seed):
    """Every column has a known cell in a row that counts; what fills the others is the mean, the median or the most frequent
    of exactly those cells, the mean to 10⁻¹⁰ of the largest of them."""
    X, words = with_extremes(seed)
    rng, w = np.random.default_rng([seed, 4]), hostile_weights(seed, len(X))
    X[rng.random(X.shape) < rng.choice([0.2, 0.7])] = np.nan
    kind = ["mean", "median", "most_frequent"][seed % 3]
    model = ap.SimpleImputer(strategy=kind).fit(X, **({} if w is None else {"sample_weight": w}))
    ones = np.ones(len(X)) if w is None else w
    for j in range(X.shape[1]):
        known = (ones > 0) & ~np.isnan(X[:, j])
        insist(not model.certificate_.holds or known.any(), words, model.certificate_, "column", j)
        if model.certificate_.holds and kind == "mean":
            mean = moments_of(exactly(X[known, j]), exactly(ones[known]))[0]
            size = max(map(abs, exactly(X[known, j])))
            off = abs(Fraction(float(model.statistics_[j])) - mean)
            insist(off <= Fraction(1, 10**10) * size, words, model.certificate_, j, float(off), float(size))
    if model.certificate_.holds:
        insist(not np.isnan(model.transform(X)).any(), words, model.certificate_, "cells are left")
    return model.certificate_.holds


def outliers(seed):
    """Digits of means and variances; exactly the cells beyond quartiles that differ, or beyond a median absolute deviation
    above 0; covariances of full rank have no direction in which all rows are the same."""
    X, words = with_extremes(seed)
    w, kind = hostile_weights(seed, len(X)), ["z", "iqr", "robust z", "mahalanobis"][seed % 4]
    if kind == "z":
        model = ap.OutlierFilter().fit(X, sample_weight=w)
        for j in range(X.shape[1]):
            check_moments(model.certificate_.digits, model.middle_[j], model.unit_[j] ** 2, X[:, j], w, words)
        return model.certificate_.holds
    model = ap.OutlierFilter(kind.removeprefix("robust "), robust=kind == "robust z").fit(X)
    known, most = model.certificate_, max(Counter(column).most_common(1)[0][1] for column in map(tuple, X.T))
    if known.holds and kind == "mahalanobis":
        insist(all(len(set(column)) > 1 for column in map(tuple, X.T)), words, known)
    elif known.holds:
        insist(most <= len(X) * (0.5 if kind == "robust z" else 0.75) + 1, words, known)
        insist((model.low_ < model.high_).all(), words, known)
    return known.holds
