"""Rows at near places: do their targets go together, and blocks of places that folds keep on one side.

    I = Σ_i y_i · mean of y_j over the k places nearest to i / Σ_i y_i²                                              (1)

is Moran's correlation of neighbours, with y centred: ranks of a target of numbers, or the indicators of all classes together,
for which it is the share of neighbours of one's own class, 0 by chance and 1 if all are. It is judged by its distribution when
the targets are shuffled. Blocks are the clusters of k-means on the globe.

Cost: O(n·log n) for at most `MOST_ROWS` rows, times the shuffles.
Reference: Moran, "Notes on continuous stochastic phenomena", Biometrika 37, 1950; for blocks, Roberts et al.,
"Cross-validation strategies for data with temporal, spatial, hierarchical, or phylogenetic structure", Ecography 40, 2017.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.spatial import KDTree
from scipy.stats import rankdata

from aprendiz.cluster import KMeans
from aprendiz.core.columns import Columns
from aprendiz.core.rows import Array
from aprendiz.lab.columns.places import coordinates, places_in_schema, unit_vectors

NEIGHBORS, SHUFFLES, MOST_ROWS = 8, 99, 5000
LIKENESS, STANDARD_ERRORS = 0.1, 4.0  # of (1), from which on neighbours are told of
BLOCKS = 20
FEWEST_PLACES = 2 * BLOCKS  # different ones, of which blocks are made


@dataclass(frozen=True)
class NearPlaces:
    """A column of places whose neighbours have like targets, and how much so (1)."""

    name: Any
    likeness: float


def near_places(frame: Any, columns: Columns, y: Array) -> NearPlaces | None:
    """The column of places whose neighbours' targets go together most; None if there is none."""
    found = list[NearPlaces]()
    for column, other in places_in_schema(columns):
        likeness, chance = likeness_of_neighbors(unit_vectors(*coordinates(frame, column, other)), y)
        if likeness >= max(LIKENESS, STANDARD_ERRORS * chance):
            found.append(NearPlaces(column.name, likeness))
    return max(found, key=lambda one: one.likeness, default=None)


def likeness_of_neighbors(points: Array, y: Array, seed: int = 0) -> tuple[float, float]:
    """(1), and its standard deviation when the targets are shuffled; 0 and 1 where there is nothing to compare."""
    rng = np.random.default_rng(seed)
    known = np.flatnonzero(~np.isnan(points).any(axis=1))
    known = np.sort(rng.choice(known, MOST_ROWS, replace=False)) if len(known) > MOST_ROWS else known
    if len(np.unique(points[known], axis=0)) < FEWEST_PLACES:
        return 0.0, 1.0
    points, y = points[known], y[known]
    target = rankdata(y)[:, None] if y.dtype.kind == "f" else (y[:, None] == np.unique(y)).astype(float)
    target = target - target.mean(axis=0)
    if not target.any():
        return 0.0, 1.0
    _far, near = KDTree(points).query(points, NEIGHBORS + 1)
    near = near[:, 1:]  # the row itself, or one at the same place, is the first
    shuffled = [moran(target[rng.permutation(len(target))], near) for _ in range(SHUFFLES)]
    return moran(target, near) - float(np.mean(shuffled)), float(np.std(shuffled))


def moran(target: Array, near: Array) -> float:
    """(1)."""
    return float((target * target[near].mean(axis=1)).sum() / (target**2).sum())


def place_called(columns: Columns, name: Any) -> Any:
    """The column of places with a name, or with this coordinate, and its other half; None if there is none."""
    pairs = places_in_schema(columns)
    return next((pair for pair in pairs if name in (pair[0].name, None if pair[1] is None else pair[1].name)), None)


def blocks_of(frame: Any, pair: Any) -> Array:
    """The number of the block of each row; NaN where the place is missing."""
    points = unit_vectors(*coordinates(frame, *pair))
    known = ~np.isnan(points).any(axis=1)
    blocks = np.full(len(points), np.nan)
    different = len(np.unique(points[known], axis=0))
    if different:
        blocks[known] = KMeans(min(BLOCKS, different), random_state=0).fit(points[known]).labels_
    return blocks
