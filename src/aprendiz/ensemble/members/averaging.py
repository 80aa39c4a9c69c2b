"""How an ensemble says a number: the mean of what its members say."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.metrics import r2_score

from aprendiz.core.rows import Array
from aprendiz.ensemble.members.ensemble_data import EnsembleData
from aprendiz.ensemble.out_of_bag.out_of_bag import means, warn_never_out


def squared_losses(data: EnsembleData, total: Array, votes: Array, rows: Array) -> Array:
    """The squared error of the out-of-bag predictions for some rows, its mean over the outputs."""
    return ((total / votes[:, None] - data.y.reshape(data.count, -1)[rows]) ** 2).mean(axis=1)


def as_target(means: Array) -> Array:
    """Means in the form of the target: one output is a vector."""
    return np.ascontiguousarray(means[:, 0]) if means.shape[1] == 1 else means


def averaging_attributes(state: Any, data: EnsembleData, oob_score: Any, name: str) -> dict[str, Any]:
    """The fitted attributes of an ensemble for numbers: its outputs, and out-of-bag means if they were asked for."""
    known: dict[str, Any] = {"n_outputs_": data.outputs}
    if data.bags is None or not len(state.oob_votes):
        return known
    said = means(state.oob_total, state.oob_votes)
    answered = state.oob_votes > 0
    truth = data.y.reshape(data.count, -1)
    said, truth = (said[:, 0], truth[:, 0]) if data.outputs == 1 else (said, truth)
    score = np.nan
    if answered.any():
        score = (oob_score if callable(oob_score) else r2_score)(truth[answered], said[answered])
    return {
        **known,
        "oob_prediction_": data.bags.spread(said),
        "oob_errors_": state.oob_errors,
        "oob_score_": float(score),
        "n_never_out_": warn_never_out(state.oob_votes, name),
    }
