"""The importance of columns for a fitted model: how much worse its predictions become if a column is shuffled.

    importance_jr = ± (score(X, y) − score(X with column j in the order π_jr, y))                             (1)

for the repeats r, with the sign that makes a loss positive, also for measures of which less is better. The model is not fitted
again. On rows of the fit the importance also shows what was learned by heart: give test rows. Columns that go together stand
in for each other, and each then seems unimportant: shuffle them together, as a group. A column that the model cannot need has
importance 0, exactly if the model does not look at it.

Each order is a function of the seed, the column and the repeat, so the importance of a column does not depend on which others
are asked for. A group is shuffled in one order, that of its first column.

Cost: repeats × columns predictions.
References: Breiman, "Random forests", Machine Learning 45, 2001; Fisher, Rudin & Dominici, "All models are wrong, but many are
useful", Journal of Machine Learning Research 20, 2019.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import is_classifier, is_regressor
from sklearn.metrics import check_scoring
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.html import Html, ShownAsHtml, sentence, table, title
from aprendiz.core.parameters import refuse_count
from aprendiz.core.pictures import Picture, display
from aprendiz.core.random import draw_seed, uniforms
from aprendiz.core.rows import Array
from aprendiz.core.short_repr import ShortRepr
from aprendiz.core.targets import as_target, same_length
from aprendiz.ensemble.importance.column_groups import column_groups
from aprendiz.evaluation import METRICS
from aprendiz.evaluation.dependence.columns import TableColumns
from aprendiz.evaluation.folds.predictions import answers_of
from aprendiz.evaluation.words.measures import measure_in_words
from aprendiz.evaluation.words.tables import align, frame
from aprendiz.locale import _, format_whole, number


def permutation_importance(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    scoring: Any = None,
    n_repeats: int = 5,
    groups: Mapping[Any, Any] | Sequence[Any] | None = None,
    random_state: Any = None,
    sample_weight: Any = None,
    max_samples: float | int = 1.0,
    n_jobs: Any = None,
) -> PermutationImportance:
    """Shuffle columns, and see what the predictions of a fitted model lose.

    Parameters
    ----------
    estimator : fitted classifier or regressor
        Of this library or of scikit-learn, or a pipeline.
    X, y : table of numbers and words, and its target
        Rows that the model was not fitted to.
    scoring : str or callable, optional
        A measure of `METRICS` such as "auc", a scorer of scikit-learn, or a function of model, X and y of which more is better;
        by default accuracy, or R².
    n_repeats : int, default=5
        How often each column is shuffled.
    groups : dict or list, optional
        Columns that are shuffled together, by name or number: {"size": ["height", "weight"]} or ["age", ["height", "weight"]].
        By default each column by itself.
    random_state : int, RandomState or None
    sample_weight : array-like of shape (n_rows,), optional
        Passed to the scorer of scikit-learn.
    max_samples : int or float, default=1.0
        Rows of each repeat, or their share.
    n_jobs : ignored
        The model predicts with all threads.

    Returns
    -------
    PermutationImportance

    Examples
    --------
    >>> from aprendiz import LinearRegression
    >>> X = np.random.default_rng(0).normal(size=(200, 3))
    >>> y = 3 * X[:, 0] + X[:, 1]
    >>> found = permutation_importance(LinearRegression().fit(X[:100], y[:100]), X[100:], y[100:], random_state=0)
    >>> found.ranking.tolist(), bool(abs(found.importances_mean[2]) < 1e-12)
    ([0, 1, 2], True)
    """
    refuse_count("n_repeats", n_repeats)
    check_is_fitted(estimator)
    columns, target = TableColumns(X), as_target(y)
    same_length("y", len(target), columns.rows)
    names, chosen = column_groups(groups, columns.names)
    score, measure, sign = scorer_of(estimator, scoring, sample_weight is not None)
    weight = None if sample_weight is None else as_target(sample_weight)
    seed, losses, bases = draw_seed(random_state), np.empty((len(names), n_repeats)), np.empty(n_repeats)
    for repeat in range(n_repeats):
        rows = drawn_rows(columns.rows, max_samples, seed, repeat)
        part, kept = (columns, slice(None)) if rows is None else (columns.taken(rows), rows)
        y_part, weight_part = target[kept], None if weight is None else weight[kept]
        known = repeat > 0 and rows is None
        bases[repeat] = bases[0] if known else score(estimator, part.X, y_part, weight_part)
        for k, some in enumerate(map(np.flatnonzero, chosen)):
            order = np.argsort(uniforms(seed, repeat * len(columns.names) + int(some[0]), part.rows), kind="stable")
            losses[k, repeat] = bases[repeat] - score(estimator, part.shuffled(some.tolist(), order), y_part, weight_part)
    return PermutationImportance(losses, names, measure, sign * float(bases.mean()))


def drawn_rows(count: int, wanted: float | int, seed: int, repeat: int) -> Array | None:
    """The rows of a repeat; None for all."""
    whole = isinstance(wanted, (int, np.integer)) and not isinstance(wanted, bool)
    if not (1 <= wanted <= count if whole else isinstance(wanted, float) and 0 < wanted <= 1):
        raise ValueError(f"max_samples = {wanted!r} must be a number of rows from 1 to {count}, or a share above 0 up to 1.0.")
    size = int(wanted) if whole else max(1, int(wanted * count))
    if size == count:
        return None
    return np.sort(np.argsort(uniforms(seed, -1 - repeat, count), kind="stable")[:size])


Scorer = Callable[[Any, Any, Array, Array | None], float]


def scorer_of(estimator: Any, scoring: Any, weighted: bool) -> tuple[Scorer, str, float]:
    """A function of which more is better, the name of its measure, and the sign that gives the measure back."""
    usual = "accuracy" if is_classifier(estimator) else "r2" if is_regressor(estimator) else None
    name = usual if scoring is None else scoring
    if isinstance(name, str) and name in METRICS and not weighted and (scoring is None or usual is not None):
        metric = METRICS[name]
        refuse_other_task(metric.task, name, usual)
        sign = 1.0 if metric.more_is_better else -1.0

        def score(model: Any, X: Any, y: Array, weight: Array | None) -> float:
            return sign * metric.of(answers_of(model, X, y, needs=metric.needs))

        return score, name, sign
    found = check_scoring(estimator, scoring=scoring)

    def by_scorer(model: Any, X: Any, y: Array, weight: Array | None) -> float:
        return float(found(model, X, y) if weight is None else found(model, X, y, sample_weight=weight))

    return by_scorer, name if isinstance(name, str) else getattr(scoring, "__name__", "score"), 1.0


def refuse_other_task(task: str, name: str, usual: str | None) -> None:
    """A measure of numbers for classes, or the other way round."""
    own = "classification" if usual == "accuracy" else "regression"
    if task != own:
        known = ", ".join(metric.name for metric in METRICS.values() if metric.task == own)
        raise ValueError(f"{name!r} is not a measure for {own}; choose one of {known}.")


@dataclass(frozen=True, eq=False, repr=False)
class PermutationImportance(ShortRepr, ShownAsHtml):
    """What a model loses by each column.

    Attributes
    ----------
    importances : ndarray of shape (n_columns, n_repeats)
        (1), positive where the predictions become worse.
    names : tuple
        Of the columns, or of the groups.
    measure : str
        What was measured.
    score : float
        Of the table as it is; with `max_samples`, the mean over the repeats.
    """

    importances: Array
    names: tuple[Any, ...]
    measure: str
    score: float

    @property
    def importances_mean(self) -> Array:
        """The mean over the repeats."""
        return self.importances.mean(axis=1)

    @property
    def importances_std(self) -> Array:
        """The standard deviation of the repeats, as scikit-learn has it."""
        return self.importances.std(axis=1)

    @property
    def standard_error(self) -> Array:
        """Of the mean over the repeats; NaN for a single one. It is of the shuffling, not of other rows."""
        repeats = self.importances.shape[1]
        if repeats < 2:
            return np.full(len(self.names), np.nan)
        return self.importances.std(axis=1, ddof=1) / np.sqrt(repeats)

    @property
    def ranking(self) -> Array:
        """The columns from the most important one on."""
        return np.argsort(-self.importances_mean, kind="stable")

    def frame(self) -> Any:
        """A pandas frame, a row for each column, the most important one first."""
        order = self.ranking
        values = {"importance": self.importances_mean[order], "standard error": self.standard_error[order]}
        return frame(values, [self.names[j] for j in order], "column")

    def cells(self) -> list[tuple[str, str, str]]:
        """The rows of a table for reading."""
        mean, error = self.importances_mean, self.standard_error
        return [(str(self.names[j]), number(mean[j], 3), number(error[j], 2)) for j in self.ranking]

    def html_parts(self) -> Iterator[Html]:
        """The columns from the most important one on, for notebooks."""
        repeats = format_whole(self.importances.shape[1])
        yield title(_("Importance by permutation"), _("{repeats} times").format(repeats=repeats))
        yield sentence(self.sentence)
        yield table([_("column"), _("loss"), _("standard error")], self.cells(), numbers=(1, 2))

    @property
    def sentence(self) -> str:
        """What the losses are compared with."""
        words = _("{measure} is {score}; the loss is how much worse it becomes if the column is shuffled.")
        return words.format(measure=measure_in_words(self.measure), score=number(self.score))

    def __str__(self) -> str:
        return "\n".join([self.sentence, align([[_("column"), _("loss"), _("standard error")], *self.cells()])])

    def plot(self, ax: Any = None, *, most: int = 20) -> Picture:
        """The losses as bars, an `ImportanceDisplay`. Needs matplotlib."""
        return display("ImportanceDisplay").from_permutations(self, most=most, ax=ax)
