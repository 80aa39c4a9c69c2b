"""Density by nearest neighbours: κ rows in the smallest ball around x that holds κ of them.

    p(x) = κ / (N·V_κ(x)),       V_κ(x) = v_d·r_κ(x)ᵈ                                                         (1)

r_κ(x) is the distance to the κ-th nearest row, v_d the volume of the unit ball in d columns:

    Σ|δ|ᵖ ≤ 1:   v_d = (2·Γ(1 + 1/p))ᵈ / Γ(1 + d/p),    for p = 2:  π^(d/2) / Γ(d/2 + 1)                        (2)

Computed in logarithms, for any d. (1) is not normalised: far from all rows r_κ grows as ‖x‖, so p falls as ‖x‖⁻ᵈ and its
integral over the whole space is infinite. Inside the data it is near the density.

With classes, N_c(x) of the κ rows and N_c of all N are of class c. Bayes' rule with priors N_c/N leaves the share of κ rows:

    p(x | c) = N_c(x) / (N_c·V_κ(x)),     P(c | x) = (N_c/N)·p(x | c) / p(x) = N_c(x)/κ                           (3)

which is the vote of KNeighborsClassifier.

Cost: that of the search.
Reference: Loftsgaarden & Quesenberry, "A nonparametric estimate of a multivariate density function", Annals of Mathematical
Statistics 36, 1965.
"""

from __future__ import annotations

import warnings
from typing import Any, Literal

import numpy as np
from scipy.special import gammaln
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.parameters import Count
from aprendiz.core.rows import Array
from aprendiz.core.targets import classes
from aprendiz.neighbors.shared.k_nearest import KNearest, refuse_more_than_rows
from aprendiz.neighbors.shared.votes import class_votes, shares

POWERS = {"euclidean": 2.0, "manhattan": 1.0, "chebyshev": np.inf}


class KNNDensity(KNearest):
    """Density by nearest neighbours (any number of columns, posteriors by Bayes' rule).

    Rows of files and of Dask are gathered into memory.

    Parameters
    ----------
    n_neighbors : int, default=5
        κ. Can be changed after the fit.
    metric : {"euclidean", "manhattan", "chebyshev"}, default="euclidean"
        The shape of the ball.
    algorithm : {"auto", "ball_tree", "kd_tree", "brute"}, default="auto"
        Search algorithm; all of them find the same neighbours.
    leaf_size : int, default=30
        Maximum number of rows in a leaf of a tree.

    Attributes
    ----------
    n_samples_fit_ : int
        N.
    effective_metric_, effective_metric_params_ : str, dict
        The metric.
    search_ : Search
        The index; `search_.method` and `search_.reason` say what was chosen and why.
    certificate_ : Certificate
        That an exhaustive search finds the same neighbours; computed on access.

    Examples
    --------
    >>> model = KNNDensity(2).fit([[0.0], [1.0], [3.0], [7.0]])
    >>> model.density([[1.5]])  # two of four rows within 1.5: 2 / (4·3)
    array([0.16666667])
    """

    def __init__(
        self,
        n_neighbors: Count = 5,
        *,
        metric: Literal["euclidean", "manhattan", "chebyshev"] = "euclidean",
        algorithm: Literal["auto", "ball_tree", "kd_tree", "brute"] = "auto",
        leaf_size: Count = 30,
    ):
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.algorithm = algorithm
        self.leaf_size = leaf_size

    p = None
    metric_params = None

    def refuse_few(self, rows: int) -> None:
        refuse_more_than_rows(self.n_neighbors, rows)

    def score_samples(self, X: Any) -> Array:
        """log p(x) of (1) for each row. None stands for the rows of the fit, each without itself (κ of the N − 1 others).

        Where κ rows coincide with x the ball has no volume: +∞, with a warning.
        """
        found = self.predict_blocks(X, lambda Q, at, skip: self.log_density(Q, skip))
        if (endless := np.isposinf(found)).any():
            warnings.warn(
                f"The density is infinite in row {int(np.argmax(endless))} ({int(endless.sum())} in all): "
                f"n_neighbors = {self.n_neighbors} rows of the fit coincide with it. "
                "Use more neighbours, or leave duplicates out.",
                UserWarning,
                stacklevel=2,
            )
        return found

    def log_density(self, Q: Any, skip: Array | None) -> Array:
        """log κ − log N − log V."""
        k, n = self.number(None, skip is not None), self.n_samples_fit_ - (skip is not None)
        return np.asarray(np.log(k) - np.log(n) - self.log_volume(self.search_.nearest(Q, k, skip)[0][:, -1]))

    def log_volume(self, radius: Array) -> Array:
        """log V of balls; −∞ for the radius 0."""
        with np.errstate(divide="ignore"):
            return np.asarray(log_unit_ball(self.n_features_in_, POWERS[self.metric]) + self.n_features_in_ * np.log(radius))

    def density(self, X: Any) -> Array:
        """p(x) of (1) for each row."""
        return np.exp(self.score_samples(X))

    def score(self, X: Any, y: Any = None) -> float:
        """Σ log p(x) over the rows. Since (1) is not normalised, it compares rows, not values of κ."""
        return float(self.score_samples(X).sum())

    # ---- classes -------------------------------------------------------------------------------------------------------

    def posterior(self, X: Any, y: Any) -> Array:
        """P(c | x) of (3), rows × classes in the order of the sorted labels; y holds the classes of the rows of the fit."""
        check_is_fitted(self)
        labels, codes = classes(y, self.n_samples_fit_)
        return self.predict_blocks(X, lambda Q, at, skip: shares(class_votes(self.near(Q, skip), None, codes, len(labels))))

    def log_class_density(self, X: Any, y: Any) -> Array:
        """log p(x | c) of (3), rows × classes in the order of the sorted labels; y holds the classes of the rows of the fit."""
        check_is_fitted(self)
        labels, codes = classes(y, self.n_samples_fit_)
        sizes = np.bincount(codes, minlength=len(labels))

        def say(Q: Any, at: Array, skip: Array | None) -> Array:
            near = self.near(Q, skip)
            among = sizes if skip is None else sizes - (codes[skip][:, None] == np.arange(len(labels)))
            volume = self.log_volume(near.distances.reshape(len(near), -1)[:, -1])[:, None]
            with np.errstate(divide="ignore"):
                return np.asarray(np.log(class_votes(near, None, codes, len(labels))) - np.log(among) - volume)

        return self.predict_blocks(X, say)


def log_unit_ball(columns: int, p: float) -> float:
    """log v_d of (2)."""
    if p == np.inf:
        return float(columns * np.log(2.0))
    return float(columns * (np.log(2.0) + gammaln(1.0 + 1.0 / p)) - gammaln(1.0 + columns / p))
