"""What was predicted for some rows, beside the truth: all that a measure needs to know."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

from aprendiz import evaluation
from aprendiz.core.rows import Array
from aprendiz.core.targets import refuse_bad_number
from aprendiz.evaluation import ConfusionTable, Outcomes, RegressionErrors
from aprendiz.evaluation.intervals.row_intervals import Interval, drawn_outcomes

Task = Literal["classification", "regression"]
# of a measure; scores are probabilities or decision values, a rule says what decisions cost
Needs = Literal["predictions", "scores", "probabilities", "rule"]


@dataclass(frozen=True)
class Answers:
    """What was said of some rows: truth, prediction, and for classes the probabilities (None if the learner gives none), or
    else the values of a decision function: of two classes positive for the second, of more a column for each; and the rule that
    decided, if decisions have costs (aprendiz.bayes.DecisionRule)."""

    truth: Array
    prediction: Array
    classes: Array | None = None
    probability: Array | None = None
    decision: Array | None = None
    rule: Any = None

    @cached_property
    def of_truth(self) -> Array:
        """For each row, whether each class is the right one."""
        assert self.classes is not None
        return self.truth[:, None] == self.classes

    @cached_property
    def table(self) -> ConfusionTable:
        """How often each class was taken for each other."""
        return evaluation.confusion(self.truth, self.prediction, labels=self.classes)

    @cached_property
    def redrawn(self) -> Outcomes:
        """Each class against the rest, in tables of rows drawn with replacement from these."""
        return drawn_outcomes(self.table.table)

    @cached_property
    def errors(self) -> RegressionErrors:
        """How far the numbers are from the truth."""
        return evaluation.regression_errors(self.truth, self.prediction)

    @cached_property
    def scores(self) -> Array | None:
        """A column for each class, larger where a row looks more like it: probabilities, or else decision values."""
        if self.probability is not None or self.decision is None:
            return self.probability
        return self.decision if self.decision.ndim == 2 else np.column_stack([-self.decision, self.decision])

    @property
    def curves(self) -> tuple[Array, Array]:
        """Truth and score of each class against the rest, in columns; of two classes the second says it all. Classes
        without rows, or without a rest, have no curve."""
        assert self.classes is not None
        assert self.scores is not None
        refuse_bad_number("decision_function" if self.probability is None else "probability", self.scores)
        first = 1 if len(self.classes) == 2 else 0
        positive, score = self.of_truth[:, first:], self.scores[:, first:]
        both = positive.any(axis=0) & ~positive.all(axis=0)
        return positive[:, both], score[:, both]


Measure = Callable[[Answers], float]
Limits = Callable[[Answers, float], Interval]  # at a level
Pull = Callable[[Answers], Array]  # what each row adds
