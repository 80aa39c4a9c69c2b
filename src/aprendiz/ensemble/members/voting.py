"""Ensembles that say a class.

The vote of a member is the shares of the classes in its leaf ("soft", as in scikit-learn), or the one class it would answer
("hard": the majority of the texts). With costs C(k, l) of answering l where k is true, and p the mean of the votes,

    answer = argmin_l Σ_k p_k C(k, l),     without costs the class of the largest p                              (1)

A single member answers "hard" by (1) too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import numpy as np

from aprendiz.core.learner import Classifier
from aprendiz.core.rows import Array
from aprendiz.ensemble.members.ensemble import Ensemble
from aprendiz.ensemble.members.ensemble_data import EnsembleData
from aprendiz.ensemble.out_of_bag.out_of_bag import means, warn_never_out


class VotingEnsemble(Classifier, Ensemble):
    """The base of ensembles for classes."""

    voting: Literal["soft", "hard"] = "soft"
    classes_: Array
    costs_: Array

    def votes(self, answers: Array, costs: Array | None) -> Array:
        if self.voting == "soft":
            return answers
        assert costs is not None
        return np.eye(answers.shape[1])[(answers @ costs).argmin(axis=1)]

    def losses(self, data: EnsembleData, total: Array, votes: Array, rows: Array) -> Array:
        assert data.costs is not None
        return ((total @ data.costs).argmin(axis=1) != data.y[rows]).astype(np.float64)

    def concluded(self, state: Any, data: EnsembleData) -> dict[str, Any]:
        labels = data.labels
        assert labels is not None
        known = {"classes_": labels, "n_classes_": len(labels), "n_outputs_": 1}
        if data.bags is None or not len(state.oob_votes):
            return known
        shares = means(state.oob_total, state.oob_votes)
        answered = state.oob_votes > 0
        decided = (shares[answered] @ data.costs).argmin(axis=1)
        confusion = np.zeros((len(labels), len(labels)))
        np.add.at(confusion, (data.y[answered], decided), data.weights[answered])
        score = self.oob_score(labels[data.y[answered]], labels[decided]) if callable(self.oob_score) else None
        return {
            **known,
            "oob_decision_function_": data.bags.spread(shares),
            "oob_confusion_": confusion,
            "oob_errors_": state.oob_errors,
            "oob_score_": float(np.trace(confusion) / confusion.sum() if score is None else score)
            if answered.any()
            else np.nan,
            "n_never_out_": warn_never_out(state.oob_votes, type(self).__name__),
        }

    # ---- the answer ----------------------------------------------------------------------------------------------------

    def predict_proba(self, X: Any) -> Array:
        """The mean of the votes, class by class."""
        return self.sums(X) / self.voices().sum()

    def predict_log_proba(self, X: Any) -> Array:
        """The logarithms of `predict_proba`."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def predict(self, X: Any) -> Array:
        """The answer (1) for each row."""
        return self.decided(self.sums(X))

    def decided(self, total: Array) -> Array:
        """(1) from sums of votes."""
        return self.classes_[(total @ self.costs_).argmin(axis=1)]

    def staged_predict(self, X: Any) -> Iterator[Array]:
        """The predictions of the first member, of the first two, …"""
        return (self.decided(total) for total in self.staged_sums(X))

    def staged_predict_proba(self, X: Any) -> Iterator[Array]:
        """The mean votes of the first member, of the first two, …"""
        voices = np.cumsum(self.voices())
        return (total / voice for voice, total in zip(voices, self.staged_sums(X), strict=True))
