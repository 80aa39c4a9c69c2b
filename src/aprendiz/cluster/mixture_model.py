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
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from aprendiz.bayes.distributions.family import Family
from aprendiz.cluster.mixtures.members import (
    Member,
    MemberSums,
    as_text,
    family_of,
    first_members,
    from_text,
    given_members,
    log_densities,
    parameter_count,
    refit,
    sees_rows,
    start_statistics,
    statistics,
)
from aprendiz.cluster.mixtures.scores import Likelihood, MixtureScores, drawn_components, is_still, shares_of
from aprendiz.cluster.mixtures.starts import MixtureStart, StartKind, begin, columns_of
from aprendiz.core.blas import single_blas
from aprendiz.core.certificate import Certificate
from aprendiz.core.inputs import refuse_empty_sums
from aprendiz.core.parameters import Count, NonNegative, Seed
from aprendiz.core.random import draw_seed
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.several_starts import StartState

FamilyName = Literal["MultivariateGaussian", "Gaussian", "Poisson", "Bernoulli", "Categorical"]
WIDE = 2**9  # the products of a member are not known here: BLAS is held to one thread for any


@dataclass(frozen=True)
class MembersPass(StartState):
    """Members on their way, as text, with ℓ/Σw of each pass."""

    lowest = False
    weights: Array
    members: str
    best_weights: Array
    best_members: str


