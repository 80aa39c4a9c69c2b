"""What ensembles are: members that are made one after the other, and a prediction that is a sum of theirs.

    prediction(x) = Σ_m α_m v_m(x) / Σ_m α_m,     v_m: shares of the classes, one class, or a number              (1)

A member is a function of the seed and its number, so members are made side by side, and every fit to the same data gives the
same ensemble. A state of the fit is the ensemble of its first members: more members are more states, an interrupted fit is a
smaller ensemble, and `warm_start` goes on from the last state.

Members that are decision trees grow on one coded table and stand in one forest (forest.py); other members are learners.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import closing
from typing import Any, ClassVar, Literal

import numpy as np
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.iteration import Iterative
from aprendiz.core.learner import Learner
from aprendiz.core.parameters import ParameterError
from aprendiz.core.random import draw_seed
from aprendiz.core.routing import NO_METADATA
from aprendiz.core.rows import Array, Rows
from aprendiz.core.several_targets import blocks, codes_of, labelled
from aprendiz.core.sources.arrays import in_memory
from aprendiz.core.threads import ordered_map
from aprendiz.ensemble import OutOfBagImportances, TreeCorrelation
from aprendiz.ensemble.forest.descent import ForestDescent
from aprendiz.ensemble.forest.forest import Forest
from aprendiz.ensemble.forest.stored_forest import FORESTS
from aprendiz.ensemble.importance import correlation, permutation, proximity
from aprendiz.ensemble.members.averaging import as_target, averaging_attributes, squared_losses
from aprendiz.ensemble.members.bags import Bags
from aprendiz.ensemble.members.ensemble_data import EnsembleData, Member
from aprendiz.ensemble.members.ensemble_state import EnsembleState, MembersSoFar, leaves_certificate, state_before, sums_of
from aprendiz.ensemble.members.several_targets import attributes_of_targets, losses_of_targets
from aprendiz.ensemble.members.sum_of_votes import sum_of_votes
from aprendiz.ensemble.members.voting import best_classes, hard_votes, logarithms, voting_attributes, zero_one_losses
from aprendiz.ensemble.out_of_bag.late_judgement import OF_OUT_OF_BAG, answers_of_members, judged
from aprendiz.ensemble.out_of_bag.out_of_bag import OutOfBag
from aprendiz.tree.contributions.additive_trees import AdditiveTrees, Meaning
from aprendiz.tree.contributions.row_contributions import RowContributions, explain

KEPT = 2**22  # cells of a table that an ensemble remembers, to say later what its members had not seen


def says_classes(model: Any) -> bool:
    """Does an ensemble say classes, rather than numbers?"""
    return bool(model.target == "classes")


def draws_rows(model: Any) -> bool:
    """Do the members of an ensemble learn from bags of rows?"""
    return hasattr(model, "bootstrap")


class Ensemble(Iterative):
    """The base of all ensembles. A kind of ensemble says what its members are made from, and makes one."""

    stored_check = FORESTS

    State: ClassVar[type[Any]] = EnsembleState
    allows = frozenset({"sparse", "missing", "categories"})
    n_estimators: int
    warm_start: bool = False
    oob_score: Any = False
    patience: int | None = None
    random_state: Any = None
    voting: Literal["soft", "hard"] = "soft"
    adds: ClassVar[Meaning] = "probability"  # what the votes of classifiers add up to
    recursive_dependence: ClassVar[bool] = False
    classes_: Any  # an array, or a list of one for each of several targets
    forest_: Forest
    models_: list[Any]
    bags_: Bags | None
    estimators_: Any
    costs_: Array | None

    # ---- what a kind of ensemble says ----------------------------------------------------------------------------------

    @abstractmethod
    def prepared_data(self, rows: Rows, seed: int) -> EnsembleData:
        """Where the members are made."""

    @abstractmethod
    def member(self, number: int, data: EnsembleData) -> Member:
        """One member."""

    # ---- the fit -------------------------------------------------------------------------------------------------------

    def open(self, X: Any, y: Any = None, sample_weight: Any = None, *, reset: bool = True) -> Rows:
        """Training data as checked rows."""
        return Learner.open(self, X, y, sample_weight, reset=reset)

    def most_states(self) -> int:
        return self.n_estimators

    def states(self, rows: Rows, since: Any = None) -> Iterator[Any]:
        seed = draw_seed(self.random_state) if since is None else since.seed
        done = 0 if since is None else since.iteration + 1
        late = since is not None and self.judges_out_of_bag() and not len(since.oob_votes)
        if not late and (done >= self.n_estimators or (since is not None and self.has_levelled(since.oob_errors))):
            return
        data = self.prepared_data(rows, seed)
        if late:
            since = judged(self, since, data)
            yield since
            if done >= self.n_estimators or self.has_levelled(since.oob_errors):
                return
        so_far = MembersSoFar(since, data, self.n_estimators - done)
        tally = self.tally(since, data)
        numbers = range(done, self.n_estimators)
        with closing(ordered_map(lambda number: self.member(number, data), numbers)) as members:
            for number, member in zip(numbers, members, strict=True):
                so_far.add(member)
                if tally is not None:
                    tally.add(member.rows, self.votes(member.said, data.costs))
                    so_far.errors.add(np.array([tally.error]))
                ended = number + 1 == self.n_estimators or self.has_levelled(so_far.errors.view)
                objective = member.impurity if tally is None else tally.error
                yield self.State(number, objective, ended, seed, data.maker.largest_bin, **so_far.arrays, **sums_of(tally))
                if ended:
                    return

    def judges_out_of_bag(self) -> bool:
        """Are out-of-bag predictions asked for?"""
        return bool(self.oob_score or self.patience)

    def tally(self, since: Any, data: EnsembleData) -> OutOfBag | None:
        """The out-of-bag sums so far, where they are asked for."""
        if not self.judges_out_of_bag():
            return None
        if since is not None and len(since.oob_votes) != data.count:
            raise ParameterError(
                f"The fit before kept out-of-bag sums of {len(since.oob_votes)} rows, and now there are {data.count}: with "
                "warm_start=True give the same rows."
            )
        total = np.zeros((data.count, data.outputs)) if since is None else since.oob_total
        votes = np.zeros(data.count, np.int32) if since is None else since.oob_votes
        return OutOfBag(total, votes, data.weight, lambda *some: self.losses(data, *some))

    def losses(self, data: EnsembleData, total: Array, votes: Array, rows: Array) -> Array:
        """The loss of the out-of-bag predictions for some rows."""
        if data.rows.several is not None:
            return losses_of_targets(data, total, rows)
        return zero_one_losses(data, total, rows) if says_classes(self) else squared_losses(data, total, votes, rows)

    def has_levelled(self, errors: Array) -> bool:
        """Has the out-of-bag error not fallen below its least for `patience` members?"""
        if not self.patience or len(errors) <= self.patience:
            return False
        return bool(np.nanmin(errors[: -self.patience]) <= np.nanmin(errors[-self.patience :]))

    def attributes(self, state: Any, rows: Rows) -> dict[str, Any]:
        data = self.prepared_data(rows, state.seed)
        return {
            "forest_": state.forest(data.classes),
            "models_": list(state.models),
            "search_": "binned" if state.largest_bin else "exact",
            "bags_": data.bags,
            "costs_": data.costs,
            "importances_": state.importance,
            "certificate_": leaves_certificate(state),
            **self.attributes_of_kind(state, data),
        }

    def attributes_of_kind(self, state: Any, data: EnsembleData) -> dict[str, Any]:
        """The fitted attributes of its kind."""
        known = voting_attributes if says_classes(self) else averaging_attributes
        known = known if data.rows.several is None else attributes_of_targets
        return known(state, data, self.oob_score, type(self).__name__)

    def row_attributes(self, state: Any, rows: Rows) -> dict[str, Any]:
        few = in_memory(rows) and rows.X.shape[0] * rows.columns <= KEPT
        return {"_table": rows if few else None, "_state": state if self.warm_start else None, "_seed": state.seed}

    def earlier_state(self, rows: Rows) -> Any:
        """The state of the fit before, to which `warm_start` adds members."""
        return state_before(self, rows)

    # ---- predictions ---------------------------------------------------------------------------------------------------

    def predict(self, X: Any) -> Array:
        """The prediction of the ensemble for each row: a class, or the mean of the members' predictions."""
        return self.decide(self.sums(X), float(self.member_weights().sum()))

    def staged_predict(self, X: Any) -> Iterator[Array]:
        """The predictions of the first member, of the first two, …"""
        weights = np.cumsum(self.member_weights())
        return (self.decide(total, float(w)) for w, total in zip(weights, self.staged_sums(X), strict=True))

    @available_if(says_classes)
    def predict_proba(self, X: Any) -> Any:
        """The mean of the votes, class by class; of several targets, a list with those of each."""
        return self.by_target(self.sums(X) / self.member_weights().sum())

    @available_if(says_classes)
    def predict_log_proba(self, X: Any) -> Any:
        """The logarithms of `predict_proba`."""
        return logarithms(self.predict_proba(X))

    @available_if(says_classes)
    def staged_predict_proba(self, X: Any) -> Iterator[Array]:
        """The mean votes of the first member, of the first two, …"""
        weights = np.cumsum(self.member_weights())
        return (self.by_target(total / w) for w, total in zip(weights, self.staged_sums(X), strict=True))

    def by_target(self, shares: Array) -> Any:
        """Shares of the classes; of several targets, a list with those of each."""
        return blocks(shares, self.classes_) if isinstance(self.classes_, list) else shares

    def decide(self, total: Array, weight: float | Array) -> Array:
        """The predictions from sums of votes and the sum of the weights of the members."""
        if isinstance(getattr(self, "classes_", None), list):
            return labelled(codes_of(total, self.classes_), self.classes_)
        return self.classes_[best_classes(total, self.costs_)] if says_classes(self) else as_target(total / weight)

    def votes(self, answers: Array, costs: Array | None) -> Array:
        """v of (1) from the predictions of members."""
        return hard_votes(answers, costs) if self.voting == "hard" else answers

    def member_weights(self) -> Array:
        """α of (1)."""
        return np.ones(len(self))

    def sums(self, X: Any, metadata: Mapping[str, Any] = NO_METADATA) -> Array:
        """Σ_m α_m v_m(x) for each row, of which members are told metadata."""
        rows, member_weights = self.new_rows(X), self.member_weights()
        if self.models_:
            *_, total = self.staged_sums(rows, metadata)
            return total
        table = np.ascontiguousarray(self.votes(self.forest_.value, self.costs_))
        return rows.each(ForestDescent(self.forest_).sums, table, member_weights)

    def staged_sums(self, X: Any, metadata: Mapping[str, Any] = NO_METADATA) -> Iterator[Array]:
        """The sums of the first member, of the first two, …; the array is used again."""
        rows, total = self.new_rows(X), None
        for weight, said in zip(self.member_weights(), self.each_member(rows, metadata), strict=True):
            said = weight * self.votes(said, self.costs_)
            total = said if total is None else np.add(total, said, out=total)
            yield total

    def each_member(self, rows: Rows, metadata: Mapping[str, Any] = NO_METADATA) -> Iterator[Array]:
        """The predictions of each member for all rows."""
        yield from answers_of_members(self.forest_, self.models_, rows, metadata)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.target_tags.multi_output = not says_classes(self)
        return tags

    # ---- what a fitted ensemble tells of its members, of columns and of rows --------------------------------------------

    def __len__(self) -> int:
        """The number of members."""
        check_is_fitted(self)
        return len(self.models_) or len(self.forest_)

    def __getitem__(self, number: Any) -> Any:
        """A member by its number, or several by a slice."""
        return self.estimators_[number]

    def __iter__(self) -> Iterator[Any]:
        """The members, one after the other."""
        return iter(self.estimators_)

    def what_stays(self) -> Mapping[str, Any]:
        """All but what out-of-bag rows said of an earlier fit."""
        return {name: value for name, value in vars(self).items() if name not in OF_OUT_OF_BAG}

    def refuse_models(self, what: str) -> None:
        """What only trees can tell."""
        check_is_fitted(self)
        if self.models_:
            raise TypeError(f"{what} needs decision trees, but the members of this ensemble are not.")

    def additive_trees(self) -> AdditiveTrees:
        """The trees as a sum (tree/contributions/additive_trees.py)."""
        return sum_of_votes(self)

    def additive_response(self, X: Any) -> Array:
        """What the trees add up to for each row."""
        return self.sums(X) / self.member_weights().sum()

    def explain(self, row: Any) -> RowContributions:
        """What each column adds to the prediction for one row, in words and as a picture.

        Parameters
        ----------
        row : dict of column to cell, sequence of cells, row of a data frame, or table with one row
        """
        return explain(self, row)

    def apply(self, X: Any) -> Array:
        """The index of the leaf that each row reaches in each tree."""
        self.refuse_models("apply")
        return self.new_rows(X).each(ForestDescent(self.forest_).leaves)

    @property
    def estimators_samples_(self) -> list[Array]:
        """The rows in the bag of each member, as often as they are in it."""
        check_is_fitted(self)
        if self.bags_ is None:
            raise AttributeError(f"Every member of this {type(self).__name__} learns from all rows: there are no bags.")
        return [self.bags_.draw(number) for number in range(len(self))]

    @available_if(draws_rows)
    def oob_permutation_importance(
        self,
        X: Any = None,
        y: Any = None,
        *,
        groups: Mapping[Any, Any] | list[Any] | None = None,
        conditional: bool = False,
        repeats: int = 1,
        random_state: Any = None,
    ) -> OutOfBagImportances:
        """Permutation importance: the increase in the error of the trees on their out-of-bag rows when a column is permuted.

        Parameters
        ----------
        X, y : the rows of the fit, in their order, optional
            The model keeps small tables, so they need not be given.
        groups : dict of name to columns, or list of columns and of lists of them, optional
            Columns (by name or number) that are permuted together; the result is about these groups alone. By default, each
            column is a group.
        conditional : bool, default=False
            Whether to permute a column among rows only that are alike in the other columns.
        repeats : int, default=1
            Permutations for each tree and column.
        random_state : int, RandomState or None

        Returns
        -------
        OutOfBagImportances
        """
        return permutation.permutation_importance(
            self, X, y, groups=groups, conditional=conditional, repeats=repeats, random_state=random_state
        )

    @available_if(draws_rows)
    def proximities(
        self, X: Any = None, *, of: Any = None, oob: bool = False, sparse: bool = False, limit: int = 20_000
    ) -> Any:
        """The share of the trees in which two rows reach the same leaf.

        Parameters
        ----------
        X : table, optional
            By default the training rows, if the model keeps them.
        of : table, optional
            Rows whose proximities to those of X are computed; by default those of X itself.
        oob : bool, default=False
            Whether a tree counts only for its out-of-bag rows. X are then the rows of the fit, in their order;
            rows of `of` are new to all trees.
        sparse : bool, default=False
            Whether to return a sparse matrix: most pairs share no leaf, if the trees are deep. Pairs without a tree to compare
            them are then left out.
        limit : int, default=20 000
            Rows of X up to which a full matrix is made.

        Returns
        -------
        ndarray or csr_array of shape (rows of `of`, rows of X)
        """
        return proximity.proximities(self, X, of=of, oob=oob, sparse=sparse, limit=limit)

    @available_if(draws_rows)
    def outlier_scores(self, X: Any = None, y: Any = None) -> Array:
        """How far each row of the fit is from the others: above about 10, a row is an outlier of
        its class (a regressor has one class); (2) of importance/proximity.py.

        Parameters
        ----------
        X, y : the rows of the fit, optional
            The model keeps small tables, so they need not be given.
        """
        return proximity.outlier_scores(self, X, y)

    @property
    def correlation_(self) -> TreeCorrelation:
        """σ² and ρ of the errors of the members on rows that they have not seen (tree_correlation.py)."""
        check_is_fitted(self)
        return correlation.correlation_of_members(self)
