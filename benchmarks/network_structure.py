"""Search for the graph of a network by BIC, on rows of alarm and of hailfinder.

Each library starts without edges and gets the rows as it wants them: whole numbers, words, categories; making these is not
timed. pyAgrum reads them into a learner and climbs. It stops at the first maximum, as pgmpy does; ours goes on from there for
thirty moves. With `patience=0` ours stops, too. hailfinder is measured where pgmpy is installed, which brings it.

Which of many local maxima is met is luck: which of two equal moves is made first decides. Scores that differ by two thousandths
count as equal.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import numpy as np

from benchmarks.harness import Case
from benchmarks.networks import named_network
from benchmarks.peers import OURS, PACKAGES, PGMPY, PYAGRUM, Contender, Data
from benchmarks.quality import Objective


class NetworkRows:
    """Rows of a network as codes, as words and as categories."""

    def __init__(self, name: str, rows: int):
        import pandas as pd

        network = named_network(name).ours
        self.names = [str(node) for node in network.graph_.nodes]
        self.words = pd.DataFrame(network.sample(rows, random_state=0), columns=self.names).astype(str)
        self.codes = np.column_stack([np.unique(self.words[node], return_inverse=True)[1] for node in self.names])
        self.categories = self.words.astype("category")


def rows_of(name: str) -> Any:
    def make(rows: int) -> Data:
        return NetworkRows(name, rows), None

    return make


# ---- searches: the edges by the numbers of the columns -------------------------------------------------------------------


def our_climb(rows: NetworkRows, _: Any) -> Any:
    from aprendiz.graphical import HillClimbing

    return HillClimbing().fit(rows.codes).edges_


def our_climb_of_words(rows: NetworkRows, _: Any) -> Any:
    from aprendiz.graphical import HillClimbing

    return HillClimbing(patience=0).fit(rows.words).edge_indices_


def pyagrum_climb(rows: NetworkRows, _: Any) -> Any:
    import pyagrum

    learner = pyagrum.BNLearner(rows.words)
    learner.useNoPrior()
    learner.useScoreBIC()
    learner.useGreedyHillClimbing()
    return learner.learnDAG().arcs()


def pgmpy_climb(rows: NetworkRows, _: Any) -> Any:
    from pgmpy.estimators import HillClimbSearch

    found = HillClimbSearch(rows.categories).estimate(scoring_method="bic-d", show_progress=False)
    return [(rows.names.index(parent), rows.names.index(child)) for parent, child in found.edges()]


def minus_bic(data: Data, edges: Any) -> float:
    """−BIC of the edges."""
    from aprendiz.graphical import network_score

    return -network_score([(int(u), int(v)) for u, v in edges], data[0].codes).score


# ---- the cases ---------------------------------------------------------------------------------------------------------


def climbs(*peers: str, ours: str = "our_climb") -> dict[str, Contender]:
    """The search of each library that is installed."""
    functions = {OURS: ours, PGMPY: "pgmpy_climb", PYAGRUM: "pyagrum_climb"}
    names = [OURS, *(name for name in peers if find_spec(PACKAGES[name]))]
    return {name: Contender(name, __name__, functions[name], method=None) for name in names}


def case(name: str, network: str, rows: int, contenders: dict[str, Contender]) -> Case:
    quality = Objective("−BIC", minus_bic, 2e-3)
    return Case(name, rows, rows_of(network), contenders, quality, grows=PGMPY not in contenders, once=(PGMPY,))


CASES = (
    case("HillClimbing, alarm, 1 000 rows", "alarm", 1_000, climbs(PGMPY, PYAGRUM)),
    case("HillClimbing, alarm, 10 000 rows", "alarm", 10_000, climbs(PGMPY, PYAGRUM)),
    case("patience=0, words, alarm, 10 000 rows", "alarm", 10_000, climbs(PYAGRUM, ours="our_climb_of_words")),
    case("HillClimbing, alarm, 100 000 rows", "alarm", 100_000, climbs(PYAGRUM)),
    *(
        [case("HillClimbing, hailfinder, 10 000 rows", "hailfinder", 10_000, climbs(PYAGRUM))]
        if find_spec(PACKAGES[PGMPY])
        else []
    ),
)
