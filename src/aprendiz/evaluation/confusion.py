"""Confusion table: how often each class was taken for each other.

N_kl is the number of rows (or their weight) of class k that were called l: truth in rows, prediction in columns. With
n = Σ N, r = shares of the rows by truth and c = by prediction,

    accuracy a = Σ_k N_kk / n,     error = 1 − a                                                                   (1)
    balanced accuracy = mean of the recalls of the classes that occur                                              (2)
    κ = (a − r·c) / (1 − r·c)                       agreement beyond that of independent answers                   (3)
    Matthews = (a − r·c) / √((1 − r·r)(1 − c·c))    the correlation of truth and prediction                        (4)
    mean loss = Σ_kl L_kl N_kl / n                  for a loss L_kl of calling l what is k                         (5)

The ratios of a single class are in outcomes.py. Tables add: the table of all folds is the sum of their tables.

A ratio without cases, 0/0, is NaN and never a silent 0; an average over classes of which one has no ratio is NaN too.

Cost: one pass over the rows, O(n log K) time, O(K²) memory.
References: Cohen, Educational and Psychological Measurement 20, 1960 (κ); Gorodkin, Computational Biology and Chemistry
28, 2004 (Matthews for K classes).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Self

import numpy as np

from aprendiz.core.pictures import Picture, display
from aprendiz.core.rows import Array
from aprendiz.core.sums import Counts
from aprendiz.core.targets import plain
from aprendiz.evaluation import Outcomes
from aprendiz.evaluation.inputs.labels_and_numbers import (
    class_labels,
    list_labels,
    refuse_unlisted,
    row_weights,
    same_kind,
    same_rows,
)
from aprendiz.evaluation.measures.ratio import ratio
from aprendiz.evaluation.words.tables import align, amount, format_ratio, frame, short

RATIOS = ("recall", "specificity", "precision", "false_positive_rate", "f1")
Whole = Literal["true", "pred", "all"]


def confusion(y_true: Any, y_pred: Any, *, labels: Any = None, sample_weight: Any = None) -> ConfusionTable:
    """Confusion matrix: count the rows of each true class by predicted class.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_rows,)
        True and predicted labels: text, whole numbers or booleans.
    labels : array-like, optional
        All classes, in the order of the table. By default those that occur or are predicted, sorted.
    sample_weight : array-like of shape (n_rows,), optional
        Weights count rows: 2 is the row twice, 0 is the row left out.

    Examples
    --------
    >>> table = confusion(["ill", "ill", "well", "well"], ["ill", "well", "well", "well"])
    >>> table.accuracy, table.binary(positive="ill").precision
    (0.75, 1.0)
    """
    truth, prediction = class_labels("y_true", y_true), class_labels("y_pred", y_pred)
    same_rows("y_true", truth, "y_pred", prediction)
    same_kind("y_true", truth, "y_pred", prediction)
    weight = row_weights(sample_weight, len(truth))
    known = None if labels is None else all_classes(labels, truth, prediction)
    if weight is not None:
        counts = weight > 0
        truth, prediction, weight = truth[counts], prediction[counts], weight[counts]
    if known is None:
        known = np.union1d(truth, prediction)
    codes = label_positions(truth, known), label_positions(prediction, known)
    return ConfusionTable(Counts.cross((len(known), len(known)), *codes, weight=weight).table, known)


def all_classes(labels: Any, truth: Array, prediction: Array) -> Array:
    """The classes in the wanted order, after a look that none is missing."""
    known = class_labels("labels", labels)
    values, times = np.unique(known, return_counts=True)
    if (times > 1).any():
        raise ValueError(f"labels holds {plain(values[times > 1][0])!r} more than once: list each class once.")
    for name, y in (("y_true", truth), ("y_pred", prediction)):
        same_kind(name, y, "labels", known)
        refuse_unlisted(name, y, known)
    return known


def label_positions(y: Array, labels: Array) -> Array:
    """For each row the place of its label among the labels."""
    order = np.argsort(labels)
    return order[np.searchsorted(labels, y, sorter=order)]


@dataclass(frozen=True)
class ConfusionTable(Counts):
    """Confusion matrix: rows by true class and predicted class, and the ratios that follow.

    Tables add (`a + b`): the same labels, in the same order, stay; others are united and sorted. Tables of whole rows
    also subtract. A ratio without cases (0/0) is NaN, never a silent 0. Ratios of classes are arrays in the order of
    `labels`; `binary(positive)` gives those of one class as numbers.

    Attributes
    ----------
    table : ndarray of shape (n_classes, n_classes)
        N of the header: truth in rows, prediction in columns; whole numbers unless rows have weights.
    labels : ndarray of shape (n_classes,)
        The classes, in the order of rows and columns.
    """

    labels: Array

    # ---- sums of tables ----------------------------------------------------------------------------------------------

    def __add__(self, other: Self) -> Self:
        labels = self.unite_labels(other)
        return type(self)(self.spread(labels) + other.spread(labels), labels)

    def __sub__(self, other: Self) -> Self:
        """The table of the other rows, where `other` is the table of some of them."""
        labels = self.unite_labels(other)
        rest = (Counts(self.spread(labels)) - Counts(other.spread(labels))).table
        if (rest < 0).any():
            k, l = np.argwhere(rest < 0)[0]
            cell = f"truth {plain(labels[k])!r}, prediction {plain(labels[l])!r}"
            raise ValueError(f"The second table has more rows than the first ({cell}): subtract the table of a part.")
        return type(self)(rest, labels)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ConfusionTable):
            return NotImplemented
        return np.array_equal(self.labels, other.labels) and np.array_equal(self.table, other.table)

    def unite_labels(self, other: Self) -> Array:
        """The labels of both tables."""
        same_kind("one table", self.labels, "the other", other.labels)
        if np.array_equal(self.labels, other.labels):
            return self.labels
        return np.union1d(self.labels, other.labels)

    def spread(self, labels: Array) -> Array:
        """The same counts among more labels."""
        table = np.zeros((len(labels), len(labels)), dtype=self.table.dtype)
        place = label_positions(self.labels, labels)
        table[np.ix_(place, place)] = self.table
        return table

    # ---- all classes together ----------------------------------------------------------------------------------------

    @property
    def total(self) -> Any:
        """Rows, or their weight."""
        return plain(self.table.sum())

    @property
    def accuracy(self) -> float:
        """a of (1): the share of rows that were classified correctly."""
        return float(ratio(np.trace(self.table), self.total))

    @property
    def error(self) -> float:
        """1 − a of (1)."""
        return float(ratio(self.total - np.trace(self.table), self.total))

    @property
    def balanced_accuracy(self) -> float:
        """(2)."""
        occurs = self.support > 0
        return float(self.recall[occurs].mean()) if occurs.any() else float("nan")

    @property
    def kappa(self) -> float:
        """(3); NaN if truth and prediction are one and the same class throughout."""
        r, c = self.shares()
        differ = np.count_nonzero(self.table) > 1  # rounding may leave something of 1 − 1
        return float(ratio(self.accuracy - r @ c, 1.0 - r @ c)) if differ or self.error == 1 else float("nan")

    @property
    def matthews(self) -> float:
        """(4); NaN if only one class occurs or only one is predicted."""
        r, c = self.shares()
        if min(np.count_nonzero(r), np.count_nonzero(c)) < 2:
            return float("nan")
        return float((self.accuracy - r @ c) / np.sqrt((1.0 - r @ r) * (1.0 - c @ c)))

    def shares(self) -> tuple[Array, Array]:
        """r and c of the header."""
        return ratio(self.marginal(0), self.total), ratio(self.marginal(1), self.total)

    def cost(self, loss: Any) -> float:
        """The mean loss (5). `loss[k, l]` is the loss of predicting l for class k, in the order of `labels`."""
        L = np.asarray(loss, dtype=np.float64)
        if L.shape != self.table.shape:
            raise ValueError(
                f"loss has shape {L.shape}, the table {self.table.shape}: "
                f"give one row and one column for each of {list_labels(self.labels)}."
            )
        if not np.isfinite(L).all():
            k, l = np.argwhere(~np.isfinite(L))[0]
            raise ValueError(f"loss holds {L[k, l]} in row {k}, column {l}: give a finite number.")
        return float(ratio((L * self.table).sum(), self.total))

    def normalised(self, whole: Whole) -> Array:
        """Shares instead of counts: of each row ("true"), of each column ("pred") or of all rows ("all")."""
        if whole not in ("true", "pred", "all"):
            raise ValueError(f'normalised({whole!r}): choose "true" (rows), "pred" (columns) or "all".')
        sums = {"true": self.marginal(0)[:, None], "pred": self.marginal(1)[None, :], "all": self.total}[whole]
        return np.asarray(ratio(self.table, sums))

    # ---- class by class ----------------------------------------------------------------------------------------------

    @property
    def outcomes(self) -> Outcomes:
        """Each class against the rest."""
        right = np.diagonal(self.table)
        wrong = self.table - np.diag(right)
        missed, called = wrong.sum(axis=1), wrong.sum(axis=0)
        return Outcomes(right, called, missed, np.maximum(self.total - right - missed - called, 0))

    def binary(self, positive: Any = None) -> Outcomes:
        """One class against the rest, as numbers. By default, of two classes the one whose label is sorted last."""
        if positive is None:
            if len(self.labels) != 2:
                raise ValueError(
                    f"There are {len(self.labels)} classes: say which is positive, one of {list_labels(self.labels)}."
                )
            positive = np.sort(self.labels)[1]
        place = np.flatnonzero(self.labels == positive)
        if len(place) == 0:
            raise ValueError(
                f"positive = {plain(positive)!r} is not among the classes: choose one of {list_labels(self.labels)}."
            )
        cells = vars(self.outcomes)
        return Outcomes(**{name: plain(values[place[0]]) for name, values in cells.items()})

    @property
    def support(self) -> Array:
        """Rows of each class, or their weight."""
        return self.marginal(0)

    @property
    def recall(self) -> Array:
        """Of the rows of each class, the share predicted as such (sensitivity, true positive rate)."""
        return self.outcomes.recall

    @property
    def sensitivity(self) -> Array:
        """Recall by its other name."""
        return self.outcomes.recall

    @property
    def specificity(self) -> Array:
        """Of the rows of other classes, the share not predicted as this class (true negative rate)."""
        return self.outcomes.specificity

    @property
    def false_positive_rate(self) -> Array:
        """Of the rows of other classes, the share predicted as this class."""
        return self.outcomes.false_positive_rate

    @property
    def precision(self) -> Array:
        """Of the rows predicted as each class, the share that belongs to it."""
        return self.outcomes.precision

    @property
    def f1(self) -> Array:
        """Harmonic mean of recall and precision."""
        return self.outcomes.f1

    def f(self, beta: float) -> Array:
        """The same with recall weighing β² times as much."""
        return self.outcomes.f(beta)

    # ---- averages ----------------------------------------------------------------------------------------------------

    def macro(self, name: str) -> float:
        """The mean of a ratio over the classes; NaN if a class has no such ratio."""
        return float(np.mean(self.of_classes(name)))

    def weighted(self, name: str) -> float:
        """The same, weighted by the rows of each class; NaN if a class that occurs has no such ratio."""
        occurs = self.support > 0
        return float(ratio(self.of_classes(name)[occurs] @ self.support[occurs], self.total))

    def micro(self, name: str) -> float:
        """The ratio of the outcomes of all classes put together; recall, precision and F1 are then the accuracy."""
        self.of_classes(name)
        pooled = Outcomes(**{field: values.sum() for field, values in vars(self.outcomes).items()})
        return float(getattr(pooled, name))

    def of_classes(self, name: str) -> Array:
        """A ratio of each class, by its name."""
        if name not in RATIOS:
            raise ValueError(f"There is no ratio {name!r}: choose one of {', '.join(RATIOS)}.")
        return np.asarray(getattr(self.outcomes, name))

    # ---- to look at --------------------------------------------------------------------------------------------------

    def frame(self) -> Any:
        """The counts as a pandas frame: truth in rows, prediction in columns."""
        columns = {plain(label): self.table[:, k] for k, label in enumerate(self.labels)}
        return frame(columns, [plain(label) for label in self.labels], "truth").rename_axis(columns="prediction")

    def ratios(self) -> Any:
        """Rows and ratios of each class as a pandas frame."""
        columns = {"rows": self.support, **{name: self.of_classes(name) for name in RATIOS}}
        return frame(columns, [plain(label) for label in self.labels], "class")

    def __str__(self) -> str:
        names = [short(label) for label in self.labels]
        counts = [["truth \\ prediction", *names]]
        counts += [[name, *map(amount, row)] for name, row in zip(names, self.table, strict=True)]
        whole = {"accuracy": self.accuracy, "error": self.error, "balanced accuracy": self.balanced_accuracy}
        whole |= {"kappa": self.kappa, "Matthews": self.matthews}
        line = ", ".join(f"{name} {format_ratio(value)}" for name, value in whole.items())
        return f"{align(counts)}\n\n{align(self.ratio_rows(names))}\n\n{line}"

    def ratio_rows(self, names: list[str]) -> list[list[str]]:
        """The lower half of the text: classes and their averages in rows, ratios in columns."""
        shown = {"recall": "recall", "specificity": "specificity", "precision": "precision", "f1": "F1"}
        classes = zip(names, self.support, *map(self.of_classes, shown), strict=True)
        return [
            ["class", "rows", *shown.values()],
            *([name, amount(rows), *map(format_ratio, values)] for name, rows, *values in classes),
            ["macro average", amount(self.total), *(format_ratio(self.macro(name)) for name in shown)],
            ["weighted average", amount(self.total), *(format_ratio(self.weighted(name)) for name in shown)],
        ]

    def plot(self, ax: Any = None, *, whole: Whole = "true") -> Picture:
        """The table as a picture, a `ConfusionDisplay`; `whole` as in `normalised`. Needs matplotlib."""
        return display("ConfusionDisplay")(self).plot(ax, whole=whole)
