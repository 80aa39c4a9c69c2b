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
from functools import cache
from typing import Any

from llvmlite import binding as llvm  # Numba brings it along
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, Flags
from numba.core.typed_passes import NopythonRewrites
from numba.core.types import BaseFunction, NumberClass
from numba.core.typing import Context
from numba.core.untyped_passes import InlineClosureLikes, WithLifting

NOT_NEEDED = {WithLifting, InlineClosureLikes, NopythonRewrites}
BY_VALUE = ("static_getitem", "static_setitem")  # their second argument is no type but an index, which may be a slice
ENVIRONMENT = "_ZN08NumbaEnv"  # how the names of the variables begin that Numba writes to


class InnerLibrary(JITCodeLibrary):
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


class QuickFlags(Flags):
    """Numba's options of a compilation. They are part of a key that is looked up for every call in a kernel, and compared
    there, all of them: a tenth of the time. Here only those that were set are compared; the others are the same."""

    HASH = hash(Flags())  # it is the same for all

    def __hash__(self) -> int:
        return self.HASH

    def __eq__(self, other: object) -> Any:
        if not isinstance(other, Flags):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self._values.keys() | other._values.keys())


class SharedAnswers(Context):
    """What Numba knows of types, with the answers kept. For every `+` and every `[]` in a kernel it goes through all that these
    may mean: a first CART asks 2 700 times and has 310 different questions.

    Kept are operations that mean the same everywhere, such as those of numbers and arrays. Those that Numba compiles as kernels
    of their own (`min`) depend on the options of the caller, and are asked for again."""

    answers: dict[Any, Any] = {}

    def resolve_function_type(self, func: Any, args: Any, kws: Any) -> Any:
        if kws or func in BY_VALUE:
            return super().resolve_function_type(func, args, kws)
        question = func, tuple(args)
        if question not in self.answers:
            answer = super().resolve_function_type(func, args, kws)
            if not self.is_same_everywhere(func, answer):
                return answer
            self.answers[question] = answer
        return self.answers[question]

    def is_same_everywhere(self, func: Any, answer: Any) -> bool:
        if isinstance(func, str | NumberClass):  # the steps of a loop, the conversion to a kind of number
            return True
        kind = self._lookup_global(func) or func
        return answer is not None and isinstance(kind, BaseFunction) and kind.get_impl_key(answer) == kind.typing_key

    @classmethod
    @cache
    def of(cls, context: Context) -> SharedAnswers:
        """The same knowledge, seen through this class."""
        found = cls.__new__(cls)
        found.__dict__ = context.__dict__
        return found


class KernelCompiler(Compiler):
    """Numba's compiler, with such options and answers."""

    def __init__(self, typingctx: Any, targetctx: Any, library: Any, args: Any, return_type: Any, flags: Any, locals: Any):
        context = SharedAnswers.of(typingctx)
        super().__init__(context, targetctx, library, args, return_type, QuickFlags(flags), locals)


class InnerCompiler(KernelCompiler):
    """The compiler of inner kernels, into a library for their callers. They hold no closures, comprehensions and expressions of
    arrays: what Numba does about these is left out."""

    def define_pipelines(self) -> Any:
        managers = super().define_pipelines()
        for manager in managers:
            manager.passes = [step for step in manager.passes if step[0] not in NOT_NEEDED]
            manager.finalize()
        return managers

    def compile_extra(self, func: Callable[..., Any]) -> Any:
        self.state.library = InnerLibrary(self.state.targetctx.codegen(), func.__qualname__)
        self.state.library.enable_object_caching()
        return super().compile_extra(func)
