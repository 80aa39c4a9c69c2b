"""Cutting a tree back, while it is fitted or afterwards.

    "cost_complexity"    the price of a leaf chosen by cross-validation            cross_validated.py
    "reduced_error"      the best pruning for rows that were held back             reduced_error.py
    "validation"         a split stays if it helps rows that were held back     validated_stop.py
    "pessimistic"        upper limits of the error rates on the rows of the fit    pessimistic.py

None of them sees other rows than those of the fit.
"""

from __future__ import annotations

import warnings
from abc import abstractmethod
from numbers import Integral
from typing import Any, Literal, Self

import numpy as np
from sklearn.base import clone
from sklearn.utils import Bunch
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.columns import Mixed
from aprendiz.core.parameters import ParameterError
from aprendiz.core.random import draw_seed, uniforms
from aprendiz.core.rows import Array, Rows
from aprendiz.core.sources.arrays import ArrayRows, in_memory
from aprendiz.core.targets import as_target
from aprendiz.summaries.folds import checked_splits, refuse_cv, splits_among
from aprendiz.tree.growth.plan import Plan
from aprendiz.tree.pruning.cost_complexity import CostComplexityPath
from aprendiz.tree.pruning.cross_validated import PruningErrors, chosen_alpha
from aprendiz.tree.pruning.pessimistic import pessimistic_stumps
from aprendiz.tree.pruning.reduced_error import reduced_error_stumps
from aprendiz.tree.pruning.risk import impurity_risks, risks
from aprendiz.tree.pruning.validated_stop import validated_stumps
from aprendiz.tree.shared.decision_tree import DecisionTree, conservation
from aprendiz.tree.shared.descent import TreeDescent
from aprendiz.tree.shared.nodes import Tree

Method = Literal["cost_complexity", "reduced_error", "pessimistic", "validation"]
HELD_BACK = ("reduced_error", "validation")


