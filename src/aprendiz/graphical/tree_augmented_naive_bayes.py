"""Tree-augmented naive Bayes: each column depends on the class and on one other column.

    log P(c, x) = log π_c + Σ_j log θ_j[c, x_parent(j), x_j]                                                  (1)

Naive Bayes is (1) without the parents. Of all trees over the columns, the one that gives the rows of the classes the highest
likelihood is the spanning tree of largest

    I(j; k | class) = Σ_c Σ_ab p(c, a, b) log [ p(a, b | c) / (p(a | c) p(b | c)) ]                           (2)

The tables are those of α rows more in each class, spread evenly over the R levels of the parent and the L of the column: then
the same joint distribution follows from any root.

    θ_j[c, a, b] = (N_c,ab + α/RL) / (N_c,a· + α/R)                                                           (3)

Both (2) and (3) need nothing but the counts of pairs in each class, which add (counts/pair_counts.py). Cells may be missing: a
pair is counted on the rows that know both, and a prediction sums (1) over all levels that a missing cell may have.

Cost: one pass, O(n·d²), then O(K·T² + d²), T the number of levels of all columns; memory O(K·T²). Prediction O(n·d·K).
Reference: Friedman, Geiger & Goldszmidt, "Bayesian network classifiers", Machine Learning 29, 1997.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from aprendiz.bayes.naive.counted_columns import log_shares
from aprendiz.bayes.naive.independent_columns import IndependentColumns
from aprendiz.core.parameters import PositiveFactor
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.graphical.counts.pair_counts import PairCounts
from aprendiz.graphical.graph.directed_graph import DirectedGraph
from aprendiz.graphical.learning.tree_tables import TREE_TABLES, TreeTables
from aprendiz.graphical.structure.learned_edges import LearnedEdges, place_of
from aprendiz.graphical.structure.mutual_information import pair_information, warn_of_strangers
from aprendiz.graphical.structure.spanning_tree import outward_order, spanning_tree, tree_certificate
from aprendiz.locale import _
from aprendiz.summaries.codes import codes_of, warn_of_unseen


class TreeAugmentedNaiveBayes(LearnedEdges, IndependentColumns):
    """Tree-augmented naive Bayes (words or codes, missing cells, exact `partial_fit`, files).

    Parameters
    ----------
    alpha : float, default=5.0
        α of (3), the number of rows that are added to each class.
    root : name or number of a column, optional
        The column that depends on the class alone; by default the one that tells most of the others, the largest Σ_k of (2).
    class_name : str, default="class"
        What the class is called in `edges_`.

    Attributes
    ----------
    edges_ : tuple of (parent, child)
        From the class to all columns, then the tree, parents before children.
    graph_ : DirectedGraph
        The same edges, as a graph of the class and all columns.
    classes_, class_count_, class_log_prior_ : ndarray of shape (n_classes,)
    mutual_information_ : ndarray of shape (n_features, n_features)
        (2), in nats; on the diagonal the entropies given the class.
    parents_ : ndarray of shape (n_features,)
        The number of the column that each depends on, −1 for the root.
    n_categories_ : ndarray of shape (n_features,)
    feature_log_prob_ : list of ndarray of shape (n_classes, levels of the parent, levels)
        log θ of (3); of the root, with one level for the parent it has not.
    sums_ : PairCounts
        The statistics, to which `partial_fit` adds.
    certificate_ : Certificate
        That no spanning tree has more mutual information given the class, and by how much the best other one has less.
    """

    stored_check = TREE_TABLES
    exceptions = {
        **LearnedEdges.exceptions,
        "check_classifiers_one_label_sample_weights": "fractions are no categories: refused, not cut",
        "small records": "counts of all pairs of levels, in each class: many, where levels are, but no more for more rows",
    }
    tuning = {"alpha": (1.0, 5.0, 20.0)}

    def __init__(self, *, alpha: PositiveFactor = 5.0, root: str | int | None = None, class_name: str = "class"):
        self.alpha = alpha
        self.root = root
        self.class_name = class_name

    def summarise(self, rows: Rows) -> PairCounts:
        if self.root is not None:
            place_of(self.root, rows.names, rows.columns, self)
        if rows.names is not None and self.class_name in list(rows.names):
            raise ValueError(f"A column is called {self.class_name!r}, as the class is: give another class_name.")
        return rows.sum(PairCounts.of, rows.labels, rows.names, type(self).__name__)

    def conclude(self, record: PairCounts) -> dict[str, Any]:
        """The tree of (2), and its tables (3)."""
        found = pair_information(record)
        warn_of_strangers(found, record)
        told = found.value.sum(axis=1) - np.diagonal(found.value)
        root = int(told.argmax()) if self.root is None else place_of(self.root, record.names, record.columns, self)
        parent = spanning_tree(found.value, root)
        claim = "no spanning tree has more mutual information given the class, to rounding"
        with np.errstate(divide="ignore"):
            prior = np.log(record.total) - np.log(record.weight)
        return {
            "columns_": record.schema,
            "classes_": record.labels,
            "class_count_": record.total,
            "class_log_prior_": prior,
            "mutual_information_": found.value,
            "parents_": parent,
            "n_categories_": record.sizes,
            "feature_log_prob_": [self.log_table(record, v, int(parent[v])) for v in range(record.columns)],
            "certificate_": tree_certificate(found.value, found.rounding, parent, claim),
        }

    def log_table(self, record: PairCounts, v: int, parent: int) -> Array:
        """log θ of (3)."""
        counts = record.pair(parent, v) if parent >= 0 else record.counts(v)[:, None]
        classes, levels, own = counts.shape
        total = np.repeat(record.total, levels)
        return log_shares(counts.reshape(-1, own), self.alpha / (levels * own), total).reshape(classes, levels, own)

    @property
    def edges_(self) -> tuple[tuple[Any, Any], ...]:
        """From the class to all columns, and the tree, by name."""
        nodes, parent = self.nodes_, self.parents_
        tree = ((nodes[parent[v]], nodes[v]) for v in outward_order(parent) if parent[v] >= 0)
        return (*((self.class_name, node) for node in nodes), *tree)

    @property
    def graph_(self) -> DirectedGraph:
        """The edges as a graph."""
        return DirectedGraph.of(self.edges_, (self.class_name, *self.nodes_))

    # ---- predictions -------------------------------------------------------------------------------------------------

    def check_rows(self, rows: Rows) -> Rows:
        """Say which columns hold categories that the fit did not see. (Of words, the door has said so.)"""
        warn_of_unseen(rows, self.n_categories_, 4)
        return rows

    def log_joint_function(self) -> Callable[[Block], Array]:
        names, who = getattr(self, "feature_names_in_", None), type(self).__name__
        tables = TreeTables.of(self.parents_, self.feature_log_prob_)

        def log_joint(block: Block) -> Array:
            joint = np.tile(self.class_log_prior_, (len(block), 1))
            tables.add_to(joint, codes_of(block, names, who))
            return joint

        return log_joint

    def log_prior(self) -> Array:
        return self.class_log_prior_

    def advice(self) -> str:
        return _("Give alpha > 0.")
