"""Random forest for numbers. Bags and columns are in forest/random_trees.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

from aprendiz.core.learner import Regressor
from aprendiz.core.parameters import ArrayLike, Count, NonNegative, Seed, Within
from aprendiz.ensemble.forest.random_trees import DIFFERENCES, EXCEPTIONS, OF_BAGS, RandomTrees
from aprendiz.tree.shared.parameters import BagSize, ColumnsOrShare, RowsOrShare, named_today


class RandomForestRegressor(Regressor, RandomTrees):
    """Random forest (drop-in for scikit-learn's; words and missing cells, out-of-bag errors of every size).

    Parameters
    ----------
    n_estimators : int, default=100
        Number of trees.
    criterion : {"squared_error", "friedman_mse", "absolute_error", "poisson"}, default="squared_error"
        The measure of the quality of a split.
    max_depth : int, optional
    min_samples_split, min_samples_leaf : int or float, default=2 and 1
        Minimum number of rows to split a node, and in each branch; a float is a fraction of the rows. A row counts once,
        however often it is in the bootstrap sample.
    min_weight_fraction_leaf : float, default=0.0
    max_features : int, float, {"sqrt", "log2"} or None, default=1.0
        Number of columns, drawn at random, to consider at each split; 1.0 and None: all.
    max_leaf_nodes : int, optional
    min_impurity_decrease : float, default=0.0
    bootstrap : bool, default=True
        Whether each tree is fitted to a bootstrap sample (drawn in proportion to the weights), or to all rows.
    oob_score : bool or function, default=False
        Whether to compute out-of-bag predictions and their score: R², or a function `f(y_true, y_pred)`.
    n_jobs, verbose : ignored
    random_state : int, RandomState or None
    warm_start : bool, default=False
        Whether to keep the trees of the previous fit and add more, up to n_estimators.
    ccp_alpha : float, default=0.0
        Complexity parameter of minimal cost-complexity pruning, applied to each tree.
    max_samples : int or float, optional
        Number of rows in a bootstrap sample, or a multiple of all (of their weight); by default, as many as there are.
    monotonic_cst : array of shape (n_features,), optional
        1 if the prediction must not fall where the column rises, −1 if it must not rise, 0 if there is no constraint.
    exact : bool, optional
        Whether every value is a candidate threshold, by default for up to 1 024 rows; otherwise columns are cut into 255
        bins.
    patience : int, optional
        Stop when the out-of-bag error has not improved for this many trees.

    Attributes
    ----------
    forest_ : Forest
        The nodes of all trees.
    estimators_ : sequence of DecisionTreeRegressor
        The trees as estimators, each created on access.
    n_outputs_ : int
    feature_importances_ : ndarray of shape (n_features,)
        The mean decrease in impurity.
    importances_ : ndarray of shape (n_estimators, n_features)
        The same for each tree.
    oob_prediction_ : ndarray of shape (n,) or (n, n_outputs)
    oob_score_ : float
    oob_errors_ : ndarray of shape (n_estimators,)
        The out-of-bag mean squared error of the first 1, 2, … trees.
    n_never_out_ : int
        Number of rows without an out-of-bag prediction: they are in the bag of every tree.
    bags_ : Bags
        Which rows each member was trained on.
    columns_ : Columns or None
        The schema of the columns, if some are categorical.
    search_ : {"exact", "binned"}
        Whether every value was a candidate threshold; `certificate_.largest_bin` says how many rows a bin holds at most.
    certificate_ : Certificate
    """

    differences = DIFFERENCES
    exceptions = {**EXCEPTIONS, **OF_BAGS}
    recursive_dependence = True

    def __init__(
        self,
        n_estimators: Count = 100,
        *,
        criterion: Literal["squared_error", "friedman_mse", "absolute_error", "poisson"] = "squared_error",
        max_depth: Count | None = None,
        min_samples_split: Annotated[int, Within(2)] | Annotated[float, Within(0, 1, above=True)] = 2,
        min_samples_leaf: RowsOrShare = 1,
        min_weight_fraction_leaf: Annotated[float, Within(0, 0.5)] = 0.0,
        max_features: ColumnsOrShare = 1.0,
        max_leaf_nodes: Annotated[int, Within(2)] | None = None,
        min_impurity_decrease: NonNegative = 0.0,
        bootstrap: bool = True,
        oob_score: bool | Callable[..., Any] = False,
        n_jobs: int | None = None,
        random_state: Seed = None,
        verbose: int = 0,
        warm_start: bool = False,
        ccp_alpha: NonNegative = 0.0,
        max_samples: BagSize | None = None,
        monotonic_cst: ArrayLike | None = None,
        exact: bool | None = None,
        patience: Count | None = None,
    ):
        self.n_estimators = n_estimators
        self.criterion = named_today(criterion)
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.bootstrap = bootstrap
        self.oob_score = oob_score
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.warm_start = warm_start
        self.ccp_alpha = ccp_alpha
        self.max_samples = max_samples
        self.monotonic_cst = monotonic_cst
        self.exact = exact
        self.patience = patience