class PrunableTree(DecisionTree):
    """A tree that can be cut back."""

    pruning: Method | None = None
    ccp_alpha: float = 0.0
    cv: int = 10
    rule: Literal["1se", "min"] = "1se"
    validation_fraction: float = 0.25
    confidence: float = 0.25
    pruning_: PruningErrors | None

    def learned(self, rows: Rows, plan: Plan) -> dict[str, Any]:
        refuse_cv(type(self).__name__, self.cv)
        if self.pruning not in HELD_BACK:
            return super().learned(rows, plan)
        table = refuse_files(rows, f'pruning="{self.pruning}"')
        back = held_back(table.X.shape[0], self.validation_fraction, draw_seed(getattr(self, "random_state", None)))
        found = super().learned(some(table, ~back), plan)
        test = some(table, back)
        leaf = test.each(TreeDescent(found["tree_"]).leaves)
        return {**found, "tree_": stop_by_validation(self.pruning, found, leaf, test.y, test.weight)}

    def pruned_attributes(self, found: dict[str, Any], rows: Rows) -> dict[str, Any]:
        tree, errors = found["tree_"], None
        if self.ccp_alpha > 0:
            tree = CostComplexityPath.of(tree, impurity_risks(tree)).tree(self.ccp_alpha)
        if self.pruning == "pessimistic":
            tree = tree.pruned(pessimistic_stumps(tree, found.get("costs_"), self.confidence))
        elif self.pruning == "cost_complexity":
            table = refuse_files(rows, 'pruning="cost_complexity"')
            errors = self.cross_validate(*as_given(table), folds_of_kept(self.cv, table), self.rule)
            tree = path_of(tree, found.get("costs_")).tree(errors.alpha)
        return {"tree_": tree, "pruning_": errors}

    def cross_validate(self, X: Any, y: Any, sample_weight: Any, cv: Any, rule: Literal["1se", "min"]) -> PruningErrors:
        """The errors of all subtrees by cross-validation."""
        seed = getattr(self, "random_state", None)
        with warnings.catch_warnings():  # a fold may lack a level that the whole table has: it counts as missing
            warnings.filterwarnings("ignore", ".*a level not seen in the fit", UserWarning)
            return chosen_alpha(
                self.unpruned_copy(), X, y, sample_weight, cv=possible_folds(cv, y), rule=rule, random_state=seed
            )

    def unpruned_copy(self) -> Any:
        """The same learner, which cuts nothing off."""
        known = self.get_params(deep=False)
        return clone(self).set_params(**{n: v for n, v in {"pruning": None, "ccp_alpha": 0.0}.items() if n in known})

    def prune(
        self,
        X: Any = None,
        y: Any = None,
        sample_weight: Any = None,
        *,
        method: Method = "cost_complexity",
        alpha: float | None = None,
        cv: Any = 10,
        rule: Literal["1se", "min"] = "1se",
        confidence: float = 0.25,
    ) -> Self:
        """Prune the fitted tree. Returns the learner itself.

        Parameters
        ----------
        X, y, sample_weight
            For "cost_complexity" the training rows (the tree keeps them if the table is small); for "reduced_error" and
            "validation" rows that were not used in the fit; never the rows on which the tree will be tested.
        method : {"cost_complexity", "reduced_error", "pessimistic", "validation"}
        alpha : float, optional
            Complexity parameter of "cost_complexity" (in cost, or squared error), instead of a choice by cross-validation.
        cv, rule
            Cross-validation folds, and "1se" (the smallest tree within one standard error of the best) or "min".
        confidence : float, default=0.25
            Confidence level CF of "pessimistic".
        """
        check_is_fitted(self)
        errors, costs, tree = None, getattr(self, "costs_", None), self.tree_
        if method == "pessimistic":
            tree = tree.pruned(pessimistic_stumps(tree, costs, confidence))
        elif method == "cost_complexity":
            if alpha is None:
                if X is None:
                    kept = self.rows_of_the_fit()
                    cv, (X, y, sample_weight) = folds_of_kept(cv, kept), as_given(kept)
                errors = self.cross_validate(X, y, sample_weight, cv, rule)
            tree = path_of(tree, costs).tree(errors.alpha if errors is not None else float(alpha or 0.0))
        elif method in HELD_BACK:
            if X is None or y is None:
                raise ValueError(f'prune(method="{method}") needs rows not used in the fit: give X and y.')
            rows = self.new_rows(X, sample_weight)
            leaf = rows.each(TreeDescent(tree).leaves)
            weight = rows.weight if in_memory(rows) else None
            tree = stop_by_validation(method, {"tree_": tree, "costs_": costs}, leaf, self.encode_target(y, len(leaf)), weight)
        else:
            raise ParameterError(
                f'method must be "cost_complexity", "reduced_error", "pessimistic" or "validation", got {method!r}.'
            )
        certificate = conservation(tree, self.search_, costs, self.certificate_.values.get("largest_bin"))
        return self.settle({"tree_": tree, "pruning_": errors, "certificate_": certificate})

    @abstractmethod
    def encode_target(self, y: Any, count: int) -> Array:
        """A target as the tree knows it: numbers of classes, or numbers."""

    def prune_path(self, risk: Literal["cost", "impurity"] = "cost") -> CostComplexityPath:
        """The subtrees that minimise R(T) + α·leaves(T), with R the resubstitution cost (or the impurity): a table of α, leaves
        and R(T), from the whole tree to the root."""
        check_is_fitted(self)
        if risk not in ("cost", "impurity"):
            raise ParameterError(f'risk must be "cost" or "impurity", got {risk!r}.')
        return path_of(self.tree_, getattr(self, "costs_", None) if risk == "cost" else None)

    def cost_complexity_path(self) -> CostComplexityPath:
        """`prune_path` by the resubstitution cost."""
        return self.prune_path("cost")

    def cost_complexity_pruning_path(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """As in scikit-learn: the effective alphas and the impurities of the subtrees of a tree grown on X and y."""
        path = self.unpruned_copy().fit(X, y, sample_weight).prune_path("impurity")
        return Bunch(ccp_alphas=path.alphas, impurities=path.risks)

    def rows_of_the_fit(self) -> ArrayRows:
        """The rows of the fit, where the tree remembers them."""
        rows = self.__dict__.get("_table")
        if rows is None:
            raise ValueError(
                "The tree does not keep its training rows (there were too many, or it was loaded from a file): give X and y."
            )
        assert in_memory(rows)
        return rows


def refuse_files(rows: Rows, what: str) -> ArrayRows:
    """Rows in memory."""
    if not in_memory(rows):
        raise TypeError(f"{what} needs the rows in memory, and these are too many: read a part of them, or prune by alpha.")
    return rows


def folds_of_kept(cv: Any, rows: ArrayRows) -> Any:
    """Folds for the rows that count. Splits by row number speak of all rows: those of weight 0 are taken out of them."""
    if rows.kept_of is None or isinstance(cv, Integral) or hasattr(cv, "split"):
        return cv
    kept, count = rows.kept_of
    return splits_among(checked_splits(cv, count), kept, count)


def possible_folds(cv: Any, y: Any) -> Any:
    """A number of folds, but no more than the largest class has rows."""
    if not isinstance(cv, Integral) or np.ndim(y) != 1:
        return cv
    target = as_target(y)
    most = np.unique(target, return_counts=True)[1].max() if target.dtype.kind not in "f" else len(target)
    return max(2, min(int(cv), int(most)))


def as_given(rows: ArrayRows) -> tuple[Any, Any, Array | None]:
    """X, y and weights of a fit in a form that can be fitted again."""
    return table_given(rows), rows.y if rows.labels is None else rows.labels[rows.y], rows.weight


def table_given(rows: ArrayRows) -> Any:
    if not isinstance(rows.X, Mixed):
        return rows.X
    import pandas as pd

    frame = pd.DataFrame(rows.X.columns.decode(rows.X))
    for column in rows.X.columns:
        if column.kind == "ordinal":
            frame[column.name] = pd.Categorical(frame[column.name], list(column.levels), ordered=True)
    return frame


def path_of(tree: Tree, costs: Array | None) -> CostComplexityPath:
    """The subtrees by their resubstitution cost."""
    return CostComplexityPath.of(tree, risks(tree, costs))


def held_back(rows: int, share: float, seed: int) -> Array:
    """Mark a random part of the rows."""
    back = np.zeros(rows, bool)
    back[np.argsort(uniforms(seed, 1, rows), kind="stable")[: int(share * rows)]] = True
    if not back.any() or back.all():
        raise ValueError(
            f"validation_fraction={share:g} of {rows} rows holds back {int(back.sum())}: some, and not all, are needed."
        )
    return back


def some(rows: ArrayRows, chosen: Array) -> ArrayRows:
    """Some of the rows."""
    at = np.flatnonzero(chosen)
    assert rows.y is not None
    return rows.like(X=rows.X[at], y=rows.y[at], weight=None if rows.weight is None else rows.weight[at])


def stop_by_validation(method: Any, found: dict[str, Any], leaf: Array, y: Any, weight: Array | None) -> Tree:
    """The tree cut by rows that it has not seen."""
    marks = reduced_error_stumps if method == "reduced_error" else validated_stumps
    tree = found["tree_"]
    return tree.pruned(marks(tree, leaf, y, found.get("costs_"), weight))
