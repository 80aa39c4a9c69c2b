"""Bayesian network: the joint distribution of discrete columns as a graph.

    p(x) = Π_v p(x_v | x_parents(v))                                                                          (1)

A node depends on its parents only. The tables of (1) are learned from rows (or given), and answer any question about the
joint distribution. From complete rows they follow from the counts N of each node with its parents, which add:

    θ_v[c, x] = (N_v[c, x] + a) / Σ_x (N_v[c, x] + a)                                                         (2)

is the maximum of the likelihood (a = 0), or of the posterior density under a Dirichlet prior (priors.py). A row with missing
cells, or of a network with hidden nodes, counts for all its completions, each with its probability under the tables so far. EM
raises ℓ = Σ w ln p(known cells), with weights w (with a prior, ℓ + Σ a ln θ), pass by pass:

    E    N_v[c, x] = Σ_rows w · p(parents(v) = c, v = x | known cells)                                        (3)
    M    θ by (2)

so no row is dropped and no cell filled in. That is right if what is missing does not depend on its values. EM finds a local
maximum; with hidden nodes it begins several times from random tables, and the best start is kept.

Cost: (2) O(n·(nodes + edges)), one pass; a pass of EM takes one inference for each distinct row (rows_of_evidence.py).
Reference: Koller & Friedman, "Probabilistic Graphical Models", MIT Press, 2009. Lauritzen, "The EM algorithm for graphical
association models with missing data", Computational Statistics & Data Analysis 19, 1995.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from sklearn.base import DensityMixin

from aprendiz.core.cells import cells_of
from aprendiz.core.columns import Columns
from aprendiz.core.inputs import open_rows, refuse_empty_sums
from aprendiz.core.parameters import Count, Factor, NonNegative, ParameterError, Seed, check_parameters
from aprendiz.core.random import draw_seed, uniforms
from aprendiz.core.rows import Array, Rows, read_only
from aprendiz.core.several_starts import SeveralStarts, StartState
from aprendiz.datasets.network import Network
from aprendiz.graphical.counts.family_counts import FamilyCounts
from aprendiz.graphical.generation.samples import Samples
from aprendiz.graphical.graph.as_graph import as_graph
from aprendiz.graphical.graph.directed_graph import DirectedGraph, is_list
from aprendiz.graphical.graph.graph_questions import GraphQuestions
from aprendiz.graphical.inference.junction_tree import JunctionTree
from aprendiz.graphical.inference.queries import Queries
from aprendiz.graphical.inference.rows_of_evidence import expected_counts
from aprendiz.graphical.learning import certificates
from aprendiz.graphical.learning.different_rows import different_rows
from aprendiz.graphical.learning.nodes import Nodes, column_called, names_of
from aprendiz.graphical.learning.priors import Prior, pseudo_count, shares, weighted_logs
from aprendiz.graphical.learning.table_shapes import in_tables, laid_out, shapes_of
from aprendiz.graphical.tables.discrete_network import DiscreteNetwork
from aprendiz.graphical.tables.stored_network import NETWORK
from aprendiz.summaries.coded_columns import CODES_ARE_NAMES
from aprendiz.summaries.codes import categorical_schema

LEARNING = np.array([])  # batches are learned from: their new levels are levels, not strangers


@dataclass(frozen=True)
class NetworkPass(StartState):
    """Counts on their way, from which the tables follow by (2), and (ℓ + ln prior)/Σw of each pass."""

    lowest = False
    sizes: Array  # the number of levels of each node
    weight: float  # Σw
    complete: bool  # are these the counts of complete rows, and no expected ones?
    counts: Array  # one table after the other
    best_counts: Array


class BayesianNetwork(GraphQuestions, Queries, Samples, DensityMixin, SeveralStarts):
    """Bayesian network of discrete columns: tables from rows, with missing cells and hidden nodes; exact answers to queries.

    Columns hold words, or whole-number codes 0, 1, 2, … The columns are the nodes, those without an edge too.

    Parameters
    ----------
    edges : list of (parent, child), mapping of child to parents, or a network of `aprendiz.datasets`, default=()
        The arrows, by the names of the columns, or by their positions.
    levels : mapping of column to its levels, or to their number, optional
        Levels beside those that occur, in their order; for columns of codes, the names of the codes.
    hidden : mapping of node to its levels, or to their number, optional
        Nodes that are no columns: they are learned by EM.
    prior : {None, "dirichlet", "bdeu", "k2"}, default=None
        Pseudo-counts: none (maximum likelihood), `alpha` in each cell, `alpha` rows spread over the cells of each table, or
        1 in each cell.
    alpha : float, default=1.0
        The pseudo-count of "dirichlet", the equivalent sample size of "bdeu".
    max_iter : int, default=500
        Maximum number of passes of EM in a start.
    tol : float, default=1e-6
        Convergence of EM: what it raises, for a row on average, changes by less than this.
    n_init : int, optional
        Number of starts, of which the best is kept. By default 1, and 5 with hidden nodes.
    random_state : int, RandomState or None
        The seed of the starts and of `sample`.

    Attributes
    ----------
    network_ : DiscreteNetwork
        Graph, levels and tables, node by node.
    graph_, edges_, levels_, tables_ : DirectedGraph, tuple, dict, dict
        The same by name. A table has an axis for each parent, in order, and the last for the node.
    sums_ : FamilyCounts or None
        The counts, to which `partial_fit` adds; None after EM.
    columns_ : Columns or None
        The schema, where the columns hold words.
    n_iter_ : int
        Number of passes over the rows (of the best start).
    certificate_ : Certificate
        Of complete rows, whether the tables are the only best ones; of EM, that no pass lowered what it raises. Both count
        configurations of parents that never occur (`empty`: equal shares) and probabilities of 0 (`zeros`).

    Examples
    --------
    >>> X = [["yes", "wet"], ["yes", "wet"], ["yes", "dry"], ["no", "dry"]]
    >>> model = BayesianNetwork([(0, 1)]).fit(X)
    >>> model.tables_[1].round(3)  # p(wet or dry | rain)
    array([[1.   , 0.   ],
           [0.333, 0.667]])
    """

    State = NetworkPass
    stored_check = NETWORK
    exceptions = {
        **CODES_ARE_NAMES,
        "column order": "edges name columns, which move; `predict_proba` is that of the last one",
    }

    def __init__(
        self,
        edges: Any = (),
        *,
        levels: Any = None,
        hidden: Any = None,
        prior: Prior | None = None,
        alpha: Factor = 1.0,
        max_iter: Count = 500,
        tol: NonNegative = 1e-6,
        n_init: Count | None = None,
        random_state: Seed = None,
    ):
        self.edges = edges
        self.levels = levels
        self.hidden = hidden
        self.prior = prior
        self.alpha = alpha
        self.max_iter = max_iter
        self.tol = tol
        self.n_init = n_init
        self.random_state = random_state

    @classmethod
    def from_tables(
        cls,
        tables: Network | Mapping[Any, Any],
        *,
        parents: Mapping[Any, Sequence[Any]] | None = None,
        levels: Mapping[Any, Sequence[Any]] | None = None,
    ) -> Self:
        """A network whose tables are known: one axis for each parent, in order, the last for the node itself."""
        if isinstance(tables, Network):
            parents, levels, tables = tables.parents, tables.levels, tables.tables
        if parents is None or levels is None:
            raise TypeError("Beside the tables, give the parents and the levels of each node.")
        made = cls(dict(parents), levels=dict(levels))
        network = DiscreteNetwork.of(DirectedGraph.of(made.edges), levels, tables)
        return made.settle(made.columns_of_tables(network))

    # ---- rows ------------------------------------------------------------------------------------------------------------

    def schema(self, X: Any) -> Columns:
        """Every column is categorical, whole numbers too."""
        names = [one.name for one in cells_of(X)]
        levels = {column_called(name, names): own for name, own in self.given_levels().items()}
        return categorical_schema(X, {name: own for name, own in levels.items() if name in names and is_list(own)})

    def open(self, X: Any, y: Any = None, sample_weight: Any = None, *, reset: bool = True) -> Rows:
        """Training data as checked rows; later batches may bring new levels."""
        check_parameters(self)
        return open_rows(self, X, None, sample_weight, reset=reset, among=LEARNING)

    def given_levels(self) -> dict[Any, Any]:
        """The levels that are given, by `levels` or with the edges."""
        refuse_no_mapping("levels", self.levels)
        return (dict(self.edges.levels) if isinstance(self.edges, Network) else {}) | dict(self.levels or {})

    def nodes(self, names: Sequence[Any], schema: Columns | None) -> Nodes:
        """The nodes: columns of these names, and hidden ones, with the levels that are given."""
        refuse_no_mapping("hidden", self.hidden)
        edges = self.edges.edges if isinstance(self.edges, (Network, DirectedGraph)) else self.edges
        return Nodes.of(edges, self.given_levels(), self.hidden or {}, names, schema)

    # ---- complete rows: (2) ----------------------------------------------------------------------------------------------

    def summarise(self, rows: Rows) -> FamilyCounts:
        """The counts of the families."""
        nodes = self.nodes(*names_of(rows))
        counts = rows.sum(FamilyCounts.of, nodes.graph, nodes.least, nodes.most, rows.names, type(self).__name__)
        refuse_empty_sums(counts.weight, True, rows)
        nodes.refuse_unknown_columns(counts)
        return counts

    def raised(self, counts: Sequence[Array]) -> list[Array]:
        """Counts with the pseudo-counts of the prior."""
        return [N + pseudo_count(self.prior, self.alpha, N) for N in counts]

    def fit_sums(self, record: FamilyCounts) -> Self:
        """Fit from counts: a sum of `summarise`d parts, such as the other folds of a cross-validation."""
        refuse_incomplete(record, "fit_sums")
        names = record.graph.nodes[: record.columns]
        kept = np.array(names, dtype=object) if all(isinstance(name, str) for name in names) else None
        noted = {"n_features_in_": record.columns, "feature_names_in_": kept}
        return self.settle({**noted, **self.of_counts(record), "stopped_": "converged"})

    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Update the fit with more complete rows. Any number of calls gives the same as one `fit` on all rows."""
        before = getattr(self, "sums_", None)
        if before is None and hasattr(self, "network_"):
            raise ValueError(
                "The tables so far are not those of counts of complete rows, to which more could be added: use fit."
            )
        rows = self.open(X, y, sample_weight, reset=before is None)
        record = self.summarise(rows)
        refuse_incomplete(record, "partial_fit")
        record = record if before is None else before + record
        return self.settle({**rows.noted, **self.of_counts(record), "stopped_": "converged"})

    def of_counts(self, record: FamilyCounts) -> dict[str, Any]:
        """The fitted attributes that follow from the counts of complete rows."""
        nodes = self.nodes(record.graph.nodes[: record.columns], record.schema)
        if nodes.graph != record.graph:
            raise ValueError("These are the counts of another graph: summarise the rows with the same edges.")
        return self.found(self.counted(record), nodes) | {"sums_": record}

    def counted(self, record: FamilyCounts) -> NetworkPass:
        """The one state of complete rows."""
        raised = self.raised(record.tables)
        value = np.array([sum(weighted_logs(N, shares(N)) for N in raised) / record.weight])
        best = NetworkPass.begin(0, 0, **flat(record.tables, record.weight, complete=True))
        return replace(best, objective=-float(value[0]), settled=True, log=value, still=True, best_log=value, best_still=True)

    # ---- EM: (3) ---------------------------------------------------------------------------------------------------------

    def states(self, rows: Rows, since: NetworkPass | None = None) -> Iterator[NetworkPass]:
        nodes = self.nodes(*names_of(rows))
        if since is None:
            counts = self.summarise(rows)
            if counts.complete:
                yield self.counted(counts)
                return
            seed = draw_seed(self.random_state)
            since = NetworkPass.begin(seed, 0, **self.start(counts, seed, 0))
            yield since
        if since.settled:
            return
        codes, weights = different_rows(rows, len(nodes.graph), type(self).__name__)

        def passes(state: NetworkPass) -> Iterator[NetworkPass]:
            shapes = shapes_of(nodes.graph, state.sizes)
            tree = JunctionTree.of(nodes.graph, state.sizes.tolist())
            while True:
                tables = [shares(N) for N in self.raised(in_tables(state.counts, shapes))]  # (2)
                counts, logs = expected_counts(tree, tables, codes, weights)  # (3)
                value = (float(logs @ weights) + self.log_prior(tables)) / state.weight
                still = len(state.log) > 0 and abs(value - state.log[-1]) < max(self.tol, 1e-15 * abs(value))
                limits = {"passes": self.max_iter, "starts": self.starts()}
                state = state.after(value, bool(still), **limits, counts=laid_out(counts))
                yield state

        yield from self.each_start(rows, passes, since)

    def log_prior(self, tables: Sequence[Array]) -> float:
        """Σ a ln θ."""
        return sum(weighted_logs(np.full(T.shape, pseudo_count(self.prior, self.alpha, T)), T) for T in tables)

    def first(self, rows: Rows, seed: int, start: int) -> dict[str, Any]:
        return self.start(self.summarise(rows), seed, start)

    def start(self, counts: FamilyCounts, seed: int, start: int) -> dict[str, Any]:
        """The counts of a start: those of the rows that know a family, and a tenth as many spread over its cells; random ones
        for tables with a hidden node, and for all tables in later starts. All are positive, so that no row is impossible."""
        tables = []
        for v, table in enumerate(counts.tables):
            known = max((*counts.graph.parents[v], v)) < counts.columns
            even = counts.weight / table.size
            drawn = -np.log1p(-uniforms(seed, start * len(counts.tables) + v, table.size)).reshape(table.shape)
            tables.append(table + 0.1 * even if known and start == 0 else even * np.maximum(drawn, 1e-3))
        return flat(tables, counts.weight, complete=False)

    def starts(self) -> int:
        return self.n_init or (5 if self.hidden else 1)

    # ---- the answer ------------------------------------------------------------------------------------------------------

    def attributes(self, state: NetworkPass, rows: Rows) -> dict[str, Any]:
        best, nodes = state.best(), self.nodes(*names_of(rows))
        sums = None
        if best.complete:
            tables = tuple(in_tables(best.counts, shapes_of(nodes.graph, best.sizes)))
            sums = FamilyCounts(nodes.graph, tables, np.ones(nodes.columns, bool), best.weight, 0.0, nodes.schema)
        return self.found(best, nodes) | {"sums_": sums}

    def found(self, best: NetworkPass, nodes: Nodes) -> dict[str, Any]:
        """The attributes that follow from counts, exact or expected."""
        raised = self.raised(in_tables(best.counts, shapes_of(nodes.graph, best.sizes)))
        tables = tuple(read_only(shares(N)) for N in raised)
        certify = certificates.of_counts if best.complete else certificates.of_ascent
        return {
            "columns_": nodes.schema,
            "network_": DiscreteNetwork(nodes.graph, nodes.levels(best.sizes.tolist()), tables),
            "n_iter_": max(1, len(best.log)),
            "certificate_": certify(tables, raised, best.log, self.prior is not None),
        }

    @property
    def graph_(self) -> DirectedGraph:
        """The arrows: of the fit, or as given."""
        if hasattr(self, "network_"):
            return self.network_.graph
        return as_graph(self.edges).with_nodes([*self.given_levels(), *(self.hidden or {})])


# ---- small parts ---------------------------------------------------------------------------------------------------------


def flat(tables: Sequence[Array], weight: float, *, complete: bool) -> dict[str, Any]:
    """The fields of a state before its first pass."""
    sizes = np.array([table.shape[-1] for table in tables], dtype=np.int64)
    return {"sizes": sizes, "weight": weight, "complete": complete, "counts": laid_out(tables)}


def refuse_no_mapping(name: str, value: Any) -> None:
    if not (value is None or isinstance(value, Mapping)):
        raise ParameterError(f"{name} of BayesianNetwork must be a mapping of names to levels, got {value!r}.")


def refuse_incomplete(record: FamilyCounts, method: str) -> None:
    """Stop where counts do not settle the tables."""
    if not record.complete:
        why = "a row has a missing cell" if record.incomplete else "a node is hidden"
        raise ValueError(f"{method} adds counts, which need all cells, but {why}: use fit, which is EM then.")
