"""Classes by pairs: a support vector machine for every two classes, and a vote.

    f_ij(x) > 0 votes for i, else for j;   the class with most votes wins, the first of several                    (1)

Support vectors are those of any pair, sorted by class. A support vector of class i takes part in K − 1 pairs; its
coefficient against class j stands in row j − 1 of `dual_coef_` if j > i, else in row j: LIBSVM's table.

For two classes the signs are turned, so that positive values are the second class. f = 0 for both classes alike (far from all
rows, with a kernel of distances) is the second one by (1), as in LIBSVM; `decision_function` counts it for the first.
"""

from __future__ import annotations

import warnings
from abc import abstractmethod
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.class_weights import class_factors
from aprendiz.core.learner import Classifier
from aprendiz.core.parameters import ParameterError
from aprendiz.core.pictures import Picture, display
from aprendiz.core.rows import Array, Rows
from aprendiz.kernel.dual.evidence import DualEvidence
from aprendiz.kernel.dual.problem import DualProblem
from aprendiz.kernel.dual.small_problem import SMALL
from aprendiz.kernel.dual.solver import DualState, fits_as_a_whole
from aprendiz.kernel.gram.gram_matrix import gram_matrix
from aprendiz.kernel.kernels import Linear, Precomputed
from aprendiz.kernel.shared.kernel_machine import ClassPair, KernelMachine, Training, labels_of, target_of
from aprendiz.kernel.shared.linear_plane import intercepts, plane


def without_probabilities(machine: Any) -> bool:
    """Support vector machines give sides, no probabilities."""
    name = type(machine).__name__
    raise AttributeError(f"{name} gives no probabilities: use CalibratedClassifierCV({name}(), ensemble=False).")


