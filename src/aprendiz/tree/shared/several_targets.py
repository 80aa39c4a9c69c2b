"""Trees for several targets of classes: grown on the indicators of all classes (core/several_targets.py).

With K targets, the impurity of a node is the mean of theirs, as in scikit-learn:

    gini       1/K Σ_k Σ_c p_kc (1 − p_kc): the variances of the indicators, as a tree for numbers sums them
    entropy    −1/K Σ_k Σ_c p_kc log₂ p_kc: the Poisson deviance of indicators, of which a branch may have none
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from aprendiz.core.parameters import ParameterError
from aprendiz.core.rows import Rows
from aprendiz.core.several_targets import Labels, class_factors, padded
from aprendiz.core.sources.arrays import in_memory
from aprendiz.tree.growth.plan import Plan
from aprendiz.tree.shared.decision_tree import counting_rows, grown_tree
from aprendiz.tree.shared.nodes import Tree


def grown_for_targets(model: Any, rows: Rows, plan: Plan, seed: int) -> dict[str, Any]:
    """The fitted attributes of a tree for several targets."""
    assert in_memory(rows)
    labels = rows.several
    assert labels is not None
    refuse_for_targets(type(model).__name__, priors=model.priors, costs=model.costs, pruning=model.pruning)
    if model.class_weight is not None:
        factor = class_factors(model.class_weight, rows.y, labels)  # type: ignore[arg-type]
        rows = counting_rows(rows.like(weight=factor if rows.weight is None else rows.weight * factor))
    plan = plan.for_targets(len(labels))
    tree, search = grown_tree(rows, plan, seed)
    return {"tree_": of_targets(tree, labels, plan), "costs_": None, "search": search, **known_of_targets(labels)}


def known_of_targets(labels: Labels) -> dict[str, Any]:
    """What is known of the targets."""
    return {"classes_": list(labels), "n_classes_": np.array([len(one) for one in labels]), "n_outputs_": len(labels)}


def of_targets(tree: Tree, labels: Labels, plan: Plan) -> Tree:
    """A tree of indicators as a tree of targets."""
    value = tree.value[:, :, 0]
    impurity = tree.impurity * (plan.unit_of_targets() * value.shape[1])
    return replace(tree, value=padded(value, labels), impurity=impurity, counts=np.array([len(one) for one in labels]))


def refuse_for_targets(name: str, **parameters: Any) -> None:
    """Parameters that speak of one target."""
    for parameter, value in parameters.items():
        if value is not None:
            raise ParameterError(f"{parameter} of {name} supports one target only: fit a model for each, or leave it out.")


def refuse_several(model: Any, what: str) -> None:
    """What a model of several targets cannot tell."""
    if isinstance(getattr(model, "classes_", None), list):
        raise ValueError(f"{what} supports one target only, and this {type(model).__name__} has {len(model.classes_)}.")
