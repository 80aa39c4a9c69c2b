"""Certificates of calibrators, against rational arithmetic and 60 digits."""

from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import combinations

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.frozen import FrozenEstimator

import aprendiz as ap

from .checks import insist, part
from .hostile_tables import hostile_weights, two_classes, with_extremes


class FirstColumn(ClassifierMixin, BaseEstimator):
    """A classifier whose score is the first column."""

    def fit(self, X, y):
        self.classes_ = np.array([0, 1])
        return self

    def decision_function(self, X):
        return X[:, 0]


def calibrated(seed, method):
    """The calibrator of hostile scores; scores, classes and weights of the rows that count."""
    X, words = with_extremes(seed)
    y, w = two_classes(seed, X), hostile_weights(seed, len(X))
    model = ap.CalibratedClassifierCV(FrozenEstimator(FirstColumn().fit(X, y)), method=method).fit(X, y, w)
    w = np.ones(len(X)) if w is None else w
    return model.calibrated_classifiers_[0].calibrators[0], X[w > 0, 0], y[w > 0], w[w > 0], words


def platt_sigmoid(seed):
    """λ²/(2F) of Platt's sigmoid in 60 digits: gᵀH⁻¹g = Σ h_i (g₀ − g₁s_i)² / Σ_{i<j} h_i h_j (s_i − s_j)², sums without
    cancellation, of h = w·p·q."""
    found, scores, y, w, words = calibrated(seed, "sigmoid")
    with localcontext(prec=60):
        weight, place = [Decimal(float(v)) for v in w], [Decimal(float(s)) for s in scores]
        yes = sum(v for v, label in zip(weight, y, strict=True) if label == 1)
        no, gradient, curvature, loss = sum(weight) - yes, [Decimal(0)] * 2, [], Decimal(0)
        for s, label, v in zip(place, y, weight, strict=True):
            t, u = (yes + 1) / (yes + 2) if label == 1 else 1 / (no + 2), Decimal(found.a_) * s + Decimal(found.b_)
            if abs(u) > 10**5:  # e to such powers has no digits left
                return found.certificate.holds
            p, q = 1 / (1 + u.exp()), 1 / (1 + (-u).exp())
            loss -= v * (t * p.ln() + (1 - t) * q.ln())
            gradient = [gradient[0] + v * (t - p) * s, gradient[1] + v * (t - p)]
            curvature.append(v * p * q)
        if len(set(scores)) == 1:
            squared = gradient[1] ** 2 / sum(curvature)
        else:
            pairs = combinations(zip(curvature, place, strict=True), 2)
            determinant = sum(h * k * (r - s) ** 2 for (h, r), (k, s) in pairs)
            rows = zip(curvature, place, strict=True)
            squared = sum(h * (gradient[0] - gradient[1] * s) ** 2 for h, s in rows) / determinant
        insist(not found.certificate.holds or squared / (2 * loss) <= Decimal("1.1e-12"), words, float(squared / loss))
    return found.certificate.holds


def isotonic(seed):
    """The values of isotonic regression, as minima over ends of maxima over beginnings of means, in fractions."""
    found, scores, y, w, words = calibrated(seed, "isotonic")
    if len(scores) > 60:
        scores, y, w = scores[:60], y[:60], w[:60]
        found = type(found).fitted(scores, y == 1, w)
    order = np.unique(scores)
    mass = [sum(Fraction(float(v)) for v in w[scores == s]) for s in order]
    total = [sum(Fraction(float(v)) for v in w[(scores == s) & (y == 1)]) for s in order]
    for k, s in enumerate(order):
        exact = max(min(sum(total[i : j + 1]) / sum(mass[i : j + 1]) for j in range(k, len(order))) for i in range(k + 1))
        wrong = abs(Fraction(float(found.predict(s))) - exact)
        insist(not found.certificate.holds or wrong <= part(-9) * max(1, sum(mass) / mass[k]), words, float(wrong))
    return found.certificate.holds


def temperature(seed):
    """β·L′ a row in 60 digits."""
    found, scores, y, w, words = calibrated(seed, "temperature")
    beta, holds = Decimal(found.beta_), found.certificate.holds
    if abs(np.log(found.beta_)) > 9.99:
        return holds
    with localcontext(prec=60):
        slope = Decimal(0)
        for s, label, v in zip(scores, y, w, strict=True):
            away = 2 * Decimal(float(s)) * (-1 if label == 1 else 1)  # of the other class from the own
            if beta * away > -(10**5):  # below it, what a row adds is 0 to forty thousand digits
                slope += Decimal(float(v)) * away / (1 + (-beta * away).exp())
        slope *= beta / sum(Decimal(float(v)) for v in w)
    insist(not holds or abs(slope) <= Decimal("1.1e-10"), words, float(slope))
    return holds
