"""ID3: a branch for each value of the column with the largest gain of information.

    gain(j) = H(S) − Σ_v |S_v|/|S| · H(S_v),     H in bits                                                    (1)

A column of words is asked once on a way, since afterwards it does not vary; numbers are cut at the threshold of largest gain,
which the first ID3 did not know. Missing cells are a value of their own. Nothing is pruned.

Reference: Quinlan, "Induction of decision trees", Machine Learning 1, 1986.
"""

from __future__ import annotations

from typing import Annotated

from aprendiz.core.parameters import ArrayLike, Count, NonNegative, Seed, Within
from aprendiz.tree.growth.plan import Plan
from aprendiz.tree.shared.classification_tree import ClassificationTree


class ID3(ClassificationTree):
    """Quinlan's ID3 (information gain, a branch for each level).

    Parameters
    ----------
    max_depth : int, optional
    min_samples_split : int, default=2
        Minimum number of rows to split a node.
    min_impurity_decrease : float, default=0.0
        β: a node is split only if the information gain, in bits over all rows, is at least this much.
    priors : array of shape (n_classes,), optional
        Prior probabilities of the classes; by default, their proportions in the training rows.
    costs : array of shape (n_classes, n_classes), optional
        Misclassification costs: true classes in rows, predictions in columns.
    exact : bool, optional
        Whether every value of a number is a candidate threshold; by default, for up to 32 768 rows.
    random_state : int, RandomState or None
        No effect: nothing is random.

    Attributes
    ----------
    tree_ : Tree
    classes_, costs_, columns_, search_, certificate_ : see DecisionTreeClassifier

    Examples
    --------
    >>> from aprendiz.datasets import load
    >>> X, y = load("tumour", return_X_y=True, as_frame=True)
    >>> print(ID3().fit(X, y).to_text())
    size  (14 rows)
    ├─ small: benign  (4 rows, 100 %)
    ├─ medium: smoothness  (5 rows)
    │  ├─ medium or another level: benign  (4 rows, 100 %)
    │  └─ high: malignant  (1 row, 100 %)
    └─ large: symmetry is no  (5 rows)
       ├─ yes: malignant  (4 rows, 100 %)
       └─ no: benign  (1 row, 100 %)
    """

    tuning = {"min_samples_split": (2, 10, 30)}

    def __init__(
        self,
        *,
        max_depth: Count | None = None,
        min_samples_split: Annotated[int, Within(2)] = 2,
        min_impurity_decrease: NonNegative = 0.0,
        priors: ArrayLike | None = None,
        costs: ArrayLike | None = None,
        exact: bool | None = None,
        random_state: Seed = None,
    ):
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_impurity_decrease = min_impurity_decrease
        self.priors = priors
        self.costs = costs
        self.exact = exact
        self.random_state = random_state

    def plan(self) -> Plan:
        return Plan(
            criterion="entropy",
            categories="multiway",
            max_depth=self.max_depth,
            min_samples_split=self.min_samples_split,
            min_impurity_decrease=self.min_impurity_decrease,
            exact=self.exact,
        )
