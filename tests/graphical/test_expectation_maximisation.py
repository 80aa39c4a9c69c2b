"""EM: the maximum of the likelihood of what is known, found by other means; passes, starts, weights."""

from itertools import pairwise, product

import numpy as np
import pytest
from scipy.optimize import minimize

from aprendiz import BayesianNetwork
from aprendiz.graphical.learning.priors import pseudo_count, shares
from aprendiz.graphical.learning.table_shapes import in_tables

CHAIN = [(0, 1), (1, 2)]


def holes(n, columns, share, seed):
    """Codes 0 and 1, each column like the one before it, with holes."""
    rng = np.random.default_rng(seed)
    X = np.empty((n, columns))
    X[:, 0] = rng.random(n) < 0.4
    for j in range(1, columns):
        X[:, j] = np.where(rng.random(n) < 0.8, X[:, j - 1], rng.random(n) < 0.5)
    X[rng.random(X.shape) < share] = np.nan
    return X


def log_likelihood(X, parents, tables, weights=None):
    """Σ w ln p(known cells), by adding up all completions."""
    total = 0.0
    for i, row in enumerate(X):
        cells = [*row, *[np.nan] * (len(tables) - len(row))]
        choices = [range(T.shape[-1]) if np.isnan(x) else [int(x)] for x, T in zip(cells, tables, strict=True)]
        p = sum(np.prod([T[tuple(x[u] for u in (*parents[v], v))] for v, T in enumerate(tables)]) for x in product(*choices))
        total += (1.0 if weights is None else weights[i]) * np.log(p)
    return total


def directly(X, parents, shapes, starts=1, pseudo=0.0):
    """The largest log-likelihood (with a log prior) over all tables, as logits, from several starts."""
    ends = np.cumsum([np.prod(shape) for shape in shapes])

    def tables(z):
        found = [np.exp(part.reshape(shape)) for part, shape in zip(np.split(z, ends[:-1]), shapes, strict=True)]
        return [T / T.sum(axis=-1, keepdims=True) for T in found]

    def cost(z):
        found = tables(z)
        return -log_likelihood(X, parents, found) - pseudo * sum(np.log(T).sum() for T in found)

    rng = np.random.default_rng(0)
    best = min((minimize(cost, rng.normal(size=ends[-1]), options={"gtol": 1e-6}) for _ in range(starts)), key=lambda r: r.fun)
    return -best.fun, tables(best.x)


def test_direct_maximisation():
    """A chain with holes: the tables that a general optimiser finds."""
    X = holes(26, 3, 0.3, 0)
    model = BayesianNetwork(CHAIN, tol=1e-14, max_iter=5000).fit(X)
    value, tables = directly(X, model.graph_.parents, [T.shape for T in model.tables_.values()])
    assert model.log_likelihood(X) == pytest.approx(value, rel=1e-9)
    for found, expected in zip(model.tables_.values(), tables, strict=True):
        assert found == pytest.approx(expected, abs=1e-4)


def test_direct_maximisation_with_a_prior():
    """With pseudo-counts it is the maximum of the posterior density."""
    X = holes(12, 3, 0.3, 1)
    model = BayesianNetwork(CHAIN, prior="dirichlet", alpha=0.5, tol=1e-14, max_iter=5000).fit(X)
    value, tables = directly(X, model.graph_.parents, [T.shape for T in model.tables_.values()], pseudo=0.5)
    assert -model.certificate_.cost * len(X) == pytest.approx(value, rel=1e-9)
    for found, expected in zip(model.tables_.values(), tables, strict=True):
        assert found == pytest.approx(expected, abs=1e-5)


def test_a_hidden_class():
    """Three columns of two hidden classes: no start of the optimiser finds more, and no row is dropped."""
    rng = np.random.default_rng(3)
    z = rng.random(40) < 0.5
    X = (rng.random((40, 3)) < np.where(z[:, None], 0.9, 0.2)).astype(float)
    X[rng.random(X.shape) < 0.1] = np.nan
    edges = [("class", j) for j in range(3)]
    model = BayesianNetwork(edges, hidden={"class": ("a", "b")}, tol=1e-13, max_iter=5000, random_state=0).fit(X)
    rows, counts = np.unique(np.where(np.isnan(X), -1, X), axis=0, return_counts=True)
    weighed = np.where(rows < 0, np.nan, rows)
    parents, shapes = model.graph_.parents, [T.shape for T in model.network_.tables]
    ours = log_likelihood(weighed, parents, model.network_.tables, counts)
    assert ours == pytest.approx(model.log_likelihood(X), rel=1e-12)
    assert ours == pytest.approx(-40 * model.certificate_.cost, rel=1e-9)
    value, _ = directly(X[:10], parents, shapes, starts=2)
    some = BayesianNetwork(edges, hidden={"class": 2}, tol=1e-13, max_iter=5000, n_init=20, random_state=0).fit(X[:10])
    assert some.log_likelihood(X[:10]) >= value - 1e-6
    assert model.levels_["class"] == ("a", "b")
    assert model.predict(X).shape == X.shape


