"""Starts of kernel k-means, as partitions.

    k-means++     rows drawn one after the other with chances w·D², D the distance in feature space to the nearest one so far:
                  D² = K(x, x) − 2·K(x, c) + K(c, c); of 2 + ln k draws the one that lowers Σ w·D² most is kept          (1)
    random        k rows at random
    points        k points of the columns, given by the user; every row belongs to the nearest one in feature space
    labels        the cluster of each row, given by the user

Reference: Arthur & Vassilvitskii, "k-means++: the advantages of careful seeding", SODA 2007.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aprendiz.cluster.medoids.starts import at_random, check_partition, draw_rows
from aprendiz.core.random import hash_one, uniforms
from aprendiz.core.rows import Array
from aprendiz.kernel.partition.kernel_rows import KernelRows


def drawn_partition(rows: KernelRows, k: int, init: Any, seed: int, start: int) -> Array:
    """The partition of a random start."""
    if init == "random":
        chosen = at_random(rows.weights, k, hash_one(seed, start))
        return squares_to(rows, chosen).argmin(axis=0).astype(np.int32)
    return plus_plus(rows, k, seed, start)


def plus_plus(rows: KernelRows, k: int, seed: int, start: int) -> Array:
    """(1); where fewer than k rows differ, the last clusters are empty."""
    trials, weights = 2 + int(np.log(k)), rows.weights
    u = uniforms(seed, 2 * start, k * trials).reshape(k, trials)
    least = squares_to(rows, draw_rows(weights, u[0, :1]))[0]
    labels = np.zeros(len(weights), np.int32)
    for j in range(1, k):
        chances = weights * least
        if not chances.any():
            break
        squares = squares_to(rows, np.unique(draw_rows(chances, u[j])))
        best = squares[np.argmin(np.minimum(squares, least) @ weights)]
        labels[best < least] = j
        least = np.minimum(best, least)
    return labels


def squares_to(rows: KernelRows, chosen: Array) -> Array:
    """D² of (1) between some rows and all rows."""
    return np.maximum(rows.diagonal + rows.diagonal[chosen, None] - 2.0 * rows.gram_rows(chosen), 0.0)


def given_partition(rows: KernelRows, k: int, init: Any) -> Array:
    """The partition that the user gives, by points or by labels."""
    given = np.asarray(init)
    if given.ndim != 2:
        if given.shape != rows.weights.shape:
            raise ValueError(
                f"init gives an array of shape {given.shape}; {k} clusters need {k} points, of shape ({k}, {rows.columns}), or "
                f"the cluster of each row, of shape ({len(rows.weights)},)."
            )
        return check_partition(given, rows.weights, k).astype(np.int32)
    if given.shape != (k, rows.columns):
        raise ValueError(
            f"init gives an array of shape {given.shape}; {k} clusters of {rows.columns} columns need ({k}, {rows.columns})."
        )
    if rows.kernel.compares != "rows":
        raise ValueError("init gives points, but the kernel compares no points: give the cluster of each row.")
    if given.dtype.kind not in "fiub" or not np.isfinite(given).all():
        raise ValueError("init contains NaN, infinity or words: every centre must be a point.")
    C = rows.kernel.points(np.asarray(given, np.float64), rows.points)
    between = rows.kernel.block(C, rows.points, np.empty((k, len(rows.points))))
    return (np.asarray(rows.kernel.diagonal_of(C))[:, None] - 2.0 * between).argmin(axis=0).astype(np.int32)
