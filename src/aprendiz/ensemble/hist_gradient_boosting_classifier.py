"""Gradient boosting on histograms for classes. The descent is in boosting/histogram_boosting.py, losses in losses.py.

    two classes     f ← f + η T,           p = 1/(1 + exp(−f)),            g = p − y,             h = p (1 − p)
    K classes       f_k ← f_k + η T_k,     p_k = exp f_k / Σ exp f_l,      g_k = p_k − [y = k],   h_k = p_k (1 − p_k)      (1)

The leaves take the Newton step −G/(H + l2) of the mean log loss.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated, Any, Literal

import numpy as np

from aprendiz.core.learner import Classifier
from aprendiz.core.parameters import ArrayLike, Count, Factor, NonNegative, PositiveFactor, PositiveFraction, Seed, Within
from aprendiz.core.rows import Array, Rows
from aprendiz.ensemble.boosting.histogram_boosting import DIFFERENCES, EXCEPTIONS, HistogramBoosting
from aprendiz.ensemble.boosting.losses import Loss


class HistGradientBoostingClassifier(Classifier, HistogramBoosting):
    """Gradient boosting on histograms (drop-in for scikit-learn's; words and missing cells, files, exact sums).

    Parameters
    ----------
    loss : {"log_loss"}, default="log_loss"
    learning_rate : float, default=0.1
        η of (2) in boosting/histogram_boosting.py, which shrinks each step; a smaller one needs more iterations.
    max_iter : int, default=100
        Number of iterations, each with a tree for every class, if there are more than two.
    max_leaf_nodes : int or None, default=31
        The most leaves of a tree. None: no limit.
    max_depth : int, optional
    min_samples_leaf : int, default=20
        The fewest rows of a leaf.
    l2_regularization : float, default=0.0
        l2 of (1), which draws the steps of leaves with little curvature to 0.
    max_features : float, default=1.0
        Share of the columns, drawn at random, that a node looks at.
    max_bins : int, default=255
        The most bins of a column, beside that of the missing cells.
    categorical_features : array of bool, int or str, "from_dtype" or None, default="from_dtype"
        The columns that hold categories: a mask, numbers or names; or those whose cells are words or declared categories. None:
        columns of numbers are numbers, whatever is declared.
    monotonic_cst : array of shape (n_features,) or dict of names, optional
        1 if the probability of the second of two classes must not fall where the column rises, −1 if it must not rise, 0 if
        there is no constraint.
    interaction_cst : {"pairwise", "no_interactions"} or sequence of sets of int, optional
        Sets of columns that may follow one another in a branch.
    warm_start : bool, default=False
        Whether to keep the trees of the previous fit, and add more, up to max_iter.
    early_stopping : "auto" or bool, default="auto"
        Whether to stop when the score no longer rises. "auto": with more than 10 000 rows.
    scoring : str, function or None, default="loss"
        The score: minus the loss, a scorer of scikit-learn, or (None) accuracy.
    validation_fraction : int, float or None, default=0.1
        Number or share of the rows that are held out for the score; None: the score is that of the rows learned from.
    n_iter_no_change : int, default=10
        Iterations without a better score after which the fit stops.
    tol : float, default=1e-7
        By how much a score must be better.
    verbose : ignored
    random_state : int, RandomState or None
    class_weight : dict or "balanced", optional
        What the rows of a class count.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    n_iter_ : int
        Number of iterations.
    n_trees_per_iteration_ : int
        1, or the number of classes if there are more than two.
    do_early_stopping_ : bool
    train_score_, validation_score_ : ndarray of shape (n_iter_ + 1,)
        The scores after 0, 1, … iterations on the rows learned from and on those held out; empty where the fit does not stop
        early, or holds no rows out.
    losses_ : ndarray of shape (n_iter_ + 1,)
        The mean training loss after 0, 1, … iterations.
    is_categorical_ : ndarray of shape (n_features,), or None
        Which columns hold categories.
    forest_ : Forest
        The nodes of all trees, class by class in each iteration.
    baseline_ : ndarray of shape (n_trees_per_iteration_,)
        The best constant raw predictions, to which the trees add.
    columns_ : Columns or None
        The schema of the columns, if some are categorical.
    search_ : {"exact", "binned"}
        Whether every value was a candidate threshold: up to 255 values in a column.
    stopped_ : str
        "converged", or why there are fewer iterations than max_iter or the scores asked for.
    certificate_ : Certificate
        Whether the training loss rose in any iteration, and by how much.

    Examples
    --------
    >>> import aprendiz
    >>> table = aprendiz.datasets.load("iris").frame
    >>> model = HistGradientBoostingClassifier(max_iter=20).fit(table.drop(columns="species"), table["species"])
    >>> model.predict_proba(table.drop(columns="species")[:1]).round(2)
    array([[0.99, 0.01, 0.01]])
    """

    differences = DIFFERENCES
    exceptions = EXCEPTIONS
    tuning = {"learning_rate": (0.05, 0.1), "max_leaf_nodes": (15, 31)}

    def __init__(
        self,
        loss: Literal["log_loss"] = "log_loss",
        *,
        learning_rate: PositiveFactor = 0.1,
        max_iter: Count = 100,
        max_leaf_nodes: Annotated[int, Within(2)] | None = 31,
        max_depth: Count | None = None,
        min_samples_leaf: Count = 20,
        l2_regularization: Factor = 0.0,
        max_features: PositiveFraction = 1.0,
        max_bins: Annotated[int, Within(2, 255)] = 255,
        categorical_features: ArrayLike | Literal["from_dtype"] | None = "from_dtype",
        monotonic_cst: ArrayLike | dict[Any, Any] | None = None,
        interaction_cst: Any = None,
        warm_start: bool = False,
        early_stopping: Literal["auto"] | bool = "auto",
        scoring: str | Callable[..., Any] | None = "loss",
        validation_fraction: Annotated[float, Within(0, 1, above=True)] | Count | None = 0.1,
        n_iter_no_change: Count = 10,
        tol: NonNegative = 1e-7,
        verbose: int = 0,
        random_state: Seed = None,
        class_weight: dict[Any, Any] | Literal["balanced"] | None = None,
    ):
        self.loss = loss
        self.learning_rate = learning_rate
        self.max_iter = max_iter
        self.max_leaf_nodes = max_leaf_nodes
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.l2_regularization = l2_regularization
        self.max_features = max_features
        self.max_bins = max_bins
        self.categorical_features = categorical_features
        self.monotonic_cst = monotonic_cst
        self.interaction_cst = interaction_cst
        self.warm_start = warm_start
        self.early_stopping = early_stopping
        self.scoring = scoring
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.tol = tol
        self.verbose = verbose
        self.random_state = random_state
        self.class_weight = class_weight

    def loss_of(self, rows: Rows) -> Loss:
        assert rows.labels is not None
        return Loss.of(self.loss, len(rows.labels), None)

    def attributes(self, state: Any, rows: Rows) -> dict[str, Any]:
        return {**super().attributes(state, rows), "classes_": rows.labels}

    def predict(self, X: Any) -> Array:
        """The most probable class of each row."""
        return self.most_probable(self.raw_predictions(X))

    def predict_proba(self, X: Any) -> Array:
        """The probability of each class, for each row."""
        return self.fitted_loss.predict(self.raw_predictions(X))

    def predict_log_proba(self, X: Any) -> Array:
        """The logarithms of `predict_proba`."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.predict_proba(X)))

    def decision_function(self, X: Any) -> Array:
        """The raw predictions: of two classes the log odds of the second, of more one column for each."""
        raw = self.raw_predictions(X)
        return raw[:, 0] if raw.shape[1] == 1 else raw

    def staged_predict(self, X: Any) -> Iterator[Array]:
        """The predictions after the first iteration, the first two, …"""
        return map(self.most_probable, self.staged_raw_predictions(X))

    def staged_predict_proba(self, X: Any) -> Iterator[Array]:
        """The probabilities after the first iteration, the first two, …"""
        return map(self.fitted_loss.predict, self.staged_raw_predictions(X))

    def staged_decision_function(self, X: Any) -> Iterator[Array]:
        """The raw predictions after the first iteration, the first two, …"""
        return (raw[:, 0] if raw.shape[1] == 1 else raw for raw in self.staged_raw_predictions(X))

    def most_probable(self, raw: Array) -> Array:
        """The class of the largest raw prediction."""
        codes = (raw[:, 0] > 0).astype(np.int64) if raw.shape[1] == 1 else raw.argmax(axis=1)
        return np.asarray(self.classes_[codes])
