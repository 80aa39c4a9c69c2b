"""Random networks for the tests of inference, and their joint table cell by cell: the definition that answers are held to."""

from fractions import Fraction
from itertools import product

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

from aprendiz.graphical import BayesianNetwork

quick = settings(max_examples=60, database=None, derandomize=True, deadline=None)


def random_network(seed, nodes=None, zeros=0.3, most_parents=3):
    """A network of nodes "a", "b", … with one to three levels; some tables have zeros. Its probabilities are multiples of
    1/64, so that sums and products of few are exact."""
    rng = np.random.default_rng([seed, 7])
    n = int(rng.integers(1, 7)) if nodes is None else nodes
    names = [chr(97 + v) if n <= 26 else f"n{v}" for v in range(n)]
    levels = {name: [f"{name}{i}" for i in range(rng.integers(1, 4))] for name in names}
    order, parents = rng.permutation(n), {name: [] for name in names}
    for i, v in enumerate(order):
        own = rng.choice(order[:i], min(i, int(rng.integers(0, most_parents + 1))), replace=False)
        parents[names[v]] = [names[u] for u in own]
    tables = {}
    for name in names:
        rows = int(np.prod([len(levels[p]) for p in parents[name]], dtype=int))
        cells = [random_row(rng, len(levels[name]), rng.random() < zeros) for _ in range(rows)]
        tables[name] = np.reshape(cells, [len(levels[p]) for p in (*parents[name], name)])
    return BayesianNetwork.from_tables(tables, parents=parents, levels=levels)


def random_row(rng, levels, with_zeros):
    """Multiples of 1/64 that sum to one."""
    low = 0 if with_zeros else 1
    cuts = np.sort(rng.integers(low, 64 if low else 65, levels - 1)) if levels > 1 else []
    counts = np.diff([0, *cuts, 64])
    if not with_zeros and (counts == 0).any():
        return random_row(rng, levels, with_zeros)
    return counts / 64


def joint_table(model):
    """p of each combination of levels, as fractions in an array with an axis for each node."""
    network = model.network_
    tables = [np.vectorize(Fraction, otypes=[object])(table) for table in network.tables]
    p = np.empty(network.sizes, dtype=object)
    for cell in product(*map(range, network.sizes)):
        p[cell] = Fraction(1)
        for v, parents in enumerate(network.graph.parents):
            p[cell] *= tables[v][tuple(cell[u] for u in (*parents, v))]
    return p


def agreeing(p, known):
    """The table with zeros where a cell does not agree with what is known: a mapping of place to code."""
    where = tuple(slice(known[v], known[v] + 1) if v in known else slice(None) for v in range(p.ndim))
    q = np.full(p.shape, Fraction(0), dtype=object)
    q[where] = p[where]
    return q


def summed_onto(p, places):
    """The sum over all other nodes, with an axis for each place, in their order."""
    rest = p.sum(axis=tuple(v for v in range(p.ndim) if v not in places)) if len(places) < p.ndim else p
    kept = sorted(places)
    return np.transpose(np.asarray(rest, dtype=object), [kept.index(v) for v in places])


@st.composite
def networks_with_evidence(draw):
    """A network, and a level for some of its nodes."""
    model = random_network(draw(st.integers(0, 10**6)))
    sizes = model.network_.sizes
    known = {v: draw(st.integers(0, size - 1)) for v, size in enumerate(sizes) if draw(st.booleans())}
    return model, known


def by_name(model, known):
    """Evidence by name."""
    network = model.network_
    return {network.graph.nodes[v]: network.levels[v][code] for v, code in known.items()}
