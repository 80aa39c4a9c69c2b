"""Logistic regression: the probability of a class as the sigmoid (two classes) or softmax (more) of a linear function.

    two classes     p(1|x) = σ(b + xᵀw),            ℓ = ln(1 + e^t) − y·t,            t = b + xᵀw
    K classes       p(k|x) = e^{t_k} / Σ_j e^{t_j},  ℓ = ln Σ_j e^{t_j} − t_y,        t_k = b_k + xᵀw_k
    minimise        F = Σ ω ℓ + (ρ‖w‖₁ + ½(1 − ρ)‖w‖²)/C          (intercepts are not penalised)               (1)

    the loss        logistic_loss.py, as sums over the rows
    the penalty     sparse_penalty.py: ρ = 0 shrinks, ρ = 1 makes zeros, C = ∞ is none
    the solver      newton.py: Newton's method with H formed, or L-BFGS (quasi_newton.py) for very many parameters
                    sparse_logistic.py around prox_newton.py, where coefficients may become zero (ρ > 0)
                    stochastic_logistic.py, if asked for

F is convex. With many rows the first steps of Newton's method are done on a sample of them: its minimiser is already so close
that two or three full passes remain. Without a penalty, classes that a hyperplane separates have no minimiser: that is found
out and said.

`loss="squared"` is the squared error through the sigmoid, Σ ω (y − σ(t))², instead: bounded, so that single rows that are wrong
by far hardly count, but not convex: what is found is a stationary point near the start.

Cost of a pass with p = (K − 1)(d + 1) parameters: n·p²/2 multiplications and memory p², or n·p and 20·p with L-BFGS.
Reference: Hastie, Tibshirani & Friedman, "The elements of statistical learning", 2nd ed., section 4.4.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from scipy.special import expit, log_expit, log_softmax, softmax

from aprendiz.core.certificate import Certificate
from aprendiz.core.class_weights import Totals, reweight
from aprendiz.core.iteration import Iterative
from aprendiz.core.parameters import Fraction, NonNegative, Positive, Seed, Whole
from aprendiz.core.random import draw_seed
from aprendiz.core.rows import Array, Rows
from aprendiz.linear.losses.logistic_loss import slopes, squared_slopes
from aprendiz.linear.penalties.budgets import penalty_for, refuse_both, sizes
from aprendiz.linear.penalties.sparse_penalty import ElasticPenalty, strength_of
from aprendiz.linear.shared.linear_classifier import LinearClassifier
from aprendiz.linear.solvers.newton import LogisticProblem, NewtonState, is_stored_sparse
from aprendiz.linear.solvers.sparse_logistic import balance, corner_states, relative_gap
from aprendiz.linear.solvers.stochastic_logistic import stochastic_states
from aprendiz.locale import _
from aprendiz.summaries.sample import Sample

LEAST, NEAR = 1e-8, 1e-6  # 1/C that is none, and the relative distance from a budget that is none
SAMPLE = 2048  # rows, or up to twice as many, that the first steps see
MOST_ROUNDING = 3e-5  # of a score: ½ of its square is less than 10⁻⁹


class LogisticRegression(LinearClassifier, Iterative):
    """Logistic regression (drop-in for scikit-learn's; Newton's method on sums, also from files and sparse data).

    Parameters
    ----------
    C : float, default=1.0
        Inverse strength of the penalty; `np.inf` for none.
    tol : float, default=1e-4
        Stop when the largest entry of the gradient, per unit of weight, is below this. Newton's method ends far below it;
        with very many parameters L-BFGS is used, which stops there.
    fit_intercept : bool, default=True
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes; "balanced" gives each class the same total weight.
    max_iter : int, default=100
        Maximum number of passes over the rows.
    warm_start : bool, default=False
        Whether to start from the coefficients of the previous fit.
    l1_ratio : float between 0 and 1 or None, default=0.0
        ρ of (1): 0 (or None) for the squared penalty, 1 for the absolute one, in between for the elastic net.
    penalty : "l1", "l2", "elasticnet" or None
        Deprecated in scikit-learn, accepted here: ρ = 1, ρ = 0, ρ = `l1_ratio`, and no penalty.
    solver : {"auto", "newton", "gd", "sgd"} or a name of scikit-learn's, default="lbfgs"
        scikit-learn's names mean "auto": chosen by the penalty and the size. "newton" always forms H; "gd" is
        gradient descent and "sgd" its stochastic form, for study: both for ρ = 0.
    random_state : int, RandomState or None
        Seed for the order of the rows, for "sgd".
    loss : {"log", "squared"}, default="log"
        The likelihood, or the squared error through the sigmoid (two classes, ρ = 0).
    budget : float above 0, optional
        Constrain ‖w‖² ≤ budget (ρ = 0), ‖w‖₁ ≤ budget (ρ = 1) or ρ‖w‖₁ + ½(1 − ρ)‖w‖² ≤ budget instead of penalising it.
        C is then computed (`C_`): leave `C` at its default.
    dual, intercept_scaling
        Not supported: only the default is accepted.
    verbose, n_jobs
        No effect.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
    intercept_ : ndarray of shape (1,) or (n_classes,)
    n_iter_ : ndarray of shape (1,)
        Passes over all the rows.
    C_ : float
        C: as given, or computed from the budget; infinite if the coefficients are within it without a penalty.
    certificate_ : Certificate
        F, the largest entry of its gradient, and the Newton decrement at the answer; with zeros (ρ > 0), the duality gap as a
        part of F.
    """

    State = NewtonState
    allows = frozenset({"sparse"})
    in_data_dtype = frozenset({"coef_", "intercept_"})
    differences = {
        "penalty": "another form: deprecated in scikit-learn; here l1 (beside any l1_ratio), l2, elasticnet and None mean what "
        "they did",
        "dual": "refused: the primal problem is solved",
        "intercept_scaling": "refused: the intercept is not penalised",
        "random_state": "no effect: nothing depends on chance, but for solver='sgd'",
        "tol": "another form: Newton's method ends far below it, at the minimum",
        "solver": "no effect: chosen by the penalty and the size, unless it is one of ours; callbacks go with each of them; "
        "'liblinear' is double whatever X is, as there",
        "verbose": "no effect: use aprendiz.training(progress=True)",
        "n_jobs": "no effect: threads follow APRENDIZ_NUM_THREADS",
    }
    exceptions = {"scaling": "the penalty is not invariant to the scale of the columns"}
    tuning = {"C": (0.01, 0.1, 1.0, 10.0, 100.0)}

    def __init__(
        self,
        penalty: Literal["deprecated", "l1", "l2", "elasticnet"] | None = "deprecated",
        *,
        C: Positive = 1.0,
        l1_ratio: Fraction | None = 0.0,
        dual: bool = False,
        tol: NonNegative = 1e-4,
        fit_intercept: bool = True,
        intercept_scaling: float = 1,
        class_weight: dict[Any, Any] | Literal["balanced"] | None = None,
        random_state: Seed = None,
        solver: Literal[
            "lbfgs", "liblinear", "newton-cg", "newton-cholesky", "sag", "saga", "auto", "newton", "gd", "sgd"
        ] = "lbfgs",
        max_iter: Whole = 100,
        verbose: Whole | bool = 0,
        warm_start: bool = False,
        n_jobs: int | None = None,
        loss: Literal["log", "squared"] = "log",
        budget: Positive | None = None,
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
        self.loss = loss
        self.budget = budget

    def open(self, X: Any, y: Any = None, sample_weight: Any = None, *, reset: bool = True) -> Rows:
        for name, usual in {"dual": (False,), "intercept_scaling": (1,)}.items():
            if getattr(self, name) not in usual:
                raise ValueError(f"{name}={getattr(self, name)!r} is not available: {self.differences[name]}.")
        rows = super().open(X, y, sample_weight, reset=reset)
        self.refuse_combinations(rows)
        self.warn_of_ignored()
        rows.width = (0 if rows.labels is None else len(rows.labels)) * (1 + rows.columns)
        if self.solver == "liblinear":
            rows.noted = {**rows.noted, "dtype": np.dtype(np.float64)}
        return rows if self.class_weight is None else reweight(rows, self.class_weight)

    def refuse_combinations(self, rows: Rows) -> None:
        """What cannot go together."""
        refuse_both(self, "C")
        if self.penalty == "elasticnet" and self.l1_ratio is None:
            raise ValueError("penalty='elasticnet' needs l1_ratio: give the share of the absolute values, 0 to 1.")
        if self.loss == "squared" and rows.labels is not None and len(rows.labels) > 2:
            raise ValueError(
                f'loss="squared" is for two classes, y has {len(rows.labels)}: use loss="log", or OneVsRestClassifier.'
            )
        if self.share > 0 and (self.loss == "squared" or self.solver in ("newton", "gd", "sgd")):
            given = 'loss="squared"' if self.loss == "squared" else f"solver={self.solver!r}"
            raise ValueError(f'{given} needs a smooth penalty: give l1_ratio=0, or leave loss="log" and solver="auto".')

    def warn_of_ignored(self) -> None:
        """Parameters that others overrule, or that scikit-learn is about to forget."""
        said: list[tuple[str, type[Warning]]] = []
        if self.penalty is None and self.C != 1.0:
            said.append((f"penalty=None: C={self.C!r} is not used. Leave one of them out.", UserWarning))
        if (self.penalty == "l2" and self.share_given > 0) or (self.penalty == "l1" and 0 < self.share_given < 1):
            said.append((f"penalty={self.penalty!r}: l1_ratio={self.l1_ratio!r} is not used. Give l1_ratio only.", UserWarning))
        if self.l1_ratio is None and self.penalty == "deprecated":
            said.append(("l1_ratio=None is deprecated in scikit-learn: give 0, which means the same.", FutureWarning))
        if self.n_jobs is not None:
            said.append((f"n_jobs={self.n_jobs!r} has no effect: threads follow APRENDIZ_NUM_THREADS.", FutureWarning))
        for words, kind in said:
            warnings.warn(words, kind, stacklevel=5)

    @property
    def share_given(self) -> float:
        """`l1_ratio`, 0 for None."""
        return self.l1_ratio or 0.0

    @property
    def share(self) -> float:
        """ρ of (1)."""
        return {"l1": 1.0, "l2": 0.0}.get(self.penalty or "", self.share_given)

    def corners(self, strength: float) -> ElasticPenalty:
        """R of (1), times 1/C."""
        return ElasticPenalty(strength * self.share, strength * (1.0 - self.share))

    # ---- the loop ----------------------------------------------------------------------------------------------------

    def states(self, rows: Rows, since: NewtonState | None = None) -> Iterator[NewtonState]:
        strength, start = 0.0 if self.penalty is None else float(strength_of(self.C)), None
        if since is not None:
            strength = since.strength
        elif self.budget is not None:
            strength, start = self.affordable(rows, self.budget)
        for state in self.descents(rows, self.corners(strength), since, start):
            yield replace(state, strength=strength)

    def descents(
        self, rows: Rows, penalty: ElasticPenalty, since: NewtonState | None, start: Array | None
    ) -> Iterator[NewtonState]:
        """The states for one penalty, after a state or from a start."""
        if penalty.l1 > 0:
            yield from self.sparse_descents(rows, penalty, since, start)
            return
        problem = self.pose(rows, penalty.l2)
        state = since
        if state is None:
            state = problem.at(self.first_theta(rows, problem) if start is None else start, 0, self.tol)
            if self.solver == "sgd":
                state = replace(state, seed=draw_seed(self.random_state))
            yield state
        after = stochastic_states(problem, state, self.tol) if self.solver == "sgd" else self.steps_after(problem, state)
        while not (state.settled or state.stuck or (state.separated and state.slope <= self.tol)):
            if state.iteration >= self.max_iter:
                return
            before, state = state, next(after)
            slowly = state.decrement > 0.25 * before.decrement  # by 1/e from step to step, where F has no minimiser
            if state.slope <= self.tol and slowly and not state.separated and problem.recedes(state):
                state = replace(state, separated=True, settled=False)
            yield state

    def affordable(self, rows: Rows, budget: float) -> tuple[float, Array | None]:
        """1/C for which the coefficients have the size of the budget (0 if they keep to it without a penalty), and θ there."""
        last: list[Array | None] = [None]

        def size(strength: float) -> float:
            *_, state = self.descents(rows, self.corners(strength), None, last[0])
            last[0] = state.theta
            return float(sizes(state.theta[:, 1:].ravel(), self.share)) * (2.0 if self.share == 0 else 1.0)

        found = penalty_for(size, budget, 1.0, power=1.0 if self.share == 1 else -0.5, least=LEAST, close=NEAR)
        return (found.alpha if found.binds else 0.0), last[0]

    def pose(self, rows: Rows, alpha: float) -> LogisticProblem:
        """The problem, with H or without."""
        if self.loss == "log" and self.solver not in ("gd", "sgd"):
            return LogisticProblem.of(rows, alpha, self.fit_intercept, True if self.solver == "newton" else None)
        problem = LogisticProblem.of(rows, alpha, self.fit_intercept, False)
        if self.solver == "gd":
            problem = replace(problem, memory=0, columns=None, slopes=slopes)
        return replace(problem, slopes=squared_slopes) if self.loss == "squared" else problem

    def steps_after(self, problem: LogisticProblem, state: NewtonState) -> Iterator[NewtonState]:
        """Steps after a state, for ever."""
        while True:
            state = problem.next(state, self.tol)
            yield state

    def sparse_descents(
        self, rows: Rows, penalty: ElasticPenalty, since: NewtonState | None, start: Array | None
    ) -> Iterator[NewtonState]:
        """The same with a penalty that makes zeros."""
        problem, _count = LogisticProblem.pose(rows, penalty.l2, self.fit_intercept)
        if since is None:
            theta, first = balance(self.before(rows, problem) if start is None else start, penalty), 0
        else:
            theta, first = since.theta, since.iteration
        for state in corner_states(rows, problem, penalty, theta, first, self.tol):
            if since is None or state.iteration > first:
                yield state
            if state.settled or state.stuck or state.iteration >= self.max_iter:
                return

    def before(self, rows: Rows, problem: LogisticProblem) -> Array:
        """The last fit if asked for, else zero."""
        if self.warm_start and hasattr(self, "coef_") and self.coef_.shape == (problem.outputs, rows.columns):
            return np.column_stack([self.intercept_ + self.coef_ @ problem.origin, self.coef_])
        return np.zeros((problem.outputs, 1 + rows.columns))

    def first_theta(self, rows: Rows, problem: LogisticProblem) -> Array:
        """Where to start: the last fit if asked, the minimiser of a sample if there are many rows, else zero."""
        zero = self.before(rows, problem)
        if zero.any():
            return problem.outward(problem.inward(zero))  # what lies outside the span of the rows would stay for ever
        few = rows.count is not None and rows.count <= 8 * SAMPLE
        known = problem.basis is not None or problem.columns is not None  # the first step is a good one, or cheap
        if known or is_stored_sparse(rows) or few or self.loss == "squared" or self.solver in ("gd", "sgd"):
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

    def attributes(self, state: NewtonState, rows: Rows) -> dict[str, Any]:
        """The certificate: F − min F is at most 2·decrement, or gap·F, and 10⁻⁹ of F and 10⁻¹² of F at θ = 0, at the stored
        numbers. The intercept of the original columns is rounded, which moves every score by `rounding` and F by about
        ½·rounding² of itself, as p(1 − p) ≤ ℓ. Where neither decrement nor gap is known, only that no entry of the gradient is
        above tol."""
        b, W = state.theta[:, 0], state.theta[:, 1:]
        claim, known = "the gradient of F is below tol", {"objective": state.objective, "slope": state.slope}
        if state.formed:
            claim = "no parameters lower F by more than about the Newton decrement"
            known["decrement"] = state.decrement
        penalty = self.corners(state.strength)
        if penalty.l1 > 0:
            claim = "no parameters lower F by more than the duality gap, given as a fraction of F"
            known["gap"] = relative_gap(rows, penalty, state.theta, state.origin, self.fit_intercept)
        rounding = float(np.finfo(float).eps * (np.abs(b) + np.abs(W) @ np.abs(state.origin)).max())
        known["rounding"] = rounding
        holds = state.slope <= self.tol and not state.separated and rounding <= MOST_ROUNDING
        return {
            "classes_": rows.labels,
            "coef_": W.copy(),
            "intercept_": b - W @ state.origin if self.fit_intercept else np.zeros(len(b)),
            "n_iter_": np.array([state.iteration], np.int32),
            "C_": 1.0 / state.strength if state.strength > 0 else np.inf,
            "certificate_": Certificate(claim, holds, {**known, "separated": state.separated}),
        }

    def reason(self, state: NewtonState) -> str:
        if state.separated:
            return "a hyperplane separates classes, or the rows of one from the rest of another"
        return "rounding hides any further descent" if state.stuck else super().reason(state)

    def remedy(self) -> str:
        if self.certificate_.separated:
            return _("Without a penalty the coefficients would grow without bound: give a finite C.")
        return _("Raise max_iter (it is {max_iter}), or scale the columns.").format(max_iter=self.max_iter)

    def most_states(self) -> int:
        return self.max_iter + 1

    def predict_proba(self, X: Any) -> Array:
        """The probability of each class."""
        return self.of_scores(lambda t: softmax(t, axis=1) if t.shape[1] > 1 else expit(np.hstack([-t, t])), X)

    def predict_log_proba(self, X: Any) -> Array:
        """The logarithm of the probability of each class."""
        return self.of_scores(lambda t: log_softmax(t, axis=1) if t.shape[1] > 1 else log_expit(np.hstack([-t, t])), X)
