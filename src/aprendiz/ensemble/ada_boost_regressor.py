"""AdaBoost for numbers (AdaBoost.R2). The weights of rows and members and the bound B(θ) are in boosting.py.

A member learns from a bootstrap bag that is drawn with the weights as probabilities. With D its largest error on any row,

    L = |ŷ − y|/D  or its square  or 1 − exp(−|ŷ − y|/D),     α = learning_rate · log((1 − e)/e),     e = Σ w L      (1)

above 0 while e < ½. The prediction is the weighted median: the least prediction of a member such that the members that predict
no more have half of the weight. If it is off by as much as the largest error D of all members, so are members with half of the
weight, each with the loss κ = L(D), so that

    the rows that the median misses by D weigh at most B(1 − κ/2),     κ = 1, or 1 − 1/e for the exponential loss     (2)

Reference: Drucker, "Improving regressors using boosting techniques", International Conference on Machine Learning, 1997.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal

import numpy as np

from aprendiz.core.certificate import Certificate
from aprendiz.core.learner import Regressor
from aprendiz.core.parameters import Count, Seed
from aprendiz.core.rows import Array, Rows
from aprendiz.ensemble.forest.descent import ForestDescent
from aprendiz.ensemble.forest.forest import Forest
from aprendiz.ensemble.members.bags import Bags
from aprendiz.ensemble.members.boosting import Boosting, Rate, bound
from aprendiz.ensemble.members.ensemble_data import EnsembleData, Member
from aprendiz.ensemble.members.one_target import refuse_several
from aprendiz.tree.contributions.additive_trees import AdditiveTrees
from aprendiz.tree.decision_tree_regressor import DecisionTreeRegressor


class AdaBoostRegressor(Regressor, Boosting):
    """AdaBoost.R2 (drop-in for scikit-learn's; words and missing cells, a proved bound of large errors).

    Parameters
    ----------
    estimator : regressor, optional
        The base learner; by default, DecisionTreeRegressor(max_depth=3).
    n_estimators : int, default=50
        Number of members.
    learning_rate : float, default=1.0
        The factor of (1), which shrinks the weight of each member; a smaller rate needs more members.
    loss : {"linear", "square", "exponential"}, default="linear"
        L of (1).
    random_state : int, RandomState or None
    warm_start : bool, default=False
        Whether to keep the members of the previous fit, to the same rows, and add more, up to n_estimators.

    Attributes
    ----------
    estimator_ : regressor
        The base learner.
    estimators_ : sequence of regressors
        The members; trees are created on access.
    estimator_weights_, estimator_errors_ : ndarray of shape (members,)
        α and e of (1).
    feature_importances_ : ndarray of shape (n_features,)
        The mean decrease in impurity, weighted by the weights of the members.
    importances_ : ndarray of shape (members, n_features)
        The same for each member.
    forest_ : Forest
        The nodes of all members, if they are trees of this library.
    models_ : list
        The members, if they are not.
    columns_ : Columns or None
        The schema of the columns, if some are categorical.
    search_ : {"exact", "binned"}
        Whether every value was a candidate threshold: up to 1 024 rows.
    stopped_ : str
        "converged", or why there are fewer than n_estimators members.
    certificate_ : Certificate
        The part of the rows that the median misses by the largest error of all members, and (2).
    """

    differences = {
        "estimator": "another form: where metadata is routed, weights are taken as by any learner, not refused",
        "estimators_": "another form: a sequence that creates each tree on access",
        "estimator_weights_": "another form: no entries for members that were not fitted, if the fit stopped early",
        "estimator_errors_": "another form: no entries for members that were not fitted, if the fit stopped early",
    }
    exceptions = {
        "same answer": "other random numbers",
        "memory": "the codes of the rows, a byte for each cell, stay in memory",
        "row order": "bags are drawn by the numbers of the rows",
        "column order": "of equal gains the first column is taken, and small nodes have many",
        "weights": "a row of weight two is twice as likely to be drawn, but a bag has as many rows as the table",
        "check_sample_weight_equivalence_on_dense_data": "a bag has as many rows as the table, repeated or not",
        "check_sample_weight_equivalence_on_sparse_data": "a bag has as many rows as the table, repeated or not",
    }
    tuning = {"n_estimators": (50, 200), "loss": ("linear", "square")}
    needs_weights = False

    def __init__(
        self,
        estimator: Any = None,
        *,
        n_estimators: Count = 50,
        learning_rate: Rate = 1.0,
        loss: Literal["linear", "square", "exponential"] = "linear",
        random_state: Seed = None,
        warm_start: bool = False,
    ):
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.learning_rate = learning_rate
        self.loss = loss
        self.random_state = random_state
        self.warm_start = warm_start

    def usual(self) -> DecisionTreeRegressor:
        return DecisionTreeRegressor(max_depth=3)

    def open(self, X: Any, y: Any = None, sample_weight: Any = None, *, reset: bool = True) -> Rows:
        rows = super().open(X, y, sample_weight, reset=reset)
        rows.first(lambda block: refuse_several(block, "an AdaBoostRegressor"))
        return rows

    # ---- the fit -------------------------------------------------------------------------------------------------------

    def member(self, number: int, data: EnsembleData, weight: Array | None = None) -> Member:
        count = data.count
        weight = data.weights if weight is None else weight
        return super().member(number, data, Bags(data.seed, count, count, True, weight, None, count).counts(number))

    def losses_of(self, member: Member, data: EnsembleData) -> Array:
        """L of (1)."""
        off = np.abs(member.said[:, 0] - data.y.reshape(-1))
        largest = off.max()
        return self.apply_loss(off / largest if largest > 0 else off)

    def apply_loss(self, off: Any) -> Any:
        """L of (1) from |ŷ − y|/D."""
        return {"linear": off, "square": off * off, "exponential": 1.0 - np.exp(-off)}[self.loss]

    def chance(self, data: EnsembleData) -> float:
        return 0.5

    def member_weight(self, error: float, data: EnsembleData) -> float:
        return float(self.learning_rate * np.log((1.0 - error) / error))

    def refuse_first(self, error: float, data: EnsembleData) -> None:
        """A single member is a model, if not a boosted one: it is kept."""

    def bound_theta(self, data: EnsembleData) -> float:
        return 1.0 - float(self.apply_loss(np.ones(()))) / 2.0

    def attributes_of_kind(self, state: Any, data: EnsembleData) -> dict[str, Any]:
        return {**super().attributes_of_kind(state, data), **self.boosting_attributes(state, data)}

    def certify(self, state: Any, data: EnsembleData) -> dict[str, Any]:
        """The certificate: the weight of the rows that the median misses by the largest error of any member is at most the
        product of the members' factors, up to 10⁻⁹ of the whole."""
        truth, weight = data.y.reshape(-1), data.weights / data.weights.sum()
        said_of_rows = of_answers(
            lambda said: np.column_stack([said.min(axis=1), said.max(axis=1), weighted_medians(said, state.member_weights)]),
            *(state.forest(0), state.models, data.rows),
        )
        low, high, median = data.that_count(said_of_rows).T
        largest, off = float(np.maximum(np.abs(low - truth), np.abs(high - truth)).max()), np.abs(median - truth)
        missed = float(weight @ (off >= largest)) if largest > 0 else 0.0
        limit = min(1.0, bound(state.errors, state.member_weights, self.bound_theta(data)))
        known = {
            "objective": state.objective,
            "missed": missed,
            "bound": limit,
            "largest_error": largest,
            "mean_error": float(weight @ off),
        }
        claim = "the rows that the median misses by the largest error are no more than the members allow"
        return {"certificate_": Certificate(claim, missed <= limit + 1e-9, known)}

    # ---- predictions ---------------------------------------------------------------------------------------------------

    def additive_trees(self) -> AdditiveTrees:
        raise TypeError("The prediction of AdaBoostRegressor is a weighted median of its trees, which is not a sum of them.")

    def predict(self, X: Any) -> Array:
        """The weighted median of the members' predictions for each row."""
        rows = self.new_rows(X)
        return of_answers(lambda said: weighted_medians(said, self.member_weights()), self.forest_, self.models_, rows)

    def staged_predict(self, X: Any) -> Iterator[Array]:
        """The predictions of the first member, of the first two, …"""
        rows = self.new_rows(X)
        said = of_answers(np.asarray, self.forest_, self.models_, rows)
        return (weighted_medians(said[:, :m], self.member_weights()[:m]) for m in range(1, len(self) + 1))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = False
        return tags


def of_answers(what: Callable[[Array], Array], forest: Forest, models: Any, rows: Rows) -> Array:
    """A function of what the members (columns) say of the rows; with trees, of some rows after the others."""
    if len(models):
        return what(np.column_stack([model.answers(rows)[:, 0] for model in models]))
    descent, value, trees = ForestDescent(forest), np.ascontiguousarray(forest.value[:, 0]), range(len(forest))
    return rows.each(lambda block: what(np.column_stack([value.take(descent.answers(tree, block)) for tree in trees])))


def weighted_medians(said: Array, member_weights: Array) -> Array:
    """In each row the least entry such that the entries up to it have half of the weights of the members."""
    order = np.argsort(said, axis=1, kind="stable")
    below = np.cumsum(member_weights[order], axis=1)
    middle = (below >= 0.5 * below[:, -1:]).argmax(axis=1)
    rows = np.arange(len(said))
    return said[rows, order[rows, middle]]
