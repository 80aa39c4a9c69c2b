"""One against one: K classes as K(K − 1)/2 problems of two, each pair of classes alone.

    f_ij fitted to the rows of the classes i < j;     v_k = number of pairs that k wins                        (1)
    predict argmax_k v_k + c_k/(3(|c_k| + 1)),        c_k = Σ_j ± f_kj, the sum of its scores                  (2)

The second part of (2) is below ⅓, so it only decides between classes with as many votes. With linear classifiers there are
regions where votes are tied (i beats j, j beats k, k beats i); `ambiguous` shows the rows in them, `votes` the counts.

Cost: K(K − 1)/2 fits of the base learner, each to the rows of two classes.
Reference: Bishop, "Pattern recognition and machine learning", 2006, section 4.1.2.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any, Self

import numpy as np
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.rows import Array
from aprendiz.linear.shared.binary_problems import BinaryProblems, Recode, base_has, labels_of, middle_of, score_of


class OneVsOneClassifier(BinaryProblems):
    """Each pair of classes alone, by votes (drop-in for scikit-learn's; also shows tied votes).

    Parameters
    ----------
    estimator : classifier or regressor
        The base learner, of this library or of scikit-learn.
    n_jobs : int, default=None
        Number of problems fitted in parallel by joblib; learners of this library use several threads by themselves.

    Attributes
    ----------
    estimators_ : list of n_classes·(n_classes − 1)/2 estimators
        For the pairs (0, 1), (0, 2), …, (1, 2), …
    classes_ : ndarray of shape (n_classes,)
    n_classes_ : int
    pairwise_indices_ : list of ndarray, or None
        The rows of each problem, where the base takes a table of pairs of rows.
    n_features_in_, feature_names_in_
        Those of the base learner, where it has them.
    certificate_ : Certificate
        How many of the fits have a certificate that holds.
    """

    verbose = 0

    def __init__(self, estimator: Any, *, n_jobs: int | None = None):
        self.estimator = estimator
        self.n_jobs = n_jobs

    def problems(self, number: int) -> list[Recode]:
        return [against(i, j) for i, j in combinations(range(number), 2)]

    def fit(self, X: Any, y: Any = None, **fit_params: Any) -> Self:
        """Fit the base learner to each pair of classes; `fit_params`, such as weights, go to each of them."""
        labels, models = self.fitted_to(X, y, fit_params)
        indices = None
        if get_tags(self.estimator).input_tags.pairwise:
            codes = labels_of(X, y)[1]
            indices = [np.flatnonzero(recode(codes)[1]) for recode in self.problems(len(labels))]
        return self.set_attributes(labels, models, indices)

    @available_if(base_has("partial_fit"))
    def partial_fit(self, X: Any, y: Any, classes: Any = None, **partial_fit_params: Any) -> Self:
        """Update the fit with more rows. The first call lists all classes."""
        return self.set_attributes(*self.learned_more(X, y, classes, partial_fit_params), None)

    def set_attributes(self, labels: Array, models: list[Any], indices: list[Array] | None) -> Self:
        attributes = self.attributes_of(labels, models)
        if indices is not None:  # each model saw a part of the columns
            attributes["n_features_in_"] = len(np.unique(np.concatenate(indices)))
        self.keep({**attributes, "pairwise_indices_": indices})
        return self

    def each_table(self, X: Any) -> list[Any]:
        """What each problem sees of new rows: all of it, or its own columns of a table of pairs."""
        check_is_fitted(self)
        if self.pairwise_indices_ is None:
            return [X] * len(self.estimators_)
        return [X[:, columns] for columns in self.pairwise_indices_]

    def votes(self, X: Any) -> Array:
        """v_k of each row and class."""
        tables = self.each_table(X)
        said = [model.predict(table) for model, table in zip(self.estimators_, tables, strict=True)]
        votes = np.zeros((len(said[0]), self.n_classes_))
        for (i, j), winner in zip(combinations(range(self.n_classes_), 2), said, strict=True):
            votes[:, i] += winner == 0
            votes[:, j] += winner == 1
        return votes

    def decision_function(self, X: Any) -> Array:
        """Votes and scores together, (2); for two classes that of the second."""
        tables, votes = self.each_table(X), self.votes(X)
        total = np.zeros_like(votes)
        pairs = combinations(range(self.n_classes_), 2)
        for model, (i, j), table in zip(self.estimators_, pairs, tables, strict=True):
            score = score_of(model, table)
            total[:, i] -= score
            total[:, j] += score
        T = votes + total / (3.0 * (np.abs(total) + 1.0))
        return T[:, 1] if self.n_classes_ == 2 else T

    def predict(self, X: Any) -> Array:
        """The class with the largest decision; the first of several that are equal."""
        T = self.decision_function(X)
        if T.ndim == 2:
            return self.classes_[T.argmax(axis=1)]
        second = T - middle_of(self.estimators_[0]) > 0
        return self.classes_[second.astype(np.intp)]

    def ambiguous(self, X: Any) -> Array:
        """Of each row, whether several classes have the most votes."""
        votes = self.votes(X)
        return np.asarray((votes == votes.max(axis=1, keepdims=True)).sum(axis=1) > 1)


def against(i: int, j: int) -> Recode:
    """0 for class i and 1 for class j; no other row belongs to the problem."""
    return lambda codes: ((codes == j).astype(np.intp), (codes == i) | (codes == j))
