"""Kernels that only kernels call: they become machine code once, as parts of their callers.

Numba compiles a kernel into a library of its own, optimised and turned into machine code, and copies that library into those
of its callers, where all is optimised and turned into machine code again: a kernel five calls deep, six times. Half of a first
fit went there. An inner kernel is typed and lowered as ever, but its library keeps the code as it is, for callers to copy. What
remains of it by itself is the one variable that Numba writes to.

Nothing but the place where code is optimised changes. Should a later Numba no longer call `_optimize_final_module`, kernels are
compiled as Numba does, correct and later.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import binding as llvm  # Numba brings it along
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

ENVIRONMENT = "_ZN08NumbaEnv"  # how the names of the variables begin that Numba writes to


class InnerLibrary(JITCodeLibrary):  # type: ignore[misc]  # Numba has no types
    """The code of a kernel, for its callers."""

    _shared_module: Any
    _final_module: Any

    def _optimize_final_module(self) -> None:
        code = self._final_module
        for function in code.functions:
            if not function.is_declaration and function.linkage == llvm.Linkage.external:
                function.linkage = "linkonce_odr"  # several callers may hold a copy
        variables = [str(variable) for variable in code.global_variables if variable.name.startswith(ENVIRONMENT)]
        empty = str(self._codegen._create_empty_module(self.name))
        self._shared_module, self._final_module = code, llvm.parse_assembly("\n".join([empty, *variables]))


class InnerCompiler(Compiler):  # type: ignore[misc]
    """Numba's compiler, into such a library."""

    def compile_extra(self, func: Callable[..., Any]) -> Any:
        self.state.library = InnerLibrary(self.state.targetctx.codegen(), func.__qualname__)
        self.state.library.enable_object_caching()
        return super().compile_extra(func)
