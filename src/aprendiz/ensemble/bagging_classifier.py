"""Bagging for classes. Bags are in bagging.py, votes in voting.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

import numpy as np
from scipy.special import logsumexp
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.learner import Classifier
from aprendiz.core.parameters import Count, Seed, Within
from aprendiz.core.rows import Array
from aprendiz.ensemble.members.bagging import Bagging
from aprendiz.ensemble.members.voting import logarithms
from aprendiz.tree.decision_tree_classifier import DecisionTreeClassifier
from aprendiz.tree.shared.parameters import RowsOrShare


def base_decides(ensemble: Any) -> bool:
    """Whether the base learner has a decision function."""
    return hasattr(ensemble.base(), "decision_function")


class BaggingClassifier(Classifier, Bagging):
    """Bagging (drop-in for scikit-learn's; majority votes, out-of-bag errors of every size, trees in one forest).

    Parameters
    ----------
    estimator : classifier, default=None
        The base learner, of this library or compatible with scikit-learn; None for a DecisionTreeClassifier. Costs, priors
        and class weights are those of the base learner.
    n_estimators : int, default=10
        Number of members.
    max_samples : int or float, optional
        Number of rows in a bootstrap sample, or a fraction of all (of their weight); by default, as many as there are.
    max_features : int or float, default=1.0
        Number of columns of each member, or a fraction of them.
    bootstrap : bool, default=True
        Whether rows are drawn with replacement (in proportion to the weights), or without.
    bootstrap_features : bool, default=False
        Whether columns are drawn with replacement.
    oob_score : bool or function, default=False
        Whether to compute out-of-bag predictions and their score: the accuracy, or a function `f(y_true, y_pred)`.
    warm_start : bool, default=False
        Whether to keep the members of the previous fit and add more, up to n_estimators.
    n_jobs, verbose : ignored
    random_state : int, RandomState or None
    voting : {"soft", "hard"}, default="soft"
        Average the class probabilities of the members, if they have them ("soft"), or count one vote from each ("hard").
    patience : int, optional
        Stop when the out-of-bag error has not improved for this many members.

    Attributes
    ----------
    estimator_ : classifier
        The base learner.
    estimators_ : list of classifiers
        The members; trees of this library are created on access.
    estimators_samples_, estimators_features_ : list of ndarray
        Rows in the bag of each member, and the columns it sees.
    forest_, models_ : Forest and list
        The members: trees in one forest, or others.
    classes_, n_classes_ : labels of the classes, and their number
    oob_decision_function_, oob_confusion_ : ndarray of shape (n, n_classes) and (n_classes, n_classes)
        Out-of-bag votes, and the confusion matrix of the out-of-bag predictions (true classes in rows).
    oob_score_ : float
    oob_errors_ : ndarray of shape (n_estimators,)
        The out-of-bag error rate of the first 1, 2, … members.
    n_never_out_ : int
        Number of rows without an out-of-bag prediction: they are in the bag of every member.
    importances_ : ndarray of shape (n_estimators, n_features)
        The importance of each column in each member, if the members have importances.
    bags_ : Bags
        Which rows each member was trained on.
    columns_ : Columns or None
        The schema of the columns, if some are categorical.
    certificate_ : Certificate
    """

    least_classes = 1
    differences = {
        "estimators_": "another form: members know the labels of the classes; trees are created on access; "
        "members that take weights are not given the rows outside of their bag",
        "n_jobs": "no effect: members are fitted side by side in all threads",
        "verbose": "no effect: aprendiz.training(progress=True) shows a bar",
        "oob_score": "another form: also for bootstrap=False where max_samples leaves rows out, and with warm_start",
    }
    exceptions = {
        "same answer": "other random numbers",
        "monotone": "an additional member may increase the error",
        "memory": "the codes of the rows, a byte for each cell, stay in memory; so do the rows for members that are no trees",
        "row order": "bags are drawn by the numbers of the rows",
        "column order": "among equal splits a tree takes the split on the first column",
        "relabelling": "of equal votes the first class wins",
        "weights": "a row of weight two is twice as likely to be drawn, but a bag has as many rows as the table",
        "check_sample_weight_equivalence_on_dense_data": "a bag has as many rows as the table, repeated or not",
        "check_sample_weight_equivalence_on_sparse_data": "a bag has as many rows as the table, repeated or not",
    }

    def __init__(
        self,
        estimator: Any = None,
        n_estimators: Count = 10,
        *,
        max_samples: RowsOrShare | None = None,
        max_features: Count | Annotated[float, Within(0, 1, above=True)] = 1.0,
        bootstrap: bool = True,
        bootstrap_features: bool = False,
        oob_score: bool | Callable[..., Any] = False,
        warm_start: bool = False,
        n_jobs: int | None = None,
        random_state: Seed = None,
        verbose: int = 0,
        voting: Literal["soft", "hard"] = "soft",
        patience: Count | None = None,
    ):
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.max_samples = max_samples
        self.max_features = max_features
        self.bootstrap = bootstrap
        self.bootstrap_features = bootstrap_features
        self.oob_score = oob_score
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.voting = voting
        self.patience = patience

    def usual(self) -> DecisionTreeClassifier:
        return DecisionTreeClassifier()

    def predict_proba(self, X: Any, **params: Any) -> Array:
        """The mean of the votes, class by class. `params`, metadata of the rows, go to the members that ask for them."""
        return self.sums(X, self.route("predict_proba", params)) / len(self)

    def predict_log_proba(self, X: Any, **params: Any) -> Array:
        """The logarithms of `predict_proba`, from those of the members where they have them: no share is too small for them."""
        metadata = self.route("predict_log_proba", params)
        check_is_fitted(self)
        tell_logs = self.voting == "soft" and all(hasattr(model.learner, "predict_log_proba") for model in self.models_)
        if not self.models_ or not tell_logs:
            return np.asarray(logarithms(self.sums(X, metadata) / len(self)))
        rows = self.new_rows(X)
        return np.asarray(logsumexp([model.logarithms(rows, metadata) for model in self.models_], axis=0) - np.log(len(self)))

    @available_if(base_decides)
    def decision_function(self, X: Any, **params: Any) -> Array:
        """The mean of the members' decision functions. `params`, metadata of the rows, go to the members that ask for them."""
        metadata = self.route("decision_function", params)
        check_is_fitted(self)
        for number, model in enumerate(self.models_):
            if 0 < len(model.learner.classes_) < len(self.classes_):  # who names no class is believed
                raise ValueError(
                    f"Member {number} saw {len(model.learner.classes_)} of {len(self.classes_)} classes in its bag, and has no "
                    "decision function for the others: call predict or predict_proba, or raise max_samples."
                )
        rows = self.new_rows(X)
        total: Array = sum(model.decisions(rows, metadata) for model in self.models_)
        return total / len(self.models_)
