"""Clusters that no row belongs to: fewer than were asked for."""

from __future__ import annotations

import warnings

from sklearn.exceptions import ConvergenceWarning


def warn_of_empty(taken: int, asked: int) -> None:
    """A warning, in the name of whoever called `fit`, if only some of the clusters have rows."""
    if taken < asked:
        said = f"Only {taken} of {asked} clusters have rows: X may hold fewer distinct rows. Ask for fewer clusters."
        warnings.warn(said, ConvergenceWarning, stacklevel=5)
