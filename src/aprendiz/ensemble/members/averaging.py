"""Ensembles that say a number: the mean of what their members say."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.metrics import r2_score

from aprendiz.core.learner import Regressor
from aprendiz.core.rows import Array
from aprendiz.ensemble.members.ensemble import Ensemble
from aprendiz.ensemble.members.ensemble_data import EnsembleData
from aprendiz.ensemble.out_of_bag.out_of_bag import means, warn_never_out


class AveragingEnsemble(Regressor, Ensemble):
    """The base of ensembles for numbers."""

    def votes(self, answers: Array, costs: Array | None) -> Array:
        return answers

    def losses(self, data: EnsembleData, total: Array, votes: Array, rows: Array) -> Array:
        """The squared error, its mean over the outputs."""
        return ((total / votes[:, None] - data.y.reshape(data.count, -1)[rows]) ** 2).mean(axis=1)

    def concluded(self, state: Any, data: EnsembleData) -> dict[str, Any]:
        known: dict[str, Any] = {"n_outputs_": data.outputs}
        if data.bags is None or not len(state.oob_votes):
            return known
        said = means(state.oob_total, state.oob_votes)
        answered = state.oob_votes > 0
        truth = data.y.reshape(data.count, -1)
        said, truth = (said[:, 0], truth[:, 0]) if data.outputs == 1 else (said, truth)
        score = np.nan
        if answered.any():
            score = (self.oob_score if callable(self.oob_score) else r2_score)(truth[answered], said[answered])
        return {
            **known,
            "oob_prediction_": data.bags.spread(said),
            "oob_errors_": state.oob_errors,
            "oob_score_": float(score),
            "n_never_out_": warn_never_out(state.oob_votes, type(self).__name__),
        }

    # ---- the answer ----------------------------------------------------------------------------------------------------

    def predict(self, X: Any) -> Array:
        """The mean of the members' answers for each row."""
        return self.as_target(self.sums(X) / self.voices().sum())

    def as_target(self, means: Array) -> Array:
        """In the form of the target."""
        return np.ascontiguousarray(means[:, 0]) if self.n_outputs_ == 1 else means

    def staged_predict(self, X: Any) -> Iterator[Array]:
        """The predictions of the first member, of the first two, …"""
        voices = np.cumsum(self.voices())
        return (self.as_target(total / voice) for voice, total in zip(voices, self.staged_sums(X), strict=True))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags
