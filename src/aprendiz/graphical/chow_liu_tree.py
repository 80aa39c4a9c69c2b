"""Chow–Liu tree: the network in which each node has one parent, and that is closest to the rows.

Of all distributions whose graph is a tree,

    p_T(x) = p(x_root) Π_j p(x_j | x_parent(j))                                                               (1)

the one that gives the rows the highest likelihood takes their own proportions for its factors, and the tree itself enters only
through the mutual information of the pairs that it joins:

    log-likelihood / n = Σ_j I(x_j; x_parent(j)) − Σ_j H(x_j)                                                 (2)

So the best tree is the spanning tree of largest mutual information. Its direction says nothing: from any root, (1) is the same.

Everything follows from the counts of pairs, which add (counts/pair_counts.py). Cells may be missing: a pair is counted on the
rows that know both.

Cost: one pass, O(n·d²); then O(T² + d²), T the number of levels of all columns; memory O(T²).
Reference: Chow & Liu, "Approximating discrete probability distributions with dependence trees", IEEE Transactions on
Information Theory 14, 1968.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from aprendiz.core.inputs import open_rows
from aprendiz.core.learner import OnePass
from aprendiz.core.parameters import check_parameters
from aprendiz.core.rows import Rows
from aprendiz.graphical.counts.pair_counts import ALL_ROWS, PairCounts
from aprendiz.graphical.graph.directed_graph import DirectedGraph
from aprendiz.graphical.structure.learned_edges import LearnedEdges, place_of
from aprendiz.graphical.structure.mutual_information import pair_information, warn_of_strangers
from aprendiz.graphical.structure.spanning_tree import outward_order, spanning_tree, tree_certificate

NO_CLASSES = np.array([])  # announced: rows are learned from, so that levels they bring are new ones and not strangers


class ChowLiuTree(LearnedEdges, OnePass):
    """Chow–Liu tree of discrete columns (words or codes, missing cells, exact `partial_fit`, files).

    Parameters
    ----------
    root : name or number of a column, optional
        The node without a parent; by default the first column.

    Attributes
    ----------
    edges_ : tuple of (parent, child)
        The tree, parents before children.
    graph_ : DirectedGraph
        The same edges, as a graph of all columns.
    mutual_information_ : ndarray of shape (n_features, n_features)
        I of each pair of columns, in nats; the entropies on the diagonal.
    parents_ : ndarray of shape (n_features,)
        The number of each column's parent, −1 for the root.
    sums_ : PairCounts
        The statistics, to which `partial_fit` adds.
    certificate_ : Certificate
        That no spanning tree has more mutual information, and by how much the best other one has less.
    """

    def __init__(self, root: str | int | None = None):
        self.root = root

    def open(self, X: Any, y: Any = None, sample_weight: Any = None, *, reset: bool = True) -> Rows:
        """Training data as checked rows; later batches may bring new levels."""
        check_parameters(self)
        return open_rows(self, X, y, sample_weight, reset=reset, among=NO_CLASSES)

    def summarise(self, rows: Rows) -> PairCounts:
        self.root_of(rows.names, rows.columns)
        return rows.sum(PairCounts.of, ALL_ROWS, rows.names, type(self).__name__)

    def conclude(self, record: PairCounts) -> dict[str, Any]:
        """The best tree of (2), and its certificate."""
        found = pair_information(record)
        warn_of_strangers(found, record)
        parent = spanning_tree(found.value, self.root_of(record.names, record.columns))
        claim = "no spanning tree has more mutual information, to rounding"
        return {
            "columns_": record.schema,
            "mutual_information_": found.value,
            "parents_": parent,
            "certificate_": tree_certificate(found.value, found.rounding, parent, claim),
        }

    def root_of(self, names: Sequence[Any] | None, columns: int) -> int:
        """The number of the root."""
        return 0 if self.root is None else place_of(self.root, names, columns, self)

    @property
    def edges_(self) -> tuple[tuple[Any, Any], ...]:
        """The tree, by name."""
        nodes, parent = self.nodes_, self.parents_
        return tuple((nodes[parent[v]], nodes[v]) for v in outward_order(parent) if parent[v] >= 0)

    @property
    def graph_(self) -> DirectedGraph:
        """The tree as a graph of all columns."""
        return DirectedGraph.of(self.edges_, self.nodes_)
