"""CART: splits with two branches, Gini, surrogates for missing cells, and cost-complexity pruning.

The tree is grown to the end and cut back to the subtree that cross-validation chooses, by default the smallest within one
standard error of the best. Words are divided by the best subset of their levels. In every node up to five surrogate splits
are kept, those that send most rows where its own split does; a row whose cell is missing follows the first of them
whose cell it has, else the larger branch.

Reference: Breiman, Friedman, Olshen & Stone, "Classification and Regression Trees", 1984.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from aprendiz.core.parameters import ArrayLike, Count, Seed, Within
from aprendiz.tree.growth.plan import Plan
from aprendiz.tree.shared.classification_tree import ClassificationTree


class CART(ClassificationTree):
    """Classification tree of Breiman and others (Gini, surrogates, pruned by cross-validation).

    Parameters
    ----------
    min_samples_split : int, default=2
        Minimum number of rows to split a node.
    min_samples_leaf : int, default=1
        Minimum number of rows in a branch.
    max_depth : int, optional
    pruning : "cost_complexity" or None, default="cost_complexity"
    cv : int, splitter or iterable, default=10
        Cross-validation folds of the pruning.
    rule : {"1se", "min"}, default="1se"
        The smallest tree within one standard error of the best, or the best.
    priors : array of shape (n_classes,), optional
        Prior probabilities of the classes; by default, their proportions in the training rows.
    costs : array of shape (n_classes, n_classes), optional
        Misclassification costs: true classes in rows, predictions in columns.
    exact : bool, optional
        Whether every value of a number is a candidate threshold; by default, for up to 32 768 rows.
    random_state : int, RandomState or None
        The seed of the folds.

    Attributes
    ----------
    tree_ : Tree
    pruning_ : PruningErrors or None
        The cross-validated errors by which the subtree was chosen.
    classes_, costs_, columns_, search_, certificate_ : see DecisionTreeClassifier
    """

    exceptions = {
        "row order": "the folds of the pruning are drawn by row number",
        "column order": "of equal gains the first column is taken, in every fold",
        "weights": "the folds of the pruning are drawn by row number",
        "memory": "surrogate splits and folds need all rows in memory",
    }
    tuning = {"rule": ("1se", "min")}

    def __init__(
        self,
        *,
        min_samples_split: Annotated[int, Within(2)] = 2,
        min_samples_leaf: Count = 1,
        max_depth: Count | None = None,
        pruning: Literal["cost_complexity"] | None = "cost_complexity",
        cv: Any = 10,
        rule: Literal["1se", "min"] = "1se",
        priors: ArrayLike | None = None,
        costs: ArrayLike | None = None,
        exact: bool | None = None,
        random_state: Seed = None,
    ):
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.max_depth = max_depth
        self.pruning = pruning
        self.cv = cv
        self.rule = rule
        self.priors = priors
        self.costs = costs
        self.exact = exact
        self.random_state = random_state

    def plan(self) -> Plan:
        return Plan(
            criterion="gini",
            missing="surrogate",
            max_depth=self.max_depth,
            min_samples_split=self.min_samples_split,
            min_samples_leaf=self.min_samples_leaf,
            exact=self.exact,
        )
