"""Which columns go together: of all pairs of a narrow table, and of the columns in the strongest pairs of a wide one.

Pairs of numbers are found by blocks of columns, standardised, with the mean in place of missing cells; those that are shown are
computed anew by `evaluation.describe`, pair by pair of known cells. Two columns of numbers with |r| ≥ 0.999 say the same.

Cost: m·d² multiplications with d columns of numbers and m rows, at most 10 000 and so many that 5·10⁹ are not exceeded.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from aprendiz.core.rows import Array
from aprendiz.evaluation.describe import Description, describe
from aprendiz.lab.exploration.samples import chosen_rows, rows_of_pairs

SHOWN = 30  # columns in the picture
MOST_LEVELS = 50  # of a category
LISTED = 40  # pairs
BLOCK = 512  # columns
NEARLY_SAME = 0.999
LARGEST = 1e150


def described(frame: Any, numbers: list[str], categories: list[str]) -> tuple[dict[str, Any], Description | None]:
    """The part of results.json, and what the picture shows."""
    rows = chosen_rows(len(frame), rows_of_pairs(len(frame), len(numbers) + len(categories)))
    numbers = [name for name in numbers if varies(frame[name])]
    table = frame[[*numbers, *categories]].iloc[rows]
    strong = strongest_numbers(table[numbers].to_numpy(dtype=np.float64), numbers)
    wide = len(numbers) + len(categories) > SHOWN
    paired = list(dict.fromkeys(name for a, b, _r in strong for name in (a, b)))
    kept = categories[: SHOWN // 3] if wide else categories
    chosen = [*(paired[: SHOWN - len(kept)] if wide else numbers), *kept]
    found = None
    if len(chosen) > 1 and len(rows) > 1:
        order = [name for name in table.columns if name in set(chosen)]
        found = describe(as_words(table[order]), quantiles=(0.5,))
    listed = [] if found is None else [entry(*pair) for pair in found.strongest(LISTED)]
    near = [(a, b, r) for a, b, r in strong if abs(r) >= NEARLY_SAME]
    return {
        "columns": [*numbers, *categories],
        "shown": [] if found is None else list(found.names),
        "rows": len(rows),
        "strongest": listed,
        "nearly_same": [{"first": a, "second": b, "r": r} for a, b, r in near],
    }, found


def varies(column: Any) -> bool:
    """Are there different numbers, whose squares are finite?"""
    known = column.to_numpy()
    known = known[np.isfinite(known)]
    return len(known) > 1 and bool(known.min() < known.max()) and bool(max(-known.min(), known.max()) < LARGEST)


def as_words(table: Any) -> Any:
    """The same table, infinite cells missing, and categories as words."""
    columns = {}
    for name in table.columns:
        column = table[name]
        if pd.api.types.is_float_dtype(column.dtype):
            columns[name] = np.where(np.isfinite(column.to_numpy()), column.to_numpy(), np.nan)
        else:
            columns[name] = column.astype(object).map(str, na_action="ignore").astype("category")
    return pd.DataFrame(columns, index=table.index)


def entry(first: str, second: str, kind: str, value: float) -> dict[str, Any]:
    return {"first": first, "second": second, "kind": {"η²": "eta2"}.get(kind, kind.lower()), "value": value}


def strongest_numbers(X: Array, names: list[str]) -> list[tuple[str, str, float]]:
    """The pairs of columns of numbers with the largest |r|, at most as many as twice `LISTED`."""
    if X.shape[1] < 2:
        return []
    X = np.where(np.isfinite(X), X, np.nan)
    scale = np.nanmax(np.abs(X), axis=0, initial=0.0)
    X = X / np.where(scale > 0, scale, 1.0)
    centred = X - np.nanmean(X, axis=0)
    centred[np.isnan(centred)] = 0.0
    length = np.sqrt((centred**2).sum(axis=0))
    Z = (centred / np.where(length > 0, length, 1.0)).astype(np.float32 if X.shape[1] > BLOCK else np.float64)
    found: list[tuple[float, int, int]] = []
    for start in range(0, X.shape[1], BLOCK):
        R = Z[:, start : start + BLOCK].T @ Z[:, start:]
        R[np.tril_indices(len(R), 0, R.shape[1])] = 0.0
        size = np.abs(R).ravel()
        most = min(2 * LISTED, size.size - 1)
        for place in np.argpartition(-size, most)[:most]:
            i, j = divmod(int(place), R.shape[1])
            if size[place] > 0:
                found.append((float(R[i, j]), start + i, start + j))
    found.sort(key=lambda one: (-abs(one[0]), one[1], one[2]))
    return [(names[i], names[j], r) for r, i, j in found[: 2 * LISTED]]
