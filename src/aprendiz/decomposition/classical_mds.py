"""Classical multidimensional scaling: points whose distances are the given dissimilarities, if there are such points.

With Δ² the table of all δ_ij² and J = I − 11ᵀ/n,

    B = −½ JΔ²J = V diag(λ) Vᵀ,     λ_1 ≥ λ_2 ≥ …                                                             (1)
    X = V_k diag(λ_1, …, λ_k)^½                                                                               (2)

If the δ_ij are distances between points, B holds the inner products of those points less their mean, no λ is negative, and (2)
with as many components as the points have dimensions gives them back, up to a rotation. Of Euclidean distances (2) is
what PCA gives. Otherwise XXᵀ is the table of inner products of rank k nearest to B, and negative λ say that no points have
these dissimilarities.

Cost: n²·d for the dissimilarities, then some tens of products with B for few components, n³ for many. Memory: n².
References: Torgerson, "Multidimensional scaling: I. Theory and method", Psychometrika 17, 1952; Gower, "Some distance
properties of latent root and vector methods used in multivariate analysis", Biometrika 53, 1966.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, Self

import numpy as np
from sklearn.callback import with_callbacks
from sklearn.exceptions import ConvergenceWarning

from aprendiz.core.blas import single_blas
from aprendiz.core.callbacks import reporting
from aprendiz.core.certificate import Certificate
from aprendiz.core.parameters import Count
from aprendiz.core.pictures import Picture, display
from aprendiz.core.rows import Array
from aprendiz.decomposition.dissimilarities.inner_products import evidence, inner_products, unit_of
from aprendiz.decomposition.dissimilarities.pair_rows import KEPT_IN_MEMORY, SeesPairs
from aprendiz.kernel.solvers.centred_spectrum import eigenpairs, upright
from aprendiz.locale import _


class ClassicalMDS(SeesPairs):
    """Classical multidimensional scaling, of Torgerson and Gower (drop-in for scikit-learn's).

    Parameters
    ----------
    n_components : int, default=2
        Number of columns of the embedding.
    metric : str or callable, default="euclidean"
        The dissimilarity: a metric's name, a function of two rows, or "precomputed": X is the table of dissimilarities then.
    metric_params : dict, optional
        Parameters of the metric.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        X of (2), the entry of largest size in each column positive; zeros where λ is negative.
    dissimilarity_matrix_ : ndarray of shape (n_samples, n_samples)
        The δ_ij.
    eigenvalues_ : ndarray of shape (n_components,)
        The largest λ, descending.
    method_ : {"lanczos", "dense"}
        How the eigenvectors were found.
    certificate_ : Certificate
        That the embedding is made of the largest eigenpairs of B, the share of negative eigenvalues, and how far distances in
        the embedding are from the dissimilarities. Computed on access, from all eigenvalues.

    Examples
    --------
    >>> ClassicalMDS(1).fit_transform([[0.0, 0.0], [3.0, 4.0], [6.0, 8.0]]).ravel().round(6) + 0.0
    array([ 5.,  0., -5.])
    """

    differences = {
        "n_components": "another form: more components than rows are refused",
        "metric": "another form: dissimilarities that are negative, or not 0 between a row and itself, are refused",
        "embedding_": "another form: 0, with a warning, in scikit-learn NaN, where the eigenvalue is negative",
        "dissimilarity_matrix_": "another form: float64 for float32 data too",
    }
    exceptions = {"memory": KEPT_IN_MEMORY, "scaling": "the embedding has the units of the columns"}

    def __init__(
        self,
        n_components: Count = 2,
        *,
        metric: str | Callable[..., Any] = "euclidean",
        metric_params: dict[str, Any] | None = None,
    ):
        self.n_components = n_components
        self.metric = metric
        self.metric_params = metric_params

    @with_callbacks
    def fit(self, X: Any, y: Any = None) -> Self:
        """Find points for the rows of X. Returns the learner itself."""
        rows = self.open(X)
        with reporting(self, X, y, None), single_blas():
            return self.settle({**rows.noted, **self.learned(rows.dissimilarities)})

    def fit_transform(self, X: Any, y: Any = None) -> Array:
        """Fit, and return the embedding."""
        return self.fit(X).embedding_

    def learned(self, D: Array) -> dict[str, Any]:
        """The fitted attributes, from the dissimilarities."""
        if self.n_components > len(D):
            raise ValueError(f"n_samples={len(D)} should be >= n_components={self.n_components}: use fewer components.")
        unit = unit_of(D)
        pairs = eigenpairs(inner_products(D / unit), self.n_components, dense=False, tolerance=0.0, steps=None, seed=0)
        if not pairs.settled:
            said = _("The eigenvectors are not yet exact (see certificate_): use fewer or more components.")
            warnings.warn(said, ConvergenceWarning, stacklevel=4)
        warn_of_negative(pairs.values)
        return {
            "embedding_": upright(pairs.vectors) * (unit * np.sqrt(np.maximum(pairs.values, 0.0))),
            "dissimilarity_matrix_": D,
            "eigenvalues_": pairs.values * unit**2,
            "method_": pairs.method,
        }

    @property
    def certificate_(self) -> Certificate:
        """What is known of the embedding."""
        with single_blas():
            return evidence(self.dissimilarity_matrix_, self.embedding_, self.eigenvalues_)

    def plot(self, ax: Any = None) -> Picture:
        """Dissimilarities against distances, a `ShepardDisplay`. Needs matplotlib."""
        return display("ShepardDisplay").from_estimator(self, ax=ax)


def warn_of_negative(values: Array) -> None:
    """A component that no points have."""
    count = int((values < -1e-9 * np.abs(values).max(initial=0.0)).sum())
    if count:
        said = _(
            "{count} of the {wanted} largest eigenvalues are negative: no points have such dissimilarities, and these "
            "components are 0. Use fewer components, or MDS."
        )
        warnings.warn(said.format(count=count, wanted=len(values)), UserWarning, stacklevel=5)
