"""Some rows of a table or a vector of any library, in the form it has."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from aprendiz.core.rows import Array


def chosen(values: Any, kept: Array) -> Any:
    """Some rows of a table or a vector, in the form it has."""
    if values is None or isinstance(values, np.ndarray):
        return values if values is None else values[kept]
    if sparse.issparse(values):
        return values.tocsr()[kept]
    if (native := as_series(values)) is not None:
        return native[kept.tolist()].to_native()
    return type(values)(values[i] for i in kept) if isinstance(values, (list, tuple)) else np.asarray(values)[kept]


def as_series(values: Any) -> Any:
    """A narwhals view of a series or a frame, else None."""
    if isinstance(values, (np.ndarray, list, tuple)):
        return None
    import narwhals.stable.v2 as nw

    native = nw.from_native(values, allow_series=True, eager_only=True, pass_through=True)
    return native if isinstance(native, (nw.Series, nw.DataFrame)) else None
