"""Certificates of trees and of separating sets, against 60 digits and the definition."""

from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from itertools import combinations

import numpy as np
from scipy.stats import chi2

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


def pc_stable(seed):
    """Each pair without an edge is separated by its set; no edge by any set of neighbours; the network has these edges, and the
    arrows."""
    X, w = hostile_codes(seed, 6)
    rng = np.random.default_rng([seed, 13])
    alpha, statistic, adjusted = float(rng.choice([0.01, 0.05, 0.3])), "g2" if rng.integers(2) else "x2", bool(rng.integers(2))
    model = ap.PCStable(alpha=alpha, statistic=statistic, adjust_df=adjusted).fit(X, sample_weight=w)
    if not model.certificate_.holds:
        return False
    weights = [Fraction(1)] * len(X) if w is None else list(map(Fraction, w))
    joined = {frozenset(edge) for edge in model.edges_}
    near = {v: {u for edge in joined if v in edge for u in edge - {v}} for v in range(X.shape[1])}
    insist(set(model.directed_edges_) <= set(model.edges_), "arrows")
    insist(len(joined) + len(model.separating_sets_) == X.shape[1] * (X.shape[1] - 1) // 2, "pairs")
    for (a, b), given in model.separating_sets_.items():
        insist(frozenset((a, b)) not in joined, a, b)
        p = exact_p_value(X, weights, a, b, given, statistic, adjusted)
        insist(p >= alpha * (1 - 1e-6), model.certificate_, a, b, given, p)
    for a, b in map(sorted, joined):
        sets = {frozenset(s) for v, u in ((a, b), (b, a)) for n in range(len(near[v])) for s in combinations(near[v] - {u}, n)}
        for given in sets:
            p = exact_p_value(X, weights, a, b, sorted(given), statistic, adjusted)
            insist(p <= alpha * (1 + 1e-6), model.certificate_, a, b, given, p)
    return True


def exact_p_value(X, weights, a, b, given, statistic, adjusted):
    """The test with 60 digits, but for the tail of χ² at the end."""
    N, sizes = {}, [max(1, int(np.nanmax(X[counted(X, weights, v), v], initial=-1)) + 1) for v in (*given, a, b)]
    for row, weight in zip(X, weights, strict=True):
        cells = tuple(row[[*given, a, b]])
        if weight and all(cell == cell for cell in cells):
            N[cells] = N.get(cells, 0) + weight
    sums, occurring = Decimal(0), 0
    with localcontext() as context:
        context.prec = 60
        for stratum in {cells[:-2] for cells in N}:
            here = {cells[-2:]: n for cells, n in N.items() if cells[:-2] == stratum}
            n = sum(here.values())
            occurring += (len({x for x, _ in here}) - 1) * (len({z for _, z in here}) - 1)
            for x, z in {(x, z) for x, _ in here for _, z in here}:
                across = sum(v for (p, _), v in here.items() if p == x) * sum(v for (_, q), v in here.items() if q == z)
                count = here.get((x, z), Fraction(0))
                if statistic == "x2":
                    sums += decimal((count - across / n) ** 2 * n / across)
                elif count:
                    sums += 2 * decimal(count) * decimal(count * n / across).ln()
    df = occurring if adjusted else (sizes[-1] - 1) * (sizes[-2] - 1) * int(np.prod(sizes[:-2]))
    return float(chi2.sf(float(sums), df)) if df else 1.0


def counted(X, weights, v):
    """The rows that count and know a cell."""
    return [i for i, weight in enumerate(weights) if weight and X[i, v] == X[i, v]]
