"""Which cells are missing, and which are missing together.

    pattern      the columns that are missing in a row; rows are counted by pattern
    φ            the correlation of the missing cells of two columns: 1 if they are missing in the same rows       (1)

Cost: a pass for each column with missing cells; (1) of at most 100 columns and 10 000 rows.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aprendiz.core.random import hashes
from aprendiz.core.rows import Array
from aprendiz.lab.exploration.samples import ROWS_OF_PAIRS, chosen_rows

PATTERNS = 12  # that are listed
MOST_PAIRED = 100  # columns
TOGETHER = 0.5  # least φ that is listed
LISTED = 20  # pairs
SHOWN = 12  # columns of a pattern


def missing_numbers(frame: Any) -> dict[str, Any]:
    """The part of results.json."""
    names = [str(name) for name in frame.columns]
    masks = {name: frame.iloc[:, j].isna().to_numpy() for j, name in enumerate(names)}
    masks = {name: mask for name, mask in masks.items() if mask.any()}
    rows, cells = len(frame), sum(int(mask.sum()) for mask in masks.values())
    return {
        "cells": cells,
        "share": cells / max(1, rows * len(names)),
        "columns": len(masks),
        **patterns(masks, rows),
        "always_together": always_together(masks),
        "pairs": pairs(masks, rows),
    }


def patterns(masks: dict[str, Array], rows: int) -> dict[str, Any]:
    """The most frequent patterns, and the number of rows without missing cells."""
    if not masks:
        return {"complete_rows": rows, "patterns": [], "different_patterns": 1}
    names = list(masks)
    keys = hashes(0, 0, np.arange(len(names))).astype(np.uint64)
    total = np.zeros(rows, np.uint64)
    for key, mask in zip(keys, masks.values(), strict=True):
        total[mask] += key  # wraps around: patterns differ in their sums
    found, first, counts = np.unique(total, return_index=True, return_counts=True)
    order = np.argsort(-counts, kind="stable")[:PATTERNS]
    listed = []
    for place in order:
        columns = [name for name in names if masks[name][first[place]]]
        listed.append({"columns": columns[:SHOWN], "count": len(columns), "rows": int(counts[place])})
    complete = int(counts[found == 0].sum())
    return {"complete_rows": complete, "patterns": listed, "different_patterns": len(found)}


def always_together(masks: dict[str, Array]) -> list[list[str]]:
    """Groups of columns that are missing in exactly the same rows, more than one row."""
    groups: dict[bytes, list[str]] = {}
    for name, mask in masks.items():
        if 1 < mask.sum() < len(mask):
            groups.setdefault(np.packbits(mask).tobytes(), []).append(name)
    return [names for names in groups.values() if len(names) > 1]


def pairs(masks: dict[str, Array], rows: int) -> list[dict[str, Any]]:
    """Pairs of columns that are missing together more often than by chance, those of equal rows left out."""
    together = {name: place for place, names in enumerate(always_together(masks)) for name in names}
    names = sorted(masks, key=lambda name: -int(masks[name].sum()))[:MOST_PAIRED]
    if len(names) < 2:
        return []
    some = chosen_rows(rows, ROWS_OF_PAIRS)
    table = np.array([masks[name][some] for name in names], dtype=np.float64)
    centred = table - table.mean(axis=1, keepdims=True)
    size = np.sqrt((centred**2).sum(axis=1))
    found: list[tuple[float, str, str]] = []
    for i in range(len(names)):
        for j in range(i + 1, len(names)):
            if size[i] * size[j] == 0 or together.get(names[i], -1) == together.get(names[j], -2):
                continue
            phi = float(centred[i] @ centred[j] / (size[i] * size[j]))
            if phi >= TOGETHER and (table[i] * table[j]).sum() > 2:
                found.append((phi, names[i], names[j]))
    found.sort(key=lambda one: -one[0])
    return [{"first": a, "second": b, "phi": phi} for phi, a, b in found[:LISTED]]
