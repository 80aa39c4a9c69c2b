"""One against the rest: K classes as K problems of two, each class against all others.

    f_k fitted to y_k = 1 in class k, else 0;     predict argmax_k f_k(x)                                     (1)

A row is *claimed* by the classes whose classifier says yes. With linear classifiers there are regions that no class claims or
that several do; there (1) still answers, by comparing numbers that were never fitted to be compared. `ambiguous` shows these
rows, `claims` who wants them. A linear machine (linear_machine.py) has no such regions.

Where y is a table of 0 and 1 (multilabel), a row may have any number of labels: f_k is fitted to column k, and the prediction
is the table of the claims. Where all rows are of one class, nothing is fitted: it is the answer, with a warning.

Cost: K fits of the base learner.
Reference: Bishop, "Pattern recognition and machine learning", 2006, section 4.1.2.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.preprocessing import LabelBinarizer
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.inputs import is_read_in_blocks
from aprendiz.core.rows import Array
from aprendiz.core.targets import plain, same_length
from aprendiz.linear.shared.binary_problems import (
    BinaryProblems,
    Recode,
    base_has,
    middle_of,
    refuse_no_learner,
    refuse_several_labels,
    score_of,
    target_of,
)
from aprendiz.linear.shared.constant_label import row_count


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
        One for each class; for two classes, that of the second alone; a constant where all rows are of one class.
    classes_ : ndarray of shape (n_classes,)
    n_classes_ : int
    label_binarizer_ : LabelBinarizer
    multilabel_ : bool
        Whether y was a table of 0 and 1, a column for each label.
    n_features_in_, feature_names_in_
        Those of the base learner, where it has them.
    certificate_ : Certificate
        How many of the fits have a certificate that holds.
    """

    least_classes = 1

    def __init__(self, estimator: Any, *, n_jobs: int | None = None, verbose: int = 0):
        self.estimator = estimator
        self.n_jobs = n_jobs
        self.verbose = verbose

    def problems(self, number: int) -> list[Recode]:
        return [against_rest(k) for k in range(number)] if number > 2 else [against_rest(1)]

    def fit(self, X: Any, y: Any = None, **fit_params: Any) -> Self:
        """Fit the base learner to each class against the rest, or to each column of a table of 0 and 1; `fit_params`, such as
        weights, go to each of them."""
        if not is_read_in_blocks(X) and (target := target_of(y)).ndim == 2 and target.shape[1] > 1:
            return self.fit_labels(X, target, fit_params)
        labels, models = self.fitted_to(X, y, fit_params)
        if len(labels) == 1:
            warnings.warn(f"Label not {plain(labels[0])} is present in all training examples.", UserWarning, stacklevel=2)
        return self.set_attributes(labels, models)

    def fit_labels(self, X: Any, y: Any, params: Mapping[str, Any]) -> Self:
        """Fit the base learner to each column of a table of 0 and 1."""
        refuse_no_learner(self.estimator)
        refuse_no_indicators(y)
        same_length("y", y.shape[0], row_count(X))
        binarizer = LabelBinarizer(sparse_output=True).fit(y)
        indicators = sparse.csc_array(y)
        warn_of_constant(indicators)
        problems = [column_of(k) for k in range(y.shape[1])]
        models = self.fit_all(X, indicators, problems, self.route("fit", params))
        self.keep({**self.attributes_of(binarizer.classes_, models), "label_binarizer_": binarizer})
        return self

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
        """Whether y was a table of 0 and 1, a column for each label."""
        check_is_fitted(self)
        return bool(self.label_binarizer_.y_type_ == "multilabel-indicator")

    @property
    def middles(self) -> Array:
        """The score above which each classifier says yes."""
        return np.array([middle_of(model) for model in self.estimators_])

    def scores(self, X: Any) -> Array:
        """f_k of each row and class; of two classes, of the second alone, in one column."""
        check_is_fitted(self)
        return np.column_stack([score_of(model, X) for model in self.estimators_])

    def predict(self, X: Any) -> Any:
        """(1); the first of several that are equal. Of several labels in a row, a table of 0 and 1, sparse if y was."""
        scores = self.scores(X)
        claimed = (scores > self.middles).astype(np.intp)
        if self.multilabel_:
            return sparse.csr_array(claimed) if self.label_binarizer_.sparse_input_ else claimed
        return self.classes_[scores.argmax(axis=1) if self.n_classes_ > 2 else claimed[:, 0]]

    @available_if(base_has("predict_proba"))
    def predict_proba(self, X: Any) -> Array:
        """The probabilities of the classes, divided by their sum; of several labels in a row, that of each label. A single
        class has two columns, as in scikit-learn: its own, and that of all others."""
        check_is_fitted(self)
        P = np.column_stack([model.predict_proba(X)[:, 1] for model in self.estimators_])
        if self.multilabel_:
            return P
        P = np.column_stack([1.0 - P, P]) if len(self.estimators_) == 1 else P
        total = P.sum(axis=1, keepdims=True)
        return np.asarray(np.divide(P, total, out=P, where=total != 0))

    @available_if(base_has("decision_function"))
    def decision_function(self, X: Any) -> Array:
        """The decision of each class's classifier; a vector for two classes."""
        check_is_fitted(self)
        T = np.column_stack([np.ravel(model.decision_function(X)) for model in self.estimators_])
        return T[:, 0] if len(self.estimators_) == 1 else T

    def claims(self, X: Any) -> Array:
        """Of each row and class, whether the classifier of the class says yes."""
        claimed = self.scores(X) > self.middles
        return np.column_stack([~claimed, claimed]) if len(self.estimators_) == 1 else claimed

    def ambiguous(self, X: Any) -> Array:
        """Of each row, whether no class or several classes claim it."""
        return np.asarray(self.claims(X).sum(axis=1) != 1)


def against_rest(k: int) -> Recode:
    """1 for class k, else 0; all rows belong to the problem."""
    return lambda codes: ((codes == k).astype(np.intp), np.ones(len(codes), dtype=bool))


def column_of(k: int) -> Recode:
    """Column k of a table of 0 and 1; all rows belong to the problem."""
    return lambda table: (table[:, [k]].toarray().ravel().astype(np.intp), np.ones(table.shape[0], dtype=bool))


def refuse_no_indicators(y: Any) -> None:
    """Targets of several columns that are not all 0 or 1."""
    found = sparse.coo_array(y) if sparse.issparse(y) else y
    values = found.data if sparse.issparse(y) else y
    strange = np.atleast_1d((values != 0) & (values != 1))
    if y.dtype.kind in "biuf" and not strange.any():
        return
    if y.dtype.kind not in "biuf":
        refuse_several_labels(y)
    place = tuple(part[strange][0] for part in found.coords) if sparse.issparse(y) else tuple(np.argwhere(strange)[0])
    raise ValueError(
        f"y holds {plain(values[strange][0])!r} in row {place[0]}, column {place[1]}: several labels in a row are given as a "
        "table of 0 and 1, a column for each label; for several targets use sklearn.multioutput.MultiOutputClassifier."
    )


def warn_of_constant(indicators: Any) -> None:
    """Labels that every row has, or no row."""
    counts = np.asarray(indicators.sum(axis=0)).ravel()
    for k in np.flatnonzero((counts == 0) | (counts == indicators.shape[0])):
        which = f"Label {k}" if counts[k] else f"Label not {k}"
        warnings.warn(f"{which} is present in all training examples.", UserWarning, stacklevel=4)
