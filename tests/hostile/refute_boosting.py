"""Certificates of boosted trees, against rational arithmetic and 60 digits."""

from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import pairwise

import numpy as np

import aprendiz as ap

from .checks import insist
from .hostile_tables import exactly, hostile_target, hostile_weights, with_extremes
from .refute_ensembles import SMALL, ones_for, some_classes


def boosted_trees(seed):
    """The mean training losses after each iteration, from the predictions of the stages in exact arithmetic: they are those
    that were noted, and none is above the one before."""
    X, words = with_extremes(seed)
    w, few = hostile_weights(seed, len(X)), {"max_iter": 4, "min_samples_leaf": 2, "learning_rate": [0.1, 1.0][seed % 2]}
    first = ones_for(w, len(X))
    if seed % 3:
        y = hostile_target(seed, X)
        model = ap.HistGradientBoostingRegressor(**few).fit(X, y, sample_weight=w)
        truth = exactly(y)
        found = [
            sum(p * (Fraction(float(a)) - b) ** 2 for p, a, b in zip(first, said, truth, strict=True) if p) / sum(first) / 2
            for said in model.staged_predict(X)
        ]
    else:
        y = some_classes(seed, X, 2 + seed % 2)
        model = ap.HistGradientBoostingClassifier(**few).fit(X, y, sample_weight=w)
        place = {label: k for k, label in enumerate(model.classes_.tolist())}
        with localcontext(prec=60):
            found = []
            for raws in model.staged_decision_function(X):
                rows = zip(first, np.atleast_2d(raws.T).T, y.tolist(), strict=True)
                found.append(sum(p * Fraction(exact_log_loss(raw, place[b])) for p, raw, b in rows) / sum(first))
    known = model.certificate_
    if known.holds:
        small = SMALL * max([Fraction(1), *map(abs, found), abs(Fraction(float(known.first)))])
        for said, loss in zip(model.losses_[1:], found, strict=True):
            insist(abs(Fraction(float(said)) - loss) <= small, words, known, "loss", float(said), float(loss))
        for above, below in pairwise(found):
            insist(below - above <= small, words, known, "the loss rises to", float(below))
    return known.holds


def exact_log_loss(raw, k):
    """log Σ exp f − f_k; of two classes, where f is one number, that of f and 0."""
    f = [Decimal(0), Decimal(float(raw[0]))] if len(raw) == 1 else [Decimal(float(v)) for v in raw]
    return sum(v.exp() for v in f).ln() - f[k]
