"""The bias of selection, measured: the error if columns are chosen with the test rows in sight, and if they are not.

    outside     the columns are chosen once, with all rows; the rest of the pipeline is judged by folds       (1)
    inside      the whole pipeline is judged by folds: each chooses with its training rows alone              (2)
    optimism    inside − outside                                                                              (3)

Of many columns of noise, some go with the labels of these very rows by accident. Chosen with all rows, they still do in the
test rows, and an error near 0 is reported where nothing can be learned. (2) is the honest number.

Both are found again with the labels in random order, when nothing can be known: the errors inside are what chance alone gives,
and (1 + number of them at most as large)/(1 + permutations) is the p-value of the observed one; those outside show how far the
trap alone goes.

Cost: (permutations + 1) times two cross-validations.
References: Ambroise & McLachlan, "Selection bias in gene extraction on the basis of microarray gene-expression data", PNAS 99,
2002; Ojala & Garriga, "Permutation tests for studying classifier performance", Journal of Machine Learning Research 11, 2010.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.pipeline import Pipeline

from aprendiz.core.html import Html, ShownAsHtml, sentence, table, title
from aprendiz.core.pictures import Picture, display
from aprendiz.core.rows import Array
from aprendiz.core.short_repr import ShortRepr
from aprendiz.core.targets import as_target
from aprendiz.evaluation import Evaluation, evaluate
from aprendiz.evaluation.folds.chosen_columns import selectors
from aprendiz.evaluation.folds.kept_columns import KeptColumns
from aprendiz.evaluation.folds.predictions import task_of
from aprendiz.evaluation.folds.splits import Protocol
from aprendiz.evaluation.measures.answers import Task
from aprendiz.locale import _, format_whole, ngettext, number, percent


def selection_bias(
    pipeline: Any,
    X: Any,
    y: Any,
    *,
    protocol: Protocol | None = None,
    groups: Any = None,
    permutations: int = 20,
    seed: int = 0,
) -> SelectionBias:
    """Measure what choosing columns outside the folds does to the error.

    Parameters
    ----------
    pipeline : Pipeline
        With at least one step that selects columns (`get_support`), and a learner at its end; or a search over the parameters
        of one (`Tuned`, `GridSearchCV`): outside, these are chosen with all rows too.
    X, y : the table and its target
    protocol : Holdout, KFolds, Repeated, LeaveOneOut or Bootstrap, default=KFolds(10)
    groups : array, optional
        Rows of one group are on one side.
    permutations : int, default=20
        Orders of the labels for the comparison with chance; 0 for none.
    seed : int, default=0
        Of the permutations.

    Returns
    -------
    SelectionBias

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from aprendiz import NearestMean
    >>> from aprendiz.selection import SelectKBest
    >>> random = np.random.default_rng(0)
    >>> X, y = random.normal(size=(50, 2000)), np.arange(50) % 2
    >>> found = selection_bias(make_pipeline(SelectKBest(k=20), NearestMean()), X, y, permutations=0)
    >>> found.outside < 0.1, found.inside > 0.3
    (True, True)
    """
    if not (isinstance(permutations, (int, np.integer)) and not isinstance(permutations, bool) and permutations >= 0):
        raise ValueError(f"permutations = {permutations!r} must be a whole number of at least 0.")
    inner = inner_pipeline(pipeline)
    task, target = task_of(inner), as_target(y)
    if task == "regression":
        target = target.astype(np.float64)
    how = {"protocol": protocol, "groups": groups}
    inside = judge(pipeline, X, target, **how)
    fixed, chosen = chosen_outside(pipeline, X, target)
    outside = judge(fixed, X, target, **how)
    random, null = np.random.default_rng(seed), np.empty((2, permutations))
    for k in range(permutations):
        mixed = target[random.permutation(len(target))]
        null[0, k] = error_of(judge(pipeline, X, mixed, **how), task)
        null[1, k] = error_of(judge(chosen_outside(pipeline, X, mixed)[0], X, mixed, **how), task)
    return SelectionBias(
        task=task,
        outside=error_of(outside, task),
        inside=error_of(inside, task),
        null=null[0],
        null_outside=null[1],
        columns=chosen,
        chance=chance_of(target, task),
        protocol=inside.protocol,
        evaluations=(outside, inside),
    )


def judge(pipeline: Any, X: Any, y: Array, **how: Any) -> Evaluation:
    """The pipeline on test rows. (The family shows the function, which its file would hide.)"""
    found: Evaluation = evaluate(pipeline, X, y, **how)  # type: ignore[operator]
    return found


def inner_pipeline(learner: Any) -> Pipeline:
    """The pipeline, or the one that is searched over; it must select."""
    found = next((getattr(learner, name) for name in ("learner", "estimator") if hasattr(learner, name)), learner)
    if not isinstance(found, Pipeline):
        raise TypeError(
            f"{type(learner).__name__} is no pipeline: put the selection and the learner into one, as in "
            "make_pipeline(SelectKBest(k=20), LogisticRegression())."
        )
    if not selectors(found):
        names = ", ".join(type(step).__name__ for _name, step in found.steps)
        raise TypeError(f"No step of the pipeline ({names}) selects columns: put one before the learner, such as SelectKBest.")
    return found


def chosen_outside(learner: Any, X: Any, y: Array) -> tuple[Pipeline, int]:
    """The pipeline with the columns that it chooses on all rows, and how many these are at its last selection."""
    pipeline = inner_pipeline(learner)
    last = selectors(pipeline)[-1]
    if learner is pipeline:
        fitted = clone(pipeline[: last + 1]).fit(X, y)
    else:  # a search chooses parameters, too
        pipeline = clone(learner).fit(X, y).best_estimator_
        fitted = pipeline[: last + 1]
    steps = [(name, clone(step)) for name, step in pipeline.steps]
    for place in selectors(pipeline):
        steps[place] = (steps[place][0], KeptColumns(np.asarray(fitted[place].get_support())))
    return Pipeline(steps), int(np.asarray(fitted[last].get_support()).sum())


def error_of(found: Evaluation, task: Task) -> float:
    """The share of test rows that are wrong; of quantities, the squared error relative to that of the mean."""
    truth = np.concatenate([found.y[fold.test] for fold in found.folds])
    said = np.concatenate([fold.prediction for fold in found.folds])
    if task == "classification":
        return float((truth != said).mean())
    return float(((truth - said) ** 2).sum() / ((truth - truth.mean()) ** 2).sum())


def chance_of(y: Array, task: Task) -> float:
    """The error of the most frequent class, or of the mean."""
    return 1.0 - float(np.unique(y, return_counts=True)[1].max()) / len(y) if task == "classification" else 1.0


@dataclass(frozen=True, eq=False, repr=False)
class SelectionBias(ShortRepr, ShownAsHtml):
    """The error with the selection outside and inside the folds.

    Attributes
    ----------
    task : "classification" or "regression"
        The errors are shares of wrong predictions, or squared errors relative to that of the mean.
    outside, inside : float
        The error if the columns are chosen with all rows, and if each fold chooses with its training rows.
    null, null_outside : ndarray of shape (permutations,)
        The error inside and outside with the labels in random order.
    columns : int
        How many are chosen with all rows.
    chance : float
        The error without any column: of the most frequent class, or of the mean.
    protocol : str
    evaluations : pair of Evaluation
        Outside and inside, fold by fold.
    """

    task: Task
    outside: float
    inside: float
    null: Array
    null_outside: Array
    columns: int
    chance: float
    protocol: str
    evaluations: tuple[Evaluation, Evaluation]

    @property
    def optimism(self) -> float:
        """(3): how much too small the error outside is."""
        return self.inside - self.outside

    @property
    def pvalue(self) -> float:
        """How probable so small an error inside is, or a smaller one, if the columns know nothing; NaN without permutations."""
        if not len(self.null):
            return float("nan")
        return float((1 + (self.null <= self.inside + 1e-12).sum()) / (1 + len(self.null)))

    def in_words(self, error: float) -> str:
        """An error: a share, or a ratio."""
        return percent(error) if self.task == "classification" else number(error, 3)

    @property
    def sentence(self) -> str:
        """What was found, in the current language."""
        if self.optimism > 0:
            words = _(
                "With the columns chosen on all rows the error seems to be {outside}; chosen inside the folds it is {inside}: "
                "the first is too small by {optimism}."
            )
        else:
            words = _(
                "With the columns chosen on all rows the error is {outside}; chosen inside the folds it is {inside}: here that "
                "did not make it look smaller (optimism {optimism})."
            )
        return words.format(outside=self.in_words(self.outside), inside=self.in_words(self.inside), optimism=self.in_points())

    def in_points(self) -> str:
        """The optimism: percentage points, or a difference."""
        if self.task == "classification":
            return _("{points} percentage points").format(points=number(round(100 * self.optimism, 1), 3))
        return number(self.optimism, 3)

    @property
    def about_chance(self) -> str:
        """The comparison with labels in random order, in the current language; empty without permutations."""
        if not len(self.null):
            return ""
        words = ngettext(
            "With the labels in random order ({count} time) the error is {inside} inside and {outside} outside; p = {p}.",
            "With the labels in random order ({count} times) the error is {inside} inside and {outside} outside on average; "
            "p = {p}.",
            len(self.null),
        )
        means = {"inside": self.in_words(float(self.null.mean())), "outside": self.in_words(float(self.null_outside.mean()))}
        return words.format(count=format_whole(len(self.null)), p=number(self.pvalue, 2), **means)

    def html_parts(self) -> Iterator[Html]:
        """The errors with the selection outside and inside the folds, and those of labels in random order, for notebooks."""
        detail = ngettext("{count} column chosen", "{count} columns chosen", self.columns)
        yield title(_("Selection bias"), f"{self.protocol}; {detail.format(count=format_whole(self.columns))}")
        yield sentence(self.sentence, "bad" if self.optimism > 0 else "")
        ways = (
            (_("chosen on all rows"), self.outside, self.null_outside),
            (_("chosen inside the folds"), self.inside, self.null),
        )
        by_chance = [self.in_words(float(null.mean())) if len(null) else "–" for _way, _error, null in ways]
        cells = [(way, self.in_words(error), mean) for (way, error, _null), mean in zip(ways, by_chance, strict=True)]
        yield table([_("columns"), _("error"), _("labels in random order")], cells, numbers=(1, 2))
        yield sentence(self.about_chance or _("Without any column: {error}.").format(error=self.in_words(self.chance)), "faint")

    def __str__(self) -> str:
        return "\n".join(line for line in (self.sentence, self.about_chance) if line)

    def plot(self, ax: Any = None) -> Picture:
        """The errors, and those of labels in random order, as a picture, a `SelectionBiasDisplay`. Needs matplotlib."""
        return display("SelectionBiasDisplay")(self).plot(ax)
