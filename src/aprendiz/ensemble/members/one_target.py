"""Regressors of a single target."""

from __future__ import annotations

import warnings

from sklearn.exceptions import DataConversionWarning

from aprendiz.core.rows import Block


def refuse_several(block: Block, learner: str) -> None:
    """More than one target. `learner` is its name, with its article."""
    if block.y.ndim > 1 and block.y.shape[1] == 1:
        warnings.warn("A column-vector y was passed when a 1d array was expected.", DataConversionWarning, stacklevel=4)
    elif block.y.ndim > 1:
        raise ValueError(f"y should be a 1d array, got {block.y.shape[1]} targets instead: fit {learner} for each.")
