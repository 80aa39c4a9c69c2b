"""What single trees, forests and boosted trees are alike: a sum of trees.

    f(x) = constant + Σ_m v_m(leaf of x in tree m)        v_m: numbers for each output, times the weight of the tree   (1)

A learner of this kind says what its sum is (`additive_trees`) and what it adds up to (`additive_response`); contributions of
columns (attribution.py), the explanation of a row and partial dependence by recursion follow.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal, Protocol, runtime_checkable

import numpy as np

from aprendiz.core.rows import Array, Rows
from aprendiz.tree.contributions.edges import shares_of_branches
from aprendiz.tree.shared.nodes import Tree

Meaning = Literal["probability", "votes", "number", "score"]


@dataclass(frozen=True)
class WeightedTree:
    """A tree of (1): `value` is v_m at its leaves, of shape (nodes, outputs from `output` on); other nodes are not read.

    A tree that speaks of one output of several, as those of boosting do, has a single column of values and its number.
    """

    tree: Tree
    value: Array
    output: int = 0

    @cached_property
    def mean(self) -> Array:
        """The mean of v_m over the weight of its leaves."""
        tree, share = self.tree, shares_of_branches(self.tree)
        for depth in range(2, tree.max_depth + 1):
            here = np.flatnonzero(tree.depth == depth)
            share[here] *= share[tree.parent[here]]
        return np.asarray(share[tree.is_leaf] @ self.value[tree.is_leaf])


@dataclass(frozen=True)
class AdditiveTrees:
    """The sum (1). Trees are made when they are needed: those of a large forest take more room one by one than packed.

    Attributes
    ----------
    count : int
    made : function of a number to its WeightedTree
    constant : ndarray of shape (outputs,)
    meaning : {"probability", "votes", "number", "score"}
        What the outputs are: probabilities of the classes, shares of the votes for them, predicted numbers, or scores.
    labels : tuple
        The class of each output, or the numbers of several targets; empty for one number.
    """

    count: int
    made: Callable[[int], WeightedTree]
    constant: Array
    meaning: Meaning
    labels: tuple[Any, ...] = ()

    @property
    def outputs(self) -> int:
        return len(self.constant)

    @property
    def adds_to_one(self) -> bool:
        """Do the outputs of every row add to 1, so that the last follows from the others?"""
        return self.meaning in ("probability", "votes") and self.outputs > 1


@runtime_checkable
class SumOfTrees(Protocol):
    """What learners that are sums of trees tell."""

    recursive_dependence: ClassVar[bool]  # whether partial dependence is by recursion unless told otherwise

    def additive_trees(self) -> AdditiveTrees:
        """The trees, with their weights, as a sum; a TypeError if it is none."""

    def additive_response(self, X: Any) -> Array:
        """What the sum is for each row, as predictions are made: of shape (rows, outputs)."""

    def new_rows(self, X: Any) -> Rows:
        """New data for the fitted learner."""


def column_names(model: Any) -> tuple[Any, ...]:
    """The names of the columns of a fitted learner, `x0`, `x1`, … where they have none."""
    names = getattr(model, "feature_names_in_", None)
    return tuple(f"x{j}" for j in range(model.n_features_in_)) if names is None else tuple(names)
