"""What ensembles are: members that are made one after the other, and an answer that is a sum of theirs.

    answer(x) = Σ_m α_m v_m(x) / Σ_m α_m,     v_m: shares of the classes, one class, or a number                  (1)

A member is a function of the seed and its number, so members are made side by side, and every fit to the same data gives the
same ensemble. A state of the fit is the ensemble of its first members: more members are more states, an interrupted fit is a
smaller ensemble, and `warm_start` goes on from the last state.

Members that are decision trees grow on one coded table and stand in one forest (forest.py); other members are learners.
"""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.certificate import Certificate
from aprendiz.core.iteration import Iterative, State
from aprendiz.core.learner import Learner
from aprendiz.core.parameters import ParameterError
from aprendiz.core.random import draw_seed
from aprendiz.core.rows import Array, Rows
from aprendiz.core.sources.arrays import in_memory
from aprendiz.core.threads import ordered_map
from aprendiz.ensemble.forest.descent import ForestDescent
from aprendiz.ensemble.forest.forest import ARRAYS, Forest, GrowingArray, GrowingForest
from aprendiz.ensemble.forest.stored_forest import FORESTS
from aprendiz.ensemble.members.bags import Bags
from aprendiz.ensemble.members.ensemble_data import EnsembleData, Member
from aprendiz.ensemble.out_of_bag.out_of_bag import OutOfBag

KEPT = 2**22  # cells of a table that an ensemble remembers, to say later what its members had not seen


@dataclass(frozen=True)
class EnsembleState(State):
    """The ensemble of the first iteration + 1 members: the seed, and whether every value was a candidate; the arrays of its
    forest, or its other members; the part of each column in each tree; the part of the weight of its rows that a tree does not
    account for; and the out-of-bag sums and errors (empty where nobody asked for them)."""

    seed: int
    exact: bool
    start: Array
    nodes: Array
    level_start: Array
    level_branch: Array
    impurity: Array
    value: Array
    leaf_rows: Array
    leaf_weight: Array
    importance: Array
    lost: Array
    oob_total: Array
    oob_votes: Array
    oob_errors: Array
    models: tuple[Any, ...] = ()

    def forest(self, classes: int) -> Forest:
        """The trees."""
        return Forest(**{name: getattr(self, name) for name in ARRAYS}, classes=classes)


