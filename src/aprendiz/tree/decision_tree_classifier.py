"""Decision tree for classes. The growth is in growth/, priors and costs in classification_tree.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

import sklearn.tree

from aprendiz.core.parameters import ArrayLike, Count, Fraction, NonNegative, Seed, Within
from aprendiz.tree.growth.plan import Plan
from aprendiz.tree.shared.classification_tree import ClassificationTree
from aprendiz.tree.shared.parameters import ColumnsOrShare, RowsOrShare


class DecisionTreeClassifier(ClassificationTree):
    """Decision tree (drop-in for scikit-learn's; words and missing cells, costs, priors, pruning, binned for large tables).

    Parameters
    ----------
    criterion : {"gini", "entropy", "log_loss", "error", "gain_ratio"} or function, default="gini"
        The measure of the quality of a split. A function of the class proportions must be symmetric, 0 for a pure node and
        largest where all K classes have proportion 1/K.
    splitter : {"best", "random"}, default="best"
        How to choose the split at each node: "best", or "random" for the best of one random threshold (or subset of levels)
        per column.
    max_depth : int, optional
    min_samples_split, min_samples_leaf : int or float, default=2 and 1
        Minimum number of rows to split a node, and in each branch; a float is a fraction of the rows.
    min_weight_fraction_leaf : float, default=0.0
        Minimum fraction of the total weight in a branch.
    max_features : int, float, {"sqrt", "log2"} or None, default=None
        Number of columns, drawn at random, to consider at each split.
    random_state : int, RandomState or None
    max_leaf_nodes : int, optional
        Maximum number of leaves; the tree is then grown best-first.
    min_impurity_decrease : float, default=0.0
        β: a node is split only if that lowers the impurity, weighted by the share of the rows, by at least this much.
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes; of several targets, a list with a dict for each.
    ccp_alpha : float, default=0.0
        Complexity parameter of minimal cost-complexity pruning.
    monotonic_cst : array of shape (n_features,), optional
        1 if the probability of the second of two classes must not fall where the column rises, −1 if it must not rise, 0 if
        there is no constraint.
    categories : {"subsets", "multiway"}, default="subsets"
        How to split a categorical column: into two branches by the best subset of levels, or into a branch for each level.
    missing : {"own", "surrogate", "fractional"}, default="own"
        Missing cells go to the branch that is best for them, follow surrogate splits, or go to all branches in proportion.
    priors : array of shape (n_classes,), optional
        Prior probabilities of the classes; by default, their proportions in the training rows.
    costs : array of shape (n_classes, n_classes), optional
        Misclassification costs: true classes in rows, predictions in columns.
    exact : bool, optional
        Whether every value is a candidate threshold, by default for up to 32 768 rows; otherwise columns are cut into 255
        bins, some of them for rare classes and far targets, and every value is one again in nodes of at most 255 rows.
    pruning : {"cost_complexity", "reduced_error", "pessimistic", "validation"}, optional
        How the grown tree is pruned: by cross-validated cost complexity (with `rule`); by the error on held-out rows; by
        C4.5's pessimistic estimate; or from the root, where a split stays only if it lowers the error on held-out rows.
    cv : int, splitter or iterable, default=10
        Cross-validation folds of "cost_complexity".
    rule : {"1se", "min"}, default="1se"
        The smallest tree within one standard error of the best, or the best.
    validation_fraction : float, default=0.25
        Fraction of the rows held out by "reduced_error" and "validation".
    thresholds : {"all", "boundary"}, default="all"
        Candidate thresholds: between all values of a node, or only between values whose rows are not all of one class. Entropy
        and Gini have their best threshold there, so the tree is the same, unless every one of them is too near the end for
        `min_samples_leaf`.

    Attributes
    ----------
    tree_ : Tree
        The nodes as arrays, with scikit-learn's names.
    classes_, n_classes_, n_outputs_ : labels of the classes, their number, and the number of targets
        With several targets (y of shape (n, targets)), the first two have an entry for each.
    max_features_ : int
    feature_importances_ : ndarray of shape (n_features,)
    costs_ : ndarray of shape (n_classes, n_classes)
    columns_ : Columns or None
        The schema of the columns, if some are categorical.
    search_ : {"exact", "binned"}
        Whether every value was a candidate threshold; `certificate_.largest_bin` says how many rows a bin holds at most.
    pruning_ : PruningErrors or None
        The cross-validated errors by which "cost_complexity" chose the subtree.
    certificate_ : Certificate

    Examples
    --------
    >>> from aprendiz.datasets import load
    >>> X, y = load("tumour", return_X_y=True, as_frame=True)
    >>> print(DecisionTreeClassifier(max_depth=1).fit(X, y).rules())
    IF size ≤ medium THEN benign (coverage 9 rows, 64.3 %; confidence 0.889)
    IF size is large THEN malignant (coverage 5 rows, 35.7 %; confidence 0.8)
    """

    several_targets = True
    differences = {
        "tree_": "another form: a record with the same names, and children for splits with several branches; of equal gains "
        "the first column is taken, and of branches of equal weight the first by cells that were never missing in the fit",
        "class_weight": 'another form: "balanced" balances the weights of the rows, not their numbers',
    }
    exceptions = {"same answer": "among equal gains scikit-learn takes a random column, this library the first"}
    tuning = {"min_samples_leaf": (1, 3, 10, 30)}

    def __init__(
        self,
        *,
        criterion: Literal["gini", "entropy", "log_loss", "error", "gain_ratio"] | Callable[..., Any] = "gini",
        splitter: Literal["best", "random"] = "best",
        max_depth: Count | None = None,
        min_samples_split: Annotated[int, Within(2)] | Annotated[float, Within(0, 1, above=True)] = 2,
        min_samples_leaf: RowsOrShare = 1,
        min_weight_fraction_leaf: Annotated[float, Within(0, 0.5)] = 0.0,
        max_features: ColumnsOrShare = None,
        random_state: Seed = None,
        max_leaf_nodes: Annotated[int, Within(2)] | None = None,
        min_impurity_decrease: NonNegative = 0.0,
        class_weight: dict[Any, Any] | list[Any] | Literal["balanced"] | None = None,
        ccp_alpha: NonNegative = 0.0,
        monotonic_cst: ArrayLike | None = None,
        categories: Literal["subsets", "multiway"] = "subsets",
        missing: Literal["own", "surrogate", "fractional"] = "own",
        priors: ArrayLike | None = None,
        costs: ArrayLike | None = None,
        exact: bool | None = None,
        pruning: Literal["cost_complexity", "reduced_error", "pessimistic", "validation"] | None = None,
        cv: Any = 10,
        rule: Literal["1se", "min"] = "1se",
        validation_fraction: Fraction = 0.25,
        thresholds: Literal["all", "boundary"] = "all",
    ):
        self.criterion = criterion
        self.splitter = splitter
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.random_state = random_state
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.class_weight = class_weight
        self.ccp_alpha = ccp_alpha
        self.monotonic_cst = monotonic_cst
        self.categories = categories
        self.missing = missing
        self.priors = priors
        self.costs = costs
        self.exact = exact
        self.pruning = pruning
        self.cv = cv
        self.rule = rule
        self.validation_fraction = validation_fraction
        self.thresholds = thresholds

    def plan(self) -> Plan:
        return Plan(
            criterion=self.criterion,
            categories=self.categories,
            missing=self.missing,
            splitter=self.splitter,
            max_depth=self.max_depth,
            min_samples_split=self.min_samples_split,
            min_samples_leaf=self.min_samples_leaf,
            min_weight_fraction_leaf=self.min_weight_fraction_leaf,
            max_features=self.max_features,
            max_leaf_nodes=self.max_leaf_nodes,
            min_impurity_decrease=self.min_impurity_decrease,
            exact=self.exact,
            thresholds=self.thresholds,
            monotonic_cst=self.monotonic_cst,
        )


sklearn.tree.DecisionTreeClassifier.register(DecisionTreeClassifier)  # so that export_text and its kin take ours
