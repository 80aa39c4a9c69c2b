"""Partial dependence by recursion: sums of trees are averaged along their branches, and no row of the table is needed.

    brute force     the mean prediction for the rows of the table, with the values in place of their cells
    recursion       at a split on another column all branches, by the weight of the fit there (tree/contributions/averages.py)

They are the same where the other columns do not go together with those that are asked about.

Cost: O(nodes) for each value, however many rows there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any, Literal

import numpy as np
from sklearn.base import is_classifier

from aprendiz.core.rows import Array
from aprendiz.evaluation.dependence.columns import Cell, TableColumns
from aprendiz.tree.contributions.additive_trees import SumOfTrees
from aprendiz.tree.contributions.averages import averages

Method = Literal["auto", "recursion", "brute"]


def uses_recursion(model: Any, method: Method, kind: str, response: str, weighted: bool) -> bool:
    """Whether the averages come from the trees alone: where it is asked for, or scikit-learn would do so by itself."""
    if method not in ("auto", "recursion", "brute"):
        raise ValueError(f"method = {method!r} must be 'auto', 'recursion' or 'brute'.")
    asked = "predict" if not is_classifier(model) else "predict_proba" if response == "auto" else response
    if method != "recursion":
        usual = isinstance(model, SumOfTrees) and model.recursive_dependence and asked == own_response(model)
        return method == "auto" and usual and kind == "average" and not weighted
    if not isinstance(model, SumOfTrees):
        raise ValueError(f"method='recursion' needs a sum of trees, and {type(model).__name__} is none: use method='brute'.")
    if kind != "average":
        raise ValueError(f"method='recursion' knows averages only, and kind is {kind!r}: use method='brute'.")
    if weighted:
        raise ValueError("method='recursion' takes the weights of the fit: leave sample_weight out, or use method='brute'.")
    if (own := own_response(model)) is None:
        raise ValueError(f"The trees of this {type(model).__name__} do not add up to what it predicts: use method='brute'.")
    if response not in ("auto", own):
        raise ValueError(
            f"method='recursion' averages {own!r}, which the trees add up to, not {response!r}: use method='brute'."
        )
    return True


def own_response(model: SumOfTrees) -> str | None:
    """The method of a learner that says what its trees add up to; None if none does."""
    meaning = model.additive_trees().meaning
    if is_classifier(model):
        return {"probability": "predict_proba", "score": "decision_function"}.get(meaning)
    return "predict" if meaning == "number" else None


def averages_at(model: SumOfTrees, columns: TableColumns, places: Sequence[int], grids: Sequence[Sequence[Cell]]) -> Array:
    """The averages at all values of some columns, of shape (outputs, values): of two classes, those of the second alone."""
    sum_of_trees = model.additive_trees()
    table = columns.at({j: list(cells) for j, cells in zip(places, zip(*product(*grids), strict=True), strict=True)})
    known = np.isin(np.arange(len(columns.names)), places)
    found = model.new_rows(table).each(lambda block: averages(sum_of_trees, block, known)).T
    return found[1:] if sum_of_trees.adds_to_one and len(found) == 2 else found
