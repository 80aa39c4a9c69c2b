"""Columns that carry what was learned from all rows: the target in disguise, and traces of preparation outside of the folds.

    target column      a column determines the target alone (target_columns.py)
    scaled             mean 0 and standard deviation 1 over all rows, or from 0 to 1, to nine digits
    imputed            a value that comes again, and is the mean of all other cells of its column
    projected          columns of mean 0 that are orthogonal, in falling order of their size: principal components
    encoded            every value of a column is the mean of the target over the rows that have it

A scale, a mean or a direction that was learned from all rows knows the test rows. Scaling a scaled column again inside the
folds is the same as scaling the raw one there, since both undo any scale; so the honest score can be measured.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.decomposition import PCA
from aprendiz.evaluation import Leak
from aprendiz.evaluation.leaks.case import Case, with_column, with_mixed_column
from aprendiz.evaluation.leaks.table_columns import TableColumn
from aprendiz.evaluation.leaks.target_columns import columns_that_tell
from aprendiz.locale import _
from aprendiz.preprocessing import MinMaxScaler, SimpleImputer, StandardScaler

FEWEST_ROWS = 20
DIGITS = 1e-9
SEVERAL = 10  # different values of a number that is measured
REPEATED, OTHERS = 3, 0.5  # cells that hold one value, and share of the others that are all different
NAMED = 5  # columns that a sentence names


def target_columns(case: Case) -> Iterator[Leak]:
    """Columns that determine the target; without its order, a column says nothing more."""
    order = np.random.default_rng(0).permutation(len(case.y))
    for name, reason in columns_that_tell(case.columns, case.y, case.found.task).items():
        place = next(j for j, column in enumerate(case.columns) if column.name == name)
        yield case.leak(
            "target-column",
            _("Column {name} determines the target: {reason}.").format(name=repr(name), reason=reason),
            _("Leave it out unless it is known before the target is."),
            X=with_mixed_column(case.X, place, order),
        )


def scaled_columns(case: Case) -> Iterator[Leak]:
    """Columns that were standardised, or brought to the range from 0 to 1, over all rows."""
    measured = [one for one in measured_columns(case) if one.known.all()]
    standard = [one for one in measured if is_standardised(one.values)]
    remedy = _("Put the scaling in a pipeline with the learner, so that it is fitted to the training rows of each fold.")
    if standard and not are_orthogonal(measured):
        what = _("Mean 0 and standard deviation 1 over all rows, test rows among them: {names}.")
        changed = {"learner": case.behind(StandardScaler())} if case.numbers_only else {}
        yield case.leak("scaled-outside", what.format(names=listed(standard)), remedy, **changed)
    ranged = [one for one in measured if one.values.min() == 0.0 and one.values.max() == 1.0 and not one.whole]
    if len(ranged) >= 2 and 2 * len(ranged) >= len(measured):
        what = _("From 0 to 1 over all rows, test rows among them: {names}.")
        changed = {"learner": case.behind(MinMaxScaler())} if case.numbers_only else {}
        yield case.leak("scaled-outside", what.format(names=listed(ranged)), remedy, **changed)


def imputed_columns(case: Case) -> Iterator[Leak]:
    """Columns whose missing cells were filled with the mean of all rows."""
    for place, column in enumerate(case.columns):
        if column.kind != "number" or len(column.values) < FEWEST_ROWS or (filled := filled_cells(column)) is None:
            continue
        what = _("Column {name} holds the mean of its other cells {times} times: it was imputed from all rows.")
        values = column.values.copy()
        values[filled] = np.nan
        changed: dict[str, Any] = {}
        if case.numbers_only:
            changed = {"learner": case.behind(SimpleImputer()), "X": with_column(case.X, place, values)}
        yield case.leak(
            "imputed-outside",
            what.format(name=repr(column.name), times=int(filled.sum())),
            _("Leave the cells missing, and put SimpleImputer in a pipeline with the learner."),
            **changed,
        )


def projected_columns(case: Case) -> Iterator[Leak]:
    """Columns that are the principal components of all rows."""
    measured = [one for one in measured_columns(case) if one.known.all()]
    if case.numbers_only and len(measured) == len(case.columns) and are_orthogonal(measured):
        yield case.leak(
            "projected-outside",
            _("The {count} columns are orthogonal with mean 0: principal components of all rows, test rows among them.").format(
                count=len(measured)
            ),
            _("Put PCA in a pipeline with the learner, so that it is fitted to the training rows of each fold."),
            learner=case.behind(PCA()),
        )


def encoded_columns(case: Case) -> Iterator[Leak]:
    """Columns whose values are the means of the target over the rows that have them. What the levels were cannot be told from
    them, so the honest score is that without the column."""
    order = np.random.default_rng(0).permutation(len(case.y))
    targets = numbers_of_target(case)
    if targets is None or len(targets) < FEWEST_ROWS:
        return
    for place, column in enumerate(case.columns):
        if column.kind != "number" or not column.known.all() or not holds_means(column, targets):
            continue
        yield case.leak(
            "encoded-outside",
            _("Each value of column {name} is the mean target of its rows: it was encoded by the target of all rows.").format(
                name=repr(column.name)
            ),
            _("Put the encoder in a pipeline with the learner, so that it is fitted to the training rows of each fold."),
            X=with_mixed_column(case.X, place, order),
        )


# ---- traces ------------------------------------------------------------------------------------------------------------


def measured_columns(case: Case) -> list[TableColumn]:
    """Numbers with several values, in tables that are not tiny."""
    columns = [column for column in case.columns if column.kind == "number" and column.distinct >= SEVERAL]
    return columns if len(case.y) >= FEWEST_ROWS else []


def is_standardised(x: Array) -> bool:
    """Mean 0, and variance 1 by either denominator."""
    n, variance = len(x), float(x.var())
    near = min(abs(variance - 1.0), abs(variance * n / (n - 1) - 1.0))
    return bool(abs(x.mean()) <= DIGITS and near <= DIGITS)


def are_orthogonal(columns: Sequence[TableColumn]) -> bool:
    """Several columns of mean 0 without correlation, the largest first."""
    if len(columns) < 2 or len(columns) >= len(columns[0].values):
        return False
    X = np.column_stack([column.values for column in columns])
    sizes = np.linalg.norm(X, axis=0)
    cosines = X.T @ X / np.outer(sizes, sizes)
    centred = np.abs(X.mean(axis=0)) <= DIGITS * sizes
    falling = np.diff(sizes) <= DIGITS * sizes[:-1]
    return bool(centred.all() and falling.all() and np.abs(cosines - np.eye(len(sizes))).max() <= DIGITS)


def filled_cells(column: TableColumn) -> Array | None:
    """The cells that hold the mean of all others; None if that is no sign of imputation."""
    x = column.values
    known = x[~np.isnan(x)]
    values, counts = np.unique(known, return_counts=True)
    often = int(counts.argmax())
    others = known[known != values[often]]
    if counts[often] < REPEATED or len(values) - 1 < OTHERS * len(others) or len(others) < FEWEST_ROWS / 2:
        return None
    return x == values[often] if abs(others.mean() - values[often]) <= DIGITS * others.std() else None


def numbers_of_target(case: Case) -> Array | None:
    """A quantity, or whether a row is of the second of two classes."""
    if case.found.task == "regression":
        return case.y
    classes = np.unique(case.y)
    return (case.y == classes[-1]).astype(np.float64) if len(classes) == 2 else None


def holds_means(column: TableColumn, targets: Array) -> bool:
    """Is every value, of few, the mean target of its rows?"""
    counts = np.bincount(column.codes)
    if len(counts) < 2 or counts.min() < 2:
        return False
    means = np.bincount(column.codes, targets) / counts
    values = np.unique(column.values)
    return bool(np.abs(means - values).max() <= DIGITS * max(float(np.abs(values).max()), targets.std()))


def listed(columns: Sequence[TableColumn]) -> str:
    """Some names."""
    names = [repr(column.name) for column in columns]
    return ", ".join(names[:NAMED]) + (", …" if len(names) > NAMED else "")
