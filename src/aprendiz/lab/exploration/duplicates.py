"""Rows that come twice, and columns that say the same.

Rows are compared by all columns but those that only number or name them. In a table of few levels equal rows are no surprise:
of columns that are independent,

    E = n(n − 1)/2 · Π_j Σ_l p_jl²                                                                             (1)

pairs of rows would be equal, p_jl the share of level l in column j. Only more of them than that are a finding.

Columns are the same if they are equal cell by cell, or if they tell the same rows apart (the codes by first occurrence agree:
"M"/"F" and "male"/"female"); numbers that all differ tell the rows apart in any case, and are compared by their correlation
elsewhere (associations.py).

Cost: one hash of each row and of each column.
"""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import pandas as pd

from aprendiz.lab.exploration.samples import ROWS_OF_COLUMNS, chosen_rows

LISTED = 10  # groups of equal rows, and of columns
ROWS_SHOWN = 6
MANY_VALUES = 0.9  # share of different values from which codes say nothing
SURPRISE = 4.0  # times the pairs of (1)


def duplicate_rows(frame: Any, names: list[str]) -> dict[str, Any]:
    """Groups of rows that are equal in some columns."""
    rows, none = len(frame), {"columns": names, "groups": [], "rows": 0, "pairs": 0, "expected_pairs": 0.0, "surprising": False}
    if not names or rows < 2:
        return none
    table = frame[names]
    keys = pd.util.hash_pandas_object(table, index=False).to_numpy()
    order = np.argsort(keys, kind="stable")
    starts = np.flatnonzero(np.r_[True, keys[order][1:] != keys[order][:-1]])
    sizes = np.diff(np.r_[starts, rows])
    pairs = float((sizes * (sizes - 1.0)).sum() / 2)
    if not pairs:
        return none
    by_chance = expected_pairs(table)
    largest = np.argsort(-sizes, kind="stable")[:LISTED]
    groups = [order[starts[place] : starts[place] + sizes[place]] for place in largest if sizes[place] > 1]
    return {
        "columns": names,
        "groups": [{"rows": [int(row) + 1 for row in group[:ROWS_SHOWN]], "count": len(group)} for group in groups],
        "rows": int((sizes - 1).sum()),
        "pairs": int(pairs),
        "expected_pairs": by_chance,
        "surprising": pairs > SURPRISE * by_chance + 0.5 and by_chance < rows,
    }


def expected_pairs(table: Any) -> float:
    """(1), missing cells as a level."""
    log = np.log(len(table) * (len(table) - 1.0) / 2)
    for j in range(table.shape[1]):
        column = table.iloc[:, j]
        counts = column.value_counts(dropna=False).to_numpy().astype(float)
        log += np.log(((counts / counts.sum()) ** 2).sum())
    return float(np.exp(log))


def same_columns(frame: Any, names: list[str]) -> list[dict[str, Any]]:
    """Groups of columns that say the same, and whether they are equal cell by cell."""
    some = chosen_rows(len(frame), ROWS_OF_COLUMNS // 10)
    groups: dict[bytes, list[str]] = {}
    for name in names:
        column = frame[name].iloc[some] if len(some) < len(frame) else frame[name]
        codes, levels = pd.factorize(column)
        if 2 <= len(levels) <= MANY_VALUES * len(codes):
            groups.setdefault(hashlib.blake2b(codes.astype(np.int32).tobytes(), digest_size=16).digest(), []).append(name)
    found = [names for names in groups.values() if len(names) > 1]
    return [{"columns": names, "equal": all(frame[names[0]].equals(frame[name]) for name in names[1:])} for names in found]
