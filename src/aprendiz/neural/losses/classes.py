"""Losses of classes: cross entropy of softmax outputs, and of a logistic output for each label.

    softmax      o_k = e^{v_k}/Σ e^{v_j},     L = −Σ ω ln o_y,      ∂L/∂v = ω(o − y)                              (1)
    logistic     o = 1/(1 + e^−v),            L = −Σ ω (y ln o + (1 − y) ln(1 − o)),      ∂L/∂v = ω(o − y)        (2)

Both are computed from v, not from o, so that no loss is ln 0; and o_y − 1 as minus what the other classes have, so that an
error keeps its digits however small it is.
"""

from __future__ import annotations

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array


@compiled
def softmax_errors(V: Array, codes: Array, weights: Array, scale: float) -> float:
    """(1): V becomes its errors times `scale`; the loss, not scaled."""
    loss = 0.0
    for i in range(V.shape[0]):
        highest, own = V[i].max(), V[i, codes[i]]
        others = 0.0
        for k in range(V.shape[1]):
            V[i, k] = np.exp(V[i, k] - highest)
            if k != codes[i]:
                others += V[i, k]
        total = others + V[i, codes[i]]
        loss += weights[i] * (np.log(total) - (own - highest))
        factor = weights[i] * scale / total
        for k in range(V.shape[1]):
            V[i, k] *= factor
        V[i, codes[i]] = -others * factor
    return loss


@compiled
def logistic_errors(V: Array, targets: Array, weights: Array, scale: float) -> float:
    """(2): V becomes its errors times `scale`; the loss, not scaled."""
    loss = 0.0
    for i in range(V.shape[0]):
        factor = weights[i] * scale
        for k in range(V.shape[1]):
            v, y = float(V[i, k]), float(targets[i, k])
            small = np.exp(-abs(v))
            loss += weights[i] * (max(v, 0.0) - v * y + np.log1p(small))
            here, away = (1.0, small) if v >= 0.0 else (small, 1.0)
            V[i, k] = factor * ((1.0 - y) * here - y * away) / (1.0 + small)
    return loss
