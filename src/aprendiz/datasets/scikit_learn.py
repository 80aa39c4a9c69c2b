"""The tables that scikit-learn bundles, read through its public loaders when they are asked for.

The columns keep scikit-learn's names; the classes are written out as words, in the order of its codes.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aprendiz.datasets.card import Card


def bundled_columns(loader: str, card: Card) -> dict[str, NDArray[Any]]:
    """The columns of the table of a loader such as `load_iris`, features first."""
    bundle = getattr(import_module("sklearn.datasets"), loader)()
    columns = {str(name): values.copy() for name, values in zip(bundle.feature_names, bundle.data.T, strict=True)}
    levels = {column.name: column.levels for column in card.columns}
    for name, values in zip(card.targets, np.atleast_2d(bundle.target.T), strict=True):
        columns[name] = np.array(levels[name])[values] if levels[name] else values.copy()
    return columns
