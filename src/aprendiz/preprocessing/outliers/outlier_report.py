"""Which rows are outliers, and why: the record that `OutlierFilter` keeps and prints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.short_repr import ShortRepr
from aprendiz.core.sums import Sums
from aprendiz.locale import _, format_whole, ngettext, number, percent

LISTED = 10  # rows that are named


@dataclass(frozen=True, eq=False, repr=False)
class OutlierReport(ShortRepr):
    """The outliers among some rows; printed, which they are and why.

    Attributes
    ----------
    method, threshold
        What decided: see `OutlierFilter`.
    rows : ndarray of int
        The numbers of the outliers, in order.
    columns : ndarray of int
        The column of the farthest cell of each; −1 where all columns decide together.
    cells : ndarray
        That cell; NaN where all columns decide together.
    scores : ndarray
        How far it is: standard deviations from the mean, interquartile ranges from their middle, d² or ln p(x).
    count : int
        How many rows were looked at. Those of weight 0 are not.
    limit : float
        Of d² or ln p(x), where all columns decide together; else NaN.
    names : tuple of str or None
        Of the columns.
    """

    method: str
    threshold: float
    rows: Array
    columns: Array
    cells: Array
    scores: Array
    count: int
    limit: float = float("nan")
    names: tuple[str, ...] | None = None

    def __len__(self) -> int:
        return len(self.rows)

    def mask(self, rows: int | None = None) -> Array:
        """Whether each row is an outlier, for a table of so many rows (as many as were looked at, if none is said)."""
        found = np.zeros(self.count if rows is None else rows, bool)
        found[self.rows] = True
        return found

    def __str__(self) -> str:
        rule, count = self.rule(), format_whole(self.count)
        if not len(self):
            return _("None of {rows} rows is an outlier ({rule}).").format(rows=count, rule=rule)
        head = ngettext(
            "{found} of {rows} rows is an outlier ({rule}):", "{found} of {rows} rows are outliers ({rule}):", len(self)
        ).format(found=format_whole(len(self)), rows=count, rule=rule)
        far = np.argsort(self.scores if self.method == "density" else -self.scores, kind="stable")[:LISTED]
        lines = [head, *(f"  {self.reason(int(k))}" for k in far)]
        if len(self) > LISTED:
            lines.append(_("  … and {more} more").format(more=format_whole(len(self) - LISTED)))
        return "\n".join(lines)

    def rule(self) -> str:
        """What decided, in words."""
        limits = {"threshold": number(self.threshold), "limit": number(self.limit, 5)}
        if self.method == "z":
            return _("more than {threshold} standard deviations from the mean").format(**limits)
        if self.method == "robust z":
            return _("more than {threshold} robust standard deviations from the median").format(**limits)
        if self.method == "iqr":
            return _("more than {threshold} interquartile ranges beyond the quartiles").format(**limits)
        if self.method == "density":
            return _("ln p(x) below {limit}, which {share} of the rows of the fit have").format(
                limit=limits["limit"], share=percent(self.threshold)
            )
        return _("squared Mahalanobis distance above {limit}, for χ² of probability {threshold}").format(**limits)

    def reason(self, k: int) -> str:
        """One row, and why."""
        row, score = format_whole(int(self.rows[k])), number(float(self.scores[k]))
        if self.columns[k] < 0:
            words = _("row {row}: ln p(x) = {score}") if self.method == "density" else _("row {row}: squared distance {score}")
            return words.format(row=row, score=score)
        column = int(self.columns[k])
        name: Any = column if self.names is None else repr(self.names[column])
        words = {
            "z": _("row {row}, column {name}: {cell}, {score} standard deviations from the mean"),
            "robust z": _("row {row}, column {name}: {cell}, {score} robust standard deviations from the median"),
            "iqr": _("row {row}, column {name}: {cell}, {score} interquartile ranges from their middle"),
        }[self.method]
        return words.format(row=row, name=name, cell=number(float(self.cells[k])), score=score)


@dataclass(frozen=True)
class FoundRows(Sums):
    """The outliers of some rows, one after the other, and how many rows count."""

    found: Array  # number of the row, column, cell, score
    count: int

    @classmethod
    def of(cls, rule: Any, block: Block) -> FoundRows:
        counted = block.weights > 0
        chosen = np.flatnonzero(rule.outlying(block.X) & counted)
        some = block.X[chosen]
        columns = rule.worst_columns(some)
        cells = np.where(columns < 0, np.nan, some[np.arange(len(some)), np.maximum(columns, 0)].astype(np.float64))
        found = np.column_stack([block.start + chosen, columns, cells, rule.scores(some)]) if len(some) else np.empty((0, 4))
        return cls(found.reshape(-1, 4), int(counted.sum()))

    def __add__(self, other: FoundRows) -> FoundRows:
        return FoundRows(np.vstack([self.found, other.found]), self.count + other.count)


def report_rows(rule: Any, rows: Rows, method: str, threshold: float) -> OutlierReport:
    """The outliers among all rows, in one pass."""
    sums = rows.sum(FoundRows.of, rule)
    number_of_row, columns, cells, scores = sums.found.T
    return OutlierReport(
        method,
        threshold,
        number_of_row.astype(np.int64),
        columns.astype(np.int64),
        cells,
        scores,
        sums.count,
        float(getattr(rule, "limit", np.nan)),
        None if rows.names is None else tuple(map(str, rows.names)),
    )
