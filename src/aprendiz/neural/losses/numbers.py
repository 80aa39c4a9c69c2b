"""Losses of numbers, with r = o − y:

squared_error   ½r²                       ∂ = r                                                           (1)
absolute_error  |r|                       ∂ = sign r                                                      (2)
huber           ½r² where |r| ≤ ε, else ε|r| − ½ε²      ∂ = r, or ±ε                                          (3)
poisson         y ln(y/o) − y + o,  o = e^v             ∂/∂v = o − y                                          (4)
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array

SQUARED, ABSOLUTE, HUBER, POISSON = range(4)
NUMBER_LOSSES: Mapping[str, int] = {
    "squared_error": SQUARED,
    "absolute_error": ABSOLUTE,
    "huber": HUBER,
    "poisson": POISSON,
}


@compiled
def number_errors(V: Array, Y: Array, weights: Array, scale: float, loss: int, epsilon: float) -> float:
    """V becomes its errors times `scale`; the loss, not scaled."""
    total = 0.0
    for i in range(V.shape[0]):
        own, factor = 0.0, weights[i] * scale
        for k in range(V.shape[1]):
            y, o = float(Y[i, k]), float(V[i, k])
            if loss == POISSON:
                v, o = o, np.exp(o)
                own += y * (np.log(y) - v) - y + o if y > 0.0 else o
            r = o - y
            if loss == SQUARED:
                own += 0.5 * r * r
            elif loss == ABSOLUTE:
                own += abs(r)
                r = np.sign(r)
            elif loss == HUBER:
                inside = abs(r) <= epsilon
                own += 0.5 * r * r if inside else epsilon * abs(r) - 0.5 * epsilon * epsilon
                r = r if inside else epsilon * np.sign(r)
            V[i, k] = factor * r
        total += weights[i] * own
    return total
