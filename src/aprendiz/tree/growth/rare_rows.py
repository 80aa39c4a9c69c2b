"""Rows that get bins of their own: those of rare classes, and those whose targets are far from the mean.

Bins of equal weight are blind to what a few rows say: 8 rows of a class at the end of a column of 50 000 lie in a bin with 188
others, and no cut between bins tells them apart. A part β of the bins therefore goes to such rows. A value v has the place

    share(v) = (1 − β)·(weight below v) / W + Σ mass of the rare rows below v,     Σ mass = β                 (1)

among all bins, which makes a bin for every rare row that has a mass of two bins.

    classes    rare is a class that weighs less than half of W / classes; all rare ones have the same mass;
               β = ½·(rare classes) / classes
    numbers    rare is (y − mean)² > 10 variances, which a tenth of the weight has at most; the mass goes by (y − mean)²;
               β = ½·(their part of the variance)

Where classes weigh alike and targets have light tails β is 0, or so small that it is not worth the while.

Reference: Chen & Guestrin, "XGBoost", KDD 2016, section 3.3, for bins that weigh rows by what they do to the loss.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from aprendiz.core.rows import Array

MOST = 0.5  # of the bins that may go to rare rows
FEWEST = 0.02  # of the bins: five of them
FAR = 10.0  # variances from the mean


@dataclass(frozen=True)
class RareRows:
    """Numbers of the rows, and the mass of each: (1)."""

    rows: Array
    mass: Array


def rare_rows(y: Array, weight: Array | None, classes: int) -> RareRows | None:
    """The rare rows of a target: numbers of classes, or (classes = 0) numbers, one or several for each row."""
    found = rare_classes(y, weight, classes) if classes else far_targets(y.reshape(len(y), -1), weight)
    return found if found.mass.sum() > FEWEST else None


def rare_classes(y: Array, weight: Array | None, classes: int) -> RareRows:
    """The rows of classes that weigh little."""
    total = np.bincount(y, weight, classes)
    present = np.count_nonzero(total)
    rows = np.flatnonzero((2.0 * present * total < total.sum())[y])
    of_row = np.ones(len(rows)) if weight is None else weight[rows]
    return RareRows(rows, of_row / total[y[rows]] * (MOST / present))


def far_targets(z: Array, weight: Array | None) -> RareRows:
    """The rows whose targets are far from their means, in units of their spread."""
    share = np.ones(len(z)) if weight is None else weight / weight.max()
    share = (share / share.sum())[:, None]
    apart = z / np.maximum(np.abs(z).max(axis=0), np.finfo(np.float64).tiny)  # no square leaves the range of numbers
    squares = (apart - (share * apart).sum(axis=0)) ** 2  # no matrix product: its bits depend on the number of threads
    variance = (share * squares).sum(axis=0)
    squares = (squares / np.where(variance > 0, variance, 1.0)).mean(axis=1)
    rows = np.flatnonzero(squares > FAR)
    return RareRows(rows, MOST * share[rows, 0] * squares[rows])
