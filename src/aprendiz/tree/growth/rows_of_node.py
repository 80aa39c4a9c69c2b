"""The rows of a node side by side, their sums, and the impurity of the node."""

from __future__ import annotations

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.rows import Array
from aprendiz.tree.growth.absolute_errors import sort_numbers
from aprendiz.tree.growth.impurity import impurity_of_classes, impurity_of_numbers
from aprendiz.tree.growth.records import CENTRE, IMPURITY, ORIGIN, POISSON, SHARES, SUMS, TOTAL, WEIGHT, Ranks


@compiled(inner=True)
def gather_classes(
    rows: Array, y: Array, weight: Array, criterion: int, near_y: Array, near_w: Array, total: Array, numbers: Array
) -> None:
    """Class and weight of each row, and the weight of each class. Writes down impurity (0 if it is pure), weight and sums."""
    m, kinds = len(total) - 2, int64(0)
    for k in range(m + 1):
        total[k] = 0.0
    total[m + 1] = len(rows)
    for i in range(len(rows)):
        r = rows[i]
        near_y[i], near_w[i] = y[r], weight[r]
        total[y[r]] += weight[r]
    for k in range(m):
        total[m] += total[k]
        kinds += total[k] > 0.0
        numbers[SUMS + k] = total[k]
    numbers[IMPURITY] = impurity_of_classes(criterion, total) if kinds > 1 else 0.0
    numbers[WEIGHT] = total[m]


@compiled(inner=True)
def gather_numbers(
    rows: Array, z: Array, weight: Array, criterion: int, near_z: Array, near_w: Array, sums: Array, ranks: Ranks | None,
    numbers: Array,
) -> None:  # fmt: skip
    """Weighted numbers around their mean (Poisson: around 0) and weight of each row, and their sums. Writes down impurity (0 if
    the node is pure), weight and means."""
    total, centre, origin, m, others = sums[TOTAL], sums[CENTRE], sums[ORIGIN], z.shape[1], int64(0)
    for k in range(m + 1):
        total[k] = 0.0
    total[m + 1] = len(rows)
    for i in range(len(rows)):
        near_w[i] = weight[rows[i]]
        total[m] += near_w[i]
    for k in range(m):
        first, mean = z[rows[0], k], 0.0
        for i in range(len(rows)):
            mean += near_w[i] * (z[rows[i], k] - first)
            others += z[rows[i], k] != first
        centre[k] = first + mean / total[m]
    if ranks is not None:
        sort_numbers(rows, z, near_w, centre, ranks)
    for k in range(m):
        origin[k] = 0.0 if criterion == POISSON or criterion == SHARES else centre[k]  # noqa: SIM109  cheaper to compile
        numbers[SUMS + k] = centre[k]
    for i in range(len(rows)):
        for k in range(m):
            near_z[i, k] = near_w[i] * (z[rows[i], k] - origin[k])
            total[k] += near_z[i, k]
    numbers[IMPURITY] = 0.0 if others == 0 else impurity_of_numbers(criterion, rows, z, weight, centre)
    numbers[WEIGHT] = total[m]
