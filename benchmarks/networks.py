"""Bayesian networks: posteriors of all nodes, one after the other with changing evidence, and EM with missing cells.

alarm is a table of aprendiz; insurance and hailfinder come with pgmpy, and are measured where it is installed. Every library is
given its own network, made before: what is timed is the answer, a first one with the work on the graph, or twenty of a network
that has answered before. pgmpy answers by variable elimination, node by node (its junction tree of alarm takes a minute, of
hailfinder a terabyte), pyAgrum by LazyPropagation. The EM of pgmpy knows hidden nodes, but no missing cells.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.harness import Case
from benchmarks.peers import OURS, PACKAGES, PGMPY, PYAGRUM, Contender, Data
from benchmarks.quality import Answer, Objective

QUERIES = 20


@dataclass
class OneNetwork:
    """A network as each library holds it; made when it is asked for, which is not timed."""

    ours: Any

    @cached_property
    def pgmpy(self) -> Any:
        from pgmpy.factors.discrete import TabularCPD
        from pgmpy.models import DiscreteBayesianNetwork

        network = self.ours.network_
        graph, levels = network.graph, {name: list(map(str, own)) for name, own in self.ours.levels_.items()}
        model = DiscreteBayesianNetwork(list(graph.edges))
        model.add_nodes_from(graph.nodes)
        for v, name in enumerate(graph.nodes):
            parents = [graph.nodes[u] for u in graph.parents[v]]
            rows = network.tables[v].reshape(-1, network.sizes[v]).T
            sizes = [len(levels[parent]) for parent in parents]
            names = {one: levels[one] for one in (name, *parents)}
            model.add_cpds(TabularCPD(name, network.sizes[v], rows, parents or None, sizes or None, state_names=names))
        return model

    @cached_property
    def pyagrum(self) -> Any:
        import pyagrum

        network = self.ours.network_
        model = pyagrum.BayesNet()
        for name, levels in self.ours.levels_.items():
            model.add(pyagrum.LabelizedVariable(str(name), "", list(map(str, levels))))
        for parent, child in network.graph.edges:
            model.addArc(str(parent), str(child))
        for v, name in enumerate(network.graph.nodes):
            table = model.cpt(str(name))
            axes = [str(network.graph.nodes[u]) for u in (*network.graph.parents[v], v)]
            wanted = [axes.index(one) for one in reversed(table.names)]
            table[:] = np.ascontiguousarray(np.transpose(network.tables[v], wanted))
        return model

    def ready(self, name: str) -> OneNetwork:
        """With the network of one library made."""
        assert name == OURS or getattr(self, PACKAGES[name]) is not None
        return self


def evidence_of(network: Any, number: int) -> dict[Any, Any]:
    """Three nodes without children that are known, other ones and other levels for each number; all of it is possible."""
    random = np.random.default_rng(number)
    graph, row = network.graph_, network.sample(1, random_state=number)[0]
    leaves = [v for v, below in enumerate(graph.children) if not below]
    return {graph.nodes[v]: row[v] for v in random.choice(leaves, 3, replace=False)}


# ---- answers -------------------------------------------------------------------------------------------------------------


def our_first(network: OneNetwork, evidence: Sequence[Any]) -> Any:
    network.ours.network_ = replace(network.ours.network_)  # nothing is kept of it
    return [in_line(network.ours.posteriors())]


def our_answers(network: OneNetwork, evidence: Sequence[Any]) -> Any:
    from aprendiz.graphical.inference.network_inference import NetworkInference

    NetworkInference.of(network.ours.network_).kept_posteriors.cache_clear()  # the tree is kept, the answers are not
    return [in_line(network.ours.posteriors(one)) for one in evidence]


def in_line(posteriors: Mapping[Any, Mapping[Any, float]]) -> list[float]:
    """Probabilities, node after node."""
    return [p for own in posteriors.values() for p in own.values()]


def pyagrum_first(network: OneNetwork, evidence: Sequence[Any]) -> Any:
    import pyagrum

    engine = pyagrum.LazyPropagation(network.pyagrum)
    engine.makeInference()
    return [pyagrum_line(network, engine)]


def pyagrum_answers(network: OneNetwork, evidence: Sequence[Any]) -> Any:
    import pyagrum

    engine = pyagrum.LazyPropagation(network.pyagrum)
    found = []
    for one in evidence:
        engine.setEvidence({str(name): str(level) for name, level in one.items()})
        engine.makeInference()
        found.append(pyagrum_line(network, engine))
    return found


def pyagrum_line(network: OneNetwork, engine: Any) -> list[float]:
    return [p for name in network.ours.graph_.nodes for p in engine.posterior(str(name)).tolist()]


def pgmpy_first(network: OneNetwork, evidence: Sequence[Any]) -> Any:
    return pgmpy_answers(network, [{}])


def pgmpy_answers(network: OneNetwork, evidence: Sequence[Any]) -> Any:
    from pgmpy.inference import VariableElimination

    engine, found = VariableElimination(network.pgmpy), []
    for one in evidence:
        known, line = {name: str(level) for name, level in one.items()}, list[float]()
        for name, levels in network.ours.levels_.items():
            if name in one:
                line += [float(level == one[name]) for level in levels]
            else:
                line += engine.query([name], known, show_progress=False).values.tolist()
        found.append(line)
    return found


# ---- EM ----------------------------------------------------------------------------------------------------------------


def rows_with_holes(rows: int) -> Data:
    """Rows of alarm with a fifth of the cells missing, and the network."""
    import pandas as pd

    network = named_network("alarm")
    codes = network.ours.sample(rows, random_state=0)
    table = pd.DataFrame(codes, columns=list(network.ours.graph_.nodes)).astype(object)
    return table.mask(np.random.default_rng(0).random(table.shape) < 0.2), network


def our_em(table: Any, network: OneNetwork) -> Any:
    from aprendiz.graphical import BayesianNetwork

    model = BayesianNetwork(network.ours.edges_, levels=network.ours.levels_, prior="dirichlet", max_iter=PASSES, tol=0.0)
    return model.fit(table)


def pyagrum_em(table: Any, network: OneNetwork) -> Any:
    import pyagrum

    learner = pyagrum.BNLearner(table.fillna("?").astype(str), network.pyagrum, ["?"])
    learner.useEM(1e-9)
    learner.EMsetMaxIter(PASSES)
    learner.useSmoothingPrior(1.0)
    found = learner.learnParameters(network.pyagrum.dag())
    return as_ours(network, lambda name: found.cpt(name))


def as_ours(network: OneNetwork, table_of: Callable[[str], Any]) -> Any:
    """Tables of pyAgrum as a network of ours."""
    from aprendiz.graphical import BayesianNetwork

    graph, tables = network.ours.graph_, {}
    for v, name in enumerate(graph.nodes):
        axes, table = [str(graph.nodes[u]) for u in (*graph.parents[v], v)], table_of(str(name))
        there = list(reversed(table.names))
        tables[name] = np.transpose(table.toarray(), [there.index(axis) for axis in axes])
    parents = {name: [graph.nodes[u] for u in graph.parents[v]] for v, name in enumerate(graph.nodes)}
    return BayesianNetwork.from_tables(tables, parents=parents, levels=network.ours.levels_)


def surprise(data: Data, model: Any) -> float:
    """The mean of −ln p(known cells)."""
    return -float(model.score(data[0]))


PASSES = 3


# ---- tables ------------------------------------------------------------------------------------------------------------


def rows_of_words(rows: int) -> Data:
    """Rows of alarm, a column of text for each node, and the network."""
    import pandas as pd

    network = named_network("alarm")
    return pd.DataFrame(
        network.ours.sample(rows, random_state=0), columns=list(network.ours.graph_.nodes), dtype="str"
    ), network


def rows_of_codes(rows: int) -> Data:
    """The same in whole numbers."""
    from aprendiz.graphical import BayesianNetwork

    table, network = rows_of_words(rows)
    levels, own = network.ours.levels_, network.ours.network_
    codes = table.apply(lambda column: column.map({level: code for code, level in enumerate(levels[column.name])}))
    graph = own.graph
    parents = {name: [graph.nodes[u] for u in graph.parents[v]] for v, name in enumerate(graph.nodes)}
    numbers = {name: range(len(known)) for name, known in levels.items()}
    return codes, OneNetwork(BayesianNetwork.from_tables(network.ours.tables_, parents=parents, levels=numbers))


def our_tables(table: Any, network: OneNetwork) -> Any:
    from aprendiz.graphical import BayesianNetwork

    return BayesianNetwork(network.ours.edges_, levels=network.ours.levels_, prior="dirichlet").fit(table)


def pyagrum_tables(table: Any, network: OneNetwork) -> Any:
    import pyagrum

    learner = pyagrum.BNLearner(table, network.pyagrum)
    learner.useSmoothingPrior(1.0)
    found = learner.learnParameters(network.pyagrum.dag())
    return as_ours(network, lambda name: found.cpt(name))


def pgmpy_tables(table: Any, network: OneNetwork) -> Any:
    from pgmpy.models import DiscreteBayesianNetwork

    model = DiscreteBayesianNetwork(list(network.ours.edges_)).fit(table)  # of maximum likelihood, its default
    return model if len(model.get_cpds()) == len(network.ours.graph_) else None


def shares_right(data: Data, model: Any) -> Any:
    """The probabilities of the levels of the nodes without parents, from the tables of a library."""
    network = data[1].ours
    roots = [v for v, parents in enumerate(network.graph_.parents) if not parents]
    if hasattr(model, "get_cpds"):
        names = [network.graph_.nodes[v] for v in roots]
        found = [dict(zip(map(str, model.get_cpds(n).state_names[n]), model.get_cpds(n).values, strict=True)) for n in names]
        return np.array([one.get(str(level), 0.0) for n, one in zip(names, found, strict=True) for level in network.levels_[n]])
    return np.concatenate([model.network_.tables[v] for v in roots])


# ---- the cases -----------------------------------------------------------------------------------------------------------


def named_network(name: str) -> OneNetwork:
    """alarm from our tables, others from pgmpy's."""
    from aprendiz.datasets import load
    from aprendiz.graphical import BayesianNetwork, read_bif

    if name == "alarm":
        return OneNetwork(BayesianNetwork.from_tables(load("alarm")))
    package = find_spec(PACKAGES[PGMPY])
    assert package is not None
    assert package.origin is not None
    return OneNetwork(read_bif(Path(package.origin).parent / "utils" / "example_models" / f"{name}.bif.gz"))


