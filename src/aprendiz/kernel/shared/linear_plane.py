"""The linear kernel around a row inside the data, so that a plane keeps its digits at any distance from zero.

Since Σβ_i = 0, the dual problem does not change if p is subtracted from every row, and neither does w:

    w = Σβ_i x_i = Σβ_i(x_i − p)                                                                                (1)
    f(x) = wᵀ(x − p) + c = wᵀx + b,     b = c − wᵀp                                                             (2)

The problem is solved, and new rows are judged, by the first form; `intercept_` is b.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from aprendiz.core.rows import Array
from aprendiz.kernel.gram.points import find_pivot_row
from aprendiz.kernel.kernels import Linear


def pivot_of(kernel: Any, table: Any) -> Array | None:
    """p; None for other kernels, and for sparse tables, which would not stay so."""
    return find_pivot_row(table) if type(kernel) is Linear and isinstance(table, np.ndarray) else None


def moved(machine: Any, table: Any) -> Any:
    """Rows minus p."""
    pivot = getattr(machine, "centre_", None)
    return table if pivot is None else (table.toarray() if sparse.issparse(table) else table) - pivot


def intercepts(pivot: Array | None, coefficients: Array, vectors: Any, constants: Array) -> Array:
    """b of (2), with the same w as that of `plane`, so that no rounding of it is multiplied by p."""
    return constants if pivot is None else constants - coefficients @ (vectors - pivot) @ pivot


def plane(machine: Any, coefficients: Any, vectors: Any) -> Any:
    """w of (1), which is read only, since the answers do not come from it."""
    found = coefficients @ (vectors if sparse.issparse(vectors) else moved(machine, vectors))
    if sparse.issparse(found):
        found.data.flags.writeable = False
    else:
        found = np.asarray(found)
        found.flags.writeable = False
    return found
