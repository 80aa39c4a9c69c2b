"""Certificates of trees and ensembles, against rational arithmetic and 60 digits."""

from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np

import aprendiz as ap

from .checks import insist
from .hostile_tables import exactly, hostile_target, hostile_weights, two_classes, with_extremes

CLASS_TREES = (ap.DecisionTreeClassifier, ap.CART, ap.C45, ap.ID3)
FORESTS = (ap.RandomForestClassifier, ap.ExtraTreesClassifier, ap.BaggingClassifier, ap.ClassSwitchingClassifier)
NUMBER_FORESTS = (ap.RandomForestRegressor, ap.ExtraTreesRegressor, ap.BaggingRegressor)
SMALL = Fraction(1, 10**9)


def some_classes(seed, X, count):
    """Two or three classes, all of them there."""
    y = two_classes(seed, X)
    return y if count == 2 else np.where(np.arange(len(y)) % 3 == 2, 2, y)


def ones_for(w, n):
    return [Fraction(1)] * n if w is None else exactly(w)


# ---- trees -------------------------------------------------------------------------------------------------------------


def trees(seed):
    """Every row that counts reaches a leaf, which has the weight of its rows; no split raises the weighted impurity of exactly
    the rows of its node, up to 10⁻⁹ of that of the root."""
    X, words = with_extremes(seed)
    w, kind = hostile_weights(seed, len(X)), seed % 6
    if kind < 4:
        y, more = some_classes(seed, X, 2 + seed % 2), {"pruning": None} if kind in (1, 2) else {}
        model, impurity = CLASS_TREES[kind](max_depth=3, **more), gini if kind < 2 else entropy
    else:
        y, model, impurity = hostile_target(seed, X), ap.DecisionTreeRegressor(max_depth=3), scatter
    model.fit(X, y, sample_weight=w)
    if not model.certificate_.holds:
        return False
    tree, leaf, weight = model.tree_, model.apply(X), ones_for(w, len(X))
    insist(tree.is_leaf[leaf].all(), words, model.certificate_, "a row ends inside")
    members = {node: [] for node in range(tree.node_count)}
    for row, node in enumerate(leaf):
        while node >= 0:
            members[int(node)].append(row)
            node = tree.parent[node]
    values = y.tolist() if kind < 4 else exactly(y)
    total = [impurity([(weight[i], values[i]) for i in members[node]]) for node in range(tree.node_count)]
    for node, rows in members.items():
        here, said = sum(weight[i] for i in rows), Fraction(float(tree.weighted_n_node_samples[node]))
        insist(abs(said - here) <= SMALL * sum(weight), words, model.certificate_, node, "weight", float(said), float(here))
        if not tree.is_leaf[node]:
            below = sum(total[k] for k in range(tree.node_count) if tree.parent[k] == node)
            insist(below - total[node] <= type(below)(1) / 10**9 * total[0], words, model.certificate_, node, "impurity rises")
    return True


def shares(pairs):
    total = sum(p for p, _ in pairs)
    return [sum(p for p, k in pairs if k == c) / total for c in {k for _, k in pairs}] if total else [], total


def gini(pairs):
    parts, total = shares(pairs)
    return total * (1 - sum(p * p for p in parts)) if parts else Fraction(0)


def entropy(pairs):
    with localcontext(prec=60):
        parts, total = shares(pairs)
        logs = [Decimal(p.numerator) / Decimal(p.denominator) for p in parts if p > 0]
        return Decimal(total.numerator) / Decimal(total.denominator) * -sum((p * p.ln() for p in logs), Decimal(0))


def scatter(pairs):
    total = sum(p for p, _ in pairs)
    mean = sum(p * v for p, v in pairs) / total if total else 0
    return sum((p * (v - mean) ** 2 for p, v in pairs), Fraction(0))


def forests(seed):
    """The leaves of every tree hold the rows of its bag, each leaf those that reach it."""
    X, words = with_extremes(seed)
    kind = seed % 7
    if kind < 4:
        model, y = FORESTS[kind](n_estimators=3, random_state=seed), some_classes(seed, X, 2 + seed % 2)
    else:
        model, y = NUMBER_FORESTS[kind - 4](n_estimators=3, random_state=seed), hostile_target(seed, X)
    w = None if kind == 3 else hostile_weights(seed, len(X))
    model.fit(X, y, **({} if w is None else {"sample_weight": w}))
    if model.certificate_.holds:
        for number, member in enumerate(model.estimators_):
            bag = model.estimators_samples_[number] if hasattr(model, "estimators_samples_") else np.arange(len(X))
            leaf, weight = member.apply(X), ones_for(w if weighs_bags(model) else None, len(X))
            for node in np.flatnonzero(member.tree_.is_leaf):
                said = Fraction(float(member.tree_.weighted_n_node_samples[node]))
                here = sum((weight[i] for i in bag if leaf[i] == node), Fraction(0))
                kept = Fraction(1, 2**24) * here  # in single precision
                insist(abs(said - here) <= SMALL * sum(weight) + kept, words, model, node, float(said), float(here))
    return model.certificate_.holds


