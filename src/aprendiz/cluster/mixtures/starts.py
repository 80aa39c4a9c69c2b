"""Starts of a mixture: to which component each row belongs before the first pass.

    "kmeans"             the clusters of one run of k-means                                                       (1)
    "k-means++"          the nearest of k rows, drawn far from each other                                         (2)
    "random_from_data"   the nearest of k rows at random                                                          (3)
    "random"             shares at random, for each row its own: u_k / Σ u                                        (4)

For (1) to (3), and for them alone, a missing cell is taken to be the mean of its column. Means that are given take the place
of the rows that are drawn. A single component has all rows. A column without any known cell is given the variance 1.

Cost: that of k-means for (1), of its starts for (2) and (3).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from aprendiz.cluster import KMeans
from aprendiz.cluster.centroids.nearest import label
from aprendiz.core.inputs import refuse_empty_sums
from aprendiz.core.random import uniforms
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sources.arrays import in_memory
from aprendiz.core.sums import Spread, Sums, find_pivot
from aprendiz.summaries.moments import count_rows

StartKind = Literal["kmeans", "k-means++", "random", "random_from_data"]


@dataclass(frozen=True)
class CountedRows(Sums):
    """Rows, and those of them that count."""

    rows: int
    counted: int

    @staticmethod
    def of(block: Block) -> CountedRows:
        return CountedRows(len(block), count_rows(block))


@dataclass(frozen=True)
class MixtureStart:
    """Shares of the rows. `centers` is None where they are random; `means` and `variances` are those of the columns."""

    k: int
    centers: Array | None
    means: Array
    variances: Array
    seed: int
    number: int

    def shares(self, block: Block) -> Array:
        """The share of each component in each row (rows × k)."""
        if self.centers is None:
            first = self.number * self.k
            u = np.stack([1.0 - uniforms(self.seed, first + j, block.numbers) for j in range(self.k)], axis=1)
            return np.asarray(u / u.sum(axis=1, keepdims=True))
        found = np.zeros((len(block), self.k))
        nearest = label(self.centers, replace(block, X=self.fill(block.X))) if self.k > 1 else np.zeros(len(block), np.intp)
        found[np.arange(len(block)), nearest] = 1.0
        return found

    def fill(self, X: Array) -> Array:
        """The rows with their missing cells at the means."""
        return fill_missing(self.means, X)


def fill_missing(means: Array, X: Array) -> Array:
    """X with its missing cells at the means of their columns."""
    return np.where(np.isnan(X), means, X) if np.isnan(X).any() else X


def begin(rows: Rows, k: int, kind: StartKind, given: Any, seed: int, number: int) -> MixtureStart:
    """The start of that number, from means that are given or by `kind`."""
    record = columns_of(rows, k)
    known = record.weight > 0
    means, variances = record.mean, np.where(known, record.scatter / np.where(known, record.weight, 1.0), 1.0)
    if k == 1:
        centers = means[None]
    elif kind == "random" and given is None:
        centers = None
    else:
        drawn: Literal["k-means++", "random"] = "random" if kind == "random_from_data" else "k-means++"
        kmeans = KMeans(k, init=drawn if given is None else given, n_init=1, random_state=seed + number)
        centers = centers_of(kmeans, without_holes(rows, record), to_the_end=kind == "kmeans")
    return MixtureStart(k, centers, means, variances, seed, number)


def centers_of(kmeans: KMeans, rows: Rows, *, to_the_end: bool) -> Array:
    """Centres of the first or of the last state of k-means."""
    states = kmeans.states(rows)
    state = next(states)
    if to_the_end:
        for state in states:  # noqa: B007  the last one is kept
            pass
    return np.asarray(state.best().centers, dtype=np.float64)


def without_holes(rows: Rows, record: Spread) -> Rows:
    """The rows, their missing cells at the means."""
    if record.known.min() == record.known.max() == (rows.count or -1):
        return rows
    if in_memory(rows):
        return rows.like(X=fill_missing(record.mean, rows.X))
    return rows.map(lambda X: fill_missing(record.mean, X))


def columns_of(rows: Rows, k: int, what: str = "components") -> Spread:
    """Means and scatters of the columns, of rows that k components can be fitted to."""
    record = rows.sum(Spread.of, find_pivot(rows))
    count = rows.sum(CountedRows.of)
    if count.counted == 0:
        refuse_empty_sums(np.zeros(1), True, rows)
    if not record.weight.any():
        raise ValueError("X holds no known cell, all are missing (NaN): give rows with at least one value.")
    refuse_empty_sums(record.weight, record.finite, rows)
    if count.counted < k:
        raise ValueError(f"n_samples={count.counted} should be >= n_{what}={k}: use fewer {what}.")
    return record