class MixtureModel(MixtureScores):
    """Mixture of any distributions by EM (Poisson, Bernoulli, Categorical, Gaussians and others, also from files).

    Parameters
    ----------
    components : str, Family or list, default="MultivariateGaussian"
        A family of aprendiz.bayes.distributions, or its name; or the first members: distributions of whole rows, of the only
        column, or lists with one for each column. Distributions that are no Family stay as they are. A first member may be any
        object with `log_density(X)`, `weighted_fit(X, weights)`, which returns a new one, and for `sample` that method too.
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
        def passes(state: MembersPass) -> Iterator[MembersPass]:
            while True:
                sums = rows.sum(member_sums, state.weights, self.read(state.members))  # (2)
                refuse_empty_sums(sums.weight, sums.finite, rows)
                state = self.next_state(state, sums)  # (3)
                yield state

        yield from self.each_start(rows, passes, since)

    def next_state(self, state: MembersPass, sums: MemberSums) -> MembersPass:
        """(3), and whether the start has come to rest."""
        total = float(sums.weight.sum())
        mean = sums.log_likelihood / total
        weights = state.weights if self.weights == "equal" else sums.weight / total
        members = as_text(refit(self.read(state.members), sums))
        still = is_still(state.log, mean, self.tol)
        most = {"passes": self.max_iter, "starts": self.starts()}
        return state.after(mean, still, **most, weights=weights, members=members)

    def first(self, rows: Rows, seed: int, start: int) -> dict[str, Any]:
        """Weights and members of a start."""
        family = family_of(self.components)
        if family is None:
            given = given_members(self.components, rows.columns)
            columns_of(rows, len(given))
            weights, members = np.full(len(given), 1 / len(given)), as_text(given)
        else:
            weights, members = self.first_members(rows, family, seed, start)
        return {"weights": weights, "members": members}

    def first_members(self, rows: Rows, family: type[Family], seed: int, start: int) -> tuple[Array, str]:
        """Weights and members of the rows that each component starts with."""
        k = self.n_components
        sums = rows.sum(start_sums, family, begin(rows, k, self.init_params, None, seed, start))
        weights = np.full(k, 1 / k) if self.weights == "equal" else sums.weight / sums.weight.sum()
        return weights, as_text(first_members(family, sums))

    def read(self, text: str) -> list[Member]:
        """Members from their text."""
        return from_text(text, self.components)

    # ---- the answer --------------------------------------------------------------------------------------------------

    def attributes(self, state: MembersPass, rows: Rows) -> dict[str, Any]:
        best = state.best()
        weights, members, log = best.weights, best.members, best.log
        fitted = [one for member in self.read(members) for one in member]
        count = sum(map(parameter_count, fitted)) + (0 if self.weights == "equal" else len(weights) - 1)
        return {
            "weights_": weights,
            "members_": members,
            "converged_": best.still,
            "n_iter_": len(log),
            "lower_bound_": float(log[-1]) if len(log) else -np.inf,
            "lower_bounds_": log.tolist(),
            "n_parameters_": count,
            "certificate_": ascent(log, count),
        }

    def row_attributes(self, state: MembersPass, rows: Rows) -> dict[str, Any]:
        """Nothing but a word about components that have lost their rows."""
        if (lost := np.flatnonzero(state.best().weights == 0)).size:
            said = f"Component {int(lost[0])} has no rows: use fewer components, or start elsewhere."
            warnings.warn(said, ConvergenceWarning, stacklevel=4)
        return {}

    @property
    def components_(self) -> list[Any]:
        """The distributions of the components."""
        check_is_fitted(self, "members_")
        alone = len(self.read(self.members_)[0]) == 1
        return [member[0] if alone else member for member in self.read(self.members_)]

    def of_rows(self, function: Any, X: Any) -> Array:
        """A function of ln π p(x) (rows × k), of each row."""
        rows = self.new_rows(X)
        with single_blas():
            return rows.each(lambda w, m, block: function(log_joint(w, m, block)), self.weights_, self.read(self.members_))

    def score_samples(self, X: Any) -> Array:
        """ln p(x) of each row."""
        return self.of_rows(lambda logs: shares_of(logs)[0], X)

    def likelihood(self, X: Any, sample_weight: Any = None) -> Likelihood:
        """ℓ and Σw of some rows."""
        rows = self.new_rows(X, sample_weight)
        with single_blas():
            total = rows.sum(likelihood_sums, self.weights_, self.read(self.members_))
        refuse_empty_sums(total.weight, True, rows)
        return total

    def sample(self, n_samples: int = 1, random_state: Seed = None) -> tuple[Array, Array]:
        """Rows drawn from (1), component by component, and their components; with the seed of the model if none is given."""
        check_is_fitted(self)
        seed, k = draw_seed(self.random_state if random_state is None else random_state), len(self.weights_)
        y = drawn_components(self.weights_, n_samples, seed)
        counts = np.bincount(y, minlength=k)
        parts = enumerate(zip(self.read(self.members_), counts, strict=True))
        drawn = [drawn_rows(member, int(n), seed + 1 + j) for j, (member, n) in parts]
        return np.concatenate(drawn), y


# ---- small parts -----------------------------------------------------------------------------------------------------


def log_joint(weights: Array, members: list[Member], block: Block) -> Array:
    """ln π_k p_k(x) of each row and component."""
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(weights) + log_densities(members, np.asarray(block.X, dtype=np.float64)))


def likelihood_sums(weights: Array, members: list[Member], block: Block) -> Likelihood:
    """ℓ and Σw of a block."""
    return Likelihood.of(shares_of(log_joint(weights, members, block))[0], block.weights)


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


def ascent(log: Array, parameters: int) -> Certificate:
    """That no pass lowered ℓ by more than 10⁻¹² of its largest size. Nothing is claimed about other maxima."""
    scale = max(1.0, float(np.abs(log).max(initial=0.0)))
    rise = float(np.max(-np.diff(log), initial=0.0)) / scale
    cost = -float(log[-1]) if len(log) else np.inf
    values = {"cost": cost, "rise": rise, "n_parameters": parameters, "log": -log}
    return Certificate("the log-likelihood never fell", rise <= 1e-12, values)


def drawn_rows(member: Member, n: int, seed: int) -> Array:
    """n rows of a component."""
    if sees_rows(member[0]):
        if not callable(getattr(member[0], "sample", None)):
            raise TypeError(f"{type(member[0]).__name__} has no sample(n, seed): rows cannot be drawn from it.")
        return np.asarray(member[0].sample(n, seed)).reshape(n, -1)
    return np.stack([np.asarray(one.sample(n, seed + 7919 * c), dtype=np.float64) for c, one in enumerate(member)], axis=1)