def weighs_bags(model):
    """Are weights kept in the bag, and not the chances with which rows are drawn?"""
    return isinstance(model, (ap.ExtraTreesClassifier, ap.ExtraTreesRegressor))


# ---- boosting ----------------------------------------------------------------------------------------------------------


def ada_boost(seed):
    """The weight of the rows that `predict` gets wrong is at most the product of the factors, with the mean losses of the
    members found again from what they say, in 60 digits."""
    X, words = with_extremes(seed)
    y, w = some_classes(seed, X, 2 + seed % 2), hostile_weights(seed, len(X))
    model = ap.AdaBoostClassifier(n_estimators=10, learning_rate=[1.0, 0.5, 2.0][seed % 3], random_state=0)
    model.fit(X, y, sample_weight=w)
    known = model.certificate_
    if known.holds:
        with localcontext(prec=60):
            first = [Decimal(v.numerator) / Decimal(v.denominator) for v in ones_for(w, len(X))]
            losses = [[Decimal(int(a != b)) for a, b in zip(member.predict(X), y, strict=True)] for member in model.estimators_]
            limit = boosting_bound(losses, first, model.estimator_weights_, Decimal("0.5"))
            said = model.predict(X)
            wrong = sum(p for p, a, b in zip(first, said, y, strict=True) if a != b) / sum(first)
            insist(wrong <= min(Decimal(1), limit) + Decimal("1e-8"), words, known, float(wrong), float(limit))
            insist(abs(Decimal(float(known.error)) - wrong) < Decimal("1e-9"), words, known, "error is", float(wrong))
            near = abs(Decimal(float(known.bound)) - min(Decimal(1), limit)) <= Decimal("1e-6")
            insist(near, words, known, "bound is", float(limit))
    return known.holds


def boosting_bound(losses, first, member_weights, theta):
    """Π_m [(1 − e_m) exp(−(1 − θ) α_m) + e_m exp(θ α_m)], e_m the mean losses under the weights that follow from `first`."""
    weight, product = [p / sum(first) for p in first], Decimal(1)
    for loss, alpha in zip(losses, map(Decimal, member_weights.tolist()), strict=True):
        error = sum(p * v for p, v in zip(weight, loss, strict=True))
        product *= (1 - error) * (-(1 - theta) * alpha).exp() + error * (theta * alpha).exp()
        weight = [p * (alpha * (v - 1)).exp() for p, v in zip(weight, loss, strict=True)]
        weight = [p / sum(weight) for p in weight]
    return product


def ada_boost_regressor(seed):
    """The weight of the rows that `predict` misses by the largest error of any member is at most the product of the factors,
    with the mean losses found again from what the members say, in 60 digits."""
    X, words = with_extremes(seed)
    y, w, kind = hostile_target(seed, X), hostile_weights(seed, len(X)), ["linear", "square", "exponential"][seed % 3]
    model = ap.AdaBoostRegressor(n_estimators=8, loss=kind, random_state=seed).fit(X, y, sample_weight=w)
    known = model.certificate_
    if known.holds:
        with localcontext(prec=60):
            first = [Decimal(v.numerator) / Decimal(v.denominator) for v in ones_for(w, len(X))]
            truth = [Decimal(float(v)) for v in y]
            off = [
                [abs(Decimal(float(a)) - b) for a, b in zip(one.predict(X), truth, strict=True)] for one in model.estimators_
            ]
            counts = [i for i, p in enumerate(first) if p > 0]
            off, truth, first = (
                [[row[i] for i in counts] for row in off],
                [truth[i] for i in counts],
                [first[i] for i in counts],
            )
            losses = [[loss_of(kind, v / max(row)) if max(row) else v for v in row] for row in off]
            theta = {"linear": "0.5", "square": "0.5"}.get(kind)
            theta = Decimal(theta) if theta else 1 - (1 - Decimal(-1).exp()) / 2
            limit = min(Decimal(1), boosting_bound(losses, first, model.estimator_weights_, theta))
            largest, said = max(map(max, off)), model.predict(X)[counts]
            missed = [p for p, a, b in zip(first, said, truth, strict=True) if abs(Decimal(float(a)) - b) >= largest]
            share = sum(missed, Decimal(0)) / sum(first) if largest else Decimal(0)
            insist(share <= limit + Decimal("1e-8"), words, known, float(share), float(limit))
            insist(abs(Decimal(float(known.bound)) - limit) <= Decimal("1e-6"), words, known, "bound is", float(limit))
    return known.holds


def loss_of(kind, off):
    return {"linear": off, "square": off * off, "exponential": 1 - (-off).exp()}[kind]
