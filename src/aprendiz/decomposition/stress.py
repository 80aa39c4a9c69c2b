"""Stress: how far distances between points are from given dissimilarities.

    σ = Σ_{i<j} (d_ij − δ_ij)²,     stress-1 = √(σ / Σ_{i<j} d_ij²)                                           (1)

For ordinal scaling the δ_ij are replaced by the numbers in their order that are nearest to the distances
(majorization/disparities.py). By Kruskal's rule of thumb a stress-1 of 0.2 is poor, 0.1 fair, 0.05 good, 0.025 excellent.

Cost: n² pairs; n² log n for ordinal scaling.
Reference: Kruskal, "Multidimensional scaling by optimizing goodness of fit to a nonmetric hypothesis", Psychometrika 29, 1964.
"""

from __future__ import annotations

from typing import Any

from aprendiz.core.blas import single_blas
from aprendiz.core.parameters import ParameterError
from aprendiz.decomposition.dissimilarities.pair_rows import distance_table
from aprendiz.decomposition.majorization.disparities import PairOrder
from aprendiz.decomposition.majorization.guttman import Sweep
from aprendiz.decomposition.majorization.starts import given_points


def stress(dissimilarities: Any, X_embedded: Any, *, metric: bool = True, normalized: bool = True) -> float:
    """(1) of an embedding, whoever made it.

    Parameters
    ----------
    dissimilarities : array of shape (n_samples, n_samples)
        The δ_ij, symmetric, with zeros on the diagonal.
    X_embedded : array of shape (n_samples, n_components)
        The points.
    metric : bool, default=True
        False: only the order of the dissimilarities counts.
    normalized : bool, default=True
        Whether to give stress-1, or σ.

    Examples
    --------
    >>> D = [[0.0, 1.0, 2.0], [1.0, 0.0, 1.0], [2.0, 1.0, 0.0]]
    >>> stress(D, [[0.0], [1.0], [2.0]]), round(stress(D, [[0.0], [1.0], [3.0]]), 4)
    (0.0, 0.378)
    """
    if not isinstance(metric, bool):
        raise ParameterError(f"metric of stress must be True or False, got {metric!r}.")
    D = distance_table(dissimilarities, "precomputed")
    points = given_points(X_embedded, len(D))
    with single_blas():
        order = None if metric else PairOrder.of(D)
        found = Sweep.of(points, D if order is None else order.table(order.isotonic(points)))
    return found.ratio(found.stress) if normalized else found.stress
