"""How an ensemble says a class.

The vote of a member is the shares of the classes in its leaf ("soft", as in scikit-learn), or the one class it would predict
("hard": the majority of the texts). With costs C(k, l) of predicting l where k is true, and p the mean of the votes,

    prediction = argmin_l Σ_k p_k C(k, l),     without costs the class of the largest p                          (1)

A single member predicts "hard" by (1) too.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.ensemble.members.ensemble_data import EnsembleData
from aprendiz.ensemble.out_of_bag.out_of_bag import means, warn_never_out


def best_classes(total: Array, costs: Array | None) -> Array:
    """(1): the number of the class, from votes or sums of votes."""
    assert costs is not None
    return (total @ costs).argmin(axis=1)


def hard_votes(answers: Array, costs: Array | None) -> Array:
    """A 1 for the class that a member predicts, 0 for the others."""
    return np.eye(answers.shape[1])[best_classes(answers, costs)]


def logarithms(shares: Any) -> Any:
    """The logarithms of shares of classes, −∞ for none; of several targets, a list with those of each."""
    with np.errstate(divide="ignore"):
        return [np.log(one) for one in shares] if isinstance(shares, list) else np.log(shares)


def zero_one_losses(data: EnsembleData, total: Array, rows: Array) -> Array:
    """1 for each of some rows whose out-of-bag prediction is wrong."""
    return (best_classes(total, data.costs) != data.y[rows]).astype(np.float64)


def voting_attributes(state: Any, data: EnsembleData, oob_score: Any, name: str) -> dict[str, Any]:
    """The fitted attributes of an ensemble for classes: its labels, and out-of-bag votes if they were asked for."""
    labels = data.labels
    assert labels is not None
    known = {"classes_": labels, "n_classes_": len(labels), "n_outputs_": 1}
    if data.bags is None or not len(state.oob_votes):
        return known
    shares = means(state.oob_total, state.oob_votes)
    answered = state.oob_votes > 0
    decided = best_classes(shares[answered], data.costs)
    confusion = np.zeros((len(labels), len(labels)))
    np.add.at(confusion, (data.y[answered], decided), data.weights[answered])
    score = oob_score(labels[data.y[answered]], labels[decided]) if callable(oob_score) else None
    return {
        **known,
        "oob_decision_function_": data.bags.spread(shares),
        "oob_confusion_": confusion,
        "oob_errors_": state.oob_errors,
        "oob_score_": float(np.trace(confusion) / confusion.sum() if score is None else score) if answered.any() else np.nan,
        "n_never_out_": warn_never_out(state.oob_votes, name),
    }
