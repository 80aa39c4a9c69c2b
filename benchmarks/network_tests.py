"""Trees of columns and networks from tests of independence, on rows of alarm as whole numbers.

pgmpy and pyAgrum get the same numbers as the categories that they want; making these is not timed. A tree is as good as the
mutual information of its edges; the network of PC as the pairs that it joins wrongly or does not join.
"""

from __future__ import annotations

from importlib.util import find_spec
from itertools import combinations
from typing import Any

import numpy as np

from benchmarks.harness import Case
from benchmarks.network_structure import NetworkRows
from benchmarks.networks import named_network
from benchmarks.peers import OURS, PACKAGES, PGMPY, PYAGRUM, Contender, Data
from benchmarks.quality import Objective

ALPHA = 0.05


class Rows(NetworkRows):
    """Rows of alarm, as codes with names too, and the pairs that its network joins."""

    def __init__(self, rows: int):
        import pandas as pd

        super().__init__("alarm", rows)
        self.frame = pd.DataFrame(self.codes, columns=self.names)
        self.classes = self.words["BP"]
        self.joined = {frozenset(map(str, edge)) for edge in named_network("alarm").ours.graph_.edges}


def rows_of_alarm(rows: int) -> Data:
    return Rows(rows), None


def edges(found: Any) -> list[Any]:
    """The edges of a result, by name."""
    return [tuple(map(str, edge)) for edge in (found if isinstance(found, (list, set, tuple)) else found.edges())]


# ---- trees -----------------------------------------------------------------------------------------------------------


def our_tree(rows: Rows, _: Any) -> Any:
    from aprendiz.graphical import ChowLiuTree

    return ChowLiuTree().fit(rows.frame).edges_


def pgmpy_tree(rows: Rows, _: Any) -> Any:
    from pgmpy.estimators import TreeSearch

    return TreeSearch(rows.categories, root_node=rows.names[0], n_jobs=1).estimate(
        estimator_type="chow-liu", show_progress=False
    )


def our_augmented(rows: Rows, _: Any) -> Any:
    from aprendiz.graphical import TreeAugmentedNaiveBayes

    model = TreeAugmentedNaiveBayes(class_name="BP").fit(rows.frame.drop(columns="BP"), rows.classes)
    return [edge for edge in model.edges_ if edge[0] != "BP"]


def pgmpy_augmented(rows: Rows, _: Any) -> Any:
    from pgmpy.estimators import TreeSearch

    search = TreeSearch(rows.categories, n_jobs=1)
    return [
        edge for edge in search.estimate(estimator_type="tan", class_node="BP", show_progress=False).edges() if edge[0] != "BP"
    ]


def information_lost(given: str | None) -> Any:
    """Minus the mutual information of the edges, given the class or not, by its definition."""

    def value(data: Data, found: Any) -> float:
        rows, total = data[0], 0.0
        strata = np.zeros(len(rows.codes), int) if given is None else rows.frame[given].to_numpy()
        for a, b in edges(found):
            N = np.zeros((strata.max() + 1, *(rows.frame[name].max() + 1 for name in (a, b))))
            np.add.at(N, (strata, rows.frame[a], rows.frame[b]), 1.0)
            E = N.sum(axis=2, keepdims=True) * N.sum(axis=1, keepdims=True) / N.sum(axis=(1, 2), keepdims=True)
            total += (N[N > 0] * np.log(N[N > 0] / E[N > 0])).sum() / N.sum()
        return -total

    return value


# ---- tests -----------------------------------------------------------------------------------------------------------


def our_pc(rows: Rows, _: Any) -> Any:
    from aprendiz.graphical import PCStable

    return PCStable(alpha=ALPHA).fit(rows.frame).edges_


def pyagrum_pc(rows: Rows, _: Any) -> Any:
    import pyagrum

    learner = pyagrum.BNLearner(rows.words)
    learner.usePC()
    learner.useG2Test()
    found = learner.learnPDAG() if hasattr(learner, "learnPDAG") else learner.learnBN()
    pairs = [*found.arcs(), *(found.edges() if hasattr(found, "edges") else ())]
    return [(rows.names[a], rows.names[b]) for a, b in pairs]


def pgmpy_pc(rows: Rows, _: Any) -> Any:
    from pgmpy.estimators import PC

    found = PC(rows.categories).estimate(
        variant="stable", ci_test="g_sq", significance_level=ALPHA, return_type="skeleton", show_progress=False, n_jobs=1
    )
    return list((found[0] if isinstance(found, tuple) else found).edges())


def wrong_pairs(data: Data, found: Any) -> float:
    """The pairs that are joined in one of both networks, but not in the other, as a share of all."""
    own = {frozenset(edge) for edge in edges(found)}
    return len(own ^ data[0].joined) / len(list(combinations(data[0].names, 2)))


# ---- the cases ---------------------------------------------------------------------------------------------------------


def functions(what: str, *peers: str) -> dict[str, Contender]:
    """The functions of this file that do the same with each library that is installed."""
    own = {OURS: "our", PGMPY: "pgmpy", PYAGRUM: "pyagrum"}
    names = [OURS, *(name for name in peers if find_spec(PACKAGES[name]))]
    return {name: Contender(name, __name__, f"{own[name]}_{what}", method=None) for name in names}


CASES = (
    Case(
        "Chow–Liu tree, alarm, 100 000 rows",
        100_000,
        rows_of_alarm,
        functions("tree", PGMPY),
        Objective("−information", information_lost(None), 1e-9),
        once=(PGMPY,),
    ),
    Case(
        "tree of TAN, alarm, 10 000 rows",
        10_000,
        rows_of_alarm,
        functions("augmented", PGMPY),
        Objective("−information", information_lost("BP"), 1e-9),
        once=(PGMPY,),
    ),
    Case(
        "PC, alarm, 10 000 rows",
        10_000,
        rows_of_alarm,
        functions("pc", PYAGRUM),
        Objective("wrong pairs", wrong_pairs, 0.005),
        grows=False,
    ),
    Case(
        "PC, alarm, 2 000 rows",
        2_000,
        rows_of_alarm,
        functions("pc", PGMPY, PYAGRUM),
        Objective("wrong pairs", wrong_pairs, 0.005),
        once=(PGMPY,),
        grows=False,
    ),
)
