"""Principal component analysis: the directions in which the data vary most.

With the centred rows Z and the covariance Σ = ZᵀZ/(n − 1),

    Σ v_j = λ_j v_j,     λ₁ ≥ λ₂ ≥ … ≥ 0                                                                      (1)
    t = (x − m) V                             coordinates of a row, variances λ_j, uncorrelated               (2)
    min over rank k of ‖Z − Ẑ‖²_F = (n − 1)·Σ_{j>k} λ_j,   reached by Ẑ = Z V_k V_kᵀ  (Eckart–Young)          (3)

Σ is one sum over the rows. With fewer rows than columns, the sum is kept as a triangle R (RᵀR = ZᵀZ) of n rows instead,
and (1) is read off its singular values: the d × d matrix is never formed.

Cost: n·d² multiplications for Σ, of the order of d³ for (1); memory d². With n < d: n²·d and n·d.
Reference: Jolliffe, "Principal component analysis", 2nd ed., 2002; Tipping & Bishop, JRSS B 61, 1999, for the density.
"""

from __future__ import annotations

from numbers import Integral
from typing import Annotated, Any, Literal

import numpy as np
from scipy import linalg
from sklearn.base import ClassNamePrefixFeaturesOutMixin
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.blas import single_blas
from aprendiz.core.certificate import Certificate
from aprendiz.core.inputs import features
from aprendiz.core.learner import OnePass, Transformer
from aprendiz.core.parameters import Count, NonNegative, Seed, Whole, Within
from aprendiz.core.precision import double, in_dtype_of
from aprendiz.core.rows import MOST_ROWS, Array, Block, Rows
from aprendiz.core.sums import find_pivot
from aprendiz.summaries.moments import Moments, Triangle

SHARE_ROUNDING = 8 * float(np.finfo(float).eps)  # of a share of the variance, for each component that is summed


