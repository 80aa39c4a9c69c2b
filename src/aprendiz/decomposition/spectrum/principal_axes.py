"""Principal axes from a record of the rows, by the route that suits it.

    covariance   eigenvectors of the scatter, summed over the rows            more rows than columns
    triangle     singular values of R, RᵀR the scatter                        the same, with twice the digits
    gram         eigenvectors of the n × n products of the rows               fewer rows than columns (gram_axes.py)
    svd          singular values of the rows                                  the same, with twice the digits

Columns may be divided by a scale first.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from aprendiz.core.rows import Array, Rows
from aprendiz.decomposition.spectrum.axes import Axes, eigenpairs
from aprendiz.decomposition.spectrum.column_squares import Record
from aprendiz.decomposition.spectrum.few_rows import FewRows
from aprendiz.decomposition.spectrum.gram_axes import axes_of_rows, gram_axes, singular_axes
from aprendiz.summaries.moments import Moments, Triangle


def record_of(rows: Rows, *, all_digits: bool) -> Callable[..., Record]:
    """The statistic to sum over the rows."""
    if rows.count is not None and rows.count <= rows.columns:
        return FewRows.of
    return Triangle.of if all_digits else Moments.of


def principal_axes(record: Record, k: int, scale: Array | None, *, all_digits: bool) -> Axes:
    """The first k axes of the rows."""
    if isinstance(record, FewRows):
        return singular_axes(record, k, scale) if all_digits else gram_axes(record, k, scale)
    if isinstance(record, Triangle):
        R = record.R[1:, 1:]
        return axes_of_rows(R if scale is None else R / scale, k, "triangle")
    return covariance_axes(record, k, scale)


def covariance_axes(record: Moments, k: int, scale: Array | None) -> Axes:
    """Eigenvectors of the scatter."""
    S = record.scatter
    if scale is not None:
        S /= scale
        S /= scale[:, None]
    values, vectors = eigenpairs(S, k)
    return Axes(values, vectors.T, float(np.trace(S)), "covariance")
