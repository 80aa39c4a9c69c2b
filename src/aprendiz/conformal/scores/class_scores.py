"""Conformity scores of classes: how little a classifier believes in a class of a row.

    lac     s(x, y) = 1 − p(y | x)                                                                           (1)
    aps     s(x, y) = Σ_{p(k | x) > p(y | x)} p(k | x) + u(x)·p(y | x)                                       (2)

Sets of (1) are the smallest on average; sets of (2) grow where the classifier is unsure, so that hard rows are covered as well
as easy ones. Without the share u of the last class, a classifier that is nearly always sure would have scores near 1 and sets
of all classes. It is uniform in [0, 1) and belongs to the row: a hash of its probabilities (of the first model, where there are
several), so that the same row has the same set wherever it stands in a table. Equal probabilities have equal scores.

References: Sadinle, Lei & Wasserman, "Least ambiguous set-valued classifiers", JASA 114, 2019; Romano, Sesia & Candès,
"Classification with valid and adaptive coverage", NeurIPS 2020.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aprendiz.core.random import hashes
from aprendiz.core.rows import Array

SEED = 2020


def class_scores(kind: str, probability: Array, first: Array | None = None) -> Array:
    """The score of each row and class; `first`: the probabilities of the first of several models."""
    if kind == "lac":
        return 1.0 - probability
    order = np.argsort(-probability, axis=1, kind="stable")
    falling = np.take_along_axis(probability, order, axis=1)
    above = np.cumsum(falling, axis=1) - falling
    for k in range(1, above.shape[1]):  # equal probabilities have the same above them
        above[:, k] = np.where(falling[:, k] == falling[:, k - 1], above[:, k - 1], above[:, k])
    u = shares_of_last(probability if first is None else first)
    found = np.empty_like(above)
    np.put_along_axis(found, order, above + u[:, None] * falling, axis=1)
    return found


def shares_of_last(probability: Array) -> Array:
    """u of (2) for each row."""
    bits = np.ascontiguousarray(probability + 0.0).view(np.uint64)  # −0 and 0 are the same probability
    key = np.zeros(len(bits), dtype=np.uint64)
    for column in bits.T:
        key = hashes(SEED, 0, key ^ column)
    return (key >> np.uint64(11)) * 2.0**-53


def probabilities(model: Any, X: Any, labels: Array) -> Array:
    """The probability of each class; 0 for one that the model has not seen."""
    said, own = np.asarray(model.predict_proba(X), dtype=np.float64), np.asarray(model.classes_)
    if len(own) == len(labels) and np.array_equal(own, labels):
        return said
    wide = np.zeros((len(said), len(labels)))
    wide[:, np.searchsorted(labels, own)] = said
    return wide
