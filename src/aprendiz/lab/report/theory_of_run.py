"""What theory says of the best method of a run: the errors on its test rows, and the bounds that follow from them.

    folds              the interval of the score, which knows that models vary with their training rows
    test rows          Clopper–Pearson and Hoeffding: of one fixed classifier, whose rows are independent
    training rows      Vapnik–Chervonenkis: for all rules of the class of the model at once, if its class is known

The second line is a theorem for a single split. In a cross-validation each fold has a model of its own: the numbers are as if
one classifier had been tested on all rows, and the page says so. In both cases the method was chosen by the same rows.
"""

from __future__ import annotations

from typing import Any

from aprendiz.evaluation import bounds
from aprendiz.evaluation.bounds.classes.model_class import class_of
from aprendiz.evaluation.theory import Bound, Observed, theory
from aprendiz.lab.outcome import Outcome

DELTA = 0.05
INTERVALS = ("clopper_pearson", "hoeffding")


def theory_of(outcome: Outcome) -> dict[str, Any] | None:
    """The numbers of the box, for classes; None for numbers."""
    if outcome.results.question.task != "classification":
        return None
    table = outcome.evaluation.confusion().table
    n, right = int(table.sum()), int(table.trace())
    found = tuple(Bound(name, *getattr(bounds, name)(n, errors=n - right, delta=DELTA)) for name in INTERVALS)
    tested = Observed("held-out", n, n - right, 1.0 - int(table.sum(axis=1).max()) / n, found)
    accuracy = outcome.evaluation.score("accuracy")
    return {
        "delta": DELTA,
        "folds": {"error": 1.0 - accuracy.value, "low": 1.0 - accuracy.high, "high": 1.0 - accuracy.low},
        "one_classifier": len(outcome.evaluation.folds) == 1,
        "independent_rows": outcome.results.question.groups is None,
        "methods": len(outcome.results.standings),
        "test_rows": of_rows(tested),
        "training_rows": of_training_rows(outcome),
    }


def of_training_rows(outcome: Outcome) -> dict[str, Any]:
    """The model that is handed over, on the columns that it gets; without a bound only why there is none."""
    model = outcome.pipeline[-1]
    reason = class_of(model).reason
    if reason:
        return {"reason": reason}
    X = outcome.experiment.X if len(outcome.pipeline) == 1 else outcome.pipeline[:-1].transform(outcome.experiment.X)
    found = theory(model, X, outcome.experiment.y, rows="training", delta=DELTA).training
    assert found is not None
    return {**of_rows(found), "dimension": found.dimension, "reason": found.reason}


def of_rows(found: Observed) -> dict[str, Any]:
    """Rows, errors and bounds."""
    listed = [{"name": b.name, "low": b.low, "high": b.high, "verdict": b.verdict(found.baseline)} for b in found.bounds]
    return {"rows": found.n, "errors": found.errors, "error": found.error, "baseline": found.baseline, "bounds": listed}
