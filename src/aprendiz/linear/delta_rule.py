"""The delta rule: gradient descent on the squared error of one unit, for all rows at once or row by row.

    t = b + xᵀw,     o = σ(t), y = 0 or 1  (sigmoid unit)     or     o = t, y = ±1  (linear unit: Adaline)
    E = Σ ω (y − o)²/Σ ω                                                                                      (1)

    batch           θ ← θ + η·Σ ω (y − o)·o'·z/Σ ω                                                            (2)
    stochastic      θ ← θ + ηω (y − o)·o'·z       after each row                                               (3)

with θ = (b, w), z = (1, x) and o' = o(1 − o) for the sigmoid, 1 for the linear unit. (2) is a sum over the rows. ½E curves by
at most L = c·λ_max(Σ ωzzᵀ/Σ ω), c = 1 for the linear unit and max |p²(1 − p)(2 − 3p)| < 0.0771 for the sigmoid, so that

    η < 2/L lowers E at every step, and η = 1/L is the safest                                                  (4)

With a linear unit (2) tends to the least squares plane. With a sigmoid E is not convex, and a row that is wrong by far hardly
moves the plane (o' ≈ 0): logistic regression has the same o without that fault.

Cost: O(n·d) an epoch, and n·d² once for (4), or n·d above 512 columns, where λ_max is replaced by the trace.
References: Widrow & Hoff, "Adaptive switching circuits", 1960; Rumelhart, Hinton & Williams, Nature 323, 1986.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, Self

import numpy as np
from scipy import linalg
from scipy.special import expit
from sklearn.utils.metaestimators import available_if

from aprendiz.compilation.compiled import compiled
from aprendiz.core.certificate import Certificate
from aprendiz.core.inputs import refuse_empty_sums
from aprendiz.core.iteration import State
from aprendiz.core.parameters import Count, NonNegative, PositiveFactor, Seed
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sums import Sums
from aprendiz.linear.designs.visits import Reach, parts, sides, visiting_order
from aprendiz.linear.diagnostics.mistake_bound import Standing
from aprendiz.linear.shared.epochs import STEPWISE, VisitingClassifier
from aprendiz.locale import _
from aprendiz.summaries.moments import Moments

CURVE = {"sigmoid": 0.0771, "linear": 1.0}  # c of (4)
NARROW = 512  # columns up to which λ_max is computed


@dataclass(frozen=True)
class Learning(State):
    """Planes (b, w), one in each row, E at each of them and its slope."""

    planes: Array
    slope: Array  # Σ ω (y − o)·o'·z/Σ ω
    history: Array  # E of each state
    idle: int  # epochs since E fell by `tol` of its first value
    lost: bool  # E does not fall, and is above what it was
    rate: float  # η
    largest: float  # 2/L
    visits: int
    seed: int


class DeltaRule(VisitingClassifier):
    """One sigmoid or linear unit, trained by the delta rule; one against the rest if there are more than two classes.

    Parameters
    ----------
    unit : {"sigmoid", "linear"}, default="sigmoid"
        The generalised delta rule, or Adaline (Widrow and Hoff).
    mode : {"batch", "stochastic"}, default="batch"
        (2), also from files and Dask; or (3).
    rate : float or "auto", default="auto"
        η; "auto" is 1/L for batches, and a tenth of the step to the minimum of the largest row for single rows.
    decreasing : bool, default=False
        Multiply η by 1000/(1000 + t), t the steps taken before.
    fit_intercept : bool, default=True
    max_iter : int, default=1000
        Epochs.
    tol : float, default=5e-4
        Stop when E has not improved by this fraction of its initial value in `n_iter_no_change` epochs.
    n_iter_no_change : int, default=5
    shuffle : bool, default=True
    random_state : int, RandomState or None
        The seed of the orders of single rows.
    class_weight : dict, "balanced" or None, default=None
    warm_start : bool, default=False
        Whether to start from the coefficients of the previous fit.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
    intercept_ : ndarray of shape (1,) or (n_classes,)
    n_iter_ : int
        Epochs.
    t_ : int
        Number of steps taken, plus one.
    history_ : ndarray of shape (1 + n_iter_, 1) or (1 + n_iter_, n_classes)
        E at the start and after each epoch: the training curve.
    rate_, largest_rate_ : float
        η, and 2/L of (4), or 2 for the largest row alone.
    certificate_ : Certificate
        E at the answer and that of the best constant, its largest slope, and by how much it ever rose.
    """

    State = Learning
    stays_sparse = False
    allows = frozenset({"sparse"})
    announced = False
    exceptions = {law: STEPWISE[law] for law in ("shift", "scaling", "partial_fit")}

    def __init__(
        self,
        unit: Literal["sigmoid", "linear"] = "sigmoid",
        *,
        mode: Literal["batch", "stochastic"] = "batch",
        rate: PositiveFactor | Literal["auto"] = "auto",
        decreasing: bool = False,
        fit_intercept: bool = True,
        max_iter: Count = 1000,
        tol: NonNegative = 5e-4,
        n_iter_no_change: Count = 5,
        shuffle: bool = True,
        random_state: Seed = None,
        class_weight: dict[Any, Any] | Literal["balanced"] | None = None,
        warm_start: bool = False,
    ):
        self.unit = unit
        self.mode = mode
        self.rate = rate
        self.decreasing = decreasing
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol
        self.n_iter_no_change = n_iter_no_change
        self.shuffle = shuffle
        self.random_state = random_state
        self.class_weight = class_weight
        self.warm_start = warm_start

    # ---- the loop ----------------------------------------------------------------------------------------------------

    def begin(self, planes: Array, seed: int, rows: Rows) -> Learning:
        rate, largest = self.rates(rows)
        found = self.measure(planes, rows)
        return Learning(
            iteration=0,
            objective=float(found.squares.sum()),
            settled=False,
            planes=planes,
            slope=found.slope,
            history=found.squares[None],
            idle=0,
            lost=False,
            rate=rate,
            largest=largest,
            visits=0,
            seed=seed,
        )

    def rates(self, rows: Rows) -> tuple[float, float]:
        """η, and the largest one that is safe: (4)."""
        reach, curve = rows.sum(Reach.of), CURVE[self.unit]
        if self.mode == "stochastic":
            largest = 2.0 / (curve * max(reach.square + self.fit_intercept, 1e-300))
        elif rows.columns <= NARROW:
            gram = rows.sum(Moments.of, np.zeros(rows.columns)).gram / reach.weight
            gram = gram if self.fit_intercept else gram[1:, 1:]
            largest = 2.0 / (curve * max(float(linalg.eigvalsh(gram)[-1]), 1e-300))
        else:
            largest = 2.0 / (curve * max(reach.energy / reach.weight + self.fit_intercept, 1e-300))
        automatic = largest / (2.0 if self.mode == "batch" else 20.0)
        return (automatic if self.rate == "auto" else float(self.rate)), largest

    def measure(self, planes: Array, rows: Rows) -> Errors:
        """E and its slope at some planes."""
        sums = rows.sum(Errors.of, planes, self.unit)
        refuse_empty_sums(sums.weight, sums.finite, rows)
        slope = sums.slope / sums.weight
        if not self.fit_intercept:
            slope[:, 0] = 0.0
        return Errors(sums.squares / sums.weight, slope, sums.weight)

    def run_epoch(self, state: Learning, rows: Rows) -> Learning:
        """(2), or (3) for every row."""
        if self.mode == "batch":
            share = 1000.0 / (1000.0 + state.visits) if self.decreasing else 1.0
            planes, visits = state.planes + state.rate * share * state.slope, state.visits + 1
        else:
            planes, visits = self.stochastic_epoch(state, rows)
        found = self.measure(planes, rows)
        error = float(found.squares.sum())
        before = state.history.sum(axis=1)
        best, little = float(before.min()), self.tol * float(before[0])
        idle = 0 if error < best - little else state.idle + 1
        rests = idle >= self.n_iter_no_change or error == 0
        fine = error <= best + little or self.mode == "stochastic"
        return replace(
            state,
            iteration=state.iteration + 1,
            objective=error,
            settled=rests and fine,
            planes=planes,
            slope=found.slope,
            history=np.vstack([state.history, found.squares]),
            idle=idle,
            lost=rests and not fine,
            visits=visits,
        )

    def stochastic_epoch(self, state: Learning, rows: Rows) -> tuple[Array, int]:
        """(3) for every row: the planes, and the number of steps so far."""
        planes, visits, K = state.planes.copy(), state.visits, len(state.planes)
        rule = (self.unit == "sigmoid", state.rate, self.decreasing, self.fit_intercept)
        for part in parts(rows):
            order = visiting_order(part, state.seed, state.iteration, self.shuffle)
            for k in range(K):
                visit(part.X, encode_target(self.unit, sides(part.y, k, K)), part.weights, order, planes[k], visits, *rule)
            visits += len(part)
        refuse_empty_sums(1.0, bool(np.isfinite(planes).all()), rows)
        return planes, visits

    def over(self, state: Learning) -> bool:
        return state.settled or state.lost

    # ---- the answer --------------------------------------------------------------------------------------------------

    def attributes(self, state: Learning, rows: Rows) -> dict[str, Any]:
        return {
            "classes_": rows.labels,
            "coef_": state.planes[:, 1:].copy(),
            "intercept_": state.planes[:, 0].copy(),
            "n_iter_": state.iteration,
            "t_": state.visits + 1,
            "history_": state.history.copy(),
            "rate_": state.rate,
            "largest_rate_": state.largest,
        }

    def row_attributes(self, state: Learning, rows: Rows) -> dict[str, Any]:
        """The certificate: E of every plane is below that of the best constant, p(1 − p) for a class with the share p of the
        weight (four times that for ±1). In batches no epoch raised E by more than 10⁻¹² of its first value."""
        sizes, standing = state.history.sum(axis=1), rows.sum(Standing.of, state.planes)
        rise = float(np.max(np.diff(sizes), initial=0.0))
        constant = standing.own * standing.others / (standing.own + standing.others) ** 2 * (1 if self.unit == "sigmoid" else 4)
        known = {"objective": state.objective, "constant": float(constant.sum())}
        known |= {"slope": float(np.abs(state.slope).max()), "rise": rise}
        claim = "the squared error never rose, and has stopped decreasing, below that of a constant"
        holds = rise <= 1e-12 * float(sizes[0])
        if self.mode == "stochastic":
            claim, holds = "the squared error has stopped decreasing, below that of a constant", True
        useful = bool((state.history[-1] < constant * (1.0 - 1e-9)).all())
        return {"certificate_": Certificate(claim, holds and useful and state.settled, known)}

    def resume(self, seed: int, rows: Rows) -> Learning:
        self.densify()
        state = self.begin(np.column_stack([self.intercept_, self.coef_]), seed, rows)
        return replace(state, iteration=self.n_iter_, visits=self.t_ - 1, history=self.history_)

    def reason(self, state: Learning) -> str:
        return "the squared error does not fall" if state.lost else super().reason(state)

    def remedy(self) -> str:
        if self.n_iter_ < self.max_iter and self.rate_ > self.largest_rate_ / 2.0:
            words = _("Give a rate below {largest}, the largest that is sure to lower it (it is {rate}).")
            return words.format(largest=f"{self.largest_rate_:.3g}", rate=f"{self.rate_:.3g}")
        return _("Raise max_iter (it is {max_iter}) or tol, or scale the columns.").format(max_iter=self.max_iter)

    def gives_probabilities(self) -> bool:
        if self.unit != "sigmoid":
            raise AttributeError("A linear unit gives no probabilities: use unit='sigmoid'.")
        return True

    @available_if(gives_probabilities)
    def predict_proba(self, X: Any) -> Array:
        """o as the probability of the second class; of several classes, divided by their sum."""
        o = expit(self.decision_function(X))
        return np.column_stack([1.0 - o, o]) if o.ndim == 1 else o / np.maximum(o.sum(axis=1, keepdims=True), 1e-300)


def encode_target(unit: str, side: Array) -> Array:
    """y of (1): 0 or 1 for a sigmoid, ±1 for a linear unit."""
    return (side + 1.0) / 2.0 if unit == "sigmoid" else side


@dataclass(frozen=True)
class Errors(Sums):
    """Of each plane, Σ ω (y − o)² and Σ ω (y − o)·o'·z."""

    squares: Array
    slope: Array
    weight: float

    @classmethod
    def of(cls, planes: Array, unit: str, block: Block) -> Self:
        squares, slope = np.zeros(len(planes)), np.zeros(planes.shape)
        add_errors(block.X, block.y, block.weights, planes, unit == "sigmoid", squares, slope)
        return cls(squares, slope, float(block.weights.sum()))


