"""How a forest says a class of each of several targets: by the mean of the indicators in the leaves
(core/several_targets.py)."""

from __future__ import annotations

from typing import Any

import numpy as np

from aprendiz.core.rows import Array, Rows
from aprendiz.core.several_targets import codes_of, labelled, padded
from aprendiz.ensemble.members.ensemble_data import EnsembleData
from aprendiz.ensemble.out_of_bag.out_of_bag import means, warn_never_out
from aprendiz.tree.shared.several_targets import known_of_targets


def same_labels(labels: Any, rows: Rows) -> bool:
    """Are the classes of a fit those of some rows?"""
    if isinstance(labels, list) != (rows.several is not None):
        return False
    if rows.several is None:
        return np.array_equal(labels, np.asarray(rows.labels))
    return len(labels) == len(rows.several) and all(map(np.array_equal, labels, rows.several))


def losses_of_targets(data: EnsembleData, total: Array, rows: Array) -> Array:
    """1 for each of some rows of which the out-of-bag prediction is wrong about some target."""
    labels = data.rows.several
    assert labels is not None
    return (codes_of(total, labels) != codes_of(data.y[rows], labels)).any(axis=1).astype(np.float64)


def attributes_of_targets(state: Any, data: EnsembleData, oob_score: Any, name: str) -> dict[str, Any]:
    """The fitted attributes of a forest for several targets, with out-of-bag shares of shape (rows, classes, targets) if they
    were asked for."""
    labels = data.rows.several
    assert labels is not None
    known = known_of_targets(labels)
    if data.bags is None or not len(state.oob_votes):
        return known
    shares, answered = means(state.oob_total, state.oob_votes), state.oob_votes > 0
    said, truth = codes_of(shares[answered], labels), codes_of(data.y[answered], labels)
    score = np.nan
    if answered.any() and callable(oob_score):
        score = oob_score(labelled(truth, labels), labelled(said, labels))
    elif answered.any():
        score = np.average((said == truth).all(axis=1), weights=data.weights[answered])
    return {
        **known,
        "oob_decision_function_": data.bags.spread(padded(shares, labels).transpose(0, 2, 1)),
        "oob_errors_": state.oob_errors,
        "oob_score_": float(score),
        "n_never_out_": warn_never_out(state.oob_votes, name),
    }
