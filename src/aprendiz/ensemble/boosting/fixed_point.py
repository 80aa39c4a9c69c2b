"""Gradients and curvatures as whole numbers, so that sums of them are exact.

    gᵢ → round(gᵢ·2ᵃ),     hᵢ → round(hᵢ·2ᵇ)     with powers of two such that n rows cannot overflow a word          (1)

of 64 bits. The number of the rows is counted in the low bits of a word, so that one addition does it all. With c bits for the
rows the words of a row are

    one      g·2ᶜ + 1                where all curvatures are equal; g keeps 62 − 2c bits: 30 for 50 000 rows, 22 for 10⁶
    two      g,  h·2ᶜ + 1            g keeps 62 − c bits
    three    g,  h,  1               for so many rows that 2c bits are too many

One word is taken where gradients keep enough bits, the usual ones and not only the largest (`FEWEST`). What rounding does to
a sum is at most n/2 units: less than single precision, in which others keep gradients, does to it.

Reference: Shi, Ke, Chen, Liu & Liu, "Quantized training of gradient boosting decision trees", NeurIPS 2022, who go down to
three bits and round at random; here nothing is to be lost.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array

FEWEST = 18  # bits of a gradient of the mean size in one word
FEWEST_OF_CURVATURE = 20


@dataclass(frozen=True)
class Units:
    """How sums are written: the number of words and of bits for the rows, and what a gradient and a curvature are multiplied
    by."""

    words: int
    shift: int
    gradient: float
    curvature: float
    constant: bool

    @property
    def step(self) -> float:
        """What a ratio of whole numbers g/h is multiplied by to be a step."""
        return self.curvature / self.gradient


def units_of(rows: int, largest: float, mean: float, largest_curvature: float, mean_curvature: float, constant: bool) -> Units:
    """The units of some rows, from the largest and the mean size of their gradients and curvatures. Equal curvatures are a unit
    each."""
    bits = rows.bit_length()
    if constant:
        alone = 62 - 2 * bits
        if alone - spare_bits(largest, mean) >= FEWEST:
            return Units(1, bits, power(alone, largest), 1.0 / largest_curvature, True)
        return Units(2, bits, power(62 - bits, largest), 1.0 / largest_curvature, True)
    beside = 62 - 2 * bits
    if beside - spare_bits(largest_curvature, mean_curvature) >= FEWEST_OF_CURVATURE:
        return Units(2, bits, power(62 - bits, largest), power(beside, largest_curvature), False)
    return Units(3, 0, power(62 - bits, largest), power(62 - bits, largest_curvature), False)


def spare_bits(largest: float, mean: float) -> float:
    """Bits that the largest number needs beyond one of mean size."""
    return math.log2(largest / mean) if mean > 0 else 0.0


def power(bits: int, largest: float) -> float:
    """The largest power of two that keeps a number below 2^bits."""
    if largest <= 0:
        return 1.0
    return math.ldexp(1.0, min(max(bits - math.frexp(largest)[1], -1000), 1000))


@compiled
def write_words(
    gradient: Array, curvature: Array | None, start: int, stop: int, unit: float, unit_of_curvature: float, shift: int,
    words: Array,
) -> None:  # fmt: skip
    """(1) of some rows. Where curvatures are equal they are not written down: a row is one."""
    width, one = words.shape[1], np.int64(1) << shift
    for i in range(start, stop):
        g, h = np.int64(np.rint(gradient[i] * unit)), np.int64(0)
        if curvature is not None:
            h = np.int64(np.rint(curvature[i] * unit_of_curvature))
        if width == 1:
            words[i, 0] = g * one + 1
        elif width == 2:
            words[i, 0], words[i, 1] = g, h * one + 1
        else:
            words[i, 0], words[i, 1], words[i, 2] = g, h, 1
