"""What all decision trees are: rows as codes, a tree grown on them, and rows sent down the tree.

    table ──coding──▶ codes ──growth──▶ nodes ──assembly──▶ Tree ──pruning──▶ Tree ──descent──▶ leaf of a row

Words, ordered levels and missing cells are taken as they are. Up to `EXACT` rows (or with `exact=True`, or if no column has
more than 255 values) every value of every column is a candidate; beyond, columns of more than 255 values are cut into 255 bins,
and thresholds lie between bins. `search_` says which, and the certificate how many rows a bin holds at most. The way depends on
the size of the table, never on where its rows are:

    up to GATHERED cells     the numbers are in memory; bins are made from all rows
    up to CODED cells        codes are in memory, a byte for each cell; bins are made from a sample (sampled_codes.py)
    more                     the tree grows level by level, with a pass over the rows for each (levelwise.py)

A leaf (class) says in `plan` how it grows, and in `pruned_attributes` what is cut off afterwards.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, NoReturn, Self

import numpy as np
from sklearn.callback import with_callbacks
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.callbacks import reporting
from aprendiz.core.certificate import Certificate
from aprendiz.core.columns import Mixed
from aprendiz.core.inputs import refuse_empty_sums
from aprendiz.core.learner import Learner
from aprendiz.core.parameters import ParameterError
from aprendiz.core.random import draw_seed
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sources.arrays import ArrayRows, in_memory
from aprendiz.tree.contributions.additive_trees import AdditiveTrees, Meaning, WeightedTree
from aprendiz.tree.growth.assembly import assembled
from aprendiz.tree.growth.coding import CodedTable
from aprendiz.tree.growth.grow_tree import grow_tree
from aprendiz.tree.growth.levelwise import grown_by_levels, what_needs_rows
from aprendiz.tree.growth.monotone import checked_signs
from aprendiz.tree.growth.opened_bins import Source, can_be_opened, grow_and_open
from aprendiz.tree.growth.own_codes import binned_columns, column_numbers
from aprendiz.tree.growth.plain_growth import grown_plainly
from aprendiz.tree.growth.plan import Plan, columns_of
from aprendiz.tree.growth.rare_rows import rare_rows
from aprendiz.tree.growth.sampled_codes import coded_rows
from aprendiz.tree.growth.targets_that_count import targets_that_count
from aprendiz.tree.pruning.risk import risks
from aprendiz.tree.reading.labelled_tree import Labelled
from aprendiz.tree.shared.descent import TreeDescent
from aprendiz.tree.shared.nodes import Tree
from aprendiz.tree.shared.stored_tree import TREES

EXACT = 2**15  # rows up to which every value is a candidate
GATHERED = 2**21  # cells of a table that is used as it is; of a larger one, codes are
CODED = 2**31  # cells of a table that is kept as codes; a larger one is read again for each level of the tree
FEW_COLUMNS = 2**10  # of a sparse matrix that is coded as other tables are; with more columns, most are empty
KEPT = 2**20  # cells of a table that a tree remembers, to show how its nodes were divided


Search = tuple[str, int]  # "exact" or "binned", and how many rows the largest bin of several values holds


class DecisionTree(Learner):
    """The base of all trees."""

    stored_check = TREES
    recursive_dependence: ClassVar[bool] = False

    allows = frozenset({"sparse", "missing", "categories"})
    tree_: Tree

    @abstractmethod
    def plan(self) -> Plan:
        """How the tree is grown."""

    @abstractmethod
    def grow(self, rows: Rows, plan: Plan, seed: int) -> dict[str, Any]:
        """The fitted attributes of the tree before anything is cut off."""

    def pruned_attributes(self, found: dict[str, Any], rows: Rows) -> dict[str, Any]:
        """What pruning changes of the attributes."""
        return {}

    @with_callbacks
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, check_input: bool = True) -> Self:
        """Fit to X and y, each row counting with its weight (the input is always checked). Returns the learner itself."""
        rows = self.open(X, y, sample_weight)
        plan = self.plan()
        with reporting(self, X, y, sample_weight):
            table = rows_that_count(rows)
            found = self.learned(table, plan)
            found |= self.pruned_attributes(found, table)
            search, largest_bin = found.pop("search")
            found["search_"] = search
            found["certificate_"] = conservation(found["tree_"], search, found.get("costs_"), largest_bin)
            return self.settle({**rows.noted, **found})

    def learned(self, rows: Rows, plan: Plan) -> dict[str, Any]:
        """The tree before anything is cut off."""
        found = self.grow(rows, plan, draw_seed(getattr(self, "random_state", None)))
        few = in_memory(rows) and rows.X.shape[0] * rows.columns <= KEPT
        return {**found, "_table": rows if few else None}

    # ---- new rows ------------------------------------------------------------------------------------------------------

    def values(self, X: Any) -> Array:
        """The value of the leaf of each row."""
        rows = self.new_rows(X)
        return rows.each(TreeDescent(self.tree_).values)

    def apply(self, X: Any, check_input: bool = True) -> Array:
        """The index of the leaf that each row reaches (of a row that is split among branches, the one at the end of the
        heaviest branches)."""
        rows = self.new_rows(X)
        return rows.each(TreeDescent(self.tree_).leaves)

    def node_of(self, X: Any) -> Array:
        """As `apply`."""
        return self.apply(X)

    @abstractmethod
    def additive_trees(self) -> AdditiveTrees:
        """The tree as a sum (contributions/additive_trees.py)."""

    def additive_response(self, X: Any) -> Array:
        values = self.values(X)
        return values.reshape(len(values), -1)

    def decision_path(self, X: Any, check_input: bool = True) -> Any:
        """The nodes that each row passes: a sparse matrix of rows × nodes, 1 where it does."""
        return self.tree_.paths_to(self.apply(X))

    # ---- what is known of the tree -------------------------------------------------------------------------------------

    def get_depth(self) -> int:
        """The depth of the tree: the number of splits on its longest path."""
        check_is_fitted(self)
        return self.tree_.max_depth

    def get_n_leaves(self) -> int:
        """The number of leaves."""
        check_is_fitted(self)
        return self.tree_.n_leaves

    @property
    def feature_importances_(self) -> Array:
        """Impurity-based importances of the columns; they sum to 1."""
        check_is_fitted(self)
        return importances(self.tree_, self.n_features_in_, getattr(self, "costs_", None))

    @property
    def max_features_(self) -> int:
        """How many columns a node looks at."""
        check_is_fitted(self)
        return columns_of(self.plan().max_features, self.n_features_in_)

    @abstractmethod
    def label_tree(self) -> Labelled:
        """The tree with the words of its table."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        return tags

    def __getstate__(self) -> Any:
        return {name: value for name, value in super().__getstate__().items() if name != "_table"}


