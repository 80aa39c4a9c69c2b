"""What random projections share: how many coordinates, draws until the distances are kept, and the way back.

    v = P u,     P of k rows,     E‖v‖² = ‖u‖²                                                                 (1)
    u ≈ P⁺ v                                                                                                   (2)

The columns are not looked at. The rows are counted, for `n_components="auto"`, and some of them are compared with their images.
"""

from __future__ import annotations

import warnings
from abc import abstractmethod
from typing import Any, Self

import numpy as np
from scipy import linalg, sparse
from sklearn.base import ClassNamePrefixFeaturesOutMixin
from sklearn.callback import with_callbacks
from sklearn.exceptions import ConvergenceWarning, DataDimensionalityWarning
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.blas import single_blas
from aprendiz.core.callbacks import reporting
from aprendiz.core.certificate import Certificate
from aprendiz.core.inputs import features
from aprendiz.core.learner import Transformer
from aprendiz.core.parameters import ParameterError
from aprendiz.core.random import draw_seed
from aprendiz.core.rows import Array, Rows
from aprendiz.decomposition.near_isometry.dimension import dimension
from aprendiz.decomposition.near_isometry.distortion import Compared, rows_to_compare
from aprendiz.decomposition.randomized.products import thin
from aprendiz.decomposition.randomized.stored_components import COMPONENTS
from aprendiz.kernel.features.row_sample import draw_rows
from aprendiz.locale import _

SAMPLE = 2**20  # the stream of the sample of rows, apart from the draws


class RandomProjection(ClassNamePrefixFeaturesOutMixin, Transformer):
    """A random matrix P, and (1) of each row."""

    allows = frozenset({"sparse"})
    in_data_dtype = frozenset({"components_", "inverse_components_"})
    stored_check = COMPONENTS
    exceptions = {
        "memory": "nothing is summed: the matrix follows from the seed",
        "shift": "the images move with the rows; only their differences stay",
        "column order": "random numbers belong to the number of a column",
        "same answer": "random numbers are drawn in another way: tests/decomposition compares the distributions",
    }

    n_components: Any
    eps: Any
    compute_inverse_components: Any
    random_state: Any
    retry: Any

    @abstractmethod
    def draw(self, k: int, columns: int, seed: int, number: int) -> Any:
        """P, of draw number 0, 1, …"""

    @abstractmethod
    def image(self, X: Any, P: Any) -> Any:
        """(1) of some rows."""

    @with_callbacks
    def fit(self, X: Any, y: Any = None) -> Self:
        """Draw the matrix for the columns of X. Returns the learner itself."""
        rows = self.open(X)
        with reporting(self, X, y, None), single_blas(rows.work):
            return self.settle({**rows.noted, **self.learned(rows)})

    def learned(self, rows: Rows) -> dict[str, Any]:
        """The matrix, and how it did."""
        if self.eps == 1:
            raise ParameterError(f"eps of {type(self).__name__} must be below 1, got 1.0.")
        count = rows.count if rows.count is not None else rows.sum(len)
        k, seed = self.number_of_components(count, rows.columns), draw_seed(self.random_state)
        some = draw_rows(rows, min(rows_to_compare(rows.columns), count), seed + SAMPLE)[1]
        compared = Compared(some, count, float(self.eps), self.n_components == "auto" or self.retry > 1)
        for number in range(int(self.retry)):
            P = self.draw(k, rows.columns, seed, number)
            known = self.certificate(compared, P)
            if self.retry == 1 or known.holds:
                break
        else:
            said = _(
                "No draw of {retry} kept the distances to within eps (see certificate_): raise n_components, eps or retry."
            )
            warnings.warn(said.format(retry=self.retry), ConvergenceWarning, stacklevel=4)
        found = {"components_": P, "n_components_": k, "draws_": number + 1, "certificate_": known}
        return found | ({"inverse_components_": self.inverse(P)} if self.compute_inverse_components else {})

    def certificate(self, compared: Compared, P: Any) -> Certificate:
        """How P did, found when it is looked at."""

        def find() -> Certificate:
            with single_blas():
                return compared.certificate(self.image, P)

        return Certificate.later(find)

    def number_of_components(self, count: int, columns: int) -> int:
        """k: as given, or enough for so many rows."""
        if self.n_components != "auto":
            if self.n_components > columns:
                warnings.warn(
                    "The number of components is higher than the number of features: n_features < n_components "
                    f"({columns} < {self.n_components}). The dimensionality of the problem will not be reduced.",
                    DataDimensionalityWarning,
                    stacklevel=5,
                )
            return int(self.n_components)
        k = int(dimension(count, self.eps, "sklearn"))
        named = f"eps={self.eps:f} and n_samples={count} lead to a target dimension of {k}"
        if k < 1:
            raise ValueError(f"{named} which is invalid: give more rows, or n_components as a number.")
        if k > columns:
            raise ValueError(
                f"{named} which is larger than the original space with n_features={columns}: raise eps, or give n_components."
            )
        return k

    # ---- images --------------------------------------------------------------------------------------------------------

    def new_rows(self, X: Any, sample_weight: Any = None) -> Rows:
        """New data as checked rows; sparse ones stay sparse."""
        return thin(super().new_rows(X, sample_weight))

    def change(self, X: Array) -> Array:
        with np.errstate(over="ignore", invalid="ignore"):
            found = self.image(X, self.components_)
        if not np.isfinite(found.data if sparse.issparse(found) else found).all():
            refuse_far(X)
        return found

    @property
    def _n_features_out(self) -> int:
        return int(self.n_components_)

    def inverse(self, P: Any) -> Array:
        """P⁺ of (2)."""
        return linalg.pinv(P.toarray() if sparse.issparse(P) else P, check_finite=False)

    def inverse_transform(self, X: Any) -> Array:
        """(2): the rows of smallest norm with the given images."""
        check_is_fitted(self)
        V, _noted = features(self, X, reset=True)
        if V.shape[1] != self.n_components_:
            needed = f"{self.n_components_} components need as many coordinates"
            raise ValueError(f"X has {V.shape[1]} features, but {needed}: give one for each.")
        with single_blas(float(V.shape[0]) * self.components_.shape[0] * self.components_.shape[1]):
            back = self.inverse_components_ if self.compute_inverse_components else self.inverse(self.components_)
            return np.asarray(V @ back.T)


def refuse_far(X: Any) -> None:
    """Name the largest cell, whose products are no numbers."""
    X = X.toarray() if sparse.issparse(X) else X
    row, column = np.unravel_index(int(np.abs(X).argmax()), X.shape)
    raise ValueError(
        f"Input X holds values too large to be projected: {X[row, column]:.3g} in column {column}. Scale the column."
    )
