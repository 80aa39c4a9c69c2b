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

Cost: O(n·d) an epoch; with a pocket, one more product a row.
References: Rosenblatt, Psychological Review 65, 1958; Gallant, IEEE Trans. Neural Networks 1, 1990 (the pocket); Freund &
Schapire, Machine Learning 37, 1999 (averages).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from scipy import sparse

from aprendiz.compilation.compiled import compiled
from aprendiz.core.certificate import Certificate
from aprendiz.core.iteration import State
from aprendiz.core.parameters import Count, Fraction, NonNegative, PositiveFactor, Seed, Whole
from aprendiz.core.rows import Array, Rows
from aprendiz.core.sources.arrays import compress
from aprendiz.linear.designs.visits import Reach, parts, sides, visiting_order
from aprendiz.linear.diagnostics.mistake_bound import Standing, margins, mistake_bound
from aprendiz.linear.shared.epochs import STEPWISE, VisitingClassifier, has_fallen
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
    best: Array  # the lowest mean |t| of mistakes of an epoch so far
    idle: Array  # epochs since it fell by `tol`
    visits: int
    seed: int


class Perceptron(VisitingClassifier):
    """The perceptron (drop-in for scikit-learn's; with its bound on mistakes, a pocket and averages).

    Parameters
    ----------
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
    n_iter_no_change : int, default=5
    class_weight : dict, "balanced" or None, default=None
    warm_start : bool, default=False
        Whether to start from the coefficients of the previous fit.
    rate : {"constant", "decreasing"}, default="constant"
        η₀, or η₀·1000/(1000 + t).
    average, pocket : bool, default=False
        Use the average plane, or the one in the pocket, instead of the last one; not both.
    penalty, early_stopping
        Not supported: only the default is accepted.
    alpha, l1_ratio, verbose, n_jobs, validation_fraction
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
        (1) of mistake_bound.py with the plane that was found; infinite where it does not separate, rows have weights or η
        changes.
    last_planes_, total_ : ndarray of shape (1 or n_classes, 1 + n_features)
        (b, w) after the last visit, and the sum of all, from which `partial_fit` goes on.
    certificate_ : Certificate
        Training errors of the answer; where there are none, the bound and the margin min |t|/‖w‖.
    """

    State = Correcting
    allows = frozenset({"sparse"})
    refused = {"penalty": None, "early_stopping": False}
    differences = {
        "penalty": "refused: use SGDClassifier(loss='perceptron', penalty=…)",
        "alpha": "no effect: there is no penalty",
        "l1_ratio": "no effect: there is no penalty",
        "verbose": "no effect: use aprendiz.training(progress=True)",
        "n_jobs": "no effect: an epoch goes from row to row",
        "early_stopping": "refused: stop by tol, or by a callback that watches rows of its own",
        "validation_fraction": "no effect: no rows are set aside",
        "coef_": "another form: a row on the plane counts as the second class, so the path differs; float64 always",
        "intercept_": "another form: a row on the plane counts as the second class, so the path differs; float64 always",
    }
    exceptions = {**STEPWISE, "relabelling": "a row on the plane itself counts as the second class"}

    def __init__(
        self,
        *,
        penalty: Literal["l2", "l1", "elasticnet"] | None = None,
        alpha: NonNegative = 0.0001,
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
        validation_fraction: Fraction = 0.1,
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
            visits=0,
            seed=seed,
        )

    def run_epoch(self, state: Correcting, rows: Rows) -> Correcting:
        """(1) for every row."""
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
        return self.check_convergence(new, mistakes, missed / (visits - state.visits))

    def check_convergence(self, state: Correcting, mistakes: Array, missed: Array) -> Correcting:
        """Whether the fit has come to rest."""
        fell = has_fallen(missed, state.best, self.tol)
        idle = np.where(fell & (mistakes > 0), 0, state.idle + 1)
        resting = (mistakes == 0) | ((idle >= self.n_iter_no_change) if self.tol is not None else False)
        return replace(
            state,
            iteration=state.iteration + 1,
            objective=float(missed.sum()),
            settled=bool(resting.all()),
            history=np.vstack([state.history, mistakes]),
            best=np.minimum(state.best, missed),
            idle=idle,
        )

    # ---- the answer --------------------------------------------------------------------------------------------------

    def answer(self, state: Correcting) -> Array:
        """The last planes, the mean of all, or those in the pocket."""
        if self.average and state.visits:
            return state.total / state.visits
        return state.pocket if self.pocket else state.planes

    def attributes(self, state: Correcting, rows: Rows) -> dict[str, Any]:
        planes = self.answer(state)
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
        planes = self.answer(state)
        standing, reach = rows.sum(Standing.of, planes), rows.sum(Reach.of)
        separated, bound = bool((standing.errors == 0).all()), np.full(len(planes), np.inf)
        known = {"objective": state.objective, "errors": float(standing.errors.sum()), "separated": separated}
        if self.rate == "constant" and rows.first(lambda block: block.weight is None):
            best, margin = standing.centre(planes, self.fit_intercept)
            square = reach.square + self.fit_intercept
            bound = np.array([mistake_bound(*one, square) for one in zip(best, margin, state.start / self.eta0, strict=True)])
        claim = (
            "the mistakes have stopped shrinking, fewer than those of a constant; no plane that separates the classes was found"
        )
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


