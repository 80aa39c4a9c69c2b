"""The k nearest rows: `kneighbors` and its graph, for all learners that look at a fixed number of neighbours."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from scipy import sparse

from aprendiz.core.parameters import refuse_count
from aprendiz.core.rows import Array
from aprendiz.neighbors.shared.kept_rows import KeptRows
from aprendiz.neighbors.shared.votes import Near

Mode = Literal["connectivity", "distance"]


class KNearest(KeptRows):
    """Looks at k neighbours."""

    n_neighbors: int

    def kneighbors(self, X: Any = None, n_neighbors: int | None = None, return_distance: bool = True) -> Any:
        """The nearest rows of the fit: distances (n_queries, n_neighbors), ascending, and indices.

        Parameters
        ----------
        X : table, optional
            The query rows. None: the training rows, none of which is its own neighbour.
        n_neighbors : int, optional
            By default, that of the learner.
        return_distance : bool, default=True
            Whether to give distances and indices, or indices alone.
        """
        Q, skip = self.queries(X)
        distances, indices = self.search_.nearest(Q, self.number(n_neighbors, X is None), skip)
        return (distances, indices) if return_distance else indices

    def kneighbors_graph(self, X: Any = None, n_neighbors: int | None = None, mode: Mode = "connectivity") -> Any:
        """A sparse matrix (n_queries, n_samples_fit) with an entry for each neighbour: 1, or with "distance" the distance."""
        refuse_mode(mode)
        distances, indices = self.kneighbors(X, n_neighbors)
        m, k = indices.shape
        data = np.ones(m * k) if mode == "connectivity" else distances.ravel()
        return sparse.csr_matrix((data, indices.ravel(), np.arange(0, m * k + 1, k)), shape=(m, self.n_samples_fit_))

    def near(self, Q: Any, skip: Array | None) -> Near:
        """The neighbours of some rows."""
        return Near.of(*self.search_.nearest(Q, self.number(None, skip is not None), skip))

    def number(self, asked: int | None, of_the_fit: bool) -> int:
        """How many neighbours: as asked, or as the learner looks at; not more than there are."""
        if asked is not None:
            refuse_count("n_neighbors", asked)
        k = int(self.n_neighbors if asked is None else asked)
        refuse_more_than_rows(k, self.n_samples_fit_, of_the_fit)
        return k


def refuse_more_than_rows(k: int, rows: int, of_the_fit: bool = False) -> None:
    """More neighbours than rows."""
    if k > rows - of_the_fit:
        sign = "<" if of_the_fit else "<="
        raise ValueError(
            f"Expected n_neighbors {sign} n_samples_fit, but n_neighbors = {k}, n_samples_fit = {rows} (n_samples={rows}): "
            "use fewer neighbours, or fit more rows."
        )


def refuse_mode(mode: Any) -> None:
    if mode not in ("connectivity", "distance"):
        raise ValueError(f'Unsupported mode {mode!r}: it must be "connectivity" or "distance".')