class PCA(ClassNamePrefixFeaturesOutMixin, Transformer, OnePass):
    """Principal component analysis (drop-in for scikit-learn's; exact, also from files and by `partial_fit`).

    Parameters
    ----------
    n_components : int, float, "mle" or None, default=None
        How many components: all (None), a number, the fewest that explain at least that share of the variance
        (0 < share < 1), or Minka's estimate ("mle").
    whiten : bool, default=False
        Divide the coordinates by their standard deviations.
    copy, svd_solver, tol, iterated_power, n_oversamples, power_iteration_normalizer, random_state
        No effect: the answer is exact and nothing is random.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        v_j of (1) as rows, the entry of largest size positive.
    explained_variance_, explained_variance_ratio_, singular_values_ : ndarray of shape (n_components,)
        λ_j, λ_j / Σλ, and the singular values of Z.
    mean_, n_components_, n_samples_, noise_variance_
        m; k; n; the mean of the variances left out.
    certificate_ : Certificate
        The error (3), what share of the variance it is, and how far the components are from orthonormal.
    """

    allows = frozenset({"sparse"})
    in_data_dtype = frozenset(
        ("components_", "mean_", "noise_variance_", "singular_values_", "explained_variance_", "explained_variance_ratio_")
    )
    differences = {
        "n_components": "another form: a share that k components explain exactly needs no further component",
        "copy": "no effect: the data passed in are never changed",
        "whiten": "another form: scales coordinates only; the covariance of the model and its score stay as they are",
        "noise_variance_": "another form: where it is 0 and columns outnumber the rows there is no density: score is refused",
        "svd_solver": "no effect: eigenvectors of the covariance, or the singular values of a triangle if n < d",
        "tol": "no effect: nothing is iterated",
        "iterated_power": "no effect: nothing is iterated",
        "n_oversamples": "no effect: nothing is random",
        "power_iteration_normalizer": "no effect: nothing is random",
        "random_state": "no effect: nothing is random",
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

    def summarise(self, rows: Rows) -> Moments | Triangle:
        if rows.count is not None and rows.count <= rows.columns:
            return rows.sum(Triangle.of, find_pivot(rows))
        return rows.sum(Moments.of, find_pivot(rows))

    def conclude(self, record: Moments | Triangle) -> dict[str, Any]:
        n, d = float(record.weight), record.columns
        if n < 1 + 1e-6 and record.rows > 1:
            raise ValueError(f"The weights sum to {n:.3g}: they count rows, so their sum must exceed 1. Multiply them.")
        most = min(d, record.rows)
        wanted = self.eigenvectors_needed(most)
        values, vectors, total = record.spectrum(max(wanted, 1))  # (1), largest first
        variances = np.maximum(values, 0.0) / max(n - 1.0, 1.0)
        total /= max(n - 1.0, 1.0)
        k = self.choose_number(variances, total, record.rows, d)
        variances, V = variances[:k], upright(vectors[:k])
        left = max(total - variances.sum(), 0.0)
        share = left / total if total > 0 else 0.0
        return {
            "components_": V,
            "explained_variance_": variances,
            "explained_variance_ratio_": variances / total if total > 0 else np.zeros(k),
            "singular_values_": np.sqrt(variances * max(n - 1.0, 0.0)),
            "mean_": record.mean,
            "n_components_": k,
            "n_samples_": round(n),
            "noise_variance_": left / (most - k) if k < most else 0.0,
            "certificate_": Certificate.later(lambda: eckart_young(V, left * max(n - 1.0, 0.0), share, rounding(record))),
        }

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
            return most_likely_dimension(variances, n)
        if isinstance(self.n_components, Integral):
            return int(self.n_components)
        share = np.cumsum(variances) / total
        rounding = SHARE_ROUNDING * len(variances)
        return min(int(np.searchsorted(share, self.n_components - rounding)) + 1, len(variances))

    @property
    def _n_features_out(self) -> int:
        return int(self.n_components_)

    def change(self, X: Array) -> Array:
        T = (X - double(self.mean_)) @ double(self.components_).T  # (2)
        if self.whiten:
            T /= self.deviations()
        return in_dtype_of(T, X, self.components_)

    def inverse_transform(self, X: Any) -> Array:
        """Rows of the original space with the given coordinates."""
        check_is_fitted(self)
        if isinstance(X, Rows):
            raise TypeError("Opened rows cannot be transformed back: give an array of coordinates.")
        T, _ = features(self, X, reset=True)
        if T.shape[1] != self.n_components_:
            needed = f"{self.n_components_} components need as many coordinates"
            raise ValueError(f"X has {T.shape[1]} features, but {needed}: give one for each.")
        axes = double(self.components_) * (self.deviations()[:, None] if self.whiten else 1.0)
        return in_dtype_of(T @ axes + double(self.mean_), T, self.components_)

    def deviations(self) -> Array:
        """√λ_j, kept above rounding so that a component without variance is not blown up."""
        scale = np.sqrt(double(self.explained_variance_))
        return np.maximum(scale, np.finfo(float).eps * (scale.max(initial=0.0) or 1.0))

    # ---- the probabilistic model: x ~ N(m, V (Λ − σ²I) Vᵀ + σ²I), σ² the mean of the variances left out ---------------

    def get_covariance(self) -> Array:
        """The covariance of the model."""
        check_is_fitted(self)
        return self.covariance().astype(self.components_.dtype, copy=False)

    def covariance(self) -> Array:
        """The same, in double precision."""
        V = double(self.components_)
        covariance = (V.T * np.maximum(double(self.explained_variance_) - self.noise_variance_, 0.0)) @ V
        covariance[np.diag_indices_from(covariance)] += self.noise_variance_
        return covariance

    def get_precision(self) -> Array:
        """Its inverse."""
        check_is_fitted(self)
        return self.precision().astype(self.components_.dtype, copy=False)

    def precision(self) -> Array:
        """The same, in double precision."""
        covariance = self.covariance()
        variances = np.append(double(self.explained_variance_), self.noise_variance_)[: len(covariance)]
        least = variances.min()
        rounding = len(covariance) * float(np.finfo(self.components_.dtype).eps) * variances[0]
        if not least > max(rounding, np.finfo(float).tiny):
            raise ValueError(
                f"PCA of X has no density: of its {len(covariance)} variances the smallest is {least:.1e}, beside "
                f"{variances[0]:.1e}. Leave out columns that are constant or follow from others, give more rows than columns, "
                "or keep fewer components."
            )
        with single_blas():
            return linalg.inv(covariance)

    def score_samples(self, X: Any) -> Array:
        """Log-density of each row under the model."""
        check_is_fitted(self)
        precision, mean = self.precision(), double(self.mean_)
        d = len(precision)
        constant = -0.5 * (d * np.log(2.0 * np.pi) - np.linalg.slogdet(precision)[1])

        def log_density(block: Block) -> Array:
            Z = block.X - mean
            return in_dtype_of(constant - 0.5 * np.einsum("ij,ij->i", Z @ precision, Z), block.X, self.mean_)

        return self.new_rows(X).each(log_density)

    def score(self, X: Any, y: Any = None) -> float:
        """Mean log-density of the rows."""
        return float(np.mean(self.score_samples(X)))


def upright(vectors: Array) -> Array:
    """Eigenvectors as rows, with the sign that makes the entry of largest size positive."""
    largest = np.argmax(np.abs(vectors), axis=1)
    return vectors * np.sign(vectors[np.arange(len(vectors)), largest])[:, None]


def rounding(record: Moments | Triangle) -> float:
    """What the rounding of sums may have done to the scatter, as a part of the whole: more, the farther the pivot is from the
    mean; infinite where squares leave the range of doubles."""
    if isinstance(record, Moments):
        around, within, first = np.diagonal(record.gram)[1:], np.diagonal(record.scatter), record.gram[0, 1:]
    else:
        around, within, first = (record.R[:, 1:] ** 2).sum(axis=0), (record.R[1:, 1:] ** 2).sum(axis=0), record.R[:, 1:]
    size, total = float(around.sum()), float(within.sum())
    if size == 0:
        return np.inf if first.any() else 0.0  # squares that vanished, or rows that are all alike
    terms = 8.0 + min(record.rows, MOST_ROWS) / 2.0 + record.columns
    return float(np.finfo(float).eps * terms * size / total) if 1e-280 < total < 1e280 else np.inf


def eckart_young(V: Array, error: float, share: float, lost: float) -> Certificate:
    """That no projection on k directions leaves less than the error of this one, and that it is `error`, both up to 10⁻¹⁰ of
    Σ ω‖x − m‖²."""
    skew = float(np.abs(V @ V.T - np.eye(len(V))).max(initial=0.0))
    return Certificate(
        "no other rank-k projection leaves a smaller squared error, but for rounding",
        skew < 1e-10 and lost < 1e-10,
        {"error": error, "share": share, "skew": skew, "rounding": lost},
    )


def most_likely_dimension(variances: Array, n: int) -> int:
    """Minka's choice: the k with the largest evidence of the probabilistic model (NIPS 2000, equation 79)."""
    from scipy.special import gammaln

    if variances[0] == 0:
        return 1
    d, variances = len(variances), variances / variances[0]  # the unit of the columns does not matter
    floor = np.maximum(variances, np.finfo(float).tiny)
    best, best_evidence = 1, -np.inf
    for k in range(1, d):
        if variances[k - 1] < 1e-15:
            break
        sigma2 = max(float(floor[k:].mean()), 1e-15)
        i = np.arange(1, k + 1)
        uniform = -k * np.log(2.0) + np.sum(gammaln((d - i + 1) / 2) - np.log(np.pi) * (d - i + 1) / 2)
        likelihood = -0.5 * n * (np.log(floor[:k]).sum() + (d - k) * np.log(sigma2))
        free = d * k - k * (k + 1) / 2
        shrunk = np.concatenate([floor[:k], np.full(d - k, sigma2)])
        first, second = np.triu_indices(d, 1)
        pairs = first < k
        a, b = first[pairs], second[pairs]
        curvature = np.log((floor[a] - floor[b]) * (1 / shrunk[b] - 1 / shrunk[a])).sum() + len(a) * np.log(n)
        evidence = uniform + likelihood + 0.5 * np.log(2 * np.pi) * (free + k) - 0.5 * curvature - 0.5 * k * np.log(n)
        if evidence > best_evidence:
            best, best_evidence = k, evidence
    return best