def sum_of_one(tree: Tree, meaning: Meaning, labels: tuple[Any, ...]) -> AdditiveTrees:
    """A single tree as a sum."""
    value = tree.value.reshape(tree.node_count, -1)
    return AdditiveTrees(1, lambda _number: WeightedTree(tree, value), np.zeros(value.shape[1]), meaning, labels)


# ---- rows in memory ------------------------------------------------------------------------------------------------------


def rows_that_count(rows: Rows) -> Rows:
    """The rows that count, in memory unless they are too many for it."""
    rows = gathered_if_few(rows)
    return counting_rows(rows) if in_memory(rows) else rows


def gathered_if_few(rows: Rows) -> Rows:
    """All rows, in memory unless they are too many for it."""
    return rows if in_memory(rows) or cells_of(rows) > GATHERED else gather(rows)


def cells_of(rows: Rows) -> int:
    """The cells of a table, whose rows are counted if need be."""
    if rows.count is None:
        rows.count = rows.sum(count_rows)
    return rows.count * rows.columns


def count_rows(block: Block) -> int:
    return len(block)


def is_coded_from_sample(rows: Rows) -> bool:
    """Is the table so large that its codes are made from a sample? Words are codes already."""
    if in_memory(rows) and (isinstance(rows.X, Mixed) or (rows.sparse and rows.columns > FEW_COLUMNS)):
        return False
    return cells_of(rows) > GATHERED


def grows_by_levels(rows: Rows, plan: Plan) -> bool:
    """Is the table too large even for its codes? Rows in memory that a plan needs at once stay there."""
    if in_memory(rows) and (not is_coded_from_sample(rows) or what_needs_rows(plan)):
        return False
    return cells_of(rows) > CODED


def gather(rows: Rows) -> ArrayRows:
    """All rows in memory."""
    weighted = rows.first(lambda block: block.weight is not None)
    X, y = rows.each(lambda block: block.X), rows.each(lambda block: block.y)
    table = ArrayRows(X, y, rows.each(lambda block: block.weight) if weighted else None, rows.names)
    table.labels, table.noted = rows.labels, rows.noted
    return table


def counting_rows(rows: ArrayRows) -> ArrayRows:
    """The rows that count: weight 0 is as good as absent."""
    if rows.weight is None or (rows.weight > 0).all():
        return rows
    refuse_empty_sums(rows.weight, True, rows)
    there = np.flatnonzero(rows.weight > 0)
    assert rows.y is not None
    counting = rows.like(X=rows.X[there], y=rows.y[there], weight=rows.weight[there])
    counting.kept_of = there, len(rows.weight)
    return counting


def refuse_far_rows(what: str) -> NoReturn:
    """What only rows in memory can have."""
    raise ParameterError(f"{what} needs the rows in memory, and these are too many: read a part of them, or leave it out.")


