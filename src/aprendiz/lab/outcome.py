"""The end of an experiment: the best method, fitted to all rows, and its learning curve.

The scores of the folds are those of the method with its tuning inside; the model that is handed over is the same method, tuned
on all rows and fitted to them. The learning curve comes from few splits, for it is a picture and not a score.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import numpy as np
from sklearn.compose import TransformedTargetRegressor
from sklearn.frozen import FrozenEstimator
from sklearn.pipeline import Pipeline

from aprendiz.bayes.bayes_decision_classifier import BayesDecisionClassifier
from aprendiz.core.blas import single_blas
from aprendiz.core.html import Html, ShownAsHtml
from aprendiz.core.short_repr import ShortRepr
from aprendiz.evaluation import ExpandingWindows
from aprendiz.evaluation.bias_variance import BiasVariance, bias_variance
from aprendiz.evaluation.evaluation import Evaluation, Score
from aprendiz.evaluation.folds.splits import Protocol
from aprendiz.evaluation.holdout import Holdout
from aprendiz.evaluation.k_folds import KFolds
from aprendiz.evaluation.learning_curve import SHARES, LearningCurve, learning_curve
from aprendiz.evaluation.tuned import Tuned
from aprendiz.lab.all_rows_of_run import fit_of_file
from aprendiz.lab.alternatives import Alternative, alternatives
from aprendiz.lab.columns_of_run import ColumnsOfRun, columns_of
from aprendiz.lab.experiment import REPORT_SECONDS, Experiment, Results
from aprendiz.lab.large_tables.streamed_fit import StreamedFit
from aprendiz.lab.machine_of_run import machine_of
from aprendiz.lab.model import TableModel
from aprendiz.lab.outcome_in_notebook import outcome_parts
from aprendiz.lab.question import MANY_ROWS
from aprendiz.lab.targets.coverage_of_run import conformal_of
from aprendiz.locale import _

CURVE_FOLDS = 3
REPLICATES = 50  # bootstrap samples for bias and variance
LONG_CURVE = 3.0  # seconds from which a learning curve has a single split
LONGEST_CURVE = 20.0  # seconds that a learning curve is expected to take, at most


@dataclass(frozen=True, eq=False, repr=False)
class Outcome(ShortRepr, ShownAsHtml):
    """What an experiment has led to.

    Attributes
    ----------
    experiment, results : the experiment, and the comparison of its methods
    learner : the best method, fitted to all rows
    curve : LearningCurve, or None where it would have taken too long
    warnings : what was warned of in the last fit, and how often
    alternatives : the score of the best method with groups split, or with the columns that were set aside
    ended : datetime
    parts : BiasVariance or None
        Why the best method errs, if that was asked for.
    columns : ColumnsOfRun or None
        What the columns are worth to the best method (columns_of_run.py).
    no_curve : "interrupted", "time", "budget", "rows" or None
        Why there is no learning curve, where there is none.
    machine : name and pipeline, or None
        The best support vector machine, fitted to all rows (machine_of_run.py).
    all_rows : StreamedFit, str or None
        Of a run on a sample: the best method, fitted to all rows of the file, or why it was not (all_rows_of_run.py).
    """

    experiment: Experiment
    results: Results
    learner: Any
    curve: LearningCurve | None
    warnings: Counter[str]
    ended: datetime
    alternatives: tuple[Alternative, ...] = ()
    parts: BiasVariance | None = None
    machine: tuple[str, Any] | None = None
    no_curve: str | None = None
    columns: ColumnsOfRun | None = None
    all_rows: StreamedFit | str | None = None

    def other_score(self, way: str) -> Score | None:
        """The score of the best method by another way (alternatives.py); None if there is none."""
        return next((one.score for one in self.alternatives if one.way == way), None)

    @property
    def evaluation(self) -> Evaluation:
        """The folds of the best method."""
        return self.results.evaluations[self.results.best]

    @property
    def pipeline(self) -> Any:
        """Preparation and learner, with the parameters that were chosen."""
        if isinstance(self.all_rows, StreamedFit):
            return self.all_rows.pipeline
        return self.learner.best_estimator_ if isinstance(self.learner, Tuned) else self.learner

    @property
    def opened_pipeline(self) -> Any:
        """The same with the learner itself at its end, also where it predicts a transformed target."""
        last = self.pipeline[-1]
        if not isinstance(last, TransformedTargetRegressor):
            return self.pipeline
        return Pipeline([*self.pipeline.steps[:-1], ("learner", last.regressor_)])

    @property
    def fitted(self) -> Any:
        """The learner itself."""
        return self.opened_pipeline[-1]

    @property
    def rows_of_model(self) -> int:
        """How many rows the model was fitted to."""
        return self.all_rows.rows if isinstance(self.all_rows, StreamedFit) else self.results.question.rows

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters that tuning chose on all rows."""
        chosen = self.learner.best_params_ if isinstance(self.learner, Tuned) else {}
        return {name.removeprefix("learner__").removeprefix("regressor__"): value for name, value in chosen.items()}

    @property
    def deciding(self) -> Any:
        """The pipeline, with the decisions by costs if there are any."""
        decision = self.results.question.decision
        if decision is None:
            return self.pipeline
        model = BayesDecisionClassifier(FrozenEstimator(self.pipeline), loss=decision.loss, reject_cost=decision.reject)
        return model.fit(self.experiment.X, self.experiment.y)

    def html_parts(self) -> Iterable[Html]:
        """The comparison and the findings, for notebooks."""
        return outcome_parts(self)

    def model(self) -> TableModel:
        """The model that can be kept and used on new files."""
        question, table, score = self.results.question, self.experiment.table, self.results.standings[0].score
        return TableModel.of(
            self.deciding,
            question.target,
            question.task,
            question.columns(table),
            table.dialect,
            method=self.results.best,
            measure=score.name,
            score=score.value,
            low=score.low,
            high=score.high,
            rows=self.rows_of_model,
            table=table.name,
            fingerprint=table.fingerprint,
            made=self.ended.isoformat(timespec="seconds"),
            conformal=conformal_of(self.pipeline, self.evaluation),
        )


