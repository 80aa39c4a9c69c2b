"""Class switching. Which labels are switched is in switching.py, votes are in voting.py.

A full tree fits the labels it is given, so each member errs on the rows that were switched for it, and members err in other
places: more independently than those of a bagging ensemble, and more often. A single one is worse, and many are better; the
larger p, the more members are needed.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from aprendiz.core.learner import Classifier
from aprendiz.core.parameters import Count, Fraction, Seed
from aprendiz.core.rows import Array, Rows
from aprendiz.ensemble.members.any_members import AnyMembers
from aprendiz.ensemble.members.ensemble_data import CountingRows, EnsembleData, Member
from aprendiz.ensemble.members.switching import FreeSwitching, Switching, class_counts
from aprendiz.tree.decision_tree_classifier import DecisionTreeClassifier


class ClassSwitchingClassifier(Classifier, AnyMembers):
    """Class switching (every member sees all rows, some of them with switched labels).

    Parameters
    ----------
    p : float, default=0.3
        The fraction of the labels that are switched, below p_max = 1 − Σ P² of the class shares P (1 − 1/K of K classes without
        `keep_counts`).
    n_estimators : int, default=100
        Number of members.
    estimator : classifier, default=None
        The base learner, flexible enough to fit any labels; None for an unpruned DecisionTreeClassifier.
    voting : {"soft", "hard"}, default="soft"
        Average the class probabilities of the members, if they have them ("soft"), or count one vote from each ("hard").
    keep_counts : bool, default=True
        Whether the classes keep their numbers of rows: as many labels go from one class to another as back. Otherwise any
        fraction p of the labels changes at random, each to any other class with the same probability.
    warm_start : bool, default=False
        Whether to keep the members of the previous fit and add more, up to n_estimators.
    random_state : int, RandomState or None

    Attributes
    ----------
    p_max_ : float
        The value of p from which the labels carry no information about the rows.
    switched_ : ndarray of shape (n_estimators,)
        The fraction of the labels that each member saw switched: p to within two rows, on average p.
    transition_ : ndarray of shape (n_classes, n_classes)
        The probability that a member sees a row of a class (rows) with each label (columns).
    estimator_ : classifier
        The base learner.
    estimators_ : list of classifiers
        The members; trees of this library are created on access.
    forest_, models_ : Forest and list
        The members: trees in one forest, or others.
    classes_, n_classes_ : labels of the classes, and their number
    importances_ : ndarray of shape (n_estimators, n_features)
        The importance of each column in each member, if the members have importances.
    columns_ : Columns or None
        The schema of the columns, if some are categorical.
    certificate_ : Certificate

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = ClassSwitchingClassifier(0.3, 50, random_state=0).fit(X, y)
    >>> print(model.transition_.round(3))
    [[0.7  0.15 0.15]
     [0.15 0.7  0.15]
     [0.15 0.15 0.7 ]]
    """

    exceptions = {
        "monotone": "an additional member may increase the error",
        "memory": "the codes of the rows, a byte for each cell, stay in memory; so do the rows for members that are no trees",
        "row order": "labels are switched by the numbers of the rows",
        "column order": "among equal splits a tree takes the split on the first column",
        "relabelling": "labels are switched by the numbers of the classes",
        "weights": "a row of weight two is switched as a whole, two rows one by one",
        "check_sample_weight_equivalence_on_dense_data": "a row of weight two is switched as a whole, two rows one by one",
        "check_sample_weight_equivalence_on_sparse_data": "a row of weight two is switched as a whole, two rows one by one",
    }

    def __init__(
        self,
        p: Fraction = 0.3,
        n_estimators: Count = 100,
        estimator: Any = None,
        *,
        voting: Literal["soft", "hard"] = "soft",
        keep_counts: bool = True,
        warm_start: bool = False,
        random_state: Seed = None,
    ):
        self.p = p
        self.n_estimators = n_estimators
        self.estimator = estimator
        self.voting = voting
        self.keep_counts = keep_counts
        self.warm_start = warm_start
        self.random_state = random_state

    def usual(self) -> DecisionTreeClassifier:
        return DecisionTreeClassifier()

    def open(self, X: Any, y: Any = None, sample_weight: Any = None, *, reset: bool = True) -> Rows:
        """Training data as checked rows."""
        rows = super().open(X, y, sample_weight, reset=reset)
        assert rows.labels is not None
        rule = self.rule(class_counts(rows))
        rule.refuse(rows.labels)
        rule.warn(rows.labels)
        return rows

    def prepared_data(self, rows: Rows, seed: int) -> EnsembleData:
        some = CountingRows.of(self.rows_for_members(rows))
        costs, weighted = self.costs_of_base(some.table), some.weight is not None

        def make(data: EnsembleData) -> Any:
            return self.maker(data, required=weighted)

        return EnsembleData(seed, some.table, some.y, some.weight, costs, make, None, some.there)

    def switching(self, data: EnsembleData) -> Switching:
        """How labels are switched."""
        return self.rule(np.bincount(data.y, minlength=data.classes), data.seed)

    def rule(self, counts: Array, seed: int = 0) -> Switching:
        """The same for classes of so many rows."""
        return (Switching if self.keep_counts else FreeSwitching)(self.p, counts, seed)

    def member(self, number: int, data: EnsembleData) -> Member:
        seen: Array = self.switching(data).labels(data.y, number)
        return data.maker.with_labels(seen.astype(np.int32)).member(data.weights, data.seed, number)

    def attributes_of_kind(self, state: Any, data: EnsembleData) -> dict[str, Any]:
        rule, members = self.switching(data), state.iteration + 1
        known = {"p_max_": rule.p_max, "switched_": rule.switched_fractions(members), "transition_": rule.transition}
        return {**super().attributes_of_kind(state, data), **known}
