"""Stochastic gradient descent for linear models: a step after each row, instead of one after all of them.

    F(w, b) = 1/n·Σ ω ℓ(b + xᵀw, y) + α·(ρ‖w‖₁ + ½(1 − ρ)‖w‖²)                                                (1)

An epoch (stochastic_epoch.py) visits all rows in random order (visits.py). It comes near the minimum of (1) in a few epochs,
however many rows there are, and then wanders around it as widely as the steps are long; so steps decrease, or the planes of
all steps are averaged. A plane stops when (1), as met along the way, has not fallen by `tol` for some epochs; with early
stopping, when its score on rows that were set aside (early_stopping.py) has not risen by `tol`.

The last plane is judged by its duality gap (duality_gap.py).

Cost: O(n·d) an epoch, memory O(d) for each plane.
References: Robbins & Monro, Annals of Mathematical Statistics 22, 1951; Polyak & Juditsky, SIAM J. Control 30, 1992 (averages).
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Any, Literal

import numpy as np
from scipy import sparse

from aprendiz.core.certificate import Certificate
from aprendiz.core.inputs import refuse_empty_sums
from aprendiz.core.iteration import State
from aprendiz.core.parameters import FAR, Within
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sources.arrays import compress
from aprendiz.core.threads import ordered_map
from aprendiz.linear.designs.visits import parts, visiting_order
from aprendiz.linear.diagnostics.mistake_bound import Standing
from aprendiz.linear.penalties.duality_gap import Targets, objective_and_gap
from aprendiz.linear.shared.early_stopping import TrainingRows
from aprendiz.linear.shared.epochs import EARLY_STOPPING, ONE_PRECISION, Visiting, has_fallen, precision, rounded
from aprendiz.linear.solvers.stochastic_epoch import LOSSES, PA1, PERCEPTRON, SCHEDULES, StepRule, dense_epoch, sparse_epoch
from aprendiz.locale import _

Penalty = Literal["l2", "l1", "elasticnet"]

Schedule = Literal["optimal", "constant", "invscaling", "adaptive", "decreasing", "pa1", "pa2"]

Power = Annotated[float, Within(-FAR)]

UNIT_SLOPES = ("hinge", "epsilon_insensitive")  # losses whose slope is 1 wherever they are not 0
SHORTEST = 1e-6  # an adaptive step is not made shorter than this
DIFFERENCES = {
    "verbose": "no effect: use aprendiz.training(progress=True)",
    "early_stopping": EARLY_STOPPING,
    "learning_rate": "another form: 'decreasing' beside scikit-learn's",
    "eta0": "another form: with squared losses a step beyond the minimum of its own row ends there, so that no fit runs away",
    "intercept_": ONE_PRECISION,
    "tol": "another form: it watches the objective, in which rows count by weight, not the mean loss without weights",
}
THIN_INTERCEPT = {
    "layout": "as in scikit-learn, the intercept makes smaller steps on sparse rows: another path to the same minimum"
}
LOSS_FUNCTIONS = {  # as scikit-learn names them: the loss, and its threshold or default ε
    **{loss: (LOSSES[loss],) for loss in ("log_loss", "modified_huber", "squared_error")},
    **{loss: (LOSSES[loss], 1.0) for loss in ("hinge", "squared_hinge")},
    "perceptron": (LOSSES["perceptron"], 0.0),
    **{loss: (LOSSES[loss], 0.1) for loss in ("huber", "epsilon_insensitive", "squared_epsilon_insensitive")},
}


@dataclass(frozen=True)
class PlanesSoFar(State):
    """Planes (b, w) on their way, one in each row."""

    planes: Array
    total: Array  # Σ of the planes after each step, since averaging began
    averaged: Array  # the number of those steps
    spent: Array  # what each coefficient has paid of λ₁, and
    owed: Array  # what all owe so far
    rates: Array  # η₀
    best: Array  # the lowest (1) met so far, or minus the highest score on rows set aside
    idle: Array  # epochs since it fell by `tol`
    walking: Array  # which planes still move
    history: Array  # (1) as met in each epoch
    visits: int  # rows visited so far
    seed: int


class StochasticGradient(Visiting):
    """What the classifier and the regressor share."""

    State = PlanesSoFar
    allows = frozenset({"sparse"})

    loss: str
    penalty: str | None
    alpha: float
    l1_ratio: float | None
    tol: float | None
    shuffle: bool
    epsilon: float
    learning_rate: str
    eta0: float
    power_t: float
    n_iter_no_change: int
    average: bool | int

    @staticmethod
    def targets(plane: int, planes: int, block: Block) -> Array:
        """y of each row, for one of the planes."""
        raise NotImplementedError

    def insist(self) -> None:
        super().insist()
        if self.penalty == "elasticnet" and self.l1_ratio is None:
            raise ValueError("l1_ratio must be set when penalty is 'elasticnet': give the share of the absolute values.")
        if self.power_t < 0:
            warnings.warn(
                f"power_t={self.power_t!r} makes steps grow; negative values for `power_t` are deprecated: use at least 0.",
                FutureWarning,
                stacklevel=6,
            )
        if self.learning_rate in ("pa1", "pa2") and self.loss not in UNIT_SLOPES:
            raise ValueError(
                f"Learning rate '{self.learning_rate}' only works with loss 'hinge', for numbers with 'epsilon_insensitive', "
                f"not with {self.loss!r}."
            )
        if self.learning_rate == "optimal" and self.alpha == 0:
            raise ValueError(
                f"alpha={self.alpha!r} leaves learning_rate='optimal' without a scale: raise alpha, or use 'invscaling'."
            )

    def rule(self) -> StepRule:
        """(1) and the steps, in numbers."""
        l1, l2 = penalty_strength(self.penalty, self.alpha, self.l1_ratio)
        numbers = {"epsilon": self.epsilon, "power": self.power_t, "alpha": self.alpha, "l1": l1, "l2": l2}
        floats = {name: float(value) for name, value in numbers.items()}  # whole numbers would have kernels of their own
        return StepRule(LOSSES[self.loss], schedule=SCHEDULES[self.learning_rate], intercept=self.fit_intercept, **floats)

    # ---- the loop ----------------------------------------------------------------------------------------------------

    def begin(self, planes: Array, seed: int, rows: Rows) -> PlanesSoFar:
        K, d = len(planes), rows.columns
        return PlanesSoFar(
            iteration=0,
            objective=np.inf,
            settled=False,
            planes=planes,
            total=np.zeros((K, 1 + d)),
            averaged=np.zeros(K, np.int64),
            spent=np.zeros((K, d)),
            owed=np.zeros(K),
            rates=np.full(K, float(self.eta0)),
            best=np.full(K, np.inf),
            idle=np.zeros(K, np.int64),
            walking=np.ones(K, bool),
            history=np.empty((0, K)),
            visits=0,
            seed=seed,
        )

    def run_epoch(self, state: PlanesSoFar, rows: Rows) -> PlanesSoFar:
        """One epoch: the planes that still walk, side by side."""
        rule, K = self.rule(), len(state.planes)
        moving = Moving(*(value.copy() for value in (state.planes, state.total, state.averaged, state.spent, state.owed)))
        lost, visits, walking = np.zeros(K), state.visits, np.flatnonzero(state.walking).tolist()
        for part in parts(rows):
            order = visiting_order(part, state.seed, state.iteration, self.shuffle)
            told = (part, self.targets, order, state.rates, visits, self.average_from(), rule)
            lost[walking] += [loss for loss, _ in ordered_map(partial(moving.walk, *told), walking)]
            visits += len(part)
        refuse_empty_sums(1.0, bool(np.isfinite(moving.planes).all()), rows)
        met = lost / (visits - state.visits) + penalty_of(moving.planes, rule)
        return self.check_convergence(replace(state, **moving.__dict__, visits=visits), met, rows)

    def average_from(self) -> float:
        """The number of visits after which averaging begins."""
        return float(self.average) if self.average else np.inf

    def check_convergence(self, state: PlanesSoFar, met: Array, rows: Rows) -> PlanesSoFar:
        """Which planes have come to rest."""
        met = np.where(state.walking, met, state.history[-1] if len(state.history) else np.inf)
        watched = self.watched(met, answer(state), rows)
        fell = has_fallen(watched, state.best, self.tol)
        idle = np.where(fell, 0, state.idle + 1)
        rates, tired = state.rates.copy(), state.walking & (idle >= self.n_iter_no_change)
        if self.learning_rate == "adaptive":
            again = tired & (rates > SHORTEST)
            rates[again] /= 5.0
            idle, tired = np.where(again, 0, idle), tired & ~again
        walking = state.walking & ~tired
        enough = self.tol is None and state.iteration + 1 >= self.max_iter
        return replace(
            state,
            iteration=state.iteration + 1,
            objective=float(met.sum()),
            settled=enough or not walking.any(),
            rates=rates,
            best=np.minimum(state.best, watched),
            idle=idle,
            walking=walking,
            history=np.vstack([state.history, met]),
        )

    # ---- the answer --------------------------------------------------------------------------------------------------

    def shape(self, planes: Array, rows: Rows) -> dict[str, Any]:
        """coef_ and intercept_ of some planes."""
        raise NotImplementedError

    def attributes(self, state: PlanesSoFar, rows: Rows) -> dict[str, Any]:
        return {
            **self.shape(answer(state).astype(precision(rows)), rows),
            "n_iter_": state.iteration,
            "t_": state.visits + 1,
            "history_": state.history.copy(),
            "last_planes_": state.planes.copy(),
            "n_averaged_": state.averaged.copy(),
        }

    def row_attributes(self, state: PlanesSoFar, rows: Rows) -> dict[str, Any]:
        """The certificate, which needs a few passes: F − min F ≤ gap, up to 10⁻⁹ of F, and F of every plane is at most that of
        a constant; of classes, where that is not so, every plane is wrong about less weight than a constant. The steps of the
        last epochs no longer lowered the loss that was met on the way, or no longer raised the score on rows set aside."""
        training = self.training_rows(rows, state.seed)
        planes, rule = rounded(answer(state), rows), self.rule()
        F, gap, constant = objective_and_gap(planes, rule, self.targets, training)
        if rule.loss == PERCEPTRON and not rule.intercept:
            constant = np.full(len(F), np.inf)  # t = 0 costs nothing, and says nothing
        known = {"objective": float(F.sum()), "gap": float(gap.sum()), "constant": float(constant.sum())}
        useful = bool((constant * (1.0 + 1e-9) >= F).all())
        by_errors = not useful and rows.labels is not None
        if by_errors:
            useful = training.sum(Standing.of, planes).useful
        claim = self.claim(by_errors, bool(np.isfinite(gap).all()))
        if isinstance(training, TrainingRows):
            known["score"] = float(self.plane_scores(planes, training.held).mean())
        return {"certificate_": Certificate(claim, state.settled and useful, {**known, "epochs": state.iteration})}

    def claim(self, by_errors: bool, bounded: bool) -> str:
        """What the certificate says."""
        if self.early_stopping:
            claim = "the score on rows set aside has stopped rising; the objective is not above that of a constant"
            if by_errors:
                claim = (
                    "the score on rows set aside has stopped rising, and every plane is wrong about fewer rows than a constant"
                )
            return claim
        claim = (
            "the objective has stopped decreasing, at most the duality gap above its minimum and not above that of a constant"
        )
        if by_errors:
            claim = "the objective has stopped decreasing, and every plane is wrong about fewer rows than a constant"
        elif not bounded:
            claim = (
                "the objective has stopped decreasing, not above that of a constant; without a penalty there is no other bound"
            )
        return claim

    def resume(self, seed: int, rows: Rows) -> PlanesSoFar:
        planes, averaged = self.last_planes_, self.n_averaged_
        coef = self.coef_.toarray() if sparse.issparse(self.coef_) else self.coef_
        mean = np.column_stack([np.reshape(self.intercept_, (-1, 1)), np.reshape(coef, (len(planes), -1))])
        return replace(
            self.begin(planes, seed, rows),
            iteration=self.n_iter_,
            visits=self.t_ - 1,
            total=mean * averaged[:, None],
            averaged=averaged,
            history=self.history_,
        )

    def decisive(self) -> frozenset[str]:
        return frozenset({"max_iter"} if self.tol is None else ())

    def remedy(self) -> str:
        return _("Raise max_iter (it is {max_iter}) or tol, or scale the columns.").format(max_iter=self.max_iter)


@dataclass(frozen=True)
class Moving:
    """The arrays of a walk that an epoch changes in place."""

    planes: Array
    total: Array
    averaged: Array
    spent: Array
    owed: Array

    def walk(
        self, part: Block, targets: Targets, order: Array, rates: Array, visits: int, average: float, rule: StepRule, plane: int
    ) -> tuple[float, int]:
        """One plane over one part; the sum of its losses, and how many rows moved it."""
        X: Any = part.X
        is_sparse = sparse.issparse(X)
        ours = (self.planes[plane], self.total[plane], self.spent[plane], self.owed[plane])
        rows = (compress(X) if is_sparse else X, targets(plane, len(self.planes), part), part.weights, order)
        passive = (True,) if rule.schedule >= PA1 else ()
        epoch: Callable[..., tuple[float, float, int, int]] = sparse_epoch if is_sparse else dense_epoch
        lost, self.owed[plane], averaged, moved = epoch(*rows, *ours, rates[plane], visits, average, rule, *passive)
        self.averaged[plane] += averaged
        return float(lost), moved


def answer(state: PlanesSoFar) -> Array:
    """The mean of the planes where they are averaged, else the last ones."""
    counts = state.averaged[:, None]
    return np.where(counts > 0, state.total / np.maximum(counts, 1), state.planes)


def penalty_strength(penalty: str | None, alpha: float, l1_ratio: float | None) -> tuple[float, float]:
    """What ‖w‖₁ and ½‖w‖² are multiplied by in (1)."""
    share = {None: 0.0, "l2": 0.0, "l1": 1.0, "elasticnet": l1_ratio or 0.0}[penalty]
    strength = 0.0 if penalty is None else alpha
    return strength * share, strength * (1.0 - share)


def penalty_of(planes: Array, rule: StepRule) -> Array:
    """The penalty in (1) of each plane."""
    W = planes[:, 1:]
    return rule.l1 * np.abs(W).sum(axis=1) + 0.5 * rule.l2 * (W**2).sum(axis=1)


def dense(coef: Any) -> Array:
    """Coefficients that may have been made sparse; those of one target as a vector."""
    if not sparse.issparse(coef):
        return np.asarray(coef)
    return coef.toarray()[0] if coef.shape[0] == 1 else coef.toarray()
