"""What X, y and weights may come in, beside plain arrays and lists: masked arrays (`numpy.ma`), whose masked cells are missing
cells, whatever number stands under the mask; and iterators, which are refused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from aprendiz.core.whole_numbers import first_inexact


def without_mask(values: Any) -> Any:
    """A masked array as a plain one with NaN (None among words and objects) under the mask; a list of masked rows likewise.
    Anything else is returned as it is."""
    if isinstance(values, (list, tuple)):
        masked = any(isinstance(value, np.ma.MaskedArray) for value in values)
        return [without_mask(value) for value in values] if masked else values
    if not isinstance(values, np.ma.MaskedArray):
        return values
    if values.dtype.kind in "mMV" or not np.ma.is_masked(values):
        return values.data
    if values.dtype.kind in "fc":
        return values.filled(np.nan)
    if values.dtype.kind in "biu" and first_inexact(values.filled(0)) is None:
        return np.ma.filled(values.astype(np.float64), np.nan)
    cells = values.data.astype(object)
    cells[np.ma.getmaskarray(values)] = None
    return cells


def refuse_iterator(name: str, values: Any) -> None:
    """A generator, an open file or another iterator gives its rows once; fits and checks read them several times."""
    if isinstance(values, Iterator):
        raise TypeError(
            f"{name} is an iterator ({type(values).__name__}), which can be read only once: pass an array, a data frame or a "
            f"list, such as list({name})."
        )
