"""One against the rest: K classes as K problems of two, each class against all others.

    f_k fitted to y_k = 1 in class k, else 0;     predict argmax_k f_k(x)                                     (1)

A row is *claimed* by the classes whose classifier says yes. With linear classifiers there are regions that no class claims or
that several do; there (1) still answers, by comparing numbers that were never fitted to be compared. `ambiguous` shows these
rows, `claims` who wants them. A linear machine (linear_machine.py) has no such regions.

Cost: K fits of the base learner.
Reference: Bishop, "Pattern recognition and machine learning", 2006, section 4.1.2.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.preprocessing import LabelBinarizer
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.rows import Array
from aprendiz.linear.shared.binary_problems import BinaryProblems, Recode, base_has, middle_of, score_of


class OneVsRestClassifier(BinaryProblems):
    """Each class against all others (drop-in for scikit-learn's; also shows which classes claim a row).

    Parameters
    ----------
    estimator : classifier or regressor
        The base learner, of this library or of scikit-learn.
    n_jobs : int, default=None
        Number of problems fitted in parallel by joblib; learners of this library use several threads by themselves.
    verbose : int, default=0
        Verbosity of joblib.

    Attributes
    ----------
    estimators_ : list of n_classes estimators
        One for each class; for two classes, that of the second alone.
    classes_ : ndarray of shape (n_classes,)
    n_classes_ : int
    label_binarizer_ : LabelBinarizer
    multilabel_ : bool
        False: several labels in a row are refused.
    n_features_in_, feature_names_in_
        Those of the base learner, where it has them.
    certificate_ : Certificate
        How many of the fits have a certificate that holds.
    """

    def __init__(self, estimator: Any, *, n_jobs: int | None = None, verbose: int = 0):
        self.estimator = estimator
        self.n_jobs = n_jobs
        self.verbose = verbose

    def problems(self, number: int) -> list[Recode]:
        return [against_rest(k) for k in range(number)] if number > 2 else [against_rest(1)]

    def fit(self, X: Any, y: Any = None, **fit_params: Any) -> Self:
        """Fit the base learner to each class against the rest; `fit_params`, such as weights, go to each of them."""
        return self.set_attributes(*self.fitted_to(X, y, fit_params))

    @available_if(base_has("partial_fit"))
    def partial_fit(self, X: Any, y: Any, classes: Any = None, **partial_fit_params: Any) -> Self:
        """Update the fit with more rows. The first call lists all classes."""
        return self.set_attributes(*self.learned_more(X, y, classes, partial_fit_params))

    def set_attributes(self, labels: Array, models: list[Any]) -> Self:
        binarizer = LabelBinarizer(sparse_output=True).fit(labels)
        self.keep({**self.attributes_of(labels, models), "label_binarizer_": binarizer})
        return self

    @property
    def multilabel_(self) -> bool:
        """Several labels in a row are refused."""
        check_is_fitted(self)
        return False

    def scores(self, X: Any) -> Array:
        """f_k of each row and class; of two classes, of the second alone, in one column."""
        check_is_fitted(self)
        return np.column_stack([score_of(model, X) for model in self.estimators_])

    def predict(self, X: Any) -> Array:
        """(1); the first of several that are equal."""
        scores = self.scores(X)
        if self.n_classes_ > 2:
            return self.classes_[scores.argmax(axis=1)]
        return self.classes_[(scores[:, 0] > middle_of(self.estimators_[0])).astype(np.intp)]

    @available_if(base_has("predict_proba"))
    def predict_proba(self, X: Any) -> Array:
        """The probabilities of the classes, divided by their sum."""
        check_is_fitted(self)
        P = np.column_stack([model.predict_proba(X)[:, 1] for model in self.estimators_])
        P = np.column_stack([1.0 - P, P]) if self.n_classes_ == 2 else P
        total = P.sum(axis=1, keepdims=True)
        return np.asarray(np.divide(P, total, out=P, where=total != 0))

    @available_if(base_has("decision_function"))
    def decision_function(self, X: Any) -> Array:
        """The decision of each class's classifier; a vector for two classes."""
        check_is_fitted(self)
        T = np.column_stack([np.ravel(model.decision_function(X)) for model in self.estimators_])
        return T[:, 0] if self.n_classes_ == 2 else T

    def claims(self, X: Any) -> Array:
        """Of each row and class, whether the classifier of the class says yes."""
        claimed = self.scores(X) > middle_of(self.estimators_[0])
        return np.column_stack([~claimed, claimed]) if self.n_classes_ == 2 else claimed

    def ambiguous(self, X: Any) -> Array:
        """Of each row, whether no class or several classes claim it."""
        return np.asarray(self.claims(X).sum(axis=1) != 1)


def against_rest(k: int) -> Recode:
    """1 for class k, else 0; all rows belong to the problem."""
    return lambda codes: ((codes == k).astype(np.intp), np.ones(len(codes), dtype=bool))
