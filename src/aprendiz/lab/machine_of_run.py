"""The support vector machine of a run, fitted to all rows: the best method if it is one; else the best among them, with the
parameters that most folds chose. It is looked at, not handed over.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.pipeline import Pipeline

from aprendiz.evaluation.tuned import Tuned
from aprendiz.kernel.shared.kernel_machine import KernelMachine
from aprendiz.lab.experiment import Experiment, Results

LONGEST_FIT = 20.0  # seconds that it may be expected to take


def machine_of(experiment: Experiment, results: Results, best: Any) -> tuple[str, Any] | None:
    """Its name, and the pipeline that ends in it; None if there is none, or a fit would take too long."""
    names = [one.name for one in results.standings if isinstance(experiment.method(one.name).learner, KernelMachine)]
    if not names:
        return None
    name = names[0]
    if name == results.best:
        return name, best.best_estimator_ if isinstance(best, Tuned) else best
    found = results.evaluations[name]
    if experiment.stopped == "interrupted" or found.seconds / len(found.folds) > LONGEST_FIT:
        return None
    learner = experiment.learner(experiment.method(name))
    pipeline: Pipeline = clone(learner.learner if isinstance(learner, Tuned) else learner)
    pipeline.set_params(**usual_choice([fold.chosen or {} for fold in found.folds]))
    try:
        return name, pipeline.fit(experiment.X, experiment.y)
    except (ValueError, np.linalg.LinAlgError):
        return None


def usual_choice(chosen: list[Any]) -> dict[str, Any]:
    """The parameters that most folds chose; of several, the first."""
    counts = Counter(repr(sorted(one.items())) for one in chosen)
    most = counts.most_common(1)[0][0]
    return next(dict(one) for one in chosen if repr(sorted(one.items())) == most)
