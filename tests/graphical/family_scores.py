"""Scores of families by their definitions, on plain counters."""

import math
from collections import Counter
from itertools import chain, combinations, permutations

import numpy as np


def family_score(codes, v, parents, name, *, alpha=1.0, weights=None, sizes=None):
    """The score of a node with some parents: sums over all configurations that occur."""
    sizes = codes.max(axis=0) + 1 if sizes is None else sizes
    weights = np.ones(len(codes)) if weights is None else weights
    cells, rows = Counter(), Counter()
    for x, w in zip(codes, weights, strict=True):
        cells[tuple(x[list(parents)]), x[v]] += w
        rows[tuple(x[list(parents)])] += w
    r, q, n = int(sizes[v]), math.prod(int(sizes[u]) for u in parents), weights.sum()
    if name in ("k2", "bdeu"):
        beta = 1.0 if name == "k2" else alpha / (r * q)
        total = sum(math.lgamma(r * beta) - math.lgamma(r * beta + m) for m in rows.values())
        return total + sum(math.lgamma(beta + m) - math.lgamma(beta) for m in cells.values())
    likelihood = sum(m * math.log(m / rows[j]) for (j, _), m in cells.items() if m)
    return likelihood - {"loglik": 0.0, "aic": 1.0, "bic": 0.5 * math.log(n)}[name] * (r - 1) * q


def graph_score(codes, parents, name, **settings):
    """Of a graph, given as the parents of each node."""
    return sum(family_score(codes, v, own, name, **settings) for v, own in enumerate(parents))


def best_score(codes, name, **settings):
    """The highest score of all graphs: in each order of the nodes, each with its best parents among those before it."""
    d = codes.shape[1]
    known = {
        (v, own): family_score(codes, v, own, name, **settings)
        for v in range(d)
        for own in subsets(u for u in range(d) if u != v)
    }
    best = {(v, among): max(known[v, own] for own in subsets(among)) for v, among in known}
    return max(sum(best[v, tuple(sorted(order[:k]))] for k, v in enumerate(order)) for order in permutations(range(d)))


def subsets(things):
    """All tuples of some of them, in their order."""
    things = list(things)
    return chain.from_iterable(combinations(things, k) for k in range(len(things) + 1))


def random_network_rows(seed, nodes, rows, levels=3, parents=2):
    """Rows from a random network with strong tables, columns in a random order."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(2, levels + 1, nodes)
    codes = np.empty((rows, nodes), int)
    for v in range(nodes):
        own = rng.choice(v, min(v, rng.integers(0, parents + 1)), replace=False)
        place = np.zeros(rows, int)
        for u in own:
            place = place * sizes[u] + codes[:, u]
        table = rng.dirichlet(np.full(sizes[v], 0.5), place.max() + 1)
        codes[:, v] = np.minimum((rng.random(rows)[:, None] > table[place].cumsum(axis=1)).sum(axis=1), sizes[v] - 1)
    return codes[:, rng.permutation(nodes)]
