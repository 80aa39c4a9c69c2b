"""An ensemble of trees as a sum of them, for the contributions of columns:

prediction(x) = Σ_m (α_m / Σ α) v_m(x),     v_m: the vote of tree m, as in (1) of ensemble.py               (1)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from aprendiz.core.targets import plain
from aprendiz.tree.contributions.additive_trees import AdditiveTrees, WeightedTree
from aprendiz.tree.shared.several_targets import refuse_several

if TYPE_CHECKING:
    from aprendiz.ensemble.members.ensemble import Ensemble


def sum_of_votes(model: Ensemble) -> AdditiveTrees:
    """(1): probabilities, shares of votes, or numbers."""
    model.refuse_models("A sum of trees")
    refuse_several(model, "A sum of trees")
    shares, costs = model.member_weights() / model.member_weights().sum(), getattr(model, "costs_", None)

    def made(number: int) -> WeightedTree:
        tree = model.forest_.tree(number)
        return WeightedTree(tree, shares[number] * model.votes(tree.value.reshape(tree.node_count, -1), costs))

    outputs = model.forest_.value.shape[1]
    if model.target == "numbers":
        labels = tuple(range(outputs)) if outputs > 1 else ()
        return AdditiveTrees(len(shares), made, np.zeros(outputs), "number", labels)
    return AdditiveTrees(len(shares), made, np.zeros(outputs), model.adds, tuple(map(plain, model.classes_)))
