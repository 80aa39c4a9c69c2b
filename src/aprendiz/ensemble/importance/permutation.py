"""Importance of columns by permutation: what the trees of a fitted ensemble lose on rows that they have not seen; equations in
out_of_bag_importances.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from aprendiz.core.parameters import refuse_count
from aprendiz.core.random import draw_seed, hashes
from aprendiz.core.rows import Array
from aprendiz.core.sources.arrays import ArrayRows
from aprendiz.core.threads import ordered_map
from aprendiz.ensemble import OutOfBagImportances
from aprendiz.ensemble.importance.column_findings import findings
from aprendiz.ensemble.importance.column_groups import column_groups
from aprendiz.ensemble.importance.permuted_descent import PermutedDescent
from aprendiz.ensemble.importance.strata import conditional_strata
from aprendiz.ensemble.importance.threshold_codes import ThresholdCodes
from aprendiz.ensemble.out_of_bag.rows_of_fit import bags_of, dense, rows_of_fit, task_of, weight_of
from aprendiz.tree.contributions.additive_trees import column_names

if TYPE_CHECKING:
    from aprendiz.ensemble.members.ensemble import Ensemble


def permutation_importance(
    model: Ensemble,
    X: Any = None,
    y: Any = None,
    *,
    groups: Mapping[Any, Any] | list[Any] | None = None,
    conditional: bool = False,
    repeats: int = 1,
    random_state: Any = None,
) -> OutOfBagImportances:
    """See `oob_permutation_importance` (members/ensemble.py)."""
    what = "oob_permutation_importance"
    model.refuse_models(what)
    bags = bags_of(model, what)
    refuse_count("repeats", repeats)
    rows = rows_of_fit(model, X, y, what)
    known = list(column_names(model))
    names, chosen = column_groups(groups, known)
    cells, weight = dense(rows.X), weight_of(model, rows)
    weight = np.ones(len(cells)) if weight is None else weight
    strata = conditional_strata(cells, weight, chosen) if conditional else np.zeros((1, len(cells)), np.int32)
    codes = ThresholdCodes.of(model.forest_, cells)
    descent = PermutedDescent(model.forest_, codes, *predictions_and_targets(model, rows), weight, chosen, strata)
    seed = draw_seed(random_state)

    def losses(tree: int) -> Array:
        out = bags.left_out(tree)
        if not len(out):
            return np.full(len(chosen), np.nan)
        keys = hashes(seed, tree, np.arange(repeats * len(chosen))).reshape(repeats, -1)
        return descent.losses(tree, out, np.ascontiguousarray(keys.T))

    found = np.array(list(ordered_map(losses, range(len(model)))))
    refuse_no_tree(found)
    notes = findings(cells, known, chosen, np.nanmean(found, axis=0), conditional)
    return OutOfBagImportances(found, names, task_of(model), conditional, notes)


def predictions_and_targets(model: Any, rows: ArrayRows) -> tuple[Array, Array]:
    """The prediction in each leaf of the forest, and the target of each row: numbers of classes, or numbers."""
    assert rows.y is not None
    value = model.forest_.value
    if model.costs_ is not None:
        value = (value @ model.costs_).argmin(axis=1)[:, None]
    return np.ascontiguousarray(value, np.float64), np.ascontiguousarray(rows.y.reshape(len(rows.y), -1), np.float64)


def refuse_no_tree(found: Array) -> None:
    if np.isnan(found).all():
        raise ValueError(
            "No tree has out-of-bag rows, so there is nothing to permute: fit more trees, or use smaller bags (max_samples)."
        )