def test_closed_form():
    """Where only the child has holes, the parent is learned from all rows and the child from those that know it."""
    X = holes(200, 2, 0.0, 2)
    X[np.random.default_rng(0).random(200) < np.where(X[:, 0] == 1, 0.7, 0.1), 1] = np.nan
    model = BayesianNetwork([(0, 1)], tol=1e-15).fit(X)
    known = X[~np.isnan(X[:, 1])]
    assert model.tables_[0][1] == pytest.approx(X[:, 0].mean(), abs=1e-9)
    for level in (0, 1):
        assert model.tables_[1][level, 1] == pytest.approx(known[known[:, 0] == level, 1].mean(), abs=1e-6)
    assert abs(known[:, 0].mean() - X[:, 0].mean()) > 0.1  # dropped rows would not be missed by chance


@pytest.mark.parametrize("prior", [None, "k2"])
def test_every_pass(prior):
    """The log is ln p at the tables of each pass, which never falls, for a row on average."""
    X, w = holes(25, 4, 0.3, 4), np.random.default_rng(0).integers(0, 3, 25).astype(float)
    edges = [(0, 1), (1, 3), (2, 3), ("h", 0), ("h", 2)]
    model = BayesianNetwork(edges, hidden={"h": 3}, prior=prior, max_iter=12, n_init=1, tol=0.0, random_state=1)
    states = list(model.steps(X, sample_weight=w))
    parents, shapes = states_graph(model, X, w)
    for before, after in pairwise(states):
        pseudo = [pseudo_count(prior, 1.0, N) for N in in_tables(before.counts, shapes)]
        tables = [shares(N + a) for N, a in zip(in_tables(before.counts, shapes), pseudo, strict=True)]
        value = log_likelihood(X, parents, tables, w) + sum(a * np.log(T).sum() for a, T in zip(pseudo, tables, strict=True))
        assert after.log[-1] == pytest.approx(value / w.sum(), rel=1e-12)
        assert sum(np.sum(N) for N in in_tables(after.counts, shapes)) == pytest.approx(5 * w.sum())
    assert (np.diff(states[-1].log) >= -1e-14).all()


def states_graph(model, X, w):
    """Parents and shapes of the tables of a fit."""
    with pytest.warns(UserWarning, match="max_iter"):
        network = model.fit(X, sample_weight=w).network_
    return network.graph.parents, [T.shape for T in network.tables]


def test_weights_are_copies():
    """Also of rows with holes, and rows of which nothing is known change nothing."""
    X, copies = holes(30, 3, 0.4, 5), np.random.default_rng(1).integers(0, 4, 30)
    weighted = BayesianNetwork(CHAIN, prior="bdeu").fit(X, sample_weight=copies.astype(float))
    repeated = BayesianNetwork(CHAIN, prior="bdeu").fit(np.repeat(X, copies, axis=0))
    assert weighted.n_iter_ == repeated.n_iter_
    for name, expected in repeated.tables_.items():
        assert weighted.tables_[name] == pytest.approx(expected, rel=1e-10)
    settings = {"tol": 1e-15, "max_iter": 3000}
    empty = BayesianNetwork(CHAIN, **settings).fit(np.vstack([X, np.full((10, 3), np.nan)]))
    plain = BayesianNetwork(CHAIN, **settings).fit(X)
    assert all(empty.tables_[name] == pytest.approx(plain.tables_[name], abs=1e-5) for name in plain.tables_)


def test_the_best_start():
    """Of several starts the one with the largest likelihood is kept; a seed gives the same bits."""
    X = holes(60, 4, 0.1, 6)
    edges = [("h", j) for j in range(4)]
    model = BayesianNetwork(edges, hidden={"h": 3}, tol=1e-4, random_state=0)
    ends = [s.log[-1] for s in model.steps(X) if s.still]
    assert len(ends) == 5
    assert max(ends) - min(ends) > 1e-6
    model.fit(X)
    assert -model.certificate_.cost == max(ends)
    again = BayesianNetwork(edges, hidden={"h": 3}, tol=1e-4, random_state=0).fit(X)
    assert all(np.array_equal(again.tables_[name], model.tables_[name]) for name in model.tables_)


def test_complete_rows_take_one_state():
    """Without holes and hidden nodes nothing is left to pass over."""
    states = list(BayesianNetwork(CHAIN).steps(holes(20, 3, 0.0, 7)))
    assert [(s.iteration, s.settled, s.complete) for s in states] == [(0, True, True)]


def test_levels_without_a_known_cell():
    """A column of which nothing is known is a node like a hidden one, once its levels are given."""
    X = holes(20, 3, 0.2, 8)
    X[:, 2] = np.nan
    model = BayesianNetwork(CHAIN, levels={2: 2}, prior="k2").fit(X)
    without = BayesianNetwork([(0, 1)], prior="k2").fit(X[:, :2])
    assert model.tables_[2] == pytest.approx(np.full((2, 2), 0.5))
    assert model.tables_[1] == pytest.approx(without.tables_[1], abs=1e-3)
