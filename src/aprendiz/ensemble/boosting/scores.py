"""Scores by which a fit stops early: the loss, or any scorer of scikit-learn, on the rows held out and on those learned from.

A scorer asks a learner for predictions; here it is given one that knows the raw predictions of these rows already.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.metrics import check_scoring

from aprendiz.core.random import uniforms
from aprendiz.core.rows import Array, Rows
from aprendiz.ensemble.boosting.fit_data import BoostingData, Part
from aprendiz.ensemble.boosting.losses import Loss

MOST_SCORED = 10_000  # rows to learn from that a scorer sees
STREAM = 3


@dataclass(frozen=True)
class LossScores:
    """The mean loss, less than which is better."""

    data: BoostingData
    loss: Loss

    def scores(self, raw: Array, held_out_raw: Array | None, loss: float) -> tuple[float, float | None]:
        others = self.data.held_out
        if others is None or held_out_raw is None:
            return -loss, None
        return -loss, -self.loss.mean_loss(others.y, others.weight, held_out_raw)


@dataclass(frozen=True)
class ScorerScores:
    """Those of a scorer, on at most so many rows to learn from."""

    learner: Any
    scorer: Any
    data: BoostingData
    labels: Array | None
    few: Array

    def scores(self, raw: Array, held_out_raw: Array | None, loss: float) -> tuple[float, float | None]:
        data, train = self.data, self.data.train
        numbers = self.few if train.rows is None else train.rows[self.few]
        some = Part(numbers, train.y[self.few], None if train.weight is None else train.weight[self.few])
        mine = self.score(some, raw[:, self.few])
        others = data.held_out
        return mine, None if others is None or held_out_raw is None else self.score(others, held_out_raw)

    def score(self, part: Part, raw: Array) -> float:
        """The score of some rows."""
        y = part.y if self.labels is None else self.labels[part.y]
        knowing = copy(self.learner)
        knowing.__dict__["raw_predictions"] = lambda X: raw.T
        weight = {} if part.weight is None else {"sample_weight": part.weight}
        return float(self.scorer(knowing, self.data.rows_of(part), y, **weight))


def scorer_of(learner: Any, data: BoostingData, loss: Loss, rows: Rows, seed: int) -> LossScores | ScorerScores:
    """What scores the iterations of a fit."""
    if learner.scoring == "loss":
        return LossScores(data, loss)
    knowing = copy(learner)
    found = {"baseline_": np.zeros(loss.outputs), **rows.noted}
    knowing.__dict__.update({name: value for name, value in found.items() if value is not None or name == "columns_"})
    if rows.labels is not None:
        knowing.__dict__["classes_"] = rows.labels
    count = len(data.train.y)
    few = np.arange(count)
    if count > MOST_SCORED:
        few = np.sort(np.argsort(uniforms(seed, STREAM, count), kind="stable")[:MOST_SCORED])
    return ScorerScores(knowing, check_scoring(knowing, learner.scoring), data, rows.labels, few)
