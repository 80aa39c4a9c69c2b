"""Mixture of any distributions: rows drawn from k of them, found by EM.

    p(x) = Σ_k π_k p_k(x)                                                                                     (1)

EM raises ℓ = Σ w ln p(x), with weights w; what it lowers is −ℓ/Σw:

    E    r_k(x) = π_k p_k(x) / p(x)                                                                            (2)
    M    π_k = Σ w r_k / Σ w,     p_k = the member of its family with the largest Σ w r_k ln p_k(x)              (3)

(3) is what the families of bayes/distributions do with rows of weight w·r_k, so any of them can be mixed: Poisson and Bernoulli
columns, a narrow and a wide Gaussian. Columns are independent within a component unless it is a distribution of whole rows.

Cost: k weighted fits a pass.
Reference: McLachlan & Peel, "Finite Mixture Models", Wiley, 2000.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from aprendiz.bayes.distributions.family import Family
from aprendiz.cluster.mixtures.members import (
    OF_ROWS,
    Member,
    MemberSums,
    as_text,
    family_of,
    first_members,
    from_text,
    given_members,
    log_densities,
    refitted,
    start_statistics,
    statistics,
)
from aprendiz.cluster.mixtures.scores import MixtureScores, drawn_components
from aprendiz.cluster.mixtures.starts import MixtureStart, StartKind, begin, columns_of
from aprendiz.core.blas import single_blas
from aprendiz.core.certificate import Certificate
from aprendiz.core.inputs import refuse_empty_sums
from aprendiz.core.iteration import State
from aprendiz.core.parameters import Count, NonNegative, Seed
from aprendiz.core.random import draw_seed
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sums import Sums

FamilyName = Literal["MultivariateGaussian", "Gaussian", "Poisson", "Bernoulli", "Categorical"]
WIDE = 2**9  # the products of a member are not known here: BLAS is held to one thread for any


@dataclass(frozen=True)
class MembersPass(State):
    """Members on their way, as text. `still`: this start has come to rest; the best one so far is kept beside it."""

    weights: Array
    members: str
    log: Array  # ℓ/Σw of each pass since the start
    seed: int
    start: int
    still: bool
    best_weights: Array
    best_members: str
    best_log: Array
    best_still: bool


class MixtureModel(MixtureScores):
    """Mixture of any distributions by EM (Poisson, Bernoulli, Categorical, Gaussians and others, also from files).

    Parameters
    ----------
    components : str, Family or list, default="MultivariateGaussian"
        A family of aprendiz.bayes.distributions, or its name; or the first members: distributions of whole rows, of the only
        column, or lists with one for each column. Distributions that are no Family stay as they are.
    n_components : int, default=2
        k, where `components` is a family.
    weights : {"free", "equal"}, default="free"
        "equal" holds π at 1/k.
    tol : float, default=1e-6
        Convergence: the mean log-likelihood increases by less than this.
    max_iter : int, default=1000
        Maximum number of iterations of a single start.
    n_init : int, default=1
        Number of initialisations, of which the one with the largest likelihood is kept; 1 where members are given.
    init_params : {"kmeans", "k-means++", "random", "random_from_data"}, default="kmeans"
        How to assign rows to components initially, if `components` is a family.
    random_state : int, RandomState or None
        The seed of the starts and of `sample`.

    Attributes
    ----------
    weights_ : ndarray of shape (n_components,)
        π.
    components_ : list
        The distributions: one for each component, or a tuple with one for each column.
    members_ : str
        The same as text.
    converged_ : bool
    n_iter_ : int
        Number of iterations of the best start.
    lower_bound_, lower_bounds_ : float, list of float
        ℓ/Σw of the last pass, and of each pass, of the best start.
    n_parameters_ : int
        Number of free parameters.
    certificate_ : Certificate
        That ℓ never fell.

    Examples
    --------
    >>> from aprendiz.bayes.distributions import Poisson
    >>> X = [[0], [1], [2], [1], [0], [9], [11], [10], [12], [8]]
    >>> model = MixtureModel([Poisson(1.0), Poisson(5.0)]).fit(X)
    >>> [round(one.rate, 3) for one in model.components_]
    [0.796, 9.969]
    """

    State = MembersPass
    exceptions = {
        "check_sample_weight_equivalence_on_dense_data": "rows are drawn by their number: another order, another start",
        "check_sample_weights_shape": "equal rows: a component of Gaussians without variance is refused",
        "check_sample_weights_not_overwritten": "equal rows: a component of Gaussians without variance is refused",
        "check_estimators_nan_inf": "few rows: a component of Gaussians without variance is refused",
    }

    def __init__(
        self,
        components: FamilyName | type | list[Any] | tuple[Any, ...] = "MultivariateGaussian",
        n_components: Count = 2,
        *,
        weights: Literal["free", "equal"] = "free",
        tol: NonNegative = 1e-6,
        max_iter: Count = 1000,
        n_init: Count = 1,
        init_params: StartKind = "kmeans",
        random_state: Seed = None,
    ):
        self.components = components
        self.n_components = n_components
        self.weights = weights
        self.tol = tol
        self.max_iter = max_iter
        self.n_init = n_init
        self.init_params = init_params
        self.random_state = random_state

    def open(self, X: Any, y: Any = None, sample_weight: Any = None, *, reset: bool = True) -> Rows:
        rows = super().open(X, y, sample_weight, reset=reset)
        rows.width = max(rows.width, WIDE)
        return rows

    def starts(self) -> int:
        return self.n_init if family_of(self.components) else 1

    # ---- the loop ----------------------------------------------------------------------------------------------------

    def states(self, rows: Rows, since: MembersPass | None = None) -> Iterator[MembersPass]:
        state = since
        if state is None:
            state = self.started(rows, draw_seed(self.random_state), 0)
            yield state
        while not state.settled:
            if state.still or len(state.log) >= self.max_iter:
                if state.start + 1 == self.starts():
                    return
                state = self.started(rows, state.seed, state.start + 1, state)
            else:
                sums = rows.sum(member_sums, state.weights, from_text(state.members))  # (2)
                refuse_empty_sums(sums.weight, sums.finite, rows)
                state = self.moved(state, sums)  # (3)
            yield state

    def moved(self, state: MembersPass, sums: MemberSums) -> MembersPass:
        """(3), and whether the start has come to rest."""
        total = float(sums.weight.sum())
        mean = sums.log_likelihood / total
        weights = state.weights if self.weights == "equal" else sums.weight / total
        members, log = as_text(refitted(from_text(state.members), sums)), np.append(state.log, mean)
        still = bool(len(log) > 1 and abs(log[-1] - log[-2]) < max(self.tol, 1e-15 * abs(mean)))
        over = still or len(log) >= self.max_iter
        better = over and (len(state.best_log) == 0 or mean > state.best_log[-1])
        return replace(
            state,
            iteration=state.iteration + 1,
            objective=-mean,
            settled=over and (still if better else state.best_still) and state.start + 1 == self.starts(),
            weights=weights,
            members=members,
            log=log,
            still=still,
            best_weights=weights if better else state.best_weights,
            best_members=members if better else state.best_members,
            best_log=log if better else state.best_log,
            best_still=still if better else state.best_still,
        )

    def started(self, rows: Rows, seed: int, start: int, before: MembersPass | None = None) -> MembersPass:
        """State 0 of a start: members, no pass yet."""
        family = family_of(self.components)
        if family is None:
            given = given_members(self.components, rows.columns)
            columns_of(rows, len(given))
            weights, members = np.full(len(given), 1 / len(given)), as_text(given)
        else:
            weights, members = self.begun(rows, family, seed, start)
        nothing = np.empty(0)
        return MembersPass(
            iteration=0 if before is None else before.iteration + 1,
            objective=np.inf,
            settled=False,
            weights=weights,
            members=members,
            log=nothing,
            seed=seed,
            start=start,
            still=False,
            best_weights=weights if before is None else before.best_weights,
            best_members=members if before is None else before.best_members,
            best_log=nothing if before is None else before.best_log,
            best_still=before is not None and before.best_still,
        )

    def begun(self, rows: Rows, family: type[Family], seed: int, start: int) -> tuple[Array, str]:
        """Weights and members of the rows that each component starts with."""
        k = self.n_components
        sums = rows.sum(start_sums, family, begin(rows, k, self.init_params, None, seed, start))
        weights = np.full(k, 1 / k) if self.weights == "equal" else sums.weight / sums.weight.sum()
        return weights, as_text(first_members(family, sums))

    # ---- the answer --------------------------------------------------------------------------------------------------

    def attributes(self, state: MembersPass, rows: Rows) -> dict[str, Any]:
        weights, members, log, still = best_of(state)
        fitted = [one for member in from_text(members) for one in member if isinstance(one, Family)]
        count = sum(one.n_parameters for one in fitted) + (0 if self.weights == "equal" else len(weights) - 1)
        return {
            "weights_": weights,
            "members_": members,
            "converged_": still,
            "n_iter_": len(log),
            "lower_bound_": float(log[-1]) if len(log) else -np.inf,
            "lower_bounds_": log.tolist(),
            "n_parameters_": count,
            "certificate_": ascent(log, count),
        }

    def row_attributes(self, state: MembersPass, rows: Rows) -> dict[str, Any]:
        """Nothing but a word about components that have lost their rows."""
        if (lost := np.flatnonzero(best_of(state)[0] == 0)).size:
            said = f"Component {int(lost[0])} has no rows: ase fewer components, or start elsewhere."
            warnings.warn(said, ConvergenceWarning, stacklevel=4)
        return {}

    def decisive(self) -> frozenset[str]:
        return frozenset({"max_iter"} if self.starts() > 1 else ())

    def remedy(self) -> str:
        return f"Raise max_iter (it is {self.max_iter}) or tol."

    def most_states(self) -> int:
        return self.starts() * (self.max_iter + 1)

    @property
    def components_(self) -> list[Any]:
        """The distributions of the components."""
        check_is_fitted(self, "members_")
        alone = len(from_text(self.members_)[0]) == 1
        return [member[0] if alone else member for member in from_text(self.members_)]

    def of_rows(self, function: Any, X: Any) -> Array:
        """A function of ln π p(x) (rows × k), of each row."""
        rows = self.new_rows(X)
        with single_blas():
            return rows.each(lambda w, m, block: function(log_joint(w, m, block)), self.weights_, from_text(self.members_))

    def fit_predict(self, X: Any, y: Any = None, sample_weight: Any = None) -> Array:
        """Fit, and return the components of the training rows."""
        return self.fit(X, sample_weight=sample_weight).predict(X)

    def predict(self, X: Any) -> Array:
        """The component with the largest responsibility for each row."""
        return self.of_rows(lambda logs: logs.argmax(axis=1), X)

    def predict_proba(self, X: Any) -> Array:
        """Responsibilities of the components for each row; equal where all densities vanish."""
        return self.of_rows(lambda logs: shares_of(logs)[1], X)

    def score_samples(self, X: Any) -> Array:
        """ln p(x) of each row."""
        return self.of_rows(lambda logs: shares_of(logs)[0], X)

    def likelihood(self, X: Any, sample_weight: Any = None) -> RowTotals:
        """ℓ and Σw of some rows."""
        rows = self.new_rows(X, sample_weight)
        with single_blas():
            total = rows.sum(RowTotals.of, self.weights_, from_text(self.members_))
        refuse_empty_sums(total.weight, True, rows)
        return total

    def sample(self, n_samples: int = 1) -> tuple[Array, Array]:
        """Rows drawn from (1), component by component, and their components."""
        check_is_fitted(self)
        seed, k = draw_seed(self.random_state), len(self.weights_)
        y = drawn_components(self.weights_, n_samples, seed)
        counts = np.bincount(y, minlength=k)
        parts = enumerate(zip(from_text(self.members_), counts, strict=True))
        drawn = [drawn_rows(member, int(n), seed + 1 + j) for j, (member, n) in parts]
        return np.concatenate(drawn), y


# ---- small parts -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class RowTotals(Sums):
    """ℓ and Σw."""

    log_likelihood: float
    weight: float

    @staticmethod
    def of(weights: Array, members: list[Member], block: Block) -> RowTotals:
        found, w = shares_of(log_joint(weights, members, block))[0], block.weights
        return RowTotals(float(found[w > 0] @ w[w > 0]), float(w.sum()))


def log_joint(weights: Array, members: list[Member], block: Block) -> Array:
    """ln π_k p_k(x) of each row and component."""
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(weights) + log_densities(members, np.asarray(block.X, dtype=np.float64)))


def shares_of(logs: Array) -> tuple[Array, Array]:
    """ln p(x) of each row, and its responsibilities."""
    top = logs.max(axis=1, keepdims=True)
    level = np.where(np.isneginf(top), 0.0, top)
    found = np.exp(np.where(np.isneginf(top), 0.0, logs - level))
    total = found.sum(axis=1, keepdims=True)
    return (top + np.log(total))[:, 0], found / total


def member_sums(weights: Array, members: list[Member], block: Block) -> MemberSums:
    """(2), and the statistics of (3), for a block."""
    density, shares = shares_of(log_joint(weights, members, block))
    w = block.weights
    if (lost := np.isneginf(density) & (w > 0)).any():
        row = block.start + int(np.argmax(lost))
        raise ValueError(f"Row {row} has probability 0 in every component: start elsewhere, or leave it out.")
    shares *= w[:, None]
    counts = statistics(members, np.asarray(block.X, dtype=np.float64), shares)
    return MemberSums(shares.sum(axis=0), float(density[w > 0] @ w[w > 0]), counts)


def start_sums(family: type[Family], begun: MixtureStart, block: Block) -> MemberSums:
    """The statistics of the rows that each component starts with."""
    shares = begun.shares(block) * block.weights[:, None]
    return MemberSums(shares.sum(axis=0), 0.0, start_statistics(family, block, shares))


def best_of(state: MembersPass) -> tuple[Array, str, Array, bool]:
    """Weights, members, log and rest of the best start; the one under way counts once it is better."""
    if len(state.best_log) == 0 or (len(state.log) > 0 and state.log[-1] > state.best_log[-1]):
        return state.weights, state.members, state.log, state.still
    return state.best_weights, state.best_members, state.best_log, state.best_still


def ascent(log: Array, parameters: int) -> Certificate:
    """ℓ of every pass (it must not fall)."""
    scale = max(1.0, float(np.abs(log).max(initial=0.0)))
    rise = float(np.max(-np.diff(log), initial=0.0)) / scale
    cost = -float(log[-1]) if len(log) else np.inf
    values = {"cost": cost, "rise": rise, "n_parameters": parameters, "log": -log}
    return Certificate("the log-likelihood never fell", rise <= 1e-12, values)


def drawn_rows(member: Member, n: int, seed: int) -> Array:
    """n rows of a component."""
    if isinstance(member[0], OF_ROWS):
        return np.asarray(member[0].sample(n, seed))
    return np.stack([np.asarray(one.sample(n, seed + 7919 * c), dtype=np.float64) for c, one in enumerate(member)], axis=1)
