"""Tuning: the parameters with the best score on inner folds, then a fit to all rows with them.

    best = argmax over the grid of  mean over inner folds of score(fit(train, parameters), test)               (1)

It is a learner itself, so that it can be judged as a whole on outer folds: nested cross-validation. What a pipeline does
before the first step that is tuned is fitted once for each inner fold, and what it does before its last step once for all
candidates that differ in that step alone; other learners of the same fold can share it too (folds/shared_steps.py). Where the
last step learns from one sum, all candidates share that sum; support vector machines with the same kernel share its rows and
follow each other along C. With `halving`, most candidates see a sample only (folds/halving.py).

Of candidates with the same score the one nearest to the learner's own parameters is taken; where the rows do not allow inner
folds, that one too.

Cost: folds × (preparation + candidates × fit), and one fit more.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone
from sklearn.model_selection import ParameterGrid
from sklearn.pipeline import Pipeline
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.blas import single_blas
from aprendiz.core.learner import OnePass
from aprendiz.core.parameters import ParameterError
from aprendiz.core.rows import Array
from aprendiz.core.targets import as_target
from aprendiz.evaluation import METRICS, KFolds
from aprendiz.evaluation.folds.halving import order_of_rows, rounds
from aprendiz.evaluation.folds.parameter_names import full_name
from aprendiz.evaluation.folds.predictions import answers_of, task_of
from aprendiz.evaluation.folds.shared_steps import SharedSteps
from aprendiz.evaluation.folds.splits import Protocol, Split
from aprendiz.evaluation.measures.choice import chosen_metrics

EQUAL = 1e-12  # difference of scores that means nothing


def has(name: str) -> Any:
    return available_if(lambda self: hasattr(getattr(self, "best_estimator_", self.learner), name))


class Tuned(MetaEstimatorMixin, BaseEstimator):
    """A learner with its parameters chosen on inner folds.

    Parameters
    ----------
    learner : estimator
        A pipeline, usually: `prepared(Ridge(), X)`.
    grid : mapping of parameter to values
        Of the last step of a pipeline, with or without its name (`alpha` or `learner__alpha`); other steps by their names.
    folds : int or protocol, default=5
        The inner folds: their number, or how to split (`Holdout`, `KFolds`, `Repeated`, `LeaveOneOut`).
    metric : str, optional
        The measure to optimise (aprendiz.evaluation.METRICS); accuracy or R² by default.
    seed : int, default=0
        Of the inner folds, and of the sample.
    halving : bool, default=False
        Whether to begin with a sample of the rows, and to go on with the best third of the candidates and three times the rows,
        for learners whose fits cost much more than in proportion to the rows.

    Attributes
    ----------
    best_params_ : dict
    best_estimator_ : the learner, fitted to all rows with them
    best_score_ : float
    candidates_ : list of dict
    scores_ : ndarray of shape (n_candidates, folds)
        With `halving`, of the last round in which a candidate took part: scores of different rows are not to be compared.
    rows_ : ndarray of shape (n_candidates,)
        The rows that were divided into folds in that round.
    """

    def __init__(
        self,
        learner: Any,
        grid: Mapping[str, Sequence[Any]],
        *,
        folds: int | Protocol = 5,
        metric: str | None = None,
        seed: int = 0,
        halving: bool = False,
    ):
        self.learner = learner
        self.grid = grid
        self.folds = folds
        self.metric = metric
        self.seed = seed
        self.halving = halving

    def fit(self, X: Any, y: Any, groups: Any = None, shared: SharedSteps | None = None) -> Self:
        """Choose the parameters, then fit to all rows with them. `shared`: steps that other learners fit to the same rows."""
        shared = SharedSteps(0) if shared is None else shared
        target = as_target(y)
        metric = METRICS[self.metric] if self.metric else chosen_metrics(task_of(self.learner))[0]
        candidates = list(ParameterGrid(self.full_grid()))
        judged = self.judge(X, target, None if groups is None else np.asarray(groups), candidates, metric, shared)
        model = shared.fit(clone(self.learner).set_params(**candidates[judged.best]), X, y)
        found = {
            "candidates_": candidates,
            "scores_": judged.scores,
            "rows_": judged.rows,
            "best_score_": float(judged.mean[judged.best]),
            "best_params_": candidates[judged.best],
            "best_estimator_": model,
        }
        if hasattr(model, "n_features_in_"):
            found["n_features_in_"] = model.n_features_in_
        self.__dict__.update(found)  # in one step: an interrupt comes before it or after it
        return self

    def judge(
        self, X: Any, y: Array, groups: Array | None, candidates: list[dict[str, Any]], metric: Any, shared: SharedSteps
    ) -> Judged:
        """All candidates on all rows; with `halving`, round by round, fewer of them on more rows."""
        by_class = task_of(self.learner) == "classification"
        order = order_of_rows(y, by_class, self.seed) if self.halving else np.arange(len(y))
        count, sign = len(candidates), 1.0 if metric.more_is_better else -1.0
        known = Judged(np.empty((count, 0)), np.full(count, len(y)), np.full(count, np.nan), 0)
        left = np.arange(count)
        for rows, kept in rounds(len(y), count) if self.halving else [(len(y), 1)]:
            some = [candidates[number] for number in left]
            known = known.after(left, self.scores(X, y, groups, np.sort(order[:rows]), some, metric, shared), rows)
            score = sign * known.mean[left]
            known = replace(known, best=int(left[self.choose(some, score)]))
            left = np.sort(left[np.argsort(np.where(np.isnan(score), -np.inf, score), kind="stable")[-kept:]])
        return known

    def scores(
        self,
        X: Any,
        y: Array,
        groups: Array | None,
        rows: Array,
        candidates: list[dict[str, Any]],
        metric: Any,
        shared: SharedSteps,
    ) -> Array:
        """The score of each candidate in each inner fold of some rows."""
        by_class = task_of(self.learner) == "classification"
        classes, some = np.unique(y) if by_class else None, None if groups is None else groups[rows]
        splits = self.splits(y[rows], some, by_class)
        found = np.full((len(candidates), len(splits)), np.nan)
        for fold, (train, test) in enumerate(splits):
            for number, model, part in self.fits(X, y, rows[train], rows[test], candidates, shared):
                found[number, fold] = metric.of(answers_of(model, part, y[rows[test]], classes, needs=metric.needs))
        return found

    def splits(self, y: Array, groups: Array | None, by_class: bool) -> list[Split]:
        """As many folds as asked for, unless classes or groups are too few; none if there are not enough for two."""
        if not isinstance(self.folds, (int, np.integer)):
            return self.splits_of_protocol(y, groups, by_class)
        most = int(np.unique(y, return_counts=True)[1].max()) if by_class else len(y)
        k = min(int(self.folds), most, len(y) if groups is None else len(np.unique(groups)))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # scikit-learn's, of classes with fewer rows than folds
            return list(KFolds(k, self.seed).splits(y, groups, by_class)) if k > 1 else []

    def splits_of_protocol(self, y: Array, groups: Array | None, by_class: bool) -> list[Split]:
        """The splits of the protocol that was given."""
        if isinstance(self.folds, int) or not hasattr(self.folds, "splits"):
            raise ParameterError(
                f"The inner folds are {self.folds!r}: give their number, or a protocol such as Holdout(0.3) or KFolds(5)."
            )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return list(self.folds.splits(y, groups, by_class))

    def choose(self, candidates: list[dict[str, Any]], score: Array) -> int:
        """The best candidate; of several that are equally good, the one nearest to the parameters as they are."""
        score = np.where(np.isnan(score), -np.inf, score)
        best = np.flatnonzero(score >= score.max() - EQUAL).tolist()
        grid, now = {name: list(values) for name, values in self.full_grid().items()}, self.learner.get_params()
        usual = {name: values.index(now[name]) if now[name] in values else len(values) // 2 for name, values in grid.items()}

        def distance(number: int) -> int:
            return sum(abs(values.index(candidates[number][name]) - usual[name]) for name, values in grid.items())

        return min(best, key=distance)

    def full_grid(self) -> dict[str, Sequence[Any]]:
        """The grid with the name of the last step before its parameters."""
        return {full_name(self.learner, name): values for name, values in self.grid.items()}

    def fits(
        self, X: Any, y: Array, train: Array, test: Array, candidates: list[dict[str, Any]], shared: SharedSteps
    ) -> Iterator[tuple[int, Any, Any]]:
        """Each candidate, by its number, fitted to the training rows, and the test rows as it wants them."""
        some, others = shared.rows(X, train), shared.rows(X, test)
        first = first_tuned_step(self.learner, candidates[0])
        if first is None:
            yield from fits_of(self.learner, some, y[train], others, list(enumerate(candidates)))
            return
        if first > 0:
            steps, some = shared.fit_transform(self.learner[:first], some, y[train])
            others = shared.transform(steps, others)
        last = f"{self.learner.steps[-1][0]}__"
        for before, numbers in alike_before(last, candidates):
            part, rest = some, others
            if first < len(self.learner) - 1:
                steps, part = shared.fit_transform(clone(self.learner[first:-1]).set_params(**before), some, y[train])
                rest = shared.transform(steps, others)
            own = [(k, {n.removeprefix(last): v for n, v in candidates[k].items() if n.startswith(last)}) for k in numbers]
            yield from fits_of(self.learner[-1], part, y[train], rest, own)

    # ---- the chosen learner --------------------------------------------------------------------------------------------

    @property
    def classes_(self) -> Array:
        check_is_fitted(self)
        return self.best_estimator_.classes_

    def predict(self, X: Any) -> Array:
        """The predictions of the learner with the chosen parameters."""
        check_is_fitted(self)
        return self.best_estimator_.predict(X)

    @has("predict_proba")
    def predict_proba(self, X: Any) -> Array:
        """The probability of each class."""
        check_is_fitted(self)
        return self.best_estimator_.predict_proba(X)

    @has("decision_function")
    def decision_function(self, X: Any) -> Array:
        """The scores of the classes."""
        check_is_fitted(self)
        return self.best_estimator_.decision_function(X)

    def score(self, X: Any, y: Any) -> float:
        """Accuracy or R² of the learner with the chosen parameters."""
        check_is_fitted(self)
        return float(self.best_estimator_.score(X, y))

    def __sklearn_tags__(self) -> Any:
        tags, inner = super().__sklearn_tags__(), self.learner.__sklearn_tags__()
        tags.estimator_type, tags.classifier_tags, tags.regressor_tags = (
            inner.estimator_type,
            inner.classifier_tags,
            inner.regressor_tags,
        )
        tags.input_tags = inner.input_tags
        return tags


@dataclass(frozen=True)
class Judged:
    """What is known of the candidates, each from the last round in which it took part."""

    scores: Array  # candidates × folds
    rows: Array  # of that round
    mean: Array  # over the folds that have a score; NaN where none has
    best: int

    def after(self, left: Array, scores: Array, rows: int) -> Judged:
        """With the scores of a round of those that are left."""
        width = max(self.scores.shape[1], scores.shape[1])
        table, seen, mean = np.full((len(self.mean), width), np.nan), self.rows.copy(), self.mean.copy()
        table[:, : self.scores.shape[1]] = self.scores
        table[left], table[left, : scores.shape[1]], seen[left] = np.nan, scores, rows
        some = ~np.isnan(scores).all(axis=1)
        mean[left], mean[left[some]] = np.nan, np.nanmean(scores[some], axis=1)
        return replace(self, scores=table, rows=seen, mean=mean)


def first_tuned_step(learner: Any, candidate: Mapping[str, Any]) -> int | None:
    """The first step of a pipeline that the candidates differ in; None if that is not known, or there is one step only."""
    if not isinstance(learner, Pipeline) or len(learner) < 2:
        return None
    places = {name: place for place, (name, _step) in enumerate(learner.steps)}
    last = learner.steps[-1][0]
    tuned = [name.partition("__")[0] for name in candidate]
    known = places.keys() >= set(tuned) and last not in candidate
    return min((places[step] for step in tuned), default=len(learner) - 1) if known else None


def alike_before(last: str, candidates: Sequence[Mapping[str, Any]]) -> list[tuple[dict[str, Any], list[int]]]:
    """Candidates that differ in the last step alone, together: their parameters of other steps, and their numbers."""
    found: dict[tuple[tuple[str, int], ...], tuple[dict[str, Any], list[int]]] = {}
    for number, candidate in enumerate(candidates):
        before = {name: value for name, value in candidate.items() if not name.startswith(last)}
        key = tuple(sorted((name, id(value)) for name, value in before.items()))  # the values are those of the grid
        found.setdefault(key, (before, []))[1].append(number)
    return list(found.values())


def fits_of(model: Any, X: Any, y: Array, others: Any, own: list[tuple[int, dict[str, Any]]]) -> Iterator[tuple[int, Any, Any]]:
    """A model with each of its parameters, all from one sum or along one path where it can."""
    parameters = [one for _number, one in own]
    if hasattr(model, "fit_each"):
        yield from ((own[place][0], one, others) for place, one in model.fit_each(X, y, parameters))
        return
    shared = isinstance(model, OnePass) and parameters[0].keys() <= type(model).tuning.keys()
    record, noted = shared_sums(model, X, y) if shared else (None, {})
    for number, chosen in own:
        one = clone(model).set_params(**chosen)
        yield number, (one.fit(X, y) if record is None else one.fit_sums(record).settle(noted)), others


def shared_sums(model: Any, X: Any, y: Array) -> tuple[Any, Any]:
    """The record that all candidates share, and the names of the columns."""
    rows = clone(model).open(X, y)
    with single_blas(rows.work):
        return model.summed_up(rows), rows.noted
