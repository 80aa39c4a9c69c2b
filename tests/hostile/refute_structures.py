"""Certificates of searches among graphs: every graph one edge away, with scores in 60 digits."""

from collections import defaultdict
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from math import comb, prod

import numpy as np

import aprendiz as ap

from .checks import decimal, insist

CRITERIA = ("bic", "aic", "loglik", "bdeu", "k2")


def local_maximum(seed):
    """No allowed change of a single edge raises the score by more than its rounding."""
    rng = np.random.default_rng([seed, 11])
    X, weights, words = hostile_codes(rng)
    d = X.shape[1]
    known = hostile_knowledge(rng, d)
    criterion, alpha = CRITERIA[seed % 5], float(10.0 ** rng.integers(-6, 7)) if seed % 3 else 1.0
    model = ap.HillClimbing(
        criterion=criterion,
        alpha=alpha,
        patience=int(rng.integers(0, 6)),
        n_restarts=int(rng.integers(0, 3)),
        random_state=0,
        **known,
    ).fit(X, sample_weight=weights)
    told, words = model.certificate_, f"{criterion} {alpha:g} {words} {known}"
    with localcontext() as context:
        context.prec = 60
        score = exact_scores(X, weights, criterion, alpha)
        parents = [frozenset(own) for own in model.graph_.parents]
        own = [score(v, parents[v]) for v in range(d)]
        rounding = Decimal(told.rounding)
        insist(abs(sum(own) - Decimal(model.score_)) <= d * rounding, words, "score", sum(own) - Decimal(model.score_))
        gains = [
            sum(score(v, other[v]) - own[v] for v in range(d) if other[v] != parents[v]) for other in around(parents, known)
        ]
        insist(told.moves <= len(gains), words, len(gains), told)  # families that are too large to win are not compared
        if gains:
            insist(not told.moves or abs(max(gains) - Decimal(told.gain)) <= rounding, words, told, max(gains))
            insist(not told.holds or max(gains) <= rounding, words, told, max(gains))
    return told.holds


def hostile_codes(rng):
    """Few rows of few columns, some of them constant, copies of one another or with levels that do not occur, and weights."""
    n, d = int(rng.integers(1, 40)), int(rng.integers(2, 5))
    X = rng.integers(0, rng.integers(1, 5, d), (n, d))
    if rng.random() < 0.5:
        X[:, -1] = X[:, 0]
    if rng.random() < 0.3:
        X[0, 0] = rng.integers(5, 60)
    size = float(rng.choice([1.0, 1.0, 0.3, 2.0**60, 1e45, 1e-45]))
    kinds = (None, np.full(n, size), size * rng.random(n), rng.integers(0, 3, n), np.where(rng.random(n) < 0.2, size, 1.0))
    number = int(rng.integers(len(kinds)))
    return X, kinds[number], f"{n} × {d}, weights {number}, {size:g}"


def hostile_knowledge(rng, d):
    """Nothing, a few arrows that must or must not be, or a limit."""
    known = {"max_parents": int(rng.integers(1, d))} if rng.random() < 0.3 else {}
    if rng.random() < 0.3:
        known["required"] = [(d - 1, 0)]
    if rng.random() < 0.3:
        known["forbidden"] = [(0, 1)]
    return known


def around(parents, known):
    """The graphs with one edge more, less or turned round that have no cycle and are allowed."""
    d = len(parents)
    arrows = {(u, v) for v, own in enumerate(parents) for u in own}
    for u in range(d):
        for v in range(u):
            now = arrows & {(u, v), (v, u)}
            for pair in ({(u, v)}, {(v, u)}, set()):
                other = (arrows - {(u, v), (v, u)}) | pair
                found = [frozenset(p for p, c in other if c == node) for node in range(d)]
                fine = set(known.get("required", ())) <= other and not (pair - now) & set(known.get("forbidden", ()))
                grown = any(len(found[c]) > known.get("max_parents", d) for _, c in pair - now)
                if pair != now and fine and not grown and has_no_cycle(other, d):
                    yield found


def has_no_cycle(arrows, d):
    """Can the nodes be taken away one by one, each when nothing leads to it?"""
    left = set(range(d))
    while left:
        free = {v for v in left if not any(c == v and p in left for p, c in arrows)}
        if not free:
            return False
        left -= free
    return True


def exact_scores(X, weights, criterion, alpha):
    """The score of any family, from its definition."""
    w = [Fraction(1)] * len(X) if weights is None else [Fraction(float(one)) for one in weights]
    rows = [(tuple(int(c) for c in x), one) for x, one in zip(X, w, strict=True) if one]
    sizes, total = [1 + max(x[j] for x, _ in rows) for j in range(X.shape[1])], sum(one for _, one in rows)

    @cache
    def score(v, parents):
        cells, configurations = defaultdict(Fraction), defaultdict(Fraction)
        for x, one in rows:
            row = tuple(x[u] for u in sorted(parents))
            cells[row, x[v]] += one
            configurations[row] += one
        r, q = sizes[v], prod(sizes[u] for u in parents)
        if criterion in ("bdeu", "k2"):
            beta = Fraction(1) if criterion == "k2" else Fraction(alpha) / (r * q)
            inside, outside = ((lambda m, b=b: log_gamma(m + b) - log_gamma(b)) for b in (beta, r * beta))
            return sum(map(inside, cells.values())) - sum(map(outside, configurations.values()))
        found = sum(times_log(m) for m in cells.values()) - sum(times_log(m) for m in configurations.values())
        each = {"loglik": Decimal(0), "aic": Decimal(1), "bic": decimal(total).ln() / 2}[criterion]
        return found - each * (r - 1) * q

    return score


def times_log(m):
    """m ln m."""
    return decimal(m) * decimal(m).ln()


def log_gamma(x):
    """ln Γ of a positive fraction: Stirling's series, from 60 on."""
    found = Decimal(0)
    while x < 60:
        found -= decimal(x).ln()
        x += 1
    z = decimal(x)
    found += (z - Decimal("0.5")) * z.ln() - z + (2 * PI).ln() / 2
    return found + sum(decimal(b) / (2 * k * (2 * k - 1) * z ** (2 * k - 1)) for k, b in enumerate(BERNOULLI, 1))


def bernoulli_numbers(count):
    """B_2, B_4, …, by their recurrence."""
    found = [Fraction(1)]
    for m in range(1, 2 * count + 1):
        found.append(-sum(comb(m + 1, k) * found[k] for k in range(m)) / (m + 1))
    return found[2::2]


BERNOULLI = bernoulli_numbers(30)
PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459")
