"""The pictures of a report: Displays of aprendiz.plots as SVG, to be written into the page.

A picture that cannot be drawn (one class in the folds, a single column) is left out: the page says what it has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from aprendiz.core.random import uniforms
from aprendiz.ensemble.members.ensemble import Ensemble
from aprendiz.evaluation.evaluation import Evaluation
from aprendiz.evaluation.measures.answers import Answers
from aprendiz.evaluation.precision_recall import precision_recall
from aprendiz.evaluation.roc import roc
from aprendiz.evaluation.words.tables import short
from aprendiz.lab.columns_of_run import ColumnsOfRun
from aprendiz.lab.outcome import Outcome
from aprendiz.lab.pages.drawing import ReportPicture, draw_picture
from aprendiz.lab.preparation import knows_units, prepared
from aprendiz.lab.report.map_of_rows import MapOfRows, how_to_read_the_map, map_of
from aprendiz.lab.targets.coverage_of_run import DRAWN, ends_of_folds
from aprendiz.locale import _, percent
from aprendiz.plots.chosen_columns_display import ChosenColumnsDisplay
from aprendiz.plots.coefficients_display import CoefficientsDisplay
from aprendiz.plots.confusion_display import ConfusionDisplay
from aprendiz.plots.embedding_display import EmbeddingDisplay
from aprendiz.plots.importance_display import ImportanceDisplay
from aprendiz.plots.intervals_display import IntervalsDisplay
from aprendiz.plots.learning_curve_display import LearningCurveDisplay
from aprendiz.plots.models.coefficients import names_of
from aprendiz.plots.partial_dependence_display import PartialDependenceDisplay
from aprendiz.plots.precision_recall_display import PrecisionRecallDisplay
from aprendiz.plots.residuals_display import ResidualsDisplay
from aprendiz.plots.roc_display import RocDisplay
from aprendiz.plots.rows_display import RowsDisplay
from aprendiz.plots.shared.style import PALETTE
from aprendiz.preprocessing.standard_scaler import StandardScaler

MOST_CLASSES = 6  # curves in one picture
MOST_ROWS = 50_000  # from which the plane of the rows is found
LARGEST_TABLE = 30  # classes of a confusion table that can be read as a picture


def pictures(outcome: Outcome, plane: RowsDisplay | None, of_rows: MapOfRows | None) -> dict[str, ReportPicture]:
    """All pictures that the outcome allows, by their keys; those for which there is time, if that is limited."""
    limit, found = outcome.experiment.limit, {}
    for key, title, caption, draw in chain(plan(outcome), of_table(outcome, plane, of_rows)):
        if limit.spent:
            limit.left_out.append(title)
        elif (picture := draw_picture(key, title, caption, draw)) is not None:
            found[key] = picture
    return found


def plan(outcome: Outcome) -> Iterator[tuple[str, str, str, Callable[[], Any]]]:
    """What is to be drawn: key, title, how to read it, and the function that draws it."""
    answers = outcome.evaluation.pooled
    if answers.classes is None:
        yield (
            "residuals",
            _("Predictions and residuals"),
            _("Left: perfect predictions lie on the diagonal. Right: a pattern in the residuals shows what the model misses."),
            lambda: ResidualsDisplay(answers.truth, answers.prediction).plot(),
        )
        yield (
            "intervals",
            _("Intervals of {coverage} for the test rows").format(coverage=percent(DRAWN, 0)),
            _("Each test row was predicted by a model that had not seen it, and its interval comes from the other folds."),
            lambda: intervals_of(outcome.evaluation),
        )
    else:
        yield from of_classes(outcome, answers)
    if outcome.curve is not None:
        curve = outcome.curve
        yield (
            "learning_curve",
            _("Learning curve"),
            how_to_read_the_curve(outcome.fitted),
            lambda: LearningCurveDisplay(curve).plot(),
        )
    if outcome.columns is not None:
        yield from of_columns(outcome.columns)
    chosen = outcome.results.evaluations[outcome.results.best_learner]
    if chosen.selected:
        yield (
            "chosen",
            _("How often each column was chosen"),
            _("The share of the folds in which the selection kept the column, knowing the training rows alone."),
            lambda: ChosenColumnsDisplay.from_evaluation(chosen),
        )
    if hasattr(outcome.fitted, "coef_"):
        yield (
            "coefficients",
            _("The largest coefficients"),
            how_to_read_coefficients(outcome.fitted),
            lambda: CoefficientsDisplay.from_estimator(outcome.opened_pipeline),
        )
    elif hasattr(outcome.fitted, "feature_importances_"):
        yield (
            "importances",
            _("The most important columns"),
            _("Mean decrease in impurity by the splits on each column. It favours columns with many distinct values."),
            lambda: importances_of(outcome.opened_pipeline),
        )


def of_columns(found: ColumnsOfRun) -> Iterator[tuple[str, str, str, Callable[[], Any]]]:
    """What the columns are worth to the method."""
    yield (
        "permutation",
        _("What each column is worth"),
        _("How much worse the predictions of rows that the model has not seen become when the column is shuffled."),
        lambda: ImportanceDisplay.from_permutations(found.importance),
    )
    if found.dependence:
        classes = found.dependence[0].classes
        yield (
            "dependence",
            _("Predictions along the columns that matter most"),
            _("The mean prediction if the column had this value in every row, the others as they are."),
            lambda: PartialDependenceDisplay(found.dependence, target=classes[-1] if len(classes) > 1 else None).plot(),
        )


def intervals_of(found: Evaluation) -> IntervalsDisplay:
    """As they are checked."""
    known = ends_of_folds(found)
    if known is None:
        raise ValueError("Too few rows for intervals.")
    return IntervalsDisplay(*known).plot()


def importances_of(pipeline: Any) -> ImportanceDisplay:
    """Of trees, with the names of the columns that came through."""
    parts = pipeline[-1].feature_importances_
    return ImportanceDisplay(parts, None, names_of(pipeline), _("share of the decrease in impurity")).plot()


def of_table(
    outcome: Outcome, plane: RowsDisplay | None, of_rows: MapOfRows | None
) -> Iterator[tuple[str, str, str, Callable[[], Any]]]:
    """The rows as a projection, and as a map of neighbours."""
    target, numbers = outcome.results.question.target, outcome.results.question.task == "regression"
    if plane is not None:
        yield (
            "rows",
            _("The rows in two dimensions"),
            _("Each point is a row, projected on the first two principal components."),
            lambda: plane.plot(name=target),
        )
    if of_rows is not None:
        yield (
            "map",
            _("Which rows are alike"),
            how_to_read_the_map(of_rows),
            lambda: EmbeddingDisplay(of_rows.points, of_rows.y, as_numbers=numbers, rows=of_rows.count).plot(name=target),
        )


def how_to_read_coefficients(learner: Any) -> str:
    """What the colours mean, and whether sizes can be compared."""
    if knows_units(learner):
        return _(
            "Blue raises the prediction, vermilion lowers it. Numbers were standardised: a coefficient is the effect of one "
            "standard deviation. Columns that go together share their effect."
        )
    return _(
        "Blue raises the prediction, vermilion lowers it. Numbers are in their own units, so sizes cannot be compared. Columns "
        "that go together share their effect."
    )


def how_to_read_the_curve(learner: Any) -> str:
    """What a gap means: nothing where full trees know their rows by heart."""
    if isinstance(learner, Ensemble):
        return _(
            "If the blue line still improves at its end, more rows may help. An ensemble often fits its training rows "
            "perfectly."
        )
    return _("If the blue line still improves at its end, more rows may help; a wide gap is a sign of overfitting.")


def of_classes(outcome: Outcome, answers: Answers) -> Iterator[tuple[str, str, str, Callable[[], Any]]]:
    """The pictures of a classifier."""
    assert answers.classes is not None
    if len(answers.classes) <= LARGEST_TABLE:
        yield (
            "confusion",
            _("Confusion matrix"),
            _("Rows are the true classes, columns the predictions; every test row is counted."),
            lambda: ConfusionDisplay(outcome.evaluation.confusion()).plot(),
        )
    if answers.scores is None:
        return
    yield (
        "roc",
        _("ROC curve"),
        _("True positive rate against false positive rate, at every threshold; the area is the mean over the folds."),
        lambda: curves(answers, roc_beside(outcome.evaluation), _("false positive rate (each class against the rest)")),
    )
    yield (
        "precision_recall",
        _("Precision and recall"),
        _("Precision (the share of the predictions of a class that are right) against recall (the share of the class found)."),
        lambda: curves(answers, precision_recall_beside, _("recall (each class against the rest)")),
    )


# ---- curves of one or several classes ----------------------------------------------------------------------------------


def curves(answers: Answers, beside: Callable[..., Any], axis: str) -> Any:
    """A curve of the last of two classes, or one of each of the largest classes on the same axes."""
    assert answers.classes is not None
    if len(answers.classes) == 2:
        return beside(answers, answers.classes[-1], None)
    labels, counts = np.unique(answers.truth, return_counts=True)
    display, ax = None, None
    for place, label in enumerate(sorted(labels[np.argsort(-counts, kind="stable")][:MOST_CLASSES])):
        display = beside(answers, label, ax, name=short(label), colour=PALETTE[place])
        ax = display.ax_
        ax.set_xlabel(axis)
    return display


def chance(answers: Answers, label: Any) -> Any:
    """The probabilities of a class, or its decision values."""
    assert answers.classes is not None
    assert answers.scores is not None
    return answers.scores[:, int(np.flatnonzero(answers.classes == label)[0])]


def roc_beside(found: Evaluation) -> Callable[..., RocDisplay]:
    """A curve of all test rows, with the area that the tables show: the mean over the folds."""

    def draw(answers: Answers, label: Any, ax: Any, **look: Any) -> RocDisplay:
        curve = replace(roc(answers.truth == label, chance(answers, label), positive=True), positive=str(label))
        area = found.area(label)
        return RocDisplay(curve).plot(ax, area=(area.value, area.low, area.high), **look)

    return draw


def precision_recall_beside(answers: Answers, label: Any, ax: Any, **look: Any) -> PrecisionRecallDisplay:
    return PrecisionRecallDisplay(precision_recall(answers.truth, chance(answers, label), positive=label)).plot(ax, **look)


def maps_of_rows(outcome: Outcome) -> tuple[RowsDisplay | None, MapOfRows | None]:
    """The plane of the first principal components and the map of neighbours, words as columns of zeros and ones; None if there
    are too few columns or rows."""
    experiment = outcome.experiment
    some = np.sort(np.argsort(uniforms(0, 0, len(experiment.y)))[:MOST_ROWS])
    X, y = experiment.X.iloc[some], experiment.y[some]
    try:
        numbers = prepared(StandardScaler(), X, columns=experiment.question.columns(experiment.table))[:-1].fit_transform(X)
        plane = RowsDisplay(numbers, y, as_numbers=experiment.question.task == "regression")
    except (ValueError, np.linalg.LinAlgError):
        return None, None
    try:
        return plane, map_of(numbers, y, plane.chosen)
    except (ValueError, np.linalg.LinAlgError):
        return plane, None