def long_network(nodes: int) -> OneNetwork:
    """Nodes of two to four levels, each with up to two parents among the three before it."""
    from aprendiz.graphical import BayesianNetwork

    random = np.random.default_rng(0)
    names, sizes = [f"n{v}" for v in range(nodes)], random.integers(2, 5, nodes)
    parents, tables, levels = {}, {}, {}
    for v, name in enumerate(names):
        own = sorted(random.choice(np.arange(max(v - 3, 0), v), min(v, int(random.integers(1, 3))), replace=False).tolist())
        parents[name], levels[name] = [names[u] for u in own], [f"l{i}" for i in range(sizes[v])]
        tables[name] = random.dirichlet(np.ones(sizes[v]), tuple(sizes[u] for u in own))
    return OneNetwork(BayesianNetwork.from_tables(tables, parents=parents, levels=levels))


def asked(make: Callable[[], OneNetwork]) -> Callable[[int], Data]:
    """The network and the evidence of all queries."""

    def data(rows: int) -> Data:
        network = make()
        for name in there():
            network.ready(name)
        return network, [evidence_of(network.ours, number) for number in range(QUERIES)]

    return data


def there() -> list[str]:
    """The peers that are installed."""
    return [name for name in (PGMPY, PYAGRUM) if find_spec(PACKAGES[name])]


