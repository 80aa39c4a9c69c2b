"""Coordinates on orthonormal axes, the way back, and the density that belongs to them.

    t = V((x − m)/s)                       coordinates; s = 1 unless columns are scaled                        (1)
    x̂ = m + s·(Vᵀt)                        the point of the plane with these coordinates                       (2)
    x ~ N(m, S C S),   C = Vᵀ(Λ − σ²I)V + σ²I,   S = diag(s)      σ² the mean of the variances left out        (3)

Reference: Tipping & Bishop, "Probabilistic principal component analysis", JRSS B 61, 1999, for (3).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg
from sklearn.base import ClassNamePrefixFeaturesOutMixin
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.blas import single_blas
from aprendiz.core.inputs import features
from aprendiz.core.learner import Transformer
from aprendiz.core.pictures import Picture, display
from aprendiz.core.precision import double, in_dtype_of
from aprendiz.core.rows import Array, Block, Rows


class LinearProjection(ClassNamePrefixFeaturesOutMixin, Transformer):
    """What fitted components are good for."""

    whiten: bool
    components_: Array
    mean_: Array
    explained_variance_: Array
    noise_variance_: float
    n_components_: int

    @property
    def _n_features_out(self) -> int:
        return int(self.n_components_)

    def scales(self) -> Array | None:
        """s, None if columns are not scaled."""
        scale: Array | None = getattr(self, "scale_", None)
        return None if scale is None else double(scale)

    def centred(self, X: Array) -> Array:
        """(x − m)/s."""
        Z, s = X - double(self.mean_), self.scales()
        return Z if s is None else Z / s

    def change(self, X: Array) -> Array:
        T = self.centred(X) @ double(self.components_).T  # (1)
        if self.whiten:
            T /= self.deviations()
        return in_dtype_of(T, X, self.components_)

    def inverse_transform(self, X: Any) -> Array:
        """Rows of the original space with the given coordinates: (2)."""
        check_is_fitted(self)
        if isinstance(X, Rows):
            raise TypeError("Opened rows cannot be transformed back: give an array of coordinates.")
        T, _ = features(self, X, reset=True)
        if T.shape[1] != self.n_components_:
            needed = f"{self.n_components_} components need as many coordinates"
            raise ValueError(f"X has {T.shape[1]} features, but {needed}: give one for each.")
        axes = double(self.components_) * (self.deviations()[:, None] if self.whiten else 1.0)
        if (s := self.scales()) is not None:
            axes = axes * s
        return in_dtype_of(T @ axes + double(self.mean_), T, self.components_)

    def deviations(self) -> Array:
        """√λ_j, kept above rounding so that a component without variance is not blown up."""
        scale = np.sqrt(double(self.explained_variance_))
        return np.maximum(scale, np.finfo(float).eps * (scale.max(initial=0.0) or 1.0))

    def reconstruction_error(self, X: Any, sample_weight: Any = None) -> float:
        """Mean over the rows of ‖x − x̂‖², the squared distance to what the coordinates give back (of scaled columns, if they
        were scaled)."""
        rows, V = self.new_rows(X, sample_weight), double(self.components_)

        def squares(block: Block) -> Array:
            Z = self.centred(block.X)
            Z -= (Z @ V.T) @ V
            return np.array([block.weights.sum(), block.weights @ np.einsum("ij,ij->i", Z, Z)])

        weight, error = rows.sum(squares)
        return float(error / weight)

    # ---- the density (3) -----------------------------------------------------------------------------------------------

    def get_covariance(self) -> Array:
        """The covariance of the model."""
        check_is_fitted(self)
        return self.in_units(self.covariance(), 1).astype(self.components_.dtype, copy=False)

    def in_units(self, C: Array, power: int) -> Array:
        """A matrix of scaled columns in the units of the table: S C S, or S⁻¹CS⁻¹."""
        if (s := self.scales()) is None:
            return C
        s = s**power
        return np.asarray(C * s * s[:, None])

    def covariance(self) -> Array:
        """C, in double precision."""
        V = double(self.components_)
        covariance = (V.T * np.maximum(double(self.explained_variance_) - self.noise_variance_, 0.0)) @ V
        covariance[np.diag_indices_from(covariance)] += self.noise_variance_
        return covariance

    def get_precision(self) -> Array:
        """Its inverse."""
        check_is_fitted(self)
        return self.in_units(self.precision(), -1).astype(self.components_.dtype, copy=False)

    def precision(self) -> Array:
        """C⁻¹, in double precision."""
        covariance = self.covariance()
        variances = np.append(double(self.explained_variance_), self.noise_variance_)[: len(covariance)]
        least = variances.min()
        rounding = len(covariance) * float(np.finfo(self.components_.dtype).eps) * variances[0]
        if not least > max(rounding, np.finfo(float).tiny):
            raise ValueError(
                f"{type(self).__name__} of X has no density: of its {len(covariance)} variances the smallest is {least:.1e}, "
                f"beside {variances[0]:.1e}. Leave out columns that are constant or follow from others, give more rows than "
                "columns, or keep fewer components."
            )
        with single_blas():
            return np.asarray(linalg.inv(covariance))

    def score_samples(self, X: Any) -> Array:
        """Log-density of each row under the model."""
        check_is_fitted(self)
        precision = self.precision()
        d = len(precision)
        constant = -0.5 * (d * np.log(2.0 * np.pi) - np.linalg.slogdet(precision)[1])
        if (s := self.scales()) is not None:
            constant -= float(np.log(s).sum())

        def log_density(block: Block) -> Array:
            Z = self.centred(block.X)
            return in_dtype_of(constant - 0.5 * np.einsum("ij,ij->i", Z @ precision, Z), block.X, self.mean_)

        return self.new_rows(X).each(log_density)

    def score(self, X: Any, y: Any = None) -> float:
        """Mean log-density of the rows."""
        return float(np.mean(self.score_samples(X)))

    def plot(self, ax: Any = None) -> Picture:
        """Variances of the components, one by one and added up: an `ExplainedVarianceDisplay`. Needs matplotlib."""
        return display("ExplainedVarianceDisplay")(self).plot(ax)