def conclude(experiment: Experiment, *, parts: bool = False, on_stage: Callable[[str], None] = lambda stage: None) -> Outcome:
    """Compare what is done, fit the best method to all rows, and draw its learning curve unless the run was cut short. With
    `parts`, its error is split into bias and variance."""
    results, limit = experiment.results(), experiment.limit
    keep = limit.reserve(REPORT_SECONDS)

    def attempt(stage: str, work: Callable[[], Any]) -> Any:
        on_stage(stage)
        return limit.attempt(stage, work, keep)

    with warnings.catch_warnings(record=True) as heard, single_blas():
        warnings.simplefilter("always")
        on_stage(_("fitting {method} to all rows").format(method=results.best))
        learner = experiment.final(results.best)
        pipeline = learner.best_estimator_ if isinstance(learner, Tuned) else learner
        all_rows = None
        if experiment.table.sample is not None:
            stage = _("fitting {method} to all rows of the file").format(method=results.best)
            all_rows = attempt(stage, lambda: fit_of_file(experiment, pipeline)) or _("there was no time")
            pipeline = all_rows.pipeline if isinstance(all_rows, StreamedFit) else pipeline
        curve, no_curve = None, why_no_curve(experiment, results)
        if no_curve is None:
            curve = attempt(
                _("learning curve"), lambda: curve_of(experiment, results.best, curve_protocol(experiment, results)[0])
            )
            no_curve = None if curve is not None else "budget" if limit.left_out else "rows"
        others = alternatives(experiment, results, on_stage)
        machine = limit.attempt(_("support vectors"), lambda: machine_of(experiment, results, learner), keep)
        columns = attempt(_("importance of the columns"), lambda: columns_of(experiment, results, pipeline))
        split_error = None
        if parts and experiment.stopped != "interrupted":
            split_error = attempt(_("bias and variance"), lambda: parts_of(experiment, pipeline))
    said = Counter(f"{one.category.__name__}: {one.message}" for one in heard)
    ended, found = datetime.now(UTC).astimezone(), (others, split_error, machine, no_curve, columns, all_rows)
    return Outcome(experiment, results, learner, curve, said, ended, *found)


def why_no_curve(experiment: Experiment, results: Results) -> str | None:
    """What stands against a learning curve before it is begun."""
    if experiment.stopped == "interrupted":
        return "interrupted"
    return "time" if curve_seconds(experiment, results) >= LONGEST_CURVE else None


def curve_seconds(experiment: Experiment, results: Results) -> float:
    """How long a learning curve will take, at most, from the time of a fold: wide tables take as long with fewer rows."""
    return seconds_of_fold(results) * len(SHARES) * curve_protocol(experiment, results)[1]


def seconds_of_fold(results: Results) -> float:
    """Of the best method, in the mean."""
    found = results.evaluations[results.best]
    return found.seconds / len(found.folds)


def curve_protocol(experiment: Experiment, results: Results) -> tuple[Protocol, int]:
    """Few splits, and their number; a single one where several would take long."""
    if experiment.question.time is not None:
        return ExpandingWindows(CURVE_FOLDS), CURVE_FOLDS
    if len(experiment.y) > MANY_ROWS or seconds_of_fold(results) * len(SHARES) * CURVE_FOLDS > LONG_CURVE:
        return Holdout(0.3), 1
    return KFolds(CURVE_FOLDS), CURVE_FOLDS


def curve_of(experiment: Experiment, name: str, protocol: Protocol) -> LearningCurve | None:
    """The learning curve of a method; None where the rows are too few for its parts."""
    try:
        return learning_curve(
            experiment.learner(experiment.method(name)),
            experiment.X,
            experiment.y,
            protocol=protocol,
            metric=experiment.question.inner_metric,
            groups=experiment.groups,
        )
    except (ValueError, np.linalg.LinAlgError):
        return None


def parts_of(experiment: Experiment, pipeline: Any) -> BiasVariance | None:
    """Bias and variance of a method with the parameters that tuning chose on all rows: tuning in each replicate would take many
    times as long. None where the rows are too few."""
    try:
        return bias_variance(pipeline, experiment.X, experiment.y, replicates=REPLICATES, groups=experiment.groups)
    except (ValueError, np.linalg.LinAlgError):
        return None
