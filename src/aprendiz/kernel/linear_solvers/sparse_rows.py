"""Loops over rows of a sparse table: products with a plane, sums of rows, and what is asked of each row or column.

A table comes as cells, columns and starts of the rows (`compress`). A plane has an entry for each column, and a last one for
the intercept, whose cell is `scale` in every row.
"""

from __future__ import annotations

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.rows import Array

Cells = tuple[Array, Array, Array]


@compiled(exact=True, inner=True)  # licences would gather the entries of θ into vectors, which is slower
def row_product(data: Array, columns: Array, start: int, stop: int, theta: Array) -> float:
    """xᵀθ of the cells of a row, as four sums that do not wait for each other."""
    k, end = int64(start), int64(stop)
    s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0
    while k + 4 <= end:
        s0 += theta[columns[k]] * data[k]
        s1 += theta[columns[k + 1]] * data[k + 1]
        s2 += theta[columns[k + 2]] * data[k + 2]
        s3 += theta[columns[k + 3]] * data[k + 3]
        k += 4
    while k < end:
        s0 += theta[columns[k]] * data[k]
        k += 1
    return (s0 + s1) + (s2 + s3)


@compiled(exact=True)
def row_products(Z: Cells, chosen: Array, theta: Array, scale: float, t: Array) -> None:
    """t = θᵀz of the chosen rows."""
    data, columns, starts = Z
    own = scale * theta[len(theta) - 1]
    for j, i in enumerate(chosen):
        t[j] = own + row_product(data, columns, starts[i], starts[i + 1], theta)


@compiled(exact=True)
def add_rows(Z: Cells, chosen: Array, factors: Array, scale: float, theta: Array) -> None:
    """θ ← θ + Σ factor·z of the chosen rows; those with factor 0 are not looked at."""
    data, columns, starts = Z
    total = 0.0
    for j, i in enumerate(chosen):
        factor = factors[j]
        if factor != 0.0:
            total += factor
            for k in range(starts[i], starts[i + 1]):
                theta[columns[k]] += factor * data[k]
    theta[len(theta) - 1] += total * scale


@compiled
def fill_squares(Z: Cells, scale: float, squares: Array) -> None:
    """zᵀz of each row."""
    data, _columns, starts = Z
    for i in range(len(squares)):
        total = scale * scale
        for k in range(starts[i], starts[i + 1]):
            total += data[k] * data[k]
        squares[i] = total


@compiled
def fill_largest(data: Array, columns: Array, largest: Array) -> None:
    """The largest |x| of each column."""
    for k in range(len(data)):
        largest[columns[k]] = max(largest[columns[k]], abs(data[k]))
