"""Certificates of trees and of separating sets, against 60 digits and the definition."""

from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from itertools import combinations

import numpy as np

import aprendiz as ap

from .checks import decimal, insist
from .hostile_tables import hostile_weights


def hostile_codes(seed, most=5):
    """Few columns of codes: independent, copied, nearly copied, renamed, constant; some with holes. And weights."""
    rng = np.random.default_rng([seed, 11])
    n, d = int(rng.integers(3, 60)), int(rng.integers(2, most + 1))
    X = rng.integers(0, rng.integers(1, 4, d), (n, d)).astype(float)
    for j in range(1, d):
        kind = rng.integers(6)
        if kind == 0:
            X[:, j] = X[:, j - 1]
        elif kind == 1:
            X[:, j] = X[:, j - 1].max() - X[:, j - 1]
        elif kind == 2:
            X[:, j] = np.where(np.arange(n) == rng.integers(n), X[:, j], X[:, j - 1])
        elif kind == 3:
            X[:, j] = np.where(rng.random(n) < 0.7, X[:, j - 1], X[:, j])
    if rng.integers(3) == 0:
        X[rng.random(X.shape) < 0.3] = np.nan
    w = hostile_weights(seed, n)
    if w is not None and rng.integers(4) == 0:
        w = w * 2.0 ** rng.integers(-80, 80)
    return X, w


@cache
def all_trees(d):
    """Each spanning tree of d nodes, as a list of pairs."""
    pairs = list(combinations(range(d), 2))
    return [tree for tree in combinations(pairs, d - 1) if joins_all(tree, d)]


def joins_all(tree, d):
    """Whether d − 1 pairs close no cycle."""
    part = list(range(d))
    for a, b in tree:
        if part[a] == part[b]:
            return False
        part = [part[a] if one == part[b] else one for one in part]
    return True


def chow_liu(seed):
    """No spanning tree has more mutual information than this one by more than its rounding; beyond that, it is the only one."""
    X, w = hostile_codes(seed)
    model = ap.ChowLiuTree(int(seed) % X.shape[1]).fit(X, sample_weight=w)
    own = {frozenset(edge) for edge in model.edges_}
    weights = [Fraction(1)] * len(X) if w is None else list(map(Fraction, w))
    check_tree(model.certificate_, own, X, [weights])
    return model.certificate_.holds


def tree_augmented(seed):
    """The same given the class."""
    X, w = hostile_codes(seed)
    y = np.random.default_rng([seed, 12]).integers(0, 3, len(X))
    y[:2] = [0, 1]
    model = ap.TreeAugmentedNaiveBayes(alpha=float(10.0 ** (seed % 9 - 6))).fit(X, y, sample_weight=w)
    own = {frozenset(edge) for edge in model.edges_ if edge[0] != "class"}
    weights = [Fraction(1)] * len(X) if w is None else list(map(Fraction, w))
    check_tree(model.certificate_, own, X, [[a * int(b == c) for a, b in zip(weights, y, strict=True)] for c in range(3)])
    return model.certificate_.holds


def check_tree(known, own, X, weights_of_classes):
    """The claim, among all spanning trees."""
    d = X.shape[1]
    exact = {frozenset(pair): exact_information(X, pair, weights_of_classes) for pair in combinations(range(d), 2)}
    totals = {frozenset(map(frozenset, tree)): sum(exact[frozenset(pair)] for pair in tree) for tree in all_trees(d)}
    best = max(totals.values())
    insist(not known.holds or best - totals[frozenset(own)] <= Decimal(known.rounding), known, best, totals[frozenset(own)])
    insist(abs(totals[frozenset(own)] - Decimal(known.information)) <= Decimal(known.rounding), known, "information")
    if known.holds and known.margin > known.rounding:
        others = [total for tree, total in totals.items() if tree != frozenset(own)]
        insist(all(total < totals[frozenset(own)] for total in others), known, "not the only one")
        insist(not others or best - max(others) >= Decimal(known.margin) - Decimal(known.rounding), known, "margin")


def exact_information(X, pair, weights_of_classes):
    """I of the pair, given the class, with 60 digits."""
    x, z = (X[:, j] for j in sorted(pair))
    sums, total = Decimal(0), Fraction(0)
    with localcontext() as context:
        context.prec = 60
        for weights in weights_of_classes:
            N = {}
            for a, b, weight in zip(x, z, weights, strict=True):
                if a == a and b == b and weight:
                    N[a, b] = N.get((a, b), 0) + weight
            n = sum(N.values())
            total += n
            for (a, b), count in N.items():
                across = sum(N.get((a, other), 0) for other in set(z)) * sum(N.get((other, b), 0) for other in set(x))
                sums += decimal(count) * decimal(count * n / across).ln()
        return sums / decimal(total) if total else Decimal(0)
