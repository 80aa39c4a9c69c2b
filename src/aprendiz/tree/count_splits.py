"""The number of candidate splits of each column.

    numbers, levels in an order     distinct values − 1                                                       (1)
    categories                      2^(M−1) − 1 divisions of M levels in two                                  (2)

A column counts with the values that occur; missing cells are none. So twenty levels have more splits than half a million
different numbers, which is why a column with many levels looks better to a tree than it is.

Cost: a sort of each column.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scipy import sparse

from aprendiz.core.cells import Kind
from aprendiz.core.columns import Columns
from aprendiz.core.frames import as_frame
from aprendiz.locale import _, format_whole
from aprendiz.tree.reading.candidate_splits import Groups


@dataclass(frozen=True)
class SplitCounts:
    """The number of candidate splits of each column; `int(counts)` is their sum."""

    columns: Mapping[Any, int]

    @property
    def total(self) -> int:
        return sum(self.columns.values())

    def __int__(self) -> int:
        return self.total

    def __getitem__(self, column: Any) -> int:
        return self.columns[column]

    def __str__(self) -> str:
        lines = [
            *((str(name), format_whole(count)) for name, count in self.columns.items()),
            (_("all columns"), format_whole(self.total)),
        ]
        name, count = (max(map(len, column)) for column in zip(*lines, strict=True))
        return "\n".join(f"{line[0]:{name}}  {line[1]:>{count}}" for line in lines)


def count_splits(
    X: Any,
    y: Any = None,
    *,
    kinds: Mapping[Any, Kind] | None = None,
    levels: Mapping[Any, Sequence[Any]] | None = None,
) -> SplitCounts:
    """The number of candidate splits at the root of a tree with two branches in each node.

    Parameters
    ----------
    X : data frame, dict of columns, array or sparse matrix
    y : ignored
        The number does not depend on the target.
    kinds, levels : mappings of column name to kind and to levels, optional
        What the columns hold, where numbers stand for categories or words have an order (as in `Columns.of`).

    Returns
    -------
    counts : SplitCounts
        By column, to be printed; `int(counts)` is the sum.

    Examples
    --------
    >>> print(count_splits({"age": [41, 32, 58, 41], "blood": ["A", "B", "AB", "0"]}))
    age          2
    blood        7
    all columns  9
    """
    table = X.toarray() if sparse.issparse(X) else X
    schema = Columns.of(table, kinds=kinds, levels=levels)
    mixed = schema.encode(table)
    named = isinstance(X, Mapping) or as_frame(X) is not None
    names = schema.names if named else tuple(f"x{j}" for j in range(len(schema)))
    return SplitCounts({name: splits(Groups.of(mixed, j, True)) for j, name in enumerate(names)})


def splits(groups: Groups) -> int:
    """(1) or (2) of a column."""
    values = len(groups.values)
    if values == 0:
        return 0
    return values - 1 if groups.ordered else 2 ** (values - 1) - 1
