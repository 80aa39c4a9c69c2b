"""Cells so large that products with them are no numbers."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np


def largest_size(X: Any) -> float:
    """The size of the largest cell; X may be sparse."""
    return max(float(X.max()), -float(X.min())) if X.shape[0] else 0.0


def refuse_far(X: Any, what: str) -> NoReturn:
    """Name the cell with the largest size, which made `what` of some rows overflow."""
    X = X.toarray() if hasattr(X, "toarray") else X
    row, column = np.unravel_index(int(np.abs(X).argmax()), X.shape)
    raise ValueError(
        f"Input X holds values too large for the kernel: with {X[row, column]:.3g} in column {column} the {what} leave the "
        "range of numbers. Scale the column."
    )