class Ensemble(Iterative):
    """The base of all ensembles."""

    stored_check = FORESTS

    State: ClassVar[type[Any]] = EnsembleState
    allows = frozenset({"sparse", "missing", "categories"})
    n_estimators: int
    warm_start: bool = False
    oob_score: Any = False
    patience: int | None = None
    random_state: Any = None
    forest_: Forest
    models_: list[Any]
    bags_: Bags | None
    costs_: Array | None

    # ---- what a kind of ensemble says ----------------------------------------------------------------------------------

    @abstractmethod
    def prepared_data(self, rows: Rows, seed: int) -> EnsembleData:
        """Where the members are made."""

    @abstractmethod
    def member(self, number: int, data: EnsembleData) -> Member:
        """One member."""

    @abstractmethod
    def votes(self, answers: Array, costs: Array | None) -> Array:
        """v of (1) from the answers of members."""

    @abstractmethod
    def losses(self, data: EnsembleData, total: Array, votes: Array, rows: Array) -> Array:
        """The loss of the out-of-bag answers for some rows."""

    @abstractmethod
    def concluded(self, state: Any, data: EnsembleData) -> dict[str, Any]:
        """The fitted attributes of its kind."""

    # ---- the fit -------------------------------------------------------------------------------------------------------

    def open(self, X: Any, y: Any = None, sample_weight: Any = None, *, reset: bool = True) -> Rows:
        """Training data as checked rows."""
        return Learner.open(self, X, y, sample_weight, reset=reset)

    def most_states(self) -> int:
        return self.n_estimators

    def states(self, rows: Rows, since: Any = None) -> Iterator[Any]:
        seed = draw_seed(self.random_state) if since is None else since.seed
        done = 0 if since is None else since.iteration + 1
        if done >= self.n_estimators or (since is not None and self.levelled(since.oob_errors)):
            return
        data = self.prepared_data(rows, seed)
        so_far = MembersSoFar(since, data, self.n_estimators - done)
        tally = self.tally(since, data)
        numbers = range(done, self.n_estimators)
        with closing(ordered_map(lambda number: self.member(number, data), numbers)) as members:
            for number, member in zip(numbers, members, strict=True):
                so_far.add(member)
                if tally is not None:
                    tally.add(member.rows, self.votes(member.said, data.costs))
                    so_far.errors.add(np.array([tally.error]))
                ended = number + 1 == self.n_estimators or self.levelled(so_far.errors.view)
                objective = member.impurity if tally is None else tally.error
                yield self.State(number, objective, ended, seed, data.maker.exact, **so_far.arrays, **sums_of(tally))
                if ended:
                    return

    def tally(self, since: Any, data: EnsembleData) -> OutOfBag | None:
        """The out-of-bag sums so far, where they are asked for."""
        if not (self.oob_score or self.patience):
            return None
        if since is not None and len(since.oob_votes) != data.count:
            raise ParameterError(
                f"The fit before kept out-of-bag sums of {len(since.oob_votes)} rows, and now there are {data.count}: with "
                "warm_start=True give the same rows, and oob_score from the first fit on."
            )
        total = np.zeros((data.count, data.outputs)) if since is None else since.oob_total
        votes = np.zeros(data.count, np.int32) if since is None else since.oob_votes
        return OutOfBag(total, votes, data.weight, lambda *some: self.losses(data, *some))

    def levelled(self, errors: Array) -> bool:
        """Has the out-of-bag error not fallen below its least for `patience` members?"""
        if not self.patience or len(errors) <= self.patience:
            return False
        return bool(np.nanmin(errors[: -self.patience]) <= np.nanmin(errors[-self.patience :]))

    def attributes(self, state: Any, rows: Rows) -> dict[str, Any]:
        data = self.prepared_data(rows, state.seed)
        return {
            "forest_": state.forest(data.classes),
            "models_": list(state.models),
            "search_": "exact" if state.exact else "binned",
            "bags_": data.bags,
            "costs_": data.costs,
            "importances_": state.importance,
            "certificate_": accounted(state),
            **self.concluded(state, data),
        }

    def row_attributes(self, state: Any, rows: Rows) -> dict[str, Any]:
        few = in_memory(rows) and rows.X.shape[0] * rows.columns <= KEPT
        return {"_table": rows if few else None, "_state": state if self.warm_start else None}

    def earlier_state(self, rows: Rows) -> Any:
        """The state of the fit before, to which `warm_start` adds members."""
        since = self.__dict__.get("_state")
        if not self.warm_start or since is None:
            return None
        before = since.iteration + 1
        if self.n_estimators < before:
            raise ParameterError(
                f"n_estimators={self.n_estimators} must be larger or equal to the {before} members of the fit before when "
                "warm_start=True: raise it, or set warm_start=False."
            )
        columns, labels = self.n_features_in_, getattr(self, "classes_", None)
        if rows.columns != columns or (labels is not None and not np.array_equal(labels, np.asarray(rows.labels))):
            raise ParameterError(
                f"warm_start=True adds members to those of the fit before, which had {columns} columns"
                f"{'' if labels is None else f' and the classes {labels.tolist()[:20]}'}: give such rows, or set it to False."
            )
        if self.n_estimators == before:
            warnings.warn("Warm-start fitting without increasing n_estimators does not fit new trees.", stacklevel=4)
        return since

    # ---- the answer ----------------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        """The number of members."""
        check_is_fitted(self)
        return len(self.models_) or len(self.forest_)

    def voices(self) -> Array:
        """α of (1)."""
        return np.ones(len(self))

    def sums(self, X: Any) -> Array:
        """Σ_m α_m v_m(x) for each row."""
        rows, voices = self.new_rows(X), self.voices()
        if self.models_:
            *_, total = self.staged_sums(rows)
            return total
        table = np.ascontiguousarray(self.votes(self.forest_.value, self.costs_))
        return rows.each(ForestDescent(self.forest_).sums, table, voices)

    def staged_sums(self, X: Any) -> Iterator[Array]:
        """The sums of the first member, of the first two, …; the array is used again."""
        rows, total = self.new_rows(X), None
        for voice, said in zip(self.voices(), self.each_member(rows), strict=True):
            said = voice * self.votes(said, self.costs_)
            total = said if total is None else np.add(total, said, out=total)
            yield total

    def each_member(self, rows: Rows) -> Iterator[Array]:
        """The answers of each member for all rows."""
        if self.models_:
            yield from (model.answers(rows) for model in self.models_)
            return
        for tree in range(len(self.forest_)):
            yield self.forest_.value.take(rows.each(ForestDescent(self.forest_).answers, tree), axis=0)

    def apply(self, X: Any) -> Array:
        """The number of the leaf that each row reaches in each tree."""
        self.refuse_models("apply")
        return self.new_rows(X).each(ForestDescent(self.forest_).leaves)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        return tags

    def refuse_models(self, what: str) -> None:
        """What only trees can tell."""
        check_is_fitted(self)
        if self.models_:
            raise TypeError(f"{what} needs decision trees, but the members of this ensemble are not.")


# ---- members so far ------------------------------------------------------------------------------------------------------


class MembersSoFar:
    """The members so far, as a state holds them."""

    def __init__(self, since: Any, data: EnsembleData, members: int):
        bare = data.maker.bare
        self.growing = GrowingForest(bare if since is None else since.forest(bare.classes), members)
        self.models: tuple[Any, ...] = () if since is None else tuple(since.models)
        columns = data.rows.columns
        self.importance = GrowingArray(np.zeros((0, columns)) if since is None else since.importance, members)
        self.lost = GrowingArray(np.zeros(0) if since is None else since.lost, members)
        self.errors = GrowingArray(np.zeros(0) if since is None else since.oob_errors, members)

    def add(self, member: Member) -> None:
        if member.forest is None:
            self.models = (*self.models, member.model)
        else:
            self.growing.add(member.forest)
        self.importance.add(member.importance[None])
        self.lost.add(np.array([member.lost]))

    @property
    def arrays(self) -> dict[str, Any]:
        known = {"importance": self.importance.view, "lost": self.lost.view, "oob_errors": self.errors.view}
        return {**self.growing.forest.arrays, **known, "models": self.models}


def sums_of(tally: OutOfBag | None) -> dict[str, Array]:
    """The out-of-bag sums as a state holds them: they will not change."""
    if tally is None:
        return {"oob_total": np.zeros((0, 0)), "oob_votes": np.zeros(0, np.int32)}
    return {"oob_total": tally.total.copy(), "oob_votes": tally.votes.copy()}


def accounted(state: Any) -> Certificate:
    """Whether the leaves of every tree account for the rows of its bag."""
    lost = float(state.lost.max())
    known = {"objective": state.objective, "members": state.iteration + 1, "lost": lost}
    return Certificate("the leaves of every tree hold all rows of its bag", lost <= 1e-9, known)
