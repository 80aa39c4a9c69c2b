"""Random Fourier features: D cosines whose inner products come near to the Gaussian kernel.

A kernel of differences is the mean of cosines over its Fourier transform (Bochner); that of the Gaussian one is normal:

    e^(−γ‖x−y‖²) = E cos(wᵀ(x − y)),     w ~ N(0, 2γ·I)                                                        (1)
    z(x) = √(2/D)·cos(Wᵀx + b),     D draws w, b uniform in [0, 2π):     E z(x)ᵀz(y) = K(x, y)                 (2)

Each of the D terms 2·cos(wᵀx + b)·cos(wᵀy + b) has variance ½(1 − K²)² + ½ ≤ 1 and lies within 3 of its mean, so that by
Bernstein's inequality, for P pairs of rows at once and with probability 1 − δ, L = ln(2P/δ),

    |z(x)ᵀz(y) − K(x, y)| ≤ (L + √(L² + 2·D·L)) / D                                                           (3)

The rows are only looked at for γ = "scale": W and b follow from the seed, and a linear learner on z is a kernel learner whose
cost grows with n, in memory, from files and on a cluster.

Cost: O(d·D) to fit, O(d·D) a row to transform.
Reference: Rahimi & Recht, "Random features for large-scale kernel machines", NIPS 2007.
"""

from __future__ import annotations

from typing import Any, Literal, Self

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin
from sklearn.callback import with_callbacks

from aprendiz.core.blas import single_blas
from aprendiz.core.callbacks import reporting
from aprendiz.core.certificate import Certificate
from aprendiz.core.learner import Transformer
from aprendiz.core.parameters import Count, Factor, Seed
from aprendiz.core.precision import double
from aprendiz.core.random import draw_seed
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sources.arrays import in_memory
from aprendiz.kernel.features.cosines import cosine_features
from aprendiz.kernel.features.frequencies import FREQUENCIES, draw_frequencies
from aprendiz.kernel.gram.gram_matrix import gram_matrix
from aprendiz.kernel.kernels import RBF
from aprendiz.kernel.shared.cell_scale import scale_of

CHECKED = 64  # rows whose pairs the certificate looks at
FAILURE = 1e-6  # δ of (3)
LOST = 1e-6  # what rounding may take from a phase, in turns, and from the kernel


class RBFSampler(ClassNamePrefixFeaturesOutMixin, Transformer):
    """Random Fourier features of the Gaussian kernel (drop-in for scikit-learn's; also block by block from files and Dask).

    Parameters
    ----------
    gamma : float or "scale", default=1.0
        γ of the kernel e^(−γ‖x−y‖²); "scale": 1/(number of columns · variance of all cells), which takes a pass over the rows.
    n_components : int, default=100
        The number D of features.
    random_state : int, RandomState or None
        The seed of W and b.

    Attributes
    ----------
    random_weights_ : ndarray of shape (n_features, n_components)
        W.
    random_offset_ : ndarray of shape (n_components,)
        b.
    certificate_ : Certificate
        The largest error of z(x)ᵀz(y) on the pairs of some rows, beside the bound (3).

    Examples
    --------
    >>> X = [[0.0, 0.0], [1.0, 0.0]]
    >>> Z = RBFSampler(gamma=0.5, n_components=10_000, random_state=0).fit_transform(X)
    >>> round(float(Z[0] @ Z[1]), 1), round(float(np.exp(-0.5)), 1)
    (0.6, 0.6)
    """

    allows = frozenset({"sparse"})
    in_data_dtype = frozenset({"random_weights_", "random_offset_"})
    stored_check = FREQUENCIES
    exceptions = {
        "memory": "nothing is summed: the frequencies follow from the seed",
        "shift": "phases move with the rows; only inner products of the features stay",
        "scaling": "gamma is in the units of the columns",
        "column order": "random numbers belong to the number of a column",
        "same answer": "random numbers are drawn in another way: tests/kernel/test_rbf_sampler.py compares the distributions",
    }

    def __init__(self, *, gamma: Factor | Literal["scale"] = 1.0, n_components: Count = 100, random_state: Seed = None):
        self.gamma = gamma
        self.n_components = n_components
        self.random_state = random_state

    @with_callbacks
    def fit(self, X: Any, y: Any = None) -> Self:
        """Draw the frequencies for the columns of X. Returns the learner itself."""
        rows = self.open(X)
        with reporting(self, X, y, None):
            return self.settle({**rows.noted, **self.learned(rows)})

    def learned(self, rows: Rows) -> dict[str, Any]:
        """W and b of (2)."""
        gamma = scale_of(rows) if self.gamma == "scale" else float(self.gamma)
        W, b = draw_frequencies(gamma, rows.columns, int(self.n_components), draw_seed(self.random_state))
        some = some_rows(rows.block(0)) if in_memory(rows) else rows.first(some_rows)
        known = Certificate.later(lambda: realised_error(some, W, b, gamma))
        return {"random_weights_": W, "random_offset_": b, "certificate_": known}

    @property
    def _n_features_out(self) -> int:
        return len(self.random_offset_)

    def new_rows(self, X: Any, sample_weight: Any = None) -> Rows:
        """New data as checked rows; sparse ones stay sparse."""
        rows = super().new_rows(X, sample_weight)
        return rows.like(thin=True) if in_memory(rows) and rows.sparse else rows

    def change(self, X: Array) -> Array:
        """(2)."""
        single = X.dtype == np.float32 and self.random_weights_.dtype == np.float32
        dtype = np.float32 if single else np.float64
        return cosine_features(X, double(self.random_weights_), double(self.random_offset_), dtype)


def some_rows(block: Block) -> Array:
    """A few rows of a block, near and far; all of them if they are few."""
    X = block.X[:: -(-len(block) // CHECKED)]
    return np.array(X, dtype=np.float64)


def realised_error(X: Array, W: Array, b: Array, gamma: float) -> Certificate:
    """That z(x)ᵀz(y) is within (3) of K(x, y) for the pairs of some rows, and that rounding
    takes at most 10⁻⁶ from phases and kernel."""
    kernel = RBF(gamma).on(X)
    with single_blas(), np.errstate(over="ignore", invalid="ignore"):
        Z, P = cosine_features(X, W, b, np.float64), kernel.points(X)
        error = float(np.abs(Z @ Z.T - gram_matrix(kernel, P)).max())
        reach = float((np.abs(X) @ np.abs(W)).max()) / (2.0 * np.pi)
    eps = float(np.finfo(float).eps)
    lost = max(eps * (X.shape[1] + 4.0) * (reach + 1.0), float(kernel.rounding(P, eps)))
    D, pairs = len(b), len(X) * (len(X) + 1) / 2.0
    L = np.log(2.0 * pairs / FAILURE)
    bound = float((L + np.sqrt(L * L + 2.0 * D * L)) / D)
    return Certificate(
        "inner products of the features are within the Monte Carlo bound of the kernel, for all pairs of some rows",
        bool(error <= bound and lost <= LOST),
        {"error": error, "bound": bound, "rows": len(X), "rounding": lost},
    )