def coded_table(
    rows: Rows, y: Array, weight: Array | None, classes: int, there: Array | None, *, exact: bool | None, orders: bool,
    most: int,
) -> CodedTable:  # fmt: skip
    """The columns as codes: all values, if `exact` says so or (None) for at most so many rows, else bins. Targets and weights
    are of the rows that count; `there` are their numbers, if `rows` has others."""
    if is_coded_from_sample(rows) and not exact:
        return coded_rows(rows, y, weight, classes, there)
    if not in_memory(rows):
        refuse_far_rows("exact=True")
    assert in_memory(rows)
    exact = len(y) <= most if exact is None else exact
    rare = None if exact else rare_rows(y, weight, classes)
    return CodedTable.of(rows.X, weight, exact=exact, orders=orders, rare=rare)


def grown_tree(
    rows: Rows, plan: Plan, seed: int, scale: Array | None = None, factors: Array | None = None
) -> tuple[Tree, Search]:
    """The tree of some rows, and what is known of the search. In it, the weights of the classes are multiplied by `scale`; they
    are divided by `factors` afterwards (both None for numbers)."""
    if grows_by_levels(rows, plan):
        tree, largest_bin = grown_by_levels(rows, plan, seed, scale, factors)
        return tree, ("binned" if largest_bin else "exact", largest_bin)
    y, given, there = targets_that_count(rows)
    classes = 0 if factors is None else len(factors)
    weight = np.ones(len(y)) if given is None else given
    if scale is not None and (scale != 1).any():
        weight = weight * scale[y]
    if callable(plan.criterion):
        if not in_memory(rows):
            refuse_far_rows("a criterion that is a function")
        return grown_plainly(rows, plan, seed, y.astype(np.int32), weight, factors), ("exact", 0)
    orders = plan.categories == "subsets"
    z = np.empty((0, 1)) if classes else np.require(y.reshape(len(y), -1), np.float64, ["C", "W"])  # else compiled anew
    table = coded_table(rows, y if classes else z, given, classes, there, exact=plan.exact, orders=orders, most=EXACT)
    rules = plan.rules(len(y), rows.columns, float(weight.sum()), classes, z.shape[1])
    of_class = y.astype(np.int32) if classes else np.empty(0, np.int32)
    signs = checked_signs(plan.monotonic_cst, table.layout, factors, z.shape[1])
    if in_memory(rows) and not is_coded_from_sample(rows) and can_be_opened(table, rules):
        least, numbers = rules.min_decrease * float(weight.sum()), column_numbers(rows.X, binned_columns(table))
        grown = grow_and_open(Source(table, numbers, of_class, z, weight, rules, least, seed, signs))
    else:
        everything = np.arange(len(y), dtype=np.int32)
        grown = grow_tree(table, table.layout, of_class, z, weight.copy(), everything, table.lines, rules, seed, signs=signs)
    return assembled(grown, table.layout, factors, signs is not None), ("exact" if table.exact else "binned", table.largest_bin)


# ---- what follows from a tree --------------------------------------------------------------------------------------------


def searched_weights(tree: Tree, costs: Array | None) -> Array:
    """The weight of each node in the search, where costs change that of the classes ((2) of classification_tree.py)."""
    weight = tree.weighted_n_node_samples
    return weight if costs is None or len(costs) == 1 else weight * (tree.value[:, 0, :] @ costs.sum(axis=1))


def importances(tree: Tree, columns: int, costs: Array | None) -> Array:
    """The decrease of the impurity by the splits on each column, as parts of the whole."""
    found = tree.decreases(searched_weights(tree, costs), columns)
    return found / found.sum() if found.sum() > 0 else found


def conservation(tree: Tree, search: str, costs: Array | None, largest_bin: int | None = None) -> Certificate:
    """That the weights of the branches add up to that of their node, and together are no less pure, up to 10⁻⁹ of the root.
    Nothing is claimed about other trees: the search is greedy, and binned where `search` says so: then no threshold lies inside
    a bin, of which the largest holds `largest_bin` rows."""
    weight = tree.weighted_n_node_samples
    lost = float(np.abs(tree.sums_of_branches(weight) - weight[~tree.is_leaf]).max(initial=0.0) / weight[0])
    searched = searched_weights(tree, costs)
    total = searched * tree.impurity
    rise = float((tree.sums_of_branches(total) - total[~tree.is_leaf]).max(initial=0.0) / max(total[0], 1e-300))
    known: dict[str, Any] = {
        "leaves": tree.n_leaves,
        "depth": tree.max_depth,
        "impurity": float(total[tree.is_leaf].sum() / searched[0]),
        "risk": float(risks(tree, costs)[tree.is_leaf].sum()),
        "lost": lost,
        "rise": rise,
        "search": search,
    }
    if largest_bin is not None:
        known["largest_bin"] = largest_bin
    return Certificate("every row reaches a leaf, and no split raises the impurity", max(lost, rise) <= 1e-9, known)
