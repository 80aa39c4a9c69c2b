"""Kinds of parameters of trees: a number of rows, or a share of them; a number of columns, a share, or a rule; a criterion by
its name of today."""

from __future__ import annotations

import warnings
from typing import Annotated, Any, Literal

from aprendiz.core.parameters import Count, Within

RowsOrShare = Count | Annotated[float, Within(0, 1, above=True)]

BagSize = Count | Annotated[float, Within(0, 1000, above=True)]  # a share of the rows, or several times as many

ColumnsOrShare = Count | Annotated[float, Within(0, 1, above=True)] | Literal["sqrt", "log2"] | None


def named_today(criterion: Any) -> Any:
    """A criterion of numbers, under the name that scikit-learn keeps."""
    if not (isinstance(criterion, str) and criterion == "friedman_mse"):
        return criterion
    warnings.warn(
        'Value "friedman_mse" for criterion is deprecated in scikit-learn 1.9: it is the same as "squared_error". Use that.',
        FutureWarning,
        stacklevel=3,
    )
    return "squared_error"
