"""Principal component analysis: the directions in which the data vary most.

With the centred rows Z (their columns divided by their deviations, if asked) and the covariance Σ = ZᵀZ/(n − 1),

    Σ v_j = λ_j v_j,     λ₁ ≥ λ₂ ≥ … ≥ 0                                                                      (1)
    t = V(x − m)                              coordinates of a row, variances λ_j, uncorrelated               (2)
    min over rank k of ‖Z − Ẑ‖²_F = (n − 1)·Σ_{j>k} λ_j,   reached by Ẑ = Z VᵀV   (Eckart–Young)              (3)

V, whose rows are the components, keeps the largest variance that k directions can have: tr(VΣVᵀ) = λ₁ + … + λ_k.
How (1) is solved follows from the shape of the table and is told in `method_` (spectrum/principal_axes.py): Σ is a sum over
the rows; with fewer rows than columns their n × n products are enough; for a few components of a table that is large both
ways, passes over the rows form neither. With missing cells, Σ is the most likely one of a normal density
(probabilistic/probabilistic_pca.py).

Cost: n·d·min(n, d) multiplications, and of the order of min(n, d)³ for (1); or some tens of passes of 4·n·d·k. Memory: d², or
n·d with fewer rows than columns.
Reference: Jolliffe, "Principal component analysis", 2nd ed., 2002.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from numbers import Integral
from typing import Annotated, Any, Literal, Self

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.certificate import Certificate
from aprendiz.core.learner import OnePass
from aprendiz.core.parameters import Count, NonNegative, Seed, Whole, Within
from aprendiz.core.precision import double, in_dtype_of
from aprendiz.core.random import draw_seed
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sources.arrays import ArrayRows
from aprendiz.core.sums import Spread, find_pivot
from aprendiz.decomposition.probabilistic.latent_sums import LatentDensity
from aprendiz.decomposition.probabilistic.missing_cells import AllowedByMissing, KnownCells, axes_of_density, density_of_axes
from aprendiz.decomposition.probabilistic.probabilistic_pca import DensityState, ProbabilisticPCA, ascent
from aprendiz.decomposition.projection.fitted_axes import fitted_axes, refuse_light_rows
from aprendiz.decomposition.projection.linear_projection import LinearProjection
from aprendiz.decomposition.projection.projection_error import Certify, eckart_young, eigenvector_residuals
from aprendiz.decomposition.spectrum.axes import Axes
from aprendiz.decomposition.spectrum.column_squares import EPSILON, ColumnSquares, Record
from aprendiz.decomposition.spectrum.lanczos_axes import affordable_steps, lanczos_axes
from aprendiz.decomposition.spectrum.number_of_components import fewest_explaining, most_likely_number
from aprendiz.decomposition.spectrum.principal_axes import principal_axes, record_of
from aprendiz.summaries.moments import count_rows

STILL = 1e-10  # of the mean log-likelihood: a rise at which EM stops
PRECISE = 1e-12  # residual of a component beside the largest eigenvalue, where passes over the rows find it


class PCA(LinearProjection, OnePass):
    """Principal component analysis (drop-in for scikit-learn's; exact, also from files and by `partial_fit`).

    Parameters
    ----------
    n_components : int, float, "mle" or None, default=None
        How many components: all (None), a number, the fewest that explain at least that share of the variance
        (0 < share < 1), or Minka's estimate ("mle").
    whiten : bool, default=False
        Divide the coordinates by their standard deviations.
    svd_solver : {"auto", "full", "covariance_eigh", "arpack", "randomized"}, default="auto"
        "full" keeps twice the digits of small variances, by singular values. "arpack" and "randomized" allow passes over files,
        too. Otherwise the route follows from the shape of the table; all routes are exact.
    tol : float, default=0
        Residual of a component beside the largest eigenvalue, where passes over the rows find it; 0 for 10⁻¹². With
        missing="em", the rise of the mean log-likelihood, as a part of it, at which EM stops; 0 for 10⁻¹⁰.
    random_state : int, RandomState or None
        The seed of the block that these passes begin with.
    copy, iterated_power, n_oversamples, power_iteration_normalizer
        No effect.
    scale : bool, default=False
        Divide the columns by their standard deviations first: the components of the correlations. Constant columns stay.
    missing : {"refuse", "em"}, default="refuse"
        What to do about missing cells: refuse them, or find the most likely components of the known cells by EM, and the
        coordinates of a row from its known cells.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        v_j of (1) as rows, the entry of largest size positive.
    explained_variance_, explained_variance_ratio_, singular_values_ : ndarray of shape (n_components,)
        λ_j, λ_j / Σλ, and the singular values of Z.
    mean_, n_components_, n_samples_, noise_variance_
        m; k; n; the mean of the variances left out.
    scale_ : ndarray of shape (n_features,) or None
        What the columns were divided by.
    method_ : {"covariance", "triangle", "gram", "svd", "lanczos", "em"}
        How (1) was solved.
    n_iter_ : int
        Passes of EM, where there were any.
    certificate_ : Certificate
        The error (3), what share of the variance it is, and how far the components are from orthonormal.

    Examples
    --------
    >>> X = [[2.0, 0.0], [0.0, 1.0], [4.0, 5.0], [6.0, 6.0]]
    >>> model = PCA(n_components=1).fit(X)
    >>> model.components_.round(4), model.explained_variance_ratio_.round(4)
    (array([[0.6526, 0.7577]]), array([0.9396]))
    >>> PCA(n_components=0.99, scale=True).fit(X).n_components_
    2
    """

    allows = AllowedByMissing()
    in_data_dtype = frozenset(
        ("components_", "mean_", "noise_variance_", "singular_values_", "explained_variance_", "explained_variance_ratio_")
    )
    differences = {
        "n_components": "another form: a share that k components explain exactly needs no further component",
        "copy": "no effect: the data passed in are never changed",
        "whiten": "another form: scales coordinates only; the covariance of the model and its score stay as they are",
        "noise_variance_": "another form: where it is 0 and columns outnumber the rows there is no density: score is refused",
        "svd_solver": "another form: the route follows from the shape, is exact, and is told in method_",
        "tol": "another form: the residual of a component, where passes over the rows find it",
        "iterated_power": "no effect: iterations go on until the components are exact",
        "n_oversamples": "no effect: iterations go on until the components are exact",
        "power_iteration_normalizer": "no effect: iterations go on until the components are exact",
    }
    exceptions = {
        "check_sample_weight_equivalence_on_dense_data": "components without variance point anywhere",
        "check_sample_weight_equivalence_on_sparse_data": "components without variance point anywhere",
    }

    def __init__(
        self,
        n_components: Whole | Annotated[float, Within(0, 1, above=True)] | Literal["mle"] | None = None,
        *,
        copy: bool = True,
        whiten: bool = False,
        svd_solver: Literal["auto", "full", "covariance_eigh", "arpack", "randomized"] = "auto",
        tol: NonNegative = 0.0,
        iterated_power: Count | Literal["auto"] = "auto",
        n_oversamples: Count = 10,
        power_iteration_normalizer: Literal["auto", "QR", "LU", "none"] = "auto",
        random_state: Seed = None,
        scale: bool = False,
        missing: Literal["refuse", "em"] = "refuse",
    ):
        self.n_components = n_components
        self.copy = copy
        self.whiten = whiten
        self.svd_solver = svd_solver
        self.tol = tol
        self.iterated_power = iterated_power
        self.n_oversamples = n_oversamples
        self.power_iteration_normalizer = power_iteration_normalizer
        self.random_state = random_state
        self.scale = scale
        self.missing = missing

    # ---- one sum over the rows -----------------------------------------------------------------------------------------

    def summarise(self, rows: Rows) -> Record:
        return rows.sum(record_of(rows, all_digits=self.svd_solver == "full"), find_pivot(rows))

    def conclude(self, record: Record) -> dict[str, Any]:
        n = float(record.weight)
        refuse_light_rows(n, record.rows)
        scale = ColumnSquares.of(record).deviations(n) if self.scale else None
        wanted = self.eigenvectors_needed(min(record.columns, record.rows))
        axes = principal_axes(record, max(wanted, 1), scale, all_digits=self.svd_solver == "full")  # (1)

        def certify(V: Array, error: float, share: float) -> Certificate:
            return eckart_young(V, error, share, ColumnSquares.of(record).lost(scale))

        return self.fitted(axes, n, record.rows, certify) | {"mean_": record.mean, "scale_": scale}

    def fitted(self, axes: Axes, n: float, rows: int, certify: Certify) -> dict[str, Any]:
        """The fitted attributes of the axes of some rows that weigh n."""
        d = axes.vectors.shape[1]
        found = fitted_axes(axes, n, rows, lambda variances, total: self.choose_number(variances, total, rows, d), certify)
        return found | {"n_samples_": round(n)}

    def eigenvectors_needed(self, most: int) -> int:
        """How many eigenvectors to compute before the number of components is known."""
        if not isinstance(self.n_components, Integral):
            return most
        if self.n_components > most:
            raise ValueError(
                f"n_components={self.n_components} must be between 0 and min(n_samples, n_features)={most}: ask for fewer."
            )
        return int(self.n_components)

    def choose_number(self, variances: Array, total: float, n: int, d: int) -> int:
        """The number of components."""
        if self.n_components is None:
            return len(variances)
        if self.n_components == "mle":
            if n < d:
                raise ValueError("n_components='mle' needs at least as many rows as columns.")
            return most_likely_number(variances, n)
        if isinstance(self.n_components, Integral):
            return int(self.n_components)
        return fewest_explaining(float(self.n_components), variances, total)

    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Update the fit with more rows. Any number of calls gives, up to rounding, the same as one `fit` on all rows."""
        if self.missing == "em":
            raise ValueError('missing="em" needs all rows at once: use fit, or missing="refuse".')
        if getattr(self, "method_", "") in ("lanczos", "em"):
            raise ValueError(
                "The components were found by passes over the rows, which leave no sums to add to: begin with partial_fit, or "
                'fit with svd_solver="covariance_eigh".'
            )
        return super().partial_fit(X, y, sample_weight)

    # ---- passes over the rows ------------------------------------------------------------------------------------------

    def learned(self, rows: Rows) -> dict[str, Any]:
        """From one sum; or from passes over the rows, where it pays, or where cells are missing."""
        if self.missing == "em" and (known := KnownCells.of(rows)).holes:
            return self.learned_from_known(rows, known)
        steps = self.passes(rows)
        return (self.learned_by_passes(rows, steps) if steps else None) or super().learned(rows)

    def passes(self, rows: Rows) -> int:
        """How many passes over the rows may be tried instead of a matrix."""
        wanted, iterative = self.n_components, self.svd_solver in ("arpack", "randomized")
        if rows.count is None or not isinstance(wanted, Integral) or not (iterative or self.svd_solver == "auto"):
            return 0
        return affordable_steps(rows.count, rows.columns, int(wanted)) if iterative or isinstance(rows, ArrayRows) else 0

    def learned_by_passes(self, rows: Rows, steps: int) -> dict[str, Any] | None:
        """By block Lanczos; None if the passes did not find the components."""
        spread = rows.sum(Spread.of, find_pivot(rows))
        n, counted, squares = float(spread.weight[0]), rows.sum(count_rows), ColumnSquares.of(spread)
        if not (spread.finite and n > 1.0):
            return None
        scale = squares.deviations(n) if self.scale else None
        tolerance, seed = float(self.tol) or PRECISE, draw_seed(self.random_state)
        found = lanczos_axes(rows, spread, self.eigenvectors_needed(counted), scale, steps, tolerance, seed)
        if found is None:
            return None
        axes, residual = found
        s = 1.0 if scale is None else scale
        off_centre = n * float(((EPSILON * spread.mean / s) ** 2).sum()) / axes.total if axes.total > 0 else 0.0

        def certify(V: Array, error: float, share: float) -> Certificate:
            return eigenvector_residuals(V, error, share, squares.lost(scale) + off_centre, residual, tolerance)

        return self.fitted(axes, n, counted, certify) | {"mean_": spread.mean, "scale_": scale, "sums_": None}

    # ---- missing cells -------------------------------------------------------------------------------------------------

    def em(self, known: KnownCells) -> ProbabilisticPCA:
        """EM for these rows."""
        scale = known.deviations if self.scale else known.units
        return ProbabilisticPCA(known.latent_numbers(self.n_components), scale, tol=self.tol or STILL)

    def steps(self, X: Any, y: Any = None, sample_weight: Any = None, *, since: Any = None) -> Iterator[DensityState]:
        """The states of EM with missing="em", one after the other, without fitting this learner."""
        if self.missing != "em":
            raise ValueError('Only missing="em" goes in passes: set it.')
        rows = clone(self).open(X, None, sample_weight)
        return self.em(KnownCells.of(rows)).steps(rows, since=since)

    def learned_from_known(self, rows: Rows, known: KnownCells) -> dict[str, Any]:
        """By EM (probabilistic/probabilistic_pca.py)."""
        refuse_light_rows(known.weight, known.rows)
        self.eigenvectors_needed(min(known.rows, rows.columns))
        fit = self.em(known)
        try:
            fit.fit(rows)
        except KeyboardInterrupt:
            if hasattr(fit, "state_"):
                self.settle({**rows.noted, **self.found_by_em(fit, known)})
            raise
        return self.found_by_em(fit, known)

    def found_by_em(self, fit: ProbabilisticPCA, known: KnownCells) -> dict[str, Any]:
        """The fitted attributes, in the units of the table."""
        state, s, n = fit.state_, np.asarray(fit.scale), known.weight
        axes = axes_of_density(state.density, n, min(known.rows, len(s)))
        if not self.scale:
            axes = replace(axes, values=axes.values * s[0] ** 2, total=axes.total * float(s[0] ** 2))
        found = self.fitted(axes, n, max(known.rows, len(s)), lambda *_: ascent(state))
        found |= {"mean_": state.mean * s, "scale_": s if self.scale else None, "n_iter_": state.iteration}
        return found | {"sums_": None, "n_samples_": round(n)}

    def latent_density(self) -> LatentDensity:
        """The density of the scaled and centred rows."""
        return density_of_axes(double(self.components_), double(self.explained_variance_), float(self.noise_variance_))

    def centred(self, X: Array) -> Array:
        """(x − m)/s, missing cells at their means given the known ones."""
        Z = super().centred(X)
        return self.latent_density().completed(Z) if np.isnan(Z).any() else Z

    def score_samples(self, X: Any) -> Array:
        """Log-density of each row under the model; of its known cells, if some are missing."""
        check_is_fitted(self)
        if self.missing == "refuse":
            return super().score_samples(X)
        density, logs = self.latent_density(), np.log(1.0 if (s := self.scales()) is None else s)

        def log_density(block: Block) -> Array:
            Z = LinearProjection.centred(self, block.X)
            return in_dtype_of(density.scores(Z) - (~np.isnan(Z) * logs).sum(axis=1), block.X, self.mean_)

        return self.new_rows(X).each(log_density)