@compiled
def add_errors(X: Array, classes: Array, weight: Array, planes: Array, sigmoid: bool, squares: Array, slope: Array) -> None:
    """The sums of (1) and (2) over some rows, plane by plane."""
    d, K = X.shape[1], len(planes)
    for k in range(K):
        own, other = 1 if K == 1 else k, 0.0 if sigmoid else -1.0
        for i in range(len(X)):
            t = planes[k, 0]
            for j in range(d):
                t += planes[k, 1 + j] * X[i, j]
            output = 1.0 / (1.0 + np.exp(-t)) if sigmoid else t
            miss = (1.0 if classes[i] == own else other) - output
            squares[k] += weight[i] * miss * miss
            pull = weight[i] * miss * (output * (1.0 - output) if sigmoid else 1.0)
            slope[k, 0] += pull
            for j in range(d):
                slope[k, 1 + j] += pull * X[i, j]


@compiled
def visit(
    X: Array, y: Array, weight: Array, order: Array, theta: Array, visits: int, sigmoid: bool, rate: float, decreasing: bool,
    intercept: bool,
) -> None:  # fmt: skip
    """(3) for the rows in order; θ is changed in place."""
    d = X.shape[1]
    for i in order:
        t = theta[0]
        for j in range(d):
            t += theta[1 + j] * X[i, j]
        output = 1.0 / (1.0 + np.exp(-t)) if sigmoid else t
        step = rate * weight[i] * (y[i] - output) * (output * (1.0 - output) if sigmoid else 1.0)
        if decreasing:
            step *= 1000.0 / (1000.0 + visits)
        visits += 1
        if intercept:
            theta[0] += step
        for j in range(d):
            theta[1 + j] += step * X[i, j]
