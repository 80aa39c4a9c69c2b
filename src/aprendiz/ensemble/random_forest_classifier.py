"""Random forest for classes.

From here to the kernel: `fit` (core/iteration.py) runs through the states of an ensemble (members/ensemble.py), one for each
tree; forest/random_trees.py draws the bag of a tree and hands it to forest/tree_maker.py, which grows it on the coded table
(tree/growth/grow_tree.py, kernel tree/growth/grow.py). Votes are in members/voting.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

from aprendiz.core.learner import Classifier
from aprendiz.core.parameters import ArrayLike, Count, NonNegative, Seed, Within
from aprendiz.ensemble.forest.random_trees import BALANCED, DIFFERENCES, EXCEPTIONS, OF_BAGS, RandomTrees
from aprendiz.tree.shared.parameters import BagSize, ColumnsOrShare, RowsOrShare


class RandomForestClassifier(Classifier, RandomTrees):
    """Random forest (drop-in for scikit-learn's; words and missing cells, costs, priors, out-of-bag errors of every size).

    Parameters
    ----------
    n_estimators : int, default=100
        Number of trees.
    criterion : {"gini", "entropy", "log_loss", "error"}, default="gini"
        The measure of the quality of a split.
    max_depth : int, optional
    min_samples_split, min_samples_leaf : int or float, default=2 and 1
        Minimum number of rows to split a node, and in each branch; a float is a fraction of the rows. A row counts once,
        however often it is in the bootstrap sample.
    min_weight_fraction_leaf : float, default=0.0
    max_features : int, float, {"sqrt", "log2"} or None, default="sqrt"
        Number of columns, drawn at random, to consider at each split.
    max_leaf_nodes : int, optional
    min_impurity_decrease : float, default=0.0
    bootstrap : bool, default=True
        Whether each tree is fitted to a bootstrap sample (drawn in proportion to the weights), or to all rows.
    oob_score : bool or function, default=False
        Whether to compute out-of-bag predictions and their score: the accuracy, or a function `f(y_true, y_pred)`.
    n_jobs, verbose : ignored
    random_state : int, RandomState or None
    warm_start : bool, default=False
        Whether to keep the trees of the previous fit and add more, up to n_estimators.
    class_weight : dict, "balanced", "balanced_subsample" or None, default=None
        Weights of the classes; "balanced" makes them inversely proportional to the class weights, "balanced_subsample" in each
        bootstrap sample.
    ccp_alpha : float, default=0.0
        Complexity parameter of minimal cost-complexity pruning, applied to each tree.
    max_samples : int or float, optional
        Number of rows in a bootstrap sample, or a multiple of all (of their weight); by default, as many as there are.
    monotonic_cst : array of shape (n_features,), optional
        1 if the probability of the second of two classes must not fall where the column rises, −1 if it must not rise, 0 if
        there is no constraint.
    voting : {"soft", "hard"}, default="soft"
        Average the class probabilities of the trees ("soft"), or count a vote for one class from each ("hard").
    priors : array of shape (n_classes,), optional
        Prior probabilities of the classes; by default, their proportions in the training rows.
    costs : array of shape (n_classes, n_classes), optional
        Misclassification costs: true classes in rows, predictions in columns.
    exact : bool, optional
        Whether every value is a candidate threshold, by default for up to 1 024 rows; otherwise columns are cut into 255
        bins.
    patience : int, optional
        Stop when the out-of-bag error has not improved for this many trees.

    Attributes
    ----------
    forest_ : Forest
        The nodes of all trees.
    estimators_ : sequence of DecisionTreeClassifier
        The trees as estimators, each created on access.
    classes_, n_classes_ : labels of the classes, and their number; of several targets, an entry for each
    n_outputs_ : int
    feature_importances_ : ndarray of shape (n_features,)
        The mean decrease in impurity.
    importances_ : ndarray of shape (n_estimators, n_features)
        The same for each tree.
    oob_decision_function_, oob_confusion_ : ndarray of shape (n, n_classes) and (n_classes, n_classes)
        Out-of-bag votes, and the confusion matrix of the out-of-bag predictions (true classes in rows).
    oob_score_ : float
    oob_errors_ : ndarray of shape (n_estimators,)
        The out-of-bag error rate of the first 1, 2, … trees.
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

    least_classes = 1
    several_targets = True
    differences = {**DIFFERENCES, **BALANCED}
    exceptions = {**EXCEPTIONS, **OF_BAGS}

    def __init__(
        self,
        n_estimators: Count = 100,
        *,
        criterion: Literal["gini", "entropy", "log_loss", "error"] = "gini",
        max_depth: Count | None = None,
        min_samples_split: Annotated[int, Within(2)] | Annotated[float, Within(0, 1, above=True)] = 2,
        min_samples_leaf: RowsOrShare = 1,
        min_weight_fraction_leaf: Annotated[float, Within(0, 0.5)] = 0.0,
        max_features: ColumnsOrShare = "sqrt",
        max_leaf_nodes: Annotated[int, Within(2)] | None = None,
        min_impurity_decrease: NonNegative = 0.0,
        bootstrap: bool = True,
        oob_score: bool | Callable[..., Any] = False,
        n_jobs: int | None = None,
        random_state: Seed = None,
        verbose: int = 0,
        warm_start: bool = False,
        class_weight: dict[Any, Any] | list[Any] | Literal["balanced", "balanced_subsample"] | None = None,
        ccp_alpha: NonNegative = 0.0,
        max_samples: BagSize | None = None,
        monotonic_cst: ArrayLike | None = None,
        voting: Literal["soft", "hard"] = "soft",
        priors: ArrayLike | None = None,
        costs: ArrayLike | None = None,
        exact: bool | None = None,
        patience: Count | None = None,
    ):
        self.n_estimators = n_estimators
        self.criterion = criterion
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
        self.class_weight = class_weight
        self.ccp_alpha = ccp_alpha
        self.max_samples = max_samples
        self.monotonic_cst = monotonic_cst
        self.voting = voting
        self.priors = priors
        self.costs = costs
        self.exact = exact
        self.patience = patience
