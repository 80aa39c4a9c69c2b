"""Learners that keep their rows: what they know is the rows themselves and an index that finds the nearest of them.

    learned:  X (and y), as they came            asked:  the rows nearest to x

Neighbours are not a sum, so nothing is added up: rows of files and of Dask are gathered into memory. The index (search.py) is
made at the fit. It is not part of the model: a copy, or a model loaded from a file, makes it again when it is first asked.

The certificate compares the index with an exhaustive search for a few of the kept rows.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, Self
from weakref import WeakKeyDictionary

import numpy as np
from scipy import sparse
from scipy.spatial.distance import cdist
from sklearn.callback import with_callbacks
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.callbacks import reporting
from aprendiz.core.certificate import Certificate
from aprendiz.core.learner import Learner
from aprendiz.core.parameters import ParameterError
from aprendiz.core.rows import Array, Rows, read_only
from aprendiz.core.sources.arrays import in_memory
from aprendiz.neighbors.search.distance_objects import rows_of_index
from aprendiz.neighbors.search.pair_search import WITH_GAPS
from aprendiz.neighbors.search.point_index import Search
from aprendiz.neighbors.search.precomputed import Precomputed, refuse_bad_distances
from aprendiz.neighbors.search.search import search_of
from aprendiz.neighbors.shared.stored_rows import NEIGHBOURS

CHECKED = 16  # rows for which the certificate looks at all the others
SMALLEST = 1e-140  # distance whose square has all its digits
OF_SQUARES = ("euclidean", "l2", "sqeuclidean", "minkowski")
KEPT = "the rows are kept in memory: neighbours are not a sum"
SAME = "of rows at equal distances the first count, in scikit-learn any of them, and its distances are rounded further"
BALL = "the radius is in the units of the columns"
TIES = "of classes with the same number of votes, the one whose label comes first wins"
AT_THE_FIT = "another form: more neighbours than rows are refused at the fit already"
DIFFERENCES = {
    "algorithm": "another form: trees take sparse rows too, which are made dense, and a kd-tree more metrics",
    "metric": "another form: also gower; a function that is no distance gets a warning; a matrix VI with a negative "
    "eigenvalue, whose distances would be NaN, and haversine without two columns, are refused at the fit; of a row of sparse "
    "distances k entries besides its own are enough",
    "n_jobs": "no effect: threads are set for all of aprendiz by APRENDIZ_NUM_THREADS",
}
LARGEST = 1e150  # difference that can be squared and summed
SHORT_NAMES = {1.0: "manhattan", 2.0: "euclidean", np.inf: "chebyshev"}  # of Minkowski's distance, by p
SUMMED = ("euclidean", "l2", "sqeuclidean", "seuclidean", "mahalanobis", "minkowski", "manhattan", "cityblock", "l1")
THIN = ("precomputed", "euclidean", "l2", "sqeuclidean", "cosine")  # metrics of sparse rows
BY_SCIPY = {name: name for name in ("euclidean", "sqeuclidean", "chebyshev", "minkowski", "cosine", "hamming")} | {
    **dict.fromkeys(("manhattan", "cityblock", "l1"), "cityblock"),
    "l2": "euclidean",
    "infinity": "chebyshev",
}

indexes: WeakKeyDictionary[Any, tuple[Any, Search]] = WeakKeyDictionary()  # of fitted learners: the rows and their index


class AllowedByMetric:
    """`allows` of a learner with a metric: words and missing cells for Gower's distance, missing cells for
    "nan_euclidean", something else for the others."""

    def __init__(self, *otherwise: str):
        self.otherwise = frozenset(otherwise)

    def __get__(self, learner: Any, owner: Any) -> frozenset[str]:
        metric = learner.metric if learner is not None and isinstance(learner.metric, str) else ""
        if metric == "gower":
            return frozenset({"missing", "categories"})
        return frozenset({"missing"}) if metric == WITH_GAPS else self.otherwise


class KeptRows(Learner):
    """Keeps the rows and searches them."""

    stored_check = NEIGHBOURS

    allows = AllowedByMetric("sparse")
    exceptions = {"memory": KEPT}
    algorithm: str
    leaf_size: int
    metric: Any
    p: float | None
    metric_params: dict[str, Any] | None

    @with_callbacks
    def fit(self, X: Any, y: Any = None) -> Self:
        """Keep X (and y) and index the rows. X may also be a KDTree, a BallTree or a fitted learner of neighbours: its rows
        and its metric are taken. Returns the learner itself."""
        known = rows_of_index(X)
        self.refuse_format(X)
        rows = self.open(X if known is None else known[0], y)
        with reporting(self, X, y, None):
            metric, parameters = effective_metric(self) if known is None else known[1:]
            named = metric if isinstance(metric, str) else ""
            table, target = gather(rows, named in THIN or callable(metric))
            self.refuse_few(int(table.shape[0]))
            if named in SUMMED and isinstance(table, np.ndarray):
                refuse_extremes(table, rows.names)
            index = self.index(table, metric, parameters)
            self.settle(
                {
                    **rows.noted,
                    **self.table_attributes(table, metric, parameters),
                    **self.target_attributes(target, rows.labels if rows.several is None else rows.several),
                }
            )
            indexes[self] = (self._fit_X, index)
        return self

    def refuse_few(self, rows: int) -> None:
        """Stop where there are fewer rows than the learner needs."""

    def table_attributes(self, table: Any, metric: Any, parameters: dict[str, Any]) -> dict[str, Any]:
        return {
            "_fit_X": table,
            "n_samples_fit_": int(table.shape[0]),
            "effective_metric_": metric,
            "effective_metric_params_": parameters,
        }

    def target_attributes(self, target: Array | None, labels: Any) -> dict[str, Any]:
        """What is kept of the target."""
        return {}

    def refuse_format(self, X: Any) -> None:
        """Sparse formats that store zeros, or drop them, in which given distances are lost."""
        if self.is_precomputed() and sparse.issparse(X) and X.format in ("dok", "bsr"):
            raise TypeError(
                f"Sparse matrix in {X.format!r} format is not supported due to its handling of explicit zeros, which would be "
                "distances of 0: give X.tocsr() of a matrix without them."
            )

    # ---- the index -----------------------------------------------------------------------------------------------------

    def index(self, table: Any, metric: Any, parameters: dict[str, Any], algorithm: str | None = None) -> Search:
        """The index over some rows."""
        if isinstance(metric, str) and metric == "precomputed":
            return Precomputed(table)
        others = {name: value for name, value in parameters.items() if name != "p"}
        how: dict[str, Any] = {"algorithm": algorithm or self.algorithm, "leaf_size": self.leaf_size}
        return search_of(table, metric=metric, p=parameters.get("p", 2), metric_params=others or None, **how)

    @property
    def search_(self) -> Search:
        """The index over the rows of the fit; its `method` and `reason` say what was chosen and why."""
        check_is_fitted(self)
        rows, index = indexes.get(self, (None, None))
        if index is None or rows is not self._fit_X:
            index = self.index(self._fit_X, self.effective_metric_, self.effective_metric_params_)
            indexes[self] = (self._fit_X, index)
        return index

    def queries(self, X: Any) -> tuple[Any, Array | None]:
        """New rows, all in memory; with None the rows of the fit, and for each of them itself, to be left out."""
        check_is_fitted(self)
        if X is None:
            return self._fit_X, np.arange(self.n_samples_fit_)
        self.refuse_format(X)
        return self.like_kept(gather(self.new_rows(X), True)[0]), None

    def predict_blocks(self, X: Any, say: Callable[[Any, Array, Array | None], Array]) -> Array:
        """`say(rows, their numbers, rows to leave out)` of new rows, those of files and Dask block by block."""
        check_is_fitted(self)
        if X is None:
            numbers = np.arange(self.n_samples_fit_)
            return say(self._fit_X, numbers, numbers)
        self.refuse_format(X)
        rows = self.new_rows(X)
        if in_memory(rows):
            Q = self.like_kept(rows.X)
            return say(Q, np.arange(Q.shape[0]), None)
        return rows.each(lambda block: say(self.like_kept(block.X), block.numbers, None))

    def like_kept(self, Q: Any) -> Any:
        """New rows in the form of the rows of the fit; given distances are checked and may have either form."""
        if self.is_precomputed():
            refuse_bad_distances(Q)
            return as_kept(Q, True)
        return sparse.csr_array(Q, dtype=np.float64) if sparse.issparse(self._fit_X) else as_kept(Q)

    def is_precomputed(self) -> bool:
        """Does X hold distances?"""
        return isinstance(self.metric, str) and self.metric == "precomputed"

    @property
    def certificate_(self) -> Certificate:
        """That the distances of the k nearest of a few rows are those that an exhaustive search finds, to 10⁻¹² of the largest
        of them; computed on access. Nothing is claimed where all these rows are so near that squares of differences lose
        digits."""
        n = self.n_samples_fit_
        chosen = np.unique(np.linspace(0, n - 1, CHECKED).astype(np.int64))
        some, k = self._fit_X[chosen], min(getattr(self, "n_neighbors", 5), n)
        found, wanted = self.search_.nearest(some, k)[0], self.exhaustive(some, k)
        with np.errstate(invalid="ignore"):
            error = float(np.max(np.abs(found - wanted)) / max(np.max(wanted), np.finfo(float).tiny))
        if np.max(wanted) < SMALLEST and isinstance(some, np.ndarray) and self.effective_metric_ in OF_SQUARES:
            apart = np.sort(cdist(some, self._fit_X, "chebyshev"), axis=1)[:, :k]
            error = np.inf if apart.any() else error  # squares that vanish, in the exhaustive search too
        return Certificate(
            "the nearest rows of some rows are those that a search through all rows finds",
            error <= 1e-12,
            {"rows": len(chosen), "error": error},
        )

    def exhaustive(self, some: Any, k: int) -> Array:
        """The k smallest of all the distances of some rows, by SciPy where it knows the metric."""
        metric, parameters = self.effective_metric_, self.effective_metric_params_
        if not (isinstance(metric, str) and metric in BY_SCIPY and isinstance(self._fit_X, np.ndarray)):
            with warnings.catch_warnings(action="ignore"):  # of a function that is no metric: the fit gave them
                return self.index(self._fit_X, metric, parameters, "brute").nearest(some, k)[0]
        others = {name: value for name, value in parameters.items() if value is not None}
        return np.sort(cdist(some, self._fit_X, BY_SCIPY[metric], **others), axis=1)[:, :k]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = "categories" in self.allows
        tags.input_tags.pairwise = tags.input_tags.positive_only = self.is_precomputed()
        return tags


def gather(rows: Rows, thin: bool) -> tuple[Any, Array | None]:
    """All the rows and their targets, in memory; sparse ones stay so if they may be `thin`."""
    if in_memory(rows):
        return as_kept(rows.X, thin), rows.y
    X = rows.each(lambda block: block.X)
    has_target = rows.first(lambda block: block.y is not None)
    return as_kept(X), rows.each(lambda block: block.y) if has_target else None


def as_kept(X: Any, thin: bool = False) -> Any:
    """A table as it is kept: doubles by rows, compressed rows, or mixed."""
    if sparse.issparse(X):
        return sparse.csr_array(X, dtype=np.float64) if thin else read_only(np.asarray(X.toarray(), dtype=np.float64))
    return read_only(np.asarray(X, dtype=np.float64)) if isinstance(X, np.ndarray) else X


def refuse_extremes(X: Array, names: Any) -> None:
    """Differences whose squares would overflow, or vanish."""
    with np.errstate(over="ignore"):
        spread = X.max(axis=0) - X.min(axis=0)
    column = int(spread.argmax())
    if spread[column] > LARGEST or 0 < spread[column] < 1 / LARGEST:
        row, name = int(np.abs(X[:, column]).argmax()), column if names is None else repr(str(names[column]))
        size = "large" if spread[column] > 1 else "small"
        raise ValueError(
            f"Input X holds values too {size} to be squared: {X[row, column]:.3g} in row {row}, column {name}. "
            "Scale the column."
        )


def effective_metric(learner: KeptRows) -> tuple[Any, dict[str, Any]]:
    """The metric and its parameters, Minkowski's distance by its shorter name where it has one."""
    parameters, metric = dict(learner.metric_params or {}), learner.metric
    if not (isinstance(metric, str) and metric == "minkowski"):
        return metric, parameters
    if "p" in parameters:
        warnings.warn(
            "Parameter p is found in metric_params. The corresponding parameter from __init__ is ignored.",
            SyntaxWarning,
            stacklevel=3,
        )
    p, w = parameters.pop("p", learner.p), parameters.get("w")
    if p is None:
        raise ParameterError(f'p of {type(learner).__name__} must be a number above 0 with metric="minkowski", got None.')
    if w is None and float(p) in SHORT_NAMES:
        parameters.pop("w", None)
        return SHORT_NAMES[float(p)], parameters
    return metric, {**parameters, "p": p, "w": w}
