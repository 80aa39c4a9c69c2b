"""What is told after a prediction: levels that training has not seen, and how good the predictions are, where the table knows
the target. All of it adds, block by block; the coverage is checked in the first block that knows the target.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from aprendiz.bayes.bayes_decision_classifier import BayesDecisionClassifier
from aprendiz.cli.intervals import coverage_words
from aprendiz.core.rows import Array
from aprendiz.evaluation.measures.answers import Answers
from aprendiz.evaluation.metrics import METRICS
from aprendiz.evaluation.words.measures import measure_in_words, score_in_words
from aprendiz.lab.card import shorten
from aprendiz.lab.columns.lists import strange_items
from aprendiz.lab.levels import UNKNOWN, level_codes
from aprendiz.lab.model import TableModel
from aprendiz.lab.reading import Table
from aprendiz.lab.series import label_of
from aprendiz.locale import _, format_whole, ngettext


class PredictionChecks:
    """Sums over the blocks of a table.

    Parameters
    ----------
    model : TableModel
    coverage : float, optional
        Of intervals or sets that are checked.
    """

    def __init__(self, model: TableModel, coverage: float | None):
        self.model, self.coverage = model, coverage
        self.rows = self.known = self.decided = self.rejected = 0
        self.strange = dict[str, tuple[int, str]]()  # cells of unknown levels in each column, and the first of them
        self.total = self.cost = 0.0  # of the measure and of the costs
        self.measure = "accuracy" if model.task == "classification" else "mae"
        self.covered = list[str]()
        self.table: Table | None = None

    def add(self, table: Table, columns: dict[str, Any]) -> None:
        """A block, and the columns that were added to it."""
        self.table = table
        self.look_for_strangers(table)
        if self.coverage is not None and not self.covered:
            self.covered = list(coverage_words(self.model, table, self.coverage))
        self.rows += table.rows
        if self.model.target in table.frame.columns:
            truth = table.frame[self.model.target]
            known = truth.notna().to_numpy()
            if known.any():
                self.compare(truth[known], next(iter(columns.values()))[known])

    def look_for_strangers(self, table: Table) -> None:
        """Cells that hold what the model has not met in their columns."""
        for column in self.model.columns:
            if column.kind in ("numeric", "text", "date", "place", "latitude", "longitude"):
                continue
            if column.kind == "list":
                found, first = strange_items(table.frame[column.name], column)
            else:
                places = np.flatnonzero(level_codes(table.frame, column) == UNKNOWN)
                found, first = len(places), str(table.frame[column.name].iloc[int(places[0])]) if len(places) else ""
            if found:
                count, example = self.strange.get(column.name, (0, first))
                self.strange[column.name] = count + found, example

    def compare(self, truth: Any, prediction: Array) -> None:
        """Add the measure of some rows, and what the decisions cost."""
        if isinstance(self.model.model, BayesDecisionClassifier):
            self.add_costs(self.model.model, truth, prediction)
        if self.measure == "accuracy":
            right: Any = np.array([label_of(value) for value in truth])
        elif truth.dtype.kind in "fiu":
            right = truth.to_numpy(float)
        else:
            return
        self.known += len(right)
        self.total += METRICS[self.measure].of(Answers(right, prediction)) * len(right)

    def add_costs(self, model: BayesDecisionClassifier, truth: Any, prediction: Array) -> None:
        """Costs of decisions, and rejected rows."""
        labels, rule = [str(label) for label in model.classes_], model.rule()
        table = 1.0 - np.eye(len(labels)) if rule.loss is None else rule.loss
        for true, said in ((label_of(true), str(said)) for true, said in zip(truth, prediction, strict=True)):
            self.rejected += said not in labels
            if true in labels:
                self.decided += 1
                self.cost += rule.reject_cost if said not in labels else table[labels.index(true), labels.index(said)]

    # ---- in words ------------------------------------------------------------------------------------------------------

    def sentences(self) -> Iterator[str]:
        """What was found."""
        for name, (count, example) in self.strange.items():
            in_words = strange_items_in_words if self.model.columns[name].kind == "list" else strange_levels_in_words
            yield in_words(count).format(name=repr(name), count=format_whole(count), example=repr(shorten(example, 40)))
        if self.decided or self.rejected:
            words = ngettext(
                "mean cost {cost}; {count} row was rejected", "mean cost {cost}; {count} rows were rejected", self.rejected
            )
            cost = score_in_words(self.cost / self.decided, "mean_cost") if self.decided else "–"
            yield words.format(cost=cost, count=format_whole(self.rejected))
        if self.known:
            yield ngettext(
                "the target is known in {rows} row: {measure} {value}",
                "the target is known in {rows} rows: {measure} {value}",
                self.known,
            ).format(
                rows=format_whole(self.known),
                measure=measure_in_words(self.measure),
                value=score_in_words(self.total / self.known, self.measure),
            )
            if self.table is not None and self.table.fingerprint == self.model.facts.get("fingerprint"):
                yield _("these are the training rows of the model: on new rows it will do worse")
        yield from self.covered


def strange_levels_in_words(count: int) -> str:
    """Cells of unknown levels."""
    return ngettext(
        "column {name}: {count} cell holds a level not seen in training, {example}",
        "column {name}: {count} cells hold levels not seen in training, such as {example}",
        count,
    )


def strange_items_in_words(count: int) -> str:
    """Lists with unknown items."""
    return ngettext(
        "column {name}: {count} list has an item not seen in training, {example}",
        "column {name}: {count} lists have items not seen in training, such as {example}",
        count,
    )
