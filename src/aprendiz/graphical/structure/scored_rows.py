"""Training rows of a search among graphs: the different ones, a score for their families, and what is known of the graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from math import prod
from typing import Any

import numpy as np

from aprendiz.core.inputs import refuse_empty_sums
from aprendiz.core.rows import Array, ChangedRows, Rows
from aprendiz.graphical.structure.distinct_rows import DistinctRows
from aprendiz.graphical.structure.family_score import MOST_CELLS, FamilyScore, ScoreName
from aprendiz.graphical.structure.family_table import FamilyTables
from aprendiz.graphical.structure.graph_search import SearchSpace
from aprendiz.graphical.structure.known_edges import KnownEdges


class ScoredRows(ChangedRows):
    """Rows as they are, summed up when a search first asks for its space."""

    def __init__(
        self,
        rows: Rows,
        learner: str,
        score: ScoreName,
        alpha: float,
        known: Mapping[str, Any],
        max_parents: int | None,
        levels: Mapping[Any, Sequence[Any]] | None = None,
    ):
        super().__init__(rows, lambda block: block, rows.names, rows.columns)
        self.learner, self.score, self.alpha, self.max_parents, self.levels = learner, score, alpha, max_parents, levels or {}
        schema = rows.noted.get("columns_")
        names = rows.names if schema is None else schema.names
        self.known = KnownEdges.of(range(rows.columns) if names is None else names, **known)

    @cached_property
    def space(self) -> SearchSpace:
        """The graphs that may be, with the scores of their families."""
        record = self.sum(DistinctRows.of, self.names, self.learner)
        refuse_empty_sums(record.weight, record.finite, self)
        if self.levels:
            record = with_levels(record, self.known.nodes, self.levels)
        sizes, required = [int(size) for size in record.sizes], self.known.required
        cells = [size * prod(sizes[u] for u in parents) for size, parents in zip(sizes, required.parents, strict=True)]
        if max(cells) > MOST_CELLS:
            name = required.nodes[cells.index(max(cells))]
            raise ValueError(f"The table of {name!r} and its required parents has {max(cells)} cells: require fewer.")
        tables = FamilyTables(record, FamilyScore.of(self.score, self.alpha, record, max(cells)))
        return SearchSpace(tables, self.known, self.max_parents)

    @property
    def required_edges(self) -> Array:
        """The arrows that every graph has, by place."""
        return np.argwhere(self.known.must)


def with_levels(record: DistinctRows, nodes: Sequence[Any], levels: Mapping[Any, Sequence[Any]]) -> DistinctRows:
    """The rows with levels that are known although they may not occur."""
    sizes = []
    for j, (name, size) in enumerate(zip(nodes, record.sizes, strict=True)):
        own = levels.get(name, ())
        sizes.append(max(int(size), len(own) if record.schema is None else len({*own, *record.schema.columns[j].levels})))
    return replace(record, sizes=np.array(sizes))
