"""Gaussian mixture: rows drawn from k Gaussians, found by EM.

    p(x) = Σ_k π_k N(x; μ_k, Σ_k)                                                                              (1)

EM raises the log-likelihood ℓ = Σ w ln p(x), with weights w, or rather its mean ℓ/Σw:

    E    r_k(x) = π_k N(x; μ_k, Σ_k) / p(x)                                                                    (2)
    M    π_k = n_k/Σw,   μ_k = Σ w r_k x / n_k,   Σ_k = Σ w r_k (x − μ_k)(x − μ_k)ᵀ / n_k + εI,   n_k = Σ w r_k   (3)

A pass is one sum over the rows (gaussian_components.py). With ε = reg_covar = 0, (3) maximises Q(θ, θ') = Σ w Σ_k r_k ln π_k N,
so ℓ never falls. With ε > 0 it maximises Q − ½ε Σ_k n_k tr Σ_k⁻¹, and what can be said of a pass from θ to θ⁺ is

    ℓ(θ⁺) − ℓ(θ) ≥ ½ε Σ_k n_k (tr Σ_k⁺⁻¹ − tr Σ_k⁻¹),   n_k those of θ                                          (4)

The cost of a pass is −ℓ/Σw plus the right-hand sides of (4) so far: it never rises, and without ε it is −ℓ/Σw.

A missing cell (NaN) is integrated out of (1), never filled in: E takes the mean and the covariance of the missing cells given
the known ones (missing_patterns.py). A row of which nothing is known has r = π; a column of which nothing is known stays at
mean 0 and variance 1, and no answer depends on it. This is right if what is missing does not depend on its values.

ℓ has no upper bound: a component on a single row makes it as large as 1/ε lets it. EM finds a local maximum, hence starts.

Cost: O(n·k·d²) a pass, O(n·k·d) for diagonal and spherical covariances; memory O(k·d²).
Reference: Dempster, Laird & Rubin, "Maximum likelihood from incomplete data via the EM algorithm", JRSS B 39, 1977.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from scipy import special
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from aprendiz.cluster.mixtures.floors import LARGE, warn_of_narrow_column
from aprendiz.cluster.mixtures.gaussian_components import (
    GaussianComponents,
    MixtureSums,
    log_joint,
    mixture_sums,
    parameter_count,
)
from aprendiz.cluster.mixtures.gaussian_starts import blank, given_means, given_weights, invert, shape_of, start_sums
from aprendiz.cluster.mixtures.scores import Likelihood, MixtureScores, drawn_components, is_still
from aprendiz.cluster.mixtures.starts import StartKind, begin, columns_of
from aprendiz.core.blas import single_blas
from aprendiz.core.certificate import Certificate
from aprendiz.core.inputs import refuse_empty_sums
from aprendiz.core.parameters import ArrayLike, Count, Finite, NonNegative, ParameterError, PositiveFinite, Seed, Whole
from aprendiz.core.pictures import Picture, display
from aprendiz.core.random import draw_seed, uniforms
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.several_starts import StartState
from aprendiz.core.sums import Extremes


@dataclass(frozen=True)
class MixturePass(StartState):
    """Gaussians on their way, with ℓ/Σw of each pass."""

    lowest = False
    weights: Array
    means: Array
    covariances: Array
    costs: Array  # by (4), of each pass
    charge: float  # the right-hand sides of (4) so far, over Σw
    best_weights: Array
    best_means: Array
    best_covariances: Array
    best_costs: Array


class GaussianMixture(MixtureScores):
    """Mixture of Gaussians by EM (drop-in for scikit-learn's; with weights, missing cells, and from files).

    Parameters
    ----------
    n_components : int, default=1
        Number of components k.
    covariance_type : {"full", "tied", "diag", "spherical"}, default="full"
        A covariance matrix for each component, one for all, a diagonal one for each, or one variance for each.
    tol : float, default=1e-3
        Convergence: the mean log-likelihood changes by less than this.
    reg_covar : float, default=1e-6
        ε of (3), in the squared units of X; it keeps components from collapsing. A warning names a column of which it is more
        than a twentieth of the variance: scale it, or give a smaller value.
    max_iter : int, default=100
        Maximum number of iterations of a single start.
    n_init : int, default=1
        Number of initialisations, of which the one with the largest likelihood is kept.
    init_params : {"kmeans", "k-means++", "random", "random_from_data"}, default="kmeans"
        How to assign rows to components initially (see starts.py).
    weights_init, means_init, precisions_init : array, optional
        π, μ and Σ⁻¹ of the start, the last in the shape that `covariance_type` asks for.
    random_state : int, RandomState or None
        The seed of the starts and of `sample`.
    warm_start : bool, default=False
        Whether to start from the previous fit.
    verbose, verbose_interval
        No effect.
    weights : {"free", "equal"}, default="free"
        "equal" holds π at 1/k.
    variance : float, optional
        A known variance of every column: the covariances do not move.

    Attributes
    ----------
    weights_, means_ : ndarray of shape (n_components,), (n_components, n_features)
        π and μ.
    covariances_, precisions_, precisions_cholesky_ : ndarray
        Σ, Σ⁻¹, and P with P Pᵀ = Σ⁻¹.
    converged_ : bool
    n_iter_ : int
        Number of iterations of the best start.
    lower_bound_, lower_bounds_ : float, list of float
        ℓ/Σw of the last pass, and of each pass, of the best start.
    n_parameters_ : int
        Number of free parameters.
    certificate_ : Certificate
        The cost of every pass, which never rises: by (4).

    Examples
    --------
    >>> X = [[0.0], [0.2], [0.4], [5.0], [5.2], [5.4]]
    >>> model = GaussianMixture(2, random_state=0).fit(X)
    >>> np.sort(model.means_.ravel()).round(4)
    array([0.2, 5.2])
    >>> model.predict([[0.3], [4.0], [np.nan]]) == model.predict([[0.1], [5.1], [0.2]])
    array([ True,  True,  True])
    >>> model.n_parameters_
    5
    """

    State = MixturePass
    allows = frozenset({"missing"})
    differences = {
        "init_params": "another form: every row belongs to the nearest of the means, or of the rows that were drawn",
        "verbose": "no effect: use aprendiz.training(progress=True)",
        "verbose_interval": "no effect: use aprendiz.training(progress=True)",
        **dict.fromkeys(("covariances_", "precisions_", "precisions_cholesky_"), "another form: float64 for float32 data too"),
    }

    def __init__(
        self,
        n_components: Count = 1,
        *,
        covariance_type: Literal["full", "tied", "diag", "spherical"] = "full",
        tol: NonNegative = 1e-3,
        reg_covar: Finite = 1e-6,
        max_iter: Whole = 100,
        n_init: Count = 1,
        init_params: StartKind = "kmeans",
        weights_init: ArrayLike | None = None,
        means_init: ArrayLike | None = None,
        precisions_init: ArrayLike | None = None,
        random_state: Seed = None,
        warm_start: bool = False,
        verbose: Whole | bool = 0,
        verbose_interval: Count = 10,
        weights: Literal["free", "equal"] = "free",
        variance: PositiveFinite | None = None,
    ):
        self.n_components = n_components
        self.covariance_type = covariance_type
        self.tol = tol
        self.reg_covar = reg_covar
        self.max_iter = max_iter
        self.n_init = n_init
        self.init_params = init_params
        self.weights_init = weights_init
        self.means_init = means_init
        self.precisions_init = precisions_init
        self.random_state = random_state
        self.warm_start = warm_start
        self.verbose = verbose
        self.verbose_interval = verbose_interval
        self.weights = weights
        self.variance = variance

    def open(self, X: Any, y: Any = None, sample_weight: Any = None, *, reset: bool = True) -> Rows:
        return with_components(super().open(X, y, sample_weight, reset=reset), self.n_components)

    # ---- the loop ----------------------------------------------------------------------------------------------------

    def states(self, rows: Rows, since: MixturePass | None = None) -> Iterator[MixturePass]:
        def passes(state: MixturePass) -> Iterator[MixturePass]:
            while True:
                now = self.components(state.weights, state.means, state.covariances).ready()
                sums = rows.sum(mixture_sums, now)  # (2)
                if self.variance is not None and not sums.finite:
                    refuse_variance(self.variance, rows)
                refuse_empty_sums(sums.weight, sums.finite, rows)
                state = self.next_state(state, now, sums)  # (3)
                yield state

        yield from self.each_start(rows, passes, since)

    def components(self, weights: Array, means: Array, covariances: Array) -> GaussianComponents:
        return GaussianComponents(weights, means, covariances, self.covariance_type)

    def next_state(self, state: MixturePass, now: GaussianComponents, sums: MixtureSums) -> MixturePass:
        """(3), the cost by (4), and whether the start has come to rest."""
        new = now.m_step(sums, self.reg_covar, equal=self.weights == "equal", fixed=self.variance is not None)
        total = float(sums.weight.sum())
        mean = sums.log_likelihood / total
        cost = state.charge - mean
        charge = 0.5 * self.reg_covar * float(sums.weight @ (new.traces - now.traces)) / total
        return state.after(
            mean,
            is_still(state.log if len(state.log) else self.earlier_log(), mean, self.tol),
            passes=self.max_iter,
            starts=self.n_init,
            objective=cost,
            weights=new.weights,
            means=new.means,
            covariances=new.covariances,
            costs=np.append(state.costs, cost),
            charge=state.charge + charge,
        )

    # ---- the start ---------------------------------------------------------------------------------------------------

    def first(self, rows: Rows, seed: int, start: int) -> dict[str, Any]:
        """The Gaussians of a start."""
        return no_pass_yet(self.first_components(rows, seed, start))

    def first_components(self, rows: Rows, seed: int, start: int) -> GaussianComponents:
        """Gaussians of the rows that each component starts with, or those that are given."""
        k, d = self.n_components, rows.columns
        means = given_means(self.means_init, k, d)
        weights = given_weights("equal" if self.weights == "equal" else self.weights_init, k)
        covariances = self.given_covariances(d)
        if means is not None and weights is not None and covariances is not None:
            columns_of(rows, k)
            return self.components(weights, means, covariances)
        begun = begin(rows, k, self.init_params, means, seed, start)
        wide = blank(begun, self.covariance_type)
        found = wide.m_step(rows.sum(start_sums, begun, wide), self.reg_covar)
        return self.components(
            found.weights if weights is None else weights,
            found.means if means is None else means,
            found.covariances if covariances is None else covariances,
        )

    def given_covariances(self, d: int) -> Array | None:
        """A known variance, or the inverses of `precisions_init`."""
        shape = shape_of(self.covariance_type, self.n_components, d)
        if self.variance is not None:
            unit = np.eye(d) if self.covariance_type in ("full", "tied") else np.ones(())
            return np.broadcast_to(self.variance * unit, shape).copy()
        if self.precisions_init is None:
            return None
        return invert(np.array(self.precisions_init, dtype=np.float64), shape, self.covariance_type)

    def earlier_state(self, rows: Rows) -> MixturePass | None:
        """With `warm_start`, the Gaussians of the fit before as a start."""
        if not self.warm_start or not hasattr(self, "weights_"):
            return None
        k, d = self.n_components, rows.columns
        if self.means_.shape != (k, d) or self.covariances_.shape != shape_of(self.covariance_type, k, d):
            raise ParameterError(
                f"warm_start=True goes on from {len(self.means_)} components of {self.means_.shape[1]} columns: "
                "keep n_components, covariance_type and the columns, or set warm_start=False."
            )
        before = self.components(self.weights_, self.means_, self.covariances_)
        return MixturePass.begin(0, self.n_init - 1, settled=self.max_iter == 0, **no_pass_yet(before))

    def earlier_log(self) -> Array:
        """ℓ/Σw of the last pass of the fit before, with `warm_start`."""
        known = self.warm_start and np.isfinite(getattr(self, "lower_bound_", -np.inf))
        return np.array([self.lower_bound_] if known else [])

    # ---- the answer --------------------------------------------------------------------------------------------------

    def attributes(self, state: MixturePass, rows: Rows) -> dict[str, Any]:
        best = state.best()
        found, log = self.components(best.weights, best.means, best.covariances), best.log
        count = self.count(rows.columns)
        return {
            "weights_": found.weights,
            "means_": found.means,
            "covariances_": found.covariances,
            "precisions_": found.precisions,
            "precisions_cholesky_": found.precision_triangles,
            "converged_": best.still,
            "n_iter_": len(log),
            "lower_bound_": float(log[-1]) if len(log) else -np.inf,
            "lower_bounds_": log.tolist(),
            "n_parameters_": count,
            "certificate_": ascent(best.costs, log, count),
        }

    def count(self, d: int) -> int:
        equal, fixed = self.weights == "equal", self.variance is not None
        return parameter_count(self.covariance_type, self.n_components, d, equal=equal, fixed=fixed)

    def row_attributes(self, state: MixturePass, rows: Rows) -> dict[str, Any]:
        """Nothing but a word about components that have lost their rows, and about columns narrower than ε."""
        best = state.best()
        variances = self.components(best.weights, best.means, best.covariances).column_variances - self.reg_covar
        if self.variance is None and (self.reg_covar > LARGE / 2 * variances).any():
            warn_of_narrow_column(self.reg_covar, rows)
        if (lost := np.flatnonzero(best.weights == 0)).size:
            said = f"Component {int(lost[0])} has no rows: X may hold fewer distinct rows. Use fewer components."
            warnings.warn(said, ConvergenceWarning, stacklevel=4)
        return {}

    # ---- what it says of rows ----------------------------------------------------------------------------------------

    def fitted_components(self) -> GaussianComponents:
        check_is_fitted(self)
        with single_blas():
            return self.components(self.weights_, self.means_, self.covariances_).ready()

    def of_rows(self, function: Any, X: Any) -> Array:
        """A function of ln π N(x) (rows × k), of each row."""
        rows = with_components(self.new_rows(X), self.n_components)
        return rows.each(lambda now, block: function(log_joint(now, block)), self.fitted_components())

    def score_samples(self, X: Any) -> Array:
        """ln p(x) of each row, of its known cells."""
        return self.of_rows(lambda logs: special.logsumexp(logs, axis=1), X)

    def likelihood(self, X: Any, sample_weight: Any = None) -> Likelihood:
        """ℓ and Σw of some rows."""
        rows = with_components(self.new_rows(X, sample_weight), self.n_components)
        total = rows.sum(likelihood_sums, self.fitted_components())
        refuse_empty_sums(total.weight, True, rows)
        return total

    def sample(self, n_samples: int = 1, random_state: Seed = None) -> tuple[Array, Array]:
        """Rows drawn from (1), component by component, and their components; with the seed of the model if none is given."""
        now = self.fitted_components()
        k, d = now.means.shape
        seed = draw_seed(self.random_state if random_state is None else random_state)
        y = drawn_components(now.weights, n_samples, seed)
        u = np.stack([uniforms(seed, 1 + j, n_samples) for j in range(d)], axis=1)
        Z = special.ndtri(np.maximum(u, 2.0**-54))
        if now.correlated:
            moved = (np.broadcast_to(now.triangles, (k, d, d))[y] @ Z[:, :, None])[:, :, 0]
        else:
            moved = np.sqrt(now.spread)[y] * Z
        return now.means[y] + moved, y

    def plot(self, X: Any = None, *, columns: tuple[int, int] = (0, 1), ax: Any = None) -> Picture:
        """The components over two columns, with the rows if they are given: a `MixtureDisplay`. Needs matplotlib."""
        return display("MixtureDisplay").from_estimator(self, X, columns=columns).plot(ax)


# ---- small parts -----------------------------------------------------------------------------------------------------


def likelihood_sums(now: GaussianComponents, block: Block) -> Likelihood:
    """ℓ and Σw of a block."""
    return Likelihood.of(special.logsumexp(log_joint(now, block), axis=1), block.weights)


def no_pass_yet(first: GaussianComponents) -> dict[str, Any]:
    """The fields of a state before the first pass."""
    now = {"weights": first.weights, "means": first.means, "covariances": first.covariances}
    return {**now, "costs": np.empty(0), "charge": 0.0}


def refuse_variance(variance: float, rows: Rows) -> None:
    """Stop where squares of the rows are numbers, but not what they are when divided by a given variance."""
    found = rows.sum(Extremes.of)
    with np.errstate(over="ignore"):
        square = float(((found.high - found.low) ** 2).max())
    if np.isfinite(square):
        raise ParameterError(
            f"variance of GaussianMixture must go with the rows, got {variance!r}: their squared distances, up to "
            f"{square:.3g}, divided by it are out of range. Give it in the squared units of X."
        )


def with_components(rows: Rows, k: int) -> Rows:
    """The rows, which say how large the products of k components are."""
    rows.width = max(rows.width, int(np.ceil(rows.columns * np.sqrt(k))))
    return rows


def ascent(costs: Array, log: Array, parameters: int) -> Certificate:
    """That no pass raised the cost, −ℓ and what reg_covar adds to it, by more than 10⁻¹² of the largest cost met. Nothing is
    claimed about other maxima, nor that reg_covar is small beside the variances."""
    scale = max(1.0, float(np.abs(costs).max(initial=0.0)))
    rise = float(np.max(np.diff(costs), initial=0.0)) / scale
    cost = float(costs[-1]) if len(costs) else np.inf
    fall = float(np.max(-np.diff(log), initial=0.0))
    values = {"cost": cost, "rise": rise, "fall": fall, "n_parameters": parameters, "log": costs}
    return Certificate("the log-likelihood never fell by more than reg_covar takes", rise <= 1e-12, values)
