"""From the rows of a few eigenvectors to groups: what rounds a relaxed cut to a partition.

    sign          two groups, by the sign of the second vector                                                    (1)
    discretize    the 0/1 table nearest to the vectors, up to a rotation: labels and rotation in turn             (2)
    cluster_qr    the k rows that a pivoted QR picks, made orthogonal, span the rotation: no iteration            (3)

k-means on the rows (k_means.py) is the other way.

Cost: (1) O(n), (2) and (3) O(n·k²).
Reference: Yu & Shi, "Multiclass spectral clustering", ICCV 2003; Damle, Minden & Ying, "Simple, direct and efficient multi-way
spectral clustering", Information and Inference 8, 2019.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import qr

from aprendiz.core.random import uniforms
from aprendiz.core.rows import Array

TURNS = 100  # rotations that (2) tries at most


def by_sign(vectors: Array) -> Array:
    """(1)."""
    return (vectors[:, 1] > 0).astype(np.int32)


def by_pivots(vectors: Array) -> Array:
    """(3)."""
    k = vectors.shape[1]
    pivots = qr(vectors.T, mode="r", pivoting=True)[1][:k]
    U, _, V = np.linalg.svd(vectors[pivots].T)
    return np.abs(vectors @ (U @ V)).argmax(axis=1).astype(np.int32)


def by_rotation(vectors: Array, seed: int) -> Array:
    """(2), from rows that are as far apart as they can be."""
    rows = unit_rows(vectors)
    rotation = spread_rows(rows, int(uniforms(seed, 0, 1)[0] * len(rows)))
    labels = (rows @ rotation).argmax(axis=1)
    for _ in range(TURNS):
        table = np.zeros_like(rows)
        table[np.arange(len(rows)), labels] = 1.0
        U, _, V = np.linalg.svd(table.T @ rows)
        turned = (rows @ (U @ V).T).argmax(axis=1)
        if np.array_equal(turned, labels):
            break
        labels = turned
    return labels.astype(np.int32)


def unit_rows(vectors: Array) -> Array:
    """Rows of length 1; rows of zeros stay."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)


def spread_rows(rows: Array, first: int) -> Array:
    """k rows as columns: the first, then each time the one most at right angles to those before."""
    k = rows.shape[1]
    chosen, overlap = [first], np.zeros(len(rows))
    for _ in range(1, k):
        overlap += np.abs(rows @ rows[chosen[-1]])
        chosen.append(int(np.argmin(overlap)))
    return rows[chosen].T
