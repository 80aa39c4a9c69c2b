"""What shows that a tree of merges is that of its linkage: some of its heights, computed anew from the rows.

    ward        Σ Δ over all merges, against the total scatter Σ ‖x − m‖²                                     (1)
    single      the smallest distance of a row of A and a row of B
    complete    the largest distance within A ∪ B, its diameter
    average     the mean distance of a row of A and a row of B                                                (2)
    weighted    the same with the weight 2^−s for a row that is s merges below A (or B)
    centroid    the distance of the means of A and B
    median      the distance of their means with the weights 2^−s

(1) is checked as a whole. (2) is checked for merges spread over the tree, of clusters that are not too large. Where only
linked clusters may join, the links have lengths of their own (connected_merges.py), and (1) alone can be checked; of the other
linkages, that a merge is never lower than the smallest distance of the two clusters.
"""

from __future__ import annotations

import numpy as np

from aprendiz.cluster.linkage.merges import Leaves
from aprendiz.cluster.linkage.ward_merges import without_offset
from aprendiz.cluster.medoids.dissimilarities import Dissimilarities
from aprendiz.core.certificate import Certificate
from aprendiz.core.rows import Array

CHECKED = 16  # merges
LARGEST = 1500  # rows of a merge that is checked
ROUNDING = 1e-9

CLAIMS = {
    "single": "heights of some merges, computed anew, are the smallest distance between the two clusters",
    "complete": "heights of some merges, computed anew, are the diameter of the cluster that the merge makes",
    "average": "heights of some merges, computed anew, are the mean distance between the two clusters",
    "weighted": "heights of some merges, computed anew, are the weighted mean distance between the two clusters",
    "centroid": "heights of some merges, computed anew, are the distance between the means of the two clusters",
    "median": "heights of some merges, computed anew, are the distance between the weighted means of the two clusters",
}
LINKED = "heights of some merges, computed anew, are not below the smallest distance between the two clusters"


def evidence(Z: Array, linkage: str, linked: bool, X: Array, distances: Dissimilarities) -> Certificate:
    """(1) or (2), to 10⁻⁹ of the scatter or of the largest height. (2) is claimed of the merges that were computed anew."""
    if linkage in ("ward", "centroid", "median"):
        X = without_offset(X)
    if linkage == "ward":
        scatter, rises = float(((X - X.mean(axis=0)) ** 2).sum()), float((Z[:, 2] ** 2).sum() / 2)
        gap = abs(rises - scatter) / max(scatter, np.finfo(float).tiny)
        return Certificate("the rises of the cost sum to the total scatter", gap <= ROUNDING, {"scatter": scatter, "gap": gap})
    leaves, small = Leaves.of(Z), np.flatnonzero(Z[:, 3] <= LARGEST)
    some = small[np.unique(np.linspace(0, len(small) - 1, CHECKED).astype(np.int64))]
    unit = max(float(Z[:, 2].max()), np.finfo(float).tiny)
    if linkage in ("centroid", "median"):
        found = np.array([height_of_means(Z, i, linkage, leaves, X) for i in some])
    else:
        found = np.array([height(Z, i, "single" if linked else linkage, leaves, distances) for i in some])
    errors = (found - Z[some, 2]) / unit
    error = float(errors.max() if linked else np.abs(errors).max())
    claim = LINKED if linked else CLAIMS[linkage]
    return Certificate(claim, error <= ROUNDING, {"merges": len(some), "error": max(error, 0.0)})


def height(Z: Array, merge: int, linkage: str, leaves: Leaves, distances: Dissimilarities) -> float:
    """(2) of a merge."""
    a, b = (leaves.of_cluster(int(cluster)) for cluster in Z[merge, :2])
    D = distances.among(np.concatenate([a, b])).matrix()
    between = D[: len(a), len(a) :]
    if linkage == "complete":
        return float(D.max())
    if linkage == "single":
        return float(between.min())
    if linkage == "average":
        return float(between.mean())
    first, second = (weights(Z, int(cluster), leaves) for cluster in Z[merge, :2])
    return float(first @ between @ second)


def height_of_means(Z: Array, merge: int, linkage: str, leaves: Leaves, X: Array) -> float:
    """(2) of a merge, for the linkages of means."""
    means = []
    for cluster in Z[merge, :2].astype(np.int64).tolist():
        rows = leaves.of_cluster(cluster)
        share = weights(Z, cluster, leaves) if linkage == "median" else np.full(len(rows), 1 / len(rows))
        means.append(X[rows[0]] + share @ (X[rows] - X[rows[0]]))
    return float(np.linalg.norm(means[0] - means[1]))


def weights(Z: Array, cluster: int, leaves: Leaves) -> Array:
    """2^−s of the rows of a cluster, in the order of the leaves."""
    n, found = len(Z) + 1, np.empty(leaves.size[cluster])
    below = [(cluster, 1.0)]
    while below:
        here, weight = below.pop()
        if here < n:
            found[leaves.start[here] - leaves.start[cluster]] = weight
        else:
            below += [(int(part), weight / 2) for part in Z[here - n, :2]]
    return found
