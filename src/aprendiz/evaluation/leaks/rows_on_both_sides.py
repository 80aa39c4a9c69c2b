"""Rows that are on both sides of a split: equal ones, and those of one group.

A test row that also taught tells how well a learner remembers. Equal rows are no accident where a column has nearly as many
values as there are different rows; in tables of few values they are. The honest score keeps equal rows, or a group, on one
side.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy import sparse

from aprendiz.core.rows import Array
from aprendiz.evaluation import Leak
from aprendiz.evaluation.leaks.case import Case
from aprendiz.evaluation.leaks.group_columns import find_groups
from aprendiz.locale import _, percent

FEWEST, SHARE = 3, 0.01  # test rows with a twin in the training rows, and their share, from which on they are told
MANY_VALUES = 0.5  # of the different rows: a column with so many different values makes equal rows improbable
ENTRIES = 5  # of a sparse row that make equal rows improbable


def equal_rows(case: Case) -> Iterator[Leak]:
    """Rows that stand in the table several times, and on both sides."""
    codes = row_codes(case)
    if codes is None or case.groups is not None:
        return
    both = rows_known_on_both_sides(case, codes)
    if both.sum() < FEWEST or both.mean() < SHARE:
        return
    yield case.leak(
        "duplicate-rows",
        _("{share} of the test rows also stand, cell by cell, among the training rows of their fold.").format(
            share=percent(float(both.mean()))
        ),
        _("Remove the copies, or pass groups that keep equal rows on one side."),
        groups=codes,
    )


def split_groups(case: Case) -> Iterator[Leak]:
    """Groups that the user named and the protocol splits; or a column that clearly groups the rows, its copies left out."""
    remedy = _("Pass the groups (groups=…) and use a protocol that keeps each on one side.")
    if case.groups is not None:
        codes = np.unique(case.groups, return_inverse=True)[1]
        both = rows_known_on_both_sides(case, codes)
        if both.any():
            what = _("{share} of the test rows are of a group that is also among their training rows.")
            yield case.leak("group-on-both-sides", what.format(share=percent(float(both.mean()))), remedy)
        return
    copies = row_codes(case)
    rows = np.arange(len(case.y)) if copies is None else np.unique(copies, return_index=True)[1]
    found = find_groups([one.at(rows) for one in case.columns], case.y[rows], case.found.task)
    if found is None or not found.clear:
        return
    column = next(one for one in case.columns if one.name == found.name)
    codes = np.where(column.known, column.codes, column.codes.max() + 1 + np.arange(len(column.codes)))
    what = _("Column {name} groups the rows ({groups} groups), and groups are on both sides of the splits.")
    yield case.leak(
        "group-on-both-sides", what.format(name=repr(found.name), groups=found.groups), remedy, groups=codes.astype(np.int64)
    )


def rows_known_on_both_sides(case: Case, codes: Array) -> Array:
    """Of all tested rows, fold after fold: is their code among those of the training rows?"""
    return np.concatenate([np.isin(codes[test], codes[train]) for train, test in case.splits])


def row_codes(case: Case) -> Array | None:
    """Numbers that are equal where rows are; None where equal rows are probable."""
    if sparse.issparse(case.X):
        return codes_of_sparse_rows(case.X)
    if not case.columns:
        return None
    cells = np.column_stack([column.values for column in case.columns]).astype(np.float64) + 0.0  # −0 is 0
    cells[np.isnan(cells)] = np.nan  # one NaN for all
    lines = np.ascontiguousarray(cells).view(np.dtype((np.void, cells.itemsize * cells.shape[1]))).ravel()
    codes = np.unique(lines, return_inverse=True)[1]
    most = max((column.distinct for column in case.columns if column.kind == "number"), default=0)
    return codes if most >= MANY_VALUES * (codes.max() + 1) else None


def codes_of_sparse_rows(X: Any) -> Array | None:
    """The same for a sparse matrix."""
    by_rows = sparse.csr_array(X, copy=True)
    by_rows.sum_duplicates()
    if by_rows.nnz < ENTRIES * by_rows.shape[0]:
        return None
    ends, known = by_rows.indptr, dict[bytes, int]()
    parts = (slice(ends[i], ends[i + 1]) for i in range(by_rows.shape[0]))
    keys = (by_rows.indices[part].tobytes() + by_rows.data[part].tobytes() for part in parts)
    return np.array([known.setdefault(key, len(known)) for key in keys])
