"""Spectral clustering: a full graph, and graphs of neighbours in two and in ten columns.

In the plane the eigenvectors come from sparse factors, in ten columns from products alone; the factors of scikit-learn, which
knows only that way, are full there. The measure is NCut of the labels, in the graph of the contender.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from benchmarks.harness import Case
from benchmarks.peers import OURS, SKLEARN, Data, contenders, fixed
from benchmarks.quality import Objective


def cloud(rows: int) -> Data:
    """Eight groups in ten columns, some of which touch."""
    from sklearn.datasets import make_blobs

    return (make_blobs(rows, 10, centers=8, cluster_std=1.0, center_box=(-3, 3), random_state=0)[0],)


def plane(rows: int) -> Data:
    """Five groups in two columns, some of which touch."""
    from sklearn.datasets import make_blobs

    return (make_blobs(rows, 2, centers=5, cluster_std=1.5, center_box=(-5, 5), random_state=0)[0],)


def normalised_cut(data: Data, model: Any) -> float:
    """Σ W(A, Ā)/vol(A), from similarities and labels alone, the same way for everybody."""
    W, labels = sparse.csr_array(model.affinity_matrix_), np.asarray(model.labels_)
    W.setdiag(0.0)
    groups = np.eye(labels.max() + 1)[labels]
    inside, volume = (groups * (W @ groups)).sum(axis=0), np.asarray(W.sum(axis=1)) @ groups
    return float((1 - inside / volume).sum())


BOTH = (OURS, SKLEARN)
NEIGHBOURS = {"affinity": "nearest_neighbors", "n_neighbors": 10, "random_state": 0}

CASES = (
    Case(
        name="SpectralClustering, full graph, 3 000 × 10, k = 8",
        rows=3_000,
        make=cloud,
        contenders=contenders("cluster", "SpectralClustering", fixed(n_clusters=8, gamma=0.05, random_state=0), who=BOTH),
        quality=Objective("NCut", normalised_cut, 1e-3),
    ),
    Case(
        name="SpectralClustering, neighbours, 10 000 × 10, k = 8",
        rows=10_000,
        make=cloud,
        contenders=contenders("cluster", "SpectralClustering", fixed(n_clusters=8, **NEIGHBOURS), who=BOTH),
        quality=Objective("NCut", normalised_cut, 1e-2),
    ),
    Case(
        name="SpectralClustering, neighbours, 10 000 × 2, k = 5",
        rows=10_000,
        make=plane,
        contenders=contenders("cluster", "SpectralClustering", fixed(n_clusters=5, **NEIGHBOURS), who=BOTH),
        quality=Objective("NCut", normalised_cut, 1e-2),
    ),
    Case(
        name="SpectralClustering, neighbours, 50 000 × 2, k = 5",
        rows=50_000,
        make=plane,
        contenders=contenders("cluster", "SpectralClustering", fixed(n_clusters=5, **NEIGHBOURS), who=BOTH),
        quality=Objective("NCut", normalised_cut, 1e-2),
    ),
)
