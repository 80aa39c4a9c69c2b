"""The perceptron: a plane that is moved towards each row it puts on the wrong side.

    f(x) = +1 where t ≥ 0, else −1,     t = b + xᵀw,     y = ±1
    if f(x) ≠ y:     w ← w + ηωy·x,     b ← b + ηωy                                                            (1)

If some plane separates the classes, (1) makes only so many mistakes, whatever the order of the rows (mistake_bound.py), and
ends when an epoch passes without one. If no plane separates them, (1) never ends; `tol` stops it when the sum of the |t| of the
mistakes has ceased to fall, as in scikit-learn; with tol=None it goes on until it separates the classes or has used up its
epochs, and says so. Then one can have

    average    the mean of the planes after each visit, in which the last moves count little
    pocket     of the planes that survived longest in each epoch, and of those at their ends, the one with the fewest errors
    rate       η = η₀·1000/(1000 + t), t the rows visited before, instead of a constant η = η₀
    penalty    α·(ρ‖w‖₁ + ½(1 − ρ)‖w‖²) added to the mean of ω·max(0, −yt), whose steps are (1): see stochastic_epoch.py

With a penalty a row on the plane counts as a mistake whatever its class, and there is no bound on the mistakes.

Cost: O(n·d) an epoch; with a pocket, one more product a row.
References: Rosenblatt, Psychological Review 65, 1958; Gallant, IEEE Trans. Neural Networks 1, 1990 (the pocket); Freund &
Schapire, Machine Learning 37, 1999 (averages).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from scipy import sparse

from aprendiz.core.certificate import Certificate
from aprendiz.core.iteration import State
from aprendiz.core.parameters import Count, Factor, Fraction, NonNegative, PositiveFactor, PositiveFraction, Seed, Whole
from aprendiz.core.rows import Array, Rows
from aprendiz.linear.designs.visits import Reach, parts, plane_sides, sides, visiting_order
from aprendiz.linear.diagnostics.mistake_bound import Standing, margins, mistake_bound
from aprendiz.linear.shared.early_stopping import TrainingRows
from aprendiz.linear.shared.epochs import EARLY_STOPPING, STEPWISE, VisitingClassifier, has_fallen, precision, rounded
from aprendiz.linear.solvers.perceptron_epoch import visit
from aprendiz.linear.solvers.stochastic_epoch import PERCEPTRON, SCHEDULES, StepRule
from aprendiz.linear.solvers.stochastic_gradient import Moving, Penalty, penalty_strength
from aprendiz.locale import _


@dataclass(frozen=True)
class Correcting(State):
    """Planes (b, w), one in each row, and how they have fared."""

    planes: Array
    start: Array  # θ₀
    total: Array  # Σ of the planes after each visit
    pocket: Array  # the planes with the fewest errors so far, and
    errors: Array  # how many these are
    history: Array  # mistakes in each epoch
    best: Array  # the lowest mean |t| of mistakes of an epoch so far, or minus the highest score on rows set aside
    idle: Array  # epochs since it fell by `tol`
    spent: Array  # what each coefficient has paid of the absolute penalty, and
    owed: Array  # what all owe so far; without columns if there is no penalty
    visits: int
    seed: int


class Perceptron(VisitingClassifier):
    """The perceptron (drop-in for scikit-learn's; with its bound on mistakes, a pocket and averages).

    Parameters
    ----------
    penalty : {"l2", "l1", "elasticnet"} or None, default=None
        The penalty; not with `average` or `pocket`.
    alpha : float, default=0.0001
        α, the strength of the penalty.
    l1_ratio : float, default=0.15
        ρ, the share of ‖w‖₁ in "elasticnet".
    fit_intercept : bool, default=True
    max_iter : int, default=1000
        Epochs.
    tol : float or None, default=1e-3
        Stop when the mean |t| of the mistakes has not improved by `tol` in `n_iter_no_change` epochs. None: stop only when
        the classes are separated, with a warning if they are not after `max_iter` epochs.
    shuffle : bool, default=True
    eta0 : float, default=1.0
        η₀.
    random_state : int, RandomState or None, default=0
        Seed for the order of the rows.
    early_stopping : bool, default=False
        Whether to set rows of each class aside, and stop when the accuracy of each plane on them has not improved by `tol` in
        `n_iter_no_change` epochs. For tables in memory, and not for `partial_fit`.
    validation_fraction : float, default=0.1
        Share of the rows of each class that is set aside.
    n_iter_no_change : int, default=5
    class_weight : dict, "balanced" or None, default=None
    warm_start : bool, default=False
        Whether to start from the coefficients of the previous fit.
    rate : {"constant", "decreasing"}, default="constant"
        η₀, or η₀·1000/(1000 + t).
    average, pocket : bool, default=False
        Use the average plane, or the one in the pocket, instead of the last one; not both.
    verbose, n_jobs
        No effect.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
    intercept_ : ndarray of shape (1,) or (n_classes,)
    n_iter_ : int
        Epochs.
    t_ : int
        Number of rows visited, plus one.
    history_ : ndarray of shape (n_iter_, 1) or (n_iter_, n_classes)
        Mistakes in each epoch: the training curve.
    mistakes_ : ndarray of shape (1,) or (n_classes,)
        All mistakes of the fit.
    mistake_bound_ : ndarray of shape (1,) or (n_classes,)
        (1) of mistake_bound.py with the plane that was found; infinite where it does not separate, rows have weights, η
        changes, or there is a penalty.
    last_planes_, total_ : ndarray of shape (1 or n_classes, 1 + n_features)
        (b, w) after the last visit, and the sum of all, from which `partial_fit` goes on.
    certificate_ : Certificate
        Errors of the answer among the rows learned from; where there are none, the bound and the margin min |t|/‖w‖.
    """

    State = Correcting
    allows = frozenset({"sparse"})
    differences = {
        "verbose": "no effect: use aprendiz.training(progress=True)",
        "n_jobs": "no effect: an epoch goes from row to row",
        "early_stopping": EARLY_STOPPING,
        "coef_": "another form: without a penalty a row on the plane counts as the second class, so the path differs",
        "intercept_": "another form: without a penalty a row on the plane counts as the second class, so the path differs",
    }
    exceptions = {**STEPWISE, "relabelling": "a row on the plane itself counts as the second class"}

    def __init__(
        self,
        *,
        penalty: Penalty | None = None,
        alpha: Factor = 0.0001,
        l1_ratio: Fraction = 0.15,
        fit_intercept: bool = True,
        max_iter: Count = 1000,
        tol: NonNegative | None = 1e-3,
        shuffle: bool = True,
        verbose: Whole | bool = 0,
        eta0: PositiveFactor = 1.0,
        n_jobs: int | None = None,
        random_state: Seed = 0,
        early_stopping: bool = False,
        validation_fraction: PositiveFraction = 0.1,
        n_iter_no_change: Count = 5,
        class_weight: dict[Any, Any] | Literal["balanced"] | None = None,
        warm_start: bool = False,
        rate: Literal["constant", "decreasing"] = "constant",
        average: bool = False,
        pocket: bool = False,
    ):
        self.penalty = penalty
        self.alpha = alpha
        self.l1_ratio = l1_ratio
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol
        self.shuffle = shuffle
        self.verbose = verbose
        self.eta0 = eta0
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.class_weight = class_weight
        self.warm_start = warm_start
        self.rate = rate
        self.average = average
        self.pocket = pocket

    def insist(self) -> None:
        super().insist()
        if self.average and self.pocket:
            raise ValueError("average=True and pocket=True give two different planes: choose one of them.")
        if self.penalty is not None and (self.average or self.pocket):
            raise ValueError(
                f"penalty={self.penalty!r} goes without average and pocket here: for the mean of penalised planes use "
                "SGDClassifier(loss='perceptron', average=True)."
            )

    @staticmethod
    def above(t: Array) -> Array:
        """f of (1)."""
        return t >= 0

    # ---- the loop ----------------------------------------------------------------------------------------------------

    def begin(self, planes: Array, seed: int, rows: Rows) -> Correcting:
        K = len(planes)
        errors = rows.sum(Standing.of, planes).errors if self.pocket else np.zeros(K)
        return Correcting(
            iteration=0,
            objective=np.inf,
            settled=False,
            planes=planes,
            start=planes,
            total=np.zeros_like(planes),
            pocket=planes,
            errors=errors,
            history=np.empty((0, K), np.int64),
            best=np.full(K, np.inf),
            idle=np.zeros(K, np.int64),
            spent=np.zeros((K, 0 if self.penalty is None else rows.columns)),
            owed=np.zeros(K),
            visits=0,
            seed=seed,
        )

    def run_epoch(self, state: Correcting, rows: Rows) -> Correcting:
        """(1) for every row."""
        if self.penalty is not None:
            return self.penalised_epoch(state, rows)
        planes, total, visits, K = state.planes.copy(), state.total.copy(), state.visits, len(state.planes)
        survivors = planes.copy() if self.pocket else planes[:, :0].copy()
        runs, mistakes, missed = np.zeros(K, np.int64), np.zeros(K, np.int64), np.zeros(K)
        for part in parts(rows):
            order = visiting_order(part, state.seed, state.iteration, self.shuffle)
            for k in range(K):
                rule = (float(self.eta0), self.rate == "decreasing", self.fit_intercept)
                told = (sides(part.y, k, K), part.weights, order, planes[k], total[k], survivors[k], runs[k], visits, *rule)
                made, by, runs[k] = visit(part.X, *told)
                mistakes[k] += made
                missed[k] += by
            visits += len(part)
        new = replace(state, planes=planes, total=total, visits=visits)
        if self.pocket:
            new = update_pocket(new, survivors, rows)
        return self.check_convergence(new, mistakes, missed / (visits - state.visits), rows)

    def penalised_epoch(self, state: Correcting, rows: Rows) -> Correcting:
        """(1) for every row, with a step of the penalty after each."""
        visits, K = state.visits, len(state.planes)
        moving = Moving(state.planes.copy(), state.total.copy(), np.zeros(K, np.int64), state.spent.copy(), state.owed.copy())
        mistakes, missed, rates = np.zeros(K, np.int64), np.zeros(K), np.full(K, float(self.eta0))
        for part in parts(rows):
            order = visiting_order(part, state.seed, state.iteration, self.shuffle)
            for k in range(K):
                lost, moved = moving.walk(part, plane_sides, order, rates, visits, np.inf, self.rule(), k)
                mistakes[k] += moved
                missed[k] += lost
            visits += len(part)
        new = replace(state, planes=moving.planes, spent=moving.spent, owed=moving.owed, visits=visits)
        return self.check_convergence(new, mistakes, missed / (visits - state.visits), rows)

    def rule(self) -> StepRule:
        """The steps of a perceptron with a penalty."""
        strength = penalty_strength(self.penalty, self.alpha, self.l1_ratio)
        schedule = SCHEDULES[self.rate]
        return StepRule(PERCEPTRON, 0.0, schedule, 0.5, float(self.alpha), *strength, intercept=self.fit_intercept)

    def check_convergence(self, state: Correcting, mistakes: Array, missed: Array, rows: Rows) -> Correcting:
        """Whether the fit has come to rest."""
        watched = self.watched(missed, self.answer(state), rows)
        fell = has_fallen(watched, state.best, self.tol)
        idle = np.where(fell & (mistakes > 0), 0, state.idle + 1)
        resting = (mistakes == 0) | ((idle >= self.n_iter_no_change) if self.tol is not None else False)
        return replace(
            state,
            iteration=state.iteration + 1,
            objective=float(missed.sum()),
            settled=bool(resting.all()),
            history=np.vstack([state.history, mistakes]),
            best=np.minimum(state.best, watched),
            idle=idle,
        )

    # ---- the answer --------------------------------------------------------------------------------------------------

    def answer(self, state: Correcting) -> Array:
        """The last planes, the mean of all, or those in the pocket."""
        if self.average and state.visits:
            return state.total / state.visits
        return state.pocket if self.pocket else state.planes

    def attributes(self, state: Correcting, rows: Rows) -> dict[str, Any]:
        planes = self.answer(state).astype(precision(rows))
        return {
            "classes_": rows.labels,
            "coef_": planes[:, 1:].copy(),
            "intercept_": planes[:, 0].copy(),
            "n_iter_": state.iteration,
            "t_": state.visits + 1,
            "history_": state.history.copy(),
            "mistakes_": state.history.sum(axis=0),
            "last_planes_": state.planes.copy(),
            "total_": state.total.copy(),
        }

    def row_attributes(self, state: Correcting, rows: Rows) -> dict[str, Any]:
        """The certificate: one pass to see on which side of the answer the rows are. Either t ≥ 0 for the rows of its class and
        t < 0 for all others, for every plane; or every plane is wrong about less weight than a constant answer would be."""
        rows, planes = self.training_rows(rows, state.seed), rounded(self.answer(state), rows)
        standing, reach = rows.sum(Standing.of, planes), rows.sum(Reach.of)
        separated, bound = bool((standing.errors == 0).all()), np.full(len(planes), np.inf)
        known = {"objective": state.objective, "errors": float(standing.errors.sum()), "separated": separated}
        if self.penalty is None and self.rate == "constant" and rows.first(lambda block: block.weight is None):
            best, margin = standing.centre(planes, self.fit_intercept)
            square = reach.square + self.fit_intercept
            bound = np.array([mistake_bound(*one, square) for one in zip(best, margin, state.start / self.eta0, strict=True)])
        claim = (
            "the mistakes have stopped shrinking, fewer than those of a constant; no plane that separates the classes was found"
        )
        if isinstance(rows, TrainingRows):
            claim = "the score on rows set aside has stopped rising, and every plane is wrong about fewer rows than a constant"
            known["score"] = float(self.plane_scores(planes, rows.held).mean())
        if separated:
            claim = "every training row is on the right side of the plane"
            known["margin"] = float((margins(standing) / np.maximum(np.linalg.norm(planes[:, 1:], axis=1), 1e-300)).min())
        holds = separated or (state.settled and standing.useful)
        return {"certificate_": Certificate(claim, holds, {**known, "bound": bound})}

    @property
    def mistake_bound_(self) -> Array:
        """The most mistakes there can have been."""
        return np.asarray(self.certificate_.values.get("bound", np.full(len(self.last_planes_), np.inf)))

    def resume(self, seed: int, rows: Rows) -> Correcting:
        coef = self.coef_.toarray() if sparse.issparse(self.coef_) else self.coef_
        kept = np.column_stack([self.intercept_, coef])
        state = replace(
            self.begin(self.last_planes_, seed, rows),
            iteration=self.n_iter_,
            visits=self.t_ - 1,
            total=self.total_,
            history=self.history_,
        )
        return replace(state, pocket=kept, errors=rows.sum(Standing.of, kept).errors) if self.pocket else state

    def reason(self, state: Correcting) -> str:
        return super().reason(state) if self.tol is not None else "max_iter reached, and the classes are not separated"

    def remedy(self) -> str:
        if self.tol is None:
            words = _("Raise max_iter (it is {max_iter}) if a plane may separate them; else use pocket=True or give a tol.")
            return words.format(max_iter=self.max_iter)
        return _("Raise max_iter (it is {max_iter}) or tol.").format(max_iter=self.max_iter)


# ---- the pocket --------------------------------------------------------------------------------------------------------


def update_pocket(state: Correcting, survivors: Array, rows: Rows) -> Correcting:
    """The survivors of the epoch and the planes at its end are compared with those in the pocket on all rows."""
    pocket, errors = state.pocket.copy(), state.errors.copy()
    for candidates in (survivors, state.planes):
        found = rows.sum(Standing.of, candidates).errors
        fewer = found < errors
        pocket[fewer], errors[fewer] = candidates[fewer], found[fewer]
    return replace(state, pocket=pocket, errors=errors)
