"""Bits of 64-bit words, for kernels: one instruction of the processor each."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numba import types
from numba.extending import intrinsic


@intrinsic
def trailing_zeros(typing_context: Any, word: Any) -> Any:
    """The number of the lowest bit that is set."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], context.get_constant(types.boolean, True))

    return types.int64(types.uint64), generate


@intrinsic
def population(typing_context: Any, word: Any) -> Any:
    """The number of bits that are set."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), generate


def plain_population(word: np.uint64) -> int:
    """The same where kernels are plain Python."""
    return int(word).bit_count()


def plain_trailing_zeros(word: np.uint64) -> int:
    """The same where kernels are plain Python."""
    return (int(word) & -int(word)).bit_length() - 1


ones = plain_population if numba.config.DISABLE_JIT else population  # the number of bits that are set
lowest_bit = plain_trailing_zeros if numba.config.DISABLE_JIT else trailing_zeros  # the number of the lowest bit that is set
