"""All that inference keeps of a network: its flat tables, its junction tree, the trees of earlier queries, the last answers.

A tree is made for a pattern of evidence: what is asked, what is known, of what something is said. The next query of the same
pattern finds it. Posteriors of all nodes use the tree of the network, which serves any evidence, or, where that is large, the
tree of the pattern, in which known nodes cost nothing.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from weakref import WeakKeyDictionary

import numpy as np

from aprendiz.core.rows import Array, read_only
from aprendiz.graphical.inference.conflicts import conflict_in_a_family, halved_conflict, smallest_conflict
from aprendiz.graphical.inference.evidence import Evidence
from aprendiz.graphical.inference.flat_tables import FlatTables
from aprendiz.graphical.inference.junction_tree import JunctionTree
from aprendiz.graphical.inference.relevance import needed_families
from aprendiz.graphical.inference.rows_of_evidence import (
    best_levels,
    joint_posteriors,
    levels_of,
    log_likelihoods,
    posteriors_of_all_nodes,
)
from aprendiz.graphical.tables.discrete_network import DiscreteNetwork

SMALL = 2**18  # cells of a tree that is used for any evidence
DEAR = 2**22  # cells of a tree that is not worth the search for a conflict
KEPT = 64  # trees and answers

engines: WeakKeyDictionary[DiscreteNetwork, NetworkInference] = WeakKeyDictionary()


class NetworkInference:
    """Inference in one network, by place and code."""

    def __init__(self, network: DiscreteNetwork):
        self.graph, self.sizes, self.tables = network.graph, network.sizes, network.tables
        self.kept_tree = lru_cache(KEPT)(self.new_tree)
        self.kept_posteriors = lru_cache(KEPT)(self.new_posteriors)

    @classmethod
    def of(cls, network: DiscreteNetwork) -> NetworkInference:
        """That of a network: made once."""
        found = engines.get(network)
        if found is None:
            found = engines[network] = cls(network)
        return found

    @cached_property
    def flat(self) -> FlatTables:
        """The tables end to end."""
        return FlatTables.of(self.tables)

    @cached_property
    def has_zeros(self) -> bool:
        """Whether anything is impossible."""
        return not self.flat.values.all()

    @cached_property
    def whole(self) -> JunctionTree:
        """The tree that serves any evidence."""
        return JunctionTree.of(self.graph, self.sizes)

    def likely_tables(self, evidence: Evidence) -> FlatTables:
        """The tables with soft evidence multiplied in."""
        return FlatTables.of(self.tables, evidence.vectors()) if evidence.likelihoods else self.flat

    # ---- trees -----------------------------------------------------------------------------------------------------------

    def tree_of_query(self, targets: tuple[int, ...], evidence: Evidence, *, best: bool = False) -> JunctionTree:
        """The tree of p(targets | evidence), with the targets in its root; with `best`, with the targets eliminated last."""
        return self.kept_tree(targets, evidence.told, evidence.known, best)

    def new_tree(
        self, targets: tuple[int, ...], told: frozenset[int], known: frozenset[int], best: bool = False
    ) -> JunctionTree:
        """A tree for a pattern: what is asked, of what something is said, what is known."""
        members = needed_families(self.graph, targets, told, known)
        if best:
            return JunctionTree.of(self.graph, self.sizes, last=targets, known=known, members=members)
        tree = JunctionTree.of(self.graph, self.sizes, together=targets, known=known, members=members)
        return tree.rooted(next((c for c, own in enumerate(tree.cliques) if set(targets) <= set(own)), 0))

    def tree_of_all(self, evidence: Evidence) -> JunctionTree:
        """The tree of the posteriors of all nodes."""
        if self.whole.cost.cells <= SMALL or not evidence.levels:
            return self.whole
        return self.kept_tree((), frozenset(range(len(self.graph))), evidence.known)

    # ---- answers -----------------------------------------------------------------------------------------------------------

    def log_probability(self, evidence: Evidence) -> float:
        """ln p(evidence)."""
        return self.posterior((), evidence)[0] + evidence.log_scale

    def posterior(self, targets: tuple[int, ...], evidence: Evidence) -> tuple[float, Array]:
        """p(targets | evidence), after the logarithm of what it was divided by."""
        tree, nodes = self.tree_of_query(targets, evidence), len(self.graph)
        known = levels_of(tree, evidence.codes(nodes))
        log_p, values = joint_posteriors(tree, self.likely_tables(evidence), known, targets)
        return float(log_p[0]), values[0].reshape([self.sizes[v] for v in targets])

    def all_posteriors(self, evidence: Evidence) -> Array:
        """p(v | evidence) of each node, one after the other; NaN where the evidence is impossible."""
        return self.kept_posteriors(evidence)

    def new_posteriors(self, evidence: Evidence) -> Array:
        """The same, by messages in both directions."""
        tree, flat = self.tree_of_all(evidence), self.likely_tables(evidence)
        known = levels_of(tree, evidence.codes(len(self.graph)))
        return read_only(posteriors_of_all_nodes(tree, flat, known)[1][0])

    def most_probable(self, targets: tuple[int, ...] | None, evidence: Evidence) -> tuple[float, Array]:
        """The most probable levels of all nodes together, or of the targets with the others summed; −1 elsewhere."""
        tree = self.tree_of_all(evidence) if targets is None else self.tree_of_query(targets, evidence, best=True)
        best = np.array([targets is None or last for last in tree.last])
        known = levels_of(tree, evidence.codes(len(self.graph)))
        log_p, found = best_levels(tree, self.likely_tables(evidence), known, best)
        return float(log_p[0]), found[0]

    def conflict(self, evidence: Evidence) -> tuple[int, ...]:
        """The nodes of a part of the evidence that is impossible, or is so with the soft evidence: a smallest one where the
        network is small. Parts that are dear to ask about count as possible."""
        nodes, small = len(self.graph), self.whole.cost.cells <= SMALL

        def log_p(rows: Array) -> Array:
            if small and not evidence.likelihoods:
                return log_likelihoods(self.whole, self.tables, rows)
            parts = (tuple((v, int(level)) for v, level in enumerate(row) if level >= 0) for row in rows)
            return np.array([self.affordable_log_probability(Evidence(part, evidence.likelihoods)) for part in parts])

        if small:
            return smallest_conflict(evidence.levels, nodes, log_p)
        shown = conflict_in_a_family(self.graph, self.tables, evidence.levels)
        return halved_conflict([one for one in evidence.levels if not shown or one[0] in shown], nodes, log_p)

    def affordable_log_probability(self, evidence: Evidence) -> float:
        """ln p(evidence), 0 where that is dear to find."""
        return self.log_probability(evidence) if self.tree_of_query((), evidence).cost.cells <= DEAR else 0.0
