"""e^(−γ‖x − z‖²) of a tile of inner products, in one pass over it.

    −γ‖x − z‖² = min(0, 2γ·xᵀz − γ‖x‖² − γ‖z‖²) = k·ln 2 + r,     |r| ≤ ½ ln 2                                  (1)
    e^… = 2ᵏ·eʳ,     eʳ by a polynomial of degree 7                                                            (2)

2ᵏ is written as the exponent bits of a number, so that the loop has no call and the processor does several entries at a time:
in single precision 0.35 ns an entry, where the product of matrices takes 1 ns. Below e⁻⁸⁷ the entry is 0. Doubles go through
NumPy's exponential, which has all digits.
"""

from __future__ import annotations

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array
from aprendiz.kernel.gram.distances import squared_distances
from aprendiz.kernel.gram.points import Points, products
from aprendiz.kernel.gram.rounding import largest
from aprendiz.kernel.gram.tile_views import flat_view

F = np.float32
SMALLEST = F(-87.0)  # e to this power is the smallest normal number of single precision
LOG2_E, LN2_HIGH, LN2_LOW = F(1.44269504), F(0.693145751953125), F(1.42860682030941723212e-6)
C7, C6, C5, C4, C3, C2 = (
    *(F(1.9875691500e-4), F(1.3981999507e-3), F(8.3334519073e-3)),
    *(F(4.1665795894e-2), F(1.6666665459e-1), F(5.0000001201e-1)),
)
COARSE, COARSE_SINGLE = 1e-12, 1e-4  # errors of an exponent that are too much, in double and in single precision
BIAS, MANTISSA = np.int32(127), np.int32(23)


def gaussian_block(P: Points, Q: Points, gamma: float, out: Array | None = None) -> Array:
    """e^(−γ‖x − z‖²) between two sets of points. Where rounding in the sum of (1) would count, because γ is large for rows so
    far from the pivot, near rows are subtracted cell by cell (distances.py)."""
    coarse = COARSE_SINGLE if P.dtype == np.float32 else COARSE
    if gamma * (largest(P.squares) + largest(Q.squares)) * float(np.finfo(P.dtype).eps) > coarse:
        return exponential_of(squared_distances(P, Q, out), gamma)
    tile = products(P, Q, out)
    fill_gaussian(tile, P.squares, Q.squares, gamma)
    return tile


def exponential_of(tile: Array, gamma: float) -> Array:
    """e^(−γ·tile) in its place, of numbers of at least 0 and any γ."""
    with np.errstate(over="ignore"):  # e to minus infinity is 0
        tile *= tile.dtype.type(-min(gamma, float(np.finfo(tile.dtype).max)))
    return np.exp(tile, out=tile)


def fill_gaussian(tile: Array, row_squares: Array, column_squares: Array, gamma: float) -> None:
    """(1) in place of the inner products of a tile."""
    flat, step = flat_view(tile)
    if tile.dtype == np.float32:
        fill_gaussian_single(flat, step, F(gamma) * row_squares, F(gamma) * column_squares, F(2.0 * gamma))
        return
    fill_exponents(flat, step, gamma * row_squares, gamma * column_squares, 2.0 * gamma)
    np.exp(tile, out=tile)


@compiled
def fill_exponents(flat: Array, step: int, row: Array, column: Array, twice: float) -> None:
    """The exponents of (1)."""
    for i in range(len(row)):
        line = flat[i * step : i * step + len(column)]
        for j in range(len(column)):
            line[j] = min(twice * line[j] - row[i] - column[j], 0.0)


@compiled
def fill_gaussian_single(flat: Array, step: int, row: Array, column: Array, twice: F) -> None:
    """(2), after Cephes' expf."""
    for i in range(len(row)):
        line = flat[i * step : i * step + len(column)]
        for j in range(len(column)):
            x = min(twice * line[j] - row[i] - column[j], F(0.0))
            kept = max(x, SMALLEST)
            k = np.floor(kept * LOG2_E + F(0.5))
            r = kept - k * LN2_HIGH - k * LN2_LOW
            p = ((((((C7 * r + C6) * r + C5) * r + C4) * r + C3) * r + C2) * r + F(1.0)) * r + F(1.0)
            power = np.int32((np.int32(k) + BIAS) << MANTISSA).view(np.float32)
            line[j] = p * power if x >= SMALLEST else F(0.0)
