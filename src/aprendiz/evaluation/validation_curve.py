"""Validation curve: how the score of a learner changes with one of its parameters.

Every value is judged on the same splits of a protocol, on the test rows and on the training rows. Where both scores are low the
learner is too simple, where they part it is too flexible. Two values are named:

    best        the best score on unseen rows
    one_se      the simplest value whose score is within one standard error of the best, s/√k over the k splits       (1)

Scores differ by chance, so the best value is often more flexible than it need be; (1) takes the simplest of those that cannot
be told from it. Which values are simple the user says, by the order in which they are given.

A score of the best value, chosen on the same rows, is too good: `evaluate(…, grid=…)` judges the choice as well.

Cost: as many fits as splits times values. A learner of one pass is fitted from the sums of the other folds, which values of a
parameter that only the conclusion needs (`tuning`) share.
Reference: Breiman, Friedman, Olshen & Stone, Classification and Regression Trees, 1984, section 3.4.3, for (1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from scipy.special import ndtri
from sklearn.base import clone

from aprendiz.core.learner import OnePass
from aprendiz.core.pictures import Picture, display
from aprendiz.core.rows import Array
from aprendiz.core.short_repr import ShortRepr
from aprendiz.core.targets import plain
from aprendiz.evaluation import METRICS, Evaluation, KFolds, Score
from aprendiz.evaluation.folds.both_sides import Trial
from aprendiz.evaluation.folds.parameter_names import full_name
from aprendiz.evaluation.folds.splits import Protocol
from aprendiz.evaluation.words.curves import curve_columns, curve_table
from aprendiz.evaluation.words.tables import frame, short
from aprendiz.summaries.other_folds import OtherFolds

EQUAL = 1e-12  # difference of scores that means nothing


def validation_curve(
    learner: Any,
    X: Any,
    y: Any,
    *,
    parameter: str,
    values: Sequence[Any],
    simplest: Literal["first", "last"] = "first",
    protocol: Protocol | None = None,
    metric: str | None = None,
    groups: Any = None,
) -> ValidationCurve:
    """Scores of a learner for several values of a parameter.

    Parameters
    ----------
    learner : classifier or regressor
        With all of its preprocessing inside (a pipeline). It is cloned, never changed.
    X, y : the table and its target
    parameter : str
        Of the last step of a pipeline, with or without its name; of other steps with it (`pca__n_components`).
    values : sequence
        Numbers, words or whatever the parameter takes, from the simplest learner to the most flexible one.
    simplest : "first" or "last", default="first"
        Which end of `values` is the simple one: "last" for a penalty that rises.
    protocol : Holdout, KFolds, Repeated or LeaveOneOut, default=KFolds(10)
        Each value has the scores of `evaluate`.
    metric : str, optional
        See `aprendiz.evaluation.METRICS`; by default accuracy, or R² for numbers.
    groups : array, optional
        Rows of one group are never on both sides of a split.

    Examples
    --------
    >>> curve = validation_curve(DecisionTreeClassifier(), X, y, parameter="max_depth", values=range(1, 9))  # doctest: +SKIP
    >>> curve.best, curve.one_se  # doctest: +SKIP
    """
    if simplest not in ("first", "last"):
        raise ValueError(f"simplest = {simplest!r}: say whether the 'first' or the 'last' value makes the simplest learner.")
    tried = list(values)
    if not tried:
        raise ValueError("values is empty: give at least one value of the parameter.")
    name = full_name(learner, parameter)
    if name not in learner.get_params():
        known = ", ".join(sorted(learner.get_params(deep=False)))
        raise ValueError(f"{type(learner).__name__} has no parameter {parameter!r}: it has {known}.")
    trial = Trial.of(learner, X, y, groups, protocol or KFolds(10), metric)
    splits = trial.splits()
    shared = isinstance(learner, OnePass) and name in type(learner).tuning
    sums = OtherFolds.of(learner, X, trial.y, splits) if shared else None
    points = []
    for value in tried:
        candidate = clone(learner).set_params(**{name: value})
        points.append(trial.judge(candidate, splits, sums if shared else OtherFolds.of(candidate, X, trial.y, splits)))
    unseen = tuple(evaluation.score() for evaluation, _ in points)
    return ValidationCurve(
        metric=trial.metric,
        parameter=parameter,
        values=tuple(tried),
        simplest=simplest,
        unseen=unseen,
        seen=tuple(seen for _, seen in points),
        standard_errors=np.array([standard_error(one, score) for (one, _), score in zip(points, unseen, strict=True)]),
        evaluations=tuple(evaluation for evaluation, _ in points),
    )


def standard_error(found: Evaluation, score: Score) -> float:
    """s/√k over the splits; from the interval that the rows give, where these alone can tell."""
    if found.by_row:
        return float((score.high - score.low) / (2 * ndtri(0.975)))
    known = score.folds[~np.isnan(score.folds)]
    return float(known.std(ddof=1) / np.sqrt(len(known))) if len(known) > 1 else float("nan")


@dataclass(frozen=True, eq=False, repr=False)
class ValidationCurve(ShortRepr):
    """Scores against the values of a parameter.

    Attributes
    ----------
    metric, parameter : str
    values : tuple
        In the order in which they were given.
    simplest : "first" or "last"
        Which end of them is the simple one.
    unseen : tuple of Score
        On the test rows, with the intervals of `evaluate`.
    seen : tuple of Score
        On the training rows; from the lowest to the highest of the splits.
    standard_errors : ndarray of shape (n_values,)
        Of the scores on the test rows.
    evaluations : tuple of Evaluation
        The predictions for the test rows, for each value.
    """

    metric: str
    parameter: str
    values: tuple[Any, ...]
    simplest: str
    unseen: tuple[Score, ...]
    seen: tuple[Score, ...]
    standard_errors: Array
    evaluations: tuple[Evaluation, ...]

    @property
    def best_place(self) -> int:
        """The place of the best value; of several that are equally good, that of the simplest."""
        return self.simplest_above(self.gains.max() - EQUAL)

    @property
    def one_se_place(self) -> int:
        """The place of the value of (1)."""
        error = self.standard_errors[self.best_place]
        return self.best_place if np.isnan(error) else self.simplest_above(self.gains.max() - EQUAL - error)

    @property
    def best(self) -> Any:
        """The value with the best score on unseen rows."""
        return self.values[self.best_place]

    @property
    def one_se(self) -> Any:
        """The simplest value whose score is within one standard error of the best: (1)."""
        return self.values[self.one_se_place]

    @property
    def gains(self) -> Array:
        """The scores on unseen rows, turned so that more is better; −∞ where there is none."""
        scores = np.array([score.value for score in self.unseen])
        scores = scores if METRICS[self.metric].more_is_better else -scores
        return np.where(np.isnan(scores), -np.inf, scores)

    def simplest_above(self, limit: float) -> int:
        places = np.flatnonzero(self.gains >= limit)
        return int(places[0] if self.simplest == "first" else places[-1])

    def frame(self) -> Any:
        """A pandas frame: a row for each value."""
        columns = {**curve_columns(self.unseen, self.seen), "standard_error": self.standard_errors}
        return frame(columns, [plain(value) for value in self.values], self.parameter)

    def __str__(self) -> str:
        table = curve_table(self.parameter, [short(value) for value in self.values], self.unseen, self.seen)
        chosen = f"best: {short(self.best)}; within a standard error of it: {short(self.one_se)}"
        return f"{self.evaluations[0].protocol}; {self.evaluations[0].how}\n{table}\n{chosen}"

    def plot(self, ax: Any = None) -> Picture:
        """The curve as a picture, a `ValidationCurveDisplay`. Needs matplotlib."""
        return display("ValidationCurveDisplay")(self).plot(ax)
