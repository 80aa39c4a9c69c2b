"""Decision tree for classes. The growth is in growth/, priors and costs in classification_tree.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

from aprendiz.core.parameters import ArrayLike, Count, Fraction, NonNegative, Seed, Within
from aprendiz.tree.growth.plan import Plan
from aprendiz.tree.shared.classification_tree import ClassificationTree
from aprendiz.tree.shared.parameters import ColumnsOrShare, RowsOrShare


class DecisionTreeClassifier(ClassificationTree):
    """Decision tree (drop-in for scikit-learn's; words and missing cells, costs, priors, pruning, binned for large tables).

    Parameters
    ----------
    criterion : {"gini", "entropy", "log_loss", "error", "gain_ratio"} or function, default="gini"
        What a question lowers. A function of the class shares must be symmetric, 0 at the vertices and largest at 1/K.
    splitter : {"best", "random"}, default="best"
        "random" takes a random threshold (or subset of levels) for each column, and the best column.
    max_depth : int, optional
    min_samples_split, min_samples_leaf : int or float, default=2 and 1
        Rows of a node that is divided, and of each branch; a float is a share of the rows.
    min_weight_fraction_leaf : float, default=0.0
        The least share of the weight in a branch.
    max_features : int, float, {"sqrt", "log2"} or None, default=None
        Columns that a node looks at, drawn at random.
    random_state : int, RandomState or None
    max_leaf_nodes : int, optional
        Grow the node that gains most first, up to so many leaves.
    min_impurity_decrease : float, default=0.0
        β: a question must lower the impurity of all rows by this much.
    class_weight : dict, "balanced" or None, default=None
    ccp_alpha : float, default=0.0
        The price of a leaf in impurity, for minimal cost-complexity pruning.
    monotonic_cst : None
        Refused.
    categories : {"subsets", "multiway"}, default="subsets"
        Questions about words: two branches with the best subset of levels, or a branch for each level.
    missing : {"own", "surrogate", "fractional"}, default="own"
        Missing cells take the branch that is best for them; or follow substitute questions; or go to all branches by share.
    priors : array of shape (n_classes,), optional
        Shares of the classes where the tree is used.
    costs : array of shape (n_classes, n_classes), optional
        Costs of answers (columns) for true classes (rows).
    exact : bool, optional
        Whether all values are candidates; by default, up to 32 768 rows. Beyond, columns are cut into 255 bins.
    pruning : {"cost_complexity", "reduced_error", "pessimistic", "validation"}, optional
        What is cut off after the growth: by cross-validation (with `rule`); by the error on rows that are held back for it;
        by C4.5's pessimistic estimate; or a question stays only if it lowers the error on the rows held back.
    cv : int, splitter or iterable, default=10
        Folds of "cost_complexity".
    rule : {"1se", "min"}, default="1se"
        The smallest tree within one standard error of the best, or the best.
    validation_fraction : float, default=0.25
        Rows held back by "reduced_error" and "validation".

    Attributes
    ----------
    tree_ : Tree
        The nodes as arrays, with scikit-learn's names.
    classes_, n_classes_, n_outputs_ : labels of the classes, their number, and 1
    max_features_ : int
    feature_importances_ : ndarray of shape (n_features,)
    costs_ : ndarray of shape (n_classes, n_classes)
    columns_ : Columns or None
        The schema, where columns hold words.
    search_ : {"exact", "binned"}
        Whether every value was a candidate.
    pruning_ : PruningErrors or None
        The errors by which "cost_complexity" chose.
    certificate_ : Certificate

    Examples
    --------
    >>> from aprendiz.datasets import load
    >>> X, y = load("tumour", return_X_y=True, as_frame=True)
    >>> print(DecisionTreeClassifier(max_depth=1).fit(X, y).rules())
    IF size ≤ medium THEN benign (coverage 9 rows, 64.3 %; confidence 0.889)
    IF size is large THEN malignant (coverage 5 rows, 35.7 %; confidence 0.8)
    """

    differences = {
        "tree_": "another form: a record with the same array names, and children for questions with several branches",
        "class_weight": 'another form: "balanced" balances the weights of the rows, not their numbers',
        "monotonic_cst": "refused: this growth knows no monotone questions",
    }
    exceptions = {"same answer": "of equal gains scikit-learn takes a random column, this the first"}
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
        class_weight: dict[Any, Any] | Literal["balanced"] | None = None,
        ccp_alpha: NonNegative = 0.0,
        monotonic_cst: None = None,
        categories: Literal["subsets", "multiway"] = "subsets",
        missing: Literal["own", "surrogate", "fractional"] = "own",
        priors: ArrayLike | None = None,
        costs: ArrayLike | None = None,
        exact: bool | None = None,
        pruning: Literal["cost_complexity", "reduced_error", "pessimistic", "validation"] | None = None,
        cv: Any = 10,
        rule: Literal["1se", "min"] = "1se",
        validation_fraction: Fraction = 0.25,
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
        )
