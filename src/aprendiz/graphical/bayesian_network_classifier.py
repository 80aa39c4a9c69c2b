"""Classification by a Bayesian network: the class is a node like the columns, and its posterior is a query.

    P(c | x) ∝ P(c | parents(c)) · Π_v P(x_v | x_parents(v)),     v the children of the class                  (1)

The product goes over the class and its children: given its Markov blanket, the class is independent of all other columns. A
missing cell is summed over, exactly, as any node of which nothing is known. The graph is

    "naive"     each column depends on the class alone: naive Bayes
    "tan"       and on one other column, the tree of most mutual information given the class
    "learned"   what a search by BIC finds, without arrows to the class: columns may fall out
    edges       as given

and its tables are those of `BayesianNetwork`: counts, or EM where a missing cell has children. Words are levels; columns of
numbers are cut into bins, where the classes differ ("mdl") or into bins of equally many rows ("quantile"). Graph and cuts use
the target, and belong to the fit.

Cost: one to three passes for cuts and counts, O(n·d·log n), and those of the structure; prediction O(n·K·d).
Reference: Friedman, Geiger & Goldszmidt, "Bayesian network classifiers", Machine Learning 29, 1997.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Annotated, Any, Literal

import numpy as np
from sklearn.utils.validation import check_is_fitted

from aprendiz.bayes.naive.independent_columns import JointOfClasses, log_posterior
from aprendiz.core.class_weights import reweight
from aprendiz.core.columns import Columns, Mixed
from aprendiz.core.inputs import refuse_empty_sums
from aprendiz.core.learner import Passes
from aprendiz.core.parameters import Factor, ParameterError, Within
from aprendiz.core.rows import Array, Block, Rows, read_only
from aprendiz.core.sources.arrays import in_memory
from aprendiz.core.targets import plain
from aprendiz.graphical import BayesianNetwork
from aprendiz.graphical.classification.class_posterior import class_posterior, log_evidence
from aprendiz.graphical.classification.class_structure import (
    STRUCTURES,
    Parents,
    given_parents,
    naive_parents,
    searched_parents,
    tree_parents,
    with_class,
)
from aprendiz.graphical.classification.column_codes import ColumnCodes, Discretization
from aprendiz.graphical.classification.stored_classifier import CLASSIFIER
from aprendiz.graphical.counts.family_counts import FamilyCounts
from aprendiz.graphical.graph.as_graph import as_graph
from aprendiz.graphical.graph.directed_graph import DirectedGraph
from aprendiz.graphical.graph.graph_questions import GraphQuestions
from aprendiz.graphical.inference.queries import Queries
from aprendiz.graphical.learning import certificates
from aprendiz.graphical.learning.priors import Prior, pseudo_count, shares, weighted_logs
from aprendiz.graphical.tables.discrete_network import DiscreteNetwork
from aprendiz.locale import _
from aprendiz.summaries.codes import categorical_schema, warn_of_unseen

Bins = Annotated[int, Within(2)]


class BayesianNetworkClassifier(GraphQuestions, Queries, JointOfClasses, Passes):
    """Bayesian network classifier: naive, a tree, learned or given (words, numbers and missing cells as they are).

    Parameters
    ----------
    structure : {"naive", "tan", "learned"}, or edges by the names of the columns and `class_name`, default="tan"
    discretize : {"mdl", "quantile"} or None, default="mdl"
        How columns of numbers are cut into bins; None if they hold whole-number codes 0, 1, 2, …
    n_bins : int, default=5
        Number of bins of "quantile".
    prior : {None, "dirichlet", "bdeu", "k2"}, default="bdeu"
        Pseudo-counts of the tables, as in `BayesianNetwork`.
    alpha : float, default=5.0
        Their size: with "bdeu", α rows spread over the cells of each table.
    class_weight : dict of class to weight, or "balanced", optional
    class_name : str, default="class"
        What the node of the class is called.

    Attributes
    ----------
    classes_, class_prior_ : ndarray of shape (n_classes,)
        Labels, and their probabilities before any cell is known.
    network_ : DiscreteNetwork
        Graph, levels and tables: the columns, then the class.
    graph_, edges_ : DirectedGraph, tuple of (parent, child)
        The arrows, by name.
    cuts_ : list of ndarray or None
        The cuts of each column of numbers.
    columns_ : Columns or None
        The schema, where columns hold words.
    certificate_ : Certificate
        That of the tables (see `BayesianNetwork`).

    Examples
    --------
    >>> from aprendiz.datasets import load
    >>> X, y = load("tumour", return_X_y=True, as_frame=True)
    >>> model = BayesianNetworkClassifier("naive").fit(X, y)
    >>> model.predict(X[:3]).tolist()
    ['malignant', 'malignant', 'malignant']
    >>> model.markov_blanket("class")
    ['size', 'smoothness', 'symmetry']
    """

    stored_check = CLASSIFIER
    allows = frozenset({"missing", "categories"})
    exceptions = {"memory": 'the different values of columns that are cut ("mdl") are kept in memory, with their classes'}
    tuning = {"structure": ("naive", "tan"), "alpha": (1.0, 10.0)}

    def __init__(
        self,
        structure: Any = "tan",
        *,
        discretize: Discretization | None = "mdl",
        n_bins: Bins = 5,
        prior: Prior | None = "bdeu",
        alpha: Factor = 5.0,
        class_weight: dict[Any, Any] | Literal["balanced"] | None = None,
        class_name: str = "class",
    ):
        self.structure = structure
        self.discretize = discretize
        self.n_bins = n_bins
        self.prior = prior
        self.alpha = alpha
        self.class_weight = class_weight
        self.class_name = class_name

    # ---- learning --------------------------------------------------------------------------------------------------------

    def schema(self, X: Any) -> Columns:
        """Numbers are numbers where they are cut into bins, else codes."""
        return categorical_schema(X) if self.discretize is None else Columns.of(X)

    def learned(self, rows: Rows) -> dict[str, Any]:
        """Codes, graph and tables, one after the other."""
        classes = rows.labels
        assert classes is not None
        schema = rows.X.columns if in_memory(rows) and isinstance(rows.X, Mixed) else None
        names = self.names_of(rows, schema)
        rows = rows if self.class_weight is None else reweight(rows, self.class_weight)
        codes = ColumnCodes.of(rows, schema, self.discretize, self.n_bins, type(self).__name__)
        coded = coded_rows(rows, codes, type(self).__name__)
        parents = self.parents(coded, codes, names)
        tables, certificate = self.tables(coded, DirectedGraph(tuple(range(len(parents))), tuple(parents)), codes)
        labels = tuple(plain(label) for label in classes)
        levels = (*(codes.levels(j) for j in range(rows.columns)), labels)
        graph = DirectedGraph((*names, self.class_name), tuple(parents))
        network = DiscreteNetwork(graph, levels, tuple(map(read_only, tables)))
        nothing = np.full((1, rows.columns), -1, dtype=np.int32)
        return {
            "classes_": classes,
            "columns_": schema,
            "cuts_": list(codes.cuts),
            "network_": network,
            "class_prior_": np.exp(log_posterior(class_posterior(network)(nothing)))[0],
            "certificate_": certificate,
        }

    def names_of(self, rows: Rows, schema: Columns | None) -> list[Any]:
        """What the columns are called: by their numbers, if they have no names."""
        names = list(schema.names if schema is not None else range(rows.columns) if rows.names is None else rows.names)
        if self.class_name in names:
            raise ValueError(f"A column is called {self.class_name!r}, as the class is: give another class_name.")
        return names

    def parents(self, coded: Rows, codes: ColumnCodes, names: Sequence[Any]) -> Parents:
        """The parents of each column, then those of the class."""
        word, given = isinstance(self.structure, str), self.structure
        several = np.iterable(given) or hasattr(given, "edges") or hasattr(given, "graph_")
        if given not in STRUCTURES if word else not several:
            raise ParameterError(f"structure must be one of {', '.join(STRUCTURES)}, or edges, got {self.structure!r}.")
        if not word:
            return given_parents(self.structure, names, self.class_name)
        if self.structure == "naive":
            return naive_parents(coded.columns)
        return (tree_parents if self.structure == "tan" else searched_parents)(coded, codes.sizes)

    def tables(self, coded: Rows, graph: DirectedGraph, codes: ColumnCodes) -> tuple[list[Array], Any]:
        """The tables, and what is known of them. Where every missing cell is one of a node without children, the rows that know
        a family are all that its table depends on; else EM finds the tables."""
        assert coded.labels is not None
        sizes, whole = (*codes.sizes, len(coded.labels)), with_class(coded)
        missing = whole.sum(columns_with_holes)
        if any(missing[v] for v, below in enumerate(graph.children) if below):
            levels = dict(enumerate(sizes))
            found = BayesianNetwork(graph.edges, levels=levels, prior=self.prior, alpha=self.alpha, random_state=0).fit(whole)
            return list(found.network_.tables), found.certificate_
        limits = np.array(sizes, dtype=np.int64)
        counts = whole.sum(FamilyCounts.of, graph, limits, limits, None, type(self).__name__)
        refuse_empty_sums(counts.weight, True, coded)
        raised = [N + pseudo_count(self.prior, self.alpha, N) for N in counts.tables]
        tables = [shares(N) for N in raised]
        value = sum(weighted_logs(N, table) for N, table in zip(raised, tables, strict=True)) / counts.weight
        return tables, certificates.of_counts(tables, raised, np.array([value]), self.prior is not None)

    # ---- probabilities ---------------------------------------------------------------------------------------------------

    def codes(self) -> ColumnCodes:
        """The codes of the fit."""
        check_is_fitted(self)
        return ColumnCodes(self.columns_, tuple(self.cuts_), self.network_.sizes[:-1])

    def check_rows(self, rows: Rows) -> Rows:
        """Say which columns hold codes that the fit did not see."""
        if all(cuts is None for cuts in self.cuts_):
            warn_of_unseen(rows, np.array(self.network_.sizes[:-1]), 4)
        return rows

    def log_joint_function(self) -> Callable[[Block], Array]:
        codes, posterior = self.codes(), class_posterior(self.network_)
        names, learner = getattr(self, "feature_names_in_", None), type(self).__name__
        return lambda block: posterior(codes.codes(block, names, learner))

    def predict_joint_log_proba(self, X: Any) -> Array:
        """log P(c, x) for each row and class, x the known cells."""
        codes, posterior, evidence = self.codes(), class_posterior(self.network_), log_evidence(self.network_)
        names, learner = getattr(self, "feature_names_in_", None), type(self).__name__

        def joint(block: Block) -> Array:
            found = codes.codes(block, names, learner)
            logs = evidence(found)[:, None]
            return np.where(np.isneginf(logs), -np.inf, log_posterior(posterior(found)) + logs)

        return self.check_rows(self.new_rows(X)).each(joint)

    def log_density(self, X: Any) -> Array:
        """log p(x) of each row, whatever its class, from its known cells. Outliers have the lowest."""
        codes, evidence = self.codes(), log_evidence(self.network_)
        names, learner = getattr(self, "feature_names_in_", None), type(self).__name__
        return self.check_rows(self.new_rows(X)).each(lambda block: evidence(codes.codes(block, names, learner)))

    def log_prior(self) -> Array:
        with np.errstate(divide="ignore"):
            return np.log(self.class_prior_)

    def advice(self) -> str:
        return _("Give a prior and alpha > 0.")

    # ---- looking at it ---------------------------------------------------------------------------------------------------

    @property
    def graph_(self) -> DirectedGraph:
        """The arrows: of the fit, or as given."""
        if not hasattr(self, "network_") and not isinstance(self.structure, str):
            return as_graph(self.structure)
        check_is_fitted(self)
        return self.network_.graph

    @property
    def edges_(self) -> tuple[tuple[Any, Any], ...]:
        """The arrows (parent, child)."""
        return self.graph_.edges

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        return tags


def coded_rows(rows: Rows, codes: ColumnCodes, learner: str) -> Rows:
    """The rows as codes, NaN where a cell is missing."""

    def change(block: Block) -> Array:
        found = codes.codes(block, rows.names, learner)
        return np.where(found < 0, np.nan, found)

    if in_memory(rows):
        return rows.like(X=rows.each(change), names=None)
    coded = rows.changed(lambda block: replace(block, X=read_only(change(block))))
    coded.names = None
    return coded


def columns_with_holes(block: Block) -> Array:
    """Which columns have a missing cell, in rows that count?"""
    return np.asarray(np.isnan(block.X[block.weights > 0]).any(axis=0))