def functions(what: str, peers: Sequence[str]) -> dict[str, Contender]:
    """The functions of this file that do the same with each library."""
    names = [OURS, *(name for name in there() if name in peers)]
    own = {OURS: "our", PGMPY: "pgmpy", PYAGRUM: "pyagrum"}
    return {name: Contender(name, __name__, f"{own[name]}_{what}", method=None) for name in names}


def posteriors(title: str, make: Callable[[], OneNetwork], first_of: Sequence[str], next_of: Sequence[str]) -> tuple[Case, ...]:
    """The first answer, and twenty more."""
    right = Answer("posteriors", lambda data, found: np.array(found), 1e-6)
    slow = (PGMPY,)
    return (
        Case(
            f"{title}, all posteriors, the first", 1, asked(make), functions("first", first_of), right, once=slow, grows=False
        ),
        Case(
            f"{title}, all posteriors, {QUERIES} kinds of evidence",
            1,
            asked(make),
            functions("answers", next_of),
            right,
            once=slow,
            grows=False,
        ),
    )


BOTH = (PGMPY, PYAGRUM)

CASES = (
    *(
        case
        for name in ("alarm", *(("insurance", "hailfinder") if find_spec(PACKAGES[PGMPY]) else ()))
        for case in posteriors(name, lambda name=name: named_network(name), BOTH, BOTH)  # type: ignore[misc]
    ),
    *posteriors("1 000 nodes", lambda: long_network(1000), BOTH, (PYAGRUM,)),
    *(
        Case(
            f"tables of alarm from 100 000 rows of {kind}",
            100_000,
            make,
            functions("tables", BOTH),
            Answer("probabilities of nodes without parents", shares_right, 1e-3),
        )
        for kind, make in (("words", rows_of_words), ("codes", rows_of_codes))
    ),
    Case(
        f"EM, alarm with a fifth of the cells missing, {PASSES} passes, 10 000 rows",
        10_000,
        rows_with_holes,
        functions("em", (PYAGRUM,)),
        Objective("mean of −ln p", surprise, 0.02),
        once=(PYAGRUM,),
        grows=False,
    ),
)
