"""Forests: trees that differ because each sees other rows, and each of its nodes other columns.

    tree m     grown on a bootstrap bag of the rows (bags.py), in every node on the best split of max_features columns
               that are drawn at random; not pruned

The variance of a mean of B numbers of variance σ² and correlation ρ is

    ρσ² + (1 − ρ)σ²/B                                                                                        (1)

More trees make the second part small; fewer columns make ρ small, at the price of a somewhat larger σ² and bias.

Reference: Breiman, "Random forests", Machine Learning 45, 2001.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar, Literal

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.class_weights import reweight
from aprendiz.core.parameters import ParameterError
from aprendiz.core.rows import Array, Rows
from aprendiz.core.several_targets import class_factors
from aprendiz.core.sources.arrays import in_memory
from aprendiz.ensemble.forest.tree_maker import TreeMaker
from aprendiz.ensemble.forest.trees_as_learners import Trees
from aprendiz.ensemble.members.bags import Bags, bag_size, member_seed, uneven
from aprendiz.ensemble.members.ensemble import Ensemble
from aprendiz.ensemble.members.ensemble_data import CountingRows, EnsembleData, Member
from aprendiz.tree import DecisionTreeClassifier, DecisionTreeRegressor
from aprendiz.tree.shared.classification_tree import checked_costs
from aprendiz.tree.shared.decision_tree import conservation, gathered_if_few
from aprendiz.tree.shared.regression_tree import refuse_targets
from aprendiz.tree.shared.several_targets import of_targets, refuse_for_targets

OF_TREES = (
    *("criterion", "splitter", "max_depth", "min_samples_split", "min_samples_leaf", "min_weight_fraction_leaf"),
    *("max_features", "max_leaf_nodes", "min_impurity_decrease", "ccp_alpha", "exact", "monotonic_cst"),
)
# what all forests say of themselves (core/learner.py)
DIFFERENCES = {
    "estimators_": "another form: a sequence that creates each tree on access; its random_state alone does not grow it again",
    "warm_start": "another form: rows of other classes or columns than those of the fit before are refused",
    "n_jobs": "no effect: trees grow side by side in all threads",
    "verbose": "no effect: aprendiz.training(progress=True) shows a bar",
}
BALANCED = {"class_weight": 'another form: "balanced" balances the weights of the rows, not their numbers'}
EXCEPTIONS = {
    "same answer": "other random numbers",
    "monotone": "a tree more may do worse",
    "memory": "the codes of the rows, a byte for each cell, stay in memory",
    "row order": "bags are drawn by the numbers of the rows",
    "column order": "columns are drawn by their numbers",
    "relabelling": "of equal votes the first class wins",
}
OF_BAGS = {
    "weights": "a row of weight two is twice as likely to be drawn, but a bag has as many rows as the table",
    "check_sample_weight_equivalence_on_dense_data": "a bag has as many rows as the table, repeated or not",
    "check_sample_weight_equivalence_on_sparse_data": "a bag has as many rows as the table, repeated or not",
}


class RandomTrees(Ensemble):
    """The base of forests, for classes and for numbers."""

    splitter: ClassVar[Literal["best", "random"]] = "best"
    criterion: Any
    max_depth: int | None
    min_samples_split: float
    min_samples_leaf: float
    min_weight_fraction_leaf: float
    max_features: Any
    max_leaf_nodes: int | None
    min_impurity_decrease: float
    bootstrap: bool
    max_samples: Any
    ccp_alpha: float
    exact: bool | None
    monotonic_cst: Any
    class_weight: Any = None  # of classes alone, as are those that follow
    priors: Any = None
    costs: Any = None

    # ---- the fit: its loop is `states` in members/ensemble.py ----------------------------------------------------------

    def bare_tree(self) -> Any:
        """A tree of the kind of the members, before it grows."""
        growth = {name: getattr(self, name) for name in OF_TREES}
        if self.target == "classes":
            return DecisionTreeClassifier(**growth, priors=self.priors, costs=self.costs)
        return DecisionTreeRegressor(**growth)

    def prepared_data(self, rows: Rows, seed: int) -> EnsembleData:
        self.refuse_combinations()
        given, costs = self.weighted_rows(gathered_if_few(rows))
        some = CountingRows.of(given)
        y, weight = some.y, some.weight
        size = bag_size(self.max_samples, weight, len(y)) if self.bootstrap else len(y)
        bags = Bags(seed, len(y), size, self.bootstrap, uneven(weight), some.of_given, given.count or len(y))
        return EnsembleData(seed, some.table, y, weight, costs, self.maker, bags, some.there)

    def weighted_rows(self, rows: Rows) -> tuple[Rows, Array | None]:
        """The rows with the weights of their classes, and the costs of predictions; with numbers there are none."""
        if self.target == "numbers":
            rows.sum(refuse_targets, self.bare_tree().plan())
            return rows, None
        if rows.several is not None:
            return self.rows_of_targets(rows, rows.several), None
        assert rows.labels is not None
        if self.class_weight is not None and self.class_weight != "balanced_subsample":
            rows = reweight(rows, self.class_weight)
        return rows, checked_costs(self.costs, rows.labels)  # type: ignore[arg-type]

    def rows_of_targets(self, rows: Rows, labels: list[Array]) -> Rows:
        """Rows of several targets with the weights of their classes."""
        hard = self.voting if self.voting == "hard" else None
        refuse_for_targets(type(self).__name__, priors=self.priors, costs=self.costs, voting=hard)
        if self.judges_out_of_bag() and not all(np.isin(one, (0, 1)).all() for one in labels):
            raise ValueError(
                "The type of target cannot be used to compute OOB estimates. Got multiclass-multioutput: several targets "
                "must hold 0 and 1 for that. Leave oob_score and patience out."
            )
        if self.class_weight is None or self.class_weight == "balanced_subsample":
            return rows
        assert in_memory(rows)
        factor = class_factors(self.class_weight, rows.y, labels)  # type: ignore[arg-type]
        return rows.like(weight=factor if rows.weight is None else rows.weight * factor)

    def maker(self, data: EnsembleData) -> TreeMaker:
        """What grows the trees."""
        maker = TreeMaker.of(self.bare_tree(), data)
        several = data.rows.several
        return maker if several is None else replace(maker, plan=maker.plan.for_targets(len(several)))

    def member(self, number: int, data: EnsembleData) -> Member:
        if not self.bootstrap:
            return data.maker.member(data.weights, data.seed, number)
        assert data.bags is not None
        counts = data.bags.counts(number)
        asked = np.flatnonzero(counts == 0).astype(np.int32) if self.oob_score or self.patience else None
        return data.maker.member(self.bag_weights(counts, data), data.seed, number, asked=asked)

    def bag_weights(self, counts: Array, data: EnsembleData) -> Array:
        """The weights of a bag: how often each row is in it, with "balanced_subsample" so that all classes weigh alike."""
        if self.class_weight != "balanced_subsample":
            return counts
        if data.rows.several is not None:
            return counts * class_factors("balanced", data.y, data.rows.several, counts)
        total = np.bincount(data.y, counts, data.classes)
        return counts * (counts.sum() / (data.classes * np.maximum(total, 1e-300)))[data.y]

    # ---- what is known of the trees ------------------------------------------------------------------------------------

    @property
    def estimators_(self) -> Trees:
        """The trees as estimators, each created on access."""
        check_is_fitted(self)
        return Trees(len(self), self.one_tree)

    def one_tree(self, number: int) -> Any:
        """A member as a learner."""
        names = ("classes_", "n_classes_", "n_outputs_", "costs_", "n_features_in_", "feature_names_in_", "columns_")
        known = {name: getattr(self, name) for name in names if hasattr(self, name)}
        tree = replace(self.forest_.tree(number), n_features=self.n_features_in_)
        if isinstance(known.get("classes_"), list):
            tree = of_targets(tree, self.classes_, self.bare_tree().plan().for_targets(len(self.classes_)))
        own = {"search_": self.search_, "pruning_": None, "_table": None}
        certificate = conservation(tree, self.search_, known.get("costs_"))
        seeded = self.bare_tree().set_params(random_state=member_seed(self._seed, number))
        return seeded.settle({**known, **own, "tree_": tree, "certificate_": certificate})

    @property
    def estimator_(self) -> Any:
        """A tree as the members were before they grew."""
        check_is_fitted(self)
        return self.bare_tree()

    @property
    def estimator(self) -> Any:
        """The same, before the fit too."""
        return self.bare_tree()

    @property
    def estimators_samples_(self) -> list[Array]:
        """The rows in the bag of each tree, as often as they are in it."""
        return [rows.astype(np.int32) for rows in super().estimators_samples_]

    def decision_path(self, X: Any) -> tuple[Any, Array]:
        """The nodes that each row passes in each tree, one tree beside the other (a sparse matrix of rows × nodes, 1 where it
        does), and where the nodes of each tree begin."""
        check_is_fitted(self)
        return sparse.hstack([tree.decision_path(X) for tree in self.estimators_]).tocsr(), self.forest_.start

    @property
    def feature_importances_(self) -> Array:
        """Impurity-based importances of the columns, averaged over the trees; they sum to 1."""
        check_is_fitted(self)
        found = self.importances_.mean(axis=0)
        return found / found.sum() if found.sum() > 0 else found

    def refuse_combinations(self) -> None:
        """Parameters that contradict each other."""
        if self.oob_score and not self.bootstrap:
            raise ParameterError("Out of bag estimation only available if bootstrap=True.")
        if self.patience and not self.bootstrap:
            raise ParameterError("patience uses the out-of-bag error: set bootstrap=True.")
        if self.max_samples is not None and not self.bootstrap:
            raise ParameterError("max_samples is the size of a bootstrap sample: set bootstrap=True, or leave it None.")
