"""What tells groups apart: the columns in which each of them differs most from the other rows, and the rules of a small tree.

    numbers       (mean in the group − mean of the others)/standard deviation of all                           (1)
    levels        (share in the group − share in the others)/√(p(1 − p)),  p the share in all rows             (2)

Both are 0 for a group like the others. Missing cells are left out.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from aprendiz.core.columns import Columns
from aprendiz.core.rows import Array
from aprendiz.lab.preparation import prepared
from aprendiz.lab.series import label_of
from aprendiz.locale import _, number, percent
from aprendiz.tree import DecisionTreeClassifier

LISTED = 6  # differences of a group
LEAST = 0.4  # of (1) and (2) that is listed
DEPTH = 3


def differences(frame: Any, columns: Columns, labels: Array, group: int) -> list[dict[str, Any]]:
    """The largest differences of a group."""
    inside, found = labels == group, list[dict[str, Any]]()
    for column in columns:
        cells = frame[column.name]
        if column.kind == "numeric":
            found.append({"column": str(column.name), **of_numbers(cells.to_numpy(dtype=np.float64), inside)})
        else:
            found += [{"column": str(column.name), **one} for one in of_levels(cells, inside)]
    found = [one for one in found if abs(one["size"]) >= LEAST]
    return sorted(found, key=lambda one: -abs(one["size"]))[:LISTED]


def of_numbers(cells: Array, inside: Array) -> dict[str, Any]:
    """(1)."""
    known = ~np.isnan(cells)
    here, there = cells[known & inside], cells[known & ~inside]
    if not len(here) or not len(there):
        return {"size": 0.0}
    spread = float(np.std(cells[known]))
    mine, others = float(here.mean()), float(there.mean())
    return {"group": mine, "others": others, "size": (mine - others) / spread if spread > 0 else 0.0}


def of_levels(cells: Any, inside: Array) -> list[dict[str, Any]]:
    """(2) of each level; of two levels that say the same, the one that is more frequent in the group."""
    codes, levels = pd.factorize(cells, sort=True)
    here, there = (np.bincount(codes[(codes >= 0) & part], minlength=len(levels)) for part in (inside, ~inside))
    if not here.sum() or not there.sum():
        return []
    mine, others = here / here.sum(), there / there.sum()
    p = (here + there) / (here.sum() + there.sum())
    sizes = (mine - others) / np.sqrt(np.maximum(p * (1 - p), 1e-12))
    chosen = [int(mine.argmax())] if len(levels) == 2 else range(len(levels))
    return [
        {"level": label_of(levels[i]), "group": float(mine[i]), "others": float(others[i]), "size": float(sizes[i])}
        for i in chosen
    ]


def difference_in_words(one: dict[str, Any]) -> str:
    """A difference in a sentence."""
    if "level" in one:
        shares = {"share": percent(one["group"], 0), "others": percent(one["others"], 0)}
        sentence = _("{column} is {level} in {share}, in the other rows in {others}")
        return sentence.format(column=repr(one["column"]), level=repr(one["level"]), **shares)
    sentence = _("{column} is higher: {mean} in the mean, in the other rows {others}")
    if one["size"] < 0:
        sentence = _("{column} is lower: {mean} in the mean, in the other rows {others}")
    return sentence.format(column=repr(one["column"]), mean=number(one["group"], 3), others=number(one["others"], 3))


def rules_of(frame: Any, columns: Columns, names: Array) -> tuple[list[str], float]:
    """The rules of a small tree that finds the groups, and the share of the rows that it puts into their group."""
    groups = len(np.unique(names))
    depth = max(DEPTH, int(np.ceil(np.log2(groups))))
    tree = DecisionTreeClassifier(max_depth=depth, max_leaf_nodes=groups + 3, random_state=0)
    model = prepared(tree, frame, columns=columns).fit(frame, names)
    right = float((np.asarray(model.predict(frame)) == names).mean())
    return [str(rule) for rule in model[-1].rules()], right
