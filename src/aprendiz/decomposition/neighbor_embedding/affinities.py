"""How much each row belongs beside each other one: Gaussian neighbourhoods that all hold the same number of rows.

    p_{j|i} = exp(−β_i d_ij²) / Σ_{l ∈ N(i)} exp(−β_i d_il²),     j ∈ N(i)                                       (1)
    exp(H_i) = u,     H_i = −Σ_j p_{j|i} log p_{j|i}                                                          (2)
    p_ij = (p_{j|i} + p_{i|j}) / 2n                                                                           (3)

The perplexity u counts the neighbours that matter: u of them with the same weight have this entropy. H_i falls as β_i grows,
from the logarithm of the number of neighbours to that of the number of rows at the smallest distance, so (2) is solved by
Newton's method between bounds; outside of these limits the nearest limit is taken. N(i) are all other rows, or the 3u + 1
nearest, beyond which (1) is next to nothing.

Distances of a row are divided by the largest of them, and the smallest is subtracted from the squares: (1) stays the same, and
no sum vanishes, however far all rows are.

Cost: that of the neighbours; O(k) for each of some ten steps of (2); memory O(n·k).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from aprendiz.cluster.medoids.dissimilarities import Dissimilarities
from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array
from aprendiz.neighbors.search.point_index import side_by_side
from aprendiz.neighbors.search.precomputed import Precomputed
from aprendiz.neighbors.search.search import search_of
from aprendiz.neighbors.shared.kept_rows import SMALLEST

ROWS = 512  # rows that a thread calibrates at a time
TOLERANCE = 1e-12  # of the entropy


class Affinities(NamedTuple):
    """P of (3), row after row; the perplexity that each row has reached, the one that was wanted of rows that have so many
    neighbours, and by how much rounding of the distances may change an exponent of (1)."""

    starts: Array
    columns: Array
    values: Array
    perplexities: Array
    wanted: float
    rounding: float

    def neg_entropy(self) -> float:
        """Σ p_ij log p_ij."""
        p = self.values[self.values > 0]
        return float(p @ np.log(p))


def affinities(X: Any, perplexity: float, every: bool, metric: Any, parameters: dict[str, Any] | None) -> Affinities:
    """(3) of the rows of X, from all other rows or from the nearest."""
    n = X.shape[0]
    k = n - 1 if every else min(n - 1, int(3.0 * perplexity + 1))
    distances, columns = neighbours(X, k, metric, parameters)
    return joint(distances, columns, perplexity, int(X.shape[1]))


def neighbours(X: Any, k: int, metric: Any, parameters: dict[str, Any] | None) -> tuple[Array, Array]:
    """Distances to the k nearest other rows, ascending, and their numbers."""
    given = isinstance(metric, str) and metric == "precomputed"
    if given and not sparse.issparse(X):
        Dissimilarities.of(X, metric, metric_params=parameters)  # refuses what is no distance
    search = Precomputed(X) if given else search_of(X, metric=metric, metric_params=parameters)
    distances, columns = search.nearest(X, k, np.arange(X.shape[0]))
    if (distances[:, 0] < 0).any():  # of a function; others are never negative
        row = int(np.argmax(distances[:, 0] < 0))
        raise ValueError(
            f"All distances should be positive, the metric given is not correct: d(row {row}, row {columns[row, 0]}) = "
            f"{distances[row, 0]:.6g}."
        )
    return distances, columns


def joint(distances: Array, columns: Array, perplexity: float, terms: int) -> Affinities:
    """(3) from the distances to neighbours, which are sums of so many terms."""
    n, k = distances.shape
    conditional, reached, sharpness = np.empty((n, k)), np.empty(n), np.empty(n)

    def part(first: int) -> None:
        here = slice(first, first + ROWS)
        calibrate(distances[here], float(np.log(perplexity)), conditional[here], reached[here], sharpness[here])

    side_by_side(part, range(0, n, ROWS))
    one_way = sparse.csr_array((conditional.ravel(), columns.ravel(), np.arange(0, n * k + 1, k)), shape=(n, n))
    one_way.sort_indices()
    P = sparse.csr_array(one_way + one_way.T.tocsr())
    farthest = distances[:, -1]
    lost = bool(((farthest > 0) & (farthest < SMALLEST)).any())
    rounding = np.inf if lost else (terms + 8.0) * float(np.finfo(float).eps) * float(sharpness.max())
    return Affinities(
        P.indptr.astype(np.int64), P.indices.astype(np.int32), P.data / (2.0 * n), reached, min(perplexity, k), rounding
    )


@compiled
def calibrate(distances: Array, wanted: float, p: Array, reached: Array, sharpness: Array) -> None:
    """(1) and (2): the probabilities of some rows, exp(H), and β in units of the largest distance."""
    n, k = distances.shape
    excess = np.empty(k)
    for i in range(n):
        nearest, farthest, ties, mean = distances[i, 0], distances[i, k - 1], 0, 0.0
        scale = 1.0 / farthest if farthest > 0.0 else 0.0
        for j in range(k):
            excess[j] = (distances[i, j] - nearest) * scale * ((distances[i, j] + nearest) * scale)
            ties += excess[j] == 0.0
            mean += excess[j] / k
        low, high = 0.0, np.inf
        beta = 1.0 / mean if mean > 0.0 else 0.0
        if wanted >= np.log(k):
            beta = 0.0
        elif wanted <= np.log(ties):
            beta = np.inf
        for _ in range(100):
            total, first, second = 0.0, 0.0, 0.0
            for j in range(k):
                p[i, j] = 1.0 if excess[j] == 0.0 else np.exp(-beta * excess[j])
                total += p[i, j]
                first += p[i, j] * excess[j]
                second += p[i, j] * excess[j] * excess[j]
            first /= total
            entropy = np.log(total) + (beta * first if first > 0.0 else 0.0)
            gap = entropy - wanted
            if abs(gap) <= TOLERANCE or beta == 0.0 or beta == np.inf:
                break
            if gap > 0.0:
                low = beta
            else:
                high = beta
            slope = beta * (second / total - first * first)  # −dH/dβ
            step = beta + gap / slope if slope > 0.0 else np.inf
            if not (low < step < high) or step > 8.0 * beta or step < 0.125 * beta:
                step = (2.0 * beta if high == np.inf else 0.5 * (low + high)) if gap > 0.0 else 0.5 * (low + high)
            if step == beta:
                break
            beta = step
        reached[i], sharpness[i] = np.exp(entropy), beta
        for j in range(k):
            p[i, j] /= total
