"""Ensembles of a base learner that is given: decision trees of this library grow in one forest (tree_maker.py), anything else
that fits and predicts is copied and fitted member by member (model_maker.py).

A forest holds trees whose splits have two branches and whose missing cells have a branch of their own; no pruning but by
`ccp_alpha`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import is_classifier, is_regressor
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.certificate import Certificate
from aprendiz.core.columns import Columns, Mixed
from aprendiz.core.iteration import _training
from aprendiz.core.learner import Learner
from aprendiz.core.parameters import ParameterError, check_parameters
from aprendiz.core.rows import Array, Rows
from aprendiz.core.sources.arrays import in_memory
from aprendiz.core.tables import first_bad_cell, refuse_bad_block, refuse_cell
from aprendiz.ensemble.forest.tree_maker import TreeMaker
from aprendiz.ensemble.forest.trees_as_learners import Trees
from aprendiz.ensemble.members.ensemble import Ensemble
from aprendiz.ensemble.members.ensemble_data import EnsembleData
from aprendiz.ensemble.members.model_maker import Model, ModelMaker, seed_copy
from aprendiz.tree.decision_tree_classifier import DecisionTreeClassifier
from aprendiz.tree.decision_tree_regressor import DecisionTreeRegressor
from aprendiz.tree.shared.classification_tree import ClassificationTree, checked_costs
from aprendiz.tree.shared.decision_tree import conservation, gather, gathered_if_few
from aprendiz.tree.shared.nodes import LEAF
from aprendiz.tree.shared.regression_tree import refuse_targets


class AllowedByBase:
    """`allows` of an ensemble whose members decide what they take: all that trees of this library do, and, for learners from
    elsewhere (a pipeline that replaces infinities, say), any number."""

    def __get__(self, ensemble: Any, owner: Any) -> frozenset[str]:
        elsewhere = ensemble is not None and not isinstance(ensemble.base(), Learner)
        return Ensemble.allows | {"infinite"} if elsewhere else Ensemble.allows


class AnyMembers(Ensemble):
    """The base of ensembles whose members are copies of `estimator`."""

    allows = AllowedByBase()
    estimator: Any

    @abstractmethod
    def usual(self) -> Any:
        """The base learner if none is given."""

    def base(self) -> Any:
        """The learner that members are copies of."""
        return self.usual() if self.estimator is None else self.estimator

    # ---- the fit -------------------------------------------------------------------------------------------------------

    def open(self, X: Any, y: Any = None, sample_weight: Any = None, *, reset: bool = True) -> Rows:
        """Training data as checked rows."""
        refuse_base(type(self).__name__, self.estimator, self.target)
        rows = complete(super().open(X, y, sample_weight, reset=reset), self.base())
        if grows_in_forest(self.base()):
            check_parameters(self.base())
            if self.target == "numbers":
                rows.sum(refuse_targets, self.base().plan())
        return rows

    def new_rows(self, X: Any, sample_weight: Any = None) -> Rows:
        return complete(super().new_rows(X, sample_weight), self.base())

    def rows_for_members(self, rows: Rows) -> Rows:
        """Rows as the members take them: only trees can do without having all of them in memory."""
        if grows_in_forest(self.base()):
            return gathered_if_few(rows)
        return rows if in_memory(rows) else gather(rows)

    def costs_of_base(self, rows: Rows) -> Array | None:
        """The costs of predictions that a tree was given; 1 for each error of other classifiers."""
        if rows.labels is None:
            return None
        base = self.base()
        return checked_costs(base.costs if isinstance(base, ClassificationTree) else None, rows.labels)

    def maker(self, data: EnsembleData, required: bool = False) -> TreeMaker | ModelMaker:
        """What makes the members. `required`: they must know weights that are no numbers of rows."""
        base = self.base()
        if grows_in_forest(base):
            return TreeMaker.of(base, data)
        assert in_memory(data.rows)
        return ModelMaker.of(base, data.rows, hard=self.voting == "hard", required=required)

    def exhaust(self, rows: Rows, report: Callable[[Any, Any], bool]) -> tuple[Any, str]:
        options = _training.get()
        if options is not None and options.checkpoint is not None and not grows_in_forest(self.base()):
            raise ParameterError(
                f"Members of class {type(self.base()).__name__} cannot be kept in a checkpoint, which holds decision trees of "
                "this library alone: leave the checkpoint out."
            )
        return super().exhaust(rows, report)

    def attributes(self, state: Any, rows: Rows) -> dict[str, Any]:
        found = super().attributes(state, rows)
        return {**found, "certificate_": promises(state)} if state.models else found

    # ---- the members ---------------------------------------------------------------------------------------------------

    def columns_of(self, number: int) -> Array | None:
        """The columns that a member sees; None for all."""
        return None

    @property
    def estimator_(self) -> Any:
        """The base learner."""
        check_is_fitted(self)
        return self.base()

    @property
    def estimators_(self) -> Any:
        """The members; trees are created on access."""
        check_is_fitted(self)
        return [model.learner for model in self.models_] if self.models_ else Trees(len(self), self.one_tree)

    def one_tree(self, number: int) -> Any:
        """A tree of the forest as a learner of its own columns."""
        tree, columns = self.forest_.tree(number), self.columns_of(number)
        kinds = ("classes_", "n_classes_", "n_outputs_", "costs_")
        known = {name: getattr(self, name) for name in kinds if hasattr(self, name)}
        seen = np.arange(self.n_features_in_) if columns is None else columns
        feature = np.where(tree.feature == LEAF, LEAF, np.searchsorted(seen, tree.feature))
        tree = replace(tree, n_features=len(seen), feature=feature)
        words = getattr(self, "columns_", None)
        schema = None if words is None else Columns(tuple(words.columns[j] for j in seen))
        names = {"feature_names_in_": self.feature_names_in_[seen]} if hasattr(self, "feature_names_in_") else {}
        own = {"search_": self.search_, "pruning_": None, "_table": None, "n_features_in_": len(seen), "columns_": schema}
        certificate = conservation(tree, self.search_, known.get("costs_"))
        bare = seed_copy(self.base(), self._seed, number)
        return bare.settle({**known, **names, **own, "tree_": tree, "certificate_": certificate})

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        base = get_tags(self.base()) if hasattr(self.base(), "__sklearn_tags__") else tags
        for name in ("sparse", "allow_nan", "string", "categorical", "positive_only"):
            setattr(tags.input_tags, name, getattr(base.input_tags, name))
        return tags


# ---- base learners -------------------------------------------------------------------------------------------------------


def refuse_base(name: str, estimator: Any, target: str) -> None:
    """What cannot be a member."""
    kind, other = ("classifier", is_regressor) if target == "classes" else ("regressor", is_classifier)
    if estimator is None:
        return
    if isinstance(estimator, type) or not (hasattr(estimator, "fit") and hasattr(estimator, "predict")):
        shown = f"the class {estimator.__name__}" if isinstance(estimator, type) else repr(estimator)
        raise ParameterError(f"estimator of {name} must be a {kind}, with fit and predict, such as KNeighbors…(), got {shown}.")
    if hasattr(estimator, "__sklearn_tags__") and other(estimator):
        wrong = "regressor" if target == "classes" else "classifier"
        raise ParameterError(f"estimator of {name} must be a {kind}, but {type(estimator).__name__} is a {wrong}.")


def grows_in_forest(base: Any) -> bool:
    """Is the base learner a tree that a forest can hold?"""
    return (
        type(base) in (DecisionTreeClassifier, DecisionTreeRegressor)
        and base.categories == "subsets"
        and base.missing == "own"
        and base.pruning is None
        and base.monotonic_cst is None
        and not callable(base.criterion)
    )


def complete(rows: Rows, base: Any) -> Rows:
    """Rows without missing cells, for a base learner of this library that knows none."""
    if not isinstance(base, Learner) or "missing" in base.allows:
        return rows
    if not in_memory(rows):
        return rows.changed(refuse_bad_block)
    if not isinstance(rows.X, Mixed) and (bad := first_bad_cell(rows.X, missing_is_fine=False)):
        refuse_cell(*bad, rows.names)
    return rows


# ---- what is known of other members --------------------------------------------------------------------------------------


def promises(state: Any) -> Certificate:
    """That the certificate of every member that has one holds; nothing more is known of members of other kinds."""
    models: tuple[Model, ...] = state.models
    held = [model.learner.certificate_.holds for model in models if hasattr(model.learner, "certificate_")]
    known = {"objective": state.objective, "members": len(models), "promises": len(held), "kept": sum(held)}
    return Certificate("the certificate of every member holds", all(held), known)
