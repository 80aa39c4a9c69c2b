"""Rows drawn from a network agree with its tables, and with evidence exactly."""

from itertools import product

import numpy as np
import pytest

from aprendiz import BayesianNetwork
from aprendiz.datasets import load

N = 4000


def random_network(seed, nodes=5, levels=3, share=0.6):
    """Random tables, some probabilities 0."""
    rng = np.random.default_rng(seed)
    parents = {v: [u for u in range(v) if rng.random() < share] for v in range(nodes)}
    sizes = rng.integers(2, levels + 1, nodes)
    tables = {}
    for v, own in parents.items():
        table = rng.exponential(size=[sizes[u] for u in (*own, v)])
        table[rng.random(table.shape) < 0.15] = 0.0
        table[..., 0] += 1e-3
        tables[v] = table / table.sum(axis=-1, keepdims=True)
    return BayesianNetwork.from_tables(tables, parents=parents, levels={v: range(n) for v, n in enumerate(sizes)})


def joint(model):
    """p(x) of all rows, by the definition."""
    network = model.network_
    table = np.zeros(network.sizes)
    for x in product(*map(range, network.sizes)):
        parents = network.graph.parents
        table[x] = np.prod([T[tuple(x[u] for u in (*parents[v], v))] for v, T in enumerate(network.tables)])
    return table


def assert_drawn_from(rows, table, weights=None):
    """Each combination occurs about as often as its probability says (within 5 standard deviations), and never at 0."""
    weights = np.ones(len(rows)) if weights is None else weights / weights.mean()
    found, squares = np.zeros(table.shape), np.zeros(table.shape)
    np.add.at(found, tuple(rows.astype(int).T), weights)
    np.add.at(squares, tuple(rows.astype(int).T), weights**2)
    assert not found[table == 0].any()
    assert (np.abs(found - len(rows) * table) <= 5 * np.sqrt(squares.clip(1) + len(rows) * table) + 5).all()


@pytest.mark.parametrize("seed", range(4))
def test_rows_of_the_joint(seed):
    """Without evidence, rows of p(x)."""
    model = random_network(seed)
    assert_drawn_from(model.sample(N, random_state=seed), joint(model))


@pytest.mark.parametrize("seed", range(6))
def test_rows_given_evidence(seed):
    """With evidence on one or two nodes, wherever they are: rows of p(x | evidence), and weighted rows."""
    model, rng = random_network(seed), np.random.default_rng(seed)
    table = joint(model)
    some = model.sample(1, random_state=seed)[0].astype(int)
    evidence = {int(v): int(some[v]) for v in rng.choice(5, size=1 + seed % 2, replace=False)}
    for v, level in evidence.items():
        table[tuple(slice(None) if u != v else np.arange(table.shape[v]) != level for u in range(5))] = 0.0
    rows = model.sample(N, evidence, random_state=seed)
    assert all((rows[:, v] == level).all() for v, level in evidence.items())
    assert_drawn_from(rows, table / table.sum())
    rows, weights = model.sample(N, evidence, method="likelihood weighting", random_state=seed + 1)
    assert weights.mean() == pytest.approx(table.sum(), abs=5 * weights.std() / np.sqrt(N) + 1e-12)
    assert_drawn_from(rows, table / table.sum(), weights)


@pytest.mark.parametrize("seed", range(4))
def test_rows_given_soft_evidence(seed):
    """A likelihood of the levels of a node is a factor of the joint distribution, beside what is known."""
    model, rng = random_network(seed), np.random.default_rng(seed)
    table, sizes = joint(model), model.network_.sizes
    evidence = {v: dict(enumerate(rng.random(sizes[v]) * 1e-200)) for v in (1, 4)}
    for v, likelihood in evidence.items():
        table *= np.array(list(likelihood.values())).reshape([-1 if u == v else 1 for u in range(5)]) * 1e200
    if seed % 2:
        evidence[2] = 0
        table[:, :, 1:] = 0.0
    assert_drawn_from(model.sample(N, evidence, random_state=seed), table / table.sum())
    milder = {v: {k: 1e200 * x for k, x in own.items()} if v != 2 else own for v, own in evidence.items()}
    rows, weights = model.sample(N, milder, method="likelihood weighting", random_state=seed + 1)
    assert weights.mean() == pytest.approx(table.sum(), abs=5 * weights.std() / np.sqrt(N) + 1e-12)
    assert_drawn_from(rows, table / table.sum(), weights)


