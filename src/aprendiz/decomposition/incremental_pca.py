"""Principal components of rows that come batch by batch, exactly those of all the rows together.

    S(A ∪ B) = S(A) + S(B) + (n_A n_B/n)·δδᵀ,    δ = m_B − m_A                                                (1)

S is the scatter around the mean m. Nothing is forgotten between batches, so neither their size nor their order matters. (The
usual method keeps only k components of what came before, and drops what lies outside of them for good.)

Cost: n·d² multiplications, and eigenvectors after each batch. Memory: d², or the rows while they are fewer than the columns.
Reference: Ross, Lim, Lin & Yang, "Incremental learning for robust visual tracking", IJCV 77, 2008, for the usual method.
"""

from __future__ import annotations

from typing import Any, Self

from aprendiz.core.certificate import Certificate
from aprendiz.core.learner import OnePass
from aprendiz.core.parameters import Count
from aprendiz.core.rows import Array, Rows
from aprendiz.core.sums import find_pivot
from aprendiz.decomposition.projection.fitted_axes import fitted_axes, refuse_light_rows
from aprendiz.decomposition.projection.linear_projection import LinearProjection
from aprendiz.decomposition.projection.projection_error import eckart_young
from aprendiz.decomposition.spectrum.column_squares import ColumnSquares, Record
from aprendiz.decomposition.spectrum.principal_axes import principal_axes, record_of


class IncrementalPCA(LinearProjection, OnePass):
    """Principal component analysis batch by batch (drop-in for scikit-learn's; exact).

    Parameters
    ----------
    n_components : int, optional
        How many components; None for as many as there are columns, or rows so far.
    whiten : bool, default=False
        Divide the coordinates by their standard deviations.
    copy, batch_size
        No effect, but for `batch_size_`.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        The components as rows, the entry of largest size positive.
    explained_variance_, explained_variance_ratio_, singular_values_ : ndarray of shape (n_components,)
        Their variances, as parts of the whole, and the singular values of the centred rows.
    mean_, var_ : ndarray of shape (n_features,)
        Means and variances (with n) of the columns.
    n_components_, n_samples_seen_, batch_size_, noise_variance_
        k; n; batch_size, or 5·columns; the mean of the variances left out.
    method_ : {"covariance", "triangle", "gram", "svd"}
        How the components were found (spectrum/principal_axes.py).
    certificate_ : Certificate
        The squared error of the projection, what share of the variance it is, how far the components are from orthonormal.

    Examples
    --------
    >>> X = [[2.0, 0.0], [0.0, 1.0], [4.0, 5.0], [6.0, 6.0]]
    >>> model = IncrementalPCA(n_components=1).partial_fit(X[:2]).partial_fit(X[2:])
    >>> model.components_.round(4), model.n_samples_seen_
    (array([[0.6526, 0.7577]]), 4)
    """

    allows = frozenset({"sparse"})
    in_data_dtype = frozenset(
        (
            *("components_", "mean_", "var_", "noise_variance_", "singular_values_"),
            *("explained_variance_", "explained_variance_ratio_"),
        )
    )
    differences = {
        "copy": "no effect: the data passed in are never changed",
        "whiten": "another form: scales coordinates only; the covariance of the model stays as it is",
        "batch_size": "another form: rows are summed in blocks, sparse ones too, and only batch_size_ follows it",
        "n_components": "another form: None is as many as all rows so far have; it may be changed between batches",
        "components_": "another form: those of all rows together, exactly; memory grows with the square of the columns",
        "noise_variance_": "another form: the mean of all variances left out, not only of those that a batch shows",
    }
    exceptions = {
        "check_sample_weight_equivalence_on_dense_data": "components without variance point anywhere",
        "check_sample_weight_equivalence_on_sparse_data": "components without variance point anywhere",
    }

    def __init__(
        self, n_components: Count | None = None, *, whiten: bool = False, copy: bool = True, batch_size: Count | None = None
    ):
        self.n_components = n_components
        self.whiten = whiten
        self.copy = copy
        self.batch_size = batch_size

    def summarise(self, rows: Rows) -> Record:
        return rows.sum(record_of(rows, all_digits=False), find_pivot(rows))

    def conclude(self, record: Record) -> dict[str, Any]:
        n, d = float(record.weight), record.columns
        refuse_light_rows(n, record.rows)
        k = self.number(record.rows, d)
        squares = ColumnSquares.of(record)

        def certify(V: Array, error: float, share: float) -> Certificate:
            return eckart_young(V, error, share, squares.lost(None))

        axes = principal_axes(record, k, None, all_digits=False)
        return fitted_axes(axes, n, record.rows, lambda variances, total: k, certify) | {
            "mean_": record.mean,
            "var_": squares.within / n,
            "n_samples_seen_": round(n),
            "batch_size_": self.batch_size or 5 * d,
        }

    def number(self, n: int, d: int) -> int:
        """How many components of n rows."""
        if self.n_components is None:
            return min(n, d)
        if self.n_components > d:
            raise ValueError(f"n_components={self.n_components} invalid for n_features={d}: ask for fewer.")
        if self.n_components > n:
            raise ValueError(
                f"n_components={self.n_components} must be less or equal to the number of samples so far, {n}: ask for fewer, "
                "or begin with more rows."
            )
        return int(self.n_components)

    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None, check_input: bool = True) -> Self:
        """Update the fit with more rows, by (1). They are checked in any case."""
        return super().partial_fit(X, y, sample_weight)
