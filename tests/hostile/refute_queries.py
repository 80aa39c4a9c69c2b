"""Queries of networks whose tables hold zeros, denormal numbers and all that lies between, against sums in fractions."""

import math
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product

import numpy as np

import aprendiz as ap

from .checks import insist

TINY = (0.0, 5e-324, 1e-310, 1e-300, 1e-200, 1e-150, 1e-120, 1e-16, 0.25)


def queries(seed):
    """ln p(evidence), all posteriors, the most probable levels, and ln p of rows: each to 10⁻¹² of itself, or of ln p."""
    rng = np.random.default_rng([seed, 54])
    model = hostile_network(rng)
    network = model.network_
    p = joint(network)
    for _ in range(3):
        known = {v: int(rng.integers(size)) for v, size in enumerate(network.sizes) if rng.random() < 0.5}
        evidence = {network.graph.nodes[v]: network.levels[v][code] for v, code in known.items()}
        agree = {cell: one for cell, one in p.items() if all(cell[v] == code for v, code in known.items())}
        total = sum(agree.values(), Fraction(0))
        found = model.log_evidence_probability(evidence)
        insist((found == -math.inf) == (total == 0), seed, evidence, found, "zero or not")
        if total == 0:
            insist(refused(model, evidence), seed, evidence, "impossible evidence was answered")
            continue
        exact = logarithm(total)
        insist(abs(found - exact) <= 1e-12 * max(1.0, abs(exact)), seed, evidence, found, exact)
        check_posteriors(model, evidence, agree, total, seed)
        best = model.most_probable(evidence)
        cell = tuple(network.code(name, best[name]) for name in network.graph.nodes)
        most = max(agree.values())
        near = 1e-10 * max(1.0, abs(logarithm(most)))
        insist(agree.get(cell, 0) > 0, seed, evidence, best, "cannot be")
        insist(logarithm(agree[cell]) >= logarithm(most) - near, seed, evidence, best, "is not the most probable")
    return True


def check_posteriors(model, evidence, agree, total, seed):
    """Every probability to 10⁻¹⁰ of itself, or of the smallest double."""
    network = model.network_
    for v, (name, found) in enumerate(model.posteriors(evidence).items()):
        single = found if name in evidence else model.query(name, evidence)
        for code, level in enumerate(network.levels[v]):
            exact = sum((one for cell, one in agree.items() if cell[v] == code), Fraction(0)) / total
            for value in (found[level], single[level]):
                off = abs(Fraction(value) - exact)
                insist(off <= exact * Fraction(1, 10**10) + Fraction(5e-324), seed, evidence, name, level, value, float(exact))


def refused(model, evidence):
    """Whether all posteriors are refused with a reason."""
    try:
        model.posteriors(evidence)
    except ValueError as error:
        return "probability 0" in str(error)
    return False


def hostile_network(rng):
    """Up to six nodes, whose rows hold one number that is not small."""
    n = int(rng.integers(2, 7))
    sizes, order, parents = rng.integers(1, 4, n), rng.permutation(n), {}
    for i, v in enumerate(order):
        parents[int(v)] = [int(u) for u in rng.choice(order[:i], min(i, int(rng.integers(0, 4))), replace=False)]
    tables = {}
    for v in range(n):
        shape = [sizes[u] for u in parents[v]]
        table = rng.choice(TINY, (*shape, sizes[v]))
        which = rng.integers(sizes[v], size=shape)
        np.put_along_axis(table, which[..., None], 0.0, axis=-1)
        np.put_along_axis(table, which[..., None], 1.0 - table.sum(axis=-1, keepdims=True), axis=-1)
        tables[v] = table
    return ap.BayesianNetwork.from_tables(
        tables, parents={v: parents[v] for v in range(n)}, levels={v: tuple(range(int(sizes[v]))) for v in range(n)}
    )


def joint(network):
    """p of each cell, as fractions."""
    tables = [np.vectorize(Fraction, otypes=[object])(table) for table in network.tables]
    families = [(*parents, v) for v, parents in enumerate(network.graph.parents)]
    return {
        cell: math.prod((tables[v][tuple(cell[u] for u in family)] for v, family in enumerate(families)), start=Fraction(1))
        for cell in product(*map(range, network.sizes))
    }


def logarithm(x):
    """ln of a fraction, however small."""
    with localcontext() as context:
        context.prec = 40
        return float((Decimal(x.numerator) / Decimal(x.denominator)).ln())
