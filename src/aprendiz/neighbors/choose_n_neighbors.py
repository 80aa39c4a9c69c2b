"""How many neighbours: the error on rows left out, for every k at once.

Each row is predicted from all the others, which needs no fit: its K nearest others, found once, hold the answers for k ≤ K,

    ŷ_k(x_i) from the first k of N_K(x_i) \\ {i},         error(k) = (1/n) Σ_i loss(y_i, ŷ_k(x_i))               (1)

with the votes, or sums, of k neighbours those of k − 1 and one more. The loss is 0 or 1 for classes, the squared error for
numbers. The standard error is that of the mean of n losses; with folds, that of the mean of their errors.

    best_k     the smallest k with the smallest error
    one_se_k   the smallest k whose error is within one standard error of it

A smaller k is cheaper and follows the rows more closely; where the curve is flat, the data do not say which k is better.

Cost: one search with K neighbours and O(n·K); a search for each fold with `cv`.
Reference: Stone, "Cross-validatory choice and assessment of statistical predictions", JRSS B 36, 1974.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from sklearn.model_selection import check_cv
from sklearn.utils.multiclass import type_of_target

from aprendiz.compilation.compiled import compiled
from aprendiz.core.parameters import ParameterError, refuse_count
from aprendiz.core.pictures import Picture, display
from aprendiz.core.rows import Array
from aprendiz.core.targets import as_target, classes, numbers
from aprendiz.neighbors import NearestNeighbors
from aprendiz.neighbors.search.distance_objects import DistanceMetric
from aprendiz.neighbors.shared.votes import Near, Weights, class_votes, target_means, winners
from aprendiz.summaries.folds import checked_splits

Task = Literal["classification", "regression"]
MOST_NEIGHBORS = 50  # neighbours, unless asked otherwise


@dataclass(frozen=True)
class ChoiceOfK:
    """The error on rows left out for each k.

    Attributes
    ----------
    ks : ndarray of int
        The numbers of neighbours.
    errors, standard_errors : ndarray of float
        (1) for each of them, and how uncertain it is.
    task : str
        "classification": errors are shares of rows; "regression": mean squared errors.
    folds : int or None
        How many folds, None where each row was left out alone.
    """

    ks: Array
    errors: Array
    standard_errors: Array
    task: str
    folds: int | None = None

    @property
    def best(self) -> int:
        """Where the smallest k with the smallest error stands."""
        least = np.flatnonzero(self.errors == self.errors.min())
        return int(least[np.argmin(self.ks[least])])

    @property
    def best_k(self) -> int:
        """The smallest k with the smallest error."""
        return int(self.ks[self.best])

    @property
    def one_se_k(self) -> int:
        """The smallest k whose error is within one standard error of the smallest."""
        return int(self.ks[self.errors <= self.errors[self.best] + self.standard_errors[self.best]].min())

    def plot(self, ax: Any = None) -> Picture:
        """Error against k with its standard error, the chosen k marked: a `ChoiceOfKDisplay`. Needs matplotlib."""
        return display("ChoiceOfKDisplay")(self).plot(ax)

    def __str__(self) -> str:
        kind = "error" if self.task == "classification" else "mean squared error"
        how = "leaving out one row" if self.folds is None else f"{self.folds} folds"
        error, spread = self.errors[self.best], self.standard_errors[self.best]
        return f"k = {self.best_k} ({kind} {error:.4g} ± {spread:.2g}, {how}); k = {self.one_se_k} is within one standard error"


def choose_n_neighbors(
    X: Any,
    y: Any,
    ks: Iterable[int] | None = None,
    *,
    task: Task | None = None,
    weights: Weights = "uniform",
    cv: Any = None,
    algorithm: str = "auto",
    leaf_size: int = 30,
    p: float | None = 2,
    metric: str | Callable[..., Any] | DistanceMetric = "minkowski",
    metric_params: dict[str, Any] | None = None,
) -> ChoiceOfK:
    """The cross-validated error of k-nearest-neighbour prediction, for every k at once.

    Parameters
    ----------
    X, y : table and target
        Numbers, or with `metric="gower"` also words and missing cells; classes or numbers, several columns of them too.
    ks : iterable of int, optional
        The numbers of neighbours; 1 to 50 by default, or as many as there are other rows.
    task : {"classification", "regression"}, optional
        By default as y looks: numbers with decimals, or in several columns, are for regression.
    weights : {"uniform", "distance"}, callable or None, default="uniform"
        See KNeighborsClassifier. A function is called again for each k.
    cv : int, splitter or iterable of (train, test), optional
        Folds to leave out; by default each row alone.
    algorithm, leaf_size, p, metric, metric_params
        See NearestNeighbors. What a metric takes from the rows (scales of "gower", variances of "seuclidean" and
        "mahalanobis") it takes from all rows where each is left out alone.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> print(choose_n_neighbors(*load_iris(return_X_y=True)))
    k = 19 (error 0.02 ± 0.011, leaving out one row); k = 11 is within one standard error
    """
    search: dict[str, Any] = {"algorithm": algorithm, "leaf_size": leaf_size, "p": p, "metric": metric}
    refuse_weights(weights)
    model = NearestNeighbors(**search, metric_params=metric_params).fit(X)
    task, n = task_of(y, task), model.n_samples_fit_
    truth: Any = numbers(y, n) if task == "regression" else classes(y, n)
    splits = None
    if cv is not None:
        splits = checked_splits(check_cv(cv, y, classifier=task == "classification").split(np.zeros(n), y), n)
    tried = numbers_of_neighbours(ks, n - 1 if splits is None else min(len(train) for train, _ in splits))
    losses = [losses_of(near, train, test, tried, weights, truth) for near, train, test in searches(model, splits, tried.max())]
    if splits is None:
        table = losses[0]
    else:
        table = np.array([one.mean(axis=0) for one in losses])
    spread = table.std(axis=0, ddof=1) / np.sqrt(len(table)) if len(table) > 1 else np.full(len(tried), np.nan)
    return ChoiceOfK(tried, table.mean(axis=0), spread, task, None if splits is None else len(splits))


def refuse_weights(weights: Any) -> None:
    if not (weights is None or callable(weights) or (isinstance(weights, str) and weights in ("uniform", "distance"))):
        raise ParameterError(f"weights must be 'uniform', 'distance', a function or None, got {weights!r}.")


def task_of(y: Any, task: Task | None) -> Task:
    """As asked, or as y looks."""
    if task is not None and task not in get_args(Task):
        raise ParameterError(f"task must be 'classification' or 'regression', got {task!r}.")
    if task is None:
        return (
            "regression"
            if type_of_target(as_target(y)).startswith(("continuous", "multi-", "multiclass-m"))
            else "classification"
        )
    return task


def numbers_of_neighbours(ks: Iterable[int] | None, most: int) -> Array:
    """The k to try, none above the number of rows that can be neighbours."""
    if ks is None:
        ks = range(1, min(MOST_NEIGHBORS, most) + 1)
    tried = list(ks)
    if not tried:
        raise ValueError("ks is empty: give at least one number of neighbours (X needs two rows).")
    for k in tried:
        refuse_count("ks", k)
        if k > most:
            raise ValueError(f"ks holds {k}, but only {most} other rows can be neighbours: leave out what is above {most}.")
    return np.unique(np.array(tried, dtype=np.int64))


def searches(model: NearestNeighbors, splits: Any, most: int) -> Iterator[tuple[Near, Array, Array]]:
    """The neighbours of the rows left out, the rows they are among, and the rows left out; all rows, or fold by fold."""
    X, n = model._fit_X, model.n_samples_fit_
    if splits is None:
        every = np.arange(n)
        yield Near.of(*model.search_.nearest(X, int(most), every)), every, every
        return
    for train, test in splits:
        index = model.index(X[train], model.effective_metric_, model.effective_metric_params_)
        yield Near.of(*index.nearest(X[test], int(most))), np.asarray(train), np.asarray(test)


def losses_of(near: Near, train: Array, test: Array, ks: Array, weights: Weights, truth: Any) -> Array:
    """The loss of each row left out, for each k."""
    if callable(weights):
        first = [first_neighbours(near, int(k)) for k in ks]
        return np.column_stack([plain_losses(some, train, test, weights, truth) for some in first])
    omega, losses = near.weights(weights), np.empty((len(near), len(ks)))
    omega = np.ones(len(near.distances)) if omega is None else omega
    if isinstance(truth, tuple):
        labels, codes = truth
        class_losses(near.starts, near.indices, omega, codes[train], codes[test], len(labels), ks, losses)
    else:
        targets = truth if truth.ndim == 2 else truth[:, None]
        square_losses(near.starts, near.indices, omega, targets[train], targets[test], ks, losses)
    return losses


def first_neighbours(near: Near, k: int) -> Near:
    """The first k of more neighbours."""
    shape = (len(near), -1)
    return Near.of(near.distances.reshape(shape)[:, :k], near.indices.reshape(shape)[:, :k])


def plain_losses(near: Near, train: Array, test: Array, weights: Weights, truth: Any) -> Array:
    """The loss of each row for one k."""
    if isinstance(truth, tuple):
        labels, codes = truth
        return winners(class_votes(near, weights, codes[train], len(labels)), "lowest", 0, test) != codes[test]
    targets = truth if truth.ndim == 2 else truth[:, None]
    return np.asarray(((target_means(near, weights, targets[train]) - targets[test]) ** 2).mean(axis=1))


# ---- kernels -----------------------------------------------------------------------------------------------------------


@compiled(exact=True)
def class_losses(
    starts: Array, indices: Array, weights: Array, codes: Array, truth: Array, classes: int, ks: Array, losses: Array
) -> None:
    """0 where the class with the most votes of the first k is the true one, else 1; ks ascend, the first class wins ties."""
    votes = np.empty(classes)
    for i in range(len(starts) - 1):
        votes[:] = 0.0
        best, seen = 0, 0
        for c in range(len(ks)):
            while seen < ks[c]:
                code = codes[indices[starts[i] + seen]]
                votes[code] += weights[starts[i] + seen]
                if votes[code] > votes[best] or (votes[code] == votes[best] and code < best):
                    best = code
                seen += 1
            losses[i, c] = 0.0 if best == truth[i] else 1.0


@compiled(exact=True)
def square_losses(
    starts: Array, indices: Array, weights: Array, targets: Array, truth: Array, ks: Array, losses: Array
) -> None:
    """The squared error of the mean of the first k, averaged over the targets; ks ascend."""
    several = targets.shape[1]
    sums = np.empty(several)
    for i in range(len(starts) - 1):
        sums[:] = 0.0
        total, seen = 0.0, 0
        for c in range(len(ks)):
            while seen < ks[c]:
                weight = weights[starts[i] + seen]
                total += weight
                for t in range(several):
                    sums[t] += weight * targets[indices[starts[i] + seen], t]
                seen += 1
            losses[i, c] = 0.0
            for t in range(several):
                losses[i, c] += (sums[t] / total - truth[i, t]) ** 2 / several
