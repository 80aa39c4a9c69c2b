"""Columns whose scales are so far apart that a kernel sees only the largest: distances and inner products add up columns in
their own units, so that a column a million times as wide as another counts 10¹² times as much.
"""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.kernel import kernels
from aprendiz.locale import _

UNEVEN = 5e5  # ratio of two standard deviations: units that are a million apart, in whatever rows there are
IN_UNITS = (
    kernels.RBF,
    kernels.Linear,
    kernels.Polynomial,
    kernels.Sigmoid,
    kernels.Laplacian,
    kernels.Exponential,
    kernels.Matern,
)


class UnevenScales(NamedTuple):
    """The columns with the largest and the smallest standard deviation above 0, and the ratio of the two."""

    wide: int
    narrow: int
    ratio: float


def uneven_scales(table: Array) -> UnevenScales | None:
    """What is uneven; None where nothing is. Missing cells are left out."""
    if not len(table):
        return None
    with np.errstate(all="ignore"):
        spread = np.std(table - table[:1], axis=0)
        if np.isnan(spread).any():
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # columns without a cell
                spread = np.nanstd(table - table[:1], axis=0)
    varied = np.flatnonzero(np.isfinite(spread) & (spread > 0))
    if len(varied) < 2:
        return None
    wide, narrow = varied[spread[varied].argmax()], varied[spread[varied].argmin()]
    with np.errstate(over="ignore"):
        ratio = float(spread[wide] / spread[narrow])
    return UnevenScales(int(wide), int(narrow), ratio) if ratio >= UNEVEN else None


def warn_if_uneven(learner: str, kernel: Any, table: Any, names: Any, *, stacklevel: int = 4) -> None:
    """Warn, with the columns and the remedy, where the kernel is one of rows in their units."""
    found = uneven_scales(table) if isinstance(kernel, IN_UNITS) and isinstance(table, np.ndarray) else None
    if found is None:
        return
    wide, narrow = (repr(str(names[j])) if names is not None else str(j) for j in found[:2])
    said = _(
        "{learner}: column {wide} varies {ratio} times as much as column {narrow}, which then hardly counts in {kernel}. Put "
        "StandardScaler before it in a pipeline."
    )
    said = said.format(learner=learner, wide=wide, narrow=narrow, ratio=f"{found.ratio:.0e}", kernel=type(kernel).__name__)
    warnings.warn(said, UserWarning, stacklevel=stacklevel)
