"""What the columns of a table do to measures of importance, in sentences.

    two columns with |r| > 0.7     each can stand in for the other: a forest that lacks one asks the other, so the importance
                                   of each is too small; and permuting one alone makes rows that cannot be, so that of a
                                   column that matters through the other alone is too large
    words with many levels         there are many ways to divide them, so the search prefers them, and the decrease of
                                   the impurity overstates them

r is the correlation of the cells (numbers, or levels in an order), missing cells as their mean.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from aprendiz.core.columns import Mixed
from aprendiz.core.rows import Array
from aprendiz.locale import _, format_whole, ngettext, number
from aprendiz.tree.shared.descent import cells_of

CLOSE = 0.7  # |r| from which columns stand in for each other
MANY_LEVELS = 10  # levels
MOST_COMPARED = 500  # columns that are compared with each other: the most important ones
ROWS = 20_000  # from which r is taken
PAIRS = 10  # that are named


def findings(X: Any, names: list[Any], groups: Array, mean: Array, conditional: bool) -> tuple[str, ...]:
    """Sentences about the columns that are in groups."""
    return (*(() if conditional else close_columns(X, names, groups, mean)), *many_levels(X, names, groups))


def close_columns(X: Any, names: list[Any], groups: Array, mean: Array) -> Iterator[str]:
    """Pairs of columns that stand in for each other and are not permuted together, the closest first."""
    largest = (groups * np.maximum(mean, 0.0)[:, None]).max(axis=0)
    chosen = [j for j in np.argsort(-largest, kind="stable") if groups[:, j].any() and in_order(X, j)][:MOST_COMPARED]
    seen = np.array(sorted(chosen), np.int64)
    together = groups[:, seen].T.astype(np.int64) @ groups[:, seen]
    r = np.where(together > 0, 0.0, correlations(X, seen))
    pairs = np.argwhere(np.triu(np.abs(r) > CLOSE, 1))
    pairs = pairs[np.argsort(-np.abs(r[tuple(pairs.T)]), kind="stable")]
    if not len(pairs):
        return
    named = [
        _("{first} and {second} (r = {r})").format(
            first=repr(names[seen[a]]), second=repr(names[seen[b]]), r=number(float(r[a, b]), 2)
        )
        for a, b in pairs[:PAIRS]
    ]
    if more := len(pairs[PAIRS:]):
        named.append(ngettext("{count} more pair", "{count} more pairs", more).format(count=format_whole(more)))
    words = _(
        "Correlated columns: {pairs}. Each can replace the other, so the importance of each alone may be too small, or too "
        "large if it matters only through the other. Permute them together (groups), or within similar rows (conditional=True)."
    )
    yield words.format(pairs=", ".join(named))


def many_levels(X: Any, names: list[Any], groups: Array) -> Iterator[str]:
    """Columns of words with many levels."""
    for j, column in enumerate(X.columns.columns if isinstance(X, Mixed) else ()):
        if column.kind == "categorical" and len(column.levels) > MANY_LEVELS and groups[:, j].any():
            words = _(
                "{column} has {count} levels: the search favours columns with many possible splits, so the mean decrease in "
                "impurity (feature_importances_) overstates its importance, and permutation importance may too."
            )
            yield words.format(column=repr(names[j]), count=format_whole(len(column.levels)))


def in_order(X: Any, j: int) -> bool:
    """Are the cells numbers, or levels in an order?"""
    return not isinstance(X, Mixed) or X.columns.columns[j].kind != "categorical"


def correlations(X: Any, columns: Array) -> Array:
    """r of each pair of columns; 0 where one is constant."""
    numbers, codes, where = cells_of(X)
    some = slice(None, None, -(-len(X) // ROWS))
    parts = [
        numbers[some, j] if j >= 0 else np.where(codes[some, -1 - j] < 0, np.nan, codes[some, -1 - j]) for j in where[columns]
    ]
    Z = np.array(parts).reshape(len(columns), -1)
    known = np.isfinite(Z)
    centre = np.where(known, Z, 0.0).sum(axis=1, keepdims=True) / np.maximum(known.sum(axis=1, keepdims=True), 1)
    Z = np.where(known, Z - centre, 0.0)
    length = np.sqrt((Z**2).sum(axis=1, keepdims=True))
    Z = np.divide(Z, length, out=np.zeros_like(Z), where=length > 0)
    return np.asarray(Z @ Z.T)
