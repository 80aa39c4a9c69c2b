"""What a network says of rows: how likely they are, and what their missing cells hold.

    ln p(x) of the known cells,     argmax p(missing | known),     p(column | the other known cells)            (1)

A level that the network does not know counts as a missing cell, and is told.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.cells import Column
from aprendiz.core.columns import Columns
from aprendiz.core.inputs import refuse_empty_sums
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.graphical.counts.family_counts import whole_codes
from aprendiz.graphical.inference.junction_tree import JunctionTree
from aprendiz.graphical.inference.rows_of_evidence import log_likelihoods, most_probable_rows, posteriors_of_rows
from aprendiz.graphical.learning.different_rows import with_hidden
from aprendiz.graphical.learning.nodes import column_called
from aprendiz.graphical.tables.discrete_network import DiscreteNetwork
from aprendiz.locale import _, ngettext
from aprendiz.summaries.coded_columns import CodedColumns
from aprendiz.summaries.codes import UNKNOWN, warn_of_unseen


class RowAnswers(CodedColumns):
    """(1), of a class that has a `network_` whose first nodes are the columns."""

    network_: DiscreteNetwork
    columns_: Columns | None
    n_features_in_: int

    def score_samples(self, X: Any) -> Array:
        """ln p(x) of each row, of its known cells: small for outliers."""
        rows, tree = self.told_rows(X), self.tree()
        return rows.each(lambda block: log_likelihoods(tree, self.network_.tables, self.codes(rows, block)))

    def log_density(self, X: Any) -> Array:
        """ln p(x) of each row, as the other generative models call it."""
        return self.score_samples(X)

    def log_likelihood(self, X: Any, sample_weight: Any = None) -> float:
        """Σ w ln p(x) of the rows."""
        return float(np.sum(self.weighted(X, sample_weight)[0]))

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """The mean of ln p(x), with the weights."""
        logs, weights = self.weighted(X, sample_weight)
        return float(logs.sum() / weights.sum())

    def predict(self, X: Any) -> Array:
        """The rows with their missing cells filled by the levels that are most probable together. The missing cells of a row
        that has probability 0 stay missing."""
        rows, tree = self.told_rows(X), self.tree()

        def filled(block: Block) -> Array:
            codes = self.codes(rows, block)
            found, logs = most_probable_rows(tree, self.network_.tables, codes)
            return np.where(np.isneginf(logs)[:, None], codes, found)[:, : rows.columns]

        found = rows.each(filled)
        impossible = np.asarray((found == UNKNOWN).any(axis=1))
        self.warn_of_impossible(impossible, _("Their missing cells stay missing."))
        return self.decoded(found)

    def predict_proba(self, X: Any, column: Any = None) -> Array:
        """p(column | the other known cells of the row), a column for each level: of the last column if none is named. A row
        that has probability 0 gets the probabilities without evidence."""
        rows, tree = self.told_rows(X), self.tree()
        target = rows.columns - 1 if column is None else self.place_of(column)

        def posterior(block: Block) -> Array:
            return posteriors_of_rows(tree, self.network_.tables, self.codes(rows, block), target)

        found = rows.each(posterior)
        impossible = np.asarray(np.isnan(found).any(axis=1))
        if impossible.any():
            nothing = np.full((1, len(self.network_.graph)), UNKNOWN, dtype=np.int32)
            found[impossible] = posteriors_of_rows(tree, self.network_.tables, nothing, target)
            self.warn_of_impossible(impossible, _("They get the probabilities without evidence."))
        return found

    # ---- small parts -----------------------------------------------------------------------------------------------------

    def told_rows(self, X: Any, sample_weight: Any = None) -> Rows:
        """New rows, with a word about codes that the network does not know."""
        rows = self.new_rows(X, sample_weight)
        warn_of_unseen(rows, np.array(self.network_.sizes[: rows.columns]), 3)
        return rows

    def codes(self, rows: Rows, block: Block) -> Array:
        """The codes of a block, −1 where a cell is missing or holds what the network does not know, and of the hidden nodes."""
        codes = whole_codes(block, rows.names, type(self).__name__)
        sizes = np.array(self.network_.sizes, dtype=np.int64)
        codes = np.where(codes < sizes[: codes.shape[1]], codes, UNKNOWN)
        return with_hidden(codes, len(sizes))

    def weighted(self, X: Any, sample_weight: Any) -> tuple[Array, Array]:
        """w ln p(x) and w of each row that counts."""
        rows, tree = self.told_rows(X, sample_weight), self.tree()

        def both(block: Block) -> Array:
            return np.column_stack([log_likelihoods(tree, self.network_.tables, self.codes(rows, block)), block.weights])

        logs, weights = rows.each(both).T
        refuse_empty_sums(weights.sum(), True, rows)
        return logs[weights > 0] * weights[weights > 0], weights

    def tree(self) -> JunctionTree:
        """The junction tree of the fitted network."""
        check_is_fitted(self)
        return JunctionTree.of(self.network_.graph, self.network_.sizes)

    def place_of(self, column: Any) -> int:
        """The place of a node, by its name or, of a column, by its position."""
        return self.network_.graph.at(column_called(column, self.network_.graph.nodes[: self.n_features_in_]))

    def decoded(self, codes: Array) -> Array:
        """Codes as the cells of a table: words, or numbers."""
        if self.columns_ is None:
            return np.where(codes == UNKNOWN, np.nan, codes)
        cells = np.empty(codes.shape, dtype=object)
        for j, levels in enumerate(self.network_.levels[: codes.shape[1]]):
            words = np.empty(len(levels) + 1, dtype=object)
            words[:-1] = levels  # code −1 is the last
            cells[:, j] = words[codes[:, j]]
        return cells

    def warn_of_impossible(self, impossible: Array, what: str) -> None:
        """Say which rows have probability 0."""
        if count := int(impossible.sum()):
            words = ngettext(
                "{count} row has probability 0 (row {row}). {what} Give a prior.",
                "{count} rows have probability 0 (the first is row {row}). {what} Give a prior.",
                count,
            )
            warnings.warn(words.format(count=count, row=int(np.argmax(impossible)), what=what), UserWarning, stacklevel=3)

    def columns_of_tables(self, network: DiscreteNetwork) -> dict[str, Any]:
        """The attributes of a network that was given: all its nodes are columns."""
        names, levels = network.graph.nodes, network.levels
        named = all(isinstance(name, str) for name in names)
        codes = all(own == tuple(range(len(own))) for own in levels) and not named
        columns = tuple(Column(name, "categorical", own) for name, own in zip(names, levels, strict=True))
        return {
            "network_": network,
            "n_features_in_": len(names),
            "feature_names_in_": np.array(names, dtype=object) if named else None,
            "columns_": None if codes else Columns(columns),
            "sums_": None,
        }

    @property
    def tables_(self) -> dict[Any, Array]:
        """The tables by name: an axis for each parent, in order, the last for the node."""
        return self.by_name(self.network_.tables)

    @property
    def levels_(self) -> dict[Any, tuple[Any, ...]]:
        """The levels by name."""
        return self.by_name(self.network_.levels)

    @property
    def edges_(self) -> tuple[tuple[Any, Any], ...]:
        """The arrows (parent, child)."""
        return self.network_.graph.edges

    def by_name(self, values: Sequence[Any]) -> dict[Any, Any]:
        return dict(zip(self.network_.graph.nodes, values, strict=True))
