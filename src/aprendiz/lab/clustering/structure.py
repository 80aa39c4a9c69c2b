"""Is a table one cloud of rows, or several groups? A test against clouds, and the number of groups that follows from it.

The rows are scores S along the principal axes that carry 90 % of the variance (at most ten). With W the scatter within the k
clusters of a partition, T that of all rows,

    t_k = log det(W + δT) − log det((1 + δ)T),     δ = 0.01,  k = 2, 3, 4                                      (1)

which no change of the units of S changes (Wilks' Λ). The partition begins with k-means of S, and of S whitened; then each row
goes to the nearest mean by the distance of W, until nothing changes. This makes t_k small in any cloud; the question is
whether it is smaller than in clouds with the same covariance but without groups. Two kinds are drawn, 20 of each: scores that
are normal, and scores that are uniform, both with exactly the covariance of S. (Columns of few values, which would be groups by
themselves, are spread out before: spread_columns.py.) With mean and deviation over the drawn clouds,

    z = max_k min over both kinds of (mean t*_k − t_k)/(sd t*_k·√(1 + 1/20))                                   (2)

A table is taken for several groups if z ≥ 3, and so are the parts of one if z ≥ 2.5. No single cloud is flatter than a uniform
one, so skewed, long and correlated clouds are not cut; k-means with an elbow or silhouettes would cut each of them, and the gap
against a uniform box long ones.

The number of groups: a cloud with groups is split by the k with the largest mean t*_k − t_k, its parts are tested in the same
way, and so on; then two neighbouring parts whose union looks like one cloud (z < 1) are joined again. The last threshold is
low, because pairs have few rows, and were apart in a table that is known to have groups.

Cost: some 240 fits of k-means for each cloud that is tested, of at most 1 000 rows.
References: Friedman & Rubin, JASA 62, 1967; Liu, Hayes, Nobel & Marron, "Statistical significance of clustering", JASA 103,
2008 (clouds of equal covariance); Kalogeratos & Likas, "Dip-means", NIPS 2012 (splits until no part has structure).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from aprendiz.cluster import KMeans
from aprendiz.core.rows import Array
from aprendiz.lab.exploration.samples import chosen_rows

SPLITS = (2, 3, 4)
CLOUDS = 20  # of each kind
STARTS = 2  # of k-means
MOST_ROUNDS = 20  # after it
RIDGE = 0.01
SURE, SURE_OF_PARTS, SURE_OF_PAIRS = 3.0, 2.5, 1.0
VARIANCE, MOST_AXES = 0.9, 10
FEWEST_ROWS = 20  # that can be told to be groups
MOST_ROWS = 1000  # that are tested
MOST_GROUPS = 20


@dataclass(frozen=True)
class CloudTest:
    """What was found of a cloud: rows, z of (2) and of each k, the best k, and the clusters of the rows that were tested."""

    rows: int
    z: float
    by_k: dict[int, float]
    k: int
    labels: Array = field(repr=False)

    @property
    def grouped(self) -> bool:
        return self.z >= SURE

    @property
    def divided(self) -> bool:
        """The same, of a part of a table that is grouped."""
        return self.z >= SURE_OF_PARTS


@dataclass(frozen=True)
class Structure:
    """The groups of a table.

    Attributes
    ----------
    whole : CloudTest or None
        The test of the whole table; None if it has too few rows.
    labels : ndarray
        The group of each row, 0 to k − 1, all 0 if there are none.
    splits, joins : int
        How many clouds were split, and how many pairs of parts were joined again.
    rows : int
        Rows that were looked at.
    """

    whole: CloudTest | None
    labels: Array = field(repr=False)
    splits: int = 0
    joins: int = 0
    rows: int = 0

    @property
    def k(self) -> int:
        return int(self.labels.max()) + 1 if len(self.labels) else 1


def find_structure(X: Array, *, seed: int = 0) -> Structure:
    """The groups of the rows of a table of numbers, its columns of like size, without missing cells."""
    found = Structure(None, np.zeros(len(X), np.int64), rows=len(X))
    for found in steps(X, seed):  # noqa: B007  the last one
        pass
    return found


def steps(X: Array, seed: int) -> Iterator[Structure]:
    """The groups after each split and each join."""
    n = len(X)
    if n < FEWEST_ROWS or not np.ptp(X, axis=0).any():
        return
    now = Structure(None, np.zeros(n, np.int64), rows=n)
    open_groups = [0]
    while open_groups:
        group = open_groups.pop(0)
        rows = np.flatnonzero(now.labels == group)
        if len(rows) < FEWEST_ROWS or now.k >= MOST_GROUPS:
            continue
        test = test_cloud(X[rows], seed)
        whole = now.whole or test
        if not (test.divided if now.whole else test.grouped):
            now = replace(now, whole=whole)
            yield now
            continue
        labels, parts = now.labels.copy(), test.labels
        labels[rows] = np.where(parts == 0, group, now.k - 1 + parts)
        open_groups += [group, *range(now.k, now.k + test.k - 1)]
        now = replace(now, whole=whole, labels=labels, splits=now.splits + 1)
        yield now
    yield from joins(X, now, seed)


def joins(X: Array, now: Structure, seed: int) -> Iterator[Structure]:
    """Join neighbouring groups whose union is one cloud, the nearest first."""
    separate: set[tuple[bytes, bytes]] = set()
    while now.k > 1:
        pair = next((pair for pair in neighbours(X, now) if keys(now, pair) not in separate), None)
        if pair is None:
            break
        a, b = pair
        rows = np.flatnonzero((now.labels == a) | (now.labels == b))
        if len(rows) >= FEWEST_ROWS and test_cloud(X[rows], seed).z >= SURE_OF_PAIRS:
            separate.add(keys(now, pair))
            continue
        labels = np.where(now.labels == b, a, now.labels)
        now = replace(now, labels=np.unique(labels, return_inverse=True)[1], joins=now.joins + 1)
        yield now
    yield now


def keys(now: Structure, pair: tuple[int, int]) -> tuple[bytes, bytes]:
    """What two groups are, whatever their numbers."""
    first, second = (np.packbits(now.labels == group).tobytes() for group in pair)
    return first, second


def neighbours(X: Array, now: Structure) -> list[tuple[int, int]]:
    """Each group with the group of the nearest mean, the nearest pairs first."""
    means = np.array([X[now.labels == group].mean(axis=0) for group in range(now.k)])
    distance = ((means[:, None] - means) ** 2).sum(axis=2)
    np.fill_diagonal(distance, np.inf)
    nearest = distance.argmin(axis=1)
    pairs = {(min(a, int(b)), max(a, int(b))) for a, b in enumerate(nearest)}
    return sorted(pairs, key=lambda pair: distance[pair])


# ---- the test of a cloud -----------------------------------------------------------------------------------------------


def test_cloud(X: Array, seed: int) -> CloudTest:
    """(2), and the clusters of the best k for all rows."""
    some = chosen_rows(len(X), MOST_ROWS)
    cloud = Cloud.of(X[some])
    if cloud is None:
        return CloudTest(len(X), 0.0, {}, 1, np.zeros(len(X), np.int64))
    fits = [partition(cloud.scores, k, seed) for k in SPLITS]
    t = np.array([fit[0] for fit in fits])
    rng = np.random.default_rng(seed)
    z, gap = np.full((2, len(SPLITS)), np.inf)
    for uniform in (False, True):
        drawn = np.array([criteria(cloud.draw(rng, uniform), seed + number + 1) for number in range(CLOUDS)])
        spread = np.maximum(drawn.std(axis=0, ddof=1) * np.sqrt(1 + 1 / CLOUDS), 1e-9)
        z = np.minimum(z, (drawn.mean(axis=0) - t) / spread)
        gap = np.minimum(gap, drawn.mean(axis=0) - t)
    best = int(gap.argmax())
    labels = fits[best][1]
    if len(some) < len(X):
        labels = nearest(cloud.scores_of(X), cloud.scores, labels)
    labels = np.unique(labels, return_inverse=True)[1]
    by_k = {k: float(value) for k, value in zip(SPLITS, z, strict=True)}
    return CloudTest(len(X), float(z.max()), by_k, int(labels.max()) + 1, labels)


def criteria(scores: Array, seed: int) -> list[float]:
    """(1) for each k."""
    return [partition(scores, k, seed)[0] for k in SPLITS]


def partition(scores: Array, k: int, seed: int) -> tuple[float, Array]:
    """(1) and the labels of the better of two partitions."""
    found = []
    for start in (scores, scores / np.sqrt((scores**2).sum(axis=0))):
        labels = np.asarray(KMeans(k, n_init=STARTS, random_state=seed).fit(start).labels_, np.int64)
        t = criterion(scores, labels)
        for _ in range(MOST_ROUNDS):
            changed = nearest(scores, scores, labels)
            better = criterion(scores, changed)
            if not better < t - 1e-12:
                break
            t, labels = better, changed
        found.append((t, labels))
    return min(found, key=lambda one: one[0])


def nearest(rows: Array, scores: Array, labels: Array) -> Array:
    """The nearest mean of the clusters of some scores, by the distance of their W."""
    means, W = within(scores, labels)
    root = np.linalg.cholesky(W + RIDGE * scores.T @ scores)
    Z, M = (np.linalg.solve(root, table.T).T for table in (rows, means))
    return np.asarray(((M**2).sum(axis=1) - 2 * Z @ M.T).argmin(axis=1))


def within(scores: Array, labels: Array) -> tuple[Array, Array]:
    """The means of the clusters that have rows, and W."""
    counts = np.bincount(labels)
    sums = np.array([np.bincount(labels, column) for column in scores.T]).T[counts > 0]
    means = sums / counts[counts > 0, None]
    return means, scores.T @ scores - means.T @ sums


def criterion(scores: Array, labels: Array) -> float:
    """(1); the scores have mean 0."""
    T = scores.T @ scores
    return float(np.linalg.slogdet(within(scores, labels)[1] + RIDGE * T)[1] - np.linalg.slogdet((1 + RIDGE) * T)[1])


@dataclass(frozen=True)
class Cloud:
    """Rows along their principal axes."""

    scores: Array
    mean: Array
    axes: Array  # (axes, columns)

    @classmethod
    def of(cls, X: Array) -> Cloud | None:
        """The cloud of some rows; None where they do not differ."""
        mean = X.mean(axis=0)
        U, s, V = np.linalg.svd(X - mean, full_matrices=False)
        power = s**2
        if not power.sum() > 1e-12 * max(1.0, float(np.abs(mean).max()) ** 2) * len(X):
            return None
        enough = int(np.searchsorted(np.cumsum(power) / power.sum(), VARIANCE)) + 1
        count = max(1, min(enough, MOST_AXES, len(X) // 5, int((power > 1e-9 * power[0]).sum())))
        return cls(np.ascontiguousarray(U[:, :count] * s[:count]), mean, V[:count])

    def scores_of(self, X: Array) -> Array:
        return np.ascontiguousarray((X - self.mean) @ self.axes.T)

    def draw(self, rng: np.random.Generator, uniform: bool) -> Array:
        """Scores of a cloud without groups, with the same covariance."""
        Z = rng.uniform(-1.0, 1.0, self.scores.shape) if uniform else rng.normal(size=self.scores.shape)
        Z -= Z.mean(axis=0)
        white = np.linalg.solve(np.linalg.cholesky(Z.T @ Z), Z.T).T
        return np.ascontiguousarray(white * np.sqrt((self.scores**2).sum(axis=0)))
