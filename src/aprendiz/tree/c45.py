"""C4.5: gain ratio, thresholds, missing cells by shares, and pessimistic pruning.

    gain ratio = gain / H(branches),     among the columns whose gain is at least the average                  (1)

The gain counts the known rows only, times their share; H(branches) takes the missing rows for one branch more. A row whose cell
is missing goes down every branch with a share of its weight, in the fit and in prediction, where the leaves vote by shares.
Afterwards a node becomes a leaf if the pessimistic estimate of its error is no larger (pessimistic.py).

Not here: grouping of levels, the penalty of release 8 on thresholds, and raising of subtrees.

Reference: Quinlan, "C4.5: Programs for Machine Learning", 1993.
"""

from __future__ import annotations

from typing import Annotated, Literal

from aprendiz.core.parameters import ArrayLike, Count, Seed, Within
from aprendiz.tree.growth.plan import Plan
from aprendiz.tree.shared.classification_tree import ClassificationTree


class C45(ClassificationTree):
    """Quinlan's C4.5 (gain ratio, missing cells by shares, pessimistic pruning).

    Parameters
    ----------
    min_samples_leaf : int, default=2
        Minimum number of cases in at least two branches of a split, and in both branches of a threshold. The weight of a row
        is a number of cases: a weight of 2 is the row twice. Weights with a mean below 1 (that sum to 1, say) cannot be; they
        are multiplied so that their mean is 1, here and in the pruning.
    max_depth : int, optional
    pruning : "pessimistic" or None, default="pessimistic"
    confidence : float, default=0.25
        Confidence level CF of the pessimistic estimate: a smaller value prunes more.
    priors : array of shape (n_classes,), optional
        Prior probabilities of the classes; by default, their proportions in the training rows.
    costs : array of shape (n_classes, n_classes), optional
        Misclassification costs: true classes in rows, predictions in columns. Not used by the pruning.
    exact : bool, optional
        Whether every value of a number is a candidate threshold; by default, for up to 32 768 rows.
    random_state : int, RandomState or None
        No effect: nothing is random.

    Attributes
    ----------
    tree_ : Tree
    classes_, costs_, columns_, search_, certificate_ : see DecisionTreeClassifier
    """

    exceptions = {"memory": "fractional missing cells need all rows in memory"}
    tuning = {"min_samples_leaf": (2, 5, 20)}

    def __init__(
        self,
        *,
        min_samples_leaf: Count = 2,
        max_depth: Count | None = None,
        pruning: Literal["pessimistic"] | None = "pessimistic",
        confidence: Annotated[float, Within(0, 0.5, above=True)] = 0.25,
        priors: ArrayLike | None = None,
        costs: ArrayLike | None = None,
        exact: bool | None = None,
        random_state: Seed = None,
    ):
        self.min_samples_leaf = min_samples_leaf
        self.max_depth = max_depth
        self.pruning = pruning
        self.confidence = confidence
        self.priors = priors
        self.costs = costs
        self.exact = exact
        self.random_state = random_state

    def plan(self) -> Plan:
        return Plan(
            criterion="gain_ratio",
            categories="multiway",
            missing="fractional",
            max_depth=self.max_depth,
            least_cases=float(self.min_samples_leaf),
            exact=self.exact,
        )
