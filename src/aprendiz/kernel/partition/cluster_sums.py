"""Sums of a Gram matrix over clusters, in one pass over the matrix whatever the number of clusters.

    s_k(x_i) = Σ_{j in cluster k} a_j·K_ji                                                                    (1)

Rows j of K, times their shares a_j, are added to the row of sums of their cluster, four at a time. They are read from end to
end, so that the loop is about as fast as the memory: a product with the n × k matrix of the shares, most of which is zeros,
takes six times as long for k = 8.
"""

from __future__ import annotations

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array


def cluster_sums(K: Array, labels: Array, shares: Array, k: int) -> Array:
    """(1) of some rows j, with their labels and shares, of shape (k, columns of K)."""
    sums, order = np.zeros((k, K.shape[1])), np.argsort(labels, kind="stable")
    add_cluster_sums(K, order, np.searchsorted(labels[order], np.arange(k + 1)), shares, sums)
    return sums


@compiled
def add_cluster_sums(K: Array, order: Array, starts: Array, shares: Array, sums: Array) -> None:
    """(1); cluster c has the rows order[starts[c]] … order[starts[c + 1] − 1]."""
    for c in range(len(starts) - 1):
        whole = starts[c] + (starts[c + 1] - starts[c]) // 4 * 4
        for t in range(starts[c], whole, 4):
            a, b, d, e = order[t], order[t + 1], order[t + 2], order[t + 3]
            u, v, w, z = shares[a], shares[b], shares[d], shares[e]
            for i in range(K.shape[1]):
                sums[c, i] += (u * K[a, i] + v * K[b, i]) + (w * K[d, i] + z * K[e, i])
        for t in range(whole, starts[c + 1]):
            a = order[t]
            u = shares[a]
            for i in range(K.shape[1]):
                sums[c, i] += u * K[a, i]
