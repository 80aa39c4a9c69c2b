"""One kernel for arrays that may be written to and for those that may not.

To Numba these are two types. A kernel of ten arrays could be compiled a thousand times over, although it writes to one of them:
once for a table in memory and again for a file, once for a model that was fitted and again for one that was loaded. So a kernel
is compiled for the types that ask for least: every array that it only reads is read-only. What may be written to may be read.

Which arguments a kernel only reads is seen in its source: a name is written to if something is assigned to a part of it,

    out[i] = …     out[i] += …     out += …     out.sort()     kernel(…, out, …), if that kernel writes to this argument

and so is every name that it is a view of (`row = out[i]`). What a kernel returns may be written to by its caller. A guess that
is too bold does no harm: Numba refuses to write to a read-only array, and the kernel is compiled for the types of the call.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from numba.core.compiler_lock import global_compiler_lock
from numba.core.errors import TypingError
from numba.core.registry import CPUDispatcher
from numba.core.sigutils import normalize_signature
from numba.core.types import Array, Type
from numba.extending import is_jitted

WRITING_METHODS = {"fill", "partition", "sort"}
NEW_VALUES = {  # functions whose result is no view of an argument
    *("abs", "bool", "float", "int", "int64", "len", "max", "min", "range", "sum", "round"),
    *("arange", "copy", "empty", "empty_like", "full", "ones", "zeros", "zeros_like"),
    *("exp", "floor", "isnan", "log", "sqrt", "argsort", "uint64", "float64"),
}

Types = tuple[Type, ...]


class KernelDispatcher(CPUDispatcher):
    """A kernel that Python calls, compiled once for read-only arrays and others."""

    def compile(self, sig: Any) -> Any:
        with global_compiler_lock:  # Python parses one source at a time: two threads at once are an error in 3.11
            return self.compile_once(sig)

    def compile_once(self, sig: Any) -> Any:
        """The entry to the kernel for some types, compiled if there is none that serves."""
        asked = tuple(normalize_signature(sig)[0])
        if asked in self.overloads:
            return self.overloads[asked].entry_point
        served = self.served_by(asked)
        if served == asked:
            return super().compile(sig)
        try:
            entry = super().compile(served)
        except TypingError:  # it is written to after all, or it is wrong for any types
            return super().compile(sig)
        self._insert([kind._code for kind in asked], entry, False)
        self.overloads[asked] = self.overloads[served]
        return entry

    def served_by(self, asked: Types) -> Types:
        """The types to compile for: those of a kernel on disk, if it serves, else with every array read-only that is read."""
        if not any(isinstance(kind, Array) and kind.mutable for kind in asked):
            return asked
        known = {*self.overloads, *signatures_on_disk(self)}
        if asked in known:
            return asked
        for other in known:
            if serves(other, asked):
                return other
        return tuple(read_only(kind) if i in read_arguments(self.py_func) else kind for i, kind in enumerate(asked))


def signatures_on_disk(kernel: CPUDispatcher) -> list[Types]:
    """The types that a kernel was compiled for in earlier processes."""
    file = getattr(kernel._cache, "_cache_file", None)
    return [key[0] for key in file._load_index()] if file is not None else []


def serves(known: Types, asked: Types) -> bool:
    """Does a kernel for these types take arguments of those?"""
    return len(known) == len(asked) and all(k in (a, read_only(a)) for k, a in zip(known, asked, strict=True))


def read_only(kind: Type) -> Type:
    """The type of an array that may not be written to; any other type as it is."""
    return kind.copy(readonly=True) if type(kind) is Array and kind.mutable else kind


# ---- which arguments are read --------------------------------------------------------------------------------------------


@cache
def read_arguments(function: Callable[..., Any]) -> frozenset[int]:
    """The places of the arguments that a kernel only reads, as far as its source shows it."""
    try:
        definition = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    except (OSError, TypeError, SystemError):  # typed at a prompt; or somebody else's thread parses at this moment
        return frozenset()
    names = [argument.arg for argument in definition.args.args]  # type: ignore[attr-defined]  # it is a function
    found = Writes(function)
    found.visit(definition)
    written = found.with_views()
    return frozenset(i for i, name in enumerate(names) if name not in written)


class Writes(ast.NodeVisitor):
    """The names that a kernel writes to or returns, and what each name may be a view of."""

    def __init__(self, kernel: Callable[..., Any]):
        self.kernel = kernel
        self.written: set[str] = set()
        self.views: dict[str, set[str]] = {}

    def with_views(self) -> set[str]:
        """The names that are written to, directly or through a view."""
        found, waiting = set(), list(self.written)
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                waiting += self.views.get(name, ())
        return found

    def visit_Assign(self, node: ast.Assign) -> None:
        for target in node.targets:
            self.bind(target, node.value)
        self.generic_visit(node)

    def visit_For(self, node: ast.For) -> None:
        self.bind(node.target, node.iter)
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.written |= self.sources(node.target)
        self.generic_visit(node)

    def visit_Return(self, node: ast.Return) -> None:
        self.written |= self.sources(node.value)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        called: Any = self.kernel.__globals__.get(node.func.id) if isinstance(node.func, ast.Name) else None
        if is_jitted(called) and called.py_func is not self.kernel:
            read = read_arguments(called.py_func)
            for i, argument in enumerate(node.args):
                if i not in read:
                    self.written |= self.sources(argument)
            self.written |= self.all_sources(part.value for part in node.keywords)
        elif isinstance(node.func, ast.Attribute) and node.func.attr in WRITING_METHODS:
            self.written |= self.sources(node.func.value)
        self.generic_visit(node)

    def bind(self, target: ast.expr, value: ast.expr) -> None:
        """Something is assigned to names, or to a part of an array."""
        if isinstance(target, ast.Name):
            self.views.setdefault(target.id, set()).update(self.sources(value))
        elif isinstance(target, ast.Tuple):
            pairs = value.elts if isinstance(value, ast.Tuple) and len(value.elts) == len(target.elts) else None
            for k, part in enumerate(target.elts):
                self.bind(part, pairs[k] if pairs else value)
        else:
            self.written |= self.sources(target)

    def sources(self, value: ast.expr | None) -> set[str]:
        """The names that an expression may be a view of."""
        match value:
            case ast.Name(id=name):
                return {name}
            case ast.Attribute(value=inner) | ast.Subscript(value=inner) | ast.Starred(value=inner):
                return self.sources(inner)
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                return self.all_sources(parts)
            case ast.IfExp(body=one, orelse=other):
                return self.sources(one) | self.sources(other)
            case ast.Call():
                if getattr(value.func, "attr", getattr(value.func, "id", None)) in NEW_VALUES:
                    return set()
                return self.all_sources([value.func, *value.args, *(part.value for part in value.keywords)])
        return set()

    def all_sources(self, values: Iterable[ast.expr]) -> set[str]:
        return set().union(*(self.sources(value) for value in values))
