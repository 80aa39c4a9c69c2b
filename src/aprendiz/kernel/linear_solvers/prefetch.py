"""Memory that will be needed soon: a hint to the processor, which a kernel gives while it still works on something else.

Rows that are visited in random order lie anywhere in memory, and a row must be waited for when its turn comes. Asked for one
row ahead, it has arrived by then: an epoch over a sparse table takes two thirds of the time. A hint changes no result.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.rows import Array

LINE = 64  # bytes that arrive together
READ, KEEP, DATA = 0, 3, 1  # what LLVM's prefetch is told: for reading, for all levels of cache, data


@intrinsic
def ask_for(typing: Any, array: Any, place: Any) -> Any:
    """Ask for the entry of an array."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        address = builder.bitcast(builder.gep(data, [arguments[1]]), cgutils.voidptr_t)
        number = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, number, number, number])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
        builder.call(function, [address, number(READ), number(KEEP), number(DATA)])
        return context.get_dummy_value()

    return types.void(array, place), generate


@compiled(inner=True)
def ask_for_row(data: Array, columns: Array, start: int, stop: int) -> None:
    """Ask for the cells of a row and their columns."""
    for k in range(int64(start), int64(stop), LINE // 8):
        ask_for(data, k)
    for k in range(int64(start), int64(stop), LINE // 4):
        ask_for(columns, k)
