"""Certificates of Bayesian networks, against rational arithmetic and 60 digits."""

from decimal import MIN_EMIN, Decimal, localcontext
from fractions import Fraction
from itertools import pairwise, product

import numpy as np

import aprendiz as ap
from aprendiz.graphical.learning.priors import pseudo_count, shares
from aprendiz.graphical.learning.table_shapes import in_tables

from .checks import decimal, insist
from .hostile_tables import exactly, hostile_weights


def network_of(seed, largest):
    """A few columns of codes, edges between them, weights, and the parameters of a prior."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(2, largest + 1)), int(rng.integers(1, 5))
    X = np.minimum(rng.integers(0, 4, size=(n, d)), rng.integers(0, 4, size=d)).astype(float)
    if rng.random() < 0.4:  # columns that settle each other
        X[:, -1] = X[:, 0]
    edges = [(i, j) for j in range(d) for i in range(j) if rng.random() < 0.6]
    w = hostile_weights(seed, n) if n > 1 else None
    if w is not None and rng.random() < 0.3:
        w = w * 10.0 ** rng.choice([-100, -50, 50, 100])
    prior = [None, None, "dirichlet", "bdeu", "k2"][rng.integers(5)]
    return X, edges, w, {"prior": prior, "alpha": float(rng.choice([0.0, 1e-308, 1e-12, 1.0, 1e9]))}


def network_tables(seed):
    """Of complete rows: how many configurations of parents have no count, and the tables, shares of the counts to 12 digits."""
    X, edges, w, prior = network_of(seed, 12)
    model = ap.BayesianNetwork(edges, **prior).fit(X, sample_weight=w)
    known, parents, weights = model.certificate_, model.graph_.parents, exactly(np.ones(len(X)) if w is None else w)
    empty = 0
    for v, table in enumerate(model.network_.tables):
        a = Fraction(pseudo_count(prior["prior"], prior["alpha"], table))
        counts = dict.fromkeys(np.ndindex(table.shape), a)
        for row, weight in zip(X.astype(int), weights, strict=True):
            if weight:
                counts[tuple(row[u] for u in (*parents[v], v))] += weight
        for configuration in np.ndindex(table.shape[:-1]):
            own = [counts[(*configuration, level)] for level in range(table.shape[-1])]
            empty += not any(own)
            best = [Fraction(1, len(own)) if not any(own) else one / sum(own) for one in own]
            for share, exact in zip(exactly(table[configuration]), best, strict=True):
                insist(abs(share - exact) <= Fraction(1, 10**12) * exact + Fraction(2) ** -1074, known, prior, v, configuration)
    insist(known.empty == empty and known.holds == (empty == 0), known, prior, "empty", empty)
    return known.holds


def network_ascent(seed):
    """Of EM: ℓ and the log prior, over Σw, with 60 digits at the tables of every pass and at those of the end, never fall by
    more than 10⁻¹¹ of their largest size; 10⁻¹² is what the log of the fit says."""
    X, edges, w, prior = network_of(seed, 8)
    rng = np.random.default_rng([seed, 4])
    X[rng.random(X.shape) < 0.3] = np.nan
    hidden = {"h": 2} if rng.random() < 0.5 else None
    if hidden:
        edges = [*edges, *(("h", j) for j in range(X.shape[1]) if rng.random() < 0.7)]
    if (np.isnan(X).all(axis=0)).any():
        X[0] = 0.0
    if prior["alpha"] == 1e9 and w is not None:
        prior["alpha"] = 1.0
    model = ap.BayesianNetwork(edges, hidden=hidden, **prior, max_iter=6, n_init=1, tol=0.0, random_state=seed)
    states = list(model.steps(X, sample_weight=w))
    model.fit(X, sample_weight=w)
    graph, known = model.graph_, model.certificate_
    shapes = [table.shape for table in model.network_.tables]
    tables = []
    for state in states:
        raised = [N + pseudo_count(prior["prior"], prior["alpha"], N) for N in in_tables(state.counts, shapes)]
        tables.append([shares(N) for N in raised])
    if not known.holds:
        return False
    logs = [exact_value(X, w, graph.parents, one, prior) for one in tables]
    size = max(1, *map(abs, logs))
    fall = max((a - b for a, b in pairwise(logs)), default=Decimal(0))
    insist(fall <= Decimal("1e-11") * size, known, prior, hidden, fall)
    end = exact_value(X, w, graph.parents, model.network_.tables, prior)
    insist(abs(end - logs[-1]) <= Decimal("1e-12") * size, known, prior, hidden, "other tables than those of the last pass")
    said = -Decimal(float(known.cost))
    insist(min(abs(said - one) for one in logs) <= Decimal("1e-11") * size, known, "no pass has this likelihood", said)
    return known.holds


def exact_value(X, w, parents, tables, prior):
    """(Σ w ln p(known cells) + Σ a ln θ) / Σw, by adding up all completions of each row."""
    sizes = [table.shape[-1] for table in tables]
    with localcontext(prec=60, Emin=MIN_EMIN):
        weights = [decimal(one) for one in exactly(np.ones(len(X)) if w is None else w)]
        exact = [{cell: Decimal(float(table[cell])) for cell in np.ndindex(table.shape)} for table in tables]
        total = Decimal(0)
        for row, weight in zip(X, weights, strict=True):
            cells = [*row, *[np.nan] * (len(tables) - X.shape[1])]
            choices = [range(size) if np.isnan(x) else [int(x)] for x, size in zip(cells, sizes, strict=True)]
            p = Decimal(0)
            for levels in product(*choices) if weight > 0 else ():
                one = Decimal(1)
                for v, own in enumerate(exact):
                    one *= own[tuple(levels[u] for u in (*parents[v], v))]
                p += one
            total += weight * (p.ln() if p > 0 else Decimal(-(10**9))) if weight > 0 else 0
        for own, table in zip(exact, tables, strict=True):
            if a := pseudo_count(prior["prior"], prior["alpha"], table):
                total += sum(Decimal(a) * (one.ln() if one > 0 else Decimal(-(10**9))) for one in own.values())
        return total / sum(weights)