# ---- (1) -------------------------------------------------------------------------------------------------------------


def visit(X: Any, *told: Any) -> tuple[int, float, int]:
    """(1) for the rows of an array or of a sparse matrix."""
    return sparse_visit(compress(X), *told) if sparse.issparse(X) else dense_visit(X, *told)


@compiled
def dense_visit(
    X: Array, y: Array, weight: Array, order: Array, theta: Array, total: Array, survivor: Array, longest: int, visits: int,
    eta0: float, decreasing: bool, intercept: bool,
) -> tuple[int, float, int]:  # fmt: skip
    """(1) for rows in order. θ, the sum of all θ and the one that survived longest (if there is room for it) are changed in
    place; returns the number of mistakes, the sum of their |t|, and how long the survivor survived."""
    d, one = X.shape[1], 1.0 if intercept else 0.0
    mistakes, missed, run, lag = 0, 0.0, 0, np.zeros(len(theta))
    for k in range(len(order)):
        i = order[k]
        if weight[i] == 0.0:
            continue
        t = theta[0]
        for j in range(d):
            t += theta[1 + j] * X[i, j]
        if (t >= 0) == (y[i] > 0):
            run += 1
            if run == longest + 1 and len(survivor):  # a new survivor; while it survives it stays the same plane
                for j in range(len(theta)):
                    survivor[j] = theta[j]
            longest = max(longest, run)
            continue
        step = y[i] * weight[i] * eta0 * (1000.0 / (1000.0 + visits + k) if decreasing else 1.0)
        theta[0] += one * step
        lag[0] += one * step * k
        for j in range(d):
            theta[1 + j] += step * X[i, j]
            lag[1 + j] += step * X[i, j] * k
        mistakes, missed, run = mistakes + 1, missed + weight[i] * abs(t), 0
    total += len(order) * theta - lag
    return mistakes, missed, longest


@compiled(exact=True)  # as in stochastic_epoch.py
def sparse_visit(
    X: tuple[Array, Array, Array], y: Array, weight: Array, order: Array, theta: Array, total: Array, survivor: Array,
    longest: int, visits: int, eta0: float, decreasing: bool, intercept: bool,
) -> tuple[int, float, int]:  # fmt: skip
    """The same for rows in compressed form: X are the cells, their columns, and where each row starts. θ and its lag lie side
    by side, so that a column is one place in memory."""
    cells, columns, starts = X
    one, both = 1.0 if intercept else 0.0, np.zeros((len(theta), 2))
    mistakes, missed, run = 0, 0.0, 0
    for j in range(len(theta)):
        both[j, 0] = theta[j]
    for k in range(len(order)):
        i = order[k]
        if weight[i] == 0.0:
            continue
        t = both[0, 0]
        for c in range(starts[i], starts[i + 1]):
            t += both[1 + columns[c], 0] * cells[c]
        if (t >= 0) == (y[i] > 0):
            run += 1
            if run == longest + 1 and len(survivor):
                for j in range(len(theta)):
                    survivor[j] = both[j, 0]
            longest = max(longest, run)
            continue
        step = y[i] * weight[i] * eta0 * (1000.0 / (1000.0 + visits + k) if decreasing else 1.0)
        both[0, 0] += one * step
        both[0, 1] += one * step * k
        for c in range(starts[i], starts[i + 1]):
            move = step * cells[c]
            both[1 + columns[c], 0] += move
            both[1 + columns[c], 1] += move * k
        mistakes, missed, run = mistakes + 1, missed + weight[i] * abs(t), 0
    for j in range(len(theta)):
        theta[j] = both[j, 0]
    total += len(order) * theta - both[:, 1]
    return mistakes, missed, longest


# ---- the pocket --------------------------------------------------------------------------------------------------------


def update_pocket(state: Correcting, survivors: Array, rows: Rows) -> Correcting:
    """The survivors of the epoch and the planes at its end are compared with those in the pocket on all rows."""
    pocket, errors = state.pocket.copy(), state.errors.copy()
    for candidates in (survivors, state.planes):
        found = rows.sum(Standing.of, candidates).errors
        fewer = found < errors
        pocket[fewer], errors[fewer] = candidates[fewer], found[fewer]
    return replace(state, pocket=pocket, errors=errors)
