"""Expected counts of the families: what a row with missing cells counts for, under the tables so far.

    N_v[c, x] = Σ_rows w · p(parents(v) = c, v = x | known cells of the row)                                  (1)

Equal rows, with the same cells missing, are inferred once. The sum carries ℓ = Σ w ln p(known cells) along.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from aprendiz.core.rows import Array, Block, Rows, fold
from aprendiz.core.sources.arrays import in_memory
from aprendiz.core.sums import Sums
from aprendiz.graphical.counts.family_counts import whole_codes
from aprendiz.graphical.inference.junction_tree import JunctionTree
from aprendiz.graphical.inference.rows_of_evidence import expected_counts
from aprendiz.summaries.codes import UNKNOWN

Patterns = tuple[Array, Array]  # distinct rows of codes, and the weight of each


@dataclass(frozen=True)
class ExpectedCounts(Sums):
    """(1), the tables one after the other; ℓ and Σw."""

    counts: Array
    log_likelihood: float
    weight: float

    @classmethod
    def of(cls, tree: JunctionTree, tables: Sequence[Array], patterns: Patterns) -> Self:
        """The expected counts of some rows."""
        codes, weights = patterns
        counts, logs = expected_counts(tree, tables, codes, weights)
        return cls(np.concatenate([table.ravel() for table in counts]), float(logs @ weights), float(weights.sum()))


class RowsOfPatterns:
    """The rows of a fit as blocks of distinct rows: kept where the table is in memory, found anew at each pass elsewhere."""

    def __init__(self, rows: Rows, nodes: int, learner: str):
        self.rows, self.nodes, self.learner = rows, nodes, learner
        self.kept = [self.patterns(block) for block in rows.blocks()] if in_memory(rows) else None

    def patterns(self, block: Block) -> Patterns:
        return distinct_rows(with_hidden(whole_codes(block, self.rows.names, self.learner), self.nodes), block.weights)

    def expected(self, tree: JunctionTree, tables: Sequence[Array]) -> ExpectedCounts:
        """(1) of all rows. Of rows in memory one block comes after the other, each side by side on the threads."""
        if self.kept is not None:
            return fold(ExpectedCounts.of(tree, tables, patterns) for patterns in self.kept)
        return self.rows.sum(lambda block: ExpectedCounts.of(tree, tables, self.patterns(block)))


def with_hidden(codes: Array, nodes: int) -> Array:
    """The codes with a column of missing cells for each hidden node."""
    wide = np.full((len(codes), nodes), UNKNOWN, dtype=np.int32)
    wide[:, : codes.shape[1]] = codes
    return wide


def distinct_rows(codes: Array, weights: Array) -> Patterns:
    """Each row that counts once, in the order of the cells, with the weight of all its copies."""
    order = np.lexsort(codes.T[::-1])
    order = order[weights[order] > 0]
    ordered = codes[order]
    new = np.ones(len(ordered), dtype=bool)
    new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    starts = np.flatnonzero(new)
    return np.ascontiguousarray(ordered[starts]), np.add.reduceat(weights[order], starts) if len(starts) else np.empty(0)
