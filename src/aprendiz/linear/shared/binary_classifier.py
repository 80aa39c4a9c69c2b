"""What classifiers of two classes share: t(x), the second class where t is positive, and a refusal of more classes."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np

from aprendiz.core.learner import Classifier
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.locale import _


class BinaryClassifier(Classifier):
    """Predicts the second of two classes where t is positive. A leaf gives `scores`, t of the rows of a block."""

    classes_: Array

    @abstractmethod
    def scores(self, block: Block) -> Array:
        """t of each row."""

    def open(self, X: Any, y: Any = None, sample_weight: Any = None, *, reset: bool = True) -> Rows:
        """Training data as checked rows of two classes."""
        rows = super().open(X, y, sample_weight, reset=reset)
        assert rows.labels is not None
        if len(rows.labels) > 2:
            words = _(
                "Only binary classification is supported. The target is multiclass, with {classes} classes: "
                "use OneVsRestClassifier({learner}())."
            )
            raise ValueError(words.format(classes=len(rows.labels), learner=type(self).__name__))
        return rows

    def decision_function(self, X: Any) -> Array:
        """t of each row."""
        return self.new_rows(X).each(self.scores)

    def predict(self, X: Any) -> Array:
        """The class of each row."""
        second = self.decision_function(X) > 0
        return self.classes_[second.astype(np.intp)]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


def signed_weights(rows: Rows) -> Array:
    """ω of each row of the second class, −ω of the first; 0 for rows that do not count."""
    return rows.each(lambda block: np.where(block.y == 1, block.weights, -block.weights))
