"""How many clusters: four answers to a question that has none in general, side by side.

    cost         J(k) = (1/n)·Σ ‖x − m_C(x)‖², around the means of the clusters; it falls as k grows          (1)
    elbow        the k where the curve of log J lies deepest below the chord from its first to its last point,
                 both axes scaled to [0, 1]:  (1 − u − v)/√2,   u, v the scaled k and log J                   (2)
    silhouette   the mean of (b − a)/max(a, b): a the mean distance of a row to its own cluster, b to the
                 nearest other one; the largest is best                                                       (3)
    gap          Gap(k) = (1/B)·Σ_b log J*_b(k) − log J(k),  J* of B tables without clusters: uniform in the box of
                 the principal axes;  s(k) = √(1 + 1/B)·sd_b log J*_b(k);  the smallest k with
                 Gap(k) ≥ Gap(k') − s(k'),  k' the next k that was tried                                      (4)
    BIC          −2·log-likelihood + parameters·log n of a mixture; the smallest is best                      (5)

(2) finds an elbow in most curves, also in those of tables without clusters: only (4) and (5) can answer 1. There is none where
the curve is nowhere 0.05 below its chord. (3) is not defined for k = 1, and is computed on a sample of the rows where they are
many. Where (4) finds no k among those tried, it says so.

Cost: a fit for each k; B more for the gap; O(m²·d) for the silhouette of m rows.
References: Rousseeuw, J. Computational and Applied Mathematics 20, 1987; Tibshirani, Walther & Hastie, JRSS B 63, 2001;
Schwarz, Annals of Statistics 6, 1978.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from scipy import sparse
from sklearn.metrics import silhouette_score

from aprendiz import cluster
from aprendiz.cluster import KMeans
from aprendiz.cluster.shared.refits import is_precomputed, labels_of, seed_copy
from aprendiz.core.parameters import ParameterError, refuse_count
from aprendiz.core.pictures import Picture, display
from aprendiz.core.random import draw_seed, hashes, uniforms
from aprendiz.core.rows import Array, Rows

Criterion = Literal["silhouette", "elbow", "gap", "bic"]
MOST_CLUSTERS = 10  # clusters, unless asked otherwise
SAMPLE = 4000  # rows of a silhouette
REFERENCES = 10  # tables without clusters, where the gap is asked for
SMALLEST = 1e-12  # of the first cost: less is none
SHALLOW = 0.05  # a curve that is nowhere so far below its chord has no elbow
TABLES, CHOSEN = 2**33, 2**34  # streams of random numbers: references, rows of the silhouette


@dataclass(frozen=True)
class ChoiceOfClusters:
    """What is known of each number of clusters. Attributes that were not asked for, or are not defined, are NaN.

    Attributes
    ----------
    ks : ndarray of int
        The numbers of clusters.
    cost, elbow, silhouette, gap, gap_error, bic : ndarray of float
        J, depth below the chord, mean silhouette, Gap, s and BIC for each of them.
    criterion : str
        What decides `best_k`.
    model : str
        The name of the learner.
    rows, silhouette_rows : int
        Rows of the table, and of the sample for the silhouettes.
    """

    ks: Array
    cost: Array
    elbow: Array
    silhouette: Array
    gap: Array
    gap_error: Array
    bic: Array
    criterion: str
    model: str
    rows: int
    silhouette_rows: int

    @property
    def best_k(self) -> int | None:
        """The k that the criterion chooses; None where it finds none."""
        return self.chosen[self.criterion]

    @property
    def chosen(self) -> dict[str, int | None]:
        """The k that each criterion chooses, where it is known."""
        return {name: choice for name, choice in self.choices().items() if not np.isnan(getattr(self, name)).all()}

    def choices(self) -> dict[str, int | None]:
        deep = np.where(self.elbow >= SHALLOW, self.elbow, np.nan)
        return {
            "silhouette": first_best(self.ks, self.silhouette),
            "elbow": first_best(self.ks, deep),
            "gap": smallest_within(self.ks, self.gap, self.gap_error),
            "bic": first_best(self.ks, -self.bic),
        }

    def plot(self, ax: Any = None) -> Picture:
        """What is known of each k, the chosen ones marked, as a picture: a `ChoiceOfClustersDisplay`. Needs matplotlib."""
        return display("ChoiceOfClustersDisplay")(self).plot(ax)

    def __str__(self) -> str:
        names = ["cost", *self.chosen]
        head = "".join(f"{'BIC ' if name == 'bic' else name + ' ':>{WIDTHS[name]}s}" for name in names)
        lines = [f"{'k':>4s}{head}"]
        lines += [f"{k:4d}" + "".join(self.cell(name, i) for name in names) for i, k in enumerate(self.ks)]
        said = ", ".join(f"{'BIC' if n == 'bic' else n} {'none' if k is None else k}" for n, k in self.chosen.items())
        lines.append(f"chosen k: {said}")
        if self.silhouette_rows < self.rows and "silhouette" in self.chosen:
            lines.append(f"silhouettes of {self.silhouette_rows} of {self.rows} rows")
        return "\n".join(line.rstrip() for line in lines)

    def cell(self, name: str, place: int) -> str:
        """A number of the table, with a star where it is chosen."""
        value = float(getattr(self, name)[place])
        text = "" if np.isnan(value) else f"{value:.5g}" if name in ("cost", "bic") else f"{value:.3f}"
        if name == "gap" and text:
            text = f"{text} ± {self.gap_error[place]:.3f}"
        star = "*" if self.chosen.get(name) == self.ks[place] else " "
        return f"{text + star:>{WIDTHS[name]}s}"


WIDTHS = {"cost": 12, "silhouette": 12, "elbow": 9, "gap": 18, "bic": 12}


def choose_k(
    X: Any,
    ks: Iterable[int] | None = None,
    *,
    criterion: Criterion = "silhouette",
    model: Any = None,
    n_references: int | None = None,
    sample_size: int = SAMPLE,
    random_state: Any = None,
) -> ChoiceOfClusters:
    """How many clusters: cost, elbow, silhouette, gap and BIC for each k.

    Parameters
    ----------
    X : table of numbers
        Rows; for a model with `metric="precomputed"`, the square matrix of their distances.
    ks : iterable of int, optional
        The numbers of clusters; 1 to 10 by default, or fewer than there are rows.
    criterion : {"silhouette", "elbow", "gap", "bic"}, default="silhouette"
        What decides `best_k`. All that is known is in the record.
    model : clusterer, optional
        Has a parameter `n_clusters` or `n_components`; by default KMeans with ten starts. BIC needs a mixture.
    n_references : int, optional
        Tables without clusters for the gap; by default 10 if it is the criterion, else none.
    sample_size : int, default=4000
        Rows at most for the silhouettes, the same for every k.
    random_state : int, RandomState or None
        Each k has a seed of its own, which follows from this one, or from that of the model.

    Examples
    --------
    >>> from sklearn.datasets import make_blobs
    >>> X = make_blobs(150, centers=3, random_state=3)[0]
    >>> print(choose_k(X, range(1, 6), criterion="gap", random_state=0))
       k       cost  silhouette    elbow               gap
       1     38.553                0.000    -0.134 ± 0.070
       2     8.8678       0.681    0.137     0.124 ± 0.055
       3     2.0113       0.739*   0.277*    1.056 ± 0.060*
       4     1.7126       0.614    0.134     0.902 ± 0.070
       5     1.4022       0.489    0.000     0.912 ± 0.074
    chosen k: silhouette 3, elbow 3, gap 3
    """
    model = KMeans(n_init=10) if model is None else model
    rows, name = KMeans(1).open(X), number_parameter(model)
    n = sum(len(block) for block in rows.blocks()) if rows.count is None else rows.count
    tried, references = numbers_of_clusters(ks, n), asked_references(n_references, criterion, model, X)
    refuse_count("sample_size", sample_size)
    seed = draw_seed(getattr(model, "random_state", None) if random_state is None else random_state)
    judge = Judge(model, name, X, rows, n, min(sample_size, n), seed)
    J, s, bic = np.array([judge.measure(int(k)) for k in tried]).T
    gap, error = judge.gaps(tried, J, references) if references else np.full((2, len(tried)), np.nan)
    return ChoiceOfClusters(
        ks=tried,
        cost=J,
        elbow=below_chord(tried, J),
        silhouette=s,
        gap=gap,
        gap_error=error,
        bic=bic,
        criterion=criterion,
        model=type(model).__name__,
        rows=n,
        silhouette_rows=min(sample_size, n),
    )


# ---- what is asked -----------------------------------------------------------------------------------------------------


def number_parameter(model: Any) -> str:
    """The parameter that holds the number of clusters."""
    known = model.get_params(deep=False) if hasattr(model, "get_params") else {}
    for name in ("n_clusters", "n_components"):
        if name in known:
            return name
    raise ParameterError(f"model must be a clusterer with n_clusters or n_components, such as KMeans(), got {model!r}.")


def numbers_of_clusters(ks: Iterable[int] | None, rows: int) -> Array:
    """The k to try, ascending, none above the number of rows."""
    tried = list(range(1, max(1, min(MOST_CLUSTERS, rows - 1)) + 1)) if ks is None else list(ks)
    if not tried:
        raise ValueError("ks is empty: give at least one number of clusters.")
    for k in tried:
        refuse_count("ks", k)
        if k > rows:
            raise ValueError(f"ks holds {k}, but X has {rows} rows: leave out what is above {rows}.")
    return np.unique(np.array(tried, dtype=np.int64))


def asked_references(count: int | None, criterion: Any, model: Any, X: Any) -> int:
    """How many tables for the gap; whether the criterion can be had at all."""
    if criterion not in get_args(Criterion):
        raise ParameterError(f"criterion must be 'silhouette', 'elbow', 'gap' or 'bic', got {criterion!r}.")
    if criterion == "bic" and not hasattr(model, "bic"):
        raise ValueError(
            f"criterion='bic' needs a mixture, but {type(model).__name__} has no likelihood: use GaussianMixture()."
        )
    if count is not None:
        refuse_count("n_references", count)
    wanted = (REFERENCES if criterion == "gap" else 0) if count is None else count
    if wanted and (is_precomputed(model) or sparse.issparse(X) or isinstance(X, Rows)):
        raise ValueError("The gap needs a dense table in memory, to draw tables like it: choose another criterion.")
    return wanted


# ---- judging each k ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Judge:
    """A table, and a model to be fitted to it with several k."""

    model: Any
    name: str
    X: Any
    rows: Rows
    count: int
    sample: int
    seed: int

    def measure(self, k: int) -> tuple[float, float, float]:
        """J, mean silhouette and BIC."""
        fitted = seed_copy(self.model, self.seed, k, **{self.name: k}).fit(self.X)
        labels = labels_of(fitted, self.X)
        bic = float(fitted.bic(self.X)) if hasattr(fitted, "bic") else np.nan
        return self.cost(self.X, labels), self.silhouette(labels), bic

    def cost(self, X: Any, labels: Array) -> float:
        """(1); of distances, the mean distance to the medoids."""
        if is_precomputed(self.model):
            return cluster.within_cluster_risk(X, labels, "k-medoids", metric="precomputed") / self.count
        return cluster.within_cluster_risk(X, labels) / self.count

    def silhouette(self, labels: Array) -> float:
        """(3) on the sample."""
        chosen = np.arange(self.count)
        if self.sample < self.count:
            chosen = np.sort(np.argsort(hashes(self.seed, CHOSEN, chosen), kind="stable")[: self.sample])
        some, kinds = rows_at(self.rows, chosen), len(np.unique(labels[chosen]))
        if not 2 <= kinds < len(chosen):
            return np.nan
        if is_precomputed(self.model):
            return float(silhouette_score(some[:, chosen], labels[chosen], metric="precomputed"))
        return float(silhouette_score(some, labels[chosen]))

    def gaps(self, ks: Array, J: Array, references: int) -> Array:
        """Gap and s of (4)."""
        table = self.rows.each(lambda block: block.X)
        logs = np.array([self.log_costs(without_clusters(table, self.seed, b), ks, b) for b in range(references)])
        with np.errstate(divide="ignore"):  # as many clusters as places: no cost, and an infinite gap
            gap = logs.mean(axis=0) - np.log(J)
        return np.array([np.where(np.isfinite(gap), gap, np.nan), logs.std(axis=0) * np.sqrt(1 + 1 / references)])

    def log_costs(self, table: Array, ks: Array, reference: int) -> list[float]:
        """log J of a table without clusters, for each k."""
        found = []
        for k in ks:
            fitted = seed_copy(self.model, self.seed + reference + 1, int(k), **{self.name: int(k)}).fit(table)
            found.append(np.log(max(self.cost(table, labels_of(fitted, table)), np.finfo(float).tiny)))
        return found


def rows_at(rows: Rows, numbers: Array) -> Array:
    """The rows with these ascending numbers, in memory."""
    pieces = []
    for block in rows.blocks():
        first, last = np.searchsorted(numbers, [block.start, block.start + len(block)])
        pieces.append(block.X[numbers[first:last] - block.start])
    return np.concatenate(pieces)


def without_clusters(X: Array, seed: int, number: int) -> Array:
    """Rows drawn uniformly from the box that holds the rows of X along their principal axes."""
    centre = X.mean(axis=0)
    axes = np.linalg.svd(X - centre, full_matrices=False)[2]
    along = (X - centre) @ axes.T
    u = uniforms(seed, TABLES + number, along.size).reshape(along.shape)
    return np.asarray((along.min(axis=0) + u * np.ptp(along, axis=0)) @ axes + centre)


# ---- choosing ----------------------------------------------------------------------------------------------------------


def below_chord(ks: Array, J: Array) -> Array:
    """(2) for each k: how far the curve lies below its chord."""
    if len(ks) < 3 or not J[0] > J[-1]:
        return np.zeros(len(ks))
    fall = np.log(np.maximum(J, SMALLEST * J[0]))  # of J itself the chord is so steep that the elbow comes too early
    u, v = (ks - ks[0]) / (ks[-1] - ks[0]), (fall - fall[-1]) / (fall[0] - fall[-1])
    return np.asarray((1.0 - u - v) / np.sqrt(2.0))


def first_best(ks: Array, values: Array) -> int | None:
    """The smallest k with the largest value; None where no value is known."""
    return None if np.isnan(values).all() else int(ks[np.nanargmax(values)])


def smallest_within(ks: Array, gap: Array, error: Array) -> int | None:
    """The choice of (4)."""
    for place in range(len(ks) - 1):
        if gap[place] >= gap[place + 1] - error[place + 1]:
            return int(ks[place])
    return None
