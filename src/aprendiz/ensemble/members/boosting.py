"""Boosting: each member learns from rows that weigh the more, the more the members before it were wrong about them.

Member m has the loss L_mi ∈ [0, 1] on row i (1 for a wrong class), the mean loss e_m = Σ_i w_i L_mi with weights that add to 1,
and the weight α_m of the member. Then

    w_i ← w_i exp(α_m L_mi) / S_m,     S_m ≤ 1 − e_m + e_m exp(α_m)     (equal, where every loss is 0 or 1)       (1)

so that after all members the first weights ω tell what became of a row: Σ_i ω_i exp(Σ_m α_m L_mi) = Π_m S_m. Rows on which the
members lose at least the part 1 − θ of all weights, Σ_m α_m L_mi ≥ (1 − θ) Σ_m α_m, therefore weigh together at most

    B(θ) = Π_m [ (1 − e_m) exp(−(1 − θ) α_m) + e_m exp(θ α_m) ]                                              (2)

A weighted vote that is wrong needs such losses, so (2) bounds the training error: the leaves say with which θ.

A member without any loss ends the fit with a weight of 1, since nothing is left to weigh; one that is no better than chance
ends it too, and is left out. `stopped_` says so. Members follow one another, so none is made before its weights are known.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Annotated, Any, ClassVar, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.parameters import ParameterError, Within
from aprendiz.core.random import draw_seed
from aprendiz.core.rows import Array, Rows
from aprendiz.ensemble.forest.tree_maker import TreeMaker
from aprendiz.ensemble.members.any_members import AnyMembers
from aprendiz.ensemble.members.ensemble import Ensemble
from aprendiz.ensemble.members.ensemble_data import CountingRows, EnsembleData, Member
from aprendiz.ensemble.members.ensemble_state import EnsembleState, MembersSoFar, sums_of
from aprendiz.ensemble.members.stump_maker import StumpMaker, needs_tables_only

LEAST = 1e-100  # of a weight: far below rounding, and products of three do not vanish
Rate = Annotated[float, Within(0, 1e6, above=True)]
ROUNDING = 1e-10  # of a mean loss: closer to chance than this is chance


@dataclass(frozen=True, kw_only=True)
class BoostingState(EnsembleState):
    """The ensemble so far, the weights of the rows for the next member, and the mean loss and the weight of each member."""

    weight: Array
    errors: Array
    member_weights: Array


class Boosting(AnyMembers):
    """The base of boosted ensembles."""

    State: ClassVar[type[Any]] = BoostingState
    needs_weights: ClassVar[bool]
    learning_rate: float
    estimator_weights_: Array
    estimator_errors_: Array

    # ---- what a kind of boosting says ----------------------------------------------------------------------------------

    @abstractmethod
    def losses_of(self, member: Member, data: EnsembleData) -> Array:
        """L of (1), of each row."""

    @abstractmethod
    def chance(self, data: EnsembleData) -> float:
        """The mean loss of a member that knows nothing."""

    @abstractmethod
    def member_weight(self, error: float, data: EnsembleData) -> float:
        """α of (1)."""

    @abstractmethod
    def refuse_first(self, error: float, data: EnsembleData) -> None:
        """What is said of a first member that is no better than chance, unless it is kept with the weight 0."""

    @abstractmethod
    def bound_theta(self, data: EnsembleData) -> float:
        """The θ of the bound that is the objective."""

    @abstractmethod
    def certify(self, state: Any, data: EnsembleData) -> dict[str, Any]:
        """What is known of the predictions for the rows of the fit."""

    # ---- the fit -------------------------------------------------------------------------------------------------------

    def prepared_data(self, rows: Rows, seed: int) -> EnsembleData:
        given = self.rows_for_members(rows)
        costs = self.costs_of_base(given)
        some = CountingRows.of(given)
        return EnsembleData(seed, some.table, some.y, some.weight, costs, self.boosted_maker, None, some.there)

    def boosted_maker(self, data: EnsembleData) -> Any:
        """What makes the members: stumps have a way of their own."""
        maker = self.maker(data, required=self.needs_weights)
        if isinstance(maker, TreeMaker) and needs_tables_only(maker.plan, maker.table, maker.classes):
            return StumpMaker(**{field.name: getattr(maker, field.name) for field in fields(maker)})
        return maker

    def states(self, rows: Rows, since: Any = None) -> Iterator[Any]:
        seed = draw_seed(self.random_state) if since is None else since.seed
        done = 0 if since is None else since.iteration + 1
        if done >= self.n_estimators or (since is not None and over(since)):
            return
        data = self.prepared_data(rows, seed)
        so_far = MembersSoFar(since, data, self.n_estimators - done)
        weight, errors, member_weights = start(data) if since is None else resume(since, data)
        for number in range(done, self.n_estimators):
            member = self.member(number, data, weight)
            loss = self.losses_of(member, data)
            error = float((weight * loss).sum())
            useless = error > 0 and error >= (1.0 - ROUNDING) * self.chance(data)
            if useless and number > 0:
                return
            if useless:
                self.refuse_first(error, data)
            member_weight = 0.0 if useless else self.member_weight(error, data) if error > 0 else 1.0
            weight, errors = reweight(weight, loss, member_weight), np.append(errors, error)
            member_weights = np.append(member_weights, member_weight)
            so_far.add(member)
            objective, ended = bound(errors, member_weights, self.bound_theta(data)), number + 1 == self.n_estimators
            own = {"weight": weight, "errors": errors, "member_weights": member_weights}
            state = self.State(number, objective, ended, seed, data.maker.largest_bin, **so_far.arrays, **sums_of(None), **own)
            yield state
            if ended or over(state):
                return

    def member(self, number: int, data: EnsembleData, weight: Array | None = None) -> Member:
        """A member that learns from all rows with their weights (None: those given), and is asked about all of them."""
        weight = data.weights if weight is None else weight.copy()
        member: Member = data.maker.member(weight, data.seed, number, asked=np.arange(data.count, dtype=np.int32))
        return member

    def reason(self, state: Any) -> str:
        return ending(state.errors, state.member_weights)

    def exhaust(self, rows: Rows, report: Callable[[Any, Any], bool]) -> tuple[Any, str]:
        """As always; but that there are no more members to be had is no reason to warn."""
        state, why = super().exhaust(rows, report)
        return state, "converged" if why == self.reason(state) else why

    def settle(self, attributes: Mapping[str, Any]) -> Self:
        """Set the fitted attributes: where there are no more members to be had, `stopped_` says why."""
        member_weights = attributes.get("estimator_weights_", ())
        if attributes.get("stopped_") == "converged" and len(member_weights) < self.n_estimators:
            attributes = {**attributes, "stopped_": ending(attributes["estimator_errors_"], member_weights)}
        return super().settle(attributes)

    def attributes(self, state: Any, rows: Rows) -> dict[str, Any]:
        return Ensemble.attributes(self, state, rows)  # with the certificate of `boosting_attributes`, whatever the members are

    def boosting_attributes(self, state: Any, data: EnsembleData) -> dict[str, Any]:
        """The fitted attributes of boosting."""
        return {"estimator_weights_": state.member_weights, "estimator_errors_": state.errors, **self.certify(state, data)}

    # ---- predictions ---------------------------------------------------------------------------------------------------

    def member_weights(self) -> Array:
        return self.estimator_weights_

    @property
    def feature_importances_(self) -> Array:
        """Impurity-based importances of the columns, averaged by the weights of the members."""
        check_is_fitted(self)
        if np.isnan(self.importances_).any():
            raise AttributeError(f"The members ({type(self.base()).__name__}) have no feature importances.")
        total = self.estimator_weights_.sum()
        member_weights = self.estimator_weights_ / total if total > 0 else np.full(len(self), 1.0 / len(self))
        return member_weights @ self.importances_

    def staged_score(self, X: Any, y: Any, sample_weight: Any = None) -> Iterator[float]:
        """The score of the first member, of the first two, …"""
        from sklearn.metrics import accuracy_score, r2_score

        score = accuracy_score if self.target == "classes" else r2_score
        return (float(score(y, said, sample_weight=sample_weight)) for said in self.staged_predict(X))


def start(data: EnsembleData) -> tuple[Array, Array, Array]:
    """The first weights, and no member yet."""
    weight = data.weights
    return weight / weight.sum(), np.zeros(0), np.zeros(0)


def resume(since: Any, data: EnsembleData) -> tuple[Array, Array, Array]:
    """Where a state left off."""
    if len(since.weight) != data.count:
        raise ParameterError(
            f"warm_start goes on with the weights of the {len(since.weight)} rows of the fit before, and now there are "
            f"{data.count}: give the same rows, or set warm_start=False."
        )
    return since.weight, since.errors, since.member_weights


def over(state: Any) -> bool:
    """Was the last member perfect, or of no use?"""
    return bool(state.errors[-1] == 0.0 or state.member_weights[-1] <= 0.0)


def ending(errors: Array, member_weights: Array) -> str:
    """Why no member follows these."""
    if errors[-1] == 0.0:
        return f"member {len(errors)} has no loss on any row, so that nothing is left to weigh"
    if member_weights[-1] <= 0.0:
        return "the first member is no better than chance"
    return f"member {len(errors) + 1} would be no better than chance"


def reweight(weight: Array, loss: Array, member_weight: float) -> Array:
    """(1)."""
    after = weight * np.exp(member_weight * (loss - 1.0))  # not exp(α L), which may be too large for a number
    return np.maximum(after / after.sum(), LEAST)


def bound(errors: Array, member_weights: Array, theta: float) -> float:
    """B(θ) of (2)."""
    with np.errstate(divide="ignore", over="ignore"):  # no error at all, or steps so large that nothing is bounded
        parts = np.logaddexp(np.log1p(-errors) - (1.0 - theta) * member_weights, np.log(errors) + theta * member_weights)
        return float(np.exp(parts.sum()))
