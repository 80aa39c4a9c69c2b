"""AdaBoost for classes (SAMME). The weights of rows and members and the bound B(θ) are in boosting.py.

A member has loss 1 on a row whose class it does not predict. With K classes and the weighted error e,

    α = learning_rate · [ log((1 − e)/e) + log(K − 1) ],     above 0 while e < 1 − 1/K                        (1)

Let v_k(x) be the share of Σ_m α_m of the members that predict class k. The prediction is the class of the largest v_k, and

    f_k(x) = v_k − (1 − v_k)/(K − 1),     p_k ∝ exp(f_k / (K − 1)),     margin of a row = v_y − max_{k ≠ y} v_k   (2)

With a true class y, v_y ≤ θ for at most the part B(θ) of the rows (by weight). A wrong prediction has v_y ≤ ½, so

    training error ≤ B(½),     with two classes and learning_rate = 1 it is Π_m 2√(e_m (1 − e_m))             (3)

B(1/K) is the exponential loss that SAMME lowers: it falls with every member that is better than chance, and bounds the rows
whose true class has no more weight than by chance. With two classes that is (3). With more, a wrong class may have
v_y > 1/K, and B(½) falls only with members of e < 1/K (at learning_rate = 1): it may be above 1, and then says nothing.

References: Freund & Schapire, "A decision-theoretic generalization of on-line learning and an application to boosting", Journal
of Computer and System Sciences 55, 1997; Zhu, Zou, Rosset & Hastie, "Multi-class AdaBoost", Statistics and Its Interface 2,
2009; Schapire, Freund, Bartlett & Lee, "Boosting the margin", Annals of Statistics 26, 1998.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.utils.extmath import softmax
from sklearn.utils.validation import check_is_fitted

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.certificate import Certificate
from aprendiz.core.learner import Classifier
from aprendiz.core.parameters import Count, Seed
from aprendiz.core.rows import Array
from aprendiz.core.targets import classes
from aprendiz.ensemble.forest.descent import ForestDescent
from aprendiz.ensemble.members.boosting import Boosting, Rate, bound
from aprendiz.ensemble.members.ensemble_data import EnsembleData, Member
from aprendiz.tree.decision_tree_classifier import DecisionTreeClassifier


class AdaBoostClassifier(Classifier, Boosting):
    """AdaBoost (drop-in for scikit-learn's; words and missing cells, a proved bound of the training error, margins).

    Parameters
    ----------
    estimator : classifier, optional
        The base learner, which must support sample_weight; by default, DecisionTreeClassifier(max_depth=1).
    n_estimators : int, default=50
        Number of members.
    learning_rate : float, default=1.0
        The factor of (1), which shrinks the weight of each member; a smaller rate needs more members.
    random_state : int, RandomState or None
        For members that use random numbers.
    warm_start : bool, default=False
        Whether to keep the members of the previous fit, to the same rows, and add more, up to n_estimators.

    Attributes
    ----------
    estimator_ : classifier
        The base learner.
    estimators_ : sequence of classifiers
        The members; trees are created on access.
    estimator_weights_, estimator_errors_ : ndarray of shape (members,)
        α and e of (1).
    classes_, n_classes_ : labels of the classes, and their number
    margins_ : ndarray of shape (5,)
        Least margin, quartiles and largest margin of the rows of the fit.
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
        Training error and its bound (3); the rows with v_y ≤ 1/K (`unheard`), and their bound B(1/K) (`objective`); margins.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> found = AdaBoostClassifier(n_estimators=20).fit(X, y).certificate_
    >>> print(f"training error {found.error:.4f}, at most {found.bound:.4f}")
    training error 0.0105, at most 0.0545
    """

    least_classes = 1
    differences = {
        "estimator": "another form: X is a table of rows and columns, whatever the members would take; where metadata is "
        "routed, weights are taken as by any learner, not refused",
        "learning_rate": "another form: weights of rows stay finite with large rates, so that there is nothing to warn of",
        "estimators_": "another form: a sequence that creates each tree on access",
        "estimator_weights_": "another form: no entries for members that were not fitted, if the fit stopped early",
        "estimator_errors_": "another form: no entries for members that were not fitted, if the fit stopped early",
    }
    exceptions = {
        "same answer": "among equal gains scikit-learn takes a random column, this library the first",
        "memory": "the codes of the rows, a byte for each cell, stay in memory",
    }
    tuning = {"n_estimators": (50, 200), "learning_rate": (0.1, 1.0)}
    needs_weights = True
    voting = "hard"
    adds = "votes"  # probabilities follow from their shares, but not as a sum
    margins_: Array

    def __init__(
        self,
        estimator: Any = None,
        *,
        n_estimators: Count = 50,
        learning_rate: Rate = 1.0,
        random_state: Seed = None,
        warm_start: bool = False,
    ):
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.learning_rate = learning_rate
        self.random_state = random_state
        self.warm_start = warm_start

    def usual(self) -> DecisionTreeClassifier:
        return DecisionTreeClassifier(max_depth=1)

    # ---- the fit -------------------------------------------------------------------------------------------------------

    def losses_of(self, member: Member, data: EnsembleData) -> Array:
        loss = np.empty(data.count)
        mark_wrong(self.scores(member.said, data.costs), data.y, loss)
        return loss

    def chance(self, data: EnsembleData) -> float:
        return 1.0 - 1.0 / data.classes

    def member_weight(self, error: float, data: EnsembleData) -> float:
        """(1)."""
        return float(self.learning_rate * (np.log((1.0 - error) / error) + np.log(data.classes - 1.0)))

    def refuse_first(self, error: float, data: EnsembleData) -> None:
        raise ValueError(
            f"BaseClassifier in AdaBoostClassifier ensemble is worse than random, ensemble can not be fit: the first member "
            f"({type(self.base()).__name__}) is wrong on {error:.3g} of the weight, and guessing among {data.classes} classes "
            f"is on {self.chance(data):.3g}. Use a more flexible estimator."
        )

    def bound_theta(self, data: EnsembleData) -> float:
        return 1.0 / data.classes

    def attributes_of_kind(self, state: Any, data: EnsembleData) -> dict[str, Any]:
        return {**super().attributes_of_kind(state, data), **self.boosting_attributes(state, data)}

    def certify(self, state: Any, data: EnsembleData) -> dict[str, Any]:
        """The certificate: the weight of the rows that the vote gets wrong is at most the product of the members' factors, and
        that of the rows whose class gets no more than its share of the votes at most the objective, both up to 10⁻⁹ of the
        whole."""
        shares, weight = self.shares_of_fit(state, data), data.weights / data.weights.sum()
        own, margin = own_and_margin(shares, data.y)
        margins = quantiles(margin, weight, np.linspace(0.0, 1.0, 5))
        wrong, unheard = shares.argmax(axis=1) != data.y, own <= self.bound_theta(data)
        known = {
            "objective": state.objective,
            "error": float(weight[wrong].sum()),
            "bound": min(1.0, bound(state.errors, state.member_weights, 0.5)),
            "unheard": float(weight[unheard].sum()),
            **dict(zip(("least_margin", "lower_quartile", "median_margin", "upper_quartile"), margins.tolist(), strict=False)),
        }
        holds = known["error"] <= known["bound"] + 1e-9 and known["unheard"] <= known["objective"] + 1e-9
        claim = "the training error is at most the product of the factors of the members"
        return {"margins_": margins, "certificate_": Certificate(claim, holds, known)}

    def shares_of_fit(self, state: Any, data: EnsembleData) -> Array:
        """v of (2) for the rows of the fit."""
        if state.models:
            total = sum(
                member_weight * self.votes(model.answers(data.rows), data.costs)
                for member_weight, model in zip(state.member_weights, state.models, strict=True)
            )
        else:
            forest = state.forest(data.classes)
            total = data.rows.each(ForestDescent(forest).sums, self.votes(forest.value, data.costs), state.member_weights)
        return data.that_count(np.asarray(total / state.member_weights.sum()))

    # ---- predictions ---------------------------------------------------------------------------------------------------

    def votes(self, answers: Array, costs: Array | None) -> Array:
        """A 1 for the class that a member says."""
        return np.eye(answers.shape[1])[self.scores(answers, costs).argmax(axis=1)]

    def scores(self, answers: Array, costs: Array | None) -> Array:
        """What is largest for the class that a member says."""
        assert costs is not None
        equal = (costs[~np.eye(len(costs), dtype=bool)] == 1.0).all()
        return answers if equal else -np.einsum("ik,kl->il", answers, costs)  # row by row: the bits of a row are its own

    def decide(self, total: Array, member_weight: float | Array) -> Array:
        """The class of the largest v of (2)."""
        return self.classes_[total.argmax(axis=1)]

    def decision_function(self, X: Any) -> Array:
        """f of (2); with two classes the difference of both."""
        return self.differing(self.sums(X), float(self.member_weights().sum()))

    def staged_decision_function(self, X: Any) -> Iterator[Array]:
        """`decision_function` of the first member, of the first two, …"""
        weights = np.cumsum(self.member_weights())
        return (self.differing(total, float(w)) for w, total in zip(weights, self.staged_sums(X), strict=True))

    def differing(self, total: Array, member_weight: float) -> Array:
        """f of (2) from sums of weights; 0 for a class that has no rival."""
        if self.n_classes_ == 1:
            return np.zeros_like(total)
        shares, rivals = total / member_weight, self.n_classes_ - 1
        f = shares - (1.0 - shares) / rivals
        return f[:, 1] - f[:, 0] if rivals == 1 else f

    def predict_proba(self, X: Any) -> Array:
        """p of (2)."""
        return self.probabilities(self.decision_function(X))

    def staged_predict_proba(self, X: Any) -> Iterator[Array]:
        """`predict_proba` of the first member, of the first two, …"""
        return (self.probabilities(f) for f in self.staged_decision_function(X))

    def probabilities(self, f: Array) -> Array:
        """p of (2) from f."""
        if self.n_classes_ == 2:
            return np.asarray(softmax(np.column_stack([-f, f]) / 2.0))
        return np.asarray(softmax(f / max(self.n_classes_ - 1, 1)))

    def margins(self, X: Any, y: Any) -> Array:
        """The margin (2) of each row: 1 if all members are right, 0 or less if the prediction may be wrong, −1 if all agree on
        another class."""
        check_is_fitted(self)
        shares = self.sums(X) / self.member_weights().sum()
        return own_and_margin(shares, classes(y, len(shares), among=self.classes_)[1])[1]


def own_and_margin(shares: Array, y: Array) -> tuple[Array, Array]:
    """The part of the weights of the members for the true class of each row, and how far it is ahead of the next."""
    rows = np.arange(len(y))
    own, others = shares[rows, y], shares.copy()
    others[rows, y] = 0.0
    return own, own - others.max(axis=1)


def quantiles(values: Array, weight: Array, parts: Array) -> Array:
    """The least values that so much of the weight does not exceed: rows of weight 2 count as two rows."""
    order = np.argsort(values, kind="stable")
    below = np.cumsum(weight[order])
    at = np.searchsorted(below, parts * below[-1] * (1.0 - 1e-12))
    return values[order][np.minimum(at, len(order) - 1)]


@compiled
def mark_wrong(scores: Array, y: Array, loss: Array) -> None:
    """1 for each row whose largest score, the first of equals, is not that of its class."""
    for i in range(len(y)):
        best = int64(0)
        for k in range(1, scores.shape[1]):
            if scores[i, k] > scores[i, best]:
                best = k
        loss[i] = 1.0 if best != y[i] else 0.0
