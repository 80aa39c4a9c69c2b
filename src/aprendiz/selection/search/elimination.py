"""Recursive elimination: fit, leave out the columns that the fit finds least important, and fit again.

    S ← S − the `step` columns of S with the smallest Σ_k w_kj²     (or the smallest measure of another learner)   (1)

With folds, (1) runs on the training rows of each fold down to the smallest size, and the test rows score every set on the way;
the number of columns with the best mean score, the smallest of several, is then eliminated down to on all rows. Each fold
eliminates for itself, so no test row has a say in its own score.

Least squares, ridge regression and linear discriminants are not fitted anew: what is left of the coefficients after a column is
taken away follows from the inverse of the scatter (updating/sweep.py), as do the answers for the test rows. Logistic regression
of two classes goes on from the coefficients that are left (updating/shrinking_logistic.py).

Cost: a fit for each step, and each fold; updated, d² multiplications for each column that leaves.
Reference: Guyon, Weston, Barnhill & Vapnik, "Gene selection for cancer classification using support vector machines", Machine
Learning 46, 2002.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils import get_tags
from sklearn.utils.metadata_routing import MethodMapping, process_routing
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.certificate import Certificate
from aprendiz.core.iteration import State
from aprendiz.core.routing import refuse_unrouted, routes_metadata
from aprendiz.core.rows import Array
from aprendiz.selection.search.inner_folds import InnerFolds, columns_of, one_number
from aprendiz.selection.search.sequential import AGREES
from aprendiz.selection.search.wrapper import JudgedRows, Wrapper, best_place, mask_of
from aprendiz.selection.shared.feature_importances import squared_importances
from aprendiz.selection.updating.fold_model import FoldModel


@dataclass(frozen=True)
class EliminationState(State):
    """Which columns left so far in the run under way, in their order, and how many in each step; the step in which each column
    left in the runs that are done (folds × columns, the number of steps if it never left); and the scores (folds × sizes)."""

    run: int  # the fold, or the number of folds for all rows
    removed: Array
    left: Array
    scores: Array
    size: int  # to which the run on all rows goes; 0 while it is not known


def estimator_has(name: str) -> Callable[[Any], bool]:
    """Whether the estimator has a method, for `available_if`."""

    def check(self: Any) -> bool:
        getattr(getattr(self, "estimator_", self.estimator), name)
        return True

    return check


class Elimination(Wrapper):
    """(1). A leaf says whether folds choose the number of columns."""

    State = EliminationState
    step: Any = 1
    importance_getter: Any = "auto"
    estimator_: Any

    @abstractmethod
    def smallest(self, columns: int) -> int:
        """The size at which elimination ends; with folds, the smallest one that is tried."""

    @property
    def by_folds(self) -> bool:
        """Do folds choose the number of columns?"""
        return True

    def inner_folds(self, rows: JudgedRows) -> InnerFolds:
        if self.by_folds:
            return super().inner_folds(rows)
        of_fit = dict(self.told.fit) | ({} if rows.weight is None else {"sample_weight": rows.weight})
        return InnerFolds(self.estimator, rows.table, rows.target, [], None, None, of_fit, {})

    def sizes(self, columns: int, smallest: int) -> list[int]:
        """The numbers of columns of the sets on the way."""
        step = int(max(1, self.step * columns)) if 0.0 < self.step < 1.0 else int(self.step)
        return [*range(columns, smallest, -step), min(smallest, columns)]

    # ---- the search ------------------------------------------------------------------------------------------------------

    def states(self, rows: Any, since: EliminationState | None = None) -> Iterator[EliminationState]:
        fits = Eliminator(self, rows)
        d, folds = rows.columns, len(rows.folds.splits)
        sizes = self.sizes(d, self.smallest(d))
        state = since
        if state is None:
            scores, left = np.full((folds, len(sizes)), np.nan), np.zeros((folds, d), np.intp)
            size = 0 if folds else sizes[-1]
            done = not folds and len(sizes) == 1
            state = EliminationState(0, float(d), done, 0, np.empty(0, np.intp), left, scores, size)
            yield state
        while not state.settled:
            if state.run < folds:
                state = self.after_in_fold(state, fits, sizes)
            else:
                state = self.after_on_all(state, fits, self.sizes(d, state.size))
            yield state

    def after_in_fold(self, state: EliminationState, fits: Eliminator, sizes: list[int]) -> EliminationState:
        """A set scored, and the next one made of it; after the last one the next run begins."""
        d, stage = state.left.shape[1], sizes.index(state.left.shape[1] - len(state.removed))
        last = stage + 1 == len(sizes)
        score, importances = fits.at(state.run, state.removed, needed=not last)
        scores = state.scores.copy()
        scores[state.run, stage] = score
        new = replace(state, iteration=state.iteration + 1, scores=scores)
        if not last:
            assert importances is not None
            removed = without_least(state.removed, importances, d, sizes[stage] - sizes[stage + 1])
            return replace(new, objective=float(sizes[stage + 1]), removed=removed)
        fits.forget(state.run)
        left = state.left.copy()
        left[state.run] = steps_of(state.removed, sizes, d)
        new = replace(new, run=state.run + 1, removed=np.empty(0, np.intp), left=left, objective=float(d))
        if new.run < len(scores):
            return new
        total = scores.sum(axis=0)[::-1]
        if np.isnan(total).all():
            fits.folds.failed.stop(self.estimator)
        size = sizes[::-1][best_place(total, fits.rounding)]
        return replace(new, size=size, settled=size == d)

    def after_on_all(self, state: EliminationState, fits: Eliminator, sizes: list[int]) -> EliminationState:
        """Some columns fewer."""
        d = fits.rows.columns
        stage = sizes.index(d - len(state.removed))
        _, importances = fits.at(state.run, state.removed, needed=True)
        assert importances is not None
        removed = without_least(state.removed, importances, d, sizes[stage] - sizes[stage + 1])
        settled = len(removed) == d - state.size
        return replace(
            state, iteration=state.iteration + 1, objective=float(d - len(removed)), removed=removed, settled=settled
        )

    # ---- what was found --------------------------------------------------------------------------------------------------

    def attributes(self, state: EliminationState, rows: Any) -> dict[str, Any]:
        d, folds = rows.columns, len(rows.folds.splits)
        removed = state.removed if state.run == folds else np.empty(0, np.intp)
        support = ~mask_of(removed, d)
        sizes = self.sizes(d, state.size or self.smallest(d))
        left = steps_of(removed, sizes, d)
        steps = int(left[removed].max(initial=-1)) + 1
        X = columns_of(rows.table, support)
        model = rows.folds.fit(clone(self.estimator), X)
        importances = squared_importances(model, self.importance_getter, int(support.sum()))
        return {
            "support_": support,
            "importances_": np.sqrt(importances),
            "ranking_": np.where(support, 1, 1 + steps - left),
            "n_features_": int(support.sum()),
            "estimator_": model,
            "n_iter_": state.iteration,
            **self.of_folds(state, self.sizes(d, self.smallest(d))),
            "certificate_": self.proof(importances, removed, rows),
        }

    def of_folds(self, state: EliminationState, sizes: list[int]) -> dict[str, Any]:
        """Attributes that the folds give."""
        return {}

    def proof(self, fitted: Array, removed: Array, rows: JudgedRows) -> Certificate:
        """That the importances by which columns left are, at the set that is kept, those of a new fit to 10⁻⁸ of the
        largest (10⁻⁶ of logistic regression)."""
        claim = "the importances of the kept columns, by which others left, are those of a new fit"
        found = Eliminator(self, rows).importances_on_all(removed)
        close = AGREES if rows.updated_on_all is None else rows.updated_on_all.agrees
        off = 0.0 if found is None else float(np.abs(found - fitted).max() / max(fitted.max(), 1e-300))
        known = {"difference": off, "updated": int(found is not None), "columns": len(fitted)}
        return Certificate(claim, bool(off <= close and np.isfinite(fitted).all()), known)

    # ---- the fitted learner ----------------------------------------------------------------------------------------------

    @property
    def classes_(self) -> Array:
        """The labels of the classes."""
        return np.asarray(self.estimator_.classes_)

    def told_of(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """What the fitted learner is told beside the table."""
        refuse_unrouted(self, method, params)
        if not routes_metadata():
            return {}
        return dict(process_routing(self, method, **params).estimator[method])

    @available_if(estimator_has("predict"))
    def predict(self, X: Any, **predict_params: Any) -> Array:
        """The predictions of the learner from the chosen columns."""
        check_is_fitted(self)
        told = self.told_of("predict", predict_params)
        return np.asarray(self.estimator_.predict(self.transform(X), **told))

    @available_if(estimator_has("score"))
    def score(self, X: Any, y: Any, **score_params: Any) -> float:
        """The score of the learner in the chosen columns."""
        check_is_fitted(self)
        told = self.told_of("score", score_params) if routes_metadata() else score_params
        return float(self.estimator_.score(self.transform(X), y, **told))

    @available_if(estimator_has("decision_function"))
    def decision_function(self, X: Any) -> Array:
        """The decision function of the learner."""
        check_is_fitted(self)
        return np.asarray(self.estimator_.decision_function(self.transform(X)))

    @available_if(estimator_has("predict_proba"))
    def predict_proba(self, X: Any) -> Array:
        """The probabilities of the classes."""
        check_is_fitted(self)
        return np.asarray(self.estimator_.predict_proba(self.transform(X)))

    @available_if(estimator_has("predict_log_proba"))
    def predict_log_proba(self, X: Any) -> Array:
        """Their logarithms."""
        check_is_fitted(self)
        return np.asarray(self.estimator_.predict_log_proba(self.transform(X)))

    def mapping_of_estimator(self) -> MethodMapping:
        mapping = MethodMapping().add(caller="fit", callee="fit").add(caller="predict", callee="predict")
        return mapping if self.by_folds else mapping.add(caller="score", callee="score")

    def __sklearn_tags__(self) -> Any:
        tags, base = super().__sklearn_tags__(), get_tags(self.estimator)
        tags.estimator_type = base.estimator_type
        tags.classifier_tags, tags.regressor_tags = deepcopy(base.classifier_tags), deepcopy(base.regressor_tags)
        for told in (tags.classifier_tags, tags.regressor_tags):
            if told is not None:
                told.poor_score = True
        tags.target_tags.required, tags.target_tags.multi_output = True, base.target_tags.multi_output
        return tags


class Eliminator:
    """Scores and importances of the learner at a place of a run: updated where that is possible, by new fits elsewhere."""

    def __init__(self, learner: Elimination, rows: JudgedRows):
        self.learner, self.rows, self.folds = learner, rows, rows.folds
        getter = learner.importance_getter
        self.by_coefficients = isinstance(getter, str) and getter in ("auto", "coef_")
        self.updated = rows.updated_while_shrinking if self.by_coefficients else None
        self.rounding = 0.0 if self.updated is None else self.updated.rounding

    def at(self, run: int, removed: Array, *, needed: bool) -> tuple[float, Array | None]:
        """The score of the test rows (of a fold), and the importances if they are needed."""
        if run == len(self.folds.splits):
            found = self.importances_on_all(removed)
            return float("nan"), self.fitted(None, removed)[1] if found is None else found
        if self.updated is not None:
            model = self.updated.models[run]
            self.go(model, removed)
            importances = model.importances()
            if importances is not None:
                return self.updated.score_of(run), importances
        return self.fitted(run, removed, needed=needed)

    def fitted(self, run: int | None, removed: Array, *, needed: bool = True) -> tuple[float, Array | None]:
        """By a new fit. If it fails, there is no saying which column should leave: the error says where it was."""
        support = ~mask_of(removed, self.rows.columns)
        X, size = columns_of(self.rows.table, support), int(support.sum())
        train, test = (None, None) if run is None else self.folds.splits[run]
        try:
            model = self.folds.fit(clone(self.learner.estimator), X, train)
            score = float("nan") if test is None else one_number(self.folds.score(model, X, test))
        except Exception as error:
            where = "all rows" if run is None else f"the training rows of fold {run}"
            error.add_note(f"This was the fit to {where}, and to a set of columns of size {size}.")
            raise
        return score, squared_importances(model, self.learner.importance_getter, size) if needed else None

    def importances_on_all(self, removed: Array) -> Array | None:
        """Of a fit to all rows, without one; None where there is no way."""
        model = self.rows.updated_on_all if self.by_coefficients else None
        if model is None:
            return None
        self.go(model, removed)
        return model.importances()

    def forget(self, run: int) -> None:
        """Leave the place of a run that is over, and its memory."""
        if self.updated is not None:
            self.updated.models[run].go(np.zeros(self.rows.columns, dtype=bool), ())

    def go(self, model: FoldModel, removed: Array) -> None:
        """Go to the set that is left."""
        anew = len(removed) // model.longest * model.longest
        model.go(~mask_of(removed[:anew], self.rows.columns), removed[anew:].tolist())


def without_least(removed: Array, importances: Array, columns: int, count: int) -> Array:
    """Some more columns removed: those of the smallest importance, of equal ones the first."""
    there = np.flatnonzero(~mask_of(removed, columns))
    return np.concatenate([removed, there[np.argsort(importances, kind="stable")[:count]]])


def steps_of(removed: Array, sizes: list[int], columns: int) -> Array:
    """The step in which each column left; as many as there are for the others."""
    found = np.full(columns, len(sizes) - 1, dtype=np.intp)
    ends = columns - np.array(sizes[1:], dtype=np.intp)
    found[removed] = np.searchsorted(ends, np.arange(len(removed)), side="right")
    return found
