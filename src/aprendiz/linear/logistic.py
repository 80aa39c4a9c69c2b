"""Logistic regression: the probability of a class as the sigmoid (two classes) or softmax (more) of a linear function.

    two classes     p(1|x) = σ(b + xᵀw),            ℓ = ln(1 + e^t) − y·t,            t = b + xᵀw
    K classes       p(k|x) = e^{t_k} / Σ_j e^{t_j},  ℓ = ln Σ_j e^{t_j} − t_y,        t_k = b_k + xᵀw_k
    minimise        F = Σ ω ℓ + ‖w‖² / (2C)                       (intercepts are not penalised)               (1)

F is convex and is minimised by Newton's method, or L-BFGS for very many parameters (newton.py), on sums over the rows
(logistic_loss.py). The first steps are done
on a sample of the rows: its minimiser is already so close that two or three full passes remain.

Cost of a pass with p = (K − 1)(d + 1) parameters: n·p²/2 multiplications and memory p², or n·p and 20·p with L-BFGS.
Reference: Hastie, Tibshirani & Friedman, "The elements of statistical learning", 2nd ed., section 4.4.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from scipy import sparse
from scipy.special import expit, log_expit, log_softmax, softmax

from aprendiz.core.certificate import Certificate
from aprendiz.core.iteration import Iterative
from aprendiz.core.learner import Classifier
from aprendiz.core.parameters import Fraction, NonNegative, Positive, Seed, Whole
from aprendiz.core.rows import Array, ArrayRows, Rows, solid
from aprendiz.core.sample import Sample
from aprendiz.linear.logistic_loss import Totals
from aprendiz.linear.newton import Descent, Problem

SAMPLE = 2048  # rows, or up to twice as many, that the first steps see


class LogisticRegression(Classifier, Iterative):
    """Logistic regression (drop-in for scikit-learn's; Newton's method on sums, also from files and sparse data).

    Parameters
    ----------
    C : float, default=1.0
        Inverse strength of the penalty; `np.inf` for none.
    tol : float, default=1e-4
        Largest entry of the gradient, for each unit of weight, at which the fit may stop. Newton's method ends far below;
        with very many parameters the fit is by L-BFGS, which stops there.
    fit_intercept : bool, default=True
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes; "balanced" gives each class the same total.
    max_iter : int, default=100
        Passes over the rows.
    warm_start : bool, default=False
        Start from the coefficients of the last fit.
    penalty, l1_ratio, dual, intercept_scaling
        Refused if changed.
    random_state, solver, verbose, n_jobs
        No effect.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
    intercept_ : ndarray of shape (1,) or (n_classes,)
    n_iter_ : ndarray of shape (1,)
        Passes over all the rows.
    certificate_ : Certificate
        F, the largest entry of its gradient, and the Newton decrement at the answer.
    """

    State = Descent
    allows = frozenset({"sparse"})
    differences = {
        "penalty": "refused: deprecated in scikit-learn; use C",
        "l1_ratio": "refused: only 0, the squared penalty, is available",
        "dual": "refused: the primal problem is solved",
        "intercept_scaling": "refused: the intercept is not penalised",
        "random_state": "no effect: nothing depends on chance",
        "solver": "no effect: Newton's method, or L-BFGS with very many parameters",
        "verbose": "no effect: use aprendiz.training(progress=True)",
        "n_jobs": "no effect: threads follow APRENDIZ_NUM_THREADS",
        "coef_": "another form: float64 for float32 data too",
        "intercept_": "another form: float64 for float32 data too",
    }
    exceptions = {"scaling": "the penalty is not invariant to the scale of the columns"}
    tuning = {"C": (0.01, 0.1, 1.0, 10.0, 100.0)}

    def __init__(
        self,
        penalty: Literal["deprecated"] = "deprecated",
        *,
        C: Positive = 1.0,
        l1_ratio: Fraction | None = 0.0,
        dual: bool = False,
        tol: NonNegative = 1e-4,
        fit_intercept: bool = True,
        intercept_scaling: float = 1,
        class_weight: dict[Any, Any] | Literal["balanced"] | None = None,
        random_state: Seed = None,
        solver: Literal["lbfgs", "liblinear", "newton-cg", "newton-cholesky", "sag", "saga"] = "lbfgs",
        max_iter: Whole = 100,
        verbose: Whole | bool = 0,
        warm_start: bool = False,
        n_jobs: int | None = None,
    ):
        self.penalty = penalty
        self.C = C
        self.l1_ratio = l1_ratio
        self.dual = dual
        self.tol = tol
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.class_weight = class_weight
        self.random_state = random_state
        self.solver = solver
        self.max_iter = max_iter
        self.verbose = verbose
        self.warm_start = warm_start
        self.n_jobs = n_jobs

    def open(self, X: Any, y: Any = None, sample_weight: Any = None, *, reset: bool = True) -> Rows:
        for name, usual in {"l1_ratio": (0.0, None), "dual": (False,), "intercept_scaling": (1,)}.items():
            if getattr(self, name) not in usual:
                raise ValueError(f"{name}={getattr(self, name)!r} is not available: {self.differences[name]}.")
        rows = super().open(X, y, sample_weight, reset=reset)
        rows.width = (0 if rows.labels is None else len(rows.labels)) * (1 + rows.columns)
        return rows if self.class_weight is None else reweighted(rows, self.class_weight)

    # ---- the loop ----------------------------------------------------------------------------------------------------

    def states(self, rows: Rows, since: Descent | None = None) -> Iterator[Descent]:
        problem = Problem.of(rows, 1.0 / self.C, self.fit_intercept)
        state = since
        if state is None:
            state = problem.at(self.first_theta(rows, problem), 0, self.tol)
            yield state
        while not (state.settled or state.stuck or (state.separated and state.slope <= self.tol)):
            if state.iteration >= self.max_iter:
                return
            state = problem.next(state, self.tol)
            yield state

    def first_theta(self, rows: Rows, problem: Problem) -> Array:
        """Where to start: the last fit if asked, the minimiser of a sample if there are many rows, else zero."""
        if self.warm_start and hasattr(self, "coef_") and self.coef_.shape == (problem.outputs, rows.columns):
            last = np.column_stack([self.intercept_ + self.coef_ @ problem.origin, self.coef_])
            return problem.outward(problem.inward(last))  # what lies outside the span of the rows would stay for ever
        zero = np.zeros((problem.outputs, 1 + rows.columns))
        stored_sparse = isinstance(rows, ArrayRows) and not rows.dense
        if problem.basis is not None or stored_sparse or (rows.count is not None and rows.count <= 8 * SAMPLE):
            return zero
        some = Sample.drawn(problem.rows, SAMPLE, seed=0).rows()
        totals = some.sum(Totals.of, problem.classes).weight
        if not (totals > 0).all():
            return zero
        share = totals.sum() / problem.weight
        small = replace(problem, rows=some, weight=totals.sum(), alpha=problem.alpha * share)
        state = small.at(zero, 0, self.tol)
        while state.decrement > 0.05 * zero.size and not state.separated and state.iteration < 20:
            state = small.next(state, self.tol)  # the sample itself is about p/2 away from the answer
        return state.theta

    # ---- the answer --------------------------------------------------------------------------------------------------

    def attributes(self, state: Descent, rows: Rows) -> dict[str, Any]:
        b, W = state.theta[:, 0], state.theta[:, 1:]
        claim, known = "the gradient of F is below tol", {"objective": state.objective, "slope": state.slope}
        if state.formed:
            claim = "no parameters lower F by more than about the decrement"
            known["decrement"] = state.decrement
        holds = state.slope <= self.tol and not state.separated
        return {
            "classes_": rows.labels,
            "coef_": W.copy(),
            "intercept_": b - W @ state.origin if self.fit_intercept else np.zeros(len(b)),
            "n_iter_": np.array([state.iteration], np.int32),
            "certificate_": Certificate(claim, holds, {**known, "separated": state.separated}),
        }

    def reason(self, state: Descent) -> str:
        if state.separated:
            return "a hyperplane separates the classes"
        return "rounding hides any further descent" if state.stuck else super().reason(state)

    def remedy(self) -> str:
        if self.certificate_.separated:
            return "Without a penalty the coefficients would grow for ever: give a finite C."
        return f"Raise max_iter (it is {self.max_iter}), or scale the columns."

    def most_states(self) -> int:
        return self.max_iter + 1

    def decision_function(self, X: Any) -> Array:
        """t of (1): one column for each class, a vector for two classes."""
        rows = self.new_rows(X)
        coef = self.coef_.toarray() if sparse.issparse(self.coef_) else self.coef_
        scores = rows.each(lambda block: block.X @ coef.T + self.intercept_)
        return scores[:, 0] if len(self.classes_) == 2 else scores

    def predict(self, X: Any) -> Array:
        """The most probable class of each row."""
        t = self.decision_function(X)
        return self.classes_[(t > 0).astype(np.intp) if t.ndim == 1 else t.argmax(axis=1)]

    def predict_proba(self, X: Any) -> Array:
        """The probability of each class."""
        t = self.decision_function(X)
        return np.column_stack([expit(-t), expit(t)]) if t.ndim == 1 else softmax(t, axis=1)

    def predict_log_proba(self, X: Any) -> Array:
        """The logarithm of the probability of each class."""
        t = self.decision_function(X)
        return np.column_stack([log_expit(-t), log_expit(t)]) if t.ndim == 1 else log_softmax(t, axis=1)

    coef_: Any

    def sparsify(self) -> LogisticRegression:
        """Keep the coefficients as a sparse matrix."""
        self.coef_ = sparse.csr_matrix(self.coef_)
        return self

    def densify(self) -> LogisticRegression:
        """Keep the coefficients as an array."""
        if sparse.issparse(self.coef_):
            self.coef_ = self.coef_.toarray()
        return self


def reweighted(rows: Rows, class_weight: dict[Any, Any] | str) -> Rows:
    """Rows whose weights are multiplied by those of their classes."""
    labels = rows.labels
    assert labels is not None
    if class_weight == "balanced":
        totals = rows.sum(Totals.of, len(labels)).weight
        factor = totals.sum() / (len(labels) * np.maximum(totals, 1e-300))
    else:
        assert isinstance(class_weight, dict)
        unknown = [key for key in class_weight if key not in labels.tolist()]
        if unknown and not all(label in class_weight for label in labels.tolist()):  # a class may be absent from a fold
            raise ValueError(f"class_weight names {unknown[0]!r}, which is no class of y: {labels.tolist()[:20]}.")
        for label, weight in class_weight.items():
            if not (isinstance(weight, (int, float, np.number)) and 0 <= weight < np.inf):
                raise ValueError(f"class_weight of {label!r} must be a number of at least 0, got {weight!r}.")
        factor = np.array([float(class_weight.get(label, 1.0)) for label in labels.tolist()])

    if isinstance(rows, ArrayRows):
        return rows.like(weight=factor[rows.y] if rows.weight is None else rows.weight * factor[rows.y])
    return rows.changed(lambda block: replace(block, weight=solid(block.weights * factor[block.y])))
