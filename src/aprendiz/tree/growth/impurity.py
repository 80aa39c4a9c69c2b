"""The impurities, as functions of the sums of a node ((1) of __init__.py)."""

from __future__ import annotations

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array
from aprendiz.tree.growth.records import ABSOLUTE, ENTROPY, ERROR, POISSON, SQUARES


@compiled(inner=True)
def merit(criterion: int, sums: Array) -> float:
    """f of (1): `sums` holds m sums S, then the weight w and the number of rows."""
    m, s = len(sums) - 2, 0.0
    w = sums[m]
    if w <= 0.0 or criterion == ABSOLUTE:  # absolute errors are no function of sums
        return 0.0
    if criterion == SQUARES:
        for k in range(m):
            s += sums[k] * sums[k]
        return s / w
    if criterion == ENTROPY:
        for k in range(m):
            if sums[k] > 0.0:
                s += sums[k] * np.log(sums[k])
        return s - w * np.log(w)
    if criterion == ERROR:
        for k in range(m):
            s = max(s, sums[k])
        return s
    for k in range(m):  # POISSON, or SHARES: entropies of indicators, of which a node may have none
        if sums[k] > 0.0:
            s += sums[k] * np.log(sums[k] / w)
        elif criterion == POISSON:
            return -np.inf
    return s


@compiled(inner=True)
def impurity_of_classes(criterion: int, total: Array) -> float:
    """i(t) of class weights; entropy in bits."""
    f = merit(criterion, total) / total[len(total) - 2]
    return max(0.0, -f / np.log(2.0) if criterion == ENTROPY else 1.0 - f)


@compiled(inner=True)
def impurity_of_numbers(criterion: int, rows: Array, z: Array, weight: Array, centre: Array) -> float:
    """i(t) of the numbers of a node around its means (of absolute errors, its median)."""
    loss, total = 0.0, 0.0
    for i in range(len(rows)):
        v = weight[rows[i]]
        total += v
        for k in range(z.shape[1]):
            x, c = z[rows[i], k], centre[k]
            if criterion == SQUARES:
                loss += v * (x - c) * (x - c)
            elif criterion == ABSOLUTE:
                loss += v * abs(x - c)
            elif x > 0.0:
                loss += v * x * np.log(x / c)
    return loss / (total * z.shape[1])
