"""network_score: published values, the definitions, equivalent graphs, levels that are known but do not occur."""

import json

import numpy as np
import pandas as pd
import pytest
from family_scores import family_score, graph_score, random_network_rows

from aprendiz.core.parameters import ParameterError
from aprendiz.graphical import BayesianNetwork, cpdag, network_score
from aprendiz.graphical.graph.directed_graph import DirectedGraph

SCORES = ("loglik", "aic", "bic", "k2", "bdeu")
COLLIDER, CHAIN, FORK = ([(), (), (0, 1)], [(), (0,), (1,)], [(1,), (), (1,)])


def edges_of(parents):
    return [(u, v) for v, own in enumerate(parents) for u in own]


@pytest.mark.parametrize("name", SCORES)
@pytest.mark.parametrize("weighted", [False, True], ids=["counts", "weights"])
def test_definitions(name, weighted):
    """Each contribution is that of the definition, with fractional weights too."""
    codes = random_network_rows(3, 4, 200)
    weights = np.random.default_rng(0).uniform(0.1, 3.0, len(codes)) if weighted else None
    parents = [(), (0,), (0, 1), (0, 1, 2)]
    found = network_score(edges_of(parents), codes, criterion=name, alpha=2.5, sample_weight=weights)
    for v, own in enumerate(parents):
        expected = family_score(codes, v, own, name, alpha=2.5, weights=weights)
        assert found.contributions[v] == pytest.approx(expected, rel=1e-12)
    assert float(found) == pytest.approx(sum(found.contributions.values()), rel=1e-14)
    sizes = codes.max(axis=0) + 1
    assert found.n_parameters == sum((sizes[v] - 1) * np.prod(sizes[list(own)], dtype=int) for v, own in enumerate(parents))


@pytest.mark.parametrize("name", ["loglik", "aic", "bic", "bdeu"])
def test_equivalent_graphs(name):
    """Graphs with the same separations have the same score, to the last bit; a collider has another one."""
    codes = random_network_rows(5, 3, 300)
    chain, fork, collider = (network_score(edges_of(one), codes, criterion=name).score for one in (CHAIN, FORK, COLLIDER))
    assert chain == fork != collider


def test_weights_are_repetitions():
    """Weight 2 is a row twice, weight 0 a row less, with its level."""
    codes = random_network_rows(1, 3, 100)
    weights = np.random.default_rng(0).integers(0, 4, len(codes))
    codes[0, 2], weights[0] = 7, 0
    for name in SCORES:
        weighted = network_score(edges_of(CHAIN), codes, criterion=name, sample_weight=weights)
        assert weighted.score == network_score(edges_of(CHAIN), np.repeat(codes, weights, axis=0), criterion=name).score
        assert weighted.score == pytest.approx(graph_score(np.repeat(codes, weights, axis=0), CHAIN, name), rel=1e-13)


def test_levels_of_a_network():
    """A fitted network counts its levels, whether they occur or not; words and codes."""
    words = pd.DataFrame({"rain": ["no", "yes"] * 10, "grass": ["dry", "wet"] * 9 + ["wet", "wet"]})
    network = BayesianNetwork([("rain", "grass")], levels={"grass": ["dry", "wet", "flooded"]}).fit(words)
    assert network_score(network, words).n_parameters == 5
    assert network_score(network.edges_, words).n_parameters == 3


def test_large_tables_are_sorted():
    """Tables that are larger than the rows give the numbers of those that are filled."""
    codes = np.random.default_rng(0).integers(0, 40, (300, 5))
    parents = [(), (0,), (0, 1), (0, 1, 2), (0, 1, 2, 3)]
    for name in SCORES:
        sizes = codes.max(axis=0) + 1
        expected = graph_score(codes, parents, name, sizes=sizes)
        assert network_score(edges_of(parents), codes, criterion=name).score == pytest.approx(expected, rel=1e-11)


def test_refusals():
    codes = np.array([[0, 1], [1, 0], [1, 1]])
    with pytest.raises(ValueError, match="'b'"):
        network_score([("a", "b")], pd.DataFrame({"a": ["x", "y"]}))
    with pytest.raises(ValueError, match="row 1, column 'b'"):
        network_score([], pd.DataFrame({"a": ["x", "y"], "b": ["z", None]}))
    with pytest.raises(ValueError, match="row 2, column 0"):
        network_score([], np.array([[0.0, 1], [1, 0], [np.nan, 1]]))
    with pytest.raises(ParameterError, match="criterion of network_score"):
        network_score([], codes, criterion="mdl")
    with pytest.raises(ValueError, match="cycle"):
        network_score([(0, 1), (1, 0)], codes)
    with pytest.raises(ValueError, match=r"weights sum to 0\.3"):
        network_score([], codes, sample_weight=[0.1, 0.1, 0.1])
    wide = np.tile(np.arange(2)[:, None], (1, 70))
    with pytest.raises(ValueError, match="parents of 69 have too many"):
        network_score({69: range(69)}, wide, criterion="bdeu")


def test_published(acceptance):
    """The sample of lizards of bnlearn."""
    expected = next(one for one in json.loads((acceptance / "answers.json").read_text()) if one["id"].startswith("bnscore liz"))
    lizards = pd.read_csv(acceptance / "bif" / "bnlearn_sample_lizards.csv.gz")
    graph = {"Diameter": ["Species"], "Height": ["Species"]}
    for name in SCORES:
        assert network_score(graph, lizards, criterion=name).score == pytest.approx(expected["expected"][name], rel=1e-9)
    assert network_score(graph, lizards).n_parameters == expected["expected"]["nparams"]


@pytest.mark.parametrize("seed", range(6))
def test_members_of_a_class(seed):
    """Two members of an equivalence class have the same score, to the last bit."""
    codes = random_network_rows(seed, 5, 150)
    rng = np.random.default_rng(seed)
    order = rng.permutation(5)
    edges = [(int(order[i]), int(order[j])) for j in range(5) for i in range(j) if rng.random() < 0.5]
    graph = DirectedGraph.of(edges, range(5))
    member = cpdag(graph).extension()
    for name in ("loglik", "aic", "bic", "bdeu"):
        assert network_score(member, codes, criterion=name).score == network_score(graph, codes, criterion=name).score


def test_identifiers():
    """A column of identifiers beside parents that hardly ever repeat: what is sorted stays as small as the rows."""
    codes = np.column_stack([np.arange(30_000), np.minimum(np.arange(30_000), 15_000)])
    found = network_score([(1, 0)], codes, criterion="loglik")
    assert found.contributions[0] == pytest.approx(-15_000 * np.log(15_000), rel=1e-12)