def test_known_nodes_cost_nothing():
    """A grid whose cliques have 2⁴⁰ cells, in which every second node is known: the rows that are drawn have them."""
    names = [(i, j) for i in range(40) for j in range(40)]
    parents = {(i, j): [(a, b) for a, b in ((i - 1, j), (i, j - 1)) if a >= 0 and b >= 0] for i, j in names}
    tables = {v: np.full([2] * len(own) + [2], 0.5) for v, own in parents.items()}
    model = BayesianNetwork.from_tables(tables, parents=parents, levels=dict.fromkeys(names, (0, 1)))
    rows = model.sample(3, {(i, j): 1 for i, j in names if (i + j) % 2}, random_state=0)
    odd = np.array([(i + j) % 2 == 1 for i, j in names])
    assert (rows[:, odd] == 1).all()
    assert 0.4 < rows[:, ~odd].mean() < 0.6


def test_words_and_hidden_nodes():
    """Rows hold the words of the columns, without hidden nodes; a hidden node may be evidence."""
    student = BayesianNetwork.from_tables(load("student"))
    rows = student.sample(200, {"Letter": "l0"}, random_state=0)
    assert rows.shape == (200, 5)
    assert set(rows[:, student.graph_.at("Letter")]) == {"l0"}
    X = np.tile([[0.0, 0.0], [1.0, 1.0]], (20, 1))
    hidden = BayesianNetwork([("h", 0), ("h", 1)], hidden={"h": ["low", "high"]}, random_state=0).fit(X)
    given = [hidden.sample(50, {"h": level}, random_state=0) for level in ("low", "high")]
    assert [part.shape for part in given] == [(50, 2)] * 2
    assert abs(given[0].mean() - given[1].mean()) > 0.9


def test_seeds():
    """A seed gives the same rows; more rows begin with the same ones; by default it is that of the network."""
    model = random_network(0)
    for evidence in (None, {4: 0}):
        rows = model.sample(50, evidence, random_state=3)
        assert np.array_equal(rows, model.sample(50, evidence, random_state=3))
        assert np.array_equal(rows[:20], model.sample(20, evidence, random_state=3))
        assert not np.array_equal(rows, model.sample(50, evidence, random_state=4))
    model.set_params(random_state=3)
    assert np.array_equal(model.sample(50, {4: 0}), rows)


def test_improbable_evidence():
    """300 nodes that all are improbable: nothing underflows, and rows go on as the chain says."""
    n = 300
    tables = {0: [1 - 1e-9, 1e-9]} | {v: [[1 - 1e-9, 1e-9], [0.5, 0.5]] for v in range(1, 2 * n)}
    parents = {v: [v - 1] * (v % 2) for v in range(2 * n)}
    tables = {v: tables[1] if v % 2 else tables[0] for v in range(2 * n)}
    model = BayesianNetwork.from_tables(tables, parents=parents, levels=dict.fromkeys(range(2 * n), (0, 1)))
    evidence = dict.fromkeys(range(0, 2 * n, 2), 1)
    rows = model.sample(300, evidence, random_state=0)
    assert abs(rows[:, 1::2].mean() - 0.5) < 5 * 0.5 / np.sqrt(rows[:, 1::2].size)
    with pytest.raises(ValueError, match="All weights are 0: the evidence is too improbable for so few rows, or for a double"):
        model.sample(10, evidence, method="likelihood weighting", random_state=0)


def test_refusals():
    """Impossible evidence, unknown nodes and levels, other methods."""
    model = BayesianNetwork.from_tables(
        {"a": [1.0, 0.0], "b": [[0.5, 0.5], [0.1, 0.9]]},
        parents={"a": [], "b": ["a"]},
        levels={"a": ["x", "y"], "b": ["u", "v"]},
    )
    with pytest.raises(ValueError, match="The evidence has probability 0: a = 'y' cannot be in this network"):
        model.sample(3, {"a": "y"})
    with pytest.raises(ValueError, match="There is no node 'c'"):
        model.sample(3, {"c": "y"})
    with pytest.raises(ValueError, match="'a' has no level 'z'; its levels are 'x', 'y'"):
        model.sample(3, {"a": "z"})
    with pytest.raises(ValueError, match="method must be"):
        model.sample(3, method="rejection")
    with pytest.raises(ValueError, match="evidence must be a mapping"):
        model.sample(3, [("a", "x")])
    with pytest.raises(ValueError, match="n_samples"):
        model.sample(0)