class PairClassifier(Classifier, KernelMachine):
    """Support vector machines for pairs of classes."""

    class_weight: Any
    decision_function_shape: str
    break_ties: bool
    probability: Any
    centred_intercept_: Array

    @abstractmethod
    def pair_problem(self, pair: ClassPair, C: float, training: Training) -> DualProblem:
        """The dual problem of two classes, whose rows have C times their weight."""

    @abstractmethod
    def scaled(self, problem: DualProblem, one: DualState, evidence: DualEvidence) -> tuple[Array, float, float]:
        """Coefficients β, intercept b and ‖w‖ of a solved pair."""

    # ---- training ----------------------------------------------------------------------------------------------------

    def pairs(self, rows: Rows) -> list[ClassPair]:
        """Every two classes. Rows of weight 0 belong to none."""
        y, weight = target_of(rows)
        weight = weight * self.class_weights(rows)[y]
        counted = [np.flatnonzero((y == k) & (weight > 0)) for k in range(len(labels_of(rows)))]
        refuse_empty_classes(counted, labels_of(rows))
        found = []
        for i, j in combinations(range(len(labels_of(rows))), 2):
            chosen = np.concatenate([counted[i], counted[j]])
            signs = np.concatenate([np.ones(len(counted[i])), -np.ones(len(counted[j]))])
            found.append(ClassPair(chosen, signs, weight[chosen]))
        return found

    def class_weights(self, rows: Rows) -> Array:
        """v_k, by which C of the rows of class k is multiplied."""
        y, labels = target_of(rows)[0], labels_of(rows)
        if self.class_weight is None:
            return np.ones(len(labels))
        if isinstance(self.class_weight, dict):
            return class_factors(rows, self.class_weight)
        return compute_class_weight(self.class_weight, classes=labels, y=labels[y])

    def problems(self, rows: Rows, training: Training) -> list[DualProblem]:
        if self.probability != "deprecated":
            self.refuse_probability()
        training.pairs = self.pairs(rows)
        training.prices = self.find_prices(rows, training)
        found = [self.pair_problem(pair, C, training) for pair, C in zip(training.pairs, training.prices, strict=True)]
        few = len(found) > 1 and all(len(problem) <= SMALL for problem in found)
        if not (few and fits_as_a_whole(training.points, float(self.cache_size))):
            return found
        if training.gram is None:
            training.gram = gram_matrix(training.kernel, training.points)
        return [replace(one, gram=training.gram, members=pair.rows) for one, pair in zip(found, training.pairs, strict=True)]

    def refuse_probability(self) -> None:
        """Whoever asks for no probabilities is warned, as in scikit-learn; others are told where they are."""
        name = type(self).__name__
        remedy = f"use CalibratedClassifierCV({name}(), ensemble=False)."
        if self.probability is True:
            raise ParameterError(f"probability is deprecated in scikit-learn and not here: {remedy}")
        told = f"The `probability` parameter is deprecated in scikit-learn: leave it out; for probabilities, {remedy}"
        warnings.warn(told, FutureWarning, stacklevel=5 + self.frames)

    def find_prices(self, rows: Rows, training: Training) -> list[float]:
        """By what the weights of each pair are multiplied."""
        return [1.0] * len(training.pairs)

    def conclude(self, training: Training, parts: list[DualState], evidence: list[DualEvidence], rows: Rows) -> dict[str, Any]:
        labels, pairs, table = labels_of(rows), training.pairs, training.table
        y = target_of(rows)[0]
        solved = [self.scaled(*one) for one in zip(training.problems, parts, evidence, strict=True)]
        coefficients = np.zeros((len(y), max(1, len(labels) - 1)))
        for (i, j), (chosen, signs, _), (beta, _, _) in zip(combinations(range(len(labels)), 2), pairs, solved, strict=True):
            coefficients[chosen[signs > 0], j - 1] = beta[signs > 0]
            coefficients[chosen[signs < 0], i] = beta[signs < 0]
        used = np.flatnonzero((coefficients != 0).any(axis=1))
        support = used[np.argsort(y[used], kind="stable")].astype(np.int32)
        side = -1.0 if len(labels) == 2 else 1.0
        dual_coef = side * coefficients[support].T
        kernel = training.chosen
        given = isinstance(kernel, Precomputed)
        vectors = np.empty((0, 0)) if given else table[support]
        at_bound = self.bound_rows(training, parts, len(y))
        constants = side * np.array([b for _, b, _ in solved])
        counts = np.bincount(y[support], minlength=len(labels)).astype(np.int32)
        return {
            "classes_": labels,
            "class_weight_": self.class_weights(rows),
            "kernel_": kernel,
            "support_": support,
            "support_vectors_": vectors,
            "n_support_": counts,
            "dual_coef_": sparse.csr_array(dual_coef) if sparse.issparse(table) and not given else dual_coef,
            "intercept_": intercepts(training.pivot, columns_of_pairs(dual_coef, counts).T, vectors, constants),
            "centre_": training.pivot,
            "centred_intercept_": constants,
            "margin_": np.array([1.0 / max(norm, np.finfo(float).tiny) for _, _, norm in solved]),
            "error_support_": support[at_bound[support]],
            "margin_support_": support[~at_bound[support]],
            "n_iter_": np.array([one.steps for one in parts], np.int32),
            "shape_fit_": tuple(table.shape),
            "fit_status_": int(not all(one.settled for one in parts)),
        }

    def bound_rows(self, training: Training, parts: list[DualState], n: int) -> Array:
        """Rows whose coefficient is at its bound in some pair: on the wrong side of their margin, or on it by chance."""
        found = np.zeros(n, bool)
        for problem, one, (chosen, signs, _) in zip(training.problems, parts, training.pairs, strict=True):
            limit = np.where(signs > 0, problem.high, problem.low)
            found[chosen] |= (one.beta == limit) & (one.beta != 0)
        return found

    # ---- new rows ----------------------------------------------------------------------------------------------------

    def pair_values(self, X: Any) -> Array:
        """f_ij of each row, for the pairs (0, 1), (0, 2), …, (1, 2), …; for two classes with the sign turned."""
        check_is_fitted(self)
        return self.sums_over_support(X, self.coefficients_of_pairs()) + self.centred_intercept_

    def coefficients_of_pairs(self) -> Array:
        """The coefficients of the support vectors, a column for each pair."""
        dual = self.dual_coef_.toarray() if sparse.issparse(self.dual_coef_) else self.dual_coef_
        return columns_of_pairs(dual, self.n_support_)

    def decision_function(self, X: Any) -> Array:
        """For two classes f(x), positive for the second; for more, votes and values together (one column for each class), or
        with decision_function_shape="ovo" the value of each pair, positive for its first class."""
        values = self.pair_values(X)
        if len(self.classes_) == 2:
            return values[:, 0]
        if self.decision_function_shape == "ovo":
            return values
        votes, totals = self.votes(values, values >= 0)
        return votes + totals / (3.0 * (np.abs(totals) + 1.0))

    def votes(self, values: Array, firsts: Array) -> tuple[Array, Array]:
        """How many pairs each class wins, and the sum of its values. `firsts`: whether the first class of a pair wins."""
        classes = len(self.classes_)
        votes, totals = np.zeros((2, len(values), classes))
        start = 0
        for i in range(classes - 1):
            pairs = slice(start, start := start + classes - 1 - i)  # of i and each class after it
            votes[:, i] += firsts[:, pairs].sum(axis=1)
            votes[:, i + 1 :] += ~firsts[:, pairs]
            totals[:, i] += values[:, pairs].sum(axis=1)
            totals[:, i + 1 :] -= values[:, pairs]
        return votes, totals

    def predict(self, X: Any) -> Array:
        """The class of each row, by (1); with break_ties, equal votes are decided by the values."""
        if self.break_ties and self.decision_function_shape == "ovo":
            raise ValueError("break_ties must be False when decision_function_shape is 'ovo'")
        values = self.pair_values(X)
        if len(self.classes_) == 2:
            return self.classes_[(values[:, 0] >= 0).astype(np.intp)]
        votes, totals = self.votes(values, values >= 0 if self.break_ties else values > 0)
        if self.break_ties:
            votes = votes + totals / (3.0 * (np.abs(totals) + 1.0))
        return self.classes_[votes.argmax(axis=1)]

    @available_if(without_probabilities)
    def predict_proba(self, X: Any) -> None:
        """None: see CalibratedClassifierCV."""

    @available_if(without_probabilities)
    def predict_log_proba(self, X: Any) -> None:
        """None: see CalibratedClassifierCV."""

    def plot(self, X: Any, y: Any = None, *, columns: Any = None, ax: Any = None) -> Picture:
        """Boundary, margins and support vectors over two columns of the training rows: a `MarginDisplay`. Needs matplotlib."""
        return display("MarginDisplay")(self, X, y, columns=columns).plot(ax)

    @property
    def coef_(self) -> Any:
        """The planes of the linear kernel, one for each pair."""
        if not isinstance(self.kernel_, Linear):
            raise AttributeError("coef_ is only available when using a linear kernel")
        columns, vectors = self.coefficients_of_pairs(), self.support_vectors_
        return plane(self, sparse.csr_array(columns.T) if sparse.issparse(vectors) else columns.T, vectors)


def columns_of_pairs(dual: Array, counts: Array) -> Array:
    """LIBSVM's table as a column for each pair; `counts` are the support vectors of each class."""
    if len(counts) == 2:
        return np.ascontiguousarray(dual.T)
    ends = np.cumsum([0, *counts])
    pairs = list(combinations(range(len(counts)), 2))
    columns = np.zeros((dual.shape[1], len(pairs)))
    for column, (i, j) in enumerate(pairs):
        of_i, of_j = slice(ends[i], ends[i + 1]), slice(ends[j], ends[j + 1])
        columns[of_i, column], columns[of_j, column] = dual[j - 1, of_i], dual[i, of_j]
    return columns


def refuse_empty_classes(counted: list[Array], labels: Array) -> None:
    """Classes of which no row counts."""
    empty = [label for label, rows in zip(labels.tolist(), counted, strict=True) if not len(rows)]
    if empty:
        raise ValueError(
            f"Invalid input - all samples of class {empty[0]!r} have zero weights: a support vector machine needs rows of "
            "every class. Leave the class out of y, or give it a weight."
        )
