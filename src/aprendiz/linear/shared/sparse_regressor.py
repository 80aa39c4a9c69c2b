"""What the lasso and the elastic net share: rounds, budget and certificate; equations in elastic_net.py.

A fit is a sequence of looks at the slopes of all columns (working_set.py), each with a duality gap: the states. Whenever it is
stopped, the coefficients of the last look are the answer, and the certificate says how far they are from the best at most.
With a budget the states are two: nothing at all, and what the search for α has found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, NamedTuple, Self

import numpy as np

from aprendiz import linear
from aprendiz.core.certificate import Certificate
from aprendiz.core.inputs import refuse_empty_sums
from aprendiz.core.iteration import Iterative, State
from aprendiz.core.learner import Learner
from aprendiz.core.parameters import ParameterError
from aprendiz.core.precision import double
from aprendiz.core.rows import Array, Rows, read_only
from aprendiz.linear.designs.design import Design, designs
from aprendiz.linear.penalties.budgets import CLOSE, penalty_for, refuse_both, sizes
from aprendiz.linear.penalties.sparse_penalty import ElasticPenalty
from aprendiz.linear.shared.linear_regressor import LinearRegressor
from aprendiz.linear.shared.sparse_coefficients import sparse_coefficients
from aprendiz.linear.solvers.coordinate_sweeps import exact_end
from aprendiz.linear.solvers.least_squares import Solution
from aprendiz.linear.solvers.ridge_solution import least_known, multipliers, of_each_target, solve_ridge
from aprendiz.linear.solvers.working_set import Optimum, SlopeCheck, WorkingSet, looks, solve, visible
from aprendiz.locale import _
from aprendiz.summaries.moments import Triangle

SMALL, SMALLEST = 1e-3, 1e-6  # of the largest penalty, where least squares is looked at, and where a search ends
EXACT = 1e-14  # gap up to which each step of the search for a budget goes
NOBODY, NOTHING = np.empty(0, np.intp), np.empty(0)

NO_EFFECT = {
    "copy_X": "no effect: the data passed in are never changed",
    "precompute": "no effect: which products are formed follows from the shape of the data",
    "random_state": "no effect: nothing is random",
    "selection": "no effect: coordinates are swept in turn, and the end is exact",
    "max_iter": "another form: rounds of enlarging the working set; a few are enough",
    "n_iter_": "another form: the number of sweeps over the working set",
    "dual_gap_": "another form: that of our end, which is 0 where rounding shows no more",
}


class TargetFit(NamedTuple):
    """A look at one target: the columns at work, their coefficients, how they were admitted (working_set.py), and α."""

    members: Array
    w: Array
    growth: Array
    alpha: float
    look: SlopeCheck


@dataclass(frozen=True)
class SparseState(State):
    """Targets one after the other: those that are done, then a look at the one at work. Of the others nothing is known yet."""

    mean: Array  # of the columns
    middles: Array  # means of the targets
    coef: Array  # of the targets that are done, one in each line,
    done: Array  # and their α, objective, gap, sweeps and ‖y‖²/Ω
    members: Array
    w: Array
    growth: Array
    alpha: float
    value: float  # the objective of the target at work
    gap: float
    sweeps: int
    round: int
    gap_before: float
    unit: float  # ‖y‖²/Ω of the target at work

    def numbers(self) -> Array:
        """α, objective, gap, sweeps and ‖y‖²/Ω of each target. Where nothing is known yet, the loss is ½‖y‖² at most."""
        found = np.empty((len(self.middles), 5))
        found[: len(self.done)] = self.done
        found[len(self.done) + 1 :] = np.inf, 0.0, 0.5, 0.0, np.inf
        found[len(self.done)] = self.alpha, self.value, self.gap, self.sweeps, self.unit
        return found


NO_LOOK = (NOBODY, NOTHING, NOBODY, 0.0, 0.0, 0.0, 0, 0, np.inf, 0.0)
CLOSED_FORM = SparseState(
    0, 0.0, True, NOTHING, NOTHING, NOTHING, NOTHING, *NO_LOOK
)  # the only state where nothing becomes zero


class Sparse(LinearRegressor, Iterative):
    """What the lasso and the elastic net share: (1)."""

    alpha: float
    positive: bool
    warm_start: bool
    max_iter: int
    tol: float
    budget: float | None

    State = SparseState
    frames = 4
    allows = frozenset({"sparse"})
    in_data_dtype = frozenset({"coef_", "intercept_"})
    exceptions = {"scaling": "the penalty is not invariant to the scale of the columns"}
    tuning = {"alpha": (0.001, 0.01, 0.1, 1.0)}

    @property
    def share(self) -> float:
        """ρ of (1)."""
        raise NotImplementedError

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, check_input: bool = True) -> Self:
        """Fit to X and y, each row counting with its weight; the input is always checked. Returns the learner itself."""
        return super().fit(X, y, sample_weight)

    def open(self, X: Any, y: Any = None, sample_weight: Any = None, *, reset: bool = True) -> Rows:
        """Training data as checked rows, as they lie in memory: a design reads them by columns."""
        return Learner.open(self, X, y, sample_weight, reset=reset)

    @staticmethod
    def path(X: Any, y: Any, **more: Any) -> tuple[Any, ...]:
        """The coefficients for many penalties: `enet_path`."""
        return linear.enet_path(X, y, **more)

    # ---- the loop ----------------------------------------------------------------------------------------------------

    def states(self, rows: Rows, since: SparseState | None = None) -> Iterator[SparseState]:
        """Target by target, look by look; a single state where nothing is to become zero."""
        if self.budget is not None:
            refuse_both(self)
        if not np.isfinite(self.alpha):
            raise ParameterError(f"alpha of {type(self).__name__} must be a finite number of at least 0, got {self.alpha!r}.")
        if self.alpha * self.share == 0:
            if since is None:
                yield CLOSED_FORM
            return
        found, free = designs(rows, self.fit_intercept), cache(lambda: self.least_squares(rows))
        mean, middles, targets = read_only(found.mean), read_only(found.middles), len(found.middles)
        coef, done = np.zeros((targets, rows.columns)), np.zeros((targets, 5))
        state, first = since, 0
        if since is not None:
            first = len(since.coef)
            coef[:first], done[:first] = since.coef, since.done
        for target in range(first, targets):
            begun = since if target == first else None
            known = mean, middles, read_only(coef[:target]), read_only(done[:target])
            design = found.of_target(target)
            work = design, found.total, target, begun
            for one in self.rounds(*work) if self.budget is None else self.search(*work, free):
                state = self.next_state(0 if state is None else state.iteration + 1, known, one, found.total, design.energy)
                yield state
            assert state is not None
            coef[target, state.members], done[target] = state.w, state.numbers()[target]

    def next_state(
        self, iteration: int, known: tuple[Array, Array, Array, Array], one: TargetFit, total: float, energy: float
    ) -> SparseState:
        """The state after a look."""
        mean, middles, coef, done = known
        members, w, growth, alpha, look = one
        value, before = look.objective / total, float(done[:, 1].sum()) if len(done) else 0.0
        settled = len(done) + 1 == len(middles) and look.gap <= self.tol and bool((visible(done[:, 2]) <= self.tol).all())
        return SparseState(
            iteration, before + value, settled, mean, middles, coef, done, members, w, growth, alpha,
            value, look.gap, look.sweeps, look.number, look.before, energy / total,
        )  # fmt: skip

    def rounds(self, design: Design, total: float, target: int, since: SparseState | None) -> Iterator[TargetFit]:
        """The looks at a target, or those that follow a state."""
        working, first = self.first_set(design, target), dict[str, Any]()
        if since is not None:
            working = WorkingSet.regrown(design, since.members, since.w, since.growth)
            first = {"first": since.round, "before": since.gap_before, "sweeps": since.sweeps}
        for look in looks(working, self.penalty(total * self.alpha), self.tol, self.max_iter, **first):
            if since is None or look.number > since.round:
                yield TargetFit(working.members, working.w, np.array(working.growth, np.intp), self.alpha, look)

    def search(
        self, design: Design, total: float, target: int, since: SparseState | None, free: Callable[[], Solution]
    ) -> Iterator[TargetFit]:
        """With a budget: nothing at all, whose loss is ½‖y‖², then what is found."""
        assert self.budget is not None
        if since is None:
            yield TargetFit(NOBODY, NOTHING, NOBODY, np.inf, SlopeCheck(0, 0.5 * design.energy, 0.5, np.inf, 0, design.c))
        if since is None or since.round == 0:
            working = self.first_set(design, target)
            best, alpha = self.within(self.budget, working, total, lambda: (free().coef[:, target], free().rank))
            look = SlopeCheck(1, best.objective, best.gap, 0.5, best.sweeps, design.c)
            yield TargetFit(np.arange(design.columns), best.w, NOBODY, alpha, look)

    def first_set(self, design: Design, target: int) -> WorkingSet:
        """The columns to begin with: none, or those of the fit before."""
        working = WorkingSet(design)
        if self.warm_start and getattr(self, "coef_", None) is not None and np.shape(self.coef_)[-1] == design.columns:
            before = double(np.atleast_2d(self.coef_)[target])
            working.admit(np.flatnonzero(before))
            working.w = before[working.members]
        return working

    def penalty(self, strength: float) -> ElasticPenalty:
        """The penalty of (1), times Ω."""
        return ElasticPenalty(strength * self.share, strength * (1.0 - self.share), self.positive)

    def least_squares(self, rows: Rows) -> Solution:
        """Least squares."""
        return solve_ridge(rows.sum(Triangle.joint, self.pivot(rows)), self.fit_intercept, 0.0, self.positive)

    def within(
        self, budget: float, working: WorkingSet, total: float, free: Callable[[], tuple[Array, int]]
    ) -> tuple[Optimum, float]:
        """The minimiser that has the size of the budget, from the largest penalty on, each found from the one before.

        Where a small penalty leaves room, least squares (`free`, with its rank) may keep to the budget. If not, though columns
        are dependent, other coefficients with the same predictions may. The gap is that of (3) in penalties/budgets.py.
        """
        design, tried = working.design, list[Optimum]()
        working.sharpen()
        largest = max(0.0, float(self.penalty(0.0).pull(design.c).max(initial=0.0)))
        if largest == 0:  # no column says anything of the target
            return Optimum(np.zeros(design.columns), 0.0, 0.0, 0, 0, 0.5 * design.energy), 0.0

        def size(alpha: float) -> float:
            penalty = self.penalty(total * alpha)
            # the coefficients of the α before would pass for those of this one
            exact_end(working.G, design.c[working.members], working.w, penalty)
            tried.append(solve(working, penalty, min(self.tol, EXACT), self.max_iter))
            return float(sizes(tried[-1].w, self.share))

        curvature = largest**2 / (design.energy * (1.0 - self.share)) if self.share < 1 else np.inf
        small = min(largest, curvature) / total
        found = penalty_for(size, budget, largest / (total * self.share), least=SMALL * small)
        if not found.binds:
            w, rank = free()
            if sizes(w, self.share) <= budget * (1.0 + CLOSE):
                _slopes, error = design.slopes(np.arange(design.columns), w)
                return replace(tried[-1], w=w, gap=0.0, objective=0.5 * error), 0.0
            found = penalty_for(size, budget, found.alpha, least=SMALLEST * small if rank < design.columns else 0.0)
        room = total * found.alpha * max(0.0, budget - found.size) / design.energy
        last, sweeps = tried[-1], sum(one.sweeps for one in tried)
        loss = last.objective - self.penalty(total * found.alpha).value(last.w)
        return replace(last, gap=last.gap + (room if room > CLOSE else 0.0), sweeps=sweeps, objective=loss), found.alpha

    # ---- the answer --------------------------------------------------------------------------------------------------

    def attributes(self, state: SparseState, rows: Rows) -> dict[str, Any]:
        targets, target = len(state.middles), len(state.coef)
        if targets == 0:
            return self.without_zeros(rows)
        W = np.zeros((rows.columns, targets))
        W[:, :target], W[state.members, target] = state.coef.T, state.w
        b = np.array([middle - state.mean @ w for w, middle in zip(W.T, state.middles, strict=True)])
        alphas, _values, gaps, counts, units = state.numbers().T
        gaps, sweeps, several = visible(gaps), [max(1, int(count)) for count in counts], targets > 1
        return {
            **self.flat_line(W, b, rows.target_shape()),
            "alpha_": alphas.copy() if several and self.budget is not None else float(alphas[0]),
            "n_iter_": sweeps if several else sweeps[0],
            "dual_gap_": gaps * units if several else float(gaps[0] * units[0]),
            "certificate_": self.proof(W, float(gaps.max()), state.objective),
        }

    def proof(self, W: Array, gap: float, objective: float) -> Certificate:
        """That F − min F ≤ (gap + 10⁻¹³)·‖y − ȳ‖²/n for every target, with gap ≤ tol; with a budget also that the coefficients
        keep to it, up to 10⁻⁹."""
        claim = "the objective exceeds its minimum by at most the duality gap, given as a fraction of ‖y‖²"
        certificate = Certificate(claim, gap <= self.tol, {"gap": gap, "tol": self.tol, "objective": objective})
        if self.budget is None:
            return certificate
        return self.budget_certificate(max(float(sizes(np.ascontiguousarray(w), self.share)) for w in W.T), certificate)

    def reason(self, state: SparseState) -> str:
        gap = float(visible(state.numbers()[:, 2]).max())
        if gap <= self.tol:  # what is left is that of the arithmetic
            return "converged"
        words = _("the duality gap is {gap} of ‖y‖², above tol={tol}")
        if self.budget is None and state.round >= self.max_iter:
            words = _("max_iter reached: the duality gap is {gap} of ‖y‖², above tol={tol}")
        return words.format(gap=f"{gap:.2g}", tol=f"{self.tol:g}")

    def remedy(self) -> str:
        if self.budget is None:
            return _("Raise max_iter, scale the columns, or raise alpha.")
        return _("Raise max_iter, scale the columns, or lower the budget.")

    def decisive(self) -> frozenset[str]:
        return frozenset({"max_iter"})  # a target that has had its rounds is not looked at again

    def budget_certificate(self, size: float, certificate: Certificate) -> Certificate:
        """What is known, and that the coefficients keep to the budget."""
        assert self.budget is not None
        claim = "the coefficients keep to the budget, and others that do lower the loss by at most the gap, a fraction of ‖y‖²"
        values = {"gap": 0.0, **certificate.values, "size": size, "budget": self.budget}
        return Certificate(claim, certificate.holds and size <= self.budget * (1.0 + 1e-9), values)

    def without_zeros(self, rows: Rows) -> dict[str, Any]:
        """ρ = 0 or α = 0: ridge regression, or least squares."""
        record = rows.sum(Triangle.joint, self.pivot(rows))
        refuse_empty_sums(record.weight, record.finite, rows)
        total = float(record.weight)
        strengths = np.array([total * self.alpha * (1.0 - self.share)])
        if self.budget is not None:  # ½‖w‖² ≤ c
            strengths = multipliers(record, self.fit_intercept, 2.0 * self.budget, self.positive)
        solutions = [solve_ridge(record, self.fit_intercept, strength, self.positive) for strength in strengths]
        W, b = of_each_target(solutions)
        certificate = least_known(solutions)
        if self.budget is not None:
            certificate = self.budget_certificate(float(sizes(W, self.share).max()), certificate)
        alphas = self.alpha if self.budget is None else strengths / total
        return {
            **self.flat_line(W, b, record.target),
            "alpha_": float(np.ravel(alphas)[0]) if np.size(alphas) == 1 else alphas,
            "n_iter_": 1,
            "dual_gap_": 0.0,
            "certificate_": certificate,
        }

    @property
    def sparse_coef_(self) -> Any:
        """The coefficients as a sparse matrix."""
        return sparse_coefficients(self.coef_)
