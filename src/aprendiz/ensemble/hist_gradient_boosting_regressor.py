"""Gradient boosting on histograms for numbers. The descent is in boosting/histogram_boosting.py, losses in losses.py.

    f ← f + η T,     T ≈ argmin Σᵢ gᵢ T(xᵢ) + ½ hᵢ T(xᵢ)²,     prediction f, or exp f for counts and sizes             (1)

For squared errors T is fitted to the residuals y − f; for the others to the slopes of the loss. Absolute errors and quantiles
have no curvature: their trees are grown with h = 1, and a leaf then takes the median or quantile of what is left of its rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated, Any, Literal

from aprendiz.core.learner import Regressor
from aprendiz.core.parameters import (
    ArrayLike,
    Count,
    Factor,
    Fraction,
    NonNegative,
    ParameterError,
    PositiveFactor,
    PositiveFraction,
    Seed,
    Within,
)
from aprendiz.core.rows import Array, Rows
from aprendiz.ensemble.boosting.histogram_boosting import DIFFERENCES, EXCEPTIONS, HistogramBoosting
from aprendiz.ensemble.boosting.losses import Loss
from aprendiz.ensemble.members.one_target import refuse_several


class HistGradientBoostingRegressor(Regressor, HistogramBoosting):
    """Gradient boosting on histograms (drop-in for scikit-learn's; words and missing cells, files, exact sums).

    Parameters
    ----------
    loss : {"squared_error", "absolute_error", "gamma", "poisson", "quantile"}, default="squared_error"
        "gamma" needs y > 0, "poisson" y ≥ 0.
    quantile : float, optional
        Which quantile, for loss="quantile".
    learning_rate : float, default=0.1
        η of (2) in boosting/histogram_boosting.py, which shrinks each step; a smaller one needs more iterations.
    max_iter : int, default=100
        Number of iterations.
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
        1 if the prediction must not fall where the column rises, −1 if it must not rise, 0 if there is no
        constraint.
    interaction_cst : {"pairwise", "no_interactions"} or sequence of sets of int, optional
        Sets of columns that may follow one another in a branch.
    warm_start : bool, default=False
        Whether to keep the trees of the previous fit, and add more, up to max_iter.
    early_stopping : "auto" or bool, default="auto"
        Whether to stop when the score no longer rises. "auto": with more than 10 000 rows.
    scoring : str, function or None, default="loss"
        The score: minus the loss, a scorer of scikit-learn, or (None) R².
    validation_fraction : int, float or None, default=0.1
        Number or share of the rows that are held out for the score; None: the score is that of the rows learned from.
    n_iter_no_change : int, default=10
        Iterations without a better score after which the fit stops.
    tol : float, default=1e-7
        By how much a score must be better.
    verbose : ignored
    random_state : int, RandomState or None

    Attributes
    ----------
    n_iter_ : int
        Number of iterations.
    n_trees_per_iteration_ : int
        1.
    do_early_stopping_ : bool
    train_score_, validation_score_ : ndarray of shape (n_iter_ + 1,)
        The scores after 0, 1, … iterations on the rows learned from and on those held out; empty where the fit does not stop
        early, or holds no rows out.
    losses_ : ndarray of shape (n_iter_ + 1,)
        The mean training loss after 0, 1, … iterations.
    is_categorical_ : ndarray of shape (n_features,), or None
        Which columns hold categories.
    forest_ : Forest
        The nodes of all trees.
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
    >>> table = aprendiz.datasets.load("diabetes").frame
    >>> model = HistGradientBoostingRegressor(max_iter=20).fit(table.drop(columns="progression"), table["progression"])
    >>> model.n_iter_, model.certificate_.holds
    (20, True)
    """

    differences = DIFFERENCES
    exceptions = EXCEPTIONS
    tuning = {"learning_rate": (0.05, 0.1), "max_leaf_nodes": (15, 31)}

    def __init__(
        self,
        loss: Literal["squared_error", "absolute_error", "gamma", "poisson", "quantile"] = "squared_error",
        *,
        quantile: Fraction | None = None,
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
    ):
        self.loss = loss
        self.quantile = quantile
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

    def open(self, X: Any, y: Any = None, sample_weight: Any = None, *, reset: bool = True) -> Rows:
        rows = super().open(X, y, sample_weight, reset=reset)
        rows.first(lambda block: refuse_several(block, "a HistGradientBoostingRegressor"))
        return rows

    def loss_of(self, rows: Rows) -> Loss:
        if self.loss == "quantile" and self.quantile is None:
            raise ParameterError('loss="quantile" needs the quantile: give one between 0 and 1.')
        loss = Loss.of(self.loss, 0, self.quantile)
        loss.refuse_targets(rows.each(lambda block: block.y.reshape(-1)), self.loss)
        return loss

    def predict(self, X: Any) -> Array:
        """The prediction for each row."""
        return self.fitted_loss.predict(self.raw_predictions(X))

    def staged_predict(self, X: Any) -> Iterator[Array]:
        """The predictions after the first iteration, the first two, …"""
        return map(self.fitted_loss.predict, self.staged_raw_predictions(X))
