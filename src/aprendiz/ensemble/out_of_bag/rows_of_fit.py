"""The rows of a fit, seen again: what an ensemble tells of its members, it tells by looking at the rows once more.

Small tables are remembered by the learner. Larger ones, and those of a model that comes from a file, are given again; they must
be the same rows in the same order, since the bags know them by their numbers.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from aprendiz.core.columns import Mixed
from aprendiz.core.inputs import with_own_target
from aprendiz.core.rows import Array, Rows
from aprendiz.core.sources.arrays import ArrayRows, in_memory
from aprendiz.core.targets import classes, numbers
from aprendiz.ensemble.members.bags import Bags
from aprendiz.tree.shared.several_targets import refuse_several


def rows_of_fit(model: Any, X: Any, y: Any, what: str, target: bool = True) -> ArrayRows:
    """The rows of the fit: those that are remembered, or those given, whose number must be that of the fit."""
    if target:
        refuse_several(model, what)
    if X is None:
        return remembered_rows(model, y, what)
    X, y, _ = with_own_target(model, X, y, None) if target else (X, y, None)
    rows = cells_in_memory(model.new_rows(X))
    if target:
        if y is None:
            raise ValueError(f"{what} compares predictions with the target: give y with X.")
        rows = rows.like(y=target_of(model, y, rows.X.shape[0]))
    if model.bags_ is not None and rows.count != model.bags_.given:
        raise ValueError(
            f"X has {rows.count} rows, but the fit had {model.bags_.given}: {what} uses out-of-bag rows, so give the training "
            "rows in their original order."
        )
    return rows


def remembered_rows(model: Any, y: Any, what: str) -> ArrayRows:
    """The rows that the learner kept."""
    table: ArrayRows | None = model.__dict__.get("_table")
    if y is not None:
        raise ValueError("y is given without X: give both, or neither.")
    if table is None:
        raise ValueError(
            f"{what} needs the training rows, which the model does not keep (the table was large, or the model was loaded): "
            "give them again, in their original order."
        )
    return table


def cells_in_memory(rows: Rows) -> ArrayRows:
    """The cells of rows, wherever they are."""
    return rows if in_memory(rows) else ArrayRows(rows.each(lambda block: block.X), names=rows.names)


def target_of(model: Any, y: Any, count: int) -> Array:
    """Numbers of classes, or numbers."""
    return classes(y, count, model.classes_)[1] if hasattr(model, "classes_") else numbers(y, count)


def bags_of(model: Any, what: str) -> Bags:
    """Which rows each member was trained on."""
    if not leaves_rows_out(model.bags_):
        remedy = "fit it with bootstrap=True" if hasattr(model, "bootstrap") else "use a forest or bagging"
        raise ValueError(
            f"{what} needs out-of-bag rows, but every member of this {type(model).__name__} was trained on all rows: {remedy}."
        )
    bags: Bags = model.bags_
    return bags


def leaves_rows_out(bags: Bags | None) -> bool:
    """Can a row be out of a bag?"""
    return bags is not None and (bags.replace or bags.size < bags.count)


def weight_of(model: Any, rows: ArrayRows) -> Array | None:
    """The weight of each row of the fit; None if all count alike."""
    bags = model.bags_
    if bags is None or (bags.weight is None and bags.there is None):
        return rows.weight
    weight = np.zeros(bags.given)
    weight[slice(None) if bags.there is None else bags.there] = 1.0 if bags.weight is None else bags.weight
    return weight


def dense(X: Any) -> Any:
    """The cells as float64, row after row; a mixed table as it is."""
    if isinstance(X, Mixed):
        return X
    return np.ascontiguousarray(X.toarray() if sparse.issparse(X) else X, dtype=np.float64)


def task_of(model: Any) -> str:
    """ "classification" or "regression"."""
    return "classification" if hasattr(model, "classes_") else "regression"
